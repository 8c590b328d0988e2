//! Limits slow work, such as preparing a table of 20,000 cards, and runs it where no other task waits.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Permits for slow work. All of it needs one: work that runs aside takes a thread, and many threads at once spread the
/// tables over as many heaps, which costs memory and speed for as long as the tables live.
pub struct SlowWork {
    /// Permits for tables with packs of their own, which may be large.
    large: Semaphore,
    /// Permits for all other tables, which do not wait for large ones.
    small: Semaphore,
}

impl Default for SlowWork {
    /// Each kind has permits for half of the machine's cores, so that the other half can answer meanwhile.
    fn default() -> Self {
        let permits = half_of_the_cores();
        SlowWork { large: Semaphore::new(permits), small: Semaphore::new(permits) }
    }
}

/// Half of the machine's cores, and at least one.
pub fn half_of_the_cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    (cores / 2).max(1)
}

impl SlowWork {
    /// Waits for a permit. Waiting rooms hold no thread, so that any number of them leaves threads for the other tasks.
    pub async fn permit(&self, is_large: bool) -> Option<SemaphorePermit<'_>> {
        let permits = if is_large { &self.large } else { &self.small };
        // The semaphores are never closed.
        permits.acquire().await.ok()
    }
}

/// Runs slow work. The other tasks of this thread move to another thread first.
pub fn run_aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // A runtime with one thread has none to move them to.
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    /// Regression: tables without packs of their own needed no permit. A thousand that started at once took forty threads, and an idle
    /// table took 31 to 45 KB instead of 23.
    #[test]
    fn all_slow_work_needs_a_permit_and_small_tables_do_not_wait_for_large_ones() {
        let work = SlowWork { large: Semaphore::new(1), small: Semaphore::new(1) };
        for is_large in [false, true] {
            let held = work.permit(is_large).now_or_never().expect("the first gets a permit");
            assert!(work.permit(is_large).now_or_never().is_none(), "the second waits");
            assert!(work.permit(!is_large).now_or_never().is_some());
            drop(held);
        }
    }
}
