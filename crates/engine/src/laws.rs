//! Laws that hold for every game, as functions that any test can call on any table.
//!
//! - *View + batch = next view*, for every viewer ([`batches_lead_to_views`]).
//! - A saved and loaded table is the same table: it shows everyone the same, is saved as the same bytes ([`saving_keeps_tables`]), and
//!   goes on in the same way ([`loaded_tables_go_on`]).
//! - The sight of a seat alone decides what the seat may answer ([`sight_decides_legality`]). (`baize-terminal` lists the offers of a
//!   view, and has the law that the table accepts them.)
//! - A world shows its viewer what the table shows from which the world was made ([`worlds_keep_views`]).
//! - Players read true texts ([`sights_tell_the_truth`]): a text that reads a hidden value would show a false one.
//! - The table refuses answers that it does not offer ([`unoffered_answers_are_refused`]), and a playout leads to the same frame as its
//!   moves one by one ([`playouts_match_single_steps`]).
//! - *Nothing leaks*: if a test changes everything that a viewer can't see, nothing changes for the viewer ([`nothing_leaks`]). The
//!   viewer gets the same batch of a move that shows it nothing new ([`batches_tell_nothing_hidden`]), and the same batches of all
//!   later steps ([`Twin`]).
//! - *The list of reveals is complete* for answers: it names each question that offers a choice ([`choices_are_listed`]), and another
//!   answer makes a difference to other viewers only if the list says so ([`noticed_answers_are_listed`]).
//!
//! A law that is broken returns a sentence that says how.

mod answers;
mod batches;
mod likeness;
mod permute;
mod playouts;
mod reference;
mod truth;
mod twin;
mod unoffered;

pub use likeness::likeness;
pub use twin::{Twin, TwinStep};

use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::instance::Game;
use crate::live::{AnySight, Live, LiveTable, StepBatches};
use crate::moves::Move;
use crate::observe::{Knowledge, Observer};
use crate::reduce::reduce;
use crate::resample::Beliefs;
use crate::sight::Sight;
use crate::view::{View, Viewer};
use crate::world::World;
use baize_rules::program::MAX_SEATS;

/// The view of each viewer.
pub type Views = Vec<(Viewer, View)>;

/// Returns the views of all viewers of a table.
pub fn views(table: &LiveTable) -> Views {
    viewers(table).into_iter().filter_map(|viewer| Some((viewer, table.view(viewer)?.clone()))).collect()
}

/// Returns all viewers of a table: the seats that are or were taken, the spectators and the replay.
pub fn viewers(table: &LiveTable) -> Vec<Viewer> {
    let seats = (0..MAX_SEATS as u8).map(Viewer::Seat).filter(|seat| table.observer(*seat).is_some());
    seats.chain([Viewer::Spectator, Viewer::Replay]).collect()
}

/// Checks that every batch turns its viewer's last view into the next one. The caller passes the views before the step; the function
/// replaces them by those after it, and adds the views of players who have just sat down.
pub fn batches_lead_to_views(views: &mut Views, batches: &StepBatches, table: &LiveTable) -> Result<(), String> {
    for (viewer, view) in views.iter_mut() {
        let batch = batches.of(*viewer).ok_or_else(|| format!("{viewer:?} is told nothing"))?;
        reduce(view, batch).map_err(|error| format!("{viewer:?}: {error}: {batch:?}"))?;
        let next = table.view(*viewer).ok_or("no view")?;
        if view != next {
            return Err(format!("{viewer:?} is led to another view by {batch:?}: {}", difference(view, next)));
        }
    }
    for (at, viewer) in viewers(table).into_iter().enumerate() {
        if views.get(at).is_none_or(|(known, _)| *known != viewer) {
            views.insert(at.min(views.len()), (viewer, table.view(viewer).ok_or("no view")?.clone()));
        }
    }
    Ok(())
}

