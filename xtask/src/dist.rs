//! `cargo xtask dist`: packs the released program into an archive, its debug information into another, and writes checksums.

use crate::command::{Command, Purpose};
use crate::process::{cargo, cargo_command, output, root, run as run_program, target};
use crate::{changelog::Version, debian, licences, web};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Program;

pub const COMMAND: Command = Command {
    name: "dist",
    purpose: Purpose::Publish,
    arguments: "",
    summary: "build the released program and pack it into an archive with checksums",
    details: &[
        "Builds the browser client and the program with fat link-time optimisation, splits off the debug",
        "information, and writes into target/dist: the archive of the program, the archive of its debug",
        "information, and SHA256SUMS. Fails if the program is above 25 MB.",
    ],
    run: |args| match args.first() {
        None => build().map(drop),
        Some(unknown) => Err(format!("`dist` takes no arguments: {unknown}")),
    },
};

/// Upper bound on the size of the released program.
const MAX_PROGRAM_BYTES: u64 = 25_000_000;

/// Files that the archive contains beside the program.
const ARCHIVED_FILES: [&str; 9] = [
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "deploy/baize.service",
    "deploy/baize.env",
    "deploy/Caddyfile",
    "docs/operating.md",
];

/// Builds the archives and returns their folder.
pub fn build() -> Result<PathBuf, String> {
    web::build()?;
    cargo(&["build", "--release", "--locked", "--package", "baize"])?;
    let name = format!("baize-{}-{}", version()?, host()?);
    let dist = target().join("dist");
    let folder = dist.join(&name);
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join("baize");
    let debug = dist.join(format!("{name}.debug"));
    split_debug_information(&target().join("release/baize"), &program, &debug)?;
    check_size(&program)?;
    run_program(Program::new(&program).arg("--version"))?;
    run_program(Program::new(&program).arg("check").args(rules_files()?))?;
    for file in ARCHIVED_FILES {
        let to = folder.join(Path::new(file).file_name().unwrap_or_default());
        fs::copy(root().join(file), &to).map_err(|error| format!("{file}: {error}"))?;
    }
    let texts = licences::of_program()?;
    fs::write(folder.join("THIRD-PARTY.txt"), texts).map_err(|error| format!("THIRD-PARTY.txt: {error}"))?;
    let archives = [archive(&dist, &name)?, archive(&dist, &format!("{name}.debug"))?];
    checksums(&dist, &archives)?;
    for archive in archives {
        let path = dist.join(archive);
        let bytes = fs::metadata(&path).map_or(0, |data| data.len());
        eprintln!("{:>6.1} MB  {}", bytes as f64 / 1e6, path.display());
    }
    Ok(dist)
}

/// The paths of all games of the repository.
fn rules_files() -> Result<Vec<PathBuf>, String> {
    let games = root().join("games");
    let entries = fs::read_dir(&games).map_err(|error| format!("{}: {error}", games.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "baize")).collect())
}

/// Splits the built program into one without symbols and a file with the debug information. A link in the program tells
/// debuggers the name of that file.
fn split_debug_information(built: &Path, program: &Path, debug: &Path) -> Result<(), String> {
    if !debian::on_path("objcopy") {
        return Err("objcopy is not here: install binutils (on Debian: apt-get install binutils)".into());
    }
    let objcopy = || Program::new("objcopy");
    run_program(objcopy().args(["--only-keep-debug", "--compress-debug-sections"]).arg(built).arg(debug))?;
    let link = format!("--add-gnu-debuglink={}", debug.display());
    run_program(objcopy().arg("--strip-all").arg(link).arg(built).arg(program))
}

fn check_size(program: &Path) -> Result<(), String> {
    let bytes = fs::metadata(program).map_err(|error| format!("{}: {error}", program.display()))?.len();
    eprintln!("the program has {:.1} MB of at most {:.1} MB", bytes as f64 / 1e6, MAX_PROGRAM_BYTES as f64 / 1e6);
    if bytes <= MAX_PROGRAM_BYTES { Ok(()) } else { Err("the program is too large".into()) }
}

fn archive(dist: &Path, name: &str) -> Result<String, String> {
    let archive = format!("{name}.tar.gz");
    run_program(Program::new("tar").current_dir(dist).args(["-czf", &archive, name]))?;
    Ok(archive)
}

fn checksums(dist: &Path, archives: &[String]) -> Result<(), String> {
    let mut command = if debian::on_path("sha256sum") { Program::new("sha256sum") } else { Program::new("shasum") };
    if command.get_program() == "shasum" {
        command.args(["-a", "256"]);
    }
    let sums = output(command.current_dir(dist).args(archives))?;
    eprintln!("{sums}");
    fs::write(dist.join("SHA256SUMS"), sums + "\n").map_err(|error| format!("SHA256SUMS: {error}"))
}

/// Reads the version of the workspace from the file, because a release changes it while this program runs.
pub fn version() -> Result<Version, String> {
    let text = fs::read_to_string(root().join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("version = \""));
    line.and_then(|rest| Version::read(rest.trim_end_matches('"'))).ok_or_else(|| "Cargo.toml has no version".into())
}

/// The target triple of the build, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String, String> {
    let said = output(&mut cargo_command(&["version", "--verbose"]))?;
    let line = said.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "cargo does not say what it builds for".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_archive_exist() {
        for file in ARCHIVED_FILES {
            assert!(root().join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn version_is_that_of_the_workspace() {
        assert_eq!(version().unwrap().to_string(), env!("CARGO_PKG_VERSION"));
    }
}
