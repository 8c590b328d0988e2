//! Errors for a database whose schema version is not this program's.

use crate::StoreError;

pub fn too_new(version: i64, known: i64) -> StoreError {
    StoreError::Failed(format!(
        "the database has version {version}, and this program knows versions up to {known}: a newer baize has written it. \
         Start that one, or restore a backup from before the update"
    ))
}

pub fn too_old(version: i64, known: i64) -> StoreError {
    StoreError::Failed(format!(
        "the database has version {version}, this program needs version {known}: start a server of this program once, it \
         brings the database up to date"
    ))
}
