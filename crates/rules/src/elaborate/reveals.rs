//! Lists every line that can tell somebody a hidden fact, for `check --reveals`.

use super::Elaborator;
use super::card_sources::CardSource;
use super::label::{HiddenReason, Label, Need, Staleness, ValueSource};
use super::newly_seen::ViewerClass;
use super::noticed::any_step;
use super::value::{Code, Ty, Val};
use crate::ast::{self, StmtKind};
use crate::program::*;
use crate::span::Span;
use crate::switch;
use std::collections::HashMap;

/// Moves of cards, from which viewers may infer how many cards lie in hidden zones.
#[derive(Default)]
pub(super) struct CountReveals {
    /// The zones from which cards move, and the target. No zones: the cards may have lain anywhere.
    pub moved: Vec<(Vec<ZoneId>, ZoneId)>,
    /// Moves that show how many cards lay in a hidden zone, each with that zone if all of its cards move.
    reveals: Vec<(ListedReveal, Option<ZoneId>)>,
}

impl<'a> Elaborator<'a> {
    /// Adds the next op to the list as a place where a hidden fact becomes known.
    #[cfg_attr(feature = "switches", track_caller)]
    pub(super) fn list(&mut self, kind: RevealKind, span: Span, what: String) -> u16 {
        let pc = self.pc();
        if switch::is_off() {
            return 0;
        }
        self.program.reveals.push(ListedReveal { kind, span, pc, what });
        (self.program.reveals.len() - 1) as u16
    }

    /// Lists the reveals that tell how many cards lie in a zone. Nothing new is told about a zone that began full or empty if
    /// everybody has seen how many cards came and went each time.
    pub(super) fn list_counts(&mut self) {
        let CountReveals { mut moved, reveals } = std::mem::take(&mut self.count_reveals);
        moved.sort_unstable();
        moved.dedup();
        let seen = |zone: ZoneId| self.seen_label(ValueSource::Zone(zone), Visibility::Count, None).is_public();
        let followed = |zone: ZoneId| {
            let several = !self.program.zones[usize::from(zone)].dims.is_empty();
            moved.iter().all(|(from, to)| {
                let touched = from.is_empty() || from.contains(&zone) || *to == zone;
                // Nobody has seen how many cards went from one zone of the family to another.
                let inside = several && from.contains(&zone) && *to == zone && !switch::is_off();
                let others = from.iter().chain([to]).filter(|other| **other != zone);
                !touched || !from.is_empty() && !inside && others.copied().all(seen)
            })
        };
        let mut known: HashMap<ZoneId, bool> = HashMap::new();
        let mut follow = |zone: ZoneId| *known.entry(zone).or_insert_with(|| followed(zone));
        let new_sites: Vec<ListedReveal> = reveals
            .into_iter()
            .filter(|(_, whole)| !whole.is_some_and(&mut follow))
            .map(|(reveal, _)| reveal)
            .collect();
        if !switch::is_off() {
            self.program.reveals.extend(new_sites);
        }
    }

    /// Lists what a move tells: the cards, to those who see them in the target and did not see them before; how many they
    /// are; and what else decides which cards move. `to` without an index means that each player has such a target.
    pub(super) fn list_move(&mut self, cards: &Val, to: &ZoneRef, face_down: bool) {
        let span = self.span;
        let from = self.cards_of(&cards.zones).unwrap_or("chosen cards".to_string());
        let target = format!("`{}`", self.program.zones[usize::from(to.zone)].name);
        if !face_down && let Some(who) = self.newly_seen_by(cards, to) {
            let what = match &cards.zones[..] {
                [zone] if *zone == to.zone => format!("{} {from}", who.replace("the owner", "a new owner")),
                _ => format!("{who} {from} in {target}"),
            };
            self.list(RevealKind::Shown, span, what);
        }
        if let Some(what) = self.found_anywhere(cards) {
            self.list(RevealKind::Hidden, span, format!("where {what} lay"));
        }
        if self.picks_hidden(cards) {
            self.list(
                RevealKind::Hidden,
                span,
                format!("which {from} go to {target}, and so something hidden about them"),
            );
        }
        let counted = |zone: &ZoneId| {
            let roles = self.program.zones[usize::from(*zone)].sees.iter().filter_map(|clause| match clause.who {
                ViewerGroup::Role(var) => Some(ViewerClass::Role(var)),
                _ => None,
            });
            let roles = roles.filter(|_| !switch::is_off());
            let mut class = [ViewerClass::Owner, ViewerClass::Other, ViewerClass::Spectator].into_iter().chain(roles);
            class.any(|class| self.most_visible(*zone, class) >= Visibility::Count)
        };
        if !cards.count.is_public() && (counted(&to.zone) || cards.zones.iter().any(counted)) {
            let what = format!("how many {from} go to {target}");
            let whole = match &cards.code {
                Code::Cards(Selection::Zone(zone)) => Some(zone.zone),
                _ => None,
            };
            let reveal = ListedReveal { kind: RevealKind::Hidden, span, pc: self.pc(), what };
            self.count_reveals.reveals.push((reveal, whole));
        }
        let bounded = self.program.zones[usize::from(to.zone)].holds.is_some();
        if bounded && !self.seen_label(ValueSource::Zone(to.zone), Visibility::Count, None).is_public() {
            self.list(RevealKind::Hidden, span, format!("whether {target} is full"));
        }
        let in_deck_order = |zone: &ZoneId| {
            let ordered = self.program.zones[usize::from(*zone)].ordered;
            !ordered && !self.seen_label(ValueSource::Zone(*zone), Visibility::Cards, None).is_public()
        };
        if bounded && !matches!(cards.ty, Ty::Card) && cards.zones.iter().any(in_deck_order) {
            let what = format!("which {from} go to {target} while there is room: the first ones of the deck");
            self.list(RevealKind::Hidden, span, what);
        }
        self.count_reveals.moved.push((cards.zones.clone(), to.zone));
    }

