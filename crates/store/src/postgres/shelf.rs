//! What belongs to no table: blobs, packs, the catalogue of definitions.

use super::link::{Link, Params, Trouble};
use super::{reader, text};
use crate::{DefinitionRow, Hash, PackRow, StoreError};

pub async fn put_blob(link: &Link, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
    const PUT: &str = "INSERT INTO blobs (hash, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    link.insist(PUT, &[&hash.as_slice(), &body]).await.map(|_| ())
}

pub async fn note_definition(link: &Link, definition: &DefinitionRow) -> Result<(), StoreError> {
    const NOTE: &str = "INSERT INTO game_definitions (id, name, hash) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, hash = excluded.hash";
    link.insist(NOTE, &[&definition.id, &text(&definition.name), &definition.hash.as_slice()]).await.map(|_| ())
}

pub async fn add_packs(link: &Link, packs: &[PackRow]) -> Result<(), StoreError> {
    const ADD: &str = "INSERT INTO card_packs (id, official, hash, info)
      SELECT id, official, hash, info::json FROM unnest($1::text[], $2::bool[], $3::bytea[], $4::text[])
      AS pack (id, official, hash, info)";
    let ids: Vec<_> = packs.iter().map(|pack| pack.id.as_str()).collect();
    let official: Vec<_> = packs.iter().map(|pack| pack.official).collect();
    let hashes: Vec<_> = packs.iter().map(|pack| pack.hash.as_slice()).collect();
    let infos: Vec<_> = packs.iter().map(|pack| String::from_utf8_lossy(&pack.info)).collect();
    let params: Params = &[&ids, &official, &hashes, &infos];
    match link.ask(ADD, params).await {
        Ok(_) => Ok(()),
        Err(Trouble::Refused(error) | Trouble::Away(error)) => Err(error),
        Err(Trouble::Unknown(_)) => match link.insist(ADD, params).await {
            // By the attempt before, if they are all there.
            Err(StoreError::Taken) => {
                let there = reader::packs(link).await?;
                packs.iter().all(|pack| there.contains(pack)).then_some(()).ok_or(StoreError::Taken)
            }
            done => done.map(|_| ()),
        },
    }
}
