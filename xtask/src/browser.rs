//! The browser client in a real browser: Debian's Chromium against the program itself.

use crate::{cargo, root, run, web};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every game from home to banner, and what the games' documents ask of the table: `web/e2e`.
pub fn test() -> Result<(), String> {
    let chromium = chromium()?;
    // Built after `web/dist`, so that what is tested is the program as it is shipped, with the client inside.
    cargo(&["build", "--quiet", "--package", "baize"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let program = target.join("debug/baize");
    run(web::npm(&["run", "e2e"]).env("CHROMIUM", chromium).env("BAIZE_BIN", program).env_remove("BAIZE_WEB"))
}

/// The browser the tests use; installed from Debian's packages when that is possible.
fn chromium() -> Result<PathBuf, String> {
    if let Some(given) = std::env::var_os("CHROMIUM") {
        return Ok(given.into());
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    let how = "install Chromium (on Debian: apt-get install chromium), or name one in CHROMIUM";
    if !Path::new("/usr/bin/apt-get").exists() || !is_root() {
        return Err(format!("the browser tests need a browser: {how}"));
    }
    let apt = |args: &[&str]| run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update", "--quiet"])?;
    apt(&["install", "--quiet", "--yes", "--no-install-recommends", "chromium"])?;
    installed().ok_or_else(|| format!("no browser after installing one: {how}"))
}

fn installed() -> Option<PathBuf> {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
