//! What the parser makes of a file: the shape of the text, nothing resolved yet.
//!
//! Every variant shows the spelling it comes from. `E` is an expression, `SEL` a
//! selection of cards (`hand[p]`, `trick where suit is led`), `BLOCK` an indented block.
//! Keywords are ordinary words that mean something only where the grammar expects them.

use crate::span::{Name, Span};

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// `game "Harvest"`
    pub title: Option<Text>,
    pub decls: Vec<Decl>,
    /// The statements at the left margin, in order: the course of the game.
    pub play: Vec<Stmt>,
}

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
    /// `players 2..8` or `players 4`
    Players { low: Expr, high: Expr },
    /// `start when full`
    StartWhenFull,
    /// `newcomers watch` | `newcomers play`
    Newcomers(Name),
    /// `absent wait` | `absent skip` | `absent default`
    Absent(Name),
    /// `host absent pause` | `host absent continue`
    HostAbsent(Name),
    /// `leavers become bots` | `leavers go`
    Leavers(Name),
    /// `grace 120 seconds`: a lost connection counts as leaving after this long.
    Grace(Expr),
    /// `limit 5000 moves, then void` | `then draw` : the outcome when a game goes on for ever.
    Limit { moves: Expr, then: Name },
    /// `require count of answers >= 7 * count of players, else "…"`: without this the game can't start.
    Require { cond: Expr, reason: Text },
    /// `deck cards: standard52` …
    Deck(Deck),
    /// `option rounds: 1..20 = 3` …
    Option(GameOption),
    /// `preset quick: word = "D", rounds = 1`
    Preset { name: Name, values: Vec<(Name, Expr)> },
    /// `zones` + one line a zone
    Zones(Vec<Zone>),
    /// `state` + one line a variable
    State(Vec<State>),
    /// `dice` + one line each, e.g. `die: faces 1..6, everyone sees`
    Dice(Vec<Dice>),
    /// `define led = suit of first card of trick`, `define open(g) = …`
    Define { name: Name, params: Vec<Name>, body: Expr },
    /// `rule lay_pairs(p)` + BLOCK: statements under a name, run with `do lay_pairs(q)`
    Rule { name: Name, params: Vec<Name>, body: Vec<Stmt> },
    /// `when p leaves` + BLOCK, `when p joins` + BLOCK
    When { seat: Name, event: Name, body: Vec<Stmt> },
    /// `show` + one line each
    Show(Vec<ShowLine>),
}

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
    /// `deck answers: packs "answer"`: every card of that type in the chosen packs.
    Packs(Text),
    /// `deck cards:` — everything comes from the clauses.
    Custom,
}

#[derive(Clone, Debug)]
pub struct DeckClause {
    pub span: Span,
    pub kind: DeckClauseKind,
    /// `… when deck is joker`: reads options only.
    pub when: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum DeckClauseKind {
    /// `suits ♦ ♣ ♥ ♠`: the order of the suits of a standard deck
    Suits(Vec<Name>),
    /// `ranks 2..A` or `ranks A..K`: which end the ace is at
    Ranks { low: Name, high: Name },
    /// `attribute value: 1..13` or `attribute colour: red green blue`
    Attribute { name: Name, values: AttrValues },
    /// `make value 1..12, colour red, 3 copies, called "Jester"`: the product of the values named;
    /// attributes not named stay `none`. `copies` may name an attribute: `value copies`.
    Make { values: Vec<(Name, AttrValues)>, copies: Option<Expr>, called: Option<Text> },
    /// `without Q♣`, `without A♠ K♠`
    Without(Vec<Expr>),
    /// `with 2 Joker` / `with Joker`: cards that have a name and no attributes
    With { count: Option<Expr>, name: Name },
    /// `copies 2`: the whole deck so often
    Copies(Expr),
}

#[derive(Clone, Debug)]
pub enum AttrValues {
    Range(Expr, Expr),
    Names(Vec<Name>),
    /// `any`
    Any(Span),
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

/// Types as written in options and state.
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
    /// `text 1..12` (bounds are lengths)
    Text(Expr, Expr),
    /// `rotate | winner | random`
    Choice(Vec<Name>),
    /// `suit`, `rank`, any attribute of a deck
    Attr(Name),
}

/// One line of `zones`: `hand[player]: owner sees cards, others see count, …`
#[derive(Clone, Debug)]
pub struct Zone {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub clauses: Vec<ZoneClause>,
}

/// What an indexed zone, state or dice line runs over.
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
    /// `everyone sees cards`, `owner sees cards`, `others see count`, `nobody sees`, `judge sees cards`,
    /// optionally `… when OPTION` or `… when STATE`; who: everyone | owner | others | nobody | a state of type player;
    /// what: cards | count | nothing
    Sees { who: Name, what: Option<Name>, when: Option<Expr> },
    /// `ordered`
    Ordered,
    /// `sorted by suit then rank` (how its viewer's own cards are laid out)
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
    /// `turned when not open`: drawn face down when the condition holds; the bare family index is implicit.
    Turned(Expr),
}

