//! Display names and chat lines: what they may contain, and which names look alike.
//!
//! A name is shown as it was typed, with white space folded. Names are *compared* by their look: normal form, letter case and
//! the confusables of Unicode (UTS 39) make no difference, and neither do invisible characters. So the joiners that some
//! scripts and emoji need may stay in a name, and nobody can use them to imitate another name.

use baize_protocol::limits;
use std::borrow::Cow;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::confusable_detection::skeleton;

/// Upper bound on accents over one letter. No script needs more, and a tower of them would cover the lines around it.
const MARKS: usize = 4;

/// Why a name can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    Blank,
    TooLong,
    /// A character that changes the direction of the text around it.
    Direction,
    /// A control character, or an invisible one that no script needs.
    Hidden,
    Marks,
}

impl NameProblem {
    /// The text for the person who typed the name.
    pub fn text(self) -> &'static str {
        match self {
            NameProblem::Blank => "Choose a name that others can see: at least one letter, digit or sign.",
            NameProblem::TooLong => "Choose a shorter name: 24 characters at most.",
            NameProblem::Direction => {
                "This name has hidden characters that turn the direction of text. Type it again without them; right-to-left letters are welcome."
            }
            NameProblem::Hidden => "This name has hidden characters. Type it again instead of pasting it.",
            NameProblem::Marks => "This name has too many accents over one letter. Use fewer.",
        }
    }
}

/// Checks a display name and folds its white space.
pub fn name(raw: &str) -> Result<String, NameProblem> {
    let folded = fold_spaces(raw);
    let mut before = None;
    let mut marks = 0;
    for c in folded.chars() {
        if turns_direction(c) {
            return Err(NameProblem::Direction);
        }
        if c.is_control() || (is_unshowable(c) && !is_needed(c, before)) {
            return Err(NameProblem::Hidden);
        }
        marks = stacked_marks(marks, c);
        if marks > MARKS {
            return Err(NameProblem::Marks);
        }
        // A tag or a selector belongs to the visible character before it.
        before = if shows_nothing(c) { before } else { Some(c) };
    }
    let visible = |c: char| !c.is_whitespace() && !shows_nothing(c) && !is_combining_mark(c);
    if !folded.chars().any(visible) {
        return Err(NameProblem::Blank);
    }
    match folded.chars().count() {
        0..=limits::NAME_CHARS => Ok(folded),
        _ => Err(NameProblem::TooLong),
    }
}

/// How many accents lie over the last letter once `c` follows. A joiner between two accents shows nothing, so it does not begin
/// another letter; otherwise four accents, a joiner and four more would be a tower of eight.
fn stacked_marks(before: usize, c: char) -> usize {
    match c {
        _ if is_combining_mark(c) => before + 1,
        _ if shows_nothing(c) => before,
        _ => 0,
    }
}

/// A braille pattern without dots. It looks like a space, although Unicode counts it as a symbol.
const BRAILLE_BLANK: char = '\u{2800}';

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == BRAILLE_BLANK
}

/// Puts one space between words and none around them.
fn fold_spaces(text: &str) -> String {
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The character that comes before the tags that spell a flag, such as Scotland's.
const BLACK_FLAG: char = '\u{1f3f4}';

/// Whether `c` changes the direction of text: an embedding, override, isolate or mark.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether `c` is a default ignorable code point. A skeleton drops exactly these.
fn shows_nothing(c: char) -> bool {
    !c.is_ascii() && skeleton(c.encode_utf8(&mut [0; 4])).next().is_none()
}

/// Whether `c` has no glyph: format controls, private and unassigned code points (noncharacters are among these), replacement
/// characters, and letters and notes that are blank by definition.
fn is_unshowable(c: char) -> bool {
    let category = c.general_category();
    let has_no_sign =
        matches!(category, GeneralCategory::Format | GeneralCategory::PrivateUse | GeneralCategory::Unassigned);
    let stands_for_nothing = matches!(c, '\u{fffc}' | '\u{fffd}' | '\u{1d159}' | '\u{13441}' | '\u{13442}');
    has_no_sign || stands_for_nothing || shows_nothing(c)
}

/// Whether a script or an emoji needs `c` after `before`: joiners (Indic scripts, Persian, emoji), variation selectors, and the
/// tags of flags.
fn is_needed(c: char, before: Option<char>) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' | '\u{34f}' => before.is_some(),
        '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => before.is_some(),
        '\u{e0020}'..='\u{e007f}' => before == Some(BLACK_FLAG),
        _ => false,
    }
}

/// Whether two names look so similar that people could confuse them.
pub fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (Keys::of(one), Keys::of(other));
    one.folded == other.folded || one.seen == other.seen
}

