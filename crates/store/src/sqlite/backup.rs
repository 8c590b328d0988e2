//! Backups of a SQLite database: a copy in one file, and its checksum in a second file beside it.
//!
//! [`make`] copies inside one read transaction, so a server may go on writing: the copy has everything that was acknowledged before the
//! copy began, including rows in the journal. [`restore`] puts a copy into a folder that has no database. Both refuse a damaged copy.
//! The checksum is necessary because SQLite does not notice a flipped bit in a value.

use super::{files, journal, log_encoding, schema};
use crate::StoreError;
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The database and the files that SQLite keeps beside it. [`restore`] refuses a folder with any of them: SQLite would apply a WAL of
/// another database to the restored one.
const DATABASE_FILES: [&str; 4] = ["baize.db", "baize.db-wal", "baize.db-shm", "baize.db-journal"];

/// What a backup contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// SHA-256 of the file, in hexadecimal digits.
    pub checksum: String,
    pub bytes: u64,
    pub tables: u64,
    pub games: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupError {
    /// There is no database to copy.
    NoDatabase(PathBuf),
    /// The file exists, and backups overwrite nothing.
    Exists(PathBuf),
    /// The file with the checksum is missing.
    NoChecksum(PathBuf),
    /// The copy differs from what was written, or is not a database that this program can read.
    Damaged(PathBuf, String),
    File(PathBuf, String),
    Store(StoreError),
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BackupError::NoDatabase(path) => write!(f, "there is no database at {}", path.display()),
            BackupError::Exists(path) => {
                write!(f, "{} exists, and nothing is overwritten: move it away first", path.display())
            }
            BackupError::NoChecksum(path) => write!(
                f,
                "{} is missing, so nobody can tell whether the backup is whole: copy it here, too",
                path.display()
            ),
            BackupError::Damaged(path, why) => {
                write!(f, "{} is damaged ({why}): use another backup", path.display())
            }
            BackupError::File(path, why) => write!(f, "{}: {why}", path.display()),
            BackupError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BackupError {}

/// Copies the database in `dir` to `file`, and writes the checksum beside it. A server may be running.
pub fn make(dir: &Path, file: &Path) -> Result<Contents, BackupError> {
    let database = dir.join("baize.db");
    if !database.is_file() {
        return Err(BackupError::NoDatabase(database));
    }
    refuse_existing(file)?;
    let connection = schema::connect(&database).map_err(BackupError::Store)?;
    schema::known_version(&connection).map_err(BackupError::Store)?;
    let part = PartialFile::new(file)?;
    let name = part.path.to_str().ok_or_else(|| in_file(file)("the name is not UTF-8".into()))?;
    let vacuum = connection.execute("VACUUM INTO ?", [name]);
    vacuum.map_err(|error| in_file(file)(format!("could not be written: {error}")))?;
    drop(connection);
    // Checks the copy at once: a backup of a damaged database would be found out when it is needed.
    let (checksum, bytes) = hash_and_copy(&part.path, None)?;
    let (tables, games) = inspect(&part.path, &database)?;
    let line = format!("{checksum}  {}\n", file.file_name().unwrap_or_default().to_string_lossy());
    let beside = checksum_file(file);
    let written = fs::write(&beside, line).and_then(|()| File::open(&beside)?.sync_all());
    written.map_err(|error| in_file(&beside)(error.to_string()))?;
    part.finish(file)?;
    Ok(Contents { checksum, bytes, tables, games })
}

/// Checks that a backup has its checksum and is a database that this program can read.
pub fn check(file: &Path) -> Result<Contents, BackupError> {
    let beside = checksum_file(file);
    if !file.is_file() {
        return Err(BackupError::File(file.to_owned(), "there is no such file".into()));
    }
    let line = fs::read_to_string(&beside).map_err(|_| BackupError::NoChecksum(beside.clone()))?;
    let expected = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let (checksum, bytes) = hash_and_copy(file, None)?;
    if checksum != expected {
        let why = format!("its checksum is {checksum}, and {} says {expected}", beside.display());
        return Err(BackupError::Damaged(file.to_owned(), why));
    }
    let (tables, games) = inspect(file, file)?;
    Ok(Contents { checksum, bytes, tables, games })
}

/// Checks a backup and copies it to `dir`, which must not have a database.
pub fn restore(file: &Path, dir: &Path) -> Result<Contents, BackupError> {
    let contents = check(file)?;
    files::make_folder(dir).map_err(|error| in_file(dir)(error.to_string()))?;
    DATABASE_FILES.iter().try_for_each(|name| refuse_existing(&dir.join(name)))?;
    let database = dir.join("baize.db");
    let part = PartialFile::new(&database)?;
    give_to_owner(&part.path, dir);
    let mut copy = File::options().write(true).open(&part.path).map_err(|e| in_file(&part.path)(e.to_string()))?;
    let (checksum, _) = hash_and_copy(file, Some(&mut copy))?;
    if checksum != contents.checksum {
        return Err(BackupError::Damaged(file.to_owned(), "it changed while it was read".into()));
    }
    part.finish(&database)?;
    Ok(contents)
}

/// Gives the file to the folder's owner: an administrator (root) restores a database that a service's user must open. For other users
/// `chown` fails, and they do not need it.
fn give_to_owner(file: &Path, folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::metadata(folder) {
        use std::os::unix::fs::{MetadataExt, chown};
        let _ = chown(file, Some(folder.uid()), Some(folder.gid()));
    }
}

/// The checksum of `copy.db` is in `copy.db.sha256`, in the format of `sha256sum`.
fn checksum_file(file: &Path) -> PathBuf {
    with_ending(file, ".sha256")
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn in_file(path: &Path) -> impl Fn(String) -> BackupError + use<> {
    let path = path.to_owned();
    move |why| BackupError::File(path.clone(), why)
}

fn refuse_existing(path: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(in_file(path)(error.to_string())),
        Ok(_) => Err(BackupError::Exists(path.to_owned())),
    }
}

/// A file that is written under a temporary name, so that a file with the final name is always complete. Dropping it deletes it unless
/// [`PartialFile::finish`] has renamed it.
struct PartialFile {
    path: PathBuf,
}

impl PartialFile {
    /// Makes an empty file that only its owner may read: it will have everything that the database has.
    fn new(file: &Path) -> Result<Self, BackupError> {
        let path = with_ending(file, ".part");
        // An attempt that was killed may have left one behind.
        let _ = fs::remove_file(&path);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path).map_err(|error| in_file(&path)(error.to_string()))?;
        Ok(PartialFile { path })
    }

    /// Syncs the file and gives it its final name.
    fn finish(self, file: &Path) -> Result<(), BackupError> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let named = File::open(&self.path)
            .and_then(|part| part.sync_all())
            .and_then(|()| fs::rename(&self.path, file))
            .and_then(|()| File::open(folder)?.sync_all());
        named.map_err(|error| in_file(file)(error.to_string()))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns the checksum and the length of a file, and writes its bytes to `copy` if there is one.
fn hash_and_copy(path: &Path, mut copy: Option<&mut File>) -> Result<(String, u64), BackupError> {
    let mut work = || -> io::Result<(String, u64)> {
        let mut file = File::open(path)?;
        let (mut hash, mut length, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
        loop {
            let read = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(&buffer[..read]);
            length += read as u64;
            if let Some(copy) = &mut copy {
                copy.write_all(&buffer[..read])?;
            }
        }
        let digits = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((digits, length))
    };
    work().map_err(|error| in_file(path)(error.to_string()))
}

/// Checks a copy that nobody writes to, and counts its tables and games. Errors name the file `blamed`.
fn inspect(file: &Path, blamed: &Path) -> Result<(u64, u64), BackupError> {
    let damaged = |why: String| BackupError::Damaged(blamed.to_owned(), why);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(|error| damaged(error.to_string()))?;
    let found = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    let found = found.unwrap_or_else(|error| error.to_string());
    if found != "ok" {
        return Err(damaged(found));
    }
    schema::known_version(&connection).map_err(BackupError::Store)?;
    if let Some(why) = find_damaged_rows(&connection).map_err(|error| damaged(error.to_string()))? {
        return Err(damaged(why.into()));
    }
    let count = |table: &str| -> Result<u64, BackupError> {
        let count = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
        count.map(|count| count as u64).map_err(|error| damaged(error.to_string()))
    };
    Ok((count("tables")?, count("games")?))
}

/// Looks for damage in rows that SQLite itself can read, and describes it.
fn find_damaged_rows(connection: &Connection) -> rusqlite::Result<Option<&'static str>> {
    if connection.prepare("PRAGMA foreign_key_check")?.exists([])? {
        return Ok(Some("a row refers to one that is not there"));
    }
    // Before version 3 each log row was a row of the database, and there was no encoding to check.
    if !connection.table_exists(None, "stretches")? {
        return Ok(None);
    }
    if !connection.prepare("SELECT rows FROM stretches")?.query_map([], |row| row.get(0))?.all(is_segment) {
        return Ok(Some("the log of a game can't be read"));
    }
    let journal = journal::Journal::new(journal::LogTails::default()).reload(connection);
    Ok(journal.is_err().then_some("the journal can't be read"))
}

/// Whether every byte belongs to a log row.
fn is_segment(segment: rusqlite::Result<Vec<u8>>) -> bool {
    let Ok(segment) = segment else { return false };
    let mut rest = &segment[..];
    while !rest.is_empty() {
        if log_encoding::decode_row(&mut rest).is_none() {
            return false;
        }
    }
    true
}
