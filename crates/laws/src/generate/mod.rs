//! Writes random rules files: well-typed, small, and full of secrets.
//!
//! A [`Writer`] first declares what there is ([`declare`]), then writes the course of the game ([`steps`], [`asks`]) from
//! values of the right type ([`values`]). One file in five is a short game about one card instead ([`plots`]), unless it has to
//! be honest ([`honest`]). The writer prefers values that their reader may know. Now and then it takes a value that the reader may
//! not know (*mischief*), so that the checker accepts some files and refuses others.

mod aimed;
mod asks;
mod cards;
mod declare;
mod focus;
mod honest;
mod loops;
mod plots;
mod scope;
mod show;
mod steps;
mod texts;
mod values;
mod zones;

use baize_engine::chance::{Chance, FastChance};
use focus::Focus;
use scope::{Declarations, Kind, Variable};

/// Writes the file of a seed. The same seed gives the same file. One file in three is honest: see [`honest`].
pub fn file(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.newer_words_in_eight = 4;
    if seed % 3 == 2 {
        writer.be_honest();
    }
    written(writer)
}

/// Writes a file of a seed with more mischief than usual, or one that is aimed at a check ([`aimed`]). The search for witnesses of checks uses it.
pub fn hostile_file(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    if aimed::is_aimed(seed) {
        writer.aimed(seed);
        return finished(&writer);
    }
    writer.mischief = 2 + (seed % 3) as u32;
    writer.one_secret = !seed.is_multiple_of(3);
    writer.short = !seed.is_multiple_of(4);
    writer.focus = Focus::of_hostile(seed);
    writer.is_plot = seed.is_multiple_of(2);
    written(writer)
}

/// Writes a file like [`file`], never an honest one, and nearly always with a focus. The search for witnesses of masks uses it.
pub fn focused_file(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.focus = Focus::of_hostile(seed);
    written(writer)
}

fn written(mut writer: Writer) -> String {
    if writer.is_plot {
        writer.plot();
    } else {
        writer.declarations();
        writer.course();
        writer.show();
    }
    if writer.honest {
        writer.tidy();
    }
    finished(&writer)
}

fn finished(writer: &Writer) -> String {
    writer.lines.join("\n") + "\n"
}

/// Whose knowledge the value that is being written may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secrecy {
    /// The value may use what everybody knows.
    Open,
    /// The value may also use what belongs to the player who is asked.
    Mine,
    /// The value may use anything: the checker has to decide.
    Any,
}

/// The place at which a step is written. Not every step can stand everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    Main,
    /// Below an alternative of `ask`.
    Answer,
    /// Below an alternative of `ask all`.
    Sealed,
    Together,
    Hook,
}

/// How deep blocks may lie inside one another.
const BLOCKS: usize = 3;

struct Writer {
    chance: FastChance,
    facts: Declarations,
    lines: Vec<String>,
    scope: Vec<Variable>,
    /// The name of the player who acts: chooser of an `ask`, player of a `together`.
    me: Option<String>,
    context: Context,
    indent: usize,
    blocks: usize,
    loops: usize,
    names: usize,
    /// One value in this many may use anything; 0 means none.
    mischief: u32,
    secrecy: Secrecy,
    asked: bool,
    /// One move in this many lays cards face down.
    down: u32,
    focus: Option<Focus>,
    /// True if the file is a plot: see [`plots`].
    is_plot: bool,
    /// True if the plot has a second deck, of blank cards.
    plot_extra: bool,
    /// What a badge shows at the end of the plot.
    shown_at_the_end: Option<String>,
    /// True if a step uses at most one thing that its readers may not know. If a step used several, the checker would refuse it
    /// for one of them, and nobody would learn whether the check of the other is needed.
    one_secret: bool,
    /// With `one_secret`: true while the step that is being written uses no such thing.
    no_secret_yet: bool,
    /// True if the checker should accept the file as it is: see [`honest`].
    honest: bool,
    /// In an honest file: true while the cards that are written may lie in any zone, because nobody learns what they are.
    any_zone: bool,
    /// How many of eight files use the newest words of the language. The search for witnesses sets a low number, so that the seeds that
    /// witnesses name still lead to the same files.
    newer_words_in_eight: u32,
    /// True if the course of the game is short, so that little happens besides what the file is about.
    short: bool,
}

/// Seeds that follow each other would give first numbers that follow each other, too, and some combinations would never come up.
/// The last step of SplitMix64 scatters them.
fn scattered(seed: u64) -> u64 {
    let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut chance = FastChance::new(scattered(seed));
        let mischief = [0, 6, 12, 25][chance.below(4) as usize];
        Writer {
            chance,
            facts: Declarations::default(),
            lines: Vec::new(),
            scope: Vec::new(),
            me: None,
            context: Context::Main,
            indent: 0,
            blocks: 0,
            loops: 0,
            names: 0,
            mischief,
            secrecy: Secrecy::Open,
            asked: false,
            down: [2, 8, 8][(seed % 3) as usize],
            focus: Focus::of(seed),
            is_plot: seed.is_multiple_of(5),
            plot_extra: false,
            shown_at_the_end: None,
            one_secret: false,
            no_secret_yet: true,
            honest: false,
            any_zone: false,
            newer_words_in_eight: 1,
            short: false,
        }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.chance.below(n)
    }

    /// True once in `n` times.
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u32) as usize]
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = format!("{}{}", "  ".repeat(self.indent), text.as_ref());
        self.lines.push(text);
    }

    /// Whether the next value must be something that its readers may not know, with nothing around it.
    fn plain_secret(&mut self) -> bool {
        let often = if self.one_secret { 2 } else { 4 };
        self.secrecy == Secrecy::Any && self.one_in(often)
    }

    /// Returns a name that nothing else has.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn bind(&mut self, name: &str, kind: Kind) {
        self.scope.push(Variable { name: name.to_owned(), kind, settable: false });
    }

    /// Writes lines one level deeper. The names that they bind end with them.
    fn block(&mut self, body: impl FnOnce(&mut Self)) {
        let bound = self.scope.len();
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.scope.truncate(bound);
    }

    /// Writes a value that its readers may know, and now and then any value.
    fn known<T>(&mut self, secrecy: Secrecy, value: impl FnOnce(&mut Self) -> T) -> T {
        let outside = (self.secrecy, self.any_zone);
        let may = self.mischief > 0 && (!self.one_secret || self.no_secret_yet);
        let mischief = may && self.chance.below(self.mischief) == 0;
        self.no_secret_yet &= !mischief;
        self.any_zone = self.honest && secrecy == Secrecy::Any;
        self.secrecy = match secrecy {
            _ if mischief => Secrecy::Any,
            Secrecy::Any if self.honest => Secrecy::Open,
            _ => secrecy,
        };
        let value = value(self);
        (self.secrecy, self.any_zone) = outside;
        value
    }

    fn open<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> T {
        self.known(Secrecy::Open, value)
    }

    fn mine<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> T {
        self.known(Secrecy::Mine, value)
    }

    fn any<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> T {
        self.known(Secrecy::Any, value)
    }
}
