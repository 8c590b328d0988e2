//! The task that looks after all lines of a node: the shell around the [`Switchboard`].

use super::elsewhere::ToSockets;
use super::guests::{ToGuest, ToTable};
use super::letter::{Item, Letter};
use super::line;
use super::roads::Roads;
use super::switchboard::{Effect, Switchboard};
use crate::Services;
use crate::identity::{Member, next_client};
use crate::inbox::{JoinRequest, TableMessage};
use crate::metrics::stamp;
use crate::outbox::{Outgoing, Recipient};
use crate::supervise::failed;
use baize_protocol::ErrorCode;
use baize_protocol::http::TableCard;
use baize_room::{Act, ClientId, Join, Message};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

/// Orders taken up before what they bring about is sent.
const TOGETHER: usize = 512;
/// Cards awaited from one node at the same time.
const MOST_LOOKS: usize = 10_000;

/// Where a table's card is awaited.
pub type Looked = oneshot::Sender<Result<TableCard, ErrorCode>>;

/// What the exchange is asked to do.
pub enum Order {
    /// For what is at another node.
    At(String, ToNode),
    /// For a guest's socket.
    ToSocket { guest: Arc<GuestLine>, item: ToGuest },
    /// A table of ours has been looked at for a node that asked.
    Answer { node: String, session: u64, query: u64, card: Result<TableCard, ErrorCode> },
    /// From another node.
    Letter(Vec<u8>),
    /// Send what is there, and tell when it is on its way.
    Close(oneshot::Sender<()>),
}

/// What somebody here wants of another node.
pub enum ToNode {
    /// Is it there?
    Reach(oneshot::Sender<()>),
    /// A stand-in for a table begins. It has to end when this is answered, or can't be any more.
    Begin {
        code: String,
        end: oneshot::Sender<()>,
    },
    /// It has ended by itself, and whoever is still there has to come back by another way.
    Leave {
        code: String,
    },
    Join {
        code: String,
        join: Box<JoinRequest>,
    },
    /// An action as JSON.
    Act {
        client: ClientId,
        request: String,
        action: String,
    },
    /// What a client wants can't be passed on.
    Refuse {
        client: ClientId,
        request: String,
    },
    Gone {
        client: ClientId,
    },
    Look {
        code: String,
        member: Option<Member>,
        reply: Looked,
    },
}

/// Which line a guest came by.
pub struct GuestLine {
    pub node: String,
    pub session: u64,
}

/// What a room knows of a guest.
struct Guest {
    line: Arc<GuestLine>,
    client: ClientId,
    orders: mpsc::UnboundedSender<Order>,
}

impl Guest {
    fn tell(&self, item: ToGuest) {
        // The exchange ends after the rooms.
        let _ = self.orders.send(Order::ToSocket { guest: self.line.clone(), item });
    }
}

impl Recipient for Guest {
    fn joined(&self) {
        self.tell(ToGuest::Joined(self.client));
    }

    fn put(&self, message: Outgoing) -> bool {
        self.tell(match message {
            Outgoing::Text(frame) => ToGuest::Frame(self.client, frame),
            Outgoing::Close(code) => ToGuest::Close(self.client, code),
        });
        true
    }

    fn go(&self) {}

    fn is_guest(&self) -> bool {
        true
    }
}

/// Who waits for what of another node.
#[derive(Default)]
struct Waiting {
    /// By the code of their table: how each stand-in is told to end.
    stand_ins: HashMap<String, oneshot::Sender<()>>,
    clients: HashMap<ClientId, Arc<dyn Recipient>>,
    looks: HashMap<u64, Looked>,
    /// Who waits for a sign of life.
    asking: Vec<oneshot::Sender<()>>,
}

struct Exchange {
    services: Arc<Services>,
    orders: mpsc::UnboundedSender<Order>,
    roads: Roads,
    started: Instant,
    switchboard: Switchboard,
    /// By node.
    waiting: HashMap<String, Waiting>,
    /// Rooms of guests, by our name for each.
    rooms: HashMap<ClientId, mpsc::Sender<TableMessage>>,
}

/// Runs as long as the program.
pub async fn run(services: Arc<Services>, mut ordered: mpsc::UnboundedReceiver<Order>, roads: Roads) {
    let Some(cluster) = &services.cluster else { return };
    let mut exchange = Exchange {
        orders: cluster.orders.clone(),
        roads,
        started: Instant::now(),
        // Lines of a program that was started later are later lines.
        switchboard: Switchboard::new(cluster.node.clone(), services.config.clock.date() << 16),
        waiting: HashMap::new(),
        rooms: HashMap::new(),
        services: services.clone(),
    };
    // After a panic nobody knows what became of which parcel: everyone who was served over a line comes back by another.
    while failed("exchange", &services.panics, exchange.serve(&mut ordered)).await {
        exchange.switchboard.end_all();
        exchange.carry_out();
    }
}

