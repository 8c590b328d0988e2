//! The conversation with one client, without its socket: a state machine of frames and timeouts.
//!
//! The socket's task calls [`Session::handle_frame`] for each frame and carries out the [`SessionEffect`]s in order. After
//! it has tried to pass a message to a room, it calls [`Session::handle_delivery`]. It reports whether output waits
//! ([`Session::handle_written`]), and calls [`Session::handle_timeout`] when [`Session::next_wakeup`] has come.

use crate::frames::{self, Incoming};
use baize_protocol::client::{MOVE_ACTIONS, REFUSED_ACTIONS};
use baize_protocol::{Action, ClientMessage, ErrorCode, VERSION, limits};
use baize_room::identity;
use baize_room::{Act, ClientId, Join};
use smallvec::{SmallVec, smallvec};

/// A socket is closed after this many messages in a row that exceed the rate.
const MAX_STRIKES: u32 = 100;
/// Upper bound on attempts to join on one socket.
const MAX_JOINS: usize = 8;
/// A socket that has not joined a table within this many milliseconds is closed.
const JOIN_TIMEOUT: u64 = 10_000;
/// A write that takes longer, in milliseconds, means that the client does not read.
const WRITE_TIMEOUT: u64 = 15_000;
/// The server pings a client that has been silent for this many milliseconds, and drops it after two pings without an
/// answer.
const PING_AFTER: u64 = 30_000;

/// Something for the socket's task to do. After an effect that ends the conversation, further input is ignored.
#[derive(Debug, PartialEq)]
pub enum SessionEffect {
    Pong(Vec<u8>),
    Ping,
    /// The client has sent a close frame: answer with the same content. Ends the conversation.
    AnswerClose(Option<(u16, String)>),
    /// The client has broken the protocol: close with this status. Ends the conversation.
    Fail {
        status: u16,
        code: ErrorCode,
    },
    Refuse {
        code: ErrorCode,
        request: Option<String>,
    },
    /// Send the reason, then close. Ends the conversation.
    Disconnect(ErrorCode),
    /// End the connection without a close frame, because the client does not read. Ends the conversation.
    Abandon,
    /// Pass this to the table with this code.
    Join {
        table: String,
        join: Box<Join>,
    },
    /// Pass this to the table that has accepted the client or has to answer its join.
    Act(Box<Act>),
}

impl SessionEffect {
    /// Whether the effect ends the conversation.
    pub fn ends(&self) -> bool {
        matches!(
            self,
            SessionEffect::AnswerClose(_)
                | SessionEffect::Fail { .. }
                | SessionEffect::Disconnect(_)
                | SessionEffect::Abandon
        )
    }
}

/// Most frames lead to one effect.
pub type SessionEffects = SmallVec<[SessionEffect; 1]>;

/// The result of passing a message to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The join is in the table's inbox.
    Joining,
    /// The table can't take the message now.
    Refused(ErrorCode),
    /// The table's task has ended.
    Ended,
}

pub struct Session {
    client: ClientId,
    opened: u64,
    rate: MessageRate,
    /// Number of joins delivered so far, usually one.
    joins: usize,
    /// Number of pings since the client last sent something.
    unanswered_pings: u32,
    /// Time since which output has been waiting for the socket.
    waiting_since: Option<u64>,
}

impl Session {
    pub fn new(client: ClientId, messages_per_second: u32, now: u64) -> Self {
        Session {
            client,
            opened: now,
            rate: MessageRate::new(messages_per_second, now),
            joins: 0,
            unanswered_pings: 0,
            waiting_since: None,
        }
    }

    /// Handles one frame. `joined` says whether a table has accepted this client. `received` is passed on to the room.
    pub fn handle_frame(&mut self, now: u64, incoming: Incoming, joined: bool, received: u64) -> SessionEffects {
        self.unanswered_pings = 0;
        let mut effects = SessionEffects::new();
        let text = match incoming {
            Incoming::Close(close) => return smallvec![SessionEffect::AnswerClose(close)],
            Incoming::Failed(failure) => {
                let code = match failure {
                    frames::FrameError::TooLarge => ErrorCode::TooLarge,
                    frames::FrameError::Protocol | frames::FrameError::NotUtf8 => ErrorCode::BadMessage,
                };
                return smallvec![SessionEffect::Fail { status: failure.close_code(), code }];
            }
            Incoming::Binary(_) => {
                let (status, code) = (frames::NOT_UNDERSTOOD, ErrorCode::BadMessage);
                return smallvec![SessionEffect::Fail { status, code }];
            }
            Incoming::Text(text) => Some(text),
            Incoming::Pong => None,
            Incoming::Ping(body) => {
                effects.push(SessionEffect::Pong(body));
                None
            }
        };
        match (self.rate.take(now), text) {
            (Err(strikes), _) if strikes > MAX_STRIKES => effects.push(SessionEffect::Disconnect(ErrorCode::TooFast)),
            (_, None) => {}
            (Err(_), Some(text)) => {
                effects.push(SessionEffect::Refuse { code: ErrorCode::TooFast, request: request_id(&text) });
            }
            (Ok(()), Some(text)) => match parse(&text).and_then(|message| self.route(message, joined, received)) {
                Ok(effect) => effects.push(effect),
                Err(rejection) => rejection.refuse(&mut effects),
            },
        }
        effects
    }

