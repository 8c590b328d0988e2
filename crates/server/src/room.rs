//! A room: one table in memory, an actor with one writer.
//!
//! Everything that can happen to a table reaches it as a [`Note`] in its inbox, and is taken up one after the other.
//! Taking up a note changes the room and collects [`Effects`](send::Effects): rows to write, answers, things to tell. Then
//! they are carried out in this order: **commit, acknowledge, broadcast**. Notes that queued up meanwhile share a commit.
//!
//! If a commit fails, what is in memory is ahead of what is on disk. The room then ends, cutting everyone off; the next
//! one to come makes it load again from the store, and clients find out what became of their unacknowledged actions.

mod folded;
mod game;
mod govern;
mod join;
mod load;
mod lobby;
mod people;
mod restart;
mod send;
mod talk;
mod time;
mod watch;

pub use game::apply;
pub use join::JoinRequest;
pub use load::packs_of;
pub use send::text;

use crate::Services;
use crate::clock::Alarm;
use crate::cluster;
use crate::identity::Member;
use crate::library::Rules;
use crate::record::{GameRecord, Record};
use crate::stages::Staged;
use baize_engine::moves::Move;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ChatLine, ErrorCode, Refused};
use baize_store::{OpenTable, Opened, StoreError};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Notes waiting for a room. A room that is this far behind refuses more.
pub const INBOX: usize = 1024;
/// Notes that share a commit.
const GROUP: usize = 64;

/// Answers remembered for each browser, so that a repeated request has no second effect.
const REMEMBERED: usize = 32;

/// Names a socket.
pub type ClientId = u64;

/// What reaches a room.
pub enum Note {
    // Boxed: an inbox has space for many notes, most of which are never there.
    Join(Box<JoinRequest>),
    Act(Box<Act>),
    /// The socket is closed.
    Gone {
        client: ClientId,
    },
    /// A bot has made up its mind.
    Thought {
        seat: u8,
        decision: u32,
        answer: Option<Box<Move>>,
    },
    /// What the link's page shows before joining.
    Look {
        member: Option<Box<Member>>,
        /// Another node asks, for somebody who asked there.
        guest: bool,
        reply: oneshot::Sender<Result<TableCard, ErrorCode>>,
    },
    /// The files of these games have changed on disk.
    Reloaded {
        games: Arc<[String]>,
    },
    /// Another node has the table now: nothing can be written any more.
    Lost,
    /// Write down what is only in memory and end.
    Stop,
}

/// What a client wants done.
pub struct Act {
    pub client: ClientId,
    pub request: String,
    pub action: Action,
    pub since: Instant,
}

pub struct Room {
    services: Arc<Services>,
    /// The room's own inbox, for bots to answer to. Weak: a room must not keep itself alive.
    inbox: mpsc::WeakSender<Note>,
    table: i64,
    epoch: i64,
    record: Record,
    rules: Arc<Rules>,
    play: Option<game::Play>,
    chat: VecDeque<ChatLine>,
    clients: Vec<join::Client>,
    next_spectator: u32,
    effects: send::Effects,
    /// Games that are over and have no replay yet.
    ended: Vec<(Arc<Staged>, GameRecord)>,
    /// See [`Note::Lost`].
    lost: bool,
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
    /// How much each may still say.
    allowances: HashMap<Member, talk::Allowance>,
    /// Requests answered lately, with the refusal if it was one.
    answered: HashMap<Member, Answers>,
    /// Of the ids of requests, which are long and only ever compared.
    hasher: RandomState,
}

/// Requests by the hash of their id, with what they were refused for.
type Answers = VecDeque<(u64, Option<Box<Refused>>)>;

/// Why an action is refused: a code, and words where the code's own are not enough.
#[derive(Clone, Debug)]
pub struct No {
    pub code: ErrorCode,
    pub text: Option<String>,
    pub line: Option<baize_engine::view::Line>,
}

impl From<ErrorCode> for No {
    fn from(code: ErrorCode) -> Self {
        No { code, text: None, line: None }
    }
}

impl No {
    pub fn refused(self, request_id: Option<String>) -> Refused {
        let text = self.text.unwrap_or_else(|| self.code.text().to_owned());
        Refused { request_id, error: self.code, text, line: self.line }
    }
}

