//! Tests that the checker and the engine agree on who sees what.
//!
//! Each test writes a list of `… sees …` clauses for a pile, and rules that tell the pile to somebody: to everybody, to its
//! owner, to another player, or to the player of a role. The checker must accept the rules exactly if the engine shows the
//! pile to all these viewers anyway.

use baize_engine::chance::{Chance, FastChance};
use baize_engine::input::Input;
use baize_engine::instantiate;
use baize_engine::live::LiveTable;
use baize_engine::sight::Visibility;
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
    let source = "game \"Told\"\nplayers 2\ndeck cards:\n  attribute value: 1..5\n  make value any, 3 copies\nzones\n  stock: ordered, nobody sees, starts with cards\nstate\n  bid[player]: 0..50 = 0, owner sees\nshuffle stock\np := first player\nask p \"Look?\"\n  look\n    bid[p] := reveal 7 + value of last card of stock to p\n    ask p \"You were told {bid[p]}\"\n      go_on\nend draw\n";
    assert_eq!(values_after_a_move(source, "revealed"), [0, 0]);
    let [own, other] = values_after_a_move(source, "bid");
    assert!(own > 7 && other == 0, "{own}, {other}");
}
