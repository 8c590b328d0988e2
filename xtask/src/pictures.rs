//! `cargo xtask pictures`: takes pictures of every game for the documents, or of the gallery for review by eye.

use crate::command::{Command, Purpose};
use crate::process::run as run_program;
use crate::{chromium, run as play, web};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command as Program, Stdio};
use std::time::{Duration, Instant};

pub const COMMAND: Command = Command {
    name: "pictures",
    purpose: Purpose::Develop,
    arguments: "[docs [GAME …] | gallery [NAME …]]",
    summary: "take the pictures of docs/pictures, or of every page of the gallery",
    details: &[
        "docs     plays every game, or each GAME, against bots, and writes pictures into docs/pictures",
        "gallery  draws every fixture of the browser client, or each NAME, at four sizes, and writes pictures",
        "         into web/shots for you to look at; Git ignores that folder",
        "",
        "Without an argument it does what docs does. It needs Chromium, or the browser that CHROMIUM names.",
    ],
    run,
};

fn run(args: &[&str]) -> Result<(), String> {
    match args {
        [] => docs(&[]),
        ["docs", games @ ..] => docs(games),
        ["gallery", names @ ..] => gallery(names),
        [unknown, ..] => Err(format!("there is `docs` and `gallery`, not `{unknown}`")),
    }
}

fn docs(games: &[&str]) -> Result<(), String> {
    let chromium = chromium::find()?;
    web::refresh()?;
    let program = play::build()?;
    let words = [&["run", "pictures", "--"], games].concat();
    run_program(web::npm(&words).env("CHROMIUM", chromium).env("BAIZE_BIN", program))
}

fn gallery(names: &[&str]) -> Result<(), String> {
    let chromium = chromium::find()?;
    web::install()?;
    let port = free_port()?;
    let server = DevelopmentServer::start(port)?;
    let base = format!("http://127.0.0.1:{port}");
    let words = [&["run", "shots", "--", "--base", &base], names].concat();
    let taken = run_program(web::npm(&words).env("CHROMIUM", chromium));
    drop(server);
    taken
}

/// The client's development server. Dropping it ends the server.
struct DevelopmentServer(Child);

impl DevelopmentServer {
    fn start(port: u16) -> Result<Self, String> {
        // Vite is started directly: if npm started it, killing npm would leave Vite running.
        let mut vite = Program::new("node");
        vite.args([
            "node_modules/vite/bin/vite.js",
            "--strictPort",
            "--host",
            "127.0.0.1",
            "--port",
            &port.to_string(),
        ]);
        let child = vite.current_dir(web::folder()).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let mut server = Self(child.map_err(|error| format!("cannot start the development server: {error}"))?);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = server.0.try_wait().is_ok_and(|status| status.is_some());
            if ended || start.elapsed() > Duration::from_secs(60) {
                return Err("the development server does not answer".into());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(server)
    }
}

impl Drop for DevelopmentServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> Result<u16, String> {
    let probe = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    probe.map(|address| address.port()).map_err(|error| format!("no free port: {error}"))
}
