//! Time as rooms know it. Tests drive it; nothing in a room reads any other clock.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

#[derive(Clone, Debug)]
pub struct Clock(Kind);

#[derive(Clone, Debug)]
enum Kind {
    System,
    Driven(Arc<watch::Sender<u64>>),
}

impl Clock {
    pub fn system() -> Self {
        Clock(Kind::System)
    }

    /// Stands still at `start` until it is advanced.
    pub fn driven(start: u64) -> Self {
        Clock(Kind::Driven(Arc::new(watch::channel(start).0)))
    }

    /// Milliseconds since 1970.
    pub fn now(&self) -> u64 {
        match &self.0 {
            Kind::System => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64),
            Kind::Driven(now) => *now.borrow(),
        }
    }

    /// Moves driven time on; the system's can't be.
    pub fn advance(&self, millis: u64) {
        if let Kind::Driven(now) = &self.0 {
            now.send_modify(|now| *now += millis);
        }
    }

    pub async fn sleep_until(&self, at: u64) {
        match &self.0 {
            Kind::System => tokio::time::sleep(Duration::from_millis(at.saturating_sub(self.now()))).await,
            Kind::Driven(now) => {
                let mut now = now.subscribe();
                // The sender lives as long as this clock, which we hold.
                let _ = now.wait_for(|now| *now >= at).await;
            }
        }
    }
}
