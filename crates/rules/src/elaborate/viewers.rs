//! Whether a viewer fulfils the needs of a label, and why not.
//!
//! Of the clauses that say who sees a thing, the last one that applies to a viewer decides. Here a clause applies, does not
//! apply, or may apply: the viewer may be the owner, may have the role, the condition may hold. A need is fulfilled only if
//! every clause that may decide gives enough. The engine's twin, which knows all of it, is `sight/eyes.rs`.

use super::label::{Label, Need, Owner, Since, StaleCause, Thing, Why};
use super::{Elaborator, Place_};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Span;

/// Somebody who would learn a value.
#[derive(Clone, Copy)]
pub(super) enum Viewer<'n> {
    /// Every player and every spectator.
    Everyone,
    /// The player that an expression names.
    Seat(&'n Num),
}

/// Why a viewer may not know a value.
pub(super) struct Denial {
    /// Continues "not everyone may know this": whose eyes do not see enough.
    pub reason: String,
    /// The declaration that says so.
    pub place: Option<(Span, String)>,
    advice: Advice,
}

/// What would help.
#[derive(Clone, Copy, PartialEq)]
enum Advice {
    /// To say that the viewer is not the owner, or has not the role.
    SayApart,
    /// To say with the same name that the viewer is the owner.
    SameName,
    /// To keep a card that everybody sees in a variable.
    KeepIt,
    LookElsewhere,
}

#[derive(Clone, Copy, PartialEq)]
enum Applies {
    Yes,
    No,
    Maybe,
}

impl Applies {
    fn not(self) -> Applies {
        match self {
            Applies::Yes => Applies::No,
            Applies::No => Applies::Yes,
            Applies::Maybe => Applies::Maybe,
        }
    }
}

/// The eyes that look: a spectator's, or a player's of whom the source may say more.
#[derive(Clone, Copy)]
enum Eyes<'n> {
    Spectator,
    SomePlayer,
    Player(&'n Num),
}

impl<'a> Elaborator<'a> {
    /// The label of what a thing shows to those who see this much of it.
    pub(super) fn seen_label(&self, thing: Thing, level: Visibility, owner: Option<Num>) -> Label {
        let not = owner.as_ref().map(|seat| self.not_named_by(seat)).unwrap_or_default();
        let need = Need::Sees { thing, level, owner: Owner { seat: owner, not } };
        match self.denied(&need, Viewer::Everyone) {
            Some(_) => Label::of(need),
            None => Label::PUBLIC,
        }
    }

    /// Whether the player that an expression names may know a value.
    pub(super) fn readable_by(&self, label: &Label, seat: &Num) -> bool {
        self.denial(label, Viewer::Seat(seat)).is_none()
    }

    /// The first need that a viewer does not fulfil.
    pub(super) fn denial(&self, label: &Label, viewer: Viewer) -> Option<Denial> {
        label.needs().iter().find_map(|need| self.denied(need, viewer))
    }

    fn denied(&self, need: &Need, viewer: Viewer) -> Option<Denial> {
        match need {
            Need::Sees { thing, level, owner } => match viewer {
                Viewer::Everyone => [Eyes::SomePlayer, Eyes::Spectator]
                    .into_iter()
                    .find_map(|eyes| self.unseen(*thing, *level, owner, eyes)),
                Viewer::Seat(seat) => self.unseen(*thing, *level, owner, Eyes::Player(seat)),
            },
            Need::Is(seat) => match viewer {
                Viewer::Seat(viewer) if self.same_seat(viewer, seat) => None,
                _ => Some(Denial {
                    reason: format!("only {} knows it, by picking it or being told", self.seat_name(seat)),
                    place: None,
                    advice: Advice::SameName,
                }),
            },
            // Questions are made from what a player sees. Everything else knows the whole table.
            Need::Seen(now) if self.chooser.is_some() => self.denial(now, viewer).map(|denial| Denial {
                reason: "everybody has seen this card, but it may lie out of sight by now".to_string(),
                place: denial.place,
                advice: Advice::KeepIt,
            }),
            Need::Seen(_) => None,
            Need::Nobody(why) => Some(self.nobody_knows(*why)),
        }
    }

