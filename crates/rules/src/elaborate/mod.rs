//! The elaborator: turns a syntax tree into checked rules. It looks up names, checks types, checks who may know what, and
//! emits code.
//!
//! One pass does all four, because they need each other: the type of a comparison decides what a bare word means, and the
//! label of a selection depends on the zone that its name means. The files by topic:
//!
//! - declarations: `decl` (the file as a whole), `header`, `options`, `deck`, `zones`, `state`
//! - statements: `stmt`, `assign`, `loops`, `leavers` (loops that go on for ever once a player has left), `moves`, `dice`, `telling`
//! - decisions: `ask`, `alternative`, `part`, `clauses`, `together`
//! - values: `expr`, `operators`, `names`, `seats`, `cards`, `text`, `constant`; `range` and `itself` (comparisons that are mistakes)
//! - names: `scopes`
//! - presentation: `show`; the list of what a game reveals: `reveals`, with `noticed` (answers), `newly_seen` and `card_sources`
//! - who may know what: `label` (conditions for knowing a value), `viewers` (whether a viewer fulfils them), `apart` (which
//!   names mean different players), `changes` and `facedown` (what other lines of the file do)

mod alternative;
mod apart;
mod ask;
mod assign;
mod card_sources;
mod cards;
mod changes;
mod clauses;
mod constant;
mod deck;
mod decl;
mod dice;
mod distinct;
mod expr;
mod facedown;
mod header;
mod how_to_play;
mod itself;
mod label;
mod leavers;
mod loops;
mod moves;
mod names;
mod newly_seen;
mod noticed;
mod operators;
mod options;
mod part;
mod range;
mod reach;
mod reveals;
mod scopes;
mod seats;
mod show;
mod state;
mod stmt;
mod tables;
mod telling;
mod text;
mod together;
mod value;
mod viewers;
mod zones;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Span;
use crate::switch;
use label::Label;
use std::collections::{HashMap, HashSet};
use value::{Ty, Val};

/// Upper bound on elaborated expressions. Each use of a define or rule elaborates its body again, so a small file could grow
/// exponentially. A file of 256 KB that does not grow this way stays far below the bound.
const WORK_LIMIT: usize = 400_000;
const CODE_LIMIT: usize = 60_000;
const MOST_DIAGNOSTICS: usize = 100;
const EXPANSION_DEPTH: usize = 24;

/// Turns a parsed file into a program; there is none if a diagnostic is an error.
pub fn elaborate(file: &ast::File) -> (Option<Program>, Vec<Diagnostic>) {
    let mut e = Elaborator::new(file);
    e.file(file);
    for (at, times) in std::mem::take(&mut e.repeated) {
        if let Some((_, label)) = e.diags[at].related.last_mut() {
            let places = if times == 1 { "place" } else { "places" };
            label.push_str(&format!(", and in {times} more {places}"));
        }
    }
    let failed = e.diags.iter().any(Diagnostic::is_error);
    let program = (!failed).then_some(e.program);
    (program, e.diags)
}

/// Elaborates a condition about a table of this game that does not stand in its file, such as one of a scenario.
pub fn condition(file: &ast::File, e: &ast::Expr) -> Result<crate::Condition, Vec<Diagnostic>> {
    let mut elaborator = Elaborator::new(file);
    elaborator.file(file);
    elaborator.looking = true;
    elaborator.numbered_seats = true;
    let before = elaborator.diags.len();
    let val = elaborator.expr_expecting(e, &Ty::YesNo);
    elaborator.need_type(&val, &Ty::YesNo, e.span);
    let compared = match &e.kind {
        ast::ExprKind::Binary { op, left, .. } if op.compares() => Some(elaborator.expr(left)),
        _ => None,
    };
    let compared = compared.filter(|val| matches!(val.code, value::Code::Num(_)));
    let compared = compared.and_then(|val| Some((elaborator.show_as(&val.ty)?, val.into_num())));
    // A define may have a warning, which belongs to the file and not to who uses the define.
    if elaborator.diags[before..].iter().any(Diagnostic::is_error) || val.is_broken() {
        return Err(elaborator.diags.split_off(before));
    }
    Ok(crate::Condition { holds: val.into_num(), compared: compared.map(|(show, num)| (num, show)) })
}

