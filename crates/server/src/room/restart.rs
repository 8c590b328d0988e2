//! A game's file has changed: the table keeps the rules it has until its lead restarts it on the new ones.

use super::{ClientId, No, Room};
use crate::library::{Rules, Shelved};
use crate::setup;
use baize_engine::input::Input;
use baize_protocol::http::Problem;
use baize_protocol::{ErrorCode, TableStatus};
use baize_store::Write;
use std::sync::Arc;

impl Room {
    /// The version on the shelf, if it is another than this table's.
    pub(super) fn newer_rules(&self) -> Option<Arc<Rules>> {
        match self.services.library.get(&self.record.definition_id) {
            Some(Shelved::Playable(rules)) if rules.pin != self.record.pin => Some(rules),
            _ => None,
        }
    }

    /// In a workshop: what is wrong with this table's file as it is now.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let read =
            self.services.config.workshop.as_ref().and_then(|_| self.services.library.read(&self.record.definition_id));
        read.map(|read| read.problems()).unwrap_or_default()
    }

    /// Files have changed on disk; those at the table are told if it is theirs.
    pub(super) fn reloaded(&mut self, games: &[String]) {
        if games.contains(&self.record.definition_id) {
            self.effects.table();
        }
    }

    /// The game under way ends without counting; the same people in the same seats begin again by the new rules. In the lobby only
    /// the rules change.
    pub(super) fn restart_game(&mut self, id: ClientId) -> Result<(), No> {
        self.must_lead(id)?;
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        let rules = self.newer_rules().ok_or(ErrorCode::NoNewRules)?;
        // Whatever could refuse comes first: a refused restart changes nothing.
        let (settings, dropped) = setup::fitting(&rules, &self.record.settings);
        setup::packs(&rules, &settings, &self.services.packs, &self.packs)?;
        let seated = self.record.seated().count();
        if seated > usize::from(rules.definition.max_players) {
            return Err(ErrorCode::TableFull.into());
        }
        let begins = self.record.status != TableStatus::Lobby;
        if begins && self.ready().count() < usize::from(rules.definition.min_players) {
            return Err(ErrorCode::TooFewPlayers.into());
        }
        self.charge_costly(1)?;
        let blobs = rules.blobs()?;
        if self.under_way() {
            self.input(Input::Abandon)?;
        }
        for (hash, body) in blobs {
            self.effects.writes.push(Write::Blob { hash, body });
        }
        self.services.library.pin(&rules);
        self.record.pin = rules.pin;
        self.record.title = rules.definition.name.clone();
        self.rules = rules;
        self.record.settings = settings;
        self.session("The lead restarts with the new version of the rules".into());
        if !dropped.is_empty() {
            self.session(format!("The new rules don't have these settings any more: {}", dropped.join(", ")));
        }
        if !begins {
            self.effects.table();
            return Ok(());
        }
        self.lobby_again();
        if let Err(no) = self.prepare_start() {
            self.session(format!("The game could not start: {}", no.text.unwrap_or(no.code.text().into())));
        }
        Ok(())
    }
}
