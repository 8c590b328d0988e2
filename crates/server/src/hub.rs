//! The rooms in memory, by code. A room is opened when somebody first asks for it and forgotten when it is parked.

use crate::Services;
use crate::inbox::{CAPACITY, TableMessage};
use crate::room_task;
use baize_protocol::ErrorCode;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

pub struct Hub {
    rooms: Mutex<Rooms>,
    /// How many room tasks run, so that a shutdown can wait for the last.
    running: watch::Sender<usize>,
}

#[derive(Default)]
struct Rooms {
    by_code: HashMap<String, mpsc::Sender<TableMessage>>,
    /// No more rooms are opened.
    closing: bool,
    /// When tables last panicked, as long as it matters.
    panicked: HashMap<String, u64>,
}

impl Default for Hub {
    fn default() -> Self {
        Hub { rooms: Mutex::default(), running: watch::channel(0).0 }
    }
}

impl Hub {
    /// Passes a message to a table, opening it if need be. The sender is for the messages that follow.
    ///
    /// All of this happens under the lock, and so does parking: a message can't fall between a room that is just leaving
    /// and the one that is opened after it.
    pub fn pass(
        &self,
        services: &Arc<Services>,
        code: &str,
        message: TableMessage,
    ) -> Result<mpsc::Sender<TableMessage>, ErrorCode> {
        let mut rooms = self.rooms.lock().expect("no panic under this lock");
        if rooms.closing {
            return Err(ErrorCode::Closing);
        }
        if let Some(inbox) = rooms.by_code.get(code) {
            return inbox.try_send(message).map(|()| inbox.clone()).map_err(|_| ErrorCode::Busy);
        }
        if rooms.by_code.len() >= services.config.max_tables {
            return Err(ErrorCode::Busy);
        }
        let (inbox, messages) = mpsc::channel(CAPACITY);
        // A new channel has space.
        let _ = inbox.try_send(message);
        rooms.by_code.insert(code.to_owned(), inbox.clone());
        services.metrics.tables.fetch_add(1, Relaxed);
        self.running.send_modify(|running| *running += 1);
        let (services, code, weak) = (services.clone(), code.to_owned(), inbox.downgrade());
        tokio::spawn(async move {
            let running = Running { services: services.clone(), code: code.clone() };
            room_task::run(services, code, weak, messages).await;
            drop(running);
        });
        Ok(inbox)
    }

    /// Notes that a table has panicked; true if it did so before, not long ago.
    pub fn panics_again(&self, code: &str, now: u64) -> bool {
        let mut rooms = self.rooms.lock().expect("no panic under this lock");
        rooms.panicked.retain(|_, at| *at + room_task::AGAIN_WITHIN > now);
        rooms.panicked.insert(code.to_owned(), now).is_some()
    }

    /// A room that has nothing to do leaves, unless a message has just reached it. True: it has left.
    pub fn park(&self, code: &str, messages: &mpsc::Receiver<TableMessage>) -> bool {
        let mut rooms = self.rooms.lock().expect("no panic under this lock");
        let leaves = messages.is_empty();
        if leaves {
            rooms.by_code.remove(code);
        }
        leaves
    }

    /// A room has ended for another reason.
    pub fn forget(&self, code: &str) {
        self.rooms.lock().expect("no panic under this lock").by_code.remove(code);
    }

    /// Passes a message to a room if it is in memory.
    pub fn tell(&self, code: &str, message: TableMessage) {
        let rooms = self.rooms.lock().expect("no panic under this lock");
        if let Some(inbox) = rooms.by_code.get(code) {
            // A room that has too much to do finds out by its next commit.
            let _ = inbox.try_send(message);
        }
    }

    /// Passes a message to every room in memory.
    pub fn tell_all(&self, message: impl Fn() -> TableMessage) {
        let rooms = self.rooms.lock().expect("no panic under this lock");
        for inbox in rooms.by_code.values() {
            // A room that is this far behind is told by the next change of its own.
            let _ = inbox.try_send(message());
        }
    }

    pub fn is_closing(&self) -> bool {
        self.rooms.lock().expect("no panic under this lock").closing
    }

    /// Stops every room and waits until all they had is written; but not for ever, if the disk or the database does not answer. What
    /// was acknowledged is stored already, so nothing is lost by it.
    pub async fn close(&self, within: Duration) {
        let inboxes: Vec<_> = {
            let mut rooms = self.rooms.lock().expect("no panic under this lock");
            rooms.closing = true;
            rooms.by_code.values().cloned().collect()
        };
        let stopped = async {
            // A room whose inbox is full stops nobody else.
            let told = inboxes.iter().map(|inbox| inbox.send(TableMessage::Stop));
            futures_util::future::join_all(told).await;
            let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
        };
        if tokio::time::timeout(within, stopped).await.is_err() {
            tracing::error!(tables = *self.running.borrow(), "tables did not stop in time");
        }
    }
}

/// A room task, however it ends.
struct Running {
    services: Arc<Services>,
    code: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let Running { services, code } = self;
        // A task that panicked has not said goodbye; another room of this name has not begun before this one is forgotten.
        if std::thread::panicking() {
            services.hub.forget(code);
        }
        services.metrics.tables.fetch_sub(1, Relaxed);
        services.hub.running.send_modify(|running| *running -= 1);
    }
}
