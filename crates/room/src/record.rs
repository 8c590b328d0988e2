//! The records of tables, games and chat lines, as rooms store them.

use crate::identity::Member;
use crate::rules::{Pin, Rules};
use baize_engine::input::Input;
use baize_engine::moves::Move;
use baize_protocol::http::TableCard;
use baize_protocol::table::TableSettings;
use baize_protocol::{BotLevel, ChatLine, Door, ErrorCode, LeaveReason, PauseReason, Presence, TableStatus};
use baize_rows::{Hash, SOMEBODY};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The record of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableRecord {
    pub code: String,
    pub definition_id: String,
    pub title: String,
    pub pin: Pin,
    pub settings: TableSettings,
    pub status: TableStatus,
    pub paused: Option<PauseReason>,
    pub abandoned: bool,
    /// Whether faults of the server ended the game. No room executes such a game any more.
    #[serde(default)]
    pub void: bool,
    pub players: Vec<Player>,
    /// Player id.
    pub host: Option<String>,
    pub lead: Option<String>,
    /// Members who may never come back.
    pub banned: Vec<Member>,
    /// Number of the current game at this table: 1, 2 …
    pub number: u32,
    pub next_player: u32,
    /// No spectator has a greater number. The room reserves numbers here before it gives them out, so that a crash can't make it
    /// give one out twice.
    #[serde(default)]
    pub reserved_spectators: u32,
    /// Steps of the current game that people have caused who came while it was under way. See `room/newcomers.rs`.
    #[serde(default)]
    pub newcomer_steps: u64,
    /// The last number of a member's row. A crash may set it back by a few.
    #[serde(default)]
    pub members_noted: u64,
    /// Seed of the current or next game. Players learn it when the game ends.
    pub seed: [u8; 32],
    /// Hash of the table's definition. `None` before the first start.
    pub table_definition: Option<Hash>,
    /// Bytes that the starts of this table have written.
    #[serde(default)]
    pub starts: StartSpending,
    pub created_at: u64,
    pub started_at: Option<u64>,
    pub ended_at: Option<u64>,
    /// Number of the last chat line.
    pub chat: u64,
    /// Clocks at the last orderly stop. Log rows have the clocks, too.
    pub clocks: Option<StoppedClocks>,
    /// Votes to remove a player: target, then voters, by player id.
    #[serde(default)]
    pub votes: BTreeMap<String, Vec<String>>,
    /// Codes for players who move to another device.
    #[serde(default)]
    pub seat_codes: Vec<SeatCode>,
    /// Members whom the lead has muted, with or without a seat.
    #[serde(default)]
    pub muted: Vec<Member>,
    /// Browsers from which players moved their seats to other browsers. A ban of a player applies to all of them.
    #[serde(default)]
    pub left_behind: Vec<(String, Member)>,
    /// Players whom the lead has removed lately.
    #[serde(default)]
    pub kicked: Vec<KickedPlayer>,
    /// Who may come to the table.
    #[serde(default)]
    pub door: Door,
    /// Members without a seat who may come in while the door is not open.
    #[serde(default)]
    pub inside: Vec<Member>,
    /// Whether only players may chat and react.
    #[serde(default)]
    pub chat_players_only: bool,
    /// Ids of players who want to play another game; empty while one is played.
    #[serde(default)]
    pub again: Vec<String>,
    /// Requests about the table that the room has carried out lately, with their times.
    pub done: VecDeque<(u64, Request)>,
}

/// A budget of bytes that starts may write. It is part of the record; otherwise a table that leaves memory and comes back would
/// get a fresh budget.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StartSpending {
    bytes: u64,
    at: u64,
    /// Definitions that starts have written lately. Writing one again costs nothing.
    known: VecDeque<Hash>,
}

impl StartSpending {
    #[cfg(test)]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// Burst size: about four games with the largest packs.
    pub const BURST: u64 = 24 << 20;
    const PER_HOUR: u64 = 2 << 20;
    const MAX_KNOWN: usize = 8;

