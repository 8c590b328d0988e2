//! Applies recorded events one by one to a copy of the frame (the shadow), so that observers see the state at the moment of each event.

use super::card_moves::{Moved, OpMoves};
use super::record::Note;
use crate::cardset::CardSet;
use crate::frame::{Frame, Texts};
use crate::instance::{Instance, NO_LIST};
use crate::sink::{NOWHERE, RawEvent};

/// Applies the moves of the next op to the frame. Returns the moves and the number of their notes.
pub(super) fn take_moves<S: CardSet>(
    instance: &Instance<S>,
    frame: &mut Frame<S>,
    notes: &[Note],
) -> (OpMoves<S>, usize) {
    let mut run = OpMoves { moves: Vec::new(), face_down: frame.face_down.clone(), sources: Vec::new() };
    let mut touched = S::empty();
    let mut taken = 0;
    for note in notes {
        let RawEvent::CardMoved { card, from, to, face_down } = note.raw else { break };
        // No op moves a card twice. If one ever did, its second move would be told after the first.
        if note.op != notes[0].op || touched.contains(card) {
            break;
        }
        touched.insert(card);
        taken += 1;
        if from != NOWHERE && !run.sources.iter().any(|(zone, _)| *zone == from) {
            // The cards before all moves of the op: without those that the same op has brought, because the order of its moves is hidden.
            let mut before = frame.sets[usize::from(from)].clone();
            let came = run.moves.iter().filter(|moved| moved.to == from && moved.from != from);
            came.for_each(|moved| before.remove(moved.card));
            run.sources.push((from, before));
        }
        let by = frame.by.get(usize::from(card)).copied().unwrap_or(-1);
        run.moves.push(Moved { card, from, to, by });
        take(instance, frame, from, card);
        put(instance, frame, to, card);
        match face_down {
            true => frame.face_down.insert(card),
            false => frame.face_down.remove(card),
        }
        if let Some(by) = frame.by.get_mut(usize::from(card)) {
            *by = note.by;
        }
        // A move may wipe off the text on a card.
        if frame.texts.is_some() {
            write(frame, card, note.text.as_deref());
        }
    }
    run.sources.sort_by_key(|(zone, _)| *zone);
    (run, taken)
}

/// Applies any other event to the frame.
pub(super) fn follow<S: CardSet>(instance: &Instance<S>, frame: &mut Frame<S>, note: &Note) {
    match &note.raw {
        RawEvent::Shuffled { .. } | RawEvent::Mixed { .. } => {
            if let RawEvent::Mixed { from, .. } = &note.raw {
                for zone in from {
                    frame.sets[usize::from(*zone)] = S::empty();
                    if let Some(list) = list_of(instance, *zone) {
                        frame.lists[list].clear();
                    }
                }
            }
            for (zone, cards) in &note.piles {
                frame.sets[usize::from(*zone)] = S::from_cards(cards.iter().copied());
                if let Some(list) = list_of(instance, *zone) {
                    frame.lists[list] = cards.to_vec();
                }
            }
            let cards = note.piles.iter().flat_map(|(_, cards)| cards);
            for (card, by) in cards.zip(&note.bringers) {
                frame.by[usize::from(*card)] = *by;
            }
        }
        RawEvent::Turned { card, down: true } => frame.face_down.insert(*card),
        RawEvent::Turned { card, down: false } => frame.face_down.remove(*card),
        RawEvent::CellSet { var, element, value } => {
            frame.cells[(instance.layout.vars[*var as usize].base + element) as usize] = *value;
        }
        RawEvent::Rolled { dice, elements } => {
            let base = instance.layout.vars[*dice as usize].base;
            for (element, face) in elements.iter().zip(&note.faces) {
                frame.cells[(base + element) as usize] = *face;
            }
        }
        RawEvent::Written { card } => write(frame, *card, note.text.as_deref()),
        RawEvent::SeatChanged { seat, pending } => {
            frame.pending = frame.pending & !(1 << seat) | u32::from(*pending) << seat;
        }
        _ => {}
    }
}

fn write<S: CardSet>(frame: &mut Frame<S>, card: u16, text: Option<&str>) {
    let written = &mut frame.texts.get_or_insert_with(|| Box::new(Texts::default())).written;
    match (written.binary_search_by_key(&card, |(c, _)| *c), text) {
        (Ok(at), Some(text)) => text.clone_into(&mut written[at].1),
        (Ok(at), None) => drop(written.remove(at)),
        (Err(at), Some(text)) => written.insert(at, (card, text.to_owned())),
        (Err(_), None) => {}
    }
}

fn list_of<S: CardSet>(instance: &Instance<S>, zone: u16) -> Option<usize> {
    Some(instance.layout.instances[usize::from(zone)].list).filter(|list| *list != NO_LIST).map(|list| list as usize)
}

fn take<S: CardSet>(instance: &Instance<S>, frame: &mut Frame<S>, zone: u16, card: u16) {
    if zone == NOWHERE {
        return;
    }
    frame.sets[usize::from(zone)].remove(card);
    if let Some(list) = list_of(instance, zone) {
        frame.lists[list].retain(|c| *c != card);
    }
}

fn put<S: CardSet>(instance: &Instance<S>, frame: &mut Frame<S>, zone: u16, card: u16) {
    if zone == NOWHERE {
        return;
    }
    frame.sets[usize::from(zone)].insert(card);
    if let Some(list) = list_of(instance, zone) {
        frame.lists[list].push(card);
    }
}