/// Opens a table and runs it until it is parked, stopped or broken; or stands in for it, if another node has it.
pub async fn run(
    services: Arc<Services>,
    code: String,
    inbox: mpsc::WeakSender<Note>,
    mut notes: mpsc::Receiver<Note>,
) {
    // Boxed, like everything here that is seldom or soon over: what it needs is not kept as long as the room lives.
    let found = Box::pin(find(&services, &code)).await;
    let opened = match &found {
        Ok(Found::Here(open)) => Some((open.id, open.epoch)),
        _ => None,
    };
    match found {
        Ok(Found::Here(open)) => live(&services, &code, open, inbox, &mut notes).await,
        Ok(Found::At(node)) => Box::pin(cluster::stand_in(&services, &code, &node, &mut notes)).await,
        Ok(Found::Nowhere) => refuse_all(&mut notes, ErrorCode::NoTable),
        // It will be somewhere in a moment: whoever asks again finds it.
        Ok(Found::OutOfReach) => refuse_all(&mut notes, ErrorCode::Closing),
        Err(error) => could_not_load(&code, &error, &mut notes),
    }
    services.hub.forget(&code);
    // Whoever wrote before the hub forgot this room gets an answer too.
    notes.close();
    refuse_all(&mut notes, ErrorCode::Closing);
    if let Some((table, epoch)) = opened {
        // Not let go of: then it is free when this node no longer asks for it.
        let _ = services.store.release(table, epoch).await;
    }
}

/// Where a table is.
enum Found {
    Nowhere,
    Here(OpenTable),
    /// At this node, which answers.
    At(String),
    /// At a node that does not answer, and still has it.
    OutOfReach,
}

/// How long a node that has a table and does not answer is waited for, and how often it is asked.
const FIND_WITHIN: Duration = Duration::from_secs(10);
const FIND_AGAIN: u64 = 300;

async fn find(services: &Services, code: &str) -> Result<Found, StoreError> {
    let cluster = services.cluster.as_ref();
    if let Some(cluster) = cluster
        && let Some(redis) = &cluster.redis
        && let Some(node) = redis.place(code).await
        && node != cluster.node
        && cluster.reach(&node).await
    {
        return Ok(Found::At(node));
    }
    let since = Instant::now();
    loop {
        let (node, left) = match services.store.open(code).await? {
            Opened::Unknown => return Ok(Found::Nowhere),
            Opened::Here(open) => {
                if let Some(redis) = cluster.and_then(|cluster| cluster.redis.as_ref()) {
                    redis.put(code);
                }
                return Ok(Found::Here(open));
            }
            Opened::Elsewhere { node, left } => (node, left),
        };
        let Some(cluster) = cluster else { return Ok(Found::OutOfReach) };
        if cluster.reach(&node).await {
            return Ok(Found::At(node));
        }
        if since.elapsed() > FIND_WITHIN {
            return Ok(Found::OutOfReach);
        }
        tokio::time::sleep(Duration::from_millis(left.clamp(20, FIND_AGAIN))).await;
    }
}

async fn live(
    services: &Arc<Services>,
    code: &str,
    open: OpenTable,
    inbox: mpsc::WeakSender<Note>,
    notes: &mut mpsc::Receiver<Note>,
) {
    match Box::pin(Room::load(services, open, inbox)).await.map(Box::new) {
        Ok(mut room) => room.live(notes).await,
        Err(load::LoadError::Semantics(version)) => {
            tracing::warn!(%code, version, "table was played under other semantics");
            refuse_all(notes, ErrorCode::OtherVersion);
        }
        Err(load::LoadError::Store(error)) => could_not_load(code, &error, notes),
    }
}

fn could_not_load(code: &str, error: &StoreError, notes: &mut mpsc::Receiver<Note>) {
    tracing::error!(%code, %error, "table could not be loaded");
    refuse_all(notes, ErrorCode::Storage);
}

fn refuse_all(notes: &mut mpsc::Receiver<Note>, code: ErrorCode) {
    while let Ok(note) = notes.try_recv() {
        match note {
            Note::Join(join) => join.refuse(code),
            Note::Look { reply, .. } => drop(reply.send(Err(code))),
            _ => {}
        }
    }
}

