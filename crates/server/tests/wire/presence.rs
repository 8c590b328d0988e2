//! Presence of players, and its effect on the game.

use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick};
use baize_protocol::table::TableSettings;
use baize_protocol::{AbsenceEnd, Action, BotLevel, ErrorCode, PauseReason, Presence, TableEvent, TableStatus};

/// PRES-3: Donkey pauses for everyone while its host is gone; nobody becomes host meanwhile; it resumes by itself.
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
    assert_eq!(ben.expect_refusal(Action::ResumeGame).await, ErrorCode::NotLead);
    assert_eq!(ben.table().lead.as_deref(), Some("p1"));
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().status, TableStatus::Playing);
    ben.until("it goes on", |c| c.table().status == TableStatus::Playing).await;
    assert!(ben.has_chat_line("Ann disconnected") && ben.has_chat_line("Ann reconnected"));
}

/// PRES-4, LEAD-2: when Donkey's host leaves for good, the lead passes on, the game continues, and a bot gets the seat.
#[tokio::test]
async fn donkey_continues_with_a_bot_when_its_host_leaves() {
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

/// LEAD-1: after a minute the longest-seated active person replaces a lead who is disconnected.
#[tokio::test]
async fn a_disconnected_lead_is_replaced() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    drop(clients.remove(0));
    clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
    server.clock.advance(59_000);
    assert_eq!(clients[0].expect_refusal(Action::StartGame).await, ErrorCode::NotLead);
    server.clock.advance(1_000);
    clients[0].until("Ben leads", |c| c.table().lead.as_deref() == Some("p2")).await;
    assert!(clients[0].has_chat_line("Ben is the lead now"));
    clients[0].act(Action::StartGame).await.unwrap();
}

/// VOTE-1: a majority of those present can remove an absent player, and only an absent one.
#[tokio::test]
async fn an_absent_player_can_be_voted_out() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let dan = clients[3].id();
    let vote = |remove| Action::VoteRemove { player_id: dan.clone(), remove };
    assert_eq!(clients[0].expect_refusal(vote(true)).await, ErrorCode::NotAbsent);
    drop(clients.pop());
    clients[0].until("Dan is gone", |c| c.player("Dan").presence == Presence::Disconnected).await;
    clients[0].act(vote(true)).await.unwrap();
    clients[0].act(vote(true)).await.unwrap();
    clients[0].until("one vote is open", |c| c.table().votes.first().is_some_and(|v| v.by.len() == 1)).await;
    assert_eq!(clients[0].table().votes[0].needed, 2);
    clients[1].act(vote(true)).await.unwrap();
    clients[0].until("Dan is out", |c| c.player("Dan").presence == Presence::Left).await;
    assert!(clients[0].has_chat_line("Dan was voted out"));
    assert!(!clients[0].view().seats[3].playing);
}

