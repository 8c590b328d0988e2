//! Diagnostics: messages about a file for the person who wrote it.
//!
//! A [`Diagnostic`] says what is wrong (`title`), where (`span`, which is underlined with `label` below it), and what
//! to write instead (`hint`). Its readers design games and need not be programmers. A `code` never changes once it is
//! released, so that tests, documents and editors can rely on it.

use codespan_reporting::diagnostic as report;
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term;

use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable and short, such as `parse/expected-block`.
    pub code: &'static str,
    pub title: String,
    pub span: Span,
    /// The words below the underlined span; may be empty.
    pub label: String,
    /// Other spans that explain this one, each with its label.
    pub related: Vec<(Span, String)>,
    pub hint: Option<String>,
    pub severity: Severity,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, title: impl Into<String>) -> Self {
        Diagnostic {
            code,
            title: title.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            hint: None,
            severity: Severity::Error,
        }
    }

    pub fn warning(code: &'static str, span: Span, title: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, title) }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the hint to `Did you mean …?` if there is a suggestion.
    pub fn suggest(self, suggestion: Option<String>) -> Self {
        match suggestion {
            Some(name) => self.hint(format!("Did you mean `{name}`?")),
            None => self,
        }
    }

    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Upper bound on the diagnostics that are written out. Nobody reads more at once.
const MAX_RENDERED: usize = 30;

/// Writes the diagnostics as plain text that quotes the source.
pub fn render(file_name: &str, source: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    let files = SimpleFile::new(file_name, source);
    let config = term::Config::default();
    for diagnostic in diagnostics.iter().take(MAX_RENDERED) {
        // This fails only for a span outside the source, which would be a fault of the compiler. The reader must still
        // get the title.
        match term::emit_into_string(&config, &files, &convert(source, diagnostic)) {
            Ok(text) => out.push_str(&text),
            Err(_) => out.push_str(&format!("{}: {}\n", diagnostic.code, diagnostic.title)),
        }
    }
    out.push_str(&format_omitted(diagnostics.len()));
    out
}

/// Writes the diagnostics with ANSI colours, for a terminal.
pub fn render_colored(file_name: &str, source: &str, diagnostics: &[Diagnostic]) -> String {
    use codespan_reporting::term::termcolor::Buffer;
    let mut out = Buffer::ansi();
    let files = SimpleFile::new(file_name, source);
    let config = term::Config::default();
    for diagnostic in diagnostics.iter().take(MAX_RENDERED) {
        let _ = term::emit_to_write_style(&mut out, &config, &files, &convert(source, diagnostic));
    }
    let text = String::from_utf8_lossy(out.as_slice()).into_owned();
    text + &format_omitted(diagnostics.len())
}

/// Whether a line is so long that the message would get lost if it quoted the line. Nobody writes such a line by hand.
fn is_on_huge_line(source: &str, span: Span) -> bool {
    const MAX_LENGTH: usize = 1_000;
    let start = floor_char_boundary(source, span.start as usize);
    let before = source[..start].rfind('\n').map_or(start, |newline| start - newline);
    let after = source[start..].find('\n').unwrap_or(source.len() - start);
    before + after > MAX_LENGTH
}

fn format_omitted(total: usize) -> String {
    match total.saturating_sub(MAX_RENDERED) {
        0 => String::new(),
        more => format!("… and {more} more\n"),
    }
}

fn convert(source: &str, diagnostic: &Diagnostic) -> report::Diagnostic<()> {
    let severity = match diagnostic.severity {
        Severity::Error => report::Severity::Error,
        Severity::Warning => report::Severity::Warning,
    };
    let report = report::Diagnostic::new(severity).with_code(diagnostic.code).with_message(&diagnostic.title);
    let hint = diagnostic.hint.iter().map(|hint| format!("hint: {hint}"));
    if is_on_huge_line(source, diagnostic.span) {
        let (line, column) = line_column(source, diagnostic.span.start as usize);
        let place = format!("at line {line}, column {column}");
        return report.with_notes(std::iter::once(place).chain(hint).collect());
    }
    let primary = report::Label::primary((), clamp_span(source, diagnostic.span)).with_message(&diagnostic.label);
    let related = diagnostic.related.iter().filter(|(span, _)| !is_on_huge_line(source, *span));
    let secondary =
        related.map(|(span, text)| report::Label::secondary((), clamp_span(source, *span)).with_message(text));
    report.with_labels(std::iter::once(primary).chain(secondary).collect()).with_notes(hint.collect())
}

/// Returns the span as a range that lies in the source and splits no character.
fn clamp_span(source: &str, span: Span) -> std::ops::Range<usize> {
    let start = floor_char_boundary(source, span.start as usize);
    start..floor_char_boundary(source, span.end as usize).max(start)
}

fn floor_char_boundary(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Returns line and column of a byte offset, both from 1; columns count characters, not bytes.
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let before = &source[..floor_char_boundary(source, offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// Returns the candidate that `name` was most likely meant to be, if one is close enough.
///
/// A short name must be closer than a long one: `hnad` is one change away from `hand`, but so are many pairs of names
/// with two letters that have nothing to do with each other.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted = name.to_lowercase();
    let allowed = match wanted.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|&candidate| candidate != name)
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            let distance = strsim::damerau_levenshtein(&wanted, &lower);
            let similarity = strsim::jaro_winkler(&wanted, &lower);
            let near = distance <= allowed && distance < lower.chars().count().max(2);
            (near || (similarity > 0.93 && allowed > 0)).then_some((distance, -similarity, candidate))
        })
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
        .map(|(_, _, candidate)| candidate.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn did_you_mean_suggests_only_similar_words() {
        let words = ["shuffle", "players", "move", "zones", "hand", "if", "do"];
        let suggestion = |name: &str| did_you_mean(name, words);
        assert_eq!(suggestion("shufle").as_deref(), Some("shuffle"));
        assert_eq!(suggestion("plyers").as_deref(), Some("players"));
        assert_eq!(suggestion("mvoe").as_deref(), Some("move"));
        assert_eq!(suggestion("zone").as_deref(), Some("zones"));
        assert_eq!(suggestion("Hand").as_deref(), Some("hand"));
        assert_eq!(suggestion("of"), None);
        assert_eq!(suggestion("elephant"), None);
    }

    #[test]
    fn line_column_counts_characters() {
        assert_eq!(line_column("♠♠x\ny", 6), (1, 3));
        assert_eq!(line_column("♠♠x\ny", 8), (2, 1));
        assert_eq!(line_column("ab", 99), (1, 3));
    }

    #[test]
    fn render_cuts_a_long_list() {
        let one = Diagnostic::error("test/x", Span::new(0, 1), "x");
        let text = render("f", "abc", &vec![one; 35]);
        assert!(text.ends_with("… and 5 more\n"));
    }

    #[test]
    fn render_accepts_spans_outside_the_source() {
        let odd = Diagnostic::error("test/x", Span::new(1, 900), "x").related(Span::new(7, 2), "y");
        render("f", "♠", std::slice::from_ref(&odd));
        assert!(render_colored("f", "", &[odd]).contains("x"));
    }
}
