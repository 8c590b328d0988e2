//! Makes the catalogue of faces, in which no two faces look or read alike.
//!
//! A card has attributes. One of them is its number or rank, and one whose values are words is its sign: a suit, a colour.
//! The other attributes are written out if the card could be mistaken for another without them.

use crate::cardset::CardSet;
use crate::instance::{Card, Instance};
use baize_rules::program::{AttrDomain, AttrId, Face, NONE_VALUE};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// What is printed on a card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CardFace {
    pub deck: String,
    /// One of `pips`, `number`, `text`, `prompt`, `die`, `name`.
    pub template: String,
    /// A short text that no other face has: `A♠`, `Joker`, `7`, `5 of cups`.
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The text of each attribute, by its name (`suit: ♠`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// The attribute that a `number` face shows large, or the number of pips of a `pips` face without a rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
    /// The word that gives the face its shape and colour: a suit, or another attribute whose values are words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<Sign>,
    /// The attributes that number, title and sign do not show: `cups`, `red, cost 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// A player can write on the card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
}

/// A value of an attribute whose values are words, or the name of a card that has a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    pub word: String,
    /// The position of the word among the values of its attribute, from 0 on.
    pub place: u16,
    /// A letter, a symbol or an emoji of the rules that clients draw instead of a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// Makes all faces of an instance, by face id.
pub(super) fn make_faces<S: CardSet>(instance: &Instance<S>) -> Vec<CardFace> {
    let cards: Vec<&Card> = instance.cards.face_cards.iter().map(|c| &instance.cards.cards[usize::from(*c)]).collect();
    let drafts: Vec<FaceDraft> = cards.iter().map(|card| FaceDraft::new(instance, card)).collect();
    // Numbers that are not printed large are written only if several cards would read alike without them.
    let short_texts = count(drafts.iter().map(|draft| (draft.card.deck, draft.values(false))));
    let is_ambiguous = |draft: &FaceDraft| short_texts[&(draft.card.deck, draft.values(false))] > 1;
    let names = count(drafts.iter().filter_map(|draft| draft.given_name()));
    let titles = count(drafts.iter().map(|draft| (draft.card.deck, draft.number, draft.title.clone())));
    drafts
        .iter()
        .map(|draft| {
            let values = || draft.values(is_ambiguous(draft));
            let label = match draft.given_name() {
                Some(name) if names[&name] > 1 && !draft.attrs.is_empty() => format!("{name} ({})", values()),
                Some(name) => name,
                None => values(),
            };
            // A title that no other card has identifies the card, so no details are needed.
            let identified =
                draft.title.is_some() && titles[&(draft.card.deck, draft.number, draft.title.clone())] == 1;
            let details = draft.details(is_ambiguous(draft));
            CardFace {
                deck: draft.deck.clone(),
                label,
                number: draft.number,
                sign: draft.sign.clone(),
                details: Some(details).filter(|details| !identified && !details.is_empty()),
                title: draft.title.clone(),
                text: draft.card.text.clone(),
                blank: draft.card.text.as_ref().is_some_and(String::is_empty),
                attributes: draft.attrs.iter().map(|attr| (attr.name.clone(), attr.text.clone())).collect(),
                template: draft.template.clone(),
            }
        })
        .collect()
}

fn count<T: Eq + std::hash::Hash>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts
}

/// An attribute of a card.
struct Attribute {
    id: AttrId,
    name: String,
    /// The value as text.
    text: String,
    /// The position of the value in the list of words, if the values of the attribute are words. `None` for numbers.
    word: Option<u16>,
}

/// A face by itself, before it is compared with the other faces.
struct FaceDraft<'a> {
    card: &'a Card,
    deck: String,
    template: String,
    attrs: Vec<Attribute>,
    number: Option<i32>,
    /// The attribute that `number` is the value of.
    number_attr: Option<AttrId>,
    sign: Option<Sign>,
    title: Option<String>,
}

