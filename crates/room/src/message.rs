//! What goes into a room and what comes out of it, as plain data.

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

/// Names a client: one connection, be it a socket or the page itself.
pub type ClientId = u64;

/// Clients that get the same message; most tables have no more than four.
pub type Recipients = SmallVec<[ClientId; 4]>;

/// One moment on both clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Steady time, for waits: it never steps.
    pub now: u64,
    /// The date, for records: somebody may set the machine's clock.
    pub date: u64,
}

/// What reaches a room.
pub enum Message {
    // Boxed: a shell may keep space for many messages, most of which are never there.
    Join(Box<Join>),
    Act(Box<Act>),
    /// The client's connection is closed, or the client does not read what it is sent.
    Gone {
        client: ClientId,
    },
    /// The answer to a [`Thought`]; none: the bot found no move.
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
    /// Somebody wants to be forgotten: they leave, and their clients are closed. When that is stored, the shell scrubs what
    /// the store has of them, and hands in [`Message::Forgotten`] before any other message.
    Forget {
        member: Member,
    },
    /// The store has nothing of this member any more. These lines of the chat have another text now.
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
    /// See [`Effect::Answer`].
    pub received: u64,
}

/// What a client that has joined wants done.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    pub client: ClientId,
    pub request: String,
    pub action: Action,
    /// See [`Effect::Answer`].
    pub received: u64,
}

/// What the shell has to do, in this order. Effects come out of a room only when the rows they follow from are stored.
pub enum Effect {
    /// The answer to a request, which was received at this time by a clock of the shell's own choice.
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
    /// Tell the client why, then close its connection. The room has forgotten it.
    Close {
        client: ClientId,
        code: ErrorCode,
    },
    /// This client was not let in; it may try again.
    TurnAway {
        client: ClientId,
        payload: Payload,
    },
    /// The table has chosen these uploaded packs. Nobody waits for this to be stored.
    UsePacks {
        ids: Vec<String>,
        at: u64,
    },
    /// The table is pinned to these rules now, and their blobs are stored.
    UseRules(Arc<Rules>),
    /// A game is over and has no replay yet: play its log again and hand in [`Message::Replay`].
    WriteReplay {
        prepared: Arc<PreparedGame>,
        record: Box<GameRecord>,
    },
}

/// A decision that a bot has to make, with everything it may know. The shell chooses where it is made and hands in
/// [`Message::Decided`].
pub struct Thought {
    pub seat: u8,
    pub decision: u32,
    pub bot: Bot,
    pub sight: AnySight,
    pub knowledge: Knowledge,
    pub valuation: SharedValuation,
}

impl Thought {
    /// Takes from microseconds to seconds, by the bot's level. The same thought leads to the same move.
    pub fn decide(&self) -> Option<Move> {
        let valuation = self.valuation.get_or_init(|| Valuation::of(&self.sight));
        self.bot.decide(&self.sight, &self.knowledge, valuation)
    }
}
