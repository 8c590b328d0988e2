//! The language: source text in, checked and compiled rules out, or diagnostics. No IO.
//!
//! `lex` → `parse` → [`ast`] → `elaborate` → [`program`]. Each step's type makes the next one safe:
//! only a file without errors becomes a [`program::Program`].

#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
mod elaborate;
mod lex;
pub mod parse;
pub mod program;
pub mod span;

use diagnostic::Diagnostic;
use program::Program;

/// Compiles a rules file. Without a program there is at least one error among the diagnostics.
pub fn compile(source: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let (file, mut diagnostics) = parse::parse(source);
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    if broken && diagnostics.iter().any(|d| d.code.starts_with("limit/")) {
        return (None, diagnostics);
    }
    let (program, more) = elaborate::elaborate(&file);
    diagnostics.extend(more);
    diagnostics.sort_by_key(|d| d.span.start);
    (program.filter(|_| !broken), diagnostics)
}

/// All that is wrong with a file.
pub fn check_source(source: &str) -> Vec<Diagnostic> {
    compile(source).1
}
