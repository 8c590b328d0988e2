//! Who is here, and what the game makes of it.

use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, PauseReason, Presence, TableEvent, TableStatus};

/// PRES-3: Donkey stands still while its host is gone, for everyone; nobody succeeds meanwhile; it goes on by itself.
#[tokio::test]
async fn the_hosts_absence_pauses_donkey() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    drop(clients.remove(0));
    let ben = &mut clients[0];
    ben.until("paused", |c| c.table.as_ref().is_some_and(|t| t.paused == Some(PauseReason::HostAbsent))).await;
    assert_eq!(ben.table().status, TableStatus::Paused);
    server.clock.advance(120_000);
    assert_eq!(ben.refused(Action::ResumeGame).await, ErrorCode::NotLead);
    assert_eq!(ben.table().lead.as_deref(), Some("p1"));
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().status, TableStatus::Playing);
    ben.until("it goes on", |c| c.table().status == TableStatus::Playing).await;
    assert!(ben.said("Ann disconnected") && ben.said("Ann reconnected"));
}

/// PRES-4, LEAD-2: when Donkey's host leaves for good the lead passes on, the game continues and a bot has the seat.
#[tokio::test]
async fn when_donkeys_host_leaves_the_game_continues_with_a_bot() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].act(Action::Leave).await.unwrap();
    let mut ann = clients.remove(0);
    ann.until("she only watches now", |c| c.view.as_ref().is_some_and(|v| v.seat.is_none())).await;
    let ben = &mut clients[0];
    ben.until("Ben leads", |c| c.table.as_ref().is_some_and(|t| t.lead.as_deref() == Some("p2"))).await;
    assert_eq!(ben.table().status, TableStatus::Playing);
    assert_eq!(ben.player("Ann").presence, Presence::Left);
    let bot = ben.table().players.iter().find(|player| player.bot == Some(BotLevel::Medium)).unwrap();
    assert_eq!(bot.seat, Some(0));
    catch_up(&mut clients).await;
    play_out(&mut clients, 5).await;
}

/// LEAD-1: a lead who is disconnected is succeeded after a minute by the longest-seated active person.
#[tokio::test]
async fn a_disconnected_lead_is_succeeded() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    drop(clients.remove(0));
    clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
    server.clock.advance(59_000);
    assert_eq!(clients[0].refused(Action::StartGame).await, ErrorCode::NotLead);
    server.clock.advance(1_000);
    clients[0].until("Ben leads", |c| c.table().lead.as_deref() == Some("p2")).await;
    assert!(clients[0].said("Ben is the lead now"));
    clients[0].act(Action::StartGame).await.unwrap();
}

/// VOTE-1: a majority of those present can remove somebody who is absent, and only such.
#[tokio::test]
async fn an_absent_player_can_be_voted_out() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let dan = clients[3].id();
    let vote = |remove| Action::VoteRemove { player_id: dan.clone(), remove };
    assert_eq!(clients[0].refused(vote(true)).await, ErrorCode::NotAbsent);
    drop(clients.pop());
    clients[0].until("Dan is gone", |c| c.player("Dan").presence == Presence::Disconnected).await;
    clients[0].act(vote(true)).await.unwrap();
    clients[0].act(vote(true)).await.unwrap();
    clients[0].until("one vote is open", |c| c.table().votes.first().is_some_and(|v| v.by.len() == 1)).await;
    assert_eq!(clients[0].table().votes[0].needed, 2);
    clients[1].act(vote(true)).await.unwrap();
    clients[0].until("Dan is out", |c| c.player("Dan").presence == Presence::Left).await;
    assert!(clients[0].said("Dan was voted out"));
    assert!(!clients[0].view().seats[3].playing);
}

/// PRES-2: the away switch; skipped at once where the game says so, and back again.
#[tokio::test]
async fn who_is_away_is_skipped_where_the_game_says_so() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let first = usize::from(clients[0].view().decision.is_none());
    clients[first].act(Action::Away { away: true }).await.unwrap();
    let other = 1 - first;
    clients[other].until("it is the other's turn", |c| c.view().decision.is_some()).await;
    clients[first].act(Action::Away { away: false }).await.unwrap();
    clients[first].until("back", |c| c.player(["Ann", "Ben"][first]).presence == Presence::Active).await;
}

