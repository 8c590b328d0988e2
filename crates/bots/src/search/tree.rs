//! What the search has learned: how often each move was tried, and how those who made it fared.

use super::key::Key;
use crate::valuation::Rewards;
use baize_engine::chance::Chance;
use baize_engine::moves::Move;
use baize_rules::program::MAX_SEATS;
use smallvec::SmallVec;

/// How much a move that was seldom tried is preferred.
const CURIOSITY: f32 = 1.0;
/// Moves that are tried at a node at once; more are added with the square root of the visits, this many times it.
const AT_ONCE: f32 = 4.0;
const WIDENING: f32 = 2.0;

/// An answer that is so many standard errors behind is dropped.
const HOPELESS: f32 = 3.5;

#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Nodes of those who answer at the same time as the root, by seat.
    beside: [Option<u32>; MAX_SEATS],
    /// Of all rewards so far.
    all: Sum,
}

#[derive(Debug, Default)]
struct Node {
    /// Edges from here.
    edges: Vec<u32>,
    visits: u32,
}

/// Rewards and their squares.
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

    /// How far the mean may be off, squared. A few that happened to be alike say little.
    fn doubt(&self) -> f32 {
        (self.variance() + 1e-3) / self.count.max(1) as f32
    }
}

#[derive(Debug)]
struct Edge {
    key: Key,
    seat: u8,
    answer: Move,
    /// How often it was legal when something was chosen here.
    available: u32,
    /// Of the seat that makes the move.
    sum: Sum,
    child: u32,
}

impl Edge {
    /// How good it may be, by what was seen and how little (UCB1-Tuned: where rewards hardly differ there is little to be curious
    /// about; how much rewards differ at all is the measure of it).
    fn promise(&self, spread: f32) -> f32 {
        let doubt = (self.available as f32).ln().max(0.0) / self.sum.count.max(1) as f32;
        let variance = self.sum.variance() + (2.0 * doubt).sqrt() * 0.2 * spread;
        self.sum.mean() + CURIOSITY * (doubt * variance.min(0.25)).sqrt()
    }
}

/// A move on the way down.
#[derive(Clone, Copy, Debug)]
pub struct Step {
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

