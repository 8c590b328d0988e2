//! Writes decisions: who is asked, what may be answered, and what becomes of it.

use super::focus::Focus;
use super::scope::{Index, Kind, Zone};
use super::{Context, Secrecy, Writer};

impl Writer {
    /// Writes a question of a random sort.
    pub(super) fn ask(&mut self) {
        self.asked = true;
        self.no_secret_yet = true;
        let outside = (self.me.clone(), self.context);
        let (head, name) = match self.below(8) {
            0 | 1 if self.context == Context::Main => {
                let name = self.fresh("p");
                let over = self.open(|w| w.of_player(1));
                (format!("ask all {name} over players where {over}"), Some((name, Context::Sealed)))
            }
            2 if self.context == Context::Main => {
                let name = self.fresh("p");
                let over = self.open(|w| w.of_player(1));
                (format!("ask first {name} over players where {over}"), Some((name, Context::Answer)))
            }
            _ => {
                let alone = self.context == Context::Together && self.honest;
                let who = match self.me.clone() {
                    Some(me) if alone || self.below(6) > 0 => me,
                    _ if !self.honest && self.one_in(4) => self.open(|w| w.player(2)),
                    _ if self.honest => self.pick(&["turn", "judge"]).to_owned(),
                    _ => self.pick(&["turn", "turn", "judge", "lead"]).to_owned(),
                };
                self.me = Some(who.clone());
                (format!("ask {who}"), None)
            }
        };
        let bound = self.scope.len();
        let first = head.starts_with("ask first");
        if let Some((name, context)) = name {
            self.bind(&name, Kind::Player);
            self.me = Some(name);
            self.context = context;
        } else if self.context == Context::Main {
            self.context = Context::Answer;
        }
        let prompt = if self.one_in(6) { String::new() } else { format!(" {}", self.text(Secrecy::Mine)) };
        self.line(format!("{head}{prompt}"));
        self.indent += 1;
        let mut names = Vec::new();
        let count = 1 + self.below(3);
        for _ in 0..count {
            names.push(self.alternative(false));
        }
        if self.honest || self.one_in(2) {
            let when = if !self.honest && self.one_in(4) { " if none" } else { "" };
            self.line(format!("pass \"Not now\"{when}"));
            names.push(("pass".to_owned(), false));
        } else if first || self.one_in(8) {
            let label = self.text(Secrecy::Mine);
            self.line(format!("leave {label}"));
            names.push(("leave".to_owned(), false));
        }
        if !first || !self.honest {
            self.clauses(&names);
        }
        self.indent -= 1;
        self.scope.truncate(bound);
        (self.me, self.context) = outside;
    }

    /// Writes one alternative. Returns its name, and whether the player picks a card first.
    fn alternative(&mut self, only: bool) -> (String, bool) {
        self.no_secret_yet = true;
        let name = self.fresh("act");
        let label = if self.one_in(4) { format!(" {}", self.text(Secrecy::Mine)) } else { String::new() };
        let bound = self.scope.len();
        let mut parts = Vec::new();
        for _ in 0..[0, 1, 1, 1, 1, 2][self.below(6) as usize] {
            parts.push(self.part());
        }
        // The back that one part picks and the card that another part picks may be the same card.
        if parts.iter().any(|part| part.starts_with("unseen ")) {
            parts.truncate(1);
            self.scope.truncate(bound + 1);
        }
        let picks_card = parts.first().is_some_and(|part| part.starts_with("card "));
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        let when = if self.one_in(4) { format!(" when {}", self.mine(|w| w.yes_no(2))) } else { String::new() };
        let if_none = if only || self.one_in(12) { " if none" } else { "" };
        self.line(format!("{name}{label}{parts}{when}{if_none}"));
        self.indent += 1;
        for _ in 0..self.below(5) / 3 {
            let test = self.mine(|w| w.yes_no(2));
            let able = if self.one_in(4) { "" } else { " if able" };
            let when = if self.one_in(4) { format!(" when {}", self.mine(|w| w.yes_no(1))) } else { String::new() };
            let reason = self.text(Secrecy::Mine);
            self.line(format!("must {test}{able}{when}, else {reason}"));
        }
        self.blocks += 1;
        for _ in 0..self.below(4) {
            self.use_answer(bound);
        }
        self.blocks -= 1;
        self.indent -= 1;
        self.scope.truncate(bound);
        (name, picks_card)
    }

