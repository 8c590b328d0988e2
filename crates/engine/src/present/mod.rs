//! Makes views. `crate::observe` calls it after every step.
//!
//! Everything in a view comes from a [`Sight`], with one exception: `zones.rs` needs the true frame to find the handle of a card in a
//! zone, because a sight does not know which back is which.

pub(crate) mod decision;
mod handles;
mod order;
pub(crate) mod values;
pub(crate) mod zones;

pub use handles::Handles;
use values::shown_value;

use crate::cardset::CardSet;
use crate::frame::{Ended, Frame, NO_ID, seats_of};
use crate::instance::code::Instruction;
use crate::instance::expr::{Expr, Script};
use crate::instance::{ShownBadge, ShownSeat, ShownStatus};
use crate::sight::{Scene, Sight};
use crate::switch::hides;
use crate::view::{
    BadgeView, Clock, DiceView, Event, Handle, OutcomeView, RichText, SeatView, StatusView, ValueView, View, Viewer,
    Waiting, ZoneView,
};
use baize_rules::program::NONE;
use smallvec::SmallVec;
use std::sync::Arc;

/// The part of a view that is the same for everyone. It is made once per step, from what a spectator sees.
#[derive(Clone, Debug)]
pub(crate) struct Public {
    pub phase: Option<String>,
    pub lead: Option<u8>,
    pub paused: bool,
    pub seats: Arc<Vec<SeatView>>,
    pub status: Arc<Vec<RichText>>,
    pub waiting: Arc<Vec<Waiting>>,
    pub outcome: Option<OutcomeView>,
    /// Indexed by zone instance: whether the zone is drawn face down as a whole. Empty if the rules never do that.
    turned: Vec<bool>,
    /// Highlighted cards. A viewer that sees one has a handle for it.
    highlighted: Vec<u16>,
}

impl Public {
    pub fn new<S: CardSet>(scene: &Arc<Scene<S>>, frame: &Frame<S>) -> Self {
        Self::make(None, scene, frame)
    }

    /// Makes the public part after a step. It shares everything that has not changed with the previous one.
    pub fn after<S: CardSet>(&self, scene: &Arc<Scene<S>>, frame: &Frame<S>) -> Self {
        Self::make(Some(self), scene, frame)
    }

    fn make<S: CardSet>(old: Option<&Self>, scene: &Arc<Scene<S>>, frame: &Frame<S>) -> Self {
        let viewer = if hides("present: what all see alike") { Viewer::Spectator } else { Viewer::Replay };
        let sight = Sight::new(scene, frame, viewer);
        let public = Self::of_sight(old, &sight);
        sight.done();
        public
    }

    pub(crate) fn of_sight<S: CardSet>(old: Option<&Self>, sight: &Sight<S>) -> Self {
        let (instance, frame) = (sight.instance(), sight.frame());
        let phase = instance.program.phases.get(usize::from(frame.phase)).map(|phase| &phase.name);
        let seats = 0..instance.seats as u8;
        let seat = |seat: u8| seat_view(sight, seat, old.and_then(|old| old.seats.get(usize::from(seat))));
        Self {
            phase: phase.cloned(),
            lead: u8::try_from(frame.lead).ok(),
            paused: frame.paused,
            seats: Arc::new(seats.map(seat).collect()),
            status: status(sight, old.map(|old| &old.status)),
            waiting: Arc::new(seats_of(frame.open).map(|seat| waiting(sight, seat)).collect()),
            outcome: frame.outcome.as_ref().map(|ended| outcome(sight, ended)),
            turned: turned(sight),
            highlighted: highlighted(sight),
        }
    }

    /// Returns the texts that could depend on something hidden, for laws.
    #[cfg(feature = "laws")]
    pub(crate) fn texts_for_laws(&self) -> (&[SeatView], &[RichText], Option<&OutcomeView>, &[bool]) {
        (&self.seats, &self.status, self.outcome.as_ref(), &self.turned)
    }

