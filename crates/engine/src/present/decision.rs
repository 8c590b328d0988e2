//! Makes the decision view of a seat: the question, and everything the seat may answer.
//!
//! It runs the same code that checks moves, on the seat's sight. Lists are in the order of the view and not in the order of card numbers,
//! which would tell equal cards apart.

use super::Handles;
use super::order::{DisplayOrder, Representatives};
use crate::cardset::CardSet;
use crate::frame::Frame;
use crate::instance::closure::Cond;
use crate::instance::expr::Spot;
use crate::instance::question::{LoweredPart, LoweredPartKind, Offer, Question, RangeOf};
use crate::legal::{Candidates, Legal, Moves, Parts, Pick};
use crate::moves::{CONTINUE, Move, PartValue};
use crate::sight::Sight;
use crate::view::{AlternativeView, Blocked, DecisionView, Handle, PartKindView, PartView, RichText, ZoneView};
use baize_rules::program::{Num, PartKind, capitalised};
use std::borrow::Cow;

/// Returns the open decision of the sight's viewer.
pub(crate) fn decision<S: CardSet>(sight: &Sight<S>, handles: &Handles, zones: &[ZoneView]) -> Option<DecisionView> {
    let seat = sight.seat()?;
    let legal = sight.instance().legal(sight.frame(), seat)?;
    let order = &DisplayOrder::new(handles, zones);
    let question = &sight.instance().code.questions[usize::from(legal.ask)];
    let me = i32::from(seat);
    let prompt = question.prompt.as_ref().map(|prompt| sight.instance().write_text(sight.frame(), prompt, me, &[]));
    let asked = DecisionBuilder { sight, order, legal: &legal, question, me, frame: unpaused(sight.frame()) };
    Some(DecisionView { id: legal.decision, prompt, alternatives: asked.alternatives() })
}

/// Resumes a paused frame: the reason why a card is blocked does not depend on a pause.
fn unpaused<S: CardSet>(frame: &Frame<S>) -> Cow<'_, Frame<S>> {
    match frame.paused {
        false => Cow::Borrowed(frame),
        true => Cow::Owned(Frame { paused: false, ..frame.clone() }),
    }
}

struct DecisionBuilder<'a, S: CardSet> {
    sight: &'a Sight<S>,
    order: &'a DisplayOrder<'a>,
    legal: &'a Legal<S>,
    question: &'a Question<S>,
    me: i32,
    frame: Cow<'a, Frame<S>>,
}

