//! Tests inputs: players join, leave, are absent, come back and are replaced.

use super::build::*;
use crate::frame::Status;
use crate::input::Input;
use crate::moves::Refusal;
use crate::table::Table;
use baize_rules::program::*;

/// A game that asks each player in turn for ever. `turns` counts the answers of each seat, `gone` the leavers and `came`
/// the newcomers.
struct EndlessGame {
    g: Build,
    turns: VarId,
    gone: VarId,
    came: VarId,
    ask: AskId,
}

fn endless_game(absent: AbsentPolicy) -> EndlessGame {
    let mut g = Build::new(1, 6);
    let turns = g.per_player("turns");
    let (gone, came) = (g.state("gone", number()), g.state("came", number()));
    let (start, step, p) = (g.local("start", Type::Player), g.local("step", number()), g.local("p", Type::Player));
    let (who, q) = (g.local("who", Type::Player), g.bound());
    let (round, circle, body, after, leaves, joins) =
        (g.label(), g.label(), g.label(), g.label(), g.label(), g.label());
    g.place_label(round);
    g.op(Op::Admit);
    g.set(var(start), n(0));
    g.set(var(step), n(0));
    g.place_label(circle);
    g.op(Op::Circle { start, step, seat: p, member: everyone(q), exit: round });
    let ask = g.ask(AskMode::One(Num::Var(p)), vec![alternative("go", vec![], body)], after);
    g.ask_mut(ask).absent = absent;
    g.place_label(body);
    g.op(Op::Add(elem(turns, Num::Me), n(1)));
    g.place_label(after);
    g.op(Op::Jump(circle));
    g.place_label(leaves);
    g.op(Op::Add(var(gone), n(1)));
    g.op(Op::Return);
    g.place_label(joins);
    g.op(Op::Add(var(came), n(1)));
    g.op(Op::Return);
    g.program.on_leave = Some(Hook { seat: who, body: leaves });
    g.program.on_join = Some(Hook { seat: who, body: joins });
    EndlessGame { g, turns, gone, came, ask }
}

fn status(table: &Table) -> Status {
    crate::with_table!(table, core => core.frame.status)
}

#[test]
fn seats_are_taken_before_the_start() {
    let mut table = Table::new(&endless_game(AbsentPolicy::Wait).g.game(3), [0; 32]);
    assert_eq!(table.start(), Err(Refusal::TooFewPlayers));
    table.input(&Input::Join { seat: 1, person: true }).unwrap();
    assert_eq!(table.input(&Input::Join { seat: 1, person: true }), Err(Refusal::SeatTaken));
    assert_eq!(table.input(&Input::Join { seat: 3, person: true }), Err(Refusal::SeatUnknown));
    assert_eq!(table.input(&Input::Leave { seat: 2 }), Err(Refusal::SeatEmpty));
    table.input(&Input::Join { seat: 2, person: false }).unwrap();
    table.input(&Input::Leave { seat: 2 }).unwrap();
    assert_eq!(answer(&mut table, 1, 0), Err(Refusal::NotStarted));
    table.start().unwrap();
    assert_eq!(table.start(), Err(Refusal::AlreadyStarted));
    assert_eq!(open(&table), [1]);
}

#[test]
fn newcomers_wait_for_admission_and_leavers_run_the_hook() {
    let r = endless_game(AbsentPolicy::Wait);
    let mut table = r.g.table(4);
    table.input(&Input::Leave { seat: 3 }).unwrap();
    table.start().unwrap();
    table.input(&Input::Join { seat: 3, person: true }).unwrap();
    answer(&mut table, 0, 0).unwrap();
    answer(&mut table, 1, 0).unwrap();
    assert_eq!((cell(&table, r.came, 0), open(&table)), (0, vec![2]));
    table.input(&Input::Leave { seat: 2 }).unwrap();
    assert_eq!(cell(&table, r.gone, 0), 1);
    assert_eq!((cell(&table, r.came, 0), open(&table)), (1, vec![0]), "next round, with the newcomer");
    for seat in [0, 1, 3] {
        answer(&mut table, seat, 0).unwrap();
    }
    assert_eq!([0, 1, 2, 3].map(|s| cell(&table, r.turns, s)), [2, 2, 0, 1]);
}

