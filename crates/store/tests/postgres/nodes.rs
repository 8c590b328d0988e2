//! Two nodes on one database.

use crate::*;
use baize_store::{Opened, StoreError};
use tokio::runtime::{Builder, Runtime};

/// A node that makes no progress while nobody calls it, like a process stopped by a signal.
struct Stoppable {
    runtime: Runtime,
    store: PostgresStore,
    lost: UnboundedReceiver<String>,
}

impl Stoppable {
    fn new(url: &str, name: &str, lease: Duration) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (store, lost) = runtime.block_on(node(url, name, lease));
        Stoppable { runtime, store, lost }
    }

    fn opened(&self, code: &str) -> OpenTable {
        self.runtime.block_on(opened(&self.store, code))
    }

    /// Tries to open the table until it is free.
    fn take_over(&self, code: &str) -> OpenTable {
        loop {
            match self.runtime.block_on(self.store.open(code)).unwrap() {
                Opened::Here(open) => return open,
                Opened::Elsewhere { .. } => {}
                Opened::Unknown => panic!("{code} is gone"),
            }
        }
    }
}

const SHORT: Duration = Duration::from_millis(200);

#[test]
fn a_table_is_elsewhere_until_it_is_released() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (a, b) = (Stoppable::new(&url, "a", LONG), Stoppable::new(&url, "b", LONG));
    let open = a.opened("t");
    let Opened::Elsewhere { node, left } = b.runtime.block_on(b.store.open("t")).unwrap() else {
        panic!("not elsewhere")
    };
    assert!(node == "a" && left > 0 && left <= LONG.as_millis() as u64);
    // A release under an earlier epoch does nothing.
    a.runtime.block_on(a.store.release(open.id, open.epoch - 1)).unwrap();
    assert!(b.runtime.block_on(b.store.open("t")).unwrap().opened_here().is_none());
    // Requests before the release are still carried out.
    let (wrote, gone) = (a.store.commit(commit(&open, vec![game("g")])), a.store.release(open.id, open.epoch));
    let late = a.store.commit(commit(&open, vec![game("h")]));
    assert_eq!(
        a.runtime.block_on(async { (wrote.await, gone.await, late.await) }),
        (Ok(()), Ok(()), Err(StoreError::Fenced))
    );
    let taken = b.runtime.block_on(b.store.open("t")).unwrap().opened_here().expect("nobody has it");
    assert!(taken.epoch > open.epoch);
    assert!(a.runtime.block_on(a.store.open("t")).unwrap().opened_here().is_none());
    // Closing a store releases all its tables.
    b.runtime.block_on(b.store.close()).unwrap();
    assert!(a.runtime.block_on(a.store.open("t")).unwrap().opened_here().is_some());
}

#[test]
fn a_running_node_keeps_its_tables() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (mut a, b) = (Stoppable::new(&url, "a", SHORT), Stoppable::new(&url, "b", SHORT));
    let open = a.opened("t");
    let watching = visitor(&url);
    a.runtime.block_on(async {
        let visitor = watching.await;
        let until = "SELECT (extract(epoch FROM lease_until) * 1000)::bigint FROM rooms";
        let first = count(&visitor, until).await;
        while count(&visitor, until).await < first + 2 * SHORT.as_millis() as i64 {
            tokio::task::yield_now().await;
        }
    });
    a.runtime.block_on(a.store.commit(commit(&open, vec![game("g")]))).unwrap();
    assert!(a.lost.try_recv().is_err());
    drop(b);
}

#[test]
fn a_stopped_node_learns_its_losses_and_cannot_write() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (mut a, b) = (Stoppable::new(&url, "a", SHORT), Stoppable::new(&url, "b", LONG));
    let (kept, gone) = (a.opened("kept"), a.opened("gone"));
    // From here on `a` makes no progress, until its leases have ended.
    b.take_over("gone");
    assert_eq!(a.runtime.block_on(a.lost.recv()).as_deref(), Some("gone"));
    assert_eq!(a.runtime.block_on(a.store.commit(commit(&gone, vec![game("g")]))), Err(StoreError::Fenced));
    // A table that nobody has taken over still belongs to `a`.
    a.runtime.block_on(a.store.commit(commit(&kept, vec![game("h")]))).unwrap();
    assert!(a.lost.try_recv().is_err());
}

