//! Lowers the program's expressions into [`crate::instance::expr`], and its ops into [`crate::instance::code`].
//!
//! Options, seats and cards are known by now, so conditions on options and most names fold into constants.

mod ask;
mod branches;
mod constructors;
mod flow;
mod mentions;
mod num;
mod op;
mod set;
mod show;
mod test;
mod text;

use crate::cardset::CardSet;
use crate::instance::cards::Cards;
use crate::instance::closure::Cond;
use crate::instance::context::{REGISTERS, Reg};
use crate::instance::expr::{Expr, Members, Spot};
use crate::instance::layout::Layout;
use crate::instance::options::SetupContext;
use crate::instance::{Card, InstantiateError};
use baize_rules::program::{AttrId, BoundId, DeckId, NONE, OptionValue, Program, Seats};
use mentions::mentions;
use smallvec::SmallVec;

/// Expressions that are nested deeper than this are refused, because evaluation is recursive.
const MAX_DEPTH: usize = 400;

/// The state of lowering: what is known, and the bound variables in scope.
pub(super) struct Lower<'a, S> {
    pub program: &'a Program,
    pub known: SetupContext<'a>,
    pub cards: &'a Cards<S>,
    pub layout: &'a Layout,
    /// Bound variables in scope, the innermost one last.
    scope: Vec<(BoundId, Binding)>,
    regs: usize,
    picks: usize,
    /// The meaning of `Me` in the code that is being lowered.
    me: SeatSource,
    depth: usize,
    too_deep: bool,
}

#[derive(Clone, Copy)]
enum Binding {
    Reg(Reg),
    /// Several cards, in a pick register.
    Pick(Reg),
}

/// How the code that is being lowered finds the seat `Me`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SeatSource {
    /// The evaluation has the seat: in conditions of alternatives, prompts and threads.
    Given,
    /// A cell has the seat whose answer is being executed.
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
            me: SeatSource::Given,
            depth: 0,
            too_deep: false,
        }
    }

    /// Returns an error if an expression was too deep or needed too many registers.
    pub fn finish(&self) -> Result<(), InstantiateError> {
        if self.too_deep { Err(InstantiateError::TooDeep) } else { Ok(()) }
    }

    fn me(&self) -> Expr<S> {
        match self.me {
            SeatSource::Given => Expr::Me,
            SeatSource::Cell(cell) => Expr::Cell(cell),
            SeatSource::Nobody => Expr::Const(NONE),
        }
    }

    /// Lowers one level deeper. An expression that is too deep becomes `otherwise`, and [`Lower::finish`] refuses the table.
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
            // A condition that always holds is left out.
            let cond = seats.cond.as_ref().map(|c| lower.num(c)).filter(|c| !matches!(c, Expr::Const(v) if *v != 0));
            Members { reg, holding: lower.holding(&cond, reg), cond: cond.map(Cond::new) }
        })
    }

    /// Returns the first instance of a family, if the condition is only that the seat's own instance holds cards.
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

    /// Returns the cards of a deck with these attributes.
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
