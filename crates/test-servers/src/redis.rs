//! A Redis server that stores nothing on disk.

use crate::process::{self, ProcessOptions};
use rustix::process::Signal;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Child;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

pub struct RedisServer {
    dir: TempDir,
    program: PathBuf,
    port: u16,
    child: Mutex<Option<Child>>,
}

impl RedisServer {
    pub fn start() -> Result<Self, String> {
        let program = process::find("redis-server", &["/usr/sbin".into(), "/usr/local/bin".into()])
            .ok_or("Redis is not installed (on Debian: apt-get install redis-server)")?;
        let dir = tempfile::Builder::new().prefix("baize-redis-").tempdir().map_err(|e| e.to_string())?;
        let server = RedisServer { dir, program, port: process::free_port()?, child: Mutex::new(None) };
        server.start_again()?;
        Ok(server)
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Kills the server.
    pub fn stop(&self) -> Result<(), String> {
        match self.child().take() {
            Some(child) => process::end(child, Signal::KILL),
            None => Ok(()),
        }
    }

    /// Starts the server empty on the same port, unless it is running.
    pub fn start_again(&self) -> Result<(), String> {
        let mut running = self.child();
        if running.is_some() {
            return Ok(());
        }
        let mut redis = process::command(&self.program, &ProcessOptions { user: None, signal_at_our_end: "KILL" });
        redis.current_dir(self.dir.path());
        redis.args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--save", "", "--appendonly", "no"]);
        let log = self.dir.path().join("log");
        let mut child = process::spawn(redis, &log)?;
        let ready = process::await_ready(&mut child, &log, |_| self.ask("PING").is_ok_and(|said| said == "+PONG"));
        *running = Some(child);
        ready
    }

    /// Kills the server and starts it again.
    pub fn restart(&self) -> Result<(), String> {
        self.stop()?;
        self.start_again()
    }

    /// Deletes everything that the server has in memory.
    pub fn flush(&self) -> Result<(), String> {
        match self.ask("FLUSHALL")?.as_str() {
            "+OK" => Ok(()),
            other => Err(format!("Redis said: {other}")),
        }
    }

    /// Sends a command and returns the first line of the answer.
    fn ask(&self, command: &str) -> Result<String, String> {
        let ask = || -> std::io::Result<String> {
            let mut socket = TcpStream::connect(("127.0.0.1", self.port))?;
            socket.set_read_timeout(Some(Duration::from_secs(10)))?;
            write!(socket, "{command}\r\n")?;
            let mut line = String::new();
            BufReader::new(socket).read_line(&mut line)?;
            Ok(line.trim_end().to_owned())
        };
        ask().map_err(|e| e.to_string())
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}
