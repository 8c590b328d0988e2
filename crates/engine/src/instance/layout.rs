//! The position of each variable and zone of the rules in a frame.

use super::InstantiateError;
use super::options::SetupContext;
use baize_rules::program::{AttrDomain, Dim, NONE, NONE_VALUE, Op, PartKind, Program, Type, VarKind, ZoneId};

/// Upper bounds on the elements of variables and on zone instances; rules with more are refused.
const MAX_CELLS: usize = 1 << 16;
const MAX_ZONES: usize = 4096;

/// One dimension of an indexed variable or zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimLayout {
    /// The lowest index value.
    pub low: i32,
    pub size: u32,
    /// Distance between neighbours in this dimension.
    pub stride: u32,
    /// Indexed by seat.
    pub player: bool,
}

#[derive(Clone, Debug)]
pub struct VarLayout {
    /// The first cell.
    pub base: u32,
    pub len: u32,
    pub dims: Vec<DimLayout>,
    /// Stored values are clamped to `low..=high`.
    pub low: i32,
    pub high: i32,
    /// The value that an index out of range reads.
    pub none: i32,
    /// One element per seat, read and written through `Me`.
    pub seat_local: bool,
    /// Views show the variable, so the sink is told of changes.
    pub shown: bool,
    /// First place in `Frame::picked`, for variables that hold several cards.
    pub picked: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct ZoneFamily {
    /// The first instance.
    pub base: u32,
    pub len: u32,
    pub dims: Vec<DimLayout>,
    /// Whether its instances keep their cards in order.
    pub listed: bool,
    pub remembers: bool,
}

/// One instance of a zone.
#[derive(Clone, Debug)]
pub struct ZoneInstance {
    pub zone: ZoneId,
    /// The values of the instance's index, one per dimension.
    pub index: Vec<i32>,
    /// The seat of the first player index; -1 if there is none.
    pub owner: i8,
    /// The instance remembers which seat brought each card.
    pub remembers: bool,
    /// The number of cards is limited.
    pub bounded: bool,
    /// Place in `Frame::lists`; [`NO_LIST`] if the cards have no order.
    pub list: u32,
}

pub const NO_LIST: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Layout {
    pub vars: Vec<VarLayout>,
    pub zones: Vec<ZoneFamily>,
    /// The zone instances. The index of each is its number.
    pub instances: Vec<ZoneInstance>,
    /// Number of cells of variables; the cells of asks follow them.
    pub cells: u32,
    pub lists: u32,
    pub picked: u32,
    /// Some zone remembers players.
    pub remembers: bool,
}

impl Layout {
    pub fn new(program: &Program, seats: usize, cards: usize) -> Result<Self, InstantiateError> {
        let mut layout = Layout {
            vars: Vec::new(),
            zones: Vec::new(),
            instances: Vec::new(),
            cells: 0,
            lists: 0,
            picked: 0,
            remembers: false,
        };
        for var in &program.vars {
            let dims = dims(program, &var.dims, seats).ok_or_else(|| too_big(&var.name))?;
            let seat_local = var.kind == VarKind::SeatLocal;
            let len = size(&dims) * if seat_local { seats as u64 } else { 1 };
            if len + layout.cells as u64 > MAX_CELLS as u64 {
                return Err(too_big(&var.name));
            }
            let (low, high) = bounds(&var.ty, seats, cards);
            let picked = (var.ty == Type::Cards).then_some(layout.picked);
            if picked.is_some() {
                layout.picked += len as u32;
            }
            layout.vars.push(VarLayout {
                base: layout.cells,
                len: len as u32,
                dims,
                low,
                high,
                none: none_of(&var.ty),
                seat_local,
                shown: matches!(var.kind, VarKind::State { .. } | VarKind::Sealed | VarKind::Dice { .. }),
                picked,
            });
            layout.cells += len as u32;
        }
        let listed = listed(program);
        for (id, zone) in program.zones.iter().enumerate() {
            let dims = dims(program, &zone.dims, seats).ok_or_else(|| too_big(&zone.name))?;
            let len = size(&dims);
            if len + layout.instances.len() as u64 > MAX_ZONES as u64 {
                return Err(too_big(&zone.name));
            }
            let remembers = zone.remembers != baize_rules::program::PlayerMemory::None;
            let base = layout.instances.len() as u32;
            for n in 0..len as u32 {
                let index: Vec<i32> = dims.iter().map(|d| d.low + (n / d.stride % d.size) as i32).collect();
                let owner = dims.iter().position(|d| d.player).map_or(-1, |at| index[at] as i8);
                let list = if listed[id] { layout.lists } else { NO_LIST };
                layout.lists += listed[id] as u32;
                layout.instances.push(ZoneInstance {
                    zone: id as ZoneId,
                    index,
                    owner,
                    remembers,
                    bounded: zone.holds.is_some(),
                    list,
                });
            }
            layout.remembers |= remembers;
            layout.zones.push(ZoneFamily { base, len: len as u32, dims, listed: listed[id], remembers });
        }
        // A mix has to remember who brought each pile, even if the zone does not declare it.
        layout.remembers |= program.code.iter().any(|op| matches!(op, Op::Mix { .. }));
        Ok(layout)
    }

