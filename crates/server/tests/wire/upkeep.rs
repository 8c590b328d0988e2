//! What an operator relies on: files are read again, old tables deleted, rules pinned, and the server stops in an
//! orderly way.

use crate::client::Client;
use crate::data::TestData;
use crate::server::{TestServer, quick, root, secret};
use baize_protocol::http::{HttpRefused, MemberTables, Workshop};
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_protocol::{Action, ErrorCode, TableStatus};
use baize_server::OnGameFile;
use baize_store::{Commit, Write};
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const GAME: &str = r#"game "Coin"
players 2..4
state
  score[player]: 0..3 = 0
repeat 3 times
  circle p from first player
    ask p "Go on"
      go "Go"
        score[p] += 1
end ranking by score highest first
"#;

async fn with_games(folder: &Path) -> TestServer {
    std::fs::write(folder.join("coin.baize"), GAME).unwrap();
    let games = folder.to_owned();
    TestServer::start_with(move |config| config.games = games).await
}

/// Advances time until the server has read its files again.
async fn read_again(server: &TestServer, holds: impl Fn(u16, &str) -> bool) {
    let read = async {
        loop {
            let (status, text) = server.http("GET", "/api/games/coin", None, "").await;
            if holds(status, &text) {
                return;
            }
            server.clock.advance(2_000);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), read).await.expect("the files are read again");
}

/// RELOAD-1, HTTP-1: a changed file is read again, a broken one is listed with its diagnostics, and tables keep the
/// rules they have.
#[tokio::test]
async fn changed_files_are_read_again_and_tables_keep_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let (code, mut clients) = server.seated("coin", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    std::fs::write(folder.path().join("coin.baize"), "game \"Coin\"\nplayers 2..4\nnonsense\n").unwrap();
    read_again(&server, |status, _| status == 422).await;
    let (_, text) = server.http("GET", "/api/games/coin", None, "").await;
    let refused: HttpRefused = serde_json::from_str(&text).unwrap();
    assert_eq!(refused.error, ErrorCode::GameBroken);
    assert!(refused.problems[0].at.starts_with("line 3"), "{:?}", refused.problems);
    // Nobody can start a table with it, but running tables go on, also on a server that never read the old file.
    let body = r#"{"id":"0123456789abcdef","game":"coin","name":"Ann"}"#;
    assert_eq!(server.http("POST", "/api/tables", Some(&secret("Ann")), body).await.0, 422);
    drop(clients);
    let server = server.crash().await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    crate::games::play_out(&mut [ann, ben], 1).await;
}

/// RESTART-1: the lead restarts a table on the new version of its rules; the same people have the same seats.
#[tokio::test]
async fn the_lead_restarts_on_new_rules() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let (_, mut clients) = server.seated("coin", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    assert_eq!(clients[0].expect_refusal(Action::RestartGame).await, ErrorCode::NoNewRules);
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let before = clients[0].table().definitions.game.clone();
    std::fs::write(folder.path().join("coin.baize"), GAME.replace("Coin", "Coin II").replace("3 times", "2 times"))
        .unwrap();
    read_again(&server, |_, text| text.contains("Coin II")).await;
    clients[1].until("told of it", |c| c.table().new_rules).await;
    assert_eq!(clients[1].expect_refusal(Action::RestartGame).await, ErrorCode::NotLead);
    let old = clients[0].table().game.clone();
    clients[0].act(Action::RestartGame).await.unwrap();
    // The restart makes another seed with another commitment, and waits a second for new nonces.
    clients[0].until("it waits for nonces", |c| c.table().starting).await;
    for client in &mut clients {
        client.act(Action::Nonce { nonce: "again".into() }).await.unwrap();
    }
    for (seat, client) in clients.iter_mut().enumerate() {
        let playing =
            |c: &Client| c.table().status == TableStatus::Playing && c.table().game != old && c.view.is_some();
        client.until("it begins again", playing).await;
        assert_eq!(client.view().seat, Some(seat as u8));
        assert_eq!(client.table().title, "Coin II");
        assert!(!client.table().new_rules);
    }
    assert_ne!(clients[0].table().definitions.game, before);
    assert!(clients[0].has_chat_line("The lead restarts with the new version of the rules"));
    // The game under the old rules verifies with the old rules.
    let (status, text) = server.http("GET", &format!("/api/replays/{old}"), None, "").await;
    assert_eq!(status, 200);
    baize_server::verify(&serde_json::from_str(&text).unwrap()).unwrap();
    // The new rules are stored like the old ones.
    let code = clients[0].table().code.clone();
    drop(clients);
    let server = server.crash().await;
    let mut people = Vec::new();
    for name in ["Ann", "Ben", "Cleo"] {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        people.push(client);
    }
    crate::games::play_out(&mut people, 1).await;
}

