//! The files of the database, and whether they are still the ones that were opened.
//!
//! A file that is deleted or replaced stays open all the same: what is written to it is then on no disk that anybody will read
//! again. So before each group of commits the writer asks whether the names still lead to the files it has.

use super::{failed, files, schema};
use crate::{Faults, StoreError};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Logs of writes of replaced databases that are kept; the last of them is then overwritten.
const LOGS_ASIDE: u32 = 100;

/// Tells a file from every other, as long as it exists.
pub type Identity = (u64, u64);

/// Where the database is, and what all its connections share.
#[derive(Clone)]
pub struct Place {
    pub database: PathBuf,
    pub faults: Faults,
}

impl Place {
    pub fn new(database: PathBuf, faults: Faults) -> Self {
        Place { database, faults }
    }

    /// The file that SQLite writes to first, beside the database.
    pub fn log(&self) -> PathBuf {
        self.with_ending("-wal")
    }

    fn with_ending(&self, ending: &str) -> PathBuf {
        let mut path = self.database.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    /// Connects to the database that is there. One that is not there is not made: an empty one in its place would look as if
    /// everything had been lost.
    pub fn connect(&self) -> Result<Connection, StoreError> {
        // It may be another file than the one that was opened first, put there with the permissions of whoever did.
        for ending in ["", "-wal", "-shm"] {
            files::keep_private(&self.with_ending(ending))?;
        }
        schema::reconnect(&self.database)
    }

    /// Another database has been put in the place of the old one, whose log of writes still lies there. It must not be read
    /// together with the new one, so it goes out of the way.
    pub fn put_old_log_aside(&self, log: Option<Identity>) {
        if log.is_some() && identity(&self.log()).ok() == log {
            let _ = files::keep_private(&self.log());
            let _ = std::fs::rename(self.log(), self.free_name());
            let _ = std::fs::remove_file(self.with_ending("-shm"));
        }
    }
}

impl Place {
    /// Where an old log of writes goes. An earlier one that lies there is not lost, up to so many.
    fn free_name(&self) -> PathBuf {
        let names =
            std::iter::once("-wal.replaced".to_owned()).chain((2..=LOGS_ASIDE).map(|n| format!("-wal.replaced.{n}")));
        let mut last = self.with_ending("-wal.replaced");
        for name in names {
            last = self.with_ending(&name);
            if !last.exists() {
                break;
            }
        }
        last
    }
}

#[cfg(unix)]
pub fn identity(path: &Path) -> std::io::Result<Identity> {
    std::fs::metadata(path).map(|about| identity_of(&about))
}

#[cfg(unix)]
pub fn identity_of(about: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

/// Where files have no numbers, an open file can't be deleted either.
#[cfg(not(unix))]
pub fn identity(path: &Path) -> std::io::Result<Identity> {
    std::fs::metadata(path).map(|about| identity_of(&about))
}

#[cfg(not(unix))]
pub fn identity_of(_: &std::fs::Metadata) -> Identity {
    (0, 0)
}

/// Whether the names still lead to the files that are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    Same,
    /// They may come back.
    Gone,
    /// Another database lies there.
    Replaced,
    /// The database is the same, but not the log of writes beside it.
    OtherLog,
}

/// A connection beside the writer's, which the writer can close and which is made again when it is next needed.
#[derive(Clone)]
pub struct Line {
    place: Place,
    connection: Arc<Mutex<Option<Connection>>>,
}

impl Line {
    pub fn new(place: &Place, connection: Connection) -> Self {
        Line { place: place.clone(), connection: Arc::new(Mutex::new(Some(connection))) }
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the connection.
    pub fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Result<T, StoreError> {
        let mut slot = self.lock();
        let connection = match slot.take() {
            Some(connection) => connection,
            None => self.place.connect()?,
        };
        // If this panics, the connection is dropped, and the next one to come makes another.
        let done = work(&connection);
        *slot = Some(connection);
        Ok(done)
    }

    pub fn close(&self) {
        self.lock().take();
    }
}

/// Closes a connection to a database that is no longer where it was: SQLite must not tidy up there, for what it would delete
/// belongs to another database.
pub fn abandon(connection: Connection) {
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    drop(connection);
}

/// Puts all that is in the log of writes in its place, on disk. An error if anything is left.
pub fn checkpoint_all(connection: &Connection) -> Result<(), StoreError> {
    let (busy, written, in_place): (i64, i64, i64) = connection
        .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .map_err(failed)?;
    match busy == 0 && written == in_place {
        true => Ok(()),
        false => Err(StoreError::Failed("the log of writes could not be put in its place".into())),
    }
}
