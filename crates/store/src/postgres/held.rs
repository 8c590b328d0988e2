//! The tables this node has.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug)]
pub struct Holding {
    pub code: String,
    pub epoch: i64,
    /// The last commit known to be written under this epoch.
    pub commits: i64,
}

#[derive(Default)]
pub struct Held(Mutex<HashMap<i64, Holding>>);

impl Held {
    /// Unless it was opened again since: then the later epoch stays.
    pub fn opened(&self, table: i64, code: &str, epoch: i64) {
        let mut held = self.lock();
        if held.get(&table).is_none_or(|holding| holding.epoch < epoch) {
            held.insert(table, Holding { code: code.to_owned(), epoch, commits: 0 });
        }
    }

    /// The number the next commit has, if the table is still held under this epoch.
    pub fn next(&self, table: i64, epoch: i64) -> Option<i64> {
        self.lock().get(&table).filter(|holding| holding.epoch == epoch).map(|holding| holding.commits + 1)
    }

    pub fn written(&self, table: i64, epoch: i64, n: i64) {
        if let Some(holding) = self.lock().get_mut(&table).filter(|holding| holding.epoch == epoch) {
            holding.commits = n;
        }
    }

    /// Its code, if it was held under this epoch.
    pub fn forget(&self, table: i64, epoch: i64) -> Option<String> {
        let mut held = self.lock();
        held.get(&table).filter(|holding| holding.epoch == epoch)?;
        held.remove(&table).map(|holding| holding.code)
    }

    /// All of them, with their epochs.
    pub fn all(&self) -> Vec<(i64, i64)> {
        self.lock().iter().map(|(table, holding)| (*table, holding.epoch)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Holding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
