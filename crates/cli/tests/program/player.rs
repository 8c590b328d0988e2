//! Simulated players who keep playing through crashes of the server and record what they see; and checks of those records.

use crate::client::{Client, secret};
use crate::process::{Process, root};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::view::View;
use baize_protocol::http::Replay;
use baize_protocol::{Action, ChatLine, LastSeen, Presence, TableInfo, TableStatus};
use baize_room::random_answer::random_answer;
use baize_store::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub const PLAYERS: [&str; 3] = ["Ann", "Ben", "Cleo"];
/// How many moves each table must make after the last kill.
pub const AFTERWARDS: u64 = 10;
/// A timeout that only a failing test reaches.
const TOO_LONG: Duration = Duration::from_secs(60);
/// A player who hears nothing for this long reconnects, as a browser does.
const IMPATIENCE: Duration = Duration::from_secs(3);

pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// State that all players share.
pub struct LoadRun {
    /// The addresses of equal servers. Empty while no server runs.
    pub addresses: watch::Sender<Vec<SocketAddr>>,
    stop: watch::Sender<bool>,
    /// The number of acknowledged moves of all players.
    pub acknowledged: watch::Sender<u64>,
    by_table: Vec<Mutex<Pace>>,
    ledger: Mutex<Ledger>,
}

/// A move: game, seat, decision.
pub type MoveId = (String, u8, u32);

/// Everything that the server has acknowledged to any player.
#[derive(Clone, Default)]
pub struct Ledger {
    pub moves: Vec<MoveId>,
    /// Chat lines, with the number of their table.
    pub lines: Vec<(usize, String)>,
}

/// The progress of a table.
struct Pace {
    /// The number of acknowledged moves.
    moves: u64,
    last: Instant,
    /// The longest time between two moves since the last query.
    longest_silence: Duration,
}

impl LoadRun {
    pub fn new(addresses: Vec<SocketAddr>, tables: usize) -> Arc<Self> {
        Arc::new(LoadRun {
            addresses: watch::channel(addresses).0,
            stop: watch::channel(false).0,
            acknowledged: watch::channel(0).0,
            by_table: (0..tables).map(|_| Mutex::new(Pace::new())).collect(),
            ledger: Mutex::default(),
        })
    }

    /// A copy of everything acknowledged so far.
    pub fn ledger(&self) -> Ledger {
        self.ledger.lock().unwrap().clone()
    }

    /// Starts three players at each table, who play until [`LoadRun::stop`]. Another seed gives new request ids.
    pub fn people(self: &Arc<Self>, codes: &[String], seed: u64) -> Vec<JoinHandle<LoadPlayer>> {
        let mut players = Vec::new();
        for (table, code) in codes.iter().enumerate() {
            for (n, name) in PLAYERS.into_iter().enumerate() {
                let chance = FastChance::new(seed.wrapping_mul(1000).wrapping_add((table * 10 + n) as u64));
                let player = LoadPlayer {
                    world: self.clone(),
                    table,
                    code: code.clone(),
                    name,
                    chance,
                    requests: (seed as u32).wrapping_mul(1_000_000),
                    open: None,
                    view: None,
                    info: None,
                    chat: Vec::new(),
                    nonce_for: String::new(),
                    moves: Vec::new(),
                    said: BTreeMap::new(),
                };
                players.push(tokio::spawn(player.run()));
            }
        }
        players
    }

    /// Waits until every table has made some more moves.
    pub async fn all_go_on(&self) {
        let moves = || self.by_table.iter().map(|pace| pace.lock().unwrap().moves);
        let before: Vec<u64> = moves().collect();
        let gone_on = |_| moves().zip(&before).all(|(now, before)| now >= before + AFTERWARDS);
        self.until_acknowledged(gone_on).await;
    }

    /// The longest time between two moves at any table since the last call.
    pub fn longest_silence(&self) -> Duration {
        let taken = self.by_table.iter().map(|pace| std::mem::take(&mut pace.lock().unwrap().longest_silence));
        taken.max().unwrap_or_default()
    }

    /// Stops all players and returns their records.
    pub async fn stop(&self, players: Vec<JoinHandle<LoadPlayer>>) -> Vec<LoadPlayer> {
        self.stop.send_replace(true);
        let mut ledgers = Vec::new();
        for player in players {
            ledgers.push(player.await.unwrap());
        }
        ledgers
    }

