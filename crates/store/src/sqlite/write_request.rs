//! Requests to the writer's thread, and how the caller gets the answer.

use super::write_connection::WriteConnection;
use crate::{Commit, StoreError};
use tokio::sync::oneshot;

type ReplySender<T> = oneshot::Sender<Result<T, StoreError>>;

/// A change to the database, with the channel for its answer. The writer answers when the change is on disk or has failed.
pub enum WriteRequest {
    Commit(Commit, ReplySender<()>),
    /// Any other change that shares a transaction with the rest of its group.
    Grouped(GroupedChange),
    /// A change with a transaction of its own, after its group's transaction.
    Exclusive(Box<dyn FnOnce(&mut WriteConnection) + Send>),
}

/// Gets the connection, or the reason why there is no transaction. Returns whether the change succeeded, and its reply.
type GroupedChange = Box<dyn FnOnce(Result<&mut WriteConnection, StoreError>) -> (bool, SendReply) + Send>;

/// Sends the reply, given the outcome of the shared transaction.
type SendReply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

impl WriteRequest {
    pub fn purge(before: u64, reply: ReplySender<u64>) -> Self {
        WriteRequest::exclusive(move |connection| connection.purge(before), reply)
    }

    /// `change` calls [`WriteConnection::run_exclusively`].
    pub fn exclusive<T: Send + 'static>(
        change: impl FnOnce(&mut WriteConnection) -> Result<T, StoreError> + Send + 'static,
        reply: ReplySender<T>,
    ) -> Self {
        WriteRequest::Exclusive(Box::new(move |connection| drop(reply.send(change(connection)))))
    }

    pub fn grouped<T: Send + 'static>(
        change: impl FnOnce(&mut WriteConnection) -> Result<T, StoreError> + Send + 'static,
        reply: ReplySender<T>,
    ) -> Self {
        WriteRequest::Grouped(Box::new(move |connection| {
            let result = connection.and_then(change);
            let succeeded = result.is_ok();
            let send = move |committed: Result<(), StoreError>| {
                let _ = reply.send(committed.and(result));
            };
            (succeeded, Box::new(send))
        }))
    }

    /// Answers with an error because the database cannot be opened.
    pub fn refuse(self, error: &StoreError) {
        match self {
            WriteRequest::Commit(_, reply) => drop(reply.send(Err(error.clone()))),
            WriteRequest::Grouped(change) => change(Err(error.clone())).1(Err(error.clone())),
            // Dropping the change drops its reply channel, which the caller sees as an error.
            WriteRequest::Exclusive(change) => drop(change),
        }
    }
}

/// A reply that waits for its group's transaction to be on disk.
pub enum PendingReply {
    Commit(ReplySender<()>, Result<(), StoreError>),
    Grouped(SendReply),
}

impl PendingReply {
    pub fn send(self, committed: Result<(), StoreError>) {
        match self {
            PendingReply::Commit(reply, result) => drop(reply.send(committed.and(result))),
            PendingReply::Grouped(send) => send(committed),
        }
    }
}
