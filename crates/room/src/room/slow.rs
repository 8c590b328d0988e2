//! Messages that take long: those that deal a game or end one. A shell handles them where no other room has to wait.

use super::Room;
use crate::message::Message;
use baize_protocol::{Action, TableStatus};

impl Room {
    /// Whether the table has chosen uploaded packs, which may be large. A shell should start few such tables at the same time.
    pub fn has_own_packs(&self) -> bool {
        !self.record.settings.pack_ids.is_empty()
    }

    /// Whether this message may deal a game or end one.
    pub fn is_slow(&self, message: &Message) -> bool {
        match message {
            Message::Act(act) => match act.action {
                Action::StartGame | Action::EndGame | Action::AbandonGame => true,
                Action::Rematch | Action::RestartGame => true,
                Action::Nonce { .. } => self.starting.is_some(),
                Action::AddBot { .. } => self.last_seat_starts(),
                _ => false,
            },
            Message::Join(_) => self.last_seat_starts(),
            _ => false,
        }
    }

    /// Whether [`Room::handle_timeout`] deals a game at this time.
    pub fn is_timeout_slow(&self, now: u64) -> bool {
        self.starting.is_some_and(|at| at <= now)
    }

    /// Whether the game starts by itself when the next person sits down or comes back.
    fn last_seat_starts(&self) -> bool {
        let definition = &self.rules.definition;
        definition.policies.start_when_full
            && self.record.status == TableStatus::Lobby
            && self.ready().count() + 1 >= usize::from(definition.max_players)
    }
}
