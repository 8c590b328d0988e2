//! Tests which answers are legal: parts of every kind, patterns, `must` conditions and defaults.

use super::build::*;
use crate::moves::{Move, PartValue, Refusal};
use crate::table::Table;
use baize_rules::program::*;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

const HAND: ZoneId = 1;
const TAKEN: ZoneId = 2;
const VALUE: VarId = 0;
const CARDS: VarId = 1;
const SEEN: VarId = 2;

/// A game with a small Dalmuti deck: v copies of each value v from 1 to 6 (21 cards), then two wild cards of value 13.
struct DalmutiGame {
    g: Build,
}

const V: AttrId = 0;

/// Makes a game in which seat 0 holds cards of these values.
fn dalmuti(hand: &[i32]) -> DalmutiGame {
    let mut g = Build::new(1, 3);
    g.program.attrs.push(Attr { name: "value".into(), values: AttrDomain::Range { low: 1, high: 13 } });
    let card = g.bound();
    let product = |values: Vec<i32>, copies| DeckOp::Product {
        values: vec![(V, values)],
        card,
        copies,
        called: None,
        when: None,
    };
    let own = attr(V, Num::Bound(card));
    g.program.decks.push(Deck {
        name: "cards".into(),
        pack_type: None,
        make: vec![product((1..=6).collect(), own), product(vec![13], n(2))],
        copies: n(1),
    });
    let stock = g.zone("stock", vec![]);
    g.zone("hand", vec![Dim::Player]);
    g.zone("taken", vec![]);
    g.zone_mut(stock).starts_with = Some(0);
    g.zone_mut(TAKEN).ordered = true;
    g.add_var("value", VarKind::Local, vec![], Type::Attr(V), 0);
    g.add_var("cards", VarKind::Local, vec![], Type::Cards, 0);
    g.add_var("seen", VarKind::State { role: None }, vec![], number(), 0);
    for (taken, value) in hand.iter().enumerate() {
        // The copies of value v have the card numbers from v (v - 1) / 2 on; the wild cards are 21 and 22.
        let first = if *value == 13 { 21 } else { value * (value - 1) / 2 };
        let copies = hand[..taken].iter().filter(|v| *v == value).count() as i32;
        g.op(Op::Move { what: Selection::One(b(n(first + copies))), to: of(HAND, n(0)), face_down: false });
    }
    DalmutiGame { g }
}

impl DalmutiGame {
    /// Makes a table that asks seat 0. The body of the answer stores the value in `SEEN` and moves the picked cards.
    fn ask(mut self, parts: impl FnOnce(&mut Build) -> Vec<Part>, musts: Vec<Must>) -> Table {
        let parts = parts(&mut self.g);
        let (body, after) = (self.g.label(), self.g.label());
        let offer = Alternative { musts, ..alternative("lay", parts, body) };
        self.g.ask(AskMode::One(n(0)), vec![offer, alternative("pass", vec![], after)], after);
        self.g.place_label(body);
        self.g.set(var(SEEN), Num::Var(VALUE));
        self.g.op(Op::Move { what: Selection::Picked(CARDS), to: at(TAKEN), face_down: false });
        self.g.place_label(after);
        self.g.end(Outcome::Draw);
        let mut table = self.g.table(3);
        table.start().unwrap();
        table
    }
}

const SET: BoundId = 100;
const BOUND_VALUE: BoundId = 101;

fn alike(low: i32, high: i32) -> Part {
    let wild = Some((102, eq(attr(V, Num::Bound(102)), n(13))));
    part(
        "set",
        SET,
        CARDS,
        PartKind::Alike {
            from: Selection::Zone(of(HAND, Num::Me)),
            attr: V,
            wild,
            alone: Some(n(1)),
            low: n(low),
            high: n(high),
            value: (BOUND_VALUE, VALUE),
        },
    )
}

/// Returns all legal selections of the first alternative, each as a sorted list of values.
fn legal_selections(table: &Table) -> Vec<Vec<i32>> {
    let legal = table.legal(0).unwrap();
    let Table::Small(core) = table else { panic!() };
    let mut all: Vec<Vec<i32>> = (0..legal.count())
        .map(|i| legal.nth(i))
        .filter(|m| m.alternative == 0)
        .map(|m| match &m.parts[0] {
            PartValue::Cards(cards) => cards.iter().map(|c| core.instance.cards.attr(V, *c as i32)).collect(),
            PartValue::Number(n) => vec![*n],
            PartValue::Text(_) => vec![],
        })
        .collect();
    all.iter_mut().for_each(|set| set.sort_unstable());
    all.sort();
    all
}

