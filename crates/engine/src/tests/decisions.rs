//! Tests every mode of asking: one seat, sealed answers of all, the first answer wins, and `together` blocks.

use super::build::*;
use crate::input::Input;
use crate::moves::{Move, Refusal};
use crate::sink::RawEvent;
use crate::table::Table;
use baize_rules::program::*;

/// Builds a game in which everybody picks a number in secret. The body of each answer adds ten times the number to the
/// seat's score, and appends the seat to `order` as a digit. Returns the variables `score` and `order`, and the ask.
fn sealed_game() -> (Build, VarId, VarId, AskId) {
    let mut g = Build::new(2, 4);
    let score = g.per_player("score");
    let order = g.state("order", number());
    let pick = g.seat_local("pick", number());
    let (q, bound) = (g.bound(), g.bound());
    let (next, done, body) = (g.label(), g.label(), g.label());
    let part = part("n", bound, pick, PartKind::Number { low: n(1), high: n(5) });
    let ask = g.ask(AskMode::All(everyone(q)), vec![alternative("pick", vec![part], body)], next);
    g.place_label(next);
    g.op(Op::NextAnswer(ask));
    g.op(Op::Jump(done));
    g.place_label(body);
    g.op(Op::Add(elem(score, Num::Me), Num::Arith(Arith::Mul, b(Num::Var(pick)), b(n(10)))));
    g.set(var(order), add(Num::Arith(Arith::Mul, b(Num::Var(order)), b(n(10))), add(Num::Me, n(1))));
    g.op(Op::Jump(next));
    g.place_label(done);
    g.end(Outcome::Ranking {
        bound: q,
        by: Num::At(score, vec![Num::Bound(q)]),
        highest_first: true,
        then: Vec::new(),
    });
    (g, score, order, ask)
}

#[test]
fn sealed_answers_are_executed_in_seat_order_when_all_have_answered() {
    let (g, score, order, _) = sealed_game();
    let mut table = g.table(3);
    table.start().unwrap();
    assert_eq!(open(&table), [0, 1, 2]);
    let shared = decision(&table, 0);
    assert_eq!(decision(&table, 2), shared, "all seats share one decision");
    answer_number(&mut table, 2, 0, 5).unwrap();
    assert_eq!(cell(&table, score, 2), 0, "nothing happens before all have answered");
    assert_eq!(answer_number(&mut table, 2, 0, 4), Err(Refusal::Answered), "an answer can't be taken back");
    assert_eq!(answer_number(&mut table, 1, 0, 6), Err(Refusal::NotACandidate));
    answer_number(&mut table, 0, 0, 3).unwrap();
    answer_number(&mut table, 1, 0, 5).unwrap();
    assert_eq!([0, 1, 2].map(|s| cell(&table, score, s)), [30, 50, 50]);
    assert_eq!(cell(&table, order, 0), 123);
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.ranks[..4], [3, 1, 1, 0]);
    assert_eq!(outcome.winners, 0b110);
    assert_eq!(table.play(0, &Move::number(shared, 0, 1)), Err(Refusal::GameOver));
}

#[test]
fn a_sealed_ask_does_not_wait_for_a_seat_that_leaves() {
    let (g, score, order, _) = sealed_game();
    let mut table = g.table(3);
    table.start().unwrap();
    answer_number(&mut table, 2, 0, 5).unwrap();
    answer_number(&mut table, 1, 0, 1).unwrap();
    table.input(&Input::Leave { seat: 0 }).unwrap();
    assert_eq!(cell(&table, order, 0), 23);
    assert_eq!(cell(&table, score, 0), 0);
    assert!(table.outcome().is_some());
}

#[test]
fn a_leaver_answers_with_the_default_if_the_rules_say_so() {
    let (mut g, score, _, ask) = sealed_game();
    g.ask_mut(ask).gone_default = true;
    let mut table = g.table(2);
    table.start().unwrap();
    table.input(&Input::Leave { seat: 0 }).unwrap();
    answer_number(&mut table, 1, 0, 2).unwrap();
    assert_eq!(cell(&table, score, 0), 10, "the first legal number");
}

