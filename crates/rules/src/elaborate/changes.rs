//! Which names a part of the file gives values to. Looked for before the steps are written out, because it decides what
//! still holds on the lines above.

use crate::ast::{AskClauseKind, BinaryOp, DeclKind, Expr, ExprKind, File, Stmt, StmtKind, Then};
use std::collections::{HashMap, HashSet};

/// The steps of each rule by its name.
pub(super) type RuleBodies<'a> = HashMap<&'a str, &'a [Stmt]>;

/// State that `when …` may set while a question is open, by name.
///
/// Not among them is what only passes on from the player who leaves: in `when p leaves`, `judge := …` below
/// `if p is judge`. Nobody asks that player any more.
pub(super) fn unsteady(file: &File, rules: &RuleBodies) -> HashSet<String> {
    let mut names = HashSet::new();
    for decl in &file.decls {
        if let DeclKind::When { seat, event, body } = &decl.kind {
            let leaver = (event.text == "leaves").then_some(seat.text.as_str());
            Walk { rules, leaver, visited: HashSet::new(), passed_on: Vec::new(), names: &mut names }.block(body);
        }
    }
    names
}

/// All names to which these steps give a value.
pub(super) fn assigned_names(body: &[Stmt], rules: &RuleBodies, names: &mut HashSet<String>) {
    Walk { rules, leaver: None, visited: HashSet::new(), passed_on: Vec::new(), names }.block(body);
}

struct Walk<'a, 'n> {
    rules: &'a RuleBodies<'a>,
    leaver: Option<&'a str>,
    /// Rules that were looked at, with what was passed on there.
    visited: HashSet<(&'a str, Vec<String>)>,
    /// State of which the player who leaves is the holder here.
    passed_on: Vec<String>,
    names: &'n mut HashSet<String>,
}

impl<'a> Walk<'a, '_> {
    fn block(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            self.statement(&stmt.kind);
        }
    }

    fn statement(&mut self, stmt: &'a StmtKind) {
        match stmt {
            StmtKind::Assign { target, .. } => {
                let (ExprKind::Name(name) | ExprKind::Index { name: crate::span::Name { text: name, .. }, .. }) =
                    &target.kind
                else {
                    return;
                };
                if !self.passed_on.contains(name) {
                    self.names.insert(name.clone());
                }
            }
            StmtKind::If { arms, otherwise } => {
                for (cond, body) in arms {
                    let before = self.passed_on.len();
                    self.holder(cond);
                    self.block(body);
                    self.passed_on.truncate(before);
                }
                self.block(otherwise.as_deref().unwrap_or_default());
            }
            StmtKind::Repeat { body, .. } | StmtKind::For { body, .. } | StmtKind::Circle { body, .. } => {
                self.block(body)
            }
            StmtKind::Together { body, clauses, .. } => {
                self.block(body);
                self.clauses(clauses.iter().map(|clause| &clause.kind));
            }
            StmtKind::Ask(ask) => {
                for alternative in &ask.alternatives {
                    self.block(&alternative.body);
                }
                self.clauses(ask.clauses.iter().map(|clause| &clause.kind));
            }
            StmtKind::Do { name, .. } => {
                let rules = self.rules;
                if let Some((name, body)) = rules.get_key_value(name.text.as_str())
                    && self.visited.insert((name, self.passed_on.clone()))
                {
                    // The same name means something else in a rule.
                    let leaver = self.leaver.take();
                    self.block(body);
                    self.leaver = leaver;
                }
            }
            _ => {}
        }
    }

    fn clauses(&mut self, clauses: impl Iterator<Item = &'a AskClauseKind>) {
        for clause in clauses {
            if let AskClauseKind::Within { then: Then::Block(body), .. }
            | AskClauseKind::Absent { then: Then::Block(body), .. } = clause
            {
                self.block(body);
            }
        }
    }

    /// `p is judge`, where `p` leaves.
    fn holder(&mut self, cond: &Expr) {
        let ExprKind::Binary { op: BinaryOp::Is, left, right } = &cond.kind else { return };
        let (ExprKind::Name(a), ExprKind::Name(b)) = (&left.kind, &right.kind) else { return };
        match self.leaver {
            Some(leaver) if a == leaver => self.passed_on.push(b.clone()),
            Some(leaver) if b == leaver => self.passed_on.push(a.clone()),
            _ => {}
        }
    }
}