impl<S: CardSet> DecisionBuilder<'_, S> {
    fn alternatives(&self) -> Vec<AlternativeView> {
        if self.legal.offers.iter().any(|offer| offer.alternative == CONTINUE) {
            let label = RichText(vec![crate::view::Piece::Text("Continue".to_owned())]);
            return vec![AlternativeView {
                name: "continue".to_owned(),
                label,
                index: CONTINUE,
                legal: true,
                parts: Vec::new(),
                combinations: None,
            }];
        }
        let offers = (0u16..).zip(&self.question.offers);
        offers.filter_map(|(index, offer)| self.alternative(index, offer)).collect()
    }

    /// Returns the view of an alternative. One that is not offered now is left out; one without a legal choice is shown as not legal.
    fn alternative(&self, index: u16, offer: &Offer<S>) -> Option<AlternativeView> {
        let instance = self.sight.instance();
        let legal = self.legal.offers.iter().find(|legal| legal.alternative == index);
        let holds = |when: &Cond<S>| instance.evaluate_for_view(&self.frame, self.me, &[], |eval| when.holds(eval));
        if legal.is_none() && (offer.if_none || offer.when.as_ref().is_some_and(|when| !holds(when))) {
            return None;
        }
        let label = match &offer.label {
            Some(label) => instance.write_text(&self.frame, label, self.me, &[]),
            None => RichText(vec![crate::view::Piece::Text(capitalised(&offer.name))]),
        };
        let (parts, combinations) = match legal.map(|legal| &legal.moves) {
            None | Some(Moves::Plain) => (self.empty_parts(index, offer), None),
            Some(Moves::Card(cards)) => (vec![self.part(index, offer, 0, &Candidates::Cards(cards.clone()))], None),
            Some(Moves::Product(product)) => {
                let parts = product.iter().enumerate();
                (parts.map(|(at, candidates)| self.part(index, offer, at, candidates)).collect(), None)
            }
            Some(Moves::List(list)) => self.listed(index, offer, list),
        };
        Some(AlternativeView { name: offer.name.clone(), label, index, legal: legal.is_some(), parts, combinations })
    }

    fn empty_parts(&self, index: u16, offer: &Offer<S>) -> Vec<PartView> {
        (0..offer.parts.len()).map(|at| self.part(index, offer, at, &none_of(&offer.parts[at]))).collect()
    }

    /// Returns the parts of an alternative whose parts depend on one another: the values of each, and the combinations.
    fn listed(&self, index: u16, offer: &Offer<S>, list: &[Parts]) -> (Vec<PartView>, Option<Vec<Vec<u16>>>) {
        let mut values: Vec<Vec<&PartValue>> = vec![Vec::new(); offer.parts.len()];
        let mut combinations: Vec<Vec<u16>> = Vec::with_capacity(list.len());
        let list: Vec<Parts> = list.iter().map(|parts| self.shown(offer, parts)).collect();
        for parts in &list {
            let positions = parts.iter().zip(&mut values).map(|(value, known)| {
                let at = known.iter().position(|known| *known == value).unwrap_or_else(|| {
                    known.push(value);
                    known.len() - 1
                });
                at as u16
            });
            combinations.push(positions.collect());
        }
        // Options are sorted into the order of the view, and combinations refer to the sorted positions.
        for (part, known) in values.iter_mut().enumerate() {
            let mut sorted: Vec<usize> = (0..known.len()).collect();
            sorted.sort_by_cached_key(|at| self.sort_key(&offer.parts[part], known[*at]));
            let mut place = vec![0u16; known.len()];
            sorted.iter().enumerate().for_each(|(to, from)| place[*from] = to as u16);
            *known = sorted.iter().map(|at| known[*at]).collect();
            for combination in &mut combinations {
                combination[part] = place[usize::from(combination[part])];
            }
        }
        combinations.sort_unstable();
        combinations.dedup();
        let parts = values.iter().enumerate();
        let parts = parts.map(|(at, known)| self.part(index, offer, at, &gathered(&offer.parts[at], known))).collect();
        let all = values.iter().fold(1usize, |n, known| n.saturating_mul(known.len()));
        (parts, (offer.parts.len() > 1 && combinations.len() < all).then_some(combinations))
    }

    /// Whether the answers are a list, and not all combinations of the parts.
    fn is_listed(&self, index: u16) -> bool {
        let offers = &self.legal.offers;
        offers.iter().any(|offer| offer.alternative == index && matches!(offer.moves, Moves::List(_)))
    }

    /// Returns the parts of one answer with each card replaced by its representative.
    fn shown(&self, offer: &Offer<S>, parts: &Parts) -> Parts {
        let mut representatives = Representatives::new(self.order);
        self.sight.instance().evaluate_for_view(&self.frame, self.me, &[], |eval| {
            let shown = parts.iter().zip(&offer.parts).map(|(value, lowered)| {
                let offered = eval.source(lowered);
                let is_offered = |card: u16| offered.as_ref().is_none_or(|cards| cards.contains(card));
                let shown = match (value, &lowered.kind) {
                    (PartValue::Number(card), LoweredPartKind::Card(_)) => {
                        PartValue::Number(i32::from(representatives.of_card(*card as u16, is_offered)))
                    }
                    (PartValue::Cards(cards), kind) => {
                        let mut shown: Pick =
                            cards.iter().map(|card| representatives.of_set(*card, is_offered)).collect();
                        // The list has the cards by their numbers. If the order stayed, one choice could be shown twice, in two orders.
                        if matches!(kind, LoweredPartKind::Cards { ordered: false, .. }) {
                            shown.sort_by_cached_key(|card| self.order.rank(*card));
                        }
                        PartValue::Cards(shown)
                    }
                    (value, _) => value.clone(),
                };
                // What a later part offers may depend on this one.
                eval.bind_part(lowered, &shown);
                shown
            });
            shown.collect()
        })
    }

    fn sort_key(&self, lowered: &LoweredPart<S>, value: &PartValue) -> Vec<u32> {
        match (value, &lowered.kind) {
            (PartValue::Number(card), LoweredPartKind::Card(_)) => vec![self.order.rank(*card as u16)],
            (PartValue::Number(n), _) => vec![n.wrapping_sub(i32::MIN) as u32],
            (PartValue::Cards(cards), _) => cards.iter().map(|card| self.order.rank(*card)).collect(),
            (PartValue::Text(_), _) => Vec::new(),
        }
    }

    fn part(&self, index: u16, offer: &Offer<S>, at: usize, candidates: &Candidates<S>) -> PartView {
        let lowered = &offer.parts[at];
        PartView { name: capitalised(&lowered.name), kind: self.kind(index, offer, at, lowered, candidates) }
    }

    fn kind(
        &self,
        index: u16,
        offer: &Offer<S>,
        at: usize,
        lowered: &LoweredPart<S>,
        candidates: &Candidates<S>,
    ) -> PartKindView {
        match (&lowered.kind, candidates) {
            (LoweredPartKind::Card(_), Candidates::Cards(cards)) => {
                let options = self.order.handles(cards.iter());
                PartKindView::Card { blocked: self.blocked(index, offer, cards), options }
            }
            (_, Candidates::Picks { from, low, high, ordered }) => {
                let options = self.order.handles(from.iter());
                PartKindView::Cards { low: *low, high: *high, options, ordered: *ordered }
            }
            (_, Candidates::Sets(sets)) => {
                // Combinations refer to positions, so this list is sorted already and contains representatives.
                if self.is_listed(index) {
                    let shown = |set: &Pick| set.iter().filter_map(|card| self.order.handle(*card)).collect();
                    return PartKindView::Sets { options: sets.iter().map(shown).collect() };
                }
                let instance = self.sight.instance();
                let offered = instance.evaluate_for_view(&self.frame, self.me, &[], |eval| eval.source(lowered));
                let is_offered = |card: u16| offered.as_ref().is_none_or(|cards| cards.contains(card));
                let mut options: Vec<Vec<Handle>> =
                    sets.iter().map(|set| self.order.represent(set, is_offered)).collect();
                options
                    .sort_by_cached_key(|set| set.iter().map(|handle| self.order.rank_of(*handle)).collect::<Vec<_>>());
                PartKindView::Sets { options }
            }
            (LoweredPartKind::Text(_), Candidates::Text { most }) => PartKindView::Text { most: *most },
            (LoweredPartKind::Text(most), _) => {
                let most = self.sight.instance().value(&self.frame, most, self.me, &[]);
                PartKindView::Text { most: most.max(0) as u32 }
            }
            (LoweredPartKind::Unseen(spot), candidates) => {
                PartKindView::Unseen { zone: self.zone(spot), count: values(candidates).len() as u32 }
            }
            (LoweredPartKind::Number { .. }, Candidates::Range { low, high }) => {
                PartKindView::Number { low: *low, high: *high, only: None }
            }
            (LoweredPartKind::Number { .. }, candidates) => {
                let only = values(candidates);
                let (low, high) = (only.first().copied().unwrap_or(0), only.last().copied().unwrap_or(-1));
                PartKindView::Number { low, high, only: Some(only) }
            }
            (LoweredPartKind::Dice { dice, count }, candidates) => PartKindView::Dice {
                dice: self.sight.scene().dice.iter().position(|var| var == dice).unwrap_or(0) as u16,
                first: self.first_die(index, at),
                count: *count,
                only: match candidates {
                    Candidates::Range { .. } => None,
                    candidates => Some(values(candidates)),
                },
            },
            (LoweredPartKind::Player(_), candidates) => {
                PartKindView::Player { options: values(candidates).into_iter().map(|seat| seat as u8).collect() }
            }
            (LoweredPartKind::Range { what, .. }, candidates) => self.range(index, at, *what, values(candidates)),
            (_, candidates) => {
                PartKindView::Value { options: values(candidates).into_iter().map(|n| (n, n.to_string())).collect() }
            }
        }
    }

    fn range(&self, index: u16, at: usize, what: RangeOf, values: Vec<i32>) -> PartKindView {
        let instance = self.sight.instance();
        match what {
            RangeOf::YesNo => PartKindView::Yesno { options: values },
            RangeOf::Attr(attr) => PartKindView::Value {
                options: values.into_iter().map(|value| (value, instance.value_name(attr, value))).collect(),
            },
            RangeOf::Choice => {
                let part = self.declared(index, at);
                let names = match part {
                    Some(PartKind::Choice(names)) => &names[..],
                    _ => &[],
                };
                let name = |value: i32| names.get(value as usize).map(|name| capitalised(name)).unwrap_or_default();
                PartKindView::Value { options: values.into_iter().map(|value| (value, name(value))).collect() }
            }
            RangeOf::Pile(zone) => {
                let place = |value: i32| instance.instance_of(usize::from(zone), &[value]);
                let options = values.into_iter().filter_map(|value| Some((value, place(value)? as u16)));
                PartKindView::Pile { options: options.collect() }
            }
        }
    }

    /// Returns the part as the rules declare it.
    fn declared(&self, index: u16, at: usize) -> Option<&PartKind> {
        let ask = self.sight.instance().program.asks.get(usize::from(self.legal.ask))?;
        Some(&ask.alternatives.get(usize::from(index))?.parts.get(at)?.kind)
    }

    /// Returns the element of the first of the dice that the seat can choose.
    fn first_die(&self, index: u16, at: usize) -> u16 {
        let Some(PartKind::Dice(var, declared)) = self.declared(index, at) else { return 0 };
        let layout = &self.sight.instance().layout.vars[*var as usize];
        let first = declared.iter().zip(&layout.dims).map(|(num, dim)| {
            // The language can name the seat's own dice or all dice, and nothing else.
            let value = if *num == Num::Me { self.me } else { dim.low };
            (value - dim.low).max(0) as u32 * dim.stride
        });
        first.sum::<u32>() as u16
    }

    fn zone(&self, spot: &Spot<S>) -> u16 {
        self.sight.instance().evaluate_for_view(&self.frame, self.me, &[], |eval| eval.spot(spot)) as u16
    }

    /// Returns the cards of the same source that may not be chosen, each with the reason that the rules give. Only if the card is the only
    /// part: otherwise the reason may be another part.
    fn blocked(&self, index: u16, offer: &Offer<S>, legal: &S) -> Vec<Blocked> {
        let [LoweredPart { kind: LoweredPartKind::Card(from), .. }] = &offer.parts[..] else { return Vec::new() };
        let instance = self.sight.instance();
        let source = instance.selection(&self.frame, from, self.me, &[]);
        let mut blocked: Vec<Blocked> = Vec::new();
        for card in source.iter().filter(|card| !legal.contains(**card)) {
            let Some(handle) = self.order.handle(*card) else { continue };
            let answer = Move::number(self.legal.decision, index, i32::from(*card));
            let last = blocked.last().and_then(|blocked| blocked.reason.as_ref());
            let reason = instance.reason_against(&self.frame, self.legal.seat, &answer, last);
            blocked.push(Blocked { handle, reason });
        }
        self.order.sort(&mut blocked, |blocked| blocked.handle);
        blocked
    }
}

