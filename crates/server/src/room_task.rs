//! One task per room: the shell around the state machine of [`baize_room`].
//!
//! Everything that happens to a table reaches its task as a [`TableMessage`], one after the other. The task hands each
//! message to the [`Room`] and carries out the room's effects: **commit, acknowledge, broadcast** ([`flush`]). Messages
//! that wait in the inbox share a commit.
//!
//! After a failed commit the room in memory is ahead of the store, and after a panic its state is unknown. In both
//! cases the task drops the room and loads it again from the store: see [`recovery`].

mod clients;
mod flush;
mod load;
mod locate;
mod recovery;

pub use recovery::PANICS_WITHIN;

use crate::Services;
use crate::clock::Alarm;
use crate::cluster;
use crate::identity::{Member, unhex};
use crate::inbox::{TableMessage, refuse_all, refuse_and_return_orders};
use crate::orders::opened_table::OpenedTable;
use crate::orders::{Order, OrderRequest, OrderResult, at_rest, forget};
use crate::slow_work;
use crate::supervise::panic_text;
use baize_protocol::ErrorCode;
use baize_room::{Message, Room, Time, Unanswered};
use baize_store::StoreError;
use clients::Clients;
use futures_util::FutureExt;
use load::LoadFailure;
use locate::{TableLocation, locate};
use recovery::Survivors;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Upper bound on messages that share a commit.
const GROUP: usize = 64;

/// A room and the state of its shell.
struct RoomTask {
    services: Arc<Services>,
    /// The task's own inbox, where bots send their decisions. The reference is weak, because a room must not keep itself alive.
    inbox: mpsc::WeakSender<TableMessage>,
    held: OpenedTable,
    room: Room,
    clients: Clients,
    /// Clients that were turned away recently. They still get answers to messages that they sent before they knew.
    turned_away: Clients,
    /// Requests of the current group of messages that have no answer yet.
    unanswered: Vec<Unanswered>,
    /// The current step, for the log: see [`TableMessage::step`].
    step: &'static str,
    /// True if this room has flushed anything since it was loaded.
    flushed: bool,
    /// True after [`TableMessage::Lost`].
    lost: bool,
    orders: PendingOrders,
    /// Generation of the game files when the room last looked at its own file.
    generation: u64,
}

/// Orders that wait for a commit or for the end of the room.
#[derive(Default)]
struct PendingOrders {
    /// Replies to send when the current changes are stored.
    done: Vec<oneshot::Sender<OrderResult>>,
    /// Members to forget as soon as their leaving is stored, each with its reply.
    forget: Vec<(Member, oneshot::Sender<OrderResult>)>,
    /// Orders to carry out after the room has ended.
    at_rest: Vec<OrderRequest>,
}

/// What follows the end of a room.
enum AfterRoom {
    /// The task ends. Clients that are still connected are closed with this code.
    Over(ErrorCode),
    /// The table is opened again. Requests that were not stored are refused with this code.
    Reopen(ErrorCode),
}

