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
    // A line that can't be read may be the one that declares what all the others use: what they mean
    // is looked at once every line can be read, so that one mistake is one message.
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (program, more) = elaborate::elaborate(&file);
    diagnostics.extend(more);
    diagnostics.sort_by_key(|d| d.span.start);
    (program, diagnostics)
}

/// Something that may hold at a table of a game.
#[derive(Clone, Debug)]
pub struct Condition {
    pub holds: program::Num,
    /// Of a comparison: what is compared, and how it is written out.
    pub compared: Option<(program::Num, program::ValueFormat)>,
}

/// Compiles a condition on the table of a game, in the words of its rules. It may look at everything, and calls players
/// by their numbers, from 1 on. The source must be that of a game without errors.
pub fn condition(source: &str, words: &str) -> Result<Condition, Vec<Diagnostic>> {
    let (file, problems) = parse::parse(source);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    elaborate::condition(&file, &parse::parse_value(words)?)
}

/// All that is wrong with a file.
pub fn check_source(source: &str) -> Vec<Diagnostic> {
    compile(source).1
}