    /// Charges a start that writes a definition of `size` bytes and `other` further bytes. Returns false and charges nothing if
    /// the budget does not allow it yet.
    pub fn take(&mut self, definition: Hash, size: usize, other: usize, date: u64) -> bool {
        let is_known = self.known.contains(&definition);
        let cost = other as u64 + if is_known { 0 } else { size as u64 };
        let earned = u128::from(date.saturating_sub(self.at)) * u128::from(Self::PER_HOUR) / 3_600_000;
        let left = self.bytes.saturating_sub(u64::try_from(earned).unwrap_or(u64::MAX));
        let spent = left.saturating_add(cost);
        if spent > Self::BURST {
            return false;
        }
        (self.bytes, self.at) = (spent, date);
        if !is_known {
            self.known.push_back(definition);
            let surplus = self.known.len().saturating_sub(Self::MAX_KNOWN);
            self.known.drain(..surplus);
        }
        true
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Player {
    pub id: String,
    pub name: String,
    /// `None` for a bot, also for a bot that plays on for a person who left.
    pub member: Option<Member>,
    /// The member who had this name, if the player has no member any more. *Forget me* must still find the name.
    #[serde(default)]
    pub was: Option<Member>,
    pub bot: Option<BotLevel>,
    pub seat: Option<u8>,
    pub presence: Presence,
    pub joined_at: u64,
    pub last_seen: u64,
    pub left: Option<LeaveReason>,
    pub nonce: Option<String>,
    /// Whether this is a bot that plays on for somebody who left.
    pub took_over: bool,
    /// Whether the player has made the table and has not joined yet.
    #[serde(default)]
    pub expected: bool,
    /// Whether the player sat down while the current game was under way.
    #[serde(default)]
    pub newcomer: bool,
}

/// The remaining time of each clock after the step `seq`. Clocks are stored as remaining time and not as deadlines, so that
/// players do not lose the time during which a server was down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoppedClocks {
    pub seq: u64,
    pub left: Vec<ClockLeft>,
}

/// An input, and the milliseconds until it is due.
pub type ClockLeft = (Input, u64);

/// A player whom the lead has removed, as the player was before, so that the lead can take it back for a while.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KickedPlayer {
    pub player: Player,
    /// The browsers that were banned.
    pub members: Vec<Member>,
    /// Until when the lead can take it back, by the steady clock.
    #[serde(skip)]
    pub until: u64,
    /// The remaining milliseconds when the record was written. A room that loads the record computes `until` from them.
    #[serde(default)]
    pub left: u64,
}

/// A code with which another device takes over a seat. Only its hash is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatCode {
    pub hash: Hash,
    pub player: String,
    pub until: u64,
}

/// The record of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    pub id: String,
    pub code: String,
    pub definition_id: String,
    pub pin: Pin,
    pub options: Vec<(String, baize_rules::program::OptionValue)>,
    /// Hashes of the packs' canonical texts.
    pub packs: Vec<Hash>,
    pub seats: u8,
    pub seed: [u8; 32],
    pub table_definition: Hash,
    /// Hash of the view before the first step, with everything face up. With it a replay can be shown without executing the
    /// game.
    pub first: Hash,
    /// Names by seat. For a seat that changed hands, the name of the first player.
    pub names: Vec<String>,
    /// The members behind the names, by seat, so that a member can be forgotten.
    #[serde(default)]
    pub members: Vec<(u8, Member)>,
    pub started_at: u64,
    pub ended_at: Option<u64>,
    /// Whether faults of the server ended the game. Nobody executes its log any more, so it has no replay.
    #[serde(default)]
    pub void: bool,
    /// Hash of the replay's batches. The room writes it when the game has ended. Earlier versions called the field `told`.
    #[serde(default, rename = "told")]
    pub replay: Option<Hash>,
}

/// A row of a game's log: the input, the request that caused it, and the clocks that run after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogRecord {
    pub step: LoggedInput,
    pub request: Option<Request>,
    pub clocks: Vec<ClockLeft>,
}

/// The member who sent a request, and the request's id.
pub type Request = (Member, String);

