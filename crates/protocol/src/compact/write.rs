//! Writes the compact form, straight into the text of a message.

use super::pen::Pen;
use super::texts::{Filling, Texts};
use super::{ENDINGS, KINDS};
use baize_engine::view::{
    AlternativeView, BadgeView, Batch, Blocked, CardView, Cause, Content, DecisionView, Event, Handle, Line,
    OutcomeView, PartKindView, PartView, Piece, Placed, SeatView, Status, Waiting,
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
    events.iter().zip(first..).take_while(next).count()
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
        for element in first.. {
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
    let first = came.first().map_or(0, |placed| placed.at);
    came.iter().zip(first..).all(|(placed, at)| placed.at == at)
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

    /// Zones and seats are never negative, and `-1` is shorter than `null`.
    fn place(&mut self, at: Option<u16>) {
        self.number(at.map_or(-1, i64::from));
    }

    fn word(&mut self, word: &str) {
        match self.texts.number(word) {
            Some(number) => self.number(i64::from(number)),
            None => self.string(word),
        }
    }

    fn line(&mut self, line: &Line) {
        if let [Piece::Text(text)] = &line.0[..]
            && let Some(number) = self.texts.number(text)
        {
            return self.number(i64::from(number));
        }
        let found = self.texts.find(line);
        if let (None, [Piece::Text(text)]) = (&found, &line.0[..]) {
            return self.string(text);
        }
        if let Some((number, holes)) = found {
            self.open_text(number);
            for filling in holes {
                match filling {
                    Filling::Text(text) => self.filling(text),
                    Filling::Piece(Piece::Seat(seat)) => self.number(-1 - i64::from(*seat)),
                    Filling::Piece(piece) => self.piece(piece),
                }
            }
            self.close_text();
        } else {
            self.open();
            line.0.iter().for_each(|piece| self.piece(piece));
            self.close();
        }
    }

    /// A number as it is, a text that has a number by that, anything else spelled out.
    fn filling(&mut self, text: &str) {
        match (plain_number(text), self.texts.number(text)) {
            (Some(n), _) => self.number(n),
            (None, Some(number)) => {
                self.open_text(number);
                self.close_text();
            }
            (None, None) => self.string(text),
        }
    }

    /// `-1` is no line.
    fn optional_line(&mut self, line: Option<&Line>) {
        match line {
            Some(line) => self.line(line),
            None => self.number(-1),
        }
    }

    /// In a list that goes on until the next letter nothing may look like one.
    fn listed_line(&mut self, line: &Line) {
        match &line.0[..] {
            [Piece::Text(text)] if self.is_spelled(Some(line)) => {
                self.open();
                self.string(text);
                self.close();
            }
            _ => self.line(line),
        }
    }

    /// Whether a line is written as a string.
    fn is_spelled(&self, line: Option<&Line>) -> bool {
        let Some(line) = line else { return false };
        let [Piece::Text(text)] = &line.0[..] else { return false };
        self.texts.number(text).is_none() && self.texts.find(line).is_none()
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.string(text),
            Piece::Seat(seat) => self.number(i64::from(*seat)),
            Piece::Face(face) => {
                self.open();
                self.number(i64::from(*face));
                self.close();
            }
            Piece::Written(text) => {
                self.open_marked(b'w');
                self.string(text);
                self.close_marked();
            }
        }
    }

    /// Handles in a list of their own: three or more that count up are written as the first and, negative, the last.
    fn handles(&mut self, handles: &[Handle]) {
        self.open();
        self.runs(handles.iter().map(|handle| i64::from(*handle)));
        self.close();
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

    /// What elements that lie one after the other are now.
    fn values<T>(&mut self, of: &[T], value: impl Fn(&T) -> Option<i32>) {
        let value = |of: &T| value(of).map(i64::from);
        let begun = self.mark();
        self.open();
        self.each(of, |scribe, of| scribe.optional(value(of)));
        self.close();
        self.shorten(&begun, of.iter().map(value));
    }

    /// Those that are written alike one after the other are written once, with how often, where that is shorter.
    fn each<T>(&mut self, all: &[T], write: impl Fn(&mut Self, &T)) {
        let mut rest = all;
        while let [first, ..] = rest {
            let begun = self.mark();
            write(self, first);
            let mut times = 1;
            while let Some(next) = rest.get(times) {
                let again = self.mark();
                write(self, next);
                if !self.is_again(&begun, &again) {
                    self.back_to(&again);
                    break;
                }
                times += 1;
                self.back_to(&again);
            }
            self.times(&begun, times);
            rest = &rest[times..];
        }
    }

    fn runs(&mut self, numbers: impl Iterator<Item = i64>) {
        let mut run: Option<(i64, i64)> = None;
        for n in numbers {
            match &mut run {
                Some((_, last)) if n == *last + 1 => *last = n,
                _ => {
                    self.run(run);
                    run = Some((n, n));
                }
            }
        }
        self.run(run);
    }

    fn run(&mut self, run: Option<(i64, i64)>) {
        let Some((first, last)) = run else { return };
        self.number(first);
        match last - first {
            0 => {}
            1 => self.number(last),
            _ => self.number(-last),
        }
    }

    fn numbers<T: Copy + Into<i64>>(&mut self, numbers: &[T]) {
        self.open();
        numbers.iter().for_each(|n| self.number((*n).into()));
        self.close();
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

    fn waiting(&mut self, waiting: &Waiting) {
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

    /// Who is asked is usually among those just said to be waited for, with the same prompt.
    fn decision(&mut self, decision: &DecisionView, waiting: &[Waiting]) {
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

    fn alternative(&mut self, alternative: &AlternativeView) {
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

    fn part(&mut self, part: &PartView) {
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

    /// Cards that are blocked for the same reason share it, as a whole hand often does.
    fn blocked(&mut self, run: &[Blocked]) {
        let Some(first) = run.first() else { return };
        self.open();
        self.optional_line(first.reason.as_deref());
        self.runs(run.iter().map(|blocked| i64::from(blocked.handle)));
        self.close();
    }

    /// The piles of a family lie one after the other, as their index counts up.
    fn piles(&mut self, options: &[(i32, u16)]) {
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

/// A text that is a number and nothing else, so that it reads the same when written again.
pub(super) fn plain_number(text: &str) -> Option<i64> {
    let short = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    (short && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}
