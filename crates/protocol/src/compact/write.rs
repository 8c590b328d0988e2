//! Writes the compact form into the text of a message, without values in between.

mod decisions;
mod lines;
mod lists;
mod narrations;

use super::spelling::SpellingWriter;
use super::texts::TextNumbers;
use super::{ANNOUNCEMENT_KINDS, OUTCOME_KINDS};
use baize_engine::view::{
    BadgeView, Batch, CardView, Cause, Content, Event, Handle, OutcomeView, Placed, SeatView, StatusView, Waiting,
};
use baize_narrator::Narration;
use std::ops::{Deref, DerefMut};

/// Appends a batch as a JSON string, with what its viewer is told of it in words, and the milliseconds left of the clocks that run
/// after it.
pub fn write(batch: &Batch, narrations: &[Narration], clocks: &[(u32, u64)], texts: &TextNumbers, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut writer = BatchWriter { spelling: SpellingWriter::new(out), texts };
    writer.number(batch.seq as i64);
    writer.cause(&batch.cause);
    writer.events(&batch.events);
    writer.narrations(narrations);
    if !clocks.is_empty() {
        writer.letter(b'u');
        for (decision, left) in clocks {
            writer.number(i64::from(*decision));
            writer.number(*left as i64);
        }
    }
    out.push(b'"');
}

/// Counts the first events that can be written as one: changes of consecutive elements of a variable or of dice, or of
/// consecutive badges of a seat.
fn count_run(events: &[Event]) -> usize {
    let place = |event: &Event| match event {
        Event::Value { var, element, .. } => Some(('v', *var, *element)),
        Event::Dice { dice, element, .. } => Some(('d', *dice, *element)),
        Event::Badge { seat, at, .. } => Some(('f', u16::from(*seat), *at)),
        _ => None,
    };
    let Some((kind, of, first)) = events.first().and_then(place) else { return 1 };
    let next = |(event, n): &(&Event, u16)| place(event) == Some((kind, of, *n));
    events.iter().zip(first..=u16::MAX).take_while(next).count()
}

/// A throw of dice: the faces that the viewer sees, and how many events the throw consists of.
struct Thrown<'a> {
    dice: u16,
    by: Throw<'a>,
    faces: Vec<Option<i32>>,
    events: usize,
}

enum Throw<'a> {
    /// One die after the other, from this die on. The viewer sees each face before the next throw.
    Each(u16),
    /// All of these dice at once. The viewer sees their faces in the same order.
    Together(&'a [u16]),
}

fn thrown(events: &[Event]) -> Option<Thrown<'_>> {
    let Some(Event::Rolled { dice, elements }) = events.first() else { return None };
    let face_of = |at: usize, element: u16| match events.get(at) {
        Some(Event::Dice { dice: of, element: face_of, face }) if (of, *face_of) == (dice, element) => *face,
        _ => None,
    };
    let (mut faces, mut taken) = (Vec::new(), 0);
    if let [first] = elements[..] {
        for element in first..=u16::MAX {
            match events.get(taken) {
                Some(Event::Rolled { dice: of, elements }) if of == dice && elements[..] == [element] => taken += 1,
                _ => break,
            }
            faces.push(face_of(taken, element));
            taken += usize::from(faces.last().is_some_and(Option::is_some));
        }
        if faces.len() > 1 {
            return Some(Thrown { dice: *dice, by: Throw::Each(first), faces, events: taken });
        }
    }
    (faces, taken) = (Vec::new(), 1);
    for element in elements {
        faces.push(face_of(taken, *element));
        taken += usize::from(faces.last().is_some_and(Option::is_some));
    }
    (taken > 1).then_some(Thrown { dice: *dice, by: Throw::Together(elements), faces, events: taken })
}

