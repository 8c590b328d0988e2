//! A line between two nodes: numbered parcels, over roads that may lose, repeat and reorder them.
//!
//! Each side keeps what the other has not confirmed and sends it again when asked. If it no longer has it, or nothing is heard
//! for too long, the line ends: sockets that were served over it are closed, and come back with the last `seq` they have.
//! Nothing here sends, waits or reads a clock.

use super::letter::{Body, Item, Letter};
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};

/// How often a side gives a sign of life, in milliseconds.
pub const BEAT: u64 = 400;
/// A line on which nothing was heard for so long has ended.
const SILENCE: u64 = 3_000;
/// How often missing parcels are asked for.
const PATIENCE: u64 = 150;
/// Bytes kept for the other side; a line that is this far behind ends.
const MOST: usize = 16 << 20;
/// Parcels kept that came before one that is missing. The other side gives up long before, by the bytes it keeps.
const MOST_EARLY: usize = 1 << 16;

#[derive(Debug)]
pub struct Line {
    pub session: u64,
    /// Number of the last parcel sent.
    sent: u64,
    /// The other side has all parcels up to this one.
    confirmed: u64,
    /// Letters with the parcels after it.
    kept: VecDeque<(u64, Bytes)>,
    kept_bytes: usize,
    /// Parcels that have arrived, all up to this one.
    got: u64,
    /// Parcels that came before one that is missing.
    early: BTreeMap<u64, Vec<Item>>,
    heard_at: u64,
    asked_at: u64,
    /// Whether anything was ever heard.
    pub answered: bool,
}

/// The line can't go on.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended;

/// What came of a letter.
#[derive(Debug, Default)]
pub struct Arrived {
    /// In order, each once.
    pub items: Vec<Item>,
    pub reply: Option<Body>,
    /// To be sent once more, as they are.
    pub again: Vec<Bytes>,
}

impl Line {
    pub fn new(session: u64, now: u64) -> Self {
        Line {
            session,
            sent: 0,
            confirmed: 0,
            kept: VecDeque::new(),
            kept_bytes: 0,
            got: 0,
            early: BTreeMap::new(),
            heard_at: now,
            asked_at: 0,
            answered: false,
        }
    }

    /// A letter of this line.
    pub fn letter(&self, from: &str, to_table: bool, body: Body) -> Letter {
        let Line { session, got, confirmed, .. } = *self;
        Letter { from: from.to_owned(), session, to_table, got, confirmed, body }
    }

    pub fn next_parcel(&mut self, items: Vec<Item>) -> Body {
        self.sent += 1;
        Body::Parcel { n: self.sent, items }
    }

    /// The letter with the last parcel, to be sent again if need be.
    pub fn keep(&mut self, letter: Bytes) -> Result<(), Ended> {
        self.kept_bytes += letter.len();
        self.kept.push_back((self.sent, letter));
        if self.kept_bytes > MOST { Err(Ended) } else { Ok(()) }
    }

    pub fn beat(&self) -> Body {
        Body::Beat { sent: self.sent }
    }

    /// Ended: nothing was heard for too long.
    pub fn check(&self, now: u64) -> Result<(), Ended> {
        if now.saturating_sub(self.heard_at) > SILENCE { Err(Ended) } else { Ok(()) }
    }

    /// Whether the other side was there a moment ago.
    pub fn lives(&self, now: u64) -> bool {
        self.answered && now.saturating_sub(self.heard_at) <= 3 * BEAT
    }

    pub fn arrived(&mut self, got: u64, body: Body, now: u64) -> Result<Arrived, Ended> {
        self.heard_at = now;
        self.answered = true;
        self.confirm(got);
        let mut arrived = Arrived::default();
        match body {
            Body::Parcel { n, items } => {
                if n > self.got {
                    self.early.insert(n, items);
                }
                while let Some(items) = self.early.remove(&(self.got + 1)) {
                    self.got += 1;
                    arrived.items.extend(items);
                }
                if self.early.len() > MOST_EARLY {
                    return Err(Ended);
                }
                if !self.early.is_empty() {
                    arrived.reply = self.ask(now);
                }
            }
            Body::Beat { sent } if sent > self.got => arrived.reply = self.ask(now),
            Body::Beat { .. } => {}
            Body::Again { from } => {
                if self.kept.front().map_or(self.sent + 1, |(n, _)| *n) > from {
                    return Err(Ended);
                }
                let wanted = self.kept.iter().filter(|(n, _)| *n >= from);
                arrived.again = wanted.map(|(_, letter)| letter.clone()).collect();
            }
            Body::End => return Err(Ended),
        }
        Ok(arrived)
    }

