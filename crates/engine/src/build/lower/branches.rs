//! Splits the condition of a branch into one test per instruction.
//!
//! "unless redeal or holders <= 1" becomes two tests, each with a pc for yes and one for no. So `and`, `or` and `not` cost nothing at
//! run time. The first test stays at the pc of its op; the others follow the last op.

use crate::cardset::CardSet;
use crate::instance::code::Instruction;
use crate::instance::expr::Expr;
use baize_rules::program::Pc;

/// A lowered op.
pub(super) enum LoweredOp<S> {
    Instruction(Instruction<S>),
    /// Continues with the next op if the condition holds, otherwise at this pc.
    Unless(Expr<S>, Pc),
}

/// Instructions, each with the pc of the next; first those of the program, then the added tests.
pub(super) struct SplitBranches<S> {
    pub instructions: Vec<(Instruction<S>, Pc)>,
    /// For each added test, the pc of the op it was made for.
    pub origins: Vec<Pc>,
}

impl<S: CardSet> SplitBranches<S> {
    pub fn new(ops: Vec<LoweredOp<S>>) -> Self {
        // Each op keeps its pc; added tests follow all of them.
        let empty = ops.iter().map(|_| (Instruction::Return, 0)).collect();
        let mut split = SplitBranches { instructions: empty, origins: Vec::new() };
        for (pc, op) in ops.into_iter().enumerate() {
            let next = pc as Pc + 1;
            match op {
                LoweredOp::Instruction(instruction) => split.instructions[pc] = (instruction, next),
                LoweredOp::Unless(cond, no) => split.test(pc, pc as Pc, cond, next, no),
            }
        }
        split
    }

    /// Writes a condition at a pc; `and`, `or` and `not` become several tests.
    fn test(&mut self, at: usize, origin: Pc, cond: Expr<S>, yes: Pc, no: Pc) {
        self.instructions[at] = match cond {
            Expr::All(tests) => return self.series(at, origin, tests, |next| (next.unwrap_or(yes), no)),
            Expr::Any(tests) => return self.series(at, origin, tests, |next| (yes, next.unwrap_or(no))),
            Expr::Not(inner) => return self.test(at, origin, *inner, no, yes),
            cond => (Instruction::Unless(cond, no), yes),
        };
    }

    /// Writes conditions one after the other. `leads` returns the pcs for yes and no of a test, given the pc of the next test.
    fn series(&mut self, at: usize, origin: Pc, tests: Box<[Expr<S>]>, leads: impl Fn(Option<Pc>) -> (Pc, Pc)) {
        let last = tests.len().saturating_sub(1);
        let mut here = at;
        for (i, test) in tests.into_iter().enumerate() {
            let next = (i < last).then(|| {
                self.instructions.push((Instruction::Return, 0));
                self.origins.push(origin);
                self.instructions.len() - 1
            });
            let (yes, no) = leads(next.map(|pc| pc as Pc));
            self.test(here, origin, test, yes, no);
            here = next.unwrap_or(here);
        }
    }
}