/// PRES-2: a player who is away is skipped at once where the game says so, and can come back.
#[tokio::test]
async fn a_player_who_is_away_is_skipped_where_the_game_says_so() {
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

/// PRES-5: in a game with a grace period a player who does not return in time has left; below the minimum the game
/// pauses.
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

/// RUN-1: only the lead and the host may pause, resume, end and abandon.
#[tokio::test]
async fn the_lead_pauses_resumes_and_ends() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    assert_eq!(clients[1].expect_refusal(Action::PauseGame).await, ErrorCode::NotLead);
    clients[0].act(Action::PauseGame).await.unwrap();
    clients[0].until("paused", |c| c.view().paused).await;
    let answer = baize_room::random_answer::random_answer(clients[0].view(), 1);
    if let Some(answer) = answer {
        assert_eq!(clients[0].expect_refusal(Action::Move(answer)).await, ErrorCode::Paused);
    }
    clients[0].act(Action::PassLead { player_id: "p2".into() }).await.unwrap();
    clients[1].act(Action::ResumeGame).await.unwrap();
    assert_eq!(clients[1].expect_refusal(Action::AbandonGame).await, ErrorCode::NotHost);
    assert_eq!(clients[1].expect_refusal(Action::Rematch).await, ErrorCode::NotEnded);
    clients[1].act(Action::EndGame).await.unwrap();
    clients[1].until("over", |c| c.view().outcome.is_some() && c.table().status == TableStatus::Ended).await;
    clients[0].act(Action::AbandonGame).await.unwrap();
    assert_eq!(clients[1].expect_refusal(Action::Rematch).await, ErrorCode::TableOver);
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
    assert_eq!(clients[1].expect_refusal(say("  ")).await, ErrorCode::ChatEmpty);
    // Characters that can't be shown are removed, and nothing is left.
    assert_eq!(clients[1].expect_refusal(say("\u{1} \u{7f}")).await, ErrorCode::ChatEmpty);
    assert_eq!(clients[1].expect_refusal(say(&"x".repeat(401))).await, ErrorCode::ChatTooLong);
    clients[1].act(say("<b>hi</b>")).await.unwrap();
    clients[0].until("it arrives letter by letter", |c| c.has_chat_line("<b>hi</b>")).await;
    for _ in 0..5 {
        clients[1].act(say("again")).await.unwrap();
    }
    assert_eq!(clients[1].expect_refusal(say("too much")).await, ErrorCode::TooFast);
    server.clock.advance(2_000);
    clients[1].act(Action::React { reaction: "🎉".into() }).await.unwrap();
    let is_reaction = |e: &TableEvent| matches!(e, TableEvent::Reaction { .. });
    clients[0].until("the reaction is seen", |c| c.events.iter().any(is_reaction)).await;
    assert_eq!(clients[1].expect_refusal(Action::React { reaction: "<script>".into() }).await, ErrorCode::BadReaction);
    clients[0].act(Action::Mute { player_id: "p2".into(), muted: true }).await.unwrap();
    server.clock.advance(20_000);
    assert_eq!(clients[1].expect_refusal(say("hello?")).await, ErrorCode::Muted);
}

/// PRES-1: presence has four states; heartbeats are never logged.
#[tokio::test]
async fn presence_has_four_states_and_heartbeats_are_not_logged() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let store = server.data().store().await;
    let rows = async || {
        let table = store.peek(&code).await.unwrap().unwrap();
        (table.record, table.updated_at, store.log(&format!("{code}-1"), 0, 10_000).await.unwrap().len())
    };
    let before = rows().await;
    server.clock.advance(5_000);
    for client in &mut clients {
        client.act(Action::Heartbeat).await.unwrap();
    }
    assert_eq!(rows().await, before);
    let presence = |c: &crate::client::Client| c.player("Ben").presence;
    assert_eq!(presence(&clients[0]), Presence::Active);
    clients[1].act(Action::Away { away: true }).await.unwrap();
    clients[0].until("away", |c| presence(c) == Presence::Away).await;
    drop(clients.remove(1));
    clients[0].until("disconnected", |c| presence(c) == Presence::Disconnected).await;
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    clients[0].until("active", |c| presence(c) == Presence::Active).await;
    ben.act(Action::Leave).await.unwrap();
    clients[0].until("left", |c| presence(c) == Presence::Left).await;
    for (line, kind) in [
        ("Ben is away", Presence::Away),
        ("Ben disconnected", Presence::Disconnected),
        ("Ben reconnected", Presence::Active),
    ] {
        assert!(clients[0].has_chat_line(line), "{line}");
        let is_of_kind =
            |e: &TableEvent| matches!(e, TableEvent::PlayerPresenceChanged { presence, .. } if *presence == kind);
        assert!(clients[0].events.iter().any(is_of_kind), "{kind:?}");
    }
    assert!(clients[0].has_chat_line("Ben left the game"));
    // A player who left has no table to continue.
    let (_, mine) = server.http("GET", "/api/me/tables", Some(&crate::server::secret("Ben")), "").await;
    assert!(serde_json::from_str::<baize_protocol::http::MemberTables>(&mine).unwrap().tables.is_empty());
}

/// BOT-1, PRES-6: bots play only while a person is there; when every person is away the table pauses until one is back.
#[tokio::test]
async fn bots_do_not_play_among_themselves() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann"]).await;
    for _ in 0..2 {
        clients[0].act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    }
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let ann = &mut clients[0];
    let end = ann.view().seq + 12;
    for n in 0.. {
        ann.until("Ann's turn", |c| c.view().decision.is_some() || c.view().outcome.is_some()).await;
        if ann.seq() >= end {
            break;
        }
        let answer = baize_room::random_answer::random_answer(ann.view(), n).unwrap();
        ann.play(answer).await.unwrap();
    }
    ann.act(Action::Away { away: true }).await.unwrap();
    ann.until("paused", |c| c.table().paused == Some(PauseReason::Deserted) && c.view().paused).await;
    let seq = ann.seq();
    for _ in 0..20 {
        server.clock.advance(10_000);
        ann.act(Action::Heartbeat).await.unwrap();
    }
    assert_eq!(ann.seq(), seq, "nothing has happened");
    assert_eq!(ann.expect_refusal(Action::ResumeGame).await, ErrorCode::Paused);
    ann.act(Action::Away { away: false }).await.unwrap();
    ann.until("it goes on", |c| c.table().status == TableStatus::Playing && !c.view().paused).await;
}

