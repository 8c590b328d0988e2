//! Reads Rust sources as tokens, without the parts that only tests compile.
//!
//! It reads tokens and no syntax tree, because the bodies of macros have paths and names, too.

use crate::workspace::crates;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// One file of a crate.
#[derive(Debug)]
pub struct Source {
    /// The path, relative to `src`.
    pub path: PathBuf,
    /// The file's module path: empty for `lib.rs`, `["observe", "zones"]` for `observe/zones.rs`.
    pub module: Vec<String>,
    pub tokens: Vec<Token>,
}

/// One token of a flat list; the tokens of a group are between its `Open` and its `Close`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Sign(char),
    Open(char),
    Close(char),
    Literal(String),
}

impl Token {
    pub fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The sources of all crates by the names of their folders. It reads them once for all tests.
pub fn all_sources() -> &'static BTreeMap<String, Vec<Source>> {
    static ALL: OnceLock<BTreeMap<String, Vec<Source>>> = OnceLock::new();
    ALL.get_or_init(|| crates().into_iter().map(|(name, krate)| (name, sources(&krate.folder))).collect())
}

/// The files of a crate's `src`, except those that only tests compile.
fn sources(folder: &Path) -> Vec<Source> {
    let src = folder.join("src");
    let mut paths = Vec::new();
    let mut open = vec![src.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|extension| extension == "rs") => paths.push(path),
                false => {}
            }
        }
    }
    paths.sort();
    let mut found = Vec::new();
    let mut test_modules = BTreeSet::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut all = Vec::new();
        flatten(stream, &mut all);
        let path = path.strip_prefix(&src).unwrap().to_owned();
        let module = module(&path);
        let (tokens, left_out) = without_tests(&all);
        test_modules.extend(left_out.into_iter().map(|name| [&module[..], &[name]].concat()));
        found.push(Source { path, module, tokens });
    }
    found.retain(|source| !(1..=source.module.len()).any(|length| test_modules.contains(&source.module[..length])));
    found
}

fn module(path: &Path) -> Vec<String> {
    let mut words: Vec<String> =
        path.with_extension("").iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let root = words.len() == 1 && (words[0] == "lib" || words[0] == "main");
    if root || words.last().is_some_and(|word| word == "mod") {
        words.pop();
    }
    words
}

fn flatten(stream: TokenStream, into: &mut Vec<Token>) {
    for tree in stream {
        match tree {
            TokenTree::Ident(word) => into.push(Token::Word(word.to_string().trim_start_matches("r#").to_owned())),
            TokenTree::Punct(sign) => into.push(Token::Sign(sign.as_char())),
            TokenTree::Literal(literal) => into.push(Token::Literal(literal.to_string())),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::None => (' ', ' '),
                };
                into.push(Token::Open(open));
                flatten(group.stream(), into);
                into.push(Token::Close(close));
            }
        }
    }
}

/// Leaves out items below `#[cfg(test)]` and `#[test]`, and names the modules among them that are files of their own.
fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if !is_test_attribute(&tokens[at..]) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        // The item ends with a `;` or with the first group in braces.
        let mut depth = 0;
        let item = at;
        loop {
            match &tokens[at] {
                Token::Open('{') if depth == 0 => {
                    at = closing(tokens, at) + 1;
                    break;
                }
                Token::Sign(';' | ',') if depth == 0 => {
                    at += 1;
                    break;
                }
                Token::Open(_) => depth += 1,
                Token::Close(_) if depth == 0 => break,
                Token::Close(_) => depth -= 1,
                Token::Word(word) if depth == 0 && word == "mod" => {
                    modules.extend(tokens[at + 1].word().map(str::to_owned));
                }
                _ => {}
            }
            at += 1;
        }
        assert!(at > item);
    }
    (kept, modules)
}

fn is_test_attribute(tokens: &[Token]) -> bool {
    let [Token::Sign('#'), Token::Open('['), Token::Word(name), rest @ ..] = tokens else { return false };
    let end = closing(tokens, 1);
    // `cfg(test)` and `cfg(all(test, …))`, but not `cfg(any(test, …))` or `cfg(not(test))`.
    let words: Vec<&str> = rest[..end - 3].iter().filter_map(Token::word).collect();
    name == "test" || name == "cfg" && matches!(words[..], ["test"] | ["all", "test", ..])
}

/// The position at which the group that opens at `at` closes.
pub fn closing(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    unreachable!("groups are balanced")
}

/// The tokens of a text, for tests of these tests.
#[cfg(test)]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    flatten(text.parse().unwrap(), &mut found);
    without_tests(&found).0
}

#[test]
fn parts_that_only_tests_compile_are_left_out() {
    let words =
        |text: &str| tokens(text).iter().filter_map(|token| token.word().map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(words("fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}"), ["fn", "a", "fn", "c"]);
    assert_eq!(words("#[cfg(test)] mod tests; use d;"), ["use", "d"]);
    assert_eq!(words("#[test] fn e() { f } struct G;"), ["struct", "G"]);
    assert_eq!(words("#[cfg(any(test, unix))] fn h() {}"), ["cfg", "any", "test", "unix", "fn", "h"]);
    assert_eq!(words("struct I { #[cfg(test)] j: u8, k: u8 }"), ["struct", "I", "k", "u8"]);
    assert_eq!(module(Path::new("observe/mod.rs")), ["observe"]);
    assert_eq!(module(Path::new("observe/zones.rs")), ["observe", "zones"]);
    assert!(module(Path::new("lib.rs")).is_empty());
}
