//! One WebSocket: frames in, messages out, and the limits between them and the rooms.
//!
//! The socket belongs to one task. It reads a frame, checks it and passes it to the room as a note; the room answers into
//! a bounded queue, from which the task writes. A client that does not read fills its queue; the room then drops it, and
//! the task closes the socket as soon as it notices or its write has taken too long.

use crate::Services;
use crate::identity;
use crate::room::{ClientId, JoinRequest, No, Note, Outgoing};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use baize_protocol::client::{MOVE_ACTIONS, REFUSED_ACTIONS};
use baize_protocol::{Action, ClientMessage, ErrorCode, ServerMessage, VERSION, limits};
use futures_util::SinkExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Messages waiting for a client.
const OUTBOX: usize = 64;
/// A socket that has not joined a table by then is closed.
const JOIN_WITHIN: u64 = 10_000;
/// A write that takes longer means that nobody reads.
const WRITE_WITHIN: Duration = Duration::from_secs(15);
/// After so long without a sign of life the server asks; whoever has not answered twice is gone.
const QUIET: u64 = 30_000;
/// Messages refused for their rate, in a row, before the socket is closed.
const PATIENCE: u32 = 100;
/// Attempts to join, on one socket.
const JOINS: usize = 8;

static NEXT_CLIENT: AtomicU64 = AtomicU64::new(1);

pub async fn run(services: Arc<Services>, mut socket: WebSocket) {
    services.metrics.sockets.fetch_add(1, Relaxed);
    let client = NEXT_CLIENT.fetch_add(1, Relaxed);
    let mut line = Line { client, rooms: Vec::new(), joined: Arc::default() };
    converse(&services, &mut socket, &mut line).await;
    for room in line.rooms {
        let _ = room.send(Note::Gone { client }).await;
    }
    services.metrics.sockets.fetch_sub(1, Relaxed);
}

/// Where a socket's messages go.
struct Line {
    client: ClientId,
    /// Rooms asked for a place so far: usually one. The last is the one that counts.
    rooms: Vec<mpsc::Sender<Note>>,
    /// A room has taken this client in.
    joined: Arc<AtomicBool>,
}

