//! No client receives what it may not know: checks every byte of every frame, for every game.

use crate::client::{Client, secret};
use crate::data::TestData;
use crate::games::{all_games, catch_up, play_out};
use crate::server::{TestServer, quick_if_any};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::definition::{Definition, SlotVisibility, TableDefinition};
use baize_engine::laws::with_hidden_cards_moved;
use baize_engine::reduce;
use baize_engine::view::{Answer, CardView, Chosen, Content, Event, View, Viewer};
use baize_protocol::compact::DecodedBatch;
use baize_protocol::http::{Replay, TableLog};
use baize_protocol::{Action, ErrorCode, ServerMessage, Sync, TableStatus};
use baize_room::random_answer::random_answer;
use baize_server::{Config, OnLoad};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

const NAMES: [&str; 3] = ["Ann", "Ben", "Cleo"];

// --- Faces and handles, against the whole truth ---

/// What a viewer may know at each step: the faces in zones that it may see, and those that were revealed.
struct AllowedFaces {
    /// The faces by `seq`, from 0.
    allowed: Vec<BTreeSet<u64>>,
}

impl AllowedFaces {
    /// Computes them from the replay, which shows everything, and from what the rules say of each zone. It does not use
    /// the observers under test.
    fn from_replay(viewer: Option<u8>, replay: &Replay, definition: &Definition, table: &TableDefinition) -> Self {
        let may_look = |zone: usize| {
            let layout = &table.zones[zone];
            let slot = definition.slots.iter().find(|slot| slot.id == layout.zone).expect("a slot for each zone");
            match slot.visibility {
                SlotVisibility::Public => true,
                SlotVisibility::Owner => layout.owner.is_some() && layout.owner == viewer,
                // The holder of the role changes, so this check exempts every seat.
                SlotVisibility::Judge => viewer.is_some(),
                SlotVisibility::Hidden => false,
            }
        };
        let look = |view: &View, seen: &mut BTreeSet<u64>| {
            for (zone, shown_cards) in view.zones.iter().enumerate() {
                if may_look(zone)
                    && let Content::Cards(cards) = &shown_cards.content
                {
                    seen.extend(cards.iter().filter_map(|card| card.face).map(u64::from));
                }
            }
        };
        let mut view = replay.first.clone();
        let mut seen = BTreeSet::new();
        look(&view, &mut seen);
        let mut allowed = vec![seen.clone()];
        for batch in &replay.batches {
            for event in &batch.events {
                if let Event::Revealed { faces, text, .. } = event {
                    seen.extend(faces.iter().map(|face| u64::from(*face)));
                    faces_in(&serde_json::to_value(text).unwrap(), &mut seen);
                }
                // An announced text was public before: the language guarantees that, and the golden playthroughs show
                // it.
                if let Event::Announced { text, .. } = event {
                    faces_in(&serde_json::to_value(text).unwrap(), &mut seen);
                }
                reduce::apply(&mut view, event).unwrap();
                look(&view, &mut seen);
            }
            view.seq = batch.seq;
            allowed.push(seen.clone());
        }
        AllowedFaces { allowed }
    }
}

/// Collects every face that a piece of JSON mentions. Faces of dice are numbers and no cards.
fn faces_in(value: &Value, faces: &mut BTreeSet<u64>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("dice", _) => {}
                    ("face", Value::Number(face)) => drop(faces.insert(face.as_u64().unwrap_or_default())),
                    ("faces", Value::Array(list)) => faces.extend(list.iter().filter_map(Value::as_u64)),
                    _ => faces_in(value, faces),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| faces_in(value, faces)),
        _ => {}
    }
}

/// Follows the frames that one client received and compares them with the truth.
struct FrameChecker<'a> {
    who: String,
    client: &'a Client,
    truth: &'a AllowedFaces,
    view: Option<View>,
    /// Every handle this viewer was ever given.
    handles: BTreeSet<u32>,
}

