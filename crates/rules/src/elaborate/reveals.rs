//! The list of everything that a game gives away, for `check --reveals`.

use super::label::{Label, Need, Since, Thing, Why};
use super::names::owner_of;
use super::value::{Code, Ty, Val};
use super::{Elaborator, Global};
use crate::ast::{self, ExprKind, StmtKind};
use crate::program::*;
use crate::span::{Name, Span};
use std::collections::HashMap;

/// Where cards change place, for what can be learnt from their numbers.
#[derive(Default)]
pub(super) struct Counts {
    /// From where to where. From no zone: they may have lain anywhere.
    pub moved: Vec<(Vec<ZoneId>, ZoneId)>,
    /// Places that show how many cards lie in a zone, and which, if all of them are handled.
    told: Vec<(RevealSite, Option<ZoneId>)>,
}

/// Whose eyes: what these players have in common is which clauses speak of them.
#[derive(Clone, Copy, PartialEq)]
enum Eyes {
    Owner,
    Other,
    Spectator,
    Role(VarId),
}

impl<'a> Elaborator<'a> {
    /// Notes a place where something hidden becomes known; it is the next op.
    pub(super) fn list(&mut self, kind: RevealKind, span: Span, what: String) -> u16 {
        let pc = self.pc();
        self.program.reveals.push(RevealSite { kind, span, pc, what });
        (self.program.reveals.len() - 1) as u16
    }

    /// What everybody learns from an answer: which alternative it is, and what was picked, but for cards that not everybody sees.
    pub(super) fn list_answers(
        &mut self,
        ask: &ast::Ask,
        alternatives: &[Alternative],
        hidden: &[Vec<String>],
        nothing: bool,
        pc: Pc,
    ) {
        // The only thing that can be done is no news, nor that one hidden card was picked; but it is news if something
        // hidden makes it impossible.
        let open = |(alternative, hidden): (&Alternative, &Vec<String>)| {
            let one = |part: &Part| matches!(part.kind, PartKind::Card(_) | PartKind::Unseen(_));
            alternative.parts.iter().any(|part| !one(part) || !hidden.contains(&part.name))
        };
        let chooses = nothing || alternatives.len() > 1 || alternatives.iter().zip(hidden).any(open);
        if !chooses || self.place == super::Place_::Together {
            return;
        }
        let answer = |(alternative, hidden): (&Alternative, &Vec<String>)| {
            let parts = alternative.parts.iter().map(|part| match &part.kind {
                _ if hidden.contains(&part.name) => match part.kind {
                    PartKind::Card(_) | PartKind::Unseen(_) => format!("{} (not which card)", part.name),
                    _ => format!("{} (how many, not which cards)", part.name),
                },
                _ => part.name.clone(),
            });
            let parts: Vec<String> = parts.collect();
            match &parts[..] {
                [] => format!("`{}`", alternative.name),
                parts => format!("`{}` with {}", alternative.name, parts.join(", ")),
            }
        };
        let answers: Vec<String> = alternatives.iter().zip(hidden).map(answer).collect();
        let mut list = answers.join("; ");
        if nothing {
            list.push_str(if alternatives.len() > 1 {
                "; or that none is possible"
            } else {
                "; or that it is not possible"
            });
        }
        let what = match &ask.mode {
            ast::AskMode::One(_) => format!("everybody learns the answer: {list}"),
            ast::AskMode::All { .. } => format!("once all have answered, everybody learns the answers: {list}"),
            ast::AskMode::First { .. } => format!("everybody learns who is first, and the answer: {list}"),
        };
        self.program.reveals.push(RevealSite { kind: RevealKind::Answer, span: ask.span, pc, what });
    }