    #[cfg(feature = "laws")]
    pub(crate) fn highlighted(&self) -> &[u16] {
        &self.highlighted
    }

    pub fn is_turned(&self, zone: usize) -> bool {
        self.turned.get(zone).copied().unwrap_or(false)
    }

    /// Returns the handles of the highlighted cards that a viewer sees.
    pub fn highlights(&self, handles: &Handles) -> SmallVec<[Handle; 8]> {
        let mut lit: SmallVec<[Handle; 8]> = self.highlighted.iter().filter_map(|card| handles.get(*card)).collect();
        lit.sort_unstable();
        lit.dedup();
        lit
    }
}

/// The events that change one public part into the next; the same for all viewers.
#[derive(Debug)]
pub(crate) struct PublicNews {
    pub seats: Vec<Event>,
    pub others: Vec<Event>,
    /// Like `seats` and `others`, for replays. Stored replays have always had all badges or lines when one changes.
    pub seats_whole: Vec<Event>,
    pub others_whole: Vec<Event>,
}

impl PublicNews {
    pub fn new(old: &Public, new: &Public) -> Self {
        let (mut seats, mut others, mut seats_whole, mut others_whole) = (vec![], vec![], vec![], vec![]);
        for (seat, (old, new)) in (0u8..).zip(old.seats.iter().zip(new.seats.iter())) {
            // A client computes whose turn it is from the seats that the table waits for.
            let place = |shown: &SeatView| (shown.playing, shown.present, shown.person, shown.pending);
            if place(old) != place(new) {
                seats.push(Event::Seat { seat, view: new.clone() });
                seats_whole.push(Event::Seat { seat, view: new.clone() });
                continue;
            }
            if !Arc::ptr_eq(&old.badges, &new.badges) && old.badges != new.badges {
                badges(seat, &old.badges, &new.badges, &mut seats);
                seats_whole.push(Event::Badges { seat, from: 0, badges: new.badges.clone() });
            }
            if !Arc::ptr_eq(&old.status, &new.status) && old.status != new.status {
                seats.push(Event::Marks { seat, status: new.status.clone() });
                seats_whole.push(Event::Marks { seat, status: new.status.clone() });
            }
        }
        if !Arc::ptr_eq(&old.status, &new.status) && old.status != new.status {
            let (from, lines) = others_from(&old.status, &new.status);
            others.push(Event::Status { from, lines });
            others_whole.push(Event::Status { from: 0, lines: new.status.clone() });
        }
        if old.waiting != new.waiting {
            others.push(Event::Waiting { waiting: new.waiting.clone() });
            others_whole.push(Event::Waiting { waiting: new.waiting.clone() });
        }
        Self { seats, others, seats_whole, others_whole }
    }
}

/// Returns the position from which two lists differ, and the new elements from there on.
fn others_from<T: Clone + PartialEq>(old: &[T], new: &Arc<Vec<T>>) -> (u16, Arc<Vec<T>>) {
    match old.iter().zip(&new[..]).take_while(|(old, new)| old == new).count() {
        0 => (0, new.clone()),
        same => (same as u16, Arc::new(new[same..].to_vec())),
    }
}

/// Adds one event for each badge whose value has changed. If anything else has changed, it adds one event with all badges from the first
/// difference on.
fn badges(seat: u8, old: &[BadgeView], new: &Arc<Vec<BadgeView>>, events: &mut Vec<Event>) {
    let same_but_value = |(old, new): (&BadgeView, &BadgeView)| old.kind == new.kind && old.label == new.label;
    if old.len() != new.len() || !old.iter().zip(&new[..]).all(same_but_value) {
        let (from, badges) = others_from(old, new);
        return events.push(Event::Badges { seat, from, badges });
    }
    for (at, (old, new)) in old.iter().zip(&new[..]).enumerate() {
        if old.value != new.value {
            events.push(Event::Badge { seat, at: at as u16, value: new.value.clone() });
        }
    }
}

