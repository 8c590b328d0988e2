//! A room must run where there is no operating system: none of its dependencies, direct or indirect, does IO.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The packages of the lock file with their dependencies.
fn locked_packages() -> BTreeMap<String, BTreeSet<String>> {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let text = std::fs::read_to_string(lock).unwrap();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let quoted = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
        let name = package.lines().find(|line| line.starts_with("name = ")).map(quoted).unwrap();
        let dependencies = package.lines().filter(|line| line.starts_with(" \"")).map(quoted);
        let names = dependencies.map(|entry| entry.split(' ').next().unwrap_or_default().to_owned());
        found.entry(name).or_default().extend(names);
    }
    found
}

/// The `[dependencies]` of one of our crates. The lock file does not distinguish them from dev-dependencies.
fn manifest_dependencies(package: &str) -> BTreeSet<String> {
    let folder = package.strip_prefix("baize-").unwrap();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{folder}/Cargo.toml"));
    let text = std::fs::read_to_string(manifest).unwrap();
    let section = text.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
    lines.map(name).filter(|name| !name.is_empty() && !name.starts_with('#')).collect()
}

#[test]
fn no_dependency_of_a_room_does_io() {
    let locked = locked_packages();
    let (mut open, mut seen) = (vec!["baize-room".to_owned()], BTreeSet::new());
    while let Some(package) = open.pop() {
        let below = match package.starts_with("baize-") {
            true => manifest_dependencies(&package),
            false => locked.get(&package).cloned().unwrap_or_default(),
        };
        open.extend(below.into_iter().filter(|name| seen.insert(name.clone())));
    }
    assert!(seen.contains("baize-engine") && seen.contains("serde"), "{seen:?}");
    let ours: Vec<&String> = seen.iter().filter(|name| name.starts_with("baize-")).collect();
    let pure =
        ["baize-bots", "baize-engine", "baize-narrator", "baize-packs", "baize-protocol", "baize-rows", "baize-rules"];
    assert_eq!(ours, pure, "a room may depend on pure crates alone");
    for io in ["tokio", "mio", "rusqlite", "tokio-postgres", "redis", "hyper", "axum", "getrandom", "rustix", "rand"] {
        assert!(!seen.contains(io), "a room depends on {io}");
    }
}

/// A shell may have no sockets: the server alone puts messages into the frames of WebSockets.
#[test]
fn a_room_knows_no_web_sockets() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap().to_lowercase();
            assert!(!text.contains("websocket") && !text.contains("rfc 6455"), "{} knows WebSockets", path.display());
            files += 1;
        }
    }
    assert!(files > 20, "the sources of the room can't be read");
}
