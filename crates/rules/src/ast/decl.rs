//! Declarations: the lines above the course of the game.

use super::deck::Deck;
use super::expr::{Expr, Text};
use super::show::ShowLine;
use super::stmt::Stmt;
use super::types::TypeExpr;
use super::zone::{Dice, Index, State, Zone};
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub struct Decl {
    pub span: Span,
    pub kind: DeclKind,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    /// `about "One sentence."`
    About(Text),
    /// `note "A ruling the players can read."` (any number of them)
    Note(Text),
    /// `language 1`: the version of the language that the file is written in
    Language(Expr),
    /// `how to play` + one line for each step of a short explanation
    HowToPlay(Vec<HowToLine>),
    /// `players 2..8` or `players 4`
    Players { low: Expr, high: Expr },
    /// `start when full`
    StartWhenFull,
    /// `lasts 10..20 minutes` or `lasts 15 minutes`
    Lasts { low: Expr, high: Expr },
    /// `newcomers watch` | `newcomers play`
    Newcomers(Name),
    /// `absent wait` | `absent skip` | `absent default`
    Absent(Name),
    /// `host absent pause` | `host absent continue`
    HostAbsent(Name),
    /// `leavers become bots` | `leavers go`
    Leavers(Name),
    /// `grace 120 seconds`: a player whose connection is lost for this long leaves for good
    Grace(Expr),
    /// `limit 5000 moves, then void` | `… then draw`: the outcome of a game that lasts too long
    Limit { moves: Expr, then: Name },
    /// `require count of answers >= 7 * count of players, else "…"`: the game starts only if this holds
    Require { cond: Expr, reason: Text },
    /// `deck cards: standard52` …
    Deck(Deck),
    /// `option rounds: 1..20 = 3` …
    Option(GameOption),
    /// `preset quick: word = "D", rounds = 1`
    Preset { name: Name, values: Vec<(Name, Expr)> },
    /// `table worth[rank]: A = 11, K = 4, else 0`, `table step[1..3]: 1, 3, 6`: numbers that never change
    Table { name: Name, index: Index, entries: Vec<TableEntry>, otherwise: Option<Expr> },
    /// `zones` + one line for each zone
    Zones(Vec<Zone>),
    /// `state` + one line for each variable
    State(Vec<State>),
    /// `dice` + one line for each, such as `die: faces 1..6, everyone sees`
    Dice(Vec<Dice>),
    /// `define led = suit of first card of trick`, `define open(g) = …`
    Define { name: Name, params: Vec<Name>, body: Expr },
    /// `rule lay_pairs(p)` + BLOCK: statements under a name, run with `do lay_pairs(q)`
    Rule { name: Name, params: Vec<Name>, body: Vec<Stmt> },
    /// `when p leaves` + BLOCK, `when p joins` + BLOCK
    When { seat: Name, event: Name, body: Vec<Stmt> },
    /// `show` + lines
    Show(Vec<ShowLine>),
}

/// `option NAME: TYPE = DEFAULT`, then indented: a title text, and `value "text"` lines.
#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: Name,
    pub ty: TypeExpr,
    pub default: Expr,
    pub title: Option<Text>,
    pub values: Vec<(Name, Text)>,
}

/// `"Follow suit if you can." shows trick`: a sentence, and what to draw beside it.
#[derive(Clone, Debug)]
pub struct HowToLine {
    pub span: Span,
    pub text: Text,
    pub shows: Vec<Illustration>,
}

/// What a line of `how to play` shows.
#[derive(Clone, Debug)]
pub struct Illustration {
    pub span: Span,
    pub kind: IllustrationKind,
}

#[derive(Clone, Debug)]
pub enum IllustrationKind {
    /// `Q♠`
    Card { rank: String, suit: char },
    /// `trick`, `five`, `Joker` or `"Short hedge"`: a zone, dice or the cards of a name
    Named(String),
    /// `value 12`, `suit coins rank 7`: a card with these values of attributes
    Values(Vec<(Name, Name)>),
}

/// `A = 11`, `2..9 = 0`, or a number alone for the next place.
#[derive(Clone, Debug)]
pub struct TableEntry {
    pub span: Span,
    pub key: Option<(Name, Option<Name>)>,
    pub value: Expr,
}
