//! Joining a table: coming back to a seat, taking a new one, or watching.

use super::Room;
use super::allowance::{NEW_SPECTATORS, STRANGERS};
use super::client::Client;
use super::effects::game_row;
use super::info::player_info;
use super::members::topic;
use crate::ActionRefusal;
use crate::identity::Member;
use crate::message::ClientId;
use crate::message::{Join, Time};
use crate::names::{self, shown};
use crate::record::Player;
use baize_engine::input::Input;
use baize_engine::view::Viewer;
use baize_protocol::http::TableCard;
use baize_protocol::{Door, ErrorCode, Presence, TableEvent, TableStatus, limits};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many further spectators' numbers the room reserves when it writes the record for one.
const RESERVED_AT_ONCE: u32 = 31;
/// Upper bound on clients of one browser.
const CLIENTS_EACH: usize = 4;

impl Room {
    pub(super) fn join(&mut self, join: Join) {
        match self.admit(&join) {
            Err(refusal) => self.pending.turn_away(join.client, refusal, join.request),
            Ok((player, watching_because)) => {
                let known = player.as_ref().and_then(|id| self.record.player(id)).map(|p| p.name.clone());
                let spectator = match &player {
                    Some(_) => 0,
                    None => self.spectator_number(&join.member),
                };
                let name = known.unwrap_or_else(|| {
                    let given = join.name.as_deref().and_then(|name| names::name(name).ok());
                    self.free_name(given.unwrap_or_else(|| format!("Guest {spectator}")), &join.member)
                });
                let id = join.client;
                let watches_already = player.is_none() && self.watches_already(&join.member);
                self.clients.push(Client {
                    id,
                    member: join.member,
                    player: player.clone(),
                    spectator,
                    keys: names::Keys::of(&name),
                    name,
                    watching_because,
                    closed: false,
                });
                // A client that the room restores after a fault has an empty request, and had its answer before.
                if !join.request.is_empty() {
                    self.pending.ack(id, join.request, join.received);
                }
                match player {
                    Some(player) => self.arrived(&player),
                    None if watches_already => {}
                    None => self.spectator_joined(id),
                }
                self.pending.state(id, join.last);
                if self.has_askers() && self.must_lead(id).is_ok() {
                    self.tell_askers_to(id);
                }
                self.start_if_full();
            }
        }
    }

    /// Returns the player, or the reason why the person can only watch.
    fn admit(&mut self, join: &Join) -> Result<(Option<String>, Option<ErrorCode>), ActionRefusal> {
        if self.clients.iter().any(|client| client.id == join.client) {
            return Err(ErrorCode::AlreadyJoined.into());
        }
        if self.record.banned.contains(&join.member) {
            return Err(ErrorCode::Kicked.into());
        }
        if self.clients.iter().filter(|client| client.member == join.member && !client.closed).count() >= CLIENTS_EACH {
            return Err(ErrorCode::TooFast.into());
        }
        let now = self.now();
        let is_known = self.allowances.knows(&join.member) || self.record.by_member(&join.member).is_some();
        self.allowances.arrive(&join.member, now)?;
        self.check_door(join)?;
        let mine = self.record.by_member(&join.member).map(|player| (player.id.clone(), player.presence));
        match mine {
            Some((id, presence)) if presence != Presence::Left && !join.watch => return Ok((Some(id), None)),
            Some((_, Presence::Left)) if !join.watch => {
                return self.watch(&join.member, is_known, Some(ErrorCode::LeftForGood));
            }
            _ if join.watch => return self.watch(&join.member, is_known, None),
            _ => {}
        }
        if self.record.abandoned {
            return Err(ErrorCode::TableOver.into());
        }
        match self.only_watch() {
            // In the lobby somebody may still leave, so the person is refused; the page explains it and offers to watch.
            Some(ErrorCode::TableFull) if self.record.status == TableStatus::Lobby => Err(ErrorCode::TableFull.into()),
            Some(why) => self.watch(&join.member, is_known, Some(why)),
            None => {
                let name = names::name(join.name.as_deref().ok_or(ErrorCode::BadName)?)?;
                if self.name_taken(&name, &join.member) {
                    return Err(ErrorCode::NameTaken.into());
                }
                self.allowances.strangers.take(STRANGERS, 1, now)?;
                let newcomer = self.record.status != TableStatus::Lobby;
                let seated = self.charge_newcomer_if(newcomer, |room| room.sit_down(join.member, name));
                seated.map(|id| (Some(id), None))
            }
        }
    }

