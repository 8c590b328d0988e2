//! A task for each room: the shell around the state machine of [`baize_room`].
//!
//! Everything that can happen to a table reaches its task as a [`TableMessage`], one after the other. The task hands it to the
//! [`Room`], and carries out what the room wants: **commit, acknowledge, broadcast** ([`flush`]). Messages that queued up meanwhile
//! share a commit.
//!
//! If a commit fails, the room in memory is ahead of what is on disk; if a step panics, nobody knows what is in memory. The
//! task then drops the room and loads another from the store: see [`recovery`].

mod clients;
mod find;
mod flush;
mod load;
mod recovery;

pub use recovery::AGAIN_WITHIN;

use crate::Services;
use crate::clock::Alarm;
use crate::cluster;
use crate::identity::{Member, unhex};
use crate::inbox::{TableMessage, refuse_all, refuse_but_obey};
use crate::orders::{Obey, Obeyed, Order, at_rest, forget};
use crate::slow_work;
use crate::supervise::said;
use baize_protocol::ErrorCode;
use baize_room::{Message, Room, Time, Unanswered};
use baize_store::StoreError;
use clients::Clients;
use find::{Found, find};
use futures_util::FutureExt;
use load::Failure;
use recovery::Survivors;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Messages that share a commit.
const GROUP: usize = 64;

/// A room and what the shell keeps beside it.
struct RoomTask {
    services: Arc<Services>,
    /// The task's own inbox, for bots to answer to. Weak: a room must not keep itself alive.
    inbox: mpsc::WeakSender<TableMessage>,
    held: at_rest::Held,
    room: Room,
    clients: Clients,
    /// Who was turned away lately: what they sent before they knew is answered, too.
    turned_away: Clients,
    /// Requests of this group of messages, until it is carried out.
    unanswered: Vec<Unanswered>,
    /// What is being done, for the log: see [`TableMessage::step`].
    doing: &'static str,
    /// Whether this room has carried anything out since it was loaded.
    flushed: bool,
    /// See [`TableMessage::Lost`].
    lost: bool,
    orders: Orders,
    /// Of the game files, when the room last heard of its own.
    generation: u64,
}

/// Orders that a table has taken up.
#[derive(Default)]
struct Orders {
    /// Done, as soon as it is on disk.
    done: Vec<oneshot::Sender<Obeyed>>,
    /// Who is to be forgotten as soon as their leaving is on disk, and who waits for that.
    forget: Vec<(Member, oneshot::Sender<Obeyed>)>,
    /// To be carried out when the room has ended: the table must be at rest.
    at_rest: Vec<Obey>,
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
    inbox: mpsc::WeakSender<TableMessage>,
    mut messages: mpsc::Receiver<TableMessage>,
) {
    let mut survivors = Survivors::default();
    let (mut opened, mut panics) = (None, 0);
    loop {
        // Not part of what may panic: the clients are taken out of it afterwards.
        let mut task = None;
        let life = life(&services, &code, &inbox, &mut messages, &mut survivors, &mut opened, &mut task);
        let next = match AssertUnwindSafe(life).catch_unwind().await {
            Ok(next) => next,
            Err(panic) => {
                let step = task.as_ref().map_or("room/load", |task| task.doing);
                Box::pin(after_panic(&services, &code, step, said(&*panic), &mut panics)).await
            }
        };
        match (next, task) {
            (Next::Over(why), task) => {
                let orders = match task {
                    Some(mut task) => {
                        let orders = std::mem::take(&mut task.orders.at_rest);
                        survivors.take_from(*task, why);
                        orders
                    }
                    None => refuse_but_obey(&mut messages, why),
                };
                survivors.close(why);
                let Some(held) = opened.filter(|_| !orders.is_empty()) else { break };
                Box::pin(at_rest::carry_out(&services, &code, held, orders)).await;
                // Whoever came meanwhile gets the table as it is now.
                if messages.is_empty() || services.hub.is_closing() {
                    break;
                }
            }
            // It could not even be loaded; the next attempt is the last but one.
            (Next::Reopen(_), None) => {}
            (Next::Reopen(why), Some(task)) => {
                let went_well = task.flushed;
                survivors.take_from(*task, why);
                // A room that could not write as soon as it was opened is not opened again at once. One that panicked is: a second
                // panic ends its table.
                if !went_well && why != ErrorCode::Fault {
                    survivors.refuse(why);
                    if !Box::pin(survivors.wait(&mut messages)).await {
                        break;
                    }
                }
            }
        }
    }
    services.hub.forget(&code);
    // Whoever wrote before the hub forgot this room gets an answer too.
    messages.close();
    refuse_all(&mut messages, ErrorCode::Closing);
    if let Some(held) = opened {
        // Not let go of: then it is free when this node no longer asks for it.
        let _ = services.store.release(held.id, held.epoch).await;
    }
}

