//! `baize serve`: starts the server with settings from flags and environment variables.

use crate::game_files::{GAMES, PACKS, WEB};
use baize_server::{Config, Server, Shared, Web};
use baize_store::{PackQuota, PackQuotas, TableQuotas};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Address to listen on.
    #[arg(long, env = "BAIZE_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Folder for the database.
    #[arg(long, env = "BAIZE_DATA", default_value = "data")]
    data: PathBuf,
    /// Address of Postgres, as in postgres://baize@db/baize. With it, this server is one of many nodes and does not use the
    /// folder for the database.
    #[arg(long, env = "BAIZE_DATABASE")]
    database: Option<String>,
    /// Address of Redis, as in redis://cache, which carries messages between nodes faster than the database does.
    #[arg(long, env = "BAIZE_REDIS", requires = "database")]
    redis: Option<String>,
    /// This node's name, which no other running node has. The default is the machine's name and the port.
    #[arg(long, env = "BAIZE_NODE", requires = "database")]
    node: Option<String>,
    /// Seconds for which a node that has died keeps its tables.
    #[arg(long, env = "BAIZE_LEASE", default_value_t = 4)]
    lease: u64,
    /// Folder with rules files, which are read again when they change. Without it, the games of this program are used.
    #[arg(long, env = "BAIZE_GAMES")]
    games: Option<PathBuf>,
    /// Folder with packs of text cards the operator vouches for. Without it, the packs of this program are used.
    #[arg(long, env = "BAIZE_PACKS")]
    packs: Option<PathBuf>,
    /// The beginning of links, as in https://cards.example
    #[arg(long, env = "BAIZE_PUBLIC_URL")]
    public_url: Option<String>,
    /// Another site whose pages may talk to this server.
    #[arg(long = "origin", env = "BAIZE_ORIGINS", value_delimiter = ',')]
    origins: Vec<String>,
    /// How long bots seem to think: 1000 is as long as people find natural, 0 not at all.
    #[arg(long, env = "BAIZE_BOT_DELAY", default_value_t = 1000)]
    bot_delay: u64,
    /// Threads on which bots think.
    #[arg(long, env = "BAIZE_BOT_THREADS", default_value_t = 1)]
    bot_threads: usize,
    /// Seconds after which a table nobody is connected to leaves memory.
    #[arg(long, env = "BAIZE_PARK_AFTER", default_value_t = 60)]
    park_after: u64,
    /// Days after which a table nothing has happened at is deleted; 0: never.
    #[arg(long, env = "BAIZE_PURGE_AFTER", default_value_t = 90)]
    purge_after: u64,
    /// Seconds players have to come back after a restart before they count as disconnected.
    #[arg(long, env = "BAIZE_RETURN_WITHIN", default_value_t = 30)]
    return_within: u64,
    /// The most tables in memory at once.
    #[arg(long, env = "BAIZE_MAX_TABLES", default_value_t = 100_000)]
    max_tables: usize,
    /// The most connections at once. Beyond it, those that have joined no table make room for new ones. The default is as many as
    /// the system gives files.
    #[arg(long, env = "BAIZE_MAX_CONNECTIONS")]
    max_connections: Option<usize>,
    /// The most connections at once from one address.
    #[arg(long, env = "BAIZE_MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 512)]
    max_connections_per_address: usize,
    /// The most WebSockets at once.
    #[arg(long, env = "BAIZE_MAX_SOCKETS", default_value_t = 100_000)]
    max_sockets: usize,
    /// The most WebSockets at once from one address.
    #[arg(long, env = "BAIZE_MAX_SOCKETS_PER_ADDRESS", default_value_t = 256)]
    max_sockets_per_address: usize,
    /// The most people who may watch one table at the same time.
    #[arg(long, env = "BAIZE_MAX_SPECTATORS", default_value_t = 100)]
    max_spectators: usize,
    /// Messages a connection may send in a second. It may send three seconds' worth at once.
    #[arg(long, env = "BAIZE_ACTIONS_PER_SECOND", default_value_t = 20)]
    actions_per_second: u32,
    /// Tables and packs one address may make in a minute.
    #[arg(long, env = "BAIZE_MAKES_PER_MINUTE", default_value_t = 30)]
    makes_per_minute: u32,
    /// Tables and replays one address may look up in a minute. Joining a table counts only if it fails.
    #[arg(long, env = "BAIZE_LOOKS_PER_MINUTE", default_value_t = 600)]
    looks_per_minute: u32,
    /// The most packs that people have uploaded and the server keeps, in all.
    #[arg(long, env = "BAIZE_MAX_PACKS", default_value_t = 20_000)]
    max_packs: u64,
    /// The most megabytes that these packs take up, in all.
    #[arg(long, env = "BAIZE_MAX_PACK_MEGABYTES", default_value_t = 1024)]
    max_pack_megabytes: u64,
    /// The most packs that the server keeps of what one address has uploaded.
    #[arg(long, env = "BAIZE_MAX_PACKS_PER_ADDRESS", default_value_t = 1_000)]
    max_packs_per_address: u64,
    /// The most megabytes that these packs of one address take up.
    #[arg(long, env = "BAIZE_MAX_PACK_MEGABYTES_PER_ADDRESS", default_value_t = 32)]
    max_pack_megabytes_per_address: u64,
    /// Days after which an uploaded pack that no table uses is deleted; 0: never.
    #[arg(long, env = "BAIZE_PACK_EXPIRY", default_value_t = 30)]
    pack_expiry: u64,
    /// The most tables that the server keeps, in all.
    #[arg(long, env = "BAIZE_MAX_STORED_TABLES", default_value_t = 200_000)]
    max_stored_tables: u64,
    /// The most tables that the server keeps of those made from one address.
    #[arg(long, env = "BAIZE_MAX_STORED_TABLES_PER_ADDRESS", default_value_t = 2_000)]
    max_stored_tables_per_address: u64,
    /// Hours after which a table that nobody has come to is deleted; 0: never.
    #[arg(long, env = "BAIZE_UNUSED_TABLE_EXPIRY", default_value_t = 24)]
    unused_table_expiry: u64,
    /// Days after which a report is deleted; 0: never.
    #[arg(long, env = "BAIZE_REPORT_EXPIRY", default_value_t = 90)]
    report_expiry: u64,
    /// How many reverse proxies stand in front of the server. It trusts as many entries of X-Forwarded-For, counted from the
    /// right.
    #[arg(long, env = "BAIZE_PROXIES", default_value_t = 0)]
    proxies: usize,
    /// The same as --proxies 1.
    #[arg(long, env = "BAIZE_BEHIND_PROXY")]
    behind_proxy: bool,
    /// Another name that this server answers to. It works only with --public-url, whose name the server always answers to.
    #[arg(long = "host", env = "BAIZE_HOSTS", value_delimiter = ',', requires = "public_url")]
    hosts: Vec<String>,
    /// Seconds after which a connection that waits for its next request is closed. A proxy has to close it sooner.
    #[arg(long, env = "BAIZE_IDLE_TIMEOUT", default_value_t = 75)]
    idle_timeout: u64,
    /// How the log is written to standard error: for people, or one JSON object a line.
    #[arg(long, env = "BAIZE_LOG", value_enum, default_value_t = LogFormat::Text)]
    log: LogFormat,
    /// Serve the browser client from this folder instead of from the program.
    #[arg(long, env = "BAIZE_WEB")]
    web: Option<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

