//! Reads the errors that servers of this process write to the log.

use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// The messages of level error, each with its fields. All tests share the list.
static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Begins to keep errors of the whole process, because the servers have threads of their own.
pub fn keep_errors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(ErrorLog).expect("no other subscriber"));
}

/// The errors that name this table.
pub fn errors_about(code: &str) -> Vec<String> {
    errors().iter().filter(|line| line.contains(&format!("code={code} "))).cloned().collect()
}

fn errors() -> MutexGuard<'static, Vec<String>> {
    ERRORS.lock().unwrap_or_else(PoisonError::into_inner)
}

struct ErrorLog;

#[derive(Default)]
struct EventText(String);

impl Visit for EventText {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, "{}={value} ", field.name());
    }
}

impl Subscriber for ErrorLog {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.is_event() && *about.level() == Level::ERROR
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = EventText::default();
        event.record(&mut text);
        errors().push(text.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
