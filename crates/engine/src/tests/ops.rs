//! Tests what each op does and what each expression evaluates to.

use super::build::*;
use crate::cardset::CardSet;
use crate::instance::{InstantiateError, PackCard};
use crate::instantiate;
use crate::sink::RawEvent;
use crate::table::Table;
use crate::with_table;
use baize_rules::program::*;
use std::sync::Arc;

/// Runs a program without decisions to its end, and returns the table and all events.
fn run(mut g: Build, seats: usize) -> (Table, Vec<RawEvent>) {
    g.end(Outcome::Draw);
    let mut table = g.table(seats);
    let events = table.start().unwrap();
    assert!(table.fault().is_none());
    assert!(table.outcome().is_some());
    (table, events)
}

/// Evaluates expressions in a game of 52 cards: 5 lie in a row, 3 in each of three hands, and the rest in the stock.
fn values(expressions: Vec<Num>) -> Vec<i32> {
    let mut g = Build::new(1, 3);
    let deck = g.standard52();
    let stock = g.zone("stock", vec![]);
    let row = g.zone("row", vec![]);
    let hand = g.zone("hand", vec![Dim::Player]);
    g.zone_mut(stock).ordered = true;
    g.zone_mut(stock).starts_with = Some(deck);
    g.zone_mut(row).ordered = true;
    let q = 900;
    g.op(Op::Draw { count: n(5), from: at(stock), to: at(row), face_down: false });
    g.op(Op::Deal { from: at(stock), to: hand, each: Some(n(3)), start: n(1), seats: everyone(q) });
    let mut out = Vec::new();
    for expression in expressions {
        let var_id = g.add_var("out", VarKind::State { role: None }, vec![], Type::Attr(SUIT), 0);
        g.set(var(var_id), expression);
        out.push(var_id);
    }
    let (table, _) = run(g, 3);
    out.into_iter().map(|v| cell(&table, v, 0)).collect()
}

const ROW: ZoneId = 1;
const HAND: ZoneId = 2;

#[test]
fn cards_are_drawn_from_the_top_and_dealt_round() {
    let row = || Selection::Zone(at(ROW));
    let hand = |seat| Selection::Zone(of(HAND, n(seat)));
    // The top card of the stock is 51, so the row is 51 50 49 48 47, and seat 1 gets 46 43 40.
    assert_eq!(
        values(vec![
            Num::Count(row()),
            Num::End { last: false, of: row() },
            Num::End { last: true, of: row() },
            Num::End { last: true, of: hand(1) },
            Num::End { last: false, of: hand(1) },
            Num::Holds(hand(2), b(n(45))),
            Num::Count(hand(5)),
            Num::Count(Selection::Family(HAND)),
            Num::Count(Selection::Deck(0)),
        ]),
        [5, 51, 47, 46, 40, 1, 0, 9, 52]
    );
}

#[test]
fn selections_have_the_order_of_their_zone() {
    let row = || Selection::Zone(at(ROW));
    let ends = |last, count| Selection::Ends { last, count: b(n(count)), of: Box::new(row()) };
    let low = filtered(row(), 1, cmp(Cmp::Lt, attr(RANK, Num::Bound(1)), n(10)));
    let first = |of| Num::End { last: false, of };
    assert_eq!(
        values(vec![
            first(ends(true, 2)),
            first(ends(false, 2)),
            Num::Count(ends(true, 99)),
            first(low.clone()),
            Num::Count(Selection::Union(Box::new(low.clone()), Box::new(ends(true, 3)))),
            Num::Count(Selection::Minus(Box::new(row()), Box::new(low.clone()))),
            Num::Best { highest: true, of: row(), by: RANK },
            Num::Best { highest: false, of: row(), by: RANK },
            // Of equal cards the earliest in the order of the zone is the best.
            Num::Best { highest: true, of: row(), by: SUIT },
            Num::Best { highest: true, of: Selection::Zone(at(9)), by: SUIT },
            Num::OverCards { op: Fold::Sum, bound: 1, of: row(), cond: None, value: b(attr(RANK, Num::Bound(1))) },
            Num::OverCards { op: Fold::Min, bound: 1, of: row(), cond: None, value: b(attr(RANK, Num::Bound(1))) },
            Num::OverCards {
                op: Fold::Count,
                bound: 1,
                of: row(),
                cond: Some(b(cmp(Cmp::Ge, attr(RANK, Num::Bound(1)), n(11)))),
                value: b(n(1)),
            },
            // Masks can't express this condition: the rank is twice the suit.
            Num::Count(filtered(
                Selection::Deck(0),
                1,
                eq(attr(RANK, Num::Bound(1)), Num::Arith(Arith::Mul, b(n(2)), b(attr(SUIT, Num::Bound(1))))),
            )),
        ]),
        [48, 51, 5, 48, 3, 3, 51, 47, 51, NONE, 12 + 11 + 10 + 9 + 8, 8, 2, 4]
    );
}

