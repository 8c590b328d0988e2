//! Plays the scenarios of the documentation with the game above them, and checks the messages about mistakes.

use baize_scenarios::{read, run};
use std::path::Path;
use std::sync::Arc;

/// Returns the tags and texts of a page's fenced blocks.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// Each recipe has a block of scenarios.
const RECIPES: usize = 10;

/// A block of scenarios belongs to the last game above it.
#[test]
fn scenarios_in_the_docs_hold() {
    for (name, files) in [("scenarios.md", 3), ("adding-a-game.md", 2), ("recipes.md", RECIPES)] {
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
        ("then everything is fine", "“everything is fine” holds: Nothing is called `everything`"),
        ("then everything is fine", "or one of: `hand[1] holds A♠ 2♦`"),
        ("then count of (stock where rank is A) is 3", "does not hold: it is 4"),
        ("then count of (hand[2] + stock) > 52", "does not hold: it is 52"),
        ("then A♠ in hand[1]", "does not hold: it is not so"),
        ("then first player is 2", "does not hold: it is Player 1"),
        ("then random player is 2", "can't stand here"),
        ("arrange\n    hand[7]: A♠", "no zone is called `hand[7]`"),
        ("arrange\n    stock: nothing", "say where the others go, on a line of its own, such as `hand[2]: the rest`"),
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

/// Words of other tools or of plain English that authors write.
#[test]
fn messages_say_what_to_write_instead() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards: standard52\nzones\n  stock: ordered, everyone sees count, starts with cards\n  \
                hand[player]: owner sees cards, others see count\n  grid[1..3, 1..3]: ordered, everyone sees cards\n\
                state\n  n: 0..5000 = 0\ndice\n  die: faces 1..6\n\
                p := first player\nroll die\ndraw 1 from stock to grid[1, 1]\nask p \"?\"\n  play: card c from hand[p]\n    move c to grid[2, 2]\n  \
                pass\n    n += die\nend draw\nshow\n  status \"{n}\"\n";
    let line = |line: &str| format!("scenario \"A\"\n  players 2\n  start\n  {line}\n  then 1 is asked\n");
    for (wrong, why) in [
        ("then grid[1][1] is empty", "several indices stand in one pair of brackets: `grid[1, 1]`"),
        ("arrange\n    grid[1][1]: A♠", "several indices stand in one pair of brackets: `grid[1, 1]`"),
        ("arrange\n    hand 1: A♠", "an index stands in brackets: `hand[1]`"),
        ("then n is 1,000", "numbers are written without separators: `1000`"),
        ("arrange\n    n: 1,000", "numbers are written without separators: `1000`"),
        ("arrange\n    n: 5001", "it goes from 0 to 5000"),
        ("arrange\n    die: 7", "it goes from"),
        ("arrange\n    n: 1 or 2", "write one value: `n: 3`"),
        ("arrange\n    n = 3", "write: n: 3"),
        ("arrange\n    hand[1] is A♠", "write: hand[1]: A♠"),
        ("arrange\n    the rest: stock", "the zone stands first: `stock: the rest`"),
        ("then player 1 is asked", "a player is called by the number alone: `1 is asked`"),
        ("then 2 is not asked", "who is asked is said of those who are"),
        ("then 1 cannot play A♠", "what is legal is written with `may`: `1 may not play A♠`"),
        ("then 1 can play A♠", "what is legal is written with `may`: `1 may play A♠`"),
        ("then 1 holds A♠", "cards lie in zones: `hand[1] includes A♠`"),
        ("then hand[1] has A♠", "write: `hand[1] includes A♠`, or `hand[1] holds …`"),
        ("then hand[1] contains A♠", "write: `hand[1] includes A♠`"),
        ("then hand[1] does not hold A♠", "write: `hand[1] lacks A♠`"),
        ("then grid[1, 2] holds nothing", "write: `grid[1, 2] is empty`"),
        ("then hand[1] holds AS", "cards are written with the sign of their suit, `A♠`"),
        ("1 plays 10h", "cards are written with the sign of their suit, `10♥`"),
        ("then 1 sees grid[3, 3]: nothing", "write that the zone `is empty`"),
        ("then n = 3", "`=` does not compare"),
    ] {
        let (_, message) = play(game, &line(wrong)).expect_err(wrong);
        assert!(message.contains(why), "{wrong}: {message}");
    }
    for right in ["then grid[1,1] is not empty", "then grid[1, 1] includes A♠", "arrange\n    die: 6\n    n: 5000"] {
        assert_eq!(play(game, &line(right)), Ok(()), "{right}");
    }
}

/// A game with three seats and two players: nobody looks from the third seat.
#[test]
fn nobody_looks_from_a_seat_without_a_player() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards:\n  attribute colour: red green\n  attribute leaf: oak ash\n  make colour any, leaf any, 4 copies\n\
                zones\n  stock: ordered, nobody sees, starts with cards\n  \
                blind[player]: ordered, others see cards, spectators see count, owner sees count\n\
                shuffle stock\ndeal stock to blind 2 each from first player\np := first player\nask p \"?\"\n  pass\nend draw\n";
    let line = |line: &str| format!("scenario \"A\"\n  players 2\n  start\n  {line}\n  then 1 is asked\n");
    assert_eq!(play(game, &line("then nobody but 2 can tell what blind[1] holds")), Ok(()));
    // Names of cards are shown as players read them, not as one word.
    let (_, message) = play(game, &line("then blind[1] includes \"oak red\"")).expect_err("no such name");
    assert!(message.contains("here they are called \"red oak\", \"red ash\", \"green oak\""), "{message}");
}

