//! A cache of uploaded packs that were needed recently.

use baize_room::packs::HashedPack;
use baize_store::Hash;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Upper bounds on the bytes of the packs' texts and on the number of packs.
const MAX_BYTES: usize = 32 << 20;
const MAX_PACKS: usize = 1024;

#[derive(Default)]
pub struct PackCache(Mutex<CacheState>);

#[derive(Default)]
struct CacheState {
    packs: HashMap<Hash, CachedPack>,
    bytes: usize,
    /// Increased at every use.
    uses: u64,
}

struct CachedPack {
    pack: Arc<HashedPack>,
    bytes: usize,
    used: u64,
}

impl PackCache {
    pub fn get(&self, hash: &Hash) -> Option<Arc<HashedPack>> {
        let mut state = self.lock();
        state.uses += 1;
        let now = state.uses;
        let entry = state.packs.get_mut(hash)?;
        entry.used = now;
        Some(entry.pack.clone())
    }

    /// Adds a pack whose text has this many bytes; the least recently used packs leave.
    pub fn put(&self, pack: Arc<HashedPack>, bytes: usize) {
        if bytes > MAX_BYTES {
            return;
        }
        let mut state = self.lock();
        state.uses += 1;
        let entry = CachedPack { bytes, used: state.uses, pack };
        state.bytes += bytes;
        if let Some(old) = state.packs.insert(entry.pack.hash, entry) {
            state.bytes -= old.bytes;
        }
        while state.bytes > MAX_BYTES || state.packs.len() > MAX_PACKS {
            let oldest = state.packs.iter().min_by_key(|(_, entry)| entry.used).map(|(hash, _)| *hash);
            let Some(gone) = oldest.and_then(|hash| state.packs.remove(&hash)) else { break };
            state.bytes -= gone.bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_packs::{Trust, parse};

    fn pack(n: u32) -> Arc<HashedPack> {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&n.to_le_bytes());
        let pack = parse(b"deck,text\nanswer,Tea", "Mine", Trust::Player).unwrap().packs.remove(0);
        Arc::new(HashedPack { pack, hash, uploaded: true, maker: None })
    }

    #[test]
    fn the_least_recently_used_packs_leave_first() {
        let cache = PackCache::default();
        for n in 0..4 {
            cache.put(pack(n), MAX_BYTES / 4);
        }
        assert!(cache.get(&pack(0).hash).is_some());
        cache.put(pack(4), MAX_BYTES / 4);
        let there: Vec<u32> = (0..5).filter(|n| cache.get(&pack(*n).hash).is_some()).collect();
        assert_eq!(there, [0, 2, 3, 4]);
        // Adding the same pack again takes no more space.
        cache.put(pack(4), MAX_BYTES / 4);
        assert_eq!(cache.lock().bytes, MAX_BYTES);
    }

    #[test]
    fn the_number_of_cached_packs_is_bounded() {
        let cache = PackCache::default();
        (0..2 * MAX_PACKS as u32).for_each(|n| cache.put(pack(n), 1));
        assert_eq!(cache.lock().packs.len(), MAX_PACKS);
        cache.put(pack(9_999_999), MAX_BYTES + 1);
        assert!(cache.get(&pack(9_999_999).hash).is_none());
    }
}