/// The best card that follows suit does not depend on how the cards are numbered, nor on whether two of them are equal.
#[test]
fn best_following_card_is_the_same_for_all_numberings() {
    let ranks = || (0..13).collect::<Vec<i32>>();
    let suits = || (0..4).collect::<Vec<i32>>();
    let falling = ranks().into_iter().rev().collect();
    let mixed = vec![3, 7, 1, 12, 0, 11, 5, 9];
    let decks = [
        (vec![(SUIT, suits()), (RANK, ranks())], 1),
        (vec![(SUIT, suits()), (RANK, falling)], 1),
        (vec![(SUIT, suits()), (RANK, mixed)], 1),
        (vec![(RANK, ranks()), (SUIT, suits())], 1),
        (vec![(SUIT, suits()), (RANK, ranks())], 2),
        // Cards without a suit all follow one another.
        (vec![(RANK, ranks())], 4),
    ];
    for (nth, (values, copies)) in decks.into_iter().enumerate() {
        for seed in 0..40 {
            let mut g = Build::new(1, 1);
            g.attributes();
            let deck = g.deck(values.clone(), copies);
            let (stock, row) = (g.zone("stock", vec![]), g.zone("row", vec![]));
            g.zone_mut(stock).ordered = true;
            g.zone_mut(stock).starts_with = Some(deck);
            g.zone_mut(row).ordered = true;
            // A different number of shuffles gives a different order.
            (0..=seed).for_each(|_| g.op(Op::Shuffle(at(stock))));
            g.op(Op::Draw { count: n(seed % 9), from: at(stock), to: at(row), face_down: false });
            let led = || attr(SUIT, Num::End { last: false, of: Selection::Zone(at(row)) });
            let following = || filtered(Selection::Zone(at(row)), 1, eq(attr(SUIT, Num::Bound(1)), led()));
            let out = [true, false].map(|highest| {
                let out = g.add_var("out", VarKind::State { role: None }, vec![], Type::Attr(SUIT), 0);
                g.set(var(out), Num::Best { highest, of: following(), by: RANK });
                out
            });
            let (table, _) = run(g, 1);
            let [suit, rank] = [SUIT, RANK]
                .map(|attr| with_table!(&table, core => core.instance.cards.attrs[usize::from(attr)].values.to_vec()));
            let lying = cards(&table, row, 0);
            let led = lying.first().map(|card| suit[usize::from(*card)]);
            let mut following: Vec<u16> =
                lying.into_iter().filter(|card| Some(suit[usize::from(*card)]) == led).collect();
            // The sort is stable, so the earliest of equal cards comes first.
            following.sort_by_key(|card| -rank[usize::from(*card)]);
            let highest = following.first().map_or(NONE, |card| i32::from(*card));
            following.sort_by_key(|card| rank[usize::from(*card)]);
            let lowest = following.first().map_or(NONE, |card| i32::from(*card));
            assert_eq!(out.map(|out| cell(&table, out, 0)), [highest, lowest], "deck {nth}, seed {seed}");
        }
    }
}