    pub async fn until_acknowledged(&self, most: impl Fn(u64) -> bool) {
        let mut moves = self.acknowledged.subscribe();
        let reached = moves.wait_for(|moves| most(*moves));
        let waited = tokio::time::timeout(TOO_LONG, reached).await;
        assert!(waited.is_ok(), "the tables stand still");
    }
}

impl Pace {
    fn new() -> Self {
        Pace { moves: 0, last: Instant::now(), longest_silence: Duration::ZERO }
    }

    fn goes_on(&mut self) {
        self.moves += 1;
        self.longest_silence = self.longest_silence.max(self.last.elapsed());
        self.last = Instant::now();
    }
}

/// A request of a player, with its game and seat.
#[derive(Clone)]
struct Sent {
    request: String,
    action: Action,
    game: String,
    seat: Option<u8>,
}

/// One player, from the first connection to the last, across all crashes.
pub struct LoadPlayer {
    world: Arc<LoadRun>,
    table: usize,
    code: String,
    name: &'static str,
    chance: FastChance,
    requests: u32,
    /// The request without an answer so far.
    open: Option<Sent>,
    view: Option<View>,
    info: Option<TableInfo>,
    chat: Vec<ChatLine>,
    nonce_for: String,
    /// Acknowledged moves: game, seat, decision.
    moves: Vec<MoveId>,
    /// The chat lines of this player, and whether each was acknowledged.
    said: BTreeMap<String, bool>,
}

impl LoadPlayer {
    async fn run(mut self) -> Self {
        let mut stopped = self.world.stop.subscribe();
        let mut addresses = self.world.addresses.subscribe();
        loop {
            let at = tokio::select! {
                _ = stopped.wait_for(|stop| *stop) => return self,
                at = addresses.wait_for(|there| !there.is_empty()) => {
                    let there = at.unwrap();
                    there[self.chance.below(there.len() as u32) as usize]
                }
            };
            // A player who finds no server, or one that does not answer, tries again.
            let Ok(Some(mut client)) = timeout(IMPATIENCE, Client::try_connect(at)).await else {
                tokio::task::yield_now().await;
                continue;
            };
            if !matches!(timeout(2 * IMPATIENCE, self.come_back(&mut client)).await, Ok(Some(()))) {
                continue;
            }
            loop {
                let went_on = tokio::select! {
                    _ = stopped.wait_for(|stop| *stop) => return self,
                    went_on = timeout(IMPATIENCE, self.act(&mut client)) => went_on.ok().flatten(),
                };
                self.keep(&client);
                if went_on.is_none() {
                    break;
                }
            }
        }
    }

    /// Joins again with the player's last state. Everything that the player saw before the crash must still hold.
    async fn come_back(&mut self, client: &mut Client) -> Option<()> {
        client.view = self.view.clone();
        client.chat = self.chat.clone();
        let last = self.info.as_ref().map(|info| LastSeen {
            game: info.game.clone(),
            seq: self.view.as_ref().map_or(0, |view| view.seq),
            seat: self.view.as_ref().and_then(|view| view.seat),
            chat: self.chat.last().map_or(0, |line| line.n),
        });
        let (table, name) = (self.code.clone(), Some(self.name.to_owned()));
        let join = Action::Join { table, secret: secret(self.name), name, watch: false, last: last.clone() };
        let request = self.request();
        client.try_act_with(&request, join).await?.ok()?;
        while client.you.is_none() {
            client.read().await?;
        }
        if let (Some(last), Some(view)) = (last, &client.view)
            && client.table().game == last.game
        {
            assert!(
                view.seq >= last.seq,
                "{} had seen {} steps of {}, now there are {}",
                self.name,
                last.seq,
                last.game,
                view.seq
            );
        }
        self.keep(client);
        // The player sends a request without an answer again, with the same id.
        if let Some(sent) = self.open.clone() {
            self.send(client, sent).await?;
        }
        Some(())
    }

    fn keep(&mut self, client: &Client) {
        self.view = client.view.clone();
        self.info = client.table.clone();
        // Copies only new lines, because the chat keeps growing.
        let known = self.chat.last().map_or(0, |line| line.n);
        let new = client.chat.iter().rev().take_while(|line| line.n > known).count();
        self.chat.extend_from_slice(&client.chat[client.chat.len() - new..]);
    }

