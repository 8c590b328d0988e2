//! Stable error codes. The text of a code may change; the code itself must not.

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Why something was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $code)] $name,)*
        }

        impl ErrorCode {
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name),*];

            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$name => $code),* }
            }

            /// The text for the person, where no more precise one is known.
            pub fn text(self) -> &'static str {
                match self { $(ErrorCode::$name => $text),* }
            }
        }
    };
}

codes! {
    // Messages.
    BadMessage = "protocol/bad-message", "This message can't be read. Reload the page.";
    BadVersion = "protocol/version", "This page is older or newer than the server. Reload it.";
    TooLarge = "protocol/too-large", "This message is too large.";
    TooFast = "protocol/too-fast", "Too much at once. Wait a moment.";
    JoinFirst = "protocol/join-first", "The first message on a connection must join a table.";
    AlreadyJoined = "protocol/already-joined", "This connection has joined a table already.";
    UnknownAction = "action/unknown", "There is no such action.";
    RulesOnly = "action/rules-only", "Only the rules of the game do this.";
    UseMove = "action/use-move", "Answer the open decision with a move instead.";
    // Tables.
    NoTable = "table/unknown", "There is no table at this link.";
    TableOver = "table/over", "This table is over. Start a new one from the home page.";
    TableClosed = "table/closed", "The people who run this server have closed this table.";
    TableQuota = "table/quota", "There are too many tables from your network. Go on at one of yours, or try again another day.";
    TablesFull = "table/server-full", "This server has no space for more tables. Try again another day.";
    TableFull = "table/full", "Every seat is taken. You can watch, or start a table of your own.";
    NoNewcomers = "table/no-newcomers", "This game has begun and takes nobody in. You can watch until the next one.";
    WatchersFull = "table/watchers-full", "As many people watch this table as it takes. Try again later.";
    DoorLocked = "table/locked", "This table is locked. Ask somebody at it to unlock it, then try again.";
    DoorAsked = "table/asked", "Whoever runs this table was asked to let you in. Keep this page open.";
    DoorDeclined = "table/declined", "You were not let in to this table.";
    DoorUnanswered = "table/unanswered", "Nobody answered your request to come in. Ask again in a few minutes.";
    DoorCrowded = "table/too-many-ask", "Many people ask to come in at the moment. Try again in a minute.";
    NoSuchAsker = "asker/unknown", "That person no longer asks to come in.";
    Paused = "table/paused", "The table is paused.";
    NotPaused = "table/not-paused", "The table is not paused.";
    NotInLobby = "table/not-in-lobby", "This can only be done before the game starts.";
    NotPlaying = "table/not-playing", "No game is being played.";
    NotEnded = "table/not-ended", "The game is not over yet.";
    PacksCantDeal = "table/cannot-deal", "With these options and packs the game can't be dealt.";
    OtherVersion = "table/other-version", "This table was played by another version of this program and can't go on.";
    Busy = "server/busy", "The server is full at the moment. Try again soon.";
    Storage = "server/storage", "The server could not save this. Nothing has changed; try again.";
    Fault = "server/fault", "Something went wrong at this table, and that was not done. The game goes on from before it.";
    Closing = "server/closing", "The server restarts. You will be back in a moment.";
    // People.
    BadSecret = "identity/bad-secret", "This browser's key is not valid. Reload the page.";
    BadName = "name/not-usable", "Choose a name of 1 to 24 characters.";
    NameTaken = "name/taken", "Somebody at this table has that name. Choose another.";
    Kicked = "seat/kicked", "You were removed from this table.";
    Forgotten = "seat/forgotten", "This server has forgotten this browser.";
    LeftForGood = "seat/left", "You left this table.";
    NoSeat = "seat/none", "You have no seat at this table.";
    NoSuchPlayer = "player/unknown", "There is no such player at this table.";
    NotAbsent = "player/not-absent", "That player is here.";
    NotABot = "player/not-a-bot", "That player is not a bot.";
    NotAPerson = "player/not-a-person", "That player is a bot.";
    NotLead = "role/not-lead", "Only the lead can do this.";
    NotHost = "role/not-host", "Only the host can do this.";
    BadSeatCode = "seat/bad-code", "This code is not valid any more. Ask for a new one.";
    // Chat.
    Muted = "chat/muted", "The lead has muted you.";
    ChatPlayersOnly = "chat/players-only", "Only players can chat at this table at the moment.";
    ChatEmpty = "chat/empty", "Write something first.";
    ChatTooLong = "chat/too-long", "A message has at most 400 characters.";
    BadReaction = "chat/bad-reaction", "There is no such reaction.";
    NothingToReport = "report/nothing", "That can't be reported: it is not here any more.";
    // Settings and packs.
    NoGame = "game/unknown", "There is no such game.";
    GameBroken = "game/broken", "This game's rules have errors; it can't be played until they are fixed.";
    NoNewRules = "game/no-new-version", "This table has the newest version of its rules.";
    BadOption = "option/invalid", "One of the options is not valid.";
    NoPack = "pack/unknown", "There is no such pack.";
    PacksNotUsed = "pack/not-used", "This game takes no packs of cards.";
    TooManyPacks = "pack/too-many", "Choose at most 64 packs, with at most 50,000 cards together.";
    BadPack = "pack/invalid", "This pack has errors.";
    NotYourPack = "pack/not-yours", "Only the browser that brought this pack can delete it.";
    PackQuota = "pack/quota", "There are too many packs from your network. Delete some of yours, or use fewer.";
    PacksFull = "pack/server-full", "This server has no space for more packs. Try again another day.";
    NoReplay = "replay/none", "There is no replay. A game can be replayed when it is over.";
    BadRequest = "http/bad-request", "This request can't be read.";
    BadOrigin = "http/origin", "This page may not talk to this server.";
    BadHost = "http/host", "This server does not answer to that name. Use the address you were given.";
    TooSlow = "http/too-slow", "This took too long to arrive. Try again.";
    BadMethod = "http/method", "That can't be done here.";
    NotFound = "http/not-found", "There is nothing here.";
    // Moves: the engine's refusals.
    NotStarted = "game/not-started", "The game has not started.";
    AlreadyStarted = "game/already-started", "The game has started.";
    GameOver = "game/over", "The game is over.";
    TooFewPlayers = "game/too-few-players", "More players are needed to start.";
    Requires = "game/requires", "Something this game needs to start is missing.";
    DecisionClosed = "decision/closed", "Too late: that was decided already.";
    NoDecision = "decision/none", "Nobody was asked that.";
    NotYours = "decision/not-yours", "It is not your turn.";
    Answered = "decision/answered", "You have answered already.";
    NoClock = "decision/no-clock", "That decision has no clock.";
    UnknownAlternative = "move/unknown-alternative", "That is not offered.";
    WrongParts = "move/wrong-parts", "That answer is not complete.";
    NotACandidate = "move/not-a-candidate", "That can't be chosen.";
    NotLegal = "move/not-legal", "The rules don't allow that.";
    NotNow = "move/not-now", "That is not possible now.";
    TextEmpty = "move/text-empty", "Write something first.";
    TextTooLong = "move/text-too-long", "That text is too long.";
    SeatUnknown = "seat/unknown", "There is no such seat.";
    SeatTaken = "seat/taken", "That seat is taken.";
    SeatEmpty = "seat/empty", "Nobody sits there.";
    SeatNoNewcomers = "seat/no-newcomers", "This game takes nobody in after it has begun.";
    NoRole = "role/unknown", "The game has no such role.";
}

impl ErrorCode {
    /// Finds a code by its text. The engine's refusals have only the text, because the engine does not know this crate.
    pub fn from_code(code: &str) -> Option<ErrorCode> {
        ErrorCode::ALL.iter().copied().find(|c| c.as_str() == code)
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_read_back() {
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::from_code(code.as_str()), Some(*code));
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }

    /// A refusal without a code of its own would reach the client under another code and with another text.
    #[test]
    fn every_engine_refusal_has_a_code() {
        for code in baize_engine::moves::Refusal::CODES {
            assert!(ErrorCode::from_code(code).is_some(), "{code}");
        }
    }

    #[test]
    fn too_many_packs_text_names_the_limits() {
        let text = ErrorCode::TooManyPacks.text().replace(',', "");
        for limit in [crate::limits::PACKS, crate::limits::PACK_CARDS] {
            assert!(text.contains(&limit.to_string()), "{limit}");
        }
    }
}
