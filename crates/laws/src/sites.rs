//! Finds the places in the source text that guard secrets, and searches for files that show that each of them is needed.
//!
//! A *site* is a call of a check for leaks in `crates/rules/src/elaborate`, or a masking branch of the engine (`hides("…")`). The search
//! switches one site off. It looks for a generated file that the checker then accepts and that then breaks a law. With all sites
//! switched on, the checker refuses the same file, or the file keeps every law.

use crate::generate;
use crate::play::{self, Counts, Violation};
use crate::repair::repaired;
use crate::shrink::shrunk_while;
use baize_rules::program::Program;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// File and line of a check.
    Check(&'static str, u32),
    /// The name of a masking branch.
    Mask(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// A key that stays the same when lines move, such as `moves.target.1` or `mask.sealed-values`.
    pub key: String,
    pub switch: Switch,
    /// True if the check puts something on the list of reveals instead of refusing it.
    pub lists: bool,
}

/// A file that shows that a site is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub source: String,
    pub game: u64,
    pub law: String,
    pub origin: Origin,
}

/// Who wrote the file of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The generator wrote the file from this seed. `files` is how many files the search tried, this one included.
    Generated { seed: u64, files: u64 },
    /// A person wrote the file, so it says nothing about the generator.
    ByHand,
}

/// Upper bound on the generated files that a search for a witness of one site tries.
pub const MOST_FILES: u64 = 30_000;

/// Upper bound on the shorter files that are tried for a witness.
const SHRINK_TRIES: usize = 500;

/// The search for a witness begins after this seed.
const FIRST_SEED: u64 = 1_000;

/// Whether a line calls a check (`self.need_public(…)` and the like, except those of types and order), adds to the list of reveals, or
/// asks the switch.
fn is_check(code: &str) -> bool {
    let needs = code.split("self.need_").skip(1).any(|rest| !rest.starts_with("type(") && !rest.starts_with("order("));
    needs || code.contains("self.list(") || code.contains("switch::is_off()")
}

/// The file with the checks that list answers. Both tables of a pair of twins get the same answers, so only laws about answers depend on
/// them.
const ANSWERS: &str = "elaborate/noticed.rs";

/// Returns the checks in one file of `elaborate`. `file` is the file's name in that folder.
pub fn checks(file: &str, source: &str) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    let mut function = String::new();
    let path: &'static str = Box::leak(format!("elaborate/{file}").into_boxed_str());
    for (line, text) in (1u32..).zip(source.lines()) {
        if let Some(at) = text.find("fn ").filter(|at| text[..*at].trim().is_empty() || text.contains("pub")) {
            function = text[at + 3..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        }
        let code = text.trim_start();
        if function.starts_with("need_") || function == "list" || code.starts_with("//") || !is_check(code) {
            continue;
        }
        let stem = format!("{}.{function}.", file.trim_end_matches(".rs"));
        let nth = 1 + sites.iter().filter(|site| site.key.starts_with(&stem)).count();
        let lists = code.contains("self.list(") || function.contains("list") || file == "reveals.rs";
        sites.push(Site { key: format!("{stem}{nth}"), switch: Switch::Check(path, line), lists });
    }
    sites
}

/// Returns the masking branches in a file of the engine.
pub fn masks(source: &str) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    for part in source.split("hides(\"").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        let key: String = name.replace(": ", ".").replace('\'', "").replace(' ', "-");
        if !sites.iter().any(|site| site.key == key) {
            let switch = Switch::Mask(Box::leak(name.to_owned().into_boxed_str()));
            sites.push(Site { key, switch, lists: false });
        }
    }
    sites
}

impl Site {
    /// Runs something with this site switched off.
    pub fn off<T>(&self, run: impl FnOnce() -> T) -> T {
        match self.switch {
            Switch::Check(file, line) => baize_rules::switch::without(file, line, run),
            Switch::Mask(name) => baize_engine::switch::without(name, run),
        }
    }

