//! The one writer.

use super::checkpoint::Checkpoints;
use super::journal::{self, Journal, Tails};
use super::place::{self, Files, Identity, Line, Place, abandon, checkpoint_all};
use super::{Order, failed, schema};
use crate::stats::said;
use crate::{Commit, Created, Faults, Hash, LogRow, NewTable, OpenTable, Opened, Stats, StoreError, TableRow, Write};
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Jobs in one transaction. Enough that the sync is shared by all who wait, little enough that none waits long.
const GROUP: usize = 512;
/// So many jobs in each of two groups mean that more are on their way: the next one waits for them, the longer the more there were. A sync
/// costs as much for two as for fifty. After a single such group nobody waits: it was a slow disk, and has passed.
const BUSY: usize = 4;
const WAIT_FOR_EACH: Duration = Duration::from_micros(200);
const WAIT_AT_MOST: Duration = Duration::from_millis(5);
/// After so long without a job there is time to tidy up.
const QUIET: Duration = Duration::from_secs(1);
/// Tables and games of which it is remembered how they stand.
const REMEMBERED: usize = 10_000;

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// A change, and whom to tell once it is on disk (or that it failed).
pub enum Job {
    Commit(Commit, Reply<()>),
    Other(Change),
    /// Has a transaction of its own, after its group's.
    Alone(Box<dyn FnOnce(&mut Book) + Send>),
}

/// Is given the book, or why nothing can be written.
type Change = Box<dyn FnOnce(Result<&mut Book, StoreError>) -> Done + Send>;

/// Tells the outcome; `Err` if the shared commit failed after all.
type Done = (bool, Box<dyn FnOnce(Result<(), StoreError>) + Send>);

impl Job {
    pub fn purge(before: u64, reply: Reply<u64>) -> Self {
        Job::alone(move |book| book.purge(before), reply)
    }

    /// What [`Book::alone`] is for.
    pub fn alone<T: Send + 'static>(
        change: impl FnOnce(&mut Book) -> Result<T, StoreError> + Send + 'static,
        reply: Reply<T>,
    ) -> Self {
        Job::Alone(Box::new(move |book| drop(reply.send(change(book)))))
    }

    pub fn other<T: Send + 'static>(
        change: impl FnOnce(&mut Book) -> Result<T, StoreError> + Send + 'static,
        reply: Reply<T>,
    ) -> Self {
        Job::Other(Box::new(move |book| {
            let result = book.and_then(change);
            let good = result.is_ok();
            let tell = move |committed: Result<(), StoreError>| {
                let _ = reply.send(committed.and(result));
            };
            (good, Box::new(tell))
        }))
    }
}

impl Job {
    /// Nothing can be written.
    fn refuse(self, error: &StoreError) {
        match self {
            Job::Commit(_, reply) => drop(reply.send(Err(error.clone()))),
            Job::Other(apply) => apply(Err(error.clone())).1(Err(error.clone())),
            // Whoever waits for it finds that there is no answer.
            Job::Alone(change) => drop(change),
        }
    }
}

/// Whom to tell what when the group is on disk.
enum Teller {
    Commit(Reply<()>, Result<(), StoreError>),
    Other(Box<dyn FnOnce(Result<(), StoreError>) + Send>),
}

impl Teller {
    fn tell(self, committed: Result<(), StoreError>) {
        match self {
            Teller::Commit(reply, result) => drop(reply.send(committed.and(result))),
            Teller::Other(tell) => tell(committed),
        }
    }
}

/// What it takes to open the database once more.
pub struct Keeper {
    pub place: Place,
    pub tails: Tails,
    /// Of the database that was opened last, and how often it was another than before.
    pub identity: Identity,
    pub generation: i64,
    /// The connections beside the writer's. No two connections may be to different files of one name.
    pub others: [Line; 2],
}

