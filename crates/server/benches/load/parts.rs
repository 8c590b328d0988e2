//! The parts of the measurement, one function each.

use crate::BenchOptions;
use crate::player::{BenchPlayer, Update};
use crate::process::{self, ServerProcess};
use crate::tables::{Pace, SharedResults, TableResults, percentile, seat_all, seated, seated_with_bots, spawn_player};
use serde_json::{Map, Value, json};
use std::io;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio::time::sleep;

pub const NAMES: [&str; 10] =
    ["saturation", "paced", "memory", "most", "bytes", "idle", "reconnect", "stalled", "bots", "shared"];

pub async fn run(name: &str, server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    match name {
        "saturation" => saturation(server, settings).await,
        "paced" => paced(server, settings).await,
        "memory" => memory(server, settings).await,
        "most" => most(server, settings).await,
        "bytes" => bytes(server, settings).await,
        "idle" => idle(server, settings).await,
        "reconnect" => reconnect(server, settings).await,
        "stalled" => stalled(server, settings).await,
        "bots" => bots(server, settings).await,
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Runs 100 tables of four players who answer as soon as they are asked, and measures twice.
///
/// In the first run the load generator sleeps until something arrives, as a program usually does. On one machine each
/// message of the server then has to wake it on the other core, and the system counts that as the server's time,
/// although clients on other machines cost no such time. In the second run, `generatorSpins`, the load generator never
/// sleeps.
async fn saturation(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(100);
    let results = SharedResults::default();
    let players = seat_all(&[server.address], &settings.game, 0, tables).await?;
    let mut tasks = start(players, &results, Pace::AtOnce);
    let mut found = measure_saturation(server, settings, &results).await;
    // While a task is always ready, the runtime polls for input and does not sleep.
    tasks.push(tokio::task::spawn_local(async {
        loop {
            tokio::task::yield_now().await;
        }
    }));
    let spinning = measure_saturation(server, settings, &results).await;
    tasks.iter().for_each(JoinHandle::abort);
    found.insert("game".into(), json!(settings.game));
    found.insert("tables".into(), json!(tables));
    found.insert("generatorSpins".into(), Value::Object(spinning));
    Ok(Value::Object(found))
}

/// Measures for some seconds, after a warm-up of two.
async fn measure_saturation(
    server: &ServerProcess,
    settings: &BenchOptions,
    results: &SharedResults,
) -> Map<String, Value> {
    sleep(Duration::from_secs(2)).await;
    let (begun, cpu) = (Instant::now(), server.cpu());
    *results.borrow_mut() = TableResults::default();
    sleep(Duration::from_secs_f64(settings.seconds)).await;
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), (server.cpu() - cpu).as_secs_f64());
    let mut results = std::mem::take(&mut *results.borrow_mut());
    results.latency.sort_by(f64::total_cmp);
    let figures = [
        ("moves", json!(results.moves)),
        ("movesPerSecond", json!(rounded(results.moves as f64 / wall))),
        ("movesPerServerCpuSecond", json!(rounded(results.moves as f64 / cpu))),
        ("serverCpuShare", json!(rounded(cpu / wall * 100.0) / 100.0)),
        ("p50ms", json!(rounded(percentile(&results.latency, 0.5)))),
        ("p99ms", json!(rounded(percentile(&results.latency, 0.99)))),
        ("refused", json!(results.refused)),
        ("gamesOver", json!(results.games_over)),
        ("closed", json!(results.closed)),
    ];
    figures.into_iter().map(|(name, metric)| (name.to_owned(), metric)).collect()
}

