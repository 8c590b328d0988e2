//! The contract suite: the behaviours that every store must have. A test of each implementation calls [`run`] with an empty
//! store.

mod admin;

use admin::{pack_row, unlimited_quotas};

use crate::{
    CHAT_KEPT, CHAT_TRIM_EVERY, ChatRow, Commit, Created, Expiry, GAMES_KEPT, GAMES_TRIMMED_AT_ONCE, GameRow, LogRow,
    MEMBERS_KEPT, MEMBERS_TRIM_EVERY, MemberRow, NewTable, Opened, PackChoice, PackQuery, Snapshot, Store, StoreError,
    TableQuotas, Write,
};

/// Runs the whole suite; panics at the first behaviour that does not hold.
pub async fn run(store: &dyn Store) {
    creation_is_idempotent(store).await;
    a_taken_code_is_refused(store).await;
    opening_fences_off_the_previous_owner(store).await;
    a_commit_is_all_or_nothing(store).await;
    a_log_row_is_never_overwritten(store).await;
    logs_are_read_in_order_and_in_pages(store).await;
    chat_returns_the_last_lines(store).await;
    members_find_their_listed_tables(store).await;
    numbered_members_are_kept_up_to_a_bound(store).await;
    a_store_keeps_blobs_packs_and_snapshots(store).await;
    purging_deletes_everything_of_a_table(store).await;
    a_blob_stays_as_long_as_it_is_referenced(store).await;
    a_reference_to_a_deleted_blob_is_refused(store).await;
    a_released_table_can_be_opened(store).await;
    commits_of_a_table_keep_their_order(store).await;
    an_ended_game_is_read_as_before(store).await;
    ended_games_are_kept_up_to_a_bound(store).await;
    a_blob_of_a_game_is_deleted_with_it(store).await;
    tables_must_fit_into_the_quotas(store).await;
    a_table_that_nobody_has_come_to_expires(store).await;
    admin::run(store).await;
    closing_finishes_earlier_requests(store).await;
}

fn new_table(n: u8) -> NewTable {
    NewTable {
        key: [n; 32],
        code: format!("code{n}"),
        at: 1000,
        record: json(n),
        members: vec![somebody(n)],
        blobs: Vec::new(),
        origin: None,
        quotas: TableQuotas::default(),
    }
}

/// A record: stores may require that it is JSON.
fn json(n: u8) -> Vec<u8> {
    n.to_string().into_bytes()
}

fn somebody(n: u8) -> MemberRow {
    MemberRow { member: [n; 32], name: format!("Somebody {n}"), n: None }
}

async fn opened(store: &dyn Store, n: u8) -> (i64, i64) {
    store.create(new_table(n)).await.unwrap();
    let open = store.open(&format!("code{n}")).await.unwrap().opened_here().expect("the table just made");
    (open.id, open.epoch)
}

fn row(seq: u64) -> LogRow {
    LogRow { seq, at: 2000 + seq, input: vec![1], old_batches: vec![seq as u8] }
}

fn log(game: &str, seq: u64) -> Write {
    Write::Log { game: game.into(), row: row(seq) }
}

fn game(id: &str) -> Write {
    Write::Game(GameRow { id: id.into(), record: json(7) })
}

/// STORE-1
async fn creation_is_idempotent(store: &dyn Store) {
    let first = store.create(new_table(1)).await.unwrap();
    assert!(first.new);
    let again = store.create(NewTable { code: "other".into(), ..new_table(1) }).await.unwrap();
    assert_eq!((again.code.as_str(), again.new), ("code1", false));
    assert!(store.peek("other").await.unwrap().is_none());
    assert_eq!(store.peek("code1").await.unwrap().unwrap().record, json(1));
}

/// STORE-2
async fn a_taken_code_is_refused(store: &dyn Store) {
    let taken = store.create(NewTable { code: "code1".into(), ..new_table(2) }).await;
    assert_eq!(taken, Err(StoreError::Taken));
}

