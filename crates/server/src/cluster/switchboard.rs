//! All lines of a node, without IO: letters and wishes in, letters and things to do out.
//!
//! A node plays two parts. For tables elsewhere it has the sockets: [`Outward`] lines lead to the nodes with those tables. For
//! its own tables it has guests, clients whose sockets are elsewhere: [`Inward`] lines come from the nodes with those sockets.
//!
//! The [`exchange`](super::exchange) calls [`Switchboard::handle_letter`] for what arrives, [`Switchboard::handle_beat`] now and
//! then, the lines' own functions for what somebody here wants, and [`Switchboard::send_parcels`] after each group of these. Then it
//! carries out every [`Switchboard::poll_effect`]. Time is in milliseconds by a steady clock of the caller's.

use super::elsewhere::{Outward, ToSockets};
use super::guests::{Inward, ToTable};
use super::letter::{Body, Letter};
use super::line::{Arrived, Ended, Line};
use baize_room::ClientId;
use baize_store::Unwritable;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};

/// What the exchange has to do.
pub enum Effect {
    /// A letter that can't be written is lost, as any letter may be.
    Send { to: String, letter: Result<Bytes, Unwritable> },
    /// The other node has given a sign of life.
    Heard { node: String },
    /// For sockets here, from tables at that node.
    ToSockets { node: String, what: ToSockets },
    /// For tables here, from guests of that node.
    ToTable { node: String, session: u64, what: ToTable },
    /// Nobody here is served by that node any more.
    OutwardEnded { node: String, clients: usize },
    /// These clients of tables here are gone with the line.
    InwardEnded { node: String, guests: Vec<ClientId> },
}

pub struct Switchboard {
    node: String,
    outward: BTreeMap<String, Outward>,
    inward: BTreeMap<String, Inward>,
    last_session: u64,
    effects: VecDeque<Effect>,
}

impl Switchboard {
    /// Sessions of a program that was started later must be larger: `session` is the date, shifted.
    pub fn new(node: String, session: u64) -> Self {
        Switchboard {
            node,
            outward: BTreeMap::new(),
            inward: BTreeMap::new(),
            last_session: session,
            effects: VecDeque::new(),
        }
    }

    pub fn poll_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// The line to a node with tables for clients here; a new one if there is none.
    pub fn outward(&mut self, node: &str, now: u64) -> &mut Outward {
        self.outward.entry(node.to_owned()).or_insert_with(|| {
            self.last_session += 1;
            Outward::new(Line::new(self.last_session, now))
        })
    }

    /// The line from a node with guests, if it is still this one.
    pub fn inward(&mut self, node: &str, session: u64) -> Option<&mut Inward> {
        self.inward.get_mut(node).filter(|inward| inward.line.session == session)
    }

    /// Whether that node was there a moment ago. If not, it is asked for a sign of life.
    pub fn reach(&mut self, node: &str, now: u64) -> bool {
        let name = self.node.clone();
        let line = &self.outward(node, now).line;
        if line.lives(now) {
            return true;
        }
        let letter = line.letter(&name, true, line.beat()).write();
        self.send(node, letter);
        false
    }

    /// The stand-in of a table has ended by itself.
    pub fn leave(&mut self, node: &str, table: &str, now: u64) {
        let told = self.outward(node, now).end_stand_in(table);
        self.tell_sockets(node, told);
    }

