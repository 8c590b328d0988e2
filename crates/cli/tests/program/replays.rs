//! Tests `baize verify` and `baize replay` with a game that was played over the wire.

use crate::client::Client;
use crate::process::Process;
use baize_protocol::http::Replay;
use baize_protocol::{Action, BotLevel, TableStatus};
use baize_server::random_answer::random_answer;
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
async fn replays_are_checked_and_shown() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    for game in ["pig", "donkey"] {
        let replay = played(&process, game).await;
        let file = data.path().join(format!("{game}.json"));
        let write = |replay: &Replay| std::fs::write(&file, serde_json::to_string(replay).unwrap()).unwrap();
        write(&replay);
        let (good, said) = baize(&["verify"], &file);
        assert!(good && said.contains("It holds") && said.contains(&replay.commitment), "{said}");
        let (good, said) = baize(&["verify", "--commitment", &replay.commitment], &file);
        assert!(good, "{said}");
        let (good, said) = baize(&["verify", "--commitment", "00ff"], &file);
        assert!(!good && said.contains("another commitment"), "{said}");

        let (good, said) = baize(&["replay"], &file);
        assert!(good && said.contains("the game begins") && said.contains("Ann"), "{said}");
        assert!(said.lines().filter(|line| line.contains("  ")).count() >= replay.steps.len(), "{said}");
        let (good, said) = baize(&["replay", "--step", "5"], &file);
        assert!(good && said.contains("Ann"), "{said}");
        let (good, said) = baize(&["replay", "--step", "100000"], &file);
        assert!(!good && said.contains("steps"), "{said}");

        let mut tampered = replay.clone();
        tampered.seed = "11".repeat(32);
        write(&tampered);
        let (good, said) = baize(&["verify"], &file);
        assert!(!good && said.contains("not the one committed to"), "{said}");
        let mut tampered = replay.clone();
        let step = tampered.batches.len() / 2;
        tampered.batches[step].events.clear();
        write(&tampered);
        let (good, said) = baize(&["verify"], &file);
        assert!(!good && said.contains(&format!("step {} should have had another result", step + 1)), "{said}");
        let mut other = replay.clone();
        other.semantics = 999;
        write(&other);
        let (good, said) = baize(&["verify"], &file);
        assert!(!good && said.contains("semantics 999"), "{said}");
        std::fs::write(&file, "{").unwrap();
        for command in ["verify", "replay"] {
            let (good, said) = baize(&[command], &file);
            assert!(!good && said.contains("this is no replay"), "{said}");
        }
    }
}
