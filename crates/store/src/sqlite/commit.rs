//! The rows of one commit.

use super::failed;
use super::write_connection::{CachedGame, WriteConnection};
use crate::{Commit, LogRow, StoreError, Write};
use rusqlite::{OptionalExtension, params};

impl WriteConnection {
    /// Writes all of a commit or nothing.
    pub fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        self.check_epoch(commit.table, commit.epoch)?;
        let journal_savepoint = self.journal.savepoint();
        // Log rows stay in memory until the end of the group, so only the other writes need a savepoint of SQLite's.
        let has_others = commit.writes.iter().any(|write| !matches!(write, Write::Log { .. }));
        if has_others {
            self.run("SAVEPOINT request")?;
        }
        let written = self.write_all(commit);
        if written.is_err() {
            self.journal.roll_back_to(journal_savepoint);
            for write in &commit.writes {
                if let Write::Log { game, .. } = write {
                    self.games.remove(game);
                }
            }
        }
        if has_others {
            let _ = self.run(if written.is_ok() { "RELEASE request" } else { "ROLLBACK TO request" });
        }
        written
    }

    fn write_all(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let mut log_rows: Vec<(&str, &LogRow)> = Vec::with_capacity(commit.writes.len());
        for write in &commit.writes {
            match write {
                Write::Log { game, row } => log_rows.push((game, row)),
                other => self.write_other(commit.table, other)?,
            }
        }
        log_rows.sort_by_key(|(_, row)| row.seq);
        log_rows.into_iter().try_for_each(|(game, row)| self.append_to_log(game, row))
    }

    fn write_other(&self, table: i64, write: &Write) -> Result<(), StoreError> {
        match write {
            // `write_all` handles log rows.
            Write::Log { .. } => {}
            Write::Table { record, at, listed, running } => {
                // A room that was opened only to look writes its record without a new time when it is parked.
                self.statement(
                    "UPDATE tables SET record = ?1, updated_at = ?2, listed = ?3, running = ?4,
                       used = used OR updated_at <> ?2 WHERE id = ?5",
                )?
                .execute(params![record, *at as i64, listed, running, table])
                .map_err(failed)?;
            }
            Write::Member(member) => self.add_member(table, member)?,
            Write::Blob { hash, body } => {
                self.put_blob(hash, body)?;
                self.reference_blob(table, hash)?;
            }
            Write::GameBlob { game, hash, body } => {
                self.put_blob(hash, body)?;
                self.reference_blob_of_game(game, hash)?;
            }
            Write::Game(game) => {
                self.statement(
                    "INSERT INTO games (id, table_id, record) VALUES (?, ?, ?)
                     ON CONFLICT (id) DO UPDATE SET record = excluded.record",
                )?
                .execute(params![game.id, table, game.record])
                .map_err(failed)?;
            }
            // SQLite has no archive: ended games stay where they are.
            Write::Ended { .. } => self.trim_games(table)?,
            Write::Snapshot { game, snapshot } => {
                self.statement("INSERT OR REPLACE INTO snapshots (game_id, seq, body) VALUES (?, ?, ?)")?
                    .execute(params![game, snapshot.seq as i64, snapshot.body])
                    .map_err(failed)?;
            }
            Write::Chat(line) => {
                self.statement("INSERT OR REPLACE INTO chat (table_id, n, body) VALUES (?, ?, ?)")?
                    .execute(params![table, line.n as i64, line.body])
                    .map_err(failed)?;
                if let Some(last) = line.trims_up_to() {
                    self.statement("DELETE FROM chat WHERE table_id = ? AND n <= ?")?
                        .execute(params![table, last as i64])
                        .map_err(failed)?;
                }
            }
            Write::ChatChanged(line) => {
                self.statement("UPDATE chat SET body = ? WHERE table_id = ? AND n = ?")?
                    .execute(params![line.body, table, line.n as i64])
                    .map_err(failed)?;
            }
            Write::Report(report) => self.add_report(report)?,
            Write::Forget { member } => {
                self.statement("DELETE FROM members WHERE member = ? AND table_id = ?")?
                    .execute(params![member, table])
                    .map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Appends a row to a game's log; fails unless its `seq` is greater than that of every row in the log.
    fn append_to_log(&mut self, game: &str, row: &LogRow) -> Result<(), StoreError> {
        let mut cached = self.game_state(game)?;
        if row.seq <= cached.last_seq {
            return Err(StoreError::Taken);
        }
        self.journal.add(cached.n, row);
        cached.last_seq = row.seq;
        match self.games.get_mut(game) {
            Some(old) => *old = cached,
            None => drop(self.games.insert(game.to_owned(), cached)),
        }
        Ok(())
    }

    fn game_state(&self, game: &str) -> Result<CachedGame, StoreError> {
        if let Some(cached) = self.games.get(game) {
            return Ok(*cached);
        }
        let find = self.statement("SELECT n FROM games WHERE id = ?")?.query_row([game], |row| row.get(0)).optional();
        let n = find.map_err(failed)?.ok_or_else(|| StoreError::Failed(format!("there is no game {game}")))?;
        let last_seq = match self.journal.last_seq(n) {
            Some(last) => last,
            None => {
                let mut find =
                    self.statement("SELECT last FROM stretches WHERE game = ? ORDER BY last DESC LIMIT 1")?;
                let last: Option<i64> = find.query_row([n], |row| row.get(0)).optional().map_err(failed)?;
                last.unwrap_or(0) as u64
            }
        };
        Ok(CachedGame { n, last_seq })
    }
}
