//! `baize fmt`: two spaces for each level, one space between words, never two empty lines in a row.
//!
//! The formatter works on tokens and knows nothing of their meaning, so that it can change nothing but space. It keeps
//! comments, and the line breaks inside brackets.

use crate::diagnostic::Diagnostic;
use crate::lex::{self, Token, TokenKind};
use crate::parse::{is_reserved, parse};
use std::collections::BTreeSet;

/// Declarations that have an empty line above and below them.
const SEPARATED: [&str; 6] = ["zones", "state", "dice", "rule", "when", "show"];

/// Formats a file, or says why the parser can't read it.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, problems) = parse(source);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let raw = lex::tokenize(source, 0, &mut Vec::new());
    let printer = TokenPrinter { source, called: find_called_names(source, &raw) };
    let tokens = lex::resolve_indentation(source, raw, &mut Vec::new());
    let items = separate(collect_items(&printer, tokens));
    let mut out = String::new();
    for item in items {
        match item {
            Item::Empty => out.push('\n'),
            Item::Comment { level, text } => out.push_str(&format!("{}{text}\n", indent(level))),
            Item::Line { level, text, .. } => out.push_str(&format!("{}{text}\n", indent(level))),
        }
    }
    Ok(out)
}

/// A piece of the page, from top to bottom.
enum Item<'s> {
    Empty,
    Comment {
        level: usize,
        text: String,
    },
    /// A line of the language. Its text contains newlines where the line continues inside brackets.
    Line {
        level: usize,
        /// The first word of the line.
        word: &'s str,
        text: String,
    },
}

fn indent(level: usize) -> String {
    "  ".repeat(level)
}

fn collect_items<'s>(printer: &TokenPrinter<'s>, tokens: Vec<Token>) -> Vec<Item<'s>> {
    let mut items = Vec::new();
    // The column at which each open block starts.
    let mut columns = vec![0];
    let mut line: Vec<Token> = Vec::new();
    let mut end = 0;
    for token in tokens {
        if token.kind == TokenKind::Newline {
            end = line.last().map_or(end, |last| last.span.end as usize);
            let text = printer.print_line(&line, columns.len() - 1);
            items.push(Item::Line { level: columns.len() - 1, word: printer.slice(&line[0]), text });
            line.clear();
        } else if matches!(token.kind, TokenKind::Indent | TokenKind::Dedent) {
            // The column of the next line tells its level.
        } else {
            let start = token.span.start as usize;
            if line.is_empty() {
                let here = if token.kind == TokenKind::End { 0 } else { printer.count_indent(start) };
                let open = columns.len();
                if columns[open - 1] < here {
                    columns.push(here);
                }
                let level = columns.iter().rposition(|column| *column <= here).unwrap_or(0);
                collect_comments(&printer.source[end..start], &columns, level, &mut items);
                columns.truncate(level + 1);
            }
            line.push(token);
        }
    }
    items
}

/// Adds the comments and empty lines between two lines of the language.
fn collect_comments(gap: &str, columns: &[usize], level: usize, items: &mut Vec<Item>) {
    let gap = gap.replace("\r\n", "\n").replace('\r', "\n");
    let pieces: Vec<&str> = gap.split('\n').collect();
    for (at, piece) in pieces.iter().enumerate() {
        let trimmed = piece.trim_matches([' ', '\t', '\u{feff}']);
        let Some(text) = trimmed.strip_prefix('#') else {
            // The first piece is the end of the line above, the last one the indentation of the line below.
            if at > 0 && at + 1 < pieces.len() {
                items.push(Item::Empty);
            }
            continue;
        };
        match items.last_mut() {
            Some(Item::Line { text: line, .. }) if at == 0 => line.push_str(&format!("  {}", format_comment(text))),
            _ => {
                // A comment belongs to the line below it, unless it is indented like the block above.
                let column = piece.chars().take_while(|c| *c == ' ').count();
                let own = columns.iter().rposition(|open| *open == column).unwrap_or(level);
                items.push(Item::Comment { level: own.max(level), text: format_comment(text) });
            }
        }
    }
}

/// Puts a space before the first word of a comment.
fn format_comment(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.starts_with([' ', '#']) { format!("#{text}") } else { format!("# {text}") }
}

/// Adds empty lines around the [`SEPARATED`] declarations and removes superfluous ones.
fn separate(items: Vec<Item>) -> Vec<Item> {
    let mut page: Vec<Item> = Vec::with_capacity(items.len());
    let mut last_word = "";
    for item in items {
        if let Item::Line { level: 0, word, .. } = item {
            if SEPARATED.contains(&word) || SEPARATED.contains(&last_word) {
                let own = |item: &Item| matches!(item, Item::Comment { level: 0, .. });
                let at = page.iter().rposition(|item| !own(item)).map_or(0, |at| at + 1);
                if at > 0 && !matches!(page[at - 1], Item::Empty) {
                    page.insert(at, Item::Empty);
                }
            }
            last_word = word;
        }
        let level = match &item {
            Item::Empty => {
                if !matches!(page.last(), None | Some(Item::Empty)) {
                    page.push(item);
                }
                continue;
            }
            Item::Comment { level, .. } | Item::Line { level, .. } => *level,
        };
        // There is no empty line between a block and the line that opens it.
        if let [.., Item::Line { level: above, .. }, Item::Empty] = &page[..]
            && *above < level
        {
            page.pop();
        }
        page.push(item);
    }
    if matches!(page.last(), Some(Item::Empty)) {
        page.pop();
    }
    page
}

