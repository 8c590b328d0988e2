//! The compiled form of ops, which the interpreter and playouts run. `crate::build` makes it.
//!
//! An `Op` becomes an [`Instruction`] at the same pc; playouts run most of them as closures ([`CompiledInstruction`]). The
//! expressions of an instruction are in [`super::expr`], and [`super::question`] has what an ask offers.

use super::closure::{CompiledInstruction, Cond};
use super::context::Reg;
use super::expr::{Cell, Expr, Members, Script, Set, Spot, VariableTarget};
use super::question::{Block, Question};
use baize_rules::program::{AnnounceKind, AskId, DeckId, GameEnd, Pc, ValueFormat, VarId, ZoneId};
use smallvec::SmallVec;

/// The player whom a zone remembers for the cards that an instruction moves.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Bringer<S> {
    /// The seat whose answer is being executed.
    Seat(Expr<S>),
    /// The owner of the zone that the card comes from. Used outside of answers.
    Owner,
}

#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Instruction<S> {
    Set(Box<(VariableTarget<S>, Expr<S>)>),
    Add(Box<(VariableTarget<S>, Expr<S>)>),
    Jump(Pc),
    /// Continues with the next instruction if the condition holds, otherwise at this pc.
    Unless(Expr<S>, Pc),
    Circle(Box<Circle<S>>),
    CountTo(Box<CountTo<S>>),
    /// Moves one card; the most frequent kind of move. The card usually lies in `from`, but need not.
    MoveOne {
        card: Expr<S>,
        path: Box<Path<S>>,
    },
    /// Moves all cards of an instance.
    MoveAll(Box<Path<S>>),
    Move {
        what: Box<Set<S>>,
        path: Box<Path<S>>,
    },
    Draw {
        count: Expr<S>,
        path: Box<Path<S>>,
    },
    Deal(Box<Deal<S>>),
    Pass(Box<Pass<S>>),
    /// See `Op::RanOut`.
    RanOut,
    Gather {
        deck: DeckId,
        to: Spot<S>,
    },
    Shuffle(Spot<S>),
    Mix {
        from: Box<[ZoneId]>,
        to: ZoneId,
    },
    Turn {
        what: Box<Set<S>>,
        down: bool,
    },
    Roll(Box<Roll<S>>),
    RandomSeat(Box<(VariableTarget<S>, Members<S>)>),
    RandomCard(Box<(VariableTarget<S>, Set<S>)>),
    Announce {
        text: Box<Script<S>>,
        kind: AnnounceKind,
        to: Option<Box<Expr<S>>>,
    },
    RevealValue(Box<RevealValue<S>>),
    RevealCards {
        what: Box<Set<S>>,
        to: Option<Box<Expr<S>>>,
        listed: u16,
    },
    Write {
        text: Expr<S>,
        card: Expr<S>,
    },
    Phase(u16),
    Admit,
    Ask(AskId),
    NextAnswer(AskId),
    Together(u16),
    ThreadEnd,
    Return,
    End(Box<EndInstruction<S>>),
}

/// The zones from which an instruction takes cards and to which it moves them.
#[derive(Clone, Debug, PartialEq)]
pub struct Path<S> {
    pub from: Spot<S>,
    pub to: Spot<S>,
    pub face_down: bool,
    pub by: Bringer<S>,
}

/// Counts a variable up; see `Op::CountTo`.
#[derive(Clone, Debug, PartialEq)]
pub struct CountTo<S> {
    pub var: Cell<S>,
    pub high: Expr<S>,
    pub exit: Pc,
}

/// Runs steps for one player after another, once round the table; see `Op::Circle`.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle<S> {
    pub start: Cell<S>,
    pub step: Cell<S>,
    pub seat: Cell<S>,
    pub member: Members<S>,
    pub exit: Pc,
}

/// Hands the cards of each player's zone to another player, all at the same time; see `Op::Pass`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass<S> {
    pub zone: ZoneId,
    pub giver: Reg,
    pub to: Expr<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Deal<S> {
    pub from: Spot<S>,
    /// The family of zones that is dealt to, one instance per seat.
    pub to: ZoneId,
    pub each: Option<Expr<S>>,
    pub start: Expr<S>,
    pub seats: Members<S>,
    pub by: Bringer<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Roll<S> {
    pub dice: VarId,
    /// Leading indices. All dice with these indices are rolled.
    pub index: Vec<Expr<S>>,
    /// Rolls only dice that satisfy the condition, which reads the remaining indices from these registers.
    pub cond: Option<(SmallVec<[Reg; 2]>, Cond<S>)>,
    /// The cell of the die, if there is exactly one.
    pub one: Option<Cell<S>>,
    /// Clears the dice instead of rolling them.
    pub clear: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RevealValue<S> {
    pub target: VariableTarget<S>,
    pub value: Expr<S>,
    pub show: ValueFormat,
    pub to: Option<Expr<S>>,
    pub listed: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EndInstruction<S> {
    pub outcome: OutcomeRule<S>,
    pub banner: Option<Script<S>>,
    /// The declaration in the program, for code that shows what a game is about.
    pub source: GameEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeRule<S> {
    /// One seat, which need not be playing.
    Winner(Expr<S>),
    Loser(Expr<S>),
    Winners(Members<S>),
    Losers(Members<S>),
    Ranking {
        reg: Reg,
        by: Expr<S>,
        highest_first: bool,
        /// What decides between seats that are equal so far.
        then: Vec<(Expr<S>, bool)>,
    },
    EveryoneWins,
    EveryoneLoses,
    EveryoneScores {
        score: Expr<S>,
        most: Expr<S>,
    },
    Draw,
    Void,
}

/// Everything that the interpreter and playouts run.
#[derive(Debug)]
pub struct InstanceCode<S> {
    /// Indexed by pc. The tests that were split off from branches follow the ops.
    pub instructions: Vec<LinkedInstruction<S>>,
    /// For each test that was split off, the pc of the op it was made for.
    pub origins: Vec<Pc>,
    /// Indexed by pc: the instruction as a closure, for playouts and searches.
    pub compiled: Vec<CompiledInstruction<S>>,
    pub questions: Vec<Question<S>>,
    pub blocks: Vec<Block<S>>,
    /// The cell of the hook's seat, and the pc of its body.
    pub on_leave: Option<(u32, Pc)>,
    pub on_join: Option<(u32, Pc)>,
    /// Indexed by zone: the maximum number of cards of an instance.
    pub capacities: Vec<Option<Expr<S>>>,
    /// Conditions for starting a table, each with the reason that a refusal gives.
    pub start_conditions: Vec<(Expr<S>, Script<S>)>,
    /// Whether some ask can be dropped by a condition, so that open decisions have to be checked after every move.
    pub has_droppable_asks: bool,
}

/// An instruction and the pc of the next one. It fills a cache line, so that its address is the pc shifted.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct LinkedInstruction<S> {
    pub instruction: Instruction<S>,
    /// The next instruction in normal play; jumps have been followed.
    pub next: Pc,
    /// The next instruction when no sink is active: also skips those that only announce or reveal.
    pub next_unobserved: Pc,
}

impl<S> InstanceCode<S> {
    pub fn instruction(&self, pc: Pc) -> Option<&Instruction<S>> {
        self.instructions.get(pc as usize).map(|linked| &linked.instruction)
    }

    /// Returns the pc of the op that an instruction was made for.
    pub fn origin(&self, pc: Pc) -> Pc {
        let ops = self.instructions.len() - self.origins.len();
        (pc as usize).checked_sub(ops).and_then(|at| self.origins.get(at)).copied().unwrap_or(pc)
    }
}
