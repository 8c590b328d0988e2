//! A connection that comes back.

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

/// How long a database that is away is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// One attempt to connect.
const KNOCK: Duration = Duration::from_secs(3);
/// How often a statement is asked again whose answer did not arrive.
const TRIES: u32 = 5;

pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Why there is no answer.
pub enum Trouble {
    /// The database says that nothing was done, and would say so again.
    Refused(StoreError),
    /// It may or may not have been done.
    Unknown(String),
    /// The database cannot be reached.
    Away(StoreError),
}

pub struct Link {
    config: Config,
    /// What is said first on a new connection.
    settings: String,
    /// Told when one of the channels that the settings listen to has something.
    pub news: Arc<Notify>,
    /// A statement that has not answered for so long is given up, with its connection.
    silence: Duration,
    live: tokio::sync::Mutex<Slot>,
}

#[derive(Default)]
struct Slot {
    live: Option<Arc<Live>>,
    /// When nobody could connect for the last time, and why.
    failed: Option<(Instant, StoreError)>,
}

/// One connection, and what was prepared on it.
pub struct Live {
    pub client: Client,
    prepared: Mutex<HashMap<String, Statement>>,
    driver: JoinHandle<()>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Link {
    /// A link called `name` in the database's list of who is connected; made when it is first used.
    pub fn new(config: &Config, name: &str, settings: &str, silence: Duration) -> Self {
        let mut config = config.clone();
        config.application_name(name).keepalives_idle(Duration::from_secs(5));
        Link {
            config,
            settings: settings.to_owned(),
            news: Arc::default(),
            silence,
            live: tokio::sync::Mutex::default(),
        }
    }

    /// The connection; a new one if the last was lost.
    pub async fn live(&self) -> Result<Arc<Live>, StoreError> {
        let asked = Instant::now();
        let mut slot = self.live.lock().await;
        if let Some(live) = slot.live.as_ref().filter(|live| !live.client.is_closed()) {
            return Ok(live.clone());
        }
        // All who waited while another tried in vain have waited long enough.
        if let Some((_, error)) = slot.failed.as_ref().filter(|(when, _)| *when > asked) {
            return Err(error.clone());
        }
        let mut pause = Duration::from_millis(10);
        loop {
            let connecting = timeout(KNOCK, self.connect()).await;
            match connecting.unwrap_or_else(|_| Err(("no answer".into(), true))) {
                Ok(live) => return Ok(slot.live.insert(Arc::new(live)).clone()),
                Err((why, worth_waiting)) if !worth_waiting || asked.elapsed() > PATIENCE => {
                    let error = StoreError::Failed(format!("no connection to Postgres: {why}"));
                    slot.failed = Some((Instant::now(), error.clone()));
                    return Err(error);
                }
                Err(_) => sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_millis(500));
        }
    }

    /// An error comes with whether it may go away by itself.
    async fn connect(&self) -> Result<Live, (String, bool)> {
        let (client, mut connection) = self.config.connect(NoTls).await.map_err(|error| {
            // A wrong password or name stays wrong.
            let wrong = error.code().is_some_and(|code| code.code().starts_with("28") || code.code().starts_with("3D"));
            (describe(&error), !wrong)
        })?;
        let news = self.news.clone();
        let driver = tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notification(_) = message {
                    news.notify_one();
                }
            }
        });
        let live = Live { client, prepared: Mutex::default(), driver };
        live.client.batch_execute(&self.settings).await.map_err(|error| (describe(&error), true))?;
        Ok(live)
    }

    /// Asks once.
    pub async fn ask(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, Trouble> {
        let live = self.live().await.map_err(Trouble::Away)?;
        let asking = async {
            let statement = live.prepare(sql).await?;
            live.client.query(&statement, params).await
        };
        let error = match timeout(self.silence, asking).await {
            Ok(Ok(rows)) => return Ok(rows),
            Ok(Err(error)) => error,
            Err(_) => {
                self.drop_connection(&live).await;
                return Err(Trouble::Unknown("no answer from Postgres".into()));
            }
        };
        match error.as_db_error() {
            // Nothing was done; the next attempt may meet nobody.
            Some(said)
                if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE].contains(said.code()) =>
            {
                Err(Trouble::Unknown(describe(&error)))
            }
            Some(said) if said.parsed_severity() == Some(Severity::Error) => Err(Trouble::Refused(failed(error))),
            _ => {
                self.drop_connection(&live).await;
                Err(Trouble::Unknown(describe(&error)))
            }
        }
    }

    /// Asks until there is an answer: for statements that may be done twice.
    pub async fn insist(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, StoreError> {
        let mut last = String::new();
        for _ in 0..TRIES {
            match self.ask(sql, params).await {
                Ok(rows) => return Ok(rows),
                Err(Trouble::Refused(error) | Trouble::Away(error)) => return Err(error),
                Err(Trouble::Unknown(why)) => last = why,
            }
        }
        Err(StoreError::Failed(last))
    }

    pub async fn close(&self) {
        self.live.lock().await.live.take();
    }

    async fn drop_connection(&self, lost: &Arc<Live>) {
        let mut slot = self.live.lock().await;
        if slot.live.as_ref().is_some_and(|live| Arc::ptr_eq(live, lost)) {
            slot.live.take();
        }
    }
}

impl Live {
    async fn prepare(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        let prepared = || self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = prepared().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        prepared().insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

pub fn failed(error: tokio_postgres::Error) -> StoreError {
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => StoreError::Taken,
        // What is referred to and can be gone is a blob.
        Some(&SqlState::FOREIGN_KEY_VIOLATION) => StoreError::Missing,
        _ => StoreError::Failed(describe(&error)),
    }
}

/// The library's own words leave out what the server said.
fn describe(error: &tokio_postgres::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}
