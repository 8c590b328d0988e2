//! Tests in which the machine's date steps back or forward by an hour while people play: every wait ends when it
//! should.

use crate::server::{TestServer, quick};
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_protocol::{Action, BotLevel, ErrorCode, Presence, TableEvent};
use baize_room::random_answer::random_answer;

const HOUR: i64 = 3_600_000;
const STEPS: [i64; 2] = [-HOUR, HOUR];

/// CLOCK-3: a start that waits for nonces begins after a second. A step back once made it wait for ever.
#[tokio::test]
async fn a_waiting_start_begins_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let code = server.table("pig", "Ann", quick()).await;
        let mut ann = server.client().await;
        ann.join(&code, "Ann").await.unwrap();
        ann.act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
        ann.act(Action::StartGame).await.unwrap();
        server.clock.step_date(step);
        ann.act(Action::Heartbeat).await.unwrap();
        assert!(ann.table().starting && ann.view.is_none(), "it waits for its whole second ({step})");
        server.clock.advance(1_000);
        ann.until("it has begun", |c| c.view.is_some()).await;
    }
}

/// CLOCK-3: a move's clock runs out after its time, not an hour later and not at once.
#[tokio::test]
async fn a_move_clock_runs_out_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let mut settings = quick();
        settings.options.insert("clock".into(), OptionSetting::Number(10));
        let (_, mut clients) = server.seated("donkey", settings, &["Ann", "Ben"]).await;
        clients[0].act(Action::StartGame).await.unwrap();
        clients[0].until("it has begun", |c| c.view.is_some()).await;
        let seq = clients[0].seq();
        server.clock.step_date(step);
        server.clock.advance(9_999);
        clients[0].act(Action::Heartbeat).await.unwrap();
        assert_eq!(clients[0].seq(), seq, "there is a millisecond left ({step})");
        server.clock.advance(1);
        clients[0].until("the default was played", |c| c.seq() > seq).await;
    }
}

/// CLOCK-2, CLOCK-3: the time left on a clock survives a restart during which somebody sets the date.
#[tokio::test]
async fn remaining_time_survives_a_restart_with_another_date() {
    for step in STEPS {
        let mut server = TestServer::start().await;
        let mut settings = quick();
        settings.options.insert("clock".into(), OptionSetting::Number(10));
        let (code, mut clients) = server.seated("donkey", settings, &["Ann", "Ben"]).await;
        clients[0].act(Action::StartGame).await.unwrap();
        clients[0].until("it has begun", |c| c.view.is_some()).await;
        let seq = clients[0].seq();
        server.clock.advance(4_000);
        clients[0].act(Action::Heartbeat).await.unwrap();
        let clock = server.clock.clone();
        let data = server.stop().await;
        drop(clients);
        clock.step_date(step);
        server = TestServer::on(data, clock, |_| {}).await;
        let mut ann = server.client().await;
        ann.join(&code, "Ann").await.unwrap();
        let left = ann.table().clocks.first().map(|(_, left)| *left);
        assert_eq!((left, ann.seq()), (Some(6_000), seq), "{step}");
    }
}

/// CLOCK-3, LEAD-1: a lead who is cut off loses the lead after a minute.
#[tokio::test]
async fn a_disconnected_lead_is_replaced_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let (_, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
        drop(clients.remove(0));
        clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
        server.clock.step_date(step);
        server.clock.advance(59_000);
        assert_eq!(clients[0].expect_refusal(Action::StartGame).await, ErrorCode::NotLead, "{step}");
        server.clock.advance(1_000);
        clients[0].until("Ben leads", |c| c.table().lead.as_deref() == Some("p2")).await;
    }
}

/// CLOCK-3, PRES-5: the grace period of a game lasts as long as it says.
#[tokio::test]
async fn the_grace_period_ends_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let names = ["Ann", "Ben", "Cleo"];
        let (_, mut clients) = server.seated("cards-against-humanity", TableSettings::default(), &names).await;
        clients[0].act(Action::StartGame).await.unwrap();
        drop(clients.pop());
        let gone = |c: &crate::client::Client| c.player("Cleo").presence == Presence::Disconnected;
        clients[0].until("Cleo is gone", |c| c.view.is_some() && gone(c)).await;
        server.clock.step_date(step);
        server.clock.advance(119_000);
        clients[0].act(Action::Heartbeat).await.unwrap();
        assert_eq!(clients[0].player("Cleo").presence, Presence::Disconnected, "{step}");
        server.clock.advance(1_000);
        clients[0].until("Cleo has left", |c| c.player("Cleo").presence == Presence::Left).await;
    }
}

