//! Writes random rules files: well-typed, small, and full of secrets.
//!
//! A [`Writer`] first declares what there is ([`declare`]), then writes the course of the game ([`steps`], [`asks`]) from
//! values of the right type ([`values`]). One file in five is a short game about one card instead ([`plots`]). It prefers values that their reader may know, and now and then takes any
//! (*mischief*), so that files lie on both sides of the border that the checker guards.

mod asks;
mod declare;
mod focus;
mod plots;
mod scope;
mod show;
mod steps;
mod values;

use baize_engine::chance::{Chance, FastChance};
use focus::Focus;
use scope::{Declarations, Kind, Variable};

/// A whole file from a seed; the same again from the same seed.
pub fn file(seed: u64) -> String {
    written(Writer::new(seed))
}

/// The same with much more mischief than usual: to find out what a check is good for.
pub fn hostile_file(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.mischief = 2 + (seed % 3) as u32;
    writer.short = !seed.is_multiple_of(4);
    writer.focus = Focus::of_hostile(seed);
    writer.is_plot = seed.is_multiple_of(2);
    written(writer)
}

/// The same as [`file`], but nearly always about something: to find out what a mask is good for.
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
    writer.lines.join("\n") + "\n"
}

/// Whose knowledge the value being written may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secrecy {
    /// What everybody knows.
    Open,
    /// That, and what belongs to the player who is asked.
    Mine,
    /// Anything: the checker has to decide.
    Any,
}

/// Where a step stands; not every step can stand everywhere.
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
    /// One in so many values may use anything; 0: none.
    mischief: u32,
    secrecy: Secrecy,
    asked: bool,
    /// One in so many moves lays cards face down.
    down: u32,
    focus: Option<Focus>,
    /// The file is a plot: see [`plots`].
    is_plot: bool,
    /// The plot has a second deck, of blank cards.
    plot_extra: bool,
    /// What a badge shows at the end of the plot.
    shown_at_the_end: Option<String>,
    /// A short course, in which little else happens than what is looked for.
    short: bool,
}

/// Seeds that follow each other give first numbers that follow each other too, so that some combinations never came up. This
/// is the last step of SplitMix64, which scatters them.
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

    /// A name that nothing else has.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn bind(&mut self, name: &str, kind: Kind) {
        self.scope.push(Variable { name: name.to_owned(), kind, settable: false });
    }

    /// Lines one level deeper; names bound in them are gone afterwards.
    fn block(&mut self, body: impl FnOnce(&mut Self)) {
        let bound = self.scope.len();
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.scope.truncate(bound);
    }

    /// Writes a value that its readers may know; sometimes any.
    fn known<T>(&mut self, secrecy: Secrecy, value: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.secrecy;
        let mischief = self.mischief > 0 && self.chance.below(self.mischief) == 0;
        self.secrecy = if mischief { Secrecy::Any } else { secrecy };
        let value = value(self);
        self.secrecy = outside;
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
