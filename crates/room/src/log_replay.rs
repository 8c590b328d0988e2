//! A game's log, played again for one viewer alone.
//!
//! While a game goes on, a step is told to those who sit at the table, and to spectators if there are any. Everything a viewer
//! sees follows from seed and log. So whoever comes to watch later gets what one has who was there from the start, and the
//! replay is written when the game is over, in one go.

use crate::prepared::PreparedGame;
use crate::record::{GameRecord, Logged, Step};
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::Refusal;
use baize_engine::observe::SavedObserver;
use baize_engine::view::Viewer;
use baize_protocol::compact::{Texts, write};
use baize_rows::LogRow;

/// Hand in the rows after [`seq`](LogReplay::seq), page by page, until there are no more.
pub struct LogReplay {
    game: String,
    live: LiveTable,
    viewer: Viewer,
    upto: u64,
    /// Every batch so far, as JSON without the closing bracket.
    batches: Vec<u8>,
}

impl LogReplay {
    /// For what spectators have after `upto` steps.
    pub fn for_spectators(prepared: &PreparedGame, record: &GameRecord, upto: u64) -> Self {
        LogReplay::new(prepared, record, Viewer::Spectator, upto)
    }

    /// For what the replay of a finished game shows.
    pub fn for_replay(prepared: &PreparedGame, record: &GameRecord) -> Self {
        LogReplay::new(prepared, record, Viewer::Replay, u64::MAX)
    }

    fn new(prepared: &PreparedGame, record: &GameRecord, viewer: Viewer, upto: u64) -> Self {
        let live = prepared.stage.table(record.seed).only(viewer);
        LogReplay { game: record.id.clone(), live, viewer, upto, batches: vec![b'['] }
    }

    /// The last step that was played.
    pub fn seq(&self) -> u64 {
        self.live.seq()
    }

    /// Whether no more rows are wanted although there may be some.
    pub fn is_complete(&self) -> bool {
        self.live.seq() >= self.upto
    }

    /// Plays these rows. The error says what is wrong with the log.
    pub fn handle_rows(&mut self, rows: &[LogRow]) -> Result<(), String> {
        let failed = |what: &str| format!("{}: {what}", self.game);
        for row in rows.iter().take_while(|row| row.seq <= self.upto) {
            let logged: Logged = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
            let told = apply(&mut self.live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
            if told.seq != row.seq {
                return Err(failed("the log has a gap"));
            }
            // Spelled out, so that the replay can be read without anything else.
            if let Some(batch) = told.of(Viewer::Replay).filter(|_| self.viewer == Viewer::Replay) {
                if self.batches.len() > 1 {
                    self.batches.push(b',');
                }
                write(batch, &[], &Texts::default(), &mut self.batches);
            }
        }
        Ok(())
    }

    /// What spectators remember by now.
    pub fn into_spectators(self) -> Option<SavedObserver> {
        self.live.observer(Viewer::Spectator).map(|observer| observer.save())
    }

    /// Every batch of the replay as JSON.
    pub fn into_batches(mut self) -> Vec<u8> {
        self.batches.push(b']');
        self.batches
    }
}

/// Puts one logged step into a game.
pub fn apply(live: &mut LiveTable, step: &Step) -> Result<StepBatches, Refusal> {
    match step {
        Step::Move { seat, answer } => live.play(*seat, answer),
        Step::Input(input) => live.input(input),
    }
}
