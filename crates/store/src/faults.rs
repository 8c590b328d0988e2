//! Fault injection. A test hands in a function that the program calls before it uses the disk, the network or a database. The function
//! may panic, block or return an error. Outside of tests there is no such function.

use std::fmt;
use std::io;
use std::sync::Arc;

/// Gets the name of a fault point, such as `store/sync`, and often the code of the table that is concerned.
type Inject = dyn Fn(&'static str, &str) -> io::Result<()> + Send + Sync;

/// The function that injects faults; none by default.
#[derive(Clone, Default)]
pub struct Faults(Option<Arc<Inject>>);

impl Faults {
    pub fn new(inject: impl Fn(&'static str, &str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Faults(Some(Arc::new(inject)))
    }

    /// A fault point before an operation that can fail.
    pub fn at(&self, point: &'static str, about: &str) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |inject| inject(point, about))
    }

    /// A fault point where the program has no way to fail: an injected error becomes a panic.
    pub fn trip(&self, point: &'static str, about: &str) {
        if let Err(error) = self.at(point, about) {
            panic!("a fault on purpose at {point}: {error}");
        }
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Faults(some)" } else { "Faults(none)" })
    }
}