impl Keeper {
    /// The book, opened once more if it was given up or if other files have taken the place of its own.
    fn ready<'a>(&mut self, slot: &'a mut Option<Book>) -> Result<&'a mut Book, StoreError> {
        let files = slot.as_ref().map_or(Files::Replaced, Book::files);
        let reopens = match (files, &*slot) {
            (Files::Same, Some(_)) => false,
            (Files::Gone, Some(book)) => return Err(book.gone()),
            (Files::OtherLog, Some(book)) => {
                // The old log is still open, and what is in it goes to the database before it is lost.
                checkpoint_all(&book.connection)?;
                true
            }
            _ => true,
        };
        if reopens {
            let [mut reading, mut checking] = self.others.each_ref().map(Line::lock);
            [reading.take(), checking.take()].into_iter().flatten().for_each(abandon);
            let log = slot.take().and_then(Book::end);
            if files == Files::Replaced {
                self.place.put_old_log_aside(log);
            }
            let connection = self.place.connect()?;
            schema::prepare(&connection)?;
            let book = Book::new(connection, &self.place, self.tails.clone(), self.generation)?;
            if book.identity != self.identity {
                (self.generation, self.identity) = (self.generation + 1, book.identity);
            }
            *slot = Some(Book { generation: self.generation, ..book });
            tracing::warn!(file = %self.place.database.display(), "the database was opened again");
        }
        slot.as_mut().ok_or_else(|| StoreError::Failed("the database is not open".into()))
    }
}

/// Runs until it is closed and every job before that is done. After a panic the book is not trusted any more: the database is
/// opened once more, and whoever's job it was is told that it failed.
pub fn run(mut keeper: Keeper, book: Book, orders: &Receiver<Order<Job>>, mut checkpoints: Checkpoints, stats: &Stats) {
    let mut slot = Some(book);
    let mut guarded = |slot: &mut Option<Book>, work: &mut dyn FnMut(&mut Book)| -> Result<(), StoreError> {
        let book = keeper.ready(slot).inspect_err(|error| stats.bad(&error.to_string()))?;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(book))) {
            stats.restarted();
            stats.bad("the writer of the store panicked");
            tracing::error!(panic = said(&*panic), "the writer of the store panicked; the database is opened again");
            slot.take();
        }
        Ok(())
    };
    let mut closing = None;
    let (mut last, mut before) = (0, 0);
    while closing.is_none() {
        let first = match orders.recv_timeout(QUIET) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                // A database that is not there is the next job's trouble.
                if slot.as_ref().is_some_and(|book| book.files() == Files::Same) {
                    let _ = guarded(&mut slot, &mut |book| book.tidy(journal::SOME));
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let expected: usize = last.min(before);
        if expected >= BUSY {
            // Asleep and not at the queue: nobody who puts a job there has to wake anybody.
            std::thread::sleep(WAIT_AT_MOST.min(WAIT_FOR_EACH * expected as u32));
        }
        let (mut group, mut alone) = (Vec::new(), Vec::new());
        for order in std::iter::once(first).chain(orders.try_iter()) {
            match order {
                Order::Do(Job::Alone(change)) => alone.push(change),
                Order::Do(job) => group.push(job),
                Order::Close(told) => closing = Some(told),
            }
            if closing.is_some() || group.len() == GROUP {
                break;
            }
        }
        (before, last) = (last, group.len());
        let count = group.len() as u64;
        let mut group = (!group.is_empty()).then_some(group);
        let mut alone = Some(alone);
        let done = guarded(&mut slot, &mut |book| {
            if let Some(group) = group.take() {
                book.do_all(group, stats);
            }
            for change in alone.take().into_iter().flatten() {
                change(book);
            }
            book.tidy(journal::MANY);
            checkpoints.after(count, &book.connection);
        });
        if let Err(error) = done {
            group.take().into_iter().flatten().for_each(|job| job.refuse(&error));
            alone.take().into_iter().flatten().for_each(|change| Job::Alone(change).refuse(&error));
        }
    }
    if slot.as_ref().is_some_and(|book| book.files() == Files::Same) {
        let _ = guarded(&mut slot, &mut |book| book.tidy(1));
    }
    checkpoints.end();
    match slot.take() {
        Some(book) if book.files() != Files::Same => drop(book.end()),
        book => drop(book),
    }
    if let Some(told) = closing {
        let _ = told.send(());
    }
}

/// The database as its one writer has it: with what was written last still in mind.
pub struct Book {
    connection: Connection,
    place: Place,
    /// Of the database's file.
    pub identity: Identity,
    /// How often another database has taken the place of the one before. Epochs begin with it: whoever opened a table in another
    /// file must not write here.
    generation: i64,
    /// The disk has not confirmed something that was written: nothing is good before all of it is in its place.
    unconfirmed: bool,
    /// SQLite's log of writes: where a commit is on disk first.
    log: Log,
    journal: Journal,
    /// Of tables written to lately: the epoch under which they were opened.
    epochs: HashMap<i64, i64>,
    games: HashMap<String, Known>,
    /// Another number means that somebody else has written to the file: nothing in mind is certain then.
    version: i64,
}