#[test]
fn a_timeout_takes_the_default_skips_pauses_or_jumps() {
    let with = |then: TimeoutAction, elsewhere: bool| {
        let (mut g, score, _, ask) = sealed_game();
        let other = g.label();
        let then = if elsewhere { TimeoutAction::Goto(other) } else { then };
        g.ask_mut(ask).within = Some(TimeLimit { seconds: n(30), then });
        g.place_label(other);
        g.end(Outcome::Void);
        let mut table = g.table(2);
        table.start().unwrap();
        answer_number(&mut table, 1, 0, 2).unwrap();
        let quoted = decision(&table, 0);
        assert_eq!(table.input(&Input::Timeout { decision: quoted + 7 }), Err(Refusal::NoDecision));
        table.input(&Input::Timeout { decision: quoted }).unwrap();
        (table, score, quoted)
    };
    let (table, score, _) = with(TimeoutAction::Default, false);
    assert_eq!((cell(&table, score, 0), cell(&table, score, 1)), (10, 20));
    let (table, score, _) = with(TimeoutAction::Skip, false);
    assert_eq!((cell(&table, score, 0), cell(&table, score, 1)), (0, 20));
    let (mut table, score, quoted) = with(TimeoutAction::Pause, false);
    assert_eq!(answer_number(&mut table, 0, 0, 1), Err(Refusal::Paused));
    assert_eq!(table.input(&Input::Timeout { decision: quoted }), Err(Refusal::Paused));
    table.input(&Input::Resume).unwrap();
    answer_number(&mut table, 0, 0, 1).unwrap();
    assert_eq!(cell(&table, score, 0), 10);
    let (table, score, _) = with(TimeoutAction::Skip, true);
    assert_eq!((cell(&table, score, 0), cell(&table, score, 1)), (0, 0), "sealed answers are dropped");
    assert!(table.outcome().is_some());
}

/// Builds a challenge that anybody may call or pass. `caller` becomes the first seat that calls.
fn challenge_game() -> (Build, VarId) {
    let mut g = Build::new(2, 4);
    let caller = g.state("caller", Type::Player);
    let q = g.bound();
    let (call, after) = (g.label(), g.label());
    g.ask(
        AskMode::First(everyone(q)),
        vec![alternative("call", vec![], call), alternative("pass", vec![], after)],
        after,
    );
    g.place_label(call);
    g.set(var(caller), Num::Me);
    g.place_label(after);
    g.end(Outcome::Draw);
    (g, caller)
}

#[test]
fn the_first_answer_wins_and_closes_the_decisions_of_others() {
    let (g, caller) = challenge_game();
    let mut table = g.table(4);
    table.start().unwrap();
    answer(&mut table, 3, 1).unwrap();
    assert_eq!(answer(&mut table, 3, 0), Err(Refusal::Answered));
    let events = answer(&mut table, 2, 0).unwrap();
    assert_eq!(cell(&table, caller, 0), 2);
    let closed = events.iter().filter(|e| matches!(e, RawEvent::DecisionClosed { .. })).count();
    assert_eq!(closed, 3);
}

#[test]
fn the_rules_go_on_when_all_seats_pass() {
    let (g, caller) = challenge_game();
    let mut table = g.table(2);
    table.start().unwrap();
    answer(&mut table, 0, 1).unwrap();
    assert!(table.outcome().is_none());
    answer(&mut table, 1, 1).unwrap();
    assert_eq!(cell(&table, caller, 0), NONE);
    assert!(table.outcome().is_some());
}

/// Builds a `together` block in which every seat picks two numbers at its own pace. Each seat's sum becomes its score.
fn together_game(absent: AbsentPolicy) -> (Build, VarId) {
    let mut g = Build::new(2, 4);
    let score = g.per_player("score");
    let (pick, turn) = (g.seat_local("pick", number()), g.seat_local("turn", number()));
    let (q, bound) = (g.bound(), g.bound());
    let (body, again, chosen, after, done, end) = (g.label(), g.label(), g.label(), g.label(), g.label(), g.label());
    g.program.togethers.push(TogetherBlock {
        over: everyone(q),
        body,
        after: end,
        within: None,
        absent,
        span: Default::default(),
    });
    g.op(Op::Together(0));
    g.place_label(body);
    g.set(var(turn), n(0));
    g.place_label(again);
    g.op(Op::CountTo { var: turn, high: n(2), exit: done });
    let part = part("n", bound, pick, PartKind::Number { low: n(1), high: n(5) });
    g.ask(AskMode::One(Num::Me), vec![alternative("pick", vec![part], chosen)], after);
    g.place_label(chosen);
    g.op(Op::Add(elem(score, Num::Me), Num::Var(pick)));
    g.place_label(after);
    g.op(Op::Jump(again));
    g.place_label(done);
    g.op(Op::ThreadEnd);
    g.place_label(end);
    g.end(Outcome::Ranking {
        bound: q,
        by: Num::At(score, vec![Num::Bound(q)]),
        highest_first: true,
        then: Vec::new(),
    });
    (g, score)
}

