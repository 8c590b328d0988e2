//! The list of lines that can tell somebody a hidden fact.

use super::Pc;
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// A line that can tell somebody a hidden fact.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedReveal {
    pub kind: RevealKind,
    pub span: Span,
    /// The op that tells it.
    pub pc: Pc,
    /// What becomes known, in words.
    pub what: String,
}

/// How a hidden fact becomes known. `baize check --reveals` lists the kinds in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RevealKind {
    /// A player answers.
    Answer,
    /// The rules announce a value, or let somebody read a text.
    Announced,
    /// Cards come into sight.
    Shown,
    /// The rules set a state that decides who sees something.
    Seers,
    /// A step lets viewers infer something about cards they do not see: how many there are, where they lay, or what
    /// decided which cards they are.
    Hidden,
}

impl RevealKind {
    pub const ALL: [RevealKind; 5] =
        [RevealKind::Answer, RevealKind::Announced, RevealKind::Shown, RevealKind::Seers, RevealKind::Hidden];

    /// Returns the heading above the reveals of this kind.
    pub fn title(self) -> &'static str {
        match self {
            RevealKind::Answer => "What players answer",
            RevealKind::Announced => "What is told",
            RevealKind::Shown => "Which cards come into sight",
            RevealKind::Seers => "Who sees something from here on",
            RevealKind::Hidden => "What can be noticed about hidden cards",
        }
    }
}
