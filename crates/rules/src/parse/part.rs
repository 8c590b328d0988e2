//! The parts of an alternative: what the player picks.

use super::words::PARTS;
use super::{Parsed, Parser};
use crate::ast::{Expr, Part, PartKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::Kind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// One part; commas that belong to it (`, wild …`, `, size …`) are read with it.
    pub(super) fn part(&mut self) -> Parsed<Part> {
        let start = self.here();
        let word = self.word_at(0);
        let counted = self.word_at(1) == "cards" && !matches!(self.word_at(2), "" | "from");
        if counted || !PARTS.contains(&word) {
            return self.counted_cards(start);
        }
        self.bump();
        let var = self.part_name(word)?;
        let mut filter = None;
        let kind = match word {
            "card" => PartKind::Card(self.cards_from("card c from hand[p]")?),
            "unseen" => PartKind::Unseen(self.cards_from("unseen c from hand[q]")?),
            "set" => self.alike(&mut filter)?,
            "run" => self.run(&mut filter)?,
            "number" => {
                self.expect_word("from", "number n from 1..6")?;
                let low = self.without_where(|parser| parser.amount())?;
                self.expect(Kind::Dots, "..", "number n from 1..6")?;
                PartKind::Number { low, high: self.without_where(|parser| parser.amount())? }
            }
            "pile" => PartKind::Pile(self.name_from("the name of a zone", "pile g from piles")?),
            "player" => {
                self.expect_word("from", "player q from players where q is not p")?;
                PartKind::Player(self.without_where(|parser| parser.value())?)
            }
            "value" => PartKind::Value(self.name_from("an attribute", "value s from suit")?),
            "choice" => {
                self.expect_word("from", "choice x from higher | lower")?;
                PartKind::Choice(self.choices()?)
            }
            "yesno" => PartKind::YesNo,
            "text" => {
                const EXAMPLE: &str = "text t at most 120 letters";
                self.expect_word("at", EXAMPLE)?;
                self.expect_word("most", EXAMPLE)?;
                let most = self.amount()?;
                self.expect_word("letters", EXAMPLE)?;
                PartKind::Text(most)
            }
            _ => PartKind::Dice(self.name_from("the name of dice", "dice d from five")?),
        };
        self.filter(&mut filter)?;
        Ok(Part { span: self.since(start), var, kind, filter })
    }

    fn part_name(&mut self, word: &str) -> Parsed<Name> {
        if self.at_word("from") || self.at_line_end() {
            let letter = word.chars().next().unwrap_or('c');
            let problem = Diagnostic::error(
                "parse/part-name",
                self.here(),
                format!("What is picked here needs a name after `{word}`"),
            )
            .label("a name goes here")
            .hint(format!("For example: `{word} {letter} from …`; the lines below then speak of `{letter}`."));
            return Err(self.hard(problem));
        }
        self.name("a name for what is picked", "card c from hand[p]")
    }

    /// `from SEL`; a `where` after it is the part's filter.
    fn cards_from(&mut self, example: &str) -> Parsed<Expr> {
        self.expect_word("from", example)?;
        self.without_where(|parser| parser.amount())
    }

    fn name_from(&mut self, what: &str, example: &str) -> Parsed<Name> {
        self.expect_word("from", example)?;
        self.name(what, example)
    }

    fn filter(&mut self, filter: &mut Option<Expr>) -> Parsed<()> {
        if filter.is_none() && self.eat_word("where") {
            *filter = Some(self.value()?);
        }
        Ok(())
    }

    /// `2 cards cs from SEL [in order]`, `1..3 cards cs from SEL`
    fn counted_cards(&mut self, start: Span) -> Parsed<Part> {
        const EXAMPLE: &str = "2 cards cs from hand[p]";
        if let Some(meant) = did_you_mean(self.word_at(0), PARTS.iter().copied())
            && self.word_at(1) != "cards"
        {
            let problem = Diagnostic::error("parse/unknown-part", start, format!("{} cannot be picked", self.found()))
                .hint(format!("Did you mean `{meant}`?"));
            return Err(self.hard(problem));
        }
        let low = self.amount()?;
        let high = if self.eat(Kind::Dots) { Some(self.amount()?) } else { None };
        if !self.at_word("cards") && !self.at_word("card") {
            let problem = Diagnostic::error("parse/unknown-part", start, "This is not something a player can pick")
                .hint(format!(
                    "A part begins with a number of cards (`{EXAMPLE}`) or with {}.",
                    super::words::listed(PARTS)
                ));
            return Err(self.hard(problem));
        }
        self.bump();
        let var = self.part_name("cards")?;
        let from = self.cards_from(EXAMPLE)?;
        let mut ordered = self.eat_words(&["in", "order"]);
        let mut filter = None;
        self.filter(&mut filter)?;
        ordered |= self.eat_words(&["in", "order"]);
        Ok(Part { span: self.since(start), var, kind: PartKind::Cards { low, high, from, ordered }, filter })
    }

    /// `from SEL alike in value [, wild value is 13 [alone 1]] [, size E | size A..B]`
    fn alike(&mut self, filter: &mut Option<Expr>) -> Parsed<PartKind> {
        const EXAMPLE: &str = "set s from hand[p] alike in value";
        let from = self.cards_from(EXAMPLE)?;
        self.filter(filter)?;
        self.expect_word("alike", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.name("what the cards are alike in", EXAMPLE)?;
        let (mut wild, mut alone, mut size) = (None, None, None);
        loop {
            self.filter(filter)?;
            if self.at(Kind::Comma) && self.word_at(1) == "wild" {
                self.bump();
                self.bump();
                wild = Some(self.without_where(|parser| parser.value())?);
                if self.eat_word("alone") {
                    alone = Some(self.amount()?);
                }
            } else if self.at_size() {
                size = Some(self.size()?);
            } else {
                return Ok(PartKind::Alike { from, attr, wild, alone, size });
            }
        }
    }

    /// `from SEL in rank within suit [, size E | size A..B]`
    fn run(&mut self, filter: &mut Option<Expr>) -> Parsed<PartKind> {
        const EXAMPLE: &str = "run s from hand[p] in rank within suit, size 3..13";
        let from = self.cards_from(EXAMPLE)?;
        self.filter(filter)?;
        self.expect_word("in", EXAMPLE)?;
        let attr = self.name("what the cards run in", EXAMPLE)?;
        let within = if self.eat_word("within") { Some(self.name("an attribute", EXAMPLE)?) } else { None };
        self.filter(filter)?;
        let size = if self.at_size() { Some(self.size()?) } else { None };
        Ok(PartKind::Run { from, attr, within, size })
    }

    fn at_size(&self) -> bool {
        self.at(Kind::Comma) && self.word_at(1) == "size"
    }

    fn size(&mut self) -> Parsed<(Expr, Option<Expr>)> {
        self.bump();
        self.bump();
        let low = self.amount()?;
        let high = if self.eat(Kind::Dots) { Some(self.amount()?) } else { None };
        Ok((low, high))
    }
}
