-- A database of version 2 of the schema, as that version of the program made it, with something in every table.
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
-- Rows lie in the order in which they came, whatever game they are of: what a shared commit adds is a few pages at the end, and
-- not one page for each game. The index beside them is small, and games that are played at the same time are neighbours in it.
CREATE TABLE events (
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  input BLOB NOT NULL,
  told BLOB NOT NULL,
  PRIMARY KEY (game, seq)
);
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
CREATE TABLE packs (
  id TEXT PRIMARY KEY,
  official INTEGER NOT NULL,
  hash BLOB NOT NULL,
  info BLOB NOT NULL
) WITHOUT ROWID;

INSERT INTO tables (id, code, key, epoch, running, updated_at, record) VALUES
  (7, 'abc', x'0101010101010101010101010101010101010101010101010101010101010101', 3, 'g2', 5, x'7b2261223a317d'), (8, 'def', x'0202020202020202020202020202020202020202020202020202020202020202', 1, NULL, 9, x'7b2261223a327d');
INSERT INTO members (member, table_id) VALUES (x'0505050505050505050505050505050505050505050505050505050505050505', 7), (x'0505050505050505050505050505050505050505050505050505050505050505', 8), (x'0606060606060606060606060606060606060606060606060606060606060606', 7);
INSERT INTO games (n, id, table_id, record) VALUES (1, 'g1', 7, x'7b226e223a317d'), (2, 'g2', 7, x'7b226e223a327d');
INSERT INTO events (game, seq, at, input, told) VALUES (1, 1, 10, x'01', x'02'), (1, 2, 20, x'03', x'04'), (2, 1, 50, x'0a', x'0b');
INSERT INTO snapshots (game_id, seq, body) VALUES ('g1', 2, x'05');
INSERT INTO chat (table_id, n, body) VALUES (7, 1, x'68656c6c6f'), (7, 2, x'616761696e');
INSERT INTO blobs (hash, body) VALUES (x'0909090909090909090909090909090909090909090909090909090909090909', x'61207061636b'), (x'0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a', x'612072756c65');
INSERT INTO packs (id, official, hash, info) VALUES ('mine', 0, x'0909090909090909090909090909090909090909090909090909090909090909', x'7b226e616d65223a224d696e65227d');
PRAGMA user_version = 2;
