//! `baize admin backup` and `baize admin restore`: copies of the database that a server keeps in its data folder.

use baize_store::backup::{self, BackupError, Contents};
use std::path::Path;
use std::process::ExitCode;

pub fn make(data: &Path, file: &Path) -> Result<ExitCode, String> {
    let contents = backup::make(data, file).map_err(sentence)?;
    println!("{} has {}.", file.display(), describe(&contents));
    println!("SHA-256 {}, also in {}.sha256: keep both files.", contents.checksum, file.display());
    Ok(ExitCode::SUCCESS)
}

pub fn check(file: &Path) -> Result<ExitCode, String> {
    let contents = backup::check(file).map_err(sentence)?;
    println!("{} is whole: {}.", file.display(), describe(&contents));
    Ok(ExitCode::SUCCESS)
}

pub fn restore(file: &Path, data: &Path) -> Result<ExitCode, String> {
    let contents = backup::restore(file, data).map_err(sentence)?;
    println!("{} has {} now. Start the server.", data.display(), describe(&contents));
    Ok(ExitCode::SUCCESS)
}

fn sentence(error: BackupError) -> String {
    format!("{error}.")
}

fn describe(contents: &Contents) -> String {
    let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (tables, games) = (count(contents.tables, "table"), count(contents.games, "game"));
    format!("{tables} and {games} ({})", count(contents.bytes, "byte"))
}
