//! A server process as an operator starts it.

use crate::client::{request, secret};
use baize_protocol::http::{CreateTable, CreatedTable};
use baize_protocol::table::TableSettings;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub struct Process {
    child: Child,
    pub address: SocketAddr,
}

impl Process {
    pub fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    /// One of several nodes.
    pub fn node(data: &Path, database: &str, redis: &str, name: &str) -> Self {
        Self::start_with(data, &["--database", database, "--redis", redis, "--node", name])
    }

    /// The only node of a database.
    pub fn only_node(data: &Path, database: &str, name: &str) -> Self {
        Self::start_with(data, &["--database", database, "--node", name])
    }

    fn start_with(data: &Path, more: &[&str]) -> Self {
        Self::with_games(data, &root().join("games"), more)
    }

    pub fn with_games(data: &Path, games: &Path, more: &[&str]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_baize")), data, games, more)
    }

    /// Starts a server with a limit on open files.
    pub fn with_files(data: &Path, files: u32) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n \"$0\" && exec \"$@\"", &files.to_string(), env!("CARGO_BIN_EXE_baize")]);
        Self::run(command, data, &root().join("games"), &[])
    }

    /// Starts a server through another program, such as `prlimit`, which then becomes the server.
    pub fn under(data: &Path, starter: &[&str]) -> Self {
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(env!("CARGO_BIN_EXE_baize"));
        Self::run(command, data, &root().join("games"), &[])
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn run(mut command: Command, data: &Path, games: &Path, more: &[&str]) -> Self {
        let log = std::fs::File::options().create(true).append(true).open(data.join("log")).unwrap();
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--bot-delay", "0"])
            .args(["--actions-per-second", "100000", "--makes-per-minute", "100000", "--looks-per-minute", "100000"])
            .arg("--data")
            .arg(data)
            .arg("--games")
            .arg(games)
            .arg("--packs")
            .arg(root().join("packs"))
            .args(more)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let link = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let address = link.unwrap_or_else(|| panic!("no link in {line:?}")).parse().unwrap();
        Process { child, address }
    }

    /// Kills the process with SIGKILL, so that it can't clean up.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A metric of its memory in bytes: `VmRSS` (now) or `VmHWM` (the peak).
    pub fn memory(&self, metric: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(metric)?.strip_prefix(':')).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Stops the process as a service manager does, and waits for its end.
    pub fn terminate(&mut self) {
        self.signal(Signal::TERM);
        assert!(self.child.wait().unwrap().success(), "an orderly end");
    }

    pub async fn http(&self, method: &str, path: &str, who: &str, body: &str) -> String {
        let headers = format!(
            "Host: {}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n",
            self.address,
            secret(who)
        );
        let (status, _, text) = request(self.address, method, path, &headers, body.as_bytes()).await.unwrap();
        assert_eq!(status, 200, "{method} {path}: {text}");
        text
    }

    /// Makes a table. A repeated call gets the same table, also after a crash.
    pub async fn table(&self, game: &str, host: &str) -> String {
        let settings = TableSettings { preset: Some("quick".into()), ..TableSettings::default() };
        let body =
            CreateTable { id: format!("a-test-table-of-{game}"), game: game.into(), name: host.into(), settings };
        let text = self.http("POST", "/api/tables", host, &serde_json::to_string(&body).unwrap()).await;
        serde_json::from_str::<CreatedTable>(&text).unwrap().code
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