/// Talks until one side hangs up.
async fn converse(services: &Arc<Services>, socket: &mut WebSocket, line: &mut Line) {
    let (outbox, mut queue) = mpsc::channel(OUTBOX);
    // Given up once a room has it: when the room lets go of the client, the queue must end.
    let mut outbox = Some(outbox);
    let clock = services.config.clock.clone();
    let mut rate = Rate::new(services.config.actions_per_second, clock.now());
    let opened = clock.now();
    let mut asked = 0;
    loop {
        if line.joined.load(Relaxed) {
            outbox = None;
        }
        let patience = if line.joined.load(Relaxed) { clock.now() + QUIET } else { opened + JOIN_WITHIN };
        tokio::select! {
            frame = socket.recv() => {
                asked = 0;
                let text = match frame {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => {
                        hang_up(socket, ErrorCode::BadMessage).await;
                        return;
                    }
                    Some(Err(error)) => {
                        if error.to_string().contains("too long") {
                            hang_up(socket, ErrorCode::TooLarge).await;
                        }
                        return;
                    }
                    Some(Ok(Message::Close(_))) | None => return,
                };
                let outcome = match rate.take(clock.now()) {
                    Err(strikes) if strikes > PATIENCE => {
                        hang_up(socket, ErrorCode::TooFast).await;
                        return;
                    }
                    Err(_) => Err(Unfit { code: ErrorCode::TooFast, request: request_id(&text), close: false }),
                    Ok(()) => read(&text),
                };
                let refused = match outcome {
                    Ok(message) => pass(services, line, message, outbox.as_ref()),
                    Err(unfit) => Err(unfit),
                };
                if let Err(unfit) = refused {
                    services.metrics.refused.fetch_add(1, Relaxed);
                    let refused = ServerMessage::Error(No::from(unfit.code).refused(unfit.request));
                    let text = serde_json::to_string(&refused).unwrap_or_default();
                    if write(socket, [Outgoing::Text(text.into())]).await.is_err() {
                        return;
                    }
                    if unfit.close {
                        hang_up(socket, unfit.code).await;
                        return;
                    }
                }
            }
            first = queue.recv() => {
                // The room has dropped this client, which did not read; it is to come back by what it has.
                let Some(first) = first else {
                    hang_up(socket, ErrorCode::TooSlow).await;
                    return;
                };
                let mut batch = vec![first];
                while batch.len() < OUTBOX && let Ok(more) = queue.try_recv() {
                    batch.push(more);
                }
                if write(socket, batch).await.is_err() {
                    return;
                }
            }
            () = clock.sleep_until(patience) => {
                if !line.joined.load(Relaxed) {
                    hang_up(socket, ErrorCode::JoinFirst).await;
                    return;
                }
                let sent = tokio::time::timeout(WRITE_WITHIN, socket.send(Message::Ping(Default::default()))).await;
                if asked >= 2 || !matches!(sent, Ok(Ok(()))) {
                    return;
                }
                asked += 1;
            }
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
    match serde_json::from_str::<ClientMessage>(text) {
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

/// Passes a message to its room; the first must say which that is.
fn pass(
    services: &Arc<Services>,
    line: &mut Line,
    message: ClientMessage,
    outbox: Option<&mpsc::Sender<Outgoing>>,
) -> Result<(), Unfit> {
    let since = Instant::now();
    let (client, request) = (line.client, message.request_id);
    let unfit = |code| Unfit { code, request: Some(request.clone()), close: false };
    match (message.action, line.rooms.last()) {
        (Action::Join { .. }, _) if line.joined.load(Relaxed) => Err(unfit(ErrorCode::AlreadyJoined)),
        (Action::Join { .. }, _) if line.rooms.len() >= JOINS => {
            Err(Unfit { close: true, ..unfit(ErrorCode::TooFast) })
        }
        (Action::Join { table, secret, name, watch, last }, _) => {
            let member = identity::member(&secret).ok_or_else(|| unfit(ErrorCode::BadSecret))?;
            let outbox = outbox.cloned().ok_or_else(|| unfit(ErrorCode::AlreadyJoined))?;
            let joined = line.joined.clone();
            let join =
                JoinRequest { client, request: request.clone(), member, name, watch, last, outbox, joined, since };
            let inbox = services.hub.pass(services, &table.to_lowercase(), Note::Join(join));
            line.rooms.push(inbox.map_err(unfit)?);
            Ok(())
        }
        (_, None) => Err(unfit(ErrorCode::JoinFirst)),
        (action, Some(inbox)) => {
            let note = Note::Act { client, request: request.clone(), action, since };
            inbox.try_send(note).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => unfit(ErrorCode::Busy),
                mpsc::error::TrySendError::Closed(_) => Unfit { close: true, ..unfit(ErrorCode::Closing) },
            })
        }
    }
}

async fn write(socket: &mut WebSocket, messages: impl IntoIterator<Item = Outgoing>) -> Result<(), ()> {
    let all = async {
        let mut closing = None;
        for message in messages {
            match message {
                Outgoing::Text(text) => socket.feed(Message::Text(text)).await.map_err(|_| ())?,
                Outgoing::Close(code) => {
                    closing = Some(code);
                    break;
                }
            }
        }
        socket.flush().await.map_err(|_| ())?;
        match closing {
            Some(code) => {
                hang_up(socket, code).await;
                Err(())
            }
            None => Ok(()),
        }
    };
    tokio::time::timeout(WRITE_WITHIN, all).await.unwrap_or(Err(()))
}

async fn hang_up(socket: &mut WebSocket, code: ErrorCode) {
    let number = match code {
        ErrorCode::Closing => 1012,
        ErrorCode::Storage => 1011,
        ErrorCode::TooLarge => 1009,
        _ => 1008,
    };
    let frame = CloseFrame { code: number, reason: Utf8Bytes::from_static(code.as_str()) };
    let _ = tokio::time::timeout(WRITE_WITHIN, socket.send(Message::Close(Some(frame)))).await;
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
