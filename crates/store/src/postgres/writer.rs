//! The one writer of this node: commits, and what must keep its place among them: letting go of tables, and keeping them.

use super::Shared;
use super::batch::Batch;
use super::leases::Holding;
use super::link::{Link, Trouble};
use crate::{Commit, StoreError};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// Commits in one statement. Enough that the sync is shared by all who wait, little enough that none waits long.
const GROUP: usize = 512;
/// How often a group is written again whose outcome was not known.
const TRIES: u32 = 5;

type Reply = oneshot::Sender<Result<(), StoreError>>;

pub enum Order {
    Commit(Commit, Reply),
    Release(i64, i64, Reply),
}

impl Order {
    fn table(&self) -> i64 {
        match self {
            Order::Commit(commit, _) => commit.table,
            Order::Release(table, ..) => *table,
        }
    }
}

/// A commit with its number under its epoch.
struct Job {
    commit: Commit,
    n: i64,
    reply: Reply,
}

/// What one round of the writer does: commits, at most one of a table, and after them what is let go of.
#[derive(Default)]
struct Round {
    commits: Vec<(Commit, Reply)>,
    releases: Vec<(i64, i64, Reply)>,
}

pub struct Writer {
    pub shared: Arc<Shared>,
    pub link: Link,
    /// Whom to tell which tables are no longer this node's.
    pub lost: mpsc::UnboundedSender<String>,
}

impl Writer {
    /// Runs until nobody can order any more, and all that was ordered is done; then lets go of every table.
    ///
    /// If it panics, it can be run again: what was under way is answered with an error, and whoever opens those tables reads what
    /// there is.
    pub async fn run(self: Arc<Self>, orders: Arc<Mutex<mpsc::UnboundedReceiver<Order>>>) {
        let mut orders = orders.lock().await;
        let mut waiting = VecDeque::new();
        loop {
            let renewal = self.shared.leases().poll_renewal(self.shared.now());
            if let Some(mine) = renewal {
                self.renew(mine).await;
            }
            let due = self.shared.started + Duration::from_millis(self.shared.leases().next_renewal());
            if waiting.is_empty() {
                match timeout_at(due, orders.recv()).await {
                    Ok(Some(order)) => waiting.push_back(order),
                    Ok(None) => break,
                    Err(_) => continue,
                }
            }
            while waiting.len() < GROUP
                && let Ok(order) = orders.try_recv()
            {
                waiting.push_back(order);
            }
            let round = Round::take(&mut waiting);
            self.commit(round.commits).await;
            self.release(round.releases).await;
        }
        let all: Vec<_> = self.shared.leases().all();
        let _ = self.let_go(&all).await;
        self.link.close().await;
    }

    async fn commit(&self, orders: Vec<(Commit, Reply)>) {
        if !orders.is_empty() {
            self.shared.faults.trip("store/write", "");
        }
        let mut jobs = Vec::with_capacity(orders.len());
        for (commit, reply) in orders {
            match self.shared.leases().next_commit(commit.table, commit.epoch) {
                Some(n) => jobs.push(Job { commit, n, reply }),
                None => drop(reply.send(Err(StoreError::Fenced))),
            }
        }
        // Everybody locks rooms in this order.
        jobs.sort_by_key(|job| job.commit.table);
        if let Err((jobs, _)) = self.write(jobs).await {
            // One of them is refused, and must not take the others with it.
            for job in jobs {
                if let Err((jobs, why)) = self.write(vec![job]).await {
                    for job in jobs {
                        let _ = job.reply.send(Err(why.clone()));
                    }
                }
            }
        }
    }

    /// Writes and answers all of these jobs, or gives back those that were refused together.
    async fn write(&self, mut jobs: Vec<Job>) -> Result<(), (Vec<Job>, StoreError)> {
        let mut tries = 0;
        while !jobs.is_empty() {
            tries += 1;
            match self.try_write(&jobs).await {
                Ok(written) => {
                    let mut rest = Vec::new();
                    for (place, job) in jobs.into_iter().enumerate() {
                        match written.contains(&(place as i32)) {
                            true => self.written(job),
                            false => rest.push(job),
                        }
                    }
                    // Somebody else has them; or an attempt before, given up for lost, was only late.
                    jobs = rest;
                }
                Err(Trouble::Refused(why)) => return Err((jobs, why)),
                // Nothing was ever sent.
                Err(Trouble::Away(why)) if tries == 1 => {
                    jobs.into_iter().for_each(|job| drop(job.reply.send(Err(why.clone()))));
                    return Ok(());
                }
                Err(Trouble::Unknown(_) | Trouble::Away(_)) => {}
            }
            jobs = self.settle(jobs, tries == TRIES).await;
        }
        Ok(())
    }

