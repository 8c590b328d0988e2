//! Declarations, and the order in which the parts of a file are elaborated.

use super::constant::known_before_start;
use super::value::Ty;
use super::{Context, Elaborator, Global, MOST_DIAGNOSTICS};
use crate::ast::{self, DeclKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};
use std::collections::HashSet;

/// The hint about an unused name.
const USE_OR_REMOVE: &str = "Use it or remove it.";

const MAX_INSTANCES: i64 = 4096;

impl<'a> Elaborator<'a> {
    pub(super) fn file(&mut self, file: &'a ast::File) {
        match &file.title {
            Some(title) => self.program.meta.title = self.plain(title),
            None => self.report(
                Diagnostic::error("file/no-title", Span::new(0, 0), "This game has no name")
                    .hint("Begin the file with a line such as: game \"My game\""),
            ),
        }
        self.header(file);
        self.face_down = super::facedown::find_face_down(file, &self.rule_bodies);
        let changes = super::changes::changes_while_waiting(file, &self.rule_bodies);
        (self.unsteady, self.passed_on, self.moved_by_hooks) = (changes.unsteady, changes.passed_on, changes.transfers);
        self.writes = super::reveals::writes(file);
        // Attributes come first: an option may have their values as choices, and the cards of a deck may depend on
        // options.
        self.attributes(file);
        self.options(file);
        self.tables(file);
        self.decks(file);
        // State comes before zones: a `sees` clause may name a role.
        self.states(file);
        self.zones(file);
        self.find_unsteady();
        self.find_hidden_zones();
        self.presets(file);
        self.check_start();
        self.requires(file);
        self.scoped(|e| e.block(&file.play));
        self.finish(file);
        for decl in &file.decls {
            if let DeclKind::When { seat, event, body } = &decl.kind {
                self.hook(seat, event, body);
            }
        }
        self.emit_repeat_bounds();
        self.warn_about_leavers();
        for decl in &file.decls {
            match &decl.kind {
                DeclKind::Show(lines) => self.show(lines),
                DeclKind::HowToPlay(lines) => self.how_to_play(lines, decl.span),
                _ => {}
            }
        }
        self.list_counts();
        self.list_newcomers();
        self.check_used();
    }

    pub(super) fn type_of(&mut self, t: &ast::TypeExpr) -> Type {
        match &t.kind {
            ast::TypeKind::Range(a, b) => {
                let (low, high) = self.const_range(a, b);
                Type::Number { low, high }
            }
            ast::TypeKind::Seconds(a, b) => {
                let (low, high) = self.const_range(a, b);
                self.not_negative(low, a.span, "A time", "seconds 0..300");
                Type::Seconds { low, high }
            }
            ast::TypeKind::Text(a, b) => {
                let (low, high) = self.const_range(a, b);
                self.not_negative(low, a.span, "A length", "text 1..12");
                Type::Text { low, high }
            }
            ast::TypeKind::YesNo => Type::YesNo,
            ast::TypeKind::Player => Type::Player,
            ast::TypeKind::Choice(names) => {
                let mut values: Vec<String> = Vec::new();
                for n in names {
                    if values.contains(&n.text) {
                        self.report(
                            Diagnostic::error("type/value-twice", n.span, format!("`{}` is listed twice", n.text))
                                .label("again here"),
                        );
                    } else {
                        values.push(n.text.clone());
                    }
                }
                Type::Choice(values)
            }
            ast::TypeKind::Attr(n) => match self.attrs.get(&n.text) {
                Some(a) => Type::Attr(*a),
                None => {
                    let mut names: Vec<String> = self.attrs.keys().cloned().collect();
                    names.extend(["player".to_string(), "yes/no".to_string()]);
                    names.sort();
                    let refs: Vec<&str> = names.iter().map(String::as_str).collect();
                    let d = Diagnostic::error("type/unknown", n.span, format!("`{}` is not a kind of value", n.text))
                        .label("unknown");
                    self.report(match did_you_mean(&n.text, refs.iter().copied()) {
                        Some(near) => d.hint(format!("Did you mean `{near}`?")),
                        None => d.hint("Possible are: a range such as 0..10, yes/no, player, a choice such as red | green, or an attribute of the cards such as suit."),
                    });
                    Type::Number { low: i32::MIN, high: i32::MAX }
                }
            },
        }
    }

    /// Elaborates the seconds of a time limit.
    pub(super) fn time(&mut self, e: &ast::Expr) -> Num {
        let seconds = self.public_number(e, "The clock");
        if let Num::Const(n) = seconds {
            self.not_negative(n, e.span, "A time", "within 30 seconds default");
        }
        seconds
    }

