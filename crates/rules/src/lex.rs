//! The lexer: splits source text into tokens (words, numbers, texts, symbols); then [`layout`] turns indentation into
//! [`TokenKind::Indent`] and [`TokenKind::Dedent`].
//!
//! A text (`"…"`) is one token that includes its holes; the parser reads the holes later. The lexer never stops at a
//! mistake: it reports the mistake and reads on.

mod layout;

use logos::{Lexer, Logos};

use crate::diagnostic::Diagnostic;
use crate::span::Span;

pub(crate) use layout::resolve_indentation;

/// Largest file in bytes. The parser checks this limit before anything else, so that it refuses a hostile file quickly.
pub(crate) const MAX_BYTES: usize = 256 * 1024;
pub(crate) const MAX_LINES: usize = 20_000;
pub(crate) const MAX_TOKENS: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\u{feff}]+", skip(r"#[^\r\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Number,
    /// `3x3`, the size of a grid.
    #[regex(r"[0-9]+x[0-9]+")]
    Grid,
    #[token("\"", read_straight_text)]
    #[token("“", read_curly_text)]
    #[token("”", read_curly_text)]
    #[token("„", read_curly_text)]
    #[token("'", read_single_quoted_text)]
    #[token("‘", read_single_quoted_text)]
    #[token("’", read_single_quoted_text)]
    Text(Quote),
    /// `A♠`. Phones add an invisible variation selector (U+FE0F) after the suit.
    #[regex(r"([A-Za-z]|[0-9]+)[♠♥♦♣]\u{fe0f}?")]
    Card,
    #[regex(r"[♠♥♦♣]\u{fe0f}?")]
    Suit,
    #[token(":=")]
    Assign,
    #[token("+=")]
    Add,
    #[token("-=")]
    Subtract,
    #[token("=")]
    Equals,
    #[token("==")]
    DoubleEquals,
    #[token("!=")]
    #[token("<>")]
    NotEquals,
    #[token("&&")]
    DoubleAnd,
    #[token("||")]
    DoubleOr,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("(")]
    OpenRound,
    #[token(")")]
    CloseRound,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("..")]
    Dots,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("^")]
    Caret,
    #[token("/")]
    Slash,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEq,
    #[token(">=")]
    GreaterEq,
    #[token("|")]
    Bar,
    /// A line break. [`layout`] removes those of empty lines and those inside brackets.
    #[regex(r"\r\n?|\n")]
    Newline,
    Indent,
    Dedent,
    End,
}

/// How the author quoted a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quote {
    Straight,
    /// `“…”`: the lexer reports it and reads it as if it were straight.
    Curly,
    /// `'…'`: the lexer reports it and reads it as if it were straight.
    Single,
    /// The line has no closing quote: the lexer reports it and ends the text with the line.
    Open,
}

impl TokenKind {
    pub(crate) fn ends_line(self) -> bool {
        matches!(self, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End)
    }
}

/// Decodes a file, or says where it stops being UTF-8.
#[expect(clippy::result_large_err, reason = "it is called once for each file")]
pub fn decode(bytes: &[u8]) -> Result<&str, Diagnostic> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Diagnostic::error(
            "source/not-utf8",
            Span::new(at, at),
            format!("Line {line} has a byte that is not text in UTF-8"),
        )
        .hint("Save the file as UTF-8: most editors offer this under “Save with encoding”.")
    })
}

/// Splits a piece of source into tokens, with every newline and [`TokenKind::End`] as the last one.
///
/// `base` is where the piece starts in the whole source: the parser tokenizes each hole of a text by itself.
pub(crate) fn tokenize(piece: &str, base: usize, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut brackets = 0;
    for (kind, range) in TokenKind::lexer(piece).spanned() {
        let span = Span::new(base + range.start, base + range.end);
        match kind {
            Ok(kind) => {
                if let TokenKind::Text(quote) = kind {
                    let possessive =
                        diagnose_possessive(piece, range.start, span).filter(|_| matches!(quote, Quote::Single));
                    problems.extend(possessive.or_else(|| diagnose_quote(quote, span)));
                }
                match kind {
                    TokenKind::OpenRound | TokenKind::OpenSquare => brackets += 1,
                    TokenKind::CloseRound | TokenKind::CloseSquare => brackets -= 1,
                    _ => {}
                }
                found.push(Token { kind, span });
                if brackets <= 0 && join_separated_number(piece, base, &mut found) {
                    let problem = diagnose_separated_number(piece, base, &found);
                    // The groups of `1,000,000` are one mistake.
                    problems.pop_if(|last| last.code == problem.code && last.span.start == problem.span.start);
                    problems.push(problem);
                }
            }
            Err(()) => problems.push(
                diagnose_missing_opening_quote(piece, range.start, base)
                    .or_else(|| diagnose_dash_between_numbers(piece, &range, span))
                    .unwrap_or_else(|| diagnose_stray_character(&piece[range], span)),
            ),
        }
        if found.len() > MAX_TOKENS {
            problems.push(
                Diagnostic::error("limit/words", span, format!("This file has more than {MAX_TOKENS} words and signs"))
                    .hint("A game usually fits in a few hundred lines."),
            );
            found.clear();
            break;
        }
    }
    let end = Span::new(base + piece.len(), base + piece.len());
    found.push(Token { kind: TokenKind::End, span: end });
    found
}

