//! Where the engine's raw events go while it plays.
//!
//! Raw events tell everything to everybody: they never leave the engine. An observer turns them into what
//! its viewer may see. Playing is generic over the sink, so that a search pays nothing for events.

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::view::Line;
use baize_rules::program::{AnnounceKind, AskId, Pc, ValueFormat, VarId};
use smallvec::SmallVec;

/// A card that lies in no zone.
pub const NOWHERE: u16 = u16::MAX;

/// One change, told right after it was made.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// On top of `to`. `from` may be [`NOWHERE`]. A move within a zone (to its top) has both the same.
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
    /// A shown variable changed. Dice change by `Rolled` too, after their cells are set.
    CellSet {
        var: VarId,
        element: u32,
        value: i32,
    },
    Rolled {
        dice: VarId,
        elements: SmallVec<[u32; 8]>,
    },
    /// Whole piles changed place. Which went where is left out on purpose: nobody may know it from the event.
    /// `from` are the emptied instances and `to` the filled ones with their number of cards, both ascending.
    Mixed {
        from: SmallVec<[u16; 8]>,
        to: SmallVec<[(u16, u16); 8]>,
    },
    /// To one seat, or to everyone.
    RevealedValue {
        site: u16,
        value: i32,
        show: ValueFormat,
        to: Option<u8>,
    },
    RevealedCards {
        site: u16,
        cards: List,
        to: Option<u8>,
    },
    /// Written out when it happened; its labels make it public, or known to `to`.
    Announced {
        text: Line,
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
    /// Answered, dropped or overtaken.
    DecisionClosed {
        seat: u8,
        decision: u32,
    },
    Phase {
        phase: u16,
    },
    SeatChanged {
        seat: u8,
    },
    LeadChanged,
    /// Paused or resumed.
    PauseChanged,
    /// The table has ended; see `Frame::outcome`.
    Ended,
}

pub trait Sink<S: CardSet> {
    /// Whether events are made at all.
    const ACTIVE: bool;
    /// The frame is as it stands right after the change.
    fn event(&mut self, frame: &Frame<S>, event: Raw);
    /// What follows is done by another op. Cards that one op moves are told together, since the order in which it takes them
    /// up may be that of their numbers.
    fn next_op(&mut self) {}
    /// The op at this place in the program is about to be done. For those who ask which ops were.
    fn at(&mut self, _: Pc) {}
    /// A `repeat` was stopped by its bound, at this op. Not an event: for those who look for weak spots of rules.
    fn ran_out(&mut self, _: Pc) {}
    /// A value would have left its range and was held at its end. Likewise.
    fn held(&mut self, _: VarId) {}
    /// What was told since the step began did not happen.
    fn rollback(&mut self);
}

/// Drops everything, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl<S: CardSet> Sink<S> for NullSink {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &Frame<S>, _: Raw) {}

    fn rollback(&mut self) {}
}

impl<S: CardSet> Sink<S> for Vec<Raw> {
    const ACTIVE: bool = true;

    fn event(&mut self, _: &Frame<S>, event: Raw) {
        self.push(event);
    }

    /// A list is of one step.
    fn rollback(&mut self) {
        self.clear();
    }
}