    fn not_negative(&mut self, low: i32, span: Span, what: &str, example: &str) {
        if low < 0 {
            self.report(
                Diagnostic::error("range/negative", span, format!("{what} can't be less than 0"))
                    .label("too low")
                    .hint(format!("For example: `{example}`")),
            );
        }
    }

    pub(super) fn dims(&mut self, name: &Name, index: &[ast::Index]) -> Vec<Dim> {
        let dims: Vec<Dim> = index
            .iter()
            .filter_map(|i| match i {
                ast::Index::Player(_) => Some(Dim::Player),
                ast::Index::Range(a, b) => {
                    let (low, high) = self.const_range(a, b);
                    Some(Dim::Range { low, high })
                }
                ast::Index::Attr(n) => match self.attrs.get(&n.text) {
                    Some(a) => Some(Dim::Attr(*a)),
                    None => {
                        self.spoiled.insert(name.text.clone());
                        self.report(
                            Diagnostic::error("index/unknown", n.span, format!("`{}` can't be an index", n.text))
                                .label("not a list of places")
                                .hint(format!("Possible are: player, a range such as 1..9, or an attribute of the cards such as suit. For teams, number them: `team[player]: 1..2`, `{}[1..2]`.", name.text)),
                        );
                        None
                    }
                },
            })
            .collect();
        let size: i64 = dims.iter().map(|d| self.dim_size(*d)).product();
        if size > MAX_INSTANCES {
            let span = match index.last() {
                Some(ast::Index::Player(s)) => *s,
                Some(ast::Index::Range(a, b)) => a.span.to(b.span),
                Some(ast::Index::Attr(n)) => n.span,
                None => Span::default(),
            };
            self.report(
                Diagnostic::error("limit/index", span, "That is too many places")
                    .label(format!("{size} of them"))
                    .hint(format!("At most {MAX_INSTANCES} are possible.")),
            );
            return Vec::new();
        }
        dims
    }

    fn dim_size(&self, dim: Dim) -> i64 {
        match dim {
            Dim::Player => i64::from(self.program.meta.max_players),
            Dim::Range { low, high } => i64::from(high) - i64::from(low) + 1,
            Dim::Attr(a) => match &self.program.attrs[a as usize].values {
                AttrDomain::Range { low, high } => i64::from(*high) - i64::from(*low) + 1,
                AttrDomain::Names(n) => n.len() as i64,
                AttrDomain::Property => i64::MAX / 4,
            },
        }
    }

    pub(super) fn attr_name(&mut self, n: &Name) -> Option<AttrId> {
        if let Some(a) = self.attrs.get(&n.text) {
            return Some(*a);
        }
        let mut names: Vec<String> = self.attrs.keys().cloned().collect();
        names.sort();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let d = Diagnostic::error("attr/unknown", n.span, format!("The cards have no `{}`", n.text))
            .label("not an attribute of any deck");
        self.report(match did_you_mean(&n.text, refs.iter().copied()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None if names.is_empty() => d.hint("Declare a deck first: deck cards: standard52"),
            None => d.hint(format!("They have: {}.", names.join(", "))),
        });
        None
    }

