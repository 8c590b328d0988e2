-- A database of version 5 of the schema, as that version of the program made it, with something in every table.
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  -- Of the browser that made it and the id that browser gave.
  key BLOB NOT NULL UNIQUE,
  epoch INTEGER NOT NULL DEFAULT 0,
  listed INTEGER NOT NULL DEFAULT 1,
  running TEXT,
  updated_at INTEGER NOT NULL,
  record BLOB NOT NULL
);
CREATE INDEX tables_updated ON tables (updated_at);
CREATE INDEX tables_running ON tables (code) WHERE running IS NOT NULL;
CREATE TABLE members (
  member BLOB NOT NULL,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  PRIMARY KEY (member, table_id)
) WITHOUT ROWID;
CREATE INDEX members_table ON members (table_id);
CREATE TABLE games (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  record BLOB NOT NULL
);
CREATE INDEX games_table ON games (table_id);
CREATE TABLE snapshots (
  game_id TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE chat (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (table_id, n)
) WITHOUT ROWID;
CREATE TABLE blobs (hash BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
-- What each shared commit has added to the logs of games, until it is put in its place.
CREATE TABLE journal (n INTEGER PRIMARY KEY, rows BLOB NOT NULL);
-- Rows of one game's log, side by side; the seq and the time of the last. In the order in which they came, whatever game they
-- are of: so what is put in its place is pages at the end.
CREATE TABLE stretches (
  n INTEGER PRIMARY KEY,
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  last INTEGER NOT NULL,
  at INTEGER NOT NULL,
  rows BLOB NOT NULL
);
CREATE UNIQUE INDEX stretches_game ON stretches (game, last);
-- A blob that no table and no pack speaks of is deleted when old tables are.
CREATE TABLE spoken_of (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  PRIMARY KEY (table_id, hash)
) WITHOUT ROWID;
CREATE INDEX spoken_of_hash ON spoken_of (hash);
-- Whether that is known of a table. As long as there is one from before it was written down, no blob is deleted.
ALTER TABLE tables ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tables_uncounted ON tables (id) WHERE NOT counted;
CREATE TABLE packs (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL,
  info BLOB NOT NULL,
  -- The browser that uploaded it, and a keyed hash of the address it came from.
  maker BLOB,
  origin BLOB,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- When a table last chose it.
  used_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX packs_maker ON packs (maker, id) WHERE maker IS NOT NULL;
CREATE INDEX packs_origin ON packs (origin) WHERE origin IS NOT NULL;
CREATE INDEX packs_hash ON packs (hash);
CREATE INDEX packs_used ON packs (used_at);
-- What the server shall do with tables; a row is gone when it is done.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  body BLOB NOT NULL
);
-- What players reported, as they saw it.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  code TEXT NOT NULL,
  kind TEXT NOT NULL,
  reporter BLOB,
  about BLOB,
  name TEXT NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX reports_code ON reports (code);
CREATE INDEX reports_about ON reports (about) WHERE about IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter) WHERE reporter IS NOT NULL;
-- Values that belong to this database, such as the key of the hashes of addresses.
CREATE TABLE shared_values (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

INSERT INTO tables (id, code, key, epoch, running, updated_at, record) VALUES
  (7, 'abc', x'0101010101010101010101010101010101010101010101010101010101010101', 3, 'g2', 5, x'7b2261223a317d'), (8, 'def', x'0202020202020202020202020202020202020202020202020202020202020202', 1, NULL, 9, x'7b2261223a327d');
-- One member has a number.
ALTER TABLE members ADD COLUMN n INTEGER;
INSERT INTO members (member, table_id) VALUES (x'0505050505050505050505050505050505050505050505050505050505050505', 7), (x'0505050505050505050505050505050505050505050505050505050505050505', 8), (x'0606060606060606060606060606060606060606060606060606060606060606', 7);
UPDATE members SET n = 3 WHERE member = x'0606060606060606060606060606060606060606060606060606060606060606';
INSERT INTO games (n, id, table_id, record) VALUES (1, 'g1', 7, x'7b226e223a317d'), (2, 'g2', 7, x'7b226e223a327d');
-- The log of `g1` is in its place, that of `g2` still in the journal.
INSERT INTO stretches (game, last, at, rows) VALUES (1, 2, 20, x'05010a010102050214010304');
INSERT INTO journal (rows) VALUES (x'02050132010a0b');
UPDATE tables SET counted = 1;
INSERT INTO spoken_of (table_id, hash) VALUES (7, x'0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a');
INSERT INTO snapshots (game_id, seq, body) VALUES ('g1', 2, x'05');
INSERT INTO chat (table_id, n, body) VALUES (7, 1, x'68656c6c6f'), (7, 2, x'616761696e');
INSERT INTO blobs (hash, body) VALUES (x'0909090909090909090909090909090909090909090909090909090909090909', x'61207061636b'), (x'0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a', x'612072756c65');
INSERT INTO packs (id, hash, info, bytes, created_at, used_at) VALUES ('mine', x'0909090909090909090909090909090909090909090909090909090909090909', x'7b226e616d65223a224d696e65227d', 6, 1700000000000, 1700000000000);
INSERT INTO orders (key, at, body) VALUES (x'0101010101010101010101010101010101010101010101010101010101010101', 5, x'02');
INSERT INTO reports (key, at, code, kind, name, body) VALUES (x'0303030303030303030303030303030303030303030303030303030303030303', 5, 'abc', 'line', 'Ann', x'7b7d');
INSERT INTO shared_values (name, value) VALUES ('origin key', x'04');
PRAGMA user_version = 5;
