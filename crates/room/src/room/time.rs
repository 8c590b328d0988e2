//! Timeouts. All time in a room comes from the shell.

use super::Room;
use super::game::{ClockState, RunningGame};
use super::presence::LEAD_GRACE;
use crate::message::Time;
use crate::record::{Player, StoppedClocks};
use baize_protocol::{Absence, AbsenceEnd, LeaveReason, PauseReason, Presence};

/// Milliseconds without a move after which a game hibernates.
const HIBERNATE_AFTER: u64 = 10_000;

impl Room {
    /// When the shell has to call [`Room::handle_timeout`] next.
    pub fn next_wakeup(&self) -> Option<u64> {
        let play = self.play.as_ref();
        let clocks = play.into_iter().flat_map(|play| &play.clocks).filter_map(|clock| match clock.state {
            ClockState::Due(at) => Some(at),
            ClockState::Held(_) => None,
        });
        let bots = play.into_iter().flat_map(|play| &play.bots).filter_map(|turn| turn.due());
        let park = self.clients.is_empty().then(|| self.idle_since + self.context.config.park_after);
        let people = self.lead_due().into_iter().chain(self.leavers().map(|(_, at)| at));
        clocks
            .chain(bots)
            .chain(people)
            .chain(self.starting)
            .chain(self.return_by)
            .chain(park)
            .chain(self.hibernate_at)
            .chain(self.askers.next_wake())
            .min()
    }

    /// Does everything that is due.
    pub fn handle_timeout(&mut self, time: Time) {
        self.time = time;
        let now = self.now();
        if self.starting.is_some_and(|at| at <= now) {
            self.begin_or_report();
        }
        if self.return_by.is_some_and(|at| at <= now) {
            self.end_return_period();
        }
        let gone: Vec<String> = self.leavers().filter(|(_, at)| *at <= now).map(|(id, _)| id).collect();
        for id in gone {
            self.remove(&id, LeaveReason::Disconnected);
        }
        if self.lead_due().is_some_and(|at| at <= now) {
            self.find_lead();
        }
        // A clock that has run out may start others. Each iteration removes at least one.
        while let Some(input) = self.due_clock(now) {
            self.apply_input(input);
        }
        // A bot's answer may open its next decision, which has a pause of its own, unless bots make no pauses.
        while self.play_for_bot(now) {}
        self.forget_askers(now);
        self.ask_bots();
        self.hibernate_if_idle(now);
    }

    /// Hibernates the game when nobody has moved for a while.
    fn hibernate_if_idle(&mut self, now: u64) {
        if self.play.as_ref().is_none_or(|play| play.live.is_hibernating()) {
            self.hibernate_at = None;
            return;
        }
        match self.hibernate_at {
            Some(at) if at <= now => {
                self.dismiss_spectators();
                self.play.iter_mut().for_each(RunningGame::hibernate);
                self.chat.shrink_to_fit();
                self.answered.shrink();
                self.hibernate_at = None;
            }
            Some(_) => {}
            None => self.hibernate_at = Some(now + HIBERNATE_AFTER),
        }
    }

    fn due_clock(&mut self, now: u64) -> Option<baize_engine::input::Input> {
        let play = self.play.as_mut()?;
        let due = |clock: &super::game::RunningClock| matches!(clock.state, ClockState::Due(at) if at <= now);
        let at = play.clocks.iter().position(due)?;
        Some(play.clocks.remove(at).input)
    }

    /// When a disconnected lead loses the lead, if somebody else can take it. Nobody takes it while the host's absence pauses
    /// the table.
    fn lead_due(&self) -> Option<u64> {
        if self.record.abandoned || self.record.paused == Some(PauseReason::HostAbsent) {
            return None;
        }
        let lead = self.record.lead.as_ref().and_then(|id| self.record.player(id))?;
        let has_successor = self.record.seated().any(|player| player.is_person() && player.is_active());
        (lead.presence == Presence::Disconnected && has_successor).then_some(self.lost_since(lead) + LEAD_GRACE)
    }

    /// Returns the players who will count as having left, and when, in games with a grace period. Nobody leaves while no person
    /// is present.
    fn leavers(&self) -> impl Iterator<Item = (String, u64)> + '_ {
        let grace =
            self.rules.definition.policies.grace.filter(|_| self.is_game_running() && self.has_person_present());
        let lost = self.record.seated().filter(|p| p.is_person() && p.presence == Presence::Disconnected);
        lost.filter_map(move |player| Some((player.id.clone(), self.lost_since(player) + u64::from(grace?) * 1000)))
    }

    /// What happens by itself to players who are absent, for everybody at the table.
    pub(super) fn absences(&self) -> Vec<Absence> {
        let now = self.now();
        let skipped = self.play.iter().flat_map(|play| play.absent_clocks(now)).filter_map(|(seat, ms)| {
            let player = self.record.by_seat(seat)?;
            Some(Absence { player_id: player.id.clone(), ms, end: AbsenceEnd::Skipped })
        });
        let left = |(player_id, at): (String, u64), end| Absence { player_id, ms: at.saturating_sub(now), end };
        let leaves = self.leavers().map(|leaver| left(leaver, AbsenceEnd::Leaves));
        let lead = self.record.lead.clone().zip(self.lead_due());
        let passes = lead.map(|lead| left(lead, AbsenceEnd::LeadPasses));
        skipped.chain(leaves).chain(passes).collect()
    }

    /// When a disconnected player lost the connection.
    fn lost_since(&self, player: &Player) -> u64 {
        self.lost_since.get(&player.id).copied().unwrap_or(self.idle_since)
    }

    /// Ends the grace period after a restart: players who have not come back are disconnected now.
    fn end_return_period(&mut self) {
        self.return_by = None;
        let here = |id: &String| self.clients.iter().any(|client| client.player.as_ref() == Some(id));
        let missing: Vec<String> =
            self.record.seated().filter(|p| p.is_person()).map(|p| p.id.clone()).filter(|id| !here(id)).collect();
        for id in missing {
            self.connection_lost(&id);
        }
        self.after_presence();
        self.follow_clocks();
        self.wake_bots();
    }

    /// Whether nobody needs the room in memory. Then the shell calls [`Room::prepare_to_park`], stores the rows and drops the room.
    pub fn may_park(&self, now: u64) -> bool {
        self.clients.is_empty()
            && self.return_by.is_none()
            && self.starting.is_none()
            && now >= self.idle_since + self.context.config.park_after
    }

    /// Adds what is only in memory to the record, before the shell parks the room.
    pub fn prepare_to_park(&mut self, time: Time) {
        self.time = time;
        let now = time.now;
        self.pending.at_rest = self.pending.is_empty();
        if let Some(play) = &self.play {
            self.record.clocks = Some(StoppedClocks { seq: play.live.seq(), left: play.stopped_clocks(now) });
            if self.is_game_running() {
                self.snapshot();
            }
        }
        self.pending.record = true;
    }
}
