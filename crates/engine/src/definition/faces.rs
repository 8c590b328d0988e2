//! What is printed on each face, so that no two look or read alike.
//!
//! A card of one's own is made of attributes. One of them is its number (or rank), one made of words is its sign: its
//! suit, its colour. Whatever is left is written out where it is needed to tell the card from others.

use super::layout::{CardFace, Sign};
use crate::cardset::CardSet;
use crate::instance::{Card, Instance};
use baize_rules::program::{AttrDomain, AttrId, Face, NONE_VALUE};
use std::collections::HashMap;

/// The catalogue: by face id.
pub(super) fn faces<S: CardSet>(instance: &Instance<S>) -> Vec<CardFace> {
    let cards: Vec<&Card> = instance.cards.face_cards.iter().map(|c| &instance.cards.cards[usize::from(*c)]).collect();
    let made: Vec<Made> = cards.iter().map(|card| Made::new(instance, card)).collect();
    // Numbers that are not printed large are said only where cards would read alike without them.
    let short = count(made.iter().map(|made| (made.card.deck, made.values(false))));
    let values = |made: &Made| made.values(short[&(made.card.deck, made.values(false))] > 1);
    let names = count(made.iter().filter_map(|made| made.named()));
    let shown = count(made.iter().map(|made| (made.card.deck, made.number, made.title.clone())));
    made.iter()
        .map(|made| {
            let label = match made.named() {
                Some(name) if names[&name] > 1 && !made.attrs.is_empty() => format!("{name} ({})", values(made)),
                Some(name) => name,
                None => values(made),
            };
            // A title that only this card has tells all there is to know.
            let known = made.title.is_some() && shown[&(made.card.deck, made.number, made.title.clone())] == 1;
            let details = made.details(short[&(made.card.deck, made.values(false))] > 1);
            CardFace {
                deck: made.deck.clone(),
                label,
                number: made.number,
                sign: made.sign.clone(),
                details: Some(details).filter(|details| !known && !details.is_empty()),
                title: made.title.clone(),
                text: made.card.text.clone(),
                blank: made.card.text.as_ref().is_some_and(String::is_empty),
                attributes: made.attrs.iter().map(|attr| (attr.name.clone(), attr.word.clone())).collect(),
                template: made.template.clone(),
            }
        })
        .collect()
}

fn count<T: Eq + std::hash::Hash>(of: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for thing in of {
        *counts.entry(thing).or_insert(0) += 1;
    }
    counts
}

/// An attribute that a card has.
struct Said {
    id: AttrId,
    name: String,
    /// Its value, written out.
    word: String,
    /// One of a list of words: it has a place in their order, but no number that anybody should read.
    listed: Option<u16>,
}

/// A face on its own, before it is known how the others look.
struct Made<'a> {
    card: &'a Card,
    deck: String,
    template: String,
    attrs: Vec<Said>,
    number: Option<i32>,
    /// The attribute that `number` is.
    counted: Option<AttrId>,
    sign: Option<Sign>,
    title: Option<String>,
}

impl<'a> Made<'a> {
    fn new<S: CardSet>(instance: &Instance<S>, card: &'a Card) -> Self {
        let program = &instance.program;
        let show = program.show.faces.iter().find(|face| face.deck == card.deck);
        let listed = |attr: AttrId| matches!(program.attrs[usize::from(attr)].values, AttrDomain::Names(_));
        let attrs: Vec<Said> = card
            .attrs
            .iter()
            .filter(|(_, value)| *value != NONE_VALUE)
            .map(|(attr, value)| Said {
                id: *attr,
                name: program.attrs[usize::from(*attr)].name.clone(),
                word: instance.attr_name(*attr, *value),
                listed: u16::try_from(*value).ok().filter(|_| listed(*attr)),
            })
            .collect();
        let has = |name: &str| attrs.iter().any(|attr| attr.name == name);
        let counted = match show.and_then(|face| face.by).filter(|by| !listed(*by)) {
            Some(by) => Some(by),
            None => attrs.iter().find(|attr| attr.listed.is_none()).map(|attr| attr.id),
        };
        let pictures = &program.show.signs;
        let picture = |word: &str| pictures.iter().position(|(of, _)| of == word);
        let by_name = card.name.as_deref().and_then(picture);
        let template = match show {
            Some(face) => face.template.clone(),
            // A name alone has the picture of a jester; with a sign it has that.
            None if attrs.is_empty() && by_name.is_some() => "number".to_owned(),
            None => inferred(card, &attrs, counted).to_owned(),
        };
        let numbered = template == "number" || template == "pips" && !has("rank");
        let counted = counted.filter(|_| numbered);
        let value_of = |attr: AttrId| card.attrs.iter().find(|(a, _)| *a == attr).map(|(_, value)| *value);
        let words = || attrs.iter().filter_map(|attr| Some((attr, attr.listed?)));
        // What the rules give a picture comes first.
        let sign = words()
            .find(|(attr, _)| picture(&attr.word).is_some())
            .or_else(|| words().find(|(attr, _)| attr.name == "suit"))
            .or_else(|| words().find(|(attr, _)| attr.name != "rank"));
        let drawn = |at: usize| pictures[at].1.clone();
        let sign = match (sign, by_name) {
            (Some((attr, place)), by_name) => {
                let picture = by_name.or_else(|| picture(&attr.word)).map(drawn);
                Some(Sign { word: attr.word.clone(), place, picture })
            }
            (None, Some(at)) => Some(Sign { word: pictures[at].0.clone(), place: at as u16, picture: Some(drawn(at)) }),
            (None, None) => None,
        };
        Made {
            card,
            deck: program.decks.get(usize::from(card.deck)).map(|deck| deck.name.clone()).unwrap_or_default(),
            number: counted.and_then(value_of).filter(|value| *value != NONE_VALUE),
            counted,
            sign,
            title: show.and_then(|face| titled(face, value_of)).or_else(|| card.name.clone()),
            template,
            attrs,
        }
    }