fn scores(table: &Table, score: VarId) -> [i32; 3] {
    [0, 1, 2].map(|s| cell(table, score, s))
}

#[test]
fn threads_of_a_block_run_independently() {
    let (g, score) = together_game(AbsentPolicy::Wait);
    let mut table = g.table(3);
    table.start().unwrap();
    assert_eq!(open(&table), [0, 1, 2]);
    assert_ne!(decision(&table, 0), decision(&table, 1), "each seat has a decision of its own");
    answer_number(&mut table, 1, 0, 5).unwrap();
    answer_number(&mut table, 1, 0, 4).unwrap();
    assert_eq!(open(&table), [0, 2]);
    answer_number(&mut table, 0, 0, 1).unwrap();
    answer_number(&mut table, 2, 0, 1).unwrap();
    answer_number(&mut table, 2, 0, 2).unwrap();
    assert!(table.outcome().is_none());
    answer_number(&mut table, 0, 0, 1).unwrap();
    assert_eq!(scores(&table, score), [2, 9, 3]);
    assert!(table.outcome().is_some());
}

#[test]
fn a_block_that_skips_absent_seats_still_accepts_their_answers() {
    let (g, score) = together_game(AbsentPolicy::Skip);
    let mut table = g.table(3);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    table.input(&Input::Absent { seat: 1 }).unwrap();
    assert_eq!(open(&table), [0, 1, 2], "absent seats may come back and answer");
    table.input(&Input::Present { seat: 1 }).unwrap();
    for _ in 0..2 {
        answer_number(&mut table, 2, 0, 1).unwrap();
    }
    assert!(table.outcome().is_none(), "the block waits for seat 1");
    for _ in 0..2 {
        answer_number(&mut table, 1, 0, 3).unwrap();
    }
    assert_eq!(scores(&table, score), [0, 6, 2]);
    assert!(table.outcome().is_some());
}

#[test]
fn a_block_waits_while_all_its_seats_are_absent() {
    let (g, _) = together_game(AbsentPolicy::Skip);
    let mut table = g.table(2);
    table.start().unwrap();
    table.input(&Input::Absent { seat: 0 }).unwrap();
    table.input(&Input::Absent { seat: 1 }).unwrap();
    assert!(table.outcome().is_none());
    assert_eq!(open(&table), [0, 1]);
    table.input(&Input::Leave { seat: 1 }).unwrap();
    assert_eq!(open(&table), [0]);
    table.input(&Input::Present { seat: 0 }).unwrap();
    answer_number(&mut table, 0, 0, 1).unwrap();
    answer_number(&mut table, 0, 0, 1).unwrap();
    assert!(table.outcome().is_some());
}

#[test]
fn threads_of_absent_seats_take_defaults_if_the_rules_say_so() {
    let (g, score) = together_game(AbsentPolicy::Default);
    let mut table = g.table(3);
    table.input(&Input::Absent { seat: 1 }).unwrap();
    table.start().unwrap();
    assert_eq!(open(&table), [0, 2]);
    assert_eq!(scores(&table, score), [0, 2, 0]);
}

#[test]
fn a_timeout_of_a_block_ends_all_its_threads() {
    for then in [TimeoutAction::Default, TimeoutAction::Skip] {
        let (mut g, score) = together_game(AbsentPolicy::Wait);
        g.program.togethers[0].within = Some(TimeLimit { seconds: n(9), then });
        let mut table = g.table(3);
        table.start().unwrap();
        answer_number(&mut table, 0, 0, 5).unwrap();
        let block = crate::with_table!(&table, core => core.frame.decision);
        table.input(&Input::Timeout { decision: block }).unwrap();
        assert!(table.outcome().is_some());
        let expected = if then == TimeoutAction::Default { [6, 2, 2] } else { [5, 0, 0] };
        assert_eq!(scores(&table, score), expected);
    }
}

