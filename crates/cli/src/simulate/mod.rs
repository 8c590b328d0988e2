//! `baize simulate`: plays many games at random or between bots, and reports on them.

mod attendance;
mod bots;
mod charts;
mod html;
mod playtest;
mod watch;

use crate::deal::seed_bytes;
use crate::game_files;
use attendance::{Attendance, AttendanceCount};
use baize_bots::Level;
use baize_engine::chance::{Chance, FairChance, FastChance};
use baize_engine::frame::{Ended, Frame, OutcomeKind, Status, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::{Game, Instance};
use baize_engine::live::GameScene;
use baize_engine::moves::Move;
use baize_engine::sink::{NullSink, Sink};
use baize_engine::{cardset::CardSet, with_game};
use baize_rules::diagnostic::line_column;
use indicatif::{ProgressBar, ProgressStyle};
use playtest::{GameContext, GameMoves, Playtest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The outcome of a game whose rules say `end winner X` while X is nobody.
const NOBODY_WON: &str = "nobody-won";

/// A table counts as stuck after this many joins and leaves without a move.
const MOST_IDLE: u32 = 10_000;

#[derive(clap::Args)]
pub struct Args {
    /// A name in games/ or the path of a rules file.
    game: String,
    #[arg(long)]
    players: Option<usize>,
    #[arg(long, default_value_t = 1000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    setup: game_files::Setup,
    /// Let bots play, one level per seat (random, easy, medium, difficult), in another seat each game: --bots easy,medium
    #[arg(long, value_name = "LEVEL,…", value_delimiter = ',')]
    bots: Vec<Level>,
    /// Let players leave for good now and then, and newcomers come where the game admits them.
    #[arg(long)]
    leavers: bool,
    /// Let players lose their connection and come back, and clocks run out.
    #[arg(long)]
    absent: bool,
    /// Threads to play on (default: as many as there are cores).
    #[arg(long)]
    threads: Option<usize>,
    /// Print JSON for other programs.
    #[arg(long)]
    json: bool,
    /// Write a playtest report with charts to this file, for a browser.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

#[derive(Serialize)]
struct SimulationReport {
    game: String,
    players: usize,
    games: u64,
    moves: u64,
    seconds: f64,
    moves_per_second: f64,
    games_per_second: f64,
    length: Length,
    outcomes: Outcomes,
    /// Places where the rules probably do not do what the author means.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weak_spots: Vec<watch::WeakSpot>,
    /// With `--leavers` or `--absent`: how often players came and went.
    #[serde(skip_serializing_if = "Option::is_none")]
    attendance: Option<AttendanceCount>,
    /// With bots: the results of each level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<bots::LevelReport>,
}

#[derive(Serialize)]
struct Length {
    min: u32,
    median: u32,
    p95: u32,
    max: u32,
    mean: f64,
}

#[derive(Serialize, Default)]
struct Outcomes {
    /// The number of games by the kind of their outcome.
    endings: BTreeMap<String, u64>,
    /// What players reached together, in games that end so.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<SharedScores>,
    seats: Vec<SeatOutcomes>,
    /// The number of games whose rules used up their budget, by line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    faults: BTreeMap<String, u64>,
}

/// Scores that all players of a game share.
#[derive(Serialize, Clone, Copy)]
struct SharedScores {
    games: u64,
    /// The most that can be scored; the highest number, if it differs between games.
    most: i32,
    min: i32,
    max: i32,
    mean: f64,
}

impl SharedScores {
    fn words(&self) -> String {
        format!("{:.1} out of {} on average, from {} to {}", self.mean, self.most, self.min, self.max)
    }
}

#[derive(Serialize, Default, Clone)]
struct SeatOutcomes {
    seat: usize,
    wins: u64,
    losses: u64,
    mean_rank: f64,
}

/// The counts of one thread.
#[derive(Default)]
struct Tally {
    lengths: Vec<u32>,
    endings: BTreeMap<&'static str, u64>,
    /// The scores that players shared: score and most.
    scores: Vec<(i32, i32)>,
    wins: Vec<u64>,
    losses: Vec<u64>,
    ranks: Vec<(u64, u64)>,
    faults: BTreeMap<u32, u64>,
    levels: bots::Levels,
    attendance: AttendanceCount,
    playtest: Playtest,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let found = game_files::game(&args.game)?;
    let program = Arc::new(found.program);
    let fewest = usize::from(program.meta.min_players.max(2).min(program.meta.max_players));
    let players = match (args.players, args.bots.len()) {
        (Some(players), bots) if bots > 0 && bots != players => {
            return Err(format!("--bots names {bots} levels for {players} players: one for each seat, please."));
        }
        (Some(players), _) => players,
        (None, 0) => fewest,
        (None, bots) => bots,
    };
    let attendance = Attendance { leavers: args.leavers, absent: args.absent };
    if attendance.any() && (!args.bots.is_empty() || args.report.is_some()) {
        return Err("--leavers and --absent play random games without a report: leave out --bots and --report.".into());
    }
    let game = args.setup.game(program.clone(), players)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).clamp(1, 64);

    let bar = progress(args.games, args.json);
    let next = AtomicU64::new(0);
    let reports = args.report.is_some();
    let valuation = (reports || !args.bots.is_empty()).then(|| bots::valuation(&game));
    let definition = GameScene::new(&game).definition();
    let about = valuation.as_ref().filter(|_| reports).map(|valuation| GameContext { table: &definition, valuation });
    let start = Instant::now();
    let tallies = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| match &valuation {
                    Some(valuation) if !args.bots.is_empty() => work(players, args, &next, &bar, |n, seed, tally| {
                        let seated = bots::seated(&args.bots, n);
                        let (moves, ended) = bots::play(&game, &seated, valuation, seed)?;
                        bots::add(&mut tally.levels, &seated, &ended);
                        let record = GameMoves { people: false, moves };
                        if let Some(about) = &about {
                            let chance = &mut FairChance::new(seed_bytes(seed));
                            with_game!(&game, instance => tally.playtest.look(instance, chance, &record, about));
                        }
                        Ok((record.moves.len() as u32, Some(ended)))
                    }),
                    _ => with_game!(&game, instance => work(players, args, &next, &bar, |_, seed, tally| {
                        let mut record = GameMoves { people: true, moves: Vec::new() };
                        let keep = |seat, answer: &Move| {
                            if reports {
                                record.moves.push((seat, answer.clone()));
                            }
                        };
                        if attendance.any() {
                            let (moves, frame) = play_with_attendance(instance, seed, attendance, &mut tally.attendance)?;
                            return Ok((moves, frame.outcome));
                        }
                        let (moves, frame) = play(instance, seed, &mut NullSink, keep)?;
                        if let Some(about) = &about {
                            tally.playtest.look(instance, &mut FastChance::new(seed), &record, about);
                        }
                        Ok((moves, frame.outcome))
                    })),
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|w| w.join().unwrap_or_else(|_| Err("a thread broke down".into())))
            .collect::<Result<Vec<_>, String>>()
    })?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let mut playtest = Playtest::default();
    let mut tallies = tallies;
    tallies.iter_mut().for_each(|tally| playtest.join(std::mem::take(&mut tally.playtest)));
    let mut came = AttendanceCount::default();
    tallies.iter().for_each(|tally| came.join(tally.attendance));
    let lengths = tallies.iter().flat_map(|tally| tally.lengths.iter().copied()).collect::<Vec<_>>();
    let weak_spots = match valuation {
        Some(_) => Vec::new(),
        None => watch::find_weak_spots(&game, &found.source, args.games, |game| seed_of(args.seed, game))?,
    };
    let mut report = report(&found.name, &found.source, players, args.games, seconds, tallies, &game);
    report.weak_spots = weak_spots;
    report.attendance = attendance.any().then_some(came);
    if let Some(path) = &args.report {
        let page = html::page(&program.meta.title, &report, &lengths, &playtest);
        std::fs::write(path, page).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report).map_err(|e| e.to_string())?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

fn progress(games: u64, json: bool) -> ProgressBar {
    let bar = if json { ProgressBar::hidden() } else { ProgressBar::new(games) };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Takes games from the shared counter until none is left. Each game has its own generator, so that the result does not
/// depend on the number of threads.
fn work(
    seats: usize,
    args: &Args,
    next: &AtomicU64,
    bar: &ProgressBar,
    play: impl Fn(u64, u64, &mut Tally) -> Result<(u32, Option<Ended>), String>,
) -> Result<Tally, String> {
    let mut tally =
        Tally { wins: vec![0; seats], losses: vec![0; seats], ranks: vec![(0, 0); seats], ..Tally::default() };
    let mut since = 0;
    loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        if game >= args.games {
            break;
        }
        let played = play(game, seed_of(args.seed, game), &mut tally);
        let (moves, ended) = played.map_err(|e| format!("game {game} of seed {}: {e}", args.seed))?;
        tally.add(moves, ended);
        since += 1;
        if since == 64 || !args.bots.is_empty() {
            bar.inc(since);
            since = 0;
        }
    }
    bar.inc(since);
    Ok(tally)
}

/// The seed of one game of a run.
fn seed_of(seed: u64, game: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game.wrapping_mul(0xd1b5_4a32_d192_ed03)
}

/// Plays one game with random moves. The shuffles have a generator of their own, so that the moves can be replayed.
fn play<S: CardSet>(
    instance: &Instance<S>,
    seed: u64,
    sink: &mut impl Sink<S>,
    mut keep: impl FnMut(u8, &Move),
) -> Result<(u32, Frame<S>), String> {
    let (chance, choice) = (&mut FastChance::new(seed), &mut FastChance::new(!seed));
    let mut frame = instance.frame();
    for input in playtest::opening(instance.seats, true) {
        instance
            .input(&mut frame, &input, chance, sink)
            .map_err(|refused| format!("refused: {}", refused.in_words()))?;
    }
    let mut moves = 0;
    while frame.status == Status::Asking {
        let seat = choose(frame.open, choice);
        let Some(legal) = instance.legal(&frame, seat) else { return Err("nobody is asked anything".into()) };
        let answer = legal.sample_with_text(choice, "Something I made up");
        keep(seat, &answer);
        instance.play_unchecked(&mut frame, seat, &answer, chance, sink);
        moves += 1;
    }
    if frame.status != Status::Ended {
        return Err("the table waits, although everyone is there".into());
    }
    Ok((moves, frame))
}

/// Plays one game with random moves while players come and go. A table that nobody can come to stays as it is.
fn play_with_attendance<S: CardSet>(
    instance: &Instance<S>,
    seed: u64,
    attendance: Attendance,
    counts: &mut AttendanceCount,
) -> Result<(u32, Frame<S>), String> {
    let (chance, choice) = (&mut FastChance::new(seed), &mut FastChance::new(!seed));
    let mut frame = instance.frame();
    for input in playtest::opening(instance.seats, true) {
        let began = instance.input(&mut frame, &input, chance, &mut NullSink);
        began.map_err(|refused| format!("refused: {}", refused.in_words()))?;
    }
    let (mut moves, mut idle) = (0, 0);
    while !frame.ended() {
        idle += 1;
        if idle > MOST_IDLE {
            return Err("the table waits, although players come".into());
        }
        if !attendance.between_moves(instance, &mut frame, chance, choice, counts) {
            counts.deserted += 1;
            break;
        }
        if frame.paused {
            let resumed = instance.input(&mut frame, &Input::Resume, chance, &mut NullSink);
            resumed.map_err(|refused| format!("refused: {}", refused.in_words()))?;
        }
        let open = frame.open & frame.present;
        if frame.status != Status::Asking || open == 0 {
            continue;
        }
        let seat = choose(open, choice);
        let Some(legal) = instance.legal(&frame, seat) else { return Err("nobody is asked anything".into()) };
        let answer = legal.sample_with_text(choice, "Something I made up");
        let played = instance.play(&mut frame, seat, &answer, chance, &mut NullSink);
        played.map_err(|refused| format!("a legal move is refused: {}", refused.in_words()))?;
        moves += 1;
        idle = 0;
    }
    Ok((moves, frame))
}

/// A random seat that has to answer.
fn choose(open: u32, chance: &mut FastChance) -> u8 {
    if open.is_power_of_two() {
        return open.trailing_zeros() as u8;
    }
    let pick = chance.below(open.count_ones()) as usize;
    seats_of(open).nth(pick).unwrap_or(0)
}

impl Tally {
    fn add(&mut self, moves: u32, ended: Option<Ended>) {
        self.lengths.push(moves);
        let Some(Ended { kind, winners, losers, ranks, score, fault, .. }) = ended else { return };
        self.scores.extend(score.map(|shared| (shared.score, shared.most)));
        // The rules said `end winner X` while X is nobody.
        let word = if kind == OutcomeKind::Winners && winners == 0 { NOBODY_WON } else { kind.word() };
        *self.endings.entry(word).or_default() += 1;
        for (seat, &rank) in ranks.iter().enumerate().take(self.wins.len()) {
            self.wins[seat] += u64::from(winners >> seat & 1);
            self.losses[seat] += u64::from(losers >> seat & 1);
            if rank > 0 {
                self.ranks[seat].0 += u64::from(rank);
                self.ranks[seat].1 += 1;
            }
        }
        if let Some(pc) = fault {
            *self.faults.entry(pc).or_default() += 1;
        }
    }
}

fn report(
    name: &str,
    source: &str,
    players: usize,
    games: u64,
    seconds: f64,
    tallies: Vec<Tally>,
    game: &Game,
) -> SimulationReport {
    let mut lengths: Vec<u32> = tallies.iter().flat_map(|t| t.lengths.iter().copied()).collect();
    lengths.sort_unstable();
    let moves: u64 = lengths.iter().map(|l| u64::from(*l)).sum();
    let at = |share: f64| lengths.get(((lengths.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0);
    let mut outcomes = Outcomes { seats: vec![SeatOutcomes::default(); players], ..Outcomes::default() };
    let mut ranks = vec![(0, 0); players];
    let mut levels = bots::Levels::new();
    for tally in &tallies {
        bots::merge(&mut levels, &tally.levels);
        for (kind, n) in &tally.endings {
            *outcomes.endings.entry((*kind).to_string()).or_default() += n;
        }
        for (pc, n) in &tally.faults {
            let span =
                with_game!(game, instance => instance.program.spans.get(*pc as usize).copied().unwrap_or_default());
            let line = line_column(source, span.start as usize).0;
            *outcomes.faults.entry(format!("line {line}")).or_default() += n;
        }
        for (seat, (s, rank)) in outcomes.seats.iter_mut().zip(&mut ranks).enumerate() {
            s.seat = seat;
            s.wins += tally.wins[seat];
            s.losses += tally.losses[seat];
            rank.0 += tally.ranks[seat].0;
            rank.1 += tally.ranks[seat].1;
        }
    }
    let scores: Vec<(i32, i32)> = tallies.iter().flat_map(|tally| tally.scores.iter().copied()).collect();
    let reached = || scores.iter().map(|(score, _)| *score);
    outcomes.score = (!scores.is_empty()).then(|| SharedScores {
        games: scores.len() as u64,
        most: scores.iter().map(|(_, most)| *most).max().unwrap_or_default(),
        min: reached().min().unwrap_or_default(),
        max: reached().max().unwrap_or_default(),
        mean: reached().map(f64::from).sum::<f64>() / scores.len() as f64,
    });
    for (seat, (sum, n)) in ranks.into_iter().enumerate() {
        outcomes.seats[seat].mean_rank = if n == 0 { 0.0 } else { sum as f64 / n as f64 };
    }
    SimulationReport {
        game: name.to_string(),
        players,
        games,
        moves,
        seconds,
        moves_per_second: moves as f64 / seconds.max(1e-9),
        games_per_second: games as f64 / seconds.max(1e-9),
        length: Length {
            min: at(0.0),
            median: at(0.5),
            p95: at(0.95),
            max: at(1.0),
            mean: moves as f64 / (lengths.len() as f64).max(1.0),
        },
        outcomes,
        weak_spots: Vec::new(),
        attendance: None,
        levels: bots::report(&levels),
    }
}

fn print(r: &SimulationReport) {
    println!("{} with {} players: {} games, {} moves in {:.2} s", r.game, r.players, r.games, r.moves, r.seconds);
    println!("  {:.0} games/s, {:.0} moves/s", r.games_per_second, r.moves_per_second);
    let l = &r.length;
    println!("  moves a game: {} at least, {} median, {} for 95 %, {} at most", l.min, l.median, l.p95, l.max);
    for (kind, n) in &r.outcomes.endings {
        let share = *n as f64 * 100.0 / r.games.max(1) as f64;
        match kind.as_str() {
            NOBODY_WON => println!("  nobody won: {n} ({share:.1} %)"),
            _ => println!("  ended with {kind}: {n} ({share:.1} %)"),
        }
    }
    if let Some(score) = &r.outcomes.score {
        println!("  everybody scored {}", score.words());
    }
    for (line, n) in &r.outcomes.faults {
        println!("  void because of {line} of the rules: {n}");
    }
    if let Some(came) = &r.attendance {
        println!(
            "  {} players left, {} were replaced by bots, {} came; {} connections were lost, {} came back, {} clocks ran out",
            came.departures, came.bots_for_leavers, came.newcomers, came.absences, came.returns, came.clocks_run_out
        );
        if came.deserted > 0 {
            println!("  nobody was left to play on: {}", came.deserted);
        }
    }
    for spot in &r.weak_spots {
        println!("  line {}: {} in {} of {} games", spot.line, spot.what, spot.games, spot.of);
    }
    println!("  seat   won    lost   mean rank");
    for s in &r.outcomes.seats {
        let share = |n: u64| n as f64 * 100.0 / r.games.max(1) as f64;
        println!("  {:>4} {:>5.1}% {:>6.1}% {:>8.2}", s.seat + 1, share(s.wins), share(s.losses), s.mean_rank);
    }
    if !r.levels.is_empty() {
        bots::print(&r.levels);
    }
}