/// RESTART-1: settings that the new rules do not have are dropped, and the players hear of it.
#[tokio::test]
async fn a_restart_keeps_the_settings_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let with_options = GAME.replace("state\n", "option rounds: 1..9 = 3\noption word: text 1..12 = \"COIN\"\nstate\n");
    let with_options = with_options.replace("3 times", "rounds times").replace("0..3", "0..9");
    let with_options = with_options.replace("\"Go on\"", "\"Go on, {word}\"");
    std::fs::write(folder.path().join("coin.baize"), &with_options).unwrap();
    read_again(&server, |_, text| text.contains("\"rounds\"")).await;
    let mut settings = TableSettings::default();
    settings.options.insert("rounds".into(), OptionSetting::Number(2));
    settings.options.insert("word".into(), OptionSetting::Text("DUCK".into()));
    let (_, mut clients) = server.seated("coin", settings, &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let old = clients[0].table().game.clone();
    let without = with_options.replace("option rounds: 1..9 = 3\n", "").replace("rounds times", "4 times");
    std::fs::write(folder.path().join("coin.baize"), without).unwrap();
    clients[0].advance_until(&server.clock, "told of it", |c| c.table().new_rules).await;
    clients[0].act(Action::RestartGame).await.unwrap();
    let begun = |c: &Client| c.table().status == TableStatus::Playing && c.table().game != old;
    clients[0].advance_until(&server.clock, "it begins again", begun).await;
    let kept = &clients[0].table().settings.options;
    assert_eq!(kept.iter().collect::<Vec<_>>(), [(&"word".to_string(), &OptionSetting::Text("DUCK".into()))]);
    assert!(clients[0].has_chat_line("The new rules don't have these settings any more: rounds"));
}

/// RESTART-1, LIMIT-3: if the new rules take no packs, the chosen packs are dropped.
#[tokio::test]
async fn a_restart_drops_packs_that_the_new_rules_do_not_use() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let file = folder.path().join("coin.baize");
    std::fs::copy(root().join("games/cards-against-humanity.baize"), &file).unwrap();
    read_again(&server, |_, text| text.contains("\"prompts\"")).await;
    let settings = TableSettings { pack_ids: vec!["house".into()], ..TableSettings::default() };
    let (_, mut clients) = server.seated("coin", settings, &["Ann", "Ben"]).await;
    std::fs::write(&file, GAME).unwrap();
    clients[0].advance_until(&server.clock, "told of it", |c| c.table().new_rules).await;
    clients[0].act(Action::RestartGame).await.unwrap();
    clients[0].until("the rules are new", |c| !c.table().new_rules).await;
    assert!(clients[0].table().settings.pack_ids.is_empty());
    assert!(clients[0].has_chat_line("The new rules don't have these settings any more: packs"));
}