/// One line of `state`: `letters[player]: 0..12 = 0` with optional `, owner sees` (a sealed value),
/// `, role "Judge"`.
#[derive(Clone, Debug)]
pub struct State {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub ty: TypeExpr,
    pub default: Option<Expr>,
    /// `, owner sees`: only the seat it is indexed by knows it until it is revealed.
    pub sealed: Option<Span>,
    /// `, role "Judge"`: shown as a title on that seat; can be appointed by the lead.
    pub role: Option<Text>,
}

/// One line of `dice`: `die: faces 1..6`, `cup[player, 1..5]: faces 1..6, owner sees`.
#[derive(Clone, Debug)]
pub struct Dice {
    pub span: Span,
    pub name: Name,
    pub index: Vec<Index>,
    pub faces: (Expr, Expr),
    pub clauses: Vec<ZoneClause>,
}

/// One line of `show`: a word, then what that word takes.
#[derive(Clone, Debug)]
pub struct ShowLine {
    pub span: Span,
    pub kind: ShowKind,
}

#[derive(Clone, Debug)]
pub enum ShowKind {
    /// `badge letters: first letters letters of word` (seat badge; reads the seat as subject; kind: letters | score | title | count | mark),
    /// optionally `badge title "Judge" when judge`: `label` is the text; `value` an expression.
    Badge { kind: Name, label: Option<Text>, value: Option<Expr>, when: Option<Expr> },
    /// `seat safe when hand is empty` : a status word for a seat (`safe`, `out`, `passed`, …) with the subject implicit.
    Seat { status: Name, label: Option<Text>, when: Expr },
    /// `highlight SEL`
    Highlight { cards: Expr, when: Option<Expr> },
    /// `status "Round {round}"`, optional `when`
    Status { text: Text, when: Option<Expr> },
    /// `theme cloth green, back weave, emblem "♠"` (cloth: green blue red purple slate wood; back: weave dots waves rays plain)
    Theme(Vec<(Name, ThemeValue)>),
    /// `face cards: pips` | `number, title by value` | `text` | `prompt`: template for a deck, then
    /// indented `1 "King"` lines with the titles.
    Face { deck: Name, template: Name, by: Option<Name>, titles: Vec<(Expr, Text)> },
    /// `sign skull "☠"`: what is drawn on the cards that are called so, or of which this word is said. A name that is more than one word stands in quotes.
    Sign { word: Name, picture: Text },
    /// `zone trick: centre, large` general hints: word, word …
    ZoneHint { zone: Name, words: Vec<Name> },
    /// `hint worth E`: what is good to have, for bots (subject: a player). Optional, never needed.
    Hint(Expr),
}

#[derive(Clone, Debug)]
pub enum ThemeValue {
    Word(Name),
    Text(Text),
}

