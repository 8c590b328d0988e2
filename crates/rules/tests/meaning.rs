//! Tests files that the parser can read but the elaborator refuses. Each file in `meaning/` is a test: its first line says
//! what is wrong, and its snapshot shows what the author of the file reads.

use baize_rules::check_source;
use baize_rules::diagnostic::{Diagnostic, render};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Compares what is reported about each file of a folder with its snapshot. Returns the codes.
fn check_folder(folder: &str, test: impl Fn(&str, &[Diagnostic])) -> BTreeSet<&'static str> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut codes = BTreeSet::new();
    let mut paths: Vec<_> = fs::read_dir(path).expect("the folder").map(|e| e.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&path).expect("a text");
        let diagnostics = check_source(&source);
        test(&name, &diagnostics);
        codes.extend(diagnostics.iter().map(|d| d.code));
        let rendered = render(&format!("{name}.baize"), &source, &diagnostics);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path(format!("snapshots/{folder}"));
        settings.bind(|| insta::assert_snapshot!(name, rendered));
    }
    codes
}

#[test]
fn every_mistake_gives_its_diagnostics() {
    let codes = check_folder("meaning", |name, diagnostics| {
        assert!(diagnostics.iter().any(Diagnostic::is_error), "{name}: no error is reported");
    });
    assert!(codes.len() >= 50, "only {} different mistakes are tried: {codes:?}", codes.len());
}

/// Files in `warnings/` can be played, and something in them is probably not meant.
#[test]
fn every_warning_gives_its_diagnostics() {
    check_folder("warnings", |name, diagnostics| {
        assert!(!diagnostics.is_empty(), "{name}: nothing is reported");
        assert!(!diagnostics.iter().any(Diagnostic::is_error), "{name}: an error is reported: {diagnostics:?}");
    });
}

/// Loops in which somebody may leave, and which go on or stop all the same.
#[test]
fn loops_that_end_without_the_player_give_no_warning() {
    let give = "    give\n      given := yes\n";
    let pass_on = "when p leaves\n  if p is judge\n    judge := next player after p\n";
    for (lines, hook) in [
        (format!("repeat until given or judge is not playing\n  ask judge \"?\"\n{give}"), ""),
        (format!("repeat until given\n  ask judge \"?\"\n{give}  judge := next player after judge\n"), ""),
        (format!("repeat until given\n  if judge is not playing\n    stop\n  ask judge \"?\"\n{give}"), ""),
        (format!("repeat until round > 3\n  round += 1\n  ask judge \"{{given}}?\"\n{give}"), ""),
        (format!("repeat until given, at most 9 times\n  ask judge \"?\"\n{give}"), ""),
        (format!("repeat until given\n  ask lead \"?\"\n{give}"), ""),
        (format!("repeat until given\n  circle p from judge\n    ask p \"?\"\n{}", give.replace("    ", "      ")), ""),
        (format!("repeat until given\n  ask judge \"?\"\n{give}"), pass_on),
        (format!("repeat until given\n  ask judge \"?\"\n{give}"), "when p leaves\n  given := yes\n"),
    ] {
        let source = format!(
            "game \"A\"\nplayers 2..4\nstate\n  given: yes/no = no\n  round: 0..9 = 0\n  judge: player\njudge := first player\n{lines}end draw\n{hook}show\n  status \"{{judge}} {{round}}\"\n"
        );
        let diagnostics = check_source(&source);
        assert!(diagnostics.is_empty(), "{source}\n{}", render("a.baize", &source, &diagnostics));
    }
}
