//! Writes short games in which somebody learns a card, something happens to the card or to that player, and then the card is
//! told.
//!
//! Random steps seldom do all three with the same card. A plot does, in every combination: who picks the card and how; what
//! happens next, and where the file says so (in place, in a rule, a branch, a loop, a hook, an answer of `ask all`); to whom the
//! card is told, and how. The checker has to find out which of these games tell somebody too much.

mod answers;
mod backs;
mod budgets;
mod crowded;
mod deck;
mod declare;
mod kept;
mod newcomers;
mod other_cards;
mod picked;
mod places;
mod roles;
mod seers;
mod together;
mod wild_sets;
mod writing;

use super::Writer;

/// Steps that deal all cards anew and show them without saying whose they were.
fn mixing() -> Vec<String> {
    let lines =
        ["gather cards to stock", "shuffle stock", "deal stock to hand from first player", "mix hand into shown"];
    lines.map(str::to_owned).to_vec()
}

/// The card or the cards that a player picks in a plot.
struct Picked {
    /// The name of the card or of the cards.
    name: String,
    /// The player who picked it.
    who: String,
    several: bool,
}

/// What a plot is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlotKind {
    /// A player picks a card, and the steps of the answer tell it to somebody.
    PickedCard,
    /// A player picks a card, and later the player with a role is told it.
    Role,
    /// Two names mean different players at first and the same player later.
    Apart,
    /// A variable keeps a card.
    KeptCard,
    /// The faces of one zone's cards decide which cards of another zone move.
    OtherCards,
    /// A newcomer sits down in the seat of a player who has left.
    Newcomers,
    /// The lead passes to another player.
    Lead,
    /// Steps name cards by their deck, or count hidden cards.
    Deck,
    /// An answer inside `together` decides what others see happen.
    Together,
    /// The engine carries out the answers of an `ask all` one after another.
    AnswersInTurn,
    /// What a player holds makes one of the answers impossible.
    ForcedAnswers,
    /// A loop lays cards in places, some of which do not exist.
    PlacesInALoop,
    /// Cards move to zones that hold only so many.
    FullZones,
    /// Cards lie face down where everybody sees them.
    Backs,
    /// Players write on cards.
    Writing,
    /// The rules change who sees a zone.
    Seers,
    /// A zone has no room for the cards that a player lays there.
    CrowdedZones,
    /// A condition takes long to work out, and may use up the budget.
    Budgets,
    /// A set of cards has wild ones among them.
    WildSets,
}

/// How often the generator writes each kind of plot.
const PLOT_KINDS: [(PlotKind, u32); 19] = [
    (PlotKind::PickedCard, 3),
    (PlotKind::Role, 3),
    (PlotKind::Apart, 3),
    (PlotKind::KeptCard, 3),
    (PlotKind::OtherCards, 3),
    (PlotKind::Newcomers, 3),
    (PlotKind::Lead, 1),
    (PlotKind::Deck, 4),
    (PlotKind::Together, 2),
    (PlotKind::AnswersInTurn, 2),
    (PlotKind::ForcedAnswers, 1),
    (PlotKind::PlacesInALoop, 1),
    (PlotKind::FullZones, 1),
    (PlotKind::Backs, 1),
    (PlotKind::Writing, 2),
    (PlotKind::Seers, 1),
    (PlotKind::CrowdedZones, 2),
    (PlotKind::Budgets, 2),
    (PlotKind::WildSets, 2),
];

impl Writer {
    /// Writes a whole file that is a plot.
    pub(super) fn plot(&mut self) {
        let kind = self.plot_kind();
        self.plot_declarations(kind);
        // The change that this kind of plot is about most often.
        let effect = match kind {
            PlotKind::KeptCard if self.below(4) > 0 => mixing(),
            PlotKind::Newcomers if self.below(4) > 0 => vec!["admit".to_owned()],
            _ => self.effect(),
        };
        let hook = match kind {
            PlotKind::Role | PlotKind::Apart => Some(("leaves", self.role_hook())),
            PlotKind::KeptCard if self.one_in(3) => {
                Some(("leaves", vec!["for each in players".to_owned(), "  move hand[each] to shown[1]".to_owned()]))
            }
            PlotKind::Newcomers => self.newcomers_hook(),
            _ if self.one_in(4) => Some(self.any_hook()),
            _ => None,
        };
        self.rules_of_plot(&effect);
        self.reminding_rule(kind, &effect);
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
        // The laws compare tables from the first question on, so they miss a leak before it.
        if kind == PlotKind::Apart || self.one_in(2) {
            self.wait();
        }
        match kind {
            PlotKind::PickedCard => self.tell_in_the_answer(&effect),
            PlotKind::Role => self.tell_a_role(&effect),
            PlotKind::Apart => self.tell_players_apart(),
            PlotKind::KeptCard => self.tell_of_a_kept_card(&effect),
            PlotKind::OtherCards => self.moved_by_other_cards(),
            PlotKind::Newcomers => self.tell_a_newcomer(&effect),
            PlotKind::Lead => self.tell_the_lead(),
            PlotKind::Deck => self.tell_of_the_deck(&effect),
            PlotKind::Together => self.answer_inside_together(),
            PlotKind::AnswersInTurn => self.answers_in_turn(&effect),
            PlotKind::ForcedAnswers => self.forced_answers(),
            PlotKind::PlacesInALoop => self.places_in_a_loop(),
            PlotKind::FullZones => self.full_zones(),
            PlotKind::Backs => self.backs_in_sight(),
            PlotKind::Writing => {
                self.written_on();
                self.tell_what_is_written();
            }
            PlotKind::Seers => self.change_who_sees_a_zone(&effect),
            PlotKind::CrowdedZones => self.tell_of_a_crowded_zone(),
            PlotKind::Budgets => self.tell_by_the_budget(),
            PlotKind::WildSets => self.tell_by_wild_cards(),
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

    fn plot_kind(&mut self) -> PlotKind {
        let mut left = self.below(PLOT_KINDS.iter().map(|(_, weight)| weight).sum());
        for (kind, weight) in PLOT_KINDS {
            if left < weight {
                return kind;
            }
            left -= weight;
        }
        PlotKind::WildSets
    }

    fn indented(&mut self, lines: &[String]) {
        self.indent += 1;
        for line in lines {
            self.line(line);
        }
        self.indent -= 1;
    }

    /// Returns the event and the steps of a hook that hands a role on, moves cards, or does something else.
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

    /// Returns steps that change who knows a card, where it lies, or who brought it.
    fn effect(&mut self) -> Vec<String> {
        let role = self.pick(&["turn", "judge", "turn"]);
        match self.below(12) {
            0..=2 => vec![format!("{role} := next player after {role}")],
            3 => mixing(),
            4 => vec!["mix hand into shown".to_owned()],
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

    /// Writes a question in which somebody picks a card; `body` writes the steps below the answer.
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
        } else if self.one_in(3) {
            self.line("gone default");
        }
        self.indent -= if circle { 2 } else { 1 };
    }

    /// Half of the time, puts what follows into a loop, so that somebody leaves at the right moment or a zone becomes full. Returns whether
    /// it did.
    fn begin_repeat(&mut self) -> bool {
        let repeated = self.one_in(2);
        if repeated {
            self.line("repeat 6 times");
            self.indent += 1;
        }
        repeated
    }
}
