//! What must hold of every game, as functions that any test can call on any table.
//!
//! - *View + batch = next view*, for every viewer ([`batches_lead_to_views`]).
//! - A saved and loaded table shows everyone the same ([`saving_keeps_views`]).
//! - What a seat may do follows from what it sees ([`sight_decides_legality`]). (That the table accepts what a view offers is a law of
//!   `baize-terminal`, which lists the offers.)
//! - A world looks to its viewer like the table it was imagined from ([`worlds_keep_views`]).
//! - What players read is true ([`sights_tell_the_truth`]): a rule that reads what it must not would show nonsense.
//! - What is not offered is refused ([`the_rest_is_refused`]), and shortcuts lead to the same ([`shortcuts_lead_to_the_same`]).
//! - *Nothing leaks*: change everything a viewer can't see, and nothing changes for the viewer ([`nothing_leaks`]); nor is it
//!   told anything else of a move that shows it nothing new ([`news_tell_nothing_hidden`]), nor of all that follows ([`Twin`]).
//!
//! Each returns what is wrong in words, or nothing.

mod fast;
mod likeness;
mod news;
mod permute;
mod reference;
mod rest;
mod truth;
mod twin;

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

/// Everything a table shows, by viewer.
pub type Views = Vec<(Viewer, View)>;

/// The views of all viewers.
pub fn views(table: &LiveTable) -> Views {
    viewers(table).into_iter().filter_map(|viewer| Some((viewer, table.view(viewer)?.clone()))).collect()
}

/// Seats that are or were taken, spectators, replays.
pub fn viewers(table: &LiveTable) -> Vec<Viewer> {
    let seats = (0..MAX_SEATS as u8).map(Viewer::Seat).filter(|seat| table.observer(*seat).is_some());
    seats.chain([Viewer::Spectator, Viewer::Replay]).collect()
}

/// Every batch turns its viewer's last view into the next one. `views` are those before the step, and after it on return: who has
/// just sat down begins with the view as it is.
pub fn batches_lead_to_views(views: &mut Views, told: &StepBatches, table: &LiveTable) -> Result<(), String> {
    for (viewer, view) in views.iter_mut() {
        let batch = told.of(*viewer).ok_or_else(|| format!("{viewer:?} is told nothing"))?;
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

pub fn saving_keeps_views(table: &LiveTable, game: &Game) -> Result<(), String> {
    let saved = table.save().map_err(|error| error.to_string())?;
    let loaded = LiveTable::load(game, &saved).map_err(|error| format!("{error:?}"))?;
    for viewer in viewers(table) {
        if loaded.view(viewer) != table.view(viewer) {
            let difference = difference(&loaded.view(viewer), &table.view(viewer));
            return Err(format!("{viewer:?} sees another table after loading: {difference}"));
        }
        if loaded.knowledge(viewer) != table.knowledge(viewer) {
            return Err(format!("{viewer:?} knows something else after loading"));
        }
    }
    Ok(())
}

/// Runs the law on the [`Live`] inside.
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

/// Made-up answers that are accepted are among those offered.
pub fn the_rest_is_refused(table: &LiveTable, seed: u64) -> Result<(), String> {
    on_live!(table, live => rest::is_refused(live, seed))
}

/// What players read, made from what they may know, is what it would be if it were made from the truth.
pub fn sights_tell_the_truth(table: &LiveTable) -> Result<(), String> {
    on_live!(table, live => truth::is_told(live))
}

/// Playing at random while nobody is told anything leads to where the same moves lead step by step.
pub fn shortcuts_lead_to_the_same(table: &LiveTable, seed: u64) -> Result<(), String> {
    on_live!(table, live => fast::same(live, seed))
}

pub fn worlds_keep_views(table: &LiveTable, viewer: Viewer, seed: u64) -> Result<(), String> {
    on_live!(table, live => world(live, viewer, seed))
}

pub fn nothing_leaks(table: &LiveTable, viewer: Viewer, seed: u64) -> Result<(), String> {
    on_live!(table, live => leaks(live, viewer, seed))
}

/// The same table with everything changed that one viewer can't see. Everybody has the handles they had, for the cards as they are
/// now, so that it can be played on with the same answers: what comes of them looks the same to that viewer until it is shown
/// something new.
pub fn elsewhere(table: &LiveTable, viewer: Viewer, seed: u64) -> LiveTable {
    match table {
        LiveTable::Small(live) => LiveTable::Small(permute::elsewhere(live, viewer, seed)),
        LiveTable::Medium(live) => LiveTable::Medium(permute::elsewhere(live, viewer, seed)),
        LiveTable::Large(live) => LiveTable::Large(permute::elsewhere(live, viewer, seed)),
    }
}

/// What a viewer knows at the same table with everything changed that this viewer can't see. For proving that somebody does not
/// depend on it.
pub fn sight_elsewhere(table: &LiveTable, viewer: Viewer, seed: u64) -> AnySight {
    fn elsewhere<S: CardSet>(live: &Live<S>, viewer: Viewer, seed: u64) -> Sight<S> {
        let mut chance = FastChance::new(seed);
        let sight = live.sight(viewer);
        let (mut other, _) = permute::permuted(&sight, &live.core().frame, &mut chance);
        permute::change_secrets(&sight, &mut other, &mut chance);
        Sight::new(live.audience().scene(), &other, viewer)
    }
    match table {
        LiveTable::Small(live) => AnySight::Small(elsewhere(live, viewer, seed)),
        LiveTable::Medium(live) => AnySight::Medium(elsewhere(live, viewer, seed)),
        LiveTable::Large(live) => AnySight::Large(elsewhere(live, viewer, seed)),
    }
}

/// Returns whether the move could be compared: one that shows the viewer something new can't.
pub fn news_tell_nothing_hidden(
    table: &LiveTable,
    viewer: Viewer,
    seat: u8,
    answer: &Move,
    seed: u64,
) -> Result<bool, String> {
    on_live!(table, live => news::same(live, viewer, seat, answer, seed))
}

/// All laws that concern one moment.
pub fn all(table: &LiveTable, seed: u64) -> Result<(), String> {
    sight_decides_legality(table)?;
    for viewer in viewers(table) {
        nothing_leaks(table, viewer, seed)?;
        // To whom nothing is hidden there is nothing to imagine.
        if viewer != Viewer::Replay {
            worlds_keep_views(table, viewer, seed)?;
        }
    }
    Ok(())
}

/// The first lines in which two things differ when written out.
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

/// A world can be played on by anybody who is asked.
fn play_on<S: CardSet>(world: &mut World<S>, seed: u64) -> Result<(), String> {
    let mut chance = FastChance::new(seed);
    for _ in 0..20 {
        let Some(seat) = crate::frame::seats_of(world.open()).next() else { break };
        let Some(legal) = world.legal(seat) else { return Err(format!("seat {seat} is asked nothing in a world")) };
        let answer = legal.sample_with_text(&mut chance, "text");
        if world.frame().paused {
            break;
        }
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
    let (mut other, moved) = permute::permuted(&sight, truth, &mut chance);
    permute::change_secrets(&sight, &mut other, &mut chance);
    let other_sight = Sight::new(scene, &other, viewer);
    if other_sight != sight {
        return Err(format!("what {viewer:?} knows depends on what is hidden: {}", difference(&sight, &other_sight)));
    }
    let other_observer = Observer::restore(scene, &other, permute::renamed(observer.save(), &moved));
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

/// Answers a seat might try, sensible or not, made of what it sees.
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
