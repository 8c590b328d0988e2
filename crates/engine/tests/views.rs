//! Tests examples of views, batches, knowledge, worlds and definitions. `laws.rs` tests the general laws.

use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::definition::{Definition, TableDefinition};
use baize_engine::input::Input;
use baize_engine::instance::Game;
use baize_engine::instantiate;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::Refusal;
use baize_engine::reduce::{ReduceError, ReplacedContent, reduce};
use baize_engine::resample::Beliefs;
use baize_engine::view::{
    Answer, Batch, CardView, Cause, Chosen, Content, Event, PartKindView, Placed, View, Viewer, ZoneView,
};
use baize_engine::with_sight;
use baize_engine::world::{World, Worlds};
use baize_rules::program::{OptionValue, Program, VarKind};
use baize_terminal::Terminal;
use baize_terminal::choices;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn program(path: &str) -> Arc<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let source = std::fs::read_to_string(root.join("../..").join(path)).unwrap();
    let (program, diagnostics) = baize_rules::compile(&source);
    Arc::new(program.unwrap_or_else(|| panic!("{path}: {diagnostics:?}")))
}

fn game(path: &str, seats: usize) -> Game {
    instantiate(program(path), &[], &[], seats).unwrap()
}

/// Makes a table, seats this many people and starts it.
fn table(game: &Game, seats: u8, seed: u8) -> LiveTable {
    let mut table = LiveTable::new(game, [seed; 32]);
    for seat in 0..seats {
        table.input(&Input::Join { seat, person: true }).unwrap();
    }
    table.input(&Input::Lead { seat: Some(0) }).unwrap();
    table.input(&Input::Start).unwrap();
    table
}

/// Makes a random move of the first seat that is asked.
fn move_on(table: &mut LiveTable, chance: &mut FastChance) -> Option<(u8, StepBatches)> {
    let seat = (0..32).find(|seat| table.open() >> seat & 1 == 1)?;
    let answer = with_sight!(&table.sight(Viewer::Seat(seat)), sight => {
        sight.instance().legal(sight.frame(), seat).unwrap().sample_with_text(chance, "text")
    });
    Some((seat, table.play(seat, &answer).unwrap()))
}

fn names() -> Vec<String> {
    ["Ada", "Ben", "Cy", "Di"].map(str::to_owned).to_vec()
}

#[test]
fn replayed_moves_give_the_same_batches() {
    let game = game("crates/engine/tests/law_games/seals.baize", 4);
    let play = || {
        let (mut table, mut chance) = (table(&game, 4, 7), FastChance::new(1));
        (0..80).map_while(|_| move_on(&mut table, &mut chance)).collect::<Vec<_>>()
    };
    let (first, again) = (play(), play());
    assert!(first.len() > 40);
    assert!(first == again, "handles, events or their order differ on replay");
}

#[test]
fn no_viewer_learns_the_origin_of_a_mixed_pile() {
    let game = game("crates/engine/tests/law_games/seals.baize", 4);
    let (mut table, mut chance) = (table(&game, 4, 3), FastChance::new(5));
    let layout = table.definition();
    let is = |zone: Option<u16>, name: &str| zone.is_some_and(|zone| layout.zones[usize::from(zone)].zone == name);
    let mut mixes = 0;
    for _ in 0..200 {
        let Some((_, batches)) = move_on(&mut table, &mut chance) else { break };
        for (viewer, batch) in batches.iter() {
            let mut gone_from_entries = Vec::new();
            for event in &batch.events {
                let Event::Moved { from, to, gone, came, .. } = event else { continue };
                if is(*from, "entry") && to.is_none() {
                    gone_from_entries.extend(gone);
                }
                if is(*to, "shown") {
                    assert_eq!(*from, None, "{viewer:?} is told where a shown pile comes from");
                    assert!(came.iter().all(|placed| !gone_from_entries.contains(&&placed.card.handle)));
                    mixes += 1;
                }
            }
        }
    }
    assert!(mixes > 10, "piles were mixed");
}

