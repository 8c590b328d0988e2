//! Collects the texts of a game. A client fetches them once, so that batches can quote a text by its position in the list.
//!
//! A text with holes is the list of the strings around its holes: `Beat {n} × {value}, or pass` is
//! `["Beat ", " × ", ", or pass"]`. A word without holes (the name of an alternative, a phase, a badge) is a list of one.

use baize_rules::program::{Op, PartKind, Program, Text, TextPart, capitalised};

/// The minimum length in bytes. Quoting a shorter text saves nothing.
const MIN_LENGTH: usize = 3;

/// Returns all texts of a program, each once, in the order of the program.
pub fn collect_texts(program: &Program) -> Vec<Vec<String>> {
    let mut texts = TextTable::default();
    for ask in &program.asks {
        texts.add_text(ask.prompt.as_ref());
        for alternative in &ask.alternatives {
            texts.add_word(&alternative.name);
            match &alternative.label {
                Some(label) => texts.add_text(Some(label)),
                None => texts.add_word(&capitalised(&alternative.name)),
            }
            for part in &alternative.parts {
                texts.add_word(&capitalised(&part.name));
                if let PartKind::Choice(names) = &part.kind {
                    // Buttons show the names capitalised, texts show them as they are.
                    names.iter().for_each(|name| texts.add_word(&capitalised(name)));
                    names.iter().for_each(|name| texts.add_word(name));
                }
            }
            alternative.musts.iter().for_each(|must| texts.add_text(Some(&must.reason)));
        }
    }
    program.phases.iter().for_each(|phase| texts.add_word(&phase.name));
    for badge in &program.show.badges {
        texts.add_word(&badge.kind);
        texts.add_text(badge.label.as_ref());
        texts.add_text(badge.value.as_ref());
    }
    for seat in &program.show.seats {
        texts.add_word(&seat.status);
        texts.add_text(seat.label.as_ref());
    }
    program.show.counters.iter().for_each(|counter| texts.add_text(Some(&counter.text)));
    program.show.status.iter().for_each(|status| texts.add_text(Some(&status.text)));
    for (pc, op) in program.code.iter().enumerate() {
        match op {
            Op::Announce { text, .. } => texts.add_text(Some(text)),
            Op::End(end) => texts.add_text(end.banner.as_ref()),
            Op::RevealValue { .. } => {
                if let Some(name) = revealed_name(program, pc) {
                    texts.add(vec![format!("{}: ", capitalised(name)), String::new()]);
                }
            }
            _ => {}
        }
    }
    texts.0
}

/// Returns the name of the variable to which a `reveal` at this pc assigns the value. The program stores a revealed value in
/// a variable without a name first, and then in the one that the designer named.
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
struct TextTable(Vec<Vec<String>>);

impl TextTable {
    fn add_word(&mut self, word: &str) {
        self.add(vec![word.to_owned()]);
    }

    fn add_text(&mut self, text: Option<&Text>) {
        let Some(text) = text else { return };
        // A text that depends on a condition as a whole is two texts, not one hole.
        if let [TextPart::If(_, yes, no)] = &text.parts[..] {
            self.add_text(Some(yes));
            self.add_text(Some(no));
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
        // Between two adjacent holes a reader could not tell where one ends.
        let adjacent_holes = text.len() > 2 && text[1..text.len() - 1].iter().any(String::is_empty);
        let length: usize = text.iter().map(String::len).sum();
        if !adjacent_holes && length >= MIN_LENGTH && !self.0.contains(&text) {
            self.0.push(text);
        }
    }
}
