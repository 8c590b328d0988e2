//! Reads a pack from a sheet (CSV): headings in the first row, then one card in each row.
//!
//! ```csv
//! deck,text,pick
//! prompt,"I like _____, and _____.",2
//! answer,Tea,
//! ```
//!
//! Spreadsheets differ in what they write, so headings may come in any order and case and under several names, and the
//! columns may be separated by commas, semicolons or tabs. Further columns hold numbers for the game; a column named
//! `notes` (or `id`, `author`, …) is the author's own and is left out, with a note.

use std::collections::BTreeMap;

use crate::card;
use crate::error::{At, ProblemText};
use crate::limits;
use crate::pack::is_word;
use crate::reading::{Decks, Reading};
use crate::text::{fold, place, quoted};

/// The hint about words in a column of numbers. The most common cause is a comma in a text without quotation marks.
const WORDS_AMONG_NUMBERS: &str = "Write a number or leave the cell empty. If the words belong to the card, put its whole text in quotation marks; if they are only for you, name the column “notes”.";

enum Column {
    Deck,
    Text,
    Number(String),
    Unread,
}

pub(crate) fn read(source: &str, reading: &mut Reading) {
    let separator = separator(source);
    if let Some(offset) = unclosed_quote(source, separator) {
        return reading.problems.add(
            place(source, offset),
            ProblemText::new(
                "A quotation mark opens here and is never closed.",
                "Close it at the end of the cell. A quotation mark inside a quoted cell is written twice.",
            ),
        );
    }
    let mut rows = Rows::new(source, separator).filter(|(_, cells)| cells.iter().any(|cell| !cell.trim().is_empty()));
    let Some((at, header)) = rows.next() else {
        return reading
            .problems
            .add(At::File, ProblemText::new("This sheet has no rows.", "Check that you chose the right file."));
    };
    let columns = match columns(&header, reading) {
        Ok(columns) => columns,
        Err(fault) => return reading.problems.add(at, fault),
    };

    let mut decks = Decks::new();
    for (at, cells) in rows {
        if !reading.room_for_card() {
            return;
        }
        read_row(&columns, &at, &cells, &mut decks, reading);
    }
    let heading = reading.plain_heading();
    reading.add_pack(At::File, heading, decks);
}

fn read_row(columns: &[Column], at: &At, cells: &csv::StringRecord, decks: &mut Decks, reading: &mut Reading) {
    let at = || at.clone();
    if cells.iter().skip(columns.len()).any(|cell| !cell.trim().is_empty()) {
        return reading.problems.add(
            at(),
            ProblemText::new(
                "This row has more cells than there are headings.",
                "A text that contains the separator must stand in quotation marks.",
            ),
        );
    }
    let mut deck = "";
    let mut text = "";
    let mut numbers = BTreeMap::new();
    let mut good = true;
    for (column, cell) in columns.iter().zip(cells) {
        match column {
            Column::Deck => deck = cell,
            Column::Text => text = cell,
            Column::Unread => {}
            Column::Number(_) if cell.trim().is_empty() => {}
            Column::Number(name) => match cell.trim().parse() {
                Ok(value) => {
                    numbers.insert(name.clone(), value);
                }
                Err(_) => {
                    good = false;
                    reading.problems.add(
                        at(),
                        ProblemText::new(
                            format!("The column “{name}” holds whole numbers, and this is {}.", quoted(cell)),
                            WORDS_AMONG_NUMBERS,
                        ),
                    );
                }
            },
        }
    }
    let deck = match card::deck_name(deck) {
        Ok(deck) => deck,
        Err(fault) => return reading.problems.add(at(), fault),
    };
    if let Some(card) = card::check(&deck, text, numbers, &at, &mut reading.problems)
        && good
    {
        decks.entry(deck).or_default().push(card);
    }
}

/// Whether a number on a card may have this name. A heading with another meaning in a sheet can't be such a name, because a
/// spreadsheet would lose the number.
pub(crate) fn names_a_number(word: &str) -> bool {
    is_word(word) && matches!(column(word), Column::Number(name) if name == word)
}

fn column(heading: &str) -> Column {
    match heading {
        "deck" | "type" | "deck type" | "decktype" | "card type" | "kind" | "color" | "colour" => Column::Deck,
        "text" | "card" | "card text" | "content" => Column::Text,
        "pick" | "picks" => Column::Number("pick".into()),
        "" | "id" | "note" | "notes" | "comment" | "comments" | "author" | "source" | "date" => Column::Unread,
        _ => Column::Number(heading.replace(' ', "_")),
    }
}

/// The meaning of each column, by its heading.
fn columns(header: &csv::StringRecord, reading: &mut Reading) -> Result<Vec<Column>, ProblemText> {
    // Without this, a row of ten thousand cells would cause as many messages.
    if header.len() > limits::COLUMNS {
        return Err(ProblemText::new(
            format!("There are {} columns.", header.len()),
            format!("A sheet of cards may have {}.", limits::COLUMNS),
        ));
    }
    let mut columns = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut unread = Vec::new();
    for raw in header {
        let heading = fold(raw).to_lowercase();
        let column = column(&heading);
        if matches!(column, Column::Unread) && !heading.is_empty() {
            unread.push(quoted(&heading));
        }
        let name = match &column {
            Column::Deck => "deck".into(),
            Column::Text => "text".into(),
            Column::Number(name) => name.clone(),
            Column::Unread => String::new(),
        };
        if !name.is_empty() && names.contains(&name) {
            return Err(ProblemText::new(format!("Two columns hold the {}.", quoted(&name)), "Delete one of them."));
        }
        names.push(name);
        columns.push(column);
    }
    let missing: Vec<_> = ["deck", "text"].into_iter().filter(|name| !names.iter().any(|n| n == name)).collect();
    if !missing.is_empty() {
        return Err(ProblemText::new(
            format!("The first row has no heading “{}”.", missing.join("” and no heading “")),
            "The first row must name the columns: deck, text and, if you like, pick. (A pack in JSON starts with a { bracket.)",
        ));
    }
    if let Some(odd) = names.iter().find(|name| !name.is_empty() && !is_word(name)) {
        return Err(ProblemText::new(
            format!("{} can't be the heading of a column.", quoted(&odd.replace('_', " "))),
            "Use one word of letters a to z, or name the column “notes” if it is only for you.",
        ));
    }
    if !unread.is_empty() {
        reading.note(format!("Columns left out, as they are no part of a card: {}.", unread.join(", ")));
    }
    Ok(columns)
}