/// SQLite would sync it with every commit, but by `fsync`, which also waits for what nobody needs: when the file was changed.
struct Log {
    path: PathBuf,
    /// Opened with the first transaction, when it is certainly there.
    file: Option<File>,
}

/// Bytes the log has from the start: more than is written to it from one time that it is begun anew to the next.
const ROOM: u64 = 8 << 20;

impl Log {
    /// A commit that makes a file longer waits until the file system has written down that it is longer, and with that for whatever
    /// else anybody has changed on the disk. So the log is long from the start, of real zeros: space that is only reserved
    /// is still noted with each write to it. SQLite reads a log as far as its checksums are right.
    ///
    /// In a transaction: nobody else makes it longer meanwhile. Where there is no space, commits take longer, and that is all.
    fn make_room(&mut self) {
        if self.file.is_none()
            && let Ok(mut file) = self.open()
        {
            let end = file.seek(SeekFrom::End(0)).unwrap_or(ROOM);
            let _ = std::io::copy(&mut std::io::repeat(0).take(ROOM.saturating_sub(end)), &mut file);
            self.file = Some(file);
        }
    }

    fn open(&self) -> std::io::Result<File> {
        File::options().write(true).open(&self.path)
    }

    fn identity(&self) -> Option<Identity> {
        self.file.as_ref().and_then(|file| file.metadata().ok()).map(|about| place::identity_of(&about))
    }

    fn sync(&mut self, faults: &Faults) -> Result<(), StoreError> {
        faults.at("store/sync", "").map_err(|error| StoreError::Failed(error.to_string()))?;
        let failed = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", self.path.display()));
        let file = match &self.file {
            Some(file) => file,
            None => &*self.file.insert(self.open().map_err(failed)?),
        };
        file.sync_data().map_err(failed)
    }
}

/// A game whose log is written to.
#[derive(Clone, Copy)]
struct Known {
    n: i64,
    /// Of its last row.
    last: u64,
}

impl Book {
    /// The log of writes is the file that SQLite has beside the database.
    pub fn new(connection: Connection, place: &Place, tails: Tails, generation: i64) -> Result<Self, StoreError> {
        let about = |e: std::io::Error| StoreError::Failed(format!("{}: {e}", place.database.display()));
        let mut book = Book {
            connection,
            identity: place::identity(&place.database).map_err(about)?,
            place: place.clone(),
            generation,
            unconfirmed: false,
            log: Log { path: place.log(), file: None },
            journal: Journal::new(tails),
            epochs: HashMap::new(),
            games: HashMap::new(),
            version: 0,
        };
        book.version = book.data_version()?;
        book.journal.read(&book.connection)?;
        Ok(book)
    }

    pub fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, StoreError> {
        self.connection.prepare_cached(sql).map_err(failed)
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.statement(sql)?.execute([]).map(|_| ()).map_err(failed)
    }

    fn data_version(&self) -> Result<i64, StoreError> {
        self.statement("PRAGMA data_version")?.query_row([], |row| row.get(0)).map_err(failed)
    }

    /// Whether the names still lead to the files that are open.
    pub fn files(&self) -> Files {
        match place::identity(&self.place.database) {
            Err(_) => Files::Gone,
            Ok(identity) if identity != self.identity => Files::Replaced,
            Ok(_) => match (self.log.identity(), place::identity(&self.log.path).ok()) {
                (Some(open), there) if there != Some(open) => Files::OtherLog,
                _ => Files::Same,
            },
        }
    }

    fn gone(&self) -> StoreError {
        StoreError::Failed(format!("{}: the file is gone", self.place.database.display()))
    }

    /// Lets go of files that are no longer where they were; tells which log of writes was its own.
    pub fn end(self) -> Option<Identity> {
        let log = self.log.identity();
        place::abandon(self.connection);
        log
    }

    /// A write that changes nothing, if there is doubt whether anything can be written.
    pub fn probe(&self, doubt: bool) -> Result<(), StoreError> {
        match doubt {
            true => schema::touch(&self.connection),
            false => Ok(()),
        }
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        self.place.faults.at("store/write", "").map_err(|error| StoreError::Failed(error.to_string()))?;
        if self.unconfirmed {
            checkpoint_all(&self.connection)?;
            self.unconfirmed = false;
        }
        self.run("BEGIN IMMEDIATE")?;
        let sure = self.make_sure();
        match sure {
            Ok(()) => self.log.make_room(),
            Err(_) => drop(self.run("ROLLBACK")),
        }
        sure
    }

