//! A table together with an observer for each viewer. Rooms, the terminal and tests play on it.
//!
//! Only batches and views come out of it, each made for one viewer; the frame and the seed stay inside.

use crate::cardset::{CardSet, Wide};
use crate::definition::TableDefinition;
use crate::frame::{Ended, NO_ID, seats_of};
use crate::input::Input;
use crate::instance::Game;
use crate::moves::{Move, Refusal};
use crate::observe::{Audience, Knowledge, Observer, Recorder, SavedObserver, ViewerStep};
use crate::sight::{Scene, Sight};
use crate::table::{Core, LoadError, SaveError};
use crate::view::{Answer, Batch, Cause, FaceId, SeatView, View, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A table and its observers.
#[derive(Clone, Debug)]
pub enum LiveTable {
    Small(Live<u64>),
    Medium(Live<u128>),
    Large(Live<Wide>),
}

/// A game with a [`Scene`] of the width that it needs. All tables with the same options, packs and seats share it, so that a table is no
/// more than a frame and observers.
#[derive(Clone, Debug)]
pub enum GameScene {
    Small(Arc<Scene<u64>>),
    Medium(Arc<Scene<u128>>),
    Large(Arc<Scene<Wide>>),
}

fn pack_text<S: CardSet>(scene: &Scene<S>, face: FaceId) -> Option<&str> {
    let cards = &scene.instance.cards;
    let card = *cards.face_cards.get(usize::from(face))?;
    cards.cards.get(usize::from(card))?.text.as_deref()
}

impl GameScene {
    pub fn new(game: &Game) -> Self {
        match game {
            Game::Small(instance) => Self::Small(Arc::new(Scene::new(instance.clone()))),
            Game::Medium(instance) => Self::Medium(Arc::new(Scene::new(instance.clone()))),
            Game::Large(instance) => Self::Large(Arc::new(Scene::new(instance.clone()))),
        }
    }

    /// Returns the part of a table that never changes, which clients fetch once.
    pub fn definition(&self) -> TableDefinition {
        match self {
            Self::Small(scene) => TableDefinition::of(scene),
            Self::Medium(scene) => TableDefinition::of(scene),
            Self::Large(scene) => TableDefinition::of(scene),
        }
    }

    /// The words of a pack that are on this face. None for cards of the rules.
    pub fn pack_text(&self, face: FaceId) -> Option<&str> {
        match self {
            Self::Small(scene) => pack_text(scene, face),
            Self::Medium(scene) => pack_text(scene, face),
            Self::Large(scene) => pack_text(scene, face),
        }
    }

    /// Makes a table at which nobody sits yet.
    pub fn table(&self, seed: [u8; 32]) -> LiveTable {
        match self {
            Self::Small(scene) => LiveTable::Small(Live::on(scene, Core::new(scene.instance.clone(), seed))),
            Self::Medium(scene) => LiveTable::Medium(Live::on(scene, Core::new(scene.instance.clone(), seed))),
            Self::Large(scene) => LiveTable::Large(Live::on(scene, Core::new(scene.instance.clone(), seed))),
        }
    }

    /// Loads what [`LiveTable::save`] returned. All viewers keep the handles of their cards.
    pub fn load(&self, bytes: &[u8]) -> Result<LiveTable, LoadError> {
        Ok(match self {
            Self::Small(scene) => LiveTable::Small(Live::load(scene, bytes)?),
            Self::Medium(scene) => LiveTable::Medium(Live::load(scene, bytes)?),
            Self::Large(scene) => LiveTable::Large(Live::load(scene, bytes)?),
        })
    }
}

/// A live table with card sets of type `S`.
#[derive(Clone, Debug)]
pub struct Live<S> {
    core: Core<S>,
    audience: Audience<S>,
}

/// The batches of one step, one for each viewer.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBatches {
    pub seq: u64,
    steps: Vec<ViewerStep>,
}

/// A running clock: when `seconds` are over, the caller applies `input`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueInput {
    pub seconds: u32,
    pub input: Input,
}

/// The sight of a viewer at a table of any width. Bots search from it.
#[derive(Clone, Debug)]
pub enum AnySight {
    Small(Sight<u64>),
    Medium(Sight<u128>),
    Large(Sight<Wide>),
}

/// Runs the same expression on the [`Live`] inside a [`LiveTable`].
macro_rules! with_live {
    ($table:expr, $live:ident => $body:expr) => {
        match $table {
            LiveTable::Small($live) => $body,
            LiveTable::Medium($live) => $body,
            LiveTable::Large($live) => $body,
        }
    };
}

/// Runs the same expression on the sight inside an [`AnySight`].
#[macro_export]
macro_rules! with_sight {
    ($sight:expr, $inner:ident => $body:expr) => {
        match $sight {
            $crate::live::AnySight::Small($inner) => $body,
            $crate::live::AnySight::Medium($inner) => $body,
            $crate::live::AnySight::Large($inner) => $body,
        }
    };
}

