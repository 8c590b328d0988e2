//! Compares the documents and files for operators with the program's help.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn help() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_baize")).args(["serve", "--help"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a text with this beginning.
fn words<'a>(text: &'a str, beginning: &'a str, sign: fn(char) -> bool) -> impl Iterator<Item = &'a str> {
    let starts = text.match_indices(beginning).map(|(at, _)| at);
    let starts =
        starts.filter(|at| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-'));
    starts.map(move |at| {
        let rest = &text[at + beginning.len()..];
        &text[at..at + beginning.len() + rest.find(|c| !sign(c)).unwrap_or(rest.len())]
    })
}

fn variables(text: &str) -> BTreeSet<&str> {
    words(text, "BAIZE_", |c| c.is_ascii_uppercase() || c == '_').collect()
}

fn flags(text: &str) -> BTreeSet<&str> {
    words(text, "--", |c| c.is_ascii_lowercase() || c == '-').filter(|flag| flag.len() > 2).collect()
}

fn deploy() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("deploy")).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn files_for_operators_name_only_settings_that_exist() {
    let help = help();
    let (variables_known, flags_known) = (variables(&help), flags(&help));
    assert!(variables_known.contains("BAIZE_DATABASE") && flags_known.contains("--database"), "{help}");
    let mut named = 0;
    for path in deploy().into_iter().chain(["operating.md", "scaling.md"].map(|page| root().join("docs").join(page))) {
        // Variables of tests are not settings of the program.
        let text: String =
            read(&path).lines().filter(|line| !line.contains("cargo test")).collect::<Vec<_>>().join("\n");
        for variable in variables(&text) {
            assert!(variables_known.contains(variable), "{}: {variable}", path.display());
            named += 1;
        }
        for command in text.split("baize serve").skip(1).map(|rest| rest.lines().next().unwrap_or_default()) {
            // A command within a sentence ends at the closing backtick.
            for flag in flags(command.split('`').next().unwrap_or_default()) {
                assert!(flags_known.contains(flag), "{}: {flag}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 20, "only {named} settings were found");
}

/// The page explains every setting in the help.
#[test]
fn the_page_for_operators_has_every_setting() {
    let help = help();
    let page = read(&root().join("docs/operating.md"));
    let explained: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|names| names.split('`').skip(1).step_by(2))
        .map(|name| format!("--{}", name.replace('_', "-")))
        .collect();
    let missing: Vec<_> =
        flags(&help).into_iter().filter(|flag| *flag != "--help" && !explained.contains(*flag)).collect();
    assert!(missing.is_empty(), "docs/operating.md does not explain {missing:?}");
}

/// The settings `NAME=value` or `NAME: value` of a file for operators, without comments and placeholders.
fn settings(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with("BAIZE_"));
    let pairs = lines.filter_map(|line| line.split_once(['=', ':']));
    pairs
        .map(|(name, value)| (name, value.trim().trim_matches('"')))
        .filter(|(_, value)| !value.contains("${"))
        .collect()
}

/// The server accepts the values of the settings in the files, not only their names.
#[test]
fn a_server_starts_with_the_settings_of_the_files_for_operators() {
    let mut proxies = 0;
    for name in ["baize.env", "compose.yaml"] {
        let text = read(&root().join("deploy").join(name));
        let settings = settings(&text).into_iter().filter(|(name, _)| *name != "BAIZE_NODE").collect::<Vec<_>>();
        assert!(settings.contains(&("BAIZE_PROXIES", "1")), "{name}: {settings:?}");
        proxies += 1;
        let data = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .envs(settings)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("Open http"), "{name}: {line:?}");
    }
    assert_eq!(proxies, 2);
}

/// The proxy closes an idle connection before the server does, so that it never sends a request on a connection that the
/// server is closing. The proxy also tells browsers to use TLS.
#[test]
fn the_proxy_closes_idle_connections_before_the_server() {
    let caddy = read(&root().join("deploy/Caddyfile"));
    let number = |text: &str, before: &str, after: &str| -> u64 {
        let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("no {before}"));
        rest.split(after).next().and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("{before}"))
    };
    let help = help();
    let idle = help.split("--idle-timeout").nth(1).map(|rest| number(rest, "[default: ", "]")).unwrap();
    assert!(number(&caddy, "keepalive ", "s") < idle);
    assert!(caddy.contains("Strict-Transport-Security"));
    assert!(read(&root().join("docs/operating.md")).contains("Strict-Transport-Security"));
}
