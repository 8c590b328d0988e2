//! The tables, and how a database gets them.

use super::link::{Link, failed};
use crate::StoreError;

/// What made each version of the schema out of the one before. Never changed, only added to: databases have run them.
const MIGRATIONS: &[&str] = &[VERSION_1, VERSION_2, VERSION_3];

/// Those who prepare a database at the same time wait for each other. The number is only ours.
const LOCK: i64 = 0x6261_697a_6500;

/// Columns named `at` and `updated_at` are the server's own time in milliseconds, `timestamptz` is Postgres' clock. Records are
/// `json` and not `jsonb`: the server gets back the very text it wrote, and people can still ask for a field.
const VERSION_1: &str = "
CREATE TABLE game_definitions (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- Of the definition, which is a blob.
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE card_packs (
  id text PRIMARY KEY,
  name text GENERATED ALWAYS AS (info ->> 'name') STORED,
  official boolean NOT NULL,
  -- Of the cards, which are a blob.
  hash bytea NOT NULL,
  info json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE players (
  -- Of the browser's secret, of which only a hash is known.
  id text PRIMARY KEY,
  display_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE tables (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE,
  -- Of the browser that made it and the id that browser gave.
  key bytea NOT NULL UNIQUE,
  listed boolean NOT NULL DEFAULT true,
  -- The game under way.
  running text,
  updated_at bigint NOT NULL,
  record json NOT NULL
);
CREATE INDEX tables_updated ON tables (updated_at);
-- Who has a table. Every commit changes the row of its table, which is why nothing else is in it, no other column has an index,
-- and there is room for the next version of a row on its page.
CREATE TABLE rooms (
  table_id bigint PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT now(),
  -- How many commits there were under this epoch.
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
  -- The last snapshot and the seq it is of; archived apart.
  state_seq bigint,
  state bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX games_table ON games (table_id);
CREATE INDEX games_ended ON games (id) WHERE status = 'ended';
-- Without a reference to the game: looking it up would cost with every move. Purging takes the rows along.
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
-- Letters between nodes for the time when Redis is away. Not logged: they are worth nothing after a crash.
CREATE UNLOGGED TABLE mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  to_node text NOT NULL,
  body bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX mail_to ON mail (to_node, id);
";

/// Which table speaks of which blob; one that neither a table nor a pack speaks of is deleted when old tables are. By the references
/// nobody can speak of a blob that is just being deleted.
const VERSION_2: &str = "
CREATE TABLE spoken_of (
  table_id bigint NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  hash bytea NOT NULL REFERENCES blobs (hash),
  PRIMARY KEY (table_id, hash)
);
CREATE INDEX spoken_of_hash ON spoken_of (hash);
ALTER TABLE card_packs ADD FOREIGN KEY (hash) REFERENCES blobs (hash);
CREATE INDEX card_packs_hash ON card_packs (hash);
-- Whether that is known of a table. As long as there is one from before it was written down, no blob is deleted.
ALTER TABLE tables ADD COLUMN counted boolean NOT NULL DEFAULT false;
CREATE INDEX tables_uncounted ON tables (id) WHERE NOT counted;
";

/// Packs of strangers, orders to tables, and reports. Packs from before belong to nobody, and are kept as if they had just been uploaded.
const VERSION_3: &str = "
-- The browser that uploaded it, and a keyed hash of the address it came from. `used_ms` is when a table last chose it.
ALTER TABLE card_packs ADD COLUMN maker bytea, ADD COLUMN origin bytea, ADD COLUMN bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN created_ms bigint NOT NULL DEFAULT 0, ADD COLUMN used_ms bigint NOT NULL DEFAULT 0;
UPDATE card_packs SET bytes = coalesce((SELECT length(body) FROM blobs WHERE blobs.hash = card_packs.hash), 0),
  created_ms = extract(epoch FROM now())::bigint * 1000, used_ms = extract(epoch FROM now())::bigint * 1000;
CREATE INDEX card_packs_maker ON card_packs (maker) WHERE maker IS NOT NULL;
CREATE INDEX card_packs_origin ON card_packs (origin) WHERE origin IS NOT NULL;
CREATE INDEX card_packs_used ON card_packs (used_ms);
-- What the nodes shall do with tables; a row is gone when it is done.
CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key bytea NOT NULL UNIQUE,
  at bigint NOT NULL,
  body bytea NOT NULL
);
-- What players reported, as they saw it.
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
-- Values that all nodes share, such as the key of the hashes of addresses.
CREATE TABLE shared_values (name text PRIMARY KEY, value bytea NOT NULL);
";

/// Whether the tables are those of this program.
pub async fn check(link: &Link) -> Result<(), StoreError> {
    let live = link.live().await?;
    let known = MIGRATIONS.len() as i64;
    let version = match live.client.query_opt("SELECT version FROM schema_version", &[]).await {
        Ok(row) => row.map_or(0, |row| row.get::<_, i64>(0)),
        Err(_) => 0,
    };
    match version {
        _ if version == known => Ok(()),
        _ if version > known => Err(crate::version::too_new(version, known)),
        _ => Err(crate::version::too_old(version, known)),
    }
}

/// Brings a database up to date, or refuses one from the future.
///
/// All steps are one transaction under a lock: of several nodes that start at the same time one migrates and the others wait, and if
/// that one stops on the way, the database is as it was before.
pub async fn prepare(link: &Link) -> Result<(), StoreError> {
    let live = link.live().await?;
    let sql = |text: String| {
        let live = &live;
        async move { live.client.batch_execute(&text).await.map_err(failed) }
    };
    sql(format!(
        "BEGIN; SELECT pg_advisory_xact_lock({LOCK}); CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)"
    ))
    .await?;
    let row = live.client.query_opt("SELECT version FROM schema_version", &[]).await.map_err(failed)?;
    let version = row.map_or(0, |row| row.get::<_, i64>(0));
    let known = MIGRATIONS.len() as i64;
    if version > known {
        sql("ROLLBACK".into()).await?;
        return Err(crate::version::too_new(version, known));
    }
    for migration in &MIGRATIONS[version.max(0) as usize..] {
        sql((*migration).into()).await?;
    }
    let note = match version {
        _ if version == known => "",
        0 => "INSERT INTO schema_version (version) VALUES (",
        _ => "UPDATE schema_version SET version = (",
    };
    let note = if note.is_empty() { String::new() } else { format!("{note}{known});") };
    sql(format!("{note} COMMIT")).await
}