    /// Lists what `gather` shows: its cards may come from zones where nobody saw them.
    pub(super) fn list_gather(&mut self, deck: &str, to: &ZoneRef) {
        let anywhere = Val { label: Label::nobody(HiddenReason::Stale(Staleness::NOWHERE)), ..Val::broken() };
        if let Some(who) = self.newly_seen_by(&anywhere, to) {
            let target = self.program.zones[usize::from(to.zone)].name.clone();
            self.list(RevealKind::Shown, self.span, format!("{who} all cards of `{deck}` in `{target}`"));
        }
        // With one deck every zone is empty afterwards. With several decks a hand shrinks by its cards of this deck, which tells
        // how many it held.
        if self.program.decks.len() > 1 {
            self.list(RevealKind::Hidden, self.span, format!("where the cards of `{deck}` lay"));
        }
    }

    /// Lists what `admit` shows to a newcomer, who sees as much as spectators until then: what only players see, and, in the seat of
    /// a player who has left, everything that `when p leaves` does not take away.
    pub(super) fn list_newcomers(&mut self) {
        let left: &[Op] = match &self.program.on_leave {
            Some(hook) => {
                let body = &self.program.code[hook.body as usize..];
                let end = body.iter().position(|op| matches!(op, Op::Return)).unwrap_or(body.len());
                &body[..end]
            }
            None => &[],
        };
        let one_deck = self.program.decks.len() == 1;
        let taken = |zone: ZoneId| {
            left.iter().any(|op| match op {
                Op::Move { what, .. } => whole_zones(what).contains(&zone),
                Op::Deal { from, each: None, .. } => from.zone == zone,
                Op::Gather { .. } => one_deck,
                _ => false,
            })
        };
        let (mut seen, mut of_players): (Vec<String>, Vec<String>) = Default::default();
        for (id, zone) in self.program.zones.iter().enumerate() {
            let id = id as ZoneId;
            let sees_more = |class| self.most_visible(id, class) > self.least_visible(id, ViewerClass::Spectator);
            let roles = zone.sees.iter().filter_map(|clause| match clause.who {
                ViewerGroup::Role(role) => Some(ViewerClass::Role(role)),
                _ => None,
            });
            if roles.chain([ViewerClass::Other]).any(sees_more) {
                of_players.push(format!("`{}`", zone.name));
            } else if zone.dims.contains(&Dim::Player) && sees_more(ViewerClass::Owner) && !taken(id) {
                seen.push(format!("`{}`", zone.name));
            }
        }
        for (id, var) in self.program.vars.iter().enumerate() {
            if let VarKind::Dice { sees, .. } = &var.kind
                && sees.iter().any(|clause| !matches!(clause.who, ViewerGroup::Owner | ViewerGroup::Everyone))
            {
                of_players.push(format!("`{}`", var.name));
                continue;
            }
            let own = match &var.kind {
                VarKind::Sealed => true,
                VarKind::Dice { sees, .. } => sees.iter().any(|clause| clause.who == ViewerGroup::Owner),
                _ => false,
            };
            let set = |op: &Op| matches!(op, Op::Set(place, _) if place.var as usize == id);
            if own && !left.iter().any(set) {
                seen.push(format!("`{}`", var.name));
            }
        }
        let mut listed = Vec::new();
        if !seen.is_empty() && !switch::is_off() {
            let seen = seen.join(", ");
            listed.push(format!("who takes the seat of a player who has left sees what that player saw: {seen}"));
        }
        if !of_players.is_empty() && !switch::is_off() {
            listed.push(format!("newcomers see what only players see: {}", of_players.join(", ")));
        }
        for pc in 0..self.program.code.len() {
            if matches!(self.program.code[pc], Op::Admit) {
                let reveal =
                    |what| ListedReveal { kind: RevealKind::Seers, span: self.program.spans[pc], pc: pc as Pc, what };
                let reveals: Vec<ListedReveal> = listed.iter().cloned().map(reveal).collect();
                self.program.reveals.extend(reveals);
            }
        }
    }

