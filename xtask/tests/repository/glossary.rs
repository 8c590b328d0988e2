//! The glossary uses the words of the types that other files can use, in Rust and in TypeScript, and one name means one thing.
//!
//! `glossary/common-words.txt` has words that every engineer knows; `glossary/homonyms.txt` has names of several public types of the
//! crates and of the client, with the reason why each is right.

use crate::sources::{Token, all_sources};
use crate::workspace::{read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const GLOSSARY: &str = "docs/glossary.md";
const COMMON: &str = "xtask/tests/repository/glossary/common-words.txt";
const HOMONYMS: &str = "xtask/tests/repository/glossary/homonyms.txt";
/// The generated types of the client have the names of the Rust types.
const GENERATED: &str = "generated.ts";
/// The section of the glossary with the names of the databases' tables.
const DATABASES: &str = "## In the databases";
/// The sources that make these tables.
const SCHEMAS: [&str; 2] = ["crates/store/src/sqlite/schema.rs", "crates/store/src/postgres/schema.rs"];
/// Sections of the glossary whose words must occur in the code.
const ABOUT_CODE: &str = "## In the code";

/// A type that other files can use.
#[derive(Debug)]
struct Type {
    krate: String,
    name: String,
    file: String,
    /// Whether the type is `pub` in a crate, and not `pub(crate)`, or exported by a module of the client.
    public: bool,
}

#[test]
fn every_word_of_a_type_is_known() {
    let glossary = words(&entries(None));
    let common = list(COMMON);
    let mut unknown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for found in types().into_iter().chain(exported_types()) {
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
        "these words of types are not in {GLOSSARY}. Explain each there, or name the type in words that are; a word that every \
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
fn one_name_is_one_public_type_in_rust_and_typescript() {
    let mut places: BTreeMap<String, Vec<Type>> = BTreeMap::new();
    let rust = types().into_iter().filter(|found| found.public);
    for found in rust.chain(exported_types()) {
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
        "several public types, of crates or of the client (web), have one name. Rename those that mean something else; if they mean \
         the same at different places, write the line into {HOMONYMS} with the reason.\n{}",
        faults.join("\n")
    );
    let gone: Vec<&String> = listed.keys().filter(|name| !places.contains_key(*name)).collect();
    assert!(gone.is_empty(), "only one public type has each of these names: take them out of {HOMONYMS}: {gone:?}");
}

#[test]
fn one_name_is_one_type_within_a_crate() {
    let listed: BTreeSet<String> = read(HOMONYMS)
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('|')?.0.trim().to_owned()))
        .collect();
    let mut faults = Vec::new();
    for (krate, sources) in all_sources() {
        let mut places: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for source in sources {
            let mut depth = 0_usize;
            for (at, token) in source.tokens.iter().enumerate() {
                match token {
                    Token::Open(_) => depth += 1,
                    Token::Close(_) => depth -= 1,
                    // A type inside a function or a trait concerns nobody else.
                    Token::Word(kind) if depth == 0 && ["struct", "enum", "trait", "union"].contains(&&**kind) => {
                        let Some(name) = source.tokens.get(at + 1).and_then(Token::word) else { continue };
                        places.entry(name).or_default().insert(source.path.display().to_string());
                    }
                    _ => {}
                }
            }
        }
        places.retain(|name, files| files.len() > 1 && !listed.contains(*name));
        faults.extend(places.iter().map(|(name, files)| format!("  {krate}::{name} ({files:?})")));
    }
    assert!(
        faults.is_empty(),
        "several types of one crate, private ones included, have one name. Rename one, or give the reason in {HOMONYMS}:\n{}",
        faults.join("\n")
    );
}

#[test]
fn every_entry_of_the_glossary_stands_there_once() {
    let mut seen = BTreeSet::new();
    let plain = entries(None).into_iter().map(|entry| entry.split(" (").next().unwrap_or_default().to_owned());
    let twice: Vec<String> = plain.filter(|entry| !seen.insert(entry.clone())).collect();
    assert!(twice.is_empty(), "{GLOSSARY} explains {twice:?} twice: one word, one meaning");
}

/// Types that are `pub`, `pub(crate)` or `pub(super)` in the sources of all crates.
fn types() -> Vec<Type> {
    let mut found = Vec::new();
    for (krate, sources) in all_sources() {
        for source in sources {
            let file = source.path.display().to_string();
            for (at, token) in source.tokens.iter().enumerate() {
                if token.word() != Some("pub") {
                    continue;
                }
                let restricted = matches!(source.tokens.get(at + 1), Some(Token::Open('(')));
                let end = source.tokens[at..].iter().position(|token| matches!(token, Token::Close(')')));
                let after = if restricted { at + end.unwrap_or(0) + 1 } else { at + 1 };
                let [Token::Word(kind), Token::Word(name), ..] = &source.tokens[after..] else { continue };
                if ["struct", "enum", "trait", "type", "union"].contains(&kind.as_str()) {
                    found.push(Type {
                        krate: krate.clone(),
                        name: name.clone(),
                        file: file.clone(),
                        public: !restricted,
                    });
                }
            }
        }
    }
    assert!(found.iter().any(|found| found.public) && found.iter().any(|found| !found.public), "no types were found");
    found
}

/// Types that the modules of the client export.
fn exported_types() -> Vec<Type> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("web/src")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "ts" || end == "tsx") && !path.ends_with(GENERATED) {
                found.extend(exports(&std::fs::read_to_string(&path).unwrap(), path.strip_prefix(root()).unwrap()));
            }
        }
    }
    assert!(found.len() > 20, "the types of the client can't be read");
    found
}

