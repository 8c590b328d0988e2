//! How a store is doing: figures for `/metrics`, and whether it writes at all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub struct Stats {
    /// Transactions.
    pub commits: AtomicU64,
    /// Jobs in them.
    pub jobs: AtomicU64,
    /// Time spent committing, in microseconds.
    pub commit_micros: AtomicU64,
    /// Threads and tasks of the store that panicked and were begun again.
    pub restarts: AtomicU64,
    writing: Mutex<Writing>,
}

#[derive(Debug, Default)]
struct Writing {
    /// When something was last on disk.
    good: Option<Instant>,
    /// Since when nothing can be written, and why.
    bad: Option<(Instant, String)>,
    /// Since when a commit is under way.
    under_way: Option<Instant>,
}

/// Whether a store writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// How long ago the last good commit was; none: there was none yet.
    pub since_good: Option<Duration>,
    /// For how long every commit has failed, and why the last one did.
    pub failing: Option<(Duration, String)>,
    /// For how long the commit that is under way has been.
    pub under_way: Option<Duration>,
}

impl Stats {
    pub fn condition(&self) -> Condition {
        let writing = self.writing();
        Condition {
            since_good: writing.good.map(|at| at.elapsed()),
            failing: writing.bad.as_ref().map(|(at, why)| (at.elapsed(), why.clone())),
            under_way: writing.under_way.map(|at| at.elapsed()),
        }
    }

    pub(crate) fn note(&self, jobs: u64, micros: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.jobs.fetch_add(jobs, Ordering::Relaxed);
        self.commit_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// A commit begins.
    pub(crate) fn begun(&self) {
        self.writing().under_way.get_or_insert_with(Instant::now);
    }

    /// It is on disk.
    pub(crate) fn good(&self) {
        *self.writing() = Writing { good: Some(Instant::now()), bad: None, under_way: None };
    }

    /// It is not, or nobody knows.
    pub(crate) fn bad(&self, why: &str) {
        let mut writing = self.writing();
        writing.under_way = None;
        let since = writing.bad.take().map_or_else(Instant::now, |(since, _)| since);
        writing.bad = Some((since, why.to_owned()));
    }

    /// A thread or task of the store has panicked and is begun again.
    pub(crate) fn restarted(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a panic said.
pub(crate) fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_fails_until_a_commit_is_good() {
        let stats = Stats::default();
        assert_eq!(stats.condition(), Condition::default());
        stats.begun();
        assert!(stats.condition().under_way.is_some());
        stats.bad("the disk is full");
        stats.bad("the disk is still full");
        let now = stats.condition();
        assert_eq!(now.failing.map(|(_, why)| why).as_deref(), Some("the disk is still full"));
        assert_eq!((now.since_good, now.under_way), (None, None));
        stats.good();
        let now = stats.condition();
        assert!(now.since_good.is_some() && now.failing.is_none());
    }
}