    /// Reports the result of a [`SessionEffect::Join`], or of a [`SessionEffect::Act`] that could not be delivered.
    pub fn handle_delivery(&mut self, delivery: Delivery, request: String) -> SessionEffects {
        let mut effects = SessionEffects::new();
        match delivery {
            Delivery::Joining => self.joins += 1,
            Delivery::Refused(code) => Rejection { code, request: Some(request), close: false }.refuse(&mut effects),
            Delivery::Ended => {
                Rejection { code: ErrorCode::Closing, request: Some(request), close: true }.refuse(&mut effects);
            }
        }
        effects
    }

    /// Reports whether output still waits to be written.
    pub fn handle_written(&mut self, now: u64, waiting: bool) {
        self.waiting_since = waiting.then(|| self.waiting_since.unwrap_or(now));
    }

    pub fn has_unwritten(&self) -> bool {
        self.waiting_since.is_some()
    }

    /// When to call [`Session::handle_timeout`] if nothing else happens.
    pub fn next_wakeup(&self, now: u64, joined: bool) -> u64 {
        match (self.waiting_since, joined) {
            (Some(since), _) => since + WRITE_TIMEOUT,
            (None, false) => self.opened + JOIN_TIMEOUT,
            (None, true) => now + PING_AFTER,
        }
    }

    pub fn handle_timeout(&mut self, joined: bool) -> SessionEffect {
        if self.waiting_since.is_some() || self.unanswered_pings >= 2 {
            return SessionEffect::Abandon;
        }
        self.unanswered_pings += 1;
        if joined { SessionEffect::Ping } else { SessionEffect::Disconnect(ErrorCode::JoinFirst) }
    }

    /// Decides where a message goes; the first one has to name a table.
    fn route(&self, message: ClientMessage, joined: bool, received: u64) -> Result<SessionEffect, Rejection> {
        let (client, request) = (self.client, message.request_id);
        let rejection = |code| Rejection { code, request: Some(request.clone()), close: false };
        match message.action {
            Action::Join { .. } if joined => Err(rejection(ErrorCode::AlreadyJoined)),
            Action::Join { .. } if self.joins >= MAX_JOINS => {
                Err(Rejection { close: true, ..rejection(ErrorCode::TooFast) })
            }
            Action::Join { table, secret, name, watch, last } => {
                let member = identity::member(&secret).ok_or_else(|| rejection(ErrorCode::BadSecret))?;
                let join = Box::new(Join { client, request, member, name, watch, last, received });
                Ok(SessionEffect::Join { table: table.to_lowercase(), join })
            }
            _ if self.joins == 0 => Err(rejection(ErrorCode::JoinFirst)),
            action => Ok(SessionEffect::Act(Box::new(Act { client, request, action, received }))),
        }
    }
}

/// A message that is refused before it reaches a room.
struct Rejection {
    code: ErrorCode,
    request: Option<String>,
    close: bool,
}

impl Rejection {
    fn refuse(self, effects: &mut SessionEffects) {
        effects.push(SessionEffect::Refuse { code: self.code, request: self.request });
        if self.close {
            effects.push(SessionEffect::Disconnect(self.code));
        }
    }
}

/// Parses a message. The refusal of an invalid one is as precise as possible.
fn parse(text: &str) -> Result<ClientMessage, Rejection> {
    match ClientMessage::read(text) {
        Ok(message) if message.v != VERSION => {
            Err(Rejection { code: ErrorCode::BadVersion, request: Some(message.request_id), close: true })
        }
        Ok(message) if message.request_id.len() > limits::REQUEST_ID_CHARS => {
            Err(Rejection { code: ErrorCode::BadMessage, request: None, close: false })
        }
        Ok(message) => Ok(message),
        Err(_) => {
            let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
                return Err(Rejection { code: ErrorCode::BadMessage, request: None, close: false });
            };
            let request = request_id_of(&value);
            if value.get("v").is_some_and(|v| *v != VERSION) {
                return Err(Rejection { code: ErrorCode::BadVersion, request, close: true });
            }
            let code = match value.pointer("/action/type").and_then(|kind| kind.as_str()) {
                Some(kind) if REFUSED_ACTIONS.contains(&kind) => ErrorCode::RulesOnly,
                Some(kind) if MOVE_ACTIONS.contains(&kind) => ErrorCode::UseMove,
                Some(kind) if !is_action(kind) => ErrorCode::UnknownAction,
                _ => ErrorCode::BadMessage,
            };
            Err(Rejection { code, request, close: false })
        }
    }
}

/// Whether an action has this name, whatever its fields.
fn is_action(kind: &str) -> bool {
    let error = serde_json::from_value::<Action>(serde_json::json!({ "type": kind })).err();
    error.is_none_or(|error| !error.to_string().starts_with("unknown variant"))
}

fn request_id(text: &str) -> Option<String> {
    request_id_of(&serde_json::from_str(text).ok()?)
}

