//! One WebSocket: frames in, messages out, and the limits between them and the rooms.
//!
//! A task reads frames, checks them and passes them to the room as notes. The room answers into the socket's [`Outbox`]; what
//! does not go out at once, the task writes when it can. A client that does not read fills its outbox and is cut off.

use crate::Services;
use crate::clock::Alarm;
use crate::frames::{self, Decoder, Incoming};
use crate::identity;
use crate::outbox::{End, Outbox, Outgoing, Recipient};
use crate::room::{Act, ClientId, JoinRequest, No, Note};
use baize_protocol::client::{MOVE_ACTIONS, REFUSED_ACTIONS};
use baize_protocol::{Action, ClientMessage, ErrorCode, ServerMessage, VERSION, limits};
use std::future::poll_fn;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc;

/// A socket that has not joined a table by then is closed.
const JOIN_WITHIN: u64 = 10_000;
/// A write that takes longer means that nobody reads.
const WRITE_WITHIN: u64 = 15_000;
/// After so long without a sign of life the server asks; whoever has not answered twice is gone.
const QUIET: u64 = 30_000;
/// How long a client that is hung up on may take to hear why.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Messages refused for their rate, in a row, before the socket is closed.
const PATIENCE: u32 = 100;
/// Attempts to join, on one socket.
const JOINS: usize = 8;

static NEXT_CLIENT: AtomicU64 = AtomicU64::new(1);

/// Talks until one side hangs up. The decoder has what arrived behind the request that opened this socket.
pub async fn run(services: Arc<Services>, stream: TcpStream, mut decoder: Decoder) {
    services.metrics.sockets.fetch_add(1, Relaxed);
    let client = next_client();
    let mut line = Line { client, rooms: Vec::new() };
    let (mut stream, out) = stream.into_split();
    let outbox = Outbox::new(out);
    converse(&services, &mut stream, &outbox, &mut decoder, &mut line).await;
    for room in line.rooms {
        let _ = room.send(Note::Gone { client }).await;
    }
    services.metrics.sockets.fetch_sub(1, Relaxed);
}

/// A name for a client that no other has.
pub fn next_client() -> ClientId {
    NEXT_CLIENT.fetch_add(1, Relaxed)
}

/// Where a socket's messages go.
struct Line {
    client: ClientId,
    /// Rooms asked for a place so far: usually one. The last is the one that counts.
    rooms: Vec<mpsc::Sender<Note>>,
}

async fn converse(
    services: &Arc<Services>,
    stream: &mut OwnedReadHalf,
    outbox: &Arc<Outbox>,
    decoder: &mut Decoder,
    line: &mut Line,
) {
    let clock = &services.config.clock;
    let opened = clock.now();
    let mut rate = Rate::new(services.config.actions_per_second, opened);
    // How often it was asked for a sign of life since the last one.
    let mut asked = 0;
    // Until one side has said goodbye.
    let mut listening = true;
    // Since when something waits to be written.
    let mut stuck: Option<u64> = None;
    let mut alarm = pin!(Alarm::None);
    loop {
        while listening && let Some(incoming) = decoder.next() {
            asked = 0;
            listening = heard(services, outbox, line, &mut rate, incoming).is_continue();
        }
        match outbox.push() {
            None | Some((_, End::Now)) => return,
            Some((0, End::Soon)) => return Box::pin(last_words(stream)).await,
            Some((0, End::Open)) => stuck = None,
            Some(_) => stuck = stuck.or_else(|| Some(clock.now())),
        }
        let patience = match (stuck, outbox.is_joined()) {
            (Some(since), _) => since + WRITE_WITHIN,
            (None, false) => opened + JOIN_WITHIN,
            (None, true) => clock.now() + QUIET,
        };
        tokio::select! {
            more = receive(stream, decoder) => {
                if !more {
                    return;
                }
            }
            _ = outbox.stream.writable(), if stuck.is_some() => {}
            () = outbox.woken() => {}
            () = clock.sleep_until(patience, alarm.as_mut()) => {
                if stuck.is_some() || asked >= 2 {
                    return;
                }
                asked += 1;
                match outbox.is_joined() {
                    true => outbox.put(Outgoing::Text(frames::ping())),
                    false => outbox.put(Outgoing::Close(ErrorCode::JoinFirst)),
                };
            }
        }
    }
}

