//! Hints for lines that mean something, in words that scenarios do not have: `player 1 is asked`, `grid[1][2] is empty`,
//! `hand[1] has A♠`.

use crate::words::{Word, Words};

/// Returns what to write instead of a `then` line, if it has a known slip.
pub fn in_condition(words: &[Word]) -> Option<String> {
    let unquoted: Vec<&str> = words.iter().map(|word| if let Word::Plain(text) = word { text } else { "" }).collect();
    if let Some(hint) = unquoted.iter().find_map(|word| in_name(word)).or_else(|| in_number(words)) {
        return Some(hint);
    }
    let rest = |from: usize| Words(&words[from..]).show();
    Some(match unquoted[..] {
        ["player" | "Player" | "players", number, ..] if is_number(number) => {
            format!("a player is called by the number alone: `{}`", rest(1))
        }
        [number, "is", "not", "asked", ..] if is_number(number) => {
            "who is asked is said of those who are: `2 is asked`, `2 3 are asked`, `nobody is asked`".to_owned()
        }
        [number, "can", "not", ..] | [number, "cannot" | "can't", ..] if is_number(number) => {
            let from = if unquoted[1] == "can" { 3 } else { 2 };
            format!("what is legal is written with `may`: `{number} may not {}`", rest(from))
        }
        [number, "can", ..] if is_number(number) => {
            format!("what is legal is written with `may`: `{number} may {}`", rest(2))
        }
        [number, "holds" | "has" | "includes" | "lacks", ..] if is_number(number) => {
            format!("cards lie in zones: `hand[{number}] includes {}`", rest(2))
        }
        [zone, "does", "not", "hold" | "have" | "contain" | "include", ..] => {
            format!("write: `{zone} lacks {}`", rest(4))
        }
        [zone, "holds" | "has" | "contains", "nothing" | "none"] | [zone, "holds" | "has", "no", "cards"] => {
            format!("write: `{zone} is empty`")
        }
        [zone, "has" | "contains" | "have", ..] if !is_number(zone) => {
            format!("write: `{zone} includes {}`, or `{zone} holds …` with all of its cards", rest(2))
        }
        _ => return None,
    })
}

/// Returns what to write instead of a line of `arrange` that has no colon.
pub fn in_place(line: &str) -> Option<String> {
    let (name, value) = line.split_once(":=").or_else(|| line.split_once('=')).or_else(|| line.split_once(" is "))?;
    Some(format!("write: {}: {}", name.trim(), value.trim()))
}

/// Returns what to write instead of the name of a zone or a state that does not exist.
pub fn in_name(name: &str) -> Option<String> {
    if name.contains("][") {
        return Some(format!("several indices stand in one pair of brackets: `{}`", name.replace("][", ", ")));
    }
    let (zone, index) = name.split_once(' ')?;
    (is_number(index) && !zone.contains('[')).then(|| format!("an index stands in brackets: `{zone}[{index}]`"))
}

/// Returns how to write a number with separators. The comma of `1,000` ends a word.
pub fn in_number(words: &[Word]) -> Option<String> {
    let at = words.windows(2).position(|pair| {
        let [Word::Plain(high), Word::Plain(low)] = pair else { return false };
        is_number(high) && high.len() <= 3 && low.len() == 3 && is_number(low)
    })?;
    let digits = words[at..].iter().map(Word::text).take_while(|text| is_number(text)).collect::<String>();
    Some(format!("numbers are written without separators: `{digits}`"))
}

/// Returns how to write a card whose suit is a letter: `AS`, `10h`.
pub fn in_card(name: &str) -> Option<String> {
    let (at, letter) = name.char_indices().next_back()?;
    let suit = match letter.to_ascii_uppercase() {
        'S' => '♠',
        'H' => '♥',
        'D' => '♦',
        'C' => '♣',
        _ => return None,
    };
    let rank = name[..at].to_uppercase();
    let rank = if rank == "T" { "10" } else { &rank };
    let known = matches!(rank, "A" | "K" | "Q" | "J") || rank.parse().is_ok_and(|n: u8| (2..=10).contains(&n));
    known.then(|| format!("{rank}{suit}"))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}
