//! What belongs to no table: blobs, and the catalogue of definitions.

use super::link::Link;
use super::text;
use crate::{DefinitionRow, Hash, StoreError};

pub async fn put_blob(link: &Link, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
    const PUT: &str = "INSERT INTO blobs (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    link.insist(PUT, &[&hash.as_slice(), &body]).await.map(|_| ())
}

pub async fn note_definition(link: &Link, definition: &DefinitionRow) -> Result<(), StoreError> {
    const NOTE: &str = "INSERT INTO game_definitions (id, name, hash) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, hash = excluded.hash";
    link.insist(NOTE, &[&definition.id, &text(&definition.name), &definition.hash.as_slice()]).await.map(|_| ())
}
