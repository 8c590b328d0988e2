//! The arguments of an evaluation: the frame that it reads, and registers.
//!
//! The types are here and not in `crate::eval`, because the closures that an instance holds take them as arguments. The methods that
//! evaluate expressions are in `crate::eval`; those that list legal answers are in `crate::legal`.

use super::Instance;
use crate::frame::{Frame, List};
use std::cell::{Cell, RefCell};

/// Number of registers, and so of bound variables that can be in scope at once.
pub const REGISTERS: usize = 32;

/// A register for a number. Bound variables are in numbered registers, by nesting depth.
pub type Reg = u8;

/// The state of an evaluation besides the frame. It consists of `Cell`s, because an [`Eval`] is passed by value.
#[derive(Debug)]
pub struct Registers<'a, S> {
    instance: &'a Instance<S>,
    values: [Cell<i32>; REGISTERS],
    picks: RefCell<Vec<List>>,
    /// The seat whose decision or thread is evaluated; NONE outside of decisions.
    pub me: Cell<i32>,
    /// The rest of the budget. Below 0, loops stop early and the step is void.
    fuel: Cell<i64>,
}

impl<'a, S> Registers<'a, S> {
    #[inline]
    pub fn new(instance: &'a Instance<S>, me: i32, fuel: i64) -> Self {
        Registers {
            instance,
            values: [const { Cell::new(0) }; REGISTERS],
            picks: RefCell::default(),
            me: Cell::new(me),
            fuel: Cell::new(fuel),
        }
    }

    #[inline]
    pub fn instance(&self) -> &'a Instance<S> {
        self.instance
    }

    #[inline]
    pub fn get(&self, reg: Reg) -> i32 {
        self.values[reg as usize % REGISTERS].get()
    }

    #[inline]
    pub fn set(&self, reg: Reg, value: i32) {
        self.values[reg as usize % REGISTERS].set(value);
    }

    #[inline]
    pub fn spend(&self, fuel: i64) {
        self.fuel.set(self.fuel.get() - fuel);
    }

    #[inline]
    pub fn refuel(&self, fuel: i64) {
        self.fuel.set(fuel);
    }

    /// Whether the budget is used up.
    #[inline]
    pub fn spent(&self) -> bool {
        self.fuel.get() < 0
    }

    pub fn pick(&self, reg: Reg) -> List {
        self.picks.borrow().get(reg as usize).cloned().unwrap_or_default()
    }

    pub fn set_pick(&self, reg: Reg, cards: &[u16]) {
        let mut picks = self.picks.borrow_mut();
        if picks.len() <= reg as usize {
            picks.resize(reg as usize + 1, List::new());
        }
        let pick = &mut picks[reg as usize];
        pick.clear();
        pick.extend_from_slice(cards);
    }
}

/// The arguments of an evaluation. It has two words, so that the compiler passes it in machine registers.
#[derive(Debug)]
pub struct Eval<'a, S> {
    pub frame: &'a Frame<S>,
    pub at: &'a Registers<'a, S>,
}

impl<S> Clone for Eval<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Eval<'_, S> {}
