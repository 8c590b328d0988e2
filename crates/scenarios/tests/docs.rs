//! The scenarios in the documentation hold for the game above them, and their examples of mistakes are told as it says.

use baize_scenarios::{read, run};
use std::path::Path;
use std::sync::Arc;

/// The blocks of a page: their tags and what is in them.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// Each is of the last whole game above it.
#[test]
fn the_scenarios_of_the_pages_hold() {
    for (name, files) in [("scenarios.md", 3), ("adding-a-game.md", 1)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let page = std::fs::read_to_string(path).expect("the page");
        let (mut game, mut found) = (None, 0);
        for (tag, text) in blocks(&page) {
            match tag {
                "baize" => game = Some(text),
                "scenarios" => {
                    found += 1;
                    hold(name, game.expect("a game above it"), text);
                }
                _ => {}
            }
        }
        assert_eq!(found, files, "{name}: its examples");
    }
}

fn hold(page: &str, game: &str, scenarios: &str) {
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{page}: {problems:?}")));
    let file = read(scenarios).unwrap_or_else(|mistakes| panic!("{page}: {mistakes:?}"));
    for scenario in &file.scenarios {
        run(&program, &file, scenario).unwrap_or_else(|why| panic!("{page}: “{}”: {why:?}", scenario.title));
    }
}

/// Whatever is written, it is told and nothing panics.
#[test]
fn nonsense_is_told() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  \
                hand[player]: owner sees cards, others see count\ndice\n  five[1..5]: faces 1..6\nroll five\np := first player\nask p \"?\"\n  \
                play: card c from hand[p]\n    move c to stock\n  reroll: dice d from five\n    roll d\n  rob: player r from players\n  pass\nend draw\n";
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:?}")));
    for (line, why) in [
        ("9 passes", "there is no player 9"),
        ("0 passes", "counted from 1"),
        ("300 passes", "there is no player 300"),
        ("then 77 is asked", "there is no player 77"),
        ("then 9 wears score \"1\"", "there is no player 9"),
        ("1 rerolls 0", "there is no die 0"),
        ("1 rerolls 99", "there is no die 99"),
        ("1 plays", "which card?"),
        ("1 plays 0×A♠", "which card?"),
        ("1 plays 99999999999×A♠", "how many times"),
        ("1 plays A1..A4000000000", "not so many cards"),
        ("1 sings", "`sings` is none of play, reroll, rob, pass"),
        ("lead is 44", "there is no player 44"),
        ("arrange\n    hand[7]: A♠", "no zone is called `hand[7]`"),
        ("arrange\n    stock: nothing", "say where `the rest` goes"),
    ] {
        let source = format!("scenario \"A\"\n  players 2\n  start\n  {line}\n  then 1 is asked\n");
        let said = match read(&source) {
            Err(mistakes) => format!("{mistakes:?}"),
            Ok(file) => format!("{:?}", run(&program, &file, &file.scenarios[0])),
        };
        assert!(said.contains(why), "{line}: {said}");
    }
    let crowd = read("scenario \"A\"\n  players 400\n  start\n  then 1 is asked\n").expect("it can be read");
    let said = run(&program, &crowd, &crowd.scenarios[0]).expect_err("too many");
    assert!(said.1.contains("only 3 seats"), "{said:?}");
}
