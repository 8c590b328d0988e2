//! The conversation with one client, without its socket: a state machine of frames and waits.
//!
//! The socket's task calls [`Session::handle_frame`] for each frame and carries out the [`Reaction`]s in order. When it has tried
//! to pass a message on, it calls [`Session::handle_passed`]. It tells of bytes that went out or did not
//! ([`Session::handle_written`]), and calls [`Session::handle_timeout`] when [`Session::next_wakeup`] has come.

use crate::frames::{self, Incoming};
use crate::identity;
use baize_protocol::client::{MOVE_ACTIONS, REFUSED_ACTIONS};
use baize_protocol::{Action, ClientMessage, ErrorCode, VERSION, limits};
use baize_room::{Act, ClientId, Join};
use smallvec::{SmallVec, smallvec};

/// Messages refused for their rate, in a row, before the socket is closed.
const PATIENCE: u32 = 100;
/// Attempts to join, on one socket.
const JOINS: usize = 8;
/// A socket that has not joined a table by then is closed.
const JOIN_WITHIN: u64 = 10_000;
/// A write that takes longer means that nobody reads.
const WRITE_WITHIN: u64 = 15_000;
/// After so long without a sign of life the server asks; whoever has not answered twice is gone.
const QUIET: u64 = 30_000;

/// What the socket's task has to do. After one that ends the conversation nothing that arrives counts.
#[derive(Debug, PartialEq)]
pub enum Reaction {
    Pong(Vec<u8>),
    Ping,
    /// The client has said goodbye: answer in the same words. Ends the conversation.
    AnswerClose(Option<(u16, String)>),
    /// The client has sent what it must not: close with this status. Ends the conversation.
    Fail {
        status: u16,
        code: ErrorCode,
    },
    Refuse {
        code: ErrorCode,
        request: Option<String>,
    },
    /// Say why, then close. Ends the conversation.
    HangUp(ErrorCode),
    /// End the connection without a word: nobody reads. Ends the conversation.
    Abandon,
    /// Pass this on to the table with this code.
    Join {
        table: String,
        join: Box<Join>,
    },
    /// Pass this on to the last table that was asked for a place.
    Act(Box<Act>),
}

impl Reaction {
    /// Whether nothing after it counts.
    pub fn ends(&self) -> bool {
        matches!(self, Reaction::AnswerClose(_) | Reaction::Fail { .. } | Reaction::HangUp(_) | Reaction::Abandon)
    }
}

/// Most frames lead to one reaction.
pub type Reactions = SmallVec<[Reaction; 1]>;

/// What came of passing a message on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The table has the request to join in its inbox.
    Joining,
    /// It can't be taken now.
    Refused(ErrorCode),
    /// The table's task has ended.
    Ended,
}

pub struct Session {
    client: ClientId,
    opened: u64,
    rate: Rate,
    /// Tables asked for a place so far: usually one.
    joins: usize,
    /// How often the client was asked for a sign of life since the last one.
    asked: u32,
    /// Since when something waits to be written.
    stuck: Option<u64>,
}

impl Session {
    pub fn new(client: ClientId, messages_per_second: u32, now: u64) -> Self {
        Session { client, opened: now, rate: Rate::new(messages_per_second, now), joins: 0, asked: 0, stuck: None }
    }

