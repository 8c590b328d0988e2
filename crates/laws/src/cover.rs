//! Counts which constructs of the language occur in files that the checker accepted.
//!
//! The parser's types print themselves with the names of their variants. The count reads this print, so it needs no walk over the
//! tree, which could forget a branch. [`Types`] reads the declarations of these types, so it knows for each word of a print the
//! enum that the word belongs to.

use baize_rules::program::Program;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// How many files have each construct. Names such as `ast.Move` and `ast.Fold` come from the syntax tree, `program.Draw` from
    /// the program.
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
}

/// Returns the names of types and variants in what `{:?}` prints. These are the words with a capital outside of quotes.
fn words(print: &str) -> impl Iterator<Item = &str> {
    let outside = print.split('"').step_by(2);
    outside.flat_map(|text| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
    })
}

/// Names of types.
type Names = BTreeSet<String>;

/// The public structs and enums of a module, read from its source text.
#[derive(Debug, Default)]
pub struct Types {
    structs: BTreeMap<String, Fields>,
    /// The variants of each enum.
    enums: BTreeMap<String, BTreeMap<String, Fields>>,
}

/// The types that occur in the fields of a struct or a variant.
#[derive(Debug, Default)]
struct Fields {
    by_name: BTreeMap<String, Names>,
    /// The types of fields without names.
    unnamed: Names,
}

impl Types {
    pub fn of(source: &str) -> Self {
        let code: String = source.lines().map(without_comment).collect::<Vec<_>>().join("\n");
        let mut types = Types::default();
        for (keyword, is_enum) in [("pub struct ", false), ("pub enum ", true)] {
            for declaration in code.split(keyword).skip(1) {
                let name = leading_word(declaration).to_owned();
                let body = &declaration[name.len()..];
                match is_enum {
                    true => {
                        let variants = parts(inside(body)).into_iter().map(|variant| {
                            let word = leading_word(variant);
                            (word.to_owned(), Fields::of(&variant[word.len()..]))
                        });
                        types.enums.insert(name, variants.collect());
                    }
                    false => drop(types.structs.insert(name, Fields::of(body))),
                }
            }
        }
        types
    }

    /// All variants, as `Enum::Variant`.
    pub fn variants(&self) -> BTreeSet<String> {
        let of = |(name, variants): (&String, &BTreeMap<String, Fields>)| {
            variants.keys().map(|variant| format!("{name}::{variant}")).collect::<Vec<_>>()
        };
        self.enums.iter().flat_map(of).collect()
    }

    /// Finds the variants in the text that `{:?}` prints for a value of the type `root`. Returns them as `Enum::Variant`.
    pub fn variants_in(&self, root: &str, print: &str) -> BTreeSet<String> {
        let mut walk = Walk { types: self, rest: print, found: BTreeSet::new() };
        walk.value(&Names::from([root.to_owned()]));
        walk.found
    }

    /// Looks up a word of a print among these types. Returns the fields of the struct or variant that the word names, and for a variant its
    /// full name.
    fn meaning(&self, word: &str, among: &Names) -> Option<(Option<String>, &Fields)> {
        let found = self.structs.get(word).filter(|_| among.contains(word)).map(|fields| (None, fields));
        let variants = among.iter().filter_map(|name| Some((name, self.enums.get(name)?.get(word)?)));
        let mut all = found.into_iter().chain(variants.map(|(name, fields)| (Some(format!("{name}::{word}")), fields)));
        all.next().filter(|_| all.next().is_none())
    }
}

impl Fields {
    /// Reads the fields that follow the name of a struct or a variant in its declaration.
    fn of(body: &str) -> Self {
        let body = body.trim_start();
        let mut fields = Fields::default();
        if body.starts_with('{') {
            for field in parts(inside(body)) {
                if let Some((name, types)) = field.trim_start_matches("pub ").split_once(':') {
                    fields.by_name.insert(name.trim().to_owned(), words(types).map(str::to_owned).collect());
                }
            }
        } else if body.starts_with('(') {
            fields.unnamed = words(inside(body)).map(str::to_owned).collect();
        }
        fields
    }
}

/// Leaves out comments and attributes.
fn without_comment(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or_default();
    if code.trim_start().starts_with("#[") { "" } else { code }
}

