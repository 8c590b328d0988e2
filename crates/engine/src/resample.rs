//! Fills in what a viewer can't see: makes a full frame that fits everything the viewer sees and remembers. `crate::world` calls it.
//!
//! It fills hidden places with the hidden cards at random, so that every zone has the number of cards that the viewer sees, cards that are
//! known to be somewhere are there, no card lies where the rules never put it, and no card lies where a bot has ruled it out. The method is
//! constrained assignment with repair: deal at random, then swap misplaced cards.
//!
//! A caller that deals several times chooses the top card of the stock: if each hidden card has its turn, a draw has exactly the odds that
//! it has at the table.

use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, List, seats_of};
use crate::instance::NO_LIST;
use crate::observe::Knowledge;
use crate::sight::{Sight, Visibility, sees_dice};
use baize_rules::program::{PlayerMemory, Type, VarKind};

/// What a bot knows besides its sight.
#[derive(Clone, Debug)]
pub struct Beliefs<'a, S> {
    pub knowledge: &'a Knowledge,
    /// For each zone instance the cards that can't be there, because a player did not follow suit. The deal ignores a constraint that it
    /// can't meet. May be empty.
    pub cannot: &'a [S],
}

/// A place for one hidden card.
#[derive(Clone, Copy, Debug)]
struct HiddenPlace {
    zone: u16,
    /// The face of the card at this place is known.
    fixed: bool,
    /// The place is the top of its zone.
    top: bool,
}

/// Makes a frame that might be the true one, with `next` on top of the stock if that is possible.
pub(crate) fn deal<S: CardSet>(
    sight: &Sight<S>,
    beliefs: &Beliefs<S>,
    next: Option<u16>,
    chance: &mut FastChance,
) -> Frame<S> {
    let mut frame = sight.frame().clone();
    deal_cards(sight, beliefs, next, chance, &mut frame);
    guess_bringers(sight, beliefs.knowledge, chance, &mut frame);
    guess_cells(sight, chance, &mut frame);
    frame
}

/// Chooses the top card of the stock for one world after the other: as many cards as the stock has, first those known to be in it, then any
/// other hidden card in turn. The stock is the zone without owner, with a hidden order, that has the most hidden cards.
#[derive(Debug, Default)]
pub(crate) struct Draws {
    known: Vec<u16>,
    open: Vec<u16>,
    places: usize,
    made: usize,
    opened: usize,
}

impl Draws {
    pub fn new<S: CardSet>(sight: &Sight<S>, knowledge: &Knowledge) -> Self {
        let Some(stock) = stock(sight) else { return Draws::default() };
        let (mut open, mut known) = (sight.made_up().iter().collect(), Vec::new());
        let mut places = Vec::new();
        known_cards(sight, knowledge, &mut open, &mut places, &mut known);
        let mut zones = places.iter().map(|place| usize::from(place.zone));
        known.retain(|_| zones.next() == Some(stock));
        Draws { known, open, places: hidden_count(sight, stock), made: 0, opened: 0 }
    }

    /// Whether each card was chosen equally often.
    pub fn even(&self) -> bool {
        self.made.checked_rem(self.places).unwrap_or(0) == 0
    }

    pub fn another(&mut self, chance: &mut FastChance) -> Option<u16> {
        let at = self.made.checked_rem(self.places)?;
        self.made += 1;
        if let Some(card) = self.known.get(at) {
            return Some(*card);
        }
        let at = self.opened.checked_rem(self.open.len())?;
        if at == 0 {
            chance.shuffle(&mut self.open);
        }
        self.opened += 1;
        self.open.get(at).copied()
    }
}

fn stock<S: CardSet>(sight: &Sight<S>) -> Option<usize> {
    let zones = sight.instance().layout.instances.iter().enumerate();
    let hidden = zones
        .filter(|(zone, at)| at.list != NO_LIST && at.owner < 0 && sight.level(*zone) != Visibility::Cards)
        .map(|(zone, _)| (hidden_count(sight, zone), zone));
    hidden.max().filter(|(count, _)| *count > 0).map(|(_, zone)| zone)
}

