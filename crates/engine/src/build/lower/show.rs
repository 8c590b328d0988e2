//! Lowers the `show` block and the clauses that say who sees what; options are folded in.

use super::{Lower, SeatSource};
use crate::cardset::CardSet;
use crate::instance::expr::Expr;
use crate::instance::{Shown, ShownBadge, ShownHighlight, ShownSeat, ShownStatus, ShownTo};
use baize_rules::program::{Num, VarKind, VisibilityClause};

impl<S: CardSet> Lower<'_, S> {
    pub fn shown(&mut self) -> Shown<S> {
        let program = self.program;
        let show = &program.show;
        self.me = SeatSource::Given;
        self.clear_scope();
        let badges = show.badges.iter().map(|badge| {
            self.binding(badge.seat, |lower, _| ShownBadge {
                kind: badge.kind.clone(),
                label: badge.label.as_ref().map(|t| lower.script(t)),
                value: badge.value.as_ref().map(|t| lower.script(t)),
                when: lower.optional(&badge.when),
            })
        });
        let badges = badges.collect();
        let seats = show.seats.iter().map(|seat| {
            self.binding(seat.seat, |lower, _| ShownSeat {
                status: seat.status.clone(),
                label: seat.label.as_ref().map(|t| lower.script(t)),
                when: lower.num(&seat.when),
            })
        });
        let seats = seats.collect();
        let highlights =
            show.highlights.iter().map(|h| ShownHighlight { cards: self.set(&h.cards), when: self.optional(&h.when) });
        let highlights = highlights.collect();
        // Counters are the first status lines and always there, so that their positions in a view never change.
        let mut status: Vec<ShownStatus<S>> = Vec::new();
        for counter in &show.counters {
            status.push(ShownStatus { text: self.script(&counter.text), when: None });
        }
        for line in &show.status {
            status.push(ShownStatus { text: self.script(&line.text), when: self.optional(&line.when) });
        }
        let hint = show.hint.as_ref().map(|(seat, worth)| self.binding(*seat, |lower, _| lower.num(worth)));
        let mut turned = Vec::new();
        for zone in &program.zones {
            self.clear_scope();
            turned.push(zone.turned.as_ref().map(|(bounds, cond)| {
                for bound in bounds {
                    self.bind(*bound);
                }
                self.num(cond)
            }));
        }
        self.clear_scope();
        Shown {
            badges,
            seats,
            highlights,
            status,
            hint,
            turned,
            sees: program.zones.iter().map(|zone| self.sees(&zone.sees)).collect(),
            dice: program
                .vars
                .iter()
                .map(|var| match &var.kind {
                    VarKind::Dice { sees, .. } => self.sees(sees),
                    _ => Vec::new(),
                })
                .collect(),
        }
    }

    pub fn optional(&mut self, cond: &Option<Num>) -> Option<Expr<S>> {
        cond.as_ref().map(|c| self.num(c))
    }

    fn sees(&self, clauses: &[VisibilityClause]) -> Vec<ShownTo> {
        let shown = |clause: &VisibilityClause| {
            let state = clause.state();
            if let (None, Some(option)) = (state, &clause.when)
                && self.known.value(option) == 0
            {
                return None;
            }
            let (when, when_owners) = state.unzip();
            let when_owners = when_owners == Some(true);
            Some(ShownTo { who: clause.who.clone(), what: clause.what, when, when_owners })
        };
        clauses.iter().filter_map(shown).collect()
    }
}
