//! The task that looks after all lines of a node.
//!
//! A node plays two parts. For tables elsewhere it has the sockets: [`Outward`] lines lead to the nodes with those tables. For
//! its own tables it has guests, clients whose sockets are elsewhere: [`Inward`] lines come from the nodes with those sockets.

use super::letter::{self, Body, Item, Letter};
use super::line::{self, Arrived, Ended, Line};
use super::redis::Redis;
use super::roads::Roads;
use crate::Services;
use crate::identity::Member;
use crate::outbox::{Outgoing, Recipient};
use crate::room::{Act, ClientId, JoinRequest, No, Note, text};
use crate::socket::next_client;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode, ServerMessage};
use bytes::Bytes;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

/// How long a node may take to answer before it counts as out of reach.
const REACH: Duration = Duration::from_millis(1_200);
/// Orders taken up before what they bring about is sent.
const TOGETHER: usize = 512;

/// This node's place among the others.
pub struct Cluster {
    pub node: String,
    orders: mpsc::UnboundedSender<Order>,
    pub redis: Option<Arc<Redis>>,
}

/// What the exchange is asked to do.
pub enum Order {
    /// Is this node there?
    Reach {
        node: String,
        there: oneshot::Sender<()>,
    },
    /// A stand-in for a table at that node begins; it is told when it has to end.
    Begin {
        node: String,
        code: String,
        end: oneshot::Sender<()>,
    },
    /// It has ended by itself, and whoever is still there has to come back by another way.
    Leave {
        node: String,
        code: String,
    },
    Join {
        node: String,
        code: String,
        join: Box<JoinRequest>,
    },
    Look {
        node: String,
        code: String,
        member: Option<Member>,
        reply: Looked,
    },
    /// For the table at that node.
    ToTable {
        node: String,
        item: Item,
    },
    /// For a guest's socket.
    ToSocket {
        guest: Arc<GuestLine>,
        item: ToGuest,
    },
    /// A table of ours has been looked at for a node that asked.
    Answer {
        node: String,
        session: u64,
        query: u64,
        card: Result<TableCard, ErrorCode>,
    },
    /// From another node.
    Letter(Vec<u8>),
    /// Send what is there, and tell when it is on its way.
    Close(oneshot::Sender<()>),
}

/// Where a table's card is awaited.
pub type Looked = oneshot::Sender<Result<TableCard, ErrorCode>>;

/// For one guest.
pub enum ToGuest {
    Joined(ClientId),
    Frame(ClientId, Bytes),
    Close(ClientId, ErrorCode),
}

/// Which line a guest came by.
pub struct GuestLine {
    node: String,
    session: u64,
}

/// A client whose socket is at another node.
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

impl Cluster {
    /// The place, and what the exchange will be asked.
    pub fn new(node: String) -> (Cluster, mpsc::UnboundedReceiver<Order>) {
        let (orders, ordered) = mpsc::unbounded_channel();
        (Cluster { node, orders, redis: None }, ordered)
    }

    pub fn order(&self, order: Order) {
        // It ends with the program.
        let _ = self.orders.send(order);
    }

    /// Whether that node answers.
    pub async fn reach(&self, node: &str) -> bool {
        let (there, answered) = oneshot::channel();
        self.order(Order::Reach { node: node.to_owned(), there });
        matches!(tokio::time::timeout(REACH, answered).await, Ok(Ok(())))
    }

    /// Sends what waits to be sent.
    pub async fn close(&self) {
        let (sent, done) = oneshot::channel();
        self.order(Order::Close(sent));
        let _ = done.await;
    }

    /// A way for letters to come in.
    pub fn letters(&self) -> impl Fn(Vec<u8>) + Send + Sync + 'static + use<> {
        let orders = self.orders.clone();
        move |letter| drop(orders.send(Order::Letter(letter)))
    }
}

/// A line to a node that has tables for clients of ours.
struct Outward {
    line: Line,
    /// Stand-ins, by the code of their table.
    stand_ins: HashMap<String, oneshot::Sender<()>>,
    clients: HashMap<ClientId, (String, Arc<dyn Recipient>)>,
    looks: HashMap<u64, Looked>,
    asking: Vec<oneshot::Sender<()>>,
    out: Vec<Item>,
}