/// A condition selects the same cards whether masks or card-by-card tests evaluate it.
#[test]
fn masks_agree_with_card_by_card_tests() {
    let card = || Num::Bound(1);
    let ace = vec![(SUIT, 3), (RANK, 12)];
    let mut conditions = vec![
        Num::CardMatches(0, ace.clone(), b(card())),
        Num::CardDeck(0, b(card())),
        Num::CardNamed("Joker".into(), b(card())),
        Num::CardBlank(b(card())),
        Num::CardFacing { card: b(card()), down: true },
        not(Num::CardFacing { card: b(card()), down: false }),
        Num::Holds(Selection::Zone(at(ROW)), b(card())),
        eq(card(), Num::CardLiteral(0, ace)),
        cmp(Cmp::Ne, card(), n(7)),
        eq(attr(SUIT, card()), attr(SUIT, Num::End { last: false, of: Selection::Zone(at(ROW)) })),
        cmp(Cmp::Ne, attr(SUIT, card()), attr(SUIT, Num::End { last: true, of: Selection::Zone(at(9)) })),
        Num::If(b(eq(attr(SUIT, card()), n(2))), b(cmp(Cmp::Lt, attr(RANK, card()), n(4))), b(n(1))),
        eq(not(eq(attr(SUIT, card()), n(2))), n(1)),
        n(0),
        Num::SeatPlaying(b(n(1))),
    ];
    for op in [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge] {
        for value in [-3, 0, 5, 12, 13, NONE_VALUE, i32::MAX] {
            conditions.push(cmp(op, attr(RANK, card()), n(value)));
            conditions.push(cmp(op, add(n(value.max(-9)), Num::SeatPlaying(b(n(7)))), attr(RANK, card())));
        }
    }
    let mut both = Vec::new();
    for (i, cond) in conditions.iter().enumerate() {
        let other = &conditions[(i * 7 + 3) % conditions.len()];
        for cond in [
            cond.clone(),
            not(cond.clone()),
            and(cond.clone(), other.clone()),
            Num::Or(b(cond.clone()), b(not(other.clone()))),
        ] {
            both.push(Num::Count(filtered(Selection::Deck(0), 1, cond.clone())));
            // A product that reads the card can't be lowered to a mask, so it is tested card by card.
            let one_by_one = Num::Arith(Arith::Mul, b(cond), b(add(card(), n(1))));
            both.push(Num::Count(filtered(Selection::Deck(0), 1, cmp(Cmp::Ne, one_by_one, n(0)))));
        }
    }
    let found = values(both);
    for (i, pair) in found.chunks(2).enumerate() {
        assert_eq!(pair[0], pair[1], "condition {}: {:?}", i, conditions[i / 4]);
    }
    assert!(found.contains(&1) && found.contains(&13) && found.contains(&0) && found.contains(&52));
}

#[test]
fn arithmetic_saturates_and_folds_over_nothing_are_zero() {
    let sum =
        |cond| Num::OverRange { op: Fold::Sum, bound: 1, low: b(n(1)), high: b(n(10)), cond, value: b(Num::Bound(1)) };
    let over = |op| Num::OverRange { op, bound: 1, low: b(n(3)), high: b(n(2)), cond: None, value: b(n(9)) };
    let arith = |op, x, y| Num::Arith(op, b(n(x)), b(add(n(y), Num::SeatPlaying(b(n(9))))));
    assert_eq!(
        values(vec![
            sum(None),
            sum(Some(b(cmp(Cmp::Gt, Num::Bound(1), n(8))))),
            over(Fold::Max),
            over(Fold::Any),
            arith(Arith::Div, 7, 0),
            arith(Arith::Mod, 7, 0),
            arith(Arith::Div, -7, 2),
            arith(Arith::Mod, i32::MIN, -1),
            arith(Arith::Div, i32::MIN, -1),
            arith(Arith::Mul, i32::MAX, 2),
            Num::Neg(b(n(i32::MIN))),
            Num::SeatCount,
            cmp(Cmp::Lt, n(NONE_VALUE), n(3)),
            cmp(Cmp::Ge, n(3), n(NONE_VALUE)),
            eq(n(NONE_VALUE), attr(RANK, n(NONE))),
            Num::DiceCount(b(n(0b1011))),
            Num::DiceHas(b(n(0b1010)), b(n(3))),
            Num::DiceHas(b(n(-1)), b(n(40))),
        ]),
        [55, 19, 0, 0, 0, 0, -3, 0, i32::MAX, i32::MAX, i32::MAX, 3, 0, 0, 1, 3, 1, 0]
    );
}

