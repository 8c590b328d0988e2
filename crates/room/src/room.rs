//! A room: the running form of one table.

mod allowance;
mod answered;
mod door;
mod effects;
mod folded;
mod game;
mod govern;
mod info;
mod join;
mod load;
mod lobby;
#[cfg(test)]
mod month;
mod orders;
mod people;
mod recovered;
mod report;
mod restart;
mod slow;
mod spectators;
mod talk;
mod time;
mod uploads;
#[cfg(test)]
mod visitors;

pub use effects::{HeldBack, Uncommitted};
pub use game::log_row;
pub use join::Client;
pub use load::{LoadError, Loading, StoredGame, StoredTable};
pub use orders::closed_because;
pub use recovered::Unanswered;
pub use spectators::SpectatorsWanted;

use crate::ActionRefusal;
use crate::entropy::Entropy;
use crate::identity::Member;
use crate::message::{Act, ClientId, Effect, Message, Thought, Time};
use crate::packs::PackSet;
use crate::prepared::{PreparedGame, PreparedGames};
use crate::record::{GameRecord, Record};
use crate::rules::{CurrentFile, Rules};
use baize_engine::view::View;
use baize_protocol::{Action, ErrorCode, Refused};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// What an operator can set about rooms.
#[derive(Clone, Copy, Debug)]
pub struct RoomConfig {
    /// How long bots seem to think: 1000 is as long as people find natural, 0 not at all.
    pub bot_delay: u64,
    /// A table nobody is connected to may leave memory after so many milliseconds.
    pub park_after: u64,
    /// After a restart players keep their presence for so many milliseconds, to come back.
    pub return_within: u64,
    /// People who may watch one table at the same time.
    pub max_spectators: usize,
    /// Messages that the shell accepts of a client in a second; governing the table is a tenth of that.
    pub actions_per_second: u32,
}

impl Default for RoomConfig {
    fn default() -> Self {
        RoomConfig {
            bot_delay: 1000,
            park_after: 60_000,
            return_within: 30_000,
            max_spectators: 100,
            actions_per_second: 20,
        }
    }
}

/// What all rooms of one shell have in common.
#[derive(Default)]
pub struct RoomContext {
    pub config: RoomConfig,
    pub operator_packs: Arc<PackSet>,
    pub games: PreparedGames,
}

/// One table as a state machine. It does no IO, reads no clock and has no randomness of its own.
///
/// A shell drives it in this order:
///
/// 1. Make a room with [`Loading`], which asks for what the store has of the table.
/// 2. For each message: ask [`packs_wanted`](Room::packs_wanted), read what it names and hand it in as [`Message::Packs`];
///    then call [`handle`](Room::handle). Several messages may share the steps that follow.
/// 3. Call [`handle_timeout`](Room::handle_timeout): after each group of messages, and when
///    [`next_wakeup`](Room::next_wakeup) has come.
/// 4. Pass every [`poll_thought`](Room::poll_thought) to a bot; its move comes back as [`Message::Decided`].
/// 5. Call [`poll_commit`](Room::poll_commit) and store its rows, all or none. If that fails, drop the room and load it again:
///    what it has in memory is ahead of what is stored.
/// 6. If [`spectators_wanted`](Room::spectators_wanted) says so, play the log again for them.
/// 7. Call [`handle_committed`](Room::handle_committed) with what `poll_commit` held back, and carry out every
///    [`poll_effect`](Room::poll_effect) in order: answers first, then what everybody is told.
/// 8. Go back to 5 while [`has_work`](Room::has_work).
///
/// Nothing is answered or told before step 7, so whatever was acknowledged is stored. Between steps 5 and 7 the room takes
/// no messages.
pub struct Room {
    context: Arc<RoomContext>,
    time: Time,
    entropy: Entropy,
    record: Record,
    rules: Arc<Rules>,
    /// The game's file as it is on disk, for a lead who wants to play by its newest version.
    file: CurrentFile,
    play: Option<game::Play>,
    /// Packs that people uploaded and this table has chosen; only before a game.
    packs: PackSet,
    chat: VecDeque<talk::KeptLine>,
    clients: Vec<Client>,
    pending: effects::Pending,
    /// What the shell has not fetched yet.
    effects: VecDeque<Effect>,
    thoughts: Vec<Thought>,
    /// Moves and inputs since the shell last asked.
    steps: u64,
    /// Games that are over and have no replay yet.
    ended: Vec<(Arc<PreparedGame>, GameRecord)>,
    /// Who has reported something lately.
    reporters: report::Reporters,
    /// The start waits for nonces until then.
    starting: Option<u64>,
    /// After a restart: until then those who were here count as here.
    return_by: Option<u64>,
    /// When something last happened at the table. Looking at it and putting it away is nothing.
    changed_at: u64,
    /// When the game is folded up if nobody moves until then.
    fold_at: Option<u64>,
    /// Since when nobody is connected.
    idle_since: u64,
    /// Since when each player who is disconnected is, by the steady clock.
    lost_since: BTreeMap<String, u64>,
    /// How much each may still do.
    allowances: allowance::Allowances,
    /// Who asks to be let in.
    askers: door::Askers,
    /// Requests answered lately, with the refusal if it was one.
    answered: answered::Answered,
}

