//! `baize admin`: lets an operator manage tables, packs, makers and reports of a running server.
//!
//! It uses only the database: everybody who may read the database may use it, and no port is open for it. An order about a
//! table is a row in the database; the server that has the table obeys it within a few seconds.

mod backup;
mod print;

use baize_server::admin::{self, Order, REASON_CHARS};
use baize_store::{Hash, PackChoice, PackQuery, PostgresConfig, PostgresStore, SqliteStore, Store, StoreError};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The fewest digits of a hash that name a browser.
const MAKER_DIGITS: usize = 8;
/// How many rows one query reads.
const PAGE: u32 = 200;
/// How long the command waits for a server to obey an order.
const WAIT: Duration = Duration::from_secs(15);
/// How often the command looks whether a server has obeyed.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

#[derive(clap::Args)]
pub struct Args {
    /// Folder with the server's database.
    #[arg(long, env = "BAIZE_DATA", default_value = "data", global = true)]
    data: PathBuf,
    /// Postgres, where servers share one, as in postgres://baize@db/baize
    #[arg(long, env = "BAIZE_DATABASE", global = true)]
    database: Option<String>,
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(clap::Subcommand)]
enum AdminCommand {
    /// Tables: list, show, log, close, delete, export.
    #[command(subcommand)]
    Tables(Tables),
    /// Packs that people uploaded: list, show, delete, export.
    #[command(subcommand)]
    Packs(Packs),
    /// Browsers, by the hash of the secret of each, with their tables, packs and reports: list, show, delete, export.
    #[command(subcommand)]
    Makers(Makers),
    /// What players reported: list, show, delete, export.
    #[command(subcommand)]
    Reports(Reports),
    /// Copy the SQLite database into a new file, while the server runs. With Postgres use pg_dump.
    Backup {
        /// A file that does not exist yet. Its checksum is written beside it, as FILE.sha256.
        file: PathBuf,
    },
    /// Put a backup into a data folder without a database. With Postgres use pg_restore.
    Restore {
        /// A file that `baize admin backup` has written, with FILE.sha256 beside it.
        file: PathBuf,
        /// Only say whether the backup is whole.
        #[arg(long)]
        check: bool,
    },
}

