//! Tells a movement of cards in one sentence: who moves which cards, from where, to where.

use crate::sentence::{MAX_NAMED_CARDS, Sentence};
use baize_engine::definition::TableDefinition;
use baize_engine::view::{CardView, RichText};

/// Cards that moved from one zone to another, by one or more events.
#[derive(Debug)]
pub(crate) struct Movement {
    /// The player whose move it is; none if the rules move the cards.
    pub(crate) player: Option<u8>,
    pub(crate) from: Option<u16>,
    pub(crate) to: Option<u16>,
    pub(crate) count: u32,
    /// The cards that the viewer sees before or after the move.
    pub(crate) cards: Vec<CardView>,
    /// Whether the viewer saw the faces of all cards before they moved.
    pub(crate) known: bool,
    /// How many events of the batch there are up to the last one of the movement.
    pub(crate) after: u32,
}

impl Movement {
    pub(crate) fn is_between(&self, player: Option<u8>, from: Option<u16>, to: Option<u16>) -> bool {
        (self.player, self.from, self.to) == (player, from, to)
    }

    pub(crate) fn owner(table: &TableDefinition, zone: Option<u16>) -> Option<u8> {
        zone.and_then(|zone| table.zones.get(usize::from(zone))).and_then(|layout| layout.owner)
    }

    pub(crate) fn tell(&self, table: &TableDefinition, you: Option<u8>) -> RichText {
        let mut said = Sentence::default();
        match self.player {
            Some(player) => self.tell_player(player, table, you, &mut said),
            None => self.tell_rules(table, &mut said),
        }
        said.finish()
    }

    /// Tells what a player does. The text is in the third person.
    fn tell_player(&self, player: u8, table: &TableDefinition, you: Option<u8>, said: &mut Sentence) {
        let (giver, taker) = (Movement::owner(table, self.from), Movement::owner(table, self.to));
        let own = Some(player);
        said.seat(player);
        match (self.from, self.to) {
            (from, to) if from == to => {
                said.text(" rearranges ");
                from.into_iter().for_each(|zone| said.zone(table, zone));
            }
            (_, Some(to)) if giver == own && taker == own => {
                said.text(" puts ");
                self.cards(said);
                said.text(if Some(player) == you { " into your " } else { " into their " });
                table.zones.get(usize::from(to)).into_iter().for_each(|layout| said.zone_title(layout));
            }
            (_, Some(to)) if giver == own => {
                said.text(if taker.is_some() { " gives " } else { " plays " });
                self.cards(said);
                said.text(" to ");
                match taker {
                    Some(taker) => said.seat(taker),
                    None => said.zone(table, to),
                }
            }
            (_, None) if giver == own => {
                said.text(" puts away ");
                self.cards(said);
            }
            (Some(from), _) if taker == own => {
                said.text(if giver.is_some() || self.known { " takes " } else { " draws " });
                self.cards(said);
                said.text(" from ");
                match giver {
                    Some(giver) => said.seat(giver),
                    None => said.zone(table, from),
                }
            }
            (None, _) if taker == own => {
                said.text(" gets ");
                self.cards(said);
            }
            (from, to) => {
                said.text(" moves ");
                self.cards(said);
                for (word, zone) in [(" from ", from), (" to ", to)] {
                    if let Some(zone) = zone {
                        said.text(word);
                        said.zone(table, zone);
                    }
                }
            }
        }
    }

    /// Tells what the rules do with cards.
    fn tell_rules(&self, table: &TableDefinition, said: &mut Sentence) {
        let (giver, taker) = (Movement::owner(table, self.from), Movement::owner(table, self.to));
        if let (Some(taker), true) = (taker, giver != taker) {
            said.seat(taker);
            said.text(" gets ");
            self.cards(said);
            if let Some(from) = self.from {
                said.text(" from ");
                said.zone(table, from);
            }
            return;
        }
        self.cards(said);
        let (goes, leaves, comes) =
            if self.count == 1 { (" goes", " leaves ", " comes to ") } else { (" go", " leave ", " come to ") };
        match (self.from, self.to) {
            (Some(from), Some(to)) => {
                said.text(goes);
                said.text(" from ");
                said.zone(table, from);
                said.text(" to ");
                said.zone(table, to);
            }
            (Some(from), None) => {
                said.text(leaves);
                said.zone(table, from);
            }
            (None, Some(to)) => {
                said.text(comes);
                said.zone(table, to);
            }
            (None, None) => said.text(goes),
        }
    }

