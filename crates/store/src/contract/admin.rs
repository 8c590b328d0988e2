//! The contract suite for operators, uploaded packs and people who want to be forgotten.

use super::{game, json, log, new_table, opened, row, somebody};
use crate::{
    ChatRow, Commit, Expiry, Hash, LogRow, MAX_REPORTS_PER_TABLE, NewTable, Opened, PackChoice, PackQuery, PackQuota,
    PackQuotas, PackRow, ReportRow, SOMEBODY, Store, StoreError, Write,
};

pub(super) async fn run(store: &dyn Store) {
    packs_are_found_by_id_and_by_maker_in_pages(store).await;
    packs_must_fit_into_the_quotas(store).await;
    texts_of_refused_packs_are_not_stored(store).await;
    a_deleted_pack_counts_as_long_as_its_text_is_used(store).await;
    a_pack_expires_when_no_table_needs_it(store).await;
    an_order_waits_until_it_is_done(store).await;
    reports_are_stored_once_and_bounded(store).await;
    deleting_a_table_deletes_everything_of_it(store).await;
    only_the_owner_of_a_table_can_rewrite_its_logs(store).await;
    a_forgotten_member_leaves_nothing(store).await;
    shared_value_keeps_the_first_value(store).await;
}

/// Quotas that nobody reaches.
pub(super) fn unlimited_quotas() -> PackQuotas {
    let much = PackQuota { packs: 1 << 20, bytes: 1 << 40 };
    PackQuotas { total: much, origin: much }
}

pub(super) fn pack_row(id: &str, hash: Hash) -> PackRow {
    PackRow { id: id.into(), hash, info: json(1), maker: None, origin: None, bytes: 10, created_at: 500, used_at: 500 }
}

async fn ids(store: &dyn Store, maker: Option<Hash>, after: &str, limit: u32) -> Vec<String> {
    let query = PackQuery { maker, after: after.into(), limit };
    store.packs(query).await.unwrap().into_iter().map(|pack| pack.id).collect()
}

/// STORE-17
async fn packs_are_found_by_id_and_by_maker_in_pages(store: &dyn Store) {
    store.delete_packs(PackChoice::Id("b".into())).await.unwrap();
    for id in ["a", "d", "e"] {
        store.delete_packs(PackChoice::Id(id.into())).await.unwrap();
    }
    store.put_blob([70; 32], vec![7]).await.unwrap();
    let of = |id: &str, maker: u8| PackRow { maker: Some([maker; 32]), ..pack_row(id, [70; 32]) };
    store
        .add_packs(vec![of("m1", 1), of("M2", 2), of("m3", 1), of("m4", 1)], Vec::new(), unlimited_quotas())
        .await
        .unwrap();
    // Ids are ordered by their bytes.
    assert_eq!(ids(store, None, "", 2).await, ["M2", "m1"]);
    assert_eq!(ids(store, None, "m1", 9).await, ["m3", "m4"]);
    assert_eq!(ids(store, Some([1; 32]), "m1", 1).await, ["m3"]);
    assert_eq!(store.pack("m3").await.unwrap(), Some(of("m3", 1)));
    assert_eq!(store.pack("nothing").await.unwrap(), None);
    assert_eq!(store.delete_packs(PackChoice::Maker([1; 32])).await.unwrap(), 3);
    assert_eq!(store.delete_packs(PackChoice::Id("M2".into())).await.unwrap(), 1);
    assert_eq!(store.delete_packs(PackChoice::Id("M2".into())).await.unwrap(), 0);
    assert!(ids(store, None, "", 9).await.is_empty());
}