/// STORE-3
async fn opening_fences_off_the_previous_owner(store: &dyn Store) {
    let (table, old) = opened(store, 3).await;
    let writes = vec![game("g3"), log("g3", 1)];
    store.commit(Commit { table, epoch: old, writes }).await.unwrap();
    let (_, new) = opened(store, 3).await;
    assert!(new > old);
    for writes in [vec![log("g3", 2)], vec![Write::Chat(ChatRow { n: 1, body: vec![] })], vec![game("g3")]] {
        assert_eq!(store.commit(Commit { table, epoch: old, writes }).await, Err(StoreError::Fenced));
    }
    store.commit(Commit { table, epoch: new, writes: vec![log("g3", 2)] }).await.unwrap();
    assert_eq!(store.open("nowhere").await.unwrap(), Opened::Unknown);
}

/// STORE-4
async fn a_commit_is_all_or_nothing(store: &dyn Store) {
    let (table, epoch) = opened(store, 4).await;
    store.commit(Commit { table, epoch, writes: vec![game("g4"), log("g4", 1)] }).await.unwrap();
    let writes = vec![Write::Chat(ChatRow { n: 1, body: vec![1] }), log("g4", 1)];
    // Other commits of the same group succeed.
    let bad = store.commit(Commit { table, epoch, writes });
    let good = store.commit(Commit { table, epoch, writes: vec![log("g4", 2)] });
    assert_eq!(bad.await, Err(StoreError::Taken));
    assert_eq!(good.await, Ok(()));
    assert!(store.chat(table, 0, 10).await.unwrap().is_empty());
}

/// STORE-5
async fn a_log_row_is_never_overwritten(store: &dyn Store) {
    let (table, epoch) = opened(store, 5).await;
    store.commit(Commit { table, epoch, writes: vec![game("g5"), log("g5", 1)] }).await.unwrap();
    let again = Write::Log { game: "g5".into(), row: LogRow { old_batches: vec![99], ..row(1) } };
    assert_eq!(store.commit(Commit { table, epoch, writes: vec![again] }).await, Err(StoreError::Taken));
    assert_eq!(store.log("g5", 0, 10).await.unwrap(), vec![row(1)]);
}

/// STORE-6
async fn logs_are_read_in_order_and_in_pages(store: &dyn Store) {
    let (table, epoch) = opened(store, 6).await;
    let writes = std::iter::once(game("g6")).chain((1..=9).rev().map(|seq| log("g6", seq))).collect();
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    let page = store.log("g6", 3, 4).await.unwrap();
    assert_eq!(page.iter().map(|row| row.seq).collect::<Vec<_>>(), [4, 5, 6, 7]);
    assert!(store.log("nothing", 0, 4).await.unwrap().is_empty());
}

/// STORE-7
async fn chat_returns_the_last_lines(store: &dyn Store) {
    let (table, epoch) = opened(store, 7).await;
    let writes = (1..=5).map(|n| Write::Chat(ChatRow { n, body: vec![n as u8] })).collect();
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    let numbers = |lines: Vec<ChatRow>| lines.iter().map(|line| line.n).collect::<Vec<_>>();
    assert_eq!(numbers(store.chat(table, 0, 2).await.unwrap()), [4, 5]);
    assert_eq!(numbers(store.chat(table, 4, 9).await.unwrap()), [5]);
    // One commit changes the text of a line twice: the last change counts.
    let writes = [7, 8].map(|text| Write::Chat(ChatRow { n: 3, body: vec![text] })).into();
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    let lines = store.chat(table, 0, 9).await.unwrap();
    assert_eq!(numbers(lines.clone()), [1, 2, 3, 4, 5]);
    assert_eq!(lines[2].body, [8]);
    // However many lines there were, the store keeps a bounded number.
    for some in (6..=3_000).collect::<Vec<u64>>().chunks(100) {
        let writes = some.iter().map(|n| Write::Chat(ChatRow { n: *n, body: vec![1] })).collect();
        store.commit(Commit { table, epoch, writes }).await.unwrap();
    }
    let kept = store.chat(table, 0, 9_999).await.unwrap().len() as u64;
    assert!((CHAT_KEPT..=CHAT_KEPT + CHAT_TRIM_EVERY).contains(&kept), "{kept}");
}