    /// One frame. `joined`: a table has taken this client in. `received` is handed through to the room.
    pub fn handle_frame(&mut self, now: u64, incoming: Incoming, joined: bool, received: u64) -> Reactions {
        self.asked = 0;
        let mut reactions = Reactions::new();
        let text = match incoming {
            Incoming::Close(said) => return smallvec![Reaction::AnswerClose(said)],
            Incoming::Failed(failure) => {
                let code = match failure {
                    frames::Failure::TooLarge => ErrorCode::TooLarge,
                    frames::Failure::Protocol | frames::Failure::NotUtf8 => ErrorCode::BadMessage,
                };
                return smallvec![Reaction::Fail { status: failure.close_code(), code }];
            }
            Incoming::Binary(_) => {
                let (status, code) = (frames::NOT_UNDERSTOOD, ErrorCode::BadMessage);
                return smallvec![Reaction::Fail { status, code }];
            }
            Incoming::Text(text) => Some(text),
            Incoming::Pong => None,
            Incoming::Ping(body) => {
                reactions.push(Reaction::Pong(body));
                None
            }
        };
        match (self.rate.take(now), text) {
            (Err(strikes), _) if strikes > PATIENCE => reactions.push(Reaction::HangUp(ErrorCode::TooFast)),
            (_, None) => {}
            (Err(_), Some(text)) => {
                reactions.push(Reaction::Refuse { code: ErrorCode::TooFast, request: request_id(&text) });
            }
            (Ok(()), Some(text)) => match read(&text).and_then(|message| self.pass(message, joined, received)) {
                Ok(reaction) => reactions.push(reaction),
                Err(unfit) => unfit.refuse(&mut reactions),
            },
        }
        reactions
    }

    /// Tells what came of a [`Reaction::Join`], or of a [`Reaction::Act`] that could not be passed on, with this request.
    pub fn handle_passed(&mut self, passed: Passed, request: String) -> Reactions {
        let mut reactions = Reactions::new();
        match passed {
            Passed::Joining => self.joins += 1,
            Passed::Refused(code) => Unfit { code, request: Some(request), close: false }.refuse(&mut reactions),
            Passed::Ended => {
                Unfit { code: ErrorCode::Closing, request: Some(request), close: true }.refuse(&mut reactions);
            }
        }
        reactions
    }

    /// Whether something still waits to be written.
    pub fn handle_written(&mut self, now: u64, waiting: bool) {
        self.stuck = waiting.then(|| self.stuck.unwrap_or(now));
    }

    pub fn is_stuck(&self) -> bool {
        self.stuck.is_some()
    }

    /// When to call [`Session::handle_timeout`] if nothing happens until then.
    pub fn next_wakeup(&self, now: u64, joined: bool) -> u64 {
        match (self.stuck, joined) {
            (Some(since), _) => since + WRITE_WITHIN,
            (None, false) => self.opened + JOIN_WITHIN,
            (None, true) => now + QUIET,
        }
    }

    pub fn handle_timeout(&mut self, joined: bool) -> Reaction {
        if self.stuck.is_some() || self.asked >= 2 {
            return Reaction::Abandon;
        }
        self.asked += 1;
        if joined { Reaction::Ping } else { Reaction::HangUp(ErrorCode::JoinFirst) }
    }

    /// Where a message goes; the first must say which table it is for.
    fn pass(&self, message: ClientMessage, joined: bool, received: u64) -> Result<Reaction, Unfit> {
        let (client, request) = (self.client, message.request_id);
        let unfit = |code| Unfit { code, request: Some(request.clone()), close: false };
        match message.action {
            Action::Join { .. } if joined => Err(unfit(ErrorCode::AlreadyJoined)),
            Action::Join { .. } if self.joins >= JOINS => Err(Unfit { close: true, ..unfit(ErrorCode::TooFast) }),
            Action::Join { table, secret, name, watch, last } => {
                let member = identity::member(&secret).ok_or_else(|| unfit(ErrorCode::BadSecret))?;
                let join = Box::new(Join { client, request, member, name, watch, last, received });
                Ok(Reaction::Join { table: table.to_lowercase(), join })
            }
            _ if self.joins == 0 => Err(unfit(ErrorCode::JoinFirst)),
            action => Ok(Reaction::Act(Box::new(Act { client, request, action, received }))),
        }
    }
}

/// A message that does not get as far as a room.
struct Unfit {
    code: ErrorCode,
    request: Option<String>,
    close: bool,
}