#[test]
fn sets_are_listed_once_for_each_combination_of_values() {
    let table = dalmuti(&[3, 3, 5, 13]).ask(|_| vec![alike(1, 4)], vec![]);
    let expected: Vec<Vec<i32>> =
        vec![vec![3], vec![3, 3], vec![3, 3, 13], vec![3, 13], vec![5], vec![5, 13], vec![13]];
    assert_eq!(legal_selections(&table), expected);
}

#[test]
fn a_set_may_use_any_copies_and_its_value_is_stored() {
    let mut table = dalmuti(&[3, 3, 3, 13]).ask(|_| vec![alike(1, 4)], vec![]);
    // The copies of 3 are cards 3, 4 and 5. The list of legal moves names 3 and 4 for a pair, but 5 is accepted too.
    answer_cards(&mut table, 0, 0, &[5, 3, 21]).unwrap();
    assert_eq!(cell(&table, SEEN, 0), 3);
    assert_eq!(cards(&table, TAKEN, 0), [5, 3, 21], "in the order played");
    let mut table = dalmuti(&[13, 13]).ask(|_| vec![alike(1, 4)], vec![]);
    answer_cards(&mut table, 0, 0, &[21, 22]).unwrap();
    assert_eq!(cell(&table, SEEN, 0), 1, "a set of wild cards alone has the value 1");
}

#[test]
fn cards_that_do_not_fit_the_pattern_are_refused() {
    let mut table = dalmuti(&[3, 3, 5]).ask(|_| vec![alike(2, 3)], vec![]);
    for bad in [&[3, 10][..], &[3], &[3, 3], &[3, 5], &[3, 4, 10], &[], &[3, 4000]] {
        assert_eq!(answer_cards(&mut table, 0, 0, bad), Err(Refusal::NotACandidate), "{bad:?}");
    }
    assert_eq!(answer_number(&mut table, 0, 0, 3), Err(Refusal::WrongParts));
    answer_cards(&mut table, 0, 0, &[4, 3]).unwrap();
}

#[test]
fn musts_restrict_sets_by_count_and_by_value() {
    let must = |cond, reason| must(cond, false, reason);
    let rules = vec![
        must(eq(Num::Count(Selection::Bound(SET)), n(2)), "As many as were led"),
        must(cmp(Cmp::Lt, Num::Bound(BOUND_VALUE), n(5)), "Better than a 5"),
    ];
    let mut table = dalmuti(&[3, 3, 4, 5, 5, 13]).ask(|_| vec![alike(1, 9)], rules);
    assert_eq!(legal_selections(&table), [vec![3, 3], vec![3, 13], vec![4, 13]]);
    match answer_cards(&mut table, 0, 0, &[10, 11]) {
        Err(Refusal::NotLegal(line)) => assert!(format!("{line:?}").contains("Better than")),
        other => panic!("{other:?}"),
    }
    match answer_cards(&mut table, 0, 0, &[3]) {
        Err(Refusal::NotLegal(line)) => assert!(format!("{line:?}").contains("As many")),
        other => panic!("{other:?}"),
    }
    answer_cards(&mut table, 0, 0, &[4, 21]).unwrap();
}

#[test]
fn runs_are_listed_and_accepted_in_any_order() {
    let run = part(
        "run",
        SET,
        CARDS,
        PartKind::Run {
            from: Selection::Zone(of(HAND, Num::Me)),
            attr: V,
            within: None,
            low: n(3),
            high: n(4),
            value: (BOUND_VALUE, VALUE),
        },
    );
    let mut table = dalmuti(&[2, 3, 3, 4, 5, 6]).ask(|_| vec![run], vec![]);
    assert_eq!(
        legal_selections(&table),
        [vec![2, 3, 4], vec![2, 3, 4, 5], vec![3, 4, 5], vec![3, 4, 5, 6], vec![4, 5, 6]]
    );
    assert_eq!(answer_cards(&mut table, 0, 0, &[1, 3, 10]), Err(Refusal::NotACandidate));
    // Card 4 is the copy of 3 that the list does not name, and the cards are out of order.
    answer_cards(&mut table, 0, 0, &[6, 4, 10]).unwrap();
    assert_eq!(cell(&table, SEEN, 0), 3);
}

