//! Rate limits at a table: a burst, then one event per interval.

use crate::ActionRefusal;
use crate::identity::Member;
use baize_protocol::ErrorCode;
use std::collections::BTreeMap;

/// `burst` events at once, then one every `every` milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub burst: u64,
    pub every: u64,
}

/// Limits chat lines and reactions of one person.
pub const TALK: Rate = Rate { burst: 6, every: 2_000 };
/// Limits changes of one person's "I'm away" switch. Each change may be a step of the game.
pub const AWAY: Rate = Rate { burst: 6, every: 10_000 };
/// Limits joins of one browser: reloads, lost connections, a spectator's new names.
pub const ARRIVALS: Rate = Rate { burst: 30, every: 2_000 };
/// Limits new players of one table, whoever they are. The room tells everybody about each of them and stores each.
pub const STRANGERS: Rate = Rate { burst: 60, every: 2_000 };
/// Limits spectators of one table who were not there lately, whoever they are.
pub const NEW_SPECTATORS: Rate = Rate { burst: 200, every: 500 };
/// Limits chat lines and reactions of all people without a seat, taken together. [`TALK`] alone is not enough: it counts for
/// each person, and a spectator becomes a new person with a new secret, which costs nothing.
pub const SPECTATORS_TALK: Rate = Rate { burst: 60, every: 500 };
/// Limits new people who ask to be let in, whoever they are.
pub const ASKING: Rate = Rate { burst: 20, every: 5_000 };
/// Limits requests to forget a person at this table.
pub const FORGETTING: Rate = Rate { burst: 10, every: 10_000 };
/// Limits starts, ends and rematches together, whoever asks for them. A start with large packs counts several times: see [`cost_of_start`].
pub const STARTS: Rate = Rate { burst: 60, every: 2_000 };

/// [`STARTS`] is meant for a server that accepts this many messages from a socket in a second, the default. A server that
/// accepts more allows more starts in proportion.
const USUAL_MESSAGES_PER_SECOND: u64 = 20;

/// A start costs one more for each multiple of this number of cards.
const CARDS_PER_COST: usize = 690;

/// The cost of a start: preparing a table with 20,000 cards takes half a second of a core.
pub fn cost_of_start(cards: usize) -> u64 {
    (1 + (cards / CARDS_PER_COST) as u64).min(STARTS.burst / 2)
}

/// A leaky bucket: how much of one rate has been spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bucket {
    /// Milliseconds that are spent and not yet earned back.
    spent: u64,
    at: u64,
}

impl Bucket {
    pub fn take(&mut self, rate: Rate, cost: u64, now: u64) -> Result<(), ActionRefusal> {
        let spent = self.spent_by(now) + cost * rate.every;
        if spent > rate.burst * rate.every {
            return Err(ErrorCode::TooFast.into());
        }
        (self.spent, self.at) = (spent, now);
        Ok(())
    }

    fn spent_by(&self, now: u64) -> u64 {
        self.spent.saturating_sub(now.saturating_sub(self.at))
    }
}

/// The buckets of one browser.
#[derive(Debug, Default)]
struct MemberBuckets {
    talk: Bucket,
    away: Bucket,
    arrivals: Bucket,
    governing: Bucket,
}

/// Upper bound on browsers. Beyond it, the room drops those that have spent nothing, or else the one that has been silent for
/// longest. A dropped browser gains no more than it would by a new secret.
const MAX_BROWSERS: usize = 256;

#[derive(Debug, Default)]
pub struct Allowances {
    people: BTreeMap<Member, MemberBuckets>,
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

    /// Limits all other changes of the table to a tenth of what a socket may send, because the room tells everybody about each.
    pub fn govern(&mut self, member: &Member, messages_per_second: u32, now: u64) -> Result<(), ActionRefusal> {
        let per_second = u64::from(messages_per_second / 10).clamp(1, 1_000);
        let rate = Rate { burst: 15 * per_second, every: 1_000 / per_second };
        self.of(member, now).governing.take(rate, 1, now)
    }

    pub fn costly(&mut self, cost: u64, messages_per_second: u32, now: u64) -> Result<(), ActionRefusal> {
        let every = STARTS.every * USUAL_MESSAGES_PER_SECOND / u64::from(messages_per_second.max(1));
        self.costly.take(Rate { every, ..STARTS }, cost, now)
    }

    pub fn remove(&mut self, member: &Member) {
        self.people.remove(member);
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.people.len()
    }

    fn of(&mut self, member: &Member, now: u64) -> &mut MemberBuckets {
        if self.people.len() >= MAX_BROWSERS && !self.people.contains_key(member) {
            self.people.retain(|_, buckets| buckets.all().iter().any(|bucket| bucket.spent_by(now) > 0));
            let last = |buckets: &MemberBuckets| buckets.all().iter().map(|bucket| bucket.at).max();
            let oldest = self.people.iter().min_by_key(|(member, buckets)| (last(buckets), **member));
            if let Some(oldest) = oldest.map(|(member, _)| *member).filter(|_| self.people.len() >= MAX_BROWSERS) {
                self.people.remove(&oldest);
            }
        }
        self.people.entry(*member).or_default()
    }
}

impl MemberBuckets {
    fn all(&self) -> [Bucket; 4] {
        [self.talk, self.away, self.arrivals, self.governing]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_allows_a_burst_and_then_one_per_interval() {
        let mut allowances = Allowances::default();
        let ann = [1; 32];
        for _ in 0..TALK.burst {
            allowances.talk(&ann, 1_000).unwrap();
        }
        assert!(allowances.talk(&ann, 1_000).is_err());
        assert!(allowances.talk(&ann, 1_000 + TALK.every - 1).is_err());
        allowances.talk(&ann, 1_000 + TALK.every).unwrap();
        assert!(allowances.talk(&ann, 1_000 + TALK.every).is_err());
        // Other people and other kinds of events are not affected, and a clock that steps back earns nothing.
        allowances.talk(&[2; 32], 1_000).unwrap();
        allowances.away(&ann, 1_000).unwrap();
        assert!(allowances.talk(&ann, 0).is_err());
    }

    #[test]
    fn allowances_keep_a_bounded_number_of_browsers() {
        let mut allowances = Allowances::default();
        for n in 0..10_000u32 {
            let mut member = [0; 32];
            member[..4].copy_from_slice(&n.to_le_bytes());
            allowances.talk(&member, u64::from(n)).unwrap();
        }
        assert!(allowances.len() <= MAX_BROWSERS);
    }

    #[test]
    fn the_largest_start_is_possible_twice_at_once() {
        let mut bucket = Bucket::default();
        let cost = cost_of_start(20_000);
        bucket.take(STARTS, cost, 0).unwrap();
        bucket.take(STARTS, cost, 0).unwrap();
        assert!(bucket.take(STARTS, cost, 0).is_err());
        assert!(bucket.take(STARTS, cost, cost * STARTS.every).is_ok());
    }
}
