//! The writes of a whole group of commits as one statement.
//!
//! The first part of it changes the row of each commit's room, if the epoch is the right one and the commit is the next:
//! that is the fence. All that belongs to a table is only written for the jobs that part has let through. Each kind of write
//! is one part, with an array for each column; a kind that does not occur costs nothing.

use super::{hex, text};
use crate::{Commit, Hash, Write};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use tokio_postgres::types::ToSql;

type Column<'a> = Box<dyn ToSql + Sync + Send + 'a>;

pub struct Batch<'a> {
    pub sql: String,
    params: Vec<Column<'a>>,
}

impl<'a> Batch<'a> {
    /// Of commits with the number each has under its epoch, no two of one table. The answer is the places of those that were
    /// written.
    pub fn new(jobs: &[(&'a Commit, i64)]) -> Self {
        let mut writes = Writes::default();
        for (job, (commit, _)) in jobs.iter().enumerate() {
            writes.add(job as i32, commit);
        }
        let of =
            |value: fn(&(&Commit, i64)) -> i64| -> Column<'a> { Box::new(jobs.iter().map(value).collect::<Vec<_>>()) };
        let places: Vec<i32> = (0..jobs.len() as i32).collect();
        let mut batch = Batch { sql: String::from("WITH "), params: Vec::new() };
        batch.part(HELD, vec![Box::new(places), of(|j| j.0.table), of(|j| j.0.epoch), of(|j| j.1)]);
        writes.put(&mut batch);
        batch.sql.push_str(" SELECT job FROM held");
        batch
    }

    pub fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.params.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect()
    }

    /// Adds a part, in which `@` stands for its next column.
    fn part(&mut self, sql: &str, columns: Vec<Column<'a>>) {
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
  UPDATE rooms SET commits = asked.n FROM unnest(@::int[], @::bigint[], @::bigint[], @::bigint[]) AS asked (job, id, epoch, n)
  WHERE rooms.table_id = asked.id AND rooms.epoch = asked.epoch AND rooms.commits = asked.n - 1 RETURNING asked.job)";

// Not a join: the planner does not know how long the arrays are, and would compare all with all.
const TABLES: &str = "wrote_tables AS (
  UPDATE tables SET record = w.record::json, updated_at = w.at, listed = w.listed, running = w.running
  FROM unnest(@::int[], @::bigint[], @::text[], @::bigint[], @::bool[], @::text[]) AS w (job, id, record, at, listed, running)
  WHERE tables.id = w.id AND w.job = ANY (ARRAY(SELECT job FROM held)))";

// Blobs and players are nobody's: they are written whoever holds the table. In the order of their keys, so that two groups
// that write the same ones cannot each wait for the other.
const BLOBS: &str = "wrote_blobs AS (
  INSERT INTO blobs (hash, body) SELECT * FROM unnest(@::bytea[], @::bytea[]) ON CONFLICT DO NOTHING)";

const SPOKEN: &str = "wrote_spoken AS (
  INSERT INTO spoken_of (table_id, hash) SELECT w.id, w.hash
  FROM unnest(@::int[], @::bigint[], @::bytea[]) AS w (job, id, hash)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held)) ON CONFLICT DO NOTHING)";

const PLAYERS: &str = "wrote_players AS (
  INSERT INTO players (id, display_name) SELECT * FROM unnest(@::text[], @::text[])
  ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name)";

const MEMBERS: &str = "wrote_members AS (
  INSERT INTO table_players (player_id, table_id) SELECT w.player, w.id
  FROM unnest(@::int[], @::bigint[], @::text[]) AS w (job, id, player)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held)) ON CONFLICT DO NOTHING)";

const NEW_GAMES: &str = "wrote_games AS (
  INSERT INTO games (id, table_id, status, record, state_seq, state, ended_at)
  SELECT w.game, w.id, CASE WHEN w.ended THEN 'ended' ELSE 'running' END, w.record::json, w.seq, w.state,
    CASE WHEN w.ended THEN clock_timestamp() END
  FROM unnest(@::int[], @::bigint[], @::text[], @::text[], @::bigint[], @::bytea[], @::bool[])
    AS w (job, id, game, record, seq, state, ended)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held))
  ON CONFLICT (id) DO UPDATE SET record = excluded.record,
    state_seq = coalesce(excluded.state_seq, games.state_seq), state = coalesce(excluded.state, games.state),
    status = CASE WHEN games.status = 'running' THEN excluded.status ELSE games.status END,
    ended_at = coalesce(games.ended_at, excluded.ended_at))";

// Only of games that are there: a row which the same statement adds is not seen by it.
const GAMES: &str = "changed_games AS (
  UPDATE games SET state_seq = coalesce(w.seq, games.state_seq), state = coalesce(w.state, games.state),
    status = CASE WHEN games.status = 'running' AND w.ended THEN 'ended' ELSE games.status END,
    ended_at = coalesce(games.ended_at, CASE WHEN w.ended THEN clock_timestamp() END)
  FROM unnest(@::int[], @::text[], @::bigint[], @::bytea[], @::bool[]) AS w (job, game, seq, state, ended)
  WHERE games.id = w.game AND w.job = ANY (ARRAY(SELECT job FROM held)))";