/// What a global name means.
#[derive(Clone, Copy, Debug)]
enum Global {
    Var(VarId),
    Zone(ZoneId),
    Option(OptionId),
    Define(usize),
    Rule(usize),
    Deck(DeckId),
    Table(TableId),
}

/// The card or index to which bare names such as `suit` or `letters` refer inside a `where`.
#[derive(Clone, Debug)]
enum Subject {
    Card(Box<Val>),
    /// An index: a seat in `players where …`, the index of a zone in `turned when …`.
    Index(Vec<Dim>, Vec<Num>),
}

/// The kind of block that is being elaborated; it decides which statements are allowed.
#[derive(Clone, Debug, PartialEq)]
enum Context {
    Main,
    Together,
    Hook,
    /// The body of an `ask all` answer.
    Answer,
}

/// A player whom the steps around a line are about.
struct PlayerAtHand {
    name: String,
    /// True if the steps run for one player after another, or for a player that a caller passes to them. False in the body of a question to one
    /// player (`ask judge`): that body may be about all players.
    certain: bool,
}

struct Loop {
    circle: bool,
    /// Jumps that have to go to the end of the loop.
    exits: Vec<usize>,
    /// Where `again` goes.
    body: Pc,
    /// The variable that holds the player, if the loop goes through players.
    seat: Option<VarId>,
}

struct Elaborator<'a> {
    program: Program,
    diags: Vec<Diagnostic>,
    /// How many more times a diagnostic was found, by its index in `diags`.
    repeated: HashMap<usize, usize>,
    /// Names with a broken declaration. The checker does not report their uses as well.
    spoiled: HashSet<String>,
    globals: HashMap<String, (Global, Span)>,
    attrs: HashMap<String, AttrId>,
    card_names: HashSet<String>,
    /// What the places of each declared table are.
    table_dims: HashMap<TableId, Dim>,
    defines: Vec<Define<'a>>,
    rules: Vec<Rule<'a>>,
    rule_bodies: changes::RuleBodies<'a>,
    scopes: scopes::Scopes,
    subjects: Vec<Subject>,
    /// The expression after `ask`, while the rules of a decision are elaborated; there it means the same as `Me`.
    chooser: Option<Num>,
    context: Context,
    /// Expressions may read only options: in decks, defaults and `sees` clauses.
    options_only: bool,
    /// Expressions can't depend on the players either: in decks and initial values.
    nobody_sits: bool,
    /// Expressions only read the table and no step depends on them: in `show` and in conditions of scenarios.
    looking: bool,
    /// Numbers may mean players: in conditions of scenarios.
    numbered_seats: bool,
    /// Zones in which cards may lie face down: viewers of the zone may not know its cards.
    face_down: HashMap<String, facedown::FaceDownCause>,
    /// Names that provably mean different players here.
    apart: Vec<apart::ApartFact>,
    /// State that `when …` may set while a question is open: see [`changes::Changes`].
    unsteady: HashSet<String>,
    /// State that `when … leaves` passes on from the player who leaves: see [`changes::Changes`].
    passed_on: HashSet<String>,
    /// The variables of both, `unsteady` and `passed_on`.
    unsteady_vars: Vec<VarId>,
    /// Moves of cards that `when …` may make.
    moved_by_hooks: Vec<changes::Transfer>,
    /// Names that certainly have a value: a player at the table, a card, a value of an attribute. Loops and answers make
    /// such names.
    certain: Vec<Num>,
    /// Numbers that are certainly in a range: loops over numbers, answers.
    certain_ranges: Vec<(VarId, i32, i32)>,
    /// Moves of cards so far, for the list of reveals.
    count_reveals: reveals::CountReveals,
    loops: Vec<Loop>,
    /// True in the body of an answer if there are several answers, and in a loop that an answer inside may end or repeat.
    answering: bool,
    /// True inside `together` after an answer that has set a variable of its player.
    answer_set_variable: bool,
    /// Who may know whether the current alternative is possible.
    possible: Label,
    /// Whether any line of the file writes on cards.
    writes: bool,
    /// Where the file names a family of zones without an index.
    families: Vec<(String, Span)>,
    /// The players whom the steps around the current line are about, innermost last.
    players_at_hand: Vec<PlayerAtHand>,
    /// How many defines are being expanded.
    open_defines: usize,
    /// Variables that hold cards which a player picked without `in order`.
    unordered_picks: HashSet<VarId>,
    /// The statement directly above, in the same block, is an assignment.
    after_assignment: bool,
    /// `repeat until` loops with `at most`, which may stop before their condition holds: the jump that tests the count, the
    /// end of the loop, and the span.
    bounded_repeats: Vec<(usize, Pc, Span)>,
    /// `repeat` loops without a bound, outside of `together`.
    unbounded_repeats: Vec<leavers::UnboundedRepeat>,
    /// Parameters of the rule that is being expanded; its body can't assign to them.
    rule_params: Vec<String>,
    /// For each variable, the ops so far that give it a value.
    set_at: HashMap<VarId, Vec<usize>>,
    /// State that decides who sees a zone or dice.
    decide_sight: HashSet<VarId>,
    /// Everybody sees the cards of all zones.
    all_in_sight: bool,
    /// Assignments so far, in order: the variable and the statement.
    assigned: Vec<(VarId, Span)>,
    expansion: Vec<String>,
    used: HashSet<String>,
    /// Local variables that an assignment introduces. A line in a rule introduces one at each use of the rule.
    introduced: Vec<IntroducedVariable>,
    /// Variables that an expression reads.
    read: HashSet<VarId>,
    work: usize,
    exhausted: bool,
    span: Span,
}

