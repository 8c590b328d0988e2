//! Slips inside values, known from other notations: `==`, `&&`, `is at least`, `AS` for A♠. They
//! are reported and read as what is meant.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// `is in`, `is at least`: reported, and taken for the operator that is meant.
    pub(super) fn comparison_in_words(&mut self, negated: bool) -> BinaryOp {
        use BinaryOp::*;
        let (width, yes, no, sign) = match (self.word_at(0), self.word_at(1)) {
            ("in", _) => (1, In, NotIn, if negated { "not in" } else { "in" }),
            ("at", "least") => (2, GreaterEq, Less, if negated { "<" } else { ">=" }),
            ("at", "most") => (2, LessEq, Greater, if negated { ">" } else { "<=" }),
            ("more" | "greater" | "higher" | "bigger", "than") => {
                (2, Greater, LessEq, if negated { "<=" } else { ">" })
            }
            ("less" | "fewer" | "lower" | "smaller", "than") => (2, Less, GreaterEq, if negated { ">=" } else { "<" }),
            ("equals", _) => (1, Is, IsNot, if negated { "is not" } else { "is" }),
            ("equal", "to") => (2, Is, IsNot, if negated { "is not" } else { "is" }),
            _ => return if negated { IsNot } else { Is },
        };
        let start = self.here();
        for _ in 0..width {
            self.bump();
        }
        let span = self.since(start);
        let example = match sign {
            "in" | "not in" => format!("c {sign} hand[p]"),
            _ => format!("count of hand[p] {sign} 3"),
        };
        self.slip(
            Diagnostic::error("parse/comparison", span, format!("Comparisons of this kind are written with `{sign}`"))
                .hint(format!("For example: `{example}`")),
        );
        if negated { no } else { yes }
    }

    /// `pending equals 0`, `count of pile greater than 1`: `is` is missing as well.
    pub(super) fn compares_in_words(&self) -> bool {
        let than = ["more", "greater", "higher", "bigger", "less", "fewer", "lower", "smaller"];
        match self.word_at(1) {
            "than" => than.contains(&self.word_at(0)),
            "to" => matches!(self.word_at(0), "equal"),
            _ => matches!(self.word_at(0), "equals"),
        }
    }

    /// `==`, `&&` and their like: reported; reading goes on with what is meant.
    pub(super) fn foreign_operator(&mut self) {
        let token = self.peek();
        let (code, title, hint) = match token.kind {
            Kind::Equals => (
                "parse/equals",
                "`=` does not compare",
                "Write `is` to compare: `suit of c is led`. (`:=` sets a value, `=` belongs to `define` and defaults.)",
            ),
            Kind::DoubleEquals => {
                ("parse/equals", "`==` is not used here", "Write `is` to compare: `suit of c is led`.")
            }
            Kind::NotEquals => {
                ("parse/not-equals", "This sign is not used here", "Write `is not`: `suit of c is not led`.")
            }
            Kind::DoubleAnd => ("parse/and-or", "`&&` is not used here", "Write `and`."),
            Kind::DoubleOr => ("parse/and-or", "`||` is not used here", "Write `or`."),
            _ => return,
        };
        self.slip(Diagnostic::error(code, token.span, title).hint(hint));
    }

    pub(super) fn chained_comparison(&mut self) {
        let problem =
            Diagnostic::error("parse/chained-comparison", self.here(), "Only two values can be compared at a time")
                .label("a second comparison")
                .hint("Join two comparisons: write `1 < n and n < 6` instead of `1 < n < 6`. If the first belongs to a `where`, put brackets around all of that: `(count of i in 1..5 where five[i] is 1) > 2`.");
        self.slip(problem);
    }

    /// Rules have brackets, also those that take nothing.
    pub(super) fn brackets_after(&mut self, name: &Name, word: &str) {
        if self.at_line_end() {
            let Name { text, span } = name;
            let after = Span { start: span.end, end: span.end };
            self.soft(
                Diagnostic::error("parse/missing-brackets", after, format!("Brackets are missing after `{text}`"))
                    .label("`()` goes here")
                    .hint(format!("Write `{word} {text}()`; what a rule is given stands in them: `{word} {text}(p)`.")),
            );
        }
    }

    /// `hand[p] includes A♠`, the words of scenarios: reported, and taken for `A♠ in hand[p]`.
    pub(super) fn includes(&mut self, zone: Expr, sign: Span, negated: bool) -> Parsed<Expr> {
        let start = zone.span;
        let card = self.range()?;
        let word = if negated { "not in" } else { "in" };
        let (left, right) = (self.slice(card.span), self.slice(zone.span));
        let problem =
            Diagnostic::error("parse/includes", sign, format!("Whether a card lies there is asked with `{word}`"))
                .hint(format!("Write `{left} {word} {right}`."));
        self.slip(problem);
        let op = if negated { BinaryOp::NotIn } else { BinaryOp::In };
        let kind = ExprKind::Binary { op, left: Box::new(card), right: Box::new(zone) };
        Ok(Expr { span: self.since(start), kind })
    }

    /// `top card of` or `top 3 cards of` stands here.
    pub(super) fn top_follows(&self) -> bool {
        let several = self.nth(1).kind == Kind::Number && self.word_at(2) == "cards" && self.word_at(3) == "of";
        several || self.word_at(1) == "card" && self.word_at(2) == "of"
    }

    /// Reported, and taken for the last or first card.
    pub(super) fn top_cards(&mut self) -> Parsed<ExprKind> {
        let word = self.word_at(0);
        let last = word == "top";
        let end = if last { "last" } else { "first" };
        let start = self.bump().span;
        let count = if self.at(Kind::Number) { Some(Box::new(self.amount()?)) } else { None };
        let what = self.bump().span;
        self.bump();
        let base = Box::new(self.operand()?);
        let many = count.as_ref().map_or("card".to_owned(), |count| format!("{} cards", self.slice(count.span)));
        let title = format!(
            "The {word} {} of a zone {} called the {end}",
            self.slice(what),
            if count.is_some() { "are" } else { "is" }
        );
        let hint = format!(
            "Write `{end} {many} of {}`: the first card lies at the bottom, the last on top.",
            self.slice(base.span)
        );
        self.slip(Diagnostic::error("parse/top-card", start, title).hint(hint));
        Ok(match count {
            Some(count) => ExprKind::EndCards { last, count, base },
            None => ExprKind::EndCard { last, base },
        })
    }

    /// `player with highest score`: there is no such phrase, but a way to say it.
    pub(super) fn best_player(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let words: Vec<&str> = (0..5).map(|at| self.word_at(at)).collect();
        let least = words.iter().any(|word| matches!(*word, "lowest" | "least" | "fewest" | "smallest"));
        let fold = if least { "min" } else { "max" };
        // What they are compared by: the word behind `by`, or the one after `highest`.
        let after =
            |wanted: &[&str]| words.iter().position(|word| wanted.contains(word)).and_then(|at| words.get(at + 1));
        let by =
            after(&["by"]).or_else(|| after(&["highest", "most", "lowest", "least", "fewest", "smallest", "best"]));
        let by = by.copied().filter(|word| !word.is_empty() && *word != "player").unwrap_or("score");
        self.bump();
        self.bump();
        let problem = Diagnostic::error("parse/best-player", self.since(start), "Which player this is has to be said with `where`")
            .hint(format!("Write `first player where {by} is {fold} of {by}[r] over player r`; of several the first in seat order. To put all in order at the end: `end ranking by {by} {} first`.", if least { "lowest" } else { "highest" }));
        Err(self.hard(problem))
    }

    /// A word behind the player from whom a circle goes on: it has one direction.
    pub(super) fn direction(&mut self) {
        let back = match self.word_at(0) {
            "clockwise" => false,
            "counterclockwise" | "anticlockwise" | "counter" | "anti" | "backwards" | "backward" | "reversed" => true,
            _ => return,
        };
        let start = self.here();
        while !self.at_line_end() && !self.at(Kind::Comma) && !self.at_word("over") {
            self.bump();
        }
        let hint = match back {
            true => {
                "The other way round, hand the turn on yourself: `turn := previous player before turn` at the end of a `repeat until …`, with `ask turn` above it."
            }
            false => "Leave the word out.",
        };
        let problem =
            Diagnostic::error("parse/direction", self.since(start), "A circle always goes clockwise").hint(hint);
        self.soft(problem);
    }

    /// `AS` or `QD` stands here, where a card is compared.
    pub(super) fn card_slip(&self) -> bool {
        card_from_letters(self.word_at(0)).is_some() && !matches!(self.nth(1).kind, Kind::OpenRound | Kind::OpenSquare)
    }

    /// Takes the name `AS` for the card it is surely meant to be, and says so.
    pub(super) fn card_for_name(&mut self, value: Expr) -> Expr {
        let ExprKind::Name(name) = &value.kind else {
            return value;
        };
        match card_from_letters(name) {
            Some((rank, suit)) => self.card_slipped(value.span, rank.to_string(), suit),
            None => value,
        }
    }

    /// `queen of spades`, `10 of hearts`, `Q of ♠`: the rank that stands here is one of a card.
    pub(super) fn spoken_card(&self) -> Option<(String, char)> {
        let (word, suit) = (self.slice(self.peek().span), self.nth(2));
        let rank = spoken(word).unwrap_or(word);
        let sign = match suit.kind {
            Kind::Suit => self.slice(suit.span).chars().next()?,
            _ => spoken_suit(self.word_at(2))?,
        };
        (self.word_at(1) == "of" && is_rank(rank)).then(|| (rank.to_string(), sign))
    }

    /// Reads one, and says how it is written.
    pub(super) fn spoken_card_here(&mut self, (rank, suit): (String, char)) -> Expr {
        let start = self.here();
        for _ in 0..3 {
            self.bump();
        }
        self.card_slipped(self.since(start), rank, suit)
    }

    /// `♠Q`: reported, and taken for Q♠. The suit was just read.
    pub(super) fn suit_first(&mut self, suit: Span) -> Option<Expr> {
        let next = self.peek();
        let rank = self.slice(next.span);
        if next.span.start != suit.end || !matches!(next.kind, Kind::Word | Kind::Number) || !is_rank(rank) {
            return None;
        }
        self.bump();
        let sign = self.slice(suit).chars().next()?;
        let span = suit.to(next.span);
        self.slip(
            Diagnostic::error("parse/card-letters", span, "Cards are written rank first")
                .hint(format!("Write `{rank}{sign}`.")),
        );
        Some(Expr { span, kind: ExprKind::Card { rank: rank.to_string(), suit: sign } })
    }

    pub(super) fn card_slipped(&mut self, span: Span, rank: String, suit: char) -> Expr {
        self.slip(
            Diagnostic::error("parse/card-letters", span, "Cards are written with the sign of their suit")
                .hint(format!("Write `{rank}{suit}`. (The suits, to copy: ♠ ♥ ♦ ♣)")),
        );
        Expr { span, kind: ExprKind::Card { rank, suit } }
    }
}

