//! Types, as options and state spell them.

use super::expr::Expr;
use crate::span::{Name, Span};

/// A type as options and state spell it.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub span: Span,
    pub kind: TypeKind,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `0..12`
    Range(Expr, Expr),
    /// `yes/no`
    YesNo,
    /// `player`
    Player,
    /// `seconds 0..300`
    Seconds(Expr, Expr),
    /// `text 1..12`: the bounds are lengths
    Text(Expr, Expr),
    /// `rotate | winner | random`
    Choice(Vec<Name>),
    /// `suit`, `rank`, any attribute of a deck
    Attr(Name),
}