impl LogFormat {
    fn init(self) {
        let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
        match self {
            LogFormat::Text => log.init(),
            LogFormat::Json => log.json().flatten_event(true).init(),
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let data = &args.data;
    make_private_folder(data)?;
    let games = match &args.games {
        Some(folder) => folder.clone(),
        None => write_embedded(data, "games", "baize", GAMES)?,
    };
    let packs = match &args.packs {
        Some(folder) => folder.clone(),
        None => write_embedded(data, "packs", "json", PACKS)?,
    };
    let mut config = Config::new(args.listen, data.clone(), games);
    config.packs = Some(packs);
    config.shared = args.database.clone().map(|database| Shared {
        database,
        redis: args.redis.clone(),
        node: args.node.clone().unwrap_or_else(|| machine(args.listen.port())),
        lease: Duration::from_secs(args.lease.max(1)),
    });
    config.public_url = args.public_url.clone();
    config.origins = args.origins.clone();
    config.bot_delay = args.bot_delay;
    config.bot_threads = args.bot_threads.max(1);
    config.park_after = args.park_after.saturating_mul(1000);
    config.purge_after = args.purge_after.saturating_mul(24 * 3_600_000);
    config.return_within = args.return_within.saturating_mul(1000);
    config.max_tables = args.max_tables;
    config.max_connections = args.max_connections.unwrap_or(usize::MAX);
    config.max_connections_per_address = args.max_connections_per_address;
    config.max_sockets = args.max_sockets;
    config.max_sockets_per_address = args.max_sockets_per_address;
    config.max_spectators = args.max_spectators;
    config.actions_per_second = args.actions_per_second;
    config.makes_per_minute = args.makes_per_minute;
    config.looks_per_minute = args.looks_per_minute;
    config.pack_quotas = PackQuotas {
        total: PackQuota { packs: args.max_packs, bytes: args.max_pack_megabytes.saturating_mul(1 << 20) },
        origin: PackQuota {
            packs: args.max_packs_per_address,
            bytes: args.max_pack_megabytes_per_address.saturating_mul(1 << 20),
        },
    };
    config.pack_expiry = args.pack_expiry.saturating_mul(24 * 3_600_000);
    config.table_quotas = TableQuotas { total: args.max_stored_tables, origin: args.max_stored_tables_per_address };
    config.unused_table_expiry = args.unused_table_expiry.saturating_mul(3_600_000);
    config.report_expiry = args.report_expiry.saturating_mul(24 * 3_600_000);
    config.proxies = args.proxies.max(usize::from(args.behind_proxy));
    config.hosts = args.hosts.clone();
    config.timeouts.idle = args.idle_timeout.saturating_mul(1000);
    config.web = web(args.web.as_deref());
    raise_file_limit();
    args.log.init();
    until_stopped(config, |url| println!("Open {url} in a browser. Stop with Ctrl+C."))
}

/// The default name of a node: the machine's name and the port.
fn machine(port: u16) -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = "baize";
    format!("{name}-{port}")
}

/// The browser client in this folder, or else the embedded one.
pub fn web(folder: Option<&str>) -> Web {
    match folder {
        // The leaked path lives until the program ends, like the server.
        Some(folder) => Web::Folder(String::leak(folder.to_owned())),
        None if WEB.is_empty() => Web::None,
        None => Web::Embedded(WEB),
    }
}

/// Serves until a signal stops the program. Calls `say` with the link as soon as the server listens.
pub fn until_stopped(config: Config, say: impl FnOnce(&str)) -> Result<ExitCode, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let server = Server::bind(config).await.map_err(|e| e.to_string())?;
        say(server.url());
        server.serve(stopped()).await.map_err(|e| e.to_string())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Raises the soft limit on open files to the hard limit, because each socket is a file and the default is low.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    // If the system refuses, the limit stays lower and fewer sockets can be open.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
}

#[cfg(not(unix))]
fn raise_file_limit() {}

/// Makes the data folder if it is missing. Only its owner may read it.
pub fn make_private_folder(folder: &Path) -> Result<(), String> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Writes embedded games or packs into a folder, because the server watches folders.
pub fn write_embedded(data: &Path, name: &str, extension: &str, files: &[(&str, &str)]) -> Result<PathBuf, String> {
    let folder = data.join(name);
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for (stem, text) in files {
        std::fs::write(folder.join(format!("{stem}.{extension}")), text).map_err(failed)?;
    }
    Ok(folder)
}

/// Waits for Ctrl+C, or for the signal that service managers send.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        match terminate {
            Ok(mut terminate) => tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} },
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}
