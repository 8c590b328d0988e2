//! The messages that wait to be sent to one client.
//!
//! A room writes to its clients' sockets itself: most messages fit into the kernel's buffer, and then no other task has
//! to wake up. The rest waits in a bounded queue, which the socket's task empties. A client that does not read fills
//! its queue and is cut off; when it reconnects it catches up by its last `seq`.

use crate::Services;
use crate::connections::Visitor;
use crate::frames::{self, FrameBytes};
use crate::outgoing::Outgoing;
use baize_protocol::ErrorCode;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tokio::net::tcp::OwnedWriteHalf;

/// Upper bound on messages that wait for a client.
const MAX_QUEUED: usize = 64;
/// Upper bound on bytes that wait for a client, not counting the last message.
const MAX_QUEUED_BYTES: usize = 1 << 20;
/// Queued messages up to this size are copied together and written with one call.
const COALESCE_BYTES: usize = 2048;

/// The socket is at no table and waits for none.
const FREE: u8 = 0;
/// A table has to answer the socket's join. Until then the socket asks no other table, so it sits at one table only.
const ASKING: u8 = 1;
/// A table has accepted the socket.
const JOINED: u8 = 2;

/// A client as a room sees it: a socket of this server, or one at another node.
pub trait Recipient: Send + Sync {
    /// The table that this client asked to join has not accepted it, so the client may ask another.
    fn release(&self);
    /// A room has accepted this client.
    fn joined(&self);
    /// Queues a message for the next [`Recipient::send_queued`]. Returns false if the queue is full; then the client is
    /// cut off.
    fn enqueue(&self, message: Outgoing) -> bool;
    fn send_queued(&self);
    /// Whether the client's socket is at another node.
    fn is_guest(&self) -> bool {
        false
    }
}

pub struct Outbox {
    pub stream: OwnedWriteHalf,
    pub visitor: Visitor,
    services: Arc<Services>,
    /// One of [`FREE`], [`ASKING`] and [`JOINED`].
    place: AtomicU8,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    /// Two frames, such as an answer and the events that follow it, need no allocation.
    frames: SmallVec<[FrameBytes; 2]>,
    /// Bytes of the first frame that are already written.
    written: usize,
    end: CloseMode,
    /// The client has sent its close frame.
    heard_close: bool,
}

/// Whether and how the connection ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloseMode {
    #[default]
    Open,
    /// The connection ends when the queue is empty.
    WhenSent,
    /// The connection ends at once, because the client does not read or the connection is broken.
    Now,
}

impl Outbox {
    pub fn new(stream: OwnedWriteHalf, services: Arc<Services>, visitor: Visitor) -> Arc<Self> {
        Arc::new(Outbox { stream, visitor, services, place: AtomicU8::new(FREE), queue: Mutex::default() })
    }

    /// Reserves the socket for the table that it asks to join. Returns false if the socket is at a table or waits for
    /// one. A table that never answers holds the socket until the socket's time to join is over.
    pub fn claim(&self) -> bool {
        self.place.compare_exchange(FREE, ASKING, Relaxed, Relaxed).is_ok()
    }

    /// Whether the socket is at a table or waits for the answer to its join.
    pub fn is_claimed(&self) -> bool {
        self.place.load(Relaxed) != FREE
    }

    pub fn is_joined(&self) -> bool {
        self.place.load(Relaxed) == JOINED
    }

    /// Writes as much as the kernel takes. Returns the number of frames that are left and how the connection ends, or
    /// none if the connection is broken.
    pub fn try_write(&self) -> Option<(usize, CloseMode)> {
        let mut queue = self.queue.lock().expect("no panic under this lock");
        self.write_queue(&mut queue).then_some((queue.frames.len(), queue.end))
    }

    /// Answers the client's close frame with the same code and reason, and ends the connection.
    pub fn answer_close(&self, received: &Option<(u16, String)>) {
        self.end_with(frames::close_again(received));
        self.hear_close();
    }

    /// Sends a close frame because the client broke the protocol, and ends the connection.
    pub fn close(&self, status: u16, code: ErrorCode) {
        self.end_with(frames::close(status, code.as_str()));
    }

    fn end_with(&self, frame: FrameBytes) {
        let mut queue = self.queue.lock().expect("no panic under this lock");
        if queue.end == CloseMode::Open {
            queue.end = CloseMode::WhenSent;
            queue.frames.push(frame);
        }
    }

    /// Notes that the client has sent its close frame.
    pub fn hear_close(&self) {
        self.queue.lock().expect("no panic under this lock").heard_close = true;
    }

