//! Packs that players upload: canonical JSON, compact JSON, CSV. Anybody may upload one.

use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};
use baize_packs::{PROMPT, Pack, Trust, blanks, fill, limits, merge, parse, to_csv, to_json};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "packs",
    law: "The bytes give packs within the limits that stay the same when they are written and read back, or a short list of problems.",
    run,
    seeds,
    words: WORDS,
    longest: 16 * 1024,
    tests: 60_000,
};

fn run(bytes: &[u8]) -> Execution {
    match parse(bytes, "Some file", Trust::Player) {
        Ok(imported) => {
            assert!(!imported.packs.is_empty());
            imported.packs.iter().for_each(check);
            let cards: usize = imported.packs.iter().map(Pack::len).sum();
            Execution::accepted((imported.packs.len().min(4), magnitude(cards), imported.notes.len().min(4)))
        }
        Err(errors) => {
            assert!((1..=limits::PROBLEMS).contains(&errors.listed.len()));
            for error in &errors.listed {
                assert!(error.message.ends_with('.') && !error.hint.is_empty(), "{error}");
                assert!(!error.message.contains('\n') && error.message.chars().count() < 300, "{error}");
                assert!(!error.to_string().chars().any(|c| c.is_control() && c != '\n'), "{error:?}");
            }
            // Without its quotations, a message tells the kind of problem.
            let kind = |message: &str| message.split(['“', '”']).step_by(2).collect::<String>();
            let first = errors.listed.first().map(|error| kind(&error.message));
            Execution::refused((first, magnitude(errors.listed.len())))
        }
    }
}

fn check(pack: &Pack) {
    assert!(!pack.official, "a player's file is never official");
    assert!(!pack.is_empty() && pack.len() <= limits::CARDS);
    let json = to_json(pack);
    let again =
        parse(json.as_bytes(), "x", Trust::Operator).unwrap_or_else(|e| panic!("canonical JSON is refused: {e}"));
    assert_eq!(again.packs, std::slice::from_ref(pack), "canonical JSON reads back as another pack");
    assert_eq!(to_json(&again.packs[0]), json, "canonical JSON is written differently");
    let sheet = parse(to_csv(pack).as_bytes(), &pack.name, Trust::Operator);
    let sheet = sheet.unwrap_or_else(|e| panic!("a sheet of ours is refused: {e}"));
    assert_eq!(sheet.packs[0].decks, pack.decks, "a sheet reads back as other cards");
    for (deck, cards) in &pack.decks {
        for card in cards {
            assert!((1..=limits::TEXT_CHARS).contains(&card.text.chars().count()));
            assert!(!card.text.chars().any(char::is_control));
            assert!(card.pick().is_some() || deck != PROMPT);
            if let Some(pick) = card.pick() {
                assert!((1..=limits::PICK as usize).contains(&pick) && blanks(&card.text) <= pick);
                assert!(!fill(&card.text, &vec!["x"; pick]).contains('_'));
            }
        }
    }
    let merged = merge([pack, pack]);
    assert!(merged.dropped >= pack.len() && merge([&merged.pack]).dropped == 0, "merging once is not enough");
}

fn seeds() -> Vec<Vec<u8>> {
    let house = files::files_with_ending("packs", ".json").into_iter().filter(|bytes| bytes.len() <= TARGET.longest);
    house.chain(files::files_with_ending("crates/packs/tests/cases", "")).collect()
}

const WORDS: &[&str] = &[
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
    "____",
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
    "\\ud800",
    "\"official\": true",
    "\"name\":",
    "\"id\":",
    "\"description\":",
    "deck,text,pick\n",
    "\u{feff}",
    "\"props\":",
    "\"numbers\":",
    "pack",
    "true",
    "1e9",
    "\\n",
];
