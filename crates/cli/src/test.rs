//! `baize test`: plays the scenarios of a game.

use crate::game_files;
use baize_scenarios::{Mistake, read, run as play};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Args {
    /// The rules file.
    file: String,
    /// Files of scenarios. Without them, NAME.scenarios in the folder `scenarios` beside NAME.baize is used.
    scenarios: Vec<PathBuf>,
    /// Play only scenarios whose titles have these words.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let game = game_files::game(&args.file)?;
    let program = Arc::new(game.program);
    let files = match &args.scenarios[..] {
        [] => vec![default_scenarios(Path::new(&args.file))?],
        files => files.to_vec(),
    };
    let (mut played, mut passed, mut unread) = (0, 0, false);
    for path in &files {
        let name = path.display();
        let source = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        let file = match read(&source) {
            Ok(file) => file,
            Err(mistakes) => {
                mistakes.iter().for_each(|mistake| println!("{}", point_out(path, &source, None, mistake)));
                unread = true;
                continue;
            }
        };
        let wanted = |title: &str| args.only.as_ref().is_none_or(|words| title.contains(words.as_str()));
        for scenario in file.scenarios.iter().filter(|scenario| wanted(&scenario.title)) {
            played += 1;
            match play(&game.source, &program, &file, scenario) {
                Ok(()) => passed += 1,
                Err(mistake) => println!("{}", point_out(path, &source, Some(&scenario.title), &mistake)),
            }
        }
    }
    if played == 0 && !unread {
        return Err("There is no such scenario.".to_owned());
    }
    if played > 0 {
        println!("{}: {passed} of {played} scenarios hold", args.file);
    }
    Ok(if passed == played && !unread { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The default path of a rules file's scenarios, as in `games/`.
fn default_scenarios(rules: &Path) -> Result<PathBuf, String> {
    let stem = rules.file_stem().unwrap_or_default().to_string_lossy();
    let path = rules.with_file_name("scenarios").join(format!("{stem}.scenarios"));
    match path.exists() {
        true => Ok(path),
        false => Err(format!(
            "There is no {}. Scenarios are explained in docs/scenarios.md; write some there, or name a file of them.",
            path.display()
        )),
    }
}

/// Formats a mistake: the line, and what is wrong with it.
fn point_out(path: &Path, source: &str, title: Option<&str>, (line, why): &Mistake) -> String {
    let title = title.map_or(String::new(), |title| format!(" “{title}”"));
    let text = line.checked_sub(1).and_then(|at| source.lines().nth(at)).unwrap_or_default().trim();
    let place = format!("{}:{line}:{title}", path.display());
    if text.is_empty() { format!("{place}\n      {why}\n") } else { format!("{place}\n    {text}\n      {why}\n") }
}