    /// Whether everybody sees the cards of a zone, whosever it is.
    pub(super) fn zone_in_sight(&self, zone: ZoneId) -> bool {
        self.seen_label(ValueSource::Zone(zone), Visibility::Cards, None).is_public()
    }

    pub(super) fn find_hidden_zones(&mut self) {
        let faces = |(id, zone): (usize, &Zone)| {
            let face_down = self.face_down.contains_key(&zone.name) && !switch::is_off();
            self.zone_in_sight(id as ZoneId) && !face_down
        };
        self.all_in_sight = self.program.zones.iter().enumerate().all(faces);
        let dice = self.program.vars.iter().filter_map(|var| match &var.kind {
            VarKind::Dice { sees, .. } => Some(sees),
            _ => None,
        });
        let clauses = self.program.zones.iter().map(|zone| &zone.sees).chain(dice).flatten();
        self.decide_sight = clauses
            .flat_map(|clause| {
                let role = match clause.who {
                    ViewerGroup::Role(var) => Some(var),
                    _ => None,
                };
                [role, clause.state().map(|(var, _)| var)]
            })
            .flatten()
            .collect();
    }

    /// Writes "cards of `hand`, `row`" with each zone once; `None` if the zones are not known.
    pub(super) fn cards_of(&self, zones: &[ZoneId]) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for zone in zones {
            let name = format!("`{}`", self.program.zones[usize::from(*zone)].name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| format!("cards of {}", names.join(", ")))
    }

    /// Describes cards whose places a statement shows because it takes them from wherever they lie.
    fn found_anywhere(&self, cards: &Val) -> Option<String> {
        let known = || "chosen cards".to_string();
        if self.lies_anywhere(cards) {
            return Some(known());
        }
        let families = self.any_source(cards, &mut |source| matches!(source, CardSource::Family));
        families.then(|| self.cards_of(&cards.zones).unwrap_or_else(known))
    }

    /// Whether everybody may know which cards these are but not where they lie. This holds for the cards of a deck, and for
    /// cards that a variable has kept since everybody saw them.
    pub(super) fn lies_anywhere(&self, cards: &Val) -> bool {
        self.of_deck_anywhere(cards, &|_| true)
    }

    /// Returns the label of the text on a card, in addition to the label of the card.
    #[cfg_attr(feature = "switches", track_caller)]
    pub(super) fn need_written(&self, cards: &Val) -> Label {
        if switch::is_off() {
            return Label::PUBLIC;
        }
        // Players can write on cards that have only a name, or come from packs; not on a card like `A♠`.
        let blank =
            |deck: &Deck| deck.pack_type.is_some() || deck.make.iter().any(|make| matches!(make, DeckOp::Named { .. }));
        let can_be = |deck: Option<DeckId>| deck.is_some_and(|deck| blank(&self.program.decks[usize::from(deck)]));
        let are_cards = matches!(cards.ty, Ty::Card | Ty::Cards);
        let some = self.writes && are_cards && self.program.decks.iter().any(blank);
        match some && self.of_deck_anywhere(cards, &can_be) {
            true => Label::nobody(HiddenReason::Written),
            false => Label::PUBLIC,
        }
    }

