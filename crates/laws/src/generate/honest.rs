//! Writes files that a careful author could have written, so that the checker accepts most of them as they are.
//!
//! An honest file has only what the checker certainly allows: zones with plain clauses, no cards face down, and answers that are
//! used only where their player may use them. Everything that it declares is used. Other files are repaired by taking lines out,
//! and the constructs in which lines depend on each other are lost there.

use super::Writer;
use super::scope::{Index, Kind};

impl Writer {
    pub(super) fn be_honest(&mut self) {
        self.honest = true;
        self.mischief = 0;
        self.focus = None;
        self.is_plot = false;
        self.short = true;
    }

    /// A zone whose cards everybody sees. Every honest file has it.
    pub(super) const OPEN_ZONE: &str = "trick";

    /// Whether a value of this kind may be read by its name alone. A picked card may not, because only its player knows it.
    pub(super) fn reads_by_name(&self, kind: &Kind) -> bool {
        !self.honest || !matches!(kind, Kind::Card | Kind::Cards | Kind::Text | Kind::Dice(_))
    }

    /// Takes out what is declared and not used, and reads all state, so that none is only set.
    pub(super) fn tidy(&mut self) {
        self.read_all_state();
        while let Some(at) = (0..self.lines.len()).find(|at| self.is_unused(*at)) {
            let deeper = |line: &&String| indent(line) > indent(&self.lines[at]);
            let below = self.lines[at + 1..].iter().take_while(deeper).count();
            self.lines.drain(at..=at + below);
        }
        // A section without lines would be a syntax error.
        let sections = ["zones", "state", "dice", "show"];
        let is_empty = |at: &usize| {
            let next = self.lines.get(at + 1);
            sections.contains(&self.lines[*at].as_str()) && next.is_none_or(|next| indent(next) == 0)
        };
        let empty: Vec<usize> = (0..self.lines.len()).filter(is_empty).collect();
        empty.into_iter().rev().for_each(|at| drop(self.lines.remove(at)));
    }

    /// Whether a line declares a name that no other line has.
    fn is_unused(&self, at: usize) -> bool {
        let line = &self.lines[at];
        let Some(name) = declared(line).filter(|_| !line.contains("starts with")) else { return false };
        let mut others = self.lines.iter().enumerate().filter(|(other, _)| *other != at);
        !others.any(|(_, other)| words(other).any(|word| word == name))
    }

    /// Announces all state before the game ends: what everybody knows to everybody, and sealed state to its owner.
    fn read_all_state(&mut self) {
        let Some(end) = self.lines.iter().rposition(|line| line.starts_with("end ")) else { return };
        let mut holes = [String::new(), String::new()];
        for state in self.facts.states.clone() {
            let index: Vec<String> = state
                .index
                .iter()
                .map(|index| match index {
                    Index::Player => "turn".to_owned(),
                    Index::Range(_) => "1".to_owned(),
                    Index::Value(attribute) => self.facts.attributes[*attribute].values[0].clone(),
                })
                .collect();
            let index = if index.is_empty() { String::new() } else { format!("[{}]", index.join(", ")) };
            holes[usize::from(state.sealed)].push_str(&format!(" {{{}{index}}}", state.name));
        }
        let lines =
            [format!("announce \"Now{}\"", holes[0]), format!("announce \"Yours{}\" as notice to turn", holes[1])];
        self.lines.splice(end..end, lines);
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the name that a line declares, if it declares an option, a zone, dice, a define or a rule.
fn declared(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let named = ["option ", "define ", "rule "].iter().find_map(|word| text.strip_prefix(word));
    let in_section = indent(line) == 2 && (text.contains("see") || text.contains("faces "));
    let text = named.or_else(|| Some(text).filter(|_| in_section))?;
    let name = words(text).next()?;
    let rest = text.strip_prefix(name)?;
    let declares = rest.starts_with([':', '[', '(']) || rest.starts_with(" =");
    declares.then_some(name)
}