impl<'a> FaceDraft<'a> {
    fn new<S: CardSet>(instance: &Instance<S>, card: &'a Card) -> Self {
        let program = &instance.program;
        let show = program.show.faces.iter().find(|face| face.deck == card.deck);
        let has_words = |attr: AttrId| matches!(program.attrs[usize::from(attr)].values, AttrDomain::Names(_));
        let attrs: Vec<Attribute> = card
            .attrs
            .iter()
            .filter(|(_, value)| *value != NONE_VALUE)
            .map(|(attr, value)| Attribute {
                id: *attr,
                name: program.attrs[usize::from(*attr)].name.clone(),
                text: instance.attr_name(*attr, *value),
                word: u16::try_from(*value).ok().filter(|_| has_words(*attr)),
            })
            .collect();
        let has = |name: &str| attrs.iter().any(|attr| attr.name == name);
        let number_attr = match show.and_then(|face| face.by).filter(|by| !has_words(*by)) {
            Some(by) => Some(by),
            None => attrs.iter().find(|attr| attr.word.is_none()).map(|attr| attr.id),
        };
        let pictures = &program.show.signs;
        let picture = |word: &str| pictures.iter().position(|(of, _)| of == word);
        let by_name = card.name.as_deref().and_then(picture);
        let template = match show {
            Some(face) => face.template.clone(),
            // A card that is only a name is drawn with a jester, unless the rules give the name a picture of its own.
            None if attrs.is_empty() && by_name.is_some() => "number".to_owned(),
            None => infer_template(card, &attrs, number_attr).to_owned(),
        };
        let shows_number = template == "number" || template == "pips" && !has("rank");
        let number_attr = number_attr.filter(|_| shows_number);
        let value_of = |attr: AttrId| card.attrs.iter().find(|(a, _)| *a == attr).map(|(_, value)| *value);
        let words = || attrs.iter().filter_map(|attr| Some((attr, attr.word?)));
        // A word with a picture in the rules is the first choice, a suit the second.
        let sign = words()
            .find(|(attr, _)| picture(&attr.text).is_some())
            .or_else(|| words().find(|(attr, _)| attr.name == "suit"))
            .or_else(|| words().find(|(attr, _)| attr.name != "rank"));
        let drawing = |at: usize| pictures[at].1.clone();
        let sign = match (sign, by_name) {
            (Some((attr, place)), by_name) => {
                let picture = by_name.or_else(|| picture(&attr.text)).map(drawing);
                Some(Sign { word: attr.text.clone(), place, picture })
            }
            (None, Some(at)) => {
                Some(Sign { word: pictures[at].0.clone(), place: at as u16, picture: Some(drawing(at)) })
            }
            (None, None) => None,
        };
        FaceDraft {
            card,
            deck: program.decks.get(usize::from(card.deck)).map(|deck| deck.name.clone()).unwrap_or_default(),
            number: number_attr.and_then(value_of).filter(|value| *value != NONE_VALUE),
            number_attr,
            sign,
            title: show.and_then(|face| face_title(face, value_of)).or_else(|| card.name.clone()),
            template,
            attrs,
        }
    }

    /// Returns the name that the designer gave the card, or the text of a card from a pack.
    fn given_name(&self) -> Option<String> {
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

    /// Returns the text of a standard playing card, such as `A♠`. None for other cards.
    fn standard(&self) -> Option<String> {
        let text = |name: &str| self.attrs.iter().find(|attr| attr.name == name).map(|attr| attr.text.as_str());
        let (rank, suit) = (text("rank")?, text("suit")?);
        is_suit_sign(suit).then(|| format!("{rank}{suit}"))
    }

    /// Returns the values of the attributes as text: `7`, `5 of cups`, `red 5`, `red 5, cost 3`. It includes numbers that are not
    /// printed large only if `all` is set or there is nothing else.
    fn values(&self, all: bool) -> String {
        let is_main = |attr: &&Attribute| Some(attr.id) == self.number_attr || attr.name == "rank";
        let number = self.attrs.iter().find(is_main).map(|attr| attr.text.as_str());
        let words: Vec<&str> = self
            .attrs
            .iter()
            .filter(|attr| attr.word.is_some() && !is_main(attr))
            .map(|attr| attr.text.as_str())
            .collect();
        let suited = self.attrs.iter().any(|attr| attr.name == "suit" && Some(&attr.text.as_str()) == words.first());
        let mut text = match (self.standard(), number) {
            (Some(card), _) => card,
            (None, Some(number)) if suited && words.len() == 1 && !is_suit_sign(words[0]) => {
                format!("{number} of {}", words[0])
            }
            (None, Some(number)) if suited && words.len() == 1 => format!("{number}{}", words[0]),
            (None, number) => words.into_iter().chain(number).collect::<Vec<_>>().join(" "),
        };
        for attr in self.attrs.iter().filter(|attr| attr.word.is_none() && !is_main(attr)) {
            if all || text.is_empty() {
                let gap = if text.is_empty() { "" } else { ", " };
                text = format!("{text}{gap}{} {}", attr.name, attr.text);
            }
        }
        text
    }

    /// Returns the attributes that a player can't see from the number, the rank and a standard suit. See [`FaceDraft::values`]
    /// for `all`.
    fn details(&self, all: bool) -> String {
        let is_drawn = |attr: &Attribute| {
            Some(attr.id) == self.number_attr
                || self.template == "pips" && attr.name == "rank"
                || attr.name == "suit" && is_suit_sign(&attr.text)
        };
        let details = self.attrs.iter().filter(|attr| !is_drawn(attr)).filter_map(|attr| match attr.word {
            Some(_) => Some(attr.text.clone()),
            None => (all || self.number.is_none()).then(|| format!("{} {}", attr.name, attr.text)),
        });
        details.collect::<Vec<_>>().join(", ")
    }
}

fn is_suit_sign(word: &str) -> bool {
    matches!(word, "♠" | "♥" | "♦" | "♣")
}

/// Returns the title that the `show` block gives to the card's value.
fn face_title(face: &Face, value_of: impl Fn(AttrId) -> Option<i32>) -> Option<String> {
    let value = value_of(face.by?)?;
    face.titles.iter().find(|(v, _)| *v == value).map(|(_, title)| title.clone())
}

/// Chooses a template for a deck to which the rules give none.
fn infer_template(card: &Card, attrs: &[Attribute], number_attr: Option<AttrId>) -> &'static str {
    let has = |name: &str| attrs.iter().any(|attr| attr.name == name);
    match &card.text {
        Some(_) if attrs.iter().any(|attr| attr.name == "pick" && attr.text != "0") => "prompt",
        Some(_) => "text",
        None if has("suit") && has("rank") => "pips",
        None if has("suit") && number_attr.is_some() && attrs.len() == 2 && card.name.is_none() => "pips",
        None if attrs.is_empty() => "name",
        None => "number",
    }
}
