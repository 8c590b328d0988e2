//! Two tables that differ in what one viewer may not know, played on with the same answers.
//!
//! What that viewer is told must be the same at both, to the last byte and in the same order, until it is shown something that
//! was hidden from it. Then the two may part. Others who answer in secret may answer something else at the second table.
//!
//! An op that the list of reveals names excuses a difference only if the zones it takes cards from differ at the two tables.
//!
//! Some pairs differ in less, and so may tell less ([`Difference`]): what a list of reveals says about cards is no excuse for telling
//! a sealed value, and nothing at all is an excuse for telling alike backs apart.

use super::permute::Difference;
use super::{difference, news, permute, reference};
use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, NO_ID, seats_of};
use crate::input::Input;
use crate::instance::question::{Mode, RangeOf, Slot, SlotKind};
use crate::instance::{Instance, VarLayout};
use crate::live::{Live, LiveTable, StepBatches};
use crate::moves::Move;
use crate::observe::Knowledge;
use crate::sight::Visibility;
use crate::sink::{Raw, Sink};
use crate::view::Viewer;
use baize_rules::program::{DefaultPick, Op, Pc, RevealKind, Type, Var, VarKind};

/// What happens at a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TwinStep {
    Move(u8, Move),
    Input(Input),
}

impl TwinStep {
    pub fn apply(&self, table: &mut LiveTable) -> Result<StepBatches, crate::moves::Refusal> {
        match self {
            TwinStep::Move(seat, answer) => table.play(*seat, answer),
            TwinStep::Input(input) => table.input(input),
        }
    }
}

/// The second table of a pair.
#[derive(Clone, Debug)]
pub struct Twin {
    table: LiveTable,
    pair: Pair,
}

#[derive(Clone, Debug)]
struct Pair {
    viewer: Viewer,
    difference: Difference,
    /// Which card each card of the first table is at the second.
    moved: Vec<u16>,
    chance: FastChance,
    /// The sealed decision that somebody may have answered otherwise at the second table: the pair ends when it is opened.
    sealed: Option<u32>,
}

impl Twin {
    pub fn new(table: &LiveTable, viewer: Viewer, seed: u64) -> Self {
        let difference = match FastChance::new(seed ^ 0xd1ff).below(5) {
            0 => Difference::Values,
            1 => Difference::Handles,
            _ => Difference::Everything,
        };
        let (twin, moved) = match table {
            LiveTable::Small(live) => {
                let (live, moved) = permute::playable(live, viewer, difference, seed);
                (LiveTable::Small(live), moved)
            }
            LiveTable::Medium(live) => {
                let (live, moved) = permute::playable(live, viewer, difference, seed);
                (LiveTable::Medium(live), moved)
            }
            LiveTable::Large(live) => {
                let (live, moved) = permute::playable(live, viewer, difference, seed);
                (LiveTable::Large(live), moved)
            }
        };
        Twin { table: twin, pair: Pair { viewer, difference, moved, chance: FastChance::new(!seed), sealed: None } }
    }

    pub fn viewer(&self) -> Viewer {
        self.pair.viewer
    }

    /// Takes the same step as the first table has taken. False: the two have parted, for the viewer has been shown something, or
    /// somebody could not answer the same.
    pub fn follow(
        &mut self,
        before: &LiveTable,
        after: &LiveTable,
        step: &TwinStep,
        told: &StepBatches,
    ) -> Result<bool, String> {
        let pair = &mut self.pair;
        match (before, after, &mut self.table) {
            (LiveTable::Small(before), LiveTable::Small(after), LiveTable::Small(other)) => {
                pair.follow(before, after, other, step, told)
            }
            (LiveTable::Medium(before), LiveTable::Medium(after), LiveTable::Medium(other)) => {
                pair.follow(before, after, other, step, told)
            }
            (LiveTable::Large(before), LiveTable::Large(after), LiveTable::Large(other)) => {
                pair.follow(before, after, other, step, told)
            }
            _ => Ok(false),
        }
    }
}

