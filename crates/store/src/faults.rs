//! Faults on purpose. A test hands in a function that is asked at every edge between the program and what it relies on, and may
//! panic there, wait there, or say that it went wrong. Outside of tests nobody is asked.

use std::fmt;
use std::io;
use std::sync::Arc;

/// Is told the name of an edge, as in `store/sync`, and what it is about: often a table's code.
type Strike = dyn Fn(&'static str, &str) -> io::Result<()> + Send + Sync;

/// None by default.
#[derive(Clone, Default)]
pub struct Faults(Option<Arc<Strike>>);

impl Faults {
    pub fn new(strike: impl Fn(&'static str, &str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Faults(Some(Arc::new(strike)))
    }

    /// Something is about to be done that may fail.
    pub fn at(&self, edge: &'static str, about: &str) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |strike| strike(edge, about))
    }

    /// Something is about to be done that can't fail: if it is to go wrong, it panics.
    pub fn trip(&self, edge: &'static str, about: &str) {
        if let Err(error) = self.at(edge, about) {
            panic!("a fault on purpose at {edge}: {error}");
        }
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Faults(some)" } else { "Faults(none)" })
    }
}
