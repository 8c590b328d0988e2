//! Judges a position that a playout has not played to the end. `crate::search` calls it after every playout.
//!
//! [`Valuation::new`] plays the rules at random a few hundred times. A ridge regression relates what players had during a game (scores,
//! letters, cards in hand …) to how they ended. The result is rough: it only has to tell a lead from a deficit.

use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::{Ended, Frame, OutcomeKind, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Instance;
use baize_engine::live::AnySight;
use baize_engine::sink::NullSink;
use baize_engine::with_sight;
use baize_rules::program::{MAX_SEATS, Op, Outcome, Type, VarKind};

/// Upper bound on the moves of a playout.
const MAX_PLAYOUT_MOVES: u32 = 240;
/// Learning starts no further game after this many moves, and no game of it is longer.
const LEARNING_BUDGET: u32 = 150_000;
const GAMES: u32 = 300;
/// Number of positions sampled in each game.
const SAMPLES: u32 = 12;
/// Regularisation: keeps weights small where there are few samples.
const RIDGE: f64 = 2.0;

/// For each seat how well a game went, from 0 to 1.
pub(crate) type Rewards = [f32; MAX_SEATS];

/// The learned value of having things in one game. Bots make it once per game, from the rules alone.
#[derive(Clone, Debug)]
pub struct Valuation {
    features: Vec<Feature>,
    /// One weight per feature, for the difference between a player and the others.
    weights: Vec<f64>,
    /// Mean and standard deviation of each feature.
    scale: Vec<(f64, f64)>,
    /// The mean reward.
    base: f64,
    /// Number of moves of the longest sampled game.
    longest: u32,
    /// Whether all players win or lose together.
    shared: bool,
    /// Whether the rules know a result that all players share.
    scored: bool,
}

/// A number that can be computed for each player.
#[derive(Clone, Copy, Debug)]
enum Feature {
    /// The hint of the rules file, if it has one.
    Hint,
    /// A number of each player, or the sum of several: first cell, cells from one player to the next.
    Own { base: u32, stride: u32 },
    /// A number of the table, or the sum of several.
    Common { base: u32, len: u32 },
    /// The cards in the zones of each player: first instance, instances from one player to the next.
    Cards { base: u32, stride: u32 },
    /// The cards in a zone, or in several.
    Piles { base: u32, len: u32 },
    /// The number of moves so far. Without it, the regression would credit features that only grow with time, such as a smaller stock.
    Moves,
}

impl Valuation {
    /// Learns the valuation of a sight's game.
    pub fn of(sight: &AnySight) -> Self {
        with_sight!(sight, sight => Self::new(sight.instance()))
    }

    pub fn new<S: CardSet>(instance: &Instance<S>) -> Self {
        let features = features(instance);
        let mut training = TrainingSet { scored: has_scores(instance), ..TrainingSet::default() };
        let mut left = i64::from(LEARNING_BUDGET);
        let mut games = 0;
        while left > 0 && games < GAMES {
            left -= i64::from(training.play(instance, &features, u64::from(games)));
            games += 1;
        }
        training.learn(features)
    }

    /// Returns the number of moves to play out before judging a position. If all players win or lose together, a position is judged at once,
    /// because partners who play at random soon lose whatever one does.
    pub fn max_playout_moves(&self) -> u32 {
        if self.shared { 0 } else { MAX_PLAYOUT_MOVES }
    }

    /// Returns the rewards of all seats: by the outcome if the game has ended, otherwise by the valuation.
    pub fn rewards<S: CardSet>(&self, instance: &Instance<S>, frame: &Frame<S>) -> Rewards {
        if let Some(ended) = &frame.outcome {
            return outcome(ended, frame.playing, frame.moves, self.longest, self.scored);
        }
        let mut rewards = [0.5; MAX_SEATS];
        for seat in seats_of(frame.playing) {
            let seen = observe(instance, frame, &self.features, seat);
            let terms = seen.iter().zip(&self.weights).zip(&self.scale);
            let sum: f64 = terms.map(|((x, weight), (mean, spread))| weight * (x - mean) / spread).sum();
            // An estimate is never as good or bad as an outcome.
            rewards[usize::from(seat)] = (self.base + sum).clamp(0.02, 0.98) as f32;
        }
        rewards
    }
}

/// Whether the rules say somewhere `end everyone scores … out of …`.
fn has_scores<S: CardSet>(instance: &Instance<S>) -> bool {
    let scores = |op: &Op| matches!(op, Op::End(end) if matches!(end.outcome, Outcome::EveryoneScores { .. }));
    instance.program.code.iter().any(scores)
}

/// Returns the rewards of an outcome: 1 for the best, 0 for the worst, ranks in equal steps, equal ranks share. A shared score counts as
/// its share of the most that can be scored. Players who lose together get more the longer they lasted, unless the game knows scores;
/// otherwise bots could learn nothing about a game that is nearly always lost.
fn outcome(ended: &Ended, playing: u32, moves: u32, longest: u32, scored: bool) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    let count = playing.count_ones().max(2) as f32;
    for seat in seats_of(playing) {
        let bit = 1 << seat;
        rewards[usize::from(seat)] = match ended.kind {
            OutcomeKind::EveryoneWins => 1.0,
            OutcomeKind::EveryoneScores => {
                ended.score.map_or(0.0, |shared| shared.score as f32 / shared.most.max(1) as f32)
            }
            OutcomeKind::EveryoneLoses if scored => 0.0,
            OutcomeKind::EveryoneLoses => 0.5 * moves.min(longest) as f32 / longest.max(1) as f32,
            OutcomeKind::Draw | OutcomeKind::Void | OutcomeKind::Abandoned => 0.5,
            OutcomeKind::Winners => f32::from(u8::from(ended.winners & bit != 0)),
            OutcomeKind::Losers => f32::from(u8::from(ended.losers & bit == 0)),
            OutcomeKind::Ranking => {
                let rank = ended.ranks[usize::from(seat)];
                let same = seats_of(playing).filter(|other| ended.ranks[usize::from(*other)] == rank).count() as f32;
                (count - f32::from(rank) - (same - 1.0) / 2.0) / (count - 1.0)
            }
        };
    }
    rewards
}