    /// Where a seat answers that is asked at the same time as the root.
    pub fn beside(&mut self, seat: u8) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.beside[usize::from(seat)].get_or_insert(next);
        if node == next {
            self.nodes.push(Node::default());
        }
        node
    }

    /// Chooses among the moves that are legal here: one that was never tried, as long as few were, else the one that promises most.
    /// Says whether it is new.
    pub fn choose(
        &mut self,
        node: u32,
        seat: u8,
        legal: impl Iterator<Item = (Key, Move)>,
        chance: &mut impl Chance,
    ) -> (Step, bool) {
        let spread = self.all.variance();
        // Of each alternative: how many were not tried, and one of them.
        let mut untried: SmallVec<[(u16, u32, Key, Move); 4]> = SmallVec::new();
        let mut best: Option<(f32, u32)> = None;
        let mut tried = 0;
        for (key, answer) in legal {
            if let Some(at) = self.find(node, seat, &key) {
                let edge = &mut self.edges[at as usize];
                edge.available += 1;
                // The card may be another one of the same face in this world.
                edge.answer = answer;
                tried += 1;
                let promise = edge.promise(spread);
                if best.is_none_or(|(most, _)| promise > most) {
                    best = Some((promise, at));
                }
                continue;
            }
            match untried.iter_mut().find(|(alternative, ..)| *alternative == answer.alternative) {
                Some((_, count, known, other)) => {
                    *count += 1;
                    // Each of them with the same chance.
                    if chance.below(*count) == 0 {
                        (*known, *other) = (key, answer);
                    }
                }
                None => untried.push((answer.alternative, 1, key, answer)),
            }
        }
        self.nodes[node as usize].visits += 1;
        let room = AT_ONCE + WIDENING * (self.nodes[node as usize].visits as f32).sqrt();
        if !untried.is_empty() && (tried as f32) < room {
            let (_, _, key, answer) = untried.swap_remove(chance.below(untried.len() as u32) as usize);
            return (self.add(node, seat, key, answer), true);
        }
        // Legal moves are never none, so there is a best one.
        let edge = best.map_or(0, |(_, at)| at);
        (Step { edge, child: self.edges[edge as usize].child }, false)
    }

    fn find(&self, node: u32, seat: u8, key: &Key) -> Option<u32> {
        self.nodes[node as usize].edges.iter().copied().find(|at| {
            let edge = &self.edges[*at as usize];
            edge.seat == seat && edge.key == *key
        })
    }

    /// Adds a move, unless one that looks the same is there.
    pub fn add_new(&mut self, node: u32, seat: u8, key: Key, answer: Move) -> Option<Step> {
        self.find(node, seat, &key).is_none().then(|| self.add(node, seat, key, answer))
    }

    fn add(&mut self, node: u32, seat: u8, key: Key, answer: Move) -> Step {
        let (edge, child) = (self.edges.len() as u32, self.nodes.len() as u32);
        self.nodes.push(Node::default());
        self.edges.push(Edge { key, seat, answer, available: 1, sum: Sum::default(), child });
        self.nodes[node as usize].edges.push(edge);
        Step { edge, child }
    }

    pub fn answer(&self, step: &Step) -> &Move {
        &self.edges[step.edge as usize].answer
    }

    pub fn learn(&mut self, path: &[Step], rewards: &Rewards) {
        for step in path {
            let edge = &mut self.edges[step.edge as usize];
            let reward = rewards[usize::from(edge.seat)];
            edge.sum.add(reward);
            self.all.add(reward);
        }
    }

    /// Leaves out those who are so far behind the best that it is not bad luck. (In truth even less likely so: all had the same luck.)
    pub fn drop_hopeless(&self, steps: &mut Vec<Step>) {
        let sum = |step: &Step| &self.edges[step.edge as usize].sum;
        let Some(best) = steps.iter().map(sum).max_by(|a, b| a.mean().total_cmp(&b.mean())).copied() else { return };
        steps.retain(|step| {
            let sum = sum(step);
            let doubt = (sum.doubt() + best.doubt()).sqrt();
            best.mean() - sum.mean() <= HOPELESS * doubt
        });
    }

    /// Those who fared best first.
    pub fn sort(&self, steps: &mut [Step]) {
        let mean = |step: &Step| self.edges[step.edge as usize].sum.mean();
        steps.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers that fared like this, each as often.
    fn tree(fared: &[[f32; 2]]) -> (Tree, Vec<Step>) {
        let mut tree = Tree::default();
        let answer = || Move { decision: 0, alternative: 0, parts: Default::default() };
        let steps: Vec<Step> = fared.iter().map(|_| tree.add(0, 0, Key::default(), answer())).collect();
        for (step, fared) in steps.iter().zip(fared) {
            for n in 0..32 {
                tree.learn(&[*step], &[fared[n % 2]; MAX_SEATS]);
            }
        }
        (tree, steps)
    }

    #[test]
    fn who_is_far_behind_is_dropped_and_who_is_close_is_not() {
        let (tree, mut steps) = tree(&[[0.3, 0.5], [0.8, 1.0], [0.0, 0.1], [0.75, 1.0]]);
        tree.drop_hopeless(&mut steps);
        tree.sort(&mut steps);
        let left: Vec<u32> = steps.iter().map(|step| step.edge).collect();
        assert_eq!(left, [1, 3]);
    }

    #[test]
    fn luck_alone_drops_nobody() {
        let (tree, mut steps) = tree(&[[0.0, 1.0], [0.1, 1.0], [0.0, 0.9]]);
        tree.drop_hopeless(&mut steps);
        assert_eq!(steps.len(), 3);
    }
}
