//! Checks that the list of reveals names what others learn from an answer.

use crate::cardset::CardSet;
use crate::chance::FastChance;
use crate::frame::Frame;
use crate::instance::Instance;
use crate::live::Live;
use crate::moves::Move;
use crate::sink::{RawEvent, Sink};
use crate::view::Viewer;
use baize_rules::program::{Ask, PartKind, Pc, RevealKind};

/// Upper bound on the other answers that are tried.
const TRIES: usize = 3;

/// Checks that each question which offers a choice has an entry for its answers, unless it is asked inside `together`, where nobody
/// learns the answer itself.
pub(super) fn choices_are_listed<S: CardSet>(instance: &Instance<S>) -> Result<(), String> {
    for (ask, question) in instance.program.asks.iter().zip(&instance.code.questions) {
        if !question.threaded && offers_choice(ask) && !lists_answers(instance, question.at) {
            let names: Vec<&str> = ask.alternatives.iter().map(|alternative| alternative.name.as_str()).collect();
            return Err(format!("no entry says that everybody learns the answer to {names:?}"));
        }
    }
    Ok(())
}

/// Whether a player can choose something that is no single card. Whether others learn which card it is depends on who sees the card, so
/// [`noticed_answers_are_listed`] checks it at a table.
fn offers_choice(ask: &Ask) -> bool {
    let parts = ask.alternatives.iter().flat_map(|alternative| &alternative.parts);
    ask.alternatives.len() > 1
        || parts.into_iter().any(|part| !matches!(part.kind, PartKind::Card(_) | PartKind::Unseen(_)))
}

fn lists_answers<S>(instance: &Instance<S>, asked_at: Pc) -> bool {
    instance.program.reveals.iter().any(|reveal| reveal.pc == asked_at && reveal.kind == RevealKind::Answer)
}

/// Lets a seat answer otherwise at a copy of the table. Another viewer may notice the difference only if the list has an entry for the
/// answers to this question, or for an op that runs after one of the two answers.
pub(super) fn noticed_answers_are_listed<S: CardSet>(
    live: &Live<S>,
    viewers: &[Viewer],
    seat: u8,
    answer: &Move,
    seed: u64,
) -> Result<(), String> {
    let (instance, frame) = (&live.core().instance, &live.core().frame);
    let ask = frame.seats.get(usize::from(seat)).map(|seat| seat.ask);
    let Some(question) = ask.and_then(|ask| instance.code.questions.get(usize::from(ask))) else { return Ok(()) };
    if !frame.is_open(seat) || lists_answers(instance, question.at) {
        return Ok(());
    }
    let mut here = live.clone();
    let Ok(told_here) = here.play(seat, answer) else { return Ok(()) };
    let Some(legal) = instance.legal(frame, seat) else { return Ok(()) };
    let mut chance = FastChance::new(seed);
    for _ in 0..TRIES {
        let other = legal.sample_with_text(&mut chance, "Another text");
        let mut there = live.clone();
        let Ok(told_there) = there.play(seat, &other) else { continue };
        // A step that runs out of its budget is undone and ends the game, which everybody notices.
        let faulty = |live: &Live<S>| live.core().frame.outcome.as_ref().is_some_and(|ended| ended.fault.is_some());
        if other == *answer || faulty(&here) || faulty(&there) {
            continue;
        }
        let others =
            viewers.iter().filter(|viewer| !matches!(viewer, Viewer::Replay) && **viewer != Viewer::Seat(seat));
        let Some(viewer) = others.into_iter().find(|viewer| told_here.of(**viewer) != told_there.of(**viewer)) else {
            continue;
        };
        let ran = [ops(live, seat, answer), ops(live, seat, &other)].concat();
        if !instance.program.reveals.iter().any(|reveal| ran.contains(&reveal.pc)) {
            return Err(format!(
                "{viewer:?} can tell {answer:?} of seat {seat} from {other:?}, and no entry says so: {}",
                super::difference(&told_here.of(*viewer), &told_there.of(*viewer))
            ));
        }
    }
    Ok(())
}

/// A sink that keeps which ops run.
struct Ran(Vec<Pc>);

impl<S: CardSet> Sink<S> for Ran {
    const ACTIVE: bool = true;

    fn event(&mut self, _: &Frame<S>, _: RawEvent) {}

    fn at(&mut self, _: &Frame<S>, pc: Pc) {
        self.0.push(pc);
    }

    fn rollback(&mut self) {}
}

/// The ops that run after an answer. A step has a budget, so they are not many.
fn ops<S: CardSet>(live: &Live<S>, seat: u8, answer: &Move) -> Vec<Pc> {
    let (mut core, mut ran) = (live.core().clone(), Ran(Vec::new()));
    let _ = core.play(seat, answer, &mut ran);
    ran.0
}
