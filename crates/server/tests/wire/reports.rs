//! Reports of words that players write on cards.

use crate::client::Client;
use crate::server::TestServer;
use baize_engine::view::{Answer, CardView, Chosen, Content};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, ErrorCode, ReportTarget};
use baize_server::admin;
use serde_json::Value;

/// The first player writes notes. A note on the desk shows who brought it, one in the box does not.
const NOTES: &str = r#"game "Notes"
players 2..4
deck slips:
  with 8 Blank
zones
  stock: ordered, nobody sees, starts with slips
  note[player]: ordered, owner sees cards, others see count
  desk: ordered, everyone sees cards, remembers player
  box: ordered, everyone sees cards, remembers player secretly
define author = first player
deal stock to note 4 each from first player
repeat 20 times
  ask author "Write a note or lay it down"
    write "Write": text t at most 80 letters when note[author] is not empty
      write t on first card of note[author]
    show "Show" when note[author] is not empty
      move first card of note[author] to desk
    cover "Cover" when note[author] is not empty
      move first card of note[author] to desk face down
    put "Put" when note[author] is not empty
      move first card of note[author] to box
    rest "Rest"
end draw
"#;

/// More handles than a viewer of these games ever gets.
const HANDLES: u32 = 100;

/// Starts a game of Ann, who writes, and Ben.
async fn notes() -> (TestServer, tempfile::TempDir, String, Vec<Client>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.baize"), NOTES).unwrap();
    let games = folder.path().to_owned();
    let server = TestServer::start_with(move |config| config.games = games).await;
    let (code, mut clients) = server.seated("notes", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    (server, folder, code, clients)
}

/// Ann answers with the alternative of this name, and Ben hears of it.
async fn play(clients: &mut [Client], name: &str, parts: Vec<Chosen>) {
    let decision = clients[0].view().decision.clone().expect("Ann has to decide");
    let alternative = decision.alternatives.iter().find(|alternative| alternative.name == name).unwrap().index;
    clients[0].play(Answer { decision: decision.id, alternative, parts }).await.unwrap();
    let seq = clients[0].seq();
    clients[1].until("Ben sees it", |c| c.seq() >= seq).await;
}

async fn write(clients: &mut [Client], words: &str) {
    play(clients, "write", vec![Chosen::Text(words.into())]).await;
}

fn cards(client: &Client) -> Vec<CardView> {
    let zones = client.view().zones.iter();
    zones.flat_map(|zone| if let Content::Cards(cards) = &zone.content { cards.clone() } else { Vec::new() }).collect()
}

fn about_words(client: &Client, words: &str) -> Action {
    let card = cards(client).into_iter().find(|card| card.written.as_deref() == Some(words));
    about(card.unwrap_or_else(|| panic!("{words} is not in sight")).handle)
}

fn about(handle: u32) -> Action {
    Action::Report { about: ReportTarget::Card { handle } }
}

async fn reports(server: &TestServer) -> Vec<Value> {
    let store = server.data().store().await;
    let reports = store.reports(0, 99).await.unwrap().iter().map(admin::report_line).collect();
    store.close().await.unwrap();
    reports
}

/// REPORT-3: the words on a card are reported as the reporter reads them, as those of the player who brought the card if the
/// table shows that, and otherwise as nobody's. All reports of a browser have one limit.
#[tokio::test]
async fn words_on_cards_are_reported_as_they_were_seen() {
    let (server, _folder, code, mut clients) = notes().await;
    for (words, how) in [("You <b>donkey</b>", "show"), ("You mule", "put")] {
        write(&mut clients, words).await;
        play(&mut clients, how, Vec::new()).await;
    }
    let (ben, mut dora) = (&mut clients[1], server.client().await);
    dora.watch(&code, "Dora").await.unwrap();
    for _ in 0..2 {
        ben.act(about_words(ben, "You <b>donkey</b>")).await.unwrap();
    }
    ben.act(about_words(ben, "You mule")).await.unwrap();
    dora.act(about_words(&dora, "You mule")).await.unwrap();
    let ann = ben.player("Ann").id.clone();
    let name = || Action::Report { about: ReportTarget::Name { player_id: ann.clone() } };
    for _ in 0..2 {
        ben.act(name()).await.unwrap();
    }
    assert_eq!(ben.expect_refusal(about_words(ben, "You mule")).await, ErrorCode::TooFast);
    assert_eq!(ben.expect_refusal(name()).await, ErrorCode::TooFast);
    let reports = reports(&server).await;
    let told = |report: &Value| ["kind", "name", "text"].map(|key| report[key].as_str().unwrap_or_default().to_owned());
    let expected =
        [["card", "Ann", "You <b>donkey</b>"], ["card", "", "You mule"], ["card", "", "You mule"], ["name", "Ann", ""]];
    assert_eq!(reports.iter().map(told).collect::<Vec<_>>(), expected);
    assert!(reports[0]["about"].is_string() && reports[0]["about"] == reports[3]["about"]);
    assert!(reports[1]["about"].is_null() && reports[2]["about"].is_null());
    assert_eq!((&reports[0]["table"], &reports[0]["game"]), (&code.as_str().into(), &"Notes".into()));
}

/// REPORT-3: nobody reports, and so tells the operator, what they can't read: words on a card in another hand or under a
/// back. A card without words can't be reported.
#[tokio::test]
async fn words_out_of_sight_are_not_reported() {
    let (server, _folder, _code, mut clients) = notes().await;
    write(&mut clients, "Laid down covered").await;
    play(&mut clients, "cover", Vec::new()).await;
    play(&mut clients, "show", Vec::new()).await;
    write(&mut clients, "Still in the hand").await;
    let seen = cards(&clients[1]);
    assert!(seen.iter().any(|card| card.face.is_none()), "a back: {seen:?}");
    assert!(seen.iter().any(|card| card.by.is_some() && card.face.is_some()), "a blank card: {seen:?}");
    for handle in 0..HANDLES {
        assert_eq!(clients[1].expect_refusal(about(handle)).await, ErrorCode::NothingToReport);
    }
    assert!(reports(&server).await.is_empty());
    let own = about_words(&clients[0], "Still in the hand");
    clients[0].act(own).await.unwrap();
    // Ben's attempts did not count.
    play(&mut clients, "show", Vec::new()).await;
    let shown = about_words(&clients[1], "Still in the hand");
    clients[1].act(shown).await.unwrap();
    assert_eq!(reports(&server).await.len(), 2);
}

/// REPORT-3: a card remembers the seat of who brought it. Whoever gets that seat later is not reported for the card.
#[tokio::test]
async fn a_report_of_a_card_does_not_name_the_next_player_at_the_seat() {
    let (server, _folder, code, mut clients) = notes().await;
    write(&mut clients, "You donkey").await;
    play(&mut clients, "show", Vec::new()).await;
    let mut dora = server.client().await;
    dora.watch(&code, "Dora").await.unwrap();
    let (ann, ben) = (clients[0].id(), clients[1].id());
    clients[0].act(Action::PassLead { player_id: ben }).await.unwrap();
    clients[0].act(Action::Away { away: true }).await.unwrap();
    clients[1].act(Action::HandSeat { player_id: ann, to: dora.id() }).await.unwrap();
    clients[1].until("Dora has the seat", |c| c.table().players.iter().any(|player| player.name == "Dora")).await;
    let shown = about_words(&clients[1], "You donkey");
    clients[1].act(shown).await.unwrap();
    let reports = reports(&server).await;
    assert_eq!((&reports[0]["name"], &reports[0]["about"]), (&"".into(), &Value::Null));
    assert_eq!(reports[0]["text"], "You donkey");
}