#[test]
fn viewers_remember_cards_that_were_picked_up_openly() {
    let game = game("games/donkey.baize", 3);
    let (mut table, mut chance) = (table(&game, 3, 1), FastChance::new(2));
    let layout = table.definition();
    let zone = |name: &str, owner: Option<u8>| {
        layout.zones.iter().position(|zone| zone.zone == name && zone.owner == owner).unwrap()
    };
    let trick = zone("trick", None);
    let mut picked_up = 0;
    for _ in 0..200 {
        let before = table.view(Viewer::Spectator).unwrap().clone();
        let Some((_, batches)) = move_on(&mut table, &mut chance) else { break };
        let batch = batches.of(Viewer::Spectator).unwrap();
        for taker in 0..3u8 {
            let hand = zone("hand", Some(taker)) as u16;
            let took = |event: &&Event| matches!(event, Event::Moved { from: Some(from), to: Some(to), .. } if usize::from(*from) == trick && *to == hand);
            if batch.events.iter().find(took).is_none() {
                continue;
            }
            picked_up += 1;
            let Content::Cards(cards) = &before.zones[trick].content else { panic!("the trick is open") };
            for viewer in [Viewer::Spectator, Viewer::Seat((taker + 1) % 3)] {
                let knowledge = table.knowledge(viewer).unwrap();
                for card in cards {
                    let known = knowledge.in_zone(hand).any(|(face, _)| Some(face) == card.face);
                    // The set may have ended the round, so that the cards were dealt again.
                    let dealt = batch.events.iter().any(|event| matches!(event, Event::Phase { .. }));
                    assert!(known || dealt, "{viewer:?} forgets {card:?}");
                }
                with_sight!(&table.sight(viewer), sight => {
                    let world = World::new(sight, &Beliefs { knowledge, cannot: &[] }, 9);
                    for (zone, face, count) in knowledge.iter() {
                        let cards = world.frame().sets[usize::from(zone)].iter();
                        let there = cards.filter(|card| world.instance().face(*card) == face).count();
                        assert!(there >= count as usize);
                    }
                });
            }
            assert!(
                table.knowledge(Viewer::Seat(taker)).unwrap().in_zone(hand).next().is_none(),
                "the taker sees the cards, so nothing is remembered"
            );
        }
    }
    assert!(picked_up > 3);
}

#[test]
fn worlds_respect_cards_that_a_bot_has_ruled_out() {
    let game = game("games/donkey.baize", 4);
    let (mut table, mut chance) = (table(&game, 4, 2), FastChance::new(8));
    for _ in 0..9 {
        move_on(&mut table, &mut chance);
    }
    let layout = table.definition();
    let hand = |owner| layout.zones.iter().position(|zone| zone.zone == "hand" && zone.owner == Some(owner)).unwrap();
    let knowledge = table.knowledge(Viewer::Seat(0)).unwrap();
    with_sight!(&table.sight(Viewer::Seat(0)), sight => {
        let suit = &sight.instance().cards.attrs[0];
        let none = suit.has.andnot(&suit.has);
        // The second player has run out of two suits, and the third of another one.
        let mut cannot = vec![none; sight.instance().zones()];
        cannot[hand(1)] = suit.equal[0].or(&suit.equal[3]);
        cannot[hand(2)].clone_from(&suit.equal[1]);
        let mut different = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let world = World::new(sight, &Beliefs { knowledge, cannot: &cannot }, seed);
            for seat in 1..4 {
                let held = &world.frame().sets[hand(seat)];
                let known = |card: u16| knowledge.in_zone(hand(seat) as u16).any(|(face, _)| face == world.instance().face(card));
                assert!(held.and(&cannot[hand(seat)]).iter().all(known), "seed {seed}: seat {seat} holds a card that was ruled out");
            }
            different.insert(format!("{:?}", world.frame().sets));
        }
        assert!(different.len() > 190, "worlds differ");
    });
}

