//! Writes the compact form, straight into the text of a message.

mod decisions;
mod lines;
mod lists;

use super::pen::Pen;
use super::texts::Texts;
use super::{ENDINGS, KINDS};
use baize_engine::view::{
    BadgeView, Batch, CardView, Cause, Content, Event, Handle, OutcomeView, Placed, SeatView, Status, Waiting,
};
use std::ops::{Deref, DerefMut};

/// Appends a batch and what is left of the clocks that run after it: a string of JSON.
pub fn write(batch: &Batch, clocks: &[(u32, u64)], texts: &Texts, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut scribe = Scribe { pen: Pen::new(out), texts };
    scribe.number(batch.seq as i64);
    scribe.cause(&batch.cause);
    scribe.events(&batch.events);
    if !clocks.is_empty() {
        scribe.letter(b'u');
        for (decision, left) in clocks {
            scribe.number(i64::from(*decision));
            scribe.number(*left as i64);
        }
    }
    out.push(b'"');
}

/// How many events are written as one: elements of a variable or dice that change one after the other, or badges of a seat.
fn one_after_the_other(events: &[Event]) -> usize {
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

/// Dice that were thrown, what each showed then, if it was told, and how many events say so.
struct Thrown<'a> {
    dice: u16,
    by: Throw<'a>,
    faces: Vec<Option<i32>>,
    events: usize,
}

enum Throw<'a> {
    /// One by one, each told before the next is thrown: this one and those after it.
    Each(u16),
    /// All at once, and told in the same order.
    Together(&'a [u16]),
}

fn thrown(events: &[Event]) -> Option<Thrown<'_>> {
    let Some(Event::Rolled { dice, elements }) = events.first() else { return None };
    let told = |at: usize, element: u16| match events.get(at) {
        Some(Event::Dice { dice: of, element: told, face }) if (of, *told) == (dice, element) => *face,
        _ => None,
    };
    let (mut faces, mut taken) = (Vec::new(), 0);
    if let [first] = elements[..] {
        for element in first..=u16::MAX {
            match events.get(taken) {
                Some(Event::Rolled { dice: of, elements }) if of == dice && elements[..] == [element] => taken += 1,
                _ => break,
            }
            faces.push(told(taken, element));
            taken += usize::from(faces.last().is_some_and(Option::is_some));
        }
        if faces.len() > 1 {
            return Some(Thrown { dice: *dice, by: Throw::Each(first), faces, events: taken });
        }
    }
    (faces, taken) = (Vec::new(), 1);
    for element in elements {
        faces.push(told(taken, *element));
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
        // Most variables are a single value.
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
        Event::Announced { .. } => b'a',
        Event::Revealed { .. } => b'e',
        Event::Outcome { .. } => b'O',
    }
}

fn side_by_side(came: &[Placed]) -> bool {
    let first = came.first().map_or(0, |placed| u64::from(placed.at));
    came.iter().zip(first..).all(|(placed, at)| u64::from(placed.at) == at)
}

/// Cards that are seen where they were and where they come to, side by side.
fn stay_in_sight(gone: &[Handle], came: &[Placed]) -> bool {
    side_by_side(came) && gone.iter().copied().eq(came.iter().map(|placed| placed.card.handle))
}

/// Knows what is to be written of each thing, and has a pen that knows how.
struct Scribe<'a> {
    pen: Pen<'a>,
    texts: &'a Texts,
}

impl<'a> Deref for Scribe<'a> {
    type Target = Pen<'a>;

    fn deref(&self) -> &Pen<'a> {
        &self.pen
    }
}

impl DerefMut for Scribe<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pen
    }
}

impl Scribe<'_> {
    fn events(&mut self, mut events: &[Event]) {
        let mut waiting: &[Waiting] = &[];
        let (mut last, mut last_seat) = (b' ', None);
        while let [event, ..] = events {
            let thrown = thrown(events);
            let count = thrown.as_ref().map_or_else(|| one_after_the_other(events), |thrown| thrown.events);
            let letter = match (&thrown, event) {
                (Some(Thrown { by: Throw::Each(_), .. }), _) => b'R',
                (Some(_), _) => b'T',
                (None, Event::Value { .. }) if count > 1 => b'v',
                _ => letter(event),
            };
            // Variables that change one after the other share a letter, and so do dice, badges and cards nobody sees.
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
                // Badges of one seat follow each other without its number.
                (None, run @ [Event::Badge { seat, at, .. }, ..]) => {
                    if last_seat.replace(*seat) != Some(*seat) {
                        self.number(i64::from(*seat));
                    }
                    self.open();
                    self.number(i64::from(*at));
                    self.each(run, |scribe, event| {
                        if let Event::Badge { value, .. } = event {
                            scribe.optional_line(value.as_ref());
                        }
                    });
                    self.close();
                }
                (None, [one]) => self.event(one, waiting),
                (None, run) => self.run_of(run),
            }
            events = rest;
        }
    }

    /// See [`one_after_the_other`].
    fn run_of(&mut self, events: &[Event]) {
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
            Event::Moved { from, to, count, gone, came } => self.moved((*from, *to), *count, gone, came),
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
            // Written where they are gathered by seat.
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
                [one] if !self.is_spelled(one.prompt.as_ref()) => self.waiting(one),
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
            Event::Announced { text, kind } => {
                self.line(text);
                match KINDS.iter().position(|known| known == kind) {
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
        let OutcomeView { kind, winners, losers, ranks, banner, fault } = outcome;
        match ENDINGS.iter().position(|known| known == kind) {
            Some(number) => self.number(number as i64),
            None => self.string(kind),
        }
        self.numbers(winners);
        self.numbers(losers);
        self.open();
        ranks.iter().for_each(|rank| self.optional(rank.map(i64::from)));
        self.close();
        self.optional_line(banner.as_ref());
        fault.iter().for_each(|fault| self.number(i64::from(*fault)));
    }

    fn moved(&mut self, (from, to): (Option<u16>, Option<u16>), count: u32, gone: &[Handle], came: &[Placed]) {
        self.place(from);
        self.place(to);
        let told = gone.len().max(came.len());
        match (count, gone.is_empty(), came.is_empty()) {
            (1, true, true) => return,
            (_, true, true) => return self.number(i64::from(count)),
            (count, true, false) if side_by_side(came) && count as usize == told => return self.row(came),
            (count, false, false) if stay_in_sight(gone, came) && count as usize == told => return self.row(came),
            _ => {}
        }
        self.handles(gone);
        let odd = count as usize != told;
        if !came.is_empty() || odd {
            self.came(came);
        }
        if odd {
            self.number(i64::from(count));
        }
    }

    /// Cards that lie side by side: the first one's place, then all of them. Else each with its own place.
    fn came(&mut self, came: &[Placed]) {
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

    /// Flags: 1 playing, 2 present, 4 person, 8 pending, 16 turn.
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

    fn marks(&mut self, marks: &[Status]) {
        for Status { word, label } in marks {
            self.open();
            self.word(word);
            label.iter().for_each(|label| self.line(label));
            self.close();
        }
    }
}
