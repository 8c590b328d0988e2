//! Makes a sight. Only this module reads a table's frame and decides what a viewer may know of it.

use super::{Scene, Sight, Visibility, sees_dice};
use crate::cardset::CardSet;
use crate::frame::{Frame, List, NO_ID, NO_PC, Pile, SeatFrame};
use crate::instance::question::LoweredPartKind;
use crate::moves::PartValue;
use crate::switch::hides;
use crate::view::Viewer;
use baize_rules::program::{NONE, PlayerMemory, Type, VarKind};
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) fn mask<S: CardSet>(scene: &Arc<Scene<S>>, truth: &Frame<S>, viewer: Viewer) -> Sight<S> {
    let instance = &scene.instance;
    let levels: SmallVec<[Visibility; 32]> =
        (0..instance.zones()).map(|zone| scene.level(truth, viewer, zone)).collect();
    let mut visible = S::empty();
    for (zone, level) in levels.iter().enumerate() {
        if *level == Visibility::Cards || !hides("mask: zones") {
            visible = visible.or(&truth.sets[zone]);
        }
    }
    if hides("mask: backs") {
        visible = visible.andnot(&truth.face_down);
    }

    let mut sight = Sight {
        scene: scene.clone(),
        viewer,
        frame: scene.copy(truth),
        made_up: instance.cards.all.andnot(&visible),
        levels,
        answered: truth.answers.iter().fold(0, |mask, answer| mask | 1 << answer.seat),
    };
    lay_out(&mut sight, truth, &visible);
    forget_cells(&mut sight, &visible);
    forget_answers(&mut sight, &visible);
    sight
}

/// Leaves visible cards in place and fills hidden places with the hidden cards in order of their numbers. So every count is right, and
/// the layout depends on nothing but what is visible.
fn lay_out<S: CardSet>(sight: &mut Sight<S>, truth: &Frame<S>, visible: &S) {
    let Sight { scene, viewer, frame, made_up, levels, .. } = sight;
    let instance = &scene.instance;
    let mut next = made_up.iter();
    frame.face_down = S::empty();
    frame.by.fill(-1);
    for (zone, level) in levels.iter().enumerate() {
        let at = &instance.layout.instances[zone];
        let declared = &instance.program.zones[usize::from(at.zone)];
        let real = &truth.sets[zone];
        // There is no list for instances without order.
        let list = frame.lists.get_mut(at.list as usize);
        let remembers = match declared.remembers {
            PlayerMemory::Secret => *viewer == Viewer::Replay || !hides("mask: secret bringers"),
            PlayerMemory::Public => true,
            PlayerMemory::None => false,
        };
        let remembered = |card: u16| truth.by.get(usize::from(card)).copied().filter(|_| remembers).unwrap_or(-1);
        match level {
            Visibility::Nothing if hides("mask: how many") => {
                frame.sets[zone] = S::empty();
                list.into_iter().for_each(Pile::clear);
            }
            Visibility::Count if !hides("mask: counted zones") => {}
            Visibility::Nothing | Visibility::Count => {
                let set = &mut frame.sets[zone];
                *set = S::empty();
                next.by_ref().take(real.len()).for_each(|card| set.insert(card));
                if let Some(list) = list {
                    list.clear();
                    list.extend(set.iter());
                }
            }
            Visibility::Cards => {
                let ordered = declared.ordered && list.is_some();
                // All cards are visible, as in most zones, so the copy stays as it is.
                if real.is_subset(visible) {
                    if remembers {
                        for card in real.iter() {
                            if let Some(bringer) = frame.by.get_mut(usize::from(card)) {
                                *bringer = remembered(card);
                            }
                        }
                    }
                    continue;
                }
                // If the order is hidden, backs come after faces, and only the player who brought a back distinguishes it.
                let mut places: List = match ordered {
                    true => List::from_slice(&truth.lists[at.list as usize]),
                    false => real.iter().collect(),
                };
                if !ordered && hides("mask: order of backs") {
                    places.sort_by_key(|card| match visible.contains(*card) {
                        true => (false, i32::from(*card)),
                        false => (true, i32::from(remembered(*card))),
                    });
                }
                for place in &mut places {
                    let by = remembered(*place);
                    if !visible.contains(*place) {
                        // A placeholder is always left, because each one takes the place of a different hidden card.
                        *place = next.next().filter(|_| hides("mask: which back")).unwrap_or(*place);
                        frame.face_down.insert(*place);
                    }
                    if let Some(bringer) = frame.by.get_mut(usize::from(*place)) {
                        *bringer = by;
                    }
                }
                frame.sets[zone] = S::from_cards(places.iter().copied());
                if let Some(list) = list {
                    list.clear();
                    list.extend_from_slice(&places);
                }
            }
        }
    }
}

