//! Describes a game to clients that see no table yet. The first fields have the names and meanings of `GameDefinition` in
//! the requirements for this platform (`platform.md`; `games/scenarios/coverage.md` quotes each of them). The other fields are
//! our own.
//!
//! [`Definition`] depends on the rules alone, so a lobby can list it. [`TableDefinition`] also depends on the [`Setting`]s,
//! the packs and the number of seats of one table: it has the position of each zone in a view, and the face of each card.

mod faces;
mod how_to_play;
mod layout;
mod phases;
mod preview;
mod slots;
mod texts;

pub use faces::{CardFace, Sign};
pub use how_to_play::HowToLine;
pub use layout::{CounterLayout, DiceLayout, DieFace, IndexValue, TableDefinition, ValueLayout, ZoneLayout};
pub use phases::{PhaseDefinition, PhaseTimeout, PhaseTransition, TransitionCondition};
pub use preview::{Preview, PreviewDice, PreviewZone};
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

    /// The version of the language by which the rules were checked.
    #[serde(default)]
    pub language: u16,
    /// A short explanation for people who have not played the game before.
    #[serde(default)]
    pub how_to_play: Vec<HowToLine>,
    /// Explanations of rules for the players.
    pub notes: Vec<String>,
    pub options: Vec<OptionDefinition>,
    pub presets: Vec<PresetDefinition>,
    /// How the table looks: cloth, back, emblem.
    pub theme: BTreeMap<String, String>,
    /// What a small picture of the table shows.
    #[serde(default)]
    pub preview: Preview,
    /// The fewest and the most minutes that a game usually takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<(u16, u16)>,
    pub policies: Policies,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeckDefinition {
    pub display_name: String,
    /// The type of the cards that the deck takes from packs, else the name of the deck.
    pub card_type: String,
    /// Whether the cards come from the packs that were chosen for the table.
    pub from_packs: bool,
}

/// The settings of a table whose host changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The default of each option, by its name.
    #[serde(flatten)]
    pub options: BTreeMap<String, Setting>,
    pub pack_ids: Vec<String>,
    /// Ids of [`Variant`]s.
    pub active_variants: Vec<String>,
}

/// A switch in the lobby: a yes/no option, or one value of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    pub id: String,
    pub name: String,
    pub description: String,
    pub default: bool,
}

/// The value of an option as a client writes it: a choice by its name, yes/no as a boolean.
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
    /// Empty if the rules give no title.
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresetDefinition {
    pub id: String,
    pub settings: BTreeMap<String, Setting>,
}

/// What the rules want the room to do: when to start, and what to do about absent players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Policies {
    pub start_when_full: bool,
    pub newcomers_play: bool,
    pub absent: AbsentPolicy,
    pub host_absent_pauses: bool,
    pub leavers_become_bots: bool,
    /// Seconds after which a player without a connection has left the table.
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
    /// Describes a program. `id` is the name of its file, which the program does not have.
    pub fn of(id: &str, program: &Program) -> Self {
        let meta = &program.meta;
        let options: Vec<_> = program.options.iter().map(|decl| define_option(program, decl)).collect();
        let variants: Vec<_> = options.iter().flat_map(option_variants).collect();
        let (phases, initial_phase) = phases::define_phases(program);
        Self {
            id: id.to_owned(),
            name: meta.title.clone(),
            description: meta.about.clone(),
            min_players: meta.min_players,
            max_players: meta.max_players,
            decks: define_decks(program),
            slots: slots::define_slots(program),
            default_settings: Settings {
                options: options.iter().map(|o| (o.id.clone(), o.default.clone())).collect(),
                pack_ids: Vec::new(),
                active_variants: variants.iter().filter(|v| v.default).map(|v| v.id.clone()).collect(),
            },
            variants,
            phases,
            initial_phase,
            language: meta.language,
            how_to_play: how_to_play::define_how_to_play(program),
            notes: meta.notes.clone(),
            presets: define_presets(program),
            options,
            theme: program.show.theme.iter().cloned().collect(),
            preview: Preview::of(program),
            minutes: meta.minutes,
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
    /// Converts the value of an option of type `ty`.
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

    /// Converts a setting back to a value of type `ty`; none if it does not have that type. Ranges are checked when a table is
    /// made.
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

fn define_decks(program: &Program) -> BTreeMap<String, DeckDefinition> {
    let define = |deck: &baize_rules::program::Deck| DeckDefinition {
        display_name: capitalised(&deck.name),
        card_type: deck.pack_type.clone().unwrap_or_else(|| deck.name.clone()),
        from_packs: deck.pack_type.is_some(),
    };
    program.decks.iter().map(|deck| (deck.name.clone(), define(deck))).collect()
}

fn define_option(program: &Program, decl: &OptionDecl) -> OptionDefinition {
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

/// Returns the names of the values of a choice, in order. Empty for types whose values have no names.
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

fn option_variants(option: &OptionDefinition) -> Vec<Variant> {
    match option.kind {
        OptionKind::YesNo => vec![Variant {
            id: option.id.clone(),
            name: option.title.clone(),
            description: String::new(),
            default: option.default == Setting::YesNo(true),
        }],
        // `judge: rotate | winner` gives `judgeRotate`, `judgeWinner`, as `platform.md` spells them.
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

fn define_presets(program: &Program) -> Vec<PresetDefinition> {
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