/// Takes what arrives; false when nothing more will. The bytes are on the stack only while this runs: thousands of sockets
/// wait for their next message without a buffer.
async fn receive(stream: &mut OwnedReadHalf, decoder: &mut Decoder) -> bool {
    poll_fn(|context| {
        let mut bytes = [MaybeUninit::uninit(); 4096];
        let mut read = ReadBuf::uninit(&mut bytes);
        let ready = ready!(Pin::new(&mut *stream).poll_read(context, &mut read));
        decoder.push(read.filled());
        Poll::Ready(ready.is_ok() && !read.filled().is_empty())
    })
    .await
}

/// A client that has been told why it is hung up on may still be sending; if that were not read, the system would
/// take the reason back.
async fn last_words(stream: &mut OwnedReadHalf) {
    let unread = async {
        let mut bytes = [0; 1024];
        while stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {}
    };
    let _ = tokio::time::timeout(LAST_WORDS, unread).await;
}

/// One frame. To break off means that nothing after it counts.
fn heard(
    services: &Arc<Services>,
    outbox: &Arc<Outbox>,
    line: &mut Line,
    rate: &mut Rate,
    incoming: Incoming,
) -> ControlFlow<()> {
    let hang_up = |code| {
        outbox.put(Outgoing::Close(code));
        ControlFlow::Break(())
    };
    let text = match incoming {
        Incoming::Text(text) => text,
        Incoming::Pong => return ControlFlow::Continue(()),
        Incoming::Ping(body) => {
            outbox.put(Outgoing::Text(frames::pong(&body)));
            return ControlFlow::Continue(());
        }
        Incoming::TooLarge => return hang_up(ErrorCode::TooLarge),
        Incoming::Binary | Incoming::Broken => return hang_up(ErrorCode::BadMessage),
        Incoming::Close => {
            outbox.end();
            return ControlFlow::Break(());
        }
    };
    let outcome = match rate.take(services.config.clock.now()) {
        Err(strikes) if strikes > PATIENCE => return hang_up(ErrorCode::TooFast),
        Err(_) => Err(Unfit { code: ErrorCode::TooFast, request: request_id(&text), close: false }),
        Ok(()) => read(&text),
    };
    let refused = match outcome {
        Ok(message) => pass(services, line, message, outbox),
        Err(unfit) => Err(unfit),
    };
    if let Err(unfit) = refused {
        services.metrics.refused.fetch_add(1, Relaxed);
        let refused = ServerMessage::Error(No::from(unfit.code).refused(unfit.request));
        outbox.put(Outgoing::Text(frames::text(&serde_json::to_vec(&refused).unwrap_or_default())));
        if unfit.close {
            return hang_up(unfit.code);
        }
    }
    ControlFlow::Continue(())
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

/// Passes a message to its room; the first must say which that is.
fn pass(services: &Arc<Services>, line: &mut Line, message: ClientMessage, outbox: &Arc<Outbox>) -> Result<(), Unfit> {
    let since = Instant::now();
    let (client, request) = (line.client, message.request_id);
    let unfit = |code| Unfit { code, request: Some(request.clone()), close: false };
    match (message.action, line.rooms.last()) {
        (Action::Join { .. }, _) if outbox.is_joined() => Err(unfit(ErrorCode::AlreadyJoined)),
        (Action::Join { .. }, _) if line.rooms.len() >= JOINS => {
            Err(Unfit { close: true, ..unfit(ErrorCode::TooFast) })
        }
        (Action::Join { table, secret, name, watch, last }, _) => {
            let member = identity::member(&secret).ok_or_else(|| unfit(ErrorCode::BadSecret))?;
            let outbox = outbox.clone();
            let join = JoinRequest { client, request: request.clone(), member, name, watch, last, outbox, since };
            let inbox = services.hub.pass(services, &table.to_lowercase(), Note::Join(Box::new(join)));
            line.rooms.push(inbox.map_err(unfit)?);
            Ok(())
        }
        (_, None) => Err(unfit(ErrorCode::JoinFirst)),
        (action, Some(inbox)) => {
            let place = inbox.try_reserve().map_err(|error| match error {
                mpsc::error::TrySendError::Full(()) => unfit(ErrorCode::Busy),
                mpsc::error::TrySendError::Closed(()) => Unfit { close: true, ..unfit(ErrorCode::Closing) },
            })?;
            place.send(Note::Act(Box::new(Act { client, request, action, since })));
            Ok(())
        }
    }
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
