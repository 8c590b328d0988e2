//! The game at the table: the room applies inputs, logs them and sends their batches; clocks and bots follow the game's state.

use super::Room;
use super::effects::game_row;
use super::hibernation::HibernatingTable;
use crate::ActionRefusal;
use crate::encode;
use crate::entropy::Entropy;
use crate::identity::Member;
use crate::log_replay::apply;
use crate::message::{ClientId, Thought};
use crate::payload::Payload;
use crate::record::{ClockLeft, GameRecord, LogRecord, LoggedInput, Request};
use crate::snapshot;
use baize_bots::{Bot, Level};
use baize_engine::input::Input;
use baize_engine::live::StepBatches;
use baize_engine::moves::Move;
use baize_engine::view::{Answer, Viewer};
use baize_protocol::compact::WireBatch;
use baize_protocol::{BotLevel, ErrorCode, Presence, ServerMessage, TableEvent, TableStatus};
use baize_rows::{LogRow, Snapshot, Unwritable, Write};
use std::collections::{BTreeSet, VecDeque};

/// Steps between two snapshots.
const SNAPSHOT_EVERY: u64 = 256;
/// Upper bound on steps kept for clients that come back soon. Other clients get the whole view.
const MAX_SENT_STEPS: usize = 16;
/// Upper bound on browsers that are known to have made moves.
const MAX_AUTHORS: usize = 64;

/// The running game, or the one that has just ended.
pub struct RunningGame {
    pub live: HibernatingTable,
    pub record: GameRecord,
    /// Whether the room makes batches for spectators.
    pub watched: bool,
    recent: VecDeque<SentStep>,
    /// Inputs that are due at a certain time.
    pub clocks: Vec<RunningClock>,
    /// Decisions that bots have to make.
    pub bots: Vec<BotTurn>,
    /// The bots of seats without a person; each is made when it is first needed.
    bot_players: Vec<Bot>,
    /// Browsers whose member rows the store keeps for good, because the game's record or log has their hashes.
    authors: BTreeSet<Member>,
}

/// A step as it was sent, for clients that come back.
struct SentStep {
    seq: u64,
    sent: Vec<(Viewer, Payload)>,
}

/// A decision that a bot has to make. The bot thinks during its pause, so that the time of its answer does not reveal how long
/// it thought, which depends on its hand.
pub struct BotTurn {
    seat: u8,
    decision: u32,
    /// When the answer is played. `None` while the game does not run.
    answer_at: Option<u64>,
    progress: Progress,
}

enum Progress {
    Waiting,
    /// `seq` is the step after which the bot was given its view.
    Thinking {
        seq: u64,
    },
    /// The answer is `None` if the bot found no move.
    Decided {
        seq: u64,
        answer: Option<Move>,
    },
}

impl BotTurn {
    /// When the room has to wake up for this turn.
    pub fn due(&self) -> Option<u64> {
        match self.progress {
            Progress::Thinking { .. } => None,
            Progress::Waiting | Progress::Decided { .. } => self.answer_at,
        }
    }
}

pub struct RunningClock {
    pub input: Input,
    pub state: ClockState,
}

#[derive(Clone, Copy)]
pub enum ClockState {
    Due(u64),
    /// The clock is stopped, with the remaining milliseconds.
    Held(u64),
}

impl RunningGame {
    pub fn new(live: HibernatingTable, record: GameRecord) -> Self {
        let watched = live.observer(Viewer::Spectator).is_some();
        let authors = record.members.iter().map(|(_, member)| *member).collect();
        RunningGame {
            live,
            record,
            watched,
            recent: VecDeque::new(),
            clocks: Vec::new(),
            bots: Vec::new(),
            bot_players: Vec::new(),
            authors,
        }
    }

    /// Entries of all lists, for tests.
    #[cfg(test)]
    pub(super) fn entries(&self) -> [usize; 5] {
        let RunningGame { live: _, record: _, watched: _, recent, clocks, bots, bot_players, authors } = self;
        [recent.len(), clocks.len(), bots.len(), bot_players.len(), authors.len()]
    }

    /// Whether this browser has just made its first move. If so, the store must keep its member row for good: the log has the
    /// browser's hash, so *Forget me* must find the table as long as the log exists.
    fn is_new_author(&mut self, member: Member) -> bool {
        if self.authors.len() >= MAX_AUTHORS {
            // Storing a row again does no harm.
            self.authors.clear();
        }
        self.authors.insert(member)
    }

    /// Returns the bot of a seat, which it makes if there is none of this level.
    fn take_bot(&mut self, seat: u8, level: Level, entropy: &mut Entropy) -> Bot {
        if let Some(bot) = self.bot_players.iter().find(|bot| bot.seat() == seat && bot.level() == level) {
            return bot.clone();
        }
        self.bot_players.retain(|bot| bot.seat() != seat);
        let bot = Bot::new(seat, level, entropy.number());
        self.bot_players.push(bot.clone());
        bot
    }

