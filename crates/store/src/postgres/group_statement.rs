//! One SQL statement that writes a whole group of commits.
//!
//! Its first part (`held`) is the fence: it updates the row of each commit's table in `rooms`, if the epoch is the current one and the
//! commit's number is the next. The other parts write only the commits that passed the fence. There is one part for each kind of write,
//! with an array for each column; kinds that no commit has are left out.

use super::{hex, text};
use crate::{Commit, Hash, MemberRow, Write};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use tokio_postgres::types::ToSql;

type Column<'a> = Box<dyn ToSql + Sync + Send + 'a>;

pub struct GroupStatement<'a> {
    pub sql: String,
    params: Vec<Column<'a>>,
}

impl<'a> GroupStatement<'a> {
    /// Takes commits with their numbers under their epochs, no two of the same table. The statement returns the indices of the commits
    /// that it has written.
    pub fn new(commits: &[(&'a Commit, i64)]) -> Self {
        let mut writes = Writes::default();
        for (commit_index, (commit, _)) in commits.iter().enumerate() {
            writes.add(commit_index as i32, commit);
        }
        let of = |value: fn(&(&Commit, i64)) -> i64| -> Column<'a> {
            Box::new(commits.iter().map(value).collect::<Vec<_>>())
        };
        let indices: Vec<i32> = (0..commits.len() as i32).collect();
        let mut statement = GroupStatement { sql: String::from("WITH "), params: Vec::new() };
        statement.add_part(HELD, vec![Box::new(indices), of(|c| c.0.table), of(|c| c.0.epoch), of(|c| c.1)]);
        writes.add_parts(&mut statement);
        statement.sql.push_str(" SELECT commit_index FROM held");
        statement
    }

    pub fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.params.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect()
    }

    /// Adds a part. In its SQL each `@` stands for the next of its columns.
    fn add_part(&mut self, sql: &str, columns: Vec<Column<'a>>) {
        if !self.params.is_empty() {
            self.sql.push_str(", ");
        }
        let mut next = self.params.len();
        for piece in sql.split_inclusive('@') {
            match piece.strip_suffix('@') {
                Some(piece) => {
                    next += 1;
                    self.sql.push_str(piece);
                    self.sql.push_str(&format!("${next}"));
                }
                None => self.sql.push_str(piece),
            }
        }
        self.params.extend(columns);
        debug_assert_eq!(next, self.params.len());
    }
}

const HELD: &str = "held AS (
  UPDATE rooms SET commits = asked.n FROM unnest(@::int[], @::bigint[], @::bigint[], @::bigint[]) AS asked (commit_index, id, epoch, n)
  WHERE rooms.table_id = asked.id AND rooms.epoch = asked.epoch AND rooms.commits = asked.n - 1 RETURNING asked.commit_index)";

// `ANY (ARRAY(…))` instead of a join with `held`: the planner does not know how long the arrays are, and would plan a nested loop.
const TABLES: &str = "wrote_tables AS (
  UPDATE tables SET record = w.record::json, updated_at = w.at, listed = w.listed, running = w.running,
    used = used OR tables.updated_at <> w.at
  FROM unnest(@::int[], @::bigint[], @::text[], @::bigint[], @::bool[], @::text[]) AS w (commit_index, id, record, at, listed, running)
  WHERE tables.id = w.id AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

// Blobs and players belong to no table, so the fence does not apply to them. They are written in the order of their keys, so that two
// groups that write the same rows cannot deadlock.
const BLOBS: &str = "wrote_blobs AS (
  INSERT INTO blobs (hash, body) SELECT * FROM unnest(@::bytea[], @::bytea[]) ON CONFLICT DO NOTHING)";

const BLOB_REFERENCES: &str = "wrote_references AS (
  INSERT INTO spoken_of (table_id, hash) SELECT w.id, w.hash
  FROM unnest(@::int[], @::bigint[], @::bytea[]) AS w (commit_index, id, hash)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)) ON CONFLICT DO NOTHING)";

const GAME_BLOB_REFERENCES: &str = "wrote_game_references AS (
  INSERT INTO game_blobs (game_id, hash) SELECT w.game, w.hash
  FROM unnest(@::int[], @::text[], @::bytea[]) AS w (commit_index, game, hash)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)) ON CONFLICT DO NOTHING)";

const PLAYERS: &str = "wrote_players AS (
  INSERT INTO players (id, display_name) SELECT * FROM unnest(@::text[], @::text[])
  ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name WHERE excluded.display_name <> '')";