    fn ask(&mut self, now: u64) -> Option<Body> {
        let again = now.saturating_sub(self.asked_at) >= PATIENCE;
        again.then(|| {
            self.asked_at = now;
            Body::Again { from: self.got + 1 }
        })
    }

    fn confirm(&mut self, got: u64) {
        self.confirmed = self.confirmed.max(got.min(self.sent));
        while let Some((_, letter)) = self.kept.front().filter(|(n, _)| *n <= self.confirmed) {
            self.kept_bytes -= letter.len();
            self.kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::chance::{Chance, FastChance};

    fn item(client: u64) -> Item {
        Item::Gone { client }
    }

    fn send(line: &mut Line, client: u64) -> (u64, Body) {
        let body = line.next_parcel(vec![item(client)]);
        line.keep(Bytes::copy_from_slice(&client.to_le_bytes())).unwrap();
        (line.got, body)
    }

    /// What was kept, as the letter it was.
    fn resent(kept: &Bytes) -> Body {
        let client = u64::from_le_bytes(kept[..].try_into().unwrap());
        Body::Parcel { n: client, items: vec![item(client)] }
    }

    #[test]
    fn whatever_the_road_does_parcels_arrive_once_and_in_order() {
        for seed in 0..200 {
            let mut chance = FastChance::new(seed);
            let (mut here, mut there) = (Line::new(1, 0), Line::new(1, 0));
            let mut road: Vec<(u64, Body)> = Vec::new();
            let mut seen = Vec::new();
            let (mut now, mut next) = (0, 1);
            while seen.len() < 100 {
                now += 60;
                if next <= 100 {
                    road.push(send(&mut here, next));
                    next += 1;
                }
                road.push((here.got, here.beat()));
                // A third is lost, the rest comes in any order.
                while !road.is_empty() && chance.below(4) > 0 {
                    let (got, body) = road.swap_remove(chance.below(road.len() as u32) as usize);
                    if chance.below(3) == 0 {
                        continue;
                    }
                    let arrived = there.arrived(got, body, now).unwrap();
                    seen.extend(arrived.items);
                    if let Some(reply) = arrived.reply {
                        let back = here.arrived(there.got, reply, now).unwrap();
                        road.extend(back.again.iter().map(|letter| (here.got, resent(letter))));
                    }
                }
            }
            assert_eq!(seen, (1..=100).map(item).collect::<Vec<_>>(), "seed {seed}");
        }
    }

    #[test]
    fn what_is_confirmed_is_not_kept_and_can_not_be_had_again() {
        let mut line = Line::new(1, 0);
        for client in 1..=3 {
            send(&mut line, client);
        }
        assert!(line.arrived(2, Body::Beat { sent: 0 }, 5).unwrap().again.is_empty());
        assert_eq!(line.kept.len(), 1);
        assert_eq!(line.arrived(2, Body::Again { from: 3 }, 5).unwrap().again.len(), 1);
        assert_eq!(line.arrived(2, Body::Again { from: 2 }, 5).err(), Some(Ended));
    }

    #[test]
    fn a_line_does_not_wait_for_a_missing_parcel_for_ever() {
        let mut line = Line::new(1, 0);
        let ended = (2..1 << 20).find(|n| line.arrived(0, Body::Parcel { n: *n, items: Vec::new() }, 0).is_err());
        assert_eq!(ended, Some(MOST_EARLY as u64 + 2));
    }

    #[test]
    fn silence_ends_a_line() {
        let line = Line::new(1, 1000);
        assert_eq!(line.check(1000 + SILENCE), Ok(()));
        assert_eq!(line.check(1001 + SILENCE), Err(Ended));
    }
}
