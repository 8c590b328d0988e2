//! The parts of an alternative: what the player picks.

use super::words::PARTS;
use super::{Parsed, Parser};
use crate::ast::{Expr, Part, PartKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// Reads one part, together with clauses that belong to it (`, wild …`, `, size …`).
    pub(super) fn parse_part(&mut self) -> Parsed<Part> {
        let start = self.here();
        let word = self.word_at(0);
        let counted = self.word_at(1) == "cards" && !matches!(self.word_at(2), "" | "from");
        if counted || !PARTS.contains(&word) {
            return self.parse_counted_cards(start);
        }
        self.bump();
        let var = self.parse_part_name(word)?;
        let mut filter = None;
        let kind = match word {
            "card" => PartKind::Card(self.parse_cards_from("card c from hand[p]")?),
            "unseen" => PartKind::Unseen(self.parse_cards_from("unseen c from hand[q]")?),
            "set" => self.parse_alike(&mut filter)?,
            "run" => self.parse_run(&mut filter)?,
            "number" => {
                self.expect_word("from", "number n from 1..6")?;
                let low = self.without_where(|parser| parser.parse_amount())?;
                self.expect(TokenKind::Dots, "..", "number n from 1..6")?;
                PartKind::Number { low, high: self.without_where(|parser| parser.parse_amount())? }
            }
            "pile" => PartKind::Pile(self.parse_name_from("the name of a zone", "pile g from piles")?),
            "player" => {
                self.expect_word("from", "player q from players where q is not p")?;
                PartKind::Player(self.without_where(|parser| parser.parse_expr())?)
            }
            "value" => PartKind::Value(self.parse_name_from("an attribute", "value s from suit")?),
            "choice" => {
                self.expect_word("from", "choice x from higher | lower")?;
                PartKind::Choice(self.parse_choices()?)
            }
            "yesno" => PartKind::YesNo,
            "text" => {
                const EXAMPLE: &str = "text t at most 120 letters";
                self.expect_word("at", EXAMPLE)?;
                self.expect_word("most", EXAMPLE)?;
                let most = self.parse_amount()?;
                self.expect_word("letters", EXAMPLE)?;
                PartKind::Text(most)
            }
            _ => PartKind::Dice(self.parse_name_from("the name of dice", "dice d from five")?),
        };
        self.parse_filter(&mut filter)?;
        Ok(Part { span: self.since(start), var, kind, filter })
    }

    fn parse_part_name(&mut self, word: &str) -> Parsed<Name> {
        if self.at_word("from") || self.at_line_end() {
            let letter = word.chars().next().unwrap_or('c');
            let problem = Diagnostic::error(
                "parse/part-name",
                self.here(),
                format!("What is picked here needs a name after `{word}`"),
            )
            .label("a name goes here")
            .hint(format!("For example: `{word} {letter} from …`; the lines below then speak of `{letter}`."));
            return Err(self.fail(problem));
        }
        self.parse_name("a name for what is picked", "card c from hand[p]")
    }

    /// `from SEL`; a `where` after it belongs to the part.
    fn parse_cards_from(&mut self, example: &str) -> Parsed<Expr> {
        self.expect_word("from", example)?;
        self.without_where(|parser| parser.parse_amount())
    }

    fn parse_name_from(&mut self, what: &str, example: &str) -> Parsed<Name> {
        self.expect_word("from", example)?;
        self.parse_name(what, example)
    }

    fn parse_filter(&mut self, filter: &mut Option<Expr>) -> Parsed<()> {
        if filter.is_none() && self.eat_word("where") {
            *filter = Some(self.parse_expr()?);
        }
        Ok(())
    }

    /// `2 cards cs from SEL [in order]`, `1..3 cards cs from SEL`
    fn parse_counted_cards(&mut self, start: Span) -> Parsed<Part> {
        const EXAMPLE: &str = "2 cards cs from hand[p]";
        if self.at_word("cards") {
            let problem = Diagnostic::error("parse/unknown-part", start, "How many cards?").label("a number is missing").hint(
                format!("Write `{EXAMPLE}` or `1..3 cards cs from …`; cards that are alike are a set, `set cs from hand[p] alike in rank`."),
            );
            return Err(self.fail(problem));
        }
        if let Some(meant) = did_you_mean(self.word_at(0), PARTS.iter().copied())
            && self.word_at(1) != "cards"
        {
            let problem =
                Diagnostic::error("parse/unknown-part", start, format!("{} cannot be picked", self.describe_next()))
                    .hint(format!("Did you mean `{meant}`?"));
            return Err(self.fail(problem));
        }
        let low = self.parse_amount()?;
        let high = if self.eat(TokenKind::Dots) { Some(self.parse_amount()?) } else { None };
        if !self.at_word("cards") && !self.at_word("card") {
            let problem = Diagnostic::error("parse/unknown-part", start, "This is not something a player can pick")
                .hint(format!(
                    "A part begins with a number of cards (`{EXAMPLE}`) or with {}.",
                    super::words::listed(PARTS)
                ));
            return Err(self.fail(problem));
        }
        self.bump();
        let var = self.parse_part_name("cards")?;
        let from = self.parse_cards_from(EXAMPLE)?;
        let mut ordered = self.eat_words(&["in", "order"]);
        let mut filter = None;
        self.parse_filter(&mut filter)?;
        ordered |= self.eat_words(&["in", "order"]);
        Ok(Part { span: self.since(start), var, kind: PartKind::Cards { low, high, from, ordered }, filter })
    }

    /// `from SEL alike in value [, wild value is 13 [alone 1]] [, size E | size A..B]`
    fn parse_alike(&mut self, filter: &mut Option<Expr>) -> Parsed<PartKind> {
        const EXAMPLE: &str = "set s from hand[p] alike in value";
        let from = self.parse_cards_from(EXAMPLE)?;
        self.parse_filter(filter)?;
        self.expect_word("alike", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.parse_name("what the cards are alike in", EXAMPLE)?;
        let (mut wild, mut alone, mut size) = (None, None, None);
        loop {
            self.parse_filter(filter)?;
            if self.at(TokenKind::Comma) && self.word_at(1) == "wild" {
                self.bump();
                self.bump();
                wild = Some(self.without_where(|parser| parser.parse_expr())?);
                if self.eat_word("alone") {
                    alone = Some(self.parse_amount()?);
                }
            } else if self.at_size() {
                size = Some(self.parse_size()?);
            } else {
                return Ok(PartKind::Alike { from, attr, wild, alone, size });
            }
        }
    }

    /// `from SEL in rank within suit [, size E | size A..B]`
    fn parse_run(&mut self, filter: &mut Option<Expr>) -> Parsed<PartKind> {
        const EXAMPLE: &str = "run s from hand[p] in rank within suit, size 3..13";
        let from = self.parse_cards_from(EXAMPLE)?;
        self.parse_filter(filter)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.parse_name("what the cards run in", EXAMPLE)?;
        let within = if self.eat_word("within") { Some(self.parse_name("an attribute", EXAMPLE)?) } else { None };
        self.parse_filter(filter)?;
        let size = if self.at_size() { Some(self.parse_size()?) } else { None };
        Ok(PartKind::Run { from, attr, within, size })
    }

    fn at_size(&self) -> bool {
        self.at(TokenKind::Comma) && self.word_at(1) == "size"
    }

    fn parse_size(&mut self) -> Parsed<(Expr, Option<Expr>)> {
        self.bump();
        self.bump();
        let low = self.parse_amount()?;
        let high = if self.eat(TokenKind::Dots) { Some(self.parse_amount()?) } else { None };
        Ok((low, high))
    }
}