const MEMBERS: &str = "wrote_members AS (
  INSERT INTO table_players (player_id, table_id, n) SELECT w.player, w.id, w.n
  FROM unnest(@::int[], @::bigint[], @::text[], @::bigint[]) AS w (commit_index, id, player, n)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))
  ON CONFLICT (player_id, table_id) DO UPDATE SET n = CASE
    WHEN table_players.n IS NULL OR excluded.n IS NULL THEN NULL ELSE greatest(table_players.n, excluded.n) END)";

/// Spares the rows that the same statement writes: Postgres does not define which of two changes to one row takes place.
const MEMBERS_TRIMMED: &str = "trimmed_members AS (
  DELETE FROM table_players USING unnest(@::int[], @::bigint[], @::bigint[]) AS w (commit_index, id, last)
  WHERE table_players.table_id = w.id AND table_players.n <= w.last
    AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))
    AND NOT EXISTS (SELECT FROM unnest(@::bigint[], @::text[]) AS kept (id, player)
      WHERE kept.id = table_players.table_id AND kept.player = table_players.player_id))";

const NEW_GAMES: &str = "wrote_games AS (
  INSERT INTO games (id, table_id, status, record, state_seq, state, ended_at)
  SELECT w.game, w.id, CASE WHEN w.ended THEN 'ended' ELSE 'running' END, w.record::json, w.seq, w.state,
    CASE WHEN w.ended THEN clock_timestamp() END
  FROM unnest(@::int[], @::bigint[], @::text[], @::text[], @::bigint[], @::bytea[], @::bool[])
    AS w (commit_index, id, game, record, seq, state, ended)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))
  ON CONFLICT (id) DO UPDATE SET record = excluded.record,
    state_seq = coalesce(excluded.state_seq, games.state_seq), state = coalesce(excluded.state, games.state),
    status = CASE WHEN games.status = 'running' THEN excluded.status ELSE games.status END,
    ended_at = coalesce(games.ended_at, excluded.ended_at))";

// Updates existing games only: a statement does not see rows that it inserts itself.
const GAMES: &str = "changed_games AS (
  UPDATE games SET state_seq = coalesce(w.seq, games.state_seq), state = coalesce(w.state, games.state),
    status = CASE WHEN games.status = 'running' AND w.ended THEN 'ended' ELSE games.status END,
    ended_at = coalesce(games.ended_at, CASE WHEN w.ended THEN clock_timestamp() END)
  FROM unnest(@::int[], @::text[], @::bigint[], @::bytea[], @::bool[]) AS w (commit_index, game, seq, state, ended)
  WHERE games.id = w.game AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

/// Deletes the oldest games of tables that have too many. Games that have ended and are not archived yet stay until the next time: their
/// logs may be moving to the archive right now.
const GAMES_TRIMMED: &str = "old_games AS (
  SELECT old.id FROM unnest(@::int[], @::bigint[]) AS w (commit_index, id) CROSS JOIN LATERAL (
    SELECT kept.id, kept.status FROM (
      SELECT id, status, created_at FROM games WHERE table_id = w.id ORDER BY created_at DESC, id DESC OFFSET @::bigint) AS kept
    WHERE kept.status <> 'ended' ORDER BY kept.created_at, kept.id LIMIT @::bigint) AS old
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))),
trimmed_events AS (DELETE FROM game_events USING old_games WHERE game_id = old_games.id),
trimmed_archive AS (DELETE FROM archived_events USING old_games WHERE game_id = old_games.id),
trimmed_games AS (DELETE FROM games USING old_games WHERE games.id = old_games.id)";

const LOG: &str = "wrote_log AS (
  INSERT INTO game_events (game_id, seq, at, input, told) SELECT w.game, w.seq, w.at, w.input, w.told
  FROM unnest(@::int[], @::text[], @::bigint[], @::bigint[], @::bytea[], @::bytea[]) AS w (commit_index, game, seq, at, input, told)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

const CHAT: &str = "wrote_chat AS (
  INSERT INTO chat (table_id, n, body) SELECT w.id, w.n, w.body
  FROM unnest(@::int[], @::bigint[], @::bigint[], @::bytea[]) AS w (commit_index, id, n, body)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))
  ON CONFLICT (table_id, n) DO UPDATE SET body = excluded.body)";

const TRIMMED: &str = "trimmed_chat AS (
  DELETE FROM chat USING unnest(@::int[], @::bigint[], @::bigint[]) AS w (commit_index, id, last)
  WHERE chat.table_id = w.id AND chat.n <= w.last AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