/// Opens a table and runs it until it is parked or stopped, or runs a stand-in for it if another node has it. If the
/// room fails, opens it again from its log and keeps its clients (see [`recovery`]). Carries out orders that need the
/// table at rest after the room has ended and before anybody else can open it.
pub async fn run(
    services: Arc<Services>,
    code: String,
    inbox: mpsc::WeakSender<TableMessage>,
    mut messages: mpsc::Receiver<TableMessage>,
) {
    let mut survivors = Survivors::default();
    let (mut opened, mut panics) = (None, 0);
    loop {
        // The task is declared outside of the future that may panic, because the clients are taken out of it afterwards.
        let mut task = None;
        let room_run = run_room(&services, &code, &inbox, &mut messages, &mut survivors, &mut opened, &mut task);
        let next = match AssertUnwindSafe(room_run).catch_unwind().await {
            Ok(next) => next,
            Err(panic) => {
                let step = task.as_ref().map_or("room/load", |task| task.step);
                Box::pin(after_panic(&services, &code, step, panic_text(&*panic), &mut panics)).await
            }
        };
        match (next, task) {
            (AfterRoom::Over(why), task) => {
                let orders = match task {
                    Some(mut task) => {
                        let orders = std::mem::take(&mut task.orders.at_rest);
                        survivors.take_from(*task, why);
                        orders
                    }
                    None => refuse_and_return_orders(&mut messages, why),
                };
                survivors.close(why);
                let Some(held) = opened.filter(|_| !orders.is_empty()) else { break };
                Box::pin(at_rest::carry_out(&services, &code, held, orders)).await;
                // Messages that came in the meantime get the table as it is now.
                if messages.is_empty() || services.hub.is_closing() {
                    break;
                }
            }
            // The table could not be loaded, so there is no room to take survivors from.
            (AfterRoom::Reopen(_), None) => {}
            (AfterRoom::Reopen(why), Some(task)) => {
                let has_flushed = task.flushed;
                survivors.take_from(*task, why);
                // A room that could not store anything since it was opened waits before it is opened again. One that
                // panicked does not wait: a second panic ends its table.
                if !has_flushed && why != ErrorCode::Fault {
                    survivors.refuse(why);
                    if !Box::pin(survivors.wait(&mut messages)).await {
                        break;
                    }
                }
            }
        }
    }
    services.hub.forget(&code);
    // Senders that wrote before the hub forgot this room still get an answer.
    messages.close();
    refuse_all(&mut messages, ErrorCode::Closing);
    if let Some(held) = opened {
        // If the release fails, the table is free when its lease expires.
        let _ = services.store.release(held.id, held.epoch).await;
    }
}

/// Opens a table and runs its room to the end. Leaves the room in `task`, where the caller finds it even after a panic.
async fn run_room(
    services: &Arc<Services>,
    code: &str,
    inbox: &mpsc::WeakSender<TableMessage>,
    messages: &mut mpsc::Receiver<TableMessage>,
    survivors: &mut Survivors,
    opened: &mut Option<OpenedTable>,
    task: &mut Option<Box<RoomTask>>,
) -> AfterRoom {
    // The futures of rare or short steps are boxed, so that their memory is not held as long as the room lives.
    let gone = match Box::pin(locate(services, code)).await {
        Ok(TableLocation::Here(open)) => {
            let held = OpenedTable { id: open.id, epoch: open.epoch };
            *opened = Some(held);
            services.config.faults.trip("room/load", code);
            let generation = services.library.generation();
            match Box::pin(load::load_room(services, open)).await {
                Ok(room) => {
                    let task = task.insert(Box::new(RoomTask {
                        services: services.clone(),
                        inbox: inbox.clone(),
                        held,
                        room,
                        clients: Clients::default(),
                        turned_away: Clients::default(),
                        unanswered: Vec::new(),
                        step: "room/load",
                        flushed: false,
                        lost: false,
                        orders: PendingOrders::default(),
                        generation,
                    }));
                    survivors.hand_over_to(task);
                    return task.run(messages).await;
                }
                Err(LoadFailure::Store(error)) => {
                    return Box::pin(handle_store_error(code, &error, messages, survivors)).await;
                }
                Err(LoadFailure::Semantics(version)) => {
                    tracing::warn!(%code, version, "table was played under other semantics");
                    ErrorCode::OtherVersion
                }
            }
        }
        Ok(TableLocation::Elsewhere(node)) => {
            survivors.close(ErrorCode::Closing);
            Box::pin(cluster::stand_in(services, code, &node, messages)).await;
            return AfterRoom::Over(ErrorCode::Closing);
        }
        Ok(TableLocation::Nowhere) => ErrorCode::NoTable,
        // The table will be free or reachable soon: a client that reconnects finds it.
        Ok(TableLocation::Unreachable) => ErrorCode::Closing,
        Err(error) => return Box::pin(handle_store_error(code, &error, messages, survivors)).await,
    };
    AfterRoom::Over(gone)
}

/// The store can't give the table. Its clients are refused and wait; if there are none, the task ends.
async fn handle_store_error(
    code: &str,
    error: &StoreError,
    messages: &mut mpsc::Receiver<TableMessage>,
    survivors: &mut Survivors,
) -> AfterRoom {
    tracing::error!(%code, %error, "table could not be loaded");
    survivors.refuse(ErrorCode::Storage);
    match !survivors.is_empty() && survivors.wait(messages).await {
        true => AfterRoom::Reopen(ErrorCode::Storage),
        false => AfterRoom::Over(ErrorCode::Storage),
    }
}

