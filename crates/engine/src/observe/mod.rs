//! Turns the raw events of a step into a batch of events for each viewer. [`crate::live`] calls [`Audience::step`] after every move and
//! input.
//!
//! An [`Observer`] belongs to one viewer. It keeps the view, the viewer's handles of cards, and what the viewer has seen ([`Knowledge`]).
//! Each step becomes a [`Batch`]; the law is that the view plus the batch is the next view. An [`Audience`] has the observers of one
//! table: one for each seat, one for all spectators, one for replays. An observer that nobody needs can be dismissed, because replaying the
//! log makes it again.
//!
//! Events about moving cards are made from the raw events, with the state at that moment; all other changes are found by comparing views.
//! At the end of a step the view is computed again from what its viewer may know, and events are added for all remaining differences. So
//! a mistake in the first part costs an animation and never breaks the law.

mod card_moves;
mod diff;
mod knowledge;
mod record;
mod shadow;
mod tell;

pub use knowledge::{Knowledge, Mixed};
pub use record::Recorder;
pub use tell::revealed_text;

use diff::{StepChanges, StepContext};

use crate::cardset::CardSet;
use crate::frame::{Frame, List, seats_of};
use crate::instance::NO_LIST;
use crate::instance::question::{LoweredPart, LoweredPartKind};
use crate::moves::{Move, PartValue, Refusal};
use crate::present::{self, Handles, Public, PublicNews};
use crate::reduce::{self, Replaced, ReplacedContent};
use crate::sight::{Scene, Sight, Visibility};
use crate::sink::RawEvent;
use crate::switch::hides;
use crate::view::{Answer, Batch, Cause, Chosen, Event, Handle, SeatView, View, Viewer};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;

/// Follows a table for one viewer.
#[derive(Clone, Debug)]
pub struct Observer {
    viewer: Viewer,
    view: View,
    handles: Handles,
    knowledge: Knowledge,
    /// Events of the current step.
    events: Vec<Event>,
    /// What the events about cards of the current step have replaced.
    replaced: Vec<ReplacedContent>,
    /// Variables that have changed in the current step: variable, element, value before the step.
    values_before: Vec<(u16, u16, Option<i32>)>,
    repairs: u32,
}

/// The part of an observer that is saved. The view follows from it and the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedObserver {
    pub viewer: Viewer,
    pub seq: u64,
    pub handles: Handles,
    pub knowledge: Knowledge,
}

impl Observer {
    /// Makes an observer that begins after `seq` batches.
    pub fn new<S: CardSet>(scene: &Arc<Scene<S>>, frame: &Frame<S>, viewer: Viewer, seq: u64) -> Self {
        Self::begin(scene, frame, &Public::new(scene, frame), viewer, seq)
    }

    fn begin<S: CardSet>(scene: &Arc<Scene<S>>, frame: &Frame<S>, public: &Public, viewer: Viewer, seq: u64) -> Self {
        let handles = Handles::default();
        let mut observer = Self::blank(SavedObserver { viewer, seq, handles, knowledge: Knowledge::default() });
        for zone in 0..scene.instance.zones() {
            // The rules tell everyone where each deck lies at the start.
            if !frame.started() && observer.level(scene, frame, zone as u16) == Visibility::Count {
                frame.sets[zone]
                    .iter()
                    .for_each(|card| observer.knowledge.note_hidden(zone as u16, scene.instance.face(card)));
            }
        }
        observer.restart(scene, frame, public);
        observer
    }

    /// Makes an observer from its saved part.
    pub fn restore<S: CardSet>(scene: &Arc<Scene<S>>, frame: &Frame<S>, saved: SavedObserver) -> Self {
        Self::resume(scene, frame, &Public::new(scene, frame), saved)
    }

    fn resume<S: CardSet>(scene: &Arc<Scene<S>>, frame: &Frame<S>, public: &Public, saved: SavedObserver) -> Self {
        let mut observer = Self::blank(saved);
        observer.restart(scene, frame, public);
        observer
    }