    /// Lists the places that tell how many cards there are. Of a zone whose count nobody sees everybody knows it all the
    /// same if they saw how many cards came and went each time: it began with a whole deck, or with nothing.
    pub(super) fn list_counts(&mut self) {
        let Counts { mut moved, told } = std::mem::take(&mut self.counts);
        moved.sort_unstable();
        moved.dedup();
        let seen = |zone: ZoneId| self.seen_label(Thing::Zone(zone), Visibility::Count, None).is_public();
        let followed = |zone: ZoneId| {
            let several = !self.program.zones[usize::from(zone)].dims.is_empty();
            moved.iter().all(|(from, to)| {
                let touched = from.is_empty() || from.contains(&zone) || *to == zone;
                // How many went from one instance to another nobody has seen.
                let inside = several && from.contains(&zone) && *to == zone;
                let others = from.iter().chain([to]).filter(|other| **other != zone);
                !touched || !from.is_empty() && !inside && others.copied().all(seen)
            })
        };
        let mut known: HashMap<ZoneId, bool> = HashMap::new();
        let mut follow = |zone: ZoneId| *known.entry(zone).or_insert_with(|| followed(zone));
        let news: Vec<RevealSite> =
            told.into_iter().filter(|(_, whole)| !whole.is_some_and(&mut follow)).map(|(site, _)| site).collect();
        self.program.reveals.extend(news);
    }