const LOG: &str = "wrote_log AS (
  INSERT INTO game_events (game_id, seq, at, input, told) SELECT w.game, w.seq, w.at, w.input, w.told
  FROM unnest(@::int[], @::text[], @::bigint[], @::bigint[], @::bytea[], @::bytea[]) AS w (job, game, seq, at, input, told)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held)))";

const CHAT: &str = "wrote_chat AS (
  INSERT INTO chat (table_id, n, body) SELECT w.id, w.n, w.body
  FROM unnest(@::int[], @::bigint[], @::bigint[], @::bytea[]) AS w (job, id, n, body)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held))
  ON CONFLICT (table_id, n) DO UPDATE SET body = excluded.body)";

const TRIMMED: &str = "trimmed_chat AS (
  DELETE FROM chat USING unnest(@::int[], @::bigint[], @::bigint[]) AS w (job, id, last)
  WHERE chat.table_id = w.id AND chat.n <= w.last AND w.job = ANY (ARRAY(SELECT job FROM held)))";

const CHAT_CHANGED: &str = "changed_chat AS (
  UPDATE chat SET body = w.body FROM unnest(@::int[], @::bigint[], @::bigint[], @::bytea[]) AS w (job, id, n, body)
  WHERE chat.table_id = w.id AND chat.n = w.n AND w.job = ANY (ARRAY(SELECT job FROM held)))";

const FORGOTTEN: &str = "forgot_members AS (
  DELETE FROM table_players USING unnest(@::int[], @::bigint[], @::text[]) AS w (job, id, player)
  WHERE table_players.table_id = w.id AND table_players.player_id = w.player
    AND w.job = ANY (ARRAY(SELECT job FROM held)))";

const REPORTS_WRITTEN: &str = "wrote_reports AS (
  INSERT INTO reports (key, at, code, kind, reporter, about, name, body)
  SELECT w.key, w.at, w.code, w.kind, w.reporter, w.about, w.name, w.body
  FROM unnest(@::int[], @::bytea[], @::bigint[], @::text[], @::text[], @::bytea[], @::bytea[], @::text[], @::bytea[])
    AS w (job, key, at, code, kind, reporter, about, name, body)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held))
  ON CONFLICT DO NOTHING)";

/// All parts of a statement see the database as it was before it: reports that exist make room for those that are about to come.
const REPORTS_TRIMMED: &str = "new_reports AS (
  SELECT DISTINCT w.key, w.code FROM unnest(@::int[], @::bytea[], @::text[]) AS w (job, key, code)
  WHERE w.job = ANY (ARRAY(SELECT job FROM held)) AND NOT EXISTS (SELECT FROM reports WHERE reports.key = w.key)),
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