/// Returns empty candidates of the part's kind.
fn none_of<S: CardSet>(lowered: &LoweredPart<S>) -> Candidates<S> {
    gathered(lowered, &[])
}

/// Returns the values that occur in a list as candidates.
fn gathered<S: CardSet>(lowered: &LoweredPart<S>, values: &[&PartValue]) -> Candidates<S> {
    let numbers = || {
        values.iter().filter_map(|value| match value {
            PartValue::Number(n) => Some(*n),
            _ => None,
        })
    };
    match &lowered.kind {
        LoweredPartKind::Card(_) => Candidates::Cards(S::from_cards(numbers().map(|card| card as u16))),
        LoweredPartKind::Cards { .. } | LoweredPartKind::Alike(_) | LoweredPartKind::Run(_) => Candidates::Sets(
            values
                .iter()
                .filter_map(|value| match value {
                    PartValue::Cards(cards) => Some(cards.clone()),
                    _ => None,
                })
                .collect(),
        ),
        _ => Candidates::Values(numbers().collect()),
    }
}

fn values<S: CardSet>(candidates: &Candidates<S>) -> Vec<i32> {
    match candidates {
        Candidates::Range { low, high } => (*low..=*high).collect(),
        Candidates::Few { low, bits } => bits.iter().map(|at| low.wrapping_add(i32::from(at))).collect(),
        Candidates::Values(values) => values.clone(),
        _ => Vec::new(),
    }
}
