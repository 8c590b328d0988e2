//! What one viewer may know of a table, as a frame that can be played with.
//!
//! A [`Sight`] is a frame in which everything its viewer may not know has been replaced by something that
//! does not depend on it: hidden cards are laid out in order of their numbers, hidden dice show their lowest face (those
//! that were not thrown, none), others' sealed values and answers are as at the start. So the evaluator and the legality tests run on it as they are, counts
//! are right, and a rule that reads what it must not gets the same nonsense whatever the truth is.
//! Nothing can leak from it because nothing hidden is in it.
//!
//! Views, prompts, refusals, bots and worlds are made from a sight. The frame of a table is not.

mod deck_flow;
mod eyes;
mod mask;

pub use deck_flow::DeckFlow;
use eyes::zone_level;
pub use eyes::{Visibility, roles, sees_dice};

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::Instance;
use crate::legal::Legal;
use crate::view::Viewer;
use baize_rules::program::{AttrId, Part, PartKind, Type, VarId, VarKind};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// An instance with what looking at its tables needs, made once.
pub struct Scene<S> {
    pub instance: Arc<Instance<S>>,
    /// Variables whose value decides who sees something.
    pub roles: Vec<VarId>,
    /// Which decks' cards can lie in which zone.
    pub flow: DeckFlow,
    /// Variables in `View::values`, in order.
    pub values: Vec<VarId>,
    /// Variables in `View::dice`, in order.
    pub dice: Vec<VarId>,
    /// By declared zone: the place of each card among all cards as the zone sorts them; empty where it does not sort.
    pub(crate) ranks: Vec<Box<[u16]>>,
    /// Variables of which not everyone may know everything.
    private: Vec<VarId>,
    /// Variables that hold what picked cards have in common, with those that hold the cards.
    common: Vec<(VarId, VarId)>,
    /// What every cell holds before the game begins.
    start: Box<[i32]>,
    /// Frames of sights that are no longer needed. Each step of a table needs some for a moment.
    spare: Mutex<Vec<Frame<S>>>,
    /// By seat, then for spectators: what they see of each zone instance. Empty if that changes with roles.
    levels: Box<[Box<[Visibility]>]>,
}

impl<S> std::fmt::Debug for Scene<S> {
    /// The whole rules would drown everything else.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Scene({})", self.instance.program.meta.title)
    }
}

impl<S: CardSet> Scene<S> {
    pub fn new(instance: Arc<Instance<S>>) -> Self {
        let program = &instance.program;
        let of_kind = |test: fn(&VarKind) -> bool| {
            let vars = program.vars.iter().enumerate().filter(move |(_, var)| test(&var.kind));
            vars.map(|(id, _)| id as VarId).collect()
        };
        Self {
            roles: roles(&instance),
            flow: DeckFlow::of(program),
            values: of_kind(|kind| matches!(kind, VarKind::State { .. } | VarKind::Sealed)),
            dice: of_kind(|kind| matches!(kind, VarKind::Dice { .. })),
            private: private(&instance),
            common: common(&instance),
            ranks: program.zones.iter().map(|zone| ranks(&instance, &zone.sorted)).collect(),
            start: instance.frame().cells,
            levels: lasting_levels(&instance),
            spare: Mutex::default(),
            instance,
        }
    }

    /// A copy of a frame, in the place of one that is no longer needed if there is one.
    fn copy(&self, frame: &Frame<S>) -> Frame<S> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match spare {
            Some(mut copy) => {
                copy.clone_from(frame);
                copy
            }
            None => frame.clone(),
        }
    }

    /// What a viewer sees of a zone instance now.
    pub fn level(&self, frame: &Frame<S>, viewer: Viewer, zone: usize) -> Visibility {
        let eyes = match viewer {
            Viewer::Seat(seat) => usize::from(seat),
            Viewer::Spectator => self.instance.seats,
            Viewer::Replay => return Visibility::Cards,
        };
        match self.levels.get(eyes) {
            Some(levels) => levels[zone],
            None => zone_level(&self.instance, frame, viewer, zone),
        }
    }

    /// The seat an element of a variable belongs to: that of its first player index, or of a local of each seat; -1: nobody's.
    pub fn element_owner(&self, var: VarId, element: u32) -> i8 {
        let layout = &self.instance.layout.vars[var as usize];
        if layout.seat_local {
            return (element / (layout.len / self.instance.seats as u32).max(1)) as i8;
        }
        let player = layout.dims.iter().find(|dim| dim.player);
        player.map_or(-1, |dim| (element / dim.stride % dim.size) as i8)
    }
}

/// Variables that are not public as a whole: sealed ones, dice, locals of one seat, and all that name cards or texts.
fn private<S: CardSet>(instance: &Instance<S>) -> Vec<VarId> {
    let vars = (0..).zip(instance.program.vars.iter().zip(&instance.layout.vars));
    let private = vars.filter(|(_, (var, layout))| {
        let public = match var.kind {
            VarKind::State { .. } | VarKind::PublicLocal => !matches!(var.ty, Type::Text { .. }),
            VarKind::Local => !matches!(var.ty, Type::Card | Type::Text { .. }),
            VarKind::Sealed | VarKind::SeatLocal | VarKind::SecretLocal | VarKind::Dice { .. } => false,
        };
        !public || layout.picked.is_some()
    });
    private.map(|(id, _)| id).collect()
}

