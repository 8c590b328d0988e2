//! Declarations of zones: their index, the cards that start there, and who sees what of them.

use super::value::Ty;
use super::{Elaborator, Global, Subject};
use crate::ast::{self, DeclKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};

const MAX_ZONES: usize = 256;
/// Stands for the owner of a zone in the condition of a `… sees …` clause. The engine reads the seat off the zone.
const OWNER: BoundId = 0;

impl<'a> Elaborator<'a> {
    pub(super) fn zones(&mut self, file: &'a ast::File) {
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

    pub(super) fn zone(&mut self, z: &'a ast::Zone) {
        let dims = self.dims(&z.name, &z.index);
        let mut zone = Zone {
            name: z.name.text.clone(),
            title: None,
            dims: dims.clone(),
            sees: Vec::new(),
            ordered: false,
            sorted: Vec::new(),
            remembers: PlayerMemory::None,
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
                if let Some(s) = self.sees(clause.span, who, what.as_ref(), when.as_ref(), dims) {
                    zone.sees.push(s);
                }
            }
            ast::ZoneClauseKind::Ordered => zone.ordered = true,
            ast::ZoneClauseKind::Sorted(names) => {
                zone.sorted = names.iter().filter_map(|n| self.attr_name(n)).collect();
            }
            ast::ZoneClauseKind::Remembers { secretly } => {
                zone.remembers = if *secretly { PlayerMemory::Secret } else { PlayerMemory::Public };
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
                let of_players = dims.first() == Some(&Dim::Player);
                if let (true, Some(3 | 4)) = (of_players, i) {
                    self.report(
                        Diagnostic::error(
                            "zone/shape-of-players",
                            clause.span,
                            "What a player has is drawn as a hand, a pile or a row",
                        )
                        .label("not for a zone of players")
                        .hint("Write `as fan`, `as pile` or `as row`. A grid, and cards played towards their players, need a zone without `[player]`."),
                    );
                    return;
                }
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
                let bounds: Vec<BoundId> = dims.iter().map(|_| self.new_bound()).collect();
                let nums = bounds.iter().map(|b| Num::Bound(*b)).collect();
                let val = self.with_subject(Subject::Index(dims.to_vec(), nums), |s| s.expr_expecting(e, &Ty::YesNo));
                self.need_type(&val, &Ty::YesNo, e.span);
                self.need_public(&val, e.span, "How a zone is drawn");
                zone.turned = Some((bounds, val.into_num()));
            }
        }
    }

    /// Elaborates one `… sees …` clause, of a zone or of dice.
    pub(super) fn sees(
        &mut self,
        span: Span,
        who: &Name,
        what: Option<&Name>,
        when: Option<&'a ast::Expr>,
        dims: &[Dim],
    ) -> Option<VisibilityClause> {
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
            Some(w) => [Visibility::Cards, Visibility::Count, Visibility::Nothing]
                [self.word(w, &["cards", "count", "nothing"])?],
            None if who.text == "nobody" => Visibility::Nothing,
            None => Visibility::Cards,
        };
        let target = match who.text.as_str() {
            "everyone" | "nobody" => ViewerGroup::Everyone,
            "players" => ViewerGroup::Players,
            "spectators" => ViewerGroup::Spectators,
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
            "owner" => ViewerGroup::Owner,
            "others" => ViewerGroup::Others,
            _ => match self.globals.get(&who.text).copied() {
                Some((Global::Var(v), _))
                    if self.program.vars[v as usize].ty == Type::Player
                        && self.program.vars[v as usize].dims.is_empty() =>
                {
                    self.used.insert(who.text.clone());
                    ViewerGroup::Role(v)
                }
                _ => {
                    self.word(who, &["everyone", "players", "owner", "others", "spectators", "nobody"]);
                    return None;
                }
            },
        };
        let when = when.map(|e| self.sees_when(e, dims));
        Some(VisibilityClause { who: target, what: sight, when, span })
    }

    /// Elaborates the condition of a `… sees …` clause: it reads options only, or is the bare name of one yes/no state, which
    /// may be indexed by the player whom the zone belongs to. A more complex condition would hide from `check --reveals`
    /// which lines change who sees something.
    fn sees_when(&mut self, e: &ast::Expr, dims: &[Dim]) -> Num {
        let name = match &e.kind {
            ast::ExprKind::Name(name) => Some(name),
            ast::ExprKind::Index { name, .. } => Some(&name.text),
            _ => None,
        };
        if let Some(name) = name
            && let Some((Global::Var(v), _)) = self.globals.get(name).copied()
        {
            let var = &self.program.vars[v as usize];
            let open = matches!(var.kind, VarKind::State { .. }) && var.ty == Type::YesNo;
            let of_owner = var.dims[..] == [Dim::Player] && dims.first() == Some(&Dim::Player);
            let bare = matches!(e.kind, ast::ExprKind::Name(_));
            if !open || !bare || !(var.dims.is_empty() || of_owner) {
                let problem = Diagnostic::error("zone/when", e.span, "This can't decide who sees something");
                self.report(match (open && !bare && of_owner, open && !var.dims.is_empty()) {
                    (true, _) => problem
                        .label("it is about the owner anyway")
                        .hint(format!("Write it without an index: `when {name}`.")),
                    (_, true) => problem
                        .label("not one yes or no for all, nor one for each owner")
                        .hint("Let each player have one, `lifted[player]: yes/no = no`, where the zone or the dice belong to players, too. Or declare one for all: lifted: yes/no = no."),
                    _ => problem
                        .label("not one state that says yes or no, open to all")
                        .hint("Declare one: lifted: yes/no = no. Or let it depend on options."),
                });
            }
            self.used.insert(name.clone());
            return if of_owner { Num::At(v, vec![Num::Bound(OWNER)]) } else { Num::Var(v) };
        }
        self.options_only = true;
        let v = self.expr_expecting(e, &Ty::YesNo);
        self.options_only = false;
        self.need_type(&v, &Ty::YesNo, e.span);
        v.into_num()
    }

    /// Reports a deck that starts in no zone or in several.
    pub(super) fn check_start(&mut self) {
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

    pub(super) fn unknown_deck(&mut self, n: &Name) {
        let names: Vec<String> = self.program.decks.iter().map(|d| d.name.clone()).collect();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let d = Diagnostic::error("deck/unknown", n.span, format!("There is no deck `{}`", n.text)).label("not a deck");
        self.report(match did_you_mean(&n.text, refs.iter().copied()).or_else(|| names.first().cloned()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None => d.hint("Declare one: deck cards: standard52"),
        });
    }
}
