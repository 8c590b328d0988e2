//! Tokens to [`ast::File`], by recursive descent.
//!
//! The files follow the page of a game from top to bottom: [`decl`] (the lines at the left margin),
//! [`deck`], [`option`], [`zone`], [`show`]; then the course of the game: [`stmt`], [`block`],
//! [`ask`], [`part`]; then what stands inside lines: [`expr`] (operators), [`phrase`] (`first card
//! of …`), [`domain`] (`players where …`), [`slip`] (`==` and its like) and [`text`] (holes).
//! Below them all: [`lines`], [`cursor`], [`report`]. [`words`] lists the words of the language.
//!
//! A mistake is reported once and the rest of its line skipped; what is indented below is still
//! read where it is clear what it should have been. Nothing here panics on any input.

mod ask;
mod block;
mod cursor;
mod deck;
mod decl;
mod domain;
mod expr;
mod lines;
mod option;
mod part;
mod phrase;
mod report;
mod show;
mod slip;
mod stmt;
mod text;
mod words;
mod zone;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::lex::{self, Kind, MOST_BYTES, MOST_LINES, Token};
use crate::span::Span;
use report::Reports;

pub use crate::lex::decode;
pub use show::BADGES;
pub(crate) use slip::spoken;
pub use words::{RESERVED, is_reserved};

/// Values inside values, at most: `(((…)))`, `not not …`, a long chain of `+`.
const DEEPEST_VALUE: usize = 64;

/// Reads a whole file. Whatever is wrong with it is in the list, in the order of the text; the
/// file is as complete as could be made out.
pub fn parse(source: &str) -> (ast::File, Vec<Diagnostic>) {
    if let Some(refusal) = oversized(source) {
        return (ast::File::default(), vec![refusal]);
    }
    let mut problems = Vec::new();
    let raw = lex::tokens(source, 0, &mut problems);
    let tokens = lex::layout(source, raw, &mut problems);
    let mut parser = Parser::new(source, tokens, Reports::new(source, problems));
    let file = parser.file();
    (file, parser.reports.finish())
}

/// Reads a value that stands on its own.
pub fn parse_value(source: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    if let Some(refusal) = oversized(source) {
        return Err(vec![refusal]);
    }
    let mut problems = Vec::new();
    let raw = lex::tokens(source, 0, &mut problems);
    let tokens = lex::layout(source, raw, &mut problems);
    let mut parser = Parser::new(source, tokens, Reports::new(source, problems));
    let value = parser.value();
    if value.is_ok() {
        parser.finish_line();
    }
    match (value, parser.reports.finish()) {
        (Ok(value), problems) if problems.is_empty() => Ok(value),
        (_, problems) => Err(problems),
    }
}

/// Sizes are checked before anything else is done with the text.
fn oversized(source: &str) -> Option<Diagnostic> {
    let start = Span::new(0, 0);
    if source.len() > MOST_BYTES {
        let title = format!("This file is larger than {} KB", MOST_BYTES / 1024);
        return Some(
            Diagnostic::error("limit/source", start, title)
                .hint("A game usually takes a few KB; card texts belong in packs."),
        );
    }
    if source.bytes().filter(|&byte| byte == b'\n').count() >= MOST_LINES {
        let title = format!("This file has more than {MOST_LINES} lines");
        return Some(
            Diagnostic::error("limit/lines", start, title)
                .hint("A game usually takes a few hundred; card texts belong in packs."),
        );
    }
    None
}

/// The mistake is already reported; the caller only has to find the way back.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    at: usize,
    /// Where the last real token (no layout) ended: spans are closed here.
    last_end: u32,
    reports: Reports<'s>,
    /// How many values are being read inside one another.
    depth: usize,
    /// Height of the tallest value finished since it was last reset: chains of operators grow
    /// without recursion, but whoever walks the tree recurses.
    height: usize,
    /// Off where a `where` belongs to the words around: `any card in trick where …`.
    where_allowed: bool,
    title: Option<ast::Text>,
    decls: Vec<ast::Decl>,
    play: Vec<ast::Stmt>,
    /// Where the course of the game begins; declarations stand above.
    course: Option<Span>,
    late_reported: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, tokens: Vec<Token>, reports: Reports<'s>) -> Self {
        Parser {
            source,
            tokens,
            at: 0,
            last_end: 0,
            reports,
            depth: 0,
            height: 0,
            where_allowed: true,
            title: None,
            decls: Vec::new(),
            play: Vec::new(),
            course: None,
            late_reported: false,
        }
    }

    fn file(&mut self) -> ast::File {
        let clean = self.reports.is_empty();
        let mut titled = false;
        while self.peek().kind != Kind::End {
            let before = self.at;
            // A misspelt or forgotten `game` is reported where it is.
            titled |= self.opening() == decl::Opening::Declaration("game") || self.at == 0 && self.at_text();
            self.top_line();
            if self.at == before {
                self.bump();
            }
        }
        if !titled && (clean || !self.decls.is_empty() || !self.play.is_empty()) {
            self.soft(
                Diagnostic::error("parse/no-title", Span::new(0, 0), "This game has no title")
                    .hint("Begin the file with a line such as `game \"My game\"`."),
            );
        }
        ast::File {
            title: self.title.take(),
            decls: std::mem::take(&mut self.decls),
            play: std::mem::take(&mut self.play),
        }
    }
}