impl Pair {
    fn follow<S: CardSet>(
        &mut self,
        before: &Live<S>,
        after: &Live<S>,
        other: &mut Live<S>,
        step: &TwinStep,
        told: &StepBatches,
    ) -> Result<bool, String> {
        let viewer = self.viewer;
        let moves = other.core().frame.moves;
        let other_before = other.clone();
        let (there, other_step) = match step {
            TwinStep::Move(seat, answer) => {
                let own = viewer == Viewer::Seat(*seat);
                let Some(mut same) = self.same_answer(before, other, *seat, answer) else { return Ok(false) };
                let free = !own && self.difference == Difference::Everything;
                if free && let Some(another) = self.another_answer(other, *seat, &same) {
                    same = another;
                }
                match other.play(*seat, &same) {
                    Ok(told) => (told, TwinStep::Move(*seat, same)),
                    Err(refusal) if own => {
                        return Err(format!(
                            "seat {seat} may answer {answer:?}, but not if what it can't see were different: {refusal:?}"
                        ));
                    }
                    Err(_) => return Ok(false),
                }
            }
            TwinStep::Input(input) => match other.input(input) {
                Ok(told) => (told, step.clone()),
                Err(refusal) => {
                    return Err(format!(
                        "{input:?} is taken, but not if what {viewer:?} can't see were different: {refusal:?}"
                    ));
                }
            },
        };
        let (here, elsewhere) = (&after.core().frame, &other.core().frame);
        if self.sealed.is_some_and(|decision| here.asked == NO_ID || here.decision != decision) {
            return Ok(false);
        }
        // Who does not answer has a default made for them, of what they hold: as good as an answer of theirs.
        let made = (here.moves - before.core().frame.moves, elsewhere.moves - moves);
        let asked = u32::from(matches!(step, TwinStep::Move(..)));
        let by_default = made != (asked, asked) && !(made == (1, 1) && self.have_same_default(before, &other_before));
        let (Some(a), Some(b)) = (told.of(viewer), there.of(viewer)) else { return Ok(false) };
        let wrong = if a != b {
            format!("{viewer:?} can tell from what it is told of {step:?}: {}", difference(a, b))
        } else if told.announced != there.announced {
            format!("{viewer:?} can tell from what is announced: {}", difference(&told.announced, &there.announced))
        } else if here.open != elsewhere.open {
            format!("who is asked depends on what {viewer:?} can't see: {:b} and {:b}", here.open, elsewhere.open)
        } else if after.clocks() != other.clocks() {
            format!("clocks depend on what {viewer:?} can't see: {:?} and {:?}", after.clocks(), other.clocks())
        } else if knows(after, viewer) != knows(other, viewer) {
            // It was told the same, so nothing that may be told is an excuse.
            return Err(format!("what {viewer:?} remembers depends on what it can't see"));
        } else if let (false, Some(name)) = (by_default, told_apart(after, other, viewer)) {
            return Err(format!("{viewer:?} knows `{name}`, and it depends on what it can't see"));
        } else {
            // A default is an answer that the list of reveals names: nothing may be told of it now, but what comes of it may differ
            // later, once the answers are opened.
            if by_default && here.asked != NO_ID {
                self.sealed = self.sealed.or(Some(here.decision));
            }
            return Ok(!by_default || told_apart(after, other, viewer).is_none());
        };
        if self.difference == Difference::Handles {
            return Err(wrong);
        }
        // Where the tables differ in how many cards lie somewhere, a move shows that too.
        let sizes = |live: &Live<S>| live.core().frame.sets.iter().map(|cards| cards.len()).collect::<Vec<_>>();
        let same_sizes = sizes(before) == sizes(&other_before);
        let watch = Watch { viewer, difference: self.difference, same_sizes, same_cards: Vec::new() };
        let (here, there) = (trace(before, step, &watch), trace(&other_before, &other_step, &watch));
        // A listed op tells something about the cards where it takes some. If these are the same at both tables, it is no excuse.
        let pairs = here.listed.iter().zip(&there.listed);
        let watch = Watch { same_cards: pairs.map(|(a, b)| a.is_some() && a == b).collect(), ..watch };
        let (here, there) = (trace(before, step, &watch), trace(&other_before, &other_step, &watch));
        let (shown, shown_there, here, there) = (here.revealed, there.revealed, here.seen, there.seen);
        // What the list of reveals names may be told, and all that comes of it; what happens before it may not differ.
        if by_default || (shown || shown_there) && here == there {
            return Ok(false);
        }
        if shown || shown_there {
            return Err(format!(
                "before anything is revealed {viewer:?} can tell from {step:?}: {}",
                difference(&here, &there)
            ));
        }
        Err(wrong)
    }

