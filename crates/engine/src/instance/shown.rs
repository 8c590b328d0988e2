//! Presentation and visibility clauses of the rules, with options folded in. `crate::sight` and `crate::present` read them.

use super::code::{Expr, Script, Set};
use baize_rules::program::{VarId, ViewerGroup, Visibility};

/// What a table shows besides its zones and values. Where something is about one seat, the seat is in register 0.
#[derive(Clone, Debug)]
pub struct Shown<S> {
    pub badges: Vec<ShownBadge<S>>,
    pub seats: Vec<ShownSeat<S>>,
    pub highlights: Vec<ShownHighlight<S>>,
    pub status: Vec<ShownStatus<S>>,
    /// What a position is worth to the seat in register 0.
    pub hint: Option<Expr<S>>,
    /// By zone: drawn face down while this holds, with the instance's index in registers 0, 1 …
    pub turned: Vec<Option<Expr<S>>>,
    /// By zone: who sees what; the last that applies decides. Clauses that options switch off are gone.
    pub sees: Vec<Vec<ShownTo>>,
    /// By variable: the same for dice, empty for others.
    pub dice: Vec<Vec<ShownTo>>,
}

/// What somebody sees.
#[derive(Clone, Debug)]
pub struct ShownTo {
    pub who: ViewerGroup,
    pub what: Visibility,
    /// Only while this variable says yes.
    pub when: Option<VarId>,
}

#[derive(Clone, Debug)]
pub struct ShownBadge<S> {
    pub kind: String,
    pub label: Option<Script<S>>,
    pub value: Option<Script<S>>,
    pub when: Option<Expr<S>>,
}

#[derive(Clone, Debug)]
pub struct ShownSeat<S> {
    pub status: String,
    pub label: Option<Script<S>>,
    pub when: Expr<S>,
}

#[derive(Clone, Debug)]
pub struct ShownHighlight<S> {
    pub cards: Set<S>,
    pub when: Option<Expr<S>>,
}

#[derive(Clone, Debug)]
pub struct ShownStatus<S> {
    pub text: Script<S>,
    pub when: Option<Expr<S>>,
}
