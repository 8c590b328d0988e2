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
    if built.is_some() && built > newest(&folder()) {
        eprintln!("The browser client is up to date.");
        return Ok(());
    }
    build()
}

/// The time of this file is that of the last complete build. `npm ci` deletes it together with the packages.
const STAMP: &str = "node_modules/.baize-built";
/// Folders of `web` without sources of the client.
const SKIPPED_FOLDERS: [&str; 5] = ["node_modules", "dist", "e2e", "shots", ".vite"];

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// The time of the newest source. It includes folders, whose time changes when a file is added or removed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| {
        let name = entry.file_name();
        !SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped)
    });
    let times = entries.map(|entry| {
        let path = entry.path();
        let inside = if path.is_dir() { newest(&path) } else { None };
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
        let found = newest(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(source));
    }
}