/// A line from a node that has sockets for tables of ours.
struct Inward {
    line: Line,
    guests: HashMap<ClientId, (ClientId, mpsc::Sender<Note>)>,
    out: Vec<Item>,
}

struct Exchange {
    services: Arc<Services>,
    node: String,
    orders: mpsc::UnboundedSender<Order>,
    roads: Roads,
    started: Instant,
    outward: HashMap<String, Outward>,
    inward: HashMap<String, Inward>,
    next_session: u64,
    next_query: u64,
}

/// Runs as long as the program.
pub async fn run(services: Arc<Services>, mut ordered: mpsc::UnboundedReceiver<Order>, roads: Roads) {
    let Some(cluster) = &services.cluster else { return };
    // Lines of a program that was started later are later lines.
    let next_session = services.config.clock.now() << 16;
    let mut exchange = Exchange {
        node: cluster.node.clone(),
        orders: cluster.orders.clone(),
        roads,
        started: Instant::now(),
        outward: HashMap::new(),
        inward: HashMap::new(),
        next_session,
        next_query: 1,
        services: services.clone(),
    };
    let mut beat = tokio::time::interval(Duration::from_millis(line::BEAT));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut group = Vec::with_capacity(TOGETHER);
    loop {
        tokio::select! {
            biased;
            _ = beat.tick() => exchange.beat(),
            taken = ordered.recv_many(&mut group, TOGETHER) => {
                if taken == 0 {
                    return;
                }
            }
        }
        let mut closing = Vec::new();
        for order in group.drain(..) {
            match order {
                Order::Close(sent) => closing.push(sent),
                order => exchange.take(order),
            }
        }
        exchange.send_parcels();
        for sent in closing {
            exchange.roads.flushed(sent);
        }
    }
}

