//! Tasks of the server that are begun again when they panic.
//!
//! What panics again and again can't be helped by beginning again: the server then says so at `/healthz`, and whoever spreads
//! people over several servers sends nobody here until it has passed.

use crate::clock::Clock;
use futures_util::FutureExt;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between a panic and the next beginning: what always panics must not keep a core busy.
const PAUSE: Duration = Duration::from_millis(100);
/// So many panics of one task within a minute, and the server is not well.
const TOO_MANY: usize = 5;
const MINUTE: u64 = 60_000;

/// What has panicked lately, by the name of the task.
#[derive(Debug)]
pub struct Panics {
    clock: Clock,
    lately: Mutex<HashMap<&'static str, VecDeque<u64>>>,
}

impl Panics {
    pub fn new(clock: &Clock) -> Self {
        Panics { clock: clock.clone(), lately: Mutex::default() }
    }

    pub fn note(&self, task: &'static str) {
        let now = self.clock.now();
        let mut lately = self.lately();
        let times = lately.entry(task).or_default();
        times.push_back(now);
        if times.len() > TOO_MANY {
            times.pop_front();
        }
    }

    /// A task that panics all the time.
    pub fn ailing(&self) -> Option<&'static str> {
        let now = self.clock.now();
        let lately = self.lately();
        let ails = |times: &VecDeque<u64>| times.len() >= TOO_MANY && times.iter().all(|at| at + MINUTE > now);
        lately.iter().find(|(_, times)| ails(times)).map(|(task, _)| *task)
    }

    fn lately(&self) -> MutexGuard<'_, HashMap<&'static str, VecDeque<u64>>> {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a task until it ends. True: it has panicked, which is logged, and its caller begins it again.
pub async fn failed(task: &'static str, panics: &Panics, work: impl Future<Output = ()>) -> bool {
    let Err(panic) = AssertUnwindSafe(work).catch_unwind().await else { return false };
    panics.note(task);
    tracing::error!(task, panic = said(&*panic), "a task panicked and is begun again");
    tokio::time::sleep(PAUSE).await;
    true
}

/// What a panic said.
pub fn said(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_panics_all_the_time_ails_until_it_has_passed() {
        let clock = Clock::driven(1_000_000);
        let panics = Panics::new(&clock);
        for _ in 0..TOO_MANY {
            assert_eq!(panics.ailing(), None);
            panics.note("peer links");
            clock.advance(1_000);
        }
        assert_eq!(panics.ailing(), Some("peer links"));
        clock.advance(MINUTE);
        assert_eq!(panics.ailing(), None);
    }

    #[tokio::test]
    async fn what_panics_is_begun_again() {
        let panics = Panics::new(&Clock::driven(0));
        let mut left = 3;
        while failed("test", &panics, async { assert!(left == 0, "not yet") }).await {
            left -= 1;
        }
        assert_eq!(left, 0);
    }
}
