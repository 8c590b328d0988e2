//! Information-set Monte Carlo search: sequential halving among the answers, trees below them.
//!
//! Each turn imagines one world that fits what the seat knows and tries every answer still in question *in that same world*, with the
//! same dice and the same random moves to come: what is luck is the same for all, what remains is the difference between the answers. The
//! worse half is then dropped, and the rest is tried in more worlds, until one is left. Answers that luck can't explain any more are dropped
//! earlier, so that what is obvious is decided quickly.
//!
//! Below an answer a tree grows that all worlds share. Moves are the same if they look the same ([`key`]), so that what is learned in one
//! world serves in the others. Everyone is taken to play for themselves: at each node the one who moves prefers what was good for
//! them. Those who are asked at the same time cannot know what this seat answers: they have one node each, whatever it is.

mod key;
mod tree;

use crate::valuation::Valuation;
use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::legal::{Legal, LegalOffer};
use baize_engine::moves::Move;
use baize_engine::resample::Beliefs;
use baize_engine::sight::Sight;
use baize_engine::world::{World, Worlds};
use key::Key;
use tree::{Step, Tree};

/// Of a decision with more answers, this many at random are looked at, below the root others in each world.
const WIDEST: usize = 48;
/// How deep the tree is followed before play goes on at random.
const DEEPEST: usize = 40;
/// Imagining a world costs about as much as so many moves in it, and copying it as so many.
const NEW_WORLD: i64 = 20;
const SAME_WORLD: i64 = 2;
/// After so many worlds answers that have fallen far behind are dropped.
const LOOK_AFTER: u32 = 16;
/// Where a position is judged right after the move there is little to find out: one in so many moves of the budget will do.
const JUDGED_AT_ONCE: u32 = 4;
/// Every answer is tried at least once a round; so that this fits the budget, answers are limited to one in so many moves of it.
const MOVES_AN_ANSWER: u32 = 300;
/// In random play an alternative is chosen as if it had at most so many answers: to call a bid a lie is one move, to raise it a hundred.
const WEIGHTIEST: u64 = 3;

/// What is searched for whom.
pub struct Search<'a, S> {
    pub sight: &'a Sight<S>,
    pub beliefs: &'a Beliefs<'a, S>,
    pub seat: u8,
    /// Moves that may be simulated.
    pub budget: u32,
    pub valuation: &'a Valuation,
}

