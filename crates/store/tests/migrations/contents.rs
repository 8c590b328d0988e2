//! The contents of the databases in `tests/schemas`, which must still be there after a migration.

use baize_store::{Commit, LogRow, PackChoice, PackQuery, Snapshot, Store, StoreError, Write};

/// Reads everything, continues a game, and deletes everything.
pub async fn check(store: &dyn Store) {
    let row = |seq, at, input, old_batch| LogRow { seq, at, input: vec![input], old_batches: vec![old_batch] };
    assert_eq!(store.log("g1", 0, 10).await.unwrap(), [row(1, 10, 1, 2), row(2, 20, 3, 4)]);
    assert_eq!(store.log("g2", 0, 10).await.unwrap(), [row(1, 50, 10, 11)]);
    assert_eq!(store.game("g1").await.unwrap().unwrap().record, br#"{"n":1}"#);
    assert_eq!(store.game("g2").await.unwrap().unwrap().record, br#"{"n":2}"#);
    assert_eq!(store.snapshot("g1").await.unwrap(), Some(Snapshot { seq: 2, body: vec![5] }));
    let codes = |tables: Vec<baize_store::TableRow>| {
        tables.into_iter().map(|table| (table.code, table.updated_at, table.record)).collect::<Vec<_>>()
    };
    let (abc, def) = (("abc".into(), 50, br#"{"a":1}"#.to_vec()), ("def".into(), 9, br#"{"a":2}"#.to_vec()));
    assert_eq!(codes(store.tables("", 9).await.unwrap()), [abc.clone(), def.clone()]);
    assert_eq!(codes(store.tables_of(&[5; 32], 9).await.unwrap()), [abc.clone(), def]);
    assert_eq!(codes(store.tables_of(&[6; 32], 9).await.unwrap()), [abc]);
    let table = store.table_id("abc").await.unwrap().unwrap();
    let said: Vec<_> = store.chat(table, 0, 9).await.unwrap().into_iter().map(|line| line.body).collect();
    assert_eq!(said, [b"hello", b"again"]);
    let packs = store.packs(PackQuery { limit: 9, ..PackQuery::default() }).await.unwrap();
    assert_eq!(packs.len(), 1);
    assert_eq!((packs[0].id.as_str(), packs[0].hash, packs[0].bytes, packs[0].maker), ("mine", [9; 32], 6, None));
    // The pack counts as just uploaded.
    assert!(packs[0].used_at > 1_600_000_000_000);
    // Only later versions have orders and reports.
    for order in store.orders(9).await.unwrap() {
        assert_eq!(order.body, [2]);
        store.finish_order(order.id).await.unwrap();
    }
    for report in store.reports(0, 9).await.unwrap() {
        assert_eq!((report.table.as_str(), report.name.as_str()), ("abc", "Ann"));
        assert!(store.delete_report(report.id).await.unwrap());
    }
    goes_on(store).await;
}

async fn goes_on(store: &dyn Store) {
    let row = |seq| LogRow { seq, at: 60, input: vec![1], old_batches: vec![1] };
    let open = store.open("abc").await.unwrap().opened_here().unwrap();
    assert!(open.epoch > 3);
    let commit = |seq| Commit {
        table: open.id,
        epoch: open.epoch,
        writes: vec![Write::Log { game: "g2".into(), row: row(seq) }],
    };
    store.commit(commit(2)).await.unwrap();
    assert_eq!(store.commit(commit(2)).await, Err(StoreError::Taken));
    assert_eq!(store.log("g2", 1, 9).await.unwrap(), [row(2)]);
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&[9; 32]).await.unwrap(), Some(b"a pack".to_vec()));
    assert_eq!(store.blob(&[10; 32]).await.unwrap(), Some(b"a rule".to_vec()));
    // Deleting a table also deletes rows that come from the old schema.
    assert_eq!(store.purge(1000).await.unwrap(), 2);
    assert!(store.log("g1", 0, 10).await.unwrap().is_empty() && store.snapshot("g1").await.unwrap().is_none());
    // No table is left whose references are unknown, so the blob is deleted.
    assert_eq!(store.blob(&[10; 32]).await.unwrap(), None);
    assert_eq!(store.blob(&[9; 32]).await.unwrap(), Some(b"a pack".to_vec()));
    store.delete_packs(PackChoice::Id("mine".into())).await.unwrap();
    store.purge(0).await.unwrap();
    assert_eq!(store.blob(&[9; 32]).await.unwrap(), None);
}
