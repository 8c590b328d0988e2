//! The same table with everything changed that one viewer can't see.

use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, List, Texts, seats_of};
use crate::instance::question::{Offer, SlotKind};
use crate::live::Live;
use crate::moves::{Move, PartValue};
use crate::observe::{Audience, SavedObserver};
use crate::sight::{Sight, sees_dice};
use crate::view::Viewer;
use crate::world::sealed_ask;
use baize_rules::program::{Remembers, Type, VarKind};
use std::collections::BTreeMap;

/// A whole table in which the cards hidden from one viewer have changed places, and everybody looks on as before.
pub(super) fn elsewhere<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Live<S> {
    let scene = live.audience().scene();
    let (frame, moved) = permuted(&live.sight(viewer), &live.core().frame, &mut FastChance::new(seed));
    let observers = live.audience().save().into_iter().map(|saved| renamed(saved, &moved)).collect();
    let audience = Audience::restore(scene, &frame, observers);
    live.with(frame, audience)
}

/// Hidden cards change places among themselves. Returns which card each has become.
pub(super) fn permuted<S: CardSet>(
    sight: &Sight<S>,
    truth: &Frame<S>,
    chance: &mut FastChance,
) -> (Frame<S>, Vec<u16>) {
    let instance = sight.instance();
    let moved = permutation(sight, truth, chance);
    let to = |card: u16| moved[usize::from(card)];
    let set = |cards: &S| S::from_cards(cards.iter().map(to));
    let list = |cards: &List| cards.iter().map(|card| to(*card)).collect::<List>();

    let mut frame = truth.clone();
    frame.sets.iter_mut().for_each(|cards| *cards = set(cards));
    frame.lists.iter_mut().flatten().for_each(|card| *card = to(*card));
    frame.picked.iter_mut().for_each(|cards| *cards = list(cards));
    frame.face_down = set(&frame.face_down);
    for (card, by) in (0u16..).zip(truth.by.iter()) {
        frame.by[usize::from(to(card))] = *by;
    }
    if let Some(texts) = &mut frame.texts {
        let Texts { written, said } = &mut **texts;
        written.iter_mut().for_each(|(card, _)| *card = to(*card));
        written.sort();
        said.iter_mut().for_each(|text| text.push('!'));
    }
    for (var, layout) in instance.program.vars.iter().zip(&instance.layout.vars) {
        if var.ty == Type::Card {
            for cell in layout.base..layout.base + layout.len {
                if let Ok(card) = u16::try_from(frame.cells[cell as usize]) {
                    frame.cells[cell as usize] = i32::from(to(card));
                }
            }
        }
    }
    if let Some(ask) = sealed_ask(instance, truth) {
        let question = &instance.code.questions[usize::from(ask)];
        for sealed in &mut frame.answers {
            let offer = &question.offers[usize::from(sealed.answer.alternative)];
            rename(offer, &mut sealed.answer, &moved, true);
        }
    }
    (frame, moved)
}

/// The same answer with the cards as they are called now. Sealed answers name unseen cards too, not only where they lie.
pub(super) fn rename<S: CardSet>(offer: &Offer<S>, answer: &mut Move, moved: &[u16], sealed: bool) {
    for (slot, value) in offer.slots.iter().zip(&mut answer.parts) {
        match (&slot.kind, value) {
            (SlotKind::Unseen(_), _) if !sealed => {}
            (SlotKind::Card(_) | SlotKind::Unseen(_), PartValue::Number(card)) => {
                if let Some(to) = usize::try_from(*card).ok().and_then(|card| moved.get(card)) {
                    *card = i32::from(*to);
                }
            }
            (_, PartValue::Cards(cards)) => cards.iter_mut().for_each(|card| *card = moved[usize::from(*card)]),
            _ => {}
        }
    }
}

/// An observer that has the same handles for the cards as they are called now.
pub(super) fn renamed(mut saved: SavedObserver, moved: &[u16]) -> SavedObserver {
    saved.handles = saved.handles.renamed(|card| moved[usize::from(card)]);
    saved
}

/// Which hidden card takes the place of which: any of the same deck.
fn permutation<S: CardSet>(sight: &Sight<S>, truth: &Frame<S>, chance: &mut FastChance) -> Vec<u16> {
    let instance = sight.instance();
    let mut moved: Vec<u16> = (0..instance.cards.len() as u16).collect();
    // A card that a public variable names is known whatever zone it is in.
    let vars = instance.program.vars.iter().zip(&instance.layout.vars);
    let named = vars.filter(|(var, _)| var.ty == Type::Card && matches!(var.kind, VarKind::State { .. }));
    let named: Vec<i32> = named
        .flat_map(|(_, layout)| truth.cells[layout.base as usize..(layout.base + layout.len) as usize].to_vec())
        .collect();
    let class = |card: u16| (instance.cards.cards[usize::from(card)].deck, instance.cards.blank.contains(card));
    let mut classes: BTreeMap<_, Vec<u16>> = BTreeMap::new();
    for card in sight.made_up().iter().filter(|card| !named.contains(&i32::from(*card))) {
        classes.entry(class(card)).or_default().push(card);
    }
    for cards in classes.values() {
        let mut to = cards.clone();
        chance.shuffle(&mut to);
        cards.iter().zip(to).for_each(|(from, to)| moved[usize::from(*from)] = to);
    }
    moved
}

/// Sealed values, hidden dice, who brought what secretly, and where others stand in their threads become something else, sensible
/// or not: good to look at, not to play on from.
pub(super) fn change_secrets<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let (scene, instance) = (sight.scene(), sight.instance());
    if sight.viewer() == Viewer::Replay {
        return;
    }
    let me = sight.seat().map_or(-1, |seat| seat as i8);
    for (id, (var, layout)) in instance.program.vars.iter().zip(&instance.layout.vars).enumerate() {
        for element in 0..layout.len {
            let owner = scene.element_owner(id as u32, element);
            let (hidden, low, high) = match var.kind {
                VarKind::Sealed => (owner != me, layout.low, layout.high),
                VarKind::Dice { low, high, .. } => {
                    // Whether a die was thrown is no secret.
                    let thrown = low <= 0 || frame.cells[(layout.base + element) as usize] != 0;
                    let hidden = !sees_dice(instance, sight.frame(), sight.viewer(), id as u32, owner);
                    (hidden && thrown, low, high)
                }
                VarKind::SeatLocal if var.ty != Type::Cards => (owner != me, layout.low, layout.high),
                _ => (false, 0, 0),
            };
            let spread = i64::from(high) - i64::from(low) + 1;
            if hidden && (1..1000).contains(&spread) {
                frame.cells[(layout.base + element) as usize] = low + chance.below(spread as u32) as i32;
            }
        }
    }
    for (zone, at) in instance.layout.instances.iter().enumerate() {
        if instance.program.zones[usize::from(at.zone)].remembers == Remembers::PlayerSecretly {
            let seat = chance.below(instance.seats as u32) as i8;
            frame.sets[zone].iter().for_each(|card| frame.by[usize::from(card)] = seat);
        }
    }
    let threaded = |ask: &u16| instance.code.questions[usize::from(*ask)].threaded;
    let asks: Vec<u16> = (0..instance.code.questions.len() as u16).filter(threaded).collect();
    for seat in seats_of(frame.threads).filter(|seat| *seat as i8 != me) {
        frame.seats[usize::from(seat)].ask = asks[chance.below(asks.len() as u32) as usize];
    }
}
