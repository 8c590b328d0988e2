//! What is sent to a socket.

use crate::frames::{self, FrameBytes};
use baize_protocol::{ErrorCode, ServerMessage};
use baize_room::{ActionRefusal, encode};

/// A message to a socket.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A complete frame.
    Text(FrameBytes),
    /// Sends the reason, then closes the connection.
    Close(ErrorCode),
}

impl Outgoing {
    /// Encodes a message. If that fails, the client is closed and gets the whole state when it reconnects.
    pub fn message(message: &ServerMessage) -> Self {
        match encode::json("a message", message) {
            Ok(json) => Outgoing::Text(frames::text(&json)),
            Err(error) => {
                tracing::error!(%error, "a client is hung up on");
                Outgoing::Close(ErrorCode::Fault)
            }
        }
    }

    pub fn refusal(code: ErrorCode, request: Option<String>) -> Self {
        Outgoing::message(&ServerMessage::Error(ActionRefusal::from(code).refused(request)))
    }
}
