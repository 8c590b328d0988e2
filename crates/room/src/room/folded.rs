//! A game that can be folded up while nobody moves: some hundred bytes instead of everybody's views.

use crate::prepared::PreparedGame;
use baize_engine::live::LiveTable;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Used like the table it holds. Looking at a folded one unfolds it.
pub struct Foldable {
    prepared: Arc<PreparedGame>,
    open: OnceCell<Box<LiveTable>>,
    /// What it was saved as when it was folded.
    folded: Vec<u8>,
}

impl Foldable {
    pub fn new(prepared: Arc<PreparedGame>, live: LiveTable) -> Self {
        Foldable { prepared, open: OnceCell::from(Box::new(live)), folded: Vec::new() }
    }

    pub fn prepared(&self) -> &Arc<PreparedGame> {
        &self.prepared
    }

    pub fn is_folded(&self) -> bool {
        self.open.get().is_none()
    }

    pub fn fold(&mut self) {
        // One that can't be saved stays as it is.
        if let Some(Ok(saved)) = self.open.get().map(|live| live.save()) {
            self.open.take();
            self.folded = saved;
            self.folded.shrink_to_fit();
        }
    }

    fn unfolded(&self) -> &LiveTable {
        self.open.get_or_init(|| {
            // Saved by this very program a while ago; the laws of the engine say that it comes back the same.
            Box::new(self.prepared.stage.load(&self.folded).expect("what was folded can be unfolded"))
        })
    }
}

impl Deref for Foldable {
    type Target = LiveTable;

    fn deref(&self) -> &LiveTable {
        self.unfolded()
    }
}

impl DerefMut for Foldable {
    fn deref_mut(&mut self) -> &mut LiveTable {
        self.unfolded();
        self.folded = Vec::new();
        self.open.get_mut().expect("just unfolded")
    }
}
