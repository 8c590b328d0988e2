//! Plays a scenario line by line.

use crate::file::{ExpectedRefusal, Mistake, Scenario, ScenarioFile, Statement};
use crate::scenario_table::{Checked, LineFailure, ScenarioTable, unclear};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::{Instance, PackCard};
use baize_engine::instantiate;
use baize_engine::moves::Move;
use baize_engine::with_game;
use baize_rules::program::{AttrDomain, MAX_SEATS, OptionValue, Program, Type};
use std::sync::Arc;

/// How many seeds `start where …` tries.
const MAX_SEEDS: u64 = 2_000;
/// How many moves `play on until …` makes.
const MAX_MOVES: usize = 5_000;

/// Plays a scenario and returns the first line that fails. `source` is the rules file of `program`, because a scenario
/// may state conditions in the words of the rules.
pub fn run(source: &str, program: &Arc<Program>, file: &ScenarioFile, scenario: &Scenario) -> Result<(), Mistake> {
    let here = |text: String| (scenario.line, text);
    let options = options(program, scenario).map_err(here)?;
    let mut packs = Vec::new();
    for name in &scenario.packs {
        let pack = file
            .packs
            .iter()
            .find(|pack| pack.name == *name)
            .ok_or_else(|| here(format!("there is no pack `{name}`")))?;
        for card in &pack.cards {
            let deck_type = pack_type(program, &card.deck_type).map_err(here)?;
            if let Some((name, _)) = card.props.iter().find(|(name, _)| !is_property(program, name)) {
                return Err(here(format!("cards of packs have no property `{name}`")));
            }
            packs.push(PackCard { deck_type, ..card.clone() });
        }
    }
    // The table has the maximum number of seats. Those without a player stay empty.
    let game =
        instantiate(program.clone(), &options, &packs, program.meta.max_players as usize).map_err(|e| e.to_string());
    let game = match (game, &scenario.impossible) {
        (Err(why), Some(wanted)) if why == *wanted => return Ok(()),
        (Ok(_), Some(_)) => return Err(here("the table can be made".into())),
        (game, _) => game.map_err(here)?,
    };
    with_game!(&game, instance => play(source, instance, scenario))
}

/// Returns the card type that a line of a pack means. Many cards may be written in the plural: `answers A 1..60`.
fn pack_type(program: &Program, word: &str) -> Result<String, String> {
    let types: Vec<&str> = program.decks.iter().filter_map(|deck| deck.pack_type.as_deref()).collect();
    let found = [Some(word), word.strip_suffix('s')].into_iter().flatten().find(|name| types.contains(name));
    found.map(str::to_owned).ok_or_else(|| match types.is_empty() {
        true => "no deck of this game takes its cards from packs".to_owned(),
        false => {
            format!("no deck takes cards of the type `{word}` from packs; here the types are {}", types.join(", "))
        }
    })
}

fn is_property(program: &Program, name: &str) -> bool {
    program.attrs.iter().any(|attr| attr.name == name && matches!(attr.values, AttrDomain::Property)) || name == "pick"
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
    let mut table = ScenarioTable::new(source, instance);
    let joined = (|| {
        let most = table.instance.seats;
        if scenario.players > most {
            return unclear(format!("there are only {most} seats"));
        }
        for seat in 0..scenario.players as u8 {
            let person = !scenario.bots.contains(&(seat as usize + 1));
            table.input(&Input::Join { seat, person }, None)?;
        }
        table.input(&Input::Lead { seat: Some(0) }, None)
    })();
    joined.map_err(|fault| (scenario.line, explain(fault)))?;
    for (line, statement) in &scenario.statements {
        let result = match statement {
            Statement::Arrange(places) => table.arrange(places).map_err(|(line, fault)| (line, explain(fault))),
            statement => execute(&mut table, statement).map_err(|fault| (*line, explain(fault))),
        };
        result?;
    }
    let last = scenario.statements.last().map_or(scenario.line, |(line, _)| *line);
    if !table.chance.shuffles.is_empty() || !table.chance.picks.is_empty() {
        return Err((last, "a shuffle or pick that was said beforehand never came".into()));
    }
    Ok(())
}

fn explain(fault: LineFailure) -> String {
    match fault {
        LineFailure::Unclear(why) => format!("not understood: {why}"),
        LineFailure::Wrong(why) => format!("does not hold: {why}"),
    }
}

