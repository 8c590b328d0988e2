//! The servers start, come back on the same port after a crash, and end when they are dropped.

use baize_test_servers::{Postgres, RedisServer};
use std::net::TcpStream;

/// Whether the server at `scheme://user@host:port/…` accepts a connection.
fn reachable(url: &str) -> bool {
    let rest = url.split("://").nth(1).unwrap();
    let address = rest.split('/').next().unwrap().rsplit('@').next().unwrap();
    TcpStream::connect(address).is_ok()
}

#[test]
fn postgres_restarts_on_its_port_and_ends_when_dropped() {
    let server = Postgres::start().unwrap();
    let url = server.url();
    assert_ne!(server.database().unwrap(), server.database().unwrap());
    server.restart().unwrap();
    assert!(reachable(&url) && server.url() == url);
    server.stop().unwrap();
    assert!(!reachable(&url));
    server.start_again().unwrap();
    server.database().unwrap();
    drop(server);
    assert!(!reachable(&url));
}

#[test]
fn redis_restarts_on_its_port_and_ends_when_dropped() {
    let server = RedisServer::start().unwrap();
    let url = server.url();
    server.flush().unwrap();
    server.restart().unwrap();
    assert!(reachable(&url) && server.url() == url);
    server.stop().unwrap();
    assert!(!reachable(&url) && server.flush().is_err());
    server.start_again().unwrap();
    drop(server);
    assert!(!reachable(&url));
}
