//! A Postgres server with its own data and the durability settings of an installed one.

use crate::process::{self, ProcessOptions};
use rustix::process::{Signal, geteuid};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use tempfile::TempDir;

/// The database user, who needs no password and may do everything.
const USER: &str = "baize";

pub struct Postgres {
    dir: TempDir,
    programs: PathBuf,
    /// The system user that runs the server, because Postgres refuses to run as root.
    run_as: Option<&'static str>,
    port: u16,
    databases: AtomicU32,
    child: Mutex<Option<Child>>,
}

impl Postgres {
    /// Starts a server with an empty database.
    pub fn start() -> Result<Self, String> {
        let programs = programs()?;
        let dir = tempfile::Builder::new().prefix("baize-postgres-").tempdir().map_err(|e| e.to_string())?;
        let run_as = geteuid().is_root().then_some("postgres");
        if let Some(user) = run_as {
            chown(dir.path(), Some(id("-u", user)?), Some(id("-g", user)?)).map_err(|e| e.to_string())?;
        }
        let port = process::free_port()?;
        let server = Postgres { dir, programs, run_as, port, databases: AtomicU32::new(0), child: Mutex::new(None) };
        // `--no-sync` is safe here: there is nothing to lose yet.
        let mut initdb = server.program("initdb");
        initdb.args(["--auth=trust", "--username", USER, "--encoding=UTF8", "--no-locale", "--no-sync", "-D"]);
        process::run(initdb.arg(server.data()))?;
        server.start_again()?;
        server.create("baize")?;
        Ok(server)
    }

    /// Returns the server that the tests of this process share, or starts it. Each test makes a [database](Self::database) of its own.
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

    /// URL of the first database.
    pub fn url(&self) -> String {
        self.url_of("baize")
    }

    /// The beginning of every database's URL.
    pub fn server_url(&self) -> String {
        self.url_of("")
    }

    /// The folder with `pg_dump` and the other programs of Postgres.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// Makes another database and returns its URL.
    pub fn database(&self) -> Result<String, String> {
        let name = format!("baize{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.create(&name)?;
        Ok(self.url_of(&name))
    }

    /// Stops the server at once, like a crash: running transactions are lost, committed ones are not.
    pub fn stop(&self) -> Result<(), String> {
        match self.child().take() {
            Some(child) => process::end(child, Signal::QUIT),
            None => Ok(()),
        }
    }

    /// Starts the server on the same port with the same data, unless it is running.
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

    /// Stops the server like a crash, and starts it again.
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
        // On SIGQUIT the server ends at once with all of its processes.
        let options = ProcessOptions { user: self.run_as, signal_at_our_end: "QUIT" };
        let mut command = process::command(&self.programs.join(name), &options);
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

/// Whether the server is ready. It writes its process id into the first line of the file `status`, and its state into the eighth.
fn is_ready(status: &Path, pid: u32) -> bool {
    let Ok(text) = std::fs::read_to_string(status) else { return false };
    let mut lines = text.lines();
    let ours = lines.next() == Some(pid.to_string().as_str());
    ours && lines.nth(6).is_some_and(|line| line.trim() == "ready")
}

/// Finds the folder with Postgres' programs. Debian keeps most of them out of `PATH`, in a folder for each version.
fn programs() -> Result<PathBuf, String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .collect();
    versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    let folders: Vec<PathBuf> = versions.into_iter().map(|(_, folder)| folder).collect();
    // The `initdb` in `PATH` may be a symbolic link in a folder without the other programs.
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
