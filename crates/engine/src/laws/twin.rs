//! Plays two tables with the same answers. The tables differ only in what one viewer may not know.
//!
//! That viewer must get the same batches from both, to the last byte and in the same order, until a step shows it something that was
//! hidden from it. From then on the tables may differ, and the comparison ends. Other players may give another answer at the second
//! table where the viewer does not see their answer.
//!
//! The list of reveals (`Program::reveals`) names the ops that may tell something hidden. A listed op excuses a difference only if the
//! zones from which it takes cards differ at the two tables.
//!
//! Some pairs differ in less, so fewer differences are excused ([`Difference`]): an entry about cards excuses no difference in a sealed
//! value, and nothing excuses a difference in the handles of backs that look alike.

use super::permute::Difference;
use super::{batches, difference, permute, reference};
use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, NO_ID, seats_of};
use crate::input::Input;
use crate::instance::question::{LoweredPart, LoweredPartKind, Mode, RangeOf};
use crate::instance::{Instance, VarLayout};
use crate::live::{Live, LiveTable, StepBatches};
use crate::moves::Move;
use crate::observe::Knowledge;
use crate::sight::Visibility;
use crate::sink::{RawEvent, Sink};
use crate::view::Viewer;
use baize_rules::program::{DefaultPick, Op, Pc, RevealKind, Type, Var, VarKind};

