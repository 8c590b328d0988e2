//! A value that can't be serialised never becomes an empty value, and a stored row that can't be read is never taken for
//! an empty one: no source ignores such an error.

use std::path::{Path, PathBuf};

/// Functions that make bytes or JSON of a value.
const WRITES: [&str; 9] = [
    "serde_json::to_vec",
    "serde_json::to_string",
    "serde_json::to_value",
    "serde_json::to_writer",
    "postcard::to_",
    "to_extend(",
    "to_stdvec(",
    "to_allocvec(",
    ".save()",
];
/// Functions that ignore an error.
const DROPS: [&str; 6] = [
    ".unwrap_or_default()",
    ".ok()",
    ".unwrap_or(Vec::new())",
    ".unwrap_or(vec![])",
    ".unwrap_or_else(|_|",
    ".flatten()",
];

/// Functions that read stored rows, messages and embedded texts.
const READS: [&str; 6] = [
    "serde_json::from_slice",
    "serde_json::from_str",
    "serde_json::from_value",
    "postcard::from_bytes",
    "store.blob(",
    "store.snapshot(",
];

/// Functions that give out what a writer has written.
const FINISHES: [&str; 2] = ["into_inner(", "from_utf8("];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Statements that serialise a value and ignore the error, each with its first line.
fn dropped(text: &str) -> Vec<(usize, String)> {
    ignored(text, &WRITES, &DROPS)
}

/// Statements that read a value or finish writing one, and take an empty one for one that is damaged or missing.
fn emptied(text: &str) -> Vec<(usize, String)> {
    ignored(text, &[READS.as_slice(), &FINISHES].concat(), &DROPS[..1])
}

/// What an `else` may do with an error of a read: tell the operator's log, or refuse the bytes to whoever sent them.
const TELLS: [&str; 3] = ["tracing::", "Err(Rejection", "Execution::refused("];

/// `let Ok(…) = READ else { … }` and `let Some(…) = READ.ok() else { … }` whose `else` takes a damaged value for a missing one, each
/// with its line.
fn swallowed(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("let Ok(").chain(text.match_indices("let Some(")) {
        let rest = &text[at..];
        let Some((head, block)) = rest.split_once(" else {").filter(|(head, _)| !head.contains([';', '{', '}'])) else {
            continue;
        };
        let reads = READS.iter().any(|call| head.contains(call));
        let drops = head.starts_with("let Ok(") || head.trim_end().ends_with(".ok()");
        let mut depth = 1;
        let end = block.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        let block = &block[..end.unwrap_or(block.len())];
        if reads && drops && !TELLS.iter().any(|tell| block.contains(tell)) {
            found.push((text[..at].lines().count(), head.split_whitespace().collect()));
        }
    }
    found
}

fn ignored(text: &str, calls: &[&str], drops: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for call in calls {
        for (at, _) in text.match_indices(call) {
            let rest = &text[at..];
            // The statement ends at a semicolon or at a brace of a match arm or a block.
            let end = rest.find([';', '{', '}']).unwrap_or(rest.len());
            let statement = rest[..end].split_whitespace().collect::<String>();
            let drop = drops.iter().any(|drop| statement.contains(&drop.split_whitespace().collect::<String>()));
            if drop {
                found.push((text[..at].lines().count(), statement));
            }
        }
    }
    found
}

#[test]
fn no_serialisation_error_is_ignored() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("crates")).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() {
            sources(&source, &mut files);
        }
    }
    sources(&root.join("xtask/src"), &mut files);
    assert!(files.len() > 150, "the sources were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for found in [dropped(&text), emptied(&text), swallowed(&text)] {
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

#[test]
fn the_search_finds_ignored_errors() {
    for wrong in [
        "let a = serde_json::to_vec(&b).unwrap_or_default();",
        "let a = serde_json::to_string(&b)\n    .ok();",
        "postcard::to_stdvec(program).unwrap_or_default()\n}",
        "bytes.extend(postcard::to_extend(self, vec![V]).unwrap_or(Vec::new()));",
        "let saved = live.save().unwrap_or_else(|_| Vec::new());",
    ] {
        assert!(!dropped(wrong).is_empty(), "{wrong}");
    }
    for wrong in [
        "let info: Value = serde_json::from_slice(&row.info).unwrap_or_default();",
        "let source = store.blob(&hash).await?.unwrap_or_default();",
        "let schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();",
        "let bytes = writer.into_inner().unwrap_or_default();",
        "String::from_utf8(bytes).unwrap_or_default()\n}",
    ] {
        assert!(!emptied(wrong).is_empty(), "{wrong}");
    }
    for wrong in [
        "let Ok(record) = serde_json::from_slice::<TableRecord>(&row.record) else { return Ok(None) };",
        "let Ok(row) = postcard::from_bytes(&row.input) else {\n    if a { b }\n    continue;\n};",
        "let Some(a) = serde_json::from_str::<A>(text).ok() else { return Vec::new() };",
    ] {
        assert!(!swallowed(wrong).is_empty(), "{wrong}");
    }
    for right in [
        "let Ok(order) = serde_json::from_slice(&row.body) else {\n    tracing::warn!(\"damaged\");\n    return;\n};",
        "let Some(row) = store.blob(&hash).await? else { return Ok(None) };",
        "let Ok(a) = first(b)?; let c = serde_json::from_str(c)?; let Some(d) = c else { return };",
        "if let Ok(a) = serde_json::from_str(b) { a } else { tell() }",
    ] {
        assert!(swallowed(right).is_empty(), "{right}");
    }
    for right in ["let a = serde_json::to_vec(&b)?;", "let a = serde_json::from_str(b).ok();"] {
        assert!(dropped(right).is_empty(), "{right}");
    }
}
