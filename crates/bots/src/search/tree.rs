//! The search tree: how often each move was tried, and the rewards of the seats that made it. `super` grows it.

use super::key::Key;
use crate::valuation::Rewards;
use baize_engine::chance::Chance;
use baize_engine::moves::Move;
use baize_rules::program::MAX_SEATS;
use smallvec::SmallVec;

/// Weight of the exploration term: a larger one prefers moves that were seldom tried.
const EXPLORATION_WEIGHT: f32 = 1.0;
/// Progressive widening: a node tries at most `INITIAL_WIDTH + WIDENING * sqrt(visits)` different moves.
const INITIAL_WIDTH: f32 = 4.0;
const WIDENING: f32 = 2.0;

/// The search drops an answer whose mean is this many standard errors below that of the best one.
const MAX_STANDARD_ERRORS: f32 = 3.5;

#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each seat that is asked at the same time as the root, its node.
    beside: [Option<u32>; MAX_SEATS],
    /// Sum of all rewards so far.
    all: Sum,
}

#[derive(Debug, Default)]
struct Node {
    /// Edges from here.
    edges: Vec<u32>,
    visits: u32,
}

/// Sums of rewards and of their squares, from which mean and variance follow.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: u32,
    rewards: f32,
    squares: f32,
}

impl Sum {
    fn add(&mut self, reward: f32) {
        self.count += 1;
        self.rewards += reward;
        self.squares += reward * reward;
    }

    fn mean(&self) -> f32 {
        self.rewards / self.count.max(1) as f32
    }

    fn variance(&self) -> f32 {
        let mean = self.mean();
        (self.squares / self.count.max(1) as f32 - mean * mean).max(0.0)
    }

    /// Returns the squared standard error of the mean. The constant keeps it above 0 when the first few rewards happen to be equal.
    fn squared_error(&self) -> f32 {
        (self.variance() + 1e-3) / self.count.max(1) as f32
    }
}

#[derive(Debug)]
struct Edge {
    key: Key,
    seat: u8,
    answer: Move,
    /// How often the move was legal when the search chose a move at this node.
    available: u32,
    /// Rewards of the seat that makes the move.
    sum: Sum,
    child: u32,
}

impl Edge {
    /// Returns the upper confidence bound of the move's reward by UCB1-Tuned: the exploration term grows with the variance of its
    /// rewards. `spread` is the variance of all rewards.
    fn upper_bound(&self, spread: f32) -> f32 {
        let doubt = (self.available as f32).ln().max(0.0) / self.sum.count.max(1) as f32;
        let variance = self.sum.variance() + (2.0 * doubt).sqrt() * 0.2 * spread;
        self.sum.mean() + EXPLORATION_WEIGHT * (doubt * variance.min(0.25)).sqrt()
    }
}

/// A move from one node to the next.
#[derive(Clone, Copy, Debug)]
pub struct TreeMove {
    edge: u32,
    pub child: u32,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::default()], edges: Vec::new(), beside: [None; MAX_SEATS], all: Sum::default() }
    }
}

impl Tree {
    pub fn root(&self) -> u32 {
        0
    }

