//! View + batch = next view.
//!
//! A client needs nothing else to follow a table. The browser's reducer (`web/src/state/reduce.ts`) has the same arms and
//! the same helpers, so that the two can be read side by side. The reducer knows no rules and trusts no batch: a batch that
//! does not fit the view is an error, and the client must then fetch the view again.

use crate::view::{Batch, CardView, Content, Event, Handle, Placed, SeatView, View, ZoneView};
use std::sync::Arc;

/// Why a batch does not fit this view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReduceError {
    /// The batch is not the next one.
    Seq { have: u64, got: u64 },
    /// There is no such zone, variable, dice, element or seat.
    Index,
    /// The card is not in the zone that the batch names.
    Handle(Handle),
    /// The batch takes more cards than the zone has, lists fewer cards than it moves, or names a position past the end.
    Count,
}

impl std::fmt::Display for ReduceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Seq { have, got } => write!(f, "batch {got} does not follow {have}"),
            Self::Index => write!(f, "the batch names something this view does not have"),
            Self::Handle(handle) => write!(f, "card {handle} is not where the batch says"),
            Self::Count => write!(f, "the number of cards does not fit"),
        }
    }
}

impl std::error::Error for ReduceError {}

/// What a batch replaced in a view. Whoever has this and the view after the batch can tell what happened (`crates/narrator`) without
/// a copy of the view before it. A copy for each viewer took about a seventh of what a room does for a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replaced {
    /// The seats before the batch.
    pub seats: Arc<Vec<SeatView>>,
    /// One entry for each `Moved`, `Zone` and `Cards` of the batch, in their order.
    pub contents: Vec<ReplacedContent>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReplacedContent {
    /// The shown cards that left a zone (`Moved`), or cards as they lay before (`Cards`), in the order of the event.
    Cards(Vec<CardView>),
    /// The zone as it was before (`Zone`).
    Zone(ZoneView),
}

/// Turns a view into the next, and returns what the batch replaced. An error leaves the view half changed; the caller must throw it away.
pub fn reduce(view: &mut View, batch: &Batch) -> Result<Replaced, ReduceError> {
    if batch.seq != view.seq + 1 {
        return Err(ReduceError::Seq { have: view.seq, got: batch.seq });
    }
    let mut replaced = Replaced { seats: view.seats.clone(), contents: Vec::new() };
    for event in &batch.events {
        replaced.contents.extend(apply(view, event)?);
    }
    view.seq = batch.seq;
    Ok(replaced)
}

/// Applies one event to a view. Returns what it replaced, if it is an event about cards.
pub fn apply(view: &mut View, event: &Event) -> Result<Option<ReplacedContent>, ReduceError> {
    match event {
        Event::Moved { from, to, count, gone, came } => {
            let taken = match from {
                Some(from) => take_cards(zone(view, *from)?, *count, gone)?,
                None => Vec::new(),
            };
            if let Some(to) = to {
                put_cards(zone(view, *to)?, *count, came)?;
            }
            return Ok(Some(ReplacedContent::Cards(taken)));
        }
        Event::Zone { zone: at, view: content } => {
            let old = std::mem::replace(zone(view, *at)?, content.clone());
            return Ok(Some(ReplacedContent::Zone(old)));
        }
        Event::Cards { zone: at, cards } => {
            let shown = shown_cards(zone(view, *at)?)?;
            let mut old = Vec::with_capacity(cards.len());
            for card in cards {
                let position = find_card(shown, card.handle)?;
                old.push(std::mem::replace(&mut shown[position], card.clone()));
            }
            return Ok(Some(ReplacedContent::Cards(old)));
        }
        Event::Turned { zone: at, turned } => zone(view, *at)?.turned = *turned,
        Event::Value { var, element, value } => {
            let values = &mut view.values.get_mut(usize::from(*var)).ok_or(ReduceError::Index)?.values;
            *values.get_mut(usize::from(*element)).ok_or(ReduceError::Index)? = *value;
        }
        Event::Dice { dice, element, face } => {
            let faces = &mut view.dice.get_mut(usize::from(*dice)).ok_or(ReduceError::Index)?.faces;
            *faces.get_mut(usize::from(*element)).ok_or(ReduceError::Index)? = *face;
        }
        Event::Phase { phase } => view.phase.clone_from(phase),
        Event::Lead { seat } => view.lead = *seat,
        Event::Paused { paused } => view.paused = *paused,
        Event::Seat { seat: at, view: seat_view } => seat(view, *at)?.clone_from(seat_view),
        Event::Badges { seat: at, from, badges } => replace_from(&mut seat(view, *at)?.badges, *from, badges)?,
        Event::Badge { seat: of, at, value } => {
            let badges = Arc::make_mut(&mut seat(view, *of)?.badges);
            badges.get_mut(usize::from(*at)).ok_or(ReduceError::Index)?.value.clone_from(value);
        }
        Event::Marks { seat: at, status } => seat(view, *at)?.status.clone_from(status),
        Event::Highlights { handles } => view.highlights.clone_from(handles),
        Event::Status { from, lines } => replace_from(&mut view.status, *from, lines)?,
        Event::Waiting { waiting } => {
            view.waiting.clone_from(waiting);
            for (at, seat) in (0u8..).zip(Arc::make_mut(&mut view.seats)) {
                seat.turn = waiting.iter().any(|waiting| waiting.seat == at);
            }
        }
        Event::Decision { decision } => view.decision.clone_from(decision),
        Event::Outcome { outcome } => view.outcome = Some((**outcome).clone()),
        // These events are for animations and texts; the view keeps no trace of them.
        Event::Shuffled { .. }
        | Event::Rolled { .. }
        | Event::Skipped { .. }
        | Event::Announced { .. }
        | Event::Revealed { .. } => {}
    }
    Ok(None)
}