/// A local variable that a line such as `side := 1` introduces.
struct IntroducedVariable {
    var: VarId,
    span: Span,
}

struct Define<'a> {
    name: &'a crate::span::Name,
    params: &'a [crate::span::Name],
    body: &'a ast::Expr,
}

struct Rule<'a> {
    name: &'a crate::span::Name,
    params: &'a [crate::span::Name],
    body: &'a [ast::Stmt],
}

impl<'a> Elaborator<'a> {
    fn new(file: &'a ast::File) -> Self {
        let mut e = Elaborator {
            program: Program {
                meta: Meta {
                    title: String::new(),
                    about: String::new(),
                    language: LANGUAGE,
                    how_to_play: Vec::new(),
                    notes: Vec::new(),
                    min_players: 1,
                    max_players: 1,
                    start_when_full: false,
                    newcomers_play: false,
                    absent: AbsentPolicy::Wait,
                    host_absent_pauses: false,
                    leavers_become_bots: false,
                    grace: None,
                    minutes: None,
                    limit: 10_000,
                    limit_outcome: LimitOutcome::Void,
                },
                options: Vec::new(),
                presets: Vec::new(),
                attrs: Vec::new(),
                decks: Vec::new(),
                requires: Vec::new(),
                zones: Vec::new(),
                tables: Vec::new(),
                vars: Vec::new(),
                bounds: 0,
                code: Vec::new(),
                spans: Vec::new(),
                asks: Vec::new(),
                togethers: Vec::new(),
                phases: Vec::new(),
                on_leave: None,
                on_join: None,
                show: Presentation::default(),
                reveals: Vec::new(),
            },
            diags: Vec::new(),
            repeated: HashMap::new(),
            spoiled: HashSet::new(),
            globals: HashMap::new(),
            attrs: HashMap::new(),
            card_names: HashSet::new(),
            table_dims: HashMap::new(),
            defines: Vec::new(),
            rules: Vec::new(),
            rule_bodies: HashMap::new(),
            scopes: scopes::Scopes::new(),
            subjects: Vec::new(),
            chooser: None,
            context: Context::Main,
            options_only: false,
            nobody_sits: false,
            looking: false,
            numbered_seats: false,
            face_down: HashMap::new(),
            apart: Vec::new(),
            unsteady: HashSet::new(),
            passed_on: HashSet::new(),
            unsteady_vars: Vec::new(),
            moved_by_hooks: Vec::new(),
            certain: Vec::new(),
            certain_ranges: Vec::new(),
            count_reveals: Default::default(),
            loops: Vec::new(),
            answering: false,
            answer_set_variable: false,
            possible: Label::PUBLIC,
            writes: false,
            families: Vec::new(),
            players_at_hand: Vec::new(),
            open_defines: 0,
            unordered_picks: HashSet::new(),
            after_assignment: false,
            bounded_repeats: Vec::new(),
            unbounded_repeats: Vec::new(),
            rule_params: Vec::new(),
            set_at: HashMap::new(),
            decide_sight: HashSet::new(),
            all_in_sight: false,
            assigned: Vec::new(),
            expansion: Vec::new(),
            used: HashSet::new(),
            introduced: Vec::new(),
            read: HashSet::new(),
            work: 0,
            exhausted: false,
            span: Span::default(),
        };
        for decl in &file.decls {
            match &decl.kind {
                ast::DeclKind::Define { name, params, body } => {
                    e.declare(name, Global::Define(e.defines.len()));
                    e.defines.push(Define { name, params, body });
                }
                ast::DeclKind::Rule { name, params, body } => {
                    e.declare(name, Global::Rule(e.rules.len()));
                    e.rule_bodies.insert(&name.text, body);
                    e.rules.push(Rule { name, params, body });
                }
                _ => {}
            }
        }
        e
    }