#[test]
fn seats_are_searched_clockwise_and_back() {
    let next = |after, back, cond| Num::NextSeat { bound: 1, after: b(n(after)), back, cond };
    let is = |seat: i32| Some(b(eq(Num::Bound(1), n(seat))));
    let holding = Some(b(not(Num::IsEmpty(Selection::Zone(of(HAND, Num::Bound(1)))))));
    assert_eq!(
        values(vec![
            next(0, false, None),
            next(2, false, None),
            next(0, true, None),
            next(NONE, false, None),
            next(NONE, true, None),
            next(1, false, is(1)),
            next(1, false, is(7)),
            next(1, true, is(2)),
            Num::FirstSeat { bound: 1, from: b(n(1)), cond: None },
            Num::FirstSeat { bound: 1, from: b(n(NONE)), cond: is(2) },
            Num::FirstSeat { bound: 1, from: b(n(2)), cond: holding.clone() },
            next(2, false, holding.clone()),
            next(1, true, holding),
            Num::FirstSeat { bound: 1, from: b(n(100)), cond: None },
        ]),
        [1, 0, 2, 0, 0, 1, NONE, 2, 1, 2, 2, 0, 0, 1]
    );
}

#[test]
fn gather_turns_cards_face_up_and_shuffle_uses_fair_chance() {
    let mut g = Build::new(1, 2);
    let deck = g.standard52();
    let stock = g.zone("stock", vec![]);
    let row = g.zone("row", vec![Dim::Range { low: 1, high: 3 }]);
    g.zone_mut(row).remembers = PlayerMemory::Public;
    g.zone_mut(stock).starts_with = Some(deck);
    g.op(Op::Draw { count: n(4), from: at(stock), to: of(row, n(2)), face_down: true });
    g.op(Op::Gather { deck, to: at(stock) });
    g.op(Op::Shuffle(at(stock)));
    let (table, events) = run(g, 1);
    let mut expected: Vec<u16> = (0..52).collect();
    let mut chance = crate::chance::FairChance::new([7; 32]);
    use crate::chance::Chance;
    chance.begin(0);
    chance.shuffle(&mut expected);
    assert_eq!(cards(&table, stock, 0), expected);
    crate::with_table!(&table, core => assert!(core.frame.face_down.is_empty()));
    assert_eq!(events.iter().filter(|e| matches!(e, RawEvent::CardMoved { .. })).count(), 4 + 52);
}

