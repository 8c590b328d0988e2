//! Statements: the course of the game, one step a line.

use super::decl::Opening;
use super::words::{FOREIGN, is_reserved};
use super::{Failed, Parsed, Parser};
use crate::ast::{AssignOp, Expr, ExprKind, Outcome, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::Span;

impl Parser<'_> {
    /// The statements indented below `header`.
    pub(super) fn statements(&mut self, header: Span, what: &str, example: &str) -> Vec<Stmt> {
        let mut body = Vec::new();
        self.needed_lines(header, what, example, &mut |parser| parser.statement_line(&mut body));
        body
    }

    /// One statement with all that belongs below it.
    pub(super) fn statement_line(&mut self, out: &mut Vec<Stmt>) {
        let start = self.peek().span;
        let (word, kind) = match self.opening() {
            Opening::Declaration(word) if self.at_word(word) => {
                self.soft(
                    Diagnostic::error(
                        "parse/declaration-inside",
                        start,
                        format!("`{word}` cannot stand among the steps of the game"),
                    )
                    .hint("Move it to the left margin, above the course of the game."),
                );
                return self.declaration(word);
            }
            Opening::Statement(word) => {
                self.first_word(word);
                (word, self.statement(word, start))
            }
            Opening::Assignment => ("", self.assignment()),
            // A misspelt declaration inside a block is more likely something else.
            Opening::Unknown | Opening::Declaration(_) => ("", self.unknown_line(start)),
        };
        let kind = kind.unwrap_or_else(|_| {
            self.skip_line();
            self.read_for_mistakes(word);
            StmtKind::Broken
        });
        out.push(Stmt { span: self.since(start), kind });
    }

    /// The head of a block was broken: what is below is read all the same, for its own mistakes.
    fn read_for_mistakes(&mut self, word: &str) {
        match word {
            "if" | "else" | "repeat" | "for" | "circle" | "together" => {
                let mut lost = Vec::new();
                self.lines(&mut |parser| {
                    if !parser.ask_clause_line(&mut Vec::new(), false) {
                        parser.statement_line(&mut lost);
                    }
                });
            }
            "ask" => {
                self.ask_lines(&mut Vec::new(), &mut Vec::new());
            }
            _ => self.skip_block(),
        }
    }

    fn statement(&mut self, word: &str, start: Span) -> Parsed<StmtKind> {
        let kind = match word {
            "if" => return Ok(self.if_chain(start)),
            "else" => {
                let problem =
                    Diagnostic::error("parse/else-without-if", start, "There is no `if` above for this `else`")
                        .hint("`else` stands in the same column as its `if`, right after the lines indented below it.");
                self.reports.add(problem);
                // What is on the line and below it may still be right, with all that hangs on it.
                if self.eat_word("if") {
                    self.if_chain(start);
                } else {
                    self.finish_line();
                    self.read_for_mistakes(word);
                }
                return Ok(StmtKind::Broken);
            }
            "repeat" => return self.repeat(start),
            "for" => return self.for_each(start),
            "circle" => return self.circle(start),
            "together" => return self.together(start),
            "ask" => return self.ask(start).map(StmtKind::Ask),
            "stop" => StmtKind::Stop,
            "again" => StmtKind::Again,
            "admit" => StmtKind::Admit,
            "phase" => {
                // A phase is only a title, so it may be any word (`reveal`, `end`).
                if self.word_at(0).is_empty() {
                    return self.expected("parse/expected-name", "a name for the phase", "phase bidding");
                }
                let name = self.any_name();
                StmtKind::Phase { name, title: self.optional_text() }
            }
            "end" => self.end()?,
            "announce" => self.announce()?,
            "do" => {
                let name = self.name("the name of a rule", "do lay_pairs(p)")?;
                self.brackets_after(&name, "do");
                let args = if self.at(Kind::OpenRound) { self.arguments()? } else { Vec::new() };
                StmtKind::Do { name, args }
            }
            _ => self.handling(word)?,
        };
        self.finish_line();
        Ok(kind)
    }

    /// Statements that handle cards and dice.
    fn handling(&mut self, word: &str) -> Parsed<StmtKind> {
        Ok(match word {
            "move" => {
                let what = self.value()?;
                self.expect_word("to", "move hand[p] to waste")?;
                let to = self.value()?;
                StmtKind::Move { what, to, face_down: self.face_down()? }
            }
            "pass" => {
                const EXAMPLE: &str = "pass hand to next player after player";
                if self.at_line_end() {
                    let problem = Diagnostic::error("parse/expected-name", self.here(), "Pass what?")
                        .hint(format!("Write for example: `{EXAMPLE}`. The alternative `pass` stands right below `ask`; to do nothing, leave the line out."));
                    return Err(self.hard(problem));
                }
                let what = self.name("the name of a zone that each player has", EXAMPLE)?;
                self.expect_word("to", EXAMPLE)?;
                StmtKind::Pass { what, to: self.value()? }
            }
            "draw" => {
                const EXAMPLE: &str = "draw 2 from stock to hand[p]";
                let count = self.amount()?;
                self.expect_word("from", EXAMPLE)?;
                let from = self.value()?;
                self.expect_word("to", EXAMPLE)?;
                let to = self.value()?;
                StmtKind::Draw { count, from, to, face_down: self.face_down()? }
            }
            "deal" => {
                const EXAMPLE: &str = "deal stock to hand 5 each from random player";
                let from = self.value()?;
                self.expect_word("to", EXAMPLE)?;
                let to = self.name("the name of a zone that each player has", EXAMPLE)?;
                let each = if self.at_word("from") || self.at_line_end() {
                    None
                } else {
                    let each = self.amount()?;
                    self.expect_word("each", EXAMPLE)?;
                    Some(each)
                };
                self.expect_word("from", EXAMPLE)?;
                let start = self.value()?;
                let over = if self.eat_word("over") { Some(self.value()?) } else { None };
                StmtKind::Deal { from, to, each, start, over }
            }
            "gather" => {
                let deck = self.name("the name of a deck", "gather cards to stock")?;
                self.expect_word("to", "gather cards to stock")?;
                StmtKind::Gather { deck, to: self.value()? }
            }
            "shuffle" => StmtKind::Shuffle { zone: self.value()? },
            "mix" => {
                const EXAMPLE: &str = "mix submission, extra into shown";
                let mut from = vec![self.name("the name of a zone", EXAMPLE)?];
                while self.eat(Kind::Comma) {
                    from.push(self.name("the name of a zone", EXAMPLE)?);
                }
                self.expect_word("into", EXAMPLE)?;
                StmtKind::Mix { from, to: self.name("the name of a zone", EXAMPLE)? }
            }
            "turn" => {
                let what = self.value()?;
                self.expect_word("face", "turn first card of stock face up")?;
                StmtKind::Turn { what, down: self.one_of(&["up", "down"], "a side of a card")?.text == "down" }
            }
            "roll" => StmtKind::Roll { what: self.value()? },
            "clear" => StmtKind::Clear { what: self.value()? },
            "reveal" => {
                let what = self.value()?;
                let to = if self.eat_word("to") { Some(self.value()?) } else { None };
                StmtKind::Reveal { what, to }
            }
            "write" => {
                let text = self.value()?;
                self.expect_word("on", "write t on c")?;
                StmtKind::Write { text, card: self.value()? }
            }
            _ => StmtKind::Broken,
        })
    }

    fn face_down(&mut self) -> Parsed<bool> {
        if !self.eat_word("face") {
            return Ok(false);
        }
        Ok(self.one_of(&["down"], "how a card can be moved")?.text == "down")
    }

    /// `x := E`, `x[p] += E`
    fn assignment(&mut self) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "score[p] := 3";
        let start = self.here();
        let name = self.name("the name of what to set", EXAMPLE)?;
        let kind = if self.at(Kind::OpenSquare) {
            ExprKind::Index { name, args: self.arguments()? }
        } else {
            ExprKind::Name(name.text)
        };
        if self.at(Kind::Colon) {
            return Err(self.astray_entry(start));
        }
        let target = Expr { span: self.since(start), kind };
        let sign = self.peek();
        let op = match sign.kind {
            Kind::Add => AssignOp::Add,
            Kind::Subtract => AssignOp::Sub,
            Kind::Assign => AssignOp::Set,
            Kind::Equals | Kind::DoubleEquals => {
                self.soft(
                    Diagnostic::error("parse/assign", sign.span, "Values are set with `:=`")
                        .hint(format!("Write `{} := …`.", self.slice(target.span))),
                );
                AssignOp::Set
            }
            _ => return self.expected("parse/assign", "`:=`, `+=` or `-=`", EXAMPLE),
        };
        self.bump();
        let value = self.value()?;
        self.finish_line();
        Ok(StmtKind::Assign { target, op, value })
    }

    /// `announce "…" [as shout] [to p]`
    fn announce(&mut self) -> Parsed<StmtKind> {
        let text = self.text("what to announce")?;
        let kind = if self.eat_word("as") {
            Some(self.one_of(&["toast", "shout", "banner", "log", "notice"], "a way to announce")?)
        } else {
            None
        };
        let to = if self.eat_word("to") { Some(self.value()?) } else { None };
        Ok(StmtKind::Announce { text, kind, to })
    }

    /// `end OUTCOME [, "banner"]`
    fn end(&mut self) -> Parsed<StmtKind> {
        const OUTCOMES: &[&str] = &["winner", "winners", "loser", "losers", "ranking", "everyone", "draw", "void"];
        let outcome = match self.one_of(OUTCOMES, "an outcome")?.text.as_str() {
            "winner" => Outcome::Winner(self.value()?),
            "winners" => Outcome::Winners(self.value()?),
            "loser" => Outcome::Loser(self.value()?),
            "losers" => Outcome::Losers(self.value()?),
            "ranking" => {
                const EXAMPLE: &str = "end ranking by score highest first";
                self.expect_word("by", EXAMPLE)?;
                let by = self.value()?;
                let order = self.one_of(&["highest", "lowest"], "an order")?;
                self.expect_word("first", EXAMPLE)?;
                Outcome::Ranking { by, highest_first: order.text == "highest" }
            }
            "everyone" => match self.one_of(&["wins", "loses"], "what everyone can do")?.text.as_str() {
                "wins" => Outcome::EveryoneWins,
                _ => Outcome::EveryoneLoses,
            },
            "draw" => Outcome::Draw,
            _ => Outcome::Void,
        };
        let banner = if self.eat(Kind::Comma) { Some(self.text("what to say at the end")?) } else { None };
        Ok(StmtKind::End { outcome, banner })
    }

    /// `stock: ordered` among the steps of the game.
    fn astray_entry(&mut self, start: Span) -> Failed {
        let problem = Diagnostic::error("parse/astray-entry", start, "A line of the form `name: …` cannot stand here")
            .hint(
                "Such lines are indented: below `zones` or `state`, or, if it is an alternative, \
             below `ask`.",
            );
        self.hard(problem)
    }

    /// A line that begins with nothing known.
    fn unknown_line(&mut self, start: Span) -> Parsed<StmtKind> {
        let word = self.word_at(0);
        const BEGIN: &str = "Begin it with what is to be done: `move`, `deal`, `ask`, `if`, `repeat` …, \
                             or set something: `score[p] := 3`.";
        if self.nth(1).kind == Kind::Colon && !word.is_empty() {
            return Err(self.astray_entry(start));
        }
        if word.is_empty() {
            let comment = self.at(Kind::Slash) && self.nth(1).kind == Kind::Slash;
            let title = format!("A line cannot begin with {}", self.found());
            let problem = Diagnostic::error("parse/unknown-line", start, title).hint(if comment {
                "A comment begins with `#`."
            } else {
                BEGIN
            });
            return Err(self.hard(problem));
        }
        if let Some((_, hint)) = FOREIGN.iter().find(|&&(foreign, _)| foreign == word) {
            let problem =
                Diagnostic::error("parse/foreign-word", start, format!("A line cannot begin with `{word}` here"))
                    .hint(*hint);
            self.reports.add(problem);
            self.skip_line();
            if matches!(word, "while" | "loop" | "until" | "foreach" | "elif" | "elseif" | "elsif") {
                self.read_for_mistakes("repeat");
            } else {
                self.skip_block();
            }
            return Ok(StmtKind::Broken);
        }
        if self.nth(1).kind == Kind::OpenRound && !is_reserved(word) {
            self.soft(
                Diagnostic::error("parse/do", start, "A rule is run with `do`").hint(format!("Write `do {word}(…)`.")),
            );
            let name = self.any_name();
            let args = self.arguments()?;
            self.finish_line();
            return Ok(StmtKind::Do { name, args });
        }
        let problem =
            Diagnostic::error("parse/unknown-line", start, format!("No line begins with `{word}`")).hint(BEGIN);
        Err(self.hard(problem))
    }
}
