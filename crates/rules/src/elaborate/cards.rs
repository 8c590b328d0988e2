//! Selections of cards, with their labels.

use super::label::{HiddenReason, Label, Need, SubjectPart, ValueSource};
use super::names::owner_of;
use super::value::{Code, Pattern, Ty, Val};
use super::{Elaborator, Subject};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;

impl<'a> Elaborator<'a> {
    /// Returns the labels of the faces, of the facing and of the count of a zone that belongs to this player, or to any player.
    fn zone_labels(&self, id: ZoneId, owner: Option<Num>) -> (Label, Label, Label) {
        let zone = &self.program.zones[usize::from(id)];
        let facing = self.seen_label(ValueSource::Zone(id), Visibility::Cards, owner.clone());
        let face = match self.face_down.contains_key(&zone.name) && !switch::is_off() {
            true => Label::nobody(HiddenReason::FaceDown(id)),
            false => facing.clone(),
        };
        (face, facing, self.seen_label(ValueSource::Zone(id), Visibility::Count, owner))
    }

    pub(super) fn read_zone(&mut self, id: ZoneId, index: Vec<Num>, index_label: Label) -> Val {
        let zone = &self.program.zones[id as usize];
        let (face, facing, count) = self.zone_labels(id, owner_of(&zone.dims, &index));
        let by = match zone.remembers {
            PlayerMemory::None => None,
            PlayerMemory::Public => Some(index_label.clone()),
            PlayerMemory::Secret => Some(Label::nobody(HiddenReason::Secret(id))),
        };
        Val {
            ty: Ty::Cards,
            code: Code::Cards(Selection::Zone(ZoneRef { zone: id, index })),
            label: face.join(&index_label),
            count: count.join(&index_label),
            which: Label::PUBLIC,
            by,
            facing: Some(facing.join(&index_label)),
            at: index_label,
            zones: vec![id],
            in_order: false,
        }
    }

    /// Reads all zones of a family: only those who see every zone of it may know the cards.
    pub(super) fn read_family(&mut self, id: ZoneId) -> Val {
        let zone = &self.program.zones[id as usize];
        let (face, facing, count) = self.zone_labels(id, None);
        let by = match zone.remembers {
            PlayerMemory::None => None,
            PlayerMemory::Public => Some(Label::PUBLIC),
            PlayerMemory::Secret => Some(Label::nobody(HiddenReason::Secret(id))),
        };
        Val {
            ty: Ty::Cards,
            code: Code::Cards(Selection::Family(id)),
            label: face,
            count,
            which: Label::PUBLIC,
            by,
            facing: Some(facing),
            at: Label::PUBLIC,
            zones: vec![id],
            in_order: false,
        }
    }

    pub(super) fn selection(&mut self, e: &ast::Expr) -> Val {
        let val = self.expr_expecting(e, &Ty::Cards);
        if !self.need_type(&val, &Ty::Cards, e.span) { Val::broken() } else { val }
    }

    /// Elaborates the cards of a selection that satisfy a condition, whose subject is the card.
    pub(super) fn cards_where(&mut self, base: &ast::Expr, var: Option<&Name>, cond: Option<&ast::Expr>) -> Val {
        let mut base_val = self.expr(base);
        if base_val.is_broken() {
            return base_val;
        }
        if base_val.ty == Ty::Players {
            self.report(
                Diagnostic::error("where/twice", base.span, "Players are chosen with one `where`")
                    .hint("Join the conditions with `and`."),
            );
            return Val::broken();
        }
        if !self.need_type(&base_val, &Ty::Cards, base.span) {
            return Val::broken();
        }
        let Some(cond) = cond else { return base_val };
        let bound = self.new_bound();
        let card = Val {
            zones: if self.lies_anywhere(&base_val) { Vec::new() } else { base_val.zones.clone() },
            ..subject_card(bound, &base_val)
        };
        let mut test = self.scoped(|e| {
            if let Some(v) = var {
                e.bind(v, card.clone());
            }
            e.with_subject(Subject::Card(Box::new(card)), |e| e.expr_expecting(cond, &Ty::YesNo))
        });
        if test.is_broken() || !self.need_type(&test, &Ty::YesNo, cond.span) {
            return Val::broken();
        }
        let only_facing = test.label.reads_only_facing(bound);
        let besides = self.read_besides(&mut test, bound, &base_val);
        let label = base_val.label.clone().join(&test.label);
        // How many cards pass depends on their faces only if the condition reads these.
        let passes = match &base_val.facing {
            Some(facing) if only_facing => test.label.clone().join(facing),
            _ => label.clone(),
        };
        base_val.facing = base_val.facing.take().map(|facing| facing.join(&test.label));
        base_val.count = base_val.count.clone().join(&passes);
        base_val.which = base_val.which.clone().join(&besides);
        base_val.label = label;
        let of = Box::new(base_val.clone().into_cards());
        base_val.ty = Ty::Cards;
        base_val.code = Code::Cards(Selection::Where { of, bound, cond: Box::new(test.into_num()) });
        base_val
    }