impl StepBatches {
    pub fn of(&self, viewer: Viewer) -> Option<&Batch> {
        self.step_of(viewer).map(|step| &step.batch)
    }

    /// The batch of a viewer with what it replaced in the viewer's view.
    pub fn step_of(&self, viewer: Viewer) -> Option<&ViewerStep> {
        self.steps.iter().find(|step| step.viewer == viewer)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Viewer, &Batch)> {
        self.steps.iter().map(|step| (step.viewer, &step.batch))
    }
}

impl LiveTable {
    pub fn new(game: &Game, seed: [u8; 32]) -> Self {
        GameScene::new(game).table(seed)
    }

    /// Loads what [`LiveTable::save`] returned. All viewers keep the handles of their cards.
    pub fn load(game: &Game, bytes: &[u8]) -> Result<Self, LoadError> {
        GameScene::new(game).load(bytes)
    }

    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        with_live!(self, live => live.save())
    }

    /// Applies an answer of a seat. A refused answer changes nothing, and no viewer is told of it.
    pub fn answer(&mut self, seat: u8, answer: &Answer) -> Result<StepBatches, Refusal> {
        let answer = self.resolve(seat, answer)?;
        self.play(seat, &answer)
    }

    /// Turns an answer into a move: replaces the seat's handles by cards. It refuses a part that is not answered in its own kind, so that
    /// nobody can name a card by its number.
    pub fn resolve(&self, seat: u8, answer: &Answer) -> Result<Move, Refusal> {
        with_live!(self, live => live.resolve(seat, answer))
    }

    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<StepBatches, Refusal> {
        with_live!(self, live => live.play(seat, answer))
    }

    pub fn input(&mut self, input: &Input) -> Result<StepBatches, Refusal> {
        with_live!(self, live => live.input(input))
    }

    pub fn view(&self, viewer: Viewer) -> Option<&View> {
        self.observer(viewer).map(Observer::view)
    }

    pub fn knowledge(&self, viewer: Viewer) -> Option<&Knowledge> {
        self.observer(viewer).map(Observer::knowledge)
    }

    pub fn sight(&self, viewer: Viewer) -> AnySight {
        match self {
            Self::Small(live) => AnySight::Small(live.sight(viewer)),
            Self::Medium(live) => AnySight::Medium(live.sight(viewer)),
            Self::Large(live) => AnySight::Large(live.sight(viewer)),
        }
    }

    /// Removes the observer of a viewer.
    pub fn dismiss(&mut self, viewer: Viewer) {
        with_live!(self, live => live.audience.dismiss(viewer))
    }

    /// Keeps and adds observers of these viewers alone. It is for replaying a log for them; such a table must not be saved.
    pub fn only(mut self, viewers: &[Viewer]) -> Self {
        with_live!(&mut self, live => live.audience.only(viewers));
        self
    }

    /// Adds an observer again that was dismissed; a replay with [`LiveTable::only`] makes its state. Returns false if the state belongs to
    /// another step.
    pub fn admit(&mut self, saved: SavedObserver) -> bool {
        with_live!(self, live => live.audience.admit(saved))
    }

    /// Returns the public view of the seats.
    pub fn seats(&self) -> &[SeatView] {
        with_live!(self, live => live.audience.seats())
    }

    pub fn observer(&self, viewer: Viewer) -> Option<&Observer> {
        with_live!(self, live => live.audience.of(viewer))
    }

    /// Returns the part of the table that never changes, which clients fetch once.
    pub fn definition(&self) -> TableDefinition {
        with_live!(self, live => TableDefinition::of(live.audience.scene()))
    }

    /// Returns the move that is made for a seat that can't or doesn't answer.
    pub fn default_move(&self, seat: u8) -> Option<Move> {
        with_live!(self, live => live.core.instance.default_move(&live.core.frame, seat))
    }

    /// Returns the seats with an open decision, as bits.
    pub fn open(&self) -> u32 {
        with_live!(self, live => live.core.frame.open)
    }

    pub fn outcome(&self) -> Option<&Ended> {
        with_live!(self, live => live.core.frame.outcome.as_ref())
    }

    /// Returns the number of steps so far.
    pub fn seq(&self) -> u64 {
        with_live!(self, live => live.audience.seq())
    }

    /// Returns the running clocks.
    pub fn clocks(&self) -> Vec<DueInput> {
        with_live!(self, live => live.clocks())
    }

    /// Returns the seed. A server commits to it before the deal and reveals it at the end.
    pub fn seed(&self) -> &[u8; 32] {
        with_live!(self, live => live.core.seed())
    }

    pub fn state_hash(&self) -> Result<[u8; 32], SaveError> {
        with_live!(self, live => live.core.state_hash())
    }
}

#[derive(Serialize, Deserialize)]
struct SavedLive {
    core: Vec<u8>,
    observers: Vec<SavedObserver>,
}

impl<S: CardSet> Live<S> {
    fn on(scene: &Arc<Scene<S>>, core: Core<S>) -> Self {
        let audience = Audience::new(scene, &core.frame);
        Self { core, audience }
    }

