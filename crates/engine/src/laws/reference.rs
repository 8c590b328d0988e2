//! Who may see what, read off the rules a second time.
//!
//! The laws change what a viewer may not know. They must not ask [`Sight`](crate::sight::Sight) what that is: a mask with a
//! hole would then be held against itself. So this is written apart from it, as plainly as the reference manual says it.

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::{Instance, ShownTo};
use crate::sight::Level;
use crate::view::Viewer;
use baize_rules::program::{VarId, Who};

/// Cards that a viewer may not know: those that lie where it does not see the cards, and those that lie face down.
pub(super) fn hidden_cards<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer) -> S {
    let mut hidden = instance.cards.all.clone();
    for zone in 0..instance.zones() {
        if level(instance, frame, viewer, zone) == Level::Cards {
            hidden = hidden.andnot(&frame.sets[zone].andnot(&frame.face_down));
        }
    }
    hidden
}

/// What a viewer sees of a zone instance.
pub(super) fn level<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer, zone: usize) -> Level {
    let at = &instance.layout.instances[zone];
    sees(instance, &instance.shown.sees[usize::from(at.zone)], frame, viewer, at.owner, Level::Count)
}

pub(super) fn sees_dice<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    dice: VarId,
    owner: i8,
) -> bool {
    let clauses = &instance.shown.dice[dice as usize];
    sees(instance, clauses, frame, viewer, owner, Level::Cards) == Level::Cards
}

/// Goes through the clauses in the order of the file; each that applies overrides those before it.
fn sees<S: CardSet>(
    instance: &Instance<S>,
    clauses: &[ShownTo],
    frame: &Frame<S>,
    viewer: Viewer,
    owner: i8,
    otherwise: Level,
) -> Level {
    if viewer == Viewer::Replay {
        return Level::Cards;
    }
    let seat = if let Viewer::Seat(seat) = viewer { i32::from(seat) } else { -1 };
    let value = |var: VarId| frame.cells[instance.layout.vars[var as usize].base as usize];
    let mut level = otherwise;
    for clause in clauses {
        let asleep = clause.when.is_some_and(|state| value(state) == 0);
        let meant = match &clause.who {
            Who::Everyone => true,
            Who::Players => seat >= 0,
            Who::Spectators => seat < 0,
            Who::Owner => seat >= 0 && seat == i32::from(owner),
            Who::Others => seat < 0 || seat != i32::from(owner),
            Who::Role(role) => seat >= 0 && seat == value(*role),
        };
        if meant && !asleep {
            level = clause.what;
        }
    }
    level
}
