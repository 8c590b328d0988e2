//! A steady clock for waits, and the date for records. Tests drive both; nothing in a room reads any other clock.
//!
//! Somebody may set the machine's clock, and then the date steps back or forward. A deadline that was computed from the
//! date would come an hour late or an hour early, so every wait uses [`ServerClock::now`]. [`ServerClock::date`] is for records and
//! for people.

use baize_room::Time;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

#[derive(Clone, Debug)]
pub struct ServerClock(ClockKind);

#[derive(Clone, Debug)]
enum ClockKind {
    System {
        /// The date when this clock was made.
        start_date: u64,
        start: Instant,
    },
    Driven(Arc<watch::Sender<DrivenTime>>),
}

/// The time as a test has set it, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct DrivenTime {
    now: u64,
    date: u64,
}

impl ServerClock {
    pub fn system() -> Self {
        ServerClock(ClockKind::System { start_date: system_date(), start: Instant::now() })
    }

    /// A clock that stands still at `start` until a test advances it.
    pub fn driven(start: u64) -> Self {
        ServerClock(ClockKind::Driven(Arc::new(watch::channel(DrivenTime { now: start, date: start }).0)))
    }

    /// Steady time in milliseconds. It starts at the date on which the clock was made and never steps.
    pub fn now(&self) -> u64 {
        match &self.0 {
            ClockKind::System { start_date, start } => start_date + start.elapsed().as_millis() as u64,
            ClockKind::Driven(time) => time.borrow().now,
        }
    }

    /// Milliseconds since 1970 by the machine's clock. The date may step, so nobody waits for it.
    pub fn date(&self) -> u64 {
        match &self.0 {
            ClockKind::System { .. } => system_date(),
            ClockKind::Driven(time) => time.borrow().date,
        }
    }

    /// Both times, in the form that rooms take.
    pub fn time(&self) -> Time {
        Time { now: self.now(), date: self.date() }
    }

    /// Advances driven time and its date. Has no effect on the system's clock.
    pub fn advance(&self, millis: u64) {
        if let ClockKind::Driven(time) = &self.0 {
            time.send_modify(|time| *time = DrivenTime { now: time.now + millis, date: time.date + millis });
        }
    }

    /// Moves the date of driven time back or forward, as an operator or a time server does.
    pub fn step_date(&self, millis: i64) {
        if let ClockKind::Driven(time) = &self.0 {
            time.send_modify(|time| time.date = time.date.saturating_add_signed(millis));
        }
    }

    /// Waits until [`ServerClock::now`] is `at`. The alarm stays set when the wait is cancelled: a task that waits for
    /// messages at the same time calls this again after each message, usually for a later time, so one timer serves
    /// many calls. If it fires too early, it is set again.
    pub async fn sleep_until(&self, at: u64, mut alarm: Pin<&mut Alarm>) {
        match &self.0 {
            ClockKind::System { .. } => {
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
            ClockKind::Driven(time) => {
                let mut time = time.subscribe();
                // The sender can't be dropped meanwhile, because this clock holds it.
                let _ = time.wait_for(|time| time.now >= at).await;
            }
        }
    }
}

fn system_date() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

/// The timer of [`ServerClock::sleep_until`]; none until it is first needed.
pub type Alarm = Option<Sleep>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stepped_date_does_not_change_steady_time() {
        let clock = ServerClock::driven(10_000_000);
        clock.step_date(-3_600_000);
        assert_eq!((clock.now(), clock.date()), (10_000_000, 6_400_000));
        clock.advance(5);
        clock.step_date(7_200_000);
        assert_eq!((clock.now(), clock.date()), (10_000_005, 13_600_005));
    }

    #[test]
    fn steady_time_of_the_system_starts_at_the_date() {
        let clock = ServerClock::system();
        let (date, now) = (clock.date(), clock.now());
        assert!(now.abs_diff(date) < 60_000, "{now} and {date}");
        assert!(clock.now() >= now);
    }
}
