//! What the fuzz targets use of this crate, behind the feature `fuzzing`: parsers of untrusted bytes that are private
//! otherwise.

use crate::cluster::fuzzing as cluster;
use crate::library::{Compiled, Library};
use baize_engine::definition::Setting;
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_room::rules::Rules;
use baize_room::setup;
use std::path::Path;
use std::sync::Arc;

pub use cluster::{PeerInbox, peer_message_kind, peer_messages};

/// The commitment to a seed.
pub fn commitment(seed: &[u8; 32]) -> String {
    crate::identity::hex(&crate::identity::hash(&[seed]))
}

/// The games of a folder, to check settings against.
pub struct Games(Vec<Arc<Rules>>);

impl Games {
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        let playable = |game| match game {
            Compiled::Playable(rules) => Some(rules),
            Compiled::Broken { .. } => None,
        };
        Ok(Games(Library::open(folder)?.all().into_iter().filter_map(playable).collect()))
    }

    pub fn games(&self) -> Vec<&str> {
        self.0.iter().map(|rules| rules.id.as_str()).collect()
    }

    fn rules(&self, game: &str) -> &Rules {
        self.0.iter().find(|rules| rules.id == game).expect("a game of this folder")
    }

    /// Returns the number of chosen options, or why the settings are refused. Asserts that every game accepts the part
    /// of the settings that fits it.
    pub fn check(&self, game: &str, settings: &TableSettings) -> Result<usize, String> {
        for rules in &self.0 {
            let (fitting, _) = setup::fitting(rules, settings);
            assert!(setup::options(rules, &fitting).is_ok(), "what fits {} is refused there", rules.id);
        }
        let rules = self.rules(game);
        let options = setup::options(rules, settings).map_err(|no| no.text.unwrap_or_default())?;
        for seats in [rules.program.meta.min_players, rules.program.meta.max_players] {
            if let Err(no) = setup::instantiate(rules, &options, [], usize::from(seats)) {
                assert!(no.text.is_some_and(|text| !text.is_empty()), "no reason");
            }
        }
        Ok(options.len())
    }

    /// Settings that a game accepts: the defaults, every preset, every option with its default.
    pub fn examples(&self, game: &str) -> Vec<TableSettings> {
        let definition = &self.rules(game).definition;
        let presets = definition
            .presets
            .iter()
            .map(|preset| TableSettings { preset: Some(preset.id.clone()), ..Default::default() });
        let plain = |setting: &Setting| match setting {
            Setting::YesNo(value) => OptionSetting::YesNo(*value),
            Setting::Number(value) => OptionSetting::Number(*value),
            Setting::Text(value) => OptionSetting::Text(value.clone()),
        };
        let all = definition.options.iter().map(|option| (option.id.clone(), plain(&option.default))).collect();
        presets.chain([TableSettings::default(), TableSettings { options: all, ..Default::default() }]).collect()
    }
}