/// Saves a table and loads it again. Returns the loaded table, so that a test can play on there.
pub fn saving_keeps_tables(table: &LiveTable, game: &Game) -> Result<LiveTable, String> {
    let saved = table.save().map_err(|error| error.to_string())?;
    let loaded = LiveTable::load(game, &saved).map_err(|error| format!("{error:?}"))?;
    if loaded.state_hash() != table.state_hash() {
        return Err("the state is another after loading".to_owned());
    }
    if loaded.save().map_err(|error| error.to_string())? != saved {
        return Err("a loaded table is saved as other bytes".to_owned());
    }
    for viewer in viewers(table) {
        if loaded.view(viewer) != table.view(viewer) {
            let difference = difference(&loaded.view(viewer), &table.view(viewer));
            return Err(format!("{viewer:?} sees another table after loading: {difference}"));
        }
        if loaded.knowledge(viewer) != table.knowledge(viewer) {
            return Err(format!("{viewer:?} knows something else after loading"));
        }
    }
    Ok(loaded)
}

/// Repeats at a loaded table a step that the original table took. Checks that both tables send everyone the same batches, and that they are in
/// the same state afterwards.
pub fn loaded_tables_go_on(
    mut loaded: LiveTable,
    step: &TwinStep,
    batches: &StepBatches,
    table: &LiveTable,
) -> Result<(), String> {
    let same = step.apply(&mut loaded).map_err(|refusal| format!("{step:?} is refused after loading: {refusal:?}"))?;
    if same != *batches {
        return Err(format!("{step:?} is told otherwise after loading: {}", difference(&same, batches)));
    }
    if loaded.state_hash() != table.state_hash() {
        return Err(format!("{step:?} leads to another state after loading"));
    }
    Ok(())
}

/// Runs a law on the [`Live`] inside a [`LiveTable`].
macro_rules! on_live {
    ($table:expr, $live:ident => $body:expr) => {
        match $table {
            LiveTable::Small($live) => $body,
            LiveTable::Medium($live) => $body,
            LiveTable::Large($live) => $body,
        }
    };
}

pub fn sight_decides_legality(table: &LiveTable) -> Result<(), String> {
    on_live!(table, live => legality(live))
}

/// Makes up answers, and checks that the table offers those that it accepts.
pub fn unoffered_answers_are_refused(table: &LiveTable, seed: u64) -> Result<(), String> {
    on_live!(table, live => unoffered::check(live, seed))
}

/// Checks that texts made from sights are equal to texts made from the true frame.
pub fn sights_tell_the_truth(table: &LiveTable) -> Result<(), String> {
    on_live!(table, live => truth::check(live))
}

/// Checks that a playout leads to the same frame as its moves one by one.
pub fn playouts_match_single_steps(table: &LiveTable, seed: u64) -> Result<(), String> {
    on_live!(table, live => playouts::check(live, seed))
}

pub fn worlds_keep_views(table: &LiveTable, viewer: Viewer, seed: u64) -> Result<(), String> {
    on_live!(table, live => world(live, viewer, seed))
}

pub fn nothing_leaks(table: &LiveTable, viewer: Viewer, seed: u64) -> Result<(), String> {
    on_live!(table, live => leaks(live, viewer, seed))
}

/// Returns a table on which the cards that one viewer can't see have changed places. All viewers keep their handles; a handle now
/// stands for the card that took the place of the old one. So a test can play on with the same answers, and the viewer must notice no
/// difference until a step shows it something new.
pub fn with_hidden_cards_moved(table: &LiveTable, viewer: Viewer, seed: u64) -> LiveTable {
    match table {
        LiveTable::Small(live) => LiveTable::Small(permute::with_hidden_cards_moved(live, viewer, seed)),
        LiveTable::Medium(live) => LiveTable::Medium(permute::with_hidden_cards_moved(live, viewer, seed)),
        LiveTable::Large(live) => LiveTable::Large(permute::with_hidden_cards_moved(live, viewer, seed)),
    }
}