#[test]
fn worlds_have_as_many_dice_as_were_thrown() {
    let two_each = [("dice_each".to_owned(), OptionValue::Number(2))];
    let game = instantiate(program("games/liars-dice.baize"), &two_each, &[], 3).unwrap();
    let table = table(&game, 3, 4);
    let knowledge = table.knowledge(Viewer::Seat(0)).unwrap();
    with_sight!(&table.sight(Viewer::Seat(0)), sight => {
        let beliefs = Beliefs { knowledge, cannot: &[] };
        let mut worlds = Worlds::new(sight, &beliefs, 1);
        let instance = sight.instance();
        let cup = instance.program.vars.iter().position(|var| var.name == "cup").unwrap();
        let cells = instance.layout.vars[cup].base as usize..;
        let mut different = std::collections::BTreeSet::new();
        for _ in 0..20 {
            let world = worlds.another();
            // Each player has five dice, of which two were thrown.
            let dice = &world.frame().cells[cells.clone()][..15];
            assert!(dice.chunks(5).all(|own| own.iter().filter(|die| **die > 0).count() == 2), "{dice:?}");
            different.insert(dice[5..].to_vec());
        }
        assert!(different.len() > 10, "others' dice differ");
    });
}

#[test]
fn each_hidden_card_is_in_turn_the_next_card_of_the_stock() {
    let game = game("games/high-low.baize", 2);
    let table = table(&game, 2, 5);
    let knowledge = table.knowledge(Viewer::Seat(0)).unwrap();
    with_sight!(&table.sight(Viewer::Seat(0)), sight => {
        let stock = table.definition().zones.iter().position(|zone| zone.zone == "stock").unwrap();
        let beliefs = Beliefs { knowledge, cannot: &[] };
        let mut worlds = Worlds::new(sight, &beliefs, 1);
        for _ in 0..3 {
            let mut tops = std::collections::BTreeSet::new();
            while tops.is_empty() || !worlds.even() {
                let world = worlds.another();
                tops.insert(*world.instance().in_order(world.frame(), stock).last().unwrap());
            }
            assert_eq!(tops.len(), 43);
        }
    });
}

#[test]
fn a_revealed_value_has_the_name_of_its_variable() {
    let game = game("games/donkey.baize", 3);
    let mut table = LiveTable::new(&game, [1; 32]);
    (0..3).for_each(|seat| drop(table.input(&Input::Join { seat, person: true }).unwrap()));
    let batches = table.input(&Input::Start).unwrap();
    let revealed = batches.of(Viewer::Spectator).unwrap().events.iter().find_map(|event| match event {
        Event::Revealed { text: Some(text), .. } => Some(text.clone()),
        _ => None,
    });
    let definition = table.definition();
    let terminal = Terminal { table: &definition, names: &names(), you: None };
    let revealed = terminal.line(&revealed.unwrap());
    assert!(["Leader: Ada", "Leader: Ben", "Leader: Cy"].contains(&&*revealed), "{revealed}");
}

