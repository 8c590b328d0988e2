//! Runs the commands of “Backup and restore” in `docs/operating.md` on a server on which people play.

use crate::player::{Ledger, LoadPlayer, LoadRun, PLAYERS, check_chat, check_games, games, sees_what_a_newcomer_sees};
use crate::process::{Process, root};
use baize_store::{PostgresConfig, PostgresStore, SqliteStore, Store};
use baize_test_servers::Postgres;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;
use tokio::task::block_in_place;

/// Paths and addresses of the page, and what replaces them in the test.
struct Places(Vec<(&'static str, String)>);

impl Places {
    /// Replaces the folders of the page by folders of the test.
    fn in_folder(dir: &Path) -> Self {
        let folder = |name: &str| dir.join(name).to_str().unwrap().to_owned();
        Places(vec![("/var/lib/baize", folder("data")), ("/var/backups/baize", folder("backups"))])
    }

    /// Runs a block of commands in a shell that stops at the first failure. Returns whether all succeeded, and the output.
    fn run(&self, block: &str, more_programs: &Path) -> (bool, String) {
        let mut script = block.to_owned();
        for (documented, here) in &self.0 {
            script = script.replace(documented, here);
        }
        assert!(!script.contains("/var/") && !script.contains("@db"), "not on this machine: {script}");
        let baize = Path::new(env!("CARGO_BIN_EXE_baize")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [baize.to_owned(), more_programs.to_owned()].into_iter().chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.args(["-euc", &script]).env("PATH", std::env::join_paths(folders).unwrap());
        shell.env_remove("BAIZE_DATABASE").env_remove("BAIZE_DATA");
        let Output { status, stdout, stderr } = block_in_place(|| shell.output()).unwrap();
        (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    fn must_run(&self, block: &str, more_programs: &Path) -> String {
        let (ok, printed) = self.run(block, more_programs);
        assert!(ok, "{block}{printed}");
        printed
    }
}

/// The code blocks under a heading of the page.
fn documented<const N: usize>(heading: &str) -> [String; N] {
    let page = std::fs::read_to_string(root().join("docs/operating.md")).unwrap();
    let section = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}")).1;
    let section = section.split("\n#").next().unwrap();
    let blocks: Vec<String> =
        section.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    blocks
        .try_into()
        .unwrap_or_else(|found: Vec<_>| panic!("{heading}: {N} blocks are tested, the page has {found:#?}"))
}

/// What a test remembers of a machine that is lost.
struct LostMachine {
    /// Everything that the server acknowledged before the backup began.
    before: Ledger,
    /// The players, with what they saw last.
    people: Vec<LoadPlayer>,
}

/// Lets people play, makes a backup, lets them play on, and kills the machine.
async fn played_and_lost(process: &mut Process, codes: &[String], back_up: impl FnOnce()) -> LostMachine {
    let world = LoadRun::new(vec![process.address], codes.len());
    let players = world.people(codes, 1);
    world.all_go_on().await;
    world.all_go_on().await;
    let before = world.ledger();
    back_up();
    world.all_go_on().await;
    process.kill();
    world.addresses.send_replace(Vec::new());
    let people = world.stop(players).await;
    assert!(world.ledger().moves.len() > before.moves.len(), "nobody played on");
    LostMachine { before, people }
}

/// Checks that a restored server has everything in the ledger, that every table goes on, and that every replay is valid.
async fn goes_on(mut process: Process, games: &[String], codes: &[String], lost: &LostMachine, store: StoreOf<'_>) {
    let LostMachine { before, people } = lost;
    assert_eq!(tables(&process, games).await, codes, "making a table twice makes it once");
    // Some players saw moves that were made after the backup and are lost.
    for player in people {
        sees_what_a_newcomer_sees(player, process.address, process.address).await;
    }
    let world = LoadRun::new(vec![process.address], codes.len());
    let players = world.people(codes, 2);
    world.all_go_on().await;
    let ledgers = world.stop(players).await;
    let made: BTreeSet<_> = check_games(&[&process], games, codes, &ledgers).await;
    for acknowledged in &before.moves {
        assert!(made.contains(acknowledged), "{acknowledged:?} was acknowledged before the backup, and is lost");
    }
    block_in_place(|| process.terminate());
    let store = store.open().await;
    check_chat(&*store, codes, &ledgers).await;
    for (table, text) in &before.lines {
        let id = store.open(&codes[*table]).await.unwrap().opened_here().unwrap().id;
        let lines = store.chat(id, 0, u32::MAX).await.unwrap();
        let line = |body: &[u8]| serde_json::from_slice::<serde_json::Value>(body).unwrap()["line"]["text"].clone();
        assert_eq!(lines.iter().filter(|row| line(&row.body) == text.as_str()).count(), 1, "{text}");
    }
    store.close().await.unwrap();
    eprintln!("{} moves and {} lines were acknowledged before the backup", before.moves.len(), before.lines.len());
}

/// The store that a test reads after the server has ended.
enum StoreOf<'a> {
    Folder(&'a Path),
    Database(&'a str),
}

impl StoreOf<'_> {
    async fn open(self) -> Box<dyn Store> {
        match self {
            StoreOf::Folder(folder) => Box::new(SqliteStore::open(folder).unwrap()),
            StoreOf::Database(url) => {
                let lease = Duration::from_secs(60);
                let config = PostgresConfig { url: url.into(), node: "auditor".into(), lease };
                Box::new(PostgresStore::connect(config).await.unwrap().0)
            }
        }
    }
}

async fn tables(process: &Process, games: &[String]) -> Vec<String> {
    let mut codes = Vec::new();
    for game in games {
        codes.push(process.table(game, PLAYERS[0]).await);
    }
    codes
}

/// Changes a byte in the middle of a file.
fn damage(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x20;
    std::fs::write(file, bytes).unwrap();
}

/// The newest file with this ending in a folder.
fn backup_in(dir: &Path, ending: &str) -> std::path::PathBuf {
    let files = std::fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|found| found == ending)).max().unwrap()
}

/// DUR-5: a backup of SQLite restores every acknowledged move.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_backup_made_under_play_restores_every_acknowledged_move() {
    let [back_up, check, make_way, restore] = documented("### SQLite");
    let nowhere = Path::new("/nonexistent");
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let data = old.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let games = games();
    let mut process = Process::start(&data);
    let codes = tables(&process, &games).await;
    let there = Places::in_folder(old.path());
    let lost = played_and_lost(&mut process, &codes, || {
        let printed = there.must_run(&back_up, nowhere);
        assert!(printed.contains(&format!("{} tables", games.len())), "{printed}");
        let printed = there.must_run(&check, nowhere);
        assert!(printed.contains("OK") && printed.contains("is whole"), "{printed}");
    })
    .await;

    // A new machine that has only the backups.
    Command::new("cp").arg("-r").arg(old.path().join("backups")).arg(new.path()).status().unwrap();
    let here = Places::in_folder(new.path());
    here.must_run(&restore, nowhere);
    let restored = new.path().join("data");
    goes_on(Process::start(&restored), &games, &codes, &lost, StoreOf::Folder(&restored)).await;

    // On the old machine, `restore` refuses to overwrite the database or to mix it with the backup.
    let (ok, printed) = there.run(&restore, nowhere);
    assert!(!ok && printed.contains("baize.db exists, and nothing is overwritten: move it away"), "{printed}");
    there.must_run(&make_way, nowhere);
    there.must_run(&restore, nowhere);
    let mut process = Process::start(&data);
    assert_eq!(tables(&process, &games).await, codes);
    process.terminate();

    // Both commands refuse a damaged backup.
    damage(&backup_in(&old.path().join("backups"), "db"));
    let (ok, printed) = there.run(&check, nowhere);
    assert!(!ok && printed.contains("FAILED"), "{printed}");
    let fresh = tempfile::tempdir().unwrap();
    Command::new("cp").arg("-r").arg(old.path().join("backups")).arg(fresh.path()).status().unwrap();
    let (ok, printed) = Places::in_folder(fresh.path()).run(&restore, nowhere);
    assert!(
        !ok && printed.contains("is damaged (its checksum is") && printed.contains("use another backup"),
        "{printed}"
    );
    assert!(!fresh.path().join("data/baize.db").exists());
}

/// DUR-5: a backup of Postgres restores every acknowledged move.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_backup_made_under_play_restores_every_acknowledged_move() {
    let [back_up, restore] = documented("### Postgres");
    let postgres = Postgres::start().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut places = Places::in_folder(dir.path());
    places.0.push(("postgres://baize@db/", postgres.server_url()));
    let data = dir.path().join("node");
    std::fs::create_dir(&data).unwrap();
    let games = games();
    let mut process = Process::only_node(&data, &postgres.url(), "one");
    let codes = tables(&process, &games).await;
    let lost = played_and_lost(&mut process, &codes, || {
        places.must_run(&back_up, postgres.programs());
    })
    .await;

    let dump = backup_in(&dir.path().join("backups"), "dump");
    let undamaged = std::fs::read(&dump).unwrap();
    damage(&dump);
    let (ok, printed) = places.run(&restore, postgres.programs());
    assert!(!ok && printed.contains("FAILED"), "{printed}");
    std::fs::write(&dump, undamaged).unwrap();
    // The refused restore left nothing behind that blocks the next one.
    places.must_run(&restore, postgres.programs());
    let url = format!("{}restored", postgres.server_url());
    goes_on(Process::only_node(&data, &url, "two"), &games, &codes, &lost, StoreOf::Database(&url)).await;
}
