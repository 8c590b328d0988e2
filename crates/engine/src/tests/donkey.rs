//! Tests a whole trick game in the interpreter.

use super::build::*;
use super::donkey_rules::{HAND, TRICK, donkey};
use crate::moves::{Move, Refusal};
use crate::table::{LoadError, SAVE_FORMAT, Table};
use crate::with_table;

#[test]
fn random_games_end_with_a_loser_or_at_the_limit() {
    for seats in [2, 4, 8] {
        let game = make(donkey(1), seats);
        let mut lost = 0;
        for seed in 0..40 {
            let mut table = seated(&game, seats);
            with_table!(&mut table, core => *core = crate::table::Core::new(core.instance.clone(), [seed as u8; 32]));
            for seat in 0..seats as u8 {
                table.input(&crate::input::Input::Join { seat, person: true }).unwrap();
            }
            table.start().unwrap();
            random_play(&mut table, seed, 3_000);
            let outcome = table.outcome().expect("ended");
            assert!(outcome.fault.is_none());
            lost += (outcome.losers.count_ones() == 1) as u32;
        }
        assert!(lost >= 20, "{seats} seats: {lost}");
    }
}

#[test]
fn the_ace_of_spades_opens_and_others_follow_suit() {
    let mut table = seated(&make(donkey(1), 4), 4);
    table.start().unwrap();
    let [seat] = open(&table)[..] else { panic!() };
    let ace = 51;
    assert!(cards(&table, HAND, seat as usize).contains(&ace));
    let other = *cards(&table, HAND, seat as usize).iter().find(|c| **c != ace).unwrap();
    let hash = table.state_hash();
    match answer_number(&mut table, seat, 0, other as i32) {
        Err(Refusal::NotLegal(line)) => assert!(format!("{line:?}").contains("Ace of Spades")),
        other => panic!("{other:?}"),
    }
    assert_eq!(table.state_hash(), hash, "a refused move changes nothing");
    let foreign = (0..52).find(|c| !cards(&table, HAND, seat as usize).contains(c)).unwrap();
    assert_eq!(answer_number(&mut table, seat, 0, foreign as i32), Err(Refusal::NotACandidate));
    assert_eq!(answer_number(&mut table, seat, 0, -5), Err(Refusal::NotACandidate));
    assert_eq!(answer_number(&mut table, seat, 3, 1), Err(Refusal::UnknownAlternative));
    assert_eq!(answer(&mut table, seat, 0), Err(Refusal::WrongParts));
    let late = decision(&table, seat);
    answer_number(&mut table, seat, 0, ace as i32).unwrap();
    assert_eq!(cards(&table, TRICK, 0), [ace]);
    assert_eq!(table.play(seat, &Move::number(late, 0, 3)), Err(Refusal::Closed));
    let [next] = open(&table)[..] else { panic!() };
    let now = decision(&table, next);
    assert_eq!(table.play(seat, &Move::number(now, 0, 3)), Err(Refusal::NotYours));
    assert_eq!(table.play(seat, &Move::number(999, 0, 3)), Err(Refusal::NoDecision));
    let hand = cards(&table, HAND, next as usize);
    let legal = table.legal(next).unwrap();
    if hand.iter().any(|c| c / 13 == 3) {
        assert_eq!(legal.count(), hand.iter().filter(|c| **c / 13 == 3).count() as u64);
    } else {
        assert_eq!(legal.count(), hand.len() as u64);
    }
}

#[test]
fn a_loaded_table_continues_like_the_saved_one() {
    let game = make(donkey(2), 5);
    let mut table = seated(&game, 5);
    table.start().unwrap();
    random_play(&mut table, 3, 60);
    let bytes = table.save().unwrap();
    assert_eq!(bytes[..4], SAVE_FORMAT.to_le_bytes());
    let mut loaded = Table::load(&game, &bytes).unwrap();
    assert_eq!(loaded.state_hash(), table.state_hash());
    random_play(&mut table, 4, 400);
    random_play(&mut loaded, 4, 400);
    assert_eq!(loaded.state_hash(), table.state_hash());
    let mut of_other_format = bytes.clone();
    of_other_format[0] += 1;
    assert_eq!(Table::load(&game, &of_other_format).err(), Some(LoadError::Format(SAVE_FORMAT + 1)));
    assert!(Table::load(&game, &bytes[..bytes.len() - 3]).is_err());
    assert!(Table::load(&make(donkey(2), 4), &bytes).is_err());
}

#[test]
fn a_frame_takes_less_than_two_kilobytes() {
    let game = make(donkey(1), 8);
    let mut table = seated(&game, 8);
    table.start().unwrap();
    random_play(&mut table, 3, 20);
    let Table::Small(core) = &table else { panic!() };
    let frame = &core.frame;
    let size = std::mem::size_of_val(frame)
        + std::mem::size_of_val(&*frame.cells)
        + std::mem::size_of_val(&*frame.sets)
        + std::mem::size_of_val(&*frame.lists)
        + std::mem::size_of_val(&*frame.by)
        + std::mem::size_of_val(&*frame.seats);
    assert!(size < 2048, "{size}");
}
