//! The engine played through hand-built programs.

mod build;
mod donkey;
mod donkey_rules;
