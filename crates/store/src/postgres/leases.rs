//! The leases of this node's tables, and when to renew them: a state machine without IO.
//!
//! At the time [`Leases::next_renewal`] the writer calls [`Leases::poll_renewal`], asks the database to renew those leases, and passes
//! the answer to [`Leases::handle_renewed`]. Then it asks the database which of the tables that were not renewed this node owns, and
//! [`Leases::handle_owned`] returns the tables that are lost. Times are milliseconds of the caller's steady clock.

use std::collections::{BTreeMap, BTreeSet};

/// How often the node renews a lease during the lease's length, so that the lease survives some failed renewals.
const RENEWALS_PER_LEASE: u64 = 4;

#[derive(Clone, Debug)]
struct Lease {
    code: String,
    epoch: i64,
    /// Number of the last commit known to be written under this epoch.
    commits: i64,
}

/// A table and the epoch under which this node holds it.
pub type HeldTable = (i64, i64);

#[derive(Debug)]
pub struct Leases {
    tables: BTreeMap<i64, Lease>,
    /// Time between two renewals.
    interval: u64,
    /// Time of the next renewal.
    due: u64,
}

impl Leases {
    pub fn new(lease: u64, now: u64) -> Self {
        let interval = lease / RENEWALS_PER_LEASE;
        Leases { tables: BTreeMap::new(), interval, due: now + interval }
    }

    /// Adds a table that this node has opened. If the node has opened it again since, the later epoch stays.
    pub fn add(&mut self, table: i64, code: &str, epoch: i64) {
        if self.tables.get(&table).is_none_or(|lease| lease.epoch < epoch) {
            self.tables.insert(table, Lease { code: code.to_owned(), epoch, commits: 0 });
        }
    }

    /// The number of the table's next commit, if this node still holds the table under this epoch.
    pub fn next_commit(&self, table: i64, epoch: i64) -> Option<i64> {
        self.tables.get(&table).filter(|lease| lease.epoch == epoch).map(|lease| lease.commits + 1)
    }

    /// Notes that commit `n` is written.
    pub fn handle_written(&mut self, table: i64, epoch: i64, n: i64) {
        if let Some(lease) = self.tables.get_mut(&table).filter(|lease| lease.epoch == epoch) {
            lease.commits = n;
        }
    }

    /// Removes a table and returns its code, if this node held it under this epoch.
    pub fn remove(&mut self, table: i64, epoch: i64) -> Option<String> {
        self.tables.get(&table).filter(|lease| lease.epoch == epoch)?;
        self.tables.remove(&table).map(|lease| lease.code)
    }

    /// All tables in the order of their ids. Every statement that locks several rows of `rooms` locks them in this order; otherwise two
    /// could deadlock.
    pub fn all(&self) -> Vec<HeldTable> {
        self.tables.iter().map(|(table, lease)| (*table, lease.epoch)).collect()
    }

    pub fn next_renewal(&self) -> u64 {
        self.due
    }

    /// Returns the leases to renew, or `None` if it is too early.
    pub fn poll_renewal(&mut self, now: u64) -> Option<Vec<HeldTable>> {
        (now >= self.due).then(|| {
            self.due = now + self.interval;
            self.all()
        })
    }

    /// Takes the leases that the writer asked for and the tables that the database has renewed. Returns the rest: this node may have
    /// opened these tables again under a later epoch, or other nodes may have them.
    pub fn handle_renewed(&mut self, now: u64, asked: Vec<HeldTable>, renewed: &BTreeSet<i64>) -> Vec<HeldTable> {
        self.due = now + self.interval;
        asked.into_iter().filter(|(table, _)| !renewed.contains(table)).collect()
    }

    /// Takes the tables that were not renewed and those that this node owns. Returns the codes of the lost tables.
    pub fn handle_owned(&mut self, unrenewed: Vec<HeldTable>, owned: &BTreeSet<i64>) -> Vec<String> {
        let mut lost = Vec::new();
        for (table, epoch) in unrenewed {
            if let Some(code) = self.remove(table, epoch)
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
    fn the_node_renews_a_lease_four_times_during_its_length() {
        let mut leases = Leases::new(8_000, 100);
        leases.add(1, "one", 5);
        assert_eq!(leases.poll_renewal(2_099), None);
        assert_eq!(leases.poll_renewal(2_100), Some(vec![(1, 5)]));
        assert_eq!(leases.next_renewal(), 4_100);
        // The next interval begins when the database has answered.
        assert!(leases.handle_renewed(2_500, vec![(1, 5)], &BTreeSet::from([1])).is_empty());
        assert_eq!(leases.next_renewal(), 4_500);
    }

    #[test]
    fn a_node_loses_a_table_only_to_another_node() {
        let mut leases = Leases::new(8_000, 0);
        for table in 1..=3 {
            leases.add(table, &format!("table {table}"), 1);
        }
        let asked = leases.poll_renewal(2_000).unwrap();
        // This node opens the third table again while the renewal is under way.
        leases.add(3, "table 3", 2);
        let unrenewed = leases.handle_renewed(2_001, asked, &BTreeSet::from([1]));
        assert_eq!(unrenewed, [(2, 1), (3, 1)]);
        assert_eq!(leases.handle_owned(unrenewed, &BTreeSet::from([3])), ["table 2"]);
        assert_eq!(leases.all(), [(1, 1), (3, 2)]);
    }

    #[test]
    fn each_epoch_counts_its_own_commits() {
        let mut leases = Leases::new(8_000, 0);
        leases.add(1, "one", 2);
        leases.add(1, "one", 1);
        assert_eq!((leases.next_commit(1, 1), leases.next_commit(1, 2)), (None, Some(1)));
        leases.handle_written(1, 2, 1);
        leases.handle_written(1, 1, 9);
        assert_eq!(leases.next_commit(1, 2), Some(2));
        assert_eq!((leases.remove(1, 1), leases.remove(1, 2)), (None, Some("one".into())));
    }
}