fn pick(low: i32, high: i32, ordered: bool) -> Part {
    part(
        "picked",
        SET,
        CARDS,
        PartKind::Cards { low: n(low), high: n(high), from: Selection::Zone(of(HAND, Num::Me)), ordered },
    )
}

#[test]
fn picks_are_listed_only_if_a_must_depends_on_them() {
    let mut table = dalmuti(&[1, 2, 3, 4]).ask(|_| vec![pick(1, 2, false)], vec![]);
    assert_eq!(table.legal(0).unwrap().count(), 4 + 6 + 1);
    answer_cards(&mut table, 0, 0, &[3, 0]).unwrap();
    let table = dalmuti(&[1, 2, 3, 4]).ask(|_| vec![pick(2, 2, true)], vec![]);
    assert_eq!(table.legal(0).unwrap().count(), 12 + 1);
    let sum = Num::OverCards {
        op: Fold::Sum,
        bound: 103,
        of: Selection::Bound(SET),
        cond: None,
        value: b(attr(V, Num::Bound(103))),
    };
    let five = must(eq(sum.clone(), n(5)), false, "Five");
    let mut table = dalmuti(&[1, 2, 3, 4]).ask(|_| vec![pick(1, 3, false)], vec![five]);
    assert_eq!(legal_selections(&table), [vec![1, 4], vec![2, 3]]);
    assert!(matches!(answer_cards(&mut table, 0, 0, &[0, 1]), Err(Refusal::NotLegal(_))));
    answer_cards(&mut table, 0, 0, &[6, 0]).unwrap();
    // The list names one of several selections that look the same.
    let even = must(eq(Num::Arith(Arith::Mod, b(sum), b(n(2))), n(0)), false, "Even");
    let table = dalmuti(&[3, 3, 3]).ask(|_| vec![pick(1, 3, true)], vec![even]);
    assert_eq!(legal_selections(&table), [vec![3, 3]]);
}

#[test]
fn parts_that_depend_on_one_another_are_listed() {
    // The first part is a card, the second a number of at most its value.
    let parts = |g: &mut Build| {
        let m = g.local("m", number());
        let number = PartKind::Number { low: n(1), high: attr(V, Num::Bound(SET)) };
        vec![
            part("c", SET, VALUE, PartKind::Card(Selection::Zone(of(HAND, Num::Me)))),
            part("m", BOUND_VALUE, m, number),
        ]
    };
    let mut table =
        dalmuti(&[2, 4]).ask(parts, vec![must(cmp(Cmp::Ne, Num::Bound(BOUND_VALUE), n(1)), true, "Not one")]);
    let legal = table.legal(0).unwrap();
    let all: BTreeSet<Vec<i32>> = (0..legal.count())
        .map(|i| legal.nth(i).parts.iter().map(|p| if let PartValue::Number(n) = p { *n } else { -9 }).collect())
        .collect();
    let expected = [vec![], vec![1, 2], vec![6, 2], vec![6, 3], vec![6, 4]];
    assert_eq!(all, expected.into_iter().collect());
    let quoted = decision(&table, 0);
    let both =
        |c, m| Move { decision: quoted, alternative: 0, parts: smallvec![PartValue::Number(c), PartValue::Number(m)] };
    assert!(matches!(table.play(0, &both(6, 1)), Err(Refusal::NotLegal(_))));
    assert_eq!(table.play(0, &both(1, 3)), Err(Refusal::NotACandidate));
    table.play(0, &both(6, 4)).unwrap();
}

