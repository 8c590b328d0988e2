//! Where bots think: a bounded pool of threads, apart from the rooms, so that a slow thought never delays a move.
//!
//! What a bot is given is what its seat sees and remembers; see `crates/bots` for what it makes of it.

use crate::metrics::Metrics;
use crate::supervise::said;
use baize_engine::moves::Move;
use baize_room::Thought;
use baize_store::Faults;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Instant;

/// How much more patient the bots' threads are than the others (on Linux this is a thread's own).
const NICE: i32 = 10;

/// A decision to be made.
pub struct Job {
    /// The code of the table, for the log.
    pub table: String,
    pub thought: Thought,
    pub reply: Box<dyn FnOnce(Option<Move>) + Send>,
}

/// Ends its threads when dropped.
pub struct Bots {
    jobs: mpsc::Sender<Job>,
}

impl Bots {
    pub fn new(threads: usize, metrics: Arc<Metrics>, faults: &Faults) -> std::io::Result<Self> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let jobs = Arc::new(Mutex::new(jobs));
        for n in 0..threads.max(1) {
            let (jobs, metrics, faults) = (jobs.clone(), metrics.clone(), faults.clone());
            std::thread::Builder::new().name(format!("baize-bot-{n}")).spawn(move || {
                // People go first. Where this is not possible bots think as fast as everything else.
                let _ = rustix::process::nice(NICE);
                loop {
                    let job = jobs.lock().map_or(Err(mpsc::RecvError), |jobs| jobs.recv());
                    let Ok(Job { table, thought, reply }) = job else { return };
                    let started = Instant::now();
                    // A bot that panics is at a loss: its table makes the move an absent player would. The thread goes on.
                    let deciding = || {
                        faults.trip("bot/think", &table);
                        thought.decide()
                    };
                    let answer = catch_unwind(AssertUnwindSafe(deciding)).unwrap_or_else(|panic| {
                        let (code, seat) = (&table, thought.seat);
                        metrics.panics.fetch_add(1, Relaxed);
                        tracing::error!(%code, seat, panic = said(&*panic), "a bot panicked; it plays the default");
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

    /// The queue holds one thought per open decision of a bot, so it is bounded by the number of tables.
    pub fn think(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}
