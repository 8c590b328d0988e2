//! Looks up bare names: local names first, then by the type that is expected.

use super::label::ValueSource;
use super::value::{Code, Pattern, Ty, Val};
use super::{Elaborator, Global, Label, Subject};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn declare(&mut self, name: &Name, global: Global) {
        if let Some((_, first)) = self.globals.get(&name.text) {
            let first = *first;
            self.report(
                Diagnostic::error("name/twice", name.span, format!("`{}` is declared twice", name.text))
                    .label("again here")
                    .related(first, "first declared here")
                    .hint("Every zone, state, option, define and rule needs a name of its own."),
            );
            return;
        }
        self.globals.insert(name.text.clone(), (global, name.span));
    }

    /// Returns the value that a word such as `♠`, `Q`, `10` or `higher` has in an attribute or a choice.
    pub(super) fn value_word(&self, text: &str, expected: &Ty) -> Option<Val> {
        match expected {
            Ty::Attr(attr) => {
                let position = self.attr_value(*attr, text)?;
                Some(Val::constant(expected.clone(), position))
            }
            Ty::Choice(values) => {
                let position = values.iter().position(|v| v == text)?;
                Some(Val::constant(expected.clone(), position as i32))
            }
            _ => None,
        }
    }

    /// Returns the number that encodes a value of an attribute.
    pub(super) fn attr_value(&self, attr: AttrId, text: &str) -> Option<i32> {
        match &self.program.attrs[attr as usize].values {
            AttrDomain::Range { low, high } => text.parse().ok().filter(|n| (low..=high).contains(&n)),
            AttrDomain::Property => text.parse().ok(),
            AttrDomain::Names(names) => names.iter().position(|n| n == text).map(|i| i as i32),
        }
    }

    /// Refuses what one player alone was told in a question. Questions and legal answers are made from what a seat sees, and a seat
    /// does not see what it was told some time ago: its player would read a wrong value.
    fn refuse_told_in_question(&mut self, var: VarId, name: &str, span: Span) {
        if self.chooser.is_none() || self.program.vars[var as usize].kind != VarKind::SecretLocal {
            return;
        }
        self.report(
            Diagnostic::error("reveal/asked", span, format!("`{name}` can't be used in a question"))
                .label("one player alone was told this")
                .hint("Keep it in a state that its owner sees, `told[player]: 0..9, owner sees`: told[p] := reveal … to p"),
        );
    }

    pub(super) fn name(&mut self, text: &str, span: Span, expected: Option<&Ty>) -> Val {
        let word = expected.and_then(|ty| self.value_word(text, ty));
        if let Some(val) = self.lookup_local(text)
            && (word.is_none() || Some(&val.ty) == expected)
        {
            if let Code::Num(Num::Var(v)) = val.code {
                self.read.insert(v);
                self.refuse_told_in_question(v, text, span);
            }
            return self.as_me(val);
        }
        if let Some(val) = word {
            return val;
        }
        if let Some((global, _)) = self.globals.get(text).copied() {
            self.used.insert(text.to_string());
            let val = self.global(text, global, span);
            return self.as_me(val);
        }
        if text == "card"
            && let Some(card) = self.subject_card()
        {
            return card;
        }
        if text == "player"
            && let Some(index) = self.subject_index(&[Dim::Player])
        {
            return Val::num(Ty::Player, index[0].clone(), Label::PUBLIC);
        }
        if text == "lead" && !self.options_only {
            return self.as_me(Val::num(Ty::Player, Num::Lead, Label::PUBLIC));
        }
        if let Some(val) = self.subject_attr(text) {
            return val;
        }
        if self.card_names.contains(text) {
            return Val { ty: Ty::Card, code: Code::Pattern(Pattern::Named(text.to_string())), ..Val::broken() };
        }
        if self.attrs.contains_key(text) {
            self.report(
                Diagnostic::error("name/no-card", span, format!("Which card's {text}?"))
                    .label("no card is being talked about here")
                    .hint(format!("Write `{text} of c`, or use it inside the `where` of a selection in brackets: (hand[p] where {text} is …).")),
            );
            return Val::broken();
        }
        // No type is expected, but a value that only one attribute has is clear.
        let owners: Vec<AttrId> =
            (0..self.program.attrs.len() as AttrId).filter(|a| self.attr_value(*a, text).is_some()).collect();
        if let [attr] = owners[..] {
            let value = self.attr_value(attr, text).expect("just found");
            return Val::constant(Ty::Attr(attr), value);
        }
        self.unknown(text, span, expected);
        Val::broken()
    }

    pub(super) fn lookup_local(&self, text: &str) -> Option<Val> {
        self.scopes.get(text).cloned()
    }

    /// Replaces the chooser of a decision by `Me`: the rules of the decision mean this player even if the variable that
    /// named the player changes.
    fn as_me(&self, mut val: Val) -> Val {
        if let (Some(chooser), Code::Num(n), Ty::Player) = (&self.chooser, &val.code, &val.ty)
            && chooser == n
        {
            val.code = Code::Num(Num::Me);
        }
        val
    }

    fn global(&mut self, text: &str, global: Global, span: Span) -> Val {
        if self.options_only && !matches!(global, Global::Option(_)) {
            self.report(
                Diagnostic::error("name/options-only", span, format!("`{text}` is not known yet here"))
                    .label("only options can be used here")
                    .hint("This is decided before the game starts, so it can depend on options and on nothing else."),
            );
            return Val::broken();
        }
        if self.spoiled.contains(text) {
            return Val::broken();
        }
        match global {
            Global::Option(id) => self.option_value(id),
            Global::Var(id) => match self.subject_index(&self.program.vars[id as usize].dims.clone()) {
                Some(index) => self.read_var(id, index),
                None => {
                    self.missing_index(text, span);
                    Val::broken()
                }
            },
            Global::Zone(id) => match self.subject_index(&self.program.zones[id as usize].dims.clone()) {
                Some(index) => self.read_zone(id, index, Label::PUBLIC),
                None => {
                    if self.program.zones[id as usize].dims.contains(&Dim::Player) {
                        self.families.push((text.to_string(), span));
                    }
                    self.read_family(id)
                }
            },
            Global::Define(i) => self.expand_define(i, &[], span),
            Global::Rule(_) => {
                self.report(
                    Diagnostic::error("name/rule-as-value", span, format!("`{text}` is a rule, not a value"))
                        .label("a rule has no value")
                        .hint(format!("Run it on a line of its own: `do {text}(…)`. For a value use `define`.")),
                );
                Val::broken()
            }
            Global::Table(_) => {
                self.report(
                    Diagnostic::error("name/which-one", span, format!("Which `{text}`?"))
                        .label("a table has a number for each place")
                        .hint(format!("Write the place in brackets: `{text}[rank of c]`, `{text}[n]`.")),
                );
                Val::broken()
            }
            Global::Deck(id) => Val { ty: Ty::Cards, code: Code::Cards(Selection::Deck(id)), ..Val::broken() },
        }
    }

    fn missing_index(&mut self, text: &str, span: Span) {
        self.report(
            Diagnostic::error("name/which-one", span, format!("Which `{text}`?"))
                .label("there is one for each player or place")
                .hint(format!(
                    "Write it with an index, like `{text}[p]`; without one it works only inside `players where …`."
                )),
        );
    }

    /// Returns the index of a bare indexed name: that of the nearest subject with the same dimensions.
    pub(super) fn subject_index(&self, dims: &[Dim]) -> Option<Vec<Num>> {
        if dims.is_empty() {
            return Some(Vec::new());
        }
        self.subjects.iter().rev().find_map(|s| match s {
            Subject::Index(d, nums) if d == dims => Some(nums.clone()),
            _ => None,
        })
    }

    pub(super) fn subject_card(&self) -> Option<Val> {
        self.subjects.iter().rev().find_map(|s| match s {
            Subject::Card(v) => Some((**v).clone()),
            Subject::Index(..) => None,
        })
    }

    fn subject_attr(&mut self, text: &str) -> Option<Val> {
        let card = self.subject_card()?;
        let attr = *self.attrs.get(text)?;
        Some(self.attr_of(attr, card))
    }

    fn option_value(&mut self, id: OptionId) -> Val {
        let (name, ty) = {
            let o = &self.program.options[id as usize];
            (o.name.clone(), o.ty.clone())
        };
        self.used.insert(name);
        // The engine folds this chain when it makes the table, so it costs nothing later.
        if let Some(numbers) = super::options::numbers(&ty) {
            let last = Num::Const(numbers.last().copied().unwrap_or(0));
            let chosen = (0..numbers.len() as i32).zip(&numbers).rev().skip(1).fold(last, |other, (at, number)| {
                let here = Num::Cmp(Cmp::Eq, Box::new(Num::Option(id)), Box::new(Num::Const(at)));
                Num::If(Box::new(here), Box::new(Num::Const(*number)), Box::new(other))
            });
            return Val::num(Ty::Num, chosen, Label::PUBLIC);
        }
        match ty {
            Type::Text { .. } => Val::text(vec![TextPart::Option(id)], Label::PUBLIC),
            Type::YesNo => Val::num(Ty::YesNo, Num::Option(id), Label::PUBLIC),
            Type::Choice(values) => Val::num(Ty::Choice(values), Num::Option(id), Label::PUBLIC),
            _ => Val::num(Ty::Num, Num::Option(id), Label::PUBLIC),
        }
    }

    /// Reads a variable; its kind decides the label.
    pub(super) fn read_var(&mut self, id: VarId, index: Vec<Num>) -> Val {
        let var = &self.program.vars[id as usize];
        let ty = self.ty_of(&var.ty);
        let label = match &var.kind {
            VarKind::Sealed => self.seen_label(ValueSource::Sealed(id), Visibility::Cards, owner_of(&var.dims, &index)),
            VarKind::Dice { .. } => {
                self.seen_label(ValueSource::Dice(id), Visibility::Cards, owner_of(&var.dims, &index))
            }
            _ => Label::PUBLIC,
        };
        let faces = match var.kind {
            VarKind::Dice { faces, .. } => faces,
            _ => None,
        };
        let num = if index.is_empty() { Num::Var(id) } else { Num::At(id, index) };
        match faces {
            Some(words) => Val::num(Ty::Attr(words.attr), Num::Table(words.table, Box::new(num)), label),
            None => Val::num(ty, num, label),
        }
    }

    pub(super) fn ty_of(&self, ty: &Type) -> Ty {
        match ty {
            Type::Number { .. } | Type::Seconds { .. } => Ty::Num,
            Type::YesNo => Ty::YesNo,
            Type::Player => Ty::Player,
            Type::Card => Ty::Card,
            Type::Attr(a) => Ty::Attr(*a),
            Type::Choice(v) => Ty::Choice(v.clone()),
            Type::Text { .. } => Ty::Text,
            Type::Cards => Ty::Cards,
            Type::DiceSet => Ty::Broken,
        }
    }

    /// Returns all known names, for "Did you mean …?".
    pub(super) fn known_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.globals.keys().cloned().collect();
        names.extend(self.scopes.names().map(str::to_owned));
        names.extend(self.attrs.keys().cloned());
        names.extend(self.card_names.iter().cloned());
        names.sort();
        names.dedup();
        names
    }

    /// Returns a hint for a value or number that the author spells as people say it: `ace`, `hearts`, `one`.
    pub(super) fn spoken_value(&self, text: &str, expected: Option<&Ty>) -> Option<String> {
        let written = crate::parse::spoken(text)?;
        let number = written.parse::<i32>().is_ok();
        let of_cards = match expected {
            Some(Ty::Attr(a)) => self.attr_value(*a, written).is_some(),
            Some(_) => false,
            None => !number && (0..self.program.attrs.len() as AttrId).any(|a| self.attr_value(a, written).is_some()),
        };
        match (of_cards, number) {
            (true, true) => Some(format!("Write `{written}`.")),
            (true, false) => Some(format!("Write `{written}`. (Cards, to copy: A 2 … 10 J Q K, ♠ ♥ ♦ ♣)")),
            (false, true) => Some(format!("Numbers are written in digits: `{written}`.")),
            (false, false) => None,
        }
    }

    fn unknown(&mut self, text: &str, span: Span, expected: Option<&Ty>) {
        let mut candidates = self.known_names();
        if let Some(Ty::Choice(values)) = expected {
            candidates.extend(values.iter().cloned());
        }
        if let Some(Ty::Attr(a)) = expected
            && let AttrDomain::Names(names) = &self.program.attrs[*a as usize].values
        {
            candidates.extend(names.iter().cloned());
        }
        let mut d =
            Diagnostic::error("name/unknown", span, format!("Nothing is called `{text}`")).label("not known here");
        let refs: Vec<&str> = candidates.iter().map(String::as_str).collect();
        if let "player" | "card" = text {
            let d = Diagnostic::error("name/unknown", span, format!("Which {text}?"));
            self.report(match text {
                "player" => d.label("no player is being talked about here").hint("Give the player a name and use it: `circle p from first player`, and below it `ask p \"…\"`; `for p in players`; or `leader := first player`. `player` on its own works only inside `players where …`."),
                _ => d.label("no card is being talked about here").hint("Give the card a name and use it: `play: card c from hand[p]`. `card` on its own works only inside `where`."),
            });
            return;
        }
        if let Some(written) = self.spoken_value(text, expected) {
            return self.report(d.hint(written));
        }
        d = match did_you_mean(text, refs.iter().copied()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None if matches!(expected, Some(Ty::Choice(_))) => d.hint(format!("Possible are: {}.", match expected {
                Some(Ty::Choice(values)) => values.join(", "),
                _ => String::new(),
            })),
            None => d.hint("Zones, state, options and defines must be declared before they can be used; a variable gets its value with `:=` first, outside of any `if` it is used after."),
        };
        self.report(d);
    }
}

/// Returns the owner of a thing with these dimensions: the first index that is a player.
pub(super) fn owner_of(dims: &[Dim], index: &[Num]) -> Option<Num> {
    let at = dims.iter().position(|dim| *dim == Dim::Player)?;
    index.get(at).cloned()
}