fn features<S: CardSet>(instance: &Instance<S>) -> Vec<Feature> {
    let mut features: Vec<Feature> = instance.shown.hint.iter().map(|_| Feature::Hint).collect();
    features.push(Feature::Moves);
    for (var, layout) in instance.program.vars.iter().zip(&instance.layout.vars) {
        // Features are public state of types that have an order: numbers and yes or no.
        let counts = matches!(var.ty, Type::Number { .. } | Type::YesNo);
        if !counts || !matches!(var.kind, VarKind::State { .. }) {
            continue;
        }
        match &layout.dims[..] {
            dims if dims.iter().all(|dim| !dim.player) => {
                features.push(Feature::Common { base: layout.base, len: layout.len });
            }
            [dim, rest @ ..] if dim.player && rest.iter().all(|dim| !dim.player) => {
                features.push(Feature::Own { base: layout.base, stride: dim.stride });
            }
            _ => {}
        }
    }
    for layout in &instance.layout.zones {
        match &layout.dims[..] {
            dims if dims.iter().all(|dim| !dim.player) => {
                features.push(Feature::Piles { base: layout.base, len: layout.len });
            }
            [dim, rest @ ..] if dim.player && rest.iter().all(|dim| !dim.player) => {
                features.push(Feature::Cards { base: layout.base, stride: dim.stride });
            }
            _ => {}
        }
    }
    features.truncate(24);
    features
}

/// Returns the features of one player. Those of players are given as the difference from the mean of the others.
fn observe<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, features: &[Feature], seat: u8) -> Vec<f64> {
    let others = frame.playing & !(1 << seat);
    let against = |value: &dyn Fn(u8) -> f64| {
        let count = others.count_ones();
        let sum: f64 = seats_of(others).map(value).sum();
        value(seat) - if count == 0 { 0.0 } else { sum / f64::from(count) }
    };
    let cell = |at: u32| f64::from(frame.cells[at as usize]);
    let cards = |at: u32| frame.sets[at as usize].len() as f64;
    let hint = |seat: u8| {
        let worth = instance.shown.hint.as_ref();
        worth.map_or(0.0, |worth| f64::from(instance.value(frame, worth, i32::from(seat), &[i32::from(seat)])))
    };
    // The elements of one player are adjacent.
    let block =
        |base: u32, stride: u32, seat: u8| base + u32::from(seat) * stride..base + (u32::from(seat) + 1) * stride;
    debug_assert!(usize::from(seat) < instance.seats);
    features
        .iter()
        .map(|feature| match *feature {
            Feature::Hint => against(&hint),
            Feature::Own { base, stride } => against(&|seat| block(base, stride, seat).map(cell).sum()),
            Feature::Cards { base, stride } => against(&|seat| block(base, stride, seat).map(cards).sum()),
            Feature::Common { base, len } => (base..base + len).map(cell).sum(),
            Feature::Piles { base, len } => (base..base + len).map(cards).sum(),
            Feature::Moves => f64::from(frame.moves),
        })
        .collect()
}

