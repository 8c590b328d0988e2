//! Builds an instance: rules with options, packs and seats filled in, in the form in which the engine runs them.
//!
//! [`instantiate`] is the only entry point. `lower` turns the program's expressions into [`crate::instance::expr`] and its
//! ops into [`crate::instance::code`]; `closures`, `choice` and `instructions` turn the most frequent of them into closures.

mod choice;
mod closures;
mod instructions;
mod lower;

use crate::cardset::CardSet;
use crate::frame::{Frame, List, NO_ID, Pile, SeatFrame, Status};
use crate::instance::cards::{self, Card, Cards, PackCard};
use crate::instance::expr::Expr;
use crate::instance::options::{self, SetupContext};
use crate::instance::{Game, Instance, InstantiateError, Layout};
use baize_rules::program::{MAX_SEATS, Num, OptionValue, Program};
use lower::Lower;
use std::sync::Arc;

/// Makes a program ready for tables with these options, packs and seats.
pub fn instantiate(
    program: Arc<Program>,
    options: &[(String, OptionValue)],
    packs: &[PackCard],
    seats: usize,
) -> Result<Game, InstantiateError> {
    let (low, high) = (program.meta.min_players, program.meta.max_players);
    if seats < low as usize || seats > high as usize || seats > MAX_SEATS || seats == 0 {
        return Err(InstantiateError::SeatsOutOfRange { low, high, seats });
    }
    let options = options::choose(&program, options)?;
    let cards = cards::make(&program, &options, seats, packs)?;
    Ok(match cards.len() {
        0..=64 => Game::Small(Arc::new(Instance::new(program, options, cards, seats)?)),
        65..=128 => Game::Medium(Arc::new(Instance::new(program, options, cards, seats)?)),
        _ => Game::Large(Arc::new(Instance::new(program, options, cards, seats)?)),
    })
}

impl<S: CardSet> Instance<S> {
    /// Lowers an expression that is not part of the rules but uses their names. Scenarios check positions with it.
    pub fn lower_value(&self, value: &Num) -> Result<Expr<S>, InstantiateError> {
        let mut lower = Lower::new(&self.program, &self.options, self.seats, &self.cards, &self.layout);
        let value = lower.num(value);
        lower.finish().map(|()| value)
    }

    fn new(
        program: Arc<Program>,
        options: Vec<OptionValue>,
        cards: Vec<Card>,
        seats: usize,
    ) -> Result<Self, InstantiateError> {
        let layout = Layout::new(&program, seats, cards.len())?;
        let cards = Cards::new(&program, cards);
        let known = SetupContext { options: &options, seats, card: None };
        let start = starting_frame(&program, &layout, &cards, &known);
        let mut lower = Lower::new(&program, &options, seats, &cards, &layout);
        let (code, shown) = (lower.code(), lower.shown());
        lower.finish()?;
        Ok(Instance { code, shown, program, options, seats, cards, layout, start })
    }
}

fn starting_frame<S: CardSet>(program: &Program, layout: &Layout, cards: &Cards<S>, known: &SetupContext) -> Frame<S> {
    let mut sets = vec![S::empty(); layout.instances.len() + 1];
    let mut lists = vec![Pile::new(); layout.lists as usize];
    let mut placed = S::empty();
    for (zone, at) in program.zones.iter().zip(&layout.zones) {
        let Some(deck) = zone.starts_with.and_then(|d| cards.decks.get(d as usize)) else { continue };
        if at.len == 0 {
            continue;
        }
        // A card lies in one place only, even if two zones start with its deck.
        let here = deck.andnot(&placed);
        placed = placed.or(&here);
        if at.listed {
            lists[layout.instances[at.base as usize].list as usize] = here.iter().collect();
        }
        sets[at.base as usize] = here;
    }
    Frame {
        cells: layout.initial(program, known).into(),
        sets: sets.into(),
        lists: lists.into(),
        by: vec![-1; if layout.remembers { cards.len() } else { 0 }].into(),
        face_down: S::empty(),
        picked: vec![List::new(); layout.picked as usize].into(),
        seats: vec![SeatFrame::default(); known.seats].into(),
        playing: 0,
        present: 0,
        person: 0,
        pending: 0,
        open: 0,
        threads: 0,
        lead: -1,
        status: Status::Lobby,
        paused: false,
        pc: 0,
        asked: NO_ID,
        together: NO_ID,
        decision: 0,
        next_decision: 1,
        skips: 0,
        phase: NO_ID,
        moves: 0,
        chance: 0,
        answers: Vec::new(),
        texts: None,
        outcome: None,
    }
}
