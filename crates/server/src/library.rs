//! The rules files of the operator, compiled, and kept by hash.
//!
//! They are in a folder, or there is a single file.
//!
//! A table is pinned to the [`Rules`] it was made with. Their source and their compiled program are blobs of the store, so
//! that neither an edited file nor another compiler changes a table that exists.

use baize_protocol::http::{Excerpt, Problem};
use baize_room::rules::{CurrentFile, Pin, Rules};
use baize_rules::diagnostic::{Diagnostic, line_column};
use baize_rules::parse::decode;
use baize_store::{DefinitionRow, Store, StoreError, Unwritable};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// What came of compiling a rules file.
#[derive(Clone, Debug)]
pub enum Compiled {
    Playable(Arc<Rules>),
    /// With what is wrong with it.
    Broken {
        problems: Vec<Problem>,
    },
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct Read {
    pub path: PathBuf,
    pub source: String,
    pub game: Compiled,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    stamp: Stamp,
}

impl Read {
    pub fn problems(&self) -> Vec<Problem> {
        self.diagnostics.iter().map(|diagnostic| problem(&self.source, diagnostic)).collect()
    }
}

pub struct Library {
    /// A folder, or a single file.
    place: PathBuf,
    files: Mutex<BTreeMap<String, Arc<Read>>>,
    /// Raised whenever a file was read again or is gone.
    generation: AtomicU64,
    /// What could not be read and why, so that the log is told once and not at every look.
    left_out: Mutex<BTreeMap<PathBuf, String>>,
    /// Rules in use by tables, also those that are no longer in the folder.
    pinned: Mutex<HashMap<Pin, Arc<Rules>>>,
}

/// Versions of rules that stay in memory although nobody uses them.
const MOST_UNUSED: usize = 256;

/// Tells whether a file has changed.
type Stamp = (Option<SystemTime>, u64);

impl Library {
    pub fn open(place: &Path) -> std::io::Result<Self> {
        let library = Library {
            place: place.to_owned(),
            files: Mutex::default(),
            generation: AtomicU64::new(0),
            left_out: Mutex::default(),
            pinned: Mutex::default(),
        };
        library.refresh()?;
        Ok(library)
    }

    /// Reads files that are new or have changed, and forgets those that are gone. Returns the ids it read. In a folder, what
    /// can't be read is told in the log and left out: the link an editor locks a file with must not stop all others.
    pub fn refresh(&self) -> std::io::Result<Vec<String>> {
        let mut left_out = BTreeMap::new();
        let found = self.files(&mut left_out)?;
        let mut read = Vec::new();
        let mut files = self.files.lock().expect("no panic under this lock");
        let before = files.len();
        files.retain(|id, _| found.contains_key(id));
        let some_gone = files.len() < before;
        for (id, (path, stamp)) in found {
            if files.get(&id).is_none_or(|old| old.stamp != stamp) {
                match std::fs::read(&path) {
                    Ok(bytes) => {
                        files.insert(id.clone(), Arc::new(compile(&id, path, &bytes, stamp)));
                        read.push(id);
                    }
                    Err(error) if path == self.place => return Err(error),
                    Err(error) => drop(left_out.insert(path, error.to_string())),
                }
            }
        }
        if some_gone || !read.is_empty() {
            self.generation.fetch_add(1, Relaxed);
        }
        let mut told = self.left_out.lock().expect("no panic under this lock");
        for (path, why) in left_out.iter().filter(|(path, why)| told.get(*path) != Some(*why)) {
            tracing::warn!(file = %path.display(), %why, "a game file can't be read");
        }
        *told = left_out;
        Ok(read)
    }

    fn files(&self, left_out: &mut BTreeMap<PathBuf, String>) -> std::io::Result<BTreeMap<String, (PathBuf, Stamp)>> {
        let paths = if self.place.is_dir() {
            std::fs::read_dir(&self.place)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?
        } else {
            vec![self.place.clone()]
        };
        let mut found = BTreeMap::new();
        for path in paths {
            let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let is_rules = path == self.place || path.extension().is_some_and(|ending| ending == "baize");
            if !is_rules || id.is_empty() {
                continue;
            }
            match std::fs::metadata(&path) {
                Ok(about) if about.is_dir() => drop(left_out.insert(path, "it is a folder".into())),
                Ok(about) => drop(found.insert(id, (path, (about.modified().ok(), about.len())))),
                Err(error) if path == self.place => return Err(error),
                Err(error) => drop(left_out.insert(path, error.to_string())),
            }
        }
        Ok(found)
    }

    /// Every file, as it was read last.
    pub fn files_read(&self) -> Vec<Arc<Read>> {
        self.files.lock().expect("no panic under this lock").values().cloned().collect()
    }

    pub fn all(&self) -> Vec<Compiled> {
        self.files_read().iter().map(|read| read.game.clone()).collect()
    }

    pub fn read(&self, id: &str) -> Option<Arc<Read>> {
        self.files.lock().expect("no panic under this lock").get(id).cloned()
    }

