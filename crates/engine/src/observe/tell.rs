//! Tells one viewer of all events that are not moves of cards.

use super::Observer;
use super::knowledge::{Knowledge, Mixed};
use super::record::Note;
use crate::cardset::CardSet;
use crate::definition::revealed_name;
use crate::frame::Frame;
use crate::present::values::shown_value;
use crate::present::zones::{bringer, content, is_ordered};
use crate::sight::{Scene, Visibility, knows_as};
use crate::sink::RawEvent;
use crate::switch::hides;
use crate::view::{Content, Event, FaceId, Placed, RichText, Viewer};
use baize_rules::program::{AnnounceKind, ValueFormat, VarId, capitalised};

impl Observer {
    /// Prepares for an event while the frame still has the state before it.
    pub(super) fn before<S: CardSet>(&mut self, scene: &Scene<S>, was: &Frame<S>, note: &Note) {
        match &note.raw {
            RawEvent::Mixed { from, to } => {
                self.tell_piles_gone(scene, was, from, to.iter().map(|(zone, _)| *zone).collect())
            }
            RawEvent::Turned { card, .. } => {
                let Some(zone) = was.locate(*card) else { return };
                let shown = self.level(scene, was, zone as u16) == Visibility::Cards;
                let hidden = was.face_down.contains(*card) && hides("tell: which back is turned");
                if shown && hidden && !is_ordered(scene, zone) {
                    let by = |card: u16| bringer(scene, was, self.viewer, zone, card);
                    let backs = was.sets[zone].and(&was.face_down);
                    self.handles.draw(*card, backs.iter().filter(|other| by(*other) == by(*card)));
                }
            }
            _ => {}
        }
    }