#[test]
fn a_game_without_newcomers_refuses_them() {
    let mut r = endless_game(AbsentPolicy::Wait);
    r.g.program.meta.newcomers_play = false;
    let mut table = r.g.table(2);
    table.input(&Input::Leave { seat: 1 }).unwrap();
    table.start().unwrap();
    assert_eq!(table.input(&Input::Join { seat: 1, person: true }), Err(Refusal::NoNewcomers));
}

#[test]
fn absence_waits_skips_or_takes_the_default() {
    let r = endless_game(AbsentPolicy::Wait);
    let mut table = r.g.table(3);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    assert_eq!(open(&table), [0], "the table waits for the absent seat");
    table.input(&Input::Present { seat: 0 }).unwrap();
    answer(&mut table, 0, 0).unwrap();

    let r = endless_game(AbsentPolicy::Skip);
    let mut table = r.g.table(3);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    assert_eq!(open(&table), [1]);
    table.input(&Input::Absent { seat: 2 }).unwrap();
    answer(&mut table, 1, 0).unwrap();
    assert_eq!(open(&table), [1], "the circle skips both absent seats");
    assert_eq!([0, 1, 2].map(|s| cell(&table, r.turns, s)), [0, 1, 0]);

    let r = endless_game(AbsentPolicy::Default);
    let mut table = r.g.table(3);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    assert_eq!(open(&table), [1]);
    table.input(&Input::Absent { seat: 2 }).unwrap();
    answer(&mut table, 1, 0).unwrap();
    assert_eq!([0, 1, 2].map(|s| cell(&table, r.turns, s)), [2, 1, 1]);
}

#[test]
fn a_table_waits_while_nobody_is_present() {
    for policy in [AbsentPolicy::Skip, AbsentPolicy::Default] {
        let r = endless_game(policy);
        let mut table = r.g.table(3);
        table.start().unwrap();
        for seat in [0, 1, 2] {
            table.input(&Input::Absent { seat }).unwrap();
        }
        assert!(table.outcome().is_none());
        let hash = table.state_hash();
        table.input(&Input::Nonce { seat: 0, bytes: vec![1] }).unwrap();
        assert_eq!(table.state_hash(), hash);
        table.input(&Input::Present { seat: 1 }).unwrap();
        assert_eq!(open(&table), [1]);
    }
    let r = endless_game(AbsentPolicy::Wait);
    let mut table = r.g.table(2);
    table.start().unwrap();
    for seat in [0, 1] {
        table.input(&Input::Leave { seat }).unwrap();
    }
    assert_eq!(status(&table), Status::Deserted);
    assert!(table.outcome().is_none());
    table.input(&Input::Join { seat: 1, person: true }).unwrap();
    assert_eq!(open(&table), [1], "the newcomer is admitted and asked");
}

#[test]
fn a_table_waits_if_the_rules_ask_only_absent_seats() {
    // The rules ask only seats 0 and 1. Seat 2 stays present.
    let mut r = endless_game(AbsentPolicy::Skip);
    for op in &mut r.g.program.code {
        if let Op::Circle { member, .. } = op {
            member.cond = Some(cmp(Cmp::Lt, Num::Bound(member.bound), n(2)));
        }
    }
    let mut table = r.g.table(3);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    table.input(&Input::Absent { seat: 1 }).unwrap();
    assert_eq!(status(&table), Status::Deserted);
    table.input(&Input::Present { seat: 1 }).unwrap();
    assert_eq!(open(&table), [1]);
}

#[test]
fn an_open_question_to_the_lead_passes_to_the_new_lead() {
    let mut g = Build::new(1, 3);
    let led = g.state("led", Type::Player);
    let (body, after) = (g.label(), g.label());
    g.ask(AskMode::One(Num::Lead), vec![alternative("next", vec![], body)], after);
    g.place_label(body);
    g.set(var(led), Num::Me);
    g.place_label(after);
    g.end(Outcome::Draw);
    let mut table = g.table(3);
    table.start().unwrap();
    assert_eq!(status(&table), Status::Deserted, "there is no lead yet");
    table.input(&Input::Lead { seat: Some(2) }).unwrap();
    assert_eq!(open(&table), [2]);
    let old = decision(&table, 2);
    table.input(&Input::Lead { seat: Some(1) }).unwrap();
    assert_eq!(open(&table), [1]);
    assert_eq!(table.play(2, &crate::moves::Move::plain(old, 0)), Err(Refusal::Closed));
    table.input(&Input::Lead { seat: None }).unwrap();
    assert_eq!(open(&table), [] as [u8; 0]);
    table.input(&Input::Lead { seat: Some(0) }).unwrap();
    answer(&mut table, 0, 0).unwrap();
    assert_eq!(cell(&table, led, 0), 0);
}

