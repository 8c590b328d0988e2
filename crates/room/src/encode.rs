//! Serialisation. A value that cannot be serialised is an error, and never an empty row.

use baize_rows::Unwritable;
use serde::Serialize;

pub fn json(what: &'static str, value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Unwritable> {
    serde_json::to_vec(value).map_err(|error| Unwritable::new(what, error))
}

pub fn json_text(what: &'static str, value: &impl Serialize) -> Result<String, Unwritable> {
    serde_json::to_string(value).map_err(|error| Unwritable::new(what, error))
}

/// Encodes a value with postcard and appends it to `bytes`.
pub fn compact(what: &'static str, value: &impl Serialize, bytes: Vec<u8>) -> Result<Vec<u8>, Unwritable> {
    postcard::to_extend(value, bytes).map_err(|error| Unwritable::new(what, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActionRefusal;
    use baize_protocol::ErrorCode;
    use std::collections::BTreeMap;

    #[test]
    fn a_value_without_a_written_form_is_an_error() {
        // JSON allows only texts as keys.
        let value = BTreeMap::from([((1, 2), 3)]);
        let error = json("a test", &value).unwrap_err();
        assert!(error.to_string().starts_with("a test cannot"));
        assert_eq!(ActionRefusal::from(error).code, ErrorCode::Storage);
    }
}