#[test]
fn independent_parts_combine_freely() {
    let parts = |g: &mut Build| {
        let (p, v, y, c) =
            (g.local("p", Type::Player), g.local("v", number()), g.local("y", Type::YesNo), g.local("c", number()));
        let q = g.bound();
        let mut value = part("v", 105, v, PartKind::Value(V));
        value.filter = Some(cmp(Cmp::Gt, Num::Bound(105), n(10)));
        vec![
            part("p", 104, p, PartKind::Player(seats(q, cmp(Cmp::Ne, Num::Bound(q), Num::Me)))),
            value,
            part("y", 106, y, PartKind::YesNo),
            part("c", 107, c, PartKind::Choice(vec!["red".into(), "blue".into()])),
        ]
    };
    let mut table = dalmuti(&[1]).ask(parts, vec![must(eq(Num::Bound(106), n(1)), true, "Yes")]);
    let legal = table.legal(0).unwrap();
    assert_eq!(legal.count(), 2 * 3 * 2 + 1);
    for i in 0..legal.count() {
        crate::with_table!(&table, core => assert_eq!(core.instance.check(&core.frame, 0, &legal.nth(i)), Ok(())));
    }
    let quoted = decision(&table, 0);
    let parts: SmallVec<[PartValue; 2]> = [0, 11, 1, 0].into_iter().map(PartValue::Number).collect();
    assert_eq!(
        table.play(0, &Move { decision: quoted, alternative: 0, parts }),
        Err(Refusal::NotACandidate),
        "nobody may choose oneself"
    );
}

#[test]
fn unseen_cards_are_chosen_by_position() {
    let mut game = dalmuti(&[2, 3, 4]);
    game.g.op(Op::Shuffle(of(HAND, n(0))));
    let parts = |_: &mut Build| vec![part("c", SET, VALUE, PartKind::Unseen(of(HAND, n(0))))];
    let mut table = game.ask(parts, vec![]);
    let order = cards(&table, HAND, 0);
    assert_eq!(table.legal(0).unwrap().count(), 3 + 1);
    assert_eq!(answer_number(&mut table, 0, 0, 3), Err(Refusal::NotACandidate));
    answer_number(&mut table, 0, 0, 1).unwrap();
    assert_eq!(cell(&table, SEEN, 0), order[1] as i32);
}

#[test]
fn texts_are_bounded_and_can_be_written_on_blanks() {
    let mut g = Build::new(1, 1);
    g.program.decks.push(Deck {
        name: "answers".into(),
        pack_type: Some("answer".into()),
        make: vec![DeckOp::Named { name: "Blank".into(), count: n(1), when: None }],
        copies: n(1),
    });
    let said = g.local("said", Type::Text { low: 1, high: 5 });
    let pile = g.zone("pile", vec![]);
    g.zone_mut(pile).starts_with = Some(0);
    let (body, after) = (g.label(), g.label());
    g.ask(AskMode::One(n(0)), vec![alternative("say", vec![part("t", 1, said, PartKind::Text(n(5)))], body)], after);
    g.place_label(body);
    g.op(Op::Write { text: said, card: n(1) });
    g.op(Op::Write { text: said, card: n(0) });
    let text = Text { parts: vec![TextPart::CardText(n(1)), TextPart::CardText(n(0))] };
    g.op(Op::Announce { text, kind: AnnounceKind::Toast, to: None });
    g.place_label(after);
    g.end(Outcome::Draw);
    let packs = [crate::instance::PackCard { deck_type: "answer".into(), text: "Tea".into(), props: vec![] }];
    let game = crate::instantiate(std::sync::Arc::new(g.finish()), &[], &packs, 1).unwrap();
    let mut table = seated(&game, 1);
    table.start().unwrap();
    let quoted = decision(&table, 0);
    let say = |text: &str| Move { decision: quoted, alternative: 0, parts: smallvec![PartValue::Text(text.into())] };
    assert_eq!(table.play(0, &say("   ")), Err(Refusal::TextEmpty));
    assert_eq!(table.play(0, &say("too long")), Err(Refusal::TextTooLong));
    assert_eq!(table.play(0, &say("a\nb")), Err(Refusal::NotACandidate));
    assert_eq!(table.legal(0).unwrap().count(), 1);
    let default = table.default_move(0).unwrap();
    assert!(matches!(&default.parts[0], PartValue::Text(t) if t == "…"));
    let events = table.play(0, &say(" ümläu ")).unwrap();
    let said = format!("{events:?}");
    assert!(said.contains("Written(\"ümläu\"), Text(\"Tea\")"), "{said}");
}

