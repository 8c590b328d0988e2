//! What the parser makes of a file: the shape of the text, before any name is looked up.
//!
//! Every variant shows its spelling. `E` is an expression, `SEL` a selection of cards (`hand[p]`, `trick where suit is
//! led`), `BLOCK` an indented block; what stands in `[ ]` may be left out. Most keywords are ordinary words that mean
//! something only where the grammar expects them; [`RESERVED`](crate::parse::RESERVED) lists the others.

mod deck;
mod decl;
mod expr;
mod show;
mod stmt;
mod types;
mod zone;

pub use deck::{AttrValues, Deck, DeckClause, DeckClauseKind, DeckSource};
pub use decl::{Decl, DeclKind, GameOption, HowToLine, Illustration, IllustrationKind, TableEntry};
pub use expr::{BinaryOp, Expr, ExprKind, FoldOp, Text, TextPart, UnaryOp};
pub use show::{ShowKind, ShowLine, ThemeValue};
pub use stmt::{
    Alternative, Ask, AskClause, AskClauseKind, AskMode, AssignOp, ClauseAction, DefaultPick, Must, Outcome, Part,
    PartKind, RankingKey, Stmt, StmtKind,
};
pub use types::{TypeExpr, TypeKind};
pub use zone::{Dice, DiceFaces, Index, State, Zone, ZoneClause, ZoneClauseKind};

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// `game "Harvest"`
    pub title: Option<Text>,
    pub decls: Vec<Decl>,
    /// The statements at the left margin, in order: the course of the game.
    pub play: Vec<Stmt>,
}
