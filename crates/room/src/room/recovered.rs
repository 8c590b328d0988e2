//! A room that was loaded again after a fault: its clients stay connected.

use super::Room;
use super::client::Client;
use crate::ActionRefusal;
use crate::identity::Member;
use crate::message::{ClientId, Join, Time};
use baize_protocol::{ErrorCode, Presence};

/// A request that was handed to a room and has no answer yet. The shell notes it before it calls [`Room::handle`].
#[derive(Clone, Debug)]
pub struct Unanswered {
    pub client: ClientId,
    pub member: Member,
    pub request: String,
    pub received: u64,
    /// Whether the request is a join. The failed room may not have had the client yet.
    pub joins: bool,
}

impl Room {
    /// The clients of a room that failed, for [`Room::restore_clients`] of the next one.
    pub fn into_clients(self) -> Vec<Client> {
        self.clients.into_iter().filter(|client| !client.closed).collect()
    }

    /// Puts the clients of the failed room into this one and answers their requests: a request is acknowledged if the store has
    /// it, and refused with this code otherwise.
    pub fn restore_clients(&mut self, time: Time, clients: Vec<Client>, unanswered: Vec<Unanswered>, why: ErrorCode) {
        self.time = time;
        for client in clients {
            self.seat_again(client);
        }
        for Unanswered { client, member, request, received, joins } in unanswered {
            let is_here = self.client(client).is_some();
            match (is_here, joins) {
                (true, true) => self.pending.ack(client, request, received),
                (true, false) => match self.answered.get(&member, &request) {
                    Some(None) => self.pending.ack(client, request, received),
                    Some(Some(refused)) => self.pending.refuse(client, refused, received),
                    None => self.pending.refuse(client, ActionRefusal::from(why).refused(Some(request)), received),
                },
                (false, true) => self.pending.turn_away(client, why.into(), request),
                (false, false) => {}
            }
        }
    }

    fn seat_again(&mut self, mut client: Client) {
        let mine = client.player.as_ref().and_then(|id| self.record.player(id));
        let is_seated = mine.is_some_and(|p| p.member == Some(client.member) && p.presence != Presence::Left);
        if client.player.is_some() && !is_seated {
            // The person sat down a moment ago and that was not stored: they join again.
            let Client { id, member, name, .. } = client;
            let (request, name) = (String::new(), Some(name));
            self.join(Join { client: id, request, member, name, watch: false, last: None, received: 0 });
            if self.client(id).is_none() {
                self.pending.close_stranger(id, ErrorCode::Closing);
            }
            return;
        }
        client.closed = false;
        let (id, player) = (client.id, client.player.clone());
        self.clients.push(client);
        if let Some(player) = player {
            self.arrived(&player);
        }
        self.pending.state(id, None);
    }
}
