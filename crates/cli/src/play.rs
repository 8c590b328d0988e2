//! `baize play`: a person at the terminal against bots.

use crate::deal::seed_bytes;
use crate::library;
use baize_arena::Arena;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::definition::TableDefinition;
use baize_engine::live::Told;
use baize_engine::present::choices::{Choice, choices};
use baize_engine::present::terminal::{MOST_CHOICES, Terminal};
use baize_engine::view::{Batch, Cause, Chosen, Event, Viewer};
use baize_engine::with_game;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The person's seat.
const ME: u8 = 0;

#[derive(clap::Args)]
pub struct Args {
    /// A name in games/ or the path of a rules file.
    game: String,
    /// The others at the table: easy, medium or difficult for each.
    #[arg(long, value_name = "LEVEL,…", value_delimiter = ',', default_value = "medium,medium,medium")]
    bots: Vec<Level>,
    /// Deal the same cards again.
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    setup: library::Setup,
}

struct Play {
    arena: Arena,
    definition: TableDefinition,
    names: Vec<String>,
    valuation: Valuation,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let found = library::game(&args.game)?;
    let program = Arc::new(found.program);
    let players = args.bots.len() + 1;
    let game = args.setup.game(program, players)?;
    let seed = args.seed.unwrap_or_else(|| std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), ()));

    let mut names = vec!["You".to_owned()];
    let mut bots = Vec::new();
    for (seat, level) in (1u8..).zip(&args.bots) {
        let name = baize_bots::name(seed.wrapping_add(u64::from(seat) * 31), names.iter().map(String::as_str));
        println!("{name} ({level}) sits down.");
        names.push(name);
        bots.push(Bot::new(seat, *level, seed.wrapping_add(u64::from(seat))));
    }
    let begun = Arena::new(&game, players as u8, bots, seed_bytes(seed));
    let (arena, told) = begun.map_err(|r| format!("refused: {}", r.code()))?;
    let valuation = with_game!(&game, instance => Valuation::new(instance));
    let definition = arena.table.definition();
    let mut play = Play { arena, definition, names, valuation };
    play.tell(&told);
    play.go_on(&mut std::io::stdin().lock())
}

impl Play {
    fn terminal(&self) -> Terminal<'_> {
        Terminal { table: &self.definition, names: &self.names }
    }

    fn go_on(&mut self, lines: &mut impl BufRead) -> Result<ExitCode, String> {
        loop {
            let told = match self.bot_moves()? {
                Some(told) => told,
                None if self.arena.table.open() != 0 => match self.person_moves(lines)? {
                    Some(told) => told,
                    None => return Ok(ExitCode::SUCCESS),
                },
                None => break,
            };
            self.tell(&told);
        }
        let view = self.arena.table.view(Viewer::Seat(ME)).ok_or("There is no such viewer.")?;
        print!("\n{}", self.terminal().write(view));
        Ok(ExitCode::SUCCESS)
    }

    fn bot_moves(&mut self) -> Result<Option<Told>, String> {
        let Some(bot) = self.arena.asked() else { return Ok(None) };
        let (seat, answer) = (bot.seat(), self.arena.decide(bot, &self.valuation).ok_or("Nothing is asked.")?);
        self.arena.play(seat, &answer).map(Some).map_err(|r| format!("refused: {}", r.code()))
    }

    /// None when the person has had enough.
    fn person_moves(&mut self, lines: &mut impl BufRead) -> Result<Option<Told>, String> {
        let view = self.arena.table.view(Viewer::Seat(ME)).ok_or("There is no such viewer.")?;
        print!("\n{}", self.terminal().write(view));
        let open = choices(&self.terminal(), view, MOST_CHOICES);
        loop {
            let Some(line) = ask(lines, "Your choice (number or words, q to stop): ")? else {
                return Ok(None);
            };
            if line.eq_ignore_ascii_case("q") {
                return Ok(None);
            }
            let Some(choice) = chosen(&open, &line) else {
                println!("Please type a number in front of a choice, or words that only one of them has.");
                continue;
            };
            let mut answer = choice.answer.clone();
            for part in &choice.typed {
                let Some(text) = ask(lines, "What does it say? ")? else { return Ok(None) };
                if let Some(part) = answer.parts.get_mut(*part) {
                    *part = Chosen::Text(text);
                }
            }
            match self.arena.table.answer(ME, &answer) {
                Ok(told) => {
                    self.arena.show(&told);
                    return Ok(Some(told));
                }
                Err(refusal) => println!("That is not possible: {}.", refusal.code()),
            }
        }
    }

    /// Shows the person what has happened.
    fn tell(&self, told: &Told) {
        if let Some(batch) = told.of(Viewer::Seat(ME)) {
            for line in self.story(batch) {
                println!("{line}");
            }
        }
    }

    /// What others did, and what the rules announce.
    fn story(&self, batch: &Batch) -> Vec<String> {
        let terminal = self.terminal();
        let by = match batch.cause {
            Cause::Move { seat } if seat != ME => Some(terminal.name(seat)),
            _ => None,
        };
        let zone = |at: &Option<u16>| at.and_then(|at| self.definition.zones.get(usize::from(at)));
        let mut lines = Vec::new();
        for event in &batch.events {
            match (event, &by) {
                (Event::Moved { to, came, count, .. }, Some(name)) => {
                    let Some(to) = zone(to) else { continue };
                    let cards: Vec<String> = came.iter().map(|placed| terminal.card(&placed.card)).collect();
                    let what = match (cards.is_empty(), count) {
                        (false, _) => cards.join(" "),
                        (true, 1) => "a card".to_owned(),
                        (true, n) => format!("{n} cards"),
                    };
                    let whose = to.owner.map_or(String::new(), |seat| format!(" ({})", terminal.name(seat)));
                    lines.push(format!("  {name}: {what} → {}{whose}", to.title));
                }
                (Event::Announced { text, .. }, _) => lines.push(format!("  * {}", terminal.line(text))),
                _ => {}
            }
        }
        lines
    }
}

