//! Statistics of a store: counters for `/metrics`, and whether its commits succeed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub struct Stats {
    /// Transactions.
    pub commits: AtomicU64,
    /// Requests in these transactions.
    pub requests: AtomicU64,
    /// Time spent committing, in microseconds.
    pub commit_micros: AtomicU64,
    /// How often a thread or task of the store panicked and was restarted.
    pub restarts: AtomicU64,
    health: Mutex<CommitTimes>,
}

#[derive(Debug, Default)]
struct CommitTimes {
    /// When a commit last succeeded.
    succeeded: Option<Instant>,
    /// When commits began to fail, and why the last one failed.
    failing: Option<(Instant, String)>,
    /// When the running commit started.
    running: Option<Instant>,
}

/// Whether the commits of a store succeed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Time since the last commit that succeeded; `None` if there was none yet.
    pub since_success: Option<Duration>,
    /// For how long every commit has failed, and why the last one did.
    pub failing: Option<(Duration, String)>,
    /// For how long the current commit has been running.
    pub running: Option<Duration>,
}

impl Stats {
    pub fn health(&self) -> Health {
        let times = self.times();
        Health {
            since_success: times.succeeded.map(|at| at.elapsed()),
            failing: times.failing.as_ref().map(|(at, why)| (at.elapsed(), why.clone())),
            running: times.running.map(|at| at.elapsed()),
        }
    }

    pub(crate) fn count_commit(&self, requests: u64, micros: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.requests.fetch_add(requests, Ordering::Relaxed);
        self.commit_micros.fetch_add(micros, Ordering::Relaxed);
    }

    pub(crate) fn commit_started(&self) {
        self.times().running.get_or_insert_with(Instant::now);
    }

    pub(crate) fn commit_succeeded(&self) {
        *self.times() = CommitTimes { succeeded: Some(Instant::now()), failing: None, running: None };
    }

    /// Notes a commit that failed, or of which nobody knows whether it is on disk.
    pub(crate) fn commit_failed(&self, why: &str) {
        let mut times = self.times();
        times.running = None;
        let since = times.failing.take().map_or_else(Instant::now, |(since, _)| since);
        times.failing = Some((since, why.to_owned()));
    }

    pub(crate) fn count_restart(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
    }

    fn times(&self) -> MutexGuard<'_, CommitTimes> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The message of a panic, if it has one.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().map(|message| (*message).to_owned());
    message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_failing_until_a_commit_succeeds() {
        let stats = Stats::default();
        assert_eq!(stats.health(), Health::default());
        stats.commit_started();
        assert!(stats.health().running.is_some());
        stats.commit_failed("the disk is full");
        stats.commit_failed("the disk is still full");
        let now = stats.health();
        assert_eq!(now.failing.map(|(_, why)| why).as_deref(), Some("the disk is still full"));
        assert_eq!((now.since_success, now.running), (None, None));
        stats.commit_succeeded();
        let now = stats.health();
        assert!(now.since_success.is_some() && now.failing.is_none());
    }
}