    /// Looks for a witness among at most this many generated files, and makes it short.
    pub fn witness(&self, most: u64) -> Option<Witness> {
        let found = self.search(most)?;
        let source = shrunk_in(self, &found);
        Some(Witness { source, ..found })
    }

    /// Looks for a witness among at most this many generated files.
    pub fn search(&self, most: u64) -> Option<Witness> {
        (1..=most).find_map(|files| {
            let seed = FIRST_SEED + files;
            let (source, game, law) = self.found_at(seed)?;
            Some(Witness { source, game, law, origin: Origin::Generated { seed, files } })
        })
    }

    /// Writes the file of one seed. If the file shows that this site is needed, returns the file, the game and the law that the game breaks.
    fn found_at(&self, seed: u64) -> Option<(String, u64, String)> {
        match self.switch {
            Switch::Check(..) => self.refused_otherwise(seed),
            Switch::Mask(_) => self.lawful_otherwise(seed),
        }
    }

    /// Whether the seed that a witness names still leads to a file that shows this site, within [`MOST_FILES`] files. The witness
    /// itself is a shorter file, so it does not show that the generator can find it.
    pub fn is_found_again(&self, witness: &Witness) -> bool {
        match witness.origin {
            Origin::Generated { seed, files } => {
                files <= MOST_FILES
                    && seed == FIRST_SEED + files
                    && self.found_at(seed).is_some_and(|(_, _, law)| law == witness.law)
            }
            Origin::ByHand => false,
        }
    }

    /// Returns a file that only this check refuses, or that keeps the laws only because of what this site lists.
    fn refused_otherwise(&self, seed: u64) -> Option<(String, u64, String)> {
        let written = generate::hostile_file(seed);
        // A check that does not change how the whole file compiles seldom changes how a part of it compiles. The search skips most of
        // these files, and tries one in eight.
        if !self.lists && !seed.is_multiple_of(8) {
            let (with, without) = (compiled(&written), self.off(|| compiled(&written)));
            let same = match (&with.0, &without.0) {
                (Some(with), Some(without)) => is_same(with, without),
                (with, without) => with.is_some() == without.is_some(),
            };
            if same && with.1 == without.1 {
                return None;
            }
        }
        let (source, without) = self.off(|| repaired(&written))?;
        // A switch that changes neither what is accepted nor what is listed changes nothing.
        if crate::compile(&source).is_some_and(|with| is_same(&with, &without)) {
            return None;
        }
        for game in 0..GAMES {
            if let Some(broken) = self.breaks(&source, game).filter(|broken| is_secrecy(broken.law)) {
                // Without the lines that the check refuses, the file must keep the laws. Otherwise another fault breaks them.
                let (rest, _) = repaired(&source)?;
                return is_lawful(&rest, game).then(|| (source, game, broken.law.to_owned()));
            }
        }
        None
    }

    fn lawful_otherwise(&self, seed: u64) -> Option<(String, u64, String)> {
        let (source, _) = repaired(&generate::focused_file(seed))?;
        for game in 0..2 {
            if let Some(broken) = self.breaks(&source, game) {
                return is_lawful(&source, game).then(|| (source, game, broken.law.to_owned()));
            }
        }
        None
    }

    /// Returns the law that a file breaks in a game with this site switched off.
    pub fn breaks(&self, source: &str, game: u64) -> Option<Violation> {
        let broken = self.off(|| {
            let program = crate::compile(source)?;
            play::guarded(&program, game, &mut Counts::default()).err()
        });
        // Only the checks that list answers are needed because of the laws about answers.
        let lists_answers = matches!(self.switch, Switch::Check(ANSWERS, _));
        broken.filter(|broken| play::ANSWER_LAWS.contains(&broken.law) == lists_answers)
    }

