//! Checks that the tests, files and fuzz targets that the threat model names exist.

use baize_fuzz::{files, target};
use std::fs;
use std::path::Path;

/// Collects the sources of all crates, in which the names of tests are looked up.
fn sources(folder: &Path, into: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn threat_model_names_only_tests_that_exist() {
    let page = fs::read_to_string(files::root().join("docs/threat-model.md")).unwrap();
    let mut code = String::new();
    sources(&files::root().join("crates"), &mut code);
    let (mut named, mut missing) = (0, Vec::new());
    // Rows have three columns; the last names the tests of a defence.
    for row in page.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 2) {
        let shown = row.rsplit(" | ").next().unwrap_or_default();
        for name in shown.split('`').skip(1).step_by(2) {
            named += 1;
            let there = match name {
                path if path.contains('/') => files::root().join(path).exists(),
                law if law.starts_with("laws::") => code.contains(&format!("pub fn {}", &law[6..])),
                name => target(name).is_some() || code.contains(&format!("fn {name}()")),
            };
            if !there {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(named > 30, "only {named} names are found: has the form of the page changed?");
    assert!(missing.is_empty(), "docs/threat-model.md names what is not there: {missing:?}");
}
