//! Tells one viewer of the cards that one op has moved.
//!
//! Raw events tell of each card by itself, in an order that may reveal something (a gather goes by card number). So all moves of one op
//! are told by their net effect: one event for each pair of zones that the viewer can distinguish.

use super::Observer;
use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::present::zones::{
    DisplayedCard, ZoneOrder, bringer, card_view, content, displayed, is_ordered, tells_bringers,
};
use crate::sight::{Scene, Visibility};
use crate::sink::NOWHERE;
use crate::switch::hides;
use crate::view::{Content, Event, Placed, Viewer};
use smallvec::{SmallVec, smallvec};
use std::cmp::Reverse;

/// The moves of one op, and the state before them. All observers share this value.
#[derive(Debug)]
pub(super) struct OpMoves<S> {
    pub moves: Vec<Moved>,
    pub face_down: S,
    /// The zones that lost cards, with their cards before the moves.
    pub sources: Vec<(u16, S)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub card: u16,
    pub from: u16,
    pub to: u16,
    /// The seat that had brought the card to its old zone.
    pub by: i8,
}

/// Cards that went from one zone to another; `None` stands for zones that the viewer does not see.
struct MoveGroup {
    from: Option<u16>,
    to: Option<u16>,
    moves: SmallVec<[Moved; 4]>,
}

impl<S: CardSet> OpMoves<S> {
    fn source(&self, zone: u16) -> Option<&S> {
        self.sources.iter().find(|(z, _)| *z == zone).map(|(_, set)| set)
    }
}

