//! Tests that the checker and the engine agree on who sees what.
//!
//! Each test writes a list of `… sees …` clauses for a pile, and rules that tell the pile to somebody: to everybody, to its
//! owner, to another player, or to the player of a role. The checker must accept the rules exactly if the engine shows the
//! pile to all these viewers anyway.

use baize_engine::chance::{Chance, FastChance};
use baize_engine::input::Input;
use baize_engine::instantiate;
use baize_engine::live::LiveTable;
use baize_engine::observe::Knowledge;
use baize_engine::sight::{Visibility, sees_dice};
use baize_engine::view::Viewer;
use baize_engine::with_sight;
use std::sync::Arc;

const WHO: [&str; 6] = ["everyone", "players", "spectators", "owner", "others", "turn"];
const WHAT: [&str; 3] = ["cards", "count", "nothing"];
const SEATS: u8 = 3;

fn file(clauses: &str, play: &str) -> String {
    format!(
        "game \"Eyes\"\nplayers 3\ndeck cards: standard52\nzones\n  stock: ordered, nobody sees, starts with cards\n  pile[player]: ordered, {clauses}\nstate\n  turn: player\nturn := first player\ndeal stock to pile 2 each from turn\n{play}\nend draw\n"
    )
}

/// Rules that tell somebody of a pile. Seat 0 has the role.
struct Telling {
    /// Who is told, for messages.
    to: &'static str,
    /// The rules. `{[p]}` stands for the pile of `p`, or for its number of cards.
    play: &'static str,
    /// Whether this viewer may be told of the pile of this seat.
    tells: fn(Viewer, u8) -> bool,
}

const TELLINGS: [Telling; 5] = [
    Telling { to: "everybody", play: "circle p from turn\n  announce \"{[p]}\"", tells: |_, _| true },
    Telling {
        to: "the owner",
        play: "circle p from turn\n  ask p \"{[p]}\"\n    go_on",
        tells: |viewer, owner| viewer == Viewer::Seat(owner),
    },
    Telling {
        to: "another player",
        play: "circle p from turn\n  for r in players where r is not p\n    ask p \"{[r]}\"\n      go_on",
        tells: |viewer, owner| viewer != Viewer::Spectator && viewer != Viewer::Seat(owner),
    },
    Telling {
        to: "the role, of their own",
        play: "ask turn \"{[turn]}\"\n  go_on",
        tells: |viewer, owner| viewer == Viewer::Seat(0) && owner == 0,
    },
    Telling {
        to: "the role, of another",
        play: "for r in players where r is not turn\n  ask turn \"{[r]}\"\n    go_on",
        tells: |viewer, owner| viewer == Viewer::Seat(0) && owner != 0,
    },
];

/// Returns what the engine shows each viewer of each player's pile while seat 0 has the role.
fn levels(clauses: &str) -> Vec<(Viewer, u8, Visibility)> {
    let source = file(clauses, "ask turn \"?\"\n  go_on");
    let (program, problems) = baize_rules::compile(&source);
    let program = program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render("eyes", &source, &problems)));
    let game = instantiate(Arc::new(program), &[], &[], usize::from(SEATS)).expect("an instance");
    let mut table = LiveTable::new(&game, [7; 32]);
    for seat in 0..SEATS {
        table.input(&Input::Join { seat, person: true }).expect("a seat");
    }
    table.input(&Input::Start).expect("a start");
    let viewers = (0..SEATS).map(Viewer::Seat).chain([Viewer::Spectator]);
    let mut seen = Vec::new();
    for viewer in viewers {
        with_sight!(&table.sight(viewer), sight => {
            // The first instance is the stock; the piles follow it.
            seen.extend((0..SEATS).map(|owner| (viewer, owner, sight.level(1 + usize::from(owner)))));
        });
    }
    seen
}

/// Checks that checker and engine agree on these clauses.
fn check_agreement(clauses: &str) {
    let levels = levels(clauses);
    for Telling { to, play, tells } in TELLINGS {
        for (looked_at, needed) in [("pile", Visibility::Cards), ("count of pile", Visibility::Count)] {
            let source = file(clauses, &play.replace("{[", &format!("{{{looked_at}[")));
            let accepted = baize_rules::compile(&source).0.is_some();
            let lacking = levels.iter().find(|(viewer, owner, level)| tells(*viewer, *owner) && *level < needed);
            assert_eq!(
                accepted,
                lacking.is_none(),
                "`{clauses}`: {looked_at} told to {to}; the engine shows too little to {lacking:?}"
            );
        }
    }
}