#[test]
fn the_fence_stops_single_commits_of_a_group() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (a, b) = (Stoppable::new(&url, "a", LONG), Stoppable::new(&url, "b", LONG));
    let tables = ["t1", "t2", "t3", "t4"].map(|code| a.opened(code));
    // Ends all leases of `a`, which does not notice.
    let run_out = "UPDATE rooms SET lease_until = clock_timestamp()";
    b.runtime.block_on(async { visitor(&url).await.batch_execute(run_out).await.unwrap() });
    for code in ["t2", "t3"] {
        b.take_over(code);
    }
    // All four commits wait before `a` goes on, so they form one group.
    let pending =
        tables.each_ref().map(|open| a.store.commit(commit(open, vec![game(&open.row.code), log(&open.row.code, 1)])));
    let outcomes = a.runtime.block_on(async {
        let mut outcomes = Vec::new();
        for pending in pending {
            outcomes.push(pending.await);
        }
        outcomes
    });
    assert_eq!(outcomes, [Ok(()), Err(StoreError::Fenced), Err(StoreError::Fenced), Ok(())]);
    let (stats, relaxed) = (a.store.stats(), std::sync::atomic::Ordering::Relaxed);
    assert_eq!((stats.commits.load(relaxed), stats.requests.load(relaxed)), (1, 4));
    for (code, rows) in [("t1", 1), ("t2", 0), ("t3", 0), ("t4", 1)] {
        assert_eq!(b.runtime.block_on(b.store.log(code, 0, 9)).unwrap().len(), rows, "{code}");
    }
}

/// Opening a table reads everything that was written before.
#[tokio::test(flavor = "multi_thread")]
async fn opening_reads_the_last_commit() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (store, _lost) = node(&url, "a", LONG).await;
    let mut open = opened(&store, "t").await;
    for n in 0..100 {
        let record = n.to_string().into_bytes();
        let put = Write::Table { record: record.clone(), at: n, listed: true, running: None };
        let (wrote, again) = tokio::join!(store.commit(commit(&open, vec![put])), store.open("t"));
        open = again.unwrap().opened_here().unwrap();
        match wrote {
            Ok(()) => assert_eq!(open.row.record, record),
            Err(error) => assert_eq!((error, open.row.record == record), (StoreError::Fenced, false)),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_that_create_a_table_at_once_create_one() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let ((a, _la), (b, _lb)) = (node(&url, "a", LONG).await, node(&url, "b", LONG).await);
    for n in 0..50 {
        let first = table(&format!("t{n}"));
        // Nodes that get the same request propose different codes; the test also tries equal ones.
        let second = NewTable { code: if n % 2 == 0 { format!("u{n}") } else { first.code.clone() }, ..first.clone() };
        let (made, also) = tokio::join!(a.create(first), b.create(second));
        let (made, also) = (made.unwrap(), also.unwrap());
        assert_eq!(made.code, also.code);
        assert!(made.new != also.new, "{made:?} {also:?}");
    }
    assert_eq!(count(&visitor(&url).await, "SELECT count(*) FROM tables").await, 50);
}

/// A node died, and then Postgres' clock was set back by an hour. Other nodes can open its tables without waiting for that
/// hour.
#[test]
fn a_lease_far_in_the_future_is_ignored() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let lease = Duration::from_secs(4);
    let (a, b) = (Stoppable::new(&url, "a", lease), Stoppable::new(&url, "b", lease));
    // From here on `a` makes no progress.
    a.opened("t");
    let ahead = "UPDATE rooms SET lease_until = clock_timestamp() + interval '1 hour'";
    b.runtime.block_on(async { visitor(&url).await.batch_execute(ahead).await.unwrap() });
    assert!(b.runtime.block_on(b.store.open("t")).unwrap().opened_here().is_some(), "nobody waits for an hour");
}
