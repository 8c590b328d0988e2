//! Constructors of expressions, sets and tests that fold constants.

use crate::cardset::CardSet;
use crate::instance::expr::{Expr, Follow, Set, Spot, Test};
use crate::instance::options::{arith, compare};
use baize_rules::program::{Arith, Cmp, NONE_VALUE};

impl<S: CardSet> Expr<S> {
    pub(super) fn constant(&self) -> Option<i32> {
        match self {
            Expr::Const(n) => Some(*n),
            _ => None,
        }
    }

    /// Whether the value is always 0 or 1.
    fn is_truth(&self) -> bool {
        matches!(
            self,
            Expr::Const(0 | 1)
                | Expr::Not(_)
                | Expr::All(_)
                | Expr::Any(_)
                | Expr::Cmp(..)
                | Expr::CmpConst(..)
                | Expr::Empty(_)
                | Expr::NotEmpty(_)
                | Expr::AnyIn(_)
                | Expr::ZoneNonEmpty(_)
                | Expr::ZoneEmpty(_)
                | Expr::ZoneNonEmptyAt(_)
                | Expr::ZoneEmptyAt(_)
                | Expr::Holds(_)
                | Expr::CardIn(_)
                | Expr::Facing { .. }
                | Expr::Present(_)
                | Expr::Playing(_)
                | Expr::Person(_)
                | Expr::DiceHas(_)
                | Expr::SeatsHolding { any: true, .. }
                | Expr::HoldersCmp { .. }
        )
    }

    /// Returns an expression that is 1 if this one is not 0.
    pub(super) fn truth(self) -> Self {
        match self {
            Expr::Const(n) => Expr::Const((n != 0) as i32),
            e if e.is_truth() => e,
            e => Expr::CmpConst(Cmp::Ne, Box::new(e), 0),
        }
    }

