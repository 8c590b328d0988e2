//! Plays every game at random, with players who come and go, and checks all laws.
//!
//! A failure prints the game and the seed; `BAIZE_SEED=… BAIZE_GAME=…` plays that game again.

use baize_engine::chance::{Chance, FastChance};
use baize_engine::input::Input;
use baize_engine::instance::PackCard;
use baize_engine::instantiate;
use baize_engine::laws;
use baize_engine::live::LiveTable;
use baize_engine::view::{Batch, Event, View, Viewer};
use baize_engine::with_sight;
use baize_rules::program::{OptionValue, Program, Type};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Counts what happened in a run, so that a run in which hardly anything happens fails.
#[derive(Debug, Default)]
struct Seen {
    moves: usize,
    events: usize,
    moved: usize,
    whole_zones: usize,
    repairs: u32,
    /// Moves that were compared with the same move at a table with other secrets.
    compared: usize,
    ended: bool,
}

#[test]
fn every_game_keeps_all_laws() {
    let wanted = std::env::var("BAIZE_GAME").ok();
    let seeds = match std::env::var("BAIZE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..std::env::var("BAIZE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4u64),
    };
    for path in sources() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let program = baize_rules::compile(&source).0.unwrap_or_else(|| panic!("{name} does not compile"));
        let program = Arc::new(program);
        let mut total = Seen::default();
        for seed in seeds.clone() {
            let seen = match std::panic::catch_unwind(|| play(&program, seed)) {
                Ok(Ok(seen)) => seen,
                Ok(Err(wrong)) => panic!("BAIZE_GAME={name} BAIZE_SEED={seed}: {wrong}"),
                Err(_) => panic!("BAIZE_GAME={name} BAIZE_SEED={seed}: panicked"),
            };
            total.moves += seen.moves;
            total.events += seen.events;
            total.moved += seen.moved;
            total.whole_zones += seen.whole_zones;
            total.repairs += seen.repairs;
            total.compared += seen.compared;
            total.ended |= seen.ended;
        }
        eprintln!("{name}: {total:?}");
        assert!(total.moves > 10, "{name}: too few moves: {total:?}");
        assert_eq!(total.repairs, 0, "{name}: events did not lead to the next view, so whole zones were told");
    }
}

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let here = root.join("tests/law_games");
    let games = Some(root.join("../../games")).filter(|dir| dir.is_dir());
    let mut found: Vec<PathBuf> = [Some(here), games]
        .into_iter()
        .flatten()
        .filter_map(|dir| std::fs::read_dir(dir).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "baize"))
        .collect();
    found.sort();
    found
}

/// Makes text cards for games that take cards from packs.
fn packs() -> Vec<PackCard> {
    let card = |deck_type: &str, text: String, pick: i32| PackCard {
        deck_type: deck_type.to_owned(),
        text,
        props: vec![("pick".to_owned(), pick)],
    };
    let prompts = (0..12).map(|n| card("prompt", format!("Prompt {n}: ____?"), 1 + n % 3));
    let answers = (0..120).map(|n| card("answer", format!("Answer {n}."), 0));
    prompts.chain(answers).collect()
}

/// Chooses some options at random. Numbers keep their defaults, so that games stay short.
fn options(program: &Program, chance: &mut FastChance) -> Vec<(String, OptionValue)> {
    let mut chosen = Vec::new();
    for option in &program.options {
        let value = match &option.ty {
            Type::YesNo => chance.below(2) as i32,
            Type::Choice(names) => chance.below(names.len() as u32) as i32,
            Type::Seconds { low, high } => [*low, *high][chance.below(2) as usize],
            _ => continue,
        };
        if chance.below(2) == 0 {
            chosen.push((option.name.clone(), OptionValue::Number(value)));
        }
    }
    chosen
}

