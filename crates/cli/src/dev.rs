//! `baize dev`: serves one game for its designer, and reloads it whenever the designer saves the file.

use crate::game_files::PACKS;
use crate::{check, serve};
use baize_server::{Compiled, Config, OnGameFile};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// How often the server looks for changes of the file, in milliseconds.
const POLL_INTERVAL: u64 = 250;

#[derive(clap::Args)]
pub struct Args {
    /// The rules file.
    file: PathBuf,
    /// Address to listen on; 0.0.0.0:8080 lets others on your network in.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Folder that keeps the tables for the next time. Without it, they are gone when you stop.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Folder with packs of text cards. Without it, the packs of this program are used.
    #[arg(long)]
    packs: Option<PathBuf>,
    /// How long bots seem to think: 1000 is as long as people find natural, 0 not at all.
    #[arg(long, default_value_t = 300)]
    bot_delay: u64,
    /// Serve the browser client from this folder instead of from the program.
    #[arg(long, env = "BAIZE_WEB")]
    web: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let file = &args.file;
    if !file.is_file() {
        return Err(format!("{}: there is no such file.", file.display()));
    }
    let for_now = tempfile::tempdir().map_err(|e| e.to_string())?;
    let data = args.data.clone().unwrap_or_else(|| for_now.path().to_owned());
    serve::make_private_folder(&data)?;
    let packs = match &args.packs {
        Some(folder) => folder.clone(),
        None => serve::write_embedded(&data, "packs", "json", PACKS)?,
    };
    let mut config = Config::new(args.listen, data, file.clone());
    config.packs = Some(packs);
    config.bot_delay = args.bot_delay;
    config.look_every = POLL_INTERVAL;
    config.web = serve::web(args.web.as_deref());
    let name = file.display().to_string();
    config.workshop = Some(OnGameFile(Arc::new(move |read| {
        let program = match &read.game {
            Compiled::Playable(rules) => Some(&*rules.program),
            Compiled::Broken { .. } => None,
        };
        check::print(&name, &read.source, program, &read.diagnostics, false);
    })));
    // The log has only errors: other records would hide the diagnostics in the terminal.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::ERROR)
        .init();
    serve::until_stopped(config, |url| {
        println!("Open {url}/dev in a browser. Save the file to try the new version. Stop with Ctrl+C.");
    })
}