/// After the first panic the table is opened again. After a second one within a minute it ends void, because it would
/// panic for ever. If it panics even then, it is not opened again.
async fn after_panic(services: &Services, code: &str, step: &str, panic: String, panics: &mut u32) -> AfterRoom {
    services.metrics.panics.fetch_add(1, Relaxed);
    let again = services.hub.record_panic(code, services.config.clock.now());
    *panics = if again { (*panics + 1).max(2) } else { 1 };
    match *panics {
        1 => {
            tracing::error!(%code, step, panic, "a table panicked; it is opened again from its log");
            AfterRoom::Reopen(ErrorCode::Fault)
        }
        2 => {
            tracing::error!(%code, step, panic, "a table panicked again within a minute; it ends void, its log is kept");
            if let Err(error) = recovery::end_void(services, code).await {
                tracing::error!(%code, %error, "the table could not be ended");
            }
            AfterRoom::Reopen(ErrorCode::Fault)
        }
        _ => {
            tracing::error!(%code, step, panic, "a table panicked although it is over");
            AfterRoom::Over(ErrorCode::Fault)
        }
    }
}

impl RoomTask {
    async fn run(&mut self, messages: &mut mpsc::Receiver<TableMessage>) -> AfterRoom {
        let clock = self.services.config.clock.clone();
        let mut alarm = pin!(Alarm::None);
        // The room tells its surviving clients the current state.
        if self.room.has_work()
            && let Err(error) = self.flush().await
        {
            return self.handle_commit_error(&error);
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
                Some(None) => self.handle_timeout_or_wait().await,
                Some(Some(message)) => {
                    stop |= self.handle_message_or_wait(message).await;
                    for _ in 1..GROUP {
                        let Ok(message) = messages.try_recv() else { break };
                        stop |= self.handle_message_or_wait(message).await;
                    }
                    self.handle_timeout_or_wait().await;
                }
            }
            if self.lost {
                tracing::warn!(code = %self.code(), "this table is no longer this node's");
                return AfterRoom::Reopen(ErrorCode::Storage);
            }
            if stop {
                self.room.prepare_to_park(self.time());
            }
            if let Err(error) = self.flush().await {
                if stop {
                    tracing::error!(code = %self.code(), %error, "commit failed at the end");
                    // The changes that the orders need are not stored. Nobody is answered, so the orders stay in the
                    // store and come again.
                    self.orders = PendingOrders::default();
                    return AfterRoom::Over(ErrorCode::Closing);
                }
                return self.handle_commit_error(&error);
            }
            self.answer_orders();
            if let Err(error) = self.forget().await {
                return self.handle_commit_error(&error);
            }
            if stop {
                return AfterRoom::Over(self.end_code());
            }
            if self.room.may_park(clock.now()) {
                self.room.prepare_to_park(self.time());
                if self.flush().await.is_err() || self.services.hub.park(self.code(), messages) {
                    return AfterRoom::Over(ErrorCode::Closing);
                }
            }
        }
    }

    /// A commit has failed. The room in memory is ahead of the store, so the table is loaded again.
    fn handle_commit_error(&self, error: &StoreError) -> AfterRoom {
        tracing::error!(code = %self.code(), %error, "commit failed; the table is loaded anew");
        AfterRoom::Reopen(ErrorCode::Storage)
    }

    /// Handles one message. Returns true if the room has to stop. Most messages need no wait; the rest is boxed, so that its memory
    /// is neither held nor moved for the others.
    async fn handle_message_or_wait(&mut self, message: TableMessage) -> bool {
        self.step = message.step();
        self.expect_answer(&message);
        self.services.config.faults.trip(self.step, self.code());
        self.follow_file();
        match message {
            TableMessage::Room(message @ (Message::Act(_) | Message::Decided { .. })) => {
                match self.room.packs_wanted(&message).is_none() && !self.room.is_slow(&message) {
                    true => self.room.handle(self.time(), message),
                    false => Box::pin(self.handle(message)).await,
                }
                false
            }
            message => Box::pin(self.handle_message(message)).await,
        }
    }

    async fn handle_message(&mut self, message: TableMessage) -> bool {
        match message {
            TableMessage::Join(request) => {
                let client = request.join.client;
                self.handle(Message::Join(request.join)).await;
                if self.room.client(client).is_some() {
                    self.clients.notify_joined(client);
                }
            }
            TableMessage::Room(message) => {
                if let Message::Gone { client } = &message {
                    // The outbox keeps the socket's place in the count of its address.
                    self.clients.remove(*client);
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
            TableMessage::Order(order) => return self.carry_out_order(*order).await,
            TableMessage::Lost => self.lost = true,
            TableMessage::Stop => return true,
        }
        false
    }

    /// Hands a message to the room, after the uploaded packs that the message may need. Slow messages run aside, so
    /// that nobody else waits, and only so many at a time.
    async fn handle(&mut self, message: Message) {
        if let Some(ids) = self.room.packs_wanted(&message) {
            match self.services.packs.uploaded(&ids, self.services.store.as_ref()).await {
                Ok(packs) => self.room.handle(self.time(), Message::Packs(packs)),
                // The packs count as missing, and the room refuses whoever wants them.
                Err(error) => tracing::warn!(code = %self.code(), %error, "packs could not be read"),
            }
        }
        if !self.room.is_slow(&message) {
            return self.room.handle(self.time(), message);
        }
        let services = self.services.clone();
        let _permit = services.slow_work.permit(self.room.has_own_packs()).await;
        let time = self.time();
        slow_work::run_aside(|| {
            services.config.faults.trip("aside/table", &self.room.record().code);
            self.room.handle(time, message);
        });
    }

    async fn handle_timeout_or_wait(&mut self) {
        self.step = "room/tick";
        self.services.config.faults.trip(self.step, self.code());
        let time = self.time();
        match self.room.is_timeout_slow(time.now) {
            true => Box::pin(self.handle_slow_timeout()).await,
            false => self.room.handle_timeout(time),
        }
    }

    async fn handle_slow_timeout(&mut self) {
        let services = self.services.clone();
        let _permit = services.slow_work.permit(self.room.has_own_packs()).await;
        let time = self.time();
        slow_work::run_aside(|| {
            services.config.faults.trip("aside/table", &self.room.record().code);
            self.room.handle_timeout(time);
        });
    }

    /// Before each message, looks whether the game file has changed: a room whose inbox was full may have missed the
    /// notice.
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

    /// Returns true if the room has to stop.
    async fn carry_out_order(&mut self, request: OrderRequest) -> bool {
        match &request.order {
            Order::Close { reason, .. } => {
                self.handle(Message::CloseTable { reason: reason.clone() }).await;
                self.orders.done.push(request.reply);
                return false;
            }
            Order::Delete { .. } => self.handle(Message::CloseTable { reason: String::new() }).await,
            Order::Forget { member } => {
                match unhex(member) {
                    Some(member) if self.room.may_forget(self.time()) => {
                        self.handle(Message::Forget { member }).await;
                        self.orders.forget.push((member, request.reply));
                    }
                    // The order gets no answer, so it comes again.
                    Some(_) => {}
                    None => self.orders.done.push(request.reply),
                }
                return false;
            }
        }
        self.orders.at_rest.push(request);
        true
    }

    /// Removes members who have left from the store and then from the room. Nobody else writes to the table meanwhile,
    /// and the other clients stay connected.
    async fn forget(&mut self) -> Result<(), StoreError> {
        while let Some((member, reply)) = self.orders.forget.pop() {
            match Box::pin(forget::forget_at_table(&self.services, self.code(), self.held, &member)).await {
                Ok(lines) => {
                    self.room.handle(self.time(), Message::Forgotten { member, lines });
                    self.flush().await?;
                    let _ = reply.send(OrderResult::Done);
                }
                // The order gets no answer, so it comes again.
                Err(error) => tracing::warn!(code = %self.code(), %error, "somebody could not be forgotten yet"),
            }
        }
        Ok(())
    }

    /// Answers orders whose changes are stored.
    fn answer_orders(&mut self) {
        for reply in self.orders.done.drain(..) {
            let _ = reply.send(OrderResult::Done);
        }
    }

    /// The code with which the room closes its remaining clients when it stops.
    fn end_code(&self) -> ErrorCode {
        let deleted = self.orders.at_rest.iter().any(|request| matches!(request.order, Order::Delete { .. }));
        if deleted { ErrorCode::TableClosed } else { ErrorCode::Closing }
    }

    /// Notes which client waits for an answer, before anything can fail.
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
