//! A bounded pool of threads on which bots think, apart from the rooms, so that a slow bot never delays a move.
//!
//! A bot gets only what its seat sees and remembers; `crates/bots` describes how it decides.

use crate::metrics::Metrics;
use crate::supervise::panic_text;
use baize_engine::moves::Move;
use baize_room::Thought;
use baize_store::Faults;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Instant;

/// Added to the niceness of the bots' threads, so that rooms run first (on Linux niceness belongs to a thread).
const NICENESS: i32 = 10;

pub struct BotJob {
    /// The code of the table, for the log.
    pub table: String,
    pub thought: Thought,
    pub reply: Box<dyn FnOnce(Option<Move>) + Send>,
}

/// Ends its threads when dropped.
pub struct Bots {
    jobs: mpsc::Sender<BotJob>,
}

impl Bots {
    pub fn new(threads: usize, metrics: Arc<Metrics>, faults: &Faults) -> std::io::Result<Self> {
        let (sender, jobs) = mpsc::channel::<BotJob>();
        let jobs = Arc::new(Mutex::new(jobs));
        for n in 0..threads.max(1) {
            let (jobs, metrics, faults) = (jobs.clone(), metrics.clone(), faults.clone());
            std::thread::Builder::new().name(format!("baize-bot-{n}")).spawn(move || {
                // Where niceness can't be changed, bots run with the priority of all other threads.
                let _ = rustix::process::nice(NICENESS);
                loop {
                    let job = jobs.lock().map_or(Err(mpsc::RecvError), |jobs| jobs.recv());
                    let Ok(BotJob { table, thought, reply }) = job else { return };
                    let started = Instant::now();
                    // When a bot panics, its table plays the default move for it. The thread goes on.
                    let deciding = || {
                        faults.trip("bot/think", &table);
                        thought.decide()
                    };
                    let answer = catch_unwind(AssertUnwindSafe(deciding)).unwrap_or_else(|panic| {
                        let (code, seat) = (&table, thought.seat);
                        metrics.panics.fetch_add(1, Relaxed);
                        tracing::error!(%code, seat, panic = panic_text(&*panic), "a bot panicked; it plays the default");
                        None
                    });
                    metrics.bot_moves.fetch_add(1, Relaxed);
                    metrics.bot_micros.fetch_add(started.elapsed().as_micros() as u64, Relaxed);
                    reply(answer);
                }
            })?;
        }
        Ok(Bots { jobs: sender })
    }

    /// The queue holds one job per open decision of a bot, so the number of tables bounds it.
    pub fn think(&self, job: BotJob) {
        let _ = self.jobs.send(job);
    }
}
