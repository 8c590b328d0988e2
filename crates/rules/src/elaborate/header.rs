//! The lines at the top of a file: how many players there are, and what happens with newcomers, absent players and
//! players who leave.

use super::Elaborator;
use crate::ast::{self, DeclKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};
use std::collections::HashMap;

/// The longest game that `lasts` can name: ten hours.
const MAX_MINUTES: i32 = 600;

impl<'a> Elaborator<'a> {
    pub(super) fn header(&mut self, file: &'a ast::File) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut players = false;
        for decl in &file.decls {
            let word = match &decl.kind {
                DeclKind::About(_) => "about",
                DeclKind::Language(_) => "language",
                DeclKind::HowToPlay(_) => "how to play",
                DeclKind::Players { .. } => "players",
                DeclKind::Lasts { .. } => "lasts",
                DeclKind::Newcomers(_) => "newcomers",
                DeclKind::Absent(_) => "absent",
                DeclKind::HostAbsent(_) => "host absent",
                DeclKind::Leavers(_) => "leavers",
                DeclKind::Grace(_) => "grace",
                DeclKind::Limit { .. } => "limit",
                _ => "",
            };
            if !word.is_empty()
                && let Some(first) = seen.insert(word, decl.span)
            {
                self.report(
                    Diagnostic::error("file/twice", decl.span, format!("`{word}` is said twice"))
                        .label("again here")
                        .related(first, "first here"),
                );
            }
            match &decl.kind {
                DeclKind::About(t) => self.program.meta.about = self.plain(t),
                DeclKind::Language(e) => self.language(e),
                DeclKind::Note(t) => {
                    let note = self.plain(t);
                    self.program.meta.notes.push(note);
                }
                DeclKind::Players { low, high } => {
                    players = true;
                    let (l, h) = self.const_range(low, high);
                    if l < 1 || h > MAX_SEATS as i32 {
                        self.report(
                            Diagnostic::error("file/players", decl.span, "That many players can't sit here")
                                .label(format!("{l} to {h}"))
                                .hint(format!("A table takes 1 to {MAX_SEATS} players.")),
                        );
                    } else {
                        self.program.meta.min_players = l as u8;
                        self.program.meta.max_players = h as u8;
                    }
                }
                DeclKind::Lasts { low, high } => {
                    let (low, high) = self.const_range(low, high);
                    if low < 1 || high > MAX_MINUTES {
                        self.report(
                            Diagnostic::error("file/minutes", decl.span, "A game can't last that long, or that short")
                                .label(format!("{low} to {high} minutes"))
                                .hint(format!("A game lasts 1 to {MAX_MINUTES} minutes.")),
                        );
                    } else {
                        self.program.meta.minutes = Some((low as u16, high as u16));
                    }
                }
                DeclKind::StartWhenFull => self.program.meta.start_when_full = true,
                DeclKind::Newcomers(w) => {
                    if let Some(i) = self.word(w, &["watch", "play"]) {
                        self.program.meta.newcomers_play = i == 1;
                    }
                }
                DeclKind::Absent(w) => {
                    if let Some(policy) = self.absent_word(w) {
                        self.program.meta.absent = policy;
                    }
                }
                DeclKind::HostAbsent(w) => {
                    if let Some(i) = self.word(w, &["pause", "continue"]) {
                        self.program.meta.host_absent_pauses = i == 0;
                    }
                }
                DeclKind::Leavers(w) => {
                    if let Some(i) = self.word(w, &["bots", "go"]) {
                        self.program.meta.leavers_become_bots = i == 0;
                    }
                }
                DeclKind::Grace(e) => {
                    let n = self.const_num(e);
                    self.check_in_range(n, &Type::Seconds { low: 1, high: 86_400 }, e.span);
                    self.program.meta.grace = Some(n.clamp(1, 86_400) as u32);
                }
                DeclKind::Limit { moves, then } => {
                    let n = self.const_num(moves);
                    if !(1..=1_000_000).contains(&n) {
                        self.report(
                            Diagnostic::error("file/limit", moves.span, "A limit lies between 1 and 1000000 moves")
                                .label(format!("{n}")),
                        );
                    } else {
                        self.program.meta.limit = n as u32;
                    }
                    if let Some(i) = self.word(then, &["void", "draw"]) {
                        self.program.meta.limit_outcome = [LimitOutcome::Void, LimitOutcome::Draw][i];
                    }
                }
                _ => {}
            }
        }
        if !players {
            self.report(
                Diagnostic::error("file/no-players", Span::new(0, 0), "How many players is this game for?")
                    .hint("Add a line such as: players 2..6"),
            );
        }
    }

    pub(super) fn absent_word(&mut self, w: &Name) -> Option<AbsentPolicy> {
        self.word(w, &["wait", "skip", "default"])
            .map(|i| [AbsentPolicy::Wait, AbsentPolicy::Skip, AbsentPolicy::Default][i])
    }

    /// Returns the position of a word in a list; reports any other word.
    pub(super) fn word(&mut self, w: &Name, allowed: &[&str]) -> Option<usize> {
        if let Some(i) = allowed.iter().position(|a| *a == w.text) {
            return Some(i);
        }
        let list = allowed.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", ");
        let d = Diagnostic::error("word/unknown", w.span, format!("`{}` is not possible here", w.text))
            .label(format!("one of {list}"));
        self.report(match did_you_mean(&w.text, allowed.iter().copied()) {
            Some(near) => d.hint(format!("Did you mean `{near}`?")),
            None => d,
        });
        None
    }
}