/// Executes any statement but `arrange`, whose faults have line numbers of their own.
fn execute<S: CardSet>(table: &mut ScenarioTable<S>, statement: &Statement) -> Checked {
    match statement {
        Statement::Start { when, refused } => start(table, when, refused.as_ref()),
        Statement::Shuffle(words) => {
            // The rules shuffle either the cards of a zone or the piles of a family.
            let piles: Option<Vec<u16>> =
                words.iter().map(|word| table.one_zone(word.text()).ok().map(|zone| zone as u16)).collect();
            let order = match piles {
                Some(piles) => piles,
                None => table.cards(words, &[])?,
            };
            table.chance.shuffles.push_back(order);
            Ok(())
        }
        Statement::Picks(picks) => {
            table.chance.picks.extend(picks);
            Ok(())
        }
        Statement::Act { seat, words, refused } => act(table, *seat, words, refused.as_ref()),
        Statement::Table { words, refused } => act_on_table(table, words, refused.as_ref()),
        Statement::PlayOn(words) => play_on(table, words),
        Statement::Then(words) => table.expect(words),
        Statement::Arrange(_) => Ok(()),
    }
}

/// Starts the game, with the first seed after which all conditions hold.
fn start<S: CardSet>(table: &mut ScenarioTable<S>, when: &[Vec<Word>], refused: Option<&ExpectedRefusal>) -> Checked {
    let scripted = table.chance.clone();
    let mut but = String::new();
    for seed in 0..MAX_SEEDS {
        let mut trial = table.clone();
        trial.chance = crate::chance::ScriptedChance::new(seed);
        trial.chance.shuffles = scripted.shuffles.clone();
        trial.chance.picks = scripted.picks.clone();
        trial.input(&Input::Start, refused)?;
        let mut holds = true;
        for words in when {
            match trial.expect(words) {
                Ok(()) => {}
                Err(LineFailure::Wrong(why)) => {
                    holds = false;
                    but = why;
                }
                Err(unclear) => return Err(unclear),
            }
        }
        if holds {
            *table = trial;
            return Ok(());
        }
    }
    Err(LineFailure::Wrong(format!(
        "none of {MAX_SEEDS} shuffles starts like this; after the last one: {but}. `start` comes to the first question and no further: what players answer before this stands on lines below it (`1 passes`, or `play on until …`), and `arrange` may stand after them"
    )))
}

/// Executes a line that begins with a player's number.
fn act<S: CardSet>(
    table: &mut ScenarioTable<S>,
    number: usize,
    words: &[Word],
    refused: Option<&ExpectedRefusal>,
) -> Checked {
    let seat = match (table.seat(number), refused) {
        // A scenario may expect that a player is refused a seat that does not exist.
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
        let decision = table.frame.seats.get(seat as usize).map_or(0, |s| s.decision);
        Input::AbsentTimeout { decision, seat }
    } else {
        let answer = match (table.read_move(seat, words), refused) {
            // An alternative that does not exist has no number, so the move uses 999, which no alternative has.
            (Err(LineFailure::Unclear(_)), Some(ExpectedRefusal::Code(code))) if code == "move/unknown-alternative" => {
                Move::plain(table.frame.decision, 999)
            }
            // The player is not asked, so the move was read against another player's question.
            (Err(LineFailure::Unclear(why)), _) if !table.frame.is_open(seat) => {
                return unclear(format!("{why}; {number} is not asked: {}", table.who_is_asked()));
            }
            (answer, _) => answer?,
        };
        return table.play(seat, &answer, refused);
    };
    if !ahead.is_empty() {
        return unclear(format!("what is `{}`?", ahead.show()));
    }
    table.input(&input, refused)
}

/// Executes a line about the whole table.
fn act_on_table<S: CardSet>(
    table: &mut ScenarioTable<S>,
    words: &[Word],
    refused: Option<&ExpectedRefusal>,
) -> Checked {
    let mut ahead = Words(words);
    let input = if ahead.eat("time runs out") {
        match table.timed_decision() {
            Some(decision) => Input::Timeout { decision },
            None => return unclear("nobody is asked anything"),
        }
    } else if ahead.eat("nobody leads") {
        Input::Lead { seat: None }
    } else if ahead.eat("lead is") {
        match ahead.number() {
            Some(number) => Input::Lead { seat: Some(table.seat(number)?) },
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
    table.input(&input, refused)
}

fn play_on<S: CardSet>(table: &mut ScenarioTable<S>, words: &[Word]) -> Checked {
    let mut chance = FastChance::new(1);
    for _ in 0..MAX_MOVES {
        match table.expect(words) {
            Err(LineFailure::Wrong(_)) => {}
            other => return other,
        }
        let seats: Vec<u8> = seats_of(table.frame.open).collect();
        if seats.is_empty() {
            return Err(LineFailure::Wrong("nobody is asked, and it still does not hold".into()));
        }
        let seat = seats[chance.below(seats.len() as u32) as usize];
        let Some(legal) = table.instance.legal(&table.frame, seat) else { return unclear("nothing is legal") };
        let answer = legal.sample_with_text(&mut chance, "Something");
        table.play(seat, &answer, None)?;
    }
    Err(LineFailure::Wrong(format!("it does not come about in {MAX_MOVES} moves")))
}