/// Makes the view of a sight's viewer. `truth` is the frame from which the sight was made.
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
    let zones: Vec<ZoneView> =
        (0..scene.instance.zones()).map(|zone| zone_view(sight, public, truth, handles, zone)).collect();
    let decision = decision::decision(sight, handles, &zones).map(Arc::new);
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
        highlights: public.highlights(handles).to_vec(),
        status: public.status.clone(),
        waiting: public.waiting.clone(),
        decision,
        outcome: public.outcome.clone(),
    }
}

fn zone_view<S: CardSet>(
    sight: &Sight<S>,
    public: &Public,
    truth: &Frame<S>,
    handles: &Handles,
    zone: usize,
) -> ZoneView {
    ZoneView {
        content: zones::content(sight.scene(), truth, sight.viewer(), handles, zone),
        turned: public.is_turned(zone),
    }
}

/// Returns which zones are drawn face down as a whole.
fn turned<S: CardSet>(sight: &Sight<S>) -> Vec<bool> {
    let instance = sight.instance();
    if instance.shown.turned.iter().all(Option::is_none) {
        return Vec::new();
    }
    let zones = instance.layout.instances.iter();
    let turned = zones.map(|at| {
        let when = instance.shown.turned[usize::from(at.zone)].as_ref();
        when.is_some_and(|when| instance.value(sight.frame(), when, NONE, &at.index) != 0)
    });
    turned.collect()
}

fn seat_view<S: CardSet>(sight: &Sight<S>, seat: u8, old: Option<&SeatView>) -> SeatView {
    let (instance, frame) = (sight.instance(), sight.frame());
    let registers = [i32::from(seat)];
    let playing = frame.is_playing(registers[0]);
    let holds = |expr: &Expr<S>| instance.value(frame, expr, NONE, &registers) != 0;
    let line = |script: &Script<S>| instance.write_text(frame, script, NONE, &registers);
    let is = |script: Option<&Script<S>>, old: Option<&RichText>| match (script, old) {
        (Some(script), Some(old)) => instance.text_matches(frame, script, NONE, &registers, old),
        (script, old) => script.is_none() && old.is_none(),
    };
    let worn = |badge: &ShownBadge<S>| badge.when.as_ref().is_none_or(holds);
    // A row of the score sheet exists from the beginning, with no value. A seat that nobody has taken, or that has left the game, has no
    // badges.
    let badges = || instance.shown.badges.iter().filter(|badge| playing && (badge.kind == "row" || worn(badge)));
    let status = || instance.shown.seats.iter().filter(|status| playing && holds(&status.when));
    let wears = |old: &&SeatView| {
        let same = |badge: &ShownBadge<S>, old: &BadgeView| {
            badge.kind == old.kind
                && is(badge.label.as_ref(), old.label.as_ref())
                && is(badge.value.as_ref().filter(|_| worn(badge)), old.value.as_ref())
        };
        badges().count() == old.badges.len() && badges().zip(&old.badges[..]).all(|(badge, old)| same(badge, old))
    };
    let says = |old: &&SeatView| {
        let same =
            |new: &ShownSeat<S>, old: &StatusView| new.status == old.word && is(new.label.as_ref(), old.label.as_ref());
        status().count() == old.status.len() && status().zip(&old.status[..]).all(|(new, old)| same(new, old))
    };
    let made = |badge: &ShownBadge<S>| BadgeView {
        kind: badge.kind.clone(),
        label: badge.label.as_ref().map(line),
        value: badge.value.as_ref().filter(|_| worn(badge)).map(line),
    };
    let marked =
        |status: &ShownSeat<S>| StatusView { word: status.status.clone(), label: status.label.as_ref().map(line) };
    SeatView {
        playing,
        present: frame.is_present(registers[0]),
        person: frame.is_person(registers[0]),
        pending: frame.pending >> seat & 1 == 1,
        turn: frame.is_open(seat),
        badges: old.filter(wears).map_or_else(|| Arc::new(badges().map(made).collect()), |old| old.badges.clone()),
        status: old.filter(says).map_or_else(|| Arc::new(status().map(marked).collect()), |old| old.status.clone()),
    }
}

