//! A Postgres server with its own data, as durable as one that is installed.

use crate::process::{self, Terms};
use rustix::process::{Signal, geteuid};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use tempfile::TempDir;

/// The user in the database, who may do everything without a password.
const USER: &str = "baize";

pub struct Postgres {
    dir: TempDir,
    programs: PathBuf,
    /// It refuses to run as root.
    run_as: Option<&'static str>,
    port: u16,
    databases: AtomicU32,
    child: Mutex<Option<Child>>,
}

impl Postgres {
    /// Makes a server with an empty database and starts it.
    pub fn start() -> Result<Self, String> {
        let programs = programs()?;
        let dir = tempfile::Builder::new().prefix("baize-postgres-").tempdir().map_err(|e| e.to_string())?;
        let run_as = geteuid().is_root().then_some("postgres");
        if let Some(user) = run_as {
            chown(dir.path(), Some(id("-u", user)?), Some(id("-g", user)?)).map_err(|e| e.to_string())?;
        }
        let port = process::free_port()?;
        let server = Postgres { dir, programs, run_as, port, databases: AtomicU32::new(0), child: Mutex::new(None) };
        // Not waiting for the disk here only concerns the empty database.
        let mut initdb = server.program("initdb");
        initdb.args(["--auth=trust", "--username", USER, "--encoding=UTF8", "--no-locale", "--no-sync", "-D"]);
        process::run(initdb.arg(server.data()))?;
        server.start_again()?;
        server.create("baize")?;
        Ok(server)
    }

    /// A server that all who ask while it runs share; each takes a [database](Self::database) of its own.
    pub fn shared() -> Result<Arc<Self>, String> {
        static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(running) = shared.upgrade() {
            return Ok(running);
        }
        let server = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&server);
        Ok(server)
    }

    /// Where its first database is.
    pub fn url(&self) -> String {
        self.url_of("baize")
    }

    /// What the addresses of all of its databases begin with.
    pub fn server_url(&self) -> String {
        self.url_of("")
    }

    /// The folder of `pg_dump` and its like.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// Makes another database and says where it is.
    pub fn database(&self) -> Result<String, String> {
        let name = format!("baize{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.create(&name)?;
        Ok(self.url_of(&name))
    }

    /// Ends it at once, as a crash would: what was under way is lost, what was committed is not.
    pub fn stop(&self) -> Result<(), String> {
        match self.child().take() {
            Some(child) => process::end(child, Signal::QUIT),
            None => Ok(()),
        }
    }

    /// Starts it on the same port with the same data.
    pub fn start_again(&self) -> Result<(), String> {
        let mut running = self.child();
        if running.is_some() {
            return Ok(());
        }
        let mut postgres = self.program("postgres");
        postgres.arg("-D").arg(self.data());
        let port = format!("port={}", self.port);
        for setting in [
            &*port,
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "shared_buffers=16MB",
            "max_connections=100",
            "fsync=on",
            "synchronous_commit=on",
        ] {
            postgres.args(["-c", setting]);
        }
        let log = self.dir.path().join("log");
        let mut child = process::spawn(postgres, &log)?;
        let status = self.data().join("postmaster.pid");
        let ready = process::await_ready(&mut child, &log, |child| is_ready(&status, child.id()));
        *running = Some(child);
        ready
    }

    /// A crash, and up again.
    pub fn restart(&self) -> Result<(), String> {
        self.stop()?;
        self.start_again()
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn program(&self, name: &str) -> Command {
        // To this signal the server and all of its processes end at once.
        let terms = Terms { user: self.run_as, at_our_end: "QUIT" };
        let mut command = process::command(&self.programs.join(name), &terms);
        command.current_dir(self.dir.path());
        command
    }

    fn create(&self, database: &str) -> Result<(), String> {
        let mut createdb = self.program("createdb");
        createdb.args(["--host=127.0.0.1", "--port", &self.port.to_string(), "--username", USER, database]);
        process::run(&mut createdb)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

/// The server writes into this file who it is and, in the eighth line, how far it has come.
fn is_ready(status: &Path, pid: u32) -> bool {
    let Ok(text) = std::fs::read_to_string(status) else { return false };
    let mut lines = text.lines();
    let ours = lines.next() == Some(pid.to_string().as_str());
    ours && lines.nth(6).is_some_and(|line| line.trim() == "ready")
}

/// The folder of its programs. Debian keeps most of them out of `PATH`, in a folder for each version.
fn programs() -> Result<PathBuf, String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .collect();
    versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    let folders: Vec<PathBuf> = versions.into_iter().map(|(_, folder)| folder).collect();
    // A link in `PATH` may be the only program there.
    process::find("initdb", &folders)
        .and_then(|initdb| initdb.canonicalize().ok())
        .and_then(|initdb| initdb.parent().map(Path::to_path_buf))
        .ok_or_else(|| "Postgres is not installed (on Debian: apt-get install postgresql)".into())
}

fn id(which: &str, user: &str) -> Result<u32, String> {
    let output = Command::new("id").args([which, user]).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| format!("Postgres does not run as root, and there is no user {user}"))
}