    /// Elaborates `require` lines. They are tested before a game starts, so they can read only what is known then.
    pub(super) fn requires(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Require { cond, reason } = &decl.kind else { continue };
            let num = self.condition(cond, "Whether the game can start");
            if !known_before_start(&num) {
                self.report(
                    Diagnostic::error("require/unknown", cond.span, "This is not known before the game starts")
                        .label("only options, the sizes of decks and the number of players are")
                        .hint("For example: require count of cards >= 5 * count of players, else \"…\""),
                );
            }
            let (text, _) = self.text(reason);
            self.program.requires.push((num, text));
        }
    }

    fn hook(&mut self, seat: &'a Name, event: &Name, body: &'a [ast::Stmt]) {
        let Some(which) = self.word(event, &["leaves", "joins"]) else { return };
        self.span = seat.span;
        let var = self.new_var(&seat.text, VarKind::Local, Type::Player);
        let start = self.pc();
        self.context = Context::Hook;
        self.apart.clear();
        self.scoped(|e| {
            e.bind(seat, super::value::Val::num(Ty::Player, Num::Var(var), super::Label::PUBLIC));
            e.about_player(&seat.text, true, |e| e.block(body));
        });
        self.context = Context::Main;
        self.emit(Op::Return);
        let hook = Some(Hook { seat: var, body: start });
        let declared = if which == 0 { &mut self.program.on_leave } else { &mut self.program.on_join };
        if declared.is_some() {
            self.report(
                Diagnostic::error("hook/twice", event.span, format!("`when … {}` stands here twice", event.text))
                    .label("again here"),
            );
            return;
        }
        *declared = hook;
    }

    fn finish(&mut self, file: &'a ast::File) {
        if file.play.is_empty() {
            self.report(
                Diagnostic::error("file/no-play", self.span, "Nothing happens in this game")
                    .hint("After the declarations write what happens, from dealing to the end, at the left margin."),
            );
        } else if !self.program.code.iter().any(|op| matches!(op, Op::End(_))) && self.diags.is_empty() {
            let last = file.play.last().map(|s| s.span).unwrap_or_default();
            self.report(
                Diagnostic::error("end/missing", last, "This game never says how it ends")
                    .label("after this, nothing")
                    .hint("Write for example: end winner p, or: end ranking by score highest first"),
            );
        }
        self.emit(Op::End(Box::new(GameEnd { outcome: Outcome::Draw, banner: None })));
    }

    /// Reports declared names that nothing uses: most of them are mistakes.
    fn check_used(&mut self) {
        let mut idle: Vec<(Span, String, &'static str)> = Vec::new();
        for d in &self.defines {
            if !self.used.contains(&d.name.text) {
                idle.push((d.name.span, format!("The define `{}` is never used", d.name.text), USE_OR_REMOVE));
            }
        }
        for r in &self.rules {
            if !self.used.contains(&r.name.text) {
                idle.push((r.name.span, format!("The rule `{}` is never used", r.name.text), USE_OR_REMOVE));
            }
        }
        for o in &self.program.options {
            if !self.used.contains(&o.name)
                && let Some((_, span)) = self.globals.get(&o.name)
            {
                idle.push((*span, format!("The option `{}` is never used", o.name), USE_OR_REMOVE));
            }
        }
        for (name, (global, span)) in &self.globals {
            if matches!(global, Global::Table(_)) && !self.used.contains(name) {
                idle.push((*span, format!("The table `{name}` is never used"), USE_OR_REMOVE));
            }
        }
        let assigned: HashSet<VarId> = self.assigned.iter().map(|(var, _)| *var).collect();
        for (id, v) in (0..).zip(&self.program.vars) {
            let name = &v.name;
            let (title, hint) = match &v.kind {
                VarKind::State { role: None } | VarKind::Sealed if assigned.contains(&id) => (
                    format!("The state `{name}` is set, but never read"),
                    "Use it, in a condition or under `show`, or remove it and the lines that set it.",
                ),
                VarKind::State { role: None } | VarKind::Sealed => {
                    (format!("The state `{name}` is never used"), USE_OR_REMOVE)
                }
                VarKind::Dice { .. } => (format!("The dice `{name}` are never used"), USE_OR_REMOVE),
                // Clients show a role at the seat of its player, so it is used even if the rules never read it.
                VarKind::State { .. }
                | VarKind::Local
                | VarKind::SeatLocal
                | VarKind::PublicLocal
                | VarKind::SecretLocal => {
                    continue;
                }
            };
            if let Some((Global::Var(own), span)) = self.globals.get(&v.name)
                && *own == id
                && !self.used.contains(&v.name)
            {
                idle.push((*span, title, hint));
            }
        }
        for z in &self.program.zones {
            if !self.used.contains(&z.name)
                && z.starts_with.is_none()
                && let Some((_, span)) = self.globals.get(&z.name)
            {
                idle.push((*span, format!("The zone `{}` is never used", z.name), USE_OR_REMOVE));
            }
        }
        // After other errors this would confuse: a broken line may be the one that uses the name.
        if self.diags.iter().any(Diagnostic::is_error) {
            return;
        }
        for (span, title, hint) in idle {
            let d = Diagnostic::error("name/unused", span, title).label("nothing depends on this").hint(hint);
            self.report(d);
        }
        self.check_read();
    }

    /// Reports local variables that nothing reads: a line such as `pendng := 0` most often should set another name.
    fn check_read(&mut self) {
        let read: HashSet<Span> =
            self.introduced.iter().filter(|local| self.read.contains(&local.var)).map(|local| local.span).collect();
        let mut reported = HashSet::new();
        for local in std::mem::take(&mut self.introduced) {
            // The elaborator expands a rule wherever it is used, so one line can make several variables.
            if read.contains(&local.span) || !reported.insert(local.span) {
                continue;
            }
            if self.diags.len() >= MOST_DIAGNOSTICS {
                return;
            }
            let name = self.program.vars[local.var as usize].name.clone();
            let near = self.nearest_variable(local.var);
            let d =
                Diagnostic::error("name/unused", local.span, format!("The variable `{name}` is set, but never read"))
                    .label("made here, and nothing depends on it");
            self.report(match near {
                Some(near) => d.hint(format!("Did you mean `{near}`?")),
                None => d.hint("Use it or remove it. What players should see, or rules elsewhere should know, is declared under `state`."),
            });
        }
    }
}
