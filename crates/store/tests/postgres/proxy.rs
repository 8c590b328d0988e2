//! A proxy before Postgres that can cut the connection at an exact moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How the proxy cuts the connection at the next message to the server.
#[derive(Clone, Copy)]
pub enum Cut {
    /// The message arrives, and its answer does not.
    After = 1,
    /// The message does not arrive.
    Before = 2,
    /// Half of the message arrives.
    Within = 3,
}

pub struct Proxy {
    pub url: String,
    cut: Arc<AtomicU8>,
}

impl Proxy {
    pub async fn start(target: &str) -> Self {
        let (user, rest) = target.split_once('@').unwrap();
        let (address, database) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{user}@{}/{database}", listener.local_addr().unwrap());
        let (cut, address) = (Arc::new(AtomicU8::new(0)), address.to_owned());
        tokio::spawn({
            let cut = cut.clone();
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    let Ok(server) = TcpStream::connect(&address).await else { continue };
                    tokio::spawn(pass(client, server, cut.clone()));
                }
            }
        });
        Proxy { url, cut }
    }

    /// Cuts the connection that sends the next message.
    pub fn cut(&self, how: Cut) {
        self.cut.store(how as u8, Ordering::SeqCst);
    }

    /// Whether the last cut has happened.
    pub fn is_cut(&self) -> bool {
        self.cut.load(Ordering::SeqCst) == 0
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, cut: Arc<AtomicU8>) {
    let (mut from_client, mut from_server) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let passed = tokio::select! {
            read = client.read(&mut from_client) => match read {
                Ok(0) | Err(_) => return,
                Ok(n) => match cut.swap(0, Ordering::SeqCst) {
                    0 => server.write_all(&from_client[..n]).await,
                    how => {
                        let part = [n, 0, n / 2][how as usize - 1];
                        let _ = server.write_all(&from_client[..part]).await;
                        return;
                    }
                },
            },
            read = server.read(&mut from_server) => match read {
                Ok(0) | Err(_) => return,
                Ok(n) => client.write_all(&from_server[..n]).await,
            },
        };
        if passed.is_err() {
            return;
        }
    }
}
