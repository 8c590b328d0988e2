//! Faults that a test turns on and off while a server runs.

use baize_server::Faults;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What goes wrong at which edge (see *Faults* in `docs/operating.md`).
#[derive(Clone, Default)]
pub struct Trouble(Arc<Inner>);

#[derive(Default)]
struct Inner {
    edges: Mutex<HashMap<&'static str, Edge>>,
    changed: Condvar,
}

#[derive(Default)]
struct Edge {
    kind: Kind,
    /// So many times; then all is well.
    left: usize,
    struck: usize,
}

#[derive(Clone, Default)]
enum Kind {
    #[default]
    Panic,
    Fail(&'static str),
    /// Nothing goes on here until the trouble is over.
    Stall,
}

const FOR_EVER: usize = usize::MAX;

impl Trouble {
    pub fn faults(&self) -> Faults {
        let inner = self.0.clone();
        Faults::new(move |name, _| inner.strike(name))
    }

    pub fn panic_once(&self, edge: &'static str) {
        self.set(edge, Kind::Panic, 1);
    }

    pub fn panic_always(&self, edge: &'static str) {
        self.set(edge, Kind::Panic, FOR_EVER);
    }

    pub fn fail(&self, edge: &'static str, why: &'static str) {
        self.set(edge, Kind::Fail(why), FOR_EVER);
    }

    pub fn fail_once(&self, edge: &'static str, why: &'static str) {
        self.set(edge, Kind::Fail(why), 1);
    }

    pub fn stall(&self, edge: &'static str) {
        self.set(edge, Kind::Stall, FOR_EVER);
    }

    /// The cause is gone.
    pub fn over(&self, edge: &'static str) {
        if let Some(edge) = self.0.edges().get_mut(edge) {
            edge.left = 0;
        }
        self.0.changed.notify_all();
    }

    /// How often it has gone wrong.
    pub fn struck(&self, edge: &'static str) -> usize {
        self.0.edges().get(edge).map_or(0, |edge| edge.struck)
    }

    fn set(&self, name: &'static str, kind: Kind, left: usize) {
        let mut edges = self.0.edges();
        let edge = edges.entry(name).or_default();
        (edge.kind, edge.left) = (kind, left);
    }
}

impl Inner {
    fn edges(&self) -> MutexGuard<'_, HashMap<&'static str, Edge>> {
        self.edges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strike(&self, name: &'static str) -> io::Result<()> {
        let mut edges = self.edges();
        let Some(edge) = edges.get_mut(name).filter(|edge| edge.left > 0) else { return Ok(()) };
        if edge.left != FOR_EVER {
            edge.left -= 1;
        }
        edge.struck += 1;
        let kind = edge.kind.clone();
        match kind {
            Kind::Fail(why) => Err(io::Error::other(why)),
            Kind::Panic => {
                drop(edges);
                panic!("a fault on purpose at {name}");
            }
            Kind::Stall => {
                let stalls =
                    |edges: &mut HashMap<&'static str, Edge>| edges.get(name).is_some_and(|edge| edge.left > 0);
                drop(self.changed.wait_while(edges, stalls));
                Ok(())
            }
        }
    }
}
