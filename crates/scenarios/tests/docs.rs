//! Plays the scenarios of the documentation with the game above them, and checks the messages about mistakes.

use baize_scenarios::{read, run};
use std::path::Path;
use std::sync::Arc;

/// The tags and texts of a page's fenced blocks.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// A block of scenarios belongs to the last game above it.
#[test]
fn scenarios_in_the_docs_hold() {
    for (name, files) in [("scenarios.md", 3), ("adding-a-game.md", 2)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let page = std::fs::read_to_string(path).expect("the page");
        let (mut game, mut found) = (None, 0);
        for (tag, text) in blocks(&page) {
            match tag {
                "baize" => game = Some(text),
                "scenarios" => {
                    found += 1;
                    check_scenarios(name, game.expect("a game above it"), text);
                }
                _ => {}
            }
        }
        assert_eq!(found, files, "{name}: its examples");
    }
}

fn check_scenarios(page: &str, game: &str, scenarios: &str) {
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{page}: {problems:?}")));
    let file = read(scenarios).unwrap_or_else(|mistakes| panic!("{page}: {mistakes:?}"));
    for scenario in &file.scenarios {
        run(game, &program, &file, scenario).unwrap_or_else(|why| panic!("{page}: “{}”: {why:?}", scenario.title));
    }
}

#[test]
fn docs_list_every_refusal_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for code in baize_engine::moves::Refusal::CODES {
        assert!(page.contains(&format!("`{code}`")), "{code}");
    }
}

#[test]
fn scenarios_name_piles_by_their_index() {
    let game = "game \"A\"\nplayers 3\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  \
                mat[player]: ordered, everyone sees count\n  heap[suit]: everyone sees count\n  row[4..6]: everyone sees count\n\
                state\n  met: player\n  trump: suit\n  n: 0..9 = 0\nmet := first player\n\
                ask met \"Whose?\"\n  turn: pile q from mat where q is not met\n    met := q\n\
                ask met \"Which suit?\"\n  name: pile s from heap\n    trump := s\n\
                ask met \"Which one?\"\n  take: pile g from row\n    n := g\nend winner met\n\
                show\n  badge count \"Met\" when player is met\n  badge count \"Row\": n\n  status \"{trump}\" when trump is not none\n";
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:?}")));
    let run_lines = |lines: &str| {
        let file = read(&format!("scenario \"A\"\n  players 3\n  start\n{lines}")).unwrap_or_else(|m| panic!("{m:?}"));
        run(game, &program, &file, &file.scenarios[0])
    };
    run_lines("  1 turns 3\n  then met is 3\n  3 names ♥\n  then trump is ♥\n  3 takes 5\n  then n is 5\n")
        .expect("it holds");
    // `wears` needs only one of several badges of a kind.
    run_lines(
        "  1 turns 2\n  then 2 wears count \"Met\"\n  then 2 wears count \"Row 0\"\n  then 1 wears count \"Row 0\"\n",
    )
    .expect("it holds");
    for (lines, why) in [
        ("  1 turns\n  then met is 3\n", "which `mat`? It is called by the number of its player"),
        ("  1 turns 1\n  then met is 3\n", "it was refused: move/not-a-candidate"),
        ("  1 turns 2\n  2 names hearts\n  then met is 3\n", "which `heap`? It is called by its suit"),
        ("  1 turns 2\n  then 2 wears count \"Row 3\"\n", "does not hold: it wears \"Met\", \"Row 0\""),
        ("  1 turns 2\n  then 2 wears bid \"2\"\n", "no player ever wears `bid`. The kinds of badges here are `count`"),
        ("  1 turns 2\n  then 2 wears no title\n", "no player ever wears `title`"),
    ] {
        let message = run_lines(lines).expect_err(lines);
        assert!(message.1.contains(why), "{lines}: {message:?}");
    }
}

