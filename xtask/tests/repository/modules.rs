//! Checks that the modules of a crate form no cycle, so that people can read each after those that it uses.
//!
//! The test compares the modules in a crate's root with each other, and the modules in each folder. Everything that the root
//! (`lib.rs`, `main.rs`) or the module of a folder defines itself may be used anywhere.

use crate::sources::{Source, Token, all_sources, closing};
use std::collections::{BTreeMap, BTreeSet};

type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

#[test]
fn no_crate_has_a_cycle_of_modules() {
    let mut faults = Vec::new();
    for (name, sources) in all_sources() {
        for parent in parents(sources) {
            let graph = graph(sources, &parent);
            let place = [&[name.clone()][..], &parent].concat().join("::");
            for cycle in cycles(&graph) {
                faults.push(format!("{place}: {}{}", cycle.join(", "), uses(&graph, &cycle)));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "these modules use each other in a circle; move what both need into a module below them:\n{}",
        faults.join("\n")
    );
}

/// The root, and every module that has modules of its own in files.
fn parents(sources: &[Source]) -> BTreeSet<Vec<String>> {
    let modules = sources.iter().filter(|source| !source.module.is_empty());
    modules.map(|source| source.module[..source.module.len() - 1].to_vec()).collect()
}

/// For each child of a module the other children that it uses, with the files that use them.
fn graph(sources: &[Source], parent: &[String]) -> Graph {
    let below = |source: &Source| source.module.strip_prefix(parent).and_then(|rest| rest.first()).cloned();
    let children: BTreeSet<String> = sources.iter().filter_map(below).collect();
    let exports = exports(sources, parent, &children);
    let mut graph = Graph::new();
    for source in sources {
        let Some(from) = below(source) else { continue };
        for path in paths(&source.tokens, &source.module) {
            let Some(first) = path.strip_prefix(parent).and_then(|rest| rest.first()) else { continue };
            let to = children.get(first).or_else(|| exports.get(first));
            if let Some(to) = to.filter(|to| **to != from) {
                let uses = graph.entry(from.clone()).or_default();
                uses.entry(to.clone()).or_default().insert(source.path.display().to_string());
            }
        }
    }
    graph
}

/// Names that a module re-exports or imports, with the child of each: `pub use error::Error` makes `super::Error` a use of
/// `error`.
fn exports(sources: &[Source], parent: &[String], children: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for source in sources.iter().filter(|source| source.module == parent) {
        for (at, token) in source.tokens.iter().enumerate() {
            if token.word() == Some("use") {
                let mut leaves = Vec::new();
                tree(&source.tokens, at + 1, Vec::new(), &mut leaves);
                for (path, name) in leaves {
                    let path = match path.first().map(String::as_str) {
                        Some("self") => &path[1..],
                        Some("crate") => path[1..].strip_prefix(parent).unwrap_or_default(),
                        _ => &path[..],
                    };
                    if let Some(child) = path.first().filter(|first| children.contains(*first)) {
                        found.insert(name, child.clone());
                    }
                }
            }
        }
    }
    found
}

/// The paths in a file that start inside this crate, without the leading `crate`.
pub fn paths(tokens: &[Token], module: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        // Skips the `crate` of `pub(crate)`, and a `super` in the middle of a path.
        let starts = matches!(tokens[at].word(), Some("crate" | "super" | "self"));
        if !starts || !is_joint(tokens, at + 1) || at >= 2 && is_joint(tokens, at - 2) {
            continue;
        }
        let mut leaves = Vec::new();
        tree(tokens, at, Vec::new(), &mut leaves);
        for (path, _) in leaves {
            let mut here = match path.first().map(String::as_str) {
                Some("self" | "super") => module.to_vec(),
                _ => Vec::new(),
            };
            let mut inside = true;
            for word in &path {
                match word.as_str() {
                    "crate" | "self" => {}
                    // A path above the root comes from an inline module, whose depth the file does not show.
                    "super" => inside &= here.pop().is_some(),
                    word => here.push(word.to_owned()),
                }
            }
            if inside && !here.is_empty() {
                found.push(here);
            }
        }
    }
    found
}

fn is_joint(tokens: &[Token], at: usize) -> bool {
    tokens.get(at) == Some(&Token::Sign(':')) && tokens.get(at + 1) == Some(&Token::Sign(':'))
}

/// Collects the paths of a path or use-tree that starts at `at`, each with the name that it gets. Returns where it ends.
fn tree(tokens: &[Token], mut at: usize, mut path: Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) -> usize {
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) => path.push(word.clone()),
            Some(Token::Sign('*')) => path.push("*".to_owned()),
            Some(Token::Open('{')) => {
                let end = closing(tokens, at);
                at += 1;
                while at < end {
                    at = tree(tokens, at, path.clone(), leaves);
                    while at < end && tokens[at] != Token::Sign(',') {
                        at += 1;
                    }
                    at += 1;
                }
                return end + 1;
            }
            _ => return at,
        }
        at += 1;
        if is_joint(tokens, at) {
            at += 2;
            continue;
        }
        let alias = (tokens.get(at).and_then(Token::word) == Some("as")).then(|| tokens[at + 1].word()).flatten();
        let last = path.last().filter(|word| *word != "self").or(path.iter().rev().nth(1));
        let name = alias.map(str::to_owned).or_else(|| last.cloned());
        leaves.extend(name.map(|name| (path, name)));
        return at;
    }
}

