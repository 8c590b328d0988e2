//! Decisions: who is asked, and what happens after an answer. The alternatives are in [`alternative`](super::alternative), the
//! lines below them in [`clauses`](super::clauses).

use super::apart::{ApartFact, apart_if, facts_renamed, rename_all};
use super::changes::assigned_names;
use super::label::{Label, StaleCause, Staleness};
use super::noticed::hides_cards;
use super::value::{Ty, Val};
use super::{Context, Elaborator, PlayerAtHand};
use crate::ast::{self, AskClauseKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;
use std::collections::HashSet;

impl<'a> Elaborator<'a> {
    pub(super) fn ask(&mut self, ask: &'a ast::Ask) {
        match self.context {
            Context::Hook | Context::Answer => {
                self.report(
                    Diagnostic::error("ask/not-here", ask.span, "Nobody can be asked here")
                        .label(if self.context == Context::Hook {
                            "`when …` happens in one go"
                        } else {
                            "all answers are opened in one go"
                        })
                        .hint("Set a state here and ask in the main course of the game."),
                );
                return;
            }
            Context::Together if !matches!(ask.mode, ast::AskMode::One(_)) => {
                self.report(
                    Diagnostic::error("ask/together", ask.span, "Inside `together` each player is asked alone")
                        .hint("Write `ask p`."),
                );
                return;
            }
            _ => {}
        }
        let (mode, chooser, var) = self.ask_mode(ask);
        let asked_player = match (var, &chooser) {
            (Some(var), _) => Some(PlayerAtHand { name: var.text.clone(), certain: true }),
            (None, Num::Var(id)) => {
                Some(PlayerAtHand { name: self.program.vars[*id as usize].name.clone(), certain: false })
            }
            _ => None,
        };
        let players_at_hand = self.players_at_hand.len();
        self.players_at_hand.extend(asked_player);
        let facts = match &mode {
            AskMode::All(seats) | AskMode::First(seats) => {
                let facts = seats.cond.as_ref().map(|cond| apart_if(cond, true)).unwrap_or_default();
                facts_renamed(&facts, &Num::Bound(seats.bound), &Num::Me)
            }
            AskMode::One(_) => Vec::new(),
        };
        let sealed = matches!(mode, AskMode::All(_));
        let id = self.program.asks.len() as AskId;
        // The number is reserved now, because bodies may contain decisions of their own.
        self.program.asks.push(Ask {
            mode,
            prompt: None,
            prompt_public: true,
            alternatives: Vec::new(),
            default: None,
            within: None,
            absent: AbsentPolicy::Wait,
            absent_after: None,
            gone_default: false,
            drop_when: None,
            after: 0,
            span: ask.span,
        });
        self.span = ask.span;
        let asked_at = self.emit(Op::Ask(id)) as Pc;
        let mut ends = Vec::new();
        let again = self.pc();
        if sealed {
            self.emit(Op::NextAnswer(id));
            ends.push(self.emit(Op::Jump(0)));
        }

        self.scopes.open_scope();
        if let Some(v) = var {
            self.bind(v, Val::num(Ty::Player, Num::Me, Label::PUBLIC));
        }
        let outer = self.chooser.replace(chooser.clone());
        let before = self.apart.clone();
        self.add_facts(&facts);
        self.add_facts(&facts_renamed(&before, &chooser, &Num::Me));
        self.forget_unsteady();
        let (prompt, prompt_public) = match &ask.prompt {
            Some(t) => {
                let (text, label) = self.text(t);
                let known = Val { ty: Ty::Text, label: label.clone(), ..Val::broken() };
                self.need_chooser(&known, t.span, "The question");
                (Some(text), label.is_public())
            }
            None => (None, true),
        };
        let mut alternatives = Vec::new();
        let mut bodies = Vec::new();
        let mut hidden: Vec<Vec<String>> = Vec::new();
        // Stays true if hidden facts may make every alternative impossible.
        let mut nothing = true;
        for alt in &ask.alternatives {
            if let Some(first) =
                ask.alternatives.iter().take_while(|a| !std::ptr::eq(*a, alt)).find(|a| a.name.text == alt.name.text)
            {
                self.report(
                    Diagnostic::error("ask/twice", alt.name.span, format!("`{}` stands here twice", alt.name.text))
                        .label("again here")
                        .related(first.name.span, "first here"),
                );
            }
            if let (AskMode::First(_), "pass", Some(step)) =
                (&self.program.asks[id as usize].mode, alt.name.text.as_str(), alt.body.first())
            {
                self.report(
                    Diagnostic::error("ask/pass", step.span, "Nothing happens when somebody passes here")
                        .label("never reached")
                        .hint("In `ask first`, `pass` only says that a player does not want to be first. Call it something else if it does more."),
                );
            }
            self.possible = Label::PUBLIC;
            let (a, vars, facts) = self.alternative(alt, sealed, &chooser);
            nothing &= !self.possible.is_public();
            alternatives.push(a);
            let secret = |part: &&Part| {
                vars.iter().any(|var| var.name.text == part.name && hides_cards(&var.val.label, &part.kind))
            };
            let names = alternatives.last().map_or(&[][..], |a: &Alternative| &a.parts[..]).iter().filter(secret);
            hidden.push(names.map(|part| part.name.clone()).collect());
            bodies.push((vars, facts));
        }
        self.check_never_stuck(ask);
        self.chooser = outer;
        self.scopes.close_scope();
        let asked = std::mem::replace(&mut self.apart, before);
        self.forget_unsteady();
        if sealed {
            self.answers_in_turn(ask);
        }

        for ((alt, (vars, facts)), compiled) in ask.alternatives.iter().zip(bodies).zip(&mut alternatives) {
            compiled.body = self.pc();
            let outer_context = self.context.clone();
            if sealed {
                self.context = Context::Answer;
            }
            self.scopes.open_scope();
            self.span = alt.span;
            // The facts of the question hold in the body, where the players have other names.
            let mut me = self.stays_asked(&chooser, ask).then(|| chooser.clone());
            if let Some(v) = var {
                let seat = if sealed {
                    Num::Me
                } else {
                    // `Me` is the seat that answered only during the first op of the body, so a variable keeps it.
                    let local = self.local(&v.text, Type::Player);
                    self.emit(Op::Set(VarRef { var: local, index: Vec::new() }, Num::Me));
                    Num::Var(local)
                };
                me = Some(seat.clone());
                self.bind(v, Val::num(Ty::Player, seat, Label::PUBLIC));
            }
            let mut learnt: Vec<ApartFact> = asked.iter().chain(&facts).cloned().collect();
            learnt = match &me {
                Some(me) => rename_all(&learnt, &Num::Me, me),
                None => learnt.into_iter().filter(|(a, b)| *a != Num::Me && *b != Num::Me).collect(),
            };
            // Sealed answers wait for each other, and `when …` may run meanwhile.
            if sealed {
                self.forget_set_by_answers(ask, &mut learnt);
            }
            let (certain, ranges) = (self.certain.len(), self.certain_ranges.len());
            learnt.retain(|(a, b)| !sealed || self.survives_questions(a) && self.survives_questions(b));
            for part in &compiled.parts {
                let range = match &part.kind {
                    PartKind::Number { low: Num::Const(low), high: Num::Const(high) } => Some((*low, *high)),
                    PartKind::Pile(zone) => match self.program.zones[usize::from(*zone)].dims[..] {
                        [Dim::Range { low, high }] => Some((low, high)),
                        _ => None,
                    },
                    // A set of wild cards alone may have no value.
                    PartKind::Alike { wild: None, value, .. } | PartKind::Run { value, .. } => {
                        self.certain.push(Num::Var(value.1));
                        None
                    }
                    _ => None,
                };
                self.certain_ranges.extend(range.map(|(low, high)| (part.var, low, high)));
            }
            let has_me = sealed || outer_context == Context::Together;
            for mut b in vars {
                if !has_me {
                    let common = b.common.iter_mut().map(|(_, val)| val);
                    let labels = std::iter::once(&mut b.val).chain(common).flat_map(Val::labels_mut);
                    let passed_on = match &chooser {
                        Num::Var(v) if !self.stays_asked(&chooser, ask) => Some(*v),
                        _ => None,
                    };
                    let since = Staleness::at_word(ask.span, "ask", StaleCause::Answered);
                    labels.for_each(|label| {
                        if !switch::is_off() {
                            label.rename_me(me.as_ref(), since);
                        }
                        passed_on.iter().for_each(|var| label.forget(*var, since));
                    });
                }
                if matches!(b.val.ty, Ty::Player | Ty::Card | Ty::Attr(_)) {
                    self.certain.push(b.val.as_num());
                }
                self.bind(b.name, b.val);
                if let Some((key, val)) = b.common {
                    self.scopes.insert(&key, val);
                }
            }
            // A sealed answer waits for the others before its body runs. `when …` may move the picked cards meanwhile, and a newcomer has not
            // seen where they lay before.
            if sealed && !switch::is_off() {
                self.span = ask.span;
                self.forget_unsteady();
                self.span = alt.span;
            }
            // A player who answers has a seat, as long as the name does not get another value.
            self.certain.extend(me.filter(|me| !self.certain.contains(me)));
            let answering = self.answering;
            self.answering |= ask.alternatives.len() > 1 || nothing;
            self.with_facts(&learnt, |e| e.block(&alt.body));
            self.answering = answering;
            self.certain.truncate(certain);
            self.certain_ranges.truncate(ranges);
            self.scopes.close_scope();
            self.context = outer_context;
            if sealed {
                self.emit(Op::Jump(again));
            } else {
                ends.push(self.emit(Op::Jump(0)));
            }
        }
        self.list_answers(ask, &alternatives, &hidden, nothing, asked_at);
        self.answer_set_variable |= self.context == Context::Together && self.sets_own_variable(ask);
        let mut clauses = self.clauses(false, &ask.clauses, &ask.alternatives, &chooser, var, &mut ends);
        if let ast::AskMode::First { .. } = &ask.mode
            && clauses.default.is_none()
        {
            clauses.default = self.pass_by_default(ask, clauses.absent);
        }
        for e in ends {
            self.patch(e);
        }
        self.players_at_hand.truncate(players_at_hand);
        let after = self.pc();
        let emitted = &mut self.program.asks[id as usize];
        emitted.prompt = prompt;
        emitted.prompt_public = prompt_public;
        emitted.alternatives = alternatives;
        emitted.default = clauses.default;
        emitted.within = clauses.within.map(|(seconds, then)| TimeLimit { seconds, then });
        emitted.absent = clauses.absent;
        emitted.absent_after = clauses.absent_after;
        emitted.gone_default = clauses.gone_default;
        emitted.drop_when = clauses.drop_when;
        emitted.after = after;
    }

    /// The default of an `ask first` that names none. The first legal move would let a player who is away win the race, so it
    /// is `pass`; without an alternative of this name the author has to say what it is wherever a default can be made.
    fn pass_by_default(&mut self, ask: &'a ast::Ask, absent: AbsentPolicy) -> Option<DefaultMove> {
        if let Some(pass) = ask.alternatives.iter().position(|alternative| alternative.name.text == "pass") {
            return Some(DefaultMove { alternative: pass as u16, pick: DefaultPick::First });
        }
        let makes_default = |clause: &&ast::AskClause| match &clause.kind {
            AskClauseKind::Within { then: ast::ClauseAction::Word(word), .. }
            | AskClauseKind::Absent { then: ast::ClauseAction::Word(word), .. }
            | AskClauseKind::Gone(word) => word.text == "default",
            _ => false,
        };
        let clause = ask.clauses.iter().find(makes_default).map(|clause| clause.span);
        let (place, label, hint) = match clause {
            Some(clause) => (
                clause,
                "no default is said for this `ask first`, and nobody can pass",
                "Write `skip` instead of `default`, add an alternative `pass`, or say which move is made: `default …`.",
            ),
            // The header applies to every question without a line of its own.
            None if absent == AbsentPolicy::Default => (
                Span { end: ask.span.start + "ask first".len() as u32, ..ask.span },
                "the header says `absent default`, no default is said here, and nobody can pass",
                "Add `absent skip` or `absent wait` to this question, an alternative `pass`, or say which move is made: `default …`.",
            ),
            None => return None,
        };
        self.report(
            Diagnostic::error("ask/first-default", place, "Who does not answer would be the first to answer")
                .label(label)
                .hint(hint),
        );
        None
    }

    /// Whether the name after `ask` still means the same player when the body runs. With `gone default` the body also runs
    /// for a player who has left, after `when … leaves` may have given the role to somebody else.
    fn stays_asked(&self, chooser: &Num, ask: &ast::Ask) -> bool {
        let gone_default = ask
            .clauses
            .iter()
            .any(|clause| matches!(&clause.kind, AskClauseKind::Gone(what) if what.text == "default"));
        let passed_on = matches!(chooser, Num::Var(v) if self.passed_on.contains(&self.program.vars[*v as usize].name));
        self.is_steady(chooser) && (!(gone_default && passed_on) || switch::is_off())
    }

    /// Forgets what the answers of an `ask all` change: they are carried out one after another, so the body of one answer
    /// may run after the bodies of others.
    fn answers_in_turn(&mut self, ask: &'a ast::Ask) {
        let since = Staleness::at_word(ask.span, "ask all", StaleCause::AnswersInTurn);
        let set = self.set_by_answers(ask);
        let vars = (0..).zip(&self.program.vars).filter(|(_, var)| set.contains(&var.name));
        let vars: Vec<(VarId, Span)> = vars.map(|(id, _)| (id, since.span)).collect();
        if !switch::is_off() {
            self.forget_seats(&vars);
        }
        let bodies: Vec<&[ast::Stmt]> = ask.alternatives.iter().map(|alternative| &alternative.body[..]).collect();
        self.moved_again(&bodies, since);
    }

    /// Returns the names to which the bodies of an `ask all` give values.
    fn set_by_answers(&self, ask: &'a ast::Ask) -> HashSet<String> {
        let mut names = HashSet::new();
        for alternative in &ask.alternatives {
            assigned_names(&alternative.body, &self.rule_bodies, &mut names);
        }
        names
    }

    /// Removes facts about names that an answer sets: they hold only until the first answer is carried out.
    fn forget_set_by_answers(&self, ask: &'a ast::Ask, facts: &mut Vec<ApartFact>) {
        let names = self.set_by_answers(ask);
        let vars = &self.program.vars;
        let set = |seat: &Num| matches!(seat, Num::Var(v) if names.contains(&vars[*v as usize].name));
        facts.retain(|(a, b)| !set(a) && !set(b) || switch::is_off());
    }

    fn ask_mode(&mut self, ask: &'a ast::Ask) -> (AskMode, Num, Option<&'a Name>) {
        match &ask.mode {
            ast::AskMode::One(e) => {
                let val = self.player(e);
                self.need_public(&val, e.span, "Who is asked");
                let num = val.into_num();
                if self.context == Context::Together && num != Num::Me {
                    self.report(
                        Diagnostic::error("ask/together", e.span, "Inside `together` each player is asked alone")
                            .label("someone else")
                            .hint("Ask the player that `together` names."),
                    );
                }
                (AskMode::One(num.clone()), num, None)
            }
            ast::AskMode::All { var, over } => {
                (AskMode::All(self.seats(over, Some(var), "Who is asked")), Num::Me, Some(var))
            }
            ast::AskMode::First { var, over } => {
                (AskMode::First(self.seats(over, Some(var), "Who is asked")), Num::Me, Some(var))
            }
        }
    }
}
