//! Statements: the steps of the course of the game. `ask` is here, too, because its alternatives contain statements.

use super::expr::{Expr, Text};
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `x := E`, `x[p] += E`, `x[p] -= E`. A name that is no state becomes a local variable.
    Assign { target: Expr, op: AssignOp, value: Expr },
    /// `if E` BLOCK { `else if E` BLOCK } [ `else` BLOCK ]
    If { arms: Vec<(Expr, Vec<Stmt>)>, otherwise: Option<Vec<Stmt>> },
    /// `repeat [until E] [, at most N times|rounds]` BLOCK, `repeat N times` BLOCK
    Repeat { until: Option<Expr>, at_most: Option<Expr>, body: Vec<Stmt> },
    /// `for p in players where …` BLOCK, `for i in 1..9` BLOCK, `for r in rank` BLOCK. The domain of
    /// `for i in 1..9 where …` is an [`ExprKind::Domain`](super::expr::ExprKind::Domain) with the same variable.
    For { var: Name, domain: Expr, body: Vec<Stmt> },
    /// `circle p from E [over players where …] [, stop when E]` BLOCK: each seat once, clockwise. Whether a seat takes
    /// part is tested when its turn comes.
    Circle { var: Name, from: Expr, over: Option<Expr>, stop: Option<Expr>, body: Vec<Stmt> },
    /// `together p over players where …` BLOCK; the block may end with clauses of `ask` (`within …`)
    Together { var: Name, over: Expr, body: Vec<Stmt>, clauses: Vec<AskClause> },
    /// `stop`: leaves the innermost `repeat` or `circle`
    Stop,
    /// `again`: runs the body of the innermost `circle` once more for the same seat
    Again,
    /// `phase submit` or `phase submit "Choose your answers"`
    Phase { name: Name, title: Option<Text> },
    /// `move SEL to ZONE [face down]`, `move c to ZONE`
    Move { what: Expr, to: Expr, face_down: bool },
    /// `draw N from ZONE to ZONE [face down]`: takes from the top, as many as there are
    Draw { count: Expr, from: Expr, to: Expr, face_down: bool },
    /// `deal ZONE to FAMILY [N each] from E [over players where …]`: one card at a time, clockwise; without N until no
    /// card is left. `FAMILY` is a zone with a player as its index.
    Deal { from: Expr, to: Name, each: Option<Expr>, start: Expr, over: Option<Expr> },
    /// `pass FAMILY to PLAYER`: each player's cards go to this player, all at the same time; in `PLAYER` the word
    /// `player` means the giver
    Pass { what: Name, to: Expr },
    /// `gather DECK to ZONE`: every card of the deck, wherever it is
    Gather { deck: Name, to: Expr },
    /// `shuffle ZONE`
    Shuffle { zone: Expr },
    /// `mix submission, extra into shown`: each non-empty zone of the source families goes, as one pile, to a zone of
    /// the target family, in random order. The target remembers players secretly, so that nobody learns whose pile it
    /// is.
    Mix { from: Vec<Name>, to: Name },
    /// `turn SEL face up|down`
    Turn { what: Expr, down: bool },
    /// `roll die`, `roll five[i]`, `roll five where …` (the subject is the index), `roll d` (dice that a player picked)
    Roll { what: Expr },
    /// `clear five`, with the same forms as `roll`: the dice show nothing until they are rolled again
    Clear { what: Expr },
    /// `announce "…" [as toast|shout|banner|log]`, `announce "…" as notice to p`
    Announce { text: Text, kind: Option<Name>, to: Option<Expr> },
    /// `reveal SEL [to p]`: shows cards where they are, once
    Reveal { what: Expr, to: Option<Expr> },
    /// `write t on c`: writes a text on a blank card
    Write { text: Expr, card: Expr },
    /// `admit`: newcomers who wait take their seats
    Admit,
    /// `do lay_pairs(p)`
    Do { name: Name, args: Vec<Expr> },
    /// `ask p "Play a card"` …
    Ask(Ask),
    /// `end OUTCOME [, "banner"]`
    End { outcome: Outcome, banner: Option<Text> },
    /// A line that the parser could not read and has reported.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Sub,
}

/// `score highest first`: a value by which players are ranked
#[derive(Clone, Debug)]
pub struct RankingKey {
    pub by: Expr,
    pub highest_first: bool,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    /// `end winner E`
    Winner(Expr),
    /// `end winners players where E`
    Winners(Expr),
    /// `end loser E`
    Loser(Expr),
    /// `end losers players where E`
    Losers(Expr),
    /// `end ranking by E highest|lowest first, then E highest|lowest first`: the subject of each E is a player; a later
    /// one decides between players who are equal in all before it
    Ranking(Vec<RankingKey>),
    /// `end everyone wins`
    EveryoneWins,
    /// `end everyone loses`
    EveryoneLoses,
    /// `end everyone scores E out of E`: a result that all players share
    EveryoneScores { score: Expr, most: Expr },
    /// `end draw`
    Draw,
    /// `end void`
    Void,
}

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
