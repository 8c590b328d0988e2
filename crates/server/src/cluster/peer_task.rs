//! The task that runs all peer links of a node: the shell around [`Peers`].

use super::peer_link;
use super::peer_message::{PacketItem, PeerMessage};
use super::peers::{PeerEffect, Peers};
use super::socket_peer::{GuestMessage, TableEffect};
use super::table_peer::SocketEffect;
use super::transport::Transport;
use crate::Services;
use crate::identity::{Member, next_client};
use crate::inbox::{JoinRequest, TableMessage};
use crate::metrics::stamp;
use crate::outbox::Recipient;
use crate::outgoing::Outgoing;
use crate::supervise::panicked;
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

/// Upper bound on requests that are handled before the packets that they lead to are sent.
const GROUP: usize = 512;
/// Upper bound on cards awaited from one node at the same time.
const MAX_CARD_WAITERS: usize = 10_000;

pub type CardReply = oneshot::Sender<Result<TableCard, ErrorCode>>;

pub enum PeerTaskRequest {
    /// A packet item for another node.
    ForNode(String, NodeRequest),
    /// An item for the socket of a guest, which is at another node.
    ToGuest { guest: Arc<GuestOrigin>, item: GuestMessage },
    /// The card of a table at this node, for the node that asked.
    Answer { node: String, session: u64, query: u64, card: Result<TableCard, ErrorCode> },
    /// An encoded message from another node.
    Received(Vec<u8>),
    /// Sends everything that waits, and replies when it is sent.
    Close(oneshot::Sender<()>),
}

/// A request of somebody at this node to another node.
pub enum NodeRequest {
    /// Replies if the node answers.
    Reach(oneshot::Sender<()>),
    /// A stand-in for a table begins. The peer task ends it by sending on `end` or dropping it.
    Begin {
        code: String,
        end: oneshot::Sender<()>,
    },
    /// The stand-in has ended by itself. Clients that are still there are closed and reconnect.
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
    /// The client's action can't be encoded for the other node.
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
        reply: CardReply,
    },
}

/// The node and link session by which a guest came.
pub struct GuestOrigin {
    pub node: String,
    pub session: u64,
}

/// How a room reaches a guest.
struct GuestRecipient {
    origin: Arc<GuestOrigin>,
    client: ClientId,
    requests: mpsc::UnboundedSender<PeerTaskRequest>,
}

impl GuestRecipient {
    fn send(&self, item: GuestMessage) {
        // The send can't fail: the peer task ends after the rooms.
        let _ = self.requests.send(PeerTaskRequest::ToGuest { guest: self.origin.clone(), item });
    }
}

impl Recipient for GuestRecipient {
    fn release(&self) {
        self.send(GuestMessage::Released(self.client));
    }

    fn joined(&self) {
        self.send(GuestMessage::Joined(self.client));
    }

    fn enqueue(&self, message: Outgoing) -> bool {
        self.send(match message {
            Outgoing::Text(frame) => GuestMessage::Frame(self.client, frame),
            Outgoing::Close(code) => GuestMessage::Close(self.client, code),
        });
        true
    }

    fn send_queued(&self) {}

    fn is_guest(&self) -> bool {
        true
    }
}

/// Whoever at this node waits for something from one other node.
#[derive(Default)]
struct Waiters {
    /// The channel that tells each stand-in to end, by the code of its table.
    stand_ins: HashMap<String, oneshot::Sender<()>>,
    clients: HashMap<ClientId, Arc<dyn Recipient>>,
    cards: HashMap<u64, CardReply>,
    /// Replies for [`NodeRequest::Reach`].
    reach: Vec<oneshot::Sender<()>>,
}

struct PeerTask {
    services: Arc<Services>,
    requests: mpsc::UnboundedSender<PeerTaskRequest>,
    transport: Transport,
    started: Instant,
    peers: Peers,
    /// Those who wait for an answer of a node, by the node's name.
    waiters: HashMap<String, Waiters>,
    /// The room of each guest, by the client id that this node gave the guest.
    rooms: HashMap<ClientId, mpsc::Sender<TableMessage>>,
}

