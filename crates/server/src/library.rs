//! The games on the shelf: rules files, compiled, and kept by hash.
//!
//! A table is pinned to the [`Rules`] it was made with. Their source and their compiled program are blobs of the store, so
//! that neither an edited file nor another compiler changes a table that exists.

use crate::identity::{hash, hex};
use baize_engine::definition::Definition;
use baize_engine::table::SEMANTICS;
use baize_protocol::http::Problem;
use baize_rules::diagnostic::{Diagnostic, line_column};
use baize_rules::program::Program;
use baize_store::{Hash, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// One version of a game.
#[derive(Debug)]
pub struct Rules {
    pub id: String,
    pub source: String,
    pub program: Arc<Program>,
    pub definition: Definition,
    pub pin: Pin,
}

impl Rules {
    /// What has to be kept so that a table pinned to these rules can be loaded.
    pub fn blobs(&self) -> [(Hash, Vec<u8>); 3] {
        [
            (self.pin.source, self.source.clone().into_bytes()),
            (self.pin.program, program_bytes(&self.program)),
            (self.pin.definition, definition_bytes(&self.definition)),
        ]
    }
}

/// What a table remembers of its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pin {
    pub source: Hash,
    pub program: Hash,
    /// Of the definition as JSON: the address clients fetch it from.
    pub definition: Hash,
    pub semantics: u32,
}

/// A file of the games folder.
#[derive(Clone, Debug)]
pub enum Shelved {
    Playable(Arc<Rules>),
    /// With what is wrong with it.
    Broken {
        problems: Vec<Problem>,
    },
}

pub struct Library {
    folder: PathBuf,
    shelf: Mutex<BTreeMap<String, (Stamp, Shelved)>>,
    /// Rules in use by tables, also those that are no longer on the shelf.
    pinned: Mutex<HashMap<Pin, Arc<Rules>>>,
}

/// Tells whether a file has changed.
type Stamp = (Option<SystemTime>, u64);

impl Library {
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        let library = Library { folder: folder.to_owned(), shelf: Mutex::default(), pinned: Mutex::default() };
        library.refresh()?;
        Ok(library)
    }

    /// Reads files that are new or have changed, and forgets those that are gone. Returns the ids it read.
    pub fn refresh(&self) -> std::io::Result<Vec<String>> {
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|ending| ending == "baize") && !id.is_empty() {
                let about = std::fs::metadata(&path)?;
                found.insert(id, (path, (about.modified().ok(), about.len())));
            }
        }
        let mut read = Vec::new();
        let mut shelf = self.shelf.lock().expect("no panic while shelving");
        shelf.retain(|id, _| found.contains_key(id));
        for (id, (path, stamp)) in found {
            if shelf.get(&id).is_none_or(|(old, _)| *old != stamp) {
                let source = std::fs::read_to_string(path)?;
                shelf.insert(id.clone(), (stamp, compile(&id, &source)));
                read.push(id);
            }
        }
        Ok(read)
    }

    pub fn all(&self) -> Vec<Shelved> {
        self.shelf.lock().expect("no panic while shelving").values().map(|(_, game)| game.clone()).collect()
    }

    pub fn get(&self, id: &str) -> Option<Shelved> {
        self.shelf.lock().expect("no panic while shelving").get(id).map(|(_, game)| game.clone())
    }

    /// Makes sure that a table pinned to these rules can always be loaded.
    pub async fn keep(&self, rules: &Arc<Rules>, store: &dyn Store) -> Result<(), StoreError> {
        if self.pinned.lock().expect("no panic while pinning").contains_key(&rules.pin) {
            return Ok(());
        }
        for (hash, body) in rules.blobs() {
            store.put_blob(hash, body).await?;
        }
        self.pin(rules);
        Ok(())
    }

    /// These rules are in use, and their blobs are kept.
    pub fn pin(&self, rules: &Arc<Rules>) {
        self.pinned.lock().expect("no panic while pinning").insert(rules.pin, rules.clone());
    }

    /// Rules that were compiled by a program of other semantics, compiled again from their source.
    pub async fn renewed(&self, id: &str, old: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        let Some(source) = store.blob(&old.source).await? else { return Ok(None) };
        match compile(id, &String::from_utf8_lossy(&source)) {
            Shelved::Playable(rules) => {
                self.keep(&rules, store).await?;
                Ok(Some(rules))
            }
            Shelved::Broken { .. } => Ok(None),
        }
    }

    /// The rules a table is pinned to.
    pub async fn pinned(&self, id: &str, pin: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        if let Some(rules) = self.pinned.lock().expect("no panic while pinning").get(&pin) {
            return Ok(Some(rules.clone()));
        }
        let Some(bytes) = store.blob(&pin.program).await? else { return Ok(None) };
        let Ok(program) = postcard::from_bytes::<Program>(&bytes) else { return Ok(None) };
        let Some(source) = store.blob(&pin.source).await? else { return Ok(None) };
        let source = String::from_utf8_lossy(&source).into_owned();
        let definition = Definition::of(id, &program);
        let rules = Arc::new(Rules { id: id.to_owned(), source, program: Arc::new(program), definition, pin });
        self.pin(&rules);
        Ok(Some(rules))
    }
}

fn compile(id: &str, source: &str) -> Shelved {
    let (program, diagnostics) = baize_rules::compile(source);
    match program {
        Some(program) => {
            let definition = Definition::of(id, &program);
            let pin = Pin {
                source: hash(&[source.as_bytes()]),
                program: hash(&[&program_bytes(&program)]),
                definition: hash(&[&definition_bytes(&definition)]),
                semantics: SEMANTICS,
            };
            let (id, source) = (id.to_owned(), source.to_owned());
            Shelved::Playable(Arc::new(Rules { id, source, program: Arc::new(program), definition, pin }))
        }
        None => {
            let problems = diagnostics.iter().filter(|d| d.is_error()).map(|d| problem(source, d)).collect();
            Shelved::Broken { problems }
        }
    }
}

fn problem(source: &str, diagnostic: &Diagnostic) -> Problem {
    let (line, column) = line_column(source, diagnostic.span.start as usize);
    Problem {
        at: format!("line {line}, column {column}"),
        message: diagnostic.title.clone(),
        hint: diagnostic.hint.clone().unwrap_or_default(),
    }
}

fn program_bytes(program: &Program) -> Vec<u8> {
    // Plain data into memory: there is nothing that could fail.
    postcard::to_stdvec(program).unwrap_or_default()
}

fn definition_bytes(definition: &Definition) -> Vec<u8> {
    serde_json::to_vec(definition).unwrap_or_default()
}

/// Where a blob is fetched from.
pub fn address(hash: &Hash) -> String {
    format!("/api/definitions/{}", hex(hash))
}
