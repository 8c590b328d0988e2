//! A room: one table in memory, an actor with one writer.
//!
//! Everything that can happen to a table reaches it as a [`Note`] in its inbox, and is taken up one after the other.
//! Taking up a note changes the room and collects [`Effects`](send::Effects): rows to write, answers, things to tell. Then
//! they are carried out in this order: **commit, acknowledge, broadcast**. Notes that queued up meanwhile share a commit.
//!
//! If a commit fails, what is in memory is ahead of what is on disk; if a step panics, nobody knows what is in memory. The room
//! then ends, and another is loaded from the store in its place: see [`recovery`].

mod allowance;
mod answered;
mod door;
mod folded;
mod game;
mod govern;
mod in_turn;
mod join;
mod load;
mod lobby;
#[cfg(test)]
mod month;
mod obey;
mod packs;
mod people;
mod recovery;
mod report;
mod restart;
mod send;
mod talk;
mod time;
mod watch;

pub use game::apply;
pub use join::JoinRequest;
pub use load::packs_of;
pub use recovery::AGAIN_WITHIN;
pub use send::text;

use crate::Services;
use crate::clock::Alarm;
use crate::cluster;
use crate::identity::Member;
use crate::library::Rules;
use crate::names::NameProblem;
use crate::orders::{Obey, Obeyed, at_rest};
use crate::record::{GameRecord, Record};
use crate::shelf::Gathered;
use crate::stages::Staged;
use crate::supervise::said;
use baize_engine::moves::Move;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode, Refused};
use baize_store::{OpenTable, Opened, StoreError};
use futures_util::FutureExt;
use recovery::{Kept, Unanswered};
use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Notes waiting for a room. A room that is this far behind refuses more.
pub const INBOX: usize = 1024;
/// Notes that share a commit.
const GROUP: usize = 64;

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
    /// An operator, or somebody who wants to be forgotten, asks something of the table.
    Obey(Box<Obey>),
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
    /// Packs that people uploaded and this table has chosen; only before a game.
    packs: Gathered,
    chat: VecDeque<talk::Kept>,
    clients: Vec<join::Client>,
    next_spectator: u32,
    effects: send::Effects,
    /// Games that are over and have no replay yet.
    ended: Vec<(Arc<Staged>, GameRecord)>,
    /// Requests of this group of notes, until it is carried out.
    unanswered: Vec<Unanswered>,
    /// What is being done, for the log: see [`Note::step`].
    doing: &'static str,
    /// Whether this room has carried anything out since it was opened.
    flushed: bool,
    /// See [`Note::Lost`].
    lost: bool,
    orders: obey::Orders,
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
    lost_since: HashMap<String, u64>,
    /// How much each may still do.
    allowances: allowance::Allowances,
    /// Who asks to be let in.
    askers: door::Askers,
    /// Requests answered lately, with the refusal if it was one.
    answered: answered::Answered,
}

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

impl From<NameProblem> for No {
    fn from(problem: NameProblem) -> Self {
        No { code: ErrorCode::BadName, text: Some(problem.text().to_owned()), line: None }
    }
}

impl No {
    pub fn refused(self, request_id: Option<String>) -> Refused {
        let text = self.text.unwrap_or_else(|| self.code.text().to_owned());
        Refused { request_id, error: self.code, text, line: self.line }
    }
}

/// What comes after a room.
enum Next {
    /// Whoever is still there has to come back by another way, or not at all.
    Over(ErrorCode),
    /// The table is opened again; what was not stored is refused with this.
    Reopen(ErrorCode),
}