fn clauses() -> Vec<String> {
    WHO.iter().flat_map(|who| WHAT.map(|what| format!("{who} see {what}"))).collect()
}

#[test]
fn checker_and_engine_agree_on_every_pair_of_clauses() {
    for first in clauses() {
        check_agreement(&first);
        for second in clauses() {
            check_agreement(&format!("{first}, {second}"));
        }
    }
}

#[test]
fn checker_and_engine_agree_on_longer_lists() {
    let all = clauses();
    let mut chance = FastChance::new(14);
    for _ in 0..400 {
        let some: Vec<&str> =
            (0..3 + chance.below(3)).map(|_| all[chance.below(all.len() as u32) as usize].as_str()).collect();
        check_agreement(&some.join(", "));
    }
}

/// Makes a move of seat 0, and returns the values of a variable in the sights of seats 0 and 1.
fn values_after_a_move(source: &str, name: &str) -> [i32; 2] {
    let (program, problems) = baize_rules::compile(source);
    let program = program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render("eyes", source, &problems)));
    let var = program.vars.iter().position(|var| var.name == name).expect("the variable");
    let game = instantiate(Arc::new(program), &[], &[], 2).expect("an instance");
    let mut table = LiveTable::new(&game, [7; 32]);
    for seat in 0..2 {
        table.input(&Input::Join { seat, person: true }).expect("a seat");
    }
    table.input(&Input::Start).expect("a start");
    let answer = with_sight!(&table.sight(Viewer::Seat(0)), sight => {
        let legal = sight.instance().legal(sight.frame(), 0).expect("a question");
        legal.sample_with_text(&mut FastChance::new(1), "")
    });
    table.play(0, &answer).expect("a legal move");
    [0, 1].map(|seat| {
        with_sight!(&table.sight(Viewer::Seat(seat)), sight => {
            sight.frame().cells[sight.instance().layout.vars[var].base as usize]
        })
    })
}

#[test]
fn only_the_owner_sees_the_common_value_of_hidden_cards() {
    let source = "game \"Sets\"\nplayers 2\ndeck cards:\n  attribute value: 1..5\n  make value any, 3 copies\nzones\n  stock: ordered, nobody sees, starts with cards\n  hand[player]: owner sees cards, others see count\n  box[player]: owner sees cards, others see count\nshuffle stock\ndeal stock to hand 4 each from first player\np := first player\nask p \"Hide a set\"\n  hide: set s from hand[p] alike in value\n    move s to box[p]\n    ask p \"You hid {value of s}\"\n      go_on\nend draw\n";
    let [own, other] = values_after_a_move(source, "value of s");
    assert!((1..=5).contains(&own), "the player knows the value: {own}");
    assert!(!(1..=5).contains(&other), "another player knows it, too: {other}");
}

#[test]
fn only_the_addressee_sees_a_revealed_value() {
    let source = "game \"Private value\"\nplayers 2\ndeck cards:\n  attribute value: 1..5\n  make value any, 3 copies\nzones\n  stock: ordered, nobody sees, starts with cards\nstate\n  bid[player]: 0..50 = 0, owner sees\nshuffle stock\np := first player\nask p \"Look?\"\n  look\n    bid[p] := reveal 7 + value of last card of stock to p\n    ask p \"You were told {bid[p]}\"\n      go_on\nend draw\n";
    assert_eq!(values_after_a_move(source, "revealed"), [0, 0]);
    let [own, other] = values_after_a_move(source, "bid");
    assert!(own > 7 && other == 0, "{own}, {other}");
}

const NEWCOMER: &str = "game \"Newcomer\"
players 2..3
newcomers play
deck cards: standard52
zones
  stock: ordered, nobody sees, starts with cards
  hand[player]: ordered, owner sees cards, others see count
  notes: ordered, players see cards, spectators see nothing
