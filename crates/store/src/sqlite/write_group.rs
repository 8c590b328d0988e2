//! Runs a group of requests in one transaction.

use super::write_connection::WriteConnection;
use super::write_request::{PendingReply, WriteRequest};
use crate::{Stats, StoreError};
use std::time::Instant;

impl WriteConnection {
    /// Runs all requests in one transaction and sends their replies when it is on disk.
    pub fn run_group(&mut self, group: Vec<WriteRequest>, stats: &Stats) {
        let count = group.len() as u64;
        stats.commit_started();
        let begun = self.begin();
        let replies: Vec<PendingReply> =
            group.into_iter().filter_map(|request| self.run_request(request, begun.clone())).collect();
        let started = Instant::now();
        let committed = begun.and_then(|()| self.commit_group());
        stats.count_commit(count, started.elapsed().as_micros() as u64);
        match &committed {
            Ok(()) => stats.commit_succeeded(),
            Err(error) => stats.commit_failed(&error.to_string()),
        }
        replies.into_iter().for_each(|reply| reply.send(committed.clone()));
    }

    fn run_request(&mut self, request: WriteRequest, begun: Result<(), StoreError>) -> Option<PendingReply> {
        match (request, begun) {
            (WriteRequest::Commit(commit, reply), Ok(())) => Some(PendingReply::Commit(reply, self.commit(&commit))),
            (WriteRequest::Commit(_, reply), Err(error)) => Some(PendingReply::Commit(reply, Err(error))),
            (WriteRequest::Grouped(change), Ok(())) => {
                // A request that fails must not roll back the others of its group.
                let _ = self.run("SAVEPOINT request");
                let (succeeded, send) = change(Ok(self));
                let _ = self.run(if succeeded { "RELEASE request" } else { "ROLLBACK TO request" });
                Some(PendingReply::Grouped(send))
            }
            (WriteRequest::Grouped(change), Err(error)) => Some(PendingReply::Grouped(change(Err(error)).1)),
            // The writer never puts these into a group.
            (WriteRequest::Exclusive(_), _) => None,
        }
    }
}
