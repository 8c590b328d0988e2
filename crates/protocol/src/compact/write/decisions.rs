//! Writes decisions and the players whom the table waits for.

use super::BatchWriter;
use baize_engine::view::{AlternativeView, Blocked, DecisionView, PartKindView, PartView, Waiting};

impl BatchWriter<'_> {
    pub(super) fn waiting(&mut self, waiting: &Waiting) {
        let Waiting { seat, decision, prompt, clock } = waiting;
        self.number(i64::from(*seat));
        self.number(i64::from(*decision));
        if prompt.is_some() || clock.is_some() {
            self.optional_line(prompt.as_ref());
        }
        if let Some(clock) = clock {
            self.number(i64::from(clock.seconds));
            if clock.decision != *decision {
                self.number(i64::from(clock.decision));
            }
        }
    }

    /// Writes a decision. Its id and prompt are usually those of an entry of `waiting` in the same batch; then the index of
    /// that entry is enough.
    pub(super) fn decision(&mut self, decision: &DecisionView, waiting: &[Waiting]) {
        let DecisionView { id, prompt, alternatives } = decision;
        match waiting.iter().position(|waiting| waiting.decision == *id && waiting.prompt == *prompt) {
            Some(at) => self.number(at as i64),
            None => {
                self.open();
                self.number(i64::from(*id));
                if prompt.is_some() {
                    self.optional_line(prompt.as_ref());
                }
                self.close();
            }
        }
        alternatives.iter().for_each(|alternative| self.alternative(alternative));
    }

    pub(super) fn alternative(&mut self, alternative: &AlternativeView) {
        let AlternativeView { name, label, index, legal, parts, combinations } = alternative;
        self.open();
        self.number(i64::from(*index));
        self.word(name);
        self.line(label);
        if !legal {
            self.number(0);
        }
        parts.iter().for_each(|part| self.part(part));
        if let Some(combinations) = combinations {
            self.open_marked(b'c');
            self.open();
            combinations.iter().for_each(|combination| self.numbers(combination));
            self.close();
            self.close_marked();
        }
        self.close();
    }

    pub(super) fn part(&mut self, part: &PartView) {
        self.open();
        self.word(&part.name);
        match &part.kind {
            PartKindView::Card { options, blocked } => {
                self.number(0);
                self.handles(options);
                blocked.chunk_by(|a, b| a.reason == b.reason).for_each(|run| self.blocked(run));
            }
            PartKindView::Unseen { zone, count } => {
                [1, i64::from(*zone), i64::from(*count)].into_iter().for_each(|n| self.number(n));
            }
            PartKindView::Cards { low, high, options, ordered } => {
                [2, i64::from(*low), i64::from(*high)].into_iter().for_each(|n| self.number(n));
                self.handles(options);
                if *ordered {
                    self.number(1);
                }
            }
            PartKindView::Sets { options } => {
                self.number(3);
                options.iter().for_each(|set| self.handles(set));
            }
            PartKindView::Number { low, high, only } => {
                [4, i64::from(*low), i64::from(*high)].into_iter().for_each(|n| self.number(n));
                only.iter().for_each(|only| self.numbers(only));
            }
            PartKindView::Pile { options } => self.piles(options),
            PartKindView::Player { options } => {
                self.number(6);
                self.numbers(options);
            }
            PartKindView::Value { options } => {
                self.number(7);
                for (value, name) in options {
                    self.number(i64::from(*value));
                    self.word(name);
                }
            }
            PartKindView::Yesno { options } => {
                self.number(8);
                self.numbers(options);
            }
            PartKindView::Text { most } => {
                self.number(9);
                self.number(i64::from(*most));
            }
            PartKindView::Dice { dice, first, count, only } => {
                [10, i64::from(*dice), i64::from(*first), i64::from(*count)].into_iter().for_each(|n| self.number(n));
                only.iter().for_each(|only| {
                    self.open();
                    self.runs(only.iter().map(|set| i64::from(*set)));
                    self.close();
                });
            }
        }
        self.close();
    }

    /// Writes cards that are blocked for the same reason: the reason once, then the cards.
    pub(super) fn blocked(&mut self, run: &[Blocked]) {
        let Some(first) = run.first() else { return };
        self.open();
        self.optional_line(first.reason.as_deref());
        self.runs(run.iter().map(|blocked| i64::from(blocked.handle)));
        self.close();
    }

    /// Writes piles. The zones of a family are usually numbered in the order of its index, so one offset is enough.
    pub(super) fn piles(&mut self, options: &[(i32, u16)]) {
        self.number(5);
        let offset = |(value, zone): &(i32, u16)| i64::from(*zone) - i64::from(*value);
        let steady = options
            .first()
            .map(offset)
            .filter(|first| options.iter().all(|option| offset(option) == *first && option.0 >= 0));
        if let Some(offset) = steady {
            self.number(offset);
            self.runs(options.iter().map(|(value, _)| i64::from(*value)));
            return;
        }
        self.open();
        for (value, zone) in options {
            self.number(i64::from(*value));
            self.number(i64::from(*zone));
        }
        self.close();
    }
}
