//! Expressions: finds the function that elaborates each form.

use super::apart::apart_if;
use super::label::Label;
use super::value::{Code, Pattern, Ty, Val};
use super::{Elaborator, Global, PlayerAtHand, Subject};
use crate::ast::{self, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;

impl<'a> Elaborator<'a> {
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Val {
        self.expr_with(e, None)
    }

    /// Elaborates an expression where a type is expected; a bare word may then mean a value of that type.
    pub(super) fn expr_expecting(&mut self, e: &ast::Expr, ty: &Ty) -> Val {
        self.expr_with(e, Some(ty))
    }

    fn expr_with(&mut self, e: &ast::Expr, expected: Option<&Ty>) -> Val {
        if self.over_budget(e.span) {
            return Val::broken();
        }
        match &e.kind {
            ExprKind::Number(n) => self.number(*n, e.span, expected),
            ExprKind::Text(t) => self.text_value(t),
            ExprKind::YesNo(b) => Val::constant(Ty::YesNo, i32::from(*b)),
            ExprKind::Nobody => Val::constant(Ty::Player, NONE),
            ExprKind::None => match expected {
                Some(ty @ Ty::Attr(_)) => Val::constant(ty.clone(), NONE_VALUE),
                Some(ty @ Ty::Choice(_)) => {
                    self.value_word("none", ty).unwrap_or_else(|| Val::constant(Ty::Card, NONE))
                }
                _ => Val::constant(Ty::Card, NONE),
            },
            ExprKind::Card { rank, suit } => self.card_literal(rank, *suit, e.span),
            ExprKind::Suit(c) => self.name(&c.to_string(), e.span, expected),
            ExprKind::Name(n) => self.name(n, e.span, expected),
            ExprKind::Index { name, args } => self.index(name, args, e.span),
            ExprKind::Call { name, args } => self.call(name, args, e.span),
            ExprKind::Of { name, arg } => self.of(name, arg, e.span),
            ExprKind::Count(what) => self.count(what),
            ExprKind::Where { base, cond } => self.cards_where(base, None, Some(cond)),
            ExprKind::Players { var, cond } => self.players(var.as_ref(), cond.as_deref()),
            ExprKind::AnyCard { negated, var, base, cond } => {
                self.any_card(*negated, var.as_ref(), base, cond.as_deref())
            }
            ExprKind::AnyOf { negated, domain } => self.any_of(*negated, domain),
            ExprKind::EndCard { last, base } => self.end_card(*last, base),
            ExprKind::NthCard { place, base } => self.nth_card(place, base),
            ExprKind::EndCards { last, count, base } => self.end_cards(*last, count, base),
            ExprKind::Letters { count, text } => self.letters(count, text),
            ExprKind::BestCard { highest, base, by } => self.best_card(*highest, base, by),
            ExprKind::RandomCard(base) => self.random_card(base, e.span),
            ExprKind::SetsOf { size, attr, base } => self.sets_of(size, attr, base),
            ExprKind::FirstPlayer { var, from, cond } => {
                self.first_player(var.as_ref(), from.as_deref(), cond.as_deref())
            }
            ExprKind::NextPlayer { back, var, after, cond } => {
                self.next_player(*back, var.as_ref(), after, cond.as_deref())
            }
            ExprKind::NextValue { back, attr, after, wrapping } => {
                self.next_value(*back, attr, after, *wrapping, e.span)
            }
            ExprKind::RandomPlayer { var, cond } => self.random_player(var.as_ref(), cond.as_deref(), e.span),
            ExprKind::Fold { op, value, over } => self.fold_over(*op, value, over),
            ExprKind::If { cond, then, otherwise } => self.if_value(cond, then, otherwise, expected),
            ExprKind::Reveal { what, to } => self.reveal_value(what, to.as_deref(), e.span, expected),
            ExprKind::Unary { op, arg } => self.unary(*op, arg),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, e.span),
            ExprKind::IsA { arg, what, negated } => self.is_a(arg, what, *negated),
            ExprKind::Domain { .. } | ExprKind::CardDomain { .. } | ExprKind::Range(..) => {
                self.report(
                    Diagnostic::error("expr/domain", e.span, "A list of values can't stand here on its own")
                        .label("a single value is needed")
                        .hint("Lists are used after `for`, `any`, `no`, `count of` and `over`."),
                );
                Val::broken()
            }
            ExprKind::Broken => Val::broken(),
        }
    }

    fn number(&mut self, n: i64, span: Span, expected: Option<&Ty>) -> Val {
        // In `rank is 10` the number is the name of a value.
        if let Some(ty @ Ty::Attr(_)) = expected
            && !self.is_numeric(ty)
        {
            if let Some(val) = self.value_word(&n.to_string(), ty) {
                return val;
            }
            if let Ty::Attr(a) = ty {
                let name = Name { text: n.to_string(), span };
                self.attr_word(*a, &name);
                return Val::broken();
            }
        }
        if self.numbered_seats && expected == Some(&Ty::Player) && (1..=MAX_SEATS as i64).contains(&n) {
            return Val::constant(Ty::Player, n as i32 - 1);
        }
        match i32::try_from(n) {
            Ok(n) if n.abs() <= 1_000_000_000 => Val::constant(Ty::Num, n),
            _ => {
                self.report(
                    Diagnostic::error("number/too-large", span, "This number is too large").label("at most 1000000000"),
                );
                Val::broken()
            }
        }
    }

    pub(super) fn card_literal(&mut self, rank: &str, suit: char, span: Span) -> Val {
        let (Some(&s), Some(&r)) = (self.attrs.get("suit"), self.attrs.get("rank")) else {
            self.report(
                Diagnostic::error("card/no-deck", span, "There are no such cards in this game")
                    .label("needs a standard deck")
                    .hint("Declare one: deck cards: standard52"),
            );
            return Val::broken();
        };
        let (Some(sv), Some(rv)) = (self.attr_value(s, &suit.to_string()), self.attr_value(r, rank)) else {
            self.report(
                Diagnostic::error("card/unknown", span, format!("There is no card {rank}{suit}"))
                    .label("not in the deck")
                    .hint("Cards are written rank first: A♠, 10♥, Q♣."),
            );
            return Val::broken();
        };
        let deck = self.program.decks.iter().position(|d| d.pack_type.is_none()).unwrap_or(0) as DeckId;
        Val { ty: Ty::Card, code: Code::Pattern(Pattern::Attrs(deck, vec![(s, sv), (r, rv)])), ..Val::broken() }
    }

    fn index(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Val {
        if self.scopes.get(&name.text).is_some() {
            self.report(
                Diagnostic::error("index/not-indexed", span, format!("`{}` has no index", name.text))
                    .label("it is a single thing"),
            );
            return Val::broken();
        }
        let Some((global, _)) = self.globals.get(&name.text).copied() else {
            let names = self.known_names();
            let refs: Vec<&str> = names.iter().map(String::as_str).collect();
            let d = Diagnostic::error("name/unknown", name.span, format!("Nothing is called `{}`", name.text))
                .label("not known here");
            self.report(match did_you_mean(&name.text, refs.iter().copied()) {
                Some(near) => d.hint(format!("Did you mean `{near}`?")),
                None => d,
            });
            return Val::broken();
        };
        self.used.insert(name.text.clone());
        let dims = match global {
            Global::Var(v) => self.program.vars[v as usize].dims.clone(),
            Global::Zone(z) => self.program.zones[z as usize].dims.clone(),
            Global::Table(t) => self.table_dims.get(&t).copied().into_iter().collect(),
            _ => {
                self.report(
                    Diagnostic::error("index/not-indexed", span, format!("`{}` has no index", name.text))
                        .label("only zones, state, dice and tables can have one"),
                );
                return Val::broken();
            }
        };
        if self.options_only {
            self.report(
                Diagnostic::error("name/options-only", span, format!("`{}` is not known yet here", name.text))
                    .label("only options can be used here"),
            );
            return Val::broken();
        }
        let Some((nums, label)) = self.index_args(&dims, args, name, span) else { return Val::broken() };
        match global {
            Global::Var(v) => {
                let mut val = self.read_var(v, nums);
                val.label = val.label.join(&label);
                val
            }
            Global::Zone(z) => self.read_zone(z, nums, label),
            Global::Table(t) => self.read_table(t, nums, label),
            _ => unreachable!("checked above"),
        }
    }

    pub(super) fn index_args(
        &mut self,
        dims: &[Dim],
        args: &[ast::Expr],
        name: &Name,
        span: Span,
    ) -> Option<(Vec<Num>, Label)> {
        if self.spoiled.contains(&name.text) {
            return None;
        }
        if dims.len() != args.len() {
            // An index whose declaration was refused is no second mistake.
            let before = self.diags.len();
            let spoiled = args.iter().any(|arg| self.expr(arg).is_broken());
            if spoiled {
                return None;
            }
            self.diags.truncate(before);
            let d = Diagnostic::error("index/count", span, format!("`{}` is used with the wrong index", name.text));
            self.report(match dims.len() {
                0 => d.label("there is only one").hint(format!("Write just `{}`.", name.text)),
                n => d.label(format!("needs {n} in the brackets")),
            });
            return None;
        }
        let mut label = Label::PUBLIC;
        let mut nums = Vec::new();
        for (dim, arg) in dims.iter().zip(args) {
            let want = match dim {
                Dim::Player => Ty::Player,
                Dim::Range { .. } => Ty::Num,
                Dim::Attr(a) => Ty::Attr(*a),
            };
            let val = self.expr_expecting(arg, &want);
            self.need_type(&val, &want, arg.span);
            if let (Dim::Range { low, high }, Code::Num(Num::Const(n))) = (dim, &val.code)
                && !(low..=high).contains(&n)
            {
                self.report(
                    Diagnostic::error("index/out-of-range", arg.span, format!("There is no `{}[{n}]`", name.text))
                        .label(format!("it goes from {low} to {high}")),
                );
            }
            label = label.join(&val.label);
            nums.push(val.into_num());
        }
        Some((nums, label))
    }

    fn call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Val {
        if name.text == "filled" {
            return self.filled(args, span);
        }
        match self.globals.get(&name.text).copied() {
            None if name.text == "min" => self.least_or_most(Arith::Min, name, args, span),
            None if name.text == "max" => self.least_or_most(Arith::Max, name, args, span),
            Some((Global::Define(i), _)) => self.expand_define(i, args, span),
            Some((Global::Rule(_), _)) => {
                self.report(
                    Diagnostic::error("name/rule-as-value", span, format!("`{}` is a rule, not a value", name.text))
                        .label("a rule has no value")
                        .hint(format!("Run it on a line of its own: `do {}(…)`.", name.text)),
                );
                Val::broken()
            }
            _ => {
                let names: Vec<String> = self.defines.iter().map(|d| d.name.text.clone()).collect();
                let refs: Vec<&str> = names.iter().map(String::as_str).collect();
                let d = Diagnostic::error("call/unknown", name.span, format!("There is no define `{}`", name.text))
                    .label("not defined");
                self.report(match did_you_mean(&name.text, refs.iter().copied()) {
                    Some(near) => d.hint(format!("Did you mean `{near}`?")),
                    None => d.hint(format!("Write one: define {}(…) = …", name.text)),
                });
                Val::broken()
            }
        }
    }

    /// Elaborates the body of a define in place of its use.
    pub(super) fn expand_define(&mut self, i: usize, args: &[ast::Expr], span: Span) -> Val {
        let (name, params) = (self.defines[i].name, self.defines[i].params);
        self.used.insert(name.text.clone());
        if params.len() != args.len() {
            self.report(
                Diagnostic::error(
                    "call/arguments",
                    span,
                    format!("`{}` takes {} value{}", name.text, params.len(), if params.len() == 1 { "" } else { "s" }),
                )
                .label(format!("{} given", args.len()))
                .related(name.span, "defined here")
                .hint(match (params.len(), args.len()) {
                    (0, 1) => format!(
                        "Write `{} of …` to use it for a player or a card, or just `{}` where one is at hand.",
                        name.text, name.text
                    ),
                    (0, _) => format!("Write just `{}`.", name.text),
                    (1, _) => format!("Write `{}({})`.", name.text, params[0].text),
                    _ => {
                        let listed: Vec<&str> = params.iter().map(|param| param.text.as_str()).collect();
                        format!("Write `{}({})`.", name.text, listed.join(", "))
                    }
                }),
            );
            return Val::broken();
        }
        let given = args.iter().map(|a| self.expr(a)).collect();
        let (before, families) = (self.diags.len(), self.families.len());
        let val = self.expand(i, given, span);
        if params.is_empty() {
            self.refuse_define_of_nobody(name, span, families);
        }
        let number = |arg: &ast::Expr| matches!(arg.kind, ExprKind::Number(_));
        if !self.numbered_seats || self.diags.len() == before || !args.iter().any(number) {
            return val;
        }
        // In a condition of a scenario, `captured(2)`, a number that does not fit may mean a player.
        let problems = self.diags.split_off(before);
        let seats = args.iter().map(|a| self.expr_expecting(a, &Ty::Player)).collect();
        let seated = self.expand(i, seats, span);
        if self.diags.len() == before && !seated.is_broken() {
            return seated;
        }
        self.diags.truncate(before);
        self.diags.extend(problems);
        val
    }

    /// Refuses a define that names the cards of all players where the steps are about one player. Its author wrote `plates`
    /// and nearly always means `plates of p`. `families` is the number of such names before the define was expanded.
    fn refuse_define_of_nobody(&mut self, name: &Name, span: Span, families: usize) {
        let (Some(player), Some((zone, at))) = (self.players_at_hand.last(), self.families.get(families)) else {
            return;
        };
        // What a define uses belongs to that define, which is reported where the steps use it.
        if self.open_defines > 0 {
            return;
        }
        let certain = self.players_at_hand.iter().any(|player| player.certain);
        let (define, player) = (&name.text, &player.name);
        let title = format!("Whose `{define}`?");
        let d = match certain {
            true => Diagnostic::error("define/whose", span, title),
            false => Diagnostic::warning("define/whose", span, title),
        };
        let d = d
            .label(format!("this means the `{zone}` of all players together"))
            .related(*at, "no player is named here")
            .hint(format!(
                "Did you mean `{define} of {player}`? If you mean all players, say so in the define: `sum of count of {zone}[r] over player r`."
            ));
        self.report(d);
    }

    /// Elaborates steps, or the parts of an answer, that are about one player.
    pub(super) fn about_player<T>(&mut self, name: &str, certain: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.players_at_hand.push(PlayerAtHand { name: name.to_owned(), certain });
        let result = f(self);
        self.players_at_hand.pop();
        result
    }

    fn expand(&mut self, i: usize, vals: Vec<Val>, span: Span) -> Val {
        let (name, params, body) = {
            let d = &self.defines[i];
            (d.name, d.params, d.body)
        };
        if !self.enter_expansion(&name.text, name.span, span) {
            return Val::broken();
        }
        // A define can use its parameters and global names, but not the local names of its user.
        self.scopes.begin_expansion();
        for (p, v) in params.iter().zip(vals) {
            self.bind(p, v);
        }
        let before = self.diags.len();
        self.open_defines += 1;
        let val = self.expr(body);
        self.open_defines -= 1;
        for d in &mut self.diags[before..] {
            d.related.push((span, "used here".into()));
        }
        self.scopes.end_expansion();
        self.expansion.pop();
        val
    }

    /// Records that a define or rule is being expanded; refuses recursion.
    pub(super) fn enter_expansion(&mut self, name: &str, declared: Span, used: Span) -> bool {
        if self.expansion.iter().any(|n| n == name) {
            self.report(
                Diagnostic::error("define/recursion", declared, format!("`{name}` uses itself"))
                    .label("this would never end")
                    .hint("Use `repeat` or `for` to do something several times."),
            );
            return false;
        }
        if self.expansion.len() >= super::EXPANSION_DEPTH {
            self.report(
                Diagnostic::error("limit/expansion", used, "Defines and rules are nested too deeply")
                    .label(format!("more than {} levels", super::EXPANSION_DEPTH)),
            );
            return false;
        }
        self.expansion.push(name.to_string());
        true
    }

    fn of(&mut self, name: &Name, arg: &ast::Expr, span: Span) -> Val {
        match name.text.as_str() {
            "player" => self.player_of(arg, span),
            "text" => self.text_of(arg),
            "length" if !self.attrs.contains_key("length") || self.is_text(arg) => self.length_of(arg),
            "position" if !self.attrs.contains_key("position") => self.position_of(arg),
            "seat" if !self.attrs.contains_key("seat") && !self.globals.contains_key("seat") => self.seat_of(arg),
            _ => {
                // `captured of p` means `captured(p)`, so that defines read like declared names.
                if let Some((Global::Define(i), _)) = self.globals.get(&name.text).copied()
                    && !self.attrs.contains_key(&name.text)
                {
                    return self.define_of(i, arg, span);
                }
                let val = self.expr_expecting(arg, &Ty::Player);
                if val.is_broken() {
                    return val;
                }
                // `value of s`, where `s` is a set: the value that its cards have in common.
                if val.ty == Ty::Cards {
                    if let ast::ExprKind::Name(n) = &arg.kind
                        && let Some(common) = self.lookup_set_value(n, &name.text)
                    {
                        return common;
                    }
                    self.report(
                        Diagnostic::error("of/several", arg.span, format!("Which card's {}?", name.text))
                            .label("these are several cards")
                            .hint(format!("Pick one: `{} of first card of …`, `highest card of …`.", name.text)),
                    );
                    return Val::broken();
                }
                if let Some(&attr) = self.attrs.get(&name.text) {
                    if !self.need_type(&val, &Ty::Card, arg.span) {
                        return Val::broken();
                    }
                    return self.attr_of(attr, val);
                }
                // `score of p` means `score[p]`.
                if val.ty == Ty::Player
                    && let Some((global, _)) = self.globals.get(&name.text).copied()
                    && matches!(global, Global::Var(_) | Global::Zone(_))
                {
                    return self.index(name, std::slice::from_ref(arg), span);
                }
                self.attr_name(name);
                Val::broken()
            }
        }
    }

    /// Elaborates `NAME of E` for a define. A define with one parameter gets the value; for one without parameters the value
    /// is the subject.
    fn define_of(&mut self, define: usize, arg: &ast::Expr, span: Span) -> Val {
        if !self.defines[define].params.is_empty() {
            return self.expand_define(define, std::slice::from_ref(arg), span);
        }
        let val = self.expr_expecting(arg, &Ty::Player);
        let label = val.label.clone();
        let subject = match val.ty {
            Ty::Broken => return val,
            Ty::Player => Subject::Index(vec![Dim::Player], vec![val.into_num()]),
            Ty::Card => Subject::Card(Box::new(val)),
            _ => {
                let (name, found) = (self.defines[define].name, self.ty_name(&val.ty));
                self.report(
                    Diagnostic::error("of/what", arg.span, format!("`{}` can't be asked of this", name.text))
                        .label(format!("this is {found}"))
                        .related(name.span, "it speaks of the player or card at hand")
                        .hint(format!(
                            "Give the define brackets: `define {}(x) = …`, and write `{}(…)`.",
                            name.text, name.text
                        )),
                );
                return Val::broken();
            }
        };
        let mut val = self.with_subject(subject, |e| e.expand_define(define, &[], span));
        // The player decides everything about the result: which cards, how many, where they lie and who brought them.
        let all = if switch::is_off() { 1 } else { usize::MAX };
        for part in val.labels_mut().take(all) {
            *part = std::mem::take(part).join(&label);
        }
        val
    }

    /// Elaborates `position of rank of c`: the position of a value in the declared order, counted from 1.
    fn position_of(&mut self, arg: &ast::Expr) -> Val {
        let val = self.expr(arg);
        match val.ty {
            Ty::Broken => val,
            Ty::Attr(a) => {
                let first = match self.program.attrs[a as usize].values {
                    AttrDomain::Range { low, .. } => 1 - low,
                    AttrDomain::Names(_) => 1,
                    AttrDomain::Property => 0,
                };
                let label = val.label.clone();
                let num = super::constant::fold(Num::Arith(
                    Arith::Add,
                    Box::new(val.into_num()),
                    Box::new(Num::Const(first)),
                ));
                Val::num(Ty::Num, num, label)
            }
            _ => {
                self.report(
                    Diagnostic::error("of/position", arg.span, "Only a value of an attribute has a position")
                        .label("not such a value")
                        .hint("Write for example: position of rank of c"),
                );
                Val::broken()
            }
        }
    }

    fn lookup_set_value(&self, set: &str, attr: &str) -> Option<Val> {
        let key = format!("{attr} of {set}");
        self.scopes.get(&key).cloned()
    }

    fn if_value(&mut self, cond: &ast::Expr, then: &ast::Expr, otherwise: &ast::Expr, expected: Option<&Ty>) -> Val {
        let c = self.expr_expecting(cond, &Ty::YesNo);
        self.need_type(&c, &Ty::YesNo, cond.span);
        let (holds, fails) = (apart_if(&c.as_num(), true), apart_if(&c.as_num(), false));
        let a = self.with_facts(&holds, |e| e.expr_with(then, expected));
        let b = self.with_facts(&fails, |e| e.expr_with(otherwise, Some(&a.ty.clone())));
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        if !self.need_type(&b, &a.ty, otherwise.span) {
            return Val::broken();
        }
        let cond_label = c.label.clone();
        let label = c.label.clone().join(&a.label).join(&b.label);
        match (a.code.clone(), b.code.clone()) {
            (Code::Text(x), Code::Text(y)) => {
                Val::text(vec![TextPart::If(c.into_num(), Text { parts: x }, Text { parts: y })], label)
            }
            (Code::Num(_) | Code::Pattern(_), _) => {
                let by = a.by.clone().zip(b.by.clone()).map(|(x, y)| x.join(&y));
                let (count, at) = (a.count.clone().join(&b.count), a.at.clone().join(&b.at));
                let which = a.which.clone().join(&b.which).join(&cond_label);
                // If one of the two cards may lie anywhere, so may the result.
                let zones: Vec<ZoneId> = match a.zones.is_empty() || b.zones.is_empty() {
                    true => Vec::new(),
                    false => a.zones.iter().chain(&b.zones).copied().collect(),
                };
                let mut val = Val::num(
                    a.ty.clone(),
                    Num::If(Box::new(c.into_num()), Box::new(a.into_num()), Box::new(b.into_num())),
                    label,
                );
                val.by = by;
                if val.ty == Ty::Card {
                    (val.count, val.at, val.zones) = (count.join(&val.label), at.join(&cond_label), zones);
                    if !switch::is_off() {
                        val.which = which;
                    }
                }
                val
            }
            _ => {
                self.report(
                    Diagnostic::error("if/cards", then.span, "`if … then … else …` chooses between single values")
                        .label("several cards")
                        .hint("Use an `if` block instead."),
                );
                Val::broken()
            }
        }
    }
}
