//! The places that guard secrets, found in the source text, and files that show what each is good for.
//!
//! A *site* is a call for a check for leaks in `crates/rules/src/elaborate`, or a masking branch of the engine (`hides("…")`).
//! With one switched off, the generator looks for a file that is accepted and breaks a law, though with all of them in place
//! it is refused, or keeps every law.

use crate::generate;
use crate::play::{self, Counts, Violation};
use crate::repair::repaired;
use crate::shrink::shrunk_while;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// File and line of a check.
    Check(&'static str, u32),
    /// The name of a masking branch.
    Mask(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Stays the same when lines move: `moves.target.1`, `mask.sealed-values`.
    pub key: String,
    pub switch: Switch,
}

/// A file that shows that a site is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub source: String,
    pub game: u64,
    pub law: String,
}

/// Whether a line calls for a check: `self.need_public(…)` and its like, but not what is about types and order; puts something on
/// the list of reveals; or asks the switch itself. Answers that are listed are no news to the law: both tables have the same.
fn is_check(code: &str) -> bool {
    let needs = code.split("self.need_").skip(1).any(|rest| !rest.starts_with("type(") && !rest.starts_with("order("));
    let lists = code.contains("self.list(") && !code.contains("RevealKind::Answer");
    needs || lists || code.contains("switch::is_off()")
}

/// The checks in one file of `elaborate`; `file` is its name there.
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
        sites.push(Site { key: format!("{stem}{nth}"), switch: Switch::Check(path, line) });
    }
    sites
}

/// The masking branches in a file of the engine.
pub fn masks(source: &str) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    for part in source.split("hides(\"").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        let key: String = name.replace(": ", ".").replace('\'', "").replace(' ', "-");
        if !sites.iter().any(|site| site.key == key) {
            sites.push(Site { key, switch: Switch::Mask(Box::leak(name.to_owned().into_boxed_str())) });
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

    /// Looks for a witness in files from this seed on.
    pub fn witness(&self, seed: u64, go_on: &mut dyn FnMut() -> bool) -> Option<Witness> {
        let mut at = seed;
        while go_on() {
            at += 1;
            let found = match self.switch {
                Switch::Check(..) => self.refused_otherwise(at),
                Switch::Mask(_) => self.lawful_otherwise(at),
            };
            let Some((source, game, law)) = found else { continue };
            let source = shrunk_in(self, &source, game, &law);
            return Some(Witness { source, game, law });
        }
        None
    }

    /// A file that only this check refuses, or that keeps the laws only by what is listed here.
    fn refused_otherwise(&self, seed: u64) -> Option<(String, u64, String)> {
        let (source, without) = self.off(|| repaired(&generate::hostile_file(seed)))?;
        // A switch that changes neither what is accepted nor what is listed changes nothing.
        if crate::compile(&source).is_some_and(|with| with.reveals.len() == without.reveals.len()) {
            return None;
        }
        for game in 0..GAMES {
            if let Some(broken) = self.breaks(&source, game).filter(|broken| is_secrecy(broken.law)) {
                // What is left once the check has had its say must be lawful: else something else is wrong with it.
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

    /// The law that a file breaks in a game with this site switched off.
    pub fn breaks(&self, source: &str, game: u64) -> Option<Violation> {
        self.off(|| {
            let program = crate::compile(source)?;
            play::guarded(&program, game, &mut Counts::default()).err()
        })
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

/// Games of a file that only one check refuses. In many of them nobody leaves at the moment that matters.
const GAMES: u64 = 24;

/// Laws that are about secrets.
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
    .contains(&law)
}

fn is_lawful(source: &str, game: u64) -> bool {
    crate::compile(source).is_some_and(|program| play::guarded(&program, game, &mut Counts::default()).is_ok())
}

fn shrunk_in(site: &Site, source: &str, game: u64, law: &str) -> String {
    let witness = |source: &str| Witness { source: source.to_owned(), game, law: law.to_owned() };
    // The file is put right with the site switched off: what only that check refuses stays.
    site.off(|| shrunk_while(source, &mut |source| on(|| site.is_shown_by(&witness(source))).is_ok()))
}

/// Runs something with everything in place again.
fn on<T>(run: impl FnOnce() -> T) -> T {
    baize_rules::switch::without("", 0, || baize_engine::switch::without("", run))
}

impl Witness {
    /// As it is kept in a file.
    pub fn written(&self) -> String {
        format!("# law: {}\n# game: {}\n{}", self.law, self.game, self.source)
    }

    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("# law: ")?;
        let (law, rest) = rest.split_once('\n')?;
        let (game, source) = rest.strip_prefix("# game: ")?.split_once('\n')?;
        Some(Witness { law: law.to_owned(), game: game.trim().parse().ok()?, source: source.to_owned() })
    }
}
