//! What a budget that runs out may tell: nothing, except that the game is over.

use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instantiate;
use baize_engine::laws;
use baize_engine::live::LiveTable;
use baize_engine::moves::Move;
use baize_engine::view::Viewer;

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

/// The answer makes the game announce something, and then look for an ace in a way that uses up the budget if there is one.
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

#[test]
fn a_step_over_its_budget_tells_only_that_the_game_is_over() {
    let (mut stopped, mut went_on) = (0, 0);
    for seed in 0..16 {
        let mut table = table(COSTLY, seed);
        let before = laws::views(&table);
        let seat = seats_of(table.open()).next().expect("somebody is asked");
        let decision = table.view(Viewer::Seat(seat)).and_then(|view| view.decision.clone()).expect("a decision").id;
        let told = table.play(seat, &Move::plain(decision, 0)).expect("a legal answer");
        let Some(ended) = table.outcome().cloned() else {
            went_on += 1;
            assert!(!told.announced.is_empty());
            continue;
        };
        stopped += 1;
        assert!(ended.fault.is_some(), "the game ends because of its budget");
        assert!(told.announced.is_empty(), "what the step announced is taken back: {:?}", told.announced);
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
