//! Packs of cards: the operator's, from a folder, and those that people uploaded.
//!
//! The operator's packs are read once, stay in memory and are listed for everybody. An uploaded pack is **unlisted**:
//! nobody can guess its id, its maker finds it again, and everybody else needs the id or a table that uses it. Its
//! cards are read when a table needs them, and a bounded cache keeps them.

mod cache;

use crate::identity::{self, Member, hash};
use crate::slow_work;
use baize_packs::{Pack, PackErrors, Trust};
use baize_protocol::http::{PackInfo, PackPage};
use baize_protocol::limits;
use baize_protocol::problem::Problem;
use baize_room::packs::{HashedPack, PackSet};
use baize_room::record::GameRecord;
use baize_store::{Faults, Hash, PackChoice, PackQuery, PackQuotas, PackRow, Store, StoreError};
use cache::PackCache;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Reading or writing a text of more bytes takes so long that nobody else should wait for it.
const LARGE_TEXT: usize = 32 * 1024;

/// Entries of one page of a list: by default, and at most.
const PAGE: usize = 100;
const MAX_PAGE: usize = 500;

pub struct Packs {
    /// The packs of the operator's folder.
    operator: Arc<PackSet>,
    cache: PackCache,
    /// The key of the hash of addresses; all nodes have the same.
    origin_key: Vec<u8>,
    /// Permits for work on large texts. It does not share those of [`slow_work::SlowWork`], so that exports delay no start.
    large_texts: Semaphore,
    faults: Faults,
}

/// The maker and address of an upload, and its date.
pub struct Uploader {
    pub maker: Option<Member>,
    pub address: IpAddr,
    pub now: u64,
}

impl Packs {
    /// Reads the operator's folder. A broken file is logged and skipped.
    pub async fn open(folder: Option<&Path>, store: &dyn Store, faults: &Faults) -> Result<Self, StoreError> {
        let mut packs = PackSet::default();
        let files = folder.into_iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        for path in files.map(|entry| entry.path()) {
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let known = path.extension().is_some_and(|ending| ending == "json" || ending == "csv");
            let Ok(bytes) = std::fs::read(&path) else { continue };
            match baize_packs::parse(&bytes, name, Trust::Operator) {
                Ok(imported) => {
                    for pack in imported.packs {
                        packs.insert(pack.id.clone(), Arc::new(HashedPack::of_operator(pack)));
                    }
                }
                Err(errors) if known => tracing::warn!(file = %path.display(), %errors, "pack left out"),
                Err(_) => {}
            }
        }
        let origin_key = store.shared_value("origin key", identity::random::<32>().to_vec()).await?;
        let large_texts = Semaphore::new(slow_work::half_of_the_cores());
        Ok(Packs {
            operator: Arc::new(packs),
            cache: PackCache::default(),
            origin_key,
            large_texts,
            faults: faults.clone(),
        })
    }

