//! The messages that a room takes and the effects that it gives, as plain data.

use crate::identity::Member;
use crate::packs::PackSet;
use crate::payload::Payload;
use crate::prepared::{PreparedGame, SharedValuation};
use crate::record::GameRecord;
use crate::rules::{CurrentFile, Rules};
use baize_bots::{Bot, Valuation};
use baize_engine::live::AnySight;
use baize_engine::moves::Move;
use baize_engine::observe::Knowledge;
use baize_protocol::{Action, ChatLine, ErrorCode, LastSeen};
use smallvec::SmallVec;
use std::sync::Arc;

/// Id of a client: one connection, of a socket or of the page itself.
pub type ClientId = u64;

/// Clients that get the same message; most tables have no more than four.
pub type Recipients = SmallVec<[ClientId; 4]>;

/// A moment on both clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Steady time, for deadlines: it never jumps.
    pub now: u64,
    /// The date, for records: it jumps when somebody sets the machine's clock.
    pub date: u64,
}

pub enum Message {
    // The large variants are boxed, because a shell may reserve space for many messages and rarely uses it.
    Join(Box<Join>),
    Act(Box<Act>),
    /// The client's connection is closed, or the client reads too slowly.
    Gone {
        client: ClientId,
    },
    /// The answer to a [`Thought`]; `None` if the bot found no move.
    Decided {
        seat: u8,
        decision: u32,
        answer: Option<Box<Move>>,
    },
    /// The uploaded packs that [`Room::packs_wanted`](crate::Room::packs_wanted) asked for.
    Packs(PackSet),
    /// The game's file has changed on disk.
    FileChanged(CurrentFile),
    /// The operator closes the table.
    CloseTable {
        reason: String,
    },
    /// Somebody wants to be forgotten: the room removes the person and closes their clients. When that is stored, the shell
    /// removes the person from the store and hands in [`Message::Forgotten`] before any other message.
    Forget {
        member: Member,
    },
    /// The store has nothing of this member any more. `lines` are the chat lines whose texts have changed.
    Forgotten {
        member: Member,
        lines: Vec<ChatLine>,
    },
    /// The answer to [`Effect::WriteReplay`]: every batch of the game as JSON, and the game's record.
    Replay {
        record: Box<GameRecord>,
        batches: Vec<u8>,
    },
}

/// A client's first message.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub client: ClientId,
    pub request: String,
    pub member: Member,
    pub name: Option<String>,
    pub watch: bool,
    pub last: Option<LastSeen>,
    /// See [`Effect::Answer`] for its meaning.
    pub received: u64,
}

/// An action of a client that has joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    pub client: ClientId,
    pub request: String,
    pub action: Action,
    /// See [`Effect::Answer`] for its meaning.
    pub received: u64,
}

/// What the shell has to do, in the order in which effects are polled. A room gives an effect only when the rows it depends on
/// are stored.
pub enum Effect {
    /// The answer to a request. `received` is when the shell got the request, by a clock of its choice.
    Answer {
        client: ClientId,
        payload: Payload,
        received: u64,
        refused: bool,
    },
    Send {
        clients: Recipients,
        payload: Payload,
    },
    /// The shell tells the client the reason, then closes its connection. The room has removed the client already.
    Close {
        client: ClientId,
        code: ErrorCode,
    },
    /// The room did not let this client in. The client may try again.
    TurnAway {
        client: ClientId,
        payload: Payload,
    },
    /// The table has chosen these uploaded packs. The shell notes that they are in use, and no client waits for it.
    UsePacks {
        ids: Vec<String>,
        at: u64,
    },
    /// The table is pinned to these rules now, and their blobs are stored.
    UseRules(Arc<Rules>),
    /// A game has ended and has no replay yet. The shell plays its log again and hands in [`Message::Replay`].
    WriteReplay {
        prepared: Arc<PreparedGame>,
        record: Box<GameRecord>,
    },
}

/// A decision that a bot has to make, with everything that the bot may know. The shell decides where to compute it, and hands
/// in [`Message::Decided`].
pub struct Thought {
    pub seat: u8,
    pub decision: u32,
    pub bot: Bot,
    pub sight: AnySight,
    pub knowledge: Knowledge,
    pub valuation: SharedValuation,
}

impl Thought {
    /// Takes between microseconds and seconds, depending on the bot's level. The same thought gives the same move.
    pub fn decide(&self) -> Option<Move> {
        let valuation = self.valuation.get_or_init(|| Valuation::of(&self.sight));
        self.bot.decide(&self.sight, &self.knowledge, valuation)
    }
}
