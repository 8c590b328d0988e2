//! Describes what a small picture of a game's table shows: its zones, a few of its cards, and its dice. Home pages and
//! invitations draw it before a table is dealt.

use super::faces::{CardFace, make_faces};
use super::layout::{DieFace, die_faces};
use crate::instance::cards::PackCard;
use crate::with_game;
use baize_rules::program::{Dim, Program, Shape, VarKind, ViewerGroup, Visibility, Zone};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Upper bound on the faces of a preview. A small picture has no room for more.
const MAX_FACES: usize = 7;
/// Upper bound on the zones and on the dice of a preview.
const MAX_ZONES: usize = 12;
const MAX_DICE: usize = 6;
/// How many cards of each pack deck a preview invents: packs are chosen later.
const PACK_CARDS: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    pub zones: Vec<PreviewZone>,
    /// Some faces of the game, spread over its cards. Empty if the game has no cards.
    pub faces: Vec<CardFace>,
    pub dice: Vec<PreviewDice>,
}

/// A zone as the owner of the first seat would see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewZone {
    /// The id of its slot.
    pub zone: String,
    /// One of `auto`, `fan`, `pile`, `row`, `grid`, `towards`, `slots`.
    pub shape: String,
    /// Every player has such a zone.
    pub own: bool,
    /// The cards lie face up for this viewer.
    pub open: bool,
    /// The zone has all cards of a deck at the beginning.
    pub starts_full: bool,
    /// How many zones of this kind lie side by side.
    pub count: u32,
    /// The number of columns, of a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewDice {
    /// The name of the dice in the rules. Definitions of earlier versions have none.
    #[serde(default)]
    pub dice: String,
    pub count: u32,
    pub low: i32,
    pub high: i32,
    /// What the sides say, if they do not show their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<DieFace>,
}

impl Preview {
    pub(super) fn of(program: &Program) -> Self {
        let zones = program.zones.iter().take(MAX_ZONES).map(preview_zone).collect();
        Preview { zones, faces: sample_faces(program), dice: preview_dice(program) }
    }
}

fn preview_zone(zone: &Zone) -> PreviewZone {
    let own = zone.dims.contains(&Dim::Player);
    let sees_cards = |who: &ViewerGroup| match who {
        ViewerGroup::Everyone | ViewerGroup::Players => true,
        ViewerGroup::Owner => own,
        _ => false,
    };
    let (shape, columns) = match zone.shape {
        Shape::Auto => ("auto", None),
        Shape::Fan => ("fan", None),
        Shape::Pile => ("pile", None),
        Shape::Row => ("row", None),
        Shape::Grid { columns, .. } => ("grid", Some(columns)),
        Shape::TowardsPlayer => ("towards", None),
        Shape::Slots => ("slots", None),
    };
    PreviewZone {
        zone: zone.name.clone(),
        shape: shape.to_owned(),
        own,
        open: zone.sees.iter().any(|clause| sees_cards(&clause.who) && clause.what == Visibility::Cards),
        starts_full: zone.starts_with.is_some(),
        count: count_side_by_side(&zone.dims),
        columns,
    }
}

/// Faces at equal distances in the catalogue of a table with default options. None if no such table can be made.
fn sample_faces(program: &Program) -> Vec<CardFace> {
    let packs: Vec<PackCard> = program
        .decks
        .iter()
        .filter_map(|deck| deck.pack_type.clone())
        .flat_map(|deck_type| (0..PACK_CARDS).map(move |n| pack_card(&deck_type, n)))
        .collect();
    let seats = usize::from(program.meta.max_players.min(program.meta.min_players.max(4)));
    let Ok(game) = crate::instantiate(Arc::new(program.clone()), &[], &packs, seats) else { return Vec::new() };
    let faces = with_game!(&game, instance => make_faces(instance));
    let count = faces.len().min(MAX_FACES);
    (0..count).map(|i| faces[(2 * i + 1) * faces.len() / (2 * count)].clone()).collect()
}

/// A card of a pack that nobody has chosen yet. Its text has the number, so that no two cards look alike.
fn pack_card(deck_type: &str, n: usize) -> PackCard {
    PackCard { deck_type: deck_type.to_owned(), text: format!("… {}", n + 1), props: Vec::new() }
}

fn preview_dice(program: &Program) -> Vec<PreviewDice> {
    let dice = program.vars.iter().filter_map(|var| match var.kind {
        VarKind::Dice { low, high, faces, .. } => Some(PreviewDice {
            dice: var.name.clone(),
            count: count_side_by_side(&var.dims),
            low,
            high,
            faces: faces.map(|words| die_faces(program, words)).unwrap_or_default(),
        }),
        _ => None,
    });
    dice.take(MAX_DICE).collect()
}

/// How many elements one player has, or the table if they belong to nobody.
fn count_side_by_side(dims: &[Dim]) -> u32 {
    let sizes = dims.iter().map(|dim| match dim {
        Dim::Range { low, high } => (i64::from(*high) - i64::from(*low) + 1).clamp(1, 1000) as u32,
        Dim::Player | Dim::Attr(_) => 1,
    });
    sizes.fold(1, u32::saturating_mul)
}
