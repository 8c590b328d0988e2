//! Short games in which a card becomes known to somebody, something happens to it or to that player, and then it is told.
//!
//! Random steps seldom do all three with the same card. A plot does, in every combination: who picks the card and how, what
//! happens next and where that is written (in place, in a rule, a branch, a loop, a hook, an answer of `ask all`), and to whom
//! it is told, and how. The checker has to find out which of these games tell somebody too much.

use super::Writer;

/// All cards are dealt anew, and shown without saying whose they were.
fn mixing() -> Vec<String> {
    let lines =
        ["gather cards to stock", "shuffle stock", "deal stock to hand from first player", "mix hand into shown"];
    lines.map(str::to_owned).to_vec()
}

/// The cards of a plot: how they are named, who knows them, and what a text can say of them.
struct Picked {
    /// The name of the card or of the cards.
    name: String,
    /// The player who picked it.
    who: String,
    several: bool,
}

impl Writer {
    /// A whole file that is a plot.
    pub(super) fn plot(&mut self) {
        let story = self.below(26);
        self.plot_declarations(story);
        // The change that this story is about most often.
        let effect = match story {
            6..=8 if self.below(4) > 0 => mixing(),
            _ => self.effect(),
        };
        let hook = match story {
            3..=5 | 22..=24 => Some(("leaves", self.role_hook())),
            6..=8 if self.one_in(3) => {
                Some(("leaves", vec!["for each in players".to_owned(), "  move hand[each] to shown[1]".to_owned()]))
            }
            _ if self.one_in(4) => Some(self.any_hook()),
            _ => None,
        };
        self.rules_of_plot(&effect);
        if let Some((event, lines)) = hook {
            self.line(format!("when one {event}"));
            self.indented(&lines);
        }
        self.line("shuffle stock");
        let each = 1 + self.below(3);
        self.line(format!("deal stock to hand {each} each from first player"));
        if self.one_in(3) {
            let to = self.pick(&["row[1]", "mat[first player]", "trick", "box", "tray"]);
            let down = self.pick(&["", " face down"]);
            self.line(format!("draw 2 from stock to {to}{down}"));
        }
        self.line("turn := first player");
        self.line("judge := next player after turn");
        self.line("p := first player");
        self.line("q := next player after p where player is not p");
        if self.one_in(4) {
            self.line("bid[q] := count of (hand[q] where colour is red)");
        }
        // Tables are compared from the first question on: what is told before it shows nothing.
        if matches!(story, 22..=24) || self.one_in(2) {
            self.wait();
        }
        match story {
            0..=2 => self.told_in_the_answer(&effect),
            3..=5 => self.told_to_a_role(&effect),
            6..=8 => self.told_of_a_kept_card(&effect),
            9 | 10 => self.told_of_the_deck(&effect),
            11 => self.steered_together(),
            12 | 13 => self.answers_in_turn(&effect),
            14 => self.forced_answers(),
            15 => self.places_in_a_loop(),
            16 => self.full_zones(),
            17 | 18 => self.told_of_the_deck(&effect),
            19 => self.backs_in_sight(),
            22..=24 => self.told_apart(),
            20 | 21 => {
                self.written_on();
                self.told_of_what_is_written();
            }
            _ => self.lifted_by_rules(&effect),
        }
        let who = self.pick(&["p", "q", "first player"]);
        self.line(format!("ask {who} \"go\""));
        self.block(|w| w.line("ok"));
        self.line("end draw");
        if let Some(value) = self.shown_at_the_end.take() {
            self.line("show");
            self.block(|w| w.line(format!("badge row \"Line\": {value}")));
        }
    }

