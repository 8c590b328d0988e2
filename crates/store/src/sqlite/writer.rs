//! The thread that writes: it takes requests from a queue and runs them in groups, one transaction for each group.

use super::checkpoint::{CheckpointThread, checkpoint_fully};
use super::database_file::{DatabaseFile, FileId, FileState};
use super::journal::{self, LogTails};
use super::side_connection::{SideConnection, abandon};
use super::write_connection::WriteConnection;
use super::write_request::WriteRequest;
use super::{ThreadMessage, schema};
use crate::stats::panic_message;
use crate::{Stats, StoreError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Upper bound on requests in one transaction: many requests share one sync, and none of them waits long.
const MAX_GROUP: usize = 512;
/// When each of the last two groups had at least this many requests, more are probably on their way, and the next group waits for them: a
/// sync costs as much for fifty requests as for two. One such group alone causes no wait; a slow sync may have caused it.
const BUSY_GROUP: usize = 4;
/// A busy writer waits for this time multiplied by the size of the smaller of the last two groups, up to [`MAX_WAIT`].
const WAIT_PER_REQUEST: Duration = Duration::from_micros(200);
/// Upper bound on the wait of a busy writer.
const MAX_WAIT: Duration = Duration::from_millis(5);
/// After this time without a request, the writer is idle and flushes the journal.
const IDLE_AFTER: Duration = Duration::from_secs(1);

/// Opens the database again when its file was replaced, or when the connection was dropped after a panic.
pub struct ConnectionSource {
    pub file: DatabaseFile,
    pub tails: LogTails,
    /// Id of the database file that was opened last.
    pub file_id: FileId,
    /// How often the database was opened again and was another file.
    pub generation: i64,
    /// The connections of the reader and of the checkpoint thread. All connections of a process must be to the same file.
    pub side_connections: [SideConnection; 2],
}

impl ConnectionSource {
    /// Returns the open connection, after opening it again if that is necessary.
    fn ensure_open<'a>(
        &mut self,
        connection: &'a mut Option<WriteConnection>,
    ) -> Result<&'a mut WriteConnection, StoreError> {
        let state = connection.as_mut().map_or(FileState::Replaced, WriteConnection::file_state);
        let is_another = connection.is_some() && state == FileState::Replaced;
        let must_reopen = match (state, &*connection) {
            (FileState::Unchanged, Some(_)) => false,
            (FileState::Missing, Some(open)) => return Err(open.missing_file()),
            (FileState::Damaged, Some(open)) => return Err(open.damaged_file()),
            (FileState::WalReplaced, Some(open)) => {
                // The old WAL is still open. Its contents go to the database now; they are lost when it is closed.
                checkpoint_fully(&open.connection)?;
                true
            }
            _ => true,
        };
        if must_reopen {
            let [mut reading, mut checkpointing] = self.side_connections.each_ref().map(SideConnection::lock);
            [reading.take(), checkpointing.take()].into_iter().flatten().for_each(abandon);
            let old_wal = connection.take().and_then(WriteConnection::abandon);
            if state == FileState::Replaced {
                self.file.set_old_wal_aside(old_wal);
            }
            let opened = self.file.connect()?;
            schema::prepare(&opened)?;
            let mut open = WriteConnection::new(opened, &self.file, self.tails.clone(), self.generation)?;
            if is_another || open.file_id != self.file_id {
                (self.generation, self.file_id) = (self.generation + 1, open.file_id);
            }
            open.generation = self.generation;
            *connection = Some(open);
            tracing::warn!(file = %self.file.path.display(), "the database was opened again");
        }
        connection.as_mut().ok_or_else(|| StoreError::Failed("the database is not open".into()))
    }
}

/// Runs until the store is closed and every earlier request is done. After a panic the connection's caches may be wrong, so the
/// writer opens the database again; the callers of that group get errors.
pub fn run(
    mut connection_source: ConnectionSource,
    open: WriteConnection,
    messages: &Receiver<ThreadMessage<WriteRequest>>,
    mut checkpoint_thread: CheckpointThread,
    stats: &Stats,
) {
    let mut connection = Some(open);
    let mut guarded = |connection: &mut Option<WriteConnection>,
                       work: &mut dyn FnMut(&mut WriteConnection)|
     -> Result<(), StoreError> {
        let open =
            connection_source.ensure_open(connection).inspect_err(|error| stats.commit_failed(&error.to_string()))?;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(open))) {
            stats.count_restart();
            stats.commit_failed("the writer of the store panicked");
            tracing::error!(
                panic = panic_message(&*panic),
                "the writer of the store panicked; the database is opened again"
            );
            connection.take();
        }
        Ok(())
    };
    let mut closing = None;
    let (mut last_group, mut group_before) = (0, 0);
    while closing.is_none() {
        let first = match messages.recv_timeout(IDLE_AFTER) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                // If the database is missing, the next request reports it.
                if connection.as_mut().is_some_and(|open| open.file_state() == FileState::Unchanged) {
                    let _ = guarded(&mut connection, &mut |open| open.flush_journal(journal::FLUSH_ROWS_WHEN_IDLE));
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let expected: usize = last_group.min(group_before);
        if expected >= BUSY_GROUP {
            // The thread sleeps instead of waiting at the queue: then nobody who sends a request has to wake it.
            std::thread::sleep(MAX_WAIT.min(WAIT_PER_REQUEST * expected as u32));
        }
        let (mut group, mut exclusive) = (Vec::new(), Vec::new());
        for message in std::iter::once(first).chain(messages.try_iter()) {
            match message {
                ThreadMessage::Run(WriteRequest::Exclusive(change)) => exclusive.push(change),
                ThreadMessage::Run(request) => group.push(request),
                ThreadMessage::Close(closed) => closing = Some(closed),
            }
            if closing.is_some() || group.len() == MAX_GROUP {
                break;
            }
        }
        (group_before, last_group) = (last_group, group.len());
        let count = group.len() as u64;
        let mut group = (!group.is_empty()).then_some(group);
        let mut exclusive = Some(exclusive);
        let opened = guarded(&mut connection, &mut |open| {
            if let Some(group) = group.take() {
                open.run_group(group, stats);
            }
            for change in exclusive.take().into_iter().flatten() {
                change(open);
            }
            open.flush_journal(journal::FLUSH_ROWS);
            checkpoint_thread.after_group(count, &open.connection);
        });
        if let Err(error) = opened {
            group.take().into_iter().flatten().for_each(|request| request.refuse(&error));
            exclusive.take().into_iter().flatten().for_each(|change| WriteRequest::Exclusive(change).refuse(&error));
        }
    }
    if connection.as_mut().is_some_and(|open| open.file_state() == FileState::Unchanged) {
        let _ = guarded(&mut connection, &mut |open| open.flush_journal(1));
    }
    checkpoint_thread.stop();
    if let Some(mut open) = connection.take()
        && open.file_state() != FileState::Unchanged
    {
        let _ = open.abandon();
    }
    if let Some(closed) = closing {
        let _ = closed.send(());
    }
}