#[test]
fn a_decision_is_dropped_when_its_condition_holds() {
    let mut r = endless_game(AbsentPolicy::Wait);
    let gone = r.gone;
    let ask = r.ask;
    r.g.ask_mut(ask).drop_when = Some(cmp(Cmp::Gt, Num::Var(gone), n(0)));
    let turns = r.turns;
    // After the first leaver every decision is dropped at once, so the game would loop: it ends here instead.
    let done = r.g.label();
    let Some(Op::Jump(_)) = r.g.program.code.iter().find(|op| matches!(op, Op::Jump(_))) else { panic!() };
    let at = r.g.program.code.iter().position(|op| matches!(op, Op::Jump(_))).unwrap();
    r.g.program.code[at] = Op::Jump(done);
    r.g.place_label(done);
    r.g.end(Outcome::Void);
    let mut table = r.g.table(3);
    table.start().unwrap();
    table.input(&Input::Leave { seat: 2 }).unwrap();
    assert!(table.outcome().is_some());
    assert_eq!(cell(&table, turns, 0), 0);
}

#[test]
fn absence_for_too_long_jumps_where_the_rules_say() {
    let mut r = endless_game(AbsentPolicy::Wait);
    let (ask, turns) = (r.ask, r.turns);
    let elsewhere = r.g.new_label_here();
    r.g.end(Outcome::Draw);
    r.g.ask_mut(ask).absent_after = Some((n(30), elsewhere));
    let mut table = r.g.table(2);
    table.start().unwrap();
    let quoted = decision(&table, 0);
    assert_eq!(
        table.input(&Input::AbsentTimeout { decision: quoted, seat: 0 }),
        Err(Refusal::Closed),
        "the seat is present"
    );
    table.input(&Input::Absent { seat: 0 }).unwrap();
    table.input(&Input::AbsentTimeout { decision: quoted, seat: 0 }).unwrap();
    assert!(table.outcome().is_some());
    assert_eq!(cell(&table, turns, 0), 0);
}

#[test]
fn a_paused_table_changes_nothing_and_an_abandoned_one_ends() {
    let r = endless_game(AbsentPolicy::Skip);
    let mut table = r.g.table(3);
    table.start().unwrap();
    assert_eq!(table.input(&Input::Resume), Err(Refusal::NotPaused));
    table.input(&Input::Pause).unwrap();
    assert_eq!(answer(&mut table, 0, 0), Err(Refusal::Paused));
    table.input(&Input::Absent { seat: 0 }).unwrap();
    assert_eq!(open(&table), [0], "a paused table settles no decision");
    table.input(&Input::Resume).unwrap();
    assert_eq!(open(&table), [1]);
    table.input(&Input::Abandon).unwrap();
    assert_eq!(table.outcome().unwrap().kind, crate::frame::OutcomeKind::Abandoned);
    assert_eq!(table.input(&Input::Present { seat: 0 }), Err(Refusal::GameOver));
}

#[test]
fn a_bot_that_takes_a_seat_over_may_answer_for_it() {
    let r = endless_game(AbsentPolicy::Wait);
    let mut table = r.g.table(2);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    table.input(&Input::Replaced { seat: 0, person: false }).unwrap();
    assert_eq!(open(&table), [0]);
    answer(&mut table, 0, 0).unwrap();
    assert_eq!(cell(&table, r.turns, 0), 1);
}

#[test]
fn a_refused_start_says_what_the_game_requires() {
    let mut r = endless_game(AbsentPolicy::Wait);
    let q = r.g.bound();
    let players = Num::OverSeats { op: Fold::Count, bound: q, cond: None, value: b(n(1)) };
    r.g.program.requires.push((cmp(Cmp::Ge, players, n(2)), text("Two at least")));
    let mut table = Table::new(&r.g.game(3), [0; 32]);
    table.input(&Input::Join { seat: 0, person: true }).unwrap();
    match table.start() {
        Err(Refusal::Requires(line)) => assert!(format!("{line:?}").contains("Two at least")),
        other => panic!("{other:?}"),
    }
    table.input(&Input::Join { seat: 1, person: true }).unwrap();
    table.start().unwrap();
}
