//! A frame with only what one viewer may know.
//!
//! A [`Sight`] is a copy of a table's frame in which everything its viewer may not know is replaced by something that does not depend on
//! the truth: hidden cards are laid out in order of their numbers, hidden dice show their lowest face (dice that were not rolled show
//! nothing), sealed values and answers of others are as at the start. So the evaluator and the legality tests run on it unchanged, counts
//! are right, and a rule that reads something hidden gets the same wrong value whatever the truth is. A sight can't leak anything hidden,
//! because it contains nothing hidden.
//!
//! Views, prompts, refusals, bots and worlds are made from a sight, never from the frame of a table.

mod deck_flow;
mod eyes;
mod mask;

pub use deck_flow::DeckFlow;
use eyes::zone_level;
pub use eyes::{Visibility, knows_as, roles, sees_dice};

use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::Instance;
use crate::legal::Legal;
use crate::view::Viewer;
use baize_rules::program::{AttrId, Part, PartKind, Type, VarId, VarKind};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// An instance together with tables that views and sights need; made once and shared by all tables of the same kind.
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
    /// Indexed by declared zone: the rank of each card in the zone's sort order; empty if the zone does not sort.
    pub(crate) ranks: Vec<Box<[u16]>>,
    /// Variables that are hidden from some viewer, at least in part.
    private: Vec<VarId>,
    /// Variables that hold the common value of picked cards, each with the variable that holds the cards.
    common: Vec<(VarId, VarId)>,
    /// The value of every cell before the game begins.
    start: Box<[i32]>,
    /// Frames kept for reuse, because each step of a table makes a few sights for a moment.
    spare: Mutex<Vec<Frame<S>>>,
    /// What each seat, and then a spectator, sees of each zone instance. Empty if roles decide it, so that it can change.
    levels: Box<[Box<[Visibility]>]>,
}

impl<S> std::fmt::Debug for Scene<S> {
    /// Prints only the title: the whole rules would hide everything else.
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

    /// Copies a frame into one that is kept for reuse, if there is one.
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

    /// Returns what a viewer sees of a zone instance now.
    pub fn level(&self, frame: &Frame<S>, viewer: Viewer, zone: usize) -> Visibility {
        let eyes = match knows_as(frame, viewer) {
            Viewer::Seat(seat) => usize::from(seat),
            Viewer::Spectator => self.instance.seats,
            Viewer::Replay => return Visibility::Cards,
        };
        match self.levels.get(eyes) {
            Some(levels) => levels[zone],
            None => zone_level(&self.instance, frame, viewer, zone),
        }
    }

    /// Returns the seat to which an element of a variable belongs (by its first player index, or as a local of the seat), or -1.
    pub fn element_owner(&self, var: VarId, element: u32) -> i8 {
        let layout = &self.instance.layout.vars[var as usize];
        if layout.seat_local {
            return (element / (layout.len / self.instance.seats as u32).max(1)) as i8;
        }
        let player = layout.dims.iter().find(|dim| dim.player);
        player.map_or(-1, |dim| (element / dim.stride % dim.size) as i8)
    }
}

/// Returns the variables that are hidden from some viewer: sealed ones, dice, locals of one seat, and locals that name cards or texts.
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

/// Returns the variables of parts that pick sets and runs: of the common value, and of the cards.
fn common<S: CardSet>(instance: &Instance<S>) -> Vec<(VarId, VarId)> {
    let alternatives = instance.program.asks.iter().flat_map(|ask| &ask.alternatives);
    let value = |part: &Part| match &part.kind {
        PartKind::Alike { value, .. } | PartKind::Run { value, .. } => Some((value.1, part.var)),
        _ => None,
    };
    alternatives.flat_map(|alternative| &alternative.parts).filter_map(value).collect()
}

/// Returns what each seat and spectators see of each zone instance; nothing if roles decide it.
fn lasting_levels<S: CardSet>(instance: &Arc<Instance<S>>) -> Box<[Box<[Visibility]>]> {
    if !roles(instance).is_empty() {
        return Box::default();
    }
    let frame = instance.frame();
    let viewers = (0..instance.seats as u8).map(Viewer::Seat).chain([Viewer::Spectator]);
    let level = |viewer, zone| zone_level(instance, &frame, viewer, zone);
    viewers.map(|viewer| (0..instance.zones()).map(|zone| level(viewer, zone)).collect()).collect()
}

/// Returns the rank of each card when all are sorted by these attributes. Cards with the same face have the same rank.
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

/// A frame with only what one viewer may know; see the documentation of the module.
#[derive(Clone, Debug)]
pub struct Sight<S> {
    scene: Arc<Scene<S>>,
    viewer: Viewer,
    frame: Frame<S>,
    made_up: S,
    levels: SmallVec<[Visibility; 32]>,
    answered: u32,
}

/// Upper bound on frames kept for reuse.
const SPARE: usize = 4;

impl<S: CardSet> Sight<S> {
    /// Makes the sight of a frame for one viewer. Outside of the laws, every sight comes from here.
    pub fn new(scene: &Arc<Scene<S>>, frame: &Frame<S>, viewer: Viewer) -> Self {
        mask::mask(scene, frame, viewer)
    }

    /// Makes a sight that hides nothing. Laws compare it with real sights.
    #[cfg(feature = "laws")]
    pub(crate) fn of_everything(scene: &Arc<Scene<S>>, frame: &Frame<S>, viewer: Viewer) -> Self {
        let levels = (0..scene.instance.zones()).map(|_| Visibility::Cards).collect();
        Sight { scene: scene.clone(), viewer, frame: frame.clone(), made_up: S::empty(), levels, answered: 0 }
    }

    /// Gives the sight's frame back for reuse.
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

    /// Returns the seat whose secrets the viewer knows: none for a newcomer who waits for the rules to admit it.
    pub fn knowing_seat(&self) -> Option<u8> {
        match knows_as(&self.frame, self.viewer) {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Replay => None,
        }
    }

    pub fn frame(&self) -> &Frame<S> {
        &self.frame
    }

    /// Returns the cards that the viewer can't see. Their places in the frame are made up. Those that are in no zone of the
    /// frame lie in zones whose size is hidden, too.
    pub fn made_up(&self) -> &S {
        &self.made_up
    }

    /// Returns what the viewer sees of a zone instance.
    pub fn level(&self, zone: usize) -> Visibility {
        self.levels[zone]
    }

    /// Returns what a seat might answer if a hidden zone instance of its own held these cards. Bots infer from it which cards others hold; it
    /// depends on nothing that the viewer does not know.
    pub fn legal_if(&self, seat: u8, zone: usize, cards: &S) -> Option<Legal<S>> {
        let mut frame = self.frame.clone();
        *frame.sets.get_mut(zone)? = cards.clone();
        let list = self.instance().layout.instances.get(zone)?.list;
        if let Some(list) = frame.lists.get_mut(list as usize) {
            *list = cards.iter().collect();
        }
        self.instance().legal(&frame, seat)
    }

    /// Returns the seats that have answered the open sealed decision, as bits.
    pub fn answered(&self) -> u32 {
        self.answered
    }
}

/// Two sights are equal if they belong to the same viewer and show the same.
impl<S: CardSet> PartialEq for Sight<S> {
    fn eq(&self, other: &Self) -> bool {
        self.viewer == other.viewer
            && self.frame == other.frame
            && self.made_up == other.made_up
            && self.levels == other.levels
            && self.answered == other.answered
    }
}
