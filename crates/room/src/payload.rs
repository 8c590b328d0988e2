//! Messages to clients, each encoded once, however many clients get it.

use crate::encode;
use baize_rows::Unwritable;
use serde::Serialize;
use std::sync::Arc;

/// A message to clients as JSON text. Cloning a payload copies no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(Arc<[u8]>);

impl Payload {
    pub fn new(message: &impl Serialize) -> Result<Self, Unwritable> {
        encode::json("a message", message).map(|json| Payload::from_json(&json))
    }

    /// Makes a payload of JSON that is already encoded.
    pub fn from_json(json: &[u8]) -> Self {
        Payload(Arc::from(json))
    }

    pub fn json(&self) -> &[u8] {
        &self.0
    }
}
