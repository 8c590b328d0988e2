//! Reads a JSON file: recognises its form, and finds the packs in it.

use crate::error::{At, ProblemText};
use crate::node::{self, Node, Object, member};
use crate::reading::Reading;
use crate::{canonical, compact};

pub(crate) fn read(source: &str, most_values: usize, reading: &mut Reading) {
    let root = match node::parse(source, most_values) {
        Ok(root) => root,
        Err((at, fault)) => return reading.problems.add(at, fault),
    };
    match &root {
        Node::List(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                let name = match items.len() {
                    1 => reading.name.clone(),
                    _ => format!("{} {}", reading.name, i + 1),
                };
                read_pack(item, &format!("[{i}]"), None, &name, reading);
            }
        }
        Node::Object(object) if compact::is_collection(object) => compact::read_collection(object, reading),
        // An object of complete packs by key.
        Node::Object(object)
            if !object.is_empty() && object.iter().all(|(_, v)| v.as_object().is_some_and(is_pack)) =>
        {
            for (key, item) in object.iter() {
                read_pack(item, &member("", key), Some(key), key, reading);
            }
        }
        other => {
            let name = reading.name.clone();
            read_pack(other, "", None, &name, reading);
        }
    }
}

fn is_pack(object: &Object) -> bool {
    object.has("cards") || compact::is_single(object)
}

/// Reads one complete pack, in the canonical or the compact form.
fn read_pack(node: &Node, path: &str, key: Option<&str>, fallback_name: &str, reading: &mut Reading) {
    match node.as_object() {
        Some(object) if object.has("cards") => canonical::read(object, path, key, fallback_name, reading),
        Some(object) if compact::is_single(object) => compact::read_single(object, path, key, fallback_name, reading),
        _ => {
            let at = if path.is_empty() { At::File } else { At::Path(path.into()) };
            reading.problems.add(
                at,
                ProblemText::new(
                    "This does not look like a card pack.",
                    r#"The smallest one is: {"name": "Mine", "cards": {"prompt": [{"text": "I like _____."}], "answer": [{"text": "Tea"}]}}"#,
                ),
            );
        }
    }
}
