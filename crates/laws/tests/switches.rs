//! Every check for leaks and every masking branch is needed: with it switched off a file that is kept here breaks a law.
//!
//! `tests/switches/` has one file for each, found by `cargo xtask fuzz mutations`; `survivors.txt` lists those for which there is none,
//! and says why. The places themselves are found in the source text, so that none can be left out.

use baize_laws::sites::{self, Site, Witness};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    files
}

fn checks() -> Vec<Site> {
    let folder = crates().join("rules/src/elaborate");
    let inside = |path: PathBuf| path.is_dir().then_some(path);
    let below: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().filter_map(|entry| inside(entry.unwrap().path())).collect();
    assert!(below.is_empty(), "the checks in {below:?} are not looked for");
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = rust_files(&folder);
    files.iter().flat_map(|path| sites::checks(&name(path), &std::fs::read_to_string(path).unwrap())).collect()
}

const MASKED: [&str; 3] = ["engine/src/sight", "engine/src/observe", "engine/src/present"];

/// The files of the engine that decide who sees what.
fn masked_files() -> Vec<PathBuf> {
    let inside = MASKED.iter().flat_map(|folder| rust_files(&crates().join(folder)));
    [crates().join("engine/src/sight.rs")].into_iter().chain(inside).collect()
}

fn masks() -> Vec<Site> {
    let source: String = masked_files().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    sites::masks(&source)
}

/// The explained ones: a key and the reason.
fn survivors() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(crates().join("laws/tests/switches/survivors.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).map(|(key, why)| (key.to_owned(), why.to_owned())).collect()
}

/// Of a hundred sites so many are noticed at least.
const SCORE: usize = 95;

#[test]
fn each_check_and_each_mask_is_noticed_when_it_is_off() {
    let survivors = survivors();
    let sites: Vec<Site> = checks().into_iter().chain(masks()).collect();
    assert!(sites.len() > 80, "{} sites are found", sites.len());
    let (mut noticed, mut wrong) = (0, Vec::new());
    for site in &sites {
        let path = crates().join(format!("laws/tests/switches/{}.baize", site.key));
        match (std::fs::read_to_string(&path), survivors.get(&site.key)) {
            (Ok(text), None) => {
                match Witness::read(&text).ok_or("can't be read".to_owned()).and_then(|w| site.is_shown_by(&w)) {
                    Ok(()) => noticed += 1,
                    Err(why) => wrong.push(format!("{}: {why}", site.key)),
                }
            }
            (Err(_), Some(_)) => {}
            (Ok(_), Some(_)) => wrong.push(format!("{} is among the survivors, and there is a file for it", site.key)),
            (Err(_), None) => wrong.push(format!("{} has no file: run `cargo xtask fuzz mutations`", site.key)),
        }
    }
    println!("{noticed} of {} sites are noticed ({:.1} %)", sites.len(), 100.0 * noticed as f64 / sites.len() as f64);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(noticed * 100 >= sites.len() * SCORE, "{noticed} of {} are too few", sites.len());
    let known = |key: &String| sites.iter().any(|site| site.key == *key);
    assert!(survivors.keys().all(known), "a survivor is explained that is no longer there");
}

/// A diagnostic about a leak is made where a switch can let it pass, and nowhere else.
#[test]
fn every_leak_diagnostic_has_a_switch() {
    let mut found = 0;
    for path in rust_files(&crates().join("rules/src/elaborate")) {
        let source = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = source.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("\"leak/")) {
            found += 1;
            let above = &lines[at.saturating_sub(3)..at];
            let asked = above.iter().any(|line| line.contains("switch::is_off()"));
            let function = lines[..at].iter().rev().find(|line| line.contains("fn ")).unwrap();
            let shared = ["refuse_hidden_fact", "refuse_hidden_from"].iter().any(|name| function.contains(name));
            assert!(asked || shared, "{}:{}: {line}", path.display(), at + 1);
        }
        // The two that make them are called by the functions that ask the switch.
        for (at, line) in lines.iter().enumerate() {
            if line.contains("self.refuse_hidden_fact(") || line.contains("self.refuse_hidden_from(") {
                assert!(lines[at - 1].contains("switch::is_off()"), "{}:{}: {line}", path.display(), at + 1);
            }
        }
    }
    assert!(found >= 3, "{found} diagnostics are found");
}

/// Words that stand where something depends on who looks.
const VIEWER_WORDS: [&str; 7] =
    ["Visibility::", "Viewer::", "face_down", "PlayerMemory::Secret", "made_up()", "prompt_public", "handles.retire("];

/// Lines of the engine in which who looks matters have a switch near by, or are listed with a reason.
#[test]
fn every_masking_branch_has_a_switch() {
    let listed = std::fs::read_to_string(crates().join("laws/tests/switches/no-masks.txt")).unwrap();
    let mut wrong = Vec::new();
    for path in masked_files() {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        let lines: Vec<&str> = source.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim();
            if code.starts_with("//")
                || code.starts_with("use ")
                || !VIEWER_WORDS.iter().any(|word| code.contains(word))
            {
                continue;
            }
            let near = &lines[at.saturating_sub(1)..(at + 3).min(lines.len())];
            let switched = near.iter().any(|line| line.contains("hides(\""));
            if !switched && !listed.lines().any(|known| known == format!("{name} | {code}")) {
                wrong.push(format!("{name} | {code}"));
            }
        }
    }
    assert!(wrong.is_empty(), "no switch, and not listed in no-masks.txt:\n{}", wrong.join("\n"));
}

/// Nothing that is shipped can have a switch: only this crate asks for the feature, and nothing that is shipped depends on it.
#[test]
fn no_switch_is_shipped() {
    for entry in std::fs::read_dir(crates()).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let Ok(manifest) = std::fs::read_to_string(&path) else { continue };
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or_default().trim_matches('"');
        let asks = manifest.lines().any(|line| line.contains("features = [") && line.contains("\"switches\""));
        assert_eq!(asks, name == "baize-laws", "{name} and the feature");
        let depends = manifest.lines().any(|line| line.starts_with("baize-laws"));
        assert!(!depends || name == "baize-fuzz", "{name} depends on the laws");
        let shipped = ["baize-cli", "baize-server", "baize"].contains(&name);
        assert!(!shipped || !manifest.contains("baize-fuzz"), "{name} depends on the fuzz targets");
    }
}