    /// Like `lies_anywhere`, but only for cards whose deck passes a test; `None` stands for a card that the source names (`A♠`).
    fn of_deck_anywhere(&self, cards: &Val, decks: &dyn Fn(Option<DeckId>) -> bool) -> bool {
        if self.all_in_sight {
            return false;
        }
        let kept_elsewhere = !switch::is_off();
        // On the line after `top := last card of pile` the card still lies there.
        if let (true, Code::Num(kept @ Num::Var(var)), Some(Op::Set(place, card))) =
            (self.after_assignment, &cards.code, self.program.code.last())
            && place.var == *var
            && card != kept
        {
            return self.of_deck_anywhere(&Val { code: Code::Num(card.clone()), ..cards.clone() }, decks);
        }
        let nowhere = cards.zones.is_empty() && kept_elsewhere;
        let moved_on = cards.label.needs().iter().any(|need| matches!(need, Need::Seen { .. }));
        moved_on
            || self.any_source(cards, &mut |source| match source {
                CardSource::Deck(deck) => decks(deck),
                CardSource::Var(var) => {
                    let kind = &self.program.vars[var as usize].kind;
                    nowhere || kept_elsewhere && !matches!(kind, VarKind::Local | VarKind::SeatLocal)
                }
                CardSource::Bound => nowhere,
                CardSource::Family | CardSource::Filter => false,
            })
    }

    /// Whether a hidden property of the cards decides which of them are picked, so that their places tell something about them.
    fn picks_hidden(&self, cards: &Val) -> bool {
        let nobody = |need: &Need| matches!(need, Need::Nobody(HiddenReason::FaceDown(_) | HiddenReason::Secret(_)));
        cards.label.needs().iter().any(nobody)
            && self.any_source(cards, &mut |source| matches!(source, CardSource::Filter))
    }

    /// Lists an assignment to state that decides who sees zones or dice: the new holder of a role sees them, and so do
    /// viewers with a clause `… sees … when` this state is yes.
    pub(super) fn list_seers(&mut self, var: VarId) {
        if !self.decide_sight.contains(&var) {
            return;
        }
        let name = self.program.vars[var as usize].name.clone();
        let zones = self.program.zones.iter().map(|z| (format!("the cards of `{}`", z.name), &z.sees));
        let dice = self.program.vars.iter().filter_map(|v| match &v.kind {
            VarKind::Dice { sees, .. } => Some((format!("`{}`", v.name), sees)),
            _ => None,
        });
        let shown: Vec<(String, &Vec<VisibilityClause>)> = zones.chain(dice).collect();
        let where_some = |test: &dyn Fn(&VisibilityClause) -> bool| {
            let some = shown.iter().filter(|(_, sees)| sees.iter().any(test));
            some.map(|(what, _)| what.clone()).collect::<Vec<_>>().join(", ")
        };
        let by_role = where_some(&|s| s.who == ViewerGroup::Role(var));
        let while_yes = where_some(&|s| s.state().is_some_and(|(state, _)| state == var));
        if !by_role.is_empty() {
            self.list(RevealKind::Seers, self.span, format!("`{name}` decides who sees {by_role}"));
        }
        if !while_yes.is_empty() {
            self.list(RevealKind::Seers, self.span, format!("`{name}` decides who sees {while_yes}"));
        }
    }

    /// Lists what `turn` tells: the faces of cards to those who see their zone, and which cards were turned.
    pub(super) fn list_turn(&mut self, cards: &Val, down: bool) {
        let from = self.cards_of(&cards.zones).unwrap_or("cards".to_string());
        // A card that is turned up shows its face and its place at the same time, so both are one entry of the list. Turning a
        // card down does not tell where it lies: a viewer who sees this has seen the card's face there before.
        if !down {
            let place = self.found_anywhere(cards).map(|what| format!(", and so where {what} lie")).unwrap_or_default();
            self.list(RevealKind::Shown, self.span, format!("{from} are turned face up{place}"));
        }
        if self.picks_hidden(cards) {
            let direction = if down { "down" } else { "up" };
            self.list(
                RevealKind::Hidden,
                self.span,
                format!("which {from} are turned face {direction}, and so something hidden about them"),
            );
        }
    }
}

/// Whether the rules write on cards.
pub(super) fn writes(file: &ast::File) -> bool {
    let write = |stmt: &ast::Stmt| matches!(stmt.kind, StmtKind::Write { .. });
    any_step(&file.play, &write)
        || file.decls.iter().any(|decl| match &decl.kind {
            ast::DeclKind::Rule { body, .. } | ast::DeclKind::When { body, .. } => any_step(body, &write),
            _ => false,
        })
}

/// Returns the zones of which a selection takes all cards.
fn whole_zones(cards: &Selection) -> Vec<ZoneId> {
    match cards {
        Selection::Zone(zone) => vec![zone.zone],
        Selection::Union(a, b) => [whole_zones(a), whole_zones(b)].concat(),
        _ => Vec::new(),
    }
}
