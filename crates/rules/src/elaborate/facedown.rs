//! Which zones may hold cards that lie face down. Looked for before anything else, because it decides who
//! may know what lies there, also on the lines above the one that turns a card.

use crate::ast::{AskClauseKind, DeclKind, Expr, ExprKind, File, Stmt, StmtKind, Then};
use std::collections::HashSet;

pub(super) fn collect(file: &File, zones: &mut HashSet<String>) {
    let mut named = HashSet::new();
    block(&file.play, &mut named);
    let mut declared = HashSet::new();
    for decl in &file.decls {
        match &decl.kind {
            DeclKind::Rule { body, .. } | DeclKind::When { body, .. } => block(body, &mut named),
            DeclKind::Zones(lines) => declared.extend(lines.iter().map(|z| z.name.text.clone())),
            _ => {}
        }
    }
    // A card turned under another name (a parameter, a define, a chosen card) may lie anywhere.
    if named.is_subset(&declared) {
        *zones = named;
    } else {
        *zones = declared;
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
        StmtKind::Repeat { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Circle { body, .. }
        | StmtKind::Together { body, .. } => {
            block(body, zones);
        }
        StmtKind::Ask(ask) => {
            for alternative in &ask.alternatives {
                block(&alternative.body, zones);
            }
            for clause in &ask.clauses {
                if let AskClauseKind::Within { then: Then::Block(body), .. }
                | AskClauseKind::Absent { then: Then::Block(body), .. } = &clause.kind
                {
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
        // Found some other way: it may lie anywhere.
        _ => {
            zones.insert(String::new());
        }
    }
}
