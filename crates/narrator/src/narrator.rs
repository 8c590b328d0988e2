//! Turns the batch of one viewer into narrations.

use crate::address;
use crate::movement::{Movement, join_deals, split_mixed};
use crate::sentence::Sentence;
use baize_engine::definition::TableDefinition;
use baize_engine::reduce::{ReduceError, Replaced, ReplacedContent, reduce};
use baize_engine::view::{
    Batch, CardView, Cause, Content, Event, OutcomeView, Piece, RichText, SeatView, View, ZoneView,
};
use serde::{Deserialize, Serialize};

/// Tells what one viewer saw happen, in words.
#[derive(Clone, Copy, Debug)]
pub struct Narrator<'a> {
    pub table: &'a TableDefinition,
}

/// One thing that happened, in words for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narration {
    /// The number of the batch's events that have happened when it is told. Consecutive narrations of a batch have ascending numbers.
    pub after: u32,
    pub kind: NarrationKind,
    /// Calls the viewer “you”.
    pub text: RichText,
}

/// What a narration is about. A log groups narrations by rounds and may fold equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NarrationKind {
    /// A new round begins, as the rules count rounds.
    Round,
    /// A player moves cards, rolls dice or answers.
    Move,
    /// The rules move cards, shuffle, turn or show something.
    Rules,
    /// The rules announce or reveal something.
    Announcement,
    /// A player has another score.
    Score,
    /// Somebody comes or goes, or the game stops or goes on.
    Session,
    Outcome,
}

impl NarrationKind {
    /// All kinds; the compact form of a batch has the index.
    pub const ALL: [NarrationKind; 7] = [
        NarrationKind::Round,
        NarrationKind::Move,
        NarrationKind::Rules,
        NarrationKind::Announcement,
        NarrationKind::Score,
        NarrationKind::Session,
        NarrationKind::Outcome,
    ];
}

/// The narrations of a batch so far, and what the next ones depend on.
struct Telling<'a> {
    table: &'a TableDefinition,
    /// The view after the batch.
    view: &'a View,
    /// The seats before the batch.
    seats_before: &'a [SeatView],
    /// Number of players, as of the event that the narrator tells now.
    playing: usize,
    /// The player who moved, as long as events can be this player's doing.
    mover: Option<u8>,
    /// The zones between which the player moves cards. Cards that take another path are moved by the rules.
    path: Option<(Option<u16>, Option<u16>)>,
    movements: Vec<Movement>,
    /// Number of events of the batch up to and including the one that the narrator tells now.
    events: u32,
    /// Scores that have changed, each with its last value.
    scores: Vec<Score>,
    narrations: Vec<Narration>,
}

struct Score {
    seat: u8,
    label: RichText,
    value: RichText,
}

impl Narrator<'_> {
    /// Turns a view into the next and narrates the batch. An error leaves the view half changed; the caller must throw it away.
    pub fn follow(&self, view: &mut View, batch: &Batch) -> Result<Vec<Narration>, ReduceError> {
        let replaced = reduce(view, batch)?;
        Ok(self.narrate(view, batch, &replaced))
    }

    /// Narrates a batch. `view` is the viewer's view after it, and `replaced` is what it replaced there.
    pub fn narrate(&self, view: &View, batch: &Batch, replaced: &Replaced) -> Vec<Narration> {
        let mover = match batch.cause {
            Cause::Move { seat } => Some(seat),
            _ => None,
        };
        let mut telling = Telling {
            table: self.table,
            view,
            seats_before: &replaced.seats,
            playing: replaced.seats.iter().filter(|seat| seat.playing).count(),
            mover,
            path: None,
            movements: Vec::new(),
            events: 0,
            scores: Vec::new(),
            narrations: Vec::new(),
        };
        telling.cause(&batch.cause);
        let mut contents = replaced.contents.iter();
        let mut events = batch.events.iter().peekable();
        while let Some(event) = events.next() {
            telling.events += 1;
            match event {
                Event::Rolled { dice, elements } => {
                    let mut thrown: Vec<u16> = elements.clone();
                    // One throw of several dice may be an event for each, with its face between them.
                    while let Some(next) = events.next_if(|next| {
                        matches!(next, Event::Rolled { dice: of, .. } | Event::Dice { dice: of, .. } if of == dice)
                    }) {
                        if let Event::Rolled { elements, .. } = next {
                            thrown.extend(elements.iter().filter(|element| !thrown.contains(element)).collect::<Vec<_>>());
                        }
                        telling.events += 1;
                    }
                    telling.throw(*dice, &thrown);
                }
                Event::Moved { from, to, count, came, .. } => {
                    let Some(ReplacedContent::Cards(gone)) = contents.next() else { break };
                    let came = came.iter().map(|placed| &placed.card);
                    telling.moved(*from, *to, *count, gone, came);
                }
                Event::Zone { zone, view } => {
                    if let Some(ReplacedContent::Zone(old)) = contents.next() {
                        telling.shown(*zone, &view.content, old);
                    }
                }
                Event::Cards { zone, cards } => {
                    let Some(ReplacedContent::Cards(old)) = contents.next() else { break };
                    telling.turned(*zone, cards, old);
                }
                event => telling.event(event, &batch.cause),
            }
        }
        telling.finish(batch)
    }
}