    /// Whether what is in mind is still so. In a transaction: it stays so until its end.
    fn make_sure(&mut self) -> Result<(), StoreError> {
        let version = self.data_version()?;
        if version != self.version {
            self.forget();
            self.journal.read(&self.connection)?;
            self.version = version;
        }
        Ok(())
    }

    /// One transaction for all of these; then everybody is told.
    fn do_all(&mut self, group: Vec<Job>, stats: &Stats) {
        let count = group.len() as u64;
        stats.begun();
        let begun = self.begin();
        let tellers: Vec<Teller> = group.into_iter().filter_map(|job| self.perform(job, begun.clone())).collect();
        let started = Instant::now();
        let committed = begun.and_then(|()| self.commit_group());
        stats.note(count, started.elapsed().as_micros() as u64);
        match &committed {
            Ok(()) => stats.good(),
            Err(error) => stats.bad(&error.to_string()),
        }
        tellers.into_iter().for_each(|teller| teller.tell(committed.clone()));
    }

    /// What is in mind may not be so.
    fn forget(&mut self) {
        self.epochs.clear();
        self.games.clear();
    }

    fn perform(&mut self, job: Job, begun: Result<(), StoreError>) -> Option<Teller> {
        match (job, begun) {
            (Job::Commit(commit, reply), Ok(())) => Some(Teller::Commit(reply, self.commit(&commit))),
            (Job::Commit(_, reply), Err(error)) => Some(Teller::Commit(reply, Err(error))),
            (Job::Other(apply), Ok(())) => {
                // A job that fails must not take the others of its group with it.
                let _ = self.run("SAVEPOINT job");
                let (good, tell) = apply(Ok(self));
                let _ = self.run(if good { "RELEASE job" } else { "ROLLBACK TO job" });
                Some(Teller::Other(tell))
            }
            (Job::Other(apply), Err(error)) => Some(Teller::Other(apply(Err(error)).1)),
            // Not part of a group.
            (Job::Alone(_), _) => None,
        }
    }

    fn commit_group(&mut self) -> Result<(), StoreError> {
        let faults = self.place.faults.at("store/commit", "").map_err(|error| StoreError::Failed(error.to_string()));
        let written = faults.and_then(|()| self.journal.write(&self.connection)).and_then(|()| self.run("COMMIT"));
        if written.is_err() {
            let _ = self.run("ROLLBACK");
            self.journal.forget_group();
            self.forget();
            return written;
        }
        let synced = self.log.sync(&self.place.faults);
        match synced {
            Ok(()) => self.journal.written(),
            // It may be there or not; whoever asks is told what is there. A system that could not write a page may forget that it
            // has to: to ask it once more proves nothing, so everything is written to another place before anything else.
            Err(_) => {
                self.unconfirmed = true;
                self.forget();
                let _ = self.journal.read(&self.connection);
            }
        }
        synced
    }

    /// Puts what is in the journal in its place, if it is that much. What can't be done is done the next time, and what is
    /// lost through a power cut is still in the journal: this waits for no disk.
    fn tidy(&mut self, from: usize) {
        if self.journal.count() < from.max(1) {
            return;
        }
        let done = self.begin().and_then(|()| self.journal.put_in_place(&self.connection));
        match done.and_then(|()| self.run("COMMIT")) {
            Ok(()) => self.journal.emptied(),
            Err(_) => drop(self.run("ROLLBACK")),
        }
        if self.epochs.len() > REMEMBERED || self.games.len() > REMEMBERED {
            self.forget();
        }
    }

    /// Whoever opened a table last may write to it.
    pub fn fence(&mut self, table: i64, epoch: i64) -> Result<(), StoreError> {
        let held = match self.epochs.get(&table) {
            Some(held) => *held,
            None => {
                let mut find = self.statement("SELECT epoch FROM tables WHERE id = ?")?;
                let held = find.query_row([table], |row| row.get(0)).optional().map_err(failed)?;
                drop(find);
                let held = held.ok_or(StoreError::Fenced)?;
                self.epochs.insert(table, held);
                held
            }
        };
        if with_generation(held, self.generation) == epoch { Ok(()) } else { Err(StoreError::Fenced) }
    }

