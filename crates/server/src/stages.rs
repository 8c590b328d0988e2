//! Games made ready to be played, shared by all tables with the same rules, options, packs and seats: a table is then no
//! more than what is different about it.

use crate::bots::SharedValuation;
use crate::encode::{self, Unwritable};
use crate::identity::hash;
use crate::library::Rules;
use crate::room::No;
use crate::setup;
use baize_engine::live::Stage;
use baize_packs::Pack;
use baize_protocol::compact::Texts;
use baize_rules::program::OptionValue;
use baize_store::Hash;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

/// What tables of one kind have in common.
pub struct Staged {
    pub stage: Stage,
    /// What the wire can say by number.
    pub texts: Texts,
    /// The table's definition as clients fetch it, and its address.
    pub definition: Vec<u8>,
    pub address: Hash,
    /// What bots have found out about this kind of table.
    pub valuation: SharedValuation,
}

/// Those in use. When the last table of a kind is gone, so is what it shared.
#[derive(Default)]
pub struct Stages(Mutex<HashMap<Hash, Weak<Staged>>>);

impl Stages {
    /// `pack_hashes` name the packs, which are read only if nobody has done this before.
    pub fn get(
        &self,
        rules: &Rules,
        options: &[(String, OptionValue)],
        pack_hashes: &[Hash],
        packs: &[&Pack],
        seats: usize,
    ) -> Result<Arc<Staged>, No> {
        let key = key(rules, options, pack_hashes, seats)?;
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        let game = setup::instantiate(rules, options, packs.iter().copied(), seats)?;
        let stage = Stage::new(&game);
        let definition = stage.definition();
        let texts = Texts::new(definition.texts.clone());
        let definition = encode::json("a table's definition", &definition)?;
        let address = hash(&[&definition]);
        let staged = Arc::new(Staged { stage, texts, definition, address, valuation: SharedValuation::default() });
        let mut stages = self.0.lock().expect("no panic under this lock");
        stages.retain(|_, stage| stage.strong_count() > 0);
        stages.insert(key, Arc::downgrade(&staged));
        Ok(staged)
    }

    fn known(&self, key: &Hash) -> Option<Arc<Staged>> {
        self.0.lock().expect("no panic under this lock").get(key)?.upgrade()
    }
}

fn key(rules: &Rules, options: &[(String, OptionValue)], packs: &[Hash], seats: usize) -> Result<Hash, Unwritable> {
    let options = encode::json("a game's options", options)?;
    let seats = seats.to_le_bytes();
    let packs = packs.concat();
    Ok(hash(&[&rules.pin.program, &rules.pin.semantics.to_le_bytes(), &seats, &packs, &options]))
}
