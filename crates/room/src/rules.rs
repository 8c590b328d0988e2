//! One compiled version of a game, and the hashes that pin a table to it.

use crate::encode;
use crate::identity::{hash, hex};
use baize_engine::definition::Definition;
use baize_engine::table::SEMANTICS;
use baize_protocol::problem::Problem;
use baize_rows::{Hash, Unwritable};
use baize_rules::program::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

#[derive(Debug)]
pub struct Rules {
    pub id: String,
    pub source: String,
    pub program: Arc<Program>,
    pub definition: Definition,
    pub pin: Pin,
}

/// The stored program of some rules cannot be read.
#[derive(Debug)]
pub struct DamagedProgram(postcard::Error);

impl fmt::Display for DamagedProgram {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the stored program of the rules is damaged: {}", self.0)
    }
}

impl std::error::Error for DamagedProgram {}

/// The hashes that pin a table to one version of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pin {
    pub source: Hash,
    pub program: Hash,
    /// Hash of the definition as JSON; clients fetch it by this hash.
    pub definition: Hash,
    pub semantics: u32,
}

/// The current state of a game's file: its rules, or what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct CurrentFile {
    /// `None` if the file is gone or has errors.
    pub rules: Option<Arc<Rules>>,
    /// Problems that the table shows while a designer works on the file; otherwise empty.
    pub problems: Vec<Problem>,
}

impl Rules {
    /// Makes rules from a source and the program compiled from it.
    pub fn new(id: &str, source: &str, program: Program) -> Result<Self, Unwritable> {
        let definition = Definition::of(id, &program);
        let pin = Pin {
            source: hash(&[source.as_bytes()]),
            program: hash(&[&program_bytes(&program)?]),
            definition: hash(&[&definition_bytes(&definition)?]),
            semantics: SEMANTICS,
        };
        Ok(Rules { id: id.to_owned(), source: source.to_owned(), program: Arc::new(program), definition, pin })
    }

    /// Reads stored rules. The caller has compared the semantics, so a program that cannot be read is damaged.
    pub fn stored(id: &str, pin: Pin, source: &[u8], program: &[u8]) -> Result<Self, DamagedProgram> {
        let program = postcard::from_bytes::<Program>(program).map_err(DamagedProgram)?;
        let (id, source) = (id.to_owned(), String::from_utf8_lossy(source).into_owned());
        let definition = Definition::of(&id, &program);
        Ok(Rules { id, source, program: Arc::new(program), definition, pin })
    }

    /// The blobs from which [`Rules::stored`] can make these rules again.
    pub fn blobs(&self) -> Result<[(Hash, Vec<u8>); 3], Unwritable> {
        Ok([
            (self.pin.source, self.source.clone().into_bytes()),
            (self.pin.program, program_bytes(&self.program)?),
            (self.pin.definition, definition_bytes(&self.definition)?),
        ])
    }

    /// Whether the game deals cards from packs.
    pub fn takes_packs(&self) -> bool {
        self.definition.decks.values().any(|deck| deck.from_packs)
    }
}

impl Pin {
    /// The hashes of [`Rules::blobs`].
    pub fn blobs(&self) -> [Hash; 3] {
        [self.source, self.program, self.definition]
    }
}

fn program_bytes(program: &Program) -> Result<Vec<u8>, Unwritable> {
    encode::compact("a program", program, Vec::new())
}

fn definition_bytes(definition: &Definition) -> Result<Vec<u8>, Unwritable> {
    encode::json("a definition", definition)
}

/// The path from which a client fetches a definition.
pub fn address(hash: &Hash) -> String {
    format!("/api/definitions/{}", hex(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: rules whose program was damaged counted as missing.
    #[test]
    fn a_damaged_program_is_an_error_that_says_so() {
        let source = include_str!("../../../games/high-low.baize");
        let rules = Rules::new("high-low", source, baize_rules::compile(source).0.unwrap()).unwrap();
        let [_, (_, program), _] = rules.blobs().unwrap();
        let read = |program: &[u8]| Rules::stored("high-low", rules.pin, source.as_bytes(), program);
        assert_eq!(read(&program).unwrap().definition, rules.definition);
        for cut in [0, 1, program.len() / 2, program.len() - 1] {
            let error = read(&program[..cut]).map(drop).unwrap_err();
            assert!(error.to_string().contains("damaged"), "{cut}: {error}");
        }
    }
}
