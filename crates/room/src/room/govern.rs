//! Running the table: pause, end, rematch, kick, vote, pass the lead or a seat.

use super::Room;
use super::members::topic;
use crate::ActionRefusal;
use crate::identity;
use crate::message::ClientId;
use crate::names::shown;
use crate::record::{KickedPlayer, Player, SeatCode};
use baize_engine::input::Input;
use baize_protocol::{ErrorCode, LeaveReason, PauseReason, Presence, TableEvent, TableStatus};

/// How long a code for another device is valid.
const SEAT_CODE: u64 = 5 * 60_000;
/// How long the lead can take back the removal of a player.
const UNDO_KICK: u64 = 60_000;

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
        let lead = self.record.lead.as_deref().and_then(|lead| self.record.player(lead));
        let name = lead.map(|lead| lead.name.clone()).unwrap_or_default();
        self.session(format!("{} ended the game", shown(&name)));
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
        let name = self.record.player(&player).map(|host| host.name.clone()).unwrap_or_default();
        self.session(format!("{} abandoned the game", shown(&name)));
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

    /// Notes whether a player wants another game. If everybody who is online does, the game starts without the lead.
    pub(super) fn again(&mut self, id: ClientId, again: bool) -> Result<(), ActionRefusal> {
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        let is_lobby = self.record.status == TableStatus::Lobby;
        if !is_lobby && self.record.status != TableStatus::Ended {
            return Err(ErrorCode::NotEnded.into());
        }
        let player = self.player_of(id)?;
        self.record.again.retain(|other| *other != player);
        if again {
            self.record.again.push(player);
        }
        self.pending.table();
        let says_again = |player: &Player| self.record.again.contains(&player.id);
        let everybody = self.ready().filter(|player| player.is_person()).all(says_again);
        if !again || !everybody || self.starting.is_some() {
            return Ok(());
        }
        if !is_lobby {
            self.charge_start(1)?;
            self.return_to_lobby();
        }
        if let Err(refusal) = self.prepare_start() {
            self.session(format!("The game could not start: {}", refusal.into_text()));
        }
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
        // The next game has other seats.
        self.record.kicked.iter_mut().for_each(|kicked| kicked.player.seat = None);
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
            let (player, members, until) = (player.clone(), all.clone(), self.now() + UNDO_KICK);
            let kicked = KickedPlayer { player, members, until, left: UNDO_KICK };
            all.into_iter().for_each(|member| self.record.ban(member));
            self.record.note_kick(kicked, self.now());
            self.remove(target, LeaveReason::Kicked);
            for client in theirs {
                self.pending.close(client, ErrorCode::Kicked);
            }
        }
        Ok(())
    }

    /// Takes back the removal of a player: the ban ends, and the player has the seat again if it is free or a bot plays on
    /// there. The game itself is not rewound.
    pub(super) fn undo_kick(&mut self, id: ClientId, target: &str) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        let now = self.now();
        let at = self.record.kicked.iter().position(|kicked| kicked.player.id == target && now < kicked.until);
        let KickedPlayer { player, members, .. } = self.record.kicked.remove(at.ok_or(ErrorCode::NoSuchPlayer)?);
        self.record.banned.retain(|member| !members.contains(member));
        // While the door is not open, somebody without a seat comes back only if let in.
        if !self.record.door.is_open() {
            members.iter().for_each(|member| self.record.let_in(*member));
        }
        let name = player.name.clone();
        let is_known = self.record.player(target).is_some();
        let has_place = self.record.status == TableStatus::Lobby && self.only_watch().is_none() && !is_known;
        let has_name = player.member.is_some_and(|member| !self.name_taken(&name, &member));
        let bot = player.seat.and_then(|seat| self.record.by_seat(seat)).filter(|bot| bot.took_over);
        let bot = bot.map(|bot| bot.id.clone());
        if has_place && has_name {
            let back = Player { presence: Presence::Disconnected, left: None, ..player };
            self.record.players.push(back);
        } else if let (Some(seat), Some(bot)) = (player.seat, bot.filter(|_| self.is_game_running())) {
            self.return_seat(target, seat, &bot);
        } else if let Some(gone) = self.record.player_mut(target) {
            // Without a seat to come back to, the person comes like somebody new, and may watch.
            gone.was = gone.member.take();
        }
        self.session(format!("{} may come back", shown(&name)));
        self.pending.record = true;
        self.after_presence();
        self.pending.table();
        Ok(())
    }

    /// Gives the seat of a bot that took over back to the player who had it. The player is still disconnected.
    fn return_seat(&mut self, target: &str, seat: u8, bot: &str) {
        if let Some(bot) = self.record.player_mut(bot) {
            bot.presence = Presence::Left;
            bot.seat = None;
            bot.left = Some(LeaveReason::Handed);
        }
        if let Some(player) = self.record.player_mut(target) {
            player.presence = Presence::Disconnected;
            player.seat = Some(seat);
            player.left = None;
        }
        self.pending.event(TableEvent::PlayerLeft { player_id: bot.to_owned(), reason: LeaveReason::Handed });
        self.apply_input(Input::Replaced { seat, person: true });
        self.apply_input(Input::Absent { seat });
        self.lost_since.insert(target.to_owned(), self.now());
    }

    /// Removes a spectator. A player who also watches in another window loses only that window.
    fn kick_spectator(&mut self, target: &str) -> Result<(), ActionRefusal> {
        let watches =
            |client: &&super::client::Client| client.player.is_none() && !client.closed && client.public_id() == target;
        let client = self.clients.iter().find(watches).ok_or(ErrorCode::NoSuchPlayer)?;
        let (member, name) = (client.member, client.name.clone());
        let theirs: Vec<ClientId> = self.clients.iter().filter(watches).map(|client| client.id).collect();
        if self.record.by_member(&member).is_none_or(|player| player.presence == Presence::Left) {
            self.record.ban(member);
            self.note_member(member, name.clone());
            self.session_about(&topic(Some(&member), &name), format!("{} was removed by the lead", shown(&name)));
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
        let newcomer = self.clients.iter().find(|client| client.player.is_none() && client.public_id() == to);
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
            was: None,
            bot: None,
            seat: Some(seat),
            presence: Presence::Active,
            joined_at: now,
            last_seen: now,
            left: None,
            nonce: None,
            took_over: false,
            expected: false,
            newcomer: false,
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
        let code = identity::code(self.entropy.eight_bytes());
        self.record.seat_codes.retain(|code| is_valid(code, date) && code.player != player);
        let hash = identity::hash(&[b"baize seat v1", code.as_bytes()]);
        self.record.seat_codes.push(SeatCode { hash, player, until: date + SEAT_CODE });
        self.pending.record = true;
        self.pending.event_to(id, TableEvent::SeatCode { code, expires_in: SEAT_CODE });
        Ok(())
    }

    pub(super) fn take_seat(&mut self, id: ClientId, code: &str) -> Result<(), ActionRefusal> {
        let date = self.date();
        let hash = identity::hash(&[b"baize seat v1", code.as_bytes()]);
        let at = self.record.seat_codes.iter().position(|code| code.hash == hash && is_valid(code, date));
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

    /// Gives all clients of a browser this player's view.
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
        let watches = |client: &&super::client::Client| client.player.is_none() && client.public_id() == target;
        let member = match self.record.player(target) {
            Some(player) => player.member.ok_or(ErrorCode::NotAPerson)?,
            None => self.clients.iter().find(watches).ok_or(ErrorCode::NoSuchPlayer)?.member,
        };
        self.record.muted.retain(|other| *other != member);
        if muted {
            self.record.mute(member);
            // A muted spectator becomes a member of the table, so that *Forget me* finds them.
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
fn is_valid(code: &SeatCode, date: u64) -> bool {
    (1..=SEAT_CODE).contains(&code.until.saturating_sub(date))
}