/// STORE-18
async fn packs_must_fit_into_the_quotas(store: &dyn Store) {
    store.put_blob([70; 32], vec![7]).await.unwrap();
    let from = |id: &str, origin: u8| PackRow { origin: Some([origin; 32]), ..pack_row(id, [70; 32]) };
    let quotas = PackQuotas { total: PackQuota { packs: 5, bytes: 49 }, origin: PackQuota { packs: 2, bytes: 25 } };
    store.add_packs(vec![from("q1", 1), from("q2", 1)], Vec::new(), quotas).await.unwrap();
    assert_eq!(store.add_packs(vec![from("q3", 1)], Vec::new(), quotas).await, Err(StoreError::AddressFull));
    let heavy = PackRow { bytes: 26, ..from("q4", 2) };
    assert_eq!(store.add_packs(vec![heavy], Vec::new(), quotas).await, Err(StoreError::AddressFull));
    store.add_packs(vec![from("q5", 2), from("q6", 2)], Vec::new(), quotas).await.unwrap();
    // The number of packs is allowed, but not the number of bytes.
    assert_eq!(store.add_packs(vec![from("q7", 3)], Vec::new(), quotas).await, Err(StoreError::Full));
    let all_or_none = vec![PackRow { bytes: 1, ..from("q7", 3) }, PackRow { bytes: 1, ..from("q8", 3) }];
    assert_eq!(store.add_packs(all_or_none, Vec::new(), quotas).await, Err(StoreError::Full));
    assert_eq!(ids(store, None, "", 9).await, ["q1", "q2", "q5", "q6"]);
    // Deleting a pack makes space for another.
    store.delete_packs(PackChoice::Id("q1".into())).await.unwrap();
    store.add_packs(vec![from("q9", 1)], Vec::new(), quotas).await.unwrap();
    for id in ["q2", "q5", "q6", "q9"] {
        store.delete_packs(PackChoice::Id(id.into())).await.unwrap();
    }
}

/// STORE-34: texts and packs are stored together or not at all.
async fn texts_of_refused_packs_are_not_stored(store: &dyn Store) {
    let quotas = PackQuotas { total: PackQuota { packs: 2, bytes: 99 }, origin: PackQuota { packs: 1, bytes: 99 } };
    let from = |id: &str, n: u8, origin: u8| PackRow { origin: Some([origin; 32]), ..pack_row(id, [n; 32]) };
    let text = |n: u8| ([n; 32], vec![n]);
    // Two packs may have the same text.
    let twice = vec![from("t1", 75, 1), from("t2", 75, 1)];
    store.add_packs(twice, vec![text(75), text(75)], unlimited_quotas()).await.unwrap();
    assert_eq!(store.blob(&[75; 32]).await.unwrap(), Some(vec![75]));
    assert_eq!(store.delete_packs(PackChoice::Id("t2".into())).await.unwrap(), 1);
    let refused = store.add_packs(vec![from("t3", 76, 1)], vec![text(76)], quotas).await;
    assert_eq!((refused, store.blob(&[76; 32]).await.unwrap()), (Err(StoreError::AddressFull), None));
    store.add_packs(vec![from("t4", 76, 2)], vec![text(76)], quotas).await.unwrap();
    let refused = store.add_packs(vec![from("t5", 77, 3)], vec![text(77)], quotas).await;
    assert_eq!((refused, store.blob(&[77; 32]).await.unwrap()), (Err(StoreError::Full), None));
    let taken = store.add_packs(vec![from("t1", 77, 3)], vec![text(77)], unlimited_quotas()).await;
    assert_eq!((taken, store.blob(&[77; 32]).await.unwrap()), (Err(StoreError::Taken), None));
    // A pack that no table uses takes its text along at once.
    for id in ["t1", "t4"] {
        store.delete_packs(PackChoice::Id(id.into())).await.unwrap();
    }
    assert_eq!((store.blob(&[75; 32]).await.unwrap(), store.blob(&[76; 32]).await.unwrap()), (None, None));
}

