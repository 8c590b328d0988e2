//! Time as rooms know it. Tests drive it; nothing in a room reads any other clock.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

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

    /// Waits by an alarm that stays set when nobody waits any more. Who waits for something else at the same time begins anew with each
    /// message, mostly until later than before: so the alarm is set once for many of them, and when it goes off too early, again.
    pub async fn sleep_until(&self, at: u64, mut alarm: Pin<&mut Alarm>) {
        match &self.0 {
            Kind::System => {
                while let left @ 1.. = at.saturating_sub(self.now()) {
                    let due = Instant::now() + Duration::from_millis(left);
                    match alarm.as_mut().as_pin_mut() {
                        Some(set) if set.is_elapsed() || due < set.deadline() => set.reset(due),
                        Some(_) => {}
                        None => alarm.set(Some(tokio::time::sleep_until(due))),
                    }
                    if let Some(set) = alarm.as_mut().as_pin_mut() {
                        set.await;
                    }
                }
            }
            Kind::Driven(now) => {
                let mut now = now.subscribe();
                // The sender lives as long as this clock, which we hold.
                let _ = now.wait_for(|now| *now >= at).await;
            }
        }
    }
}

/// What [`Clock::sleep_until`] waits by; none as long as it was not needed.
pub type Alarm = Option<Sleep>;
