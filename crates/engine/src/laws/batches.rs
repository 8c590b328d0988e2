//! Checks that the batch of a step depends on nothing that its viewer can't see, as long as the step shows the viewer nothing new.

use super::permute;
use crate::cardset::CardSet;
use crate::chance::FastChance;
use crate::live::Live;
use crate::moves::Move;
use crate::observe::{Audience, Observer};
use crate::view::{Batch, CardView, Content, Event, View, Viewer};

/// Makes the same move at this table and at one that differs in what the viewer can't see. Returns whether it compared the batches.
pub(super) fn check<S: CardSet>(
    live: &Live<S>,
    viewer: Viewer,
    seat: u8,
    answer: &Move,
    seed: u64,
) -> Result<bool, String> {
    let scene = live.audience().scene();
    let observer = live.audience().of(viewer).ok_or("nobody looks")?;
    let mut chance = FastChance::new(seed);
    let (frame, moved) = permute::permute_hidden_cards(&live.sight(viewer), &live.core().frame, &mut chance);
    let there = Observer::restore(scene, &frame, permute::rename_handles(observer.save(), &moved));
    let mut here = live.with(live.core().frame.clone(), Audience::of_one(scene, &live.core().frame, observer.clone()));
    let mut other = live.with(frame.clone(), Audience::of_one(scene, &frame, there));
    let other_answer = rename_move(live, seat, answer, &moved);
    if scene.instance.check(&frame, seat, &other_answer).is_err() {
        return Ok(false);
    }
    let batch = |live: &mut Live<S>, answer: &Move| {
        let batches = live.play(seat, answer).map_err(|refusal| format!("{refusal:?}"))?;
        batches.of(viewer).cloned().ok_or_else(|| "nothing told".to_owned())
    };
    let (a, b) = (batch(&mut here, answer)?, batch(&mut other, &other_answer)?);
    if shows_something(observer.view(), &a) || shows_something(observer.view(), &b) {
        return Ok(false);
    }
    if a != b {
        return Err(format!("{viewer:?} can tell from what it is told of {answer:?}: {}", super::difference(&a, &b)));
    }
    Ok(true)
}

pub(super) fn rename_move<S: CardSet>(live: &Live<S>, seat: u8, answer: &Move, moved: &[u16]) -> Move {
    let frame = &live.core().frame;
    let question = live.core().instance.code.questions.get(usize::from(frame.seats[usize::from(seat)].ask));
    let offer = question.and_then(|question| question.offers.get(usize::from(answer.alternative)));
    let mut answer = answer.clone();
    if let Some(offer) = offer {
        permute::rename_cards(offer, &mut answer, moved, false);
    }
    answer
}

/// Whether the batch shows a face that the view did not have under that handle, a revealed value or card, or a die that was hidden.
pub(super) fn shows_something(view: &View, batch: &Batch) -> bool {
    let known = |card: &CardView| {
        let shown = view.zones.iter().filter_map(|zone| match &zone.content {
            Content::Cards(cards) => Some(cards),
            _ => None,
        });
        shown.flatten().any(|old| old.handle == card.handle && old.face == card.face && old.written == card.written)
    };
    let is_new = |card: &CardView| card.face.is_some() && !known(card);
    batch.events.iter().any(|event| match event {
        Event::Moved { came, .. } => came.iter().any(|placed| is_new(&placed.card)),
        Event::Zone { view, .. } => matches!(&view.content, Content::Cards(cards) if cards.iter().any(is_new)),
        Event::Cards { cards, .. } => cards.iter().any(is_new),
        Event::Revealed { .. } => true,
        // The viewer did not see this die before.
        Event::Dice { dice, element, face: Some(_) } => {
            let old = view.dice.get(usize::from(*dice)).and_then(|dice| dice.faces.get(usize::from(*element)));
            old.is_some_and(Option::is_none)
        }
        // A viewer is told its own sealed values alone, and they are the same at both tables.
        _ => false,
    })
}
