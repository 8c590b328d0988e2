//! `zones`, `state` and `dice`: one line for each, with an index and clauses.

use super::expr::{Expr, Text};
use super::types::TypeExpr;
use crate::span::{Name, Span};

/// One line of `zones`: `hand[player]: owner sees cards, others see count, …`
#[derive(Clone, Debug)]
pub struct Zone {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub clauses: Vec<ZoneClause>,
}

/// One dimension of an indexed zone, state or dice.
#[derive(Clone, Debug)]
pub enum Index {
    /// `[player]`
    Player(Span),
    /// `[1..9]`
    Range(Expr, Expr),
    /// `[suit]`
    Attr(Name),
}

#[derive(Clone, Debug)]
pub struct ZoneClause {
    pub span: Span,
    pub kind: ZoneClauseKind,
}

#[derive(Clone, Debug)]
pub enum ZoneClauseKind {
    /// `everyone sees cards`, `owner sees cards`, `others see count`, `nobody sees`, `judge sees cards`, each perhaps
    /// with `… when OPTION` or `… when STATE`. `who` is everyone, players, spectators, owner, others, nobody or a state
    /// of type player; `what` is cards, count or nothing.
    Sees { who: Name, what: Option<Name>, when: Option<Expr> },
    /// `ordered`
    Ordered,
    /// `sorted by suit then rank`: how a client sorts the cards for those who see them
    Sorted(Vec<Name>),
    /// `remembers player` or `remembers player secretly`
    Remembers { secretly: bool },
    /// `holds at most 9`
    Holds(Expr),
    /// `starts with cards`
    Starts(Name),
    /// `as fan`, `as pile`, `as row`, `as grid 3x3`, `as towards player`, `as slots`
    As { shape: Name, args: Vec<Expr> },
    /// `titled "Discards"`
    Titled(Text),
    /// `turned when not open`: clients draw the cards face down while the condition holds. A bare name of an indexed
    /// state means the element with the index of the zone.
    Turned(Expr),
}

/// One line of `state`: `letters[player]: 0..12 = 0`, `judge: player, role "Judge"`.
#[derive(Clone, Debug)]
pub struct State {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub ty: TypeExpr,
    pub default: Option<Expr>,
    /// `, owner sees`: only the player of the first index knows the value until the rules reveal it.
    pub sealed: Option<Span>,
    /// `, role "Judge"`: clients show this title at the player's seat.
    pub role: Option<Text>,
}

/// One line of `dice`: `die: faces 1..6`, `cup[player, 1..5]: faces 1..6, owner sees`, `pool[1..4]: faces hit hit miss`.
#[derive(Clone, Debug)]
pub struct Dice {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub faces: DiceFaces,
    pub clauses: Vec<ZoneClause>,
}

#[derive(Clone, Debug)]
pub enum DiceFaces {
    /// `faces 1..6`
    Numbers(Expr, Expr),
    /// `faces hit hit miss`: a word for each side
    Words(Vec<Name>),
}
