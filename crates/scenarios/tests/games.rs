//! Plays the scenarios in `games/scenarios`, which test every rule of every rulebook.
//!
//! `docs/scenarios.md` explains the form of the files. `games/scenarios/coverage.md` lists the rules and the scenarios
//! that tick them; after you add a scenario, `cargo xtask regenerate scenarios` writes its title into that list.

mod coverage;

use baize_scenarios::{ScenarioFile, read as read_file};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Makes one test for each game. `scenarios_tick_every_rule` fails if a game is missing here.
macro_rules! games {
    ($($test:ident: $game:literal,)*) => {
        const GAMES: &[&str] = &[$($game),*];
        $(#[test]
        fn $test() {
            play_all($game);
        })*
    };
}

games! {
    blackjack: "blackjack",
    cards_against_humanity: "cards-against-humanity",
    crazy_eights: "crazy-eights",
    crooked_mill: "crooked-mill",
    donkey: "donkey",
    go_fish: "go-fish",
    great_dalmuti: "great-dalmuti",
    hearts: "hearts",
    high_low: "high-low",
    liars_dice: "liars-dice",
    market_day: "market-day",
    old_maid: "old-maid",
    pelmanism: "pelmanism",
    pig: "pig",
    rope_team: "rope-team",
    rummy: "rummy",
    side_pot: "side-pot",
    war: "war",
    yahtzee: "yahtzee",
}

fn games() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn read(game: &str) -> ScenarioFile {
    let path = games().join("scenarios").join(format!("{game}.scenarios"));
    let source = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    read_file(&source).unwrap_or_else(|mistakes| {
        let lines = mistakes.iter().map(|(line, why)| format!("games/scenarios/{game}.scenarios:{line}: {why}\n"));
        panic!("{}", lines.collect::<String>());
    })
}

fn play_all(game: &str) {
    let source = fs::read_to_string(games().join(format!("{game}.baize"))).unwrap();
    let (program, diagnostics) = baize_rules::compile(&source);
    let shown = || baize_rules::diagnostic::render(game, &source, &diagnostics);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{}", shown())));
    let file = read(game);
    let mut failures = String::new();
    for scenario in &file.scenarios {
        if let Err((line, why)) = baize_scenarios::run(&source, &program, &file, scenario) {
            failures += &format!("games/scenarios/{game}.scenarios:{line}: “{}”: {why}\n", scenario.title);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// Every game has scenarios, and each rule of each rulebook is ticked by a scenario or tested elsewhere.
#[test]
fn scenarios_tick_every_rule() {
    let names = |folder: PathBuf, ending: &str| {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<String> = paths
            .filter(|path| path.extension().is_some_and(|e| e == ending))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let found = names(games(), "baize");
    assert_eq!(
        found,
        names(games().join("scenarios"), "scenarios"),
        "each game has a file of scenarios, and each file a game"
    );
    assert_eq!(found, GAMES, "each game has a test above");
    let files: Vec<(&str, ScenarioFile)> = GAMES.iter().map(|game| (*game, read(game))).collect();
    let update = std::env::var_os("BAIZE_REGENERATE").is_some();
    coverage::check(&games(), &files, update).unwrap_or_else(|mistakes| panic!("\n{mistakes}"));
}

#[test]
fn reader_finds_mistakes() {
    for (source, line, why) in [
        ("scenario \"A\"\n  ticks X1 \"x\"\n  players 2\n  start\n", 1, "ends without saying what must hold"),
        ("scenario \"A\"\n  ticks X1 \"x\"\n  players 2\n  then phase play\n", 1, "nothing happens"),
        ("scenario \"A\"\n  ticks X1 \"x\"\n  players 2\n  start -> because\n", 4, "only `refused`"),
        (
            "scenario \"A\"\n  ticks X1 \"x\"\n  players 2\n  start where phase play\n  then phase play\n",
            5,
            "can't fail",
        ),
        ("nonsense\n", 1, "at the margin"),
        ("scenario \"A\"\n  ticks X1 \"x\"\n  start\n  players 2\n  then phase play\n", 4, "above what happens"),
    ] {
        let mistakes = read_file(source).unwrap_err();
        assert!(mistakes.iter().any(|(at, text)| *at == line && text.contains(why)), "{source}: {mistakes:?}");
    }
}
