//! A client without a browser: it keeps table, view and chat from the messages it receives, and checks that view plus
//! batch is the next view.

use baize_engine::definition::TableDefinition;
use baize_engine::reduce::reduce;
use baize_engine::view::{Answer, View};
use baize_narrator::Narration;
use baize_protocol::compact::{DecodedBatch, TextNumbers, WireBatch};
use baize_protocol::{
    Action, ChatLine, ClientMessage, Envelope, ErrorCode, LastSeen, Refused, ServerMessage, Sync, TableEvent,
    TableInfo, VERSION, You,
};
use futures_util::{SinkExt, StreamExt};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Only a failed test waits this long.
const TEST_TIMEOUT: Duration = Duration::from_secs(20);

/// The secret of the browser of the person with this name.
pub fn secret(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{plain}-secret-0123456789abcdefghijkl")
}

/// A number that no other client has.
pub fn unique() -> u32 {
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed)
}

static NEXT_NUMBER: AtomicU32 = AtomicU32::new(0);

pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    number: u32,
    next_request: u32,
    pub you: Option<You>,
    pub table: Option<TableInfo>,
    pub view: Option<View>,
    pub chat: Vec<ChatLine>,
    /// What each step of the game was told in words, by its `seq`.
    pub narrated: BTreeMap<u64, Vec<Narration>>,
    /// Table events other than chat, in order.
    pub events: Vec<TableEvent>,
    /// How many missed batches the last state brought; none if it brought a whole view.
    pub resumed: Option<usize>,
    /// Every message received, for tests that look for something that must not be there.
    pub heard: Vec<String>,
    /// The reason of the server's close frame.
    pub closed: Option<String>,
    address: SocketAddr,
    /// The texts of the table's definition, fetched with the first state that names it.
    texts: Arc<TextNumbers>,
}

/// Definitions never change, so each is fetched once.
static DEFINITIONS: Mutex<Vec<(String, Arc<TextNumbers>)>> = Mutex::new(Vec::new());

async fn fetch_texts(server: SocketAddr, address: &str) -> Arc<TextNumbers> {
    let known = |list: &[(String, Arc<TextNumbers>)]| {
        list.iter().find(|(at, _)| at == address).map(|(_, fetch_texts)| fetch_texts.clone())
    };
    if let Some(fetch_texts) = known(&DEFINITIONS.lock().unwrap()) {
        return fetch_texts;
    }
    let (_, _, body) = request(server, "GET", address, &format!("Host: {server}\r\n"), b"").await.unwrap();
    let definition: TableDefinition = serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}"));
    let fetch_texts = Arc::new(TextNumbers::new(definition.texts));
    DEFINITIONS.lock().unwrap().push((address.to_owned(), fetch_texts.clone()));
    fetch_texts
}

/// Encodes an action.
pub fn message(request: &str, action: Action) -> String {
    let request_id = request.to_owned();
    serde_json::to_string(&ClientMessage { v: VERSION, kind: Envelope::Action, request_id, action }).unwrap()
}

/// Sends one HTTP request on its own connection. Returns status, head and body.
pub async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> std::io::Result<(u16, String, String)> {
    let mut stream = TcpStream::connect(address).await?;
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await?;
    // A server that refuses early may reset the connection while we write; its answer can still be read.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer).await;
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Err(read.err().unwrap_or_else(|| std::io::ErrorKind::UnexpectedEof.into()));
    };
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = match head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        true => decode_chunks(&answer[end + 4..]),
        false => answer[end + 4..].to_vec(),
    };
    Ok((status, head, String::from_utf8_lossy(&body).into_owned()))
}

