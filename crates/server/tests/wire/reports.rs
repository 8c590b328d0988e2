//! Reports of words on cards: those that players write, and those of uploaded packs.

use crate::client::Client;
use crate::server::{TestServer, quick, secret};
use baize_engine::view::{Answer, CardView, Chosen, Content};
use baize_protocol::http::{PackPage, PacksImported};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, ErrorCode, ReportTarget};
use baize_room::identity;
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

/// Upper bound on handles: no viewer of these games gets as many.
const HANDLES: u32 = 100;

/// Starts a game of Ann and Ben, in which Ann writes.
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
    let summary =
        |report: &Value| ["kind", "name", "text"].map(|key| report[key].as_str().unwrap_or_default().to_owned());
    let expected =
        [["card", "Ann", "You <b>donkey</b>"], ["card", "", "You mule"], ["card", "", "You mule"], ["name", "Ann", ""]];
    assert_eq!(reports.iter().map(summary).collect::<Vec<_>>(), expected);
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

/// Uploads a pack for Ann with enough cards for a small game, and returns its id.
async fn rude_pack(server: &TestServer) -> String {
    let prompts = (0..40).map(|n| format!("prompt,Rude prompt {n} ___\n"));
    let rows: String = prompts.chain((0..100).map(|n| format!("answer,Rude answer {n}\n"))).collect();
    let path = "/api/packs?name=Rude";
    let (_, text) = server.http("POST", path, Some(&secret("Ann")), &format!("deck,text\n{rows}")).await;
    serde_json::from_str::<PacksImported>(&text).unwrap_or_else(|_| panic!("{text}")).packs[0].id.clone()
}

/// Begins a game of Ben, Cleo and Dan with these packs.
async fn judging(server: &TestServer, pack_ids: Vec<String>) -> Vec<Client> {
    let settings = TableSettings { pack_ids, ..quick() };
    let (_, mut clients) = server.seated("cards-against-humanity", settings, &["Ben", "Cleo", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    clients
}

/// Handles of the cards whose faces this client sees.
fn faces(client: &Client) -> Vec<u32> {
    cards(client).iter().filter(|card| card.face.is_some()).map(|card| card.handle).collect()
}

fn about_pack(id: &str) -> Action {
    Action::Report { about: ReportTarget::Pack { id: id.into() } }
}

/// REPORT-5: the name and the description of an uploaded pack are reported, in the lobby and in a game, as long as the pack exists.
/// The server's own packs, and those that the table has not chosen, can't be reported.
#[tokio::test]
async fn names_of_uploaded_packs_are_reported() {
    let server = TestServer::start().await;
    let [pack, other] = [rude_pack(&server).await, rude_pack(&server).await];
    let official = server.http("GET", "/api/packs", None, "").await.1;
    let official = serde_json::from_str::<PackPage>(&official).unwrap().packs[0].id.clone();
    let settings = TableSettings { pack_ids: vec![official.clone(), pack.clone()], ..quick() };
    let (_, mut clients) = server.seated("cards-against-humanity", settings, &["Ben", "Cleo", "Dan"]).await;
    for _ in 0..2 {
        clients[1].act(about_pack(&pack)).await.unwrap();
    }
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    clients[2].act(about_pack(&pack)).await.unwrap();
    for unknown in [&official, &other, &"nothing".to_owned()] {
        assert_eq!(clients[2].expect_refusal(about_pack(unknown)).await, ErrorCode::NothingToReport, "{unknown}");
    }
    let maker = identity::hex(&identity::member(&secret("Ann")).unwrap());
    let found = reports(&server).await;
    assert_eq!(found.len(), 2, "{found:?}");
    for report in &found {
        let told = ["kind", "about", "pack", "text", "name"].map(|key| report[key].as_str().unwrap());
        assert_eq!(told, ["pack", &maker, &pack, "Rude", ""]);
    }
    let path = format!("/api/packs/{pack}");
    assert_eq!(server.http("DELETE", &path, Some(&secret("Ann")), "").await.0, 200);
    assert_eq!(clients[0].expect_refusal(about_pack(&pack)).await, ErrorCode::NothingToReport);
}

/// REPORT-4: the words of an uploaded pack are reported as the reporter sees them, as those of whoever uploaded the pack. When
/// the pack is deleted, nobody knows who that was. What is on other cards and out of sight can't be reported.
#[tokio::test]
async fn texts_of_an_uploaded_pack_are_reported() {
    let server = TestServer::start().await;
    let pack = rude_pack(&server).await;
    let mut clients = judging(&server, vec![pack.clone()]).await;
    assert!(clients[0].table().uploaded_packs);
    let seen = faces(&clients[0]);
    assert!(seen.len() >= 3, "{seen:?}");
    for handle in (0..1_000).filter(|handle| !seen.contains(handle)) {
        assert_eq!(clients[0].expect_refusal(about(handle)).await, ErrorCode::NothingToReport);
    }
    assert!(reports(&server).await.is_empty());
    for handle in [seen[0], seen[0], seen[1]] {
        clients[0].act(about(handle)).await.unwrap();
    }
    let maker = identity::hex(&identity::member(&secret("Ann")).unwrap());
    let found = reports(&server).await;
    assert_eq!(found.len(), 2, "{found:?}");
    for report in &found {
        assert_eq!(
            [&report["kind"], &report["about"], &report["pack"]],
            ["pack", &maker, &pack].map(Value::from).each_ref()
        );
        assert!(report["text"].as_str().unwrap().starts_with("Rude ") && report["name"] == "", "{report}");
    }
    let path = format!("/api/packs/{pack}");
    assert_eq!(server.http("DELETE", &path, Some(&secret("Ann")), "").await.0, 200);
    clients[0].act(about(seen[2])).await.unwrap();
    let last = reports(&server).await.pop().unwrap();
    assert_eq!((&last["about"], &last["pack"]), (&Value::Null, &pack.into()));
    // The words on the cards of the server's own packs are the operator's, so nobody can report them. Time advances first,
    // because the test makes a table's id from the time.
    server.clock.advance(1_000);
    let mut clients = judging(&server, Vec::new()).await;
    assert!(!clients[0].table().uploaded_packs);
    for handle in faces(&clients[0]) {
        assert_eq!(clients[0].expect_refusal(about(handle)).await, ErrorCode::NothingToReport);
    }
}
