//! Phrases of everyday English that the language spells in another way: `every card`, `players except p`, `the rest`,
//! `first player after p`. The parser reports them with the spelling to use, and reads on where the meaning is certain.

use super::words::is_reserved;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// Whether `every card`, `each player`, `all cards`, `all players`, `all of trick` or `all from stock` stands here.
    pub(super) fn at_every(&self) -> bool {
        match self.word_at(0) {
            "every" | "each" => matches!(self.word_at(1), "card" | "cards" | "player" | "players"),
            "all" => matches!(self.word_at(1), "card" | "cards" | "player" | "players" | "of" | "from"),
            _ => false,
        }
    }

    /// Reports a phrase that [`Self::at_every`] has found. `every card in trick where suit is ♠` says that no card is
    /// otherwise, and the parser reads it as that.
    pub(super) fn parse_every(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let of_cards = !matches!(self.word_at(1), "player" | "players");
        let several = !matches!(self.word_at(1), "card" | "player");
        let phrase = format!("{} {}", self.word_at(0), self.word_at(1));
        self.bump();
        self.bump();
        let span = self.since(start);
        if several {
            return self.fail_all(span, &phrase, of_cards);
        }
        let var = self.parse_optional_name();
        let base = match of_cards && self.eat_word("in") {
            true => Some(self.without_where(|parser| parser.parse_amount())?),
            false => None,
        };
        if of_cards != base.is_some() || !self.eat_word("where") {
            return self.fail_all(span, &phrase, of_cards);
        }
        let claim_start = self.here();
        let claim = self.parse_expr()?;
        let named = var.as_ref().map_or(String::new(), |name| format!(" {}", name.text));
        let among = match &base {
            Some(base) => format!("card{named} in {}", self.slice(base.span)),
            None => format!("player{named}"),
        };
        let hint = format!("Write `no {among} where not ({})`.", self.slice(self.since(claim_start)));
        let title = format!("“{phrase}” is said with `no` and the opposite");
        self.report_slip(Diagnostic::error("parse/every", span, title).hint(hint));
        let opposite = ExprKind::Unary { op: UnaryOp::Not, arg: Box::new(claim) };
        let cond = Some(Box::new(Expr { span: self.since(claim_start), kind: opposite }));
        Ok(match base {
            Some(base) => ExprKind::AnyCard { negated: true, var, base: Box::new(base), cond },
            None => {
                let domain = Expr { span: self.since(start), kind: ExprKind::Players { var, cond } };
                ExprKind::AnyOf { negated: true, domain: Box::new(domain) }
            }
        })
    }

    fn fail_all<T>(&mut self, span: Span, phrase: &str, of_cards: bool) -> Parsed<T> {
        let hint = match of_cards {
            true => {
                "The name of a zone means all of its cards: `move trick to waste`. All cards of a deck, wherever they are: `gather cards to stock`. To say that all cards are alike: `no card in trick where suit is not ♠`."
            }
            false => {
                "`players` are all of them: `for p in players`, `count of players`. To say that something holds for all: `no player where not passed`."
            }
        };
        let problem =
            Diagnostic::error("parse/every", span, format!("“{phrase}” is not a phrase of the language")).hint(hint);
        Err(self.fail(problem))
    }

    /// Reports `for each player` and `for all players`. The caller has read `for`.
    pub(super) fn report_for_each(&mut self) -> Parsed<()> {
        let phrase = self.word_at(0);
        if !matches!(phrase, "each" | "every" | "all") || self.word_at(1) == "in" {
            return Ok(());
        }
        let span = self.here();
        let hint = match self.word_at(1) {
            "card" | "cards" => {
                "A loop can't go through cards one by one. Count or move them in one step: `count of (trick where suit is ♠)`, `move trick to waste`."
            }
            _ => "Give the one whose turn it is a name: `for p in players`, `for i in 1..9`, `for s in suit`.",
        };
        let title = format!("A loop has a name and `in`, not `{phrase}`");
        Err(self.fail(Diagnostic::error("parse/for-each", span, title).hint(hint)))
    }

    /// Reads `except` in `players except p`, `players where passed except p` and `trick except c`, reports
    /// how to write it, and reads on.
    pub(super) fn parse_except(&mut self, left: Expr, sign: Span) -> Parsed<Expr> {
        let start = left.span;
        let word = self.slice(sign);
        let right = self.parse_amount()?;
        let (all, out) = (self.slice(left.span), self.slice(right.span));
        let of_players = self.where_from.is_some_and(|from| self.source[from.start as usize..].starts_with("players"));
        let hint = match &left.kind {
            _ if of_players => format!("Write `and player is not {out}`."),
            ExprKind::Players { cond: Some(_), .. } => format!("Write `{all} and player is not {out}`."),
            ExprKind::Players { var: Some(name), .. } => format!("Write `{all} where {} is not {out}`.", name.text),
            ExprKind::Players { .. } => format!("Write `{all} where player is not {out}`."),
            _ => format!("Write `{all} - {out}`: `-` takes cards away from others."),
        };
        let players = of_players || matches!(left.kind, ExprKind::Players { .. });
        let what = if players { "Players are left out with `where`" } else { "Cards are left out with `-`" };
        self.report_slip(Diagnostic::error("parse/except", sign, format!("{what}, not `{word}`")).hint(hint));
        let span = self.since(start);
        Ok(match players {
            true => Expr { span, ..left },
            false => {
                let kind = ExprKind::Binary { op: BinaryOp::Sub, left: Box::new(left), right: Box::new(right) };
                Expr { span, kind }
            }
        })
    }

    /// Whether a phrase for a neighbour stands here that is no phrase of the language: `player after p`,
    /// `player left of p`, `last player`, `other players`, `player 2`.
    pub(super) fn at_neighbour(&self) -> bool {
        match self.word_at(0) {
            "player" => {
                let side = matches!(self.word_at(1), "left" | "right") && self.word_at(2) == "of";
                side || matches!(self.word_at(1), "after" | "before") || self.nth(1).kind == TokenKind::Number
            }
            "last" => self.word_at(1) == "player",
            "other" => matches!(self.word_at(1), "player" | "players"),
            _ => false,
        }
    }

    /// Reports a phrase that [`Self::at_neighbour`] has found.
    pub(super) fn parse_neighbour(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        let (word, next) = (self.word_at(0), self.word_at(1));
        self.bump();
        if matches!(next, "after" | "before" | "left" | "right") {
            let back = matches!(next, "before" | "right");
            self.bump();
            self.eat_word("of");
            return self.parse_misnamed_neighbour(start, back, None);
        }
        self.bump();
        let (title, hint) = match (word, next) {
            ("last", _) => (
                "There is no last player",
                "Players sit in a circle: the one before the first is `previous player before first player`.",
            ),
            ("other", _) => ("Who are the others?", "Write `players where player is not p`."),
            _ => (
                "The rules call no player by a number",
                "Write `first player`, `next player after p` or `random player`, or keep a player in a state: `leader: player`. (Scenarios call players by their numbers.)",
            ),
        };
        Err(self.fail(Diagnostic::error("parse/which-player", self.since(start), title).hint(hint)))
    }

    /// Reads the rest of `first player after p`, reports it, and reads on as if it said `next player after p`.
    pub(super) fn parse_misnamed_neighbour(&mut self, start: Span, back: bool, var: Option<Name>) -> Parsed<ExprKind> {
        let span = self.since(start);
        let after = Box::new(self.without_where(|parser| parser.parse_amount())?);
        let (first, second) = if back { ("previous", "before") } else { ("next", "after") };
        let named = var.as_ref().map_or(String::new(), |name| format!(" {}", name.text));
        let phrase = format!("{first} player{named} {second} {}", self.slice(after.span));
        let side = if back { "right" } else { "left" };
        let title = format!("The neighbour to the {side} is called the {first} player");
        let hint = format!("Write `{phrase}`; a `where` behind it passes over others.");
        self.report_slip(Diagnostic::error("parse/which-player", span, title).hint(hint));
        Ok(ExprKind::NextPlayer { back, var, after, cond: self.parse_where()? })
    }

    /// Whether `the rest`, `rest of trick` or another phrase with an article stands here.
    pub(super) fn at_article(&self) -> bool {
        let next = self.word_at(1);
        match self.word_at(0) {
            "the" => !next.is_empty() && (!is_reserved(next) || next == "players"),
            "rest" => next == "of",
            _ => false,
        }
    }

    /// Reports a phrase that [`Self::at_article`] has found.
    pub(super) fn fail_article<T>(&mut self) -> Parsed<T> {
        let start = self.here();
        let rest = matches!((self.word_at(0), self.word_at(1)), ("rest", _) | (_, "rest" | "others" | "remaining"));
        let word = self.word_at(1);
        self.bump();
        let problem = match rest {
            true => {
                if self.at_any_word(&["rest", "others", "remaining"]) {
                    self.bump();
                }
                Diagnostic::error("parse/the-rest", self.since(start), "Which cards are the rest?").hint(
                    "All that lies in a zone is its name: `move trick to waste`. What is left without some cards: `move hand[p] - c to waste`. To deal all cards, leave out how many: `deal stock to hand from p`.",
                )
            }
            false => Diagnostic::error("parse/article", start, "Things are named without an article")
                .hint(format!("Leave `the` out: `{word} …`.")),
        };
        Err(self.fail(problem))
    }

    /// Reports `2 ** 3`. The caller has read the first `*`.
    pub(super) fn report_power(&mut self) {
        if self.at(TokenKind::Star) {
            let span = self.bump().span;
            self.report_slip(
                Diagnostic::error("parse/power", span, "Powers are written with `^`").hint("For example: `2 ^ 3`."),
            );
        }
    }

    /// Reports `move reveal …`: a card that goes to where everybody sees it is shown by going there.
    pub(super) fn report_reveal_in_move(&mut self) {
        if self.at_word("reveal") {
            let span = self.bump().span;
            self.report_slip(
                Diagnostic::error("parse/reveal-move", span, "Cards that are moved need no `reveal`").hint(
                    "Leave `reveal` out: everybody who sees the zone sees the cards that come there. To show cards where they lie, write `reveal hand[p]` on a line of its own.",
                ),
            );
        }
    }
}
