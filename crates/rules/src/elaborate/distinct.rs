//! Two parts of one answer never name the same card: `card c from hand[p], card d from hand[p]` picks two cards.

use super::Elaborator;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;

impl<'a> Elaborator<'a> {
    /// Excludes the cards of earlier parts of the same alternative from the candidates of `part`.
    ///
    /// The engine lists groups of like cards and runs by kind of card, so it can't leave out one card of a kind. Beside
    /// another part from the same zone such a group is refused.
    pub(super) fn exclude_earlier_cards(&mut self, earlier: &[Part], part: &mut Part, written: &ast::Part) {
        for before in earlier {
            let (Some(here), Some(there)) = (source(&part.kind), source(&before.kind)) else { continue };
            if !may_overlap(&here, &there) {
                continue;
            }
            if is_listed_by_kind(&part.kind) || is_listed_by_kind(&before.kind) {
                self.report(
                    Diagnostic::error("part/same-card", written.span, "One card could answer two parts")
                        .label(format!("`{}` is picked from the same cards", before.name))
                        .hint("Ask for the group of cards first and for the other card in a question of its own, after the group has been moved."),
                );
                return;
            }
            let differs = match (is_one_card(&part.kind), is_one_card(&before.kind)) {
                (true, true) => Num::Cmp(Cmp::Ne, Box::new(Num::Bound(part.bound)), Box::new(Num::Bound(before.bound))),
                (true, false) => lacks(Selection::Bound(before.bound), part.bound),
                (false, true) => lacks(Selection::Bound(part.bound), before.bound),
                (false, false) => {
                    let card = self.new_bound();
                    let shared = Selection::Where {
                        of: Box::new(Selection::Bound(part.bound)),
                        bound: card,
                        cond: Box::new(Num::Holds(Selection::Bound(before.bound), Box::new(Num::Bound(card)))),
                    };
                    Num::IsEmpty(shared)
                }
            };
            part.filter = Some(match part.filter.take() {
                Some(filter) => Num::And(Box::new(differs), Box::new(filter)),
                None => differs,
            });
        }
    }
}

fn lacks(cards: Selection, card: BoundId) -> Num {
    Num::Not(Box::new(Num::Holds(cards, Box::new(Num::Bound(card)))))
}

/// The cards from which a part is picked. None for parts that are not cards.
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

fn is_one_card(kind: &PartKind) -> bool {
    matches!(kind, PartKind::Card(_) | PartKind::Unseen(_))
}

fn is_listed_by_kind(kind: &PartKind) -> bool {
    matches!(kind, PartKind::Alike { .. } | PartKind::Run { .. })
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

/// The zones from which a selection takes cards, with their indices (none for all zones of the name). None if the cards may
/// lie anywhere.
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