/// RESTART-1: an impossible restart is refused and changes nothing. In the lobby only the rules change.
#[tokio::test]
async fn an_impossible_restart_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let (_, mut clients) = server.seated("coin", TableSettings::default(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    std::fs::write(folder.path().join("coin.baize"), GAME.replace("2..4", "2..2")).unwrap();
    clients[0].advance_until(&server.clock, "told of it", |c| c.table().new_rules).await;
    assert_eq!(clients[0].expect_refusal(Action::RestartGame).await, ErrorCode::TableFull);
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert_eq!(clients[0].table().status, TableStatus::Playing);
    clients[2].act(Action::Leave).await.unwrap();
    clients[0].act(Action::EndGame).await.unwrap();
    clients[0].act(Action::Rematch).await.unwrap();
    clients[0].act(Action::RestartGame).await.unwrap();
    clients[0].until("the rules are new", |c| !c.table().new_rules && c.table().status == TableStatus::Lobby).await;
}

/// WORKSHOP-1, WORKSHOP-2: one file is served; its problems are shown at the table, with the line, and to whoever
/// started the server.
#[tokio::test]
async fn a_workshop_shows_the_problems_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("coin.rules");
    // Saves all at once. `fs::write` empties the file first, and the server, which looks at it in a thread of its own, could
    // read it empty.
    let saved = folder.path().join("saved");
    let save = |text: &str| {
        std::fs::write(&saved, text).unwrap();
        std::fs::rename(&saved, &file).unwrap();
    };
    save(GAME);
    std::fs::write(folder.path().join("other.baize"), GAME).unwrap();
    let reads = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let (heard, games) = (reads.clone(), file.clone());
    let server = TestServer::alone(move |config| {
        config.games = games;
        config.workshop = Some(OnGameFile(std::sync::Arc::new(move |read| {
            heard.lock().unwrap().push((read.source.clone(), read.diagnostics.len()));
        })));
    })
    .await;
    let workshop = async || {
        let (status, text) = server.http("GET", "/api/workshop", None, "").await;
        assert_eq!(status, 200);
        serde_json::from_str::<Workshop>(&text).unwrap()
    };
    let whole = workshop().await;
    assert_eq!((whole.file.as_str(), whole.game.map(|game| game.id)), ("coin.rules", Some("coin".into())));
    let (_, mut clients) = server.seated("coin", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    save(&GAME.replace("score[p] += 1", "skore[p] += 1"));
    clients[1].advance_until(&server.clock, "told of the mistake", |c| !c.table().problems.is_empty()).await;
    let problem = clients[1].table().problems[0].clone();
    let excerpt = problem.excerpt.clone().unwrap();
    assert_eq!(&excerpt.line[excerpt.from as usize..excerpt.to as usize], "skore", "{problem:?}");
    assert!(problem.at.starts_with("line 9") && problem.hint.contains("score") && !problem.warning, "{problem:?}");
    assert!(!clients[1].table().new_rules);
    assert_eq!(workshop().await.problems, clients[1].table().problems);
    assert_eq!(workshop().await.game, None);
    // A file that is missing for a moment, as some editors save, is no change.
    std::fs::remove_file(&file).unwrap();
    server.clock.advance(10_000);
    assert_eq!(workshop().await.problems, [problem]);
    save(&GAME.replace("3 times", "2 times"));
    clients[1].advance_until(&server.clock, "it is mended", |c| c.table().new_rules).await;
    assert!(clients[1].table().problems.is_empty());
    let counts: Vec<usize> = reads.lock().unwrap().iter().map(|(_, mistakes)| *mistakes).collect();
    assert_eq!(counts, [0, 1, 0]);
}

/// WORKSHOP-1: a server of many games tells players nothing about files.
#[tokio::test]
async fn only_a_workshop_tells_players_about_files() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_games(folder.path()).await;
    let (_, mut clients) = server.seated("coin", TableSettings::default(), &["Ann", "Ben"]).await;
    std::fs::write(folder.path().join("coin.baize"), [0xff, 0xfe, 0x00]).unwrap();
    read_again(&server, |status, _| status == 422).await;
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert!(clients[0].table().problems.is_empty());
    assert_eq!(server.http("GET", "/api/workshop", None, "").await.0, 404);
}

