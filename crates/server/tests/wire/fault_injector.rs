//! Faults that a test turns on and off while a server runs.

use baize_server::Faults;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The faults at each edge (see *Faults* in `docs/operating.md`).
#[derive(Clone, Default)]
pub struct FaultInjector(Arc<FaultState>);

#[derive(Default)]
struct FaultState {
    edges: Mutex<HashMap<&'static str, EdgeFault>>,
    changed: Condvar,
}

#[derive(Default)]
struct EdgeFault {
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

    pub fn panic_once(&self, edge: &'static str) {
        self.set(edge, FaultKind::Panic, 1);
    }

    pub fn panic_always(&self, edge: &'static str) {
        self.set(edge, FaultKind::Panic, FOR_EVER);
    }

    pub fn fail(&self, edge: &'static str, why: &'static str) {
        self.set(edge, FaultKind::Fail(why), FOR_EVER);
    }

    pub fn fail_once(&self, edge: &'static str, why: &'static str) {
        self.set(edge, FaultKind::Fail(why), 1);
    }

    pub fn stall(&self, edge: &'static str) {
        self.set(edge, FaultKind::Stall, FOR_EVER);
    }

    /// Stops the fault.
    pub fn clear(&self, edge: &'static str) {
        if let Some(edge) = self.0.edges().get_mut(edge) {
            edge.remaining = 0;
        }
        self.0.changed.notify_all();
    }

    /// How often the fault has happened.
    pub fn count(&self, edge: &'static str) -> usize {
        self.0.edges().get(edge).map_or(0, |edge| edge.count)
    }

    fn set(&self, name: &'static str, kind: FaultKind, remaining: usize) {
        let mut edges = self.0.edges();
        let edge = edges.entry(name).or_default();
        (edge.kind, edge.remaining) = (kind, remaining);
    }
}

impl FaultState {
    fn edges(&self) -> MutexGuard<'_, HashMap<&'static str, EdgeFault>> {
        self.edges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trigger(&self, name: &'static str) -> io::Result<()> {
        let mut edges = self.edges();
        let Some(edge) = edges.get_mut(name).filter(|edge| edge.remaining > 0) else { return Ok(()) };
        if edge.remaining != FOR_EVER {
            edge.remaining -= 1;
        }
        edge.count += 1;
        let kind = edge.kind.clone();
        match kind {
            FaultKind::Fail(why) => Err(io::Error::other(why)),
            FaultKind::Panic => {
                drop(edges);
                panic!("a fault on purpose at {name}");
            }
            FaultKind::Stall => {
                let stalls = |edges: &mut HashMap<&'static str, EdgeFault>| {
                    edges.get(name).is_some_and(|edge| edge.remaining > 0)
                };
                drop(self.changed.wait_while(edges, stalls));
                Ok(())
            }
        }
    }
}
