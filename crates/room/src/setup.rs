//! Turns the lead's choices into what the engine needs: options, packs, an instance.

use crate::ActionRefusal;
use crate::encode;
use crate::packs::{self, HashedPack, PackSet};
use crate::rules::Rules;
use baize_engine::definition::{OptionDefinition, OptionKind, Setting};
use baize_engine::instance::{self, Game};
use baize_packs::Pack;
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_protocol::{ErrorCode, limits};
use baize_rules::program::OptionValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks the lead's choices and normalises them: each pack once, and not too long, because every message about the table
/// carries them.
pub fn settings(
    rules: &Rules,
    mut settings: TableSettings,
    operator: &PackSet,
    uploaded: &PackSet,
) -> Result<TableSettings, ActionRefusal> {
    if !rules.takes_packs() && !settings.pack_ids.is_empty() {
        return Err(ErrorCode::PacksNotUsed.into());
    }
    packs(rules, &settings, operator, uploaded)?;
    settings.pack_ids = distinct(&settings.pack_ids).map(str::to_owned).collect();
    if encode::json("a table's settings", &settings)?.len() > limits::SETTINGS_BYTES {
        return Err(ErrorCode::TooLarge.into());
    }
    options(rules, &settings)?;
    Ok(settings)
}

/// Applies the preset, then options, then variants, and checks names, types and ranges. [`instantiate`] checks ranges again.
pub fn options(rules: &Rules, settings: &TableSettings) -> Result<Vec<(String, OptionValue)>, ActionRefusal> {
    let definition = &rules.definition;
    let bad = |text: String| ActionRefusal { code: ErrorCode::BadOption, text: Some(text), line: None };
    let mut chosen: BTreeMap<String, Setting> = BTreeMap::new();
    if let Some(id) = &settings.preset {
        let preset = definition.presets.iter().find(|preset| preset.id == *id);
        let preset = preset.ok_or_else(|| bad(format!("This game has no preset “{id}”.")))?;
        chosen.extend(preset.settings.clone());
    }
    for (id, value) in &settings.options {
        let value = match value {
            OptionSetting::YesNo(value) => Setting::YesNo(*value),
            OptionSetting::Number(value) => Setting::Number(*value),
            OptionSetting::Text(value) => Setting::Text(value.clone()),
        };
        chosen.insert(id.clone(), value);
    }
    for variant in &settings.active_variants {
        let (id, value) = variant_of(&definition.options, variant)
            .ok_or_else(|| bad(format!("This game has no variant “{variant}”.")))?;
        chosen.insert(id, value);
    }
    let mut values = Vec::new();
    for (id, setting) in chosen {
        let declared = rules.program.options.iter().find(|option| option.name == id);
        let declared = declared.ok_or_else(|| bad(format!("This game has no option “{id}”.")))?;
        let value = setting.to_value(&rules.program, &declared.ty);
        values.push((id.clone(), value.ok_or_else(|| bad(format!("That is no value for “{id}”.")))?));
    }
    instance::options::choose(&rules.program, &values).map_err(|error| bad(error.to_string()))?;
    Ok(values)
}

/// Keeps the settings that other rules know as well, and lists the names of those that it drops.
pub fn fitting(rules: &Rules, settings: &TableSettings) -> (TableSettings, Vec<String>) {
    let (mut kept, mut dropped) = (TableSettings::default(), Vec::new());
    match rules.takes_packs() {
        true => kept.pack_ids = settings.pack_ids.clone(),
        false if settings.pack_ids.is_empty() => {}
        false => dropped.push("packs".to_owned()),
    }
    let mut keep = |name: &str, with: &dyn Fn(&mut TableSettings)| {
        let mut more = kept.clone();
        with(&mut more);
        match options(rules, &more) {
            Ok(_) => kept = more,
            Err(_) => dropped.push(name.to_owned()),
        }
    };
    if let Some(preset) = &settings.preset {
        keep(preset, &|kept| kept.preset = Some(preset.clone()));
    }
    for (id, value) in &settings.options {
        keep(id, &|kept| drop(kept.options.insert(id.clone(), value.clone())));
    }
    for variant in &settings.active_variants {
        keep(variant, &|kept| kept.active_variants.push(variant.clone()));
    }
    (kept, dropped)
}

/// `judgeWinner` is the choice `winner` of the option `judge`; a yes/no option is its own variant.
fn variant_of(options: &[OptionDefinition], variant: &str) -> Option<(String, Setting)> {
    options.iter().find_map(|option| match option.kind {
        OptionKind::YesNo if option.id == variant => Some((option.id.clone(), Setting::YesNo(true))),
        OptionKind::Choice => {
            let rest = variant.strip_prefix(option.id.as_str())?;
            let value = option.values.iter().find(|value| value.id.eq_ignore_ascii_case(rest))?;
            Some((option.id.clone(), Setting::Text(value.id.clone())))
        }
        _ => None,
    })
}

/// Removes duplicates and keeps the order.
fn distinct(ids: &[String]) -> impl Iterator<Item = &str> {
    let mut seen = BTreeSet::new();
    ids.iter().map(String::as_str).filter(move |id| seen.insert(*id))
}

/// The chosen packs, or all official ones if none is chosen. A game without packs gets none. The number of cards is limited,
/// because they stay in memory as long as the table does. The shell has read uploaded packs before.
pub fn packs(
    rules: &Rules,
    settings: &TableSettings,
    operator: &PackSet,
    uploaded: &PackSet,
) -> Result<Vec<Arc<HashedPack>>, ActionRefusal> {
    if !rules.takes_packs() {
        return Ok(Vec::new());
    }
    if settings.pack_ids.is_empty() {
        return Ok(operator.iter().map(|(_, pack)| pack).filter(|pack| pack.pack.official).cloned().collect());
    }
    let ids: Vec<&str> = distinct(&settings.pack_ids).collect();
    if ids.len() > limits::PACKS {
        return Err(ErrorCode::TooManyPacks.into());
    }
    let find = |id| operator.get(id).or_else(|| uploaded.get(id)).cloned();
    let packs = ids.into_iter().map(|id| find(id).ok_or(ErrorCode::NoPack)).collect::<Result<Vec<_>, _>>()?;
    match packs.iter().map(|pack| pack.pack.len()).sum::<usize>() {
        0..=limits::PACK_CARDS => Ok(packs),
        _ => Err(ErrorCode::TooManyPacks.into()),
    }
}

pub fn instantiate<'a>(
    rules: &Rules,
    options: &[(String, OptionValue)],
    packs: impl IntoIterator<Item = &'a Pack>,
    seats: usize,
) -> Result<Game, ActionRefusal> {
    let cards = packs::cards(packs);
    baize_engine::instantiate(rules.program.clone(), options, &cards, seats).map_err(|error| ActionRefusal {
        code: ErrorCode::PacksCantDeal,
        text: Some(error.to_string()),
        line: None,
    })
}
