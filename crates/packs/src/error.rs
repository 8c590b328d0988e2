//! Problems of a file, worded for its author, who need not be a programmer.

use std::fmt;

use crate::limits;

/// One problem: where it is, what it is and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackError {
    pub at: At,
    pub message: String,
    pub hint: String,
}

/// A place in a file, in the terms of the tool in which its author probably edits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The file as a whole.
    File,
    /// A place in the text, for problems before the structure is known. Both count from 1.
    Place { line: usize, column: usize },
    /// A value in JSON, as in `cards.prompt[3]`; list positions count from 0, as in JSON tools.
    Path(String),
    /// A row as a spreadsheet numbers it (the heading is row 1) and the line of the text on which it begins. They
    /// differ after a cell that holds several lines.
    Row { row: usize, line: usize },
}

/// The problems of a file, at most [`limits::PROBLEMS`] of them listed. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackErrors {
    pub listed: Vec<PackError>,
    /// How many more there are.
    pub unlisted: usize,
}

/// A problem without its place in the file.
#[derive(Debug)]
pub(crate) struct ProblemText {
    pub message: String,
    pub hint: String,
}

/// Collects problems while the reader continues, so that an author sees all of them at once.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    listed: Vec<PackError>,
    unlisted: usize,
}

impl ProblemText {
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> ProblemText {
        ProblemText { message: message.into(), hint: hint.into() }
    }
}

impl Problems {
    pub fn add(&mut self, at: At, fault: ProblemText) {
        if self.listed.len() < limits::PROBLEMS {
            let ProblemText { message, hint } = fault;
            self.listed.push(PackError { at, message, hint });
        } else {
            self.unlisted += 1;
        }
    }

    /// Adds a problem of the whole file in front of the list, even if the list is full.
    pub fn add_first(&mut self, fault: ProblemText) {
        if self.listed.len() == limits::PROBLEMS {
            self.listed.pop();
            self.unlisted += 1;
        }
        let ProblemText { message, hint } = fault;
        self.listed.insert(0, PackError { at: At::File, message, hint });
    }

    pub fn count(&self) -> usize {
        self.listed.len() + self.unlisted
    }

    pub fn into_result<T>(self, value: T) -> Result<T, PackErrors> {
        let Problems { listed, unlisted } = self;
        if listed.is_empty() { Ok(value) } else { Err(PackErrors { listed, unlisted }) }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::File => f.write_str("the file"),
            At::Place { line, column } => write!(f, "line {line}, column {column}"),
            At::Path(path) => f.write_str(path),
            At::Row { row, line } if row == line => write!(f, "row {row}"),
            At::Row { row, line } => write!(f, "row {row} (line {line})"),
        }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n    {}", self.at, self.message, self.hint)
    }
}

impl fmt::Display for PackErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.listed.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        match self.unlisted {
            0 => Ok(()),
            1 => f.write_str("\n… and one more problem."),
            n => write!(f, "\n… and {n} more problems."),
        }
    }
}

impl std::error::Error for PackError {}
impl std::error::Error for PackErrors {}
