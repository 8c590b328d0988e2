//! Checks that texts made from a sight are equal to texts made from the true frame.
//!
//! The mask of a sight keeps a text, a badge or a label from telling what its reader may not know. The checker of the language refuses a
//! file whose texts read hidden values, so the mask must never change a text.

use super::difference;
use crate::cardset::CardSet;
use crate::frame::seats_of;
use crate::instance::expr::Script;
use crate::live::Live;
use crate::present::Public;
use crate::sight::Sight;
use crate::view::Viewer;

pub(super) fn check<S: CardSet>(live: &Live<S>) -> Result<(), String> {
    let (scene, truth) = (live.audience().scene(), &live.core().frame);
    let instance = &scene.instance;
    let spectator = Sight::new(scene, truth, Viewer::Spectator);
    let seen = Public::of_sight(None, &spectator);
    let real = Public::of_sight(None, &Sight::of_everything(scene, truth, Viewer::Spectator));
    if seen.texts_for_laws() != real.texts_for_laws() {
        return Err(format!(
            "what all see is not true: {}",
            difference(&seen.texts_for_laws(), &real.texts_for_laws())
        ));
    }
    let hidden = super::reference::hidden_cards(instance, truth, Viewer::Spectator);
    let lit: Vec<u16> = real.highlighted().iter().copied().filter(|card| !hidden.contains(*card)).collect();
    if seen.highlighted() != lit {
        return Err(format!("{:?} are highlighted instead of {lit:?}", seen.highlighted()));
    }
    // Inside a `together` block a viewer does not learn what others are asked.
    if truth.threads == 0 && seen.waiting != real.waiting {
        return Err(format!("who is waited for is not told as it is: {}", difference(&seen.waiting, &real.waiting)));
    }
    for seat in seats_of(truth.open) {
        let sight = live.sight(Viewer::Seat(seat));
        let question = &instance.code.questions[usize::from(truth.seats[usize::from(seat)].ask)];
        let labels = question.offers.iter().filter_map(|offer| offer.label.as_ref());
        let texts: Vec<&Script<S>> = question.prompt.iter().chain(labels).collect();
        for text in texts {
            let read = |frame| instance.write_text(frame, text, i32::from(seat), &[]);
            if read(sight.frame()) != read(truth) {
                let (seen, real) = (read(sight.frame()), read(truth));
                return Err(format!("seat {seat} reads {seen:?}, and true is {real:?}"));
            }
        }
    }
    Ok(())
}