    /// Returns the initial value of every cell.
    pub fn initial(&self, program: &Program, known: &SetupContext) -> Vec<i32> {
        let mut cells = vec![0; self.cells as usize + program.asks.len()];
        for (var, layout) in program.vars.iter().zip(&self.vars) {
            let value = match var.kind {
                // Dice show nothing until they are rolled.
                VarKind::Dice { .. } => 0,
                _ => known.value(&var.default).clamp(layout.low, layout.high),
            };
            cells[layout.base as usize..(layout.base + layout.len) as usize].fill(value);
        }
        cells[self.cells as usize..].fill(NONE);
        cells
    }
}

fn too_big(name: &str) -> InstantiateError {
    InstantiateError::TooBig(name.to_owned())
}

/// Lays out the dimensions so that the last one varies fastest; `None` if there are too many elements.
fn dims(program: &Program, dims: &[Dim], seats: usize) -> Option<Vec<DimLayout>> {
    let mut stride = 1u64;
    let mut layout: Vec<DimLayout> = Vec::with_capacity(dims.len());
    for dim in dims.iter().rev() {
        let (low, size) = match dim {
            Dim::Player => (0, seats as i64),
            Dim::Range { low, high } => (*low, *high as i64 - *low as i64 + 1),
            Dim::Attr(attr) => match &program.attrs.get(*attr as usize)?.values {
                AttrDomain::Range { low, high } => (*low, *high as i64 - *low as i64 + 1),
                AttrDomain::Names(names) => (0, names.len() as i64),
                AttrDomain::Property => (0, 0),
            },
        };
        let size = size.clamp(0, MAX_CELLS as i64 + 1) as u64;
        layout.push(DimLayout { low, size: size as u32, stride: stride as u32, player: *dim == Dim::Player });
        stride *= size.max(1);
        if stride > MAX_CELLS as u64 {
            return None;
        }
    }
    layout.reverse();
    Some(layout)
}

fn size(dims: &[DimLayout]) -> u64 {
    dims.iter().map(|d| d.size as u64).product()
}

fn bounds(ty: &Type, seats: usize, cards: usize) -> (i32, i32) {
    match ty {
        Type::Number { low, high } | Type::Seconds { low, high } => (*low, (*high).max(*low)),
        Type::YesNo => (0, 1),
        Type::Player => (NONE, seats as i32 - 1),
        Type::Card => (NONE, cards as i32 - 1),
        Type::Choice(names) => (0, (names.len() as i32 - 1).max(0)),
        Type::Attr(_) | Type::Text { .. } | Type::Cards | Type::DiceSet => (i32::MIN, i32::MAX),
    }
}

fn none_of(ty: &Type) -> i32 {
    match ty {
        Type::Player | Type::Card => NONE,
        Type::Attr(_) => NONE_VALUE,
        _ => 0,
    }
}

/// Returns which zones keep an order: those that declare it, and those whose order an op makes or reads.
fn listed(program: &Program) -> Vec<bool> {
    let mut listed: Vec<bool> = program.zones.iter().map(|z| z.ordered).collect();
    let mut mark = |zone: ZoneId| {
        if let Some(flag) = listed.get_mut(zone as usize) {
            *flag = true;
        }
    };
    for op in &program.code {
        if let Op::Shuffle(zone) = op {
            mark(zone.zone);
        }
    }
    for part in program.asks.iter().flat_map(|a| &a.alternatives).flat_map(|a| &a.parts) {
        if let PartKind::Unseen(zone) = &part.kind {
            mark(zone.zone);
        }
    }
    listed
}