#[test]
fn a_batch_that_does_not_fit_is_an_error() {
    let card = |handle| CardView { handle, face: Some(1), written: None, by: None };
    let zone = |content| ZoneView { content, turned: false };
    let view = View {
        zones: vec![zone(Content::Cards(vec![card(1), card(2)])), zone(Content::Count(1)), zone(Content::Nothing)],
        ..View::default()
    };
    let moved = |from, to, count, gone: &[u32], came: &[(u32, u32)]| Event::Moved {
        from,
        to,
        count,
        gone: gone.to_vec(),
        came: came.iter().map(|(at, handle)| Placed { at: *at, card: card(*handle) }).collect(),
    };
    let result = |seq, event| {
        let batch = Batch { seq, cause: Cause::Start, events: vec![event] };
        reduce(&mut view.clone(), &batch).map(|replaced| replaced.contents)
    };
    assert_eq!(result(1, moved(Some(0), Some(1), 1, &[2], &[])), Ok(vec![ReplacedContent::Cards(vec![card(2)])]));
    assert_eq!(result(2, moved(Some(0), Some(1), 1, &[2], &[])), Err(ReduceError::Seq { have: 0, got: 2 }));
    assert_eq!(result(1, moved(Some(0), Some(1), 1, &[7], &[])), Err(ReduceError::Handle(7)));
    assert_eq!(result(1, moved(Some(0), Some(1), 2, &[2], &[])), Err(ReduceError::Count));
    assert_eq!(result(1, moved(Some(1), Some(0), 2, &[], &[(0, 3), (0, 4)])), Err(ReduceError::Count));
    assert_eq!(result(1, moved(Some(1), Some(0), 1, &[], &[(3, 3)])), Err(ReduceError::Count));
    assert_eq!(result(1, moved(Some(2), None, 1, &[], &[])), Err(ReduceError::Index));
    assert_eq!(result(1, moved(Some(9), None, 1, &[], &[])), Err(ReduceError::Index));
    assert_eq!(result(1, Event::Value { var: 0, element: 0, value: None }), Err(ReduceError::Index));
    assert_eq!(result(1, Event::Dice { dice: 0, element: 0, face: None }), Err(ReduceError::Index));
    assert_eq!(result(1, Event::Cards { zone: 1, cards: vec![card(1)] }), Err(ReduceError::Index));
    assert_eq!(result(1, Event::Cards { zone: 0, cards: vec![card(5)] }), Err(ReduceError::Handle(5)));
    assert_eq!(result(1, Event::Status { from: 0, lines: vec![].into() }), Ok(Vec::new()));
    assert_eq!(result(1, Event::Status { from: 1, lines: vec![].into() }), Err(ReduceError::Index));
}

#[test]
fn the_terminal_lists_every_legal_answer_once() {
    for path in [
        "games/donkey.baize",
        "games/high-low.baize",
        "games/great-dalmuti.baize",
        "games/pig.baize",
        "games/old-maid.baize",
    ] {
        let game = game(path, 3);
        let mut table = table(&game, 3, 1);
        let definition = table.definition();
        let names = names();
        let terminal = Terminal { table: &definition, names: &names, you: None };
        let mut chance = FastChance::new(4);
        for _ in 0..60 {
            let Some(seat) = (0..3u8).find(|seat| table.open() >> seat & 1 == 1) else { break };
            let choices = choices(&terminal, table.view(Viewer::Seat(seat)).unwrap(), 200);
            let legal = with_sight!(&table.sight(Viewer::Seat(seat)), sight => sight.instance().legal(sight.frame(), seat).unwrap().count());
            assert_eq!(choices.len() as u64, legal.min(200), "{path}: every legal answer is listed once");
            let choice = &choices[chance.below(choices.len() as u32) as usize];
            table
                .answer(seat, &choice.answer)
                .unwrap_or_else(|refusal| panic!("{path}: {} is refused: {refusal:?}", choice.label));
        }
    }
}

#[test]
fn a_card_is_never_named_by_its_number() {
    let game = game("games/donkey.baize", 3);
    let table = table(&game, 3, 1);
    let seat = (0..3u8).find(|seat| table.open() >> seat & 1 == 1).unwrap();
    let decision = table.view(Viewer::Seat(seat)).unwrap().decision.clone().unwrap();
    let mut cards = 0;
    for alternative in &decision.alternatives {
        let [part] = &alternative.parts[..] else { continue };
        let PartKindView::Card { options, .. } = &part.kind else { continue };
        cards += options.len();
        let answer = |chosen| Answer { decision: decision.id, alternative: alternative.index, parts: vec![chosen] };
        for number in -1..60 {
            let refusal = table.clone().answer(seat, &answer(Chosen::Number(number)));
            assert_eq!(refusal.unwrap_err(), Refusal::WrongParts, "card {number}");
        }
        for handle in options {
            table.clone().answer(seat, &answer(Chosen::Card(*handle))).unwrap();
        }
    }
    assert!(cards > 0, "a card is asked for");
}

