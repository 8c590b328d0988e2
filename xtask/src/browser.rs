//! The browser client in a real browser: Debian's Chromium against the program itself.

use crate::{cargo, debian, root, run, web};
use std::path::PathBuf;

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
    let how = "install Chromium (on Debian: apt-get install chromium), or name one in CHROMIUM";
    debian::ensure(|| installed().is_some(), "chromium", how)?;
    installed().ok_or_else(|| how.into())
}

fn installed() -> Option<PathBuf> {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}
