//! Collects what is wrong, and keeps one mistake from being told twice.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// A file with more mistakes than this is not a game file.
const MOST_KEPT: usize = 100;

pub(super) struct Reports<'s> {
    source: &'s str,
    /// Where each line starts, in bytes.
    lines: Vec<usize>,
    kept: Vec<Diagnostic>,
    /// Lines on which something is already wrong.
    marked: HashSet<usize>,
}

impl<'s> Reports<'s> {
    pub fn new(source: &'s str, problems: Vec<Diagnostic>) -> Self {
        let starts = source
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n')
            .map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut reports = Reports {
            source,
            lines,
            kept: Vec::new(),
            marked: HashSet::new(),
        };
        for problem in problems {
            reports.certain(problem);
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
        self.marked.contains(&self.line(span))
    }

    /// A mistake after which reading goes on as if it had been written properly.
    pub fn certain(&mut self, problem: Diagnostic) {
        self.marked.insert(self.line(problem.span));
        if self.kept.len() < MOST_KEPT {
            self.kept.push(problem);
        }
    }

    /// A mistake that ends the reading of its line. If there was one on the same line before, this
    /// is most likely its echo and is dropped.
    pub fn unless_echo(&mut self, problem: Diagnostic) {
        if !self.is_marked(problem.span) {
            self.certain(problem);
        }
    }

    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|problem| problem.span);
        self.kept
    }

    fn line(&self, span: Span) -> usize {
        let at = (span.start as usize).min(self.source.len());
        self.lines.partition_point(|&start| start <= at)
    }
}