#[test]
fn the_terminal_writes_a_table() {
    let game = game("games/donkey.baize", 3);
    let (mut table, mut chance) = (table(&game, 3, 1), FastChance::new(3));
    for _ in 0..7 {
        move_on(&mut table, &mut chance);
    }
    let definition = table.definition();
    let names = names();
    let terminal = Terminal { table: &definition, names: &names, you: None };
    let seat = (0..3u8).find(|seat| table.open() >> seat & 1 == 1).unwrap();
    insta::assert_snapshot!("donkey_seat", terminal.write(table.view(Viewer::Seat(seat)).unwrap()));
    insta::assert_snapshot!("donkey_spectator", terminal.write(table.view(Viewer::Spectator).unwrap()));
}

#[test]
fn definitions_match_their_snapshots() {
    let mut cah = Definition::of("cards-against-humanity", &program("games/cards-against-humanity.baize"));
    cah.notes.clear();
    insta::assert_json_snapshot!("definition_cah", cah);
    let dalmuti = game("games/great-dalmuti.baize", 3);
    let table: TableDefinition = LiveTable::new(&dalmuti, [0; 32]).definition();
    insta::assert_json_snapshot!("table_dalmuti", table);
}

/// Plural forms, lists of players, names of values, cards at a place, and a ranking by several values.
#[test]
fn texts_say_what_lies_on_the_table_and_rankings_break_ties() {
    let game = game("crates/engine/tests/law_games/words.baize", 3);
    let names = names();
    let mut thirds = 0;
    for seed in 0..4 {
        let (mut table, mut chance) = (table(&game, 3, seed), FastChance::new(u64::from(seed)));
        let definition = table.definition();
        let terminal = Terminal { table: &definition, names: &names, you: None };
        let row_at = definition.zones.iter().position(|zone| zone.zone == "row").unwrap();
        let mut laid = [0; 3];
        loop {
            let view = table.view(Viewer::Spectator).unwrap();
            let Content::Cards(row) = &view.zones[row_at].content else { panic!("the row is open") };
            let lines: Vec<String> = view.status.iter().map(|line| terminal.line(line)).collect();
            let who: Vec<&str> = (0..3).filter(|seat| laid[*seat] > 0).map(|seat| &*names[seat]).collect();
            let who = match who[..] {
                [] => "nobody".to_owned(),
                [one] => one.to_owned(),
                [one, two] => format!("{one} and {two}"),
                _ => who[..2].join(", ") + " and " + who[2],
            };
            assert_eq!(lines[0], format!("{who} laid"));
            let cards = if row.len() == 1 { "card" } else { "cards" };
            assert_eq!(lines[1], format!("{} {cards}", row.len()));
            let third = row.get(2).map_or("none".to_owned(), |card| terminal.card(card));
            assert_eq!(lines[2], format!("Third: {third}"));
            thirds += usize::from(row.len() > 2);
            if table.view(Viewer::Spectator).unwrap().seq < 2 {
                assert_eq!(lines[3], "Wanted: Ace");
            }
            let before = row.len();
            let Some((seat, _)) = move_on(&mut table, &mut chance) else { break };
            let Content::Cards(row) = &table.view(Viewer::Spectator).unwrap().zones[row_at].content else { panic!() };
            laid[usize::from(seat)] += row.len() - before;
        }
        let ranks = &table.outcome().expect("the game is over").ranks[..3];
        // Whoever laid more cards, or sits later, comes first.
        let mut order = [0, 1, 2];
        order.sort_by_key(|seat| std::cmp::Reverse((laid[*seat], *seat)));
        for (rank, seat) in (1..).zip(order) {
            assert_eq!(ranks[seat], rank, "{laid:?}");
        }
    }
    assert!(thirds > 10, "a third card lay there {thirds} times");
}

