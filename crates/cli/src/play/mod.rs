//! `baize play`: lets a person play against bots in the terminal.

mod choose;

use crate::deal::seed_bytes;
use crate::game_files;
use baize_bot_table::BotTable;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::definition::TableDefinition;
use baize_engine::live::StepBatches;
use baize_engine::moves::Refusal;
use baize_engine::view::{Chosen, View, Viewer};
use baize_engine::with_game;
use baize_narrator::Narrator;
use baize_rules::program::Phase;
use baize_terminal::choices;
use baize_terminal::{MOST_CHOICES, Terminal};
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The help that a person gets with `?`.
const HELP: &str = "\
Type what stands in front of a choice, or its words: `2`, `b`, `play 7♥`. Some of the words are enough if only one choice has them (`7h`); suits are c, d, h and s.
Where a number is asked for, type the number. Where a text is asked for, choose first, and then write.
`quit` stops the game, and so does `q` unless a choice has this letter. The table is shown again before each of your choices.";

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
    setup: game_files::Setup,
}

struct Play {
    bot_table: BotTable,
    phases: Vec<Phase>,
    definition: TableDefinition,
    names: Vec<String>,
    valuation: Valuation,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let found = game_files::game(&args.game)?;
    let program = Arc::new(found.program);
    let players = args.bots.len() + 1;
    let phases = program.phases.clone();
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
    let begun = BotTable::start(&game, players as u8, bots, seed_bytes(seed));
    let (bot_table, batches) = begun.map_err(|r| format!("The game can't start: {}", r.in_words()))?;
    let valuation = with_game!(&game, instance => Valuation::new(instance));
    let definition = bot_table.table.definition();
    let mut play = Play { bot_table, phases, definition, names, valuation };
    play.print_batches(&batches);
    play.go_on(&mut std::io::stdin().lock())
}

impl Play {
    fn terminal(&self) -> Terminal<'_> {
        Terminal { table: &self.definition, names: &self.names, you: Some(ME) }
    }

    fn go_on(&mut self, lines: &mut impl BufRead) -> Result<ExitCode, String> {
        loop {
            let batches = match self.bot_moves()? {
                Some(batches) => batches,
                None if self.bot_table.table.open() != 0 => match self.person_moves(lines)? {
                    Some(batches) => batches,
                    None => return Ok(ExitCode::SUCCESS),
                },
                None => break,
            };
            self.print_batches(&batches);
        }
        print!("\n{}", self.terminal().write(&self.view()?));
        Ok(ExitCode::SUCCESS)
    }

    /// The person's view, with the title of the phase.
    fn view(&self) -> Result<View, String> {
        let view = self.bot_table.table.view(Viewer::Seat(ME)).ok_or("There is no such viewer.")?;
        Ok(game_files::titled(view, &self.phases))
    }

    fn bot_moves(&mut self) -> Result<Option<StepBatches>, String> {
        let Some(bot) = self.bot_table.asked_bot() else { return Ok(None) };
        let (seat, answer) = (bot.seat(), self.bot_table.decide(bot, &self.valuation).ok_or("Nothing is asked.")?);
        self.bot_table.play(seat, &answer).map(Some).map_err(|r| format!("refused: {}", r.in_words()))
    }

    /// Asks the person for a move and plays it. None if the person stops.
    fn person_moves(&mut self, lines: &mut impl BufRead) -> Result<Option<StepBatches>, String> {
        let view = self.view()?;
        print!("\n{}", self.terminal().write(&view));
        let open = choices(&self.terminal(), &view, MOST_CHOICES);
        loop {
            let Some(line) = ask(lines, "Your choice (? for help, quit to stop): ")? else {
                return Ok(None);
            };
            if line == "?" {
                println!("{HELP}");
                continue;
            }
            // If choices have letters as keys, `q` may be one of them. A game may also have a choice that is called `quit`.
            let choice = choose::chosen(&open, &line);
            if choice.is_none() && ["q", "quit"].iter().any(|word| line.eq_ignore_ascii_case(word)) {
                return Ok(None);
            }
            let Some(choice) = choice else {
                // A number of a long range is not among the choices that are listed.
                if let Some(batches) = self.typed_number(&view, &line) {
                    return Ok(Some(batches));
                }
                match self.objection(&view, &line) {
                    Some(reason) => println!("{reason}"),
                    None => {
                        println!("Please type what stands in front of a choice, or words that only one of them has.")
                    }
                }
                continue;
            };
            let mut answer = choice.answer.clone();
            for part in &choice.typed {
                let Some(text) = ask(lines, "What does it say? ")? else { return Ok(None) };
                if let Some(part) = answer.parts.get_mut(*part) {
                    *part = Chosen::Text(text);
                }
            }
            match self.bot_table.table.answer(ME, &answer) {
                Ok(batches) => {
                    self.bot_table.show_bots(&batches);
                    return Ok(Some(batches));
                }
                Err(refusal) => println!("That is not possible: {}.", refusal.in_words()),
            }
        }
    }

    /// Plays a typed number that the list of choices leaves out, if exactly one alternative takes it.
    fn typed_number(&mut self, view: &View, line: &str) -> Option<StepBatches> {
        let numbers = choose::meant(&self.terminal(), view, line).into_iter();
        let numbers = numbers.filter(|answer| matches!(answer.parts[..], [Chosen::Number(_)]));
        let legal: Vec<_> = numbers.filter(|answer| self.bot_table.table.clone().answer(ME, answer).is_ok()).collect();
        let [answer] = &legal[..] else { return None };
        let batches = self.bot_table.table.answer(ME, answer).ok()?;
        self.bot_table.show_bots(&batches);
        Some(batches)
    }

    /// Returns the reason with which the rules refuse a typed answer that they do not offer.
    fn objection(&self, view: &View, line: &str) -> Option<String> {
        let terminal = self.terminal();
        choose::meant(&terminal, view, line).iter().find_map(|answer| {
            match self.bot_table.table.clone().answer(ME, answer) {
                Err(Refusal::NotLegal(reason)) => Some(terminal.line(&reason)),
                _ => None,
            }
        })
    }

    /// Prints what the person saw happen.
    fn print_batches(&mut self, batches: &StepBatches) {
        let viewer = Viewer::Seat(ME);
        if let (Some(step), Some(view)) = (batches.step_of(viewer), self.bot_table.table.view(viewer)) {
            let narrations = Narrator { table: &self.definition }.narrate(view, &step.batch, &step.replaced);
            narrations.iter().for_each(|narration| println!("  {}", self.terminal().line(&narration.text)));
        }
    }
}

/// Prints a question and reads a line. None at the end of the input.
fn ask(lines: &mut impl BufRead, question: &str) -> Result<Option<String>, String> {
    print!("{question}");
    match std::io::stdout().flush() {
        // Nobody reads the output any more, as in `baize play GAME | head`.
        Err(broken) if broken.kind() == std::io::ErrorKind::BrokenPipe => return Ok(None),
        flushed => flushed.map_err(|e| e.to_string())?,
    }
    let mut line = String::new();
    let read = lines.read_line(&mut line).map_err(|e| e.to_string())?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}
