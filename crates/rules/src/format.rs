//! One layout for every file: two spaces a level, one space between words, no two empty lines in a row.
//!
//! Works on the words and signs of a file, never on their meaning, so that nothing but space can change: what was
//! written stays, comments too, and a line that goes on inside brackets still does.

use crate::diagnostic::Diagnostic;
use crate::lex::{self, Kind, Token};
use crate::parse::{is_reserved, parse};
use std::collections::BTreeSet;

/// Declarations with a block that stand apart from what is around them.
const APART: [&str; 6] = ["zones", "state", "dice", "rule", "when", "show"];

/// The file as it should be laid out, or what keeps it from being read.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, problems) = parse(source);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let raw = lex::tokens(source, 0, &mut Vec::new());
    let words = Words { source, called: called(source, &raw) };
    let tokens = lex::layout(source, raw, &mut Vec::new());
    let items = with_gaps(items(&words, tokens));
    let mut out = String::new();
    for item in items {
        match item {
            Item::Empty => out.push('\n'),
            Item::Comment { level, text } => out.push_str(&format!("{}{text}\n", margin(level))),
            Item::Line { level, text, .. } => out.push_str(&format!("{}{text}\n", margin(level))),
        }
    }
    Ok(out)
}

/// What a page is made of, from top to bottom.
enum Item<'s> {
    Empty,
    Comment {
        level: usize,
        text: String,
    },
    /// A line of the language; its text has newlines where it goes on inside brackets.
    Line {
        level: usize,
        word: &'s str,
        text: String,
    },
}

fn margin(level: usize) -> String {
    "  ".repeat(level)
}

fn items<'s>(words: &Words<'s>, tokens: Vec<Token>) -> Vec<Item<'s>> {
    let mut items = Vec::new();
    // The columns at which the levels that are open start.
    let mut columns = vec![0];
    let mut line: Vec<Token> = Vec::new();
    let mut end = 0;
    for token in tokens {
        if token.kind == Kind::Newline {
            end = line.last().map_or(end, |last| last.span.end as usize);
            let text = words.line(&line, columns.len() - 1);
            items.push(Item::Line { level: columns.len() - 1, word: words.written(&line[0]), text });
            line.clear();
        } else if matches!(token.kind, Kind::Indent | Kind::Dedent) {
            // Levels are told by where the next line starts.
        } else {
            let start = token.span.start as usize;
            if line.is_empty() {
                let here = if token.kind == Kind::End { 0 } else { words.column(start) };
                let open = columns.len();
                if columns[open - 1] < here {
                    columns.push(here);
                }
                let level = columns.iter().rposition(|column| *column <= here).unwrap_or(0);
                between(&words.source[end..start], &columns, level, &mut items);
                columns.truncate(level + 1);
            }
            line.push(token);
        }
    }
    items
}

/// Comments and empty lines between two lines of the language.
fn between(gap: &str, columns: &[usize], level: usize, items: &mut Vec<Item>) {
    let gap = gap.replace("\r\n", "\n").replace('\r', "\n");
    let pieces: Vec<&str> = gap.split('\n').collect();
    for (at, piece) in pieces.iter().enumerate() {
        let bare = piece.trim_matches([' ', '\t', '\u{feff}']);
        let Some(text) = bare.strip_prefix('#') else {
            // The first piece is the end of the line above, the last one the margin of the line below.
            if at > 0 && at + 1 < pieces.len() {
                items.push(Item::Empty);
            }
            continue;
        };
        match items.last_mut() {
            Some(Item::Line { text: line, .. }) if at == 0 => line.push_str(&format!("  {}", comment(text))),
            _ => {
                // A comment belongs with the line below it, unless it is indented like what stands above.
                let column = piece.chars().take_while(|c| *c == ' ').count();
                let own = columns.iter().rposition(|open| *open == column).unwrap_or(level);
                items.push(Item::Comment { level: own.max(level), text: comment(text) });
            }
        }
    }
}

/// A comment has a space before its first word.
fn comment(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.starts_with([' ', '#']) { format!("#{text}") } else { format!("# {text}") }
}