/// STORE-8
async fn members_find_their_listed_tables(store: &dyn Store) {
    let (table, epoch) = opened(store, 8).await;
    let (other, other_epoch) = opened(store, 9).await;
    let me = somebody(88);
    let put = |listed, at, running: Option<&str>| Write::Table {
        record: json(5),
        at,
        listed,
        running: running.map(Into::into),
    };
    let writes = vec![Write::Member(me.clone()), game("g8"), log("g8", 900), put(true, 50, Some("g8"))];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    store
        .commit(Commit {
            table: other,
            epoch: other_epoch,
            writes: vec![Write::Member(me.clone()), put(true, 80, None)],
        })
        .await
        .unwrap();
    let mine = store.tables_of(&me.member, 10).await.unwrap();
    let seen: Vec<_> = mine.iter().map(|row| (row.code.as_str(), row.updated_at)).collect();
    // The running game's last move counts as the last change.
    assert_eq!(seen, [("code8", 2900), ("code9", 80)]);
    store.commit(Commit { table, epoch, writes: vec![put(false, 60, None)] }).await.unwrap();
    assert_eq!(store.tables_of(&me.member, 10).await.unwrap().len(), 1);
}

/// STORE-31: strangers who come and go with fresh secrets leave a bounded number of rows. Members without a number stay, and so do
/// members who got a new number since.
async fn numbered_members_are_kept_up_to_a_bound(store: &dyn Store) {
    let (table, epoch) = opened(store, 31).await;
    let stranger = |n: u64| {
        let mut member = [31; 32];
        member[..8].copy_from_slice(&n.to_le_bytes());
        MemberRow { member, name: format!("Stranger {n}"), n: Some(n) }
    };
    let played = MemberRow { n: None, ..stranger(2) };
    let commit = async |writes| store.commit(Commit { table, epoch, writes }).await.unwrap();
    // A member who has played has no number, whether rows with a number come before or after.
    commit(vec![Write::Member(stranger(1)), Write::Member(stranger(2)), Write::Member(played)]).await;
    commit(vec![Write::Member(stranger(2))]).await;
    for first in (3..2 * MEMBERS_KEPT).step_by(MEMBERS_TRIM_EVERY as usize) {
        let last = (first + MEMBERS_TRIM_EVERY).min(2 * MEMBERS_KEPT);
        let mut writes: Vec<_> = (first..last).map(|n| Write::Member(stranger(n))).collect();
        if (first..last).contains(&(MEMBERS_KEPT + MEMBERS_TRIM_EVERY)) {
            // This member gets a new number in the commit that would delete the row.
            let n = Some(MEMBERS_KEPT + MEMBERS_TRIM_EVERY - 1);
            writes.insert(0, Write::Member(MemberRow { name: String::new(), n, ..stranger(5) }));
        }
        commit(writes).await;
    }
    commit(vec![Write::Member(stranger(2 * MEMBERS_KEPT))]).await;
    let mut kept = Vec::new();
    for n in 1..=2 * MEMBERS_KEPT {
        if store.codes_of(&stranger(n).member, 9).await.unwrap() == ["code31"] {
            kept.push(n);
        }
    }
    let newest: Vec<u64> = [2, 5].into_iter().chain(MEMBERS_KEPT + 1..=2 * MEMBERS_KEPT).collect();
    assert_eq!(kept, newest);
    store.purge(0).await.unwrap();
    assert!(store.makers(None, u32::MAX >> 1).await.unwrap().iter().all(|maker| maker.member != stranger(4).member));
}

