//! What a viewer is told of a step depends on nothing it can't see, as long as the step shows it nothing new.

use super::permute;
use crate::cardset::CardSet;
use crate::chance::FastChance;
use crate::live::Live;
use crate::moves::Move;
use crate::observe::{Audience, Observer};
use crate::view::{Batch, CardView, Content, Event, View, Viewer};

/// Makes the same move here and at a table that differs in what the viewer can't see. True if it could be compared.
pub(super) fn same<S: CardSet>(
    live: &Live<S>,
    viewer: Viewer,
    seat: u8,
    answer: &Move,
    seed: u64,
) -> Result<bool, String> {
    let scene = live.audience().scene();
    let observer = live.audience().of(viewer).ok_or("nobody looks")?;
    let mut chance = FastChance::new(seed);
    let (frame, moved) = permute::permuted(&live.sight(viewer), &live.core().frame, &mut chance);
    let there = Observer::restore(scene, &frame, permute::renamed(observer.save(), &moved));
    let mut here = live.with(live.core().frame.clone(), Audience::of_one(scene, &live.core().frame, observer.clone()));
    let mut other = live.with(frame.clone(), Audience::of_one(scene, &frame, there));
    let elsewhere = renamed_move(live, seat, answer, &moved);
    if scene.instance.check(&frame, seat, &elsewhere).is_err() {
        return Ok(false);
    }
    let told = |live: &mut Live<S>, answer: &Move| {
        let told = live.play(seat, answer).map_err(|refusal| format!("{refusal:?}"))?;
        told.of(viewer).cloned().ok_or_else(|| "nothing told".to_owned())
    };
    let (a, b) = (told(&mut here, answer)?, told(&mut other, &elsewhere)?);
    if shows_something(observer.view(), &a) || shows_something(observer.view(), &b) {
        return Ok(false);
    }
    if a != b {
        return Err(format!("{viewer:?} can tell from what it is told of {answer:?}: {}", super::difference(&a, &b)));
    }
    Ok(true)
}

pub(super) fn renamed_move<S: CardSet>(live: &Live<S>, seat: u8, answer: &Move, moved: &[u16]) -> Move {
    let frame = &live.core().frame;
    let question = live.core().instance.code.questions.get(usize::from(frame.seats[usize::from(seat)].ask));
    let offer = question.and_then(|question| question.offers.get(usize::from(answer.alternative)));
    let mut answer = answer.clone();
    if let Some(offer) = offer {
        permute::rename(offer, &mut answer, moved, false);
    }
    answer
}

/// Whether a face comes into sight that the view did not have under that handle, or something is told in words.
pub(super) fn shows_something(view: &View, batch: &Batch) -> bool {
    let known = |card: &CardView| {
        let shown = view.zones.iter().filter_map(|zone| match &zone.content {
            Content::Cards(cards) => Some(cards),
            _ => None,
        });
        shown.flatten().any(|old| old.handle == card.handle && old.face == card.face && old.written == card.written)
    };
    let news = |card: &CardView| card.face.is_some() && !known(card);
    batch.events.iter().any(|event| match event {
        Event::Moved { came, .. } => came.iter().any(|placed| news(&placed.card)),
        Event::Zone { view, .. } => matches!(&view.content, Content::Cards(cards) if cards.iter().any(news)),
        Event::Cards { cards, .. } => cards.iter().any(news),
        Event::Revealed { .. } => true,
        // A die that lay under a cup is seen now.
        Event::Dice { dice, element, face: Some(_) } => {
            let old = view.dice.get(usize::from(*dice)).and_then(|dice| dice.faces.get(usize::from(*element)));
            old.is_some_and(Option::is_none)
        }
        // One's own sealed values are set anew, the same at both tables; others' are not shown.
        _ => false,
    })
}
