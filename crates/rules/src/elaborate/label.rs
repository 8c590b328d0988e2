//! Who may know a value. The heart of the promise that nothing leaks.
//!
//! A label is either public or a list of seats, named by the very expression that names them in the
//! source: `hand[p]` is known to `p`, not to whoever `p` happens to equal. An empty list means that
//! nobody may know it. Two facts put together are known to those who know both.

use crate::program::{BoundId, Num};

#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    Public,
    Known(Vec<Num>),
}

impl Label {
    pub const fn hidden() -> Label {
        Label::Known(Vec::new())
    }

    pub fn is_public(&self) -> bool {
        matches!(self, Label::Public)
    }

    /// Who knows a fact made of both.
    pub fn join(self, other: &Label) -> Label {
        match (self, other) {
            (Label::Public, o) => o.clone(),
            (s, Label::Public) => s,
            (Label::Known(a), Label::Known(b)) => Label::Known(a.into_iter().filter(|s| b.contains(s)).collect()),
        }
    }

    /// May this seat read it?
    pub fn readable_by(&self, seat: &Num) -> bool {
        match self {
            Label::Public => true,
            Label::Known(seats) => seats.contains(seat),
        }
    }

    /// The bound variable ends here; who it named can no longer be told apart from the others.
    pub fn without_bound(self, bound: BoundId) -> Label {
        match self {
            Label::Public => Label::Public,
            Label::Known(seats) => Label::Known(seats.into_iter().filter(|s| *s != Num::Bound(bound)).collect()),
        }
    }
}
