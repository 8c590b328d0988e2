//! Makes a view from what its viewer may know.
//!
//! Everything comes from a [`Sight`], with one exception: to say under which handle a card lies in a zone, the true
//! frame is needed (`zones.rs`), since a sight does not know which back is which.

pub mod choices;
pub(crate) mod decision;
mod order;
pub mod terminal;
pub(crate) mod zones;

use crate::cardset::CardSet;
use crate::frame::{Ended, Frame, NO_ID, seats_of};
use crate::instance::code::Step;
use crate::observe::{Handles, shown_value};
use crate::sight::Sight;
use crate::view::{
    BadgeView, Clock, DiceView, Handle, Line, OutcomeView, SeatView, Status, ValueView, View, Waiting, ZoneView,
};
use baize_rules::program::NONE;

/// The part of a view that is the same for everyone, made once per step from what a spectator sees.
#[derive(Clone, Debug)]
pub(crate) struct Public {
    pub phase: Option<String>,
    pub lead: Option<u8>,
    pub paused: bool,
    pub seats: Vec<SeatView>,
    pub status: Vec<Line>,
    pub waiting: Vec<Waiting>,
    pub outcome: Option<OutcomeView>,
}

impl Public {
    pub fn new<S: CardSet>(sight: &Sight<S>) -> Self {
        let (instance, frame) = (sight.instance(), sight.frame());
        let holds = |expr| instance.value(frame, expr, NONE, &[]) != 0;
        let status = instance.shown.status.iter().filter(|status| status.when.as_ref().is_none_or(holds));
        Self {
            phase: instance.program.phases.get(usize::from(frame.phase)).map(|phase| phase.name.clone()),
            lead: u8::try_from(frame.lead).ok(),
            paused: frame.paused,
            seats: (0..instance.seats as u8).map(|seat| seat_view(sight, seat)).collect(),
            status: status.map(|status| instance.line(frame, &status.text, NONE, &[])).collect(),
            waiting: seats_of(frame.open).map(|seat| waiting(sight, seat)).collect(),
            outcome: frame.outcome.as_ref().map(|ended| outcome(sight, ended)),
        }
    }
}

/// The view of a sight's viewer. `truth` is the frame the sight was made from.
pub(crate) fn present<S: CardSet>(
    sight: &Sight<S>,
    public: &Public,
    truth: &Frame<S>,
    handles: &Handles,
    seq: u64,
) -> View {
    let scene = sight.scene();
    let elements = |var: u32| {
        let len = scene.instance.layout.vars[var as usize].len;
        (0..len).map(|element| shown_value(scene, sight.frame(), sight.viewer(), var, element)).collect()
    };
    let zones: Vec<ZoneView> = (0..scene.instance.zones()).map(|zone| zone_view(sight, truth, handles, zone)).collect();
    let decision = decision::decision(sight, handles, &zones);
    View {
        seat: sight.seat(),
        seq,
        phase: public.phase.clone(),
        lead: public.lead,
        paused: public.paused,
        seats: public.seats.clone(),
        zones,
        values: scene.values.iter().map(|var| ValueView { values: elements(*var) }).collect(),
        dice: scene.dice.iter().map(|var| DiceView { faces: elements(*var) }).collect(),
        highlights: highlights(sight, handles),
        status: public.status.clone(),
        waiting: public.waiting.clone(),
        decision,
        outcome: public.outcome.clone(),
    }
}

fn zone_view<S: CardSet>(sight: &Sight<S>, truth: &Frame<S>, handles: &Handles, zone: usize) -> ZoneView {
    ZoneView {
        content: zones::content(sight.scene(), truth, sight.viewer(), handles, zone),
        turned: is_turned(sight, zone),
    }
}

/// Whether a zone is drawn face down as a whole.
pub(crate) fn is_turned<S: CardSet>(sight: &Sight<S>, zone: usize) -> bool {
    let instance = sight.instance();
    let at = &instance.layout.instances[zone];
    let turned = instance.shown.turned[usize::from(at.zone)].as_ref();
    turned.is_some_and(|expr| instance.value(sight.frame(), expr, NONE, &at.index) != 0)
}

