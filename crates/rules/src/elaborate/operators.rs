//! Operators: arithmetic, comparisons, logic.

use super::Elaborator;
use super::apart::apart_if;
use super::dice::dice_has;
use super::value::{Code, DicePick, Pattern, Ty, Val};
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;

impl<'a> Elaborator<'a> {
    pub(super) fn unary(&mut self, op: UnaryOp, arg: &ast::Expr) -> Val {
        let (want, wrap): (Ty, fn(Box<Num>) -> Num) = match op {
            UnaryOp::Not => (Ty::YesNo, Num::Not),
            UnaryOp::Minus => (Ty::Num, Num::Neg),
        };
        let val = self.expr_expecting(arg, &want);
        if val.is_broken() || !self.need_type(&val, &want, arg.span) {
            return Val::broken();
        }
        let label = val.label.clone();
        Val::num(want, super::constant::fold(wrap(Box::new(val.into_num()))), label)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Val {
        match op {
            BinaryOp::Or | BinaryOp::And => {
                let a = self.expr_expecting(left, &Ty::YesNo);
                // The value of `a and b` depends on `b` only if `a` holds, so `b` may use the facts that follow from `a`. If
                // no facts follow from `a`, but some follow from `b`, then `a` may use those, and the engine evaluates `b`
                // first: otherwise `a` could use up the budget where its player may not know its value, and so tell it.
                let of_a = apart_if(&a.as_num(), op == BinaryOp::And);
                let b = self.with_facts(&of_a, |e| e.expr_expecting(right, &Ty::YesNo));
                let of_b = apart_if(&b.as_num(), op == BinaryOp::And);
                let ok = self.need_type(&a, &Ty::YesNo, left.span) & self.need_type(&b, &Ty::YesNo, right.span);
                if !ok || a.is_broken() || b.is_broken() {
                    return Val::broken();
                }
                let mut label = a.label.clone();
                let mut first = a.into_num();
                let mut second = b.as_num();
                if of_a.is_empty() && !of_b.is_empty() {
                    label = label.where_apart(&of_b);
                    if !switch::is_off() {
                        std::mem::swap(&mut first, &mut second);
                    }
                }
                let label = label.join(&b.label);
                let (a, b) = (Box::new(first), Box::new(second));
                Val::num(Ty::YesNo, if op == BinaryOp::Or { Num::Or(a, b) } else { Num::And(a, b) }, label)
            }
            BinaryOp::Is | BinaryOp::IsNot => {
                self.check_itself(left, right, span);
                self.check_ranges(op, left, right, span);
                self.equals(op == BinaryOp::IsNot, left, right, span)
            }
            BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq => {
                self.check_itself(left, right, span);
                self.check_ranges(op, left, right, span);
                self.order(op, left, right)
            }
            BinaryOp::In | BinaryOp::NotIn => self.membership(op == BinaryOp::NotIn, left, right),
            _ => self.arithmetic(op, left, right),
        }
    }

    /// Elaborates both sides of a comparison; the type of one side decides what a bare word on the other side means.
    fn pair(&mut self, left: &ast::Expr, right: &ast::Expr) -> (Val, Val) {
        let depends_on_type = |e: &ast::Expr| {
            use ast::ExprKind::{Name, None, Number, Suit};
            matches!(e.kind, Name(_) | Suit(_) | Number(_) | None)
        };
        if depends_on_type(left) && !depends_on_type(right) {
            let b = self.expr(right);
            let a = self.expr_expecting(left, &b.ty.clone());
            return (a, b);
        }
        let a = self.expr(left);
        let b = self.expr_expecting(right, &a.ty.clone());
        (a, b)
    }

    fn equals(&mut self, negated: bool, left: &ast::Expr, right: &ast::Expr, span: Span) -> Val {
        if let ast::ExprKind::Name(n) = &right.kind
            && n == "blank"
        {
            let card = self.expr(left);
            if card.ty == Ty::Card {
                // Whether a card is blank is decided by its deck. Writing on the card does not change it.
                let label = card.label.clone();
                return self.negate_if(negated, Val::num(Ty::YesNo, Num::CardBlank(Box::new(card.into_num())), label));
            }
        }
        let (a, b) = self.pair(left, right);
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let (of_a, of_b) = (a.ty.clone(), b.ty.clone());
        let (a, b) = (self.named_card(a, left, &of_b), self.named_card(b, right, &of_a));
        let label = a.label.clone().join(&b.label);
        let num = match (&a.code, &b.code) {
            (_, Code::Pattern(p)) if a.ty == Ty::Card => p.matches(a.as_num()),
            (Code::Pattern(p), _) if b.ty == Ty::Card => p.matches(b.as_num()),
            (Code::Num(x), Code::Num(y)) if self.fits(&a.ty, &b.ty) || self.fits(&b.ty, &a.ty) => {
                Num::Cmp(Cmp::Eq, Box::new(x.clone()), Box::new(y.clone()))
            }
            _ => {
                let (l, r) = (self.ty_name(&a.ty), self.ty_name(&b.ty));
                let mut d =
                    Diagnostic::error("type/compare", span, "These can't be equal").label(format!("{l} and {r}"));
                d.hint = self
                    .needless_quotes(&a.ty, right)
                    .or_else(|| self.needless_quotes(&b.ty, left))
                    .or_else(|| self.unknown_card_name(&a.ty, right))
                    .or_else(|| self.unknown_card_name(&b.ty, left));
                self.report(d);
                return Val::broken();
            }
        };
        self.negate_if(negated, Val::num(Ty::YesNo, num, label))
    }

    /// Reads `"Short hedge"` as the name of a card where a card is compared with it. A name that is one word stands
    /// without quotes.
    fn named_card(&self, val: Val, e: &ast::Expr, other: &Ty) -> Val {
        let (Ty::Card, ast::ExprKind::Text(text)) = (other, &e.kind) else { return val };
        match &text.parts[..] {
            [ast::TextPart::Plain(name)] if self.card_names.contains(name) && !is_one_word(name) => {
                Val { ty: Ty::Card, code: Code::Pattern(Pattern::Named(name.clone())), ..Val::broken() }
            }
            _ => val,
        }
    }

    /// Returns a hint for `rank of c is "Q"`: values of cards and choices are words, not texts.
    fn needless_quotes(&self, ty: &Ty, e: &ast::Expr) -> Option<String> {
        let ast::ExprKind::Text(text) = &e.kind else { return None };
        let [ast::TextPart::Plain(word)] = &text.parts[..] else { return None };
        let card = *ty == Ty::Card && self.card_names.contains(word) && is_one_word(word);
        (card || self.value_word(word, ty).is_some()).then(|| format!("Write it without quotes: `{word}`."))
    }

    /// Returns a hint for `c is "Jestr"`: a card can be compared with the names of cards, not with texts.
    fn unknown_card_name(&self, ty: &Ty, e: &ast::Expr) -> Option<String> {
        let (Ty::Card, ast::ExprKind::Text(text)) = (ty, &e.kind) else { return None };
        let names: Vec<&str> = self.card_names.iter().map(String::as_str).collect();
        if let [ast::TextPart::Plain(word)] = &text.parts[..]
            && let Some(near) = did_you_mean(word, names.iter().copied())
        {
            let near = if is_one_word(&near) { near } else { format!("\"{near}\"") };
            return Some(format!("Did you mean `{near}`?"));
        }
        Some(match names.is_empty() {
            true => "A card is compared with a card (`c is A♠`), or by its attributes (`rank of c is A`).".to_owned(),
            false => "No card is called so. Cards get names from `called` and `with`; pack cards have none, only a text: `{text of c}`.".to_owned(),
        })
    }

    fn negate_if(&mut self, negated: bool, mut val: Val) -> Val {
        if negated && let Code::Num(n) = val.code {
            val.code = Code::Num(match n {
                Num::Cmp(Cmp::Eq, a, b) => Num::Cmp(Cmp::Ne, a, b),
                other => Num::Not(Box::new(other)),
            });
        }
        val
    }

    fn order(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Val {
        let (a, b) = self.pair(left, right);
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let comparable =
            (self.is_numeric(&a.ty) && self.is_numeric(&b.ty)) || (a.ty == b.ty && matches!(a.ty, Ty::Attr(_)));
        if !comparable {
            let (l, r) = (self.ty_name(&a.ty), self.ty_name(&b.ty));
            self.report(
                Diagnostic::error("type/order", left.span.to(right.span), "These can't be put in order")
                    .label(format!("{l} and {r}"))
                    .hint("Compare numbers, or the same attribute of two cards: rank of c > rank of d."),
            );
            return Val::broken();
        }
        let cmp = match op {
            BinaryOp::Less => Cmp::Lt,
            BinaryOp::LessEq => Cmp::Le,
            BinaryOp::Greater => Cmp::Gt,
            _ => Cmp::Ge,
        };
        let label = a.label.clone().join(&b.label);
        Val::num(Ty::YesNo, Num::Cmp(cmp, Box::new(a.into_num()), Box::new(b.into_num())), label)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Val {
        let a = self.expr(left);
        if matches!(a.ty, Ty::Cards | Ty::Card) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return self.combine_cards(op == BinaryOp::Sub, a, right);
        }
        let b = self.expr(right);
        if self.refuse_reach(&a, &b, left, right) {
            return Val::broken();
        }
        let ok = self.need_type(&a, &Ty::Num, left.span) & self.need_type(&b, &Ty::Num, right.span);
        if !ok || a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let arith = match op {
            BinaryOp::Add => Arith::Add,
            BinaryOp::Sub => Arith::Sub,
            BinaryOp::Mul => Arith::Mul,
            BinaryOp::Div => Arith::Div,
            BinaryOp::Power => Arith::Power,
            _ => Arith::Mod,
        };
        let label = a.label.clone().join(&b.label);
        let num = super::constant::fold(Num::Arith(arith, Box::new(a.into_num()), Box::new(b.as_num())));
        if arith == Arith::Power && !self.check_power(&num, &b.into_num(), left.span.to(right.span), right.span) {
            return Val::broken();
        }
        Val::num(Ty::Num, num, label)
    }

    /// Refuses a power that is certainly too large, and an exponent below 0. Returns whether it accepts the power.
    fn check_power(&mut self, power: &Num, exponent: &Num, span: Span, exponent_span: Span) -> bool {
        if let Num::Const(n) = exponent
            && *n < 0
        {
            self.report(
                Diagnostic::error("range/negative", exponent_span, "An exponent can't be less than 0")
                    .label("too low")
                    .hint("Numbers are whole: divide instead, `1 / 2 ^ n`, and mind that it rounds towards zero."),
            );
            return false;
        }
        if let Num::Const(n) = power
            && n.unsigned_abs() > 999_999_999
        {
            self.report(
                Diagnostic::error("number/too-large", span, "This number is too large").label("at most 999999999"),
            );
            return false;
        }
        true
    }

    /// Elaborates `min(a, b)` and `max(a, b)`.
    pub(super) fn least_or_most(&mut self, op: Arith, name: &Name, args: &[ast::Expr], span: Span) -> Val {
        if args.len() < 2 {
            let of = &name.text;
            self.report(
                Diagnostic::error("call/arguments", span, format!("`{of}` takes two numbers or more"))
                    .label(format!("{} given", args.len()))
                    .hint(format!("Write `{of}(a, b)`; of all players `{of} of score[r] over player r`.")),
            );
            return Val::broken();
        }
        let mut result: Option<Val> = None;
        for arg in args {
            let val = self.expr_expecting(arg, &Ty::Num);
            if val.is_broken() || !self.need_type(&val, &Ty::Num, arg.span) {
                return Val::broken();
            }
            result = Some(match result {
                None => Val::num(Ty::Num, val.as_num(), val.label.clone()),
                Some(so_far) => {
                    let label = so_far.label.clone().join(&val.label);
                    let num = Num::Arith(op, Box::new(so_far.into_num()), Box::new(val.into_num()));
                    Val::num(Ty::Num, super::constant::fold(num), label)
                }
            });
        }
        result.unwrap_or_else(Val::broken)
    }

    fn membership(&mut self, negated: bool, left: &ast::Expr, right: &ast::Expr) -> Val {
        let card = self.expr_expecting(left, &Ty::Card);
        let cards = self.expr(right);
        if card.is_broken() || cards.is_broken() {
            return Val::broken();
        }
        if let Ty::DiceSet(DicePick { low, .. }) = cards.ty {
            if !self.need_type(&card, &Ty::Num, left.span) {
                return Val::broken();
            }
            let label = card.label.clone().join(&cards.label);
            let num = dice_has(cards.into_num(), low, card.into_num());
            return self.negate_if(negated, Val::num(Ty::YesNo, num, label));
        }
        let ok = self.need_type(&card, &Ty::Card, left.span) & self.need_type(&cards, &Ty::Cards, right.span);
        if !ok {
            return Val::broken();
        }
        let label = card.label.clone().join(&cards.label);
        let num = match &card.code {
            Code::Pattern(p) => {
                let bound = self.new_bound();
                let cond = Box::new(p.matches(Num::Bound(bound)));
                let of = Box::new(cards.into_cards());
                Num::Not(Box::new(Num::IsEmpty(Selection::Where { of, bound, cond })))
            }
            _ => Num::Holds(cards.clone().into_cards(), Box::new(card.into_num())),
        };
        self.negate_if(negated, Val::num(Ty::YesNo, num, label))
    }

    pub(super) fn is_a(&mut self, arg: &ast::Expr, what: &Name, negated: bool) -> Val {
        let val = self.expr(arg);
        if val.is_broken() {
            return val;
        }
        let result = match what.text.as_str() {
            "empty" => {
                if !self.need_type(&val, &Ty::Cards, arg.span) {
                    return Val::broken();
                }
                let label = val.count.clone();
                Val::num(Ty::YesNo, Num::IsEmpty(val.into_cards()), label)
            }
            "face up" | "face down" => return self.facing(arg, val, what, negated),
            seat => {
                if !self.need_type(&val, &Ty::Player, arg.span) {
                    return Val::broken();
                }
                let label = val.label.clone();
                let n = Box::new(val.into_num());
                let num = match seat {
                    "present" => Num::SeatPresent(n),
                    "playing" => Num::SeatPlaying(n),
                    _ => Num::SeatPerson(n),
                };
                Val::num(Ty::YesNo, num, label)
            }
        };
        self.negate_if(negated, result)
    }

    /// Elaborates `c is face up` and `c is face down`. Who sees the cards of a zone sees which of them lie face down, though not
    /// what these are.
    fn facing(&mut self, arg: &ast::Expr, card: Val, what: &Name, negated: bool) -> Val {
        if card.ty == Ty::Cards {
            let cards = match card.zones.first() {
                Some(zone) => {
                    let zone = &self.program.zones[usize::from(*zone)];
                    format!("{}{}", zone.name, if zone.dims.is_empty() { "" } else { "[…]" })
                }
                None => "row".to_owned(),
            };
            self.report(
                Diagnostic::error("facing/several", arg.span, "Several cards don't lie one way")
                    .label("cards, not a card")
                    .hint(format!(
                        "Say which: `any card in {cards} where card is {0}`, `last card of {cards} is {0}`.",
                        what.text
                    )),
            );
            return Val::broken();
        }
        if !self.need_type(&card, &Ty::Card, arg.span) {
            return Val::broken();
        }
        let Some(label) = card.facing.clone() else {
            self.report(
                Diagnostic::error("facing/where", arg.span, "Nothing says where this card lies now")
                    .label("it may have gone anywhere")
                    .hint(format!("Name its place: `last card of row[1] is {}`.", what.text)),
            );
            return Val::broken();
        };
        let down = what.text == "face down";
        let never = !card.zones.iter().any(|zone| {
            let name = &self.program.zones[usize::from(*zone)].name;
            self.face_down.contains_key(name)
        });
        if never && !card.zones.is_empty() {
            let zone = &self.program.zones[usize::from(card.zones[0])];
            let (name, at) = (zone.name.clone(), zone.span);
            self.report(
                Diagnostic::error("facing/always", arg.span.to(what.span), format!("No card of `{name}` ever lies face down"))
                    .label(if down == negated { "always so" } else { "never so" })
                    .related(at, "declared here")
                    .hint(format!("Cards come to lie so by `move … to {name} face down`, `draw … to {name} face down` or `turn … face down`.")),
            );
            return Val::broken();
        }
        let val = Val::num(Ty::YesNo, Num::CardFacing { card: Box::new(card.into_num()), down }, label);
        self.negate_if(negated, val)
    }
}

/// Whether a name can stand in the rules without quotes.
fn is_one_word(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters && !name.starts_with(|c: char| c.is_ascii_digit()) && !crate::parse::is_reserved(name)
}
