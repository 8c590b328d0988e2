//! Tasks that are begun again when they panic.

use crate::stats::said;
use std::future::Future;
use std::time::Duration;
use tokio::task::JoinSet;

/// Between a panic and the next beginning: what always panics must not keep a core busy.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs a task until it ends. One that panics is logged and begun again.
pub async fn keep<F>(name: &'static str, restarted: impl Fn(), mut begin: impl FnMut() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    loop {
        // A set of one: it ends with whoever waits for it.
        let mut task = JoinSet::new();
        task.spawn(begin());
        match task.join_next().await {
            Some(Err(error)) if error.is_panic() => {
                restarted();
                tracing::error!(task = name, panic = said(&*error.into_panic()), "a task of the store panicked");
                tokio::time::sleep(PAUSE).await;
            }
            _ => return,
        }
    }
}
