//! Each file in `tests/cases` is read as a player's upload; the snapshot beside it shows the packs it gave, in canonical
//! form, or the problems as an author reads them. Drop a file there to get a test.

#![allow(clippy::disallowed_methods)] // Tests read files; the crate does not.

use std::fs;
use std::path::Path;

use baize_packs::{Trust, parse, to_json};

#[test]
fn every_case_matches_its_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "the cases are gone");
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let shown = match parse(&fs::read(&path).unwrap(), path.file_stem().unwrap().to_str().unwrap(), Trust::Player) {
            Ok(imported) => {
                let mut shown: String = imported.packs.iter().map(to_json).collect();
                for note in imported.notes {
                    shown += &format!("note: {note}\n");
                }
                shown
            }
            Err(errors) => errors.to_string(),
        };
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, shown);
        });
    }
}
