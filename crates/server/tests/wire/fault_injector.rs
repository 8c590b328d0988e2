//! Faults that a test turns on and off while a server runs.

use baize_server::Faults;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Injects faults at the named points of a server (see *Faults* in `docs/operating.md`).
#[derive(Clone, Default)]
pub struct FaultInjector(Arc<FaultState>);

#[derive(Default)]
struct FaultState {
    points: Mutex<HashMap<&'static str, PointFault>>,
    changed: Condvar,
}

#[derive(Default)]
struct PointFault {
    kind: FaultKind,
    /// How many faults are still to come.
    remaining: usize,
    count: usize,
}

#[derive(Clone, Default)]
enum FaultKind {
    #[default]
    Panic,
    Fail(&'static str),
    /// The caller waits here until the fault is cleared.
    Stall,
}

const FOR_EVER: usize = usize::MAX;

impl FaultInjector {
    pub fn faults(&self) -> Faults {
        let inner = self.0.clone();
        Faults::new(move |name, _| inner.trigger(name))
    }

    pub fn panic_once(&self, point: &'static str) {
        self.set(point, FaultKind::Panic, 1);
    }

    pub fn panic_always(&self, point: &'static str) {
        self.set(point, FaultKind::Panic, FOR_EVER);
    }

    pub fn fail(&self, point: &'static str, why: &'static str) {
        self.set(point, FaultKind::Fail(why), FOR_EVER);
    }

    pub fn fail_once(&self, point: &'static str, why: &'static str) {
        self.set(point, FaultKind::Fail(why), 1);
    }

    pub fn stall(&self, point: &'static str) {
        self.set(point, FaultKind::Stall, FOR_EVER);
    }

    /// Stops the fault.
    pub fn clear(&self, point: &'static str) {
        if let Some(point) = self.0.points().get_mut(point) {
            point.remaining = 0;
        }
        self.0.changed.notify_all();
    }

    /// How often the fault has happened.
    pub fn count(&self, point: &'static str) -> usize {
        self.0.points().get(point).map_or(0, |point| point.count)
    }

    fn set(&self, name: &'static str, kind: FaultKind, remaining: usize) {
        let mut points = self.0.points();
        let point = points.entry(name).or_default();
        (point.kind, point.remaining) = (kind, remaining);
    }
}

impl FaultState {
    fn points(&self) -> MutexGuard<'_, HashMap<&'static str, PointFault>> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trigger(&self, name: &'static str) -> io::Result<()> {
        let mut points = self.points();
        let Some(point) = points.get_mut(name).filter(|point| point.remaining > 0) else { return Ok(()) };
        if point.remaining != FOR_EVER {
            point.remaining -= 1;
        }
        point.count += 1;
        let kind = point.kind.clone();
        match kind {
            FaultKind::Fail(why) => Err(io::Error::other(why)),
            FaultKind::Panic => {
                drop(points);
                panic!("a fault on purpose at {name}");
            }
            FaultKind::Stall => {
                let stalls = |points: &mut HashMap<&'static str, PointFault>| {
                    points.get(name).is_some_and(|point| point.remaining > 0)
                };
                drop(self.changed.wait_while(points, stalls));
                Ok(())
            }
        }
    }
}