    /// All of a commit or nothing.
    fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        self.fence(commit.table, commit.epoch)?;
        let mark = self.journal.mark();
        // Rows of logs are in memory until the end of the group; only other writes need a way back.
        let others = commit.writes.iter().any(|write| !matches!(write, Write::Log { .. }));
        if others {
            self.run("SAVEPOINT job")?;
        }
        let done = self.write(commit);
        if done.is_err() {
            self.journal.back_to(mark);
            for write in &commit.writes {
                if let Write::Log { game, .. } = write {
                    self.games.remove(game);
                }
            }
        }
        if others {
            let _ = self.run(if done.is_ok() { "RELEASE job" } else { "ROLLBACK TO job" });
        }
        done
    }

    fn write(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let mut logged: Vec<(&str, &LogRow)> = Vec::with_capacity(commit.writes.len());
        for write in &commit.writes {
            match write {
                Write::Log { game, row } => logged.push((game, row)),
                other => self.write_other(commit.table, other)?,
            }
        }
        logged.sort_by_key(|(_, row)| row.seq);
        logged.into_iter().try_for_each(|(game, row)| self.append(game, row))
    }

    /// The fence has been checked.
    fn write_other(&self, table: i64, write: &Write) -> Result<(), StoreError> {
        match write {
            Write::Log { .. } => {}
            Write::Table { record, at, listed, running } => {
                self.statement("UPDATE tables SET record = ?, updated_at = ?, listed = ?, running = ? WHERE id = ?")?
                    .execute(params![record, *at as i64, listed, running, table])
                    .map_err(failed)?;
            }
            Write::Member(member) => self.add_member(table, &member.member)?,
            Write::Blob { hash, body } => {
                self.put_blob(hash, body)?;
                self.refer(table, hash)?;
            }
            Write::Game(game) => {
                self.statement(
                    "INSERT INTO games (id, table_id, record) VALUES (?, ?, ?)
                     ON CONFLICT (id) DO UPDATE SET record = excluded.record",
                )?
                .execute(params![game.id, table, game.record])
                .map_err(failed)?;
            }
            // All games are in one file anyway.
            Write::Ended { .. } => {}
            Write::Snapshot { game, snapshot } => {
                self.statement("INSERT OR REPLACE INTO snapshots (game_id, seq, body) VALUES (?, ?, ?)")?
                    .execute(params![game, snapshot.seq as i64, snapshot.body])
                    .map_err(failed)?;
            }
            Write::Chat(line) => {
                self.statement("INSERT OR REPLACE INTO chat (table_id, n, body) VALUES (?, ?, ?)")?
                    .execute(params![table, line.n as i64, line.body])
                    .map_err(failed)?;
                if let Some(last) = line.trims_up_to() {
                    self.statement("DELETE FROM chat WHERE table_id = ? AND n <= ?")?
                        .execute(params![table, last as i64])
                        .map_err(failed)?;
                }
            }
            Write::ChatChanged(line) => {
                self.statement("UPDATE chat SET body = ? WHERE table_id = ? AND n = ?")?
                    .execute(params![line.body, table, line.n as i64])
                    .map_err(failed)?;
            }
            Write::Report(report) => self.add_report(report)?,
            Write::Forget { member } => {
                self.statement("DELETE FROM members WHERE member = ? AND table_id = ?")?
                    .execute(params![member, table])
                    .map_err(failed)?;
            }
        }
        Ok(())
    }

    /// A row of a log comes after all that are there.
    fn append(&mut self, game: &str, row: &LogRow) -> Result<(), StoreError> {
        let mut known = self.known(game)?;
        if row.seq <= known.last {
            return Err(StoreError::Taken);
        }
        self.journal.add(known.n, row);
        known.last = row.seq;
        match self.games.get_mut(game) {
            Some(old) => *old = known,
            None => drop(self.games.insert(game.to_owned(), known)),
        }
        Ok(())
    }

    fn known(&self, game: &str) -> Result<Known, StoreError> {
        if let Some(known) = self.games.get(game) {
            return Ok(*known);
        }
        let find = self.statement("SELECT n FROM games WHERE id = ?")?.query_row([game], |row| row.get(0)).optional();
        let n = find.map_err(failed)?.ok_or_else(|| StoreError::Failed(format!("there is no game {game}")))?;
        let last = match self.journal.last(n) {
            Some(last) => last,
            None => {
                let mut find =
                    self.statement("SELECT last FROM stretches WHERE game = ? ORDER BY last DESC LIMIT 1")?;
                let last: Option<i64> = find.query_row([n], |row| row.get(0)).optional().map_err(failed)?;
                last.unwrap_or(0) as u64
            }
        };
        Ok(Known { n, last })
    }

    pub fn create(&self, table: &NewTable) -> Result<Created, StoreError> {
        let mut find = self.statement("SELECT code FROM tables WHERE key = ?")?;
        let existing: Option<String> = find.query_row([&table.key], |row| row.get(0)).optional().map_err(failed)?;
        if let Some(code) = existing {
            return Ok(Created { code, new: false });
        }
        self.statement("INSERT INTO tables (code, key, updated_at, record, counted) VALUES (?, ?, ?, ?, 1)")?
            .execute(params![table.code, table.key, table.at as i64, table.record])
            .map_err(failed)?;
        let id = self.connection.last_insert_rowid();
        for member in &table.members {
            self.add_member(id, &member.member)?;
        }
        for hash in &table.blobs {
            self.must_have(hash)?;
            self.refer(id, hash)?;
        }
        Ok(Created { code: table.code.clone(), new: true })
    }

    pub fn open(&mut self, code: &str) -> Result<Opened, StoreError> {
        let mut take = self
            .statement("UPDATE tables SET epoch = epoch + 1 WHERE code = ? RETURNING id, epoch, record, updated_at")?;
        let open = take.query_row([code], |row| {
            let updated: i64 = row.get(3)?;
            let row_of = TableRow { code: code.to_owned(), record: row.get(2)?, updated_at: updated as u64 };
            let epoch = with_generation(row.get(1)?, self.generation);
            Ok(OpenTable { id: row.get(0)?, epoch, row: row_of })
        });
        let open = open.optional().map_err(failed)?;
        drop(take);
        if let Some(open) = &open {
            self.epochs.remove(&open.id);
        }
        Ok(open.map_or(Opened::Unknown, Opened::Here))
    }

    fn add_member(&self, table: i64, member: &Hash) -> Result<(), StoreError> {
        self.statement("INSERT OR IGNORE INTO members (member, table_id) VALUES (?, ?)")?
            .execute(params![member, table])
            .map_err(failed)?;
        Ok(())
    }

    pub fn put_blob(&self, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
        self.statement("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?, ?)")?
            .execute(params![hash, body])
            .map_err(failed)?;
        Ok(())
    }

    /// A table speaks of a blob.
    fn refer(&self, table: i64, hash: &Hash) -> Result<(), StoreError> {
        self.statement("INSERT OR IGNORE INTO spoken_of (table_id, hash) VALUES (?, ?)")?
            .execute(params![table, hash])
            .map_err(failed)?;
        Ok(())
    }

    pub fn must_have(&self, hash: &Hash) -> Result<(), StoreError> {
        let there = self.statement("SELECT 1 FROM blobs WHERE hash = ?")?.exists([hash]).map_err(failed)?;
        if there { Ok(()) } else { Err(StoreError::Missing) }
    }

    /// Between two groups: with nothing in the journal, what is deleted is all there is of a table.
    fn purge(&mut self, before: u64) -> Result<u64, StoreError> {
        self.alone(|book| book.delete_old(before))
    }

    /// A transaction of its own, between two groups, for what must find all rows of logs in their places.
    pub fn alone<T>(&mut self, change: impl FnOnce(&mut Book) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.tidy(1);
        if self.journal.count() > 0 {
            return Err(StoreError::Failed("rows could not be put in their places".into()));
        }
        self.begin()?;
        let done = change(self).and_then(|done| self.run("COMMIT").map(|()| done));
        if done.is_err() {
            let _ = self.run("ROLLBACK");
        }
        self.forget();
        let done = done?;
        self.log.sync(&self.place.faults).inspect_err(|_| self.unconfirmed = true).map(|()| done)
    }

    fn delete_old(&self, before: u64) -> Result<u64, StoreError> {
        const TABLES: &str = "DELETE FROM tables WHERE updated_at < ?1 AND NOT EXISTS
          (SELECT 1 FROM stretches WHERE game = (SELECT n FROM games WHERE id = tables.running) AND at >= ?1)";
        const BLOBS: &str = "DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM spoken_of)
          AND hash NOT IN (SELECT hash FROM packs) AND NOT EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
        let purged = self.statement(TABLES)?.execute([before as i64]).map_err(failed)?;
        self.run(BLOBS)?;
        Ok(purged as u64)
    }
}

/// An epoch as whoever opened a table has it.
fn with_generation(epoch: i64, generation: i64) -> i64 {
    epoch.wrapping_add(generation << 40)
}
