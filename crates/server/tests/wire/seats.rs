//! Seats that change hands, and several windows onto one seat.

use crate::client::Client;
use crate::data::many_nodes;
use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick, secret};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, LeaveReason, Presence, TableEvent, TableStatus};

pub async fn begun(clients: &mut [Client]) {
    for client in clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
}

/// SEAT-2: the lead gives an absent player's seat to a spectator; the hand goes with it, and the old player is out.
#[tokio::test]
async fn an_absent_players_seat_is_handed_to_a_newcomer() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    let mut dan = server.client().await;
    dan.join(&code, "Dan").await.unwrap();
    assert_eq!(dan.you.as_ref().unwrap().watching_because, Some(ErrorCode::NoNewcomers));
    let hand = |to: &str| Action::HandSeat { player_id: "p3".into(), to: to.into() };
    assert_eq!(clients[1].expect_refusal(hand("s1")).await, ErrorCode::NotLead);
    assert_eq!(clients[0].expect_refusal(hand("s1")).await, ErrorCode::NotAbsent);
    let before = clients[2].view().clone();
    let (kept, last) = (clients[2].view.clone(), clients[2].last());
    drop(clients.remove(2));
    clients[0].until("Cleo is gone", |c| c.player("Cleo").presence == Presence::Disconnected).await;
    assert_eq!(clients[0].expect_refusal(hand("s9")).await, ErrorCode::NoSuchPlayer);
    clients[0].act(hand("s1")).await.unwrap();
    dan.until("Dan has the seat", |c| c.view().seat == Some(2)).await;
    assert_eq!(dan.view().zones, before.zones, "the same hand, the same table");
    clients[0].until("all know", |c| c.table().players.iter().any(|p| p.name == "Dan" && p.seat == Some(2))).await;
    assert!(clients[0].has_chat_line("Dan plays on for Cleo"));
    let handed = |e: &TableEvent| matches!(e, TableEvent::PlayerLeft { reason: LeaveReason::Handed, .. });
    assert!(clients[0].events.iter().any(handed));
    // Cleo, who still has the seat's view, gets a spectator's view and nothing that is meant for her old seat.
    let mut cleo = server.client().await;
    cleo.view = kept;
    cleo.join_as(&code, &secret("Cleo"), None, false, Some(last)).await.unwrap();
    assert_eq!(cleo.you.as_ref().unwrap().watching_because, Some(ErrorCode::LeftForGood));
    assert_eq!(cleo.view().seat, None);
    assert_eq!(cleo.resumed, None, "a whole view, not what followed another's");
    // She can't get a seat again, and the game goes on with Dan.
    let cleo_id = cleo.id();
    drop(clients.remove(1));
    clients[0].until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    let again = Action::HandSeat { player_id: "p2".into(), to: cleo_id };
    assert_eq!(clients[0].expect_refusal(again).await, ErrorCode::LeftForGood);
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    clients.extend([ben, dan]);
    catch_up(&mut clients).await;
    play_out(&mut clients, 4).await;
}

/// SEAT-2: a bot that replaced a player who left also gives its seat to a newcomer.
#[tokio::test]
async fn a_bots_seat_is_handed_to_a_newcomer() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    clients[2].act(Action::Leave).await.unwrap();
    let bot = |c: &Client| c.table().players.iter().find(|p| p.bot == Some(BotLevel::Medium)).map(|p| p.id.clone());
    clients[0].until("a bot has the seat", |c| bot(c).is_some()).await;
    let bot = bot(&clients[0]).unwrap();
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let to = dan.id();
    clients[0].act(Action::HandSeat { player_id: bot, to }).await.unwrap();
    dan.until("Dan has the seat", |c| c.view().seat == Some(2)).await;
    clients[0].until("seen", |c| c.view().seats[2].person).await;
}