/// Each mistake gets a message that explains it, and nothing panics.
#[test]
fn messages_explain_each_mistake() {
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
        ("1 goes on", "`goes on` is none of play, reroll, rob, pass"),
        ("then 1 may lose A♠", "not understood: `lose` is none of play, reroll, rob, pass\")"),
        ("then spectator sees stock: count", "of who only watches it is written: `a spectator sees trick: A♠`"),
        ("then the spectator sees stock: count", "`a spectator sees trick: A♠`"),
        ("then announced \"{1} plays\"", "A scenario has no holes: write what players read, `Player 1` for player 1"),
        ("1 passes -> refused", "one of these codes: move/unknown-alternative, move/wrong-parts"),
        ("1 passes -> refused move/never", "`move/never` is no reason. Behind `refused` stands the reason"),
        ("lead is 44", "there is no player 44"),
        ("1 plays 11♠", "no card is called `11♠`: here they are called `2♣`, `3♣`, `4♣` …"),
        ("then 1 wins", "The end is written: `the game is over`"),
        ("then 1 sings", "what is `sings`? Of a player it can be said that it `is asked`"),
        ("then the game ends", "The end is written: `the game is over`, or which end it is: `outcome winner 1`"),
        ("then winner is 1", "The end is written"),
        ("then outcome is foo", "`foo` is no outcome. The end is written"),
        ("then outcome winner me", "`winner me` is no outcome"),
        ("then outcome is draw", "does not hold: the game is not over"),
        ("then the game is over", "does not hold: it goes on"),
        ("then everything is fine", "Behind `then` stands one of: `hand[1] holds A♠ 2♦`"),
        ("then everything is fine", "As such it is refused: Nothing is called `everything`"),
        ("then count of (stock where rank is A) is 3", "does not hold: it is 4"),
        ("then count of (hand[2] + stock) > 52", "does not hold: it is 52"),
        ("then A♠ in hand[1]", "does not hold: it is not so"),
        ("then first player is 2", "does not hold: it is Player 1"),
        ("then random player is 2", "can't stand here"),
        ("arrange\n    hand[7]: A♠", "no zone is called `hand[7]`"),
        ("arrange\n    stock: nothing", "say where `the rest` goes"),
    ] {
        let source = format!("scenario \"A\"\n  players 2\n  start\n  {line}\n  then 1 is asked\n");
        let message = match read(&source) {
            Err(mistakes) => format!("{mistakes:?}"),
            Ok(file) => format!("{:?}", run(game, &program, &file, &file.scenarios[0])),
        };
        assert!(message.contains(why), "{line}: {message}");
    }
    let later =
        read("scenario \"A\"\n  players 2\n  start where 2 is asked\n  then 1 is asked\n").expect("it can be read");
    let message = run(game, &program, &later, &later.scenarios[0]).expect_err("player 1 is asked first");
    assert!(message.1.contains("`start` comes to the first question and no further"), "{message:?}");
    let crowd = read("scenario \"A\"\n  players 400\n  start\n  then 1 is asked\n").expect("it can be read");
    let message = run(game, &program, &crowd, &crowd.scenarios[0]).expect_err("too many");
    assert!(message.1.contains("only 3 seats"), "{message:?}");
}

/// Conditions name players by their numbers.
#[test]
fn scenarios_accept_conditions_of_the_rules() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards:\n  attribute suit: coins cups\n  attribute rank: A 2..10\n  make suit any, rank any\n\
                zones\n  stock: ordered, nobody sees, starts with cards\n  hand[player]: owner sees cards, others see count\n  heap: everyone sees cards\n\
                state\n  score[player]: 0..9 = 0\n\
                define value(d) = position of rank of d\ndefine held = count of hand\ndefine both(a, b) = score[a] + score[b]\n\
                p := first player\ndraw 2 from stock to hand[p]\nask p \"?\"\n  ready\n    score[p] := 1 + held of p\n  \
                play: card c from hand[p]\n    move c to heap\n    announce \"{p} played {c}\"\n    score[p] := value(c)\n  \
                drop: 1..3 cards ts from hand[p]\n    announce \"{p} has laid {heap}\"\n    move ts to heap\n    announce \"{p} drops {ts}\"\n\
                announce \"{both(p, p)}\"\nend ranking by score highest first\n";
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:?}")));
    let story = "scenario \"A\"\n  players 2\n  start\n  arrange\n    hand[1]: Acoins cups10 \"3 of cups\"\n    hand[2]: 2coins\n  \
                 then count of (hand[1] where rank is A) is 1\n  then held of 1 is 3\n  then value(highest card of hand[1] by rank) is 10\n  \
                 then score[1] <= score[2] and no card in hand[2] where suit is cups\n  then both(1, 2) is 0\n  \
                 then hand[1] includes 3cups\n  1 is ready\n  then the game is over\n  then outcome is ranks 1 2\n  then outcome ranks 1 2\n\n\
                 scenario \"B\"\n  players 2\n  start\n  arrange\n    hand[1]: 10cups\n  1 plays cups10\n  then announced \"Player 1 played 10 of cups\"\n\n\
                 scenario \"C\"\n  players 2\n  start\n  arrange\n    hand[1]: 10cups 3coins Acups\n  1 drops 3coins Acups 10cups\n  \
                 then announced \"Player 1 has laid no cards\"\n  then announced \"Player 1 drops 3 of coins, A of cups and 10 of cups\"\n";
    let file = read(story).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    for scenario in &file.scenarios {
        run(game, &program, &file, scenario).unwrap_or_else(|why| panic!("{why:?}"));
    }
}