impl FrameChecker<'_> {
    fn check_frame(&mut self, text: &str) {
        let message: ServerMessage = serde_json::from_str(text).unwrap();
        let plain: Value = serde_json::from_str(text).unwrap();
        // The frame contains nothing beyond the message that it is parsed into.
        assert_eq!(serde_json::to_value(&message).unwrap(), plain, "{} received more than a message", self.who);
        match message {
            ServerMessage::State { state, .. } => {
                match state.sync {
                    Some(Sync::View(view)) => {
                        self.check_faces(view.seq, &serde_json::to_value(&view).unwrap());
                        self.handles.extend(shown_cards(&view).map(|card| card.handle));
                        self.view = Some(*view);
                    }
                    Some(Sync::Batches(batches)) => {
                        batches.iter().for_each(|wire| self.follow(&self.client.expand(wire)))
                    }
                    None => self.view = None,
                }
                let seq = self.view.as_ref().map_or(0, |view| view.seq);
                self.check_faces(seq, &serde_json::to_value(&state.chat).unwrap());
            }
            ServerMessage::Event { batch: Some(wire), .. } => self.follow(&self.client.expand(&wire)),
            ServerMessage::Event { event: Some(event), .. } => {
                let seq = self.view.as_ref().map_or(0, |view| view.seq);
                self.check_faces(seq, &serde_json::to_value(&event).unwrap());
            }
            ServerMessage::Error(refused) => {
                let seq = self.view.as_ref().map_or(0, |view| view.seq);
                self.check_faces(seq, &serde_json::to_value(&refused).unwrap());
            }
            _ => {}
        }
    }

    fn check_faces(&self, seq: u64, value: &Value) {
        let mut faces = BTreeSet::new();
        faces_in(value, &mut faces);
        // A chat line may tell of the step whose batch follows it.
        let allowed = &self.truth.allowed[(seq as usize + 1).min(self.truth.allowed.len() - 1)];
        let leaked: Vec<_> = faces.difference(allowed).collect();
        assert!(leaked.is_empty(), "{} was sent the faces {leaked:?} after step {seq}: {value}", self.who);
    }

    fn follow(&mut self, DecodedBatch { batch, narrations, .. }: &DecodedBatch) {
        let value = serde_json::json!([batch, narrations]);
        let mut faces = BTreeSet::new();
        faces_in(&value, &mut faces);
        let leaked: Vec<_> = faces.difference(&self.truth.allowed[batch.seq as usize]).collect();
        assert!(leaked.is_empty(), "{} was sent the faces {leaked:?} with step {}: {value}", self.who, batch.seq);
        let view = self.view.as_mut().expect("a view before its batches");
        let mut shuffled = None;
        for event in &batch.events {
            match event {
                Event::Moved { from, came, .. } => {
                    let from_sight =
                        from.is_some_and(|from| matches!(view.zones[usize::from(from)].content, Content::Cards(_)));
                    for placed in came {
                        let new = self.handles.insert(placed.card.handle);
                        // The new handle of a card that returns into sight must not identify it.
                        assert!(
                            from_sight || new,
                            "{} knows card {} again at step {}",
                            self.who,
                            placed.card.handle,
                            batch.seq
                        );
                    }
                }
                Event::Shuffled { zone } => shuffled = Some(*zone),
                Event::Zone { zone, view } => {
                    if let Content::Cards(cards) = &view.content {
                        for card in cards {
                            let new = self.handles.insert(card.handle);
                            let same = shuffled == Some(*zone);
                            assert!(new || !same, "{} follows card {} through a shuffle", self.who, card.handle);
                        }
                    }
                    shuffled = None;
                }
                _ => {}
            }
            reduce::apply(view, event).unwrap();
        }
        view.seq = batch.seq;
    }
}

fn shown_cards(view: &View) -> impl Iterator<Item = &CardView> {
    view.zones
        .iter()
        .filter_map(|zone| match &zone.content {
            Content::Cards(cards) => Some(cards),
            _ => None,
        })
        .flatten()
}

