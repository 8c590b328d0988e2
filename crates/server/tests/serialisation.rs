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
const DROPS: [&str; 11] = [
    ".unwrap_or_default()",
    ".ok()",
    ".unwrap_or(Vec::new())",
    ".unwrap_or(vec![])",
    ".unwrap_or_else(|_|",
    ".flatten()",
    ".map_or(",
    ".map_or_else(|_|",
    ".is_ok_and(",
    ".is_ok()",
    ".is_err()",
];
/// Functions that take an empty value for one that is damaged or missing.
const EMPTIES: [&str; 4] = [".unwrap_or_default()", ".map_or(", ".is_ok_and(", ".is_ok()"];

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
    let mut found = ignored(text, &[READS.as_slice(), &FINISHES].concat(), &EMPTIES);
    // Postcard is the form of stored rows; JSON may also come from strangers.
    found.extend(ignored(text, &["postcard::from_bytes"], &[".ok()?"]));
    found
}

/// `let _ = CALL` and `drop(CALL)`, and `if let Ok(…) = CALL { … }` without an `else`, each with its line.
fn discarded(text: &str, calls: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for call in calls {
        for (at, _) in text.match_indices(call) {
            let head = &text[text[..at].rfind([';', '{', '}']).map_or(0, |end| end + 1)..at];
            let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
            let dropped = head.contains("let _ =") || head.ends_with("drop(");
            let branches = ["if let Ok(", "while let Ok(", "&& let Ok("].iter().any(|branch| head.contains(branch));
            if dropped || branches && !has_else(&text[at..]) {
                found.push((text[..at].lines().count(), head));
            }
        }
    }
    found
}

/// Whether an `else` follows the first block of this text.
fn has_else(text: &str) -> bool {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == '}' && depth == 0
    });
    end.is_some_and(|end| text[end + 1..].trim_start().starts_with("else"))
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
            let end = chain_length(rest);
            let statement = rest[..end].split_whitespace().collect::<String>();
            let drop = drops.iter().any(|drop| statement.contains(&drop.split_whitespace().collect::<String>()));
            if drop {
                found.push((text[..at].lines().count(), statement));
            }
        }
    }
    found
}

/// The length of the chain of calls with which a text begins. It ends at a semicolon, at a brace of a match arm or a block, at a comma
/// outside of its parentheses, or where the parentheses around it end.
fn chain_length(text: &str) -> usize {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        matches!(c, ';' | '{' | '}') || depth < 0 || c == ',' && depth == 0
    });
    end.unwrap_or(text.len())
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
        // Fuzz targets read whatever comes; most of it is damaged.
        let reads = if file.starts_with(root.join("crates/fuzz")) { Vec::new() } else { discarded(&text, &READS) };
        for found in [dropped(&text), emptied(&text), swallowed(&text), discarded(&text, &WRITES), reads] {
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
        "let size = serde_json::to_vec(&a).map_or(usize::MAX, |json| json.len());",
        "if serde_json::to_string(&a).is_ok_and(|text| text.len() < 9) { b() }",
        "assert!(postcard::to_stdvec(&a).is_ok());",
    ] {
        assert!(!dropped(wrong).is_empty(), "{wrong}");
    }
    for wrong in [
        "let info: Value = serde_json::from_slice(&row.info).unwrap_or_default();",
        "let source = store.blob(&hash).await?.unwrap_or_default();",
        "let schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();",
        "let bytes = writer.into_inner().unwrap_or_default();",
        "String::from_utf8(bytes).unwrap_or_default()\n}",
        "let program = postcard::from_bytes::<Program>(program).ok()?;",
        "let n = serde_json::from_slice::<Vec<u8>>(row).map_or(0, |list| list.len());",
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
    let [calls, read] = [WRITES.as_slice(), READS.as_slice()];
    for (calls, wrong) in [
        (calls, "if let Ok(json) = serde_json::to_vec(&a) {\n    send(json);\n}\nnext();"),
        (calls, "if b && let Ok(json) = serde_json::to_vec(&a) { send(json) }"),
        (calls, "let _ = serde_json::to_writer(&mut bytes, &a);"),
        (calls, "drop(postcard::to_extend(&a, bytes));"),
        (read, "if let Ok(record) = serde_json::from_slice::<Record>(&row) { use(record) }"),
    ] {
        assert!(!discarded(wrong, calls).is_empty(), "{wrong}");
    }
    for (calls, right) in [
        (calls, "if let Ok(json) = serde_json::to_vec(&a) { if b { c } } else { tracing::error!(\"\") }"),
        (calls, "let _ = first(); let json = serde_json::to_vec(&a)?;"),
        (read, "match serde_json::from_str(b) { Ok(a) => a, Err(error) => tell(error) }"),
    ] {
        assert!(discarded(right, calls).is_empty(), "{right}");
    }
    let right = "Sizes { record: serde_json::to_vec(record).unwrap().len(), game: play.map_or(0, |play| play.len()) }";
    assert!(dropped(right).is_empty(), "the error of another value");
}
