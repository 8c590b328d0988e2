//! Makes a second table that differs from the first only in what one viewer can't see.

use super::reference;
use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, List, Texts, seats_of};
use crate::instance::question::{LoweredPartKind, Offer};
use crate::live::Live;
use crate::moves::{Move, PartValue};
use crate::observe::{Audience, SavedObserver};
use crate::sight::{Sight, Visibility};
use crate::view::Viewer;
use baize_rules::program::{PartKind, PlayerMemory, Type, Var, VarKind};
use std::collections::BTreeMap;

/// Returns a table on which the cards that one viewer can't see have changed places. All viewers keep their handles.
pub(super) fn with_hidden_cards_moved<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Live<S> {
    let (frame, moved) = permute_hidden_cards(&live.sight(viewer), &live.core().frame, &mut FastChance::new(seed));
    table_with(live, frame, &moved)
}

/// The kind of difference between the two tables of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Hidden cards have changed places, and all hidden values are different.
    Everything,
    /// Only sealed values and hidden dice are different. An entry in the list of reveals that is about cards allows no difference here.
    Values,
    /// The frames are equal. The viewer has different handles for backs that it can't tell apart.
    Handles,
}

/// Returns a second table with this difference, on which play can go on. Also returns, for each card, the card that took its place.
pub(super) fn second_table<S: CardSet>(
    live: &Live<S>,
    viewer: Viewer,
    difference: Difference,
    seed: u64,
) -> (Live<S>, Vec<u16>) {
    let mut chance = FastChance::new(seed);
    let sight = live.sight(viewer);
    let same: Vec<u16> = (0..sight.instance().cards.len() as u16).collect();
    match difference {
        Difference::Everything => {}
        Difference::Values => {
            let mut frame = live.core().frame.clone();
            change_values(&sight, &mut frame, false, &mut chance);
            return (table_with(live, frame, &same), same);
        }
        Difference::Handles => {
            let scene = live.audience().scene();
            let swapped = swap_backs(&sight, &live.core().frame, &mut chance);
            let observers = live.audience().save().into_iter();
            let observers =
                observers.map(|saved| if saved.viewer == viewer { rename_handles(saved, &swapped) } else { saved });
            let audience = Audience::restore(scene, &live.core().frame, observers.collect());
            return (live.with(live.core().frame.clone(), audience), same);
        }
    }
    let (mut frame, moved) = permute_hidden_cards(&sight, &live.core().frame, &mut chance);
    if viewer != Viewer::Replay {
        change_values(&sight, &mut frame, false, &mut chance);
        change_bringers(&sight, &mut frame, &mut chance);
        change_counts(&sight, &mut frame, &mut chance);
    }
    (table_with(live, frame, &moved), moved)
}

/// Returns a permutation of the face-down cards that the viewer sees but can't tell apart: they lie in one zone without order, and
/// the viewer knows the same bringer for each, or none.
fn swap_backs<S: CardSet>(sight: &Sight<S>, frame: &Frame<S>, chance: &mut FastChance) -> Vec<u16> {
    let instance = sight.instance();
    let mut swapped: Vec<u16> = (0..instance.cards.len() as u16).collect();
    for (zone, at) in instance.layout.instances.iter().enumerate() {
        let declared = &instance.program.zones[usize::from(at.zone)];
        let in_order = declared.ordered && declared.sorted.is_empty();
        if in_order || reference::level(instance, frame, sight.viewer(), zone) != Visibility::Cards {
            continue;
        }
        let public = declared.remembers == PlayerMemory::Public;
        let by = |card: u16| frame.by.get(usize::from(card)).copied().filter(|_| public);
        let mut alike: BTreeMap<Option<i8>, Vec<u16>> = BTreeMap::new();
        for card in frame.sets[zone].iter().filter(|card| frame.face_down.contains(*card)) {
            alike.entry(by(card)).or_default().push(card);
        }
        for cards in alike.values() {
            let mut to = cards.clone();
            chance.shuffle(&mut to);
            cards.iter().zip(to).for_each(|(from, to)| swapped[usize::from(*from)] = to);
        }
    }
    swapped
}

