//! Plots about sets of cards with wild cards among them. Which cards are wild, and what they stand for, may be somebody's secret.

use crate::generate::Writer;

impl Writer {
    pub(super) fn tell_by_wild_cards(&mut self) {
        self.line("draw 4 from stock to row[1]");
        self.line("together s over players");
        self.block(|w| {
            w.line("ask s \"Bid\"");
            w.block(|w| {
                w.line("bid: number n from 1..3");
                w.block(|w| w.line("bid[s] := n"));
            });
        });
        if self.one_in(2) {
            self.wait();
        }
        let (head, who) = match self.below(3) {
            0 => {
                self.line("together s over players");
                self.indent += 1;
                ("ask s", "s")
            }
            1 => ("ask all s over players", "s"),
            _ => ("ask turn", "turn"),
        };
        self.line(format!("{head} \"Set\""));
        self.block(|w| {
            let set = w.wild_set(who);
            w.line(format!("lay: {set}"));
            w.block(|w| match w.below(4) {
                0 => w.line(format!("move c to mat[{who}]")),
                1 => w.line("announce \"{value of c}\""),
                _ => {}
            });
            w.line("pass");
        });
        self.indent -= usize::from(head == "ask s");
    }

    /// Returns a part that picks a set named `c` for this player.
    fn wild_set(&mut self, who: &str) -> String {
        let from = self.pick(&["row[1]", "row[1]", "hand[]"]).replace("[]", &format!("[{who}]"));
        let owner = self.pick(&["judge", "q", "turn", "next player after turn"]);
        let wild = match self.below(4) {
            0 => format!("value is bid[{owner}]"),
            1 => "value is 2".to_owned(),
            _ => format!("colour is {}", self.pick(&["red", "blue", "green"])),
        };
        let alone = match self.below(4) {
            0 => String::new(),
            1 => " alone 2".to_owned(),
            _ => format!(" alone bid[{owner}]"),
        };
        let size = self.pick(&["", ", size 1..3", ", size 2"]);
        format!("set c from {from} alike in value, wild {wild}{alone}{size}")
    }
}