fn deal_cards<S: CardSet>(
    sight: &Sight<S>,
    beliefs: &Beliefs<S>,
    next: Option<u16>,
    chance: &mut FastChance,
    frame: &mut Frame<S>,
) {
    let instance = sight.instance();
    let mut cards: Vec<u16> = sight.made_up().iter().collect();
    chance.shuffle(&mut cards);
    let (mut places, mut dealt) = (Vec::with_capacity(cards.len()), Vec::with_capacity(cards.len()));
    known_cards(sight, beliefs.knowledge, &mut cards, &mut places, &mut dealt);
    open_places(sight, &mut places, dealt.len(), cards.len(), chance);
    dealt.append(&mut cards);
    if let Some(next) = next {
        lay_on_top(sight, next, &mut places, &mut dealt, chance);
    }
    repair(sight, beliefs, &places, &mut dealt, chance);

    // The dealt cards replace the placeholders of the sight.
    let mut by_zone: Vec<List> = vec![List::new(); instance.zones()];
    for (place, card) in places.iter().zip(&dealt) {
        by_zone[usize::from(place.zone)].push(*card);
    }
    let top = places.iter().zip(&dealt).find(|(place, _)| place.top).map(|(_, card)| *card);
    frame.face_down = S::empty();
    let seen_by = frame.by.clone();
    for (zone, hidden) in by_zone.iter_mut().enumerate() {
        let placeholders = frame.sets[zone].and(sight.made_up());
        frame.sets[zone] = frame.sets[zone].andnot(&placeholders).or(&S::from_cards(hidden.iter().copied()));
        chance.shuffle(hidden);
        if let Some(at) = hidden.iter().position(|card| Some(*card) == top) {
            let last = hidden.len() - 1;
            hidden.swap(at, last);
        }
        let list = instance.layout.instances[zone].list;
        let backs = sight.level(zone) == Visibility::Cards;
        if backs {
            frame.face_down = frame.face_down.or(&S::from_cards(hidden.iter().copied()));
            // The viewer sees who brought a back even if the card is hidden.
            for (placeholder, card) in placeholders.iter().zip(hidden.iter()) {
                if let Some(by) = frame.by.get_mut(usize::from(*card)) {
                    *by = seen_by[usize::from(placeholder)];
                }
            }
        }
        if list == NO_LIST {
            continue;
        }
        let list = &mut frame.lists[list as usize];
        if backs {
            let mut replacements: Vec<(u16, u16)> = placeholders.iter().zip(hidden.iter().copied()).collect();
            replacements.sort_unstable();
            for card in list.iter_mut() {
                if let Ok(at) = replacements.binary_search_by_key(card, |(placeholder, _)| *placeholder) {
                    *card = replacements[at].1;
                }
            }
        } else {
            list.clear();
            list.extend_from_slice(hidden);
        }
    }
}

/// Takes the cards whose place is known out of `cards`, and deals them to their places.
fn known_cards<S: CardSet>(
    sight: &Sight<S>,
    knowledge: &Knowledge,
    cards: &mut Vec<u16>,
    places: &mut Vec<HiddenPlace>,
    dealt: &mut Vec<u16>,
) {
    let instance = sight.instance();
    for zone in 0..instance.zones() as u16 {
        let mut room = hidden_count(sight, usize::from(zone));
        for (face, count) in knowledge.in_zone(zone) {
            for _ in 0..count.min(room as u32) {
                let Some(at) = cards.iter().position(|card| instance.face(*card) == face) else { break };
                dealt.push(cards.swap_remove(at));
                places.push(HiddenPlace { zone, fixed: true, top: false });
                room -= 1;
            }
        }
    }
}

/// Returns the number of cards of a zone that the viewer knows to be there but can't see.
fn hidden_count<S: CardSet>(sight: &Sight<S>, zone: usize) -> usize {
    sight.frame().sets[zone].and(sight.made_up()).len()
}

