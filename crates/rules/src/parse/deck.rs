//! Decks: where their cards come from, and the clauses that shape them.

use super::words::DECK_CLAUSES;
use super::{Parsed, Parser};
use crate::ast::{AttrValues, Deck, DeckClause, DeckClauseKind, DeckSource, Expr, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::Kind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// `deck NAME: SOURCE` + clauses
    pub(super) fn deck(&mut self) -> Parsed<Deck> {
        const EXAMPLE: &str = "deck cards: standard52";
        let name = self.name("a name for the deck", EXAMPLE)?;
        self.colon_after("the deck's name", EXAMPLE);
        let source = if self.at_line_end() {
            DeckSource::Custom
        } else {
            let word = self.one_of(&["standard52", "packs"], "a source of cards")?;
            if word.text == "packs" {
                DeckSource::Packs(self.text("the type of the cards")?)
            } else {
                DeckSource::Standard52(word.span)
            }
        };
        self.finish_line();
        let mut deck = Deck { name, source, clauses: Vec::new() };
        self.lines(&mut |parser| match parser.deck_clause() {
            Ok(clause) => deck.clauses.push(clause),
            Err(_) => {
                parser.skip_line();
                parser.skip_block();
            }
        });
        Ok(deck)
    }

    fn deck_clause(&mut self) -> Parsed<DeckClause> {
        let start = self.peek().span;
        let word = self.clause_word(DECK_CLAUSES, "a line of a deck")?;
        let kind = match word {
            "suits" => DeckClauseKind::Suits(self.suit_names()?),
            "ranks" => {
                let low = self.rank_name()?;
                self.expect(Kind::Dots, "..", "ranks 2..A")?;
                DeckClauseKind::Ranks { low, high: self.rank_name()? }
            }
            "attribute" => {
                const EXAMPLE: &str = "attribute colour: red green blue";
                let name = self.name("a name for the attribute", EXAMPLE)?;
                self.colon_after("the attribute's name", EXAMPLE);
                DeckClauseKind::Attribute { name, values: self.attribute_values(EXAMPLE)? }
            }
            "make" => self.make()?,
            "without" => self.without()?,
            "with" => {
                let count = if self.at(Kind::Number) || self.at(Kind::OpenRound) { Some(self.amount()?) } else { None };
                DeckClauseKind::With { count, name: self.name("the name of a card", "with 2 Joker")? }
            }
            _ => DeckClauseKind::Copies(self.amount()?),
        };
        let when = if self.eat_word("when") { Some(self.value()?) } else { None };
        self.finish_line();
        Ok(DeckClause { span: self.since(start), kind, when })
    }

    /// The first word of a clause, out of a table; a misspelt one is reported and put right.
    pub(super) fn clause_word(&mut self, known: &[&'static str], what: &str) -> Parsed<&'static str> {
        let word = self.word_at(0);
        if let Some(&word) = known.iter().find(|&&candidate| candidate == word) {
            self.bump();
            return Ok(word);
        }
        let meant = if word.is_empty() { None } else { did_you_mean(word, known.iter().copied()) };
        let list = super::words::listed(known);
        let problem =
            Diagnostic::error("parse/unknown-clause", self.here(), format!("{} is not {what}", capital(&self.found())))
                .hint(match &meant {
                    Some(meant) => format!("Did you mean `{meant}`?"),
                    None => format!("It can be {list}."),
                });
        let Some(&meant) = known.iter().find(|&&candidate| Some(candidate) == meant.as_deref()) else {
            return Err(self.hard(problem));
        };
        self.soft(problem);
        self.bump();
        Ok(meant)
    }

    fn suit_names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while self.at(Kind::Suit) || self.at(Kind::Word) && !self.at_word("when") {
            names.push(self.any_name());
        }
        if names.is_empty() {
            self.expected("parse/expected-suit", "the suits, lowest first", "suits ♦ ♣ ♥ ♠")
        } else {
            Ok(names)
        }
    }

    fn rank_name(&mut self) -> Parsed<Name> {
        if self.at(Kind::Word) || self.at(Kind::Number) {
            Ok(self.any_name())
        } else {
            self.expected("parse/expected-rank", "a rank", "ranks 2..A")
        }
    }

    /// `1..13`, `red green blue`, `A 2..10 J Q K`, `any`, or one number
    fn attribute_values(&mut self, example: &str) -> Parsed<AttrValues> {
        if self.at_word("any") {
            return Ok(AttrValues::Any(self.bump().span));
        }
        if self.at_line_end() || self.at(Kind::Comma) {
            return self.expected("parse/expected-values", "the values", example);
        }
        // One range or number stays what it is; several values are a list, in which numbers are words as well.
        let named = (self.at(Kind::Word) || self.at(Kind::Suit)) && self.nth(1).kind != Kind::Dots;
        if !named {
            let (low, high) = self.bounds()?;
            if !self.at_value_word() {
                return Ok(AttrValues::Range(low, high));
            }
            let mut names = self.number_names(&low, &high)?;
            self.value_names(&mut names)?;
            return Ok(AttrValues::Names(names));
        }
        let mut names = Vec::new();
        self.value_names(&mut names)?;
        Ok(AttrValues::Names(names))
    }

    fn at_value_word(&self) -> bool {
        self.at(Kind::Number) || self.at(Kind::Suit) || self.at(Kind::Word) && !self.at_word("when")
    }

    fn value_names(&mut self, names: &mut Vec<Name>) -> Parsed<()> {
        while self.at_value_word() {
            if self.at(Kind::Number) {
                let (low, high) = self.bounds()?;
                names.extend(self.number_names(&low, &high)?);
            } else {
                names.push(self.any_name());
            }
        }
        Ok(())
    }

    /// `2..10` in a list of values: each number is a word of its own.
    fn number_names(&mut self, low: &Expr, high: &Expr) -> Parsed<Vec<Name>> {
        let span = low.span.to(high.span);
        match (&low.kind, &high.kind) {
            (ExprKind::Number(a), ExprKind::Number(b)) if a <= b && b.saturating_sub(*a) < 1000 => {
                Ok((*a..=*b).map(|n| Name { text: n.to_string(), span }).collect())
            }
            _ => Err(self.hard(
                Diagnostic::error("parse/expected-values", span, "This can't stand in a list of values")
                    .hint("Write words and plain numbers one after another: `A 2..10 J Q K`."),
            )),
        }
    }

    /// `make value 1..12, colour red, 3 copies, called "Jester"`
    fn make(&mut self) -> Parsed<DeckClauseKind> {
        const EXAMPLE: &str = "make value 1..12, colour red blue, 2 copies";
        let mut values = Vec::new();
        let mut copies = None;
        let mut called = None;
        loop {
            if self.eat_word("called") {
                called = Some(self.text("the name of the card")?);
            } else if self.at(Kind::Word) && self.word_at(1) != "copies" {
                let name = self.name("an attribute", EXAMPLE)?;
                values.push((name, self.attribute_values(EXAMPLE)?));
            } else {
                copies = Some(self.amount()?);
                self.expect_word("copies", EXAMPLE)?;
            }
            if !self.eat(Kind::Comma) {
                return Ok(DeckClauseKind::Make { values, copies, called });
            }
        }
    }

    /// `without A♠ K♠`
    fn without(&mut self) -> Parsed<DeckClauseKind> {
        let mut cards = Vec::new();
        while !self.at_line_end() && !self.at_word("when") {
            let card = self.operand()?;
            let card = self.card_for_name(card);
            if !matches!(card.kind, ExprKind::Card { .. } | ExprKind::Name(_) | ExprKind::Broken) {
                self.not_a_card(card.span);
            }
            cards.push(card);
            self.eat(Kind::Comma);
        }
        if cards.is_empty() {
            return self.expected("parse/expected-card", "the cards to leave out", "without Q♣");
        }
        Ok(DeckClauseKind::Without(cards))
    }

    fn not_a_card(&mut self, span: Span) {
        self.soft(
            Diagnostic::error("parse/expected-card", span, "This is not a card")
                .hint("Write cards as rank and suit: `without Q♣ J♠`."),
        );
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + characters.as_str(),
        None => String::new(),
    }
}
