//! Checks that a budget that runs out tells nothing except that the game is over.

use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instantiate;
use baize_engine::laws;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::{Move, Refusal};
use baize_engine::view::{Event, PartKindView, Viewer};
use baize_terminal::offers_are_accepted;

fn table(source: &str, seed: u8) -> LiveTable {
    let program = baize_laws::compile(source).expect("the file is accepted");
    let game = instantiate(program, &[], &[], 3).expect("a table");
    let mut table = LiveTable::new(&game, [seed; 32]);
    for seat in 0..3 {
        table.input(&Input::Join { seat, person: true }).expect("a free seat");
    }
    table.input(&Input::Start).expect("enough players");
    table
}

/// A player may know whether somebody else holds spades, not whether that player does. If the engine looked at the conditions in
/// the order in which they are written, a player with two spades would use up the budget of the question, and the numbers that
/// are offered next would be gone.
const HINT: &str = "game \"Hint\"
players 3
deck cards: standard52
zones
  stock: ordered, everyone sees count, starts with cards
  blind[player]: ordered, others see cards, owner sees count
shuffle stock
deal stock to blind 5 each from first player
p := first player
ask p \"Give a hint\"
  tell: player r from players where (count of (blind[r] where suit is ♠) > 1 and (sum of 1 over i in 1..2000000) > 3) and player is not p
    announce \"{r} has spades\"
  count: number k from 1..9 where (sum of k over i in 1..3) > 5
    announce \"{k}\"
end draw
";

#[test]
fn what_a_question_offers_does_not_depend_on_the_cost_of_hidden_cards() {
    for seed in 0..16 {
        let table = table(HINT, seed);
        laws::sight_decides_legality(&table).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}

/// The answer makes the game announce something. Then the game looks for an ace in a way that uses up the budget only if there is
/// one.
const COSTLY: &str = "game \"Costly\"
players 3
deck cards: standard52
zones
  stock: ordered, everyone sees count, starts with cards
  hand[player]: owner sees cards, others see count
  trick: ordered, everyone sees cards
state
  noted[player]: 0..9 = 0, owner sees
shuffle stock
deal stock to hand 6 each from first player
p := first player
ask p \"Go on?\"
  go_on
    announce \"On we go\"
    move first card of stock to trick
    noted[p] := if any card in hand[p] where rank is A then sum of 1 over i in 1..300000 else 0
    announce \"{reveal noted[p]}\"
ask p \"And now?\"
  stop_it
  wait
end draw
";

/// Returns the announcements that a step sends to everybody.
fn announced(told: &StepBatches) -> Vec<&Event> {
    let batches = told.iter().filter(|(viewer, _)| *viewer == Viewer::Spectator);
    batches.flat_map(|(_, batch)| &batch.events).filter(|event| matches!(event, Event::Announced { .. })).collect()
}

#[test]
fn a_step_over_its_budget_tells_only_that_the_game_is_over() {
    let (mut stopped, mut went_on) = (0, 0);
    for seed in 0..16 {
        let mut table = table(COSTLY, seed);
        let before = laws::views(&table);
        let seat = seats_of(table.open()).next().expect("somebody is asked");
        let decision = table.view(Viewer::Seat(seat)).and_then(|view| view.decision.clone()).expect("a decision").id;
        let batches = table.play(seat, &Move::plain(decision, 0)).expect("a legal answer");
        let Some(ended) = table.outcome().cloned() else {
            went_on += 1;
            assert!(!announced(&batches).is_empty());
            continue;
        };
        stopped += 1;
        assert!(ended.fault.is_some(), "the game ends because of its budget");
        assert!(announced(&batches).is_empty(), "what the step announced is taken back: {:?}", announced(&batches));
        for (viewer, view) in before {
            let after = table.view(viewer).expect("a view");
            assert_eq!(
                (&view.zones, &view.values),
                (&after.zones, &after.values),
                "{viewer:?} sees the table as it was"
            );
        }
    }
    assert!(stopped > 0 && went_on > 0, "{stopped} games stop and {went_on} go on");
}

/// A game that asks one question. Every candidate of a part costs so much that the budget does not last for all of them.
fn asking(question: &str) -> String {
    format!(
        "game \"Dear\"
players 3
deck cards:
  attribute value: 1..3
  attribute colour: red blue
  make value any, colour any, value copies
zones
  stock: ordered, everyone sees count, starts with cards
  hand[player]: owner sees cards, others see count
  row: ordered, everyone sees cards
shuffle stock
deal stock to hand 3 each from first player
draw 3 from stock to row
p := first player
ask p \"Which?\"
{question}
end draw
"
    )
}

/// Questions with every kind of part, alone and with others. The budget runs out in the middle of their conditions.
const COSTLY_QUESTIONS: [&str; 10] = [
    "  whom: player r from players where (sum of 1 over i in 1..600000) > 2",
    "  number: number k from 1..9 where (sum of k over i in 1..300000) > 5",
    "  wide: number k from 1..200 where (sum of k over i in 1..30000) > 5",
    "  one: card c from hand[p] + row where (sum of 1 over i in 1..400000) > 2",
    "  two: 2 cards cs from hand[p] + row where (sum of 1 over i in 1..150000) > 2",
    "  alike: set s from hand[p] + row alike in value where (sum of 1 over i in 1..300000) > 2",
    "  run: run s from hand[p] + row in value where (sum of 1 over i in 1..300000) > 2",
    "  pair: card c from hand[p], number k from 1..3 where (sum of k over i in 1..200000) > value of c",
    "  bound: card c from hand[p] + row\n    must (sum of value of c over i in 1..400000) > 2, else \"Too dear\"\n  out if none",
    "  able: number k from 1..3\n    must (sum of k over i in 1..600000) > 3 if able, else \"Too dear\"",
];

#[test]
fn the_table_accepts_what_it_offers_when_the_budget_runs_out() {
    for question in COSTLY_QUESTIONS {
        for seed in 0..2 {
            let table = table(&asking(question), seed);
            let wrong = |law: &str, result: Result<(), String>| {
                result.unwrap_or_else(|wrong| panic!("{law}: {question}, seed {seed}: {wrong}"))
            };
            wrong("offers are accepted", offers_are_accepted(&table, u64::from(seed)));
            wrong("the rest is refused", laws::unoffered_answers_are_refused(&table, u64::from(seed)));
            wrong("sights decide", laws::sight_decides_legality(&table));
        }
    }
}

/// Each candidate alone costs less than the budget, and all together cost more.
#[test]
fn a_player_who_is_missing_from_the_offer_is_refused() {
    let mut table = table(&asking(COSTLY_QUESTIONS[0]), 1);
    let seat = seats_of(table.open()).next().expect("somebody is asked");
    let decision = table.view(Viewer::Seat(seat)).and_then(|view| view.decision.clone()).expect("a decision");
    let offered = match &decision.alternatives[0].parts[0].kind {
        PartKindView::Player { options } => options.clone(),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(offered, [0, 1], "the budget ends during the second player");
    let refused = table.play(seat, &Move::number(decision.id, 0, 2));
    assert_eq!(refused.err(), Some(Refusal::NotACandidate));
    assert!(table.play(seat, &Move::number(decision.id, 0, 1)).is_ok(), "what is offered is accepted");
}
