//! Finds the decks whose cards can ever lie in a zone, by following the moves of the rules.
//!
//! This is public knowledge: the rules are public, and backs tell decks apart. So a client may show which cards a slot takes, and a
//! world must not put an answer card on the pile of prompts.

use baize_rules::program::{Num, Op, PartKind, Program, Selection, VarId, ZoneId};

/// A set of decks for each zone and each variable that holds cards, as bit masks.
#[derive(Clone, Debug)]
pub struct DeckFlow {
    zones: Vec<u64>,
    vars: Vec<u64>,
}

impl DeckFlow {
    pub fn of(program: &Program) -> Self {
        let mut flow = Self { zones: vec![0; program.zones.len()], vars: vec![0; program.vars.len()] };
        for (zone, decl) in program.zones.iter().enumerate() {
            if let Some(deck) = decl.starts_with {
                flow.zones[zone] |= bit(deck);
            }
        }
        // Sets only grow, so the loop ends after at most (zones + vars) * decks rounds; in practice after three.
        while flow.pass(program) {}
        flow
    }

    /// Returns the decks whose cards may lie in a zone, as bits.
    pub fn decks(&self, zone: ZoneId) -> u64 {
        self.zones.get(usize::from(zone)).copied().unwrap_or(0)
    }

    fn pass(&mut self, program: &Program) -> bool {
        let before = (self.zones.clone(), self.vars.clone());
        for op in &program.code {
            match op {
                Op::Move { what, to, .. } => self.enter(to.zone, self.cards(what)),
                Op::Draw { from, to, .. } => self.enter(to.zone, self.decks(from.zone)),
                Op::Deal { from, to, .. } => self.enter(*to, self.decks(from.zone)),
                Op::Gather { deck, to } => self.enter(to.zone, bit(*deck)),
                Op::Mix { from, to } => from.iter().for_each(|zone| self.enter(*to, self.decks(*zone))),
                Op::RandomCard { to, among } => self.hold(*to, self.cards(among)),
                Op::Set(place, value) => self.hold(place.var, self.card(value)),
                Op::RevealValue { to_var, value, .. } => self.hold(*to_var, self.card(value)),
                Op::Ask(ask) => {
                    let parts = program.asks[usize::from(*ask)].alternatives.iter().flat_map(|a| &a.parts);
                    for part in parts {
                        self.hold(part.var, self.part(&part.kind));
                    }
                }
                _ => {}
            }
        }
        before != (self.zones.clone(), self.vars.clone())
    }

    fn part(&self, kind: &PartKind) -> u64 {
        match kind {
            PartKind::Card(from)
            | PartKind::Cards { from, .. }
            | PartKind::Alike { from, .. }
            | PartKind::Run { from, .. } => self.cards(from),
            PartKind::Unseen(zone) => self.decks(zone.zone),
            _ => 0,
        }
    }

    /// Returns the decks of a selection. It over-approximates: a card in a bound variable may be of any deck.
    fn cards(&self, cards: &Selection) -> u64 {
        match cards {
            Selection::Zone(zone) => self.decks(zone.zone),
            Selection::Family(zone) => self.decks(*zone),
            Selection::Deck(deck) => bit(*deck),
            Selection::Picked(var) => self.var(*var),
            Selection::Bound(_) => u64::MAX,
            Selection::One(card) => self.card(card),
            Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => self.cards(of),
            Selection::Union(a, b) => self.cards(a) | self.cards(b),
            Selection::Minus(a, _) => self.cards(a),
        }
    }

    fn card(&self, num: &Num) -> u64 {
        match num {
            Num::Var(var) | Num::At(var, _) => self.var(*var),
            Num::Bound(_) => u64::MAX,
            Num::End { of, .. } | Num::Best { of, .. } => self.cards(of),
            Num::CardLiteral(deck, _) => bit(*deck),
            Num::If(_, a, b) => self.card(a) | self.card(b),
            _ => 0,
        }
    }

    fn var(&self, var: VarId) -> u64 {
        self.vars.get(var as usize).copied().unwrap_or(0)
    }

    fn enter(&mut self, zone: ZoneId, decks: u64) {
        if let Some(set) = self.zones.get_mut(usize::from(zone)) {
            *set |= decks;
        }
    }

    fn hold(&mut self, var: VarId, decks: u64) {
        if let Some(set) = self.vars.get_mut(var as usize) {
            *set |= decks;
        }
    }
}

/// Decks from the 64th on share the last bit, which only widens the result.
fn bit(deck: u16) -> u64 {
    1 << deck.min(63)
}
