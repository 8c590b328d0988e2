//! The texts of a game, which a client has before the first of them is used.
//!
//! A text with holes is a list of what stands around them: `Beat {n} × {value}, or pass` is
//! `["Beat ", " × ", ", or pass"]`. Plain words (names of alternatives, phases, badges) are lists of one. Batches quote
//! texts by their position here instead of spelling them out.

use baize_rules::program::{Op, PartKind, Program, Text, TextPart, capitalised};

/// Shorter ones cost as much to quote as to spell.
const SHORTEST: usize = 3;

/// All texts of a program, each once, in the order of the program.
pub fn texts(program: &Program) -> Vec<Vec<String>> {
    let mut found = Found::default();
    for ask in &program.asks {
        found.text(ask.prompt.as_ref());
        for alternative in &ask.alternatives {
            found.word(&alternative.name);
            match &alternative.label {
                Some(label) => found.text(Some(label)),
                None => found.word(&capitalised(&alternative.name)),
            }
            for part in &alternative.parts {
                found.word(&capitalised(&part.name));
                if let PartKind::Choice(names) = &part.kind {
                    // As they are chosen, and as they are spoken of.
                    names.iter().for_each(|name| found.word(&capitalised(name)));
                    names.iter().for_each(|name| found.word(name));
                }
            }
            alternative.musts.iter().for_each(|must| found.text(Some(&must.reason)));
        }
    }
    program.phases.iter().for_each(|phase| found.word(&phase.name));
    for badge in &program.show.badges {
        found.word(&badge.kind);
        found.text(badge.label.as_ref());
        found.text(badge.value.as_ref());
    }
    for seat in &program.show.seats {
        found.word(&seat.status);
        found.text(seat.label.as_ref());
    }
    program.show.status.iter().for_each(|status| found.text(Some(&status.text)));
    for (pc, op) in program.code.iter().enumerate() {
        match op {
            Op::Announce { text, .. } => found.text(Some(text)),
            Op::End(end) => found.text(end.banner.as_ref()),
            Op::RevealValue { .. } => {
                if let Some(name) = revealed_name(program, pc) {
                    found.add(vec![format!("{}: ", capitalised(name)), String::new()]);
                }
            }
            _ => {}
        }
    }
    found.0
}

/// The name under which a revealed value is stored: it is told, and then stored under the name the designer gave it.
pub(crate) fn revealed_name(program: &Program, pc: usize) -> Option<&str> {
    use baize_rules::program::Num;
    match (program.code.get(pc), program.code.get(pc.saturating_add(1))) {
        (Some(Op::RevealValue { to_var, .. }), Some(Op::Set(place, Num::Var(from)))) if from == to_var => {
            program.vars.get(place.var as usize).map(|var| var.name.as_str())
        }
        _ => None,
    }
}

#[derive(Default)]
struct Found(Vec<Vec<String>>);

impl Found {
    fn word(&mut self, word: &str) {
        self.add(vec![word.to_owned()]);
    }

    fn text(&mut self, text: Option<&Text>) {
        let Some(text) = text else { return };
        // What is said in one case or another is two texts, not a hole.
        if let [TextPart::If(_, yes, no)] = &text.parts[..] {
            self.text(Some(yes));
            self.text(Some(no));
            return;
        }
        let mut around = vec![String::new()];
        for part in &text.parts {
            match (part, around.last_mut()) {
                (TextPart::Plain(plain), Some(last)) => last.push_str(plain),
                _ => around.push(String::new()),
            }
        }
        self.add(around);
    }

    fn add(&mut self, text: Vec<String>) {
        // Where two holes touch, nobody could tell where one ends.
        let touching = text.len() > 2 && text[1..text.len() - 1].iter().any(String::is_empty);
        let length: usize = text.iter().map(String::len).sum();
        if !touching && length >= SHORTEST && !self.0.contains(&text) {
            self.0.push(text);
        }
    }
}
