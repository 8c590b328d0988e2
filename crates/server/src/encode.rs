//! Values as bytes. What can't be written down is an error that fails whatever was to be done, and never an empty row.

use crate::room::No;
use baize_protocol::ErrorCode;
use baize_store::StoreError;
use serde::Serialize;

/// A value that has no written form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// As in "a log row".
    what: &'static str,
    why: String,
}

impl Unwritable {
    pub fn new(what: &'static str, why: impl ToString) -> Self {
        Unwritable { what, why: why.to_string() }
    }
}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} cannot be written down: {}", self.what, self.why)
    }
}

impl From<Unwritable> for StoreError {
    fn from(unwritable: Unwritable) -> Self {
        StoreError::Failed(unwritable.to_string())
    }
}

impl From<Unwritable> for No {
    fn from(unwritable: Unwritable) -> Self {
        tracing::error!(error = %unwritable, "refused");
        ErrorCode::Storage.into()
    }
}

pub fn json(what: &'static str, value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Unwritable> {
    serde_json::to_vec(value).map_err(|error| Unwritable::new(what, error))
}

pub fn json_text(what: &'static str, value: &impl Serialize) -> Result<String, Unwritable> {
    serde_json::to_string(value).map_err(|error| Unwritable::new(what, error))
}

/// The compact form, added to what is there.
pub fn compact(what: &'static str, value: &impl Serialize, bytes: Vec<u8>) -> Result<Vec<u8>, Unwritable> {
    postcard::to_extend(value, bytes).map_err(|error| Unwritable::new(what, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn what_has_no_written_form_is_an_error() {
        // JSON has no such keys.
        let value = BTreeMap::from([((1, 2), 3)]);
        let error = json("a test", &value).unwrap_err();
        assert!(matches!(StoreError::from(error.clone()), StoreError::Failed(why) if why.starts_with("a test cannot")));
        assert_eq!(No::from(error).code, ErrorCode::Storage);
    }
}