fn leading_word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The text between the first bracket and the one that closes it.
fn inside(text: &str) -> &str {
    let Some(start) = text.find(['{', '(']) else { return "" };
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        depth += i32::from(matches!(c, '{' | '(')) - i32::from(matches!(c, '}' | ')'));
        if depth == 0 {
            return &text[start + 1..start + at];
        }
    }
    ""
}

/// The parts between commas that stand in no bracket.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' | '<' | '[' => depth += 1,
            '}' | ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found.retain(|part| !part.is_empty());
    found
}

/// A walk over what `{:?}` prints.
struct Walk<'a> {
    types: &'a Types,
    rest: &'a str,
    found: BTreeSet<String>,
}

impl Walk<'_> {
    /// Reads one value, which has one of these types or contains them.
    fn value(&mut self, among: &Names) {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some(quote @ ('"' | '\'')) => self.skip_quoted(quote),
            Some('[' | '(' | '{') => self.items(&|_| among),
            Some(c) if c.is_ascii_alphabetic() => self.named(among),
            _ => self.rest = &self.rest[self.rest.find([',', ')', ']', '}', ':']).unwrap_or(self.rest.len())..],
        }
    }

    /// Reads a struct, a variant or another word, with what it contains.
    fn named(&mut self, among: &Names) {
        let (word, types) = (leading_word(self.rest), self.types);
        self.rest = &self.rest[word.len()..];
        let meaning = types.meaning(word, among);
        if let Some((Some(variant), _)) = &meaning {
            self.found.insert(variant.clone());
        }
        let fields = meaning.map(|(_, fields)| fields);
        let nothing = Names::new();
        if self.rest.starts_with('(') {
            self.items(&|_| fields.map_or(among, |fields| &fields.unnamed));
        } else if self.rest.starts_with(" {") {
            self.rest = &self.rest[1..];
            self.items(&|name| fields.map_or(among, |fields| fields.by_name.get(name).unwrap_or(&nothing)));
        }
    }

    /// Reads values in brackets. `types` tells the types of the field with this name; a value without one has the name `""`.
    fn items<'t>(&mut self, types: &dyn Fn(&str) -> &'t Names) {
        self.rest = &self.rest[1..];
        loop {
            self.rest = self.rest.trim_start_matches([',', ' ', ':']);
            let Some(c) = self.rest.chars().next() else { return };
            if matches!(c, ')' | ']' | '}') {
                self.rest = &self.rest[1..];
                return;
            }
            let name = leading_word(self.rest);
            match self.rest[name.len()..].strip_prefix(": ") {
                Some(rest) if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    self.rest = rest;
                    self.value(types(name));
                }
                _ => self.value(types("")),
            }
        }
    }

    fn skip_quoted(&mut self, quote: char) {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == quote && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        self.rest = &self.rest[end.map_or(self.rest.len(), |(at, _)| at + 1)..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a variant counted as seen when another enum had a variant of the same name.
    #[test]
    fn a_variant_is_told_from_one_of_the_same_name() {
        let types = Types::of(
            "/// A file, not a `pub enum X { Y }`.
            pub struct File {
                pub title: Option<Text>,
                #[serde(default)]
                pub steps: Vec<(Step, Place)>,
            }
            pub struct Text(pub Vec<Part>);
            pub enum Part { Cards, Word(String) }
            pub enum Step {
                /// `move`, then `x`
                Move { what: Box<Place>, face_down: bool },
                End,
            }
            pub enum Place { Cards, Hand(Part), Name { text: String } }",
        );
        let all =
            ["Part::Cards", "Part::Word", "Place::Cards", "Place::Hand", "Place::Name", "Step::End", "Step::Move"];
        assert_eq!(types.variants(), all.map(str::to_owned).into());
        let print = r#"File { title: Some(Text([Word("a \") Cards, ("), Word("Cards")])), steps: [
            (Move { what: Cards, face_down: true }, Name { text: "End, Hand(Cards)" }), (End, Hand(Word("")))] }"#;
        let seen = ["Part::Word", "Place::Cards", "Place::Hand", "Place::Name", "Step::End", "Step::Move"];
        assert_eq!(types.variants_in("File", print), seen.map(str::to_owned).into());
    }
}
