//! Presentation and visibility clauses of the rules, with options folded in. `crate::sight` and `crate::present` read them.

use super::expr::{Expr, Script, Set};
use baize_rules::program::{VarId, ViewerGroup, Visibility};

/// What a view shows besides zones and values. Expressions about one seat read the seat from register 0.
#[derive(Clone, Debug)]
pub struct Shown<S> {
    pub badges: Vec<ShownBadge<S>>,
    pub seats: Vec<ShownSeat<S>>,
    pub highlights: Vec<ShownHighlight<S>>,
    pub status: Vec<ShownStatus<S>>,
    /// The rules' hint for bots: what a position is worth to the seat in register 0.
    pub hint: Option<Expr<S>>,
    /// Indexed by zone: the zone is drawn face down while this holds, with the instance's index in registers 0, 1 …
    pub turned: Vec<Option<Expr<S>>>,
    /// Indexed by zone: who sees what. The last clause that applies decides. Clauses that options switch off are left out.
    pub sees: Vec<Vec<ShownTo>>,
    /// Indexed by variable: the same for dice; empty for other variables.
    pub dice: Vec<Vec<ShownTo>>,
}

/// A clause that says who sees how much.
#[derive(Clone, Debug)]
pub struct ShownTo {
    pub who: ViewerGroup,
    pub what: Visibility,
    /// The clause applies only while this variable is yes.
    pub when: Option<VarId>,
    /// Each owner has an element of that variable.
    pub when_owners: bool,
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
