//! Zones: where cards lie, who sees them, how a client lays them out.

use super::expr::Num;
use super::{AttrId, BoundId, DeckId, VarId};
use crate::span::Span;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Zone {
    pub name: String,
    pub title: Option<String>,
    pub dims: Vec<Dim>,
    pub sees: Vec<VisibilityClause>,
    pub ordered: bool,
    /// Attributes by which a client sorts the cards for those who see them. Empty: the client shows the order of the
    /// zone.
    pub sorted: Vec<AttrId>,
    pub remembers: PlayerMemory,
    /// `holds at most N`: the zone has room for this many cards.
    pub holds: Option<Num>,
    pub starts_with: Option<DeckId>,
    pub shape: Shape,
    /// `turned when …`: clients draw the cards face down while the condition holds. The condition reads the index of
    /// the zone in the bound variables.
    pub turned: Option<(Vec<BoundId>, Num)>,
    /// Words of `show zone …` for the client, such as `centre`.
    pub hints: Vec<String>,
    pub span: Span,
}

/// One dimension of an indexed zone, state or dice: the `player` of `hand[player]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dim {
    Player,
    Range { low: i32, high: i32 },
    Attr(AttrId),
}

/// What somebody sees of a zone: nothing, how many cards lie there, or the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Visibility {
    Nothing,
    Count,
    Cards,
}

/// `owner sees cards`: a clause of a zone or of dice. The last clause that applies to a viewer decides. If none
/// applies, the viewer sees how many cards lie in the zone, or the faces of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisibilityClause {
    pub who: ViewerGroup,
    pub what: Visibility,
    /// The clause applies only while this holds. Reads options only, or is one state of type yes/no; see
    /// [`Self::state`].
    pub when: Option<Num>,
    pub span: Span,
}

impl VisibilityClause {
    /// Returns the state on which the clause depends, and whether each owner has one (`lifted[player]`).
    pub fn state(&self) -> Option<(VarId, bool)> {
        match &self.when {
            Some(Num::Var(var)) => Some((*var, false)),
            Some(Num::At(var, _)) => Some((*var, true)),
            _ => None,
        }
    }
}

/// The viewers to whom a clause applies. `docs/language.md` has the same list as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewerGroup {
    /// Every seat, and spectators.
    Everyone,
    /// Every seat.
    Players,
    Spectators,
    /// The seat of the first player index.
    Owner,
    /// Every seat but the owner, and spectators.
    Others,
    /// The seat that a state names.
    Role(VarId),
}

/// Whether a zone remembers which player brought each of its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlayerMemory {
    None,
    /// `remembers player`: the chooser of the decision whose body moved the card or, outside a decision, the owner of
    /// the zone that the card came from. Everyone knows it.
    Public,
    /// `remembers player secretly`: nobody knows it until the rules reveal it.
    Secret,
}

/// How a client lays out the cards of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// The file names no shape; the client chooses one.
    Auto,
    Fan,
    Pile,
    Row,
    Grid {
        columns: u8,
        rows: u8,
    },
    TowardsPlayer,
    Slots,
}
