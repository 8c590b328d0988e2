//! Plots in which cards lie face down where everybody sees them.

use crate::generate::Writer;

impl Writer {
    /// Puts all cards where everybody sees them, some of them face down; then the rules move cards that they choose by their faces.
    pub(super) fn backs_in_sight(&mut self) {
        let declared = self.lines.iter().position(|line| line == "zones").unwrap_or_default() + 1;
        for line in self.lines[declared..].iter_mut().take_while(|line| line.starts_with("  ")) {
            if let Some((name, _)) = line.split_once(": ") {
                let deck = if name == "  stock" { ", starts with cards" } else { "" };
                let deck = if name == "  pile" { ", starts with extra" } else { deck };
                let secret = if name.starts_with("  shown") { ", remembers player secretly" } else { "" };
                *line = format!("{name}: ordered, everyone sees cards{secret}{deck}");
            }
        }
        self.line("draw 3 from stock to row[1] face down");
        self.wait();
        let (what, to) = (
            self.pick(&["cards", "cards", "random card of cards", "row[1]"]),
            self.pick(&["row[2]", "row[1]", "stock", "trick"]),
        );
        let down = self.pick(&["", " face down"]);
        self.line(format!("move {what} to {to}{down}"));
    }
}