/// Returns the sight of a viewer after everything that the viewer can't see has changed. Tests prove with it that a bot does not
/// depend on hidden things.
pub fn sight_with_changed_secrets(table: &LiveTable, viewer: Viewer, seed: u64) -> AnySight {
    fn changed_sight<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Sight<S> {
        let mut chance = FastChance::new(seed);
        let sight = live.sight(viewer);
        let (mut other, _) = permute::permute_hidden_cards(&sight, &live.core().frame, &mut chance);
        permute::change_secrets(&sight, &mut other, &mut chance);
        Sight::new(live.audience().scene(), &other, viewer)
    }
    match table {
        LiveTable::Small(live) => AnySight::Small(changed_sight(live, viewer, seed)),
        LiveTable::Medium(live) => AnySight::Medium(changed_sight(live, viewer, seed)),
        LiveTable::Large(live) => AnySight::Large(changed_sight(live, viewer, seed)),
    }
}

/// Checks that the batch of a move depends on nothing that the viewer can't see. Returns whether it compared the batches: those of a
/// move that shows the viewer something new may differ.
pub fn batches_tell_nothing_hidden(
    table: &LiveTable,
    viewer: Viewer,
    seat: u8,
    answer: &Move,
    seed: u64,
) -> Result<bool, String> {
    on_live!(table, live => batches::check(live, viewer, seat, answer, seed))
}

/// Checks that the list of reveals has an entry for each question outside of `together` that offers a choice.
pub fn choices_are_listed(table: &LiveTable) -> Result<(), String> {
    on_live!(table, live => answers::choices_are_listed(&live.core().instance))
}

/// Lets a seat answer otherwise, and checks that other viewers notice a difference only if the list of reveals has an entry for it.
pub fn noticed_answers_are_listed(table: &LiveTable, seat: u8, answer: &Move, seed: u64) -> Result<(), String> {
    let viewers = viewers(table);
    on_live!(table, live => answers::noticed_answers_are_listed(live, &viewers, seat, answer, seed))
}

/// Checks the laws about one moment of a game.
pub fn all(table: &LiveTable, seed: u64) -> Result<(), String> {
    sight_decides_legality(table)?;
    for viewer in viewers(table) {
        nothing_leaks(table, viewer, seed)?;
        // The replay sees everything, so it needs no imagined world.
        if viewer != Viewer::Replay {
            worlds_keep_views(table, viewer, seed)?;
        }
    }
    Ok(())
}

/// Returns the lines around the first difference between the `Debug` texts of two values.
fn difference<T: std::fmt::Debug>(a: &T, b: &T) -> String {
    let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let around = |lines: &[&str]| lines[at.saturating_sub(12).min(lines.len())..(at + 12).min(lines.len())].join("\n");
    format!("\n{}\n--- and ---\n{}", around(&a), around(&b))
}

fn legality<S: CardSet>(live: &Live<S>) -> Result<(), String> {
    let core = live.core();
    for seat in 0..core.instance.seats as u8 {
        let sight = live.sight(Viewer::Seat(seat));
        let (seen, truth) = (core.instance.legal(sight.frame(), seat), core.instance.legal(&core.frame, seat));
        if seen != truth {
            return Err(format!("what seat {seat} sees and what it may do: {}", difference(&seen, &truth)));
        }
    }
    Ok(())
}

fn world<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Result<(), String> {
    let sight = live.sight(viewer);
    let seen = live.audience().of(viewer).ok_or("nobody looks")?;
    let forgetful = Knowledge::default();
    for knowledge in [seen.knowledge(), &forgetful] {
        let mut world = World::new(&sight, &Beliefs { knowledge, cannot: &[] }, seed);
        if world.sight(viewer) != sight {
            let difference = difference(&world.sight(viewer), &sight);
            return Err(format!("in a world {viewer:?} knows something else: {difference}"));
        }
        let scene = sight.scene();
        let (imagined, real) = (likeness(scene, &world.view(viewer)), likeness(scene, seen.view()));
        if imagined != real {
            return Err(format!("in a world {viewer:?} sees something else: {}", difference(&imagined, &real)));
        }
        for (zone, face, count) in knowledge.iter() {
            let cards = world.frame().sets[usize::from(zone)].iter();
            let there = cards.filter(|card| world.instance().face(*card) == face).count();
            if there < count as usize {
                return Err(format!(
                    "{viewer:?} knows of {count} of face {face} in zone {zone}, the world has {there}"
                ));
            }
        }
        play_on(&mut world, seed)?;
    }
    Ok(())
}