/// CLOCK-3, CHAT-2: the allowance for chat lines grows again. A step back once silenced people for an hour.
#[tokio::test]
async fn chat_limits_recover_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
        let say = |text: &str| Action::Chat { text: text.into() };
        for _ in 0..6 {
            clients[1].act(say("again")).await.unwrap();
        }
        server.clock.step_date(step);
        assert_eq!(clients[1].expect_refusal(say("too much")).await, ErrorCode::TooFast, "{step}");
        server.clock.advance(2_000);
        clients[1].act(say("one more")).await.unwrap();
    }
}

/// CLOCK-3, LIMIT-1: a socket's allowance for messages and an address's allowance for tables recover, too.
#[tokio::test]
async fn rates_recover_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::alone(|config| {
            config.actions_per_second = 2;
            config.looks_per_minute = 1;
        })
        .await;
        let code = server.table("pig", "Ann", quick()).await;
        let mut ann = server.client().await;
        ann.join(&code, "Ann").await.unwrap();
        for _ in 0..5 {
            ann.act(Action::Heartbeat).await.unwrap();
        }
        server.clock.step_date(step);
        assert_eq!(ann.expect_refusal(Action::Heartbeat).await, ErrorCode::TooFast, "{step}");
        server.clock.advance(1_000);
        ann.act(Action::Heartbeat).await.unwrap();
        let path = format!("/api/tables/{code}");
        let look = async || server.http("GET", &path, None, "").await.0;
        server.clock.advance(60_000);
        assert_eq!(look().await, 200);
        server.clock.step_date(step);
        assert_eq!(look().await, 429, "{step}");
        server.clock.advance(60_000);
        assert_eq!(look().await, 200);
    }
}

/// CLOCK-3, PARK-1: a table without clients is parked after a minute.
#[tokio::test]
async fn an_idle_table_is_parked_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::alone(|_| {}).await;
        let (_, clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
        drop(clients);
        let tables = async || {
            let figures = server.http("GET", "/metrics", None, "").await.1;
            figures.lines().find_map(|line| line.strip_prefix("baize_tables ")?.parse::<u32>().ok()).unwrap()
        };
        while !server.http("GET", "/metrics", None, "").await.1.contains("baize_sockets 0\n") {}
        server.clock.step_date(step);
        assert_eq!(tables().await, 1);
        // The test can't know when the room hears of the closed sockets; that takes far less than an hour of steady
        // time.
        let mut waited = 0;
        while tables().await != 0 {
            server.clock.advance(1_000);
            waited += 1_000;
            assert!(waited < HOUR, "it still does not rest ({step})");
            tokio::task::yield_now().await;
        }
    }
}

/// CLOCK-3, BOT-1: a bot answers after its pause.
#[tokio::test]
async fn a_bots_pause_ends_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start_with(|config| config.bot_delay = 1000).await;
        let code = server.table("pig", "Ann", quick()).await;
        let mut ann = server.client().await;
        ann.join(&code, "Ann").await.unwrap();
        ann.act(Action::Nonce { nonce: "x".into() }).await.unwrap();
        ann.act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
        ann.act(Action::StartGame).await.unwrap();
        ann.until("it has begun", |c| c.view.is_some()).await;
        for n in 0.. {
            let Some(answer) = ann.view().decision.as_ref().and_then(|_| random_answer(ann.view(), n)) else { break };
            ann.play(answer).await.unwrap();
        }
        let seq = ann.seq();
        server.clock.step_date(step);
        // A pause lasts a few seconds at most.
        for _ in 0..60 {
            server.clock.advance(1_000);
            ann.act(Action::Heartbeat).await.unwrap();
        }
        ann.until("the bot has moved", |c| c.seq() > seq).await;
    }
}

