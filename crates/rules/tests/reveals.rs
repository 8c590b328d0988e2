//! For each game in `games/`: the reviewed list of every place where something hidden becomes known.
//! A change of this list is a change of what players can learn, and is to be read as such.
//!
//! Each file in `reveals/` is a small game whose first line says what its list must name.

use baize_rules::diagnostic::line_column;
use baize_rules::program::{Program, RevealKind};
use std::fmt::Write;
use std::path::Path;

/// The places by kind, each with its line of the file.
fn listed(source: &str, program: &Program) -> String {
    let mut list = String::new();
    for kind in RevealKind::ALL {
        let of_kind = program.reveals.iter().filter(|site| site.kind == kind);
        let mut lines: Vec<(usize, String)> = of_kind
            .map(|site| {
                let line = line_column(source, site.span.start as usize).0;
                let text = source.lines().nth(line - 1).unwrap_or("").trim();
                (line, format!("  {}\n      {text}", site.what))
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
fn what_each_game_reveals_has_been_reviewed() {
    review("../../games", "snapshots/reveals", 6);
}

#[test]
fn each_small_game_lists_what_it_gives_away() {
    review("tests/reveals", "snapshots/reveals/small", 6);
}
