//! Views: what one viewer may see. The engine tells clients, logs and errors nothing but what a view holds.
//!
//! A view is plain data. A batch of [`Event`]s turns one view into the next (`reduce.rs`). The browser's reducer does the
//! same, and shared test vectors check that both agree. Card handles come from a counter of the viewer, never from the card.
//!
//! Views are serialised as JSON without the absent fields, so a format that can't skip fields can't read them.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The receiver of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Viewer {
    Seat(u8),
    Spectator,
    /// Sees all zones, sealed values and secrets. The server shows replays to this viewer, and sends them to nobody before the
    /// table has ended.
    Replay,
}

/// A viewer's own name for a card that the viewer can see or point at.
pub type Handle = u32;
/// Index into the catalogue of faces that a client fetches once.
pub type FaceId = u16;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The viewer's seat; none for a spectator.
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
    /// All viewers see the same seats, so their views share one allocation. The other `Arc`s are there for the same reason.
    pub seats: Arc<Vec<SeatView>>,
    pub zones: Vec<ZoneView>,
    pub values: Vec<ValueView>,
    pub dice: Vec<DiceView>,
    /// Handles of highlighted cards, ascending.
    pub highlights: Vec<Handle>,
    /// The table's status lines.
    pub status: Arc<Vec<RichText>>,
    /// The seats that the table waits for, each with its prompt if everyone may know it.
    pub waiting: Arc<Vec<Waiting>>,
    /// The decision that this viewer has to answer, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Arc<DecisionView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeView>,
}

/// A text in which seats and cards are still numbers, so that the client can write names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RichText(pub Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    Text(String),
    Seat(u8),
    Face(FaceId),
    /// Text that a player wrote on a blank card. Clients mark it, so that it can't pass for a text of the game.
    Written(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    pub playing: bool,
    pub present: bool,
    pub person: bool,
    /// The player is a newcomer who waits for the next `admit`.
    pub pending: bool,
    /// This seat has an open decision.
    pub turn: bool,
    /// Badges and status words seldom change, so consecutive views share them.
    pub badges: Arc<Vec<BadgeView>>,
    pub status: Arc<Vec<StatusView>>,
}

/// A status word of a seat, such as `out` or `safe`, and the text that the rules want for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusView {
    pub word: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<RichText>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadgeView {
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<RichText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<RichText>,
}

/// One instance of a zone. Its zone and index are in `TableDefinition::zones`, at the same position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneView {
    pub content: Content,
    /// The client draws the cards face down although the viewer knows them.
    pub turned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// In display order.
    Cards(Vec<CardView>),
    Count(u32),
    /// This viewer may not even know the number of cards.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardView {
    pub handle: Handle,
    /// None if the card lies face down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<FaceId>,
    /// The text of a card somebody wrote on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Box<str>>,
    /// The player who brought the card here, if the zone remembers that publicly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<u8>,
}

/// All elements of a state variable in index order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueView {
    /// None for an element that this viewer does not know.
    pub values: Vec<Option<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceView {
    /// For each die the number of its face, 0 if it was not rolled yet, or none if it is hidden from this viewer.
    pub faces: Vec<Option<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub seat: u8,
    pub decision: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<RichText>,
    /// The clock of the decision, if one runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A running clock. The server knows when it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The decision that the clock belongs to. Decisions that run together have one clock and one id for it.
    pub decision: u32,
    pub seconds: u32,
}

/// The open decision of this viewer's seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionView {
    pub id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<RichText>,
    pub alternatives: Vec<AlternativeView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlternativeView {
    pub name: String,
    pub label: RichText,
    /// The index by which an answer names this alternative.
    pub index: u16,
    /// If false, nothing of the alternative can be chosen now, and the client dims it.
    pub legal: bool,
    pub parts: Vec<PartView>,
    /// Present if there are two parts or more and not every combination of their options is legal. Lists the legal
    /// combinations as positions in the `options` of each part.
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
    /// One card. `blocked` lists cards of the same source that can't be chosen now, with the reason.
    Card {
        options: Vec<Handle>,
        blocked: Vec<Blocked>,
    },
    /// A face-down card of a zone instance, by its position 0..count. `zone` is the position of the instance in the layout.
    Unseen {
        zone: u16,
        count: u32,
    },
    /// Any selection of `low` to `high` different cards of `options` is legal. Their order counts if `ordered` is set.
    Cards {
        low: u32,
        high: u32,
        options: Vec<Handle>,
        ordered: bool,
    },
    /// Cards that form a pattern. Each option is one legal selection. Cards with equal faces may replace one another.
    Sets {
        options: Vec<Vec<Handle>>,
    },
    /// A number from `low` to `high`. If `only` is present, just these numbers are legal.
    Number {
        low: i32,
        high: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<i32>>,
    },
    /// A zone instance. Each option has the value of its index and its position in the layout.
    Pile {
        options: Vec<(i32, u16)>,
    },
    Player {
        options: Vec<u8>,
    },
    /// A value of an attribute or of a choice. Each option has the value and its text.
    Value {
        options: Vec<(i32, String)>,
    },
    Yesno {
        options: Vec<i32>,
    },
    Text {
        most: u32,
    },
    /// A subset of `count` dice, from element `first` on, as a bit mask. If `only` is present, just these subsets are legal.
    Dice {
        dice: u16,
        first: u16,
        count: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<i32>>,
    },
}