impl Telling<'_> {
    fn say(&mut self, kind: NarrationKind, build: impl FnOnce(&mut Sentence, &TableDefinition)) {
        self.flush();
        let mut said = Sentence::default();
        build(&mut said, self.table);
        self.add(kind, said.finish(), self.events);
    }

    fn add(&mut self, kind: NarrationKind, text: RichText, after: u32) {
        // Most texts do not name the viewer, and stay as they are.
        let you = self.view.seat.map(Piece::Seat);
        let names_you = you.is_some_and(|you| text.0.contains(&you));
        let text = capitalise(if names_you { address(&text, self.view.seat) } else { text });
        if !text.0.is_empty() {
            let after = self.narrations.last().map_or(after, |last| after.max(last.after));
            self.narrations.push(Narration { after, kind, text });
        }
    }

    /// Tells the movements that wait for further cards on the same path.
    fn flush(&mut self) {
        if self.movements.is_empty() {
            return;
        }
        let movements = std::mem::take(&mut self.movements);
        let (movements, mixed) = split_mixed(movements);
        for (deal, movement) in join_deals(movements, self.table, self.playing) {
            let text = deal.unwrap_or_else(|| movement.tell(self.table, self.view.seat));
            let kind = if movement.player.is_some() { NarrationKind::Move } else { NarrationKind::Rules };
            self.add(kind, text, movement.after);
        }
        if let Some((text, after)) = mixed {
            self.add(NarrationKind::Rules, text, after);
        }
    }

    fn cause(&mut self, cause: &Cause) {
        let (seat, words) = match cause {
            Cause::Start => (None, "The game begins"),
            Cause::Move { .. } => return,
            Cause::Input { kind, seat } => match (kind.as_str(), seat) {
                ("join", Some(seat)) => (Some(*seat), " sits down"),
                ("leave", Some(seat)) => (Some(*seat), " leaves the game"),
                ("absent", Some(seat)) => (Some(*seat), " is absent"),
                ("present", Some(seat)) => (Some(*seat), " is back"),
                ("absent-timeout", Some(seat)) => (Some(*seat), " is not here: the game goes on"),
                ("timeout", _) => (None, "Time is up"),
                ("pause", _) => (None, "The game is paused"),
                ("resume", _) => (None, "The game goes on"),
                ("abandon", _) => (None, "The game is abandoned"),
                _ => return,
            },
        };
        self.say(NarrationKind::Session, |said, _| {
            seat.into_iter().for_each(|seat| said.seat(seat));
            said.text(words);
        });
    }

    fn event(&mut self, event: &Event, cause: &Cause) {
        match event {
            // A player's own cards are shuffled so that nobody knows their order. That would be told all the time, and says nothing.
            Event::Shuffled { zone }
                if self.table.zones.get(usize::from(*zone)).is_some_and(|layout| layout.owner.is_some()) =>
            {
                self.flush();
                self.mover = None;
            }
            Event::Shuffled { zone } => {
                self.say(NarrationKind::Rules, |said, table| {
                    said.zone(table, *zone);
                    said.text(if is_plural(table, *zone) { " are shuffled" } else { " is shuffled" });
                });
                self.mover = None;
            }
            Event::Phase { .. } => self.mover = None,
            Event::Turned { zone, turned } => self.say(NarrationKind::Rules, |said, table| {
                said.zone(table, *zone);
                said.text(if is_plural(table, *zone) { " are turned face " } else { " is turned face " });
                said.text(if *turned { "down" } else { "up" });
            }),
            Event::Skipped { seat } => self.say(NarrationKind::Rules, |said, _| {
                said.seat(*seat);
                said.text(" is absent: the turn passes on");
            }),
            Event::Announced { text, .. } => self.say(NarrationKind::Announcement, |said, _| said.line(text)),
            Event::Revealed { text, zone, faces } => {
                // A value comes with the name that it has in the rules file. Players do not know this name, so a value is told only
                // if it is a card, by itself.
                for piece in text.iter().flat_map(|text| &text.0).filter(|piece| matches!(piece, Piece::Face(_))) {
                    self.say(NarrationKind::Announcement, |said, _| {
                        said.text("Revealed: ");
                        said.piece(piece.clone());
                    });
                }
                if !faces.is_empty() {
                    self.say(NarrationKind::Announcement, |said, table| {
                        said.text("Revealed: ");
                        said.faces(faces);
                        if let Some(zone) = zone {
                            said.text(" in ");
                            said.zone(table, *zone);
                        }
                    });
                }
            }
            Event::Value { var, value: Some(value), .. } => {
                // `round` is the name that the language gives to the number of the round. Players do not know the names of other values.
                let layout = self.table.values.get(usize::from(*var)).filter(|layout| layout.id == "round");
                if let Some(title) = layout.map(|layout| layout.title.clone()).filter(|_| *value > 0) {
                    // The scores that the last round changed are told before the heading of the new round.
                    self.scores(cause);
                    self.say(NarrationKind::Round, |said, _| said.text(&format!("{title} {value}")));
                }
            }
            Event::Badges { seat, from, badges } => {
                for (at, badge) in (*from..).zip(badges.iter()) {
                    self.badge(*seat, at, badge.value.as_ref());
                }
            }
            Event::Badge { seat, at, value } => self.badge(*seat, *at, value.as_ref()),
            Event::Seat { seat, view } => {
                let was = self.seats_before.get(usize::from(*seat)).is_some_and(|before| before.playing);
                self.playing = (self.playing + usize::from(view.playing)).saturating_sub(usize::from(was));
            }
            Event::Outcome { outcome } => {
                self.scores(cause);
                self.outcome(outcome);
            }
            _ => {}
        }
    }

    /// `gone` are the cards that left the shown zone `from`, `came` those that entered the shown zone `to`.
    fn moved<'a>(
        &mut self,
        from: Option<u16>,
        to: Option<u16>,
        count: u32,
        gone: &'a [CardView],
        came: impl ExactSizeIterator<Item = &'a CardView>,
    ) {
        let known = gone.len() == count as usize && gone.iter().all(|card| card.face.is_some());
        let cards: Vec<CardView> = match came.len() {
            0 => gone.to_vec(),
            _ => came.cloned().collect(),
        };
        let (giver, taker) = (Movement::owner(self.table, from), Movement::owner(self.table, to));
        let all_by = |mover: u8| !cards.is_empty() && cards.iter().all(|card| card.by == Some(mover));
        let by_mover = |mover: &u8| [giver, taker].contains(&Some(*mover)) || all_by(*mover);
        let on_path = self.path.is_none_or(|path| path == (from, to));
        let player = self.mover.filter(|_| on_path).filter(by_mover);
        if player.is_some() {
            self.path = Some((from, to));
        } else if on_path && self.mover.is_some() {
            // The first cards that move are not the player's, so the rules move all others, too.
            self.path = Some((None, None));
        }
        match self.movements.iter_mut().find(|movement| movement.is_between(player, from, to)) {
            Some(movement) => {
                movement.count += count;
                movement.cards.extend(cards);
                movement.known &= known;
                movement.after = self.events;
            }
            None => self.movements.push(Movement { player, from, to, count, cards, known, after: self.events }),
        }
    }

    /// Tells cards of a zone that the viewer could not see before: a hand that is laid open.
    fn shown(&mut self, zone: u16, content: &Content, before: &ZoneView) {
        let (Content::Cards(cards), Content::Count(_) | Content::Nothing) = (content, &before.content) else { return };
        let seen: Vec<CardView> = cards.iter().filter(|card| card.face.is_some()).cloned().collect();
        if !seen.is_empty() {
            self.say(NarrationKind::Rules, |said, table| {
                said.zone(table, zone);
                said.text(if is_plural(table, zone) { " are shown: " } else { " is shown: " });
                said.cards(&seen, seen.len() as u32);
            });
        }
    }

    /// Tells cards that were turned or written on. `before` are the same cards as they lay before.
    fn turned(&mut self, zone: u16, cards: &[CardView], before: &[CardView]) {
        let changed = || before.iter().zip(cards);
        let is_up = |(was, card): &(&CardView, &CardView)| was.face.is_none() && card.face.is_some();
        let is_down = |(was, card): &(&CardView, &CardView)| was.face.is_some() && card.face.is_none();
        let is_written = |(was, card): &(&CardView, &CardView)| was.written.is_none() && card.written.is_some();
        let mut turned_up: Vec<CardView> = changed().filter(is_up).map(|(_, card)| card.clone()).collect();
        let turned_down: Vec<CardView> = changed().filter(is_down).map(|(was, _)| was.clone()).collect();
        let written = changed().filter(|pair| is_written(pair) && !is_up(pair)).map(|(_, card)| card.clone()).collect();
        // If the first event of a move turns cards up, the move is told as turning up these cards.
        let begins = self.narrations.is_empty() && self.movements.is_empty() && self.path.is_none();
        if let Some(mover) = self.mover.filter(|_| begins && !turned_up.is_empty()) {
            self.say(NarrationKind::Move, |said, table| {
                said.seat(mover);
                said.text(" turns up ");
                said.cards(&turned_up, turned_up.len() as u32);
                said.text(" in ");
                said.zone(table, zone);
            });
            turned_up.clear();
        }
        for (cards, words) in [(turned_up, "turned up"), (turned_down, "turned down"), (written, "written")] {
            if !cards.is_empty() {
                self.say(NarrationKind::Rules, |said, table| {
                    said.cards(&cards, cards.len() as u32);
                    said.text(if cards.len() == 1 { " is " } else { " are " });
                    said.text(words);
                    said.text(" in ");
                    said.zone(table, zone);
                });
            }
        }
    }

    fn throw(&mut self, dice: u16, thrown: &[u16]) {
        let shown = self.view.dice.get(usize::from(dice)).map_or(&[][..], |dice| &dice.faces);
        let face = |element: &u16| shown.get(usize::from(*element)).copied().flatten().filter(|face| *face != 0);
        let faces: Vec<Option<i32>> = thrown.iter().map(face).collect();
        // A roll after the cards of a move belongs to the rules, not to the player who moved: for example the first roll of the next player.
        let is_first = self.path.is_none() && self.movements.is_empty();
        let (mover, count) = (self.mover.filter(|_| is_first), faces.len());
        let layout = self.table.dice.get(usize::from(dice));
        let word = |face: i32| {
            let side = layout.and_then(|layout| layout.faces.get(usize::try_from(face - layout.low).ok()?));
            side.map_or_else(|| face.to_string(), |side| side.word.clone())
        };
        let seen: Option<Vec<String>> = faces.iter().map(|face| face.map(word)).collect();
        let what = match (&seen, count) {
            (Some(faces), _) => faces.join(", "),
            (None, 1) => "a die".to_owned(),
            (None, count) => format!("{count} dice"),
        };
        let kind = if mover.is_some() { NarrationKind::Move } else { NarrationKind::Rules };
        self.say(kind, |said, _| match mover {
            Some(mover) => {
                said.seat(mover);
                said.text(" rolls ");
                said.text(&what);
            }
            None if seen.is_none() => said.text(&format!("{what} {} rolled", if count == 1 { "is" } else { "are" })),
            None => said.text(&format!("The {} {what}", if count == 1 { "die shows" } else { "dice show" })),
        });
    }

    /// Tells a score that has changed.
    fn badge(&mut self, seat: u8, at: u16, value: Option<&RichText>) {
        let badges = self.seats_before.get(usize::from(seat)).map_or(&[][..], |seat| &seat.badges);
        let (Some(badge), Some(value)) = (badges.get(usize::from(at)), value) else { return };
        if badge.kind != "score" || badge.value.as_ref() == Some(value) {
            return;
        }
        let score = Score { seat, label: badge.label.clone().unwrap_or_default(), value: value.clone() };
        match self.scores.iter_mut().find(|known| (known.seat, &known.label) == (seat, &score.label)) {
            Some(known) => *known = score,
            None => self.scores.push(score),
        }
    }

    /// Tells all scores that the batch has changed, those of one kind together. The first scores of a game are not news.
    fn scores(&mut self, cause: &Cause) {
        let mut scores = std::mem::take(&mut self.scores);
        while *cause != Cause::Start && !scores.is_empty() {
            let label = scores[0].label.clone();
            let (alike, others): (Vec<Score>, _) = scores.into_iter().partition(|score| score.label == label);
            scores = others;
            self.say(NarrationKind::Score, |said, _| {
                match label.0.is_empty() {
                    true => said.text("Score"),
                    false => said.line(&label),
                }
                for (at, score) in alike.iter().enumerate() {
                    said.text(if at == 0 { ": " } else { ", " });
                    said.seat(score.seat);
                    said.text(" ");
                    said.line(&score.value);
                }
            });
        }
    }

    fn outcome(&mut self, outcome: &OutcomeView) {
        self.say(NarrationKind::Outcome, |said, _| {
            if let Some(banner) = &outcome.banner {
                return said.line(banner);
            }
            if let Some((score, most)) = outcome.score {
                return said.text(&format!("Everybody scores {score} out of {most}"));
            }
            let (seats, one, many) = match outcome.kind.as_str() {
                "winners" => (&outcome.winners[..], " wins", " win"),
                "losers" => (&outcome.losers[..], " loses", " lose"),
                _ => (&[][..], "", ""),
            };
            for (at, seat) in seats.iter().enumerate() {
                said.text(match at {
                    0 => "",
                    at if at + 1 == seats.len() => " and ",
                    _ => ", ",
                });
                said.seat(*seat);
            }
            said.text(match (outcome.kind.as_str(), seats.len()) {
                (_, 1) => one,
                (_, 2..) => many,
                ("everyone-wins", _) => "Everybody wins",
                ("everyone-loses", _) => "Everybody loses",
                ("draw", _) => "The game is a draw",
                ("void" | "abandoned", _) => "The game ends without counting",
                _ => "The game is over",
            });
        });
    }

    /// Returns the narrations of the batch. Every move gets one, even if the viewer sees only that somebody has answered.
    fn finish(mut self, batch: &Batch) -> Vec<Narration> {
        self.scores(&batch.cause);
        self.flush();
        let is_told = |narration: &Narration| {
            matches!(narration.kind, NarrationKind::Move | NarrationKind::Announcement | NarrationKind::Outcome)
        };
        if let Cause::Move { seat } = batch.cause
            && !self.narrations.iter().any(is_told)
        {
            let mut said = Sentence::default();
            said.seat(seat);
            said.text(" has answered");
            let text = capitalise(address(&said.finish(), self.view.seat));
            // The sentence about the answer comes before the sentences about what the rules do with it.
            self.narrations.insert(0, Narration { after: 0, kind: NarrationKind::Move, text });
        }
        self.narrations
    }
}

/// Whether a title is a plural, such as “Cards”. A title that ends with “ss” is not a plural.
fn is_plural(table: &TableDefinition, zone: u16) -> bool {
    let layout = table.zones.get(usize::from(zone)).filter(|zone| zone.index.iter().all(|index| index.seat));
    layout.is_some_and(|layout| {
        let named = layout.title.split_once(" to ").map_or(layout.title.as_str(), |(named, _)| named);
        named.ends_with('s') && !named.ends_with("ss")
    })
}

/// Writes the first letter of a sentence in upper case, unless a name or a card comes first.
fn capitalise(mut text: RichText) -> RichText {
    if let Some(Piece::Text(first)) = text.0.first_mut() {
        let mut letters = first.chars();
        if let Some(letter) = letters.next().filter(|letter| letter.is_lowercase()) {
            *first = letter.to_uppercase().chain(letters).collect();
        }
    }
    text
}
