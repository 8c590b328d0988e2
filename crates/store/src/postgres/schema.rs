//! The schema and its migrations.

use super::connection::{Connection, failed};
use crate::StoreError;

/// Each entry migrates the schema from the version before. Add entries, and never change the statements of old ones: databases have run
/// them.
const MIGRATIONS: &[&str] = &[VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

/// Key of the advisory lock that lets only one node migrate at a time.
const LOCK: i64 = 0x6261_697a_6500;

/// Columns named `at` and `updated_at` have the server's time in milliseconds; columns of type `timestamptz` have Postgres' clock. Records
/// are `json` and not `jsonb`: the server gets back exactly the text that it wrote, and people can still query a field.
const VERSION_1: &str = "
CREATE TABLE game_definitions (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- Hash of the definition, which is a blob.
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE card_packs (
  id text PRIMARY KEY,
  name text GENERATED ALWAYS AS (info ->> 'name') STORED,
  official boolean NOT NULL,
  -- Hash of the cards, which are a blob.
  hash bytea NOT NULL,
  info json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE players (
  -- Hash of the browser's secret, in hexadecimal digits.
  id text PRIMARY KEY,
  display_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE tables (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE,
  -- Hash of the browser that made the table and of the id that the browser gave it.
  key bytea NOT NULL UNIQUE,
  listed boolean NOT NULL DEFAULT true,
  -- The game under way.
  running text,
  updated_at bigint NOT NULL,
  record json NOT NULL
);
CREATE INDEX tables_updated ON tables (updated_at);
-- Which node has a table. Every commit updates the row of its table. To make that cheap, the row is short, no other column has an index,
-- and half of each page is free for the next version of a row.
CREATE TABLE rooms (
  table_id bigint PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT now(),
  -- The number of the last commit under this epoch.
  commits bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE table_players (
  player_id text NOT NULL REFERENCES players (id),
  table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  PRIMARY KEY (player_id, table_id)
);
CREATE INDEX table_players_table ON table_players (table_id);
CREATE TABLE games (
  id text PRIMARY KEY,
  table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  -- running, ended, archived
  status text NOT NULL,
  record json NOT NULL,
  -- The last snapshot and its seq. Archiving moves them to archived_games.
  state_seq bigint,
  state bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX games_table ON games (table_id);
CREATE INDEX games_ended ON games (id) WHERE status = 'ended';
-- No foreign key to the game, because checking it would slow down every move. Purging deletes these rows explicitly.
CREATE TABLE game_events (
  game_id text NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  input bytea NOT NULL,
  told bytea NOT NULL,
  PRIMARY KEY (game_id, seq)
);
CREATE TABLE archived_games (
  game_id text PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
  state_seq bigint,
  state bytea,
  archived_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE archived_events (
  game_id text NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  input bytea NOT NULL,
  told bytea NOT NULL,
  PRIMARY KEY (game_id, seq)
);
CREATE TABLE chat (
  table_id bigint NOT NULL,
  n bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (table_id, n)
);
CREATE TABLE blobs (hash bytea PRIMARY KEY, body bytea NOT NULL);
-- Letters between nodes, for the time when Redis is unavailable. The table is unlogged, because letters are useless after a crash.
CREATE UNLOGGED TABLE mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  to_node text NOT NULL,
  body bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX mail_to ON mail (to_node, id);
";

/// Which table references which blob. Purging deletes blobs that neither a table nor a pack references; the foreign keys make a new
/// reference to a deleted blob fail.
const VERSION_2: &str = "
CREATE TABLE spoken_of (
  table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  hash bytea NOT NULL REFERENCES blobs (hash),
  PRIMARY KEY (table_id, hash)
);
CREATE INDEX spoken_of_hash ON spoken_of (hash);
ALTER TABLE card_packs ADD FOREIGN KEY (hash) REFERENCES blobs (hash);
CREATE INDEX card_packs_hash ON card_packs (hash);
-- Whether spoken_of has the references of a table. It lacks those of tables from version 1; while there is such a table, no blob is
-- deleted.
ALTER TABLE tables ADD COLUMN counted boolean NOT NULL DEFAULT false;
CREATE INDEX tables_uncounted ON tables (id) WHERE NOT counted;
";

/// Makers and origins of packs, orders to tables, and reports. Packs from earlier versions get no maker, and count as uploaded at the time
/// of the migration.
const VERSION_3: &str = "
-- The browser that uploaded the pack, and a keyed hash of the address it came from. `used_ms` is when a table last chose it.
ALTER TABLE card_packs ADD COLUMN maker bytea, ADD COLUMN origin bytea, ADD COLUMN bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN created_ms bigint NOT NULL DEFAULT 0, ADD COLUMN used_ms bigint NOT NULL DEFAULT 0;
UPDATE card_packs SET bytes = coalesce((SELECT length(body) FROM blobs WHERE blobs.hash = card_packs.hash), 0),
  created_ms = extract(epoch FROM now())::bigint * 1000, used_ms = extract(epoch FROM now())::bigint * 1000;
CREATE INDEX card_packs_maker ON card_packs (maker) WHERE maker IS NOT NULL;
CREATE INDEX card_packs_origin ON card_packs (origin) WHERE origin IS NOT NULL;
CREATE INDEX card_packs_used ON card_packs (used_ms);
-- What operators ask of tables. The node that has carried out an order deletes it.
CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key bytea NOT NULL UNIQUE,
  at bigint NOT NULL,
  body bytea NOT NULL
);
-- Reports by players.
CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key bytea NOT NULL UNIQUE,
  at bigint NOT NULL,
  code text NOT NULL,
  kind text NOT NULL,
  reporter bytea,
  about bytea,
  name text NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX reports_code ON reports (code);
CREATE INDEX reports_about ON reports (about) WHERE about IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter) WHERE reporter IS NOT NULL;
-- Values that all nodes share, such as the key for hashing addresses.
CREATE TABLE shared_values (name text PRIMARY KEY, value bytea NOT NULL);
";

/// Members get numbers. Members from before have none, and stay as long as their table does.
const VERSION_4: &str = "ALTER TABLE table_players ADD COLUMN n bigint;";

/// What is kept has bounds. Blobs of games from before stay as long as their tables do.
const VERSION_5: &str = "
-- A keyed hash of the address from which the table was made, and whether anybody has come to it.
ALTER TABLE tables ADD COLUMN origin bytea, ADD COLUMN used boolean NOT NULL DEFAULT true;
CREATE INDEX tables_origin ON tables (origin) WHERE origin IS NOT NULL;
CREATE INDEX tables_unused ON tables (updated_at) WHERE NOT used;
-- Which game references which blob.
CREATE TABLE game_blobs (
  game_id text NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  hash bytea NOT NULL REFERENCES blobs (hash),
  PRIMARY KEY (game_id, hash)
);
CREATE INDEX game_blobs_hash ON game_blobs (hash);
-- Texts of deleted packs that tables or games still use, for the quotas: without the maker.
CREATE TABLE deleted_packs (
  hash bytea PRIMARY KEY,
  origin bytea,
  bytes bigint NOT NULL
);
CREATE INDEX deleted_packs_origin ON deleted_packs (origin) WHERE origin IS NOT NULL;
";

/// Fails unless the schema has this program's version.
pub async fn check(connection: &Connection) -> Result<(), StoreError> {
    let session = connection.session().await?;
    let known = MIGRATIONS.len() as i64;
    let version = match session.client.query_opt("SELECT version FROM schema_version", &[]).await {
        Ok(row) => row.map_or(0, |row| row.get::<_, i64>(0)),
        Err(_) => 0,
    };
    match version {
        _ if version == known => Ok(()),
        _ if version > known => Err(crate::version::too_new(version, known)),
        _ => Err(crate::version::too_old(version, known)),
    }
}

/// Migrates the database to this program's version, or refuses a database of a later version.
///
/// All steps are one transaction under a lock: if several nodes start at the same time, one migrates and the others wait. If it stops
/// halfway, the database is unchanged.
pub async fn prepare(connection: &Connection) -> Result<(), StoreError> {
    let session = connection.session().await?;
    let sql = |text: String| {
        let session = &session;
        async move { session.client.batch_execute(&text).await.map_err(failed) }
    };
    sql(format!(
        "BEGIN; SELECT pg_advisory_xact_lock({LOCK}); CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)"
    ))
    .await?;
    let row = session.client.query_opt("SELECT version FROM schema_version", &[]).await.map_err(failed)?;
    let version = row.map_or(0, |row| row.get::<_, i64>(0));
    let known = MIGRATIONS.len() as i64;
    if version > known {
        sql("ROLLBACK".into()).await?;
        return Err(crate::version::too_new(version, known));
    }
    for migration in &MIGRATIONS[version.max(0) as usize..] {
        sql((*migration).into()).await?;
    }
    let set_version = match version {
        _ if version == known => "",
        0 => "INSERT INTO schema_version (version) VALUES (",
        _ => "UPDATE schema_version SET version = (",
    };
    let set_version = if set_version.is_empty() { String::new() } else { format!("{set_version}{known});") };
    sql(format!("{set_version} COMMIT")).await
}