    /// A letter from another node. `fresh` gives names for clients that nobody has.
    pub fn handle_letter(&mut self, letter: Letter, now: u64, received: u64, mut fresh: impl FnMut() -> ClientId) {
        let Letter { from, session, to_table, got, confirmed, body } = letter;
        if to_table && self.inward(&from, session).is_none() {
            // A line whose first parcels another program has confirmed, before this one was started, can't be taken up.
            if confirmed > 0 {
                let letter = Line::new(session, now).letter(&self.node, false, Body::End);
                return self.send(&from, letter.write());
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
        answers.into_iter().chain(again.into_iter().map(Ok)).for_each(|letter| self.send(&from, letter));
        if !to_table && self.outward.contains_key(&from) {
            self.effects.push_back(Effect::Heard { node: from.clone() });
        }
        for item in items {
            if to_table {
                let wanted = self.inward.get_mut(&from).and_then(|inward| inward.wants(item, fresh(), received));
                let effect = |what| Effect::ToTable { node: from.clone(), session, what };
                self.effects.extend(wanted.map(effect));
            } else {
                let told = self.outward.get_mut(&from).map(|outward| outward.says(item)).unwrap_or_default();
                self.tell_sockets(&from, told);
            }
        }
    }

    /// Signs of life on all lines; those that have ended or are not needed any more go. `is_wanted` tells whether somebody waits
    /// for an answer of a node.
    pub fn handle_beat(&mut self, now: u64, is_wanted: impl Fn(&str) -> bool) {
        for node in self.outward.keys().cloned().collect::<Vec<_>>() {
            let outward = &self.outward[&node];
            match outward.line.check(now) {
                Err(Ended) => self.end_outward(&node),
                Ok(()) if outward.is_idle() && !is_wanted(&node) => self.end_outward(&node),
                Ok(()) => {
                    let letter = outward.line.letter(&self.node, true, outward.line.beat()).write();
                    self.send(&node, letter);
                }
            }
        }
        for node in self.inward.keys().cloned().collect::<Vec<_>>() {
            let inward = &self.inward[&node];
            match inward.line.check(now) {
                Err(Ended) => self.end_inward(&node),
                Ok(()) => {
                    let letter = inward.line.letter(&self.node, false, inward.line.beat()).write();
                    self.send(&node, letter);
                }
            }
        }
    }

    /// Makes parcels of what waits on each line.
    pub fn send_parcels(&mut self) {
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
            self.effects.push_back(Effect::Send { to: node.clone(), letter });
        }
        for (node, to_table) in ended {
            if to_table { self.end_outward(&node) } else { self.end_inward(&node) }
        }
    }

    /// Everyone who is served over a line comes back by another.
    pub fn end_all(&mut self) {
        for node in self.outward.keys().cloned().collect::<Vec<_>>() {
            self.end_outward(&node);
        }
        for node in self.inward.keys().cloned().collect::<Vec<_>>() {
            self.end_inward(&node);
        }
    }

    fn end_outward(&mut self, node: &str) {
        let Some(outward) = self.outward.remove(node) else { return };
        let (letter, clients) = (outward.line.letter(&self.node, true, Body::End).write(), outward.count());
        self.send(node, letter);
        self.tell_sockets(node, outward.end());
        self.effects.push_back(Effect::OutwardEnded { node: node.to_owned(), clients });
    }

    fn end_inward(&mut self, node: &str) {
        let Some(inward) = self.inward.remove(node) else { return };
        let letter = inward.line.letter(&self.node, false, Body::End).write();
        self.send(node, letter);
        self.effects.push_back(Effect::InwardEnded { node: node.to_owned(), guests: inward.end() });
    }

    fn send(&mut self, to: &str, letter: Result<Bytes, Unwritable>) {
        self.effects.push_back(Effect::Send { to: to.to_owned(), letter });
    }

    fn tell_sockets(&mut self, node: &str, told: Vec<ToSockets>) {
        self.effects.extend(told.into_iter().map(|what| Effect::ToSockets { node: node.to_owned(), what }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_protocol::ErrorCode;
    use baize_room::Join;

    /// Two nodes whose letters all arrive at once.
    struct Pair {
        sockets: Switchboard,
        table: Switchboard,
        seen: Vec<Effect>,
        now: u64,
    }

    impl Pair {
        fn new() -> Self {
            let (sockets, table) = (Switchboard::new("sockets".into(), 100), Switchboard::new("table".into(), 50));
            Pair { sockets, table, seen: Vec::new(), now: 1_000 }
        }

        /// Carries letters until there are none; keeps every other effect.
        fn settle(&mut self) {
            let mut next = 70;
            loop {
                self.sockets.send_parcels();
                self.table.send_parcels();
                let (sent, back) = (drain(&mut self.sockets), drain(&mut self.table));
                if sent.is_empty() && back.is_empty() {
                    return;
                }
                for (effects, other) in [(sent, &mut self.table), (back, &mut self.sockets)] {
                    for effect in effects {
                        match effect {
                            Effect::Send { letter, .. } => {
                                let letter = Letter::read(&letter.unwrap()).unwrap();
                                other.handle_letter(letter, self.now, 0, || {
                                    next += 1;
                                    next
                                });
                            }
                            effect => self.seen.push(effect),
                        }
                    }
                }
            }
        }

        fn join(&mut self, client: ClientId) {
            let outward = self.sockets.outward("table", self.now);
            outward.begin("code".into());
            let (request, name) = ("r".into(), None);
            let join = Join { client, request, member: [1; 32], name, watch: false, last: None, received: 0 };
            outward.join("code".into(), join);
        }
    }

    fn drain(switchboard: &mut Switchboard) -> Vec<Effect> {
        std::iter::from_fn(|| switchboard.poll_effect()).collect()
    }

    #[test]
    fn a_client_joins_a_table_at_another_node_and_hears_from_it() {
        let mut pair = Pair::new();
        assert!(!pair.sockets.reach("table", pair.now));
        pair.join(1);
        pair.settle();
        let joined = pair.seen.iter().find_map(|effect| match effect {
            Effect::ToTable { session, what: ToTable::Join { guest: 1, join, .. }, .. } => {
                Some((*session, join.client))
            }
            _ => None,
        });
        let (session, client) = joined.expect("the table hears of the client");
        assert!(pair.seen.iter().any(|effect| matches!(effect, Effect::Heard { node } if node == "table")));
        let inward = pair.table.inward("sockets", session).unwrap();
        inward.handle_joining(1, client);
        inward.tell(super::super::guests::ToGuest::Joined(1));
        pair.settle();
        let told = |effect: &Effect| matches!(effect, Effect::ToSockets { what: ToSockets::Joined { client: 1 }, .. });
        assert!(pair.seen.iter().any(told));
        assert!(pair.sockets.reach("table", pair.now));
    }

    #[test]
    fn a_line_on_which_nothing_is_heard_ends_on_both_sides() {
        let mut pair = Pair::new();
        pair.join(1);
        pair.settle();
        pair.table.inward("sockets", 101).unwrap().handle_joining(1, 71);
        pair.now += 60_000;
        pair.sockets.handle_beat(pair.now, |_| false);
        pair.table.handle_beat(pair.now, |_| false);
        let (sent, back) = (drain(&mut pair.sockets), drain(&mut pair.table));
        let closed = |effect: &Effect| {
            matches!(effect, Effect::ToSockets { what: ToSockets::Close { client: 1, code: ErrorCode::Closing }, .. })
        };
        assert!(sent.iter().any(closed));
        assert!(back.iter().any(|effect| matches!(effect, Effect::InwardEnded { guests, .. } if guests == &[71])));
    }

    #[test]
    fn a_line_of_a_node_that_was_started_again_replaces_the_old_one() {
        let mut pair = Pair::new();
        pair.join(1);
        pair.settle();
        pair.table.inward("sockets", 101).unwrap().handle_joining(1, 71);
        pair.sockets = Switchboard::new("sockets".into(), 200);
        pair.join(2);
        pair.settle();
        assert!(pair.table.inward("sockets", 101).is_none() && pair.table.inward("sockets", 201).is_some());
        assert!(pair.seen.iter().any(|effect| matches!(effect, Effect::InwardEnded { guests, .. } if guests == &[71])));
    }
}
