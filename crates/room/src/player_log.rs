//! Plays a game's log again and tells it in words, as one member could follow it.
//!
//! What the room told live is stored nowhere: it follows from seed and log. So somebody who reloads the page, or comes late, reads the
//! same lines as somebody who was there from the start. A member is told what its seat saw, from the step after which it sat there.
//! Everything before is told as spectators saw it, because another player may have had the seat and its cards.

use crate::log_replay::apply;
use crate::prepared::PreparedGame;
use crate::record::{GameRecord, LogRecord, LoggedInput};
use baize_engine::input::Input;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::view::{Cause, Viewer};
use baize_protocol::http::{LogStep, TableLog};
use baize_rows::LogRow;
use std::collections::VecDeque;
use std::sync::Arc;

/// Upper bound on the steps that one answer tells.
pub const MAX_STEPS: usize = 300;

/// The caller passes the rows after [`seq`](PlayerLog::seq), page by page, until there are no more.
pub struct PlayerLog {
    game: String,
    prepared: Arc<PreparedGame>,
    live: LiveTable,
    /// The seat's own view of the game.
    own: Option<NarratedSteps>,
    watched: NarratedSteps,
    /// Only steps before this one are told.
    before: u64,
    started: bool,
}

/// The last steps, in words for one viewer.
#[derive(Clone)]
struct NarratedSteps {
    viewer: Viewer,
    steps: VecDeque<LogStep>,
    /// Whether the game has told steps before these.
    earlier: bool,
}

impl PlayerLog {
    /// Tells the steps before `before` to somebody with this seat, or to a spectator.
    pub fn new(prepared: &Arc<PreparedGame>, record: &GameRecord, seat: Option<u8>, before: Option<u64>) -> Self {
        let no_steps = |viewer| NarratedSteps { viewer, steps: VecDeque::new(), earlier: false };
        let own = seat.map(|seat| no_steps(Viewer::Seat(seat)));
        let watched = no_steps(Viewer::Spectator);
        let viewers: Vec<Viewer> = own.iter().chain([&watched]).map(|steps| steps.viewer).collect();
        PlayerLog {
            game: record.id.clone(),
            prepared: prepared.clone(),
            live: prepared.scene.table(record.seed).only(&viewers),
            own,
            watched,
            before: before.unwrap_or(u64::MAX),
            started: false,
        }
    }

    /// The last step that was played.
    pub fn seq(&self) -> u64 {
        self.live.seq()
    }

    /// Whether the log needs no further rows, although the game may have some. The log of a seat has to read all rows: a later row may say that
    /// another person sat down there, and this person may not know what the seat saw before.
    pub fn is_complete(&self) -> bool {
        self.own.is_none() && self.live.seq() + 1 >= self.before
    }

    /// Plays these rows. The error describes the damage of the log.
    pub fn handle_rows(&mut self, rows: &[LogRow]) -> Result<(), String> {
        let failed = |game: &str, what: &str| format!("{game}: {what}");
        for row in rows {
            let logged: LogRecord =
                postcard::from_bytes(&row.input).map_err(|_| failed(&self.game, "a row is damaged"))?;
            let batches =
                apply(&mut self.live, &logged.step).map_err(|_| failed(&self.game, "a logged step is refused"))?;
            if batches.seq != row.seq {
                return Err(failed(&self.game, "the log has a gap"));
            }
            self.started |= matches!(logged.step, LoggedInput::Input(Input::Start));
            if self.started && row.seq < self.before {
                self.tell(&batches, row.at);
            }
            self.take_seat(&logged.step);
        }
        Ok(())
    }

    fn tell(&mut self, batches: &StepBatches, at: u64) {
        let narrator = self.prepared.narrator();
        for narrated in self.own.iter_mut().chain([&mut self.watched]) {
            let (Some(step), Some(view)) = (batches.step_of(narrated.viewer), self.live.view(narrated.viewer)) else {
                continue;
            };
            let batch = &step.batch;
            let seat = match batch.cause {
                Cause::Move { seat } => Some(seat),
                _ => None,
            };
            let narrations = narrator.narrate(view, batch, &step.replaced);
            if narrations.is_empty() {
                continue;
            }
            if narrated.steps.len() == MAX_STEPS {
                narrated.steps.pop_front();
                narrated.earlier = true;
            }
            narrated.steps.push_back(LogStep { seq: batch.seq, at, seat, narrations });
        }
    }

    /// Another person takes the seat. The log does not tell this person what the seat saw before, and has what spectators saw instead.
    fn take_seat(&mut self, step: &LoggedInput) {
        let Some(own) = &mut self.own else { return };
        let taken = match step {
            LoggedInput::Input(Input::Join { seat, .. } | Input::Replaced { seat, .. }) => Viewer::Seat(*seat),
            _ => return,
        };
        if own.viewer == taken {
            (own.steps, own.earlier) = (self.watched.steps.clone(), self.watched.earlier);
        }
    }

    /// Returns the told steps. `now` is the date on the server: a client computes from it how long ago a step was, whatever its own clock says.
    pub fn finish(self, now: u64) -> TableLog {
        let NarratedSteps { steps, earlier, .. } = self.own.unwrap_or(self.watched);
        TableLog { game: self.game, now, steps: steps.into(), earlier }
    }
}