    fn load(scene: &Arc<Scene<S>>, bytes: &[u8]) -> Result<Self, LoadError> {
        let saved: SavedLive = postcard::from_bytes(bytes).map_err(|_| LoadError::Damaged)?;
        let core = Core::load(scene.instance.clone(), &saved.core)?;
        if !scene.instance.observers_are_sound(&saved.observers) {
            return Err(LoadError::Damaged);
        }
        let audience = Audience::restore(scene, &core.frame, saved.observers);
        Ok(Self { core, audience })
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        let saved = SavedLive { core: self.core.save()?, observers: self.audience.save() };
        postcard::to_stdvec(&saved).map_err(|_| SaveError)
    }

    fn resolve(&self, seat: u8, answer: &Answer) -> Result<Move, Refusal> {
        let observer = self.audience.of(Viewer::Seat(seat)).ok_or(Refusal::SeatUnknown)?;
        let (instance, frame) = (&self.core.instance, &self.core.frame);
        observer.resolve(instance.asked_parts(frame, seat, answer.decision, answer.alternative), answer)
    }

    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<StepBatches, Refusal> {
        let mut recorder = Recorder::new(&self.core.instance);
        self.core.play_after(seat, answer, self.audience.last(), &mut recorder)?;
        Ok(self.tell(&recorder, Cause::Move { seat }))
    }

    pub fn input(&mut self, input: &Input) -> Result<StepBatches, Refusal> {
        let mut recorder = Recorder::new(&self.core.instance);
        self.core.input_after(input, self.audience.last(), &mut recorder)?;
        Ok(self.tell(&recorder, cause(input)))
    }

    fn tell(&mut self, recorder: &Recorder<S>, cause: Cause) -> StepBatches {
        let steps = self.audience.step(&self.core.frame, recorder, &cause);
        StepBatches { seq: self.audience.seq(), steps }
    }

    pub fn sight(&self, viewer: Viewer) -> Sight<S> {
        Sight::new(self.audience.scene(), &self.core.frame, viewer)
    }

    pub fn audience(&self) -> &Audience<S> {
        &self.audience
    }

    /// Returns this table with another frame and other observers.
    #[cfg(feature = "laws")]
    pub(crate) fn with(&self, frame: crate::frame::Frame<S>, audience: Audience<S>) -> Self {
        let mut core = self.core.clone();
        core.frame = frame;
        Self { core, audience }
    }

    #[cfg(feature = "laws")]
    pub(crate) fn core(&self) -> &Core<S> {
        &self.core
    }

    pub(crate) fn clocks(&self) -> Vec<DueInput> {
        let (instance, frame) = (&self.core.instance, &self.core.frame);
        if frame.paused {
            return Vec::new();
        }
        let mut due: Vec<DueInput> = Vec::new();
        let mut add = |expr, seat: u8, input: Input| {
            let seconds = instance.value(frame, expr, i32::from(seat), &[]);
            if let Ok(seconds @ 1..) = u32::try_from(seconds)
                && !due.iter().any(|other: &DueInput| other.input == input)
            {
                due.push(DueInput { seconds, input });
            }
        };
        let block =
            Some(frame.together).filter(|id| *id != NO_ID).and_then(|id| instance.code.blocks.get(usize::from(id)));
        for seat in seats_of(frame.open) {
            let asked = &frame.seats[usize::from(seat)];
            let question = &instance.code.questions[usize::from(asked.ask)];
            if let Some((seconds, _)) = &question.within {
                add(seconds, seat, Input::Timeout { decision: asked.decision });
            }
            if let Some((seconds, _)) = block.and_then(|block| block.within.as_ref()) {
                add(seconds, seat, Input::Timeout { decision: frame.decision });
            }
            if let Some((seconds, _)) = &question.absent_after
                && !frame.is_present(i32::from(seat))
            {
                add(seconds, seat, Input::AbsentTimeout { decision: asked.decision, seat });
            }
        }
        due
    }
}

/// Returns the cause of a step as viewers see it.
fn cause(input: &Input) -> Cause {
    let (kind, seat) = match input {
        Input::Start => return Cause::Start,
        Input::Join { seat, .. } => ("join", Some(*seat)),
        Input::Leave { seat } => ("leave", Some(*seat)),
        Input::Absent { seat } => ("absent", Some(*seat)),
        Input::Present { seat } => ("present", Some(*seat)),
        Input::Replaced { seat, .. } => ("replaced", Some(*seat)),
        Input::Lead { seat } => ("lead", *seat),
        Input::Timeout { .. } => ("timeout", None),
        Input::AbsentTimeout { seat, .. } => ("absent-timeout", Some(*seat)),
        Input::Nonce { seat, .. } => ("nonce", Some(*seat)),
        Input::Pause => ("pause", None),
        Input::Resume => ("resume", None),
        Input::Abandon => ("abandon", None),
    };
    Cause::Input { kind: kind.to_owned(), seat }
}
