//! Statements: the course of the game, one step on each line.

use super::decl::Opening;
use super::words::{FOREIGN, is_reserved};
use super::{Failed, Parsed, Parser};
use crate::ast::{AssignOp, Expr, ExprKind, Outcome, RankingKey, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the statements below `header`.
    pub(super) fn parse_statements(&mut self, header: Span, what: &str, example: &str) -> Vec<Stmt> {
        let mut body = Vec::new();
        self.parse_required_lines(header, what, example, &mut |parser| parser.parse_statement_line(&mut body));
        body
    }

    /// Reads one statement and the block below it.
    pub(super) fn parse_statement_line(&mut self, out: &mut Vec<Stmt>) {
        let start = self.peek().span;
        let (word, kind) = match self.peek_opening() {
            Opening::Declaration(word) if self.at_word(word) => {
                self.report(
                    Diagnostic::error(
                        "parse/declaration-inside",
                        start,
                        format!("`{word}` cannot stand among the steps of the game"),
                    )
                    .hint("Move it to the left margin, above the course of the game."),
                );
                return self.parse_declaration(word);
            }
            Opening::Statement(word) => {
                self.eat_first_word(word);
                (word, self.parse_statement(word, start))
            }
            Opening::Assignment => ("", self.parse_assignment()),
            // A word inside a block that resembles a declaration is more likely something else.
            Opening::Unknown | Opening::Declaration(_) => ("", self.parse_unknown_line(start)),
        };
        let kind = kind.unwrap_or_else(|_| {
            self.skip_line();
            self.parse_below_broken_statement(word);
            StmtKind::Broken
        });
        out.push(Stmt { span: self.since(start), kind });
    }

    /// Reads the block below a line that could not be read, to report its own mistakes.
    fn parse_below_broken_statement(&mut self, word: &str) {
        match word {
            "if" | "else" | "repeat" | "for" | "circle" | "together" => {
                let mut lost = Vec::new();
                self.parse_lines(&mut |parser| {
                    if !parser.parse_ask_clause_line(&mut Vec::new(), false) {
                        parser.parse_statement_line(&mut lost);
                    }
                });
            }
            "ask" => {
                self.parse_ask_lines(&mut Vec::new(), &mut Vec::new());
            }
            _ => self.skip_block(),
        }
    }

    fn parse_statement(&mut self, word: &str, start: Span) -> Parsed<StmtKind> {
        let kind = match word {
            "if" => return Ok(self.parse_if_chain(start)),
            "else" => {
                let problem =
                    Diagnostic::error("parse/else-without-if", start, "There is no `if` above for this `else`")
                        .hint("`else` stands in the same column as its `if`, right after the lines indented below it.");
                self.reports.add(problem);
                // The rest of the line and the block below it may be correct.
                if self.eat_word("if") {
                    self.parse_if_chain(start);
                } else {
                    self.finish_line();
                    self.parse_below_broken_statement(word);
                }
                return Ok(StmtKind::Broken);
            }
            "repeat" => return self.parse_repeat(start),
            "for" => return self.parse_for(start),
            "circle" => return self.parse_circle(start),
            "together" => return self.parse_together(start),
            "ask" => return self.parse_ask(start).map(StmtKind::Ask),
            "stop" => StmtKind::Stop,
            "again" => StmtKind::Again,
            "admit" => StmtKind::Admit,
            "phase" => {
                // No expression refers to a phase, so its name may be a reserved word (`reveal`).
                if self.word_at(0).is_empty() {
                    return self.fail_expected("parse/expected-name", "a name for the phase", "phase bidding");
                }
                let name = self.take_name();
                StmtKind::Phase { name, title: self.parse_optional_text() }
            }
            "end" => self.parse_end()?,
            "announce" => self.parse_announce()?,
            "do" => {
                let name = self.parse_name("the name of a rule", "do lay_pairs(p)")?;
                self.report_missing_brackets(&name, "do");
                let args = if self.at(TokenKind::OpenRound) { self.parse_arguments()? } else { Vec::new() };
                StmtKind::Do { name, args }
            }
            _ => self.parse_card_or_dice_statement(word)?,
        };
        self.finish_line();
        Ok(kind)
    }

    /// Reads the rest of a statement that moves cards or dice, or shows or writes on cards.
    fn parse_card_or_dice_statement(&mut self, word: &str) -> Parsed<StmtKind> {
        Ok(match word {
            "move" => {
                self.report_reveal_in_move();
                let what = self.parse_expr()?;
                self.expect_word("to", "move hand[p] to waste")?;
                let to = self.parse_expr()?;
                StmtKind::Move { what, to, face_down: self.parse_face_down()? }
            }
            "pass" => {
                const EXAMPLE: &str = "pass hand to next player after player";
                if self.at_line_end() {
                    let problem = Diagnostic::error("parse/expected-name", self.here(), "Pass what?")
                        .hint(format!("Write for example: `{EXAMPLE}`. The alternative `pass` stands right below `ask`; to do nothing, leave the line out."));
                    return Err(self.fail(problem));
                }
                let what = self.parse_name("the name of a zone that each player has", EXAMPLE)?;
                self.expect_word("to", EXAMPLE)?;
                StmtKind::Pass { what, to: self.parse_expr()? }
            }
            "draw" => {
                const EXAMPLE: &str = "draw 2 from stock to hand[p]";
                let count = self.parse_amount()?;
                self.expect_word("from", EXAMPLE)?;
                let from = self.parse_expr()?;
                self.expect_word("to", EXAMPLE)?;
                let to = self.parse_expr()?;
                StmtKind::Draw { count, from, to, face_down: self.parse_face_down()? }
            }
            "deal" => {
                const EXAMPLE: &str = "deal stock to hand 5 each from random player";
                let from = self.parse_expr()?;
                self.expect_word("to", EXAMPLE)?;
                let to = self.parse_name("the name of a zone that each player has", EXAMPLE)?;
                let each = if self.at_word("from") || self.at_line_end() {
                    None
                } else {
                    let each = self.parse_amount()?;
                    self.expect_word("each", EXAMPLE)?;
                    Some(each)
                };
                self.expect_word("from", EXAMPLE)?;
                let start = self.parse_expr()?;
                let over = if self.eat_word("over") { Some(self.parse_expr()?) } else { None };
                StmtKind::Deal { from, to, each, start, over }
            }
            "gather" => {
                let deck = self.parse_name("the name of a deck", "gather cards to stock")?;
                self.expect_word("to", "gather cards to stock")?;
                StmtKind::Gather { deck, to: self.parse_expr()? }
            }
            "shuffle" => StmtKind::Shuffle { zone: self.parse_expr()? },
            "mix" => {
                const EXAMPLE: &str = "mix submission, extra into shown";
                let mut from = vec![self.parse_name("the name of a zone", EXAMPLE)?];
                while self.eat(TokenKind::Comma) {
                    from.push(self.parse_name("the name of a zone", EXAMPLE)?);
                }
                self.expect_word("into", EXAMPLE)?;
                StmtKind::Mix { from, to: self.parse_name("the name of a zone", EXAMPLE)? }
            }
            "turn" => {
                let what = self.parse_expr()?;
                self.expect_word("face", "turn first card of stock face up")?;
                StmtKind::Turn { what, down: self.one_of(&["up", "down"], "a side of a card")?.text == "down" }
            }
            "roll" => StmtKind::Roll { what: self.parse_expr()? },
            "clear" => StmtKind::Clear { what: self.parse_expr()? },
            "reveal" => {
                let what = self.parse_expr()?;
                let to = if self.eat_word("to") { Some(self.parse_expr()?) } else { None };
                StmtKind::Reveal { what, to }
            }
            "write" => {
                let text = self.parse_expr()?;
                self.expect_word("on", "write t on c")?;
                StmtKind::Write { text, card: self.parse_expr()? }
            }
            _ => StmtKind::Broken,
        })
    }

    fn parse_face_down(&mut self) -> Parsed<bool> {
        if !self.eat_word("face") {
            return Ok(false);
        }
        Ok(self.one_of(&["down"], "how a card can be moved")?.text == "down")
    }

    /// `x := E`, `x[p] += E`
    fn parse_assignment(&mut self) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "score[p] := 3";
        let start = self.here();
        let name = self.parse_name("the name of what to set", EXAMPLE)?;
        let kind = if self.at(TokenKind::OpenSquare) {
            ExprKind::Index { name, args: self.parse_arguments()? }
        } else {
            ExprKind::Name(name.text)
        };
        if self.at(TokenKind::Colon) {
            return Err(self.fail_astray_entry(start));
        }
        let target = Expr { span: self.since(start), kind };
        let sign = self.peek();
        let op = match sign.kind {
            TokenKind::Add => AssignOp::Add,
            TokenKind::Subtract => AssignOp::Sub,
            TokenKind::Assign => AssignOp::Set,
            TokenKind::Equals | TokenKind::DoubleEquals => {
                self.report(
                    Diagnostic::error("parse/assign", sign.span, "Values are set with `:=`")
                        .hint(format!("Write `{} := …`.", self.slice(target.span))),
                );
                AssignOp::Set
            }
            _ => return self.fail_expected("parse/assign", "`:=`, `+=` or `-=`", EXAMPLE),
        };
        self.bump();
        let value = self.parse_expr()?;
        self.finish_line();
        Ok(StmtKind::Assign { target, op, value })
    }

    /// `announce "…" [as shout] [to p]`
    fn parse_announce(&mut self) -> Parsed<StmtKind> {
        let text = self.expect_text("what to announce")?;
        let kind = if self.eat_word("as") {
            Some(self.one_of(&["toast", "shout", "banner", "log", "notice"], "a way to announce")?)
        } else {
            None
        };
        let to = if self.eat_word("to") { Some(self.parse_expr()?) } else { None };
        Ok(StmtKind::Announce { text, kind, to })
    }

    /// `end OUTCOME [, "banner"]`
    fn parse_end(&mut self) -> Parsed<StmtKind> {
        const OUTCOMES: &[&str] = &["winner", "winners", "loser", "losers", "ranking", "everyone", "draw", "void"];
        let outcome = match self.one_of(OUTCOMES, "an outcome")?.text.as_str() {
            "winner" => Outcome::Winner(self.parse_expr()?),
            "winners" => Outcome::Winners(self.parse_expr()?),
            "loser" => Outcome::Loser(self.parse_expr()?),
            "losers" => Outcome::Losers(self.parse_expr()?),
            "ranking" => {
                const EXAMPLE: &str = "end ranking by score highest first";
                self.expect_word("by", EXAMPLE)?;
                let mut keys = Vec::new();
                loop {
                    let by = self.parse_expr()?;
                    let order = self.one_of(&["highest", "lowest"], "an order")?;
                    self.expect_word("first", EXAMPLE)?;
                    keys.push(RankingKey { by, highest_first: order.text == "highest" });
                    if self.at_word("then") {
                        let problem =
                            Diagnostic::error("parse/expected-sign", self.here(), "A `,` stands before `then`").hint(
                                "Write for example: `end ranking by score highest first, then rounds lowest first`",
                            );
                        self.report(problem);
                        self.bump();
                        self.eat_word("by");
                        continue;
                    }
                    if self.at(TokenKind::Comma)
                        && !matches!(self.nth(1).kind, TokenKind::Text(_))
                        && self.word_at(1) != "then"
                    {
                        let problem =
                            Diagnostic::error("parse/expected-word", self.nth(1).span, "What is this about?")
                                .label("another value, or a text for the end")
                                .hint("A value that decides between equal players stands behind `, then`; a text for the end stands in quotes.");
                        return Err(self.fail(problem));
                    }
                    if !(self.at(TokenKind::Comma) && self.word_at(1) == "then") {
                        break;
                    }
                    self.bump();
                    self.bump();
                    self.eat_word("by");
                }
                Outcome::Ranking(keys)
            }
            "everyone" => match self.one_of(&["wins", "loses", "scores"], "what everyone can do")?.text.as_str() {
                "wins" => Outcome::EveryoneWins,
                "loses" => Outcome::EveryoneLoses,
                _ => {
                    const EXAMPLE: &str = "end everyone scores found out of 25";
                    let score = self.parse_expr()?;
                    if !self.eat_words(&["out", "of"]) {
                        let problem =
                            Diagnostic::error("parse/expected-word", self.here(), "How much could it be at most?")
                                .label("expected `out of` and a number")
                                .hint(format!("For example: `{EXAMPLE}`"));
                        return Err(self.fail(problem));
                    }
                    Outcome::EveryoneScores { score, most: self.parse_expr()? }
                }
            },
            "draw" => Outcome::Draw,
            _ => Outcome::Void,
        };
        let banner = if self.eat(TokenKind::Comma) { Some(self.expect_text("what to say at the end")?) } else { None };
        Ok(StmtKind::End { outcome, banner })
    }

    /// Reports `stock: ordered` among the steps of the game.
    fn fail_astray_entry(&mut self, start: Span) -> Failed {
        let problem = Diagnostic::error("parse/astray-entry", start, "A line of the form `name: …` cannot stand here")
            .hint(
                "Such lines are indented: below `zones` or `state`, or, if it is an alternative, \
             below `ask`.",
            );
        self.fail(problem)
    }

    /// Reports a line that begins with no known word; reads the block below it if it is clear what the line should be.
    fn parse_unknown_line(&mut self, start: Span) -> Parsed<StmtKind> {
        let word = self.word_at(0);
        const BEGIN: &str = "Begin it with what is to be done: `move`, `deal`, `ask`, `if`, `repeat` …, \
                             or set something: `score[p] := 3`.";
        if self.nth(1).kind == TokenKind::Colon && !word.is_empty() {
            return Err(self.fail_astray_entry(start));
        }
        if word.is_empty() {
            let comment = self.at(TokenKind::Slash) && self.nth(1).kind == TokenKind::Slash;
            let title = format!("A line cannot begin with {}", self.describe_next());
            let problem = Diagnostic::error("parse/unknown-line", start, title).hint(if comment {
                "A comment begins with `#`."
            } else {
                BEGIN
            });
            return Err(self.fail(problem));
        }
        if let Some((_, hint)) = FOREIGN.iter().find(|&&(foreign, _)| foreign == word) {
            let problem =
                Diagnostic::error("parse/foreign-word", start, format!("A line cannot begin with `{word}` here"))
                    .hint(*hint);
            self.reports.add(problem);
            self.skip_line();
            if matches!(word, "while" | "loop" | "until" | "foreach" | "elif" | "elseif" | "elsif") {
                self.parse_below_broken_statement("repeat");
            } else {
                self.skip_block();
            }
            return Ok(StmtKind::Broken);
        }
        if self.nth(1).kind == TokenKind::OpenRound && !is_reserved(word) {
            self.report(
                Diagnostic::error("parse/do", start, "A rule is run with `do`").hint(format!("Write `do {word}(…)`.")),
            );
            let name = self.take_name();
            let args = self.parse_arguments()?;
            self.finish_line();
            return Ok(StmtKind::Do { name, args });
        }
        let problem =
            Diagnostic::error("parse/unknown-line", start, format!("No line begins with `{word}`")).hint(BEGIN);
        Err(self.fail(problem))
    }
}
