//! Statements that move cards: `move`, `draw`, `deal`, `pass`, `gather`, `mix`.

use super::changes::Transfer;
use super::label::{HiddenReason, Label, StaleCause, Staleness};
use super::value::{Code, Ty, Val};
use super::{Context, Elaborator, Global};
use crate::ast::{self, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;
use std::collections::{HashMap, HashSet};

impl<'a> Elaborator<'a> {
    /// Elaborates a zone to or from which cards go, or that is shuffled.
    pub(super) fn target(&mut self, e: &ast::Expr) -> Option<(ZoneRef, Val)> {
        let val = self.selection(e);
        self.need_public(&Val { ty: Ty::Num, label: val.at.clone(), ..Val::broken() }, e.span, "Which zone this is");
        match val.code.clone() {
            Code::Cards(Selection::Zone(zone)) => {
                if self.context == Context::Together && zone.index.first() != Some(&Num::Me) {
                    self.report_not_own(e.span);
                }
                Some((zone, val))
            }
            Code::Broken => None,
            Code::Cards(Selection::Family(z)) => {
                let name = self.program.zones[z as usize].name.clone();
                self.report(
                    Diagnostic::error("name/which-one", e.span, format!("Which `{name}`?"))
                        .label("there is one for each player or place")
                        .hint(format!("Write `{name}[p]`.")),
                );
                None
            }
            _ => {
                self.report(
                    Diagnostic::error("move/target", e.span, "Cards can only go to a zone").label("not a zone"),
                );
                None
            }
        }
    }

    pub(super) fn move_cards(&mut self, what: &ast::Expr, to: &ast::Expr, face_down: bool) {
        let mut cards = self.expr_expecting(what, &Ty::Cards);
        if !self.need_type(&cards, &Ty::Cards, what.span) {
            cards = Val::broken();
        }
        // Everyone sees the card in the target, so the card itself may decide which zone of the family that is.
        let shown_anyway = !face_down && self.always_open(to);
        let kept = match &what.kind {
            ExprKind::Name(n) if shown_anyway => self.scopes.make_public(|key| speaks_of(key, n)),
            _ => Vec::new(),
        };
        let target = self.target(to);
        self.scopes.restore(kept);
        let Some((zone, target)) = target else { return };
        if shown_anyway && !self.certainly_exists(&zone) && !switch::is_off() {
            // If that zone does not exist the card stays hidden, so the card must not decide the index.
            self.target(to);
        }
        if cards.is_broken() {
            return;
        }
        self.check_pass_in_turn(&cards, &zone, what.span.to(to.span));
        self.check_own_cards(&cards, what.span);
        self.need_public(
            &Val { ty: Ty::Num, label: cards.at.clone(), ..Val::broken() },
            what.span,
            "Where the cards come from",
        );
        self.need_chosen_openly(&cards, what.span, "Which cards go there");
        self.list_move(&cards, &zone, face_down);
        let picked = match &what.kind {
            ExprKind::Name(n) if self.lookup_local(n).is_some() => Some(n.as_str()),
            _ => None,
        };
        let certain = self.certainly_exists(&zone) || switch::is_off();
        self.cards_left(&cards.zones, &target, zone.zone, picked, certain);
        self.emit(Op::Move { what: cards.into_cards(), to: zone, face_down });
    }

    /// Requires that nothing hidden decides which cards are chosen, except the cards themselves.
    #[cfg_attr(feature = "switches", track_caller)]
    pub(super) fn need_chosen_openly(&mut self, cards: &Val, span: Span, what: &str) {
        let which = Val { ty: Ty::Num, label: cards.which.clone(), ..Val::broken() };
        self.need_public(&which, span, what);
    }

    /// Updates the names of cards after a move from these zones (from anywhere if there are none) to another. From now on
    /// those who see the target may know a picked card; a viewer who saw it only before may not be asked about it again.
    /// `moved` is the name under which the cards were picked, if they had one; `exists` says that the target certainly exists.
    fn cards_left(&mut self, from: &[ZoneId], target: &Val, to: ZoneId, moved: Option<&str>, exists: bool) {
        // A full zone and a zone that does not exist take no card, so the card may still lie in its old zone.
        let room = self.program.zones[usize::from(to)].holds.is_none() || switch::is_off();
        let certain = exists && room;
        let brought = match self.program.zones[usize::from(to)].remembers {
            PlayerMemory::None => None,
            PlayerMemory::Public => Some(Label::PUBLIC),
            PlayerMemory::Secret => Some(Label::nobody(HiddenReason::Secret(to))),
        };
        let since = Staleness { span: self.span, cause: StaleCause::Moved };
        let vars = &self.program.vars;
        let is_open =
            |val: &Val| matches!(val.code, Code::Num(Num::Var(v)) if vars[v as usize].kind == VarKind::PublicLocal);
        let is_touched =
            |val: &Val| val.zones.is_empty() || from.is_empty() || val.zones.iter().any(|zone| from.contains(zone));
        // Everybody keeps knowing a public variable, so only its zones and its bringer can change.
        let changes = |key: &str, val: &Val| {
            let stays = val.by.is_none() && (!is_touched(val) || val.zones.is_empty() || val.zones.contains(&to));
            is_kept(key, val) && !(stays && is_open(val) && moved.is_none_or(|name| !speaks_of(key, name)))
        };
        self.scopes.update(changes, |key, val, own| {
            if !own && switch::is_off() {
                return;
            }
            // To a caller of this rule the same name means another card.
            let named = own && moved.is_some_and(|name| speaks_of(key, name));
            let touched = is_touched(val);
            if !named && touched {
                // The card may be among those that moved, and the target may remember who brought it.
                if let (Some(by), Some(there), false) = (&mut val.by, &brought, switch::is_off()) {
                    *by = std::mem::take(by).join(there);
                }
                if !val.zones.is_empty() && !val.zones.contains(&to) {
                    val.zones.push(to);
                }
            }
            // Everyone keeps knowing a public variable. A picked card is known to those who see it where it lies.
            let open = is_open(val);
            let label = std::mem::take(&mut val.label);
            let there = match (named || touched, moved) {
                (false, _) => Label::PUBLIC,
                (true, Some(_)) => target.label.clone(),
                (true, None) => Label::nobody(HiddenReason::Stale(since)),
            };
            val.label = match label.is_public() {
                true if open => label,
                true if named && certain && target.label.is_public() => Label::PUBLIC,
                true if there.is_public() => label,
                true if named && certain => Label::seen(there),
                true => label.join(&Label::seen(there)),
                false if named && certain => target.label.clone(),
                // The card may lie in either zone, or this name may mean another card than the one that moved.
                false => label.join(&there),
            };
            if named && certain {
                val.by = target.by.clone();
                val.zones = vec![to];
            } else if named {
                val.by = val.by.take().zip(target.by.clone()).map(|(a, b)| a.join(&b));
                val.zones.push(to);
            }
        });
    }

    /// Updates the names of cards that these moves may have taken elsewhere. Not everybody may see a card there, which
    /// matters to questions, and a zone that remembers players secretly hides who brought it.
    pub(super) fn may_have_moved(&mut self, transfers: &[Transfer], since: Staleness) {
        if transfers.is_empty() {
            return;
        }
        let ids: HashMap<&str, ZoneId> = (0..).zip(&self.program.zones).map(|(id, z)| (z.name.as_str(), id)).collect();
        let mut moves: Vec<(Option<Vec<ZoneId>>, Option<ZoneId>)> = Vec::new();
        for transfer in transfers {
            let zones = |names: &HashSet<String>| names.iter().map(|name| ids.get(name.as_str()).copied()).collect();
            let found = (transfer.from.as_ref().and_then(zones), ids.get(transfer.to.as_str()).copied());
            if !moves.contains(&found) {
                moves.push(found);
            }
        }
        let hidden = |to: &Option<ZoneId>| to.is_none_or(|to| !self.zone_in_sight(to));
        let hidden: Vec<bool> = moves.iter().map(|(_, to)| hidden(to)).collect();
        let zones = &self.program.zones;
        let vars = &self.program.vars;
        self.scopes.update(is_kept, |_, val, _| {
            let open = matches!(val.code, Code::Num(Num::Var(v)) if vars[v as usize].kind == VarKind::PublicLocal);
            let mut gone = vec![false; moves.len()];
            // One of these moves may carry on cards that another one has moved.
            while let Some(at) = (0..moves.len()).find(|at| {
                let from = moves[*at].0.as_ref();
                !gone[*at]
                    && (val.zones.is_empty()
                        || from.is_none_or(|from| from.iter().any(|zone| val.zones.contains(zone))))
            }) {
                gone[at] = true;
                let to = moves[at].1;
                match to {
                    Some(to) if !val.zones.is_empty() && !val.zones.contains(&to) => val.zones.push(to),
                    Some(_) => {}
                    None => val.zones.clear(),
                }
                let secret: Vec<ZoneId> = (0..)
                    .zip(zones)
                    .filter(|(id, z)| z.remembers == PlayerMemory::Secret && to.is_none_or(|to| to == *id))
                    .map(|(id, _)| id)
                    .collect();
                if let (Some(by), false) = (&mut val.by, switch::is_off()) {
                    for zone in secret {
                        *by = std::mem::take(by).join(&Label::nobody(HiddenReason::Secret(zone)));
                    }
                }
                if hidden[at] && !open && !switch::is_off() {
                    let elsewhere = Label::seen(Label::nobody(HiddenReason::Stale(since)));
                    val.label = std::mem::take(&mut val.label).join(&elsewhere);
                }
            }
        });
    }

    /// Whether a zone certainly exists. Cards that go to a zone that does not exist stay where they are.
    fn certainly_exists(&self, zone: &ZoneRef) -> bool {
        let dims = &self.program.zones[usize::from(zone.zone)].dims;
        dims.iter().zip(&zone.index).all(|(dim, index)| match dim {
            Dim::Player => matches!(index, Num::Me | Num::Bound(_)) || self.certain.contains(index),
            Dim::Range { low, high } => self.is_within(index, *low, *high),
            Dim::Attr(attr) => match index {
                // A card that does not exist, such as the last card of an empty zone, has no value.
                Num::CardAttr(of, card) => {
                    of == attr && self.every_card_has(*attr) && (self.certain.contains(card) || switch::is_off())
                }
                Num::Const(value) => *value != NONE_VALUE,
                Num::Var(v) => {
                    let kept = matches!(self.program.vars[*v as usize].kind, VarKind::Local | VarKind::SeatLocal);
                    self.certain.contains(index) || kept && switch::is_off()
                }
                _ => false,
            },
        })
    }

    fn is_within(&self, index: &Num, low: i32, high: i32) -> bool {
        let fits = |from: i32, to: i32| low <= from && to <= high;
        match index {
            Num::Const(value) => fits(*value, *value),
            Num::Var(v) => {
                let declared = match (&self.program.vars[*v as usize].kind, &self.program.vars[*v as usize].ty) {
                    // State never leaves its declared range.
                    (VarKind::State { .. }, Type::Number { low, high }) => fits(*low, *high),
                    _ => false,
                };
                declared || self.certain_ranges.iter().any(|(var, from, to)| var == v && fits(*from, *to))
            }
            _ => false,
        }
    }

    /// Whether every card of every deck has this attribute.
    fn every_card_has(&self, attr: AttrId) -> bool {
        self.program.decks.iter().all(|deck| {
            deck.pack_type.is_none()
                && deck.make.iter().all(|make| match make {
                    DeckOp::Product { values, .. } => values.iter().any(|(of, _)| *of == attr),
                    DeckOp::Without { .. } => true,
                    _ => false,
                })
        })
    }

    /// Whether everyone sees the cards of this zone with any options, and the zone always has room.
    fn always_open(&self, to: &ast::Expr) -> bool {
        let ExprKind::Index { name, .. } = &to.kind else { return false };
        let Some((Global::Zone(zone), _)) = self.globals.get(&name.text) else { return false };
        let id = *zone;
        let zone = &self.program.zones[usize::from(id)];
        let face_up = !self.face_down.contains_key(&zone.name) && zone.turned.is_none();
        face_up && zone.holds.is_none() && self.zone_in_sight(id)
    }

    /// Reports `move hand[p] to hand[next player after p]` in a loop over players: each player would also hand on the cards
    /// that have just come.
    fn check_pass_in_turn(&mut self, cards: &Val, to: &ZoneRef, span: Span) {
        let Code::Cards(Selection::Zone(from)) = &cards.code else { return };
        let ([Num::Var(giver)], [Num::NextSeat { after, .. }]) = (&from.index[..], &to.index[..]) else { return };
        let everyone = self.loops.last().is_some_and(|l| l.seat == Some(*giver));
        if from.zone != to.zone || **after != Num::Var(*giver) || !everyone {
            return;
        }
        let name = self.program.zones[to.zone as usize].name.clone();
        self.report(
            Diagnostic::error("move/in-turn", span, "The last player would get all the cards")
                .label("each player hands on what has just come, too")
                .hint(format!("All at once: `pass {name} to next player after player`, on a line of its own.")),
        );
    }

    /// Elaborates `pass`: all players hand their cards on at the same time.
    pub(super) fn pass(&mut self, what: &Name, to: &ast::Expr) {
        self.refuse_in_together(what.span, "pass");
        let Some(zone) = self.family(what, true) else { return };
        let bound = self.new_bound();
        let target = self.about_seat(bound, None, |e| e.player(to));
        let target = Val { label: target.label.clone().without_bound(bound), ..target };
        self.need_public(&target, to.span, "Whom the cards go to");
        let cards = self.read_zone(zone, vec![Num::Bound(bound)], Label::PUBLIC);
        self.list_move(&cards, &ZoneRef { zone, index: Vec::new() }, false);
        self.cards_left(&[zone], &cards, zone, None, true);
        self.emit(Op::Pass { zone, bound, to: target.into_num() });
    }

    pub(super) fn draw(&mut self, count: &ast::Expr, from: &ast::Expr, to: &ast::Expr, face_down: bool) {
        let count = self.public_number(count, "How many cards are drawn");
        let from_val = self.target(from);
        let to_val = self.target(to);
        let at = from.span;
        let (Some((from, cards)), Some((to, target))) = (from_val, to_val) else { return };
        self.refuse_without_top(from.zone, at);
        self.list_move(&cards, &to, face_down);
        self.cards_left(&[from.zone], &target, to.zone, None, true);
        self.emit(Op::Draw { count, from, to, face_down });
    }

    pub(super) fn deal(
        &mut self,
        from: &ast::Expr,
        to: &Name,
        each: Option<&ast::Expr>,
        start: &ast::Expr,
        over: Option<&'a ast::Expr>,
    ) {
        self.refuse_in_together(to.span, "deal");
        let each = each.map(|e| self.public_number(e, "How many cards are dealt"));
        let start_val = self.player(start);
        self.need_public(&start_val, start.span, "Who is dealt to first");
        let seats = match over {
            Some(e) => self.seats(e, None, "Who is dealt to"),
            None => Seats { bound: self.new_bound(), cond: None },
        };
        let source = self.target(from);
        let family = self.family(to, true);
        let at = from.span;
        let (Some((from, cards)), Some(zone)) = (source, family) else { return };
        self.refuse_without_top(from.zone, at);
        self.list_move(&cards, &ZoneRef { zone, index: Vec::new() }, false);
        self.cards_left(&[from.zone], &cards, zone, None, true);
        self.emit(Op::Deal { from, to: zone, each, start: start_val.into_num(), seats });
    }

    pub(super) fn refuse_in_together(&mut self, span: Span, what: &str) {
        if self.context == Context::Together {
            self.refuse_outside_course(span, what);
        }
    }

    /// Looks up a family of zones by its bare name.
    fn family(&mut self, n: &Name, of_players: bool) -> Option<ZoneId> {
        match self.globals.get(&n.text).copied() {
            Some((Global::Zone(z), _)) => {
                self.used.insert(n.text.clone());
                let zone = &self.program.zones[z as usize];
                if of_players && zone.dims[..] != [Dim::Player] {
                    let at = zone.span;
                    self.report(
                        Diagnostic::error("deal/family", n.span, format!("`{}` is not one for each player", n.text))
                            .label("there is only one")
                            .related(at, "declared here")
                            .hint(format!("Declare it with an index: {}[player]: …", n.text)),
                    );
                    return None;
                }
                Some(z)
            }
            _ => {
                let val = self.name(&n.text, n.span, None);
                if !val.is_broken() {
                    self.report(
                        Diagnostic::error("zone/needed", n.span, format!("`{}` is not a zone", n.text))
                            .label("a zone is needed here"),
                    );
                }
                None
            }
        }
    }

    pub(super) fn gather(&mut self, deck: &Name, to: &ast::Expr) {
        self.refuse_in_together(deck.span, "gather");
        let Some((Global::Deck(d), _)) = self.globals.get(&deck.text).copied() else {
            self.unknown_deck(deck);
            return;
        };
        self.used.insert(deck.text.clone());
        let Some((zone, target)) = self.target(to) else { return };
        self.list_gather(&deck.text, &zone);
        // With one deck everybody knows afterwards where all cards are. With several decks the gathered cards may have come
        // from any zone.
        if self.program.decks.len() > 1 {
            self.count_reveals.moved.push((Vec::new(), zone.zone));
        }
        self.cards_left(&[], &target, zone.zone, None, true);
        self.emit(Op::Gather { deck: d, to: zone });
    }

    pub(super) fn mix(&mut self, from: &[Name], to: &Name) {
        self.refuse_outside_course(to.span, "mix");
        let sources: Vec<ZoneId> = from.iter().filter_map(|n| self.family(n, false)).collect();
        let Some(target) = self.family(to, false) else { return };
        let zone = &self.program.zones[target as usize];
        let single_range = matches!(zone.dims[..], [Dim::Range { .. }]);
        if !single_range || zone.remembers != PlayerMemory::Secret {
            let at = zone.span;
            self.report(
                Diagnostic::error("mix/target", to.span, format!("`{}` can't take mixed piles", to.text))
                    .label("must be numbered and remember players secretly")
                    .related(at, "declared here")
                    .hint(format!(
                        "Declare it like: {}[1..20]: everyone sees cards, ordered, remembers player secretly",
                        to.text
                    )),
            );
        }
        // `mix` shows the cards but hides where they lay, which is its purpose.
        let shown = self.program.zones[target as usize].name.clone();
        for s in &sources {
            let name = self.program.zones[*s as usize].name.clone();
            self.list(
                RevealKind::Shown,
                to.span,
                format!("cards of `{name}` lie in `{shown}`, and nobody learns whose they were"),
            );
        }
        self.count_reveals.moved.push((sources.clone(), target));
        self.cards_left(&sources, &Val::broken(), target, None, true);
        self.emit(Op::Mix { from: sources, to: target });
    }

    pub(super) fn check_own_cards(&mut self, cards: &Val, span: Span) {
        if self.context != Context::Together || cards.is_broken() {
            return;
        }
        if !owned_by_me(&cards.clone().into_cards()) {
            self.report_not_own(span);
        }
    }
}

/// Whether a name stands for cards that were picked or kept, or for what the cards of a set have in common, `value of s`.
fn is_kept(key: &str, val: &Val) -> bool {
    match &val.code {
        Code::Num(Num::Var(_)) => val.ty == Ty::Card || matches!(val.ty, Ty::Attr(_)) && key.contains(" of "),
        Code::Cards(Selection::Picked(_)) => true,
        _ => false,
    }
}

/// Whether a name is that of this part, or of the value that its cards have in common: `value of s`.
fn speaks_of(key: &str, part: &str) -> bool {
    key.strip_suffix(part).is_some_and(|before| before.is_empty() || before.ends_with(" of "))
}

fn owned_by_me(cards: &Selection) -> bool {
    match cards {
        Selection::Zone(z) => z.index.first() == Some(&Num::Me),
        Selection::Picked(_) | Selection::Bound(_) => true,
        Selection::One(n) => match &**n {
            Num::End { of, .. } | Num::Best { of, .. } => owned_by_me(of),
            Num::If(_, a, b) => [a, b].into_iter().all(|card| owned_by_me(&Selection::One(card.clone()))),
            Num::Var(_) | Num::Const(NONE) => true,
            _ => false,
        },
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => owned_by_me(of),
        Selection::Union(a, b) => owned_by_me(a) && owned_by_me(b),
        Selection::Minus(a, _) => owned_by_me(a),
        Selection::Family(_) | Selection::Deck(_) => false,
    }
}