    fn plot_declarations(&mut self, story: u32) {
        self.line("game \"Plot\"");
        // Whether a role is passed on while its holder is asked shows only where a third player leaves.
        let leaves = matches!(story, 3..=5 | 22..=24);
        let players = if leaves { self.pick(&["3", "4"]) } else { self.pick(&["2", "3", "2..3"]) };
        self.line(format!("players {players}"));
        let newcomers = self.one_in(4);
        if newcomers {
            self.line("newcomers play");
        }
        self.facts.newcomers = newcomers;
        self.line("limit 60 moves, then void");
        self.line("deck cards:");
        self.block(|w| {
            w.line(if leaves { "attribute value: 1..5" } else { "attribute value: 1..3" });
            w.line("attribute colour: red blue green");
            w.line("make value any, colour any");
            if w.one_in(3) {
                w.line("with 2 Joker");
            }
        });
        let second = self.one_in(2);
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
        self.line(format!("tray: {tray}, holds at most 2"));
        let bin = self.pick(&["nobody sees, judge sees count", "nobody sees"]);
        self.line(format!("bin: {bin}"));
        self.line("brow[player]: ordered, everyone sees cards, owner sees count");
        let shown = self.pick(&["cards", "cards", "count"]);
        self.line(format!("shown[1..4]: ordered, everyone sees {shown}, remembers player secretly"));
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

    fn rules_of_plot(&mut self, effect: &[String]) {
        self.line("rule change()");
        self.indented(effect);
        self.line("rule put(x, s)");
        self.block(|w| w.line("move x to heap[s]"));
    }

    fn indented(&mut self, lines: &[String]) {
        self.indent += 1;
        for line in lines {
            self.line(line);
        }
        self.indent -= 1;
    }

    /// What `when …` does: hands a role on, or moves cards.
    fn any_hook(&mut self) -> (&'static str, Vec<String>) {
        let event = if self.one_in(5) { "joins" } else { "leaves" };
        let lines = match self.below(6) {
            0 | 1 => self.role_hook(),
            2 => vec!["for each in players".to_owned(), "  move hand[each] to shown[1]".to_owned()],
            3 | 4 => {
                let to = self.pick(&["box", "stock", "cave[1]", "shown[1]", "hand[judge]"]);
                vec![format!("move trick to {to}")]
            }
            _ => self.effect(),
        };
        (event, lines)
    }

    /// Hands a role on; perhaps only from the player who leaves, perhaps under a name that means somebody else.
    fn role_hook(&mut self) -> Vec<String> {
        let role = self.pick(&["judge", "turn"]);
        let next =
            self.pick(&["next player after one", "next player after judge", "first player", "next player after turn"]);
        match self.below(6) {
            0..=2 => vec![format!("if one is {role}"), format!("  {role} := {next}")],
            3 => vec![format!("one := {role}"), format!("if one is {role}"), format!("  {role} := {next}")],
            4 => vec![
                "for one in players".to_owned(),
                format!("  if one is {role}"),
                format!("    {role} := {next}"),
                "    stop".to_owned(),
            ],
            _ => vec![format!("{role} := {next}")],
        }
    }

    /// Something that changes who knows a card, where it lies, or who brought it.
    fn effect(&mut self) -> Vec<String> {
        let role = self.pick(&["turn", "judge", "turn"]);
        match self.below(12) {
            0..=2 => vec![format!("{role} := next player after {role}")],
            3 | 4 => mixing(),
            5 => {
                let to = self.pick(&["box", "stock", "cave[1]", "shown[2]", "hand[judge]", "mat[judge]"]);
                vec![format!("move trick to {to}")]
            }
            6 => {
                let (from, to) =
                    (self.pick(&["hand[p]", "hand[q]", "hand[judge]"]), self.pick(&["box", "shown[1]", "cave[2]"]));
                vec![format!("move {from} to {to}")]
            }
            7 => vec!["flag := no".to_owned()],
            8 => vec!["k := 1".to_owned()],
            9 if self.facts.newcomers => vec!["admit".to_owned()],
            10 => vec![
                "gather cards to stock".to_owned(),
                "shuffle stock".to_owned(),
                "deal stock to hand 2 each from first player".to_owned(),
            ],
            _ => vec![format!("{role} := first player")],
        }
    }

    /// Writes an effect, in one of the places where a step can stand.
    fn write_effect(&mut self, effect: &[String]) {
        match self.below(7) {
            0 | 1 => self.line("do change()"),
            2 => {
                self.line("if flag");
                self.indented(effect);
            }
            3 => {
                self.line("repeat 2 times");
                self.indented(effect);
            }
            _ => {
                for line in effect {
                    self.line(line);
                }
            }
        }
    }

    fn wait(&mut self) {
        let who = self.pick(&["q", "p", "judge", "turn"]);
        self.line(format!("ask {who} \"wait\""));
        self.block(|w| w.line("ok"));
    }

    /// A question in which somebody picks a card; the steps below the answer are `body`.
    fn picks(&mut self, role: Option<&str>, body: impl FnOnce(&mut Self, &Picked)) {
        let (head, who) = match self.below(8) {
            _ if role.is_some() => (format!("ask {}", role.unwrap_or_default()), role.unwrap_or_default().to_owned()),
            0 => ("ask first r over players where player is not q".to_owned(), "r".to_owned()),
            1 => ("ask first r over players".to_owned(), "r".to_owned()),
            2 => {
                self.line("circle r from first player");
                self.indent += 1;
                ("ask r".to_owned(), "r".to_owned())
            }
            _ => {
                let who = self.pick(&["turn", "judge", "p", "turn", "judge", "first player"]);
                (format!("ask {who}"), who.to_owned())
            }
        };
        let circle = head == "ask r";
        self.line(format!("{head} \"pick\""));
        self.indent += 1;
        let name = self.fresh("c");
        let (part, several) = match self.below(10) {
            0 => (format!("unseen {name} from hand[q]"), false),
            9 => (format!("card {name}a from hand[{who}], card {name} from hand[{who}]"), false),
            1 => (format!("2 cards {name} from hand[{who}]"), true),
            2 => (format!("set {name} from hand[{who}] alike in colour"), true),
            3 => (format!("set {name} from hand[{who}] alike in colour, wild card is Joker"), true),
            _ => (format!("card {name} from hand[{who}]"), false),
        };
        self.line(format!("take: {part}"));
        let picked = Picked { name, who, several };
        self.block(|w| body(w, &picked));
        if self.one_in(2) {
            self.line("pass");
        }
        if self.one_in(2) {
            let pick = if picked.several { "" } else { self.pick(&[" highest value", " lowest value", ""]) };
            self.line(format!("default take{pick}"));
            if self.one_in(2) {
                self.line("gone default");
            }
            if self.one_in(3) {
                self.line("within 20 seconds default");
            }
        }
        self.indent -= if circle { 2 } else { 1 };
    }

    fn told_in_the_answer(&mut self, effect: &[String]) {
        let effect = effect.to_vec();
        let repeated = self.begin_repeat();
        self.picks(None, |w, picked| {
            if w.one_in(2) {
                w.lay(picked);
            }
            if w.one_in(3) {
                // On the second turn of a loop the effect lies before what is told.
                let head = w.pick(&["repeat 2 times", "for i in 1..2", "for each in players"]);
                w.line(head);
                w.block(|w| {
                    w.tell_of(picked);
                    w.write_effect(&effect);
                    if w.one_in(3) {
                        w.line("i := 9");
                    }
                });
                return;
            }
            if w.one_in(2) {
                w.write_effect(&effect);
            }
            if w.one_in(3) {
                w.wait();
            }
            w.tell_of(picked);
        });
        self.indent -= usize::from(repeated);
    }

    /// A player with a role picks a card, somebody may leave, and the card is told to who has the role.
    fn told_to_a_role(&mut self, effect: &[String]) {
        let role = self.pick(&["judge", "turn"]);
        let other = self.pick(&["q", "p", role]);
        let repeated = self.begin_repeat();
        self.picks(Some(role), |w, picked| {
            if w.one_in(2) {
                w.line(format!("ask {other} \"wait\""));
                w.block(|w| w.line("ok"));
            }
            if w.one_in(4) {
                w.write_effect(effect);
            }
            match w.below(4) {
                0 => w.tell_of(picked),
                1 => {
                    w.line("ask all s over players \"Go on?\"");
                    w.block(|w| {
                        w.line("ok");
                        w.block(|w| {
                            let name = &picked.name;
                            w.line(format!("announce \"{{{name}}}\" as notice to {role}"));
                            w.line(format!("{role} := next player after {role}"));
                        });
                    });
                }
                _ => w.line(format!("announce \"{{{}}}\" as notice to {role}", picked.name)),
            }
        });
        self.indent -= usize::from(repeated);
    }

    /// The same again and again, so that somebody leaves at the right moment, or a zone is full. Half of the time.
    fn begin_repeat(&mut self) -> bool {
        let repeated = self.one_in(2);
        if repeated {
            self.line("repeat 6 times");
            self.indent += 1;
        }
        repeated
    }

    /// A card is laid in a place that is there on the first turn of a loop, and not on the second.
    fn places_in_a_loop(&mut self) {
        let (head, place, change) = match self.below(3) {
            0 => ("for i in 1..2", "row[i]", "i := 9"),
            1 => ("circle i from first player", "mat[i]", "i := nobody"),
            _ => ("for i in colour", "heap[i]", "i := none"),
        };
        self.line(head);
        self.block(|w| {
            w.line("repeat 2 times");
            w.block(|w| {
                w.line("ask p \"x\"");
                w.block(|w| {
                    w.line("play: card c from hand[p]");
                    w.block(|w| {
                        w.line(format!("move c to {place}"));
                        w.line("announce \"{c}\"");
                    });
                });
                w.line(change);
            });
        });
    }

    /// Zones that take only so many cards, and cards that are picked by what nobody sees of them.
    fn full_zones(&mut self) {
        let (from, to) = (self.pick(&["hand[p]", "hand[q]", "cave[1]", "row[1]"]), self.pick(&["tray", "tray", "bin"]));
        let (down, way) = (self.pick(&["", " face down"]), self.pick(&["up", "down"]));
        self.line(format!("draw 3 from stock to {from}{down}"));
        self.wait();
        let what = match self.below(5) {
            0 => from.to_owned(),
            1 => format!("({from} where colour is red)"),
            2 => format!("highest card of {from} by value"),
            3 => format!("random card of {from}"),
            _ => format!("first card of {from}"),
        };
        match self.below(3) {
            0 => self.line(format!("turn {what} face {way}")),
            _ => self.line(format!("move {what} to {to}")),
        }
        self.wait();
        if self.one_in(2) {
            self.line(format!("draw 2 from stock to {to}"));
        }
    }

    /// Moves what was picked, perhaps to a place that is not there.
    fn lay(&mut self, picked: &Picked) {
        let name = &picked.name;
        let to = match self.below(15) {
            0..=2 => "trick".to_owned(),
            3 => "row[k]".to_owned(),
            4 => "mat[nemo]".to_owned(),
            5 => "heap[trump]".to_owned(),
            6 => "heap[colour of last card of trick]".to_owned(),
            7 => format!("heap[colour of {name}]"),
            8 if !picked.several => format!("row[value of {name}]"),
            9 => "box".to_owned(),
            10 => format!("mat[{}]", picked.who),
            11 => {
                let value = self.pick(&["trump", "red"]);
                return self.line(format!("do put({name}, {value})"));
            }
            12 if self.one_in(2) => "hand[judge]".to_owned(),
            12 | 13 => "tray".to_owned(),
            _ => "row[1]".to_owned(),
        };
        self.line(format!("move {name} to {to}"));
    }

    /// Tells something that a picked card decides.
    fn tell_of(&mut self, picked: &Picked) {
        let (name, who) = (picked.name.clone(), picked.who.clone());
        let fact = match (picked.several, self.below(4)) {
            (true, _) => format!("sum of value of x over card x in {name}"),
            (false, 0) => format!("value of {name}"),
            (false, 1) => format!("player of {name}"),
            (false, _) => name.clone(),
        };
        let viewer = match self.below(4) {
            0 | 1 => who.clone(),
            2 => self.pick(&["turn", "judge"]).to_owned(),
            _ => self.pick(&["p", "q"]).to_owned(),
        };
        match self.below(10) {
            0 | 1 => self.line(format!("announce \"{{{fact}}}\"")),
            2..=4 => self.line(format!("announce \"{{{fact}}}\" as notice to {viewer}")),
            5 => {
                self.line(format!("ask {viewer} \"It was {{{fact}}}\""));
                self.block(|w| w.line("ok"));
            }
            6 => {
                self.line(format!("ask {viewer} \"Beat it\""));
                let than = if picked.several { fact } else { format!("value of {name}") };
                self.block(|w| {
                    w.line(format!("beat: card d from hand[{viewer}]"));
                    w.block(|w| {
                        w.line(format!("must value of d > {than}, else \"Higher\""));
                        w.line("move d to trick");
                    });
                    w.line("pass");
                });
            }
            7 => {
                let value = if picked.several { fact } else { format!("value of {name}") };
                self.line(format!("bid[{viewer}] := {value}"));
                if self.one_in(2) {
                    self.line(format!("announce \"{{reveal bid[{viewer}]}}\""));
                }
            }
            8 => {
                self.line("ask all s over players \"Go on?\"");
                self.block(|w| {
                    w.line("ok");
                    w.block(|w| w.line(format!("announce \"{{{fact}}}\" as notice to s")));
                });
            }
            _ => {
                let value = if picked.several { fact } else { format!("value of {name}") };
                self.line("together s over players");
                self.block(|w| {
                    w.line("ask s \"Go on?\"");
                    w.block(|w| {
                        w.line("ok");
                        w.block(|w| w.line(format!("bid[s] := {value}")));
                    });
                });
                self.line("announce \"{reveal bid[q]}\"");
            }
        }
    }

    /// A card that everybody saw is kept in a variable, something happens, and who brought it or where it lies is told.
    fn told_of_a_kept_card(&mut self, effect: &[String]) {
        let from = self.pick(&["trick", "trick", "trick", "row[1]", "pile"]);
        match (from, self.below(3) > 0) {
            ("trick", true) => {
                self.line("ask p \"play\"");
                self.block(|w| {
                    w.line("play: card c from hand[p]");
                    w.block(|w| w.line("move c to trick"));
                });
            }
            ("pile", _) => {}
            _ => self.line(format!("draw 1 from stock to {from}")),
        }
        self.line(format!("kept := last card of {from}"));
        let told = |w: &mut Self| match w.below(7) {
            0..=2 => w.line("announce \"{kept} by {player of kept}\""),
            3 => {
                let to = w.pick(&["box", "cave[1]", "trick", "row[1]"]);
                w.line(format!("move kept to {to}"));
            }
            4 => w.line("announce \"{text of kept}\""),
            5 => {
                let way = w.pick(&["up", "down"]);
                w.line(format!("turn kept face {way}"));
            }
            _ => {
                w.line("if player of kept is p");
                w.block(|w| w.line("score[p] += 1"));
            }
        };
        if self.plot_extra && self.one_in(2) {
            self.written_on();
        }
        match self.below(6) {
            0 => {
                let head = self.pick(&["repeat until player of kept is not p, at most 3 times", "repeat 2 times"]);
                self.line(head);
                self.block(|w| {
                    told(w);
                    effect.iter().for_each(|line| w.line(line));
                    if w.below(3) > 0 {
                        w.wait();
                    }
                });
            }
            1 => {
                let head = self.pick(&[
                    "for each in players where player is not (player of kept)",
                    "for each in players",
                    "circle each from q over players where player is not (player of kept)",
                ]);
                self.line(head);
                self.block(|w| {
                    effect.iter().for_each(|line| w.line(line));
                    w.line("score[each] += 1");
                    if w.below(3) > 0 {
                        w.wait();
                    }
                    if w.one_in(2) {
                        told(w);
                    }
                });
            }
            _ => {
                self.write_effect(effect);
                if self.one_in(2) {
                    self.wait();
                }
                told(self);
            }
        }
    }

    /// Everybody writes on a card of the second deck, where only they see it.
    fn written_on(&mut self) {
        if self.one_in(2) {
            self.line("kept := last card of pile");
        }
        let to = self.pick(&["mat", "hand"]);
        self.line("for each in players");
        let each = 1 + self.below(2);
        self.block(|w| w.line(format!("draw {each} from pile to {to}[each]")));
        self.line("together s over players");
        self.block(|w| {
            w.line("ask s \"Write\"");
            w.block(|w| {
                w.line("fill: text t at most 20 letters");
                w.block(|w| w.line(format!("write t on last card of {to}[s]")));
            });
        });
    }

    /// All cards lie where everybody sees them, some face down, and are taken up by what they are.
    fn backs_in_sight(&mut self) {
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

    /// Two players are different ones, until one of their names means somebody else.
    fn told_apart(&mut self) {
        self.line("deal stock to brow 1 each from first player");
        let (a, b) = (self.pick(&["judge", "turn", "judge"]), self.pick(&["turn", "p", "q"]));
        let (role, other) = if a == b { ("judge", "turn") } else { (a, b) };
        let change = match self.below(3) {
            0 => format!("{role} := {other}"),
            1 => format!("{role} := next player after {role}"),
            _ => "do change()".to_owned(),
        };
        let told = format!("announce \"{{last card of brow[{role}]}}\" as notice to {other}");
        self.line(format!("if {role} is not {other}"));
        self.block(|w| match w.below(3) {
            0 => {
                w.line("repeat 3 times");
                w.block(|w| {
                    w.line(&told);
                    w.line(&change);
                });
            }
            1 => {
                w.wait();
                if w.one_in(2) {
                    w.wait();
                }
                w.line(&told);
            }
            _ => {
                if w.one_in(2) {
                    w.line("if flag");
                    w.block(|w| w.line(&change));
                } else {
                    w.line(&change);
                }
                w.line(&told);
            }
        });
    }

    fn told_of_what_is_written(&mut self) {
        if self.one_in(2) {
            self.line("move pile to cave[1]");
        }
        self.wait();
        let fact = self.pick(&[
            "text of first card of extra",
            "extra",
            "count of (extra where card is not blank)",
            "text of kept",
            "filled(kept, extra)",
            "filled(first card of extra, row[1])",
        ]);
        match self.below(4) {
            0 => {
                self.shown_at_the_end =
                    Some(self.pick(&["first card of extra", "text of first card of extra"]).to_owned())
            }
            _ => self.line(format!("announce \"{{{fact}}}\"")),
        }
    }

    /// Cards that are named by what they are, wherever they lie; cards that lie in no order; numbers of cards.
    fn told_of_the_deck(&mut self, effect: &[String]) {
        if self.plot_extra && self.one_in(2) {
            match self.below(3) {
                0 => self.line("move pile to stock"),
                1 => self.line("move pile to hand[q]"),
                _ => self.written_on(),
            }
            self.line("shuffle stock");
            self.line("deal stock to hand 2 each from first player");
        }
        if self.below(4) > 0 {
            self.line("draw 2 from stock to row[1]");
        }
        if self.below(4) > 0 {
            self.wait();
        }
        let to = self.pick(&["box", "trick", "cave[1]", "row[1]"]);
        let whose = "(first player where any card in hand where value is 3)";
        let test = "any card x in hand[p] where value of x is 3";
        match self.below(16) {
            0 => self.line(format!("move random card of cards to {to}")),
            1 => self.line(format!("move first card of cards to {to}")),
            2 => {
                self.line("kept := first card of cards");
                self.write_effect(effect);
                self.line(format!("move kept to {to}"));
            }
            3 => self.line(format!("gather extra to {to}")),
            4 => self.line(format!("draw 1 from hand[p] to {to}")),
            5 => {
                self.line("draw 4 from stock to cave[1]");
                self.line("move (cave[1] where colour is red) to cave[2]");
                self.line("move cave[2] to box");
            }
            6 => self.line("announce \"{text of first card of extra}\""),
            7 => self.line("announce \"{extra}\""),
            8 => self.line("announce \"{count of (extra where card is not blank)}\""),
            9 => self.line(format!(
                "move (if flag then highest card of (row[1] where ({test})) by value else last card of row[1]) to {to}"
            )),
            10 => self.line(format!(
                "turn (if flag then last card of (row[1] where ({test})) else last card of row[1]) face down"
            )),
            11 => self.line(format!("announce \"{{count of (mine of {whose})}}\"")),
            12 => self.line(format!("move (lying of {whose}) to {to}")),
            13 => self.line(format!("draw 1 from stock to (lying of {whose})")),
            14 => {
                self.line("ask p \"take\"");
                self.block(|w| {
                    w.line("take: card c from cards");
                    w.block(|w| w.line("move c to trick"));
                });
            }
            _ => self.line(format!("move hand[p] to {to}")),
        }
        if self.one_in(2) {
            self.wait();
        }
    }

    /// In `together`, an answer decides what others see happen.
    fn steered_together(&mut self) {
        self.line("deal stock to mat 2 each from first player");
        self.line("together s over players");
        self.indent += 1;
        let kept = self.one_in(3);
        if kept {
            self.line("more := no");
        }
        let looped = self.one_in(2);
        if looped {
            self.line("repeat 3 times");
            self.indent += 1;
        }
        let step = self.pick(&[
            "draw 1 from mat[s] to hand[s]",
            "score[s] += 1",
            "turn hand[s] face up",
            "move hand[s] to mat[s]",
        ]);
        if self.one_in(2) {
            self.line(step);
        }
        self.line("ask s \"More?\"");
        self.block(|w| {
            let when = if w.one_in(2) { " when any card in hand[s] where value is 3" } else { "" };
            w.line(format!("more_please{when}"));
            w.block(|w| {
                if kept {
                    w.line("more := yes");
                } else if w.one_in(2) {
                    w.line(step);
                }
            });
            if w.one_in(2) {
                w.line("enough");
                if looped {
                    w.block(|w| w.line("stop"));
                }
            }
        });
        if kept {
            self.line("if more");
            self.block(|w| w.line(step));
        } else if self.one_in(2) {
            self.line(step);
        }
        self.indent -= if looped { 2 } else { 1 };
    }

    /// The answers of an `ask all` are carried out one after another.
    fn answers_in_turn(&mut self, effect: &[String]) {
        let over = self.pick(&["players where player is not judge", "players", "players where player is not turn"]);
        self.line("deal stock to brow 1 each from first player");
        let told = |w: &mut Self| {
            let whose = w.pick(&["judge", "turn", "s"]);
            let viewer = w.pick(&["s", "judge", "turn"]);
            match w.below(5) {
                3 | 4 => w.line(format!("announce \"{{last card of brow[{whose}]}}\" as notice to s")),
                0 => w.line(format!("announce \"{{hand[{whose}]}}\" as notice to {viewer}")),
                1 => w.line(format!("announce \"{{x}}\" as notice to {viewer}")),
                _ => w.line("move x to trick"),
            }
        };
        self.line(format!("ask all s over {over} \"Go?\""));
        self.block(|w| {
            w.line("give: card x from hand[s]");
            w.block(|w| {
                told(w);
                match w.one_in(2) {
                    true => w.line("judge := next player after s"),
                    false => effect.iter().for_each(|line| w.line(line)),
                }
            });
        });
    }

    /// An answer that what its player holds makes impossible.
    fn forced_answers(&mut self) {
        self.line("ask p \"x\"");
        self.block(|w| {
            let to = w.pick(&["mat[p]", "box", "hand[q]"]);
            match w.below(4) {
                0 => {
                    w.line("claim when any card in hand[p] where value is 3");
                    w.block(|w| w.line("score[p] += 1"));
                }
                1 => {
                    w.line("lay: card c from hand[p] where value is 3");
                    w.block(|w| w.line(format!("move c to {to}")));
                }
                2 => {
                    w.line("lay: set s from hand[p] alike in colour, size 2");
                    w.block(|w| w.line(format!("move s to {to}")));
                }
                _ => {
                    w.line("lay: card c from hand[p]");
                    w.block(|w| {
                        w.line("must value of c is 3, else \"Three\"");
                        w.line(format!("move c to {to}"));
                    });
                    w.line("pass if none");
                }
            }
        });
    }

    /// Who sees something changes, and what lies there is told.
    fn lifted_by_rules(&mut self, effect: &[String]) {
        self.line("draw 2 from stock to box");
        self.line("move hand[p] to mat[q]");
        self.write_effect(effect);
        let viewer = self.pick(&["judge", "turn", "p", "q"]);
        match self.below(3) {
            0 => self.line(format!("announce \"{{box}}\" as notice to {viewer}")),
            1 => self.line(format!("announce \"{{count of (mat[q] where colour is red)}}\" as notice to {viewer}")),
            _ => {
                self.line(format!("ask {viewer} \"Of {{count of (box where colour is red)}}\""));
                self.block(|w| w.line("ok"));
            }
        }
    }
}
