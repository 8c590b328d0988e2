//! The end of a step: what the events have not brought about yet.

use super::record::Note;
use super::{Observer, shown_value};
use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::present::zones::content;
use crate::present::{self, Public};
use crate::sight::{Scene, Sight};
use crate::sink::Raw;
use crate::view::{Batch, Cause, Event, SeatView, ZoneView};
use std::sync::Arc;

/// Zones of which something may look different after a step. The same for all viewers.
#[derive(Debug)]
pub(super) struct Touched(Vec<bool>);

impl Touched {
    /// What lies where, how and by whom changes by what is recorded and by nothing else; who sees it, by roles.
    pub fn new<S: CardSet>(scene: &Scene<S>, frame: &Frame<S>, notes: &[Note]) -> Self {
        let mut zones = vec![false; scene.instance.zones()];
        let mut touch = |zone: u16| {
            if let Some(zone) = zones.get_mut(usize::from(zone)) {
                *zone = true;
            }
        };
        let mut all = false;
        for note in notes {
            match &note.raw {
                Raw::CardMoved { from, to, .. } => [*from, *to].into_iter().for_each(&mut touch),
                Raw::Shuffled { zone } => touch(*zone),
                Raw::Mixed { from, to } => {
                    from.iter().copied().chain(to.iter().map(|(to, _)| *to)).for_each(&mut touch)
                }
                Raw::Turned { card, .. } | Raw::Written { card } => {
                    frame.locate(*card).into_iter().for_each(|zone| touch(zone as u16));
                }
                Raw::CellSet { var, .. } => all |= scene.roles.contains(var),
                _ => {}
            }
        }
        if all {
            zones.fill(true);
        }
        Self(zones)
    }

    pub fn has(&self, zone: usize) -> bool {
        self.0.get(zone).copied().unwrap_or(true)
    }
}

/// What is the same for all viewers of a step.
pub(super) struct Step<'a, S> {
    pub frame: &'a Frame<S>,
    pub public: &'a Public,
    pub touched: &'a Touched,
    pub seq: u64,
    pub cause: &'a Cause,
}

impl Observer {
    /// Makes the view anew where it may have changed, and tells every difference to what the viewer has after the events so
    /// far.
    pub(super) fn finish<S: CardSet>(&mut self, scene: &Arc<Scene<S>>, step: &Step<S>) -> Batch {
        let Step { frame, public, touched, seq, cause } = step;
        self.settle(scene, frame, |zone| touched.has(zone));
        self.drop_overtaken();
        let sight = Sight::new(scene, frame, self.viewer);
        let (view, events) = (&mut self.view, &mut self.events);

        for (at, old) in view.zones.iter_mut().enumerate() {
            let zone = at as u16;
            let turned = present::is_turned(&sight, at);
            if touched.has(at) {
                let content = content(scene, frame, self.viewer, &self.handles, at);
                if old.content != content {
                    self.repairs += 1;
                    *old = ZoneView { content, turned };
                    events.push(Event::Zone { zone, view: old.clone() });
                    continue;
                }
            } else {
                let same = || content(scene, frame, self.viewer, &self.handles, at) == old.content;
                debug_assert!(same(), "zone {at} has changed for {:?} without a note", self.viewer);
            }
            if old.turned != turned {
                old.turned = turned;
                events.push(Event::Turned { zone, turned });
            }
        }
        for (at, (var, old)) in scene.values.iter().zip(&mut view.values).enumerate() {
            for (element, old) in old.values.iter_mut().enumerate() {
                let value = shown_value(scene, sight.frame(), self.viewer, *var, element as u32);
                if *old != value {
                    *old = value;
                    events.push(Event::Value { var: at as u16, element: element as u16, value });
                }
            }
        }
        for (at, (var, old)) in scene.dice.iter().zip(&mut view.dice).enumerate() {
            for (element, old) in old.faces.iter_mut().enumerate() {
                let face = shown_value(scene, sight.frame(), self.viewer, *var, element as u32);
                if *old != face {
                    *old = face;
                    events.push(Event::Dice { dice: at as u16, element: element as u16, face });
                }
            }
        }
        if changed(&mut view.phase, &public.phase) {
            events.push(Event::Phase { phase: view.phase.clone() });
        }
        if changed(&mut view.lead, &public.lead) {
            events.push(Event::Lead { seat: view.lead });
        }
        if changed(&mut view.paused, &public.paused) {
            events.push(Event::Paused { paused: view.paused });
        }
        for (seat, (old, new)) in (0u8..).zip(view.seats.iter_mut().zip(&public.seats)) {
            // Whose turn it is follows from who is waited for.
            let place = |shown: &SeatView| (shown.playing, shown.present, shown.person, shown.pending);
            if place(old) != place(new) {
                events.push(Event::Seat { seat, view: new.clone() });
            } else {
                if old.badges != new.badges {
                    events.push(Event::Badges { seat, badges: new.badges.clone() });
                }
                if old.status != new.status {
                    events.push(Event::Marks { seat, status: new.status.clone() });
                }
            }
            changed(old, new);
        }
        if changed(&mut view.highlights, &present::highlights(&sight, &self.handles)) {
            events.push(Event::Highlights { handles: view.highlights.clone() });
        }
        if changed(&mut view.status, &public.status) {
            events.push(Event::Status { lines: view.status.clone() });
        }
        if changed(&mut view.waiting, &public.waiting) {
            events.push(Event::Waiting { waiting: view.waiting.clone() });
        }
        let decision = present::decision::decision(&sight, &self.handles, &view.zones);
        if view.decision != decision {
            view.decision = decision;
            events.push(Event::Decision { decision: view.decision.clone() });
        }
        if changed(&mut view.outcome, &public.outcome)
            && let Some(outcome) = &view.outcome
        {
            events.push(Event::Outcome { outcome: outcome.clone() });
        }
        view.seq = *seq;
        Batch { seq: *seq, cause: (*cause).clone(), events: std::mem::take(events) }
    }
}

/// Most of a view stays as it is from step to step, and what stays is not copied.
fn changed<T: PartialEq + Clone>(old: &mut T, new: &T) -> bool {
    let differs = *old != *new;
    if differs {
        old.clone_from(new);
    }
    differs
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
