//! Installs Debian packages of programs that the tests need and that neither Cargo nor npm provides.

use crate::process::run;
use std::path::Path;
use std::process::Command;

/// Makes sure that Postgres, Redis and Caddy are installed. The tests start their own servers and do not use any that the
/// packages start.
pub fn servers() -> Result<(), String> {
    let postgres = || on_path("initdb") || Path::new("/usr/lib/postgresql").exists();
    ensure(postgres, "postgresql", "install Postgres (on Debian: apt-get install postgresql)")?;
    let redis = || on_path("redis-server");
    ensure(redis, "redis-server", "install Redis (on Debian: apt-get install redis-server)")?;
    ensure(|| on_path("caddy"), "caddy", "install Caddy (on Debian: apt-get install caddy)")
}

/// Makes sure that the browsers are installed that the tests drive beside Chromium. WebKit needs a screen.
pub fn browsers() -> Result<(), String> {
    let firefox = || std::env::var_os("FIREFOX").is_some() || on_path("firefox-esr");
    ensure(firefox, "firefox-esr", "install Firefox (on Debian: apt-get install firefox-esr), or name it in FIREFOX")?;
    let webkit = || on_path("WebKitWebDriver");
    ensure(webkit, "webkit2gtk-driver", "install WebKit (on Debian: apt-get install webkit2gtk-driver)")?;
    ensure(|| on_path("Xvfb"), "xvfb", "install Xvfb (on Debian: apt-get install xvfb)")
}

/// Installs a package unless its program is there. If that is impossible, the error says how to get it.
pub fn ensure(there: impl Fn() -> bool, package: &str, how: &str) -> Result<(), String> {
    if there() {
        return Ok(());
    }
    if !Path::new("/usr/bin/apt-get").exists() || !is_root() {
        return Err(format!("the tests need a program that is not here: {how}"));
    }
    let apt = |args: &[&str]| run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"));
    apt(&["update", "--quiet"])?;
    apt(&["install", "--quiet", "--yes", "--no-install-recommends", package])?;
    match there() {
        true => Ok(()),
        false => Err(format!("{package} was installed, and still: {how}")),
    }
}

pub fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
