//! Installs, checks and builds the browser client with npm.

use crate::process::{root, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

pub fn folder() -> PathBuf {
    root().join("web")
}

pub fn npm(args: &[&str]) -> Command {
    let mut npm = Command::new("npm");
    npm.args(args).current_dir(folder());
    npm
}

/// Installs the locked versions of the packages. Does nothing if the installed packages are newer than the lock file.
pub fn install() -> Result<(), String> {
    let changed = |path: &str| modified(&folder().join(path));
    let fresh = changed("node_modules/.package-lock.json") > changed("package-lock.json");
    if fresh { Ok(()) } else { run(&mut npm(&["ci", "--no-audit", "--no-fund"])) }
}

/// Builds `web/dist`, which the program embeds.
pub fn build() -> Result<(), String> {
    install()?;
    run(&mut npm(&["run", "build"]))?;
    fs::write(folder().join(STAMP), "").map_err(|error| format!("{STAMP}: {error}"))
}

/// Builds `web/dist` if a source has changed. A needless build would make Cargo build the program again.
pub fn refresh() -> Result<(), String> {
    let built = modified(&folder().join(STAMP)).filter(|_| folder().join("dist/index.html").exists());
    if built.is_some() && built > newest(&folder(), &SKIPPED_FOLDERS) {
        eprintln!("The browser client is up to date.");
        return Ok(());
    }
    build()
}

/// Runs Biome, TypeScript and Vitest, unless they have passed since the last change of a file that they read.
pub fn check_if_changed() -> Result<(), String> {
    let checked = modified(&folder().join(CHECKED));
    let newest = checked_paths().iter().map(|path| modified(path).max(newest(path, &WRITTEN_FOLDERS))).max();
    if checked.is_some() && checked > newest.flatten() {
        eprintln!("The browser client has passed its checks since it last changed.");
        return Ok(());
    }
    check()
}

/// Runs Biome, TypeScript and Vitest.
pub fn check() -> Result<(), String> {
    install()?;
    // A file that changes while the checks run is newer than this time.
    let start = SystemTime::now();
    run(&mut npm(&["run", "check"]))?;
    let stamp = fs::File::create(folder().join(CHECKED)).and_then(|file| file.set_modified(start));
    stamp.map_err(|error| format!("{CHECKED}: {error}"))
}

/// `web`, and what its tests read outside of it.
fn checked_paths() -> Vec<PathBuf> {
    std::iter::once("web").chain(READ_BY_TESTS).map(|name| root().join(name)).collect()
}

/// The time of this file is that at which the last check that passed began. `npm ci` deletes it together with the packages.
const CHECKED: &str = "node_modules/.baize-checked";
/// Files and folders outside of `web` that tests of the client read.
const READ_BY_TESTS: [&str; 3] = ["docs/privacy.md", "editors", "games"];
/// Folders of `web` that no check reads.
const WRITTEN_FOLDERS: [&str; 4] = ["node_modules", "dist", "shots", ".vite"];

/// The time of this file is that of the last complete build. `npm ci` deletes it together with the packages.
const STAMP: &str = "node_modules/.baize-built";
/// Folders of `web` without sources of the client.
const SKIPPED_FOLDERS: [&str; 5] = ["node_modules", "dist", "e2e", "shots", ".vite"];

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// The time of the newest source outside of some folders. It includes folders, whose time changes when a file is added or removed.
fn newest(folder: &Path, skipped: &[&str]) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| {
        let name = entry.file_name();
        !skipped.iter().any(|skipped| name == *skipped)
    });
    let times = entries.map(|entry| {
        let path = entry.path();
        let inside = if path.is_dir() { newest(&path, skipped) } else { None };
        inside.max(modified(&path))
    });
    times.max().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn newest_looks_into_folders_and_skips_what_was_built() {
        let folder = std::env::temp_dir().join(format!("baize-xtask-{}", std::process::id()));
        let write = |path: &str, hour: u64| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(hour * 3600);
            fs::File::create(&path).unwrap().set_modified(time).unwrap();
            time
        };
        let future = 1_000_000;
        let source = write("src/table/Felt.tsx", future);
        write("dist/index.html", future + 1);
        write("node_modules/a/index.js", future + 2);
        let found = newest(&folder, &SKIPPED_FOLDERS);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(source));
    }

    /// If a path were missing, a change there would not run the tests that read it.
    #[test]
    fn every_path_that_tests_of_the_client_read_is_listed() {
        let mut open = vec![folder().join("src")];
        let mut found = std::collections::BTreeSet::new();
        while let Some(folder) = open.pop() {
            for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = path.to_string_lossy();
                if path.is_dir() {
                    open.push(path);
                } else if name.ends_with(".test.ts") || name.ends_with(".test.tsx") {
                    let text = fs::read_to_string(&path).unwrap();
                    let paths = text.split(['"', '`']).filter(|part| part.starts_with("../"));
                    // A path that leaves `web` leads to something in the folder of the workspace.
                    let outside = paths.map(|path| path.trim_start_matches("../")).filter(|path| !path.is_empty());
                    found.extend(outside.filter(|path| root().join(path).exists()).map(str::to_owned));
                }
            }
        }
        let is_listed = |path: &String| READ_BY_TESTS.iter().any(|listed| Path::new(path).starts_with(listed));
        let missing: Vec<&String> = found.iter().filter(|path| !is_listed(path)).collect();
        assert!(missing.is_empty(), "tests of the client read {missing:?}: add that to READ_BY_TESTS");
        for listed in READ_BY_TESTS {
            assert!(
                found.iter().any(|path| Path::new(path).starts_with(listed)),
                "no test of the client reads {listed}"
            );
        }
    }
}
