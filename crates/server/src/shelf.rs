//! Packs of cards: those the operator put into a folder, and those people uploaded.

use crate::identity::hash;
use baize_engine::instance::PackCard;
use baize_packs::{Pack, PackErrors, Trust};
use baize_protocol::http::{PackInfo, Problem};
use baize_store::{Hash, PackRow, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A pack and the hash of its canonical text, by which tables are pinned to it.
#[derive(Debug)]
pub struct Shelved {
    pub pack: Pack,
    pub hash: Hash,
}

#[derive(Default)]
pub struct Packs(Mutex<BTreeMap<String, Arc<Shelved>>>);

impl Packs {
    /// Reads the operator's folder, then what was uploaded before. A broken file is told and left out.
    pub async fn open(folder: Option<&Path>, store: &dyn Store) -> Result<Self, StoreError> {
        let packs = Packs::default();
        let files = folder.into_iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        for path in files.map(|entry| entry.path()) {
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let known = path.extension().is_some_and(|ending| ending == "json" || ending == "csv");
            let Ok(bytes) = std::fs::read(&path) else { continue };
            match baize_packs::parse(&bytes, name, Trust::Operator) {
                Ok(imported) => imported.packs.into_iter().for_each(|pack| packs.put(pack)),
                Err(errors) if known => tracing::warn!(file = %path.display(), %errors, "pack left out"),
                Err(_) => {}
            }
        }
        packs.refresh(store).await?;
        Ok(packs)
    }

    /// Reads what was uploaded, here or at another node, and is not on the shelf yet.
    pub async fn refresh(&self, store: &dyn Store) -> Result<(), StoreError> {
        for row in store.packs().await?.into_iter().filter(|row| self.get(&row.id).is_none()) {
            if let Some(text) = store.blob(&row.hash).await?
                && let Ok(imported) = baize_packs::parse(&text, &row.id, Trust::Player)
            {
                imported.packs.into_iter().for_each(|pack| self.put(pack));
            }
        }
        Ok(())
    }

    fn put(&self, pack: Pack) {
        let hash = hash(&[baize_packs::to_json(&pack).as_bytes()]);
        let mut shelf = self.0.lock().expect("no panic while shelving");
        // An uploaded pack never takes the place of an official one.
        if shelf.get(&pack.id).is_none_or(|old| !old.pack.official || pack.official) {
            shelf.insert(pack.id.clone(), Arc::new(Shelved { pack, hash }));
        }
    }

    pub fn all(&self) -> Vec<Arc<Shelved>> {
        self.0.lock().expect("no panic while shelving").values().cloned().collect()
    }

    pub fn get(&self, id: &str) -> Option<Arc<Shelved>> {
        self.0.lock().expect("no panic while shelving").get(id).cloned()
    }

    /// Somebody uploads a file: all of its packs, or every problem. An id that is taken gets a number.
    pub async fn upload(&self, bytes: &[u8], name: &str, store: &dyn Store) -> Result<Vec<PackInfo>, UploadError> {
        let imported = baize_packs::parse(bytes, name, Trust::Player).map_err(UploadError::Pack)?;
        loop {
            let packs = self.with_free_ids(imported.packs.clone());
            let mut rows = Vec::new();
            for pack in &packs {
                let text = baize_packs::to_json(pack);
                let hash = hash(&[text.as_bytes()]);
                store.put_blob(hash, text.into_bytes()).await.map_err(UploadError::Store)?;
                let info = serde_json::to_vec(&info(pack)).unwrap_or_default();
                rows.push(PackRow { id: pack.id.clone(), official: false, hash, info });
            }
            match store.add_packs(rows).await {
                Ok(()) => {
                    let infos = packs.iter().map(info).collect();
                    packs.into_iter().for_each(|pack| self.put(pack));
                    return Ok(infos);
                }
                // Somebody else has just taken one of the ids, at this node or another.
                Err(StoreError::Taken) => self.refresh(store).await.map_err(UploadError::Store)?,
                // Deleted, since nobody spoke of it yet.
                Err(StoreError::Missing) => {}
                Err(error) => return Err(UploadError::Store(error)),
            }
        }
    }

    fn with_free_ids(&self, mut packs: Vec<Pack>) -> Vec<Pack> {
        let shelf = self.0.lock().expect("no panic while shelving");
        let mut given = BTreeSet::new();
        for pack in &mut packs {
            pack.official = false;
            let short: String = pack.id.chars().take(baize_packs::limits::WORD_CHARS - 6).collect();
            let mut n = 2;
            while shelf.contains_key(&pack.id) || given.contains(&pack.id) {
                pack.id = format!("{short}-{n}");
                n += 1;
            }
            given.insert(pack.id.clone());
        }
        packs
    }
}

#[derive(Debug)]
pub enum UploadError {
    Pack(PackErrors),
    Store(StoreError),
}

pub fn info(pack: &Pack) -> PackInfo {
    PackInfo {
        id: pack.id.clone(),
        name: pack.name.clone(),
        description: pack.description.clone(),
        official: pack.official,
        cards: pack.decks.iter().map(|(deck, cards)| (deck.clone(), cards.len() as u32)).collect(),
    }
}

pub fn problems(errors: &PackErrors) -> Vec<Problem> {
    let listed = errors.listed.iter();
    let problem = |e: &baize_packs::PackError| Problem {
        at: e.at.to_string(),
        message: e.message.clone(),
        hint: e.hint.clone(),
        excerpt: None,
        warning: false,
    };
    listed.map(problem).collect()
}

/// Packs merged, as the engine takes cards.
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
