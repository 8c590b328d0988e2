//! Two parts of one answer never name the same card: `card c from hand[p], card d from hand[p]` picks two cards.

use super::Elaborator;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;

impl<'a> Elaborator<'a> {
    /// Excludes the cards of earlier parts of the same alternative from the candidates of `part`.
    ///
    /// Only two single cards can be told apart like this. The engine lists several cards by kind, so it can't leave out one
    /// card of a kind. A back without the place of a known card would show where that card lies. Both are refused.
    pub(super) fn exclude_earlier_cards(&mut self, earlier: &[Part], part: &mut Part, written: &ast::Part) {
        for before in earlier {
            let (Some(here), Some(there)) = (source(&part.kind), source(&before.kind)) else { continue };
            if !may_overlap(&here, &there) {
                continue;
            }
            let hint = match (&part.kind, &before.kind) {
                (PartKind::Card(_), PartKind::Card(_)) | (PartKind::Unseen(_), PartKind::Unseen(_)) => {
                    let (card, other) = (Num::Bound(part.bound), Num::Bound(before.bound));
                    let differs = Num::Cmp(Cmp::Ne, Box::new(card), Box::new(other));
                    part.filter = Some(match part.filter.take() {
                        Some(filter) => Num::And(Box::new(differs), Box::new(filter)),
                        None => differs,
                    });
                    continue;
                }
                (PartKind::Unseen(_), _) | (_, PartKind::Unseen(_)) => {
                    "A back that can't be picked would show where a known card lies. Ask for the back in a question of its own."
                }
                (PartKind::Cards { .. } | PartKind::Card(_), PartKind::Cards { .. } | PartKind::Card(_)) => {
                    "Let the player pick all of them at once, `3 cards cs from hand[p]`, or ask for the others in a question of its own, after the first have been moved."
                }
                _ => {
                    "Ask for the group of cards first and for the other cards in a question of its own, after the group has been moved."
                }
            };
            self.report(
                Diagnostic::error("part/same-card", written.span, "One card could answer two parts")
                    .label(format!("`{}` is picked from the same cards", before.name))
                    .hint(hint),
            );
            return;
        }
    }
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
