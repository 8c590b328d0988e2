//! Names in session lines of the chat: who is mentioned, and how to remove a name.

use baize_rows::SOMEBODY;

/// Whether a session line mentions this name. Session lines have names only at the beginning and at the end.
pub fn is_about(text: &str, name: &str) -> bool {
    spellings(name).iter().any(|name| begins(text, name).is_some() || ends(text, name).is_some())
}

/// Replaces the name with "somebody".
pub fn without_name(text: &str, name: &str) -> String {
    spellings(name).iter().fold(text.to_owned(), |text, name| without_spelling(&text, name))
}

/// The two ways in which a line may contain a name: plain, and between direction isolates.
fn spellings(name: &str) -> [String; 2] {
    [name.to_owned(), format!("\u{2068}{name}\u{2069}")]
}

fn begins<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name).filter(|rest| rest.starts_with([' ', '\'']))
}

fn ends<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_suffix(name).filter(|rest| rest.ends_with(' '))
}

fn without_spelling(text: &str, name: &str) -> String {
    let text = begins(text, name).map_or_else(|| text.to_owned(), |rest| format!("{SOMEBODY}{rest}"));
    match ends(&text, name) {
        Some(rest) => format!("{rest}{}", SOMEBODY.to_lowercase()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_name_removes_only_the_name() {
        for (text, name, expected) in [
            ("Ann joined the game", "Ann", "Somebody joined the game"),
            ("Ann's seat was handed on", "Ann", "Somebody's seat was handed on"),
            ("Ben plays on for Ann", "Ann", "Ben plays on for somebody"),
            ("Ann plays on for Ann", "Ann", "Somebody plays on for somebody"),
            ("Annabel joined the game", "Ann", "Annabel joined the game"),
            ("The game goes on", "on", "The game goes somebody"),
            ("Jo Ann left the game", "Ann", "Jo Ann left the game"),
            ("\u{2068}דנה\u{2069} left the game", "דנה", "Somebody left the game"),
        ] {
            assert_eq!(without_name(text, name), expected, "{text}");
        }
        assert!(is_about("Ann joined the game", "Ann") && !is_about("Annabel joined the game", "Ann"));
    }
}