    fn request(&mut self) -> String {
        self.requests += 1;
        format!("{}-{}", self.name, self.requests)
    }

    /// Answers an open decision, or waits for a message. None if the connection is lost.
    async fn act(&mut self, client: &mut Client) -> Option<()> {
        let leads = client.table().lead.as_deref() == Some(client.id().as_str());
        let info = client.table();
        let everyone = info.players.iter().filter(|p| p.presence == Presence::Active).count() >= PLAYERS.len();
        let action = match info.status {
            TableStatus::Lobby if self.nonce_for != info.game => {
                self.nonce_for = info.game.clone();
                Some(Action::Nonce { nonce: format!("{} {}", self.name, info.game) })
            }
            TableStatus::Lobby if leads && everyone && !info.starting => Some(Action::StartGame),
            TableStatus::Ended if leads => Some(Action::Rematch),
            TableStatus::Playing if self.chance.below(12) == 0 => {
                let text = format!("{} says {} at {}", self.name, self.requests, self.code);
                self.said.insert(text.clone(), false);
                Some(Action::Chat { text })
            }
            TableStatus::Playing => {
                let seed = u64::from(self.chance.below(u32::MAX));
                client.view.as_ref().and_then(|view| random_answer(view, seed)).map(Action::Move)
            }
            _ => None,
        };
        match action {
            Some(action) => {
                let game = client.table().game.clone();
                let seat = client.view.as_ref().and_then(|view| view.seat);
                let sent = Sent { request: self.request(), action, game, seat };
                self.open = Some(sent.clone());
                self.send(client, sent).await
            }
            None => client.read().await.map(|_| ()),
        }
    }

    /// Sends a request and records the answer. After an acknowledged move, waits for its events.
    async fn send(&mut self, client: &mut Client, sent: Sent) -> Option<()> {
        let Sent { request, action, game, seat } = sent;
        let answer = client.try_act_with(&request, action.clone()).await?;
        self.open = None;
        match (action, answer) {
            (Action::Move(answer), Ok(())) => {
                let seat = seat.expect("who moves has a seat");
                self.world.ledger.lock().unwrap().moves.push((game.clone(), seat, answer.decision));
                self.moves.push((game, seat, answer.decision));
                self.world.by_table[self.table].lock().unwrap().goes_on();
                self.world.acknowledged.send_modify(|moves| *moves += 1);
                let open = |c: &Client| {
                    c.view
                        .as_ref()
                        .and_then(|view| view.decision.as_ref())
                        .is_some_and(|open| open.id == answer.decision)
                };
                while open(client) {
                    client.read().await?;
                }
            }
            (Action::Chat { text }, Ok(())) => {
                self.world.ledger.lock().unwrap().lines.push((self.table, text.clone()));
                self.said.insert(text, true);
            }
            _ => {}
        }
        Some(())
    }
}

