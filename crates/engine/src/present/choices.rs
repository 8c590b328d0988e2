//! A decision as a flat list of answers, for those who choose by number.

use super::terminal::Terminal;
use crate::view::{AlternativeView, Answer, Chosen, Handle, PartKindView, View};

/// One answer that can be given, and how to write it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub label: String,
    pub answer: Answer,
    /// Positions of parts that are texts: the answer has a stand-in there that is to be replaced by what is typed.
    pub typed: Vec<usize>,
}

/// The answers open to this view's seat, at most so many. A pick of several cards is listed in order of the cards.
pub fn choices(terminal: &Terminal, view: &View, most: usize) -> Vec<Choice> {
    let Some(decision) = &view.decision else { return Vec::new() };
    let mut found = Vec::new();
    for alternative in decision.alternatives.iter().filter(|alternative| alternative.legal) {
        for (label, parts, typed) in combined(terminal, view, alternative, most.saturating_sub(found.len())) {
            let name = terminal.line(&alternative.label);
            let label = if label.is_empty() { name } else { format!("{name} {label}") };
            let answer = Answer { decision: decision.id, alternative: alternative.index, parts };
            found.push(Choice { label, answer, typed });
        }
    }
    found
}

/// One option of a part: how it reads, what it answers, whether it is typed.
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
    let cards = |handles: &[Handle]| handles.iter().map(card).collect::<Vec<_>>().join(" ");
    let number = |label: String, n: i32| (label, Chosen::Number(n), false);
    match kind {
        PartKindView::Card { options, .. } => {
            options.iter().map(|handle| (card(handle), Chosen::Card(*handle), false)).collect()
        }
        PartKindView::Sets { options } => {
            options.iter().map(|set| (cards(set), Chosen::Cards(set.clone()), false)).collect()
        }
        PartKindView::Cards { low, high, options, ordered } => {
            picks(options, *low as usize, *high as usize, *ordered, most)
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
        PartKindView::Pile { options } => options.iter().map(|(n, _)| number(n.to_string(), *n)).collect(),
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
            let faces = view.dice.get(usize::from(*dice)).map(|dice| &dice.faces[..]).unwrap_or_default();
            let faces = faces.get(usize::from(*first)..).unwrap_or_default();
            let write = |mask: i32| {
                let kept = (0..*count).zip(faces).filter(|(at, _)| mask >> at & 1 == 1);
                let kept: Vec<String> = kept.map(|(_, face)| face.map_or("▒".to_owned(), |n| n.to_string())).collect();
                if kept.is_empty() { "none".to_owned() } else { kept.join(" ") }
            };
            let all = || (0..1i32 << (*count).min(16)).take(most).collect();
            let masks: Vec<i32> = only.clone().unwrap_or_else(all);
            masks.into_iter().map(|mask| number(write(mask), mask)).collect()
        }
    }
}

/// Picks of low to high cards, in the order given; also in every other order if that counts.
fn picks(options: &[Handle], low: usize, high: usize, ordered: bool, most: usize) -> Vec<Vec<Handle>> {
    let mut found = Vec::new();
    for size in low..=high.min(options.len()) {
        let mut at = Vec::new();
        extend(options, size, ordered, most, &mut at, &mut found);
    }
    found
}

fn extend(
    options: &[Handle],
    size: usize,
    ordered: bool,
    most: usize,
    at: &mut Vec<usize>,
    found: &mut Vec<Vec<Handle>>,
) {
    if found.len() >= most {
        return;
    }
    if at.len() == size {
        return found.push(at.iter().map(|at| options[*at]).collect());
    }
    let start = if ordered { 0 } else { at.last().map_or(0, |last| last + 1) };
    for next in start..options.len() {
        if !at.contains(&next) {
            at.push(next);
            extend(options, size, ordered, most, at, found);
            at.pop();
        }
    }
}
