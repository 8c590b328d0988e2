//! Embeds every file of `games/` and `packs/` into the binary, so that a new file there adds a game.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let root = root.canonicalize().expect("the workspace");
    let mut out = String::new();
    embed(&mut out, "GAMES", &root.join("games"), "baize");
    embed(&mut out, "PACKS", &root.join("packs"), "json");
    embed_web(&mut out, &root.join("web/dist"));
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("embedded.rs");
    fs::write(target, out).expect("a writable target folder");
}

fn embed(out: &mut String, name: &str, folder: &Path, extension: &str) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder of the workspace")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    writeln!(out, "pub const {name}: &[(&str, &str)] = &[").expect("writing to a string");
    for path in files {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(out, "    ({stem:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
    }
    writeln!(out, "];").expect("writing to a string");
}

/// Embeds the browser client if it has been built (`cargo xtask run` builds it first).
fn embed_web(out: &mut String, dist: &Path) {
    println!("cargo:rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(dist, &mut files);
    files.sort();
    writeln!(out, "pub const WEB: &[(&str, &[u8])] = &[").expect("writing to a string");
    for path in files {
        let name = path.strip_prefix(dist).expect("a file in it").to_string_lossy().replace('\\', "/");
        writeln!(out, "    ({name:?}, include_bytes!({:?})),", path.display().to_string())
            .expect("writing to a string");
    }
    writeln!(out, "];").expect("writing to a string");
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
