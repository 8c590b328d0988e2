//! A connection to Postgres that connects again when it is lost.

use crate::StoreError;
use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Row, Statement};

/// How long a statement waits for a database that cannot be reached.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Timeout of one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How often [`Connection::query_with_retries`] sends a statement whose outcome stays unknown.
const TRIES: u32 = 5;

pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Why a statement has no result.
pub enum QueryError {
    /// The database refused the statement and changed nothing. It would refuse the same statement again.
    Refused(StoreError),
    /// The database may have carried out the statement or not.
    OutcomeUnknown(String),
    /// The database cannot be reached, and the statement was not sent.
    Unreachable(StoreError),
}

pub struct Connection {
    config: Config,
    /// Statements that run first on every new session.
    setup: String,
    /// Notified when a message arrives on a channel that `setup` listens to.
    pub notified: Arc<Notify>,
    /// If a statement has no answer after this time, the connection gives it up and closes the session.
    statement_timeout: Duration,
    state: tokio::sync::Mutex<ConnectionState>,
}

#[derive(Default)]
struct ConnectionState {
    session: Option<Arc<DatabaseSession>>,
    /// When connecting failed for the last time, and why.
    failed: Option<(Instant, StoreError)>,
}

/// Upper bound on prepared statements of a session. There is one for each combination of writes that a group of commits has had,
/// and both ends keep each of them in memory.
const MAX_PREPARED: usize = 64;

/// One session with the database, and the statements prepared in it.
pub struct DatabaseSession {
    pub client: Client,
    prepared: Mutex<HashMap<String, Statement>>,
    driver: JoinHandle<()>,
}

impl Drop for DatabaseSession {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connection {
    /// Connects when it is first used. `name` is its application name in `pg_stat_activity`.
    pub fn new(config: &Config, name: &str, setup: &str, statement_timeout: Duration) -> Self {
        let mut config = config.clone();
        config.application_name(name).keepalives_idle(Duration::from_secs(5));
        Connection {
            config,
            setup: setup.to_owned(),
            notified: Arc::default(),
            statement_timeout,
            state: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the open session, or a new one if the last was lost.
    pub async fn session(&self) -> Result<Arc<DatabaseSession>, StoreError> {
        let asked = Instant::now();
        let mut state = self.state.lock().await;
        if let Some(session) = state.session.as_ref().filter(|session| !session.client.is_closed()) {
            return Ok(session.clone());
        }
        // Another caller failed to connect while this one waited for the lock: to try again would double the wait.
        if let Some((_, error)) = state.failed.as_ref().filter(|(when, _)| *when > asked) {
            return Err(error.clone());
        }
        let mut pause = Duration::from_millis(10);
        loop {
            let connecting = timeout(CONNECT_TIMEOUT, self.connect()).await;
            match connecting.unwrap_or_else(|_| Err(("no answer".into(), true))) {
                Ok(session) => return Ok(state.session.insert(Arc::new(session)).clone()),
                Err((why, is_temporary)) if !is_temporary || asked.elapsed() > RECONNECT_TIMEOUT => {
                    let error = StoreError::Failed(format!("no connection to Postgres: {why}"));
                    state.failed = Some((Instant::now(), error.clone()));
                    return Err(error);
                }
                Err(_) => sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_millis(500));
        }
    }

    /// Opens a session. The error says whether it may be temporary.
    async fn connect(&self) -> Result<DatabaseSession, (String, bool)> {
        let (client, mut connection) = self.config.connect(NoTls).await.map_err(|error| {
            // Class 28 is a wrong user or password, class 3D a database that does not exist: waiting does not help.
            let permanent =
                error.code().is_some_and(|code| code.code().starts_with("28") || code.code().starts_with("3D"));
            (describe(&error), !permanent)
        })?;
        let notified = self.notified.clone();
        let driver = tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notification(_) = message {
                    notified.notify_one();
                }
            }
        });
        let session = DatabaseSession { client, prepared: Mutex::default(), driver };
        session.client.batch_execute(&self.setup).await.map_err(|error| (describe(&error), true))?;
        Ok(session)
    }

    /// Sends a statement once.
    pub async fn query_once(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, QueryError> {
        let session = self.session().await.map_err(QueryError::Unreachable)?;
        let query = async {
            let statement = session.prepare(sql).await?;
            session.client.query(&statement, params).await
        };
        let error = match timeout(self.statement_timeout, query).await {
            Ok(Ok(rows)) => return Ok(rows),
            Ok(Err(error)) => error,
            Err(_) => {
                self.drop_session(&session).await;
                return Err(QueryError::OutcomeUnknown("no answer from Postgres".into()));
            }
        };
        match error.as_db_error() {
            // The database changed nothing, but unlike a refusal this may succeed the next time.
            Some(reported)
                if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE].contains(reported.code()) =>
            {
                Err(QueryError::OutcomeUnknown(describe(&error)))
            }
            Some(reported) if reported.parsed_severity() == Some(Severity::Error) => {
                Err(QueryError::Refused(failed(error)))
            }
            _ => {
                self.drop_session(&session).await;
                Err(QueryError::OutcomeUnknown(describe(&error)))
            }
        }
    }

    /// Sends a statement until its outcome is known. Only for statements that do no harm when they run twice.
    pub async fn query_with_retries(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, StoreError> {
        let mut last = String::new();
        for _ in 0..TRIES {
            match self.query_once(sql, params).await {
                Ok(rows) => return Ok(rows),
                Err(QueryError::Refused(error) | QueryError::Unreachable(error)) => return Err(error),
                Err(QueryError::OutcomeUnknown(why)) => last = why,
            }
        }
        Err(StoreError::Failed(last))
    }

    pub async fn close(&self) {
        self.state.lock().await.session.take();
    }

    async fn drop_session(&self, lost: &Arc<DatabaseSession>) {
        let mut state = self.state.lock().await;
        if state.session.as_ref().is_some_and(|session| Arc::ptr_eq(session, lost)) {
            state.session.take();
        }
    }
}

impl DatabaseSession {
    async fn prepare(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        let prepared = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = prepared().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        keep_statement(&mut prepared(), sql, statement.clone());
        Ok(statement)
    }
}

/// Keeps a prepared statement. When there are too many, all others go: dropping one closes it in the database.
fn keep_statement<T>(kept: &mut HashMap<String, T>, sql: &str, statement: T) {
    if kept.len() >= MAX_PREPARED {
        kept.clear();
    }
    kept.insert(sql.to_owned(), statement);
}

pub fn failed(error: tokio_postgres::Error) -> StoreError {
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => StoreError::Taken,
        // Of all rows that others refer to, only blobs can be deleted before the reference arrives.
        Some(&SqlState::FOREIGN_KEY_VIOLATION) => StoreError::Missing,
        _ => StoreError::Failed(describe(&error)),
    }
}

/// Adds the server's message, which the library's own text leaves out.
fn describe(error: &tokio_postgres::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_keeps_a_bounded_number_of_statements() {
        let mut kept = HashMap::new();
        for n in 0..10 * MAX_PREPARED {
            keep_statement(&mut kept, &format!("SELECT {n}"), n);
            assert!(kept.len() <= MAX_PREPARED && kept.contains_key(&format!("SELECT {n}")));
        }
    }
}