impl Room {
    async fn live(&mut self, notes: &mut mpsc::Receiver<Note>) {
        let clock = self.services.config.clock.clone();
        let mut alarm = pin!(Alarm::None);
        loop {
            let wake = self.next_wake();
            let asleep = async {
                match wake {
                    Some(at) => clock.sleep_until(at, alarm.as_mut()).await,
                    None => std::future::pending().await,
                }
            };
            let first = tokio::select! {
                biased;
                note = notes.recv() => note.map(Some),
                () = asleep => Some(None),
            };
            let mut stop = false;
            match first {
                None => stop = true,
                Some(None) => self.tick(),
                Some(Some(note)) => {
                    stop |= self.take(note);
                    for _ in 1..GROUP {
                        let Ok(note) = notes.try_recv() else { break };
                        stop |= self.take(note);
                    }
                    self.tick();
                }
            }
            if self.lost {
                tracing::warn!(code = %self.record.code, "another node has taken this table over");
                self.cut_everyone(ErrorCode::Storage);
                return;
            }
            if stop {
                self.put_away();
            }
            if let Err(error) = self.flush().await {
                tracing::error!(code = %self.record.code, %error, "commit failed; the table is loaded anew");
                self.cut_everyone(ErrorCode::Storage);
                return;
            }
            if stop {
                self.cut_everyone(ErrorCode::Closing);
                return;
            }
            if self.may_park() {
                self.put_away();
                if self.flush().await.is_err() || self.services.hub.park(&self.record.code, notes) {
                    return;
                }
            }
        }
    }

    /// Takes up one note; true: the room shall stop.
    fn take(&mut self, note: Note) -> bool {
        match note {
            Note::Join(join) => self.join(*join),
            Note::Act(act) => self.act(*act),
            Note::Gone { client } => self.client_gone(client),
            Note::Thought { seat, decision, answer } => self.bot_answers(seat, decision, answer.map(|answer| *answer)),
            Note::Look { member, reply, .. } => drop(reply.send(Ok(self.card(member.as_deref())))),
            Note::Reloaded { games } => self.reloaded(&games),
            Note::Lost => self.lost = true,
            Note::Stop => return true,
        }
        false
    }

    /// One action of a joined client: repeated, done or refused, and answered exactly once.
    fn act(&mut self, act: Act) {
        let Act { client: id, request, action, since } = act;
        let Some(client) = self.clients.iter().find(|client| client.id == id) else { return };
        let member = client.member;
        if let Some(answer) = self.answer_given(&member, &request) {
            match answer {
                None => self.effects.ack(id, request, since),
                Some(refused) => self.effects.refuse(id, refused, since),
            }
            return;
        }
        let kept = !matches!(action, Action::Heartbeat);
        // Moves and lines are kept with their request; of a reaction nothing is kept on disk.
        let about_table =
            !matches!(action, Action::Move(_) | Action::Chat { .. } | Action::Nonce { .. } | Action::React { .. });
        let result = self.perform(id, &request, action);
        let refused = result.err().map(|no| no.refused(Some(request.clone())));
        if kept {
            if refused.is_none() && about_table {
                self.record.done.push_back((self.now(), (member, request.clone())));
                if self.record.done.len() > 64 {
                    self.record.done.pop_front();
                }
            }
            self.remember(member, &request, refused.clone());
        }
        match refused {
            None => self.effects.ack(id, request, since),
            Some(refused) => self.effects.refuse(id, refused, since),
        }
    }

    fn perform(&mut self, id: ClientId, request: &str, action: Action) -> Result<(), No> {
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
            Action::Away { away } => self.away(id, away),
            Action::Leave => self.leave(id),
            Action::Chat { text } => self.say(id, request, &text),
            Action::React { reaction } => self.react(id, &reaction),
            Action::Heartbeat => Ok(()),
        }
    }

    fn answer_given(&self, member: &Member, request: &str) -> Option<Option<Refused>> {
        let lately = self.answered.get(member)?;
        let wanted = self.hasher.hash_one(request);
        let found = lately.iter().find(|(id, _)| *id == wanted);
        found.map(|(_, refused)| refused.as_deref().cloned())
    }

    fn remember(&mut self, member: Member, request: &str, refused: Option<Refused>) {
        let lately = self.answered.entry(member).or_default();
        if lately.len() == REMEMBERED {
            lately.pop_front();
        }
        lately.push_back((self.hasher.hash_one(request), refused.map(Box::new)));
    }

    fn now(&self) -> u64 {
        self.services.config.clock.now()
    }
}
