//! The language: source text in, checked and compiled rules out, or diagnostics. No IO.
//!
//! `lex` → `parse` → [`ast`] → `elaborate` → [`program`]. Each step's type makes the next one safe:
//! only a file without errors becomes a [`program::Program`].

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

/// All that is wrong with a file.
pub fn check_source(source: &str) -> Vec<Diagnostic> {
    compile(source).1
}
