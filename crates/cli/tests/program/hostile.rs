//! Clients that try to use up the server's memory, connections or files. The server is a process of its own, so that its
//! memory can be read from the system.

use crate::client::{Client, request};
use crate::process::Process;
use baize_protocol::Action;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const MB: usize = 1 << 20;

/// The buffer that the server requests for a socket; the system may give more.
const SOCKET_BUFFER: usize = 32 * 1024;

/// The bytes of one flood unless the server ends it: enough to show up in the server's memory.
const FLOOD: usize = 64 * MB;

/// A WebSocket that reads nothing after the handshake.
async fn open_socket(address: SocketAddr) -> TcpStream {
    // A small receive buffer fills up soon.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let request = format!(
        "GET /api/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    stream
}

/// A masked frame, as clients must send it. The mask is zero.
fn frame(first: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![first];
    match u8::try_from(body.len()) {
        Ok(short @ ..=125) => out.push(0x80 | short),
        _ => {
            out.push(0x80 | 126);
            out.extend((body.len() as u16).to_be_bytes());
        }
    }
    out.extend([0; 4]);
    out.extend(body);
    out
}

/// Sends the same bytes again and again until the server hangs up, or until [`FLOOD`] bytes are sent. Returns how many bytes
/// the server took.
async fn flood(mut stream: TcpStream, unit: Vec<u8>) -> usize {
    let block = unit.repeat(MB.div_ceil(unit.len()));
    let mut sent = 0;
    while sent < FLOOD {
        match stream.write(&block[sent % unit.len()..]).await {
            Ok(count @ 1..) => sent += count,
            _ => break,
        }
    }
    sent
}

/// The bytes in the server's send queue and in its receive queue.
fn server_queues(stream: &TcpStream) -> (usize, usize) {
    let port = |address: std::io::Result<SocketAddr>| format!(":{:04X}", address.unwrap().port());
    let (client, server) = (port(stream.local_addr()), port(stream.peer_addr()));
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = rows.find(|row| row[1].ends_with(&server) && row[2].ends_with(&client)).unwrap();
    let (written, unread) = row[4].split_once(':').unwrap();
    (usize::from_str_radix(written, 16).unwrap(), usize::from_str_radix(unread, 16).unwrap())
}

/// Sends pings and reads no pongs, until the system's buffers are full and pongs wait in the server itself.
async fn fill_up(stream: &mut TcpStream) {
    let pings = frame(0x89, &[b'p'; 125]).repeat(8);
    let mut written = 0;
    loop {
        stream.write_all(&pings).await.unwrap();
        let mut queues = server_queues(stream);
        while queues.1 > 0 {
            tokio::task::yield_now().await;
            queues = server_queues(stream);
        }
        // The server writes pongs after it has read the pings, and a few bytes may still be on their way.
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        queues = server_queues(stream);
        if queues.0 > SOCKET_BUFFER && queues.0 == written {
            return;
        }
        written = queues.0;
    }
}

/// SOCK-4. Regression: one flooding socket grew the process from 39 to 745 MB in five seconds, and twelve grew it to 2.5 GB. The
/// client read nothing, so the server could not finish closing the socket and kept all bytes that arrived meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_that_flood_after_a_hang_up_do_not_fill_memory() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let before = process.memory("VmHWM");
    for sockets in [1, 12] {
        let mut streams = Vec::new();
        for _ in 0..sockets {
            let mut stream = open_socket(process.address).await;
            fill_up(&mut stream).await;
            // The server hangs up after a frame with an unknown opcode.
            stream.write_all(&frame(0x83, b"")).await.unwrap();
            streams.push(stream);
        }
        let junk = frame(0x81, &[b'x'; 8192]);
        let floods: Vec<_> = streams.into_iter().map(|stream| tokio::spawn(flood(stream, junk.clone()))).collect();
        let mut taken = 0;
        for flood in floods {
            taken += flood.await.unwrap();
        }
        let (now, most) = (process.memory("VmRSS"), process.memory("VmHWM"));
        println!(
            "{sockets} unread sockets: {:.1} MB before, {:.1} MB at most, {:.1} MB after; {taken} bytes taken",
            before as f64 / MB as f64,
            most as f64 / MB as f64,
            now as f64 / MB as f64
        );
        assert!(most < before + 32 * MB, "{} MB", most / MB);
    }
}

/// SOCK-4: the memory for a client that has not joined and reads no answers is bounded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_that_flood_without_reading_do_not_fill_memory() {
    let floods: [(&str, Vec<u8>); 6] = [
        ("pings", frame(0x89, &[b'p'; 125])),
        ("texts", frame(0x81, b"no JSON")),
        ("binary messages", frame(0x82, &[0; 8192])),
        ("empty fragments", frame(0x01, b"")),
        ("messages without end", [frame(0x01, b"a"), frame(0x00, b"").repeat(10_000)].concat()),
        ("bytes that are no frames", vec![0xff; 4096]),
    ];
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let before = process.memory("VmHWM");
    let mut tasks = Vec::new();
    for _ in 0..2 {
        for (what, unit) in &floods {
            let stream = open_socket(process.address).await;
            tasks.push((what, tokio::spawn(flood(stream, unit.clone()))));
        }
    }
    for (what, task) in tasks {
        println!("{what}: {} bytes were taken", task.await.unwrap());
    }
    let after = process.memory("VmHWM");
    println!("memory at most: {} MB before, {} MB after", before / MB, after / MB);
    assert!(after < before + 32 * MB, "{} MB", after / MB);
}

/// Opens idle connections from several loopback addresses of this machine.
async fn idle(address: SocketAddr, addresses: u8, each: usize) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for n in 0..addresses {
        for _ in 0..each {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind((Ipv4Addr::new(127, 0, 1, n), 0).into()).unwrap();
            // The server may close older connections, but it accepts every new one.
            streams.push(socket.connect(address).await.unwrap());
        }
    }
    streams
}

/// LIMIT-4. Regression: 20,200 idle connections from one address made visitors time out. The test opens more connections than
/// the server has files, first from one address and then from many.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_leave_room_for_visitors_and_players() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::with_files(data.path(), 1000);
    let code = process.table("pig", "Ann").await;
    let mut ann = Client::connect(process.address).await;
    ann.join(&code, "Ann").await.unwrap();
    for (addresses, each) in [(1, 4000), (40, 100)] {
        let idle = idle(process.address, addresses, each).await;
        let host = format!("Host: {}\r\n", process.address);
        for _ in 0..20 {
            let (status, ..) = request(process.address, "GET", "/api/games", &host, b"").await.unwrap();
            assert_eq!(status, 200);
        }
        let mut ben = Client::connect(process.address).await;
        ben.watch(&code, "Ben").await.unwrap();
        ann.act(Action::Heartbeat).await.unwrap();
        let metrics = process.http("GET", "/metrics", "Ann", "").await;
        let metric = |name: &str| {
            metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<usize>().ok()).unwrap()
        };
        let (open, shed) = (metric("baize_connections "), metric("baize_shed_total "));
        println!("{} idle connections from {addresses} addresses: {open} open, {shed} shed", idle.len());
        // With so few files, the server keeps a quarter of them for other uses.
        assert!(open <= 750 && shed > 3000, "{open} open, {shed} shed");
    }
}