    /// Admits the person as a spectator, if the limits allow it.
    fn watch(
        &mut self,
        member: &Member,
        is_known: bool,
        because: Option<ErrorCode>,
    ) -> Result<(Option<String>, Option<ErrorCode>), ActionRefusal> {
        self.may_watch(member, is_known).map(|()| (None, because))
    }

    /// The limits that hold for everybody who becomes a spectator, on whatever way. Whoever was not here lately uses up an allowance.
    pub(super) fn may_watch(&mut self, member: &Member, is_known: bool) -> Result<(), ActionRefusal> {
        if !self.watches_already(member) && self.spectator_count() >= self.context.config.max_spectators {
            return Err(ErrorCode::WatchersFull.into());
        }
        match is_known {
            true => Ok(()),
            false => self.allowances.new_spectators.take(NEW_SPECTATORS, 1, self.now()),
        }
    }

    pub(super) fn watches_already(&self, member: &Member) -> bool {
        self.clients.iter().any(|client| client.member == *member && self.is_watching(client))
    }

    /// Whether this client is a spectator's and stays: the room closes clients with its next commit.
    fn is_watching(&self, client: &Client) -> bool {
        client.player.is_none() && !client.closed && !self.pending.closes(client.id)
    }

    /// Counts people, not clients.
    pub(super) fn spectator_count(&self) -> usize {
        let watching = self.clients.iter().filter(|client| self.is_watching(client));
        watching.map(|client| client.spectator).collect::<BTreeSet<_>>().len()
    }

    /// Sends only the spectator and not the whole table: where many people watch, somebody comes or goes all the time.
    fn spectator_joined(&mut self, id: ClientId) {
        let Some(client) = self.clients.iter().find(|client| client.id == id) else { return };
        let spectator = self.spectator_info(client);
        self.pending.event(TableEvent::SpectatorJoined { spectator });
    }

    /// Why a newcomer cannot get a seat now.
    pub(super) fn only_watch(&self) -> Option<ErrorCode> {
        let most = usize::from(self.rules.definition.max_players);
        let full = self.record.seated().count() >= most;
        match self.record.status {
            TableStatus::Lobby if full => Some(ErrorCode::TableFull),
            TableStatus::Lobby => None,
            TableStatus::Ended if self.record.abandoned => Some(ErrorCode::TableOver),
            TableStatus::Ended => Some(ErrorCode::NoNewcomers),
            _ if !self.rules.definition.policies.newcomers_play || self.newcomers_used_up() => {
                Some(ErrorCode::NoNewcomers)
            }
            _ if full || self.free_seat().is_none() => Some(ErrorCode::TableFull),
            _ => None,
        }
    }

