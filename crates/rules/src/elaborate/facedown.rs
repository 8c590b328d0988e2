//! Which zones may hold cards that lie face down. Looked for before anything else, because it decides who
//! may know what lies there, also on the lines above the one that turns a card.

use crate::ast::{AskClauseKind, DeclKind, Expr, ExprKind, File, Stmt, StmtKind, Then};
use std::collections::HashSet;

pub(super) fn collect(file: &File, zones: &mut HashSet<String>) {
    block(&file.play, zones);
    for decl in &file.decls {
        if let DeclKind::Rule { body, .. } | DeclKind::When { body, .. } = &decl.kind {
            block(body, zones);
        }
    }
}

fn block(body: &[Stmt], zones: &mut HashSet<String>) {
    for stmt in body {
        statement(&stmt.kind, zones);
    }
}

fn statement(stmt: &StmtKind, zones: &mut HashSet<String>) {
    match stmt {
        StmtKind::Move { to, face_down: true, .. } | StmtKind::Draw { to, face_down: true, .. } => named(to, zones),
        StmtKind::Turn { what, down: true } => named(what, zones),
        StmtKind::If { arms, otherwise } => {
            for (_, body) in arms {
                block(body, zones);
            }
            block(otherwise.as_deref().unwrap_or_default(), zones);
        }
        StmtKind::Repeat { body, .. } | StmtKind::For { body, .. } | StmtKind::Circle { body, .. } | StmtKind::Together { body, .. } => {
            block(body, zones);
        }
        StmtKind::Ask(ask) => {
            for alternative in &ask.alternatives {
                block(&alternative.body, zones);
            }
            for clause in &ask.clauses {
                if let AskClauseKind::Within { then: Then::Block(body), .. } | AskClauseKind::Absent { then: Then::Block(body), .. } = &clause.kind {
                    block(body, zones);
                }
            }
        }
        _ => {}
    }
}

/// Every name a selection speaks of; those that are no zones do no harm.
fn named(e: &Expr, zones: &mut HashSet<String>) {
    match &e.kind {
        ExprKind::Name(n) => {
            zones.insert(n.clone());
        }
        ExprKind::Index { name, .. } => {
            zones.insert(name.text.clone());
        }
        ExprKind::Where { base, .. }
        | ExprKind::EndCard { base, .. }
        | ExprKind::EndCards { base, .. }
        | ExprKind::BestCard { base, .. }
        | ExprKind::SetsOf { base, .. }
        | ExprKind::RandomCard(base) => named(base, zones),
        ExprKind::Binary { left, right, .. } => {
            named(left, zones);
            named(right, zones);
        }
        _ => {}
    }
}
