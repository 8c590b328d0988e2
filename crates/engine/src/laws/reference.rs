//! Who may see what, read off the rules a second time.
//!
//! The laws change what a viewer may not know. They must not ask [`Sight`](crate::sight::Sight) what that is: a mask with a
//! hole would then be held against itself. So this is written apart from it, as plainly as the reference manual says it.

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::{Instance, ShownTo};
use crate::sight::Visibility;
use crate::view::Viewer;
use baize_rules::program::{Num, Op, PartKind, Program, Selection, VarId, VarKind, ViewerGroup, ZoneId, ZoneRef};

/// Cards that a viewer may not know: those that lie where it does not see the cards, and those that lie face down.
pub(super) fn hidden_cards<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer) -> S {
    let mut hidden = instance.cards.all.clone();
    for zone in 0..instance.zones() {
        if level(instance, frame, viewer, zone) == Visibility::Cards {
            hidden = hidden.andnot(&frame.sets[zone].andnot(&frame.face_down));
        }
    }
    hidden
}

/// What a viewer sees of a zone instance.
pub(super) fn level<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer, zone: usize) -> Visibility {
    let at = &instance.layout.instances[zone];
    sees(instance, &instance.shown.sees[usize::from(at.zone)], frame, viewer, at.owner, Visibility::Count)
}

pub(super) fn sees_dice<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    dice: VarId,
    owner: i8,
) -> bool {
    let clauses = &instance.shown.dice[dice as usize];
    sees(instance, clauses, frame, viewer, owner, Visibility::Cards) == Visibility::Cards
}

/// Goes through the clauses in the order of the file; each that applies overrides those before it.
fn sees<S: CardSet>(
    instance: &Instance<S>,
    clauses: &[ShownTo],
    frame: &Frame<S>,
    viewer: Viewer,
    owner: i8,
    otherwise: Visibility,
) -> Visibility {
    if viewer == Viewer::Replay {
        return Visibility::Cards;
    }
    let seat = if let Viewer::Seat(seat) = viewer { i32::from(seat) } else { -1 };
    let value = |var: VarId| frame.cells[instance.layout.vars[var as usize].base as usize];
    let mut level = otherwise;
    for clause in clauses {
        let asleep = clause.when.is_some_and(|state| value(state) == 0);
        let meant = match &clause.who {
            ViewerGroup::Everyone => true,
            ViewerGroup::Players => seat >= 0,
            ViewerGroup::Spectators => seat < 0,
            ViewerGroup::Owner => seat >= 0 && seat == i32::from(owner),
            ViewerGroup::Others => seat < 0 || seat != i32::from(owner),
            ViewerGroup::Role(role) => seat >= 0 && seat == value(*role),
        };
        if meant && !asleep {
            level = clause.what;
        }
    }
    level
}

/// Zones whose count everybody knows without seeing it: they began with a whole deck or with nothing, and everybody has seen how many
/// cards came and went each time.
pub(super) fn followed_zones<S: CardSet>(instance: &Instance<S>) -> Vec<bool> {
    let program = &instance.program;
    let zones = || 0..program.zones.len() as ZoneId;
    let counted: Vec<bool> = zones().map(|zone| is_counted(&instance.shown.sees[usize::from(zone)])).collect();
    let mut followed = vec![true; program.zones.len()];
    for op in &program.code {
        let (from, to) = match op {
            Op::Move { what, to, .. } => match picked(program, what) {
                // Where a card lies that was kept before, the rules follow by other means.
                Some(Picked::Somewhere) => continue,
                Some(Picked::From(zones)) => (Some(zones), to.zone),
                None => (sources(what), to.zone),
            },
            Op::Draw { from, to, .. } => (Some(vec![from.zone]), to.zone),
            Op::Deal { from, to, .. } => (Some(vec![from.zone]), *to),
            Op::Mix { from, to } => (Some(from.clone()), *to),
            // After a gather of the only deck everybody knows where all cards lie.
            Op::Gather { to, .. } if program.decks.len() > 1 => (None, to.zone),
            _ => continue,
        };
        let Some(from) = from else {
            followed.fill(false);
            continue;
        };
        let touched: Vec<ZoneId> = from.iter().copied().chain([to]).collect();
        for zone in &touched {
            let inside = is_family(program, *zone) && *zone == to && from.contains(zone);
            let others = touched.iter().filter(|other| *other != zone);
            followed[usize::from(*zone)] &= !inside && others.copied().all(|other| counted[usize::from(other)]);
        }
    }
    followed
}

/// Where cards come from that a player has picked.
enum Picked {
    From(Vec<ZoneId>),
    Somewhere,
}

fn picked(program: &Program, cards: &Selection) -> Option<Picked> {
    let var = match cards {
        Selection::Picked(var) => *var,
        Selection::One(card) => match &**card {
            Num::Var(var) => *var,
            _ => return None,
        },
        _ => return None,
    };
    let parts = program.asks.iter().flat_map(|ask| &ask.alternatives).flat_map(|alternative| &alternative.parts);
    let part = parts.into_iter().find(|part| part.var == var);
    let zones = part.and_then(|part| match &part.kind {
        PartKind::Card(from)
        | PartKind::Cards { from, .. }
        | PartKind::Alike { from, .. }
        | PartKind::Run { from, .. } => sources(from),
        PartKind::Unseen(zone) => Some(vec![zone.zone]),
        _ => None,
    });
    Some(zones.map_or(Picked::Somewhere, Picked::From))
}

fn is_family(program: &Program, zone: ZoneId) -> bool {
    !program.zones[usize::from(zone)].dims.is_empty()
}

