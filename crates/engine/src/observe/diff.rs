//! The end of a step: what the events have not brought about yet.

use super::Observer;
use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::present::{self, Public};
use crate::sight::{Scene, Sight};
use crate::view::{Batch, Cause, Event, SeatView};
use std::sync::Arc;

impl Observer {
    /// Makes the view afresh and tells every difference to what the viewer has after the events so far.
    pub(super) fn finish<S: CardSet>(
        &mut self,
        scene: &Arc<Scene<S>>,
        frame: &Frame<S>,
        public: &Public,
        seq: u64,
        cause: Cause,
    ) -> Batch {
        self.settle(scene, frame);
        let sight = Sight::new(scene, frame, self.viewer);
        let next = present::present(&sight, public, frame, &self.handles, seq);
        let now = std::mem::take(&mut self.view);
        self.drop_overtaken();
        let events = &mut self.events;

        for (at, (old, new)) in now.zones.iter().zip(&next.zones).enumerate() {
            let zone = at as u16;
            if old.content != new.content {
                self.repairs += 1;
                events.push(Event::Zone { zone, view: new.clone() });
            } else if old.turned != new.turned {
                events.push(Event::Turned { zone, turned: new.turned });
            }
        }
        for (var, (old, new)) in now.values.iter().zip(&next.values).enumerate() {
            for (element, (_, new)) in differing(&old.values, &new.values) {
                events.push(Event::Value { var: var as u16, element, value: *new });
            }
        }
        for (dice, (old, new)) in now.dice.iter().zip(&next.dice).enumerate() {
            for (element, (_, new)) in differing(&old.faces, &new.faces) {
                events.push(Event::Dice { dice: dice as u16, element, face: *new });
            }
        }
        if now.phase != next.phase {
            events.push(Event::Phase { phase: next.phase.clone() });
        }
        if now.lead != next.lead {
            events.push(Event::Lead { seat: next.lead });
        }
        if now.paused != next.paused {
            events.push(Event::Paused { paused: next.paused });
        }
        for (seat, (old, new)) in differing(&now.seats, &next.seats) {
            let seat = seat as u8;
            // Whose turn it is follows from who is waited for.
            let place = |shown: &SeatView| (shown.playing, shown.present, shown.person, shown.pending);
            if place(old) != place(new) {
                events.push(Event::Seat { seat, view: new.clone() });
                continue;
            }
            if old.badges != new.badges {
                events.push(Event::Badges { seat, badges: new.badges.clone() });
            }
            if old.status != new.status {
                events.push(Event::Marks { seat, status: new.status.clone() });
            }
        }
        if now.highlights != next.highlights {
            events.push(Event::Highlights { handles: next.highlights.clone() });
        }
        if now.status != next.status {
            events.push(Event::Status { lines: next.status.clone() });
        }
        if now.waiting != next.waiting {
            events.push(Event::Waiting { waiting: next.waiting.clone() });
        }
        if now.decision != next.decision {
            events.push(Event::Decision { decision: next.decision.clone() });
        }
        if now.outcome != next.outcome
            && let Some(outcome) = &next.outcome
        {
            events.push(Event::Outcome { outcome: outcome.clone() });
        }
        self.view = next;
        Batch { seq, cause, events: std::mem::take(&mut self.events) }
    }
}

impl Observer {
    /// Of a variable or the phase only what it comes to in the end is told: nobody sees what it was in between.
    fn drop_overtaken(&mut self) {
        let before = std::mem::take(&mut self.values_before);
        let last = |events: &[Event], is: &dyn Fn(&Event) -> bool| events.iter().rposition(is);
        for (var, element, value) in before {
            let same =
                |event: &Event| matches!(event, Event::Value { var: v, element: e, .. } if (*v, *e) == (var, element));
            let end = last(&self.events, &same);
            let keeps = |event: &Event| !matches!(event, Event::Value { value: now, .. } if *now == value);
            let mut at = 0;
            self.events.retain(|event| {
                let here = at;
                at += 1;
                !same(event) || (Some(here) == end && keeps(event))
            });
        }
        let is_phase = |event: &Event| matches!(event, Event::Phase { .. });
        if let Some(end) = last(&self.events, &is_phase) {
            let mut at = 0;
            self.events.retain(|event| {
                at += 1;
                !is_phase(event) || at - 1 == end
            });
        }
    }
}

fn differing<'a, T: PartialEq>(old: &'a [T], new: &'a [T]) -> impl Iterator<Item = (u16, (&'a T, &'a T))> {
    (0u16..).zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new)
}