/// The names of all games in the repository.
pub fn games() -> Vec<String> {
    let files = std::fs::read_dir(root().join("games")).unwrap();
    let names = files.filter_map(|entry| {
        let path = entry.unwrap().path();
        (path.extension()? == "baize").then(|| path.file_stem().unwrap().to_str().unwrap().to_owned())
    });
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Checks that a player who returns with the last view sees the same as a newcomer.
pub async fn sees_what_a_newcomer_sees(ledger: &LoadPlayer, at: SocketAddr, newcomer_at: SocketAddr) {
    let mut followed = Client::connect(at).await;
    followed.view = ledger.view.clone();
    let last = ledger.info.as_ref().map(|info| LastSeen {
        game: info.game.clone(),
        seq: ledger.view.as_ref().map_or(0, |view| view.seq),
        seat: ledger.view.as_ref().and_then(|view| view.seat),
        chat: 0,
    });
    // A player who left the lobby has to join with the name again.
    followed.join_as(&ledger.code, &secret(ledger.name), Some(ledger.name), false, last).await.unwrap();
    let mut fresh = Client::connect(newcomer_at).await;
    fresh.join(&ledger.code, ledger.name).await.unwrap();
    let seq = followed.seq().max(fresh.seq());
    followed.until("caught up", |c| c.seq() >= seq).await;
    fresh.until("caught up", |c| c.seq() >= seq).await;
    assert_eq!(followed.view, fresh.view, "{} at table {}", ledger.name, ledger.table);
}

/// Checks that every player sees the same as a newcomer, that every replay is valid and has no gap, and that every
/// acknowledged move was made exactly once. Returns all moves.
pub async fn check_games(
    processes: &[&Process],
    games: &[String],
    codes: &[String],
    all: &[LoadPlayer],
) -> BTreeSet<MoveId> {
    let mut everything = BTreeSet::new();
    let mut turn = processes.iter().cycle();
    let mut address = || turn.next().unwrap().address;
    for (table, code) in codes.iter().enumerate() {
        let ledgers: Vec<&LoadPlayer> = all.iter().filter(|ledger| ledger.table == table).collect();
        let mut lead = Client::connect(address()).await;
        lead.join(code, PLAYERS[0]).await.unwrap();
        for ledger in &ledgers {
            sees_what_a_newcomer_sees(ledger, address(), address()).await;
        }
        if lead.table().status != TableStatus::Ended && lead.table().status != TableStatus::Lobby {
            let _ = lead.act(Action::EndGame).await;
            lead.until("it is over", |c| c.table().status == TableStatus::Ended).await;
        }
        let (_, last) = lead.table().game.rsplit_once('-').unwrap();
        let last: u32 = last.parse::<u32>().unwrap() - u32::from(lead.table().status == TableStatus::Lobby);
        let mut made = BTreeMap::new();
        for number in 1..=last {
            let game = format!("{code}-{number}");
            let text = processes[0].http("GET", &format!("/api/replays/{game}"), PLAYERS[0], "").await;
            let replay: Replay = serde_json::from_str(&text).unwrap();
            baize_server::verify(&replay).unwrap_or_else(|error| panic!("{game} of {}: {error}", games[table]));
            assert!(replay.batches.iter().zip(1..).all(|(batch, seq)| batch.seq == seq), "{game} has a gap");
            for step in &replay.steps {
                if let Some(step) = step.get("Move") {
                    let decision = step["answer"]["decision"].as_u64().unwrap() as u32;
                    *made.entry((game.clone(), step["seat"].as_u64().unwrap() as u8, decision)).or_insert(0) += 1;
                }
            }
        }
        for ledger in &ledgers {
            for acknowledged in &ledger.moves {
                assert_eq!(
                    made.get(acknowledged),
                    Some(&1),
                    "{} made {acknowledged:?} in {}",
                    ledger.name,
                    games[table]
                );
            }
        }
        // A seat answers a decision once; in a `together` block each answer has a decision of its own.
        assert!(made.values().all(|times| *times == 1), "a move was made twice in {}", games[table]);
        everything.extend(made.into_keys());
    }
    everything
}

/// Checks that every acknowledged chat line is stored once. A table stores only its last lines, and a game that announces every
/// move writes a thousand of them in seconds, so older lines may be gone.
pub async fn check_chat(store: &dyn Store, codes: &[String], ledgers: &[LoadPlayer]) {
    let (mut moves, mut lines) = (0, 0);
    for (table, code) in codes.iter().enumerate() {
        let id = store.open(code).await.unwrap().opened_here().unwrap().id;
        let mut written: BTreeMap<String, u32> = BTreeMap::new();
        let mut last = 0;
        for row in store.chat(id, 0, u32::MAX).await.unwrap() {
            last = row.n.max(last);
            let record: serde_json::Value = serde_json::from_slice(&row.body).unwrap();
            *written.entry(record["line"]["text"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        let kept_after = last.saturating_sub(baize_store::CHAT_KEPT);
        for ledger in ledgers.iter().filter(|ledger| ledger.table == table) {
            moves += ledger.moves.len();
            let old: BTreeSet<&str> =
                ledger.chat.iter().filter(|line| line.n <= kept_after).map(|line| line.text.as_str()).collect();
            for (text, acknowledged) in &ledger.said {
                let times = written.get(text).copied().unwrap_or(0);
                let must_be_there = *acknowledged && !old.contains(text.as_str());
                assert!(times <= 1 && times >= u32::from(must_be_there), "{text:?} is there {times} times");
                lines += usize::from(*acknowledged);
            }
        }
    }
    eprintln!("{moves} acknowledged moves and {lines} lines of chat, all there once (of a long chat the last lines)");
}
