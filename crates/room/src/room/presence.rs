//! Presence: who is here, away, disconnected or gone, and how the game reacts.

use super::Room;
use super::members::topic;
use crate::ActionRefusal;
use crate::message::ClientId;
use crate::names::shown;
use crate::record::Player;
use baize_engine::input::Input;
use baize_protocol::{BotLevel, Door, ErrorCode, LeaveReason, PauseReason, Presence, TableEvent, TableStatus};

/// A disconnected lead loses the lead after this time.
pub const LEAD_GRACE: u64 = 60_000;

impl Room {
    pub(super) fn player_of(&self, id: ClientId) -> Result<String, ActionRefusal> {
        let client = self.clients.iter().find(|client| client.id == id);
        client.and_then(|client| client.player.clone()).ok_or(ErrorCode::NoSeat.into())
    }

    /// A client of this player has joined.
    pub(super) fn arrived(&mut self, id: &str) {
        let date = self.date();
        let Some(player) = self.record.player_mut(id) else { return };
        player.last_seen = date;
        let was_disconnected = player.presence == Presence::Disconnected;
        self.charge_newcomer(id, |room| match was_disconnected {
            true => room.change_presence(id, Presence::Active),
            false => room.after_presence(),
        });
    }

    /// The last client of this player is gone.
    pub(super) fn connection_lost(&mut self, id: &str) {
        if !self.record.player(id).is_some_and(Player::is_online) {
            return;
        }
        match self.is_newcomer(id) && self.newcomers_used_up() {
            true => self.remove(id, LeaveReason::Disconnected),
            false => self.charge_newcomer(id, |room| room.change_presence(id, Presence::Disconnected)),
        }
    }

    pub(super) fn away(&mut self, id: ClientId, away: bool) -> Result<(), ActionRefusal> {
        let id = self.player_of(id)?;
        let wanted = if away { Presence::Away } else { Presence::Active };
        if self.record.player(&id).is_none_or(|player| player.presence == wanted) {
            return Ok(());
        }
        if away && self.is_newcomer(&id) && self.newcomers_used_up() {
            return Err(ErrorCode::TooFast.into());
        }
        self.charge_newcomer(&id, |room| room.change_presence(&id, wanted));
        Ok(())
    }

    fn change_presence(&mut self, id: &str, presence: Presence) {
        let (now, date) = (self.now(), self.date());
        let Some(player) = self.record.player_mut(id) else { return };
        let before = std::mem::replace(&mut player.presence, presence);
        let first = std::mem::take(&mut player.expected);
        player.last_seen = date;
        let (name, seat) = (player.name.clone(), player.seat);
        let topic = topic(player.member.as_ref(), &name);
        match presence {
            Presence::Disconnected => drop(self.lost_since.insert(id.to_owned(), now)),
            _ => drop(self.lost_since.remove(id)),
        }
        let what = match (before, presence) {
            (_, Presence::Disconnected) => "disconnected",
            (_, Presence::Away) => "is away",
            (Presence::Disconnected, _) if first => "joined the game",
            (Presence::Disconnected, _) => "reconnected",
            _ => "is back",
        };
        self.session_about(&topic, format!("{} {what}", shown(&name)));
        self.pending.event(TableEvent::PlayerPresenceChanged { player_id: id.to_owned(), presence });
        let was_here = before == Presence::Active;
        let is_here = presence == Presence::Active;
        if let Some(seat) = seat.filter(|_| was_here != is_here && self.is_game_running()) {
            let input = if is_here { Input::Present { seat } } else { Input::Absent { seat } };
            self.apply_input(input);
        }
        if is_here {
            self.record.votes.remove(id);
        }
        self.after_presence();
        self.pending.table();
    }

    /// Pauses or resumes the game after somebody's presence has changed.
    pub(super) fn after_presence(&mut self) {
        match (self.record.status, self.record.paused, self.reason_to_pause()) {
            (TableStatus::Playing, _, Some(reason)) => self.pause(reason),
            // The table stays paused until the lead resumes it.
            (TableStatus::Paused, Some(PauseReason::Lead), _) => {}
            (TableStatus::Paused, Some(_), None) => self.resume(),
            (TableStatus::Paused, Some(before), Some(reason)) if before != reason => self.wait_for(reason),
            _ => {}
        }
        if self.record.lead.is_none() {
            self.find_lead();
        }
        self.count_votes();
        self.follow_clocks();
        self.wake_bots();
    }

    /// Why the game cannot go on now, whatever the lead wants.
    pub(super) fn reason_to_pause(&self) -> Option<PauseReason> {
        let policies = &self.rules.definition.policies;
        let host = self.record.host.as_ref().and_then(|id| self.record.player(id));
        if policies.host_absent_pauses && host.is_some_and(|host| host.presence == Presence::Disconnected) {
            return Some(PauseReason::HostAbsent);
        }
        let in_game = self.record.seated().filter(|player| player.seat.is_some()).count();
        if in_game < usize::from(self.rules.definition.min_players) {
            return Some(PauseReason::TooFew);
        }
        // A game without any person present does not go on.
        (!self.has_person_present()).then_some(PauseReason::Deserted)
    }

    pub(super) fn leave(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        let player = self.player_of(id)?;
        self.remove(&player, LeaveReason::Left);
        Ok(())
    }

    /// Removes a player for good. In the lobby the place is simply free again.
    pub(super) fn remove(&mut self, id: &str, reason: LeaveReason) {
        self.charge_newcomer(id, |room| room.remove_player(id, reason));
    }

