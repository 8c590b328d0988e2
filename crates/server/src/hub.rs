//! The rooms in memory, by table code. The hub opens a room on the first message for it and forgets the room when it is
//! parked.

use crate::Services;
use crate::inbox::{CAPACITY, TableMessage};
use crate::room_task;
use baize_protocol::ErrorCode;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// Upper bound on tables whose last panic the hub remembers. If more tables panic within a minute, the oldest panic counts
/// as none.
const MAX_PANICKED: usize = 1024;

pub struct Hub {
    rooms: Mutex<Rooms>,
    /// Number of running room tasks, so that a shutdown can wait for the last one.
    running: watch::Sender<usize>,
}

#[derive(Default)]
struct Rooms {
    by_code: HashMap<String, mpsc::Sender<TableMessage>>,
    /// True: the hub opens no more rooms.
    closing: bool,
    /// When each table last panicked, as long as a second panic would end it.
    panicked: HashMap<String, u64>,
}

impl Default for Hub {
    fn default() -> Self {
        Hub { rooms: Mutex::default(), running: watch::channel(0).0 }
    }
}

impl Hub {
    /// Passes a message to a table and opens the table if it is not in memory. Returns a sender for the messages that
    /// follow.
    ///
    /// The hub holds its lock for all of this, and also while it parks a room. So no message is lost between a room
    /// that is being parked and its successor.
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
        // The channel is new, so it has space.
        let _ = inbox.try_send(message);
        rooms.by_code.insert(code.to_owned(), inbox.clone());
        services.metrics.tables.fetch_add(1, Relaxed);
        self.running.send_modify(|running| *running += 1);
        let (services, code, weak) = (services.clone(), code.to_owned(), inbox.downgrade());
        tokio::spawn(async move {
            let running = RunningRoom { services: services.clone(), code: code.clone() };
            room_task::run(services, code, weak, messages).await;
            drop(running);
        });
        Ok(inbox)
    }

    /// Records that a table has panicked. Returns true if its last panic was recent.
    pub fn record_panic(&self, code: &str, now: u64) -> bool {
        let panicked = &mut self.rooms.lock().expect("no panic under this lock").panicked;
        panicked.retain(|_, at| *at + room_task::PANICS_WITHIN > now);
        if panicked.len() >= MAX_PANICKED && !panicked.contains_key(code) {
            let oldest = panicked.iter().min_by_key(|(_, at)| **at).map(|(code, _)| code.clone());
            oldest.map(|code| panicked.remove(&code));
        }
        panicked.insert(code.to_owned(), now).is_some()
    }

    /// Parks a room that has nothing to do, unless a message has just reached it. Returns whether the room is parked.
    pub fn park(&self, code: &str, messages: &mpsc::Receiver<TableMessage>) -> bool {
        let mut rooms = self.rooms.lock().expect("no panic under this lock");
        let may_park = messages.is_empty();
        if may_park {
            rooms.by_code.remove(code);
        }
        may_park
    }

    /// Removes a room that has ended for any other reason.
    pub fn forget(&self, code: &str) {
        self.rooms.lock().expect("no panic under this lock").by_code.remove(code);
    }

    /// Passes a message to a room if the room is in memory.
    pub fn send(&self, code: &str, message: TableMessage) {
        let rooms = self.rooms.lock().expect("no panic under this lock");
        if let Some(inbox) = rooms.by_code.get(code) {
            // A room whose inbox is full finds out by its next commit.
            let _ = inbox.try_send(message);
        }
    }

    /// Passes a message to every room in memory.
    pub fn send_to_all(&self, message: impl Fn() -> TableMessage) {
        let rooms = self.rooms.lock().expect("no panic under this lock");
        for inbox in rooms.by_code.values() {
            // A room whose inbox is full compares its file before its next message.
            let _ = inbox.try_send(message());
        }
    }

    pub fn is_closing(&self) -> bool {
        self.rooms.lock().expect("no panic under this lock").closing
    }

    /// Stops every room and waits until each has stored its state, but not longer than `within` if the disk or the
    /// database does not answer. A timeout loses nothing that was acknowledged.
    pub async fn close(&self, within: Duration) {
        let inboxes: Vec<_> = {
            let mut rooms = self.rooms.lock().expect("no panic under this lock");
            rooms.closing = true;
            rooms.by_code.values().cloned().collect()
        };
        let stopped = async {
            // All sends run at once, so that a room with a full inbox does not delay the others.
            let stops = inboxes.iter().map(|inbox| inbox.send(TableMessage::Stop));
            futures_util::future::join_all(stops).await;
            let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
        };
        if tokio::time::timeout(within, stopped).await.is_err() {
            tracing::error!(tables = *self.running.borrow(), "tables did not stop in time");
        }
    }
}

/// Counts a room task until it ends, also by a panic.
struct RunningRoom {
    services: Arc<Services>,
    code: String,
}

impl Drop for RunningRoom {
    fn drop(&mut self) {
        let RunningRoom { services, code } = self;
        // A room task that panicked has not removed itself from the hub.
        if std::thread::panicking() {
            services.hub.forget(code);
        }
        services.metrics.tables.fetch_sub(1, Relaxed);
        services.hub.running.send_modify(|running| *running -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_number_of_panics_is_remembered_for_a_minute() {
        let hub = Hub::default();
        assert!(!hub.record_panic("first", 0) && hub.record_panic("first", 1));
        for n in 0..2 * MAX_PANICKED {
            assert!(!hub.record_panic(&format!("table {n}"), 2 + n as u64));
        }
        assert_eq!(hub.rooms.lock().unwrap().panicked.len(), MAX_PANICKED);
        let (last, now) = (2 * MAX_PANICKED - 1, 2 + 2 * MAX_PANICKED as u64);
        assert!(hub.record_panic(&format!("table {last}"), now) && !hub.record_panic("table 0", now));
        assert!(!hub.record_panic(&format!("table {last}"), now + room_task::PANICS_WITHIN));
    }
}