/// Adds a place for each remaining card: first in zones whose count is visible, then in zones of which the viewer sees nothing.
fn open_places<S: CardSet>(
    sight: &Sight<S>,
    places: &mut Vec<HiddenPlace>,
    fixed: usize,
    cards: usize,
    chance: &mut FastChance,
) {
    let mut taken = vec![0usize; sight.instance().zones()];
    places.iter().for_each(|place| taken[usize::from(place.zone)] += 1);
    for (zone, taken) in taken.into_iter().enumerate() {
        let open = hidden_count(sight, zone).saturating_sub(taken);
        places.extend(std::iter::repeat_n(HiddenPlace { zone: zone as u16, fixed: false, top: false }, open));
    }
    let dark: Vec<u16> = (0..sight.instance().zones())
        .filter(|zone| sight.level(*zone) == Visibility::Nothing)
        .map(|zone| zone as u16)
        .collect();
    while places.len() < fixed + cards && !dark.is_empty() {
        let zone = dark[chance.below(dark.len() as u32) as usize];
        places.push(HiddenPlace { zone, fixed: false, top: false });
    }
}

/// Puts a card with the face of `next` on top of the stock, unless all such cards are known to lie elsewhere.
fn lay_on_top<S: CardSet>(
    sight: &Sight<S>,
    next: u16,
    places: &mut [HiddenPlace],
    dealt: &mut [u16],
    chance: &mut FastChance,
) {
    let Some(stock) = stock(sight) else { return };
    let face = sight.instance().face(next);
    let like = |at: &usize| sight.instance().face(dealt[*at]) == face;
    let count = places.len().min(dealt.len());
    let (here, elsewhere): (Vec<usize>, Vec<usize>) = (0..count).partition(|at| usize::from(places[*at].zone) == stock);
    if let Some(at) = here.iter().find(|at| like(at)) {
        places[*at].top = true;
        return;
    }
    let room: Vec<usize> = here.into_iter().filter(|at| !places[*at].fixed).collect();
    let wanted = elsewhere.into_iter().find(|at| !places[*at].fixed && like(at));
    if let (Some(wanted), Some(&top)) = (wanted, room.get(chance.below(room.len() as u32) as usize)) {
        dealt.swap(top, wanted);
        places[top].top = true;
    }
}

/// Swaps cards until each lies where it may lie, or no swap helps.
fn repair<S: CardSet>(
    sight: &Sight<S>,
    beliefs: &Beliefs<S>,
    places: &[HiddenPlace],
    dealt: &mut [u16],
    chance: &mut FastChance,
) {
    let instance = sight.instance();
    let flow = |zone: u16| sight.scene().flow.decks(instance.layout.instances[usize::from(zone)].zone);
    // A card of a deck that can't be there is worse than one that a player is believed not to hold.
    let cost = |card: u16, place: &HiddenPlace| {
        let deck = instance.cards.cards[usize::from(card)].deck.min(63);
        let stray = flow(place.zone) >> deck & 1 == 0;
        let ruled_out = beliefs.cannot.get(usize::from(place.zone)).is_some_and(|cannot| cannot.contains(card));
        u32::from(stray) * 4 + u32::from(ruled_out)
    };
    let count = places.len().min(dealt.len());
    if count < 2 {
        return;
    }
    for _ in 0..4 {
        let mut clean = true;
        for at in 0..count {
            let here = cost(dealt[at], &places[at]);
            if here == 0 || places[at].fixed {
                continue;
            }
            // The search begins at a random place, so that it favours none.
            let start = chance.below(count as u32) as usize;
            let swap = (0..count).map(|n| (start + n) % count).find(|other| {
                let other = *other;
                !places[other].fixed
                    && places[other].zone != places[at].zone
                    && cost(dealt[at], &places[other]) + cost(dealt[other], &places[at])
                        < here + cost(dealt[other], &places[other])
            });
            match swap {
                Some(other) => dealt.swap(at, other),
                None => clean = false,
            }
        }
        if clean {
            break;
        }
    }
}

