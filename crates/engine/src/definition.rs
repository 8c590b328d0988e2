//! What a client is told about a game before it looks at a table: the `GameDefinition` of the
//! platform's document, and after it our own fields.
//!
//! Two halves. [`Definition`] depends on the rules alone and can be listed in a lobby. [`Setting`]s
//! chosen, packs merged and seats counted make an instance, and what depends on those (which zone is
//! where in a view, what is printed on each card) is in [`TableDefinition`].

mod faces;
mod layout;
mod phases;
mod slots;
mod texts;

pub use layout::{CardFace, DiceLayout, IndexValue, Sign, TableDefinition, ValueLayout, ZoneLayout};
pub use phases::{Condition, PhaseDefinition, PhaseTimeout, PhaseTransition};
pub use slots::{SlotDefinition, SlotScope, SlotVisibility};
pub(crate) use texts::revealed_name;

use baize_rules::program::{self, AttrDomain, OptionDecl, OptionValue, Program, Type, capitalised};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game, as its rules file alone describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    pub id: String,
    pub name: String,
    pub description: String,
    pub min_players: u8,
    pub max_players: u8,
    pub decks: BTreeMap<String, DeckDefinition>,
    pub slots: Vec<SlotDefinition>,
    pub default_settings: Settings,
    pub variants: Vec<Variant>,
    pub phases: Vec<PhaseDefinition>,
    pub initial_phase: String,

    /// Rulings the players can read.
    pub notes: Vec<String>,
    pub options: Vec<OptionDefinition>,
    pub presets: Vec<PresetDefinition>,
    /// Words for the look of the table: cloth, back, emblem.
    pub theme: BTreeMap<String, String>,
    pub policies: Policies,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeckDefinition {
    pub display_name: String,
    /// The type of card taken from packs, else the deck's own name.
    pub card_type: String,
    /// Whether its cards come from the chosen packs.
    pub from_packs: bool,
}

/// The settings a table starts with when its host changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// By option.
    #[serde(flatten)]
    pub options: BTreeMap<String, Setting>,
    pub pack_ids: Vec<String>,
    /// Ids of [`Variant`]s.
    pub active_variants: Vec<String>,
}

/// A toggle: a yes/no option, or one value of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    pub id: String,
    pub name: String,
    pub description: String,
    pub default: bool,
}