/// A text in quotes with `{E}` holes.
#[derive(Clone, Debug)]
pub struct Text {
    pub span: Span,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    Plain(String),
    Hole(Expr),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `x := E`, `x[p] += E`, `x[p] -= E`. A name that is not a state becomes a local.
    Assign { target: Expr, op: AssignOp, value: Expr },
    /// `if E` BLOCK { `else if E` BLOCK } [ `else` BLOCK ]
    If { arms: Vec<(Expr, Vec<Stmt>)>, otherwise: Option<Vec<Stmt>> },
    /// `repeat [until E] [, at most N times|rounds]` BLOCK, `repeat N times` BLOCK
    Repeat { until: Option<Expr>, at_most: Option<Expr>, body: Vec<Stmt> },
    /// `for p in players where …` BLOCK, `for i in 1..9` BLOCK, `for r in rank` BLOCK;
    /// `for i in 1..9 where …` has a `Domain` (with the same variable) as its domain
    For { var: Name, domain: Expr, body: Vec<Stmt> },
    /// `circle p from E [over players where …] [, stop when E]` BLOCK: each seat once, clockwise,
    /// membership tested when its turn comes
    Circle { var: Name, from: Expr, over: Option<Expr>, stop: Option<Expr>, body: Vec<Stmt> },
    /// `together p over players where …` BLOCK, closing clauses like those of `ask` (`within …`)
    Together { var: Name, over: Expr, body: Vec<Stmt>, clauses: Vec<AskClause> },
    /// `stop`: leave the innermost repeat or circle
    Stop,
    /// `again`: run the innermost circle's body once more for the same seat
    Again,
    /// `phase submit` or `phase submit "Choose your answers"`
    Phase { name: Name, title: Option<Text> },
    /// `move SEL to ZONE [face down]`, `move c to ZONE`
    Move { what: Expr, to: Expr, face_down: bool },
    /// `draw N from ZONE to ZONE [face down]`: takes from the top, as many as there are
    Draw { count: Expr, from: Expr, to: Expr, face_down: bool },
    /// `deal ZONE to FAMILY [N each] from E`: one at a time, clockwise; without N until none is left.
    /// `FAMILY` is a player-indexed zone, optionally `over players where …`
    Deal { from: Expr, to: Name, each: Option<Expr>, start: Expr, over: Option<Expr> },
    /// `pass FAMILY to PLAYER`: each player's cards go to the player named, all at once; the giver is `player` there
    Pass { what: Name, to: Expr },
    /// `gather DECK to ZONE`: every card of the deck, wherever it is
    Gather { deck: Name, to: Expr },
    /// `shuffle ZONE`
    Shuffle { zone: Expr },
    /// `mix submission, extra into shown`: each non-empty pile of the source families goes to a pile of the
    /// target family (which must remember players secretly), in random order; who it came from stays hidden
    Mix { from: Vec<Name>, to: Name },
    /// `turn SEL face up|down`
    Turn { what: Expr, down: bool },
    /// `roll die`, `roll five[i]`, `roll five where …` (subject: the index), `roll d` (dice that were picked)
    Roll { what: Expr },
    /// `clear five`, with the same words as `roll`: the dice show nothing until they are rolled again
    Clear { what: Expr },
    /// `announce "…" [as toast|shout|banner|log]`, `announce "…" as notice to p`
    Announce { text: Text, kind: Option<Name>, to: Option<Expr> },
    /// `reveal SEL [to p]`: shows cards where they are, once
    Reveal { what: Expr, to: Option<Expr> },
    /// `write t on c`: gives a blank card its text
    Write { text: Expr, card: Expr },
    /// `admit`: waiting newcomers take their seats here
    Admit,
    /// `do lay_pairs(p)`
    Do { name: Name, args: Vec<Expr> },
    /// `ask p "Play a card"` …
    Ask(Ask),
    /// `end OUTCOME [, "banner"]`
    End { outcome: Outcome, banner: Option<Text> },
    /// A line that did not parse; the error is already reported.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    Set,
    Add,
    Sub,
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
    /// `ask all p over E`: sealed; the bodies run, in seat order, when every answer is in
    All { var: Name, over: Expr },
    /// `ask first p over E`: the first answer wins; an alternative called `pass` only withdraws
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
    /// `if none`: offered only when nothing else is legal.
    pub if_none: bool,
    pub musts: Vec<Must>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub span: Span,
    pub var: Name,
    pub kind: PartKind,
    /// `… where E`: candidates must satisfy this (no reason given); the part's variable is in scope,
    /// and the candidate is the subject. A `where` in a part is always this filter (also after
    /// `player q from players`); only in brackets does it belong to the selection.
    pub filter: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum PartKind {
    /// `card c from SEL`
    Card(Expr),
    /// `unseen c from ZONE`: a face-down card, by position
    Unseen(Expr),
    /// `2 cards cs from SEL [in order]`, `1..3 cards cs from SEL`, `pick cards cs from hand[p] in order`
    Cards { low: Expr, high: Option<Expr>, from: Expr, ordered: bool },
    /// `set s from SEL alike in value [, wild value is 13 [alone 1]] [, size E | size A..B]`
    Alike { from: Expr, attr: Name, wild: Option<Expr>, alone: Option<Expr>, size: Option<(Expr, Option<Expr>)> },
    /// `run s from SEL in rank within suit [, size E | size A..B]`
    Run { from: Expr, attr: Name, within: Option<Name>, size: Option<(Expr, Option<Expr>)> },
    /// `number n from 1..6`
    Number { low: Expr, high: Expr },
    /// `pile g from piles`: an index of a zone family, chosen by touching the pile
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
    /// `dice d from five`: any subset of the dice (positions)
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
    /// `within E seconds` followed by `default` | `pause` | `skip` on the line, or a BLOCK
    Within { seconds: Expr, then: ClauseAction },
    /// `absent wait` | `absent skip` | `absent default`, or `absent 30 seconds` + BLOCK (or a word)
    Absent { seconds: Option<Expr>, then: ClauseAction },
    /// `gone default` | `gone skip`: what becomes of the decision when its chooser leaves for good
    Gone(Name),
    /// `drop when E`: tested after every input; the decision is dropped when it holds
    DropWhen(Expr),
}

#[derive(Clone, Debug)]
pub enum ClauseAction {
    Word(Name),
    Block(Vec<Stmt>),
}

#[derive(Clone, Debug)]
pub enum DefaultPick {
    Lowest(Name),
    Highest(Name),
    Random,
    First,
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
    /// `end ranking by E highest|lowest first`: E reads a player as subject
    Ranking { by: Expr, highest_first: bool },
    /// `end everyone wins`
    EveryoneWins,
    /// `end everyone loses`
    EveryoneLoses,
    /// `end draw`
    Draw,
    /// `end void`
    Void,
}

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
    /// `nobody` (no player), `none` (no card, no value)
    Nobody,
    None,
    /// `A♠`, `10♥`: rank and suit as written
    Card {
        rank: String,
        suit: char,
    },
    /// `♠`
    Suit(char),
    /// A name on its own: local, state, zone, option, define, attribute (of the subject), value of an attribute or choice, `lead`.
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
    /// `SEL where E`: the subject is each card in turn
    Where {
        base: Box<Expr>,
        cond: Box<Expr>,
    },
    /// `players [q] [where E]`
    Players {
        var: Option<Name>,
        cond: Option<Box<Expr>>,
    },
    /// `i in 1..9 [where E]`, `r in rank [where E]`: only inside count / any / no / for
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
    /// `any player [q] [where E]`, `no player …`, `any i in 1..9 where E`, `no i in …` (domain is Players or Domain)
    AnyOf {
        negated: bool,
        domain: Box<Expr>,
    },
    /// `first card of SEL`, `last card of SEL`
    EndCard {
        last: bool,
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
    /// `random player [q] [where E]`
    RandomPlayer {
        var: Option<Name>,
        cond: Option<Box<Expr>>,
    },
    /// `sum|max|min of E over DOMAIN` (DOMAIN: `player q where …`, `players where …`, `card c in SEL
    /// where …`, `i in 1..5`)
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
    /// `E is empty`, `p is present`, `p is playing`, `p is person`
    IsA {
        arg: Box<Expr>,
        what: Name,
        negated: bool,
    },
    /// Did not parse; reported already.
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
    /// Numbers; between selections of cards: union
    Add,
    /// Numbers; between selections of cards: those not in the right one
    Sub,
    Mul,
    /// Rounds towards zero.
    Div,
    Mod,
}

impl BinaryOp {
    /// `is`, `<` and their like.
    pub fn compares(self) -> bool {
        use BinaryOp::{Greater, GreaterEq, Is, IsNot, Less, LessEq};
        matches!(self, Is | IsNot | Less | LessEq | Greater | GreaterEq)
    }
}