/// Joins `1`, `,` and `000`, or `1` and `_000`, at the end of the tokens to one number if no space is between them.
/// Between brackets `grid[1,100]` has two indices, so the caller does not ask there.
fn join_separated_number(piece: &str, base: usize, found: &mut Vec<Token>) -> bool {
    let text = |token: &Token| &piece[token.span.start as usize - base..token.span.end as usize - base];
    let three = |digits: &str| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (tokens, last) = match &found[..] {
        [.., number, comma, last] if comma.kind == TokenKind::Comma && number.span.end == comma.span.start => {
            if number.kind != TokenKind::Number || comma.span.end != last.span.start || !three(text(last)) {
                return false;
            }
            (2, *last)
        }
        [.., number, last] if last.kind == TokenKind::Word && number.span.end == last.span.start => {
            let groups = text(last).strip_prefix('_');
            if number.kind != TokenKind::Number || !groups.is_some_and(|groups| groups.split('_').all(three)) {
                return false;
            }
            (1, *last)
        }
        _ => return false,
    };
    found.truncate(found.len() - tokens);
    if let Some(number) = found.last_mut() {
        number.span.end = last.span.end;
    }
    true
}

/// Describes the number that [`join_separated_number`] has joined.
fn diagnose_separated_number(piece: &str, base: usize, found: &[Token]) -> Diagnostic {
    let span = found.last().map_or(Span::new(base, base), |number| number.span);
    let written = piece.get(span.start as usize - base..span.end as usize - base).unwrap_or_default();
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    Diagnostic::error("parse/number-separator", span, "Numbers are written without separators")
        .hint(format!("Write `{digits}`."))
}

fn read_straight_text(lexer: &mut Lexer<TokenKind>) -> Quote {
    let rest = lexer.remainder();
    let (length, quote) = match text_length(rest) {
        Some(length) => (length, Quote::Straight),
        None => plain_text_length(rest),
    };
    lexer.bump(length);
    quote
}

fn read_curly_text(lexer: &mut Lexer<TokenKind>) -> Quote {
    read_misquoted_text(lexer, &['“', '”', '"'], Quote::Curly)
}

fn read_single_quoted_text(lexer: &mut Lexer<TokenKind>) -> Quote {
    read_misquoted_text(lexer, &['\'', '‘', '’'], Quote::Single)
}

fn read_misquoted_text(lexer: &mut Lexer<TokenKind>, closing: &[char], quote: Quote) -> Quote {
    let rest = lexer.remainder();
    let end = rest.char_indices().find(|(_, c)| closing.contains(c) || matches!(c, '\r' | '\n'));
    let length = match end {
        Some((at, '\r' | '\n')) => at,
        Some((at, closing)) => at + closing.len_utf8(),
        None => rest.len(),
    };
    lexer.bump(length);
    quote
}

