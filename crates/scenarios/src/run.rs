//! Plays a scenario line by line.

use crate::file::{File, Mistake, Refused, Scenario, Step};
use crate::stage::{Fault, Outcome, Stage, unclear};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::{Instance, instantiate};
use baize_engine::moves::Move;
use baize_engine::with_game;
use baize_rules::program::{MAX_SEATS, OptionValue, Program, Type};
use std::sync::Arc;

/// Seeds tried for `start where …`.
const SEEDS: u64 = 2_000;
/// Moves made for `play on until …`.
const MOVES: usize = 5_000;

/// Plays it; the line and what is wrong there, if anything. The source is that of the program: what must hold may be said in
/// its words.
pub fn run(source: &str, program: &Arc<Program>, file: &File, scenario: &Scenario) -> Result<(), Mistake> {
    let here = |text: String| (scenario.line, text);
    let options = options(program, scenario).map_err(here)?;
    let mut packs = Vec::new();
    for name in &scenario.packs {
        let pack = file
            .packs
            .iter()
            .find(|pack| pack.name == *name)
            .ok_or_else(|| here(format!("there is no pack `{name}`")))?;
        packs.extend(pack.cards.iter().cloned());
    }
    // Seats are slots up to the maximum; those that nobody takes stay empty.
    let game =
        instantiate(program.clone(), &options, &packs, program.meta.max_players as usize).map_err(|e| e.to_string());
    let game = match (game, &scenario.impossible) {
        (Err(why), Some(wanted)) if why == *wanted => return Ok(()),
        (Ok(_), Some(_)) => return Err(here("the table can be made".into())),
        (game, _) => game.map_err(here)?,
    };
    with_game!(&game, instance => play(source, instance, scenario))
}

fn options(program: &Program, scenario: &Scenario) -> Result<Vec<(String, OptionValue)>, String> {
    let mut chosen = Vec::new();
    if let Some(name) = &scenario.preset {
        let preset =
            program.presets.iter().find(|preset| preset.name == *name).ok_or(format!("there is no preset `{name}`"))?;
        chosen.extend(
            preset.values.iter().map(|(id, value)| (program.options[*id as usize].name.clone(), value.clone())),
        );
    }
    for (name, text) in &scenario.options {
        let option = program.options.iter().find(|o| o.name == *name).ok_or(format!("there is no option `{name}`"))?;
        let value = match &option.ty {
            Type::Text { .. } => Some(OptionValue::Text(text.clone())),
            Type::YesNo => ["no", "yes"].iter().position(|word| word == text).map(|at| OptionValue::Number(at as i32)),
            Type::Choice(names) => names.iter().position(|word| word == text).map(|at| OptionValue::Number(at as i32)),
            _ => text.parse().ok().map(OptionValue::Number),
        };
        chosen.push((name.clone(), value.ok_or(format!("`{name}` can't be `{text}`"))?));
    }
    Ok(chosen)
}

fn play<S: CardSet>(source: &str, instance: &Arc<Instance<S>>, scenario: &Scenario) -> Result<(), Mistake> {
    let mut stage = Stage::new(source, instance);
    let joined = (|| {
        let most = stage.instance.seats;
        if scenario.players > most {
            return unclear(format!("there are only {most} seats"));
        }
        for seat in 0..scenario.players as u8 {
            let person = !scenario.bots.contains(&(seat as usize + 1));
            stage.input(&Input::Join { seat, person }, None)?;
        }
        stage.input(&Input::Lead { seat: Some(0) }, None)
    })();
    joined.map_err(|fault| (scenario.line, explain(fault)))?;
    for (line, step) in &scenario.steps {
        let result = match step {
            Step::Arrange(places) => stage.arrange(places).map_err(|(line, fault)| (line, explain(fault))),
            step => self::step(&mut stage, step).map_err(|fault| (*line, explain(fault))),
        };
        result?;
    }
    let last = scenario.steps.last().map_or(scenario.line, |(line, _)| *line);
    if !stage.chance.shuffles.is_empty() || !stage.chance.picks.is_empty() {
        return Err((last, "a shuffle or pick that was said beforehand never came".into()));
    }
    Ok(())
}

fn explain(fault: Fault) -> String {
    match fault {
        Fault::Unclear(why) => format!("not understood: {why}"),
        Fault::Wrong(why) => format!("does not hold: {why}"),
    }
}

fn step<S: CardSet>(stage: &mut Stage<S>, step: &Step) -> Outcome {
    match step {
        Step::Start { when, refused } => start(stage, when, refused.as_ref()),
        Step::Shuffle(words) => {
            // Of cards, or of whole piles when they are mixed.
            let piles: Option<Vec<u16>> =
                words.iter().map(|word| stage.one_zone(word.text()).ok().map(|zone| zone as u16)).collect();
            let order = match piles {
                Some(piles) => piles,
                None => stage.cards(words, &[])?,
            };
            stage.chance.shuffles.push_back(order);
            Ok(())
        }
        Step::Picks(picks) => {
            stage.chance.picks.extend(picks);
            Ok(())
        }
        Step::Act { seat, words, refused } => act(stage, *seat, words, refused.as_ref()),
        Step::Table { words, refused } => table(stage, words, refused.as_ref()),
        Step::PlayOn(words) => play_on(stage, words),
        Step::Then(words) => stage.expect(words),
        Step::Arrange(_) => Ok(()),
    }
}

