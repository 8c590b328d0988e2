//! The lobby: options, bots, nonces and the start.

use super::Room;
use super::allowance::cost_of_start;
use super::client::Client;
use super::effects::game_row;
use super::game::{self, RunningGame};
use super::hibernation::HibernatingTable;
use crate::ActionRefusal;
use crate::encode;
use crate::identity::hash;
use crate::log_replay::apply;
use crate::message::ClientId;
use crate::record::{GameRecord, LogRecord, LoggedInput, Player};
use crate::setup;
use baize_engine::input::Input;
use baize_engine::live::StepBatches;
use baize_engine::view::{Event, Viewer};
use baize_protocol::table::TableSettings;
use baize_protocol::{BotLevel, ErrorCode, Presence, TableEvent, TableStatus, limits};
use baize_rows::{Hash, Write};

/// How long a start waits for missing nonces.
const NONCE_WAIT: u64 = 1000;

/// A dealt game of which nothing is stored or sent yet.
struct DealtGame {
    play: RunningGame,
    writes: Vec<Write>,
    /// Player ids by seat.
    roster: Vec<String>,
    start: StepBatches,
}

fn blob_size(write: &Write, wanted: &Hash) -> Option<usize> {
    match write {
        Write::GameBlob { hash, body, .. } if hash == wanted => Some(body.len()),
        _ => None,
    }
}

