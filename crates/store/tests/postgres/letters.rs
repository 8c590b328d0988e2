//! Tests of mailboxes.

use crate::*;
use baize_store::Mailbox;
use std::sync::Arc;

fn letter(n: u32) -> Vec<u8> {
    n.to_be_bytes().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_arrive_in_order_at_their_receivers() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (long, other) = ("a".repeat(200), "b");
    let (mut here, mut there) =
        (Mailbox::connect(&url, &long).await.unwrap(), Mailbox::connect(&url, other).await.unwrap());
    let mut sent = Vec::new();
    for n in 0..2000 {
        sent.push(here.0.send(other, letter(n)));
        sent.push(there.0.send(&long, letter(n + 1)));
        sent.push(here.0.send("nobody", letter(n)));
    }
    for n in 0..2000 {
        assert_eq!(there.1.recv().await, Some(letter(n)));
        assert_eq!(here.1.recv().await, Some(letter(n + 1)));
    }
    for sent in sent {
        sent.await.unwrap();
    }
    let visitor = visitor(&url).await;
    assert_eq!(count(&visitor, "SELECT count(*) FROM mail WHERE to_node <> 'nobody'").await, 0);
    // The mailbox does not deliver a letter that is too old.
    visitor
        .batch_execute(
            "INSERT INTO mail (to_node, body, at) VALUES ('b', 'old', clock_timestamp() - interval '1 minute')",
        )
        .await
        .unwrap();
    here.0.send(other, letter(9)).await.unwrap();
    assert_eq!(there.1.recv().await, Some(letter(9)));
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_go_on_after_a_crash_of_postgres() {
    let server = Arc::new(Postgres::start().unwrap());
    let (mailbox, mut letters) = Mailbox::connect(&server.url(), "a").await.unwrap();
    let (mut n, mut last) = (0, 0);
    for _ in 0..2 {
        let restarting = {
            let server = server.clone();
            tokio::task::spawn_blocking(move || server.restart())
        };
        while !restarting.is_finished() {
            n += 1;
            let _ = mailbox.send("a", letter(n)).await;
        }
        restarting.await.unwrap().unwrap();
        // Sending may fail once, on the old connection.
        loop {
            n += 1;
            if mailbox.send("a", letter(n)).await.is_ok() {
                break;
            }
        }
        while last < n {
            let got = u32::from_be_bytes(letters.recv().await.unwrap().try_into().unwrap());
            assert!(got > last, "{got} after {last}");
            last = got;
        }
    }
}
