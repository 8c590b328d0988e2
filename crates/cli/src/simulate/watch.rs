//! Finds weak spots of rules that outcomes do not show: values clamped to their range, repeats stopped by their bound.

use baize_engine::cardset::CardSet;
use baize_engine::frame::Frame;
use baize_engine::instance::{Game, Instance};
use baize_engine::sink::{RawEvent, Sink};
use baize_engine::with_game;
use baize_rules::diagnostic::line_column;
use baize_rules::program::{Pc, Type, VarId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many games `simulate` plays again to find weak spots.
const REPLAYED_GAMES: u64 = 200;

#[derive(Serialize)]
pub struct WeakSpot {
    /// A description of the weak spot.
    pub what: String,
    pub line: usize,
    /// In how many games it occurred, out of all that `simulate` played again.
    pub games: u64,
    pub of: u64,
}

/// The weak spots of one game.
#[derive(Default)]
struct WeakSpots {
    clamped: BTreeSet<VarId>,
    ran_out: BTreeSet<Pc>,
}

impl<S: CardSet> Sink<S> for WeakSpots {
    const ACTIVE: bool = true;

    fn event(&mut self, _: &Frame<S>, _: RawEvent) {}

    fn repeat_stopped(&mut self, at: Pc) {
        self.ran_out.insert(at);
    }

    fn value_clamped(&mut self, var: VarId) {
        self.clamped.insert(var);
    }

    fn rollback(&mut self) {}
}

/// Plays the first games of a run again, and returns their weak spots.
pub fn find_weak_spots(
    game: &Game,
    source: &str,
    games: u64,
    seed_of: impl Fn(u64) -> u64,
) -> Result<Vec<WeakSpot>, String> {
    with_game!(game, instance => find_weak_spots_in(instance, source, games.min(REPLAYED_GAMES), seed_of))
}

fn find_weak_spots_in<S: CardSet>(
    instance: &Instance<S>,
    source: &str,
    games: u64,
    seed_of: impl Fn(u64) -> u64,
) -> Result<Vec<WeakSpot>, String> {
    let mut clamped: BTreeMap<VarId, u64> = BTreeMap::new();
    let mut ran_out: BTreeMap<usize, u64> = BTreeMap::new();
    for game in 0..games {
        let mut watch = WeakSpots::default();
        super::play(instance, seed_of(game), &mut watch, |_, _| {})?;
        watch.clamped.iter().for_each(|var| *clamped.entry(*var).or_default() += 1);
        let line_of = |at: &Pc| {
            let span = instance.program.spans.get(*at as usize).copied().unwrap_or_default();
            line_column(source, span.start as usize).0
        };
        let lines: BTreeSet<usize> = watch.ran_out.iter().map(line_of).collect();
        lines.into_iter().for_each(|line| *ran_out.entry(line).or_default() += 1);
    }
    let mut spots = Vec::new();
    for (var, count) in clamped {
        let Some(var) = instance.program.vars.get(var as usize) else { continue };
        let range = match var.ty {
            Type::Number { low, high } => format!(" {low}..{high}"),
            _ => String::new(),
        };
        let declared = |line: &str| {
            line.trim_start().strip_prefix(var.name.as_str()).is_some_and(|rest| rest.starts_with([':', '[']))
        };
        let line = source.lines().position(declared).map_or(0, |at| at + 1);
        spots.push(WeakSpot {
            what: format!("`{}` was held at an end of its range{range}", var.name),
            line,
            games: count,
            of: games,
        });
    }
    for (line, count) in ran_out {
        spots.push(WeakSpot {
            what: "a `repeat` was stopped by its `at most`".to_owned(),
            line,
            games: count,
            of: games,
        });
    }
    spots.sort_by_key(|spot| spot.line);
    Ok(spots)
}
