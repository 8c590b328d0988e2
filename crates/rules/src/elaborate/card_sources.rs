//! Finds where the cards of a selection come from, as far as it matters where they lie.

use super::Elaborator;
use super::value::Val;
use crate::program::*;
use std::collections::HashMap;

/// A source of the cards of a selection, as far as it matters where they lie.
#[derive(Clone, Copy)]
pub(super) enum CardSource {
    /// All zones of a family, such as the hands of all players.
    Family,
    /// Cards of a deck, wherever they lie.
    Deck(Option<DeckId>),
    Var(VarId),
    Bound,
    /// A filter: properties of the cards decide which of them belong to the selection.
    Filter,
}

impl<'a> Elaborator<'a> {
    /// Whether any source of a selection passes a test. Follows local variables to the values that they were given.
    pub(super) fn any_source(&self, cards: &Val, test: &mut dyn FnMut(CardSource) -> bool) -> bool {
        SourceVisitor { code: &self.program.code, set_at: &self.set_at, visited: Vec::new(), test }
            .cards(&cards.clone().into_cards())
    }
}

/// Visits the sources of a selection until one passes the test.
struct SourceVisitor<'t> {
    code: &'t [Op],
    set_at: &'t HashMap<VarId, Vec<usize>>,
    visited: Vec<VarId>,
    test: &'t mut dyn FnMut(CardSource) -> bool,
}

impl SourceVisitor<'_> {
    fn cards(&mut self, cards: &Selection) -> bool {
        match cards {
            Selection::Zone(_) => false,
            Selection::Family(_) => (self.test)(CardSource::Family),
            Selection::Deck(deck) => (self.test)(CardSource::Deck(Some(*deck))),
            Selection::Picked(var) => (self.test)(CardSource::Var(*var)),
            Selection::Bound(_) => (self.test)(CardSource::Bound),
            Selection::One(card) => self.card(card),
            Selection::Where { of, .. } | Selection::SetsOf { of, .. } => {
                (self.test)(CardSource::Filter) || self.cards(of)
            }
            Selection::Ends { of, .. } => self.cards(of),
            Selection::Union(a, b) => self.cards(a) || self.cards(b),
            Selection::Minus(a, _) => (self.test)(CardSource::Filter) || self.cards(a),
        }
    }

    fn card(&mut self, card: &Num) -> bool {
        match card {
            Num::CardLiteral(..) => (self.test)(CardSource::Deck(None)),
            Num::End { of, .. } => self.cards(of),
            Num::Best { of, .. } => (self.test)(CardSource::Filter) || self.cards(of),
            Num::If(_, a, b) => self.card(a) || self.card(b),
            Num::At(var, _) => (self.test)(CardSource::Var(*var)),
            Num::Var(var) => (self.test)(CardSource::Var(*var)) || self.set_to(*var),
            Num::Bound(_) => (self.test)(CardSource::Bound),
            _ => false,
        }
    }

    /// Visits the values that the code so far gives to a variable.
    fn set_to(&mut self, var: VarId) -> bool {
        if self.visited.contains(&var) {
            return false;
        }
        self.visited.push(var);
        let (code, set_at) = (self.code, self.set_at);
        set_at.get(&var).into_iter().flatten().any(|at| match &code[*at] {
            Op::Set(_, card) => self.card(card),
            Op::RandomCard { among, .. } => self.cards(among),
            _ => false,
        })
    }
}
