//! Where bots think: a bounded pool of threads, apart from the rooms, so that a slow thought never delays a move.
//!
//! What a bot is given is what its seat sees and remembers; see `crates/bots` for what it makes of it.

use crate::metrics::Metrics;
use crate::supervise::said;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::live::AnySight;
use baize_engine::moves::Move;
use baize_engine::observe::Knowledge;
use baize_protocol::BotLevel;
use baize_store::Faults;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Instant;

/// What is good to have in a game, found out when first needed and shared by all bots at tables of that kind (see `Staged`).
pub type SharedValuation = Arc<OnceLock<Valuation>>;

/// How much more patient the bots' threads are than the others (on Linux this is a thread's own).
const NICE: i32 = 10;

/// A decision to be made.
pub struct Thought {
    /// The code of the table, for the log.
    pub table: String,
    pub bot: Bot,
    pub sight: AnySight,
    pub knowledge: Knowledge,
    pub valuation: SharedValuation,
    pub reply: Box<dyn FnOnce(Option<Move>) + Send>,
}

impl Thought {
    fn decide(&self) -> Option<Move> {
        let valuation = self.valuation.get_or_init(|| Valuation::of(&self.sight));
        self.bot.decide(&self.sight, &self.knowledge, valuation)
    }
}

pub fn level(level: BotLevel) -> Level {
    match level {
        BotLevel::Easy => Level::Easy,
        BotLevel::Medium => Level::Medium,
        BotLevel::Difficult => Level::Difficult,
    }
}

/// Ends its threads when dropped.
pub struct Bots {
    thoughts: mpsc::Sender<Thought>,
}

impl Bots {
    pub fn new(threads: usize, metrics: Arc<Metrics>, faults: &Faults) -> std::io::Result<Self> {
        let (thoughts, jobs) = mpsc::channel::<Thought>();
        let jobs = Arc::new(Mutex::new(jobs));
        for n in 0..threads.max(1) {
            let (jobs, metrics, faults) = (jobs.clone(), metrics.clone(), faults.clone());
            std::thread::Builder::new().name(format!("baize-bot-{n}")).spawn(move || {
                // People go first. Where this is not possible bots think as fast as everything else.
                let _ = rustix::process::nice(NICE);
                loop {
                    let job = jobs.lock().map_or(Err(mpsc::RecvError), |jobs| jobs.recv());
                    let Ok(thought) = job else { return };
                    let started = Instant::now();
                    // A bot that panics is at a loss: its table makes the move an absent player would. The thread goes on.
                    let deciding = || {
                        faults.trip("bot/think", &thought.table);
                        thought.decide()
                    };
                    let answer = catch_unwind(AssertUnwindSafe(deciding)).unwrap_or_else(|panic| {
                        let (code, seat) = (&thought.table, thought.bot.seat());
                        metrics.panics.fetch_add(1, Relaxed);
                        tracing::error!(%code, seat, panic = said(&*panic), "a bot panicked; it plays the default");
                        None
                    });
                    metrics.bot_moves.fetch_add(1, Relaxed);
                    metrics.bot_micros.fetch_add(started.elapsed().as_micros() as u64, Relaxed);
                    (thought.reply)(answer);
                }
            })?;
        }
        Ok(Bots { thoughts })
    }

    /// The queue holds one thought per open decision of a bot, so it is bounded by the number of tables.
    pub fn think(&self, thought: Thought) {
        let _ = self.thoughts.send(thought);
    }
}
