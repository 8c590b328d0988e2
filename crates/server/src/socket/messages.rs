//! From frames to notes for rooms: reads messages, refuses what can't be one, and passes the rest on.

use crate::Services;
use crate::frames::{self, Incoming};
use crate::identity;
use crate::metrics::stamp;
use crate::outbox::{Outbox, Outgoing, Recipient};
use crate::room_task::{JoinRequest, TableMessage};
use baize_protocol::client::{MOVE_ACTIONS, REFUSED_ACTIONS};
use baize_protocol::{Action, ClientMessage, ErrorCode, VERSION, limits};
use baize_room::{Act, ClientId, Join, Message};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::mpsc;

/// Messages refused for their rate, in a row, before the socket is closed.
const PATIENCE: u32 = 100;
/// Attempts to join, on one socket.
const JOINS: usize = 8;

/// Where a socket's messages go.
pub struct Line {
    services: Arc<Services>,
    outbox: Arc<Outbox>,
    client: ClientId,
    /// Rooms asked for a place so far: usually one. The last is the one that counts.
    rooms: Vec<mpsc::Sender<TableMessage>>,
    rate: Rate,
}

impl Line {
    pub fn new(services: Arc<Services>, outbox: Arc<Outbox>, client: ClientId) -> Self {
        let rate = Rate::new(services.config.actions_per_second, services.config.clock.now());
        Line { services, outbox, client, rooms: Vec::new(), rate }
    }

    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// One frame. To break off means that nothing after it counts.
    pub fn hear(&mut self, incoming: Incoming) -> ControlFlow<()> {
        let text = match incoming {
            Incoming::Close(said) => {
                self.outbox.answer_close(&said);
                return ControlFlow::Break(());
            }
            Incoming::Failed(failure) => {
                let code = match failure {
                    frames::Failure::TooLarge => ErrorCode::TooLarge,
                    frames::Failure::Protocol | frames::Failure::NotUtf8 => ErrorCode::BadMessage,
                };
                self.outbox.close(failure.close_code(), code);
                return ControlFlow::Break(());
            }
            Incoming::Binary(_) => {
                self.outbox.close(frames::NOT_UNDERSTOOD, ErrorCode::BadMessage);
                return ControlFlow::Break(());
            }
            Incoming::Text(text) => Some(text),
            Incoming::Pong => None,
            Incoming::Ping(body) => {
                self.outbox.put(Outgoing::Text(frames::pong(&body)));
                None
            }
        };
        let refused = match (self.rate.take(self.services.config.clock.now()), text) {
            (Err(strikes), _) if strikes > PATIENCE => return self.hang_up(ErrorCode::TooFast),
            (_, None) => Ok(()),
            (Err(_), Some(text)) => Err(Unfit { code: ErrorCode::TooFast, request: request_id(&text), close: false }),
            (Ok(()), Some(text)) => read(&text).and_then(|message| self.pass(message)),
        };
        if let Err(unfit) = refused {
            self.services.metrics.refused.fetch_add(1, Relaxed);
            self.outbox.put(Outgoing::refusal(unfit.code, unfit.request));
            if unfit.close {
                return self.hang_up(unfit.code);
            }
        }
        ControlFlow::Continue(())
    }

    fn hang_up(&self, code: ErrorCode) -> ControlFlow<()> {
        self.outbox.put(Outgoing::Close(code));
        ControlFlow::Break(())
    }