    /// Returns what the condition of a filter reads besides the card at which it looks and the other cards of the same
    /// zones. Gives the condition its label outside of the filter.
    pub(super) fn read_besides(&self, test: &mut Val, bound: BoundId, base: &Val) -> Label {
        let read = test.label.take_subject(bound);
        let besides = self.needs_besides(&test.label, base);
        for part in read {
            let of_base = match part {
                SubjectPart::Face => Some(&base.label),
                SubjectPart::Bringer => base.by.as_ref(),
                SubjectPart::Facing => base.facing.as_ref(),
            };
            if let Some(of_base) = of_base {
                test.label = std::mem::take(&mut test.label).join(of_base);
            }
        }
        besides
    }

    /// Returns the needs of a label that do not concern the zones from which these cards come.
    fn needs_besides(&self, label: &Label, cards: &Val) -> Label {
        let of_cards = cards.card_labels();
        let place = cards.clone().into_cards();
        label.without_needs_of(&[]).with_needs(|need| {
            let zone = match need {
                Need::Sees { source: ValueSource::Zone(zone), .. } => *zone,
                Need::Nobody(HiddenReason::FaceDown(zone) | HiddenReason::Secret(zone)) => *zone,
                _ => return true,
            };
            // The need must say which zone of its family it means: `pile[1]` and `pile[2]` have the same needs.
            let exact = match self.program.zones[usize::from(zone)].dims[..] {
                [] => true,
                [Dim::Player] => matches!(need, Need::Sees { .. }) || is_whole_family(&place, zone),
                _ => is_whole_family(&place, zone),
            };
            !of_cards.iter().any(|label| label.needs().contains(need)) || !exact && !switch::is_off()
        })
    }

    pub(super) fn any_card(
        &mut self,
        negated: bool,
        var: Option<&Name>,
        base: &ast::Expr,
        cond: Option<&ast::Expr>,
    ) -> Val {
        let cards = self.cards_where(base, var, cond);
        if cards.is_broken() {
            return cards;
        }
        if let (Some(cond), Code::Cards(Selection::Where { bound, cond: code, .. })) = (cond, &cards.code) {
            self.warn_about_reach(cond, code, *bound, "card", negated);
        }
        let label = cards.count.clone();
        let empty = Num::IsEmpty(cards.into_cards());
        Val::num(Ty::YesNo, if negated { empty } else { Num::Not(Box::new(empty)) }, label)
    }

    pub(super) fn combine_cards(&mut self, minus: bool, a: Val, right: &ast::Expr) -> Val {
        let b = self.expr_expecting(right, &Ty::Cards);
        if b.ty == Ty::Num {
            let sign = if minus { "-" } else { "+" };
            self.report(
                Diagnostic::error("type/mismatch", right.span, "This should be cards")
                    .label(format!("this is a number, and `{sign}` stands behind cards"))
                    .hint(format!("To go on with a number, put brackets around the sum or the count before the sign: `(sum of value of c over card c in hand[p]) {sign} 3`, `count of hand[p] {sign} 3`.")),
            );
            return Val::broken();
        }
        if !self.need_type(&b, &Ty::Cards, right.span) {
            return Val::broken();
        }
        if b.is_broken() {
            return b;
        }
        let label = a.label.clone().join(&b.label);
        let count = if minus { label.clone() } else { a.count.clone().join(&b.count) };
        let which = a.which.clone().join(&b.which);
        let which = if minus { which.join(&b.label.without_needs_of(&a.card_labels())) } else { which };
        let by = a.by.clone().zip(b.by.clone()).map(|(x, y)| x.join(&y));
        let a_at = a.at.clone().join(&b.at);
        let facing =
            a.facing.clone().zip(b.facing.clone()).map(|(x, y)| if minus { x.join(&label) } else { x.join(&y) });
        let mut zones = a.zones.clone();
        if !minus {
            zones.extend(&b.zones);
        }
        let (x, y) = (Box::new(a.into_cards()), Box::new(b.into_cards()));
        let code = Code::Cards(if minus { Selection::Minus(x, y) } else { Selection::Union(x, y) });
        Val { ty: Ty::Cards, code, label, count, which, by, facing, at: a_at, zones, in_order: false }
    }