    pub fn get(&self, id: &str) -> Option<Compiled> {
        self.read(id).map(|read| read.game.clone())
    }

    /// Another number than before: ask for [`Library::current`] again.
    pub fn generation(&self) -> u64 {
        self.generation.load(Relaxed)
    }

    /// What a table is told of its game's file. Problems are for designers who work on it.
    pub fn current(&self, id: &str, with_problems: bool) -> CurrentFile {
        let Some(read) = self.read(id) else { return CurrentFile::default() };
        let rules = match &read.game {
            Compiled::Playable(rules) => Some(rules.clone()),
            Compiled::Broken { .. } => None,
        };
        CurrentFile { rules, problems: if with_problems { read.problems() } else { Vec::new() } }
    }

    /// Makes sure that a table can be pinned to these rules.
    pub async fn keep(&self, rules: &Arc<Rules>, store: &dyn Store) -> Result<(), StoreError> {
        let kept = self.pinned.lock().expect("no panic under this lock").contains_key(&rules.pin);
        if kept { Ok(()) } else { self.put(rules, store).await }
    }

    /// Keeps these rules, as long as a table is pinned to them.
    pub async fn put(&self, rules: &Arc<Rules>, store: &dyn Store) -> Result<(), StoreError> {
        for (hash, body) in rules.blobs()? {
            store.put_blob(hash, body).await?;
        }
        let (id, name) = (rules.id.clone(), rules.definition.name.clone());
        store.note_definition(DefinitionRow { id, name, hash: rules.pin.definition }).await?;
        self.pin(rules);
        Ok(())
    }

    /// These rules are in use, and their blobs are kept.
    pub fn pin(&self, rules: &Arc<Rules>) {
        let mut pinned = self.pinned.lock().expect("no panic under this lock");
        if pinned.len() >= MOST_UNUSED {
            // What no room uses is read from the store when it is needed.
            pinned.retain(|_, rules| Arc::strong_count(rules) > 1);
        }
        pinned.insert(rules.pin, rules.clone());
    }

    /// Rules that were compiled by a program of other semantics, compiled again from their source.
    pub async fn renewed(&self, id: &str, old: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        let Some(source) = store.blob(&old.source).await? else { return Ok(None) };
        let Some(program) = baize_rules::compile(&String::from_utf8_lossy(&source)).0 else { return Ok(None) };
        let rules = Arc::new(Rules::new(id, &String::from_utf8_lossy(&source), program)?);
        self.keep(&rules, store).await?;
        Ok(Some(rules))
    }

    /// The rules a table is pinned to.
    pub async fn pinned(&self, id: &str, pin: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        if let Some(rules) = self.pinned.lock().expect("no panic under this lock").get(&pin) {
            return Ok(Some(rules.clone()));
        }
        let Some(bytes) = store.blob(&pin.program).await? else { return Ok(None) };
        let Some(source) = store.blob(&pin.source).await? else { return Ok(None) };
        let Some(rules) = Rules::stored(id, pin, &source, &bytes).map(Arc::new) else { return Ok(None) };
        self.pin(&rules);
        Ok(Some(rules))
    }
}

fn compile(id: &str, path: PathBuf, bytes: &[u8], stamp: Stamp) -> Read {
    let (source, program, diagnostics) = match decode(bytes) {
        Ok(source) => {
            let (program, diagnostics) = baize_rules::compile(source);
            (source, program, diagnostics)
        }
        Err(problem) => ("", None, vec![problem]),
    };
    let game = match program.map(|program| Rules::new(id, source, program)) {
        Some(Ok(rules)) => Compiled::Playable(Arc::new(rules)),
        Some(Err(error)) => Compiled::Broken { problems: vec![unwritable(&error)] },
        None => {
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            Compiled::Broken { problems: errors.map(|error| problem(source, error)).collect() }
        }
    };
    Read { path, source: source.to_owned(), game, diagnostics, stamp }
}

fn problem(source: &str, diagnostic: &Diagnostic) -> Problem {
    let (line, column) = line_column(source, diagnostic.span.start as usize);
    let (end_line, end_column) = line_column(source, diagnostic.span.end as usize);
    let excerpt = source.lines().nth(line - 1).map(|text| {
        let length = text.chars().count();
        // What goes on over several lines is underlined to the end of the first.
        let to = if end_line == line { end_column - 1 } else { length };
        let from = (column - 1).min(length);
        let (from, to) = (from as u32, to.clamp(from, length) as u32);
        Excerpt { line: text.to_owned(), from, to, label: diagnostic.label.clone() }
    });
    Problem {
        at: format!("line {line}, column {column}"),
        message: diagnostic.title.clone(),
        hint: diagnostic.hint.clone().unwrap_or_default(),
        excerpt,
        warning: !diagnostic.is_error(),
    }
}

/// Rules that can be compiled and not be kept can't be played.
fn unwritable(error: &Unwritable) -> Problem {
    let (message, hint) = (error.to_string(), "This is a fault of the program and not of the file.".to_owned());
    Problem { at: "line 1, column 1".into(), message, hint, excerpt: None, warning: false }
}
