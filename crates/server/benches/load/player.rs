//! A player who knows only as much of a table as is needed to answer.

use crate::http;
use crate::socket::{Socket, SocketItem};
use baize_engine::view::{Answer, DecisionView, Event, View};
use baize_protocol::compact::{TextNumbers, WireBatch};
use baize_protocol::{
    Action, ClientMessage, Envelope, LastSeen, Refused, ServerMessage, Sync, TableEvent, TableStatus, VERSION,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

thread_local! {
    /// Definitions never change, so each is fetched once for all players.
    static KNOWN: RefCell<HashMap<String, Rc<TextNumbers>>> = RefCell::default();
}

pub struct BenchPlayer {
    address: SocketAddr,
    socket: Socket,
    pub code: String,
    name: String,
    requests: u32,
    pub lead: bool,
    seat: Option<u8>,
    pub seq: u64,
    game: String,
    chat: u64,
    pub decision: Option<Arc<DecisionView>>,
    texts: Rc<TextNumbers>,
    /// The move that is not done yet.
    pub pending: Option<PendingMove>,
    pub over: bool,
}

pub struct PendingMove {
    pub request: String,
    pub begun: Instant,
    /// The server has acknowledged the move; its events come next.
    pub done: bool,
}

/// The meaning of a message for a player that waits.
#[derive(Debug, PartialEq)]
pub enum Update {
    /// A step of the game.
    Step,
    /// A whole state.
    State,
    /// The acknowledgement of a request.
    Done(String),
    Refused(String, String),
    /// The game is over.
    Over,
    /// A rematch has been made, and the table is a lobby again.
    Lobby,
    Other,
    Closed,
}

impl BenchPlayer {
    /// Joins a table and sits down if there is room.
    pub async fn join(address: SocketAddr, code: &str, name: &str, watch: bool) -> io::Result<Self> {
        let mut player = BenchPlayer::connect(address, code, name, None).await?;
        player.join_and_wait(watch).await?;
        Ok(player)
    }

    /// Connects without sending anything yet.
    pub async fn connect(address: SocketAddr, code: &str, name: &str, receive_buffer: Option<u32>) -> io::Result<Self> {
        Ok(BenchPlayer {
            address,
            socket: Socket::open(address, receive_buffer).await?,
            code: code.to_owned(),
            name: name.to_owned(),
            requests: 0,
            lead: false,
            seat: None,
            seq: 0,
            game: String::new(),
            chat: 0,
            decision: None,
            texts: Rc::default(),
            pending: None,
            over: false,
        })
    }

    async fn join_and_wait(&mut self, watch: bool) -> io::Result<()> {
        self.send_join(watch).await?;
        self.until(|news| *news == Update::State).await
    }

    pub async fn send_join(&mut self, watch: bool) -> io::Result<()> {
        let last = (self.seq > 0).then(|| LastSeen {
            game: self.game.clone(),
            seq: self.seq,
            seat: self.seat,
            chat: self.chat,
        });
        let (table, name, secret) = (self.code.clone(), Some(self.name.clone()), secret(&self.name));
        self.act(Action::Join { table, secret, name, watch, last }).await.map(drop)
    }

    /// Drops the connection without a close frame.
    pub async fn drop_connection(&mut self) {
        self.socket.drop_connection().await;
    }

    /// Reconnects the same player, with what was known before.
    pub async fn reconnect(&mut self) -> io::Result<()> {
        self.socket = Socket::open(self.address, None).await?;
        self.join_and_wait(false).await
    }

    pub async fn act(&mut self, action: Action) -> io::Result<String> {
        self.requests += 1;
        let request_id = format!("{}.{}", self.name, self.requests);
        let message = ClientMessage { v: VERSION, kind: Envelope::Action, request_id: request_id.clone(), action };
        self.socket.send(&serde_json::to_string(&message)?).await?;
        Ok(request_id)
    }

    /// Answers the open decision at random; returns false if there is none.
    pub async fn play(&mut self, seed: u64) -> io::Result<bool> {
        let Some(answer) = self.choose(seed) else { return Ok(false) };
        self.decision = None;
        let begun = Instant::now();
        let request = self.act(Action::Move(answer)).await?;
        self.pending = Some(PendingMove { request, begun, done: false });
        Ok(true)
    }

    fn choose(&self, seed: u64) -> Option<Answer> {
        let view = View { decision: Some(self.decision.clone()?), ..View::default() };
        baize_room::random_answer::random_answer(&view, seed)
    }

    pub async fn until(&mut self, done: impl Fn(&Update) -> bool) -> io::Result<()> {
        loop {
            match self.next().await? {
                Update::Closed => return Err(io::ErrorKind::UnexpectedEof.into()),
                Update::Refused(_, why) => return Err(io::Error::other(why)),
                news if done(&news) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Bytes received so far, including frame headers.
    pub fn received(&self) -> u64 {
        self.socket.received
    }

    pub async fn next(&mut self) -> io::Result<Update> {
        let SocketItem::Text(text) = self.socket.receive().await? else { return Ok(Update::Closed) };
        // Most messages are steps that ask this player nothing, and need not be parsed to the end.
        if let Some(rest) = text.strip_prefix("{\"type\":\"event\",\"b\":\"")
            && !rest.contains(['q', 'O', 'a'])
        {
            self.seq = rest.split(',').next().and_then(|seq| seq.parse().ok()).unwrap_or(self.seq);
            return Ok(Update::Step);
        }
        match serde_json::from_str(&text)? {
            ServerMessage::Ack { request_id } => Ok(Update::Done(request_id)),
            ServerMessage::Error(Refused { request_id, error, text, .. }) => {
                Ok(Update::Refused(request_id.unwrap_or_default(), format!("{} {text}", error.as_str())))
            }
            ServerMessage::State { state, .. } => {
                let again = self.over && state.table.status == TableStatus::Lobby;
                self.lead = state.table.lead.as_deref() == Some(state.you.id.as_str());
                self.seat = state.you.seat;
                self.game = state.table.game.clone();
                self.chat = state.chat.last().map_or(self.chat, |line| line.n);
                if let Some(address) = &state.table.definitions.table {
                    self.texts = texts(self.address, address).await?;
                }
                match &state.sync {
                    Some(Sync::View(view)) => {
                        self.seq = view.seq;
                        self.decision = view.decision.clone();
                        self.over = view.outcome.is_some();
                    }
                    Some(Sync::Batches(batches)) => batches.iter().for_each(|batch| self.follow(batch)),
                    None => (self.seq, self.decision, self.over) = (0, None, false),
                }
                Ok(if again { Update::Lobby } else { Update::State })
            }
            ServerMessage::Event { batch: Some(batch), .. } => {
                self.follow(&batch);
                Ok(Update::Step)
            }
            ServerMessage::Event { event: Some(TableEvent::GameEnded), .. } => Ok(Update::Over),
            ServerMessage::Event { event: Some(TableEvent::Chat { line }), .. } => {
                self.chat = line.n;
                Ok(Update::Other)
            }
            ServerMessage::Event { .. } => Ok(Update::Other),
        }
    }

    fn follow(&mut self, wire: &WireBatch) {
        let Some(read) = wire.read(&self.texts) else { return };
        self.seq = read.batch.seq;
        for event in read.batch.events {
            match event {
                Event::Decision { decision } => self.decision = decision,
                Event::Outcome { .. } => self.over = true,
                _ => {}
            }
        }
    }
}

async fn texts(server: SocketAddr, address: &str) -> io::Result<Rc<TextNumbers>> {
    if let Some(known) = KNOWN.with_borrow(|known| known.get(address).cloned()) {
        return Ok(known);
    }
    let body = http::get(server, address).await?;
    let definition: baize_engine::definition::TableDefinition = serde_json::from_str(&body)?;
    let texts = Rc::new(TextNumbers::new(definition.texts));
    KNOWN.with_borrow_mut(|known| known.insert(address.to_owned(), texts.clone()));
    Ok(texts)
}

pub fn secret(name: &str) -> String {
    format!("{name:a<24}")
}
