//! Clients that do not read.

use crate::server::{TestServer, quick};
use baize_protocol::{Action, Presence};

/// More messages than the kernel's buffers and the outbox of one client can hold.
const MOST: usize = 20_000;

/// MSG-7: who does not read is cut off, the others go on, and by `seq` comes back what was missed.
#[tokio::test]
async fn who_does_not_read_is_cut_off_and_comes_back() {
    let server = TestServer::alone(|_| {}).await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let mut ben = clients.remove(1);
    let (kept, last) = (ben.view.clone(), ben.last());

    // Ben reads nothing more, while Ann does something that everyone is told with a large message.
    let cleo = clients[0].player("Cleo").id.clone();
    let mut told = 0;
    while clients[0].player("Ben").presence == Presence::Active && told < MOST {
        clients[0].act(Action::Mute { player_id: cleo.clone(), muted: told % 2 == 0 }).await.unwrap();
        // Cleo reads, and is not harmed.
        while clients[1].table().players != clients[0].table().players {
            clients[1].read().await.expect("Cleo is still connected");
        }
        told += 1;
    }
    assert_eq!(clients[0].player("Ben").presence, Presence::Disconnected, "after {told} messages");
    assert!(clients[0].chat.iter().any(|line| line.text == "Ben disconnected"));
    let (_, metrics) = server.http("GET", "/metrics", None, "").await;
    assert!(metrics.contains("\nbaize_cut_total 1\n"), "{metrics}");

    // What had gone out before can still be read; then the server has hung up.
    ben.hung_up().await;
    let mut back = server.client().await;
    back.view = kept;
    back.join_as(&code, &crate::server::secret("Ben"), None, false, Some(last)).await.unwrap();
    assert!(back.resumed.is_some_and(|batches| batches > 0), "only what was missed: {:?}", back.resumed);
    clients[0].until("Ben is back", |c| c.player("Ben").presence == Presence::Active).await;
    crate::games::catch_up(std::slice::from_mut(&mut back)).await;
    let seq = clients[0].seq();
    back.until("Ben has caught up", |c| c.seq() >= seq).await;
    let mut fresh = server.client().await;
    fresh.join(&code, "Ben").await.unwrap();
    assert_eq!(fresh.view(), back.view());
}