    /// Lists what a move tells: cards to those who see them in the target and did not before; how many they are; and what
    /// else decides which of them go. `to` has an index if it is one zone, and none if it is that of each player.
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
                ViewerGroup::Role(var) => Some(Eyes::Role(var)),
                _ => None,
            });
            let mut eyes = [Eyes::Owner, Eyes::Other, Eyes::Spectator].into_iter().chain(roles);
            eyes.any(|eyes| self.most(*zone, eyes) >= Visibility::Count)
        };
        if !cards.count.is_public() && (counted(&to.zone) || cards.zones.iter().any(counted)) {
            let what = format!("how many {from} go to {target}");
            let whole = match &cards.code {
                Code::Cards(Selection::Zone(zone)) => Some(zone.zone),
                _ => None,
            };
            let site = RevealSite { kind: RevealKind::Hidden, span, pc: self.pc(), what };
            self.counts.told.push((site, whole));
        }
        let bounded = self.program.zones[usize::from(to.zone)].holds.is_some();
        if bounded && !self.seen_label(Thing::Zone(to.zone), Visibility::Count, None).is_public() {
            self.list(RevealKind::Hidden, span, format!("whether {target} is full"));
        }
        let in_deck_order = |zone: &ZoneId| {
            let ordered = self.program.zones[usize::from(*zone)].ordered;
            !ordered && !self.seen_label(Thing::Zone(*zone), Visibility::Cards, None).is_public()
        };
        if bounded && !matches!(cards.ty, Ty::Card) && cards.zones.iter().any(in_deck_order) {
            let what = format!("which {from} go to {target} while there is room: the first ones of the deck");
            self.list(RevealKind::Hidden, span, what);
        }
        self.counts.moved.push((cards.zones.clone(), to.zone));
    }

    /// Lists what `gather` shows: its cards come from anywhere, also from where nobody saw them.
    pub(super) fn list_gather(&mut self, deck: &str, to: &ZoneRef) {
        let anywhere = Val { label: Label::nobody(Why::Stale(Since::NOWHERE)), ..Val::broken() };
        if let Some(who) = self.newly_seen_by(&anywhere, to) {
            let target = self.program.zones[usize::from(to.zone)].name.clone();
            self.list(RevealKind::Shown, self.span, format!("{who} all cards of `{deck}` in `{target}`"));
        }
        // With one deck every place is empty afterwards. With several, a hand shrinks by its cards of this deck.
        if self.program.decks.len() > 1 {
            self.list(RevealKind::Hidden, self.span, format!("where the cards of `{deck}` lay"));
        }
    }

    /// Lists what a newcomer gets to see in the seat of a player who has left: all that `when p leaves` does not take away.
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
        let mut seen: Vec<String> = Vec::new();
        for (id, zone) in self.program.zones.iter().enumerate() {
            let id = id as ZoneId;
            let others = self.least(id, Eyes::Other).min(self.least(id, Eyes::Spectator));
            let owned = zone.dims.contains(&Dim::Player) && self.most(id, Eyes::Owner) > others;
            if owned && !taken(id) {
                seen.push(format!("`{}`", zone.name));
            }
        }
        for (id, var) in self.program.vars.iter().enumerate() {
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
        if seen.is_empty() {
            return;
        }
        let what =
            format!("who takes the seat of a player who has left sees what that player saw: {}", seen.join(", "));
        for pc in 0..self.program.code.len() {
            if matches!(self.program.code[pc], Op::Admit) {
                let (kind, span, what) = (RevealKind::Seers, self.program.spans[pc], what.clone());
                self.program.reveals.push(RevealSite { kind, span, pc: pc as Pc, what });
            }
        }
    }

    /// Whether everybody sees the cards of a zone, whosever it is.
    pub(super) fn zone_in_sight(&self, zone: ZoneId) -> bool {
        self.seen_label(Thing::Zone(zone), Visibility::Cards, None).is_public()
    }

    pub(super) fn find_hidden_zones(&mut self) {
        self.all_in_sight = (0..self.program.zones.len()).all(|zone| self.zone_in_sight(zone as ZoneId));
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
                let when = match clause.when {
                    Some(Num::Var(var)) => Some(var),
                    _ => None,
                };
                [role, when]
            })
            .flatten()
            .collect();
    }

    /// "cards of `hand`, `row`": each zone once, or none if the zones are not known.
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

    /// What a step that takes cards from wherever they lie shows the places of: cards of any hand, or known cards.
    fn found_anywhere(&self, cards: &Val) -> Option<String> {
        let known = || "chosen cards".to_string();
        if self.lies_anywhere(cards) {
            return Some(known());
        }
        let families = self.any_source(cards, &mut |source| matches!(source, Source::Family));
        families.then(|| self.cards_of(&cards.zones).unwrap_or_else(known))
    }

    /// Whether everybody may know which cards these are and not where they lie: cards of a deck, and cards that were kept
    /// while everybody saw them.
    pub(super) fn lies_anywhere(&self, cards: &Val) -> bool {
        self.of_deck_anywhere(cards, &|_| true)
    }

    /// Who may know what is written on a card, besides those who may know which card it is.
    pub(super) fn written_label(&self, cards: &Val) -> Label {
        // The cards of a deck that have nothing but a name can be written on. A card like `A♠` can't.
        let blank =
            |deck: &Deck| deck.pack_type.is_some() || deck.make.iter().any(|make| matches!(make, DeckOp::Named { .. }));
        let can_be = |deck: Option<DeckId>| deck.is_some_and(|deck| blank(&self.program.decks[usize::from(deck)]));
        let are_cards = matches!(cards.ty, Ty::Card | Ty::Cards);
        let some = self.writes && are_cards && self.program.decks.iter().any(blank);
        match some && self.of_deck_anywhere(cards, &can_be) {
            true => Label::nobody(Why::Written),
            false => Label::PUBLIC,
        }
    }

    /// The same for cards of decks that pass a test; a card that is written out (`A♠`) has none.
    fn of_deck_anywhere(&self, cards: &Val, decks: &dyn Fn(Option<DeckId>) -> bool) -> bool {
        if self.all_in_sight {
            return false;
        }
        // `top := last card of pile`, and on the next line `move top to …`: it still lies there.
        if let (true, Code::Num(kept @ Num::Var(var)), Some(Op::Set(place, card))) =
            (self.after_assignment, &cards.code, self.program.code.last())
            && place.var == *var
            && card != kept
        {
            return self.of_deck_anywhere(&Val { code: Code::Num(card.clone()), ..cards.clone() }, decks);
        }
        let nowhere = cards.zones.is_empty();
        let moved_on = cards.label.needs().iter().any(|need| matches!(need, Need::Seen(_)));
        moved_on
            || self.any_source(cards, &mut |source| match source {
                Source::Deck(deck) => decks(deck),
                Source::Var(var) => {
                    let kind = &self.program.vars[var as usize].kind;
                    nowhere || !matches!(kind, VarKind::Local | VarKind::SeatLocal)
                }
                Source::Bound => nowhere,
                Source::Family | Source::Filter => false,
            })
    }

    /// Whether cards are picked by what nobody sees of them, so that one sees by their places what they are.
    fn picks_hidden(&self, cards: &Val) -> bool {
        let nobody = |need: &Need| matches!(need, Need::Nobody(Why::FaceDown(_) | Why::Secret(_)));
        cards.label.needs().iter().any(nobody) && self.any_source(cards, &mut |source| matches!(source, Source::Filter))
    }

    /// Whether something that a selection is made of passes a test. Looks also at what a local variable was set to.
    fn any_source(&self, cards: &Val, test: &mut dyn FnMut(Source) -> bool) -> bool {
        Sources { code: &self.program.code, set_at: &self.set_at, visited: Vec::new(), test }
            .cards(&cards.clone().into_cards())
    }

    /// "everybody sees", "the owner sees": those who may see the cards in their new place, and perhaps did not before.
    fn newly_seen_by(&self, cards: &Val, to: &ZoneRef) -> Option<String> {
        if cards.label.is_public() {
            return None;
        }
        let zone = &self.program.zones[usize::from(to.zone)];
        let owner = owner_of(&zone.dims, &to.index);
        let owned = zone.dims.contains(&Dim::Player);
        let knew = |eyes: Eyes| {
            let owner_knew = || owner.as_ref().is_some_and(|owner| self.readable_by(&cards.label, owner));
            // Who is not the owner of the new place may own the old one, and owners may see less than others do.
            let saw_there = |zone: &ZoneId| {
                let of_players = self.program.zones[usize::from(*zone)].dims.contains(&Dim::Player);
                let owner_saw =
                    !of_players || eyes == Eyes::Spectator || self.least(*zone, Eyes::Owner) == Visibility::Cards;
                self.least(*zone, eyes) == Visibility::Cards && owner_saw
            };
            let saw = || !cards.zones.is_empty() && cards.zones.iter().all(saw_there);
            match eyes {
                Eyes::Owner => owner_knew(),
                _ => saw() && !cards.label.needs().iter().any(|need| matches!(need, Need::Nobody(_))),
            }
        };
        let roles = zone.sees.iter().filter_map(|clause| match clause.who {
            ViewerGroup::Role(var) => Some(Eyes::Role(var)),
            _ => None,
        });
        let mut eyes: Vec<Eyes> = [Eyes::Owner, Eyes::Other, Eyes::Spectator].into_iter().chain(roles).collect();
        eyes.dedup();
        eyes.retain(|eyes| {
            (owned || *eyes != Eyes::Owner) && self.most(to.zone, *eyes) == Visibility::Cards && !knew(*eyes)
        });
        let everybody = eyes.contains(&Eyes::Other) && eyes.contains(&Eyes::Spectator);
        let mut who: Vec<String> = match (everybody, eyes.contains(&Eyes::Owner) || !owned) {
            (true, true) => return Some("everybody sees".to_string()),
            (true, false) => vec!["all but the owner".to_string()],
            (false, _) => Vec::new(),
        };
        for eyes in eyes {
            match eyes {
                Eyes::Owner => who.push("the owner".to_string()),
                Eyes::Other if !everybody => who.push(if owned { "other players" } else { "players" }.to_string()),
                Eyes::Spectator if !everybody => who.push("spectators".to_string()),
                Eyes::Role(var) if !everybody => who.push(format!("`{}`", self.program.vars[var as usize].name)),
                _ => {}
            }
        }
        let one = matches!(&who[..], [who] if who == "the owner" || who.starts_with('`'));
        (!who.is_empty()).then(|| format!("{} {}", who.join(" and "), if one { "sees" } else { "see" }))
    }

    /// The most that these eyes may see of a zone, whatever its conditions say.
    fn most(&self, zone: ZoneId, eyes: Eyes) -> Visibility {
        level(&self.program.zones[usize::from(zone)].sees, eyes, Visibility::max)
    }

    fn least(&self, zone: ZoneId, eyes: Eyes) -> Visibility {
        level(&self.program.zones[usize::from(zone)].sees, eyes, Visibility::min)
    }

    /// What a state decides who sees: a new holder of a role sees what lies there, and so do those to whom something is
    /// shown while the state says yes.
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
        let shown: Vec<(String, &Vec<SeesClause>)> = zones.chain(dice).collect();
        let where_some = |test: &dyn Fn(&SeesClause) -> bool| {
            let some = shown.iter().filter(|(_, sees)| sees.iter().any(test));
            some.map(|(what, _)| what.clone()).collect::<Vec<_>>().join(", ")
        };
        let by_role = where_some(&|s| s.who == ViewerGroup::Role(var));
        let while_yes = where_some(&|s| s.when.as_ref().is_some_and(|when| *when == Num::Var(var)));
        if !by_role.is_empty() {
            self.list(RevealKind::Seers, self.span, format!("`{name}` decides who sees {by_role}"));
        }
        if !while_yes.is_empty() {
            self.list(RevealKind::Seers, self.span, format!("`{name}` decides who sees {while_yes}"));
        }
    }

    /// Whether an answer gives a value to a variable of its player: in `together` the steps behind may depend on it, and
    /// others see them.
    pub(super) fn steers(&self, ask: &ast::Ask) -> bool {
        let own = |stmt: &ast::Stmt| match &stmt.kind {
            StmtKind::Assign { target, .. } => {
                matches!(&target.kind, ExprKind::Name(name) if self.lookup_local(name).is_some())
            }
            _ => false,
        };
        ask.alternatives.iter().any(|alternative| any_step(&alternative.body, &own))
    }

    /// Whether an answer in the steps of a loop decides how often they happen, or what happens the next time: it may leave
    /// the loop, begin it anew, or set a variable.
    pub(super) fn answers_decide(&self, body: &[ast::Stmt]) -> bool {
        let leaves = |stmt: &ast::Stmt| matches!(stmt.kind, StmtKind::Stop | StmtKind::Again);
        any_step(body, &|stmt| match &stmt.kind {
            StmtKind::Ask(ask) => {
                self.steers(ask) || ask.alternatives.iter().any(|alternative| any_step(&alternative.body, &leaves))
            }
            _ => false,
        })
    }

    /// In `together` an answer is its player's own. What others see happen below it tells them which answer it was.
    pub(super) fn list_noticed(&mut self, stmt: &ast::Stmt) {
        if !(self.answering || self.steered) || self.place != super::Place_::Together {
            return;
        }
        let what = match &stmt.kind {
            StmtKind::Move { .. } | StmtKind::Draw { .. } => "cards move",
            StmtKind::Roll { .. } | StmtKind::Clear { .. } => "dice are thrown or taken up",
            StmtKind::Turn { .. } => "cards are turned",
            StmtKind::Assign { target, .. } => {
                let (ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. }) = &target.kind
                else {
                    return;
                };
                match self.globals.get(name) {
                    Some((Global::Var(v), _))
                        if matches!(self.program.vars[*v as usize].kind, VarKind::State { .. }) =>
                    {
                        "everybody sees this value"
                    }
                    _ => return,
                }
            }
            _ => return,
        };
        self.list(RevealKind::Answer, stmt.span, format!("everybody can notice which answer this was: {what}"));
    }

    /// Cards that are turned are seen by all who see their zone; which are turned is seen by its places.
    pub(super) fn list_turn(&mut self, cards: &Val, down: bool) {
        let from = self.cards_of(&cards.zones).unwrap_or("cards".to_string());
        if !down {
            self.list(RevealKind::Shown, self.span, format!("{from} are turned face up"));
        }
        if let Some(what) = self.found_anywhere(cards) {
            self.list(RevealKind::Hidden, self.span, format!("where {what} lie"));
        }
        if self.picks_hidden(cards) {
            let way = if down { "down" } else { "up" };
            self.list(
                RevealKind::Hidden,
                self.span,
                format!("which {from} are turned face {way}, and so something hidden about them"),
            );
        }
    }
}