/// From opening a table to the end of its room, which is left where the caller can find it.
async fn life(
    services: &Arc<Services>,
    code: &str,
    inbox: &mpsc::WeakSender<TableMessage>,
    messages: &mut mpsc::Receiver<TableMessage>,
    survivors: &mut Survivors,
    opened: &mut Option<at_rest::Held>,
    task: &mut Option<Box<RoomTask>>,
) -> Next {
    // Boxed, like everything here that is seldom or soon over: what it needs is not kept as long as the room lives.
    let gone = match Box::pin(find(services, code)).await {
        Ok(Found::Here(open)) => {
            let held = at_rest::Held { id: open.id, epoch: open.epoch };
            *opened = Some(held);
            services.config.faults.trip("room/load", code);
            let generation = services.library.generation();
            match Box::pin(load::room(services, open)).await {
                Ok(room) => {
                    let task = task.insert(Box::new(RoomTask {
                        services: services.clone(),
                        inbox: inbox.clone(),
                        held,
                        room,
                        clients: Clients::default(),
                        turned_away: Clients::default(),
                        unanswered: Vec::new(),
                        doing: "room/load",
                        flushed: false,
                        lost: false,
                        orders: Orders::default(),
                        generation,
                    }));
                    survivors.come_back(task);
                    return task.live(messages).await;
                }
                Err(Failure::Store(error)) => return Box::pin(not_now(code, &error, messages, survivors)).await,
                Err(Failure::Semantics(version)) => {
                    tracing::warn!(%code, version, "table was played under other semantics");
                    ErrorCode::OtherVersion
                }
            }
        }
        Ok(Found::At(node)) => {
            survivors.close(ErrorCode::Closing);
            Box::pin(cluster::stand_in(services, code, &node, messages)).await;
            return Next::Over(ErrorCode::Closing);
        }
        Ok(Found::Nowhere) => ErrorCode::NoTable,
        // It will be somewhere in a moment: whoever asks again finds it.
        Ok(Found::OutOfReach) => ErrorCode::Closing,
        Err(error) => return Box::pin(not_now(code, &error, messages, survivors)).await,
    };
    Next::Over(gone)
}

