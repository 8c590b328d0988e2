//! A second implementation of who may see what.
//!
//! The laws change what a viewer may not know. They must not ask [`Sight`](crate::sight::Sight) what that is, because a law that uses
//! the mask can't find a hole in the mask. So this code shares nothing with it, and follows the language reference sentence by sentence.

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::{Instance, ShownTo};
use crate::sight::Visibility;
use crate::view::Viewer;
use baize_rules::program::{Num, Op, PartKind, Program, Selection, Var, VarId, VarKind, ViewerGroup, ZoneId, ZoneRef};

/// Returns the cards that a viewer may not know: those in zones whose cards it does not see, and those that lie face down.
pub(super) fn hidden_cards<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer) -> S {
    let mut hidden = instance.cards.all.clone();
    for zone in 0..instance.zones() {
        if level(instance, frame, viewer, zone) == Visibility::Cards {
            hidden = hidden.andnot(&frame.sets[zone].andnot(&frame.face_down));
        }
    }
    hidden
}

/// Returns what a viewer sees of a zone instance.
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
    // A newcomer who sits in a seat and waits for an `admit` is not a player of the game yet.
    let seat = match viewer {
        Viewer::Seat(seat) if frame.pending & 1 << seat == 0 => i32::from(seat),
        _ => -1,
    };
    let value = |var: VarId| frame.cells[instance.layout.vars[var as usize].base as usize];
    let mut level = otherwise;
    for clause in clauses {
        let asleep = match clause.when {
            None => false,
            Some(state) if clause.when_owners => {
                let of_owner = &frame.cells[instance.layout.vars[state as usize].base as usize..];
                owner < 0 || of_owner[owner as usize] == 0
            }
            Some(state) => value(state) == 0,
        };
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

/// Whether the rules have told a viewer what a variable holds (`reveal … to p`). True also if they do not say plainly to whom.
pub(super) fn was_told<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, viewer: Viewer, var: &Var) -> bool {
    let Viewer::Seat(seat) = viewer else { return false };
    if var.kind != VarKind::SecretLocal || frame.pending & 1 << seat != 0 {
        return false;
    }
    instance.program.code.iter().any(|op| match op {
        Op::RevealValue { to_var, to: Some(to), .. } if std::ptr::eq(&instance.program.vars[*to_var as usize], var) => {
            match to {
                Num::Lead => i32::from(frame.lead) == i32::from(seat),
                to => plain_value(instance, frame, to).is_none_or(|addressee| addressee == i32::from(seat)),
            }
        }
        _ => false,
    })
}

/// Returns the value of a constant or a plain variable.
fn plain_value<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, value: &Num) -> Option<i32> {
    match value {
        Num::Const(value) => Some(*value),
        Num::Var(var) => {
            let (declared, layout) = (&instance.program.vars[*var as usize], &instance.layout.vars[*var as usize]);
            let plain = layout.len == 1 && declared.kind != VarKind::SeatLocal;
            plain.then(|| frame.cells[layout.base as usize])
        }
        _ => None,
    }
}

/// Whether an ordered zone that the viewer sees sorted holds its cards in another order in the second frame.
pub(super) fn sorted_zones_differ<S: CardSet>(
    instance: &Instance<S>,
    here: &Frame<S>,
    there: &Frame<S>,
    viewer: Viewer,
) -> bool {
    let is_sorted = |zone: &usize| {
        let declared = &instance.program.zones[usize::from(instance.layout.instances[*zone].zone)];
        declared.ordered && !declared.sorted.is_empty() && level(instance, here, viewer, *zone) == Visibility::Cards
    };
    let faces = |frame: &Frame<S>, zone: usize| -> Vec<_> {
        instance.in_order(frame, zone).into_iter().map(|card| instance.face(card)).collect()
    };
    (0..instance.zones()).filter(is_sorted).any(|zone| faces(here, zone) != faces(there, zone))
}