    pub fn save(&self) -> SavedObserver {
        SavedObserver {
            viewer: self.viewer,
            seq: self.view.seq,
            handles: self.handles.clone(),
            knowledge: self.knowledge.clone(),
        }
    }

    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Returns how often the events of a step did not lead to the next view, so that a whole zone had to be told.
    pub fn repairs(&self) -> u32 {
        self.repairs
    }

    /// Turns a viewer's answer into a move. `lowered` are the parts of the alternative, if its seat has the decision open. Each part must be
    /// answered in its own kind: a card by a handle and never by a number, which could name a card that the viewer has never seen.
    pub(crate) fn resolve<S>(&self, lowered: Option<&[LoweredPart<S>]>, answer: &Answer) -> Result<Move, Refusal> {
        if lowered.is_some_and(|lowered| {
            !lowered.iter().zip(&answer.parts).all(|(lowered, chosen)| is_in_kind(lowered, chosen))
        }) {
            return Err(Refusal::WrongParts);
        }
        let card = |handle: &Handle| self.handles.card(*handle).ok_or(Refusal::NotACandidate);
        let value = |chosen: &Chosen| {
            Ok(match chosen {
                Chosen::Number(n) => PartValue::Number(*n),
                Chosen::Card(handle) => PartValue::Number(i32::from(card(handle)?)),
                Chosen::Cards(handles) => PartValue::Cards(handles.iter().map(card).collect::<Result<_, _>>()?),
                Chosen::Text(text) => PartValue::Text(text.clone()),
            })
        };
        let parts = answer.parts.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Move { decision: answer.decision, alternative: answer.alternative, parts })
    }

    fn blank(saved: SavedObserver) -> Self {
        let view = View { seq: saved.seq, ..View::default() };
        let (handles, knowledge) = (saved.handles, saved.knowledge);
        Self {
            viewer: saved.viewer,
            view,
            handles,
            knowledge,
            events: Vec::new(),
            replaced: Vec::new(),
            values_before: Vec::new(),
            repairs: 0,
        }
    }

    fn restart<S: CardSet>(&mut self, scene: &Arc<Scene<S>>, frame: &Frame<S>, public: &Public) {
        self.settle(scene, frame, |_| true);
        let sight = Sight::new(scene, frame, self.viewer);
        self.view = present::present(&sight, public, frame, &self.handles, self.view.seq);
    }

    /// Gives handles to cards that have come into sight and removes those of others. Only touched zones can have new cards.
    fn settle<S: CardSet>(&mut self, scene: &Scene<S>, frame: &Frame<S>, touched: impl Fn(usize) -> bool) {
        let shown = |zone: &usize| self.level(scene, frame, *zone as u16) == Visibility::Cards;
        let shown: SmallVec<[usize; 32]> = (0..scene.instance.zones()).filter(shown).collect();
        let in_sight = shown.iter().fold(S::empty(), |all, zone| all.or(&frame.sets[*zone]));
        // After most steps nothing is left to do: events about moves have updated the handles.
        if self.handles.are(&in_sight) {
            return;
        }
        for zone in shown.into_iter().filter(|zone| touched(*zone)) {
            let cards: List = match scene.instance.layout.instances[zone].list {
                NO_LIST => frame.sets[zone].iter().collect(),
                list => List::from_slice(&frame.lists[list as usize]),
            };
            let new: List = cards.into_iter().filter(|card| self.handles.get(*card).is_none()).collect();
            if !new.is_empty() {
                self.arrive(scene, frame, zone as u16, &new);
            }
        }
        self.handles.keep(|card| in_sight.contains(card) || !hides("observe: handles out of sight"));
    }

    fn emit(&mut self, event: Event) {
        // An event that does not fit the view is a bug here; the end of the step repairs the view.
        let fits = reduce::apply(&mut self.view, &event);
        debug_assert!(fits.is_ok(), "{:?}: {event:?}", fits.err());
        let replaced = fits.unwrap_or_else(|_| reduce::nothing_replaced_by(&event));
        // Cards that are turned one after the other become one event. A card that is turned up and down again was seen, so it needs two.
        if let (Event::Cards { zone, cards }, Some(Event::Cards { zone: last, cards: turned })) =
            (&event, self.events.last_mut())
            && zone == last
            && !turned.iter().any(|old| cards.iter().any(|card| card.handle == old.handle))
        {
            turned.extend(cards.iter().cloned());
            if let (Some(ReplacedContent::Cards(now)), Some(ReplacedContent::Cards(last))) =
                (replaced, self.replaced.last_mut())
            {
                last.extend(now);
            }
            return;
        }
        self.events.push(event);
        self.replaced.extend(replaced);
    }
}

