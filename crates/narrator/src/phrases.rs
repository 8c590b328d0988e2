//! The phrases that narrations are made of. Clients get them with the table's definition, so that a batch quotes them by number.

use crate::sentence::Sentence;
use baize_engine::definition::TableDefinition;
use baize_engine::view::Piece;
use std::collections::BTreeSet;

/// Phrases that occur in every game. A batch can quote them by number; any other text takes more bytes on its way to the client.
const PHRASES: [&str; 69] = [
    "You ",
    "you",
    "Your ",
    "your ",
    "’s ",
    ", ",
    ": ",
    " plays ",
    "play ",
    " draws ",
    "draw ",
    " takes ",
    "take ",
    " gets ",
    "get ",
    " gives ",
    "give ",
    " puts ",
    "put ",
    " puts away ",
    "put away ",
    " moves ",
    "move ",
    " rearranges ",
    "rearrange ",
    " rolls ",
    "roll ",
    " goes from ",
    " go from ",
    " leaves ",
    " leave ",
    " comes to ",
    " come to ",
    " from ",
    " to ",
    " in ",
    " into their ",
    " into your ",
    "a card",
    " cards",
    "a die",
    " dice",
    "Everybody gets ",
    " players get ",
    " each",
    " has answered",
    "have answered",
    "The game begins",
    " is shuffled",
    " are shuffled",
    " is shown: ",
    " are shown: ",
    " is turned face ",
    " are turned face ",
    " is turned up",
    " are turned up",
    " is turned down",
    " are turned down",
    "Revealed: ",
    " cards are mixed",
    " are laid out",
    " players",
    "Time is up",
    " is absent: the turn passes on",
    "Round ",
    "The dice show ",
    " turns up ",
    "turn up ",
    "Score: ",
];

/// The phrases of narrations at this table: those of every game, and the names of its zones.
pub fn phrases(table: &TableDefinition) -> Vec<String> {
    let mut all: BTreeSet<String> = PHRASES.iter().map(|phrase| (*phrase).to_owned()).collect();
    for (zone, layout) in (0u16..).zip(&table.zones) {
        let (mut named, mut title) = (Sentence::default(), Sentence::default());
        named.zone(table, zone);
        title.zone_title(layout);
        let pieces = named.finish().0.into_iter().chain(title.finish().0);
        all.extend(pieces.filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.strip_prefix("’s ").unwrap_or(&text).to_owned()),
            _ => None,
        }));
    }
    all.into_iter().filter(|phrase| phrase.len() > 1).collect()
}
