//! Tests that every file in `games/` must pass. A new file needs no new test.
//!
//! The plain tests play random games with every number of players: each game ends, and none gets stuck. The deep tests play
//! fewer games. At every k-th move they check all laws of `baize_engine::laws`, that `play` accepts exactly the legal moves,
//! that a refused move changes nothing, replays, saved tables and copies; and players join, leave, vanish and come back at
//! random moments. A failure prints the game, the number of players and the seed: `CONFORMANCE=donkey:4:17` runs that one
//! again. `CONFORMANCE_GAMES` sets the number of plain games, `CONFORMANCE_DEEP` that of deep ones.

mod games;

use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::{Frame, SeatFrame, Status, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::{Game, Instance};
use baize_engine::laws::{self, TwinStep};
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::{Move, PartValue};
use baize_engine::sink::{NullSink, RawEvent};
use baize_engine::table::SaveError;
use baize_engine::view::Viewer;
use baize_engine::{with_game, with_sight};
use games::{TestGame, all};

/// Runs a test for every game and every number of players; a deep test only for the three smallest numbers and the largest.
fn for_each_game(deep: bool, mut test: impl FnMut(&TestGame, usize)) {
    let only = std::env::var("CONFORMANCE").ok();
    let only: Option<Vec<&str>> = only.as_deref().map(|o| o.split(':').collect());
    for found in all() {
        let range = found.players();
        let (low, high) = (*range.start(), *range.end());
        for players in range.filter(|n| !deep || *n < low + 3 || *n == high) {
            let wanted =
                only.as_ref().is_none_or(|o| o[0] == found.name && o.get(1).is_none_or(|p| *p == players.to_string()));
            if wanted {
                test(&found, players);
            }
        }
    }
}

fn only_seed() -> Option<u64> {
    std::env::var("CONFORMANCE").ok()?.split(':').nth(2)?.parse().ok()
}

fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let only = only_seed();
    (1..=count).filter(move |s| only.is_none_or(|o| o == *s)).chain(only.filter(|o| *o > count))
}

/// Makes a table, seats everyone and starts it. Returns the table and its log.
fn started(game: &Game, players: usize, seed: u64) -> (LiveTable, Vec<Entry>) {
    let mut table = LiveTable::new(game, games::seed(seed));
    let mut log = Vec::new();
    for seat in 0..players as u8 {
        log.push(Entry::Input(Input::Join { seat, person: true }));
    }
    log.push(Entry::Input(Input::Lead { seat: Some(0) }));
    log.push(Entry::Input(Input::Start));
    for entry in &log {
        entry.apply(&mut table);
    }
    (table, log)
}

/// One entry of a table's log. Applying all entries to a new table makes the same table again.
#[derive(Clone, Debug)]
enum Entry {
    Input(Input),
    Move(u8, Move),
}

impl Entry {
    fn apply(&self, table: &mut LiveTable) -> StepBatches {
        let result = match self {
            Entry::Input(input) => table.input(input),
            Entry::Move(seat, answer) => table.play(*seat, answer),
        };
        result.unwrap_or_else(|refusal| panic!("{self:?} was accepted once and is refused now: {refusal:?}"))
    }
}

fn random_move(table: &LiveTable, chance: &mut FastChance) -> Option<(u8, Move)> {
    let open = table.open();
    let seat = seats_of(open).nth(chance.below(open.count_ones().max(1)) as usize)?;
    let sight = table.sight(Viewer::Seat(seat));
    Some((seat, with_sight!(&sight, s => s.instance().legal(s.frame(), seat)?.sample_with_text(chance, "Made up"))))
}

/// Makes a frame without observers, seats everyone and starts it.
fn start_frame<S: CardSet>(instance: &Instance<S>, players: usize, chance: &mut FastChance) -> Frame<S> {
    let mut frame = instance.frame();
    let joins = (0..players as u8).map(|seat| Input::Join { seat, person: true });
    for input in joins.chain([Input::Lead { seat: Some(0) }]) {
        instance.input(&mut frame, &input, chance, &mut NullSink).expect("a free seat");
    }
    instance.start(&mut frame, chance, &mut NullSink).expect("enough players");
    frame
}

