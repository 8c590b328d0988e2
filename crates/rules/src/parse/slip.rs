//! Slips inside expressions that come from other notations: `==`, `&&`, `is at least`, `AS` for A♠. The parser reports
//! them and reads on as if the author had written what they mean.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// Reads the words after `is`: reports `in`, `at least` and similar words and returns the operator that they mean.
    pub(super) fn parse_worded_comparison(&mut self, negated: bool) -> BinaryOp {
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
        self.report_slip(
            Diagnostic::error("parse/comparison", span, format!("Comparisons of this kind are written with `{sign}`"))
                .hint(format!("For example: `{example}`")),
        );
        if negated { no } else { yes }
    }

    /// Whether a comparison in words without `is` stands here: `pending equals 0`, `count of pile greater than 1`.
    pub(super) fn at_worded_comparison(&self) -> bool {
        let than = ["more", "greater", "higher", "bigger", "less", "fewer", "lower", "smaller"];
        match self.word_at(1) {
            "than" => than.contains(&self.word_at(0)),
            "to" => matches!(self.word_at(0), "equal"),
            _ => matches!(self.word_at(0), "equals"),
        }
    }

    /// Reports `==`, `&&` and other operators of programming languages.
    pub(super) fn report_foreign_operator(&mut self) {
        let token = self.peek();
        let (code, title, hint) = match token.kind {
            TokenKind::Equals => (
                "parse/equals",
                "`=` does not compare",
                "Write `is` to compare: `suit of c is led`. (`:=` sets a value, `=` belongs to `define` and defaults.)",
            ),
            TokenKind::DoubleEquals => {
                ("parse/equals", "`==` is not used here", "Write `is` to compare: `suit of c is led`.")
            }
            TokenKind::NotEquals => {
                ("parse/not-equals", "This sign is not used here", "Write `is not`: `suit of c is not led`.")
            }
            TokenKind::DoubleAnd => ("parse/and-or", "`&&` is not used here", "Write `and`."),
            TokenKind::DoubleOr => ("parse/and-or", "`||` is not used here", "Write `or`."),
            _ => return,
        };
        self.report_slip(Diagnostic::error(code, token.span, title).hint(hint));
    }

    pub(super) fn report_chained_comparison(&mut self) {
        if let Some(from) = self.where_from {
            let phrase = self.slice(Span { start: from.start, end: self.last_end });
            let counted = self.source[..from.start as usize].trim_end().ends_with("count of");
            let count = if counted { "count of " } else { "" };
            let sign = self.slice(self.here());
            let problem = Diagnostic::error("parse/chained-comparison", self.here(), "This comparison falls to the `where` before it")
                .label("a second comparison")
                .hint(format!("`where` reaches as far to the right as it can. Put brackets around what it chooses: `{count}({phrase}) {sign} …`."));
            return self.report_slip(problem);
        }
        let problem =
            Diagnostic::error("parse/chained-comparison", self.here(), "Only two values can be compared at a time")
                .label("a second comparison")
                .hint("Join two comparisons: write `1 < n and n < 6` instead of `1 < n < 6`. If the first belongs to a `where`, put brackets around all of that: `(count of i in 1..5 where five[i] is 1) > 2`.");
        self.report_slip(problem);
    }

    /// Reports a rule without brackets: even a rule without parameters has them.
    pub(super) fn report_missing_brackets(&mut self, name: &Name, word: &str) {
        if self.at_line_end() {
            let Name { text, span } = name;
            let after = Span { start: span.end, end: span.end };
            self.report(
                Diagnostic::error("parse/missing-brackets", after, format!("Brackets are missing after `{text}`"))
                    .label("`()` goes here")
                    .hint(format!("Write `{word} {text}()`; what a rule is given stands in them: `{word} {text}(p)`.")),
            );
        }
    }

    /// Reports `hand[p] includes A♠`, which is a form of scenarios, and reads it as `A♠ in hand[p]`.
    pub(super) fn parse_includes(&mut self, zone: Expr, sign: Span, negated: bool) -> Parsed<Expr> {
        let start = zone.span;
        let card = self.parse_range()?;
        let word = if negated { "not in" } else { "in" };
        let (left, right) = (self.slice(card.span), self.slice(zone.span));
        let problem =
            Diagnostic::error("parse/includes", sign, format!("Whether a card lies there is asked with `{word}`"))
                .hint(format!("Write `{left} {word} {right}`."));
        self.report_slip(problem);
        let op = if negated { BinaryOp::NotIn } else { BinaryOp::In };
        let kind = ExprKind::Binary { op, left: Box::new(card), right: Box::new(zone) };
        Ok(Expr { span: self.since(start), kind })
    }

    /// Whether `top card of` or `top 3 cards of` stands here.
    pub(super) fn at_top_cards(&self) -> bool {
        let several = self.nth(1).kind == TokenKind::Number && self.word_at(2) == "cards" && self.word_at(3) == "of";
        several || self.word_at(1) == "card" && self.word_at(2) == "of"
    }

    /// Reports `top card of` and reads it as the last or first card.
    pub(super) fn parse_top_cards(&mut self) -> Parsed<ExprKind> {
        let word = self.word_at(0);
        let last = word == "top";
        let end = if last { "last" } else { "first" };
        let start = self.bump().span;
        let count = if self.at(TokenKind::Number) { Some(Box::new(self.parse_amount()?)) } else { None };
        let what = self.bump().span;
        self.bump();
        let base = Box::new(self.parse_operand()?);
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
        self.report_slip(Diagnostic::error("parse/top-card", start, title).hint(hint));
        Ok(match count {
            Some(count) => ExprKind::EndCards { last, count, base },
            None => ExprKind::EndCard { last, base },
        })
    }

    /// Reports `player with highest score` and says how to write it.
    pub(super) fn fail_best_player(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let words: Vec<&str> = (0..5).map(|at| self.word_at(at)).collect();
        let least = words.iter().any(|word| matches!(*word, "lowest" | "least" | "fewest" | "smallest"));
        let fold = if least { "min" } else { "max" };
        // Players are compared by the word after `by`, or the word after `highest`.
        let after =
            |wanted: &[&str]| words.iter().position(|word| wanted.contains(word)).and_then(|at| words.get(at + 1));
        let by =
            after(&["by"]).or_else(|| after(&["highest", "most", "lowest", "least", "fewest", "smallest", "best"]));
        let by = by.copied().filter(|word| !word.is_empty() && *word != "player").unwrap_or("score");
        self.bump();
        self.bump();
        let problem = Diagnostic::error("parse/best-player", self.since(start), "Which player this is has to be said with `where`")
            .hint(format!("Write `first player where {by} is {fold} of {by}[r] over player r`; of several the first in seat order. To put all in order at the end: `end ranking by {by} {} first`.", if least { "lowest" } else { "highest" }));
        Err(self.fail(problem))
    }

    /// Reports a direction in the first line of a circle, which is always clockwise.
    pub(super) fn report_direction(&mut self) {
        let back = match self.word_at(0) {
            "clockwise" => false,
            "counterclockwise" | "anticlockwise" | "counter" | "anti" | "backwards" | "backward" | "reversed" => true,
            _ => return,
        };
        let start = self.here();
        while !self.at_line_end() && !self.at(TokenKind::Comma) && !self.at_word("over") {
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
        self.report(problem);
    }

    /// Whether `AS` or `QD` stands here.
    pub(super) fn at_card_in_letters(&self) -> bool {
        card_from_letters(self.word_at(0)).is_some()
            && !matches!(self.nth(1).kind, TokenKind::OpenRound | TokenKind::OpenSquare)
    }

    /// Replaces the name `AS` by the card that it means, and reports it.
    pub(super) fn replace_name_by_card(&mut self, value: Expr) -> Expr {
        let ExprKind::Name(name) = &value.kind else {
            return value;
        };
        match card_from_letters(name) {
            Some((rank, suit)) => self.report_card_slip(value.span, rank.to_string(), suit),
            None => value,
        }
    }

    /// Returns the card that stands here as people say it: `queen of spades`, `10 of hearts`, `Q of ♠`.
    pub(super) fn peek_spoken_card(&self) -> Option<(String, char)> {
        let (word, suit) = (self.slice(self.peek().span), self.nth(2));
        let rank = spoken(word).unwrap_or(word);
        let sign = match suit.kind {
            TokenKind::Suit => self.slice(suit.span).chars().next()?,
            _ => spoken_suit(self.word_at(2))?,
        };
        (self.word_at(1) == "of" && is_rank(rank)).then(|| (rank.to_string(), sign))
    }

    /// Reads a card that [`Self::peek_spoken_card`] has found, and reports how to write it.
    pub(super) fn parse_spoken_card(&mut self, (rank, suit): (String, char)) -> Expr {
        let start = self.here();
        for _ in 0..3 {
            self.bump();
        }
        self.report_card_slip(self.since(start), rank, suit)
    }

    /// Reports `♠Q` and reads it as Q♠. The caller has read the suit.
    pub(super) fn parse_suit_first(&mut self, suit: Span) -> Option<Expr> {
        let next = self.peek();
        let rank = self.slice(next.span);
        if next.span.start != suit.end || !matches!(next.kind, TokenKind::Word | TokenKind::Number) || !is_rank(rank) {
            return None;
        }
        self.bump();
        let sign = self.slice(suit).chars().next()?;
        let span = suit.to(next.span);
        self.report_slip(
            Diagnostic::error("parse/card-letters", span, "Cards are written rank first")
                .hint(format!("Write `{rank}{sign}`.")),
        );
        Some(Expr { span, kind: ExprKind::Card { rank: rank.to_string(), suit: sign } })
    }

    pub(super) fn report_card_slip(&mut self, span: Span, rank: String, suit: char) -> Expr {
        self.report_slip(
            Diagnostic::error("parse/card-letters", span, "Cards are written with the sign of their suit")
                .hint(format!("Write `{rank}{suit}`. (The suits, to copy: ♠ ♥ ♦ ♣)")),
        );
        Expr { span, kind: ExprKind::Card { rank, suit } }
    }
}

/// Returns how to write a rank, a suit or a number that the author spells as people say it.
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

/// Whether a word is a rank as cards show it.
fn is_rank(word: &str) -> bool {
    matches!(word, "A" | "K" | "Q" | "J") || word.parse().is_ok_and(|n: u8| (2..=10).contains(&n))
}

/// Returns rank and suit of a card in letters: `AS` is A♠.
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