    /// Keeps a diagnostic. A mistake inside a define or rule is found at each use, but reported once.
    fn report(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| (d.code, d.span, &d.title) == (diagnostic.code, diagnostic.span, &diagnostic.title);
        if let Some(at) = self.diags.iter().position(same) {
            *self.repeated.entry(at).or_default() += 1;
        } else if self.diags.len() < MOST_DIAGNOSTICS {
            self.diags.push(diagnostic);
        }
    }

    /// Counts the work and reports when it exceeds the limit; the caller then returns a broken value.
    fn over_budget(&mut self, span: Span) -> bool {
        self.work += 1;
        if self.work <= WORK_LIMIT && self.program.code.len() <= CODE_LIMIT {
            return false;
        }
        if !self.exhausted {
            self.exhausted = true;
            self.report(
                Diagnostic::error("limit/too-large", span, "These rules become too large")
                    .label("once every define and rule is written out in full")
                    .hint("Defines that use other defines several times grow very fast. Use fewer of them."),
            );
        }
        true
    }

    fn new_bound(&mut self) -> BoundId {
        self.program.bounds += 1;
        self.program.bounds - 1
    }

    /// Makes a local variable; inside `together` it has an element for each seat.
    fn local(&mut self, name: &str, ty: Type) -> VarId {
        let kind = if self.context == Context::Together { VarKind::SeatLocal } else { VarKind::Local };
        self.new_var(name, kind, ty)
    }

    fn new_var(&mut self, name: &str, kind: VarKind, ty: Type) -> VarId {
        let default = match ty {
            Type::Player | Type::Card => NONE,
            Type::Attr(_) => NONE_VALUE,
            _ => 0,
        };
        self.program.vars.push(Var {
            name: name.to_string(),
            kind,
            dims: Vec::new(),
            ty,
            default: Num::Const(default),
        });
        (self.program.vars.len() - 1) as VarId
    }

    fn emit(&mut self, op: Op) -> usize {
        if let Op::Set(VarRef { var, .. }, _) | Op::RandomCard { to: var, .. } = &op {
            self.set_at.entry(*var).or_default().push(self.program.code.len());
        }
        self.program.code.push(op);
        self.program.spans.push(self.span);
        self.program.code.len() - 1
    }

    fn pc(&self) -> Pc {
        self.program.code.len() as Pc
    }

    /// Sets the target of an earlier jump to the current position.
    fn patch(&mut self, at: usize) {
        let here = self.pc();
        match &mut self.program.code[at] {
            Op::Jump(pc) | Op::Unless(_, pc) => *pc = here,
            Op::Circle { exit, .. } | Op::CountTo { exit, .. } => *exit = here,
            other => unreachable!("patched an op that does not jump: {other:?}"),
        }
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.open_scope();
        let result = f(self);
        self.scopes.close_scope();
        result
    }

