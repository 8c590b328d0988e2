//! Lists the answers to a decision, for players who choose one by typing its key.

use crate::Terminal;
use baize_engine::definition::ValueLayout;
use baize_engine::view::{AlternativeView, Answer, Chosen, Content, FaceId, Handle, PartKindView, ValueView, View};
use std::collections::{BTreeMap, BTreeSet};

/// One answer of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What the player types: a number, or a letter if the decision itself is about numbers.
    pub key: String,
    pub label: String,
    pub answer: Answer,
    /// Positions of the parts that are texts. The answer has a placeholder there, which the typed text replaces.
    pub typed: Vec<usize>,
}

/// Returns the answers that the seat of this view can give, at most `most`. Answers that look the same are listed once, and
/// the cards of an answer are in the order of the view.
pub fn choices(terminal: &Terminal, view: &View, most: usize) -> Vec<Choice> {
    let Some(decision) = &view.decision else { return Vec::new() };
    let mut found: Vec<(Choice, Vec<Look>)> = Vec::new();
    let mut known = BTreeSet::new();
    let open = || decision.alternatives.iter().filter(|alternative| alternative.legal);
    for alternative in open() {
        let dice: Vec<_> = alternative.parts.iter().map(|part| DiceLooks::of(terminal, view, &part.kind)).collect();
        for (label, parts, typed) in combined(terminal, view, alternative, most.saturating_sub(found.len())) {
            let name = terminal.line(&alternative.label);
            let label = if label.is_empty() { name } else { format!("{name} {label}") };
            let look = |(part, dice): (&Chosen, &Option<DiceLooks>)| match (part, dice) {
                (Chosen::Number(mask), Some(dice)) => (dice.look(*mask), Vec::new()),
                _ => look(view, part),
            };
            let mut looks: Vec<Look> = parts.iter().zip(&dice).map(look).collect();
            for (look, part) in looks.iter_mut().zip(&alternative.parts) {
                // Without an order it does not matter which of the cards comes first.
                if !matches!(part.kind, PartKindView::Cards { ordered: true, .. }) {
                    look.1.sort();
                }
            }
            if known.insert((alternative.index, looks.clone())) {
                let answer = Answer { decision: decision.id, alternative: alternative.index, parts };
                found.push((Choice { key: String::new(), label, answer, typed }, looks));
            }
        }
    }
    // Answers with the same label but cards in different zones get the names of the zones.
    let labels: Vec<String> = found.iter().map(|(choice, _)| choice.label.clone()).collect();
    for (choice, looks) in &mut found {
        let cards = looks.iter().any(|look| !look.1.is_empty());
        if cards && labels.iter().filter(|label| **label == choice.label).count() > 1 {
            let zones = looks.iter().flat_map(|look| &look.1).map(|(zone, ..)| terminal.place(view, *zone));
            choice.label = format!("{} ({})", choice.label, zones.collect::<Vec<_>>().join(", "));
        }
    }
    let is_number = |kind: &PartKindView| matches!(kind, PartKindView::Number { .. });
    let by_letter = open().any(|alternative| alternative.parts.iter().any(|part| is_number(&part.kind)));
    let mut choices: Vec<Choice> = found.into_iter().map(|(choice, _)| choice).collect();
    for (at, choice) in choices.iter_mut().enumerate() {
        choice.key = if by_letter { letters(at) } else { (at + 1).to_string() };
    }
    choices
}

/// Returns the key with this number: a, b … z, aa, ab …
fn letters(mut at: usize) -> String {
    let mut word = Vec::new();
    loop {
        word.push(char::from(b'a' + (at % 26) as u8));
        match at / 26 {
            0 => break,
            rest => at = rest - 1,
        }
    }
    word.iter().rev().collect()
}

/// What a player sees of a part of an answer: a number or a text, and for each card its zone, face, bringer and written text.
type Look = (String, Vec<(usize, Option<FaceId>, Option<u8>, Option<Box<str>>)>);

