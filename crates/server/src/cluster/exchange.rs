//! The task that looks after all lines of a node.
//!
//! A node plays two parts. For tables elsewhere it has the sockets: [`Outward`] lines lead to the nodes with those tables. For
//! its own tables it has guests, clients whose sockets are elsewhere: [`Inward`] lines come from the nodes with those sockets.

use super::elsewhere::{Looked, Outward};
use super::guests::{GuestLine, Inward, ToGuest};
use super::letter::{Body, Item, Letter};
use super::line::{self, Arrived, Ended, Line};
use super::roads::Roads;
use crate::Services;
use crate::identity::Member;
use crate::room_task::JoinRequest;
use crate::supervise::failed;
use baize_protocol::ErrorCode;
use baize_protocol::http::TableCard;
use baize_room::ClientId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

/// Orders taken up before what they bring about is sent.
const TOGETHER: usize = 512;

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

struct Exchange {
    services: Arc<Services>,
    node: String,
    orders: mpsc::UnboundedSender<Order>,
    roads: Roads,
    started: Instant,
    outward: HashMap<String, Outward>,
    inward: HashMap<String, Inward>,
    next_session: u64,
}

/// Runs as long as the program.
pub async fn run(services: Arc<Services>, mut ordered: mpsc::UnboundedReceiver<Order>, roads: Roads) {
    let Some(cluster) = &services.cluster else { return };
    let mut exchange = Exchange {
        node: cluster.node.clone(),
        orders: cluster.orders.clone(),
        roads,
        started: Instant::now(),
        outward: HashMap::new(),
        inward: HashMap::new(),
        // Lines of a program that was started later are later lines.
        next_session: services.config.clock.date() << 16,
        services: services.clone(),
    };
    // After a panic nobody knows what became of which parcel: everyone who was served over a line comes back by another.
    while failed("exchange", &services.panics, exchange.serve(&mut ordered)).await {
        exchange.end_all();
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
            }
            self.send_parcels();
            for sent in closing {
                self.roads.flushed(sent);
            }
        }
    }

    fn end_all(&mut self) {
        for node in self.outward.keys().cloned().collect::<Vec<_>>() {
            self.end_outward(&node);
        }
        for node in self.inward.keys().cloned().collect::<Vec<_>>() {
            self.end_inward(&node);
        }
    }

    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::At(node, wanted) => self.want(&node, wanted),
            // What was meant for a line that has ended is for nobody.
            Order::ToSocket { guest, item } => {
                if let Some(inward) = self.inward(&guest.node, guest.session) {
                    inward.tell(item);
                }
            }
            Order::Answer { node, session, query, card } => {
                if let Some(inward) = self.inward(&node, session) {
                    inward.answer(query, card);
                }
            }
            Order::Letter(bytes) => {
                if let Some(letter) = Letter::read(&bytes) {
                    self.letter(letter);
                }
            }
            // Those are for the end of the group.
            Order::Close(_) => {}
        }
    }

    fn want(&mut self, node: &str, wanted: ToNode) {
        let now = self.now();
        let outward = self.outward.entry(node.to_owned()).or_insert_with(|| {
            self.next_session += 1;
            Outward::new(Line::new(self.next_session, now))
        });
        match wanted {
            ToNode::Reach(there) if outward.line.lives(now) => drop(there.send(())),
            ToNode::Reach(there) => {
                outward.ask(there);
                let letter = outward.line.letter(&self.node, true, outward.line.beat());
                self.roads.send(node, letter.write());
            }
            ToNode::Begin { code, end } => outward.begin(code, end),
            ToNode::Leave { code } => outward.end_stand_in(&code),
            ToNode::Join { code, join } => outward.join(code, *join),
            ToNode::Act { client, request, action } => outward.out.push(Item::Act { client, request, action }),
            ToNode::Refuse { client, request } => outward.refuse(client, request),
            ToNode::Gone { client } => outward.gone(client),
            ToNode::Look { code, member, reply } => outward.look(code, member, reply),
        }
    }

    fn inward(&mut self, node: &str, session: u64) -> Option<&mut Inward> {
        self.inward.get_mut(node).filter(|inward| inward.line.session == session)
    }

    fn letter(&mut self, letter: Letter) {
        let Letter { from, session, to_table, got, confirmed, body } = letter;
        let now = self.now();
        if to_table && !self.knows(&from, session) {
            // A line whose first parcels another program has confirmed, before this one was started, can't be taken up.
            if confirmed > 0 {
                let letter = Line::new(session, now).letter(&self.node, false, Body::End);
                return self.roads.send(&from, letter.write());
            }
            let later = self.inward.get(&from).is_none_or(|inward| inward.line.session < session);
            if !later || matches!(body, Body::End) {
                return;
            }
            self.end_inward(&from);
            self.inward.insert(from.clone(), Inward::new(Line::new(session, now)));
        }
        let line = match to_table {
            true => self.inward.get_mut(&from).map(|inward| &mut inward.line),
            false => self.outward.get_mut(&from).map(|outward| &mut outward.line),
        };
        let Some(line) = line.filter(|line| line.session == session) else { return };
        // A beat is answered at once: the other side may be waiting for the first sign of life.
        let asked = to_table && matches!(body, Body::Beat { .. });
        let Ok(Arrived { items, reply, again }) = line.arrived(got, body, now) else {
            return if to_table { self.end_inward(&from) } else { self.end_outward(&from) };
        };
        let answers = asked.then(|| line.beat()).into_iter().chain(reply);
        let answers: Vec<_> = answers.map(|body| line.letter(&self.node, !to_table, body).write()).collect();
        answers.into_iter().chain(again.into_iter().map(Ok)).for_each(|letter| self.roads.send(&from, letter));
        if !to_table && let Some(outward) = self.outward.get_mut(&from) {
            outward.heard();
        }
        for item in items {
            if let (true, Some(inward)) = (to_table, self.inward.get_mut(&from)) {
                inward.wants(&self.services, &self.orders, &from, item);
            } else if let (false, Some(outward)) = (to_table, self.outward.get_mut(&from)) {
                outward.says(&self.services, item);
            }
        }
    }

    fn knows(&self, from: &str, session: u64) -> bool {
        self.inward.get(from).is_some_and(|inward| inward.line.session == session)
    }

    /// Signs of life on all lines; those that have ended or are not needed any more go.
    fn beat(&mut self) {
        let now = self.now();
        for node in self.outward.keys().cloned().collect::<Vec<_>>() {
            let outward = &self.outward[&node];
            match outward.line.check(now) {
                Err(Ended) => self.end_outward(&node),
                Ok(()) if outward.is_idle() => self.end_outward(&node),
                Ok(()) => {
                    let letter = outward.line.letter(&self.node, true, outward.line.beat());
                    self.roads.send(&node, letter.write());
                }
            }
        }
        for node in self.inward.keys().cloned().collect::<Vec<_>>() {
            let inward = &self.inward[&node];
            match inward.line.check(now) {
                Err(Ended) => self.end_inward(&node),
                Ok(()) => {
                    let letter = inward.line.letter(&self.node, false, inward.line.beat());
                    self.roads.send(&node, letter.write());
                }
            }
        }
    }

    fn send_parcels(&mut self) {
        let mut ended = Vec::new();
        let outward = self.outward.iter_mut().map(|(node, o)| (node, true, &mut o.line, &mut o.out));
        let inward = self.inward.iter_mut().map(|(node, i)| (node, false, &mut i.line, &mut i.out));
        for (node, to_table, line, out) in outward.chain(inward).filter(|(.., out)| !out.is_empty()) {
            let body = line.next_parcel(std::mem::take(out));
            let letter = line.letter(&self.node, to_table, body).write();
            let kept = letter.as_ref().is_ok_and(|letter| line.keep(letter.clone()).is_ok());
            if !kept {
                ended.push((node.clone(), to_table));
            }
            self.roads.send(node, letter);
        }
        for (node, to_table) in ended {
            if to_table { self.end_outward(&node) } else { self.end_inward(&node) }
        }
    }

    fn end_outward(&mut self, node: &str) {
        let Some(outward) = self.outward.remove(node) else { return };
        tracing::info!(%node, clients = outward.count(), "line to another node ended");
        self.roads.send(node, outward.line.letter(&self.node, true, Body::End).write());
        outward.end();
    }

    fn end_inward(&mut self, node: &str) {
        let Some(inward) = self.inward.remove(node) else { return };
        tracing::info!(%node, guests = inward.count(), "line from another node ended");
        self.roads.send(node, inward.line.letter(&self.node, false, Body::End).write());
        inward.end();
    }
}