/// Runs 100 tables of four players with one move per second and player. Measures the speed of the disk alone before and after.
async fn paced(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(100);
    let results = SharedResults::default();
    let players = seat_all(&[server.address], &settings.game, 0, tables).await?;
    let mut disk = server.disk(500);
    let tasks = start(players, &results, Pace::Every(Duration::from_millis(250)));
    sleep(Duration::from_secs(1)).await;
    let cpu = server.cpu();
    *results.borrow_mut() = TableResults::default();
    sleep(Duration::from_secs_f64(settings.seconds)).await;
    let cpu = (server.cpu() - cpu).as_secs_f64();
    let mut results = std::mem::take(&mut *results.borrow_mut());
    tasks.iter().for_each(JoinHandle::abort);
    sleep(Duration::from_millis(200)).await;
    disk.extend(server.disk(500));
    disk.sort_by(f64::total_cmp);
    results.latency.sort_by(f64::total_cmp);
    let (sync, p99) = (percentile(&disk, 0.99), percentile(&results.latency, 0.99));
    Ok(json!({
        "game": settings.game,
        "tables": tables,
        "movesPerSecond": rounded(results.moves as f64 / settings.seconds),
        "serverCpuShare": rounded(cpu / settings.seconds * 100.0) / 100.0,
        "p50ms": rounded(percentile(&results.latency, 0.5)),
        "p99ms": rounded(p99),
        "fdatasyncP50ms": rounded(percentile(&disk, 0.5)),
        "fdatasyncP99ms": rounded(sync),
        "boundMs": rounded(2.0 + 2.0 * sync),
        "within": p99 <= 2.0 + 2.0 * sync,
    }))
}

/// Measures whether bots delay people: runs a table of four people alone, then beside 100 tables of one person and three
/// Difficult bots. The load generator and the server share all cores.
async fn bots(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(100);
    let (people, beside) = (SharedResults::default(), SharedResults::default());
    let players = seat_all(&[server.address], &settings.game, 0, 1).await?;
    let mut tasks = start(players, &people, Pace::Every(Duration::from_millis(100)));
    let alone = measure_latency(&people, settings).await;
    let mut seated = Vec::with_capacity(tables);
    for table in 1..=tables {
        seated.push(seated_with_bots(server.address, &settings.game, table, 3).await?);
    }
    tasks.extend(start(seated, &beside, Pace::Every(Duration::from_secs(1))));
    // The first decision for a new kind of table takes longer, because the bots learn the value of cards then.
    sleep(Duration::from_secs(5)).await;
    let cpu = server.cpu();
    *beside.borrow_mut() = TableResults::default();
    let crowded = measure_latency(&people, settings).await;
    let cpu = (server.cpu() - cpu).as_secs_f64();
    let mut beside = std::mem::take(&mut *beside.borrow_mut());
    tasks.iter().for_each(JoinHandle::abort);
    beside.latency.sort_by(f64::total_cmp);
    Ok(json!({
        "game": settings.game,
        "botTables": tables,
        "alone": latencies(&alone),
        "besideBots": latencies(&crowded),
        "atBotTables": latencies(&beside.latency),
        "serverCpuShare": rounded(cpu / settings.seconds * 100.0) / 100.0,
        "closed": beside.closed,
    }))
}

/// Latencies over some seconds, sorted.
async fn measure_latency(results: &SharedResults, settings: &BenchOptions) -> Vec<f64> {
    sleep(Duration::from_secs(1)).await;
    results.borrow_mut().latency.clear();
    sleep(Duration::from_secs_f64(settings.seconds)).await;
    let mut latency = std::mem::take(&mut results.borrow_mut().latency);
    latency.sort_by(f64::total_cmp);
    latency
}

fn latencies(sorted: &[f64]) -> Value {
    json!({
        "moves": sorted.len(),
        "p50ms": rounded(percentile(sorted, 0.5)),
        "p99ms": rounded(percentile(sorted, 0.99)),
    })
}

/// Measures the resident memory of an idle table with four sockets.
async fn memory(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(1000);
    // Rules, caches and the store's pages come with the first tables and do not count as memory of a table.
    let first = seat_all(&[server.address], &settings.game, 0, 50).await?;
    play_a_little(first, 8).await?;
    sleep(IDLE_TIME).await;
    let (before, kernel) = (server.resident(), process::kernel_socket_memory());
    let mut players = seat_all(&[server.address], &settings.game, 50, tables).await?;
    let after_start = server.resident();
    players = play_a_little(players, 8).await?;
    sleep(IDLE_TIME).await;
    let (after, kernel_after) = (server.resident(), process::kernel_socket_memory());
    let each = |bytes: u64| rounded(bytes as f64 / tables as f64 / 1024.0);
    drop(players);
    Ok(json!({
        "game": settings.game,
        "tables": tables,
        "sockets": 4 * tables,
        "residentBefore": before,
        "residentAfter": after,
        "kbPerIdleTable": each(after.saturating_sub(before)),
        "kbPerTableJustStarted": each(after_start.saturating_sub(before)),
        "kernelKbPerTableBothEnds": each(kernel_after.saturating_sub(kernel)),
    }))
}

