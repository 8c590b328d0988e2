//! The chat window: what people write, what happens in the session, what the rules announce; and reactions.

use super::{ClientId, No, Room};
use crate::identity::Member;
use crate::record::{ChatRecord, Request};
use baize_engine::view::Line;
use baize_protocol::table::ChatAuthor;
use baize_protocol::{ChatKind, ChatLine, ErrorCode, TableEvent, limits};
use baize_store::{ChatRow, Write};

/// How much somebody may say: a few lines at once, then one every two seconds.
#[derive(Debug)]
pub struct Allowance {
    /// In milliseconds of saved-up time.
    saved: u64,
    at: u64,
}

const COST: u64 = 2000;
const MOST: u64 = 6 * COST;
/// Speakers remembered before those who have been silent are forgotten.
const MOST_SPEAKERS: usize = 64;

impl Allowance {
    pub fn new(now: u64) -> Self {
        Allowance { saved: MOST, at: now }
    }

    /// Whether forgetting it would change nothing.
    fn is_whole(&self, now: u64) -> bool {
        self.saved + now.saturating_sub(self.at) >= MOST
    }

    fn take(&mut self, now: u64) -> Result<(), No> {
        self.saved = MOST.min(self.saved + now.saturating_sub(self.at));
        self.at = now;
        self.saved = self.saved.checked_sub(COST).ok_or(ErrorCode::TooFast)?;
        Ok(())
    }
}

impl Room {
    pub(super) fn say(&mut self, id: ClientId, request: &str, text: &str) -> Result<(), No> {
        let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let text = text.trim();
        if text.is_empty() {
            return Err(ErrorCode::ChatEmpty.into());
        }
        if text.chars().count() > limits::CHAT_CHARS {
            return Err(ErrorCode::ChatTooLong.into());
        }
        let (member, from) = self.speaker(id)?;
        self.add_line(ChatKind::Said, Some(from), text.to_owned(), None, Some((member, request.to_owned())));
        Ok(())
    }

    pub(super) fn react(&mut self, id: ClientId, reaction: &str) -> Result<(), No> {
        if !limits::REACTIONS.contains(&reaction) {
            return Err(ErrorCode::BadReaction.into());
        }
        let (_, from) = self.speaker(id)?;
        self.effects.event(TableEvent::Reaction { from: from.id, reaction: reaction.to_owned() });
        Ok(())
    }

    /// Who speaks, if they may: not muted, and not too much. The allowance is the browser's, however often it reconnects.
    fn speaker(&mut self, id: ClientId) -> Result<(Member, ChatAuthor), No> {
        let now = self.now();
        let client = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?;
        let member = client.member;
        if self.record.muted.contains(&member) {
            return Err(ErrorCode::Muted.into());
        }
        if self.allowances.len() >= MOST_SPEAKERS {
            self.allowances.retain(|_, allowance| !allowance.is_whole(now));
        }
        self.allowances.entry(member).or_insert_with(|| Allowance::new(now)).take(now)?;
        Ok((member, ChatAuthor { id: client.who(), name: client.name.clone() }))
    }

    /// A session update.
    pub(super) fn session(&mut self, text: String) {
        self.add_line(ChatKind::Session, None, text, None, None);
    }

    /// Something the rules announced to everyone. It is in everybody's batch, from which clients make the line themselves.
    pub(super) fn game_line(&mut self, line: Line) {
        self.keep_line(ChatKind::Game, None, String::new(), Some(line), None);
    }

    fn add_line(
        &mut self,
        kind: ChatKind,
        from: Option<ChatAuthor>,
        text: String,
        line: Option<Line>,
        request: Option<Request>,
    ) {
        let line = self.keep_line(kind, from, text, line, request);
        self.effects.event(TableEvent::Chat { line });
    }

    fn keep_line(
        &mut self,
        kind: ChatKind,
        from: Option<ChatAuthor>,
        text: String,
        line: Option<Line>,
        request: Option<Request>,
    ) -> ChatLine {
        self.record.chat += 1;
        let line = ChatLine { n: self.record.chat, at: self.now(), kind, from, text, line };
        let record = ChatRecord { line, request };
        let body = serde_json::to_vec(&record).unwrap_or_default();
        let line = record.line;
        self.effects.writes.push(Write::Chat(ChatRow { n: line.n, body }));
        if self.chat.len() == limits::CHAT_HISTORY {
            self.chat.pop_front();
        }
        self.chat.push_back(line.clone());
        line
    }
}