/// Plays a random game without observers. Returns whether the game reached its limit of moves.
fn play_to_the_end(game: &Game, players: usize, seed: u64, what: &str) -> bool {
    with_game!(game, instance => {
        let mut chance = FastChance::new(seed);
        let mut frame = start_frame(instance, players, &mut chance);
        while frame.status == Status::Asking {
            let at = chance.below(frame.open.count_ones()) as usize;
            let seat = seats_of(frame.open).nth(at).expect("somebody is asked");
            let legal = instance.legal(&frame, seat).expect("a seat that is asked has a legal move");
            let answer = legal.sample_with_text(&mut chance, "Made up");
            instance.play_unchecked(&mut frame, seat, &answer, &mut chance, &mut NullSink);
        }
        assert_eq!(frame.status, Status::Ended, "{what} {players} seed {seed}: stuck");
        let outcome = frame.outcome.as_ref().expect("an outcome");
        assert!(outcome.fault.is_none(), "{what} {players} seed {seed}: out of budget");
        frame.moves >= instance.program.meta.limit
    })
}

/// Clears the leftovers of closed decisions, which mean nothing and may differ between equal frames.
fn clear_closed_decisions<S: CardSet>(frame: &mut Frame<S>) {
    for (seat, seat_frame) in frame.seats.iter_mut().enumerate() {
        if frame.open >> seat & 1 == 0 {
            *seat_frame = SeatFrame::default();
        }
    }
    if frame.open == 0 {
        frame.decision = 0;
    }
    if frame.ended() {
        frame.pc = 0;
    }
}

/// Compares two ways to play the same random moves. A playout draws moves without listing them and runs compiled
/// instructions that tell no sink. The slow way lists all legal moves, samples one and tells a sink. Both must make the same
/// frames, also when players are absent, come back or leave in between.
fn playouts_equal_listed_moves(game: &Game, players: usize, seed: u64, what: &str) {
    with_game!(game, instance => {
        let (mut chance, mut choice) = (FastChance::new(seed), FastChance::new(!seed));
        let mut fast = start_frame(instance, players, &mut chance);
        // Every other game begins shortly before its limit of moves.
        if seed.is_multiple_of(2) {
            fast.moves = instance.program.meta.limit.saturating_sub(80);
        }
        let mut slow = fast.clone();
        let (mut same_chance, mut same_choice) = (chance.clone(), choice.clone());
        let mut accidents = FastChance::new(seed ^ 77);
        for n in 0..1_000 {
            if accidents.below(20) == 0 {
                let seat = accidents.below(players as u32) as u8;
                let input = match accidents.below(30) {
                    0 => Input::Leave { seat },
                    1..10 => Input::Absent { seat },
                    _ => Input::Present { seat },
                };
                let one = instance.input(&mut fast, &input, &mut chance, &mut NullSink);
                let other = instance.input(&mut slow, &input, &mut same_chance, &mut Vec::<RawEvent>::new());
                assert_eq!((one, &fast), (other, &slow), "{what} {players} seed {seed}: before move {n}, {input:?}");
            }
            if fast.open == 0 {
                break;
            }
            // A playout of several moves takes most answers without opening a decision.
            let most = if accidents.below(4) == 0 { 60 } else { 1 + accidents.below(4) };
            let made = instance.playout(&mut fast, most, &mut chance, &mut choice);
            let mut answers = Vec::new();
            for _ in 0..made {
                let seat = slow.open.trailing_zeros() as u8;
                let legal = instance.legal(&slow, seat).expect("a seat that is asked has a legal move");
                let answer = legal.sample(&mut same_choice);
                instance.play_unchecked(&mut slow, seat, &answer, &mut same_chance, &mut Vec::<RawEvent>::new());
                answers.push(answer);
            }
            clear_closed_decisions(&mut fast);
            clear_closed_decisions(&mut slow);
            assert_eq!(fast, slow, "{what} {players} seed {seed}: moves from {n}, {answers:?}");
        }
    })
}

