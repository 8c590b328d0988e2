//! Makes a file that breaks a law as short as it can be while it still breaks that law.

use crate::play::{self, Counts, Violation};
use crate::repair::{indent, repaired, without};

/// Upper bound on the files that the search for a shorter file tries.
const TRIES: usize = 1_500;
/// Number of games to play with each of these files.
const GAMES: u64 = 3;

/// Returns a shorter file that breaks the same law in one of a few games.
pub fn shrunk(source: &str, broken: &Violation, game: u64) -> String {
    shrunk_while(source, TRIES, &mut |source| breaks(source, broken.law, game))
}

/// Whether the checker accepts a file and the file breaks this law.
pub fn breaks(source: &str, law: &str, game: u64) -> bool {
    let Some(program) = crate::compile(source) else { return false };
    let games = std::iter::once(game).chain(0..GAMES);
    games
        .into_iter()
        .any(|game| play::guarded(&program, game, &mut Counts::default()).is_err_and(|found| found.law == law))
}

/// Returns a shorter file that still has a property. Tries at most `most` files.
pub fn shrunk_while(source: &str, most: usize, holds: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = source.to_owned();
    let mut tries = 0;
    loop {
        let before = best.len();
        for pass in [blocks, unwrapped, clauses, shorter] {
            let mut at = 0;
            while let Some(candidate) = pass(&best, &mut at) {
                tries += 1;
                if tries > most {
                    return best;
                }
                // A line may use a name that the removed lines declared. The repair removes it too.
                let candidate = repaired(&candidate).map(|(source, _)| source);
                match candidate.filter(|candidate| candidate.len() < best.len() && holds(candidate)) {
                    Some(candidate) => best = candidate,
                    None => at += 1,
                }
            }
        }
        if best.len() == before {
            return best;
        }
    }
}

fn joined(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// Returns the file without the line at `at` and the lines below it.
fn blocks(source: &str, at: &mut usize) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    lines.get(*at)?;
    let mut gone = vec![false; lines.len()];
    without(&lines, *at, &mut gone);
    let kept: Vec<String> =
        lines.iter().zip(gone).filter(|(_, gone)| !gone).map(|(line, _)| (*line).to_owned()).collect();
    Some(joined(&kept))
}

/// Returns the file without the line at `at`. The lines below it move one level up.
fn unwrapped(source: &str, at: &mut usize) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    loop {
        let line = lines.get(*at)?;
        let below = lines.get(*at + 1).is_some_and(|next| indent(next) > indent(line));
        if !below {
            *at += 1;
            continue;
        }
        let mut inside = vec![false; lines.len()];
        without(&lines, *at, &mut inside);
        let kept = lines.iter().enumerate().filter(|(n, _)| n != at).map(|(n, line)| match inside[n] {
            true => line.get(2..).unwrap_or(line).to_owned(),
            false => (*line).to_owned(),
        });
        return Some(joined(&kept.collect::<Vec<_>>()));
    }
}

/// Words that begin an optional part of a line.
const SUFFIXES: [&str; 9] =
    [" when ", " where ", " if able", ", else ", " if none", " face down", " in order", " as ", " and "];

/// Returns the file without one clause between commas, one hole of a text, or one suffix.
fn clauses(source: &str, at: &mut usize) -> Option<String> {
    let cuts = cuts(source);
    let (from, to) = *cuts.get(*at)?;
    Some(format!("{}{}", &source[..from], &source[to..]))
}

fn cuts(source: &str) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        let commas: Vec<usize> = text.match_indices(", ").map(|(at, _)| at).collect();
        for (n, comma) in commas.iter().enumerate() {
            cuts.push((start + comma, start + commas.get(n + 1).copied().unwrap_or(text.len())));
        }
        if let (Some(colon), Some(comma)) = (text.find(": "), commas.first())
            && colon + 2 < comma + 2
        {
            cuts.push((start + colon + 2, start + comma + 2));
        }
        for (open, _) in text.match_indices('{') {
            if let Some(close) = text[open..].find('}') {
                cuts.push((start + open, start + open + close + 1));
            }
        }
        for suffix in SUFFIXES {
            for (from, _) in text.match_indices(suffix) {
                let ends = [text.len(), text[from + 1..].find(", ").map_or(text.len(), |at| from + 1 + at)];
                for end in ends {
                    cuts.push((start + from, start + end));
                }
                if let Some(close) = text[from..].find(')') {
                    cuts.push((start + from, start + from + close));
                }
                if let Some(close) = text[from..].find(" if able") {
                    cuts.push((start + from, start + from + close));
                }
            }
        }
        start += line.len();
    }
    cuts.retain(|(from, to)| from < to);
    cuts
}

/// Long words, and the shorter words that replace them.
const SHORTER: [(&str, &str); 10] = [
    ("next player after ", ""),
    ("previous player before ", ""),
    ("(first player where ", "turn("),
    ("standard52\n  suits ♦ ♣ ♥ ♠", "standard52"),
    (" 4 each", " 1 each"),
    (" 3 each", " 1 each"),
    ("repeat 5 times", "repeat 2 times"),
    ("repeat 4 times", "repeat 2 times"),
    (" and so", ""),
    ("\"So", "\""),
];

fn shorter(source: &str, at: &mut usize) -> Option<String> {
    loop {
        let (from, to) = SHORTER.get(*at)?;
        let candidate = source.replace(from, to);
        if candidate != source {
            return Some(candidate);
        }
        *at += 1;
    }
}