fn is_in_kind<S>(lowered: &LoweredPart<S>, chosen: &Chosen) -> bool {
    match lowered.kind {
        LoweredPartKind::Card(_) => matches!(chosen, Chosen::Card(_)),
        LoweredPartKind::Cards { .. } | LoweredPartKind::Alike(_) | LoweredPartKind::Run(_) => {
            matches!(chosen, Chosen::Cards(_))
        }
        LoweredPartKind::Text(_) => matches!(chosen, Chosen::Text(_)),
        LoweredPartKind::Unseen(_)
        | LoweredPartKind::Number { .. }
        | LoweredPartKind::Range { .. }
        | LoweredPartKind::Player(_)
        | LoweredPartKind::Dice { .. } => matches!(chosen, Chosen::Number(_)),
    }
}

/// What one viewer is told of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewerStep {
    pub viewer: Viewer,
    pub batch: Batch,
    pub replaced: Replaced,
}

/// The observers of one table.
#[derive(Clone, Debug)]
pub struct Audience<S> {
    scene: Arc<Scene<S>>,
    /// The frame after the last step.
    shadow: Frame<S>,
    /// The public part of views after the last step.
    public: Public,
    observers: Vec<Observer>,
    /// The only viewers who get an observer; none if all do.
    only: Option<Vec<Viewer>>,
    seq: u64,
}

impl<S: CardSet> Audience<S> {
    /// Makes one observer for each taken seat, one for all spectators and one for replays.
    pub(crate) fn new(scene: &Arc<Scene<S>>, frame: &Frame<S>) -> Self {
        let public = Public::new(scene, frame);
        let viewers = [Viewer::Spectator, Viewer::Replay];
        let observers = viewers.map(|viewer| Observer::begin(scene, frame, &public, viewer, 0)).into();
        let mut audience = Self { scene: scene.clone(), shadow: frame.clone(), public, observers, only: None, seq: 0 };
        audience.seat_newcomers(frame);
        audience
    }

    /// Makes an observer for each newcomer. Nobody observes from a seat before it is taken, so that an observer depends on nothing but the log.
    fn seat_newcomers(&mut self, frame: &Frame<S>) {
        for seat in seats_of(frame.playing | frame.pending) {
            let viewer = Viewer::Seat(seat);
            if self.only.as_ref().is_some_and(|only| !only.contains(&viewer)) {
                continue;
            }
            let at = self.observers.partition_point(|observer| observer.viewer < viewer);
            if self.observers.get(at).is_none_or(|observer| observer.viewer != viewer) {
                let newcomer = Observer::begin(&self.scene, frame, &self.public, viewer, self.seq);
                self.observers.insert(at, newcomer);
            }
        }
    }

    pub(crate) fn restore(scene: &Arc<Scene<S>>, frame: &Frame<S>, saved: Vec<SavedObserver>) -> Self {
        let seq = saved.first().map_or(0, |saved| saved.seq);
        let public = Public::new(scene, frame);
        let observers = saved.into_iter().map(|saved| Observer::resume(scene, frame, &public, saved)).collect();
        Self { scene: scene.clone(), shadow: frame.clone(), public, observers, only: None, seq }
    }

