//! What of a table is kept on disk beside its games' logs.

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

/// The record of a table's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub code: String,
    pub definition_id: String,
    pub title: String,
    pub pin: Pin,
    pub settings: TableSettings,
    pub status: TableStatus,
    pub paused: Option<PauseReason>,
    pub abandoned: bool,
    /// Ended by faults of the server: its game is not executed any more.
    #[serde(default)]
    pub void: bool,
    pub players: Vec<Player>,
    /// Player ids.
    pub host: Option<String>,
    pub lead: Option<String>,
    /// Who may never come back.
    pub banned: Vec<Member>,
    /// Which playing of the game this is: 1, 2 …
    pub number: u32,
    pub next_player: u32,
    /// The last number that a spectator got.
    #[serde(default)]
    pub next_spectator: u32,
    /// Of the game under way or being prepared; told at the end.
    pub seed: [u8; 32],
    /// Address of the table's definition, from the start on.
    pub table_definition: Option<Hash>,
    /// What the starts of this table have written.
    #[serde(default)]
    pub starts: StartSpending,
    pub created_at: u64,
    pub started_at: Option<u64>,
    pub ended_at: Option<u64>,
    /// Number of the last chat line.
    pub chat: u64,
    /// Clocks as of the last orderly stop; the log's rows have them too.
    pub clocks: Option<StoppedClocks>,
    /// Who wants whom removed: target, voters.
    #[serde(default)]
    pub votes: BTreeMap<String, Vec<String>>,
    /// For players who move to another device.
    #[serde(default)]
    pub seat_codes: Vec<SeatCode>,
    /// Whose chat the lead has muted, seated or not.
    #[serde(default)]
    pub muted: Vec<Member>,
    /// Browsers that players had their seats in before they moved to another: who is banned is banned in all of them.
    #[serde(default)]
    pub left_behind: Vec<(String, Member)>,
    /// Who may come to the table.
    #[serde(default)]
    pub door: Door,
    /// While the door is not open: who may come in all the same, beside those who have a seat.
    #[serde(default)]
    pub inside: Vec<Member>,
    /// Only players may chat and react.
    #[serde(default)]
    pub chat_players_only: bool,
    /// Requests about the table that were done lately, and when.
    pub done: VecDeque<(u64, Request)>,
}

/// Bytes that starts wrote and time has not made up for yet. It is part of the record, because a table that leaves memory and
/// comes back would otherwise start with nothing spent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StartSpending {
    bytes: u64,
    at: u64,
    /// Definitions that were written lately, and cost nothing again.
    known: VecDeque<Hash>,
}

impl StartSpending {
    /// What a table may write with its starts: so much at once (four games of the largest packs), then so much in an hour.
    pub const AT_ONCE: u64 = 24 << 20;
    const PER_HOUR: u64 = 2 << 20;
    const MOST_KNOWN: usize = 8;

    /// Charges a start that writes this definition and so many other bytes. False: it has to wait, and nothing is charged.
    pub fn take(&mut self, definition: Hash, size: usize, other: usize, date: u64) -> bool {
        let is_known = self.known.contains(&definition);
        let cost = other as u64 + if is_known { 0 } else { size as u64 };
        let earned = u128::from(date.saturating_sub(self.at)) * u128::from(Self::PER_HOUR) / 3_600_000;
        let left = self.bytes.saturating_sub(u64::try_from(earned).unwrap_or(u64::MAX));
        let spent = left.saturating_add(cost);
        if spent > Self::AT_ONCE {
            return false;
        }
        (self.bytes, self.at) = (spent, date);
        if !is_known {
            self.known.push_back(definition);
            let surplus = self.known.len().saturating_sub(Self::MOST_KNOWN);
            self.known.drain(..surplus);
        }
        true
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Player {
    pub id: String,
    pub name: String,
    /// None for a bot, and for a person whose seat a bot has taken.
    pub member: Option<Member>,
    pub bot: Option<BotLevel>,
    pub seat: Option<u8>,
    pub presence: Presence,
    pub joined_at: u64,
    pub last_seen: u64,
    pub left: Option<LeaveReason>,
    pub nonce: Option<String>,
    /// A bot in the seat of somebody who left.
    pub took_over: bool,
    /// Has made the table and not come to it yet.
    #[serde(default)]
    pub expected: bool,
}

/// What was left of each clock after so many steps. Deadlines are kept as remaining time: how long a server was down is nobody's fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoppedClocks {
    pub seq: u64,
    pub left: Vec<ClockLeft>,
}

/// An input that is due in so many milliseconds.
pub type ClockLeft = (Input, u64);

/// A code with which another device takes a seat over; only its hash is kept.
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
    /// The view before the first step, with everything face up: a replay is read and not executed.
    pub first: Hash,
    /// By seat; of a seat that changed hands, who had it first.
    pub names: Vec<String>,
    /// Whose names these are, by seat: so that they can be forgotten.
    #[serde(default)]
    pub members: Vec<(u8, Member)>,
    pub started_at: u64,
    pub ended_at: Option<u64>,
    /// What the replay shows, batch by batch; written when the game is over.
    #[serde(default)]
    pub told: Option<Hash>,
}