#[test]
fn a_subset_of_dice_is_chosen_as_a_bit_mask() {
    let mut g = Build::new(1, 1);
    let dice = g.add_var(
        "dice",
        VarKind::Dice { low: 1, high: 6, faces: None, sees: vec![] },
        vec![Dim::Range { low: 1, high: 3 }],
        number(),
        0,
    );
    let keep = g.local("keep", Type::DiceSet);
    let i = g.bound();
    let (body, after) = (g.label(), g.label());
    g.op(Op::Roll { dice, index: vec![], cond: None, clear: false });
    g.ask(
        AskMode::One(n(0)),
        vec![alternative("reroll", vec![part("d", 7, keep, PartKind::Dice(dice, vec![]))], body)],
        after,
    );
    g.place_label(body);
    let chosen = Num::DiceHas(b(Num::Var(keep)), b(Num::Arith(Arith::Sub, b(Num::Bound(i)), b(n(1)))));
    g.op(Op::Roll { dice, index: vec![], cond: Some((vec![i], chosen)), clear: false });
    g.place_label(after);
    g.end(Outcome::Draw);
    let mut table = g.table(1);
    table.start().unwrap();
    assert_eq!(table.legal(0).unwrap().count(), 8);
    assert_eq!(answer_number(&mut table, 0, 0, 8), Err(Refusal::NotACandidate));
    let events = answer_number(&mut table, 0, 0, 0b101).unwrap();
    assert!(
        events.iter().any(|e| matches!(e, crate::sink::RawEvent::Rolled { elements, .. } if elements[..] == [0, 2]))
    );
}

#[test]
fn a_default_picks_as_declared_if_that_is_legal() {
    let card = || part("c", SET, VALUE, PartKind::Card(Selection::Zone(of(HAND, Num::Me))));
    let with = |pick, musts: Vec<Must>| {
        let mut game = dalmuti(&[4, 2, 5]);
        let (body, after) = (game.g.label(), game.g.label());
        let offer = Alternative { musts, ..alternative("lay", vec![card()], body) };
        let ask = game.g.ask(AskMode::One(n(0)), vec![alternative("pass", vec![], after), offer], after);
        game.g.ask_mut(ask).default = Some(DefaultMove { alternative: 1, pick });
        game.g.place_label(body);
        game.g.place_label(after);
        game.g.end(Outcome::Draw);
        let mut table = game.g.table(1);
        table.start().unwrap();
        let answer = table.default_move(0).unwrap();
        (answer.alternative, answer.parts.first().cloned())
    };
    let value = |card| (1, Some(PartValue::Number(card)));
    assert_eq!(with(DefaultPick::Lowest(V), vec![]), value(1));
    assert_eq!(with(DefaultPick::Highest(V), vec![]), value(10));
    assert_eq!(with(DefaultPick::First, vec![]), value(1));
    let low = must(cmp(Cmp::Lt, attr(V, Num::Bound(SET)), n(5)), false, "low");
    assert_eq!(with(DefaultPick::Highest(V), vec![low]), value(6));
    assert_eq!(
        with(DefaultPick::Highest(V), vec![must(n(0), false, "never")]),
        (0, None),
        "otherwise the first legal move"
    );
}

#[test]
fn musts_apply_in_order_and_if_able_ignores_impossible_ones() {
    let card = || part("c", SET, VALUE, PartKind::Card(Selection::Zone(of(HAND, Num::Me))));
    let value = || attr(V, Num::Bound(SET));
    let at_most = |v| must(cmp(Cmp::Le, value(), n(v)), true, "low");
    let odd = || must(eq(Num::Arith(Arith::Mod, b(value()), b(n(2))), n(1)), true, "odd");
    let legal = |musts| legal_selections(&dalmuti(&[2, 3, 4, 5]).ask(|_| vec![card()], musts));
    // The hand is cards 1, 3, 6 and 10, with the values 2, 3, 4 and 5.
    assert_eq!(legal(vec![at_most(3)]), [[1], [3]]);
    assert_eq!(legal(vec![at_most(1)]), [[1], [3], [6], [10]]);
    assert_eq!(legal(vec![odd(), at_most(4)]), [[3]]);
    assert_eq!(legal(vec![at_most(2), odd()]), [[1]], "the second `must` would leave nothing, so it is ignored");
    let mut when = at_most(3);
    when.when = Some(cmp(Cmp::Ne, value(), n(5)));
    assert_eq!(legal(vec![when]), [[1], [3], [10]], "a `when` may depend on the part");
    let mut table = dalmuti(&[2, 3, 4, 5]).ask(|_| vec![card()], vec![at_most(2), odd()]);
    assert!(matches!(answer_number(&mut table, 0, 0, 3), Err(Refusal::NotLegal(_))));
    answer_number(&mut table, 0, 0, 1).unwrap();
}