/// Returns a table with this frame, whose viewers keep their handles.
fn table_with<S: CardSet>(live: &Live<S>, frame: Frame<S>, moved: &[u16]) -> Live<S> {
    let scene = live.audience().scene();
    let observers = live.audience().save().into_iter().map(|saved| rename_handles(saved, moved)).collect();
    let audience = Audience::restore(scene, &frame, observers);
    live.with(frame, audience)
}

/// Returns a frame in which hidden cards have changed places, and for each card the card that took its place.
pub(super) fn permute_hidden_cards<S: CardSet>(
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
        let Texts { written, typed } = &mut **texts;
        written.iter_mut().for_each(|(card, _)| *card = to(*card));
        written.sort();
        typed.iter_mut().for_each(|text| text.push('!'));
    }
    for (var, layout) in instance.program.vars.iter().zip(&instance.layout.vars) {
        if var.ty == Type::Card && !is_public(var) && !reference::was_told(instance, truth, sight.viewer(), var) {
            for cell in layout.base..layout.base + layout.len {
                if let Ok(card) = u16::try_from(frame.cells[cell as usize]) {
                    frame.cells[cell as usize] = i32::from(to(card));
                }
            }
        }
    }
    if let Some(ask) = instance.sealed_ask(truth) {
        let question = &instance.code.questions[usize::from(ask)];
        for sealed in &mut frame.answers {
            if let Some(offer) = question.offers.get(usize::from(sealed.answer.alternative)) {
                rename_cards(offer, &mut sealed.answer, &moved, true);
            }
        }
    }
    (frame, moved)
}

/// Replaces each card of an answer by the card that took its place. A part of an unseen card holds a position in its zone, except in
/// a sealed answer, where it holds the card.
pub(super) fn rename_cards<S: CardSet>(offer: &Offer<S>, answer: &mut Move, moved: &[u16], sealed: bool) {
    for (lowered, value) in offer.parts.iter().zip(&mut answer.parts) {
        match (&lowered.kind, value) {
            (LoweredPartKind::Unseen(_), _) if !sealed => {}
            (LoweredPartKind::Card(_) | LoweredPartKind::Unseen(_), PartValue::Number(card)) => {
                if let Some(to) = usize::try_from(*card).ok().and_then(|card| moved.get(card)) {
                    *card = i32::from(*to);
                }
            }
            (_, PartValue::Cards(cards)) => cards.iter_mut().for_each(|card| *card = moved[usize::from(*card)]),
            _ => {}
        }
    }
}

/// Gives each handle of an observer to the card that took the place of the old one.
pub(super) fn rename_handles(mut saved: SavedObserver, moved: &[u16]) -> SavedObserver {
    saved.handles = saved.handles.renamed(|card| moved[usize::from(card)]);
    saved
}

/// Whether everybody knows the value of a variable.
fn is_public(var: &Var) -> bool {
    matches!(var.kind, VarKind::State { .. } | VarKind::PublicLocal)
}

/// Returns a random permutation of the hidden cards. A card takes the place of one of its own deck.
fn permutation<S: CardSet>(sight: &Sight<S>, truth: &Frame<S>, chance: &mut FastChance) -> Vec<u16> {
    let instance = sight.instance();
    let mut moved: Vec<u16> = (0..instance.cards.len() as u16).collect();
    // Everybody knows which card a public variable names. In half of the pairs they also know where it lies.
    let located = chance.below(2) == 0;
    let vars = instance.program.vars.iter().zip(&instance.layout.vars);
    let named = vars.filter(|(var, _)| {
        var.ty == Type::Card && (located && is_public(var) || reference::was_told(instance, truth, sight.viewer(), var))
    });
    let named: Vec<i32> = named
        .flat_map(|(_, layout)| truth.cells[layout.base as usize..(layout.base + layout.len) as usize].to_vec())
        .collect();
    let class = |card: u16| (instance.cards.cards[usize::from(card)].deck, instance.cards.blank.contains(card));
    let mut classes: BTreeMap<_, Vec<u16>> = BTreeMap::new();
    let mut hidden = reference::hidden_cards(instance, truth, sight.viewer());
    // In some pairs only the cards of some zones change places. Then a reveal of cards in the other zones allows no difference.
    let mut kept = chance.clone();
    if kept.below(3) == 0 {
        for zone in (0..instance.zones()).filter(|_| kept.below(2) == 0) {
            hidden = hidden.andnot(&truth.sets[zone]);
        }
    }
    for card in hidden.iter().filter(|card| !named.contains(&i32::from(*card))) {
        classes.entry(class(card)).or_default().push(card);
    }
    for cards in classes.values() {
        let mut to = cards.clone();
        chance.shuffle(&mut to);
        cards.iter().zip(to).for_each(|(from, to)| moved[usize::from(*from)] = to);
    }
    moved
}