/// Returns the zones whose count everybody knows even if they do not see it: such a zone begins with a whole deck or with nothing, and
/// everybody sees the number of cards of every later move into it or out of it.
pub(super) fn followed_zones<S: CardSet>(instance: &Instance<S>) -> Vec<bool> {
    let program = &instance.program;
    let zones = || 0..program.zones.len() as ZoneId;
    let counted: Vec<bool> = zones().map(|zone| is_counted(&instance.shown.sees[usize::from(zone)])).collect();
    let mut followed = vec![true; program.zones.len()];
    for op in &program.code {
        let (from, to) = match op {
            Op::Move { what, to, .. } => match picked(program, what) {
                // The card comes from a variable that is no part of an answer. The checker follows such cards by other rules.
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

/// The zones from which a player has picked cards, if the rules name them.
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
    // The three cases are an owner, another player and a spectator. A clause about a role may apply to any player.
    [(true, true), (true, false), (false, false)].into_iter().all(|(plays, owns)| {
        // A later clause without a condition decides for these viewers, so earlier clauses about the same viewers have no effect.
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

/// Returns the zones from which a selection takes cards, if the rules name them.
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

/// Whether the viewer may tell apart the hidden cards from which chance picks one: by their positions in an ordered zone, or because
/// it sees their backs.
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
    piles(instance, frame, cards).zones.iter().any(has_places)
}

/// Where an op takes or turns cards.
pub(super) struct TouchedCards {
    /// The zone instances. If the rules do not say which, all that may be meant.
    pub zones: Vec<usize>,
    /// The cards that the op names by an answer or a variable.
    pub named: Vec<u16>,
}

/// Returns the zone instances in which an op takes or turns cards, or `None` if it does neither. With `target` it also returns those to
/// which the op moves cards.
pub(super) fn touched<S: CardSet>(
    instance: &Instance<S>,
    frame: &Frame<S>,
    op: &Op,
    target: bool,
) -> Option<TouchedCards> {
    let family = |zone: ZoneId| instances(instance, zone).collect::<Vec<_>>();
    let in_zones = |zones: Vec<usize>| TouchedCards { zones, named: Vec::new() };
    let (mut from, to) = match op {
        Op::Move { what, to, .. } => (piles(instance, frame, what), pile(instance, frame, to)),
        Op::Draw { from, to, .. } => (in_zones(pile(instance, frame, from)), pile(instance, frame, to)),
        Op::Deal { from, to, .. } => (in_zones(pile(instance, frame, from)), family(*to)),
        Op::Pass { zone, .. } => (in_zones(family(*zone)), Vec::new()),
        Op::Turn { what, .. } => (piles(instance, frame, what), Vec::new()),
        Op::Gather { .. } => (in_zones((0..instance.zones()).collect()), Vec::new()),
        _ => return None,
    };
    from.zones.extend(to.into_iter().filter(|_| target));
    from.zones.sort_unstable();
    from.zones.dedup();
    Some(from)
}

/// Returns the zone instances from which a selection takes cards. Zones that only a condition or a number reads do not count.
fn piles<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, cards: &Selection) -> TouchedCards {
    let both = |a: TouchedCards, b: TouchedCards| TouchedCards {
        zones: [a.zones, b.zones].concat(),
        named: [a.named, b.named].concat(),
    };
    let anywhere = || TouchedCards { zones: (0..instance.zones()).collect(), named: Vec::new() };
    match cards {
        Selection::Zone(zone) => TouchedCards { zones: pile(instance, frame, zone), named: Vec::new() },
        Selection::Family(zone) => TouchedCards { zones: instances(instance, *zone).collect(), named: Vec::new() },
        Selection::Deck(_) | Selection::Bound(_) => anywhere(),
        // A variable of a sealed answer has an element for each seat. The tables may differ in any of them.
        Selection::Picked(var) => {
            let layout = &instance.layout.vars[*var as usize];
            match layout.picked {
                Some(first) => {
                    let picks = &frame.picked[first as usize..][..layout.len as usize];
                    lying(frame, picks.iter().flat_map(|cards| cards.to_vec()).collect())
                }
                None => anywhere(),
            }
        }
        Selection::One(card) => match &**card {
            Num::End { of, .. } | Num::Best { of, .. } => piles(instance, frame, of),
            Num::If(_, a, b) => {
                let one = |card: &Num| piles(instance, frame, &Selection::One(Box::new(card.clone())));
                both(one(a), one(b))
            }
            Num::Var(var) => {
                let layout = &instance.layout.vars[*var as usize];
                let cards = &frame.cells[layout.base as usize..][..layout.len as usize];
                lying(frame, cards.iter().filter_map(|card| u16::try_from(*card).ok()).collect())
            }
            _ => anywhere(),
        },
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => {
            piles(instance, frame, of)
        }
        // What is left of the first selection depends on the second.
        Selection::Union(a, b) | Selection::Minus(a, b) => both(piles(instance, frame, a), piles(instance, frame, b)),
    }
}

/// Returns where cards lie that the rules name by an answer or a variable.
fn lying<S: CardSet>(frame: &Frame<S>, named: Vec<u16>) -> TouchedCards {
    let holds = |(zone, cards): (usize, &S)| named.iter().any(|card| cards.contains(*card)).then_some(zone);
    TouchedCards { zones: frame.sets.iter().enumerate().filter_map(holds).collect(), named }
}

fn instances<S: CardSet>(instance: &Instance<S>, zone: ZoneId) -> impl Iterator<Item = usize> {
    let all = instance.layout.instances.iter().enumerate();
    all.filter(move |(_, at)| at.zone == zone).map(|(number, _)| number)
}

/// Returns the instance that a reference names. Returns all instances of the zone if the index is more than constants and plain variables.
fn pile<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, zone: &ZoneRef) -> Vec<usize> {
    let value = |index: &Num| plain_value(instance, frame, index);
    let all = instances(instance, zone.zone);
    match zone.index.iter().map(value).collect::<Option<Vec<i32>>>() {
        Some(index) => all.filter(|number| instance.layout.instances[*number].index == index).collect(),
        None => all.collect(),
    }
}
