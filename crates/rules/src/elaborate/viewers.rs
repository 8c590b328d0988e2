//! Decides whether a viewer fulfils the needs of a label, and explains why not.
//!
//! The last `… sees …` clause that applies to a viewer decides what the viewer sees. The engine (`sight/eyes.rs`) knows
//! which clauses apply. The checker often knows only that a clause may apply: the viewer may be the owner, may have the
//! role, the condition may hold. So a need is fulfilled only if every clause that may decide shows enough.

use super::label::{HiddenReason, Label, Need, Owner, StaleCause, Staleness, ValueSource};
use super::{Context, Elaborator};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Span;

/// Somebody who would learn a value.
#[derive(Clone, Copy)]
pub(super) enum Learner<'n> {
    /// Every player and every spectator.
    Everyone,
    /// The player that an expression names.
    Seat(&'n Num),
}

/// Why a viewer may not know a value.
pub(super) struct Denial {
    /// Who does not see enough; continues the sentence "not everyone may know this".
    pub reason: String,
    /// The declaration from which that follows.
    pub place: Option<(Span, String)>,
    advice: Advice,
}

/// What the author can do about it.
#[derive(Clone, Copy, PartialEq)]
enum Advice {
    /// Say that the viewer is not the owner, or does not have the role.
    SayApart,
    /// Use the same name for the viewer and the owner.
    SameName,
    /// Keep a card in a variable while everybody sees it.
    KeepIt,
    /// Lay face-down cards into a zone of their own.
    OwnZone,
    LookElsewhere,
}

const OWN_ZONE: &str = "To the rules all cards of a zone count as hidden if any line lays or turns one of them face down. Lay those cards into a zone of their own, as in `move c to covered face down`. A player picks a back with `unseen c from …`, and `reveal` tells what a card is.";

const KEEP_IT: &str = "Keep it in a variable while it lies where everybody sees it: `seen := c`, and use `seen` here.";

#[derive(Clone, Copy, PartialEq)]
enum Applicability {
    Yes,
    No,
    Maybe,
}

impl Applicability {
    fn not(self) -> Applicability {
        match self {
            Applicability::Yes => Applicability::No,
            Applicability::No => Applicability::Yes,
            Applicability::Maybe => Applicability::Maybe,
        }
    }
}

/// Who looks: a spectator, any player, or the player that an expression names.
#[derive(Clone, Copy)]
enum SingleViewer<'n> {
    Spectator,
    SomePlayer,
    Player(&'n Num),
}

impl<'a> Elaborator<'a> {
    /// Returns the label of facts that are known to those who see at least this much of a source.
    pub(super) fn seen_label(&self, source: ValueSource, level: Visibility, owner: Option<Num>) -> Label {
        let not = owner.as_ref().map(|seat| self.not_named_by(seat)).unwrap_or_default();
        let need = Need::Sees { source, level, owner: Owner { seat: owner, not } };
        match self.denial_for_need(&need, Learner::Everyone) {
            Some(_) => Label::of(need),
            None => Label::PUBLIC,
        }
    }

    /// Whether the player that an expression names may know a value.
    pub(super) fn readable_by(&self, label: &Label, seat: &Num) -> bool {
        self.denial(label, Learner::Seat(seat)).is_none()
    }

    /// Explains the first need that a viewer does not fulfil; `None` if the viewer fulfils all.
    pub(super) fn denial(&self, label: &Label, viewer: Learner) -> Option<Denial> {
        label.needs().iter().find_map(|need| self.denial_for_need(need, viewer))
    }