/// Opens a table and runs it until it is parked or stopped; or stands in for it, if another node has it. A room that fails is
/// opened again from the log, and whoever sits at the table stays there (see [`recovery`]). An order that needs the table at rest is
/// carried out here, when the room has ended and before anybody else can open it.
pub async fn run(
    services: Arc<Services>,
    code: String,
    inbox: mpsc::WeakSender<Note>,
    mut notes: mpsc::Receiver<Note>,
) {
    let mut kept = Kept::default();
    let (mut opened, mut panics) = (None, 0);
    loop {
        // Not part of what may panic: the clients are taken out of it afterwards.
        let mut room = None;
        let life = life(&services, &code, &inbox, &mut notes, &mut kept, &mut opened, &mut room);
        let next = match AssertUnwindSafe(life).catch_unwind().await {
            Ok(next) => next,
            Err(panic) => {
                let step = room.as_ref().map_or("room/load", |room| room.doing);
                Box::pin(after_panic(&services, &code, step, said(&*panic), &mut panics)).await
            }
        };
        match (next, room) {
            (Next::Over(why), room) => {
                let orders = match room {
                    Some(mut room) => {
                        let orders = room.orders_at_rest();
                        kept.take_from(*room, why);
                        orders
                    }
                    None => refuse_but_obey(&mut notes, why),
                };
                kept.cut(why);
                let Some(held) = opened.filter(|_| !orders.is_empty()) else { break };
                Box::pin(at_rest::carry_out(&services, &code, held, orders)).await;
                // Whoever came meanwhile gets the table as it is now.
                if notes.is_empty() || services.hub.is_closing() {
                    break;
                }
            }
            // It could not even be loaded; the next attempt is the last but one.
            (Next::Reopen(_), None) => {}
            (Next::Reopen(why), Some(room)) => {
                let went_well = room.flushed;
                kept.take_from(*room, why);
                // A room that could not write as soon as it was opened is not opened again at once. One that panicked is: a second
                // panic ends its table.
                if !went_well && why != ErrorCode::Fault {
                    kept.refuse(why);
                    if !Box::pin(kept.wait(&mut notes)).await {
                        break;
                    }
                }
            }
        }
    }
    services.hub.forget(&code);
    // Whoever wrote before the hub forgot this room gets an answer too.
    notes.close();
    refuse_all(&mut notes, ErrorCode::Closing);
    if let Some(held) = opened {
        // Not let go of: then it is free when this node no longer asks for it.
        let _ = services.store.release(held.id, held.epoch).await;
    }
}

/// From opening a table to the end of its room, which is left where the caller can find it.
async fn life(
    services: &Arc<Services>,
    code: &str,
    inbox: &mpsc::WeakSender<Note>,
    notes: &mut mpsc::Receiver<Note>,
    kept: &mut Kept,
    opened: &mut Option<at_rest::Held>,
    room: &mut Option<Box<Room>>,
) -> Next {
    // Boxed, like everything here that is seldom or soon over: what it needs is not kept as long as the room lives.
    let gone = match Box::pin(find(services, code)).await {
        Ok(Found::Here(open)) => {
            *opened = Some(at_rest::Held { id: open.id, epoch: open.epoch });
            services.config.faults.trip("room/load", code);
            match Box::pin(Room::load(services, open, inbox.clone())).await {
                Ok(loaded) => {
                    let room = room.insert(Box::new(loaded));
                    room.take_back(kept);
                    return room.live(notes).await;
                }
                Err(load::LoadError::Store(error)) => return Box::pin(not_now(code, &error, notes, kept)).await,
                Err(load::LoadError::Semantics(version)) => {
                    tracing::warn!(%code, version, "table was played under other semantics");
                    ErrorCode::OtherVersion
                }
            }
        }
        Ok(Found::At(node)) => {
            kept.cut(ErrorCode::Closing);
            Box::pin(cluster::stand_in(services, code, &node, notes)).await;
            return Next::Over(ErrorCode::Closing);
        }
        Ok(Found::Nowhere) => ErrorCode::NoTable,
        // It will be somewhere in a moment: whoever asks again finds it.
        Ok(Found::OutOfReach) => ErrorCode::Closing,
        Err(error) => return Box::pin(not_now(code, &error, notes, kept)).await,
    };
    Next::Over(gone)
}

/// The store does not give the table. Those who sit at it are told, and wait for it; nobody else does.
async fn not_now(code: &str, error: &StoreError, notes: &mut mpsc::Receiver<Note>, kept: &mut Kept) -> Next {
    tracing::error!(%code, %error, "table could not be loaded");
    kept.refuse(ErrorCode::Storage);
    match !kept.is_empty() && kept.wait(notes).await {
        true => Next::Reopen(ErrorCode::Storage),
        false => Next::Over(ErrorCode::Storage),
    }
}