/// Returns the status lines of the table.
fn status<S: CardSet>(sight: &Sight<S>, old: Option<&Arc<Vec<RichText>>>) -> Arc<Vec<RichText>> {
    let (instance, frame) = (sight.instance(), sight.frame());
    let holds = |expr| instance.value(frame, expr, NONE, &[]) != 0;
    let shown = || instance.shown.status.iter().filter(|status| status.when.as_ref().is_none_or(holds));
    let same = |old: &&Arc<Vec<RichText>>| {
        let reads =
            |(status, old): (&ShownStatus<S>, &RichText)| instance.text_matches(frame, &status.text, NONE, &[], old);
        shown().count() == old.len() && shown().zip(&old[..]).all(reads)
    };
    let line = |status: &ShownStatus<S>| instance.write_text(frame, &status.text, NONE, &[]);
    old.filter(same).map_or_else(|| Arc::new(shown().map(line).collect()), Arc::clone)
}

fn waiting<S: CardSet>(sight: &Sight<S>, seat: u8) -> Waiting {
    let (instance, frame) = (sight.instance(), sight.frame());
    let asked = &frame.seats[usize::from(seat)];
    let me = i32::from(seat);
    // Inside a `together` block the sight hides which decision another seat is asked.
    let question = instance.code.questions.get(usize::from(asked.ask));
    let block = Some(frame.together).filter(|id| *id != NO_ID).and_then(|id| instance.code.blocks.get(usize::from(id)));
    let within = match block {
        Some(block) => block.within.as_ref(),
        None => question.and_then(|question| question.within.as_ref()),
    };
    let seconds = within.map(|(seconds, _)| instance.value(frame, seconds, me, &[]));
    let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
    let public = question.filter(|question| question.prompt_public || !hides("present: prompts"));
    Waiting {
        seat,
        decision: asked.decision,
        prompt: public
            .and_then(|question| question.prompt.as_ref())
            .map(|prompt| instance.write_text(frame, prompt, me, &[])),
        clock: seconds
            .map(|seconds| Clock { decision: if block.is_some() { frame.decision } else { asked.decision }, seconds }),
    }
}

fn highlighted<S: CardSet>(sight: &Sight<S>) -> Vec<u16> {
    let (instance, frame) = (sight.instance(), sight.frame());
    let mut lit = Vec::new();
    for highlight in &instance.shown.highlights {
        if highlight.when.as_ref().is_none_or(|when| instance.value(frame, when, NONE, &[]) != 0) {
            let cards = instance.selection(frame, &highlight.cards, NONE, &[]);
            let seen = |card: &u16| !sight.made_up().contains(*card) || !hides("present: highlighted cards");
            lit.extend(cards.iter().copied().filter(seen));
        }
    }
    lit
}

fn outcome<S: CardSet>(sight: &Sight<S>, ended: &Ended) -> OutcomeView {
    let (instance, frame) = (sight.instance(), sight.frame());
    let banner = match instance.code.instruction(ended.at) {
        Some(Instruction::End(ending)) => ending.banner.as_ref(),
        _ => None,
    };
    let fault = ended.fault.and_then(|pc| instance.program.spans.get(pc as usize));
    OutcomeView {
        kind: ended.kind.word().to_owned(),
        winners: seats_of(ended.winners).collect(),
        losers: seats_of(ended.losers).collect(),
        ranks: ended.ranks[..instance.seats].iter().map(|rank| Some(*rank).filter(|rank| *rank > 0)).collect(),
        banner: banner.map(|banner| instance.write_text(frame, banner, NONE, &[])),
        score: ended.score.map(|shared| (shared.score, shared.most)),
        fault: fault.map(|span| span.start),
    }
}