    /// The answer in which a seat names the same cards by its own handles. Which card that is may differ by now: of several that
    /// look alike, chance may have brought another one.
    fn same_answer<S: CardSet>(&self, before: &Live<S>, other: &Live<S>, seat: u8, answer: &Move) -> Option<Move> {
        let viewer = Viewer::Seat(seat);
        let (here, there) = (before.audience().of(viewer)?.handles(), other.audience().of(viewer)?.handles());
        let mut moved = self.moved.clone();
        for (card, to) in (0u16..).zip(&mut moved) {
            if let Some(handle) = here.get(card) {
                *to = there.card(handle)?;
            }
        }
        Some(news::renamed_move(before, seat, answer, &moved))
    }

    /// Whether both tables make the same default for the one player who is asked. Then the default is no excuse: it is the same
    /// answer at both tables. A hook that touches cards runs before the default is chosen, so it may change the default.
    fn have_same_default<S: CardSet>(&self, before: &Live<S>, other: &Live<S>) -> bool {
        let (instance, frame) = (&before.core().instance, &before.core().frame);
        let mut open = seats_of(frame.open);
        let (Some(seat), None) = (open.next(), open.next()) else { return false };
        let ask = frame.seats[usize::from(seat)].ask;
        let Some(question) = instance.code.questions.get(usize::from(ask)) else { return false };
        let sealed = matches!(question.mode, Mode::All(_)) || question.threaded;
        let random = matches!(question.default, Some((_, DefaultPick::Random)));
        let hook = instance.program.on_leave.as_ref().map(|hook| &instance.program.code[hook.body as usize..]);
        let body = hook.into_iter().flatten().take_while(|op| !matches!(op, Op::Return));
        let steady = body.into_iter().all(|op| {
            matches!(
                op,
                Op::Set(..) | Op::Add(..) | Op::Jump(_) | Op::Unless(..) | Op::Circle { .. } | Op::CountTo { .. }
            )
        });
        if sealed || random || !steady {
            return false;
        }
        let default = |live: &Live<S>| live.core().instance.default_move(&live.core().frame, seat);
        let same = default(before).and_then(|answer| self.same_answer(before, other, seat, &answer));
        same.is_some() && same == default(other)
    }

    /// What somebody else might have answered instead without this viewer's knowing: anything while answers are sealed, another
    /// part of the same alternative inside a `together`.
    fn another_answer<S: CardSet>(&mut self, other: &Live<S>, seat: u8, same: &Move) -> Option<Move> {
        let (instance, frame) = (&other.core().instance, &other.core().frame);
        let ask = frame.seats.get(usize::from(seat))?.ask;
        let question = instance.code.questions.get(usize::from(ask)).filter(|_| frame.is_open(seat))?;
        let sealed = matches!(question.mode, Mode::All(_));
        if !sealed && !question.threaded {
            return None;
        }
        let legal = instance.legal(frame, seat)?;
        for _ in 0..6 {
            let answer = legal.sample_with_text(&mut self.chance, "Another text");
            let offer = question.offers.get(usize::from(answer.alternative));
            let alike =
                answer.alternative == same.alternative && offer.is_some_and(|offer| offer.slots.iter().all(keeps));
            if answer != *same && (sealed || alike) {
                self.sealed = self.sealed.or(Some(frame.decision).filter(|_| sealed));
                return Some(answer);
            }
        }
        None
    }
}

fn knows<S: CardSet>(live: &Live<S>, viewer: Viewer) -> Option<&Knowledge> {
    live.audience().of(viewer).map(|observer| observer.knowledge())
}

/// A variable whose value the viewer knows and that differs. Cards are left out: of two that look the same either will do. So
/// is what picked cards have in common (`value of s`) where the viewer does not see the same ones of them.
fn told_apart<S: CardSet>(here: &Live<S>, there: &Live<S>, viewer: Viewer) -> Option<String> {
    let (a, b) = (here.sight(viewer), there.sight(viewer));
    let instance = &here.core().instance;
    let unlike = |var: &Var| {
        let Some((_, picked)) = var.name.split_once(" of ") else { return false };
        let named = instance.program.vars.iter().zip(&instance.layout.vars).filter(|(var, _)| var.name == picked);
        named
            .filter_map(|(_, layout)| Some((layout.picked? as usize, layout.len as usize)))
            .any(|(slot, len)| a.frame().picked[slot..slot + len] != b.frame().picked[slot..slot + len])
    };
    let differs = |(var, layout): &(&Var, &VarLayout)| {
        let cells = layout.base as usize..(layout.base + layout.len) as usize;
        !matches!(var.ty, Type::Card | Type::Cards | Type::Text { .. })
            && !unlike(var)
            && a.frame().cells[cells.clone()] != b.frame().cells[cells]
    };
    let mut vars = instance.program.vars.iter().zip(&instance.layout.vars);
    vars.find(differs).map(|(var, _)| var.name.clone())
}

