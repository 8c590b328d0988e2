//! The state machines of the server and of the store do no IO, so that a simulator can drive them.

use crate::modules::paths;
use crate::sources::{Source, Token, all_sources};

/// Files that are state machines, or that hold what goes into them and comes out, with the folder of their crate.
const STATE_MACHINES: [(&str, &str); 11] = [
    ("server", "frames.rs"),
    ("server", "frames/decoder.rs"),
    ("server", "outgoing.rs"),
    ("server", "socket/session.rs"),
    ("server", "cluster/peer_link.rs"),
    ("server", "cluster/peer_message.rs"),
    ("server", "cluster/peers.rs"),
    ("server", "cluster/socket_peer.rs"),
    ("server", "cluster/stand_in.rs"),
    ("server", "cluster/table_peer.rs"),
    ("store", "postgres/leases.rs"),
];

/// Words with which code reaches sockets, files, clocks, threads, databases or randomness of its own.
const IO: [&str; 22] = [
    "tokio",
    "hyper",
    "redis",
    "rusqlite",
    "tokio_postgres",
    "getrandom",
    "rustix",
    "net",
    "fs",
    "thread",
    "Instant",
    "SystemTime",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "OwnedReadHalf",
    "OwnedWriteHalf",
    "Services",
    "async",
    "spawn",
    "sleep",
];

#[test]
fn state_machines_name_no_io_and_use_only_each_other() {
    for (krate, file) in STATE_MACHINES {
        let sources = &all_sources()[krate];
        let source = sources.iter().find(|source| source.path.to_str() == Some(file));
        let source = source.unwrap_or_else(|| panic!("there is no crates/{krate}/src/{file}"));
        let words = io_words(source);
        assert!(words.is_empty(), "crates/{krate}/src/{file} is a state machine and names {words:?}");
        let machines = sources.iter().filter(|other| STATE_MACHINES.iter().any(|one| is_file(*one, krate, other)));
        let machines: Vec<&[String]> = machines.map(|other| &other.module[..]).collect();
        for path in paths(&source.tokens, &source.module) {
            assert!(
                machines.iter().any(|module| path.starts_with(module)),
                "crates/{krate}/src/{file} is a state machine and uses {}, which is none",
                path.join("::")
            );
        }
    }
}

#[test]
fn io_is_found_in_files_that_do_it() {
    let sources = &all_sources()["server"];
    for (file, word) in [("outbox.rs", "tokio"), ("clock.rs", "Instant"), ("cluster/peer_task.rs", "Services")] {
        let source = sources.iter().find(|source| source.path.to_str() == Some(file)).unwrap();
        assert!(io_words(source).contains(&word), "{word} is not found in {file}");
    }
}

fn is_file((krate, file): (&str, &str), of: &str, source: &Source) -> bool {
    krate == of && source.path.to_str() == Some(file)
}

fn io_words(source: &Source) -> Vec<&str> {
    source.tokens.iter().filter_map(Token::word).filter(|word| IO.contains(word)).collect()
}