fn level(sees: &[SeesClause], eyes: Eyes, open: fn(Visibility, Visibility) -> Visibility) -> Visibility {
    sees.iter().fold(Visibility::Count, |level, clause| {
        // Who has a role may be the owner or not.
        let (applies, certain) = match (&clause.who, eyes) {
            (ViewerGroup::Everyone, _) => (true, true),
            (ViewerGroup::Players, _) => (eyes != Eyes::Spectator, true),
            (ViewerGroup::Spectators, _) => (eyes == Eyes::Spectator, true),
            (ViewerGroup::Owner, Eyes::Owner) | (ViewerGroup::Others, Eyes::Other | Eyes::Spectator) => (true, true),
            (ViewerGroup::Owner | ViewerGroup::Others, Eyes::Role(_)) => (true, false),
            (ViewerGroup::Owner | ViewerGroup::Others, _) => (false, true),
            (ViewerGroup::Role(var), Eyes::Role(role)) => (*var == role, true),
            (ViewerGroup::Role(_), _) => (false, true),
        };
        match (applies, certain && clause.when.is_none()) {
            (false, _) => level,
            (true, true) => clause.what,
            (true, false) => open(level, clause.what),
        }
    })
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

/// The zones of which a selection takes all cards.
fn whole_zones(cards: &Selection) -> Vec<ZoneId> {
    match cards {
        Selection::Zone(zone) => vec![zone.zone],
        Selection::Union(a, b) => [whole_zones(a), whole_zones(b)].concat(),
        _ => Vec::new(),
    }
}

/// Whether a step passes a test, among these and all below them.
fn any_step(body: &[ast::Stmt], test: &dyn Fn(&ast::Stmt) -> bool) -> bool {
    body.iter().any(|stmt| {
        let mut below = false;
        super::facedown::each_block(&stmt.kind, &mut |body| below |= any_step(body, test));
        below || test(stmt)
    })
}

/// What a selection is made of, as far as it matters where its cards lie.
#[derive(Clone, Copy)]
enum Source {
    /// All zones of a name, such as the hands of all players.
    Family,
    /// Cards that are named by what they are, wherever they lie.
    Deck(Option<DeckId>),
    Var(VarId),
    Bound,
    /// Cards are left out, or one is picked, because of what they are.
    Filter,
}

/// Looks at every source of a selection until one passes the test.
struct Sources<'t> {
    code: &'t [Op],
    set_at: &'t HashMap<VarId, Vec<usize>>,
    visited: Vec<VarId>,
    test: &'t mut dyn FnMut(Source) -> bool,
}

