//! Merges packs into the one from which a table deals.

use std::collections::{BTreeMap, HashSet};

use crate::limits;
use crate::pack::{Card, Pack, slug};
use crate::text::fold;

/// A merged pack, and how many duplicate cards were dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub pack: Pack,
    pub dropped: usize,
}

/// Merges packs deck by deck, in the given order. Of cards with the same text (ignoring case and white space) and the same
/// numbers it keeps the first, because packs overlap and players should not draw the same joke twice.
pub fn merge<'a>(packs: impl IntoIterator<Item = &'a Pack>) -> Merged {
    let packs: Vec<&Pack> = packs.into_iter().collect();
    let mut decks: BTreeMap<String, Vec<Card>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut dropped = 0;
    for pack in &packs {
        for (deck, cards) in &pack.decks {
            let merged = decks.entry(deck.clone()).or_default();
            for card in cards {
                if seen.insert((deck, fold(&card.text).to_lowercase(), &card.numbers)) {
                    merged.push(card.clone());
                } else {
                    dropped += 1;
                }
            }
        }
    }
    let pack = match packs.as_slice() {
        [one] => Pack { decks, ..(*one).clone() },
        many => {
            let names: Vec<&str> = many.iter().map(|pack| pack.name.as_str()).collect();
            let name = shortened(&names.join(" + "));
            Pack {
                id: slug(&name),
                name,
                description: String::new(),
                official: !many.is_empty() && many.iter().all(|pack| pack.official),
                decks,
            }
        }
    };
    Merged { pack, dropped }
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= limits::NAME_CHARS {
        return name.into();
    }
    let beginning: String = name.chars().take(limits::NAME_CHARS - 1).collect();
    format!("{}…", beginning.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Trust, parse};

    fn pack(name: &str, source: &str) -> Pack {
        parse(source.as_bytes(), name, Trust::Player).unwrap().packs.remove(0)
    }

    #[test]
    fn merging_drops_duplicate_cards() {
        let one = pack("One", "deck,text\nprompt,I like _.\nanswer,Tea\nanswer,TEA");
        let two = pack("Two", "deck,text,pick\nprompt,i like ____.,1\nprompt,I like _.,2\nanswer,Rain\nprompt,Tea,");
        let Merged { pack, dropped } = merge([&one, &two]);
        let texts = |deck| pack.deck(deck).iter().map(|card| card.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts("answer"), ["Tea", "Rain"]);
        // The same words asking for two answers are another card; an answer and a prompt may say the same.
        assert_eq!(texts("prompt"), ["I like _____.", "I like _____.", "Tea"]);
        assert_eq!((dropped, pack.len()), (2, 5));
        assert_eq!((pack.name.as_str(), pack.id.as_str()), ("One + Two", "one-two"));
    }

    #[test]
    fn merging_one_pack_does_not_change_it() {
        let mut one = pack("One", "deck,text\nanswer,Tea");
        one.official = true;
        let merged = merge([&one]);
        assert_eq!(merged, Merged { pack: one, dropped: 0 });
    }

    #[test]
    fn a_merged_pack_is_official_if_all_its_packs_are() {
        let mut one = pack("One", "deck,text\nanswer,Tea");
        let two = pack("Two", "deck,text\nanswer,Rain");
        one.official = true;
        assert!(merge([&one, &one]).pack.official);
        assert!(!merge([&one, &two]).pack.official);
        assert!(merge([]).pack.is_empty());
        assert!(!merge([]).pack.official);
    }

    #[test]
    fn the_name_of_a_merged_pack_is_cut_at_the_limit() {
        let one = pack("A rather long name for a pack of cards", "deck,text\nanswer,Tea");
        let merged = merge([&one, &one, &one]).pack;
        assert_eq!(merged.name.chars().count(), limits::NAME_CHARS);
    }
}