    /// Removes the observer of a viewer.
    pub(crate) fn dismiss(&mut self, viewer: Viewer) {
        self.observers.retain(|observer| observer.viewer != viewer);
    }

    /// Keeps and adds observers of these viewers alone.
    pub(crate) fn only(&mut self, viewers: &[Viewer]) {
        self.only = Some(viewers.to_vec());
        self.observers.retain(|observer| viewers.contains(&observer.viewer));
    }

    /// Adds an observer that was dismissed. Returns false if `saved` belongs to another step.
    pub(crate) fn admit(&mut self, saved: SavedObserver) -> bool {
        if saved.seq != self.seq {
            return false;
        }
        self.dismiss(saved.viewer);
        let observer = Observer::resume(&self.scene, &self.shadow, &self.public, saved);
        let at = self.observers.partition_point(|other| other.viewer < observer.viewer);
        self.observers.insert(at, observer);
        true
    }

    /// Makes an audience of a single observer.
    #[cfg(feature = "laws")]
    pub(crate) fn of_one(scene: &Arc<Scene<S>>, frame: &Frame<S>, observer: Observer) -> Self {
        let seq = observer.view.seq;
        let public = Public::new(scene, frame);
        Self { scene: scene.clone(), shadow: frame.clone(), public, observers: vec![observer], only: None, seq }
    }

    pub fn save(&self) -> Vec<SavedObserver> {
        self.observers.iter().map(Observer::save).collect()
    }

    /// Returns the observer of a viewer.
    pub fn of(&self, viewer: Viewer) -> Option<&Observer> {
        self.observers.iter().find(|observer| observer.viewer == viewer)
    }

    pub fn observers(&self) -> &[Observer] {
        &self.observers
    }

    pub fn scene(&self) -> &Arc<Scene<S>> {
        &self.scene
    }

    /// Returns the number of steps so far.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns the frame after the last step.
    pub(crate) fn last(&self) -> &Frame<S> {
        &self.shadow
    }

    /// Returns the public view of the seats.
    pub(crate) fn seats(&self) -> &[SeatView] {
        &self.public.seats
    }

    /// Makes the batch of one step for each observer, and then observers for newcomers.
    pub(crate) fn step(&mut self, frame: &Frame<S>, recorded: &Recorder<S>, cause: &Cause) -> Vec<ViewerStep> {
        let scene = self.scene.clone();
        // Most steps have fewer events, so that the list does not grow.
        self.observers.iter_mut().for_each(|observer| observer.events.reserve(12));
        let mut rest = &recorded.notes[..];
        while let Some(note) = rest.first() {
            let mut taken = 1;
            if let RawEvent::CardMoved { .. } = note.raw {
                let run;
                (run, taken) = shadow::take_moves(&scene.instance, &mut self.shadow, rest);
                self.observers.iter_mut().for_each(|observer| observer.tell_moves(&scene, &self.shadow, &run));
            } else {
                self.observers.iter_mut().for_each(|observer| observer.before(&scene, &self.shadow, note));
                shadow::follow(&scene.instance, &mut self.shadow, note);
                self.observers.iter_mut().for_each(|observer| observer.tell(&scene, &self.shadow, note));
            }
            rest = &rest[taken..];
        }
        self.shadow.clone_from(frame);
        self.seq += 1;
        let public = Public::after(&self.public, &scene, frame);
        let news = PublicNews::new(&self.public, &public);
        let touched = StepChanges::new(&scene, frame, &recorded.notes);
        let step = StepContext { frame, public: &public, news: &news, touched: &touched, seq: self.seq, cause };
        let finish = |observer: &mut Observer| observer.finish(&scene, &step);
        let batches = self.observers.iter_mut().map(finish).collect();
        self.public = public;
        self.seat_newcomers(frame);
        batches
    }
}
