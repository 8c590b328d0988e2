//! Replaces the handles of a view by numbers that depend on looks alone, to compare views whose observers gave out other handles.

use crate::cardset::CardSet;
use crate::present::zones::is_ordered;
use crate::sight::Scene;
use crate::view::{CardView, Content, DecisionView, Handle, PartKindView, View};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Zone, position, face, written text and bringer of a card. A viewer can't tell cards with equal looks apart.
type Look = (usize, Option<usize>, Option<u16>, Option<Box<str>>, Option<u8>);

/// Returns the view with handles that depend only on looks. It sorts lists whose order has no meaning.
pub fn likeness<S: CardSet>(scene: &Scene<S>, view: &View) -> View {
    let mut looks: BTreeMap<Handle, Look> = BTreeMap::new();
    for (zone, shown) in view.zones.iter().enumerate() {
        let Content::Cards(cards) = &shown.content else { continue };
        for (at, card) in cards.iter().enumerate() {
            let place = is_ordered(scene, zone).then_some(at);
            looks.insert(card.handle, (zone, place, card.face, card.written.clone(), card.by));
        }
    }
    let mut different: Vec<&Look> = looks.values().collect();
    different.sort();
    different.dedup();
    let number = |handle: &Handle| {
        let look = looks.get(handle);
        look.and_then(|look| different.binary_search(&look).ok()).map_or(0, |at| at as Handle + 1)
    };
    let sorted = |handles: &mut Vec<Handle>| {
        handles.iter_mut().for_each(|handle| *handle = number(handle));
        handles.sort_unstable();
    };
    let mut view = view.clone();
    view.seq = 0;
    for shown in &mut view.zones {
        let Content::Cards(cards) = &mut shown.content else { continue };
        cards.iter_mut().for_each(|card: &mut CardView| card.handle = number(&card.handle));
        cards.sort_by_key(|card| card.handle);
    }
    sorted(&mut view.highlights);
    if let Some(decision) = &mut view.decision {
        replace_handles_of_decision(Arc::make_mut(decision), number, sorted);
    }
    view
}

fn replace_handles_of_decision(
    decision: &mut DecisionView,
    number: impl Fn(&Handle) -> Handle,
    sorted: impl Fn(&mut Vec<Handle>),
) {
    for alternative in &mut decision.alternatives {
        for part in &mut alternative.parts {
            match &mut part.kind {
                PartKindView::Card { options, blocked } => {
                    sorted(options);
                    blocked.iter_mut().for_each(|blocked| blocked.handle = number(&blocked.handle));
                    blocked.sort_by_key(|blocked| blocked.handle);
                }
                PartKindView::Cards { options, .. } => sorted(options),
                PartKindView::Sets { options } => {
                    options.iter_mut().for_each(&sorted);
                    options.sort();
                }
                _ => {}
            }
        }
        // These are positions in lists that have just been sorted, so only their number is compared.
        if let Some(combinations) = &mut alternative.combinations {
            combinations.iter_mut().for_each(|combination| combination.fill(0));
        }
    }
}