#[test]
fn a_full_zone_takes_no_cards_and_an_index_out_of_range_does_nothing() {
    let mut g = Build::new(1, 2);
    let deck = g.standard52();
    let stock = g.zone("stock", vec![]);
    let row = g.zone("row", vec![Dim::Range { low: 1, high: 3 }]);
    let grid = g.zone("grid", vec![Dim::Player, Dim::Range { low: 5, high: 6 }]);
    let state = g.add_var(
        "state",
        VarKind::State { role: None },
        vec![Dim::Range { low: 1, high: 2 }],
        Type::Number { low: 0, high: 9 },
        3,
    );
    g.zone_mut(stock).starts_with = Some(deck);
    g.zone_mut(row).holds = Some(n(3));
    let cell_of = |x, y| ZoneRef { zone: grid, index: vec![n(x), n(y)] };
    g.op(Op::Draw { count: n(10), from: at(stock), to: of(row, n(1)), face_down: false });
    g.op(Op::Move { what: Selection::Zone(at(stock)), to: of(row, n(2)), face_down: false });
    g.op(Op::Move { what: Selection::Zone(of(row, n(1))), to: of(row, n(4)), face_down: false });
    g.op(Op::Move { what: Selection::One(b(n(40))), to: cell_of(1, 6), face_down: false });
    g.op(Op::Move { what: Selection::One(b(n(41))), to: cell_of(1, 7), face_down: false });
    g.op(Op::Move { what: Selection::One(b(n(99))), to: cell_of(1, 6), face_down: false });
    g.op(Op::Set(elem(state, n(0)), n(7)));
    g.op(Op::Set(elem(state, n(2)), n(77)));
    let (table, _) = run(g, 2);
    assert_eq!([0, 1, 2].map(|i| cards(&table, row, i).len()), [3, 3, 0]);
    assert_eq!([0, 1, 2, 3].map(|i| cards(&table, grid, i)), [vec![], vec![], vec![], vec![40]]);
    assert_eq!(
        [cell(&table, state, 0), cell(&table, state, 1)],
        [3, 9],
        "the value is clamped to the range of its variable"
    );
    assert_eq!(cards(&table, stock, 0).len(), 45);
}

#[test]
fn a_mix_keeps_piles_together_and_remembers_who_brought_them() {
    let mut g = Build::new(1, 3);
    let deck = g.standard52();
    let stock = g.zone("stock", vec![]);
    let hand = g.zone("hand", vec![Dim::Player]);
    let shown = g.zone("shown", vec![Dim::Range { low: 1, high: 2 }]);
    let by = g.state("by", Type::Player);
    g.zone_mut(stock).starts_with = Some(deck);
    g.zone_mut(shown).ordered = true;
    let q = g.bound();
    g.op(Op::Deal { from: at(stock), to: hand, each: Some(n(2)), start: n(0), seats: everyone(q) });
    g.op(Op::Mix { from: vec![hand], to: shown });
    let first = Num::End { last: false, of: Selection::Zone(of(shown, n(1))) };
    g.set(var(by), Num::PlayerOf(b(first)));
    let (table, events) = run(g, 3);
    let owner = cell(&table, by, 0);
    assert!((0..3).contains(&owner));
    assert_eq!(cards(&table, shown, 0), [owner as u16, owner as u16 + 3], "the pile stays together");
    let left: usize = (0..3).map(|i| cards(&table, hand, i).len()).sum();
    assert_eq!(left, 2, "a pile without a target stays where it is");
    let Some(RawEvent::Mixed { from, to }) = events.iter().find(|e| matches!(e, RawEvent::Mixed { .. })) else {
        panic!()
    };
    assert_eq!((from.len(), to.len()), (2, 2));
    assert!(from.is_sorted());
}

#[test]
fn a_roll_selects_dice_by_leading_indices_and_condition() {
    let mut g = Build::new(1, 2);
    let kind = VarKind::Dice { low: 1, high: 6, faces: None, sees: vec![] };
    let dice = g.add_var("dice", kind, vec![Dim::Player, Dim::Range { low: 1, high: 5 }], number(), 1);
    let i = g.bound();
    g.op(Op::Roll { dice, index: vec![n(1)], cond: Some((vec![i], cmp(Cmp::Ge, Num::Bound(i), n(3)))), clear: false });
    g.op(Op::Roll { dice, index: vec![n(5)], cond: None, clear: false });
    let (table, events) = run(g, 2);
    let faces: Vec<i32> = (0..10).map(|e| cell(&table, dice, e)).collect();
    assert_eq!(faces[..7], [0; 7]);
    assert!(faces[7..].iter().all(|f| (1..=6).contains(f)));
    assert!(events.iter().any(|e| matches!(e, RawEvent::Rolled { elements, .. } if elements[..] == [7, 8, 9])));
}