impl<S: CardSet> Search<'_, S> {
    /// The most promising of the legal answers.
    pub fn best(&self, legal: &Legal<S>, chance: &mut FastChance) -> Option<Move> {
        let mut tree = Tree::default();
        let mut alive = self.answers(&mut tree, legal, chance);
        let mut left = i64::from(self.budget / if self.looks_on() { 1 } else { JUDGED_AT_ONCE });
        let mut worlds = Worlds::new(self.sight, self.beliefs, chance.word());
        while alive.len() > 1 && left > 0 {
            // As much for each round as for the others to come.
            let rounds = if self.looks_on() { alive.len().next_power_of_two().trailing_zeros() } else { 1 };
            let share = left / i64::from(rounds);
            let mut spent = 0;
            let mut tried = 0;
            // What is judged at once is judged by the odds: each next card as often as the others.
            while alive.len() > 1 && (spent < share || !self.looks_on() && !worlds.even()) {
                let world = worlds.another();
                let future = FastChance::new(chance.word());
                spent += NEW_WORLD;
                for answer in &alive {
                    spent += SAME_WORLD + self.attempt(&mut tree, answer, world.clone(), future.clone());
                }
                tried += 1;
                if self.looks_on() && tried % LOOK_AFTER == 0 {
                    tree.drop_hopeless(&mut alive);
                }
            }
            left -= spent;
            tree.sort(&mut alive);
            alive.truncate(if self.looks_on() { alive.len().div_ceil(2) } else { 1 });
        }
        alive.first().map(|step| tree.answer(step).clone())
    }

    /// Whether anything that comes after an answer is played out.
    fn looks_on(&self) -> bool {
        self.valuation.horizon() > 0
    }

    /// The answers that look different, in any order.
    fn answers(&self, tree: &mut Tree, legal: &Legal<S>, chance: &mut FastChance) -> Vec<Step> {
        let most = ((self.budget / MOVES_AN_ANSWER) as usize).clamp(8, WIDEST);
        let mut steps = Vec::new();
        for answer in moves(legal, most, chance) {
            let key = Key::new(self.sight.instance(), legal.ask, &answer);
            if let Some(step) = tree.add_new(tree.root(), self.seat, key, answer) {
                // Of equals none is favoured.
                let at = chance.below(steps.len() as u32 + 1) as usize;
                steps.insert(at, step);
            }
        }
        steps
    }

    /// Tries one answer in one world. Says how many moves were simulated.
    fn attempt(&self, tree: &mut Tree, answer: &Step, mut world: World<S>, mut chance: FastChance) -> i64 {
        let asked: Vec<(u8, u32)> = seats_of(world.open() & !(1 << self.seat))
            .map(|seat| (seat, world.frame().seats[usize::from(seat)].decision))
            .collect();
        let mut path = vec![*answer];
        world.play_unchecked(self.seat, tree.answer(answer));
        // Those who were asked at the same time.
        for (seat, decision) in asked {
            if world.frame().is_open(seat) && world.frame().seats[usize::from(seat)].decision == decision {
                let beside = tree.beside(seat);
                self.step(tree, beside, seat, &mut world, &mut path, &mut chance);
            }
        }
        let mut node = answer.child;
        let deepest = if self.looks_on() { DEEPEST } else { 1 };
        while world.open() != 0 && path.len() < deepest {
            let seat = world.open().trailing_zeros() as u8;
            let Some((next, new)) = self.step(tree, node, seat, &mut world, &mut path, &mut chance) else { break };
            node = next;
            if new {
                break;
            }
        }
        let mut moves = path.len() as u32;
        moves += playout(&mut world, self.valuation.horizon(), &mut chance);
        let rewards = self.valuation.rewards(world.instance(), world.frame());
        tree.learn(&path, &rewards);
        i64::from(moves)
    }

    /// One move down the tree: the node it leads to, and whether that is new.
    fn step(
        &self,
        tree: &mut Tree,
        node: u32,
        seat: u8,
        world: &mut World<S>,
        path: &mut Vec<Step>,
        chance: &mut FastChance,
    ) -> Option<(u32, bool)> {
        let legal = world.legal(seat)?;
        let picks = moves(&legal, WIDEST, chance);
        let keyed = picks.into_iter().map(|answer| (Key::new(world.instance(), legal.ask, &answer), answer));
        let (step, new) = tree.choose(node, seat, keyed, chance);
        world.play_unchecked(seat, tree.answer(&step));
        path.push(step);
        Some((step.child, new))
    }
}

/// All legal moves, or so many at random, some of each alternative.
fn moves<S: CardSet>(legal: &Legal<S>, most: usize, chance: &mut FastChance) -> Vec<Move> {
    if legal.count() <= most as u64 {
        return (0..legal.count()).map(|index| legal.nth(index)).collect();
    }
    // What alternatives with few answers leave over is for those with many.
    let mut offers: Vec<&LegalOffer<S>> = legal.offers.iter().collect();
    offers.sort_by_key(|offer| offer.count());
    let mut moves = Vec::with_capacity(most);
    for (at, offer) in offers.iter().enumerate() {
        let (count, decision, alternative) = (offer.count(), legal.decision, offer.alternative);
        let share = most.saturating_sub(moves.len()).div_ceil(offers.len() - at);
        let mut add = |index| moves.push(Move { decision, alternative, parts: offer.nth(index) });
        match count <= share as u64 {
            true => (0..count).for_each(add),
            false => (0..share).for_each(|_| add(chance.below(count.min(u64::from(u32::MAX)) as u32).into())),
        }
    }
    moves
}

/// Plays on at random until the game ends or stands still, at most so many moves; says how many were made.
fn playout<S: CardSet>(world: &mut World<S>, most: u32, chance: &mut FastChance) -> u32 {
    let mut made = 0;
    while made < most && world.open() != 0 {
        let seat = world.open().trailing_zeros() as u8;
        let ask = usize::from(world.frame().seats[usize::from(seat)].ask);
        made += 1;
        // With one alternative any move is as good as another.
        if world.instance().code.questions[ask].offers.len() == 1 {
            world.playout(1, chance);
            continue;
        }
        let Some(legal) = world.legal(seat) else { break };
        let weight = |offer: &LegalOffer<S>| offer.count().min(WEIGHTIEST) as u32;
        let mut at = chance.below(legal.offers.iter().map(weight).sum());
        let Some(offer) = legal.offers.iter().find(|offer| {
            let here = at < weight(offer);
            at = at.saturating_sub(weight(offer));
            here
        }) else {
            break;
        };
        let parts = offer.nth(chance.below(offer.count().min(u64::from(u32::MAX)) as u32).into());
        let answer = Move { decision: legal.decision, alternative: offer.alternative, parts };
        world.play_unchecked(seat, &answer);
    }
    made
}