/// Changes sealed values and answers, hidden dice, secret bringers and the positions of other seats in their threads. The rules could
/// not have led to the new frame, so a test may look at it but not play on.
pub(super) fn change_secrets<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let instance = sight.instance();
    if sight.viewer() == Viewer::Replay {
        return;
    }
    change_answers(sight, frame, chance);
    change_values(sight, frame, true, chance);
    change_bringers(sight, frame, chance);
    change_counts(sight, frame, chance);
    change_common(sight, frame, chance);
    frame.chance += 3;
    let me = knowing_seat(sight);
    for seat in (0..instance.seats as u8).filter(|seat| Some(*seat) != me) {
        let (open, place) = (frame.is_open(seat), &mut frame.seats[usize::from(seat)]);
        place.pc = chance.below(1000);
        if !open && frame.threads >> seat & 1 == 0 {
            (place.ask, place.decision) = (chance.below(9) as u16, chance.below(9));
        }
    }
    for question in instance.code.questions.iter().filter(|question| question.threaded) {
        let cell = &mut frame.cells[question.chose as usize];
        if me.is_none_or(|me| *cell != i32::from(me)) {
            *cell = (chance.below(3) as i32 + me.map_or(0, |me| i32::from(me) + 1)) % 32;
        }
    }
    let threaded = |ask: &u16| instance.code.questions[usize::from(*ask)].threaded;
    let asks: Vec<u16> = (0..instance.code.questions.len() as u16).filter(threaded).collect();
    for seat in seats_of(frame.threads).filter(|seat| Some(*seat) != me) {
        frame.seats[usize::from(seat)].ask = asks[chance.below(asks.len() as u32) as usize];
    }
}

/// Changes sealed values and hidden dice within their ranges. With `locals` it also changes what others have picked.
fn change_values<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, locals: bool, chance: &mut FastChance) {
    let (scene, instance) = (sight.scene(), sight.instance());
    let truth = frame.clone();
    let me = knowing_seat(sight).map_or(-1, |seat| seat as i8);
    for (id, (var, layout)) in instance.program.vars.iter().zip(&instance.layout.vars).enumerate() {
        for element in 0..layout.len {
            let owner = scene.element_owner(id as u32, element);
            let (hidden, low, high) = match var.kind {
                VarKind::Sealed => {
                    let (low, high) = match var.ty {
                        Type::Attr(attr) => {
                            let table = &instance.cards.attrs[usize::from(attr)];
                            (table.low, table.low + table.equal.len() as i32 - 1)
                        }
                        Type::Player => (0, instance.seats as i32 - 1),
                        _ => (layout.low, layout.high),
                    };
                    (owner != me, low, high)
                }
                VarKind::Dice { low, high, .. } => {
                    // Everybody knows whether a die was rolled, so a die that was not rolled keeps its 0.
                    let thrown = low <= 0 || frame.cells[(layout.base + element) as usize] != 0;
                    let hidden = !reference::sees_dice(instance, &truth, sight.viewer(), id as u32, owner);
                    (hidden && thrown, low, high)
                }
                VarKind::Local if locals && matches!(var.ty, Type::Text { .. }) => (true, 0, 3),
                VarKind::SecretLocal if var.ty != Type::Card => {
                    let hidden = locals || !reference::was_told(instance, &truth, sight.viewer(), var);
                    (hidden, layout.low.max(0), layout.high.min(9))
                }
                VarKind::SeatLocal if locals && var.ty != Type::Cards => (owner != me, layout.low, layout.high),
                _ => (false, 0, 0),
            };
            let spread = i64::from(high) - i64::from(low) + 1;
            if hidden && (1..1000).contains(&spread) {
                frame.cells[(layout.base + element) as usize] = low + chance.below(spread as u32) as i32;
            }
        }
    }
}

