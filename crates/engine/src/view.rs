//! What one viewer may see: the only thing clients, logs, errors and bots are made from.
//!
//! A view is plain data. A batch of [`Event`]s turns one view into the next (`reduce.rs`), and the
//! browser's reducer does the same; shared vectors hold both to the same law.
//! Card handles come from a per-viewer counter, never from the card.
//!
//! The form is JSON, with absent fields left out; it is not meant for formats that cannot skip a field.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Viewer {
    Seat(u8),
    Spectator,
    /// Sees all zones, sealed values and secrets: for the log, from which replays are shown once the table has ended. Not to be sent to
    /// anybody before that.
    Replay,
}

/// A per-viewer name for a card that viewer can see or point at.
pub type Handle = u32;
/// Index into the catalogue of faces that a client fetches once.
pub type FaceId = u16;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The seat that looks; none for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Number of batches applied so far.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<u8>,
    /// Moves are refused until the table is resumed.
    pub paused: bool,
    /// What everyone sees alike is kept once for all viewers of a table; hence the `Arc`s.
    pub seats: Arc<Vec<SeatView>>,
    pub zones: Vec<ZoneView>,
    pub values: Vec<ValueView>,
    pub dice: Vec<DiceView>,
    /// Handles of highlighted cards, ascending.
    pub highlights: Vec<Handle>,
    /// The table's status lines.
    pub status: Arc<Vec<Line>>,
    /// Who is being waited for (with the prompt, where everyone may know it).
    pub waiting: Arc<Vec<Waiting>>,
    /// What this viewer is asked, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Arc<DecisionView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeView>,
}

/// A text whose seats and cards are still named by number, so that the reader's side can write names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    Text(String),
    Seat(u8),
    Face(FaceId),
    /// Text that a player wrote (a blank card): shown as text, marked as theirs.
    Written(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    pub playing: bool,
    pub present: bool,
    pub person: bool,
    /// A newcomer waiting for the next `admit`.
    pub pending: bool,
    /// This seat has an open decision.
    pub turn: bool,
    /// Seldom change, and are then made anew; hence the `Arc`s.
    pub badges: Arc<Vec<BadgeView>>,
    pub status: Arc<Vec<Status>>,
}

/// A word about a seat such as `out` or `safe`, and how the rules want it put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub word: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadgeView {
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Line>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Line>,
}

/// One instance of a zone. Which zone and which index is in the layout (see `Definition`), by position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneView {
    pub content: Content,
    /// To be drawn face down although its cards are known.
    pub turned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// In display order.
    Cards(Vec<CardView>),
    Count(u32),
    /// This viewer may not even know how many there are.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardView {
    pub handle: Handle,
    /// None: face down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<FaceId>,
    /// The text of a card somebody wrote on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Box<str>>,
    /// Who brought it here, where the zone remembers that publicly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<u8>,
}

/// A public state variable (or a sealed one this viewer knows), all elements in index order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueView {
    /// None where this viewer does not know the element.
    pub values: Vec<Option<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceView {
    /// Face numbers; 0 not rolled yet; none: hidden from this viewer.
    pub faces: Vec<Option<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub seat: u8,
    pub decision: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Line>,
    /// The clock that runs, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A clock; the server knows since when it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The decision it belongs to (of several that run together: one id for all).
    pub decision: u32,
    pub seconds: u32,
}

/// The open decision of this viewer's seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionView {
    pub id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Line>,
    pub alternatives: Vec<AlternativeView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlternativeView {
    pub name: String,
    pub label: Line,
    /// Index to quote in the move.
    pub index: u16,
    /// False: shown dimmed; nothing of it can be chosen now.
    pub legal: bool,
    pub parts: Vec<PartView>,
    /// With two parts or more, when not every combination of the parts' options is legal:
    /// the legal ones as positions into each part's `options`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combinations: Option<Vec<Vec<u16>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartView {
    pub name: String,
    pub kind: PartKindView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKindView {
    /// One card; `blocked` are cards of the same source that may not be chosen, with the reason.
    Card {
        options: Vec<Handle>,
        blocked: Vec<Blocked>,
    },
    /// A face-down card of a zone instance (position in the layout), by position 0..count.
    Unseen {
        zone: u16,
        count: u32,
    },
    /// Between low and high different cards of these, `ordered` or not. Legal are all such picks.
    Cards {
        low: u32,
        high: u32,
        options: Vec<Handle>,
        ordered: bool,
    },
    /// Sets by pattern: each option is one legal set, shown by representative cards; any cards with the same faces will do.
    Sets {
        options: Vec<Vec<Handle>>,
    },
    /// From low to high; of these only some, if `only` is there.
    Number {
        low: i32,
        high: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<i32>>,
    },
    /// Zone instances (positions in the layout), with the index value each stands for.
    Pile {
        options: Vec<(i32, u16)>,
    },
    Player {
        options: Vec<u8>,
    },
    /// Values of an attribute or of a choice, with how to write them.
    Value {
        options: Vec<(i32, String)>,
    },
    Yesno {
        options: Vec<i32>,
    },
    Text {
        most: u32,
    },
    /// A subset of `count` dice, from element `first` on, as a bit mask; any, or one of `only`.
    Dice {
        dice: u16,
        first: u16,
        count: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<i32>>,
    },
}

/// A card that may not be chosen, and why, if the rules say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    pub handle: Handle,
    /// Most cards are blocked for the same reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<Line>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// How it ended: `winners`, `losers`, `ranking`, `everyone-wins`, `everyone-loses`, `draw`, `void`.
    pub kind: String,
    pub winners: Vec<u8>,
    pub losers: Vec<u8>,
    /// For each seat its rank (1 is best), none if it was not playing at the end.
    pub ranks: Vec<Option<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banner: Option<Line>,
    /// Of a void game: where in the source the rules went wrong (a byte offset), if they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<u32>,
}

