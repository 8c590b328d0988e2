//! Which constructs of the language occur in files that were accepted.
//!
//! The parser's types print themselves with the names of their variants, so that counting needs no walk over the tree that
//! could forget a branch: whatever is in a file is in its print.

use baize_rules::program::Program;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// How many files have it; `ast.Move`, `ast.Fold` and so on from the syntax tree, `program.Draw` from the program.
    pub seen: BTreeMap<String, u64>,
}

impl Cover {
    pub fn count(&mut self, source: &str, program: &Program) {
        let (file, _) = baize_rules::parse::parse(source);
        let mut found: Vec<String> = words(&format!("{file:?}")).map(|word| format!("ast.{word}")).collect();
        found.extend(words(&format!("{program:?}")).map(|word| format!("program.{word}")));
        found.sort_unstable();
        found.dedup();
        for word in found {
            *self.seen.entry(word).or_default() += 1;
        }
    }

    pub fn has(&self, tree: &str, variant: &str) -> bool {
        self.seen.contains_key(&format!("{tree}.{variant}"))
    }
}

/// Names of types and variants in what `{:?}` prints: words with a capital, outside of quotes.
fn words(print: &str) -> impl Iterator<Item = &str> {
    let outside = print.split('"').step_by(2);
    outside.flat_map(|text| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
    })
}

/// The variants of each enum in a source file, as they are written there.
pub fn variants(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut within: Option<String> = None;
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("pub enum ") {
            within = Some(rest.trim_end_matches(" {").to_owned());
        } else if line == "}" {
            within = None;
        } else if let Some(name) = &within
            && let Some(rest) = line.strip_prefix("    ")
            && rest.starts_with(|c: char| c.is_ascii_uppercase())
        {
            let variant: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
            found.push((name.clone(), variant));
        }
    }
    found
}