/// A row of the chat. It has the request, so that a line which a client sends twice is stored once, even after a crash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChatRecord {
    pub line: ChatLine,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The members whose names are in a session line, so that they can be forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<(Member, String)>,
}

/// A move or another input of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LoggedInput {
    Move { seat: u8, answer: Move },
    Input(Input),
}

/// Upper bound on each list of members: banned, muted, let in. Beyond it the oldest entry is dropped.
const MAX_MEMBERS: usize = 128;
/// Upper bound on browsers from which seats were moved away.
const MAX_LEFT_BEHIND: usize = 64;
/// Upper bound on removals that can be taken back.
const MAX_KICKED: usize = 16;
/// Upper bound on players who have left and stay in the record.
const MAX_LEFT: usize = 64;

/// Adds a member to a bounded list.
fn add_member(list: &mut Vec<Member>, member: Member) {
    list.retain(|other| *other != member);
    list.push(member);
    let surplus = list.len().saturating_sub(MAX_MEMBERS);
    list.drain(..surplus);
}

/// What a new table's record is made from.
pub struct NewTableRecord<'a> {
    pub code: String,
    pub rules: &'a Rules,
    pub settings: TableSettings,
    /// The member who makes the table: its host and, for now, its lead.
    pub member: Member,
    pub name: String,
    /// 32 random bytes that nobody learns before the first game is over.
    pub seed: [u8; 32],
    pub date: u64,
}

impl TableRecord {
    /// A lobby with one player, who has not joined yet.
    pub fn new(table: NewTableRecord) -> Self {
        let NewTableRecord { code, rules, settings, member, name, seed, date } = table;
        let host = Player {
            id: "p1".into(),
            name,
            member: Some(member),
            was: None,
            bot: None,
            seat: None,
            presence: Presence::Disconnected,
            joined_at: date,
            last_seen: date,
            left: None,
            nonce: None,
            took_over: false,
            expected: true,
            newcomer: false,
        };
        TableRecord {
            code,
            definition_id: rules.id.clone(),
            title: rules.definition.name.clone(),
            pin: rules.pin,
            settings,
            status: TableStatus::Lobby,
            paused: None,
            abandoned: false,
            void: false,
            players: vec![host],
            host: Some("p1".into()),
            lead: Some("p1".into()),
            banned: Vec::new(),
            number: 1,
            next_player: 1,
            reserved_spectators: 0,
            newcomer_steps: 0,
            members_noted: 0,
            seed,
            table_definition: None,
            starts: StartSpending::default(),
            created_at: date,
            started_at: None,
            ended_at: None,
            chat: 0,
            clocks: None,
            votes: BTreeMap::new(),
            seat_codes: Vec::new(),
            muted: Vec::new(),
            left_behind: Vec::new(),
            kicked: Vec::new(),
            door: Door::Open,
            inside: Vec::new(),
            chat_players_only: false,
            again: Vec::new(),
            done: VecDeque::new(),
        }
    }

    pub fn ban(&mut self, member: Member) {
        self.inside.retain(|other| *other != member);
        add_member(&mut self.banned, member);
    }

    /// Notes a removal that can be taken back for a while, and drops those that can't be taken back any more.
    pub fn note_kick(&mut self, kicked: KickedPlayer, now: u64) {
        self.kicked.retain(|other| now < other.until && other.player.id != kicked.player.id);
        self.kicked.push(kicked);
        let surplus = self.kicked.len().saturating_sub(MAX_KICKED);
        self.kicked.drain(..surplus);
    }

    /// Notes how long each removal can still be taken back, before the record is written.
    pub fn stop_kicks(&mut self, now: u64) {
        self.kicked.retain(|kicked| now < kicked.until);
        self.kicked.iter_mut().for_each(|kicked| kicked.left = kicked.until - now);
    }

    /// Continues the remaining times of a record that was loaded.
    pub fn resume_kicks(&mut self, now: u64) {
        self.kicked.iter_mut().for_each(|kicked| kicked.until = now.saturating_add(kicked.left));
    }

