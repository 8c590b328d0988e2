//! Laws about every pack, and about every input of bytes.

#![allow(clippy::disallowed_methods)] // Tests read files; the crate does not.

use std::fs;
use std::path::Path;

use baize_packs::{Imported, PROMPT, Pack, Trust, blanks, fill, limits, merge, parse, to_csv, to_json};

fn case_files() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Checks the laws of a pack, whatever its source.
fn check_pack(pack: &Pack) {
    let json = to_json(pack);
    let again = parse(json.as_bytes(), "x", Trust::Operator).unwrap();
    assert_eq!(again.packs, std::slice::from_ref(pack), "canonical JSON reads back as the same pack");
    assert_eq!(to_json(&again.packs[0]), json, "and is written the same way");

    let sheet = parse(to_csv(pack).as_bytes(), &pack.name, Trust::Operator).unwrap();
    assert_eq!(sheet.packs[0].decks, pack.decks, "a sheet reads back as the same cards");
    assert_eq!(sheet.packs[0].name, pack.name);

    assert!(!pack.is_empty() && pack.len() <= limits::CARDS);
    for (deck, cards) in &pack.decks {
        for card in cards {
            assert!((1..=limits::TEXT_CHARS).contains(&card.text.chars().count()));
            assert!(!card.text.chars().any(char::is_control));
            assert!(card.pick().is_some() || deck != PROMPT);
            if let Some(pick) = card.pick() {
                assert!((1..=3).contains(&pick) && blanks(&card.text) <= pick);
                assert!(!fill(&card.text, &vec!["x"; pick]).contains('_'));
            }
        }
    }
    let merged = merge([pack, pack]);
    assert!(merged.dropped >= pack.len());
    assert_eq!(merge([&merged.pack]).dropped, 0, "merging once is enough");
}

fn check_bytes(bytes: &[u8]) -> bool {
    match parse(bytes, "Some file", Trust::Player) {
        Ok(Imported { packs, .. }) => {
            assert!(!packs.is_empty());
            for pack in &packs {
                assert!(!pack.official, "a player's file is never official");
                check_pack(pack);
            }
            true
        }
        Err(errors) => {
            assert!((1..=limits::PROBLEMS).contains(&errors.listed.len()));
            for error in &errors.listed {
                assert!(error.message.ends_with('.') && !error.hint.is_empty(), "{error}");
                assert!(!error.message.contains('\n') && error.message.chars().count() < 300, "{error}");
                assert!(!error.to_string().chars().any(|c| c.is_control() && c != '\n'), "{error:?}");
            }
            false
        }
    }
}

#[test]
fn every_good_case_survives_the_round_trip() {
    let good = case_files().iter().filter(|bytes| check_bytes(bytes)).count();
    assert!(good >= 8, "only {good} cases are good packs");
}

#[test]
fn an_operator_may_mark_a_pack_official() {
    let source = br#"{ "official": true, "cards": { "answer": ["Tea"] } }"#;
    assert!(parse(source, "Mine", Trust::Operator).unwrap().packs[0].official);
    let imported = parse(source, "Mine", Trust::Player).unwrap();
    assert!(!imported.packs[0].official);
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn a_nameless_pack_is_called_after_its_file() {
    let named = |name| parse(b"deck,text\nanswer,Tea", name, Trust::Player).unwrap().packs.remove(0).name;
    assert_eq!(named(" My  cards "), "My cards");
    for hopeless in ["", "\u{0}", &"x".repeat(81)] {
        assert_eq!(named(hopeless), "Untitled pack");
    }
}

/// A pseudo-random generator that gives the same numbers on every machine.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

#[test]
fn parse_does_not_panic_on_random_bytes() {
    const WORDS: [&str; 28] = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        ";",
        "\n",
        "\r\n",
        "\t",
        "_",
        "deck",
        "text",
        "pick",
        "cards",
        "white",
        "black",
        "packs",
        "prompt",
        "answer",
        "\"text\":",
        "1",
        "-9223372036854775808",
        "null",
        "é",
        "\u{202E}",
        "\\u0000",
    ];
    for seed in 1..3000u64 {
        let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let raw: Vec<u8> = (0..noise.below(200)).map(|_| noise.below(256) as u8).collect();
        let words: String = (0..noise.below(60)).map(|_| WORDS[noise.below(WORDS.len())]).collect();
        let sheet = format!("deck,text,pick\n{words}");
        for bytes in [&raw[..], words.as_bytes(), sheet.as_bytes()] {
            let outcome = std::panic::catch_unwind(|| check_bytes(bytes));
            assert!(outcome.is_ok(), "seed {seed}: {:?}", String::from_utf8_lossy(bytes));
        }
    }
}

#[test]
fn parse_does_not_panic_on_damaged_files() {
    let files = case_files();
    for seed in 1..4000u64 {
        let mut noise = Noise(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut bytes = files[noise.below(files.len())].clone();
        for _ in 0..=noise.below(4) {
            let at = noise.below(bytes.len() + 1);
            match noise.below(4) {
                0 => bytes.truncate(at),
                1 if at < bytes.len() => bytes[at] = noise.below(256) as u8,
                2 if at < bytes.len() => drop(bytes.remove(at)),
                _ => {
                    let from = noise.below(bytes.len() + 1).min(at);
                    let copy = bytes[from..at].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
        }
        let outcome = std::panic::catch_unwind(|| check_bytes(&bytes));
        assert!(outcome.is_ok(), "seed {seed}: {:?}", String::from_utf8_lossy(&bytes));
    }
}
