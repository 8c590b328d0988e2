//! Games prepared for play, shared by all tables with the same rules, options, packs and seats: a table then holds no more
//! than what is different about it.

use crate::ActionRefusal;
use crate::encode;
use crate::identity::hash;
use crate::rules::Rules;
use crate::setup;
use baize_bots::Valuation;
use baize_engine::live::GameScene;
use baize_packs::Pack;
use baize_protocol::compact::Texts;
use baize_rows::{Hash, Unwritable};
use baize_rules::program::OptionValue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// What is good to have in a game, found out when a bot first needs it and shared by all bots at tables of that kind.
pub type SharedValuation = Arc<OnceLock<Valuation>>;

/// What tables of one kind have in common.
pub struct PreparedGame {
    pub stage: GameScene,
    /// What the wire can say by number.
    pub texts: Texts,
    /// The table's definition as clients fetch it, and its address.
    pub definition: Vec<u8>,
    pub address: Hash,
    /// What bots have found out about this kind of table.
    pub valuation: SharedValuation,
}

/// The prepared games in use. A game leaves with the last table of its kind. What is found here and what would be made anew
/// are equal, so a room that is given another cache does the same.
#[derive(Default)]
pub struct PreparedGames(Mutex<BTreeMap<Hash, Weak<PreparedGame>>>);

impl PreparedGames {
    /// `pack_hashes` name the packs, which are read only if no table of this kind is in use.
    pub fn get(
        &self,
        rules: &Rules,
        options: &[(String, OptionValue)],
        pack_hashes: &[Hash],
        packs: &[&Pack],
        seats: usize,
    ) -> Result<Arc<PreparedGame>, ActionRefusal> {
        let key = key(rules, options, pack_hashes, seats)?;
        if let Some(known) = self.lock().get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let game = setup::instantiate(rules, options, packs.iter().copied(), seats)?;
        let stage = GameScene::new(&game);
        let definition = stage.definition();
        let texts = Texts::new(definition.texts.clone());
        let definition = encode::json("a table's definition", &definition)?;
        let address = hash(&[&definition]);
        let valuation = SharedValuation::default();
        let prepared = Arc::new(PreparedGame { stage, texts, definition, address, valuation });
        let mut games = self.lock();
        games.retain(|_, game| game.strong_count() > 0);
        games.insert(key, Arc::downgrade(&prepared));
        Ok(prepared)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Hash, Weak<PreparedGame>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(rules: &Rules, options: &[(String, OptionValue)], packs: &[Hash], seats: usize) -> Result<Hash, Unwritable> {
    let options = encode::json("a game's options", options)?;
    let seats = seats.to_le_bytes();
    let packs = packs.concat();
    Ok(hash(&[&rules.pin.program, &rules.pin.semantics.to_le_bytes(), &seats, &packs, &options]))
}