    fn denial_for_need(&self, need: &Need, viewer: Learner) -> Option<Denial> {
        match need {
            Need::Sees { source, level, owner } => match viewer {
                Learner::Everyone => [SingleViewer::SomePlayer, SingleViewer::Spectator]
                    .into_iter()
                    .find_map(|viewer| self.explain_unseen(*source, *level, owner, viewer)),
                Learner::Seat(seat) => self.explain_unseen(*source, *level, owner, SingleViewer::Player(seat)),
            },
            Need::Is(seat) => match viewer {
                Learner::Seat(viewer) if self.same_seat(viewer, seat) => None,
                _ => Some(Denial {
                    reason: format!("only {} knows it, by picking it or being told", self.seat_name(seat)),
                    place: None,
                    advice: Advice::SameName,
                }),
            },
            // The engine computes a question from what the player sees, and everything else from the whole table.
            Need::Seen { now, waited } if self.chooser.is_some() || *waited => {
                let mut reason = "everybody has seen this card, but it may lie out of sight by now".to_string();
                if self.chooser.is_none() {
                    reason.push_str(", and who came while somebody was asked has not seen it");
                }
                self.denial(now, viewer).map(|denial| Denial { reason, place: denial.place, advice: Advice::KeepIt })
            }
            Need::Seen { .. } => None,
            Need::Nobody(why) => Some(self.nobody_knows(*why)),
            // A filter looks at the card: whether somebody may know it is decided for the filter as a whole.
            Need::Subject { .. } => Some(Denial {
                reason: "it depends on the card".to_string(),
                place: None,
                advice: Advice::LookElsewhere,
            }),
        }
    }

    fn nobody_knows(&self, why: HiddenReason) -> Denial {
        let zone = |id: ZoneId| &self.program.zones[usize::from(id)];
        let (reason, place) = match why {
            HiddenReason::FaceDown(id) => {
                (format!("a card of `{}` may lie face down", zone(id).name), self.laid_face_down(&zone(id).name))
            }
            HiddenReason::Secret(id) => (
                format!("`{}` remembers secretly who brought a card", zone(id).name),
                Some((zone(id).span, "remembers players secretly".to_string())),
            ),
            HiddenReason::Unseen => ("it was picked by its back, and nobody has seen it".to_string(), None),
            HiddenReason::Stale(since) => return self.changed_since(since),
            HiddenReason::Written => (
                "a player may have written on this card where not everybody sees it; name the zone it lies in"
                    .to_string(),
                None,
            ),
            HiddenReason::TooManyNeeds => ("too many different hidden things decide it".to_string(), None),
        };
        let advice = if matches!(why, HiddenReason::FaceDown(_)) { Advice::OwnZone } else { Advice::LookElsewhere };
        Denial { reason, place, advice }
    }

    /// Returns the line that lays or turns cards of a zone face down.
    fn laid_face_down(&self, zone: &str) -> Option<(Span, String)> {
        let cause = self.face_down.get(zone)?;
        let text = match &cause.name {
            Some(name) => format!("`{name}` may lie in `{zone}`, and here it comes to lie face down"),
            None => format!("a card of `{zone}` comes to lie face down here"),
        };
        Some((cause.span, text))
    }

    /// Explains that the player who knew the value may be another one by now, or that the card may lie elsewhere, and names
    /// the line after which this is so.
    fn changed_since(&self, since: Staleness) -> Denial {
        let (reason, label) = match since.cause {
            StaleCause::Assigned(var) => {
                let name = &self.program.vars[var as usize].name;
                (
                    format!("who knew it was `{name}`, and `{name}` may be another player by now"),
                    format!("from here on `{name}` may be another player"),
                )
            }
            StaleCause::Loop => (
                "who knew it may be another player on the next turn of this loop, or it may lie elsewhere".to_string(),
                "these steps happen again and again".to_string(),
            ),
            StaleCause::AnswersInTurn => (
                "who knew it may be another player when the next answer is carried out, or it may lie elsewhere"
                    .to_string(),
                "the answers are carried out one after another".to_string(),
            ),
            StaleCause::Waiting => (
                "who knew it may be another player once `when …` has happened".to_string(),
                "while this question waits, `when …` may happen".to_string(),
            ),
            StaleCause::Answered => (
                "only the player who answered knows it, and another player may have that name by now".to_string(),
                "whoever answers this knows it".to_string(),
            ),
            StaleCause::NamesAnotherCard => (
                "the name may mean another card by then, and who brought that one may be secret".to_string(),
                "these steps may have happened before, and they give the name to another card".to_string(),
            ),
            StaleCause::Led => (
                "who knew it was `lead`, and somebody else may run the table by now".to_string(),
                "while this question waits, somebody else may become `lead`".to_string(),
            ),
            StaleCause::Admitted => (
                "another person may sit by now where the player sat who knew it".to_string(),
                "newcomers may get the seat of a player who has left here".to_string(),
            ),
            StaleCause::Moved => (
                "who knew it may be another player by now, or it may lie elsewhere".to_string(),
                "cards go elsewhere here, and it may be among them".to_string(),
            ),
        };
        let place = (since.span != Span::default()).then_some((since.span, label));
        Denial { reason, place, advice: Advice::LookElsewhere }
    }

