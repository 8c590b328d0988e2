//! Lowers texts; options and constants become plain text when the table is made.

use super::Lower;
use crate::cardset::CardSet;
use crate::instance::expr::{Expr, Script, ScriptPart};
use baize_rules::program::{OptionId, OptionValue, Text, TextPart, Type, ValueFormat};

impl<S: CardSet> Lower<'_, S> {
    pub fn script(&mut self, text: &Text) -> Script<S> {
        let mut script = Script { parts: Vec::new() };
        self.deeper((), |lower| {
            for part in &text.parts {
                lower.script_part(part, &mut script);
            }
        });
        script
    }

    fn script_part(&mut self, part: &TextPart, script: &mut Script<S>) {
        match part {
            TextPart::Plain(text) => script.push_plain(text),
            TextPart::Value(value, show) => match (self.num(value), show) {
                (Expr::Const(n), ValueFormat::Number) => script.push_plain(&n.to_string()),
                (value, show) => script.parts.push(ScriptPart::Value(value, show.clone())),
            },
            TextPart::Option(id) => script.push_plain(&self.option_text(*id)),
            TextPart::Letters(count, id) => {
                let count = self.num(count);
                script.parts.push(ScriptPart::Letters(count, self.option_text(*id)));
            }
            TextPart::Cards(cards) => {
                let cards = self.set(cards);
                script.parts.push(ScriptPart::Cards(cards));
            }
            TextPart::Players(seats) => {
                let members = self.members(seats);
                script.parts.push(ScriptPart::Players(members));
            }
            TextPart::CardText(card) => {
                let card = self.num(card);
                script.parts.push(ScriptPart::CardText(card));
            }
            TextPart::Filled { prompt, answers } => {
                let part = ScriptPart::Filled { prompt: self.num(prompt), answers: self.set(answers) };
                script.parts.push(part);
            }
            TextPart::If(cond, yes, no) => match self.num(cond) {
                Expr::Const(n) => {
                    let chosen = self.script(if n != 0 { yes } else { no });
                    for part in chosen.parts {
                        match part {
                            ScriptPart::Plain(text) => script.push_plain(&text),
                            part => script.parts.push(part),
                        }
                    }
                }
                cond => {
                    let part = ScriptPart::If(cond, self.script(yes), self.script(no));
                    script.parts.push(part);
                }
            },
        }
    }

    /// Returns an option's value as people read it.
    fn option_text(&self, id: OptionId) -> String {
        let Some(value) = self.known.options.get(id as usize) else { return String::new() };
        match (value, self.program.options.get(id as usize)) {
            (OptionValue::Text(text), _) => text.clone(),
            (OptionValue::Number(n), Some(option)) => match &option.ty {
                Type::Choice(names) => {
                    let title = option.value_titles.get(*n as usize).filter(|t| !t.is_empty());
                    title.or(names.get(*n as usize)).cloned().unwrap_or_default()
                }
                Type::YesNo => if *n != 0 { "yes" } else { "no" }.to_owned(),
                _ => n.to_string(),
            },
            (OptionValue::Number(n), None) => n.to_string(),
        }
    }
}

impl<S> Script<S> {
    /// Appends plain text; neighbouring plain texts become one piece.
    fn push_plain(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(ScriptPart::Plain(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else {
            self.parts.push(ScriptPart::Plain(text.to_owned()));
        }
    }
}
