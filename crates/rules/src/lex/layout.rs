//! Indentation: decides which lines belong below which line.
//!
//! A newline inside brackets does not end a line. Only brackets that have a partner join lines, so that a bracket that
//! is never closed does not swallow the rest of the file.

use super::{MAX_TOKENS, Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// How deep blocks may be nested. Lines that are indented further belong to the block at this depth.
const MAX_DEPTH: usize = 32;

/// Adds [`TokenKind::Indent`] and [`TokenKind::Dedent`], and removes newlines that end no line.
pub(crate) fn resolve_indentation(source: &str, raw: Vec<Token>, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let joins = find_partners(&raw);
    let mut layout = Indentation {
        source,
        out: Vec::with_capacity(raw.len().min(MAX_TOKENS)),
        blocks: vec![IndentedBlock { column: 0, first: Span::default(), wrong_columns: Vec::new() }],
        problems,
        tab_reported: false,
        depth_reported: false,
    };
    let mut line_start = 0;
    let mut fresh_line = true;
    let mut open = 0usize;
    for (token, joins) in raw.into_iter().zip(joins) {
        match token.kind {
            TokenKind::Newline => {
                if open == 0 {
                    if !fresh_line {
                        layout.out.push(token);
                    }
                    fresh_line = true;
                    line_start = token.span.end as usize;
                }
                continue;
            }
            TokenKind::End => {
                if !fresh_line {
                    layout.out.push(Token { kind: TokenKind::Newline, span: token.span });
                }
                layout.close_down_to(0, token.span);
                layout.out.push(token);
                break;
            }
            TokenKind::OpenRound | TokenKind::OpenSquare if joins => open += 1,
            TokenKind::CloseRound | TokenKind::CloseSquare if joins => open -= 1,
            _ => {}
        }
        if fresh_line {
            layout.begin_line(line_start, token.span);
            fresh_line = false;
        }
        layout.out.push(token);
    }
    layout.out
}

/// Tells for each token whether it is a bracket that has a partner.
fn find_partners(raw: &[Token]) -> Vec<bool> {
    let mut joins = vec![false; raw.len()];
    let mut open: Vec<usize> = Vec::new();
    // A bracket that is left open must not find its partner in a stray bracket pages below.
    const MAX_DISTANCE: usize = 2_000;
    for (at, token) in raw.iter().enumerate() {
        let opening = match token.kind {
            TokenKind::OpenRound | TokenKind::OpenSquare => {
                open.push(at);
                continue;
            }
            TokenKind::CloseRound => TokenKind::OpenRound,
            TokenKind::CloseSquare => TokenKind::OpenSquare,
            _ => continue,
        };
        if let Some(&start) = open.last()
            && raw[start].kind == opening
            && at - start <= MAX_DISTANCE
        {
            open.pop();
            joins[start] = true;
            joins[at] = true;
        }
    }
    joins
}

/// A block that is open.
struct IndentedBlock {
    column: usize,
    /// The first token of its first line.
    first: Span,
    /// Wrong columns at which lines of this block began. Each is reported once; further lines there are accepted.
    wrong_columns: Vec<usize>,
}

struct Indentation<'a> {
    source: &'a str,
    out: Vec<Token>,
    blocks: Vec<IndentedBlock>,
    problems: &'a mut Vec<Diagnostic>,
    tab_reported: bool,
    depth_reported: bool,
}

impl Indentation<'_> {
    fn begin_line(&mut self, line_start: usize, first: Span) {
        let line = &self.source[line_start..first.start as usize];
        let margin = &line[..line.len() - line.trim_start_matches([' ', '\t', '\u{feff}']).len()];
        let tabbed = margin.contains('\t');
        if tabbed && !self.tab_reported {
            self.tab_reported = true;
            let span = Span::new(line_start, line_start + margin.len());
            self.problems.push(
                Diagnostic::error("parse/tab", span, "This line is indented with a tab")
                    .label("a tab")
                    .hint("Indent with spaces, two for each level. Only the first tab is reported."),
            );
        }
        // After the report any guess will do: a tab counts as two spaces.
        let column = margin.chars().map(|c| if c == '\t' { 2 } else { usize::from(c == ' ') }).sum();
        self.move_to(column, first, tabbed);
    }

    fn move_to(&mut self, column: usize, first: Span, excused: bool) {
        let here = Span::new(first.start as usize, first.start as usize);
        let known =
            self.blocks.iter().rposition(|block| block.column == column || block.wrong_columns.contains(&column));
        if let Some(known) = known {
            self.close_down_to(known, here);
            return;
        }
        let top = self.blocks.len() - 1;
        if column > self.blocks[top].column {
            if self.blocks.len() <= MAX_DEPTH {
                self.blocks.push(IndentedBlock { column, first, wrong_columns: Vec::new() });
                self.out.push(Token { kind: TokenKind::Indent, span: here });
                return;
            }
            if !self.depth_reported {
                self.depth_reported = true;
                self.problems.push(
                    Diagnostic::error(
                        "limit/blocks",
                        first,
                        format!("Blocks are nested more than {MAX_DEPTH} deep here"),
                    )
                    .hint(
                        "Move the inner lines into a rule of their own and call it: `rule settle(p)` … `do settle(p)`.",
                    ),
                );
            }
            self.blocks[top].wrong_columns.push(column);
            return;
        }
        if self.report_first_line_of_block(column, here, excused) {
            return;
        }
        let nearest = (0..self.blocks.len())
            .min_by_key(|&at| (self.blocks[at].column.abs_diff(column), std::cmp::Reverse(at)))
            .unwrap_or(0);
        if !excused {
            let above = self.blocks[nearest].column;
            self.problems.push(
                Diagnostic::error("parse/indentation", first, "This line starts between two levels of indentation")
                    .label(format!("starts after {}", format_spaces(column)))
                    .hint(format!(
                        "Start it below the line it belongs with; the nearest block above starts after {}.",
                        format_spaces(above)
                    )),
            );
        }
        self.close_down_to(nearest, here);
        if let Some(block) = self.blocks.last_mut() {
            block.wrong_columns.push(column);
        }
    }

    /// Reports the first line of a block instead of the current line, if the current line is indented by two spaces and
    /// the first line by an odd number: then the first line is more likely the mistake.
    fn report_first_line_of_block(&mut self, column: usize, here: Span, excused: bool) -> bool {
        let Some(at) = (1..self.blocks.len()).find(|&at| self.blocks[at].column > column) else { return false };
        let outer = self.blocks[at - 1].column;
        if column != outer + 2 || (self.blocks[at].column - outer).is_multiple_of(2) {
            return false;
        }
        let first = self.blocks[at].first;
        if !excused {
            let label = format!("starts after {}", format_spaces(self.blocks[at].column));
            self.problems.push(
                Diagnostic::error(
                    "parse/indentation",
                    first,
                    "This line and those below it start in different columns",
                )
                .label(label)
                .hint(format!("Start all lines of a block in the same column, here after {}.", format_spaces(column))),
            );
        }
        self.close_down_to(at, here);
        self.blocks[at].wrong_columns.push(column);
        true
    }

    fn close_down_to(&mut self, depth: usize, here: Span) {
        while self.blocks.len() > depth + 1 {
            self.blocks.pop();
            self.out.push(Token { kind: TokenKind::Dedent, span: here });
        }
    }
}

fn format_spaces(column: usize) -> String {
    match column {
        0 => "no spaces".to_string(),
        1 => "1 space".to_string(),
        n => format!("{n} spaces"),
    }
}