    /// Writes a step that uses what the player picked. Writes any other step if the player picked nothing.
    fn use_answer(&mut self, bound: usize) {
        let picked = self.scope.get(bound).cloned();
        // An answer inside a `together` belongs to its player, so an honest file writes it to that player's state.
        let own = self.context == Context::Together && self.honest;
        let Some(picked) = picked.filter(|_| self.chance_of_use()) else { return self.step() };
        match picked.kind {
            Kind::Card | Kind::Cards => {
                let to = self.target();
                let down = if self.one_in(8) { " face down" } else { "" };
                self.line(format!("move {} to {to}{down}", picked.name));
            }
            Kind::Number => {
                let state = if own || self.one_in(2) {
                    format!("bid[{}]", self.me.clone().unwrap_or_default())
                } else {
                    "total".to_owned()
                };
                self.line(format!("{state} := {}", picked.name));
            }
            Kind::YesNo => {
                let state = if own || self.one_in(2) {
                    format!("liar[{}]", self.me.clone().unwrap_or_default())
                } else {
                    "flag".to_owned()
                };
                self.line(format!("{state} := {}", picked.name));
            }
            Kind::Player => {
                let state = if own || self.one_in(2) {
                    format!("target[{}]", self.me.clone().unwrap_or_default())
                } else {
                    "judge".to_owned()
                };
                self.line(format!("{state} := {}", picked.name));
            }
            // The states hold values of the last attribute of the first deck.
            Kind::Value(at) if self.facts.decks[0].attributes.last() != Some(&at) => self.step(),
            Kind::Value(_) => {
                let state = if own || self.one_in(2) {
                    format!("vow[{}]", self.me.clone().unwrap_or_default())
                } else {
                    "trump".to_owned()
                };
                self.line(format!("{state} := {}", picked.name));
            }
            Kind::Choice(_) if own => self.step(),
            Kind::Choice(_) => self.line(format!("way := {}", picked.name)),
            Kind::Text => {
                let card = if self.below(3) > 0 { self.page() } else { self.any(|w| w.card(1)) };
                self.line(format!("write {} on {card}", picked.name));
                if self.favours(Focus::Writing) {
                    let (to, down) = (self.seen_zone(), self.pick(&["", " face down"]));
                    self.line(format!("move {card} to {to}{down}"));
                }
            }
            Kind::Dice(_) => {
                if self.one_in(2) {
                    self.line(format!("if count of {} > 1", picked.name));
                    self.block(|w| w.line("announce \"several\""));
                }
                self.line(format!("roll {}", picked.name));
            }
        }
    }

    fn chance_of_use(&mut self) -> bool {
        self.below(3) > 0
    }

    /// Returns one part of an alternative, and binds its name for what follows.
    fn part(&mut self) -> String {
        let name = self.fresh("x");
        let focus = if self.one_in(2) { self.focus } else { None };
        let sort = match focus {
            Some(Focus::Sets) => 8,
            Some(Focus::Writing) => 17,
            _ => self.below(19),
        };
        let (text, kind) = match sort {
            // Both parts pick from the same cards, so an answer must name different cards.
            0 => {
                let (other, from) = (self.fresh("x"), self.mine(|w| w.bracketed_cards(1)));
                let several = self.pick(&["card", "2 cards", "0..2 cards"]);
                match self.one_in(2) {
                    true => (format!("{several} {other} from {from}, card {name} from {from}"), Kind::Card),
                    false => (format!("card {other} from {from}, 1..2 cards {name} from {from}"), Kind::Cards),
                }
            }
            1..=4 => (format!("card {name} from {}", self.mine(|w| w.bracketed_cards(1))), Kind::Card),
            5 | 6 => {
                let zone = self.any(|w| w.some_zone(|zone| zone.ordered)).unwrap_or_else(|| "stock".to_owned());
                (format!("unseen {name} from {zone}"), Kind::Card)
            }
            7 => {
                let count = self.pick(&["2", "1..2", "0..3"]);
                let order = self.pick(&["", " in order"]);
                (format!("{count} cards {name} from {}{order}", self.mine(|w| w.bracketed_cards(1))), Kind::Cards)
            }
            8 => {
                let number = self.one_in(2);
                let (at, word) = self.attribute(number).unwrap_or_else(|| (0, "value".to_owned()));
                let wild = if self.favours(Focus::Sets) || self.one_in(3) {
                    let secret = self.mischief > 0 && self.one_in(3);
                    let test = if secret { self.hidden_test() } else { self.mine(|w| w.of_card(0)) };
                    format!(", wild {test}")
                } else {
                    String::new()
                };
                let alone = !wild.is_empty() && self.one_in(2);
                let value = |w: &mut Self| if number { w.number(1) } else { w.word(at, 1) };
                let secret = number && self.mischief > 0 && self.one_in(3);
                let value = if secret { self.hidden_number() } else { self.mine(value) };
                let alone = if alone { format!(" alone {value}") } else { String::new() };
                let wild = format!("{wild}{alone}");
                let size = self.pick(&["", ", size 2", ", size 1..3"]);
                (format!("set {name} from {} alike in {word}{wild}{size}", self.mine(|w| w.zone_cards(0))), Kind::Cards)
            }
            9 => {
                let word = self.attribute(true).map_or("rank".to_owned(), |(_, name)| name);
                let within = match self.attribute(false) {
                    Some((_, name)) if self.one_in(2) => format!(" within {name}"),
                    _ => String::new(),
                };
                (
                    format!("run {name} from {} in {word}{within}, size 2..3", self.mine(|w| w.zone_cards(0))),
                    Kind::Cards,
                )
            }
            10 | 11 => {
                let high = if self.one_in(2) { "4".to_owned() } else { self.mine(|w| w.number(2)) };
                (format!("number {name} from 0..{high}"), Kind::Number)
            }
            12 => {
                let zones: Vec<Zone> = self.facts.zones.iter().filter(|z| z.index.len() == 1).cloned().collect();
                let zone = &zones[self.below(zones.len() as u32) as usize];
                let kind = match &zone.index[0] {
                    Index::Player => Kind::Player,
                    Index::Range(_) => Kind::Number,
                    Index::Value(attribute) => Kind::Value(*attribute),
                };
                (format!("pile {name} from {}", zone.name), kind)
            }
            13 if self.one_in(3) => {
                (format!("player {name} from (players where {})", self.mine(|w| w.of_player(1))), Kind::Player)
            }
            13 => (format!("player {name} from players"), Kind::Player),
            14 => match self.attribute(false) {
                Some((at, word)) => (format!("value {name} from {word}"), Kind::Value(at)),
                None => (format!("yesno {name}"), Kind::YesNo),
            },
            15 => (
                format!("choice {name} from left | right"),
                Kind::Choice(["left", "right"].map(str::to_owned).to_vec()),
            ),
            16 => (format!("yesno {name}"), Kind::YesNo),
            17 if self.facts.decks.iter().any(|deck| deck.packs) || self.one_in(4) => {
                (format!("text {name} at most 20 letters"), Kind::Text)
            }
            _ if self.facts.dice.iter().any(|dice| !dice.index.is_empty()) => {
                let several: Vec<usize> =
                    (0..self.facts.dice.len()).filter(|at| !self.facts.dice[*at].index.is_empty()).collect();
                let at = several[self.below(several.len() as u32) as usize];
                (format!("dice {name} from {}", self.facts.dice[at].name), Kind::Dice(at))
            }
            _ => (format!("yesno {name}"), Kind::YesNo),
        };
        self.bind(&name, kind.clone());
        let filter = match kind {
            Kind::Card if !text.starts_with("unseen") && self.one_in(4) => {
                format!(" where {}", self.mine(|w| w.of_card(1)))
            }
            Kind::Player if self.one_in(3) => format!(" where {}", self.mine(|w| w.of_player(1))),
            Kind::Number | Kind::Cards | Kind::Value(_) | Kind::YesNo | Kind::Dice(_) if self.one_in(5) => {
                format!(" where {}", self.mine(|w| w.yes_no(1)))
            }
            _ => String::new(),
        };
        format!("{text}{filter}")
    }

