//! Collects diagnostics so that one mistake gives one diagnostic.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Upper bound on diagnostics. A file with more mistakes than this is no game file.
const MAX_KEPT: usize = 100;

/// Marks a line that has only slips: mistakes, such as `&&`, whose meaning is certain.
const SLIP: &str = "slip";

pub(super) struct Reports<'s> {
    source: &'s str,
    /// Where each line starts, in bytes.
    lines: Vec<usize>,
    kept: Vec<Diagnostic>,
    /// The code of the first mistake on each line that has one; [`SLIP`] if the line has only slips.
    marked: HashMap<usize, &'static str>,
}

impl<'s> Reports<'s> {
    pub fn new(source: &'s str, problems: Vec<Diagnostic>) -> Self {
        let starts = source.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut reports = Reports { source, lines, kept: Vec::new(), marked: HashMap::new() };
        for problem in problems {
            reports.add(problem);
        }
        reports
    }

    pub fn is_empty(&self) -> bool {
        self.marked.is_empty()
    }

    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// Whether the line of this span already has a mistake.
    pub fn is_marked(&self, span: Span) -> bool {
        self.marked.contains_key(&self.line(span))
    }

    /// Keeps a problem unless its line already has one: the second is most likely a consequence of the first.
    pub fn add(&mut self, problem: Diagnostic) {
        if !self.is_marked(problem.span) {
            self.marked.insert(self.line(problem.span), problem.code);
            self.keep(problem);
        }
    }

    /// Keeps a problem whose meaning is certain, beside others of its kind on the same line. It is no consequence of
    /// them, because the parser read on as if they had been written correctly.
    pub fn add_slip(&mut self, problem: Diagnostic) {
        let line = self.line(problem.span);
        match self.marked.get(&line) {
            None => drop(self.marked.insert(line, SLIP)),
            Some(&SLIP) => {}
            Some(_) => return,
        }
        self.keep(problem);
    }

    fn keep(&mut self, problem: Diagnostic) {
        if self.kept.len() < MAX_KEPT {
            self.kept.push(problem);
        }
    }

    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|problem| problem.span);
        self.drop_repeated_reserved_names();
        self.kept
    }

    /// Drops diagnostics about a reserved word after the first: an author who takes the word for a name uses it on many
    /// lines.
    fn drop_repeated_reserved_names(&mut self) {
        let word = |d: &Diagnostic| self.source.get(d.span.start as usize..d.span.end as usize).unwrap_or_default();
        let names = self.kept.iter().filter(|problem| problem.code == "parse/reserved-name");
        let taken: Vec<(&str, u32)> = names.map(|problem| (word(problem), problem.span.start)).collect();
        let is_repeated = |d: &Diagnostic| taken.iter().any(|(name, start)| *name == word(d) && *start < d.span.start);
        self.kept.retain(|problem| !is_repeated(problem));
    }

    fn line(&self, span: Span) -> usize {
        let at = (span.start as usize).min(self.source.len());
        self.lines.partition_point(|&start| start <= at)
    }
}
