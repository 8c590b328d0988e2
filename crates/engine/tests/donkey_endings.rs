//! Proves with the real rules file which endings of Donkey are locked.
//!
//! A position is locked if two players are left, no two of the remaining cards have the same suit, and the player who does not lead holds
//! two cards or more. Then every set is a CUT for ever, so the rules end the round. This test tries every small ending of two players
//! with every line of play. It shows that no line of play from a locked position ever ends the round, that some line from every other
//! position ends it (or leads to a locked position), and that the rules end exactly the locked positions.
//!
//! Only the owners of each suit's cards matter, in order of rank: suits are interchangeable, and gaps between ranks have no effect. So a
//! position is four sorted lists of owners. The rules play one set of turns, which leads to a smaller position or to one of equal size.

use baize_engine::cardset::CardSet;
use baize_engine::chance::FastChance;
use baize_engine::frame::Frame;
use baize_engine::input::Input;
use baize_engine::instance::{Game, Instance};
use baize_engine::instantiate;
use baize_engine::moves::Move;
use baize_engine::sink::{NullSink, RawEvent};
use baize_rules::program::OptionValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Upper bound on the cards in both hands together.
const MOST: usize = 8;
const RANKS: usize = 13;

/// For each card of a suit, from the lowest to the highest, whether the leader holds it. The suits are sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position([Vec<bool>; 4]);

/// The position after one set of turns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// At most one player holds cards.
    Over,
    /// The next set begins here.
    Goes(Position),
    /// The rules end the round here although both hold cards.
    Locked(Position),
}

impl Position {
    fn new(mut suits: [Vec<bool>; 4]) -> Self {
        suits.sort();
        Position(suits)
    }

    fn held(&self, leader: bool) -> usize {
        self.0.iter().flatten().filter(|owner| **owner == leader).count()
    }

    /// Whether the ruling calls this position locked.
    fn is_locked(&self) -> bool {
        self.0.iter().all(|suit| suit.len() <= 1) && self.held(false) >= 2
    }
}

/// Returns all positions of this many cards in which both players hold cards.
fn positions(cards: usize) -> BTreeSet<Position> {
    let mut found = BTreeSet::new();
    let owners = |suit: usize, bits: usize| (0..suit).map(|card| bits >> card & 1 == 1).collect::<Vec<bool>>();
    for a in 0..=cards {
        for b in 0..=cards - a {
            for c in 0..=cards - a - b {
                let d = cards - a - b - c;
                for bits in 0..1usize << cards {
                    let suits = [
                        owners(a, bits),
                        owners(b, bits >> a),
                        owners(c, bits >> (a + b)),
                        owners(d, bits >> (a + b + c)),
                    ];
                    let position = Position::new(suits);
                    if position.held(true) > 0 && position.held(false) > 0 {
                        found.insert(position);
                    }
                }
            }
        }
    }
    found
}

/// The rules for two players, and a frame at the first question of a round, which seat 0 is asked.
struct Rules {
    instance: Arc<Instance<u64>>,
    start: Frame<u64>,
    hands: [usize; 2],
    waste: usize,
    letters: u32,
    leader: u32,
}

impl Rules {
    fn load() -> Self {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games/donkey.baize");
        let program = baize_rules::compile(&std::fs::read_to_string(path).unwrap()).0.unwrap();
        // The word is long, so that a letter never ends the game.
        let word = ("word".to_owned(), OptionValue::Text("DONKEYDONKEY".to_owned()));
        let Game::Small(instance) = instantiate(Arc::new(program), &[word], &[], 2).unwrap() else {
            panic!("52 cards fit in 64 bits")
        };
        let zone = |name: &str| {
            instance.layout.zones[instance.program.zones.iter().position(|z| z.name == name).unwrap()].base as usize
        };
        let var = |name: &str| instance.program.vars.iter().position(|v| v.name == name).unwrap() as u32;
        let start = (0..).find_map(|seed| {
            let (mut frame, mut chance) = (instance.frame(), FastChance::new(seed));
            for seat in 0..2 {
                instance.input(&mut frame, &Input::Join { seat, person: true }, &mut chance, &mut NullSink).unwrap();
            }
            instance.input(&mut frame, &Input::Start, &mut chance, &mut NullSink).unwrap();
            frame.is_open(0).then_some(frame)
        });
        let mut start = start.unwrap();
        start.cells[instance.layout.vars[var("opening") as usize].base as usize] = 0;
        Rules {
            hands: [zone("hand"), zone("hand") + 1],
            waste: zone("waste"),
            letters: var("letters"),
            leader: var("leader"),
            start,
            instance,
        }
    }

    /// Makes a frame in which seat 0 leads from this position. The hands also hold the cards of `more`.
    fn arrange(&self, position: &Position, more: [u64; 2]) -> Frame<u64> {
        let mut frame = self.start.clone();
        let mut held = more;
        for (suit, owners) in position.0.iter().enumerate() {
            for (rank, leader) in owners.iter().enumerate() {
                held[usize::from(!leader)] |= 1 << (suit * RANKS + rank);
            }
        }
        frame.sets[self.hands[0]] = held[0];
        frame.sets[self.hands[1]] = held[1];
        frame.sets[self.waste] = self.instance.cards.all & !held[0] & !held[1];
        frame
    }

    /// Returns the position of these hands.
    fn position(&self, hands: [u64; 2], leader: usize) -> Position {
        let suit = |suit: usize| {
            let cards = (suit * RANKS..(suit + 1) * RANKS).filter(|card| (hands[0] | hands[1]) >> card & 1 == 1);
            cards.map(|card| hands[leader] >> card & 1 == 1).collect()
        };
        Position::new([suit(0), suit(1), suit(2), suit(3)])
    }

