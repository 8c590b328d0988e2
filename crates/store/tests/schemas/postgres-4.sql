-- A database of version 4 of the schema, as that version of the program made it, with something in every table.
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
-- The browser that uploaded it, and a keyed hash of the address it came from. `used_ms` is when a table last chose it.
ALTER TABLE card_packs ADD COLUMN maker bytea, ADD COLUMN origin bytea, ADD COLUMN bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN created_ms bigint NOT NULL DEFAULT 0, ADD COLUMN used_ms bigint NOT NULL DEFAULT 0;
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

ALTER TABLE table_players ADD COLUMN n bigint;

CREATE TABLE schema_version (version bigint NOT NULL);
INSERT INTO schema_version (version) VALUES (4);
INSERT INTO blobs (hash, body) VALUES (decode('0909090909090909090909090909090909090909090909090909090909090909', 'hex'), 'a pack'), (decode('0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a', 'hex'), 'a rule');
INSERT INTO card_packs (id, official, hash, info, bytes, created_ms, used_ms) VALUES ('mine', false, decode('0909090909090909090909090909090909090909090909090909090909090909', 'hex'), '{"name":"Mine"}', 6, 1700000000000, 1700000000000);
INSERT INTO players (id, display_name) VALUES ('0505050505050505050505050505050505050505050505050505050505050505', 'Ann'), ('0606060606060606060606060606060606060606060606060606060606060606', 'Ben');
INSERT INTO tables (code, key, running, updated_at, record) VALUES
  ('abc', decode('0101010101010101010101010101010101010101010101010101010101010101', 'hex'), 'g2', 5, '{"a":1}'), ('def', decode('0202020202020202020202020202020202020202020202020202020202020202', 'hex'), NULL, 9, '{"a":2}');
INSERT INTO rooms (table_id, epoch) SELECT id, 3 FROM tables;
INSERT INTO table_players (player_id, table_id) SELECT '0505050505050505050505050505050505050505050505050505050505050505', id FROM tables;
INSERT INTO table_players (player_id, table_id) SELECT '0606060606060606060606060606060606060606060606060606060606060606', id FROM tables WHERE code = 'abc';
INSERT INTO games (id, table_id, status, record) SELECT 'g1', id, 'archived', '{"n":1}' FROM tables WHERE code = 'abc';
INSERT INTO games (id, table_id, status, record) SELECT 'g2', id, 'running', '{"n":2}' FROM tables WHERE code = 'abc';
INSERT INTO archived_games (game_id, state_seq, state) VALUES ('g1', 2, '\x05');
INSERT INTO archived_events (game_id, seq, at, input, told) VALUES ('g1', 1, 10, '\x01', '\x02'), ('g1', 2, 20, '\x03', '\x04');
INSERT INTO game_events (game_id, seq, at, input, told) VALUES ('g2', 1, 50, '\x0a', '\x0b');
INSERT INTO chat (table_id, n, body) SELECT id, 1, 'hello' FROM tables WHERE code = 'abc';
INSERT INTO chat (table_id, n, body) SELECT id, 2, 'again' FROM tables WHERE code = 'abc';
UPDATE tables SET counted = true;
INSERT INTO spoken_of (table_id, hash) SELECT id, decode('0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a', 'hex') FROM tables WHERE code = 'abc';
INSERT INTO orders (key, at, body) VALUES ('\x0101010101010101010101010101010101010101010101010101010101010101', 5, '\x02');
INSERT INTO reports (key, at, code, kind, name, body) VALUES ('\x0303030303030303030303030303030303030303030303030303030303030303', 5, 'abc', 'line', 'Ann', '{}');
INSERT INTO shared_values (name, value) VALUES ('origin key', '\x04');
UPDATE table_players SET n = 3 WHERE player_id = '0606060606060606060606060606060606060606060606060606060606060606';
