//! Builds the Rust tests with Cargo and reads their paths from Cargo's messages.

use crate::process::{cargo_command, shown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// An executable that Cargo built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    pub kind: ExecutableKind,
    /// The folder of the package, in which its tests run.
    pub package: PathBuf,
    /// The name of the target: a file in `tests`, a library or a program.
    pub name: String,
    /// Whether the tests are inside the sources of a library or program.
    pub inside: bool,
    pub path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutableKind {
    Test,
    Program,
}

impl Executable {
    /// The name in the report: the crate's folder and the file in `tests`.
    pub fn label(&self) -> String {
        let package = self.package.file_name().unwrap_or_default().to_string_lossy();
        if self.inside { format!("{package} unit tests") } else { format!("{package} {}", self.name) }
    }
}

/// Builds the tests that Cargo's arguments (`--workspace`, `--test NAME`) select, and the programs that they need.
pub fn build(selection: &[&str]) -> Result<Vec<Executable>, String> {
    let words = [&["test", "--no-run", "--message-format", "json-render-diagnostics"], selection].concat();
    let mut command = cargo_command(&words);
    let shown = shown(&command);
    eprintln!("$ {shown}");
    let child = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    let output = child.wait_with_output().map_err(|error| format!("`{shown}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(executable).collect())
}

/// Reads one of Cargo's messages. Each is a line of JSON with a fixed order of fields and without spaces.
fn executable(message: &str) -> Option<Executable> {
    let artifact = message.starts_with(r#"{"reason":"compiler-artifact""#);
    let path = PathBuf::from(text(message, "executable").filter(|_| artifact)?);
    let package = Path::new(&text(message, "manifest_path")?).parent()?.to_owned();
    let (_, target) = message.split_once(r#""target":{"#)?;
    let (target, profile) = target.split_once(r#""profile":{"#)?;
    let kind = if profile.split('}').next()?.contains(r#""test":true"#) {
        ExecutableKind::Test
    } else {
        ExecutableKind::Program
    };
    let inside = !target.starts_with(r#""kind":["test"]"#);
    if kind == ExecutableKind::Program && !target.starts_with(r#""kind":["bin"]"#) {
        // Examples are neither tests nor programs that tests need.
        return None;
    }
    Some(Executable { kind, package, name: text(target, "name")?, inside, path })
}

/// The first string field of this name in a line of JSON.
fn text(json: &str, name: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{name}\":\""))?;
    let mut value = String::new();
    let mut signs = rest.chars();
    loop {
        match signs.next()? {
            '"' => return Some(value),
            // Paths and names contain only these two of JSON's escapes.
            '\\' => value.push(signs.next()?),
            sign => value.push(sign),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, name: &str, test: bool, executable: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"path+file:///w/crates/server#baize-server@0.1.0","manifest_path":"/w/crates/server/Cargo.toml","target":{{"kind":["{kind}"],"crate_types":["bin"],"name":"{name}","src_path":"/w/x.rs","edition":"2024","doc":false,"doctest":false,"test":true}},"profile":{{"opt_level":"1","debuginfo":1,"debug_assertions":true,"overflow_checks":true,"test":{test}}},"features":[],"filenames":["{executable}"],"executable":"{executable}","fresh":true}}"#
        )
    }

    #[test]
    fn tests_and_programs_are_told_apart() {
        let wire = executable(&message("test", "wire", true, "/w/target/debug/deps/wire-1")).unwrap();
        assert_eq!((wire.kind, wire.label().as_str()), (ExecutableKind::Test, "server wire"));
        assert_eq!(wire.package, Path::new("/w/crates/server"));
        let unit = executable(&message("lib", "baize_server", true, "/w/target/debug/deps/b-2")).unwrap();
        assert_eq!((unit.kind, unit.label().as_str()), (ExecutableKind::Test, "server unit tests"));
        let program = executable(&message("bin", "baize", false, "/w/target/debug/baize")).unwrap();
        assert_eq!((program.kind, program.name.as_str()), (ExecutableKind::Program, "baize"));
    }

    #[test]
    fn messages_without_a_program_are_skipped() {
        let library = message("lib", "baize_server", false, "x").replace(r#""executable":"x""#, r#""executable":null"#);
        assert_eq!(executable(&library), None);
        assert_eq!(executable(&message("example", "node_dies", false, "/w/e")), None);
        assert_eq!(executable(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(executable(r#"{"reason":"compiler-message","executable":"/w/x"}"#), None);
    }

    #[test]
    fn escaped_paths_are_read() {
        assert_eq!(text(r#"{"executable":"C:\\a \"b\"\\c"}"#, "executable").unwrap(), r#"C:\a "b"\c"#);
    }
}