/// A value that a player answers inside a `together` and that stays with the player: no card, nor a place where cards lie.
fn keeps<S>(slot: &Slot<S>) -> bool {
    match &slot.kind {
        SlotKind::Number { .. } | SlotKind::Text(_) | SlotKind::Player(_) | SlotKind::Dice { .. } => true,
        SlotKind::Range { what, .. } => !matches!(what, RangeOf::Pile(_)),
        _ => false,
    }
}

/// Who looks at a step of a pair, and what is known about the pair.
struct Watch {
    viewer: Viewer,
    difference: Difference,
    /// The tables have as many cards in each zone.
    same_sizes: bool,
    /// For each op that is listed because of its cards: it takes them from zones that hold the same cards at both tables.
    same_cards: Vec<bool>,
}

/// What a viewer could notice of a step, in order, until the first listed op that is an excuse.
struct Trace<'a, S> {
    instance: &'a Instance<S>,
    watch: &'a Watch,
    seen: Vec<Noticed>,
    /// The zones that each listed op takes cards from, as they were before it. `None`: the rules don't say which zones.
    listed: Vec<Option<Vec<Place>>>,
    /// The op at hand is listed because it shows cards to some: it is no excuse before this viewer sees one of them.
    showing: bool,
    /// The op at hand is listed, but it takes the same cards from the same places: their faces must be the same too.
    strict: bool,
    /// An op was done that may tell something hidden.
    revealed: bool,
}

/// A zone instance with its cards in order, who brought each, and whether it lies face down.
type Place = (usize, Vec<(u16, Option<i8>, bool)>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Noticed {
    /// An op was done: what happens next is for all to see.
    Op(Pc),
    /// A card went from one zone to another, or was turned in its zone, as far as this viewer sees them. The face is noticed where
    /// it may not differ.
    Moved(Option<u16>, Option<u16>, Option<u32>),
    Set(u32, u32, i32),
    Said(String),
}

impl<S: CardSet> Trace<'_, S> {
    fn level(&self, frame: &Frame<S>, zone: u16) -> Visibility {
        reference::level(self.instance, frame, self.watch.viewer, usize::from(zone))
    }

    fn face(&self, card: u16) -> u32 {
        self.instance.face(card).into()
    }

    fn notice_card(&mut self, from: Option<u16>, to: Option<u16>, face: Option<u32>) {
        let moved = Noticed::Moved(from, to, face);
        // The order in which one op takes cards up may be that of hidden ones.
        let begun = self.seen.iter().rposition(|seen| !matches!(seen, Noticed::Moved(..))).map_or(0, |at| at + 1);
        let place = begun + self.seen[begun..].partition_point(|seen| *seen <= moved);
        if from.is_some() || to.is_some() {
            self.seen.insert(place, moved);
        }
    }

    fn place(&self, frame: &Frame<S>, zone: usize) -> Place {
        let by = |card: u16| frame.by.get(usize::from(card)).copied();
        let cards = self.instance.in_order(frame, zone).into_iter();
        (zone, cards.map(|card| (card, by(card), frame.face_down.contains(card))).collect())
    }
}

