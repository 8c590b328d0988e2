//! Slips inside values, known from other notations: `==`, `&&`, `is at least`, `AS` for A♠. They
//! are reported and read as what is meant.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::Span;

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

    pub(super) fn card_slipped(&mut self, span: Span, rank: String, suit: char) -> Expr {
        self.slip(
            Diagnostic::error("parse/card-letters", span, "Cards are written with the sign of their suit")
                .hint(format!("Write `{rank}{suit}`. (The suits, to copy: ♠ ♥ ♦ ♣)")),
        );
        Expr { span, kind: ExprKind::Card { rank, suit } }
    }
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