    /// What it is called by its maker: its name, or the text of a pack card.
    fn named(&self) -> Option<String> {
        if self.standard().is_some() {
            return None;
        }
        match (&self.card.name, &self.card.text) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(text)) if text.is_empty() => Some("blank".to_owned()),
            (None, Some(text)) => Some(text.clone()),
            (None, None) => None,
        }
    }

    /// `A♠`: where the suit is a sign, nothing stands between it and the rank.
    fn standard(&self) -> Option<String> {
        let word = |name: &str| self.attrs.iter().find(|attr| attr.name == name).map(|attr| attr.word.as_str());
        let (rank, suit) = (word("rank")?, word("suit")?);
        is_suit_sign(suit).then(|| format!("{rank}{suit}"))
    }

    /// The card by its values: `7`, `5 of cups`, `red 5`, `red 5, cost 3`.
    fn values(&self, all: bool) -> String {
        let head = |attr: &&Said| Some(attr.id) == self.counted || attr.name == "rank";
        let number = self.attrs.iter().find(head).map(|attr| attr.word.as_str());
        let words: Vec<&str> = self
            .attrs
            .iter()
            .filter(|attr| attr.listed.is_some() && !head(attr))
            .map(|attr| attr.word.as_str())
            .collect();
        let suited = self.attrs.iter().any(|attr| attr.name == "suit" && Some(&attr.word.as_str()) == words.first());
        let mut said = match (self.standard(), number) {
            (Some(card), _) => card,
            (None, Some(number)) if suited && words.len() == 1 && !is_suit_sign(words[0]) => {
                format!("{number} of {}", words[0])
            }
            (None, Some(number)) if suited && words.len() == 1 => format!("{number}{}", words[0]),
            (None, number) => words.into_iter().chain(number).collect::<Vec<_>>().join(" "),
        };
        for attr in self.attrs.iter().filter(|attr| attr.listed.is_none() && !head(attr)) {
            if all || said.is_empty() {
                let gap = if said.is_empty() { "" } else { ", " };
                said = format!("{said}{gap}{} {}", attr.name, attr.word);
            }
        }
        said
    }

    /// What is not to be seen from its number, its rank and a suit that everybody knows by its sign.
    fn details(&self, all: bool) -> String {
        let seen = |attr: &Said| {
            Some(attr.id) == self.counted
                || self.template == "pips" && attr.name == "rank"
                || attr.name == "suit" && is_suit_sign(&attr.word)
        };
        let left = self.attrs.iter().filter(|attr| !seen(attr)).filter_map(|attr| match attr.listed {
            Some(_) => Some(attr.word.clone()),
            None => (all || self.number.is_none()).then(|| format!("{} {}", attr.name, attr.word)),
        });
        left.collect::<Vec<_>>().join(", ")
    }
}

fn is_suit_sign(word: &str) -> bool {
    matches!(word, "♠" | "♥" | "♦" | "♣")
}

fn titled(face: &Face, value_of: impl Fn(AttrId) -> Option<i32>) -> Option<String> {
    let value = value_of(face.by?)?;
    face.titles.iter().find(|(v, _)| *v == value).map(|(_, title)| title.clone())
}

/// A template for decks the rules give none.
fn inferred(card: &Card, attrs: &[Said], counted: Option<AttrId>) -> &'static str {
    let has = |name: &str| attrs.iter().any(|attr| attr.name == name);
    match &card.text {
        Some(_) if attrs.iter().any(|attr| attr.name == "pick" && attr.word != "0") => "prompt",
        Some(_) => "text",
        None if has("suit") && has("rank") => "pips",
        None if has("suit") && counted.is_some() && attrs.len() == 2 && card.name.is_none() => "pips",
        None if attrs.is_empty() => "name",
        None => "number",
    }
}
