#![doc = include_str!("../README.md")]
//!
//! Vocabulary:
//!
//! - A **pack** is a named set of cards, kept by *deck* name. The names mean nothing here, except two: cards of the
//!   `prompt` deck have blanks and say how many answers they *pick*; cards of the `answer` deck fill them.
//! - A **blank** is a run of underscores in a prompt. A pack always writes it with five: `_____`.
//! - The **canonical** form is our own JSON ([`to_json`]). The **compact** form is the JSON that most collections on the
//!   web use, and a **sheet** is CSV from a spreadsheet. [`parse`] recognises the form by the content.
//!
//! Absent on purpose: IO, clocks, threads, and any change to an author's text beyond white space and the length of
//! blanks. Markup in a text stays as it is: a client must show a card as plain text.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod blanks;
mod canonical;
mod card;
mod compact;
mod error;
mod export;
mod json;
mod merge;
mod node;
mod pack;
mod reading;
mod sheet;
mod text;

pub use blanks::{BLANK, PromptPiece, blanks, fill, interpolate};
pub use error::{At, PackError, PackErrors};
pub use export::{to_csv, to_json};
pub use merge::{Merged, merge};
pub use pack::{ANSWER, Card, PROMPT, Pack};
pub use reading::{Imported, Trust};

/// A sheet to start a pack from: a card of each kind, with a column of notes that explains it.
pub const TEMPLATE: &str = include_str!("template.csv");

/// Limits of [`parse`]. They make a hostile file cheap to refuse and keep texts short enough for a card.
pub mod limits {
    /// Bytes in a file.
    pub const FILE_BYTES: usize = 2 * 1024 * 1024;
    /// Bytes of the canonical form of all packs of a file together. It writes the name of a number on every card, and a
    /// compact file may name one long card often, so without this a small file could become a very large one.
    pub const STORED_BYTES: usize = 2 * FILE_BYTES;
    /// Cards in all packs of a file together. A compact file names cards by number, so without this a small file
    /// could ask for the same card a million times.
    pub const CARDS: usize = 20_000;
    /// Packs in a file.
    pub const PACKS: usize = 1_000;
    /// Characters of a card's text.
    pub const TEXT_CHARS: usize = 400;
    /// Characters of a pack's description.
    pub const DESCRIPTION_CHARS: usize = 400;
    /// Characters of a pack's name.
    pub const NAME_CHARS: usize = 80;
    /// Characters of a pack's id, a deck's name and the name of a number on a card.
    pub const WORD_CHARS: usize = 40;
    /// Answers one prompt may pick.
    pub const PICK: i64 = 3;
    /// Largest absolute value of a number on a card.
    pub const NUMBER: i64 = 1_000_000;
    /// Nesting depth of a JSON file.
    pub const JSON_DEPTH: usize = 8;
    /// Values of any kind in a JSON file: about ten for each card.
    pub const JSON_VALUES: usize = 250_000;
    /// Columns of a sheet.
    pub const COLUMNS: usize = 24;
    /// Problems that are listed; further ones are only counted.
    pub const PROBLEMS: usize = 20;
}

/// Reads one file: canonical JSON, compact JSON or CSV.
///
/// `name` is for a pack without a name of its own, usually the file's name without its ending. Returns either every pack
/// of the file or every problem: players would notice a half-imported pack only in the middle of a game.
pub fn parse(bytes: &[u8], name: &str, trust: Trust) -> Result<Imported, PackErrors> {
    let mut reading = reading::Reading::new(name, trust);
    match text::check_size(bytes).and_then(|()| text::decode(bytes)) {
        Err((at, fault)) => reading.problems.add(at, fault),
        Ok(source) if source.trim().is_empty() => reading
            .problems
            .add(At::File, error::ProblemText::new("This file is empty.", "Check that you chose the right file.")),
        Ok(source) if source.trim_start().starts_with(['{', '[']) => {
            json::read(source, limits::JSON_VALUES, &mut reading);
        }
        Ok(source) => sheet::read(source, &mut reading),
    }
    reading.finish().and_then(check_stored_size)
}

fn check_stored_size(imported: Imported) -> Result<Imported, PackErrors> {
    let bytes: usize = imported.packs.iter().map(|pack| to_json(pack).len()).sum();
    let mut problems = error::Problems::default();
    if bytes > limits::STORED_BYTES {
        problems.add_first(error::ProblemText::new(
            format!("The cards of this file are too big: {:.1} MB when they are written out.", bytes as f64 / (1024.0 * 1024.0)),
            format!(
                "They may have {} MB. Use fewer cards, fewer numbers on them, or shorter names for these; or split the file into several packs.",
                limits::STORED_BYTES / (1024 * 1024)
            ),
        ));
    }
    problems.into_result(imported)
}

/// Reads a pack that [`to_json`] wrote.
///
/// The canonical form of a sheet or of a compact file may have more bytes and more JSON values than an uploaded file may
/// have. Every such pack came through [`parse`] once, so the limits of a file do not apply again; with them, a pack just
/// below a limit could be stored but never read.
pub fn parse_stored(bytes: &[u8], name: &str, trust: Trust) -> Result<Imported, PackErrors> {
    let mut reading = reading::Reading::new(name, trust);
    match text::decode(bytes) {
        Err((at, fault)) => reading.problems.add(at, fault),
        Ok(source) => json::read(source, usize::MAX, &mut reading),
    }
    reading.finish()
}
