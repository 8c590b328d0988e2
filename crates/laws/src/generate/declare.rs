//! Writes declarations: header, options, decks, state, dice, defines, rules and hooks. Zones are in [`super::zones`].

use super::focus::Focus;
use super::scope::{Attribute, Deck, DeclaredOption, Define, Dice, Index, Kind, State};
use super::{Context, Secrecy, Writer};

impl Writer {
    pub(super) fn declarations(&mut self) {
        self.header();
        self.options();
        self.decks();
        if self.one_in(12) {
            let deck = self.facts.decks[0].name.clone();
            self.line(format!(
                "require count of {deck} > 1 + count of players, else \"Only {{count of {deck}}} cards\""
            ));
        }
        self.plan_states();
        if self.facts.newer_words {
            self.line("table worth[0..3]: 1, 3, 6, 10");
        }
        if self.one_in(8) {
            self.how_to_play();
        }
        self.zones();
        self.write_states();
        self.dice();
        self.how_to_roll();
        self.defines();
        self.rules();
        self.hooks();
    }

    fn header(&mut self) {
        self.line("game \"Made up\"");
        if self.one_in(8) {
            self.line("about \"Nobody has played this before.\"");
        }
        if self.one_in(8) {
            self.line("note \"A ruling.\"");
        }
        if self.below(8) < self.newer_words_in_eight {
            self.line("language 1");
            self.line("lasts 5..10 minutes");
            self.facts.newer_words = true;
            self.facts.newest_words = self.newer_words_in_eight > 1;
        }
        let players = self.pick(&["2", "3", "2..3", "2..4", "3..4", "4"]);
        self.line(format!("players {players}"));
        self.facts.newcomers = self.one_in(3);
        let newcomers = if self.facts.newcomers { "play" } else { "watch" };
        self.line(format!("newcomers {newcomers}"));
        if self.one_in(2) {
            let absent = self.pick(&["wait", "skip", "default"]);
            self.line(format!("absent {absent}"));
        }
        if self.one_in(8) {
            self.line("start when full");
        }
        if self.one_in(8) {
            let host = self.pick(&["pause", "continue"]);
            self.line(format!("host absent {host}"));
        }
        if self.one_in(6) {
            let leavers = self.pick(&["become bots", "go"]);
            self.line(format!("leavers {leavers}"));
        }
        if self.one_in(10) {
            self.line("grace 60 seconds");
        }
        let (moves, then) = (20 + self.below(60), self.pick(&["void", "draw"]));
        self.line(format!("limit {moves} moves, then {then}"));
    }

    fn how_to_play(&mut self) {
        let deck = &self.facts.decks[0];
        let card = match (deck.standard, deck.packs, deck.named.first()) {
            (true, ..) => "K♥".to_owned(),
            (_, true, _) => "stock".to_owned(),
            (.., Some(name)) => name.clone(),
            _ => "value 1 colour red".to_owned(),
        };
        self.line("how to play");
        self.block(|w| {
            w.line("\"Everybody has cards.\" shows hand, stock");
            w.line(format!("\"This is one of them.\" shows {card}"));
        });
    }

    /// Adds a sentence about the dice to `how to play`, which stands above them. It takes no random number, so that the rest of the file
    /// stays as it is.
    fn how_to_roll(&mut self) {
        let Some(dice) = self.facts.dice.first() else { return };
        let line = format!("  \"These are rolled.\" shows {}", dice.name);
        if let Some(at) = self.lines.iter().position(|line| line == "how to play") {
            self.lines.insert(at + 1, line);
        }
    }

