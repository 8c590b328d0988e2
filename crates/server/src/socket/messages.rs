//! Carries out what a [`Session`] wants: passes messages to rooms, and puts answers into the outbox.

use super::session::{Passed, Reaction, Reactions, Session};
use crate::Services;
use crate::frames::{self, Incoming};
use crate::inbox::{JoinRequest, TableMessage};
use crate::metrics::stamp;
use crate::outbox::{Outbox, Outgoing, Recipient};
use baize_protocol::ErrorCode;
use baize_room::{Act, ClientId, Join, Message};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// A session, and where its messages go.
pub struct Conversation {
    services: Arc<Services>,
    outbox: Arc<Outbox>,
    client: ClientId,
    session: Session,
    /// Rooms asked for a place so far: usually one. The last is the one that counts.
    rooms: Vec<mpsc::Sender<TableMessage>>,
}

impl Conversation {
    pub fn new(services: Arc<Services>, outbox: Arc<Outbox>, client: ClientId) -> Self {
        let session = Session::new(client, services.config.actions_per_second, services.config.clock.now());
        Conversation { services, outbox, client, session, rooms: Vec::new() }
    }

    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// One frame. To break off means that nothing after it counts.
    pub fn hear(&mut self, incoming: Incoming) -> ControlFlow<()> {
        let (now, joined) = (self.services.config.clock.now(), self.outbox.is_joined());
        let reactions = self.session.handle_frame(now, incoming, joined, stamp());
        self.carry_out(reactions)
    }

    fn carry_out(&mut self, reactions: Reactions) -> ControlFlow<()> {
        reactions.into_iter().try_for_each(|reaction| self.react(reaction))
    }

    /// To break off means that the conversation has come to its end.
    pub fn react(&mut self, reaction: Reaction) -> ControlFlow<()> {
        let ends = reaction.ends();
        match reaction {
            Reaction::Pong(body) => drop(self.outbox.put(Outgoing::Text(frames::pong(&body)))),
            Reaction::Ping => drop(self.outbox.put(Outgoing::Text(frames::ping()))),
            Reaction::AnswerClose(said) => self.outbox.answer_close(&said),
            Reaction::Fail { status, code } => self.outbox.close(status, code),
            Reaction::Refuse { code, request } => {
                self.services.metrics.refused.fetch_add(1, Relaxed);
                self.outbox.put(Outgoing::refusal(code, request));
            }
            Reaction::HangUp(code) => drop(self.outbox.put(Outgoing::Close(code))),
            Reaction::Abandon => {}
            Reaction::Join { table, join } => return self.join(&table, join),
            Reaction::Act(act) => return self.act(act),
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn join(&mut self, table: &str, join: Box<Join>) -> ControlFlow<()> {
        let request = join.request.clone();
        let passed = self.ask_for_place(table, join);
        let reactions = self.session.handle_passed(passed, request);
        self.carry_out(reactions)
    }

    fn ask_for_place(&mut self, table: &str, join: Box<Join>) -> Passed {
        // A guess costs the server a read; whoever gets in is forgiven.
        if !self.services.addresses.may_look(&self.services.config, self.outbox.visitor.network) {
            return Passed::Refused(ErrorCode::TooFast);
        }
        let request = JoinRequest { join, outbox: self.outbox.clone() };
        match self.services.hub.pass(&self.services, table, TableMessage::Join(Box::new(request))) {
            Ok(inbox) => {
                self.rooms.push(inbox);
                Passed::Joining
            }
            Err(code) => Passed::Refused(code),
        }
    }

    fn act(&mut self, act: Box<Act>) -> ControlFlow<()> {
        let passed = match self.rooms.last().map(mpsc::Sender::try_reserve) {
            Some(Ok(place)) => {
                place.send(TableMessage::Room(Message::Act(act)));
                return ControlFlow::Continue(());
            }
            Some(Err(TrySendError::Full(()))) => Passed::Refused(ErrorCode::Busy),
            Some(Err(TrySendError::Closed(()))) | None => Passed::Ended,
        };
        let reactions = self.session.handle_passed(passed, act.request);
        self.carry_out(reactions)
    }

    /// Tells the rooms that this client is gone.
    pub async fn end(self) {
        for room in self.rooms {
            let _ = room.send(TableMessage::Room(Message::Gone { client: self.client })).await;
        }
    }
}
