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
                Action::Rematch | Action::RestartGame | Action::Again { again: true } => true,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{self, Member};
    use crate::message::{Act, Join, Time};
    use crate::room::month_test::table;
    use crate::room::{RoomConfig, RoomContext};
    use baize_protocol::BotLevel;
    use std::sync::Arc;

    const TIME: Time = Time { now: 1_000_000, date: 1_700_000_000_000 };

    fn member(who: &str) -> Member {
        identity::hash(&[who.as_bytes()])
    }

    fn room() -> Room {
        table(RoomContext { config: RoomConfig::default(), ..Default::default() }, member("Ann"), TIME)
    }

    fn act(action: Action) -> Message {
        Message::Act(Box::new(Act { client: 1, request: "request".into(), action, received: 0 }))
    }

    fn join() -> Message {
        let (member, name) = (member("Ben"), Some("Ben".into()));
        let join = Join { client: 2, request: "join".into(), member, name, watch: false, last: None, received: 0 };
        Message::Join(Box::new(join))
    }

    #[test]
    fn everything_that_deals_or_ends_a_game_is_slow() {
        let mut room = room();
        for action in [
            Action::StartGame,
            Action::EndGame,
            Action::AbandonGame,
            Action::Rematch,
            Action::RestartGame,
            Action::Again { again: true },
        ] {
            assert!(room.is_slow(&act(action.clone())), "{action:?}");
        }
        for action in [Action::Again { again: false }, Action::Heartbeat, Action::Chat { text: "hello".into() }] {
            assert!(!room.is_slow(&act(action.clone())), "{action:?}");
        }
        // The last nonce that a start waits for deals the game; so does the end of that wait.
        let nonce = || act(Action::Nonce { nonce: "nonce".into() });
        assert!(!room.is_slow(&nonce()) && !room.is_timeout_slow(TIME.now));
        room.starting = Some(TIME.now + 1);
        assert!(room.is_slow(&nonce()) && !room.is_timeout_slow(TIME.now) && room.is_timeout_slow(TIME.now + 1));
    }

    #[test]
    fn the_last_seat_is_slow_where_the_game_starts_when_it_is_full() {
        let mut room = room();
        let filling = || [act(Action::AddBot { level: BotLevel::Easy }), join()];
        assert!(filling().iter().all(|message| !room.is_slow(message)));
        let ready = room.ready().count() as u8;
        let policies = |room: &mut Room, seats| {
            let definition = &mut Arc::get_mut(&mut room.rules).expect("rules of this room alone").definition;
            (definition.policies.start_when_full, definition.max_players) = (true, seats);
        };
        policies(&mut room, ready + 2);
        assert!(filling().iter().all(|message| !room.is_slow(message)), "a seat is still free after it");
        policies(&mut room, ready + 1);
        assert!(filling().iter().all(|message| room.is_slow(message)));
    }
}
