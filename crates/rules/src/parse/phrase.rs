//! Operands: names, numbers, cards, and the phrases that choose cards and players (`highest card of trick by rank`,
//! `first player q where …`).

use super::slip::suit_from_letter;
use super::words::is_reserved;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::Span;

/// The parser looks this far for the end of a place in brackets: `card (k + 1) of row`. Without a bound, a line of many brackets
/// would be read again and again.
const MAX_PLACE_TOKENS: usize = 40;

impl Parser<'_> {
    pub(super) fn parse_primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let start = token.span;
        let kind = match token.kind {
            TokenKind::Number | TokenKind::Word if let Some(card) = self.peek_spoken_card() => {
                return Ok(self.parse_spoken_card(card));
            }
            TokenKind::Number => return self.parse_number(),
            TokenKind::Text(_) => ExprKind::Text(self.parse_text()),
            TokenKind::Card => {
                self.bump();
                split_card(self.slice(start))
            }
            TokenKind::Suit => {
                self.bump();
                if let Some(card) = self.parse_suit_first(start) {
                    return Ok(card);
                }
                ExprKind::Suit(self.slice(start).chars().next().unwrap_or('♠'))
            }
            TokenKind::OpenRound => {
                self.bump();
                let mut inner = self.in_brackets(|parser| parser.parse_expr())?;
                self.expect_closing(TokenKind::CloseRound, ")", start)?;
                inner.span = self.since(start);
                return Ok(inner);
            }
            TokenKind::Word => self.parse_word()?,
            _ => return self.fail_no_value(),
        };
        Ok(Expr { span: self.since(start), kind })
    }

    fn fail_no_value<T>(&mut self) -> Parsed<T> {
        let found = self.describe_next();
        let mut problem =
            Diagnostic::error("parse/expected-value", self.here(), format!("Expected a value, found {found}"))
                .label("a number, a name, a card, a text …");
        match self.peek().kind {
            TokenKind::Assign => {
                problem = problem.hint("`:=` sets a value on a line of its own; to compare, write `is`.")
            }
            TokenKind::OpenSquare => {
                problem = problem.hint("`[ ]` stands after a name, as in `hand[p]`; to group, write `( )`.")
            }
            TokenKind::Slash => problem = problem.hint("A comment begins with `#`."),
            _ => {}
        }
        Err(self.fail(problem))
    }

    fn parse_number(&mut self) -> Parsed<Expr> {
        let span = self.bump().span;
        // A number with separators was reported by the lexer.
        let digits: String = self.slice(span).chars().filter(char::is_ascii_digit).collect();
        let letter = self.peek();
        if letter.span.start == span.end
            && let Some(suit) = suit_from_letter(self.word_at(0))
        {
            self.bump();
            let rank = digits.to_string();
            return Ok(self.report_card_slip(span.to(letter.span), rank, suit));
        }
        // Numbers of nine digits fit into an `i32`, even with a minus.
        let value = if digits.len() <= 9 { digits.parse().unwrap_or(0) } else { i64::MAX };
        if value == i64::MAX {
            self.report(
                Diagnostic::error("parse/number-too-large", span, "This number is too large")
                    .hint("Numbers go up to 999999999."),
            );
            return Ok(Expr { span, kind: ExprKind::Broken });
        }
        Ok(Expr { span, kind: ExprKind::Number(value) })
    }

    /// Reads an operand that begins with a word.
    fn parse_word(&mut self) -> Parsed<ExprKind> {
        let (word, next) = (self.word_at(0), self.word_at(1));
        match (word, next) {
            ("yes", _) => self.parse_literal(ExprKind::YesNo(true)),
            ("nobody", _) => self.parse_literal(ExprKind::Nobody),
            ("none", _) => self.parse_literal(ExprKind::None),
            ("any" | "no", _) if matches!(next, "card" | "player") || self.at_domain(1) => self.parse_quantifier(),
            ("no", _) => self.parse_literal(ExprKind::YesNo(false)),
            ("any", _) => {
                self.bump();
                self.fail_expected(
                    "parse/expected-word",
                    "`card`, `player` or a name",
                    "any card in trick where suit is led",
                )
            }
            ("true" | "false", _) => self.parse_true_or_false(),
            ("if", _) => self.parse_if_expr(),
            ("reveal", _) => self.parse_reveal_expr(),
            ("players", _) => self.parse_players(),
            ("count", "of") => self.parse_count(),
            ("sum" | "max" | "min", "of") => self.parse_fold(),
            ("sets", "of") => self.parse_sets(),
            ("first" | "last", "card") if self.word_at(2) == "of" => {
                self.eat_words(&[word, "card", "of"]);
                Ok(ExprKind::EndCard { last: word == "last", base: Box::new(self.parse_operand()?) })
            }
            ("card", _) if self.at_nth_card() => {
                self.bump();
                // `n of row` would be read as one value.
                let place = if self.at(TokenKind::Word) {
                    let name = self.take_name();
                    Expr { span: name.span, kind: ExprKind::Name(name.text) }
                } else {
                    self.without_where(|parser| parser.parse_amount())?
                };
                let place = Box::new(place);
                self.expect_word("of", "card 3 of row[1]")?;
                Ok(ExprKind::NthCard { place, base: Box::new(self.parse_operand()?) })
            }
            ("card", "number") if self.nth(2).kind == TokenKind::Number && self.word_at(3) == "of" => {
                let span = self.bump().span.to(self.bump().span);
                self.parse_counted_card(span, None)
            }
            ("second" | "third" | "fourth" | "fifth", "card") if self.word_at(2) == "of" => {
                let place = ["second", "third", "fourth", "fifth"].iter().position(|ordinal| *ordinal == word);
                let span = self.bump().span.to(self.bump().span);
                self.parse_counted_card(span, place.map(|at| at as i64 + 2))
            }
            ("top" | "bottom", _) if self.at_top_cards() => self.parse_top_cards(),
            ("player", "with") | ("highest" | "lowest", "player") => self.fail_best_player(),
            _ if self.at_every() => self.parse_every(),
            _ if self.at_neighbour() => self.parse_neighbour(),
            _ if self.at_article() => self.fail_article(),
            ("first", "player") => self.parse_first_player(),
            ("first" | "last", _) if self.amount_follows() => self.parse_first_few(),
            ("next" | "previous", "player") => self.parse_next_player(),
            ("next", _) if matches!(self.word_at(2), "after" | "before") && !is_reserved(next) => {
                self.parse_next_value()
            }
            ("previous", _) if matches!(self.word_at(2), "after" | "before") && !is_reserved(next) => {
                self.parse_next_value()
            }
            ("random", "player") => {
                self.eat_words(&[word, next]);
                Ok(ExprKind::RandomPlayer { var: self.parse_optional_name(), cond: self.parse_where()? })
            }
            ("random", "card") => {
                self.eat_words(&[word, next]);
                self.expect_word("of", "random card of stock")?;
                Ok(ExprKind::RandomCard(Box::new(self.parse_operand()?)))
            }
            ("highest" | "lowest", "card") => self.parse_best_card(),
            (_, "of") if !is_reserved(word) => {
                let name = self.take_name();
                self.bump();
                Ok(ExprKind::Of { name, arg: Box::new(self.parse_operand()?) })
            }
            _ if is_reserved(word) => self.fail_no_value(),
            _ => {
                let name = self.take_name();
                match self.peek().kind {
                    TokenKind::OpenSquare => Ok(ExprKind::Index { name, args: self.parse_arguments()? }),
                    TokenKind::OpenRound => Ok(ExprKind::Call { name, args: self.parse_arguments()? }),
                    _ => Ok(ExprKind::Name(name.text)),
                }
            }
        }
    }

    fn parse_literal(&mut self, kind: ExprKind) -> Parsed<ExprKind> {
        self.bump();
        Ok(kind)
    }

    fn parse_true_or_false(&mut self) -> Parsed<ExprKind> {
        let value = self.at_word("true");
        let span = self.bump().span;
        let right = if value { "yes" } else { "no" };
        self.report_slip(
            Diagnostic::error("parse/true-false", span, format!("`{}` is not used here", self.slice(span)))
                .hint(format!("Write `{right}`.")),
        );
        Ok(ExprKind::YesNo(value))
    }

    /// Reports `third card of row` and `card number 3 of row`, and reads them as `card 3 of row`.
    fn parse_counted_card(&mut self, start: Span, place: Option<i64>) -> Parsed<ExprKind> {
        let place = match place {
            Some(place) => Expr { span: start, kind: ExprKind::Number(place) },
            None => self.parse_number()?,
        };
        let ExprKind::Number(number) = place.kind else { return Ok(ExprKind::Broken) };
        self.report_slip(
            Diagnostic::error("parse/which-card", self.since(start), "A card is counted with a number behind `card`")
                .hint(format!("Write `card {number} of …`.")),
        );
        self.expect_word("of", "card 3 of row[1]")?;
        Ok(ExprKind::NthCard { place: Box::new(place), base: Box::new(self.parse_operand()?) })
    }

    /// `[p, 2]` or `(c, d)`; the caller has checked the bracket.
    pub(super) fn parse_arguments(&mut self) -> Parsed<Vec<Expr>> {
        let open = self.bump();
        let (closing, sign) = if open.kind == TokenKind::OpenSquare {
            (TokenKind::CloseSquare, "]")
        } else {
            (TokenKind::CloseRound, ")")
        };
        let mut args = Vec::new();
        if !self.at(closing) {
            args.push(self.in_brackets(|parser| parser.parse_expr())?);
            while self.eat(TokenKind::Comma) {
                args.push(self.in_brackets(|parser| parser.parse_expr())?);
            }
        }
        self.expect_closing(closing, sign, open.span)?;
        Ok(args)
    }

    /// `sets of 2 alike in rank of SEL`
    fn parse_sets(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "sets of 2 alike in rank of hand[p]";
        self.eat_words(&["sets", "of"]);
        let size = Box::new(self.without_where(|parser| parser.parse_amount())?);
        self.expect_word("alike", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.parse_name("what they are alike in", EXAMPLE)?;
        self.expect_word("of", EXAMPLE)?;
        Ok(ExprKind::SetsOf { size, attr, base: Box::new(self.parse_operand()?) })
    }

    /// Whether `card 3 of`, `card k of` or `card (k + 1) of` stands here. A bare `card` is the card at hand.
    fn at_nth_card(&self) -> bool {
        match self.nth(1).kind {
            TokenKind::Number => self.word_at(2) == "of",
            TokenKind::Word => !is_reserved(self.word_at(1)) && self.word_at(2) == "of",
            TokenKind::OpenRound => {
                let (mut at, mut depth) = (1, 0usize);
                loop {
                    match self.nth(at).kind {
                        TokenKind::OpenRound => depth += 1,
                        TokenKind::CloseRound if depth == 1 => return self.word_at(at + 1) == "of",
                        TokenKind::CloseRound => depth -= 1,
                        TokenKind::End => return false,
                        _ if at > MAX_PLACE_TOKENS => return false,
                        _ => {}
                    }
                    at += 1;
                }
            }
            _ => false,
        }
    }

    /// Whether the token after `first` or `last` can begin a number of cards.
    fn amount_follows(&self) -> bool {
        match self.nth(1).kind {
            TokenKind::Number | TokenKind::OpenRound => true,
            TokenKind::Word => !is_reserved(self.word_at(1)),
            _ => false,
        }
    }

    /// `first 3 cards of SEL`, `first 2 letters of T`
    fn parse_first_few(&mut self) -> Parsed<ExprKind> {
        let last = self.at_word("last");
        self.bump();
        let count = Box::new(self.without_where(|parser| parser.parse_amount())?);
        if self.eat_words(&["cards", "of"]) {
            return Ok(ExprKind::EndCards { last, count, base: Box::new(self.parse_operand()?) });
        }
        if !last && self.eat_words(&["letters", "of"]) {
            return Ok(ExprKind::Letters { count, text: Box::new(self.parse_operand()?) });
        }
        if last {
            return self.fail_expected("parse/expected-word", "`cards of`", "last 3 cards of trick");
        }
        self.fail_expected("parse/expected-word", "`cards of` or `letters of`", "first 3 cards of stock")
    }

    /// `first player [q] [from E] [where E]`
    fn parse_first_player(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        self.eat_words(&["first", "player"]);
        let var = self.parse_optional_name();
        if self.eat_word("after") {
            return self.parse_misnamed_neighbour(start, false, var);
        }
        let from = if self.eat_word("from") {
            Some(Box::new(self.without_where(|parser| parser.parse_amount())?))
        } else {
            None
        };
        Ok(ExprKind::FirstPlayer { var, from, cond: self.parse_where()? })
    }

    /// `next player [q] after E [where E]`
    fn parse_next_player(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let back = self.at_word("previous");
        self.bump();
        self.bump();
        let var = self.parse_optional_name();
        if self.eat_word(if back { "after" } else { "before" }) {
            return self.parse_misnamed_neighbour(start, back, var);
        }
        if back {
            self.expect_word("before", "previous player before p")?;
        } else {
            self.expect_word("after", "next player after p where hand is not empty")?;
        }
        let after = Box::new(self.without_where(|parser| parser.parse_amount())?);
        Ok(ExprKind::NextPlayer { back, var, after, cond: self.parse_where()? })
    }

    /// `next rank after r`, `previous rank before r wrapping`
    fn parse_next_value(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let back = self.at_word("previous");
        self.bump();
        let attr = self.take_name();
        let side = self.bump().span;
        if (self.slice(side) == "before") != back {
            let (first, second) = if back { ("previous", "before") } else { ("next", "after") };
            let hint = format!(
                "Write `{first} {0} {second} …`; the other way round it is `{1} {0} {2} …`.",
                attr.text,
                if back { "next" } else { "previous" },
                if back { "after" } else { "before" }
            );
            let title = format!("The {first} {} stands {second} a value", attr.text);
            self.report_slip(Diagnostic::error("parse/which-value", self.since(start), title).hint(hint));
        }
        let after = Box::new(self.without_where(|parser| parser.parse_amount())?);
        if self.at_any_word(&["wraps", "wrap", "wrapped"]) {
            let wraps = self.take_name();
            let problem =
                Diagnostic::error("parse/unknown-word", wraps.span, format!("`{}` is not known here", wraps.text))
                    .hint("Write `wrapping`: after the last value comes the first one again.");
            self.report_slip(problem);
            return Ok(ExprKind::NextValue { back, attr, after, wrapping: true });
        }
        Ok(ExprKind::NextValue { back, attr, after, wrapping: self.eat_word("wrapping") })
    }

    /// `highest card of SEL by rank`
    fn parse_best_card(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "highest card of trick by rank";
        let highest = self.at_word("highest");
        self.bump();
        self.bump();
        self.expect_word("of", EXAMPLE)?;
        let base = Box::new(self.with_where(true, |parser| parser.parse_operand())?);
        self.expect_word("by", EXAMPLE)?;
        let by = self.parse_name("what to compare by", EXAMPLE)?;
        Ok(ExprKind::BestCard { highest, base, by })
    }

    /// `if A then B else C`
    fn parse_if_expr(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "if open then 2 else 1";
        self.bump();
        let cond = Box::new(self.with_where(true, |parser| parser.parse_expr())?);
        self.expect_word("then", EXAMPLE)?;
        let then = Box::new(self.with_where(true, |parser| parser.parse_expr())?);
        self.expect_word("else", EXAMPLE)?;
        Ok(ExprKind::If { cond, then, otherwise: Box::new(self.parse_expr()?) })
    }

    /// `reveal E [to p]`
    fn parse_reveal_expr(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let what = Box::new(self.parse_expr()?);
        let to = if self.eat_word("to") { Some(Box::new(self.parse_expr()?)) } else { None };
        Ok(ExprKind::Reveal { what, to })
    }
}

/// Splits `10♥` into rank and suit.
pub(super) fn split_card(text: &str) -> ExprKind {
    let text = text.trim_end_matches('\u{fe0f}');
    let suit = text.chars().next_back().unwrap_or('♠');
    ExprKind::Card { rank: text.trim_end_matches(suit).to_string(), suit }
}