impl Room {
    /// Takes up one message. What it brings about waits for [`Room::poll_commit`].
    pub fn handle(&mut self, time: Time, message: Message) {
        self.time = time;
        match message {
            Message::Join(join) => self.join(*join),
            Message::Act(act) => self.act(*act),
            Message::Gone { client } => self.client_gone(client),
            Message::Decided { seat, decision, answer } => {
                self.bot_decided(seat, decision, answer.map(|answer| *answer));
            }
            Message::Packs(packs) => self.packs = packs,
            Message::FileChanged(file) => self.file_changed(file),
            Message::CloseTable { reason } => self.close_table(&reason),
            Message::Forget { member } => self.farewell(&member),
            Message::Forgotten { member, lines } => self.forgotten(&member, lines),
            Message::Replay { record, batches } => self.replay_written(*record, batches),
        }
    }

    /// A decision that a bot is to make now. Nothing has to be stored before.
    pub fn poll_thought(&mut self) -> Option<Thought> {
        (!self.thoughts.is_empty()).then(|| self.thoughts.remove(0))
    }

    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Moves and inputs applied since this was last called, for statistics.
    pub fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// Somebody who has joined.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.iter().find(|client| client.id == id)
    }

    /// What this client sees of the game.
    pub fn view(&self, id: ClientId) -> Option<&View> {
        self.play.as_ref()?.live.view(self.viewer(self.client(id)?))
    }

    /// Everybody who has joined.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// One action of a joined client: repeated, done or refused, and answered exactly once.
    fn act(&mut self, act: Act) {
        let Act { client: id, request, action, received } = act;
        // Sent behind a join that was refused, before its sender knew.
        let Some(client) = self.client(id) else {
            return self.pending.turn_away(id, ErrorCode::JoinFirst.into(), request);
        };
        let member = client.member;
        if let Some(answer) = self.answered.get(&member, &request) {
            match answer {
                None => self.pending.ack(id, request, received),
                Some(refused) => self.pending.refuse(id, refused, received),
            }
            return;
        }
        let kept = !matches!(action, Action::Heartbeat);
        // Moves and lines are kept with their request; of a reaction nothing is kept on disk.
        let about_table =
            !matches!(action, Action::Move(_) | Action::Chat { .. } | Action::Nonce { .. } | Action::React { .. });
        let result = self.charge(&member, &action).and_then(|()| self.perform(id, &request, action));
        let refused = result.err().map(|refusal| refusal.refused(Some(request.clone())));
        if kept {
            if refused.is_none() && about_table {
                self.record.done.push_back((self.date(), (member, request.clone())));
                if self.record.done.len() > 64 {
                    self.record.done.pop_front();
                }
            }
            self.remember(member, &request, refused.clone());
        }
        match refused {
            None => self.pending.ack(id, request, received),
            Some(refused) => self.pending.refuse(id, refused, received),
        }
    }

    fn perform(&mut self, id: ClientId, request: &str, action: Action) -> Result<(), ActionRefusal> {
        match action {
            Action::Join { .. } => Err(ErrorCode::AlreadyJoined.into()),
            Action::Move(answer) => self.move_by(id, request, &answer),
            Action::Nonce { nonce } => self.nonce(id, nonce),
            Action::Configure { settings } => self.configure(id, settings),
            Action::AddBot { level } => self.add_bot(id, level),
            Action::RemoveBot { player_id } => self.remove_bot(id, &player_id),
            Action::StartGame => self.start_game(id),
            Action::PauseGame => self.pause_game(id),
            Action::ResumeGame => self.resume_game(id),
            Action::EndGame => self.end_game(id),
            Action::AbandonGame => self.abandon_game(id),
            Action::Rematch => self.rematch(id),
            Action::RestartGame => self.restart_game(id),
            Action::KickPlayer { player_id } => self.kick(id, &player_id),
            Action::VoteRemove { player_id, remove } => self.vote(id, &player_id, remove),
            Action::PassLead { player_id } => self.pass_lead(id, &player_id),
            Action::HandSeat { player_id, to } => self.hand_seat(id, &player_id, &to),
            Action::MoveSeat => self.move_seat(id),
            Action::TakeSeat { code } => self.take_seat(id, &code),
            Action::Mute { player_id, muted } => self.mute(id, &player_id, muted),
            Action::SetDoor { door } => self.set_door(id, door),
            Action::AnswerAsker { asker_id, admit } => self.answer_asker(id, &asker_id, admit),
            Action::SetChat { players_only } => self.set_chat(id, players_only),
            Action::Away { away } => self.away(id, away),
            Action::Leave => self.leave(id),
            Action::Chat { text } => self.say(id, request, &text),
            Action::React { reaction } => self.react(id, &reaction),
            Action::Report { about } => self.report(id, &about),
            Action::Heartbeat => Ok(()),
        }
    }

    /// What changes the table is told to everyone, so nobody may do it without end.
    fn charge(&mut self, member: &Member, action: &Action) -> Result<(), ActionRefusal> {
        let now = self.now();
        match action {
            // These have limits of their own, and whoever wants to leave may.
            Action::Move(_) | Action::Chat { .. } | Action::React { .. } | Action::Heartbeat | Action::Leave => Ok(()),
            Action::Away { .. } => self.allowances.away(member, now),
            _ => self.allowances.govern(member, self.context.config.actions_per_second, now),
        }
    }

    fn remember(&mut self, member: Member, request: &str, refused: Option<Refused>) {
        let (now, clients) = (self.now(), &self.clients);
        let here = |member: &Member| clients.iter().any(|client| client.member == *member);
        self.answered.put(member, request, refused, now, here);
    }

    /// Steady time, for waits.
    fn now(&self) -> u64 {
        self.time.now
    }

    /// The date, for records.
    fn date(&self) -> u64 {
        self.time.date
    }
}
