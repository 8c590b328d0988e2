//! Checks the rules for every card, whatever the form of its file.

use std::collections::BTreeMap;

use crate::blanks::{blanks, normalise};
use crate::error::{At, ProblemText, Problems};
use crate::limits;
use crate::pack::{ANSWER, Card, PROMPT, is_word};
use crate::text::{check_length, clean, quoted};

/// Checks a card and normalises it. Reports every fault of the card, not only the first. Calls `at` only for a fault,
/// because a path costs an allocation and most cards are good.
pub(crate) fn check(
    deck: &str,
    raw_text: &str,
    numbers: BTreeMap<String, i64>,
    at: &dyn Fn() -> At,
    problems: &mut Problems,
) -> Option<Card> {
    let mut faults = Vec::new();
    let mut numbers = numbers;
    for (name, value) in &numbers {
        if value.unsigned_abs() > limits::NUMBER as u64 {
            faults.push(ProblemText::new(
                format!("The number {value} for {} is out of range.", quoted(name)),
                format!("Numbers on cards go from -{0} to {0}.", limits::NUMBER),
            ));
        }
    }
    let text = match clean(raw_text, limits::TEXT_CHARS) {
        Ok(text) if text.is_empty() => {
            Err(ProblemText::new("This card has no text.", "Write something on it, or delete the card."))
        }
        other => other,
    };
    let card = match text {
        Err(fault) => {
            faults.push(fault);
            None
        }
        Ok(text) => match put_in_form(deck, text, &mut numbers) {
            Err(fault) => {
                faults.push(fault);
                None
            }
            Ok(text) => Some(Card { text, numbers }),
        },
    };
    if faults.is_empty() {
        return card;
    }
    for fault in faults {
        problems.add(at(), fault);
    }
    None
}

/// Normalises the name of a deck. Other collections call prompts black cards and answers white cards, and people write
/// plurals. Any other plain word is a deck of its own.
pub(crate) fn deck_name(raw: &str) -> Result<String, ProblemText> {
    let name = raw.trim().to_lowercase();
    let known = match name.as_str() {
        "prompt" | "prompts" | "black" | "question" | "questions" | "call" | "calls" => Some(PROMPT),
        "answer" | "answers" | "white" | "response" | "responses" => Some(ANSWER),
        _ => None,
    };
    if let Some(known) = known {
        return Ok(known.into());
    }
    if name.is_empty() {
        return Err(ProblemText::new(
            "This does not say which deck the card belongs to.",
            "Write “prompt” or “answer”.",
        ));
    }
    if !is_word(&name) {
        return Err(ProblemText::new(
            format!("{} can't be the name of a deck.", quoted(raw)),
            "Use “prompt” or “answer”, or one word of letters a to z.",
        ));
    }
    // Without this, a misspelt deck would be a new one, and its cards would never be dealt.
    let meant = [PROMPT, ANSWER, "question", "response"]
        .into_iter()
        .find(|known| strsim::damerau_levenshtein(&name, known) == 1);
    match meant {
        Some(meant) => {
            Err(ProblemText::new(format!("There is no deck {}.", quoted(&name)), format!("Did you mean “{meant}”?")))
        }
        None => Ok(name),
    }
}

/// Compares the blanks with `pick` and returns the text with normalised blanks. Only prompts have blanks: in other decks,
/// underscores are plain characters.
fn put_in_form(deck: &str, text: String, numbers: &mut BTreeMap<String, i64>) -> Result<String, ProblemText> {
    if deck == ANSWER && numbers.get("pick") == Some(&0) {
        numbers.remove("pick");
    }
    let is_prompt = deck == PROMPT || numbers.contains_key("pick");
    let counted = if is_prompt { blanks(&text) as i64 } else { 0 };
    // A pack does not store `blanks`. If a file states it, it must be right.
    if let Some(stated) = numbers.remove("blanks")
        && stated != counted
    {
        return Err(ProblemText::new(
            format!("{} has {}, not {stated}.", quoted(&text), count_of(counted, "blank")),
            "Leave “blanks” out: they are counted in the text, where each run of underscores is one.",
        ));
    }
    if !is_prompt {
        return Ok(text);
    }
    if deck == ANSWER {
        return Err(ProblemText::new(
            format!("{} is an answer, and has a “pick”.", quoted(&text)),
            "Only prompts say how many answers to pick. Remove the number, or make the card a prompt.",
        ));
    }
    let pick = match numbers.get("pick") {
        None if counted > limits::PICK => {
            return Err(ProblemText::new(
                format!("{} has {counted} blanks.", quoted(&text)),
                format!("A prompt may have {} blanks at most.", limits::PICK),
            ));
        }
        None => counted.max(1),
        Some(pick) if !(1..=limits::PICK).contains(pick) => {
            return Err(ProblemText::new(
                format!("{} asks for {}.", quoted(&text), count_of(*pick, "answer")),
                format!("“pick” must be a number from 1 to {}.", limits::PICK),
            ));
        }
        Some(pick) if *pick < counted => {
            return Err(ProblemText::new(
                format!(
                    "{} has {}, but asks for {} only.",
                    quoted(&text),
                    count_of(counted, "blank"),
                    count_of(*pick, "answer")
                ),
                "Give “pick” the number of blanks, or leave it out. Each run of underscores is a blank.",
            ));
        }
        Some(pick) => *pick,
    };
    numbers.insert("pick".into(), pick);
    let text = normalise(&text).into_owned();
    check_length(&text, limits::TEXT_CHARS)?;
    Ok(text)
}

