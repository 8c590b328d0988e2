//! Compares the list of reveals of each game in `games/` with a snapshot that somebody has reviewed. If the list changes,
//! players can learn other things than before, so review the new list as carefully.
//!
//! Each file in `reveals/` is a small game whose first line says what its list must name.

use baize_rules::diagnostic::line_column;
use baize_rules::program::{Program, RevealKind};
use std::fmt::Write;
use std::path::Path;

/// Returns the places by kind, each with its line of the file.
fn listed(source: &str, program: &Program) -> String {
    let mut list = String::new();
    for kind in RevealKind::ALL {
        let of_kind = program.reveals.iter().filter(|reveal| reveal.kind == kind);
        let mut lines: Vec<(usize, String)> = of_kind
            .map(|reveal| {
                let line = line_column(source, reveal.span.start as usize).0;
                let text = source.lines().nth(line - 1).unwrap_or("").trim();
                (line, format!("  {}\n      {text}", reveal.what))
            })
            .collect();
        lines.sort();
        lines.dedup();
        if !lines.is_empty() {
            writeln!(list, "{}", kind.title()).expect("writing to a string");
        }
        for (_, what) in lines {
            writeln!(list, "{what}").expect("writing to a string");
        }
    }
    list
}

/// Compares the list of each game in a folder with its snapshot.
fn review(folder: &str, snapshots: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "baize"));
    paths.sort();
    assert!(paths.len() >= least, "the games are there");
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("a text");
        let program = baize_rules::compile(&source).0.unwrap_or_else(|| panic!("{name} does not compile"));
        let list = listed(&source, &program);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path(snapshots);
        settings.bind(|| insta::assert_snapshot!(name, list));
    }
}

#[test]
fn reveals_of_every_game_match_the_reviewed_list() {
    review("../../games", "snapshots/reveals", 6);
}

#[test]
fn reveals_of_every_small_game_match_the_reviewed_list() {
    review("tests/reveals", "snapshots/reveals/small", 6);
}
