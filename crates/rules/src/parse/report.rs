//! Collects what is wrong, and keeps one mistake from being told twice.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// A file with more mistakes than this is not a game file.
const MOST_KEPT: usize = 100;

/// Marks lines on which there are only slips.
const SLIP: &str = "slip";

pub(super) struct Reports<'s> {
    source: &'s str,
    /// Where each line starts, in bytes.
    lines: Vec<usize>,
    kept: Vec<Diagnostic>,
    /// Lines on which something is already wrong, and what; [`SLIP`] if only slips.
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

    /// Something is already wrong on this line.
    pub fn is_marked(&self, span: Span) -> bool {
        self.marked.contains_key(&self.line(span))
    }

    /// Keeps a problem unless there is one on its line already: a second is most likely the echo of
    /// the first.
    pub fn add(&mut self, problem: Diagnostic) {
        if !self.is_marked(problem.span) {
            self.marked.insert(self.line(problem.span), problem.code);
            self.keep(problem);
        }
    }

    /// Keeps a problem that cannot be an echo, beside others of its kind: what is meant is certain,
    /// and reading went on after the first as if it had been written properly.
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
        if self.kept.len() < MOST_KEPT {
            self.kept.push(problem);
        }
    }

    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|problem| problem.span);
        self.tell_taken_words_once();
        self.kept
    }

    /// A word of the language that somebody takes for a name is wrong wherever it is used: it is told where it is first.
    fn tell_taken_words_once(&mut self) {
        let word = |d: &Diagnostic| self.source.get(d.span.start as usize..d.span.end as usize).unwrap_or_default();
        let names = self.kept.iter().filter(|problem| problem.code == "parse/reserved-name");
        let taken: Vec<(&str, u32)> = names.map(|problem| (word(problem), problem.span.start)).collect();
        let is_echo = |d: &Diagnostic| taken.iter().any(|(name, start)| *name == word(d) && *start < d.span.start);
        self.kept.retain(|problem| !is_echo(problem));
    }

    fn line(&self, span: Span) -> usize {
        let at = (span.start as usize).min(self.source.len());
        self.lines.partition_point(|&start| start <= at)
    }
}