    /// Writes the clauses that say what happens if no answer comes.
    fn clauses(&mut self, names: &[(String, bool)]) {
        if self.one_in(2) {
            let (name, picks_card) = names[self.below(names.len() as u32) as usize].clone();
            let number = self.one_in(2);
            let sort = if picks_card || !self.honest { self.below(4) } else { 3 };
            let pick = match (sort, self.attribute(number)) {
                (0, Some((_, word))) => format!(" lowest {word}"),
                (1, Some((_, word))) => format!(" highest {word}"),
                (2, _) => " random".to_owned(),
                _ => " first".to_owned(),
            };
            let pick = if self.one_in(3) { String::new() } else { pick };
            self.line(format!("default {name}{pick}"));
        }
        if self.one_in(4) {
            let seconds = if self.one_in(2) { "20".to_owned() } else { format!("({})", self.open(|w| w.number(1))) };
            let seconds = if self.one_in(2) { "20".to_owned() } else { seconds };
            match self.pick(&["default", "skip", "pause", ""]) {
                "" => {
                    self.line(format!("within {seconds} seconds"));
                    self.block(|w| w.step());
                }
                then => self.line(format!("within {seconds} seconds {then}")),
            }
        }
        match self.below(8) {
            0 | 1 => {
                let absent = self.pick(&["wait", "skip", "default"]);
                self.line(format!("absent {absent}"));
            }
            2 => {
                self.line("absent 30 seconds");
                self.block(|w| w.step());
            }
            _ => {}
        }
        if self.one_in(5) {
            let gone = self.pick(&["default", "skip"]);
            self.line(format!("gone {gone}"));
        }
        if self.one_in(6) {
            let test = self.open(|w| w.yes_no(1));
            self.line(format!("drop when {test}"));
        }
    }

    pub(super) fn together(&mut self) {
        self.asked = true;
        let name = self.fresh("p");
        let over = self.open(|w| w.of_player(1));
        self.line(format!("together {name} over players where {over}"));
        let outside = (self.me.replace(name.clone()), self.context);
        self.context = Context::Together;
        let loops = std::mem::take(&mut self.loops);
        self.block(|w| {
            w.bind(&name, Kind::Player);
            w.blocks += 1;
            if w.one_in(3) {
                w.step();
            }
            w.ask();
            if w.one_in(2) {
                w.step();
            }
            if w.one_in(2) {
                let test = w.mine(|w| w.yes_no(2));
                w.line(format!("if {test}"));
                w.block(|w| w.ask());
            }
            w.blocks -= 1;
            if w.one_in(3) {
                let then = w.pick(&["default", "skip"]);
                w.line(format!("within 20 seconds {then}"));
            }
        });
        self.loops = loops;
        (self.me, self.context) = outside;
    }
}
