//! Prints the output of `baize admin` for people: one line for each entry of a list, and single entries as names and values.

use serde_json::Value;

pub fn table(row: &Value) {
    let closed = if row["closed"] == true { " (closed)" } else { "" };
    let people = row["players"].as_array().map(|names| names.iter().map(text).collect::<Vec<_>>().join(", "));
    println!(
        "{}  {}  {}{closed}  changed {}  {}{}",
        text(&row["code"]),
        text(&row["game"]),
        text(&row["status"]),
        when(&row["changedAt"]),
        people.unwrap_or_default(),
        damage(row)
    );
}

pub fn pack(row: &Value) {
    println!(
        "{}  {}  {} bytes  maker {}  last used {}{}",
        text(&row["id"]),
        text(&row["name"]),
        row["bytes"],
        short(&row["maker"]),
        when(&row["usedAt"]),
        damage(row)
    );
}

pub fn maker(row: &Value) {
    println!(
        "{}  tables {}  packs {} ({} bytes)  reports {}",
        text(&row["maker"]),
        row["tables"],
        row["packs"],
        row["packBytes"],
        row["reports"]
    );
}

pub fn report(row: &Value) {
    let comment = row["text"].as_str().map(|comment| format!(": {comment}")).unwrap_or_default();
    // Nobody knows who wrote on a card unless the table shows who brought it. Words of a pack belong to nobody at the table.
    let whose = match (row["name"].as_str(), row["pack"].as_str()) {
        (_, Some(pack)) => plain(pack),
        (Some(""), None) => "somebody".to_owned(),
        _ => text(&row["name"]),
    };
    println!(
        "{}  {}  table {}  {} of {whose} (maker {}){}{}",
        row["id"],
        when(&row["at"]),
        text(&row["table"]),
        text(&row["kind"]),
        short(&row["about"]),
        plain(&comment),
        damage(row)
    );
}

/// The end of the line of a row that can't be read.
fn damage(row: &Value) -> String {
    row["damaged"].as_str().map(|why| format!("  damaged: {}", plain(why))).unwrap_or_default()
}

/// Prints names with their values, indented.
pub fn in_words(value: &Value) {
    let mut out = String::new();
    write(value, 0, &mut out);
    print!("{out}");
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let entry = |name: &str, value: &Value, out: &mut String| match value {
        Value::Object(inside) if inside.is_empty() => {}
        Value::Array(inside) if inside.is_empty() => {}
        Value::Object(_) | Value::Array(_) => {
            out.push_str(&format!("{indent}{name}\n"));
            write(value, depth + 1, out);
        }
        value if name.ends_with("At") || name == "at" => out.push_str(&format!("{indent}{name}: {}\n", when(value))),
        value => out.push_str(&format!("{indent}{name}: {}\n", text(value))),
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| entry(name, value, out)),
        Value::Array(list) => list.iter().for_each(|value| entry("-", value, out)),
        value => out.push_str(&format!("{indent}{}\n", text(value))),
    }
}

/// Replaces characters of a text from a player that could steer the operator's terminal, or reorder or hide parts of the
/// line.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect()
}

/// Escapes the characters that [`plain`] replaces. They occur only in strings, so the JSON keeps its meaning.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c != '\n' && is_invisible(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
            false => out.push(c),
        }
    }
    out
}

/// Whether `c` is a control character, a line separator or a character of the category Cf, except the two joiners that scripts
/// and emoji need.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        )
        || matches!(c, '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "unknown".into(),
        Value::String(text) => plain(text),
        other => other.to_string(),
    }
}

fn short(value: &Value) -> String {
    value.as_str().map_or_else(|| "unknown".into(), |hash| hash.chars().take(12).collect())
}

/// Formats milliseconds since 1970 as date and time in UTC.
fn when(value: &Value) -> String {
    let Some(millis) = value.as_u64() else { return "never".into() };
    let (days, seconds) = (millis / 86_400_000, millis / 1000 % 86_400);
    let (year, month, day) = date(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", seconds / 3600, seconds / 60 % 60)
}

/// The date this many days after 1 January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days.min(3_000_000));
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_in_utc() {
        for (millis, expected) in [
            (0u64, "1970-01-01 00:00"),
            (951_782_400_000, "2000-02-29 00:00"),
            (1_700_000_000_000, "2023-11-14 22:13"),
            (4_102_444_799_000, "2099-12-31 23:59"),
        ] {
            assert_eq!(when(&millis.into()), expected);
        }
        assert_eq!(when(&Value::Null), "never");
    }

    #[test]
    fn plain_replaces_control_characters() {
        assert_eq!(text(&"a\u{1b}[2Jb".into()), "a [2Jb");
    }

    #[test]
    fn plain_replaces_characters_that_reorder_or_hide_text() {
        assert_eq!(text(&"a\u{fff9}b\u{200f}c\u{202e}d\u{9b}e".into()), "a b c d e");
        assert_eq!(text(&"\u{1f469}\u{200d}\u{1f692}".into()), "\u{1f469}\u{200d}\u{1f692}", "emoji stay whole");
        let shown = json(&Value::from("a\u{9b}\u{200f}\u{e0041}\n").to_string());
        assert_eq!(shown, "\"a\\u009b\\u200f\\udb40\\udc41\\n\"");
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), "a\u{9b}\u{200f}\u{e0041}\n");
    }
}
