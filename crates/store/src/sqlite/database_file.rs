//! The database file, and whether the file at its path is still the one that was opened.
//!
//! A file that somebody deletes or replaces stays open: SQLite goes on writing to it, and nobody will ever read what it writes. So
//! before each group of commits the writer compares the files at the paths with the files it has open. A file that somebody cuts off
//! or copies over is the same file for the system, so the writer also compares its length.

use super::{files, schema};
use crate::{Faults, StoreError};
use rusqlite::Connection;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Upper bound on WALs of replaced databases that the store keeps. Beyond it, the store overwrites the last one.
const MAX_OLD_WALS: u32 = 100;

/// Device and inode number: two files that exist at the same time never share both.
pub type FileId = (u64, u64);

/// The path of the database, and the faults that tests inject into its connections.
#[derive(Clone)]
pub struct DatabaseFile {
    pub path: PathBuf,
    pub faults: Faults,
}

impl DatabaseFile {
    pub fn new(path: PathBuf, faults: Faults) -> Self {
        DatabaseFile { path, faults }
    }

    /// Path of SQLite's write-ahead log (WAL).
    pub fn wal_path(&self) -> PathBuf {
        self.path_with_suffix("-wal")
    }

    fn path_with_suffix(&self, suffix: &str) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    /// Opens one more connection to the existing database. It never creates a database: an empty one would look as if everything had
    /// been lost.
    pub fn connect(&self) -> Result<Connection, StoreError> {
        // Somebody may have replaced the file since it was first opened, and given the new one wider permissions.
        for suffix in ["", "-wal", "-shm"] {
            files::restrict_to_owner(&self.path_with_suffix(suffix))?;
        }
        schema::connect_existing(&self.path)
    }

    /// Renames the WAL of a database that was replaced, if it is still there: SQLite must not apply it to the new database.
    pub fn set_old_wal_aside(&self, old_wal: Option<FileId>) {
        if old_wal.is_some() && file_id(&self.wal_path()).ok() == old_wal {
            let _ = files::restrict_to_owner(&self.wal_path());
            let _ = std::fs::rename(self.wal_path(), self.unused_wal_name());
            let _ = std::fs::remove_file(self.path_with_suffix("-shm"));
        }
    }

    /// The first of [`MAX_OLD_WALS`] names that no file has, or the last of them.
    fn unused_wal_name(&self) -> PathBuf {
        let numbered = (2..=MAX_OLD_WALS).map(|n| format!("-wal.replaced.{n}"));
        let mut path = self.path_with_suffix("-wal.replaced");
        for suffix in numbered {
            if !path.exists() {
                break;
            }
            path = self.path_with_suffix(&suffix);
        }
        path
    }
}

pub fn file_id(path: &Path) -> std::io::Result<FileId> {
    id_and_length(path).map(|(id, _)| id)
}

pub fn id_and_length(path: &Path) -> std::io::Result<(FileId, u64)> {
    std::fs::metadata(path).map(|metadata| (file_id_of(&metadata), metadata.len()))
}

#[cfg(unix)]
pub fn file_id_of(metadata: &std::fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Systems without inode numbers do not let anybody delete an open file, so all files may look the same here.
#[cfg(not(unix))]
pub fn file_id_of(_: &std::fs::Metadata) -> FileId {
    (0, 0)
}

/// Whether the file has as many pages as its first page says.
pub fn is_whole(path: &Path, length: u64) -> bool {
    let mut head = [0; 100];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    // The header of a database file has the format's name, the size of a page and the number of pages.
    let number = |at: usize| u64::from(u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    let page_size = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        size => size,
    };
    read.is_ok() && head.starts_with(b"SQLite format 3\0") && number(28) * page_size <= length
}

/// How the files at the paths compare with the open files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    Unchanged,
    /// There is no database at the path. It may come back.
    Missing,
    /// The file is shorter than it was, and its first page says that pages are missing. Somebody has cut it off or is copying
    /// another database over it.
    Damaged,
    /// There is another database at the path.
    Replaced,
    /// The database is the same, but the WAL beside it is another file or is missing.
    WalReplaced,
}