    fn bind(&mut self, name: &crate::span::Name, val: Val) {
        if let Some((_, span)) = self.globals.get(&name.text) {
            let span = *span;
            self.report(
                Diagnostic::error("name/taken", name.span, format!("`{}` already means something else", name.text))
                    .label("used again here")
                    .related(span, "first used here")
                    .hint("Give one of the two another name."),
            );
        }
        self.scopes.insert(&name.text, val);
    }

    fn with_subject<T>(&mut self, subject: Subject, f: impl FnOnce(&mut Self) -> T) -> T {
        self.subjects.push(subject);
        let result = f(self);
        self.subjects.pop();
        result
    }

    /// Requires that everyone may know a value, because everyone sees what it leads to.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_public(&mut self, val: &Val, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.refuse_hidden_fact(&val.label, span, what);
        }
    }

    /// Requires that the chooser may know a value, because it is shown to them or decides what they may do.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_chooser(&mut self, val: &Val, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.refuse_hidden_from(&val.label, &Num::Me, span, what);
        }
    }

    /// Requires that the player to whom a value is told may know it.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_told(&mut self, val: &Val, seat: &Num, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.refuse_hidden_from(&val.label, seat, span, what);
        }
    }

    fn need_type(&mut self, val: &Val, want: &Ty, span: Span) -> bool {
        if val.is_broken() || self.fits(&val.ty, want) {
            return true;
        }
        let (found, wanted) = (self.ty_name(&val.ty), self.ty_name(want));
        let problem = Diagnostic::error("type/mismatch", span, format!("This should be {wanted}"))
            .label(format!("this is {found}"));
        self.report(match self.hint_for_type(&val.ty, want) {
            Some(hint) => problem.hint(hint),
            None => problem,
        });
        false
    }

    /// Returns a hint how to get a value of the wanted type from one of another type.
    fn hint_for_type(&self, found: &Ty, want: &Ty) -> Option<String> {
        Some(match (found, want) {
            (Ty::Players, Ty::Num) => "How many they are is `count of (players where …)`.".to_owned(),
            (Ty::Players, Ty::Player) => {
                "One of them is `first player where …`; to go through all of them write `for r in players where …`."
                    .to_owned()
            }
            (Ty::Cards, Ty::Num) => "How many cards there are is `count of …`.".to_owned(),
            (Ty::Card, Ty::Attr(attr)) => {
                format!("Say what of the card is meant: `{} of …`.", self.program.attrs[usize::from(*attr)].name)
            }
            (Ty::Card, Ty::Player) => "Who brought a card is `player of …`, if its zone `remembers player`.".to_owned(),
            (Ty::Attr(_), Ty::Num) => "Its place in the order of the values is a number: `position of …`.".to_owned(),
            (Ty::Num, Ty::Player) => {
                "A player is not a number: name the player, as in `p`, `leader` or `next player after p`.".to_owned()
            }
            _ => return None,
        })
    }

    fn fits(&self, found: &Ty, want: &Ty) -> bool {
        found == want
            || *found == Ty::Broken
            || *want == Ty::Broken
            || (*want == Ty::Num && self.is_numeric(found))
            || (*found == Ty::Num && self.is_numeric(want))
            || (*want == Ty::Cards && *found == Ty::Card)
    }

    fn is_numeric(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Num => true,
            Ty::Attr(a) => !matches!(self.program.attrs[*a as usize].values, AttrDomain::Names(_)),
            _ => false,
        }
    }

    fn ty_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Num => "a number".into(),
            Ty::YesNo => "yes or no".into(),
            Ty::Player => "a player".into(),
            Ty::Players => "several players".into(),
            Ty::Card => "a card".into(),
            Ty::Cards => "cards".into(),
            Ty::Attr(a) => format!("a {}", self.program.attrs[*a as usize].name),
            Ty::Choice(values) => format!("one of {}", values.join(", ")),
            Ty::Text => "a text".into(),
            Ty::DiceSet(_) => "a choice of dice".into(),
            Ty::Broken => "something".into(),
        }
    }
}
