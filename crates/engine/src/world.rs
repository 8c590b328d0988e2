//! Worlds: tables that might be the true one. Bots search them.
//!
//! A world is made from a [`Sight`] and what its viewer remembers, never from a table. It looks to the viewer the same as the table.
//! Sealed answers of others are drawn from what they could legally answer in the world.

use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Ended, Frame, NO_ID, SealedAnswer, seats_of};
use crate::instance::Instance;
use crate::instance::question::LoweredPartKind;
use crate::legal::Legal;
use crate::moves::{Move, PartValue, Refusal};
use crate::observe::Observer;
use crate::resample::{self, Beliefs, Draws};
use crate::sight::{Scene, Sight};
use crate::sink::NullSink;
use crate::step::Interpreter;
use crate::view::{View, Viewer};
use baize_rules::program::NONE;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct World<S> {
    scene: Arc<Scene<S>>,
    frame: Frame<S>,
    chance: FastChance,
}

/// Makes worlds that fit one sight. Each world has the same probability, but together they are stratified: each hidden card is in turn the
/// next card of the stock, and the first random number of a world goes through all parts of its range.
#[derive(Debug)]
pub struct Worlds<'a, S> {
    sight: &'a Sight<S>,
    beliefs: &'a Beliefs<'a, S>,
    chance: FastChance,
    draws: Draws,
    /// The parts of the range of the first random number, in random order.
    parts: [u16; PARTS],
    made: usize,
}

/// Number of parts; most numbers of faces or cards divide it.
const PARTS: usize = 60;

impl<'a, S: CardSet> Worlds<'a, S> {
    /// The same seed gives the same worlds.
    pub fn new(sight: &'a Sight<S>, beliefs: &'a Beliefs<'a, S>, seed: u64) -> Self {
        let draws = Draws::new(sight, beliefs.knowledge);
        let parts = std::array::from_fn(|part| part as u16);
        Worlds { sight, beliefs, chance: FastChance::new(seed), draws, parts, made: 0 }
    }

    /// Whether each hidden card was the next one equally often.
    pub fn even(&self) -> bool {
        self.draws.even()
    }

    /// Makes another world.
    pub fn another(&mut self) -> World<S> {
        if self.made.is_multiple_of(PARTS) {
            self.chance.shuffle(&mut self.parts);
        }
        let part = self.parts[self.made % PARTS];
        self.made += 1;
        let next = self.draws.another(&mut self.chance);
        let frame = resample::deal(self.sight, self.beliefs, next, &mut self.chance);
        let mut world = World { scene: self.sight.scene().clone(), frame, chance: FastChance::new(self.chance.word()) };
        world.guess_answers(self.sight);
        world.guess_threads(self.sight);
        // One seed in `PARTS` begins with a number of this part.
        let begins = |chance: &FastChance| chance.clone().below(PARTS as u32) == u32::from(part);
        while !begins(&world.chance) {
            world.chance = FastChance::new(self.chance.word());
        }
        world
    }
}

impl<S: CardSet> World<S> {
    /// Makes one world; the same seed gives the same world.
    pub fn new(sight: &Sight<S>, beliefs: &Beliefs<S>, seed: u64) -> Self {
        Worlds::new(sight, beliefs, seed).another()
    }

    pub fn instance(&self) -> &Arc<Instance<S>> {
        &self.scene.instance
    }

    /// Returns the frame. It contains no secret, because the world is made up.
    pub fn frame(&self) -> &Frame<S> {
        &self.frame
    }

    /// Returns the seats with an open decision, as bits.
    #[inline]
    pub fn open(&self) -> u32 {
        self.frame.open
    }

    #[inline]
    pub fn legal(&self, seat: u8) -> Option<Legal<S>> {
        self.scene.instance.legal(&self.frame, seat)
    }

    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<(), Refusal> {
        self.scene.instance.play(&mut self.frame, seat, answer, &mut self.chance, &mut NullSink)
    }

    /// Makes a move that was taken from [`World::legal`].
    #[inline]
    pub fn play_unchecked(&mut self, seat: u8, answer: &Move) {
        self.scene.instance.play_unchecked(&mut self.frame, seat, answer, &mut self.chance, &mut NullSink);
    }

    /// Plays at most `most` random legal moves, until the game ends or nobody is asked; returns the number of moves made.
    pub fn playout(&mut self, most: u32, choice: &mut impl Chance) -> u32 {
        self.scene.instance.playout(&mut self.frame, most, &mut self.chance, choice)
    }

    #[inline]
    pub fn outcome(&self) -> Option<&Ended> {
        self.frame.outcome.as_ref()
    }

    /// Returns the generator of shuffles and rolls, for choices of the search itself.
    pub fn chance(&mut self) -> &mut FastChance {
        &mut self.chance
    }