fn count_of(n: i64, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        n => format!("{n} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(deck: &str, text: &str, numbers: &[(&str, i64)]) -> Result<Card, String> {
        let mut problems = Problems::default();
        let numbers = numbers.iter().map(|(name, n)| (name.to_string(), *n)).collect();
        let card = check(deck, text, numbers, &|| At::File, &mut problems);
        match problems.into_result(card) {
            Ok(card) => Ok(card.expect("a refused card has a problem")),
            Err(errors) => Err(errors.to_string()),
        }
    }

    #[test]
    fn pick_is_stated_or_the_number_of_blanks() {
        for (text, stated, pick) in [
            ("Why?", None, 1),
            ("_ and _", None, 2),
            ("_, _ and _", None, 3),
            ("Why?", Some(3), 3),
            ("Only _.", Some(2), 2),
            ("_ and _", Some(2), 2),
        ] {
            let numbers: Vec<_> = stated.map(|n| ("pick", n)).into_iter().collect();
            assert_eq!(checked(PROMPT, text, &numbers).unwrap().pick(), Some(pick), "{text:?}");
        }
    }

    #[test]
    fn pick_must_be_in_range_and_cover_the_blanks() {
        for (text, stated) in
            [("_ _ _ _", None), ("_ and _", Some(1)), ("Why?", Some(0)), ("Why?", Some(4)), ("_", Some(-1))]
        {
            let numbers: Vec<_> = stated.map(|n| ("pick", n)).into_iter().collect();
            assert!(checked(PROMPT, text, &numbers).is_err(), "{text:?} {stated:?}");
        }
    }

    #[test]
    fn only_prompts_have_blanks() {
        let answer = checked(ANSWER, "snake_case", &[]).unwrap();
        assert_eq!((answer.text.as_str(), answer.pick()), ("snake_case", None));
        assert_eq!(checked(ANSWER, "Tea", &[("pick", 0)]).unwrap().pick(), None);
        assert!(checked(ANSWER, "Tea", &[("pick", 1)]).is_err());
        let other = checked("event", "Draw _.", &[("value", 7)]).unwrap();
        assert_eq!((other.text.as_str(), other.number("value")), ("Draw _.", Some(7)));
        let quest = checked("quest", "Find _.", &[("pick", 1)]).unwrap();
        assert_eq!(quest.text, "Find _____.");
    }

    #[test]
    fn stated_blanks_are_checked_and_dropped() {
        let card = checked(PROMPT, "_ and _", &[("blanks", 2), ("pick", 3)]).unwrap();
        assert_eq!((card.pick(), card.number("blanks")), (Some(3), None));
        assert!(checked(PROMPT, "_ and _", &[("blanks", 1)]).is_err());
        assert!(checked(ANSWER, "Tea", &[("blanks", 0)]).is_ok());
    }

    #[test]
    fn the_length_limit_counts_normalised_blanks() {
        let text = format!("{}_", "x".repeat(399));
        assert!(checked(ANSWER, &text, &[]).is_ok());
        assert!(checked(PROMPT, &text, &[]).is_err());
    }

    #[test]
    fn a_card_reports_all_its_faults() {
        let report = checked(PROMPT, " ", &[("value", 5_000_000)]).unwrap_err();
        assert!(report.contains("no text") && report.contains("out of range"), "{report}");
    }

    #[test]
    fn deck_name_accepts_aliases_and_refuses_misspellings() {
        for (raw, name) in
            [("Prompts", PROMPT), (" BLACK ", PROMPT), ("white", ANSWER), ("answer", ANSWER), ("event", "event")]
        {
            assert_eq!(deck_name(raw).unwrap(), name, "{raw:?}");
        }
        assert!(deck_name("anwser").unwrap_err().hint.contains("“answer”"));
        assert!(deck_name("promt").unwrap_err().hint.contains("“prompt”"));
        for bad in ["", "two words", "été", &"x".repeat(41)] {
            assert!(deck_name(bad).is_err(), "{bad:?}");
        }
    }
}
