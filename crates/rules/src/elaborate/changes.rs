//! Which names a part of the file gives values to. Looked for before the steps are written out, because it decides what
//! still holds on the lines above.

use crate::ast::{AskClauseKind, BinaryOp, ClauseAction, DeclKind, Expr, ExprKind, File, Stmt, StmtKind};
use crate::span::Name;
use std::collections::{HashMap, HashSet};

/// The steps of each rule by its name.
pub(super) type RuleBodies<'a> = HashMap<&'a str, &'a [Stmt]>;

/// What `when …` may do while a question is open, by names.
#[derive(Default)]
pub(super) struct Changes {
    /// State that it may set.
    pub unsteady: HashSet<String>,
    /// State that it only passes on from the player who leaves: in `when p leaves`, `judge := …` below `if p is judge`.
    /// Nobody asks that player any more; only with `gone default` is an answer carried out for somebody who has left.
    pub passed_on: HashSet<String>,
    /// Where it may bring cards.
    pub transfers: Vec<Transfer>,
}

/// Cards that may go from one of some zones to another.
pub(super) struct Transfer {
    /// The names that say from where. None: they may lie anywhere.
    pub from: Option<HashSet<String>>,
    pub to: String,
}

pub(super) fn while_waiting(file: &File, rules: &RuleBodies) -> Changes {
    let mut changes = Changes::default();
    for decl in &file.decls {
        let DeclKind::When { seat, event, body } = &decl.kind else { continue };
        let mut all = HashSet::new();
        assigned_names(body, rules, &mut all);
        // Where the name of the player who leaves may come to mean another, nothing follows from it.
        let renamed = all.contains(&seat.text);
        let rebound = rebinds(body, &seat.text);
        let leaver = (event.text == "leaves" && !renamed && !rebound).then_some(seat.text.as_str());
        let names = &mut changes.unsteady;
        Walk { rules, leaver, visited: HashSet::new(), passed_on: Vec::new(), names }.block(body);
        changes.passed_on.extend(all);
        transfers(body, rules, &mut changes.transfers);
    }
    let unsteady = &changes.unsteady;
    changes.passed_on.retain(|name| !unsteady.contains(name));
    changes
}

/// All names to which these steps give a value.
pub(super) fn assigned_names(body: &[Stmt], rules: &RuleBodies, names: &mut HashSet<String>) {
    Walk { rules, leaver: None, visited: HashSet::new(), passed_on: Vec::new(), names }.block(body);
}

/// From where to where these steps may bring cards.
pub(super) fn transfers<'a>(body: &'a [Stmt], rules: &RuleBodies<'a>, found: &mut Vec<Transfer>) {
    let mut visited = HashSet::new();
    let mut open = vec![body];
    let one = |name: &Name| Some(HashSet::from([name.text.clone()]));
    while let Some(body) = open.pop() {
        for stmt in body {
            let transfer = match &stmt.kind {
                StmtKind::Move { what, to, .. } => Some((sources(what), zone_name(to))),
                StmtKind::Draw { from, to, .. } => Some((sources(from), zone_name(to))),
                StmtKind::Gather { to, .. } => Some((None, zone_name(to))),
                StmtKind::Deal { from, to, .. } => Some((sources(from), Some(&to.text))),
                StmtKind::Mix { from, to } => {
                    Some((Some(from.iter().map(|name| name.text.clone()).collect()), Some(&to.text)))
                }
                StmtKind::Pass { what, .. } => Some((one(what), Some(&what.text))),
                StmtKind::Do { name, .. } => {
                    if let Some((name, body)) = rules.get_key_value(name.text.as_str())
                        && visited.insert(*name)
                    {
                        open.push(body);
                    }
                    None
                }
                _ => None,
            };
            if let Some((from, to)) = transfer {
                // A target that is no zone by its name is one by a define: none in particular.
                found.push(Transfer { from, to: to.cloned().unwrap_or_default() });
            }
            open.extend(blocks(&stmt.kind));
        }
    }
}

/// The names that a selection takes cards from; none if it finds them some other way.
fn sources(cards: &Expr) -> Option<HashSet<String>> {
    match &cards.kind {
        ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. } => {
            Some(HashSet::from([name.clone()]))
        }
        ExprKind::Where { base, .. }
        | ExprKind::EndCard { base, .. }
        | ExprKind::EndCards { base, .. }
        | ExprKind::BestCard { base, .. }
        | ExprKind::SetsOf { base, .. }
        | ExprKind::RandomCard(base) => sources(base),
        ExprKind::Binary { left, right, .. } => {
            let mut both = sources(left)?;
            both.extend(sources(right)?);
            Some(both)
        }
        _ => None,
    }
}

fn zone_name(to: &Expr) -> Option<&String> {
    match &to.kind {
        ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. } => Some(name),
        _ => None,
    }
}

/// Whether a loop or a question among these steps uses this name for somebody else.
fn rebinds(body: &[Stmt], name: &str) -> bool {
    body.iter().any(|stmt| {
        let bound = match &stmt.kind {
            StmtKind::For { var, .. } | StmtKind::Circle { var, .. } | StmtKind::Together { var, .. } => {
                var.text == name
            }
            // Nobody can be asked in `when …`.
            _ => false,
        };
        bound || blocks(&stmt.kind).into_iter().any(|body| rebinds(body, name))
    })
}

/// The steps that stand below a step.
fn blocks(stmt: &StmtKind) -> Vec<&[Stmt]> {
    fn of<'a>(clauses: impl Iterator<Item = &'a AskClauseKind>) -> Vec<&'a [Stmt]> {
        let blocks = clauses.filter_map(|clause| match clause {
            AskClauseKind::Within { then: ClauseAction::Block(body), .. }
            | AskClauseKind::Absent { then: ClauseAction::Block(body), .. } => Some(&body[..]),
            _ => None,
        });
        blocks.collect()
    }
    match stmt {
        StmtKind::If { arms, otherwise } => {
            arms.iter().map(|(_, body)| &body[..]).chain(otherwise.as_deref()).collect()
        }
        StmtKind::Repeat { body, .. } | StmtKind::For { body, .. } | StmtKind::Circle { body, .. } => vec![body],
        StmtKind::Together { body, clauses, .. } => {
            let mut all = of(clauses.iter().map(|clause| &clause.kind));
            all.push(body);
            all
        }
        StmtKind::Ask(ask) => {
            let mut all = of(ask.clauses.iter().map(|clause| &clause.kind));
            all.extend(ask.alternatives.iter().map(|alternative| &alternative.body[..]));
            all
        }
        _ => Vec::new(),
    }
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
                let (ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. }) = &target.kind
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
            if let AskClauseKind::Within { then: ClauseAction::Block(body), .. }
            | AskClauseKind::Absent { then: ClauseAction::Block(body), .. } = clause
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
