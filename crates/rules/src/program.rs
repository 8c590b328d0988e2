//! Checked rules, ready to be played: what [`compile`](crate::compile) gives to the engine.
//!
//! A program depends neither on options and packs nor on the number of seats; the engine fills these in when it makes a
//! table. Every value is an `i32`:
//!
//! | type | encoding |
//! |---|---|
//! | number | itself |
//! | yes/no | 1, 0 |
//! | player | seat, counted from 0; [`NONE`] is `nobody` |
//! | card | card number; [`NONE`] is `none` |
//! | attribute with a range (`value: 1..13`) | the number itself; [`NONE_VALUE`] is `none` |
//! | attribute with names (`suit`, `rank`) | position in the declared order; [`NONE_VALUE`] is `none` |
//! | choice | position in the declared order |
//!
//! A type that has the same name as one of [`ast`](crate::ast) is the checked form of the same thing.

mod ask;
mod deck;
mod expr;
mod op;
mod option;
mod reveal;
mod show;
mod text;
mod var;
mod zone;

use crate::span::Span;
use serde::{Deserialize, Serialize};

pub use ask::{
    AbsentPolicy, Alternative, Ask, AskMode, DefaultMove, DefaultPick, Must, Part, PartKind, TimeLimit, TimeoutAction,
};
pub use deck::{Attr, AttrDomain, Deck, DeckOp};
pub use expr::{Arith, Cmp, Fold, Num, Seats, Selection, ZoneRef};
pub use op::{AnnounceKind, GameEnd, Hook, Op, Outcome, Phase, TogetherBlock};
pub use option::{OptionDecl, OptionValue, Preset};
pub use reveal::{ListedReveal, RevealKind};
pub use show::{Badge, Counter, Face, Highlight, Presentation, SeatStatus, StatusLine};
pub use text::{Text, TextPart, ValueFormat};
pub use var::{FaceWords, Type, Var, VarKind, VarRef};
pub use zone::{Dim, PlayerMemory, Shape, ViewerGroup, Visibility, VisibilityClause, Zone};

/// `nobody` and, where a card is expected, `none`.
pub const NONE: i32 = -1;
/// `none` where the value of an attribute is expected. It lies outside every range that a file can declare.
pub const NONE_VALUE: i32 = i32::MIN;
/// The engine keeps sets of seats in 32-bit masks.
pub const MAX_SEATS: usize = 32;
/// Index into [`Program::vars`].
pub type VarId = u32;
/// Index into [`Program::zones`].
pub type ZoneId = u16;
/// Index into [`Program::attrs`].
pub type AttrId = u16;
/// Index into [`Program::decks`].
pub type DeckId = u16;
/// Index into [`Program::options`].
pub type OptionId = u16;
/// Index into [`Program::tables`].
pub type TableId = u16;
/// Index into [`Program::asks`].
pub type AskId = u16;
/// Program counter: index into [`Program::code`].
pub type Pc = u32;
/// A variable that exists only while an expression or a legality test is evaluated: `q` in
/// `any player q where …`, or a part while the engine tests its candidates. No two of them share a number in a program.
/// Everything that lasts longer is a [`Var`].
pub type BoundId = u32;

/// The checked rules of one game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    pub meta: Meta,
    pub options: Vec<OptionDecl>,
    pub presets: Vec<Preset>,
    pub attrs: Vec<Attr>,
    pub decks: Vec<Deck>,
    /// Each condition must hold for a table to start; the text is the reason given otherwise. Conditions read options,
    /// sizes of decks and the number of players.
    pub requires: Vec<(Num, Text)>,
    pub zones: Vec<Zone>,
    /// Numbers that never change.
    #[serde(default)]
    pub tables: Vec<NumberTable>,
    /// State, dice and local variables.
    pub vars: Vec<Var>,
    /// How many [`BoundId`]s the program uses.
    pub bounds: u32,
    /// All ops: the course of the game, then the bodies of hooks.
    pub code: Vec<Op>,
    /// For each op of `code` where it stands in the source, so that the engine can name the line when a step runs out
    /// of fuel.
    pub spans: Vec<Span>,
    pub asks: Vec<Ask>,
    pub togethers: Vec<TogetherBlock>,
    pub phases: Vec<Phase>,
    /// `when p leaves`.
    pub on_leave: Option<Hook>,
    /// `when p joins`.
    pub on_join: Option<Hook>,
    pub show: Presentation,
    /// Every line that can tell somebody a hidden fact, for `baize check --reveals`.
    pub reveals: Vec<ListedReveal>,
}

/// Numbers that never change, one for each place from `low` on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberTable {
    pub low: i32,
    pub values: Vec<i32>,
    /// The value of a place that does not exist.
    pub none: i32,
}

impl NumberTable {
    #[inline]
    pub fn value(&self, at: i32) -> i32 {
        let at = i64::from(at) - i64::from(self.low);
        usize::try_from(at).ok().and_then(|at| self.values.get(at)).copied().unwrap_or(self.none)
    }
}

/// The newest version of the language. A file without a line `language` is read as this version.
pub const LANGUAGE: u16 = 1;

fn newest_language() -> u16 {
    LANGUAGE
}

/// What the head of the file says about the whole game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meta {
    pub title: String,
    pub about: String,
    /// The version of the language by which the file was checked.
    #[serde(default = "newest_language")]
    pub language: u16,
    /// A short explanation for people who have not played the game before.
    #[serde(default)]
    pub how_to_play: Vec<HowToLine>,
    pub notes: Vec<String>,
    pub min_players: u8,
    pub max_players: u8,
    pub start_when_full: bool,
    /// Whoever comes to a running table plays from the next `admit` on; otherwise they only watch.
    pub newcomers_play: bool,
    pub absent: AbsentPolicy,
    /// The table pauses while the host's connection is lost.
    pub host_absent_pauses: bool,
    /// A bot takes the seat of a player who leaves for good; otherwise the seat leaves the game.
    pub leavers_become_bots: bool,
    /// A player whose connection is lost for this many seconds leaves for good. `None`: they never do.
    pub grace: Option<u32>,
    /// The fewest and the most minutes that a game with default options usually takes.
    pub minutes: Option<(u16, u16)>,
    /// After this many moves the game ends with `limit_outcome`.
    pub limit: u32,
    pub limit_outcome: LimitOutcome,
}

/// A sentence of `how to play`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HowToLine {
    pub text: String,
    pub shows: Vec<Illustration>,
}

/// What a client draws beside a sentence of `how to play`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Illustration {
    Zone(ZoneId),
    /// The variable of the dice.
    Dice(VarId),
    /// The cards with this name.
    Named(String),
    /// A card with these values of attributes.
    Card(Vec<(AttrId, i32)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitOutcome {
    Void,
    Draw,
}

/// Returns a name of the rules as players read it: `draw_pile` becomes `Draw pile`.
pub fn capitalised(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut chars = spaced.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