impl Unfit {
    fn refuse(self, reactions: &mut Reactions) {
        reactions.push(Reaction::Refuse { code: self.code, request: self.request });
        if self.close {
            reactions.push(Reaction::HangUp(self.code));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(action: &str) -> Incoming {
        Incoming::Text(format!(r#"{{"v":{VERSION},"type":"action","requestId":"r","action":{action}}}"#))
    }

    fn join() -> Incoming {
        text(r#"{"type":"join","table":"ABCDEFGH","secret":"ann-secret-0123456789abcdefghijkl","watch":false}"#)
    }

    fn refused(reactions: &Reactions) -> Option<ErrorCode> {
        reactions.iter().find_map(|reaction| match reaction {
            Reaction::Refuse { code, .. } => Some(*code),
            _ => None,
        })
    }

    #[test]
    fn the_first_message_joins_a_table() {
        let mut session = Session::new(7, 20, 0);
        let heartbeat = || text(r#"{"type":"heartbeat"}"#);
        assert_eq!(refused(&session.handle_frame(0, heartbeat(), false, 0)), Some(ErrorCode::JoinFirst));
        let reactions = session.handle_frame(0, join(), false, 5);
        let [Reaction::Join { table, join: wanted }] = &reactions[..] else { panic!("{reactions:?}") };
        assert_eq!((table.as_str(), wanted.client, wanted.received), ("abcdefgh", 7, 5));
        assert!(session.handle_passed(Passed::Joining, "r".into()).is_empty());
        assert!(matches!(&session.handle_frame(0, heartbeat(), true, 0)[..], [Reaction::Act(act)] if act.client == 7));
        assert_eq!(refused(&session.handle_frame(0, join(), true, 0)), Some(ErrorCode::AlreadyJoined));
    }

    #[test]
    fn a_client_may_try_to_join_only_so_often() {
        let mut session = Session::new(7, 1_000, 0);
        for _ in 0..JOINS {
            assert!(!session.handle_frame(0, join(), false, 0).iter().any(Reaction::ends));
            session.handle_passed(Passed::Joining, "r".into());
        }
        assert!(session.handle_frame(0, join(), false, 0).contains(&Reaction::HangUp(ErrorCode::TooFast)));
    }

    #[test]
    fn a_flood_is_refused_and_then_closed() {
        let mut session = Session::new(7, 1, 0);
        let mut codes = Vec::new();
        for _ in 0..3 + PATIENCE {
            codes.extend(refused(&session.handle_frame(0, text(r#"{"type":"heartbeat"}"#), true, 0)));
        }
        assert_eq!(codes[..4], [ErrorCode::JoinFirst, ErrorCode::JoinFirst, ErrorCode::JoinFirst, ErrorCode::TooFast]);
        let last = session.handle_frame(0, Incoming::Pong, true, 0);
        assert_eq!(last[..], [Reaction::HangUp(ErrorCode::TooFast)]);
    }

    #[test]
    fn who_is_silent_is_asked_twice() {
        let mut session = Session::new(7, 20, 0);
        assert_eq!(session.next_wakeup(5, false), JOIN_WITHIN);
        assert_eq!(session.handle_timeout(false), Reaction::HangUp(ErrorCode::JoinFirst));
        let mut session = Session::new(7, 20, 0);
        assert_eq!(session.next_wakeup(5, true), 5 + QUIET);
        assert_eq!([session.handle_timeout(true), session.handle_timeout(true)], [Reaction::Ping, Reaction::Ping]);
        assert_eq!(session.handle_timeout(true), Reaction::Abandon);
        session.handle_frame(6, Incoming::Pong, true, 0);
        assert_eq!(session.handle_timeout(true), Reaction::Ping);
    }

    #[test]
    fn who_does_not_read_is_abandoned() {
        let mut session = Session::new(7, 20, 0);
        session.handle_written(10, true);
        session.handle_written(20, true);
        assert_eq!(session.next_wakeup(30, true), 10 + WRITE_WITHIN);
        assert_eq!(session.handle_timeout(true), Reaction::Abandon);
        session.handle_written(40, false);
        assert!(!session.is_stuck());
    }
}
