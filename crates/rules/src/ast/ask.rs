//! `ask`: who decides, between which alternatives, and what happens if nobody answers.

use super::expr::{Expr, Text};
use super::stmt::Stmt;
use crate::span::{Name, Span};

/// `ask p "Prompt"`, `ask all p over players where … "Prompt"`, `ask first p over … "Prompt"`.
#[derive(Clone, Debug)]
pub struct Ask {
    pub span: Span,
    pub mode: AskMode,
    pub prompt: Option<Text>,
    pub alternatives: Vec<Alternative>,
    pub clauses: Vec<AskClause>,
}

#[derive(Clone, Debug)]
pub enum AskMode {
    /// `ask E`
    One(Expr),
    /// `ask all p over E`: answers stay secret until all have answered; then the bodies run in the order of seats
    All { var: Name, over: Expr },
    /// `ask first p over E`: the first answer wins; whoever answers `pass` is no longer asked
    First { var: Name, over: Expr },
}

/// `play ["Label"]: part, part [when E] [if none]` then, indented, `must` lines and the body.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub span: Span,
    pub name: Name,
    pub label: Option<Text>,
    pub parts: Vec<Part>,
    pub when: Option<Expr>,
    /// `if none`: the alternative is offered only when no other is legal.
    pub if_none: bool,
    pub musts: Vec<Must>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub span: Span,
    pub var: Name,
    pub kind: PartKind,
    /// `… where E`: candidates must satisfy this. The part's variable is in scope, and the candidate is the subject. A
    /// `where` in a part is always this filter, even after `player q from players`; only inside brackets it belongs to
    /// the selection.
    pub filter: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum PartKind {
    /// `card c from SEL`
    Card(Expr),
    /// `unseen c from ZONE`: a card that the player sees only from the back, by its position
    Unseen(Expr),
    /// `2 cards cs from SEL [in order]`, `1..3 cards cs from SEL`; the number can be any amount:
    /// `pick cards cs from hand[p]`
    Cards { low: Expr, high: Option<Expr>, from: Expr, ordered: bool },
    /// `set s from SEL alike in value [, wild value is 13 [alone 1]] [, size E | size A..B]`
    Alike { from: Expr, attr: Name, wild: Option<Expr>, alone: Option<Expr>, size: Option<(Expr, Option<Expr>)> },
    /// `run s from SEL in rank within suit [, size E | size A..B]`
    Run { from: Expr, attr: Name, within: Option<Name>, size: Option<(Expr, Option<Expr>)> },
    /// `number n from 1..6`
    Number { low: Expr, high: Expr },
    /// `pile g from piles`: one zone of a family; the variable holds its index
    Pile(Name),
    /// `player q from players where …`
    Player(Expr),
    /// `value s from suit`: a value of an attribute
    Value(Name),
    /// `choice x from higher | lower`
    Choice(Vec<Name>),
    /// `yesno b`
    YesNo,
    /// `text t at most 120 letters`
    Text(Expr),
    /// `dice d from five`: any of the dice, or none
    Dice(Name),
}

/// `must E [if able] [when E], else "reason"`
#[derive(Clone, Debug)]
pub struct Must {
    pub span: Span,
    pub cond: Expr,
    pub if_able: bool,
    pub when: Option<Expr>,
    pub reason: Text,
}

#[derive(Clone, Debug)]
pub struct AskClause {
    pub span: Span,
    pub kind: AskClauseKind,
}

#[derive(Clone, Debug)]
pub enum AskClauseKind {
    /// `default pass`, `default play lowest rank`, `default play random`, `default play first`
    Default { alternative: Name, pick: Option<DefaultPick> },
    /// `within E seconds default` | `… pause` | `… skip`, or `within E seconds` + BLOCK
    Within { seconds: Expr, then: ClauseAction },
    /// `absent wait` | `absent skip` | `absent default`, or `absent 30 seconds` + BLOCK
    Absent { seconds: Option<Expr>, then: ClauseAction },
    /// `gone default` | `gone skip`: what happens to the decision when its chooser leaves for good
    Gone(Name),
    /// `drop when E`: the decision is dropped when this holds after an input
    DropWhen(Expr),
}

/// What a clause of `ask` leads to: `default`, `skip` …, or steps.
#[derive(Clone, Debug)]
pub enum ClauseAction {
    Word(Name),
    Block(Vec<Stmt>),
}

/// Which of the legal cards `default play …` takes.
#[derive(Clone, Debug)]
pub enum DefaultPick {
    Lowest(Name),
    Highest(Name),
    Random,
    First,
}