/// Resets sealed values, hidden dice, locals of other seats, and locals that name a hidden card.
fn forget_cells<S: CardSet>(sight: &mut Sight<S>, visible: &S) {
    let me = sight.knowing_seat().map_or(-1, |seat| seat as i8);
    let Sight { scene, viewer, frame, .. } = sight;
    let instance = &scene.instance;
    let all = *viewer == Viewer::Replay;
    let mine = |owner: i8| all || owner >= 0 && owner == me;
    // A viewer knows the common value of picked cards only if it sees all of the cards.
    for (value, cards) in &scene.common {
        let (layout, of) = (&instance.layout.vars[*value as usize], &instance.layout.vars[*cards as usize]);
        let Some(first) = of.picked else { continue };
        for element in 0..layout.len.min(of.len) {
            let hidden = frame.picked[(first + element) as usize].iter().any(|card| !visible.contains(*card));
            if hidden && hides("mask: what picked cards have in common") {
                let at = (layout.base + element) as usize;
                frame.cells[at] = scene.start[at];
            }
        }
    }
    for id in &scene.private {
        let (var, layout) = (&instance.program.vars[*id as usize], &instance.layout.vars[*id as usize]);
        let local = matches!(var.kind, VarKind::Local | VarKind::SeatLocal);
        for element in 0..layout.len {
            let owner = scene.element_owner(*id, element);
            let known = match var.kind {
                VarKind::State { .. } | VarKind::Local | VarKind::PublicLocal => true,
                VarKind::SecretLocal => all || !hides("mask: what one was told"),
                VarKind::Sealed => mine(owner) || !hides("mask: sealed values"),
                VarKind::SeatLocal => mine(owner) || !hides("mask: others' picks"),
                VarKind::Dice { .. } => sees_dice(instance, frame, *viewer, *id, owner) || !hides("mask: dice"),
            };
            let at = (layout.base + element) as usize;
            let cell = &mut frame.cells[at];
            if !known {
                *cell = match var.kind {
                    // Everyone knows that a die was rolled. The sight shows its lowest face instead of the hidden one.
                    VarKind::Dice { low, .. } if *cell != scene.start[at] => low,
                    _ => scene.start[at],
                };
            } else if local && var.ty == Type::Card && !visible.has(*cell) && hides("mask: cards in variables") {
                *cell = NONE;
            } else if local && matches!(var.ty, Type::Text { .. }) && hides("mask: texts in variables") {
                *cell = 0;
            }
            if let Some(first) = layout.picked.filter(|_| hides("mask: picked cards")) {
                frame.picked[(first + element) as usize].retain(|card| known && visible.contains(*card));
            }
        }
    }
    // Inside a `together` block nobody else may know which decision a seat has answered.
    for (question, cell) in instance.code.questions.iter().map(|question| (question, question.chose as usize)) {
        if question.threaded && frame.cells[cell] != i32::from(me) && hides("mask: whose answer") {
            frame.cells[cell] = NONE;
        }
    }
}

/// Removes sealed answers, typed texts, and the positions of other seats in a `together` block.
fn forget_answers<S: CardSet>(sight: &mut Sight<S>, visible: &S) {
    let me = sight.knowing_seat();
    let frame = &mut sight.frame;
    frame.answers.retain(|answer| Some(answer.seat) == me || !hides("mask: sealed answers"));
    // A seat that has drawn an unseen card knows only that it has drawn one.
    let sealed =
        sight.scene.instance.sealed_ask(frame).map(|ask| &sight.scene.instance.code.questions[usize::from(ask)]);
    for answer in &mut frame.answers {
        let offer = sealed.and_then(|question| question.offers.get(usize::from(answer.answer.alternative)));
        for (lowered, value) in
            offer.map(|offer| &offer.parts[..]).unwrap_or_default().iter().zip(&mut answer.answer.parts)
        {
            if let (LoweredPartKind::Unseen(_), PartValue::Number(card)) = (&lowered.kind, value)
                && !visible.has(*card)
                && hides("mask: unseen card of an answer")
            {
                *card = NONE;
            }
        }
    }
    if hides("mask: chance") {
        frame.chance = 0;
    }
    if let Some(mut texts) = frame.texts.take() {
        if hides("mask: what was said") {
            texts.typed.clear();
        }
        texts.written.retain(|(card, _)| visible.contains(*card) || !hides("mask: what is written"));
        frame.texts = (!texts.written.is_empty() || !texts.typed.is_empty()).then_some(texts);
    }
    for (seat, at) in frame.seats.iter_mut().enumerate() {
        if Some(seat as u8) == me {
            continue;
        }
        let (threaded, open) = (frame.threads >> seat & 1 == 1, frame.open >> seat & 1 == 1);
        match (threaded, open) {
            // Everyone sees that the seat has not finished.
            (true, _) if hides("mask: threads") => *at = SeatFrame { pc: NO_PC, ask: NO_ID, decision: at.decision },
            (_, true) if hides("mask: where others stand") => at.pc = NO_PC,
            // Nobody needs to know what the seat was asked last.
            (_, false) if hides("mask: what others were asked") => *at = SeatFrame::default(),
            _ => {}
        }
    }
}
