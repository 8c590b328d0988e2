//! Cards that moved in one go, as one viewer sees it.
//!
//! Raw events tell each card by itself, in an order that may give something away (a gather goes by card number). A *run*
//! is all that one op moves, and is told by its net effect: one event for each pair of zones the viewer can tell apart.

use super::Observer;
use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::present::zones::{Lying, ZoneOrder, bringer, card_view, content, displayed, is_ordered, tells_bringers};
use crate::sight::{Scene, Visibility};
use crate::sink::NOWHERE;
use crate::switch::hides;
use crate::view::{Content, Event, Placed, Viewer};
use smallvec::{SmallVec, smallvec};
use std::cmp::Reverse;

/// What moved, and how things were before. The same for all viewers.
#[derive(Debug)]
pub(super) struct OpMoves<S> {
    pub moves: Vec<Moved>,
    pub face_down: S,
    /// The zones that lost cards, as they were.
    pub sources: Vec<(u16, S)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub card: u16,
    pub from: u16,
    pub to: u16,
    /// Who had brought it to where it was.
    pub by: i8,
}

/// Cards that went from one zone to another, as far as the viewer can tell these.
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
    /// Tells a run; `now` is the frame after it.
    pub(super) fn tell_moves<S: CardSet>(&mut self, scene: &Scene<S>, now: &Frame<S>, run: &OpMoves<S>) {
        self.learn_from_moves(scene, now, run);
        let mut gone = S::empty();
        for group in self.groups(scene, now, run) {
            self.group(scene, now, run, &group, &mut gone);
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
        // A deal is told in the order of dealing. With several sources the order in which they come up may be that
        // of hidden cards.
        if run.moves.iter().any(|moved| moved.from != run.moves[0].from) && hides("run: order of sources") {
            groups.sort_by_key(|group| (group.from, group.to));
        }
        groups
    }

    fn group<S: CardSet>(
        &mut self,
        scene: &Scene<S>,
        now: &Frame<S>,
        run: &OpMoves<S>,
        group: &MoveGroup,
        gone: &mut S,
    ) {
        let shown = |zone: Option<u16>| zone.filter(|zone| self.level(scene, now, *zone) == Visibility::Cards);
        let (from, to) = (shown(group.from), shown(group.to));
        if group.from == group.to && from.is_none() && hides("run: moves within a zone") {
            return;
        }
        let mut left = Vec::new();
        for moved in &group.moves {
            if let Some(from) = from {
                self.draw_back(scene, now, run, from, *moved, gone);
                left.extend(self.handles.get(moved.card));
            }
            gone.insert(moved.card);
        }
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

    /// Which of several backs that lie unordered was taken, nobody saw.
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
        // Who brought it tells a back apart only where this viewer may know that.
        let told = tells_bringers(scene, self.viewer, usize::from(from));
        let alike = before.and(&run.face_down).andnot(gone);
        self.handles.draw(moved.card, alike.iter().filter(|card| !told || was_by(*card) == moved.by));
    }

    /// Cards come to lie in a zone where they are seen, in the order in which they are shown there. Those that come into sight get
    /// their handles: cards that look the same in any order; of backs nobody knows which is which.
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
            // Backs that have been in sight keep their order.
            let seen = |card: u16| self.handles.get(card);
            cards.sort_by_cached_key(|card| {
                (Reverse(face(*card).is_some()), order.key(*card, 0), face(*card), by(*card), seen(*card))
            });
        }
        cards.into_iter().for_each(|card| self.handles.arrive(card));
    }

    /// Where cards that have come to a zone lie among those that are shown there already. Others of the same run
    /// may still be to come or to go.
    fn places<S: CardSet>(&self, scene: &Scene<S>, now: &Frame<S>, zone: u16, cards: &[u16]) -> Vec<Placed> {
        let at = usize::from(zone);
        let Some(Content::Cards(shown)) = self.view.zones.get(at).map(|zone| &zone.content) else { return Vec::new() };
        let finally = displayed(scene, now, &self.handles, at);
        let placed =
            |place: usize, lying| Placed { at: place as u32, card: card_view(scene, now, self.viewer, at, lying) };
        let new = |(_, lying): &(usize, &Lying)| cards.contains(&lying.card);
        // Nothing else has still to happen here: each lies where it will lie in the end.
        let others = finally.iter().filter(|lying| !cards.contains(&lying.card)).map(|lying| lying.handle);
        if shown.iter().map(|card| card.handle).eq(others) {
            return finally.iter().enumerate().filter(new).map(|(own, lying)| placed(own, *lying)).collect();
        }
        let rank = |handle| finally.iter().position(|lying| lying.handle == handle);
        // Within one zone the cards themselves have just been taken out.
        let moves = |rank: &Option<usize>| rank.is_some_and(|rank| cards.contains(&finally[rank].card));
        let mut ranks: Vec<Option<usize>> =
            shown.iter().map(|card| rank(card.handle)).filter(|rank| !moves(rank)).collect();
        let mut came = Vec::new();
        for (own, lying) in finally.iter().enumerate().filter(new) {
            let place = ranks.iter().rposition(|rank| rank.is_some_and(|rank| rank < own)).map_or(0, |at| at + 1);
            ranks.insert(place, Some(own));
            came.push(placed(place, *lying));
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
                // Nothing is ever known of what lies there.
                Visibility::Nothing => continue,
                Visibility::Count => before.len(),
                Visibility::Cards => before.and(&run.face_down).len(),
            };
            let mut unseen: SmallVec<[u16; 8]> = SmallVec::new();
            // A card that goes to the top of the zone it lies in stays where it is known to be. Nobody sees that it went.
            let stays = |moved: &Moved| moved.to == *zone && !seen_after(moved) && hides("run: what stays in a zone");
            let unseen_before = |moved: &&Moved| moved.from == *zone && !seen_before(moved) && !stays(moved);
            for moved in run.moves.iter().filter(unseen_before) {
                if seen_after(moved) {
                    knowledge.appeared(*zone, face(moved));
                    hidden -= 1;
                } else {
                    unseen.push(moved.to);
                }
            }
            let together = unseen.first().filter(|to| unseen.iter().all(|other| other == *to));
            match together {
                _ if unseen.is_empty() => {}
                Some(to) if unseen.len() == hidden => {
                    knowledge.all_left(*zone, Some(*to).filter(|to| level(*to) != Visibility::Nothing));
                }
                _ => knowledge.left(*zone, unseen.len() as u32),
            }
            if now.sets[usize::from(*zone)].is_empty() {
                knowledge.emptied(*zone);
            }
        }
        for moved in run.moves.iter().filter(|moved| seen_before(moved) && !seen_after(moved)) {
            if level(moved.to) != Visibility::Nothing || !hides("run: known where nothing is seen") {
                knowledge.hid(moved.to, face(moved));
            }
        }
    }

    pub(super) fn level<S: CardSet>(&self, scene: &Scene<S>, frame: &Frame<S>, zone: u16) -> Visibility {
        level(scene, frame, self.viewer, zone)
    }

    /// The zone as it is now, told whole.
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