/// The keys by which names are compared. There are two, because folding the letter case and taking the skeleton do not commute:
/// `Ian` and `lan` look alike as typed, `Ian` and `IAN` are the same word.
#[derive(Clone, Debug)]
pub struct Keys {
    folded: String,
    seen: String,
}

/// Names that nobody else may take.
#[derive(Default)]
pub struct NamesInUse<'a> {
    folded: BTreeSet<Cow<'a, str>>,
    seen: BTreeSet<Cow<'a, str>>,
}

impl<'a> NamesInUse<'a> {
    pub fn add(&mut self, keys: Cow<'a, Keys>) {
        let (folded, seen) = match keys {
            Cow::Borrowed(keys) => (Cow::Borrowed(keys.folded.as_str()), Cow::Borrowed(keys.seen.as_str())),
            Cow::Owned(keys) => (Cow::Owned(keys.folded), Cow::Owned(keys.seen)),
        };
        self.folded.insert(folded);
        self.seen.insert(seen);
    }

    /// Whether this name looks like one of the taken names.
    pub fn contains(&self, name: &str) -> bool {
        let keys = Keys::of(name);
        self.folded.contains(keys.folded.as_str()) || self.seen.contains(keys.seen.as_str())
    }
}

impl Keys {
    pub fn of(name: &str) -> Self {
        // Spaces are folded before the skeleton is made, because the skeleton treats the braille blank as a symbol; and again
        // after it, because it may contain new spaces.
        let plain: String = fold_spaces(name).nfkc().collect();
        let alike = |text: &str| fold_spaces(&without_repeated_marks(&fold(&skeleton(text).collect::<String>())));
        Keys { folded: alike(&fold(&plain)), seen: alike(&plain) }
    }
}

/// Drops repeated accents, because the same accent several times over one letter looks like the accent once.
fn without_repeated_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfd() {
        if !(is_combining_mark(c) && out.ends_with(c)) {
            out.push(c);
        }
    }
    out
}

/// Folds the letter case, regardless of position and language: `ß` is `ss`, both small sigmas are one.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// A name for use inside one of the server's sentences. A name with right-to-left letters gets direction isolates, so that it
/// does not reorder the words around it. Where the client shows a name by itself, it uses `<bdi>` for the same purpose.
pub fn shown(name: &str) -> Cow<'_, str> {
    match name.chars().any(is_right_to_left) {
        true => Cow::Owned(format!("\u{2068}{name}\u{2069}")),
        false => Cow::Borrowed(name),
    }
}

/// Whether `c` is in a code block of a script that is written from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Removes from a chat line what would disturb other people's lines: controls, direction overrides, towers of accents, and too
/// many line breaks.
pub fn chat(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut lines, mut marks) = (1, 0);
    for c in text.replace("\r\n", "\n").trim().chars() {
        let breaks = matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        marks = stacked_marks(marks, c);
        if breaks && out.ends_with('\n') {
            continue;
        } else if breaks {
            lines += 1;
            out.push(if lines <= limits::CHAT_LINES { '\n' } else { ' ' });
        } else if c == '\t' {
            out.push(' ');
        } else if !c.is_control() && !overrides_direction(c) && marks <= MARKS {
            out.push(c);
        }
    }
    match out.chars().any(|c| !c.is_whitespace() && !shows_nothing(c) && c != BRAILLE_BLANK) {
        true => out.trim().to_owned(),
        false => String::new(),
    }
}