    /// Plays a card. If that ends the set, returns the position after it.
    fn play(&self, frame: &mut Frame<u64>, seat: u8, card: u16) -> Option<Next> {
        let mut hands = self.hands.map(|hand| frame.sets[hand]);
        let mut events: Vec<RawEvent> = Vec::new();
        let answer = Move::number(frame.seats[seat as usize].decision, 0, card as i32);
        self.instance.play(frame, seat, &answer, &mut FastChance::new(1), &mut events).unwrap();
        // Events after a letter belong to the next deal, so they are not followed.
        let mut leader = 0;
        for event in &events {
            match event {
                RawEvent::CardMoved { card, from, to, .. } => {
                    for (hand, cards) in self.hands.iter().zip(&mut hands) {
                        if *from as usize == *hand {
                            cards.remove(*card);
                        }
                        if *to as usize == *hand {
                            cards.insert(*card);
                        }
                    }
                }
                RawEvent::CellSet { var, value, .. } if *var == self.leader => leader = *value as usize,
                RawEvent::CellSet { var, .. } if *var == self.letters => {
                    let both = hands[0] != 0 && hands[1] != 0;
                    return Some(if both { Next::Locked(self.position(hands, leader)) } else { Next::Over });
                }
                _ => {}
            }
        }
        let over = frame.sets[self.waste] | hands[0] | hands[1] == self.instance.cards.all;
        over.then(|| Next::Goes(self.position(hands, usize::from(frame.is_open(1)))))
    }

    /// Plays one set in every possible way, and returns all positions after it.
    fn play_set(&self, position: &Position) -> BTreeSet<Next> {
        let mut outcomes = BTreeSet::new();
        let frame = self.arrange(position, [0, 0]);
        for led in self.cards(&frame, 0) {
            let mut led_frame = frame.clone();
            assert_eq!(self.play(&mut led_frame, 0, led), None, "the set goes on until the other has played");
            for answer in self.cards(&led_frame, 1) {
                outcomes.insert(self.play(&mut led_frame.clone(), 1, answer).expect("both have played"));
            }
        }
        outcomes
    }

    fn cards(&self, frame: &Frame<u64>, seat: u8) -> Vec<u16> {
        let legal = self.instance.legal(frame, seat).unwrap();
        (0..legal.count())
            .map(|n| legal.nth(n).parts[0].clone())
            .map(|part| match part {
                baize_engine::moves::PartValue::Number(card) => card as u16,
                other => panic!("{other:?} is not a card"),
            })
            .collect()
    }

    /// Whether the rules end the round as locked at this position. To reach it, both players discard one further card.
    fn rules_lock(&self, position: &Position) -> bool {
        let spare = position.0.iter().position(|suit| suit.len() <= RANKS - 2).unwrap();
        let (king, ace) = (spare * RANKS + RANKS - 2, spare * RANKS + RANKS - 1);
        let mut frame = self.arrange(position, [1 << ace, 1 << king]);
        assert_eq!(self.play(&mut frame, 0, ace as u16), None);
        match self.play(&mut frame, 1, king as u16) {
            Some(Next::Locked(at)) => {
                assert_eq!(at, *position);
                true
            }
            Some(Next::Goes(at)) => {
                assert_eq!(at, *position);
                false
            }
            other => panic!("both players hold cards, but the result is {other:?}"),
        }
    }
}

/// Returns all positions from which some line of play reaches a wanted result.
fn can_reach<'a>(
    sets: &BTreeMap<&'a Position, BTreeSet<Next>>,
    wanted: impl Fn(&Next) -> bool,
) -> BTreeSet<&'a Position> {
    let mut found: BTreeSet<&Position> = BTreeSet::new();
    loop {
        let leads_there = |next: &Next| match next {
            next if wanted(next) => true,
            Next::Over => false,
            Next::Goes(position) | Next::Locked(position) => found.contains(position),
        };
        let more: Vec<&Position> = sets
            .iter()
            .filter(|(at, nexts)| !found.contains(*at) && nexts.iter().any(leads_there))
            .map(|(at, _)| *at)
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

#[test]
fn rules_end_exactly_the_positions_that_never_end() {
    let rules = Rules::load();
    let all: BTreeSet<Position> = (2..=MOST).flat_map(positions).collect();
    let sets: BTreeMap<&Position, BTreeSet<Next>> =
        all.iter().map(|position| (position, rules.play_set(position))).collect();
    let by_itself = can_reach(&sets, |next| *next == Next::Over);
    let by_the_rules = can_reach(&sets, |next| matches!(next, Next::Over | Next::Locked(_)));
    let (mut locked, mut doomed) = (0, 0);
    for position in &all {
        assert_eq!(rules.rules_lock(position), position.is_locked(), "{position:?}");
        if position.is_locked() {
            locked += 1;
            assert!(!by_itself.contains(position), "the rules lock a position that can end: {position:?}");
        } else {
            assert!(by_the_rules.contains(position), "the rules do not lock a position that never ends: {position:?}");
            doomed += usize::from(!by_itself.contains(position));
        }
        for next in &sets[position] {
            if let Next::Goes(at) | Next::Locked(at) = next {
                assert_eq!(at.is_locked(), matches!(next, Next::Locked(_)), "{position:?} to {at:?}");
            }
        }
    }
    assert_eq!(
        (all.len(), locked, doomed),
        EXPECTED,
        "positions of two to {MOST} cards; locked ones; those that can only end locked"
    );
}

/// The numbers of all positions, of locked ones, and of those that can only end locked. If they change, the test leaves
/// positions out or counts some twice.
const EXPECTED: (usize, usize, usize) = (4441, 3, 4);