    /// Shows bots what their seats see.
    fn show_bots(&mut self, batches: &StepBatches) {
        for bot in self.bot_players.iter_mut().filter(|bot| bot.watches()) {
            let viewer = Viewer::Seat(bot.seat());
            if let Some(batch) = batches.of(viewer) {
                bot.watch(&self.live.sight(viewer), batch);
            }
        }
    }

    /// The batches after `seq` for a viewer, if they are all kept.
    pub fn since(&self, viewer: Viewer, seq: u64) -> Option<Vec<WireBatch>> {
        let now = self.live.seq();
        if seq == now {
            return Some(Vec::new());
        }
        let (first, last) = (self.recent.front()?.seq, self.recent.back()?.seq);
        if seq > now || seq + 1 < first || last != now {
            return None;
        }
        let missed = self.recent.iter().filter(|recent| recent.seq > seq);
        missed.map(|recent| recent.of(viewer)).collect()
    }

    /// All clocks with their remaining time, as they are stored.
    pub fn stopped_clocks(&self, now: u64) -> Vec<ClockLeft> {
        let left = |state| match state {
            ClockState::Due(at) => u64::saturating_sub(at, now),
            ClockState::Held(left) => left,
        };
        self.clocks.iter().map(|clock| (clock.input.clone(), left(clock.state))).collect()
    }

    /// The remaining milliseconds of each decision's clock.
    pub fn clocks_left(&self, now: u64) -> Vec<(u32, u64)> {
        let shown = self.clocks.iter().filter_map(|clock| match (&clock.input, clock.state) {
            (Input::Timeout { decision }, ClockState::Due(at)) => Some((*decision, at.saturating_sub(now))),
            (Input::Timeout { decision }, ClockState::Held(left)) => Some((*decision, left)),
            _ => None,
        });
        shown.collect()
    }

    /// The seats of absent players for whom the rules will decide, with the remaining milliseconds.
    pub fn absent_clocks(&self, now: u64) -> impl Iterator<Item = (u8, u64)> + '_ {
        self.clocks.iter().filter_map(move |clock| match (&clock.input, clock.state) {
            (Input::AbsentTimeout { seat, .. }, ClockState::Due(at)) => Some((*seat, at.saturating_sub(now))),
            _ => None,
        })
    }

    /// Keeps a sent step for clients that come back soon.
    pub fn keep(&mut self, seq: u64, sent: Vec<(Viewer, Payload)>) {
        if self.recent.len() == MAX_SENT_STEPS {
            self.recent.pop_front();
        }
        self.recent.push_back(SentStep { seq, sent });
    }

    /// Keeps in memory only what is necessary to go on.
    pub fn hibernate(&mut self) {
        self.live.hibernate();
        self.recent = VecDeque::new();
    }
}

impl SentStep {
    fn of(&self, viewer: Viewer) -> Option<WireBatch> {
        let (_, payload) = self.sent.iter().find(|(to, _)| *to == viewer)?;
        match serde_json::from_slice(payload.json()).ok()? {
            ServerMessage::Event { batch, .. } => batch,
            _ => None,
        }
    }
}

impl Room {
    pub(super) fn move_by(&mut self, id: ClientId, request: &str, answer: &Answer) -> Result<(), ActionRefusal> {
        let client = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?;
        let member = client.member;
        let player = client.player.as_ref().and_then(|id| self.record.player(id)).ok_or(ErrorCode::NoSeat)?;
        let seat = player.seat.ok_or(ErrorCode::NotStarted)?;
        self.must_be_running()?;
        let play = self.play.as_ref().ok_or(ErrorCode::NotStarted)?;
        let answer = play.live.resolve(seat, answer)?;
        self.step(LoggedInput::Move { seat, answer }, Some((member, request.to_owned())))?;
        if self.play.as_mut().is_some_and(|play| play.is_new_author(member)) {
            let player = self.client(id).and_then(|client| self.record.player(client.player.as_ref()?));
            let name = player.map(|player| player.name.clone()).unwrap_or_default();
            self.note_player(member, name);
        }
        Ok(())
    }

    pub(super) fn must_be_running(&self) -> Result<(), ActionRefusal> {
        match self.record.status {
            TableStatus::Playing => Ok(()),
            TableStatus::Lobby => Err(ErrorCode::NotStarted.into()),
            TableStatus::Paused => Err(ErrorCode::Paused.into()),
            TableStatus::Ended => Err(ErrorCode::GameOver.into()),
        }
    }

    pub(super) fn input(&mut self, input: Input) -> Result<(), ActionRefusal> {
        self.step(LoggedInput::Input(input), None)
    }

