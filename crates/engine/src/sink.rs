//! A sink takes the raw events that the engine emits while it plays.
//!
//! Raw events hide nothing, so they never leave the engine. An observer turns them into events that its viewer may see. The
//! interpreter is generic over the sink, so that a search, which needs no events, pays nothing for them.

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::view::RichText;
use baize_rules::program::{AnnounceKind, AskId, Pc, ValueFormat, VarId};
use smallvec::SmallVec;

/// The zone number of a card that lies in no zone.
pub const NOWHERE: u16 = u16::MAX;

/// One change. The engine emits it right after it has changed the frame.
#[derive(Clone, Debug, PartialEq)]
pub enum RawEvent {
    /// The card now lies on top of `to`. `from` may be [`NOWHERE`]. If a card moves to the top of its own zone, `from` equals
    /// `to`.
    CardMoved {
        card: u16,
        from: u16,
        to: u16,
        face_down: bool,
    },
    Shuffled {
        zone: u16,
    },
    Turned {
        card: u16,
        down: bool,
    },
    /// A variable that views show has changed. A roll of dice emits `CellSet` for each die, and then `Rolled`.
    CellSet {
        var: VarId,
        element: u32,
        value: i32,
    },
    Rolled {
        dice: VarId,
        elements: SmallVec<[u32; 8]>,
    },
    /// Whole piles changed zones. The event does not say which pile went where, so that no observer can tell its viewer.
    /// `from` lists the emptied zone instances, and `to` the filled ones with their number of cards, both ascending.
    Mixed {
        from: SmallVec<[u16; 8]>,
        to: SmallVec<[(u16, u16); 8]>,
    },
    /// `to` is one seat, or `None` for everyone.
    RevealedValue {
        listed: u16,
        value: i32,
        show: ValueFormat,
        to: Option<u8>,
    },
    RevealedCards {
        listed: u16,
        cards: List,
        to: Option<u8>,
    },
    /// The text is written out when it is announced. The checker has made sure that everyone may know it, or the seat `to`.
    Announced {
        text: RichText,
        kind: AnnounceKind,
        to: Option<u8>,
    },
    Written {
        card: u16,
    },
    DecisionOpened {
        seat: u8,
        decision: u32,
        ask: AskId,
    },
    /// The rules would have asked this seat, but its player is absent, so that they go on without an answer.
    Skipped {
        seat: u8,
    },
    /// The seat has answered, the decision was dropped, or another seat has answered first.
    DecisionClosed {
        seat: u8,
        decision: u32,
    },
    Phase {
        phase: u16,
    },
    /// The player of a seat came, went, was admitted, or is there again.
    SeatChanged {
        seat: u8,
        /// The player is a newcomer who waits for the next `admit`.
        pending: bool,
    },
    LeadChanged,
    /// The table was paused or resumed.
    PauseChanged,
    /// The table has ended; see `Frame::outcome`.
    Ended,
}

pub trait Sink<S: CardSet> {
    /// Whether the engine emits events at all.
    const ACTIVE: bool;
    /// Takes one event. The frame is as it stands right after the change.
    fn event(&mut self, frame: &Frame<S>, event: RawEvent);
    /// Says that the next events belong to another op. Observers tell of all cards that one op moves in one go, because the op may move
    /// them in the order of their numbers, which would reveal hidden cards.
    fn next_op(&mut self) {}
    /// Says that the op at this pc is about to run on this frame. The laws use it to find out which ops ran.
    fn at(&mut self, _: &Frame<S>, _: Pc) {}
    /// Says that the bound of a `repeat` stopped it at this op. This is no event; playtests use it to find weak spots of the rules.
    fn repeat_stopped(&mut self, _: Pc) {}
    /// Says that a value would have left the range of its variable and was clamped to the end of the range. Playtests use this, too.
    fn value_clamped(&mut self, _: VarId) {}
    /// Says that the step is undone. The sink forgets all events since the step began.
    fn rollback(&mut self);
}

/// Drops everything, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl<S: CardSet> Sink<S> for NullSink {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &Frame<S>, _: RawEvent) {}

    fn rollback(&mut self) {}
}

impl<S: CardSet> Sink<S> for Vec<RawEvent> {
    const ACTIVE: bool = true;

    fn event(&mut self, _: &Frame<S>, event: RawEvent) {
        self.push(event);
    }

    /// Such a list holds the events of one step only, so all of them go.
    fn rollback(&mut self) {
        self.clear();
    }
}
