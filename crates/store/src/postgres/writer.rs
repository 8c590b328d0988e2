//! The task that writes: it makes this node's commits, and releases tables and renews leases in the right order between them.

use super::Shared;
use super::connection::{Connection, QueryError};
use super::group_statement::GroupStatement;
use super::leases::HeldTable;
use crate::{Commit, StoreError};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// Upper bound on requests in one group: many commits share one sync, and none of them waits long.
const MAX_GROUP: usize = 512;
/// How often the writer writes a group whose outcome stays unknown.
const TRIES: u32 = 5;

type Reply = oneshot::Sender<Result<(), StoreError>>;

pub enum WriteRequest {
    Commit(Commit, Reply),
    /// Releases a table that was opened under an epoch.
    Release(i64, i64, Reply),
}

impl WriteRequest {
    fn table(&self) -> i64 {
        match self {
            WriteRequest::Commit(commit, _) => commit.table,
            WriteRequest::Release(table, ..) => *table,
        }
    }
}

/// A commit with its number under its epoch.
struct NumberedCommit {
    commit: Commit,
    n: i64,
    reply: Reply,
}

/// Requests that the writer carries out together: first the commits, at most one of each table, then the releases.
#[derive(Default)]
struct Group {
    commits: Vec<(Commit, Reply)>,
    releases: Vec<(i64, i64, Reply)>,
}

pub struct Writer {
    pub shared: Arc<Shared>,
    pub connection: Connection,
    /// Gets the codes of tables that this node has lost.
    pub lost: mpsc::UnboundedSender<String>,
}

impl Writer {
    /// Runs until all senders are dropped and all requests are done; then releases every table.
    ///
    /// It can be run again after a panic: the callers of the requests under way get errors, and whoever opens those tables next reads
    /// what was written.
    pub async fn run(self: Arc<Self>, requests: Arc<Mutex<mpsc::UnboundedReceiver<WriteRequest>>>) {
        let mut requests = requests.lock().await;
        let mut waiting = VecDeque::new();
        loop {
            let renewal = self.shared.leases().poll_renewal(self.shared.now());
            if let Some(mine) = renewal {
                self.renew(mine).await;
            }
            let due = self.shared.started + Duration::from_millis(self.shared.leases().next_renewal());
            if waiting.is_empty() {
                match timeout_at(due, requests.recv()).await {
                    Ok(Some(request)) => waiting.push_back(request),
                    Ok(None) => break,
                    Err(_) => continue,
                }
            }
            while waiting.len() < MAX_GROUP
                && let Ok(request) = requests.try_recv()
            {
                waiting.push_back(request);
            }
            let group = Group::take(&mut waiting);
            self.commit(group.commits).await;
            self.release(group.releases).await;
        }
        let all: Vec<_> = self.shared.leases().all();
        let _ = self.release_tables(&all).await;
        self.connection.close().await;
    }

    async fn commit(&self, commits: Vec<(Commit, Reply)>) {
        if !commits.is_empty() {
            self.shared.faults.trip("store/write", "");
        }
        let mut numbered = Vec::with_capacity(commits.len());
        for (commit, reply) in commits {
            match self.shared.leases().next_commit(commit.table, commit.epoch) {
                Some(n) => numbered.push(NumberedCommit { commit, n, reply }),
                None => drop(reply.send(Err(StoreError::Fenced))),
            }
        }
        // Every statement that locks several rows of `rooms` locks them in this order; otherwise two could deadlock.
        numbered.sort_by_key(|numbered| numbered.commit.table);
        if let Err((refused, _)) = self.write(numbered).await {
            // At least one commit is at fault. Written one by one, the others succeed.
            for numbered in refused {
                if let Err((refused, why)) = self.write(vec![numbered]).await {
                    for numbered in refused {
                        let _ = numbered.reply.send(Err(why.clone()));
                    }
                }
            }
        }
    }

