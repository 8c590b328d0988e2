//! Law: any bytes give a program or at least one error, and every diagnostic can be rendered.
#![no_main]

use baize_rules::diagnostic::{Diagnostic, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = baize_rules::parse::decode(bytes) else { return };
    let (program, diagnostics) = baize_rules::compile(source);
    assert!(program.is_some() || diagnostics.iter().any(Diagnostic::is_error));
    let _ = render("fuzz.baize", source, &diagnostics);
});
