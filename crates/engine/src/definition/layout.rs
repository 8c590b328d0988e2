//! The definition of one table, which a client fetches once: the zone, value or dice at each position of a view, and the faces
//! of the cards.

use super::Setting;
use super::faces::{CardFace, make_faces};
use crate::cardset::CardSet;
use crate::instance::{DimLayout, Instance};
use crate::present::zones::is_ordered;
use crate::sight::Scene;
use baize_rules::program::{AttrDomain, Dim, FaceWords, Program, Shape, Type, VarKind, capitalised};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part of a table that never changes. Views and events refer to the positions in these lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableDefinition {
    pub seats: u8,
    pub settings: BTreeMap<String, Setting>,
    pub zones: Vec<ZoneLayout>,
    pub values: Vec<ValueLayout>,
    pub dice: Vec<DiceLayout>,
    /// Values that always lie on the cloth. The first status lines of every view are these counters, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<CounterLayout>,
    /// The catalogue of faces, by face id.
    pub faces: Vec<CardFace>,
    /// The strings around the holes of each text of the game. Batches quote a text by its position here.
    pub texts: Vec<Vec<String>>,
}

/// One zone instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ZoneLayout {
    /// The name of the zone in the rules, which is also the id of its slot.
    pub zone: String,
    pub title: String,
    /// The index of the instance, one value for each dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub index: Vec<IndexValue>,
    /// The seat that the instance belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
    /// The client shows the cards in the order in which they lie.
    pub ordered: bool,
    /// One of `auto`, `fan`, `pile`, `row`, `grid`, `towards`, `slots`.
    pub shape: String,
    /// The number of columns of a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u8>,
    /// The words of the `show` block about this zone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexValue {
    pub value: i32,
    /// The value as text. For a seat, clients write the name of its player instead.
    pub label: String,
    /// The value is a seat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seat: bool,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueLayout {
    pub id: String,
    pub title: String,
    /// The meaning of the numbers: `number`, `yesno`, `player`, `card` (a face id) or `value`. For `player` and `card`, -1 means
    /// nobody or none.
    pub kind: String,
    /// The names of the values 0, 1 …, if `kind` is `value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The index of each element.
    pub elements: Vec<Vec<IndexValue>>,
    /// The title of the player whom the variable names, if it is a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Only the owner of an element knows its value.
    pub sealed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiceLayout {
    pub id: String,
    pub title: String,
    pub low: i32,
    pub high: i32,
    /// What the sides `low..=high` say, if they do not show their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<DieFace>,
    pub elements: Vec<Vec<IndexValue>>,
    /// The seat that each die belongs to.
    pub owners: Vec<Option<u8>>,
}

/// A side of a die that says a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DieFace {
    pub word: String,
    /// A letter, a symbol or an emoji that clients draw instead of the word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
}

/// A value that always lies on the cloth. Its status line is the label, a colon, a space and the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterLayout {
    pub label: String,
    /// The position of the zone beside which it lies; absent if it lies by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<u16>,
}

impl TableDefinition {
    pub fn of<S: CardSet>(scene: &Scene<S>) -> Self {
        let instance = &scene.instance;
        let program = &instance.program;
        let options = program.options.iter().zip(&instance.options);
        Self {
            seats: instance.seats as u8,
            settings: options.map(|(decl, v)| (decl.name.clone(), Setting::of(program, &decl.ty, v))).collect(),
            zones: (0..instance.zones()).map(|zone| zone_layout(scene, zone)).collect(),
            values: scene.values.iter().map(|var| value_layout(scene, *var)).collect(),
            dice: scene.dice.iter().map(|var| dice_layout(scene, *var)).collect(),
            counters: counter_layouts(instance),
            faces: make_faces(instance),
            texts: super::texts::collect_texts(program),
        }
    }
}

fn counter_layouts<S: CardSet>(instance: &Instance<S>) -> Vec<CounterLayout> {
    let position = |zone: u16| instance.layout.instances.iter().position(|at| at.zone == zone).map(|at| at as u16);
    let counters = instance.program.show.counters.iter();
    counters
        .map(|counter| CounterLayout { label: counter.label.clone(), zone: counter.at.and_then(position) })
        .collect()
}