    /// Reads or writes the text of a pack. Work on a large text runs aside, and only so much of it at a time: a text of
    /// 20,000 cards takes as long as a thousand moves.
    pub async fn work_on_text<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        if bytes <= LARGE_TEXT {
            return work();
        }
        // The semaphore is never closed.
        let _permit = self.large_texts.acquire().await.ok();
        slow_work::run_aside(|| {
            self.faults.trip("aside/text", "");
            work()
        })
    }

    /// The operator's packs.
    pub fn of_operator(&self) -> &Arc<PackSet> {
        &self.operator
    }

    /// One of the operator's packs.
    pub fn listed(&self, id: &str) -> Option<&Arc<HashedPack>> {
        self.operator.get(id)
    }

    /// A page of the list: the operator's packs first, then those that this browser has uploaded.
    pub async fn page(
        &self,
        member: Option<Member>,
        after: &str,
        limit: Option<usize>,
        store: &dyn Store,
    ) -> Result<PackPage, StoreError> {
        let limit = limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
        let mut entries: Vec<(String, PackInfo)> = Vec::new();
        let (kind, last) = after.split_once(':').unwrap_or(("server", ""));
        if kind == "server" {
            let rest = self.operator.iter().filter(|(id, _)| id.as_str() > last).take(limit + 1);
            entries.extend(rest.map(|(id, pack)| (format!("server:{id}"), info(&pack.pack))));
        }
        if let Some(maker) = member
            && entries.len() <= limit
        {
            let after = if kind == "mine" { last } else { "" }.to_owned();
            let query = PackQuery { maker: Some(maker), after, limit: (limit + 1 - entries.len()) as u32 };
            for row in store.packs(query).await? {
                entries.push((format!("mine:{}", row.id), PackInfo { mine: true, ..info_of(&row)? }));
            }
        }
        let more = entries.len() > limit;
        entries.truncate(limit);
        let next = entries.last().filter(|_| more).map(|(cursor, _)| cursor.clone());
        Ok(PackPage { packs: entries.into_iter().map(|(_, info)| info).collect(), next })
    }

    /// The list entry of a pack, for a client that has its id.
    pub async fn info(
        &self,
        id: &str,
        member: Option<Member>,
        store: &dyn Store,
    ) -> Result<Option<PackInfo>, StoreError> {
        if let Some(pack) = self.listed(id) {
            return Ok(Some(info(&pack.pack)));
        }
        let Some(row) = store.pack(id).await? else { return Ok(None) };
        let mine = member.is_some() && row.maker == member;
        Ok(Some(PackInfo { mine, ..info_of(&row)? }))
    }

    /// The hash of a pack's text. The store is always asked whether the pack still exists.
    pub async fn hash(&self, id: &str, store: &dyn Store) -> Result<Option<Hash>, StoreError> {
        match self.listed(id) {
            Some(pack) => Ok(Some(pack.hash)),
            None => Ok(store.pack(id).await?.map(|row| row.hash)),
        }
    }

    /// A pack by its id. The store is always asked whether it still exists; its cards may come from the cache.
    pub async fn find(&self, id: &str, store: &dyn Store) -> Result<Option<Arc<HashedPack>>, StoreError> {
        if let Some(pack) = self.listed(id) {
            return Ok(Some(pack.clone()));
        }
        let Some(row) = store.pack(id).await? else { return Ok(None) };
        if let Some(pack) = self.cache.get(&row.hash) {
            return Ok(Some(pack));
        }
        let Some(text) = store.blob(&row.hash).await? else { return Ok(None) };
        let read = || baize_packs::parse_stored(&text, id, Trust::Player);
        let Ok(imported) = self.work_on_text(text.len(), read).await else {
            tracing::error!(pack = id, "a stored pack is damaged, and counts as missing");
            return Ok(None);
        };
        let Some(pack) = imported.packs.into_iter().next() else { return Ok(None) };
        let pack = Arc::new(HashedPack { pack, hash: row.hash, uploaded: true, maker: row.maker });
        self.cache.put(pack.clone(), text.len());
        Ok(Some(pack))
    }

    /// The uploaded packs among these ids. Reading stops where there are more than a table can use.
    pub async fn uploaded(&self, ids: &[String], store: &dyn Store) -> Result<PackSet, StoreError> {
        let distinct: BTreeSet<&String> = ids.iter().filter(|id| self.listed(id).is_none()).collect();
        let mut uploaded = PackSet::default();
        if distinct.len() > limits::PACKS {
            return Ok(uploaded);
        }
        let mut cards = 0;
        for id in distinct {
            if let Some(pack) = self.find(id, store).await? {
                cards += pack.pack.len();
                uploaded.insert(id.clone(), pack);
            }
            // One card too many is enough to refuse the packs.
            if cards > limits::PACK_CARDS {
                break;
            }
        }
        Ok(uploaded)
    }

    /// Stores an uploaded file: all of its packs, or an error with every problem. Each pack gets an id that nobody can
    /// guess.
    pub async fn upload(
        &self,
        bytes: &[u8],
        name: &str,
        uploader: &Uploader,
        quotas: PackQuotas,
        store: &dyn Store,
    ) -> Result<Vec<PackInfo>, UploadError> {
        let read = || baize_packs::parse(bytes, name, Trust::Player);
        let imported = self.work_on_text(bytes.len(), read).await.map_err(UploadError::Pack)?;
        let origin = Some(self.origin(uploader.address));
        // A random id is practically never taken; if it is, the next attempt uses another.
        for _ in 0..4 {
            let (mut rows, mut texts, mut infos) = (Vec::new(), Vec::new(), Vec::new());
            for mut pack in imported.packs.clone() {
                pack.official = false;
                pack.id = unguessable_id(&pack.id);
                // The text is about as long as the file, or as its share of the file.
                let write = || baize_packs::to_json(&pack);
                let text = self.work_on_text(bytes.len() / imported.packs.len(), write).await;
                let (hash, length) = (hash(&[text.as_bytes()]), text.len() as u64);
                texts.push((hash, text.into_bytes()));
                let shown = info(&pack);
                rows.push(PackRow {
                    id: pack.id,
                    hash,
                    info: serde_json::to_vec(&shown).map_err(|error| StoreError::Failed(error.to_string()))?,
                    maker: uploader.maker,
                    origin,
                    bytes: length,
                    created_at: uploader.now,
                    used_at: uploader.now,
                });
                infos.push(PackInfo { mine: uploader.maker.is_some(), ..shown });
            }
            match store.add_packs(rows, texts, quotas).await {
                Ok(()) => return Ok(infos),
                // Another pack has the same id, or a blob that was stored before is just being deleted.
                Err(StoreError::Taken | StoreError::Missing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::Taken.into())
    }

    /// Deletes a pack for the browser that uploaded it. Tables that play with it keep their cards.
    pub async fn delete(&self, id: &str, member: &Member, store: &dyn Store) -> Result<Deletion, StoreError> {
        if self.listed(id).is_some() {
            return Ok(Deletion::NotYours);
        }
        match store.pack(id).await? {
            None => Ok(Deletion::Unknown),
            Some(row) if row.maker.as_ref() != Some(member) => Ok(Deletion::NotYours),
            Some(_) => store.delete_packs(PackChoice::Id(id.to_owned())).await.map(|_| Deletion::Done),
        }
    }

    /// The packs that a recorded game is played with.
    pub async fn of_game(&self, store: &dyn Store, record: &GameRecord) -> Result<Vec<Pack>, StoreError> {
        let mut packs = Vec::new();
        for hash in &record.packs {
            let text = store.blob(hash).await?.ok_or_else(|| StoreError::Failed("a pack is missing".into()))?;
            let read = || baize_packs::parse_stored(&text, "pack", Trust::Operator);
            let imported = self.work_on_text(text.len(), read).await;
            packs.extend(imported.map_err(|_| StoreError::Failed("a pack is damaged".into()))?.packs);
        }
        Ok(packs)
    }

    /// Addresses are only compared, so a keyed hash is enough. Of an IPv6 address only the network half counts, because
    /// its owner chooses the rest.
    pub fn origin(&self, address: IpAddr) -> Hash {
        let network = match address.to_canonical() {
            IpAddr::V4(four) => four.octets().to_vec(),
            IpAddr::V6(six) => six.octets()[..8].to_vec(),
        };
        hash(&[b"baize origin v1", &self.origin_key, &network])
    }
}

/// The result of a request to delete a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Done,
    Unknown,
    NotYours,
}