/// STORE-9
async fn a_store_keeps_blobs_packs_and_snapshots(store: &dyn Store) {
    store.put_blob([1; 32], vec![1, 2, 3]).await.unwrap();
    store.put_blob([1; 32], vec![1, 2, 3]).await.unwrap();
    assert_eq!(store.blob(&[1; 32]).await.unwrap(), Some(vec![1, 2, 3]));
    assert_eq!(store.blob(&[2; 32]).await.unwrap(), None);
    store
        .add_packs(vec![pack_row("b", [1; 32]), pack_row("a", [1; 32])], Vec::new(), unlimited_quotas())
        .await
        .unwrap();
    // An existing pack is not replaced, and the other pack is not added.
    let taken =
        store.add_packs(vec![pack_row("c", [1; 32]), pack_row("a", [1; 32])], Vec::new(), unlimited_quotas()).await;
    assert_eq!(taken, Err(StoreError::Taken));
    let all = PackQuery { limit: 100, ..PackQuery::default() };
    assert_eq!(store.packs(all).await.unwrap(), vec![pack_row("a", [1; 32]), pack_row("b", [1; 32])]);
    let (table, epoch) = opened(store, 10).await;
    let snapshot = |seq| Snapshot { seq, body: vec![seq as u8] };
    for seq in [200, 400] {
        let writes = vec![game("g10"), Write::Snapshot { game: "g10".into(), snapshot: snapshot(seq) }];
        store.commit(Commit { table, epoch, writes }).await.unwrap();
    }
    assert_eq!(store.snapshot("g10").await.unwrap(), Some(snapshot(400)));
    assert_eq!(store.game("g10").await.unwrap(), Some(GameRow { id: "g10".into(), record: json(7) }));
}

/// STORE-10
async fn purging_deletes_everything_of_a_table(store: &dyn Store) {
    let (table, epoch) = opened(store, 11).await;
    let put = Write::Table { record: json(0), at: 10, listed: true, running: Some("g11".into()) };
    store.commit(Commit { table, epoch, writes: vec![game("g11"), log("g11", 1), put] }).await.unwrap();
    // The last move is newer than the table's row.
    store.purge(20).await.unwrap();
    assert!(store.peek("code11").await.unwrap().is_some());
    assert!(store.purge(3000).await.unwrap() > 0);
    assert!(store.peek("code11").await.unwrap().is_none());
    assert!(store.log("g11", 0, 10).await.unwrap().is_empty());
    assert!(store.game("g11").await.unwrap().is_none());
}

fn hash(n: u8) -> [u8; 32] {
    [100 + n; 32]
}

/// STORE-15
async fn a_blob_stays_as_long_as_it_is_referenced(store: &dyn Store) {
    for n in 0..5 {
        store.put_blob(hash(n), vec![n]).await.unwrap();
    }
    let there = async || {
        let mut there = Vec::new();
        for n in 0..7 {
            let body = store.blob(&hash(n)).await.unwrap();
            assert!(body.is_none() || body == Some(vec![n]));
            there.push(body.is_some());
        }
        there
    };
    // Nothing references blob 0; the old table references 1, both tables 2, the young table 3, a pack 4; commits add 5 and 6.
    store.create(NewTable { blobs: vec![hash(1), hash(2)], at: 10, ..new_table(15) }).await.unwrap();
    store.create(NewTable { blobs: vec![hash(2), hash(3), hash(3)], at: 5000, ..new_table(16) }).await.unwrap();
    store.add_packs(vec![pack_row("d", hash(4))], Vec::new(), unlimited_quotas()).await.unwrap();
    let (old, old_epoch) = opened(store, 15).await;
    let (young, young_epoch) = opened(store, 16).await;
    let blob = |n| Write::Blob { hash: hash(n), body: vec![n] };
    store.commit(Commit { table: old, epoch: old_epoch, writes: vec![blob(5), blob(6)] }).await.unwrap();
    store.commit(Commit { table: young, epoch: young_epoch, writes: vec![blob(6), blob(3)] }).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(there().await, [false, true, true, true, true, true, true]);
    store.purge(4000).await.unwrap();
    assert!(store.peek("code15").await.unwrap().is_none());
    assert_eq!(there().await, [false, false, true, true, true, false, true]);
    store.purge(6000).await.unwrap();
    assert_eq!(there().await, [false, false, false, false, true, false, false]);
    // A deleted blob can be stored again.
    store.put_blob(hash(1), vec![1]).await.unwrap();
    store.create(NewTable { blobs: vec![hash(1)], ..new_table(17) }).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(there().await, [false, true, false, false, true, false, false]);
}

