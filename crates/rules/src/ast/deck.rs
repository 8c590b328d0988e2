//! `deck`: where cards come from, and the clauses that shape them.

use super::expr::{Expr, Text};
use crate::span::{Name, Span};

/// `deck NAME: SOURCE` with indented clauses.
#[derive(Clone, Debug)]
pub struct Deck {
    pub name: Name,
    pub source: DeckSource,
    pub clauses: Vec<DeckClause>,
}

#[derive(Clone, Debug)]
pub enum DeckSource {
    /// `deck cards: standard52`
    Standard52(Span),
    /// `deck answers: packs "answer"`: every card of that type in the chosen packs
    Packs(Text),
    /// `deck cards:`: all cards come from the clauses
    Custom,
}

#[derive(Clone, Debug)]
pub struct DeckClause {
    pub span: Span,
    pub kind: DeckClauseKind,
    /// `… when deck is joker`
    pub when: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum DeckClauseKind {
    /// `suits ♦ ♣ ♥ ♠`: the order of the suits of a standard deck
    Suits(Vec<Name>),
    /// `ranks 2..A` or `ranks A..K`: whether the ace is the highest or the lowest rank
    Ranks { low: Name, high: Name },
    /// `attribute value: 1..13` or `attribute colour: red green blue`
    Attribute { name: Name, values: AttrValues },
    /// `make value 1..12, colour red, 3 copies, called "Jester"`: a card for each combination of these values;
    /// attributes that the line does not name stay `none`. The number of copies may be an attribute: `value copies`.
    Make { values: Vec<(Name, AttrValues)>, copies: Option<Expr>, called: Option<Text> },
    /// `without Q♣`, `without A♠ K♠`
    Without(Vec<Expr>),
    /// `with 2 Joker` / `with Joker`: cards that have a name and no attributes
    With { count: Option<Expr>, name: Name },
    /// `copies 2`: the whole deck twice
    Copies(Expr),
}

#[derive(Clone, Debug)]
pub enum AttrValues {
    Range(Expr, Expr),
    Names(Vec<Name>),
    /// `any`
    Any(Span),
}
