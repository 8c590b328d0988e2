//! Finishes a step for one viewer: compares the view with the state after the step, and adds events for all differences.

use super::record::Note;
use super::{Observer, ViewerStep};
use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::present::values::shown_value;
use crate::present::zones::{content, shows};
use crate::present::{self, Public, PublicNews};
use crate::reduce::{Replaced, ReplacedContent};
use crate::sight::{Scene, Sight};
use crate::sink::RawEvent;
use crate::view::{Batch, Cause, Event, Viewer, ZoneView};
use baize_rules::program::VarId;
use smallvec::SmallVec;
use std::sync::Arc;

/// The zones and variables that a step may have changed. All observers share this value.
#[derive(Debug)]
pub(super) struct StepChanges {
    zones: Vec<bool>,
    /// Variables that were set.
    vars: SmallVec<[VarId; 8]>,
    /// A role has changed, or the player in a seat, so that viewers may see other things than before.
    roles: bool,
}

impl StepChanges {
    /// Collects the changes from the notes. Every change of zones is noted; only roles and newcomers change who sees them.
    pub fn new<S: CardSet>(scene: &Scene<S>, frame: &Frame<S>, notes: &[Note]) -> Self {
        let mut zones = vec![false; scene.instance.zones()];
        let mut touch = |zone: u16| {
            if let Some(zone) = zones.get_mut(usize::from(zone)) {
                *zone = true;
            }
        };
        let (mut vars, mut roles) = (SmallVec::new(), false);
        for note in notes {
            match &note.raw {
                RawEvent::CardMoved { from, to, .. } => [*from, *to].into_iter().for_each(&mut touch),
                RawEvent::Shuffled { zone } => touch(*zone),
                RawEvent::Mixed { from, to } => {
                    from.iter().copied().chain(to.iter().map(|(to, _)| *to)).for_each(&mut touch)
                }
                RawEvent::Turned { card, .. } | RawEvent::Written { card } => {
                    frame.locate(*card).into_iter().for_each(|zone| touch(zone as u16));
                }
                RawEvent::CellSet { var, .. } => {
                    roles |= scene.roles.contains(var);
                    vars.push(*var);
                }
                RawEvent::SeatChanged { .. } => roles = true,
                _ => {}
            }
        }
        Self { zones, vars, roles }
    }

    pub fn has(&self, zone: usize) -> bool {
        self.roles || self.zones.get(zone).copied().unwrap_or(true)
    }

    fn has_value(&self, var: VarId) -> bool {
        self.roles || self.vars.contains(&var)
    }
}

/// The state after a step that is the same for all viewers.
pub(super) struct StepContext<'a, S> {
    pub frame: &'a Frame<S>,
    pub public: &'a Public,
    pub news: &'a PublicNews,
    pub touched: &'a StepChanges,
    pub seq: u64,
    pub cause: &'a Cause,
}

impl Observer {
    /// Computes the parts of the view that may have changed, and adds an event for each difference from the view after the events so far.
    pub(super) fn finish<S: CardSet>(&mut self, scene: &Arc<Scene<S>>, step: &StepContext<S>) -> ViewerStep {
        let StepContext { frame, public, news, touched, seq, cause } = step;
        self.settle(scene, frame, |zone| touched.has(zone));
        self.drop_overtaken();
        let viewer = self.viewer;
        let (view, events) = (&mut self.view, &mut self.events);
        let mut replaced = Replaced { seats: view.seats.clone(), contents: std::mem::take(&mut self.replaced) };

        for (at, old) in view.zones.iter_mut().enumerate() {
            let zone = at as u16;
            let turned = public.is_turned(at);
            let same = |old: &ZoneView| shows(scene, frame, viewer, &self.handles, at, &old.content);
            if touched.has(at) {
                if !same(old) {
                    self.repairs += 1;
                    let new = ZoneView { content: content(scene, frame, viewer, &self.handles, at), turned };
                    events.push(Event::Zone { zone, view: new.clone() });
                    replaced.contents.push(ReplacedContent::Zone(std::mem::replace(old, new)));
                    continue;
                }
            } else {
                debug_assert!(same(old), "zone {at} has changed for {viewer:?} without a note");
            }
            if old.turned != turned {
                old.turned = turned;
                events.push(Event::Turned { zone, turned });
            }
        }
        for (at, (var, old)) in scene.values.iter().zip(&mut view.values).enumerate() {
            if !touched.has_value(*var) {
                continue;
            }
            for (element, old) in old.values.iter_mut().enumerate() {
                let value = shown_value(scene, frame, viewer, *var, element as u32);
                if *old != value {
                    *old = value;
                    events.push(Event::Value { var: at as u16, element: element as u16, value });
                }
            }
        }
        for (at, (var, old)) in scene.dice.iter().zip(&mut view.dice).enumerate() {
            for (element, old) in old.faces.iter_mut().enumerate() {
                let face = shown_value(scene, frame, viewer, *var, element as u32);
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
        let (seats, others) = match viewer {
            Viewer::Replay => (&news.seats_whole, &news.others_whole),
            _ => (&news.seats, &news.others),
        };
        events.extend_from_slice(seats);
        view.seats.clone_from(&public.seats);
        let highlights = public.highlights(&self.handles);
        if view.highlights[..] != highlights[..] {
            view.highlights.clear();
            view.highlights.extend_from_slice(&highlights);
            events.push(Event::Highlights { handles: highlights.to_vec() });
        }
        events.extend_from_slice(others);
        view.status.clone_from(&public.status);
        view.waiting.clone_from(&public.waiting);
        let asked = matches!(viewer, Viewer::Seat(seat) if frame.is_open(seat));
        let decision = asked.then(|| {
            let sight = Sight::new(scene, frame, viewer);
            let decision = present::decision::decision(&sight, &self.handles, &view.zones);
            sight.done();
            decision
        });
        let decision = decision.flatten().map(Arc::new);
        if view.decision != decision {
            view.decision = decision;
            events.push(Event::Decision { decision: view.decision.clone() });
        }
        if changed(&mut view.outcome, &public.outcome)
            && let Some(outcome) = &view.outcome
        {
            events.push(Event::Outcome { outcome: Box::new(outcome.clone()) });
        }
        view.seq = *seq;
        let batch = Batch { seq: *seq, cause: (*cause).clone(), events: std::mem::take(events) };
        ViewerStep { viewer, batch, replaced }
    }
}

/// Copies a value only if it has changed, because most of a view stays the same; returns whether it has.
fn changed<T: PartialEq + Clone>(old: &mut T, new: &T) -> bool {
    let differs = *old != *new;
    if differs {
        old.clone_from(new);
    }
    differs
}

impl Observer {
    /// Drops events about values and phases that a later event of the step overwrites.
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
