//! Hostile files: the reader refuses each with a clear message and in little time. They are made here because they are large.

use baize_packs::{Trust, limits, parse, parse_stored, to_json};

#[track_caller]
fn assert_refused(source: &str, because: &str) {
    let errors = parse(source.as_bytes(), "Hostile", Trust::Player).unwrap_err();
    assert!(errors.to_string().contains(because), "{errors}");
}

#[test]
fn parse_refuses_too_big_a_file() {
    assert_refused(&" ".repeat(limits::FILE_BYTES + 1), "too big");
}

#[test]
fn parse_refuses_too_many_cards() {
    let cards = |n: usize| format!("deck,text\n{}", "answer,x\n".repeat(n));
    assert!(parse(cards(limits::CARDS).as_bytes(), "Big", Trust::Player).is_ok());
    assert_refused(&cards(limits::CARDS + 1), "too many cards");
    let list = vec!["\"x\""; limits::CARDS + 1].join(",");
    assert_refused(&format!(r#"{{"cards": {{"answer": [{list}]}}}}"#), "too many cards");
    assert_refused(&format!(r#"{{"white": [{list}]}}"#), "too many cards");
}

#[test]
fn parse_refuses_one_card_named_a_hundred_thousand_times() {
    let text = "x".repeat(limits::TEXT_CHARS);
    let numbers = vec!["0"; 100_000].join(",");
    assert_refused(
        &format!(r#"{{"white": ["{text}"], "packs": [{{"name": "Many", "white": [{numbers}]}}]}}"#),
        "too many cards",
    );
}

#[test]
fn parse_refuses_too_many_packs() {
    let packs = vec![r#"{"white": ["x"]}"#; limits::PACKS + 1].join(",");
    assert_refused(&format!("[{packs}]"), "too many packs");
    // Many packs, and many cards that name their pack: the work must not grow with the product of both.
    let packs = vec![r#"{"name": "p"}"#; 40_000].join(",");
    let cards = vec![r#"{"text":"x","pack":"p"}"#; 20_000].join(",");
    assert_refused(&format!(r#"{{"white": [{cards}], "packs": [{packs}]}}"#), "too many packs");
}

#[test]
fn parse_refuses_too_many_values() {
    assert_refused(&format!("[{}]", vec!["0"; limits::JSON_VALUES + 1].join(",")), "far more values");
}

#[test]
fn parse_refuses_deep_nesting() {
    assert_refused(&"[".repeat(1_000_000), "nested too deeply");
    assert_refused(&r#"{"a":"#.repeat(300_000), "nested too deeply");
}

#[test]
fn parse_refuses_too_many_columns() {
    assert_refused(&",deck".repeat(300_000), "columns");
}

#[test]
fn parse_refuses_very_long_texts() {
    assert_refused(&format!("deck,text\nanswer,{}", "x".repeat(1_000_000)), "too long");
    assert_refused(&format!("deck,text\nprompt,{}", "_ ".repeat(150)), "150 blanks");
    assert_refused(&format!(r#"{{"{}": 1, "cards": {{}}}}"#, "k".repeat(1_000_000)), "A pack has no");
}

/// Regression: the server stored a sheet just below the limit of a file in a form above the limit, and could not read it again.
#[test]
fn a_pack_at_the_limit_of_a_file_can_be_read_again() {
    let text = |n: usize, size: usize| format!("{n:05} {}", "x".repeat(size));
    let rows = |size| (0..limits::CARDS).map(|n| format!("answer,{}\n", text(n, size))).collect::<String>();
    let sheet = format!("deck,text\n{}", rows(90));
    let cards = |size| (0..limits::CARDS).map(|n| format!("\"{}\"", text(n, size))).collect::<Vec<_>>().join(",");
    let json = format!(r#"{{"name": "Mine", "cards": {{"answer": [{}]}}}}"#, cards(94));
    let compact = format!(r#"{{"name": "Mine", "white": [{}]}}"#, cards(94));
    // Many numbers on each card are many values, of which an uploaded file may have fewer.
    let numbers: Vec<String> = (0..limits::COLUMNS - 2).map(|n| format!("n{n}")).collect();
    let numbered = |n: usize| format!("answer,{n},{}\n", vec!["1"; numbers.len()].join(","));
    let wide = format!("deck,text,{}\n{}", numbers.join(","), (0..15_000).map(numbered).collect::<String>());
    for (form, source) in [("sheet", &sheet), ("json", &json), ("compact", &compact), ("wide sheet", &wide)] {
        assert!(source.len() <= limits::FILE_BYTES, "{form}: {}", source.len());
        let pack = parse(source.as_bytes(), "Mine", Trust::Player).unwrap().packs.remove(0);
        let stored = to_json(&pack);
        assert!(
            parse(stored.as_bytes(), "Mine", Trust::Player).is_err(),
            "{form}: {} is within the limit",
            stored.len()
        );
        let again = parse_stored(stored.as_bytes(), "Mine", Trust::Player).unwrap().packs;
        assert_eq!(again, [pack], "{form}");
    }
}

/// A small file may describe a pack that is many times as large.
#[test]
fn parse_refuses_packs_with_a_huge_canonical_form() {
    let numbers: Vec<String> = (0..20).map(|n| format!("a{n:02}{}", "n".repeat(37))).collect();
    let rows: String = (0..limits::CARDS).map(|n| format!("answer,{n}{}\n", ",1".repeat(20))).collect();
    assert_refused(&format!("deck,text,{}\n{rows}", numbers.join(",")), "written out");
    let long = "\u{1d49c}".repeat(limits::TEXT_CHARS);
    let names = vec!["0"; limits::CARDS].join(",");
    let compact = format!(r#"{{"white": ["{long}"], "packs": [{{"name": "a", "white": [{names}]}}]}}"#);
    assert_refused(&compact, "written out");
}
