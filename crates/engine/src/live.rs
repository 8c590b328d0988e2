//! A table together with everyone who looks at it: what a server runs.
//!
//! Nothing comes out of it but batches and views, each made for one viewer; the frame and the seed stay inside.

use crate::cardset::{CardSet, Wide};
use crate::definition::TableDefinition;
use crate::frame::{Ended, NO_ID, seats_of};
use crate::input::Input;
use crate::instance::Game;
use crate::moves::{Move, Refusal};
use crate::observe::{Audience, Knowledge, ObservedStep, Observer, Recorder, SavedObserver};
use crate::sight::{Scene, Sight};
use crate::table::{Core, LoadError, SaveError};
use crate::view::{Answer, Batch, Cause, Line, SeatView, View, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A table and its observers.
#[derive(Clone, Debug)]
pub enum LiveTable {
    Small(Live<u64>),
    Medium(Live<u128>),
    Large(Live<Wide>),
}

/// A game with what looking at its tables needs. Made once, it is shared by all tables with the same options, packs and
/// seats, which are then no more than their frames and their observers.
#[derive(Clone, Debug)]
pub enum GameScene {
    Small(Arc<Scene<u64>>),
    Medium(Arc<Scene<u128>>),
    Large(Arc<Scene<Wide>>),
}

impl GameScene {
    pub fn new(game: &Game) -> Self {
        match game {
            Game::Small(instance) => Self::Small(Arc::new(Scene::new(instance.clone()))),
            Game::Medium(instance) => Self::Medium(Arc::new(Scene::new(instance.clone()))),
            Game::Large(instance) => Self::Large(Arc::new(Scene::new(instance.clone()))),
        }
    }

    /// A table's fixed half, for clients to fetch once.
    pub fn definition(&self) -> TableDefinition {
        match self {
            Self::Small(scene) => TableDefinition::of(scene),
            Self::Medium(scene) => TableDefinition::of(scene),
            Self::Large(scene) => TableDefinition::of(scene),
        }
    }

    /// A table at which nobody sits yet.
    pub fn table(&self, seed: [u8; 32]) -> LiveTable {
        match self {
            Self::Small(scene) => LiveTable::Small(Live::on(scene, Core::new(scene.instance.clone(), seed))),
            Self::Medium(scene) => LiveTable::Medium(Live::on(scene, Core::new(scene.instance.clone(), seed))),
            Self::Large(scene) => LiveTable::Large(Live::on(scene, Core::new(scene.instance.clone(), seed))),
        }
    }

    /// Goes on from what [`LiveTable::save`] gave. Everyone's cards have the handles they had.
    pub fn load(&self, bytes: &[u8]) -> Result<LiveTable, LoadError> {
        Ok(match self {
            Self::Small(scene) => LiveTable::Small(Live::load(scene, bytes)?),
            Self::Medium(scene) => LiveTable::Medium(Live::load(scene, bytes)?),
            Self::Large(scene) => LiveTable::Large(Live::load(scene, bytes)?),
        })
    }
}

/// The same for one width of card sets.
#[derive(Clone, Debug)]
pub struct Live<S> {
    core: Core<S>,
    audience: Audience<S>,
}

/// What one step tells, to each viewer in its own words.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBatches {
    pub seq: u64,
    /// What the rules have said to everyone, whoever looks; the last may be how the game has ended.
    pub announced: Vec<Line>,
    batches: Vec<(Viewer, Batch)>,
}

/// A clock that runs, as the server needs it: when it is up, the input is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueInput {
    pub seconds: u32,
    pub input: Input,
}

/// What a viewer knows at a table of whichever width; bots start from it.
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
        self.batches.iter().find(|(to, _)| *to == viewer).map(|(_, batch)| batch)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Viewer, &Batch)> {
        self.batches.iter().map(|(viewer, batch)| (*viewer, batch))
    }
}

impl LiveTable {
    pub fn new(game: &Game, seed: [u8; 32]) -> Self {
        GameScene::new(game).table(seed)
    }

    /// Goes on from what [`LiveTable::save`] gave. Everyone's cards have the handles they had.
    pub fn load(game: &Game, bytes: &[u8]) -> Result<Self, LoadError> {
        GameScene::new(game).load(bytes)
    }

    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        with_live!(self, live => live.save())
    }

    /// A seat answers. A refused answer changes nothing and tells nobody anything.
    pub fn answer(&mut self, seat: u8, answer: &Answer) -> Result<StepBatches, Refusal> {
        let answer = self.resolve(seat, answer)?;
        self.play(seat, &answer)
    }

    /// The move an answer stands for, with the cards its seat's handles mean now. A part that is not answered in its own
    /// kind is refused: nobody names a card by a number.
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

    /// Nobody looks through these eyes any more: nothing is told to them.
    pub fn dismiss(&mut self, viewer: Viewer) {
        with_live!(self, live => live.audience.dismiss(viewer))
    }

    /// The same table before one pair of eyes alone, which were there from the beginning. For playing a log again; not to be saved.
    pub fn only(mut self, viewer: Viewer) -> Self {
        with_live!(&mut self, live => live.audience.only(viewer));
        self
    }

    /// Somebody looks again who was dismissed. What they would have by now comes from [`LiveTable::only`]. False: it is of another step.
    pub fn admit(&mut self, saved: SavedObserver) -> bool {
        with_live!(self, live => live.audience.admit(saved))
    }

    /// What everyone sees of the seats.
    pub fn seats(&self) -> &[SeatView] {
        with_live!(self, live => live.audience.seats())
    }

    pub fn observer(&self, viewer: Viewer) -> Option<&Observer> {
        with_live!(self, live => live.audience.of(viewer))
    }

    /// The table's fixed half, for clients to fetch once.
    pub fn definition(&self) -> TableDefinition {
        with_live!(self, live => TableDefinition::of(live.audience.scene()))
    }

    /// The move that is made for a seat that can't or doesn't answer.
    pub fn default_move(&self, seat: u8) -> Option<Move> {
        with_live!(self, live => live.core.instance.default_move(&live.core.frame, seat))
    }

    /// Seats with an open decision, as bits.
    pub fn open(&self) -> u32 {
        with_live!(self, live => live.core.frame.open)
    }

    pub fn outcome(&self) -> Option<&Ended> {
        with_live!(self, live => live.core.frame.outcome.as_ref())
    }

    /// Number of steps told so far.
    pub fn seq(&self) -> u64 {
        with_live!(self, live => live.audience.seq())
    }

    /// Clocks that run now.
    pub fn clocks(&self) -> Vec<DueInput> {
        with_live!(self, live => live.clocks())
    }

    /// To be committed to before the deal and told at the end.
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
        observer.resolve(instance.asked_slots(frame, seat, answer.decision, answer.alternative), answer)
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
        let ObservedStep { batches, announced } = self.audience.step(&self.core.frame, recorder, &cause);
        StepBatches { seq: self.audience.seq(), announced, batches }
    }

    pub fn sight(&self, viewer: Viewer) -> Sight<S> {
        Sight::new(self.audience.scene(), &self.core.frame, viewer)
    }

    pub fn audience(&self) -> &Audience<S> {
        &self.audience
    }

    /// The same table in another state before other eyes.
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

/// What a viewer is told to have caused a step.
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
