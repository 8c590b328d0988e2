//! Tests the engine with programs that are built by hand, without the language.

mod answers;
mod build;
mod decisions;
mod donkey;
mod donkey_rules;
mod inputs;
mod ops;