fn play(program: &Arc<Program>, seed: u64) -> Result<Seen, String> {
    let mut chance = FastChance::new(seed ^ 0x5eed);
    let (low, high) = (u32::from(program.meta.min_players), u32::from(program.meta.max_players).min(6));
    let seats = (low + chance.below(high.max(low) - low + 1)).min(u32::from(program.meta.max_players)) as usize;
    let game =
        instantiate(program.clone(), &options(program, &mut chance), &packs(), seats).map_err(|e| e.to_string())?;
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut table = LiveTable::new(&game, bytes);
    let mut views = laws::views(&table);
    let mut seen = Seen::default();
    for seat in 0..seats as u8 {
        let person = seat == 0 || chance.below(3) > 0;
        step(&mut table, &mut views, &mut seen, &Input::Join { seat, person })?;
    }
    step(&mut table, &mut views, &mut seen, &Input::Lead { seat: Some(0) })?;
    step(&mut table, &mut views, &mut seen, &Input::Start)?;
    for _ in 0..120 {
        if table.outcome().is_some() {
            seen.ended = true;
            break;
        }
        if chance.below(6) == 0 {
            let input = random_input(&table, seats, &mut chance);
            step(&mut table, &mut views, &mut seen, &input)?;
            continue;
        }
        let open: Vec<u8> = (0..seats as u8).filter(|seat| table.open() >> seat & 1 == 1).collect();
        if open.is_empty() || views[0].1.paused {
            // Everybody comes back, so that somebody is asked again.
            for seat in 0..seats as u8 {
                step(&mut table, &mut views, &mut seen, &Input::Present { seat })?;
            }
            step(&mut table, &mut views, &mut seen, &Input::Resume)?;
            if table.open() == 0 && table.outcome().is_none() {
                break;
            }
            continue;
        }
        let seat = open[chance.below(open.len() as u32) as usize];
        let answer = with_sight!(&table.sight(Viewer::Seat(seat)), sight => {
            let legal = sight.instance().legal(sight.frame(), seat).ok_or("asked, but nothing is legal")?;
            legal.sample_with_text(&mut chance, "Something to say")
        });
        for viewer in laws::viewers(&table) {
            seen.compared +=
                usize::from(laws::batches_tell_nothing_hidden(&table, viewer, seat, &answer, chance.word())?);
        }
        let batches = table.play(seat, &answer).map_err(|refusal| format!("{answer:?} refused: {refusal:?}"))?;
        seen.moves += 1;
        count(&mut seen, &batches.iter().map(|(_, batch)| batch).collect::<Vec<_>>());
        laws::batches_lead_to_views(&mut views, &batches, &table)?;
        views_survive_json(&views)?;
        if chance.below(4) == 0 {
            check_all_laws(&table, seed ^ chance.word())?;
            laws::saving_keeps_tables(&table, &game)?;
        }
        refusals_change_nothing(&table, &views, &mut chance)?;
    }
    check_all_laws(&table, seed)?;
    seen.repairs = laws::viewers(&table).iter().filter_map(|viewer| table.observer(*viewer)).map(|o| o.repairs()).sum();
    Ok(seen)
}

fn step(table: &mut LiveTable, views: &mut laws::Views, seen: &mut Seen, input: &Input) -> Result<(), String> {
    // A refused input must change nothing.
    match table.input(input) {
        Ok(batches) => {
            count(seen, &batches.iter().map(|(_, batch)| batch).collect::<Vec<_>>());
            laws::batches_lead_to_views(views, &batches, table)
        }
        Err(_) if *views == laws::views(table) => Ok(()),
        Err(refusal) => Err(format!("{input:?} was refused ({refusal:?}) and changed something")),
    }
}

/// Returns a random input: a player comes or goes, a clock runs out, or somebody pauses the table.
fn random_input(table: &LiveTable, seats: usize, chance: &mut FastChance) -> Input {
    let seat = chance.below(seats as u32) as u8;
    if let Some(due) = table.clocks().first()
        && chance.below(2) == 0
    {
        return due.input.clone();
    }
    match chance.below(12) {
        0 => Input::Leave { seat },
        1 | 2 => Input::Join { seat, person: chance.below(2) == 0 },
        3..=5 => Input::Absent { seat },
        6 | 7 => Input::Present { seat },
        8 => Input::Replaced { seat, person: chance.below(2) == 0 },
        9 => Input::Lead { seat: Some(seat) },
        10 => Input::Pause,
        _ => Input::Resume,
    }
}

fn count(seen: &mut Seen, batches: &[&Batch]) {
    for event in batches.iter().flat_map(|batch| &batch.events) {
        seen.events += 1;
        match event {
            Event::Moved { .. } => seen.moved += 1,
            Event::Zone { .. } => seen.whole_zones += 1,
            _ => {}
        }
    }
}

/// Checks that a view is the same after it was written as JSON and read again.
fn views_survive_json(views: &laws::Views) -> Result<(), String> {
    for (viewer, view) in views {
        let text = serde_json::to_string(view).map_err(|e| e.to_string())?;
        let back: View = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        if back != *view {
            return Err(format!("the view of {viewer:?} changes on the wire"));
        }
    }
    Ok(())
}

/// Sends a random answer. If the table refuses it, the table must stay as it was.
fn refusals_change_nothing(table: &LiveTable, views: &laws::Views, chance: &mut FastChance) -> Result<(), String> {
    use baize_engine::view::{Answer, Chosen};
    let seat = chance.below(views.len() as u32) as u8;
    let decision = table.view(Viewer::Seat(seat)).and_then(|v| v.decision.as_ref()).map_or(1, |d| d.id);
    let parts = match chance.below(4) {
        0 => vec![],
        1 => vec![Chosen::Card(chance.below(40))],
        2 => vec![Chosen::Number(chance.below(1000) as i32 + 1000)],
        _ => vec![Chosen::Cards(vec![1, 1, 1])],
    };
    let before = table.save().map_err(|error| error.to_string())?;
    let answer = Answer { decision: decision + chance.below(2), alternative: chance.below(3) as u16, parts };
    let mut copy = table.clone();
    if copy.answer(seat, &answer).is_err() && copy.save().as_ref() != Ok(&before) {
        return Err(format!("a refused {answer:?} changed the table"));
    }
    Ok(())
}

/// Checks all laws about one moment, and that the table accepts every answer that its views offer.
fn check_all_laws(table: &LiveTable, seed: u64) -> Result<(), String> {
    laws::all(table, seed)?;
    baize_terminal::offers_are_accepted(table, seed)
}
