//! Recent requests and their answers: a repeated request has no second effect.

use crate::identity::Member;
use baize_protocol::Refused;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Upper bound on answers for each browser.
const MAX_ANSWERS: usize = 32;
/// Upper bound on browsers. Beyond it, the room drops the disconnected browser that has been silent for longest.
const MAX_BROWSERS: usize = 256;

#[derive(Default)]
pub struct RecentAnswers {
    of: BTreeMap<Member, Answers>,
    /// Hashes request ids, which are long and only ever compared. The hash needs no secret key: a browser that finds two ids
    /// with the same hash gets a wrong answer itself, and nobody else does.
    hasher: BuildHasherDefault<DefaultHasher>,
}

#[derive(Default)]
struct Answers {
    /// Time of the last answer.
    at: u64,
    /// The hash of each request's id with the refusal, or with `None` if the room carried the request out.
    given: VecDeque<(u64, Option<Box<Refused>>)>,
}

impl RecentAnswers {
    /// The answer to an earlier request: the refusal, or `Some(None)` if the room carried it out.
    pub fn get(&self, member: &Member, request: &str) -> Option<Option<Refused>> {
        let wanted = self.hasher.hash_one(request);
        let found = self.of.get(member)?.given.iter().find(|(id, _)| *id == wanted);
        found.map(|(_, refused)| refused.as_deref().cloned())
    }

    /// Keeps an answer. `here` tells who is connected: the room drops connected browsers last.
    pub fn put(
        &mut self,
        member: Member,
        request: &str,
        refused: Option<Refused>,
        now: u64,
        here: impl Fn(&Member) -> bool,
    ) {
        if self.of.len() >= MAX_BROWSERS && !self.of.contains_key(&member) {
            let oldest = self.of.iter().min_by_key(|(member, answers)| (here(member), answers.at, **member));
            if let Some(oldest) = oldest.map(|(member, _)| *member) {
                self.of.remove(&oldest);
            }
        }
        let answers = self.of.entry(member).or_default();
        if answers.given.len() == MAX_ANSWERS {
            answers.given.pop_front();
        }
        answers.at = now;
        answers.given.push_back((self.hasher.hash_one(request), refused.map(Box::new)));
    }

    pub fn remove(&mut self, member: &Member) {
        self.of.remove(member);
    }

    pub fn shrink(&mut self) {
        self.of.values_mut().for_each(|answers| answers.given.shrink_to_fit());
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.of.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(n: u32) -> Member {
        let mut member = [0; 32];
        member[..4].copy_from_slice(&n.to_le_bytes());
        member
    }

    #[test]
    fn answers_of_connected_browsers_are_dropped_last() {
        let mut answered = RecentAnswers::default();
        answered.put(member(0), "first", None, 0, |_| true);
        for n in 1..10_000 {
            answered.put(member(n), "any", None, u64::from(n), |member| *member == [0; 32]);
        }
        assert!(answered.len() <= MAX_BROWSERS);
        assert!(answered.get(&member(0), "first").is_some());
        assert!(answered.get(&member(1), "any").is_none() && answered.get(&member(9_999), "any").is_some());
    }
}
