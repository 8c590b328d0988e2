//! Expressions and texts.

use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i64),
    /// `"text {x}"`
    Text(Text),
    /// `yes`, `no`
    YesNo(bool),
    /// `nobody`: no player
    Nobody,
    /// `none`: no card, no value
    None,
    /// `A♠`, `10♥`
    Card {
        rank: String,
        suit: char,
    },
    /// `♠`
    Suit(char),
    /// A bare name: a local variable, state, zone, option, define, attribute of the subject, value of an attribute or
    /// of a choice, or `lead`
    Name(String),
    /// `hand[p]`, `cup[p, 2]`
    Index {
        name: Name,
        args: Vec<Expr>,
    },
    /// `beats(c, d)`
    Call {
        name: Name,
        args: Vec<Expr>,
    },
    /// `suit of c`, `value of s`, `player of c`, `length of word`, `text of c`, `face of d`
    Of {
        name: Name,
        arg: Box<Expr>,
    },
    /// `count of SEL`, `count of players where …`, `count of i in 1..9 where …`
    Count(Box<Expr>),
    /// `SEL where E`: the subject of E is a card
    Where {
        base: Box<Expr>,
        cond: Box<Expr>,
    },
    /// `players [q] [where E]`
    Players {
        var: Option<Name>,
        cond: Option<Box<Expr>>,
    },
    /// `i in 1..9 [where E]`, `r in rank [where E]`: only after `count of`, `any`, `no`, `over` and `for`
    Domain {
        var: Name,
        range: Box<Expr>,
        cond: Option<Box<Expr>>,
    },
    /// `1..9`
    Range(Box<Expr>, Box<Expr>),
    /// `any card [c] in SEL [where E]`, `no card …`
    AnyCard {
        negated: bool,
        var: Option<Name>,
        base: Box<Expr>,
        cond: Option<Box<Expr>>,
    },
    /// `any player [q] [where E]`, `no player …`, `any i in 1..9 where E`, `no i in …`. The domain is
    /// [`ExprKind::Players`] or [`ExprKind::Domain`].
    AnyOf {
        negated: bool,
        domain: Box<Expr>,
    },
    /// `first card of SEL`, `last card of SEL`
    EndCard {
        last: bool,
        base: Box<Expr>,
    },
    /// `card N of SEL`: counted from the first, which is number 1
    NthCard {
        place: Box<Expr>,
        base: Box<Expr>,
    },
    /// `first N cards of SEL`, `last N cards of SEL`
    EndCards {
        last: bool,
        count: Box<Expr>,
        base: Box<Expr>,
    },
    /// `first N letters of T`
    Letters {
        count: Box<Expr>,
        text: Box<Expr>,
    },
    /// `highest card of SEL by rank`, `lowest card of SEL by rank`
    BestCard {
        highest: bool,
        base: Box<Expr>,
        by: Name,
    },
    /// `random card of SEL`
    RandomCard(Box<Expr>),
    /// `sets of 2 alike in rank of SEL`: as many disjoint groups of that size as there are
    SetsOf {
        size: Box<Expr>,
        attr: Name,
        base: Box<Expr>,
    },
    /// `first player [q] [from E] [where E]`
    FirstPlayer {
        var: Option<Name>,
        from: Option<Box<Expr>>,
        cond: Option<Box<Expr>>,
    },
    /// `next player [q] after E [where E]`, `previous player [q] before E [where E]`
    NextPlayer {
        back: bool,
        var: Option<Name>,
        after: Box<Expr>,
        cond: Option<Box<Expr>>,
    },
    /// `next rank after r`, `previous rank before r`, with `wrapping` also from the last value to the first
    NextValue {
        back: bool,
        attr: Name,
        after: Box<Expr>,
        wrapping: bool,
    },
    /// `random player [q] [where E]`
    RandomPlayer {
        var: Option<Name>,
        cond: Option<Box<Expr>>,
    },
    /// `sum|max|min of E over DOMAIN`, where DOMAIN is `player q where …`, `players where …`, `card c in SEL where …`
    /// or `i in 1..5`
    Fold {
        op: FoldOp,
        value: Box<Expr>,
        over: Box<Expr>,
    },
    /// `card c in SEL [where E]`: only as the domain of a fold
    CardDomain {
        var: Name,
        base: Box<Expr>,
        cond: Option<Box<Expr>>,
    },
    /// `if A then B else C`
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `reveal E [to p]`
    Reveal {
        what: Box<Expr>,
        to: Option<Box<Expr>>,
    },
    Unary {
        op: UnaryOp,
        arg: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `E is empty`, `p is present`, `p is playing`, `p is person`, `c is face up`, `c is face down`
    IsA {
        arg: Box<Expr>,
        what: Name,
        negated: bool,
    },
    /// A value that the parser could not read and has reported.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldOp {
    Sum,
    Max,
    Min,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    /// `is`
    Is,
    /// `is not`
    IsNot,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    /// `c in hand[p]`
    In,
    /// `c not in hand[p]`
    NotIn,
    /// Adds numbers; joins selections of cards.
    Add,
    /// Subtracts numbers; of two selections of cards takes those that are only in the left one.
    Sub,
    Mul,
    /// Rounds towards zero.
    Div,
    Mod,
    /// `2 ^ n`
    Power,
}

impl BinaryOp {
    /// Whether this is `is`, `is not`, `<`, `<=`, `>` or `>=`.
    pub fn compares(self) -> bool {
        use BinaryOp::{Greater, GreaterEq, Is, IsNot, Less, LessEq};
        matches!(self, Is | IsNot | Less | LessEq | Greater | GreaterEq)
    }
}

/// A text in quotes, with holes: `"{E}"`.
#[derive(Clone, Debug)]
pub struct Text {
    pub span: Span,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    Plain(String),
    Hole(Expr),
    /// `{n card|cards}`: a number, and the word that fits it
    Counted {
        number: Expr,
        one: String,
        several: String,
    },
}
