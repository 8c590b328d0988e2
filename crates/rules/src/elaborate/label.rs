//! Labels: who may know a value.
//!
//! A label lists conditions that a viewer must fulfil to know the value, its *needs*: the viewer sees the cards of
//! `hand[p]`, the viewer is the player who picked a card, and so on. A value that is computed from other values has all
//! of their needs. A label without needs is public: every player and every spectator may know the value.
//!
//! [`viewers`](super::viewers) decides whether a viewer fulfils a need.

use crate::program::{BoundId, Num, VarId, Visibility, ZoneId};
use crate::span::Span;

/// Upper bound on the needs of a label, so that a file can't make labels grow without limit. With more needs nobody may
/// know the value.
const MOST_NEEDS: usize = 64;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    needs: Vec<Need>,
}

/// A condition that a viewer must fulfil to know a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// The viewer sees at least this much of a zone, of dice or of state, which may belong to a player.
    Sees {
        source: ValueSource,
        level: Visibility,
        owner: Owner,
    },
    /// The viewer is this player, who picked the card or was told the value.
    Is(Num),
    /// Everybody has seen the card, but it may lie out of sight by now. A question may use it only if the player who is
    /// asked fulfils `now`, the label of the place where the card lies now. Once the game has waited for an answer, the same
    /// holds for everything else, because somebody may have come meanwhile who has not seen the card.
    Seen {
        now: Label,
        waited: bool,
    },
    Nobody(HiddenReason),
    /// The viewer may know the card at which a filter looks: its face, who brought it, or how it lies. Such a need exists only while the
    /// condition of the filter is elaborated; see [`Label::take_subject`].
    Subject {
        card: BoundId,
        of: SubjectPart,
    },
}

/// What a filter reads of the card at which it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SubjectPart {
    Face,
    Bringer,
    Facing,
}

/// A declaration that values come from, whose clauses say who sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueSource {
    Zone(ZoneId),
    Dice(VarId),
    /// State that only its owner sees.
    Sealed(VarId),
}

/// The owner of a zone, of dice or of state, as far as the file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Owner {
    /// The expression in the index. `None`: the source may belong to any player, or to nobody.
    pub seat: Option<Num>,
    /// Players who are provably not the owner.
    pub not: Vec<Num>,
}

/// Why nobody may know a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HiddenReason {
    /// Cards may lie face down in this zone.
    FaceDown(ZoneId),
    /// The zone remembers players secretly.
    Secret(ZoneId),
    /// A player picked the card by its back.
    Unseen,
    /// No name in the source means the player who knew the value any more, or the card may have moved since.
    Stale(Staleness),
    /// A player may have written on the card where others don't see it.
    Written,
    TooManyNeeds,
}

/// The line after which a value may no longer be known, for messages. Two needs that differ only in this line are equal.
#[derive(Clone, Copy, Debug)]
pub struct Staleness {
    pub span: Span,
    pub cause: StaleCause,
}

#[derive(Clone, Copy, Debug)]
pub enum StaleCause {
    /// A variable that named a player is given another value.
    Assigned(VarId),
    /// A loop does the same steps again.
    Loop,
    /// The answers of an `ask all` are carried out one after another.
    AnswersInTurn,
    /// `when …` may happen while a question waits.
    Waiting,
    /// The name of the player who was asked may mean another player by now.
    Answered,
    Moved,
    /// A variable may name another card on the next turn of a loop, or after another answer.
    NamesAnotherCard,
    /// While a question waits, another player may become `lead`.
    Led,
    /// `admit` may give the seat of a player who has left to another person.
    Admitted,
}

impl Staleness {
    /// For messages that can't name a line.
    pub const NOWHERE: Staleness = Staleness { span: Span { start: 0, end: 0 }, cause: StaleCause::Moved };

    /// Points at the first word of a step and not at all the lines below it.
    pub fn at_word(step: Span, word: &str, cause: StaleCause) -> Staleness {
        let end = (step.start + word.len() as u32).min(step.end);
        Staleness { span: Span { start: step.start, end }, cause }
    }
}

impl PartialEq for Staleness {
    fn eq(&self, _: &Staleness) -> bool {
        true
    }
}

impl Label {
    pub const PUBLIC: Label = Label { needs: Vec::new() };

    pub fn of(need: Need) -> Label {
        Label { needs: vec![need] }
    }

    pub fn nobody(why: HiddenReason) -> Label {
        Label::of(Need::Nobody(why))
    }

    /// Returns the label of a value that only one player may know.
    pub fn only(seat: Num) -> Label {
        Label::of(Need::Is(seat))
    }

