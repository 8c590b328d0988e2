//! Writes short games, each aimed at one check. Such a check matters only where several constructs come together, and random files and
//! plots have all of them together in one file of ten thousand.
//!
//! Only the search for witnesses of checks writes them, in one file of a hundred, so that the other seeds keep their files.

use super::Writer;

/// One seed in this many is aimed at a check.
const EVERY: u64 = 101;
/// No witness that was found before has a seed with this remainder.
const REMAINDER: u64 = 5;

/// Whether the file of this seed is aimed at a check.
pub(super) fn is_aimed(seed: u64) -> bool {
    seed % EVERY == REMAINDER
}

impl Writer {
    pub(super) fn aimed(&mut self, seed: u64) {
        match seed / EVERY % 3 {
            0 => self.full_tray(),
            1 => self.role_in_an_answer(),
            _ => self.picked_while_one_leaves(),
        }
    }

    fn aimed_deck(&mut self, players: &[&str]) {
        let players = self.pick(players);
        let highest = 2 + self.below(4);
        self.line("game \"Aimed\"");
        self.line(format!("players {players}"));
        self.line("deck cards:");
        self.block(|w| {
            w.line(format!("attribute value: 1..{highest}"));
            w.line("attribute colour: red blue green");
            w.line("make value any, colour any");
        });
    }

    /// Writes a move of cards that nobody has counted into a zone with little room. Whether all of them fit tells how many there were.
    fn full_tray(&mut self) {
        self.aimed_deck(&["2", "3", "2..3"]);
        let (room, drawn) = (1 + self.below(3), 2 + self.below(3));
        let who = self.pick(&["p", "turn", "first player"]);
        for line in ["zones", "  stock: ordered, starts with cards", "  hand[player]: owner sees cards"] {
            self.line(line);
        }
        self.line(format!("  tray: holds at most {room}"));
        for line in ["shuffle stock", "deal stock to hand 1 each from first player", "turn := first player"] {
            self.line(line);
        }
        self.line("p := first player");
        self.line(format!("draw {drawn} from stock to hand[p] face down"));
        self.line(format!("ask {who} \"wait\""));
        self.line("  ok");
        self.line("move hand[p] to tray");
        self.line("end draw");
    }

    /// Writes a game in which a player picks a card, and a rule passes the role on before the holder of the role is told the card.
    fn role_in_an_answer(&mut self) {
        self.aimed_deck(&["3", "4", "3..4"]);
        let (order, role) = (self.pick(&["ordered, ", ""]), self.pick(&["turn", "judge"]));
        self.line("zones");
        self.line("  stock: ordered, starts with cards");
        self.line(format!("  hand[player]: {order}owner sees cards"));
        self.line("state");
        self.line(format!("  {role}: player"));
        self.line("rule change()");
        self.line(format!("  {role} := next player after {role}"));
        self.line("deal stock to hand 1 each from first player");
        self.line(format!("{role} := first player"));
        self.line(format!("ask {role} \"pick\""));
        self.line(format!("  take: card c1 from hand[{role}]"));
        self.line("    do change()");
        self.line(format!("    announce \"{{c1}}\" as notice to {role}"));
        self.line("end draw");
    }

    /// Writes a game in which everybody picks one of the cards that all see; meanwhile somebody leaves, and the cards go out of sight.
    fn picked_while_one_leaves(&mut self) {
        self.aimed_deck(&["2..4", "3", "4"]);
        let times = 1 + self.below(3);
        // A zone that is never used would be a mistake.
        let (zone, to) = match self.below(3) {
            0 => ("heap[colour]", "heap[green]"),
            1 => ("heap[colour]", "heap[red]"),
            _ => ("box", "box"),
        };
        self.line("zones");
        self.line("  stock: everyone sees cards, starts with cards");
        self.line(format!("  {zone}: nobody sees"));
        self.line("state");
        self.line("  judge: player");
        self.line("when one leaves");
        self.line(format!("  move stock to {to}"));
        self.line(format!("repeat {times} times"));
        self.line("  ask all p1 over players");
        self.line("    take: card c1 from stock");
        self.line("      move c1 to stock");
        self.line("end loser judge");
    }
}
