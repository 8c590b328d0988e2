//! For any input the parser ends without a panic and gives a bounded number of diagnostics.
//!
//! Every random case comes from a seed, which the failure message prints.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::read_files;
use baize_rules::diagnostic::{Diagnostic, render};
use baize_rules::parse::{decode, parse};

/// Checks the laws that hold for any text; returns its diagnostics.
fn check_laws(label: &str, source: &str) -> Vec<Diagnostic> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let (_, problems) = parse(source);
        let text = render("noise", source, &problems);
        (problems, text)
    }));
    let Ok((problems, text)) = result else { panic!("{label}: panicked on {:?}", first_part(source)) };
    assert!(problems.len() <= 100, "{label}: {} problems", problems.len());
    assert!(text.len() < 300_000, "{label}: {} bytes of messages", text.len());
    for problem in &problems {
        let (from, to) = (problem.span.start as usize, problem.span.end as usize);
        assert!(from <= to && to <= source.len(), "{label}: {problem:?} is outside {:?}", first_part(source));
        assert!(
            source.is_char_boundary(from) && source.is_char_boundary(to),
            "{label}: {problem:?} splits a character of {:?}",
            first_part(source)
        );
    }
    problems
}

fn first_part(source: &str) -> String {
    source.chars().take(2_000).collect()
}

/// SplitMix64, which gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

#[test]
fn parser_survives_random_bytes() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let bytes: Vec<u8> = (0..random.below(600)).map(|_| random.next() as u8).collect();
        check_laws(&format!("bytes, seed {seed}"), &String::from_utf8_lossy(&bytes));
        let _ = decode(&bytes);
    }
}

#[test]
fn parser_survives_random_words() {
    let samples = read_files("samples");
    let words: Vec<&str> = samples
        .iter()
        .flat_map(|(_, source)| source.split_inclusive([' ', '\n', '[', ']', '(', ')', ',', ':', '"']))
        .chain([
            "\n", "\n  ", "\n    ", "\n\t", "(", ")", "[", "]", "\"", "{", "}", "\\", "“", "A♠", "♤", "\r", "é", "if ",
            "where ",
        ])
        .collect();
    for seed in 0..600 {
        let mut random = Random(seed);
        let source: String = (0..random.below(400)).map(|_| *random.pick(&words)).collect();
        check_laws(&format!("words, seed {seed}"), &source);
    }
}

#[test]
fn parser_survives_mutated_samples() {
    let samples = read_files("samples");
    for seed in 0..800 {
        let mut random = Random(seed);
        let mut lines: Vec<String> = random.pick(&samples).1.lines().map(str::to_string).collect();
        for _ in 0..=random.below(6) {
            let (at, other) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(8) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[other].clone()),
                2 => lines.swap(at, other),
                3 => lines[at] = format!("{}{}", " ".repeat(random.below(9)), lines[at].trim_start()),
                how => lines[at] = mutate(&lines[at], how, &mut random),
            }
            if lines.is_empty() {
                break;
            }
        }
        check_laws(&format!("mutation, seed {seed}"), &lines.join("\n"));
    }
}

fn mutate(line: &str, how: usize, random: &mut Random) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    if characters.is_empty() {
        return line.to_string();
    }
    let (at, other) = (random.below(characters.len()), random.below(characters.len()));
    match how {
        4 => drop(characters.remove(at)),
        5 => characters.insert(at, characters[other]),
        6 => characters.swap(at, other),
        _ => characters.truncate(at),
    }
    characters.into_iter().collect()
}

/// Drops, doubles or misspells one word of a sample, which should give at most one diagnostic. Some words, such as
/// `state`, decide what the lines below them are, so the test allows a few exceptions.
#[test]
fn one_damaged_word_gives_at_most_one_diagnostic() {
    let (mut cases, mut several) = (0, Vec::new());
    for (_, source) in read_files("samples") {
        let lines: Vec<&str> = source.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let margin = line.len() - line.trim_start().len();
            let words: Vec<&str> = line.trim_start().split(' ').collect();
            for word in 0..words.len() {
                let misspelt = format!("{}q", words[word]);
                let dropped = [&words[..word], &words[word + 1..]].concat();
                let doubled = [&words[..=word], &words[word..]].concat();
                let changed = [&words[..word], &[misspelt.as_str()], &words[word + 1..]].concat();
                for damaged in [dropped, doubled, changed] {
                    let mut lines = lines.clone();
                    let damaged = " ".repeat(margin) + &damaged.join(" ");
                    lines[at] = &damaged;
                    let problems = parse(&lines.join("\n")).1;
                    cases += 1;
                    if problems.len() > 1 {
                        several.push(format!("{damaged}: {} problems", problems.len()));
                    }
                }
            }
        }
    }
    let count = several.len();
    several.truncate(20);
    assert!(count * 200 < cases, "{count} of {cases}, such as {several:#?}");
}