/// Runs as long as the program.
pub async fn run(
    services: Arc<Services>,
    mut requests: mpsc::UnboundedReceiver<PeerTaskRequest>,
    transport: Transport,
) {
    let Some(cluster) = &services.cluster else { return };
    let mut peer_task = PeerTask {
        requests: cluster.requests.clone(),
        transport,
        started: Instant::now(),
        // The session ids of a program that was started later must be larger.
        peers: Peers::new(cluster.node.clone(), services.config.clock.date() << 16),
        waiters: HashMap::new(),
        rooms: HashMap::new(),
        services: services.clone(),
    };
    // A panic may have lost packets, so all links end and everyone served over them reconnects.
    while panicked("peer links", &services.panics, peer_task.serve(&mut requests)).await {
        peer_task.peers.end_all();
        peer_task.carry_out();
    }
}

impl PeerTask {
    async fn serve(&mut self, requests: &mut mpsc::UnboundedReceiver<PeerTaskRequest>) {
        let mut heartbeat = tokio::time::interval(Duration::from_millis(peer_link::HEARTBEAT));
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut group = Vec::with_capacity(GROUP);
        loop {
            tokio::select! {
                biased;
                _ = heartbeat.tick() => self.heartbeat(),
                taken = requests.recv_many(&mut group, GROUP) => {
                    if taken == 0 {
                        return;
                    }
                }
            }
            self.services.config.faults.trip("task/peer links", "");
            let mut closing = Vec::new();
            for request in group.drain(..) {
                match request {
                    PeerTaskRequest::Close(sent) => closing.push(sent),
                    request => self.handle(request),
                }
                self.carry_out();
            }
            self.peers.send_packets();
            self.carry_out();
            for sent in closing {
                self.transport.reply_when_sent(sent);
            }
        }
    }

    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn heartbeat(&mut self) {
        let (now, waiters) = (self.now(), &self.waiters);
        let is_wanted = |node: &str| {
            let asked =
                |waiters: &Waiters| !waiters.cards.is_empty() || !waiters.reach.iter().all(|reply| reply.is_closed());
            waiters.get(node).is_some_and(asked)
        };
        self.peers.handle_heartbeat(now, is_wanted);
        self.carry_out();
    }

    fn handle(&mut self, request: PeerTaskRequest) {
        match request {
            PeerTaskRequest::ForNode(node, request) => self.handle_for_node(&node, request),
            // Whatever is meant for a link that has ended is dropped.
            PeerTaskRequest::ToGuest { guest, item } => {
                let socket_peer = self.peers.socket_peer(&guest.node, guest.session);
                if let Some(client) = socket_peer.and_then(|socket_peer| socket_peer.send_to_guest(item)) {
                    self.rooms.remove(&client);
                }
            }
            PeerTaskRequest::Answer { node, session, query, card } => {
                if let Some(socket_peer) = self.peers.socket_peer(&node, session) {
                    socket_peer.send_card(query, card);
                }
            }
            PeerTaskRequest::Received(bytes) => {
                if let Some(message) = PeerMessage::read(&bytes) {
                    self.peers.handle_message(message, self.now(), stamp(), next_client);
                }
            }
            // The caller handles these after the whole group.
            PeerTaskRequest::Close(_) => {}
        }
    }

