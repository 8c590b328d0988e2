//! Options and presets: what people choose before a game starts.

use super::OptionId;
use super::var::Type;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptionDecl {
    pub name: String,
    pub title: String,
    pub ty: Type,
    pub default: OptionValue,
    /// For choices: a text for each value; "" where the file gives none.
    pub value_titles: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionValue {
    Number(i32),
    Text(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Preset {
    pub name: String,
    pub values: Vec<(OptionId, OptionValue)>,
}
