//! Recorded games that are kept for ever: they must still verify.
//!
//! To record a game that has no record under the present semantics: `cargo xtask regenerate replays`. A record is never
//! overwritten.

use crate::games::{all_games, play_out};
use crate::server::{TestServer, quick_if_any};
use baize_engine::table::SEMANTICS;
use baize_protocol::Action;
use baize_protocol::http::Replay;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replays"))
}

fn kept(game: &str) -> PathBuf {
    folder().join(format!("{game}-{SEMANTICS}.json.gz"))
}

/// FAIR-3: every recorded game verifies; every game has a record.
#[tokio::test]
async fn every_recorded_game_still_verifies() {
    if std::env::var_os("BAIZE_REGENERATE").is_some() {
        record().await;
    }
    for game in all_games() {
        assert!(kept(&game).exists(), "{game} has no record: run `cargo xtask regenerate replays`");
    }
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let file = std::fs::File::open(&path).unwrap();
        let replay: Replay =
            serde_json::from_reader(GzDecoder::new(file)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        baize_server::verify(&replay).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(path.ends_with(format!("{}-{}.json.gz", replay.definition_id, replay.semantics)), "{}", path.display());
        assert!(!replay.steps.is_empty(), "{}", path.display());
    }
}

async fn record() {
    std::fs::create_dir_all(folder()).unwrap();
    for game in all_games().into_iter().filter(|game| !kept(game).exists()) {
        let server = TestServer::start().await;
        let settings = quick_if_any(&server, &game).await;
        let (_, mut clients) = server.seated(&game, settings, &["Ann", "Ben", "Cleo"]).await;
        clients[0].act(Action::StartGame).await.unwrap();
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        play_out(&mut clients, 1).await;
        let path = format!("/api/replays/{}", clients[0].table().game);
        let (status, text) = server.http("GET", &path, None, "").await;
        assert_eq!(status, 200, "{game}: {text}");
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes()).unwrap();
        std::fs::write(kept(&game), packed.finish().unwrap()).unwrap();
    }
}
