//! The alternatives of an `ask`: what a player may choose, and under which conditions.

use super::Elaborator;
use super::apart::{ApartFact, apart_if, facts_renamed, rename_all};
use super::label::Label;
use super::part::BodyVar;
use super::value::{Ty, Val};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::switch;

impl<'a> Elaborator<'a> {
    pub(super) fn alternative(
        &mut self,
        alt: &'a ast::Alternative,
        sealed: bool,
        chooser: &Num,
    ) -> (Alternative, Vec<BodyVar<'a>>, Vec<ApartFact>) {
        self.scopes.open_scope();
        let before = self.apart.clone();
        let when = alt.when.as_ref().map(|e| self.chooser_condition(e, "When this is possible"));
        let label = alt.label.as_ref().map(|t| self.chooser_text(t, "The label"));
        // The parts matter only if the alternative is possible, and each part only if those before it have candidates.
        let mut facts = when.as_ref().map(|when| apart_if(when, true)).unwrap_or_default();
        self.add_facts(&facts);
        let mut parts: Vec<Part> = Vec::new();
        let mut vars = Vec::new();
        for p in &alt.parts {
            match self.part(p, sealed, chooser) {
                Some((mut part, body)) => {
                    self.exclude_earlier_cards(&parts, &mut part, p);
                    let learnt = part_facts(&part);
                    self.add_facts(&learnt);
                    facts.extend(learnt);
                    parts.push(part);
                    vars.push(body);
                }
                // The part is reported already; a use of its name is no second mistake.
                None => {
                    self.bind(&p.var, Val::broken());
                    vars.push(BodyVar { name: &p.var, val: Val::broken(), common: None });
                }
            }
        }
        let musts = alt
            .musts
            .iter()
            .map(|m| {
                let possible = self.possible.clone();
                let must = Must {
                    cond: self.chooser_condition(&m.cond, "This rule"),
                    if_able: m.if_able,
                    when: m.when.as_ref().map(|e| self.chooser_condition(e, "When this rule applies")),
                    reason: self.chooser_text(&m.reason, "The reason"),
                };
                // A `must … if able` can't make the alternative impossible.
                if m.if_able {
                    self.possible = possible;
                }
                must
            })
            .collect();
        self.scopes.close_scope();
        self.apart = before;
        for part in &parts {
            facts = rename_all(&facts, &Num::Bound(part.bound), &Num::Var(part.var));
        }
        facts.retain(|(a, b)| !matches!(a, Num::Bound(_)) && !matches!(b, Num::Bound(_)));
        let compiled =
            Alternative { name: alt.name.text.clone(), label, parts, when, if_none: alt.if_none, musts, body: 0 };
        (compiled, vars, facts)
    }

    fn chooser_condition(&mut self, e: &ast::Expr, what: &str) -> Num {
        let val = self.expr_expecting(e, &Ty::YesNo);
        self.need_type(&val, &Ty::YesNo, e.span);
        self.need_chooser(&val, e.span, what);
        self.narrow_possible(&val.label);
        val.into_num()
    }

    /// Records that a value with this label decides whether the current alternative is possible.
    pub(super) fn narrow_possible(&mut self, label: &Label) {
        self.possible = std::mem::take(&mut self.possible).join(label);
    }

    pub(super) fn chooser_number(&mut self, e: &ast::Expr) -> Num {
        let val = self.expr_expecting(e, &Ty::Num);
        self.need_type(&val, &Ty::Num, e.span);
        self.need_chooser(&val, e.span, "What can be chosen");
        self.narrow_possible(&val.label);
        val.into_num()
    }

    fn chooser_text(&mut self, t: &ast::Text, what: &str) -> Text {
        let (text, label) = self.text(t);
        self.need_chooser(&Val { ty: Ty::Text, label, ..Val::broken() }, t.span, what);
        text
    }

    pub(super) fn chooser_cards(&mut self, e: &ast::Expr) -> Val {
        let cards = self.selection(e);
        self.need_chooser(&cards, e.span, "What can be chosen");
        self.narrow_possible(&cards.count);
        // A player points at a card in its zone. Everybody knows the cards of a deck, but not where they lie.
        let anywhere = cards.zones.is_empty() || names_cards(&cards.clone().into_cards());
        if !cards.is_broken() && anywhere && !switch::is_off() {
            self.report(
                Diagnostic::error("part/anywhere", e.span, "Cards are picked where they lie")
                    .label("these may lie anywhere")
                    .hint("Name the zone they are picked from, as in `card c from hand[p]`."),
            );
        }
        cards
    }

    /// Reports a decision in which a `must` without `if able` may leave a player without a legal answer.
    pub(super) fn check_never_stuck(&mut self, ask: &'a ast::Ask) {
        let free = |a: &ast::Alternative| {
            a.when.is_none()
                && a.musts.iter().all(|m| m.if_able)
                && !a.if_none
                && a.parts.iter().all(|p| p.filter.is_none())
        };
        if ask.alternatives.iter().any(|a| free(a) || a.if_none) {
            return;
        }
        let hard = ask.alternatives.iter().flat_map(|a| &a.musts).find(|m| !m.if_able);
        if let Some(m) = hard {
            self.report(
                Diagnostic::error("ask/stuck", m.span, "A player could be stuck here")
                    .label("this may leave nothing to choose")
                    .hint("Write `must … if able` if the rule is to be dropped when nothing meets it. If it never is, or if there is always something else to do, keep it and add a way out below the others, `pass if none`: it is offered only to a player who has no other move, so where that never happens nobody ever sees it."),
            );
        }
    }
}

/// Returns the facts about the candidates of a part: from its `where`, and from that of the players it picks from.
fn part_facts(part: &Part) -> Vec<ApartFact> {
    let candidate = Num::Bound(part.bound);
    let mut facts = part.filter.as_ref().map(|filter| apart_if(filter, true)).unwrap_or_default();
    if let PartKind::Player(Seats { bound, cond: Some(cond) }) = &part.kind {
        facts.extend(facts_renamed(&apart_if(cond, true), &Num::Bound(*bound), &candidate));
    }
    facts
}

/// Whether a selection names cards regardless of where they lie.
fn names_cards(cards: &Selection) -> bool {
    match cards {
        Selection::Deck(_) => true,
        Selection::Zone(_) | Selection::Family(_) | Selection::Picked(_) | Selection::Bound(_) => false,
        Selection::One(card) => match &**card {
            Num::CardLiteral(..) => true,
            Num::End { of, .. } | Num::Best { of, .. } => names_cards(of),
            Num::If(_, a, b) => [a, b].into_iter().any(|card| names_cards(&Selection::One(card.clone()))),
            _ => false,
        },
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => names_cards(of),
        Selection::Union(a, b) => names_cards(a) || names_cards(b),
        Selection::Minus(a, _) => names_cards(a),
    }
}
