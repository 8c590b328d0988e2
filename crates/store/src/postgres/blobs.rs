//! Rows that belong to no table: blobs, and the catalogue of game definitions.

use super::connection::Connection;
use super::text;
use crate::{DefinitionRow, Hash, StoreError};

pub async fn put_blob(connection: &Connection, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
    const PUT: &str = "INSERT INTO blobs (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    connection.query_with_retries(PUT, &[&hash.as_slice(), &body]).await.map(|_| ())
}

pub async fn note_definition(connection: &Connection, definition: &DefinitionRow) -> Result<(), StoreError> {
    const NOTE: &str = "INSERT INTO game_definitions (id, name, hash) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, hash = excluded.hash";
    connection
        .query_with_retries(NOTE, &[&definition.id, &text(&definition.name), &definition.hash.as_slice()])
        .await
        .map(|_| ())
}
