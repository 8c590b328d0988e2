//! Notes that take long: dealing a game, ending one. They are taken up where nobody else waits for an answer; and those of
//! tables with packs of their own, which may be large, only a few at a time.

use super::{Note, Room};
use crate::heavy::{self, Heavy};
use baize_protocol::{Action, TableStatus};
use tokio::sync::SemaphorePermit;

impl Room {
    /// Takes up one note; true: the room shall stop.
    pub(super) async fn take_in_turn(&mut self, note: Note) -> bool {
        if !self.is_heavy(&note) {
            return self.take(note);
        }
        let services = self.services.clone();
        let _turn = turn(&services.heavy, self.has_own_packs()).await;
        heavy::aside(|| self.take(note))
    }

    pub(super) async fn tick_in_turn(&mut self) {
        if self.starting.is_none_or(|at| at > self.now()) {
            return self.tick();
        }
        let services = self.services.clone();
        let _turn = turn(&services.heavy, self.has_own_packs()).await;
        heavy::aside(|| self.tick());
    }

    fn has_own_packs(&self) -> bool {
        !self.record.settings.pack_ids.is_empty()
    }

    /// Whether this note may deal a game or end one.
    fn is_heavy(&self, note: &Note) -> bool {
        match note {
            Note::Act(act) => match act.action {
                Action::StartGame | Action::EndGame | Action::AbandonGame => true,
                Action::Rematch | Action::RestartGame => true,
                Action::Nonce { .. } => self.starting.is_some(),
                Action::AddBot { .. } => self.last_seat_starts(),
                _ => false,
            },
            Note::Join(_) => self.last_seat_starts(),
            _ => false,
        }
    }

    /// Whether the game begins by itself with the next one who sits down, or comes back.
    fn last_seat_starts(&self) -> bool {
        let definition = &self.rules.definition;
        definition.policies.start_when_full
            && self.record.status == TableStatus::Lobby
            && self.ready().count() + 1 >= usize::from(definition.max_players)
    }
}

/// Tables with the packs that come with the server are small, and wait for nobody.
async fn turn(heavy: &Heavy, own_packs: bool) -> Option<SemaphorePermit<'_>> {
    if own_packs { heavy.turn().await } else { None }
}