/// STORE-37: whoever makes a table with each upload and deletes the pack again stores no more than the quotas allow.
async fn a_deleted_pack_counts_as_long_as_its_text_is_used(store: &dyn Store) {
    let quotas = PackQuotas { total: PackQuota { packs: 3, bytes: 99 }, origin: PackQuota { packs: 2, bytes: 99 } };
    let from = |id: &str, n: u8, origin: u8| PackRow {
        origin: Some([origin; 32]),
        maker: Some([1; 32]),
        ..pack_row(id, [n; 32])
    };
    let add =
        |id: &str, n: u8, origin: u8| store.add_packs(vec![from(id, n, origin)], vec![([n; 32], vec![n])], quotas);
    add("u1", 78, 1).await.unwrap();
    let (table, epoch) = opened(store, 55).await;
    let blob = Write::Blob { hash: [78; 32], body: vec![78] };
    store.commit(Commit { table, epoch, writes: vec![blob] }).await.unwrap();
    add("u2", 79, 1).await.unwrap();
    let writes = vec![game("g55"), Write::GameBlob { game: "g55".into(), hash: [79; 32], body: vec![79] }];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    store.delete_packs(PackChoice::Id("u1".into())).await.unwrap();
    store.forget(&[1; 32]).await.unwrap();
    assert!(ids(store, None, "", 9).await.is_empty());
    store.purge(0).await.unwrap();
    assert_eq!(add("u3", 80, 1).await, Err(StoreError::AddressFull));
    add("u3", 80, 2).await.unwrap();
    assert_eq!(add("u4", 81, 2).await, Err(StoreError::Full));
    // Nobody who looks for the maker finds the deleted packs.
    assert!(!store.makers(None, 1000).await.unwrap().iter().any(|maker| maker.member == [1; 32] && maker.packs > 1));
    store.delete_table(table, epoch).await.unwrap();
    store.purge(0).await.unwrap();
    add("u4", 81, 1).await.unwrap();
    add("u5", 82, 1).await.unwrap();
    for id in ["u3", "u4", "u5"] {
        store.delete_packs(PackChoice::Id(id.into())).await.unwrap();
    }
}

/// STORE-19
async fn a_pack_expires_when_no_table_needs_it(store: &dyn Store) {
    for n in [71, 72, 73] {
        store.put_blob([n; 32], vec![n]).await.unwrap();
    }
    let packs = vec![pack_row("old", [71; 32]), pack_row("played", [72; 32]), pack_row("chosen", [73; 32])];
    store.add_packs(packs, Vec::new(), unlimited_quotas()).await.unwrap();
    store.create(NewTable { blobs: vec![[72; 32]], at: 2000, ..new_table(50) }).await.unwrap();
    store.touch_packs(vec!["chosen".into(), "nothing".into()], 900).await.unwrap();
    // An earlier time does not replace a later one.
    store.touch_packs(vec!["chosen".into()], 100).await.unwrap();
    assert_eq!(store.expire(Expiry { packs: 800, reports: 0, tables: 0 }).await.unwrap(), 1);
    assert_eq!(ids(store, None, "", 9).await, ["chosen", "played"]);
    assert_eq!(store.expire(Expiry { packs: 1000, reports: 0, tables: 0 }).await.unwrap(), 1);
    assert_eq!(ids(store, None, "", 9).await, ["played"]);
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&[71; 32]).await.unwrap(), None);
    assert!(store.blob(&[72; 32]).await.unwrap().is_some());
    store.delete_packs(PackChoice::Id("played".into())).await.unwrap();
}

/// STORE-20
async fn an_order_waits_until_it_is_done(store: &dyn Store) {
    let first = store.put_order([1; 32], 5, vec![1]).await.unwrap();
    let second = store.put_order([2; 32], 6, vec![2]).await.unwrap();
    assert_eq!(store.put_order([1; 32], 7, vec![3]).await.unwrap(), first);
    let waiting = store.orders(10).await.unwrap();
    let seen: Vec<_> = waiting.iter().map(|order| (order.id, order.at, order.body.as_slice())).collect();
    assert_eq!(seen, [(first, 5, &[1][..]), (second, 6, &[2][..])]);
    store.finish_order(first).await.unwrap();
    store.finish_order(first).await.unwrap();
    assert_eq!(store.orders(10).await.unwrap().len(), 1);
    // The same order may be put again when the first is finished.
    assert!(store.put_order([1; 32], 8, vec![1]).await.unwrap() > second);
    for order in store.orders(10).await.unwrap() {
        store.finish_order(order.id).await.unwrap();
    }
}