/// Who writes a scenario may use a define about which the checker warns.
#[test]
fn a_warning_does_not_refuse_a_condition() {
    let game = "game \"A\"\nplayers 2\nstate\n  passed[player]: yes/no = no\n  n: 0..9 = 3\n\
                define closed = no player where passed and n > 2\np := first player\n\
                ask p \"?\"\n  pass\n    passed[p] := yes\n    n := if closed then 1 else 2\nend draw\nshow\n  status \"{n}\"\n";
    let warned = |d: &baize_rules::diagnostic::Diagnostic| d.code == "where/reach";
    assert!(baize_rules::check_source(game).iter().any(warned), "the define has a warning");
    let story = "scenario \"A\"\n  players 2\n  start\n  then closed\n  1 passes\n  then n is 2\n";
    assert_eq!(play(game, story), Ok(()));
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
        // A name of several words stands in quotes, in rules as well.
        "count of (stock where card is \"Short hedge\") is 3",
        "last card of stock is not \"Short hedge\"",
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

const BACKS: &str = "game \"A\"\nplayers 2..3\ndeck cards: standard52\n\
    zones\n  stock: ordered, nobody sees, starts with cards\n  hand[player]: ordered, owner sees cards, others see count\n  \
    row[1..2]: ordered, everyone sees cards\n\
    state\n  known[player]: 0..9 = 0, owner sees\n\
    shuffle stock\ndeal stock to hand 3 each from first player\ndraw 1 from stock to row[1] face down\np := first player\n\
    repeat 2 times\n  ask p \"Look where?{if known[p] > 8 then \" \" else \"\"}\"\n    peek: player r from players where player is not p, unseen c from hand[r]\n      \
    reveal c to p\n    turn_up: pile g from row\n      turn row[g] face up\n    \
    show_all: player r from players where player is not p\n      reveal hand[p] to r\n      known[r] := reveal count of (hand[p] where rank is A) to r\n      announce \"{p} shows\"\n    pass\nend draw\n";

fn backs(lines: &str) -> Result<(), (usize, String)> {
    play(
        BACKS,
        &format!(
            "scenario \"A\"\n  players 3\n  start\n  arrange\n    hand[1]: A♠ 2♠\n    hand[2]: 7♥ 8♥ 9♥\n    row[1]: K♣ K♦ face down\n    top of row[1]: Q♣\n{lines}"
        ),
    )
}

#[test]
fn scenarios_lay_cards_face_down_and_see_backs() {
    for line in [
        "then 1 sees row[1]: back back Q♣",
        "then a spectator sees row[1]: 2×back Q♣",
        "then row[1] holds K♣ K♦ Q♣ in order",
        "1 turns_up 1\n  then 2 sees row[1]: K♣ K♦ Q♣",
    ] {
        assert_eq!(backs(&format!("  {line}\n")), Ok(()), "{line}");
    }
    let (_, why) = backs("  then 1 sees row[1]: K♣ K♦ Q♣\n").unwrap_err();
    assert!(why.contains("it sees back back Q♣"), "{why}");
    let (_, why) = backs("  then 1 sees row[1]: 99999×back\n").unwrap_err();
    assert!(why.contains("how many times is `99999×back`?"), "{why}");
}

#[test]
fn parts_of_an_answer_may_use_those_before_them() {
    assert_eq!(backs("  1 peeks 2 8♥\n  then 1 is shown 8♥\n  then 2 is shown nothing\n"), Ok(()));
    assert_eq!(backs("  1 peeks 2 and 3\n  then 1 is shown 9♥\n"), Ok(()));
    let (_, why) = backs("  1 peeks 2 A♠\n  then 1 is shown A♠\n").unwrap_err();
    assert!(why.contains("`A♠` is not among those cards, but 7♥ 8♥ 9♥"), "{why}");
}

/// The engine took the back from the hand of another player when its owner was named in the same answer.
#[test]
fn a_back_comes_from_the_zone_that_the_part_before_it_names() {
    let game = |ask: &str, who: &str| {
        format!(
            "game \"A\"\nplayers 3\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  \
             hand[player]: ordered, owner sees cards, others see count\n\
             shuffle stock\ndeal stock to hand 3 each from first player\n\
             {ask} \"?\"\n  steal: player r from players where player is not {who}, unseen c from hand[r]\n    move c to hand[{who}]\nend draw\n"
        )
    };
    let story = |moves: &str| {
        format!(
            "scenario \"A\"\n  players 3\n  start\n  arrange\n    hand[1]: A♠\n    hand[2]: 7♥ 8♥\n    hand[3]: 9♣ 10♣\n{moves}"
        )
    };
    let one = "  1 steals 3 2\n  then hand[1] holds A♠ 10♣\n  then hand[3] holds 9♣\n";
    assert_eq!(play(&game("leader := first player\nask leader", "leader"), &story(one)), Ok(()));
    let all = "  1 steals 3 2\n  2 steals 3 9♣\n  3 steals 1 1\n  then hand[1] holds 10♣\n  then hand[2] holds 7♥ 8♥ 9♣\n  then hand[3] holds A♠\n";
    assert_eq!(play(&game("ask all q over players", "q"), &story(all)), Ok(()));
}

#[test]
fn scenarios_say_what_one_player_alone_was_told() {
    let shows = "  1 shows_all 3\n";
    for then in ["3 is shown A♠ 2♠", "3 is told \"Known: 1\"", "2 is shown nothing", "everyone is shown nothing"] {
        assert_eq!(backs(&format!("{shows}  then {then}\n")), Ok(()), "{then}");
    }
    for (then, instead) in [
        ("3 is shown A♠", "it is A♠ 2♠"),
        ("2 is shown A♠ 2♠", "it is nothing"),
        ("3 is told \"1\"", "told was [\"Known: 1\"]"),
        ("3 is shown", "is shown which cards?"),
        // What everybody reads was not told to one player.
        ("3 is told \"Player 1 shows\"", "told was [\"Known: 1\"]"),
    ] {
        let (_, why) = backs(&format!("{shows}  then {then}\n")).unwrap_err();
        assert!(why.contains(instead), "{then}: {why}");
    }
}

#[test]
fn scenarios_say_who_can_tell_what_a_zone_holds() {
    for then in [
        "nobody can tell what stock holds",
        "nobody but 1 can tell what hand[1] holds",
        "nobody but 2 can tell what hand[2] holds",
    ] {
        assert_eq!(backs(&format!("  then {then}\n")), Ok(()), "{then}");
    }
    for (then, instead) in [
        ("nobody can tell what hand[1] holds", "1 can tell"),
        ("nobody but 2 can tell what hand[1] holds", "1 can tell"),
        ("nobody but 1 2 can tell what hand[1] holds", "2 can't tell either"),
        ("nobody can tell what row[1] holds", "1 can tell"),
        ("nobody can tell what row[2] holds", "it is empty"),
        ("nobody can tell what hand holds", "several `hand`"),
        ("nobody can tell it", "write: `nobody can tell who brought shown`"),
        ("nobody but 1 knows", "write: `nobody can tell who brought shown`"),
    ] {
        let (_, why) = backs(&format!("  then {then}\n")).unwrap_err();
        assert!(why.contains(instead), "{then}: {why}");
    }
}

#[test]
fn a_player_who_is_not_asked_learns_who_is() {
    let (_, why) = backs("  2 passes\n  then 1 is asked\n").unwrap_err();
    assert!(why.contains("it was refused: decision/not-yours. 1 is asked \"Look where?\""), "{why}");
    let (_, why) = backs("  2 draws\n  then 1 is asked\n").unwrap_err();
    assert!(why.contains("2 is not asked: 1 is asked \"Look where?\""), "{why}");
    let (_, why) = backs("  1 passes\n  1 passes\n  1 passes\n  then 1 is asked\n").unwrap_err();
    assert!(why.contains("game/over"), "{why}");
}

#[test]
fn scenarios_read_counters_apart_from_status_lines() {
    let game = "game \"A\"\nplayers 2\nstate\n  pot: 0..9 = 0\nask first player \"More?\"\n  more\n    pot += 2\nask first player \"Enough?\"\n  enough\nend draw\n\
                show\n  status \"Well\" when pot > 0\n  counter \"In the pot\": pot\n  counter \"Leader\": first player\n";
    let story = |then: &str| {
        format!("scenario \"A\"\n  players 2\n  start\n  then there is no status\n  1 mores\n  then {then}\n")
    };
    for then in [
        "the counter \"In the pot\" is 2",
        "counter \"In the pot\" shows 2",
        "the counter \"Leader\" is Player 1",
        "the only status is \"Well\"",
    ] {
        assert_eq!(play(game, &story(then)), Ok(()), "{then}");
    }
    for (then, instead) in [
        ("the counter \"In the pot\" is 3", "it is 2"),
        ("the counter \"Pot\" is 2", "no counter is called \"Pot\""),
        ("the counter \"In the pot\"", "what about it?"),
        ("status \"In the pot: 2\"", "the status is [\"Well\"]"),
    ] {
        let (_, why) = play(game, &story(then)).unwrap_err();
        assert!(why.contains(instead), "{then}: {why}");
    }
}

#[test]
fn numbers_can_be_compared_raised_and_looked_up() {
    let game = "game \"A\"\nplayers 2..3\ndeck cards: standard52\n  ranks 2..A\n\
                table worth[rank]: A = 11, 10 = 10, J..K = 3, else 0\ntable climb[-1..2]: 5, 6, 7, -8\n\
                zones\n  stock: ordered, everyone sees cards, starts with cards\n  hand[player]: owner sees cards, others see count\n\
                state\n  n: -99..999 = 3\n  leader: player\n  best: rank\n\
                leader := first player\nask leader \"How many?\"\n  take: number k from 1..min(4, n)\n    \
                n := max(k, n - 5) ^ 2 + climb[k - 2]\n    best := next rank after rank of last card of stock wrapping\n    \
                leader := next player after leader\n    draw k from stock to hand[leader]\n\
                ask leader \"Well?\"\n  go_on when worth[best] > 0 or seat of leader is 2\nend winner leader\n";
    let story =
        "scenario \"A\"\n  players 2\n  start\n  arrange\n    top of stock: A♠\n  then 1 has 3 moves\n  1 takes 2\n";
    for then in [
        "n is 10",
        "best is 2",
        "max(2, 3, 1) is 3",
        "min(2, 3, 1) is 1",
        "2 ^ 10 is 1024",
        "2 ^ 3 ^ 2 is 64",
        "2 * 3 ^ 2 is 18",
        "(0 - 2) ^ 3 is -8",
        "n ^ (0 - n) is 0",
        "n ^ 99 > 999999999",
        "worth[A] is 11",
        "worth[Q] is 3",
        "worth[best] is 0",
        "worth[rank of highest card of hand[2] by rank] is 11",
        "climb[-1] is 5",
        "climb[n] is 0",
        "climb[n - 8] is -8",
        "sum of climb[i] over i in -1..2 is 10",
        "next rank after best is 3",
        "next rank after A is none",
        "next rank after K is A",
        "next rank after A wrapping is 2",
        "previous rank before best is none",
        "previous rank before best wrapping is A",
        "seat of leader is 2",
        "seat of nobody is 0",
        "2 is asked \"Well?\"",
    ] {
        assert_eq!(play(game, &format!("{story}  then {then}\n")), Ok(()), "{then}");
    }
    let (_, why) = play(game, &format!("{story}  then max(n, 3) is 11\n")).unwrap_err();
    assert!(why.contains("it is 10"), "{why}");
}