/// The dice of a part, grouped by look: dice with the same face and the same state look the same.
struct DiceLooks {
    /// For each die the number of the first die that looks the same. This number identifies the look.
    looks: Vec<usize>,
    /// Present if only some picks are legal: the number of legal picks for each count of looks.
    legal: Option<BTreeMap<Vec<usize>, usize>>,
}

impl DiceLooks {
    /// Returns the looks of the dice in a part; `None` if the part is not about dice.
    fn of(terminal: &Terminal, view: &View, kind: &PartKindView) -> Option<Self> {
        let PartKindView::Dice { dice, first, count, only } = kind else { return None };
        let (dice, first) = (usize::from(*dice), usize::from(*first));
        let layout = terminal.table.dice.get(dice);
        let shown = view.dice.get(dice).map(|dice| &dice.faces[..]).unwrap_or_default();
        // A state variable with the same index belongs to the die, such as whether it is kept.
        let marks = |die: usize| -> Vec<Option<i32>> {
            let Some(index) = layout.and_then(|layout| layout.elements.get(die)) else { return Vec::new() };
            let own: Vec<_> = index.iter().filter(|index| !index.seat).cloned().collect();
            let values = terminal.table.values.iter().zip(&view.values);
            let mark = |(layout, value): (&ValueLayout, &ValueView)| {
                let at = layout.elements.iter().position(|element| element == index || *element == own)?;
                value.values.get(at).copied()
            };
            values.filter_map(mark).collect()
        };
        let dice = first..first + *count as usize;
        let seen: Vec<_> = dice.map(|die| (shown.get(die).copied().flatten(), marks(die))).collect();
        let looks = seen.iter().map(|look| seen.iter().position(|other| other == look).unwrap_or(0)).collect();
        Some(Self::new(looks, only.as_deref()))
    }

    fn new(looks: Vec<usize>, only: Option<&[i32]>) -> Self {
        let mut dice = DiceLooks { looks, legal: None };
        dice.legal = only.map(|only| {
            let mut legal = BTreeMap::new();
            only.iter().for_each(|mask| *legal.entry(dice.taken(*mask)).or_insert(0) += 1);
            legal
        });
        dice
    }

    /// Returns a text that is the same for picks that look the same: those that take equally many dice of each look. If the
    /// rules allow only some of these picks, they distinguish the dice by position, so each pick gets a text of its own.
    fn look(&self, mask: i32) -> String {
        let taken = self.taken(mask);
        let all = || (0..taken.len()).map(|look| binomial(self.count(look), taken[look])).product::<usize>();
        match &self.legal {
            Some(legal) if legal.get(&taken) != Some(&all()) => mask.to_string(),
            _ => format!("{taken:?}"),
        }
    }

    /// Returns the number of dice with a look.
    fn count(&self, look: usize) -> usize {
        self.looks.iter().filter(|other| **other == look).count()
    }

    /// Returns the number of dice of each look that a pick takes.
    fn taken(&self, mask: i32) -> Vec<usize> {
        let mut taken = vec![0; self.looks.len()];
        for (_, look) in self.looks.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1) {
            taken[*look] += 1;
        }
        taken
    }
}

/// Returns the number of subsets of `k` out of `n` dice.
fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, at| product * (n - at) / (at + 1))
}

fn look(view: &View, part: &Chosen) -> Look {
    let card = |handle: &Handle| {
        let zones = view.zones.iter().enumerate().filter_map(|(at, zone)| match &zone.content {
            Content::Cards(cards) => Some((at, cards)),
            _ => None,
        });
        let mut found = zones.flat_map(|(at, cards)| cards.iter().map(move |card| (at, card)));
        let (zone, card) = found.find(|(_, card)| card.handle == *handle)?;
        // Only positions distinguish cards that lie face down, so such a card has no look and the answer keeps its handles.
        (card.face.is_some() || card.written.is_some()).then(|| (zone, card.face, card.by, card.written.clone()))
    };
    let cards = |handles: &[Handle]| match handles.iter().map(card).collect::<Option<Vec<_>>>() {
        Some(looks) => (String::new(), looks),
        None => (format!("{handles:?}"), Vec::new()),
    };
    match part {
        Chosen::Number(n) => (n.to_string(), Vec::new()),
        Chosen::Text(text) => (text.clone(), Vec::new()),
        Chosen::Card(handle) => cards(std::slice::from_ref(handle)),
        Chosen::Cards(handles) => cards(handles),
    }
}

