//! Two parts of one answer never name the same card: `card c from hand[p], card d from hand[p]` picks two cards.

use super::Elaborator;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;

impl<'a> Elaborator<'a> {
    /// Takes the cards of earlier parts of the same alternative away from those that `part` is picked from, as if its author
    /// had written `hand[p] - c`.
    ///
    /// A player picks a back by its position. If the engine refused a back because its card was picked already, it would
    /// show where that card lies. So the checker refuses a back beside a card; two backs only have to be different.
    pub(super) fn exclude_earlier_cards(&mut self, earlier: &[Part], part: &mut Part, written: &ast::Part) {
        for before in earlier {
            let (Some(here), Some(there)) = (source(&part.kind), source(&before.kind)) else { continue };
            if excludes(&here, before.bound) || !may_overlap(&here, &there) {
                continue;
            }
            let picked = match &before.kind {
                PartKind::Card(_) | PartKind::Unseen(_) => Selection::One(Box::new(Num::Bound(before.bound))),
                _ => Selection::Bound(before.bound),
            };
            match (&mut part.kind, &before.kind) {
                (PartKind::Unseen(_), PartKind::Unseen(_)) => {
                    let (back, other) = (Num::Bound(part.bound), Num::Bound(before.bound));
                    let differs = Num::Cmp(Cmp::Ne, Box::new(back), Box::new(other));
                    part.filter = Some(match part.filter.take() {
                        Some(filter) => Num::And(Box::new(differs), Box::new(filter)),
                        None => differs,
                    });
                }
                (PartKind::Unseen(_), _) | (_, PartKind::Unseen(_)) => {
                    self.report(
                        Diagnostic::error("part/same-card", written.span, "One card could answer two parts")
                            .label(format!("`{}` is picked from the same cards", before.name))
                            .hint("A back that can't be picked would show where a known card lies. Ask for the back in a question of its own."),
                    );
                    return;
                }
                (
                    PartKind::Card(from)
                    | PartKind::Cards { from, .. }
                    | PartKind::Alike { from, .. }
                    | PartKind::Run { from, .. },
                    _,
                ) => *from = Selection::Minus(Box::new(from.clone()), Box::new(picked)),
                _ => {}
            }
        }
    }
}

/// Whether the author has taken the cards of an earlier part away already: `set b from hand[p] - a`.
fn excludes(cards: &Selection, earlier: BoundId) -> bool {
    match cards {
        Selection::Minus(of, taken) => has(taken, earlier) || excludes(of, earlier),
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => {
            excludes(of, earlier)
        }
        Selection::Union(a, b) => excludes(a, earlier) && excludes(b, earlier),
        _ => false,
    }
}

/// Whether a selection has all cards of an earlier part.
fn has(cards: &Selection, earlier: BoundId) -> bool {
    match cards {
        Selection::Bound(bound) => *bound == earlier,
        Selection::One(card) => matches!(**card, Num::Bound(bound) if bound == earlier),
        Selection::Union(a, b) => has(a, earlier) || has(b, earlier),
        _ => false,
    }
}

/// Returns the cards from which a part is picked. None for parts that are not cards.
fn source(kind: &PartKind) -> Option<Selection> {
    match kind {
        PartKind::Card(from)
        | PartKind::Cards { from, .. }
        | PartKind::Alike { from, .. }
        | PartKind::Run { from, .. } => Some(from.clone()),
        PartKind::Unseen(zone) => Some(Selection::Zone(zone.clone())),
        _ => None,
    }
}

/// Whether one card may be in both selections. A card lies in one zone only.
fn may_overlap(a: &Selection, b: &Selection) -> bool {
    let (Some(a), Some(b)) = (zones(a), zones(b)) else { return true };
    a.iter().any(|a| b.iter().any(|b| same_zone(a, b)))
}

/// Whether two zones may be the same one: of the same name, and without two constants that differ in their indices.
fn same_zone((a, at): &(ZoneId, Vec<Num>), (b, beside): &(ZoneId, Vec<Num>)) -> bool {
    let apart = |(a, b): (&Num, &Num)| matches!((a, b), (Num::Const(a), Num::Const(b)) if a != b);
    a == b && !at.iter().zip(beside).any(apart)
}

/// Returns the zones from which a selection takes cards, with their indices (none for all zones of the name). None if
/// the cards may lie anywhere.
fn zones(cards: &Selection) -> Option<Vec<(ZoneId, Vec<Num>)>> {
    match cards {
        Selection::Zone(zone) => Some(vec![(zone.zone, zone.index.clone())]),
        Selection::Family(zone) => Some(vec![(*zone, Vec::new())]),
        Selection::Where { of, .. }
        | Selection::Minus(of, _)
        | Selection::Ends { of, .. }
        | Selection::SetsOf { of, .. } => zones(of),
        Selection::Union(a, b) => Some([zones(a)?, zones(b)?].concat()),
        Selection::Deck(_) | Selection::Picked(_) | Selection::Bound(_) | Selection::One(_) => None,
    }
}