    /// Returns one card of a selection, with the labels of the selection.
    fn one_of(&self, cards: &Val, num: Num) -> Val {
        Val {
            ty: Ty::Card,
            code: Code::Num(num),
            label: cards.label.clone(),
            // A card that is `none` tells that the selection is empty.
            count: cards.count.clone(),
            which: cards.which.clone(),
            by: cards.by.clone(),
            facing: cards.facing.clone(),
            at: cards.at.clone(),
            zones: cards.zones.clone(),
            in_order: false,
        }
    }

    pub(super) fn end_card(&mut self, last: bool, base: &ast::Expr) -> Val {
        let cards = self.selection(base);
        if cards.is_broken() {
            return cards;
        }
        self.need_order(&cards, base.span, if last { "last" } else { "first" });
        let num = Num::End { last, of: cards.clone().into_cards() };
        self.one_of(&cards, num)
    }

    fn need_order(&mut self, cards: &Val, span: Span, word: &str) {
        if cards.in_order {
            return;
        }
        if let Some(picked) = self.picked_in_no_order(cards) {
            return self.report(
                Diagnostic::error("zone/no-order", span, format!("`{picked}` has no {word} card"))
                    .label("cards that were picked lie in no order")
                    .hint(format!("If their order counts, let the player pick them in order: `2 cards {picked} from hand[p] in order`. Otherwise use `highest card of {picked} by …`.")),
            );
        }
        for z in cards.zones.clone() {
            let zone = &self.program.zones[z as usize];
            if !zone.ordered {
                let name = zone.name.clone();
                let at = zone.span;
                self.report(
                    Diagnostic::error("zone/no-order", span, format!("`{name}` has no {word} card"))
                        .label("its cards lie in no order")
                        .related(at, "declared here")
                        .hint(format!("Add `ordered` to the zone, or say which card is meant: `highest card of {name} by …`, or `random card of {name}` if any will do.")),
                );
            }
        }
    }

    /// Returns the name of picked cards, if a selection takes its cards from some that were picked without `in order`.
    fn picked_in_no_order(&self, cards: &Val) -> Option<String> {
        let Code::Cards(mut selection) = cards.code.clone() else { return None };
        loop {
            selection = match selection {
                Selection::Where { of, .. } | Selection::Ends { of, .. } => *of,
                Selection::Picked(var) if self.unordered_picks.contains(&var) => {
                    return Some(self.program.vars[var as usize].name.clone());
                }
                _ => return None,
            };
        }
    }

    /// Refuses to take the top cards of an unordered zone whose cards are hidden. The engine keeps such a zone in the
    /// order of the deck, so whoever sees its first card would know that no earlier card of the deck lies there.
    pub(super) fn refuse_without_top(&mut self, from: ZoneId, span: Span) {
        let zone = &self.program.zones[usize::from(from)];
        let (name, at, indexed) = (zone.name.clone(), zone.span, !zone.dims.is_empty());
        let in_sight = self.seen_label(ValueSource::Zone(from), Visibility::Cards, None).is_public();
        if zone.ordered || in_sight && !self.face_down.contains_key(&name) || switch::is_off() {
            return;
        }
        if zone.starts_with.is_some() {
            let what = format!("which cards of `{name}` come first: it has no order, so they come as in the deck");
            self.list(RevealKind::Hidden, span, what);
            return;
        }
        let index = if indexed { "[…]" } else { "" };
        self.report(
            Diagnostic::error("zone/no-order", span, format!("`{name}` has no top card"))
                .label("its cards lie in no order")
                .related(at, "declared here")
                .hint(format!("Add `ordered` to the zone and shuffle it first, or take a card at random: `move random card of {name}{index} to …`.")),
        );
    }

