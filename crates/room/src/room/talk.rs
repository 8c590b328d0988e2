//! The chat: what people write, session lines, and reactions. What happens in the game is told by the batches.

use super::Room;
use super::allowance::SPECTATORS_TALK;
use crate::ActionRefusal;
use crate::encode;
use crate::identity::Member;
use crate::mentions::is_about;
use crate::message::ClientId;
use crate::names;
use crate::record::{ChatRecord, Request};
use baize_protocol::table::ChatAuthor;
use baize_protocol::{ChatKind, ChatLine, ErrorCode, Presence, TableEvent, limits};
use baize_rows::{ChatRow, Write};

/// A chat line as the room keeps it.
pub struct RoomChatLine {
    pub line: ChatLine,
    /// The browser that wrote the line. The author's id on the line is not enough: the room forgets which browser had a
    /// spectator's id when the spectator goes.
    pub author: Option<Member>,
    /// The topic of a session line. The next line with the same topic may replace it. The room does not store the topic, because
    /// it may be a browser or a name.
    pub topic: Option<String>,
    /// The number of the last line when this line's text was last changed; 0 if it never was.
    pub revised: u64,
}

/// If [`MERGE_AFTER`] of the last [`MERGE_AMONG`] lines are session lines on one topic and younger than [`MERGE_WITHIN`]
/// milliseconds, the next line on it replaces the last of them. So somebody who comes and goes all day makes a few lines
/// and not a thousand.
const MERGE_AFTER: usize = 6;
const MERGE_WITHIN: u64 = 10 * 60_000;
const MERGE_AMONG: usize = 40;

impl Room {
    pub(super) fn say(&mut self, id: ClientId, request: &str, text: &str) -> Result<(), ActionRefusal> {
        let text = names::chat(text);
        if text.is_empty() {
            return Err(ErrorCode::ChatEmpty.into());
        }
        if text.chars().count() > limits::CHAT_CHARS {
            return Err(ErrorCode::ChatTooLong.into());
        }
        let (member, from) = self.speaker(id)?;
        // With the first line a spectator becomes a member of the table, so that *Forget me* finds their lines.
        if self.record.by_member(&member).is_none() {
            self.note_member(member, from.name.clone());
        }
        self.add_line(ChatKind::Said, Some(from), text, Some((member, request.to_owned())));
        Ok(())
    }

    pub(super) fn react(&mut self, id: ClientId, reaction: &str) -> Result<(), ActionRefusal> {
        if !limits::REACTIONS.contains(&reaction) {
            return Err(ErrorCode::BadReaction.into());
        }
        let (_, from) = self.speaker(id)?;
        self.pending.event(TableEvent::Reaction { from: from.id, reaction: reaction.to_owned() });
        Ok(())
    }

    /// Returns the author of a line or reaction, unless they are muted or over their limit. The limit belongs to the browser,
    /// however often it reconnects.
    fn speaker(&mut self, id: ClientId) -> Result<(Member, ChatAuthor), ActionRefusal> {
        let now = self.now();
        let client = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?;
        let member = client.member;
        if self.record.muted.contains(&member) {
            return Err(ErrorCode::Muted.into());
        }
        if self.record.chat_players_only && client.player.is_none() {
            return Err(ErrorCode::ChatPlayersOnly.into());
        }
        let is_spectator = client.player.is_none();
        self.allowances.talk(&member, now)?;
        if is_spectator {
            self.allowances.spectators_talk.take(SPECTATORS_TALK, 1, now)?;
        }
        let client = self.client(id).ok_or(ErrorCode::NoSeat)?;
        Ok((member, ChatAuthor { id: client.public_id(), name: client.name.clone() }))
    }

    pub(super) fn set_chat(&mut self, id: ClientId, players_only: bool) -> Result<(), ActionRefusal> {
        self.must_lead(id)?;
        if self.record.chat_players_only != players_only {
            self.record.chat_players_only = players_only;
            let text = if players_only { "Only players can chat now" } else { "Everybody can chat now" };
            self.session_about("chat", text.into());
            self.pending.table();
        }
        Ok(())
    }

    /// Adds a session line.
    pub(super) fn session(&mut self, text: String) {
        self.add_line(ChatKind::Session, None, text, None);
    }

    /// Adds a session line on a topic that may change again and again: a person, the pause, the door.
    pub(super) fn session_about(&mut self, topic: &str, text: String) {
        let (now, last) = (self.date(), self.record.chat);
        let of_same = |kept: &RoomChatLine| kept.topic.as_deref() == Some(topic) && now <= kept.line.at + MERGE_WITHIN;
        let lately = self.chat.iter().rev().take(MERGE_AMONG).filter(|kept| of_same(kept)).count();
        let found = self.chat.iter_mut().rev().find(|kept| of_same(kept)).filter(|_| lately >= MERGE_AFTER);
        let Some(kept) = found else {
            let line = self.keep_line(ChatKind::Session, None, text, None, Some(topic.to_owned()));
            return self.pending.event(TableEvent::Chat { line });
        };
        (kept.line.text, kept.revised) = (text, last);
        let line = kept.line.clone();
        let record = ChatRecord { about: self.persons_in(&line.text), line: line.clone(), request: None };
        let body = encode::json("a line of the chat", &record);
        self.pending.add(body.map(|body| Write::Chat(ChatRow { n: line.n, body })));
        self.pending.event(TableEvent::Chat { line });
    }

    fn add_line(&mut self, kind: ChatKind, from: Option<ChatAuthor>, text: String, request: Option<Request>) {
        let line = self.keep_line(kind, from, text, request, None);
        self.pending.event(TableEvent::Chat { line });
    }

    fn keep_line(
        &mut self,
        kind: ChatKind,
        from: Option<ChatAuthor>,
        text: String,
        request: Option<Request>,
        topic: Option<String>,
    ) -> ChatLine {
        self.record.chat += 1;
        let line = ChatLine { n: self.record.chat, at: self.date(), kind, from, text };
        let about = if kind == ChatKind::Session { self.persons_in(&line.text) } else { Vec::new() };
        let record = ChatRecord { line, request, about };
        let body = encode::json("a line of the chat", &record);
        let author = record.request.map(|(member, _)| member);
        let line = record.line;
        self.pending.add(body.map(|body| Write::Chat(ChatRow { n: line.n, body })));
        if self.chat.len() == limits::CHAT_HISTORY {
            self.chat.pop_front();
        }
        self.chat.push_back(RoomChatLine { line: line.clone(), author, topic, revised: 0 });
        line
    }

    /// The people whose names are in a session line.
    fn persons_in(&self, text: &str) -> Vec<(Member, String)> {
        let players =
            self.record.players.iter().filter_map(|player| Some((player.name_owner()?, &player.name, player.presence)));
        let seated = players.clone().filter(|(.., presence)| *presence != Presence::Left);
        let watching = self.clients.iter().filter(|client| client.player.is_none());
        // A name means somebody who is here; otherwise the last person with this name who left.
        let left = players.rev().filter(|(.., presence)| *presence == Presence::Left);
        let all = seated.map(|(member, name, _)| (member, name));
        let all = all.chain(watching.map(|client| (client.member, &client.name)));
        let mut found: Vec<(Member, String)> = Vec::new();
        for (member, name) in all.chain(left.map(|(member, name, _)| (member, name))) {
            if is_about(text, name) && !found.iter().any(|(_, other)| other == name) {
                found.push((member, name.clone()));
            }
        }
        found
    }
}
