//! Limits slow work, such as preparing a table of 20,000 cards, and runs it where no other task waits.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Permits for slow work.
pub struct SlowWork(Semaphore);

impl Default for SlowWork {
    /// Half of the machine's cores, so that the others can answer meanwhile.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        SlowWork(Semaphore::new((cores / 2).max(1)))
    }
}

impl SlowWork {
    /// Waits for a permit. Waiting rooms hold no thread, so that any number of them leaves threads for the other tasks.
    pub async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.0.acquire().await.ok()
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
