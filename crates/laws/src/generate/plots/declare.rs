//! The declarations of a plot. All plots have the same zones and the same state, with random clauses.

use super::PlotKind;
use crate::generate::Writer;

impl Writer {
    pub(super) fn plot_declarations(&mut self, kind: PlotKind) {
        self.line("game \"Plot\"");
        // A third player is needed to show whether a role is passed on while its holder is asked.
        let third = matches!(
            kind,
            PlotKind::Role
                | PlotKind::Apart
                | PlotKind::Newcomers
                | PlotKind::Lead
                | PlotKind::AnswersInTurn
                | PlotKind::Budgets
        );
        let players = if third { self.pick(&["3", "4"]) } else { self.pick(&["2", "3", "2..3"]) };
        self.line(format!("players {players}"));
        let newcomers = kind == PlotKind::Newcomers || self.one_in(4);
        if newcomers {
            self.line("newcomers play");
        }
        self.facts.newcomers = newcomers;
        self.line("limit 60 moves, then void");
        self.line("deck cards:");
        self.block(|w| {
            w.line(if third { "attribute value: 1..5" } else { "attribute value: 1..3" });
            w.line("attribute colour: red blue green");
            w.line("make value any, colour any");
            if w.one_in(3) {
                w.line("with 2 Joker");
            }
        });
        let second = self.one_in(2) || kind == PlotKind::Writing;
        if second {
            self.line("deck extra:");
            self.block(|w| w.line("with 4 Blank"));
        }
        self.plot_extra = second;
        self.line("zones");
        self.indent += 1;
        let order = if self.one_in(5) { "" } else { "ordered, " };
        self.line(format!("stock: {order}everyone sees count, starts with cards"));
        if second {
            let sees = self.pick(&["cards", "count"]);
            self.line(format!("pile: ordered, everyone sees {sees}, starts with extra"));
        }
        let order = self.pick(&["", "ordered, "]);
        let hand = match self.below(8) {
            0 => "everyone sees cards, owner sees count",
            1 => "owner sees cards, others see nothing",
            _ => "owner sees cards, others see count",
        };
        self.line(format!("hand[player]: {order}{hand}"));
        let brings = if self.one_in(3) { "" } else { ", remembers player" };
        self.line(format!("trick: ordered, everyone sees cards{brings}"));
        self.line("row[1..2]: ordered, everyone sees cards");
        let mat = self.pick(&["everyone sees cards", "everyone sees cards", "owner sees cards, others see count"]);
        self.line(format!("mat[player]: ordered, {mat}"));
        self.line("heap[colour]: everyone sees cards");
        let boxed =
            self.pick(&["nobody sees", "everyone sees count", "judge sees cards", "everyone sees cards when flag"]);
        let holds = if self.one_in(6) { ", holds at most 2" } else { "" };
        self.line(format!("box: {boxed}{holds}"));
        self.line("cave[1..2]: nobody sees");
        let tray =
            self.pick(&["nobody sees", "everyone sees count", "everyone sees cards", "nobody sees, judge sees count"]);
        let tray = if kind == PlotKind::CrowdedZones { "everyone sees cards" } else { tray };
        let room = if kind == PlotKind::CrowdedZones { 1 + self.below(3) } else { 2 };
        self.line(format!("tray: {tray}, holds at most {room}"));
        let bin = self.pick(&["nobody sees, judge sees count", "nobody sees"]);
        self.line(format!("bin: {bin}"));
        self.line("brow[player]: ordered, everyone sees cards, owner sees count");
        let shown = self.pick(&["cards", "cards", "count"]);
        self.line(format!("shown[1..4]: ordered, everyone sees {shown}, remembers player secretly"));
        if kind == PlotKind::OtherCards {
            let stack = self.pick(&["everyone sees count", "everyone sees count", "judge sees cards"]);
            self.line(format!("stack[1..2]: ordered, {stack}"));
            self.line("grid[player, 1..2]: ordered, owner sees cards, others see count");
        }
        self.indent -= 1;
        self.line("state");
        self.block(|w| {
            w.line("turn: player");
            w.line("judge: player");
            w.line("nemo: player");
            w.line("flag: yes/no = yes");
            w.line("k: 0..9 = 9");
            w.line("score[player]: 0..9 = 0");
            w.line("trump: colour");
            w.line("bid[player]: 0..9 = 0, owner sees");
        });
        self.line("define lying = mat");
        self.line("define mine = hand");
    }

    pub(super) fn rules_of_plot(&mut self, effect: &[String]) {
        self.line("rule change()");
        self.indented(effect);
        self.line("rule put(x, s)");
        self.block(|w| w.line("move x to heap[s]"));
    }
}