#[derive(clap::Subcommand)]
enum Tables {
    /// All tables, one a line.
    List,
    /// One table, in words.
    Show { code: String },
    /// The rules, the seed and every step of each finished game of a table, as JSON, one object a line.
    Log { code: String },
    /// End a table for good, and tell its players.
    Close {
        code: String,
        /// A reason for the players. They read it together with the message that the table is closed.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Close a table and delete everything about it.
    Delete { code: String },
    /// One table as JSON.
    Export { code: String },
}

#[derive(clap::Subcommand)]
enum Packs {
    /// All uploaded packs, one a line.
    List,
    /// One pack, in words.
    Show { id: String },
    /// Delete a pack. Games that were dealt with it keep their cards.
    Delete { id: String },
    /// One pack as JSON, with its cards.
    Export { id: String },
}

#[derive(clap::Subcommand)]
enum Makers {
    /// All browsers, one a line.
    List,
    /// One browser, in words. The beginning of its hash is enough.
    Show { maker: String },
    /// Forget a browser: its seats, names, lines and packs, as if it had asked for it.
    Delete { maker: String },
    /// One browser as JSON.
    Export { maker: String },
}

#[derive(clap::Subcommand)]
enum Reports {
    /// All reports, one a line.
    List,
    /// One report, in words.
    Show { id: i64 },
    /// Delete a report that was dealt with.
    Delete { id: i64 },
    /// All reports as JSON, one a line.
    Export,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    if let AdminCommand::Backup { .. } | AdminCommand::Restore { .. } = &args.command
        && args.database.is_some()
    {
        return Err(
            "This server keeps its tables in Postgres. Use pg_dump and pg_restore, as docs/operating.md says.".into()
        );
    }
    match &args.command {
        AdminCommand::Backup { file } => return backup::make(&args.data, file),
        AdminCommand::Restore { file, check: true } => return backup::check(file),
        AdminCommand::Restore { file, check: false } => return backup::restore(file, &args.data),
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|e| e.to_string())?.block_on(async {
        let store = attach(args).await.map_err(|error| error.to_string())?;
        let done = obey(store.as_ref(), &args.command).await;
        let _ = store.close().await;
        done
    })
}

async fn attach(args: &Args) -> Result<Box<dyn Store>, StoreError> {
    Ok(match &args.database {
        None => Box::new(SqliteStore::attach(&args.data)?),
        Some(url) => {
            let (url, node) = (url.clone(), format!("admin-{}", std::process::id()));
            Box::new(PostgresStore::attach(PostgresConfig { url, node, lease: Duration::from_secs(4) }).await?)
        }
    })
}

async fn obey(store: &dyn Store, command: &AdminCommand) -> Result<ExitCode, String> {
    match command {
        AdminCommand::Tables(command) => tables(store, command).await,
        AdminCommand::Packs(command) => packs(store, command).await,
        AdminCommand::Makers(command) => makers(store, command).await,
        AdminCommand::Reports(command) => reports(store, command).await,
        // `run` handles these commands without a store.
        AdminCommand::Backup { .. } | AdminCommand::Restore { .. } => Ok(ExitCode::SUCCESS),
    }
}

async fn tables(store: &dyn Store, command: &Tables) -> Result<ExitCode, String> {
    let unknown = |code: &str| format!("There is no table {}.", print::plain(code));
    match command {
        Tables::List => {
            let mut after = String::new();
            loop {
                let page = store.tables(&after, PAGE).await.map_err(failed)?;
                let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
                after = last.code.clone();
                page.iter().for_each(|row| print::table(&admin::table_line(row)));
            }
        }
        Tables::Show { code } | Tables::Export { code } => {
            let shown = admin::table(store, code).await.map_err(failed)?.ok_or_else(|| unknown(code))?;
            show(&shown, matches!(command, Tables::Export { .. }))
        }
        Tables::Log { code } => {
            let mut print_line = |line: &Value| println!("{}", print::json(&line.to_string()));
            let found = admin::logs(store, code, &mut print_line).await.map_err(failed)?;
            match found.ok_or_else(|| unknown(code))? {
                (0, 0) => Err(format!("Table {code} has had no game yet.")),
                (0, _) => Err(format!("The game at table {code} is under way. Its log can be read when it is over.")),
                _ => Ok(ExitCode::SUCCESS),
            }
        }
        Tables::Close { code, reason } => {
            if reason.chars().count() > REASON_CHARS {
                return Err(format!("A reason has at most {REASON_CHARS} characters."));
            }
            store.peek(code).await.map_err(failed)?.ok_or_else(|| unknown(code))?;
            let order = Order::Close { table: code.clone(), reason: reason.clone() };
            wait(store, &order, &format!("Table {code} is closed.")).await
        }
        Tables::Delete { code } => {
            store.peek(code).await.map_err(failed)?.ok_or_else(|| unknown(code))?;
            wait(store, &Order::Delete { table: code.clone() }, &format!("Table {code} is deleted.")).await
        }
    }
}

async fn packs(store: &dyn Store, command: &Packs) -> Result<ExitCode, String> {
    let unknown = |id: &str| format!("Nobody has uploaded a pack {}.", print::plain(id));
    match command {
        Packs::List => {
            let mut after = String::new();
            loop {
                let query = PackQuery { maker: None, after, limit: PAGE };
                let page = store.packs(query).await.map_err(failed)?;
                let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
                after = last.id.clone();
                page.iter().for_each(|row| print::pack(&admin::pack_line(row)));
            }
        }
        Packs::Show { id } | Packs::Export { id } => {
            let shown = admin::pack(store, id).await.map_err(failed)?.ok_or_else(|| unknown(id))?;
            show(&shown, matches!(command, Packs::Export { .. }))
        }
        Packs::Delete { id } => match store.delete_packs(PackChoice::Id(id.clone())).await.map_err(failed)? {
            0 => Err(unknown(id)),
            _ => {
                println!("Pack {id} is deleted. Games that were dealt with it keep their cards.");
                Ok(ExitCode::SUCCESS)
            }
        },
    }
}

async fn makers(store: &dyn Store, command: &Makers) -> Result<ExitCode, String> {
    match command {
        Makers::List => {
            let mut after: Option<Hash> = None;
            loop {
                let page = store.makers(after, PAGE).await.map_err(failed)?;
                let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
                after = Some(last.member);
                page.iter().for_each(|row| print::maker(&admin::maker_line(row)));
            }
        }
        Makers::Show { maker } | Makers::Export { maker } => {
            let shown = admin::maker(store, &named(store, maker).await?).await.map_err(failed)?;
            show(&shown.ok_or_else(|| nobody(maker))?, matches!(command, Makers::Export { .. }))
        }
        Makers::Delete { maker } => {
            let member = named(store, maker).await?;
            wait(store, &Order::forget(&member), "This browser is forgotten.").await
        }
    }
}

fn nobody(maker: &str) -> String {
    format!("There is no maker {}.", print::plain(maker))
}

/// Finds the browser whose hash has this beginning. Refuses a short beginning, because it could match anybody, and nobody can
/// undo that a browser is forgotten.
async fn named(store: &dyn Store, maker: &str) -> Result<Hash, String> {
    if maker.len() < MAKER_DIGITS || !maker.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!(
            "Write at least the first {MAKER_DIGITS} digits of the maker's hash, as `makers list` shows it."
        ));
    }
    let maker = &maker.to_ascii_lowercase();
    admin::maker_named(store, maker).await.map_err(failed)?.ok_or_else(|| nobody(maker))
}

