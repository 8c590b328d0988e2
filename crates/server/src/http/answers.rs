//! Bounds the answers that clients have not read yet, and shares the large ones.
//!
//! A client that asks and does not read keeps its answer in the server's memory until a timeout closes the connection.
//! So every large answer takes a share of two budgets, one for the client's address and one for all, and returns it
//! when the kernel has taken the last byte. Large texts that many clients ask for are read once and shared.

use super::Refusal;
use crate::address::Network;
use crate::metrics::Metrics;
use baize_store::Hash;
use bytes::Bytes;
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};

/// Answers up to this size are always sent: the limits of connections bound them.
const SMALL: u64 = 16 * 1024;
/// Budget in bytes for larger answers to one address: nine of the largest definitions.
const ADDRESS_BUDGET: u64 = 48 * 1024 * 1024;
/// Budget in bytes for all larger answers.
const TOTAL_BUDGET: u64 = 128 * 1024 * 1024;

/// Marks an answer whose bytes are part of the program and take no extra memory.
#[derive(Clone, Copy)]
pub struct EmbeddedBytes;

/// The bytes of large answers that are not sent yet.
pub struct UnsentAnswers {
    metrics: Arc<Metrics>,
    unsent: Mutex<UnsentBytes>,
}

#[derive(Default)]
struct UnsentBytes {
    all: u64,
    /// The unsent bytes of each network that has some.
    each: HashMap<Network, u64>,
}

/// The bytes that one answer takes of [`UnsentAnswers`].
pub struct AnswerShare {
    answers: Arc<UnsentAnswers>,
    network: Network,
    bytes: u64,
}

/// A piece of an answer. The connection keeps it until the kernel has taken all of it.
pub struct AnswerPiece {
    bytes: Bytes,
    _share: Arc<AnswerShare>,
}

impl UnsentAnswers {
    pub fn new(metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(UnsentAnswers { metrics, unsent: Mutex::default() })
    }

    /// Takes a share for an answer. Returns `Ok(None)` if the answer is small, and an error if a budget is used up.
    pub fn take(self: &Arc<Self>, network: Network, bytes: u64) -> Result<Option<Arc<AnswerShare>>, BudgetUsedUp> {
        if bytes <= SMALL {
            return Ok(None);
        }
        let mut unsent = self.lock();
        let here = unsent.each.get(&network).copied().unwrap_or_default().saturating_add(bytes);
        let all = unsent.all.saturating_add(bytes);
        if here > ADDRESS_BUDGET || all > TOTAL_BUDGET {
            return Err(BudgetUsedUp);
        }
        unsent.all = all;
        unsent.each.insert(network, here);
        self.metrics.unsent_bytes.store(all as i64, Relaxed);
        Ok(Some(Arc::new(AnswerShare { answers: self.clone(), network, bytes })))
    }

    fn lock(&self) -> MutexGuard<'_, UnsentBytes> {
        self.unsent.lock().expect("no panic under this lock")
    }
}

/// The budget for unsent answers is used up.
#[derive(Debug, PartialEq, Eq)]
pub struct BudgetUsedUp;