    async fn try_write(&self, jobs: &[Job]) -> Result<HashSet<i32>, Trouble> {
        let numbered: Vec<_> = jobs.iter().map(|job| (&job.commit, job.n)).collect();
        let batch = Batch::new(&numbered);
        let started = Instant::now();
        self.shared.stats.begun();
        let rows = self.link.ask(&batch.sql, &batch.params()).await.inspect_err(|trouble| match trouble {
            // One job of many may be at fault; the database itself has answered.
            Trouble::Refused(StoreError::Failed(why)) | Trouble::Unknown(why) => self.shared.stats.bad(why),
            Trouble::Away(error) => self.shared.stats.bad(&error.to_string()),
            Trouble::Refused(_) => self.shared.stats.good(),
        })?;
        self.shared.stats.good();
        self.shared.stats.note(jobs.len() as u64, started.elapsed().as_micros() as u64);
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Reads what became of jobs whose outcome is not known, answers those that were written or fenced off, and gives back
    /// those that were not written.
    async fn settle(&self, jobs: Vec<Job>, last: bool) -> Vec<Job> {
        const ROOMS: &str = "SELECT table_id, epoch, commits FROM rooms WHERE table_id = ANY ($1)";
        if jobs.is_empty() {
            return jobs;
        }
        let tables: Vec<i64> = jobs.iter().map(|job| job.commit.table).collect();
        let read = self.link.insist(ROOMS, &[&tables]).await;
        let rooms: Result<HashMap<i64, (i64, i64)>, _> =
            read.map(|rows| rows.iter().map(|row| (row.get(0), (row.get(1), row.get(2)))).collect());
        let mut unwritten = Vec::new();
        for job in jobs {
            let Commit { table, epoch, .. } = job.commit;
            match rooms.as_ref().map(|rooms| rooms.get(&table)) {
                Ok(Some(room)) if *room == (epoch, job.n) => self.written(job),
                Ok(Some(room)) if *room == (epoch, job.n - 1) && !last => unwritten.push(job),
                Ok(Some((now, _))) if *now == epoch => self.unsettled(job, "it was not written".into()),
                Ok(_) => {
                    self.shared.leases().forget(table, epoch);
                    let _ = job.reply.send(Err(StoreError::Fenced));
                }
                Err(why) => self.unsettled(job, why.to_string()),
            }
        }
        unwritten
    }

    fn written(&self, job: Job) {
        self.shared.leases().written(job.commit.table, job.commit.epoch, job.n);
        let _ = job.reply.send(Ok(()));
    }

    /// Nobody knows whether it was written. The table is given up: whoever opens it reads what there is.
    fn unsettled(&self, job: Job, why: String) {
        if let Some(code) = self.shared.leases().forget(job.commit.table, job.commit.epoch) {
            let _ = self.lost.send(code);
        }
        let _ = job.reply.send(Err(StoreError::Failed(why)));
    }

    async fn release(&self, orders: Vec<(i64, i64, Reply)>) {
        if orders.is_empty() {
            return;
        }
        let tables: Vec<_> = orders.iter().map(|(table, epoch, _)| (*table, *epoch)).collect();
        let done = self.let_go(&tables).await;
        for (.., reply) in orders {
            let _ = reply.send(done.clone());
        }
    }

    async fn let_go(&self, tables: &[(i64, i64)]) -> Result<(), StoreError> {
        const LET_GO: &str = "UPDATE rooms SET owner = NULL, lease_until = clock_timestamp()
          FROM unnest($1::bigint[], $2::bigint[]) AS gone (id, epoch)
          WHERE rooms.table_id = gone.id AND rooms.epoch = gone.epoch AND rooms.owner = $3";
        let (ids, epochs): (Vec<i64>, Vec<i64>) = tables.iter().copied().unzip();
        for (table, epoch) in tables {
            self.shared.leases().forget(*table, *epoch);
        }
        self.link.insist(LET_GO, &[&ids, &epochs, &self.shared.node]).await.map(|_| ())
    }

    /// Says that this node still has its tables. On the writer's connection, for two statements that lock many rooms must not
    /// meet; and a node that cannot write need not keep tables.
    async fn renew(&self, mine: Vec<Holding>) {
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
        let rows = self.link.insist(RENEW, &[&ids, &epochs, node, &lease]).await;
        let Ok(rows) = rows else { return };
        let renewed = rows.iter().map(|row| row.get(0)).collect();
        let unrenewed = self.shared.leases().handle_renewed(self.shared.now(), mine, &renewed);
        if unrenewed.is_empty() {
            return;
        }
        // One that this node itself has opened again is not lost.
        let ids: Vec<i64> = unrenewed.iter().map(|(table, _)| *table).collect();
        let Ok(rows) = self.link.insist(OWNED, &[&ids, node]).await else { return };
        let owned = rows.iter().map(|row| row.get(0)).collect();
        let lost = self.shared.leases().handle_owned(unrenewed, &owned);
        for code in lost {
            let _ = self.lost.send(code);
        }
    }
}

impl Round {
    /// What stays is in order.
    fn take(waiting: &mut VecDeque<Order>) -> Self {
        let mut round = Round::default();
        let (mut begun, mut later) = (HashSet::new(), HashSet::new());
        let mut rest = VecDeque::new();
        for order in waiting.drain(..) {
            let table = order.table();
            match order {
                Order::Release(table, epoch, reply) if later.insert(table) => {
                    round.releases.push((table, epoch, reply))
                }
                Order::Commit(commit, reply) if !later.contains(&table) && begun.insert(table) => {
                    round.commits.push((commit, reply));
                }
                order => {
                    later.insert(table);
                    rest.push_back(order);
                }
            }
        }
        *waiting = rest;
        round
    }
}