    /// Explains which clause may show less of a source than is needed; `None` if the viewer certainly sees enough.
    fn explain_unseen(
        &self,
        source: ValueSource,
        level: Visibility,
        owner: &Owner,
        viewer: SingleViewer,
    ) -> Option<Denial> {
        let clauses = self.sees_clauses(source);
        let owns = self.is_owner(owner, viewer);
        // Groups of later clauses that show enough: if the viewer belongs to one, that clause decides.
        let mut met: Vec<&ViewerGroup> = Vec::new();
        for clause in clauses.iter().rev() {
            let who = match &clause.who {
                ViewerGroup::Everyone => Applicability::Yes,
                ViewerGroup::Players => yes_or_no(!matches!(viewer, SingleViewer::Spectator)),
                ViewerGroup::Spectators => yes_or_no(matches!(viewer, SingleViewer::Spectator)),
                ViewerGroup::Owner => owns,
                ViewerGroup::Others => owns.not(),
                ViewerGroup::Role(var) => match viewer {
                    SingleViewer::Spectator => Applicability::No,
                    SingleViewer::SomePlayer => Applicability::Maybe,
                    SingleViewer::Player(seat) => self.same_player(seat, &Num::Var(*var)),
                },
            };
            let when = match &clause.when {
                None => Applicability::Yes,
                Some(Num::Const(n)) => yes_or_no(*n != 0),
                Some(_) => Applicability::Maybe,
            };
            if who == Applicability::No || when == Applicability::No || met.contains(&&clause.who) {
                continue;
            }
            if clause.what < level {
                return Some(self.clause_denial(source, Some(clause), clause.what, viewer, who));
            }
            if when == Applicability::Maybe {
                continue;
            }
            if who == Applicability::Yes {
                return None;
            }
            met.push(&clause.who);
            if met.contains(&&ViewerGroup::Owner) && met.contains(&&ViewerGroup::Others) {
                return None;
            }
        }
        let otherwise = if matches!(source, ValueSource::Zone(_)) { Visibility::Count } else { Visibility::Cards };
        (otherwise < level).then(|| self.clause_denial(source, None, otherwise, viewer, Applicability::Yes))
    }

    fn sees_clauses(&self, source: ValueSource) -> &[VisibilityClause] {
        const NO_PLACE: Span = Span { start: 0, end: 0 };
        const SEALED: &[VisibilityClause] = &[
            VisibilityClause { who: ViewerGroup::Everyone, what: Visibility::Nothing, when: None, span: NO_PLACE },
            VisibilityClause { who: ViewerGroup::Owner, what: Visibility::Cards, when: None, span: NO_PLACE },
        ];
        match source {
            ValueSource::Zone(id) => &self.program.zones[usize::from(id)].sees,
            ValueSource::Dice(var) => match &self.program.vars[var as usize].kind {
                VarKind::Dice { sees, .. } => sees,
                _ => &[],
            },
            ValueSource::Sealed(_) => SEALED,
        }
    }

    /// Whether the viewer is the owner.
    fn is_owner(&self, owner: &Owner, viewer: SingleViewer) -> Applicability {
        match viewer {
            SingleViewer::Spectator => Applicability::No,
            SingleViewer::SomePlayer => Applicability::Maybe,
            SingleViewer::Player(viewer) => {
                if owner.not.iter().any(|other| self.same_seat(viewer, other)) {
                    return Applicability::No;
                }
                owner.seat.as_ref().map_or(Applicability::Maybe, |seat| self.same_player(viewer, seat))
            }
        }
    }

    fn same_player(&self, a: &Num, b: &Num) -> Applicability {
        if self.same_seat(a, b) {
            return Applicability::Yes;
        }
        let apart = |a: &Num, b: &Num| self.not_named_by(a).iter().any(|other| self.same_seat(b, other));
        if apart(a, b) || apart(b, a) { Applicability::No } else { Applicability::Maybe }
    }

