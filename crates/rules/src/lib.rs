#![doc = include_str!("../README.md")]
//!
//! Each step's type makes the next one safe: only a file without errors becomes a [`program::Program`].

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

pub mod ast;
pub mod diagnostic;
mod elaborate;
mod format;
mod lex;
pub mod parse;
pub mod program;
pub mod span;
pub mod switch;

use diagnostic::Diagnostic;
use program::Program;

pub use format::format;

/// Compiles a rules file. Without a program there is at least one error among the diagnostics.
pub fn compile(source: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let (file, mut diagnostics) = parse::parse(source);
    // A line that the parser can't read may declare names that all other lines use. So the elaborator runs only if the
    // parser could read every line; otherwise one mistake would give many diagnostics.
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (program, more) = elaborate::elaborate(&file);
    diagnostics.extend(more);
    diagnostics.sort_by_key(|d| d.span.start);
    (program, diagnostics)
}

/// A condition on the table of a game.
#[derive(Clone, Debug)]
pub struct Condition {
    pub holds: program::Num,
    /// For a comparison: its left side, and the format in which to write the value.
    pub compared: Option<(program::Num, program::ValueFormat)>,
}

/// Compiles a condition that uses the names of a game. It may read everything at the table, and names players by their
/// numbers, counted from 1. `source` must be a rules file without errors.
pub fn condition(source: &str, words: &str) -> Result<Condition, Vec<Diagnostic>> {
    let (file, problems) = parse::parse(source);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    elaborate::condition(&file, &parse::parse_value(words)?)
}

/// Returns all diagnostics of a file.
pub fn check_source(source: &str) -> Vec<Diagnostic> {
    compile(source).1
}
