//! Decks and the attributes of their cards.

use super::value::Ty;
use super::{Elaborator, Global, Subject};
use crate::ast::{self, AttrValues, DeckClauseKind, DeckSource, DeclKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

const SUITS: [&str; 4] = ["♣", "♦", "♥", "♠"];
const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const MAX_CARDS: i64 = 2000;

impl<'a> Elaborator<'a> {
    /// Declares the decks and the attributes of their cards; [`Self::decks`] fills the decks later, when options are
    /// known.
    pub(super) fn attributes(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Deck(deck) = &decl.kind else { continue };
            let id = self.program.decks.len() as DeckId;
            self.declare(&deck.name, Global::Deck(id));
            self.program.decks.push(Deck {
                name: deck.name.text.clone(),
                pack_type: None,
                make: Vec::new(),
                copies: Num::Const(1),
            });
            match &deck.source {
                DeckSource::Standard52(_) => self.standard(id, deck),
                DeckSource::Packs(kind) => {
                    let kind = self.plain(kind);
                    self.program.decks[id as usize].pack_type = Some(kind);
                    self.add_attr("pick", AttrDomain::Property, decl.span);
                }
                DeckSource::Custom => {}
            }
            for clause in &deck.clauses {
                if let DeckClauseKind::Attribute { name, values } = &clause.kind {
                    self.attribute(name, values);
                }
            }
        }
    }

    fn attribute(&mut self, name: &Name, values: &'a AttrValues) {
        let domain = match values {
            AttrValues::Range(a, b) => {
                let (low, high) = self.const_range(a, b);
                if i64::from(high) - i64::from(low) > 999 {
                    self.report(
                        Diagnostic::error("limit/values", a.span.to(b.span), "At most 1000 values are possible")
                            .label("too many"),
                    );
                    return;
                }
                AttrDomain::Range { low, high }
            }
            AttrValues::Names(names) => AttrDomain::Names(names.iter().map(|n| n.text.clone()).collect()),
            AttrValues::Any(span) => {
                self.report(
                    Diagnostic::error("deck/any", *span, "Which values does it have?")
                        .hint("Write a range, or the names one after another."),
                );
                return;
            }
        };
        if let "text" | "player" = name.text.as_str() {
            self.report(
                Diagnostic::error(
                    "attr/taken",
                    name.span,
                    format!("`{} of c` means something else already", name.text),
                )
                .label("this attribute could never be read")
                .hint("Give it another name."),
            );
        }
        self.add_attr(&name.text, domain, name.span);
    }

    pub(super) fn decks(&mut self, file: &'a ast::File) {
        let decks = file.decls.iter().filter_map(|d| match &d.kind {
            DeclKind::Deck(deck) => Some(deck),
            _ => None,
        });
        self.nobody_sits = true;
        for (id, deck) in decks.enumerate() {
            self.deck(id as DeckId, deck);
        }
        self.nobody_sits = false;
    }

    fn deck(&mut self, id: DeckId, deck: &'a ast::Deck) {
        for clause in &deck.clauses {
            let when = clause.when.as_ref().map(|e| {
                self.options_only = true;
                let v = self.expr_expecting(e, &Ty::YesNo);
                self.options_only = false;
                self.need_type(&v, &Ty::YesNo, e.span);
                v.into_num()
            });
            if let (
                Some(cond),
                DeckClauseKind::Suits(_)
                | DeckClauseKind::Ranks { .. }
                | DeckClauseKind::Attribute { .. }
                | DeckClauseKind::Copies(_),
            ) = (&clause.when, &clause.kind)
            {
                self.report(
                    Diagnostic::error("deck/when", cond.span, "This part of a deck can't depend on anything")
                        .label("only `make`, `with` and `without` can")
                        .hint("How often a deck is there may be computed: copies if two then 2 else 1"),
                );
            }
            self.clause(id, clause, when);
        }
        let d = &self.program.decks[id as usize];
        if d.make.is_empty() && d.pack_type.is_none() {
            self.report(
                Diagnostic::error("deck/empty", deck.name.span, format!("The deck `{}` has no cards", deck.name.text))
                    .label("nothing is made")
                    .hint("Write `deck cards: standard52`, or give it an attribute and `make` lines."),
            );
        }
        if self.deck_size(id) > MAX_CARDS {
            self.report(
                Diagnostic::error("limit/cards", deck.name.span, format!("A deck has at most {MAX_CARDS} cards"))
                    .label("this one becomes larger"),
            );
        }
    }

    fn standard(&mut self, id: DeckId, deck: &'a ast::Deck) {
        let mut suits: Vec<String> = SUITS.map(String::from).to_vec();
        let mut ranks: Vec<String> = RANKS.map(String::from).to_vec();
        for clause in &deck.clauses {
            match &clause.kind {
                DeckClauseKind::Suits(names) => {
                    let order: Vec<String> = names.iter().map(|n| n.text.clone()).collect();
                    if order.len() != 4 || SUITS.iter().any(|s| !order.contains(&s.to_string())) {
                        let at = names.first().map(|n| n.span).unwrap_or(clause.span);
                        self.report(
                            Diagnostic::error("deck/suits", at, "All four suits belong here, each once")
                                .hint("Write them from lowest to highest: suits ♣ ♦ ♥ ♠"),
                        );
                    } else {
                        suits = order;
                    }
                }
                DeckClauseKind::Ranks { low, high } => match (low.text.as_str(), high.text.as_str()) {
                    ("2", "A") => {}
                    ("A", "K") => ranks.rotate_right(1),
                    _ => self.report(
                        Diagnostic::error("deck/ranks", low.span.to(high.span), "The ace is either high or low")
                            .hint("Write `ranks 2..A` or `ranks A..K`; leave cards out with `without`."),
                    ),
                },
                _ => {}
            }
        }
        let suit = self.add_attr("suit", AttrDomain::Names(suits), deck.name.span);
        let rank = self.add_attr("rank", AttrDomain::Names(ranks), deck.name.span);
        let card = self.new_bound();
        self.program.decks[id as usize].make.push(DeckOp::Product {
            values: vec![(suit, (0..4).collect()), (rank, (0..13).collect())],
            card,
            copies: Num::Const(1),
            called: None,
            when: None,
        });
    }

    fn clause(&mut self, id: DeckId, clause: &'a ast::DeckClause, when: Option<Num>) {
        match &clause.kind {
            DeckClauseKind::Suits(_) | DeckClauseKind::Ranks { .. } => {
                if !self.attrs.contains_key("suit") {
                    self.report(
                        Diagnostic::error("deck/not-standard", clause.span, "Only a standard deck has these")
                            .hint("Write `deck cards: standard52`, or declare an `attribute`."),
                    );
                }
            }
            DeckClauseKind::Attribute { .. } => {}
            DeckClauseKind::Make { values, copies, called } => {
                let mut list = Vec::new();
                for (name, v) in values {
                    let Some(attr) = self.attr_name(name) else { continue };
                    list.push((attr, self.attr_values(attr, v)));
                }
                let card = self.new_bound();
                let copies = match copies {
                    None => Num::Const(1),
                    Some(e) => {
                        let subject = super::value::Val::num(Ty::Card, Num::Bound(card), super::Label::PUBLIC);
                        self.options_only = true;
                        let v = self.with_subject(Subject::Card(Box::new(subject)), |s| s.expr_expecting(e, &Ty::Num));
                        self.options_only = false;
                        self.need_type(&v, &Ty::Num, e.span);
                        v.into_num()
                    }
                };
                let called = called.as_ref().map(|t| self.card_name(t));
                if let Some(c) = &called {
                    self.card_names.insert(c.clone());
                }
                self.program.decks[id as usize].make.push(DeckOp::Product { values: list, card, copies, called, when });
            }
            DeckClauseKind::Without(cards) => {
                for e in cards {
                    let val = self.expr_expecting(e, &Ty::Card);
                    match val.code {
                        super::value::Code::Pattern(super::value::Pattern::Attrs(_, values)) => {
                            self.program.decks[id as usize].make.push(DeckOp::Without { values, when: when.clone() });
                        }
                        super::value::Code::Broken => {}
                        _ => self.report(
                            Diagnostic::error("deck/without", e.span, "Which card is left out?")
                                .label("not a card")
                                .hint("Write it like: without Q♣"),
                        ),
                    }
                }
            }
            DeckClauseKind::With { count, name } => {
                let count = match count {
                    None => Num::Const(1),
                    Some(e) => {
                        self.options_only = true;
                        let v = self.expr_expecting(e, &Ty::Num);
                        self.options_only = false;
                        self.need_type(&v, &Ty::Num, e.span);
                        v.into_num()
                    }
                };
                self.card_names.insert(name.text.clone());
                self.program.decks[id as usize].make.push(DeckOp::Named { name: name.text.clone(), count, when });
            }
            DeckClauseKind::Copies(e) => {
                self.options_only = true;
                let v = self.expr_expecting(e, &Ty::Num);
                self.options_only = false;
                self.need_type(&v, &Ty::Num, e.span);
                self.program.decks[id as usize].copies = v.into_num();
            }
        }
    }

    /// Elaborates the text after `called`. It can't have holes: a card with attributes is described by them, so its
    /// name need not repeat them.
    fn card_name(&mut self, text: &ast::Text) -> String {
        for part in &text.parts {
            if let ast::TextPart::Hole(e) = part {
                self.report(
                    Diagnostic::error("text/no-holes", e.span, "The name of a card can't have { } in it")
                        .label("all cards of this line get the same name")
                        .hint("Leave `called` out: a card is written by its attributes (“5 of cups”, “red 7”). Titles for single values are given with `face cards: number, title by value`."),
                );
                return String::new();
            }
        }
        self.plain(text)
    }

    fn attr_values(&mut self, attr: AttrId, v: &AttrValues) -> Vec<i32> {
        match v {
            AttrValues::Any(_) => match &self.program.attrs[attr as usize].values {
                AttrDomain::Range { low, high } => (*low..=*high).collect(),
                AttrDomain::Names(n) => (0..n.len() as i32).collect(),
                AttrDomain::Property => Vec::new(),
            },
            AttrValues::Range(a, b) => {
                let (x, y) = (self.attr_bound(attr, a), self.attr_bound(attr, b));
                match (x, y) {
                    (Some(x), Some(y)) => (x..=y).collect(),
                    _ => Vec::new(),
                }
            }
            AttrValues::Names(names) => names.iter().filter_map(|n| self.attr_word(attr, n)).collect(),
        }
    }

    fn attr_bound(&mut self, attr: AttrId, e: &ast::Expr) -> Option<i32> {
        let text = match &e.kind {
            ast::ExprKind::Number(n) => n.to_string(),
            ast::ExprKind::Name(n) => n.clone(),
            _ => String::new(),
        };
        self.attr_word(attr, &Name { text, span: e.span })
    }

    pub(super) fn attr_word(&mut self, attr: AttrId, n: &Name) -> Option<i32> {
        let value = self.attr_value(attr, &n.text);
        if value.is_none() {
            let a = &self.program.attrs[attr as usize];
            let possible = match &a.values {
                AttrDomain::Range { low, high } => format!("{low} to {high}"),
                AttrDomain::Names(names) => names.join(", "),
                AttrDomain::Property => "numbers".into(),
            };
            let title = format!("`{}` is not a {}", n.text, a.name);
            let mut problem = Diagnostic::error("attr/value", n.span, title).label(format!("possible are {possible}"));
            problem.hint = self.spoken_value(&n.text, Some(&Ty::Attr(attr)));
            self.report(problem);
        }
        value
    }

    /// Adds an attribute. Decks share attributes of the same name, which must have the same values.
    fn add_attr(&mut self, name: &str, values: AttrDomain, span: Span) -> AttrId {
        if let Some(&id) = self.attrs.get(name) {
            if self.program.attrs[id as usize].values != values {
                self.report(
                    Diagnostic::error(
                        "attr/differs",
                        span,
                        format!("`{name}` already has other values in another deck"),
                    )
                    .label("does not agree")
                    .hint("Give it another name, or the same values in the same order."),
                );
            }
            return id;
        }
        let id = self.program.attrs.len() as AttrId;
        self.attrs.insert(name.to_string(), id);
        self.program.attrs.push(Attr { name: name.to_string(), values });
        id
    }

    /// Returns an estimate of the number of cards that counts only fixed numbers of copies; the engine checks the true
    /// number.
    fn deck_size(&self, id: DeckId) -> i64 {
        self.program.decks[id as usize]
            .make
            .iter()
            .map(|m| match m {
                DeckOp::Product { values, copies, .. } => {
                    let n: i64 = values.iter().map(|(_, v)| v.len() as i64).product();
                    n.saturating_mul(if let Num::Const(c) = copies { i64::from(*c) } else { 1 })
                }
                DeckOp::Named { count: Num::Const(c), .. } => i64::from(*c),
                _ => 0,
            })
            .sum()
    }
}