    /// Removes everything about a member. Returns the names that the member had.
    pub fn forget(&mut self, member: &Member) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for player in self.players.iter_mut().filter(|player| player.name_owner().as_ref() == Some(member)) {
            names.insert(std::mem::replace(&mut player.name, SOMEBODY.to_owned()));
            player.member = None;
            player.was = None;
            player.nonce = None;
            player.presence = Presence::Left;
        }
        self.banned.retain(|other| other != member);
        self.muted.retain(|other| other != member);
        self.inside.retain(|other| other != member);
        self.left_behind.retain(|(_, other)| other != member);
        // The entry has the player's name and all their browsers, so that nothing of it can stay.
        self.kicked.retain(|kicked| {
            let theirs = kicked.members.contains(member);
            if theirs {
                names.insert(kicked.player.name.clone());
            }
            !theirs
        });
        self.done.retain(|(_, (other, _))| other != member);
        names.remove(SOMEBODY);
        names
    }

    pub fn mute(&mut self, member: Member) {
        add_member(&mut self.muted, member);
    }

    /// Lets this browser come in while the door is not open.
    pub fn let_in(&mut self, member: Member) {
        add_member(&mut self.inside, member);
    }

    /// Notes that a seat was moved away from this browser.
    pub fn leave_behind(&mut self, player: String, member: Member) {
        self.left_behind.retain(|(_, other)| *other != member);
        self.left_behind.push((player, member));
        let surplus = self.left_behind.len().saturating_sub(MAX_LEFT_BEHIND);
        self.left_behind.drain(..surplus);
    }

    /// Drops entries that nobody needs any more, so that the record of a table in use for months stays small.
    pub fn tidy(&mut self) {
        let left = self.players.iter().filter(|player| player.presence == Presence::Left).count();
        let mut surplus = left.saturating_sub(MAX_LEFT);
        // The players who left first are dropped first. If they come back, they count as new.
        self.players.retain(|player| {
            let forget = surplus > 0 && player.presence == Presence::Left && player.seat.is_none();
            surplus -= usize::from(forget);
            !forget
        });
        let players = &self.players;
        let here = |id: &String| players.iter().any(|player| player.id == *id && player.presence != Presence::Left);
        self.left_behind.retain(|(player, _)| players.iter().any(|other| other.id == *player));
        self.seat_codes.retain(|code| here(&code.player));
        self.again.retain(here);
        self.votes.retain(|target, voters| {
            voters.retain(here);
            here(target) && !voters.is_empty()
        });
    }

    /// Whether this person may know who is at the table. A locked table hides that from strangers.
    pub fn may_know_people(&self, member: Option<&Member>) -> bool {
        let belongs = |member: &Member| self.by_member(member).is_some() || self.inside.contains(member);
        self.door != Door::Locked || member.is_some_and(belongs)
    }

    /// The table's card for lists. The server also makes cards of stored records, without a room.
    pub fn card(&self, updated_at: u64, only_watch: Option<ErrorCode>) -> TableCard {
        TableCard {
            code: self.code.clone(),
            definition_id: self.definition_id.clone(),
            title: self.title.clone(),
            status: self.status,
            players: self.seated().filter(|player| player.is_person()).map(|player| player.name.clone()).collect(),
            bots: self.seated().filter(|player| !player.is_person()).count() as u32,
            host: self.seated().find(|player| Some(&player.id) == self.host.as_ref()).map(|host| host.name.clone()),
            seats: None,
            door: self.door,
            updated_at,
            only_watch,
        }
    }

    /// Id of the current game.
    pub fn game(&self) -> String {
        format!("{}-{}", self.code, self.number)
    }

    /// Id of the running game, for the store's index.
    pub fn running(&self) -> Option<String> {
        matches!(self.status, TableStatus::Playing | TableStatus::Paused).then(|| self.game())
    }

    pub fn player(&self, id: &str) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    pub fn player_mut(&mut self, id: &str) -> Option<&mut Player> {
        self.players.iter_mut().find(|player| player.id == id)
    }

    pub fn by_seat(&self, seat: u8) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == Some(seat) && player.presence != Presence::Left)
    }

    pub fn by_member(&self, member: &Member) -> Option<&Player> {
        self.players.iter().find(|player| player.member.as_ref() == Some(member))
    }

    /// Everybody with a place at the table, bots included.
    pub fn seated(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| player.presence != Presence::Left)
    }
}

