//! One WebSocket: frames in, messages out, and the limits between them and the rooms.
//!
//! A task reads frames; what each leads to is decided by a [`session`], a state machine without IO, and carried out by [`messages`]. The room answers into the socket's
//! [`Outbox`]; what does not go out at once, the task writes when it can. A client that does not read fills its outbox and is
//! cut off. Nothing of what arrives is kept but a message that is not complete.

mod messages;
mod session;

use crate::Services;
use crate::clock::{Alarm, Clock};
use crate::connections::Visitor;
use crate::frames::{Decoder, Incoming};
use crate::identity;
use crate::outbox::{End, Outbox, Outgoing, Recipient};
use crate::supervise::said;
use baize_protocol::ErrorCode;
use futures_util::FutureExt;
use messages::Conversation;
use session::Reaction;
use std::future::poll_fn;
use std::mem::MaybeUninit;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

/// How long a client that is hung up on may take to hear why, and to say goodbye itself.
const LAST_WORDS: u64 = 2_000;
/// How much such a client may still send: what was on its way when it was hung up on, but no flood.
const LAST_BYTES: usize = 1 << 20;

/// Talks until one side hangs up. The early bytes arrived behind the request that opened this socket.
pub async fn run(services: Arc<Services>, stream: TcpStream, early: Vec<u8>, visitor: Visitor) {
    services.metrics.sockets.fetch_add(1, Relaxed);
    let (mut stream, out) = stream.into_split();
    let outbox = Outbox::new(out, services.clone(), visitor);
    let mut talk = Conversation::new(services.clone(), outbox.clone(), identity::next_client());
    let conversation = converse(&services.config.clock, &mut stream, &outbox, &mut talk, early);
    // Whatever happens here, the room hears that the socket is gone.
    if let Err(panic) = AssertUnwindSafe(conversation).catch_unwind().await {
        services.metrics.panics.fetch_add(1, Relaxed);
        tracing::error!(panic = said(&*panic), "a socket panicked and is closed");
    }
    // A room may hold the outbox for a while; the client must not have to wait for it.
    outbox.shut_down();
    talk.end().await;
    services.metrics.sockets.fetch_sub(1, Relaxed);
}

async fn converse(
    clock: &Clock,
    stream: &mut OwnedReadHalf,
    outbox: &Arc<Outbox>,
    talk: &mut Conversation,
    early: Vec<u8>,
) {
    let mut decoder = Decoder::default();
    let mut alarm = pin!(Alarm::None);
    hear(&mut decoder, talk, &early);
    drop(early);
    loop {
        match outbox.push() {
            None | Some((_, End::Now)) => return,
            Some((_, End::Soon)) => return Box::pin(say_goodbye(clock, stream, outbox, decoder)).await,
            Some((waiting, End::Open)) => talk.session().handle_written(clock.now(), waiting > 0),
        }
        let wakeup = talk.session().next_wakeup(clock.now(), outbox.is_joined());
        let stuck = talk.session().is_stuck();
        tokio::select! {
            heard = receive(stream, |bytes| hear(&mut decoder, talk, bytes)) => {
                if heard.is_none() {
                    return;
                }
            }
            _ = outbox.stream.writable(), if stuck => {}
            () = outbox.woken() => {}
            () = outbox.visitor.ticket.shed() => {
                outbox.put(Outgoing::Close(ErrorCode::Busy));
                outbox.push();
                return;
            }
            () = clock.sleep_until(wakeup, alarm.as_mut()) => match talk.session().handle_timeout(outbox.is_joined()) {
                Reaction::Abandon => return,
                // An end is told to the client first: the next round does so.
                reaction => drop(talk.react(reaction)),
            },
        }
    }
}

/// Hears what these bytes say, up to the frame after which nothing counts.
fn hear(decoder: &mut Decoder, talk: &mut Conversation, mut bytes: &[u8]) {
    while let Some(incoming) = decoder.next(&mut bytes) {
        if talk.hear(incoming).is_break() {
            pass_over(decoder, talk.outbox(), bytes);
            break;
        }
    }
}

/// Throws away what these bytes say, but for a goodbye.
fn pass_over(decoder: &mut Decoder, outbox: &Outbox, mut bytes: &[u8]) {
    while let Some(incoming) = decoder.next(&mut bytes) {
        if let Incoming::Close(_) = incoming {
            outbox.hear_close();
        }
    }
}

/// Takes what arrives; none when nothing more will. The bytes are on the stack only while this runs: thousands of sockets
/// wait for their next message without a buffer.
async fn receive<T>(stream: &mut OwnedReadHalf, mut take: impl FnMut(&[u8]) -> T) -> Option<T> {
    poll_fn(|context| {
        let mut bytes = [MaybeUninit::uninit(); 4096];
        let mut read = ReadBuf::uninit(&mut bytes);
        let ready = ready!(Pin::new(&mut *stream).poll_read(context, &mut read));
        let more = ready.is_ok() && !read.filled().is_empty();
        Poll::Ready(more.then(|| take(read.filled())))
    })
    .await
}

/// The end of a conversation: a close frame waits to go out. The connection ends as soon as both sides have said goodbye, and
/// soon in any case.
///
/// What the client still sends is read, since the system would otherwise take the close frame back, and thrown away.
async fn say_goodbye(clock: &Clock, stream: &mut OwnedReadHalf, outbox: &Outbox, mut decoder: Decoder) {
    let over = clock.now() + LAST_WORDS;
    let (mut thrown_away, mut said_all) = (0, false);
    let mut alarm = pin!(Alarm::None);
    loop {
        let waiting = match outbox.push() {
            None | Some((_, End::Now)) => return,
            Some((waiting, _)) => waiting > 0,
        };
        if !waiting && outbox.is_answered() {
            // Both have said goodbye. What is unread would make the system cut the line instead of closing it.
            outbox.end_writing();
            let mut bytes = [0; 4096];
            while thrown_away < LAST_BYTES && stream.try_read(&mut bytes).is_ok_and(|count| count > 0) {
                thrown_away += bytes.len();
            }
            return;
        }
        if !waiting && decoder.is_over() && !said_all {
            // The client has sent what is no frame, so no goodbye of its own can be told from it.
            outbox.end_writing();
            said_all = true;
        }
        tokio::select! {
            more = receive(stream, |bytes| {
                thrown_away += bytes.len();
                pass_over(&mut decoder, outbox, bytes);
            }) => {
                if more.is_none() || thrown_away > LAST_BYTES {
                    return;
                }
            }
            _ = outbox.stream.writable(), if waiting => {}
            () = clock.sleep_until(over, alarm.as_mut()) => return,
        }
    }
}