/// PURGE-1: a table that has not changed for a long time is deleted with everything in it, and with the blobs that only
/// it used.
#[tokio::test]
async fn old_tables_are_deleted() {
    let server = TestServer::start_with(|config| config.purge_after = 10 * 24 * 3_600_000).await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    // The store tells a table that somebody uses by a change that is later than the table.
    server.clock.advance(1_000);
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let definition = clients[0].table().definitions.table.clone().unwrap();
    clients[0].act(Action::EndGame).await.unwrap();
    drop(clients);
    let fetch = async || server.http("GET", &definition, None, "").await.0;
    assert_eq!(fetch().await, 200);
    let look = async || server.http("GET", &format!("/api/tables/{code}"), None, "").await.0;
    server.clock.advance(9 * 24 * 3_600_000);
    assert_eq!(look().await, 200);
    let gone = async {
        while look().await != 404 || fetch().await != 404 {
            server.clock.advance(3_600_000);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), gone).await.expect("deleted");
    let (_, text) = server.http("GET", "/api/me/tables", Some(&secret("Ann")), "").await;
    assert!(serde_json::from_str::<MemberTables>(&text).unwrap().tables.is_empty());
    // The next table of the game stores all of it again.
    let (_, mut clients) = server.seated("pig", quick(), &["Cid", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    assert_eq!(clients[0].table().definitions.table.as_ref(), Some(&definition));
    assert_eq!(fetch().await, 200);
}

/// Changes the record of a table, as an older or newer program might have written it.
pub async fn rewrite_record(data: &TestData, code: &str, change: impl Fn(&mut serde_json::Value)) {
    let store = data.store().await;
    let open = store.open(code).await.unwrap().opened_here().unwrap();
    let mut record: serde_json::Value = serde_json::from_slice(&open.row.record).unwrap();
    change(&mut record);
    let running = record["status"] == "playing";
    let running = running.then(|| format!("{code}-{}", record["number"]));
    let write =
        Write::Table { record: serde_json::to_vec(&record).unwrap(), at: open.row.updated_at, listed: true, running };
    store.commit(Commit { table: open.id, epoch: open.epoch, writes: vec![write] }).await.unwrap();
    store.close().await.unwrap();
}

/// PIN-1: a log is never replayed under other semantics than its own; the rules of a table without a log are compiled
/// again.
#[tokio::test]
async fn a_log_of_other_semantics_is_not_replayed() {
    let server = TestServer::start().await;
    let clock = server.clock.clone();
    let (running, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let lobby = server.table("donkey", "Cleo", quick()).await;
    drop(clients);
    let data = server.stop().await;
    for code in [&running, &lobby] {
        rewrite_record(&data, code, |record| record["pin"]["semantics"] = 999.into()).await;
    }
    let server = TestServer::on(data, clock, |_| {}).await;
    let mut ann = server.client().await;
    assert_eq!(ann.join(&running, "Ann").await.unwrap_err().error, ErrorCode::OtherVersion);
    let (status, text) = server.http("GET", &format!("/api/tables/{running}"), None, "").await;
    assert_eq!((status, serde_json::from_str::<HttpRefused>(&text).unwrap().error), (410, ErrorCode::OtherVersion));
    let mut cleo = server.client().await;
    cleo.join(&lobby, "Cleo").await.unwrap();
    cleo.act(Action::AddBot { level: baize_protocol::BotLevel::Easy }).await.unwrap();
    cleo.act(Action::Nonce { nonce: "x".into() }).await.unwrap();
    cleo.act(Action::StartGame).await.unwrap();
    cleo.until("it has begun", |c| c.view.is_some()).await;
}

/// STOP-1: a stopping server tells everyone to reconnect, and nothing is lost.
#[tokio::test]
async fn an_orderly_stop_tells_everyone() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::Chat { text: "see you".into() }).await.unwrap();
    let clock = server.clock.clone();
    let stopping = tokio::spawn(server.stop());
    assert_eq!(clients[0].read_until_closed().await, "server/closing");
    assert_eq!(clients[1].read_until_closed().await, "server/closing");
    let server = TestServer::on(stopping.await.unwrap(), clock, |_| {}).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert!(ann.has_chat_line("see you"));
}

/// OPS-1: metrics for Prometheus, and health.
#[tokio::test]
async fn metrics_and_health_are_served() {
    let server = TestServer::alone(|_| {}).await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let (_, text) = server.http("GET", "/metrics", None, "").await;
    let value = |name: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(&format!("baize_{name} ")));
        line.unwrap_or_else(|| panic!("no {name}")).rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!((value("tables"), value("sockets")), (1.0, 2.0));
    for counted in [
        "messages_total",
        "sent_bytes_total",
        "commits_total",
        "commit_jobs_total",
        "commit_seconds_total",
        "action_seconds_count",
    ] {
        assert!(value(counted) > 0.0, "{counted}");
    }
    for there in ["moves_total", "refused_total", "cut_total", "bot_moves_total", "bot_seconds_total"] {
        assert!(value(there) >= 0.0);
    }
    assert!(text.contains("baize_action_seconds_bucket{le=\"+Inf\"}"));
    assert_eq!(server.http("GET", "/healthz", None, "").await.0, 200);
    let docs = std::fs::read_to_string(root().join("docs/operating.md")).unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = line.split(' ').next().unwrap();
        assert!(docs.contains(name), "{name} is not in docs/operating.md");
    }
}

