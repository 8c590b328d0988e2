//! Tests what the engine computes with numbers: operators at their limits, and places of tables.

use baize_rules::program::{Arith, NONE_VALUE, NumberTable};

#[test]
fn results_beyond_the_range_stay_at_its_end() {
    for (op, a, b, result) in [
        (Arith::Add, i32::MAX, 1, i32::MAX),
        (Arith::Sub, i32::MIN, 1, i32::MIN),
        (Arith::Mul, i32::MAX, -2, i32::MIN),
        (Arith::Div, 7, 0, 0),
        (Arith::Div, -7, 2, -3),
        (Arith::Mod, 7, 0, 0),
        (Arith::Mod, i32::MIN, -1, 0),
        (Arith::Min, -3, 2, -3),
        (Arith::Max, -3, 2, 2),
        (Arith::Power, 2, 10, 1024),
        (Arith::Power, -2, 3, -8),
        (Arith::Power, 0, 0, 1),
        (Arith::Power, 9, -1, 0),
        (Arith::Power, 14, 99, i32::MAX),
        (Arith::Power, -14, 99, i32::MIN),
    ] {
        assert_eq!(op.apply(a, b), result, "{a} {op:?} {b}");
    }
}

#[test]
fn a_place_that_a_table_does_not_have_gives_its_default() {
    let table = NumberTable { low: -1, values: vec![5, 6, 7], none: 0 };
    let read: Vec<i32> = [-2, -1, 0, 1, 2, i32::MAX, i32::MIN, NONE_VALUE].map(|at| table.value(at)).to_vec();
    assert_eq!(read, [0, 5, 6, 7, 0, 0, 0, 0]);
}