/// One option of a part: its label, its value, and whether the player types a text for it.
type Item = (String, Chosen, bool);

fn combined(
    terminal: &Terminal,
    view: &View,
    alternative: &AlternativeView,
    most: usize,
) -> Vec<(String, Vec<Chosen>, Vec<usize>)> {
    let items: Vec<Vec<Item>> = alternative.parts.iter().map(|part| items(terminal, view, &part.kind, most)).collect();
    let join = |picked: Vec<&Item>| {
        let label = picked.iter().map(|item| item.0.as_str()).collect::<Vec<_>>().join(", ");
        let typed = (0..).zip(&picked).filter(|(_, item)| item.2).map(|(at, _)| at).collect();
        (label, picked.into_iter().map(|item| item.1.clone()).collect(), typed)
    };
    if let Some(combinations) = &alternative.combinations {
        let pick = |combination: &Vec<u16>| {
            items.iter().zip(combination).map(|(items, at)| items.get(usize::from(*at))).collect::<Option<Vec<_>>>()
        };
        return combinations.iter().filter_map(pick).take(most).map(join).collect();
    }
    let mut picked: Vec<Vec<&Item>> = vec![Vec::new()];
    for items in &items {
        picked = picked
            .iter()
            .flat_map(|so_far| items.iter().map(move |item| [&so_far[..], &[item]].concat()))
            .take(most)
            .collect();
    }
    picked.into_iter().map(join).take(most).collect()
}

fn items(terminal: &Terminal, view: &View, kind: &PartKindView, most: usize) -> Vec<Item> {
    let card = |handle: &Handle| terminal.handle(view, *handle);
    let cards = |handles: &[Handle]| {
        let names: Vec<String> = handles.iter().map(card).collect();
        names.join(if names.iter().any(|name| name.contains(' ')) { " / " } else { " " })
    };
    let number = |label: String, n: i32| (label, Chosen::Number(n), false);
    match kind {
        PartKindView::Card { options, .. } => {
            options.iter().map(|handle| (card(handle), Chosen::Card(*handle), false)).collect()
        }
        PartKindView::Sets { options } => {
            options.iter().map(|set| (cards(set), Chosen::Cards(set.clone()), false)).collect()
        }
        PartKindView::Cards { low, high, options, ordered } => {
            let looks: Vec<Look> = options.iter().map(|handle| look(view, &Chosen::Card(*handle))).collect();
            picks(options, &looks, *low as usize, *high as usize, *ordered, most)
                .into_iter()
                .map(|pick| (cards(&pick), Chosen::Cards(pick), false))
                .collect()
        }
        PartKindView::Unseen { count, .. } => {
            (0..*count as i32).map(|at| number(format!("card {} of {count}", at + 1), at)).collect()
        }
        PartKindView::Number { only: Some(only), .. } => only.iter().map(|n| number(n.to_string(), *n)).collect(),
        PartKindView::Number { low, high, only: None } => {
            (*low..=*high).take(most).map(|n| number(n.to_string(), n)).collect()
        }
        PartKindView::Pile { options } => {
            options.iter().map(|(n, zone)| number(terminal.index(usize::from(*zone), *n), *n)).collect()
        }
        PartKindView::Player { options } => {
            options.iter().map(|seat| number(terminal.name(*seat), i32::from(*seat))).collect()
        }
        PartKindView::Value { options } => options.iter().map(|(n, name)| number(name.clone(), *n)).collect(),
        PartKindView::Yesno { options } => {
            options.iter().map(|n| number(if *n != 0 { "yes" } else { "no" }.to_owned(), *n)).collect()
        }
        PartKindView::Text { most } => {
            vec![(format!("… (up to {most} letters)"), Chosen::Text(String::new()), true)]
        }
        PartKindView::Dice { dice, first, count, only } => {
            let layout = terminal.table.dice.get(usize::from(*dice));
            let faces = view.dice.get(usize::from(*dice)).map(|dice| &dice.faces[..]).unwrap_or_default();
            let faces = faces.get(usize::from(*first)..).unwrap_or_default();
            let write = |mask: i32| {
                let kept = (0..*count).zip(faces).filter(|(at, _)| mask >> at & 1 == 1);
                let kept: Vec<String> = kept.filter_map(|(_, face)| Some(Terminal::die_face(layout?, *face))).collect();
                if kept.is_empty() { "none".to_owned() } else { kept.join(" ") }
            };
            let all = || (0..1i32 << (*count).min(16)).take(most).collect();
            let masks: Vec<i32> = only.clone().unwrap_or_else(all);
            masks.into_iter().map(|mask| number(write(mask), mask)).collect()
        }
    }
}