    /// Applies one input to the game. A refused input changes nothing.
    pub(super) fn step(&mut self, step: LoggedInput, request: Option<Request>) -> Result<(), ActionRefusal> {
        let now = self.now();
        let play = self.play.as_mut().ok_or(ErrorCode::NotStarted)?;
        let batches = apply(&mut play.live, &step)?;
        let seq = batches.seq;
        play.show_bots(&batches);
        self.hibernate_at = None;
        self.steps += 1;
        self.follow_clocks();
        let play = self.play.as_ref().ok_or(ErrorCode::NotStarted)?;
        let logged = LogRecord { step, request, clocks: play.stopped_clocks(now) };
        let row = log_row(batches.seq, &logged, self.date());
        self.pending.add(row.map(|row| Write::Log { game: play.record.id.clone(), row }));
        let clocks = play.clocks_left(now);
        let written = self.write_step(&batches, &clocks);
        self.pending.step(written);
        if batches.seq % SNAPSHOT_EVERY == 0 {
            self.dismiss_spectators();
            self.snapshot();
        }
        if self.play.as_ref().is_some_and(|play| play.live.outcome().is_some()) {
            self.game_ended();
        } else if seq >= self.max_steps() {
            self.session("This game has become too long and ends without counting".into());
            self.apply_input(Input::Abandon);
        }
        self.wake_bots();
        Ok(())
    }

    /// The longest log of one game. The rules limit moves. Without a limit on everything else, somebody who joins and leaves
    /// all day would make the log and the replay grow for ever.
    fn max_steps(&self) -> u64 {
        u64::from(self.rules.program.meta.limit) + self.context.config.max_inputs
    }

    pub(super) fn snapshot(&mut self) {
        if let Some(play) = &self.play {
            let saved = play.live.save().map_err(|error| Unwritable::new("a snapshot", error));
            let snapshot = saved.map(|saved| Snapshot { seq: play.live.seq(), body: snapshot::seal(&saved) });
            let game = play.record.id.clone();
            self.pending.add(snapshot.map(|snapshot| Write::Snapshot { game, snapshot }));
        }
    }

    pub(super) fn game_ended(&mut self) {
        if self.record.status == TableStatus::Ended {
            return;
        }
        let now = self.date();
        self.record.status = TableStatus::Ended;
        self.record.paused = None;
        self.record.ended_at = Some(now);
        self.record.votes.clear();
        if let Some(play) = &mut self.play {
            play.record.ended_at = Some(now);
            play.clocks.clear();
            play.bots.clear();
            self.pending.add(game_row(&play.record));
            self.pending.writes.push(Write::Ended { game: play.record.id.clone() });
            self.ended.push((play.live.prepared().clone(), play.record.clone()));
        }
        self.snapshot();
        self.pending.event(TableEvent::GameEnded);
        self.pending.table();
    }

    /// Whether a person is present, so that clocks and bots may go on.
    pub(super) fn has_person_present(&self) -> bool {
        self.return_by.is_some() || self.record.seated().any(|player| player.is_person() && player.is_active())
    }

    /// Starts new clocks, drops those that are gone, and stops all clocks while no person is present or the table is paused.
    pub(super) fn follow_clocks(&mut self) {
        let now = self.now();
        let runs = self.record.status == TableStatus::Playing && self.has_person_present();
        let Some(play) = &mut self.play else { return };
        let mut absence_began = false;
        if self.record.status == TableStatus::Playing {
            let due = play.live.clocks();
            play.clocks.retain(|clock| due.iter().any(|due| due.input == clock.input));
            for due in due {
                if !play.clocks.iter().any(|clock| clock.input == due.input) {
                    absence_began |= matches!(due.input, Input::AbsentTimeout { .. });
                    let state = ClockState::Held(u64::from(due.seconds) * 1000);
                    play.clocks.push(RunningClock { input: due.input, state });
                }
            }
        }
        for clock in &mut play.clocks {
            clock.state = match (clock.state, runs) {
                (ClockState::Held(left), true) => ClockState::Due(now + left),
                (ClockState::Due(at), false) => ClockState::Held(at.saturating_sub(now)),
                (state, _) => state,
            };
        }
        // Everybody reads how long the table waits for the absent player.
        if absence_began {
            self.pending.table();
        }
    }