impl Exchange {
    async fn serve(&mut self, ordered: &mut mpsc::UnboundedReceiver<Order>) {
        let mut beat = tokio::time::interval(Duration::from_millis(line::BEAT));
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut group = Vec::with_capacity(TOGETHER);
        loop {
            tokio::select! {
                biased;
                _ = beat.tick() => self.beat(),
                taken = ordered.recv_many(&mut group, TOGETHER) => {
                    if taken == 0 {
                        return;
                    }
                }
            }
            self.services.config.faults.trip("task/exchange", "");
            let mut closing = Vec::new();
            for order in group.drain(..) {
                match order {
                    Order::Close(sent) => closing.push(sent),
                    order => self.take(order),
                }
                self.carry_out();
            }
            self.switchboard.send_parcels();
            self.carry_out();
            for sent in closing {
                self.roads.flushed(sent);
            }
        }
    }

    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn beat(&mut self) {
        let (now, waiting) = (self.now(), &self.waiting);
        let is_wanted = |node: &str| {
            let asked =
                |waiting: &Waiting| !waiting.looks.is_empty() || !waiting.asking.iter().all(|it| it.is_closed());
            waiting.get(node).is_some_and(asked)
        };
        self.switchboard.handle_beat(now, is_wanted);
        self.carry_out();
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::At(node, wanted) => self.want(&node, wanted),
            // What was meant for a line that has ended is for nobody.
            Order::ToSocket { guest, item } => {
                let inward = self.switchboard.inward(&guest.node, guest.session);
                if let Some(client) = inward.and_then(|inward| inward.tell(item)) {
                    self.rooms.remove(&client);
                }
            }
            Order::Answer { node, session, query, card } => {
                if let Some(inward) = self.switchboard.inward(&node, session) {
                    inward.answer(query, card);
                }
            }
            Order::Letter(bytes) => {
                if let Some(letter) = Letter::read(&bytes) {
                    self.switchboard.handle_letter(letter, self.now(), stamp(), next_client);
                }
            }
            // Those are for the end of the group.
            Order::Close(_) => {}
        }
    }

    fn want(&mut self, node: &str, wanted: ToNode) {
        let now = self.now();
        let waiting = self.waiting.entry(node.to_owned()).or_default();
        match wanted {
            ToNode::Reach(there) => {
                if self.switchboard.reach(node, now) {
                    let _ = there.send(());
                } else {
                    // Whoever has given up waiting is not kept.
                    waiting.asking.retain(|there| !there.is_closed());
                    waiting.asking.push(there);
                }
            }
            ToNode::Begin { code, end } => {
                waiting.stand_ins.insert(code.clone(), end);
                self.switchboard.outward(node, now).begin(code);
            }
            ToNode::Leave { code } => self.switchboard.leave(node, &code, now),
            ToNode::Join { code, join } => {
                let JoinRequest { join, outbox } = *join;
                waiting.clients.insert(join.client, outbox);
                self.switchboard.outward(node, now).join(code, *join);
            }
            ToNode::Act { client, request, action } => {
                self.switchboard.outward(node, now).out.push(Item::Act { client, request, action });
            }
            ToNode::Refuse { client, request } => {
                if let Some(outbox) = waiting.clients.get(&client) {
                    outbox.put(Outgoing::refusal(ErrorCode::Storage, Some(request)));
                    outbox.go();
                }
            }
            ToNode::Gone { client } => {
                waiting.clients.remove(&client);
                self.switchboard.outward(node, now).gone(client);
            }
            ToNode::Look { code, member, reply } => {
                if waiting.looks.len() >= MOST_LOOKS {
                    waiting.looks.retain(|_, reply| !reply.is_closed());
                }
                if waiting.looks.len() >= MOST_LOOKS {
                    let _ = reply.send(Err(ErrorCode::Busy));
                    return;
                }
                let query = self.switchboard.outward(node, now).look(code, member);
                waiting.looks.insert(query, reply);
            }
        }
    }

    fn carry_out(&mut self) {
        while let Some(effect) = self.switchboard.poll_effect() {
            match effect {
                Effect::Send { to, letter } => self.roads.send(&to, letter),
                Effect::Heard { node } => {
                    let asking = self.waiting.get_mut(&node).map(|waiting| std::mem::take(&mut waiting.asking));
                    for there in asking.into_iter().flatten() {
                        let _ = there.send(());
                    }
                }
                Effect::ToSockets { node, what } => self.tell_sockets(&node, what),
                Effect::ToTable { node, session, what } => self.tell_table(node, session, what),
                Effect::OutwardEnded { node, clients } => {
                    tracing::info!(%node, clients, "line to another node ended");
                    // Stand-ins and whoever asks are told by losing what tells them.
                    let looks = self.waiting.remove(&node).map(|waiting| waiting.looks);
                    for reply in looks.into_iter().flat_map(HashMap::into_values) {
                        let _ = reply.send(Err(ErrorCode::Closing));
                    }
                }
                Effect::InwardEnded { node, guests } => {
                    tracing::info!(%node, guests = guests.len(), "line from another node ended");
                    guests.into_iter().for_each(|client| self.gone(client));
                }
            }
        }
    }

    /// For clients here whose tables are at that node.
    fn tell_sockets(&mut self, node: &str, what: ToSockets) {
        let Some(waiting) = self.waiting.get_mut(node) else { return };
        match what {
            ToSockets::Joined { client } => {
                if let Some(outbox) = waiting.clients.get(&client) {
                    outbox.joined();
                }
            }
            ToSockets::Frame { clients, frame } => {
                for outbox in clients.iter().filter_map(|client| waiting.clients.get(client)) {
                    // A client that does not read is cut off, and its own task says so to the room.
                    if !outbox.put(Outgoing::Text(frame.clone())) {
                        self.services.metrics.cut.fetch_add(1, Relaxed);
                    }
                    outbox.go();
                }
            }
            ToSockets::Close { client, code } => {
                if let Some(outbox) = waiting.clients.remove(&client) {
                    outbox.put(Outgoing::Close(code));
                    outbox.go();
                }
            }
            ToSockets::EndStandIn { table } => {
                if let Some(end) = waiting.stand_ins.remove(&table) {
                    let _ = end.send(());
                }
            }
            ToSockets::ForgetPlace { table } => {
                if let Some(redis) = self.services.cluster.as_ref().and_then(|cluster| cluster.redis.as_ref()) {
                    redis.forget(&table);
                }
            }
            ToSockets::Card { query, card } => {
                if let Some(reply) = waiting.looks.remove(&query) {
                    let _ = reply.send(card);
                }
            }
        }
    }

    /// For tables here, from guests of that node.
    fn tell_table(&mut self, node: String, session: u64, what: ToTable) {
        match what {
            ToTable::Join { guest, code, join } => self.join(node, session, guest, &code, join),
            ToTable::Act { guest, act } => self.act(&node, session, guest, act),
            ToTable::Gone { client } => self.gone(client),
            ToTable::Look { query, code, member } => {
                let (reply, answer) = oneshot::channel();
                let look = TableMessage::Look { member: member.map(Box::new), guest: true, reply };
                let passed = self.services.hub.pass(&self.services, &code, look);
                let orders = self.orders.clone();
                tokio::spawn(async move {
                    let card = match passed {
                        Ok(_) => answer.await.unwrap_or(Err(ErrorCode::Closing)),
                        Err(code) => Err(code),
                    };
                    let _ = orders.send(Order::Answer { node, session, query, card });
                });
            }
        }
    }

    fn join(&mut self, node: String, session: u64, guest: ClientId, code: &str, join: Box<Join>) {
        let (client, request) = (join.client, join.request.clone());
        let line = Arc::new(GuestLine { node: node.clone(), session });
        let outbox = Arc::new(Guest { line, client: guest, orders: self.orders.clone() });
        let request_to_join = TableMessage::Join(Box::new(JoinRequest { join, outbox }));
        let passed = self.services.hub.pass(&self.services, code, request_to_join);
        let Some(inward) = self.switchboard.inward(&node, session) else { return };
        match passed {
            Ok(inbox) => {
                inward.handle_joining(guest, client);
                self.rooms.insert(client, inbox);
            }
            Err(code) => {
                let _ = inward.handle_refused(guest, code, request);
            }
        }
    }

    fn act(&mut self, node: &str, session: u64, guest: ClientId, act: Box<Act>) {
        let Some(inbox) = self.rooms.get(&act.client) else { return };
        let request = act.request.clone();
        let code = match inbox.try_send(TableMessage::Room(Message::Act(act))) {
            Ok(()) => return,
            Err(TrySendError::Full(_)) => ErrorCode::Busy,
            Err(TrySendError::Closed(_)) => ErrorCode::Closing,
        };
        let inward = self.switchboard.inward(node, session);
        if let Some(client) = inward.and_then(|inward| inward.handle_refused(guest, code, request)) {
            self.rooms.remove(&client);
        }
    }

    /// The room hears of it even if it has much to do.
    fn gone(&mut self, client: ClientId) {
        let Some(inbox) = self.rooms.remove(&client) else { return };
        let message = TableMessage::Room(Message::Gone { client });
        if let Err(TrySendError::Full(message)) = inbox.try_send(message) {
            tokio::spawn(async move { inbox.send(message).await });
        }
    }
}
