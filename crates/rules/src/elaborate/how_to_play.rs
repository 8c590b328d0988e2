//! The version of the language, and the short explanation of the game.

use super::{Elaborator, Global};
use crate::ast::{self, IllustrationKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::Name;

/// Upper bound on the lines of `how to play`: more than this nobody reads before a game.
const MOST_LINES: usize = 12;
/// Upper bound on the letters of a line of `how to play`, so that it fits beside a picture on a phone.
const MOST_LETTERS: usize = 160;
/// Upper bound on what one line of `how to play` shows.
const MOST_ILLUSTRATIONS: usize = 6;

impl<'a> Elaborator<'a> {
    pub(super) fn language(&mut self, e: &'a ast::Expr) {
        let before = self.diags.len();
        let version = self.const_num(e);
        if self.diags.len() > before {
            return;
        }
        match u16::try_from(version).ok().filter(|version| (1..=LANGUAGE).contains(version)) {
            Some(version) => self.program.meta.language = version,
            None => self.report(
                Diagnostic::error("language/unknown", e.span, format!("This program does not know language {version}"))
                    .label(format!("the newest is {LANGUAGE}"))
                    .hint(format!(
                        "Write `language {LANGUAGE}`, or leave the line out; a file from a newer program needs that program."
                    )),
            ),
        }
    }

    pub(super) fn how_to_play(&mut self, lines: &'a [ast::HowToLine], span: crate::span::Span) {
        if lines.len() > MOST_LINES {
            self.report(
                Diagnostic::error("how-to-play/long", span, "This explanation is too long")
                    .label(format!("{} lines", lines.len()))
                    .hint(format!(
                        "Five or six lines are enough, {MOST_LINES} are the most. Rulings belong in `note`s."
                    )),
            );
        }
        for line in lines {
            let text = self.plain(&line.text);
            let letters = text.chars().count();
            if letters > MOST_LETTERS || text.trim().is_empty() {
                let problem = Diagnostic::error(
                    "how-to-play/length",
                    line.text.span,
                    format!("A line of `how to play` has 1 to {MOST_LETTERS} letters"),
                );
                self.report(problem.label(format!("{letters} letters")).hint("Say one thing in a line."));
            }
            if line.shows.len() > MOST_ILLUSTRATIONS {
                self.report(
                    Diagnostic::error("how-to-play/long", line.span, "This line shows too much")
                        .hint(format!("{MOST_ILLUSTRATIONS} cards or zones are the most.")),
                );
            }
            let shows = line.shows.iter().filter_map(|shown| self.illustration(shown)).collect();
            self.program.meta.how_to_play.push(HowToLine { text, shows });
        }
    }

    fn illustration(&mut self, shown: &'a ast::Illustration) -> Option<Illustration> {
        match &shown.kind {
            IllustrationKind::Card { rank, suit } => match self.card_literal(rank, *suit, shown.span).code {
                super::value::Code::Pattern(super::value::Pattern::Attrs(_, values)) => {
                    Some(Illustration::Card(values))
                }
                _ => None,
            },
            IllustrationKind::Values(values) => {
                let mut attrs = Vec::new();
                for (attr, value) in values {
                    let attr = self.attr_name(attr)?;
                    attrs.push((attr, self.attr_word(attr, value)?));
                }
                Some(Illustration::Card(attrs))
            }
            IllustrationKind::Named(name) => match self.globals.get(name).copied() {
                Some((Global::Zone(zone), _)) => Some(Illustration::Zone(zone)),
                Some((Global::Var(var), _)) if matches!(self.program.vars[var as usize].kind, VarKind::Dice { .. }) => {
                    Some(Illustration::Dice(var))
                }
                _ if self.card_names.contains(name) => Some(Illustration::Named(name.clone())),
                found => {
                    self.unknown_illustration(&Name { text: name.clone(), span: shown.span }, found.is_some());
                    None
                }
            },
        }
    }

    fn unknown_illustration(&mut self, name: &Name, declared: bool) {
        let zones = self.program.zones.iter().map(|zone| zone.name.clone());
        let dice = self.program.vars.iter().filter(|var| matches!(var.kind, VarKind::Dice { .. }));
        let mut known: Vec<String> =
            zones.chain(dice.map(|var| var.name.clone())).chain(self.card_names.iter().cloned()).collect();
        known.sort();
        let problem =
            Diagnostic::error("how-to-play/unknown", name.span, format!("`{}` can't be drawn", name.text)).label(
                if declared { "neither a zone, nor dice, nor a card" } else { "no zone, dice or card is called so" },
            );
        self.report(match did_you_mean(&name.text, known.iter().map(String::as_str)) {
            Some(near) if !declared => problem.hint(format!("Did you mean `{near}`?")),
            _ => problem
                .hint("Name a zone, dice, a card (`Q♠`, `Joker`), or a card by its values (`suit coins rank 7`)."),
        });
    }
}
