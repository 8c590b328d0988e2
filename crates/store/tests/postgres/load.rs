//! Tables that commit without a pause, and the answers that each got to its commits.

use crate::*;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A random number generator. It prints its seed, so that a failure can be repeated.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        eprintln!("seed {seed}");
        Dice(seed | 1)
    }

    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

pub struct Load {
    tables: Vec<JoinHandle<(OpenTable, u64)>>,
    stop: watch::Sender<bool>,
    answered: watch::Receiver<u64>,
}

impl Load {
    /// Starts tables, each of which commits one row after the other. A commit that fails ends the test.
    pub async fn start(store: &Arc<PostgresStore>, tables: u32) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (count, answered) = watch::channel(0);
        let count = Arc::new(count);
        let mut running = Vec::new();
        for n in 0..tables {
            let open = opened(store, &format!("load{n}")).await;
            let (store, stopped, count) = (store.clone(), stopped.clone(), count.clone());
            running.push(tokio::spawn(async move {
                let id = open.row.code.clone();
                store.commit(commit(&open, vec![game(&id)])).await.unwrap();
                let mut seq = 0;
                while !*stopped.borrow() {
                    seq += 1;
                    // If an attempt had written the row twice, the second would be refused as taken.
                    let outcome = store.commit(commit(&open, vec![log(&id, seq)])).await;
                    assert_eq!(outcome, Ok(()), "{id} {seq}");
                    count.send_modify(|count| *count += 1);
                }
                (open, seq)
            }));
        }
        Load { tables: running, stop, answered }
    }

    /// Waits until the store has answered this many more commits.
    pub async fn go_on(&mut self, commits: u64) {
        let until = *self.answered.borrow() + commits;
        self.answered.wait_for(|answered| *answered >= until).await.expect("all tables have stopped");
    }

    /// Stops the tables, and compares what is stored with what was acknowledged.
    pub async fn check(self, store: &PostgresStore, url: &str) {
        self.stop.send(true).unwrap();
        let visitor = visitor(url).await;
        for table in self.tables {
            let (open, last) = table.await.unwrap();
            let rows = store.log(&open.row.code, 0, u32::MAX).await.unwrap();
            assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), (1..=last).collect::<Vec<_>>());
            let room = format!("SELECT commits FROM rooms WHERE table_id = {} AND epoch = {}", open.id, open.epoch);
            assert_eq!(count(&visitor, &room).await as u64, last + 1, "a commit was made twice");
        }
    }
}
