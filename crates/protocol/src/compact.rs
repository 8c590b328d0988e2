//! The compact form of a batch: arrays instead of objects, texts that are just texts.
//!
//! A batch is sent to every viewer for every move, so its size is most of what the server sends. The form is a plain
//! re-writing: [`WireBatch`] is read back as exactly the batch that was written (`expand.rs`, and its twin
//! `ts/compact.ts`, held together by `vectors/compact.json`). `docs/protocol.md` lists the letters.
//!
//! ```text
//! batch  [seq, cause, [event …], [[decision, ms] …]?]
//! cause  "start" | seat | [kind, seat?]
//! line   "text" | [piece …]          piece  "text" | seat | [face] | {"w": "written"}
//! card   handle | [handle, face, by?, written?]
//! ```

mod expand;

use baize_engine::view::{
    AlternativeView, BadgeView, Batch, Blocked, CardView, Cause, Content, DecisionView, Event, Line, PartKindView,
    PartView, Piece, Placed, SeatView, Status, Waiting, ZoneView,
};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A batch on the wire, and what is left of the clocks that run after it.
#[derive(Clone, Debug, PartialEq)]
pub struct WireBatch {
    pub batch: Batch,
    /// Milliseconds left by decision.
    pub clocks: Vec<(u32, u64)>,
}

impl Serialize for WireBatch {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        WireBatchRef { batch: &self.batch, clocks: &self.clocks }.serialize(s)
    }
}

impl<'de> Deserialize<'de> for WireBatch {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(d)?;
        expand::batch(&value).ok_or_else(|| serde::de::Error::custom("not a compact batch"))
    }
}

/// The same without owning it: what the server writes.
#[derive(Clone, Copy, Debug)]
pub struct WireBatchRef<'a> {
    pub batch: &'a Batch,
    pub clocks: &'a [(u32, u64)],
}

impl Serialize for WireBatchRef<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (seq, cause) = (self.batch.seq, CauseForm(&self.batch.cause));
        let events = Each(&self.batch.events, EventForm);
        if self.clocks.is_empty() {
            (seq, cause, events).serialize(s)
        } else {
            (seq, cause, events, self.clocks).serialize(s)
        }
    }
}

/// A list whose elements are written by a wrapper.
struct Each<'a, T, W>(&'a [T], fn(&'a T) -> W);

impl<'a, T, W: Serialize> Serialize for Each<'a, T, W> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.0.iter().map(self.1))
    }
}

struct CauseForm<'a>(&'a Cause);

impl Serialize for CauseForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cause::Start => s.serialize_str("start"),
            Cause::Move { seat } => s.serialize_u8(*seat),
            Cause::Input { kind, seat: Some(seat) } => (kind, seat).serialize(s),
            Cause::Input { kind, seat: None } => (kind,).serialize(s),
        }
    }
}

struct EventForm<'a>(&'a Event);

impl Serialize for EventForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Event::Moved { from, to, count, gone, came } => {
                let came_form = Each(came, PlacedForm);
                match (gone.is_empty(), came.is_empty()) {
                    (true, true) => ("m", from, to, count).serialize(s),
                    (false, true) => ("m", from, to, count, gone).serialize(s),
                    _ => ("m", from, to, count, gone, came_form).serialize(s),
                }
            }
            Event::Zone { zone, view } => ("z", zone, ZoneForm(view), u8::from(view.turned)).serialize(s),
            Event::Cards { zone, cards } => ("c", zone, Each(cards, CardForm)).serialize(s),
            Event::Turned { zone, turned } => ("t", zone, u8::from(*turned)).serialize(s),
            Event::Shuffled { zone } => ("x", zone).serialize(s),
            Event::Value { var, element, value } => ("v", var, element, value).serialize(s),
            Event::Dice { dice, element, face } => ("d", dice, element, face).serialize(s),
            Event::Rolled { dice, elements } => ("r", dice, elements).serialize(s),
            Event::Phase { phase } => ("p", phase).serialize(s),
            Event::Lead { seat } => ("l", seat).serialize(s),
            Event::Paused { paused } => ("k", u8::from(*paused)).serialize(s),
            Event::Seat { seat, view } => SeatForm(*seat, view).serialize(s),
            Event::Highlights { handles } => ("h", handles).serialize(s),
            Event::Status { lines } => ("s", Each(lines, LineForm)).serialize(s),
            Event::Waiting { waiting } => ("w", Each(waiting, WaitingForm)).serialize(s),
            Event::Decision { decision } => ("q", decision.as_ref().map(DecisionForm)).serialize(s),
            Event::Announced { text, kind } => ("a", LineForm(text), kind).serialize(s),
            Event::Revealed { text, zone, faces } => ("e", text.as_ref().map(LineForm), zone, faces).serialize(s),
            Event::Outcome { outcome } => ("o", outcome).serialize(s),
        }
    }
}

struct LineForm<'a>(&'a Line);

impl Serialize for LineForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.0.as_slice() {
            [Piece::Text(text)] => s.serialize_str(text),
            pieces => Each(pieces, PieceForm).serialize(s),
        }
    }
}

struct PieceForm<'a>(&'a Piece);

#[derive(Serialize)]
struct Written<'a> {
    w: &'a str,
}

impl Serialize for PieceForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Piece::Text(text) => s.serialize_str(text),
            Piece::Seat(seat) => s.serialize_u8(*seat),
            Piece::Face(face) => (face,).serialize(s),
            Piece::Written(text) => Written { w: text }.serialize(s),
        }
    }
}

