//! The door: everybody may come in, the lead is asked about each newcomer, or nobody new may come in.
//!
//! People who are at the table when the door closes may come back, because the record has them. The room refuses a newcomer or
//! puts them on the lead's list. A person on that list asks again and again: the client tries to join every few seconds, and gets
//! `table/asked` until the lead has answered. So the room keeps nothing for somebody who has gone, and a restart loses nothing.

use super::Room;
use crate::ActionRefusal;
use crate::identity::Member;
use crate::message::ClientId;
use crate::message::Join;
use crate::names;
use baize_protocol::table::AskerInfo;
use baize_protocol::{Door, ErrorCode, TableEvent, limits};
use std::collections::VecDeque;

/// A person who has not asked again for this long has gone.
const ASKS_AGAIN: u64 = 20_000;
/// A request that the lead does not answer ends after this time.
const ANSWER_WITHIN: u64 = 3 * 60_000;
/// For this long a person who was turned away gets the same answer, and the room does not ask the lead again.
const TURNED_AWAY: u64 = 5 * 60_000;
/// Upper bound on people who are remembered as turned away.
const MAX_TURNED_AWAY: usize = 64;

/// People who ask to come in, and people who were turned away.
#[derive(Default)]
pub struct Askers {
    waiting: Vec<Asker>,
    turned_away: VecDeque<TurnedAway>,
    next: u32,
}

struct Asker {
    id: String,
    member: Member,
    name: String,
    watch: bool,
    since: u64,
    /// When this person last asked.
    seen: u64,
}

struct TurnedAway {
    member: Member,
    until: u64,
    because: ErrorCode,
}

impl Askers {
    pub fn next_wake(&self) -> Option<u64> {
        self.waiting.iter().map(|asker| (asker.seen + ASKS_AGAIN).min(asker.since + ANSWER_WITHIN)).min()
    }

    pub fn remove(&mut self, member: &Member) {
        self.waiting.retain(|asker| asker.member != *member);
        self.turned_away.retain(|other| other.member != *member);
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.turned_away.len()
    }

    #[cfg(test)]
    pub fn ids(&self) -> Vec<String> {
        self.waiting.iter().map(|asker| asker.id.clone()).collect()
    }

    fn turn_away(&mut self, member: Member, because: ErrorCode, now: u64) {
        self.turned_away.retain(|other| other.member != member && other.until > now);
        if self.turned_away.len() == MAX_TURNED_AWAY {
            self.turned_away.pop_front();
        }
        self.turned_away.push_back(TurnedAway { member, until: now + TURNED_AWAY, because });
    }

    fn list(&self) -> Vec<AskerInfo> {
        let info = |asker: &Asker| AskerInfo { id: asker.id.clone(), name: asker.name.clone(), watch: asker.watch };
        self.waiting.iter().map(info).collect()
    }
}