impl GameRecord {
    /// Replaces this member's name. Records of earlier versions have no members; there the name decides. Otherwise the member
    /// decides, because somebody else may have the same name. Returns whether the record has changed.
    pub fn forget(&mut self, member: &Member, names: &BTreeSet<String>) -> bool {
        let by_name = self.members.is_empty();
        let is_theirs = |seat: u8| self.members.iter().any(|(at, other)| *at == seat && other == member);
        let mut changed = self.members.iter().any(|(_, other)| other == member);
        for (seat, name) in (0u8..).zip(&mut self.names) {
            if is_theirs(seat) || (by_name && names.contains(name)) {
                *name = SOMEBODY.to_owned();
                changed = true;
            }
        }
        self.members.retain(|(_, other)| other != member);
        changed
    }
}

impl Player {
    pub fn is_person(&self) -> bool {
        self.bot.is_none()
    }

    /// The member whose name this is, even if that member is no longer the player.
    pub fn name_owner(&self) -> Option<Member> {
        self.member.or(self.was)
    }

    /// Connected and not away.
    pub fn is_active(&self) -> bool {
        self.presence == Presence::Active
    }

    /// Connected, perhaps away.
    pub fn is_online(&self) -> bool {
        matches!(self.presence, Presence::Active | Presence::Away)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u32) -> Hash {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&n.to_le_bytes());
        hash
    }

    /// Regression: before this limit, changing one option before each start wrote another 5 MB every time.
    #[test]
    fn starts_stay_within_their_budget() {
        const SIZE: usize = 5_200_000;
        const HOUR: u64 = 3_600_000;
        let mut starts = StartSpending::default();
        let begun = (0..1_000).filter(|n| starts.take(address(*n), SIZE, 0, 1_000)).count();
        assert_eq!(begun, StartSpending::BURST as usize / SIZE);
        // A definition that is stored already costs nothing. The list of these survives serialisation.
        let mut starts: StartSpending = serde_json::from_slice(&serde_json::to_vec(&starts).unwrap()).unwrap();
        assert!(starts.take(address(0), SIZE, 0, 1_000) && !starts.take(address(2_000), SIZE, 0, 1_000));
        // Time earns new budget, but a clock that steps back does not.
        assert!(!starts.take(address(2_000), SIZE, 0, 0));
        let in_a_day = (0..10_000)
            .filter(|n| starts.take(address(3_000 + n), SIZE, 0, 1_000 + u64::from(*n) * 24 * HOUR / 10_000));
        assert!((9..=10).contains(&in_a_day.count()));
    }

    /// Regression: when a second Ann came after the first had left, forgetting the first renamed the second.
    #[test]
    fn a_game_forgets_by_member_and_not_by_name() {
        let names = BTreeSet::from(["Ann".to_owned()]);
        let mut game = GameRecord {
            id: "x-1".into(),
            code: "x".into(),
            definition_id: "pig".into(),
            pin: Pin { source: [0; 32], program: [0; 32], definition: [0; 32], semantics: 1 },
            options: Vec::new(),
            packs: Vec::new(),
            seats: 2,
            seed: [0; 32],
            table_definition: [0; 32],
            first: [0; 32],
            names: vec!["Ann".into(), "Ann".into()],
            members: vec![(0, [1; 32]), (1, [2; 32])],
            started_at: 0,
            ended_at: None,
            void: false,
            replay: None,
        };
        assert!(game.forget(&[1; 32], &names));
        assert_eq!(game.names, ["Somebody", "Ann"]);
        assert!(!game.forget(&[1; 32], &names));
        // A record of an earlier version has no members; the name decides.
        game.members.clear();
        assert!(game.forget(&[1; 32], &names));
        assert_eq!(game.names, ["Somebody", "Somebody"]);
    }
}