/// MOVE-1, WATCH-1, LOG-1, FAIR-2: the frames of a client contain no face of a card it may not know, no handle that identifies
/// a card after it was out of sight, no seed and nobody's secret.
#[tokio::test]
async fn received_frames_contain_nothing_hidden() {
    for game in all_games() {
        eprintln!("listening to {game}");
        let server = TestServer::start().await;
        let (code, mut clients) = server.seated(&game, quick_if_any(&server, &game).await, &NAMES).await;
        let mut watcher = server.client().await;
        watcher.watch(&code, "Olga").await.unwrap();
        clients[0].act(Action::StartGame).await.unwrap();
        clients.push(watcher);
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        // Some wrong moves: refusals are frames too.
        for n in 0..40 {
            catch_up(&mut clients).await;
            if clients[0].view().outcome.is_some() {
                break;
            }
            for client in &mut clients {
                try_wrong_moves(client, n).await;
            }
            let Some(at) = clients.iter().position(|c| c.view().decision.is_some()) else { continue };
            let answer = random_answer(clients[at].view(), n).unwrap();
            let _ = clients[at].play(answer).await;
        }
        catch_up(&mut clients).await;
        let logs = logs_of(&server, &code, &clients).await;
        play_out(&mut clients, 3).await;
        for client in &mut clients {
            client.until("it is over", |c| c.table().status == TableStatus::Ended).await;
        }
        let id = clients[0].table().game.clone();
        let (_, text) = server.http("GET", &format!("/api/replays/{id}"), None, "").await;
        let replay: Replay = serde_json::from_str(&text).unwrap();
        let (_, text) = server.http("GET", &replay.game_definition, None, "").await;
        let definition: Definition = serde_json::from_str(&text).unwrap();
        let (_, text) = server.http("GET", &replay.table_definition, None, "").await;
        let table: TableDefinition = serde_json::from_str(&text).unwrap();
        for (client, log) in clients.iter().zip(&logs) {
            let seat = client.view().seat;
            let truth = AllowedFaces::from_replay(seat, &replay, &definition, &table);
            let who = format!("{seat:?} in {game}");
            let mut listener = FrameChecker { who, client, truth: &truth, view: None, handles: BTreeSet::new() };
            client.heard.iter().for_each(|text| listener.check_frame(text));
            assert_eq!(listener.view.as_ref(), client.view.as_ref());
            for step in &log.steps {
                let mut faces = BTreeSet::new();
                faces_in(&serde_json::to_value(&step.narrations).unwrap(), &mut faces);
                let leaked: Vec<_> = faces.difference(&truth.allowed[step.seq as usize]).collect();
                assert!(leaked.is_empty(), "the log of {} has the faces {leaked:?}: {step:?}", listener.who);
            }
            let ended = client.heard.iter().position(|text| text.contains("\"status\":\"ended\"")).unwrap();
            assert!(client.heard[..ended].iter().all(|text| !text.contains(&replay.seed)), "the seed was told early");
            assert!(NAMES.iter().all(|name| client.heard.iter().all(|text| !text.contains(&secret(name)))));
        }
    }
}

/// What each client reads of the game when it reloads the page. It is what the client was told live, step by step.
async fn logs_of(server: &TestServer, code: &str, clients: &[Client]) -> Vec<TableLog> {
    let mut logs = Vec::new();
    for (at, client) in clients.iter().enumerate() {
        let secret = secret(NAMES.get(at).unwrap_or(&"Olga"));
        let (status, text) = server.http("GET", &format!("/api/tables/{code}/log"), Some(&secret), "").await;
        assert_eq!(status, 200, "{text}");
        let log: TableLog = serde_json::from_str(&text).unwrap();
        assert!(log.steps.len() > 1, "the log is empty");
        for step in &log.steps {
            // The deal comes as a whole view, so only the log tells it.
            if let Some(live) = client.narrated.get(&step.seq) {
                assert_eq!(live, &step.narrations, "step {}", step.seq);
            }
        }
        let read = |seq: &u64| log.steps.iter().any(|step| step.seq == *seq);
        let earliest = log.steps[0].seq;
        let mut live = client.narrated.iter().filter(|(seq, told)| **seq >= earliest && !told.is_empty());
        assert!(live.all(|(seq, _)| read(seq)), "the log leaves steps out");
        logs.push(log);
    }
    logs
}

/// Sends answers that could reveal something: for other seats' decisions, with invented handles, with raw card numbers.
async fn try_wrong_moves(client: &mut Client, n: u64) {
    let mut chance = FastChance::new(n);
    let view = client.view();
    let open = view.waiting.first().map_or(1, |waiting| waiting.decision);
    let decision = view.decision.as_ref().map_or(open, |decision| decision.id);
    let part = match chance.below(3) {
        0 => Chosen::Card(chance.below(200)),
        1 => Chosen::Number(chance.below(60) as i32),
        _ => Chosen::Cards((0..chance.below(4)).map(|_| chance.below(200)).collect()),
    };
    // A number can be a valid answer to a number, so only invalid ones are sent.
    let sensible = view.decision.is_some() && matches!(part, Chosen::Number(_));
    let parts = if sensible { vec![part.clone(), part] } else { vec![Chosen::Card(900_000), part] };
    let alternative = chance.below(3) as u16;
    let refused = client.act(Action::Move(Answer { decision, alternative, parts })).await;
    let Err(refused) = refused else { panic!("{:?} could do that", client.you) };
    assert_ne!(refused.error, ErrorCode::Storage);
}

