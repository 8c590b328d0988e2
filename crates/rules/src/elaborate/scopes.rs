//! The local names of a file, with the value that each of them has on the current line.
//!
//! After a block the names outside it have the values from before the block, except that a step inside may have reduced
//! who may know them. A copy of all names at each block would make the checker quadratic. So a block keeps an undo log:
//! for each name that changes inside the block, the value before its first change. [`Scopes::update`] visits only values
//! that a step can change at all: cards, and values that not everybody may know.

use super::label::Label;
use super::value::{Ty, Val};
use crate::switch;
use std::collections::HashMap;

pub(super) struct Scopes {
    /// All names, outermost first.
    entries: Vec<ScopeEntry>,
    /// For each name its indices in `entries`, innermost last.
    by_name: HashMap<String, Vec<usize>>,
    /// The indices in `entries` of values that a step may change, in ascending order.
    watched: Vec<usize>,
    /// The index in `entries` at which each scope begins.
    begins: Vec<usize>,
    /// One entry for each rule or define that is being expanded: the index in `entries` at which its names begin, and the
    /// number of scopes around it. Earlier names belong to its callers. The rule can't use them, but its steps (moves of
    /// cards, assignments to roles) change who may know them.
    expansions: Vec<(usize, usize)>,
    /// The undo logs of the open blocks, outermost first.
    blocks: Vec<ScopeBlock>,
    /// Number of values copied so far, for the test that the checker does linear work.
    #[cfg(test)]
    pub copied: usize,
}

struct ScopeEntry {
    name: String,
    val: Val,
    /// The depth of the innermost block that has logged the value; 0 if none has.
    logged_by: usize,
}

struct ScopeBlock {
    /// Names from this index in `entries` on belong to the block.
    begins: usize,
    log: Vec<Undo>,
}

/// The value of a name before its first change in a block.
struct Undo {
    /// Index in `entries`.
    at: usize,
    val: Val,
    logged_by: usize,
}

impl Scopes {
    pub fn new() -> Self {
        Scopes {
            entries: Vec::new(),
            by_name: HashMap::new(),
            watched: Vec::new(),
            begins: vec![0],
            expansions: vec![(0, 0)],
            blocks: Vec::new(),
            #[cfg(test)]
            copied: 0,
        }
    }

    pub fn open_scope(&mut self) {
        self.begins.push(self.entries.len());
    }

    pub fn close_scope(&mut self) {
        let begins = self.begins.pop().unwrap_or_default();
        self.truncate(begins);
    }

    /// Begins the expansion of a rule or define, which can't use the names of its caller.
    pub fn begin_expansion(&mut self) {
        self.expansions.push((self.entries.len(), self.begins.len()));
        self.open_scope();
    }

    pub fn end_expansion(&mut self) {
        let (begins, scopes) = self.expansions.pop().unwrap_or_default();
        self.begins.truncate(scopes);
        self.truncate(begins);
    }

    pub fn open_block(&mut self) {
        self.blocks.push(ScopeBlock { begins: self.entries.len(), log: Vec::new() });
    }

    /// Removes the names that the block introduced. Joins the labels that the other names had before the block with those
    /// that they have now, because the block may have run or not.
    pub fn close_block(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.truncate(block.begins);
        let around = self.blocks.len();
        for undo in block.log {
            self.count(1);
            let entry = &mut self.entries[undo.at];
            let mut joined = undo.val.clone();
            if switch::is_off() {
                joined.label = joined.label.join(&entry.val.label);
            } else {
                joined.join_labels(&entry.val);
            }
            (entry.val, entry.logged_by) = (joined, undo.logged_by);
            // A change in this block is also a change in the block around it.
            if let Some(outer) = self.blocks.last_mut()
                && undo.logged_by < around
                && undo.at < outer.begins
            {
                entry.logged_by = around;
                outer.log.push(undo);
            }
        }
    }

    /// Changes the labels of names that pass a test. The last argument of `change` says whether the current line can use the
    /// name; otherwise the name belongs to a caller of the rule that is being expanded.
    pub fn update(&mut self, test: impl Fn(&str, &Val) -> bool, mut change: impl FnMut(&str, &mut Val, bool)) {
        let own = self.expansions.last().map_or(0, |(begins, _)| *begins);
        let depth = self.blocks.len();
        let mut copied = 0;
        for at in &self.watched {
            let entry = &mut self.entries[*at];
            if !test(&entry.name, &entry.val) {
                continue;
            }
            copied += 1;
            let mut val = entry.val.clone();
            change(&entry.name, &mut val, *at >= own);
            if val.is_known_as(&entry.val) {
                continue;
            }
            let before = std::mem::replace(&mut entry.val, val);
            if let Some(block) = self.blocks.last_mut()
                && entry.logged_by < depth
                && *at < block.begins
            {
                block.log.push(Undo { at: *at, val: before, logged_by: entry.logged_by });
                entry.logged_by = depth;
            }
        }
        self.count(copied);
    }

    pub fn insert(&mut self, name: &str, val: Val) {
        let at = self.entries.len();
        let cards = matches!(val.ty, Ty::Card | Ty::Cards) || name.contains(" of ");
        if cards || val.by.is_some() || val.labels().any(|label| *label != Label::PUBLIC) {
            self.watched.push(at);
        }
        self.by_name.entry(name.to_owned()).or_default().push(at);
        self.entries.push(ScopeEntry { name: name.to_owned(), val, logged_by: 0 });
    }

    pub fn get(&self, name: &str) -> Option<&Val> {
        let (begins, _) = *self.expansions.last()?;
        self.find(name, begins)
    }

