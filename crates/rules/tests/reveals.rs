//! For each game in `games/`: the reviewed list of every place where something hidden becomes known.
//! A change of this list is a change of what players can learn, and is to be read as such.

use baize_rules::diagnostic::line_column;
use baize_rules::program::{Program, RevealKind};
use std::fmt::Write;

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

#[test]
fn what_each_game_reveals_has_been_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("games/").map(|e| e.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "baize"));
    paths.sort();
    assert!(paths.len() >= 6, "the games are there");
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("a text");
        let program = baize_rules::compile(&source).0.unwrap_or_else(|| panic!("{name} does not compile"));
        let list = listed(&source, &program);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/reveals");
        settings.bind(|| insta::assert_snapshot!(name, list));
    }
}