/// A table that panics is opened again. One that does so twice within a minute would do so for ever: it ends void. One that
/// panics even then is left alone.
async fn after_panic(services: &Services, code: &str, step: &str, panic: String, panics: &mut u32) -> Next {
    services.metrics.panics.fetch_add(1, Relaxed);
    let again = services.hub.panics_again(code, services.config.clock.now());
    *panics = if again { (*panics + 1).max(2) } else { 1 };
    match *panics {
        1 => {
            tracing::error!(%code, step, panic, "a table panicked; it is opened again from its log");
            Next::Reopen(ErrorCode::Fault)
        }
        2 => {
            tracing::error!(%code, step, panic, "a table panicked again within a minute; it ends void, its log is kept");
            if let Err(error) = recovery::end_void(services, code).await {
                tracing::error!(%code, %error, "the table could not be ended");
            }
            Next::Reopen(ErrorCode::Fault)
        }
        _ => {
            tracing::error!(%code, step, panic, "a table panicked although it is over");
            Next::Over(ErrorCode::Fault)
        }
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

fn refuse_all(notes: &mut mpsc::Receiver<Note>, code: ErrorCode) {
    while let Ok(note) = notes.try_recv() {
        match note {
            Note::Join(join) => join.refuse(code),
            Note::Look { reply, .. } => drop(reply.send(Err(code))),
            // A table that is not there needs nothing done.
            Note::Obey(obey) if code == ErrorCode::NoTable => drop(obey.reply.send(Obeyed::Done)),
            _ => {}
        }
    }
}

/// There is no room: everyone is told so, and orders are carried out all the same.
fn refuse_but_obey(notes: &mut mpsc::Receiver<Note>, code: ErrorCode) -> Vec<Obey> {
    let mut orders = Vec::new();
    while let Ok(note) = notes.try_recv() {
        match note {
            Note::Join(join) => join.refuse(code),
            Note::Look { reply, .. } => drop(reply.send(Err(code))),
            // A table that is not there needs nothing done.
            Note::Obey(obey) if code == ErrorCode::NoTable => drop(obey.reply.send(Obeyed::Done)),
            Note::Obey(obey) => orders.push(*obey),
            _ => {}
        }
    }
    orders
}

impl Room {
    async fn live(&mut self, notes: &mut mpsc::Receiver<Note>) -> Next {
        let clock = self.services.config.clock.clone();
        let mut alarm = pin!(Alarm::None);
        // Those who were at the table before it was opened again hear how it stands.
        if self.has_effects()
            && let Err(error) = self.flush().await
        {
            return self.unstored(&error);
        }
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
                Some(None) => self.tick_in_turn().await,
                Some(Some(note)) => {
                    self.gather_packs(&note).await;
                    stop |= self.take_in_turn(note).await;
                    for _ in 1..GROUP {
                        let Ok(note) = notes.try_recv() else { break };
                        self.gather_packs(&note).await;
                        stop |= self.take_in_turn(note).await;
                    }
                    self.tick_in_turn().await;
                }
            }
            if self.lost {
                tracing::warn!(code = %self.record.code, "this table is no longer this node's");
                return Next::Reopen(ErrorCode::Storage);
            }
            if stop {
                self.put_away();
            }
            if let Err(error) = self.flush().await {
                if stop {
                    tracing::error!(code = %self.record.code, %error, "commit failed at the end");
                    self.drop_orders();
                    return Next::Over(ErrorCode::Closing);
                }
                return self.unstored(&error);
            }
            self.answer_orders();
            if stop {
                return Next::Over(self.end_code());
            }
            if self.may_park() {
                self.put_away();
                if self.flush().await.is_err() || self.services.hub.park(&self.record.code, notes) {
                    return Next::Over(ErrorCode::Closing);
                }
            }
        }
    }

    /// A commit came to nothing. What is in memory is ahead of what is on disk, so the table is loaded anew.
    fn unstored(&self, error: &StoreError) -> Next {
        tracing::error!(code = %self.record.code, %error, "commit failed; the table is loaded anew");
        Next::Reopen(ErrorCode::Storage)
    }

    /// Takes up one note; true: the room shall stop.
    fn take(&mut self, note: Note) -> bool {
        self.doing = note.step();
        self.expects_answer(&note);
        self.services.config.faults.trip(self.doing, &self.record.code);
        match note {
            Note::Join(join) => self.join(*join),
            Note::Act(act) => self.act(*act),
            Note::Gone { client } => self.client_gone(client),
            Note::Thought { seat, decision, answer } => self.bot_decided(seat, decision, answer.map(|answer| *answer)),
            Note::Look { member, reply, .. } => drop(reply.send(Ok(self.card(member.as_deref())))),
            Note::Reloaded { games } => self.reloaded(&games),
            Note::Obey(obey) => return self.obey(*obey),
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
        if let Some(answer) = self.answered.get(&member, &request) {
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
        let result = self.charge(&member, &action).and_then(|()| self.perform(id, &request, action));
        let refused = result.err().map(|no| no.refused(Some(request.clone())));
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
    fn charge(&mut self, member: &Member, action: &Action) -> Result<(), No> {
        let now = self.now();
        match action {
            // These have limits of their own, and whoever wants to leave may.
            Action::Move(_) | Action::Chat { .. } | Action::React { .. } | Action::Heartbeat | Action::Leave => Ok(()),
            Action::Away { .. } => self.allowances.away(member, now),
            _ => self.allowances.govern(member, self.services.config.actions_per_second, now),
        }
    }

    fn remember(&mut self, member: Member, request: &str, refused: Option<Refused>) {
        let (now, clients) = (self.now(), &self.clients);
        let here = |member: &Member| clients.iter().any(|client| client.member == *member);
        self.answered.put(member, request, refused, now, here);
    }

    /// Steady time, for waits.
    fn now(&self) -> u64 {
        self.services.config.clock.now()
    }

    /// The date, for records.
    fn date(&self) -> u64 {
        self.services.config.clock.date()
    }
}