/// VOTE-1, DUR-4: votes survive a crash, and are counted again when fewer are present.
#[tokio::test]
async fn votes_survive_a_crash_and_count_those_present() {
    let mut server = TestServer::start().await;
    let names = ["Ann", "Ben", "Cleo", "Dan"];
    let (code, mut clients) = server.seated("old-maid", TableSettings::default(), &names).await;
    clients[0].act(Action::StartGame).await.unwrap();
    drop(clients.pop());
    clients[0].until("Dan is gone", |c| c.player("Dan").presence == Presence::Disconnected).await;
    clients[0].act(Action::VoteRemove { player_id: "p4".into(), remove: true }).await.unwrap();
    server = server.crash().await;
    drop(clients);
    let mut people = Vec::new();
    for name in &names[..3] {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        people.push(client);
    }
    assert_eq!(people[2].table().votes[0].by, ["p1"]);
    assert_eq!(people[2].table().votes[0].needed, 2);
    // Ben disconnects: one vote of two present is no majority. When Cleo disconnects as well, it is.
    drop(people.remove(1));
    people[0].until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    assert_eq!(people[0].player("Dan").presence, Presence::Disconnected);
    drop(people.remove(1));
    people[0].until("Dan is out", |c| c.player("Dan").presence == Presence::Left).await;
}

/// CLOCK-2: after a crash a clock has the time that was left at the last step, after an orderly stop the time left at
/// the stop; the server's downtime does not count.
#[tokio::test]
async fn clocks_keep_their_remaining_time() {
    let mut server = TestServer::start().await;
    let mut settings = quick();
    settings.options.insert("clock".into(), baize_protocol::table::OptionSetting::Number(10));
    let names = ["Ann", "Ben"];
    let (code, mut clients) = server.seated("donkey", settings, &names).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    // Time passes, then the room logs something unrelated to the clock: now the store knows that 7 s were left.
    server.clock.advance(3_000);
    let at = usize::from(clients[0].view().waiting[0].seat == 0);
    clients[at].act(Action::Away { away: true }).await.unwrap();
    clients[at].act(Action::Away { away: false }).await.unwrap();
    server.clock.advance(1_000);
    server = server.crash().await;
    server.clock.advance(3_600_000);
    let mut people = Vec::new();
    for name in names {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        people.push(client);
    }
    let left = |c: &crate::client::Client| c.table().clocks.first().map(|(_, left)| *left);
    assert_eq!(left(&people[0]), Some(7_000));
    server.clock.advance(2_000);
    people[0].act(Action::Heartbeat).await.unwrap();
    drop(people);
    server = server.restart().await;
    server.clock.advance(3_600_000);
    let mut people = Vec::new();
    for name in names {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        people.push(client);
    }
    // The connections were lost just before the stop, so the table may have been paused; the time left is the same.
    people[0].until("playing", |c| c.table().status == TableStatus::Playing).await;
    assert_eq!(left(&people[0]), Some(5_000));
    let seq = people[0].seq();
    server.clock.advance(5_000);
    people[0].until("the default was played", |c| c.seq() > seq).await;
}

