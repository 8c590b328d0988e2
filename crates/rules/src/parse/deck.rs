//! Decks: where their cards come from, and the clauses that shape them.

use super::words::DECK_CLAUSES;
use super::{Parsed, Parser};
use crate::ast::{AttrValues, Deck, DeckClause, DeckClauseKind, DeckSource, Expr, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// `deck NAME: SOURCE` + clauses
    pub(super) fn parse_deck(&mut self) -> Parsed<Deck> {
        const EXAMPLE: &str = "deck cards: standard52";
        let name = self.parse_name("a name for the deck", EXAMPLE)?;
        self.expect_colon_after("the deck's name", EXAMPLE);
        let source = if self.at_line_end() {
            DeckSource::Custom
        } else {
            let word = self.one_of(&["standard52", "packs"], "a source of cards")?;
            if word.text == "packs" {
                DeckSource::Packs(self.expect_text("the type of the cards")?)
            } else {
                DeckSource::Standard52(word.span)
            }
        };
        self.finish_line();
        let mut deck = Deck { name, source, clauses: Vec::new() };
        self.parse_lines(&mut |parser| match parser.parse_deck_clause() {
            Ok(clause) => deck.clauses.push(clause),
            Err(_) => {
                parser.skip_line();
                parser.skip_block();
            }
        });
        Ok(deck)
    }

    fn parse_deck_clause(&mut self) -> Parsed<DeckClause> {
        let start = self.peek().span;
        let word = self.expect_clause_word(DECK_CLAUSES, "a line of a deck")?;
        let kind = match word {
            "suits" => DeckClauseKind::Suits(self.parse_suit_names()?),
            "ranks" => {
                let low = self.parse_rank_name()?;
                self.expect(TokenKind::Dots, "..", "ranks 2..A")?;
                DeckClauseKind::Ranks { low, high: self.parse_rank_name()? }
            }
            "attribute" => {
                const EXAMPLE: &str = "attribute colour: red green blue";
                let name = self.parse_name("a name for the attribute", EXAMPLE)?;
                self.expect_colon_after("the attribute's name", EXAMPLE);
                DeckClauseKind::Attribute { name, values: self.parse_attribute_values(EXAMPLE)? }
            }
            "make" => self.parse_make()?,
            "without" => self.parse_without()?,
            "with" => {
                let count = if self.at(TokenKind::Number) || self.at(TokenKind::OpenRound) {
                    Some(self.parse_amount()?)
                } else {
                    None
                };
                if self.at_text() {
                    let name = self.slice(self.peek().span);
                    let problem = Diagnostic::error("parse/expected-name", self.here(), "`with` gives cards a name of one word")
                        .hint(format!("Write it without quotes: `with 2 Joker`. A longer name is given with `called`, to cards that have an attribute: `make kind trap, 2 copies, called {name}`."));
                    return Err(self.fail(problem));
                }
                DeckClauseKind::With { count, name: self.parse_name("the name of a card", "with 2 Joker")? }
            }
            _ => DeckClauseKind::Copies(self.parse_amount()?),
        };
        let when = if self.eat_word("when") { Some(self.parse_expr()?) } else { None };
        self.finish_line();
        Ok(DeckClause { span: self.since(start), kind, when })
    }

    /// Reads the first word of a clause; reports a misspelt one and returns the word of the table that it resembles.
    pub(super) fn expect_clause_word(&mut self, known: &[&'static str], what: &str) -> Parsed<&'static str> {
        let word = self.word_at(0);
        if let Some(&word) = known.iter().find(|&&candidate| candidate == word) {
            self.bump();
            return Ok(word);
        }
        let meant = if word.is_empty() { None } else { did_you_mean(word, known.iter().copied()) };
        let list = super::words::listed(known);
        let problem = Diagnostic::error(
            "parse/unknown-clause",
            self.here(),
            format!("{} is not {what}", capitalize(&self.describe_next())),
        )
        .hint(match &meant {
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => format!("It can be {list}."),
        });
        let Some(&meant) = known.iter().find(|&&candidate| Some(candidate) == meant.as_deref()) else {
            return Err(self.fail(problem));
        };
        self.report(problem);
        self.bump();
        Ok(meant)
    }

    fn parse_suit_names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while self.at(TokenKind::Suit) || self.at(TokenKind::Word) && !self.at_word("when") {
            names.push(self.take_name());
        }
        if names.is_empty() {
            self.fail_expected("parse/expected-suit", "the suits, lowest first", "suits ♦ ♣ ♥ ♠")
        } else {
            Ok(names)
        }
    }

    fn parse_rank_name(&mut self) -> Parsed<Name> {
        if self.at(TokenKind::Word) || self.at(TokenKind::Number) {
            Ok(self.take_name())
        } else {
            self.fail_expected("parse/expected-rank", "a rank", "ranks 2..A")
        }
    }

    /// `1..13`, `red green blue`, `A 2..10 J Q K`, `any`, or one number
    fn parse_attribute_values(&mut self, example: &str) -> Parsed<AttrValues> {
        if self.at_word("any") {
            return Ok(AttrValues::Any(self.bump().span));
        }
        if self.at_line_end() || self.at(TokenKind::Comma) {
            return self.fail_expected("parse/expected-values", "the values", example);
        }
        // A single range or number is a range; in a list of several values numbers are names as well.
        let named = (self.at(TokenKind::Word) || self.at(TokenKind::Suit)) && self.nth(1).kind != TokenKind::Dots;
        if !named {
            let (low, high) = self.parse_bounds()?;
            if !self.at_value_word() {
                return Ok(AttrValues::Range(low, high));
            }
            let mut names = self.expand_numbers(&low, &high)?;
            self.parse_value_names(&mut names)?;
            return Ok(AttrValues::Names(names));
        }
        let mut names = Vec::new();
        self.parse_value_names(&mut names)?;
        Ok(AttrValues::Names(names))
    }

    fn at_value_word(&self) -> bool {
        self.at(TokenKind::Number) || self.at(TokenKind::Suit) || self.at(TokenKind::Word) && !self.at_word("when")
    }

    fn parse_value_names(&mut self, names: &mut Vec<Name>) -> Parsed<()> {
        while self.at_value_word() {
            if self.at(TokenKind::Number) {
                let (low, high) = self.parse_bounds()?;
                names.extend(self.expand_numbers(&low, &high)?);
            } else {
                names.push(self.take_name());
            }
        }
        Ok(())
    }

    /// Makes a name of each number of `2..10` in a list of values.
    fn expand_numbers(&mut self, low: &Expr, high: &Expr) -> Parsed<Vec<Name>> {
        let span = low.span.to(high.span);
        match (&low.kind, &high.kind) {
            (ExprKind::Number(a), ExprKind::Number(b)) if a <= b && b.saturating_sub(*a) < 1000 => {
                Ok((*a..=*b).map(|n| Name { text: n.to_string(), span }).collect())
            }
            _ => Err(self.fail(
                Diagnostic::error("parse/expected-values", span, "This can't stand in a list of values")
                    .hint("Write words and plain numbers one after another: `A 2..10 J Q K`."),
            )),
        }
    }

    /// `make value 1..12, colour red, 3 copies, called "Jester"`
    fn parse_make(&mut self) -> Parsed<DeckClauseKind> {
        const EXAMPLE: &str = "make value 1..12, colour red blue, 2 copies";
        let mut values = Vec::new();
        let mut copies = None;
        let mut called = None;
        loop {
            if self.eat_word("called") {
                called = Some(self.expect_text("the name of the card")?);
            } else if self.at(TokenKind::Word) && self.word_at(1) != "copies" {
                let name = self.parse_name("an attribute", EXAMPLE)?;
                values.push((name, self.parse_attribute_values(EXAMPLE)?));
            } else {
                copies = Some(self.parse_amount()?);
                self.expect_word("copies", EXAMPLE)?;
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(DeckClauseKind::Make { values, copies, called });
            }
        }
    }

    /// `without A♠ K♠`
    fn parse_without(&mut self) -> Parsed<DeckClauseKind> {
        let mut cards = Vec::new();
        while !self.at_line_end() && !self.at_word("when") {
            let card = self.parse_operand()?;
            let card = self.replace_name_by_card(card);
            if !matches!(card.kind, ExprKind::Card { .. } | ExprKind::Name(_) | ExprKind::Broken) {
                self.report_not_a_card(card.span);
            }
            cards.push(card);
            self.eat(TokenKind::Comma);
        }
        if cards.is_empty() {
            return self.fail_expected("parse/expected-card", "the cards to leave out", "without Q♣");
        }
        Ok(DeckClauseKind::Without(cards))
    }

    fn report_not_a_card(&mut self, span: Span) {
        self.report(
            Diagnostic::error("parse/expected-card", span, "This is not a card")
                .hint("Write cards as rank and suit: `without Q♣ J♠`."),
        );
    }
}

fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + characters.as_str(),
        None => String::new(),
    }
}