    /// Passes a message to its room; the first must say which that is.
    fn pass(&mut self, message: ClientMessage) -> Result<(), Unfit> {
        let received = stamp();
        let (client, request) = (self.client, message.request_id);
        let unfit = |code| Unfit { code, request: Some(request.clone()), close: false };
        match (message.action, self.rooms.last()) {
            (Action::Join { .. }, _) if self.outbox.is_joined() => Err(unfit(ErrorCode::AlreadyJoined)),
            (Action::Join { .. }, _) if self.rooms.len() >= JOINS => {
                Err(Unfit { close: true, ..unfit(ErrorCode::TooFast) })
            }
            (Action::Join { table, secret, name, watch, last }, _) => {
                let member = identity::member(&secret).ok_or_else(|| unfit(ErrorCode::BadSecret))?;
                // A guess costs the server a read; whoever gets in is forgiven.
                if !self.services.addresses.may_look(&self.services.config, self.outbox.visitor.network) {
                    return Err(unfit(ErrorCode::TooFast));
                }
                let outbox = self.outbox.clone();
                let join = Join { client, request: request.clone(), member, name, watch, last, received };
                let join = JoinRequest { join: Box::new(join), outbox };
                let inbox =
                    self.services.hub.pass(&self.services, &table.to_lowercase(), TableMessage::Join(Box::new(join)));
                self.rooms.push(inbox.map_err(unfit)?);
                Ok(())
            }
            (_, None) => Err(unfit(ErrorCode::JoinFirst)),
            (action, Some(inbox)) => {
                let place = inbox.try_reserve().map_err(|error| match error {
                    mpsc::error::TrySendError::Full(()) => unfit(ErrorCode::Busy),
                    mpsc::error::TrySendError::Closed(()) => Unfit { close: true, ..unfit(ErrorCode::Closing) },
                })?;
                place.send(TableMessage::Room(Message::Act(Box::new(Act { client, request, action, received }))));
                Ok(())
            }
        }
    }

    /// Tells the rooms that this client is gone.
    pub async fn end(self) {
        for room in self.rooms {
            let _ = room.send(TableMessage::Room(Message::Gone { client: self.client })).await;
        }
    }
}

/// A message that does not get as far as a room.
struct Unfit {
    code: ErrorCode,
    request: Option<String>,
    close: bool,
}

/// Reads a message; what can't be read is refused as precisely as possible.
fn read(text: &str) -> Result<ClientMessage, Unfit> {
    let request = || request_id(text);
    match ClientMessage::read(text) {
        Ok(message) if message.v != VERSION => {
            Err(Unfit { code: ErrorCode::BadVersion, request: Some(message.request_id), close: true })
        }
        Ok(message) if message.request_id.len() > limits::REQUEST_ID_CHARS => {
            Err(Unfit { code: ErrorCode::BadMessage, request: None, close: false })
        }
        Ok(message) => Ok(message),
        Err(_) => {
            let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            if value.get("v").is_some_and(|v| *v != VERSION) {
                return Err(Unfit { code: ErrorCode::BadVersion, request: request(), close: true });
            }
            let code = match value.pointer("/action/type").and_then(|kind| kind.as_str()) {
                Some(kind) if REFUSED_ACTIONS.contains(&kind) => ErrorCode::RulesOnly,
                Some(kind) if MOVE_ACTIONS.contains(&kind) => ErrorCode::UseMove,
                Some(kind) if !is_action(kind) => ErrorCode::UnknownAction,
                _ => ErrorCode::BadMessage,
            };
            Err(Unfit { code, request: request(), close: false })
        }
    }
}

/// Whether some action has this name, whatever its fields.
fn is_action(kind: &str) -> bool {
    let error = serde_json::from_value::<Action>(serde_json::json!({ "type": kind })).err();
    error.is_none_or(|error| !error.to_string().starts_with("unknown variant"))
}

fn request_id(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let id = value.get("requestId")?.as_str()?;
    (id.len() <= limits::REQUEST_ID_CHARS).then(|| id.to_owned())
}

/// So many messages a second, three seconds' worth at once.
struct Rate {
    per_second: u64,
    /// In thousandths of a message.
    saved: u64,
    at: u64,
    strikes: u32,
}

impl Rate {
    fn new(per_second: u32, now: u64) -> Self {
        let per_second = u64::from(per_second);
        Rate { per_second, saved: 3000 * per_second, at: now, strikes: 0 }
    }

    fn take(&mut self, now: u64) -> Result<(), u32> {
        let earned = now.saturating_sub(self.at).saturating_mul(self.per_second);
        self.saved = self.saved.saturating_add(earned).min(3000 * self.per_second);
        self.at = now;
        if self.saved < 1000 {
            self.strikes += 1;
            return Err(self.strikes);
        }
        self.saved -= 1000;
        self.strikes = 0;
        Ok(())
    }
}