fn exports(text: &str, path: &Path) -> Vec<Type> {
    let kinds = ["interface ", "type ", "class ", "enum "];
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix("export ")?;
        let name = kinds.iter().find_map(|kind| line.trim_start_matches("abstract ").strip_prefix(kind))?;
        name.split(|c: char| !c.is_alphanumeric()).next().filter(|name| !name.is_empty())
    });
    let file = path.display().to_string();
    names.map(|name| Type { krate: "web".into(), name: name.into(), file: file.clone(), public: true }).collect()
}

#[test]
fn every_table_of_a_database_is_in_the_glossary() {
    let text = read(GLOSSARY);
    let section = text.split(DATABASES).nth(1).unwrap_or_else(|| panic!("{GLOSSARY} has no {DATABASES}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let listed: BTreeSet<&str> =
        rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2)).collect();
    let mut made = BTreeSet::new();
    for schema in SCHEMAS {
        let sql = read(schema);
        for part in sql.split("TABLE ").skip(1).map(|part| part.trim_start_matches("IF NOT EXISTS ")) {
            let name = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            // A migration makes `packs_4` and then renames it to `packs`.
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            made.insert(name.to_owned());
        }
    }
    assert!(made.len() > 10, "the tables of the schemas can't be read: {made:?}");
    let missing: Vec<&String> = made.iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{GLOSSARY}, {DATABASES}: say what these tables are called in the code: {missing:?}");
}

/// The words and phrases that the glossary explains, in all sections or in those whose headings begin with `sections`.
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

/// A word, and the words of which it may be the plural.
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
fn exported_types_of_a_module_are_found() {
    let text = "export interface Wishes {\nexport type Fit<T> = T;\nexport abstract class Stream {\nexport const none = 1;\ntype Own = 1;\n";
    let names: Vec<String> = exports(text, Path::new("a.ts")).into_iter().map(|found| found.name).collect();
    assert_eq!(names, ["Wishes", "Fit", "Stream"]);
}

#[test]
fn names_are_split_into_words() {
    assert_eq!(camel_case("ZoneLayout"), ["zone", "layout"]);
    assert_eq!(camel_case("HTTPServer"), ["http", "server"]);
    assert_eq!(camel_case("TwoWords2"), ["two", "words2"]);
    assert_eq!(forms("families"), ["families", "family", "famili", "familie"]);
    assert_eq!(phrase("sight (of a zone)"), ["sight"]);
}
