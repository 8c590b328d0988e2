//! Decides who sees what of zones and dice, by the `… sees …` clauses of the rules.

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::{Instance, ShownTo};
use crate::switch::hides;
use crate::view::Viewer;
use baize_rules::program::{VarId, ViewerGroup};

/// What a viewer sees of a zone: nothing, the number of cards, or the cards that lie face up.
pub use baize_rules::program::Visibility;

/// Returns as whom a viewer knows secrets. A newcomer who waits for `admit` knows what spectators know: the cards and sealed values of
/// its seat may be those of a player who has left.
pub fn knows_as<S>(frame: &Frame<S>, viewer: Viewer) -> Viewer {
    match viewer {
        Viewer::Seat(seat) if frame.pending >> seat & 1 == 1 && hides("eyes: waiting newcomers") => Viewer::Spectator,
        _ => viewer,
    }
}

/// Returns what a viewer sees of a zone instance.
pub(super) fn zone_level<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    zone: usize,
) -> Visibility {
    let at = &instance.layout.instances[zone];
    level(instance, &instance.shown.sees[usize::from(at.zone)], frame, viewer, at.owner, Visibility::Count)
}

/// Whether a viewer sees dice that belong to a seat (-1: to nobody). Without a clause everyone sees them.
pub fn sees_dice<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer, dice: VarId, owner: i8) -> bool {
    level(instance, &instance.shown.dice[dice as usize], frame, viewer, owner, Visibility::Cards) == Visibility::Cards
}

/// Returns the variables whose values decide who sees something.
pub fn roles<S: CardSet>(instance: &Instance<S>) -> Vec<VarId> {
    let clauses = instance.shown.sees.iter().chain(&instance.shown.dice).flatten();
    let mut roles: Vec<_> = clauses
        .flat_map(|clause| {
            let role = match clause.who {
                ViewerGroup::Role(var) => Some(var),
                _ => None,
            };
            [role, clause.when].into_iter().flatten()
        })
        .collect();
    roles.sort_unstable();
    roles.dedup();
    roles
}

/// Returns the visibility of the last clause that applies to a viewer.
fn level<S: CardSet>(
    instance: &Instance<S>,
    clauses: &[ShownTo],
    frame: &Frame<S>,
    viewer: Viewer,
    owner: i8,
    otherwise: Visibility,
) -> Visibility {
    let seat = match knows_as(frame, viewer) {
        Viewer::Seat(seat) => Some(seat as i8),
        Viewer::Spectator => None,
        Viewer::Replay => return Visibility::Cards,
    };
    let value = |var: VarId| frame.cells[instance.layout.vars[var as usize].base as usize];
    let says_yes = |clause: &ShownTo, var: VarId| match (clause.when_owners, u32::try_from(owner)) {
        (true, Ok(owner)) => frame.cells[(instance.layout.vars[var as usize].base + owner) as usize] != 0,
        (true, Err(_)) => false,
        (false, _) => value(var) != 0,
    };
    let applies = |clause: &&ShownTo| {
        clause.when.is_none_or(|var| says_yes(clause, var) || !hides("eyes: when"))
            && match clause.who {
                ViewerGroup::Everyone => true,
                ViewerGroup::Players => seat.is_some() || !hides("eyes: players"),
                ViewerGroup::Spectators => seat.is_none() || !hides("eyes: spectators"),
                ViewerGroup::Owner => seat == Some(owner) || !hides("eyes: owner"),
                ViewerGroup::Others => seat != Some(owner) || !hides("eyes: others"),
                ViewerGroup::Role(var) => {
                    seat.is_some_and(|seat| value(var) == i32::from(seat)) || !hides("eyes: role")
                }
            }
    };
    clauses.iter().rev().find(applies).map_or(otherwise, |clause| clause.what)
}
