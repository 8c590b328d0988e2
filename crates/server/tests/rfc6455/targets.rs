//! The servers that the cases run against.

use baize_server::frames::{self, Decoder, Incoming};
use baize_server::{Config, Server, ServerClock};
use std::net::SocketAddr;
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// An echo server made of our frame layer, which accepts messages of up to `MAX` bytes.
pub async fn echo<const MAX: usize>() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer::<MAX>(stream));
        }
    });
    address
}

async fn answer<const MAX: usize>(mut stream: TcpStream) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await.ok()?;
    let mut decoder = Decoder::<MAX>::default();
    let mut buffer = [0; 4096];
    while !decoder.is_over() {
        let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        let mut bytes = &buffer[..count];
        while let Some(incoming) = decoder.next(&mut bytes) {
            let answer = match incoming {
                Incoming::Text(text) => frames::text(text.as_bytes()),
                Incoming::Binary(bytes) => frames::binary(&bytes),
                Incoming::Ping(bytes) => frames::pong(&bytes),
                Incoming::Pong => continue,
                Incoming::Close(said) => frames::close_again(&said),
                Incoming::Failed(failure) => frames::close(failure.close_code(), ""),
            };
            stream.write_all(&answer).await.ok()?;
        }
    }
    stream.shutdown().await.ok()?;
    while stream.read(&mut buffer).await.ok()? > 0 {}
    Some(())
}

/// A whole server. Its clock stands still, so it does nothing because of a timeout.
pub async fn server(data: &Path) -> SocketAddr {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/pig.baize");
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), data.to_owned(), games);
    config.clock = ServerClock::driven(1_700_000_000_000);
    config.actions_per_second = 1_000_000;
    let server = Server::bind(config).await.unwrap();
    let address = server.address().unwrap();
    tokio::spawn(server.serve(std::future::pending()));
    address
}
