//! Starts other programs. Prints each command before it runs, and names the command in the error if it fails.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The root folder of the workspace.
pub fn root() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.parent().map_or(folder.clone(), PathBuf::from)
}

/// The folder into which Cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |given| root().join(given))
}

pub fn cargo(args: &[&str]) -> Result<(), String> {
    run(&mut cargo_command(args))
}

pub fn cargo_command(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Prints a command and runs it.
pub fn run(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{shown}` failed")),
        Err(error) => Err(format!("cannot start `{shown}`: {error}")),
    }
}

/// Runs a command and returns its standard output without the final newline.
pub fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.output().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// A command as a person would type it.
pub fn shown(command: &Command) -> String {
    // The variable CARGO has the full path of Cargo; a person would type only the name.
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ")
}

/// Formats a duration: `0.4 s`, `12 s`, `3 min 05 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short_at_every_size() {
        for (millis, text) in [(40, "0.0 s"), (9_440, "9.4 s"), (12_300, "12 s"), (185_000, "3 min 05 s")] {
            assert_eq!(duration(Duration::from_millis(millis)), text);
        }
    }
}
