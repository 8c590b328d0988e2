//! `show`: how clients draw the table.

use super::expr::{Expr, Text};
use crate::span::{Name, Span};

/// One line of `show`.
#[derive(Clone, Debug)]
pub struct ShowLine {
    pub span: Span,
    pub kind: ShowKind,
}

#[derive(Clone, Debug)]
pub enum ShowKind {
    /// `badge letters: first letters letters of word`, `badge title "Judge" when judge`: a badge at each seat, with a
    /// text, a value or both. The subject of the expressions is the seat. [`BADGES`](crate::parse::BADGES) lists the
    /// kinds.
    Badge { kind: Name, label: Option<Text>, value: Option<Expr>, when: Option<Expr> },
    /// `seat safe when hand is empty`: a status word at each seat for which the condition holds; its subject is the
    /// seat
    Seat { status: Name, label: Option<Text>, when: Expr },
    /// `highlight SEL`
    Highlight { cards: Expr, when: Option<Expr> },
    /// `status "Round {round}"`, `status "…" when E`
    Status { text: Text, when: Option<Expr> },
    /// `counter "Pot": pot`, `counter "Pot": pot at pile`: a number or another value that lies on the cloth, perhaps
    /// beside a zone
    Counter { label: Text, value: Expr, at: Option<Name> },
    /// `theme cloth green, back weave, emblem "♠"`
    Theme(Vec<(Name, ThemeValue)>),
    /// `face cards: pips`, `face cards: number, title by value`: how clients draw the cards of a deck; then, indented,
    /// lines with titles: `1 "King"`
    Face { deck: Name, template: Name, by: Option<Name>, titles: Vec<(Expr, Text)> },
    /// `sign skull "☠"`: the sign of this value of an attribute, or of the cards of this name. A name of several words
    /// stands in quotes.
    Sign { word: Name, picture: Text },
    /// `name A "Ace"`, `name rank 3 "Three"`: how texts write this value of an attribute
    ValueName { attr: Option<Name>, value: Expr, title: Text },
    /// `zone trick: centre, large`: words for clients
    ZoneHint { zone: Name, words: Vec<Name> },
    /// `hint worth E`: how much bots should like their position; the subject is a player
    Hint(Expr),
}

#[derive(Clone, Debug)]
pub enum ThemeValue {
    Word(Name),
    Text(Text),
}