/// A row of a game's log: what was put in, whose request it was, and which clocks run after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Logged {
    pub step: Step,
    pub request: Option<Request>,
    pub clocks: Vec<ClockLeft>,
}

/// Who asked, and the id they gave it.
pub type Request = (Member, String);

/// A row of the chat, with the request it came by: a line that is sent twice is kept once, also after a crash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChatRecord {
    pub line: ChatLine,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// Whom a session line is about, by the names in it: so that they can be forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<(Member, String)>,
}

/// What changes a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    Move { seat: u8, answer: Move },
    Input(Input),
}

/// Browsers that are remembered for each purpose: banned, muted, let in. Of more, the oldest are forgotten.
const MOST_MEMBERS: usize = 128;
/// Browsers that seats were moved away from.
const MOST_LEFT_BEHIND: usize = 64;
/// Players who left a game under way and stay listed.
const MOST_LEFT: usize = 64;

/// Adds a member to a list that stays short.
fn add_member(list: &mut Vec<Member>, member: Member) {
    list.retain(|other| *other != member);
    list.push(member);
    let surplus = list.len().saturating_sub(MOST_MEMBERS);
    list.drain(..surplus);
}

/// A table that does not exist yet.
pub struct NewTable<'a> {
    pub code: String,
    pub rules: &'a Rules,
    pub settings: TableSettings,
    /// Who makes it: the host and, for now, the lead.
    pub member: Member,
    pub name: String,
    /// 32 random bytes that nobody knows before the first game is over.
    pub seed: [u8; 32],
    pub date: u64,
}

impl Record {
    /// A lobby with one player, who is expected to come.
    pub fn new(table: NewTable) -> Self {
        let NewTable { code, rules, settings, member, name, seed, date } = table;
        let host = Player {
            id: "p1".into(),
            name,
            member: Some(member),
            bot: None,
            seat: None,
            presence: Presence::Disconnected,
            joined_at: date,
            last_seen: date,
            left: None,
            nonce: None,
            took_over: false,
            expected: true,
        };
        Record {
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
            next_spectator: 0,
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
            door: Door::Open,
            inside: Vec::new(),
            chat_players_only: false,
            done: VecDeque::new(),
        }
    }

    pub fn ban(&mut self, member: Member) {
        self.inside.retain(|other| *other != member);
        add_member(&mut self.banned, member);
    }