    pub(super) fn end_cards(&mut self, last: bool, count: &ast::Expr, base: &ast::Expr) -> Val {
        let n = self.expr_expecting(count, &Ty::Num);
        let mut cards = self.selection(base);
        if cards.is_broken() || n.is_broken() || !self.need_type(&n, &Ty::Num, count.span) {
            return Val::broken();
        }
        self.need_order(&cards, base.span, if last { "last" } else { "first" });
        cards.which = cards.which.clone().join(&self.needs_besides(&n.label, &cards));
        cards.label = cards.label.clone().join(&n.label);
        cards.count = cards.count.clone().join(&n.label);
        cards.facing = cards.facing.take().map(|facing| facing.join(&n.label));
        let of = Box::new(cards.clone().into_cards());
        cards.code = Code::Cards(Selection::Ends { last, count: Box::new(n.into_num()), of });
        cards
    }

    /// Elaborates `card 3 of row`: the last of the first three cards, if there are so many.
    pub(super) fn nth_card(&mut self, place: &ast::Expr, base: &ast::Expr) -> Val {
        let n = self.expr_expecting(place, &Ty::Num);
        let cards = self.selection(base);
        if cards.is_broken() || n.is_broken() || !self.need_type(&n, &Ty::Num, place.span) {
            return Val::broken();
        }
        if let Code::Num(Num::Const(n)) = &n.code
            && *n < 1
        {
            self.report(
                Diagnostic::error("card/place", place.span, "There is no such place")
                    .label("the first card is number 1")
                    .hint("The last one is `last card of …`."),
            );
            return Val::broken();
        }
        self.need_order(&cards, base.span, "first");
        let place = n.as_num();
        let of = Box::new(cards.clone().into_cards());
        let first = Selection::Ends { last: false, count: Box::new(place.clone()), of: of.clone() };
        let compare = |cmp, a: Num, b: Num| Box::new(Num::Cmp(cmp, Box::new(a), Box::new(b)));
        let exists = Num::And(compare(Cmp::Ge, place.clone(), Num::Const(1)), compare(Cmp::Le, place, Num::Count(*of)));
        let card = Num::End { last: true, of: first };
        let num = Num::If(Box::new(exists), Box::new(card), Box::new(Num::Const(NONE)));
        let mut val = self.one_of(&cards, num);
        // Whether there is such a card depends on how many there are, and on the place.
        val.which = val.which.clone().join(&self.needs_besides(&n.label, &cards));
        val.label = val.label.clone().join(&n.label).join(&cards.count);
        val.count = val.count.clone().join(&n.label);
        val.facing = val.facing.take().map(|facing| facing.join(&n.label).join(&cards.count));
        val
    }

    pub(super) fn best_card(&mut self, highest: bool, base: &ast::Expr, by: &Name) -> Val {
        let cards = self.selection(base);
        let Some(attr) = self.attr_name(by) else { return Val::broken() };
        if cards.is_broken() {
            return cards;
        }
        let num = Num::Best { highest, of: cards.clone().into_cards(), by: attr };
        // The faces decide which card it is.
        let facing = cards.facing.clone().map(|facing| facing.join(&cards.label));
        Val { facing, ..self.one_of(&cards, num) }
    }

    pub(super) fn random_card(&mut self, base: &ast::Expr, span: Span) -> Val {
        let cards = self.selection(base);
        if cards.is_broken() || !self.can_act(span, "random") {
            return Val::broken();
        }
        let var = self.local("random card", Type::Card);
        self.emit(Op::RandomCard { to: var, among: cards.clone().into_cards() });
        Val { facing: None, ..self.one_of(&cards, Num::Var(var)) }
    }

    pub(super) fn sets_of(&mut self, size: &ast::Expr, attr: &Name, base: &ast::Expr) -> Val {
        let n = self.expr_expecting(size, &Ty::Num);
        let Some(attr) = self.attr_name(attr) else { return Val::broken() };
        let mut cards = self.selection(base);
        if cards.is_broken() || n.is_broken() || !self.need_type(&n, &Ty::Num, size.span) {
            return Val::broken();
        }
        cards.which = cards.which.clone().join(&self.needs_besides(&n.label, &cards));
        cards.label = cards.label.clone().join(&n.label);
        cards.count = cards.count.clone().join(&cards.label);
        cards.facing = cards.facing.take().map(|facing| facing.join(&cards.label));
        let of = Box::new(cards.clone().into_cards());
        cards.code = Code::Cards(Selection::SetsOf { size: Box::new(n.into_num()), attr, of });
        cards
    }