    /// Whether two expressions provably name the same player now: they are equal, or one is `Me` and the other is the name
    /// after `ask` that can't change while the question is open.
    pub(super) fn same_seat(&self, a: &Num, b: &Num) -> bool {
        let asked =
            |me: &Num, name: &Num| *me == Num::Me && self.chooser.as_ref() == Some(name) && self.is_steady(name);
        a == b || asked(a, b) || asked(b, a)
    }

    fn clause_denial(
        &self,
        source: ValueSource,
        clause: Option<&VisibilityClause>,
        seen: Visibility,
        viewer: SingleViewer,
        who: Applicability,
    ) -> Denial {
        let (name, declared) = match source {
            ValueSource::Zone(id) => {
                let zone = &self.program.zones[usize::from(id)];
                (zone.name.clone(), Some(zone.span))
            }
            ValueSource::Dice(var) | ValueSource::Sealed(var) => {
                let name = self.program.vars[var as usize].name.clone();
                let declared = self.globals.get(&name).map(|(_, span)| *span);
                (name, declared)
            }
        };
        let (subject, several) = match clause.map(|clause| &clause.who) {
            None | Some(ViewerGroup::Everyone) => match viewer {
                SingleViewer::Spectator => ("spectators".to_string(), true),
                SingleViewer::SomePlayer if matches!(source, ValueSource::Sealed(_)) => ("others".to_string(), true),
                SingleViewer::SomePlayer => ("players".to_string(), true),
                SingleViewer::Player(_) if matches!(source, ValueSource::Sealed(_)) => {
                    ("who is not its owner".to_string(), false)
                }
                SingleViewer::Player(_) => ("players".to_string(), true),
            },
            Some(ViewerGroup::Players) => ("players".to_string(), true),
            Some(ViewerGroup::Spectators) => ("spectators".to_string(), true),
            Some(ViewerGroup::Owner) => ("the owner".to_string(), false),
            Some(ViewerGroup::Others) => ("others".to_string(), true),
            Some(ViewerGroup::Role(var)) => (format!("`{}`", self.program.vars[*var as usize].name), false),
        };
        let verb = if several { "see" } else { "sees" };
        let sight = match (seen, source) {
            (Visibility::Nothing | Visibility::Count, ValueSource::Sealed(_) | ValueSource::Dice(_)) => {
                format!("{verb} nothing of `{name}`")
            }
            (Visibility::Nothing, _) => format!("{verb} nothing of `{name}`"),
            (Visibility::Count, _) => format!("{verb} only how many cards lie in `{name}`"),
            (Visibility::Cards, _) => format!("{verb} `{name}`"),
        };
        let perhaps = who == Applicability::Maybe && matches!(viewer, SingleViewer::Player(_));
        let mut reason = format!("{subject} {sight}");
        if let (true, SingleViewer::Player(viewer), Some(clause)) = (perhaps, viewer, clause) {
            let viewer = self.seat_name(viewer);
            match &clause.who {
                ViewerGroup::Owner => reason.push_str(&format!(", and {viewer} may be the owner")),
                ViewerGroup::Others => reason.push_str(&format!(", and {viewer} may be one of them")),
                ViewerGroup::Role(_) => reason.push_str(&format!(", and that may be {viewer}")),
                ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Spectators => {}
            }
        }
        if let (Applicability::Yes, SingleViewer::Player(viewer), Some(ViewerGroup::Owner)) =
            (who, viewer, clause.map(|clause| &clause.who))
        {
            reason.push_str(&format!(", and {} is the owner", self.seat_name(viewer)));
        }
        if let (SingleViewer::Player(Num::Me), Some(name @ Num::Var(role))) = (viewer, &self.chooser)
            && !self.is_steady(name)
            && self.sees_clauses(source).iter().any(|clause| clause.who == ViewerGroup::Role(*role))
        {
            let role = &self.program.vars[*role as usize].name;
            reason.push_str(&format!(", and `when …` may make another player `{role}` before the answer comes"));
        }
        let place = match clause {
            Some(clause) if clause.span != Span::default() => Some((clause.span, format!("{subject} {sight}"))),
            _ => declared.map(|span| match (clause, source) {
                (None, ValueSource::Zone(_)) => (span, "without a word about it, the count is seen".to_string()),
                (_, ValueSource::Sealed(_)) => (span, "only its owner sees it".to_string()),
                _ => (span, "declared here".to_string()),
            }),
        };
        let advice = match clause.map(|clause| &clause.who) {
            Some(ViewerGroup::Owner | ViewerGroup::Role(_)) if perhaps => Advice::SayApart,
            Some(ViewerGroup::Others) if perhaps => Advice::SameName,
            _ if matches!(source, ValueSource::Sealed(_)) => Advice::SameName,
            _ => Advice::LookElsewhere,
        };
        Denial { reason, place, advice }
    }