    fn handle_for_node(&mut self, node: &str, request: NodeRequest) {
        let now = self.now();
        // A refusal needs no link. It must not add waiters, because only the end of a link removes them.
        if let NodeRequest::Refuse { client, request } = request {
            if let Some(outbox) = self.waiters.get(node).and_then(|waiters| waiters.clients.get(&client)) {
                outbox.enqueue(Outgoing::refusal(ErrorCode::Storage, Some(request)));
                outbox.send_queued();
            }
            return;
        }
        let waiters = self.waiters.entry(node.to_owned()).or_default();
        match request {
            NodeRequest::Reach(reply) => {
                if self.peers.reach(node, now) {
                    let _ = reply.send(());
                } else {
                    // Drops waiters that have given up.
                    waiters.reach.retain(|reply| !reply.is_closed());
                    waiters.reach.push(reply);
                }
            }
            NodeRequest::Begin { code, end } => {
                waiters.stand_ins.insert(code.clone(), end);
                self.peers.table_peer(node, now).add_stand_in(code);
            }
            NodeRequest::Leave { code } => self.peers.end_stand_in(node, &code, now),
            NodeRequest::Join { code, join } => {
                let JoinRequest { join, outbox } = *join;
                waiters.clients.insert(join.client, outbox);
                self.peers.table_peer(node, now).join(code, *join);
            }
            NodeRequest::Act { client, request, action } => {
                self.peers.table_peer(node, now).outgoing.push(PacketItem::Act { client, request, action });
            }
            // The start of this function handles refusals.
            NodeRequest::Refuse { .. } => {}
            NodeRequest::Gone { client } => {
                waiters.clients.remove(&client);
                self.peers.table_peer(node, now).handle_gone(client);
            }
            NodeRequest::Look { code, member, reply } => {
                if waiters.cards.len() >= MAX_CARD_WAITERS {
                    waiters.cards.retain(|_, reply| !reply.is_closed());
                }
                if waiters.cards.len() >= MAX_CARD_WAITERS {
                    let _ = reply.send(Err(ErrorCode::Busy));
                    return;
                }
                let query = self.peers.table_peer(node, now).request_card(code, member);
                waiters.cards.insert(query, reply);
            }
        }
    }

    fn carry_out(&mut self) {
        while let Some(effect) = self.peers.poll_effect() {
            match effect {
                PeerEffect::Send { to, message } => self.transport.send(&to, message),
                PeerEffect::Heard { node } => {
                    let replies = self.waiters.get_mut(&node).map(|waiters| std::mem::take(&mut waiters.reach));
                    for reply in replies.into_iter().flatten() {
                        let _ = reply.send(());
                    }
                }
                PeerEffect::ToSockets { node, effect } => self.carry_out_for_sockets(&node, effect),
                PeerEffect::ToTable { node, session, effect } => self.carry_out_for_table(node, session, effect),
                PeerEffect::TablePeerEnded { node, clients } => {
                    tracing::info!(%node, clients, "link to another node ended");
                    // Stand-ins and reach requests notice the end when their channels are dropped.
                    let cards = self.waiters.remove(&node).map(|waiters| waiters.cards);
                    for reply in cards.into_iter().flat_map(HashMap::into_values) {
                        let _ = reply.send(Err(ErrorCode::Closing));
                    }
                }
                PeerEffect::SocketPeerEnded { node, guests } => {
                    tracing::info!(%node, guests = guests.len(), "link from another node ended");
                    guests.into_iter().for_each(|client| self.handle_gone(client));
                }
            }
        }
    }

    /// Carries out an effect of that node's tables on clients of this node.
    fn carry_out_for_sockets(&mut self, node: &str, effect: SocketEffect) {
        let Some(waiters) = self.waiters.get_mut(node) else { return };
        match effect {
            SocketEffect::Joined { client } => {
                if let Some(outbox) = waiters.clients.get(&client) {
                    outbox.joined();
                }
            }
            SocketEffect::Released { client } => {
                if let Some(outbox) = waiters.clients.get(&client) {
                    outbox.release();
                }
            }
            SocketEffect::Frame { clients, frame } => {
                for outbox in clients.iter().filter_map(|client| waiters.clients.get(client)) {
                    // The client does not read and is cut off; its socket task tells the room.
                    if !outbox.enqueue(Outgoing::Text(frame.clone())) {
                        self.services.metrics.cut.fetch_add(1, Relaxed);
                    }
                    outbox.send_queued();
                }
            }
            SocketEffect::Close { client, code } => {
                if let Some(outbox) = waiters.clients.remove(&client) {
                    outbox.enqueue(Outgoing::Close(code));
                    outbox.send_queued();
                }
            }
            SocketEffect::EndStandIn { table } => {
                if let Some(end) = waiters.stand_ins.remove(&table) {
                    let _ = end.send(());
                }
            }
            SocketEffect::ForgetLocation { table } => {
                if let Some(redis) = self.services.cluster.as_ref().and_then(|cluster| cluster.redis.as_ref()) {
                    redis.forget_location(&table);
                }
            }
            SocketEffect::Card { query, card } => {
                if let Some(reply) = waiters.cards.remove(&query) {
                    let _ = reply.send(card);
                }
            }
        }
    }

