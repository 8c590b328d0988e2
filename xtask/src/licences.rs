//! Collects the licence texts of all crates in the program, which must accompany every copy of it. The browser client
//! contains the texts of its own packages and font (`web/scripts/licences.mjs`).

use crate::process::{cargo_command, output};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One text for all crates. A licence text that several crates share appears once.
pub fn of_program() -> Result<String, String> {
    // Only normal dependencies are linked into the program; build and test dependencies are not.
    let words =
        ["tree", "--locked", "--package", "baize", "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"];
    let tree = output(&mut cargo_command(&words))?;
    let crates: BTreeSet<Crate> = tree.lines().filter_map(Crate::read).collect();
    let sources = registries();
    let mut texts: BTreeMap<String, Vec<&Crate>> = BTreeMap::new();
    for one in &crates {
        for text in one.texts(&sources) {
            texts.entry(text).or_default().push(one);
        }
    }
    let mut out = String::from("The program contains these crates:\n\n");
    for one in &crates {
        out += &format!("  {} {} ({})\n", one.name, one.version, one.licence);
    }
    for (text, of) in texts {
        let names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
        out += &format!("\n{}\nThe following is of: {}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim());
    }
    Ok(out)
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Crate {
    name: String,
    version: String,
    licence: String,
}

impl Crate {
    /// Reads `NAME vVERSION|LICENCE`. Skips crates of this workspace, which have a folder after the version.
    fn read(line: &str) -> Option<Self> {
        let (package, licence) = line.split_once('|')?;
        let (name, rest) = package.split_once(" v")?;
        let (version, more) = rest.split_once(' ').unwrap_or((rest, ""));
        // A crate with `(proc-macro)` runs in the compiler and is not part of the program.
        more.is_empty().then(|| Self {
            name: name.into(),
            version: version.into(),
            licence: licence.trim_end_matches(" (*)").into(),
        })
    }

    fn texts(&self, sources: &[PathBuf]) -> Vec<String> {
        let folder = format!("{}-{}", self.name, self.version);
        let folder = sources.iter().map(|source| source.join(&folder)).find(|folder| folder.is_dir());
        let files = folder.map(|folder| fs::read_dir(folder).into_iter().flatten().flatten()).into_iter().flatten();
        let mut files: Vec<PathBuf> = files.map(|file| file.path()).filter(|path| is_licence(path)).collect();
        files.sort();
        files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
    }
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    path.is_file() && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"].iter().any(|word| name.starts_with(word))
}

/// The folders in which Cargo keeps the sources of crates.
fn registries() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let folders = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    folders.map(|folder| folder.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_others_are_read() {
        let read = Crate::read("tokio v1.54.1|MIT (*)").unwrap();
        assert_eq!((&*read.name, &*read.version, &*read.licence), ("tokio", "1.54.1", "MIT"));
        assert_eq!(Crate::read("baize-rules v0.1.0 (/w/crates/rules)|MIT OR Apache-2.0"), None);
        assert_eq!(Crate::read("serde_derive v1.0.0 (proc-macro)|MIT OR Apache-2.0"), None);
    }
}