/// Returns the seat of a viewer who plays. A newcomer who waits to be admitted knows no secrets of the seat.
fn knowing_seat<S: CardSet>(sight: &Sight<S>) -> Option<u8> {
    sight.seat().filter(|seat| sight.frame().pending & 1 << seat == 0)
}

fn change_bringers<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let instance = sight.instance();
    for (zone, at) in instance.layout.instances.iter().enumerate() {
        if instance.program.zones[usize::from(at.zone)].remembers == PlayerMemory::Secret {
            let seat = chance.below(instance.seats as u32) as i8;
            frame.sets[zone].iter().for_each(|card| frame.by[usize::from(card)] = seat);
        }
    }
}

/// Changes the value that picked cards have in common, if one of the cards is hidden from the viewer.
fn change_common<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let instance = sight.instance();
    let hidden = reference::hidden_cards(instance, frame, sight.viewer());
    let parts =
        instance.program.asks.iter().flat_map(|ask| &ask.alternatives).flat_map(|alternative| &alternative.parts);
    for part in parts {
        let (PartKind::Alike { value, .. } | PartKind::Run { value, .. }) = &part.kind else { continue };
        let (common, cards) = (&instance.layout.vars[value.1 as usize], &instance.layout.vars[part.var as usize]);
        let Some(first) = cards.picked else { continue };
        for element in 0..common.len.min(cards.len) {
            if frame.picked[(first + element) as usize].iter().any(|card| hidden.contains(*card)) {
                frame.cells[(common.base + element) as usize] = chance.below(5) as i32;
            }
        }
    }
}

/// Moves cards between zones of which the viewer does not even see the number of cards.
fn change_counts<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let instance = sight.instance();
    let truth = frame.clone();
    let level = |zone: &usize| reference::level(instance, &truth, sight.viewer(), *zone);
    let followed = reference::followed_zones(instance);
    let known = |zone: &usize| followed[usize::from(instance.layout.instances[*zone].zone)];
    let unseen: Vec<usize> =
        (0..instance.zones()).filter(|zone| level(zone) == Visibility::Nothing && !known(zone)).collect();
    for from in &unseen {
        let to = unseen[chance.below(unseen.len() as u32) as usize];
        let Some(card) = frame.sets[*from].iter().next().filter(|_| to != *from) else { continue };
        frame.sets[*from].remove(card);
        frame.sets[to].insert(card);
        let list = |zone: usize| instance.layout.instances[zone].list as usize;
        if let Some(pile) = frame.lists.get_mut(list(*from)) {
            pile.retain(|other| *other != card);
        }
        if let Some(pile) = frame.lists.get_mut(list(to)) {
            pile.push(card);
        }
    }
}

/// Replaces the sealed answers of the other seats.
fn change_answers<S: CardSet>(sight: &Sight<S>, frame: &mut Frame<S>, chance: &mut FastChance) {
    let instance = sight.instance();
    let Some(ask) = instance.sealed_ask(frame) else { return };
    let me = knowing_seat(sight);
    for at in 0..frame.answers.len() {
        let seat = frame.answers[at].seat;
        if Some(seat) != me {
            let decision = frame.answers[at].answer.decision;
            let mut answer = instance.legal_answers(frame, ask, seat).sample_with_text(chance, "Another text");
            answer.decision = decision;
            frame.answers[at].answer = answer;
        }
    }
}