/// One step at a table.
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
    /// Indexed by card of the first table: the card in its place at the second table.
    moved: Vec<u16>,
    chance: FastChance,
    /// The sealed decision that somebody may have answered otherwise at the second table. The comparison ends when the rules open the
    /// answers.
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
                let (live, moved) = permute::second_table(live, viewer, difference, seed);
                (LiveTable::Small(live), moved)
            }
            LiveTable::Medium(live) => {
                let (live, moved) = permute::second_table(live, viewer, difference, seed);
                (LiveTable::Medium(live), moved)
            }
            LiveTable::Large(live) => {
                let (live, moved) = permute::second_table(live, viewer, difference, seed);
                (LiveTable::Large(live), moved)
            }
        };
        Twin { table: twin, pair: Pair { viewer, difference, moved, chance: FastChance::new(!seed), sealed: None } }
    }

    pub fn viewer(&self) -> Viewer {
        self.pair.viewer
    }

    /// Takes the step that the first table has just taken, and compares. Returns false when the comparison has ended: the step showed the
    /// viewer something hidden, or a player could not give the same answer.
    pub fn follow(
        &mut self,
        before: &LiveTable,
        after: &LiveTable,
        step: &TwinStep,
        batches: &StepBatches,
    ) -> Result<bool, String> {
        let pair = &mut self.pair;
        match (before, after, &mut self.table) {
            (LiveTable::Small(before), LiveTable::Small(after), LiveTable::Small(other)) => {
                pair.follow(before, after, other, step, batches)
            }
            (LiveTable::Medium(before), LiveTable::Medium(after), LiveTable::Medium(other)) => {
                pair.follow(before, after, other, step, batches)
            }
            (LiveTable::Large(before), LiveTable::Large(after), LiveTable::Large(other)) => {
                pair.follow(before, after, other, step, batches)
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
        batches: &StepBatches,
    ) -> Result<bool, String> {
        let viewer = self.viewer;
        if is_another_person(viewer, &before.core().frame, step) {
            return Ok(false);
        }
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
                    Ok(batches) => (batches, TwinStep::Move(*seat, same)),
                    Err(refusal) if own => {
                        return Err(format!(
                            "seat {seat} may answer {answer:?}, but not if what it can't see were different: {refusal:?}"
                        ));
                    }
                    Err(_) => return Ok(false),
                }
            }
            TwinStep::Input(input) => match other.input(input) {
                Ok(batches) => (batches, step.clone()),
                Err(refusal) => {
                    return Err(format!(
                        "{input:?} is taken, but not if what {viewer:?} can't see were different: {refusal:?}"
                    ));
                }
            },
        };
        let (here, other_frame) = (&after.core().frame, &other.core().frame);
        if self.sealed.is_some_and(|decision| here.asked == NO_ID || here.decision != decision) {
            return Ok(false);
        }
        // The engine makes a default answer for a player who does not answer. It depends on the hand of that player, so it may differ.
        let made = (here.moves - before.core().frame.moves, other_frame.moves - moves);
        let asked = u32::from(matches!(step, TwinStep::Move(..)));
        // No question was opened and closed within the step, so the default was made for the question that was open before it.
        let opened = here.next_decision - before.core().frame.next_decision;
        let of_open_question = made == (1, 1) && opened == u32::from(here.open != 0);
        let by_default = made != (asked, asked) && !(of_open_question && self.have_same_default(before, &other_before));
        let (Some(a), Some(b)) = (batches.of(viewer), there.of(viewer)) else { return Ok(false) };
        let wrong = if a != b {
            format!("{viewer:?} can tell from what it is told of {step:?}: {}", difference(a, b))
        } else if here.open != other_frame.open {
            format!("who is asked depends on what {viewer:?} can't see: {:b} and {:b}", here.open, other_frame.open)
        } else if after.clocks() != other.clocks() {
            format!("clocks depend on what {viewer:?} can't see: {:?} and {:?}", after.clocks(), other.clocks())
        } else if knows(after, viewer) != knows(other, viewer) {
            // The viewer got equal batches, so no reveal can excuse a difference in what it remembers.
            return Err(format!("what {viewer:?} remembers depends on what it can't see"));
        } else if let (false, Some(name)) = (by_default, find_known_difference(after, other, viewer)) {
            return Err(format!("{viewer:?} knows `{name}`, and it depends on what it can't see"));
        } else {
            // The list of reveals names a default like an answer. The viewer must notice nothing of it now; later steps may differ,
            // once the rules open the answers.
            if by_default && here.asked != NO_ID {
                self.sealed = self.sealed.or(Some(here.decision));
            }
            // Whoever sees the cards of a zone may know their order, but a view of a sorted zone does not show it.
            if reference::sorted_zones_differ(&after.core().instance, here, other_frame, viewer) {
                return Ok(false);
            }
            return Ok(!by_default || find_known_difference(after, other, viewer).is_none());
        };
        if self.difference == Difference::Handles {
            return Err(wrong);
        }
        // If a zone holds more cards at one table than at the other, a move may show that.
        let sizes = |live: &Live<S>| live.core().frame.sets.iter().map(|cards| cards.len()).collect::<Vec<_>>();
        let same_sizes = sizes(before) == sizes(&other_before);
        let watch = Watch { viewer, difference: self.difference, same_sizes, same_cards: Vec::new() };
        let (here, there) = (trace(before, step, &watch), trace(&other_before, &other_step, &watch));
        // A listed op tells something about the zones from which it takes cards. If these zones are equal at both tables, it excuses no
        // difference.
        let pairs = here.listed.iter().zip(&there.listed);
        let watch = Watch { same_cards: pairs.map(|(a, b)| a.is_some() && a == b).collect(), ..watch };
        let (here, there) = (trace(before, step, &watch), trace(&other_before, &other_step, &watch));
        let (shown, shown_there, here, there) = (here.revealed, there.revealed, here.seen, there.seen);
        // A listed op excuses all differences after it, and none before it.
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

    /// Returns the answer in which a seat names its cards by the same handles at the second table. The card of a handle may differ from
    /// `moved` by now: of several cards that look alike, chance may have dealt another one.
    fn same_answer<S: CardSet>(&self, before: &Live<S>, other: &Live<S>, seat: u8, answer: &Move) -> Option<Move> {
        let viewer = Viewer::Seat(seat);
        let (here, there) = (before.audience().of(viewer)?.handles(), other.audience().of(viewer)?.handles());
        let mut moved = self.moved.clone();
        for (card, to) in (0u16..).zip(&mut moved) {
            if let Some(handle) = here.get(card) {
                *to = there.card(handle)?;
            }
        }
        Some(batches::rename_move(before, seat, answer, &moved))
    }

    /// Whether both tables make the same default for the one player who is asked. If they do, the default excuses no difference. False
    /// if a hook touches cards, because the hook runs before the engine chooses the default, and may change it.
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

    /// Returns another answer that the viewer can't tell from this one: any answer while answers are sealed; inside a `together` block
    /// one of the same alternative with other values.
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
                answer.alternative == same.alternative && offer.is_some_and(|offer| offer.parts.iter().all(is_private));
            if answer != *same && (sealed || alike) {
                self.sealed = self.sealed.or(Some(frame.decision).filter(|_| sealed));
                return Some(answer);
            }
        }
        None
    }
}