/// Decodes a chunked body.
fn decode_chunks(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&rest[..line]).ok().and_then(|length| usize::from_str_radix(length, 16).ok());
        let Some(length @ 1..) = length else { break };
        let piece = &rest[line + 2..];
        body.extend_from_slice(&piece[..length.min(piece.len())]);
        rest = piece.get(length + 2..).unwrap_or_default();
    }
    body
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Self {
        Self::try_connect(address).await.unwrap()
    }

    /// Returns none if nobody answers at this address.
    pub async fn try_connect(address: SocketAddr) -> Option<Self> {
        let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/api/ws")).await.ok()?;
        Some(Client {
            socket,
            number: unique(),
            next_request: 0,
            you: None,
            table: None,
            view: None,
            chat: Vec::new(),
            narrated: BTreeMap::new(),
            events: Vec::new(),
            resumed: None,
            heard: Vec::new(),
            closed: None,
            address,
            texts: Arc::default(),
        })
    }

    pub async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// Sends several messages in one write, so that the server handles the last before anything answers the first.
    pub async fn send_together(&mut self, texts: &[String]) {
        for text in texts {
            self.socket.feed(Message::text(text)).await.unwrap();
        }
        self.socket.flush().await.unwrap();
    }

    /// Returns none if the connection is closed.
    pub async fn try_send(&mut self, text: &str) -> Option<()> {
        self.socket.send(Message::text(text)).await.ok()
    }

    pub async fn send_message(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    /// Joins under a name and waits for the state.
    pub async fn join(&mut self, code: &str, name: &str) -> Result<(), Refused> {
        self.join_as(code, &secret(name), Some(name), false, None).await
    }

    pub async fn watch(&mut self, code: &str, name: &str) -> Result<(), Refused> {
        self.join_as(code, &secret(name), Some(name), true, None).await
    }

    pub async fn join_as(
        &mut self,
        code: &str,
        secret: &str,
        name: Option<&str>,
        watch: bool,
        last: Option<LastSeen>,
    ) -> Result<(), Refused> {
        let (table, secret, name) = (code.to_owned(), secret.to_owned(), name.map(str::to_owned));
        self.act(Action::Join { table, secret, name, watch, last }).await?;
        while self.you.is_none() {
            self.read().await;
        }
        Ok(())
    }

    /// What a reconnecting client says it has.
    pub fn last(&self) -> LastSeen {
        LastSeen {
            game: self.table().game.clone(),
            seq: self.seq(),
            seat: self.view.as_ref().and_then(|view| view.seat),
            chat: self.chat.last().map_or(0, |line| line.n),
        }
    }

    /// Sends an action and waits for its answer.
    pub async fn act(&mut self, action: Action) -> Result<(), Refused> {
        self.next_request += 1;
        // A browser never uses a request id twice, whatever the connection (DUR-1).
        let request = format!("{}-{}", self.number, self.next_request);
        self.act_with(&request, action).await
    }

    pub async fn act_with(&mut self, request: &str, action: Action) -> Result<(), Refused> {
        self.send_text(&message(request, action)).await;
        self.answer(request).await
    }

    pub async fn answer(&mut self, request: &str) -> Result<(), Refused> {
        match self.answer_if_any(request).await {
            Some(answer) => answer,
            None => panic!("hung up ({:?}) without an answer to {request}", self.closed),
        }
    }

    /// Waits for the answers to these requests, which come in any order. None stands for an acknowledgement.
    pub async fn answers(&mut self, requests: &[&str]) -> Vec<Option<ErrorCode>> {
        let mut answers: Vec<Option<Option<ErrorCode>>> = vec![None; requests.len()];
        while answers.contains(&None) {
            let (id, answer) = match self.read().await {
                Some(ServerMessage::Ack { request_id }) => (Some(request_id), None),
                Some(ServerMessage::Error(refused)) => (refused.request_id, Some(refused.error)),
                Some(_) => continue,
                None => panic!("hung up ({:?}) after {answers:?}", self.closed),
            };
            if let Some(nth) = requests.iter().position(|request| id.as_deref() == Some(request)) {
                answers[nth] = Some(answer);
            }
        }
        answers.into_iter().flatten().collect()
    }

    /// Returns none if the connection is closed, so that nobody knows whether the action was done.
    pub async fn try_act_with(&mut self, request: &str, action: Action) -> Option<Result<(), Refused>> {
        self.try_send(&message(request, action)).await?;
        self.answer_if_any(request).await
    }

    async fn answer_if_any(&mut self, request: &str) -> Option<Result<(), Refused>> {
        loop {
            match self.read().await? {
                ServerMessage::Ack { request_id } if request_id == request => return Some(Ok(())),
                ServerMessage::Error(refused) if refused.request_id.as_deref().is_none_or(|id| id == request) => {
                    return Some(Err(refused));
                }
                _ => {}
            }
        }
    }

    /// Sends an action that has to be refused, and returns the code.
    pub async fn expect_refusal(&mut self, action: Action) -> ErrorCode {
        self.act(action).await.expect_err("should have been refused").error
    }

    /// Answers the open decision and waits until it is no longer open, whoever closed it.
    pub async fn play(&mut self, answer: Answer) -> Result<(), Refused> {
        let decision = answer.decision;
        let result = self.act(Action::Move(answer)).await;
        if result.as_ref().err().is_none_or(|refused| refused.error == ErrorCode::DecisionClosed) {
            let open = |c: &Client| c.view().decision.as_ref().is_some_and(|open| open.id == decision);
            self.until("the decision is closed", |c| !open(c)).await;
        }
        result
    }

    /// Reads until the condition holds.
    pub async fn until(&mut self, what: &str, holds: impl Fn(&Client) -> bool) {
        while !holds(self) {
            if self.read().await.is_none() {
                panic!("hung up ({:?}) while waiting until {what}", self.closed);
            }
        }
    }

    /// Advances time until the condition holds, for changes that the server makes by itself.
    pub async fn advance_until(
        &mut self,
        clock: &baize_server::ServerClock,
        what: &str,
        holds: impl Fn(&Client) -> bool,
    ) {
        for _ in 0..1000 {
            if holds(self) {
                return;
            }
            clock.advance(1_000);
            self.act(Action::Heartbeat).await.unwrap();
        }
        panic!("time goes on and on, and not yet: {what}");
    }

    /// Reads until the server closes the connection, and returns the reason it gave.
    pub async fn read_until_closed(&mut self) -> String {
        while self.read().await.is_some() {}
        self.closed.clone().unwrap_or_default()
    }

    pub fn table(&self) -> &TableInfo {
        self.table.as_ref().expect("joined")
    }

    pub fn view(&self) -> &View {
        self.view.as_ref().expect("a game")
    }

    pub fn seq(&self) -> u64 {
        self.view.as_ref().map_or(0, |view| view.seq)
    }

    pub fn id(&self) -> String {
        self.you.as_ref().expect("joined").id.clone()
    }

    pub fn player(&self, name: &str) -> &baize_protocol::PlayerInfo {
        self.table()
            .players
            .iter()
            .find(|player| player.name == name)
            .unwrap_or_else(|| panic!("no {name} at the table"))
    }

    pub fn has_chat_line(&self, text: &str) -> bool {
        self.chat.iter().any(|line| line.text == text)
    }

    /// Whether anything that was told of the game has these words.
    pub fn was_told(&self, words: &str) -> bool {
        self.times_told(words) > 0
    }

    /// How often the game was told with these words, in texts of one piece.
    pub fn times_told(&self, words: &str) -> usize {
        let texts = self.narrated.values().flatten().map(|told| serde_json::to_string(&told.text).unwrap());
        texts.filter(|text| text.contains(words)).count()
    }

    /// Reads one message; none when the server has closed the connection.
    pub async fn read(&mut self) -> Option<ServerMessage> {
        loop {
            let Ok(frame) = tokio::time::timeout(TEST_TIMEOUT, self.socket.next()).await else {
                let waiting = self.view.as_ref().map(|view| (view.seq, view.paused, &view.waiting));
                let lines: Vec<_> = self.chat.iter().map(|line| &line.text).collect();
                panic!("no message for a long time: {:?} at {waiting:?} after {lines:?}", self.you);
            };
            match frame {
                Some(Ok(Message::Text(text))) => {
                    let message: ServerMessage =
                        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
                    self.heard.push(text.to_string());
                    if let ServerMessage::State { state, .. } = &message
                        && let Some(address) = &state.table.definitions.table
                    {
                        self.texts = fetch_texts(self.address, address).await;
                    }
                    self.apply(&message);
                    return Some(message);
                }
                Some(Ok(Message::Close(frame))) => {
                    self.closed = frame.map(|frame| frame.reason.to_string());
                    return None;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }

    /// Expands a batch from its compact form.
    pub fn expand(&self, wire: &WireBatch) -> DecodedBatch {
        wire.read(&self.texts).expect("a batch that can be read")
    }

    fn apply(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::State { v, state } => {
                assert_eq!(*v, VERSION);
                self.you = Some(state.you.clone());
                if self.table.as_ref().is_some_and(|table| table.game != state.table.game) {
                    self.narrated.clear();
                }
                self.table = Some(state.table.clone());
                // A state in the middle of a connection repeats lines that the client has.
                for line in &state.chat {
                    match self.chat.iter_mut().find(|old| old.n == line.n) {
                        Some(old) => *old = line.clone(),
                        None => self.chat.push(line.clone()),
                    }
                }
                self.chat.sort_by_key(|line| line.n);
                match &state.sync {
                    Some(Sync::View(view)) => {
                        self.view = Some((**view).clone());
                        self.resumed = None;
                    }
                    Some(Sync::Batches(batches)) => {
                        let view = self.view.as_mut().expect("the view it said it has");
                        for wire in batches {
                            let read = wire.read(&self.texts).expect("a batch that can be read");
                            reduce(view, &read.batch).expect("the next batch");
                            self.narrated.insert(read.batch.seq, read.narrations);
                        }
                        self.resumed = Some(batches.len());
                    }
                    None => self.view = None,
                }
            }
            ServerMessage::Event { batch: Some(wire), .. } => {
                let view = self.view.as_mut().expect("a view before its batches");
                let read = wire.read(&self.texts).unwrap_or_else(|| panic!("unreadable: {wire:?}"));
                reduce(view, &read.batch).unwrap_or_else(|error| panic!("{error}: {:?}", read.batch));
                self.narrated.insert(read.batch.seq, read.narrations);
            }
            ServerMessage::Event { event: Some(event), .. } => match event {
                TableEvent::Chat { line } => match self.chat.iter_mut().find(|old| old.n == line.n) {
                    // The server reuses the number of a session line for a newer line about the same subject.
                    Some(old) => *old = line.clone(),
                    None => self.chat.push(line.clone()),
                },
                TableEvent::SpectatorJoined { spectator } => {
                    let watching = &mut self.table.as_mut().expect("a table before its news").spectators;
                    watching.retain(|other| other.id != spectator.id);
                    watching.push(spectator.clone());
                }
                TableEvent::SpectatorLeft { spectator_id } => {
                    let watching = &mut self.table.as_mut().expect("a table before its news").spectators;
                    watching.retain(|other| other.id != *spectator_id);
                }
                other => {
                    if let TableEvent::TableChanged { table } = other {
                        self.table = Some((**table).clone());
                    }
                    self.events.push(other.clone());
                }
            },
            _ => {}
        }
    }
}
