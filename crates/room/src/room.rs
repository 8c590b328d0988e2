//! A room: the running form of one table.

mod allowance;
mod answered;
mod client;
mod door;
mod effects;
mod game;
mod govern;
mod hibernation;
mod info;
mod join;
mod load;
mod lobby;
mod members;
#[cfg(test)]
mod month_test;
mod newcomers;
mod orders;
mod presence;
mod recovered;
mod report;
mod restart;
mod slow;
mod spectators;
#[cfg(test)]
mod stranger_tests;
mod talk;
mod time;
mod uploads;

pub use client::Client;
pub use effects::{HeldBack, Uncommitted};
pub use game::log_row;
pub use load::{LoadError, Loading, StoredGame, StoredTable};
pub use orders::closed_because;
pub use recovered::Unanswered;
pub use spectators::SpectatorReplayRequest;

use crate::ActionRefusal;
use crate::entropy::Entropy;
use crate::identity::Member;
use crate::message::{Act, ClientId, Effect, Message, Thought, Time};
use crate::packs::PackSet;
use crate::prepared::{PreparedGame, PreparedGames};
use crate::record::{GameRecord, TableRecord};
use crate::rules::{CurrentFile, Rules};
use baize_engine::view::View;
use baize_protocol::{Action, ErrorCode, Refused};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Settings of the operator for all rooms.
#[derive(Clone, Copy, Debug)]
pub struct RoomConfig {
    /// Scale of the bots' pauses in thousandths: at 1000 bots take as long as people, at 0 they answer at once.
    pub bot_delay: u64,
    /// Milliseconds after which a table without connections may leave memory.
    pub park_after: u64,
    /// Milliseconds that players have after a restart to come back. Until then they keep their presence.
    pub return_within: u64,
    /// Upper bound on people who watch a table at the same time.
    pub max_spectators: usize,
    /// Messages that the shell accepts from a client in a second. A tenth of them may be actions that run the table.
    pub actions_per_second: u32,
    /// Upper bound on steps of one game beside its moves: people who come, go or are away, pauses, a new lead. The rules limit
    /// only moves. People who came while the game was under way may cause half of them.
    pub max_inputs: u64,
}

impl Default for RoomConfig {
    fn default() -> Self {
        RoomConfig {
            bot_delay: 1000,
            park_after: 60_000,
            return_within: 30_000,
            max_spectators: 100,
            actions_per_second: 20,
            max_inputs: 20_000,
        }
    }
}

/// What all rooms of one shell share.
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
/// 6. If [`spectator_replay_request`](Room::spectator_replay_request) says so, play the log again for them.
/// 7. Call [`handle_committed`](Room::handle_committed) with what `poll_commit` held back, and carry out every
///    [`poll_effect`](Room::poll_effect) in order: answers first, then broadcasts.
/// 8. Go back to 5 while [`has_work`](Room::has_work).
///
/// The room answers and broadcasts nothing before step 7, so whatever it acknowledges is stored. Between steps 5 and 7 the
/// room takes no messages.
pub struct Room {
    context: Arc<RoomContext>,
    time: Time,
    entropy: Entropy,
    record: TableRecord,
    rules: Arc<Rules>,
    /// The game's file as it is on disk now, for a lead who restarts the game with the newest version.
    file: CurrentFile,
    play: Option<game::RunningGame>,
    /// Uploaded packs that this table has chosen. The room drops them when a game has begun.
    packs: PackSet,
    chat: VecDeque<talk::RoomChatLine>,
    clients: Vec<Client>,
    pending: effects::PendingEffects,
    /// Effects that the shell has not polled yet.
    effects: VecDeque<Effect>,
    thoughts: Vec<Thought>,
    /// Moves and inputs since the shell last took this count.
    steps: u64,
    /// Games that have ended and have no replay yet.
    ended: Vec<(Arc<PreparedGame>, GameRecord)>,
    /// How much each browser has reported lately.
    reporters: report::ReportCounts,
    /// The time until which a start waits for nonces.
    starting: Option<u64>,
    /// After a restart, the time until which players who were connected before it count as connected.
    return_by: Option<u64>,
    /// When something last happened at the table. Loading and parking the table do not count.
    changed_at: u64,
    /// The time at which the game hibernates if nobody moves before.
    hibernate_at: Option<u64>,
    /// The time since which no client is connected.
    idle_since: u64,
    /// The number of the newest spectator.
    last_spectator: u32,
    /// When each disconnected player lost the connection, by the steady clock. The keys are player ids.
    lost_since: BTreeMap<String, u64>,
    /// Rate limits of members.
    allowances: allowance::Allowances,
    /// People who ask to be let in.
    askers: door::Askers,
    /// Recent requests and their answers.
    answered: answered::RecentAnswers,
}

impl Room {
    /// Handles one message. Its effects wait for [`Room::poll_commit`].
    pub fn handle(&mut self, time: Time, message: Message) {
        self.time = time;
        match message {
            Message::Join(join) => self.join(*join),
            Message::Act(act) => {
                let reports = matches!(act.action, Action::Report { .. });
                self.act(*act);
                if reports {
                    self.drop_packs_of_report();
                }
            }
            Message::Gone { client } => self.client_gone(client),
            Message::Decided { seat, decision, answer } => {
                self.bot_decided(seat, decision, answer.map(|answer| *answer));
            }
            Message::Packs(packs) => self.packs = packs,
            Message::FileChanged(file) => self.file_changed(file),
            Message::CloseTable { reason } => self.close_table(&reason),
            Message::Forget { member } => self.remove_member(&member),
            Message::Forgotten { member, lines } => self.forgotten(&member, lines),
            Message::Replay { record, batches } => self.replay_written(*record, batches),
        }
    }

    /// The next decision that a bot has to make. It does not have to wait for a commit.
    pub fn poll_thought(&mut self) -> Option<Thought> {
        (!self.thoughts.is_empty()).then(|| self.thoughts.remove(0))
    }

    pub fn record(&self) -> &TableRecord {
        &self.record
    }

    /// Moves and inputs applied since this was last called, for statistics.
    pub fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// A client that has joined.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.iter().find(|client| client.id == id)
    }

    /// The view of the game that this client has.
    pub fn view(&self, id: ClientId) -> Option<&View> {
        self.play.as_ref()?.live.view(self.viewer(self.client(id)?))
    }

    /// All clients that have joined.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// Carries out or refuses an action of a client, and answers exactly once. A repeated request gets its first answer again.
    fn act(&mut self, act: Act) {
        let Act { client: id, request, action, received } = act;
        // The client sent this action right after a join, before it learned that the join was refused.
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
        // Moves and chat lines are stored together with their requests, and repeating a nonce or a reaction does no harm. The
        // record keeps all other requests.
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
            Action::Again { again } => self.again(id, again),
            Action::RestartGame => self.restart_game(id),
            Action::KickPlayer { player_id } => self.kick(id, &player_id),
            Action::UndoKick { player_id } => self.undo_kick(id, &player_id),
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

    /// Limits how often one member changes the table, because the room tells everybody about each change.
    fn charge(&mut self, member: &Member, action: &Action) -> Result<(), ActionRefusal> {
        let now = self.now();
        match action {
            // Moves, chat and reactions have limits of their own; leaving is always allowed.
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

    /// Steady time, for deadlines.
    fn now(&self) -> u64 {
        self.time.now
    }

    /// The date, for records.
    fn date(&self) -> u64 {
        self.time.date
    }
}