    /// Carries out an effect of that node's guests on a table of this node.
    fn carry_out_for_table(&mut self, node: String, session: u64, effect: TableEffect) {
        match effect {
            TableEffect::Join { guest, code, join, earlier } => {
                self.join(&node, session, guest, &code, join);
                if let Some(earlier) = earlier {
                    self.handle_gone(earlier);
                }
            }
            TableEffect::Act { guest, act } => self.act(&node, session, guest, act),
            TableEffect::Gone { client } => self.handle_gone(client),
            TableEffect::Look { query, code, member } => {
                let (reply, answer) = oneshot::channel();
                let look = TableMessage::Look { member: member.map(Box::new), guest: true, reply };
                let passed = self.services.hub.pass(&self.services, &code, look);
                let requests = self.requests.clone();
                tokio::spawn(async move {
                    let card = match passed {
                        Ok(_) => answer.await.unwrap_or(Err(ErrorCode::Closing)),
                        Err(code) => Err(code),
                    };
                    let _ = requests.send(PeerTaskRequest::Answer { node, session, query, card });
                });
            }
        }
    }

    fn join(&mut self, node: &str, session: u64, guest: ClientId, code: &str, join: Box<Join>) {
        let (client, request) = (join.client, join.request.clone());
        let origin = Arc::new(GuestOrigin { node: node.to_owned(), session });
        let outbox = Arc::new(GuestRecipient { origin, client: guest, requests: self.requests.clone() });
        let request_to_join = TableMessage::Join(Box::new(JoinRequest { join, outbox }));
        match self.services.hub.pass(&self.services, code, request_to_join) {
            Ok(inbox) => drop(self.rooms.insert(client, inbox)),
            Err(code) => {
                if let Some(socket_peer) = self.peers.socket_peer(node, session) {
                    socket_peer.handle_refused_join(guest, client, code, request);
                }
            }
        }
    }

    fn act(&mut self, node: &str, session: u64, guest: ClientId, act: Box<Act>) {
        let (inbox, request) = (self.rooms.get(&act.client), act.request.clone());
        let code = match inbox.map(|inbox| inbox.try_send(TableMessage::Room(Message::Act(act)))) {
            Some(Ok(())) => return,
            Some(Err(TrySendError::Full(_))) => ErrorCode::Busy,
            Some(Err(TrySendError::Closed(_))) => ErrorCode::Closing,
            // The join before this action could not be passed on.
            None => ErrorCode::JoinFirst,
        };
        let socket_peer = self.peers.socket_peer(node, session);
        if let Some(client) = socket_peer.and_then(|socket_peer| socket_peer.handle_refused(guest, code, request)) {
            self.rooms.remove(&client);
        }
    }

    /// Tells the room that a guest is gone; waits for space in a full inbox.
    fn handle_gone(&mut self, client: ClientId) {
        let Some(inbox) = self.rooms.remove(&client) else { return };
        let message = TableMessage::Room(Message::Gone { client });
        if let Err(TrySendError::Full(message)) = inbox.try_send(message) {
            tokio::spawn(async move { inbox.send(message).await });
        }
    }
}