fn report(key: u32, at: u64) -> ReportRow {
    let mut hash = [0; 32];
    hash[..4].copy_from_slice(&key.to_le_bytes());
    ReportRow {
        id: 0,
        key: hash,
        at,
        table: "code51".into(),
        kind: "line".into(),
        reporter: Some([61; 32]),
        about: Some([62; 32]),
        name: "Ben".into(),
        body: vec![1],
    }
}

/// STORE-21
async fn reports_are_stored_once_and_bounded(store: &dyn Store) {
    let (table, epoch) = opened(store, 51).await;
    let add = |report| store.commit(Commit { table, epoch, writes: vec![Write::Report(report)] });
    add(report(1, 10)).await.unwrap();
    add(report(1, 11)).await.unwrap();
    add(report(2, 12)).await.unwrap();
    let kept = store.reports(0, 100).await.unwrap();
    assert_eq!(kept.iter().map(|kept| kept.at).collect::<Vec<_>>(), [10, 12]);
    assert_eq!(ReportRow { id: 0, ..kept[0].clone() }, report(1, 10));
    assert_eq!(store.reports(kept[0].id, 100).await.unwrap().len(), 1);
    for n in 3..MAX_REPORTS_PER_TABLE as u32 + 9 {
        add(report(n, 20)).await.unwrap();
    }
    let full = store.reports(0, 1000).await.unwrap();
    assert_eq!(full.len() as u64, MAX_REPORTS_PER_TABLE);
    assert!(full.iter().all(|kept| kept.at == 20), "the oldest made room, and what came last is kept");
    // A report by another person about another person is kept, whatever follows.
    let rare = ReportRow { reporter: Some([63; 32]), about: Some([64; 32]), ..report(1_000, 15) };
    add(rare.clone()).await.unwrap();
    // Another reporter reports the same person once: the busy reporter's reports are deleted instead.
    let calm = ReportRow { reporter: Some([65; 32]), ..report(1_001, 16) };
    add(calm.clone()).await.unwrap();
    for n in 2_000..2_000 + MAX_REPORTS_PER_TABLE as u32 {
        add(report(n, 21)).await.unwrap();
    }
    let full = store.reports(0, 1000).await.unwrap();
    assert_eq!(full.len() as u64, MAX_REPORTS_PER_TABLE);
    for kept in [rare, calm] {
        assert_eq!(full.iter().filter(|report| report.key == kept.key).count(), 1, "{kept:?}");
    }
    let kept = full;
    assert!(store.delete_report(kept[0].id).await.unwrap());
    assert!(!store.delete_report(kept[0].id).await.unwrap());
    store.expire(Expiry { packs: 0, reports: 21, tables: 0 }).await.unwrap();
    assert!(store.reports(0, 1000).await.unwrap().iter().all(|kept| kept.at == 21));
    store.expire(Expiry { packs: 0, reports: 22, tables: 0 }).await.unwrap();
    assert!(store.reports(0, 1000).await.unwrap().is_empty());
}

/// STORE-22
async fn deleting_a_table_deletes_everything_of_it(store: &dyn Store) {
    let (table, epoch) = opened(store, 52).await;
    let writes = vec![game("g52"), log("g52", 1), Write::Chat(ChatRow { n: 1, body: vec![1] })];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    assert_eq!(store.table_id("code52").await.unwrap(), Some(table));
    assert_eq!(store.games_of(table).await.unwrap(), ["g52"]);
    let after = store.tables("code51", 1).await.unwrap();
    assert_eq!(after.iter().map(|row| row.code.as_str()).collect::<Vec<_>>(), ["code52"]);
    assert_eq!(store.delete_table(table, epoch - 1).await, Err(StoreError::Fenced));
    store.delete_table(table, epoch).await.unwrap();
    assert_eq!(store.open("code52").await.unwrap(), Opened::Unknown);
    assert!(store.log("g52", 0, 9).await.unwrap().is_empty() && store.game("g52").await.unwrap().is_none());
    assert!(store.chat(table, 0, 9).await.unwrap().is_empty());
    let late = Commit { table, epoch, writes: vec![Write::Chat(ChatRow { n: 2, body: vec![1] })] };
    assert_eq!(store.commit(late).await, Err(StoreError::Fenced));
}

