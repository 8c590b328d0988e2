//! What goes out to one client.
//!
//! A room writes to its clients' sockets itself: most messages fit into the kernel's buffer, and then nobody else has to wake
//! up for them. What does not fit waits in a bounded queue, which the socket's own task empties. A client that does not read
//! fills its queue and is cut off; it comes back by the last `seq` it has.

use crate::Services;
use crate::connections::Visitor;
use crate::frames::{self, Framed};
use baize_protocol::{ErrorCode, ServerMessage};
use baize_room::{ActionRefusal, Payload};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;

/// Messages that may wait for a client.
const MOST: usize = 64;
/// Bytes of messages that may wait for a client, beside one message of any size.
const MOST_BYTES: usize = 1 << 20;
/// Messages that are no longer than this are written with one call.
const SHORT: usize = 2048;

/// What goes to a socket.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A frame.
    Text(Framed),
    /// Say why, then close.
    Close(ErrorCode),
}

impl Outgoing {
    /// A message. Who should get one that can't be written is hung up on, and gets the whole state when it comes back.
    pub fn message(message: &ServerMessage) -> Self {
        match Payload::new(message) {
            Ok(payload) => Outgoing::Text(payload.into_frame()),
            Err(error) => {
                tracing::error!(%error, "a client is hung up on");
                Outgoing::Close(ErrorCode::Fault)
            }
        }
    }

    pub fn refusal(code: ErrorCode, request: Option<String>) -> Self {
        Outgoing::message(&ServerMessage::Error(ActionRefusal::from(code).refused(request)))
    }
}

/// Whoever a room writes to: a socket of this server, or one at another node.
pub trait Recipient: Send + Sync {
    /// A room is about to take this client in. False: another has, or is about to.
    fn claim(&self) -> bool {
        true
    }
    /// The room that claimed this client has turned it away.
    fn release(&self) {}
    /// A room has taken this client in.
    fn joined(&self);
    /// Takes a message for the next [`Recipient::go`]. False: too much waits already, and the client is cut off.
    fn put(&self, message: Outgoing) -> bool;
    /// Sends what was put.
    fn go(&self);
    /// Whether its socket is at another node, which asked this one for the table.
    fn is_guest(&self) -> bool {
        false
    }
}

pub struct Outbox {
    pub stream: OwnedWriteHalf,
    pub visitor: Visitor,
    services: Arc<Services>,
    joined: AtomicBool,
    claimed: AtomicBool,
    waiting: Mutex<Waiting>,
    /// The socket's task has something to do.
    wake: Notify,
}

#[derive(Default)]
struct Waiting {
    /// An answer and what follows it need no memory of their own.
    frames: SmallVec<[Framed; 2]>,
    /// Bytes of the first one that are already out.
    written: usize,
    end: End,
    /// The client has sent its close frame.
    heard_close: bool,
}

/// Whether and how this socket comes to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    #[default]
    Open,
    /// Once everything is out.
    Soon,
    /// At once: the client does not read.
    Now,
}

impl Outbox {
    pub fn new(stream: OwnedWriteHalf, services: Arc<Services>, visitor: Visitor) -> Arc<Self> {
        let (waiting, wake) = (Mutex::default(), Notify::new());
        let (joined, claimed) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Outbox { stream, visitor, services, joined, claimed, waiting, wake })
    }

    pub fn is_joined(&self) -> bool {
        self.joined.load(Relaxed)
    }

    /// Writes as much as the kernel takes. What is left, and how the socket ends; `None`: the connection is broken.
    pub fn push(&self) -> Option<(usize, End)> {
        let mut waiting = self.waiting.lock().expect("no panic under this lock");
        self.write(&mut waiting).then_some((waiting.frames.len(), waiting.end))
    }

    /// The client has said goodbye: answer in the same words and end.
    pub fn answer_close(&self, said: &Option<(u16, String)>) {
        self.end_with(frames::close_again(said));
        self.hear_close();
    }

    /// The client has sent what it must not: say so and end.
    pub fn close(&self, status: u16, code: ErrorCode) {
        self.end_with(frames::close(status, code.as_str()));
    }

    fn end_with(&self, frame: Framed) {
        let mut waiting = self.waiting.lock().expect("no panic under this lock");
        if waiting.end == End::Open {
            waiting.end = End::Soon;
            waiting.frames.push(frame);
        }
    }

    /// The client has sent its close frame.
    pub fn hear_close(&self) {
        self.waiting.lock().expect("no panic under this lock").heard_close = true;
    }

    /// Whether the client has said goodbye as well.
    pub fn is_answered(&self) -> bool {
        self.waiting.lock().expect("no panic under this lock").heard_close
    }

    /// Tells the client that nothing more comes.
    pub fn end_writing(&self) {
        // A connection that is broken already needs no end.
        let _ = rustix::net::shutdown(self.stream.as_ref(), rustix::net::Shutdown::Write);
    }

    /// Ends the connection, whoever still holds this outbox.
    pub fn shut_down(&self) {
        let mut waiting = self.waiting.lock().expect("no panic under this lock");
        waiting.end = End::Now;
        waiting.frames = SmallVec::new();
        let _ = rustix::net::shutdown(self.stream.as_ref(), rustix::net::Shutdown::Both);
    }

    /// Ready when something was put that did not go out at once.
    pub async fn woken(&self) {
        self.wake.notified().await;
    }

    /// False: the connection is broken; its task finds out by reading.
    fn write(&self, waiting: &mut Waiting) -> bool {
        while !waiting.frames.is_empty() {
            match waiting.write_first(&self.stream) {
                Ok(sent) => waiting.sent(sent),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return true,
                Err(_) => {
                    waiting.end = End::Now;
                    return false;
                }
            }
        }
        // An idle client's queue needs no memory.
        if waiting.frames.spilled() {
            waiting.frames = SmallVec::new();
        }
        true
    }
}

