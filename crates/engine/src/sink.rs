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
pub enum Raw {
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
    /// The seat has answered, the decision was dropped, or another seat has answered first.
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
    /// The table was paused or resumed.
    PauseChanged,
    /// The table has ended; see `Frame::outcome`.
    Ended,
}

pub trait Sink<S: CardSet> {
    /// Whether the engine emits events at all.
    const ACTIVE: bool;
    /// Takes one event. The frame is as it stands right after the change.
    fn event(&mut self, frame: &Frame<S>, event: Raw);
    /// The next events belong to another op. Observers tell the cards that one op moves together, because their order may be
    /// that of the card numbers, which would reveal hidden cards.
    fn next_op(&mut self) {}
    /// The op at this pc is about to run on this frame. The laws use it to find out which ops ran.
    fn at(&mut self, _: &Frame<S>, _: Pc) {}
    /// A `repeat` at this op was stopped by its bound. This is no event; playtests use it to find weak spots of the rules.
    fn ran_out(&mut self, _: Pc) {}
    /// A value would have left the range of its variable and was held at the end of the range. Playtests use this, too.
    fn held(&mut self, _: VarId) {}
    /// The step is undone: the sink forgets all events since the step began.
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

    /// Such a list holds the events of one step only, so all of them go.
    fn rollback(&mut self) {
        self.clear();
    }
}
