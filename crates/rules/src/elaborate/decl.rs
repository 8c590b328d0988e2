//! The declarations: what there is before anything happens.

use super::value::Ty;
use super::{Elaborator, Global, Place_, Subject};
use crate::ast::{self, DeclKind, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};
use std::collections::HashMap;

const MAX_ZONES: usize = 256;
const MAX_INSTANCES: i64 = 4096;
const MAX_VARS: usize = 2000;

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
        super::facedown::collect(file, &mut self.face_down);
        // Attributes first: an option may be one of their values, and what a deck is made of may depend on options.
        self.attributes(file);
        self.options(file);
        self.decks(file);
        // States come before zones: a zone may be seen by the holder of a role.
        self.states(file);
        self.zones(file);
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
        self.repeats_run_out();
        for decl in &file.decls {
            if let DeclKind::Show(lines) = &decl.kind {
                self.show(lines);
            }
        }
        self.check_used();
    }

    fn header(&mut self, file: &'a ast::File) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut players = false;
        for decl in &file.decls {
            let word = match &decl.kind {
                DeclKind::About(_) => "about",
                DeclKind::Players { .. } => "players",
                DeclKind::Newcomers(_) => "newcomers",
                DeclKind::Absent(_) => "absent",
                DeclKind::HostAbsent(_) => "host absent",
                DeclKind::Leavers(_) => "leavers",
                DeclKind::Grace(_) => "grace",
                DeclKind::Limit { .. } => "limit",
                _ => "",
            };
            if !word.is_empty()
                && let Some(first) = seen.insert(word, decl.span)
            {
                self.report(
                    Diagnostic::error("file/twice", decl.span, format!("`{word}` is said twice"))
                        .label("again here")
                        .related(first, "first here"),
                );
            }
            match &decl.kind {
                DeclKind::About(t) => self.program.meta.about = self.plain(t),
                DeclKind::Note(t) => {
                    let note = self.plain(t);
                    self.program.meta.notes.push(note);
                }
                DeclKind::Players { low, high } => {
                    players = true;
                    let (l, h) = self.const_range(low, high);
                    if l < 1 || h > MAX_SEATS as i32 {
                        self.report(
                            Diagnostic::error("file/players", decl.span, "That many players can't sit here")
                                .label(format!("{l} to {h}"))
                                .hint(format!("A table takes 1 to {MAX_SEATS} players.")),
                        );
                    } else {
                        self.program.meta.min_players = l as u8;
                        self.program.meta.max_players = h as u8;
                    }
                }
                DeclKind::StartWhenFull => self.program.meta.start_when_full = true,
                DeclKind::Newcomers(w) => {
                    if let Some(i) = self.word(w, &["watch", "play"]) {
                        self.program.meta.newcomers_play = i == 1;
                    }
                }
                DeclKind::Absent(w) => {
                    if let Some(policy) = self.absent_word(w) {
                        self.program.meta.absent = policy;
                    }
                }
                DeclKind::HostAbsent(w) => {
                    if let Some(i) = self.word(w, &["pause", "continue"]) {
                        self.program.meta.host_absent_pauses = i == 0;
                    }
                }
                DeclKind::Leavers(w) => {
                    if let Some(i) = self.word(w, &["bots", "go"]) {
                        self.program.meta.leavers_become_bots = i == 0;
                    }
                }
                DeclKind::Grace(e) => {
                    let n = self.const_num(e);
                    self.check_in_range(n, &Type::Seconds { low: 1, high: 86_400 }, e.span);
                    self.program.meta.grace = Some(n.clamp(1, 86_400) as u32);
                }
                DeclKind::Limit { moves, then } => {
                    let n = self.const_num(moves);
                    if !(1..=1_000_000).contains(&n) {
                        self.report(
                            Diagnostic::error("file/limit", moves.span, "A limit lies between 1 and 1000000 moves")
                                .label(format!("{n}")),
                        );
                    } else {
                        self.program.meta.limit = n as u32;
                    }
                    if let Some(i) = self.word(then, &["void", "draw"]) {
                        self.program.meta.limit_outcome = [LimitOutcome::Void, LimitOutcome::Draw][i];
                    }
                }
                _ => {}
            }
        }
        if !players {
            self.report(
                Diagnostic::error("file/no-players", Span::new(0, 0), "How many players is this game for?")
                    .hint("Add a line such as: players 2..6"),
            );
        }
    }

    pub(super) fn absent_word(&mut self, w: &Name) -> Option<Absent> {
        self.word(w, &["wait", "skip", "default"]).map(|i| [Absent::Wait, Absent::Skip, Absent::Default][i])
    }

    /// One of a few words, or a diagnostic that lists them.
    pub(super) fn word(&mut self, w: &Name, allowed: &[&str]) -> Option<usize> {
        if let Some(i) = allowed.iter().position(|a| *a == w.text) {
            return Some(i);
        }
        let list = allowed.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", ");
        let d = Diagnostic::error("word/unknown", w.span, format!("`{}` is not possible here", w.text))
            .label(format!("one of {list}"));
        self.report(match did_you_mean(&w.text, allowed.iter().copied()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None => d,
        });
        None
    }

    fn options(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Option(o) = &decl.kind else { continue };
            let ty = self.type_of(&o.ty);
            let default = self.option_const(&o.default, &ty);
            let mut value_titles = Vec::new();
            if let Type::Choice(values) = &ty {
                value_titles = vec![String::new(); values.len()];
                for (name, text) in &o.values {
                    match values.iter().position(|v| *v == name.text) {
                        Some(i) => value_titles[i] = self.plain(text),
                        None => {
                            let allowed: Vec<&str> = values.iter().map(String::as_str).collect();
                            self.word(name, &allowed);
                        }
                    }
                }
            } else if let Some((name, _)) = o.values.first() {
                self.report(
                    Diagnostic::error(
                        "option/no-values",
                        name.span,
                        "Only an option that is a choice has named values",
                    )
                    .label("this option is not a choice")
                    .hint("A choice is written like: option judging: rotate | random = rotate"),
                );
            }
            let title = o.title.as_ref().map(|t| self.plain(t)).unwrap_or_else(|| o.name.text.clone());
            self.declare(&o.name, Global::Option(self.program.options.len() as OptionId));
            self.program.options.push(OptionDecl { name: o.name.text.clone(), title, ty, default, value_titles });
        }
    }

    fn presets(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Preset { name, values } = &decl.kind else { continue };
            let mut list = Vec::new();
            for (option, value) in values {
                match self.globals.get(&option.text).copied() {
                    Some((Global::Option(id), _)) => {
                        let ty = self.program.options[id as usize].ty.clone();
                        let value = self.option_const(value, &ty);
                        list.push((id, value));
                    }
                    _ => {
                        let names: Vec<String> = self.program.options.iter().map(|o| o.name.clone()).collect();
                        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
                        let d = Diagnostic::error(
                            "preset/unknown-option",
                            option.span,
                            format!("There is no option `{}`", option.text),
                        )
                        .label("not an option");
                        self.report(match did_you_mean(&option.text, refs.iter().copied()) {
                            Some(near) => d.hint(format!("Did you mean `{near}`?")),
                            None => d,
                        });
                    }
                }
            }
            self.program.presets.push(Preset { name: name.text.clone(), values: list });
        }
    }

    fn option_const(&mut self, e: &ast::Expr, ty: &Type) -> OptionValue {
        if let Type::Text { low, high } = ty {
            if let ExprKind::Text(t) = &e.kind {
                let text = self.plain(t);
                let n = text.chars().count() as i32;
                if n < *low || n > *high {
                    self.report(
                        Diagnostic::error("option/out-of-range", e.span, format!("This text has {n} letters"))
                            .label(format!("allowed are {low} to {high}")),
                    );
                }
                return OptionValue::Text(text);
            }
            self.report(
                Diagnostic::error("type/mismatch", e.span, "This should be a text in quotes").label("not a text"),
            );
            return OptionValue::Text(String::new());
        }
        self.options_only = true;
        let want = self.ty_of(ty);
        let val = self.expr_expecting(e, &want);
        self.options_only = false;
        self.need_type(&val, &want, e.span);
        let Num::Const(n) = fold(val.into_num()) else {
            self.report(
                Diagnostic::error("const/needed", e.span, "This must be a fixed value").label("not known in advance"),
            );
            return OptionValue::Number(0);
        };
        self.check_in_range(n, ty, e.span);
        OptionValue::Number(n)
    }

    pub(super) fn check_in_range(&mut self, n: i32, ty: &Type, span: Span) {
        if let Type::Number { low, high } | Type::Seconds { low, high } = ty
            && (n < *low || n > *high)
        {
            self.report(
                Diagnostic::error("const/out-of-range", span, format!("{n} is not between {low} and {high}"))
                    .label("outside the declared range"),
            );
        }
    }

    pub(super) fn type_of(&mut self, t: &ast::TypeExpr) -> Type {
        match &t.kind {
            ast::TypeKind::Range(a, b) => {
                let (low, high) = self.const_range(a, b);
                Type::Number { low, high }
            }
            ast::TypeKind::Seconds(a, b) => {
                let (low, high) = self.const_range(a, b);
                Type::Seconds { low, high }
            }
            ast::TypeKind::Text(a, b) => {
                let (low, high) = self.const_range(a, b);
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

    fn states(&mut self, file: &'a ast::File) {
        let decls = || file.decls.iter().map(|decl| &decl.kind);
        for s in decls().flat_map(|kind| if let DeclKind::State(lines) = kind { &lines[..] } else { &[] }) {
            self.state(s);
        }
        // Who sees dice may depend on state.
        for d in decls().flat_map(|kind| if let DeclKind::Dice(lines) = kind { &lines[..] } else { &[] }) {
            self.dice(d);
        }
        if self.program.vars.len() > MAX_VARS {
            self.report(Diagnostic::error(
                "limit/states",
                self.span,
                format!("More than {MAX_VARS} lines of state are too many"),
            ));
            self.exhausted = true;
            self.work = usize::MAX / 2;
        }
    }

    fn state(&mut self, s: &'a ast::State) {
        let ty = self.type_of(&s.ty);
        let dims = self.dims(&s.name, &s.index);
        if let Type::Text { .. } | Type::Seconds { .. } = ty {
            self.report(
                Diagnostic::error("state/type", s.ty.span, "Only an option can be this")
                    .label("not possible for state"),
            );
        }
        if let (Some(span), false) = (s.sealed, dims.first() == Some(&Dim::Player)) {
            self.report(
                Diagnostic::error(
                    "state/sealed-index",
                    span,
                    "Only something that each player has can be seen by its owner",
                )
                .label("has no owner")
                .hint("Write it with an index: bid[player]: 0..10, owner sees"),
            );
        }
        let default = match &s.default {
            Some(e) => {
                self.options_only = true;
                let want = self.ty_of(&ty);
                let val = self.expr_expecting(e, &want);
                self.options_only = false;
                self.need_type(&val, &want, e.span);
                let num = fold(val.into_num());
                if let Num::Const(n) = num {
                    self.check_in_range(n, &ty, e.span);
                }
                num
            }
            None => Num::Const(match &ty {
                Type::Player | Type::Card => NONE,
                Type::Attr(_) => NONE_VALUE,
                Type::Number { low, high } => 0.clamp(*low, (*high).max(*low)),
                _ => 0,
            }),
        };
        let role = s.role.as_ref().map(|t| self.plain(t));
        if role.is_some() && (ty != Type::Player || !dims.is_empty()) {
            self.report(
                Diagnostic::error("state/role", s.span, "A role belongs to one player")
                    .label("not a single player")
                    .hint("Write it like: judge: player, role \"Judge\""),
            );
        }
        let kind = if s.sealed.is_some() { VarKind::Sealed } else { VarKind::State { role } };
        self.declare(&s.name, Global::Var(self.program.vars.len() as VarId));
        self.program.vars.push(Var { name: s.name.text.clone(), kind, dims, ty, default });
    }

    fn dice(&mut self, d: &'a ast::Dice) {
        let dims = self.dims(&d.name, &d.index);
        let (low, high) = self.const_range(&d.faces.0, &d.faces.1);
        if low < 1 {
            self.report(
                Diagnostic::error("dice/faces", d.faces.0.span, "Faces of dice are numbered from 1 or more")
                    .label("too low"),
            );
        }
        let mut sees = vec![Sees { who: Who::Everyone, what: Sight::Cards, when: None }];
        for clause in &d.clauses {
            match &clause.kind {
                ast::ZoneClauseKind::Sees { who, what, when } => {
                    if sees.len() == 1 {
                        sees[0].what = Sight::Nothing;
                    }
                    if let Some(s) = self.sees(who, what.as_ref(), when.as_ref(), &dims, true) {
                        sees.push(s);
                    }
                }
                _ => self.report(
                    Diagnostic::error("dice/clause", clause.span, "Dice can't have this").label("only for zones"),
                ),
            }
        }
        self.declare(&d.name, Global::Var(self.program.vars.len() as VarId));
        self.program.vars.push(Var {
            name: d.name.text.clone(),
            kind: VarKind::Dice { low, high, sees },
            dims,
            ty: Type::Number { low: 0, high },
            default: Num::Const(0),
        });
    }

    fn zones(&mut self, file: &'a ast::File) {
        let mut count = 0;
        for decl in &file.decls {
            let DeclKind::Zones(lines) = &decl.kind else { continue };
            for z in lines {
                count += 1;
                if count > MAX_ZONES {
                    self.report(
                        Diagnostic::error("limit/zones", z.span, format!("More than {MAX_ZONES} zones are too many"))
                            .hint("A zone with an index is one line: pile[1..20]"),
                    );
                    return;
                }
                self.zone(z);
            }
        }
    }

    fn zone(&mut self, z: &'a ast::Zone) {
        let dims = self.dims(&z.name, &z.index);
        // Declared first, so that `turned when` may speak of other names but the zone exists in messages.
        let mut zone = Zone {
            name: z.name.text.clone(),
            title: None,
            dims: dims.clone(),
            sees: Vec::new(),
            ordered: false,
            sorted: Vec::new(),
            remembers: Remembers::No,
            holds: None,
            starts_with: None,
            shape: Shape::Auto,
            turned: None,
            hints: Vec::new(),
            span: z.span,
        };
        for (i, clause) in z.clauses.iter().enumerate() {
            let same = |c: &&ast::ZoneClause| std::mem::discriminant(&c.kind) == std::mem::discriminant(&clause.kind);
            if let (false, Some(first)) =
                (matches!(clause.kind, ast::ZoneClauseKind::Sees { .. }), z.clauses[..i].iter().find(same))
            {
                self.report(
                    Diagnostic::error("zone/twice", clause.span, "This is said twice")
                        .label("again here")
                        .related(first.span, "first here"),
                );
                continue;
            }
            self.zone_clause(&mut zone, clause, &dims);
        }
        self.declare(&z.name, Global::Zone(self.program.zones.len() as ZoneId));
        self.program.zones.push(zone);
    }

    fn zone_clause(&mut self, zone: &mut Zone, clause: &'a ast::ZoneClause, dims: &[Dim]) {
        match &clause.kind {
            ast::ZoneClauseKind::Sees { who, what, when } => {
                if let Some(s) = self.sees(who, what.as_ref(), when.as_ref(), dims, false) {
                    zone.sees.push(s);
                }
            }
            ast::ZoneClauseKind::Ordered => zone.ordered = true,
            ast::ZoneClauseKind::Sorted(names) => {
                zone.sorted = names.iter().filter_map(|n| self.attr_name(n)).collect();
            }
            ast::ZoneClauseKind::Remembers { secretly } => {
                zone.remembers = if *secretly { Remembers::PlayerSecretly } else { Remembers::Player };
            }
            ast::ZoneClauseKind::Holds(e) => {
                self.options_only = true;
                let v = self.expr_expecting(e, &Ty::Num);
                self.options_only = false;
                self.need_type(&v, &Ty::Num, e.span);
                zone.holds = Some(v.into_num());
            }
            ast::ZoneClauseKind::Starts(n) => match self.globals.get(&n.text).copied() {
                Some((Global::Deck(d), _)) => {
                    self.used.insert(n.text.clone());
                    zone.starts_with = Some(d);
                }
                _ => self.unknown_deck(n),
            },
            ast::ZoneClauseKind::As { shape, args } => {
                let numbers: Vec<i32> = match shape.text.as_str() {
                    "grid" => args.iter().map(|a| self.const_num(a)).collect(),
                    _ => Vec::new(),
                };
                let i = self.word(shape, &["fan", "pile", "row", "grid", "towards", "slots"]);
                zone.shape = match (i, &numbers[..]) {
                    (Some(0), _) => Shape::Fan,
                    (Some(1), _) => Shape::Pile,
                    (Some(2), _) => Shape::Row,
                    (Some(3), [c, r]) if (1..=20).contains(c) && (1..=20).contains(r) => {
                        Shape::Grid { columns: *c as u8, rows: *r as u8 }
                    }
                    (Some(3), _) => {
                        self.report(
                            Diagnostic::error("zone/grid", clause.span, "How large is the grid?")
                                .label("needs columns and rows, 1 to 20 each")
                                .hint("Write it like: as grid 3x3"),
                        );
                        Shape::Auto
                    }
                    (Some(4), _) => Shape::TowardsPlayer,
                    (Some(5), _) => Shape::Slots,
                    _ => Shape::Auto,
                };
            }
            ast::ZoneClauseKind::Titled(t) => zone.title = Some(self.plain(t)),
            ast::ZoneClauseKind::Turned(e) => {
                let bounds: Vec<BoundId> = dims.iter().map(|_| self.bound()).collect();
                let nums = bounds.iter().map(|b| Num::Bound(*b)).collect();
                let val = self.with_subject(Subject::Index(dims.to_vec(), nums), |s| s.expr_expecting(e, &Ty::YesNo));
                self.need_type(&val, &Ty::YesNo, e.span);
                self.need_public(&val, e.span, "How a zone is drawn");
                zone.turned = Some((bounds, val.into_num()));
            }
        }
    }

    /// One `… sees …` clause. Dice have faces, so for them "sees" needs no more words.
    fn sees(
        &mut self,
        who: &Name,
        what: Option<&Name>,
        when: Option<&'a ast::Expr>,
        dims: &[Dim],
        dice: bool,
    ) -> Option<Sees> {
        let has_owner = dims.first() == Some(&Dim::Player);
        if let (Some(w), "nobody") = (what, who.text.as_str()) {
            self.report(
                Diagnostic::error("zone/nobody", w.span, "What does nobody see?")
                    .label("`nobody sees` says it all")
                    .hint("Write just `nobody sees`, or `everyone sees count`."),
            );
            return None;
        }
        let sight = match what {
            Some(w) => [Sight::Cards, Sight::Count, Sight::Nothing][self.word(w, &["cards", "count", "nothing"])?],
            None if who.text == "nobody" => Sight::Nothing,
            None if dice => Sight::Cards,
            None => Sight::Cards,
        };
        let target = match who.text.as_str() {
            "everyone" | "nobody" => Who::Everyone,
            "owner" | "others" if !has_owner => {
                self.report(
                    Diagnostic::error(
                        "zone/no-owner",
                        who.span,
                        format!(
                            "There is no {} here",
                            if who.text == "owner" { "owner" } else { "owner, so no others" }
                        ),
                    )
                    .label("this does not belong to a player")
                    .hint("Give each player one: hand[player]. Or say `everyone sees …`."),
                );
                return None;
            }
            "owner" => Who::Owner,
            "others" => Who::Others,
            _ => match self.globals.get(&who.text).copied() {
                Some((Global::Var(v), _))
                    if self.program.vars[v as usize].ty == Type::Player
                        && self.program.vars[v as usize].dims.is_empty() =>
                {
                    self.used.insert(who.text.clone());
                    Who::Role(v)
                }
                _ => {
                    self.word(who, &["everyone", "owner", "others", "nobody"]);
                    return None;
                }
            },
        };
        let when = when.map(|e| self.sees_when(e));
        Some(Sees { who: target, what: sight, when })
    }

    /// What a clause depends on: options, or one state that says yes or no, by its name alone, so that every place that
    /// shows something can be found.
    fn sees_when(&mut self, e: &ast::Expr) -> Num {
        if let ast::ExprKind::Name(name) = &e.kind
            && let Some((Global::Var(v), _)) = self.globals.get(name).copied()
        {
            let var = &self.program.vars[v as usize];
            let open = matches!(var.kind, VarKind::State { .. }) && var.dims.is_empty() && var.ty == Type::YesNo;
            if !open {
                self.report(
                    Diagnostic::error("zone/when", e.span, "This can't decide who sees something")
                        .label("not one state that says yes or no, open to all")
                        .hint("Declare one: lifted: yes/no = no. Or let it depend on options."),
                );
            }
            self.used.insert(name.clone());
            return Num::Var(v);
        }
        self.options_only = true;
        let v = self.expr_expecting(e, &Ty::YesNo);
        self.options_only = false;
        self.need_type(&v, &Ty::YesNo, e.span);
        v.into_num()
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

    pub(super) fn unknown_deck(&mut self, n: &Name) {
        let names: Vec<String> = self.program.decks.iter().map(|d| d.name.clone()).collect();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let d = Diagnostic::error("deck/unknown", n.span, format!("There is no deck `{}`", n.text)).label("not a deck");
        self.report(match did_you_mean(&n.text, refs.iter().copied()).or_else(|| names.first().cloned()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None => d.hint("Declare one: deck cards: standard52"),
        });
    }

    /// Every deck must lie somewhere when the game starts.
    fn check_start(&mut self) {
        for (i, deck) in self.program.decks.iter().enumerate() {
            let holders: Vec<Span> =
                self.program.zones.iter().filter(|z| z.starts_with == Some(i as DeckId)).map(|z| z.span).collect();
            let at = self.globals.get(&deck.name).map(|(_, s)| *s).unwrap_or_default();
            let d = match holders[..] {
                [_] => continue,
                [] => Diagnostic::error(
                    "deck/nowhere",
                    at,
                    format!("Where do the cards of `{}` lie at the start?", deck.name),
                )
                .label("in no zone")
                .hint(format!("Give a zone the words `starts with {}`.", deck.name)),
                [first, second, ..] => Diagnostic::error(
                    "deck/twice",
                    second,
                    format!("The cards of `{}` can't lie in two places", deck.name),
                )
                .label("and here")
                .related(first, "they start here"),
            };
            self.diags.push(d);
        }
        for zone in self.program.zones.iter().filter(|z| z.starts_with.is_some() && !z.dims.is_empty()) {
            self.diags.push(
                Diagnostic::error("zone/start-indexed", zone.span, "Cards can't start in several places at once")
                    .label("one for each player or place")
                    .hint("Let them start in one zone without an index, then `deal` or `move` them."),
            );
        }
    }

    /// What must hold before a table starts; nothing has happened yet, so little can be asked.
    fn requires(&mut self, file: &'a ast::File) {
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
        self.place = Place_::Hook;
        self.scoped(|e| {
            e.bind(seat, super::value::Val::num(Ty::Player, Num::Var(var), super::Label::Public));
            e.block(body);
        });
        self.place = Place_::Main;
        self.emit(Op::Return);
        let hook = Some(Hook { seat: var, body: start });
        let slot = if which == 0 { &mut self.program.on_leave } else { &mut self.program.on_join };
        if slot.is_some() {
            self.report(
                Diagnostic::error("hook/twice", event.span, format!("`when … {}` stands here twice", event.text))
                    .label("again here"),
            );
            return;
        }
        *slot = hook;
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
        self.emit(Op::End(Box::new(End { outcome: Outcome::Draw, banner: None })));
    }

    /// A declared name nobody uses is a mistake more often than not.
    fn check_used(&mut self) {
        let mut idle: Vec<(Span, &'static str, String)> = Vec::new();
        for d in &self.defines {
            if !self.used.contains(&d.name.text) {
                idle.push((d.name.span, "define", d.name.text.clone()));
            }
        }
        for r in &self.rules {
            if !self.used.contains(&r.name.text) {
                idle.push((r.name.span, "rule", r.name.text.clone()));
            }
        }
        for o in &self.program.options {
            if !self.used.contains(&o.name)
                && let Some((_, span)) = self.globals.get(&o.name)
            {
                idle.push((*span, "option", o.name.clone()));
            }
        }
        // After other errors this would only be noise: the line that used it may be the broken one.
        if self.diags.iter().any(Diagnostic::is_error) {
            return;
        }
        for (span, kind, name) in idle {
            self.report(
                Diagnostic::error("name/unused", span, format!("The {kind} `{name}` is never used"))
                    .label("nothing depends on this")
                    .hint("Use it or remove it."),
            );
        }
    }

    /// Text that must not have holes: titles, notes.
    pub(super) fn plain(&mut self, t: &ast::Text) -> String {
        let mut out = String::new();
        for part in &t.parts {
            match part {
                ast::TextPart::Plain(s) => out.push_str(s),
                ast::TextPart::Hole(e) => self.report(
                    Diagnostic::error("text/no-holes", e.span, "This text can't have { } in it")
                        .label("nothing is known yet when it is shown")
                        .hint("Write {{ for a brace that is meant as such."),
                ),
            }
        }
        out
    }

    pub(super) fn const_num(&mut self, e: &ast::Expr) -> i32 {
        self.options_only = true;
        let val = self.expr_expecting(e, &Ty::Num);
        self.options_only = false;
        self.need_type(&val, &Ty::Num, e.span);
        let broken = val.is_broken();
        match fold(val.into_num()) {
            Num::Const(n) => n,
            _ if broken => 0,
            _ => {
                self.report(
                    Diagnostic::error("const/needed", e.span, "This must be a fixed number")
                        .label("depends on something")
                        .hint("It is needed before the options are chosen."),
                );
                0
            }
        }
    }

    pub(super) fn const_range(&mut self, low: &ast::Expr, high: &ast::Expr) -> (i32, i32) {
        let (l, h) = (self.const_num(low), self.const_num(high));
        if l > h {
            self.report(
                Diagnostic::error("range/empty", low.span.to(high.span), "This range is empty")
                    .label(format!("{l} is more than {h}"))
                    .hint(format!("Write the smaller number first: {h}..{l}")),
            );
            return (h, l);
        }
        (l, h)
    }
}

/// Folds arithmetic on constants; everything else stays.
pub(super) fn fold(num: Num) -> Num {
    match num {
        Num::Neg(a) => match fold(*a) {
            Num::Const(n) => Num::Const(n.saturating_neg()),
            other => Num::Neg(Box::new(other)),
        },
        Num::Arith(op, a, b) => match (fold(*a), fold(*b)) {
            (Num::Const(x), Num::Const(y)) => Num::Const(match op {
                Arith::Add => x.saturating_add(y),
                Arith::Sub => x.saturating_sub(y),
                Arith::Mul => x.saturating_mul(y),
                Arith::Div => x.checked_div(y).unwrap_or(0),
                Arith::Mod => x.checked_rem(y).unwrap_or(0),
            }),
            (a, b) => Num::Arith(op, Box::new(a), Box::new(b)),
        },
        other => other,
    }
}

fn known_before_start(num: &Num) -> bool {
    match num {
        Num::Const(_) | Num::Option(_) | Num::OptionLength(_) | Num::SeatCount | Num::Count(Cards::Deck(_)) => true,
        Num::OverSeats { cond: None, value, .. } => known_before_start(value),
        Num::Neg(a) | Num::Not(a) => known_before_start(a),
        Num::And(a, b) | Num::Or(a, b) | Num::Arith(_, a, b) | Num::Cmp(_, a, b) => {
            known_before_start(a) && known_before_start(b)
        }
        Num::If(a, b, c) => [a, b, c].into_iter().all(|n| known_before_start(n)),
        _ => false,
    }
}