    /// Lists the decisions that bots have to make. Bots wait while no person is present, so that a table never plays on by
    /// itself.
    pub(super) fn wake_bots(&mut self) {
        let (now, scale) = (self.now(), self.context.config.bot_delay);
        let runs = self.record.status == TableStatus::Playing && self.has_person_present();
        let record = &self.record;
        let Some(play) = &mut self.play else { return };
        if !runs {
            // Decisions that bots are thinking about stay listed; otherwise a game that stops and goes on again would ask a bot
            // twice at once.
            play.bots.retain(|turn| matches!(turn.progress, Progress::Thinking { .. }));
            play.bots.iter_mut().for_each(|turn| turn.answer_at = None);
            return;
        }
        let open = play.live.open();
        let mut asked = Vec::new();
        for player in record.players.iter().filter(|p| p.presence != Presence::Left) {
            let Some(level) = player.bot.map(level_of) else { continue };
            let Some(seat) = player.seat.filter(|seat| open >> seat & 1 == 1) else { continue };
            let view = play.live.view(Viewer::Seat(seat));
            if let Some(decision) = view.and_then(|view| view.decision.as_ref()) {
                asked.push((seat, decision.id, level));
            }
        }
        play.bots
            .retain(|turn| asked.iter().any(|(seat, decision, _)| (*seat, *decision) == (turn.seat, turn.decision)));
        for (seat, decision, level) in asked {
            let seed = self.entropy.number();
            let answer_at = Some(now + u64::from(baize_bots::pause_ms(level, seed)) * scale / 1_000);
            match play.bots.iter_mut().find(|turn| (turn.seat, turn.decision) == (seat, decision)) {
                Some(turn) => turn.answer_at = turn.answer_at.or(answer_at),
                None => play.bots.push(BotTurn { seat, decision, answer_at, progress: Progress::Waiting }),
            }
        }
    }

    /// Asks bots for new decisions.
    pub(super) fn ask_bots(&mut self) {
        let Some(play) = &mut self.play else { return };
        for at in 0..play.bots.len() {
            if !matches!(play.bots[at].progress, Progress::Waiting) {
                continue;
            }
            let (seat, decision) = (play.bots[at].seat, play.bots[at].decision);
            let viewer = Viewer::Seat(seat);
            let Some(knowledge) = play.live.knowledge(viewer).cloned() else { continue };
            let level = self.record.by_seat(seat).and_then(|player| player.bot).unwrap_or(BotLevel::Medium);
            play.bots[at].progress = Progress::Thinking { seq: play.live.seq() };
            self.thoughts.push(Thought {
                seat,
                decision,
                bot: play.take_bot(seat, level_of(level), &mut self.entropy),
                sight: play.live.sight(viewer),
                knowledge,
                valuation: play.live.prepared().valuation.clone(),
            });
        }
    }

    /// Takes the decision of a bot. It is played when the bot's pause is over.
    pub(super) fn bot_decided(&mut self, seat: u8, decision: u32, answer: Option<Move>) {
        let Some(play) = &mut self.play else { return };
        let turn = play.bots.iter_mut().find(|turn| (turn.seat, turn.decision) == (seat, decision));
        let Some(turn) = turn else { return };
        if let Progress::Thinking { seq } = turn.progress {
            turn.progress = Progress::Decided { seq, answer };
        }
        self.wake_bots();
    }

    /// Plays the answer of one bot whose pause is over. Returns false if there is none.
    pub(super) fn play_for_bot(&mut self, now: u64) -> bool {
        let Some(play) = &mut self.play else { return false };
        let decided = |turn: &BotTurn| {
            matches!(turn.progress, Progress::Decided { .. }) && turn.answer_at.is_some_and(|at| at <= now)
        };
        let Some(at) = play.bots.iter().position(decided) else { return false };
        let BotTurn { seat, decision, progress, .. } = play.bots.remove(at);
        let Progress::Decided { seq, answer } = progress else { return true };
        let still_a_bot = self.record.by_seat(seat).is_some_and(|player| player.bot.is_some());
        if !still_a_bot || self.record.status != TableStatus::Playing {
            self.wake_bots();
            return true;
        }
        let looked_at_now = play.live.seq() == seq;
        // A bot that found no move makes the default move, like an absent player.
        let default = play.live.default_move(seat);
        if let Some(answer) = answer {
            if self.step(LoggedInput::Move { seat, answer }, None).is_ok() {
                return true;
            }
            if !looked_at_now {
                // Others have moved since the bot was given its view: it decides again.
                self.wake_bots();
                return true;
            }
        }
        if default.is_none_or(|answer| self.step(LoggedInput::Move { seat, answer }, None).is_err()) {
            tracing::error!(code = %self.record.code, seat, decision, "a bot has no answer");
        }
        true
    }
}

fn level_of(level: BotLevel) -> Level {
    match level {
        BotLevel::Easy => Level::Easy,
        BotLevel::Medium => Level::Medium,
        BotLevel::Difficult => Level::Difficult,
    }
}

/// Makes a log row without the events of the step: they follow from the log, and the room writes the replay when the game has
/// ended.
pub fn log_row(seq: u64, logged: &LogRecord, at: u64) -> Result<LogRow, Unwritable> {
    // Most rows fit into this capacity.
    let input = encode::compact("a log row", logged, Vec::with_capacity(96))?;
    Ok(LogRow { seq, at, input, old_batches: Vec::new() })
}