impl Drop for AnswerShare {
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

impl AnswerPiece {
    /// The same bytes, which hold the share as long as they exist: hyper drops a body before it has written the last
    /// piece.
    pub fn hold(bytes: Bytes, share: Arc<AnswerShare>) -> Bytes {
        Bytes::from_owner(AnswerPiece { bytes, _share: share })
    }
}

impl AsRef<[u8]> for AnswerPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Upper bound on the bytes of cached texts.
const MAX_CACHED_BYTES: usize = 32 * 1024 * 1024;
/// How long a text is cached, in milliseconds. The time is short, because a deleted text must be gone soon.
const CACHED_FOR: u64 = 10_000;

/// The hash that a text is made from, and the form in which it is sent.
pub type TextKey = (Hash, &'static str);

/// Large texts that were requested recently.
#[derive(Default)]
pub struct TextCache {
    /// One text is read at a time, so that many requests neither fill memory nor delay the rooms' reads. A client that
    /// disconnects while it waits leaves the queue.
    reading: tokio::sync::Mutex<()>,
    kept: Mutex<HashMap<TextKey, CachedText>>,
}

struct CachedText {
    until: u64,
    text: Bytes,
}

impl TextCache {
    /// The cached text, or the result of `read`.
    pub async fn get(
        &self,
        key: TextKey,
        now: impl Fn() -> u64,
        read: impl Future<Output = Result<Option<Vec<u8>>, Refusal>>,
    ) -> Result<Option<Bytes>, Refusal> {
        if let Some(text) = self.cached(&key, now()) {
            return Ok(Some(text));
        }
        let _turn = self.reading.lock().await;
        // Another request may have read the text meanwhile.
        if let Some(text) = self.cached(&key, now()) {
            return Ok(Some(text));
        }
        let Some(text) = read.await?.map(Bytes::from) else { return Ok(None) };
        self.insert(key, now(), text.clone());
        Ok(Some(text))
    }

    fn cached(&self, key: &TextKey, now: u64) -> Option<Bytes> {
        let kept = self.kept.lock().expect("no panic under this lock");
        kept.get(key).filter(|kept| now < kept.until).map(|kept| kept.text.clone())
    }

    fn insert(&self, key: TextKey, now: u64, text: Bytes) {
        let mut all = self.kept.lock().expect("no panic under this lock");
        all.retain(|_, kept| now < kept.until);
        // An entry takes some memory beside its text.
        let size = |text: &Bytes| text.len() + 1024;
        let mut bytes = all.values().map(|kept| size(&kept.text)).sum::<usize>() + size(&text);
        while bytes > MAX_CACHED_BYTES {
            let Some(oldest) = all.iter().min_by_key(|(_, kept)| kept.until).map(|(key, _)| *key) else { return };
            bytes -= all.remove(&oldest).map_or(0, |kept| size(&kept.text));
        }
        all.insert(key, CachedText { until: now + CACHED_FOR, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> Network {
        Network::of([10, 0, 0, n].into())
    }

    #[test]
    fn unsent_answers_are_bounded_per_address_and_in_all() {
        let answers = UnsentAnswers::new(Arc::default());
        let shares: Vec<_> = (0..ADDRESS_BUDGET >> 20).map(|_| answers.take(address(1), 1 << 20).unwrap()).collect();
        assert_eq!(answers.take(address(1), 1 << 20).err(), Some(BudgetUsedUp));
        assert!(answers.take(address(1), SMALL).unwrap().is_none(), "a small answer is always sent");
        let mut others = Vec::new();
        while let Ok(share) = answers.take(address(others.len() as u8 + 2), 1 << 20) {
            others.push(share);
        }
        assert_eq!((shares.len() + others.len()) as u64, TOTAL_BUDGET >> 20);
        drop(shares);
        let piece = AnswerPiece::hold(Bytes::from_static(b"text"), answers.take(address(1), 1 << 20).unwrap().unwrap());
        drop(others);
        assert_eq!((&piece[..], answers.lock().all), (&b"text"[..], 1 << 20), "bytes on their way count");
        drop(piece);
        assert!(answers.lock().all == 0 && answers.lock().each.is_empty());
    }

    #[test]
    fn cached_texts_are_bounded_and_expire() {
        let texts = TextCache::default();
        for n in 0..100u8 {
            texts.insert(([n; 32], "json"), u64::from(n), vec![0; 1 << 20].into());
        }
        assert!(texts.kept.lock().unwrap().values().map(|kept| kept.text.len()).sum::<usize>() <= MAX_CACHED_BYTES);
        assert!(texts.cached(&([99; 32], "json"), 99).is_some() && texts.cached(&([0; 32], "json"), 99).is_none());
        assert!(texts.cached(&([99; 32], "json"), 99 + CACHED_FOR).is_none());
        texts.insert(([1; 32], "json"), 0, vec![0; MAX_CACHED_BYTES].into());
        assert!(texts.cached(&([1; 32], "json"), 0).is_none(), "what does not fit is not kept");
    }
}