/// Plays all scenarios of a file and returns the first one that fails.
fn play(game: &str, story: &str) -> Result<(), (usize, String)> {
    let (program, problems) = baize_rules::compile(game);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{problems:?}")));
    let file = read(story).map_err(|mistakes| mistakes[0].clone())?;
    file.scenarios.iter().try_for_each(|scenario| run(game, &program, &file, scenario))
}

const POINTS: &str = "game \"A\"\nplayers 2\ndeck cards:\n  attribute kind: hedge gate\n  make kind hedge, 3 copies, called \"Short hedge\"\n  make kind gate, 3 copies, called \"Gate\"\n\
    zones\n  stock: ordered, everyone sees cards, starts with cards\n  hand[player]: everyone sees cards\n\
    state\n  points[player]: -200..200 = -28\n  grid[1..3, 1..2]: 0..9 = 4\n\
    ask first player \"?\"\n  stop_now\n    move hand to stock\n    points[first player] += grid[2, 1]\n\
    end ranking by points highest first\n";

#[test]
fn scenarios_compare_with_the_whole_expression() {
    let story = |then: &str| format!("scenario \"A\"\n  players 2\n  start\n  then {then}\n");
    for then in [
        "points[1] is 72 - 100",
        "count of stock is 2 + 4",
        "points[1] + 28 is 0",
        "count of (stock where card in stock) is 6",
        "grid[3, 2] is 4",
        "grid[3,2] is 2 * 2",
    ] {
        assert_eq!(play(POINTS, &story(then)), Ok(()), "{then}");
    }
    for (then, instead) in [
        ("points[1] is 72 - 101", "it is -28"),
        ("points[1] is -28 - 1", "it is -28"),
        ("count of stock is 6 + 1", "it is 6"),
        ("grid[3, 2] is 4 + 1", "it is 4"),
    ] {
        let (line, why) = play(POINTS, &story(then)).unwrap_err();
        assert!(line == 4 && why.contains(instead), "{then}: {why}");
    }
}

#[test]
fn a_setup_builds_on_a_setup_above_it() {
    let setups =
        "setup seated\n  players 2\n  start\n\nsetup holding\n  as in seated\n  arrange\n    hand[1]: Gate\n\n";
    let story = |then: &str| format!("{setups}scenario \"A\"\n  as in holding\n  then {then}\n");
    assert_eq!(play(POINTS, &story("hand[1] holds Gate")), Ok(()));
    assert!(play(POINTS, &story("hand[1] is empty")).is_err());
    let (line, why) = play(POINTS, "setup around\n  as in around\n").unwrap_err();
    assert!(line == 2 && why.contains("no setup `around` above"), "{why}");
}

#[test]
fn names_in_quotes_can_be_counted() {
    let story = "scenario \"A\"\n  players 2\n  start\n  arrange\n    hand[1]: 2×\"Short hedge\" Gate\n  \
                 then hand[1] holds Gate 2×\"Short hedge\"\n  then hand[1] includes 2×\"Short hedge\"\n";
    assert_eq!(play(POINTS, story), Ok(()));
    let (line, why) = play(POINTS, &story.replace("includes 2×", "includes 3×")).unwrap_err();
    assert!(line == 7 && why.contains("it holds"), "{why}");
}