    /// Whether the client has sent its close frame.
    pub fn has_heard_close(&self) -> bool {
        self.queue.lock().expect("no panic under this lock").heard_close
    }

    /// Tells the client that nothing more will be sent.
    pub fn shut_down_writing(&self) {
        // The shutdown of a broken connection fails, and that does not matter.
        let _ = rustix::net::shutdown(self.stream.as_ref(), rustix::net::Shutdown::Write);
    }

    /// Ends the connection, even if somebody still holds this outbox.
    pub fn shut_down(&self) {
        let mut queue = self.queue.lock().expect("no panic under this lock");
        queue.end = CloseMode::Now;
        queue.frames = SmallVec::new();
        let _ = rustix::net::shutdown(self.stream.as_ref(), rustix::net::Shutdown::Both);
    }

    /// Wakes the socket's task.
    fn wake(&self) {
        self.visitor.ticket.signal().wake();
    }

    /// Returns false if the connection is broken; the socket's task finds out by reading.
    fn write_queue(&self, queue: &mut Queue) -> bool {
        while !queue.frames.is_empty() {
            match queue.write_first(&self.stream) {
                Ok(count) => queue.remove_written(count),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return true,
                Err(_) => {
                    queue.end = CloseMode::Now;
                    return false;
                }
            }
        }
        // An idle client's queue keeps no allocation.
        if queue.frames.spilled() {
            queue.frames = SmallVec::new();
        }
        true
    }
}

impl Recipient for Outbox {
    fn release(&self) {
        let _ = self.place.compare_exchange(ASKING, FREE, Relaxed, Relaxed);
    }

    fn joined(&self) {
        if self.place.swap(JOINED, Relaxed) != JOINED {
            self.visitor.ticket.join_table();
            self.services.addresses.forgive_look(&self.services.config, self.visitor.network);
        }
    }

    fn enqueue(&self, message: Outgoing) -> bool {
        let mut queue = self.queue.lock().expect("no panic under this lock");
        if queue.end != CloseMode::Open {
            return true;
        }
        // A client that got many messages at once may still be reading: write before the queue counts as full.
        if queue.is_full() {
            self.write_queue(&mut queue);
        }
        if queue.is_full() {
            queue.end = CloseMode::Now;
            queue.frames = SmallVec::new();
            self.wake();
            return false;
        }
        let frame = match message {
            Outgoing::Text(frame) => frame,
            Outgoing::Close(code) => {
                queue.end = CloseMode::WhenSent;
                frames::close(close_status(code), code.as_str())
            }
        };
        queue.frames.push(frame);
        true
    }

    /// The socket's task writes whatever does not fit into the kernel's buffer.
    fn send_queued(&self) {
        let mut queue = self.queue.lock().expect("no panic under this lock");
        self.write_queue(&mut queue);
        if !queue.frames.is_empty() || queue.end != CloseMode::Open {
            self.wake();
        }
    }
}

impl Queue {
    fn is_full(&self) -> bool {
        self.frames.len() >= MAX_QUEUED || self.frames.iter().map(|frame| frame.len()).sum::<usize>() > MAX_QUEUED_BYTES
    }

    /// Writes the queue, or its first frame, with one call. Short frames are copied together, which costs less than a
    /// vectored write.
    fn write_first(&self, stream: &OwnedWriteHalf) -> std::io::Result<usize> {
        let Some(first) = self.frames.first() else { return Ok(0) };
        let first = &first[self.written..];
        let length = first.len() + self.frames.iter().skip(1).map(|frame| frame.len()).sum::<usize>();
        if self.frames.len() == 1 || length > COALESCE_BYTES {
            return stream.try_write(first);
        }
        let mut together = [0; COALESCE_BYTES];
        let mut end = 0;
        for frame in std::iter::once(first).chain(self.frames.iter().skip(1).map(|frame| &frame[..])) {
            together[end..end + frame.len()].copy_from_slice(frame);
            end += frame.len();
        }
        stream.try_write(&together[..end])
    }

    /// Removes bytes that were written from the queue.
    fn remove_written(&mut self, count: usize) {
        self.written += count;
        let mut whole = 0;
        while let Some(frame) = self.frames.get(whole).filter(|frame| frame.len() <= self.written) {
            self.written -= frame.len();
            whole += 1;
        }
        self.frames.drain(..whole);
    }
}

fn close_status(code: ErrorCode) -> u16 {
    match code {
        ErrorCode::Closing => 1012,
        ErrorCode::Storage | ErrorCode::Fault => 1011,
        ErrorCode::TooLarge => frames::TOO_LARGE,
        ErrorCode::Busy => 1013,
        _ => 1008,
    }
}
