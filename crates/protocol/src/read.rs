//! Reads messages from clients.

use crate::client::{Action, ClientMessage, Envelope};
use baize_engine::view::{Answer, Chosen};
use serde::Deserialize;

impl ClientMessage {
    /// Reads a message. Most messages are moves, so it tries to read a move first: serde would have to read an action twice,
    /// because its tag may follow its fields.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        match serde_json::from_str::<MoveMessage>(text) {
            Ok(MoveMessage { v, kind, request_id, action: MoveAction { decision, alternative, parts, .. } }) => {
                let action = Action::Move(Answer { decision, alternative, parts });
                Ok(ClientMessage { v, kind, request_id, action })
            }
            Err(_) => serde_json::from_str(text),
        }
    }
}

/// A [`ClientMessage`] with a move.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveMessage {
    v: u32,
    #[serde(rename = "type")]
    kind: Envelope,
    request_id: String,
    action: MoveAction,
}

#[derive(Deserialize)]
struct MoveAction {
    #[serde(rename = "type")]
    _kind: OnlyMove,
    decision: u32,
    alternative: u16,
    #[serde(default)]
    parts: Vec<Chosen>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum OnlyMove {
    Move,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_path_reads_moves_like_serde() {
        for text in [
            r#"{"v":3,"type":"action","requestId":"a","action":{"type":"move","decision":3,"alternative":1}}"#,
            r#"{"action":{"parts":[{"card":7},{"cards":[1,2]},{"number":-1},{"text":"é"}],"alternative":0,"decision":9,
               "type":"move","more":1},"requestId":"","type":"action","v":3,"more":{}}"#,
            r#"{"v":3,"type":"action","requestId":"a","action":{"type":"startGame"}}"#,
            r#"{"v":3,"type":"action","requestId":"a","action":{"type":"chat","text":"move"}}"#,
        ] {
            let by_serde: ClientMessage = serde_json::from_str(text).unwrap();
            assert_eq!(ClientMessage::read(text).unwrap(), by_serde);
        }
        for text in [
            "",
            r#"{"v":3,"type":"action","requestId":"a","action":{"type":"move","decision":3}}"#,
            r#"{"v":3,"type":"action","requestId":"a","action":{"type":"move","decision":-3,"alternative":1}}"#,
            r#"{"v":3,"type":"state","requestId":"a","action":{"type":"move","decision":3,"alternative":1}}"#,
        ] {
            assert!(
                ClientMessage::read(text).is_err() && serde_json::from_str::<ClientMessage>(text).is_err(),
                "{text}"
            );
        }
    }
}
