//! Information-set Monte Carlo search: sequential halving among the answers, trees below them.
//!
//! The search samples a world that fits everything the seat knows, and tries every remaining answer *in that same world*, with the same
//! dice and the same random moves to come. So luck is the same for all answers, and only the answers differ. After a round it drops the
//! worse half, and tries the rest in more worlds, until one answer is left. It drops an answer earlier when luck can't explain how far the
//! answer is behind, so that obvious decisions are quick.
//!
//! Below each answer grows a tree that all worlds share. Moves with the same [`Key`] are one move, so that what the search learns in one
//! world serves in the others. At each node the seat that moves maximises its own reward. Seats that are asked at the same time as this seat
//! can't know its answer, so each of them has a single node of its own.
//!
//! [`Bot`](crate::Bot) calls [`Search::best`] for every decision that is not a matter of taste.

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
use tree::{Tree, TreeMove};

/// If a decision has more answers than this, the search samples them; below the root each world samples again.
const MAX_ANSWERS: usize = 48;
/// The search follows the tree for at most this many moves before it plays on at random.
const MAX_TREE_DEPTH: usize = 40;
/// Cost of sampling a world and of copying one, in simulated moves.
const COST_OF_NEW_WORLD: i64 = 20;
const COST_OF_COPY: i64 = 2;
/// Number of worlds after which the search drops answers that are far behind.
const WORLDS_BETWEEN_DROPS: u32 = 16;
/// A search that judges positions right after the move, without a playout, needs only this fraction (1/n) of its budget.
const BUDGET_DIVISOR_WITHOUT_PLAYOUT: u32 = 4;
/// Number of moves of the budget for each answer that the search considers, because it tries each answer at least once a round.
const BUDGET_PER_ANSWER: u32 = 300;
/// Random play weighs an alternative by its number of answers, but by no more than this: calling a bid a lie is one answer, raising it a
/// hundred.
const MAX_ALTERNATIVE_WEIGHT: u64 = 3;

/// A search for the best answer of one seat.
pub struct Search<'a, S> {
    pub sight: &'a Sight<S>,
    pub beliefs: &'a Beliefs<'a, S>,
    pub seat: u8,
    /// Number of moves that the search may simulate.
    pub budget: u32,
    pub valuation: &'a Valuation,
}