    fn nobody_knows(&self, why: Why) -> Denial {
        let zone = |id: ZoneId| &self.program.zones[usize::from(id)];
        let (reason, place) = match why {
            Why::FaceDown(id) => {
                (format!("a card of `{}` may lie face down", zone(id).name), self.laid_face_down(&zone(id).name))
            }
            Why::Secret(id) => (
                format!("`{}` remembers secretly who brought a card", zone(id).name),
                Some((zone(id).span, "remembers players secretly".to_string())),
            ),
            Why::Unseen => ("it was picked by its back, and nobody has seen it".to_string(), None),
            Why::Stale(since) => return self.changed_since(since),
            Why::Written => (
                "a player may have written on this card where not everybody sees it; name the zone it lies in"
                    .to_string(),
                None,
            ),
            Why::TooManyNeeds => ("too many different hidden things decide it".to_string(), None),
        };
        Denial { reason, place, advice: Advice::LookElsewhere }
    }

    /// The line that lays or turns cards of a zone face down.
    fn laid_face_down(&self, zone: &str) -> Option<(Span, String)> {
        let cause = self.face_down.get(zone)?;
        let text = match &cause.name {
            Some(name) => format!("`{name}` may lie in `{zone}`, and here it comes to lie face down"),
            None => format!("a card of `{zone}` comes to lie face down here"),
        };
        Some((cause.span, text))
    }

