//! The words of the language.
//!
//! Only [`RESERVED`] words can't be names. All others mean something only where the grammar expects them: a zone may be
//! called `rank`, a state `first`. The other tables list the first words of lines and clauses; the parser compares a
//! misspelt first word with them.

/// Words that stand inside expressions or end them: a name like this would make lines ambiguous.
pub const RESERVED: &[&str] = &[
    "after", "and", "any", "as", "at", "before", "by", "else", "from", "if", "in", "into", "is", "mod", "no", "nobody",
    "none", "not", "of", "on", "or", "over", "players", "reveal", "then", "to", "until", "when", "where", "yes",
];

pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// First words of declarations.
pub(super) const DECLARATIONS: &[&str] = &[
    "game",
    "language",
    "about",
    "how",
    "note",
    "players",
    "lasts",
    "start",
    "newcomers",
    "absent",
    "host",
    "leavers",
    "grace",
    "limit",
    "require",
    "deck",
    "option",
    "preset",
    "table",
    "zones",
    "state",
    "dice",
    "define",
    "rule",
    "when",
    "show",
];

/// First words of declarations that may also stand below the course of the game.
pub(super) const LATE_DECLARATIONS: &[&str] = &["define", "rule", "when", "show", "note", "how"];

/// First words of statements.
pub(super) const STATEMENTS: &[&str] = &[
    "if", "else", "repeat", "for", "circle", "together", "stop", "again", "phase", "move", "pass", "draw", "deal",
    "gather", "shuffle", "mix", "turn", "roll", "clear", "announce", "reveal", "write", "admit", "do", "ask", "end",
];

pub(super) const DECK_CLAUSES: &[&str] = &["suits", "ranks", "attribute", "make", "without", "with", "copies"];

pub(super) const ZONE_CLAUSES: &[&str] = &[
    "everyone",
    "owner",
    "others",
    "nobody",
    "ordered",
    "sorted",
    "remembers",
    "holds",
    "starts",
    "as",
    "titled",
    "turned",
];

pub(super) const STATE_CLAUSES: &[&str] = &["owner", "role"];

pub(super) const SHOW_LINES: &[&str] =
    &["badge", "seat", "highlight", "status", "counter", "theme", "face", "sign", "name", "zone", "hint"];

/// First words of the lines below `ask` that are no alternatives.
pub(super) const ASK_CLAUSES: &[&str] = &["default", "within", "absent", "gone", "drop"];

/// First words of the parts of an alternative. A part can also begin with a number of cards.
pub(super) const PARTS: &[&str] =
    &["card", "unseen", "set", "run", "number", "pile", "player", "value", "choice", "yesno", "text", "dice"];

/// Words that may follow `is` and are no values: `hand[p] is empty`.
pub(super) const WORDS_AFTER_IS: &[&str] = &["empty", "present", "playing", "person"];

/// All tables. Tests compare the language reference and the grammar for editors with them.
#[allow(dead_code, reason = "only tests read it, some of which include this file")]
pub const TABLES: &[&[&str]] = &[
    RESERVED,
    DECLARATIONS,
    STATEMENTS,
    DECK_CLAUSES,
    ZONE_CLAUSES,
    STATE_CLAUSES,
    SHOW_LINES,
    ASK_CLAUSES,
    PARTS,
    WORDS_AFTER_IS,
];

/// Words of programming languages with which people begin a line, and what to write instead.
pub(super) const FOREIGN: &[(&str, &str)] = &[
    ("while", "Write `repeat until …`, with the opposite condition: `repeat until stock is empty`."),
    ("loop", "Write `repeat`, `repeat 3 times` or `repeat until …`."),
    ("until", "Write `repeat until …`."),
    ("foreach", "Write `for p in players`, `for i in 1..9` or `circle p from leader`."),
    ("elif", "Write `else if`."),
    ("elseif", "Write `else if`."),
    ("elsif", "Write `else if`."),
    ("switch", "Write `if … else if … else`."),
    ("case", "Write `if … else if … else`."),
    ("break", "Write `stop` to leave the innermost `repeat` or `circle`."),
    ("exit", "Write `stop` to leave a `repeat` or `circle`, or `end draw` to end the game."),
    ("continue", "Put the rest of the block under an `if` instead."),
    ("return", "A rule gives nothing back; write `define best(p) = …` for a value, `stop` to leave a `repeat`."),
    ("let", "Just set it: `best := 3`."),
    ("var", "Just set it: `best := 3`; what must last is declared under `state`."),
    ("set", "Write `score[p] := 3`."),
    ("increase", "Write `score[p] += 1`."),
    ("add", "Write `score[p] += 1`, or `move c to hand[p]` for cards."),
    ("function", "Write `define name(p) = …` for a value, `rule name(p)` for steps."),
    ("def", "Write `define name(p) = …` for a value, `rule name(p)` for steps."),
    ("call", "Write `do name(p)`."),
    ("print", "Write `announce \"…\"`."),
    ("say", "Write `announce \"…\"`."),
    ("win", "Write `end winner p`."),
    ("must", "`must` lines stand below an alternative of `ask`, before anything else."),
    ("within", "`within` stands below `ask` or `together`, beside the alternatives."),
    ("default", "`default` stands below `ask`, beside the alternatives."),
];

/// Joins words to "`a`, `b` or `c`".
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", most.join(", "))
        }
    }
}