#[test]
fn playouts_make_the_same_moves_as_the_interpreter() {
    for_each_game(false, |found, players| {
        let game = found.game(players);
        seeds(12).for_each(|seed| playouts_equal_listed_moves(&game, players, seed, &found.name));
    });
}

#[test]
fn random_games_end() {
    let count: u64 = std::env::var("CONFORMANCE_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    for_each_game(false, |found, players| {
        let game = found.game(players);
        let mut limits = 0;
        for seed in seeds(count) {
            if play_to_the_end(&game, players, seed, &found.name) {
                limits += 1;
            }
        }
        // The limit is there to stop endless play, so random games should hardly ever reach it.
        assert!(limits * 100 <= count, "{} {players}: {limits} of {count} games ran into the limit", found.name);
    });
}

/// How often people came and went in random games.
#[derive(Debug, Default)]
struct Attendance {
    left: u32,
    joined: u32,
    absent: u32,
    returned: u32,
    replaced: u32,
}

/// Something that may happen between two moves. At a table where nobody can answer, somebody comes back or takes a free seat;
/// None if nobody is left who could.
fn random_attendance<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, chance: &mut FastChance) -> Option<Input> {
    let mut pick = |seats: u32| seats_of(seats).nth(chance.below(seats.count_ones().max(1)) as usize);
    let (here, away) = (frame.playing & frame.present, (frame.playing | frame.pending) & !frame.present);
    let free = u32::MAX >> (32 - instance.seats) & !(frame.playing | frame.pending);
    let join = |seat: Option<u8>| Some(Input::Join { seat: seat?, person: true });
    if frame.status == Status::Deserted || frame.open & frame.present == 0 {
        let seat = pick(frame.open & !frame.present).or_else(|| pick(away));
        return seat.map(|seat| Input::Present { seat }).or_else(|| join(pick(free)));
    }
    let (leaver, absent, back, newcomer) = (pick(frame.playing), pick(here), pick(away), pick(free));
    match chance.below(12) {
        0 if chance.below(4) == 0 => Some(Input::Leave { seat: leaver? }),
        1 | 2 => Some(Input::Absent { seat: absent? }),
        3..=5 => Some(Input::Present { seat: back? }),
        6 => join(newcomer),
        7 => Some(Input::Replaced { seat: absent?, person: chance.below(2) == 0 }),
        8 => Some(Input::Timeout { decision: frame.decision }),
        _ => Some(Input::Lead { seat: seats_of(here).next() }),
    }
}

/// Plays a random game in which people leave, vanish, come back and join. The game must end without a fault, unless nobody
/// is left to play it.
fn play_with_attendance(game: &Game, players: usize, seed: u64, what: &str, count: &mut Attendance) {
    with_game!(game, instance => {
        let mut chance = FastChance::new(seed);
        let mut frame = start_frame(instance, players, &mut chance);
        let mut inputs = 0;
        while !frame.ended() {
            let stuck = frame.status == Status::Deserted || frame.open & frame.present == 0;
            if stuck || chance.below(6) == 0 {
                inputs += 1;
                assert!(inputs < 50_000, "{what} {players} seed {seed}: stuck");
                let input = random_attendance(instance, &frame, &mut chance);
                if input.is_none() && stuck {
                    return;
                }
                // An input that the table refuses (a clock that no longer runs, a seat that must wait) changes nothing.
                let Some(input) = input else { continue };
                if instance.input(&mut frame, &input, &mut chance, &mut NullSink).is_err() {
                    if stuck && matches!(input, Input::Join { .. }) {
                        return;
                    }
                    continue;
                }
                let counter = match input {
                    Input::Leave { .. } => &mut count.left,
                    Input::Join { .. } => &mut count.joined,
                    Input::Absent { .. } => &mut count.absent,
                    Input::Present { .. } => &mut count.returned,
                    Input::Replaced { .. } => &mut count.replaced,
                    _ => continue,
                };
                *counter += 1;
                continue;
            }
            let open = frame.open & frame.present;
            let seat = seats_of(open).nth(chance.below(open.count_ones()) as usize).expect("somebody is asked");
            let legal = instance.legal(&frame, seat).expect("a seat that is asked has a legal move");
            let answer = legal.sample_with_text(&mut chance, "Made up");
            instance.play_unchecked(&mut frame, seat, &answer, &mut chance, &mut NullSink);
        }
        let fault = frame.outcome.as_ref().and_then(|outcome| outcome.fault.as_ref());
        assert!(fault.is_none(), "{what} {players} seed {seed}: {fault:?}");
    })
}