#[test]
fn a_pack_has_cards_of_any_type_that_the_game_takes() {
    let game = "game \"A\"\nplayers 2\ndeck quests: packs \"quest\"\n\
        zones\n  stock: ordered, everyone sees cards, starts with quests\n\
        state\n  worth: 0..99 = 0\nworth := sum of pick of c over card c in stock\nask first player \"{worth}\"\n  stop_now\nend draw\n";
    let story = |card: &str| {
        format!(
            "pack tasks\n  {card}\n  quests Q 1..3\n\nscenario \"A\"\n  players 2\n  packs tasks\n  start\n  then count of stock is 4\n  then worth is 3\n"
        )
    };
    assert_eq!(play(game, &story("quest \"A lost ring\" pick 3")), Ok(()));
    let (_, why) = play(game, &story("riddle \"A lost ring\"")).unwrap_err();
    assert!(why.contains("`riddle`") && why.contains("quest"), "{why}");
    let (_, why) = play(game, &story("quest \"A lost ring\" gold 3")).unwrap_err();
    assert!(why.contains("`gold`"), "{why}");
}

#[test]
fn two_parts_of_an_answer_are_two_cards() {
    let game = "game \"A\"\nplayers 2\ndeck cards: standard52\n\
        zones\n  stock: ordered, nobody sees, starts with cards\n  hand[player]: owner sees cards, others see count\n  \
        blind[player]: ordered, everyone sees count\n  heap: ordered, everyone sees cards\n\
        shuffle stock\ndeal stock to hand 3 each from first player\ndeal stock to blind 2 each from first player\n\
        p := first player\nask p \"?\"\n  give: card c from hand[p], card d from hand[p]\n    move c to heap\n    move d to heap\n  \
        keep: 2 cards cs from hand[p], card d from hand[p]\n    move cs + d to heap\n  \
        share: card c from hand[p], 1..2 cards ds from hand[p]\n    move ds + c to heap\n  \
        group: card c from hand[p], set ds from hand[p] alike in suit\n    move ds + c to heap\n  \
        poke: unseen c from blind[p], unseen d from blind[p]\n    move c to heap\n    move d to heap\n  \
        pass\nend draw\n";
    let story = |line: &str| {
        format!(
            "scenario \"A\"\n  players 2\n  start\n  arrange\n    hand[1]: A♠ 2♠ 3♠\n    blind[1]: 7♥ 8♥\n  {line}\n  then the game is over\n"
        )
    };
    // give 3 × 2, keep 3 × 1, share 3 × (2 + 1), group 3 × (2 + 1), poke 2 × 1, pass.
    assert_eq!(play(game, &story("then 1 has 30 moves\n  1 passes")), Ok(()));
    for line in
        ["1 gives 2♠ A♠", "1 keeps A♠ 2♠ and 3♠", "1 shares A♠ and 2♠ 3♠", "1 groups A♠ and 2♠", "1 pokes 1 and 2"]
    {
        assert_eq!(play(game, &story(line)), Ok(()), "{line}");
    }
    for line in
        ["1 gives A♠ A♠", "1 keeps A♠ 2♠ and 2♠", "1 shares A♠ and A♠ 3♠", "1 groups A♠ and A♠ 2♠", "1 pokes 2 and 2"]
    {
        assert_eq!(
            play(game, &story(&format!("{line} -> refused move/not-a-candidate\n  1 passes"))),
            Ok(()),
            "{line}"
        );
    }
}

#[test]
fn a_step_without_an_end_is_named_by_its_line() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards: standard52\nzones\n  stock: everyone sees cards, starts with cards\n\
        state\n  given: yes/no = no\np := previous player before first player\nmove stock to stock\n\
        repeat until given\n  ask p \"?\"\n    give\n      given := yes\n    gone skip\nend draw\n";
    let story = "scenario \"A\"\n  players 3\n  start\n  3 leaves\n  then the game is over\n";
    let (line, why) = play(game, story).unwrap_err();
    assert!(line == 4 && why.contains("in line 10, `repeat until given`"), "{why}");
}