/// STORE-23
async fn only_the_owner_of_a_table_can_rewrite_its_logs(store: &dyn Store) {
    let (table, epoch) = opened(store, 53).await;
    let writes = std::iter::once(game("g53")).chain((1..=4).map(|seq| log("g53", seq))).collect();
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    // The store may have flushed some rows by now, and others not.
    store.purge(0).await.unwrap();
    store.commit(Commit { table, epoch, writes: vec![log("g53", 5)] }).await.unwrap();
    let other = || vec![(2, vec![9, 9]), (5, vec![8])];
    assert_eq!(store.rewrite_log(table, epoch - 1, "g53", other()).await, Err(StoreError::Fenced));
    store.rewrite_log(table, epoch, "g53", other()).await.unwrap();
    let changed = |seq, input: &[u8]| LogRow { input: input.to_vec(), ..row(seq) };
    let expected = [row(1), changed(2, &[9, 9]), row(3), row(4), changed(5, &[8])];
    assert_eq!(store.log("g53", 0, 9).await.unwrap(), expected);
    // The log can be continued after it was rewritten.
    store.commit(Commit { table, epoch, writes: vec![log("g53", 6)] }).await.unwrap();
    assert_eq!(store.log("g53", 5, 9).await.unwrap(), [row(6)]);
}

/// STORE-24
async fn a_forgotten_member_leaves_nothing(store: &dyn Store) {
    let me = somebody(62);
    let (table, epoch) = opened(store, 54).await;
    let said = |n, body: u8| ChatRow { n, body: vec![body] };
    let writes = vec![
        Write::Member(me.clone()),
        Write::Chat(said(1, 1)),
        Write::Chat(said(2, 2)),
        Write::Report(report(1, 5)),
        Write::Report(ReportRow { reporter: Some(me.member), about: None, ..report(2, 6) }),
    ];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    store.put_blob([74; 32], vec![7]).await.unwrap();
    let mine = PackRow { maker: Some(me.member), bytes: 33, ..pack_row("mine", [74; 32]) };
    store.add_packs(vec![mine], Vec::new(), unlimited_quotas()).await.unwrap();
    let known = store.makers(None, 1000).await.unwrap();
    let maker = known.iter().find(|maker| maker.member == me.member).unwrap();
    assert_eq!((maker.tables, maker.packs, maker.pack_bytes, maker.reports), (1, 1, 33, 1));
    let after = store.makers(Some(me.member), 1000).await.unwrap();
    assert!(after.iter().all(|other| other.member > me.member));
    assert_eq!(store.codes_of(&me.member, 9).await.unwrap(), ["code54"]);
    let writes =
        vec![Write::ChatChanged(said(1, 9)), Write::ChatChanged(said(7, 9)), Write::Forget { member: me.member }];
    store.commit(Commit { table, epoch, writes }).await.unwrap();
    assert_eq!(store.chat(table, 0, 9).await.unwrap(), [said(1, 9), said(2, 2)]);
    assert!(store.codes_of(&me.member, 9).await.unwrap().is_empty());
    store.forget(&me.member).await.unwrap();
    assert!(!store.makers(None, 1000).await.unwrap().iter().any(|maker| maker.member == me.member));
    assert!(store.pack("mine").await.unwrap().is_none());
    let kept = store.reports(0, 9).await.unwrap();
    assert_eq!(
        kept.iter().map(|kept| (kept.about, kept.name.as_str())).collect::<Vec<_>>(),
        [(None, SOMEBODY), (None, "Ben")]
    );
    assert_eq!(kept[1].reporter, None);
    store.expire(Expiry { packs: 0, reports: u64::MAX >> 1, tables: 0 }).await.unwrap();
}

/// STORE-25
async fn shared_value_keeps_the_first_value(store: &dyn Store) {
    assert_eq!(store.shared_value("key", vec![1]).await.unwrap(), [1]);
    assert_eq!(store.shared_value("key", vec![2]).await.unwrap(), [1]);
}
