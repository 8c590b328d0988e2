//! Information-set Monte Carlo tree search.
//!
//! Each turn of the search imagines a world that fits what the seat knows, goes down one common tree by the moves that are legal
//! there, adds a node, plays on at random and remembers how everyone fared. Moves are the same if they look the same ([`key`]), so that what is learned in one world
//! serves in the others. Everyone is taken to play for themselves: at each node the one who moves prefers what was good for them.

mod key;
mod tree;

use crate::valuation::Valuation;
use baize_engine::cardset::CardSet;
use baize_engine::chance::FastChance;
use baize_engine::moves::Move;
use baize_engine::resample::Beliefs;
use baize_engine::sight::Sight;
use baize_engine::world::World;
use key::Key;
pub use tree::Rewards;
use tree::{Step, Tree};

/// Of a decision with more answers, this many at random are looked at, others in each world.
const WIDEST: u64 = 48;
/// How deep the tree is followed before play goes on at random.
const DEEPEST: usize = 40;

/// The most promising answer; none if the budget does not allow a single try.
pub fn search<S: CardSet>(
    sight: &Sight<S>,
    beliefs: &Beliefs<S>,
    seat: u8,
    budget: u32,
    valuation: &Valuation,
    chance: &mut FastChance,
) -> Option<Move> {
    let mut tree = Tree::default();
    let mut left = i64::from(budget);
    while left > 0 {
        let mut world = World::new(sight, beliefs, chance.word());
        // Imagining a world costs about as much as some moves in it.
        left -= 20;
        left -= i64::from(descend(&mut tree, &mut world, seat, valuation, chance));
    }
    tree.best().cloned()
}

/// One turn of the search. Says how many moves were simulated.
fn descend<S: CardSet>(
    tree: &mut Tree,
    world: &mut World<S>,
    me: u8,
    valuation: &Valuation,
    chance: &mut FastChance,
) -> u32 {
    let mut path: Vec<Step> = Vec::new();
    let mut node = tree.root();
    let mut moves = 0;
    while world.open() != 0 && path.len() < DEEPEST {
        // At the root it is this seat's decision, whoever else is asked too.
        let seat = if path.is_empty() { me } else { world.open().trailing_zeros() as u8 };
        let Some(legal) = world.legal(seat) else { break };
        let count = legal.count();
        let picks: Vec<Move> = if count <= WIDEST {
            (0..count).map(|index| legal.nth(index)).collect()
        } else {
            (0..WIDEST).map(|_| legal.sample(chance)).collect()
        };
        let keyed = picks.into_iter().map(|answer| (Key::new(world.instance(), legal.ask, &answer), answer));
        let (step, new) = tree.choose(node, seat, keyed, chance);
        world.play_unchecked(seat, tree.answer(&step));
        moves += 1;
        node = step.child;
        path.push(step);
        if new {
            break;
        }
    }
    moves += world.playout(valuation.horizon(), chance);
    let rewards = valuation.rewards(world.instance(), world.frame());
    tree.learn(&path, &rewards);
    moves
}