/// CHAT-2, CHAT-3, DUR-1: a spectator can be muted, reconnecting resets no limit, and a line that is sent again after a
/// crash appears once.
#[tokio::test]
async fn chat_limits_belong_to_the_browser() {
    let mut server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let say = |text: &str| Action::Chat { text: text.into() };
    let mut olga = server.client().await;
    olga.watch(&code, "Olga").await.unwrap();
    for _ in 0..6 {
        olga.act(say("hello")).await.unwrap();
    }
    drop(olga);
    let mut olga = server.client().await;
    olga.watch(&code, "Olga").await.unwrap();
    assert_eq!(olga.expect_refusal(say("hello again")).await, ErrorCode::TooFast);
    server.clock.advance(60_000);
    olga.act(say("may I?")).await.unwrap();
    let id = olga.id();
    assert_eq!(
        clients[1].expect_refusal(Action::Mute { player_id: id.clone(), muted: true }).await,
        ErrorCode::NotLead
    );
    assert_eq!(
        clients[0].expect_refusal(Action::Mute { player_id: "s77".into(), muted: true }).await,
        ErrorCode::NoSuchPlayer
    );
    clients[0].act(Action::Mute { player_id: id.clone(), muted: true }).await.unwrap();
    assert_eq!(olga.expect_refusal(say("hm")).await, ErrorCode::Muted);
    assert_eq!(olga.expect_refusal(Action::React { reaction: "🎉".into() }).await, ErrorCode::Muted);
    clients[0].until("shown", |c| c.table().spectators.iter().any(|s| s.id == id && s.muted)).await;
    clients[1].act_with("the-line", say("only once")).await.unwrap();
    server = server.crash().await;
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    ben.act_with("the-line", say("only once")).await.unwrap();
    ben.act(Action::Heartbeat).await.unwrap();
    assert_eq!(ben.chat.iter().filter(|line| line.text == "only once").count(), 1);
    let mut olga = server.client().await;
    olga.watch(&code, "Olga").await.unwrap();
    assert_eq!(olga.expect_refusal(say("and now?")).await, ErrorCode::Muted);
}

/// LEAD-3: the lead can replace a judge who is absent for half a minute; the session's lines report it.
#[tokio::test]
async fn the_lead_replaces_an_absent_judge() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("cards-against-humanity", quick(), &["Ann", "Ben", "Cleo", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    // Everybody who may answer does, until the game waits only for the judge.
    let judge = |c: &crate::client::Client| {
        let is_judge = |seat: &baize_engine::view::SeatView| seat.badges.iter().any(|badge| badge.kind == "title");
        c.view().seats.iter().position(is_judge)
    };
    let first = judge(&clients[0]).expect("somebody is the judge");
    if first == 0 {
        // The lead must be somebody else than the judge.
        clients[0].act(Action::PassLead { player_id: "p2".into() }).await.unwrap();
    }
    let lead = usize::from(first == 0);
    clients[first].act(Action::Away { away: true }).await.unwrap();
    clients[lead].until("away", |c| !c.view().seats[first].present).await;
    let lines_about_judge =
        |c: &crate::client::Client| c.times_told("is the judge now") + c.times_told("are the judge now");
    let before = lines_about_judge(&clients[lead]);
    let mut named = false;
    for _ in 0..200 {
        catch_up(&mut clients).await;
        if judge(&clients[lead]) != Some(first) {
            break;
        }
        let asked = (0..4).find(|at| *at != first && clients[*at].view().decision.is_some());
        match asked {
            Some(at) => {
                let mut answer = baize_room::random_answer::random_answer(clients[at].view(), 5).unwrap();
                let decision = clients[at].view().decision.as_ref().unwrap();
                let prompt = serde_json::to_string(&decision.prompt).unwrap();
                if prompt.contains("Name another judge") {
                    assert_eq!(at, lead, "only the lead is asked");
                    let other = (0..4).find(|seat| *seat != first && *seat != lead).unwrap();
                    let parts = vec![baize_engine::view::Chosen::Number(other as i32)];
                    answer = baize_engine::view::Answer { decision: decision.id, alternative: 0, parts };
                    named = true;
                }
                let _ = clients[at].play(answer).await;
            }
            None => {
                server.clock.advance(10_000);
                clients[lead].act(Action::Heartbeat).await.unwrap();
            }
        }
    }
    assert!(named, "the lead was never asked");
    let other = (0..4).find(|seat| *seat != first && *seat != lead);
    assert_eq!(judge(&clients[lead]), other, "the one the lead has named");
    clients[lead].until("told", |c| lines_about_judge(c) > before).await;
}

/// PRES-8: everybody learns what happens by itself to an absent player, and when.
#[tokio::test]
async fn the_table_tells_how_long_it_waits_for_the_absent() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    drop(clients.remove(0));
    clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
    let absences = &clients[0].table().absences;
    let listed: Vec<_> = absences.iter().map(|a| (a.player_id.as_str(), a.ms, a.end)).collect();
    assert_eq!(listed, [("p1", 60_000, AbsenceEnd::LeadPasses)]);
}
