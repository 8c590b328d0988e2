//! The operator's rules files, compiled and kept by hash.
//!
//! The files are in a folder, or there is a single file.
//!
//! A table is pinned to the [`Rules`] it was made with. Their source and their compiled program are blobs of the store,
//! so that neither an edited file nor another compiler changes an existing table.

use baize_protocol::problem::{Excerpt, Problem};
use baize_room::rules::{CurrentFile, Pin, Rules};
use baize_rules::diagnostic::{Diagnostic, line_column};
use baize_rules::parse::decode;
use baize_store::{DefinitionRow, Store, StoreError, Unwritable};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// The result of compiling a rules file.
#[derive(Clone, Debug)]
pub enum Compiled {
    Playable(Arc<Rules>),
    /// The file has errors, so no table can use it.
    Broken {
        problems: Vec<Problem>,
    },
}

/// A rules file as it was last read.
#[derive(Clone, Debug)]
pub struct GameFile {
    pub path: PathBuf,
    pub source: String,
    pub game: Compiled,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    stamp: FileStamp,
}

impl GameFile {
    pub fn problems(&self) -> Vec<Problem> {
        self.diagnostics.iter().map(|diagnostic| problem(&self.source, diagnostic)).collect()
    }
}

pub struct Library {
    /// A folder, or a single file.
    path: PathBuf,
    files: Mutex<BTreeMap<String, Arc<GameFile>>>,
    /// Increased whenever a file is read again or is gone.
    generation: AtomicU64,
    /// Files that can't be read, with the reason, so that the log reports each only once.
    unreadable: Mutex<BTreeMap<PathBuf, String>>,
    /// Rules that tables use, also those that are no longer in the folder.
    pinned: Mutex<HashMap<Pin, Arc<Rules>>>,
}

/// Above this number, versions of rules that no table uses leave memory.
const MAX_UNUSED: usize = 256;

/// Modification time and length, to find out whether a file has changed.
type FileStamp = (Option<SystemTime>, u64);

