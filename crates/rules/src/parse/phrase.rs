//! Values that are not operators: names, numbers, cards, and the phrases that choose cards and
//! players (`highest card of trick by rank`, `first player q where …`).

use super::slip::suit_from_letter;
use super::words::is_reserved;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let start = token.span;
        let kind = match token.kind {
            Kind::Number | Kind::Word if let Some(card) = self.spoken_card() => return Ok(self.spoken_card_here(card)),
            Kind::Number => return self.number(),
            Kind::Text(_) => ExprKind::Text(self.text_here()),
            Kind::Card => {
                self.bump();
                card(self.slice(start))
            }
            Kind::Suit => {
                self.bump();
                if let Some(card) = self.suit_first(start) {
                    return Ok(card);
                }
                ExprKind::Suit(self.slice(start).chars().next().unwrap_or('♠'))
            }
            Kind::OpenRound => {
                self.bump();
                let mut inner = self.with_where(true, |parser| parser.value())?;
                self.close(Kind::CloseRound, ")", start)?;
                inner.span = self.since(start);
                return Ok(inner);
            }
            Kind::Word => self.word()?,
            _ => return self.no_value(),
        };
        Ok(Expr { span: self.since(start), kind })
    }

    fn no_value<T>(&mut self) -> Parsed<T> {
        let found = self.found();
        let mut problem =
            Diagnostic::error("parse/expected-value", self.here(), format!("Expected a value, found {found}"))
                .label("a number, a name, a card, a text …");
        match self.peek().kind {
            Kind::Assign => problem = problem.hint("`:=` sets a value on a line of its own; to compare, write `is`."),
            Kind::OpenSquare => {
                problem = problem.hint("`[ ]` stands after a name, as in `hand[p]`; to group, write `( )`.")
            }
            Kind::Slash => problem = problem.hint("A comment begins with `#`."),
            _ => {}
        }
        Err(self.hard(problem))
    }

    fn number(&mut self) -> Parsed<Expr> {
        let span = self.bump().span;
        let digits = self.slice(span);
        let letter = self.peek();
        if letter.span.start == span.end
            && let Some(suit) = suit_from_letter(self.word_at(0))
        {
            self.bump();
            let rank = digits.to_string();
            return Ok(self.card_slipped(span.to(letter.span), rank, suit));
        }
        // Nine digits fit everywhere a number can go.
        let value = if digits.len() <= 9 { digits.parse().unwrap_or(0) } else { i64::MAX };
        if value == i64::MAX {
            self.soft(
                Diagnostic::error("parse/number-too-large", span, "This number is too large")
                    .hint("Numbers go up to 999999999."),
            );
            return Ok(Expr { span, kind: ExprKind::Broken });
        }
        Ok(Expr { span, kind: ExprKind::Number(value) })
    }

    /// A value that begins with a word.
    fn word(&mut self) -> Parsed<ExprKind> {
        let (word, next) = (self.word_at(0), self.word_at(1));
        match (word, next) {
            ("yes", _) => self.literal(ExprKind::YesNo(true)),
            ("nobody", _) => self.literal(ExprKind::Nobody),
            ("none", _) => self.literal(ExprKind::None),
            ("any" | "no", _) if matches!(next, "card" | "player") || self.domain_at(1) => self.quantifier(),
            ("no", _) => self.literal(ExprKind::YesNo(false)),
            ("any", _) => {
                self.bump();
                self.expected(
                    "parse/expected-word",
                    "`card`, `player` or a name",
                    "any card in trick where suit is led",
                )
            }
            ("true" | "false", _) => self.truth(),
            ("if", _) => self.choice_of_two(),
            ("reveal", _) => self.revealed(),
            ("players", _) => self.players(),
            ("count", "of") => self.count(),
            ("sum" | "max" | "min", "of") => self.fold(),
            ("sets", "of") => self.sets(),
            ("first" | "last", "card") if self.word_at(2) == "of" => {
                self.eat_words(&[word, "card", "of"]);
                Ok(ExprKind::EndCard { last: word == "last", base: Box::new(self.operand()?) })
            }
            ("top" | "bottom", _) if self.top_follows() => self.top_cards(),
            ("player", "with") | ("highest" | "lowest", "player") => self.best_player(),
            ("first", "player") => self.first_player(),
            ("first" | "last", _) if self.amount_follows() => self.first_few(),
            ("next" | "previous", "player") => self.next_player(),
            ("random", "player") => {
                self.eat_words(&[word, next]);
                Ok(ExprKind::RandomPlayer { var: self.optional_name(), cond: self.condition()? })
            }
            ("random", "card") => {
                self.eat_words(&[word, next]);
                self.expect_word("of", "random card of stock")?;
                Ok(ExprKind::RandomCard(Box::new(self.operand()?)))
            }
            ("highest" | "lowest", "card") => self.best_card(),
            (_, "of") if !is_reserved(word) => {
                let name = self.any_name();
                self.bump();
                Ok(ExprKind::Of { name, arg: Box::new(self.operand()?) })
            }
            _ if is_reserved(word) => self.no_value(),
            _ => {
                let name = self.any_name();
                match self.peek().kind {
                    Kind::OpenSquare => Ok(ExprKind::Index { name, args: self.arguments()? }),
                    Kind::OpenRound => Ok(ExprKind::Call { name, args: self.arguments()? }),
                    _ => Ok(ExprKind::Name(name.text)),
                }
            }
        }
    }

    fn literal(&mut self, kind: ExprKind) -> Parsed<ExprKind> {
        self.bump();
        Ok(kind)
    }

    fn truth(&mut self) -> Parsed<ExprKind> {
        let value = self.at_word("true");
        let span = self.bump().span;
        let right = if value { "yes" } else { "no" };
        self.slip(
            Diagnostic::error("parse/true-false", span, format!("`{}` is not used here", self.slice(span)))
                .hint(format!("Write `{right}`.")),
        );
        Ok(ExprKind::YesNo(value))
    }

    /// `[p, 2]` or `(c, d)`; the caller has seen the bracket.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let open = self.bump();
        let (closing, sign) =
            if open.kind == Kind::OpenSquare { (Kind::CloseSquare, "]") } else { (Kind::CloseRound, ")") };
        let mut args = Vec::new();
        if !self.at(closing) {
            args.push(self.with_where(true, |parser| parser.value())?);
            while self.eat(Kind::Comma) {
                args.push(self.with_where(true, |parser| parser.value())?);
            }
        }
        self.close(closing, sign, open.span)?;
        Ok(args)
    }

    /// `sets of 2 alike in rank of SEL`
    fn sets(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "sets of 2 alike in rank of hand[p]";
        self.eat_words(&["sets", "of"]);
        let size = Box::new(self.without_where(|parser| parser.amount())?);
        self.expect_word("alike", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.name("what they are alike in", EXAMPLE)?;
        self.expect_word("of", EXAMPLE)?;
        Ok(ExprKind::SetsOf { size, attr, base: Box::new(self.operand()?) })
    }

    /// Something that can be a number of cards follows `first` or `last`.
    fn amount_follows(&self) -> bool {
        match self.nth(1).kind {
            Kind::Number | Kind::OpenRound => true,
            Kind::Word => !is_reserved(self.word_at(1)),
            _ => false,
        }
    }

    /// `first 3 cards of SEL`, `first 2 letters of T`
    fn first_few(&mut self) -> Parsed<ExprKind> {
        let last = self.at_word("last");
        self.bump();
        let count = Box::new(self.without_where(|parser| parser.amount())?);
        if self.eat_words(&["cards", "of"]) {
            return Ok(ExprKind::EndCards { last, count, base: Box::new(self.operand()?) });
        }
        if !last && self.eat_words(&["letters", "of"]) {
            return Ok(ExprKind::Letters { count, text: Box::new(self.operand()?) });
        }
        if last {
            return self.expected("parse/expected-word", "`cards of`", "last 3 cards of trick");
        }
        self.expected("parse/expected-word", "`cards of` or `letters of`", "first 3 cards of stock")
    }

    /// `first player [q] [from E] [where E]`
    fn first_player(&mut self) -> Parsed<ExprKind> {
        self.eat_words(&["first", "player"]);
        let var = self.optional_name();
        let from =
            if self.eat_word("from") { Some(Box::new(self.without_where(|parser| parser.amount())?)) } else { None };
        Ok(ExprKind::FirstPlayer { var, from, cond: self.condition()? })
    }

    /// `next player [q] after E [where E]`
    fn next_player(&mut self) -> Parsed<ExprKind> {
        let back = self.at_word("previous");
        self.bump();
        self.bump();
        let var = self.optional_name();
        if back {
            self.expect_word("before", "previous player before p")?;
        } else {
            self.expect_word("after", "next player after p where hand is not empty")?;
        }
        let after = Box::new(self.without_where(|parser| parser.amount())?);
        Ok(ExprKind::NextPlayer { back, var, after, cond: self.condition()? })
    }

    /// `highest card of SEL by rank`
    fn best_card(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "highest card of trick by rank";
        let highest = self.at_word("highest");
        self.bump();
        self.bump();
        self.expect_word("of", EXAMPLE)?;
        let base = Box::new(self.with_where(true, |parser| parser.operand())?);
        self.expect_word("by", EXAMPLE)?;
        let by = self.name("what to compare by", EXAMPLE)?;
        Ok(ExprKind::BestCard { highest, base, by })
    }

    /// `if A then B else C`
    fn choice_of_two(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "if open then 2 else 1";
        self.bump();
        let cond = Box::new(self.with_where(true, |parser| parser.value())?);
        self.expect_word("then", EXAMPLE)?;
        let then = Box::new(self.with_where(true, |parser| parser.value())?);
        self.expect_word("else", EXAMPLE)?;
        Ok(ExprKind::If { cond, then, otherwise: Box::new(self.value()?) })
    }

    /// `reveal E [to p]`
    fn revealed(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let what = Box::new(self.value()?);
        let to = if self.eat_word("to") { Some(Box::new(self.value()?)) } else { None };
        Ok(ExprKind::Reveal { what, to })
    }
}

/// `10♥` as written.
fn card(text: &str) -> ExprKind {
    let text = text.trim_end_matches('\u{fe0f}');
    let suit = text.chars().next_back().unwrap_or('♠');
    ExprKind::Card { rank: text.trim_end_matches(suit).to_string(), suit }
}