/// BOT-2: how long a bot thinks depends on its hand, so nobody may see it. The bot thinks during its pause, and its
/// answer waits for the end of the pause.
#[tokio::test]
async fn a_bot_answers_only_after_its_pause() {
    let server = TestServer::start_with(|config| config.bot_delay = 1000).await;
    let code = server.table("pig", "Ann", quick()).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    ann.act(Action::Nonce { nonce: "x".into() }).await.unwrap();
    ann.act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    ann.act(Action::StartGame).await.unwrap();
    ann.until("it has begun", |c| c.view.is_some()).await;
    for n in 0.. {
        let Some(answer) = ann.view().decision.as_ref().and_then(|_| random_answer(ann.view(), n)) else { break };
        ann.play(answer).await.unwrap();
    }
    let seq = ann.seq();
    // Time stands still, and the bot decides all the same.
    while server.http("GET", "/metrics", None, "").await.1.contains("baize_bot_moves_total 0\n") {
        tokio::task::yield_now().await;
    }
    // The room gets the decision before this heartbeat or soon after it, and sends nothing.
    ann.act(Action::Heartbeat).await.unwrap();
    ann.act(Action::Heartbeat).await.unwrap();
    assert_eq!(ann.seq(), seq, "the answer came before the end of the pause");
    server.clock.advance(5_000);
    ann.until("the bot has moved", |c| c.seq() > seq).await;
}

/// CLOCK-3, KICK-3: the lead can take a removal back for a minute. A step back once made that an hour, and a step forward ended it.
#[tokio::test]
async fn a_removal_can_be_taken_back_for_a_minute_whatever_the_date() {
    for step in STEPS {
        let server = TestServer::start().await;
        let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
        let [ben, cleo] = [1, 2].map(|n| clients[n].id());
        clients[0].act(Action::KickPlayer { player_id: ben.clone() }).await.unwrap();
        server.clock.step_date(step);
        server.clock.advance(59_999);
        clients[0].act(Action::UndoKick { player_id: ben }).await.unwrap();
        clients[0].act(Action::KickPlayer { player_id: cleo.clone() }).await.unwrap();
        server.clock.step_date(step);
        server.clock.advance(60_000);
        let refused = clients[0].expect_refusal(Action::UndoKick { player_id: cleo }).await;
        assert_eq!(refused, ErrorCode::NoSuchPlayer, "{step}");
    }
}

/// CLOCK-2, CLOCK-3, KICK-3: the rest of that minute survives a restart during which somebody sets the date.
#[tokio::test]
async fn the_time_to_take_a_removal_back_survives_a_restart_with_another_date() {
    for step in STEPS {
        let mut server = TestServer::start().await;
        let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
        let [ben, cleo] = [1, 2].map(|n| clients[n].id());
        for player_id in [&ben, &cleo] {
            clients[0].act(Action::KickPlayer { player_id: player_id.clone() }).await.unwrap();
        }
        server.clock.advance(40_000);
        clients[0].act(Action::Heartbeat).await.unwrap();
        let clock = server.clock.clone();
        let data = server.stop().await;
        drop(clients);
        clock.step_date(step);
        server = TestServer::on(data, clock, |_| {}).await;
        let mut ann = server.client().await;
        ann.join(&code, "Ann").await.unwrap();
        server.clock.advance(19_999);
        ann.act(Action::UndoKick { player_id: ben }).await.unwrap();
        server.clock.advance(1);
        assert_eq!(ann.expect_refusal(Action::UndoKick { player_id: cleo }).await, ErrorCode::NoSuchPlayer, "{step}");
    }
}

/// CLOCK-3, SEAT-1: a seat code is never valid for more than five minutes.
#[tokio::test]
async fn a_seat_code_lasts_no_longer_after_a_step_back() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[1].act(Action::MoveSeat).await.unwrap();
    let given = |c: &crate::client::Client| {
        c.events.iter().find_map(|event| match event {
            TableEvent::SeatCode { code, .. } => Some(code.clone()),
            _ => None,
        })
    };
    clients[1].until("the code has come", |c| given(c).is_some()).await;
    let bens = given(&clients[1]).unwrap();
    server.clock.step_date(-HOUR);
    server.clock.advance(6 * 60_000);
    let mut phone = server.client().await;
    phone.watch(&code, "Phone").await.unwrap();
    assert_eq!(phone.expect_refusal(Action::TakeSeat { code: bens }).await, ErrorCode::BadSeatCode);
}

/// CLOCK-3, PURGE-1: a date that is years ahead deletes nothing.
#[tokio::test]
async fn a_date_far_ahead_deletes_no_tables() {
    let server = TestServer::alone(|config| {
        config.purge_after = 10 * 24 * 3_600_000;
        // Nobody comes to this test's table.
        config.unused_table_expiry = 0;
    })
    .await;
    let code = server.table("pig", "Ann", quick()).await;
    server.clock.step_date(1000 * 24 * HOUR);
    let looked = async || server.http("GET", &format!("/api/tables/{code}"), None, "").await.0;
    for _ in 0..50 {
        server.clock.advance(3_600_000);
        assert_eq!(looked().await, 200);
    }
}