/// The writes of all jobs by kind. Of several to one row in a commit the last counts, except where a second one is an error.
#[derive(Default)]
struct Writes<'a> {
    tables: Vec<TableWrite<'a>>,
    blobs: BTreeMap<&'a Hash, &'a [u8]>,
    /// Which table speaks of which of them.
    spoken: Vec<(i32, i64, &'a Hash)>,
    players: BTreeMap<String, Cow<'a, str>>,
    members: Vec<(i32, i64, String)>,
    games: Vec<GameWrite<'a>>,
    log: Vec<(i32, &'a str, &'a crate::LogRow)>,
    /// By table and number: a statement may write a row only once.
    chat: BTreeMap<(i64, u64), (i32, &'a crate::ChatRow)>,
    chat_changed: Vec<(i32, i64, &'a crate::ChatRow)>,
    reports: Vec<(i32, &'a crate::ReportRow)>,
    forgotten: Vec<(i32, i64, String)>,
}

struct TableWrite<'a> {
    job: i32,
    id: i64,
    record: Cow<'a, str>,
    at: i64,
    listed: bool,
    running: Option<&'a str>,
}

/// What becomes of one game in one commit.
struct GameWrite<'a> {
    job: i32,
    table: i64,
    id: &'a str,
    record: Option<Cow<'a, str>>,
    seq: Option<i64>,
    state: Option<&'a [u8]>,
    ended: bool,
}

impl<'a> Writes<'a> {
    fn add(&mut self, job: i32, commit: &'a Commit) {
        let id = commit.table;
        let (mut table, mut games, mut order) = (None, HashMap::new(), Vec::new());
        let mut game = |name: &'a str, change: &dyn Fn(&mut GameWrite<'a>)| {
            let entry = games.entry(name).or_insert_with(|| {
                order.push(name);
                GameWrite { job, table: id, id: name, record: None, seq: None, state: None, ended: false }
            });
            change(entry);
        };
        for write in &commit.writes {
            match write {
                Write::Table { record, at, listed, running } => {
                    let (record, at) = (String::from_utf8_lossy(record), *at as i64);
                    table = Some(TableWrite { job, id, record, at, listed: *listed, running: running.as_deref() });
                }
                Write::Member(member) => {
                    let player = hex(&member.member);
                    self.players.insert(player.clone(), text(&member.name));
                    self.members.push((job, id, player));
                }
                Write::Blob { hash, body } => {
                    self.blobs.insert(hash, body);
                    self.spoken.push((job, id, hash));
                }
                Write::Game(row) => game(&row.id, &|game| game.record = Some(String::from_utf8_lossy(&row.record))),
                Write::Ended { game: name } => game(name, &|game| game.ended = true),
                Write::Snapshot { game: name, snapshot } => game(name, &|game| {
                    game.seq = Some(snapshot.seq as i64);
                    game.state = Some(&snapshot.body);
                }),
                Write::Log { game, row } => self.log.push((job, game, row)),
                Write::Chat(line) => drop(self.chat.insert((id, line.n), (job, line))),
                Write::ChatChanged(line) => self.chat_changed.push((job, id, line)),
                Write::Report(report) => self.reports.push((job, report)),
                Write::Forget { member } => self.forgotten.push((job, id, hex(member))),
            }
        }
        self.tables.extend(table);
        self.games.extend(order.into_iter().filter_map(|name| games.remove(name)));
    }

    fn put(self, batch: &mut Batch<'a>) {
        if !self.tables.is_empty() {
            let w = &self.tables;
            let columns = vec![
                column(w, |w| w.job),
                column(w, |w| w.id),
                column(w, |w| w.record.clone()),
                column(w, |w| w.at),
                column(w, |w| w.listed),
                column(w, |w| w.running),
            ];
            batch.part(TABLES, columns);
        }
        if !self.blobs.is_empty() {
            let w: Vec<_> = self.blobs.into_iter().collect();
            batch.part(BLOBS, vec![column(&w, |w| w.0.as_slice()), column(&w, |w| w.1)]);
            let w = &self.spoken;
            batch.part(SPOKEN, vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.as_slice())]);
        }
        if !self.players.is_empty() {
            let (ids, names): (Vec<String>, Vec<Cow<str>>) = self.players.into_iter().unzip();
            batch.part(PLAYERS, vec![Box::new(ids), Box::new(names)]);
        }
        if !self.members.is_empty() {
            let w = &self.members;
            batch.part(MEMBERS, vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.clone())]);
        }
        let (new, known): (Vec<_>, Vec<_>) = self.games.into_iter().partition(|game| game.record.is_some());
        if !new.is_empty() {
            let columns = vec![
                column(&new, |w| w.job),
                column(&new, |w| w.table),
                column(&new, |w| w.id),
                column(&new, |w| w.record.clone()),
                column(&new, |w| w.seq),
                column(&new, |w| w.state),
                column(&new, |w| w.ended),
            ];
            batch.part(NEW_GAMES, columns);
        }
        if !known.is_empty() {
            let columns = vec![
                column(&known, |w| w.job),
                column(&known, |w| w.id),
                column(&known, |w| w.seq),
                column(&known, |w| w.state),
                column(&known, |w| w.ended),
            ];
            batch.part(GAMES, columns);
        }
        if !self.log.is_empty() {
            let w = &self.log;
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1),
                column(w, |w| w.2.seq as i64),
                column(w, |w| w.2.at as i64),
                column(w, |w| w.2.input.as_slice()),
                column(w, |w| w.2.told.as_slice()),
            ];
            batch.part(LOG, columns);
        }
        if !self.chat.is_empty() {
            let w: Vec<_> = self.chat.iter().map(|((id, _), (job, line))| (*job, *id, *line)).collect();
            let columns = vec![
                column(&w, |w| w.0),
                column(&w, |w| w.1),
                column(&w, |w| w.2.n as i64),
                column(&w, |w| w.2.body.as_slice()),
            ];
            batch.part(CHAT, columns);
            let w: Vec<_> = w.iter().filter_map(|(job, id, line)| Some((*job, *id, line.trims_up_to()?))).collect();
            if !w.is_empty() {
                batch.part(TRIMMED, vec![column(&w, |w| w.0), column(&w, |w| w.1), column(&w, |w| w.2 as i64)]);
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
            batch.part(CHAT_CHANGED, columns);
        }
        if !self.forgotten.is_empty() {
            let w = &self.forgotten;
            batch.part(FORGOTTEN, vec![column(w, |w| w.0), column(w, |w| w.1), column(w, |w| w.2.clone())]);
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
            batch.part(REPORTS_WRITTEN, columns);
            let columns = vec![
                column(w, |w| w.0),
                column(w, |w| w.1.key.as_slice()),
                column(w, |w| text(&w.1.table).into_owned()),
                Box::new(crate::REPORTS_PER_TABLE as i64) as Column,
                Box::new(crate::REPORTS as i64) as Column,
            ];
            batch.part(REPORTS_TRIMMED, columns);
        }
    }
}

fn column<'a, W, T: ToSql + Sync + Send + 'a>(writes: &[W], value: impl Fn(&W) -> T) -> Column<'a> {
    Box::new(writes.iter().map(value).collect::<Vec<T>>())
}