    fn cards(&self, said: &mut Sentence) {
        said.cards(&self.cards, self.count);
    }
}

/// Finds cards that the rules mix. In the batch they leave their zones, and equally many cards come to other zones from nowhere, because mixing
/// hides which card went where. Returns the other movements, the sentence about the mix, and the place of that sentence in the batch.
pub(crate) fn split_mixed(movements: Vec<Movement>) -> (Vec<Movement>, Option<(RichText, u32)>) {
    let gone = |movement: &Movement| movement.player.is_none() && movement.from.is_some() && movement.to.is_none();
    let came = |movement: &Movement| movement.player.is_none() && movement.from.is_none() && movement.to.is_some();
    let count = |is: &dyn Fn(&Movement) -> bool| -> u32 {
        movements.iter().filter(|movement| is(movement)).map(|movement| movement.count).sum()
    };
    let mixed = count(&came);
    if mixed < 2 || mixed != count(&gone) {
        return (movements, None);
    }
    let (parts, others): (Vec<Movement>, _) =
        movements.into_iter().partition(|movement| gone(movement) || came(movement));
    let shown = parts.iter().filter(|movement| came(movement));
    let seen: Vec<CardView> = shown.flat_map(|movement| movement.cards.iter().cloned()).collect();
    let mut said = Sentence::default();
    said.text(&format!("{mixed} cards are mixed"));
    let known = seen.iter().all(|card| card.face.is_some() || card.written.is_some());
    if known && seen.len() == mixed as usize && seen.len() <= MAX_NAMED_CARDS {
        said.text(": ");
        said.cards(&seen, mixed);
    }
    let after = parts.iter().map(|movement| movement.after).max().unwrap_or_default();
    (others, Some((said.finish(), after)))
}

/// Joins deals that give several players equally many cards of one zone, or lay out cards in several places: “Everybody gets 7 cards
/// from the stock”, “16 cards are laid out”.
pub(crate) fn join_deals(
    movements: Vec<Movement>,
    table: &TableDefinition,
    playing: usize,
) -> Vec<(Option<RichText>, Movement)> {
    let zone_name = |zone: Option<u16>| zone.and_then(|zone| table.zones.get(usize::from(zone))).map(|zone| &zone.zone);
    let same = |a: &Movement, b: &Movement| {
        a.player.is_none()
            && (a.player, a.from, a.count) == (b.player, b.from, b.count)
            && zone_name(a.to) == zone_name(b.to)
            && b.to.is_some()
            && a.to != b.to
            && Movement::owner(table, a.to).is_some() == Movement::owner(table, b.to).is_some()
            && Movement::owner(table, a.from).is_none()
    };
    let mut sentences: Vec<(Option<RichText>, Movement)> = Vec::new();
    let mut rest = movements.into_iter().peekable();
    while let Some(mut first) = rest.next() {
        if !rest.peek().is_some_and(|next| same(&first, next)) {
            sentences.push((None, first));
            continue;
        }
        let (mut takers, mut total, mut cards) = (1, first.count, first.cards.clone());
        while let Some(next) = rest.next_if(|next| same(&first, next)) {
            takers += 1;
            first.after = first.after.max(next.after);
            total += next.count;
            cards.extend(next.cards);
        }
        let mut said = Sentence::default();
        if Movement::owner(table, first.to).is_none() {
            said.cards(&cards, total);
            said.text(" are laid out");
        } else {
            match takers >= playing {
                true => said.text("Everybody gets "),
                false => said.text(&format!("{takers} players get ")),
            }
            said.cards(&[], first.count);
            if takers < playing {
                said.text(" each");
            }
        }
        if let Some(from) = first.from {
            said.text(" from ");
            said.zone(table, from);
        }
        sentences.push((Some(said.finish()), first));
    }
    sentences
}
