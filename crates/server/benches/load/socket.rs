//! A minimal client side of a WebSocket: thousands of them share one core with the load generator.

use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Any key will do: this client does not check the server's answer.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

pub struct Socket {
    stream: TcpStream,
    /// Received and not parsed yet; freed when empty, so that an idle client costs nothing.
    buffer: Vec<u8>,
    /// Bytes received since the handshake, including frame headers.
    pub received: u64,
}

pub enum SocketItem {
    Text(String),
    Closed,
}

impl Socket {
    pub async fn open(address: SocketAddr, receive_buffer: Option<u32>) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        if let Some(size) = receive_buffer {
            socket.set_recv_buffer_size(size)?;
        }
        let mut stream = socket.connect(address).await?;
        stream.set_nodelay(true)?;
        let hello = format!(
            "GET /api/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"
        );
        stream.write_all(hello.as_bytes()).await?;
        let mut answer = Vec::new();
        loop {
            if stream.read_buf(&mut answer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") {
                if !answer.starts_with(b"HTTP/1.1 101") {
                    return Err(io::Error::other(String::from_utf8_lossy(&answer[..end]).into_owned()));
                }
                let buffer = answer.split_off(end + 4);
                return Ok(Socket { stream, received: buffer.len() as u64, buffer });
            }
        }
    }

    pub async fn drop_connection(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    pub async fn send(&mut self, text: &str) -> io::Result<()> {
        self.write(1, text.as_bytes()).await
    }

    /// Masks with zeros, which the RFC permits.
    async fn write(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        let mut frame = Vec::with_capacity(body.len() + 8);
        frame.push(0x80 | kind);
        match u8::try_from(body.len()) {
            Ok(short @ ..=125) => frame.push(0x80 | short),
            _ => {
                frame.push(0x80 | 126);
                frame.extend((body.len() as u16).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(body);
        self.stream.write_all(&frame).await
    }

    /// The next text. Cancel-safe: received bytes stay in the buffer.
    pub async fn receive(&mut self) -> io::Result<SocketItem> {
        loop {
            while let Some((kind, body)) = self.take_frame() {
                match kind {
                    1 => return String::from_utf8(body).map(SocketItem::Text).map_err(io::Error::other),
                    8 => return Ok(SocketItem::Closed),
                    9 => self.write(10, &body).await?,
                    _ => {}
                }
            }
            if self.buffer.is_empty() {
                self.buffer = Vec::new();
                self.stream.readable().await?;
            }
            match self.stream.read_buf(&mut self.buffer).await? {
                0 => return Ok(SocketItem::Closed),
                n => self.received += n as u64,
            }
        }
    }

    fn take_frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let [first, second, ..] = self.buffer[..] else { return None };
        let (head, length) = match second & 0x7f {
            126 => (4, usize::from(u16::from_be_bytes(self.buffer.get(2..4)?.try_into().ok()?))),
            127 => (10, u64::from_be_bytes(self.buffer.get(2..10)?.try_into().ok()?) as usize),
            short => (2, usize::from(short)),
        };
        let body = self.buffer.get(head..head + length)?.to_vec();
        self.buffer.drain(..head + length);
        Some((first & 0x0f, body))
    }
}
