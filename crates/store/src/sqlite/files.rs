//! Permissions of the database's folder and files. Only their owner may read them: they hold cards, chats and hashes of secrets.

use crate::StoreError;
use std::fs::{DirBuilder, File};
use std::io::Error;
use std::path::{Path, PathBuf};

/// Makes the folder and an empty database file if they are missing. An existing folder keeps its permissions; existing files, which
/// an older program may have made, lose all permissions but their owner's.
///
/// SQLite gives the files that it makes later the permissions of the database file.
pub fn prepare(dir: &Path) -> Result<PathBuf, StoreError> {
    make_folder(dir).map_err(|error| failed(dir, &error))?;
    let path = dir.join("baize.db");
    open_restricted(&path, true).map_err(|error| failed(&path, &error))?;
    for other in ["baize.db-wal", "baize.db-shm"] {
        let path = dir.join(other);
        open_restricted(&path, false).map_err(|error| failed(&path, &error))?;
    }
    Ok(path)
}

fn failed(path: &Path, error: &Error) -> StoreError {
    StoreError::Failed(format!("{}: {error}", path.display()))
}

pub fn make_folder(dir: &Path) -> Result<(), Error> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Restricts a file to its owner. If the file is missing, creates it if `create` says so, and ignores it otherwise.
fn open_restricted(path: &Path, create: bool) -> Result<(), Error> {
    let mut options = File::options();
    options.read(true).append(create).create(create);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(file) => restrict_open_file(&file),
        Err(error) if !create && error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn restrict_open_file(file: &File) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.metadata()?.permissions();
    if permissions.mode() & 0o777 == 0o600 {
        return Ok(());
    }
    permissions.set_mode(0o600);
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn restrict_open_file(_: &File) -> Result<(), Error> {
    Ok(())
}

/// Restricts a file to its owner, if the file exists. It uses the path and does not open the file: when this process closes any handle
/// of a file, POSIX releases the locks that SQLite holds on it.
#[cfg(unix)]
pub fn restrict_to_owner(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    let change = || {
        let mut permissions = std::fs::metadata(path)?.permissions();
        if permissions.mode() & 0o777 == 0o600 {
            return Ok(());
        }
        permissions.set_mode(0o600);
        std::fs::set_permissions(path, permissions)
    };
    match change() {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, &error)),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub fn restrict_to_owner(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use crate::SqliteStore;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    /// Regression: earlier versions made files that everybody on the machine could read (0644).
    #[test]
    fn only_the_owner_may_read_the_database() {
        let parent = tempfile::tempdir().unwrap();
        let dir = parent.path().join("data");
        let files = ["baize.db", "baize.db-wal", "baize.db-shm"].map(|name| dir.join(name));
        let store = SqliteStore::open(&dir).unwrap();
        assert_eq!(mode(&dir), 0o700);
        assert_eq!(files.each_ref().map(|file| mode(file)), [0o600; 3]);
        // An older program left them like this.
        for file in &files {
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
        }
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o750)).unwrap();
        let again = SqliteStore::open(&dir).unwrap();
        assert_eq!(files.each_ref().map(|file| mode(file)), [0o600; 3]);
        assert_eq!(mode(&dir), 0o750, "an existing folder keeps the permissions that the operator gave it");
        drop((store, again));
    }
}
