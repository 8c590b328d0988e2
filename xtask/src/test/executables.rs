//! Builds the Rust tests with Cargo and finds out where they lie.

use crate::process::{cargo_command, shown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A program that Cargo built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    pub kind: Kind,
    /// Folder of the package: tests run there.
    pub package: PathBuf,
    /// Name of the target: of a file in `tests`, of a library or of a program.
    pub name: String,
    /// Whether the tests stand inside the sources of a library or program.
    pub inside: bool,
    pub path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Test,
    Program,
}

impl Executable {
    /// A name for people: the crate's folder and the file in `tests`.
    pub fn label(&self) -> String {
        let package = self.package.file_name().unwrap_or_default().to_string_lossy();
        if self.inside { format!("{package} unit tests") } else { format!("{package} {}", self.name) }
    }
}

/// Builds the tests that a selection (`--workspace`, `--test NAME`) names, and the programs they need.
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

/// Reads one of Cargo's messages. Each is one line of JSON, in a fixed order and without spaces.
fn executable(message: &str) -> Option<Executable> {
    let artifact = message.starts_with(r#"{"reason":"compiler-artifact""#);
    let path = PathBuf::from(text(message, "executable").filter(|_| artifact)?);
    let package = Path::new(&text(message, "manifest_path")?).parent()?.to_owned();
    let (_, target) = message.split_once(r#""target":{"#)?;
    let (target, profile) = target.split_once(r#""profile":{"#)?;
    let kind = if profile.split('}').next()?.contains(r#""test":true"#) { Kind::Test } else { Kind::Program };
    let inside = !target.starts_with(r#""kind":["test"]"#);
    if kind == Kind::Program && !target.starts_with(r#""kind":["bin"]"#) {
        // An example.
        return None;
    }
    Some(Executable { kind, package, name: text(target, "name")?, inside, path })
}

/// The first string of this name in a line of JSON.
fn text(json: &str, name: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{name}\":\""))?;
    let mut value = String::new();
    let mut signs = rest.chars();
    loop {
        match signs.next()? {
            '"' => return Some(value),
            // Of the escapes JSON knows, paths and names have only these two.
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
        assert_eq!((wire.kind, wire.label().as_str()), (Kind::Test, "server wire"));
        assert_eq!(wire.package, Path::new("/w/crates/server"));
        let unit = executable(&message("lib", "baize_server", true, "/w/target/debug/deps/b-2")).unwrap();
        assert_eq!((unit.kind, unit.label().as_str()), (Kind::Test, "server unit tests"));
        let program = executable(&message("bin", "baize", false, "/w/target/debug/baize")).unwrap();
        assert_eq!((program.kind, program.name.as_str()), (Kind::Program, "baize"));
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
