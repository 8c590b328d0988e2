//! `zones`, `state` and `dice`: a line each, with an index and clauses.

use super::decl::Opening;
use super::words::{DECLARATIONS, SHOW_LINES, STATE_CLAUSES, STATEMENTS, ZONE_CLAUSES};
use super::{Parsed, Parser};
use crate::ast::{DeclKind, Dice, Expr, ExprKind, Index, State, Zone, ZoneClause, ZoneClauseKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::Kind;
use crate::span::{Name, Span};

const ZONE_EXAMPLE: &str = "hand[player]: owner sees cards, others see count";
const STATE_EXAMPLE: &str = "score[player]: 0..100 = 0";
const DICE_EXAMPLE: &str = "die: faces 1..6, everyone sees";

impl Parser<'_> {
    pub(super) fn zones(&mut self, header: Span) -> DeclKind {
        let mut zones = Vec::new();
        self.table_of("zones", header, ZONE_EXAMPLE, &mut |parser| {
            zones.push(parser.zone()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::Zones(zones)
    }

    pub(super) fn states(&mut self, header: Span) -> DeclKind {
        let mut states = Vec::new();
        self.table_of("state", header, STATE_EXAMPLE, &mut |parser| {
            states.push(parser.state()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::State(states)
    }

    pub(super) fn all_dice(&mut self, header: Span) -> DeclKind {
        let mut dice = Vec::new();
        self.table_of("dice", header, DICE_EXAMPLE, &mut |parser| {
            dice.push(parser.dice()?);
            parser.finish_line();
            Ok(())
        });
        DeclKind::Dice(dice)
    }

    /// A word on a line of its own and, indented, one entry a line.
    pub(super) fn table_of(
        &mut self,
        word: &str,
        header: Span,
        example: &str,
        entry: &mut dyn FnMut(&mut Self) -> Parsed<()>,
    ) {
        self.finish_line();
        let shown = format!("{word}\n  {example}");
        let mut astray = false;
        self.needed_lines(header, "its entries are missing", &shown, &mut |parser| {
            if !parser.stray_in_table(word, example, &mut astray) && entry(parser).is_err() {
                parser.skip_line();
                parser.skip_block();
            }
        });
    }

    /// Steps of the game or declarations that were indented into a table. The first is reported;
    /// all are read for their own mistakes.
    fn stray_in_table(&mut self, table: &str, example: &str, reported: &mut bool) -> bool {
        let entry = matches!(self.nth(1).kind, Kind::Colon) || self.nth(1).kind == Kind::OpenSquare;
        let word = self.word_at(0);
        let assigned = matches!(self.nth(1).kind, Kind::Assign | Kind::Add | Kind::Subtract);
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
        match self.opening() {
            Opening::Declaration(word) => self.declaration(word),
            _ => self.statement_line(&mut Vec::new()),
        }
        true
    }

    fn zone(&mut self) -> Parsed<Zone> {
        let start = self.here();
        let (name, index) = self.entry_name(ZONE_EXAMPLE)?;
        self.colon_after("the zone's name", ZONE_EXAMPLE);
        let mut clauses = Vec::new();
        if !self.at_line_end() {
            clauses.push(self.zone_clause()?);
            while self.another_clause()? {
                clauses.push(self.zone_clause()?);
            }
        }
        Ok(Zone { span: self.since(start), name, index, clauses })
    }

    /// A comma and another property follow. A comma that is easily forgotten is reported, and reading goes on.
    fn another_clause(&mut self) -> Parsed<bool> {
        if self.eat(Kind::Comma) {
            return Ok(true);
        }
        if self.at_line_end() {
            return Ok(false);
        }
        const EXAMPLE: &str = "waste: everyone sees cards, as pile, titled \"Discards\"";
        let found = self.found();
        if ZONE_CLAUSES.contains(&self.word_at(0)) || matches!(self.word_at(1), "sees" | "see") {
            self.soft(
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
        Err(self.hard(problem))
    }

    fn state(&mut self) -> Parsed<State> {
        let start = self.here();
        let (name, index) = self.entry_name(STATE_EXAMPLE)?;
        self.colon_after("the name", STATE_EXAMPLE);
        let ty = self.type_expr()?;
        let default = if self.at_line_end() || self.at(Kind::Comma) {
            None
        } else {
            self.equals(STATE_EXAMPLE)?;
            Some(self.value()?)
        };
        let mut state = State { span: start, name, index, ty, default, sealed: None, role: None };
        while self.eat(Kind::Comma) {
            let clause = self.here();
            if self.clause_word(STATE_CLAUSES, "a property of a value")? == "owner" {
                self.expect_word("sees", "bid[player]: 0..50 = 0, owner sees")?;
                state.sealed = Some(self.since(clause));
            } else {
                state.role = Some(self.text("the title of the role")?);
            }
        }
        state.span = self.since(start);
        Ok(state)
    }

    fn dice(&mut self) -> Parsed<Dice> {
        let start = self.here();
        let (name, index) = self.entry_name(DICE_EXAMPLE)?;
        self.colon_after("the name", DICE_EXAMPLE);
        self.expect_word("faces", DICE_EXAMPLE)?;
        let faces = self.bounds()?;
        let mut clauses = Vec::new();
        while self.eat(Kind::Comma) {
            clauses.push(self.zone_clause()?);
        }
        Ok(Dice { span: self.since(start), name, index, faces, clauses })
    }

    /// `hand[player]`, `cup[player, 1..5]`
    fn entry_name(&mut self, example: &str) -> Parsed<(Name, Vec<Index>)> {
        let name = self.name("a name", example)?;
        let open = self.peek().span;
        let mut index = Vec::new();
        if self.eat(Kind::OpenSquare) {
            index.push(self.index()?);
            while self.eat(Kind::Comma) {
                index.push(self.index()?);
            }
            self.close(Kind::CloseSquare, "]", open)?;
        }
        Ok((name, index))
    }

    fn index(&mut self) -> Parsed<Index> {
        let alone = matches!(self.nth(1).kind, Kind::Comma | Kind::CloseSquare);
        if self.at_word("player") && alone {
            return Ok(Index::Player(self.bump().span));
        }
        if self.at_word("players") && alone {
            let span = self.bump().span;
            self.soft(
                Diagnostic::error("parse/index", span, "One for each player is written `[player]`")
                    .hint("Write `hand[player]`."),
            );
            return Ok(Index::Player(span));
        }
        if self.at(Kind::Word) && alone {
            return Ok(Index::Attr(self.name("`player`, a range or an attribute", "piles[1..9]")?));
        }
        let low = self.amount()?;
        self.expect(Kind::Dots, "..", "piles[1..9]")?;
        Ok(Index::Range(low, self.amount()?))
    }

    fn zone_clause(&mut self) -> Parsed<ZoneClause> {
        let start = self.here();
        let kind = self.zone_clause_kind()?;
        Ok(ZoneClause { span: self.since(start), kind })
    }

    fn zone_clause_kind(&mut self) -> Parsed<ZoneClauseKind> {
        let (word, next) = (self.word_at(0), self.word_at(1));
        if matches!(next, "sees" | "see") {
            return self.sees();
        }
        if STATEMENTS.contains(&word) || word.is_empty() {
            return self.expected("parse/unknown-clause", "a property of a zone", ZONE_EXAMPLE);
        }
        if did_you_mean(next, ["sees"]).is_some() {
            let who = self.any_name();
            self.one_of(&["sees"], "a word that fits here")?;
            return self.sees_what(who);
        }
        match self.clause_word(ZONE_CLAUSES, "a property of a zone")? {
            "ordered" => Ok(ZoneClauseKind::Ordered),
            "sorted" => {
                const EXAMPLE: &str = "sorted by suit then rank";
                self.expect_word("by", EXAMPLE)?;
                let mut by = vec![self.name("what to sort by", EXAMPLE)?];
                while self.eat_word("then") {
                    by.push(self.name("what to sort by", EXAMPLE)?);
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
                Ok(ZoneClauseKind::Holds(self.amount()?))
            }
            "starts" => {
                self.expect_word("with", "starts with cards")?;
                Ok(ZoneClauseKind::Starts(self.name("the name of a deck", "starts with cards")?))
            }
            "as" => self.shape(),
            "titled" => Ok(ZoneClauseKind::Titled(self.text("a title")?)),
            "turned" => {
                self.expect_word("when", "turned when not open")?;
                Ok(ZoneClauseKind::Turned(self.value()?))
            }
            _ => self.expected("parse/expected-word", "`sees cards`, `sees count` or `sees nothing`", ZONE_EXAMPLE),
        }
    }

    /// `everyone sees cards`, `others see count when open`. Who it is, is looked up later: any name
    /// can be a state that holds a player.
    fn sees(&mut self) -> Parsed<ZoneClauseKind> {
        let who = self.any_name();
        self.bump();
        self.sees_what(who)
    }

    fn sees_what(&mut self, who: Name) -> Parsed<ZoneClauseKind> {
        let ends = self.at_line_end() || self.at(Kind::Comma) || self.at_word("when");
        let what =
            if ends { None } else { Some(self.one_of(&["cards", "count", "nothing"], "what can be seen of a zone")?) };
        let when = if self.eat_word("when") { Some(self.value()?) } else { None };
        Ok(ZoneClauseKind::Sees { who, what, when })
    }

    /// `as fan`, `as grid 3x3`, `as towards player`
    fn shape(&mut self) -> Parsed<ZoneClauseKind> {
        let shape = self.one_of(&["fan", "pile", "row", "grid", "towards", "slots"], "a shape")?;
        let args = match shape.text.as_str() {
            "grid" if self.at(Kind::Grid) => self.grid_size(),
            "grid" => return self.expected("parse/grid", "how many across and down", "as grid 3x3"),
            "towards" if self.at_word("player") => vec![self.operand()?],
            "towards" => return self.expected("parse/expected-word", "`player`", "as towards player"),
            _ => Vec::new(),
        };
        Ok(ZoneClauseKind::As { shape, args })
    }

    fn grid_size(&mut self) -> Vec<Expr> {
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
            self.soft(Diagnostic::error("parse/number-too-large", span, "This grid is too large"));
        }
        sides
    }
}