    pub fn is_public(&self) -> bool {
        self.needs.iter().all(|need| matches!(need, Need::Seen { waited: false, .. }))
    }

    /// Returns a label with those needs that none of the other labels has.
    pub fn without_needs_of(&self, others: &[&Label]) -> Label {
        let known = |need: &&Need| {
            matches!(need, Need::Seen { waited: false, .. }) || others.iter().any(|label| label.needs.contains(need))
        };
        Label { needs: self.needs.iter().filter(|need| !known(need)).cloned().collect() }
    }

    /// Takes out what a filter reads of the card at which it looks, and returns it.
    pub fn take_subject(&mut self, card: BoundId) -> Vec<SubjectPart> {
        let found = self.needs.iter().filter_map(|need| match need {
            Need::Subject { card: other, of } if *other == card => Some(*of),
            _ => None,
        });
        let found = found.collect();
        self.needs.retain(|need| !matches!(need, Need::Subject { card: other, .. } if *other == card));
        found
    }

    /// Whether a filter reads of the card at which it looks only how it lies.
    pub fn reads_only_facing(&self, card: BoundId) -> bool {
        let of = |need: &Need| match need {
            Need::Subject { card: other, of } if *other == card => Some(*of),
            _ => None,
        };
        let mut read = self.needs.iter().filter_map(of).peekable();
        read.peek().is_some() && read.all(|part| part == SubjectPart::Facing)
    }

    /// Returns a label with those needs that pass a test.
    pub fn with_needs(&self, test: impl Fn(&Need) -> bool) -> Label {
        Label { needs: self.needs.iter().filter(|need| test(need)).cloned().collect() }
    }

    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Returns the label of a value that is computed from both values.
    pub fn join(mut self, other: &Label) -> Label {
        for need in &other.needs {
            if !self.needs.contains(need) {
                self.needs.push(need.clone());
            }
        }
        if self.needs.len() > MOST_NEEDS || self.needs.contains(&Need::Nobody(HiddenReason::TooManyNeeds)) {
            return Label::nobody(HiddenReason::TooManyNeeds);
        }
        self
    }

    /// Returns the label of a value that is used only where each of these pairs names two different players.
    pub fn where_apart(mut self, apart: &[(Num, Num)]) -> Label {
        for need in &mut self.needs {
            let Need::Sees { owner: Owner { seat: Some(seat), not }, .. } = need else { continue };
            for (a, b) in apart {
                let other = if a == seat {
                    b
                } else if b == seat {
                    a
                } else {
                    continue;
                };
                if !not.contains(other) {
                    not.push(other.clone());
                }
            }
        }
        self
    }

    /// Returns the label outside of the expression that binds this variable: whatever belonged to the player it named
    /// may now belong to any player.
    pub fn without_bound(mut self, bound: BoundId) -> Label {
        let gone = Num::Bound(bound);
        for need in &mut self.needs {
            match need {
                Need::Sees { owner, .. } => {
                    if owner.seat.as_ref().is_some_and(|seat| mentions(seat, &gone)) {
                        owner.seat = None;
                    }
                    owner.not.retain(|seat| !mentions(seat, &gone));
                }
                Need::Is(seat) if mentions(seat, &gone) => {
                    *need = Need::Nobody(HiddenReason::Stale(Staleness::NOWHERE))
                }
                Need::Seen { now: label, .. } => *label = std::mem::take(label).without_bound(bound),
                Need::Is(_) | Need::Nobody(_) | Need::Subject { .. } => {}
            }
        }
        self
    }

    /// Changes the label because a variable that named a player gets another value: no name means the old player any more.
    pub fn forget(&mut self, var: VarId, since: Staleness) {
        self.forget_name(&Num::Var(var), since);
    }

    /// Changes the label because a name may mean another player from now on.
    pub fn forget_name(&mut self, gone: &Num, since: Staleness) {
        for need in &mut self.needs {
            let stale = match need {
                Need::Sees { owner, .. } => {
                    owner.not.retain(|seat| !mentions(seat, gone));
                    owner.seat.as_ref().is_some_and(|seat| mentions(seat, gone))
                }
                Need::Is(seat) => mentions(seat, gone),
                Need::Seen { now: label, .. } => {
                    label.forget_name(gone, since);
                    false
                }
                Need::Nobody(_) | Need::Subject { .. } => false,
            };
            if stale {
                *need = Need::Nobody(HiddenReason::Stale(since));
            }
        }
    }