impl<S: CardSet> Search<'_, S> {
    /// Returns the most promising of the legal answers.
    pub fn best(&self, legal: &Legal<S>, chance: &mut FastChance) -> Option<Move> {
        let mut tree = Tree::default();
        let mut alive = self.answers(&mut tree, legal, chance);
        let mut left = i64::from(self.budget / if self.plays_out() { 1 } else { BUDGET_DIVISOR_WITHOUT_PLAYOUT });
        let mut worlds = Worlds::new(self.sight, self.beliefs, chance.word());
        while alive.len() > 1 && left > 0 {
            // Each of the remaining rounds gets an equal share of the budget.
            let rounds = if self.plays_out() { alive.len().next_power_of_two().trailing_zeros() } else { 1 };
            let share = left / i64::from(rounds);
            let mut spent = 0;
            let mut tried = 0;
            // Without playouts the search judges by the odds, so it goes on until each hidden card was the next one equally often.
            while alive.len() > 1 && (spent < share || !self.plays_out() && !worlds.even()) {
                let world = worlds.another();
                let future = FastChance::new(chance.word());
                spent += COST_OF_NEW_WORLD;
                for answer in &alive {
                    spent += COST_OF_COPY + self.attempt(&mut tree, answer, world.clone(), future.clone());
                }
                tried += 1;
                if self.plays_out() && tried % WORLDS_BETWEEN_DROPS == 0 {
                    tree.drop_distant(&mut alive);
                }
            }
            left -= spent;
            tree.sort(&mut alive);
            alive.truncate(if self.plays_out() { alive.len().div_ceil(2) } else { 1 });
        }
        alive.first().map(|step| tree.answer(step).clone())
    }

    /// Whether the search plays on after an answer, or judges the position at once.
    fn plays_out(&self) -> bool {
        self.valuation.max_playout_moves() > 0
    }

    /// Adds the answers with different keys to the tree, and returns them in random order.
    fn answers(&self, tree: &mut Tree, legal: &Legal<S>, chance: &mut FastChance) -> Vec<TreeMove> {
        let most = ((self.budget / BUDGET_PER_ANSWER) as usize).clamp(8, MAX_ANSWERS);
        let mut steps = Vec::new();
        for answer in moves(legal, most, chance) {
            let key = Key::new(self.sight.instance(), legal.ask, &answer);
            if let Some(step) = tree.add_new(tree.root(), self.seat, key, answer) {
                // The order is random, so that the search favours none of several equal answers.
                let at = chance.below(steps.len() as u32 + 1) as usize;
                steps.insert(at, step);
            }
        }
        steps
    }

    /// Tries one answer in one world; returns the number of simulated moves.
    fn attempt(&self, tree: &mut Tree, answer: &TreeMove, mut world: World<S>, mut chance: FastChance) -> i64 {
        let asked: Vec<(u8, u32)> = seats_of(world.open() & !(1 << self.seat))
            .map(|seat| (seat, world.frame().seats[usize::from(seat)].decision))
            .collect();
        let mut path = vec![*answer];
        world.play_unchecked(self.seat, tree.answer(answer));
        // Seats that are asked at the same time answer first.
        for (seat, decision) in asked {
            if world.frame().is_open(seat) && world.frame().seats[usize::from(seat)].decision == decision {
                let beside = tree.simultaneous_node(seat);
                self.descend(tree, beside, seat, &mut world, &mut path, &mut chance);
            }
        }
        let mut node = answer.child;
        let max_depth = if self.plays_out() { MAX_TREE_DEPTH } else { 1 };
        while world.open() != 0 && path.len() < max_depth {
            let seat = world.open().trailing_zeros() as u8;
            let Some((next, new)) = self.descend(tree, node, seat, &mut world, &mut path, &mut chance) else { break };
            node = next;
            if new {
                break;
            }
        }
        let mut moves = path.len() as u32;
        moves += playout(&mut world, self.valuation.max_playout_moves(), &mut chance);
        let rewards = self.valuation.rewards(world.instance(), world.frame());
        tree.learn(&path, &rewards);
        i64::from(moves)
    }

    /// Makes one move down the tree; returns the next node and whether it is new.
    fn descend(
        &self,
        tree: &mut Tree,
        node: u32,
        seat: u8,
        world: &mut World<S>,
        path: &mut Vec<TreeMove>,
        chance: &mut FastChance,
    ) -> Option<(u32, bool)> {
        let legal = world.legal(seat)?;
        let picks = moves(&legal, MAX_ANSWERS, chance);
        let keyed = picks.into_iter().map(|answer| (Key::new(world.instance(), legal.ask, &answer), answer));
        let (step, new) = tree.choose(node, seat, keyed, chance);
        world.play_unchecked(seat, tree.answer(&step));
        path.push(step);
        Some((step.child, new))
    }
}

/// Returns all legal moves, or `most` of them at random, some of each alternative.
fn moves<S: CardSet>(legal: &Legal<S>, most: usize, chance: &mut FastChance) -> Vec<Move> {
    if legal.count() <= most as u64 {
        return (0..legal.count()).map(|index| legal.nth(index)).collect();
    }
    // Alternatives with few answers come first, so that those with many get the rest.
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

/// Plays at most `most` random moves, until the game ends or nobody is asked; returns the number of moves made.
fn playout<S: CardSet>(world: &mut World<S>, most: u32, chance: &mut FastChance) -> u32 {
    let mut made = 0;
    while made < most && world.open() != 0 {
        let seat = world.open().trailing_zeros() as u8;
        let ask = usize::from(world.frame().seats[usize::from(seat)].ask);
        made += 1;
        // With one alternative there is nothing to weigh, and the engine plays faster by itself.
        if world.instance().code.questions[ask].offers.len() == 1 {
            world.playout(1, chance);
            continue;
        }
        let Some(legal) = world.legal(seat) else { break };
        let weight = |offer: &LegalOffer<S>| offer.count().min(MAX_ALTERNATIVE_WEIGHT) as u32;
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