/// Each limit has a diagnostic of its own.
#[test]
fn hostile_files_meet_a_limit() {
    let title = "game \"T\"\n";
    let deep = |open: &str, close: &str, count: usize| {
        format!("{title}define x = {}1{}\n", open.repeat(count), close.repeat(count))
    };
    let stairs: String = (0..400).map(|depth| format!("{}if a\n", " ".repeat(depth))).collect();
    let holes = format!("{title}announce {}\"x\"{}\n", "\"{".repeat(500), "}\"".repeat(500));
    let few_holes = format!("{title}announce {}\"x\"{}\n", "\"{".repeat(12), "}\"".repeat(12));
    assert!(check_laws("few holes", &few_holes).is_empty());
    let cases = [
        ("limit/source", "x".repeat(256 * 1024 + 1)),
        ("limit/lines", "\n".repeat(20_000)),
        ("limit/words", "+".repeat(250_000)),
        ("limit/blocks", format!("{title}{stairs}")),
        ("limit/value", deep("(", ")", 80_000)),
        ("limit/value", deep("not ", "", 60_000)),
        ("limit/value", deep("-", "", 190_000)),
        ("limit/value", deep("f(", ")", 50_000)),
        ("limit/value", deep("hand[", "]", 40_000)),
        ("limit/value", deep("suit of ", "", 30_000)),
        ("limit/value", deep("if a then b else ", "", 10_000)),
        ("limit/value", deep("1 + ", "", 60_000)),
        ("limit/value", deep("a where ", "", 30_000)),
        ("limit/value", deep("(1 + 1) * (", ")", 100)),
        ("limit/value", deep("", " or b", 40_000)),
        ("limit/value", deep("reveal ", "", 30_000)),
        ("parse/expected-value", deep("[", "]", 80_000)),
    ];
    for (code, source) in &cases {
        let problems = check_laws(code, source);
        assert!(
            problems.iter().any(|problem| problem.code == *code),
            "expected {code}, found {:?} for {:?}",
            problems.first(),
            source.chars().take(60).collect::<String>()
        );
    }
    check_laws("holes in holes", &holes);
    check_laws("open quotes", &"\"{".repeat(120_000));
    check_laws("open quotes and words", &"\"{ \"a\" ".repeat(30_000));
    check_laws("open braces", &format!("{title}announce \"{}\"", "{ ".repeat(120_000)));
    check_laws("braces and quotes", &format!("{title}announce \"{}\"", "{ \\\" ".repeat(40_000)));
    check_laws("a quote after a backslash", "game \"T\\\n\"\nabout \"{\\\n}\"");
    check_laws("quotes", &"\"".repeat(250_000));
    check_laws("curly quotes", &"“".repeat(80_000));
    check_laws("open brackets", &"(\n".repeat(19_000));
    check_laws("closing brackets", &format!("{}{}", "(\n".repeat(9_000), ")\n".repeat(9_000)));
    check_laws("stray characters", &"%\n".repeat(19_000));
    check_laws("bad lines", &"if = (\n".repeat(19_000));
    check_laws("one line of bad words", &"foo bar ".repeat(30_000));
    check_laws("many holes", &format!("{title}announce \"{}\"\n", "{x}".repeat(80_000)));
}

#[test]
fn expressions_of_sixty_levels_are_accepted() {
    for value in [
        format!("{}1{}", "(".repeat(60), ")".repeat(60)),
        format!("1{}", " + 1".repeat(60)),
        format!("{}a", "not ".repeat(60)),
    ] {
        assert!(check_laws("sixty", &format!("game \"T\"\ndefine x = {value}\n")).is_empty());
    }
}
