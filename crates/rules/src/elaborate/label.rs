//! Who may know a value: a label.
//!
//! A label lists what a viewer must fulfil to know the value, its *needs*: to see the cards of `hand[p]`, to be the player
//! who picked a card, and so on. A value that is made of others has all of their needs. A label without needs is public:
//! every player and every spectator may know the value.
//!
//! [`viewers`](super::viewers) decides whether a viewer fulfils a need.

use crate::program::{BoundId, Num, VarId, Visibility, ZoneId};
use crate::span::Span;

/// A label with more needs than this becomes one that nobody fulfils, so that a file can't make labels grow without bound.
const MOST_NEEDS: usize = 64;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    needs: Vec<Need>,
}

/// What a viewer must fulfil to know a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// The viewer sees at least this much of a thing that may belong to a player.
    Sees {
        thing: Thing,
        level: Visibility,
        owner: Owner,
    },
    /// The viewer is this player, who picked the card or was told the value.
    Is(Num),
    /// Everybody has seen the card, but it may lie out of sight by now. A question about it is for those who see it where
    /// it lies now.
    Seen(Label),
    Nobody(Why),
}

/// What has declared clauses that say who sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thing {
    Zone(ZoneId),
    Dice(VarId),
    /// State that its owner sees.
    Sealed(VarId),
}

/// Whose thing it is, as far as the source says.
#[derive(Clone, Debug, PartialEq)]
pub struct Owner {
    /// The expression in the index. Without one the thing may be any player's, or have no owner at all.
    pub seat: Option<Num>,
    /// Players who are provably not the owner.
    pub not: Vec<Num>,
}

/// Why nobody may know a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// Cards may lie face down in this zone.
    FaceDown(ZoneId),
    /// The zone remembers players secretly.
    Secret(ZoneId),
    /// A card that was picked by its back.
    Unseen,
    /// The player who knew it can no longer be named, or the card may have been moved since.
    Stale(Since),
    /// A player may have written on the card where others don't see it.
    Written,
    TooManyNeeds,
}

/// The line after which something may be otherwise, for messages. Two needs that differ only in this are the same need.
#[derive(Clone, Copy, Debug)]
pub struct Since {
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
    /// Somebody else may have the name of the player who was asked.
    Answered,
    Moved,
}

impl Since {
    /// No line can be named.
    pub const NOWHERE: Since = Since { span: Span { start: 0, end: 0 }, cause: StaleCause::Moved };

    /// Points at the word that begins a step, and not at all the lines below it.
    pub fn word(step: Span, word: &str, cause: StaleCause) -> Since {
        let end = (step.start + word.len() as u32).min(step.end);
        Since { span: Span { start: step.start, end }, cause }
    }
}

impl PartialEq for Since {
    fn eq(&self, _: &Since) -> bool {
        true
    }
}

impl Label {
    pub const PUBLIC: Label = Label { needs: Vec::new() };

    pub fn of(need: Need) -> Label {
        Label { needs: vec![need] }
    }

    pub fn nobody(why: Why) -> Label {
        Label::of(Need::Nobody(why))
    }

    /// Known to one player alone.
    pub fn only(seat: Num) -> Label {
        Label::of(Need::Is(seat))
    }

    pub fn is_public(&self) -> bool {
        self.needs.iter().all(|need| matches!(need, Need::Seen(_)))
    }

    /// The needs that are not among those of other labels.
    pub fn beyond(&self, others: &[&Label]) -> Label {
        let known =
            |need: &&Need| matches!(need, Need::Seen(_)) || others.iter().any(|label| label.needs.contains(need));
        Label { needs: self.needs.iter().filter(|need| !known(need)).cloned().collect() }
    }

    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// The label of a value that is made of both.
    pub fn join(mut self, other: &Label) -> Label {
        for need in &other.needs {
            if !self.needs.contains(need) {
                self.needs.push(need.clone());
            }
        }
        if self.needs.len() > MOST_NEEDS || self.needs.contains(&Need::Nobody(Why::TooManyNeeds)) {
            return Label::nobody(Why::TooManyNeeds);
        }
        self
    }

    /// The value matters only where these pairs name different players.
    pub fn guarded(mut self, apart: &[(Num, Num)]) -> Label {
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

    /// The bound variable ends here: what belonged to the player it named may be any player's.
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
                Need::Is(seat) if mentions(seat, &gone) => *need = Need::Nobody(Why::Stale(Since::NOWHERE)),
                Need::Seen(label) => *label = std::mem::take(label).without_bound(bound),
                Need::Is(_) | Need::Nobody(_) => {}
            }
        }
        self
    }

    /// A variable that names a player is given another value: whoever fulfilled a need by that name can't be named any
    /// more.
    pub fn forget(&mut self, var: VarId, since: Since) {
        let gone = Num::Var(var);
        for need in &mut self.needs {
            let stale = match need {
                Need::Sees { owner, .. } => {
                    owner.not.retain(|seat| !mentions(seat, &gone));
                    owner.seat.as_ref().is_some_and(|seat| mentions(seat, &gone))
                }
                Need::Is(seat) => mentions(seat, &gone),
                Need::Seen(label) => {
                    label.forget(var, since);
                    false
                }
                Need::Nobody(_) => false,
            };
            if stale {
                *need = Need::Nobody(Why::Stale(since));
            }
        }
    }

    /// The question is answered: `Me` means nobody any more, and whoever it meant has this name now, or none.
    pub fn name_me(&mut self, name: Option<&Num>, since: Since) {
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
                Need::Seen(label) => {
                    label.name_me(name, since);
                    false
                }
                Need::Is(_) | Need::Nobody(_) => false,
            };
            if stale {
                *need = Need::Nobody(Why::Stale(since));
            }
        }
    }

    /// Only the player who decides is still known to know it: every other name may mean another player by now.
    pub fn keep_only_me(&mut self, since: Since) {
        for need in &mut self.needs {
            match need {
                Need::Is(Num::Me) | Need::Nobody(_) => {}
                Need::Seen(label) => label.keep_only_me(since),
                Need::Sees { .. } | Need::Is(_) => *need = Need::Nobody(Why::Stale(since)),
            }
        }
    }
}

/// Whether an expression that names a player reads this variable. Anything but a plain name is taken to do so.
fn mentions(seat: &Num, name: &Num) -> bool {
    match seat {
        Num::Var(_) | Num::Bound(_) => seat == name,
        Num::Me | Num::Lead | Num::Const(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sees(seat: Num) -> Label {
        Label::of(Need::Sees {
            thing: Thing::Zone(0),
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
        assert_eq!(many, Label::nobody(Why::TooManyNeeds));
    }

    #[test]
    fn a_name_that_changes_makes_needs_stale() {
        let mut label = sees(Num::Var(1)).join(&Label::only(Num::Var(2)));
        label.forget(1, Since::NOWHERE);
        assert_eq!(label.needs(), [Need::Nobody(Why::Stale(Since::NOWHERE)), Need::Is(Num::Var(2))]);
    }

    #[test]
    fn a_bound_that_ends_leaves_the_owner_open() {
        let guarded = sees(Num::Bound(3)).guarded(&[(Num::Bound(3), Num::Me)]).without_bound(3);
        let Need::Sees { owner, .. } = &guarded.needs()[0] else { panic!("{guarded:?}") };
        assert_eq!((&owner.seat, &owner.not[..]), (&None, &[Num::Me][..]));
    }
}
