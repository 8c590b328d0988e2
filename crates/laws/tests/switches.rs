//! Shows that every check for leaks and every masking branch is needed: without it a file breaks a law.
//!
//! `tests/switches/` has one file for each of these sites. `cargo xtask fuzz mutations` finds them. `survivors.txt` lists the sites
//! that have no file, and says why. Each file names the seed from which the generator wrote it and how many files the search tried, or
//! says that a person wrote it. The test writes the file of that seed again, and counts the site only if this file breaks the law too.
//! The test finds the sites in the source text, so that none can be left out.

#[path = "../src/files.rs"]
mod files;

use baize_laws::sites::{Origin, Site, Witness};
use files::{all_sites, checked_files, crates, masked_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Returns the key of each site without a file, and the reason.
fn survivors() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(crates().join("laws/tests/switches/survivors.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).map(|(key, why)| (key.to_owned(), why.to_owned())).collect()
}

/// The generator must find a file for at least this share of the sites, in per cent, within `MOST_FILES` files for each.
const SCORE: usize = 95;

#[test]
fn each_check_and_each_mask_is_noticed_when_it_is_off() {
    let survivors = survivors();
    let sites: Vec<Site> = all_sites();
    assert!(sites.len() > 80, "{} sites are found", sites.len());
    let (mut noticed, mut generated) = (0, 0);
    let (mut wrong, mut lost) = (Vec::new(), Vec::new());
    for site in &sites {
        let path = crates().join(format!("laws/tests/switches/{}.baize", site.key));
        match (std::fs::read_to_string(&path), survivors.get(&site.key)) {
            (Ok(text), None) => {
                let Some(witness) = Witness::read(&text) else {
                    wrong.push(format!("{}: can't be read", site.key));
                    continue;
                };
                noticed += 1;
                let again = site.is_found_again(&witness);
                generated += usize::from(again);
                if !again && witness.origin != Origin::ByHand {
                    lost.push(site.key.clone());
                }
                if let Err(why) = site.is_shown_by(&witness) {
                    wrong.push(format!("{}: {why}", site.key));
                }
            }
            (Err(_), Some(_)) => {}
            (Ok(_), Some(_)) => wrong.push(format!("{} is among the survivors, and there is a file for it", site.key)),
            (Err(_), None) => wrong.push(format!("{} has no file: run `cargo xtask fuzz mutations`", site.key)),
        }
    }
    let share = |part: usize| 100.0 * part as f64 / sites.len() as f64;
    println!("{noticed} of {} sites are noticed ({:.1} %)", sites.len(), share(noticed));
    println!("{generated} of them by a generated file ({:.1} %)", share(generated));
    println!("seeds that lead to another file now, run `cargo xtask fuzz mutations`: {lost:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        generated * 100 >= sites.len() * SCORE,
        "{generated} generated files are too few for {} sites; not found again: {lost:?}",
        sites.len()
    );
    let known = |key: &String| sites.iter().any(|site| site.key == *key);
    assert!(survivors.keys().all(known), "a survivor is explained that is no longer there");
}

/// Every place that makes a diagnostic about a leak asks a switch first, so that a test can switch it off.
#[test]
fn every_leak_diagnostic_has_a_switch() {
    let mut found = 0;
    for path in checked_files() {
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
        // Two functions make diagnostics for others. Their callers ask the switch.
        for (at, line) in lines.iter().enumerate() {
            if line.contains("self.refuse_hidden_fact(") || line.contains("self.refuse_hidden_from(") {
                assert!(lines[at - 1].contains("switch::is_off()"), "{}:{}: {line}", path.display(), at + 1);
            }
        }
    }
    assert!(found >= 3, "{found} diagnostics are found");
}

/// Words in the source text of code that depends on the viewer.
const VIEWER_WORDS: [&str; 8] = [
    "Visibility::",
    "ViewerGroup::",
    "Viewer::",
    "face_down",
    "PlayerMemory::Secret",
    "made_up()",
    "prompt_public",
    "handles.retire(",
];

/// Crates whose sources are searched: those that a secret passes on its way to a client, and the compiler.
const SEARCHED: [&str; 6] = ["engine", "room", "narrator", "server", "protocol", "rules"];

/// The lines of a source text with their numbers from 0, without comments, imports and an inline module of tests at the end.
fn code_lines(source: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = source.lines().collect();
    let tests = |at: &usize| {
        lines[*at] == "#[cfg(test)]"
            && lines.get(at + 1).is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
    };
    let end = (0..lines.len()).find(tests).unwrap_or(lines.len());
    let lines = lines.into_iter().take(end).map(str::trim).enumerate();
    lines.filter(|(_, line)| !line.starts_with("//") && !line.starts_with("use ")).collect()
}

fn depends_on_viewer(code: &str) -> bool {
    VIEWER_WORDS.iter().any(|word| code.contains(word))
}

/// Every line of the engine that depends on the viewer has a switch next to it, or `no-masks.txt` lists it with a reason.
#[test]
fn every_masking_branch_has_a_switch() {
    let listed = std::fs::read_to_string(crates().join("laws/tests/switches/no-masks.txt")).unwrap();
    let listed: BTreeSet<&str> = listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let (mut wrong, mut found) = (Vec::new(), BTreeSet::new());
    for path in masked_files() {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let lines: Vec<&str> = source.lines().collect();
        for (at, code) in code_lines(&source).into_iter().filter(|(_, code)| depends_on_viewer(code)) {
            let near = &lines[at.saturating_sub(1)..(at + 3).min(lines.len())];
            let switched = near.iter().any(|line| line.contains("hides(\""));
            let line = format!("{name} | {code}");
            if !switched && !listed.contains(&line[..]) {
                wrong.push(line.clone());
            }
            found.insert(line);
        }
    }
    assert!(wrong.is_empty(), "no switch, and not listed in no-masks.txt:\n{}", wrong.join("\n"));
    let gone: Vec<_> = listed.into_iter().filter(|line| !found.contains(*line)).collect();
    assert!(gone.is_empty(), "no-masks.txt lists lines that are not there:\n{}", gone.join("\n"));
}

/// Collects the source files below a folder.
fn all_rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all_rust_files(&path, into),
            false if path.extension().is_some_and(|end| end == "rs") => into.push(path),
            false => {}
        }
    }
}

