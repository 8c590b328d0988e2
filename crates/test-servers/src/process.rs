//! Finds programs, starts them so that they do not outlive this process, and ends them.

use rustix::process::{Pid, Signal, kill_process};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

/// A server that is not ready within this time has failed.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Finds a program in the folders of `PATH`, then in `folders`.
pub fn find(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).chain(folders.iter().cloned()).find(|dir| dir.join(program).is_file())?;
    Some(found.join(program))
}

/// A port of 127.0.0.1 that nobody listens on. It is outside the range that the system uses for outgoing connections: such a
/// connection could take the port while the server is stopped.
pub fn free_port() -> Result<u16, String> {
    const FIRST: u16 = 15_000;
    const PORTS: u16 = 15_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test programs that run at the same time begin with different ports.
    let start = (std::process::id().wrapping_mul(2_654_435_761) >> 16) as u16;
    (0..PORTS)
        .map(|_| FIRST + start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % PORTS)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .ok_or_else(|| "no port is free".into())
}

/// The user that a program runs as, and the signal that the program gets when this process ends.
pub struct ProcessOptions<'a> {
    pub user: Option<&'a str>,
    pub signal_at_our_end: &'a str,
}

pub fn command(program: &Path, options: &ProcessOptions) -> Command {
    let mut command = match find("setpriv", &[]) {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            if let Some(user) = options.user {
                command.args([format!("--reuid={user}"), format!("--regid={user}"), "--init-groups".into()]);
            }
            command.args(["--pdeathsig", options.signal_at_our_end, "--"]).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.stdin(Stdio::null());
    command
}

/// Runs a command and waits for its end.
pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("cannot start {command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Starts a server and writes its output to a file.
pub fn spawn(mut command: Command, log: &Path) -> Result<Child, String> {
    type Start = (Command, mpsc::Sender<std::io::Result<Child>>);
    // Linux sends the signal when the *thread* that started the server ends. So a thread that lives as long as the process starts all
    // servers.
    static STARTER: OnceLock<mpsc::Sender<Start>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, requests) = mpsc::channel::<Start>();
        std::thread::spawn(move || {
            for (mut command, reply) in requests {
                let _ = reply.send(command.spawn());
            }
        });
        sender
    });
    let shown = format!("{command:?}");
    let file = std::fs::File::options().create(true).append(true).open(log);
    let file = file.map_err(|e| format!("{}: {e}", log.display()))?;
    command.stderr(file.try_clone().map_err(|e| e.to_string())?).stdout(file);
    let (reply, started) = mpsc::channel();
    starter.send((command, reply)).map_err(|e| e.to_string())?;
    started.recv().map_err(|e| e.to_string())?.map_err(|e| format!("cannot start {shown}: {e}"))
}

/// Waits until a server is ready. The error contains the server's log.
pub fn await_ready(child: &mut Child, log: &Path, ready: impl Fn(&Child) -> bool) -> Result<(), String> {
    let started = Instant::now();
    while !ready(child) {
        let ended = child.try_wait().map_err(|e| e.to_string())?;
        if ended.is_some() || started.elapsed() > START_TIMEOUT {
            let output = std::fs::read_to_string(log).unwrap_or_default();
            return Err(format!("the server did not start ({ended:?}):\n{output}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// Sends a signal to a process and waits for its end.
pub fn end(mut child: Child, signal: Signal) -> Result<(), String> {
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        let _ = kill_process(pid, signal);
    }
    child.wait().map(|_| ()).map_err(|e| e.to_string())
}
