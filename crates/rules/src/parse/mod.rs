//! The parser: makes an [`ast::File`] of tokens, by recursive descent.
//!
//! The files follow a game from top to bottom: `decl` (the lines at the left margin), `deck`, `option`, `zone`, `show`;
//! then the course of the game: `stmt`, `block`, `ask`, `part`; then expressions: `expr` (operators), `phrase`
//! (`first card of …`), `domain` (`players where …`), `slip` (`==` and other habits from elsewhere), `english`
//! (`every card`, `the rest`) and `text` (holes).
//! All of them use `lines`, `cursor` and `report`. `words` lists the words of the language.
//!
//! The parser reports a mistake once and skips the rest of its line. It still reads the lines that are indented below
//! if it is clear what they should be. It panics on no input.

mod ask;
mod block;
mod cursor;
mod deck;
mod decl;
mod domain;
mod english;
mod expr;
mod how_to_play;
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
use crate::lex::{self, MAX_BYTES, MAX_LINES, Token, TokenKind};
use crate::span::Span;
use report::Reports;

pub use crate::lex::decode;
pub use show::BADGES;
pub(crate) use slip::spoken;
pub use words::{RESERVED, is_reserved};

/// How deep expressions may be nested: `(((…)))`, `not not …`, a long chain of `+`.
const MAX_EXPR_DEPTH: usize = 64;

/// Parses a whole file. The diagnostics are in the order of the text. After errors the file holds what the parser could
/// read.
pub fn parse(source: &str) -> (ast::File, Vec<Diagnostic>) {
    if let Some(refusal) = check_size(source) {
        return (ast::File::default(), vec![refusal]);
    }
    let mut problems = Vec::new();
    let raw = lex::tokenize(source, 0, &mut problems);
    let tokens = lex::resolve_indentation(source, raw, &mut problems);
    let mut parser = Parser::new(source, tokens, Reports::new(source, problems));
    let file = parser.parse_file();
    (file, parser.reports.finish())
}

/// Parses a single expression.
pub fn parse_value(source: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    if let Some(refusal) = check_size(source) {
        return Err(vec![refusal]);
    }
    let mut problems = Vec::new();
    let raw = lex::tokenize(source, 0, &mut problems);
    let tokens = lex::resolve_indentation(source, raw, &mut problems);
    let mut parser = Parser::new(source, tokens, Reports::new(source, problems));
    let value = parser.parse_expr();
    if value.is_ok() {
        parser.finish_line();
    }
    match (value, parser.reports.finish()) {
        (Ok(value), problems) if problems.is_empty() => Ok(value),
        (_, problems) => Err(problems),
    }
}

/// Refuses a file that is too large, before anything else is done with it.
fn check_size(source: &str) -> Option<Diagnostic> {
    let start = Span::new(0, 0);
    if source.len() > MAX_BYTES {
        let title = format!("This file is larger than {} KB", MAX_BYTES / 1024);
        return Some(
            Diagnostic::error("limit/source", start, title)
                .hint("A game usually takes a few KB; card texts belong in packs."),
        );
    }
    if source.bytes().filter(|&byte| byte == b'\n').count() >= MAX_LINES {
        let title = format!("This file has more than {MAX_LINES} lines");
        return Some(
            Diagnostic::error("limit/lines", start, title)
                .hint("A game usually takes a few hundred; card texts belong in packs."),
        );
    }
    None
}

/// The parser has reported a mistake and could not read on; the caller only has to skip to a line that it can read.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    at: usize,
    /// The end of the last token that is no newline, indent or dedent: spans end here.
    last_end: u32,
    reports: Reports<'s>,
    /// How deeply the expression that is being read is nested.
    depth: usize,
    /// Height of the tallest expression finished since it was last reset. The parser reads a chain of operators without
    /// recursion, but the tree becomes as high as the chain is long, and those who walk it recurse.
    height: usize,
    /// False where a `where` belongs to the phrase around the expression: `any card in trick where …`.
    where_allowed: bool,
    /// Where the phrase begins whose `where` is being read outside of brackets: `pile` in `count of pile where …`.
    where_from: Option<Span>,
    title: Option<ast::Text>,
    decls: Vec<ast::Decl>,
    play: Vec<ast::Stmt>,
    /// The first line of the course of the game.
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
            where_from: None,
            title: None,
            decls: Vec::new(),
            play: Vec::new(),
            course: None,
            late_reported: false,
        }
    }

    fn parse_file(&mut self) -> ast::File {
        let clean = self.reports.is_empty();
        let mut titled = false;
        while self.peek().kind != TokenKind::End {
            let before = self.at;
            // A misspelt or missing word `game` is reported on its own line.
            titled |= self.peek_opening() == decl::Opening::Declaration("game") || self.at == 0 && self.at_text();
            self.parse_top_line();
            if self.at == before {
                self.bump();
            }
        }
        if !titled && (clean || !self.decls.is_empty() || !self.play.is_empty()) {
            self.report(
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