    /// Who knew the value may be another player by now, or the card may lie elsewhere; names the line after which.
    fn changed_since(&self, since: Since) -> Denial {
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
            StaleCause::Moved => (
                "who knew it may be another player by now, or it may lie elsewhere".to_string(),
                "cards go elsewhere here, and it may be among them".to_string(),
            ),
        };
        let place = (since.span != Span::default()).then_some((since.span, label));
        Denial { reason, place, advice: Advice::LookElsewhere }
    }

    /// Whether these eyes may see less of a thing than is needed, and by which clause.
    fn unseen(&self, thing: Thing, level: Visibility, owner: &Owner, eyes: Eyes) -> Option<Denial> {
        let clauses = self.seen_by(thing);
        let owns = self.owns(owner, eyes);
        // Whoever else might look was met by a clause behind.
        let mut met: Vec<&ViewerGroup> = Vec::new();
        for clause in clauses.iter().rev() {
            let who = match &clause.who {
                ViewerGroup::Everyone => Applies::Yes,
                ViewerGroup::Players => yes_or_no(!matches!(eyes, Eyes::Spectator)),
                ViewerGroup::Spectators => yes_or_no(matches!(eyes, Eyes::Spectator)),
                ViewerGroup::Owner => owns,
                ViewerGroup::Others => owns.not(),
                ViewerGroup::Role(var) => match eyes {
                    Eyes::Spectator => Applies::No,
                    Eyes::SomePlayer => Applies::Maybe,
                    Eyes::Player(seat) => self.is_seat(seat, &Num::Var(*var)),
                },
            };
            let when = match &clause.when {
                None => Applies::Yes,
                Some(Num::Const(n)) => yes_or_no(*n != 0),
                Some(_) => Applies::Maybe,
            };
            if who == Applies::No || when == Applies::No || met.contains(&&clause.who) {
                continue;
            }
            if clause.what < level {
                return Some(self.denial_of(thing, Some(clause), clause.what, eyes, who));
            }
            if when == Applies::Maybe {
                continue;
            }
            if who == Applies::Yes {
                return None;
            }
            met.push(&clause.who);
            if met.contains(&&ViewerGroup::Owner) && met.contains(&&ViewerGroup::Others) {
                return None;
            }
        }
        let otherwise = if matches!(thing, Thing::Zone(_)) { Visibility::Count } else { Visibility::Cards };
        (otherwise < level).then(|| self.denial_of(thing, None, otherwise, eyes, Applies::Yes))
    }

    fn seen_by(&self, thing: Thing) -> &[SeesClause] {
        const NO_PLACE: Span = Span { start: 0, end: 0 };
        const SEALED: &[SeesClause] = &[
            SeesClause { who: ViewerGroup::Everyone, what: Visibility::Nothing, when: None, span: NO_PLACE },
            SeesClause { who: ViewerGroup::Owner, what: Visibility::Cards, when: None, span: NO_PLACE },
        ];
        match thing {
            Thing::Zone(id) => &self.program.zones[usize::from(id)].sees,
            Thing::Dice(var) => match &self.program.vars[var as usize].kind {
                VarKind::Dice { sees, .. } => sees,
                _ => &[],
            },
            Thing::Sealed(_) => SEALED,
        }
    }

    /// Whether these eyes are the owner's.
    fn owns(&self, owner: &Owner, eyes: Eyes) -> Applies {
        match eyes {
            Eyes::Spectator => Applies::No,
            Eyes::SomePlayer => Applies::Maybe,
            Eyes::Player(viewer) => {
                if owner.not.iter().any(|other| self.same_seat(viewer, other)) {
                    return Applies::No;
                }
                owner.seat.as_ref().map_or(Applies::Maybe, |seat| self.is_seat(viewer, seat))
            }
        }
    }

    fn is_seat(&self, a: &Num, b: &Num) -> Applies {
        if self.same_seat(a, b) {
            return Applies::Yes;
        }
        let apart = |a: &Num, b: &Num| self.not_named_by(a).iter().any(|other| self.same_seat(b, other));
        if apart(a, b) || apart(b, a) { Applies::No } else { Applies::Maybe }
    }

    /// Whether two expressions provably name the same player at this moment. Besides equal ones these are the player who
    /// decides and the name that stands behind `ask`, if that name can't change while the question is open.
    pub(super) fn same_seat(&self, a: &Num, b: &Num) -> bool {
        let asked =
            |me: &Num, name: &Num| *me == Num::Me && self.chooser.as_ref() == Some(name) && self.is_steady(name);
        a == b || asked(a, b) || asked(b, a)
    }

    fn denial_of(
        &self,
        thing: Thing,
        clause: Option<&SeesClause>,
        seen: Visibility,
        eyes: Eyes,
        who: Applies,
    ) -> Denial {
        let (name, declared) = match thing {
            Thing::Zone(id) => {
                let zone = &self.program.zones[usize::from(id)];
                (zone.name.clone(), Some(zone.span))
            }
            Thing::Dice(var) | Thing::Sealed(var) => {
                let name = self.program.vars[var as usize].name.clone();
                let declared = self.globals.get(&name).map(|(_, span)| *span);
                (name, declared)
            }
        };
        let (subject, several) = match clause.map(|clause| &clause.who) {
            None | Some(ViewerGroup::Everyone) => match eyes {
                Eyes::Spectator => ("spectators".to_string(), true),
                Eyes::SomePlayer if matches!(thing, Thing::Sealed(_)) => ("others".to_string(), true),
                Eyes::SomePlayer => ("players".to_string(), true),
                Eyes::Player(_) if matches!(thing, Thing::Sealed(_)) => ("who is not its owner".to_string(), false),
                Eyes::Player(_) => ("players".to_string(), true),
            },
            Some(ViewerGroup::Players) => ("players".to_string(), true),
            Some(ViewerGroup::Spectators) => ("spectators".to_string(), true),
            Some(ViewerGroup::Owner) => ("the owner".to_string(), false),
            Some(ViewerGroup::Others) => ("others".to_string(), true),
            Some(ViewerGroup::Role(var)) => (format!("`{}`", self.program.vars[*var as usize].name), false),
        };
        let verb = if several { "see" } else { "sees" };
        let sight = match (seen, thing) {
            (Visibility::Nothing | Visibility::Count, Thing::Sealed(_) | Thing::Dice(_)) => {
                format!("{verb} nothing of `{name}`")
            }
            (Visibility::Nothing, _) => format!("{verb} nothing of `{name}`"),
            (Visibility::Count, _) => format!("{verb} only how many cards lie in `{name}`"),
            (Visibility::Cards, _) => format!("{verb} `{name}`"),
        };
        let perhaps = who == Applies::Maybe && matches!(eyes, Eyes::Player(_));
        let mut reason = format!("{subject} {sight}");
        if let (true, Eyes::Player(viewer), Some(clause)) = (perhaps, eyes, clause) {
            let viewer = self.seat_name(viewer);
            match &clause.who {
                ViewerGroup::Owner => reason.push_str(&format!(", and {viewer} may be the owner")),
                ViewerGroup::Others => reason.push_str(&format!(", and {viewer} may be one of them")),
                ViewerGroup::Role(_) => reason.push_str(&format!(", and that may be {viewer}")),
                ViewerGroup::Everyone | ViewerGroup::Players | ViewerGroup::Spectators => {}
            }
        }
        if let (Eyes::Player(Num::Me), Some(name @ Num::Var(role))) = (eyes, &self.chooser)
            && !self.is_steady(name)
            && self.seen_by(thing).iter().any(|clause| clause.who == ViewerGroup::Role(*role))
        {
            let role = &self.program.vars[*role as usize].name;
            reason.push_str(&format!(", and `when …` may make another player `{role}` before the answer comes"));
        }
        let place = match clause {
            Some(clause) if clause.span != Span::default() => Some((clause.span, format!("{subject} {sight}"))),
            _ => declared.map(|span| match (clause, thing) {
                (None, Thing::Zone(_)) => (span, "without a word about it, the count is seen".to_string()),
                (_, Thing::Sealed(_)) => (span, "only its owner sees it".to_string()),
                _ => (span, "declared here".to_string()),
            }),
        };
        let advice = match clause.map(|clause| &clause.who) {
            Some(ViewerGroup::Owner | ViewerGroup::Role(_)) if perhaps => Advice::SayApart,
            Some(ViewerGroup::Others) if perhaps => Advice::SameName,
            _ if matches!(thing, Thing::Sealed(_)) => Advice::SameName,
            _ => Advice::LookElsewhere,
        };
        Denial { reason, place, advice }
    }

    /// How a message speaks of the player that an expression names.
    pub(super) fn seat_name(&self, seat: &Num) -> String {
        match (seat, &self.chooser) {
            (Num::Me, Some(Num::Var(v))) | (Num::Var(v), _) => format!("`{}`", self.program.vars[*v as usize].name),
            (Num::Me, _) => "the player who is asked".to_string(),
            (Num::Lead, _) => "`lead`".to_string(),
            _ => "that player".to_string(),
        }
    }

    /// Refuses what depends on something that not everyone may know.
    pub(super) fn hidden_fact(&mut self, label: &Label, span: Span, what: &str) {
        if label.is_public() {
            return;
        }
        let Some(denial) = self.denial(label, Viewer::Everyone) else { return };
        let problem = Diagnostic::error("leak/hidden-fact", span, format!("{what} depends on something hidden"))
            .label(format!("not everyone may know this: {}", denial.reason))
            .hint(match self.place {
                Place_::Together => "Everyone can see what happens next and would learn the hidden fact from it. Inside `together` nothing can be revealed: keep the answer in a state of the player's own, such as `bid[player]: 0..13 = 0, owner sees`, and act on it after the block, with `reveal`.",
                _ => "Everyone can see what happens next and would learn the hidden fact from it. Write `reveal …` to tell it openly, move the card to a zone whose cards everyone sees and ask about it there, or ask only about what everyone sees (how many cards there are, not which).",
            });
        let problem = self.with_family(problem, span);
        self.report(with_place(problem, denial));
    }

    /// Refuses what the player who is asked, or told, may not know.
    pub(super) fn hidden_from(&mut self, label: &Label, seat: &Num, span: Span, what: &str) {
        let Some(denial) = self.denial(label, Viewer::Seat(seat)) else { return };
        let viewer = self.seat_name(seat);
        let hint = match denial.advice {
            Advice::SayApart => {
                "Where the two are never the same player, say so: `player r from players where player is not p`, `for r in players where r is not p`, or `r is not p and …` in front of it."
            }
            Advice::SameName => {
                "Say with the same name whose it is: in `ask p`, and in a notice to `p`, the player's own cards are `hand[p]`. Keep a player that is found in some other way in a variable first."
            }
            Advice::KeepIt => {
                "Keep it in a variable while it lies where everybody sees it: `seen := c`, and use `seen` here."
            }
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

    /// Says what a zone means that is named without an index in the refused place.
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

fn yes_or_no(yes: bool) -> Applies {
    if yes { Applies::Yes } else { Applies::No }
}