/// Whether `c` overrides the direction of a chat line. Direction marks (`U+200E`, `U+200F`) do not: people who write Hebrew or
/// Arabic type them.
fn overrides_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_and_shown_as_typed() {
        assert_eq!(name("  Ann \t B ").as_deref(), Ok("Ann B"));
        for typed in [
            "علی\u{200c}رضا",
            "क्\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "דנה",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "Straße",
            "Zoë",
            "อภิสิทธิ์",
            "1",
        ] {
            assert_eq!(name(typed).as_deref(), Ok(typed));
        }
    }

    #[test]
    fn blank_names_are_refused() {
        for blank in ["", "   ", "\u{2800}", "\u{2003}\u{2800} ", "\u{301}"] {
            assert_eq!(name(blank), Err(NameProblem::Blank), "{blank:?}");
        }
        for hidden in ["\u{3164}", "\u{ad}", "\u{200d}", "\u{fe0f}", "a\u{ad}b", "a\u{7}b", "a\u{2060}b", "x\u{e0061}"]
        {
            assert_eq!(name(hidden), Err(NameProblem::Hidden), "{hidden:?}");
        }
    }

    /// Regression: names that looked like `Ann` or like nothing were accepted beside Ann's.
    #[test]
    fn names_with_blank_or_unshowable_characters_are_refused_or_folded() {
        for same in ["Ann\u{2800}", "\u{2800}Ann", "\u{2800} Ann \u{2800}"] {
            assert_eq!(name(same).as_deref(), Ok("Ann"), "{same:?}");
            assert!(look_alike(same, "Ann"), "{same:?}");
        }
        assert_eq!(name("Ann\u{2800}\u{2800}B").as_deref(), Ok("Ann B"));
        assert!(look_alike("Ann\u{2800}B", "Ann  B"));
        for c in [
            '\u{fff9}',
            '\u{fffb}',
            '\u{fffc}',
            '\u{fffd}',
            '\u{1d159}',
            '\u{13430}',
            '\u{13441}',
            '\u{13442}',
            '\u{e000}',
            '\u{f0000}',
            '\u{fdd0}',
            '\u{ffff}',
            '\u{10ffff}',
            '\u{378}',
            '\u{600}',
        ] {
            for typed in [format!("Ann{c}"), format!("{c}Ann"), c.to_string()] {
                assert_eq!(name(&typed), Err(NameProblem::Hidden), "{typed:?}");
            }
        }
    }

    #[test]
    fn direction_controls_are_refused_and_right_to_left_letters_are_not() {
        for turned in ["a\u{202e}b", "a\u{200f}b", "\u{2067}a", "a\u{61c}b", "\u{202a}"] {
            assert_eq!(name(turned), Err(NameProblem::Direction), "{turned:?}");
        }
        assert_eq!(name("مريم").as_deref(), Ok("مريم"));
    }

    #[test]
    fn long_names_and_towers_of_accents_are_refused() {
        assert_eq!(name(&"x".repeat(25)), Err(NameProblem::TooLong));
        assert_eq!(name(&format!("a{}", "\u{301}".repeat(5))), Err(NameProblem::Marks));
        assert!(name("Nguyễn").is_ok() && name("e\u{323}\u{302}").is_ok());
    }

    /// Regression: a joiner after every fourth accent allowed towers of any height.
    #[test]
    fn joiners_do_not_make_towers_of_accents_higher() {
        let four = "\u{301}".repeat(4);
        for joiner in ['\u{200c}', '\u{200d}', '\u{34f}', '\u{fe0f}', '\u{180b}', '\u{e0100}'] {
            let tower = format!("a{four}{joiner}{four}");
            assert_eq!(name(&tower), Err(NameProblem::Marks), "{joiner:?}");
            let kept = chat(&format!("{tower}b"));
            assert!(kept.matches('\u{301}').count() <= 4, "{joiner:?}: {kept:?}");
            assert!(look_alike(&format!("Zoe{joiner}\u{308}"), "Zoë"), "{joiner:?}");
            assert!(look_alike(&format!("e\u{302}{joiner}\u{323}"), "ệ"), "{joiner:?}");
        }
        assert!(look_alike("Zoe\u{308}\u{308}", "Zoë"));
        assert!(name("क्\u{200d}ष").is_ok() && name("👩\u{200d}👩\u{200d}👧").is_ok());
    }

    #[test]
    fn look_alike_finds_similar_names() {
        for (one, other) in [
            ("Ann", "aNN"),
            ("Ann", "\u{410}nn"),   // a Cyrillic letter
            ("Ann", "Ａｎｎ"),      // wide letters
            ("Ann", "A\u{200b}nn"), // an invisible character
            ("Zoë", "Zoe\u{308}"),  // the same letter in two parts
            ("Ian", "lan"),         // look alike as typed
            ("Straße", "STRASSE"),
            ("Νίκος", "ΝΊΚΟΣ"), // two small sigmas
            ("paypal", "раураl"),
            ("𝒜𝓃𝓃", "Ann"),
        ] {
            assert!(look_alike(one, other) && look_alike(other, one), "{one} and {other}");
        }
        for (one, other) in
            [("Ann", "Anna"), ("Ann", "Anne"), ("Zoë", "Zoe"), ("דנה", "דינה"), ("Player 2", "Player 3")]
        {
            assert!(!look_alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn names_from_right_to_left_are_isolated_in_sentences() {
        assert_eq!(shown("Ann"), "Ann");
        assert_eq!(shown("דנה"), "\u{2068}דנה\u{2069}");
    }

    #[test]
    fn chat_loses_controls_and_surplus_lines() {
        assert_eq!(chat(" one\u{7} two\u{202e} "), "one two");
        assert_eq!(chat("a\r\nb\n\n\nc\td"), "a\nb\nc d");
        assert_eq!(chat(&"x\n".repeat(40)).matches('\n').count(), limits::CHAT_LINES - 1);
        assert_eq!(chat("\u{200b}\u{2800}\u{202e}"), "");
        assert_eq!(chat("👩\u{200d}👧 سلام علی\u{200c}رضا \u{200f}"), "👩\u{200d}👧 سلام علی\u{200c}رضا \u{200f}");
    }
}
