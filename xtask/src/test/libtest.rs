//! Runs one executable of Rust tests and reads the time of each test.
//!
//! The times come from libtest's unstable flag `--report-time`. `RUSTC_BOOTSTRAP` enables it, for the executable only and never
//! for a build. If libtest refuses the flag, the tests run without it, and the report has no times of single tests.

use super::executables::Executable;
use super::report::Timed;
use crate::process::duration;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const TIMES: [&str; 3] = ["-Z", "unstable-options", "--report-time"];
const GATE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");
/// How often the command polls a running executable.
const TICK: Duration = Duration::from_millis(40);

pub struct ExecutableResult {
    pub passed: bool,
    pub times: Vec<Timed>,
}

/// Runs all tests of an executable. Prints one line if all pass, else the whole output of the failures.
pub fn run(test: &Executable, variables: &[(&str, &str)]) -> Result<ExecutableResult, String> {
    let log = super::folder()?.join(format!("{}.log", test.label().replace(' ', "-")));
    let mut command = command(test);
    command.envs(variables.iter().copied());
    if *reports_times(test) {
        command.args(TIMES).env(GATE.0, GATE.1);
    }
    eprint!("  {} … ", test.label());
    let start = Instant::now();
    // The output goes into a file: a process that a test left behind would keep a pipe open for ever.
    let fault = |error: std::io::Error| format!("{}: {error}", log.display());
    let file = File::create(&log).map_err(fault)?;
    let errors = file.try_clone().map_err(fault)?;
    let child = command.stdin(Stdio::null()).stdout(file).stderr(errors).spawn();
    let mut child = child.map_err(|error| format!("cannot start {}: {error}", test.path.display()))?;
    let status = wait(&mut child, &log).map_err(fault)?;
    let bytes = std::fs::read(&log).map_err(fault)?;
    let text = String::from_utf8_lossy(&bytes);
    let tests: Vec<TestLine> = text.lines().filter_map(read_line).collect();
    let failed = tests.iter().filter(|test| test.failed).count();
    let passed = status.success();
    let shown = if passed { "ok".to_owned() } else { format!("FAILED ({failed})") };
    eprintln!("{shown}, {} tests, {}", tests.len(), duration(start.elapsed()));
    if !passed {
        // Prints everything but the lines of passed tests.
        let rest = text.lines().filter(|text| read_line(text).is_none_or(|test| test.failed));
        let mut errors = std::io::stderr().lock();
        for line in rest {
            let _ = writeln!(errors, "{line}");
        }
        let _ = writeln!(errors, "{} ended with {status}", test.label());
    }
    let times = tests.into_iter().filter_map(|test| Some(Timed { name: test.name.to_owned(), time: test.time? }));
    Ok(ExecutableResult { passed, times: times.collect() })
}

/// Waits for the end, and meanwhile prints libtest's notices about tests that run long.
fn wait(child: &mut Child, log: &Path) -> std::io::Result<ExitStatus> {
    let mut warned = 0;
    let mut looked = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(TICK);
        if looked.elapsed() < Duration::from_secs(5) {
            continue;
        }
        looked = Instant::now();
        let bytes = std::fs::read(log)?;
        let text = String::from_utf8_lossy(&bytes);
        let slow: Vec<&str> = text.lines().filter(|line| line.contains("has been running for over")).collect();
        for line in &slow[warned.min(slow.len())..] {
            eprint!("\n    {line}");
        }
        warned = slow.len();
    }
}

/// The command as `cargo test` would run it.
fn command(test: &Executable) -> Command {
    let mut command = Command::new(&test.path);
    command.current_dir(&test.package).env("CARGO_MANIFEST_DIR", &test.package);
    command
}

/// Whether this compiler's libtest accepts the flags. Tries it once, with an executable that lists its tests.
fn reports_times(test: &Executable) -> &'static bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    ANSWER.get_or_init(|| {
        let mut command = command(test);
        command.arg("--list").args(TIMES).env(GATE.0, GATE.1).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

struct TestLine<'a> {
    name: &'a str,
    failed: bool,
    time: Option<Duration>,
}

/// Reads `test NAME ... ok <1.234s>`.
fn read_line(text: &str) -> Option<TestLine<'_>> {
    let (name, rest) = text.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let (word, time) = match rest.split_once(" <") {
        Some((word, time)) => (word, time.strip_suffix("s>").and_then(|time| time.parse::<f64>().ok())),
        None => (rest, None),
    };
    let failed = match word {
        "ok" => false,
        _ if word.starts_with("ignored") => return None,
        _ if word.starts_with("FAILED") => true,
        _ => return None,
    };
    Some(TestLine { name, failed, time: time.map(Duration::from_secs_f64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_libtest_are_read() {
        let read = |text| read_line(text).map(|line| (line.name, line.failed, line.time.map(|time| time.as_millis())));
        assert_eq!(read("test a::b ... ok <1.250s>"), Some(("a::b", false, Some(1250))));
        assert_eq!(read("test a::b ... FAILED <0.003s>"), Some(("a::b", true, Some(3))));
        assert_eq!(read("test a - should panic ... ok"), Some(("a - should panic", false, None)));
        assert_eq!(read("test slow ... ignored"), None);
        assert_eq!(read("test slow has been running for over 60 seconds"), None);
        assert_eq!(read("test result: ok. 3 passed; 0 failed"), None);
    }
}