    /// Writes and answers all of these commits, or returns those that the database refused together.
    async fn write(&self, mut commits: Vec<NumberedCommit>) -> Result<(), (Vec<NumberedCommit>, StoreError)> {
        let mut tries = 0;
        while !commits.is_empty() {
            tries += 1;
            match self.try_write(&commits).await {
                Ok(written) => {
                    let mut rest = Vec::new();
                    for (index, numbered) in commits.into_iter().enumerate() {
                        match written.contains(&(index as i32)) {
                            true => self.acknowledge(numbered),
                            false => rest.push(numbered),
                        }
                    }
                    // The fence stopped these: another node has the table, or an earlier attempt with an unknown outcome has written
                    // the commit already.
                    commits = rest;
                }
                Err(QueryError::Refused(why)) => return Err((commits, why)),
                // The writer has sent nothing, so the commits are certainly not written.
                Err(QueryError::Unreachable(why)) if tries == 1 => {
                    commits.into_iter().for_each(|numbered| drop(numbered.reply.send(Err(why.clone()))));
                    return Ok(());
                }
                Err(QueryError::OutcomeUnknown(_) | QueryError::Unreachable(_)) => {}
            }
            commits = self.resolve_unknown(commits, tries == TRIES).await;
        }
        Ok(())
    }