    /// Tells of an event; `now` is the frame after it.
    pub(super) fn tell<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, note: &Note) {
        match &note.raw {
            RawEvent::Shuffled { zone } => self.shuffled(scene, now, *zone),
            RawEvent::Mixed { to, .. } => {
                for (zone, _) in to {
                    self.tell_piles_mixed(scene, now, *zone);
                }
            }
            RawEvent::Turned { card, down } => self.turned(scene, now, *card, *down),
            RawEvent::Written { card } => {
                if let Some(zone) = now.locate(*card) {
                    self.touched(scene, now, zone as u16);
                }
            }
            // The event `Rolled` tells of dice, after their values are set.
            RawEvent::CellSet { var, value, .. } if scene.dice.contains(var) && *value != 0 => {}
            RawEvent::CellSet { var, element, .. } => {
                self.value(scene, now, *var, *element);
                if scene.roles.contains(var) {
                    self.look_again(scene, now);
                }
            }
            RawEvent::Rolled { dice, elements } => {
                if let Some(at) = scene.dice.iter().position(|var| var == dice) {
                    let elements = elements.iter().map(|element| *element as u16).collect();
                    self.emit(Event::Rolled { dice: at as u16, elements });
                }
                for element in elements {
                    self.value(scene, now, *dice, *element);
                }
            }
            RawEvent::SeatChanged { seat, pending } if self.viewer == Viewer::Seat(*seat) => {
                self.seat_changed(scene, now, *pending)
            }
            RawEvent::RevealedValue { listed, value, show, to } if self.is_addressed(now, *to) => {
                let text = Some(revealed_text(scene, now, *listed, *value, show));
                self.emit(Event::Revealed { text, zone: None, faces: Vec::new() });
            }
            RawEvent::RevealedCards { cards, to, .. } if self.is_addressed(now, *to) => {
                self.revealed_cards(scene, now, cards)
            }
            RawEvent::Announced { text, kind, to } if self.is_addressed(now, *to) => {
                self.emit(Event::Announced { text: text.clone(), kind: word(*kind).to_owned() });
            }
            // Everybody sees who is asked and who is present, so everybody may know who is skipped.
            RawEvent::Skipped { seat } => self.emit(Event::Skipped { seat: *seat }),
            RawEvent::Phase { phase } => {
                let phase = scene.instance.program.phases.get(usize::from(*phase)).map(|phase| phase.name.clone());
                if self.view.phase != phase {
                    self.emit(Event::Phase { phase });
                }
            }
            _ => {}
        }
    }

    fn is_addressed<S: CardSet>(&self, now: &Frame<S>, to: Option<u8>) -> bool {
        let knows_as = knows_as(now, self.viewer);
        to.is_none_or(|seat| knows_as == Viewer::Seat(seat) || knows_as == Viewer::Replay) || !hides("tell: one")
    }

    /// Handles a change of the player in the viewer's own seat. A newcomer who waits does not know what the last player of the seat
    /// knew, and sees as much as spectators until the rules admit it.
    fn seat_changed<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, pending: bool) {
        self.look_again(scene, now);
        for var in scene.values.clone() {
            for element in 0..scene.instance.layout.vars[var as usize].len {
                self.value(scene, now, var, element);
            }
        }
        if pending && hides("tell: what the last player knew") {
            self.knowledge = Knowledge::default();
        }
    }

    fn shuffled<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, zone: u16) {
        let level = self.level(scene, now, zone);
        if level == Visibility::Nothing && hides("tell: shuffles") {
            return;
        }
        self.emit(Event::Shuffled { zone });
        // A shuffle changes nothing visible if the order is hidden.
        if level == Visibility::Cards && is_ordered(scene, usize::from(zone)) {
            let cards = scene.instance.in_order(now, usize::from(zone));
            cards.iter().filter(|_| hides("tell: handles after a shuffle")).for_each(|card| self.handles.retire(*card));
            self.arrive(scene, now, zone, &cards);
            self.refresh(scene, now, zone);
        }
    }

    /// Tells of mixed piles: they disappear, and the piles that appear have no visible origin.
    fn tell_piles_gone<S: CardSet>(&mut self, scene: &Scene<S>, was: &Frame<S>, from: &[u16], piles: Vec<u16>) {
        // Nothing is remembered about piles that the viewer can't see, not even that they exist.
        let in_sight =
            |pile: &u16| self.level(scene, was, *pile) != Visibility::Nothing || !hides("tell: piles out of sight");
        let piles: Vec<u16> = piles.into_iter().filter(in_sight).collect();
        let mut mixed = Mixed { piles, ..Mixed::default() };
        for zone in from {
            let at = usize::from(*zone);
            let owner = u8::try_from(scene.instance.layout.instances[at].owner).ok();
            let cards = &was.sets[at];
            let level = self.level(scene, was, *zone);
            self.knowledge.forget_zone(*zone);
            if level == Visibility::Nothing && hides("tell: what is mixed out of sight") {
                continue;
            }
            mixed.from.extend(owner);
            let mut gone = Vec::new();
            if level == Visibility::Cards {
                gone.extend(cards.iter().filter_map(|card| self.handles.get(card)));
                if hides("tell: order of what is mixed") {
                    gone.sort_unstable();
                }
                if owner.is_some_and(|seat| knows_as(was, self.viewer) == Viewer::Seat(seat)) {
                    let known = |card: &u16| !was.face_down.contains(*card) || !hides("tell: backs of one's own pile");
                    mixed.own.extend(cards.iter().filter(known).map(|card| scene.instance.face(card)));
                }
            }
            cards.iter().filter(|_| hides("tell: handles after a mix")).for_each(|card| self.handles.retire(card));
            self.emit(Event::Moved { from: Some(*zone), to: None, count: cards.len() as u32, gone, came: Vec::new() });
        }
        if !mixed.piles.is_empty() {
            self.knowledge.note_mixed(mixed);
        }
    }

    fn tell_piles_mixed<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, zone: u16) {
        let at = usize::from(zone);
        let cards = scene.instance.in_order(now, at);
        let shown = match &self.view.zones[at].content {
            Content::Nothing => return,
            Content::Count(n) => *n,
            Content::Cards(shown) => shown.len() as u32,
        };
        let count = (cards.len() as u32).saturating_sub(shown);
        let mut came = Vec::new();
        if self.level(scene, now, zone) == Visibility::Cards {
            self.arrive(scene, now, zone, &cards);
            let Content::Cards(all) = content(scene, now, self.viewer, &self.handles, at) else { return };
            let Content::Cards(old) = &self.view.zones[at].content else { return };
            let new = all.into_iter().enumerate().filter(|(_, card)| !old.iter().any(|o| o.handle == card.handle));
            came.extend(new.map(|(at, card)| Placed { at: at as u32, card }));
        }
        self.emit(Event::Moved { from: None, to: Some(zone), count, gone: Vec::new(), came });
    }

    fn turned<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, card: u16, down: bool) {
        let Some(zone) = now.locate(card) else { return };
        if self.level(scene, now, zone as u16) != Visibility::Cards && hides("tell: turned out of sight") {
            return;
        }
        match down {
            true => self.knowledge.note_hidden(zone as u16, scene.instance.face(card)),
            false => self.knowledge.note_appeared(zone as u16, scene.instance.face(card)),
        }
        self.touched(scene, now, zone as u16);
    }

    /// Tells that cards of a zone look different now.
    fn touched<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, zone: u16) {
        let at = usize::from(zone);
        let after = content(scene, now, self.viewer, &self.handles, at);
        let (Content::Cards(old), Content::Cards(new)) = (&self.view.zones[at].content, &after) else { return };
        let same_places = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.handle == new.handle);
        if !same_places {
            return self.refresh(scene, now, zone);
        }
        let changed = old.iter().zip(new).filter(|(old, new)| old != new);
        let cards: Vec<_> = changed.map(|(_, new)| new.clone()).collect();
        if !cards.is_empty() {
            self.emit(Event::Cards { zone, cards });
        }
    }

    /// Tells the new value of a variable or die.
    pub(super) fn value<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, var: VarId, element: u32) {
        let (at, is_dice) =
            match (scene.values.iter().position(|v| *v == var), scene.dice.iter().position(|v| *v == var)) {
                (Some(at), _) => (at, false),
                (None, Some(at)) => (at, true),
                (None, None) => return,
            };
        let value = shown_value(scene, now, self.viewer, var, element);
        let shown = match is_dice {
            true => &self.view.dice[at].faces,
            false => &self.view.values[at].values,
        };
        let was = shown[element as usize];
        if was != value {
            let (at, element) = (at as u16, element as u16);
            if !is_dice && !self.values_before.iter().any(|(v, e, _)| (*v, *e) == (at, element)) {
                self.values_before.push((at, element, was));
            }
            self.emit(match is_dice {
                true => Event::Dice { dice: at, element, face: value },
                false => Event::Value { var: at, element, value },
            });
        }
    }

    /// Handles a change of a role, which may bring zones into sight or out of it.
    fn look_again<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>) {
        for zone in 0..scene.instance.zones() as u16 {
            let at = usize::from(zone);
            let (was, is) = (matches!(self.view.zones[at].content, Content::Cards(_)), self.level(scene, now, zone));
            match (was, is == Visibility::Cards) {
                (true, false) => {
                    for card in now.sets[at].iter() {
                        let seen = !now.face_down.contains(card) || !hides("tell: backs that go out of sight");
                        if is == Visibility::Count && seen {
                            self.knowledge.note_hidden(zone, scene.instance.face(card));
                        }
                        if hides("tell: handles after a role") {
                            self.handles.retire(card);
                        }
                    }
                }
                (false, true) => {
                    self.knowledge.forget_zone(zone);
                    let cards = scene.instance.in_order(now, at);
                    self.arrive(scene, now, zone, &cards);
                }
                _ => {}
            }
            // The viewer can't see what comes and goes there any more, so the observer forgets what it knew of the zone.
            if is == Visibility::Nothing {
                self.knowledge.forget_zone(zone);
                self.knowledge.forget_pile(zone);
            }
            self.refresh(scene, now, zone);
        }
        for dice in scene.dice.clone() {
            for element in 0..scene.instance.layout.vars[dice as usize].len {
                self.value(scene, now, dice, element);
            }
        }
    }

    fn revealed_cards<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, cards: &[u16]) {
        let mut by_zone: Vec<(usize, Vec<FaceId>)> = Vec::new();
        for card in cards {
            let Some(zone) = now.locate(*card) else { continue };
            let face = scene.instance.face(*card);
            match by_zone.iter_mut().find(|(z, _)| *z == zone) {
                Some((_, faces)) => faces.push(face),
                None => by_zone.push((zone, vec![face])),
            }
        }
        by_zone.sort_unstable();
        for (zone, mut faces) in by_zone {
            if hides("tell: order of revealed cards") {
                faces.sort_unstable();
            }
            let level = self.level(scene, now, zone as u16);
            for face in &faces {
                let shown = |card: &&u16| now.sets[zone].contains(**card) && scene.instance.face(**card) == *face;
                // If the viewer sees the cards of the zone, only those face down are new to it.
                let hidden = |card: &&u16| level != Visibility::Cards || now.face_down.contains(**card);
                if level != Visibility::Nothing {
                    let count = cards.iter().filter(shown).filter(hidden).count();
                    self.knowledge.note_revealed(zone as u16, *face, count as u32);
                }
            }
            let zone =
                Some(zone as u16).filter(|_| level != Visibility::Nothing || !hides("tell: where revealed cards lie"));
            self.emit(Event::Revealed { text: None, zone, faces });
        }
    }
}

/// Returns the text of a revealed value: its name in the rules, then the value.
pub fn revealed_text<S: CardSet>(
    scene: &Scene<S>,
    now: &Frame<S>,
    listed: u16,
    value: i32,
    show: &ValueFormat,
) -> RichText {
    let program = &scene.instance.program;
    let pc = program.reveals.get(usize::from(listed)).map_or(usize::MAX, |reveal| reveal.pc as usize);
    let mut line = RichText::default();
    if let Some(name) = revealed_name(program, pc) {
        line.text(&format!("{}: ", capitalised(name)));
    }
    line.0.extend(scene.instance.write_value(now, value, show).0);
    line
}

fn word(kind: AnnounceKind) -> &'static str {
    match kind {
        AnnounceKind::Toast => "toast",
        AnnounceKind::Shout => "shout",
        AnnounceKind::Banner => "banner",
        AnnounceKind::Notice => "notice",
        AnnounceKind::Log => "log",
    }
}
