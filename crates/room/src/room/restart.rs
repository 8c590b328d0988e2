//! A changed game file: the table keeps its rules until the lead restarts the game with the new ones.

use super::Room;
use crate::ActionRefusal;
use crate::message::ClientId;
use crate::rules::{CurrentFile, Rules};
use crate::setup;
use baize_engine::input::Input;
use baize_protocol::{ErrorCode, TableStatus};
use baize_rows::Write;
use std::sync::Arc;

impl Room {
    /// The rules in the file, if they differ from this table's.
    pub(super) fn newer_rules(&self) -> Option<Arc<Rules>> {
        self.file.rules.clone().filter(|rules| rules.pin != self.record.pin)
    }

    /// Whether the room already has this state of the file.
    pub fn knows_file(&self, file: &CurrentFile) -> bool {
        let pin = |file: &CurrentFile| file.rules.as_ref().map(|rules| rules.pin);
        pin(&self.file) == pin(file) && self.file.problems == file.problems
    }

    pub(super) fn file_changed(&mut self, file: CurrentFile) {
        self.file = file;
        self.pending.table();
    }

    /// Ends the running game without a result, and starts it again by the new rules with the same people in the same seats. In
    /// the lobby only the rules change.
    pub(super) fn restart_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        let rules = self.newer_rules().ok_or(ErrorCode::NoNewRules)?;
        // Everything that can be refused comes first: a refused restart changes nothing.
        let (settings, dropped) = setup::fitting(&rules, &self.record.settings);
        setup::packs(&rules, &settings, &self.context.operator_packs, &self.packs)?;
        let seated = self.record.seated().count();
        if seated > usize::from(rules.definition.max_players) {
            return Err(ErrorCode::TableFull.into());
        }
        let begins = self.record.status != TableStatus::Lobby;
        if begins && self.ready().count() < usize::from(rules.definition.min_players) {
            return Err(ErrorCode::TooFewPlayers.into());
        }
        self.charge_start(1)?;
        let blobs = rules.blobs()?;
        if self.is_game_running() {
            self.input(Input::Abandon)?;
        }
        for (hash, body) in blobs {
            self.pending.writes.push(Write::Blob { hash, body });
        }
        self.pending.use_rules(rules.clone());
        self.record.pin = rules.pin;
        self.record.title = rules.definition.name.clone();
        self.rules = rules;
        self.record.settings = settings;
        self.session("The lead restarts with the new version of the rules".into());
        if !dropped.is_empty() {
            self.session(format!("The new rules don't have these settings any more: {}", dropped.join(", ")));
        }
        if !begins {
            self.pending.table();
            return Ok(());
        }
        self.return_to_lobby();
        if let Err(refusal) = self.prepare_start() {
            self.session(format!("The game could not start: {}", refusal.into_text()));
        }
        Ok(())
    }
}