    fn remove_player(&mut self, id: &str, reason: LeaveReason) {
        let Some(player) = self.record.player_mut(id) else { return };
        let (name, seat) = (player.name.clone(), player.seat);
        let topic = topic(player.member.as_ref(), &name);
        player.presence = Presence::Left;
        player.left = Some(reason);
        self.record.votes.remove(id);
        for voters in self.record.votes.values_mut() {
            voters.retain(|voter| voter != id);
        }
        self.record.seat_codes.retain(|code| code.player != id);
        self.lost_since.remove(id);
        let who = shown(&name);
        let text = match reason {
            LeaveReason::Left => format!("{who} left the game"),
            LeaveReason::Kicked => format!("{who} was removed by the lead"),
            LeaveReason::VotedOut => format!("{who} was voted out"),
            LeaveReason::Disconnected => format!("{who} did not come back"),
            LeaveReason::Handed => format!("{who}'s seat was handed on"),
        };
        self.session_about(&topic, text);
        self.pending.event(TableEvent::PlayerLeft { player_id: id.to_owned(), reason });
        // Clients of the removed player become spectators.
        let now_watching: Vec<ClientId> =
            self.clients.iter().filter(|client| client.player.as_deref() == Some(id)).map(|client| client.id).collect();
        for client in now_watching {
            self.announce_spectator(client, ErrorCode::LeftForGood);
        }
        if self.record.lead.as_deref() == Some(id) {
            self.record.lead = None;
            self.find_lead();
        }
        if self.record.host.as_deref() == Some(id) {
            self.record.host = None;
        }
        match seat {
            None => self.record.players.retain(|player| player.id != id),
            Some(seat) if self.is_game_running() => self.vacate(id, seat, &name),
            Some(_) => {}
        }
        // Nobody is left who could let anybody in, so the door opens.
        if !self.record.seated().any(|player| player.is_person()) {
            self.record.door = Door::Open;
            self.record.inside.clear();
        }
        self.after_presence();
        self.pending.table();
    }

    /// The rules decide what happens to the seat of a player who left.
    fn vacate(&mut self, id: &str, seat: u8, name: &str) {
        let person = self.record.player(id).is_some_and(|player| player.is_person());
        if person && self.rules.definition.policies.leavers_become_bots {
            let bot_name = self.bot_name();
            let mut bot = self.new_bot(bot_name.clone(), BotLevel::Medium);
            bot.seat = Some(seat);
            bot.took_over = true;
            self.record.players.push(bot);
            self.session(format!("{bot_name} (bot) plays on for {}", shown(name)));
            self.apply_input(Input::Replaced { seat, person: false });
        } else {
            self.apply_input(Input::Leave { seat });
        }
        if let Some(player) = self.record.player_mut(id) {
            player.seat = None;
        }
    }

    fn announce_spectator(&mut self, id: ClientId, because: ErrorCode) {
        self.make_spectator(id, because);
        self.pending.state(id, None);
    }

    /// Makes the client of a player who has lost the place a spectator. If the limits on spectators do not allow it, the client is
    /// closed: otherwise strangers could sit down and leave to get around the limits.
    pub(super) fn make_spectator(&mut self, id: ClientId, because: ErrorCode) {
        let Some(client) = self.clients.iter().find(|client| client.id == id) else { return };
        let member = client.member;
        // The client of a removed player is closed in any case, and hears why.
        let allowed = match self.record.banned.contains(&member) {
            true => Ok(()),
            false => self.may_watch(&member, self.watches_already(&member)),
        };
        let number = self.spectator_number(&member);
        if let Some(client) = self.clients.iter_mut().find(|client| client.id == id) {
            client.player = None;
            client.spectator = number;
            client.watching_because = Some(because);
        }
        if let Err(refusal) = allowed {
            self.pending.close(id, refusal.code);
        }
    }

    pub(super) fn is_game_running(&self) -> bool {
        matches!(self.record.status, TableStatus::Playing | TableStatus::Paused)
    }

    /// Applies an input that follows from an event. The engine refuses it only if it changes nothing.
    pub(super) fn apply_input(&mut self, input: Input) {
        if let Err(refusal) = self.input(input.clone()) {
            tracing::warn!(code = %self.record.code, ?input, error = %refusal.code, "input refused");
        }
    }

    /// Gives the lead to the active person who has been seated for longest.
    pub(super) fn find_lead(&mut self) {
        let next = self.record.seated().filter(|player| player.is_person() && player.is_active());
        let next = next.min_by_key(|player| player.joined_at).map(|player| player.id.clone());
        if next.is_some() {
            self.set_lead(next);
        }
    }

    pub(super) fn set_lead(&mut self, lead: Option<String>) {
        if self.record.lead == lead {
            return;
        }
        self.record.lead = lead.clone();
        let player = lead.as_ref().and_then(|id| self.record.player(id));
        let (name, seat) = (player.map(|p| p.name.clone()), player.and_then(|p| p.seat));
        if let Some(name) = name {
            self.session_about("lead", format!("{} is the lead now", shown(&name)));
        }
        self.pending.event(TableEvent::LeadChanged { player_id: lead });
        if self.has_askers() {
            self.tell_askers();
        }
        if self.is_game_running() {
            self.apply_input(Input::Lead { seat });
        }
        self.pending.table();
    }
}