/// One primitive change. A batch is what one move or input caused.
///
/// Zones are named by their position in the layout. A zone of which this viewer sees nothing is never named:
/// its side of a move is none, and a move between two such zones is not told at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// `count` cards went from one zone instance to another. `gone` leave the source and `came` enter the target,
    /// each where its cards are shown (then there are `count` of them); where only a count is shown, that changes.
    /// A card shown on both sides keeps its handle, so that it can be seen to travel.
    Moved {
        from: Option<u16>,
        to: Option<u16>,
        count: u32,
        gone: Vec<Handle>,
        came: Vec<Placed>,
    },
    /// The whole content of a zone instance, where it can't be said more simply (a shuffle in sight, new handles, a new sort).
    Zone {
        zone: u16,
        view: ZoneView,
    },
    /// Cards that stay where they are look different now (turned, written on). Same handles, same places.
    Cards {
        zone: u16,
        cards: Vec<CardView>,
    },
    /// The whole zone is now drawn face down, or no longer.
    Turned {
        zone: u16,
        turned: bool,
    },
    /// Cards were shuffled here (for the animation; where cards are shown, `Zone` follows with new handles).
    Shuffled {
        zone: u16,
    },
    Value {
        var: u16,
        element: u16,
        value: Option<i32>,
    },
    Dice {
        dice: u16,
        element: u16,
        face: Option<i32>,
    },
    /// These dice were thrown (for the animation).
    Rolled {
        dice: u16,
        elements: Vec<u16>,
    },
    Phase {
        phase: Option<String>,
    },
    Lead {
        seat: Option<u8>,
    },
    Paused {
        paused: bool,
    },
    /// A seat is taken, left, present … or no longer: all of it.
    Seat {
        seat: u8,
        view: SeatView,
    },
    /// The seat wears other badges, from this place on; those before it stay.
    Badges {
        seat: u8,
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u16,
        badges: Arc<Vec<BadgeView>>,
    },
    /// The badge at this place has another value, or none.
    Badge {
        seat: u8,
        at: u16,
        value: Option<Line>,
    },
    /// Other words stand at the seat.
    Marks {
        seat: u8,
        status: Arc<Vec<Status>>,
    },
    Highlights {
        handles: Vec<Handle>,
    },
    /// Other lines, from this place on; those before it stay.
    Status {
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u16,
        lines: Arc<Vec<Line>>,
    },
    /// Who is waited for now. Whose turn it is (`SeatView::turn`) follows from it and is not told again.
    Waiting {
        waiting: Arc<Vec<Waiting>>,
    },
    Decision {
        decision: Option<Arc<DecisionView>>,
    },
    Announced {
        text: Line,
        kind: String,
    },
    /// Something hidden was told: in words, or cards shown where they lie.
    Revealed {
        text: Option<Line>,
        zone: Option<u16>,
        faces: Vec<FaceId>,
    },
    Outcome {
        // Boxed: there is one in a game, and every other event would be as large.
        outcome: Box<OutcomeView>,
    },
}

/// From the first place on is all of it, and replays have always said so without a word.
fn is_zero(from: &u16) -> bool {
    *from == 0
}

/// A card that enters a zone. Insertions are made in the order given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// Position among the target's cards.
    pub at: u32,
    pub card: CardView,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub seq: u64,
    pub cause: Cause,
    pub events: Vec<Event>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    Start,
    /// A seat answered (what it answered is in the events, as far as this viewer may know).
    Move {
        seat: u8,
    },
    /// A logged input: join, leave, absent, present, replaced, lead, timeout …
    Input {
        kind: String,
        seat: Option<u8>,
    },
}

/// An answer to a decision in the viewer's own words: cards by handle. The observer turns it into a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub decision: u32,
    /// The `index` of an alternative.
    pub alternative: u16,
    /// One for each part, in order.
    #[serde(default)]
    pub parts: Vec<Chosen>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chosen {
    /// A number, seat, value, index of a pile, position of an unseen card, or set of dice.
    Number(i32),
    Card(Handle),
    /// Several, in the order picked.
    Cards(Vec<Handle>),
    Text(String),
}
