//! A connection of another thread than the writer's.

use super::database_file::DatabaseFile;
use crate::StoreError;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A connection that the writer can close at any time; the next use opens it again.
#[derive(Clone)]
pub struct SideConnection {
    file: DatabaseFile,
    connection: Arc<Mutex<Option<Connection>>>,
}

impl SideConnection {
    pub fn new(file: &DatabaseFile, connection: Connection) -> Self {
        SideConnection { file: file.clone(), connection: Arc::new(Mutex::new(Some(connection))) }
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the connection.
    pub fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Result<T, StoreError> {
        let mut kept = self.lock();
        let connection = match kept.take() {
            Some(connection) => connection,
            None => self.file.connect()?,
        };
        // If `work` panics, the connection is dropped and the next call opens another one.
        let result = work(&connection);
        *kept = Some(connection);
        Ok(result)
    }

    pub fn close(&self) {
        self.lock().take();
    }
}

/// Closes a connection whose database file was replaced. Without this setting SQLite would checkpoint and delete the WAL at the path,
/// which belongs to the other database now.
pub fn abandon(connection: Connection) {
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    drop(connection);
}
