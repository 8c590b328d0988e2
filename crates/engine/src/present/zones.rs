//! What a viewer sees lying in a zone.

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::instance::NO_LIST;
use crate::observe::Handles;
use crate::sight::{Level, Scene, zone_level};
use crate::view::{CardView, Content, Viewer};
use baize_rules::program::Remembers;

/// The content of a zone instance. Every card in sight must have its handle.
pub(crate) fn content<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    handles: &Handles,
    zone: usize,
) -> Content {
    match zone_level(&scene.instance, frame, viewer, zone) {
        Level::Nothing => Content::Nothing,
        Level::Count => Content::Count(frame.sets[zone].len() as u32),
        Level::Cards => {
            let cards = displayed(scene, frame, handles, zone);
            Content::Cards(cards.into_iter().map(|card| card_view(scene, frame, viewer, handles, zone, card)).collect())
        }
    }
}

/// A card as it lies in a zone whose cards are seen.
pub(crate) fn card_view<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    handles: &Handles,
    zone: usize,
    card: u16,
) -> CardView {
    let down = frame.face_down.contains(card);
    CardView {
        handle: handles.get(card).unwrap_or(0),
        face: (!down).then(|| scene.instance.face(card)),
        written: if down { None } else { frame.written(card).map(str::to_owned) },
        by: bringer(scene, frame, viewer, zone, card),
    }
}

/// Who brought a card to a zone, where the viewer may know that.
pub(crate) fn bringer<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    viewer: Viewer,
    zone: usize,
    card: u16,
) -> Option<u8> {
    let at = &scene.instance.layout.instances[zone];
    match scene.instance.program.zones[usize::from(at.zone)].remembers {
        Remembers::PlayerSecretly if viewer != Viewer::Replay => None,
        Remembers::No => None,
        Remembers::Player | Remembers::PlayerSecretly => {
            frame.by.get(usize::from(card)).and_then(|by| u8::try_from(*by).ok())
        }
    }
}

/// Whether the cards of a zone are shown in the order in which they lie. One that asks to be sorted is not, whatever its order.
pub(crate) fn is_ordered<S: CardSet>(scene: &Scene<S>, zone: usize) -> bool {
    let at = &scene.instance.layout.instances[zone];
    let declared = &scene.instance.program.zones[usize::from(at.zone)];
    declared.ordered && declared.sorted.is_empty() && at.list != NO_LIST
}

/// The cards of a zone in display order: as they lie if it is ordered, else as it asks to be sorted, else as they came.
/// Never by card number, which would tell copies apart.
pub(crate) fn displayed<S: CardSet>(scene: &Scene<S>, frame: &Frame<S>, handles: &Handles, zone: usize) -> List {
    let mut cards = scene.instance.in_order(frame, zone);
    if !is_ordered(scene, zone) {
        cards.sort_by_cached_key(|card| sort_key(scene, frame, zone, *card, handles.arrived(*card)));
    }
    cards
}

/// Backs last, then by the attributes the zone is sorted by, then as they came.
type SortKey = (bool, smallvec::SmallVec<[i32; 4]>, u32);

pub(crate) fn sort_key<S: CardSet>(
    scene: &Scene<S>,
    frame: &Frame<S>,
    zone: usize,
    card: u16,
    arrived: u32,
) -> SortKey {
    let at = &scene.instance.layout.instances[zone];
    let by = &scene.instance.program.zones[usize::from(at.zone)].sorted;
    let down = frame.face_down.contains(card);
    if by.is_empty() {
        return (false, Default::default(), arrived);
    }
    let mut key: smallvec::SmallVec<[i32; 4]> = Default::default();
    if !down {
        key.extend(by.iter().map(|attr| scene.instance.cards.attr(*attr, i32::from(card))));
        key.push(i32::from(scene.instance.face(card)));
    }
    (down, key, arrived)
}