    pub(super) fn not(self) -> Self {
        match self {
            Expr::Const(n) => Expr::Const((n == 0) as i32),
            Expr::Not(inner) => inner.truth(),
            Expr::All(tests) => Expr::Any(tests.into_iter().map(Expr::not).collect()),
            Expr::Any(tests) => Expr::All(tests.into_iter().map(Expr::not).collect()),
            Expr::Empty(of) => match *of {
                Set::Where(both) if matches!(both.0, Set::Zone(_)) => match *both {
                    (Set::Zone(spot), test) => Expr::AnyIn(Box::new((spot, test))),
                    both => Expr::NotEmpty(Box::new(Set::Where(Box::new(both)))),
                },
                of => Expr::NotEmpty(Box::new(of)),
            },
            Expr::NotEmpty(of) => Expr::Empty(of),
            Expr::ZoneNonEmpty(of) => Expr::ZoneEmpty(of),
            Expr::ZoneEmpty(of) => Expr::ZoneNonEmpty(of),
            Expr::ZoneNonEmptyAt(zone) => Expr::ZoneEmptyAt(zone),
            Expr::ZoneEmptyAt(zone) => Expr::ZoneNonEmptyAt(zone),
            // Order comparisons are false with `none`, so only these two have an opposite.
            Expr::Cmp(Cmp::Eq, ab) => Expr::Cmp(Cmp::Ne, ab),
            Expr::Cmp(Cmp::Ne, ab) => Expr::Cmp(Cmp::Eq, ab),
            Expr::CmpConst(Cmp::Eq, a, b) => Expr::CmpConst(Cmp::Ne, a, b),
            Expr::CmpConst(Cmp::Ne, a, b) => Expr::CmpConst(Cmp::Eq, a, b),
            e => Expr::Not(Box::new(e)),
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        match (self.constant(), other.constant()) {
            (Some(0), _) | (_, Some(0)) => Expr::Const(0),
            (Some(_), _) => other.truth(),
            (_, Some(_)) => self.truth(),
            _ => Expr::All(series(self, other, |e| if let Expr::All(tests) = e { Ok(tests) } else { Err(e) })),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        match (self.constant(), other.constant()) {
            (Some(0), _) => other.truth(),
            (_, Some(0)) => self.truth(),
            (Some(_), _) | (_, Some(_)) => Expr::Const(1),
            _ => Expr::Any(series(self, other, |e| if let Expr::Any(tests) = e { Ok(tests) } else { Err(e) })),
        }
    }

    pub(super) fn arith(op: Arith, a: Self, b: Self) -> Self {
        match (op, a.constant(), b.constant()) {
            (_, Some(x), Some(y)) => Expr::Const(arith(op, x, y)),
            (Arith::Add | Arith::Sub, None, Some(0)) => a,
            (Arith::Add, Some(0), None) => b,
            _ => Expr::Arith(op, Box::new([a, b])),
        }
    }

    pub(super) fn compare(op: Cmp, a: Self, b: Self) -> Self {
        let mirrored = match op {
            Cmp::Eq | Cmp::Ne => op,
            Cmp::Lt => Cmp::Gt,
            Cmp::Le => Cmp::Ge,
            Cmp::Gt => Cmp::Lt,
            Cmp::Ge => Cmp::Le,
        };
        match (a.constant(), b.constant()) {
            (Some(x), Some(y)) => Expr::Const(compare(op, x, y) as i32),
            (_, Some(n)) if n != NONE_VALUE => a.compare_const(op, n),
            (Some(n), _) if n != NONE_VALUE => b.compare_const(mirrored, n),
            _ => Expr::Cmp(op, Box::new([a, b])),
        }
    }

    /// Compares with a constant. Comparisons of a count with 0 or 1 become tests for emptiness.
    fn compare_const(self, op: Cmp, n: i32) -> Self {
        match (self, op, n) {
            (Expr::Count(of), Cmp::Eq | Cmp::Le, 0) | (Expr::Count(of), Cmp::Lt, 1) => of.emptiness(),
            (Expr::Count(of), Cmp::Ne | Cmp::Gt, 0) | (Expr::Count(of), Cmp::Ge, 1) => of.emptiness().not(),
            (Expr::SeatsHolding { any: false, base }, Cmp::Gt, 0) => Expr::SeatsHolding { any: true, base },
            (Expr::SeatsHolding { any: false, base }, op, n @ -100..=100) => Expr::HoldersCmp { op, base, n: n as i8 },
            // A condition compared with yes or no is the condition or its opposite.
            (e, Cmp::Ne, 0) if e.is_truth() => e,
            (e, Cmp::Eq, 1) if e.is_truth() => e,
            (e, Cmp::Eq, 0) if e.is_truth() => e.not(),
            (e, _, _) => Expr::CmpConst(op, Box::new(e), n),
        }
    }
}

/// Joins two lists of conditions; nested lists of the same kind are flattened.
fn series<S>(a: Expr<S>, b: Expr<S>, apart: impl Fn(Expr<S>) -> Result<Box<[Expr<S>]>, Expr<S>>) -> Box<[Expr<S>]> {
    let mut tests = Vec::new();
    for test in [a, b] {
        match apart(test) {
            Ok(inner) => tests.extend(inner),
            Err(test) => tests.push(test),
        }
    }
    tests.into()
}

impl<S: CardSet> Set<S> {
    pub(super) fn emptiness(self) -> Expr<S> {
        match self {
            Set::Fixed(set) => Expr::Const(set.is_empty() as i32),
            Set::Zone(Spot::At(zone)) => Expr::ZoneEmptyAt(zone),
            Set::Zone(spot) => Expr::ZoneEmpty(Box::new(spot)),
            set => Expr::Empty(Box::new(set)),
        }
    }

    pub(super) fn filtered(self, test: Test<S>) -> Self {
        match (self, test) {
            (set, Test::Always) => set,
            (_, Test::Never) => Set::Fixed(S::empty()),
            (Set::Fixed(set), Test::In(mask)) => Set::Fixed(set.and(&mask)),
            (Set::Where(inner), test) => {
                let (set, first) = *inner;
                Set::Where(Box::new((set, first.and(test))))
            }
            (set, test) => Set::Where(Box::new((set, test))),
        }
    }
}

impl<S: CardSet> Test<S> {
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Test::Always, t) | (t, Test::Always) => t,
            (Test::Never, _) | (_, Test::Never) => Test::Never,
            (Test::In(a), Test::In(b)) => Test::In(a.and(&b)),
            (a, b) => Test::And(Box::new([a, b])),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Test::Never, t) | (t, Test::Never) => t,
            (Test::Always, _) | (_, Test::Always) => Test::Always,
            (Test::In(a), Test::In(b)) => Test::In(a.or(&b)),
            (a, b) => Test::Or(Box::new([a, b])),
        }
    }

    pub(super) fn not(self, all: &S) -> Self {
        match self {
            Test::Always => Test::Never,
            Test::Never => Test::Always,
            Test::In(set) => Test::In(all.andnot(&set)),
            Test::Attr(attr, Cmp::Eq, value) => Test::Attr(attr, Cmp::Ne, value),
            Test::Attr(attr, Cmp::Ne, value) => Test::Attr(attr, Cmp::Eq, value),
            Test::Follows(follow) => Test::Follows(Follow { not: !follow.not, ..follow }),
            Test::Not(inner) => *inner,
            test => Test::Not(Box::new(test)),
        }
    }
}