/// How a rank, a suit or a number is written that somebody spells as it is spoken.
pub(crate) fn spoken(word: &str) -> Option<&'static str> {
    Some(match word {
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "ace" | "aces" | "Ace" => "A",
        "king" | "kings" | "King" => "K",
        "queen" | "queens" | "Queen" => "Q",
        "jack" | "jacks" | "Jack" => "J",
        "spades" | "spade" | "Spades" => "♠",
        "hearts" | "heart" | "Hearts" => "♥",
        "diamonds" | "diamond" | "Diamonds" => "♦",
        "clubs" | "club" | "Clubs" => "♣",
        _ => return None,
    })
}

fn spoken_suit(word: &str) -> Option<char> {
    spoken(word)?.chars().next().filter(|sign| !sign.is_ascii())
}

/// A rank as it is written on cards.
fn is_rank(word: &str) -> bool {
    matches!(word, "A" | "K" | "Q" | "J") || word.parse().is_ok_and(|n: u8| (2..=10).contains(&n))
}

/// `AS` → A♠
fn card_from_letters(word: &str) -> Option<(&str, char)> {
    let (rank, suit) = (word.get(..1)?, word.get(1..)?);
    let suit = suit_from_letter(suit)?;
    matches!(rank, "A" | "K" | "Q" | "J" | "T").then_some((rank, suit))
}

pub(super) fn suit_from_letter(letter: &str) -> Option<char> {
    match letter {
        "S" => Some('♠'),
        "H" => Some('♥'),
        "D" => Some('♦'),
        "C" => Some('♣'),
        _ => None,
    }
}
