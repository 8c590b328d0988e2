//! What the search has learned: how often each move was tried, and how those who made it fared.

use super::key::Key;
use baize_engine::chance::Chance;
use baize_engine::moves::Move;
use baize_rules::program::MAX_SEATS;

/// How much a move that was seldom tried is preferred.
const CURIOSITY: f32 = 1.0;

/// How everyone fared, from 0 to 1.
pub type Rewards = [f32; MAX_SEATS];

#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Debug, Default)]
struct Node {
    /// Edges from here.
    edges: Vec<u32>,
}

#[derive(Debug)]
struct Edge {
    key: Key,
    seat: u8,
    answer: Move,
    visits: u32,
    /// How often it was legal when something was chosen here.
    available: u32,
    /// Of the seat that makes the move; likewise the sum of squares.
    reward: f32,
    squares: f32,
    child: u32,
}

impl Edge {
    /// How good it may be, by what was seen and how little (UCB1-Tuned: where rewards hardly differ there is little to be curious about).
    fn promise(&self) -> f32 {
        let visits = self.visits as f32;
        let mean = self.reward / visits;
        let doubt = (self.available as f32).ln().max(0.0) / visits;
        let variance = (self.squares / visits - mean * mean).max(0.0) + (2.0 * doubt).sqrt() * 0.05;
        mean + CURIOSITY * (doubt * variance.min(0.25)).sqrt()
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
        Tree { nodes: vec![Node::default()], edges: Vec::new() }
    }
}

impl Tree {
    pub fn root(&self) -> u32 {
        0
    }

    /// Chooses among the moves that are legal here: one that was never tried, else the one that promises most. Says whether it is new.
    pub fn choose(
        &mut self,
        node: u32,
        seat: u8,
        legal: impl Iterator<Item = (Key, Move)>,
        chance: &mut impl Chance,
    ) -> (Step, bool) {
        let mut new: Option<(Key, Move)> = None;
        let mut untried = 0;
        let mut best: Option<(f32, u32)> = None;
        for (key, answer) in legal {
            let known = self.nodes[node as usize].edges.iter().copied().find(|at| {
                let edge = &self.edges[*at as usize];
                edge.seat == seat && edge.key == key
            });
            let Some(at) = known else {
                untried += 1;
                // Each of them with the same chance.
                if chance.below(untried) == 0 {
                    new = Some((key, answer));
                }
                continue;
            };
            let edge = &mut self.edges[at as usize];
            edge.available += 1;
            // The card may be another one of the same face in this world.
            edge.answer = answer;
            let promise = edge.promise();
            if best.is_none_or(|(most, _)| promise > most) {
                best = Some((promise, at));
            }
        }
        if let Some((key, answer)) = new {
            return (self.add(node, seat, key, answer), true);
        }
        // Legal moves are never none, so there is a best one.
        let edge = best.map_or(0, |(_, at)| at);
        (Step { edge, child: self.edges[edge as usize].child }, false)
    }

    fn add(&mut self, node: u32, seat: u8, key: Key, answer: Move) -> Step {
        let (edge, child) = (self.edges.len() as u32, self.nodes.len() as u32);
        self.nodes.push(Node::default());
        self.edges.push(Edge { key, seat, answer, visits: 0, available: 1, reward: 0.0, squares: 0.0, child });
        self.nodes[node as usize].edges.push(edge);
        Step { edge, child }
    }

    pub fn answer(&self, step: &Step) -> &Move {
        &self.edges[step.edge as usize].answer
    }

    pub fn learn(&mut self, path: &[Step], rewards: &Rewards) {
        for step in path {
            let edge = &mut self.edges[step.edge as usize];
            edge.visits += 1;
            let reward = rewards[usize::from(edge.seat)];
            edge.reward += reward;
            edge.squares += reward * reward;
        }
    }

    /// The move that was tried most; of equals the one that fared better.
    pub fn best(&self) -> Option<&Move> {
        let edges = self.nodes[0].edges.iter().map(|at| &self.edges[*at as usize]);
        let best = edges.max_by(|a, b| a.visits.cmp(&b.visits).then(a.reward.total_cmp(&b.reward)));
        best.map(|edge| &edge.answer)
    }
}
