//! Tests that `web/src/protocol/generated.ts` and `crates/protocol/schema/types.json` agree with the Rust types.
//!
//! `cargo xtask regenerate protocol` rewrites both files.

#[path = "typescript/generate.rs"]
mod generate;
#[path = "typescript/schema.rs"]
mod schema;

use baize_protocol::{ErrorCode, limits};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Files with the serialised types that a client may meet, in the order of the output.
const SOURCES: [&str; 16] = [
    "protocol/src/client.rs",
    "protocol/src/server.rs",
    "protocol/src/table.rs",
    "protocol/src/event.rs",
    "protocol/src/http.rs",
    "protocol/src/problem.rs",
    "engine/src/view.rs",
    "narrator/src/narrator.rs",
    "engine/src/definition.rs",
    "engine/src/definition/how_to_play.rs",
    "engine/src/definition/slots.rs",
    "engine/src/definition/phases.rs",
    "engine/src/definition/layout.rs",
    "engine/src/definition/faces.rs",
    "engine/src/definition/preview.rs",
    "protocol/src/compact.rs",
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn generated() -> String {
    let mut out = String::from(
        "// Generated from the Rust types of crates/protocol, crates/engine and crates/narrator. Do not edit:\n\
         //   cargo xtask regenerate protocol\n\n",
    );
    let _ = writeln!(out, "export const PROTOCOL_VERSION = {};\n", baize_protocol::VERSION);
    let _ = writeln!(out, "/** Bounds the server enforces. */\nexport const limits = {{");
    for (name, value) in [
        ("frameBytes", limits::FRAME_BYTES),
        ("nameChars", limits::NAME_CHARS),
        ("chatChars", limits::CHAT_CHARS),
        ("nonceChars", limits::NONCE_CHARS),
        ("secretChars", *limits::SECRET_CHARS.start()),
    ] {
        let _ = writeln!(out, "  {name}: {value},");
    }
    let reactions: Vec<_> = limits::REACTIONS.iter().map(|r| format!("{r:?}")).collect();
    let _ = writeln!(out, "  reactions: [{}],\n}} as const;\n", reactions.join(", "));
    let _ = writeln!(out, "/** Why something was refused. */\nexport type ErrorCode =");
    for code in ErrorCode::ALL {
        let _ = writeln!(out, "  | {:?}", code.as_str());
    }
    out.truncate(out.trim_end().len());
    out.push_str(";\n\n");
    for source in SOURCES {
        let text = std::fs::read_to_string(crates().join(source)).unwrap_or_else(|e| panic!("{source}: {e}"));
        let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{source}: {e}"));
        out.push_str(&generate::types(&file));
    }
    let compact = std::fs::read_to_string(crates().join("protocol/ts/compact.ts")).unwrap();
    out.push_str(&compact);
    out
}

fn schemas() -> String {
    let mut all = serde_json::Map::new();
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    all.insert("ErrorCode".into(), serde_json::json!({ "description": "Why something was refused.", "enum": codes }));
    let batch = "One step, spelled: seq, cause, then its events one after the other. See the compact form in the protocol's document.";
    all.insert("WireBatch".into(), serde_json::json!({ "description": batch, "type": "string" }));
    for source in SOURCES {
        let text = std::fs::read_to_string(crates().join(source)).unwrap_or_else(|e| panic!("{source}: {e}"));
        schema::schemas(&syn::parse_file(&text).unwrap_or_else(|e| panic!("{source}: {e}")), &mut all);
    }
    serde_json::to_string_pretty(&all).unwrap() + "\n"
}

/// TYPES-2: the schemas of the OpenAPI document agree with the Rust types.
#[test]
fn schemas_are_up_to_date() {
    check_or_write("crates/protocol/schema/types.json", schemas());
}

/// TYPES-1: the TypeScript types agree with the Rust types.
#[test]
fn typescript_types_are_up_to_date() {
    check_or_write("web/src/protocol/generated.ts", generated());
}

/// Rewrites a file if `BAIZE_REGENERATE` is set, else asserts that it is up to date.
fn check_or_write(file: &str, fresh: String) {
    let path = crates().join("..").join(file);
    if std::env::var_os("BAIZE_REGENERATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, fresh).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == fresh, "{file} is stale. Write it anew with\n  cargo xtask regenerate protocol");
}
