//! Finds the Chromium that tests the browser client and takes its pictures.

use crate::debian;
use std::path::PathBuf;

/// The browser that `CHROMIUM` names, or else the installed one. As root on Debian, installs it if it is missing.
pub fn find() -> Result<PathBuf, String> {
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