/// Groups of modules in which every module reaches every other.
fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let reaches: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|module| (module.as_str(), reach(graph, module))).collect();
    let mut found = BTreeSet::new();
    for (module, below) in &reaches {
        if below.contains(module) {
            let cycle = below.iter().filter(|other| reaches.get(*other).is_some_and(|back| back.contains(module)));
            found.insert(cycle.map(|module| module.to_string()).collect::<Vec<_>>());
        }
    }
    found.into_iter().collect()
}

fn reach<'a>(graph: &'a Graph, module: &str) -> BTreeSet<&'a str> {
    let (mut open, mut seen) = (vec![module], BTreeSet::new());
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    seen
}

/// The uses inside a cycle, each on its own line.
fn uses(graph: &Graph, cycle: &[String]) -> String {
    let mut text = String::new();
    for from in cycle {
        for (to, files) in graph[from].iter().filter(|(to, _)| cycle.contains(to)) {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            text += &format!("\n    {from} uses {to} in {}", files.join(", "));
        }
    }
    text
}

#[cfg(test)]
fn source(path: &str, module: &[&str], text: &str) -> Source {
    Source {
        path: path.into(),
        module: module.iter().map(|word| word.to_string()).collect(),
        tokens: crate::sources::tokens(text),
    }
}

#[test]
fn uses_are_found_wherever_they_stand() {
    let files = [
        source("lib.rs", &[], "mod a; mod b; mod c; mod d; pub use d::{Deep, deep as renamed}; fn f() { a::g() }"),
        source("a.rs", &["a"], "use crate::{b::{self, B}, renamed}; fn g() { std::crate_like::x() }"),
        source(
            "b.rs",
            &["b"],
            "macro_rules! m { () => { $crate::c::x() } } #[cfg(test)] mod tests { use crate::a::g; }",
        ),
        source("c/mod.rs", &["c"], "mod deep; pub(crate) struct C; fn h() { self::deep::i() }"),
        source("c/deep.rs", &["c", "deep"], "use super::C; use super::super::a; fn i(x: crate::Deep) {}"),
        source("d.rs", &["d"], "pub struct Deep; mod inner { use super::Deep; }"),
    ];
    let root = graph(&files, &[]);
    let uses = |from: &str| root.get(from).map(|uses| uses.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    assert_eq!(uses("a"), ["b", "d"]);
    assert_eq!(uses("b"), ["c"]);
    assert_eq!(uses("c"), ["a", "d"]);
    assert_eq!(uses("d"), Vec::<String>::new());
    assert_eq!(cycles(&root), [["a", "b", "c"]]);
}

#[test]
fn cycles_inside_a_folder_are_found() {
    let files = [
        source("lib.rs", &[], "mod a;"),
        source("a.rs", &["a"], "mod x; mod y; mod z; pub use y::{Deep, Other as Renamed}; struct Own;"),
        source("a/x.rs", &["a", "x"], "use super::{Own, Renamed}; use crate::a::z::Z;"),
        source("a/y.rs", &["a", "y"], "fn f() { super::x::g() }"),
        source("a/z.rs", &["a", "z"], "use super::Own;"),
    ];
    let folder = ["a".to_owned()];
    assert_eq!(parents(&files).into_iter().collect::<Vec<_>>(), [vec![], folder.to_vec()]);
    assert_eq!(cycles(&graph(&files, &[])), Vec::<Vec<String>>::new());
    assert_eq!(cycles(&graph(&files, &folder)), [["x", "y"]]);
}