/// Waiting time: longer than an idle table takes to release the memory that only play needs.
const IDLE_TIME: Duration = Duration::from_secs(20);

/// Plays a few moves at each table, so that hands, piles and logs are not those of a new deal.
async fn play_a_little(tables: Vec<Vec<BenchPlayer>>, moves: usize) -> io::Result<Vec<Vec<BenchPlayer>>> {
    let mut all = Vec::with_capacity(tables.len());
    for (seed, mut table) in tables.into_iter().enumerate() {
        for at in 0..moves {
            let Some(player) = table.iter_mut().find(|player| player.decision.is_some()) else { break };
            player.play((seed * 31 + at) as u64).await?;
            let seq = player.seq;
            for player in &mut table {
                while player.seq <= seq {
                    if player.next().await? == Update::Closed {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        }
        for player in &mut table {
            player.pending = None;
        }
        all.push(table);
    }
    Ok(all)
}

/// Opens as many tables of four as the file limits of this process and the server allow.
async fn most(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let limit = process::raise_file_limit() as usize;
    // The database, requests and the event loop need some files too.
    let wanted = settings.tables.unwrap_or((limit.saturating_sub(100) / 4).min(7000));
    let (before, begun) = (server.resident(), Instant::now());
    let mut all = Vec::new();
    let mut failed = None;
    while all.len() < wanted {
        match seat_all(&[server.address], &settings.game, all.len(), 32.min(wanted - all.len())).await {
            Ok(more) => all.extend(more),
            Err(error) => {
                failed = Some(error.to_string());
                break;
            }
        }
    }
    let made = begun.elapsed().as_secs_f64();
    sleep(IDLE_TIME).await;
    let resident = server.resident();
    // The oldest and the newest table must still answer.
    let mut answered = 0;
    for at in [0, all.len().saturating_sub(1)] {
        let Some(table) = all.get_mut(at) else { continue };
        let Some(player) = table.iter_mut().find(|player| player.decision.is_some()) else { continue };
        player.play(1).await?;
        player.until(|news| *news == Update::Step).await?;
        answered += 1;
    }
    Ok(json!({
        "fileLimit": limit,
        "tables": all.len(),
        "sockets": all.len() * 4,
        "secondsToSeat": rounded(made),
        "residentBefore": before,
        "resident": resident,
        "kbPerTable": rounded((resident - before) as f64 / all.len().max(1) as f64 / 1024.0),
        "answered": answered,
        "stoppedBy": failed,
    }))
}

/// Measures the bytes that a player receives per move of a whole game of four, by game, including frame headers.
async fn bytes(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let mut found = serde_json::Map::new();
    let mut games: Vec<String> = std::fs::read_dir(process::root().join("games"))?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            (path.extension()? == "baize").then(|| path.file_stem()?.to_str().map(str::to_owned))?
        })
        .collect();
    games.sort();
    for (number, game) in games.iter().enumerate() {
        let (mut moves, mut received, mut at_the_end, mut rounds) = (0u64, 0u64, 0u64, 0);
        // It plays several games, because their length depends on chance.
        while rounds < 4 || (moves < 600 && rounds < 20) {
            let mut table = seated(&[server.address], game, number * 1000 + rounds, 4).await?;
            let before: u64 = table.iter().map(BenchPlayer::received).sum();
            let mut played = 0;
            while played < 3000 && !table[0].over {
                let Some(player) = table.iter_mut().find(|player| player.decision.is_some()) else { break };
                player.play(settings.seconds as u64 + moves * 7 + rounds as u64).await?;
                let seq = player.seq;
                for player in &mut table {
                    while player.seq <= seq {
                        if player.next().await? == Update::Closed {
                            return Err(io::ErrorKind::UnexpectedEof.into());
                        }
                    }
                }
                table.iter_mut().for_each(|player| player.pending = None);
                played += 1;
                moves += 1;
            }
            received += table.iter().map(BenchPlayer::received).sum::<u64>() - before;
            let before: u64 = table.iter().map(BenchPlayer::received).sum();
            if table[0].over {
                for player in &mut table {
                    player.until(|news| *news == Update::Other).await?;
                }
            }
            at_the_end += table.iter().map(BenchPlayer::received).sum::<u64>() - before;
            rounds += 1;
        }
        let each = |bytes: u64| rounded(bytes as f64 / 4.0 / moves.max(1) as f64);
        found.insert(
            game.clone(),
            json!({ "games": rounds, "moves": moves, "perMoveAndClient": each(received), "withTheEnd": each(received + at_the_end) }),
        );
    }
    Ok(Value::Object(found))
}

/// Measures what 10,000 clients at idle tables cost, and how long a move at one of these tables takes.
async fn idle(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(2500);
    let before = server.resident();
    let players = seat_all(&[server.address], &settings.game, 0, tables).await?;
    let results = SharedResults::default();
    // They stay connected and answer when the server asks for a sign of life.
    let mut waiting: Vec<JoinHandle<()>> = Vec::new();
    let mut playing = Vec::new();
    for (number, table) in players.into_iter().enumerate() {
        if number % 100 == 0 {
            playing.push(table);
        } else {
            waiting.extend(table.into_iter().map(read_until_closed));
        }
    }
    sleep(IDLE_TIME).await;
    let (begun, cpu) = (Instant::now(), server.cpu());
    sleep(Duration::from_secs_f64(settings.seconds.max(35.0))).await;
    let share = (server.cpu() - cpu).as_secs_f64() / begun.elapsed().as_secs_f64();
    let resident = server.resident();
    let moving = start(playing, &results, Pace::Every(Duration::from_millis(250)));
    sleep(Duration::from_secs_f64(settings.seconds.min(10.0))).await;
    let lost = waiting.iter().filter(|task| task.is_finished()).count();
    let mut results = std::mem::take(&mut *results.borrow_mut());
    moving.iter().chain(&waiting).for_each(JoinHandle::abort);
    results.latency.sort_by(f64::total_cmp);
    Ok(json!({
        "clients": 4 * tables,
        "residentBefore": before,
        "resident": resident,
        "serverCpuShareIdle": (share * 1e4).round() / 1e4,
        "lost": lost,
        "movesAmongThem": results.moves,
        "p50ms": rounded(percentile(&results.latency, 0.5)),
        "p99ms": rounded(percentile(&results.latency, 0.99)),
    }))
}

/// Cuts 5,000 players off at once and lets them reconnect within five seconds.
async fn reconnect(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(1250);
    let players = play_a_little(seat_all(&[server.address], &settings.game, 0, tables).await?, 4).await?;
    let count = tables * 4;
    let spread = Duration::from_secs(5);
    let begun = Instant::now();
    let mut tasks = Vec::with_capacity(count);
    for (number, mut player) in players.into_iter().flatten().enumerate() {
        let at = begun + spread.mul_f64(number as f64 / count as f64);
        tasks.push(tokio::task::spawn_local(async move {
            player.drop_connection().await;
            tokio::time::sleep_until(at.into()).await;
            let dialled = Instant::now();
            player.reconnect().await?;
            io::Result::Ok((dialled.elapsed().as_secs_f64() * 1e3, begun.elapsed().as_secs_f64(), player))
        }));
    }
    let (mut took, mut last, mut failed, mut back) = (Vec::new(), 0f64, 0, Vec::new());
    for task in tasks {
        match task.await.map_err(io::Error::other)? {
            Ok((millis, at, player)) => {
                took.push(millis);
                last = last.max(at);
                back.push(player);
            }
            Err(_) => failed += 1,
        }
    }
    took.sort_by(f64::total_cmp);
    Ok(json!({
        "clients": count,
        "back": back.len(),
        "failed": failed,
        "allBackAfterSeconds": rounded(last),
        "p50ms": rounded(percentile(&took, 0.5)),
        "p99ms": rounded(percentile(&took, 0.99)),
        "within": failed == 0 && last <= 10.0,
    }))
}

/// Lets 1,000 spectators stop reading at tables where others go on playing.
async fn stalled(server: &ServerProcess, settings: &BenchOptions) -> io::Result<Value> {
    let tables = settings.tables.unwrap_or(100);
    let players = seat_all(&[server.address], &settings.game, 0, tables).await?;
    let codes: Vec<String> = players.iter().map(|table| table[0].code.clone()).collect();
    let results = SharedResults::default();
    let tasks = start(players, &results, Pace::AtOnce);
    sleep(Duration::from_secs(2)).await;
    let measure = async |seconds: f64| {
        let (begun, cpu) = (Instant::now(), server.cpu());
        *results.borrow_mut() = TableResults::default();
        sleep(Duration::from_secs_f64(seconds)).await;
        let cpu = (server.cpu() - cpu).as_secs_f64();
        let mut results = std::mem::take(&mut *results.borrow_mut());
        results.latency.sort_by(f64::total_cmp);
        json!({
            "movesPerSecond": rounded(results.moves as f64 / begun.elapsed().as_secs_f64()),
            "movesPerServerCpuSecond": rounded(results.moves as f64 / cpu),
            "p50ms": rounded(percentile(&results.latency, 0.5)),
            "p99ms": rounded(percentile(&results.latency, 0.99)),
            "playersClosed": results.closed,
        })
    };
    let without = measure(settings.seconds.min(5.0)).await;
    let before = server.resident();
    let mut deaf = Vec::new();
    for number in 0..1000 {
        let code = &codes[number % codes.len()];
        let mut player = BenchPlayer::connect(server.address, code, &format!("deaf{number}"), Some(4096)).await?;
        player.send_join(true).await?;
        deaf.push(player);
    }
    let mut resident = Vec::new();
    let with = measure(settings.seconds.min(5.0)).await;
    let began = Instant::now();
    let least = Duration::from_secs_f64(settings.seconds.max(10.0));
    let mut cut = 0;
    while began.elapsed() < least || (cut < 1000 && began.elapsed() < 6 * least) {
        resident.push(server.resident());
        sleep(Duration::from_millis(500)).await;
        let metrics = crate::http::get(server.address, "/metrics").await?;
        let line = metrics.lines().find_map(|line| line.strip_prefix("baize_cut_total "));
        cut = line.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    }
    let cut_after = began.elapsed().as_secs_f64();
    let after = measure(settings.seconds.min(5.0)).await;
    tasks.iter().for_each(JoinHandle::abort);
    drop(deaf);
    Ok(json!({
        "stalled": 1000,
        "cutOff": cut,
        "lookedAtForSeconds": rounded(cut_after),
        "residentBefore": before,
        "residentHighest": resident.iter().max(),
        "residentAtTheEnd": server.resident(),
        "playersBefore": without,
        "playersWhileQueuesFill": with,
        "playersAfter": after,
    }))
}

/// Starts all players; the moves of the tables are spread evenly over time.
pub fn start(tables: Vec<Vec<BenchPlayer>>, results: &SharedResults, pace: Pace) -> Vec<JoinHandle<()>> {
    let count = tables.len();
    let mut tasks = Vec::new();
    for (number, table) in tables.into_iter().enumerate() {
        let offset = match pace {
            Pace::AtOnce => Duration::ZERO,
            Pace::Every(period) => period.mul_f64(number as f64 / count as f64),
        };
        tasks.extend(table.into_iter().map(|player| spawn_player(player, results.clone(), pace, offset)));
    }
    tasks
}

/// Reads until the server closes the connection.
fn read_until_closed(mut player: BenchPlayer) -> JoinHandle<()> {
    tokio::task::spawn_local(async move { while player.next().await.is_ok_and(|news| news != Update::Closed) {} })
}

pub fn rounded(metric: f64) -> f64 {
    (metric * 100.0).round() / 100.0
}