impl Library {
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let library = Library {
            path: path.to_owned(),
            files: Mutex::default(),
            generation: AtomicU64::new(0),
            unreadable: Mutex::default(),
            pinned: Mutex::default(),
        };
        library.refresh()?;
        Ok(library)
    }

    /// Reads files that are new or have changed, and forgets those that are gone. Returns the ids of the files it read.
    /// In a folder, a file that can't be read is logged and skipped: the lock link of an editor, for example, must not
    /// stop all others.
    pub fn refresh(&self) -> std::io::Result<Vec<String>> {
        let mut unreadable = BTreeMap::new();
        let found = self.find_files(&mut unreadable)?;
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
                    Err(error) if path == self.path => return Err(error),
                    Err(error) => drop(unreadable.insert(path, error.to_string())),
                }
            }
        }
        if some_gone || !read.is_empty() {
            self.generation.fetch_add(1, Relaxed);
        }
        let mut reported = self.unreadable.lock().expect("no panic under this lock");
        for (path, why) in unreadable.iter().filter(|(path, why)| reported.get(*path) != Some(*why)) {
            tracing::warn!(file = %path.display(), %why, "a game file can't be read");
        }
        *reported = unreadable;
        Ok(read)
    }

    fn find_files(
        &self,
        unreadable: &mut BTreeMap<PathBuf, String>,
    ) -> std::io::Result<BTreeMap<String, (PathBuf, FileStamp)>> {
        let paths = if self.path.is_dir() {
            std::fs::read_dir(&self.path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?
        } else {
            vec![self.path.clone()]
        };
        let mut found = BTreeMap::new();
        for path in paths {
            let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let is_rules = path == self.path || path.extension().is_some_and(|ending| ending == "baize");
            if !is_rules || id.is_empty() {
                continue;
            }
            match std::fs::metadata(&path) {
                Ok(about) if about.is_dir() => drop(unreadable.insert(path, "it is a folder".into())),
                Ok(about) => drop(found.insert(id, (path, (about.modified().ok(), about.len())))),
                Err(error) if path == self.path => return Err(error),
                Err(error) => drop(unreadable.insert(path, error.to_string())),
            }
        }
        Ok(found)
    }

    /// Every file as it was last read.
    pub fn files(&self) -> Vec<Arc<GameFile>> {
        self.files.lock().expect("no panic under this lock").values().cloned().collect()
    }

    pub fn all(&self) -> Vec<Compiled> {
        self.files().iter().map(|read| read.game.clone()).collect()
    }

    pub fn read(&self, id: &str) -> Option<Arc<GameFile>> {
        self.files.lock().expect("no panic under this lock").get(id).cloned()
    }

    pub fn get(&self, id: &str) -> Option<Compiled> {
        self.read(id).map(|read| read.game.clone())
    }

    /// When this number changes, [`Library::current`] may have changed.
    pub fn generation(&self) -> u64 {
        self.generation.load(Relaxed)
    }

    /// A table's current rules file. Problems are only for designers who work on it.
    pub fn current(&self, id: &str, with_problems: bool) -> CurrentFile {
        let Some(read) = self.read(id) else { return CurrentFile::default() };
        let rules = match &read.game {
            Compiled::Playable(rules) => Some(rules.clone()),
            Compiled::Broken { .. } => None,
        };
        CurrentFile { rules, problems: if with_problems { read.problems() } else { Vec::new() } }
    }

    /// Stores these rules unless they are stored already, so that a table can be pinned to them.
    pub async fn store_once(&self, rules: &Arc<Rules>, store: &dyn Store) -> Result<(), StoreError> {
        let kept = self.pinned.lock().expect("no panic under this lock").contains_key(&rules.pin);
        if kept { Ok(()) } else { self.store(rules, store).await }
    }

    /// Stores these rules. They stay as long as a table is pinned to them.
    pub async fn store(&self, rules: &Arc<Rules>, store: &dyn Store) -> Result<(), StoreError> {
        for (hash, body) in rules.blobs()? {
            store.put_blob(hash, body).await?;
        }
        let (id, name) = (rules.id.clone(), rules.definition.name.clone());
        store.note_definition(DefinitionRow { id, name, hash: rules.pin.definition }).await?;
        self.pin(rules);
        Ok(())
    }

    /// Keeps rules in memory that a table uses and whose blobs are stored.
    pub fn pin(&self, rules: &Arc<Rules>) {
        let mut pinned = self.pinned.lock().expect("no panic under this lock");
        if pinned.len() >= MAX_UNUSED {
            // Rules that no room uses are read from the store when they are needed again.
            pinned.retain(|_, rules| Arc::strong_count(rules) > 1);
        }
        pinned.insert(rules.pin, rules.clone());
    }

    /// Compiles rules again from their source, because a program with other semantics compiled them.
    pub async fn recompile(&self, id: &str, old: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        let Some(source) = store.blob(&old.source).await? else { return Ok(None) };
        let Some(program) = baize_rules::compile(&String::from_utf8_lossy(&source)).0 else { return Ok(None) };
        let rules = Arc::new(Rules::new(id, &String::from_utf8_lossy(&source), program)?);
        self.store_once(&rules, store).await?;
        Ok(Some(rules))
    }

    /// The rules that a table is pinned to.
    pub async fn pinned(&self, id: &str, pin: Pin, store: &dyn Store) -> Result<Option<Arc<Rules>>, StoreError> {
        if let Some(rules) = self.pinned.lock().expect("no panic under this lock").get(&pin) {
            return Ok(Some(rules.clone()));
        }
        let Some(bytes) = store.blob(&pin.program).await? else { return Ok(None) };
        let Some(source) = store.blob(&pin.source).await? else { return Ok(None) };
        let rules = Rules::stored(id, pin, &source, &bytes);
        let rules = Arc::new(rules.map_err(|error| StoreError::Failed(format!("{id}: {error}")))?);
        self.pin(&rules);
        Ok(Some(rules))
    }
}

fn compile(id: &str, path: PathBuf, bytes: &[u8], stamp: FileStamp) -> GameFile {
    let (source, program, diagnostics) = match decode(bytes) {
        Ok(source) => {
            let (program, diagnostics) = baize_rules::compile(source);
            (source, program, diagnostics)
        }
        Err(problem) => ("", None, vec![problem]),
    };
    let game = match program.map(|program| Rules::new(id, source, program)) {
        Some(Ok(rules)) => Compiled::Playable(Arc::new(rules)),
        Some(Err(error)) => Compiled::Broken { problems: vec![encoding_problem(&error)] },
        None => {
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            Compiled::Broken { problems: errors.map(|error| problem(source, error)).collect() }
        }
    };
    GameFile { path, source: source.to_owned(), game, diagnostics, stamp }
}

fn problem(source: &str, diagnostic: &Diagnostic) -> Problem {
    let (line, column) = line_column(source, diagnostic.span.start as usize);
    let (end_line, end_column) = line_column(source, diagnostic.span.end as usize);
    let excerpt = source.lines().nth(line - 1).map(|text| {
        let length = text.chars().count();
        // A problem that spans several lines is underlined to the end of the first.
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

/// Rules that compile and can't be encoded can't be played.
fn encoding_problem(error: &Unwritable) -> Problem {
    let (message, hint) = (error.to_string(), "This is a fault of the program and not of the file.".to_owned());
    Problem { at: "line 1, column 1".into(), message, hint, excerpt: None, warning: false }
}