fn letter(event: &Event) -> u8 {
    match event {
        Event::Moved { count, gone, came, .. } => match (count, gone.is_empty(), came.is_empty()) {
            (1, true, true) => b'y',
            (count, true, false) if side_by_side(came) && *count as usize == came.len() => b'n',
            (count, false, false) if stay_in_sight(gone, came) && *count as usize == came.len() => b'g',
            _ => b'm',
        },
        Event::Zone { .. } => b'z',
        Event::Cards { .. } => b'c',
        Event::Turned { .. } => b't',
        Event::Shuffled { .. } => b'x',
        // Most variables have a single element, so element 0 has a letter of its own.
        Event::Value { element: 0, .. } => b'V',
        Event::Value { .. } => b'v',
        Event::Dice { .. } => b'd',
        Event::Rolled { .. } => b'r',
        Event::Phase { .. } => b'p',
        Event::Lead { .. } => b'l',
        Event::Paused { .. } => b'k',
        Event::Seat { .. } => b'i',
        Event::Badges { .. } => b'b',
        Event::Badge { .. } => b'f',
        Event::Marks { .. } => b'j',
        Event::Highlights { .. } => b'h',
        Event::Status { from: 0, .. } => b's',
        Event::Status { .. } => b'S',
        Event::Waiting { .. } => b'w',
        Event::Decision { .. } => b'q',
        Event::Skipped { .. } => b'P',
        Event::Announced { .. } => b'a',
        Event::Revealed { .. } => b'e',
        Event::Outcome { .. } => b'O',
    }
}

fn side_by_side(came: &[Placed]) -> bool {
    let first = came.first().map_or(0, |placed| u64::from(placed.at));
    came.iter().zip(first..).all(|(placed, at)| u64::from(placed.at) == at)
}

/// Whether the viewer sees the same cards before and after the move, and they lie side by side afterwards.
fn stay_in_sight(gone: &[Handle], came: &[Placed]) -> bool {
    side_by_side(came) && gone.iter().copied().eq(came.iter().map(|placed| placed.card.handle))
}

/// Writes the events of a batch with a [`SpellingWriter`].
struct BatchWriter<'a> {
    spelling: SpellingWriter<'a>,
    texts: &'a TextNumbers,
}

impl<'a> Deref for BatchWriter<'a> {
    type Target = SpellingWriter<'a>;

    fn deref(&self) -> &SpellingWriter<'a> {
        &self.spelling
    }
}

impl DerefMut for BatchWriter<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.spelling
    }
}