    /// Changes the label because the question is answered and `Me` means nobody any more: the player has this name now, or
    /// no name.
    pub fn rename_me(&mut self, name: Option<&Num>, since: Staleness) {
        for need in &mut self.needs {
            let stale = match need {
                Need::Sees { owner, .. } => {
                    match name {
                        Some(name) => {
                            owner.not.iter_mut().filter(|seat| **seat == Num::Me).for_each(|seat| *seat = name.clone())
                        }
                        None => owner.not.retain(|seat| *seat != Num::Me),
                    }
                    match (&mut owner.seat, name) {
                        (Some(seat), Some(name)) if *seat == Num::Me => {
                            *seat = name.clone();
                            false
                        }
                        (Some(seat), None) => *seat == Num::Me,
                        _ => false,
                    }
                }
                Need::Is(seat) if *seat == Num::Me => match name {
                    Some(name) => {
                        *seat = name.clone();
                        false
                    }
                    None => true,
                },
                Need::Seen { now: label, .. } => {
                    label.rename_me(name, since);
                    false
                }
                Need::Is(_) | Need::Nobody(_) | Need::Subject { .. } => false,
            };
            if stale {
                *need = Need::Nobody(HiddenReason::Stale(since));
            }
        }
    }

    /// Changes the label because another person may sit in the seat of a player who picked a card or was told a value.
    pub fn forget_persons(&mut self, since: Staleness) {
        for need in &mut self.needs {
            match need {
                Need::Is(_) => *need = Need::Nobody(HiddenReason::Stale(since)),
                Need::Seen { now: label, .. } => label.forget_persons(since),
                Need::Sees { .. } | Need::Nobody(_) | Need::Subject { .. } => {}
            }
        }
    }

    /// Returns the label of a card that everybody has seen, and that may lie by now where only viewers who fulfil `now` see it.
    pub fn seen(now: Label) -> Label {
        Label::of(Need::Seen { now, waited: false })
    }

    /// Changes the label because the game has waited: somebody who came meanwhile has not seen a card that went out of sight
    /// before.
    pub fn forget_seen(&mut self) {
        for need in &mut self.needs {
            if let Need::Seen { waited, .. } = need {
                *waited = true;
            }
        }
    }

    /// Changes the label because every name may mean another player by now, except `Me`.
    pub fn keep_only_me(&mut self, since: Staleness) {
        for need in &mut self.needs {
            match need {
                Need::Is(Num::Me) | Need::Nobody(_) | Need::Subject { .. } => {}
                Need::Seen { now: label, .. } => label.keep_only_me(since),
                Need::Sees { .. } | Need::Is(_) => *need = Need::Nobody(HiddenReason::Stale(since)),
            }
        }
    }
}

/// Whether an expression that names a player may depend on this name. The answer is yes for everything but a plain name.
fn mentions(seat: &Num, name: &Num) -> bool {
    match seat {
        Num::Var(_) | Num::Bound(_) | Num::Lead => seat == name,
        Num::Me | Num::Const(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sees(seat: Num) -> Label {
        Label::of(Need::Sees {
            source: ValueSource::Zone(0),
            level: Visibility::Cards,
            owner: Owner { seat: Some(seat), not: Vec::new() },
        })
    }

    #[test]
    fn joined_labels_have_the_needs_of_both_once() {
        let both = sees(Num::Var(1)).join(&Label::only(Num::Me)).join(&sees(Num::Var(1)));
        assert_eq!(both.needs().len(), 2);
        assert!(!both.is_public());
        assert_eq!(Label::PUBLIC.join(&both), both);
    }

    #[test]
    fn a_label_with_too_many_needs_is_known_to_nobody() {
        let many = (0..100).fold(Label::PUBLIC, |label, var| label.join(&sees(Num::Var(var))));
        assert_eq!(many, Label::nobody(HiddenReason::TooManyNeeds));
    }

    #[test]
    fn a_name_that_changes_makes_needs_stale() {
        let mut label = sees(Num::Var(1)).join(&Label::only(Num::Var(2)));
        label.forget(1, Staleness::NOWHERE);
        assert_eq!(label.needs(), [Need::Nobody(HiddenReason::Stale(Staleness::NOWHERE)), Need::Is(Num::Var(2))]);
    }

    #[test]
    fn a_bound_that_ends_leaves_the_owner_open() {
        let guarded = sees(Num::Bound(3)).where_apart(&[(Num::Bound(3), Num::Me)]).without_bound(3);
        let Need::Sees { owner, .. } = &guarded.needs()[0] else { panic!("{guarded:?}") };
        assert_eq!((&owner.seat, &owner.not[..]), (&None, &[Num::Me][..]));
    }
}
