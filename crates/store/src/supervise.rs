//! Restarts tasks that panic.

use crate::stats::panic_message;
use std::future::Future;
use std::time::Duration;
use tokio::task::JoinSet;

/// Pause before a restart, so that a task that always panics does not keep a core busy.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs a task until it ends. If it panics, logs the panic, calls `on_restart` and starts it again.
pub async fn restart_on_panic<F>(name: &'static str, on_restart: impl Fn(), mut start: impl FnMut() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    loop {
        // A `JoinSet` aborts the task when the caller drops this future; a plain spawned task would go on.
        let mut task = JoinSet::new();
        task.spawn(start());
        match task.join_next().await {
            Some(Err(error)) if error.is_panic() => {
                on_restart();
                tracing::error!(
                    task = name,
                    panic = panic_message(&*error.into_panic()),
                    "a task of the store panicked"
                );
                tokio::time::sleep(PAUSE).await;
            }
            _ => return,
        }
    }
}