    async fn try_write(&self, commits: &[NumberedCommit]) -> Result<HashSet<i32>, QueryError> {
        let numbered: Vec<_> = commits.iter().map(|numbered| (&numbered.commit, numbered.n)).collect();
        let statement = GroupStatement::new(&numbered);
        let started = Instant::now();
        let stats = &self.shared.stats;
        stats.commit_started();
        let answer = self.connection.query_once(&statement.sql, &statement.params()).await;
        let rows = answer.inspect_err(|error| match error {
            QueryError::Refused(StoreError::Failed(why)) | QueryError::OutcomeUnknown(why) => stats.commit_failed(why),
            QueryError::Unreachable(error) => stats.commit_failed(&error.to_string()),
            // The database works; one of the commits is at fault.
            QueryError::Refused(_) => stats.commit_succeeded(),
        })?;
        stats.commit_succeeded();
        stats.count_commit(commits.len() as u64, started.elapsed().as_micros() as u64);
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Reads what became of commits with an unknown outcome, answers those that are written or fenced off, and returns those that are
    /// not written. On the last try it fails these, too.
    async fn resolve_unknown(&self, commits: Vec<NumberedCommit>, is_last_try: bool) -> Vec<NumberedCommit> {
        const ROOMS: &str = "SELECT table_id, epoch, commits FROM rooms WHERE table_id = ANY ($1)";
        if commits.is_empty() {
            return commits;
        }
        let tables: Vec<i64> = commits.iter().map(|numbered| numbered.commit.table).collect();
        let read = self.connection.query_with_retries(ROOMS, &[&tables]).await;
        let rooms: Result<HashMap<i64, (i64, i64)>, _> =
            read.map(|rows| rows.iter().map(|row| (row.get(0), (row.get(1), row.get(2)))).collect());
        let mut unwritten = Vec::new();
        for numbered in commits {
            let Commit { table, epoch, .. } = numbered.commit;
            match rooms.as_ref().map(|rooms| rooms.get(&table)) {
                Ok(Some(room)) if *room == (epoch, numbered.n) => self.acknowledge(numbered),
                Ok(Some(room)) if *room == (epoch, numbered.n - 1) && !is_last_try => unwritten.push(numbered),
                Ok(Some((now, _))) if *now == epoch => self.give_up_table(numbered, "it was not written".into()),
                Ok(_) => {
                    self.shared.leases().remove(table, epoch);
                    let _ = numbered.reply.send(Err(StoreError::Fenced));
                }
                Err(why) => self.give_up_table(numbered, why.to_string()),
            }
        }
        unwritten
    }

    fn acknowledge(&self, written: NumberedCommit) {
        self.shared.leases().handle_written(written.commit.table, written.commit.epoch, written.n);
        let _ = written.reply.send(Ok(()));
    }

    /// Fails a commit and gives up its table, because it is unknown whether the commit was written or still will be. Whoever opens the
    /// table next reads what was written.
    fn give_up_table(&self, unknown: NumberedCommit, why: String) {
        if let Some(code) = self.shared.leases().remove(unknown.commit.table, unknown.commit.epoch) {
            let _ = self.lost.send(code);
        }
        let _ = unknown.reply.send(Err(StoreError::Failed(why)));
    }

    async fn release(&self, releases: Vec<(i64, i64, Reply)>) {
        if releases.is_empty() {
            return;
        }
        let tables: Vec<_> = releases.iter().map(|(table, epoch, _)| (*table, *epoch)).collect();
        let released = self.release_tables(&tables).await;
        for (.., reply) in releases {
            let _ = reply.send(released.clone());
        }
    }

    async fn release_tables(&self, tables: &[HeldTable]) -> Result<(), StoreError> {
        const RELEASE: &str = "UPDATE rooms SET owner = NULL, lease_until = clock_timestamp()
          FROM unnest($1::bigint[], $2::bigint[]) AS gone (id, epoch)
          WHERE rooms.table_id = gone.id AND rooms.epoch = gone.epoch AND rooms.owner = $3";
        let (ids, epochs): (Vec<i64>, Vec<i64>) = tables.iter().copied().unzip();
        for (table, epoch) in tables {
            self.shared.leases().remove(*table, *epoch);
        }
        self.connection.query_with_retries(RELEASE, &[&ids, &epochs, &self.shared.node]).await.map(|_| ())
    }

    /// Renews the leases of this node's tables. It uses the writer's connection, so that it never runs at the same time as a commit, with
    /// which it could deadlock; and a node whose writer is stuck should lose its tables.
    async fn renew(&self, mine: Vec<HeldTable>) {
        const RENEW: &str = "UPDATE rooms SET lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
          FROM unnest($1::bigint[], $2::bigint[]) AS mine (id, epoch)
          WHERE rooms.table_id = mine.id AND rooms.epoch = mine.epoch AND rooms.owner = $3 RETURNING rooms.table_id";
        const OWNED: &str = "SELECT table_id FROM rooms WHERE table_id = ANY ($1) AND owner = $2";
        if mine.is_empty() {
            return;
        }
        self.shared.faults.trip("store/renew", "");
        let (ids, epochs): (Vec<i64>, Vec<i64>) = mine.iter().copied().unzip();
        let Shared { node, lease, .. } = &*self.shared;
        let lease = lease.as_millis() as f64;
        let rows = self.connection.query_with_retries(RENEW, &[&ids, &epochs, node, &lease]).await;
        let Ok(rows) = rows else { return };
        let renewed = rows.iter().map(|row| row.get(0)).collect();
        let unrenewed = self.shared.leases().handle_renewed(self.shared.now(), mine, &renewed);
        if unrenewed.is_empty() {
            return;
        }
        // A table that this node itself has opened again is not lost.
        let ids: Vec<i64> = unrenewed.iter().map(|(table, _)| *table).collect();
        let Ok(rows) = self.connection.query_with_retries(OWNED, &[&ids, node]).await else { return };
        let owned = rows.iter().map(|row| row.get(0)).collect();
        let lost = self.shared.leases().handle_owned(unrenewed, &owned);
        for code in lost {
            let _ = self.lost.send(code);
        }
    }
}

impl Group {
    /// Takes the next group out of the queue. Requests of one table keep their order, in the group and in the queue.
    fn take(waiting: &mut VecDeque<WriteRequest>) -> Self {
        let mut group = Group::default();
        // Tables with a commit in the group; and tables whose further requests must wait for the next group.
        let (mut committed, mut deferred) = (HashSet::new(), HashSet::new());
        let mut rest = VecDeque::new();
        for request in waiting.drain(..) {
            let table = request.table();
            match request {
                WriteRequest::Release(table, epoch, reply) if deferred.insert(table) => {
                    group.releases.push((table, epoch, reply))
                }
                WriteRequest::Commit(commit, reply) if !deferred.contains(&table) && committed.insert(table) => {
                    group.commits.push((commit, reply));
                }
                request => {
                    deferred.insert(table);
                    rest.push_back(request);
                }
            }
        }
        *waiting = rest;
        group
    }
}
