//! Messages of a client, which anybody who can open a socket may send.

use crate::target::{Execution, FuzzTarget};
use baize_engine::view::{Answer, Chosen};
use baize_protocol::http::CreateTable;
use baize_protocol::table::{BotLevel, TableSettings};
use baize_protocol::{Action, ClientMessage, Envelope, LastSeen, ReportTarget};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "messages",
    law: "Both readers read the same message, and a message that is written and read back stays the same.",
    run,
    seeds,
    words: WORDS,
    longest: baize_protocol::limits::FRAME_BYTES,
    tests: 150_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Ok(text) = std::str::from_utf8(bytes) else { return Execution::refused("not text") };
    let fast = ClientMessage::read(text).ok();
    let by_serde = serde_json::from_str::<ClientMessage>(text).ok();
    // The fast reader skips unknown fields without checking that their strings are valid text, so it may accept a move that
    // serde refuses.
    assert!(by_serde.is_none() || fast == by_serde, "the two readers differ: {fast:?}, {by_serde:?}");
    assert!(by_serde.is_some() || fast.as_ref().is_none_or(|message| matches!(message.action, Action::Move(_))));
    // The body of the only HTTP request with a JSON form of its own.
    if let Ok(request) = serde_json::from_str::<CreateTable>(text) {
        let written = serde_json::to_string(&request).expect("a request can be written");
        assert_eq!(serde_json::from_str::<CreateTable>(&written).ok(), Some(request));
    }
    let Some(message) = fast else { return Execution::refused("no message") };
    let written = serde_json::to_string(&message).expect("a message can be written");
    assert_eq!(ClientMessage::read(&written).ok().as_ref(), Some(&message), "{written}");
    let parts = match &message.action {
        Action::Move(answer) => answer.parts.iter().map(std::mem::discriminant).collect(),
        _ => Vec::new(),
    };
    Execution::accepted((std::mem::discriminant(&message.action), parts))
}

fn seeds() -> Vec<Vec<u8>> {
    let parts = vec![Chosen::Card(3), Chosen::Cards(vec![1, 2]), Chosen::Number(-1), Chosen::Text("é".into())];
    let last = LastSeen { game: "abc-1".into(), seq: 7, seat: Some(1), chat: 3 };
    let id = || "p2".to_owned();
    let settings = TableSettings { pack_ids: vec!["house".into()], ..TableSettings::default() };
    let actions = [
        Action::Join {
            table: "abcdefgh".into(),
            secret: "s".repeat(22),
            name: Some("Ann".into()),
            watch: true,
            last: Some(last),
        },
        Action::Nonce { nonce: "n".into() },
        Action::Move(Answer { decision: 7, alternative: 0, parts }),
        Action::Configure { settings },
        Action::AddBot { level: BotLevel::Easy },
        Action::RemoveBot { player_id: id() },
        Action::StartGame,
        Action::KickPlayer { player_id: id() },
        Action::UndoKick { player_id: id() },
        Action::VoteRemove { player_id: id(), remove: true },
        Action::HandSeat { player_id: id(), to: "s1".into() },
        Action::TakeSeat { code: "abcdefgh".into() },
        Action::Mute { player_id: id(), muted: true },
        Action::Away { away: false },
        Action::Chat { text: "hello".into() },
        Action::React { reaction: "👍".into() },
        Action::Report { about: ReportTarget::Pack { id: "rude-0123456789abcdef".into() } },
        Action::Heartbeat,
    ];
    let message =
        |action| ClientMessage { v: baize_protocol::VERSION, kind: Envelope::Action, request_id: "r1".into(), action };
    let messages =
        actions.into_iter().map(|action| serde_json::to_vec(&message(action)).expect("a message can be written"));
    let request = r#"{"id":"0123456789abcdef","game":"stairs","name":"Ann","settings":{"preset":"quick","options":{"a":1,"b":true,"c":"x"}}}"#;
    messages.chain([request.as_bytes().to_vec()]).collect()
}

const WORDS: &[&str] = &[
    "\"v\":3",
    "\"type\":\"action\"",
    "\"requestId\":\"\"",
    "\"action\":{",
    "\"type\":\"move\"",
    "\"decision\":",
    "\"alternative\":",
    "\"parts\":[",
    "{\"card\":0}",
    "{\"cards\":[]}",
    "{\"number\":0}",
    "{\"text\":\"\"}",
    "\"type\":\"chat\"",
    "\"text\":",
    "\"type\":\"configure\"",
    "\"settings\":{",
    "\"options\":{",
    "\"packIds\":[",
    "\"activeVariants\":[",
    "\"preset\":",
    "\"playerId\":",
    "\"type\":\"join\"",
    "\"secret\":",
    "\"last\":{",
    "null",
    "true",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\u0000",
    "\\ud83d",
    "1e400",
    "-0",
    "0.0",
];
