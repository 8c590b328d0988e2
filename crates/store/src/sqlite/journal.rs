//! What shared commits have added to the logs of games and is not in its place yet.
//!
//! A row of a log goes to disk as part of its group's row in the table `journal`: one value for a whole group of commits,
//! at the end of a small table, whatever games it is of. When a thousand have come together, those of each
//! game are put side by side in the table `stretches`, and the journal is emptied. In between they are read from memory: from the
//! [`Tails`], which are what the journal has, by game.

use super::{failed, rows};
use crate::{LogRow, StoreError};
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many rows of the journal, and it is time to put them in their places.
pub const MANY: usize = 1024;
/// So many are enough when there is nothing else to do.
pub const SOME: usize = 256;

/// Bytes after which a stretch is full.
pub const FULL: usize = 16 << 10;

/// Rows of one game's log that come one after the other.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// Of its last row.
    last: u64,
    at: u64,
    /// Where each row is in the group it came with.
    rows: Vec<(Arc<Vec<u8>>, usize, usize)>,
    /// Bytes in all.
    length: usize,
}

impl Stretch {
    /// The rows side by side.
    pub fn side_by_side(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.length);
        self.rows.iter().for_each(|(group, begin, end)| bytes.extend_from_slice(&group[*begin..*end]));
        bytes
    }
}

/// What of each game's log is in the journal alone. Written by the writer, read by everyone.
#[derive(Clone, Default)]
pub struct Tails(Arc<Mutex<HashMap<i64, Vec<Stretch>>>>);

impl Tails {
    fn all(&self) -> MutexGuard<'_, HashMap<i64, Vec<Stretch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What of a game's log comes after `seq`.
    pub fn after(&self, game: i64, seq: u64) -> Vec<Stretch> {
        let tails = self.all();
        let stretches = tails.get(&game).map(Vec::as_slice).unwrap_or_default();
        stretches.iter().filter(|stretch| stretch.last > seq).cloned().collect()
    }

    /// The `seq` and the time of the last row of a game's log, if it is here.
    pub fn last(&self, game: i64) -> Option<(u64, u64)> {
        self.all().get(&game)?.last().map(|stretch| (stretch.last, stretch.at))
    }
}

/// The writer's side.
pub struct Journal {
    pub tails: Tails,
    /// Rows in the tails.
    count: usize,
    /// What the group that is being written adds, as it goes into the journal.
    group: Vec<u8>,
    added: Vec<Added>,
}

/// A row of the group that is being written.
struct Added {
    game: i64,
    seq: u64,
    at: u64,
    /// Where it begins and ends in the group.
    row: (usize, usize),
}

/// A place in a group to come back to.
#[derive(Clone, Copy)]
pub struct Mark(usize, usize);

impl Journal {
    pub fn new(tails: Tails) -> Self {
        Journal { tails, count: 0, group: Vec::new(), added: Vec::new() }
    }

    /// Reads what is in the journal, and in no memory any more.
    pub fn read(&mut self, connection: &Connection) -> Result<(), StoreError> {
        self.forget_group();
        self.count = 0;
        let mut tails = self.tails.all();
        tails.clear();
        let mut statement = connection.prepare_cached("SELECT rows FROM journal ORDER BY n").map_err(failed)?;
        let groups = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).map_err(failed)?;
        for group in groups {
            let group = Arc::new(group.map_err(failed)?);
            let mut rest = &group[..];
            while !rest.is_empty() {
                let damaged = || StoreError::Failed("the journal is damaged".into());
                let game = rows::take_number(&mut rest).ok_or_else(damaged)?;
                let begin = group.len() - rest.len();
                let row = rows::take(&mut rest).ok_or_else(damaged)?;
                let place = (begin, group.len() - rest.len());
                keep(&mut tails, &Added { game: game as i64, seq: row.seq, at: row.at, row: place }, &group);
                self.count += 1;
            }
        }
        Ok(())
    }

    pub fn mark(&self) -> Mark {
        Mark(self.group.len(), self.added.len())
    }

    /// A commit of the group has failed.
    pub fn back_to(&mut self, Mark(bytes, rows): Mark) {
        self.group.truncate(bytes);
        self.added.truncate(rows);
    }

    pub fn add(&mut self, game: i64, row: &LogRow) {
        rows::number(game as u64, &mut self.group);
        let begin = self.group.len();
        rows::put(row, &mut self.group);
        self.added.push(Added { game, seq: row.seq, at: row.at, row: (begin, self.group.len()) });
    }

    /// The last row of a game's log, if it is in the journal or in this group.
    pub fn last(&self, game: i64) -> Option<u64> {
        let added = self.added.iter().rev().find(|added| added.game == game).map(|added| added.seq);
        added.or_else(|| self.tails.last(game).map(|(seq, _)| seq))
    }

    /// Writes what the group has added. In its transaction.
    pub fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        if self.added.is_empty() {
            return Ok(());
        }
        let mut statement = connection.prepare_cached("INSERT INTO journal (rows) VALUES (?)").map_err(failed)?;
        statement.execute([&self.group]).map(|_| ()).map_err(failed)
    }

    /// The group is on disk.
    pub fn written(&mut self) {
        let group = Arc::new(std::mem::take(&mut self.group));
        let mut tails = self.tails.all();
        self.added.iter().for_each(|added| keep(&mut tails, added, &group));
        drop(tails);
        self.count += self.added.len();
        self.added.clear();
    }

    /// The group is not on disk and never will be.
    pub fn forget_group(&mut self) {
        self.group.clear();
        self.added.clear();
    }

    /// Rows that are not in their places yet.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Puts all of it in its place. In a transaction of its own or another's; when that is on disk, [`Journal::emptied`].
    pub fn put_in_place(&self, connection: &Connection) -> Result<(), StoreError> {
        // A game that is gone needs no log.
        const PUT: &str = "INSERT INTO stretches (game, last, at, rows)
          SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM games WHERE n = ?1)";
        let tails = self.tails.all();
        let mut put = connection.prepare_cached(PUT).map_err(failed)?;
        for (game, stretches) in tails.iter() {
            for stretch in stretches {
                let rows = stretch.side_by_side();
                put.execute(params![game, stretch.last as i64, stretch.at as i64, rows]).map_err(failed)?;
            }
        }
        connection.prepare_cached("DELETE FROM journal").and_then(|mut s| s.execute([])).map(|_| ()).map_err(failed)
    }

    pub fn emptied(&mut self) {
        *self.tails.all() = HashMap::new();
        self.count = 0;
    }
}

fn keep(tails: &mut HashMap<i64, Vec<Stretch>>, added: &Added, group: &Arc<Vec<u8>>) {
    let stretches = tails.entry(added.game).or_default();
    if stretches.last().is_none_or(|stretch| stretch.length >= FULL) {
        stretches.push(Stretch::default());
    }
    if let Some(stretch) = stretches.last_mut() {
        let (begin, end) = added.row;
        (stretch.last, stretch.at) = (added.seq, added.at);
        stretch.rows.push((group.clone(), begin, end));
        stretch.length += end - begin;
    }
}
