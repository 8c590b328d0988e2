//! Bounds the answers that clients have not read yet, and shares the large ones.
//!
//! A client that asks and does not read keeps its answer in the server's memory until a timeout closes the connection. So every
//! large answer takes a share of what the server has for all of them and for one address, and gives it back when the last byte
//! has gone to the kernel. Large texts that many clients ask for are read once and shared.

use super::Refusal;
use crate::address::Network;
use crate::metrics::Metrics;
use baize_store::Hash;
use bytes::Bytes;
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};

/// Answers of no more than this are always sent: the limits of connections bound them.
const SMALL: u64 = 16 * 1024;
/// Bytes of larger answers that wait for one address: nine of the largest definitions.
const PER_ADDRESS: u64 = 48 * 1024 * 1024;
/// Bytes of larger answers that wait in all.
const ALL: u64 = 128 * 1024 * 1024;

/// Marks an answer whose bytes are part of the program: it takes no memory of its own.
#[derive(Clone, Copy)]
pub struct InProgram;

/// Bytes of large answers that have not been sent.
pub struct Answers {
    metrics: Arc<Metrics>,
    unsent: Mutex<Unsent>,
}

#[derive(Default)]
struct Unsent {
    all: u64,
    /// Only addresses that something waits for.
    each: HashMap<Network, u64>,
}

/// An answer's part of [`Answers`].
pub struct Share {
    answers: Arc<Answers>,
    network: Network,
    bytes: u64,
}

/// A piece of an answer. The connection keeps it until the kernel has taken all of it.
pub struct Piece {
    bytes: Bytes,
    _share: Arc<Share>,
}

impl Answers {
    pub fn new(metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Answers { metrics, unsent: Mutex::default() })
    }

    /// Takes so many bytes for an answer. `Ok(None)`: the answer is small. An error: too much waits already.
    pub fn take(self: &Arc<Self>, network: Network, bytes: u64) -> Result<Option<Arc<Share>>, Full> {
        if bytes <= SMALL {
            return Ok(None);
        }
        let mut unsent = self.lock();
        let here = unsent.each.get(&network).copied().unwrap_or_default().saturating_add(bytes);
        let all = unsent.all.saturating_add(bytes);
        if here > PER_ADDRESS || all > ALL {
            return Err(Full);
        }
        unsent.all = all;
        unsent.each.insert(network, here);
        self.metrics.unsent_bytes.store(all as i64, Relaxed);
        Ok(Some(Arc::new(Share { answers: self.clone(), network, bytes })))
    }

    fn lock(&self) -> MutexGuard<'_, Unsent> {
        self.unsent.lock().expect("no panic under this lock")
    }
}

/// Too many bytes wait to be read.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl Drop for Share {
    fn drop(&mut self) {
        let mut unsent = self.answers.lock();
        unsent.all -= self.bytes;
        let here = unsent.each.get(&self.network).copied().unwrap_or_default().saturating_sub(self.bytes);
        match here {
            0 => unsent.each.remove(&self.network),
            here => unsent.each.insert(self.network, here),
        };
        self.answers.metrics.unsent_bytes.store(unsent.all as i64, Relaxed);
    }
}