    /// Whether a file shows that this site is needed.
    pub fn is_shown_by(&self, witness: &Witness) -> Result<(), String> {
        match self.breaks(&witness.source, witness.game) {
            Some(broken) if broken.law == witness.law => {}
            Some(broken) => return Err(format!("another law is broken: {}", broken.law)),
            None => return Err("with it switched off every law holds".to_owned()),
        }
        match (self.switch, crate::compile(&witness.source).is_some()) {
            (Switch::Check(..), false) => Ok(()),
            (Switch::Check(..), true) if is_lawful(&witness.source, witness.game) => Ok(()),
            (Switch::Check(..), true) => {
                Err("the file is accepted and breaks a law although the check is in place".to_owned())
            }
            (Switch::Mask(_), false) => Err("the file is refused".to_owned()),
            (Switch::Mask(_), true) if is_lawful(&witness.source, witness.game) => Ok(()),
            (Switch::Mask(_), true) => Err("a law is broken although the branch is in place".to_owned()),
        }
    }
}

/// Returns the program of a file, and the places at which the checker refuses the file.
fn compiled(source: &str) -> (Option<Program>, Vec<u32>) {
    let (program, diagnostics) = baize_rules::compile(source);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    (program, errors.map(|diagnostic| diagnostic.span.start).collect())
}

/// Whether two programs do the same and have the same list of reveals.
fn is_same(one: &Program, other: &Program) -> bool {
    one.reveals.len() == other.reveals.len() && format!("{one:?}") == format!("{other:?}")
}

/// Number of games to try with a file that only one check refuses. A leak may need a player to leave at one moment.
const GAMES: u64 = 24;

/// Whether a law is about secrets.
fn is_secrecy(law: &str) -> bool {
    [
        "nothing leaks to who looks",
        "nothing leaks to who is told",
        "what a seat sees decides what it may do",
        "what is legal is accepted",
        "what is offered is accepted",
        "what players read is true",
        "bots are blind",
    ]
    .iter()
    .chain(&play::ANSWER_LAWS)
    .any(|secrecy| *secrecy == law)
}

fn is_lawful(source: &str, game: u64) -> bool {
    crate::compile(source).is_some_and(|program| play::guarded(&program, game, &mut Counts::default()).is_ok())
}

fn shrunk_in(site: &Site, found: &Witness) -> String {
    let witness = |source: &str| Witness { source: source.to_owned(), ..found.clone() };
    // The file is repaired with the site switched off, so that the lines that only this check refuses stay.
    site.off(|| {
        shrunk_while(&found.source, SHRINK_TRIES, &mut |source| on(|| site.is_shown_by(&witness(source))).is_ok())
    })
}

/// Runs something with all sites switched on again.
fn on<T>(run: impl FnOnce() -> T) -> T {
    baize_rules::switch::without("", 0, || baize_engine::switch::without("", run))
}

impl Witness {
    /// Returns the text of the witness's file.
    pub fn written(&self) -> String {
        let origin = match self.origin {
            Origin::Generated { seed, files } => format!("generated from seed {seed}, {files} files tried"),
            Origin::ByHand => BY_HAND.to_owned(),
        };
        format!("# law: {}\n# game: {}\n# origin: {origin}\n{}", self.law, self.game, self.source)
    }

    pub fn read(text: &str) -> Option<Self> {
        let (law, rest) = text.strip_prefix("# law: ")?.split_once('\n')?;
        let (game, rest) = rest.strip_prefix("# game: ")?.split_once('\n')?;
        let (origin, source) = rest.strip_prefix("# origin: ")?.split_once('\n')?;
        let origin = match origin.strip_prefix("generated from seed ") {
            Some(numbers) => {
                let (seed, files) = numbers.strip_suffix(" files tried")?.split_once(", ")?;
                Origin::Generated { seed: seed.parse().ok()?, files: files.parse().ok()? }
            }
            None => Some(Origin::ByHand).filter(|_| origin == BY_HAND)?,
        };
        Some(Witness { law: law.to_owned(), game: game.trim().parse().ok()?, origin, source: source.to_owned() })
    }
}

const BY_HAND: &str = "written by hand";