/// Whether everybody always sees how many cards lie in a zone.
fn is_counted(clauses: &[ShownTo]) -> bool {
    // An owner, another player, a spectator: which clauses speak of them, and which may, by a role.
    [(true, true), (true, false), (false, false)].into_iter().all(|(plays, owns)| {
        // Viewers for whom a later clause without a condition decides: earlier clauses about the same viewers mean nothing.
        let mut settled: Vec<&ViewerGroup> = Vec::new();
        for clause in clauses.iter().rev() {
            if settled.contains(&&clause.who) {
                continue;
            }
            if clause.when.is_none() {
                settled.push(&clause.who);
            }
            let (meant, certain) = match clause.who {
                ViewerGroup::Everyone => (true, true),
                ViewerGroup::Players => (plays, true),
                ViewerGroup::Spectators => (!plays, true),
                ViewerGroup::Owner => (owns, true),
                ViewerGroup::Others => (!owns, true),
                ViewerGroup::Role(_) => (plays, false),
            };
            if meant && clause.what == Visibility::Nothing {
                return false;
            }
            if meant && certain && clause.when.is_none() {
                return true;
            }
        }
        true
    })
}

/// The zones that cards are taken from, if the rules name them.
fn sources(cards: &Selection) -> Option<Vec<ZoneId>> {
    match cards {
        Selection::Zone(zone) => Some(vec![zone.zone]),
        Selection::Family(zone) => Some(vec![*zone]),
        Selection::Deck(_) | Selection::Picked(_) | Selection::Bound(_) => None,
        Selection::One(card) => match &**card {
            Num::End { of, .. } | Num::Best { of, .. } => sources(of),
            _ => None,
        },
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => sources(of),
        Selection::Union(a, b) => {
            let (mut all, more) = (sources(a)?, sources(b)?);
            all.extend(more);
            Some(all)
        }
        Selection::Minus(a, _) => sources(a),
    }
}

/// Whether a viewer may tell apart hidden cards among which chance picks one: by their places in a zone that keeps its order, or
/// as backs that lie in sight. Where the rules do not say which zones these are, it may.
pub(super) fn have_places<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    cards: &Selection,
) -> bool {
    let has_places = |zone: &usize| {
        let ordered = instance.program.zones[usize::from(instance.layout.instances[*zone].zone)].ordered;
        let back = frame.sets[*zone].iter().any(|card| frame.face_down.contains(card));
        ordered || back && level(instance, frame, viewer, *zone) == Visibility::Cards
    };
    piles(instance, frame, cards).is_none_or(|zones| zones.iter().any(has_places))
}

/// The zone instances that an op takes cards from or turns cards in, if the rules name them. With `target` also those it moves
/// cards to.
pub(super) fn touched<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    op: &Op,
    target: bool,
) -> Option<Vec<usize>> {
    let family = |zone: ZoneId| instances(instance, zone).collect::<Vec<_>>();
    let (mut zones, to) = match op {
        Op::Move { what, to, .. } => (piles(instance, frame, what)?, vec![pile(instance, frame, to)?]),
        Op::Draw { from, to, .. } => (vec![pile(instance, frame, from)?], vec![pile(instance, frame, to)?]),
        Op::Deal { from, to, .. } => (vec![pile(instance, frame, from)?], family(*to)),
        Op::Pass { zone, .. } => (family(*zone), Vec::new()),
        Op::Turn { what, .. } => (piles(instance, frame, what)?, Vec::new()),
        _ => return None,
    };
    zones.extend(to.into_iter().filter(|_| target));
    zones.sort_unstable();
    zones.dedup();
    Some(zones)
}

/// The zone instances that a selection takes cards from. A condition, or how many are taken, is no such place. Cards that were
/// picked or kept before may lie anywhere.
fn piles<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, cards: &Selection) -> Option<Vec<usize>> {
    match cards {
        Selection::Zone(zone) => Some(vec![pile(instance, frame, zone)?]),
        Selection::Family(zone) => Some(instances(instance, *zone).collect()),
        Selection::Deck(_) | Selection::Picked(_) | Selection::Bound(_) => None,
        Selection::One(card) => match &**card {
            Num::End { of, .. } | Num::Best { of, .. } => piles(instance, frame, of),
            Num::If(_, a, b) => {
                let one = |card: &Num| piles(instance, frame, &Selection::One(Box::new(card.clone())));
                Some([one(a)?, one(b)?].concat())
            }
            _ => None,
        },
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => {
            piles(instance, frame, of)
        }
        Selection::Union(a, b) => Some([piles(instance, frame, a)?, piles(instance, frame, b)?].concat()),
        // Which cards are taken away from the others depends on both.
        Selection::Minus(a, b) => Some([piles(instance, frame, a)?, piles(instance, frame, b)?].concat()),
    }
}

fn instances<S: CardSet>(instance: &Instance<S>, zone: ZoneId) -> impl Iterator<Item = usize> {
    let all = instance.layout.instances.iter().enumerate();
    all.filter(move |(_, at)| at.zone == zone).map(|(number, _)| number)
}

/// The instance that an index names, if the index consists of numbers and plain variables.
fn pile<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, zone: &ZoneRef) -> Option<usize> {
    let value = |index: &Num| match index {
        Num::Const(value) => Some(*value),
        Num::Var(var) => {
            let (declared, layout) = (&instance.program.vars[*var as usize], &instance.layout.vars[*var as usize]);
            let plain = layout.len == 1 && declared.kind != VarKind::SeatLocal;
            plain.then(|| frame.cells[layout.base as usize])
        }
        _ => None,
    };
    let index = zone.index.iter().map(value).collect::<Option<Vec<i32>>>()?;
    instances(instance, zone.zone).find(|number| instance.layout.instances[*number].index == index)
}