/// The value of an option as a client writes it: choices by name, yes/no as a boolean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    YesNo(bool),
    Number(i32),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionDefinition {
    pub id: String,
    pub title: String,
    pub kind: OptionKind,
    /// Bounds of the number, of the seconds, or of the length of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ChoiceValue>,
    pub default: Setting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionKind {
    Number,
    Seconds,
    YesNo,
    Choice,
    Text,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceValue {
    pub id: String,
    /// Empty if the rules give none.
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresetDefinition {
    pub id: String,
    pub settings: BTreeMap<String, Setting>,
}

/// What the rules leave to the room: when to start, and what becomes of those who are not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Policies {
    pub start_when_full: bool,
    pub newcomers_play: bool,
    pub absent: AbsentPolicy,
    pub host_absent_pauses: bool,
    pub leavers_become_bots: bool,
    /// Seconds after which a lost connection counts as leaving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AbsentPolicy {
    Wait,
    Skip,
    Default,
}

impl Definition {
    /// `id` is the name of the file, which the program does not know.
    pub fn of(id: &str, program: &Program) -> Self {
        let meta = &program.meta;
        let options: Vec<_> = program.options.iter().map(|decl| option(program, decl)).collect();
        let variants: Vec<_> = options.iter().flat_map(variants).collect();
        let (phases, initial_phase) = phases::phases(program);
        Self {
            id: id.to_owned(),
            name: meta.title.clone(),
            description: meta.about.clone(),
            min_players: meta.min_players,
            max_players: meta.max_players,
            decks: decks(program),
            slots: slots::slots(program),
            default_settings: Settings {
                options: options.iter().map(|o| (o.id.clone(), o.default.clone())).collect(),
                pack_ids: Vec::new(),
                active_variants: variants.iter().filter(|v| v.default).map(|v| v.id.clone()).collect(),
            },
            variants,
            phases,
            initial_phase,
            notes: meta.notes.clone(),
            presets: presets(program),
            options,
            theme: program.show.theme.iter().cloned().collect(),
            policies: Policies {
                start_when_full: meta.start_when_full,
                newcomers_play: meta.newcomers_play,
                absent: match meta.absent {
                    program::AbsentPolicy::Wait => AbsentPolicy::Wait,
                    program::AbsentPolicy::Skip => AbsentPolicy::Skip,
                    program::AbsentPolicy::Default => AbsentPolicy::Default,
                },
                host_absent_pauses: meta.host_absent_pauses,
                leavers_become_bots: meta.leavers_become_bots,
                grace: meta.grace,
            },
        }
    }
}

impl Setting {
    /// A declared value as its client writes it.
    pub fn of(program: &Program, ty: &Type, value: &OptionValue) -> Self {
        match value {
            OptionValue::Text(text) => Self::Text(text.clone()),
            OptionValue::Number(n) if *ty == Type::YesNo => Self::YesNo(*n != 0),
            OptionValue::Number(n) => {
                match usize::try_from(*n).ok().and_then(|n| value_names(program, ty).get(n).cloned()) {
                    Some(name) => Self::Text(name),
                    None => Self::Number(*n),
                }
            }
        }
    }

    /// The way back, where it makes sense for the type. Ranges are checked when a table is made.
    pub fn to_value(&self, program: &Program, ty: &Type) -> Option<OptionValue> {
        let names = value_names(program, ty);
        Some(match (self, ty) {
            (Self::YesNo(b), Type::YesNo) => OptionValue::Number(i32::from(*b)),
            (Self::Number(n), Type::Number { .. } | Type::Seconds { .. }) => OptionValue::Number(*n),
            (Self::Text(text), Type::Text { .. }) => OptionValue::Text(text.clone()),
            (Self::Text(text), _) => {
                let at = names.iter().position(|name| name == text)?;
                OptionValue::Number(i32::try_from(at).ok()?)
            }
            _ => return None,
        })
    }
}

fn decks(program: &Program) -> BTreeMap<String, DeckDefinition> {
    let define = |deck: &baize_rules::program::Deck| DeckDefinition {
        display_name: capitalised(&deck.name),
        card_type: deck.pack_type.clone().unwrap_or_else(|| deck.name.clone()),
        from_packs: deck.pack_type.is_some(),
    };
    program.decks.iter().map(|deck| (deck.name.clone(), define(deck))).collect()
}

fn option(program: &Program, decl: &OptionDecl) -> OptionDefinition {
    let (kind, low, high) = match &decl.ty {
        Type::Number { low, high } => (OptionKind::Number, Some(*low), Some(*high)),
        Type::Seconds { low, high } => (OptionKind::Seconds, Some(*low), Some(*high)),
        Type::Text { low, high } => (OptionKind::Text, Some(*low), Some(*high)),
        Type::YesNo => (OptionKind::YesNo, None, None),
        _ => (OptionKind::Choice, None, None),
    };
    let title = |i: usize| decl.value_titles.get(i).cloned().unwrap_or_default();
    let names = value_names(program, &decl.ty);
    OptionDefinition {
        id: decl.name.clone(),
        title: if decl.title.is_empty() { capitalised(&decl.name) } else { decl.title.clone() },
        kind,
        low,
        high,
        values: names.into_iter().enumerate().map(|(i, id)| ChoiceValue { id, title: title(i) }).collect(),
        default: Setting::of(program, &decl.ty, &decl.default),
    }
}

/// Names of the values of a choice, in order; empty for other types.
fn value_names(program: &Program, ty: &Type) -> Vec<String> {
    match ty {
        Type::Choice(names) => names.clone(),
        Type::Attr(attr) => match program.attrs.get(usize::from(*attr)).map(|attr| &attr.values) {
            Some(AttrDomain::Names(names)) => names.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn variants(option: &OptionDefinition) -> Vec<Variant> {
    match option.kind {
        OptionKind::YesNo => vec![Variant {
            id: option.id.clone(),
            name: option.title.clone(),
            description: String::new(),
            default: option.default == Setting::YesNo(true),
        }],
        // `judge: rotate | winner` gives `judgeRotate`, `judgeWinner`, as the platform's document spells them.
        OptionKind::Choice => option
            .values
            .iter()
            .map(|value| Variant {
                id: format!("{}{}", option.id, capitalised(&value.id)),
                name: if value.title.is_empty() { capitalised(&value.id) } else { value.title.clone() },
                description: option.title.clone(),
                default: option.default == Setting::Text(value.id.clone()),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn presets(program: &Program) -> Vec<PresetDefinition> {
    let setting = |(id, value): &(u16, OptionValue)| {
        let decl = program.options.get(usize::from(*id))?;
        Some((decl.name.clone(), Setting::of(program, &decl.ty, value)))
    };
    let define = |preset: &baize_rules::program::Preset| PresetDefinition {
        id: preset.name.clone(),
        settings: preset.values.iter().filter_map(setting).collect(),
    };
    program.presets.iter().map(define).collect()
}
