//! Cards that change their place: `move`, `draw`, `deal`, `pass`, `gather`, `mix`.

use super::label::Label;
use super::value::{Code, Ty, Val};
use super::{Elaborator, Global, Place_};
use crate::ast::{self, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

/// Where cards change place, for what can be learnt from their numbers.
#[derive(Default)]
pub(super) struct Counts {
    /// From where to where. From no zone: they may have lain anywhere.
    moved: Vec<(Vec<ZoneId>, ZoneId)>,
    /// Places that show how many cards lie in a zone, and which, if all of them are handled.
    told: Vec<(RevealSite, Option<ZoneId>)>,
}

impl<'a> Elaborator<'a> {
    /// A zone cards go to (or are shuffled in).
    pub(super) fn target(&mut self, e: &ast::Expr) -> Option<(ZoneRef, Val)> {
        let val = self.selection(e);
        self.need_public(&Val { ty: Ty::Num, label: val.at.clone(), ..Val::broken() }, e.span, "Which zone this is");
        match val.code.clone() {
            Code::Cards(Cards::Zone(zone)) => {
                if self.place == Place_::Together && zone.index.first() != Some(&Num::Me) {
                    self.not_own(e.span);
                }
                Some((zone, val))
            }
            Code::Broken => None,
            Code::Cards(Cards::Family(z)) => {
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
        // Whoever sees the card where it goes may also know that it went there because of what it is.
        let shown_anyway = !face_down && self.always_open(to);
        let kept = match &what.kind {
            ExprKind::Name(n) if shown_anyway => self.open_up(n),
            _ => Vec::new(),
        };
        let target = self.target(to);
        for (scope, key, label) in kept {
            if let Some(val) = self.scopes[scope].get_mut(&key) {
                val.label = label;
            }
        }
        let Some((zone, target)) = target else { return };
        if cards.is_broken() {
            return;
        }
        self.not_in_turn(&cards, &zone, what.span.to(to.span));
        self.owned(&cards, what.span);
        self.need_public(
            &Val { ty: Ty::Num, label: cards.at.clone(), ..Val::broken() },
            what.span,
            "Where the cards come from",
        );
        self.list_move(&cards, zone.zone, face_down);
        // Who sees the target now knows the card that was chosen.
        if let ExprKind::Name(n) = &what.kind {
            let shown = !face_down && target.label.is_public();
            for scope in &mut self.scopes {
                for (key, val) in scope.iter_mut() {
                    if speaks_of(key, n) {
                        if shown {
                            val.label = Label::Public;
                        }
                        val.by = target.by.clone();
                        val.zones = vec![zone.zone];
                    }
                }
            }
        }
        self.emit(Op::Move { what: cards.into_cards(), to: zone, face_down });
    }

    /// Whether everyone sees what lies there, whatever is chosen for the table, and there is always room.
    fn always_open(&self, to: &ast::Expr) -> bool {
        let ExprKind::Index { name, .. } = &to.kind else { return false };
        let Some((Global::Zone(zone), _)) = self.globals.get(&name.text) else { return false };
        let zone = &self.program.zones[usize::from(*zone)];
        zone.holds.is_none() && zone.turned.is_none() && levels(&zone.sees, Sight::min).0 == Sight::Cards
    }

    /// A card that was chosen, and what it has in common with others, are taken to be known; what they were before.
    fn open_up(&mut self, name: &str) -> Vec<(usize, String, Label)> {
        let mut kept = Vec::new();
        for (at, scope) in self.scopes.iter_mut().enumerate() {
            for (key, val) in scope.iter_mut().filter(|(key, _)| speaks_of(key, name)) {
                kept.push((at, key.clone(), std::mem::replace(&mut val.label, Label::Public)));
            }
        }
        kept
    }

    /// In a loop over players, `move hand[p] to hand[next player after p]` would hand on what has just come, too.
    fn not_in_turn(&mut self, cards: &Val, to: &ZoneRef, span: Span) {
        let Code::Cards(Cards::Zone(from)) = &cards.code else { return };
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

    /// Cards go from one player to the next, each at the same time as all others.
    pub(super) fn pass(&mut self, what: &Name, to: &ast::Expr) {
        self.main_or_hook(what.span, "pass");
        let Some(zone) = self.family(what, true) else { return };
        let bound = self.bound();
        let target = self.about_seat(bound, None, |e| e.player(to));
        let target = Val { label: target.label.clone().without_bound(bound), ..target };
        self.need_public(&target, to.span, "Whom the cards go to");
        let cards = self.read_zone(zone, vec![Num::Bound(bound)], Label::Public);
        self.list_move(&cards, zone, false);
        self.emit(Op::Pass { zone, bound, to: target.into_num() });
    }

    pub(super) fn draw(&mut self, count: &ast::Expr, from: &ast::Expr, to: &ast::Expr, face_down: bool) {
        let count = self.public_number(count, "How many cards are drawn");
        let from_val = self.target(from);
        let to_val = self.target(to);
        let (Some((from, cards)), Some((to, _))) = (from_val, to_val) else { return };
        self.list_move(&cards, to.zone, face_down);
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
        self.main_or_hook(to.span, "deal");
        let each = each.map(|e| self.public_number(e, "How many cards are dealt"));
        let start_val = self.player(start);
        self.need_public(&start_val, start.span, "Who is dealt to first");
        let seats = match over {
            Some(e) => self.seats(e, None, "Who is dealt to"),
            None => Seats { bound: self.bound(), cond: None },
        };
        let source = self.target(from);
        let family = self.family(to, true);
        let (Some((from, cards)), Some(zone)) = (source, family) else { return };
        self.list_move(&cards, zone, false);
        self.emit(Op::Deal { from, to: zone, each, start: start_val.into_num(), seats });
    }

    pub(super) fn main_or_hook(&mut self, span: Span, what: &str) {
        if self.place == Place_::Together {
            self.main_only(span, what);
        }
    }

    /// A zone that each player (or each place) has, named without index.
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
        self.main_or_hook(deck.span, "gather");
        let Some((Global::Deck(d), _)) = self.globals.get(&deck.text).copied() else {
            self.unknown_deck(deck);
            return;
        };
        self.used.insert(deck.text.clone());
        let Some((zone, target)) = self.target(to) else { return };
        if target.label.is_public() {
            self.site(
                deck.span,
                format!("all cards of {} are shown in {}", deck.text, self.program.zones[zone.zone as usize].name),
            );
        }
        // With one deck everybody knows afterwards where all cards are. With several, some may have come from anywhere.
        if self.program.decks.len() > 1 {
            self.counts.moved.push((Vec::new(), zone.zone));
        }
        self.emit(Op::Gather { deck: d, to: zone });
    }

    pub(super) fn mix(&mut self, from: &[Name], to: &Name) {
        self.main_only(to.span, "mix");
        let sources: Vec<ZoneId> = from.iter().filter_map(|n| self.family(n, false)).collect();
        let Some(target) = self.family(to, false) else { return };
        let zone = &self.program.zones[target as usize];
        let single_range = matches!(zone.dims[..], [Dim::Range { .. }]);
        if !single_range || zone.remembers != Remembers::PlayerSecretly {
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
        // What is shown, but not where it lay: that is what mixing is for.
        let shown = self.program.zones[target as usize].name.clone();
        for s in &sources {
            let name = self.program.zones[*s as usize].name.clone();
            self.site(to.span, format!("cards of {name} are shown in {shown}, not whose they are"));
        }
        self.counts.moved.push((sources.clone(), target));
        self.emit(Op::Mix { from: sources, to: target });
    }

    /// Lists the places that tell how many cards there are. Of a zone whose count nobody sees everybody knows it all the
    /// same if they saw how many cards came and went each time: it began with a whole deck, or with nothing.
    pub(super) fn list_counts(&mut self) {
        let Counts { moved, told } = std::mem::take(&mut self.counts);
        let seen = |zone: ZoneId| self.sees_label(&self.program.zones[zone as usize].sees, &[]).1.is_public();
        let followed = |zone: ZoneId| {
            moved.iter().all(|(from, to)| {
                let touched = from.is_empty() || from.contains(&zone) || *to == zone;
                let others = from.iter().chain([to]).filter(|other| **other != zone);
                !touched || !from.is_empty() && others.copied().all(seen)
            })
        };
        let news: Vec<RevealSite> =
            told.into_iter().filter(|(_, whole)| !whole.is_some_and(followed)).map(|(site, _)| site).collect();
        self.program.reveals.extend(news);
    }

    /// Moving a card to where more eyes see it tells them what it is.
    fn list_move(&mut self, cards: &Val, to: ZoneId, face_down: bool) {
        let target = &self.program.zones[to as usize];
        let (everyone, owner) = levels(&target.sees, Sight::max);
        let target_name = target.name.clone();
        let names: Vec<String> = cards.zones.iter().map(|z| self.program.zones[*z as usize].name.clone()).collect();
        let from =
            if names.is_empty() { "a chosen card".to_string() } else { format!("cards of {}", names.join(", ")) };
        let source = cards
            .zones
            .iter()
            .map(|z| levels(&self.program.zones[*z as usize].sees, Sight::min).0)
            .min()
            .unwrap_or(Sight::Nothing);
        let span = self.span;
        if !cards.label.is_public() && !face_down && everyone == Sight::Cards {
            self.site(span, format!("{from} are shown in {target_name}"));
        } else if source < Sight::Cards && owner == Sight::Cards && !face_down {
            self.site(span, format!("{from} are shown to the owner of {target_name}"));
        }
        if tells_where(cards) {
            self.site(span, format!("where {from} lay"));
        }
        if !cards.count.is_public() && (everyone >= Sight::Count || source >= Sight::Count) {
            let what = format!("how many {from} go to {target_name}");
            let whole = match &cards.code {
                Code::Cards(Cards::Zone(zone)) => Some(zone.zone),
                _ => None,
            };
            let site = RevealSite { span, pc: self.pc(), what };
            self.counts.told.push((site, whole));
        }
        self.counts.moved.push((cards.zones.clone(), to));
    }

    pub(super) fn owned(&mut self, cards: &Val, span: Span) {
        if self.place != Place_::Together || cards.is_broken() {
            return;
        }
        if !owned_by_me(&cards.clone().into_cards()) {
            self.not_own(span);
        }
    }
}

/// Whether it is the name of this part, or of what its cards have in common: `value of s`.
fn speaks_of(key: &str, part: &str) -> bool {
    key.strip_suffix(part).is_some_and(|before| before.is_empty() || before.ends_with(" of "))
}

/// What everyone, and what the owner, sees of a zone: the most or the least that clauses with a condition leave open.
pub(super) fn levels(sees: &[Sees], open: fn(Sight, Sight) -> Sight) -> (Sight, Sight) {
    let (mut everyone, mut owner) = (Sight::Count, Sight::Count);
    for s in sees {
        let set = |old: Sight| if s.when.is_some() { open(old, s.what) } else { s.what };
        match s.who {
            Who::Everyone => (everyone, owner) = (set(everyone), set(owner)),
            Who::Owner => owner = set(owner),
            Who::Others => everyone = set(everyone),
            Who::Role(_) => {}
        }
    }
    (everyone, owner)
}

/// Taking a card from wherever it lies shows where that was.
fn tells_where(cards: &Val) -> bool {
    fn open(cards: &Cards) -> bool {
        match cards {
            Cards::Family(_) | Cards::Deck(_) => true,
            Cards::Zone(_) | Cards::Picked(_) | Cards::Bound(_) => false,
            Cards::One(n) => match &**n {
                Num::End { of, .. } | Num::Best { of, .. } => open(of),
                Num::CardLiteral(..) => true,
                _ => false,
            },
            Cards::Where { of, .. } | Cards::Ends { of, .. } | Cards::SetsOf { of, .. } => open(of),
            Cards::Union(a, b) => open(a) || open(b),
            Cards::Minus(a, _) => open(a),
        }
    }
    open(&cards.clone().into_cards())
}

fn owned_by_me(cards: &Cards) -> bool {
    match cards {
        Cards::Zone(z) => z.index.first() == Some(&Num::Me),
        Cards::Picked(_) | Cards::Bound(_) => true,
        Cards::One(n) => match &**n {
            Num::End { of, .. } | Num::Best { of, .. } => owned_by_me(of),
            Num::Var(_) => true,
            _ => false,
        },
        Cards::Where { of, .. } | Cards::Ends { of, .. } | Cards::SetsOf { of, .. } => owned_by_me(of),
        Cards::Union(a, b) => owned_by_me(a) && owned_by_me(b),
        Cards::Minus(a, _) => owned_by_me(a),
        Cards::Family(_) | Cards::Deck(_) => false,
    }
}
