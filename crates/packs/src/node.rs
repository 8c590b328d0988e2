//! Reads JSON into a tree. Refuses three things that a general reader accepts: unbounded nesting, an unbounded number of
//! values, and a repeated key, of which one would silently win.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::{At, ProblemText};
use crate::limits;
use crate::text::quoted;

/// One JSON value.
#[derive(Debug)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Whole(i64),
    /// A number that is not whole or does not fit 64 bits. No pack needs one, so the reader does not keep its value.
    OtherNumber,
    Text(String),
    List(Vec<Node>),
    Object(Object),
}

/// Keys and values in the order of the file, so that packs keep their author's order.
#[derive(Debug)]
pub(crate) struct Object(Vec<(String, Node)>);

pub(crate) fn parse(source: &str, most_values: usize) -> Result<Node, (At, ProblemText)> {
    let budget = Budget { values: Cell::new(most_values), fault: RefCell::new(None) };
    let seed = Seed { depth: limits::JSON_DEPTH, budget: &budget };
    let mut reader = serde_json::Deserializer::from_str(source);
    let result = seed.deserialize(&mut reader).and_then(|node| {
        reader.end()?;
        Ok(node)
    });
    result.map_err(|error| {
        let at = At::Place {
            line: error.line(),
            // serde_json reports column 0 just after a line break.
            column: error.column().max(1),
        };
        let fault = budget.fault.take().unwrap_or_else(|| {
            let text = error.to_string();
            ProblemText::new(
                format!("This is not well-formed JSON: {}.", in_plain_words(&text)),
                "Look at this place and just before it for a missing or extra comma, quote or bracket.",
            )
        });
        (at, fault)
    })
}

/// Rewords serde_json's messages about common mistakes, because they are written for programmers.
fn in_plain_words(error: &str) -> &str {
    let reason = error.rfind(" at line ").map_or(error, |end| &error[..end]);
    match reason {
        reason if reason.starts_with("EOF") => "the file ends before everything is closed",
        "trailing comma" => "there is a comma after the last thing in a list",
        "trailing characters" => "there is something after the end of it",
        reason if reason.starts_with("control character") => "a text runs over the end of its line",
        reason => reason,
    }
}

impl Node {
    /// The kind of a value, for messages: "…, and this is a list".
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Null => "nothing (null)",
            Node::Bool(_) => "true or false",
            Node::Whole(_) | Node::OtherNumber => "a number",
            Node::Text(_) => "a text",
            Node::List(_) => "a list",
            Node::Object(_) => "an object",
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Node::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl Object {
    /// The value of a key. A key whose value is `null` counts as left out.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.0.iter().find(|(k, v)| k == key && !matches!(v, Node::Null)).map(|(_, v)| v)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The path of a member of the object at `path`. Unusual keys are quoted, so that a message stays one line.
pub(crate) fn member(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.len() <= 60 && key.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    match (path.is_empty(), plain) {
        (true, true) => key.into(),
        (false, true) => format!("{path}.{key}"),
        (_, false) => format!("{path}[{}]", quoted(key)),
    }
}

/// How many values the reader may still read, shared by all levels of a file. It also carries the fault out of the
/// reader, because an error of serde has only one line of text.
struct Budget {
    values: Cell<usize>,
    fault: RefCell<Option<ProblemText>>,
}

#[derive(Clone, Copy)]
struct Seed<'b> {
    depth: usize,
    budget: &'b Budget,
}

impl<'b> Seed<'b> {
    fn deeper<E: Error>(self) -> Result<Seed<'b>, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Seed { depth, ..self }),
            None => Err(self.fail(ProblemText::new(
                "The brackets are nested too deeply for a card pack.",
                "Check that this file is a card pack, and that each bracket is closed where it should be.",
            ))),
        }
    }

    fn spend<E: Error>(self) -> Result<(), E> {
        match self.budget.values.get().checked_sub(1) {
            Some(left) => {
                self.budget.values.set(left);
                Ok(())
            }
            None => Err(self.fail(ProblemText::new(
                "This file holds far more values than a card pack does.",
                format!("A file may hold {} cards. Split it into several packs.", limits::CARDS),
            ))),
        }
    }

    fn fail<E: Error>(self, fault: ProblemText) -> E {
        self.budget.fault.replace(Some(fault));
        E::custom("refused")
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Node, D::Error> {
        self.spend()?;
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Whole(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::OtherNumber, Node::Whole))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::OtherNumber)
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let inner = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let inner = self.deeper()?;
        let mut seen = HashSet::new();
        let mut object = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(self.fail(ProblemText::new(
                    format!("The key {} is given twice.", quoted(&key)),
                    "Put everything under one of them and delete the other.",
                )));
            }
            object.push((key, entries.next_value_seed(inner)?));
        }
        Ok(Node::Object(Object(object)))
    }
}
