//! Finds the zones in which cards may lie face down. This runs before anything else, because a statement that turns a
//! card also matters to who may know the cards on the lines above it.

use crate::ast::{AskClause, AskClauseKind, ClauseAction, DeclKind, Expr, ExprKind, File, Stmt, StmtKind};
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
    // A mixed pile stays as it lies.
    let mut mixes = Vec::new();
    each_mix(&file.play, &mut mixes);
    for decl in &file.decls {
        if let DeclKind::Rule { body, .. } | DeclKind::When { body, .. } = &decl.kind {
            each_mix(body, &mut mixes);
        }
    }
    loop {
        let before = zones.len();
        for (from, to) in &mixes {
            if from.iter().any(|zone| zones.contains(*zone)) {
                zones.insert((*to).to_string());
            }
        }
        if zones.len() == before {
            return;
        }
    }
}

/// Every `mix` in these steps: from where, and into what.
fn each_mix<'a>(body: &'a [Stmt], mixes: &mut Vec<(Vec<&'a str>, &'a str)>) {
    for stmt in body {
        if let StmtKind::Mix { from, to } = &stmt.kind {
            mixes.push((from.iter().map(|name| name.text.as_str()).collect(), &to.text));
        }
        each_block(&stmt.kind, &mut |body| each_mix(body, mixes));
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
        _ => each_block(stmt, &mut |body| block(body, zones)),
    }
}

/// Visits the blocks directly below a statement.
pub(super) fn each_block<'a>(stmt: &'a StmtKind, look: &mut dyn FnMut(&'a [Stmt])) {
    let closing: &[AskClause] = match stmt {
        StmtKind::If { arms, otherwise } => {
            arms.iter().for_each(|(_, body)| look(body));
            look(otherwise.as_deref().unwrap_or_default());
            &[]
        }
        StmtKind::Repeat { body, .. } | StmtKind::For { body, .. } | StmtKind::Circle { body, .. } => {
            look(body);
            &[]
        }
        StmtKind::Together { body, clauses, .. } => {
            look(body);
            clauses
        }
        StmtKind::Ask(ask) => {
            ask.alternatives.iter().for_each(|alternative| look(&alternative.body));
            &ask.clauses
        }
        _ => &[],
    };
    for clause in closing {
        if let AskClauseKind::Within { then: ClauseAction::Block(body), .. }
        | AskClauseKind::Absent { then: ClauseAction::Block(body), .. } = &clause.kind
        {
            look(body);
        }
    }
}

/// Collects every name in a selection; names that are no zones do no harm.
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
