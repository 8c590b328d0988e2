//! Random answers, legal and not.

use super::GameRun;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::live::LiveTable;
use baize_engine::moves::Move;
use baize_engine::view::{Answer, Chosen, Viewer};
use baize_engine::with_sight;

impl GameRun<'_> {
    pub(super) fn answer(&mut self, seat: u8) -> Result<Move, String> {
        let sight = self.table.sight(Viewer::Seat(seat));
        with_sight!(&sight, sight => {
            let legal = sight.instance().legal(sight.frame(), seat).ok_or("asked, but nothing is legal")?;
            Ok(legal.sample_with_text(&mut self.chance, "Something to say"))
        })
    }
}

/// Checks answers that a hostile client might send. An accepted answer may change the table, a refused one must not.
pub(super) fn refusals_change_nothing(table: &LiveTable, chance: &mut FastChance) -> Result<(), String> {
    let before = table.save();
    for _ in 0..4 {
        let seat = chance.below(5) as u8;
        let decision = table.view(Viewer::Seat(seat)).and_then(|v| v.decision.as_ref()).map_or(1, |d| d.id);
        let parts = match chance.below(5) {
            0 => vec![],
            1 => vec![Chosen::Card(chance.below(40))],
            2 => vec![Chosen::Number(chance.below(60) as i32 - 3)],
            3 => vec![Chosen::Text("a\u{7}b".to_owned())],
            _ => vec![Chosen::Cards(vec![1, 1, chance.below(9)])],
        };
        let answer = Answer { decision: decision + chance.below(2), alternative: chance.below(3) as u16, parts };
        let mut copy = table.clone();
        if copy.answer(seat, &answer).is_err() && copy.save() != before {
            return Err(format!("a refused {answer:?} changed the table"));
        }
    }
    Ok(())
}
