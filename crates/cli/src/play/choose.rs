//! Finds the meaning of a typed line: one of the choices, or an answer that the rules refuse.

use baize_engine::view::{Answer, Chosen, PartKindView, View};
use baize_terminal::Choice;
use baize_terminal::Terminal;

/// Finds a choice by its key, by its exact text, by the only number in it, or by some of its words in any order. None if
/// several choices match.
pub fn chosen<'a>(choices: &'a [Choice], line: &str) -> Option<&'a Choice> {
    let wanted = words(line);
    if wanted.is_empty() {
        return None;
    }
    let number = |choice: &&Choice| {
        let [Chosen::Number(n)] = choice.answer.parts[..] else { return false };
        line.trim().parse() == Ok(n)
    };
    let fits = |choice: &&Choice| {
        let mut label = words(&choice.label);
        // Each word of the choice matches once, so that two equal cards need two words.
        wanted.iter().all(|word| label.iter().position(|other| other == word).map(|at| label.swap_remove(at)).is_some())
    };
    choices
        .iter()
        .find(|choice| choice.key.eq_ignore_ascii_case(line.trim()))
        .or_else(|| choices.iter().find(|choice| words(&choice.label) == wanted))
        .or_else(|| only(choices.iter().filter(number)))
        .or_else(|| only(choices.iter().filter(fits)))
}

/// Lists answers that the rules do not offer but that the player may mean: a number, or a card of the player's, for an alternative
/// that takes exactly that. The caller tries them to get the reason of the rules.
pub fn meant(terminal: &Terminal, view: &View, line: &str) -> Vec<Answer> {
    let Some(decision) = &view.decision else { return Vec::new() };
    let typed = words(line);
    let Some((last, named)) = typed.split_last() else { return Vec::new() };
    let mut found = Vec::new();
    for alternative in &decision.alternatives {
        let [part] = &alternative.parts[..] else { continue };
        let label = words(&terminal.line(&alternative.label));
        if !named.iter().all(|word| label.contains(word)) {
            continue;
        }
        let mut add = |part: Chosen| {
            found.push(Answer { decision: decision.id, alternative: alternative.index, parts: vec![part] });
        };
        match &part.kind {
            PartKindView::Number { .. } => last.parse().ok().map(Chosen::Number).into_iter().for_each(&mut add),
            PartKindView::Card { blocked, .. } => {
                let same = blocked.iter().filter(|card| words(&terminal.handle(view, card.handle)) == [last.clone()]);
                same.map(|card| Chosen::Card(card.handle)).for_each(&mut add);
            }
            _ => {}
        }
    }
    found
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    found.next().filter(|_| found.next().is_none())
}

/// Splits a line into lower-case words, with suits as letters: `10♥` becomes `10h`.
fn words(line: &str) -> Vec<String> {
    let letters = [('♣', 'c'), ('♦', 'd'), ('♥', 'h'), ('♠', 's')];
    let plain = |c: char| letters.iter().find(|(suit, _)| *suit == c).map_or(c, |(_, letter)| *letter);
    let typed: String = line.to_lowercase().chars().map(plain).collect();
    typed.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(keys: &[&str], labels: &[&str], line: &str) -> Option<String> {
        let choice = |(key, label): (&&str, &&str)| {
            let number = label.rsplit(' ').next().and_then(|word| word.parse().ok()).map(Chosen::Number);
            let answer = Answer { decision: 0, alternative: 0, parts: number.into_iter().collect() };
            Choice { key: (*key).to_owned(), label: (*label).to_owned(), answer, typed: Vec::new() }
        };
        let choices: Vec<Choice> = keys.iter().zip(labels).map(choice).collect();
        chosen(&choices, line).map(|choice| choice.label.clone())
    }

    #[test]
    fn choose_finds_a_choice_by_number_or_by_its_words() {
        let passes = ["Pass 8♣ 9♣ 10♥", "Pass 8♣ 9♣ Q♠", "Pass 8♣ 8♣ Q♠", "Pass"];
        for (line, found) in [
            ("2", Some(1)),
            ("0", None),
            ("5", None),
            ("10♥", Some(0)),
            ("qs 9c, 8C", Some(1)),
            ("8c 8c", Some(2)),
            ("Pass 8♣ 9♣", None),
            ("pass", Some(3)),
            ("K♠", None),
            ("", None),
        ] {
            assert_eq!(choose(&["1", "2", "3", "4"], &passes, line).as_deref(), found.map(|at| passes[at]), "{line}");
        }
    }

    #[test]
    fn choose_takes_a_typed_number_as_the_answer_to_a_question_for_one() {
        let bids = ["Bid 0", "Bid 1", "Bid 3", "Pass"];
        for (line, found) in
            [("3", Some(2)), ("0", Some(0)), ("2", None), ("a", Some(0)), ("bid 1", Some(1)), ("D", Some(3))]
        {
            assert_eq!(choose(&["a", "b", "c", "d"], &bids, line).as_deref(), found.map(|at| bids[at]), "{line}");
        }
    }
}
