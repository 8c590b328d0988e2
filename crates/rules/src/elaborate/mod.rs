//! From the shape of the text to checked rules: names, types, who may know what, and code.
//!
//! One pass does all four, because they need each other: the type of a comparison decides what a bare
//! word means, and the label of a selection depends on the zone it was resolved to. Files by what they are about:
//!
//! - what there is: `decl` (the file as a whole), `header`, `options`, `deck`, `zones`, `state`
//! - what happens: `stmt`, `assign`, `loops`, `moves`, `dice`, `telling`
//! - what is asked: `ask`, `part`, `together`
//! - values: `expr`, `operators`, `names`, `seats`, `cards`, `text`, `constant`; `range` and `itself` (comparisons that are slips)
//! - names: `scopes`
//! - how it looks: `show`; what it gives away: `reveals`
//! - who may know what: `label` (what a viewer must see to know a value), `viewers` (whether a viewer does), `apart` (which
//!   players are different ones), `changes` and `facedown` (what the file does elsewhere)

mod apart;
mod ask;
mod assign;
mod cards;
mod changes;
mod constant;
mod deck;
mod decl;
mod dice;
mod expr;
mod facedown;
mod header;
mod itself;
mod label;
mod loops;
mod moves;
mod names;
mod operators;
mod options;
mod part;
mod range;
mod reveals;
mod scopes;
mod seats;
mod show;
mod state;
mod stmt;
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

/// How many expressions may be looked at once every define and rule is written out in full. A file of
/// 256 KB without explosions stays far below.
const WORK_LIMIT: usize = 400_000;
const CODE_LIMIT: usize = 60_000;
const MOST_DIAGNOSTICS: usize = 100;
const EXPANSION_DEPTH: usize = 24;

/// Turns a parsed file into a program. Diagnostics that are errors mean there is none.
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

/// A condition on a table of this game, from outside of its rules.
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
    if elaborator.diags.len() > before || val.is_broken() {
        return Err(elaborator.diags.split_off(before));
    }
    Ok(crate::Condition { holds: val.into_num(), compared: compared.map(|(show, num)| (num, show)) })
}

/// What a name at the top of the file stands for.
#[derive(Clone, Copy, Debug)]
enum Global {
    Var(VarId),
    Zone(ZoneId),
    Option(OptionId),
    Define(usize),
    Rule(usize),
    Deck(DeckId),
}

/// What `suit` on its own, or `letters` on its own, speaks about inside a `where`.
#[derive(Clone, Debug)]
enum Subject {
    Card(Box<Val>),
    /// The element of an index: a seat in `players where …`, a pile in `turned when …`.
    Index(Vec<Dim>, Vec<Num>),
}

/// Where we are: some statements and reads are allowed only in some places.
#[derive(Clone, Debug, PartialEq)]
enum Place_ {
    Main,
    Together,
    Hook,
    /// The body of an `ask all` answer.
    Answer,
}

struct Loop {
    circle: bool,
    /// Jumps to patch to the end of the loop.
    exits: Vec<usize>,
    /// Where `again` goes.
    body: Pc,
    /// Of one that goes over players: who they are in turn.
    seat: Option<VarId>,
}

struct Elaborator<'a> {
    program: Program,
    diags: Vec<Diagnostic>,
    /// How often else each of them was found.
    repeated: HashMap<usize, usize>,
    /// What was declared wrongly: using it is no second mistake.
    spoiled: HashSet<String>,
    globals: HashMap<String, (Global, Span)>,
    attrs: HashMap<String, AttrId>,
    card_names: HashSet<String>,
    defines: Vec<Define<'a>>,
    rules: Vec<Rule<'a>>,
    rule_bodies: changes::RuleBodies<'a>,
    scopes: scopes::Scopes,
    subjects: Vec<Subject>,
    /// While legality is elaborated: the chooser's own expression, which reads as `Me`.
    chooser: Option<Num>,
    place: Place_,
    /// Only options may be read here (decks, defaults, visibility).
    options_only: bool,
    /// Who plays is not known here either (decks, values to start with).
    nobody_sits: bool,
    /// In `show`, where nothing can happen.
    looking: bool,
    /// Players may be called by their numbers: in conditions from outside of the rules.
    numbered_seats: bool,
    /// Zones in which cards may lie face down: what lies there is not known by sight.
    face_down: HashMap<String, facedown::StaleCause>,
    /// Names that provably mean different players here.
    apart: Vec<apart::Apart>,
    /// State that `when …` may set while a question is open.
    unsteady: HashSet<String>,
    /// State that `when … leaves` passes on from the player who leaves: see `changes::Changes`.
    passed_on: HashSet<String>,
    /// The state among both that names a player.
    unsteady_vars: Vec<VarId>,
    /// Where `when …` may bring cards.
    moved_by_hooks: Vec<changes::Transfer>,
    /// Names that certainly mean something: a player at the table, a card, a value. Loops and answers give such names.
    certain: Vec<Num>,
    /// Numbers that are certainly in a range: loops over numbers, answers.
    certain_ranges: Vec<(VarId, i32, i32)>,
    /// What was moved from where to where so far.
    counts: reveals::Counts,
    loops: Vec<Loop>,
    /// In the steps below one of several answers, or in a loop that an answer may stop.
    answering: bool,
    /// Below an answer that has set a variable of its player, inside `together`.
    steered: bool,
    /// Who may know whether the alternative at hand is possible.
    possible: Label,
    /// The rules write on cards somewhere.
    writes: bool,
    /// Where the zones of all players were named without an index.
    families: Vec<(String, Span)>,
    /// The step right above in the same block gives something a value.
    after_assignment: bool,
    /// Jumps of repeats that are stopped by their bound, where they go then, and where they stand in the source.
    run_out: Vec<(usize, Pc, Span)>,
    /// Parameters of the rule being written out.
    fixed: Vec<String>,
    /// The steps so far that give each variable a value.
    set_at: HashMap<VarId, Vec<usize>>,
    /// State that decides who sees a zone or dice.
    decide_sight: HashSet<VarId>,
    /// Everybody sees the cards of all zones.
    all_in_sight: bool,
    /// Variables given a value so far, in order, and where.
    assigned: Vec<(VarId, Span)>,
    expansion: Vec<String>,
    used: HashSet<String>,
    /// Variables that were made by giving them a value, once for each time their line is written out.
    made: Vec<Made>,
    /// Those that were read.
    read: HashSet<VarId>,
    work: usize,
    exhausted: bool,
    span: Span,
}

