//! Finds the zones in which cards may lie face down. This runs before anything else, because a statement that turns a
//! card also matters to who may know the cards on the lines above it.

use super::changes::{RuleBodies, Transfer, collect_transfers};
use crate::ast::{AskClause, AskClauseKind, ClauseAction, DeclKind, Expr, ExprKind, File, PartKind, Stmt, StmtKind};
use crate::span::Span;
use std::collections::{HashMap, HashSet};

/// Why cards of a zone may lie face down.
#[derive(Clone)]
pub(super) struct FaceDownCause {
    /// The step that lays or turns them.
    pub span: Span,
    /// The name of a card that the step turns, if it names no zone.
    pub name: Option<String>,
}

pub(super) fn find_face_down(file: &File, rules: &RuleBodies) -> HashMap<String, FaceDownCause> {
    let mut bodies: Vec<&[Stmt]> = vec![&file.play];
    let mut declared: Vec<&str> = Vec::new();
    let mut collector = Collector::default();
    for decl in &file.decls {
        match &decl.kind {
            DeclKind::Rule { body, params, .. } => {
                bodies.push(body);
                // A caller may pass any card to a rule.
                collector.picked.extend(params.iter().map(|param| (param.text.as_str(), None)));
            }
            DeclKind::When { body, .. } => bodies.push(body),
            DeclKind::Zones(lines) => declared.extend(lines.iter().map(|zone| zone.name.text.as_str())),
            _ => {}
        }
    }
    let mut moves = Vec::new();
    for body in bodies {
        collector.block(body);
        collect_transfers(body, rules, &mut moves);
    }
    let mut zones: HashMap<String, FaceDownCause> = HashMap::new();
    for (names, span) in &collector.turned {
        for name in names {
            if declared.contains(&name.as_str()) {
                zones.entry(name.clone()).or_insert(FaceDownCause { span: *span, name: None });
                continue;
            }
            let cause = FaceDownCause { span: *span, name: Some(name.clone()).filter(|name| !name.is_empty()) };
            for zone in places_of(name, &collector.picked, &moves, &declared) {
                zones.entry(zone).or_insert(cause.clone());
            }
        }
    }
    // `mix` turns no cards, so cards that lie face down in a source lie face down in the target.
    loop {
        let before = zones.len();
        for (from, to) in &collector.mixes {
            if let Some(cause) = from.iter().find_map(|zone| zones.get(*zone)).cloned() {
                zones.entry((*to).to_string()).or_insert(cause);
            }
        }
        if zones.len() == before {
            return zones;
        }
    }
}

/// Returns the zones in which a card may lie that a step turns under this name. A parameter or a define may stand for any
/// card. A picked card lies in the zone from which it was picked, or in a zone to which the rules move cards from there.
fn places_of(
    name: &str,
    picked: &HashMap<&str, Option<HashSet<String>>>,
    moves: &[Transfer],
    declared: &[&str],
) -> Vec<String> {
    let anywhere = || declared.iter().map(|zone| zone.to_string()).collect();
    let is_zone = |zone: &String| declared.contains(&zone.as_str());
    let Some(Some(from)) = picked.get(name) else { return anywhere() };
    if !from.iter().all(is_zone) {
        return anywhere();
    }
    let mut places: Vec<String> = from.iter().cloned().collect();
    loop {
        let before = places.len();
        for Transfer { from, to } in moves {
            let reached =
                from.as_ref().is_none_or(|from| from.iter().any(|zone| places.contains(zone) || !is_zone(zone)));
            if !reached {
                continue;
            }
            if !is_zone(to) {
                return anywhere();
            }
            if !places.contains(to) {
                places.push(to.clone());
            }
        }
        if places.len() == before {
            places.sort();
            return places;
        }
    }
}

#[derive(Default)]
struct Collector<'a> {
    /// For each step that lays or turns cards face down: the names in it, with an empty name for a card that the step finds
    /// in another way.
    turned: Vec<(HashSet<String>, Span)>,
    /// For each name of a picked card: the zones from which it is picked; `None` if the file does not say, or uses the name
    /// for something else.
    picked: HashMap<&'a str, Option<HashSet<String>>>,
    /// The source zones and the target of every `mix`.
    mixes: Vec<(Vec<&'a str>, &'a str)>,
}

impl<'a> Collector<'a> {
    fn block(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            let turned = match &stmt.kind {
                StmtKind::Move { to, face_down: true, .. } | StmtKind::Draw { to, face_down: true, .. } => Some(to),
                StmtKind::Turn { what, down: true } => Some(what),
                _ => None,
            };
            if let Some(turned) = turned {
                let mut names = HashSet::new();
                collect_names(turned, &mut names);
                self.turned.push((names, stmt.span));
            }
            match &stmt.kind {
                StmtKind::Mix { from, to } => {
                    self.mixes.push((from.iter().map(|name| name.text.as_str()).collect(), &to.text));
                }
                StmtKind::Assign { target, .. } => {
                    if let ExprKind::Name(name) = &target.kind {
                        self.picked.insert(name, None);
                    }
                }
                StmtKind::Ask(ask) => {
                    for part in ask.alternatives.iter().flat_map(|alternative| &alternative.parts) {
                        self.part(&part.var.text, &part.kind);
                    }
                }
                _ => {}
            }
            visit_blocks(&stmt.kind, &mut |body| self.block(body));
        }
    }

    fn part(&mut self, name: &'a str, kind: &PartKind) {
        let from = match kind {
            PartKind::Card(from) | PartKind::Unseen(from) => {
                let mut names = HashSet::new();
                collect_names(from, &mut names);
                Some(names)
            }
            _ => None,
        };
        let both = match (self.picked.remove(name), from) {
            (None, from) => from,
            (Some(Some(mut before)), Some(from)) => {
                before.extend(from);
                Some(before)
            }
            (Some(_), _) => None,
        };
        self.picked.insert(name, both);
    }
}

/// Visits the blocks directly below a statement.
pub(super) fn visit_blocks<'a>(stmt: &'a StmtKind, look: &mut dyn FnMut(&'a [Stmt])) {
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
fn collect_names(e: &Expr, zones: &mut HashSet<String>) {
    match &e.kind {
        ExprKind::Name(n) => {
            zones.insert(n.clone());
        }
        ExprKind::Index { name, .. } => {
            zones.insert(name.text.clone());
        }
        ExprKind::Where { base, .. }
        | ExprKind::EndCard { base, .. }
        | ExprKind::NthCard { base, .. }
        | ExprKind::EndCards { base, .. }
        | ExprKind::BestCard { base, .. }
        | ExprKind::SetsOf { base, .. }
        | ExprKind::RandomCard(base) => collect_names(base, zones),
        ExprKind::Binary { left, right, .. } => {
            collect_names(left, zones);
            collect_names(right, zones);
        }
        // The step finds the card in another way, so the card may lie anywhere.
        _ => {
            zones.insert(String::new());
        }
    }
}