/// What stands in the place of an event about cards that did not fit, so that the other entries stay with their events.
pub(crate) fn nothing_replaced_by(event: &Event) -> Option<ReplacedContent> {
    let is_about_cards = matches!(event, Event::Moved { .. } | Event::Zone { .. } | Event::Cards { .. });
    is_about_cards.then(|| ReplacedContent::Cards(Vec::new()))
}

fn take_cards(from: &mut ZoneView, count: u32, gone: &[Handle]) -> Result<Vec<CardView>, ReduceError> {
    match &mut from.content {
        Content::Cards(cards) => {
            if gone.len() != count as usize {
                return Err(ReduceError::Count);
            }
            let take = |handle: &Handle| Ok(cards.remove(find_card(cards, *handle)?));
            return gone.iter().map(take).collect();
        }
        Content::Count(n) => *n = n.checked_sub(count).ok_or(ReduceError::Count)?,
        Content::Nothing => return Err(ReduceError::Index),
    }
    Ok(Vec::new())
}

fn put_cards(to: &mut ZoneView, count: u32, came: &[Placed]) -> Result<(), ReduceError> {
    match &mut to.content {
        Content::Cards(cards) => {
            if came.len() != count as usize {
                return Err(ReduceError::Count);
            }
            for placed in came {
                if placed.at as usize > cards.len() {
                    return Err(ReduceError::Count);
                }
                cards.insert(placed.at as usize, placed.card.clone());
            }
        }
        Content::Count(n) => *n = n.checked_add(count).ok_or(ReduceError::Count)?,
        Content::Nothing => return Err(ReduceError::Index),
    }
    Ok(())
}

/// Replaces the items of a list from position `from` on. With `from` 0 the list shares the memory of `items`.
fn replace_from<T: Clone>(list: &mut Arc<Vec<T>>, from: u16, items: &Arc<Vec<T>>) -> Result<(), ReduceError> {
    let from = usize::from(from);
    match from {
        0 => list.clone_from(items),
        _ if from > list.len() => return Err(ReduceError::Index),
        _ => {
            let list = Arc::make_mut(list);
            list.truncate(from);
            list.extend_from_slice(items);
        }
    }
    Ok(())
}

fn zone(view: &mut View, at: u16) -> Result<&mut ZoneView, ReduceError> {
    view.zones.get_mut(usize::from(at)).ok_or(ReduceError::Index)
}

fn seat(view: &mut View, at: u8) -> Result<&mut SeatView, ReduceError> {
    Arc::make_mut(&mut view.seats).get_mut(usize::from(at)).ok_or(ReduceError::Index)
}

fn shown_cards(zone: &mut ZoneView) -> Result<&mut Vec<CardView>, ReduceError> {
    match &mut zone.content {
        Content::Cards(cards) => Ok(cards),
        _ => Err(ReduceError::Index),
    }
}

fn find_card(cards: &[CardView], handle: Handle) -> Result<usize, ReduceError> {
    cards.iter().position(|card| card.handle == handle).ok_or(ReduceError::Handle(handle))
}
