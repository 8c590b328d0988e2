//! Batches in the compact form. Servers write them; clients read them.

use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};
use baize_protocol::compact::{DecodedBatch, TextNumbers, WireBatch};
use serde_json::Value;
use std::sync::OnceLock;

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "batches",
    law: "A compact batch that is written and read back stays the same.",
    run,
    seeds,
    words: WORDS,
    longest: 4 * 1024,
    tests: 100_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Ok(text) = std::str::from_utf8(bytes) else { return Execution::refused("not text") };
    // Older versions wrote a batch as a JSON list.
    let value = match text.starts_with('[') {
        true => serde_json::from_str(text).unwrap_or(Value::Null),
        false => Value::String(text.to_owned()),
    };
    let Ok(wire) = serde_json::from_value::<WireBatch>(value) else { return Execution::refused("no JSON") };
    let mut kinds = None;
    for texts in text_lists() {
        let Some(read) = wire.read(texts) else { continue };
        let again = WireBatch::new(&read.batch, &read.narrations, &read.clocks, texts).expect("a batch can be written");
        assert_eq!(again.read(texts).as_ref(), Some(&read), "written as {again:?}");
        kinds = Some(kind(&read));
    }
    match kinds {
        Some(kinds) => Execution::accepted(kinds),
        None => Execution::refused("no batch"),
    }
}

fn kind(read: &DecodedBatch) -> (Vec<std::mem::Discriminant<baize_engine::view::Event>>, u32) {
    let mut events: Vec<_> = read.batch.events.iter().map(std::mem::discriminant).collect();
    events.dedup();
    events.truncate(3);
    (events, magnitude(read.batch.events.len()))
}

/// Returns the texts of the shared vectors, and an empty list.
fn text_lists() -> &'static [TextNumbers; 2] {
    static TEXTS: OnceLock<[TextNumbers; 2]> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let texts = serde_json::from_value(vectors()["texts"].clone()).expect("texts in the vectors");
        [TextNumbers::new(texts), TextNumbers::default()]
    })
}

/// Returns the vectors that the browser client's tests also read.
fn vectors() -> Value {
    let file = files::files_with_ending("web/src/protocol/vectors", "compact.json").swap_remove(0);
    serde_json::from_slice(&file).expect("the vectors are JSON")
}

fn seeds() -> Vec<Vec<u8>> {
    let vectors = vectors();
    let batches = vectors["batches"].as_array().expect("batches in the vectors");
    let whole: Vec<String> = batches.iter().filter_map(|batch| batch["wire"].as_str().map(str::to_owned)).collect();
    // The seeds have short batches of a few events each. A lower-case letter may begin an event, so the text is cut there.
    let long = whole.iter().max_by_key(|text| text.len()).cloned().unwrap_or_default();
    let starts: Vec<usize> = long.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let pieces = starts.windows(6).step_by(3).map(|cut| format!("7,2{}", &long[cut[0]..cut[5]]));
    let old = r#"[7,1,"v",0,0,3,1,2,null,"r",0,1,"d",0,1,6,"n",0,3,0,[17,37],"a",[2," plays ",[51],{"w":"<b>"}],2]"#;
    pieces.chain(whole.clone()).chain([old.to_owned()]).map(String::into_bytes).collect()
}

const WORDS: &[&str] = &[
    "m0,1,3",
    "n0,3,0[17,37]",
    "v0,0,3",
    "d0,1,6",
    "r0,1",
    "a99,0",
    "b1,0",
    "s<2,1>",
    "h1,2,3",
    "w3",
    "o",
    "P0",
    "L9[0-1]",
    "K11-1",
    "q0[]",
    "f[0,1]",
    "p",
    "l0",
    "z2",
    "c1",
    "t1",
    "[",
    "]",
    "<",
    ">",
    "{",
    "}",
    "`",
    "\\",
    "_",
    "~",
    "*3",
    "'",
    "\"",
    ",",
    "-1",
    "start",
    "*9000000",
    "[[[[",
    "null",
];
