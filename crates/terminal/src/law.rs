//! A law for tests: the table accepts every answer that [`choices`] lists.

use crate::{Terminal, choices};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::laws::viewers;
use baize_engine::live::LiveTable;
use baize_engine::view::{Chosen, Viewer};

/// How many answers the law tries for each seat.
const OFFERS: usize = 24;

/// Tries some of the listed answers of each seat on a copy of the table; returns the first one that the table refuses.
pub fn offers_are_accepted(table: &LiveTable, seed: u64) -> Result<(), String> {
    let definition = table.definition();
    let terminal = Terminal { table: &definition, names: &[], you: None };
    let mut chance = FastChance::new(seed);
    for viewer in viewers(table) {
        let (Viewer::Seat(seat), Some(view)) = (viewer, table.view(viewer)) else { continue };
        if view.paused {
            continue;
        }
        let mut offered = choices(&terminal, view, 2_000);
        for _ in 0..OFFERS.min(offered.len()) {
            let mut choice = offered.swap_remove(chance.below(offered.len() as u32) as usize);
            for part in choice.typed {
                choice.answer.parts[part] = Chosen::Text("text".to_owned());
            }
            if let Err(refusal) = table.clone().answer(seat, &choice.answer) {
                return Err(format!("seat {seat} is offered “{}”, and it is refused: {refusal:?}", choice.label));
            }
        }
    }
    Ok(())
}
