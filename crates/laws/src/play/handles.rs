//! Checks that no viewer can follow a card that goes out of sight, and that no event names a zone out of sight.

use baize_engine::laws::Views;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::view::{Batch, Content, Event, Handle, View, Viewer, ZoneView};
use std::collections::BTreeSet;

/// The handles that each viewer has lost. A handle that comes back would identify the card.
#[derive(Default)]
pub(super) struct StaleHandles {
    handles: Vec<(Viewer, BTreeSet<Handle>)>,
    /// For each zone, whether its cards are shown in the order in which they lie.
    ordered: Vec<bool>,
}

impl StaleHandles {
    /// Checks what each viewer is told of a step. `views` are the views before the step.
    pub fn follow(&mut self, views: &Views, batches: &StepBatches, table: &LiveTable) -> Result<(), String> {
        if self.ordered.is_empty() {
            self.ordered = table.definition().zones.iter().map(|zone| zone.ordered).collect();
        }
        for (viewer, before) in views {
            let (Some(batch), Some(after)) = (batches.of(*viewer), table.view(*viewer)) else { continue };
            if !self.handles.iter().any(|(known, _)| known == viewer) {
                self.handles.push((*viewer, BTreeSet::new()));
            }
            let Some((_, lost)) = self.handles.iter_mut().find(|(known, _)| known == viewer) else { continue };
            come_back(before, batch, after, lost, &self.ordered).map_err(|what| format!("{viewer:?}: {what}"))?;
            is_named(before, batch, after).map_err(|what| format!("{viewer:?}: {what}"))?;
        }
        Ok(())
    }
}

fn cards(zone: &ZoneView) -> impl Iterator<Item = Handle> + '_ {
    let cards = match &zone.content {
        Content::Cards(cards) => &cards[..],
        _ => &[],
    };
    cards.iter().map(|card| card.handle)
}

fn in_sight(view: &View) -> BTreeSet<Handle> {
    view.zones.iter().flat_map(cards).collect()
}

fn come_back(
    before: &View,
    batch: &Batch,
    after: &View,
    lost: &mut BTreeSet<Handle>,
    ordered: &[bool],
) -> Result<(), String> {
    for (at, event) in batch.events.iter().enumerate() {
        match event {
            Event::Moved { from, gone, came, .. } => {
                let new = |handle: &Handle| came.iter().any(|placed| placed.card.handle == *handle);
                lost.extend(gone.iter().filter(|handle| !new(handle)));
                if let Some(placed) = came.iter().find(|placed| lost.contains(&placed.card.handle)) {
                    return Err(format!("handle {} comes back: {event:?}", placed.card.handle));
                }
                // After a mix a card has no origin, so nobody may recognise it.
                let known = in_sight(before);
                if from.is_none() && came.iter().any(|placed| known.contains(&placed.card.handle)) {
                    return Err(format!("a card is followed to where it comes from nowhere: {event:?}"));
                }
            }
            // After a shuffle of an ordered zone, the next event tells the whole zone again.
            Event::Shuffled { zone } if ordered[usize::from(*zone)] => {
                let Some(Event::Zone { zone: retold, view }) = batch.events.get(at + 1) else { continue };
                let old = in_sight(before);
                if let Some(handle) = cards(view).find(|handle| retold == zone && old.contains(handle)) {
                    return Err(format!("handle {handle} is followed through a shuffle"));
                }
            }
            Event::Revealed { faces, .. } if !faces.is_sorted() => {
                return Err(format!("cards are revealed in an order that tells something: {faces:?}"));
            }
            _ => {}
        }
    }
    let now = in_sight(after);
    if let Some(handle) = now.iter().find(|handle| lost.contains(handle)) {
        return Err(format!("handle {handle} comes back"));
    }
    lost.extend(in_sight(before).difference(&now));
    Ok(())
}

/// Checks that no event names a zone of which the viewer sees nothing, before and after.
fn is_named(before: &View, batch: &Batch, after: &View) -> Result<(), String> {
    let unseen = |zone: &u16| {
        let nothing = |view: &View| view.zones.get(usize::from(*zone)).is_some_and(|z| z.content == Content::Nothing);
        // The holder of a role may have seen the zone for a moment.
        let shown = |event: &Event| matches!(event, Event::Zone { zone: z, .. } if z == zone);
        nothing(before) && nothing(after) && !batch.events.iter().any(shown)
    };
    for event in &batch.events {
        let named: Vec<u16> = match event {
            Event::Moved { from, to, .. } => {
                if from.is_none() && to.is_none() {
                    return Err(format!("a move out of sight is told: {event:?}"));
                }
                from.iter().chain(to).copied().collect()
            }
            Event::Shuffled { zone } | Event::Cards { zone, .. } => vec![*zone],
            Event::Revealed { zone, .. } => zone.iter().copied().collect(),
            _ => Vec::new(),
        };
        if named.iter().any(&unseen) {
            return Err(format!("a zone out of sight is named: {event:?}"));
        }
    }
    Ok(())
}
