//! Carries out the effects of a [`Session`]: passes messages to rooms, and queues answers in the outbox.

use super::session::{Delivery, Session, SessionEffect, SessionEffects};
use crate::Services;
use crate::frames::{self, Incoming};
use crate::inbox::{JoinRequest, TableMessage};
use crate::metrics::stamp;
use crate::outbox::{Outbox, Recipient};
use crate::outgoing::Outgoing;
use baize_protocol::ErrorCode;
use baize_room::{Act, ClientId, Join, Message};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// A session with its rooms and its outbox.
pub struct Conversation {
    services: Arc<Services>,
    outbox: Arc<Outbox>,
    client: ClientId,
    session: Session,
    /// Rooms that this client has asked to join, usually one. All but the last have refused it.
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

    /// Handles one frame. Returns `Break` if the conversation has ended.
    pub fn handle_frame(&mut self, incoming: Incoming) -> ControlFlow<()> {
        self.services.config.faults.trip("socket/frame", "");
        let (now, joined) = (self.services.config.clock.now(), self.outbox.is_joined());
        let effects = self.session.handle_frame(now, incoming, joined, stamp());
        self.carry_out_all(effects)
    }

    fn carry_out_all(&mut self, effects: SessionEffects) -> ControlFlow<()> {
        effects.into_iter().try_for_each(|effect| self.carry_out(effect))
    }

    /// Carries out one effect. Returns `Break` if the conversation has ended.
    pub fn carry_out(&mut self, effect: SessionEffect) -> ControlFlow<()> {
        let ends = effect.ends();
        match effect {
            SessionEffect::Pong(body) => drop(self.outbox.enqueue(Outgoing::Text(frames::pong(&body)))),
            SessionEffect::Ping => drop(self.outbox.enqueue(Outgoing::Text(frames::ping()))),
            SessionEffect::AnswerClose(close) => self.outbox.answer_close(&close),
            SessionEffect::Fail { status, code } => self.outbox.close(status, code),
            SessionEffect::Refuse { code, request } => {
                self.services.metrics.refused.fetch_add(1, Relaxed);
                self.outbox.enqueue(Outgoing::refusal(code, request));
            }
            SessionEffect::Disconnect(code) => drop(self.outbox.enqueue(Outgoing::Close(code))),
            SessionEffect::Abandon => {}
            SessionEffect::Join { table, join } => return self.join(&table, join),
            SessionEffect::Act(act) => return self.act(act),
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn join(&mut self, table: &str, join: Box<Join>) -> ControlFlow<()> {
        let request = join.request.clone();
        let delivery = self.request_join(table, join);
        let effects = self.session.handle_delivery(delivery, request);
        self.carry_out_all(effects)
    }

    fn request_join(&mut self, table: &str, join: Box<Join>) -> Delivery {
        if !self.outbox.claim() {
            return Delivery::Refused(ErrorCode::AlreadyJoined);
        }
        match self.pass_join(table, join) {
            Ok(inbox) => {
                self.rooms.push(inbox);
                Delivery::Joining
            }
            Err(code) => {
                self.outbox.release();
                Delivery::Refused(code)
            }
        }
    }

    fn pass_join(&self, table: &str, join: Box<Join>) -> Result<mpsc::Sender<TableMessage>, ErrorCode> {
        // A guessed code costs the server a read, so joins are limited. A successful join gives its share back.
        if !self.services.addresses.may_look(&self.services.config, self.outbox.visitor.network) {
            return Err(ErrorCode::TooFast);
        }
        let request = JoinRequest { join, outbox: self.outbox.clone() };
        self.services.hub.pass(&self.services, table, TableMessage::Join(Box::new(request)))
    }

    fn act(&mut self, act: Box<Act>) -> ControlFlow<()> {
        let room = self.rooms.last().filter(|_| self.outbox.is_claimed());
        let delivery = match room.map(mpsc::Sender::try_reserve) {
            Some(Ok(permit)) => {
                permit.send(TableMessage::Room(Message::Act(act)));
                return ControlFlow::Continue(());
            }
            Some(Err(TrySendError::Full(()))) => Delivery::Refused(ErrorCode::Busy),
            Some(Err(TrySendError::Closed(()))) => Delivery::Ended,
            None => Delivery::Refused(ErrorCode::JoinFirst),
        };
        let effects = self.session.handle_delivery(delivery, act.request);
        self.carry_out_all(effects)
    }

    /// Tells the rooms that this client is gone.
    pub async fn end(self) {
        for room in self.rooms {
            let _ = room.send(TableMessage::Room(Message::Gone { client: self.client })).await;
        }
    }
}
