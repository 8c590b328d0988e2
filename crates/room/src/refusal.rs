//! Refusals of actions.

use crate::names::NameProblem;
use baize_engine::moves::Refusal;
use baize_engine::view::RichText;
use baize_protocol::{ErrorCode, Refused};
use baize_rows::Unwritable;

/// Why an action is refused: a code, and a text where the code's own text is not enough.
#[derive(Clone, Debug)]
pub struct ActionRefusal {
    pub code: ErrorCode,
    pub text: Option<String>,
    pub line: Option<RichText>,
}

impl ActionRefusal {
    /// The refusal as a client gets it.
    pub fn refused(self, request_id: Option<String>) -> Refused {
        let text = self.text.unwrap_or_else(|| self.code.text().to_owned());
        Refused { request_id, error: self.code, text, line: self.line }
    }

    /// The reason as a text.
    pub fn into_text(self) -> String {
        self.text.unwrap_or_else(|| self.code.text().to_owned())
    }
}

impl From<ErrorCode> for ActionRefusal {
    fn from(code: ErrorCode) -> Self {
        ActionRefusal { code, text: None, line: None }
    }
}

impl From<NameProblem> for ActionRefusal {
    fn from(problem: NameProblem) -> Self {
        ActionRefusal { code: ErrorCode::BadName, text: Some(problem.text().to_owned()), line: None }
    }
}

impl From<Refusal> for ActionRefusal {
    /// The engine makes a refusal from the seat's own sight, so the refusal tells the seat nothing that it may not know.
    fn from(refusal: Refusal) -> Self {
        let code = ErrorCode::from_code(refusal.code()).unwrap_or(ErrorCode::NotLegal);
        // If the rules refuse a start, the chat shows the reason as plain text.
        let text = matches!(refusal, Refusal::Requires(_)).then(|| refusal.in_words());
        let line = match refusal {
            Refusal::NotLegal(line) | Refusal::Requires(line) => Some(line),
            _ => None,
        };
        ActionRefusal { code, text, line }
    }
}

impl From<Unwritable> for ActionRefusal {
    fn from(unwritable: Unwritable) -> Self {
        tracing::error!(error = %unwritable, "refused");
        ErrorCode::Storage.into()
    }
}
