//! Uploaded packs that were needed lately, as many as fit.

use baize_room::packs::HashedPack;
use baize_store::Hash;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Upper bounds: bytes of the packs' texts, and packs.
const BYTES: usize = 32 << 20;
const PACKS: usize = 1024;

#[derive(Default)]
pub struct Cache(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    packs: HashMap<Hash, Entry>,
    bytes: usize,
    /// Counts every use.
    clock: u64,
}

struct Entry {
    pack: Arc<HashedPack>,
    bytes: usize,
    used: u64,
}

impl Cache {
    pub fn get(&self, hash: &Hash) -> Option<Arc<HashedPack>> {
        let mut inside = self.lock();
        inside.clock += 1;
        let now = inside.clock;
        let entry = inside.packs.get_mut(hash)?;
        entry.used = now;
        Some(entry.pack.clone())
    }

    /// Keeps a pack whose text has so many bytes; the least recently used ones go.
    pub fn put(&self, pack: Arc<HashedPack>, bytes: usize) {
        if bytes > BYTES {
            return;
        }
        let mut inside = self.lock();
        inside.clock += 1;
        let entry = Entry { bytes, used: inside.clock, pack };
        inside.bytes += bytes;
        if let Some(old) = inside.packs.insert(entry.pack.hash, entry) {
            inside.bytes -= old.bytes;
        }
        while inside.bytes > BYTES || inside.packs.len() > PACKS {
            let oldest = inside.packs.iter().min_by_key(|(_, entry)| entry.used).map(|(hash, _)| *hash);
            let Some(gone) = oldest.and_then(|hash| inside.packs.remove(&hash)) else { break };
            inside.bytes -= gone.bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
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
        Arc::new(HashedPack { pack, hash, uploaded: true })
    }

    #[test]
    fn the_least_recently_used_packs_leave_first() {
        let cache = Cache::default();
        for n in 0..4 {
            cache.put(pack(n), BYTES / 4);
        }
        assert!(cache.get(&pack(0).hash).is_some());
        cache.put(pack(4), BYTES / 4);
        let there: Vec<u32> = (0..5).filter(|n| cache.get(&pack(*n).hash).is_some()).collect();
        assert_eq!(there, [0, 2, 3, 4]);
        // The same pack again takes no more space.
        cache.put(pack(4), BYTES / 4);
        assert_eq!(cache.lock().bytes, BYTES);
    }

    #[test]
    fn many_small_packs_are_bounded_too() {
        let cache = Cache::default();
        (0..2 * PACKS as u32).for_each(|n| cache.put(pack(n), 1));
        assert_eq!(cache.lock().packs.len(), PACKS);
        cache.put(pack(9_999_999), BYTES + 1);
        assert!(cache.get(&pack(9_999_999).hash).is_none());
    }
}
