//! Bad input: a precise code, nothing lost, and the socket closed where that is right.

use crate::server::{TestServer, quick};
use baize_engine::view::{Answer, Chosen};
use baize_protocol::{Action, ErrorCode};
use tokio_tungstenite::tungstenite::Message;

fn action(kind: &str) -> String {
    format!(r#"{{"v":1,"type":"action","requestId":"x","action":{{"type":"{kind}"}}}}"#)
}

/// MSG-1 to MSG-4: what can't be read, or is not for clients, is refused by name; the socket goes on.
#[tokio::test]
async fn messages_that_make_no_sense_are_refused_precisely() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let ann = &mut clients[0];
    for (text, code) in [
        ("".to_owned(), ErrorCode::BadMessage),
        ("{".to_owned(), ErrorCode::BadMessage),
        ("[1,2]".to_owned(), ErrorCode::BadMessage),
        (r#"{"v":1,"type":"action","requestId":"x"}"#.to_owned(), ErrorCode::BadMessage),
        (action("chat"), ErrorCode::BadMessage),
        (action("conjure"), ErrorCode::UnknownAction),
        (action("setPhase"), ErrorCode::RulesOnly),
        (action("score"), ErrorCode::RulesOnly),
        (action("nextTurn"), ErrorCode::RulesOnly),
        (action("draw"), ErrorCode::UseMove),
        (action("selectWinner"), ErrorCode::UseMove),
        (format!("{}1{}", "[".repeat(4000), "]".repeat(4000)), ErrorCode::BadMessage),
    ] {
        ann.send_text(&text).await;
        assert_eq!(ann.answer("x").await.unwrap_err().error, code, "{text:.80}");
    }
    ann.act(Action::Heartbeat).await.unwrap();
}

/// MSG-5: another version, binary frames and frames over 8 KiB end the connection.
#[tokio::test]
async fn some_messages_end_the_connection() {
    let server = TestServer::start().await;
    let code = server.table("donkey", "Ann", quick()).await;
    let mut old = server.client().await;
    old.send_text(r#"{"v":99,"type":"action","requestId":"x","action":{"type":"heartbeat"}}"#).await;
    assert_eq!(old.answer("x").await.unwrap_err().error, ErrorCode::BadVersion);
    assert_eq!(old.hung_up().await, "protocol/version");
    let mut binary = server.client().await;
    binary.send_message(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(binary.hung_up().await, "protocol/bad-message");
    let mut large = server.client().await;
    large.join(&code, "Ann").await.unwrap();
    large.send_text(&"x".repeat(9000)).await;
    large.hung_up().await;
    // The table is none the worse for it.
    let mut back = server.client().await;
    back.join(&code, "Ann").await.unwrap();
}

/// JOIN-1: nothing but a join comes first; unknown tables and forged secrets get nowhere.
#[tokio::test]
async fn a_connection_begins_with_a_join() {
    let server = TestServer::start().await;
    let mut client = server.client().await;
    assert_eq!(client.refused(Action::StartGame).await, ErrorCode::JoinFirst);
    assert_eq!(client.join("nowhere2", "Ann").await.unwrap_err().error, ErrorCode::NoTable);
    let code = server.table("donkey", "Ann", quick()).await;
    let forged = client.join_as(&code, "short", Some("Ann"), false, None).await;
    assert_eq!(forged.unwrap_err().error, ErrorCode::BadSecret);
    for name in ["", "   ", &"x".repeat(25), "a\u{202e}b"] {
        let refused = client.join_as(&code, &crate::server::secret("Eve"), Some(name), false, None).await;
        assert_eq!(refused.unwrap_err().error, ErrorCode::BadName, "{name:?}");
    }
    client.join(&code, "Ann").await.unwrap();
    let again = client.join(&code, "Ann").await;
    assert_eq!(again.unwrap_err().error, ErrorCode::AlreadyJoined);
}

/// MOVE-1: moves that are late, made up, or somebody else's change nothing and say no more than they may.
#[tokio::test]
async fn bad_moves_change_nothing() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let early = Answer { decision: 1, alternative: 0, parts: vec![] };
    assert_eq!(clients[0].refused(Action::Move(early)).await, ErrorCode::NotStarted);
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let turn = usize::from(clients[0].view().decision.is_none());
    let decision = clients[turn].view().decision.clone().unwrap();
    let answer = |decision, alternative, parts| Action::Move(Answer { decision, alternative, parts });
    let seq = clients[turn].seq();
    for (action, codes) in [
        (answer(decision.id + 50, 0, vec![Chosen::Card(1)]), vec![ErrorCode::NoDecision]),
        (answer(decision.id, 9, vec![]), vec![ErrorCode::UnknownAlternative]),
        (answer(decision.id, 0, vec![]), vec![ErrorCode::WrongParts]),
        (answer(decision.id, 0, vec![Chosen::Card(4_000_000)]), vec![ErrorCode::NotACandidate]),
        (answer(decision.id, 0, vec![Chosen::Number(3)]), vec![ErrorCode::WrongParts, ErrorCode::NotACandidate]),
    ] {
        let refused = clients[turn].refused(action.clone()).await;
        assert!(codes.contains(&refused), "{refused} for {action:?}");
    }
    let stranger = answer(decision.id, 0, vec![Chosen::Card(1)]);
    let refused = clients[1 - turn].refused(stranger).await;
    assert!(matches!(refused, ErrorCode::NotYours | ErrorCode::NotACandidate), "{refused}");
    assert_eq!(clients[turn].seq(), seq);
}