impl BatchWriter<'_> {
    fn events(&mut self, mut events: &[Event]) {
        let mut waiting: &[Waiting] = &[];
        let (mut last, mut last_seat) = (b' ', None);
        while let [event, ..] = events {
            let thrown = thrown(events);
            let count = thrown.as_ref().map_or_else(|| count_run(events), |thrown| thrown.events);
            let letter = match (&thrown, event) {
                (Some(Thrown { by: Throw::Each(_), .. }), _) => b'R',
                (Some(_), _) => b'T',
                (None, Event::Value { .. }) if count > 1 => b'v',
                _ => letter(event),
            };
            // Consecutive events of these letters share one letter.
            if letter != last || !matches!(letter, b'v' | b'V' | b'd' | b'R' | b'f' | b'y') {
                self.letter(letter);
                last_seat = None;
            }
            last = letter;
            if let Event::Waiting { waiting: now } = event {
                waiting = now;
            }
            let (now, rest) = events.split_at(count);
            match (thrown, now) {
                (Some(Thrown { dice, by, faces, .. }), _) => {
                    self.number(i64::from(dice));
                    if let Throw::Each(first) = by {
                        self.number(i64::from(first));
                    }
                    self.values(&faces, |face| *face);
                    if let Throw::Together(elements) = by {
                        self.runs(elements.iter().map(|element| i64::from(*element)));
                    }
                }
                // Consecutive badges of one seat share the seat's number.
                (None, run @ [Event::Badge { seat, at, .. }, ..]) => {
                    if last_seat.replace(*seat) != Some(*seat) {
                        self.number(i64::from(*seat));
                    }
                    self.open();
                    self.number(i64::from(*at));
                    self.write_each(run, |writer, event| {
                        if let Event::Badge { value, .. } = event {
                            writer.optional_line(value.as_ref());
                        }
                    });
                    self.close();
                }
                (None, [one]) => self.event(one, waiting),
                (None, run) => self.write_run(run),
            }
            events = rest;
        }
    }

    /// Writes a run that [`count_run`] counted.
    fn write_run(&mut self, events: &[Event]) {
        let Some(Event::Value { var: of, element, .. } | Event::Dice { dice: of, element, .. }) = events.first() else {
            return;
        };
        self.number(i64::from(*of));
        self.number(i64::from(*element));
        self.values(events, |event| match event {
            Event::Value { value, .. } | Event::Dice { face: value, .. } => *value,
            _ => None,
        });
    }

    fn cause(&mut self, cause: &Cause) {
        match cause {
            Cause::Start => self.string("start"),
            Cause::Move { seat } => self.number(i64::from(*seat)),
            Cause::Input { kind, seat } => {
                self.open();
                self.string(kind);
                seat.iter().for_each(|seat| self.number(i64::from(*seat)));
                self.close();
            }
        }
    }

    fn event(&mut self, event: &Event, waiting: &[Waiting]) {
        match event {
            Event::Moved { from, to, count, gone, came } => self.write_moved_cards((*from, *to), *count, gone, came),
            Event::Zone { zone, view } => {
                self.number(i64::from(*zone));
                match &view.content {
                    Content::Cards(cards) => self.cards(cards),
                    Content::Count(count) => self.number(i64::from(*count)),
                    Content::Nothing => self.null(),
                }
                self.number(i64::from(view.turned));
            }
            Event::Cards { zone, cards } => {
                self.number(i64::from(*zone));
                self.cards(cards);
            }
            Event::Turned { zone, turned } => {
                self.number(i64::from(*zone));
                self.number(i64::from(*turned));
            }
            Event::Shuffled { zone } => self.number(i64::from(*zone)),
            Event::Value { var, element: 0, value } => {
                self.number(i64::from(*var));
                self.optional(value.map(i64::from));
            }
            Event::Value { var: of, element, value } | Event::Dice { dice: of, element, face: value } => {
                self.number(i64::from(*of));
                self.number(i64::from(*element));
                self.optional(value.map(i64::from));
            }
            Event::Rolled { dice, elements } => {
                self.number(i64::from(*dice));
                self.runs(elements.iter().map(|element| i64::from(*element)));
            }
            Event::Phase { phase: Some(phase) } => self.word(phase),
            Event::Phase { phase: None } => self.null(),
            Event::Lead { seat } => self.place(seat.map(u16::from)),
            Event::Paused { paused } => self.number(i64::from(*paused)),
            Event::Seat { seat, view } => self.seat(*seat, view),
            Event::Badges { seat, from, badges } => {
                self.number(i64::from(*seat));
                if *from > 0 {
                    self.number(i64::from(*from));
                }
                self.badges(badges);
            }
            // `events` writes badges, grouped by seat.
            Event::Badge { .. } => {}
            Event::Marks { seat, status } => {
                self.number(i64::from(*seat));
                self.marks(status);
            }
            Event::Highlights { handles } => self.runs(handles.iter().map(|handle| i64::from(*handle))),
            Event::Status { from, lines } => {
                if *from > 0 {
                    self.number(i64::from(*from));
                }
                lines.iter().for_each(|line| self.listed_line(line));
            }
            Event::Waiting { waiting } => match &waiting[..] {
                [one] if !self.needs_spelling(one.prompt.as_ref()) => self.waiting(one),
                all => {
                    for waiting in all {
                        self.open();
                        self.waiting(waiting);
                        self.close();
                    }
                }
            },
            Event::Decision { decision } => {
                if let Some(decision) = decision {
                    self.decision(decision, waiting);
                }
            }
            Event::Skipped { seat } => self.number(i64::from(*seat)),
            Event::Announced { text, kind } => {
                self.line(text);
                match ANNOUNCEMENT_KINDS.iter().position(|known| known == kind) {
                    Some(number) => self.number(number as i64),
                    None => self.string(kind),
                }
            }
            Event::Revealed { text, zone, faces } => {
                self.optional_line(text.as_ref());
                self.place(*zone);
                faces.iter().for_each(|face| self.number(i64::from(*face)));
            }
            Event::Outcome { outcome } => self.outcome(outcome),
        }
    }

    fn outcome(&mut self, outcome: &OutcomeView) {
        let OutcomeView { kind, winners, losers, ranks, banner, score, fault } = outcome;
        match OUTCOME_KINDS.iter().position(|known| known == kind) {
            Some(number) => self.number(number as i64),
            None => self.string(kind),
        }
        self.numbers(winners);
        self.numbers(losers);
        self.open();
        ranks.iter().for_each(|rank| self.optional(rank.map(i64::from)));
        self.close();
        self.optional_line(banner.as_ref());
        // One number is a fault, two are a score; no outcome has both.
        match score {
            Some((score, most)) => [score, most].into_iter().for_each(|number| self.number(i64::from(*number))),
            None => fault.iter().for_each(|fault| self.number(i64::from(*fault))),
        }
    }

    fn write_moved_cards(
        &mut self,
        (from, to): (Option<u16>, Option<u16>),
        count: u32,
        gone: &[Handle],
        came: &[Placed],
    ) {
        self.place(from);
        self.place(to);
        let shown = gone.len().max(came.len());
        match (count, gone.is_empty(), came.is_empty()) {
            (1, true, true) => return,
            (_, true, true) => return self.number(i64::from(count)),
            (count, true, false) if side_by_side(came) && count as usize == shown => return self.row(came),
            (count, false, false) if stay_in_sight(gone, came) && count as usize == shown => return self.row(came),
            _ => {}
        }
        self.handles(gone);
        let odd = count as usize != shown;
        if !came.is_empty() || odd {
            self.write_arrivals(came);
        }
        if odd {
            self.number(i64::from(count));
        }
    }

    /// Writes the place of the first card and then all cards if they lie side by side, else each card with its place.
    fn write_arrivals(&mut self, came: &[Placed]) {
        self.open();
        if side_by_side(came) {
            self.row(came);
        } else {
            for placed in came {
                self.open();
                self.number(i64::from(placed.at));
                self.card(&placed.card);
                self.close();
            }
        }
        self.close();
    }

    fn row(&mut self, came: &[Placed]) {
        self.number(came.first().map_or(0, |placed| i64::from(placed.at)));
        came.iter().for_each(|placed| self.card(&placed.card));
    }

    fn cards(&mut self, cards: &[CardView]) {
        self.open();
        cards.iter().for_each(|card| self.card(card));
        self.close();
    }

    fn card(&mut self, card: &CardView) {
        let CardView { handle, face, written, by } = card;
        if (face, by, written) == (&None, &None, &None) {
            return self.number(i64::from(*handle));
        }
        self.open();
        self.number(i64::from(*handle));
        self.optional(face.map(i64::from));
        if by.is_some() || written.is_some() {
            self.optional(by.map(i64::from));
        }
        if let Some(written) = written {
            self.string(written);
        }
        self.close();
    }

    /// Writes a seat. Flags: 1 playing, 2 present, 4 person, 8 pending, 16 turn.
    fn seat(&mut self, seat: u8, view: &SeatView) {
        let bits = [view.playing, view.present, view.person, view.pending, view.turn];
        let flags = bits.iter().rev().fold(0i64, |flags, bit| flags << 1 | i64::from(*bit));
        self.number(i64::from(seat));
        self.number(flags);
        self.open();
        self.badges(&view.badges);
        self.close();
        self.open();
        self.marks(&view.status);
        self.close();
    }

    fn badges(&mut self, badges: &[BadgeView]) {
        for BadgeView { kind, label, value } in badges {
            self.open();
            self.word(kind);
            if label.is_some() || value.is_some() {
                self.optional_line(label.as_ref());
            }
            if value.is_some() {
                self.optional_line(value.as_ref());
            }
            self.close();
        }
    }

    fn marks(&mut self, marks: &[StatusView]) {
        for StatusView { word, label } in marks {
            self.open();
            self.word(word);
            label.iter().for_each(|label| self.line(label));
            self.close();
        }
    }
}