/// STOP-1: a request that never ends, and one whose answer nobody reads, do not keep a server from stopping.
#[tokio::test]
async fn unfinished_requests_do_not_delay_the_stop() {
    let server = TestServer::alone(|_| {}).await;
    // The server announces that it waits for the body.
    let mut body = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /api/packs HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
        server.address
    );
    body.write_all(head.as_bytes()).await.unwrap();
    let mut line = [0; 12];
    body.read_exact(&mut line).await.unwrap();
    assert_eq!(&line, b"HTTP/1.1 100");
    let mut header = TcpStream::connect(server.address).await.unwrap();
    header.write_all(b"GET /api/games HTTP/1.1\r\nHo").await.unwrap();
    // The client asks for more answers than fit into all buffers. When the first has begun, the others wait behind it.
    let mut unread = TcpStream::connect(server.address).await.unwrap();
    let asked = format!("GET /api/games HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).repeat(200);
    unread.write_all(asked.as_bytes()).await.unwrap();
    unread.read_exact(&mut line).await.unwrap();
    let ended = tokio::time::timeout(std::time::Duration::from_secs(8), server.stop()).await;
    assert!(ended.is_ok(), "it still waits");
    drop((body, header, unread));
}

/// RELOAD-1: entries of the folder that can't be read as files are skipped, and all others are read, at the start and
/// later.
#[cfg(unix)]
#[tokio::test]
async fn an_unreadable_entry_does_not_stop_other_files() {
    let folder = tempfile::tempdir().unwrap();
    // An editor makes a lock link like this one for a file that it has open.
    std::os::unix::fs::symlink("somebody@somewhere.1234", folder.path().join(".#coin.baize")).unwrap();
    std::fs::create_dir(folder.path().join("a-folder.baize")).unwrap();
    let server = with_games(folder.path()).await;
    std::fs::write(folder.path().join("coin.baize"), GAME.replace("Coin", "Coin II")).unwrap();
    read_again(&server, |_, text| text.contains("Coin II")).await;
    let (_, text) = server.http("GET", "/api/games", None, "").await;
    let games: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
}
