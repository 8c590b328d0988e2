//! `baize pack`: starts, checks, imports and merges packs of text cards.

use crate::game_files::read_packs;
use baize_packs::{Pack, TEMPLATE, merge, to_csv, to_json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub enum PackCommand {
    /// Write a sheet (CSV) to start a pack from, with a card of each kind.
    New {
        /// The file to write, such as `mine.csv`. Without it, the sheet goes to standard output.
        file: Option<PathBuf>,
    },
    /// Say what is in packs, or what is wrong with them.
    Check {
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Turn CSV or compact JSON into this project's form, one file a pack.
    Import {
        #[arg(required = true)]
        files: Vec<String>,
        /// Folder for the packs. Without it, a single pack is written to standard output.
        #[arg(long)]
        to: Option<PathBuf>,
        /// Write CSV instead of JSON.
        #[arg(long)]
        csv: bool,
    },
    /// Merge packs into one, dropping cards that are there twice.
    Merge {
        #[arg(required = true)]
        files: Vec<String>,
        #[arg(long, default_value = "merged")]
        name: String,
    },
}

pub fn run(command: &PackCommand) -> Result<ExitCode, String> {
    match command {
        PackCommand::New { file } => new(file.as_deref()),
        PackCommand::Check { files } => Ok(check(files)),
        PackCommand::Import { files, to, csv } => import(files, to.as_deref(), *csv),
        PackCommand::Merge { files, name } => merge_all(files, name),
    }
}

/// Writes the template. An existing file stays as it is: it may hold an evening's work.
fn new(file: Option<&Path>) -> Result<ExitCode, String> {
    let Some(file) = file else {
        print!("{TEMPLATE}");
        return Ok(ExitCode::SUCCESS);
    };
    // Without a byte order mark, the most used spreadsheet misreads UTF-8.
    let sheet = format!("\u{feff}{TEMPLATE}");
    let written = std::fs::File::create_new(file).and_then(|mut new| new.write_all(sheet.as_bytes()));
    match written {
        Ok(()) => {
            let name = file.display();
            println!("{name}: replace its cards by your own, then say `baize pack check {name}`.");
            Ok(ExitCode::SUCCESS)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(format!("{} is there already. Choose another name.", file.display()))
        }
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}

fn check(files: &[String]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for file in files {
        match read_packs(file) {
            Ok(imported) => {
                for pack in &imported.packs {
                    println!("{file}: {}", describe(pack));
                }
                for note in &imported.notes {
                    println!("  {note}");
                }
            }
            Err(problems) => {
                eprintln!("{}", problems.trim_end());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn describe(pack: &Pack) -> String {
    let decks: Vec<String> = pack.decks.iter().map(|(deck, cards)| format!("{} × {deck}", cards.len())).collect();
    format!("{} ({}): {}", pack.name, pack.id, decks.join(", "))
}

fn import(files: &[String], to: Option<&std::path::Path>, csv: bool) -> Result<ExitCode, String> {
    let mut packs = Vec::new();
    for file in files {
        let imported = read_packs(file)?;
        for note in &imported.notes {
            eprintln!("{file}: {note}");
        }
        packs.extend(imported.packs);
    }
    let write = |pack: &Pack| if csv { to_csv(pack) } else { to_json(pack) };
    match (to, &packs[..]) {
        (None, [pack]) => print!("{}", write(pack)),
        (None, _) => {
            return Err(format!("There are {} packs in there: say where to put them with --to FOLDER.", packs.len()));
        }
        (Some(folder), _) => {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            for pack in &packs {
                let path = folder.join(format!("{}.{}", pack.id, if csv { "csv" } else { "json" }));
                std::fs::write(&path, write(pack)).map_err(|e| format!("{}: {e}", path.display()))?;
                println!("{}: {}", path.display(), describe(pack));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn merge_all(files: &[String], name: &str) -> Result<ExitCode, String> {
    let mut packs = Vec::new();
    for file in files {
        packs.extend(read_packs(file)?.packs);
    }
    let mut merged = merge(&packs);
    merged.pack.name = name.to_string();
    merged.pack.id = name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
    print!("{}", to_json(&merged.pack));
    eprintln!("{}; {} left out because they were there twice", describe(&merged.pack), merged.dropped);
    Ok(ExitCode::SUCCESS)
}
