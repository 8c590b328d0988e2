//! Writes packs as JSON and CSV.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::blanks::blanks;
use crate::pack::{Card, PROMPT, Pack};

/// Writes the canonical form. Equal packs give equal text. Each card has its own line, so that version control shows a
/// changed card as one changed line.
pub fn to_json(pack: &Pack) -> String {
    let mut out = String::new();
    let decks: Vec<String> = pack
        .decks_for_reading()
        .into_iter()
        .map(|(name, cards)| {
            let cards: Vec<String> = cards.iter().map(|card| format!("      {}", card_json(name, card))).collect();
            match cards.is_empty() {
                true => format!("    {}: []", string(name)),
                false => format!("    {}: [\n{}\n    ]", string(name), cards.join(",\n")),
            }
        })
        .collect();
    let cards = match decks.is_empty() {
        true => "{}".into(),
        false => format!("{{\n{}\n  }}", decks.join(",\n")),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "{{\n  \"id\": {},\n  \"name\": {},\n  \"description\": {},\n  \"official\": {},\n  \"cards\": {cards}\n}}",
        string(&pack.id),
        string(&pack.name),
        string(&pack.description),
        pack.official,
    );
    out
}

/// Writes a sheet for a spreadsheet. It contains only the cards, not the pack's name and description.
pub fn to_csv(pack: &Pack) -> String {
    let all_cards = || pack.decks.values().flatten();
    let others: BTreeSet<&str> = all_cards().flat_map(|card| card.numbers.keys()).map(String::as_str).collect();
    let numbers: Vec<&str> = std::iter::once("pick").chain(others.into_iter().filter(|name| *name != "pick")).collect();

    // Without a byte order mark, the most used spreadsheet misreads UTF-8 and saves the wrong characters.
    let mut out = "\u{feff}".to_owned();
    write_row(&mut out, ["deck", "text"].into_iter().chain(numbers.iter().copied()).map(String::from));
    for (deck, cards) in pack.decks_for_reading() {
        for card in cards {
            let cells = numbers.iter().map(|name| card.number(name).map_or(String::new(), |n| n.to_string()));
            write_row(&mut out, [deck.to_owned(), as_words(&card.text)].into_iter().chain(cells));
        }
    }
    out
}

/// Writes one row of a sheet. Unlike the writer of a library, this can't fail, so no error can become a sheet without cards.
fn write_row(out: &mut String, cells: impl Iterator<Item = String>) {
    for (n, cell) in cells.enumerate() {
        if n > 0 {
            out.push(',');
        }
        match cell.contains([',', '"', '\n', '\r']) {
            true => {
                out.push('"');
                out.push_str(&cell.replace('"', "\"\""));
                out.push('"');
            }
            false => out.push_str(&cell),
        }
    }
    out.push('\n');
}

fn card_json(deck: &str, card: &Card) -> String {
    let mut out = format!("{{ \"text\": {}", string(&card.text));
    let counted = blanks(&card.text).max(1) as i64;
    for (name, value) in &card.numbers {
        // Leaves out a `pick` that equals the number of blanks, because the reader counts the blanks.
        if deck == PROMPT && name == "pick" && *value == counted {
            continue;
        }
        let _ = write!(out, ", {}: {value}", string(name));
    }
    out + " }"
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Puts a tab before a cell that begins like a formula, because a spreadsheet would run the formula, even in a file from a
/// stranger. The reader of sheets removes the tab.
fn as_words(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@']) {
        true => format!("\t{text}"),
        false => text.into(),
    }
}
