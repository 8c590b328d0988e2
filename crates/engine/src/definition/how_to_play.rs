//! Describes the short explanation of a game, with the faces of the cards that it shows.

use super::faces::{CardFace, make_faces};
use crate::build::instantiate;
use crate::cardset::CardSet;
use crate::instance::cards::PackCard;
use crate::instance::{Game, Instance};
use baize_rules::program::{Illustration, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A sentence of the explanation, and what a client draws beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HowToLine {
    pub text: String,
    /// Ids of slots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    /// Names of dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<String>,
    /// Cards as they are with the default options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<CardFace>,
}

pub(super) fn define_how_to_play(program: &Program) -> Vec<HowToLine> {
    let shows_cards = |line: &baize_rules::program::HowToLine| {
        line.shows.iter().any(|shown| matches!(shown, Illustration::Card(_) | Illustration::Named(_)))
    };
    // Faces need cards, and cards need a table: the smallest one, with default options.
    let game = match program.meta.how_to_play.iter().any(shows_cards) {
        true => {
            instantiate(Arc::new(program.clone()), &[], &sample_packs(program), usize::from(program.meta.min_players))
                .ok()
        }
        false => None,
    };
    let find = |shown: &Illustration| match &game {
        Some(Game::Small(instance)) => find_face(instance, shown),
        Some(Game::Medium(instance)) => find_face(instance, shown),
        Some(Game::Large(instance)) => find_face(instance, shown),
        None => None,
    };
    let define = |line: &baize_rules::program::HowToLine| HowToLine {
        text: line.text.clone(),
        zones: line
            .shows
            .iter()
            .filter_map(|shown| match shown {
                Illustration::Zone(zone) => Some(program.zones.get(usize::from(*zone))?.name.clone()),
                _ => None,
            })
            .collect(),
        dice: line
            .shows
            .iter()
            .filter_map(|shown| match shown {
                Illustration::Dice(var) => Some(program.vars.get(*var as usize)?.name.clone()),
                _ => None,
            })
            .collect(),
        faces: line.shows.iter().filter_map(find).collect(),
    };
    program.meta.how_to_play.iter().map(define).collect()
}

/// Returns a card for each deck that takes its cards from packs, because a table can't be made without them.
fn sample_packs(program: &Program) -> Vec<PackCard> {
    let types = program.decks.iter().filter_map(|deck| deck.pack_type.clone());
    types.map(|deck_type| PackCard { deck_type, text: "…".to_owned(), props: Vec::new() }).collect()
}

fn find_face<S: CardSet>(instance: &Instance<S>, shown: &Illustration) -> Option<CardFace> {
    let at = instance.cards.cards.iter().position(|card| match shown {
        Illustration::Card(values) => values.iter().all(|value| card.attrs.contains(value)),
        Illustration::Named(name) => card.name.as_ref() == Some(name),
        _ => false,
    })?;
    let face = instance.cards.faces.get(at)?;
    make_faces(instance).into_iter().nth(usize::from(*face))
}