#[test]
fn the_terminal_writes_sealed_values_at_ones_own_seat_alone() {
    let source = "game \"Secrets\"\nplayers 2\nstate\n  bid[player]: 0..9 = 0, owner sees\n  prey[player]: player, owner sees\n\
                  for p in players\n  bid[p] := 4\np := first player\nprey[p] := next player after p\n\
                  ask p \"Go\"\n  ok\nfor r in players\n  announce \"{reveal bid[r]} {reveal prey[r]}\"\nend draw\n";
    let (program, problems) = baize_rules::compile(source);
    let program = program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render("views", source, &problems)));
    let game = instantiate(Arc::new(program), &[], &[], 2).expect("a game");
    let mut table = LiveTable::new(&game, [7; 32]);
    for seat in 0..2 {
        table.input(&Input::Join { seat, person: true }).expect("a seat");
    }
    table.input(&Input::Start).expect("a start");
    let definition = table.definition();
    let written = |viewer: Viewer| {
        let terminal = Terminal { table: &definition, names: &names(), you: None };
        terminal.write(table.view(viewer).expect("a view"))
    };
    let first = written(Viewer::Seat(0));
    assert!(first.contains("bid 4, prey B"), "{first}");
    let second = written(Viewer::Seat(1));
    assert!(second.contains("bid 4") && !second.contains("prey"), "{second}");
    assert_eq!((first.matches("bid").count(), second.matches("bid").count()), (1, 1));
    assert!(!written(Viewer::Spectator).contains("bid"));
}

const OMENS: &str = "game \"Omens\"
players 2
dice
  omen[1..3]: faces sun sun rain
state
  n: 0..9 = 0
roll omen
ask first player \"Roll again\"
  again: dice d from omen where count of d is 1
    roll d
n := count of i in 1..3 where omen[i] is sun
announce \"{omen[1]}, {n} in all\"
end draw
show
  sign rain \"☂\"
";

#[test]
fn dice_show_the_words_on_their_sides() {
    let (program, problems) = baize_rules::compile(OMENS);
    let program = program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render("omens", OMENS, &problems)));
    let dice = &program.vars.iter().find(|var| var.name == "omen").expect("the dice").kind;
    assert!(matches!(dice, VarKind::Dice { low: 1, high: 3, faces: Some(_), .. }));
    let preview = Definition::of("omens", &program).preview;
    let words: Vec<_> = preview.dice[0].faces.iter().map(|face| (&*face.word, face.sign.as_deref())).collect();
    assert_eq!(words, [("sun", None), ("sun", None), ("rain", Some("☂"))]);
    let game = instantiate(Arc::new(program), &[], &[], 2).expect("a game");
    let mut faces = BTreeSet::new();
    for seed in 0..20 {
        let mut table = table(&game, 2, seed);
        let definition = table.definition();
        assert_eq!(definition.dice[0].faces.len(), 3);
        let names = names();
        let terminal = Terminal { table: &definition, names: &names, you: None };
        let view = table.view(Viewer::Seat(0)).expect("a seat").clone();
        let word = |face: &Option<i32>| if *face == Some(3) { "rain" } else { "sun" };
        let shown: Vec<_> = view.dice[0].faces.iter().map(word).collect();
        assert!(terminal.write(&view).contains(&shown.join(" ")), "{}", terminal.write(&view));
        faces.extend(view.dice[0].faces.iter().flatten().copied());
        let (_, batches) = move_on(&mut table, &mut FastChance::new(u64::from(seed))).expect("a move");
        let told = batches.of(Viewer::Spectator).expect("a batch");
        let announced = told.events.iter().find_map(|event| match event {
            Event::Announced { text, .. } => Some(terminal.line(text)),
            _ => None,
        });
        let rolled = &table.view(Viewer::Spectator).expect("spectators").dice[0].faces;
        let suns = rolled.iter().filter(|face| word(face) == "sun").count();
        assert_eq!(announced, Some(format!("{}, {suns} in all", word(&rolled[0]))));
    }
    assert_eq!(faces, BTreeSet::from([1, 2, 3]));
}
