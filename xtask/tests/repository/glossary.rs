//! The glossary and the public types use the same words, and one name means one thing.
//!
//! `glossary/common-words.txt` has words that every engineer knows; `glossary/homonyms.txt` has names of several public types, with
//! the reason why each is right.

use crate::sources::{Token, all_sources};
use crate::workspace::read;
use std::collections::{BTreeMap, BTreeSet};

const GLOSSARY: &str = "docs/glossary.md";
const COMMON: &str = "xtask/tests/repository/glossary/common-words.txt";
const HOMONYMS: &str = "xtask/tests/repository/glossary/homonyms.txt";
/// Sections of the glossary whose words must occur in the code.
const ABOUT_CODE: &str = "## In the code";

/// A type that is `pub` in the sources of a crate.
#[derive(Debug)]
struct Type {
    krate: String,
    name: String,
    file: String,
}

#[test]
fn every_word_of_a_public_type_is_known() {
    let glossary = words(&entries(None));
    let common = list(COMMON);
    let mut unknown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for found in types() {
        for word in camel_case(&found.name) {
            let forms = forms(&word);
            if forms.iter().any(|form| common.contains(form) || glossary.contains(form)) {
                continue;
            }
            unknown.entry(word).or_default().insert(format!("{}::{} ({})", found.krate, found.name, found.file));
        }
    }
    let lines: Vec<String> = unknown
        .iter()
        .map(|(word, types)| format!("  {word}: {}", types.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    assert!(
        lines.is_empty(),
        "these words of public types are not in {GLOSSARY}. Explain each there, or name the type in words that are; a word that every \
         engineer knows goes into {COMMON}.\n{}",
        lines.join("\n")
    );
    let both: Vec<&String> = common.iter().filter(|word| glossary_only(word, &entries(None))).collect();
    assert!(both.is_empty(), "the glossary explains these words: take them out of {COMMON}: {both:?}");
}

#[test]
fn every_word_of_the_glossary_about_code_occurs_in_the_code() {
    let mut code = BTreeSet::new();
    for sources in all_sources().values() {
        for source in sources {
            code.extend(source.module.iter().flat_map(|module| snake_case(module)));
            for word in source.tokens.iter().filter_map(Token::word) {
                code.extend(if word.starts_with(char::is_uppercase) { camel_case(word) } else { snake_case(word) });
            }
        }
    }
    let code: BTreeSet<String> = code.iter().flat_map(|word| forms(word)).collect();
    let missing: Vec<String> = entries(Some(ABOUT_CODE))
        .into_iter()
        .filter(|entry| !phrase(entry).iter().all(|word| forms(word).iter().any(|form| code.contains(form))))
        .collect();
    assert!(
        missing.is_empty(),
        "{GLOSSARY} explains these as words of the code, and no type, module, function or field has them: {missing:?}"
    );
}

#[test]
fn one_name_is_one_public_type() {
    let mut places: BTreeMap<String, Vec<Type>> = BTreeMap::new();
    for found in types() {
        places.entry(found.name.clone()).or_default().push(found);
    }
    places.retain(|_, types| types.len() > 1);
    let mut listed = BTreeMap::new();
    for line in read(HOMONYMS).lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, owners, reason] = parts[..] else {
            panic!("{HOMONYMS}: write `Name | crate crate | reason`, not {line}")
        };
        assert!(!reason.is_empty(), "{HOMONYMS}: {name} has no reason");
        listed.insert(name.to_owned(), owners.to_owned());
    }
    let mut faults = Vec::new();
    for (name, types) in &places {
        let mut owners: Vec<&str> = types.iter().map(|found| found.krate.as_str()).collect();
        owners.sort_unstable();
        let owners = owners.join(" ");
        if listed.get(name) != Some(&owners) {
            let files: Vec<String> = types.iter().map(|found| format!("{}/{}", found.krate, found.file)).collect();
            faults.push(format!("  {name} | {owners} | … ({})", files.join(", ")));
        }
    }
    assert!(
        faults.is_empty(),
        "several public types have one name. Rename those that mean something else; if they mean the same at different places, write \
         the line into {HOMONYMS} with the reason.\n{}",
        faults.join("\n")
    );
    let gone: Vec<&String> = listed.keys().filter(|name| !places.contains_key(*name)).collect();
    assert!(gone.is_empty(), "only one public type has each of these names: take them out of {HOMONYMS}: {gone:?}");
}