    fn options(&mut self) {
        for _ in 0..self.below(3) {
            let name = self.fresh("opt");
            let words = ["rotate", "winner"];
            let (ty, kind, text) = match self.below(6) {
                0 | 1 => ("yes/no = yes".to_owned(), Kind::YesNo, false),
                2 => ("1..4 = 2".to_owned(), Kind::Number, false),
                3 => ("1 | 3 = 1".to_owned(), Kind::Number, false),
                4 => ("rotate | winner = winner".to_owned(), Kind::Choice(words.map(str::to_owned).to_vec()), false),
                _ if self.one_in(2) => ("seconds 0..30 = 10".to_owned(), Kind::Number, false),
                _ => ("text 1..6 = \"WORD\"".to_owned(), Kind::Text, true),
            };
            self.line(format!("option {name}: {ty}"));
            self.block(|w| {
                if w.one_in(2) {
                    w.line("\"A title\"");
                }
                if matches!(kind, Kind::Choice(_)) && w.one_in(2) {
                    w.line("rotate \"It goes round\"");
                }
            });
            if kind == Kind::YesNo && self.one_in(6) {
                self.line(format!("preset quick: {name} = no"));
            }
            self.facts.options.push(DeclaredOption { name, kind, text });
        }
    }

    fn decks(&mut self) {
        let decks = 1 + self.below(5) / 4;
        for nth in 0..decks {
            let name = if nth == 0 { "cards".to_owned() } else { "extra".to_owned() };
            let mut deck =
                Deck { name: name.clone(), attributes: vec![], named: vec![], packs: false, standard: false };
            match self.below(10) {
                0 | 1 if nth == 0 && self.focus != Some(Focus::Writing) => {
                    deck.standard = true;
                    deck.attributes = self.standard(&name);
                }
                _ if nth == 0 && self.favours(Focus::Writing) => self.packs(&mut deck),
                2 | 3 if nth == 1 || self.one_in(2) => self.packs(&mut deck),
                _ => self.own_cards(&mut deck, nth),
            }
            self.facts.decks.push(deck);
        }
    }

    fn packs(&mut self, deck: &mut Deck) {
        deck.packs = true;
        self.line(format!("deck {}: packs \"answer\"", deck.name));
        self.facts.attributes.push(Attribute {
            name: "pick".to_owned(),
            values: ["0", "1", "2"].map(str::to_owned).to_vec(),
            number: true,
        });
        deck.attributes = vec![self.facts.attributes.len() - 1];
    }

    fn standard(&mut self, name: &str) -> Vec<usize> {
        self.line(format!("deck {name}: standard52"));
        self.block(|w| {
            if w.one_in(2) {
                w.line("suits ♦ ♣ ♥ ♠");
            }
            if w.one_in(2) {
                let ranks = w.pick(&["2..A", "A..K"]);
                w.line(format!("ranks {ranks}"));
            }
            if w.one_in(2) {
                w.line("without Q♣ Q♠");
            }
        });
        let suits = ["♣", "♦", "♥", "♠"].map(str::to_owned).to_vec();
        let ranks = ["A", "2", "5", "10", "K"].map(str::to_owned).to_vec();
        self.facts.attributes.push(Attribute { name: "suit".to_owned(), values: suits, number: false });
        self.facts.attributes.push(Attribute { name: "rank".to_owned(), values: ranks, number: false });
        let count = self.facts.attributes.len();
        vec![count - 2, count - 1]
    }

    fn own_cards(&mut self, deck: &mut Deck, nth: u32) {
        self.line(format!("deck {}:", deck.name));
        let (value, colour) = if nth == 0 { ("value", "colour") } else { ("weight", "shape") };
        let words = if nth == 0 { ["red", "blue", "green"] } else { ["round", "square", "flat"] };
        let high = 2 + self.below(3);
        self.indent += 1;
        self.line(format!("attribute {value}: 1..{high}"));
        self.line(format!("attribute {colour}: {}", words.join(" ")));
        let all = words.map(str::to_owned).to_vec();
        let numbers = (1..=high).map(|n| n.to_string()).collect();
        self.facts.attributes.push(Attribute { name: value.to_owned(), values: numbers, number: true });
        self.facts.attributes.push(Attribute { name: colour.to_owned(), values: all, number: false });
        let at = self.facts.attributes.len();
        deck.attributes = vec![at - 2, at - 1];
        let copies = self.pick(&["", ", 2 copies", ", value copies"]).replace("value", value);
        self.line(format!("make {value} any, {colour} any{copies}"));
        if self.one_in(3) {
            let name = if nth == 0 { "Jester" } else { "Knave" };
            self.line(format!("make {value} {high}, 2 copies, called \"{name}\""));
            deck.named.push(name.to_owned());
        }
        if self.one_in(3) {
            let name = if nth == 0 { "Joker" } else { "Spy" };
            let when = self.option_of(&Kind::YesNo).filter(|_| self.below(3) == 0);
            let when = when.map(|name| format!(" when {name}")).unwrap_or_default();
            self.line(format!("with 2 {name}{when}"));
            deck.named.push(name.to_owned());
        }
        if self.one_in(8) {
            self.line("copies 2");
        }
        self.indent -= 1;
    }

