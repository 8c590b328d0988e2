//! Nobody is sent what they may not know: every byte of every frame, for every game.

use crate::client::{Client, secret};
use crate::data::Data;
use crate::games::{all_games, catch_up, play_out};
use crate::server::{TestServer, quick_if_any};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::definition::{Definition, SlotVisibility, TableDefinition};
use baize_engine::laws::elsewhere;
use baize_engine::reduce;
use baize_engine::view::{Answer, Batch, CardView, Chosen, Content, Event, View, Viewer};
use baize_protocol::http::Replay;
use baize_protocol::{Action, ErrorCode, ServerMessage, Sync, TableStatus};
use baize_server::random_answer::random_answer;
use baize_server::{Config, OnLoad};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

const NAMES: [&str; 3] = ["Ann", "Ben", "Cleo"];

// --- Faces and handles, against the whole truth ---

/// What anybody may have seen by each step: the faces that lay where this viewer may look, or that were revealed.
struct Truth {
    /// By `seq`, from 0.
    allowed: Vec<BTreeSet<u64>>,
}

impl Truth {
    /// From the replay, which shows everything, and from what the rules say of each zone; the observers have no part in it.
    fn of(viewer: Option<u8>, replay: &Replay, definition: &Definition, table: &TableDefinition) -> Self {
        let may_look = |zone: usize| {
            let layout = &table.zones[zone];
            let slot = definition.slots.iter().find(|slot| slot.id == layout.zone).expect("a slot for each zone");
            match slot.visibility {
                SlotVisibility::Public => true,
                SlotVisibility::Owner => layout.owner.is_some() && layout.owner == viewer,
                // Who has the role changes, so everybody who may have it is let off here.
                SlotVisibility::Judge => viewer.is_some(),
                SlotVisibility::Hidden => false,
            }
        };
        let look = |view: &View, seen: &mut BTreeSet<u64>| {
            for (zone, shown) in view.zones.iter().enumerate() {
                if may_look(zone)
                    && let Content::Cards(cards) = &shown.content
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
                // What is announced was public before: the language sees to that, and the golden playthroughs show it.
                if let Event::Announced { text, .. } = event {
                    faces_in(&serde_json::to_value(text).unwrap(), &mut seen);
                }
                reduce::apply(&mut view, event).unwrap();
                look(&view, &mut seen);
            }
            view.seq = batch.seq;
            allowed.push(seen.clone());
        }
        Truth { allowed }
    }
}

/// Every face a piece of JSON mentions. Dice have faces of their own, which are numbers and no cards.
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

/// Follows what one client received, frame by frame, and holds it against the truth.
struct Listener<'a> {
    who: String,
    client: &'a Client,
    truth: &'a Truth,
    view: Option<View>,
    /// Every handle this viewer was ever given.
    handles: BTreeSet<u32>,
}