    pub(super) fn attr_of(&mut self, attr: AttrId, card: Val) -> Val {
        if let Code::Pattern(Pattern::Attrs(_, values)) = &card.code
            && let Some((_, v)) = values.iter().find(|(a, _)| *a == attr)
        {
            return Val::constant(Ty::Attr(attr), *v);
        }
        let label = card.label.clone();
        Val::num(Ty::Attr(attr), Num::CardAttr(attr, Box::new(card.into_num())), label)
    }

    pub(super) fn player_of(&mut self, arg: &ast::Expr, span: Span) -> Val {
        let card = self.expr_expecting(arg, &Ty::Card);
        if card.is_broken() || !self.need_type(&card, &Ty::Card, arg.span) {
            return Val::broken();
        }
        let Some(by) = card.by.clone() else {
            self.report(
                Diagnostic::error("zone/forgets", span, "Nobody remembers who brought this card")
                    .label("its zone does not remember players")
                    .hint("Add `remembers player` to the zone it lies in."),
            );
            return Val::broken();
        };
        let label = card.label.clone().join(&by);
        Val::num(Ty::Player, Num::PlayerOf(Box::new(card.into_num())), label)
    }

    pub(super) fn count(&mut self, what: &ast::Expr) -> Val {
        if let Some(val) = self.fold_domain(Fold::Count, what, None) {
            return val;
        }
        let val = self.expr(what);
        match val.ty {
            Ty::Broken => val,
            Ty::DiceSet(_) => {
                let label = val.label.clone();
                Val::num(Ty::Num, Num::DiceCount(Box::new(val.into_num())), label)
            }
            Ty::Cards | Ty::Card => {
                let label = val.count.clone();
                Val::num(Ty::Num, Num::Count(val.into_cards()), label)
            }
            _ => {
                let found = self.ty_name(&val.ty);
                self.report(
                    Diagnostic::error("count/what", what.span, "This can't be counted")
                        .label(format!("this is {found}"))
                        .hint("Cards, players and ranges can: count of hand[p], count of players where …"),
                );
                Val::broken()
            }
        }
    }
}

/// Returns the card at which a filter looks. Its labels say only that the filter looks at it.
pub(super) fn subject_card(bound: BoundId, base: &Val) -> Val {
    let marked = |label: &Label, of: SubjectPart| match label.is_public() {
        true => label.clone(),
        false => Label::of(Need::Subject { card: bound, of }),
    };
    Val {
        ty: Ty::Card,
        code: Code::Num(Num::Bound(bound)),
        label: marked(&base.label, SubjectPart::Face),
        by: base.by.as_ref().map(|by| marked(by, SubjectPart::Bringer)),
        // Marked even if it is open to all, because how many cards pass a filter may depend on nothing else.
        facing: base.facing.as_ref().map(|_| Label::of(Need::Subject { card: bound, of: SubjectPart::Facing })),
        zones: base.zones.clone(),
        ..Val::broken()
    }
}

/// Whether a selection takes its cards of this family from all of its zones.
fn is_whole_family(cards: &Selection, family: ZoneId) -> bool {
    match cards {
        Selection::Family(zone) => *zone == family,
        Selection::Where { of, .. } | Selection::Ends { of, .. } | Selection::SetsOf { of, .. } => {
            is_whole_family(of, family)
        }
        Selection::Union(a, b) => is_whole_family(a, family) || is_whole_family(b, family),
        Selection::Minus(a, _) => is_whole_family(a, family),
        Selection::One(card) => match &**card {
            Num::End { of, .. } | Num::Best { of, .. } => is_whole_family(of, family),
            Num::If(_, a, b) => [a, b].into_iter().any(|card| is_whole_family(&Selection::One(card.clone()), family)),
            _ => false,
        },
        Selection::Zone(_) | Selection::Deck(_) | Selection::Picked(_) | Selection::Bound(_) => false,
    }
}
