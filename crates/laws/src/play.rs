//! Plays one game of a file under all laws.

mod answers;
mod handles;
mod people;

use baize_bots::{Bot, Level, Valuation};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::{Game, PackCard};
use baize_engine::instantiate;
use baize_engine::laws::{self, Twin, TwinStep};
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::Move;
use baize_engine::view::{View, Viewer};
use baize_rules::program::{OptionValue, Program, Type};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A broken law, with a description of the failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub law: &'static str,
    pub description: String,
}

/// The amount of work that a run has done. Low counts show a run that tests next to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub games: u64,
    pub decisions: u64,
    pub inputs: u64,
    /// Steps that were played at two tables which differ in what one viewer can't see, with the viewer's batches compared.
    pub pairs: u64,
    pub ended: u64,
    /// Games that ran out of budget.
    pub faults: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.inputs += other.inputs;
        self.pairs += other.pairs;
        self.ended += other.ended;
        self.faults += other.faults;
    }
}

/// One game in this many also checks the law of bots.
const BOTS: u32 = 64;
/// Upper bound on the twins that follow a game at the same time. Each newcomer adds one.
const TWINS: usize = 4;
/// Upper bound on the steps of one game.
const STEPS: usize = 40;

/// Upper bound on the answers of one game that are compared with other answers.
const COMPARED_ANSWERS: usize = 6;

/// The laws about the entries for answers on the list of reveals.
pub const ANSWER_LAWS: [&str; 2] = ["questions are listed", "answers that others notice are listed"];

/// Plays a game; a panic is a broken law like any other.
pub fn guarded(program: &Arc<Program>, seed: u64, counts: &mut Counts) -> Result<(), Violation> {
    match catch_unwind(AssertUnwindSafe(|| play(program, seed, counts))) {
        Ok(result) => result,
        Err(panic) => {
            let what = panic.downcast_ref::<String>().cloned();
            let what = what.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Violation { law: "no panic", description: what.unwrap_or_default() })
        }
    }
}

fn law(law: &'static str, result: Result<(), String>) -> Result<(), Violation> {
    result.map_err(|description| Violation { law, description })
}

/// One game under way.
struct GameRun<'a> {
    game: Game,
    seats: usize,
    bytes: [u8; 32],
    table: LiveTable,
    views: laws::Views,
    log: Vec<(TwinStep, StepBatches)>,
    twins: Vec<Twin>,
    /// The table as it was saved and loaded at the last moment that was checked, until the next step is taken there, too.
    loaded: Option<LiveTable>,
    handles: handles::StaleHandles,
    /// Answers, with the table before each of them. The laws about answers look at them after all other laws.
    answers: Vec<(LiveTable, u8, Move)>,
    chance: FastChance,
    /// Whether players leave again and again.
    restless: bool,
    /// Whether others may sit down while the game is under way.
    newcomers: bool,
    /// Whether this game also checks the law of bots. The valuation of a bot takes long to compute, so few games do.
    bots: bool,
    valuation: Option<Valuation>,
    counts: &'a mut Counts,
}

