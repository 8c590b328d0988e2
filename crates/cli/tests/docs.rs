//! What is written for operators, held against what the program says of itself.

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

/// Words of a text that begin like this.
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
        // Those of tests are not the program's.
        let text: String =
            read(&path).lines().filter(|line| !line.contains("cargo test")).collect::<Vec<_>>().join("\n");
        for variable in variables(&text) {
            assert!(variables_known.contains(variable), "{}: {variable}", path.display());
            named += 1;
        }
        for command in text.split("baize serve").skip(1).map(|rest| rest.lines().next().unwrap_or_default()) {
            // As far as the command goes, where it stands in a sentence.
            for flag in flags(command.split('`').next().unwrap_or_default()) {
                assert!(flags_known.contains(flag), "{}: {flag}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 20, "only {named} settings were found");
}

/// Nobody has to find a setting in the help that the page does not explain.
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
