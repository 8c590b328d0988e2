//! Restarts tasks of the server that panic.
//!
//! A restart does not help a task that panics again and again. Then `/healthz` reports the server as unhealthy, and a
//! load balancer sends nobody here until the panics stop.

use crate::clock::ServerClock;
use futures_util::FutureExt;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The pause between a panic and the restart, so that a task that always panics does not keep a core busy.
const RESTART_PAUSE: Duration = Duration::from_millis(100);
/// The server counts as unhealthy when one task panics this often within a minute.
const MAX_PANICS_PER_MINUTE: usize = 5;
const MINUTE: u64 = 60_000;

/// The times of recent panics, by the name of the task.
#[derive(Debug)]
pub struct Panics {
    clock: ServerClock,
    recent: Mutex<HashMap<&'static str, VecDeque<u64>>>,
}

impl Panics {
    pub fn new(clock: &ServerClock) -> Self {
        Panics { clock: clock.clone(), recent: Mutex::default() }
    }

    pub fn record(&self, task: &'static str) {
        let now = self.clock.now();
        let mut recent = self.recent();
        let times = recent.entry(task).or_default();
        times.push_back(now);
        if times.len() > MAX_PANICS_PER_MINUTE {
            times.pop_front();
        }
    }

    /// A task that has panicked too often within the last minute.
    pub fn failing_task(&self) -> Option<&'static str> {
        let now = self.clock.now();
        let recent = self.recent();
        let ails =
            |times: &VecDeque<u64>| times.len() >= MAX_PANICS_PER_MINUTE && times.iter().all(|at| at + MINUTE > now);
        recent.iter().find(|(_, times)| ails(times)).map(|(task, _)| *task)
    }

    fn recent(&self) -> MutexGuard<'_, HashMap<&'static str, VecDeque<u64>>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a task until it ends. Returns true if it panicked, which is logged; then the caller runs it again.
pub async fn panicked(task: &'static str, panics: &Panics, work: impl Future<Output = ()>) -> bool {
    let Err(panic) = AssertUnwindSafe(work).catch_unwind().await else { return false };
    panics.record(task);
    tracing::error!(task, panic = panic_text(&*panic), "a task panicked and is begun again");
    tokio::time::sleep(RESTART_PAUSE).await;
    true
}

/// The message of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_counts_as_failing_until_its_panics_are_a_minute_old() {
        let clock = ServerClock::driven(1_000_000);
        let panics = Panics::new(&clock);
        for _ in 0..MAX_PANICS_PER_MINUTE {
            assert_eq!(panics.failing_task(), None);
            panics.record("peer links");
            clock.advance(1_000);
        }
        assert_eq!(panics.failing_task(), Some("peer links"));
        clock.advance(MINUTE);
        assert_eq!(panics.failing_task(), None);
    }

    #[tokio::test]
    async fn a_caller_restarts_a_task_until_it_ends_without_a_panic() {
        let panics = Panics::new(&ServerClock::driven(0));
        let mut left = 3;
        while panicked("test", &panics, async { assert!(left == 0, "not yet") }).await {
            left -= 1;
        }
        assert_eq!(left, 0);
    }
}
