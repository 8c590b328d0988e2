//! Files made to hurt: each is refused with a clear word, and in little time. None of these is worth a file on disk.

use baize_packs::{Trust, limits, parse};

#[track_caller]
fn refused(source: &str, because: &str) {
    let errors = parse(source.as_bytes(), "Hostile", Trust::Player).unwrap_err();
    assert!(errors.to_string().contains(because), "{errors}");
}

#[test]
fn too_big_a_file() {
    refused(&" ".repeat(limits::FILE_BYTES + 1), "too big");
}

#[test]
fn too_many_cards() {
    let cards = |n: usize| format!("deck,text\n{}", "answer,x\n".repeat(n));
    assert!(parse(cards(limits::CARDS).as_bytes(), "Big", Trust::Player).is_ok());
    refused(&cards(limits::CARDS + 1), "too many cards");
    let list = vec!["\"x\""; limits::CARDS + 1].join(",");
    refused(&format!(r#"{{"cards": {{"answer": [{list}]}}}}"#), "too many cards");
    refused(&format!(r#"{{"white": [{list}]}}"#), "too many cards");
}

#[test]
fn one_card_named_a_million_times() {
    let text = "x".repeat(limits::TEXT_CHARS);
    let numbers = vec!["0"; 100_000].join(",");
    refused(
        &format!(r#"{{"white": ["{text}"], "packs": [{{"name": "Many", "white": [{numbers}]}}]}}"#),
        "too many cards",
    );
}

#[test]
fn too_many_packs() {
    let packs = vec![r#"{"white": ["x"]}"#; limits::PACKS + 1].join(",");
    refused(&format!("[{packs}]"), "too many packs");
    // Many packs and many cards that name theirs: the work must not be their product.
    let packs = vec![r#"{"name": "p"}"#; 40_000].join(",");
    let cards = vec![r#"{"text":"x","pack":"p"}"#; 20_000].join(",");
    refused(&format!(r#"{{"white": [{cards}], "packs": [{packs}]}}"#), "too many packs");
}

#[test]
fn too_many_values() {
    refused(&format!("[{}]", vec!["0"; limits::JSON_VALUES + 1].join(",")), "far more values");
}

#[test]
fn bottomless_nesting() {
    refused(&"[".repeat(1_000_000), "nested too deeply");
    refused(&r#"{"a":"#.repeat(300_000), "nested too deeply");
}

#[test]
fn a_sheet_of_one_row() {
    refused(&",deck".repeat(300_000), "columns");
}

#[test]
fn a_text_without_end() {
    refused(&format!("deck,text\nanswer,{}", "x".repeat(1_000_000)), "too long");
    refused(&format!("deck,text\nprompt,{}", "_ ".repeat(150)), "150 blanks");
    refused(&format!(r#"{{"{}": 1, "cards": {{}}}}"#, "k".repeat(1_000_000)), "A pack has no");
}