impl Sources<'_> {
    fn cards(&mut self, cards: &Selection) -> bool {
        match cards {
            Selection::Zone(_) => false,
            Selection::Family(_) => (self.test)(Source::Family),
            Selection::Deck(deck) => (self.test)(Source::Deck(Some(*deck))),
            Selection::Picked(var) => (self.test)(Source::Var(*var)),
            Selection::Bound(_) => (self.test)(Source::Bound),
            Selection::One(card) => self.card(card),
            Selection::Where { of, .. } | Selection::SetsOf { of, .. } => (self.test)(Source::Filter) || self.cards(of),
            Selection::Ends { of, .. } => self.cards(of),
            Selection::Union(a, b) => self.cards(a) || self.cards(b),
            Selection::Minus(a, _) => (self.test)(Source::Filter) || self.cards(a),
        }
    }

    fn card(&mut self, card: &Num) -> bool {
        match card {
            Num::CardLiteral(..) => (self.test)(Source::Deck(None)),
            Num::End { of, .. } => self.cards(of),
            Num::Best { of, .. } => (self.test)(Source::Filter) || self.cards(of),
            Num::If(_, a, b) => self.card(a) || self.card(b),
            Num::At(var, _) => (self.test)(Source::Var(*var)),
            Num::Var(var) => (self.test)(Source::Var(*var)) || self.set_to(*var),
            Num::Bound(_) => (self.test)(Source::Bound),
            _ => false,
        }
    }

    /// The values that the steps so far give to a variable.
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

/// The part is one of cards that not everybody knows.
pub(super) fn hides_cards(label: &Label, kind: &PartKind) -> bool {
    let cards = matches!(
        kind,
        PartKind::Card(_)
            | PartKind::Unseen(_)
            | PartKind::Cards { .. }
            | PartKind::Alike { .. }
            | PartKind::Run { .. }
    );
    cards && !label.is_public()
}