fn seat_view<S: CardSet>(sight: &Sight<S>, seat: u8) -> SeatView {
    let (instance, frame) = (sight.instance(), sight.frame());
    let registers = [i32::from(seat)];
    let playing = frame.is_playing(registers[0]);
    let holds = |expr| instance.value(frame, expr, NONE, &registers) != 0;
    let line = |script| instance.line(frame, script, NONE, &registers);
    let badges = instance.shown.badges.iter().filter(|badge| badge.when.as_ref().is_none_or(holds));
    let status = instance.shown.seats.iter().filter(|status| holds(&status.when));
    SeatView {
        playing,
        present: frame.is_present(registers[0]),
        person: frame.is_person(registers[0]),
        pending: frame.pending >> seat & 1 == 1,
        turn: frame.is_open(seat),
        // A seat that nobody has taken, or that has left the game, wears nothing.
        badges: badges
            .filter(|_| playing)
            .map(|badge| BadgeView {
                kind: badge.kind.clone(),
                label: badge.label.as_ref().map(line),
                value: badge.value.as_ref().map(line),
            })
            .collect(),
        status: status
            .filter(|_| playing)
            .map(|status| Status { word: status.status.clone(), label: status.label.as_ref().map(line) })
            .collect(),
    }
}

fn waiting<S: CardSet>(sight: &Sight<S>, seat: u8) -> Waiting {
    let (instance, frame) = (sight.instance(), sight.frame());
    let asked = &frame.seats[usize::from(seat)];
    let me = i32::from(seat);
    // Masked inside a `together` block: which of its decisions a seat is at is its own business.
    let question = instance.code.questions.get(usize::from(asked.ask));
    let block = Some(frame.together).filter(|id| *id != NO_ID).and_then(|id| instance.code.blocks.get(usize::from(id)));
    let within = match block {
        Some(block) => block.within.as_ref(),
        None => question.and_then(|question| question.within.as_ref()),
    };
    let seconds = within.map(|(seconds, _)| instance.value(frame, seconds, me, &[]));
    let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
    let public = question.filter(|question| question.prompt_public);
    Waiting {
        seat,
        decision: asked.decision,
        prompt: public
            .and_then(|question| question.prompt.as_ref())
            .map(|prompt| instance.line(frame, prompt, me, &[])),
        clock: seconds
            .map(|seconds| Clock { decision: if block.is_some() { frame.decision } else { asked.decision }, seconds }),
    }
}

/// Of the highlighted cards those this viewer sees, by its handles.
pub(crate) fn highlights<S: CardSet>(sight: &Sight<S>, handles: &Handles) -> Vec<Handle> {
    let (instance, frame) = (sight.instance(), sight.frame());
    let mut lit = Vec::new();
    for highlight in &instance.shown.highlights {
        if highlight.when.as_ref().is_none_or(|when| instance.value(frame, when, NONE, &[]) != 0) {
            let cards = instance.selection(frame, &highlight.cards, NONE, &[]);
            let seen = cards.iter().filter(|card| !sight.made_up().contains(**card));
            lit.extend(seen.filter_map(|card| handles.get(*card)));
        }
    }
    lit.sort_unstable();
    lit.dedup();
    lit
}

fn outcome<S: CardSet>(sight: &Sight<S>, ended: &Ended) -> OutcomeView {
    let (instance, frame) = (sight.instance(), sight.frame());
    let banner = match instance.code.step(ended.at) {
        Some(Step::End(ending)) => ending.banner.as_ref(),
        _ => None,
    };
    let fault = ended.fault.and_then(|pc| instance.program.spans.get(pc as usize));
    OutcomeView {
        kind: ended.kind.word().to_owned(),
        winners: seats_of(ended.winners).collect(),
        losers: seats_of(ended.losers).collect(),
        ranks: ended.ranks[..instance.seats].iter().map(|rank| Some(*rank).filter(|rank| *rank > 0)).collect(),
        banner: banner.map(|banner| instance.line(frame, banner, NONE, &[])),
        fault: fault.map(|span| span.start),
    }
}
