//! Packs and cards after the import.

use std::collections::BTreeMap;

use crate::limits;

/// The deck whose cards have blanks and pick answers.
pub const PROMPT: &str = "prompt";
/// The deck whose cards fill blanks.
pub const ANSWER: &str = "answer";

/// A named set of cards. The packs that [`parse`](crate::parse) returns obey all rules of this crate. The fields are
/// public because a pack is data, and an operator's tool may rename one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// Lower-case letters, digits, hyphens and underscores. Unique within a file, but not between files.
    pub id: String,
    pub name: String,
    pub description: String,
    /// Whether the operator of the server vouches for the pack.
    pub official: bool,
    /// Cards by deck name, in the order of the file. The map is sorted, so that equal packs are written as equal text.
    pub decks: BTreeMap<String, Vec<Card>>,
}

/// A card: its text, and the whole numbers that a game reads from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub text: String,
    /// A prompt always has its `pick` here, even if the file omits it.
    pub numbers: BTreeMap<String, i64>,
}

impl Pack {
    /// The cards of one deck; none if the pack has no such deck.
    pub fn deck(&self, name: &str) -> &[Card] {
        self.decks.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn prompts(&self) -> &[Card] {
        self.deck(PROMPT)
    }

    pub fn answers(&self) -> &[Card] {
        self.deck(ANSWER)
    }

    /// How many cards there are in all decks.
    pub fn len(&self) -> usize {
        self.decks.values().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.decks.values().all(Vec::is_empty)
    }

    /// The decks in the order for people: prompts, answers, then the others by name.
    pub(crate) fn decks_for_reading(&self) -> Vec<(&str, &[Card])> {
        let mut decks: Vec<_> = self.decks.iter().map(|(name, cards)| (name.as_str(), cards.as_slice())).collect();
        decks.sort_by_key(|(name, _)| (*name != PROMPT, *name != ANSWER, *name));
        decks
    }
}

impl Card {
    /// How many answers this card takes. None for a card that is not a prompt.
    pub fn pick(&self) -> Option<usize> {
        self.number("pick").and_then(|pick| usize::try_from(pick).ok())
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }
}

/// Makes an id from a name: `The 2nd Box!` gives `the-2nd-box`. A name without Latin letters and digits gives `pack`.
pub(crate) fn slug(name: &str) -> String {
    let mut id = String::new();
    for c in name.chars() {
        if id.len() >= limits::WORD_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            id.push(c.to_ascii_lowercase());
        } else if !matches!(c, '\'' | '’') && !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let id = id.trim_end_matches('-');
    if id.is_empty() { "pack".into() } else { id.into() }
}

/// Whether a text can be an id, a deck's name or the name of a number, which appear in rules files, links and column
/// headings.
pub(crate) fn is_word(word: &str) -> bool {
    word.len() <= limits::WORD_CHARS
        && word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_from_names() {
        for (name, id) in [
            ("House", "house"),
            ("  The 2nd Box!  ", "the-2nd-box"),
            ("Nan’s & Grandad's", "nans-grandads"),
            ("東京", "pack"),
            ("---", "pack"),
            ("", "pack"),
        ] {
            assert_eq!(slug(name), id, "{name:?}");
            assert!(is_word(id));
        }
        assert!(is_word(&slug(&"long name ".repeat(20))));
    }

    #[test]
    fn is_word_accepts_only_plain_words() {
        for good in ["prompt", "a", "2nd-box", "snake_case"] {
            assert!(is_word(good), "{good:?}");
        }
        for bad in ["", "Prompt", "-a", "_a", "a b", "é", "a/b"] {
            assert!(!is_word(bad), "{bad:?}");
        }
    }
}
