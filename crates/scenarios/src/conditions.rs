//! Evaluates conditions in the words of the rules: `value(K♦) is 10`, `count of (board where rank is A) > 1`.

use baize_engine::cardset::CardSet;
use baize_engine::frame::Frame;
use baize_engine::instance::Instance;
use baize_engine::instance::expr::Expr;
use baize_engine::view::RichText;
use baize_rules::program::ValueFormat;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The compiled conditions of a scenario. Each is compiled once, because `start where …` tries a condition with many
/// seeds.
pub struct Conditions<S> {
    source: String,
    compiled: Mutex<HashMap<String, Arc<CompileResult<S>>>>,
}

/// A compiled condition, or the compiler's message if the words are not a condition.
type CompileResult<S> = Result<CompiledCondition<S>, String>;

struct CompiledCondition<S> {
    holds: Expr<S>,
    /// The left side of a comparison, to show its value when the condition does not hold.
    compared: Option<(Expr<S>, ValueFormat)>,
}

/// Whether a condition holds in a frame.
pub enum Evaluation {
    Holds,
    /// With the value of the left side, if the condition is a comparison.
    Fails(Option<RichText>),
}

impl<S: CardSet> Conditions<S> {
    /// Makes an empty set of conditions. `source` is the rules file whose names they use.
    pub fn new(source: &str) -> Self {
        Conditions { source: source.to_owned(), compiled: Mutex::new(HashMap::new()) }
    }

    pub fn source(&self) -> &str {
        &self.source
    }

    /// Evaluates a condition, or returns the compiler's message if `words` are not a condition.
    pub fn evaluate(&self, instance: &Instance<S>, frame: &Frame<S>, words: &str) -> Result<Evaluation, String> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = compiled.entry(words.to_owned());
        let condition = entry.or_insert_with(|| Arc::new(self.compile(instance, words))).clone();
        drop(compiled);
        let condition = condition.as_ref().as_ref().map_err(String::clone)?;
        let value = |of: &Expr<S>| instance.value(frame, of, -1, &[]);
        if value(&condition.holds) != 0 {
            return Ok(Evaluation::Holds);
        }
        let shown =
            condition.compared.as_ref().map(|(compared, show)| instance.write_value(frame, value(compared), show));
        Ok(Evaluation::Fails(shown))
    }

    fn compile(&self, instance: &Instance<S>, words: &str) -> CompileResult<S> {
        let condition = baize_rules::condition(&self.source, words).map_err(|problems| {
            problems.first().map_or_else(String::new, |problem| match &problem.hint {
                Some(hint) => format!("{}. {hint}", problem.title),
                None => problem.title.clone(),
            })
        })?;
        let ready = |num| instance.lower_value(num).map_err(|e| e.to_string());
        let compared = match &condition.compared {
            Some((num, show)) => Some((ready(num)?, show.clone())),
            None => None,
        };
        Ok(CompiledCondition { holds: ready(&condition.holds)?, compared })
    }
}