/// A variable that a line such as `side := 1` has made.
struct Made {
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
                    notes: Vec::new(),
                    min_players: 1,
                    max_players: 1,
                    start_when_full: false,
                    newcomers_play: false,
                    absent: AbsentPolicy::Wait,
                    host_absent_pauses: false,
                    leavers_become_bots: false,
                    grace: None,
                    limit: 10_000,
                    limit_outcome: LimitOutcome::Void,
                },
                options: Vec::new(),
                presets: Vec::new(),
                attrs: Vec::new(),
                decks: Vec::new(),
                requires: Vec::new(),
                zones: Vec::new(),
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
            defines: Vec::new(),
            rules: Vec::new(),
            rule_bodies: HashMap::new(),
            scopes: scopes::Scopes::new(),
            subjects: Vec::new(),
            chooser: None,
            place: Place_::Main,
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
            counts: Default::default(),
            loops: Vec::new(),
            answering: false,
            steered: false,
            possible: Label::PUBLIC,
            writes: false,
            families: Vec::new(),
            after_assignment: false,
            run_out: Vec::new(),
            fixed: Vec::new(),
            set_at: HashMap::new(),
            decide_sight: HashSet::new(),
            all_in_sight: false,
            assigned: Vec::new(),
            expansion: Vec::new(),
            used: HashSet::new(),
            made: Vec::new(),
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

    /// Keeps a mistake. One inside a define or rule is found again wherever it is used, and told once.
    fn report(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| (d.code, d.span, &d.title) == (diagnostic.code, diagnostic.span, &diagnostic.title);
        if let Some(at) = self.diags.iter().position(same) {
            *self.repeated.entry(at).or_default() += 1;
        } else if self.diags.len() < MOST_DIAGNOSTICS {
            self.diags.push(diagnostic);
        }
    }

    /// Counts work and stops once a file explodes; the caller returns something broken then.
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

    fn bound(&mut self) -> BoundId {
        self.program.bounds += 1;
        self.program.bounds - 1
    }

    /// A new statement-level local; inside `together` there is one for each seat.
    fn local(&mut self, name: &str, ty: Type) -> VarId {
        let kind = if self.place == Place_::Together { VarKind::SeatLocal } else { VarKind::Local };
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

    /// Makes a jump that was emitted before its target was known go here.
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

    /// A condition of the course of the game: everyone sees what happens next, so everyone must know why.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_public(&mut self, val: &Val, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.hidden_fact(&val.label, span, what);
        }
    }

    /// Something shown to the chooser, or that decides what the chooser may do.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_chooser(&mut self, val: &Val, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.hidden_from(&val.label, &Num::Me, span, what);
        }
    }

    /// Something told to one player alone.
    #[cfg_attr(feature = "switches", track_caller)]
    fn need_told(&mut self, val: &Val, seat: &Num, span: Span, what: &str) {
        if !val.is_broken() && !switch::is_off() {
            self.hidden_from(&val.label, seat, span, what);
        }
    }

    fn need_type(&mut self, val: &Val, want: &Ty, span: Span) -> bool {
        if val.is_broken() || self.fits(&val.ty, want) {
            return true;
        }
        let (found, wanted) = (self.ty_name(&val.ty), self.ty_name(want));
        self.report(
            Diagnostic::error("type/mismatch", span, format!("This should be {wanted}"))
                .label(format!("this is {found}")),
        );
        false
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