impl Room {
    pub(super) fn configure(&mut self, id: ClientId, settings: TableSettings) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        self.must_be_lobby()?;
        self.record.settings = setup::settings(&self.rules, settings, &self.context.operator_packs, &self.packs)?;
        self.reference_packs();
        self.pending.table();
        Ok(())
    }

    pub(super) fn add_bot(&mut self, id: ClientId, level: BotLevel) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        self.must_be_lobby()?;
        if self.record.seated().count() >= usize::from(self.rules.definition.max_players) {
            return Err(ErrorCode::TableFull.into());
        }
        let name = self.bot_name();
        let player = self.new_bot(name.clone(), level);
        self.record.players.push(player);
        self.session(format!("{name} (bot) joined the game"));
        self.pending.table();
        self.start_if_full();
        Ok(())
    }

    pub(super) fn new_bot(&mut self, name: String, level: BotLevel) -> Player {
        let now = self.date();
        Player {
            id: self.new_player_id(),
            name,
            member: None,
            was: None,
            bot: Some(level),
            seat: None,
            presence: Presence::Active,
            joined_at: now,
            last_seen: now,
            left: None,
            nonce: None,
            took_over: false,
            expected: false,
            newcomer: false,
        }
    }

    pub(super) fn bot_name(&mut self) -> String {
        let seed = self.entropy.number();
        let watching = self.clients.iter().map(|client| client.name.as_str());
        baize_bots::name(seed, self.record.players.iter().map(|player| player.name.as_str()).chain(watching))
    }

    pub(super) fn nonce(&mut self, id: ClientId, nonce: String) -> Result<(), ActionRefusal> {
        if nonce.chars().count() > limits::NONCE_CHARS {
            return Err(ErrorCode::BadMessage.into());
        }
        let player = self.player_of(id)?;
        let status = self.record.status;
        let player = self.record.player_mut(&player).ok_or(ErrorCode::NoSeat)?;
        match (status, player.seat) {
            (TableStatus::Lobby, _) => {
                player.nonce = Some(nonce);
                self.pending.record = true;
                if self.starting.is_some() && self.missing_nonces() == 0 {
                    self.begin()?;
                }
                Ok(())
            }
            // A newcomer's nonce counts from now on; those of the others were used at the start.
            (TableStatus::Playing | TableStatus::Paused, Some(seat)) if player.nonce.is_none() => {
                player.nonce = Some(nonce.clone());
                self.pending.record = true;
                self.input(Input::Nonce { seat, bytes: nonce.into_bytes() })
            }
            _ => Ok(()),
        }
    }

    /// Why the game cannot start yet.
    pub(super) fn cannot_start(&self) -> Option<ErrorCode> {
        let ready = self.ready().count();
        (ready < usize::from(self.rules.definition.min_players)).then_some(ErrorCode::TooFewPlayers)
    }

    /// Players who will be in the game: connected people, and bots.
    pub(super) fn ready(&self) -> impl Iterator<Item = &Player> {
        self.record.seated().filter(|player| player.is_online())
    }

    fn missing_nonces(&self) -> usize {
        self.ready().filter(|player| player.is_person() && player.nonce.is_none()).count()
    }

    pub(super) fn start_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        match (self.record.status, self.starting) {
            // Somebody pressed the button twice.
            (TableStatus::Lobby, Some(_)) => Ok(()),
            (TableStatus::Lobby, None) => self.prepare_start(),
            _ => Err(ErrorCode::NotInLobby.into()),
        }
    }

    /// Starts the game when the last seat is taken, if the game's rules say so.
    pub(super) fn start_if_full(&mut self) {
        let definition = &self.rules.definition;
        let full = definition.policies.start_when_full && self.ready().count() >= usize::from(definition.max_players);
        let waiting = self.record.status == TableStatus::Lobby && self.starting.is_none();
        if full
            && waiting
            && let Err(refusal) = self.prepare_start()
        {
            self.session(format!("The game could not start: {}", refusal.into_text()));
        }
    }

    pub(super) fn prepare_start(&mut self) -> Result<(), ActionRefusal> {
        if let Some(missing) = self.cannot_start() {
            return Err(missing.into());
        }
        let packs = setup::packs(&self.rules, &self.record.settings, &self.context.operator_packs, &self.packs)?;
        self.charge_start(cost_of_start(packs.iter().map(|pack| pack.pack.len()).sum()))?;
        if self.missing_nonces() == 0 {
            return self.begin();
        }
        // Deals once to find out whether it works: an error is better reported now than after the wait for nonces.
        self.make_game().map(|_| ())?;
        self.starting = Some(self.now() + NONCE_WAIT);
        self.pending.table();
        Ok(())
    }

    /// Begins the game after the wait for nonces, or reports why it cannot.
    pub(super) fn begin_or_report(&mut self) {
        self.starting = None;
        let begun = match self.cannot_start() {
            Some(missing) => Err(missing.into()),
            None => self.begin(),
        };
        if let Err(refusal) = begun {
            self.session(format!("The game could not start: {}", refusal.into_text()));
            self.pending.table();
        }
    }

    /// Deals the game, with everybody seated and the first steps done.
    fn make_game(&self) -> Result<DealtGame, ActionRefusal> {
        let now = self.date();
        let roster: Vec<&Player> = self.ready().collect();
        let packs = setup::packs(&self.rules, &self.record.settings, &self.context.operator_packs, &self.packs)?;
        let options = setup::options(&self.rules, &self.record.settings)?;
        let seats = match self.rules.definition.policies.newcomers_play {
            true => usize::from(self.rules.definition.max_players),
            false => roster.len(),
        };
        let hashes: Vec<_> = packs.iter().map(|pack| pack.hash).collect();
        let read: Vec<_> = packs.iter().map(|pack| &pack.pack).collect();
        let prepared = self.context.games.get(&self.rules, &options, &hashes, &read, seats)?;
        let mut live = prepared.scene.table(self.record.seed);
        let first = encode::json("the first view", &live.view(Viewer::Replay))?;
        // The replay is written only when the game has ended.
        live.dismiss(Viewer::Replay);
        let record = GameRecord {
            id: self.record.game(),
            code: self.record.code.clone(),
            definition_id: self.record.definition_id.clone(),
            pin: self.record.pin,
            options,
            packs: hashes,
            seats: seats as u8,
            seed: self.record.seed,
            table_definition: prepared.address,
            first: hash(&[&first]),
            names: roster.iter().map(|player| player.name.clone()).collect(),
            members: (0u8..).zip(&roster).filter_map(|(seat, player)| Some((seat, player.member?))).collect(),
            started_at: now,
            ended_at: None,
            void: false,
            replay: None,
        };
        let lead = roster.iter().position(|player| Some(&player.id) == self.record.lead.as_ref());
        let joins = (0u8..).zip(&roster).map(|(seat, player)| Input::Join { seat, person: player.is_person() });
        let nonces = (0u8..).zip(&roster).filter_map(|(seat, player)| {
            Some(Input::Nonce { seat, bytes: player.nonce.as_ref()?.clone().into_bytes() })
        });
        let lead = Input::Lead { seat: lead.map(|seat| seat as u8) };
        let blob = |hash, body| Write::GameBlob { game: record.id.clone(), hash, body };
        let mut writes = vec![
            game_row(&record)?,
            blob(record.table_definition, prepared.definition.clone()),
            blob(record.first, first),
        ];
        for pack in &packs {
            writes.push(blob(pack.hash, baize_packs::to_json(&pack.pack).into_bytes()));
        }
        let mut put_in = |input| -> Result<StepBatches, ActionRefusal> {
            let step = LoggedInput::Input(input);
            let batches = apply(&mut live, &step)?;
            let row = game::log_row(batches.seq, &LogRecord { step, request: None, clocks: Vec::new() }, now)?;
            writes.push(Write::Log { game: record.id.clone(), row });
            Ok(batches)
        };
        for input in joins.chain(nonces).chain([lead]) {
            put_in(input)?;
        }
        let start = put_in(Input::Start)?;
        let roster = roster.iter().map(|player| player.id.clone()).collect();
        Ok(DealtGame { play: RunningGame::new(HibernatingTable::new(prepared, live), record), writes, roster, start })
    }

    /// Seats exactly the players who are ready, locks the settings and deals.
    fn begin(&mut self) -> Result<(), ActionRefusal> {
        // People who left during the wait have no place, and cannot run the table.
        let has_place = |id: &String| self.ready().any(|player| player.id == *id);
        if self.record.lead.as_ref().is_some_and(|lead| !has_place(lead)) {
            self.record.lead = None;
            self.find_lead();
        }
        let DealtGame { play, writes, roster, start } = self.make_game()?;
        let size = |hash: Hash| writes.iter().find_map(|write| blob_size(write, &hash)).unwrap_or(0);
        let (definition, first) = (play.record.table_definition, play.record.first);
        let date = self.date();
        if !self.record.starts.take(definition, size(definition), size(first), date) {
            return Err(ErrorCode::TooFast.into());
        }
        self.starting = None;
        self.pending.writes.extend(writes);
        for (seat, member) in play.record.members.clone() {
            self.note_player(member, play.record.names.get(usize::from(seat)).cloned().unwrap_or_default());
        }
        self.record.players.retain(|player| roster.contains(&player.id));
        self.lost_since.retain(|id, _| roster.contains(id));
        self.record.host.take_if(|host| !roster.contains(host));
        for (seat, id) in (0u8..).zip(&roster) {
            if let Some(player) = self.record.player_mut(id) {
                player.seat = Some(seat);
                player.newcomer = false;
            }
        }
        self.record.newcomer_steps = 0;
        self.record.table_definition = Some(play.record.table_definition);
        self.record.status = TableStatus::Playing;
        self.record.again.clear();
        self.record.started_at = Some(self.date());
        self.play = Some(play);
        self.drop_packs();
        self.session("The game begins".into());
        self.pending.event(TableEvent::GameStarted);
        self.pending.table();
        self.state_for_all();
        self.announce_deal(&start);
        self.dismiss_spectators();
        self.follow_clocks();
        self.wake_bots();
        if self.play.as_ref().is_some_and(|play| play.live.outcome().is_some()) {
            self.game_ended();
        }
        let away: Vec<u8> =
            self.record.players.iter().filter(|p| p.presence == Presence::Away).filter_map(|p| p.seat).collect();
        for seat in away {
            if self.is_game_running() {
                self.apply_input(Input::Absent { seat });
            }
        }
        self.after_presence();
        Ok(())
    }

    /// Sends what the deal announced. The whole state shows the table after the deal, without the announcements.
    fn announce_deal(&mut self, start: &StepBatches) {
        for client in &self.clients {
            let Some(batch) = start.of(self.viewer(client)) else { continue };
            for event in &batch.events {
                let Event::Announced { text, kind } = event else { continue };
                let event = TableEvent::Announced { text: text.clone(), kind: kind.clone() };
                self.pending.event_to(client.id, event);
            }
        }
    }

    /// Sends everybody the whole state. People who lost their places because they were away now watch.
    pub(super) fn state_for_all(&mut self) {
        let gone = |client: &&Client| client.player.as_ref().is_some_and(|id| self.record.player(id).is_none());
        let without: Vec<ClientId> = self.clients.iter().filter(gone).map(|client| client.id).collect();
        for id in without {
            self.make_spectator(id, ErrorCode::NoNewcomers);
        }
        let ids: Vec<ClientId> = self.clients.iter().map(|client| client.id).collect();
        for id in ids {
            self.pending.state(id, None);
        }
    }

    /// Fails unless the table is in the lobby. A start that waits for nonces locks the lobby, too.
    pub(super) fn must_be_lobby(&self) -> Result<(), ActionRefusal> {
        match (self.record.status, self.starting) {
            (TableStatus::Lobby, None) => Ok(()),
            _ => Err(ErrorCode::NotInLobby.into()),
        }
    }
}