const CHAT_CHANGED: &str = "changed_chat AS (
  UPDATE chat SET body = w.body FROM unnest(@::int[], @::bigint[], @::bigint[], @::bytea[]) AS w (commit_index, id, n, body)
  WHERE chat.table_id = w.id AND chat.n = w.n AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

const FORGOTTEN: &str = "forgot_members AS (
  DELETE FROM table_players USING unnest(@::int[], @::bigint[], @::text[]) AS w (commit_index, id, player)
  WHERE table_players.table_id = w.id AND table_players.player_id = w.player
    AND w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)))";

const REPORTS_WRITTEN: &str = "wrote_reports AS (
  INSERT INTO reports (key, at, code, kind, reporter, about, name, body)
  SELECT w.key, w.at, w.code, w.kind, w.reporter, w.about, w.name, w.body
  FROM unnest(@::int[], @::bytea[], @::bigint[], @::text[], @::text[], @::bytea[], @::bytea[], @::text[], @::bytea[])
    AS w (commit_index, key, at, code, kind, reporter, about, name, body)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held))
  ON CONFLICT DO NOTHING)";

/// Deletes existing reports to make space for the new ones, which this part does not see yet.
const REPORTS_TRIMMED: &str = "new_reports AS (
  SELECT DISTINCT w.key, w.code FROM unnest(@::int[], @::bytea[], @::text[]) AS w (commit_index, key, code)
  WHERE w.commit_index = ANY (ARRAY(SELECT commit_index FROM held)) AND NOT EXISTS (SELECT FROM reports WHERE reports.key = w.key)),
crowded_tables AS (
  SELECT code, count(*) + (SELECT count(*) FROM new_reports WHERE new_reports.code = reports.code) - @::bigint AS excess
  FROM reports WHERE code IN (SELECT code FROM new_reports) GROUP BY code),
ranked_reports AS (
  SELECT id, code, row_number() OVER (PARTITION BY code ORDER BY of_target DESC, of_reporter DESC, at, id) AS place
  FROM (SELECT id, code, at, count(*) OVER (PARTITION BY code, about) AS of_target,
      count(*) OVER (PARTITION BY code, about, reporter) AS of_reporter
    FROM reports WHERE code IN (SELECT code FROM crowded_tables WHERE excess > 0)) AS counted),
trimmed_reports AS (
  DELETE FROM reports WHERE id IN (
    SELECT id FROM ranked_reports JOIN crowded_tables USING (code) WHERE place <= excess
    UNION ALL
    SELECT id FROM (SELECT id, at, count(*) OVER (PARTITION BY code) AS of_table FROM reports
        WHERE (SELECT count(*) FROM reports) + (SELECT count(*) FROM new_reports) > @::bigint
        ORDER BY of_table DESC, at, id LIMIT (SELECT count(*) FROM new_reports)) AS oldest))";