/// SEAT-1: a seat code lasts five minutes, survives a crash of the server, and is invalid once its player has left.
#[tokio::test]
async fn seat_codes_survive_a_crash_and_expire() {
    let mut server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    async fn seat_code(client: &mut Client) -> String {
        client.events.clear();
        client.act(Action::MoveSeat).await.unwrap();
        let is_code = |e: &TableEvent| matches!(e, TableEvent::SeatCode { .. });
        client.until("the code has come", |c| c.events.iter().any(is_code)).await;
        match client.events.iter().find(|e| is_code(e)) {
            Some(TableEvent::SeatCode { code, .. }) => code.clone(),
            _ => unreachable!(),
        }
    }
    let bens = seat_code(&mut clients[1]).await;
    let cleos = seat_code(&mut clients[2]).await;
    server = server.crash().await;
    let kept = server.data().store().await.peek(&code).await.unwrap().unwrap().record;
    assert!(!String::from_utf8(kept).unwrap().contains(&bens), "only a hash of the code is kept");
    if !many_nodes() {
        let on_disk = std::fs::read(server.data().path().join("baize.db-wal")).unwrap();
        let found = on_disk.windows(bens.len()).any(|bytes| bytes == bens.as_bytes());
        assert!(!found, "only a hash of the code is kept");
    }
    let mut phone = server.client().await;
    phone.watch(&code, "Phone").await.unwrap();
    phone.act(Action::TakeSeat { code: bens }).await.unwrap();
    phone.until("the seat's own view has come", |c| c.view().seat == Some(1)).await;
    // Cleo leaves, and her code becomes invalid.
    let mut cleo = server.client().await;
    cleo.join(&code, "Cleo").await.unwrap();
    cleo.act(Action::Leave).await.unwrap();
    let mut other = server.client().await;
    other.watch(&code, "Other").await.unwrap();
    assert_eq!(other.expect_refusal(Action::TakeSeat { code: cleos }).await, ErrorCode::BadSeatCode);
    // The code is valid for five minutes and no longer.
    let bens = seat_code(&mut phone).await;
    server.clock.advance(5 * 60_000);
    assert_eq!(other.expect_refusal(Action::TakeSeat { code: bens }).await, ErrorCode::BadSeatCode);
    assert_eq!(other.expect_refusal(Action::MoveSeat).await, ErrorCode::NoSeat);
}

/// JOIN-7: up to four sockets of one secret have the same view; closing one does not count as an absence.
#[tokio::test]
async fn several_windows_of_one_player_have_the_same_view() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    let mut tabs = Vec::new();
    for _ in 0..3 {
        let mut tab = server.client().await;
        tab.join(&code, "Ben").await.unwrap();
        assert_eq!((tab.id(), tab.view()), (clients[1].id(), clients[1].view()));
        tabs.push(tab);
    }
    let mut fifth = server.client().await;
    assert_eq!(fifth.join(&code, "Ben").await.unwrap_err().error, ErrorCode::TooFast);
    clients.append(&mut tabs);
    for n in 0..4 {
        let at = clients.iter().position(|c| c.view().decision.is_some()).unwrap();
        let answer = baize_room::random_answer::random_answer(clients[at].view(), n).unwrap();
        clients[at].play(answer).await.unwrap();
        catch_up(&mut clients).await;
        assert!(clients[2..].iter().all(|tab| tab.view() == clients[1].view()));
    }
    drop(clients.remove(1));
    clients[0].act(Action::Chat { text: "still there?".into() }).await.unwrap();
    clients[1].until("the others hear", |c| c.has_chat_line("still there?")).await;
    assert_eq!(clients[0].player("Ben").presence, Presence::Active);
    assert!(!clients[0].has_chat_line("Ben disconnected"));
}

/// SYNC-4: after the start and after a rematch a whole state follows, with the seat.
#[tokio::test]
async fn a_start_and_a_rematch_send_a_whole_state() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let states = |c: &Client| c.heard.iter().filter(|text| text.contains("\"type\":\"state\"")).count();
    assert_eq!(clients[1].you.as_ref().unwrap().seat, None);
    clients[0].act(Action::StartGame).await.unwrap();
    clients[1].until("the state has come", |c| states(c) == 2).await;
    assert_eq!(clients[1].you.as_ref().unwrap().seat, Some(1));
    assert_eq!(clients[1].view().seat, Some(1));
    begun(&mut clients).await;
    clients[0].act(Action::EndGame).await.unwrap();
    clients[0].act(Action::Rematch).await.unwrap();
    clients[1].until("another state has come", |c| states(c) == 3).await;
    assert_eq!((clients[1].table().status, clients[1].view.is_none()), (TableStatus::Lobby, true));
}
