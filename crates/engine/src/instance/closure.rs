//! Closures into which the builder turns rules that are evaluated at almost every move.
//!
//! A closure holds the cells, zones and registers that its expression reads, so that nobody decodes the expression again at
//! every call. Only the types are here, because [`super::code`] and [`super::question`] contain them; `crate::build` makes the closures.

use super::context::{Eval, Registers};
use crate::frame::Frame;
use baize_rules::program::Pc;
use std::fmt;
use std::sync::Arc;

type EvalFn<S, T> = dyn Fn(Eval<S>) -> T + Send + Sync;

/// An expression that evaluates to a `T`.
pub struct Closure<S, T>(Arc<Held<S, T>>);

/// The `Box` makes calls faster: in an `Arc<dyn Fn>` each call would compute the closure's address from its alignment.
struct Held<S, T>(Box<EvalFn<S, T>>);

/// A condition.
pub type Cond<S> = Closure<S, bool>;
/// A number.
pub type Value<S> = Closure<S, i32>;

impl<S, T> Closure<S, T> {
    pub(crate) fn from_fn(eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Self {
        Closure(Arc::new(Held(Box::new(eval))))
    }
}

impl<S> Value<S> {
    #[inline(always)]
    pub fn get(&self, eval: Eval<S>) -> i32 {
        (self.0.0)(eval)
    }
}

impl<S> Cond<S> {
    #[inline(always)]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        (self.0.0)(eval)
    }
}

impl<S, T> Clone for Closure<S, T> {
    fn clone(&self) -> Self {
        Closure(self.0.clone())
    }
}

impl<S, T> fmt::Debug for Closure<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Closure")
    }
}

impl<S, T> PartialEq for Closure<S, T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

type ChooseFn<S> = dyn Fn(Eval<S>) -> (S, u64) + Send + Sync;

/// Computes the legal cards of an alternative whose only part is one card, and as bits the `must` rules that restrict them.
pub struct CardChoice<S>(Box<ChooseFn<S>>);

impl<S> CardChoice<S> {
    pub(crate) fn from_fn(choose: impl Fn(Eval<S>) -> (S, u64) + Send + Sync + 'static) -> Self {
        CardChoice(Box::new(choose))
    }

    #[inline(always)]
    pub fn cards(&self, eval: Eval<S>) -> (S, u64) {
        (self.0)(eval)
    }
}

impl<S> fmt::Debug for CardChoice<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("CardChoice")
    }
}

type InstructionFn<S> = dyn Fn(&mut Frame<S>, &Registers<S>) -> Pc + Send + Sync;

/// An instruction as a closure: it changes the frame and returns the next pc, possibly with one of the flags below.
///
/// It uses no chance and tells no sink, so only playouts and searches run it.
pub struct CompiledInstruction<S>(Box<InstructionFn<S>>);

impl<S> CompiledInstruction<S> {
    /// Flag of a pc: the jump goes backwards, so it costs fuel.
    pub(crate) const BACK: Pc = 1 << 31;
    /// Flag of a pc: nothing has changed yet, and the interpreter has to execute the instruction at this pc.
    pub(crate) const INTERPRET: Pc = 1 << 30;
    /// Flag of a pc: the fuel is used up.
    pub(crate) const SPENT: Pc = 1 << 29;
    /// Flag of a question's number, which then stands in place of a pc: ask it of the seat in [`Registers::me`].
    pub(crate) const ASK: Pc = 1 << 28;

    pub(crate) fn from_fn(run: impl Fn(&mut Frame<S>, &Registers<S>) -> Pc + Send + Sync + 'static) -> Self {
        CompiledInstruction(Box::new(run))
    }

    #[inline(always)]
    pub(crate) fn run(&self, frame: &mut Frame<S>, at: &Registers<S>) -> Pc {
        (self.0)(frame, at)
    }
}

impl<S> fmt::Debug for CompiledInstruction<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("CompiledInstruction")
    }
}
