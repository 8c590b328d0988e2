//! Programs the tests need that Cargo and npm do not bring: installed from Debian's packages where that is possible.

use crate::process::run;
use std::path::Path;
use std::process::Command;

/// What many machines share and what stands before them. The tests start servers of their own: whether the packages start any is
/// no matter.
pub fn servers() -> Result<(), String> {
    let postgres = || on_path("initdb") || Path::new("/usr/lib/postgresql").exists();
    ensure(postgres, "postgresql", "install Postgres (on Debian: apt-get install postgresql)")?;
    let redis = || on_path("redis-server");
    ensure(redis, "redis-server", "install Redis (on Debian: apt-get install redis-server)")?;
    ensure(|| on_path("caddy"), "caddy", "install Caddy (on Debian: apt-get install caddy)")
}

/// Installs a package unless what it brings is there; where that cannot be done, the error says how to get it.
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