#[test]
fn sets_of_equal_cards_are_moved_group_by_group() {
    let mut g = Build::new(1, 1);
    let deck = g.standard52();
    g.program.decks[0].make.push(DeckOp::Without { values: vec![(SUIT, 0), (RANK, 10)], when: None });
    g.program.decks[0].make.push(DeckOp::Named { name: "Joker".into(), count: n(2), when: None });
    let stock = g.zone("stock", vec![]);
    let pairs = g.zone("pairs", vec![]);
    let (joker, queens) = (g.state("joker", number()), g.state("queens", number()));
    g.zone_mut(stock).starts_with = Some(deck);
    g.zone_mut(pairs).ordered = true;
    let sets = Selection::SetsOf { size: b(n(2)), attr: RANK, of: Box::new(Selection::Zone(at(stock))) };
    g.op(Op::Move { what: sets, to: at(pairs), face_down: false });
    g.set(
        var(joker),
        Num::Count(filtered(Selection::Zone(at(stock)), 50, Num::CardNamed("Joker".into(), b(Num::Bound(50))))),
    );
    g.set(var(queens), Num::Count(filtered(Selection::Zone(at(stock)), 50, eq(attr(RANK, Num::Bound(50)), n(10)))));
    let (table, _) = run(g, 1);
    assert_eq!((cell(&table, joker, 0), cell(&table, queens, 0)), (2, 1));
    let laid = cards(&table, pairs, 0);
    assert_eq!(laid.len(), 50);
    // Without Q♣ the first two twos are cards 0 and 12: the cards of a pair lie side by side.
    assert_eq!(&laid[..2], [0, 12]);
}

#[test]
fn instantiation_errors_name_the_cause() {
    let base = || {
        let mut g = Build::new(2, 4);
        g.standard52();
        let ty = Type::Number { low: 1, high: 9 };
        let option = |name: &str, ty: Type, default| OptionDecl {
            name: name.into(),
            title: String::new(),
            ty,
            default,
            value_titles: vec![],
        };
        g.program.options.push(option("rounds", ty, OptionValue::Number(3)));
        g.program.options.push(option("word", Type::Text { low: 1, high: 4 }, OptionValue::Text("ABC".into())));
        g.end(Outcome::Void);
        g
    };
    let make = |g: Build, options: &[(&str, OptionValue)], seats| {
        let options: Vec<_> = options.iter().map(|(n, v)| (n.to_string(), v.clone())).collect();
        instantiate(Arc::new(g.finish()), &options, &[], seats).map(|_| ())
    };
    let number = OptionValue::Number;
    assert_eq!(make(base(), &[], 2), Ok(()));
    assert_eq!(make(base(), &[], 5), Err(InstantiateError::SeatsOutOfRange { low: 2, high: 4, seats: 5 }));
    assert_eq!(make(base(), &[("x", number(1))], 2), Err(InstantiateError::UnknownOption("x".into())));
    assert!(matches!(make(base(), &[("rounds", number(0))], 2), Err(InstantiateError::OptionOutOfRange { .. })));
    assert!(matches!(make(base(), &[("word", number(0))], 2), Err(InstantiateError::OptionType { .. })));
    let long = OptionValue::Text("ABCDE".into());
    assert!(matches!(
        make(base(), &[("word", long)], 2),
        Err(InstantiateError::OptionOutOfRange { high: 4, value: 5, .. })
    ));
    let mut many = base();
    many.program.decks[0].copies = n(1000);
    assert_eq!(make(many, &[], 2), Err(InstantiateError::TooManyCards));
    let mut packed = base();
    packed.program.decks[0].pack_type = Some("answer".into());
    assert!(matches!(make(packed, &[], 2), Err(InstantiateError::NoPackCards { .. })));
    let mut big = base();
    big.zone("big", vec![Dim::Range { low: 0, high: i32::MAX }, Dim::Range { low: i32::MIN, high: i32::MAX }]);
    assert_eq!(make(big, &[], 2), Err(InstantiateError::TooBig("big".into())));
    let mut deep = base();
    let mut expression = Num::SeatPlaying(b(n(0)));
    for _ in 0..3000 {
        expression = Num::Neg(b(expression));
    }
    let x = deep.local("x", Type::Player);
    deep.set(var(x), expression);
    assert_eq!(make(deep, &[], 2), Err(InstantiateError::TooDeep));
}