/// The variables of parts that pick sets and runs.
fn common<S: CardSet>(instance: &Instance<S>) -> Vec<(VarId, VarId)> {
    let alternatives = instance.program.asks.iter().flat_map(|ask| &ask.alternatives);
    let value = |part: &Part| match &part.kind {
        PartKind::Alike { value, .. } | PartKind::Run { value, .. } => Some((value.1, part.var)),
        _ => None,
    };
    alternatives.flat_map(|alternative| &alternative.parts).filter_map(value).collect()
}

/// What each seat and spectators see of each zone instance, where no role decides it.
fn lasting_levels<S: CardSet>(instance: &Arc<Instance<S>>) -> Box<[Box<[Visibility]>]> {
    if !roles(instance).is_empty() {
        return Box::default();
    }
    let frame = instance.frame();
    let viewers = (0..instance.seats as u8).map(Viewer::Seat).chain([Viewer::Spectator]);
    let level = |viewer, zone| zone_level(instance, &frame, viewer, zone);
    viewers.map(|viewer| (0..instance.zones()).map(|zone| level(viewer, zone)).collect()).collect()
}

/// Where each card comes when all are sorted by these attributes. Cards that look the same have the same rank.
fn ranks<S: CardSet>(instance: &Instance<S>, by: &[AttrId]) -> Box<[u16]> {
    if by.is_empty() {
        return Box::default();
    }
    let count = instance.cards.cards.len();
    let key = |card: usize| {
        let values: Vec<i32> = by.iter().map(|attr| instance.cards.attr(*attr, card as i32)).collect();
        (values, instance.face(card as u16))
    };
    let mut sorted: Vec<_> = (0..count).map(|card| (key(card), card)).collect();
    sorted.sort();
    let mut ranks = vec![0; count].into_boxed_slice();
    let mut rank = 0;
    for (at, (key, card)) in sorted.iter().enumerate() {
        rank += u16::from(at > 0 && sorted[at - 1].0 != *key);
        ranks[*card] = rank;
    }
    ranks
}

/// A frame as one viewer knows it. See the module's text.
#[derive(Clone, Debug)]
pub struct Sight<S> {
    scene: Arc<Scene<S>>,
    viewer: Viewer,
    frame: Frame<S>,
    made_up: S,
    levels: SmallVec<[Visibility; 32]>,
    answered: u32,
}

/// Sights that are used at the same time are few.
const SPARE: usize = 4;

impl<S: CardSet> Sight<S> {
    /// The sight of a frame. The only way from the one to the other.
    pub fn new(scene: &Arc<Scene<S>>, frame: &Frame<S>, viewer: Viewer) -> Self {
        mask::mask(scene, frame, viewer)
    }

    /// A sight from which nothing is hidden, for laws that hold what viewers read against the truth.
    #[cfg(feature = "laws")]
    pub(crate) fn of_everything(scene: &Arc<Scene<S>>, frame: &Frame<S>, viewer: Viewer) -> Self {
        let levels = (0..scene.instance.zones()).map(|_| Visibility::Cards).collect();
        Sight { scene: scene.clone(), viewer, frame: frame.clone(), made_up: S::empty(), levels, answered: 0 }
    }

    /// Nobody needs this sight any more. The next one will be made in its place.
    pub(crate) fn done(self) {
        let mut spare = self.scene.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < SPARE {
            spare.push(self.frame);
        }
    }

    pub fn scene(&self) -> &Arc<Scene<S>> {
        &self.scene
    }

    pub fn instance(&self) -> &Arc<Instance<S>> {
        &self.scene.instance
    }

    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    pub fn seat(&self) -> Option<u8> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Replay => None,
        }
    }

    pub fn frame(&self) -> &Frame<S> {
        &self.frame
    }

    /// Cards whose place in the frame says nothing: they stand for cards this viewer can't see.
    /// Those that lie in no zone are in zones whose size is hidden too.
    pub fn made_up(&self) -> &S {
        &self.made_up
    }

    /// How this viewer sees a zone instance.
    pub fn level(&self, zone: usize) -> Visibility {
        self.levels[zone]
    }

    /// What a seat might answer if a zone instance of its own, out of this viewer's sight, held these cards. For reasoning about what
    /// others hold: it depends on nothing that the viewer does not know.
    pub fn legal_if(&self, seat: u8, zone: usize, cards: &S) -> Option<Legal<S>> {
        let mut frame = self.frame.clone();
        *frame.sets.get_mut(zone)? = cards.clone();
        let list = self.instance().layout.instances.get(zone)?.list;
        if let Some(list) = frame.lists.get_mut(list as usize) {
            *list = cards.iter().collect();
        }
        self.instance().legal(&frame, seat)
    }

    /// Seats that have answered the sealed decision that is open.
    pub fn answered(&self) -> u32 {
        self.answered
    }
}

/// Two sights are equal if they show the same to the same viewer.
impl<S: CardSet> PartialEq for Sight<S> {
    fn eq(&self, other: &Self) -> bool {
        self.viewer == other.viewer
            && self.frame == other.frame
            && self.made_up == other.made_up
            && self.levels == other.levels
            && self.answered == other.answered
    }
}
