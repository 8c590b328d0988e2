//! Finds the names to which parts of a file give values. This runs before the statements are elaborated, because an
//! assignment in a loop or in `when …` also matters to the lines above it.

use crate::ast::{AskClauseKind, BinaryOp, ClauseAction, DeclKind, Expr, ExprKind, File, Stmt, StmtKind};
use crate::span::Name;
use crate::switch;
use std::collections::{HashMap, HashSet};

/// The statements of each rule, by its name.
pub(super) type RuleBodies<'a> = HashMap<&'a str, &'a [Stmt]>;

/// What `when …` may change while a question is open.
#[derive(Default)]
pub(super) struct Changes {
    /// State that `when …` may set.
    pub unsteady: HashSet<String>,
    /// State that `when … leaves` changes only if it names the player who leaves: `judge := …` below `if p is judge`. The game
    /// no longer asks that player, but with `gone default` the body of an answer still runs for a player who has left.
    pub passed_on: HashSet<String>,
    /// Moves of cards that `when …` may make.
    pub transfers: Vec<Transfer>,
}

/// A move of cards as the source writes it.
pub(super) struct Transfer {
    /// Names of the zones from which the cards come; `None` if they may come from anywhere.
    pub from: Option<HashSet<String>>,
    /// Name of the zone to which they go; empty if the source does not name a zone, for example if it uses a define.
    pub to: String,
}

pub(super) fn changes_while_waiting(file: &File, rules: &RuleBodies) -> Changes {
    let mut changes = Changes::default();
    for decl in &file.decls {
        let DeclKind::When { seat, event, body } = &decl.kind else { continue };
        let mut all = HashSet::new();
        assigned_names(body, rules, &mut all);
        // If the name of the leaving player may come to mean another player, nothing follows from it.
        let renamed = all.contains(&seat.text) && !switch::is_off();
        let rebound = rebinds(body, &seat.text) && !switch::is_off();
        let leaver = (event.text == "leaves" && !renamed && !rebound).then_some(seat.text.as_str());
        let names = &mut changes.unsteady;
        AssignmentVisitor { rules, leaver, visited: HashSet::new(), passed_on: Vec::new(), names }.block(body);
        changes.passed_on.extend(all);
        collect_transfers(body, rules, &mut changes.transfers);
    }
    let unsteady = &changes.unsteady;
    changes.passed_on.retain(|name| !unsteady.contains(name));
    changes
}

/// Collects the names to which these statements give values.
pub(super) fn assigned_names(body: &[Stmt], rules: &RuleBodies, names: &mut HashSet<String>) {
    AssignmentVisitor { rules, leaver: None, visited: HashSet::new(), passed_on: Vec::new(), names }.block(body);
}

/// Collects the moves of cards that these statements and the rules that they use may make.
pub(super) fn collect_transfers<'a>(body: &'a [Stmt], rules: &RuleBodies<'a>, found: &mut Vec<Transfer>) {
    let mut visited = HashSet::new();
    let mut open = vec![body];
    let one = |name: &Name| Some(HashSet::from([name.text.clone()]));
    while let Some(body) = open.pop() {
        for stmt in body {
            let transfer = match &stmt.kind {
                StmtKind::Move { what, to, .. } => Some((source_names(what), zone_name(to))),
                StmtKind::Draw { from, to, .. } => Some((source_names(from), zone_name(to))),
                StmtKind::Gather { to, .. } => Some((None, zone_name(to))),
                StmtKind::Deal { from, to, .. } => Some((source_names(from), Some(&to.text))),
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
                found.push(Transfer { from, to: to.cloned().unwrap_or_default() });
            }
            open.extend(blocks_below(&stmt.kind));
        }
    }
}

/// Returns the names from which a selection takes cards; `None` if it finds the cards in some other way.
fn source_names(cards: &Expr) -> Option<HashSet<String>> {
    match &cards.kind {
        ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. } => {
            Some(HashSet::from([name.clone()]))
        }
        ExprKind::Where { base, .. }
        | ExprKind::EndCard { base, .. }
        | ExprKind::NthCard { base, .. }
        | ExprKind::EndCards { base, .. }
        | ExprKind::BestCard { base, .. }
        | ExprKind::SetsOf { base, .. }
        | ExprKind::RandomCard(base) => source_names(base),
        ExprKind::Binary { left, right, .. } => {
            let mut both = source_names(left)?;
            both.extend(source_names(right)?);
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

/// Whether a loop among these statements uses this name for another player.
fn rebinds(body: &[Stmt], name: &str) -> bool {
    body.iter().any(|stmt| {
        let bound = match &stmt.kind {
            StmtKind::For { var, .. } | StmtKind::Circle { var, .. } | StmtKind::Together { var, .. } => {
                var.text == name
            }
            // `when …` can't contain questions.
            _ => false,
        };
        bound || blocks_below(&stmt.kind).into_iter().any(|body| rebinds(body, name))
    })
}

/// Returns the blocks below a statement.
fn blocks_below(stmt: &StmtKind) -> Vec<&[Stmt]> {
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

struct AssignmentVisitor<'a, 'n> {
    rules: &'a RuleBodies<'a>,
    leaver: Option<&'a str>,
    /// Rules that were visited, each with `passed_on` as it was then.
    visited: HashSet<(&'a str, Vec<String>)>,
    /// State that certainly names the leaving player here.
    passed_on: Vec<String>,
    names: &'n mut HashSet<String>,
}

impl<'a> AssignmentVisitor<'a, '_> {
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
                    self.note_leaver_role(cond);
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
                    // Inside a rule the same name means something else.
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

    /// Records that `judge` names the leaving player, from the condition `p is judge`.
    fn note_leaver_role(&mut self, cond: &Expr) {
        let ExprKind::Binary { op: BinaryOp::Is, left, right } = &cond.kind else { return };
        let (ExprKind::Name(a), ExprKind::Name(b)) = (&left.kind, &right.kind) else { return };
        match self.leaver {
            Some(leaver) if a == leaver => self.passed_on.push(b.clone()),
            Some(leaver) if b == leaver => self.passed_on.push(a.clone()),
            _ => {}
        }
    }
}
