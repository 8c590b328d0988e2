//! A game that hibernates while nobody moves: it keeps some hundred bytes instead of everybody's views.

use crate::prepared::PreparedGame;
use baize_engine::live::LiveTable;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Dereferences to the table. Any use of a hibernating table wakes it.
pub struct HibernatingTable {
    prepared: Arc<PreparedGame>,
    open: OnceCell<Box<LiveTable>>,
    /// The saved table, while it hibernates.
    saved: Vec<u8>,
}

impl HibernatingTable {
    pub fn new(prepared: Arc<PreparedGame>, live: LiveTable) -> Self {
        HibernatingTable { prepared, open: OnceCell::from(Box::new(live)), saved: Vec::new() }
    }

    pub fn prepared(&self) -> &Arc<PreparedGame> {
        &self.prepared
    }

    pub fn is_hibernating(&self) -> bool {
        self.open.get().is_none()
    }

    pub fn hibernate(&mut self) {
        // A table that cannot be saved stays in memory.
        if let Some(Ok(saved)) = self.open.get().map(|live| live.save()) {
            self.open.take();
            self.saved = saved;
            self.saved.shrink_to_fit();
        }
    }

    fn wake(&self) -> &LiveTable {
        self.open.get_or_init(|| {
            // This process saved the bytes, and the engine's laws hold that a saved table loads as it was.
            Box::new(self.prepared.scene.load(&self.saved).expect("a saved table loads"))
        })
    }
}

impl Deref for HibernatingTable {
    type Target = LiveTable;

    fn deref(&self) -> &LiveTable {
        self.wake()
    }
}

impl DerefMut for HibernatingTable {
    fn deref_mut(&mut self) -> &mut LiveTable {
        self.wake();
        self.saved = Vec::new();
        self.open.get_mut().expect("the table is awake")
    }
}
