//! Accepts connections and reads requests from them, until they time out or are shed.
//!
//! A connection that sends no request, sends it slowly, or reads its answer slowly is closed after
//! [`crate::config::Timeouts`]. A connection for which there is no place is refused at once. See [`crate::connections`]
//! for the rules of shedding.

use super::answers::{AnswerPiece, AnswerShare, BudgetUsedUp, EmbeddedBytes};
use super::{guard, refused, routes};
use crate::Services;
use crate::address::{self, Network};
use crate::clock::Alarm;
use crate::config::Timeouts;
use crate::connections::Ticket;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::{Router, middleware};
use baize_protocol::ErrorCode;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::future::Future;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, watch};

/// Small socket buffers, because a client that does not read must not hold much of the kernel's memory either. Accepted
/// sockets inherit this size.
const SOCKET_BUFFER: u32 = 32 * 1024;
/// Buffer for a request or an answer; a request head that does not fit is refused (431).
const HTTP_BUFFER: usize = 16 * 1024;
/// How long the server waits after the system could not give it another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SOCKET_BUFFER)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// Serves until `shutdown` is ready. Then accepts nobody, and ends when every request that has begun is answered.
pub async fn serve(services: Arc<Services>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let app =
        routes::router().layer(middleware::from_fn_with_state(services.clone(), guard)).with_state(services.clone());
    let (stop, stopping) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => match services.connections.admit(Network::of(peer.ip())) {
                Some(ticket) => {
                    let connection = Connection::new(services.clone(), app.clone(), peer, ticket);
                    tokio::spawn(connection.serve(stream, stopping.clone()));
                }
                None => refuse(stream),
            },
            // The client has disconnected already.
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                services.connections.shed_one();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop((listener, stopping));
    stop.send_replace(true);
    stop.closed().await;
}

/// Answers that there is no place, as far as that is possible without waiting.
fn refuse(stream: TcpStream) {
    let text = format!("{{\"error\":\"{}\",\"text\":\"{}\"}}", ErrorCode::Busy, ErrorCode::Busy.text());
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Retry-After: 10\r\nContent-Length: {}\r\n\r\n{text}",
        text.len()
    );
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(answer.as_bytes());
    }
}

/// One connection, as long as it speaks HTTP.
struct Connection {
    services: Arc<Services>,
    app: TowerToHyperService<Router>,
    peer: SocketAddr,
    state: Arc<ConnectionState>,
}

/// The state of a connection between requests and answers.
struct ConnectionState {
    services: Arc<Services>,
    /// Passed to the socket that the connection may become.
    ticket: Arc<Ticket>,
    phase: Mutex<(RequestPhase, u64)>,
    phase_changed: Notify,
}

#[derive(Clone, Copy)]
enum RequestPhase {
    /// No request has come yet.
    New,
    Answering,
    /// Waits for the next request.
    Idle,
}

impl Connection {
    fn new(services: Arc<Services>, app: Router, peer: SocketAddr, ticket: Ticket) -> Self {
        let phase = Mutex::new((RequestPhase::New, services.config.clock.now()));
        let state = ConnectionState {
            services: services.clone(),
            ticket: Arc::new(ticket),
            phase,
            phase_changed: Notify::new(),
        };
        Connection { services, app: TowerToHyperService::new(app), peer, state: Arc::new(state) }
    }

    async fn serve(self, stream: TcpStream, mut stopping: watch::Receiver<bool>) {
        // Nagle's algorithm would only delay a move, which is one small message.
        let _ = stream.set_nodelay(true);
        let (services, state) = (self.services.clone(), self.state.clone());
        let (clock, timeouts) = (&services.config.clock, &services.config.timeouts);
        let http = http1::Builder::new().max_buf_size(HTTP_BUFFER).serve_connection(TokioIo::new(stream), self);
        let mut http = pin!(http.with_upgrades());
        let mut alarm = pin!(Alarm::None);
        let mut last = false;
        loop {
            let deadline = state.deadline(timeouts);
            tokio::select! {
                _ = http.as_mut() => return,
                () = state.ticket.shed() => return,
                () = state.phase_changed.notified() => {}
                _ = stopping.wait_for(|stop| *stop), if !last => {
                    last = true;
                    http.as_mut().graceful_shutdown();
                }
                () = clock.sleep_until(deadline, alarm.as_mut()) => {
                    if state.deadline(timeouts) <= clock.now() {
                        return;
                    }
                }
            }
        }
    }
}

impl ConnectionState {
    fn deadline(&self, timeouts: &Timeouts) -> u64 {
        let (phase, since) = *self.phase.lock().expect("no panic under this lock");
        since.saturating_add(match phase {
            RequestPhase::New => timeouts.head,
            RequestPhase::Answering => timeouts.answer,
            RequestPhase::Idle => timeouts.idle,
        })
    }

    fn enter(&self, phase: RequestPhase) {
        *self.phase.lock().expect("no panic under this lock") = (phase, self.services.config.clock.now());
        self.phase_changed.notify_one();
    }
}

impl Service<Request<Incoming>> for Connection {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.state.enter(RequestPhase::Answering);
        let network = address::client_network(&self.services.config, request.headers(), self.peer);
        let admitted = self.state.ticket.begin_request(network);
        let guard = RequestGuard(self.state.clone());
        request.extensions_mut().insert(ConnectInfo(self.peer));
        request.extensions_mut().insert(self.state.ticket.clone());
        let (app, answers) = (self.app.clone(), self.services.answers.clone());
        Box::pin(async move {
            let response = match admitted {
                true => app.call(request).await.unwrap_or_else(|never| match never {}),
                false => refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy).into_response(),
            };
            let bytes = match response.extensions().get::<EmbeddedBytes>() {
                Some(EmbeddedBytes) => 0,
                None => response.body().size_hint().lower(),
            };
            let (response, share) = match answers.take(network, bytes) {
                Ok(share) => (response, share),
                Err(BudgetUsedUp) => (refuse_unread(), None),
            };
            Ok(response.map(|body| AnswerBody { body, share, _guard: guard }))
        })
    }
}

/// The answer to a client whose budget for unread answers is used up.
fn refuse_unread() -> Response<Body> {
    ([(header::RETRY_AFTER, "10")], refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy)).into_response()
}

/// The body of an answer. When it is dropped, the request has been answered.
struct AnswerBody {
    body: Body,
    /// The answer's share of the budget for unsent bytes. None: the answer is small.
    share: Option<Arc<AnswerShare>>,
    _guard: RequestGuard,
}

struct RequestGuard(Arc<ConnectionState>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.ticket.end_request();
        self.0.enter(RequestPhase::Idle);
    }
}

impl hyper::body::Body for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &self.share {
            None => polled,
            Some(share) => polled.map_ok(|frame| frame.map_data(|bytes| AnswerPiece::hold(bytes, share.clone()))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
