//! Migrations of SQLite databases.

use crate::{assert_explains_newer_version, contents, earlier};
use baize_store::{SqliteStore, Store, contract};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

fn made(script: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("baize.db");
    Connection::open(&path).unwrap().execute_batch(script).unwrap();
    (dir, path)
}

fn version(path: &Path) -> i64 {
    Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// Tables with their columns, references and indexes.
fn structure(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let all = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let text = |row: &rusqlite::Row| -> rusqlite::Result<String> {
            let values = (0..columns).map(|n| row.get_ref(n).map(|value| format!("{value:?}")));
            Ok(values.collect::<rusqlite::Result<Vec<_>>>()?.join(" "))
        };
        statement.query_map([], text).unwrap().map(Result::unwrap).collect()
    };
    let mut lines = all("SELECT name, ncol, wr FROM pragma_table_list WHERE schema = 'main'");
    lines.extend(all("SELECT t.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM pragma_table_list t, pragma_table_xinfo(t.name) c WHERE t.schema = 'main'"));
    lines.extend(all("SELECT t.name, f.\"from\", f.\"table\", f.\"to\", f.on_delete FROM pragma_table_list t, pragma_foreign_key_list(t.name) f WHERE t.schema = 'main'"));
    lines.extend(all("SELECT t.name, i.name, i.\"unique\", i.partial, c.seqno, c.name FROM pragma_table_list t, pragma_index_list(t.name) i, pragma_index_info(i.name) c WHERE t.schema = 'main'"));
    lines.sort();
    lines
}

/// STORE-26: a migrated database of every earlier version has all its contents, works, and has the same structure as a new one.
#[tokio::test]
async fn every_earlier_sqlite_database_is_migrated() {
    let (_fresh, fresh) = made("");
    drop(SqliteStore::open(fresh.parent().unwrap()).unwrap());
    let all = earlier("sqlite");
    assert_eq!(all.len() as i64 + 1, version(&fresh), "keep the schema before the newest as a file, too");
    for (old, script) in all {
        eprintln!("sqlite-{old}");
        let (_dir, path) = made(&script);
        let dir = path.parent().unwrap();
        assert_eq!(version(&path), old);
        // An operator's command does not migrate; only a server does.
        let refused = SqliteStore::attach(dir).map(drop).unwrap_err().to_string();
        assert!(refused.contains(&format!("has version {old}")) && refused.contains("start a server"), "{refused}");
        assert_eq!(version(&path), old);
        let store = SqliteStore::open(dir).unwrap();
        contents::check(&store).await;
        store.close().await.unwrap();
        assert_eq!((version(&path), structure(&path)), (version(&fresh), structure(&fresh)));
        let damage = "SELECT count(*) FROM pragma_foreign_key_check";
        assert_eq!(Connection::open(&path).unwrap().query_row(damage, [], |row| row.get::<_, i64>(0)), Ok(0));
        let store = SqliteStore::attach(dir).unwrap();
        contract::run(&store).await;
    }
}

/// STORE-27: a database of a later version is refused with a reason, and not changed.
#[test]
fn a_newer_sqlite_database_is_refused_and_left_alone() {
    let (_dir, path) = made("");
    let dir = path.parent().unwrap();
    drop(SqliteStore::open(dir).unwrap());
    let known = version(&path);
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 999; CREATE TABLE later (n)").unwrap();
    let before = std::fs::read(&path).unwrap();
    for opened in [SqliteStore::open(dir), SqliteStore::attach(dir)] {
        assert_explains_newer_version(&opened.map(drop).unwrap_err().to_string(), 999, known);
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// STORE-28: if several programs open an old database at the same time, one migrates it and the others find it migrated.
#[test]
fn many_programs_can_open_an_old_sqlite_database_at_once() {
    for (_, script) in earlier("sqlite") {
        let (_dir, path) = made(&script);
        let dir = path.parent().unwrap();
        std::thread::scope(|scope| {
            let open = || SqliteStore::open(dir).map(drop);
            let all: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            all.into_iter().for_each(|one| one.join().unwrap().unwrap());
        });
        let packs = "SELECT count(*) FROM packs";
        assert_eq!(Connection::open(&path).unwrap().query_row(packs, [], |row| row.get::<_, i64>(0)), Ok(1));
    }
}