    /// Takes out everything about this member. Returns the names by which they were known.
    pub fn forget(&mut self, member: &Member) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for player in self.players.iter_mut().filter(|player| player.member.as_ref() == Some(member)) {
            names.insert(std::mem::replace(&mut player.name, SOMEBODY.to_owned()));
            player.member = None;
            player.nonce = None;
            player.presence = Presence::Left;
        }
        self.banned.retain(|other| other != member);
        self.muted.retain(|other| other != member);
        self.inside.retain(|other| other != member);
        self.left_behind.retain(|(_, other)| other != member);
        self.done.retain(|(_, (other, _))| other != member);
        names.remove(SOMEBODY);
        names
    }

    pub fn mute(&mut self, member: Member) {
        add_member(&mut self.muted, member);
    }

    /// This browser may come in while the door is closed.
    pub fn let_in(&mut self, member: Member) {
        add_member(&mut self.inside, member);
    }

    /// A seat was moved away from this browser.
    pub fn leave_behind(&mut self, player: String, member: Member) {
        self.left_behind.retain(|(_, other)| *other != member);
        self.left_behind.push((player, member));
        let surplus = self.left_behind.len().saturating_sub(MOST_LEFT_BEHIND);
        self.left_behind.drain(..surplus);
    }

    /// Forgets what nobody needs any more, so that a table at which people come and go for months stays small.
    pub fn tidy(&mut self) {
        let left = self.players.iter().filter(|player| player.presence == Presence::Left).count();
        let mut surplus = left.saturating_sub(MOST_LEFT);
        // Whoever left first is forgotten first, and would be a newcomer.
        self.players.retain(|player| {
            let forget = surplus > 0 && player.presence == Presence::Left && player.seat.is_none();
            surplus -= usize::from(forget);
            !forget
        });
        let players = &self.players;
        let here = |id: &String| players.iter().any(|player| player.id == *id && player.presence != Presence::Left);
        self.left_behind.retain(|(player, _)| players.iter().any(|other| other.id == *player));
        self.seat_codes.retain(|code| here(&code.player));
        self.votes.retain(|target, voters| {
            voters.retain(here);
            here(target) && !voters.is_empty()
        });
    }

    /// What a table's card shows; also made of a record in the store.
    pub fn card(&self, updated_at: u64, only_watch: Option<ErrorCode>) -> TableCard {
        TableCard {
            code: self.code.clone(),
            definition_id: self.definition_id.clone(),
            title: self.title.clone(),
            status: self.status,
            players: self.seated().filter(|player| player.is_person()).map(|player| player.name.clone()).collect(),
            bots: self.seated().filter(|player| !player.is_person()).count() as u32,
            updated_at,
            only_watch,
        }
    }

    /// Id of the current game.
    pub fn game(&self) -> String {
        format!("{}-{}", self.code, self.number)
    }

    /// The game under way, for the store's index.
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

    /// Those who have a place at the table.
    pub fn seated(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| player.presence != Presence::Left)
    }
}

impl GameRecord {
    /// Takes out this member's name. A record from before records knew whose names they have goes by the names alone; every
    /// other one goes by the member, since somebody else may have had the same name. True: it has changed.
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

    /// Here and able to act.
    pub fn is_active(&self) -> bool {
        self.presence == Presence::Active
    }

    /// Connected, be it with nobody in front of the screen.
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

    /// One option that changed with each start wrote another 5 MB every time.
    #[test]
    fn starts_write_only_so_much() {
        const SIZE: usize = 5_200_000;
        const HOUR: u64 = 3_600_000;
        let mut starts = StartSpending::default();
        let begun = (0..1_000).filter(|n| starts.take(address(*n), SIZE, 0, 1_000)).count();
        assert_eq!(begun, StartSpending::AT_ONCE as usize / SIZE);
        // What is stored already costs nothing, and is not lost when the record is written and read.
        let mut starts: StartSpending = serde_json::from_slice(&serde_json::to_vec(&starts).unwrap()).unwrap();
        assert!(starts.take(address(0), SIZE, 0, 1_000) && !starts.take(address(2_000), SIZE, 0, 1_000));
        // A clock that goes back gives nothing away; time does.
        assert!(!starts.take(address(2_000), SIZE, 0, 0));
        let in_a_day = (0..10_000)
            .filter(|n| starts.take(address(3_000 + n), SIZE, 0, 1_000 + u64::from(*n) * 24 * HOUR / 10_000));
        assert!((9..=10).contains(&in_a_day.count()));
    }

    /// Ann had left when another Ann came: forgetting the first renamed the second.
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
            told: None,
        };
        assert!(game.forget(&[1; 32], &names));
        assert_eq!(game.names, ["Somebody", "Ann"]);
        assert!(!game.forget(&[1; 32], &names));
        // A record from before records had members goes by the name.
        game.members.clear();
        assert!(game.forget(&[1; 32], &names));
        assert_eq!(game.names, ["Somebody", "Somebody"]);
    }
}