impl Observer {
    /// Tells of the moves of one op; `now` is the frame after them.
    pub(super) fn tell_moves<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, run: &OpMoves<S>) {
        self.learn_from_moves(scene, now, run);
        let groups = self.groups(scene, now, run);
        // Backs exchange their handles before anything is told: the position of a card among them must not depend on which back was which.
        let mut gone = S::empty();
        for group in &groups {
            self.draw_backs(scene, now, run, group, &mut gone);
        }
        for group in &groups {
            self.group(scene, now, group);
        }
    }

    fn groups<S: CardSet>(&self, scene: &Scene<S>, now: &Frame<S>, run: &OpMoves<S>) -> SmallVec<[MoveGroup; 4]> {
        let named = |zone: u16| {
            Some(zone)
                .filter(|_| self.level(scene, now, zone) != Visibility::Nothing || !hides("run: zones out of sight"))
        };
        let mut groups: SmallVec<[MoveGroup; 4]> = SmallVec::new();
        for moved in &run.moves {
            let (from, to) = (named(moved.from), named(moved.to));
            match groups.iter_mut().find(|group| (group.from, group.to) == (from, to)) {
                Some(group) => group.moves.push(*moved),
                None => groups.push(MoveGroup { from, to, moves: smallvec![*moved] }),
            }
        }
        // A deal is told in the order of dealing. With several sources, their order may depend on hidden cards, so the groups are sorted.
        if run.moves.iter().any(|moved| moved.from != run.moves[0].from) && hides("run: order of sources") {
            groups.sort_by_key(|group| (group.from, group.to));
        }
        groups
    }

    fn shown<S: CardSet>(&self, scene: &Scene<S>, now: &Frame<S>, zone: Option<u16>) -> Option<u16> {
        zone.filter(|zone| self.level(scene, now, *zone) == Visibility::Cards)
    }

    fn group<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, group: &MoveGroup) {
        let (from, to) = (self.shown(scene, now, group.from), self.shown(scene, now, group.to));
        if group.from == group.to && from.is_none() && hides("run: moves within a zone") {
            return;
        }
        let mut left: Vec<_> = match from {
            Some(_) => group.moves.iter().filter_map(|moved| self.handles.get(moved.card)).collect(),
            None => Vec::new(),
        };
        if hides("run: order of what goes") {
            left.sort_unstable();
        }
        let came = match to {
            Some(to) => {
                let cards: List = group.moves.iter().map(|moved| moved.card).collect();
                if group.from != group.to {
                    self.arrive(scene, now, to, &cards);
                }
                self.places(scene, now, to, &cards)
            }
            None => {
                let moves = group.moves.iter().filter(|_| hides("run: handles out of sight"));
                moves.for_each(|moved| self.handles.retire(moved.card));
                Vec::new()
            }
        };
        let count = group.moves.len() as u32;
        self.emit(Event::Moved { from: group.from, to: group.to, count, gone: left, came });
    }

    fn draw_backs<S: CardSet>(
        &mut self,
        scene: &Scene<S>,
        now: &Frame<S>,
        run: &OpMoves<S>,
        group: &MoveGroup,
        gone: &mut S,
    ) {
        let from = self.shown(scene, now, group.from);
        for moved in &group.moves {
            if let Some(from) = from {
                self.draw_back(scene, now, run, from, *moved, gone);
            }
            gone.insert(moved.card);
        }
    }

    /// Exchanges handles before a back is taken from a zone without order, because nobody saw which of the backs was taken.
    fn draw_back<S: CardSet>(
        &mut self,
        scene: &Scene<S>,
        now: &Frame<S>,
        run: &OpMoves<S>,
        from: u16,
        moved: Moved,
        gone: &S,
    ) {
        let Some(before) = run.source(from) else { return };
        let tells = !hides("run: which back");
        if tells || is_ordered(scene, usize::from(from)) || !run.face_down.contains(moved.card) {
            return;
        }
        let was_by = |card: u16| {
            let moved = run.moves.iter().find(|moved| moved.card == card).map(|moved| moved.by);
            moved.or_else(|| now.by.get(usize::from(card)).copied()).unwrap_or(-1)
        };
        // The player who brought a back distinguishes it only if this viewer may know the player.
        let sees_bringers = tells_bringers(scene, self.viewer, usize::from(from));
        let alike = before.and(&run.face_down).andnot(gone);
        self.handles.draw(moved.card, alike.iter().filter(|card| !sees_bringers || was_by(*card) == moved.by));
    }

    /// Records the arrival of cards in a zone where they are seen, in the order in which they are shown. Cards that come into sight get
    /// handles. The order of cards that look the same must not depend on their numbers.
    pub(super) fn arrive<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, zone: u16, cards: &[u16]) {
        if let [card] = cards {
            return self.handles.arrive(*card);
        }
        let at = usize::from(zone);
        let mut cards = cards.to_vec();
        if is_ordered(scene, at) {
            let order = scene.instance.in_order(now, at);
            cards.sort_by_cached_key(|card| order.iter().position(|c| c == card));
        } else {
            let face = |card: u16| {
                let up = !now.face_down.contains(card) || !hides("run: order of backs that come");
                up.then(|| (scene.instance.face(card), now.written(card)))
            };
            let by = |card: u16| bringer(scene, now, self.viewer, at, card);
            let order = ZoneOrder::new(scene, now, at);
            // Backs that were in sight before keep their order.
            let seen = |card: u16| self.handles.get(card);
            cards.sort_by_cached_key(|card| {
                (Reverse(face(*card).is_some()), order.key(*card, 0), face(*card), by(*card), seen(*card))
            });
        }
        cards.into_iter().for_each(|card| self.handles.arrive(card));
    }

    /// Returns the positions of new cards among those that the view shows in a zone. Other groups of the same op may still add or remove
    /// cards there.
    fn places<S: CardSet>(&self, scene: &Scene<S>, now: &Frame<S>, zone: u16, cards: &[u16]) -> Vec<Placed> {
        let at = usize::from(zone);
        let Some(Content::Cards(shown)) = self.view.zones.get(at).map(|zone| &zone.content) else { return Vec::new() };
        let finally = displayed(scene, now, &self.handles, at);
        let placed = |place: usize, displayed| Placed {
            at: place as u32,
            card: card_view(scene, now, self.viewer, at, displayed),
        };
        let new = |(_, displayed): &(usize, &DisplayedCard)| cards.contains(&displayed.card);
        // If no other group of the op changes this zone, each new card goes straight to its final position.
        let others =
            finally.iter().filter(|displayed| !cards.contains(&displayed.card)).map(|displayed| displayed.handle);
        if shown.iter().map(|card| card.handle).eq(others) {
            return finally.iter().enumerate().filter(new).map(|(own, displayed)| placed(own, *displayed)).collect();
        }
        let rank = |handle| finally.iter().position(|displayed| displayed.handle == handle);
        // In a move within one zone the view has just removed the cards themselves.
        let moves = |rank: &Option<usize>| rank.is_some_and(|rank| cards.contains(&finally[rank].card));
        let mut ranks: Vec<Option<usize>> =
            shown.iter().map(|card| rank(card.handle)).filter(|rank| !moves(rank)).collect();
        let mut came = Vec::new();
        for (own, displayed) in finally.iter().enumerate().filter(new) {
            let place = ranks.iter().rposition(|rank| rank.is_some_and(|rank| rank < own)).map_or(0, |at| at + 1);
            ranks.insert(place, Some(own));
            came.push(placed(place, *displayed));
        }
        came
    }

    fn learn_from_moves<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, run: &OpMoves<S>) {
        let viewer = self.viewer;
        let level = |zone: u16| level(scene, now, viewer, zone);
        let up_before = |moved: &Moved| !run.face_down.contains(moved.card) || !hides("run: backs known before");
        let up_after = |moved: &Moved| !now.face_down.contains(moved.card) || !hides("run: backs known after");
        let seen_before = |moved: &Moved| level(moved.from) == Visibility::Cards && up_before(moved);
        let seen_after = |moved: &Moved| level(moved.to) == Visibility::Cards && up_after(moved);
        let face = |moved: &Moved| scene.instance.face(moved.card);
        let knowledge = &mut self.knowledge;
        for (zone, before) in &run.sources {
            let mut hidden = match level(*zone) {
                // A viewer never knows anything about such a zone.
                Visibility::Nothing => continue,
                Visibility::Count => before.len(),
                Visibility::Cards => before.and(&run.face_down).len(),
            };
            let mut unseen: SmallVec<[u16; 8]> = SmallVec::new();
            // A card that moves within its zone stays known to be there, and nobody sees the move.
            let stays = |moved: &Moved| moved.to == *zone && !seen_after(moved) && hides("run: what stays in a zone");
            let unseen_before = |moved: &&Moved| moved.from == *zone && !seen_before(moved) && !stays(moved);
            for moved in run.moves.iter().filter(unseen_before) {
                if seen_after(moved) {
                    knowledge.note_appeared(*zone, face(moved));
                    hidden -= 1;
                } else {
                    unseen.push(moved.to);
                }
            }
            let together = unseen.first().filter(|to| unseen.iter().all(|other| other == *to));
            match together {
                _ if unseen.is_empty() => {}
                Some(to) if unseen.len() == hidden => {
                    knowledge.note_all_left(*zone, Some(*to).filter(|to| level(*to) != Visibility::Nothing));
                }
                _ => knowledge.note_left(*zone, unseen.len() as u32),
            }
            if now.sets[usize::from(*zone)].is_empty() {
                knowledge.forget_pile(*zone);
            }
        }
        for moved in run.moves.iter().filter(|moved| seen_before(moved) && !seen_after(moved)) {
            if level(moved.to) != Visibility::Nothing || !hides("run: known where nothing is seen") {
                knowledge.note_hidden(moved.to, face(moved));
            }
        }
    }

    pub(super) fn level<S: CardSet>(&self, scene: &Scene<S>, frame: &Frame<S>, zone: u16) -> Visibility {
        level(scene, frame, self.viewer, zone)
    }

    /// Tells the whole content of a zone if the view differs from it.
    pub(super) fn refresh<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, zone: u16) {
        let at = usize::from(zone);
        let content = content(scene, now, self.viewer, &self.handles, at);
        let shown = &self.view.zones[at];
        if shown.content != content {
            let view = crate::view::ZoneView { content, turned: shown.turned };
            self.emit(Event::Zone { zone, view });
        }
    }
}

fn level<S: CardSet>(scene: &Scene<S>, frame: &Frame<S>, viewer: Viewer, zone: u16) -> Visibility {
    if zone == NOWHERE { Visibility::Nothing } else { scene.level(frame, viewer, usize::from(zone)) }
}
