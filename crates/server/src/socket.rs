//! One WebSocket: frames in, messages out, and the limits between them and the rooms.
//!
//! A task reads frames. A [`session`], a state machine without IO, decides what follows from each frame, and
//! [`messages`] carries it out. The room writes its answers into the socket's [`Outbox`]; the task writes whatever the
//! kernel did not take at once. A client that does not read fills its outbox and is cut off. Between two messages a
//! socket keeps no input except the beginning of an incomplete message.

mod messages;
mod session;

use crate::Services;
use crate::clock::{Alarm, ServerClock};
use crate::connections::Visitor;
use crate::frames::{Decoder, Incoming};
use crate::identity;
use crate::outbox::{CloseMode, Outbox, Recipient};
use crate::outgoing::Outgoing;
use crate::supervise::panic_text;
use baize_protocol::ErrorCode;
use futures_util::FutureExt;
use messages::Conversation;
use session::SessionEffect;
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

/// How long a client may take to read the close frame and to send its own, in milliseconds.
const CLOSE_TIMEOUT: u64 = 2_000;
/// Upper bound on bytes that a client may still send after the server has decided to close.
const CLOSE_BYTES: usize = 1 << 20;

/// Runs a socket until one side closes it. The early bytes arrived behind the HTTP request that opened this socket.
pub async fn run(services: Arc<Services>, stream: TcpStream, early: Vec<u8>, visitor: Visitor) {
    services.metrics.sockets.fetch_add(1, Relaxed);
    let (mut stream, out) = stream.into_split();
    let outbox = Outbox::new(out, services.clone(), visitor);
    let mut conversation = Conversation::new(services.clone(), outbox.clone(), identity::next_client());
    let running = run_conversation(&services.config.clock, &mut stream, &outbox, &mut conversation, early);
    // The room has to hear that the socket is gone, even after a panic here.
    if let Err(panic) = AssertUnwindSafe(running).catch_unwind().await {
        services.metrics.panics.fetch_add(1, Relaxed);
        tracing::error!(panic = panic_text(&*panic), "a socket panicked and is closed");
    }
    // A room may hold the outbox for a while, and the client must not wait for that.
    outbox.shut_down();
    conversation.end().await;
    services.metrics.sockets.fetch_sub(1, Relaxed);
}

async fn run_conversation(
    clock: &ServerClock,
    stream: &mut OwnedReadHalf,
    outbox: &Arc<Outbox>,
    conversation: &mut Conversation,
    early: Vec<u8>,
) {
    let mut decoder = Decoder::default();
    let mut alarm = pin!(Alarm::None);
    handle_bytes(&mut decoder, conversation, &early);
    drop(early);
    let signal = outbox.visitor.ticket.signal();
    loop {
        if signal.is_shed() {
            outbox.enqueue(Outgoing::Close(ErrorCode::Busy));
            outbox.try_write();
            return;
        }
        let now = clock.now();
        match outbox.try_write() {
            None | Some((_, CloseMode::Now)) => return,
            Some((_, CloseMode::WhenSent)) => return Box::pin(finish_close(clock, stream, outbox, decoder)).await,
            Some((waiting, CloseMode::Open)) => conversation.session().handle_written(now, waiting > 0),
        }
        let wakeup = conversation.session().next_wakeup(now, outbox.is_joined());
        let has_unwritten = conversation.session().has_unwritten();
        tokio::select! {
            received = receive(stream, |bytes| handle_bytes(&mut decoder, conversation, bytes)) => {
                if received.is_none() {
                    return;
                }
            }
            _ = outbox.stream.writable(), if has_unwritten => {}
            () = signal.wait() => {}
            () = clock.sleep_until(wakeup, alarm.as_mut()) => {
                match conversation.session().handle_timeout(outbox.is_joined()) {
                    SessionEffect::Abandon => return,
                    // The next round of this loop sends the close frame.
                    effect => drop(conversation.carry_out(effect)),
                }
            }
        }
    }
}

/// Handles the frames in these bytes, up to the one that ends the conversation.
fn handle_bytes(decoder: &mut Decoder, conversation: &mut Conversation, mut bytes: &[u8]) {
    while let Some(incoming) = decoder.next(&mut bytes) {
        if conversation.handle_frame(incoming).is_break() {
            skip_frames(decoder, conversation.outbox(), bytes);
            break;
        }
    }
}

/// Ignores the frames in these bytes, except a close frame.
fn skip_frames(decoder: &mut Decoder, outbox: &Outbox, mut bytes: &[u8]) {
    while let Some(incoming) = decoder.next(&mut bytes) {
        if let Incoming::Close(_) = incoming {
            outbox.hear_close();
        }
    }
}

/// Passes the bytes that arrive to `take`; returns none at the end of the stream. The buffer is on the stack and only
/// while this runs, so thousands of idle sockets need no buffer.
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

/// Ends a conversation whose close frame is queued. The connection ends when both sides have sent a close frame, or
/// after [`CLOSE_TIMEOUT`].
///
/// Input is still read and ignored: if unread bytes are left, the system resets the connection and the close frame may
/// be lost.
async fn finish_close(clock: &ServerClock, stream: &mut OwnedReadHalf, outbox: &Outbox, mut decoder: Decoder) {
    let deadline = clock.now() + CLOSE_TIMEOUT;
    let (mut ignored, mut has_shut_down) = (0, false);
    let mut alarm = pin!(Alarm::None);
    loop {
        let waiting = match outbox.try_write() {
            None | Some((_, CloseMode::Now)) => return,
            Some((waiting, _)) => waiting > 0,
        };
        if !waiting && outbox.has_heard_close() {
            // Both sides have sent a close frame. Unread input would make the system reset the connection instead of
            // closing it.
            outbox.shut_down_writing();
            let mut bytes = [0; 4096];
            while ignored < CLOSE_BYTES && stream.try_read(&mut bytes).is_ok_and(|count| count > 0) {
                ignored += bytes.len();
            }
            return;
        }
        if !waiting && decoder.is_over() && !has_shut_down {
            // The client has broken the protocol, so no close frame can be found in its input.
            outbox.shut_down_writing();
            has_shut_down = true;
        }
        tokio::select! {
            more = receive(stream, |bytes| {
                ignored += bytes.len();
                skip_frames(&mut decoder, outbox, bytes);
            }) => {
                if more.is_none() || ignored > CLOSE_BYTES {
                    return;
                }
            }
            _ = outbox.stream.writable(), if waiting => {}
            () = clock.sleep_until(deadline, alarm.as_mut()) => return,
        }
    }
}
