//! Running the table: pause, end, rematch, kick, vote, pass the lead or a seat.

use super::Room;
use super::members::subject;
use crate::ActionRefusal;
use crate::identity;
use crate::message::ClientId;
use crate::names::shown;
use crate::record::{Player, SeatCode};
use baize_engine::input::Input;
use baize_protocol::{ErrorCode, LeaveReason, PauseReason, Presence, TableEvent, TableStatus};

/// How long a code for another device is valid.
const SEAT_CODE: u64 = 5 * 60_000;

impl Room {
    pub(super) fn must_lead(&self, id: ClientId) -> Result<(), ActionRefusal> {
        let player = self.player_of(id).ok();
        if player.is_some() && player == self.record.lead { Ok(()) } else { Err(ErrorCode::NotLead.into()) }
    }

    pub(super) fn pause_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        match (self.record.status, self.record.paused) {
            (TableStatus::Playing, _) => self.pause(PauseReason::Lead),
            // Whatever paused the game before, it now stays paused until the lead resumes it.
            (TableStatus::Paused, Some(reason)) if reason != PauseReason::Lead => {
                self.record.paused = Some(PauseReason::Lead);
                self.pending.table();
            }
            (TableStatus::Paused, _) => return Err(ErrorCode::Paused.into()),
            _ => return Err(ErrorCode::NotPlaying.into()),
        }
        Ok(())
    }

    pub(super) fn resume_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        match (self.record.status, self.record.paused) {
            (TableStatus::Paused, _) if self.reason_to_pause() == Some(PauseReason::TooFew) => {
                Err(ErrorCode::TooFewPlayers.into())
            }
            (TableStatus::Paused, Some(PauseReason::Lead)) => {
                self.resume();
                // A reason to pause that arose meanwhile takes effect now.
                self.after_presence();
                Ok(())
            }
            (TableStatus::Paused, _) => Err(ErrorCode::Paused.into()),
            _ => Err(ErrorCode::NotPaused.into()),
        }
    }

    pub(super) fn pause(&mut self, reason: PauseReason) {
        self.record.status = TableStatus::Paused;
        self.follow_clocks();
        self.apply_input(Input::Pause);
        self.pending.event(TableEvent::GamePaused);
        self.wait_for(reason);
    }

    /// Changes the reason of a paused game.
    pub(super) fn wait_for(&mut self, reason: PauseReason) {
        self.record.paused = Some(reason);
        self.session_about(
            "pause",
            match reason {
                PauseReason::Lead => "The lead paused the game",
                PauseReason::HostAbsent => "The game is paused until the host is back",
                PauseReason::TooFew => "The game is paused until more players join",
                PauseReason::Deserted => "The game is paused until somebody is back",
            }
            .into(),
        );
        self.pending.table();
    }

    pub(super) fn resume(&mut self) {
        self.record.status = TableStatus::Playing;
        self.record.paused = None;
        self.session_about("pause", "The game goes on".into());
        self.pending.event(TableEvent::GameResumed);
        self.pending.table();
        self.apply_input(Input::Resume);
    }

    pub(super) fn end_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if !self.is_game_running() {
            return Err(ErrorCode::NotPlaying.into());
        }
        self.charge_start(1)?;
        self.session("The lead ended the game".into());
        self.input(Input::Abandon)
    }

    pub(super) fn abandon_game(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        let player = self.player_of(id)?;
        if Some(&player) != self.record.host.as_ref() {
            return Err(ErrorCode::NotHost.into());
        }
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        self.record.abandoned = true;
        self.starting = None;
        self.session("The host abandoned the game".into());
        if self.is_game_running() {
            self.apply_input(Input::Abandon);
        }
        if self.record.status != TableStatus::Ended {
            self.record.status = TableStatus::Ended;
            self.record.ended_at = Some(self.date());
            self.pending.event(TableEvent::GameEnded);
        }
        self.pending.table();
        Ok(())
    }

    /// Goes back to the lobby with the same players and a new seed.
    pub(super) fn rematch(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        if self.record.status != TableStatus::Ended {
            return Err(ErrorCode::NotEnded.into());
        }
        self.charge_start(1)?;
        self.return_to_lobby();
        self.session("Another game: the lead starts it".into());
        Ok(())
    }

    /// Goes back to the lobby. All players keep their places, in the order of their seats.
    pub(super) fn return_to_lobby(&mut self) {
        self.record.players.retain(|player| player.presence != Presence::Left);
        self.record.players.sort_by_key(|player| player.seat.unwrap_or(u8::MAX));
        for player in &mut self.record.players {
            player.seat = None;
            player.nonce = None;
            player.took_over = false;
        }
        self.record.number += 1;
        self.record.status = TableStatus::Lobby;
        self.record.seed = self.entropy.bytes();
        self.record.table_definition = None;
        self.record.started_at = None;
        self.record.ended_at = None;
        self.record.clocks = None;
        self.record.votes.clear();
        self.play = None;
        self.pending.table();
        self.state_for_all();
    }

    pub(super) fn kick(&mut self, id: ClientId, target: &str) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if self.record.player(target).is_none() {
            return self.kick_spectator(target);
        }
        let player = self.seated_player(target)?;
        if self.record.lead.as_deref() == Some(target) {
            return Err(ErrorCode::NotLead.into());
        }
        if !player.is_person() {
            return self.remove_bot(id, target);
        }
        if let Some(member) = player.member {
            let before = self.record.left_behind.iter().filter(|(player, _)| player == target);
            let all: Vec<_> = before.map(|(_, member)| *member).chain([member]).collect();
            let theirs: Vec<ClientId> = self.clients.iter().filter(|c| all.contains(&c.member)).map(|c| c.id).collect();
            all.into_iter().for_each(|member| self.record.ban(member));
            self.remove(target, LeaveReason::Kicked);
            for client in theirs {
                self.pending.close(client, ErrorCode::Kicked);
            }
        }
        Ok(())
    }

    /// Removes a spectator. A player who also watches in another window loses only that window.
    fn kick_spectator(&mut self, target: &str) -> Result<(), ActionRefusal> {
        let watches =
            |client: &&super::client::Client| client.player.is_none() && !client.cut && client.who() == target;
        let client = self.clients.iter().find(watches).ok_or(ErrorCode::NoSuchPlayer)?;
        let (member, name) = (client.member, client.name.clone());
        let theirs: Vec<ClientId> = self.clients.iter().filter(watches).map(|client| client.id).collect();
        if self.record.by_member(&member).is_none_or(|player| player.presence == Presence::Left) {
            self.record.ban(member);
            self.note_member(member, name.clone());
            self.session_about(&subject(Some(&member), &name), format!("{} was removed by the lead", shown(&name)));
        }
        for client in theirs {
            self.pending.close(client, ErrorCode::Kicked);
        }
        self.pending.record = true;
        Ok(())
    }

    /// Removes a bot: in the lobby any bot; in a running game only one that plays on for somebody who left, and the seat leaves
    /// the game.
    pub(super) fn remove_bot(&mut self, id: ClientId, target: &str) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        let player = self.seated_player(target)?;
        if player.is_person() {
            return Err(ErrorCode::NotABot.into());
        }
        if self.record.status != TableStatus::Lobby && !player.took_over {
            return Err(ErrorCode::NotInLobby.into());
        }
        self.remove(target, LeaveReason::Kicked);
        Ok(())
    }

    pub(super) fn vote(&mut self, id: ClientId, target: &str, remove: bool) -> Result<(), ActionRefusal> {
        let voter = self.player_of(id)?;
        let player = self.seated_player(target)?;
        if !player.is_person() {
            return Err(ErrorCode::NotAPerson.into());
        }
        if player.is_active() {
            return Err(ErrorCode::NotAbsent.into());
        }
        let voters = self.record.votes.entry(target.to_owned()).or_default();
        voters.retain(|other| *other != voter);
        if remove {
            voters.push(voter);
        }
        if voters.is_empty() {
            self.record.votes.remove(target);
        }
        self.count_votes();
        self.pending.table();
        Ok(())
    }

    /// Removes players whom enough of those present want removed. It is also called when somebody's presence changes, because
    /// that changes the majority.
    pub(super) fn count_votes(&mut self) {
        let needed = self.votes_needed();
        let present = |id: &&String| self.record.player(id).is_some_and(Player::is_active);
        let votes = self.record.votes.iter();
        let mut decided = votes.filter(|(_, voters)| voters.iter().filter(present).count() as u32 >= needed);
        if let Some(target) = decided.next().map(|(target, _)| target.clone()) {
            // `remove` counts the remaining votes again.
            self.remove(&target, LeaveReason::VotedOut);
        }
    }

    /// A majority of the persons who are present.
    pub(super) fn votes_needed(&self) -> u32 {
        let present = self.record.seated().filter(|player| player.is_person() && player.is_active()).count();
        present as u32 / 2 + 1
    }

    pub(super) fn pass_lead(&mut self, id: ClientId, target: &str) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        let player = self.seated_player(target)?;
        if !player.is_person() {
            return Err(ErrorCode::NotAPerson.into());
        }
        self.set_lead(Some(target.to_owned()));
        Ok(())
    }

    /// Gives a seat to a spectator. Its player must be absent, or a bot that plays on for somebody who left.
    pub(super) fn hand_seat(&mut self, id: ClientId, target: &str, to: &str) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if !self.is_game_running() {
            return Err(ErrorCode::NotPlaying.into());
        }
        let old = self.seated_player(target)?;
        if old.is_active() && !old.took_over {
            return Err(ErrorCode::NotAbsent.into());
        }
        let seat = old.seat.ok_or(ErrorCode::NoSuchPlayer)?;
        let newcomer = self.clients.iter().find(|client| client.player.is_none() && client.who() == to);
        let newcomer = newcomer.ok_or(ErrorCode::NoSuchPlayer)?;
        let (member, name) = (newcomer.member, newcomer.name.clone());
        if self.record.by_member(&member).is_some() {
            return Err(ErrorCode::LeftForGood.into());
        }
        if self.name_taken(&name, &member) {
            return Err(ErrorCode::NameTaken.into());
        }
        let now = self.date();
        let new_id = self.new_player_id();
        let old_name = match self.record.player_mut(target) {
            Some(old) => {
                old.presence = Presence::Left;
                old.seat = None;
                old.left = Some(LeaveReason::Handed);
                old.name.clone()
            }
            None => return Err(ErrorCode::NoSuchPlayer.into()),
        };
        self.record.players.push(Player {
            id: new_id.clone(),
            name: name.clone(),
            member: Some(member),
            bot: None,
            seat: Some(seat),
            presence: Presence::Active,
            joined_at: now,
            last_seen: now,
            left: None,
            nonce: None,
            took_over: false,
            expected: false,
        });
        self.record.votes.remove(target);
        self.record.seat_codes.retain(|code| code.player != target);
        self.pending.event(TableEvent::PlayerLeft { player_id: target.to_owned(), reason: LeaveReason::Handed });
        self.note_member(member, name.clone());
        self.apply_input(Input::Replaced { seat, person: true });
        self.session(format!("{} plays on for {}", shown(&name), shown(&old_name)));
        if self.record.host.as_deref() == Some(target) {
            self.record.host = None;
        }
        if self.record.lead.as_deref() == Some(target) {
            self.record.lead = None;
        }
        self.give_clients(&member, &new_id);
        self.after_presence();
        self.pending.table();
        Ok(())
    }

    pub(super) fn move_seat(&mut self, id: ClientId) -> Result<(), ActionRefusal> {
        let player = self.player_of(id)?;
        let date = self.date();
        let code = identity::code(self.entropy.eight());
        self.record.seat_codes.retain(|code| is_good(code, date) && code.player != player);
        let hash = identity::hash(&[b"baize seat v1", code.as_bytes()]);
        self.record.seat_codes.push(SeatCode { hash, player, until: date + SEAT_CODE });
        self.pending.record = true;
        self.pending.event_to(id, TableEvent::SeatCode { code, expires_in: SEAT_CODE });
        Ok(())
    }

    pub(super) fn take_seat(&mut self, id: ClientId, code: &str) -> Result<(), ActionRefusal> {
        let date = self.date();
        let hash = identity::hash(&[b"baize seat v1", code.as_bytes()]);
        let at = self.record.seat_codes.iter().position(|code| code.hash == hash && is_good(code, date));
        let at = at.ok_or(ErrorCode::BadSeatCode)?;
        let client = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?;
        let member = client.member;
        if self.record.by_member(&member).is_some() {
            return Err(ErrorCode::SeatTaken.into());
        }
        let player = self.record.seat_codes.remove(at).player;
        let before: Vec<ClientId> =
            self.clients.iter().filter(|c| c.player.as_ref() == Some(&player)).map(|c| c.id).collect();
        if let Some(moved) = self.record.player_mut(&player) {
            let old = moved.member.replace(member);
            let name = moved.name.clone();
            self.note_member(member, name);
            // Moving to another browser ends neither a mute nor a ban.
            if let Some(old) = old {
                self.record.leave_behind(player.clone(), old);
                if self.record.muted.contains(&old) {
                    self.record.mute(member);
                }
            }
        }
        self.give_clients(&member, &player);
        for old in before {
            if let Some(client) = self.clients.iter_mut().find(|client| client.id == old) {
                client.player = None;
            }
            self.pending.close(old, ErrorCode::SeatTaken);
        }
        self.arrived(&player);
        self.pending.table();
        Ok(())
    }

    /// All clients of a browser get this player's view.
    fn give_clients(&mut self, member: &identity::Member, player: &str) {
        let mut theirs = Vec::new();
        for client in self.clients.iter_mut().filter(|client| client.member == *member) {
            client.player = Some(player.to_owned());
            client.watching_because = None;
            theirs.push(client.id);
        }
        for id in theirs {
            self.pending.state(id, None);
        }
    }

    pub(super) fn mute(&mut self, id: ClientId, target: &str, muted: bool) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        let watches = |client: &&super::client::Client| client.player.is_none() && client.who() == target;
        let member = match self.record.player(target) {
            Some(player) => player.member.ok_or(ErrorCode::NotAPerson)?,
            None => self.clients.iter().find(watches).ok_or(ErrorCode::NoSuchPlayer)?.member,
        };
        self.record.muted.retain(|other| *other != member);
        if muted {
            self.record.mute(member);
            // A muted spectator becomes a member of the table, so that they can be forgotten.
            let name = self.clients.iter().find(|client| client.member == member).map(|client| client.name.clone());
            self.note_member(member, name.unwrap_or_default());
        }
        self.pending.table();
        Ok(())
    }

    /// Limits starts, ends and rematches, because they cost much computing time.
    pub(super) fn charge_start(&mut self, cost: u64) -> Result<(), ActionRefusal> {
        let now = self.now();
        self.allowances.costly(cost, self.context.config.actions_per_second, now)
    }

    fn seated_player(&self, id: &str) -> Result<&Player, ActionRefusal> {
        let player = self.record.player(id).filter(|player| player.presence != Presence::Left);
        player.ok_or(ErrorCode::NoSuchPlayer.into())
    }
}

/// A code survives restarts, so its end is a date. If the date has stepped back, the code is invalid: it must not be valid for
/// longer than intended.
fn is_good(code: &SeatCode, date: u64) -> bool {
    (1..=SEAT_CODE).contains(&code.until.saturating_sub(date))
}