/// The writes of all commits by kind. If a commit writes a row several times, the last write counts, except for log rows: there a second
/// write is an error.
#[derive(Default)]
struct Writes<'a> {
    tables: Vec<TableWrite<'a>>,
    blobs: BTreeMap<&'a Hash, &'a [u8]>,
    /// Which table references which of the blobs.
    blob_references: Vec<(i32, i64, &'a Hash)>,
    /// Which game references which of the blobs.
    game_blob_references: Vec<(i32, &'a str, &'a Hash)>,
    /// Tables of which a game has ended.
    games_trimmed: Vec<(i32, i64)>,
    players: BTreeMap<String, Cow<'a, str>>,
    /// By table and player. `None` counts as greater than every number.
    members: BTreeMap<(i64, String), (i32, Option<u64>)>,
    members_trimmed: Vec<(i32, i64, u64)>,
    games: Vec<GameWrite<'a>>,
    log: Vec<(i32, &'a str, &'a crate::LogRow)>,
    /// By table and number, because a statement may write a row only once.
    chat: BTreeMap<(i64, u64), (i32, &'a crate::ChatRow)>,
    chat_changed: Vec<(i32, i64, &'a crate::ChatRow)>,
    reports: Vec<(i32, &'a crate::ReportRow)>,
    forgotten: Vec<(i32, i64, String)>,
}

struct TableWrite<'a> {
    commit_index: i32,
    id: i64,
    record: Cow<'a, str>,
    at: i64,
    listed: bool,
    running: Option<&'a str>,
}

/// All changes of one game in one commit.
struct GameWrite<'a> {
    commit_index: i32,
    table: i64,
    id: &'a str,
    record: Option<Cow<'a, str>>,
    seq: Option<i64>,
    state: Option<&'a [u8]>,
    ended: bool,
}

impl<'a> Writes<'a> {
    fn add(&mut self, commit_index: i32, commit: &'a Commit) {
        let id = commit.table;
        let (mut table, mut games, mut order) = (None, HashMap::new(), Vec::new());
        let mut game = |name: &'a str, change: &dyn Fn(&mut GameWrite<'a>)| {
            let entry = games.entry(name).or_insert_with(|| {
                order.push(name);
                GameWrite { commit_index, table: id, id: name, record: None, seq: None, state: None, ended: false }
            });
            change(entry);
        };
        for write in &commit.writes {
            match write {
                Write::Table { record, at, listed, running } => {
                    let (record, at) = (String::from_utf8_lossy(record), *at as i64);
                    table =
                        Some(TableWrite { commit_index, id, record, at, listed: *listed, running: running.as_deref() });
                }
                Write::Member(member) => self.add_member(commit_index, id, member),
                Write::Blob { hash, body } => {
                    self.blobs.insert(hash, body);
                    self.blob_references.push((commit_index, id, hash));
                }
                Write::Game(row) => game(&row.id, &|game| game.record = Some(String::from_utf8_lossy(&row.record))),
                Write::GameBlob { game, hash, body } => {
                    self.blobs.insert(hash, body);
                    self.game_blob_references.push((commit_index, game, hash));
                }
                Write::Ended { game: name } => {
                    game(name, &|game| game.ended = true);
                    if self.games_trimmed.last() != Some(&(commit_index, id)) {
                        self.games_trimmed.push((commit_index, id));
                    }
                }
                Write::Snapshot { game: name, snapshot } => game(name, &|game| {
                    game.seq = Some(snapshot.seq as i64);
                    game.state = Some(&snapshot.body);
                }),
                Write::Log { game, row } => self.log.push((commit_index, game, row)),
                Write::Chat(line) => drop(self.chat.insert((id, line.n), (commit_index, line))),
                Write::ChatChanged(line) => self.chat_changed.push((commit_index, id, line)),
                Write::Report(report) => self.reports.push((commit_index, report)),
                Write::Forget { member } => self.forgotten.push((commit_index, id, hex(member))),
            }
        }
        self.tables.extend(table);
        self.games.extend(order.into_iter().filter_map(|name| games.remove(name)));
    }

    /// Merges several writes of one member, because a statement may write a row only once.
    fn add_member(&mut self, commit_index: i32, table: i64, row: &'a MemberRow) {
        let player = hex(&row.member);
        let name = self.players.entry(player.clone()).or_default();
        if !row.name.is_empty() {
            *name = text(&row.name);
        }
        let (of, n) = self.members.entry((table, player)).or_insert((commit_index, row.n));
        *of = commit_index;
        *n = n.zip(row.n).map(|(one, other)| one.max(other));
        self.members_trimmed.extend(row.trims_up_to().map(|last| (commit_index, table, last)));
    }

    fn add_parts(self, statement: &mut GroupStatement<'a>) {
        if !self.tables.is_empty() {
            let w = &self.tables;
            let columns = vec![
                column(w, |w| w.commit_index),
                column(w, |w| w.id),
                column(w, |w| w.record.clone()),
                column(w, |w| w.at),
                column(w, |w| w.listed),
                column(w, |w| w.running),
            ];
            statement.add_part(TABLES, columns);
        }
        if !self.blobs.is_empty() {
            let w: Vec<_> = self.blobs.into_iter().collect();
            statement.add_part(BLOBS, vec![column(&w, |w| w.0.as_slice()), column(&w, |w| w.1)]);
        }
        if !self.blob_references.is_empty() {
            let w = &self.blob_references;
            statement
                .add_part(BLOB_REFERENCES, vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.as_slice())]);
        }
        if !self.game_blob_references.is_empty() {
            let w = &self.game_blob_references;
            let columns = vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.as_slice())];
            statement.add_part(GAME_BLOB_REFERENCES, columns);
        }
        if !self.players.is_empty() {
            let (ids, names): (Vec<String>, Vec<Cow<str>>) = self.players.into_iter().unzip();
            statement.add_part(PLAYERS, vec![Box::new(ids), Box::new(names)]);
        }
        if !self.members.is_empty() {
            let w: Vec<_> = self.members.iter().collect();
            let columns = vec![
                column(&w, |(_, (commit_index, _))| *commit_index),
                column(&w, |((table, _), _)| *table),
                column(&w, |((_, player), _)| player.clone()),
                column(&w, |(_, (_, n))| n.map(|n| n as i64)),
            ];
            statement.add_part(MEMBERS, columns);
            let trimmed = &self.members_trimmed;
            if !trimmed.is_empty() {
                let columns = vec![
                    column(trimmed, |w| w.0),
                    column(trimmed, |w| w.1),
                    column(trimmed, |w| w.2 as i64),
                    column(&w, |((table, _), _)| *table),
                    column(&w, |((_, player), _)| player.clone()),
                ];
                statement.add_part(MEMBERS_TRIMMED, columns);
            }
        }
        let (new, known): (Vec<_>, Vec<_>) = self.games.into_iter().partition(|game| game.record.is_some());
        if !new.is_empty() {
            let columns = vec![
                column(&new, |w| w.commit_index),
                column(&new, |w| w.table),
                column(&new, |w| w.id),
                column(&new, |w| w.record.clone()),
                column(&new, |w| w.seq),
                column(&new, |w| w.state),
                column(&new, |w| w.ended),
            ];
            statement.add_part(NEW_GAMES, columns);
        }
        if !known.is_empty() {
            let columns = vec![
                column(&known, |w| w.commit_index),
                column(&known, |w| w.id),
                column(&known, |w| w.seq),
                column(&known, |w| w.state),
                column(&known, |w| w.ended),
            ];
            statement.add_part(GAMES, columns);
        }
        if !self.games_trimmed.is_empty() {
            let w = &self.games_trimmed;
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1),
                Box::new(crate::GAMES_KEPT as i64) as Column,
                Box::new(crate::GAMES_TRIMMED_AT_ONCE as i64) as Column,
            ];
            statement.add_part(GAMES_TRIMMED, columns);
        }
        if !self.log.is_empty() {
            let w = &self.log;
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1),
                column(w, |w| w.2.seq as i64),
                column(w, |w| w.2.at as i64),
                column(w, |w| w.2.input.as_slice()),
                column(w, |w| w.2.old_batches.as_slice()),
            ];
            statement.add_part(LOG, columns);
        }
        if !self.chat.is_empty() {
            let w: Vec<_> =
                self.chat.iter().map(|((id, _), (commit_index, line))| (*commit_index, *id, *line)).collect();
            let columns = vec![
                column(&w, |w| w.0),
                column(&w, |w| w.1),
                column(&w, |w| w.2.n as i64),
                column(&w, |w| w.2.body.as_slice()),
            ];
            statement.add_part(CHAT, columns);
            let w: Vec<_> = w
                .iter()
                .filter_map(|(commit_index, id, line)| Some((*commit_index, *id, line.trims_up_to()?)))
                .collect();
            if !w.is_empty() {
                statement.add_part(TRIMMED, vec![column(&w, |w| w.0), column(&w, |w| w.1), column(&w, |w| w.2 as i64)]);
            }
        }
        if !self.chat_changed.is_empty() {
            let w = &self.chat_changed;
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1),
                column(w, |w| w.2.n as i64),
                column(w, |w| w.2.body.as_slice()),
            ];
            statement.add_part(CHAT_CHANGED, columns);
        }
        if !self.forgotten.is_empty() {
            let w = &self.forgotten;
            statement.add_part(FORGOTTEN, vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.clone())]);
        }
        if !self.reports.is_empty() {
            let w = &self.reports;
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1.key.as_slice()),
                column(w, |w| w.1.at as i64),
                column(w, |w| text(&w.1.table).into_owned()),
                column(w, |w| w.1.kind.as_str()),
                column(w, |w| w.1.reporter.as_ref().map(|hash| hash.as_slice())),
                column(w, |w| w.1.about.as_ref().map(|hash| hash.as_slice())),
                column(w, |w| text(&w.1.name).into_owned()),
                column(w, |w| w.1.body.as_slice()),
            ];
            statement.add_part(REPORTS_WRITTEN, columns);
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1.key.as_slice()),
                column(w, |w| text(&w.1.table).into_owned()),
                Box::new(crate::MAX_REPORTS_PER_TABLE as i64) as Column,
                Box::new(crate::MAX_REPORTS as i64) as Column,
            ];
            statement.add_part(REPORTS_TRIMMED, columns);
        }
    }
}

fn column<'a, W, T: ToSql + Sync + Send + 'a>(writes: &[W], value: impl Fn(&W) -> T) -> Column<'a> {
    Box::new(writes.iter().map(value).collect::<Vec<T>>())
}