    /// Returns how diagnostics call the player that an expression names.
    pub(super) fn seat_name(&self, seat: &Num) -> String {
        match (seat, &self.chooser) {
            (Num::Me, Some(Num::Var(v))) | (Num::Var(v), _) => format!("`{}`", self.program.vars[*v as usize].name),
            (Num::Me, _) => "the player who is asked".to_string(),
            (Num::Lead, _) => "`lead`".to_string(),
            _ => "that player".to_string(),
        }
    }

    /// Refuses an expression that not everyone may know.
    pub(super) fn refuse_hidden_fact(&mut self, label: &Label, span: Span, what: &str) {
        if label.is_public() {
            return;
        }
        let Some(denial) = self.denial(label, Learner::Everyone) else { return };
        let problem = Diagnostic::error("leak/hidden-fact", span, format!("{what} depends on something hidden"))
            .label(format!("not everyone may know this: {}", denial.reason))
            .hint(match self.context {
                _ if denial.advice == Advice::KeepIt => KEEP_IT,
                _ if denial.advice == Advice::OwnZone => OWN_ZONE,
                Context::Together => "Everyone can see what happens next and would learn the hidden fact from it. Inside `together` nothing can be revealed: keep the answer in a state of the player's own, such as `bid[player]: 0..13 = 0, owner sees`, and act on it after the block, with `reveal`.",
                _ => "Everyone can see what happens next and would learn the hidden fact from it. Write `reveal …` to tell it openly, move the card to a zone whose cards everyone sees and ask about it there, or ask only about what everyone sees (how many cards there are, not which).",
            });
        let problem = self.with_family(problem, span);
        self.report(with_place(problem, denial));
    }

    /// Refuses an expression that the player who is asked or told may not know.
    pub(super) fn refuse_hidden_from(&mut self, label: &Label, seat: &Num, span: Span, what: &str) {
        let Some(denial) = self.denial(label, Learner::Seat(seat)) else { return };
        let viewer = self.seat_name(seat);
        let hint = match denial.advice {
            Advice::SayApart => {
                "Where the two are never the same player, say so: `player r from players where player is not p`, `for r in players where r is not p`, or `r is not p and …` in front of it."
            }
            Advice::SameName => {
                "Say with the same name whose it is: in `ask p`, and in a notice to `p`, the player's own cards are `hand[p]`. Keep a player that is found in some other way in a variable first."
            }
            Advice::KeepIt => KEEP_IT,
            Advice::OwnZone => OWN_ZONE,
            Advice::LookElsewhere => {
                "Use what everyone sees, and what this very player sees (in `ask p` most often `hand[p]`). What is to become known is told with `reveal … to p`."
            }
        };
        let problem = Diagnostic::error("leak/chooser", span, format!("{what} uses something its player may not know"))
            .label(format!("hidden from {viewer}: {}", denial.reason))
            .hint(hint);
        let problem = self.with_family(problem, span);
        self.report(with_place(problem, denial));
    }

    /// Adds an explanation if the refused expression names a family of zones without an index.
    fn with_family(&self, problem: Diagnostic, span: Span) -> Diagnostic {
        let inside = |at: &Span| span.start <= at.start && at.end <= span.end;
        match self.families.iter().rev().find(|(_, at)| inside(at)) {
            Some((name, at)) => problem.related(*at, format!("`{name}` without an index: the cards of all players")),
            None => problem,
        }
    }
}

fn with_place(problem: Diagnostic, denial: Denial) -> Diagnostic {
    match denial.place {
        Some((span, text)) => problem.related(span, text),
        None => problem,
    }
}

fn yes_or_no(yes: bool) -> Applicability {
    if yes { Applicability::Yes } else { Applicability::No }
}