impl Exchange {
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Reach { node, there } => {
                let now = self.now();
                let outward = self.outward(&node);
                if outward.line.lives(now) {
                    let _ = there.send(());
                } else {
                    outward.asking.push(there);
                    let (session, body) = (outward.line.session, outward.line.beat());
                    let state = outward.line.state();
                    self.write(&node, true, session, state, body);
                }
            }
            Order::Begin { node, code, end } => drop(self.outward(&node).stand_ins.insert(code, end)),
            Order::Leave { node, code } => {
                if let Some(outward) = self.outward.get_mut(&node) {
                    outward.end_stand_in(&code);
                }
            }
            Order::Join { node, code, join } => {
                let JoinRequest { client, request, member, name, watch, last, outbox, .. } = *join;
                let outward = self.outward(&node);
                outward.clients.insert(client, (code.clone(), outbox));
                let last = last.map(Into::into);
                outward.out.push(Item::Join { client, code, request, member, name, watch, last });
            }
            Order::Look { node, code, member, reply } => {
                let query = self.next_query;
                self.next_query += 1;
                let outward = self.outward(&node);
                outward.looks.insert(query, reply);
                outward.out.push(Item::Look { query, code, member });
            }
            Order::ToTable { node, item } => {
                let outward = self.outward(&node);
                if let Item::Gone { client } = &item {
                    outward.clients.remove(client);
                }
                outward.out.push(item);
            }
            Order::ToSocket { guest, item } => {
                let inward = self.inward.get_mut(&guest.node);
                // What was meant for a line that has ended is for nobody.
                if let Some(inward) = inward.filter(|inward| inward.line.session == guest.session) {
                    inward.tell(item);
                }
            }
            Order::Answer { node, session, query, card } => {
                let inward = self.inward.get_mut(&node);
                if let Some(inward) = inward.filter(|inward| inward.line.session == session) {
                    let card = card.map(|card| serde_json::to_string(&card).unwrap_or_default());
                    let card = card.map_err(|code| code.as_str().to_owned());
                    inward.out.push(Item::Card { query, card });
                }
            }
            Order::Letter(bytes) => {
                if let Some(letter) = Letter::read(&bytes) {
                    self.letter(letter);
                }
            }
            Order::Close(_) => {}
        }
    }

    fn outward(&mut self, node: &str) -> &mut Outward {
        let now = self.now();
        match self.outward.entry(node.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                self.next_session += 1;
                new.insert(Outward {
                    line: Line::new(self.next_session, now),
                    stand_ins: HashMap::new(),
                    clients: HashMap::new(),
                    looks: HashMap::new(),
                    asking: Vec::new(),
                    out: Vec::new(),
                })
            }
        }
    }

    fn letter(&mut self, letter: Letter) {
        let Letter { from, session, to_table, got, confirmed, body } = letter;
        let now = self.now();
        let line = if to_table {
            let known = self.inward.get(&from).map(|inward| inward.line.session);
            if matches!(body, Body::End) && known != Some(session) {
                return;
            }
            match known {
                Some(known) if known > session => return,
                Some(known) if known == session => {}
                // A line whose first parcels another program has confirmed, before this one was started, can't be taken up.
                _ if confirmed > 0 => return self.write(&from, false, session, (0, 0), Body::End),
                _ => {
                    self.end_inward(&from);
                    let line = Line::new(session, now);
                    self.inward.insert(from.clone(), Inward { line, guests: HashMap::new(), out: Vec::new() });
                }
            }
            self.inward.get_mut(&from).map(|inward| &mut inward.line)
        } else {
            self.outward.get_mut(&from).map(|outward| &mut outward.line).filter(|line| line.session == session)
        };
        let Some(line) = line else { return };
        let beat = matches!(body, Body::Beat { .. });
        let arrived = line.arrived(got, body, now);
        // A beat is answered at once: the other side may be waiting for the first sign of life.
        let answer = (to_table && beat).then(|| (line.state(), line.beat()));
        match arrived {
            Err(Ended) if to_table => self.end_inward(&from),
            Err(Ended) => self.end_outward(&from),
            Ok(Arrived { items, reply, again }) => {
                if let Some((state, body)) = answer {
                    self.write(&from, false, session, state, body);
                }
                if let Some(reply) = reply {
                    let line = if to_table {
                        self.inward.get(&from).map(|inward| inward.line.state())
                    } else {
                        self.outward.get(&from).map(|outward| outward.line.state())
                    };
                    self.write(&from, !to_table, session, line.unwrap_or_default(), reply);
                }
                again.into_iter().for_each(|letter| self.roads.send(&from, letter));
                if !to_table && let Some(outward) = self.outward.get_mut(&from) {
                    for there in outward.asking.drain(..) {
                        let _ = there.send(());
                    }
                }
                for item in items {
                    if to_table { self.guest_wants(&from, item) } else { self.table_says(&from, item) }
                }
            }
        }
    }

    /// At the node with the table: what a guest wants.
    fn guest_wants(&mut self, from: &str, item: Item) {
        let Some(inward) = self.inward.get_mut(from) else { return };
        match item {
            Item::Join { client, code, request, member, name, watch, last } => {
                let line = Arc::new(GuestLine { node: from.to_owned(), session: inward.line.session });
                let outbox = Arc::new(Guest { line, client, orders: self.orders.clone() });
                let (id, last, since) = (next_client(), last.map(Into::into), Instant::now());
                let wanted = request.clone();
                let join = JoinRequest { client: id, request, member, name, watch, last, outbox, since };
                match self.services.hub.pass(&self.services, &code, Note::Join(Box::new(join))) {
                    Ok(inbox) => drop(inward.guests.insert(client, (id, inbox))),
                    Err(code @ ErrorCode::Closing) => inward.tell(ToGuest::Close(client, code)),
                    Err(code) => inward.tell(ToGuest::Frame(client, refusal(code, wanted))),
                }
            }
            Item::Act { client, request, action } => {
                let Some((id, inbox)) = inward.guests.get(&client) else { return };
                // What the other node has read, this one can read.
                let Ok(action) = serde_json::from_str::<Action>(&action) else { return };
                let act = Act { client: *id, request: request.clone(), action, since: Instant::now() };
                match inbox.try_send(Note::Act(Box::new(act))) {
                    Ok(()) => {}
                    Err(mpsc::error::TrySendError::Full(_)) => {
                        inward.tell(ToGuest::Frame(client, refusal(ErrorCode::Busy, request)));
                    }
                    Err(mpsc::error::TrySendError::Closed(_)) => {
                        inward.tell(ToGuest::Close(client, ErrorCode::Closing));
                    }
                }
            }
            Item::Gone { client } => {
                if let Some(guest) = inward.guests.remove(&client) {
                    gone(guest);
                }
            }
            Item::Look { query, code, member } => {
                let (reply, answer) = oneshot::channel();
                let look = Note::Look { member: member.map(Box::new), guest: true, reply };
                let passed = self.services.hub.pass(&self.services, &code, look);
                let (orders, session, node) = (self.orders.clone(), inward.line.session, from.to_owned());
                tokio::spawn(async move {
                    let card = match passed {
                        Ok(_) => answer.await.unwrap_or(Err(ErrorCode::Closing)),
                        Err(code) => Err(code),
                    };
                    let _ = orders.send(Order::Answer { node, session, query, card });
                });
            }
            Item::Joined { .. } | Item::Frame { .. } | Item::Close { .. } | Item::Card { .. } => {}
        }
    }

    /// At the node with the sockets: what the table says.
    fn table_says(&mut self, from: &str, item: Item) {
        let Some(outward) = self.outward.get_mut(from) else { return };
        match item {
            Item::Joined { client } => {
                if let Some((_, outbox)) = outward.clients.get(&client) {
                    outbox.joined();
                }
            }
            Item::Frame { clients, frame } => {
                let frame = Bytes::from(frame);
                for (_, outbox) in clients.iter().filter_map(|client| outward.clients.get(client)) {
                    // A client that does not read is cut off, and its own task says so to the room.
                    if !outbox.put(Outgoing::Text(frame.clone())) {
                        self.services.metrics.cut.fetch_add(1, Relaxed);
                    }
                    outbox.go();
                }
            }
            Item::Close { client, code } => {
                let code = letter::refusal(&code);
                let Some((table, outbox)) = outward.clients.remove(&client) else { return };
                outbox.put(Outgoing::Close(code));
                outbox.go();
                // The table is no longer there, or never was. Whoever comes next asks the store where it is.
                if matches!(code, ErrorCode::Closing | ErrorCode::Storage) {
                    outward.end_stand_in(&table);
                    if let Some(redis) = self.services.cluster.as_ref().and_then(|cluster| cluster.redis.as_ref()) {
                        redis.forget(&table);
                    }
                }
            }
            Item::Card { query, card } => {
                if let Some(reply) = outward.looks.remove(&query) {
                    let card = card.map_err(|code| letter::refusal(&code));
                    let _ = reply.send(card.and_then(|json| serde_json::from_str(&json).map_err(|_| ErrorCode::Busy)));
                }
            }
            Item::Join { .. } | Item::Act { .. } | Item::Gone { .. } | Item::Look { .. } => {}
        }
    }

    /// Signs of life on all lines; those that have ended or are not needed any more go.
    fn beat(&mut self) {
        let now = self.now();
        let ended = |line: &Line| line.check(now).is_err();
        let dead: Vec<_> = self.outward.iter().filter(|(_, o)| ended(&o.line)).map(|(node, _)| node.clone()).collect();
        dead.iter().for_each(|node| self.end_outward(node));
        let dead: Vec<_> = self.inward.iter().filter(|(_, i)| ended(&i.line)).map(|(node, _)| node.clone()).collect();
        dead.iter().for_each(|node| self.end_inward(node));
        let idle = |outward: &Outward| {
            let used = !outward.stand_ins.is_empty() || !outward.clients.is_empty() || !outward.looks.is_empty();
            !used && outward.out.is_empty() && outward.asking.iter().all(oneshot::Sender::is_closed)
        };
        let quiet: Vec<_> = self.outward.iter().filter(|(_, o)| idle(o)).map(|(node, _)| node.clone()).collect();
        for node in quiet {
            if let Some(outward) = self.outward.remove(&node) {
                self.write(&node, true, outward.line.session, outward.line.state(), Body::End);
            }
        }
        let outward =
            self.outward.iter().map(|(node, o)| (node.clone(), true, o.line.session, o.line.state(), o.line.beat()));
        let inward =
            self.inward.iter().map(|(node, i)| (node.clone(), false, i.line.session, i.line.state(), i.line.beat()));
        let beats: Vec<_> = outward.chain(inward).collect();
        for (node, to_table, session, state, body) in beats {
            self.write(&node, to_table, session, state, body);
        }
    }

    fn send_parcels(&mut self) {
        let mut ended = Vec::new();
        let outward = self.outward.iter_mut().map(|(node, o)| (node, true, &mut o.line, &mut o.out));
        let inward = self.inward.iter_mut().map(|(node, i)| (node, false, &mut i.line, &mut i.out));
        for (node, to_table, line, out) in outward.chain(inward).filter(|(.., out)| !out.is_empty()) {
            let body = line.next_parcel(std::mem::take(out));
            let (got, confirmed) = line.state();
            let letter =
                Letter { from: self.node.clone(), session: line.session, to_table, got, confirmed, body }.write();
            if line.keep(letter.clone()).is_err() {
                ended.push((node.clone(), to_table));
            }
            self.roads.send(node, letter);
        }
        for (node, to_table) in ended {
            if to_table { self.end_outward(&node) } else { self.end_inward(&node) }
        }
    }

    fn write(&mut self, to: &str, to_table: bool, session: u64, (got, confirmed): (u64, u64), body: Body) {
        let letter = Letter { from: self.node.clone(), session, to_table, got, confirmed, body };
        self.roads.send(to, letter.write());
    }

    /// Everyone served over this line comes back by another way.
    fn end_outward(&mut self, node: &str) {
        let Some(mut outward) = self.outward.remove(node) else { return };
        tracing::info!(%node, clients = outward.clients.len(), "line to another node ended");
        self.write(node, true, outward.line.session, outward.line.state(), Body::End);
        let tables: Vec<String> = outward.stand_ins.keys().cloned().collect();
        tables.iter().for_each(|table| outward.end_stand_in(table));
        for (_, outbox) in outward.clients.into_values() {
            outbox.put(Outgoing::Close(ErrorCode::Closing));
            outbox.go();
        }
        for reply in outward.looks.into_values() {
            let _ = reply.send(Err(ErrorCode::Closing));
        }
    }

    /// Its guests are gone, as if their sockets had closed.
    fn end_inward(&mut self, node: &str) {
        let Some(inward) = self.inward.remove(node) else { return };
        tracing::info!(%node, guests = inward.guests.len(), "line from another node ended");
        self.write(node, false, inward.line.session, inward.line.state(), Body::End);
        inward.guests.into_values().for_each(gone);
    }
}

