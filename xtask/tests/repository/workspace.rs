//! Reads what Cargo knows about our crates.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// `cargo xtask regenerate` sets this variable; a test then writes its file instead of comparing it.
pub const REGENERATE: &str = "BAIZE_REGENERATE";

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One of our crates.
#[derive(Debug)]
pub struct Crate {
    pub folder: PathBuf,
    /// Our crates that it is built of, by the names of their folders.
    pub dependencies: BTreeSet<String>,
    /// Our crates that only its tests use.
    pub test_dependencies: BTreeSet<String>,
}

/// All crates of the workspace by the names of their folders.
pub fn crates() -> BTreeMap<String, Crate> {
    let metadata = metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| {
            let folder = Path::new(text(package, "manifest_path")).parent().unwrap().to_owned();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let (mut dependencies, mut test_dependencies) = (BTreeSet::new(), BTreeSet::new());
            for dependency in package["dependencies"].as_array().unwrap() {
                // Only our own crates have a path.
                if dependency["path"].is_string() {
                    let set = if dependency["kind"] == "dev" { &mut test_dependencies } else { &mut dependencies };
                    set.insert(text(dependency, "name").trim_start_matches("baize-").to_owned());
                }
            }
            (name, Crate { folder, dependencies, test_dependencies })
        })
        .collect()
}

/// The packages of which a crate is built on this machine, directly and indirectly, without those that only tests use.
pub struct Resolved {
    names: BTreeMap<String, String>,
    below: BTreeMap<String, Vec<String>>,
}

impl Resolved {
    pub fn read() -> Resolved {
        // Without a platform, Cargo asks for the sources of crates that only other systems need.
        let host = Command::new("rustc").arg("-vV").output().unwrap();
        let host = String::from_utf8(host.stdout).unwrap();
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let metadata = metadata(&["--filter-platform", host]);
        let packages = metadata["packages"].as_array().unwrap().iter();
        let names =
            packages.map(|package| (text(package, "id").to_owned(), text(package, "name").to_owned())).collect();
        let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
        let below = nodes.map(|node| {
            let uses = node["deps"].as_array().unwrap().iter().filter(|dependency| {
                dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null())
            });
            (text(node, "id").to_owned(), uses.map(|dependency| text(dependency, "pkg").to_owned()).collect())
        });
        Resolved { below: below.collect(), names }
    }

    /// Names of the packages below a crate of ours.
    pub fn below(&self, name: &str) -> BTreeSet<&str> {
        let package = format!("baize-{name}");
        let start = self.names.iter().find(|(_, found)| **found == package).unwrap().0;
        let (mut open, mut seen) = (vec![start], BTreeSet::new());
        while let Some(id) = open.pop() {
            open.extend(self.below[id].iter().filter(|id| seen.insert(*id)));
        }
        seen.into_iter().map(|id| self.names[id].as_str()).collect()
    }
}

fn metadata(arguments: &[&str]) -> Value {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(["metadata", "--offline", "--format-version", "1"]).args(arguments).current_dir(root());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("cargo metadata gives no {name}"))
}