/// A card that can't be chosen, with the reason if the rules give one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    pub handle: Handle,
    /// Most blocked cards share their reason, hence the `Arc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<RichText>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// One of `winners`, `losers`, `ranking`, `everyone-wins`, `everyone-loses`, `everyone-scores`, `draw`, `void`,
    /// `abandoned`.
    pub kind: String,
    pub winners: Vec<u8>,
    pub losers: Vec<u8>,
    /// The rank of each seat (1 is best); none if the seat was not playing at the end.
    pub ranks: Vec<Option<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banner: Option<RichText>,
    /// If the kind is `everyone-scores`: what all players reached together, and the most they could have reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<(i32, i32)>,
    /// If the game is void because its rules failed: the byte offset in the source at which they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<u32>,
}

/// One primitive change, as one viewer sees it.
///
/// Events name zones by their position in the layout. They never name a zone of which this viewer sees nothing: it is none
/// in a `Moved`, and the viewer gets no event of a move between two such zones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// `count` cards moved from one zone instance to another. If the view shows the cards of the source, `gone` lists the
    /// `count` cards that leave it; if it shows those of the target, `came` lists the `count` cards that enter it. If the view
    /// shows only the number of cards, that number changes. A card that is shown on both sides keeps its handle, so that the
    /// client can draw its way.
    Moved {
        from: Option<u16>,
        to: Option<u16>,
        count: u32,
        gone: Vec<Handle>,
        came: Vec<Placed>,
    },
    /// The whole content of a zone instance, for changes without an event of their own: a visible shuffle, new handles, a
    /// new sort.
    Zone {
        zone: u16,
        view: ZoneView,
    },
    /// Cards that were turned or written on. Their handles and positions stay.
    Cards {
        zone: u16,
        cards: Vec<CardView>,
    },
    /// Whether the client draws the whole zone face down has changed.
    Turned {
        zone: u16,
        turned: bool,
    },
    /// The cards of a zone were shuffled. This event is for the animation: if the view shows the cards, a `Zone` event with
    /// new handles follows.
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
    /// Dice were rolled. This event is for the animation: `Dice` events have the faces.
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
    /// Somebody took or left a seat, or came or went. Has the whole view of the seat.
    Seat {
        seat: u8,
        view: SeatView,
    },
    /// Replaces the badges of a seat from position `from` on.
    Badges {
        seat: u8,
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u16,
        badges: Arc<Vec<BadgeView>>,
    },
    /// Replaces the value of one badge.
    Badge {
        seat: u8,
        at: u16,
        value: Option<RichText>,
    },
    /// Replaces the status words of a seat.
    Marks {
        seat: u8,
        status: Arc<Vec<StatusView>>,
    },
    Highlights {
        handles: Vec<Handle>,
    },
    /// Replaces the table's status lines from position `from` on.
    Status {
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u16,
        lines: Arc<Vec<RichText>>,
    },
    /// The seats that the table waits for now. The client sets `SeatView::turn` of all seats accordingly.
    Waiting {
        waiting: Arc<Vec<Waiting>>,
    },
    Decision {
        decision: Option<Arc<DecisionView>>,
    },
    /// The rules would have asked this seat, but its player is absent, so that the turn passed at once.
    Skipped {
        seat: u8,
    },
    Announced {
        text: RichText,
        kind: String,
    },
    /// Something hidden was revealed: a text, or the faces of cards and the zone in which they lie.
    Revealed {
        text: Option<RichText>,
        zone: Option<u16>,
        faces: Vec<FaceId>,
    },
    Outcome {
        // Boxed, because otherwise all events would be as large as this one, which occurs once in a game.
        outcome: Box<OutcomeView>,
    },
}

/// Whether `from` is 0. Older replays leave out a `from` of 0, so the serialiser still leaves it out.
fn is_zero(from: &u16) -> bool {
    *from == 0
}

/// A card that enters a zone. A client inserts the cards of an event in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// The position in the target at which the card is inserted.
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
    /// A seat answered a decision. The events show its answer as far as this viewer may know it.
    Move {
        seat: u8,
    },
    /// A logged input: join, leave, absent, present, replaced, lead, timeout …
    Input {
        kind: String,
        seat: Option<u8>,
    },
}

/// An answer to a decision, with cards by the viewer's handles. The observer turns it into a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub decision: u32,
    /// The `index` of an alternative.
    pub alternative: u16,
    /// One value for each part of the alternative, in order.
    #[serde(default)]
    pub parts: Vec<Chosen>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chosen {
    /// A number, a seat, a value, the index of a pile, the position of an unseen card, or a set of dice as bits.
    Number(i32),
    Card(Handle),
    /// Several cards, in the order in which the player picked them.
    Cards(Vec<Handle>),
    Text(String),
}
