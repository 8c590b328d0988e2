//! What clients are told about the table: the whole state for one client, and the public information for all.

use super::Room;
use super::client::Client;
use super::talk::RoomChatLine;
use crate::identity::{Member, hash, hex};
use crate::message::ClientId;
use crate::record::Player;
use crate::rules::address;
use baize_engine::view::Viewer;
use baize_protocol::table::{SpectatorInfo, TableInfo};
use baize_protocol::{
    ChatLine, DefinitionLinks, Fairness, LastSeen, PlayerInfo, Sync, TableState, TableStatus, Vote, You,
};

impl Room {
    pub(super) fn state(&self, client: ClientId, last: Option<&LastSeen>) -> Option<TableState> {
        let client = self.clients.iter().find(|c| c.id == client)?;
        let seen = last.map_or(0, |last| last.chat);
        let seat = client.player.as_ref().and_then(|id| self.record.player(id)).and_then(|player| player.seat);
        Some(TableState {
            you: You { id: client.public_id(), seat, watching_because: client.watching_because },
            table: self.info(),
            chat: self.lines_after(seen),
            sync: self.sync(self.viewer(client), last),
        })
    }

    /// Chat lines that the client does not have, or has with an older text.
    fn lines_after(&self, seen: u64) -> Vec<ChatLine> {
        let news = |kept: &&RoomChatLine| kept.line.n > seen || (kept.revised > 0 && kept.revised >= seen);
        self.chat.iter().filter(news).map(|kept| kept.line.clone()).collect()
    }

    fn sync(&self, viewer: Viewer, last: Option<&LastSeen>) -> Option<Sync> {
        let play = self.play.as_ref()?;
        let eyes = |last: &LastSeen| last.seat.map_or(Viewer::Spectator, Viewer::Seat);
        let follows = |last: &&LastSeen| last.game == self.record.game() && eyes(last) == viewer;
        let missed = last.filter(follows).and_then(|last| play.since(viewer, last.seq));
        match missed {
            Some(batches) => Some(Sync::Batches(batches)),
            None => Some(Sync::View(Box::new(play.live.view(viewer)?.clone()))),
        }
    }

    pub(super) fn info(&self) -> TableInfo {
        let record = &self.record;
        let over = record.status == TableStatus::Ended;
        let lobby = record.status == TableStatus::Lobby;
        TableInfo {
            code: record.code.clone(),
            definition_id: record.definition_id.clone(),
            title: record.title.clone(),
            game: record.game(),
            status: record.status,
            paused: record.paused,
            abandoned: record.abandoned,
            settings: record.settings.clone(),
            uploaded_packs: self.has_uploaded_packs(),
            players: record.players.iter().map(|player| player_info(player, self.muted(player.member))).collect(),
            spectators: self.spectators(),
            door: record.door,
            chat_players_only: record.chat_players_only,
            host: record.host.clone(),
            lead: record.lead.clone(),
            votes: self.open_votes(),
            cannot_start: if lobby { self.cannot_start() } else { None },
            again: record.again.clone(),
            starting: self.starting.is_some(),
            new_rules: self.newer_rules().is_some(),
            problems: self.file.problems.clone(),
            created_at: record.created_at,
            started_at: record.started_at,
            ended_at: record.ended_at,
            fairness: Fairness { commitment: Some(hex(&hash(&[&record.seed]))), seed: over.then(|| hex(&record.seed)) },
            definitions: DefinitionLinks {
                game: address(&record.pin.definition),
                table: record.table_definition.as_ref().map(address),
            },
            clocks: self.play.as_ref().map(|play| play.clocks_left(self.now())).unwrap_or_default(),
            absences: self.absences(),
        }
    }

    fn spectators(&self) -> Vec<SpectatorInfo> {
        let mut listed: Vec<SpectatorInfo> = Vec::new();
        for client in self.clients.iter().filter(|client| client.player.is_none() && !client.closed) {
            if !listed.iter().any(|other| other.id == client.public_id()) {
                let muted = self.muted(Some(client.member));
                listed.push(SpectatorInfo { id: client.public_id(), name: client.name.clone(), muted });
            }
        }
        listed
    }

    fn open_votes(&self) -> Vec<Vote> {
        let needed = self.votes_needed();
        let votes =
            self.record.votes.iter().map(|(player, by)| Vote { player_id: player.clone(), by: by.clone(), needed });
        votes.collect()
    }

    pub(super) fn spectator_info(&self, client: &Client) -> SpectatorInfo {
        SpectatorInfo { id: client.public_id(), name: client.name.clone(), muted: self.muted(Some(client.member)) }
    }

    fn muted(&self, member: Option<Member>) -> bool {
        member.is_some_and(|member| self.record.muted.contains(&member))
    }
}

pub fn player_info(player: &Player, muted: bool) -> PlayerInfo {
    PlayerInfo {
        id: player.id.clone(),
        name: player.name.clone(),
        seat: player.seat,
        bot: player.bot,
        presence: player.presence,
        joined_at: player.joined_at,
        last_seen: player.last_seen,
        muted,
    }
}
