//! `zones`, `state` and `dice`: one line for each, with an index and clauses.

use super::decl::Opening;
use super::words::{DECLARATIONS, SHOW_LINES, STATE_CLAUSES, STATEMENTS, ZONE_CLAUSES};
use super::{Parsed, Parser};
use crate::ast::{DeclKind, Dice, DiceFaces, Expr, ExprKind, Index, State, Zone, ZoneClause, ZoneClauseKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::TokenKind;
use crate::span::{Name, Span};

const ZONE_EXAMPLE: &str = "hand[player]: owner sees cards, others see count";
const STATE_EXAMPLE: &str = "score[player]: 0..100 = 0";
const DICE_EXAMPLE: &str = "die: faces 1..6, everyone sees";

impl Parser<'_> {
    pub(super) fn parse_zones(&mut self, header: Span) -> DeclKind {
        let mut zones = Vec::new();
        self.parse_table("zones", header, ZONE_EXAMPLE, &mut |parser| {
            zones.push(parser.parse_zone()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::Zones(zones)
    }

    pub(super) fn parse_states(&mut self, header: Span) -> DeclKind {
        let mut states = Vec::new();
        self.parse_table("state", header, STATE_EXAMPLE, &mut |parser| {
            states.push(parser.parse_state()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::State(states)
    }

    pub(super) fn parse_all_dice(&mut self, header: Span) -> DeclKind {
        let mut dice = Vec::new();
        self.parse_table("dice", header, DICE_EXAMPLE, &mut |parser| {
            dice.push(parser.parse_dice()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::Dice(dice)
    }

    /// Reads the rest of a line that has only a word on it and, indented, one entry on each line.
    pub(super) fn parse_table(
        &mut self,
        word: &str,
        header: Span,
        example: &str,
        entry: &mut dyn FnMut(&mut Self) -> Parsed<()>,
    ) {
        self.finish_line();
        let shown = format!("{word}\n  {example}");
        let mut astray = false;
        self.parse_required_lines(header, "its entries are missing", &shown, &mut |parser| {
            if !parser.parse_stray_in_table(word, example, &mut astray) && entry(parser).is_err() {
                parser.skip_line();
                parser.skip_block();
            }
        });
    }

    /// Reads a statement or declaration that the author indented into a table; reports the first of them. Returns false
    /// if the line is an entry.
    fn parse_stray_in_table(&mut self, table: &str, example: &str, reported: &mut bool) -> bool {
        let entry = matches!(self.nth(1).kind, TokenKind::Colon) || self.nth(1).kind == TokenKind::OpenSquare;
        let word = self.word_at(0);
        let assigned = matches!(self.nth(1).kind, TokenKind::Assign | TokenKind::Add | TokenKind::Subtract);
        let declared = DECLARATIONS.contains(&word) && !SHOW_LINES.contains(&word);
        let step = STATEMENTS.contains(&word) || assigned;
        if entry || !(declared || step) {
            return false;
        }
        if !std::mem::replace(reported, true) {
            let what = if step { "a step of the game" } else { "a declaration" };
            let place = if step {
                "Steps of the game start at the left margin, below the declarations."
            } else {
                "Start it at the left margin."
            };
            let problem = Diagnostic::error(
                "parse/stray-in-table",
                self.here(),
                format!("This is {what}, but it stands under `{table}`"),
            )
            .hint(format!("{place} Under `{table}` stands for example `{example}`."));
            self.reports.add(problem);
        }
        match self.peek_opening() {
            Opening::Declaration(word) => self.parse_declaration(word),
            _ => self.parse_statement_line(&mut Vec::new()),
        }
        true
    }

    fn parse_zone(&mut self) -> Parsed<Zone> {
        let start = self.here();
        let (name, index) = self.parse_entry_name(ZONE_EXAMPLE)?;
        self.expect_colon_after("the zone's name", ZONE_EXAMPLE);
        let mut clauses = Vec::new();
        if !self.at_line_end() {
            clauses.push(self.parse_zone_clause()?);
            while self.eat_clause_comma()? {
                clauses.push(self.parse_zone_clause()?);
            }
        }
        Ok(Zone { span: self.since(start), name, index, clauses })
    }

    /// Reads the comma before another clause. Returns false at the end of the line. People often forget the comma, so
    /// the parser reports a missing one and reads on.
    fn eat_clause_comma(&mut self) -> Parsed<bool> {
        if self.eat(TokenKind::Comma) {
            return Ok(true);
        }
        if self.at_line_end() {
            return Ok(false);
        }
        const EXAMPLE: &str = "waste: everyone sees cards, as pile, titled \"Discards\"";
        let found = self.describe_next();
        if ZONE_CLAUSES.contains(&self.word_at(0)) || matches!(self.word_at(1), "sees" | "see") {
            self.report(
                Diagnostic::error("parse/missing-comma", self.here(), format!("A `,` is missing before {found}"))
                    .label("`,` goes before this")
                    .hint(format!("What is said about a zone has commas between: `{EXAMPLE}`")),
            );
            return Ok(true);
        }
        let hint = match self.at_text() {
            true => format!("What is written beside a zone is its title: `titled {}`.", self.slice(self.peek().span)),
            false => format!("What is said about a zone has commas between: `{EXAMPLE}`"),
        };
        let problem = Diagnostic::error("parse/line-goes-on", self.here(), format!("Did not expect {found} here"))
            .label("a `,` or the end of the line was expected")
            .hint(hint);
        Err(self.fail(problem))
    }

    fn parse_state(&mut self) -> Parsed<State> {
        let start = self.here();
        let (name, index) = self.parse_entry_name(STATE_EXAMPLE)?;
        self.expect_colon_after("the name", STATE_EXAMPLE);
        let ty = self.parse_type()?;
        let default = if self.at_line_end() || self.at(TokenKind::Comma) {
            None
        } else {
            self.expect_equals(STATE_EXAMPLE)?;
            Some(self.parse_expr()?)
        };
        let mut state = State { span: start, name, index, ty, default, sealed: None, role: None };
        while self.eat(TokenKind::Comma) {
            let clause = self.here();
            if self.expect_clause_word(STATE_CLAUSES, "a property of a value")? == "owner" {
                self.expect_word("sees", "bid[player]: 0..50 = 0, owner sees")?;
                state.sealed = Some(self.since(clause));
            } else {
                state.role = Some(self.expect_text("the title of the role")?);
            }
        }
        state.span = self.since(start);
        Ok(state)
    }

    fn parse_dice(&mut self) -> Parsed<Dice> {
        let start = self.here();
        let (name, index) = self.parse_entry_name(DICE_EXAMPLE)?;
        self.expect_colon_after("the name", DICE_EXAMPLE);
        self.expect_word("faces", DICE_EXAMPLE)?;
        let faces = self.parse_faces()?;
        let mut clauses = Vec::new();
        while self.eat(TokenKind::Comma) {
            clauses.push(self.parse_zone_clause()?);
        }
        Ok(Dice { span: self.since(start), name, index, faces, clauses })
    }

    /// `1..6`, `hit hit miss`
    fn parse_faces(&mut self) -> Parsed<DiceFaces> {
        if self.at_text() {
            let problem = Diagnostic::error("parse/faces", self.here(), "The faces of dice are words, not texts")
                .label("no quotes are needed")
                .hint("Write one word for each side: `pool[1..4]: faces hit hit miss`. How texts write a word stands under `show`: `name hit \"Hit!\"`.");
            return Err(self.fail(problem));
        }
        if !self.at(TokenKind::Word) || self.nth(1).kind == TokenKind::Dots {
            let (low, high) = self.parse_bounds()?;
            return Ok(DiceFaces::Numbers(low, high));
        }
        const EXAMPLE: &str = "pool[1..4]: faces hit hit miss";
        let mut words = vec![self.parse_name("a word for a side", EXAMPLE)?];
        loop {
            let listed = self.at(TokenKind::Comma)
                && self.nth(1).kind == TokenKind::Word
                && (self.nth(2).kind == TokenKind::Comma || self.nth(2).kind.ends_line())
                && self.word_at(1) != "ordered";
            if listed {
                if words.len() == 1 {
                    self.report(
                        Diagnostic::error(
                            "parse/faces",
                            self.here(),
                            "The faces of dice stand one after another, without commas",
                        )
                        .hint(format!("For example: `{EXAMPLE}`")),
                    );
                }
                self.bump();
            } else if !self.at(TokenKind::Word) {
                return Ok(DiceFaces::Words(words));
            }
            words.push(self.parse_name("a word for a side", EXAMPLE)?);
        }
    }

    /// `hand[player]`, `cup[player, 1..5]`
    fn parse_entry_name(&mut self, example: &str) -> Parsed<(Name, Vec<Index>)> {
        let name = self.parse_name("a name", example)?;
        let open = self.peek().span;
        let mut index = Vec::new();
        if self.eat(TokenKind::OpenSquare) {
            index.push(self.parse_index()?);
            while self.eat(TokenKind::Comma) {
                index.push(self.parse_index()?);
            }
            self.expect_closing(TokenKind::CloseSquare, "]", open)?;
        }
        Ok((name, index))
    }

    pub(super) fn parse_index(&mut self) -> Parsed<Index> {
        let alone = matches!(self.nth(1).kind, TokenKind::Comma | TokenKind::CloseSquare);
        if self.at_word("player") && alone {
            return Ok(Index::Player(self.bump().span));
        }
        if self.at_word("players") && alone {
            let span = self.bump().span;
            self.report(
                Diagnostic::error("parse/index", span, "One for each player is written `[player]`")
                    .hint("Write `hand[player]`."),
            );
            return Ok(Index::Player(span));
        }
        if self.at(TokenKind::Word) && alone {
            return Ok(Index::Attr(self.parse_name("`player`, a range or an attribute", "piles[1..9]")?));
        }
        let low = self.parse_amount()?;
        self.expect(TokenKind::Dots, "..", "piles[1..9]")?;
        Ok(Index::Range(low, self.parse_amount()?))
    }

    fn parse_zone_clause(&mut self) -> Parsed<ZoneClause> {
        let start = self.here();
        let kind = self.parse_zone_clause_kind()?;
        Ok(ZoneClause { span: self.since(start), kind })
    }

    fn parse_zone_clause_kind(&mut self) -> Parsed<ZoneClauseKind> {
        let (word, next) = (self.word_at(0), self.word_at(1));
        if matches!(next, "sees" | "see") {
            return self.parse_sees();
        }
        if STATEMENTS.contains(&word) || word.is_empty() {
            return self.fail_expected("parse/unknown-clause", "a property of a zone", ZONE_EXAMPLE);
        }
        if did_you_mean(next, ["sees"]).is_some() {
            let who = self.take_name();
            self.one_of(&["sees"], "a word that fits here")?;
            return self.parse_sees_rest(who);
        }
        if ["centre", "side", "large", "small"].contains(&word) {
            let problem = Diagnostic::error(
                "parse/unknown-clause",
                self.here(),
                format!("`{word}` is not a property of a zone"),
            )
            .hint(format!(
                "Where and how large a zone is drawn stands at the end of the file, under `show`: `zone trick: {word}`."
            ));
            return Err(self.fail(problem));
        }
        match self.expect_clause_word(ZONE_CLAUSES, "a property of a zone")? {
            "ordered" => Ok(ZoneClauseKind::Ordered),
            "sorted" => {
                const EXAMPLE: &str = "sorted by suit then rank";
                self.expect_word("by", EXAMPLE)?;
                let mut by = vec![self.parse_name("what to sort by", EXAMPLE)?];
                while self.eat_word("then") {
                    by.push(self.parse_name("what to sort by", EXAMPLE)?);
                }
                Ok(ZoneClauseKind::Sorted(by))
            }
            "remembers" => {
                self.expect_word("player", "remembers player")?;
                Ok(ZoneClauseKind::Remembers { secretly: self.eat_word("secretly") })
            }
            "holds" => {
                self.expect_word("at", "holds at most 9")?;
                self.expect_word("most", "holds at most 9")?;
                Ok(ZoneClauseKind::Holds(self.parse_amount()?))
            }
            "starts" => {
                self.expect_word("with", "starts with cards")?;
                Ok(ZoneClauseKind::Starts(self.parse_name("the name of a deck", "starts with cards")?))
            }
            "as" => self.parse_shape(),
            "titled" => Ok(ZoneClauseKind::Titled(self.expect_text("a title")?)),
            "turned" => {
                self.expect_word("when", "turned when not open")?;
                Ok(ZoneClauseKind::Turned(self.parse_expr()?))
            }
            _ => {
                self.fail_expected("parse/expected-word", "`sees cards`, `sees count` or `sees nothing`", ZONE_EXAMPLE)
            }
        }
    }

    /// `everyone sees cards`, `others see count when open`. The first word can be the name of a state, so the
    /// elaborator looks it up.
    fn parse_sees(&mut self) -> Parsed<ZoneClauseKind> {
        let who = self.take_name();
        self.bump();
        self.parse_sees_rest(who)
    }

    fn parse_sees_rest(&mut self, who: Name) -> Parsed<ZoneClauseKind> {
        let ends = self.at_line_end() || self.at(TokenKind::Comma) || self.at_word("when");
        let what =
            if ends { None } else { Some(self.one_of(&["cards", "count", "nothing"], "what can be seen of a zone")?) };
        let when = if self.eat_word("when") { Some(self.parse_expr()?) } else { None };
        Ok(ZoneClauseKind::Sees { who, what, when })
    }

    /// `as fan`, `as grid 3x3`, `as towards player`
    fn parse_shape(&mut self) -> Parsed<ZoneClauseKind> {
        let shape = self.one_of(&["fan", "pile", "row", "grid", "towards", "slots"], "a shape")?;
        let args = match shape.text.as_str() {
            "grid" if self.at(TokenKind::Grid) => self.parse_grid_size(),
            "grid" => return self.fail_expected("parse/grid", "how many across and down", "as grid 3x3"),
            "towards" if self.at_word("player") => vec![self.parse_operand()?],
            "towards" => return self.fail_expected("parse/expected-word", "`player`", "as towards player"),
            _ => Vec::new(),
        };
        Ok(ZoneClauseKind::As { shape, args })
    }

    fn parse_grid_size(&mut self) -> Vec<Expr> {
        let span = self.bump().span;
        let Some((across, down)) = self.slice(span).split_once('x') else {
            return Vec::new();
        };
        let middle = span.start as usize + across.len();
        let side = |text: &str, from: usize| {
            let span = Span::new(from, from + text.len());
            let kind = text.parse().ok().filter(|&n: &i64| n < 1_000).map_or(ExprKind::Broken, ExprKind::Number);
            Expr { span, kind }
        };
        let sides = vec![side(across, span.start as usize), side(down, middle + 1)];
        if sides.iter().any(|side| matches!(side.kind, ExprKind::Broken)) {
            self.report(Diagnostic::error("parse/number-too-large", span, "This grid is too large"));
        }
        sides
    }
}
