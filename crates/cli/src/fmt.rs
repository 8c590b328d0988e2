//! `baize fmt`: formats rules files.

use baize_rules::diagnostic::{render, render_colored};
use baize_rules::format;
use baize_rules::parse::decode;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Rules files.
    #[arg(required = true)]
    files: Vec<String>,
    /// Change nothing; say which files are laid out differently, and fail if there are any.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let mut failed = false;
    for file in &args.files {
        if Path::new(file).extension().is_some_and(|ending| ending == "scenarios") {
            failed = true;
            eprintln!("{file}: left alone; only rules files (NAME.baize) are laid out, scenarios are not");
            continue;
        }
        let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
        let laid_out = match decode(&bytes) {
            Ok(source) => format(source).map_err(|problems| (source, problems)),
            Err(problem) => Err(("", vec![problem])),
        };
        match laid_out {
            // The command does not change a file with a syntax error.
            Err((source, problems)) => {
                failed = true;
                let draw = if std::io::stderr().is_terminal() { render_colored } else { render };
                eprint!("{}", draw(file, source, &problems));
            }
            Ok(text) if text.as_bytes() == bytes => {}
            Ok(_) if args.check => {
                failed = true;
                println!("{file}: not laid out; run `baize fmt {file}`");
            }
            Ok(text) => {
                std::fs::write(file, text).map_err(|e| format!("{file}: {e}"))?;
                println!("{file}: laid out");
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
