//! Lowers asks: their alternatives, parts and conditions. Conditions on one card become tests on whole sets of cards.

use super::mentions::Reads;
use super::{Lower, SeatSource};
use crate::build::choice::CardMust;
use crate::cardset::CardSet;
use crate::instance::closure::{CardChoice, Cond};
use crate::instance::expr::{Expr, Test};
use crate::instance::question::{
    Block, DropWhen, LoweredPart, LoweredPartKind, Mode, Must, Offer, OfferKind, PartCondition, PartTarget,
    PickedPlace, Question, RangeOf, RunPattern, SetPattern,
};
use baize_rules::program::{
    Alternative, Ask, AskMode, AttrDomain, AttrId, BoundId, Cmp, Must as DeclaredMust, Num, Part, PartKind, Pc,
    TimeLimit, TogetherBlock, VarId,
};

/// Upper bound on dice in one part; a choice of dice is a bit mask.
const MAX_DICE: u32 = 16;

/// The position of an ask in the program.
pub struct AskPlace {
    pub at: Pc,
    /// The meaning of `Me` at that position.
    pub me: SeatSource,
    /// Whether the ask is in a `together` block.
    pub threaded: bool,
}

impl<S: CardSet> Lower<'_, S> {
    pub fn question(&mut self, ask: &Ask, asked: AskPlace, next_answer: Pc, chose: u32) -> Question<S> {
        let AskPlace { at, me, threaded } = asked;
        self.me = me;
        self.clear_scope();
        let mode = match &ask.mode {
            AskMode::One(Num::Lead) => Mode::Lead,
            AskMode::One(chooser) => Mode::One(self.num(chooser)),
            AskMode::All(seats) => Mode::All(self.members(seats)),
            AskMode::First(seats) => Mode::First(self.members(seats)),
        };
        self.me = SeatSource::Given;
        let offers: Vec<_> = ask.alternatives.iter().map(|a| self.offer(a)).collect();
        let one_card = match (&mode, &offers[..]) {
            (Mode::One(_), [offer]) if !threaded => offer.one_card(),
            _ => None,
        };
        Question {
            one_card,
            drawable: matches!(mode, Mode::One(_)) && offers.iter().all(Offer::drawable),
            mode,
            prompt: ask.prompt.as_ref().map(|t| self.script(t)),
            prompt_public: ask.prompt_public,
            offers,
            default: ask.default.as_ref().map(|d| (d.alternative, d.pick)),
            within: self.within(&ask.within),
            absent: ask.absent,
            absent_after: ask.absent_after.as_ref().map(|(seconds, pc)| (self.num(seconds), *pc)),
            gone_default: ask.gone_default,
            drop_when: drop_when(self.optional(&ask.drop_when)),
            at,
            after: ask.after,
            next_answer,
            chose,
            threaded,
        }
    }

    pub fn block(&mut self, together: &TogetherBlock, me: SeatSource) -> Block<S> {
        self.me = me;
        self.clear_scope();
        let over = self.members(&together.over);
        self.me = SeatSource::Given;
        Block {
            over,
            body: together.body,
            after: together.after,
            within: self.within(&together.within),
            absent: together.absent,
        }
    }

    fn within(&mut self, within: &Option<TimeLimit>) -> Option<(Expr<S>, baize_rules::program::TimeoutAction)> {
        let within = within.as_ref()?;
        match self.num(&within.seconds) {
            // Zero seconds mean that there is no clock.
            Expr::Const(seconds) if seconds <= 0 => None,
            seconds => Some((seconds, within.then)),
        }
    }

    fn offer(&mut self, alternative: &Alternative) -> Offer<S> {
        self.clear_scope();
        let when = self.optional(&alternative.when);
        let never = matches!(when, Some(Expr::Const(0)));
        let when = when.map(Cond::new);
        let label = alternative.label.as_ref().map(|t| self.script(t));
        let mut parts = Parts::default();
        let mut independent = true;
        let mut lowered = Vec::new();
        for part in &alternative.parts {
            independent &= parts.read_by(&part.kind) == 0;
            lowered.push(self.lower_part(part, &mut parts));
            let others = |c: &PartCondition<S>| c.parts & !(1 << (lowered.len() - 1));
            independent &= lowered[lowered.len() - 1].filter.as_ref().is_none_or(|f| others(f) == 0);
        }
        let (musts, about): (Vec<_>, Vec<_>) = alternative.musts.iter().map(|must| self.must(must, &parts)).unzip();
        independent &= musts.iter().all(|must| must.cond.parts.count_ones() <= 1);
        let kind = match &lowered[..] {
            [] => OfferKind::Plain,
            [LoweredPart { kind: LoweredPartKind::Card(_), .. }] => OfferKind::Card,
            _ if independent => OfferKind::Product,
            _ => OfferKind::List,
        };
        let choice = match &lowered[..] {
            [LoweredPart { kind: LoweredPartKind::Card(from), filter, .. }] => {
                let filter = filter.as_ref().and_then(|filter| filter.test.clone());
                Some(CardChoice::new(from.clone(), filter, about))
            }
            _ => None,
        };
        self.clear_scope();
        Offer {
            name: alternative.name.clone(),
            label,
            parts: lowered,
            when,
            never,
            if_none: alternative.if_none,
            musts,
            body: alternative.body,
            kind,
            choice,
            pass: alternative.name == "pass",
        }
    }

    /// Lowers a `must`; also returns it as a [`CardMust`] if its condition is a test on one card.
    fn must(&mut self, must: &DeclaredMust, parts: &Parts) -> (Must<S>, Option<CardMust<S>>) {
        let free = must.when.as_ref().is_none_or(|w| parts.read_by(w) == 0);
        let cond = match &must.when {
            Some(when) if !free => {
                let or = Num::Or(Box::new(Num::Not(Box::new(when.clone()))), Box::new(must.cond.clone()));
                self.condition(&or, parts)
            }
            _ => self.condition(&must.cond, parts),
        };
        let when = if free { self.optional(&must.when) } else { None };
        let about = cond.test.clone().map(|test| CardMust { when: when.clone(), test, if_able: must.if_able });
        let reason = self.script(&must.reason);
        (Must { cond, if_able: must.if_able, when: when.map(Cond::new), reason }, about)
    }

    fn condition(&mut self, cond: &Num, parts: &Parts) -> PartCondition<S> {
        let read = parts.read_by(cond);
        let test = parts.single_card(read).map(|card| self.test(cond, card));
        let expr = self.num(cond);
        let had = match &expr {
            Expr::AnyIn(both) => match &**both {
                (spot, Test::Attr(attr, Cmp::Eq, value)) => match **value {
                    Expr::Reg(reg) => Some(Box::new((spot.clone(), *attr, reg))),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        PartCondition { cond: Cond::new(expr), test, parts: read, had }
    }

    fn lower_part(&mut self, part: &Part, parts: &mut Parts) -> LoweredPart<S> {
        // The candidates of a part can't depend on the part itself, so it is not in scope yet.
        let mut kind = self.lower_part_kind(&part.kind);
        let several =
            matches!(kind, LoweredPartKind::Cards { .. } | LoweredPartKind::Alike(_) | LoweredPartKind::Run(_));
        let reg = if several { self.bind_pick(part.bound) } else { self.bind(part.bound) };
        let mut value = None;
        if let PartKind::Alike { value: (bound, var), .. } | PartKind::Run { value: (bound, var), .. } = &part.kind {
            let reg = self.bind(*bound);
            match &mut kind {
                LoweredPartKind::Alike(alike) => alike.value = reg,
                LoweredPartKind::Run(run) => run.value = reg,
                _ => {}
            }
            value = Some((*bound, *var));
        }
        parts.add(
            part.bound,
            value.map(|v| v.0),
            matches!(kind, LoweredPartKind::Card(_) | LoweredPartKind::Unseen(_)),
        );
        let store = if several {
            PartTarget::Cards { place: self.picked_place(part.var), value: value.map(|v| self.variable(v.1)) }
        } else if matches!(kind, LoweredPartKind::Text(_)) {
            PartTarget::Text(self.cell(part.var, &[]))
        } else {
            PartTarget::Value(self.variable(part.var))
        };
        let filter = part.filter.as_ref().map(|f| self.condition(f, parts));
        LoweredPart { name: part.name.clone(), kind, reg, store, filter }
    }

    fn lower_part_kind(&mut self, kind: &PartKind) -> LoweredPartKind<S> {
        match kind {
            PartKind::Card(from) => LoweredPartKind::Card(self.set(from)),
            PartKind::Unseen(zone) => LoweredPartKind::Unseen(self.spot(zone)),
            PartKind::Cards { low, high, from, ordered } => LoweredPartKind::Cards {
                low: self.num(low),
                high: self.num(high),
                from: self.set(from),
                ordered: *ordered,
            },
            PartKind::Alike { from, attr, wild, alone, low, high, .. } => {
                LoweredPartKind::Alike(Box::new(SetPattern {
                    from: self.set(from),
                    attr: *attr,
                    wild: wild.as_ref().map(|(bound, cond)| self.test(cond, *bound)),
                    alone: alone.as_ref().map(|a| self.num(a)),
                    low: self.num(low),
                    high: self.num(high),
                    value: 0,
                }))
            }
            PartKind::Run { from, attr, within, low, high, .. } => LoweredPartKind::Run(Box::new(RunPattern {
                from: self.set(from),
                attr: *attr,
                within: *within,
                low: self.num(low),
                high: self.num(high),
                value: 0,
            })),
            PartKind::Number { low, high } => LoweredPartKind::Number { low: self.num(low), high: self.num(high) },
            PartKind::Pile(zone) => {
                let dim = self.layout.zones.get(*zone as usize).and_then(|z| z.dims.first());
                let (low, size) = dim.map_or((0, 0), |d| (d.low, d.size as i32));
                LoweredPartKind::Range { low, high: low + size - 1, what: RangeOf::Pile(*zone) }
            }
            PartKind::Player(seats) => LoweredPartKind::Player(self.members(seats)),
            PartKind::Value(attr) => {
                let (low, high) = self.attr_range(*attr);
                LoweredPartKind::Range { low, high, what: RangeOf::Attr(*attr) }
            }
            PartKind::Choice(names) => {
                LoweredPartKind::Range { low: 0, high: names.len() as i32 - 1, what: RangeOf::Choice }
            }
            PartKind::YesNo => LoweredPartKind::Range { low: 0, high: 1, what: RangeOf::YesNo },
            PartKind::Text(most) => LoweredPartKind::Text(self.num(most)),
            PartKind::Dice(dice, index) => {
                let dims = self.layout.vars.get(*dice as usize).map_or(&[][..], |v| &v.dims);
                let count: u32 = dims.iter().skip(index.len()).map(|d| d.size).product();
                LoweredPartKind::Dice { dice: *dice, count: count.min(MAX_DICE) }
            }
        }
    }

    fn attr_range(&self, attr: AttrId) -> (i32, i32) {
        match self.program.attrs.get(attr as usize).map(|a| &a.values) {
            Some(AttrDomain::Range { low, high }) => (*low, *high),
            Some(AttrDomain::Names(names)) => (0, names.len() as i32 - 1),
            Some(AttrDomain::Property) => {
                let table = &self.cards.attrs[attr as usize];
                (table.low, table.low + table.equal.len() as i32 - 1)
            }
            None => (0, -1),
        }
    }

    fn picked_place(&mut self, var: VarId) -> PickedPlace<S> {
        match self.layout.vars.get(var as usize) {
            Some(layout) => match (layout.picked, layout.seat_local) {
                (None, _) => PickedPlace::Nowhere,
                (Some(first), false) => PickedPlace::At(first),
                (Some(base), true) => PickedPlace::Of { base, seat: self.me() },
            },
            None => PickedPlace::Nowhere,
        }
    }
}

fn drop_when<S: CardSet>(cond: Option<Expr<S>>) -> DropWhen<S> {
    match cond {
        None => DropWhen::Never,
        Some(Expr::Cell(cell)) => DropWhen::Flag(cell),
        Some(cond) => DropWhen::When(Cond::new(cond)),
    }
}

/// The parts of an alternative that are in scope so far.
#[derive(Default)]
struct Parts {
    /// For each part: its bound, the bound of its pattern's value, and whether it is a single card.
    bounds: Vec<(BoundId, Option<BoundId>, bool)>,
}

impl Parts {
    fn add(&mut self, bound: BoundId, value: Option<BoundId>, card: bool) {
        self.bounds.push((bound, value, card));
    }

    /// Returns the parts that an expression reads, as bits.
    fn read_by(&self, expr: &impl Reads) -> u32 {
        let mut read = 0;
        expr.reads(&mut |b| {
            for (i, (bound, value, _)) in self.bounds.iter().enumerate().take(32) {
                if *bound == b || *value == Some(b) {
                    read |= 1 << i;
                }
            }
        });
        read
    }

    /// Returns the bound of the only part that is read, if it is one card. A condition that reads no part counts as one on the only part.
    fn single_card(&self, read: u32) -> Option<BoundId> {
        let at = match read.count_ones() {
            0 if self.bounds.len() == 1 => 0,
            1 => read.trailing_zeros() as usize,
            _ => return None,
        };
        self.bounds.get(at).filter(|b| b.2).map(|b| b.0)
    }
}

impl Reads for PartKind {
    fn reads(&self, found: &mut dyn FnMut(BoundId)) {
        match self {
            PartKind::Card(from) => from.reads(found),
            PartKind::Unseen(zone) => zone.index.iter().for_each(|i| i.reads(found)),
            PartKind::Cards { low, high, from, .. } => {
                low.reads(found);
                high.reads(found);
                from.reads(found);
            }
            PartKind::Alike { from, wild, alone, low, high, .. } => {
                from.reads(found);
                if let Some((_, cond)) = wild {
                    cond.reads(found);
                }
                if let Some(alone) = alone {
                    alone.reads(found);
                }
                low.reads(found);
                high.reads(found);
            }
            PartKind::Run { from, low, high, .. } => {
                from.reads(found);
                low.reads(found);
                high.reads(found);
            }
            PartKind::Number { low, high } => {
                low.reads(found);
                high.reads(found);
            }
            PartKind::Player(seats) => {
                if let Some(cond) = &seats.cond {
                    cond.reads(found);
                }
            }
            PartKind::Text(most) => most.reads(found),
            PartKind::Dice(_, index) => index.iter().for_each(|i| i.reads(found)),
            PartKind::Pile(_) | PartKind::Value(_) | PartKind::Choice(_) | PartKind::YesNo => {}
        }
    }
}