/// Puts empty lines where they belong, and leaves out those that do not.
fn with_gaps(items: Vec<Item>) -> Vec<Item> {
    let mut page: Vec<Item> = Vec::with_capacity(items.len());
    let mut margin_word = "";
    for item in items {
        if let Item::Line { level: 0, word, .. } = item {
            if APART.contains(&word) || APART.contains(&margin_word) {
                let own = |item: &Item| matches!(item, Item::Comment { level: 0, .. });
                let at = page.iter().rposition(|item| !own(item)).map_or(0, |at| at + 1);
                if at > 0 && !matches!(page[at - 1], Item::Empty) {
                    page.insert(at, Item::Empty);
                }
            }
            margin_word = word;
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
        // A block begins right below the line that opens it.
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

/// Names that are followed by values in brackets.
fn called<'s>(source: &'s str, tokens: &[Token]) -> BTreeSet<&'s str> {
    let text = |token: &Token| &source[token.span.start as usize..token.span.end as usize];
    let declared = tokens.windows(3).filter_map(|window| {
        let declares = matches!(text(&window[0]), "define" | "rule");
        (declares && window[2].kind == Kind::OpenRound).then(|| text(&window[1]))
    });
    declared.chain(["filled"]).collect()
}

/// Words and signs, and the space between them.
struct Words<'s> {
    source: &'s str,
    called: BTreeSet<&'s str>,
}

impl<'s> Words<'s> {
    fn written(&self, token: &Token) -> &'s str {
        &self.source[token.span.start as usize..token.span.end as usize]
    }

    fn column(&self, at: usize) -> usize {
        let start = self.source[..at].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        self.source[start..at].chars().filter(|c| *c == ' ').count()
    }

    /// A line, with what it goes on with inside brackets one level further in.
    fn line(&self, tokens: &[Token], level: usize) -> String {
        let mut out = String::new();
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 {
                let gap = &self.source[tokens[at - 1].span.end as usize..token.span.start as usize];
                if gap.contains(['\n', '\r']) {
                    let closes = matches!(token.kind, Kind::CloseRound | Kind::CloseSquare);
                    let inner = margin(if closes { level } else { level + 1 });
                    for (at, piece) in gap.lines().map(str::trim).enumerate() {
                        let text = piece.strip_prefix('#').map(comment).unwrap_or_default();
                        let space = if at == 0 && !text.is_empty() { "  " } else { "" };
                        if at == 0 || !text.is_empty() {
                            out.push_str(&format!("{space}{text}\n{inner}"));
                        }
                    }
                } else if self.spaced(tokens, at) {
                    out.push(' ');
                }
            }
            match token.kind {
                Kind::Text(_) => out.push_str(&self.text(self.written(token))),
                _ => out.push_str(self.written(token)),
            }
        }
        out
    }

    /// Whether there is a space before the token at this place.
    fn spaced(&self, tokens: &[Token], at: usize) -> bool {
        let (before, token) = (&tokens[at - 1], &tokens[at]);
        let is = |at: Option<&Token>, word: &str| at.is_some_and(|token| self.written(token) == word);
        let yes_no = |slash: usize| is(tokens.get(slash - 1), "yes") && is(tokens.get(slash + 1), "no");
        match (before.kind, token.kind) {
            (Kind::OpenRound | Kind::OpenSquare | Kind::Dots, _) => false,
            (_, Kind::Comma | Kind::Colon | Kind::CloseRound | Kind::CloseSquare | Kind::OpenSquare | Kind::Dots) => {
                false
            }
            (Kind::Word, Kind::OpenRound) => !self.called.contains(self.written(before)),
            (_, Kind::Slash) => !yes_no(at),
            (Kind::Slash, _) => at < 2 || !yes_no(at - 1),
            (Kind::Minus, _) => !self.is_sign(tokens, at - 1),
            _ => true,
        }
    }

    /// A minus with nothing before it to take away from.
    fn is_sign(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|at| &tokens[at]) else { return true };
        match before.kind {
            Kind::Word => is_reserved(self.written(before)),
            Kind::Number | Kind::Grid | Kind::Text(_) | Kind::Card | Kind::Suit => false,
            Kind::CloseRound | Kind::CloseSquare => false,
            _ => true,
        }
    }

    /// A text in quotes: its words stay, its holes are laid out.
    fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['\\', '{', '}']) {
            let doubled = rest[at..].starts_with("{{") || rest[at..].starts_with("}}");
            let hole = rest[at..].starts_with('{').then(|| hole_length(&rest[at + 1..])).flatten();
            let (upto, inside) = match hole {
                Some(length) if !doubled => (at + 1, Some(length)),
                // An escape or a doubled brace: both signs stay.
                _ => (rest[at + 1..].chars().next().map_or(at + 1, |c| at + 1 + c.len_utf8()), None),
            };
            out.push_str(&rest[..upto]);
            rest = &rest[upto..];
            if let Some(length) = inside {
                out.push_str(&self.hole(&rest[..length]));
                rest = &rest[length..];
            }
        }
        out + rest
    }

    fn hole(&self, inside: &str) -> String {
        let mut tokens = lex::tokens(inside, 0, &mut Vec::new());
        tokens.retain(|token| token.kind != Kind::End);
        Words { source: inside, called: self.called.iter().copied().collect() }.line(&tokens, 0)
    }
}

/// How far a hole reaches whose brace was just read, without the closing one. Texts inside are stepped over.
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
