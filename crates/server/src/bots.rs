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
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Added to the niceness of the bots' threads, so that rooms run first (on Linux niceness belongs to a thread).
const NICENESS: i32 = 10;

/// The pause between a panic and the restart, so that a thread that always panics does not keep a core busy.
const RESTART_PAUSE: Duration = Duration::from_millis(100);

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
                // The thread outlives every panic, also one between two jobs or while a job is dropped.
                while let Err(panic) = catch_unwind(AssertUnwindSafe(|| run_jobs(&jobs, &metrics, &faults))) {
                    metrics.panics.fetch_add(1, Relaxed);
                    tracing::error!(panic = panic_text(&*panic), "a thread of the bots panicked and goes on");
                    std::thread::sleep(RESTART_PAUSE);
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

/// Carries out jobs until the [`Bots`] are dropped.
fn run_jobs(jobs: &Mutex<mpsc::Receiver<BotJob>>, metrics: &Metrics, faults: &Faults) {
    loop {
        let job = {
            // A thread that panicked here has left the queue whole, so the lock's poison means nothing.
            let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
            faults.trip("bot/thread", "");
            jobs.recv()
        };
        let Ok(BotJob { table, thought, reply }) = job else { return };
        let started = Instant::now();
        let seat = thought.seat;
        // When a bot panics, its table plays the default move for it.
        let answer = caught(&table, seat, metrics, || {
            faults.trip("bot/think", &table);
            thought.decide()
        });
        metrics.bot_moves.fetch_add(1, Relaxed);
        metrics.bot_micros.fetch_add(started.elapsed().as_micros() as u64, Relaxed);
        let mut reply = Some(reply);
        let replied = caught(&table, seat, metrics, || {
            faults.trip("bot/reply", &table);
            reply.take().map(|reply| reply(answer.flatten()))
        });
        // A table that hears nothing would wait for its bot for ever.
        if let (None, Some(reply)) = (replied, reply) {
            caught(&table, seat, metrics, || reply(None));
        }
    }
}

/// Runs a part of a job. Returns `None` if it panicked.
fn caught<T>(code: &str, seat: u8, metrics: &Metrics, work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work))
        .inspect_err(|panic| {
            metrics.panics.fetch_add(1, Relaxed);
            tracing::error!(%code, seat, panic = panic_text(&**panic), "a bot panicked; it plays the default");
        })
        .ok()
}
