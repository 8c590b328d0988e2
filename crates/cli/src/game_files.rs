//! Finds games and packs: those in the binary, and those given by path.

use baize_engine::instance::{self, PackCard};
use baize_engine::view::View;
use baize_packs::{Imported, Pack, Trust};
use baize_rules::diagnostic::{Diagnostic, render};
use baize_rules::parse::decode;
use baize_rules::program::{OptionValue, Phase, Program, Type};
use std::fs;
use std::path::Path;
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A compiled rules file.
pub struct RulesFile {
    pub name: String,
    pub source: String,
    pub program: Program,
}

/// Replaces the name of the phase in a view by the title that players read.
pub fn titled(view: &View, phases: &[Phase]) -> View {
    let mut view = view.clone();
    let titled = phases.iter().find(|phase| view.phase.as_ref() == Some(&phase.name) && !phase.title.is_empty());
    if let Some(phase) = titled {
        view.phase = Some(phase.title.clone());
    }
    view
}

/// Finds a game by its name in `games/` or by the path of its file, and compiles it.
pub fn game(name: &str) -> Result<RulesFile, String> {
    let (name, bytes) = match GAMES.iter().find(|(n, _)| *n == name) {
        Some((n, source)) => ((*n).to_string(), source.as_bytes().to_vec()),
        None => {
            let path = Path::new(name);
            if !path.exists() {
                let names: Vec<&str> = GAMES.iter().map(|(n, _)| *n).collect();
                return Err(format!(
                    "There is no game `{name}`. There are: {}; or give the path of a rules file.",
                    names.join(", ")
                ));
            }
            let stem = path.file_stem().map_or_else(|| name.to_string(), |s| s.to_string_lossy().into_owned());
            (stem, fs::read(path).map_err(|e| format!("{name}: {e}"))?)
        }
    };
    let source = decode(&bytes).map_err(|d| render(&name, "", &[d]))?.to_string();
    let (program, diagnostics) = baize_rules::compile(&source);
    match program {
        Some(program) => Ok(RulesFile { name, source, program }),
        None => {
            let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            Err(render(&name, &source, &errors))
        }
    }
}

// The options of every command that plays a game.
#[derive(clap::Args)]
pub struct Setup {
    /// Set an option: --option word=DUCK
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Use a preset of the game, such as `quick`.
    #[arg(long)]
    preset: Option<String>,
    /// Packs of text cards to play with (default: those that come with the program).
    #[arg(long = "pack", value_name = "FILE")]
    packs: Vec<String>,
}

impl Setup {
    /// Instantiates the game with these options and packs.
    pub fn game(&self, program: Arc<Program>, players: usize) -> Result<instance::Game, String> {
        let options = options(&program, self.preset.as_deref(), &self.options)?;
        let packs = pack_cards(&packs(&self.packs)?);
        baize_engine::instantiate(program, &options, &packs, players).map_err(|e| e.to_string())
    }
}

/// The packs of the binary, or those at these paths.
fn packs(paths: &[String]) -> Result<Vec<Pack>, String> {
    if paths.is_empty() {
        return PACKS.iter().try_fold(Vec::new(), |mut all, (name, text)| {
            all.extend(import(text.as_bytes(), name, Trust::Operator)?.packs);
            Ok(all)
        });
    }
    paths.iter().try_fold(Vec::new(), |mut all, path| {
        all.extend(read_packs(path)?.packs);
        Ok(all)
    })
}

/// Reads a file of packs in any known form.
pub fn read_packs(path: &str) -> Result<Imported, String> {
    if let Some((name, text)) = PACKS.iter().find(|(name, _)| *name == path) {
        return import(text.as_bytes(), name, Trust::Operator);
    }
    let bytes = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let name = Path::new(path).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    import(&bytes, &name, Trust::Operator).map_err(|e| format!("{path}:\n{e}"))
}

fn import(bytes: &[u8], name: &str, trust: Trust) -> Result<Imported, String> {
    baize_packs::parse(bytes, name, trust).map_err(|e| e.to_string())
}

/// The cards of packs in the engine's form.
fn pack_cards(packs: &[Pack]) -> Vec<PackCard> {
    let merged = baize_packs::merge(packs).pack;
    merged
        .decks
        .iter()
        .flat_map(|(deck, cards)| {
            cards.iter().map(|card| PackCard {
                deck_type: deck.clone(),
                text: card.text.clone(),
                props: card.numbers.iter().map(|(k, v)| (k.clone(), i32::try_from(*v).unwrap_or(0))).collect(),
            })
        })
        .collect()
}

/// Reads the options of the command line: the values of the preset first, then `name=value` pairs, which override them.
fn options(program: &Program, preset: Option<&str>, pairs: &[String]) -> Result<Vec<(String, OptionValue)>, String> {
    let mut chosen = Vec::new();
    if let Some(name) = preset {
        let Some(found) = program.presets.iter().find(|p| p.name == name) else {
            return Err(format!("This game has no preset `{name}`."));
        };
        for (id, value) in &found.values {
            chosen.push((program.options[*id as usize].name.clone(), value.clone()));
        }
    }
    for pair in pairs {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(format!("`{pair}`: write --option NAME=VALUE."));
        };
        let Some(option) = program.options.iter().find(|o| o.name == name) else {
            let names: Vec<&str> = program.options.iter().map(|o| o.name.as_str()).collect();
            return Err(format!("This game has no option `{name}`. It has: {}.", names.join(", ")));
        };
        let value = match &option.ty {
            Type::Text { .. } => OptionValue::Text(value.to_string()),
            Type::YesNo => OptionValue::Number(match value {
                "yes" => 1,
                "no" => 0,
                _ => return Err(format!("`{name}` is yes or no, not `{value}`.")),
            }),
            Type::Choice(values) => match values.iter().position(|v| v == value) {
                Some(i) => OptionValue::Number(i as i32),
                None => return Err(format!("`{name}` is one of {}, not `{value}`.", values.join(", "))),
            },
            _ => OptionValue::Number(value.parse().map_err(|_| format!("`{name}` is a number, not `{value}`."))?),
        };
        chosen.retain(|(n, _)| n != name);
        chosen.push((name.to_string(), value));
    }
    Ok(chosen)
}
