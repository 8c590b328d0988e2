//! Checked rules, ready to be played: what `compile` hands to the engine.
//!
//! A program is still independent of options, packs and the number of seats; the engine
//! folds those in when a table is made. Every value is an `i32`:
//!
//! | type | encoding |
//! |---|---|
//! | number | itself |
//! | yes/no | 1, 0 |
//! | player | seat, 0-based; [`NONE`] is `nobody` |
//! | card | card number; [`NONE`] is `none` |
//! | attribute with a range (`value: 1..13`) | the number itself; [`NONE_VALUE`] is `none` |
//! | attribute with names (`suit`, `rank`) | position in the declared order; [`NONE_VALUE`] is `none` |
//! | choice | position in the declared order |

use crate::span::Span;
use serde::{Deserialize, Serialize};

pub const NONE: i32 = -1;
pub const NONE_VALUE: i32 = i32::MIN;
/// Seats are kept in 32-bit masks.
pub const MAX_SEATS: usize = 32;

/// Index into [`Program::vars`].
pub type VarId = u32;
/// Index into [`Program::zones`].
pub type ZoneId = u16;
pub type AttrId = u16;
pub type DeckId = u16;
pub type OptionId = u16;
pub type AskId = u16;
/// Index into [`Program::code`].
pub type Pc = u32;
/// A variable that lives only while an expression or a legality test is evaluated
/// (`q` in `any player q where …`, a part while its candidates are tested). Unique in the program.
pub type BoundId = u32;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    pub meta: Meta,
    pub options: Vec<OptionDecl>,
    pub presets: Vec<Preset>,
    pub attrs: Vec<Attr>,
    pub decks: Vec<Deck>,
    /// What must hold for a table to start (reads options, sizes of decks, the number of players), and the reason to give.
    pub requires: Vec<(Num, Text)>,
    pub zones: Vec<Zone>,
    /// State, dice and locals alike.
    pub vars: Vec<Var>,
    /// Number of [`BoundId`]s used.
    pub bounds: u32,
    pub code: Vec<Op>,
    /// For each op the place in the source it comes from (to name the line when a budget runs out).
    pub spans: Vec<Span>,
    pub asks: Vec<Ask>,
    pub togethers: Vec<TogetherBlock>,
    pub phases: Vec<Phase>,
    /// `when p leaves`: atomic, ends at `Op::Return`; the seat is in the var.
    pub on_leave: Option<Hook>,
    pub on_join: Option<Hook>,
    pub show: Presentation,
    /// Every place where something hidden becomes known, for `check --reveals`.
    pub reveals: Vec<RevealSite>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meta {
    pub title: String,
    pub about: String,
    pub notes: Vec<String>,
    pub min_players: u8,
    pub max_players: u8,
    pub start_when_full: bool,
    /// Newcomers to a running table play (from the next `admit`) or only watch.
    pub newcomers_play: bool,
    pub absent: AbsentPolicy,
    /// The host's lost connection pauses the table.
    pub host_absent_pauses: bool,
    /// A seat whose player leaves for good is taken by a bot; otherwise it leaves the game.
    pub leavers_become_bots: bool,
    /// Seconds after which a lost connection counts as leaving.
    pub grace: Option<u32>,
    /// Moves after which the game ends with `limit_outcome`.
    pub limit: u32,
    pub limit_outcome: LimitOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitOutcome {
    Void,
    Draw,
}

/// What happens when the chooser of a decision is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AbsentPolicy {
    Wait,
    /// The decision is dropped at once.
    Skip,
    /// Its default is taken at once.
    Default,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptionDecl {
    pub name: String,
    pub title: String,
    pub ty: Type,
    pub default: OptionValue,
    /// For choices: a text for each value ("" if none was given).
    pub value_titles: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionValue {
    Number(i32),
    Text(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Preset {
    pub name: String,
    pub values: Vec<(OptionId, OptionValue)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    Number {
        low: i32,
        high: i32,
    },
    Seconds {
        low: i32,
        high: i32,
    },
    YesNo,
    Player,
    Card,
    Attr(AttrId),
    Choice(Vec<String>),
    /// Length bounds. Only options and `text` parts.
    Text {
        low: i32,
        high: i32,
    },
    /// A selection of cards (only parts that pick several).
    Cards,
    /// A subset of dice, as a bit mask of positions (only `dice` parts).
    DiceSet,
}

/// An attribute of cards. `none` is possible for cards that do not have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attr {
    pub name: String,
    pub values: AttrDomain,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttrDomain {
    Range {
        low: i32,
        high: i32,
    },
    /// In ascending order.
    Names(Vec<String>),
    /// A number property of pack cards (`pick`), 0 when absent.
    Property,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deck {
    pub name: String,
    /// `packs "answer"`: the type of card to take from the chosen packs.
    pub pack_type: Option<String>,
    /// How to make the cards, in order; `without` removes from what was made before it.
    pub make: Vec<DeckOp>,
    /// The whole deck this often (reads options).
    pub copies: Num,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DeckOp {
    /// The product of the listed values (last attribute varies fastest).
    Product {
        /// Each attribute with the values it takes.
        values: Vec<(AttrId, Vec<i32>)>,
        /// May read the card's own attributes through [`Num::CardAttr`] of `Bound(card)`.
        card: BoundId,
        copies: Num,
        called: Option<String>,
        when: Option<Num>,
    },
    /// Remove cards equal in these attributes.
    Without { values: Vec<(AttrId, i32)>, when: Option<Num> },
    /// Cards with a name and no attributes.
    Named { name: String, count: Num, when: Option<Num> },
}

/// What one group of viewers sees of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Visibility {
    Nothing,
    Count,
    Cards,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Zone {
    pub name: String,
    pub title: Option<String>,
    pub dims: Vec<Dim>,
    pub sees: Vec<SeesClause>,
    pub ordered: bool,
    /// Display order for those who see the cards.
    pub sorted: Vec<AttrId>,
    pub remembers: PlayerMemory,
    pub holds: Option<Num>,
    pub starts_with: Option<DeckId>,
    pub shape: Shape,
    /// Drawn face down while this holds; reads the instance's index through the bounds.
    pub turned: Option<(Vec<BoundId>, Num)>,
    pub hints: Vec<String>,
    pub span: Span,
}

/// A clause of a zone's visibility; the last one that applies to a viewer decides; the default is count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeesClause {
    pub who: ViewerGroup,
    pub what: Visibility,
    /// Reads options only, or is one yes/no state.
    pub when: Option<Num>,
    pub span: Span,
}

/// Whom a clause is about. `docs/language.md` has the same as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewerGroup {
    /// Every seat, and spectators.
    Everyone,
    /// Every seat.
    Players,
    Spectators,
    /// The seat of the first player index.
    Owner,
    /// Every seat but the owner, and spectators.
    Others,
    /// The seat a state variable names.
    Role(VarId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlayerMemory {
    None,
    /// Each card keeps the seat that brought it here: the chooser of the decision whose body moved it, or,
    /// outside a decision, the owner of the zone it came from. Public.
    Public,
    /// The same, known to nobody until revealed.
    Secret,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// None was given; the client infers one.
    Auto,
    Fan,
    Pile,
    Row,
    Grid {
        columns: u8,
        rows: u8,
    },
    TowardsPlayer,
    Slots,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dim {
    Player,
    Range { low: i32, high: i32 },
    Attr(AttrId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Var {
    pub name: String,
    pub kind: VarKind,
    pub dims: Vec<Dim>,
    pub ty: Type,
    /// Initial value of every element (state). Reads options only.
    pub default: Num,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum VarKind {
    /// Public state, shown in views.
    State { role: Option<String> },
    /// State only the seat of its first index knows until revealed.
    Sealed,
    /// Dice; 0 until first rolled. Numbers low..=high.
    Dice { low: i32, high: i32, sees: Vec<SeesClause> },
    /// A statement-level local (loop variable, chosen part). Never shown. One that names a card is known to those who see
    /// the card.
    Local,
    /// A local that everyone knows, also if it names a card that lies out of sight by now.
    PublicLocal,
    /// A local that holds what one player was told. In nobody's sight.
    SecretLocal,
    /// The same, one for each seat: locals of a `together` block and parts of `ask all`.
    /// `Num::Var` reads the element of `Num::Me`.
    SeatLocal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    /// Towards zero; by zero gives 0.
    Div,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fold {
    Sum,
    /// Of an empty domain: 0.
    Max,
    Min,
    Count,
    Any,
}

/// A value. Pure: reads the table, changes nothing. Arithmetic saturates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Num {
    Const(i32),
    Option(OptionId),
    /// Length of a text option, in characters.
    OptionLength(OptionId),
    /// A variable without index (or the `Me` element of a SeatLocal).
    Var(VarId),
    /// An element of an indexed variable; out of range reads as 0 / nobody.
    At(VarId, Vec<Num>),
    Bound(BoundId),
    /// The seat whose decision, `together` thread or `ask all` body is being evaluated.
    Me,
    /// The seat that runs the table now.
    Lead,
    /// How many seat slots there are.
    SeatCount,
    Neg(Box<Num>),
    Not(Box<Num>),
    And(Box<Num>, Box<Num>),
    Or(Box<Num>, Box<Num>),
    Arith(Arith, Box<Num>, Box<Num>),
    /// With NONE_VALUE on either side every order comparison is false; Eq and Ne compare plainly.
    Cmp(Cmp, Box<Num>, Box<Num>),
    If(Box<Num>, Box<Num>, Box<Num>),
    Count(Selection),
    IsEmpty(Selection),
    /// `c in SEL`
    Holds(Selection, Box<Num>),
    /// Attribute of a card; NONE_VALUE for no card.
    CardAttr(AttrId, Box<Num>),
    /// 1 if the card comes from this deck.
    CardDeck(DeckId, Box<Num>),
    /// 1 if the card has this name (`Joker`, `called "Jester"`).
    CardNamed(String, Box<Num>),
    /// The card of a deck with these attributes (`A♠`), the first of its copies; NONE if the deck has none.
    CardLiteral(DeckId, Vec<(AttrId, i32)>),
    /// 1 if the card equals the literal in all these attributes and deck (so that every copy counts).
    CardMatches(DeckId, Vec<(AttrId, i32)>, Box<Num>),
    /// 1 if blanks: the card is a pack card without text, to be written on.
    CardBlank(Box<Num>),
    /// The remembered player of a card; NONE if none.
    PlayerOf(Box<Num>),
    /// First (earliest) or last (newest) card of a selection, in the order of its zone; NONE when empty.
    End {
        last: bool,
        of: Selection,
    },
    /// Ties: the earliest in zone order, or the lowest card number. Cards without the attribute count lowest.
    Best {
        highest: bool,
        of: Selection,
        by: AttrId,
    },
    /// A fold over seats that are in (`players`), with the seat in `bound`.
    OverSeats {
        op: Fold,
        bound: BoundId,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// A fold over the cards of a selection.
    OverCards {
        op: Fold,
        bound: BoundId,
        of: Selection,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// A fold over low..=high.
    OverRange {
        op: Fold,
        bound: BoundId,
        low: Box<Num>,
        high: Box<Num>,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// First seat that is in and satisfies cond, looking clockwise from `from` inclusive; NONE if there is none.
    FirstSeat {
        bound: BoundId,
        from: Box<Num>,
        cond: Option<Box<Num>>,
    },
    /// The same starting after `after`, going all the way round to `after` itself last. `after` NONE starts at seat 0.
    NextSeat {
        bound: BoundId,
        after: Box<Num>,
        back: bool,
        cond: Option<Box<Num>>,
    },
    SeatPresent(Box<Num>),
    SeatPlaying(Box<Num>),
    SeatPerson(Box<Num>),
    /// Number of bits in a chosen subset of dice.
    DiceCount(Box<Num>),
    /// 1 if position (first dice = 0) is in a chosen subset.
    DiceHas(Box<Num>, Box<Num>),
}

/// A selection of cards. Order matters to `End`, `Num::End`, ordered moves; else it is a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Selection {
    Zone(ZoneRef),
    /// All instances of an indexed zone.
    Family(ZoneId),
    /// All the cards of a deck, wherever they are.
    Deck(DeckId),
    /// A part that picked several cards, in the order picked (statement level).
    Picked(VarId),
    /// The same while legality is tested.
    Bound(BoundId),
    One(Box<Num>),
    Where {
        of: Box<Selection>,
        bound: BoundId,
        cond: Box<Num>,
    },
    Union(Box<Selection>, Box<Selection>),
    Minus(Box<Selection>, Box<Selection>),
    /// The first / last n in zone order.
    Ends {
        last: bool,
        count: Box<Num>,
        of: Box<Selection>,
    },
    /// As many disjoint groups of `size` cards alike in `attr` as there are (cards without it never group);
    /// lowest card numbers first.
    SetsOf {
        size: Box<Num>,
        attr: AttrId,
        of: Box<Selection>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ZoneRef {
    pub zone: ZoneId,
    pub index: Vec<Num>,
}

/// Seats that are in and satisfy the condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seats {
    pub bound: BoundId,
    pub cond: Option<Num>,
}

/// Where a value is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VarRef {
    pub var: VarId,
    /// Empty for plain variables (SeatLocals take the element of `Me`). Out of range: nothing is stored.
    pub index: Vec<Num>,
}

/// One step of the program. Control falls through to the next unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// Values are clamped to the range of the variable's type.
    Set(VarRef, Num),
    Add(VarRef, Num),
    Jump(Pc),
    /// Jump when the value is 0.
    Unless(Num, Pc),
    /// Once round the table from `start` inclusive (NONE: seat 0), each seat once, membership (`players` and cond with the
    /// seat in `member.bound`) tested when its turn comes. `step` counts seats looked at (set to 0 before the loop).
    /// Puts the seat in `seat`, or jumps to `exit` when the round is done.
    Circle {
        start: VarId,
        step: VarId,
        seat: VarId,
        member: Seats,
        exit: Pc,
    },
    /// `var` runs over low..=high; `var` is set to low - 1 before the loop.
    CountTo {
        var: VarId,
        high: Num,
        exit: Pc,
    },
    /// Cards keep their relative order (of a zone, or as picked). To an ordered zone: on top. `at` names the place in the source for reveals.
    Move {
        what: Selection,
        to: ZoneRef,
        face_down: bool,
    },
    /// From the top of an ordered zone (unordered: lowest card number first), as many as there are.
    Draw {
        count: Num,
        from: ZoneRef,
        to: ZoneRef,
        face_down: bool,
    },
    /// Round-robin from the top of `from` to instances of `to`, starting at seat `start`, over `seats`; `each` none: until empty.
    Deal {
        from: ZoneRef,
        to: ZoneId,
        each: Option<Num>,
        start: Num,
        seats: Seats,
    },
    /// What lies in each player's instance of `zone` goes to that of the player `to` names (the giver is in `bound`), all at
    /// once; to nobody: it stays.
    Pass {
        zone: ZoneId,
        bound: BoundId,
        to: Num,
    },
    /// A `repeat until …, at most …` was stopped by its bound. Nothing happens.
    RanOut,
    /// All cards of a deck, wherever they are, in card-number order; also turns them face up and forgets remembered players.
    Gather {
        deck: DeckId,
        to: ZoneRef,
    },
    Shuffle(ZoneRef),
    /// Each non-empty instance of the `from` families (and plain zones) becomes one pile of the family `to` (indexed by a range),
    /// in random order, filling it from the lowest index; excess piles stay where they are. The owner is remembered for each card (NONE for plain zones).
    Mix {
        from: Vec<ZoneId>,
        to: ZoneId,
    },
    Turn {
        what: Selection,
        down: bool,
    },
    /// Rolls these dice: all elements that match the index prefix (an empty index: all), where cond holds with the indices
    /// that are left in its bounds. With `clear` they show nothing instead.
    Roll {
        dice: VarId,
        index: Vec<Num>,
        cond: Option<(Vec<BoundId>, Num)>,
        clear: bool,
    },
    /// A random seat among those (NONE if there is none), by the table's fair chance.
    RandomSeat {
        to: VarId,
        among: Seats,
    },
    RandomCard {
        to: VarId,
        among: Selection,
    },
    Announce {
        text: Text,
        kind: AnnounceKind,
        to: Option<Num>,
    },
    /// Evaluates the value, stores it and tells it to everyone, or to one seat.
    RevealValue {
        to_var: VarId,
        value: Num,
        show: ValueFormat,
        to: Option<Num>,
        site: u16,
    },
    /// Shows cards where they lie, to everyone or to one seat, once.
    RevealCards {
        what: Selection,
        to: Option<Num>,
        site: u16,
    },
    /// Gives a blank card the text chosen in a text part.
    Write {
        text: VarId,
        card: Num,
    },
    Phase(u16),
    Admit,
    /// Opens a decision and waits. Continues at the alternative's body, or at `Ask::after`.
    Ask(AskId),
    /// `ask all`: takes the next buffered answer in seat order, loads its parts, sets `Me`, goes to its body; falls through when there are no more.
    NextAnswer(AskId),
    /// Starts a thread per seat at the body and waits until all are done; then goes to `after`.
    Together(u16),
    /// The end of a together thread.
    ThreadEnd,
    /// The end of a hook.
    Return,
    End(Box<GameEnd>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnnounceKind {
    Toast,
    Shout,
    Banner,
    Notice,
    /// Only in the session log.
    Log,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameEnd {
    pub outcome: Outcome,
    pub banner: Option<Text>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// One seat, whether it is still in the game or not.
    Winner(Num),
    Loser(Num),
    Winners(Seats),
    Losers(Seats),
    /// Rank 1 is best; equal values share a rank.
    Ranking {
        bound: BoundId,
        by: Num,
        highest_first: bool,
    },
    EveryoneWins,
    EveryoneLoses,
    Draw,
    Void,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ask {
    pub mode: AskMode,
    pub prompt: Option<Text>,
    /// The prompt reads nothing but public facts, so others may see it too.
    pub prompt_public: bool,
    pub alternatives: Vec<Alternative>,
    /// Which move is made when the chooser can't or doesn't. Without: the first legal one, alternatives in order.
    pub default: Option<DefaultMove>,
    pub within: Option<TimeLimit>,
    pub absent: AbsentPolicy,
    /// After the chooser has been absent this many seconds, control goes to the pc (the decision closes).
    pub absent_after: Option<(Num, Pc)>,
    /// When the chooser leaves for good: take the default (else the decision is dropped).
    pub gone_default: bool,
    /// Tested (with `Me`) after every input while open; dropped when it holds.
    pub drop_when: Option<Num>,
    /// Where control goes when the decision is dropped; also where bodies end up.
    pub after: Pc,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AskMode {
    One(Num),
    /// Sealed: answers are kept until all are in.
    All(Seats),
    /// First answer wins; an alternative named `pass` withdraws. While the first op of the body runs, `Me` is the seat that answered.
    First(Seats),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DefaultMove {
    pub alternative: u16,
    pub pick: DefaultPick,
}

/// Which candidate of the first part the default takes (later parts: first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefaultPick {
    First,
    Lowest(AttrId),
    Highest(AttrId),
    /// By the table's fair chance.
    Random,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimeLimit {
    /// 0 means no clock.
    pub seconds: Num,
    pub then: TimeoutAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeoutAction {
    /// Every chooser who has not answered takes the default.
    Default,
    /// Every chooser who has not answered is dropped.
    Skip,
    /// The table pauses; the decision stays open.
    Pause,
    /// The decision closes and control goes here.
    Goto(Pc),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alternative {
    pub name: String,
    /// Without: the name, capitalised.
    pub label: Option<Text>,
    pub parts: Vec<Part>,
    pub when: Option<Num>,
    /// Offered only when no other alternative is legal.
    pub if_none: bool,
    pub musts: Vec<Must>,
    pub body: Pc,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub name: String,
    /// Holds the candidate while legality is tested (also in later parts and musts).
    pub bound: BoundId,
    /// Where the chosen value goes before the body runs.
    pub var: VarId,
    pub kind: PartKind,
    /// Candidates must satisfy this.
    pub filter: Option<Num>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PartKind {
    Card(Selection),
    /// By position in zone order; the chooser sees only backs. The chosen var holds the card.
    Unseen(ZoneRef),
    /// low..=high different cards; in order: the order picked matters.
    Cards {
        low: Num,
        high: Num,
        from: Selection,
        ordered: bool,
    },
    /// Cards alike in attr, wilds mixed in; enumerated over kinds, never over the power set.
    /// `value` receives the common value (of wilds alone: `alone`).
    Alike {
        from: Selection,
        attr: AttrId,
        /// Which cards are wild (condition on the bound card).
        wild: Option<(BoundId, Num)>,
        /// Value of a set of wilds alone; without it such sets have value none.
        alone: Option<Num>,
        low: Num,
        high: Num,
        value: (BoundId, VarId),
    },
    /// Consecutive values of attr, all equal in `within`; `value` receives the lowest.
    Run {
        from: Selection,
        attr: AttrId,
        within: Option<AttrId>,
        low: Num,
        high: Num,
        value: (BoundId, VarId),
    },
    Number {
        low: Num,
        high: Num,
    },
    /// An index of a zone family (its single dimension).
    Pile(ZoneId),
    Player(Seats),
    Value(AttrId),
    Choice(Vec<String>),
    YesNo,
    /// At most this many characters, at least one.
    Text(Num),
    /// Any subset of these dice (bit mask of positions), the empty one too.
    Dice(VarId, Vec<Num>),
}

/// A rule on the parts. `if_able`: ignored when it would leave nothing. Evaluated in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Must {
    pub cond: Num,
    pub if_able: bool,
    pub when: Option<Num>,
    pub reason: Text,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TogetherBlock {
    pub over: Seats,
    pub body: Pc,
    pub after: Pc,
    pub within: Option<TimeLimit>,
    pub absent: AbsentPolicy,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hook {
    pub seat: VarId,
    pub body: Pc,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Phase {
    pub name: String,
    pub title: String,
}

/// A text with holes; made only from what its reader may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TextPart {
    Plain(String),
    Value(Num, ValueFormat),
    Option(OptionId),
    /// The first n letters of a text option.
    Letters(Num, OptionId),
    /// Several cards, one after another.
    Cards(Selection),
    /// The text of a pack card.
    CardText(Num),
    /// The prompt card's text with its blanks filled by these cards.
    Filled {
        prompt: Num,
        answers: Selection,
    },
    If(Num, Text, Text),
}

/// How a value is written out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueFormat {
    Number,
    YesNo,
    /// The seat's name.
    Player,
    Card,
    Attr(AttrId),
    Choice(Vec<String>),
}

/// Presentation, all of it optional.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Presentation {
    pub badges: Vec<Badge>,
    pub seats: Vec<SeatStatus>,
    pub highlights: Vec<Highlight>,
    pub status: Vec<StatusLine>,
    pub faces: Vec<Face>,
    /// What is drawn for a word of an attribute, or for cards of this name.
    #[serde(default)]
    pub signs: Vec<(String, String)>,
    pub theme: Vec<(String, String)>,
    /// What is good to have, for bots: (seat, worth).
    pub hint: Option<(BoundId, Num)>,
}

/// Shown at a seat. Public. The seat is in `seat`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Badge {
    pub kind: String,
    pub seat: BoundId,
    pub label: Option<Text>,
    pub value: Option<Text>,
    pub when: Option<Num>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatStatus {
    pub status: String,
    pub label: Option<Text>,
    pub seat: BoundId,
    pub when: Num,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Highlight {
    pub cards: Selection,
    pub when: Option<Num>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StatusLine {
    pub text: Text,
    pub when: Option<Num>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Face {
    pub deck: DeckId,
    /// pips | number | text | prompt | die
    pub template: String,
    pub by: Option<AttrId>,
    /// Titles for values of `by`.
    pub titles: Vec<(i32, String)>,
}

/// What kind of thing becomes known; the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RevealKind {
    /// What players answer.
    Answer,
    /// A value that is told.
    Told,
    /// Cards that come into sight.
    Shown,
    /// Who sees something is set.
    Seers,
    /// How many hidden cards there are, where they lay, what decided which they are.
    Hidden,
}

impl RevealKind {
    pub const ALL: [RevealKind; 5] =
        [RevealKind::Answer, RevealKind::Told, RevealKind::Shown, RevealKind::Seers, RevealKind::Hidden];

    /// What stands above such places in a list.
    pub fn title(self) -> &'static str {
        match self {
            RevealKind::Answer => "What players answer",
            RevealKind::Told => "What is told",
            RevealKind::Shown => "Which cards come into sight",
            RevealKind::Seers => "Who sees something from here on",
            RevealKind::Hidden => "What can be noticed about hidden cards",
        }
    }
}

/// A place where something hidden becomes known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RevealSite {
    pub kind: RevealKind,
    pub span: Span,
    /// The op that does it.
    pub pc: Pc,
    pub what: String,
}

/// How a name of the rules is written for players: `draw_pile` is `Draw pile`.
pub fn capitalised(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut chars = spaced.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
