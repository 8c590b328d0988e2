//! The engine played through hand-built programs.

mod answers;
mod build;
mod decisions;
mod donkey;
mod donkey_rules;
mod inputs;
mod ops;
