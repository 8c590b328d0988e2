//! Turns the program's expressions into the form in which they run (see [`crate::instance::code`]).
//!
//! Options, seats and cards are known here, so most of what a designer writes for readability folds away.

mod ask;
mod branches;
mod constructors;
mod flow;
mod mentions;
mod num;
mod set;
mod show;
mod step;
mod test;
mod text;

use crate::cardset::CardSet;
use crate::instance::cards::Cards;
use crate::instance::closure::Cond;
use crate::instance::code::{Expr, Members, REGISTERS, Reg, Spot};
use crate::instance::layout::Layout;
use crate::instance::options::SetupContext;
use crate::instance::{Card, InstantiateError};
use baize_rules::program::{AttrId, BoundId, DeckId, NONE, OptionValue, Program, Seats};
use mentions::mentions;
use smallvec::SmallVec;

/// Expressions nested deeper than this are refused: evaluation recurses.
const MAX_DEPTH: usize = 400;

/// What is known while expressions are lowered.
pub(super) struct Lower<'a, S> {
    pub program: &'a Program,
    pub known: SetupContext<'a>,
    pub cards: &'a Cards<S>,
    pub layout: &'a Layout,
    /// Innermost last.
    scope: Vec<(BoundId, Binding)>,
    regs: usize,
    picks: usize,
    /// What `Me` means here.
    me: Me,
    depth: usize,
    too_deep: bool,
}

#[derive(Clone, Copy)]
enum Binding {
    Reg(Reg),
    /// Several cards, in a pick register.
    Pick(Reg),
}

/// How `Me` is found in the code being lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Me {
    /// Given to the evaluation: legality, prompts, threads.
    Given,
    /// The seat whose answer's body this is: kept in a cell.
    Cell(u32),
    Nobody,
}

impl<'a, S: CardSet> Lower<'a, S> {
    pub fn new(
        program: &'a Program,
        options: &'a [OptionValue],
        seats: usize,
        cards: &'a Cards<S>,
        layout: &'a Layout,
    ) -> Self {
        Lower {
            program,
            known: SetupContext { options, seats, card: None },
            cards,
            layout,
            scope: Vec::new(),
            regs: 0,
            picks: 0,
            me: Me::Given,
            depth: 0,
            too_deep: false,
        }
    }

    /// Whether everything fitted.
    pub fn finish(&self) -> Result<(), InstantiateError> {
        if self.too_deep { Err(InstantiateError::TooDeep) } else { Ok(()) }
    }

    fn me(&self) -> Expr<S> {
        match self.me {
            Me::Given => Expr::Me,
            Me::Cell(cell) => Expr::Cell(cell),
            Me::Nobody => Expr::Const(NONE),
        }
    }

    /// Lowers one level deeper; what is too deep becomes the given value, and the table is refused in the end.
    fn deeper<T>(&mut self, otherwise: T, lower: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return otherwise;
        }
        self.depth += 1;
        let result = lower(self);
        self.depth -= 1;
        result
    }

    /// Lowers with a bound variable in a fresh register.
    fn binding<T>(&mut self, bound: BoundId, lower: impl FnOnce(&mut Self, Reg) -> T) -> T {
        let reg = self.bind(bound);
        let result = lower(self, reg);
        self.scope.pop();
        self.regs -= 1;
        result
    }

    fn binding_all<T>(&mut self, bounds: &[BoundId], lower: impl FnOnce(&mut Self, SmallVec<[Reg; 2]>) -> T) -> T {
        let regs = bounds.iter().map(|bound| self.bind(*bound)).collect();
        let result = lower(self, regs);
        self.scope.truncate(self.scope.len() - bounds.len());
        self.regs -= bounds.len();
        result
    }

    /// Brings a bound variable into scope until [`Lower::clear_scope`].
    fn bind(&mut self, bound: BoundId) -> Reg {
        let reg = self.regs.min(REGISTERS - 1);
        self.too_deep |= self.regs >= REGISTERS;
        self.regs += 1;
        self.scope.push((bound, Binding::Reg(reg as Reg)));
        reg as Reg
    }

    fn bind_pick(&mut self, bound: BoundId) -> Reg {
        let reg = self.picks.min(REGISTERS - 1);
        self.too_deep |= self.picks >= REGISTERS;
        self.picks += 1;
        self.scope.push((bound, Binding::Pick(reg as Reg)));
        reg as Reg
    }

    fn clear_scope(&mut self) {
        self.scope.clear();
        self.regs = 0;
        self.picks = 0;
    }

    fn lookup(&self, bound: BoundId) -> Option<Binding> {
        self.scope.iter().rev().find(|(b, _)| *b == bound).map(|(_, binding)| *binding)
    }

    fn members(&mut self, seats: &Seats) -> Members<S> {
        self.binding(seats.bound, |lower, reg| {
            // A condition that always holds is none.
            let cond = seats.cond.as_ref().map(|c| lower.num(c)).filter(|c| !matches!(c, Expr::Const(v) if *v != 0));
            Members { reg, holding: lower.holding(&cond, reg), cond: cond.map(Cond::new) }
        })
    }

    /// The first instance of a family, if the condition is just that the seat's own one holds cards.
    fn holding(&self, cond: &Option<Expr<S>>, reg: Reg) -> Option<u32> {
        let Some(Expr::ZoneNonEmpty(spot)) = cond else { return None };
        match &**spot {
            Spot::By { base, low: 0, size, index }
                if **index == Expr::Reg(reg) && *size as usize == self.known.seats =>
            {
                Some(*base)
            }
            _ => None,
        }
    }

    /// The cards of a deck with these attributes.
    fn matching(&self, deck: DeckId, attrs: &[(AttrId, i32)]) -> S {
        self.cards_where(|card| card.deck == deck && attrs.iter().all(|a| card.attrs.contains(a)))
    }

    fn named(&self, name: &str) -> S {
        self.cards_where(|card| card.name.as_deref() == Some(name))
    }

    fn cards_where(&self, test: impl Fn(&Card) -> bool) -> S {
        S::from_cards(self.cards.cards.iter().enumerate().filter(|(_, c)| test(c)).map(|(i, _)| i as u16))
    }
}