impl Listener<'_> {
    fn hear(&mut self, text: &str) {
        let message: ServerMessage = serde_json::from_str(text).unwrap();
        let plain: Value = serde_json::from_str(text).unwrap();
        // Nothing is in the bytes that is not in what they are read as.
        assert_eq!(serde_json::to_value(&message).unwrap(), plain, "{} received more than a message", self.who);
        match message {
            ServerMessage::State { state, .. } => {
                match state.sync {
                    Some(Sync::View(view)) => {
                        self.check_faces(view.seq, &serde_json::to_value(&view).unwrap());
                        self.handles.extend(shown(&view).map(|card| card.handle));
                        self.view = Some(*view);
                    }
                    Some(Sync::Batches(batches)) => {
                        batches.iter().for_each(|wire| self.follow(&self.client.spelled(wire)))
                    }
                    None => self.view = None,
                }
                let seq = self.view.as_ref().map_or(0, |view| view.seq);
                self.check_faces(seq, &serde_json::to_value(&state.chat).unwrap());
            }
            ServerMessage::Event { batch: Some(wire), .. } => self.follow(&self.client.spelled(&wire)),
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
        // A chat line may tell of the step whose batch comes right after it.
        let allowed = &self.truth.allowed[(seq as usize + 1).min(self.truth.allowed.len() - 1)];
        let leaked: Vec<_> = faces.difference(allowed).collect();
        assert!(leaked.is_empty(), "{} was sent the faces {leaked:?} after step {seq}: {value}", self.who);
    }

    fn follow(&mut self, batch: &Batch) {
        let value = serde_json::to_value(batch).unwrap();
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
                        // A card that comes out of the dark can't be told from any other that went there.
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

fn shown(view: &View) -> impl Iterator<Item = &CardView> {
    view.zones
        .iter()
        .filter_map(|zone| match &zone.content {
            Content::Cards(cards) => Some(cards),
            _ => None,
        })
        .flatten()
}

/// MOVE-1, WATCH-1, FAIR-2: what each client received holds no face of a card it may not know, no handle by which a card could be known
/// again after it was out of sight, no seed and nobody's secret.
#[tokio::test]
async fn received_bytes_hold_nothing_hidden() {
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
        // Some wrong moves on the way: refusals are frames, too.
        for n in 0..40 {
            catch_up(&mut clients).await;
            if clients[0].view().outcome.is_some() {
                break;
            }
            for client in &mut clients {
                try_something_wrong(client, n).await;
            }
            let Some(at) = clients.iter().position(|c| c.view().decision.is_some()) else { continue };
            let answer = random_answer(clients[at].view(), n).unwrap();
            let _ = clients[at].play(answer).await;
        }
        catch_up(&mut clients).await;
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
        for client in &clients {
            let seat = client.view().seat;
            let truth = Truth::of(seat, &replay, &definition, &table);
            let who = format!("{seat:?} in {game}");
            let mut listener = Listener { who, client, truth: &truth, view: None, handles: BTreeSet::new() };
            client.heard.iter().for_each(|text| listener.hear(text));
            assert_eq!(listener.view.as_ref(), client.view.as_ref());
            let ended = client.heard.iter().position(|text| text.contains("\"status\":\"ended\"")).unwrap();
            assert!(client.heard[..ended].iter().all(|text| !text.contains(&replay.seed)), "the seed was told early");
            assert!(NAMES.iter().all(|name| client.heard.iter().all(|text| !text.contains(&secret(name)))));
        }
    }
}

/// Answers that somebody might try who wants to learn something: other seats' decisions, made-up handles, raw numbers of cards.
async fn try_something_wrong(client: &mut Client, n: u64) {
    let mut chance = FastChance::new(n);
    let view = client.view();
    let open = view.waiting.first().map_or(1, |waiting| waiting.decision);
    let decision = view.decision.as_ref().map_or(open, |decision| decision.id);
    let part = match chance.below(3) {
        0 => Chosen::Card(chance.below(200)),
        1 => Chosen::Number(chance.below(60) as i32),
        _ => Chosen::Cards((0..chance.below(4)).map(|_| chance.below(200)).collect()),
    };
    // A number may be a good answer to a number; only what can't be one is tried.
    let sensible = view.decision.is_some() && matches!(part, Chosen::Number(_));
    let parts = if sensible { vec![part.clone(), part] } else { vec![Chosen::Card(900_000), part] };
    let alternative = chance.below(3) as u16;
    let refused = client.act(Action::Move(Answer { decision, alternative, parts })).await;
    let Err(refused) = refused else { panic!("{:?} could do that", client.you) };
    assert_ne!(refused.error, ErrorCode::Storage);
}

// --- Two runs that differ only in what one viewer can't see ---

/// Two servers on copies of the same data; in the second the table is another, as far as this viewer can't see it.
struct Pair {
    here: Side,
    there: Side,
}

struct Side {
    _server: TestServer,
    /// Seats, then the spectator.
    clients: Vec<Client>,
}

impl Side {
    async fn open(data: &Data, clock: u64, code: &str, viewer: usize, on_load: Option<OnLoad>) -> Self {
        let dir = data.copy();
        let with = move |config: &mut Config| config.on_load = on_load;
        let server = TestServer::on(dir, baize_server::Clock::driven(clock), with).await;
        // The viewer comes last: nobody's coming is told to it in an order of its own.
        let mut clients: Vec<Option<Client>> = (0..=NAMES.len()).map(|_| None).collect();
        for at in (0..clients.len()).filter(|at| *at != viewer).chain([viewer]) {
            let mut client = server.client().await;
            match NAMES.get(at) {
                Some(name) => client.join(code, name).await.unwrap(),
                None => client.watch(code, "Olga").await.unwrap(),
            }
            clients[at] = Some(client);
        }
        Side { _server: server, clients: clients.into_iter().flatten().collect() }
    }

    /// Everything this client has received since, as far as it is no answer to itself.
    async fn news(&mut self, viewer: usize, from: usize) -> Vec<Value> {
        let client = &mut self.clients[viewer];
        client.act(Action::Heartbeat).await.unwrap();
        let frames = client.heard[from..].iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
        frames.filter(|frame| frame["type"] != "ack" && frame["type"] != "error").collect()
    }
}

/// A copy of a stopped server's data.
/// Whether a face comes into sight that this view did not have under that handle.
fn shows_something(client: &Client, view: &View, frames: &[Value]) -> bool {
    let known: BTreeSet<(u32, Option<u16>)> = shown(view).map(|card| (card.handle, card.face)).collect();
    let news = |card: &CardView| card.face.is_some() && !known.contains(&(card.handle, card.face));
    frames.iter().any(|frame| match serde_json::from_value::<ServerMessage>(frame.clone()) {
        Ok(ServerMessage::Event { batch: Some(wire), .. }) => {
            client.spelled(&wire).events.iter().any(|event| match event {
                Event::Moved { came, .. } => came.iter().any(|placed| news(&placed.card)),
                Event::Zone { view, .. } => matches!(&view.content, Content::Cards(cards) if cards.iter().any(news)),
                Event::Cards { cards, .. } => cards.iter().any(news),
                Event::Revealed { .. } | Event::Outcome { .. } => true,
                _ => false,
            })
        }
        _ => false,
    })
}

/// Compares the two runs; returns how many frames and moves were compared.
async fn same_frames(pair: &mut Pair, viewer: usize, seed: u64, what: &str) -> (usize, usize) {
    let (mut here, mut there) = (pair.here.news(viewer, 0).await, pair.there.news(viewer, 0).await);
    assert_eq!(here, there, "{what}: the table itself");
    let (mut compared, mut moves) = (here.len(), 0);
    // What is refused is refused in the same words.
    for n in 0..12 {
        let mut refusals = Vec::new();
        for side in [&mut pair.here, &mut pair.there] {
            let client = &mut side.clients[viewer];
            let from = client.heard.len();
            if client.table().status == TableStatus::Playing {
                try_something_wrong(client, seed + n).await;
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
        // Others first: what one does oneself one mostly sees.
        let Some(mover) = asked.iter().find(|at| **at != viewer).or(asked.first()).copied() else { break };
        let answer = random_answer(pair.here.clients[mover].view(), seed + n).unwrap();
        let from = (pair.here.clients[viewer].heard.len(), pair.there.clients[viewer].heard.len());
        let before = pair.here.clients[viewer].view().clone();
        let done = (
            pair.here.clients[mover].act(Action::Move(answer.clone())).await.is_ok(),
            pair.there.clients[mover].act(Action::Move(answer)).await.is_ok(),
        );
        // Another seat's cards are others there, so what it did here may not be possible there; one's own moves always are.
        assert!(mover != viewer || done.0 == done.1, "{what}: what may be done");
        if done != (true, true) {
            break;
        }
        (here, there) = (pair.here.news(viewer, from.0).await, pair.there.news(viewer, from.1).await);
        let eyes = &pair.here.clients[viewer];
        if shows_something(eyes, &before, &here) || shows_something(eyes, &before, &there) {
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

/// MOVE-1, WATCH-1: change everything one viewer can't see, and every frame this viewer receives is the same, until it is shown something.
#[tokio::test]
async fn frames_do_not_depend_on_what_is_hidden() {
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
            // Nobody leaves before the server does: coming back is then no event, and the table stays as it is.
            let data = server.stop().await;
            clients.clear();
            for viewer in 0..=NAMES.len() {
                let seed = 1000 * point + viewer as u64;
                let eyes = if viewer < NAMES.len() { Viewer::Seat(viewer as u8) } else { Viewer::Spectator };
                let other = OnLoad(Arc::new(move |table| elsewhere(&table, eyes, seed)));
                let mut pair = Pair {
                    here: Side::open(&data, clock.now(), &code, viewer, None).await,
                    there: Side::open(&data, clock.now(), &code, viewer, Some(other)).await,
                };
                let what = format!("{game}, {eyes:?}, point {point}");
                let (frames, made) = same_frames(&mut pair, viewer, seed, &what).await;
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
    // In some games every move shows everybody a card; in the others most can be compared.
    assert!(all_moves > 20, "only {all_moves} moves were compared");
}