impl Piece {
    /// The same bytes, which hold the share as long as anybody has them: hyper drops a body before it has written its last piece.
    pub fn hold(bytes: Bytes, share: Arc<Share>) -> Bytes {
        Bytes::from_owner(Piece { bytes, _share: share })
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes of texts that are kept for the next client that asks.
const KEPT: usize = 32 * 1024 * 1024;
/// For so many milliseconds a text is kept. Short, because what an operator deletes must be gone soon.
const KEPT_FOR: u64 = 10_000;

/// A text by the hash of what it is made from, and the form in which it is sent.
pub type Key = (Hash, &'static str);

/// Large texts that were asked for a moment ago.
#[derive(Default)]
pub struct Texts {
    /// One text is read at a time, so that a crowd of requests neither fills memory nor holds up the rooms' reads. Whoever hangs up
    /// while waiting leaves the queue.
    reading: tokio::sync::Mutex<()>,
    kept: Mutex<HashMap<Key, Kept>>,
}

struct Kept {
    until: u64,
    text: Bytes,
}

impl Texts {
    /// A text that is kept, or else what `read` gives.
    pub async fn get(
        &self,
        key: Key,
        now: impl Fn() -> u64,
        read: impl Future<Output = Result<Option<Vec<u8>>, Refusal>>,
    ) -> Result<Option<Bytes>, Refusal> {
        if let Some(text) = self.kept(&key, now()) {
            return Ok(Some(text));
        }
        let _turn = self.reading.lock().await;
        // Somebody may have read it meanwhile.
        if let Some(text) = self.kept(&key, now()) {
            return Ok(Some(text));
        }
        let Some(text) = read.await?.map(Bytes::from) else { return Ok(None) };
        self.keep(key, now(), text.clone());
        Ok(Some(text))
    }

    fn kept(&self, key: &Key, now: u64) -> Option<Bytes> {
        let kept = self.kept.lock().expect("no panic under this lock");
        kept.get(key).filter(|kept| now < kept.until).map(|kept| kept.text.clone())
    }

    fn keep(&self, key: Key, now: u64, text: Bytes) {
        let mut all = self.kept.lock().expect("no panic under this lock");
        all.retain(|_, kept| now < kept.until);
        // An entry takes some memory beside its text.
        let size = |text: &Bytes| text.len() + 1024;
        let mut bytes = all.values().map(|kept| size(&kept.text)).sum::<usize>() + size(&text);
        while bytes > KEPT {
            let Some(oldest) = all.iter().min_by_key(|(_, kept)| kept.until).map(|(key, _)| *key) else { return };
            bytes -= all.remove(&oldest).map_or(0, |kept| size(&kept.text));
        }
        all.insert(key, Kept { until: now + KEPT_FOR, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> Network {
        Network::of([10, 0, 0, n].into())
    }

    #[test]
    fn unsent_answers_are_bounded_for_each_address_and_for_all() {
        let answers = Answers::new(Arc::default());
        let shares: Vec<_> = (0..PER_ADDRESS >> 20).map(|_| answers.take(address(1), 1 << 20).unwrap()).collect();
        assert_eq!(answers.take(address(1), 1 << 20).err(), Some(Full));
        assert!(answers.take(address(1), SMALL).unwrap().is_none(), "a small answer is always sent");
        let mut others = Vec::new();
        while let Ok(share) = answers.take(address(others.len() as u8 + 2), 1 << 20) {
            others.push(share);
        }
        assert_eq!((shares.len() + others.len()) as u64, ALL >> 20);
        drop(shares);
        let piece = Piece::hold(Bytes::from_static(b"text"), answers.take(address(1), 1 << 20).unwrap().unwrap());
        drop(others);
        assert_eq!((&piece[..], answers.lock().all), (&b"text"[..], 1 << 20), "bytes on their way count");
        drop(piece);
        assert!(answers.lock().all == 0 && answers.lock().each.is_empty());
    }

    #[test]
    fn kept_texts_are_bounded_and_expire() {
        let texts = Texts::default();
        for n in 0..100u8 {
            texts.keep(([n; 32], "json"), u64::from(n), vec![0; 1 << 20].into());
        }
        assert!(texts.kept.lock().unwrap().values().map(|kept| kept.text.len()).sum::<usize>() <= KEPT);
        assert!(texts.kept(&([99; 32], "json"), 99).is_some() && texts.kept(&([0; 32], "json"), 99).is_none());
        assert!(texts.kept(&([99; 32], "json"), 99 + KEPT_FOR).is_none());
        texts.keep(([1; 32], "json"), 0, vec![0; KEPT].into());
        assert!(texts.kept(&([1; 32], "json"), 0).is_none(), "what does not fit is not kept");
    }
}