impl<S: CardSet> Sink<S> for Trace<'_, S> {
    const ACTIVE: bool = true;

    fn event(&mut self, frame: &Frame<S>, event: Raw) {
        if self.revealed {
            return;
        }
        match event {
            Raw::CardMoved { card, from, to, face_down } => {
                let seen = usize::from(to) < self.instance.zones() && self.level(frame, to) == Visibility::Cards;
                if self.showing && seen && !face_down {
                    self.revealed = true;
                    return;
                }
                let named = |zone: u16| {
                    let known = usize::from(zone) < self.instance.zones();
                    Some(zone).filter(|zone| known && self.level(frame, *zone) != Visibility::Nothing)
                };
                let face = (self.strict && seen && !face_down).then(|| self.face(card));
                self.notice_card(named(from), named(to), face);
            }
            Raw::Turned { card, .. } if self.strict => {
                let mut zones = (0u16..).zip(&frame.sets).take(self.instance.zones());
                let zone = zones.find(|(_, cards)| cards.contains(card)).map(|(zone, _)| zone);
                let zone = zone.filter(|zone| self.level(frame, *zone) == Visibility::Cards);
                self.notice_card(zone, zone, zone.map(|_| self.face(card)));
            }
            Raw::CellSet { var, element, value } => {
                let public = matches!(self.instance.program.vars[var as usize].kind, VarKind::State { .. });
                if public {
                    self.seen.push(Noticed::Set(var, element, value));
                }
            }
            // Told to one player alone.
            Raw::RevealedValue { to: Some(seat), .. } | Raw::RevealedCards { to: Some(seat), .. } => {
                self.revealed |= self.watch.viewer == Viewer::Seat(seat);
            }
            Raw::Announced { text, to, .. } if to.is_none_or(|seat| self.watch.viewer == Viewer::Seat(seat)) => {
                self.seen.push(Noticed::Said(format!("{text:?}")));
            }
            _ => {}
        }
    }

    fn at(&mut self, frame: &Frame<S>, pc: Pc) {
        let Watch { viewer, difference, same_sizes, ref same_cards } = *self.watch;
        let op = self.instance.program.code.get(pc as usize);
        // An op that tells one player alone is an excuse only for that player: see `event`.
        let (reveals, alone) = match op {
            Some(Op::RevealValue { to, .. } | Op::RevealCards { to, .. }) => (true, to.is_some()),
            _ => (false, false),
        };
        // What is listed of cards tells nothing else. Who sees something from now on may see dice.
        // Listed answers are no excuse: both tables have the same.
        let tells = |kind: RevealKind| match difference {
            Difference::Values => reveals || kind == RevealKind::Seers,
            _ => kind != RevealKind::Answer,
        };
        let moves = matches!(
            op,
            Some(Op::Move { .. } | Op::Draw { .. } | Op::Deal { .. } | Op::Pass { .. } | Op::Gather { .. })
        );
        let sites = self.instance.program.reveals.iter().filter(|site| site.pc == pc && !alone);
        let kinds: Vec<RevealKind> = sites.map(|site| site.kind).filter(|kind| tells(*kind)).collect();
        (self.showing, self.strict) = (false, false);
        if !kinds.is_empty() {
            // What is listed besides the cards may be that there is no more room for them.
            let room = kinds.contains(&RevealKind::Hidden) || !same_sizes;
            let zones = op.and_then(|op| reference::touched(self.instance, frame, op, room));
            let places = zones.map(|zones| zones.into_iter().map(|zone| self.place(frame, zone)).collect());
            self.strict = same_cards.get(self.listed.len()).is_some_and(|same| *same);
            self.listed.push(places);
        }
        for kind in kinds.into_iter().filter(|_| !self.strict) {
            match kind {
                RevealKind::Shown if moves && same_sizes => self.showing = true,
                _ => self.revealed = true,
            }
        }
        // Chance picks hidden cards by their numbers. The same number is another place, or another back, at the second table.
        self.revealed |= match op {
            Some(Op::RandomCard { among, .. }) => {
                difference == Difference::Everything && reference::have_places(self.instance, frame, viewer, among)
            }
            _ => false,
        };
        if !self.revealed {
            self.seen.push(Noticed::Op(pc));
        }
    }

    fn rollback(&mut self) {}
}

/// What came of a trace.
struct Traced {
    seen: Vec<Noticed>,
    listed: Vec<Option<Vec<Place>>>,
    revealed: bool,
}

fn trace<S: CardSet>(before: &Live<S>, step: &TwinStep, watch: &Watch) -> Traced {
    let mut core = before.core().clone();
    let instance = core.instance.clone();
    let mut trace = Trace {
        instance: &instance,
        watch,
        seen: Vec::new(),
        listed: Vec::new(),
        showing: false,
        strict: false,
        revealed: false,
    };
    let _ = match step {
        TwinStep::Move(seat, answer) => core.play(*seat, answer, &mut trace),
        TwinStep::Input(input) => core.input(input, &mut trace),
    };
    Traced { seen: trace.seen, listed: trace.listed, revealed: trace.revealed }
}