    /// Returns what a viewer would see in this world, with new handles.
    pub fn view(&self, viewer: Viewer) -> View {
        Observer::new(&self.scene, &self.frame, viewer, 0).view().clone()
    }

    /// Returns what a viewer would know in this world.
    pub fn sight(&self, viewer: Viewer) -> Sight<S> {
        Sight::new(&self.scene, &self.frame, viewer)
    }

    /// Draws the sealed answers of others from their legal answers, and each unseen card of an answer from its zone.
    fn guess_answers(&mut self, sight: &Sight<S>) {
        let known = sight.knowing_seat().map_or(0, |seat| 1 << seat);
        let Some(ask) = self.scene.instance.sealed_ask(&self.frame) else { return };
        let instance = self.scene.instance.clone();
        let question = &instance.code.questions[usize::from(ask)];
        for seat in seats_of(sight.answered()) {
            let me = i32::from(seat);
            let place = self.frame.answers.partition_point(|answer| answer.seat < seat);
            let (mut answer, own) = match self.frame.answers.get(place) {
                Some(own) if own.seat == seat && known >> seat & 1 == 1 => (own.answer.clone(), true),
                _ => (instance.legal_answers(&self.frame, ask, seat).sample(&mut self.chance), false),
            };
            // The answer `continue` has no offer, and so no parts.
            let lowered = question.offers.get(usize::from(answer.alternative)).map(|offer| &offer.parts[..]);
            for (lowered, value) in lowered.unwrap_or_default().iter().zip(&mut answer.parts) {
                // The part of an unseen card holds a card number. The viewer's own answer has one already if the viewer can
                // see the card; otherwise the mask has replaced it by NONE, and any card of the zone may be the drawn one.
                if let (LoweredPartKind::Unseen(spot), PartValue::Number(n)) = (&lowered.kind, value)
                    && !(own && *n != NONE)
                {
                    let zone = instance.evaluate_for_view(&self.frame, me, &[], |eval| eval.spot(spot));
                    let mut cards = instance.in_order(&self.frame, zone);
                    // The viewer sees the cards that lie face up, and knows that it has drawn none of them.
                    if own && cards.iter().any(|card| self.frame.face_down.contains(*card)) {
                        cards.retain(|card| self.frame.face_down.contains(*card));
                    }
                    let drawn = self.chance.below(cards.len() as u32) as usize;
                    *n = cards.get(drawn).map_or(NONE, |card| i32::from(*card));
                }
            }
            match self.frame.answers.get_mut(place) {
                Some(own) if own.seat == seat => own.answer = answer,
                _ => self.frame.answers.insert(place, SealedAnswer { seat, answer }),
            }
        }
    }

    /// Guesses the position of other seats in a `together` block: each is at the first question that it would be asked if its
    /// thread began now.
    fn guess_threads(&mut self, sight: &Sight<S>) {
        let instance = self.scene.instance.clone();
        if self.frame.together == NO_ID {
            return;
        }
        let known = sight.knowing_seat().map_or(0, |seat| 1 << seat);
        for seat in seats_of(self.frame.threads & !known) {
            let at = usize::from(seat);
            let asked = self.frame.seats[at];
            let mut scratch = self.frame.clone();
            scratch.open &= !(1 << seat);
            Interpreter::new(&instance, &mut scratch, &mut self.chance, &mut NullSink).restart_thread(seat);
            // The restarted thread gives the question, its pc and the locals of the seat. The world takes nothing else from it,
            // because the viewer sees the rest of the table.
            let mut guess = match scratch.is_open(seat) {
                true => scratch.seats[at],
                false => match first_ask(&instance, self.frame.together) {
                    Some((pc, ask)) => crate::frame::SeatFrame { pc, ask, ..asked },
                    None => continue,
                },
            };
            guess.decision = asked.decision;
            self.frame.seats[at] = guess;
            for layout in instance.layout.vars.iter().filter(|layout| layout.seat_local) {
                let per_seat = layout.len / instance.seats as u32;
                for element in u32::from(seat) * per_seat..(u32::from(seat) + 1) * per_seat {
                    let cell = (layout.base + element) as usize;
                    self.frame.cells[cell] = scratch.cells[cell];
                    if let Some(first) = layout.picked {
                        let place = (first + element) as usize;
                        self.frame.picked[place] = std::mem::take(&mut scratch.picked[place]);
                    }
                }
            }
        }
    }
}

/// Returns the first ask of a `together` block.
fn first_ask<S: CardSet>(instance: &Instance<S>, block: u16) -> Option<(u32, u16)> {
    use crate::instance::code::Instruction;
    let from = instance.code.blocks.get(usize::from(block))?.body;
    instance.code.instructions.iter().enumerate().skip(from as usize).find_map(|(pc, linked)| {
        match &linked.instruction {
            Instruction::Ask(ask) if instance.code.questions[usize::from(*ask)].threaded => Some((pc as u32, *ask)),
            _ => None,
        }
    })
}
