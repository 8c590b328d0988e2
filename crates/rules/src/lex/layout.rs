//! Indentation: which lines belong under which line.
//!
//! Newlines count only outside brackets. A bracket that is never closed does not swallow the rest
//! of the file: only brackets that have a partner join lines.

use super::{Kind, MOST_TOKENS, Token};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Blocks inside blocks, at most; deeper lines are read as if they stood at this depth.
const DEEPEST: usize = 32;

/// Replaces newlines by ends of lines, indents and dedents.
pub(crate) fn layout(source: &str, raw: Vec<Token>, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let joins = partners(&raw);
    let mut layout = Layout {
        source,
        out: Vec::with_capacity(raw.len().min(MOST_TOKENS)),
        levels: vec![Level { column: 0, first: Span::default(), also: Vec::new() }],
        problems,
        tab_reported: false,
        depth_reported: false,
    };
    let mut line_start = 0;
    let mut fresh_line = true;
    let mut open = 0usize;
    for (token, joins) in raw.into_iter().zip(joins) {
        match token.kind {
            Kind::Newline => {
                if open == 0 {
                    if !fresh_line {
                        layout.out.push(token);
                    }
                    fresh_line = true;
                    line_start = token.span.end as usize;
                }
                continue;
            }
            Kind::End => {
                if !fresh_line {
                    layout.out.push(Token { kind: Kind::Newline, span: token.span });
                }
                layout.close_down_to(0, token.span);
                layout.out.push(token);
                break;
            }
            Kind::OpenRound | Kind::OpenSquare if joins => open += 1,
            Kind::CloseRound | Kind::CloseSquare if joins => open -= 1,
            _ => {}
        }
        if fresh_line {
            layout.indentation(line_start, token.span);
            fresh_line = false;
        }
        layout.out.push(token);
    }
    layout.out
}

/// For each token: is it a bracket that has a partner?
fn partners(raw: &[Token]) -> Vec<bool> {
    let mut joins = vec![false; raw.len()];
    let mut open: Vec<usize> = Vec::new();
    // A bracket left open on one line must not pair up with a stray one pages later.
    const FARTHEST: usize = 2_000;
    for (at, token) in raw.iter().enumerate() {
        let opening = match token.kind {
            Kind::OpenRound | Kind::OpenSquare => {
                open.push(at);
                continue;
            }
            Kind::CloseRound => Kind::OpenRound,
            Kind::CloseSquare => Kind::OpenSquare,
            _ => continue,
        };
        if let Some(&start) = open.last()
            && raw[start].kind == opening
            && at - start <= FARTHEST
        {
            open.pop();
            joins[start] = true;
            joins[at] = true;
        }
    }
    joins
}

struct Level {
    column: usize,
    /// Where its first line begins.
    first: Span,
    /// Columns that were wrongly used for lines of this level; reported once each.
    also: Vec<usize>,
}

struct Layout<'a> {
    source: &'a str,
    out: Vec<Token>,
    levels: Vec<Level>,
    problems: &'a mut Vec<Diagnostic>,
    tab_reported: bool,
    depth_reported: bool,
}

impl Layout<'_> {
    fn indentation(&mut self, line_start: usize, first: Span) {
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
        // A tab is taken for one level of two spaces; any guess will do after the report.
        let column = margin.chars().map(|c| if c == '\t' { 2 } else { usize::from(c == ' ') }).sum();
        self.move_to(column, first, tabbed);
    }

    fn move_to(&mut self, column: usize, first: Span, excused: bool) {
        let here = Span::new(first.start as usize, first.start as usize);
        let known = self.levels.iter().rposition(|level| level.column == column || level.also.contains(&column));
        if let Some(known) = known {
            self.close_down_to(known, here);
            return;
        }
        let top = self.levels.len() - 1;
        if column > self.levels[top].column {
            if self.levels.len() <= DEEPEST {
                self.levels.push(Level { column, first, also: Vec::new() });
                self.out.push(Token { kind: Kind::Indent, span: here });
                return;
            }
            if !self.depth_reported {
                self.depth_reported = true;
                self.problems.push(
                    Diagnostic::error(
                        "limit/blocks",
                        first,
                        format!("Blocks are nested more than {DEEPEST} deep here"),
                    )
                    .hint(
                        "Move the inner lines into a rule of their own and call it: `rule settle(p)` … `do settle(p)`.",
                    ),
                );
            }
            self.levels[top].also.push(column);
            return;
        }
        if self.blame_first_of_block(column, here, excused) {
            return;
        }
        let nearest = (0..self.levels.len())
            .min_by_key(|&at| (self.levels[at].column.abs_diff(column), std::cmp::Reverse(at)))
            .unwrap_or(0);
        if !excused {
            let above = self.levels[nearest].column;
            self.problems.push(
                Diagnostic::error("parse/indentation", first, "This line starts between two levels of indentation")
                    .label(format!("starts after {}", spaces(column)))
                    .hint(format!(
                        "Start it below the line it belongs with; the nearest block above starts after {}.",
                        spaces(above)
                    )),
            );
        }
        self.close_down_to(nearest, here);
        if let Some(level) = self.levels.last_mut() {
            level.also.push(column);
        }
    }

    /// A line that stands two spaces further in than the block around it is right; if the block it goes on has not begun
    /// there, the line that began it is wrong.
    fn blame_first_of_block(&mut self, column: usize, here: Span, excused: bool) -> bool {
        let Some(at) = (1..self.levels.len()).find(|&at| self.levels[at].column > column) else { return false };
        let outer = self.levels[at - 1].column;
        if column != outer + 2 || (self.levels[at].column - outer).is_multiple_of(2) {
            return false;
        }
        let first = self.levels[at].first;
        if !excused {
            let label = format!("starts after {}", spaces(self.levels[at].column));
            self.problems.push(
                Diagnostic::error(
                    "parse/indentation",
                    first,
                    "This line and those below it start in different columns",
                )
                .label(label)
                .hint(format!("Start all lines of a block in the same column, here after {}.", spaces(column))),
            );
        }
        self.close_down_to(at, here);
        self.levels[at].also.push(column);
        true
    }

    fn close_down_to(&mut self, level: usize, here: Span) {
        while self.levels.len() > level + 1 {
            self.levels.pop();
            self.out.push(Token { kind: Kind::Dedent, span: here });
        }
    }
}

fn spaces(column: usize) -> String {
    match column {
        0 => "no spaces".to_string(),
        1 => "1 space".to_string(),
        n => format!("{n} spaces"),
    }
}