/// STORE-16
async fn a_reference_to_a_deleted_blob_is_refused(store: &dyn Store) {
    let table = || NewTable { blobs: vec![hash(1), hash(9)], ..new_table(18) };
    assert_eq!(store.create(table()).await, Err(StoreError::Missing));
    assert!(store.peek("code18").await.unwrap().is_none());
    let pack = || vec![pack_row("e", hash(9))];
    assert_eq!(store.add_packs(pack(), Vec::new(), unlimited_quotas()).await, Err(StoreError::Missing));
    assert!(store.pack("e").await.unwrap().is_none());
    // Whether the purge comes before, between or after, the store never makes a table without its blobs.
    for n in 0..20u8 {
        let kept = store.put_blob(hash(9), vec![9]);
        let purged = store.purge(0);
        let created = store.create(NewTable {
            key: [n; 32],
            code: format!("race{n}"),
            blobs: vec![hash(9)],
            at: 100_000,
            ..new_table(0)
        });
        let (kept, purged, created) = (kept.await, purged.await, created.await);
        assert_eq!((kept, purged.is_ok()), (Ok(()), true));
        match created {
            Ok(_) => {
                assert_eq!(store.blob(&hash(9)).await.unwrap(), Some(vec![9]));
                // The purge of the table removes the reference again.
                store.purge(200_000).await.unwrap();
                assert_eq!(store.blob(&hash(9)).await.unwrap(), None);
            }
            Err(error) => assert_eq!(error, StoreError::Missing),
        }
    }
    store.put_blob(hash(9), vec![9]).await.unwrap();
    store.add_packs(pack(), Vec::new(), unlimited_quotas()).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&hash(9)).await.unwrap(), Some(vec![9]));
}

/// STORE-12
async fn a_released_table_can_be_opened(store: &dyn Store) {
    let (table, epoch) = opened(store, 12).await;
    // A release under an earlier epoch does nothing.
    store.release(table, epoch - 1).await.unwrap();
    let wrote = store.commit(Commit { table, epoch, writes: vec![game("g12"), log("g12", 1)] });
    let released = store.release(table, epoch);
    assert_eq!((wrote.await, released.await), (Ok(()), Ok(())));
    let (_, next) = opened(store, 12).await;
    assert!(next > epoch);
    assert_eq!(store.log("g12", 0, 9).await.unwrap(), [row(1)]);
}

/// STORE-13
async fn commits_of_a_table_keep_their_order(store: &dyn Store) {
    let (table, epoch) = opened(store, 13).await;
    let put = |n: u8| Write::Table { record: json(n), at: n.into(), listed: true, running: None };
    // If several writes change one row, in one commit or in several, the last one counts.
    let pending: Vec<_> = (0..20)
        .map(|n| store.commit(Commit { table, epoch, writes: vec![put(99), game("g13"), put(n), game("g13")] }))
        .collect();
    for pending in pending {
        pending.await.unwrap();
    }
    assert_eq!(store.peek("code13").await.unwrap().unwrap().record, json(19));
}

/// STORE-14
async fn an_ended_game_is_read_as_before(store: &dyn Store) {
    let (table, epoch) = opened(store, 14).await;
    let snapshot = Snapshot { seq: 2, body: vec![7] };
    let kept = Write::Snapshot { game: "g14".into(), snapshot: snapshot.clone() };
    store.commit(Commit { table, epoch, writes: vec![game("g14"), log("g14", 1), kept] }).await.unwrap();
    let ended = vec![log("g14", 2), Write::Ended { game: "g14".into() }];
    store.commit(Commit { table, epoch, writes: ended }).await.unwrap();
    for _ in 0..2 {
        store.purge(0).await.unwrap();
        assert_eq!(store.log("g14", 0, 9).await.unwrap(), [row(1), row(2)]);
        assert_eq!(store.log("g14", 1, 9).await.unwrap(), [row(2)]);
        assert_eq!(store.snapshot("g14").await.unwrap(), Some(snapshot.clone()));
        assert_eq!(store.game("g14").await.unwrap(), Some(GameRow { id: "g14".into(), record: json(7) }));
    }
}

