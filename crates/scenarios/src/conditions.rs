//! What must hold in the words of the rules: `value(K♦) is 10`, `count of (board where rank is A) > 1`.

use crate::stage::{Outcome, Stage, wrong};
use baize_engine::cardset::CardSet;
use baize_engine::instance::code::Expr;
use baize_rules::program::ValueFormat;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Conditions that were met in a scenario, each compiled once: a start may be tried many times.
pub struct Conditions<S> {
    source: String,
    known: Mutex<HashMap<String, Compiled<S>>>,
}

/// What the rules say against it, if it is none.
type Compiled<S> = Arc<Result<Ready<S>, String>>;

struct Ready<S> {
    holds: Expr<S>,
    compared: Option<(Expr<S>, ValueFormat)>,
}

impl<S> Conditions<S> {
    pub fn new(source: &str) -> Self {
        Conditions { source: source.to_owned(), known: Mutex::new(HashMap::new()) }
    }
}

impl<S: CardSet> Stage<S> {
    /// Whether a condition holds; what the rules say against it if it is none.
    pub fn holds(&self, words: &str) -> Result<Outcome, String> {
        let mut known = self.conditions.known.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = known.entry(words.to_owned()).or_insert_with(|| Arc::new(self.make_ready(words))).clone();
        drop(known);
        let ready = ready.as_ref().as_ref().map_err(String::clone)?;
        let value = |of: &Expr<S>| self.instance.value(&self.frame, of, -1, &[]);
        if value(&ready.holds) != 0 {
            return Ok(Ok(()));
        }
        Ok(wrong(match &ready.compared {
            Some((compared, show)) => {
                format!("it is {}", self.line(&self.instance.show(&self.frame, value(compared), show)))
            }
            None => "it is not so".to_owned(),
        }))
    }

    fn make_ready(&self, words: &str) -> Result<Ready<S>, String> {
        let condition = baize_rules::condition(&self.conditions.source, words).map_err(|problems| {
            problems.first().map_or_else(String::new, |problem| match &problem.hint {
                Some(hint) => format!("{}. {hint}", problem.title),
                None => problem.title.clone(),
            })
        })?;
        let ready = |num| self.instance.ready(num).map_err(|e| e.to_string());
        let compared = match &condition.compared {
            Some((num, show)) => Some((ready(num)?, show.clone())),
            None => None,
        };
        Ok(Ready { holds: ready(&condition.holds)?, compared })
    }
}