/// Whether another person looks from the viewer's seat after this step: somebody sits down there, or a newcomer goes before the rules
/// have admitted it.
fn is_another_person<S>(viewer: Viewer, frame: &Frame<S>, step: &TwinStep) -> bool {
    match step {
        TwinStep::Input(Input::Join { seat, .. }) => viewer == Viewer::Seat(*seat),
        TwinStep::Input(Input::Leave { seat }) => viewer == Viewer::Seat(*seat) && frame.pending >> seat & 1 == 1,
        _ => false,
    }
}

fn knows<S: CardSet>(live: &Live<S>, viewer: Viewer) -> Option<&Knowledge> {
    live.audience().of(viewer).map(|observer| observer.knowledge())
}

/// Returns the name of a variable whose value the viewer knows and which differs at the two tables. It skips variables that hold
/// cards, because two cards may look the same, and the common value of picked cards (`value of s`) if the viewer does not see the same
/// picked cards at both tables.
fn find_known_difference<S: CardSet>(here: &Live<S>, there: &Live<S>, viewer: Viewer) -> Option<String> {
    let (a, b) = (here.sight(viewer), there.sight(viewer));
    let instance = &here.core().instance;
    let unlike = |var: &Var| {
        let Some((_, picked)) = var.name.split_once(" of ") else { return false };
        let named = instance.program.vars.iter().zip(&instance.layout.vars).filter(|(var, _)| var.name == picked);
        named
            .filter_map(|(_, layout)| Some((layout.picked? as usize, layout.len as usize)))
            .any(|(first, len)| a.frame().picked[first..first + len] != b.frame().picked[first..first + len])
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

/// Whether a part is a value that nobody but the player learns inside a `together` block: neither a card nor a pile.
fn is_private<S>(lowered: &LoweredPart<S>) -> bool {
    match &lowered.kind {
        LoweredPartKind::Number { .. }
        | LoweredPartKind::Text(_)
        | LoweredPartKind::Player(_)
        | LoweredPartKind::Dice { .. } => true,
        LoweredPartKind::Range { what, .. } => !matches!(what, RangeOf::Pile(_)),
        _ => false,
    }
}

/// The viewer of a pair, and facts about both tables that decide which differences are excused.
struct Watch {
    viewer: Viewer,
    difference: Difference,
    /// Every zone holds the same number of cards at both tables.
    same_sizes: bool,
    /// For each listed op of the step: whether it takes its cards from zones that hold the same cards at both tables.
    same_cards: Vec<bool>,
}

/// A sink that collects in order what a viewer can notice of a step, until the first listed op that excuses a difference.
struct Trace<'a, S> {
    instance: &'a Instance<S>,
    watch: &'a Watch,
    seen: Vec<Noticed>,
    /// For each listed op: the zones from which it takes cards, as they were before it, and the cards that it names. `None` for
    /// an op that takes no cards.
    listed: Vec<Option<Taken>>,
    /// The current op is listed because it shows cards to some viewers. It excuses a difference as soon as this viewer sees such a card.
    showing: bool,
    /// The current op is listed, but takes the same cards from equal zones at both tables. So their faces must be equal, too.
    strict: bool,
    /// An op that excuses differences has run; the trace ends.
    revealed: bool,
}

/// The zones from which an op takes cards, and the cards that it names.
type Taken = (Vec<Place>, Vec<u16>);

/// A zone instance with its cards in order.
type Place = (usize, Vec<PlacedCard>);

/// All that whoever comes to see a card may learn of it.
#[derive(Debug, PartialEq)]
struct PlacedCard {
    card: u16,
    by: Option<i8>,
    face_down: bool,
    /// What a player wrote on it, perhaps in the same step: sealed answers are carried out together.
    written: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Noticed {
    /// An op ran. All viewers can follow which op runs next.
    Op(Pc),
    /// A card moved between two zones, or turned over in its zone: the zones, if the viewer sees anything of them, and the face, if it
    /// must be equal at both tables.
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
        // One op may take cards in the order of their hidden numbers, so its moves are compared in sorted order.
        let begun = self.seen.iter().rposition(|seen| !matches!(seen, Noticed::Moved(..))).map_or(0, |at| at + 1);
        let place = begun + self.seen[begun..].partition_point(|seen| *seen <= moved);
        if from.is_some() || to.is_some() {
            self.seen.insert(place, moved);
        }
    }

    fn place(&self, frame: &Frame<S>, zone: usize) -> Place {
        let placed = |card: u16| PlacedCard {
            card,
            by: frame.by.get(usize::from(card)).copied(),
            face_down: frame.face_down.contains(card),
            written: frame.written(card).map(str::to_owned),
        };
        (zone, self.instance.in_order(frame, zone).into_iter().map(placed).collect())
    }
}

impl<S: CardSet> Sink<S> for Trace<'_, S> {
    const ACTIVE: bool = true;

    fn event(&mut self, frame: &Frame<S>, event: RawEvent) {
        if self.revealed {
            return;
        }
        match event {
            RawEvent::CardMoved { card, from, to, face_down } => {
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
            RawEvent::Turned { card, .. } if self.strict => {
                let mut zones = (0u16..).zip(&frame.sets).take(self.instance.zones());
                let zone = zones.find(|(_, cards)| cards.contains(card)).map(|(zone, _)| zone);
                let zone = zone.filter(|zone| self.level(frame, *zone) == Visibility::Cards);
                self.notice_card(zone, zone, zone.map(|_| self.face(card)));
            }
            RawEvent::CellSet { var, element, value } => {
                let public = matches!(self.instance.program.vars[var as usize].kind, VarKind::State { .. });
                if public {
                    self.seen.push(Noticed::Set(var, element, value));
                }
            }
            // A reveal to one player excuses a difference for that player alone.
            RawEvent::RevealedValue { to: Some(seat), .. } | RawEvent::RevealedCards { to: Some(seat), .. } => {
                self.revealed |= self.watch.viewer == Viewer::Seat(seat);
            }
            RawEvent::Announced { text, to, .. } if to.is_none_or(|seat| self.watch.viewer == Viewer::Seat(seat)) => {
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
        // If only values differ, entries about cards excuse nothing. A change of who sees a zone or dice (`Seers`) may show dice.
        // Entries about answers excuse nothing, because both tables get the same answers.
        let tells = |kind: RevealKind| match difference {
            Difference::Values => reveals || kind == RevealKind::Seers,
            _ => kind != RevealKind::Answer,
        };
        let moves = matches!(
            op,
            Some(Op::Move { .. } | Op::Draw { .. } | Op::Deal { .. } | Op::Pass { .. } | Op::Gather { .. })
        );
        let reveals = self.instance.program.reveals.iter().filter(|reveal| reveal.pc == pc && !alone);
        let kinds: Vec<RevealKind> = reveals.map(|reveal| reveal.kind).filter(|kind| tells(*kind)).collect();
        (self.showing, self.strict) = (false, false);
        if !kinds.is_empty() {
            // The entry may also mean that the target has no room for more cards, so the target counts, too.
            let room = kinds.contains(&RevealKind::Hidden) || !same_sizes;
            let touched = op.and_then(|op| reference::touched(self.instance, frame, op, room));
            let places = touched.map(|touched| {
                let zones = touched.zones.into_iter().map(|zone| self.place(frame, zone)).collect();
                (zones, touched.named)
            });
            self.strict = same_cards.get(self.listed.len()).is_some_and(|same| *same);
            self.listed.push(places);
        }
        for kind in kinds.into_iter().filter(|_| !self.strict) {
            match kind {
                RevealKind::Shown if moves && same_sizes => self.showing = true,
                _ => self.revealed = true,
            }
        }
        // Chance picks a hidden card by its number, and the card with that number lies in another position at the second table.
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

/// The result of a trace.
struct Traced {
    seen: Vec<Noticed>,
    listed: Vec<Option<Taken>>,
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