#[test]
fn packs_become_cards_and_equal_cards_share_a_face() {
    let mut g = Build::new(1, 1);
    g.program.attrs.push(Attr { name: "pick".into(), values: AttrDomain::Property });
    g.program.decks.push(Deck {
        name: "answers".into(),
        pack_type: Some("answer".into()),
        make: vec![DeckOp::Named { name: "Blank".into(), count: n(3), when: None }],
        copies: n(1),
    });
    let pile = g.zone("pile", vec![]);
    g.zone_mut(pile).starts_with = Some(0);
    g.end(Outcome::Void);
    let card = |text: &str, pick| PackCard {
        deck_type: "answer".into(),
        text: text.into(),
        props: if pick > 0 { vec![("pick".into(), pick)] } else { vec![] },
    };
    let mut packs: Vec<PackCard> = (0..150).map(|i| card(&format!("card {i}"), i % 3)).collect();
    packs.push(card("card 7", 1));
    packs.push(PackCard { deck_type: "prompt".into(), ..card("other", 0) });
    let game = instantiate(Arc::new(g.finish()), &[], &packs, 1).unwrap();
    let crate::instance::Game::Large(instance) = game else { panic!() };
    assert_eq!(instance.cards.len(), 154);
    assert_eq!(instance.face(7), instance.face(150));
    assert_eq!(instance.face(151), instance.face(153), "blanks look alike");
    assert_eq!(instance.cards.face_cards.len(), 151);
    assert_eq!(instance.cards.attr(0, 5), 2);
    assert_eq!(instance.cards.attr(0, 6), 0);
    assert_eq!(instance.cards.blank.len(), 3);
}

#[test]
fn the_seat_that_answers_brings_a_card_otherwise_the_owner_of_its_zone() {
    let mut g = Build::new(1, 3);
    let deck = g.standard52();
    let stock = g.zone("stock", vec![]);
    let hand = g.zone("hand", vec![Dim::Player]);
    let trick = g.zone("trick", vec![]);
    g.zone_mut(stock).starts_with = Some(deck);
    g.zone_mut(trick).remembers = PlayerMemory::Public;
    let by: Vec<VarId> = (0..3).map(|_| g.state("by", Type::Player)).collect();
    let c = g.local("c", Type::Card);
    let (q, bound) = (g.bound(), g.bound());
    let (body, after, stop) = (g.label(), g.label(), g.label());
    g.op(Op::Deal { from: at(stock), to: hand, each: Some(n(2)), start: n(0), seats: everyone(q) });
    // Seat 2 takes a card out of seat 1's hand. Moves after the body of the answer must not count as seat 2's, even if
    // the rules leave the body early.
    let part = part("c", bound, c, PartKind::Card(Selection::Zone(of(hand, n(1)))));
    g.ask(AskMode::One(n(2)), vec![alternative("take", vec![part], body)], after);
    g.place_label(body);
    g.op(Op::Move { what: Selection::One(b(Num::Var(c))), to: at(trick), face_down: false });
    g.op(Op::Unless(n(0), stop));
    g.place_label(after);
    g.set(var(by[0]), n(0));
    g.place_label(stop);
    g.op(Op::Draw { count: n(1), from: of(hand, n(0)), to: at(trick), face_down: false });
    g.op(Op::Draw { count: n(1), from: at(stock), to: at(trick), face_down: false });
    for (i, card) in [1, 0, 6].into_iter().enumerate() {
        g.set(var(by[i]), Num::PlayerOf(b(n(card))));
    }
    g.end(Outcome::Void);
    let mut table = g.table(3);
    table.start().unwrap();
    answer_number(&mut table, 2, 0, 1).unwrap();
    assert_eq!([0, 1, 2].map(|i| cell(&table, by[i], 0)), [2, 0, NONE]);
}
