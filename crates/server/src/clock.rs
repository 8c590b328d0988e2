//! Time as the server knows it: a steady clock for waits, and the date for records. Tests drive both; nothing in a room
//! reads any other clock.
//!
//! Somebody may set the machine's clock, and then the date steps back or forward. A deadline that was computed from the date
//! would come an hour late or an hour early, so every wait uses [`Clock::now`]. [`Clock::date`] is for what is written down and
//! what people read.

use baize_room::Time;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

#[derive(Clone, Debug)]
pub struct Clock(Kind);

#[derive(Clone, Debug)]
enum Kind {
    System {
        /// The date when this clock was made.
        began: u64,
        since: Instant,
    },
    Driven(Arc<watch::Sender<Driven>>),
}

/// What a test has made of the time, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Driven {
    now: u64,
    date: u64,
}

impl Clock {
    pub fn system() -> Self {
        Clock(Kind::System { began: system_date(), since: Instant::now() })
    }

    /// Stands still at `start` until it is advanced.
    pub fn driven(start: u64) -> Self {
        Clock(Kind::Driven(Arc::new(watch::channel(Driven { now: start, date: start }).0)))
    }

    /// Steady time in milliseconds. It begins at the date on which the clock was made and never steps.
    pub fn now(&self) -> u64 {
        match &self.0 {
            Kind::System { began, since } => began + since.elapsed().as_millis() as u64,
            Kind::Driven(time) => time.borrow().now,
        }
    }

    /// Milliseconds since 1970 as the machine has them at this moment. They may step, so nobody waits for a date.
    pub fn date(&self) -> u64 {
        match &self.0 {
            Kind::System { .. } => system_date(),
            Kind::Driven(time) => time.borrow().date,
        }
    }

    /// Both at once, as rooms take them.
    pub fn time(&self) -> Time {
        Time { now: self.now(), date: self.date() }
    }

    /// Moves driven time on, and the date with it. The system's clock can't be moved.
    pub fn advance(&self, millis: u64) {
        if let Kind::Driven(time) = &self.0 {
            time.send_modify(|time| *time = Driven { now: time.now + millis, date: time.date + millis });
        }
    }

    /// Sets the date of driven time back or forward, as an operator or a time server does.
    pub fn step_date(&self, millis: i64) {
        if let Kind::Driven(time) = &self.0 {
            time.send_modify(|time| time.date = time.date.saturating_add_signed(millis));
        }
    }

    /// Waits until [`Clock::now`] has come to `at`, by an alarm that stays set when nobody waits any more. Who waits for something
    /// else at the same time begins anew with each message, mostly until later than before: so the alarm is set once for many of
    /// them, and when it goes off too early, again.
    pub async fn sleep_until(&self, at: u64, mut alarm: Pin<&mut Alarm>) {
        match &self.0 {
            Kind::System { .. } => {
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
            Kind::Driven(time) => {
                let mut time = time.subscribe();
                // The sender lives as long as this clock, which we hold.
                let _ = time.wait_for(|time| time.now >= at).await;
            }
        }
    }
}

fn system_date() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

/// What [`Clock::sleep_until`] waits by; none as long as it was not needed.
pub type Alarm = Option<Sleep>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stepped_date_leaves_steady_time_alone() {
        let clock = Clock::driven(10_000_000);
        clock.step_date(-3_600_000);
        assert_eq!((clock.now(), clock.date()), (10_000_000, 6_400_000));
        clock.advance(5);
        clock.step_date(7_200_000);
        assert_eq!((clock.now(), clock.date()), (10_000_005, 13_600_005));
    }

    #[test]
    fn the_systems_steady_time_begins_at_the_date() {
        let clock = Clock::system();
        let (date, now) = (clock.date(), clock.now());
        assert!(now.abs_diff(date) < 60_000, "{now} and {date}");
        assert!(clock.now() >= now);
    }
}