async fn reports(store: &dyn Store, command: &Reports) -> Result<ExitCode, String> {
    let unknown = |id: i64| format!("There is no report {id}.");
    match command {
        Reports::List | Reports::Export => {
            let mut after = 0;
            loop {
                let page = store.reports(after, PAGE).await.map_err(failed)?;
                let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
                after = last.id;
                for report in page.iter().map(admin::report_line) {
                    match command {
                        Reports::Export => println!("{}", print::json(&report.to_string())),
                        _ => print::report(&report),
                    }
                }
            }
        }
        Reports::Show { id } => {
            let found = store.reports(id.saturating_sub(1), 1).await.map_err(failed)?;
            let found = found.first().filter(|report| report.id == *id).ok_or_else(|| unknown(*id))?;
            show(&admin::report_line(found), false)
        }
        Reports::Delete { id } => match store.delete_report(*id).await.map_err(failed)? {
            true => {
                println!("Report {id} is deleted.");
                Ok(ExitCode::SUCCESS)
            }
            false => Err(unknown(*id)),
        },
    }
}

fn show(value: &Value, as_json: bool) -> Result<ExitCode, String> {
    match as_json {
        true => println!("{}", print::json(&serde_json::to_string_pretty(value).map_err(|e| e.to_string())?)),
        false => print::in_words(value),
    }
    Ok(ExitCode::SUCCESS)
}

/// Stores an order, and waits until a server has obeyed it.
async fn wait(store: &dyn Store, order: &Order, done: &str) -> Result<ExitCode, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let id = order.put(store, now).await.map_err(failed)?;
    let mut waited = Duration::ZERO;
    while waited < WAIT {
        let waiting = store.orders(u32::MAX >> 1).await.map_err(failed)?;
        if !waiting.iter().any(|order| order.id == id) {
            println!("{done}");
            return Ok(ExitCode::SUCCESS);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        waited += POLL_INTERVAL;
    }
    println!("The order is noted. No server has carried it out yet: it will be as soon as one runs.");
    Ok(ExitCode::from(2))
}

fn failed(error: StoreError) -> String {
    error.to_string()
}
