//! What is made from a sight says what it would say if it were made from the truth.
//!
//! A mask makes sure that a text, a badge or a label can't tell what its reader may not know. The checker makes sure that it never
//! needs to: a file whose texts would have to be masked is refused.

use super::difference;
use crate::cardset::CardSet;
use crate::frame::seats_of;
use crate::instance::expr::Script;
use crate::live::Live;
use crate::present::Public;
use crate::sight::Sight;
use crate::view::Viewer;

pub(super) fn is_told<S: CardSet>(live: &Live<S>) -> Result<(), String> {
    let (scene, truth) = (live.audience().scene(), &live.core().frame);
    let instance = &scene.instance;
    let spectator = Sight::new(scene, truth, Viewer::Spectator);
    let seen = Public::of_sight(None, &spectator);
    let real = Public::of_sight(None, &Sight::of_everything(scene, truth, Viewer::Spectator));
    if seen.said() != real.said() {
        return Err(format!("what all see is not true: {}", difference(&seen.said(), &real.said())));
    }
    let hidden = super::reference::hidden_cards(instance, truth, Viewer::Spectator);
    let lit: Vec<u16> = real.highlighted().iter().copied().filter(|card| !hidden.contains(*card)).collect();
    if seen.highlighted() != lit {
        return Err(format!("{:?} are highlighted instead of {lit:?}", seen.highlighted()));
    }
    // Inside a `together` what others are asked is their own business.
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
