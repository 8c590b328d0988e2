//! A syntax tree on one line, without spans: two texts with the same outline mean the same.

use std::fmt::Debug;

/// Returns the `Debug` text of a tree, with spans left out and the wrappers that hold them (`Expr`, `Stmt`, `Name` …)
/// reduced to what they wrap.
pub fn outline(tree: &impl Debug) -> String {
    const WRAPPERS: [&str; 5] = ["Expr {", "TypeExpr {", "Stmt {", "Decl {", "Name {"];
    let text = format!("{tree:?}");
    let mut out = String::with_capacity(text.len() / 3);
    // For each open brace whether it was left out.
    let mut open: Vec<bool> = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let inside = out.chars().next_back().is_some_and(char::is_alphanumeric);
        let wrapper = WRAPPERS.iter().find_map(|wrapper| rest.strip_prefix(wrapper));
        if let Some(after) = wrapper.filter(|_| !inside) {
            open.push(true);
            rest = after.trim_start();
        } else if let Some(after) = rest.strip_prefix("Span {") {
            rest = after.split_once('}').map_or("", |(_, after)| after);
            rest = rest.strip_prefix(", ").unwrap_or(rest);
        } else if let Some(after) = ["span: ", "kind: ", "text: "].iter().find_map(|label| rest.strip_prefix(label))
            && open.last().is_some_and(|&left_out| left_out || rest.starts_with("span: "))
        {
            rest = after;
        } else if first == '"' {
            let length = quoted_length(rest);
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            match first {
                '{' => open.push(false),
                '}' if open.pop() == Some(true) => {
                    out.truncate(out.trim_end_matches([' ', ',']).len());
                    rest = &rest[1..];
                    continue;
                }
                _ => {}
            }
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Returns the length of the quoted text at the start.
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
