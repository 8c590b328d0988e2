//! Orders that reach a room: closing the table, deleting it, forgetting somebody.

use super::{ClientId, Room};
use crate::identity::{Member, unhex};
use crate::orders::at_rest::closed_because;
use crate::orders::{Obey, Obeyed, Order};
use baize_engine::input::Input;
use baize_engine::view::{Line, Piece};
use baize_protocol::{ErrorCode, LeaveReason, Presence, TableEvent, TableStatus};
use tokio::sync::oneshot;

/// Orders that a room has taken up.
#[derive(Default)]
pub struct Orders {
    /// Done, as soon as it is on disk.
    done: Vec<oneshot::Sender<Obeyed>>,
    /// To be carried out when the room has ended: the table must be at rest.
    at_rest: Vec<Obey>,
}

impl Room {
    /// True: the room shall stop.
    pub(super) fn obey(&mut self, obey: Obey) -> bool {
        match &obey.order {
            Order::Close { reason, .. } => {
                self.close_table(reason);
                self.orders.done.push(obey.reply);
                return false;
            }
            Order::Delete { .. } => {
                self.close_table("");
            }
            Order::Forget { member } => {
                if let Some(member) = unhex(member) {
                    self.farewell(&member);
                }
            }
        }
        self.orders.at_rest.push(obey);
        true
    }

    /// The table is over for everyone, as when its host abandons it, and everyone reads why.
    fn close_table(&mut self, reason: &str) {
        if self.record.abandoned {
            return;
        }
        self.record.abandoned = true;
        self.starting = None;
        self.session(closed_because(reason));
        // Also for those who do not read the chat.
        let text = Line(vec![Piece::Text(closed_because(reason))]);
        self.effects.event(TableEvent::Announced { text, kind: "session".into() });
        if self.under_way() {
            self.put(Input::Abandon);
        }
        if self.record.status != TableStatus::Ended {
            self.record.status = TableStatus::Ended;
            self.record.ended_at = Some(self.date());
            self.effects.event(TableEvent::GameEnded);
        }
        self.effects.table();
    }

    /// Somebody leaves for good. What the records know of them is scrubbed when the room has ended.
    fn farewell(&mut self, member: &Member) {
        let theirs = self.clients.iter().filter(|client| client.member == *member);
        let theirs: Vec<ClientId> = theirs.map(|client| client.id).collect();
        let player = self.record.by_member(member).filter(|player| player.presence != Presence::Left);
        if let Some(id) = player.map(|player| player.id.clone()) {
            self.remove(&id, LeaveReason::Left);
        }
        theirs.into_iter().for_each(|client| self.effects.close(client, ErrorCode::Forgotten));
        self.answered.remove(member);
        self.allowances.remove(member);
        self.askers.remove(member);
    }

    /// What was done is on disk.
    pub(super) fn answer_orders(&mut self) {
        for reply in self.orders.done.drain(..) {
            let _ = reply.send(Obeyed::Done);
        }
    }

    /// What the orders need was not written: nobody is answered, and they come again.
    pub(super) fn drop_orders(&mut self) {
        self.orders = Orders::default();
    }

    /// Why those who are connected when the room stops are cut off. They have read everything else by then.
    pub(super) fn end_code(&self) -> ErrorCode {
        let deleted = self.orders.at_rest.iter().any(|obey| matches!(obey.order, Order::Delete { .. }));
        if deleted { ErrorCode::TableClosed } else { ErrorCode::Closing }
    }

    pub(super) fn orders_at_rest(&mut self) -> Vec<Obey> {
        std::mem::take(&mut self.orders.at_rest)
    }
}