/// A line that somebody types; none at the end of the input.
fn ask(lines: &mut impl BufRead, question: &str) -> Result<Option<String>, String> {
    print!("{question}");
    std::io::stdout().flush().map_err(|e| e.to_string())?;
    let mut line = String::new();
    let read = lines.read_line(&mut line).map_err(|e| e.to_string())?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// By its number, or by words of what it reads, in any order, if that is clear.
fn chosen<'a>(choices: &'a [Choice], line: &str) -> Option<&'a Choice> {
    if let Ok(number) = line.parse::<usize>() {
        return choices.get(number.checked_sub(1)?);
    }
    let wanted = words(line);
    let fits = |choice: &&Choice| {
        let mut label = words(&choice.label);
        // Each word once, so that two equal cards are not one.
        wanted.iter().all(|word| label.iter().position(|other| other == word).map(|at| label.swap_remove(at)).is_some())
    };
    let mut fitting = choices.iter().filter(fits);
    fitting.next().filter(|_| !wanted.is_empty() && fitting.next().is_none())
}

/// In small letters, with suits as they can be typed: `10♥` is `10h`.
fn words(line: &str) -> Vec<String> {
    let letters = [('♣', 'c'), ('♦', 'd'), ('♥', 'h'), ('♠', 's')];
    let plain = |c: char| letters.iter().find(|(suit, _)| *suit == c).map_or(c, |(_, letter)| *letter);
    let typed: String = line.to_lowercase().chars().map(plain).collect();
    typed.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::view::Answer;

    fn choose(labels: &[&str], line: &str) -> Option<String> {
        let answer = Answer { decision: 0, alternative: 0, parts: Vec::new() };
        let choice = |label: &&str| Choice { label: (*label).to_owned(), answer: answer.clone(), typed: Vec::new() };
        let choices: Vec<Choice> = labels.iter().map(choice).collect();
        chosen(&choices, line).map(|choice| choice.label.clone())
    }

    #[test]
    fn a_choice_is_found_by_number_or_by_its_words() {
        let passes = ["Pass 8♣ 9♣ 10♥", "Pass 8♣ 9♣ Q♠", "Pass 8♣ 8♣ Q♠"];
        for (line, found) in [
            ("2", Some(1)),
            ("0", None),
            ("4", None),
            ("10♥", Some(0)),
            ("qs 9c, 8C", Some(1)),
            ("8c 8c", Some(2)),
            ("Pass 8♣ 9♣", None),
            ("K♠", None),
            ("", None),
        ] {
            assert_eq!(choose(&passes, line).as_deref(), found.map(|at| passes[at]), "{line}");
        }
    }
}
