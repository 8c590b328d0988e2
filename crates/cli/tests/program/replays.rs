//! Tests `baize verify` and `baize replay` with a game that was played over the wire.

use crate::client::Client;
use crate::process::Process;
use baize_protocol::http::Replay;
use baize_protocol::{Action, BotLevel, TableStatus};
use baize_room::random_answer::random_answer;
use std::path::Path;
use std::process::{Command, Output};

fn baize(args: &[&str], file: &Path) -> (bool, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_baize")).args(args).arg(file).output().unwrap();
    (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

async fn played(process: &Process, game: &str) -> Replay {
    let code = process.table(game, "Ann").await;
    let mut ann = Client::connect(process.address).await;
    ann.join(&code, "Ann").await.unwrap();
    ann.act(Action::Nonce { nonce: "mine".into() }).await.unwrap();
    ann.act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    ann.act(Action::StartGame).await.unwrap();
    ann.until("it has begun", |c| c.view.is_some()).await;
    for n in 0.. {
        ann.until("Ann's turn", |c| c.view().decision.is_some() || c.view().outcome.is_some()).await;
        if ann.view().outcome.is_some() {
            break;
        }
        let answer = random_answer(ann.view(), n).unwrap();
        ann.play(answer).await.unwrap();
    }
    ann.until("it is over", |c| c.table().status == TableStatus::Ended).await;
    let path = format!("/api/replays/{}", ann.table().game);
    serde_json::from_str(&process.http("GET", &path, "Ann", "").await).unwrap()
}

/// FAIR-3: `verify` accepts a valid replay and refuses a manipulated one; `replay` prints both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_checks_replays_and_replay_prints_them() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    for game in ["pig", "donkey"] {
        let replay = played(&process, game).await;
        let file = data.path().join(format!("{game}.json"));
        let write = |replay: &Replay| std::fs::write(&file, serde_json::to_string(replay).unwrap()).unwrap();
        write(&replay);
        let (ok, printed) = baize(&["verify"], &file);
        assert!(ok && printed.contains("It holds") && printed.contains(&replay.commitment), "{printed}");
        let (ok, printed) = baize(&["verify", "--commitment", &replay.commitment], &file);
        assert!(ok, "{printed}");
        let (ok, printed) = baize(&["verify", "--commitment", "00ff"], &file);
        assert!(!ok && printed.contains("another commitment"), "{printed}");

        let (ok, printed) = baize(&["replay"], &file);
        assert!(ok && printed.contains("The game begins") && printed.contains("Ann"), "{printed}");
        assert!(printed.lines().filter(|line| line.contains("  ")).count() >= replay.steps.len(), "{printed}");
        let (ok, printed) = baize(&["replay", "--step", "5"], &file);
        assert!(ok && printed.contains("Ann"), "{printed}");
        let (ok, printed) = baize(&["replay", "--step", "100000"], &file);
        assert!(!ok && printed.contains("steps"), "{printed}");

        let mut tampered = replay.clone();
        tampered.seed = "11".repeat(32);
        write(&tampered);
        let (ok, printed) = baize(&["verify"], &file);
        assert!(!ok && printed.contains("not the one committed to"), "{printed}");
        let mut tampered = replay.clone();
        let step = tampered.batches.len() / 2;
        tampered.batches[step].events.clear();
        write(&tampered);
        let (ok, printed) = baize(&["verify"], &file);
        assert!(!ok && printed.contains(&format!("step {} should have had another result", step + 1)), "{printed}");
        let mut other = replay.clone();
        other.semantics = 999;
        write(&other);
        let (ok, printed) = baize(&["verify"], &file);
        assert!(!ok && printed.contains("semantics 999"), "{printed}");
        std::fs::write(&file, "{").unwrap();
        for command in ["verify", "replay"] {
            let (ok, printed) = baize(&[command], &file);
            assert!(!ok && printed.contains("this is no replay"), "{printed}");
        }
    }
}