/// The separator that is most frequent in the first line, outside quotation marks.
fn separator(source: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    let line = source.trim_start().bytes().take_while(|byte| !matches!(byte, b'\n' | b'\r'));
    for byte in line {
        quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(separator, _)| !quoted && *separator == byte) {
            *count += 1;
        }
    }
    // `max_by_key` returns the last maximum, so the reversed order prefers the comma.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| separator)
}

/// The position of a quotation mark that is never closed. The CSV reader would read the rest of the file as one cell, and
/// all cards after it would be lost.
fn unclosed_quote(source: &str, separator: u8) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut opened = None;
    let mut at_cell_start = true;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if opened.is_some() {
            match (byte, bytes.get(i + 1)) {
                (b'"', Some(b'"')) => i += 1,
                (b'"', _) => opened = None,
                _ => {}
            }
        } else if byte == b'"' && at_cell_start {
            opened = Some(i);
            at_cell_start = false;
        } else {
            at_cell_start = byte == separator || matches!(byte, b'\n' | b'\r');
        }
        i += 1;
    }
    opened
}

/// The rows of a sheet with their places. The CSV reader skips empty lines and counts only lines, but an author needs the
/// row's number in the spreadsheet, so rows are counted here.
struct Rows<'s> {
    source: &'s [u8],
    records: csv::StringRecordsIntoIter<&'s [u8]>,
    counted: usize,
    row: usize,
    line: usize,
}

impl<'s> Rows<'s> {
    fn new(source: &'s str, separator: u8) -> Rows<'s> {
        let records = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(source.as_bytes())
            .into_records();
        Rows { source: source.as_bytes(), records, counted: 0, row: 0, line: 1 }
    }

    /// Counts the line breaks up to an offset.
    fn advance(&mut self, to: usize) -> usize {
        let from = self.counted;
        self.counted = to.max(from);
        let ends_line = |i: &usize| match self.source[*i] {
            b'\n' => true,
            b'\r' => self.source.get(i + 1) != Some(&b'\n'),
            _ => false,
        };
        (from..self.counted).filter(ends_line).count()
    }
}

impl Iterator for Rows<'_> {
    type Item = (At, csv::StringRecord);

    fn next(&mut self) -> Option<Self::Item> {
        // The reader fails only on input that is not UTF-8 or can't be read, and `source` is a `str` in memory.
        let record = self.records.next()?.ok()?;
        let end = usize::try_from(self.records.reader().position().byte()).ok()?.min(self.source.len());
        let begin = usize::try_from(record.position()?.byte()).ok()?.min(end);
        // The reader counts the `\n` of a Windows line break as part of the next record.
        let split = begin > 0 && self.source[begin - 1..end].starts_with(b"\r\n");
        let begin = begin + usize::from(split);
        self.line += self.advance(begin);
        let empty = self.source[begin..end].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let skipped = self.advance(begin + empty);
        self.line += skipped;
        self.row += 1 + skipped;
        Some((At::Row { row: self.row, line: self.line }, record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_recognised() {
        for (source, expected) in [
            ("deck,text", b','),
            ("deck;text;pick\na,b", b';'),
            ("\n\ndeck\ttext", b'\t'),
            ("\"a;b;c\",text", b','),
            ("text", b','),
            ("", b','),
        ] {
            assert_eq!(separator(source), expected, "{source:?}");
        }
    }

    #[test]
    fn unclosed_quotes_are_found() {
        for (source, expected) in [
            ("a,\"b\"\nc,d", None),
            ("a,\"b\"\"c\"", None),
            ("a,b\"c", None),
            ("a,\"b\nc,d", Some(2)),
            ("a,\"b\"\"", Some(2)),
            ("\"", Some(0)),
        ] {
            assert_eq!(unclosed_quote(source, b','), expected, "{source:?}");
        }
    }

    #[test]
    fn rows_count_empty_lines_and_lines_inside_cells() {
        for (source, expected) in [
            ("a\nb\nc", &[(1, 1), (2, 2), (3, 3)][..]),
            ("a\r\nb\r\n\r\nc\r\n", &[(1, 1), (2, 2), (4, 4)]),
            ("a\n\n\nb", &[(1, 1), (4, 4)]),
            ("a\n\"x\ny\"\nc", &[(1, 1), (2, 2), (3, 4)]),
            ("a\rb\rc", &[(1, 1), (2, 2), (3, 3)]),
        ] {
            let places: Vec<_> = Rows::new(source, b',')
                .map(|(at, _)| match at {
                    At::Row { row, line } => (row, line),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(places, expected, "{source:?}");
        }
    }
}
