//! Messages about a file: a pack, or the rules of a game.

use serde::{Deserialize, Serialize};

/// An error or a warning about a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The place in the file: `row 3`, `cards.prompt[2]`, `line 4, column 7`.
    pub at: String,
    pub message: String,
    pub hint: String,
    /// The line of the file that the message is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// A warning: the file can be used all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warning: bool,
}

/// A line of a file with a part of it underlined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    pub line: String,
    /// The underlined characters: from `from` up to, but not including, `to`, counted from 0.
    pub from: u32,
    pub to: u32,
    /// The note under the underlined part; may be empty.
    pub label: String,
}