/// STORE-32: players who start over all day leave a bounded number of games, and an old table with more gets there step by step.
async fn ended_games_are_kept_up_to_a_bound(store: &dyn Store) {
    let (table, epoch) = opened(store, 32).await;
    let (_, other_epoch) = opened(store, 33).await;
    let other = store.table_id("code33").await.unwrap().unwrap();
    let commit = async |writes| store.commit(Commit { table, epoch, writes }).await.unwrap();
    let id = |n: u64| format!("g32-{n:04}");
    let played = |n: u64| {
        let snapshot = Write::Snapshot { game: id(n), snapshot: Snapshot { seq: 1, body: vec![1] } };
        let blob = Write::GameBlob { game: id(n), hash: blob_of_game(n), body: n.to_le_bytes().to_vec() };
        vec![game(&id(n)), log(&id(n), 1), snapshot, blob]
    };
    store.commit(Commit { table: other, epoch: other_epoch, writes: vec![game("g33"), log("g33", 1)] }).await.unwrap();
    // Games without an end count, too.
    let more = GAMES_KEPT + 2 * GAMES_TRIMMED_AT_ONCE;
    for n in 0..more {
        commit(played(n)).await;
    }
    assert_eq!(store.games_of(table).await.unwrap().len() as u64, more);
    for n in more..more + 3 {
        commit(played(n)).await;
        commit(vec![log(&id(n), 2), Write::Ended { game: id(n) }]).await;
        // Postgres trims games that are in its archive; upkeep puts them there.
        store.purge(0).await.unwrap();
    }
    let kept = store.games_of(table).await.unwrap();
    assert_eq!(kept.len() as u64, GAMES_KEPT, "{kept:?}");
    assert_eq!((kept.first(), kept.last()), (Some(&id(more + 3 - GAMES_KEPT)), Some(&id(more + 2))));
    for n in 0..more + 3 {
        let is_kept = n >= more + 3 - GAMES_KEPT;
        assert_eq!(store.game(&id(n)).await.unwrap().is_some(), is_kept, "{n}");
        assert_eq!(!store.log(&id(n), 0, 9).await.unwrap().is_empty(), is_kept, "{n}");
        assert_eq!(store.snapshot(&id(n)).await.unwrap().is_some(), is_kept, "{n}");
        assert_eq!(store.blob(&blob_of_game(n)).await.unwrap().is_some(), is_kept, "{n}");
    }
    assert_eq!(store.games_of(other).await.unwrap(), ["g33"]);
    assert_eq!(store.log("g33", 0, 9).await.unwrap(), [row(1)]);
}

fn blob_of_game(n: u64) -> [u8; 32] {
    let mut hash = [132; 32];
    hash[..8].copy_from_slice(&n.to_le_bytes());
    hash
}

/// STORE-33
async fn a_blob_of_a_game_is_deleted_with_it(store: &dyn Store) {
    let (table, epoch) = opened(store, 34).await;
    let blob = |game: &str, n: u8| Write::GameBlob { game: game.into(), hash: [n; 32], body: vec![n] };
    let writes = vec![game("g34"), blob("g34", 201), blob("g34", 201), game("g35"), blob("g35", 201), blob("g35", 202)];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&[201; 32]).await.unwrap(), Some(vec![201]));
    assert_eq!(store.blob(&[202; 32]).await.unwrap(), Some(vec![202]));
    // A pack whose text a game uses does not expire.
    store.add_packs(vec![pack_row("in-a-game", [202; 32])], Vec::new(), unlimited_quotas()).await.unwrap();
    store.expire(Expiry { packs: 9_000, reports: 0, tables: 0 }).await.unwrap();
    assert!(store.pack("in-a-game").await.unwrap().is_some());
    store.delete_packs(PackChoice::Id("in-a-game".into())).await.unwrap();
    assert_eq!(store.blob(&[202; 32]).await.unwrap(), Some(vec![202]));
    store.delete_table(table, epoch).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&[201; 32]).await.unwrap(), None);
    assert_eq!(store.blob(&[202; 32]).await.unwrap(), None);
}

