//! Files that parse but make no sense: each file in `meaning/` is a test whose first line says what is
//! wrong, and whose snapshot shows what its author reads.

use baize_rules::check_source;
use baize_rules::diagnostic::{Diagnostic, render};
use std::fs;
use std::path::Path;

#[test]
fn every_mistake_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meaning");
    let mut codes = std::collections::BTreeSet::new();
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder").map(|e| e.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&path).expect("a text");
        let diagnostics = check_source(&source);
        assert!(diagnostics.iter().any(Diagnostic::is_error), "{name}: no error is reported");
        codes.extend(diagnostics.iter().map(|d| d.code));
        let rendered = render(&format!("{name}.baize"), &source, &diagnostics);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/meaning");
        settings.bind(|| insta::assert_snapshot!(name, rendered));
    }
    assert!(codes.len() >= 50, "only {} different mistakes are tried: {codes:?}", codes.len());
}