#[test]
fn random_games_end_although_people_come_and_go() {
    let games: u64 = std::env::var("CONFORMANCE_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000) / 10;
    let mut count = Attendance::default();
    for_each_game(false, |found, players| {
        let game = found.game(players);
        seeds(games).for_each(|seed| play_with_attendance(&game, players, seed, &found.name, &mut count));
    });
    let every = [count.left, count.joined, count.absent, count.returned, count.replaced];
    assert!(only_seed().is_some() || every.iter().all(|n| *n > 100), "too little happened: {count:?}");
}

/// Checks at every k-th move of some games all laws that must hold at any moment.
#[test]
fn laws_hold_at_every_moment() {
    for_each_game(true, |found, players| {
        let game = found.game(players);
        for seed in seeds(games::deep(players)) {
            let place = format!("{} {players} seed {seed}", found.name);
            let mut chance = FastChance::new(seed ^ 0x5eed);
            let (mut table, mut log) = started(&game, players, seed);
            let mut views = laws::views(&table);
            let k = 3 + seed % 5 + 2 * players as u64;
            let mut loaded = None;
            for step in 0..games::STEPS {
                if step % k == 0 {
                    check_all_laws(&table, seed ^ step).unwrap_or_else(|e| panic!("{place} move {step}: {e}"));
                    let same = laws::saving_keeps_tables(&table, &game);
                    loaded = Some(same.unwrap_or_else(|e| panic!("{place} move {step}: {e}")));
                    play_accepts_exactly_legal_moves(&table, &mut chance, &format!("{place} move {step}"));
                }
                let Some((seat, answer)) = random_move(&table, &mut chance) else { break };
                let mut twin = table.clone();
                let batches = table.play(seat, &answer).unwrap_or_else(|r| panic!("{place} move {step}: {r:?}"));
                if let Some(loaded) = loaded.take() {
                    laws::loaded_tables_go_on(loaded, &TwinStep::Move(seat, answer.clone()), &batches, &table)
                        .unwrap_or_else(|e| panic!("{place} move {step}: {e}"));
                }
                laws::batches_lead_to_views(&mut views, &batches, &table)
                    .unwrap_or_else(|e| panic!("{place} move {step}: {e}"));
                // A copy from before the move that makes the same move equals the table again.
                if step % k == 1 {
                    twin.play(seat, &answer).expect("the same move");
                    assert_eq!(twin.state_hash(), table.state_hash(), "{place} move {step}: a copy went its own way");
                }
                log.push(Entry::Move(seat, answer));
            }
            let mut again = LiveTable::new(&game, games::seed(seed));
            for entry in &log {
                let _ = entry.apply(&mut again);
            }
            assert_eq!(again.state_hash(), table.state_hash(), "{place}: replay leads elsewhere");
            for viewer in laws::viewers(&table) {
                assert_eq!(again.view(viewer), table.view(viewer), "{place}: {viewer:?} sees another replay");
            }
            for viewer in [Viewer::Spectator, Viewer::Replay] {
                late_observers_see_the_same(&game, seed, &log, viewer, &place);
            }
            observers_by_themselves_see_the_same(&game, seed, &log, &place);
        }
    });
}

/// Compares the observers of a table with those of a replay for one seat and the spectators alone.
fn observers_by_themselves_see_the_same(game: &Game, seed: u64, log: &[Entry], place: &str) {
    let viewers = [Viewer::Seat(0), Viewer::Spectator];
    let mut there = LiveTable::new(game, games::seed(seed));
    let mut alone = there.clone().only(&viewers);
    for (step, entry) in log.iter().enumerate() {
        let (told, again) = (entry.apply(&mut there), entry.apply(&mut alone));
        for viewer in viewers {
            assert_eq!(told.of(viewer), again.of(viewer), "{place} step {step}: {viewer:?} among few");
        }
        assert!(again.iter().count() <= viewers.len(), "{place}: another viewer gets a batch, too");
    }
}

/// Compares three observers of the same log: one that was there from the beginning, one that replays the log alone, and one
/// that was dismissed and comes back after half of the log. All get the same batches, with the same handles.
fn late_observers_see_the_same(game: &Game, seed: u64, log: &[Entry], viewer: Viewer, place: &str) {
    let mut there = LiveTable::new(game, games::seed(seed));
    let mut alone = there.clone().only(&[viewer]);
    let mut late = there.clone();
    late.dismiss(viewer);
    let half = log.len() / 2;
    for (step, entry) in log.iter().enumerate() {
        let (batches, again, to_late) = (entry.apply(&mut there), entry.apply(&mut alone), entry.apply(&mut late));
        assert_eq!(batches.of(viewer), again.of(viewer), "{place} step {step}: {viewer:?} alone");
        assert_eq!(again.iter().count(), 1, "{place}: another viewer gets a batch, too");
        assert_eq!(
            to_late.of(viewer),
            batches.of(viewer).filter(|_| step > half),
            "{place} step {step}: {viewer:?} late"
        );
        if step == half {
            assert!(late.view(viewer).is_none());
            let saved = alone.observer(viewer).expect("an observer").save();
            assert!(late.admit(saved), "{place}: the saved observer belongs to this step");
        }
    }
    for table in [&alone, &late] {
        assert_eq!(table.view(viewer), there.view(viewer), "{place}: {viewer:?} sees another table");
        assert_eq!(table.knowledge(viewer), there.knowledge(viewer), "{place}: {viewer:?} knows something else");
    }
    let saved = alone.observer(viewer).expect("an observer").save();
    let mut elsewhere = LiveTable::new(game, games::seed(seed));
    assert!(!elsewhere.admit(saved), "{place}: an observer of a later step was admitted");
}

/// Checks that `play` accepts exactly the moves that `legal` lists, and that a refused move changes nothing.
fn play_accepts_exactly_legal_moves(table: &LiveTable, chance: &mut FastChance, place: &str) {
    let before = table.state_hash();
    let open = table.open();
    let seats = table.definition().seats;
    for seat in 0..seats {
        let sight = table.sight(Viewer::Seat(seat));
        let (count, moves): (u64, Vec<Move>) = with_sight!(&sight, s => match s.instance().legal(s.frame(), seat) {
            Some(legal) => {
                let count = legal.count();
                let some = (0..count.min(12)).map(|_| legal.sample_with_text(chance, "Made up")).collect();
                (count, some)
            }
            None => (0, Vec::new()),
        });
        assert_eq!(
            open >> seat & 1 == 1,
            count > 0,
            "{place}: seat {seat} is asked, but has no move, or the other way round"
        );
        for answer in &moves {
            let mut copy = table.clone();
            assert!(copy.play(seat, answer).is_ok(), "{place}: seat {seat} may {answer:?}, but it is refused");
            // The move is refused from another seat, for another decision, for another alternative, and a second time.
            let other = (seat + 1) % seats;
            if seats > 1 && open >> other & 1 == 0 {
                assert_refused(table, other, answer, before, place);
            }
            assert_refused(
                table,
                seat,
                &Move { decision: answer.decision.wrapping_add(77), ..answer.clone() },
                before,
                place,
            );
            assert_refused(table, seat, &Move { alternative: 60_000, ..answer.clone() }, before, place);
            assert_refused(&copy, seat, answer, copy.state_hash(), place);
        }
        // A random move is accepted exactly if it is legal.
        for _ in 0..20 {
            let Some(mut answer) = moves.first().cloned() else { break };
            for part in &mut answer.parts {
                *part = match part {
                    PartValue::Number(_) => PartValue::Number(chance.below(80) as i32 - 5),
                    PartValue::Cards(cards) => {
                        PartValue::Cards(cards.iter().map(|_| chance.below(90) as u16).collect())
                    }
                    PartValue::Text(_) => PartValue::Text("x".repeat(chance.below(400) as usize)),
                };
            }
            let expected = with_sight!(&sight, s => {
                s.instance().legal(s.frame(), seat).is_some_and(|legal| s.instance().contains(s.frame(), &legal, &answer))
            });
            let mut copy = table.clone();
            let accepted = copy.play(seat, &answer).is_ok();
            assert_eq!(accepted, expected, "{place}: seat {seat}: {answer:?}");
            if !accepted {
                assert_eq!(copy.state_hash(), before, "{place}: a refused move changed something: {answer:?}");
            }
        }
    }
}

/// Checks that a table refuses a move, with a code, and stays as it was.
fn assert_refused(table: &LiveTable, seat: u8, answer: &Move, before: Result<[u8; 32], SaveError>, place: &str) {
    let mut copy = table.clone();
    match copy.play(seat, answer) {
        Ok(_) => panic!("{place}: the illegal {answer:?} of seat {seat} was accepted"),
        Err(refusal) => assert!(refusal.code().contains('/'), "{place}: {refusal:?} has no code"),
    }
    assert_eq!(copy.state_hash(), before, "{place}: a refused move changed something: {answer:?}");
}

/// Players come and go at random moments. The laws hold all the time, and the game ends once the remaining players are back.
#[test]
fn players_may_come_and_go_at_any_moment() {
    for_each_game(true, |found, players| {
        for seed in seeds(games::deep(players) * 2) {
            let place = format!("{} {players} seed {seed}", found.name);
            let game = found.game(players);
            let mut chance = FastChance::new(seed ^ 0x00c0_ffee);
            let (mut table, mut log) = started(&game, players, seed);
            let mut views = laws::views(&table);
            for step in 0..games::STEPS * 2 {
                let entry = match (chance.below(6) == 0).then(|| random_input(&table, players, &mut chance)) {
                    Some(input) => Entry::Input(input),
                    None => match random_move(&table, &mut chance) {
                        Some((seat, answer)) => Entry::Move(seat, answer),
                        None => Entry::Input(Input::Present { seat: chance.below(players as u32) as u8 }),
                    },
                };
                let before = table.state_hash();
                let batches = match &entry {
                    Entry::Input(input) => table.input(input),
                    Entry::Move(seat, answer) => table.play(*seat, answer),
                };
                match batches {
                    Ok(batches) => {
                        laws::batches_lead_to_views(&mut views, &batches, &table)
                            .unwrap_or_else(|e| panic!("{place} step {step} {entry:?}: {e}"));
                        log.push(entry);
                    }
                    Err(_) => assert_eq!(
                        table.state_hash(),
                        before,
                        "{place} step {step}: {entry:?} was refused and changed something"
                    ),
                }
                if table.outcome().is_some() {
                    break;
                }
                if step % (5 + 2 * players as u64) == 0 {
                    check_all_laws(&table, seed ^ step).unwrap_or_else(|e| panic!("{place} step {step}: {e}"));
                }
            }
            finish(&mut table, players, &mut chance, &mut log, &place);
            let mut again = LiveTable::new(&game, games::seed(seed));
            for entry in &log {
                let _ = entry.apply(&mut again);
            }
            assert_eq!(again.state_hash(), table.state_hash(), "{place}: replay leads elsewhere");
        }
    });
}

fn random_input(table: &LiveTable, players: usize, chance: &mut FastChance) -> Input {
    let seat = chance.below(players as u32) as u8;
    let clocks = table.clocks();
    match chance.below(14) {
        0..=3 => Input::Absent { seat },
        4..=7 => Input::Present { seat },
        8 if chance.below(8) == 0 => Input::Leave { seat },
        8 => Input::Join { seat, person: chance.below(2) == 0 },
        9 => Input::Replaced { seat, person: chance.below(2) == 0 },
        10 => Input::Lead { seat: (chance.below(3) > 0).then_some(seat) },
        11 if !clocks.is_empty() => clocks[chance.below(clocks.len() as u32) as usize].input.clone(),
        12 => Input::Nonce { seat, bytes: vec![seat, 7] },
        13 if chance.below(2) == 0 => Input::Pause,
        _ => Input::Resume,
    }
}

/// Brings all remaining players back and plays on. The game must end.
fn finish(table: &mut LiveTable, players: usize, chance: &mut FastChance, log: &mut Vec<Entry>, place: &str) {
    let mut inputs = vec![Input::Resume, Input::Lead { seat: Some(0) }];
    inputs.extend((0..players as u8).map(|seat| Input::Present { seat }));
    // One of the remaining players becomes the lead.
    inputs.extend(
        (0..players as u8)
            .rev()
            .filter(|s| table.view(Viewer::Spectator).is_some_and(|v| v.seats[*s as usize].playing))
            .map(|seat| Input::Lead { seat: Some(seat) }),
    );
    for input in inputs {
        if table.outcome().is_none() && table.input(&input).is_ok() {
            log.push(Entry::Input(input));
        }
    }
    for _ in 0..70_000 {
        if table.outcome().is_some() {
            return;
        }
        let Some((seat, answer)) = random_move(table, chance) else {
            // Nobody is asked, so everybody must have left.
            let view = table.view(Viewer::Spectator).expect("a spectator's view");
            assert!(view.seats.iter().all(|s| !s.playing), "{place}: players are present and nobody is asked");
            return;
        };
        let entry = Entry::Move(seat, answer);
        entry.apply(table);
        log.push(entry);
    }
    panic!("{place}: the game does not end");
}

/// Plays with the extreme values of each option, one option at a time.
#[test]
fn games_end_with_every_option() {
    use baize_rules::program::{OptionValue, Type};
    for found in all() {
        for option in &found.program.options {
            let values: Vec<OptionValue> = match &option.ty {
                Type::YesNo => vec![OptionValue::Number(0), OptionValue::Number(1)],
                Type::Choice(values) => (0..values.len() as i32).map(OptionValue::Number).collect(),
                Type::Number { low, high } => vec![OptionValue::Number(*low), OptionValue::Number(*high)],
                Type::Seconds { high, .. } => vec![OptionValue::Number(*high)],
                Type::Text { low, high } => {
                    vec![OptionValue::Text("x".repeat(*low as usize)), OptionValue::Text("y".repeat(*high as usize))]
                }
                _ => Vec::new(),
            };
            for value in values {
                let chosen = [(option.name.clone(), value)];
                let range = found.players();
                for players in [*range.start(), *range.end()] {
                    let game = found.game_with(players, &chosen);
                    for seed in seeds(20) {
                        let what = format!("{} {chosen:?}", found.name);
                        play_to_the_end(&game, players, seed, &what);
                        if seed <= 2 {
                            playouts_equal_listed_moves(&game, players, seed, &what);
                        }
                    }
                }
            }
        }
    }
}

/// Checks all laws about one moment, and that the table accepts every answer that its views offer.
fn check_all_laws(table: &LiveTable, seed: u64) -> Result<(), String> {
    laws::all(table, seed)?;
    baize_terminal::offers_are_accepted(table, seed)
}