fn play(program: &Arc<Program>, seed: u64, counts: &mut Counts) -> Result<(), Violation> {
    let mut chance = FastChance::new(seed ^ 0x5eed);
    let (low, high) = (u32::from(program.meta.min_players), u32::from(program.meta.max_players));
    let seats = (low + chance.below(high - low + 1)) as usize;
    let chosen = options(program, &mut chance);
    let game = match instantiate(program.clone(), &chosen, &packs(), seats) {
        Ok(game) => game,
        // No pack has cards of this type, or the options make too many cards. A host learns this before the game starts.
        Err(_) => return Ok(()),
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let table = LiveTable::new(&game, bytes);
    let views = laws::views(&table);
    counts.games += 1;
    let bots = chance.below(BOTS) == 0;
    let mut run = GameRun {
        game,
        seats,
        bytes,
        table,
        views,
        log: Vec::new(),
        twins: Vec::new(),
        loaded: None,
        handles: handles::StaleHandles::default(),
        answers: Vec::new(),
        chance,
        restless: seed % 3 == 1,
        newcomers: program.meta.newcomers_play,
        bots,
        valuation: None,
        counts,
    };
    run.begin()?;
    run.middle()?;
    run.finish()
}

impl GameRun<'_> {
    fn begin(&mut self) -> Result<(), Violation> {
        // In some games one player joins late.
        let late = (self.chance.below(6) == 0).then(|| self.chance.below(self.seats as u32) as u8);
        for seat in (0..self.seats as u8).filter(|seat| Some(*seat) != late) {
            let person = seat == 0 || self.chance.below(3) > 0;
            self.step(TwinStep::Input(Input::Join { seat, person }))?;
        }
        self.step(TwinStep::Input(Input::Lead { seat: Some(0) }))?;
        self.step(TwinStep::Input(Input::Start))?;
        if let (Some(seat), false) = (late, self.started()) {
            self.step(TwinStep::Input(Input::Join { seat, person: true }))?;
            self.step(TwinStep::Input(Input::Start))?;
        }
        Ok(())
    }

    fn started(&self) -> bool {
        self.table.open() != 0 || self.table.outcome().is_some()
    }

    fn middle(&mut self) -> Result<(), Violation> {
        for _ in 0..STEPS {
            if self.table.outcome().is_some() {
                self.counts.ended += 1;
                if self.table.outcome().is_some_and(|ended| ended.fault.is_some()) {
                    self.counts.faults += 1;
                }
                break;
            }
            if self.chance.below(if self.restless { 2 } else { 6 }) == 0 {
                let input = self.disturbance();
                self.step(TwinStep::Input(input))?;
                continue;
            }
            let open: Vec<u8> = seats_of(self.table.open()).collect();
            if open.is_empty() || self.views[0].1.paused {
                if !self.bring_back()? {
                    break;
                }
                continue;
            }
            let seat = open[self.chance.below(open.len() as u32) as usize];
            let answer =
                self.answer(seat).map_err(|description| Violation { law: "who is asked may answer", description })?;
            self.one_step_twins(seat, &answer)?;
            if self.answers.len() < COMPARED_ANSWERS {
                self.answers.push((self.table.clone(), seat, answer.clone()));
            }
            self.step(TwinStep::Move(seat, answer))?;
            if self.chance.below(3) == 0 {
                self.moment()?;
            }
        }
        Ok(())
    }

    /// Checks the laws about one moment of the game.
    fn moment(&mut self) -> Result<(), Violation> {
        let (table, seed) = (&self.table, self.chance.word());
        law("what a seat sees decides what it may do", laws::sight_decides_legality(table))?;
        law("what players read is true", laws::sights_tell_the_truth(table))?;
        law("what is offered is accepted", baize_terminal::offers_are_accepted(table, seed))?;
        law("what is not offered is refused", laws::unoffered_answers_are_refused(table, seed))?;
        law("shortcuts lead to the same", laws::playouts_match_single_steps(table, seed))?;
        let loaded = laws::saving_keeps_tables(table, &self.game);
        self.loaded = Some(loaded.map_err(|description| Violation { law: "saving keeps tables", description })?);
        for viewer in laws::viewers(table) {
            law("nothing leaks to who looks", laws::nothing_leaks(table, viewer, seed))?;
            if viewer != Viewer::Replay {
                law("worlds keep views", laws::worlds_keep_views(table, viewer, seed))?;
            }
        }
        law("views survive JSON", through_json(&self.views))?;
        if self.bots {
            let valuation = self.valuation.get_or_insert_with(|| Valuation::of(&table.sight(Viewer::Spectator)));
            law("bots are blind", check_bot_ignores_hidden_cards(table, valuation, seed))?;
        }
        law("refusals change nothing", answers::refusals_change_nothing(table, &mut self.chance))
    }

    /// Takes a step at the table and at the twins.
    fn step(&mut self, step: TwinStep) -> Result<(), Violation> {
        let before = self.table.clone();
        let batches = match step.apply(&mut self.table) {
            Ok(batches) => batches,
            Err(refusal) => {
                let unchanged = self.table.save() == before.save();
                if !unchanged {
                    return Err(Violation {
                        law: "refusals change nothing",
                        description: format!("{step:?}: {refusal:?}"),
                    });
                }
                return match step {
                    TwinStep::Move(..) => Err(Violation {
                        law: "what is legal is accepted",
                        description: format!("{step:?}: {refusal:?}"),
                    }),
                    TwinStep::Input(_) => Ok(()),
                };
            }
        };
        match step {
            TwinStep::Move(..) => self.counts.decisions += 1,
            TwinStep::Input(_) => self.counts.inputs += 1,
        }
        if let Some(loaded) = self.loaded.take() {
            law("loaded tables go on", laws::loaded_tables_go_on(loaded, &step, &batches, &self.table))?;
        }
        law("handles and zones out of sight are not told", self.handles.follow(&self.views, &batches, &self.table))?;
        law("view and batch are the next view", laws::batches_lead_to_views(&mut self.views, &batches, &self.table))?;
        let mut going = Vec::new();
        for mut twin in std::mem::take(&mut self.twins) {
            let same = twin.follow(&before, &self.table, &step, &batches);
            if same.map_err(|description| Violation { law: "nothing leaks to who is told", description })? {
                self.counts.pairs += 1;
                going.push(twin);
            }
        }
        self.twins = going;
        // A newcomer may sit in the seat of somebody who has left, and must not learn what that player knew.
        if let TwinStep::Input(Input::Join { seat, .. }) = &step
            && self.started()
        {
            self.twins.push(Twin::new(&self.table, Viewer::Seat(*seat), self.chance.word()));
        }
        if self.started() && self.twins.len() < TWINS {
            let viewers: Vec<Viewer> =
                laws::viewers(&self.table).into_iter().filter(|v| *v != Viewer::Replay).collect();
            let viewer = viewers[self.chance.below(viewers.len() as u32) as usize];
            self.twins.push(Twin::new(&self.table, viewer, self.chance.word()));
        }
        self.log.push((step, batches));
        Ok(())
    }

    /// Checks that every viewer is told the same about this answer at a table that differs in what the viewer can't see.
    fn one_step_twins(&mut self, seat: u8, answer: &Move) -> Result<(), Violation> {
        let step = TwinStep::Move(seat, answer.clone());
        let mut after = self.table.clone();
        let Ok(batches) = step.apply(&mut after) else { return Ok(()) };
        for viewer in laws::viewers(&self.table).into_iter().filter(|viewer| *viewer != Viewer::Replay) {
            let mut twin = Twin::new(&self.table, viewer, self.chance.word());
            let same = twin.follow(&self.table, &after, &step, &batches);
            if same.map_err(|description| Violation { law: "nothing leaks to who is told", description })? {
                self.counts.pairs += 1;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        self.moment()?;
        let repairs: u32 =
            laws::viewers(&self.table).iter().filter_map(|v| self.table.observer(*v)).map(|o| o.repairs()).sum();
        if repairs > 0 {
            let what = format!("{repairs} zones had to be told whole because events did not lead to the view");
            return Err(Violation { law: "events lead to the view", description: what });
        }
        law("the log leads to the same table", self.replayed())?;
        law("the game ends", self.ends())?;
        let [listed, noticed] = ANSWER_LAWS;
        law(listed, laws::choices_are_listed(&self.table))?;
        let (seed, mut answers) = (u64::from_le_bytes(std::array::from_fn(|at| self.bytes[at])), 0u64..);
        self.answers.iter().zip(&mut answers).try_for_each(|((table, seat, answer), at)| {
            law(noticed, laws::noticed_answers_are_listed(table, *seat, answer, seed ^ at << 32))
        })
    }

    /// Checks that the log, played again, gives the same table and tells everybody the same, and that it tells a viewer alone the
    /// same.
    fn replayed(&mut self) -> Result<(), String> {
        let mut again = LiveTable::new(&self.game, self.bytes);
        let viewers = [Viewer::Spectator, Viewer::Replay];
        let only = viewers[self.chance.below(2) as usize];
        let mut alone = LiveTable::new(&self.game, self.bytes).only(&[only]);
        for (step, batches) in &self.log {
            let same = step.apply(&mut again).map_err(|refusal| format!("{step:?} is refused: {refusal:?}"))?;
            if same != *batches {
                return Err(format!("{step:?} is told otherwise"));
            }
            let same = step.apply(&mut alone).map_err(|refusal| format!("{step:?} is refused: {refusal:?}"))?;
            if same.of(only) != batches.of(only) {
                return Err(format!("{only:?} alone is told {step:?} otherwise"));
            }
        }
        if again.state_hash() != self.table.state_hash() {
            return Err("another table".to_owned());
        }
        Ok(())
    }

    /// Checks that the game ends within its limit of moves if everybody is present and answers.
    fn ends(&mut self) -> Result<(), String> {
        let mut table = self.table.clone();
        for _ in 0..400 {
            if table.outcome().is_some() {
                return Ok(());
            }
            if table.open() == 0 || table.view(Viewer::Spectator).is_some_and(|view| view.paused) {
                let _ = table.input(&Input::Resume);
                for seat in 0..self.seats as u8 {
                    let _ = table.input(&Input::Join { seat, person: true });
                    let _ = table.input(&Input::Present { seat });
                }
                let _ = table.input(&Input::Lead { seat: Some(0) });
                let _ = table.input(&Input::Start);
                if table.open() == 0 {
                    // The rules can ask no seat any more.
                    return Ok(());
                }
            }
            let Some(seat) = seats_of(table.open()).next() else { continue };
            let answer = table.default_move(seat).ok_or("who is asked has no default")?;
            table.play(seat, &answer).map_err(|refusal| format!("the default {answer:?} is refused: {refusal:?}"))?;
        }
        Err("400 moves after the last it goes on".to_owned())
    }
}

/// Checks that writing a view as JSON and reading it again changes nothing.
fn through_json(views: &laws::Views) -> Result<(), String> {
    for (viewer, view) in views {
        let text = serde_json::to_string(view).map_err(|error| error.to_string())?;
        let back: View = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if back != *view {
            return Err(format!("the view of {viewer:?} changes"));
        }
    }
    Ok(())
}

/// Checks that a bot's answer does not depend on cards that it can't see.
fn check_bot_ignores_hidden_cards(table: &LiveTable, valuation: &Valuation, seed: u64) -> Result<(), String> {
    if table.view(Viewer::Spectator).is_some_and(|view| view.paused) {
        return Ok(());
    }
    let Some(seat) = seats_of(table.open()).next() else { return Ok(()) };
    let viewer = Viewer::Seat(seat);
    let Some(knowledge) = table.knowledge(viewer) else { return Ok(()) };
    let bot = Bot::new(seat, Level::Difficult, seed).with_budget(60);
    let here = bot.decide(&table.sight(viewer), knowledge, valuation);
    let there = bot.decide(&laws::sight_with_changed_secrets(table, viewer, seed), knowledge, valuation);
    if here != there {
        return Err(format!("seat {seat} answers {here:?} here and {there:?} where hidden things differ"));
    }
    Ok(())
}

/// Makes text cards for files that need packs.
fn packs() -> Vec<PackCard> {
    let card = |text: String, pick: i32| PackCard {
        deck_type: "answer".to_owned(),
        text,
        props: vec![("pick".to_owned(), pick)],
    };
    // Players can write on blank cards.
    let blanks = (0..4).map(|_| card(String::new(), 0));
    (0..8).map(|n| card(format!("Answer {n} is ____."), n % 3)).chain(blanks).collect()
}

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