    pub(super) fn option_of(&mut self, kind: &Kind) -> Option<String> {
        let fitting: Vec<String> =
            self.facts.options.iter().filter(|o| o.kind == *kind && !o.text).map(|o| o.name.clone()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len() as u32) as usize].clone()) }
    }

    /// Decides which state there is. Zones may name state, so this runs before they are written; the state is written after them.
    fn plan_states(&mut self) {
        let mut add = |name: &str, index: Vec<Index>, kind: Kind, sealed: bool| {
            self.facts.states.push(State { name: name.to_owned(), index, kind, sealed });
        };
        add("turn", vec![], Kind::Player, false);
        add("judge", vec![], Kind::Player, false);
        add("flag", vec![], Kind::YesNo, false);
        add("lifted", vec![], Kind::YesNo, false);
        add("total", vec![], Kind::Number, false);
        add("score", vec![Index::Player], Kind::Number, false);
        add("done", vec![Index::Player], Kind::YesNo, false);
        add("tally", vec![Index::Range(3)], Kind::Number, false);
        add("bid", vec![Index::Player], Kind::Number, true);
        add("liar", vec![Index::Player], Kind::YesNo, true);
        add("target", vec![Index::Player], Kind::Player, true);
        let direction = Kind::Choice(["left", "right"].map(str::to_owned).to_vec());
        add("way", vec![], direction, false);
        let attributes = self.facts.decks[0].attributes.clone();
        if let Some(word) = attributes.last() {
            let word = *word;
            let mut add = |name: &str, index: Vec<Index>, kind: Kind, sealed: bool| {
                self.facts.states.push(State { name: name.to_owned(), index, kind, sealed });
            };
            add("trump", vec![], Kind::Value(word), false);
            add("vow", vec![Index::Player], Kind::Value(word), true);
            // The numbers of pack cards have too many values for an index.
            if self.facts.attributes[word].name != "pick" {
                self.facts.states.push(State {
                    name: "taken".to_owned(),
                    index: vec![Index::Value(word)],
                    kind: Kind::Number,
                    sealed: false,
                });
            }
        }
    }

    fn write_states(&mut self) {
        self.line("state");
        self.indent += 1;
        for state in self.facts.states.clone() {
            let index = self.index(&state.index);
            let ty = match &state.kind {
                Kind::Number if self.one_in(6) => "-2..6".to_owned(),
                Kind::Number => "0..9".to_owned(),
                Kind::YesNo => "yes/no".to_owned(),
                Kind::Player => "player".to_owned(),
                Kind::Choice(words) => words.join(" | "),
                Kind::Value(attribute) => self.facts.attributes[*attribute].name.clone(),
                _ => continue,
            };
            let start = match &state.kind {
                Kind::Number if self.one_in(3) => " = 1",
                Kind::YesNo if self.one_in(3) => " = yes",
                _ => "",
            };
            let role = if state.name == "judge" && self.one_in(2) { ", role \"Judge\"" } else { "" };
            let sealed = if state.sealed { ", owner sees" } else { "" };
            self.line(format!("{}{index}: {ty}{start}{sealed}{role}", state.name));
        }
        self.indent -= 1;
    }

    pub(super) fn index(&self, index: &[Index]) -> String {
        let word = |index: &Index| match index {
            Index::Player => "player".to_owned(),
            Index::Range(high) => format!("1..{high}"),
            Index::Value(attribute) => self.facts.attributes[*attribute].name.clone(),
        };
        let words: Vec<String> = index.iter().map(word).collect();
        if words.is_empty() { String::new() } else { format!("[{}]", words.join(", ")) }
    }

    fn dice(&mut self) {
        if !self.one_in(2) {
            return;
        }
        self.line("dice");
        self.indent += 1;
        for (name, index) in
            [("die", vec![]), ("five", vec![Index::Range(3)]), ("cup", vec![Index::Player, Index::Range(2)])]
        {
            if self.one_in(3) {
                continue;
            }
            let owned = index.contains(&Index::Player);
            let sees = match self.below(8) {
                0 | 1 if owned => ", owner sees".to_owned(),
                2 if owned && self.facts.newest_words => ", owner sees, everyone sees when done".to_owned(),
                2 | 3 if owned => ", owner sees, everyone sees when lifted".to_owned(),
                4 => ", judge sees".to_owned(),
                5 => ", nobody sees".to_owned(),
                6 if owned => ", everyone sees, owner sees nothing".to_owned(),
                _ => String::new(),
            };
            let open = sees.is_empty();
            let index_text = self.index(&index);
            if self.facts.newest_words && name == "cup" {
                self.line(format!("{name}{index_text}: faces hit hit miss{sees}"));
                self.facts.words_on_dice = Some(open);
                continue;
            }
            self.line(format!("{name}{index_text}: faces {}{sees}", self.facts_faces()));
            self.facts.dice.push(Dice { name: name.to_owned(), index, open });
        }
        self.indent -= 1;
    }

    fn facts_faces(&self) -> &'static str {
        if self.facts.dice.len().is_multiple_of(2) { "1..4" } else { "1..3" }
    }

    fn defines(&mut self) {
        for _ in 0..self.below(4) {
            let name = self.fresh("def");
            let kind =
                [Kind::Number, Kind::YesNo, Kind::Player, Kind::Card, Kind::Cards][self.below(5) as usize].clone();
            let takes = match self.below(4) {
                0 => Some(Kind::Player),
                1 => Some(Kind::Card),
                2 => Some(Kind::Number),
                _ => None,
            };
            let bound = self.scope.len();
            let brackets = takes.clone().map(|kind| {
                self.bind("given", kind);
                "(given)"
            });
            let secrecy = if self.one_in(2) { Secrecy::Open } else { Secrecy::Any };
            let value = self.known(secrecy, |w| w.value(&kind, 2));
            self.scope.truncate(bound);
            self.line(format!("define {name}{} = {value}", brackets.unwrap_or_default()));
            self.facts.defines.push(Define { name, takes, kind });
        }
    }

    fn rules(&mut self) {
        let focus = u32::from(self.focus == Some(Focus::Rules));
        for nth in 0..focus + self.below(3) / 2 + self.below(2) {
            let name = self.fresh("rule");
            let takes = nth < focus || self.one_in(2);
            self.line(format!("rule {name}({})", if takes { "who" } else { "" }));
            self.context = Context::Hook;
            self.block(|w| {
                if takes {
                    w.bind("who", Kind::Player);
                }
                for _ in 0..1 + w.below(3) {
                    w.step();
                }
            });
            self.context = Context::Main;
            self.facts.rules.push((name, takes));
        }
    }

    fn hooks(&mut self) {
        for event in ["joins", "leaves"] {
            if !self.one_in(4) {
                continue;
            }
            self.line(format!("when one {event}"));
            self.context = Context::Hook;
            self.block(|w| {
                w.bind("one", Kind::Player);
                for _ in 0..1 + w.below(3) {
                    w.step();
                }
            });
            self.context = Context::Main;
        }
    }
}