state
  bid[player]: 0..9 = 0, owner sees
deal stock to hand 3 each from first player
draw 2 from stock to notes
for p in players
  bid[p] := count of hand[p]
repeat 2 times
  ask first player \"Go\"
    ok
  for p in players
    announce \"{bid[p]}\" as notice to p
  admit
ask first player \"Go\"
  ok
end draw
";

/// A table at which the player of seat 1 has left, and somebody else has sat down there.
fn table_with_newcomer() -> LiveTable {
    let program = baize_rules::compile(NEWCOMER).0.expect("accepted");
    let game = instantiate(Arc::new(program), &[], &[], 2).expect("a game");
    let mut table = LiveTable::new(&game, [7; 32]);
    for seat in 0..2 {
        table.input(&Input::Join { seat, person: true }).expect("a free seat");
    }
    table.input(&Input::Start).expect("a start");
    table.input(&Input::Leave { seat: 1 }).expect("a player");
    table.input(&Input::Join { seat: 1, person: true }).expect("a free seat");
    table
}

fn go_on(table: &mut LiveTable) {
    let answer = table.default_move(0).expect("an answer");
    table.play(0, &answer).expect("a legal answer");
}

/// What a viewer sees of zones and sealed values.
fn seen(table: &LiveTable, viewer: Viewer) -> String {
    let view = table.view(viewer).expect("a viewer");
    let content: Vec<_> = view.zones.iter().map(|zone| format!("{:?}", zone.content)).collect();
    format!("{content:?} {:?}", view.values)
}

#[test]
fn a_newcomer_sees_what_spectators_see_until_admitted() {
    let mut table = table_with_newcomer();
    let spectator = Viewer::Spectator;
    assert_eq!(table.knowledge(Viewer::Seat(1)), Some(&Knowledge::default()), "nothing is remembered for the seat");
    assert_eq!(seen(&table, Viewer::Seat(1)), seen(&table, spectator), "cards and bid of the last player are hidden");
    assert_ne!(seen(&table, Viewer::Seat(0)), seen(&table, spectator), "a player sees more");
    go_on(&mut table);
    assert_ne!(seen(&table, Viewer::Seat(1)), seen(&table, spectator), "who was admitted sees what is in the seat");
}

const LIFTED: &str = "game \"Lifted\"
players 3
deck cards: standard52
zones
  stock: ordered, nobody sees, starts with cards
  hand[player]: owner sees cards, others see count, everyone sees cards when lifted
dice
  cup[player]: faces 1..6, owner sees, everyone sees when lifted
state
  lifted[player]: yes/no = no
deal stock to hand 2 each from first player
roll cup
p := first player
lifted[p] := yes
ask p \"Go\"
  ok
end draw
";

#[test]
fn a_state_of_each_owner_opens_only_what_that_owner_has() {
    let (program, problems) = baize_rules::compile(LIFTED);
    let program = program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render("eyes", LIFTED, &problems)));
    let dice = program.vars.iter().position(|var| var.name == "cup").expect("the dice") as u32;
    let game = instantiate(Arc::new(program), &[], &[], 3).expect("an instance");
    let mut table = LiveTable::new(&game, [7; 32]);
    for seat in 0..3 {
        table.input(&Input::Join { seat, person: true }).expect("a seat");
    }
    table.input(&Input::Start).expect("a start");
    for viewer in [Viewer::Seat(1), Viewer::Spectator] {
        with_sight!(&table.sight(viewer), sight => {
            let hands = [1, 2, 3].map(|zone| sight.level(zone));
            let own = if viewer == Viewer::Spectator { Visibility::Count } else { Visibility::Cards };
            assert_eq!(hands, [Visibility::Cards, own, Visibility::Count], "{viewer:?}");
            let sees = |owner| sees_dice(sight.instance(), sight.frame(), viewer, dice, owner);
            assert_eq!([0, 1, 2].map(sees), [true, viewer != Viewer::Spectator, false], "{viewer:?}");
        });
    }
    let told = LIFTED.replace("ask p \"Go\"", "announce \"{hand[p]}\"\nask p \"Go\"");
    assert!(baize_rules::compile(&told).0.is_none(), "to the rules the cards stay hidden");
}
