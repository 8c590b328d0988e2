//! What a move costs in a room, without sockets and without a store: `cargo xtask bench room [--moves N] [--game ID]`.
//!
//! Four people play at one table, and each has a client. The "store" drops all rows. Prints moves a second; the machine's noise is in
//! it, so compare two programs in turns, or count instructions (`valgrind --tool=callgrind`), which are the same in every run.

use baize_protocol::{Action, TableStatus};
use baize_room::random_answer::random_answer;
use baize_room::record::{NewTableRecord, TableRecord};
use baize_room::rules::{CurrentFile, Rules};
use baize_room::{Act, Effect, Join, Loading, Message, Room, StoredTable, Time, identity};
use std::sync::Arc;
use std::time::Instant;

const PLAYERS: u64 = 4;

/// One table and the clock that it is given.
struct BenchTable {
    room: Room,
    time: Time,
    requests: u64,
    /// Bytes of all messages to clients.
    sent: u64,
}

impl BenchTable {
    fn new(game: &str, rules: &Arc<Rules>) -> Self {
        let host = member(1);
        let (code, settings) = ("abcdefgh".to_owned(), Default::default());
        let new = NewTableRecord { code, rules, settings, member: host, name: name(1), seed: [1; 32], date: 0 };
        let record = TableRecord::new(new);
        let stored = StoredTable { record, updated_at: 0, chat: Vec::new(), rules: rules.clone() };
        let time = Time { now: 0, date: 1_700_000_000_000 };
        let loading = Loading::new(Default::default(), stored, CurrentFile::default(), [2; 32], time);
        let room = loading.unwrap_or_else(|_| panic!("a table of {game} loads")).finish();
        let mut table = BenchTable { room, time, requests: 0, sent: 0 };
        for player in 1..=PLAYERS {
            let (request, name) = (table.request(), Some(name(player)));
            let member = member(player);
            let join = Join { client: player, request, member, name, watch: false, last: None, received: 0 };
            table.room.handle(time, Message::Join(Box::new(join)));
            table.flush();
        }
        table
    }

    fn request(&mut self) -> String {
        self.requests += 1;
        self.requests.to_string()
    }

    fn act(&mut self, client: u64, action: Action) {
        let request = self.request();
        // The room limits how often a client acts, so time has to pass.
        self.time.now += 1000;
        self.time.date += 1000;
        self.room.handle(self.time, Message::Act(Box::new(Act { client, request, action, received: 0 })));
        self.flush();
    }

    fn flush(&mut self) {
        self.room.handle_timeout(self.time);
        loop {
            let uncommitted = self.room.poll_commit(self.time).expect("what this table stores can be written");
            self.room.handle_committed(self.time, uncommitted.held_back);
            while let Some(effect) = self.room.poll_effect() {
                if let Effect::Send { clients, payload } = effect {
                    self.sent += clients.len() as u64 * payload.json().len() as u64;
                }
            }
            if !self.room.has_work() {
                break;
            }
        }
    }

    fn start(&mut self) {
        self.act(1, Action::StartGame);
        for _ in 0..100 {
            if self.room.record().status == TableStatus::Playing {
                return;
            }
            self.time.now += 1000;
            self.flush();
        }
    }
}

fn member(player: u64) -> identity::Member {
    identity::member(&format!("secret-{player}-0123456789abcdefghijkl")).expect("the secret is long enough")
}

fn name(player: u64) -> String {
    format!("Player {player}")
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |flag: &str| words.iter().position(|word| word == flag).and_then(|at| words.get(at + 1));
    let moves: u64 = after("--moves").and_then(|word| word.parse().ok()).unwrap_or(20_000);
    let game = after("--game").map_or("donkey", String::as_str);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/{game}.baize"));
    let source = std::fs::read_to_string(&path).expect("a game of this name");
    let program = baize_rules::compile(&source).0.expect("the game has no errors");
    let rules = Arc::new(Rules::new(game, &source, program).expect("the game's definition can be written"));

    let begun = Instant::now();
    let (mut played, mut sent, mut games) = (0, 0, 0);
    while played < moves {
        games += 1;
        let mut table = BenchTable::new(game, &rules);
        table.start();
        'game: while played < moves {
            for client in 1..=PLAYERS {
                if table.room.record().status != TableStatus::Playing {
                    break 'game;
                }
                let answer = table.room.view(client).and_then(|view| random_answer(view, played));
                if let Some(answer) = answer {
                    table.act(client, Action::Move(answer));
                    played += 1;
                }
            }
        }
        sent += table.sent;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (a_second, bytes) = (played as f64 / seconds, sent as f64 / played as f64 / PLAYERS as f64);
    println!(
        "{game}: {played} moves in {games} games, {a_second:.0} moves a second, {bytes:.0} bytes a move and client"
    );
}