struct CardForm<'a>(&'a CardView);

impl Serialize for CardForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let CardView { handle, face, written, by } = self.0;
        match (face, by, written) {
            (None, None, None) => s.serialize_u32(*handle),
            (Some(face), None, None) => (handle, face).serialize(s),
            (face, by, None) => (handle, face, by).serialize(s),
            (face, by, Some(written)) => (handle, face, by, written).serialize(s),
        }
    }
}

struct PlacedForm<'a>(&'a Placed);

impl Serialize for PlacedForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        (self.0.at, CardForm(&self.0.card)).serialize(s)
    }
}

struct ZoneForm<'a>(&'a ZoneView);

impl Serialize for ZoneForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match &self.0.content {
            Content::Cards(cards) => Each(cards, CardForm).serialize(s),
            Content::Count(count) => s.serialize_u32(*count),
            Content::Nothing => s.serialize_none(),
        }
    }
}

/// `["i", seat, flags, badges?, status?]`; flags: 1 playing, 2 present, 4 person, 8 pending, 16 turn.
struct SeatForm<'a>(u8, &'a SeatView);

impl Serialize for SeatForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let SeatForm(seat, view) = self;
        let bits = [view.playing, view.present, view.person, view.pending, view.turn];
        let flags = bits.iter().rev().fold(0u8, |flags, bit| flags << 1 | u8::from(*bit));
        let badges = Each(&view.badges, BadgeForm);
        let status = Each(&view.status, |Status { word, label }| (word, label.as_ref().map(LineForm)));
        match (view.badges.is_empty(), view.status.is_empty()) {
            (true, true) => ("i", seat, flags).serialize(s),
            (false, true) => ("i", seat, flags, badges).serialize(s),
            _ => ("i", seat, flags, badges, status).serialize(s),
        }
    }
}

struct BadgeForm<'a>(&'a BadgeView);

impl Serialize for BadgeForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let BadgeView { kind, label, value } = self.0;
        (kind, label.as_ref().map(LineForm), value.as_ref().map(LineForm)).serialize(s)
    }
}

struct WaitingForm<'a>(&'a Waiting);

impl Serialize for WaitingForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let Waiting { seat, decision, prompt, clock } = self.0;
        let prompt = prompt.as_ref().map(LineForm);
        match (&prompt, clock) {
            (None, None) => (seat, decision).serialize(s),
            (_, None) => (seat, decision, prompt).serialize(s),
            (_, Some(clock)) => (seat, decision, prompt, (clock.decision, clock.seconds)).serialize(s),
        }
    }
}

struct DecisionForm<'a>(&'a DecisionView);

impl Serialize for DecisionForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let DecisionView { id, prompt, alternatives } = self.0;
        (id, prompt.as_ref().map(LineForm), Each(alternatives, AlternativeForm)).serialize(s)
    }
}

struct AlternativeForm<'a>(&'a AlternativeView);

impl Serialize for AlternativeForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let AlternativeView { name, label, index, legal, parts, combinations } = self.0;
        let head = (index, name, LineForm(label), u8::from(*legal), Each(parts, PartForm));
        match combinations {
            None => head.serialize(s),
            Some(combinations) => (head.0, head.1, head.2, head.3, head.4, combinations).serialize(s),
        }
    }
}

struct PartForm<'a>(&'a PartView);

impl Serialize for PartForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let name = &self.0.name;
        match &self.0.kind {
            PartKindView::Card { options, blocked } if blocked.is_empty() => (name, "card", options).serialize(s),
            PartKindView::Card { options, blocked } => (name, "card", options, BlockedForm(blocked)).serialize(s),
            PartKindView::Unseen { zone, count } => (name, "unseen", zone, count).serialize(s),
            PartKindView::Cards { low, high, options, ordered } => {
                (name, "cards", low, high, options, u8::from(*ordered)).serialize(s)
            }
            PartKindView::Sets { options } => (name, "sets", options).serialize(s),
            PartKindView::Number { low, high, only: None } => (name, "number", low, high).serialize(s),
            PartKindView::Number { low, high, only } => (name, "number", low, high, only).serialize(s),
            PartKindView::Pile { options } => (name, "pile", options).serialize(s),
            PartKindView::Player { options } => (name, "player", options).serialize(s),
            PartKindView::Value { options } => (name, "value", options).serialize(s),
            PartKindView::Yesno { options } => (name, "yesno", options).serialize(s),
            PartKindView::Text { most } => (name, "text", most).serialize(s),
            PartKindView::Dice { dice, first, count, only: None } => (name, "dice", dice, first, count).serialize(s),
            PartKindView::Dice { dice, first, count, only } => (name, "dice", dice, first, count, only).serialize(s),
        }
    }
}

/// `[[reason, handle …] …]`: neighbours that are blocked for the same reason share it, as a whole hand often is.
struct BlockedForm<'a>(&'a [Blocked]);

impl Serialize for BlockedForm<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.0.chunk_by(|a, b| a.reason == b.reason).map(BlockedRun))
    }
}

struct BlockedRun<'a>(&'a [Blocked]);

impl Serialize for BlockedRun<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(Some(self.0.len() + 1))?;
        seq.serialize_element(&self.0[0].reason.as_ref().map(LineForm))?;
        for blocked in self.0 {
            seq.serialize_element(&blocked.handle)?;
        }
        seq.end()
    }
}