// --- Two runs that differ only in what one viewer can't see ---

/// Two servers on copies of the same data; in the second one the table differs in what this viewer can't see.
struct TwinServers {
    here: TwinServer,
    there: TwinServer,
}

struct TwinServer {
    _server: TestServer,
    /// Seats, then the spectator.
    clients: Vec<Client>,
}

impl TwinServer {
    async fn open(data: &TestData, clock: u64, code: &str, viewer: usize, on_load: Option<OnLoad>) -> Self {
        let dir = data.copy();
        let with = move |config: &mut Config| config.on_load = on_load;
        let server = TestServer::on(dir, baize_server::ServerClock::driven(clock), with).await;
        // The viewer joins last, so that it sees nobody else join.
        let mut clients: Vec<Option<Client>> = (0..=NAMES.len()).map(|_| None).collect();
        for at in (0..clients.len()).filter(|at| *at != viewer).chain([viewer]) {
            let mut client = server.client().await;
            match NAMES.get(at) {
                Some(name) => client.join(code, name).await.unwrap(),
                None => client.watch(code, "Olga").await.unwrap(),
            }
            clients[at] = Some(client);
        }
        TwinServer { _server: server, clients: clients.into_iter().flatten().collect() }
    }

    /// Everything this client has received since `from`, except answers to itself.
    async fn received_since(&mut self, viewer: usize, from: usize) -> Vec<Value> {
        let client = &mut self.clients[viewer];
        client.act(Action::Heartbeat).await.unwrap();
        let frames = client.heard[from..].iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
        frames.filter(|frame| frame["type"] != "ack" && frame["type"] != "error").collect()
    }
}

/// Whether the frames show a face that this view did not have under that handle.
fn reveals_a_face(client: &Client, view: &View, frames: &[Value]) -> bool {
    let known: BTreeSet<(u32, Option<u16>)> = shown_cards(view).map(|card| (card.handle, card.face)).collect();
    let received_since = |card: &CardView| card.face.is_some() && !known.contains(&(card.handle, card.face));
    frames.iter().any(|frame| match serde_json::from_value::<ServerMessage>(frame.clone()) {
        Ok(ServerMessage::Event { batch: Some(wire), .. }) => {
            client.expand(&wire).batch.events.iter().any(|event| match event {
                Event::Moved { came, .. } => came.iter().any(|placed| received_since(&placed.card)),
                Event::Zone { view, .. } => {
                    matches!(&view.content, Content::Cards(cards) if cards.iter().any(received_since))
                }
                Event::Cards { cards, .. } => cards.iter().any(received_since),
                Event::Revealed { .. } | Event::Outcome { .. } => true,
                _ => false,
            })
        }
        _ => false,
    })
}