/// The store does not give the table. Those who sit at it are told, and wait for it; nobody else does.
async fn not_now(
    code: &str,
    error: &StoreError,
    messages: &mut mpsc::Receiver<TableMessage>,
    survivors: &mut Survivors,
) -> Next {
    tracing::error!(%code, %error, "table could not be loaded");
    survivors.refuse(ErrorCode::Storage);
    match !survivors.is_empty() && survivors.wait(messages).await {
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

impl RoomTask {
    async fn live(&mut self, messages: &mut mpsc::Receiver<TableMessage>) -> Next {
        let clock = self.services.config.clock.clone();
        let mut alarm = pin!(Alarm::None);
        // Those who were at the table before it was opened again hear how it stands.
        if self.room.has_work()
            && let Err(error) = self.flush().await
        {
            return self.unstored(&error);
        }
        loop {
            let wakeup = self.room.next_wakeup();
            let asleep = async {
                match wakeup {
                    Some(at) => clock.sleep_until(at, alarm.as_mut()).await,
                    None => std::future::pending().await,
                }
            };
            let first = tokio::select! {
                biased;
                message = messages.recv() => message.map(Some),
                () = asleep => Some(None),
            };
            let mut stop = false;
            match first {
                None => stop = true,
                Some(None) => self.timeout().await,
                Some(Some(message)) => {
                    stop |= self.take(message).await;
                    for _ in 1..GROUP {
                        let Ok(message) = messages.try_recv() else { break };
                        stop |= self.take(message).await;
                    }
                    self.timeout().await;
                }
            }
            if self.lost {
                tracing::warn!(code = %self.code(), "this table is no longer this node's");
                return Next::Reopen(ErrorCode::Storage);
            }
            if stop {
                self.room.put_away(self.time());
            }
            if let Err(error) = self.flush().await {
                if stop {
                    tracing::error!(code = %self.code(), %error, "commit failed at the end");
                    // What the orders need was not written: nobody is answered, and they come again.
                    self.orders = Orders::default();
                    return Next::Over(ErrorCode::Closing);
                }
                return self.unstored(&error);
            }
            self.answer_orders();
            if let Err(error) = self.forget().await {
                return self.unstored(&error);
            }
            if stop {
                return Next::Over(self.end_code());
            }
            if self.room.may_park(clock.now()) {
                self.room.put_away(self.time());
                if self.flush().await.is_err() || self.services.hub.park(self.code(), messages) {
                    return Next::Over(ErrorCode::Closing);
                }
            }
        }
    }

    /// A commit came to nothing. What is in memory is ahead of what is on disk, so the table is loaded anew.
    fn unstored(&self, error: &StoreError) -> Next {
        tracing::error!(code = %self.code(), %error, "commit failed; the table is loaded anew");
        Next::Reopen(ErrorCode::Storage)
    }

    /// Takes up one message; true: the room shall stop.
    async fn take(&mut self, message: TableMessage) -> bool {
        self.doing = message.step();
        self.expect_answer(&message);
        self.services.config.faults.trip(self.doing, self.code());
        self.follow_file();
        match message {
            TableMessage::Join(request) => {
                let client = request.join.client;
                // A socket sits at one table, however many joins it sends at once.
                if self.room.client(client).is_none() && !request.outbox.claim() {
                    self.clients.remove(client);
                    self.turned_away.add_briefly(client, request.outbox.clone());
                    request.refuse(ErrorCode::AlreadyJoined);
                    return false;
                }
                self.handle(Message::Join(request.join)).await;
                match self.room.client(client).is_some() {
                    true => self.clients.joined(client),
                    false => request.outbox.release(),
                }
            }
            TableMessage::Room(message) => {
                if let Message::Gone { client } = &message {
                    self.turned_away.remove(*client);
                }
                self.handle(message).await;
            }
            TableMessage::Look { member, reply, .. } => {
                let _ = reply.send(Ok(self.room.card(self.time(), member.as_deref())));
            }
            TableMessage::Reloaded { games } => {
                if games.contains(&self.room.record().definition_id) {
                    let file = load::current_file(&self.services, self.room.record());
                    self.handle(Message::FileChanged(file)).await;
                }
            }
            TableMessage::Obey(obey) => return self.obey(*obey).await,
            TableMessage::Lost => self.lost = true,
            TableMessage::Stop => return true,
        }
        false
    }

    /// Hands a message to the room, and before it the uploaded packs that it may need. Messages that take long are taken up where
    /// nobody else waits for an answer; and those of tables with packs of their own, which may be large, only a few at a time.
    async fn handle(&mut self, message: Message) {
        if let Some(ids) = self.room.packs_wanted(&message) {
            match self.services.packs.uploaded(&ids, self.services.store.as_ref()).await {
                Ok(packs) => self.room.handle(self.time(), Message::Packs(packs)),
                // Then they count as missing, and whoever wants them is told.
                Err(error) => tracing::warn!(code = %self.code(), %error, "packs could not be read"),
            }
        }
        if !self.room.is_slow(&message) {
            return self.room.handle(self.time(), message);
        }
        let services = self.services.clone();
        let _permit = if self.room.has_own_packs() { services.slow_work.permit().await } else { None };
        let time = self.time();
        slow_work::run_aside(|| self.room.handle(time, message));
    }

    async fn timeout(&mut self) {
        self.doing = "room/tick";
        self.services.config.faults.trip(self.doing, self.code());
        let time = self.time();
        if !self.room.is_timeout_slow(time.now) {
            return self.room.handle_timeout(time);
        }
        let services = self.services.clone();
        let _permit = if self.room.has_own_packs() { services.slow_work.permit().await } else { None };
        let time = self.time();
        slow_work::run_aside(|| self.room.handle_timeout(time));
    }

    /// A room that was too busy to be told of a changed file hears of it before its next message.
    fn follow_file(&mut self) {
        let generation = self.services.library.generation();
        if generation == self.generation {
            return;
        }
        self.generation = generation;
        let file = load::current_file(&self.services, self.room.record());
        if !self.room.knows_file(&file) {
            self.room.handle(self.time(), Message::FileChanged(file));
        }
    }

    /// True: the room shall stop.
    async fn obey(&mut self, obey: Obey) -> bool {
        match &obey.order {
            Order::Close { reason, .. } => {
                self.handle(Message::CloseTable { reason: reason.clone() }).await;
                self.orders.done.push(obey.reply);
                return false;
            }
            Order::Delete { .. } => self.handle(Message::CloseTable { reason: String::new() }).await,
            Order::Forget { member } => {
                match unhex(member) {
                    Some(member) if self.room.may_forget(self.time()) => {
                        self.handle(Message::Forget { member }).await;
                        self.orders.forget.push((member, obey.reply));
                    }
                    // The order comes again.
                    Some(_) => {}
                    None => self.orders.done.push(obey.reply),
                }
                return false;
            }
        }
        self.orders.at_rest.push(obey);
        true
    }

    /// Scrubs what the store has of those who are to be forgotten and have left, then what the room has. Nobody else writes to
    /// the table meanwhile, and everybody else stays connected.
    async fn forget(&mut self) -> Result<(), StoreError> {
        while let Some((member, reply)) = self.orders.forget.pop() {
            match Box::pin(forget::at_table(&self.services, self.code(), self.held, &member)).await {
                Ok(lines) => {
                    self.room.handle(self.time(), Message::Forgotten { member, lines });
                    self.flush().await?;
                    let _ = reply.send(Obeyed::Done);
                }
                // Not answered: the order comes again.
                Err(error) => tracing::warn!(code = %self.code(), %error, "somebody could not be forgotten yet"),
            }
        }
        Ok(())
    }

    /// What was done is on disk.
    fn answer_orders(&mut self) {
        for reply in self.orders.done.drain(..) {
            let _ = reply.send(Obeyed::Done);
        }
    }

    /// Why those who are connected when the room stops are closed. They have read everything else by then.
    fn end_code(&self) -> ErrorCode {
        let deleted = self.orders.at_rest.iter().any(|obey| matches!(obey.order, Order::Delete { .. }));
        if deleted { ErrorCode::TableClosed } else { ErrorCode::Closing }
    }

    /// Notes who is to be answered, before anything can go wrong.
    fn expect_answer(&mut self, message: &TableMessage) {
        let asked = match message {
            TableMessage::Join(request) => {
                let join = &request.join;
                self.clients.add(join.client, request.outbox.clone());
                let (client, member, received) = (join.client, join.member, join.received);
                Unanswered { client, member, request: join.request.clone(), received, joins: true }
            }
            TableMessage::Room(Message::Act(act)) => {
                let Some(client) = self.room.client(act.client) else { return };
                let (member, request) = (client.member, act.request.clone());
                Unanswered { client: act.client, member, request, received: act.received, joins: false }
            }
            _ => return,
        };
        self.unanswered.push(asked);
    }

    fn code(&self) -> &str {
        &self.room.record().code
    }

    fn time(&self) -> Time {
        self.services.config.clock.time()
    }
}