    /// Returns the node of a seat that is asked at the same time as the root; makes it at the first call.
    pub fn simultaneous_node(&mut self, seat: u8) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.beside[usize::from(seat)].get_or_insert(next);
        if node == next {
            self.nodes.push(Node::default());
        }
        node
    }

    /// Chooses one of the legal moves: an untried one while the node has room for more, else the one with the highest upper bound.
    /// Also returns whether the move is new.
    pub fn choose(
        &mut self,
        node: u32,
        seat: u8,
        legal: impl Iterator<Item = (Key, Move)>,
        chance: &mut impl Chance,
    ) -> (TreeMove, bool) {
        let spread = self.all.variance();
        // Collects for each alternative the number of untried moves, and one of them at random.
        let mut untried: SmallVec<[(u16, u32, Key, Move); 4]> = SmallVec::new();
        let mut best: Option<(f32, u32)> = None;
        let mut tried = 0;
        for (key, answer) in legal {
            if let Some(at) = self.find(node, seat, &key) {
                let edge = &mut self.edges[at as usize];
                edge.available += 1;
                // In this world another card may have the same face, so the edge takes the move of this world.
                edge.answer = answer;
                tried += 1;
                let bound = edge.upper_bound(spread);
                if best.is_none_or(|(most, _)| bound > most) {
                    best = Some((bound, at));
                }
                continue;
            }
            match untried.iter_mut().find(|(alternative, ..)| *alternative == answer.alternative) {
                Some((_, count, known, other)) => {
                    *count += 1;
                    // Reservoir sampling: each untried move is kept with the same chance.
                    if chance.below(*count) == 0 {
                        (*known, *other) = (key, answer);
                    }
                }
                None => untried.push((answer.alternative, 1, key, answer)),
            }
        }
        self.nodes[node as usize].visits += 1;
        let room = INITIAL_WIDTH + WIDENING * (self.nodes[node as usize].visits as f32).sqrt();
        if !untried.is_empty() && (tried as f32) < room {
            let (_, _, key, answer) = untried.swap_remove(chance.below(untried.len() as u32) as usize);
            return (self.add(node, seat, key, answer), true);
        }
        // There is always a legal move, so there is a best one.
        let edge = best.map_or(0, |(_, at)| at);
        (TreeMove { edge, child: self.edges[edge as usize].child }, false)
    }

    fn find(&self, node: u32, seat: u8, key: &Key) -> Option<u32> {
        self.nodes[node as usize].edges.iter().copied().find(|at| {
            let edge = &self.edges[*at as usize];
            edge.seat == seat && edge.key == *key
        })
    }

    /// Adds a move, unless the node has one with the same key.
    pub fn add_new(&mut self, node: u32, seat: u8, key: Key, answer: Move) -> Option<TreeMove> {
        self.find(node, seat, &key).is_none().then(|| self.add(node, seat, key, answer))
    }

    fn add(&mut self, node: u32, seat: u8, key: Key, answer: Move) -> TreeMove {
        let (edge, child) = (self.edges.len() as u32, self.nodes.len() as u32);
        self.nodes.push(Node::default());
        self.edges.push(Edge { key, seat, answer, available: 1, sum: Sum::default(), child });
        self.nodes[node as usize].edges.push(edge);
        TreeMove { edge, child }
    }

    pub fn answer(&self, one: &TreeMove) -> &Move {
        &self.edges[one.edge as usize].answer
    }

    pub fn learn(&mut self, path: &[TreeMove], rewards: &Rewards) {
        for one in path {
            let edge = &mut self.edges[one.edge as usize];
            let reward = rewards[usize::from(edge.seat)];
            edge.sum.add(reward);
            self.all.add(reward);
        }
    }

    /// Drops moves that are further behind the best one than bad luck explains. The test is cautious: the search tries all moves in the
    /// same worlds, so luck explains even less.
    pub fn drop_distant(&self, moves: &mut Vec<TreeMove>) {
        let sum = |one: &TreeMove| &self.edges[one.edge as usize].sum;
        let Some(best) = moves.iter().map(sum).max_by(|a, b| a.mean().total_cmp(&b.mean())).copied() else { return };
        moves.retain(|one| {
            let sum = sum(one);
            let doubt = (sum.squared_error() + best.squared_error()).sqrt();
            best.mean() - sum.mean() <= MAX_STANDARD_ERRORS * doubt
        });
    }

    /// Sorts moves by their mean reward, the best first.
    pub fn sort(&self, moves: &mut [TreeMove]) {
        let mean = |one: &TreeMove| self.edges[one.edge as usize].sum.mean();
        moves.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a tree of one move for each pair of rewards; each move gets its two rewards equally often.
    fn tree(outcomes: &[[f32; 2]]) -> (Tree, Vec<TreeMove>) {
        let mut tree = Tree::default();
        let answer = || Move { decision: 0, alternative: 0, parts: Default::default() };
        let moves: Vec<TreeMove> = outcomes.iter().map(|_| tree.add(0, 0, Key::default(), answer())).collect();
        for (one, outcomes) in moves.iter().zip(outcomes) {
            for n in 0..32 {
                tree.learn(&[*one], &[outcomes[n % 2]; MAX_SEATS]);
            }
        }
        (tree, moves)
    }

    #[test]
    fn search_drops_distant_moves_and_keeps_close_ones() {
        let (tree, mut moves) = tree(&[[0.3, 0.5], [0.8, 1.0], [0.0, 0.1], [0.75, 1.0]]);
        tree.drop_distant(&mut moves);
        tree.sort(&mut moves);
        let left: Vec<u32> = moves.iter().map(|one| one.edge).collect();
        assert_eq!(left, [1, 3]);
    }

    #[test]
    fn search_keeps_moves_that_differ_by_luck() {
        let (tree, mut moves) = tree(&[[0.0, 1.0], [0.1, 1.0], [0.0, 0.9]]);
        tree.drop_distant(&mut moves);
        assert_eq!(moves.len(), 3);
    }
}
