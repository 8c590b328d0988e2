//! Takes the place of a table that another node has: a state machine without IO.
//!
//! [`StandIn::handle`] decides where each message to the table goes. The task around it is in `stand_in_task`.

use baize_room::{Act, ClientId, encode};
use baize_store::Unwritable;
use std::collections::BTreeSet;

/// A message to the table. `J`, `L` and `O` are what the task needs to pass on a join, a request for the table's card and an order.
#[derive(Debug)]
pub enum StandInMessage<J, L, O> {
    /// `is_guest`: the client's socket is at another node, which took this node for the one with the table.
    Join {
        client: ClientId,
        is_guest: bool,
        join: J,
    },
    Act(Box<Act>),
    Gone {
        client: ClientId,
    },
    /// Somebody asks for the table's card. `is_guest`: another node asks.
    Look {
        is_guest: bool,
        look: L,
    },
    Order(O),
    /// A message that only a room handles, such as a bot's decision. The node with the table has the files and the bots.
    ForRoom,
    /// The hub has removed the stand-in, because it is idle and no message waits.
    Parked,
    /// The node with the table has gone, or no longer has the table.
    Ended,
    /// The server stops.
    Stop,
}

/// Something for the stand-in's task to do.
#[derive(Debug)]
pub enum StandInEffect<J, L, O> {
    /// Pass the join to the node with the table.
    ForwardJoin(J),
    /// Pass the action, as JSON, to the node with the table.
    ForwardAct {
        client: ClientId,
        request: String,
        action: String,
    },
    ForwardGone {
        client: ClientId,
    },
    ForwardLook(L),
    /// Have the action refused, because it can't be encoded for the other node.
    Refuse {
        client: ClientId,
        request: String,
        error: Unwritable,
    },
    /// Send the guest back to its node, which asks the store again. Otherwise two nodes could forward a client to each other for
    /// ever.
    ReturnJoin(J),
    /// Tell the other node to ask the store again.
    ReturnLook(L),
    /// Answer that another node carries the order out.
    ReturnOrder(O),
    /// Tell the node with the table that the stand-in is over.
    Leave,
}

/// The clients of this node at a table that another node has.
#[derive(Debug, Default)]
pub struct StandIn {
    clients: BTreeSet<ClientId>,
    is_over: bool,
}

impl StandIn {
    /// Handles a message. After [`StandInEffect::Leave`] the stand-in ignores everything.
    pub fn handle<J, L, O>(&mut self, message: StandInMessage<J, L, O>) -> Option<StandInEffect<J, L, O>> {
        if self.is_over {
            return None;
        }
        match message {
            StandInMessage::Join { is_guest: true, join, .. } => Some(StandInEffect::ReturnJoin(join)),
            StandInMessage::Join { client, join, .. } => {
                self.clients.insert(client);
                Some(StandInEffect::ForwardJoin(join))
            }
            StandInMessage::Act(act) => {
                let Act { client, request, action, .. } = *act;
                Some(match encode::json_text("an action", &action) {
                    Ok(action) => StandInEffect::ForwardAct { client, request, action },
                    Err(error) => StandInEffect::Refuse { client, request, error },
                })
            }
            StandInMessage::Gone { client } => {
                self.clients.remove(&client);
                Some(StandInEffect::ForwardGone { client })
            }
            StandInMessage::Look { is_guest: true, look } => Some(StandInEffect::ReturnLook(look)),
            StandInMessage::Look { look, .. } => Some(StandInEffect::ForwardLook(look)),
            StandInMessage::Order(order) => Some(StandInEffect::ReturnOrder(order)),
            StandInMessage::ForRoom => None,
            StandInMessage::Parked | StandInMessage::Ended | StandInMessage::Stop => {
                self.is_over = true;
                Some(StandInEffect::Leave)
            }
        }
    }

    /// Whether the hub may remove the stand-in: no client of this node is at the table.
    pub fn is_idle(&self) -> bool {
        self.clients.is_empty() && !self.is_over
    }

    /// True after [`StandInEffect::Leave`].
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_protocol::Action;

    type TestMessage = StandInMessage<&'static str, &'static str, &'static str>;

    fn join(client: ClientId, is_guest: bool) -> TestMessage {
        StandInMessage::Join { client, is_guest, join: "a join" }
    }

    #[test]
    fn a_stand_in_sends_guests_back_and_does_not_wait_for_them() {
        let mut stand_in = StandIn::default();
        assert!(matches!(stand_in.handle(join(1, true)), Some(StandInEffect::ReturnJoin("a join"))));
        let look: TestMessage = StandInMessage::Look { is_guest: true, look: "a look" };
        assert!(matches!(stand_in.handle(look), Some(StandInEffect::ReturnLook("a look"))));
        assert!(stand_in.is_idle());
        assert!(matches!(stand_in.handle(join(2, false)), Some(StandInEffect::ForwardJoin("a join"))));
        let gone: TestMessage = StandInMessage::Gone { client: 1 };
        assert!(matches!(stand_in.handle(gone), Some(StandInEffect::ForwardGone { client: 1 })));
        assert!(!stand_in.is_idle());
        let gone: TestMessage = StandInMessage::Gone { client: 2 };
        assert!(matches!(stand_in.handle(gone), Some(StandInEffect::ForwardGone { client: 2 })));
        assert!(stand_in.is_idle());
    }

    #[test]
    fn a_stand_in_forwards_actions_as_json_and_the_looks_of_its_own_visitors() {
        let mut stand_in = StandIn::default();
        stand_in.handle(join(7, false));
        let act = Act { client: 7, request: "r".into(), action: Action::Heartbeat, received: 5 };
        let effect = stand_in.handle(TestMessage::Act(Box::new(act)));
        let Some(StandInEffect::ForwardAct { client: 7, request, action }) = effect else { panic!("{effect:?}") };
        assert_eq!((request.as_str(), serde_json::from_str(&action).ok()), ("r", Some(Action::Heartbeat)));
        let look: TestMessage = StandInMessage::Look { is_guest: false, look: "a look" };
        assert!(matches!(stand_in.handle(look), Some(StandInEffect::ForwardLook("a look"))));
    }

    #[test]
    fn a_stand_in_carries_out_no_orders_and_nothing_that_is_for_the_room() {
        let mut stand_in = StandIn::default();
        let effect = stand_in.handle(TestMessage::Order("an order"));
        assert!(matches!(effect, Some(StandInEffect::ReturnOrder("an order"))));
        assert!(stand_in.handle(TestMessage::ForRoom).is_none());
        assert!(stand_in.is_idle());
    }

    /// Whatever ends the stand-in, the node with the table hears of it exactly once.
    #[test]
    fn a_stand_in_leaves_once_and_then_ignores_everything() {
        for end in [TestMessage::Parked, TestMessage::Ended, TestMessage::Stop] {
            let mut stand_in = StandIn::default();
            stand_in.handle(join(7, false));
            assert!(matches!(stand_in.handle(end), Some(StandInEffect::Leave)));
            assert!(stand_in.is_over() && !stand_in.is_idle(), "the hub does not park it again");
            for late in [join(8, false), TestMessage::Order("an order"), TestMessage::Ended, TestMessage::Stop] {
                assert!(stand_in.handle(late).is_none());
            }
        }
    }
}