/// Phase 0 offers nothing, phase 1 two alternatives, phase 2 the one for when nothing else is legal, phase 3 nothing.
#[test]
fn alternatives_are_offered_by_condition_as_a_last_resort_or_as_continue() {
    let mut g = Build::new(1, 2);
    let phase = g.state("phase", number());
    let (again, after) = (g.label(), g.label());
    g.place_label(again);
    let of = |name: &str, phase_is: i32| Alternative {
        when: Some(eq(Num::Var(phase), n(phase_is))),
        ..alternative(name, vec![], after)
    };
    let spare = Alternative { if_none: true, ..of("spare", 2) };
    g.ask(AskMode::One(n(0)), vec![of("first", 1), spare, of("second", 1)], after);
    g.place_label(after);
    g.op(Op::Add(var(phase), n(1)));
    g.op(Op::Unless(eq(Num::Var(phase), n(4)), again));
    g.end(Outcome::Void);
    let mut table = g.table(1);
    table.start().unwrap();
    // No alternative is legal, so the seat can only continue.
    let legal = table.legal(0).unwrap();
    assert_eq!(legal.count(), 1);
    assert_eq!(legal.nth(0).alternative, crate::moves::CONTINUE);
    assert_eq!(answer(&mut table, 0, 0), Err(Refusal::NotNow));
    assert_eq!(table.default_move(0).unwrap().alternative, crate::moves::CONTINUE);
    answer(&mut table, 0, crate::moves::CONTINUE).unwrap();
    let legal = table.legal(0).unwrap();
    assert_eq!((0..2).map(|i| legal.nth(i).alternative).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(answer(&mut table, 0, 1), Err(Refusal::NotNow));
    assert_eq!(answer(&mut table, 0, crate::moves::CONTINUE), Err(Refusal::UnknownAlternative));
    answer(&mut table, 0, 2).unwrap();
    assert_eq!(table.legal(0).unwrap().nth(0).alternative, 1, "the last resort");
    answer(&mut table, 0, 1).unwrap();
    answer(&mut table, 0, crate::moves::CONTINUE).unwrap();
    assert!(table.outcome().is_some());
}

#[test]
fn a_step_over_budget_is_rolled_back_and_the_table_ends_void() {
    let mut g = Build::new(1, 1);
    let count = g.state("count", number());
    let (body, after, spin) = (g.label(), g.label(), g.label());
    g.ask(AskMode::One(n(0)), vec![alternative("go", vec![], body)], after);
    g.place_label(body);
    g.set(var(count), n(77));
    g.place_label(spin);
    g.op(Op::Add(var(count), n(1)));
    g.op(Op::Jump(spin));
    g.place_label(after);
    g.end(Outcome::Void);
    let mut table = g.table(1);
    table.start().unwrap();
    let events = answer(&mut table, 0, 0).unwrap();
    assert_eq!(cell(&table, count, 0), 0, "the step was rolled back");
    assert!(events.iter().all(|e| !matches!(e, RawEvent::CellSet { .. })));
    assert!(events.contains(&RawEvent::Ended));
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.kind, crate::frame::OutcomeKind::Void);
    assert!(table.fault().is_some(), "the fault names a line of the rules");
    assert!(open(&table).is_empty());
}

#[test]
fn an_endless_game_ends_at_its_limit_of_moves() {
    let mut g = Build::new(1, 1);
    g.program.meta.limit = 5;
    g.program.meta.limit_outcome = LimitOutcome::Draw;
    let again = g.new_label_here();
    g.ask(AskMode::One(n(0)), vec![alternative("go", vec![], again)], again);
    let mut table = g.table(1);
    table.start().unwrap();
    for _ in 0..5 {
        assert!(table.outcome().is_none());
        answer(&mut table, 0, 0).unwrap();
    }
    assert_eq!(table.outcome().unwrap().kind, crate::frame::OutcomeKind::Draw);
}
