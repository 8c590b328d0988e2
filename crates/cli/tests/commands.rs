//! Runs the commands as people type them.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn baize(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baize")).args(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn json(args: &[&str]) -> Value {
    let output = baize(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Writes a file into a test's folder and returns its path.
fn file(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a writable folder");
    path.to_string_lossy().into_owned()
}

/// A small game whose last line is `outcome`, which may have a mistake.
fn small_game(outcome: &str) -> String {
    format!(
        "game \"Small\"\nplayers 2..4\nlimit 100 moves, then draw\nstate\n  turns: 0..9 = 0\nrepeat 3 times\n  circle p from first player\n    ask p \"Go on?\"\n      go \"Go\"\n        turns += 1\n      default go\nend {outcome}\nshow\n  status \"{{turns}} turns\"\n"
    )
}

#[test]
fn check_finds_mistakes_and_exits_with_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = file(folder.path(), "good.baize", &small_game("draw"));
    let bad = file(folder.path(), "bad.baize", &small_game("drw"));
    let output = baize(&["check", &good]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = baize(&["check", &good, &bad]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(printed.contains("bad.baize:12:5") && printed.contains("Did you mean `draw`?"), "{printed}");

    let output = baize(&["check", "--json", &bad]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report[0]["ok"], false);
    assert_eq!(report[0]["diagnostics"][0]["line"], 12);

    let output = baize(&["check", &file(folder.path(), "noise.baize", "\u{0}\u{1}☃ %%% \"")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(baize(&["check", "no-such-file.baize"]).status.code(), Some(1));
}

#[test]
fn fmt_formats_files_and_leaves_broken_ones_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let untidy =
        file(folder.path(), "untidy.baize", &small_game("draw").replace("turns += 1", "turns+=1   # one more"));
    let output = baize(&["fmt", "--check", &untidy]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("not laid out"), "{}", text(&output.stdout));
    assert!(baize(&["fmt", &untidy]).status.success());
    let tidy = std::fs::read_to_string(&untidy).expect("the file");
    assert!(tidy.contains("\n        turns += 1  # one more\n") && tidy.contains("\n\nstate\n"), "{tidy}");
    assert!(baize(&["fmt", "--check", &untidy]).status.success());

    let story = file(folder.path(), "untidy.scenarios", "scenario \"A\"\n    players 2\n");
    let output = baize(&["fmt", "--check", &story]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).lines().count(), 1, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("only rules files"), "{}", text(&output.stderr));

    let broken = small_game("drw  (");
    let bad = file(folder.path(), "bad.baize", &broken);
    let output = baize(&["fmt", &bad]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bad.baize:12"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&bad).expect("the file"), broken);
}

#[test]
fn check_lists_what_a_game_reveals() {
    let printed = text(&baize(&["check", "--reveals", "../../games/donkey.baize"]).stdout);
    assert!(printed.contains("leader := reveal first player where A♠ in hand"), "{printed}");
}

#[test]
fn check_lists_answers_and_groups_what_a_game_reveals() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answer.baize");
    let rules = |announced: &str| {
        format!(
            "game \"Answer\"\nplayers 2..4\nstate\n  last: 0..9 = 0\nask first player \"How many?\"\n  say: number k from 1..9\n    last := k\n{announced}  wait\nend draw\nshow\n  status \"{{last}}\"\n"
        )
    };
    let list = |source: &str| {
        std::fs::write(&file, source).expect("a file");
        let output = baize(&["check", "--reveals", &file.to_string_lossy()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let printed = list(&rules(""));
    assert!(printed.contains("\nWhat players answer\n"), "{printed}");
    assert!(printed.contains("everybody learns the answer: `say` with k; `wait`"), "{printed}");
    // Announcing a public value reveals nothing.
    assert_eq!(list(&rules("    announce \"{k}\"\n")), printed);
    let printed = text(&baize(&["check", "--reveals", "../../games/pig.baize"]).stdout);
    assert!(printed.contains("\nWhat players answer\n"), "{printed}");
}

#[test]
fn simulate_reports_the_same_on_any_number_of_threads() {
    let one =
        json(&["simulate", "donkey", "--players", "3", "--games", "50", "--seed", "9", "--threads", "1", "--json"]);
    let two =
        json(&["simulate", "donkey", "--players", "3", "--games", "50", "--seed", "9", "--threads", "2", "--json"]);
    for key in ["game", "players", "games", "moves", "length", "outcomes"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    for key in ["seconds", "moves_per_second", "games_per_second"] {
        assert!(one[key].as_f64().is_some_and(|n| n > 0.0), "{key}");
    }
    for key in ["min", "median", "p95", "max"] {
        assert!(one["length"][key].as_u64().is_some_and(|n| n > 0), "{key}");
    }
}

#[test]
fn simulate_lets_bots_play_and_compares_their_levels() {
    let report = json(&["simulate", "pig", "--preset", "quick", "--bots", "easy,random", "--games", "6", "--json"]);
    let levels = report["levels"].as_array().expect("levels");
    let names: Vec<_> = levels.iter().map(|level| level["level"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["random", "easy"]);
    assert!(levels.iter().all(|level| level["seats"] == 6 && level["mean_rank"]["low"].is_number()));

    let output = baize(&["simulate", "pig", "--players", "3", "--bots", "easy,random"]);
    assert!(!output.status.success() && text(&output.stderr).contains("one for each seat"));
    let output = baize(&["simulate", "pig", "--bots", "easy,clever"]);
    assert!(!output.status.success() && text(&output.stderr).contains("there is no level 'clever'"));
}

#[test]
fn deal_shows_a_viewer_the_same_every_time() {
    let deal = |viewer: &str| {
        let args = ["deal", "old-maid", "--players", "3", "--seed", "4", "--moves", "5", "--as", viewer, "--json"];
        json(&args)
    };
    assert_eq!(deal("2"), deal("2"));
    assert_ne!(deal("2"), deal("spectator"));
    let output = baize(&["deal", "old-maid", "--as", "7"]);
    assert!(!output.status.success() && text(&output.stderr).contains("a seat from 1 to"));
    let output = baize(&["deal", "no-such-game"]);
    assert!(!output.status.success() && text(&output.stderr).contains("donkey"));
}

#[test]
fn packs_are_checked_imported_and_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = "type,text,pick\nprompt,Why did ____ cross ____?,2\nanswer,A hen,\n";
    let good = file(folder.path(), "good.csv", rows);
    let bad = file(folder.path(), "bad.csv", &format!("{rows}answer,,\n"));
    assert!(baize(&["pack", "check", &good]).status.success());
    let output = baize(&["pack", "check", &bad]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("row 4"), "{}", text(&output.stderr));
    let imported = baize(&["pack", "import", &good]);
    assert!(imported.status.success());
    let imported = file(folder.path(), "imported.json", &text(&imported.stdout));
    let merged = baize(&["pack", "merge", &imported, &good]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert!(text(&merged.stdout).contains("A hen"));
}

#[test]
fn a_new_pack_is_a_sheet_that_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.csv").to_string_lossy().into_owned();
    let output = baize(&["pack", "new", &path]);
    assert!(output.status.success() && text(&output.stdout).contains("pack check"), "{}", text(&output.stderr));
    let output = baize(&["pack", "check", &path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("4 × prompt"), "{}", text(&output.stdout));
    // The file stays as it is when somebody asks for a new one under the same name.
    std::fs::write(&path, "deck,text\nanswer,Mine\n").expect("the file");
    let output = baize(&["pack", "new", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is there already"), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(&path).expect("the file").contains("Mine"));
    let printed = baize(&["pack", "new"]);
    assert!(text(&printed.stdout).starts_with("deck,text,pick,notes\n"), "{}", text(&printed.stdout));
}

/// `baize simulate GAME | head -1`: the reader goes away while the program still writes.
#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for args in [
        &["simulate", "hearts", "--players", "4", "--games", "60"][..],
        &["simulate", "hearts", "--players", "4", "--games", "20", "--json"],
        &["deal", "donkey", "--seed", "1"],
        &["simulate", "--help"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{args:?}: {:?} {}", output.status, text(&output.stderr));
        assert!(!text(&output.stderr).contains("panicked"), "{args:?}: {}", text(&output.stderr));
    }
}

/// The person always takes the first choice.
#[test]
fn a_person_plays_against_bots_in_the_terminal() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
        .args(["play", "old-maid", "--bots", "easy,easy", "--seed", "5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut typed = child.stdin.take().expect("a terminal");
    let lines = format!("what?\n99\n{}", "1\n".repeat(400));
    // The program may end before it has read all lines.
    let _ = typed.write_all(lines.as_bytes());
    drop(typed);
    let output = child.wait_with_output().expect("it ends");
    let printed = text(&output.stdout);
    assert!(output.status.success());
    assert!(printed.contains("(easy) sits down."), "{printed}");
    assert!(printed.contains("Please type"), "{printed}");
    assert!(printed.contains("══"), "no end: {printed}");
}

#[test]
fn a_playtest_report_is_one_page_with_charts() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("report.html");
    let path = page.to_string_lossy().into_owned();
    let plain = json(&["simulate", "pig", "--players", "3", "--games", "200", "--seed", "4", "--json"]);
    let args = ["simulate", "pig", "--players", "3", "--games", "200", "--seed", "4", "--json", "--report", &path];
    let reported = json(&args);
    // The report about games does not change their results.
    assert_eq!((&plain["length"], &plain["outcomes"]), (&reported["length"], &reported["outcomes"]));
    let html = std::fs::read_to_string(&page).expect("the report");
    for heading in ["How long a game is", "Seat advantage", "Decisions a turn", "Answers to choose from"] {
        assert!(html.contains(heading), "{heading}");
    }
    for heading in
        ["Questions and answers", "Changes of the leading player in a game", "Is it decided?", "How games ended"]
    {
        assert!(html.contains(heading), "{heading}");
    }
    let median = reported["length"]["median"].to_string();
    assert!(html.contains(&format!("<b>{median}</b><span>moves in a game (median)")), "{median}");
    // The page loads nothing and runs no script.
    assert!(!html.contains("http") && !html.contains("<script") && !html.contains("src="));
    let bots = ["simulate", "old-maid", "--bots", "easy,random", "--games", "30", "--report", &path];
    assert!(baize(&bots).status.success());
    let html = std::fs::read_to_string(&page).expect("the report");
    assert!(html.contains("<h2>Levels</h2>") && html.contains("<td>easy") && html.contains("<td>random"));
    assert!(html.contains("<h2>Cards</h2>") || html.contains("Questions and answers"));
    let levels = html.split("<h2>Levels</h2>").nth(1).and_then(|rest| rest.split("</section>").next());
    assert_eq!(levels.map(|levels| levels.matches("<svg class=\"bar\"").count()), Some(2), "a bar for each level");
}

#[test]
fn simulate_reports_games_that_nobody_won() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = file(folder.path(), "small.baize", &small_game("winner nobody"));
    let page = folder.path().join("report.html");
    let output = baize(&["simulate", &rules, "--games", "10", "--report", &page.to_string_lossy()]);
    let printed = text(&output.stdout);
    assert!(
        printed.contains("nobody won: 10 (100.0 %)") && !printed.contains("winners"),
        "{printed}{}",
        text(&output.stderr)
    );
    let html = std::fs::read_to_string(&page).expect("the report");
    assert!(html.contains("<td>nobody won<td class=n>100.0 %"), "{html}");
}

/// A game of bids whose rules have weak spots.
const BIDDING: &str = r#"game "Bidding"
players 2
limit 100 moves, then draw
option handSize: 1..30 = 3
require handSize * 2 < 12, else "There are only {count of cards} cards."
deck cards:
  attribute kind: tulip oak
  make kind tulip, 8 copies, called "Tulip"
  make kind oak, 4 copies, called "Oak"
zones
  stock: ordered, everyone sees count, starts with cards
  hand[player]: owner sees cards, others see count
  row: ordered, everyone sees cards, remembers player
state
  bids: 0..9 = 0
  round: 0..2 = 0
shuffle stock
deal stock to hand handSize each from first player
phase bidding "How many?"
circle p from first player
  ask p "Your bid"
    bid: number k from 0..3
      must k is not 2, else "Two is bad luck"
      bids += k
      announce "{p} bids {k}"
    pass
repeat until stock is empty, at most 4 rounds
  round += 1
  circle p from first player
    ask p "Lay one down"
      lay: card c from hand[p]
        move c to row
      wait
end draw
show
  status "{bids} bids, round {round}"
"#;

#[test]
fn test_plays_scenarios_and_names_the_line_that_does_not_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = file(folder.path(), "bidding.baize", BIDDING);
    let output = baize(&["test", &rules]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bidding.scenarios"), "{}", text(&output.stderr));

    std::fs::create_dir(folder.path().join("scenarios")).expect("a folder");
    let good = "scenario \"Two is refused\"\n  players 2\n  start\n  1 bids 2 -> refused \"Two is bad luck\"\n  1 bids 3\n  then bids is 3\n";
    file(folder.path(), "scenarios/bidding.scenarios", good);
    let output = baize(&["test", &rules]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("1 of 1 scenarios hold"), "{}", text(&output.stdout));

    let bad = file(folder.path(), "bad.scenarios", &good.replace("bids is 3", "bids is 5"));
    let output = baize(&["test", &rules, &bad]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.contains("bad.scenarios:6: “Two is refused”") && printed.contains("it is 3"), "{printed}");
    assert!(printed.contains("0 of 1 scenarios hold"), "{printed}");
}

#[test]
fn simulate_reports_clamped_values_and_bounded_repeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = file(folder.path(), "bidding.baize", BIDDING);
    let report = json(&["simulate", &rules, "--games", "10", "--json"]);
    let spots: Vec<_> = report["weak_spots"].as_array().expect("weak spots").iter().collect();
    let lines: Vec<_> = spots.iter().map(|spot| spot["line"].as_u64().unwrap_or(0)).collect();
    assert_eq!(lines, [16, 27], "{spots:?}");
    assert!(spots.iter().all(|spot| spot["games"] == 10 && spot["of"] == 10), "{spots:?}");
    assert!(json(&["simulate", "pig", "--games", "10", "--json"])["weak_spots"].is_null());

    let output = baize(&["simulate", &rules, "--option", "handSize=20"]);
    assert!(text(&output.stderr).contains("There are only 12 cards."), "{}", text(&output.stderr));
}

/// Plays a file against an easy bot, types these lines, and returns what the program printed.
fn play_typing(rules: &str, lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
        .args(["play", rules, "--seed", "3", "--bots", "easy"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it listens");
    text(&child.wait_with_output().expect("it ends").stdout)
}

#[test]
fn quit_stops_a_game_in_the_terminal_and_q_can_be_a_choice() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game \"Letters\"\nplayers 2\ndeck cards: standard52\nzones\n  stock: everyone sees cards, starts with cards\n\
        state\n  said: 0..20 = 0\nmove stock to stock\nrepeat 2 times\n  ask first player \"How many?\"\n    \
        say: number k from 0..20\n      said := k\n      announce \"You said {said}\"\nend draw\n";
    let rules = file(folder.path(), "letters.baize", rules);
    for (typed, said, ended) in [("q\nquit\n", true, false), ("quit\n", false, false), ("q\nq\n", true, true)] {
        let printed = play_typing(&rules, typed);
        assert_eq!(printed.contains("You said 16"), said, "{typed:?}: {printed}");
        assert_eq!(printed.contains("══ draw ══"), ended, "{typed:?}: {printed}");
    }
}

#[test]
fn play_explains_refusals_and_lists_equal_cards_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = file(folder.path(), "bidding.baize", BIDDING);
    let printed = play_typing(&rules, "?\n2\nbid 3\ntulip\nwait\nwait\nwait\n");
    for (there, times) in [
        ("How many?", 1),
        ("Type what stands in front of a choice", 1),
        ("  a  Bid 0\n  b  Bid 1\n  c  Bid 3\n  d  Pass\n", 1),
        ("Two is bad luck", 1),
        ("  You bid 3\n", 1),
        ("  1  Lay Tulip\n", 1),
        ("  2  Lay Tulip\n", 0),
        ("  You play Tulip to the row\n", 1),
        ("══ draw ══", 1),
    ] {
        assert!(printed.matches(there).count().min(1) == times, "{there:?} in\n{printed}");
    }
}

#[test]
fn deal_names_piles_and_phases_as_players_read_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "game \"Mats\"\nplayers 3\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  \
                mat[player]: ordered, everyone sees count\n  heap[suit]: ordered, everyone sees count\nstate\n  met: player\n\
                phase turning \"Turning cards\"\nmet := first player\nask met \"Turn whose?\"\n  turn: pile q from mat where q is not met\n    met := q\n  \
                name: pile s from heap where s is not ♠\nend winner met\n";
    let path = file(folder.path(), "mats.baize", game);
    let output = baize(&["deal", &path]);
    let printed = text(&output.stdout);
    assert!(printed.contains("── Turning cards ──"), "{printed}");
    let offered: Vec<&str> =
        printed.lines().filter_map(|line| line.trim().split_once("  ")).map(|(_, it)| it).collect();
    let piles: Vec<&str> =
        offered.into_iter().filter(|it| it.starts_with("Turn ") || it.starts_with("Name ")).collect();
    assert_eq!(piles, ["Turn Player 2", "Turn Player 3", "Name ♣", "Name ♦", "Name ♥"], "{printed}");
    let printed = text(&baize(&["deal", &path, "--players", "4"]).stderr);
    assert!(printed.contains("This game has 3 seats, not 4."), "{printed}");
}

#[test]
fn simulate_lets_players_leave_and_lose_their_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let steady = file(folder.path(), "steady.baize", &small_game("draw"));
    let report = json(&["simulate", &steady, "--players", "4", "--games", "200", "--leavers", "--absent", "--json"]);
    for what in ["departures", "absences", "returns"] {
        assert!(report["attendance"][what].as_u64() > Some(10), "{what}: {report}");
    }
    assert!(report["outcomes"]["faults"].is_null(), "{report}");
    assert!(json(&["simulate", &steady, "--games", "10", "--json"])["attendance"].is_null());
    // `repeat until given` goes on asking a player who has left.
    let loops = "game \"Gift\"\nplayers 2..4\nstate\n  given: 0..9 = 0\ngiver := first player\nrepeat until given > 8\n  ask giver \"Give it?\"\n    wait\n    give\n      given += 1\nend draw\n";
    let loops = file(folder.path(), "loops.baize", loops);
    let report = json(&["simulate", &loops, "--players", "3", "--games", "200", "--leavers", "--json"]);
    assert!(report["outcomes"]["faults"]["line 6"].as_u64() > Some(0), "{report}");
    let checked = baize(&["check", &loops]);
    assert!(checked.status.success(), "a warning is no error");
    assert!(text(&checked.stderr).contains("If `giver` leaves, this never stops"), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("can be played, but see the warning"), "{}", text(&checked.stdout));
    let refused = baize(&["simulate", &steady, "--leavers", "--bots", "easy,easy"]);
    assert!(text(&refused.stderr).contains("leave out --bots"), "{}", text(&refused.stderr));
}

/// All games of the repository end when players leave, lose their connection and come back.
#[test]
fn games_end_when_players_come_and_go() {
    let games = std::fs::read_dir("../../games").expect("the folder").map(|entry| entry.expect("a file").path());
    for game in games.filter(|path| path.extension().is_some_and(|ending| ending == "baize")) {
        let game = game.to_string_lossy().into_owned();
        let report = json(&["simulate", &game, "--games", "20", "--players", "3", "--leavers", "--absent", "--json"]);
        assert!(report["outcomes"]["faults"].is_null(), "{game}: {report}");
    }
}

#[test]
fn play_shows_private_reveals_and_takes_typed_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game \"Peek\"\nplayers 2\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  \
        hand[player]: ordered, owner sees cards, others see count\nstate\n  said: 0..90000 = 0\n\
        p := first player\nq := next player after p\ndraw 1 from stock to hand[q]\nreveal hand[q] to p\n\
        ask p \"How much?\"\n  say: number k from 0..90000\n    said := k\n    announce \"You said {said}\"\n  pass\nend draw\n";
    let rules = file(folder.path(), "peek.baize", rules);
    let printed = play_typing(&rules, "say 70123\n");
    assert!(printed.contains("  Revealed: A♠ in "), "{printed}");
    assert!(printed.contains("You said 70123"), "{printed}");
    assert!(play_typing(&rules, "80001\n").contains("You said 80001"));
    assert!(!play_typing(&rules, "raise 80001\nquit\n").contains("You said"));
}

#[cfg(unix)]
#[test]
fn play_ends_quietly_when_nobody_reads_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
        .args(["play", "old-maid", "--bots", "easy", "--seed", "5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut typed = child.stdin.take().expect("a terminal");
    let _ = typed.write_all("1\n".repeat(50).as_bytes());
    drop(typed);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(text(&output.stderr), "");
}
