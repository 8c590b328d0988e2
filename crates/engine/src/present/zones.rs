//! The content of a zone as one viewer sees it.

use super::Handles;
use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::NO_LIST;
use crate::sight::{Scene, Visibility};
use crate::switch::hides;
use crate::view::{CardView, Content, Handle, Viewer};
use baize_rules::program::PlayerMemory;
use smallvec::SmallVec;

/// Returns the content of a zone instance. Every card in sight must have a handle.
pub(crate) fn content<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    handles: &Handles,
    zone: usize,
) -> Content {
    match shown_level(scene, frame, viewer, zone) {
        Visibility::Nothing => Content::Nothing,
        Visibility::Count => Content::Count(frame.sets[zone].len() as u32),
        Visibility::Cards => {
            let cards = displayed(scene, frame, handles, zone);
            Content::Cards(
                cards.into_iter().map(|displayed| card_view(scene, frame, viewer, zone, displayed)).collect(),
            )
        }
    }
}

/// Returns how much of a zone is shown to a viewer.
fn shown_level<S: CardSet>(scene: &Scene<S>, frame: &Frame<S>, viewer: Viewer, zone: usize) -> Visibility {
    match scene.level(frame, viewer, zone) {
        Visibility::Nothing if !hides("zones: how many") => Visibility::Count,
        Visibility::Count if !hides("zones: which") => Visibility::Cards,
        level => level,
    }
}

/// Returns the view of a card in a zone whose cards the viewer sees.
pub(crate) fn card_view<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    zone: usize,
    DisplayedCard { card, handle, .. }: DisplayedCard,
) -> CardView {
    let down = is_back(frame, card);
    CardView {
        handle,
        face: (!down).then(|| scene.instance.face(card)),
        written: if down && hides("zones: what is written on backs") {
            None
        } else {
            frame.written(card).map(Into::into)
        },
        by: bringer(scene, frame, viewer, zone, card),
    }
}

fn is_back<S: CardSet>(frame: &Frame<S>, card: u16) -> bool {
    frame.face_down.contains(card) && hides("zones: faces of backs")
}

/// Returns who brought a card to a zone, if the viewer may know that.
pub(crate) fn bringer<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    zone: usize,
    card: u16,
) -> Option<u8> {
    let by = frame.by.get(usize::from(card)).filter(|_| tells_bringers(scene, viewer, zone));
    by.and_then(|by| u8::try_from(*by).ok())
}

/// Whether a viewer may know who brought the cards of a zone.
pub(crate) fn tells_bringers<S: CardSet>(scene: &Scene<S>, viewer: Viewer, zone: usize) -> bool {
    let at = &scene.instance.layout.instances[zone];
    match scene.instance.program.zones[usize::from(at.zone)].remembers {
        PlayerMemory::Secret => viewer == Viewer::Replay || !hides("zones: secret bringers"),
        PlayerMemory::Public => true,
        PlayerMemory::None => false,
    }
}

/// Whether the cards of a zone are shown in the order in which they lie. A zone that the rules sort is not, even if it keeps an order.
pub(crate) fn is_ordered<S: CardSet>(scene: &Scene<S>, zone: usize) -> bool {
    let at = &scene.instance.layout.instances[zone];
    let declared = &scene.instance.program.zones[usize::from(at.zone)];
    declared.ordered && declared.sorted.is_empty() && at.list != NO_LIST
}

/// Returns the cards of a zone in display order, with their handles: as they lie if the zone is ordered, otherwise as the rules sort it,
/// otherwise as they came. The order never follows card numbers, which would tell copies apart.
pub(crate) fn displayed<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    handles: &Handles,
    zone: usize,
) -> DisplayedCards {
    let mut cards = DisplayedCards::new();
    let list = scene.instance.layout.instances[zone].list;
    if is_ordered(scene, zone) {
        for card in &frame.lists[list as usize] {
            cards.push(DisplayedCard { key: 0, card: *card, handle: handles.arrival(*card).0 });
        }
        return cards;
    }
    let order = ZoneOrder::new(scene, frame, zone);
    let (mut sorted, mut last) = (true, 0);
    // Sets and handles are both sorted by card number, so that a cursor finds each handle quickly.
    let mut names = handles.cursor();
    for card in frame.sets[zone].iter() {
        let (handle, arrived) = names.arrival(card);
        let key = order.key(card, arrived);
        sorted &= last <= key;
        last = key;
        cards.push(DisplayedCard { key, card, handle });
    }
    if !sorted {
        cards.sort_by_key(|displayed| displayed.key);
    }
    cards
}

pub(crate) type DisplayedCards = SmallVec<[DisplayedCard; 32]>;

/// A card at its position in a zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DisplayedCard {
    key: u64,
    pub card: u16,
    pub handle: Handle,
}

/// The sort key of cards in a zone that is not shown in an order of its own.
pub(crate) struct ZoneOrder<'a, S> {
    ranks: &'a [u16],
    face_down: &'a S,
}

impl<'a, S: CardSet> ZoneOrder<'a, S> {
    pub fn new(scene: &'a Scene<S>, frame: &'a Frame<S>, zone: usize) -> Self {
        let ranks = &scene.ranks[usize::from(scene.instance.layout.instances[zone].zone)];
        Self { ranks, face_down: &frame.face_down }
    }

    /// Returns the sort key of a card: faces before backs, then the rank by which the zone is sorted, then the arrival.
    pub fn key(&self, card: u16, arrived: u32) -> u64 {
        let Some(rank) = self.ranks.get(usize::from(card)) else { return u64::from(arrived) };
        let rank =
            if self.face_down.contains(card) && hides("zones: rank of backs") { 1 << 16 } else { u64::from(*rank) };
        rank << 32 | u64::from(arrived)
    }
}

/// Whether a viewer sees exactly this content of a zone; like comparing with [`content`], but without making it.
pub(crate) fn shows<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    handles: &Handles,
    zone: usize,
    shown: &Content,
) -> bool {
    match (shown_level(scene, frame, viewer, zone), shown) {
        (Visibility::Nothing, Content::Nothing) => true,
        (Visibility::Count, Content::Count(count)) => frame.sets[zone].len() as u32 == *count,
        (Visibility::Cards, Content::Cards(shown)) => {
            let looks = |(displayed, shown): (&DisplayedCard, &CardView)| {
                let down = is_back(frame, displayed.card);
                let read = !down || !hides("zones: what is written on backs");
                shown.handle == displayed.handle
                    && shown.face == (!down).then(|| scene.instance.face(displayed.card))
                    && shown.written.as_deref() == frame.written(displayed.card).filter(|_| read)
                    && shown.by == bringer(scene, frame, viewer, zone, displayed.card)
            };
            shown.len() == frame.sets[zone].len() && displayed(scene, frame, handles, zone).iter().zip(shown).all(looks)
        }
        _ => false,
    }
}