/// PRES-5: in a game with a grace period whoever does not come back in time has left; below the minimum it pauses.
#[tokio::test]
async fn the_grace_period_ends_in_leaving() {
    let server = TestServer::start().await;
    let (code, mut clients) =
        server.seated("cards-against-humanity", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    drop(clients.pop());
    clients[0].until("Cleo is gone", |c| c.view.is_some() && c.player("Cleo").presence == Presence::Disconnected).await;
    server.clock.advance(119_000);
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert_eq!(clients[0].player("Cleo").presence, Presence::Disconnected);
    server.clock.advance(1_000);
    clients[0].until("Cleo has left", |c| c.player("Cleo").presence == Presence::Left).await;
    clients[0].until("paused", |c| c.table().paused == Some(PauseReason::TooFew)).await;
    let mut back = server.client().await;
    back.join(&code, "Cleo").await.unwrap();
    assert_eq!(back.you.as_ref().unwrap().watching_because, Some(ErrorCode::LeftForGood));
    let mut dan = server.client().await;
    dan.join(&code, "Dan").await.unwrap();
    clients[0].until("enough again", |c| c.table().status == TableStatus::Playing).await;
}

/// RUN-1: pause, resume, end and abandon belong to the lead and the host.
#[tokio::test]
async fn the_lead_pauses_resumes_and_ends() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    assert_eq!(clients[1].refused(Action::PauseGame).await, ErrorCode::NotLead);
    clients[0].act(Action::PauseGame).await.unwrap();
    clients[0].until("paused", |c| c.view().paused).await;
    let answer = baize_server::bots::choose(clients[0].view(), BotLevel::Easy, 1);
    if let Some(answer) = answer {
        assert_eq!(clients[0].refused(Action::Move(answer)).await, ErrorCode::Paused);
    }
    clients[0].act(Action::PassLead { player_id: "p2".into() }).await.unwrap();
    clients[1].act(Action::ResumeGame).await.unwrap();
    assert_eq!(clients[1].refused(Action::AbandonGame).await, ErrorCode::NotHost);
    assert_eq!(clients[1].refused(Action::Rematch).await, ErrorCode::NotEnded);
    clients[1].act(Action::EndGame).await.unwrap();
    clients[1].until("over", |c| c.view().outcome.is_some() && c.table().status == TableStatus::Ended).await;
    clients[0].act(Action::AbandonGame).await.unwrap();
    assert_eq!(clients[1].refused(Action::Rematch).await, ErrorCode::TableOver);
}

/// CLOCK-1: a clock that runs out makes the default move; it stands still while the table is paused.
#[tokio::test]
async fn clocks_run_out_and_stand_still_while_paused() {
    let server = TestServer::start().await;
    let mut settings = quick();
    settings.options.insert("clock".into(), baize_protocol::table::OptionSetting::Number(10));
    let (_, mut clients) = server.seated("donkey", settings, &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let seq = clients[0].seq();
    assert_eq!(clients[0].table().clocks.first().map(|(_, left)| *left), Some(10_000));
    server.clock.advance(6_000);
    clients[0].act(Action::PauseGame).await.unwrap();
    server.clock.advance(60_000);
    clients[0].act(Action::ResumeGame).await.unwrap();
    clients[0].until("it goes on", |c| c.table().status == TableStatus::Playing && c.seq() == seq + 2).await;
    server.clock.advance(3_999);
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert_eq!(clients[0].seq(), seq + 2);
    server.clock.advance(1);
    clients[0].until("the default was played", |c| c.seq() > seq + 2).await;
}

/// CHAT-2, CHAT-3: limits, mute and reactions.
#[tokio::test]
async fn chat_has_limits() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let say = |text: &str| Action::Chat { text: text.into() };
    assert_eq!(clients[1].refused(say("  ")).await, ErrorCode::ChatEmpty);
    assert_eq!(clients[1].refused(say(&"x".repeat(401))).await, ErrorCode::ChatTooLong);
    clients[1].act(say("<b>hi</b>")).await.unwrap();
    clients[0].until("it arrives letter by letter", |c| c.said("<b>hi</b>")).await;
    for _ in 0..5 {
        clients[1].act(say("again")).await.unwrap();
    }
    assert_eq!(clients[1].refused(say("too much")).await, ErrorCode::TooFast);
    server.clock.advance(2_000);
    clients[1].act(Action::React { reaction: "🎉".into() }).await.unwrap();
    let is_reaction = |e: &TableEvent| matches!(e, TableEvent::Reaction { .. });
    clients[0].until("the reaction is seen", |c| c.events.iter().any(is_reaction)).await;
    assert_eq!(clients[1].refused(Action::React { reaction: "<script>".into() }).await, ErrorCode::BadReaction);
    clients[0].act(Action::Mute { player_id: "p2".into(), muted: true }).await.unwrap();
    server.clock.advance(20_000);
    assert_eq!(clients[1].refused(say("hello?")).await, ErrorCode::Muted);
}