/// Sampled positions of random games, with the rewards at the end.
#[derive(Default)]
struct TrainingSet {
    samples: Vec<Vec<f64>>,
    rewards: Vec<f64>,
    longest: u32,
    /// Number of games that all players won or lost together, and of others.
    shared: u32,
    own: u32,
    scored: bool,
}

impl TrainingSet {
    /// Plays one game and samples its positions; returns the number of simulated moves.
    fn play<S: CardSet>(&mut self, instance: &Instance<S>, features: &[Feature], seed: u64) -> u32 {
        let (mut chance, mut choice) = (FastChance::new(seed), FastChance::new(!seed));
        let mut frame = instance.frame();
        for seat in 0..instance.seats as u8 {
            if instance.input(&mut frame, &Input::Join { seat, person: false }, &mut chance, &mut NullSink).is_err() {
                return LEARNING_BUDGET;
            }
        }
        if instance.start(&mut frame, &mut chance, &mut NullSink).is_err() {
            return LEARNING_BUDGET;
        }
        // The game's length decides how often to take a sample, and is known only at the end. So the training plays the same
        // game twice: first to the end, then with stops at which it takes samples.
        let (again, chance_again, choice_again) = (frame.clone(), chance.clone(), choice.clone());
        let length = instance.playout(&mut frame, LEARNING_BUDGET, &mut chance, &mut choice);
        let Some(ended) = frame.outcome.take() else { return length.max(1) };
        match ended.kind {
            OutcomeKind::EveryoneWins | OutcomeKind::EveryoneLoses | OutcomeKind::EveryoneScores => self.shared += 1,
            _ => self.own += 1,
        }
        self.longest = self.longest.max(length);
        let rewards = outcome(&ended, frame.playing, length, self.longest, self.scored);
        (frame, chance, choice) = (again, chance_again, choice_again);
        let mut stops = FastChance::new(seed ^ 0x5eed);
        let every = (length / SAMPLES).max(1);
        while !frame.ended() && frame.open != 0 {
            instance.playout(&mut frame, 1 + stops.below(2 * every), &mut chance, &mut choice);
            if frame.ended() {
                break;
            }
            for seat in seats_of(frame.playing) {
                self.samples.push(observe(instance, &frame, features, seat));
                self.rewards.push(f64::from(rewards[usize::from(seat)]));
            }
        }
        2 * length.max(1)
    }

    fn learn(self, features: Vec<Feature>) -> Valuation {
        let (n, width) = (self.samples.len().max(1) as f64, features.len());
        let base = if self.rewards.is_empty() { 0.5 } else { self.rewards.iter().sum::<f64>() / n };
        let scale: Vec<(f64, f64)> = (0..width)
            .map(|at| {
                let mean = self.samples.iter().map(|row| row[at]).sum::<f64>() / n;
                let spread = (self.samples.iter().map(|row| (row[at] - mean).powi(2)).sum::<f64>() / n).sqrt();
                (mean, if spread > 1e-9 { spread } else { f64::INFINITY })
            })
            .collect();
        // (XᵀX + ridge) w = Xᵀy, with everything scaled.
        let mut matrix = vec![vec![0.0; width + 1]; width];
        for (row, rewards) in self.samples.iter().zip(&self.rewards) {
            let x: Vec<f64> = row.iter().zip(&scale).map(|(x, (mean, spread))| (x - mean) / spread).collect();
            for i in 0..width {
                for j in 0..width {
                    matrix[i][j] += x[i] * x[j];
                }
                matrix[i][width] += x[i] * (rewards - base);
            }
        }
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += RIDGE * (1.0 + n / 1_000.0);
        }
        Valuation {
            weights: solve(matrix),
            scale,
            base,
            longest: self.longest,
            shared: self.shared > self.own,
            scored: self.scored,
            features,
        }
    }
}

/// Solves a linear system by Gaussian elimination; undetermined variables are 0.
fn solve(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let width = matrix.len();
    for i in 0..width {
        let pivot = (i..width).max_by(|a, b| matrix[*a][i].abs().total_cmp(&matrix[*b][i].abs())).unwrap_or(i);
        matrix.swap(i, pivot);
        if matrix[i][i].abs() < 1e-12 {
            continue;
        }
        let (above, below) = matrix.split_at_mut(i + 1);
        let pivot = &above[i];
        for row in below {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(pivot).skip(i).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut weights = vec![0.0; width];
    for i in (0..width).rev() {
        if matrix[i][i].abs() >= 1e-12 {
            let known: f64 = (i + 1..width).map(|j| matrix[i][j] * weights[j]).sum();
            weights[i] = (matrix[i][width] - known) / matrix[i][i];
        }
    }
    weights
}