#[derive(Debug)]
pub enum UploadError {
    Pack(PackErrors),
    Store(StoreError),
}

impl From<StoreError> for UploadError {
    fn from(error: StoreError) -> Self {
        UploadError::Store(error)
    }
}

/// Returns an id that begins with the author's id and ends with a random code. The code is twice as long as a table's code,
/// because a client may name many packs in one message and so can try out many more ids than codes.
fn unguessable_id(id: &str) -> String {
    let code = identity::code() + &identity::code();
    let short: String = id.chars().take(baize_packs::limits::WORD_CHARS - code.len() - 1).collect();
    format!("{}-{code}", short.trim_end_matches('-'))
}

fn info_of(row: &PackRow) -> Result<PackInfo, StoreError> {
    serde_json::from_slice(&row.info).map_err(|error| StoreError::Failed(format!("pack {}: {error}", row.id)))
}

pub fn info(pack: &Pack) -> PackInfo {
    PackInfo {
        id: pack.id.clone(),
        name: pack.name.clone(),
        description: pack.description.clone(),
        official: pack.official,
        cards: pack.decks.iter().map(|(deck, cards)| (deck.clone(), cards.len() as u32)).collect(),
        mine: false,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_uploaded_packs_end_with_sixteen_random_characters() {
        for id in ["tea", "a-very-long-id-of-an-author-who-likes-id", ""] {
            let (one, other) = (unguessable_id(id), unguessable_id(id));
            assert_ne!(one, other);
            assert!(one.len() <= baize_packs::limits::WORD_CHARS, "{one}");
            assert_eq!(one.rsplit_once('-').map(|(_, code)| code.len()), Some(16), "{one}");
        }
    }
}