/// Guesses who brought piles that remember it secretly: a different seat for each pile, and the viewer for the pile that it recognises.
fn guess_bringers<S: CardSet>(sight: &Sight<S>, knowledge: &Knowledge, chance: &mut FastChance, frame: &mut Frame<S>) {
    if frame.by.is_empty() {
        return;
    }
    let instance = sight.instance();
    for (zone, at) in instance.layout.instances.iter().enumerate() {
        if instance.program.zones[usize::from(at.zone)].remembers != PlayerMemory::Secret {
            continue;
        }
        let mixed = knowledge.mixed().iter().find(|mixed| mixed.piles.contains(&(zone as u16)));
        // All piles of a mix are guessed together, at the first of them.
        let piles = match mixed {
            Some(mixed) if mixed.piles.first() == Some(&(zone as u16)) => mixed.piles.clone(),
            Some(_) => continue,
            None => vec![zone as u16],
        };
        let mut seats: Vec<u16> = match mixed {
            Some(mixed) if !mixed.from.is_empty() => mixed.from.iter().map(|seat| u16::from(*seat)).collect(),
            _ => seats_of(frame.playing).map(u16::from).collect(),
        };
        chance.shuffle(&mut seats);
        let own = |pile: u16| {
            let mixed = mixed?;
            let seat = sight.knowing_seat()?;
            let cards = &frame.sets[usize::from(pile)];
            let mine = !cards.is_empty() && cards.iter().all(|card| mixed.own.contains(&instance.face(card)));
            (mine && sight.level(usize::from(pile)) == Visibility::Cards).then_some(seat)
        };
        let owners: Vec<Option<u8>> = piles.iter().map(|pile| own(*pile)).collect();
        seats.retain(|seat| !owners.contains(&u8::try_from(*seat).ok()));
        let mut seats = seats.into_iter();
        for (pile, own) in piles.iter().zip(owners) {
            let seat = own.map(i16::from).or_else(|| seats.next().map(|seat| seat as i16)).unwrap_or(-1);
            for card in frame.sets[usize::from(*pile)].iter() {
                frame.by[usize::from(card)] = seat as i8;
            }
        }
    }
}

/// Draws sealed values of others from their range, and rolls again the hidden dice that were rolled.
fn guess_cells<S: CardSet>(sight: &Sight<S>, chance: &mut FastChance, frame: &mut Frame<S>) {
    let (scene, instance) = (sight.scene(), sight.instance());
    let me = sight.knowing_seat().map_or(-1, |seat| seat as i8);
    for (id, (var, layout)) in instance.program.vars.iter().zip(&instance.layout.vars).enumerate() {
        let (low, high) = match &var.kind {
            VarKind::Dice { low, high, .. } => (*low, *high),
            VarKind::Sealed => match &var.ty {
                Type::Attr(attr) => {
                    let table = &instance.cards.attrs[usize::from(*attr)];
                    (table.low, table.low + table.equal.len() as i32 - 1)
                }
                _ => (layout.low, layout.high),
            },
            _ => continue,
        };
        if high < low {
            continue;
        }
        for element in 0..layout.len {
            let owner = scene.element_owner(id as u32, element);
            let hidden = match var.kind {
                VarKind::Sealed => owner != me,
                _ => !sees_dice(instance, sight.frame(), sight.viewer(), id as u32, owner),
            };
            // A die that was not rolled keeps its 0.
            let may_be_up = matches!(var.kind, VarKind::Dice { .. }) && low > 0;
            if hidden && !(may_be_up && sight.frame().cells[(layout.base + element) as usize] == 0) {
                let spread = (i64::from(high) - i64::from(low) + 1).min(i64::from(u32::MAX)) as u32;
                frame.cells[(layout.base + element) as usize] = low.saturating_add(chance.below(spread) as i32);
            }
        }
    }
}
