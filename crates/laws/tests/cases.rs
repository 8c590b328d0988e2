//! Files that once broke a law. Put a file into `tests/cases/` and it is a test: it must keep every law, or be refused if its
//! first line says `# refused`. If the first line says `# game N`, that game is played as well.

use baize_laws::play::{self, Counts};
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "baize")).collect();
    cases.sort();
    cases
}

/// The game in which the file broke a law: `# game N` on its first line.
fn named_game(source: &str) -> Option<u64> {
    source.lines().next()?.strip_prefix("# game ")?.trim().parse().ok()
}

#[test]
fn files_that_broke_a_law_keep_it() {
    let mut wrong = Vec::new();
    for path in cases() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).unwrap();
        let program = baize_laws::compile(&source);
        match (source.starts_with("# refused"), program) {
            (true, None) => {}
            (true, Some(_)) => wrong.push(format!("{name} is accepted")),
            (false, None) => wrong.push(format!("{name} is refused: {:?}", baize_rules::compile(&source).1)),
            (false, Some(program)) => {
                let mut counts = Counts::default();
                for game in (0..30).chain(named_game(&source)) {
                    if let Err(broken) = play::guarded(&program, game, &mut counts) {
                        wrong.push(format!("{name}, game {game} breaks “{}”: {}", broken.law, broken.description));
                        break;
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