/// Plays a world on, and checks that each seat that is asked has a legal answer.
fn play_on<S: CardSet>(world: &mut World<S>, seed: u64) -> Result<(), String> {
    let mut chance = FastChance::new(seed);
    for _ in 0..20 {
        let Some(seat) = crate::frame::seats_of(world.open()).next() else { break };
        // While a table is paused, a question stays open for a player who has left, and the newcomer in that seat can't answer it.
        if world.frame().paused {
            break;
        }
        let Some(legal) = world.legal(seat) else { return Err(format!("seat {seat} is asked nothing in a world")) };
        let answer = legal.sample_with_text(&mut chance, "text");
        world.play(seat, &answer).map_err(|refusal| format!("a world refuses {answer:?}: {refusal:?}"))?;
    }
    Ok(())
}

fn leaks<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Result<(), String> {
    let scene = live.audience().scene();
    let truth = &live.core().frame;
    let sight = live.sight(viewer);
    let observer = live.audience().of(viewer).ok_or("nobody looks")?;
    let mut chance = FastChance::new(seed);
    let (mut other, moved) = permute::permute_hidden_cards(&sight, truth, &mut chance);
    permute::change_secrets(&sight, &mut other, &mut chance);
    let other_sight = Sight::new(scene, &other, viewer);
    if other_sight != sight {
        return Err(format!("what {viewer:?} knows depends on what is hidden: {}", difference(&sight, &other_sight)));
    }
    let other_observer = Observer::restore(scene, &other, permute::rename_handles(observer.save(), &moved));
    if other_observer.view() != observer.view() {
        let difference = difference(observer.view(), other_observer.view());
        return Err(format!("what {viewer:?} sees depends on what is hidden: {difference}"));
    }
    let Viewer::Seat(seat) = viewer else { return Ok(()) };
    let instance = &scene.instance;
    if instance.legal(truth, seat) != instance.legal(&other, seat) {
        return Err(format!("what seat {seat} may do depends on what it can't see"));
    }
    for answer in attempts(&sight, seat, &mut chance) {
        let (here, there) = (instance.check(truth, seat, &answer), instance.check(&other, seat, &answer));
        if here != there {
            return Err(format!("{answer:?} of seat {seat} gives {here:?} and elsewhere {there:?}"));
        }
    }
    Ok(())
}

/// Returns answers, legal or not, that a seat can make from the cards that it sees.
fn attempts<S: CardSet>(sight: &Sight<S>, seat: u8, chance: &mut FastChance) -> Vec<Move> {
    let (instance, frame) = (sight.instance(), sight.frame());
    let visible: Vec<u16> = instance.cards.all.andnot(sight.made_up()).iter().collect();
    let asked = &frame.seats[usize::from(seat)];
    let offers = instance.code.questions.get(usize::from(asked.ask)).map_or(0, |question| question.offers.len() as u16);
    let mut attempts = Vec::new();
    for alternative in 0..offers {
        attempts.push(Move::plain(asked.decision, alternative));
        attempts.extend(visible.iter().map(|card| Move::number(asked.decision, alternative, i32::from(*card))));
        for _ in 0..8 {
            let mut some = visible.clone();
            chance.shuffle(&mut some);
            some.truncate(1 + chance.below(4) as usize);
            attempts.push(Move::cards(asked.decision, alternative, &some));
        }
    }
    attempts
}
