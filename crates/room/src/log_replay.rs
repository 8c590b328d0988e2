//! Plays a game's log again for one viewer.
//!
//! While a game runs, the room makes batches for the players, and for spectators only if there are any. Everything that a
//! viewer sees follows from seed and log. So when somebody comes to watch later, playing the log again gives the state of a
//! spectator who was there from the start; and the replay is written in one go when the game has ended.

use crate::prepared::PreparedGame;
use crate::record::{GameRecord, LogRecord, LoggedInput};
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::Refusal;
use baize_engine::observe::SavedObserver;
use baize_engine::view::Viewer;
use baize_protocol::compact::{TextNumbers, write};
use baize_rows::LogRow;

/// Plays the rows of a log. The caller passes the rows after [`seq`](LogReplay::seq), page by page, until there are no more.
pub struct LogReplay {
    game: String,
    live: LiveTable,
    viewer: Viewer,
    upto: u64,
    /// All batches so far, as JSON without the closing bracket.
    batches: Vec<u8>,
}

impl LogReplay {
    /// Replays the first `upto` steps for spectators.
    pub fn for_spectators(prepared: &PreparedGame, record: &GameRecord, upto: u64) -> Self {
        LogReplay::new(prepared, record, Viewer::Spectator, upto)
    }

    /// Replays a whole game for its replay page.
    pub fn for_replay(prepared: &PreparedGame, record: &GameRecord) -> Self {
        LogReplay::new(prepared, record, Viewer::Replay, u64::MAX)
    }

    fn new(prepared: &PreparedGame, record: &GameRecord, viewer: Viewer, upto: u64) -> Self {
        let live = prepared.scene.table(record.seed).only(&[viewer]);
        LogReplay { game: record.id.clone(), live, viewer, upto, batches: vec![b'['] }
    }

    /// The last step that was played.
    pub fn seq(&self) -> u64 {
        self.live.seq()
    }

    /// Whether the replay needs no further rows, although the log may have some.
    pub fn is_complete(&self) -> bool {
        self.live.seq() >= self.upto
    }

    /// Plays these rows. The error describes the damage of the log.
    pub fn handle_rows(&mut self, rows: &[LogRow]) -> Result<(), String> {
        let failed = |what: &str| format!("{}: {what}", self.game);
        for row in rows.iter().take_while(|row| row.seq <= self.upto) {
            let logged: LogRecord = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
            let step_batches = apply(&mut self.live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
            if step_batches.seq != row.seq {
                return Err(failed("the log has a gap"));
            }
            // The replay's batches quote no text by number, so that a client can read them without a table of texts.
            if let Some(batch) = step_batches.of(Viewer::Replay).filter(|_| self.viewer == Viewer::Replay) {
                if self.batches.len() > 1 {
                    self.batches.push(b',');
                }
                write(batch, &[], &[], &TextNumbers::default(), &mut self.batches);
            }
        }
        Ok(())
    }

    /// The state of a spectator after the last row.
    pub fn into_spectators(self) -> Option<SavedObserver> {
        self.live.observer(Viewer::Spectator).map(|observer| observer.save())
    }

    /// All batches as JSON.
    pub fn into_batches(mut self) -> Vec<u8> {
        self.batches.push(b']');
        self.batches
    }
}

/// Applies one logged input to a game.
pub fn apply(live: &mut LiveTable, step: &LoggedInput) -> Result<StepBatches, Refusal> {
    match step {
        LoggedInput::Move { seat, answer } => live.play(*seat, answer),
        LoggedInput::Input(input) => live.input(input),
    }
}