fn zone_layout<S: CardSet>(scene: &Scene<S>, zone: usize) -> ZoneLayout {
    let program = &scene.instance.program;
    let at = &scene.instance.layout.instances[zone];
    let declared = &program.zones[usize::from(at.zone)];
    let (shape, size) = match declared.shape {
        Shape::Auto => ("auto", None),
        Shape::Fan => ("fan", None),
        Shape::Pile => ("pile", None),
        Shape::Row => ("row", None),
        Shape::Grid { columns, rows } => ("grid", Some((columns, rows))),
        Shape::TowardsPlayer => ("towards", None),
        Shape::Slots => ("slots", None),
    };
    ZoneLayout {
        zone: declared.name.clone(),
        title: declared.title.clone().unwrap_or_else(|| capitalised(&declared.name)),
        index: declared
            .dims
            .iter()
            .zip(&at.index)
            .map(|(dim, value)| index_value(&scene.instance, *dim, *value))
            .collect(),
        owner: u8::try_from(at.owner).ok(),
        ordered: is_ordered(scene, zone),
        shape: shape.to_owned(),
        columns: size.map(|(columns, _)| columns),
        rows: size.map(|(_, rows)| rows),
        hints: declared.hints.clone(),
    }
}

fn value_layout<S: CardSet>(scene: &Scene<S>, var: u32) -> ValueLayout {
    let program = &scene.instance.program;
    let declared = &program.vars[var as usize];
    let (kind, names) = match &declared.ty {
        Type::YesNo => ("yesno", Vec::new()),
        Type::Player => ("player", Vec::new()),
        Type::Card => ("card", Vec::new()),
        Type::Choice(names) => ("value", names.clone()),
        Type::Attr(attr) => match &program.attrs[usize::from(*attr)].values {
            AttrDomain::Names(names) => ("value", names.clone()),
            _ => ("number", Vec::new()),
        },
        _ => ("number", Vec::new()),
    };
    ValueLayout {
        id: declared.name.clone(),
        title: capitalised(&declared.name),
        kind: kind.to_owned(),
        names,
        elements: elements(scene, var),
        role: match &declared.kind {
            VarKind::State { role } => role.clone(),
            _ => None,
        },
        sealed: declared.kind == VarKind::Sealed,
    }
}

fn dice_layout<S: CardSet>(scene: &Scene<S>, var: u32) -> DiceLayout {
    let declared = &scene.instance.program.vars[var as usize];
    let (low, high, faces) = match declared.kind {
        VarKind::Dice { low, high, faces, .. } => (low, high, faces),
        _ => (0, 0, None),
    };
    let len = scene.instance.layout.vars[var as usize].len;
    DiceLayout {
        id: declared.name.clone(),
        title: capitalised(&declared.name),
        low,
        high,
        faces: faces.map(|words| die_faces(&scene.instance.program, words)).unwrap_or_default(),
        elements: elements(scene, var),
        owners: (0..len).map(|element| u8::try_from(scene.element_owner(var, element)).ok()).collect(),
    }
}

/// Returns what the sides of dice say, from side 1 on.
pub(super) fn die_faces(program: &Program, words: FaceWords) -> Vec<DieFace> {
    let table = program.tables.get(usize::from(words.table)).map(|table| &table.values[..]).unwrap_or_default();
    let names = match program.attrs.get(usize::from(words.attr)).map(|attr| &attr.values) {
        Some(AttrDomain::Names(names)) => &names[..],
        _ => &[],
    };
    let face = |value: &i32| {
        let word = usize::try_from(*value).ok().and_then(|at| names.get(at)).cloned().unwrap_or_default();
        let sign = program.show.signs.iter().find(|(of, _)| *of == word).map(|(_, sign)| sign.clone());
        let named = program.show.value_names.iter().find(|(attr, at, _)| (*attr, *at) == (words.attr, *value));
        DieFace { word: named.map_or(word, |(_, _, name)| name.clone()), sign }
    };
    table.iter().skip(1).map(face).collect()
}

/// Returns the index of every element. The last dimension varies fastest.
fn elements<S: CardSet>(scene: &Scene<S>, var: u32) -> Vec<Vec<IndexValue>> {
    let program = &scene.instance.program;
    let layout = &scene.instance.layout.vars[var as usize];
    let declared = &program.vars[var as usize].dims;
    let value = |element: u32, dim: &DimLayout| dim.low + (element / dim.stride % dim.size) as i32;
    let index = |element: u32| {
        let dims = layout.dims.iter().zip(declared);
        dims.map(|(dim, kind)| index_value(&scene.instance, *kind, value(element, dim))).collect()
    };
    (0..layout.len).map(index).collect()
}

fn index_value<S: CardSet>(instance: &Instance<S>, dim: Dim, value: i32) -> IndexValue {
    let label = match dim {
        Dim::Player => (value + 1).to_string(),
        Dim::Range { .. } => value.to_string(),
        Dim::Attr(attr) => instance.attr_name(attr, value),
    };
    IndexValue { value, label, seat: dim == Dim::Player }
}