impl Recipient for Outbox {
    fn claim(&self) -> bool {
        !self.claimed.swap(true, Relaxed)
    }

    fn release(&self) {
        self.claimed.store(false, Relaxed);
    }

    fn joined(&self) {
        if !self.joined.swap(true, Relaxed) {
            self.visitor.ticket.join_table();
            self.services.addresses.forgive_look(&self.services.config, self.visitor.network);
        }
    }

    fn put(&self, message: Outgoing) -> bool {
        let mut waiting = self.waiting.lock().expect("no panic under this lock");
        if waiting.end != End::Open {
            return true;
        }
        // Much at once is no fault of the client's.
        if waiting.is_full() {
            self.write(&mut waiting);
        }
        if waiting.is_full() {
            waiting.end = End::Now;
            waiting.frames = SmallVec::new();
            self.wake.notify_one();
            return false;
        }
        let frame = match message {
            Outgoing::Text(frame) => frame,
            Outgoing::Close(code) => {
                waiting.end = End::Soon;
                frames::close(close_code(code), code.as_str())
            }
        };
        waiting.frames.push(frame);
        true
    }

    /// What does not fit into the kernel's buffer is left to the socket's task.
    fn go(&self) {
        let mut waiting = self.waiting.lock().expect("no panic under this lock");
        self.write(&mut waiting);
        if !waiting.frames.is_empty() || waiting.end != End::Open {
            self.wake.notify_one();
        }
    }
}

impl Waiting {
    fn is_full(&self) -> bool {
        self.frames.len() >= MOST || self.frames.iter().map(|frame| frame.len()).sum::<usize>() > MOST_BYTES
    }

    /// One call for what waits, or for the beginning of it. An answer and the events that follow it are copied together:
    /// that costs less than to tell the system of two pieces.
    fn write_first(&self, stream: &OwnedWriteHalf) -> std::io::Result<usize> {
        let Some(first) = self.frames.first() else { return Ok(0) };
        let first = &first[self.written..];
        let length = first.len() + self.frames.iter().skip(1).map(|frame| frame.len()).sum::<usize>();
        if self.frames.len() == 1 || length > SHORT {
            return stream.try_write(first);
        }
        let mut together = [0; SHORT];
        let mut end = 0;
        for frame in std::iter::once(first).chain(self.frames.iter().skip(1).map(|frame| &frame[..])) {
            together[end..end + frame.len()].copy_from_slice(frame);
            end += frame.len();
        }
        stream.try_write(&together[..end])
    }

    /// So many bytes are out.
    fn sent(&mut self, count: usize) {
        self.written += count;
        let mut whole = 0;
        while let Some(frame) = self.frames.get(whole).filter(|frame| frame.len() <= self.written) {
            self.written -= frame.len();
            whole += 1;
        }
        self.frames.drain(..whole);
    }
}

fn close_code(code: ErrorCode) -> u16 {
    match code {
        ErrorCode::Closing => 1012,
        ErrorCode::Storage | ErrorCode::Fault => 1011,
        ErrorCode::TooLarge => frames::TOO_LARGE,
        ErrorCode::Busy => 1013,
        _ => 1008,
    }
}
