//! Newcomers: people who sat down while the game was under way.
//!
//! A game has a limit on steps beside its moves, and ends when it is reached. Strangers may sit down at an open table, so they could reach that
//! limit by coming and going all day. So the room counts the steps that newcomers cause. When they have caused half of the limit, nobody
//! new sits down in this game, and a newcomer who loses the connection leaves for good.

use super::Room;

impl Room {
    /// Whether newcomers have caused as many steps of this game as they may.
    pub(super) fn newcomers_used_up(&self) -> bool {
        self.record.newcomer_steps >= self.context.config.max_inputs / 2
    }

    /// Makes a change, and counts its steps if this player is a newcomer.
    pub(super) fn charge_newcomer<T>(&mut self, id: &str, change: impl FnOnce(&mut Self) -> T) -> T {
        let is_newcomer = self.is_newcomer(id);
        self.charge_newcomer_if(is_newcomer, change)
    }

    /// Makes a change, and counts its steps if a newcomer causes them.
    pub(super) fn charge_newcomer_if<T>(&mut self, is_newcomer: bool, change: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.last_seq();
        let changed = change(self);
        if is_newcomer {
            self.record.newcomer_steps += self.last_seq().saturating_sub(before);
        }
        changed
    }

    pub(super) fn is_newcomer(&self, id: &str) -> bool {
        self.record.player(id).is_some_and(|player| player.newcomer)
    }

    /// `seq` of the game's last step; 0 without a game.
    fn last_seq(&self) -> u64 {
        self.play.as_ref().map_or(0, |play| play.live.seq())
    }
}