/// STORE-35
async fn tables_must_fit_into_the_quotas(store: &dyn Store) {
    let all = store.tables("", u32::MAX >> 1).await.unwrap().len() as u64;
    let quotas = TableQuotas { total: all + 3, origin: 2 };
    let from = |n: u8, origin: u8| NewTable { origin: Some([origin; 32]), quotas, ..new_table(n) };
    assert!(store.create(from(90, 1)).await.unwrap().new);
    assert!(store.create(from(91, 1)).await.unwrap().new);
    assert_eq!(store.create(from(92, 1)).await, Err(StoreError::AddressFull));
    assert!(store.peek("code92").await.unwrap().is_none());
    // A repeated request finds its table, whatever the quotas say.
    assert_eq!(store.create(from(91, 1)).await.unwrap(), Created { code: "code91".into(), new: false });
    assert!(store.create(from(93, 2)).await.unwrap().new);
    assert_eq!(store.create(from(94, 3)).await, Err(StoreError::Full));
    assert_eq!(store.create(NewTable { quotas, ..new_table(94) }).await, Err(StoreError::Full));
    // A deleted table makes space for another.
    let open = store.open("code90").await.unwrap().opened_here().unwrap();
    store.delete_table(open.id, open.epoch).await.unwrap();
    assert!(store.create(from(92, 1)).await.unwrap().new);
    for code in ["code91", "code92", "code93"] {
        let open = store.open(code).await.unwrap().opened_here().unwrap();
        store.delete_table(open.id, open.epoch).await.unwrap();
    }
}

/// STORE-36: a table expires if its rooms have never written a record with another time, also if somebody has opened it to look at it.
async fn a_table_that_nobody_has_come_to_expires(store: &dyn Store) {
    store.create(NewTable { at: 400, ..new_table(95) }).await.unwrap();
    store.create(NewTable { at: 400, ..new_table(96) }).await.unwrap();
    store.create(NewTable { at: 400, ..new_table(97) }).await.unwrap();
    store.create(NewTable { at: 600, ..new_table(98) }).await.unwrap();
    let (looked, look_epoch) = opened(store, 96).await;
    let (came, epoch) = opened(store, 97).await;
    let put = |at| Write::Table { record: json(1), at, listed: true, running: None };
    store.commit(Commit { table: looked, epoch: look_epoch, writes: vec![put(400)] }).await.unwrap();
    store.commit(Commit { table: came, epoch, writes: vec![put(401)] }).await.unwrap();
    store.commit(Commit { table: came, epoch, writes: vec![put(401)] }).await.unwrap();
    store.expire(Expiry { packs: 0, reports: 0, tables: 500 }).await.unwrap();
    let mut left = Vec::new();
    for n in 95..=98 {
        left.extend(store.peek(&format!("code{n}")).await.unwrap().map(|row| row.code));
    }
    assert_eq!(left, ["code97", "code98"]);
    // A room that still has the table writes nothing more.
    let late = Commit { table: looked, epoch: look_epoch, writes: vec![put(500)] };
    assert_eq!(store.commit(late).await, Err(StoreError::Fenced));
    store.expire(Expiry { packs: 0, reports: 0, tables: 700 }).await.unwrap();
    assert!(store.peek("code98").await.unwrap().is_none() && store.peek("code97").await.unwrap().is_some());
}

/// STORE-11
async fn closing_finishes_earlier_requests(store: &dyn Store) {
    let (before, closed, after) = (store.put_blob([12; 32], vec![1]), store.close(), store.put_blob([13; 32], vec![1]));
    assert_eq!((before.await, closed.await), (Ok(()), Ok(())));
    assert!(after.await.is_err());
    assert!(store.blob(&[12; 32]).await.is_err());
    assert_eq!(store.close().await, Ok(()));
}