impl Room {
    pub(super) fn set_door(&mut self, id: ClientId, door: Door) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if self.record.door == door {
            return Ok(());
        }
        self.record.door = door;
        if door == Door::Open {
            self.record.inside.clear();
        } else {
            // Players need no entry: they have their seats.
            let watching = self.clients.iter().filter(|client| !client.closed && client.player.is_none());
            let watching: Vec<_> = watching.map(|client| (client.member, client.name.clone())).collect();
            watching.into_iter().for_each(|(member, name)| self.let_in(member, name));
        }
        if door != Door::Ask && !self.askers.waiting.is_empty() {
            self.askers.waiting.clear();
            self.tell_askers();
        }
        self.session_about(
            "door",
            match door {
                Door::Open => "The lead opened the table to everybody who has the link",
                Door::Ask => "Newcomers now ask the lead to be let in",
                Door::Locked => "The lead locked the table: nobody new can come in",
            }
            .into(),
        );
        self.pending.table();
        Ok(())
    }

    /// Checks whether this person may come in, as a player or as a spectator.
    pub(super) fn check_door(&mut self, join: &Join) -> Result<(), ActionRefusal> {
        let member = &join.member;
        let known = self.record.by_member(member).is_some()
            || self.record.inside.contains(member)
            || self.clients.iter().any(|client| client.member == *member);
        match self.record.door {
            _ if known => Ok(()),
            Door::Open => Ok(()),
            Door::Locked => Err(ErrorCode::DoorLocked.into()),
            Door::Ask => Err(self.ask(join)),
        }
    }

    /// Puts a person on the lead's list, and returns the refusal for the person.
    fn ask(&mut self, join: &Join) -> ActionRefusal {
        let now = self.now();
        self.forget_askers(now);
        if let Some(before) = self.askers.turned_away.iter().find(|a| a.member == join.member && a.until > now) {
            return before.because.into();
        }
        if let Some(asker) = self.askers.waiting.iter_mut().find(|asker| asker.member == join.member) {
            asker.seen = now;
            return ErrorCode::DoorAsked.into();
        }
        let name = match join.name.as_deref().map(names::name) {
            Some(Ok(name)) => self.free_name(name, &join.member),
            Some(Err(problem)) => return problem.into(),
            None if join.watch => "Guest".to_owned(),
            None => return ErrorCode::BadName.into(),
        };
        if self.askers.waiting.len() >= limits::ASKERS
            || self.allowances.asking.take(super::allowance::ASKING, 1, now).is_err()
        {
            return ErrorCode::DoorCrowded.into();
        }
        self.askers.next += 1;
        let id = format!("a{}", self.askers.next);
        self.askers.waiting.push(Asker { id, member: join.member, name, watch: join.watch, since: now, seen: now });
        self.tell_askers();
        ErrorCode::DoorAsked.into()
    }

    pub(super) fn answer_asker(&mut self, id: ClientId, asker: &str, admit: bool) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        let at = self.askers.waiting.iter().position(|other| other.id == asker).ok_or(ErrorCode::NoSuchAsker)?;
        let asker = self.askers.waiting.remove(at);
        if admit {
            self.let_in(asker.member, asker.name);
            self.pending.record = true;
        } else {
            let now = self.now();
            self.askers.turn_away(asker.member, ErrorCode::DoorDeclined, now);
        }
        self.tell_askers();
        Ok(())
    }

    /// Lets this browser come in. It becomes a member, so that the store finds the table if the person asks to be forgotten.
    fn let_in(&mut self, member: Member, name: String) {
        self.record.let_in(member);
        self.note_member(member, name);
    }

    /// Removes people who no longer ask or have waited too long.
    pub(super) fn forget_askers(&mut self, now: u64) {
        if self.askers.next_wake().is_none_or(|at| at > now) {
            return;
        }
        let unanswered: Vec<Member> =
            self.askers.waiting.iter().filter(|asker| asker.since + ANSWER_WITHIN <= now).map(|a| a.member).collect();
        self.askers.waiting.retain(|asker| asker.since + ANSWER_WITHIN > now && asker.seen + ASKS_AGAIN > now);
        for member in unanswered {
            self.askers.turn_away(member, ErrorCode::DoorUnanswered, now);
        }
        self.tell_askers();
    }

    /// Sends the list to the lead and to nobody else.
    pub(super) fn tell_askers(&mut self) {
        let lead = self.record.lead.clone();
        let of_lead = |client: &&super::client::Client| client.player.is_some() && client.player == lead;
        let clients: Vec<ClientId> = self.clients.iter().filter(of_lead).map(|client| client.id).collect();
        for client in clients {
            self.tell_askers_to(client);
        }
    }

    pub(super) fn tell_askers_to(&mut self, client: ClientId) {
        let askers = self.askers.list();
        self.pending.event_to(client, TableEvent::AskersChanged { askers });
    }

    pub(super) fn has_askers(&self) -> bool {
        !self.askers.waiting.is_empty()
    }
}