    /// The names of everybody else at the table, players and spectators.
    fn names_in_use(&self, member: &Member) -> names::NamesInUse<'_> {
        let seated = self.record.seated().filter(|player| player.member.as_ref() != Some(member));
        let watches = |client: &&Client| client.player.is_none() && !client.closed && client.member != *member;
        let mut taken = names::NamesInUse::default();
        seated.for_each(|player| taken.add(Cow::Owned(names::Keys::of(&player.name))));
        self.clients.iter().filter(watches).for_each(|client| taken.add(Cow::Borrowed(&client.keys)));
        taken
    }

    /// Whether somebody else at the table has this name.
    pub(super) fn name_taken(&self, name: &str, member: &Member) -> bool {
        self.names_in_use(member).contains(name)
    }

    /// A spectator's name: the given one, with a number if somebody else has it. A taken name never keeps anybody from
    /// watching.
    pub(super) fn free_name(&self, given: String, member: &Member) -> String {
        let taken = self.names_in_use(member);
        if !taken.contains(&given) {
            return given;
        }
        let short: String = given.chars().take(limits::NAME_CHARS.saturating_sub(4)).collect();
        let numbered = (2..1000).map(|n| format!("{} {n}", short.trim_end()));
        numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or(given)
    }

    fn sit_down(&mut self, member: Member, name: String) -> Result<String, ActionRefusal> {
        let now = self.date();
        let seat = match self.record.status {
            TableStatus::Lobby => None,
            _ => {
                let seat = self.free_seat().ok_or(ErrorCode::TableFull)?;
                self.input(Input::Join { seat, person: true })?;
                self.note_name(seat, &name, member);
                Some(seat)
            }
        };
        let id = self.new_player_id();
        let player = Player {
            id: id.clone(),
            name: name.clone(),
            member: Some(member),
            was: None,
            bot: None,
            seat,
            presence: Presence::Active,
            joined_at: now,
            last_seen: now,
            left: None,
            nonce: None,
            took_over: false,
            expected: false,
            newcomer: seat.is_some(),
        };
        self.pending.event(TableEvent::PlayerJoined { player: player_info(&player, false) });
        self.record.players.push(player);
        self.note_member(member, name.clone());
        self.session_about(&topic(Some(&member), &name), format!("{} joined the game", shown(&name)));
        if self.record.lead.is_none() {
            self.find_lead();
        }
        self.pending.table();
        Ok(id)
    }

    /// Adds the name of a player who joins a running game to the game's record, which the replay shows.
    fn note_name(&mut self, seat: u8, name: &str, member: Member) {
        let Some(play) = &mut self.play else { return };
        let names = &mut play.record.names;
        if names.len() <= usize::from(seat) {
            names.resize(usize::from(seat) + 1, String::new());
        }
        let noted = &mut names[usize::from(seat)];
        if noted.is_empty() {
            *noted = name.to_owned();
            play.record.members.push((seat, member));
            self.pending.add(game_row(&play.record));
            self.note_player(member, name.to_owned());
        }
    }

    pub(super) fn new_player_id(&mut self) -> String {
        self.record.next_player += 1;
        format!("p{}", self.record.next_player)
    }

    /// The lowest seat after all that were ever taken, because a newcomer goes last; otherwise the lowest free seat.
    fn free_seat(&self) -> Option<u8> {
        let shown = self.play.as_ref()?.live.seats();
        let free = |seat: &u8| {
            let there = &shown[usize::from(*seat)];
            !there.playing && !there.pending
        };
        let seats = shown.len() as u8;
        let after = self.record.players.iter().filter_map(|player| player.seat).max().map_or(0, |seat| seat + 1);
        (after..seats).find(free).or_else(|| (0..seats).find(free))
    }

    /// The number of a browser's spectator: the two tabs of a browser are one spectator.
    pub(super) fn spectator_number(&mut self, member: &Member) -> u32 {
        let known = self.clients.iter().find(|client| client.player.is_none() && client.member == *member);
        if let Some(client) = known {
            return client.spectator;
        }
        self.last_spectator += 1;
        if self.last_spectator > self.record.reserved_spectators {
            // The shell stores the record before the room tells anybody this number.
            self.record.reserved_spectators = self.last_spectator + RESERVED_AT_ONCE;
            self.pending.record = true;
        }
        self.last_spectator
    }

    pub(super) fn viewer(&self, client: &Client) -> Viewer {
        let seat = client.player.as_ref().and_then(|id| self.record.player(id)).and_then(|player| player.seat);
        seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    pub(super) fn client_gone(&mut self, id: ClientId) {
        let Some(at) = self.clients.iter().position(|client| client.id == id) else { return };
        let client = self.clients.remove(at);
        self.departed(client);
    }

    /// Removes closed clients as soon as possible, without waiting until their sockets are closed.
    pub(super) fn remove_closed_clients(&mut self) {
        while let Some(at) = self.clients.iter().position(|client| client.closed) {
            let client = self.clients.remove(at);
            self.departed(client);
        }
    }

    fn departed(&mut self, client: Client) {
        match &client.player {
            Some(player) if !self.clients.iter().any(|other| other.player.as_ref() == Some(player)) => {
                self.connection_lost(&player.clone());
            }
            Some(_) => {}
            None if self.clients.iter().any(|other| other.public_id() == client.public_id()) => {}
            None => self.pending.event(TableEvent::SpectatorLeft { spectator_id: client.public_id() }),
        }
        if self.clients.is_empty() {
            self.idle_since = self.now();
        }
    }

    /// Like [`Room::only_watch`], for a particular person, whom the door may keep out as well.
    fn only_watch_or_closed(&self, member: Option<&Member>) -> Option<ErrorCode> {
        let inside = member.is_some_and(|member| self.record.inside.contains(member));
        match self.record.door {
            Door::Locked if !inside => Some(ErrorCode::DoorLocked),
            _ => self.only_watch(),
        }
    }

    /// The table's card for its link's page and for the list of tables.
    pub fn card(&self, time: Time, member: Option<&Member>) -> TableCard {
        let mine = member.is_some_and(|member| self.record.by_member(member).is_some());
        let mut card = self.record.card(time.date, if mine { None } else { self.only_watch_or_closed(member) });
        card.seats = Some(u32::from(self.rules.definition.max_players));
        if !self.record.may_know_people(member) {
            card.players.clear();
            card.host = None;
        }
        card
    }
}