#[test]
fn every_entry_of_the_glossary_stands_there_once() {
    let mut seen = BTreeSet::new();
    let plain = entries(None).into_iter().map(|entry| entry.split(" (").next().unwrap_or_default().to_owned());
    let twice: Vec<String> = plain.filter(|entry| !seen.insert(entry.clone())).collect();
    assert!(twice.is_empty(), "{GLOSSARY} explains {twice:?} twice: one word, one meaning");
}

/// Types that are `pub` in the sources of all crates.
fn types() -> Vec<Type> {
    let mut found = Vec::new();
    for (krate, sources) in all_sources().iter().filter(|(name, _)| *name != "xtask") {
        for source in sources {
            for tokens in source.tokens.windows(3) {
                let [Token::Word(public), Token::Word(kind), Token::Word(name)] = tokens else { continue };
                if public == "pub" && ["struct", "enum", "trait", "type", "union"].contains(&kind.as_str()) {
                    let file = source.path.display().to_string();
                    found.push(Type { krate: krate.clone(), name: name.clone(), file });
                }
            }
        }
    }
    found
}

/// Words and phrases that the glossary explains, from the whole of it or from the sections that begin with this.
fn entries(sections: Option<&str>) -> Vec<String> {
    let text = read(GLOSSARY);
    let mut found = Vec::new();
    let mut inside = sections.is_none();
    for line in text.lines() {
        if let (true, Some(section)) = (line.starts_with("## "), sections) {
            inside = line.starts_with(section);
        }
        let Some(cell) = line.strip_prefix("| **").and_then(|line| line.split(" | ").next()).filter(|_| inside) else {
            continue;
        };
        let cell = cell.replace("**", "");
        found.extend(cell.split(',').map(|entry| entry.trim().to_lowercase()));
    }
    assert!(found.len() > 20, "the tables of {GLOSSARY} can't be read");
    found
}

fn phrase(entry: &str) -> Vec<String> {
    let plain = entry.split(" (").next().unwrap_or(entry);
    plain.split([' ', '-', '’', '\'']).map(str::to_owned).filter(|word| word.len() > 1).collect()
}

fn words(entries: &[String]) -> BTreeSet<String> {
    entries.iter().flat_map(|entry| phrase(entry)).flat_map(|word| forms(&word)).collect()
}

/// Whether a word is an entry by itself.
fn glossary_only(word: &str, entries: &[String]) -> bool {
    entries.iter().any(|entry| entry == word)
}

fn list(path: &str) -> BTreeSet<String> {
    let text = read(path);
    text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// A word, and what it may be the plural of.
fn forms(word: &str) -> Vec<String> {
    let mut found = vec![word.to_owned()];
    found.extend(word.strip_suffix("ies").map(|stem| format!("{stem}y")));
    found.extend(word.strip_suffix("es").map(str::to_owned));
    found.extend(word.strip_suffix('s').map(str::to_owned));
    found
}

/// `ZoneLayout` is `zone` and `layout`; `HTTPServer` is `http` and `server`.
fn camel_case(name: &str) -> Vec<String> {
    let signs: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (index, sign) in signs.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| signs[before]);
        let after = signs.get(index + 1);
        let begins = sign.is_uppercase()
            && (before.is_none_or(|before| !before.is_uppercase()) || after.is_some_and(|after| after.is_lowercase()));
        if begins || words.is_empty() {
            words.push(String::new());
        }
        words.last_mut().unwrap().extend(sign.to_lowercase());
    }
    words.retain(|word| word.len() > 1 && !word.chars().all(|sign| sign.is_ascii_digit()));
    words
}

fn snake_case(name: &str) -> Vec<String> {
    name.split('_').filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[test]
fn names_are_split_into_words() {
    assert_eq!(camel_case("ZoneLayout"), ["zone", "layout"]);
    assert_eq!(camel_case("HTTPServer"), ["http", "server"]);
    assert_eq!(camel_case("TwoWords2"), ["two", "words2"]);
    assert_eq!(forms("families"), ["families", "family", "famili", "familie"]);
    assert_eq!(phrase("sight (of a zone)"), ["sight"]);
}