/// Every other file with a word about viewers, or with a code of a leak outside the checks, is in `other-files.txt` with these words and
/// a reason.
#[test]
fn every_file_without_switches_is_listed_with_its_words_and_a_reason() {
    let list = std::fs::read_to_string(crates().join("laws/tests/switches/other-files.txt")).unwrap();
    let mut listed: BTreeMap<&str, String> = BTreeMap::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [file, words, reason] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("three columns: {line}") };
        assert!(reason.starts_with("It ") && reason.ends_with('.'), "the reason is a sentence: {line}");
        let before = listed.insert(file, words.to_owned());
        assert_eq!(before, None, "{file} is listed twice");
    }
    let (masked, checked) = (masked_files(), checked_files());
    let mut files = Vec::new();
    SEARCHED.iter().for_each(|name| all_rust_files(&crates().join(name).join("src"), &mut files));
    assert!(files.len() > 300, "only {} files are searched", files.len());
    let mut wrong = Vec::new();
    for path in files.iter().filter(|path| !masked.contains(path)) {
        let source = std::fs::read_to_string(path).unwrap();
        let code = code_lines(&source);
        let leak = Some(&"\"leak/").filter(|_| !checked.contains(path));
        let has = |word: &&&str| code.iter().any(|(_, line)| line.contains(**word));
        let words: Vec<&str> = VIEWER_WORDS.iter().chain(leak).filter(has).copied().collect();
        let name = path.strip_prefix(crates()).unwrap().to_string_lossy().replace('\\', "/");
        match (words.join(" "), listed.remove(&name[..])) {
            (found, Some(known)) if found == known => {}
            (found, None) if found.is_empty() => {}
            (found, Some(known)) => wrong.push(format!("{name} is listed with {known:?} and has {found:?}")),
            (found, None) => wrong.push(format!("{name} is not listed and has {found:?}")),
        }
    }
    wrong.extend(listed.keys().map(|name| format!("{name} is listed and not there")));
    assert!(wrong.is_empty(), "read these files, and correct other-files.txt:\n{}", wrong.join("\n"));
}

/// No shipped program contains a switch: only this crate asks for the feature, and no shipped crate depends on this crate.
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