/// Compares the two runs; returns how many frames and moves it compared.
async fn compare_frames(pair: &mut TwinServers, viewer: usize, seed: u64, what: &str) -> (usize, usize) {
    let (mut here, mut there) = (pair.here.received_since(viewer, 0).await, pair.there.received_since(viewer, 0).await);
    assert_eq!(here, there, "{what}: the table itself");
    let (mut compared, mut moves) = (here.len(), 0);
    // Refusals have the same text in both runs.
    for n in 0..12 {
        let mut refusals = Vec::new();
        for side in [&mut pair.here, &mut pair.there] {
            let client = &mut side.clients[viewer];
            let from = client.heard.len();
            if client.table().status == TableStatus::Playing {
                try_wrong_moves(client, seed + n).await;
            }
            let refused = client.heard[from..].iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
            let mut refused: Vec<Value> = refused.filter(|frame| frame["type"] == "error").collect();
            refused.iter_mut().for_each(|frame| frame["requestId"] = Value::Null);
            refusals.push(refused);
        }
        assert_eq!(refusals[0], refusals[1], "{what}: a refusal");
        compared += refusals[0].len();
    }
    for n in 0..8 {
        let asked: Vec<usize> =
            (0..NAMES.len()).filter(|at| pair.here.clients[*at].view().decision.is_some()).collect();
        // Other seats first, because a player usually sees the result of an own move.
        let Some(mover) = asked.iter().find(|at| **at != viewer).or(asked.first()).copied() else { break };
        let answer = random_answer(pair.here.clients[mover].view(), seed + n).unwrap();
        let from = (pair.here.clients[viewer].heard.len(), pair.there.clients[viewer].heard.len());
        let before = pair.here.clients[viewer].view().clone();
        let done = (
            pair.here.clients[mover].act(Action::Move(answer.clone())).await.is_ok(),
            pair.there.clients[mover].act(Action::Move(answer)).await.is_ok(),
        );
        // Another seat has other cards in the second run, so its move may be illegal there. The viewer's own moves are
        // legal in both.
        assert!(mover != viewer || done.0 == done.1, "{what}: what may be done");
        if done != (true, true) {
            break;
        }
        (here, there) =
            (pair.here.received_since(viewer, from.0).await, pair.there.received_since(viewer, from.1).await);
        let eyes = &pair.here.clients[viewer];
        if reveals_a_face(eyes, &before, &here) || reveals_a_face(eyes, &before, &there) {
            break;
        }
        assert_eq!(here, there, "{what}: a move of seat {mover}");
        compared += here.len();
        moves += 1;
        for side in [&mut pair.here, &mut pair.there] {
            let most = side.clients[viewer].seq();
            for client in &mut side.clients {
                client.until("caught up", |c| c.seq() >= most).await;
            }
        }
    }
    (compared, moves)
}

/// MOVE-1, WATCH-1: if everything that one viewer can't see changes, every frame for this viewer stays the same, until
/// something is revealed to it.
#[tokio::test]
async fn frames_do_not_depend_on_hidden_state() {
    let mut all_moves = 0;
    for game in all_games() {
        let (mut compared, mut moves) = (0, 0);
        let mut server = TestServer::alone(|_| {}).await;
        let (code, mut clients) = server.seated(&game, quick_if_any(&server, &game).await, &NAMES).await;
        clients[0].act(Action::StartGame).await.unwrap();
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        for (point, moves_before) in [(0u64, 0), (1, 1), (2, 1), (3, 2)] {
            for n in 0..moves_before {
                let Some(at) = clients.iter().position(|c| c.view().decision.is_some()) else { break };
                let answer = random_answer(clients[at].view(), 100 * point + n).unwrap();
                let _ = clients[at].play(answer).await;
                catch_up(&mut clients).await;
            }
            if clients[0].view().outcome.is_some() {
                break;
            }
            let clock = server.clock.clone();
            // Nobody disconnects before the server stops, so that reconnecting causes no event and does not change the
            // table.
            let data = server.stop().await;
            clients.clear();
            for viewer in 0..=NAMES.len() {
                let seed = 1000 * point + viewer as u64;
                let eyes = if viewer < NAMES.len() { Viewer::Seat(viewer as u8) } else { Viewer::Spectator };
                let other = OnLoad(Arc::new(move |table| with_hidden_cards_moved(&table, eyes, seed)));
                let mut pair = TwinServers {
                    here: TwinServer::open(&data, clock.now(), &code, viewer, None).await,
                    there: TwinServer::open(&data, clock.now(), &code, viewer, Some(other)).await,
                };
                let what = format!("{game}, {eyes:?}, point {point}");
                let (frames, made) = compare_frames(&mut pair, viewer, seed, &what).await;
                (compared, moves) = (compared + frames, moves + made);
            }
            server = TestServer::on(data, clock, |_| {}).await;
            for name in NAMES {
                let mut client = server.client().await;
                client.join(&code, name).await.unwrap();
                clients.push(client);
            }
        }
        eprintln!("{game}: {compared} frames compared, {moves} moves among them");
        assert!(compared > 100, "too little was compared in {game}: {compared} frames");
        all_moves += moves;
    }
    // In some games every move shows everybody a card; in the others most moves can be compared.
    assert!(all_moves > 20, "only {all_moves} moves were compared");
}
