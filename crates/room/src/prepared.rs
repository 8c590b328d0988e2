//! Games prepared for play. All tables with the same rules, options, packs and number of seats share one, and each table holds
//! only its own state.

use crate::ActionRefusal;
use crate::encode;
use crate::identity::hash;
use crate::rules::Rules;
use crate::setup;
use baize_bots::Valuation;
use baize_engine::definition::TableDefinition;
use baize_engine::live::GameScene;
use baize_narrator::Narrator;
use baize_packs::Pack;
use baize_protocol::compact::TextNumbers;
use baize_rows::{Hash, Unwritable};
use baize_rules::program::OptionValue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// What bots learn about a game by playing it at random. The first bot that needs the valuation computes it, and all bots at
/// tables of this kind share it.
pub type SharedValuation = Arc<OnceLock<Valuation>>;

/// The parts that tables of one kind share.
pub struct PreparedGame {
    pub scene: GameScene,
    /// The game's texts and the narrator's phrases, which messages quote by number.
    pub texts: TextNumbers,
    /// What the narrator knows of the table: its definition without faces and texts.
    pub narrated: TableDefinition,
    /// The table's definition as clients fetch it, and its hash.
    pub definition: Vec<u8>,
    pub address: Hash,
    pub valuation: SharedValuation,
}

impl PreparedGame {
    /// Tells what happens at tables of this kind.
    pub fn narrator(&self) -> Narrator<'_> {
        Narrator { table: &self.narrated }
    }
}

/// The prepared games in use. A game is dropped with the last table of its kind. A game that is prepared again is equal, so the
/// cache does not change what a room does.
#[derive(Default)]
pub struct PreparedGames(Mutex<BTreeMap<Hash, Weak<PreparedGame>>>);

impl PreparedGames {
    /// Returns the shared game, or prepares it. `pack_hashes` identify the packs; `packs` are the same packs with their cards.
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
        let scene = GameScene::new(&game);
        let mut narrated = scene.definition();
        let phrases = baize_narrator::phrases(&narrated).into_iter().map(|phrase| vec![phrase]);
        let phrases: Vec<_> = phrases.filter(|phrase| !narrated.texts.contains(phrase)).collect();
        narrated.texts.extend(phrases);
        let definition = encode::json("a table's definition", &narrated)?;
        let texts = TextNumbers::new(std::mem::take(&mut narrated.texts));
        narrated.faces = Vec::new();
        let address = hash(&[&definition]);
        let valuation = SharedValuation::default();
        let prepared = Arc::new(PreparedGame { scene, texts, narrated, definition, address, valuation });
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
