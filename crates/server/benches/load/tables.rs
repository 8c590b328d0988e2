//! Tables of players who play at a given pace.

use crate::http;
use crate::player::{BenchPlayer, Update};
use baize_protocol::{Action, BotLevel};
use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// The results of all players of a run.
#[derive(Default)]
pub struct TableResults {
    /// Moves acknowledged.
    pub moves: u64,
    /// Times from sending a move to receiving its events, in milliseconds.
    pub latency: Vec<f64>,
    pub refused: u64,
    /// Sockets that the server closed.
    pub closed: u64,
    pub games_over: u64,
    seed: u64,
}

pub type SharedResults = Rc<RefCell<TableResults>>;

/// A table of four with a running game, in the order of the seats. With several nodes, each table is opened at the next
/// node, and its players are spread over all nodes.
pub async fn seated(nodes: &[SocketAddr], game: &str, table: usize, players: usize) -> io::Result<Vec<BenchPlayer>> {
    let name = |at: usize| format!("t{table}p{at}");
    let node = |at: usize| nodes[(table + at) % nodes.len()];
    let code = http::make_table(node(0), game, &name(0)).await?;
    let mut seated = Vec::with_capacity(players);
    for at in 0..players {
        let mut player = BenchPlayer::join(node(at), &code, &name(at), false).await?;
        player.act(Action::Nonce { nonce: name(at) }).await?;
        seated.push(player);
    }
    seated[0].act(Action::StartGame).await?;
    for player in &mut seated {
        while player.seq == 0 {
            player.until(|news| *news == Update::State).await?;
        }
    }
    Ok(seated)
}

/// A table of one person and some Difficult bots with a running game.
pub async fn seated_with_bots(
    server: SocketAddr,
    game: &str,
    table: usize,
    bots: usize,
) -> io::Result<Vec<BenchPlayer>> {
    let name = format!("t{table}p0");
    let code = http::make_table(server, game, &name).await?;
    let mut player = BenchPlayer::join(server, &code, &name, false).await?;
    player.act(Action::Nonce { nonce: name }).await?;
    for _ in 0..bots {
        player.act(Action::AddBot { level: BotLevel::Difficult }).await?;
    }
    player.act(Action::StartGame).await?;
    while player.seq == 0 {
        player.until(|news| matches!(news, Update::State | Update::Step)).await?;
    }
    Ok(vec![player])
}

/// Makes many tables, a few at a time.
pub async fn seat_all(
    nodes: &[SocketAddr],
    game: &str,
    first: usize,
    tables: usize,
) -> io::Result<Vec<Vec<BenchPlayer>>> {
    let mut all = Vec::with_capacity(tables);
    for chunk in (first..first + tables).collect::<Vec<_>>().chunks(32) {
        let made: Vec<_> = chunk
            .iter()
            .map(|table| {
                let (nodes, game, table) = (nodes.to_owned(), game.to_owned(), *table);
                tokio::task::spawn_local(async move { seated(&nodes, &game, table, 4).await })
            })
            .collect();
        for table in made {
            all.push(table.await.map_err(io::Error::other)??);
        }
    }
    Ok(all)
}

/// How long a player waits before an answer.
#[derive(Clone, Copy)]
pub enum Pace {
    AtOnce,
    /// Each table makes one move per interval.
    Every(Duration),
}

/// Runs a player until the task is aborted; a finished game is followed by a rematch.
pub fn spawn_player(mut player: BenchPlayer, results: SharedResults, pace: Pace, offset: Duration) -> JoinHandle<()> {
    tokio::task::spawn_local(async move {
        let begun = Instant::now() + offset;
        loop {
            if player.decision.is_some() && player.pending.is_none() {
                if let Pace::Every(period) = pace {
                    // The player waits for the next slot of its table, so that tables do not move at the same time.
                    let since = Instant::now().saturating_duration_since(begun).as_secs_f64();
                    let beats = (since / period.as_secs_f64()).floor() + 1.0;
                    let at = begun + period.mul_f64(beats);
                    tokio::time::sleep_until(at.into()).await;
                }
                let seed = {
                    let mut results = results.borrow_mut();
                    results.seed = results.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    results.seed
                };
                if player.play(seed).await.is_err() {
                    results.borrow_mut().closed += 1;
                    return;
                }
            }
            match step(&mut player, &results).await {
                Ok(true) => {}
                _ => {
                    results.borrow_mut().closed += 1;
                    return;
                }
            }
        }
    })
}

/// Handles one message; returns false when the server has closed the connection.
async fn step(player: &mut BenchPlayer, results: &SharedResults) -> io::Result<bool> {
    match player.next().await? {
        Update::Closed => return Ok(false),
        Update::Done(id) => {
            if let Some(pending) = player.pending.as_mut().filter(|pending| pending.request == id) {
                pending.done = true;
                results.borrow_mut().moves += 1;
            }
        }
        Update::Step => {
            // The acknowledgement comes before the events, so these are the move's own.
            if let Some(pending) = player.pending.take_if(|pending| pending.done) {
                results.borrow_mut().latency.push(pending.begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        Update::Refused(id, why) => {
            // Two players were asked and the other was faster, or the game has just ended.
            player.pending.take_if(|pending| pending.request == id);
            if !why.contains("closed") && !why.contains("over") && std::env::var_os("BAIZE_LOAD_TELL").is_some() {
                eprintln!("refused: {why}");
            }
            results.borrow_mut().refused += 1;
        }
        Update::Over => {
            player.pending = None;
            if player.lead {
                results.borrow_mut().games_over += 1;
                player.act(Action::Rematch).await?;
            }
        }
        Update::Lobby => {
            player.pending = None;
            player.act(Action::Nonce { nonce: "again".into() }).await?;
            if player.lead {
                player.act(Action::StartGame).await?;
            }
        }
        Update::State => player.pending = None,
        _ => {}
    }
    Ok(true)
}

/// The value below which this share of the sorted figures lies.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = ((sorted.len() as f64 * share).ceil() as usize).saturating_sub(1);
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}
