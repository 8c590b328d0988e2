//! The tables this node has, and when it has to say so again: a state machine without IO.
//!
//! The writer calls [`Leases::poll_renewal`] when [`Leases::next_renewal`] has come, asks the database to renew what it gives,
//! and hands the answer to [`Leases::handle_renewed`]; then it asks who has the tables that were not renewed, and
//! [`Leases::handle_owned`] tells which are lost. Time is in milliseconds by a steady clock of the caller's.

use std::collections::{BTreeMap, BTreeSet};

/// Renewals within one lease: some of them may fail.
const RENEWALS: u64 = 4;

#[derive(Clone, Debug)]
struct Lease {
    code: String,
    epoch: i64,
    /// The last commit known to be written under this epoch.
    commits: i64,
}

/// A table under an epoch.
pub type Holding = (i64, i64);

#[derive(Debug)]
pub struct Leases {
    tables: BTreeMap<i64, Lease>,
    every: u64,
    due: u64,
}

impl Leases {
    pub fn new(lease: u64, now: u64) -> Self {
        let every = lease / RENEWALS;
        Leases { tables: BTreeMap::new(), every, due: now + every }
    }

    /// This node has opened a table; unless it was opened again since: then the later epoch stays.
    pub fn opened(&mut self, table: i64, code: &str, epoch: i64) {
        if self.tables.get(&table).is_none_or(|lease| lease.epoch < epoch) {
            self.tables.insert(table, Lease { code: code.to_owned(), epoch, commits: 0 });
        }
    }

    /// The number the next commit has, if the table is still held under this epoch.
    pub fn next_commit(&self, table: i64, epoch: i64) -> Option<i64> {
        self.tables.get(&table).filter(|lease| lease.epoch == epoch).map(|lease| lease.commits + 1)
    }

    pub fn written(&mut self, table: i64, epoch: i64, n: i64) {
        if let Some(lease) = self.tables.get_mut(&table).filter(|lease| lease.epoch == epoch) {
            lease.commits = n;
        }
    }

    /// The table's code, if it was held under this epoch.
    pub fn forget(&mut self, table: i64, epoch: i64) -> Option<String> {
        self.tables.get(&table).filter(|lease| lease.epoch == epoch)?;
        self.tables.remove(&table).map(|lease| lease.code)
    }

    /// All tables, in order: everybody who locks many rooms locks them in this order.
    pub fn all(&self) -> Vec<Holding> {
        self.tables.iter().map(|(table, lease)| (*table, lease.epoch)).collect()
    }

    pub fn next_renewal(&self) -> u64 {
        self.due
    }

    /// The tables to be renewed now; none before the time has come.
    pub fn poll_renewal(&mut self, now: u64) -> Option<Vec<Holding>> {
        (now >= self.due).then(|| {
            self.due = now + self.every;
            self.all()
        })
    }

    /// The database has renewed these. Returns the rest of what was asked for: this node may have opened one of them again, or
    /// another node may have it.
    pub fn handle_renewed(&mut self, now: u64, asked: Vec<Holding>, renewed: &BTreeSet<i64>) -> Vec<Holding> {
        self.due = now + self.every;
        asked.into_iter().filter(|(table, _)| !renewed.contains(table)).collect()
    }

    /// Of the tables that were not renewed, this node owns these. Returns the codes of those it has lost.
    pub fn handle_owned(&mut self, unrenewed: Vec<Holding>, owned: &BTreeSet<i64>) -> Vec<String> {
        let mut lost = Vec::new();
        for (table, epoch) in unrenewed {
            if let Some(code) = self.forget(table, epoch)
                && !owned.contains(&table)
            {
                lost.push(code);
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_renewed_four_times_as_often_as_it_ends() {
        let mut leases = Leases::new(8_000, 100);
        leases.opened(1, "one", 5);
        assert_eq!(leases.poll_renewal(2_099), None);
        assert_eq!(leases.poll_renewal(2_100), Some(vec![(1, 5)]));
        assert_eq!(leases.next_renewal(), 4_100);
        // The next pause begins when the database has answered.
        assert!(leases.handle_renewed(2_500, vec![(1, 5)], &BTreeSet::from([1])).is_empty());
        assert_eq!(leases.next_renewal(), 4_500);
    }

    #[test]
    fn a_table_is_lost_only_if_another_node_has_it() {
        let mut leases = Leases::new(8_000, 0);
        for table in 1..=3 {
            leases.opened(table, &format!("table {table}"), 1);
        }
        let asked = leases.poll_renewal(2_000).unwrap();
        // This node opens the third again while it asks.
        leases.opened(3, "table 3", 2);
        let unrenewed = leases.handle_renewed(2_001, asked, &BTreeSet::from([1]));
        assert_eq!(unrenewed, [(2, 1), (3, 1)]);
        assert_eq!(leases.handle_owned(unrenewed, &BTreeSet::from([3])), ["table 2"]);
        assert_eq!(leases.all(), [(1, 1), (3, 2)]);
    }

    #[test]
    fn commits_are_counted_under_the_epoch_they_name() {
        let mut leases = Leases::new(8_000, 0);
        leases.opened(1, "one", 2);
        leases.opened(1, "one", 1);
        assert_eq!((leases.next_commit(1, 1), leases.next_commit(1, 2)), (None, Some(1)));
        leases.written(1, 2, 1);
        leases.written(1, 1, 9);
        assert_eq!(leases.next_commit(1, 2), Some(2));
        assert_eq!((leases.forget(1, 1), leases.forget(1, 2)), (None, Some("one".into())));
    }
}
