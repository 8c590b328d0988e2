//! How much anybody may do at a table: a few things at once, then one every so often.

use crate::ActionRefusal;
use crate::identity::Member;
use baize_protocol::ErrorCode;
use std::collections::BTreeMap;

/// What a rate is about: so many at once, then one in so many milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub at_once: u64,
    pub every: u64,
}

/// Lines and reactions of one person.
pub const TALK: Rate = Rate { at_once: 6, every: 2_000 };
/// Turns of one person's "I'm away" switch. Each may be a step of the game.
pub const AWAY: Rate = Rate { at_once: 6, every: 10_000 };
/// Arrivals of one browser: reloads, lost connections, a spectator's other names.
pub const ARRIVALS: Rate = Rate { at_once: 30, every: 2_000 };
/// Strangers who sit down, all together. Each is told to everyone and written down.
pub const STRANGERS: Rate = Rate { at_once: 60, every: 2_000 };
/// Browsers that come to watch and were not known here lately, all together.
pub const NEW_SPECTATORS: Rate = Rate { at_once: 200, every: 500 };
/// Lines and reactions of those who have no seat, all together: a new secret is free, so [`TALK`] alone holds nobody back.
pub const SPECTATORS_TALK: Rate = Rate { at_once: 60, every: 500 };
/// Strangers who ask to be let in, all together.
pub const ASKING: Rate = Rate { at_once: 20, every: 5_000 };
/// People at one table who are forgotten.
pub const FORGETTING: Rate = Rate { at_once: 10, every: 10_000 };
/// Starts, ends and rematches, all together. A start with large packs counts several times: see [`cost_of_start`].
pub const COSTLY: Rate = Rate { at_once: 60, every: 2_000 };

/// The [`COSTLY`] rate is for a server that takes this many messages of a socket each second, the default. One that takes more
/// allows more starts in proportion.
const USUAL_MESSAGES_PER_SECOND: u64 = 20;

/// Cards that make a start cost one more.
const CARDS_PER_COST: usize = 690;

/// What a start costs: making a table of 20,000 cards ready takes half a second of a core.
pub fn cost_of_start(cards: usize) -> u64 {
    (1 + (cards / CARDS_PER_COST) as u64).min(COSTLY.at_once / 2)
}

/// Saved-up time of one person for one thing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bucket {
    /// Milliseconds that are spent and not yet earned back.
    spent: u64,
    at: u64,
}

impl Bucket {
    pub fn take(&mut self, rate: Rate, cost: u64, now: u64) -> Result<(), ActionRefusal> {
        let spent = self.spent_by(now) + cost * rate.every;
        if spent > rate.at_once * rate.every {
            return Err(ErrorCode::TooFast.into());
        }
        (self.spent, self.at) = (spent, now);
        Ok(())
    }

    fn spent_by(&self, now: u64) -> u64 {
        self.spent.saturating_sub(now.saturating_sub(self.at))
    }
}

/// What one browser has spent.
#[derive(Debug, Default)]
struct Spending {
    talk: Bucket,
    away: Bucket,
    arrivals: Bucket,
    governing: Bucket,
}

/// Browsers remembered before those who have been quiet are forgotten. Forgetting one gives it what a new secret has anyway.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub struct Allowances {
    people: BTreeMap<Member, Spending>,
    pub strangers: Bucket,
    pub asking: Bucket,
    pub new_spectators: Bucket,
    pub spectators_talk: Bucket,
    pub forgetting: Bucket,
    costly: Bucket,
}

impl Allowances {
    pub fn talk(&mut self, member: &Member, now: u64) -> Result<(), ActionRefusal> {
        self.of(member, now).talk.take(TALK, 1, now)
    }

    /// Whether this browser was here lately.
    pub fn knows(&self, member: &Member) -> bool {
        self.people.contains_key(member)
    }

    pub fn away(&mut self, member: &Member, now: u64) -> Result<(), ActionRefusal> {
        self.of(member, now).away.take(AWAY, 1, now)
    }

    pub fn arrive(&mut self, member: &Member, now: u64) -> Result<(), ActionRefusal> {
        self.of(member, now).arrivals.take(ARRIVALS, 1, now)
    }

    /// Everything else that changes the table: a tenth of what a socket may send, each is told to everyone.
    pub fn govern(&mut self, member: &Member, messages_per_second: u32, now: u64) -> Result<(), ActionRefusal> {
        let per_second = u64::from(messages_per_second / 10).clamp(1, 1_000);
        let rate = Rate { at_once: 15 * per_second, every: 1_000 / per_second };
        self.of(member, now).governing.take(rate, 1, now)
    }

    /// Starts, ends and rematches.
    pub fn costly(&mut self, cost: u64, messages_per_second: u32, now: u64) -> Result<(), ActionRefusal> {
        let every = COSTLY.every * USUAL_MESSAGES_PER_SECOND / u64::from(messages_per_second.max(1));
        self.costly.take(Rate { every, ..COSTLY }, cost, now)
    }

    pub fn remove(&mut self, member: &Member) {
        self.people.remove(member);
    }

    /// How many browsers are remembered.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.people.len()
    }

    fn of(&mut self, member: &Member, now: u64) -> &mut Spending {
        if self.people.len() >= MOST && !self.people.contains_key(member) {
            self.people.retain(|_, spending| spending.all().iter().any(|bucket| bucket.spent_by(now) > 0));
            let last = |spending: &Spending| spending.all().iter().map(|bucket| bucket.at).max();
            let oldest = self.people.iter().min_by_key(|(member, spending)| (last(spending), **member));
            if let Some(oldest) = oldest.map(|(member, _)| *member).filter(|_| self.people.len() >= MOST) {
                self.people.remove(&oldest);
            }
        }
        self.people.entry(*member).or_default()
    }
}

impl Spending {
    fn all(&self) -> [Bucket; 4] {
        [self.talk, self.away, self.arrivals, self.governing]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_at_once_and_then_one_every_so_often() {
        let mut allowances = Allowances::default();
        let ann = [1; 32];
        for _ in 0..TALK.at_once {
            allowances.talk(&ann, 1_000).unwrap();
        }
        assert!(allowances.talk(&ann, 1_000).is_err());
        assert!(allowances.talk(&ann, 1_000 + TALK.every - 1).is_err());
        allowances.talk(&ann, 1_000 + TALK.every).unwrap();
        assert!(allowances.talk(&ann, 1_000 + TALK.every).is_err());
        // Another person and another thing are not concerned, and a clock that goes back gives nothing away.
        allowances.talk(&[2; 32], 1_000).unwrap();
        allowances.away(&ann, 1_000).unwrap();
        assert!(allowances.talk(&ann, 0).is_err());
    }

    #[test]
    fn only_so_many_people_are_remembered() {
        let mut allowances = Allowances::default();
        for n in 0..10_000u32 {
            let mut member = [0; 32];
            member[..4].copy_from_slice(&n.to_le_bytes());
            allowances.talk(&member, u64::from(n)).unwrap();
        }
        assert!(allowances.len() <= MOST);
    }

    #[test]
    fn the_largest_start_is_possible_twice_at_once() {
        let mut bucket = Bucket::default();
        let cost = cost_of_start(20_000);
        bucket.take(COSTLY, cost, 0).unwrap();
        bucket.take(COSTLY, cost, 0).unwrap();
        assert!(bucket.take(COSTLY, cost, 0).is_err());
        assert!(bucket.take(COSTLY, cost, cost * COSTLY.every).is_ok());
    }
}