    /// Like `get`, but without the parameters of the rule or define that is being expanded.
    pub fn get_inside(&self, name: &str) -> Option<&Val> {
        let (_, scopes) = *self.expansions.last()?;
        self.find(name, *self.begins.get(scopes + 1)?)
    }

    fn find(&self, name: &str, begins: usize) -> Option<&Val> {
        let at = *self.by_name.get(name)?.last()?;
        (at >= begins).then(|| &self.entries[at].val)
    }

    /// Returns the names that the current line can use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let begins = self.expansions.last().map_or(0, |(begins, _)| *begins);
        self.entries[begins..].iter().map(|entry| entry.name.as_str())
    }

    /// Makes the labels of these names public for a while; returns their labels for [`Scopes::restore`].
    pub fn make_public(&mut self, test: impl Fn(&str) -> bool) -> Vec<(usize, Label)> {
        let begins = self.expansions.last().map_or(0, |(begins, _)| *begins);
        let own = self.watched.partition_point(|at| *at < begins);
        let mut before = Vec::new();
        for at in &self.watched[own..] {
            let entry = &mut self.entries[*at];
            if test(&entry.name) {
                before.push((*at, std::mem::replace(&mut entry.val.label, Label::PUBLIC)));
            }
        }
        before
    }

    pub fn restore(&mut self, labels: Vec<(usize, Label)>) {
        for (at, label) in labels {
            self.entries[at].val.label = label;
        }
    }

    fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            let Some(entry) = self.entries.pop() else { return };
            if let Some(places) = self.by_name.get_mut(&entry.name) {
                places.pop();
            }
        }
        while self.watched.last().is_some_and(|at| *at >= len) {
            self.watched.pop();
        }
    }

    #[cfg(test)]
    fn count(&mut self, values: usize) {
        self.copied += values;
    }

    #[cfg(not(test))]
    fn count(&self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::super::Elaborator;

    const HEAD: &str = "game \"Big\"\nplayers 2..4\ndeck cards: standard52\nzones\n  \
        stock: ordered, everyone sees count, starts with cards\n  hand[player]: owner sees cards, others see count\n  \
        trick: ordered, everyone sees cards\n  waste: everyone sees cards\nstate\n  flag: yes/no\n  total: 0..9\n  \
        turn: player\n";

    /// Writes the piece with this number of a generated file.
    type WritePiece = fn(usize) -> String;

    /// Returns the number of values that the checker copies for a file with `count` pieces of a kind.
    fn copied(piece: WritePiece, count: usize) -> usize {
        let text: String = std::iter::once(HEAD.to_owned()).chain((0..count).map(piece)).collect();
        let (file, problems) = crate::parse::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let mut elaborator = Elaborator::new(&file);
        elaborator.file(&file);
        assert!(!elaborator.exhausted);
        elaborator.scopes.copied
    }

    /// A file of 240 KB once took 13 s, because each block copied all names. A file that is four times as long may cost four
    /// times the work.
    #[test]
    fn the_checker_copies_values_in_proportion_to_the_file() {
        let pieces: [(&str, WritePiece); 6] = [
            ("variables", |n| format!("v{n} := total\ntotal := v{n}\n")),
            ("blocks", |n| format!("v{n} := total\nif flag\n  total := v{n}\n")),
            ("nested blocks", |n| {
                let block = |depth: usize| {
                    let pad = "  ".repeat(depth);
                    format!("{pad}if flag\n{pad}  v{n}x{depth} := total\n{pad}  total := v{n}x{depth}\n")
                };
                (0..12).map(block).collect()
            }),
            ("kept cards", |n| {
                format!("c{n} := last card of trick\nmove c{n} to waste\nif flag\n  move trick to stock\n")
            }),
            ("picked cards", |n| {
                format!(
                    "ask turn \"x\"\n  play: card c{n} from hand[turn]\n    turn := next player after turn\n    move c{n} to waste\n  ok\n"
                )
            }),
            ("loops", |n| {
                format!(
                    "for p{n} in players\n  ask p{n} \"x\"\n    play: card c{n} from hand[p{n}]\n      move c{n} to trick\n    ok\n"
                )
            }),
        ];
        for (name, piece) in pieces {
            let (some, more) = (copied(piece, 40), copied(piece, 160));
            println!("{name}: {some} values are copied, and {more} for four times the file");
            assert!(more <= 5 * some + 40, "{name}: {some} and {more}");
        }
    }

    #[test]
    fn a_closed_block_restores_names_but_keeps_what_made_them_less_known() {
        use super::super::label::{HiddenReason, Label, Staleness};
        use super::super::value::{Ty, Val};
        use crate::program::Num;
        let mut scopes = super::Scopes::new();
        scopes.insert("c", Val::num(Ty::Card, Num::Var(1), Label::only(Num::Var(7))));
        scopes.open_block();
        scopes.open_block();
        scopes.insert("d", Val::num(Ty::Card, Num::Var(2), Label::PUBLIC));
        scopes.update(
            |_, _| true,
            |name, val, _| {
                if name == "c" {
                    val.label = Label::nobody(HiddenReason::Stale(Staleness::NOWHERE));
                }
            },
        );
        scopes.close_block();
        assert!(scopes.get("d").is_none());
        assert_eq!(
            scopes.get("c").map(|val| val.label.needs().len()),
            Some(2),
            "the label before the block joined with the label after it"
        );
        scopes.update(|_, _| true, |_, val, _| val.label = Label::PUBLIC);
        scopes.close_block();
        assert_eq!(
            scopes.get("c").map(|val| val.label.needs().len()),
            Some(1),
            "a label that a block made public is restored"
        );
    }
}
