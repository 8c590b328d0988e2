//! Finds loops that go on for ever once the player whom they ask has left.
//!
//! Asking a player who has left asks no one, and the game goes on. So `repeat until given` with nothing but `ask p` inside
//! turns round and round when `p` leaves, until the step has used up its budget and the table ends void. The check follows the
//! code: it warns if there is a way round the loop that passes over a question to one player and changes nothing. A loop that
//! tests whether the player is playing, and a `when … leaves` that changes what the loop reads, are left alone.

use super::Elaborator;
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Span;

/// A `repeat` without a bound: its code, and where it stands.
pub(super) struct UnboundedRepeat {
    pub top: Pc,
    pub end: Pc,
    pub span: Span,
}

impl Elaborator<'_> {
    pub(super) fn warn_about_leavers(&mut self) {
        for repeat in std::mem::take(&mut self.unbounded_repeats) {
            let Some(ask) = self.turns_without_answer(&repeat) else { continue };
            let AskMode::One(Num::Var(var)) = &ask.mode else { continue };
            let name = self.program.vars[*var as usize].name.clone();
            // Underlines only the first word of each: otherwise the diagnostic would underline the whole loop and the whole question.
            let word = |span: Span, word: &str| Span { end: span.start + word.len() as u32, ..span };
            let (place, question) = (word(repeat.span, "repeat"), word(ask.span, "ask"));
            self.report(
                Diagnostic::warning("repeat/leaver", place, format!("If `{name}` leaves, this never stops"))
                    .label("goes on asking a player who has left")
                    .related(question, "the question")
                    .hint(format!(
                        "Stop it as well when the player has left: `repeat until … or {name} is not playing`. Or ask another player then: `if {name} is not playing` above the question."
                    )),
            );
        }
    }

    /// The first question of a loop that can turn without any answer and without any change.
    fn turns_without_answer(&self, repeat: &UnboundedRepeat) -> Option<&Ask> {
        let code = &self.program.code[repeat.top as usize..repeat.end as usize];
        let set_by_hook = self.set_by_leaving();
        // The loop looks at who plays, or a hook sets what the loop looks at.
        let handled = code.iter().any(|op| match op {
            Op::Unless(cond, _) => cond.any(&mut |num| match num {
                Num::SeatPlaying(_) | Num::SeatPresent(_) => true,
                Num::Var(var) | Num::At(var, _) => set_by_hook.contains(var),
                _ => false,
            }),
            Op::Ask(id) => matches!(&self.program.asks[*id as usize].mode, AskMode::One(Num::Var(var)) if set_by_hook.contains(var)),
            _ => false,
        });
        if handled {
            return None;
        }
        let mut seen = vec![false; code.len()];
        let mut open = vec![(repeat.top, None)];
        while let Some((pc, passed)) = open.pop() {
            let Some(at) = pc.checked_sub(repeat.top).map(|at| at as usize).filter(|at| *at < code.len()) else {
                continue;
            };
            if pc == repeat.top && passed.is_some() {
                return passed.map(|id: AskId| &self.program.asks[id as usize]);
            }
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match &code[at] {
                Op::Jump(to) => open.push((*to, passed)),
                Op::Unless(_, to) => {
                    open.push((*to, passed));
                    open.push((pc + 1, passed));
                }
                Op::Ask(id) => {
                    let ask = &self.program.asks[*id as usize];
                    if let AskMode::One(Num::Var(_)) = ask.mode {
                        open.push((ask.after, passed.or(Some(*id))));
                    }
                }
                Op::Announce { .. } | Op::Phase(_) | Op::RevealCards { .. } | Op::Shuffle(_) => {
                    open.push((pc + 1, passed));
                }
                // Anything else may change what the loop waits for.
                _ => {}
            }
        }
        None
    }

    /// The variables that `when … leaves` sets.
    fn set_by_leaving(&self) -> Vec<VarId> {
        let Some(hook) = &self.program.on_leave else { return Vec::new() };
        let code = &self.program.code[hook.body as usize..];
        let until_return = code.iter().take_while(|op| !matches!(op, Op::Return));
        let set = until_return.filter_map(|op| match op {
            Op::Set(place, _) | Op::Add(place, _) => Some(place.var),
            Op::RandomSeat { to, .. } | Op::RandomCard { to, .. } => Some(*to),
            _ => None,
        });
        set.collect()
    }
}