impl Outward {
    /// Its clients are closed with it.
    fn end_stand_in(&mut self, table: &str) {
        if let Some(end) = self.stand_ins.remove(table) {
            let _ = end.send(());
        }
        for (client, (_, outbox)) in self.clients.extract_if(|_, (code, _)| code == table) {
            outbox.put(Outgoing::Close(ErrorCode::Closing));
            outbox.go();
            self.out.push(Item::Gone { client });
        }
    }
}

impl Inward {
    fn tell(&mut self, item: ToGuest) {
        match item {
            ToGuest::Joined(client) => self.out.push(Item::Joined { client }),
            ToGuest::Frame(client, frame) => match self.out.last_mut() {
                // The same for many: spectators, and whatever is told to all.
                Some(Item::Frame { clients, frame: last }) if *last == frame[..] && !clients.contains(&client) => {
                    clients.push(client);
                }
                _ => self.out.push(Item::Frame { clients: vec![client], frame: frame.to_vec() }),
            },
            ToGuest::Close(client, code) => {
                self.guests.remove(&client);
                self.out.push(Item::Close { client, code: code.as_str().to_owned() });
            }
        }
    }
}

fn refusal(code: ErrorCode, request: String) -> Bytes {
    text(&ServerMessage::Error(No::from(code).refused(Some(request))))
}

/// The room hears of it even if it has much to do.
fn gone((client, inbox): (ClientId, mpsc::Sender<Note>)) {
    if let Err(mpsc::error::TrySendError::Full(note)) = inbox.try_send(Note::Gone { client }) {
        tokio::spawn(async move { inbox.send(note).await });
    }
}
