//! The server as a separate process on its own core, and its resource use as the system reports it.

use baize_server::{Config, Server, Shared};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The server and the load generator have a core each. On a machine with one core they share it.
const SERVER_CORE: usize = 0;
const LOAD_CORE: usize = 1;

pub struct ServerProcess {
    child: Child,
    pub address: SocketAddr,
    data: TempDir,
    _quota: Option<Quota>,
}

/// The setup that a server is started for.
#[derive(Clone, Copy)]
pub enum ProcessPurpose<'a> {
    /// A single server on SQLite.
    Alone,
    /// The same with bots at their natural pace; server and load may use all cores.
    Bots,
    /// One of several nodes that share a database.
    Node { name: &'a str, database: &'a str, redis: &'a str },
}

/// Moves this process and all its future children to a core.
fn pin(core: usize) {
    let mut set = CpuSet::new();
    set.set(core);
    // If that is not allowed, or the core does not exist, the results are those of a shared core.
    let _ = sched_setaffinity(None, &set);
}

impl ServerProcess {
    /// Starts a server with its own data: this program again, or another one that understands `serve`. With a quota the
    /// server gets that share of a core and may use any core.
    pub fn start(binary: Option<&Path>, purpose: ProcessPurpose, quota: Option<f64>) -> Result<Self, String> {
        let data = tempfile::tempdir_in(data_folder()).map_err(|e| e.to_string())?;
        let free = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).map_err(|e| e.to_string())?;
        let itself = std::env::current_exe().map_err(|e| e.to_string())?;
        let binary = binary.unwrap_or(&itself);
        let more = "1000000";
        let with_bots = matches!(purpose, ProcessPurpose::Bots);
        let pinned = !with_bots && quota.is_none();
        if pinned {
            pin(SERVER_CORE);
        }
        let bot_delay = if with_bots { "1000" } else { "0" };
        let mut command = Command::new(binary);
        if let ProcessPurpose::Node { name, database, redis } = purpose {
            command.env("BAIZE_NODE", name).env("BAIZE_DATABASE", database).env("BAIZE_REDIS", redis);
        }
        let started = command
            .args(["serve", "--listen", &free.to_string(), "--bot-delay", bot_delay])
            .args(["--max-sockets-per-address", more, "--actions-per-second", more, "--makes-per-minute", more])
            .args(["--max-stored-tables", more, "--max-stored-tables-per-address", more])
            .arg("--data")
            .arg(data.path())
            .arg("--games")
            .arg(root().join("games"))
            .arg("--packs")
            .arg(root().join("packs"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        if pinned {
            pin(LOAD_CORE);
        }
        let mut child = started.map_err(|e| format!("{}: {e}", binary.display()))?;
        let quota = quota.map(|share| Quota::new(child.id(), share)).transpose()?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
        if !line.contains("http") {
            return Err(format!("the server did not start: {line}"));
        }
        Ok(ServerProcess { child, address: free, data, _quota: quota })
    }

    /// CPU time of its threads, user and system.
    pub fn cpu(&self) -> Duration {
        cpu_time(self.child.id())
    }

    /// Resident memory in bytes.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
    }

    /// Times of fdatasync in the server's data folder, in milliseconds, sorted.
    pub fn disk(&self, times: usize) -> Vec<f64> {
        let path = self.data.path().join("probe");
        let mut found = Vec::with_capacity(times);
        if let Ok(mut file) = std::fs::File::create(&path) {
            for _ in 0..times {
                use std::io::Write;
                let _ = file.write_all(&[0; 4096]);
                let begun = Instant::now();
                let _ = file.sync_data();
                found.push(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        found.sort_by(f64::total_cmp);
        found
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A control group that limits processes to a share of a core, where this program may create one.
struct Quota(PathBuf);

impl Quota {
    fn new(process: u32, share: f64) -> Result<Self, String> {
        /// Microseconds over which the share is counted: short, so that no process stops for long.
        const PERIOD: u64 = 10_000;
        let most = (share * PERIOD as f64) as u64;
        let older = Path::new("/sys/fs/cgroup/cpu");
        let parent = if older.is_dir() { older } else { Path::new("/sys/fs/cgroup") };
        let folder = parent.join(format!("baize-load-{process}"));
        let made = || -> std::io::Result<()> {
            std::fs::create_dir(&folder)?;
            if older.is_dir() {
                std::fs::write(folder.join("cpu.cfs_period_us"), PERIOD.to_string())?;
                std::fs::write(folder.join("cpu.cfs_quota_us"), most.to_string())?;
            } else {
                std::fs::write(folder.join("cpu.max"), format!("{most} {PERIOD}"))?;
            }
            std::fs::write(folder.join("cgroup.procs"), process.to_string())
        };
        made().map_err(|e| format!("no quota: {}: {e}", folder.display()))?;
        Ok(Quota(folder))
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // The group can only be removed after the process has ended.
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// CPU time of all descendants of this program with this name.
pub fn cpu_of(name: &str) -> Duration {
    let status = |pid: u32| -> Option<(String, u32)> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        Some((value("Name:")?.to_owned(), value("PPid:")?.parse().ok()?))
    };
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let ours = pids.filter(|pid| {
        let Some((_, mut up)) = status(*pid).filter(|(called, _)| called == name) else { return false };
        while up > 1 && up != std::process::id() {
            up = status(up).map_or(0, |(_, parent)| parent);
        }
        up == std::process::id()
    });
    ours.map(cpu_time).sum()
}

/// CPU time of the threads of a process, user and system.
fn cpu_time(pid: u32) -> Duration {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
    let cpu_time = tasks.into_iter().flatten().flatten().filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(cpu_time.sum())
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The server's side of [`ServerProcess::start`]; it treats the arguments as `baize serve` does.
pub fn serve(words: &[String]) -> Result<(), String> {
    let value = |name: &str| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)).ok_or_else(|| format!("{name} is missing"))
    };
    raise_file_limit();
    let listen = value("--listen")?.parse().map_err(|_| "no address")?;
    let mut config = Config::new(listen, value("--data")?.into(), value("--games")?.into());
    config.packs = Some(value("--packs")?.into());
    config.bot_delay = value("--bot-delay")?.parse().map_err(|_| "no delay")?;
    config.max_sockets_per_address = usize::MAX;
    config.max_connections_per_address = usize::MAX;
    config.looks_per_minute = u32::MAX;
    config.actions_per_second = 1_000_000;
    config.makes_per_minute = u32::MAX;
    config.table_quotas = baize_store::TableQuotas::default();
    let shared = |name: &str| std::env::var(name).ok();
    config.shared = shared("BAIZE_DATABASE").map(|database| Shared {
        database,
        redis: shared("BAIZE_REDIS"),
        node: shared("BAIZE_NODE").unwrap_or_default(),
        lease: Duration::from_secs(4),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let server = Server::bind(config).await.map_err(|e| e.to_string())?;
        println!("{}", server.url());
        server.serve(std::future::pending()).await.map_err(|e| e.to_string())
    })
}

/// A folder on a real disk: temporary files may be in memory, where durability costs nothing.
fn data_folder() -> PathBuf {
    let target = root().join("target");
    if target.is_dir() { target } else { std::env::temp_dir() }
}

/// Kernel memory of all TCP sockets of the machine, in bytes.
pub fn kernel_socket_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("TCP:")).unwrap_or_default();
    let pages = line.split(' ').skip_while(|word| *word != "mem").nth(1).and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Raises the file limit of this process as far as the system allows.
pub fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
