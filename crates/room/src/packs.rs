//! Packs of a table: the operator's, and those that people uploaded.

use crate::identity::{Member, hash};
use baize_engine::instance::PackCard;
use baize_packs::Pack;
use baize_rows::Hash;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A pack and the hash of its canonical text. Tables refer to packs by this hash.
#[derive(Debug)]
pub struct HashedPack {
    pub pack: Pack,
    pub hash: Hash,
    /// Somebody uploaded the pack, and the store has it.
    pub uploaded: bool,
    /// The browser that uploaded the pack, if it is known.
    pub maker: Option<Member>,
}

impl HashedPack {
    /// Wraps one of the operator's packs.
    pub fn of_operator(pack: Pack) -> Self {
        let hash = hash(&[baize_packs::to_json(&pack).as_bytes()]);
        HashedPack { pack, hash, uploaded: false, maker: None }
    }

    /// Whether a card of this pack has these words, apart from white space and case, which do not count when packs are merged.
    pub fn has_text(&self, words: &str) -> bool {
        let folded = fold(words);
        self.pack.decks.values().flatten().any(|card| fold(&card.text) == folded)
    }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Packs by id. All tables share the operator's packs; uploaded packs are only in the sets of tables that need them.
#[derive(Clone, Debug, Default)]
pub struct PackSet(BTreeMap<String, Arc<HashedPack>>);

impl PackSet {
    pub fn get(&self, id: &str) -> Option<&Arc<HashedPack>> {
        self.0.get(id)
    }

    pub fn insert(&mut self, id: String, pack: Arc<HashedPack>) {
        self.0.insert(id, pack);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Arc<HashedPack>)> {
        self.0.iter()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Merges packs into the cards that the engine takes.
pub fn cards<'a>(packs: impl IntoIterator<Item = &'a Pack>) -> Vec<PackCard> {
    let merged = baize_packs::merge(packs).pack;
    let decks = merged.decks.into_iter();
    decks
        .flat_map(|(deck, cards)| {
            cards.into_iter().map(move |card| PackCard {
                deck_type: deck.clone(),
                text: card.text,
                props: card.numbers.into_iter().filter_map(|(name, n)| Some((name, i32::try_from(n).ok()?))).collect(),
            })
        })
        .collect()
}