/// Finds the names of defines and rules that take arguments: no space comes before their brackets.
fn find_called_names<'s>(source: &'s str, tokens: &[Token]) -> BTreeSet<&'s str> {
    let text = |token: &Token| &source[token.span.start as usize..token.span.end as usize];
    let declared = tokens.windows(3).filter_map(|window| {
        let declares = matches!(text(&window[0]), "define" | "rule");
        (declares && window[2].kind == TokenKind::OpenRound).then(|| text(&window[1]))
    });
    declared.chain(["filled", "min", "max"]).collect()
}

/// Writes tokens with the space between them.
struct TokenPrinter<'s> {
    source: &'s str,
    called: BTreeSet<&'s str>,
}

impl<'s> TokenPrinter<'s> {
    fn slice(&self, token: &Token) -> &'s str {
        &self.source[token.span.start as usize..token.span.end as usize]
    }

    fn count_indent(&self, at: usize) -> usize {
        let start = self.source[..at].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        self.source[start..at].chars().filter(|c| *c == ' ').count()
    }

    /// Writes a line. Where it continues inside brackets, its next part is indented by one more level.
    fn print_line(&self, tokens: &[Token], level: usize) -> String {
        let mut out = String::new();
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 {
                let gap = &self.source[tokens[at - 1].span.end as usize..token.span.start as usize];
                if gap.contains(['\n', '\r']) {
                    let closes = matches!(token.kind, TokenKind::CloseRound | TokenKind::CloseSquare);
                    let inner = indent(if closes { level } else { level + 1 });
                    for (at, piece) in gap.lines().map(str::trim).enumerate() {
                        let text = piece.strip_prefix('#').map(format_comment).unwrap_or_default();
                        let space = if at == 0 && !text.is_empty() { "  " } else { "" };
                        if at == 0 || !text.is_empty() {
                            out.push_str(&format!("{space}{text}\n{inner}"));
                        }
                    }
                } else if self.needs_space(tokens, at) {
                    out.push(' ');
                }
            }
            match token.kind {
                TokenKind::Text(_) => out.push_str(&self.print_text(self.slice(token))),
                _ => out.push_str(self.slice(token)),
            }
        }
        out
    }

    /// Whether a space comes before the token at this position.
    fn needs_space(&self, tokens: &[Token], at: usize) -> bool {
        let (before, token) = (&tokens[at - 1], &tokens[at]);
        let is = |at: Option<&Token>, word: &str| at.is_some_and(|token| self.slice(token) == word);
        let yes_no = |slash: usize| is(tokens.get(slash - 1), "yes") && is(tokens.get(slash + 1), "no");
        match (before.kind, token.kind) {
            (TokenKind::OpenRound | TokenKind::OpenSquare | TokenKind::Dots, _) => false,
            (
                _,
                TokenKind::Comma
                | TokenKind::Colon
                | TokenKind::CloseRound
                | TokenKind::CloseSquare
                | TokenKind::OpenSquare
                | TokenKind::Dots,
            ) => false,
            (TokenKind::Word, TokenKind::OpenRound) => !self.called.contains(self.slice(before)),
            (_, TokenKind::Slash) => !yes_no(at),
            (TokenKind::Slash, _) => at < 2 || !yes_no(at - 1),
            (TokenKind::Minus, _) => !self.is_sign(tokens, at - 1),
            _ => true,
        }
    }

    /// Whether a minus is the sign of a number and no subtraction.
    fn is_sign(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|at| &tokens[at]) else { return true };
        match before.kind {
            TokenKind::Word => is_reserved(self.slice(before)),
            TokenKind::Number | TokenKind::Grid | TokenKind::Text(_) | TokenKind::Card | TokenKind::Suit => false,
            TokenKind::CloseRound | TokenKind::CloseSquare => false,
            _ => true,
        }
    }

    /// Writes a text in quotes: formats its holes and keeps the rest.
    fn print_text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['\\', '{', '}']) {
            let doubled = rest[at..].starts_with("{{") || rest[at..].starts_with("}}");
            let hole = rest[at..].starts_with('{').then(|| hole_length(&rest[at + 1..])).flatten();
            let (upto, inside) = match hole {
                Some(length) if !doubled => (at + 1, Some(length)),
                // An escape or a doubled brace: both characters stay.
                _ => (rest[at + 1..].chars().next().map_or(at + 1, |c| at + 1 + c.len_utf8()), None),
            };
            out.push_str(&rest[..upto]);
            rest = &rest[upto..];
            if let Some(length) = inside {
                out.push_str(&self.print_hole(&rest[..length]));
                rest = &rest[length..];
            }
        }
        out + rest
    }

    fn print_hole(&self, inside: &str) -> String {
        let mut tokens = lex::tokenize(inside, 0, &mut Vec::new());
        tokens.retain(|token| token.kind != TokenKind::End);
        TokenPrinter { source: inside, called: self.called.iter().copied().collect() }.print_line(&tokens, 0)
    }
}

/// Returns the length of a hole after its opening brace, without the closing brace. Skips texts inside the hole.
fn hole_length(rest: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = at + rest[at..].find(['"', '}'])?;
        if rest[next..].starts_with('}') {
            return Some(next);
        }
        at = next + 1 + lex::text_length(&rest[next + 1..])?;
    }
}