/// Returns the length of a text after its opening quote, including the closing quote. Skips texts inside holes, so that
/// `"{if a then "x" else "y"}"` is one text.
///
/// Returns `None` for a very deep or very long text; the caller then ends the text at the next quote. Without these
/// bounds the lexer would read a line of many quotes and braces again and again.
pub(crate) fn text_length(rest: &str) -> Option<usize> {
    const MAX_DEPTH: usize = 32;
    const MAX_LENGTH: usize = 4096;
    // Texts and holes alternate: an odd depth is inside a text, an even depth inside a hole.
    let mut depth = 1;
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len().min(MAX_LENGTH) && depth <= MAX_DEPTH {
        let in_text = depth % 2 == 1;
        let doubled = bytes.get(at + 1) == Some(&bytes[at]);
        match bytes[at] {
            b'\r' | b'\n' => return None,
            b'\\' if in_text && !matches!(bytes.get(at + 1), Some(b'\r' | b'\n')) => at += 1,
            b'{' | b'}' if in_text && doubled => at += 1,
            b'{' if in_text => depth += 1,
            b'}' if !in_text => depth -= 1,
            b'"' if in_text => depth -= 1,
            b'"' => depth += 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the length of a text and its quotes, without regard to holes: the text ends at the first quote that is not escaped.
fn plain_text_length(rest: &str) -> (usize, Quote) {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'\r' | b'\n' => return (at, Quote::Open),
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return (at + 1, Quote::Straight),
            _ => {}
        }
    }
    (rest.len(), Quote::Open)
}

fn diagnose_quote(quote: Quote, span: Span) -> Option<Diagnostic> {
    let (code, title, hint) = match quote {
        Quote::Straight => return None,
        Quote::Curly => (
            "parse/curly-quotes",
            "Texts are written in straight quotes",
            "Write \"…\" with the plain quote key; word processors replace it by curly quotes.",
        ),
        Quote::Single => ("parse/single-quotes", "Texts are written in double quotes", "Write \"…\" instead of '…'."),
        Quote::Open => (
            "parse/open-text",
            "This text has no closing quote",
            "Put a \" at the end of the text. A text must end on the line where it begins.",
        ),
    };
    Some(Diagnostic::error(code, span, title).hint(hint))
}

/// Finds a text that has only its closing quote: the lexer met a stray character in it, as if it were code.
fn diagnose_missing_opening_quote(piece: &str, at: usize, base: usize) -> Option<Diagnostic> {
    // Every stray character searches its line for quotes, which would take long on a huge line.
    const MAX_LENGTH: usize = 400;
    let bytes = piece.as_bytes();
    let before = bytes[..at].iter().rev().take(MAX_LENGTH).position(|byte| *byte == b'\n');
    let start = before.map_or(0, |before| at - before);
    let after = bytes[at..].iter().take(MAX_LENGTH).position(|byte| *byte == b'\n');
    let end = after.map_or(piece.len(), |after| at + after);
    if end - start > MAX_LENGTH {
        return None;
    }
    let line = piece.get(start..end)?;
    let quote = line.find('"')?;
    let odd = line.matches('"').count() % 2 == 1;
    if !odd || start + quote < at || !line.trim_end().ends_with('"') {
        return None;
    }
    let first = line.split_whitespace().next().unwrap_or("about");
    let span = Span::new(base + start + quote, base + start + quote + 1);
    Some(
        Diagnostic::error("parse/half-quoted", span, "This text has no quote at its beginning")
            .label("it ends here")
            .hint(format!("A text stands between two quotes: `{first} \"…\"`.")),
    )
}

/// Finds an English possessive, `p's hand`, in which the apostrophe looks like a quote.
fn diagnose_possessive(piece: &str, at: usize, span: Span) -> Option<Diagnostic> {
    let quote = piece[at..].chars().next()?.len_utf8() as u32;
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let before = &piece[..at];
    let owner = &before[before.trim_end_matches(is_letter).len()..];
    let after = piece[at..].trim_start_matches(['\'', '‘', '’']).strip_prefix("s ")?.trim_start();
    let word = &after[..after.find(|c| !is_letter(c)).unwrap_or(after.len())];
    if owner.is_empty() || word.is_empty() {
        return None;
    }
    let span = Span { start: span.start, end: span.start + quote + 1 };
    Some(
        Diagnostic::error("parse/possessive", span, "What belongs to a player is written with brackets")
            .hint(format!("Write `{word}[{owner}]`.")),
    )
}

/// Finds a range written as in print, with a dash: `2–7`.
fn diagnose_dash_between_numbers(piece: &str, range: &std::ops::Range<usize>, span: Span) -> Option<Diagnostic> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let dash = piece[range.clone()].chars().next().filter(|c| matches!(c, '–' | '—' | '−'))?;
    let before = &piece[..range.start];
    let low = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let high = &piece[range.end..];
    let high = &high[..digits(high)];
    if low.is_empty() || high.is_empty() {
        return None;
    }
    Some(
        Diagnostic::error("parse/stray-character", span, format!("There is `{dash}` here, which means nothing in a game file")).hint(format!(
            "A range is written with two full stops: `{low}..{high}`. (To take away, write the plain minus sign: `{low} - {high}`.)"
        )),
    )
}

/// Whether a character is an emoji or another pictograph.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

fn diagnose_stray_character(text: &str, span: Span) -> Diagnostic {
    let first = text.chars().next().unwrap_or('\u{fffd}');
    let shown = match first {
        '\u{a0}' => "a non-breaking space".to_string(),
        c if c.is_control() || c.is_whitespace() => {
            format!("an invisible character (U+{:04X})", c as u32)
        }
        c => format!("`{c}`"),
    };
    let hint = match first {
        '%' => "For the remainder of a division write `mod`: `round mod 2`.",
        '!' => "Write `not` instead: `not passed[p]`.",
        '&' => "Write `and` instead.",
        '{' | '}' => "Braces belong inside texts: \"You hold {count of hand[p]} cards\".",
        '.' => {
            "Numbers are whole. A range has two dots, `1..6`; what belongs to a thing is written with `of`: `suit of c`."
        }
        '♤' | '♡' | '♢' | '♧' => "Write the filled suits: ♠ ♥ ♦ ♣.",
        '×' => "Write `*` to multiply, and `3x3` with the letter x for the size of a grid.",
        '≤' => "Write `<=`.",
        '≥' => "Write `>=`.",
        '≠' => "Write `is not`.",
        '–' | '—' | '−' => "Write the plain minus sign `-`.",
        '…' => "A range is written with two full stops: `1..6`.",
        '\u{a0}' => "Delete it and type a plain space; it often comes from copying out of a web page.",
        c if is_picture(c) => {
            "Suits of your own are words, `attribute suit: coins cups`: each gets a sign of its own on its cards. Only ♠ ♥ ♦ ♣ can be written as signs; other pictures belong into texts."
        }
        _ => "Remove it.",
    };
    Diagnostic::error(
        "parse/stray-character",
        span,
        format!("There is {shown} here, which means nothing in a game file"),
    )
    .hint(hint)
}
