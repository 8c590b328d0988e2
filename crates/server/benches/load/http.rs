//! The requests that do not go over a socket.

use crate::player::secret;
use baize_protocol::http::{CreateTable, CreatedTable};
use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub async fn get(server: SocketAddr, path: &str) -> io::Result<String> {
    request(server, &format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n")).await
}

/// Makes a table and returns its code.
pub async fn make_table(server: SocketAddr, game: &str, host: &str) -> io::Result<String> {
    let (id, game, name) = (format!("load-generator-{host}"), game.to_owned(), host.to_owned());
    let body = serde_json::to_string(&CreateTable { id, game, name, settings: Default::default() })?;
    let (length, secret) = (body.len(), secret(host));
    let answer = request(
        server,
        &format!(
            "POST /api/tables HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {secret}\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
    .await?;
    Ok(serde_json::from_str::<CreatedTable>(&answer)?.code)
}

async fn request(server: SocketAddr, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(server).await?;
    stream.write_all(text.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(io::Error::other(answer.into_owned()));
    }
    Ok(body.to_owned())
}