/// Starts the game, with the first seed after which all conditions hold.
fn start<S: CardSet>(stage: &mut Stage<S>, when: &[Vec<Word>], refused: Option<&Refused>) -> Outcome {
    let told = stage.chance.clone();
    let mut but = String::new();
    for seed in 0..SEEDS {
        let mut trial = stage.clone();
        trial.chance = crate::chance::Told::new(seed);
        trial.chance.shuffles = told.shuffles.clone();
        trial.chance.picks = told.picks.clone();
        trial.input(&Input::Start, refused)?;
        let mut holds = true;
        for words in when {
            match trial.expect(words) {
                Ok(()) => {}
                Err(Fault::Wrong(why)) => {
                    holds = false;
                    but = why;
                }
                Err(unclear) => return Err(unclear),
            }
        }
        if holds {
            *stage = trial;
            return Ok(());
        }
    }
    Err(Fault::Wrong(format!(
        "none of {SEEDS} shuffles starts like this; after the last one: {but}. `start` comes to the first question and no further: what players answer before this stands on lines below it (`1 passes`, or `play on until …`), and `arrange` may stand after them"
    )))
}

/// What a seat does, or what happens to it.
fn act<S: CardSet>(stage: &mut Stage<S>, number: usize, words: &[Word], refused: Option<&Refused>) -> Outcome {
    let seat = match (stage.seat(number), refused) {
        // Somebody may try to sit where there is no seat.
        (Err(_), Some(_)) if (1..=MAX_SEATS).contains(&number) => (number - 1) as u8,
        (seat, _) => seat?,
    };
    let mut ahead = Words(words);
    let input = if ahead.eat("joins as a bot") {
        Input::Join { seat, person: false }
    } else if ahead.eat("joins") {
        Input::Join { seat, person: true }
    } else if ahead.eat("leaves") || ahead.eat("is removed") {
        Input::Leave { seat }
    } else if ahead.eat("is absent") {
        Input::Absent { seat }
    } else if ahead.eat("is back") {
        Input::Present { seat }
    } else if ahead.eat("is replaced by a bot") {
        Input::Replaced { seat, person: false }
    } else if ahead.eat("is taken over by a person") {
        Input::Replaced { seat, person: true }
    } else if ahead.eat("has been absent too long") {
        let decision = stage.frame.seats.get(seat as usize).map_or(0, |s| s.decision);
        Input::AbsentTimeout { decision, seat }
    } else {
        let answer = match (stage.read_move(seat, words), refused) {
            // What is not offered at all has no number: one that stands for nothing will do.
            (Err(Fault::Unclear(_)), Some(Refused::Code(code))) if code == "move/unknown-alternative" => {
                Move::plain(stage.frame.decision, 999)
            }
            (answer, _) => answer?,
        };
        return stage.play(seat, &answer, refused);
    };
    if !ahead.is_empty() {
        return unclear(format!("what is `{}`?", ahead.show()));
    }
    stage.input(&input, refused)
}

fn table<S: CardSet>(stage: &mut Stage<S>, words: &[Word], refused: Option<&Refused>) -> Outcome {
    let mut ahead = Words(words);
    let input = if ahead.eat("time runs out") {
        match stage.timed_decision() {
            Some(decision) => Input::Timeout { decision },
            None => return unclear("nobody is asked anything"),
        }
    } else if ahead.eat("nobody leads") {
        Input::Lead { seat: None }
    } else if ahead.eat("lead is") {
        match ahead.number() {
            Some(number) => Input::Lead { seat: Some(stage.seat(number)?) },
            None => return unclear("who is the lead?"),
        }
    } else if ahead.eat("pause") {
        Input::Pause
    } else if ahead.eat("resume") {
        Input::Resume
    } else if ahead.eat("abandon") {
        Input::Abandon
    } else {
        return unclear(format!(
            "what is `{}`? A line begins with the number of a player (`1 plays A♠`), `start`, `arrange`, `then`, `next shuffle:`, `next picks:`, `play on until`, or something that happens to the table (`time runs out`); above the story with `players`, `option`, `preset`, `packs` or `as in`",
            ahead.show()
        ));
    };
    if !ahead.is_empty() {
        return unclear(format!("what is `{}`?", ahead.show()));
    }
    stage.input(&input, refused)
}

fn play_on<S: CardSet>(stage: &mut Stage<S>, words: &[Word]) -> Outcome {
    let mut chance = FastChance::new(1);
    for _ in 0..MOVES {
        match stage.expect(words) {
            Err(Fault::Wrong(_)) => {}
            other => return other,
        }
        let seats: Vec<u8> = seats_of(stage.frame.open).collect();
        if seats.is_empty() {
            return Err(Fault::Wrong("nobody is asked, and it still does not hold".into()));
        }
        let seat = seats[chance.below(seats.len() as u32) as usize];
        let Some(legal) = stage.instance.legal(&stage.frame, seat) else { return unclear("nothing is legal") };
        let answer = legal.sample_with_text(&mut chance, "Something");
        stage.play(seat, &answer, None)?;
    }
    Err(Fault::Wrong(format!("it does not come about in {MOVES} moves")))
}