/// Returns the picks of `low` to `high` cards in the order of `options`; also in every other order if `ordered` is set. A pick
/// takes the first ones of several cards that look the same.
fn picks(options: &[Handle], looks: &[Look], low: usize, high: usize, ordered: bool, most: usize) -> Vec<Vec<Handle>> {
    let mut found = Vec::new();
    for size in low..=high.min(options.len()) {
        extend(looks, size, ordered, most, &mut Vec::new(), &mut found);
    }
    found.iter().map(|pick: &Vec<usize>| pick.iter().map(|at| options[*at]).collect()).collect()
}

fn extend(looks: &[Look], size: usize, ordered: bool, most: usize, at: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if found.len() >= most {
        return;
    }
    if at.len() == size {
        return found.push(at.clone());
    }
    let start = if ordered { 0 } else { at.last().map_or(0, |last| last + 1) };
    for next in start..looks.len() {
        let passed_over = (0..next).any(|other| looks[other] == looks[next] && !at.contains(&other));
        if !at.contains(&next) && !passed_over {
            at.push(next);
            extend(looks, size, ordered, most, at, found);
            at.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_on_after_z() {
        assert_eq!([0, 1, 25, 26, 27, 51, 52, 702].map(letters), ["a", "b", "z", "aa", "ab", "az", "ba", "aaa"]);
    }

    #[test]
    fn equal_dice_look_the_same_unless_the_rules_distinguish_them() {
        // The first two dice look the same.
        let dice = |only: Option<&[i32]>| DiceLooks::new(vec![0, 0, 2], only);
        let any = dice(None);
        assert_eq!(any.look(0b001), any.look(0b010));
        assert_ne!(any.look(0b001), any.look(0b100));
        assert_ne!(any.look(0b001), any.look(0b011));
        let third = dice(Some(&[0b101, 0b110]));
        assert_eq!(third.look(0b101), third.look(0b110));
        assert_eq!(dice(Some(&[0b001, 0b100])).look(0b001), "1");
        assert_eq!([binomial(5, 0), binomial(5, 2), binomial(5, 5)], [1, 10, 1]);
    }

    #[test]
    fn picks_of_equal_cards_are_listed_once() {
        let looks: Vec<Look> = ["tulip", "oak", "tulip"].map(|kind| (kind.to_owned(), Vec::new())).to_vec();
        let pick = |ordered| picks(&[7, 8, 9], &looks, 2, 2, ordered, 100);
        assert_eq!(pick(false), [vec![7, 8], vec![7, 9]]);
        assert_eq!(pick(true), [vec![7, 8], vec![7, 9], vec![8, 7]]);
        assert_eq!(picks(&[7, 8, 9], &looks, 1, 1, false, 100), [vec![7], vec![8]]);
    }
}
