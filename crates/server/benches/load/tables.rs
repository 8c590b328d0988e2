//! Tables full of players who play, each as fast or as slowly as they are told to.

use crate::http;
use crate::player::{News, Player};
use baize_protocol::{Action, BotLevel};
use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// What all players of a run have in common.
#[derive(Default)]
pub struct Score {
    /// Moves acknowledged.
    pub moves: u64,
    /// From sending a move to its events at the player who made it, in milliseconds.
    pub latency: Vec<f64>,
    pub refused: u64,
    /// Sockets the server closed.
    pub closed: u64,
    pub games_over: u64,
    seed: u64,
}

pub type Shared = Rc<RefCell<Score>>;

/// A table of four with the game begun, in the order of their seats. Where there are several nodes, each table is opened at the
/// next, and its players are spread over all.
pub async fn seated(nodes: &[SocketAddr], game: &str, table: usize, players: usize) -> io::Result<Vec<Player>> {
    let name = |at: usize| format!("t{table}p{at}");
    let node = |at: usize| nodes[(table + at) % nodes.len()];
    let code = http::make_table(node(0), game, &name(0)).await?;
    let mut seated = Vec::with_capacity(players);
    for at in 0..players {
        let mut player = Player::join(node(at), &code, &name(at), false).await?;
        player.act(Action::Nonce { nonce: name(at) }).await?;
        seated.push(player);
    }
    seated[0].act(Action::StartGame).await?;
    for player in &mut seated {
        while player.seq == 0 {
            player.until(|news| *news == News::State).await?;
        }
    }
    Ok(seated)
}

/// A table of one person and some Difficult bots with the game begun.
pub async fn seated_with_bots(server: SocketAddr, game: &str, table: usize, bots: usize) -> io::Result<Vec<Player>> {
    let name = format!("t{table}p0");
    let code = http::make_table(server, game, &name).await?;
    let mut player = Player::join(server, &code, &name, false).await?;
    player.act(Action::Nonce { nonce: name }).await?;
    for _ in 0..bots {
        player.act(Action::AddBot { level: BotLevel::Difficult }).await?;
    }
    player.act(Action::StartGame).await?;
    while player.seq == 0 {
        player.until(|news| matches!(news, News::State | News::Step)).await?;
    }
    Ok(vec![player])
}

/// Many tables, a few of which are made at a time.
pub async fn seat_all(nodes: &[SocketAddr], game: &str, first: usize, tables: usize) -> io::Result<Vec<Vec<Player>>> {
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

/// How long a player who is asked waits with the answer.
#[derive(Clone, Copy)]
pub enum Pace {
    AtOnce,
    /// Each table makes a move so often.
    Every(Duration),
}

/// Lets a player play until the task is ended; a game that is over is followed by a rematch.
pub fn go(mut player: Player, score: Shared, pace: Pace, offset: Duration) -> JoinHandle<()> {
    tokio::task::spawn_local(async move {
        let begun = Instant::now() + offset;
        loop {
            if player.decision.is_some() && player.sent.is_none() {
                if let Pace::Every(period) = pace {
                    // The next beat of this table, so that tables do not move in step.
                    let since = Instant::now().saturating_duration_since(begun).as_secs_f64();
                    let beats = (since / period.as_secs_f64()).floor() + 1.0;
                    let at = begun + period.mul_f64(beats);
                    tokio::time::sleep_until(at.into()).await;
                }
                let seed = {
                    let mut score = score.borrow_mut();
                    score.seed = score.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    score.seed
                };
                if player.play(seed).await.is_err() {
                    score.borrow_mut().closed += 1;
                    return;
                }
            }
            match step(&mut player, &score).await {
                Ok(true) => {}
                _ => {
                    score.borrow_mut().closed += 1;
                    return;
                }
            }
        }
    })
}

/// Takes one message; false when the server has hung up.
async fn step(player: &mut Player, score: &Shared) -> io::Result<bool> {
    match player.next().await? {
        News::Closed => return Ok(false),
        News::Done(id) => {
            if let Some(sent) = player.sent.as_mut().filter(|sent| sent.request == id) {
                sent.done = true;
                score.borrow_mut().moves += 1;
            }
        }
        News::Step => {
            // The answer comes before the events, so these are the move's own.
            if let Some(sent) = player.sent.take_if(|sent| sent.done) {
                score.borrow_mut().latency.push(sent.begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        News::Refused(id, why) => {
            // Two were asked and the other was faster; or the table has just ended.
            player.sent.take_if(|sent| sent.request == id);
            if !why.contains("closed") && !why.contains("over") && std::env::var_os("BAIZE_LOAD_TELL").is_some() {
                eprintln!("refused: {why}");
            }
            score.borrow_mut().refused += 1;
        }
        News::Over => {
            player.sent = None;
            if player.lead {
                score.borrow_mut().games_over += 1;
                player.act(Action::Rematch).await?;
            }
        }
        News::Lobby => {
            player.sent = None;
            player.act(Action::Nonce { nonce: "again".into() }).await?;
            if player.lead {
                player.act(Action::StartGame).await?;
            }
        }
        News::State => player.sent = None,
        _ => {}
    }
    Ok(true)
}

/// The share of sorted figures below a value.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = ((sorted.len() as f64 * share).ceil() as usize).saturating_sub(1);
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}