fn request_id_of(message: &serde_json::Value) -> Option<String> {
    let id = message.get("requestId")?.as_str()?;
    (id.len() <= limits::REQUEST_ID_CHARS).then(|| id.to_owned())
}

/// A token bucket: it allows this many messages a second, and three seconds' worth at once.
struct MessageRate {
    per_second: u64,
    /// What is left, in thousandths of a message.
    tokens: u64,
    at: u64,
    strikes: u32,
}

impl MessageRate {
    fn new(per_second: u32, now: u64) -> Self {
        let per_second = u64::from(per_second);
        MessageRate { per_second, tokens: 3000 * per_second, at: now, strikes: 0 }
    }

    fn take(&mut self, now: u64) -> Result<(), u32> {
        let earned = now.saturating_sub(self.at).saturating_mul(self.per_second);
        self.tokens = self.tokens.saturating_add(earned).min(3000 * self.per_second);
        self.at = now;
        if self.tokens < 1000 {
            self.strikes += 1;
            return Err(self.strikes);
        }
        self.tokens -= 1000;
        self.strikes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(action: &str) -> Incoming {
        Incoming::Text(format!(r#"{{"v":{VERSION},"type":"action","requestId":"r","action":{action}}}"#))
    }

    fn join() -> Incoming {
        text(r#"{"type":"join","table":"ABCDEFGH","secret":"ann-secret-0123456789abcdefghijkl","watch":false}"#)
    }

    fn refused(effects: &SessionEffects) -> Option<ErrorCode> {
        effects.iter().find_map(|effect| match effect {
            SessionEffect::Refuse { code, .. } => Some(*code),
            _ => None,
        })
    }

    #[test]
    fn a_session_refuses_actions_before_a_join() {
        let mut session = Session::new(7, 20, 0);
        let heartbeat = || text(r#"{"type":"heartbeat"}"#);
        assert_eq!(refused(&session.handle_frame(0, heartbeat(), false, 0)), Some(ErrorCode::JoinFirst));
        let effects = session.handle_frame(0, join(), false, 5);
        let [SessionEffect::Join { table, join: wanted }] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!((table.as_str(), wanted.client, wanted.received), ("abcdefgh", 7, 5));
        assert!(session.handle_delivery(Delivery::Joining, "r".into()).is_empty());
        assert!(
            matches!(&session.handle_frame(0, heartbeat(), true, 0)[..], [SessionEffect::Act(act)] if act.client == 7)
        );
        assert_eq!(refused(&session.handle_frame(0, join(), true, 0)), Some(ErrorCode::AlreadyJoined));
    }

    #[test]
    fn a_session_limits_attempts_to_join() {
        let mut session = Session::new(7, 1_000, 0);
        for _ in 0..MAX_JOINS {
            assert!(!session.handle_frame(0, join(), false, 0).iter().any(SessionEffect::ends));
            session.handle_delivery(Delivery::Joining, "r".into());
        }
        assert!(session.handle_frame(0, join(), false, 0).contains(&SessionEffect::Disconnect(ErrorCode::TooFast)));
    }

    #[test]
    fn a_session_refuses_a_flood_and_then_closes() {
        let mut session = Session::new(7, 1, 0);
        let mut codes = Vec::new();
        for _ in 0..3 + MAX_STRIKES {
            codes.extend(refused(&session.handle_frame(0, text(r#"{"type":"heartbeat"}"#), true, 0)));
        }
        assert_eq!(codes[..4], [ErrorCode::JoinFirst, ErrorCode::JoinFirst, ErrorCode::JoinFirst, ErrorCode::TooFast]);
        let last = session.handle_frame(0, Incoming::Pong, true, 0);
        assert_eq!(last[..], [SessionEffect::Disconnect(ErrorCode::TooFast)]);
    }

    #[test]
    fn a_session_pings_a_silent_client_twice() {
        let mut session = Session::new(7, 20, 0);
        assert_eq!(session.next_wakeup(5, false), JOIN_TIMEOUT);
        assert_eq!(session.handle_timeout(false), SessionEffect::Disconnect(ErrorCode::JoinFirst));
        let mut session = Session::new(7, 20, 0);
        assert_eq!(session.next_wakeup(5, true), 5 + PING_AFTER);
        assert_eq!(
            [session.handle_timeout(true), session.handle_timeout(true)],
            [SessionEffect::Ping, SessionEffect::Ping]
        );
        assert_eq!(session.handle_timeout(true), SessionEffect::Abandon);
        session.handle_frame(6, Incoming::Pong, true, 0);
        assert_eq!(session.handle_timeout(true), SessionEffect::Ping);
    }

    #[test]
    fn a_session_abandons_a_client_that_does_not_read() {
        let mut session = Session::new(7, 20, 0);
        session.handle_written(10, true);
        session.handle_written(20, true);
        assert_eq!(session.next_wakeup(30, true), 10 + WRITE_TIMEOUT);
        assert_eq!(session.handle_timeout(true), SessionEffect::Abandon);
        session.handle_written(40, false);
        assert!(!session.has_unwritten());
    }
}
