//! Work that takes long, such as making a table of 20,000 cards ready: only so much of it at a time, and never on a thread
//! on which others wait for an answer.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Whose turn it is to do something that takes long.
pub struct SlowWork(Semaphore);

impl Default for SlowWork {
    /// Half of the machine's cores: the others answer meanwhile.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        SlowWork(Semaphore::new((cores / 2).max(1)))
    }
}

impl SlowWork {
    /// Waits for a turn. Rooms wait as tasks, not as threads, so that however many start at once leave threads for the rest.
    pub async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.0.acquire().await.ok()
    }
}

/// Runs something that takes long. The other tasks of this thread move to another one first.
pub fn run_aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // A runtime with one thread has none to move to.
        _ => work(),
    }
}
