//! Donkey as a hand-built program, without the rule that ends locked positions.

use super::build::*;
use baize_rules::program::*;

pub const STOCK: ZoneId = 0;
pub const HAND: ZoneId = 1;
pub const TRICK: ZoneId = 2;
pub const WASTE: ZoneId = 3;

/// Builds the game. It ends when somebody has `word` letters.
pub fn donkey(word: i32) -> Program {
    let mut g = Build::new(2, 8);
    g.program.meta.limit = 2_000;
    let deck = g.standard52();
    g.zone("stock", vec![]);
    g.zone("hand", vec![Dim::Player]);
    g.zone("trick", vec![]);
    g.zone("waste", vec![]);
    g.zone_mut(STOCK).starts_with = Some(deck);
    g.zone_mut(TRICK).ordered = true;
    g.zone_mut(TRICK).remembers = PlayerMemory::Public;
    let letters = g.per_player("letters");
    let leader = g.state("leader", Type::Player);
    let opening = g.state("opening", Type::YesNo);
    let taker = g.local("taker", Type::Player);
    let first = g.local("first", Type::Player);
    let (start, step, p) = (g.local("start", Type::Player), g.local("step", number()), g.local("p", Type::Player));
    let c = g.local("c", Type::Card);
    let (q, d, pc) = (g.bound(), g.bound(), g.bound());

    let led = || attr(SUIT, Num::End { last: false, of: Selection::Zone(at(TRICK)) });
    let holding = |q: BoundId| not(Num::IsEmpty(Selection::Zone(of(HAND, Num::Bound(q)))));
    let ace = vec![(SUIT, 3), (RANK, 12)];
    let best = || {
        Num::PlayerOf(b(Num::Best {
            highest: true,
            of: filtered(Selection::Zone(at(TRICK)), d, eq(attr(SUIT, Num::Bound(d)), led())),
            by: RANK,
        }))
    };

    let (round, sets, circle, after, done, end_round, over, body) =
        (g.label(), g.label(), g.label(), g.label(), g.label(), g.label(), g.label(), g.label());
    g.place_label(round);
    g.op(Op::Gather { deck, to: at(STOCK) });
    g.op(Op::Shuffle(at(STOCK)));
    g.op(Op::RandomSeat { to: first, among: everyone(q) });
    g.op(Op::Deal { from: at(STOCK), to: HAND, each: None, start: Num::Var(first), seats: everyone(q) });
    let holder = Num::FirstSeat {
        bound: q,
        from: b(n(0)),
        cond: Some(b(Num::Holds(Selection::Zone(of(HAND, Num::Bound(q))), b(Num::CardLiteral(deck, ace.clone()))))),
    };
    g.op(Op::RevealValue { to_var: leader, value: holder, show: ValueFormat::Player, to: None, listed: 0 });
    g.set(var(opening), n(1));
    g.place_label(sets);
    let players = Num::OverSeats { op: Fold::Count, bound: q, cond: Some(b(holding(q))), value: b(n(1)) };
    g.op(Op::Unless(cmp(Cmp::Gt, players, n(1)), end_round));
    g.set(var(leader), Num::FirstSeat { bound: q, from: b(Num::Var(leader)), cond: Some(b(holding(q))) });
    g.set(var(start), Num::Var(leader));
    g.set(var(step), n(0));
    g.place_label(circle);
    g.op(Op::Circle { start, step, seat: p, member: seats(q, holding(q)), exit: done });
    let play = Alternative {
        musts: vec![
            Must {
                cond: Num::CardMatches(deck, ace, b(Num::Bound(pc))),
                if_able: true,
                when: Some(and(Num::IsEmpty(Selection::Zone(at(TRICK))), Num::Var(opening))),
                reason: text("The Ace of Spades opens the round"),
            },
            Must {
                cond: eq(attr(SUIT, Num::Bound(pc)), led()),
                if_able: true,
                when: Some(not(Num::IsEmpty(Selection::Zone(at(TRICK))))),
                reason: text("You must follow suit"),
            },
        ],
        ..alternative("play", vec![part("c", pc, c, PartKind::Card(Selection::Zone(of(HAND, Num::Me))))], body)
    };
    g.ask(AskMode::One(Num::Var(p)), vec![play], after);
    g.place_label(body);
    g.op(Op::Move { what: Selection::One(b(Num::Var(c))), to: at(TRICK), face_down: false });
    g.set(var(opening), n(0));
    g.place_label(after);
    let cut = Num::OverCards {
        op: Fold::Any,
        bound: d,
        of: Selection::Zone(at(TRICK)),
        cond: Some(b(cmp(Cmp::Ne, attr(SUIT, Num::Bound(d)), led()))),
        value: b(n(1)),
    };
    g.op(Op::Unless(cut, circle));
    g.set(var(taker), best());
    g.op(Op::Announce {
        text: Text {
            parts: vec![
                TextPart::Plain("CUT! ".into()),
                TextPart::Value(Num::Var(taker), ValueFormat::Player),
                TextPart::Plain(" picks up ".into()),
                TextPart::Value(Num::Count(Selection::Zone(at(TRICK))), ValueFormat::Number),
            ],
        },
        kind: AnnounceKind::Shout,
        to: None,
    });
    g.op(Op::Move { what: Selection::Zone(at(TRICK)), to: of(HAND, Num::Var(taker)), face_down: false });
    g.set(var(leader), Num::Var(p));
    g.op(Op::Jump(sets));
    g.place_label(done);
    g.set(var(leader), best());
    g.op(Op::Move { what: Selection::Zone(at(TRICK)), to: at(WASTE), face_down: false });
    g.op(Op::Jump(sets));
    g.place_label(end_round);
    let loser = Num::FirstSeat { bound: q, from: b(n(0)), cond: Some(b(holding(q))) };
    g.set(var(taker), loser);
    let nobody = g.label();
    g.op(Op::Unless(eq(Num::Var(taker), n(NONE)), nobody));
    g.set(var(taker), Num::Var(p));
    g.place_label(nobody);
    g.op(Op::Add(elem(letters, Num::Var(taker)), n(1)));
    let lost = Num::OverSeats {
        op: Fold::Any,
        bound: q,
        cond: Some(b(eq(Num::At(letters, vec![Num::Bound(q)]), n(word)))),
        value: b(n(1)),
    };
    g.op(Op::Unless(lost, round));
    g.place_label(over);
    g.end(Outcome::Loser(Num::Var(taker)));
    g.finish()
}
