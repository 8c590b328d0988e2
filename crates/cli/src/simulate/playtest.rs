//! Figures about many games for their designer: lengths of turns, changes of the leading player, worth of each card and choice.

use baize_bots::Valuation;
use baize_engine::cardset::CardSet;
use baize_engine::chance::Chance;
use baize_engine::definition::TableDefinition;
use baize_engine::frame::{Ended, Frame, OutcomeKind, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Instance;
use baize_engine::instance::question::{LoweredPart, LoweredPartKind, Offer};
use baize_engine::legal::{Candidates, Legal, Moves};
use baize_engine::moves::{Move, PartValue};
use baize_engine::sink::NullSink;
use baize_engine::view::FaceId;
use baize_rules::program::AskId;
use baize_terminal::Terminal;
use std::collections::{BTreeMap, BTreeSet};

/// At how many moments of each game the report determines the leader.
pub const MOMENTS: usize = 9;

/// The number of occurrences of each value.
pub type Histogram = BTreeMap<u32, u64>;

/// The figures about many games.
#[derive(Default)]
pub struct Playtest {
    pub games: u64,
    /// Lengths of turns. A turn is the decisions that one player makes before another player decides.
    pub turns: Histogram,
    /// How many answers a decision had. If there was one, the player had no choice.
    pub answers: Histogram,
    pub questions: BTreeMap<AskId, QuestionStats>,
    pub cards: BTreeMap<FaceId, CardStats>,
    /// How often the leading player changed in a game.
    pub leader_changes: Histogram,
    /// At each tenth of a game: how often exactly one player was ahead, and how often that player came out best.
    pub ahead: [Ratio; MOMENTS],
    /// The number of seats over all games, and how many of them came out best.
    pub seats: Ratio,
    /// The number of games in which all won or lost together.
    pub shared: u64,
}

/// A number of cases out of all cases.
#[derive(Clone, Copy, Default)]
pub struct Ratio {
    pub of: u64,
    pub n: u64,
}

impl Ratio {
    fn add(&mut self, counts: bool) {
        self.of += 1;
        self.n += u64::from(counts);
    }

    fn join(&mut self, other: Ratio) {
        self.of += other.of;
        self.n += other.n;
    }

    pub fn value(self) -> f64 {
        self.n as f64 / (self.of as f64).max(1.0)
    }
}

/// The figures about a question of the rules.
#[derive(Default)]
pub struct QuestionStats {
    /// The prompt of the first time that the rules asked the question.
    pub prompt: String,
    pub asked: u64,
    pub forced: u64,
    pub alternatives: BTreeMap<u16, AlternativeStats>,
}

#[derive(Default)]
pub struct AlternativeStats {
    pub name: String,
    /// How often it was legal, and how often a player chose it.
    pub chosen: Ratio,
    /// Of the players who chose it in a game, how many came out best.
    pub best: Ratio,
}

/// The figures about a card that players chose.
#[derive(Default)]
pub struct CardStats {
    pub label: String,
    pub times: u64,
    /// In how many decisions it was legal, and in how many a player chose it.
    pub chosen: Ratio,
    /// Of the players who chose it in a game, how many came out best.
    pub best: Ratio,
}

/// Everything needed to play a game again.
#[derive(Default)]
pub struct GameMoves {
    /// Whether people sat in the seats, or bots.
    pub people: bool,
    pub moves: Vec<(u8, Move)>,
}

/// Facts that are the same for all games of a run.
pub struct GameContext<'a> {
    pub table: &'a TableDefinition,
    pub valuation: &'a Valuation,
}

/// The inputs that fill all seats and start the game.
pub fn opening(seats: usize, people: bool) -> impl Iterator<Item = Input> {
    let joins = (0..seats as u8).map(move |seat| Input::Join { seat, person: people });
    joins.chain([Input::Lead { seat: Some(0) }, Input::Start])
}

/// The figures about one game, which [`Playtest::look`] collects while it replays the game.
#[derive(Default)]
struct GameFigures {
    /// The seat that decided last, and how often in a row.
    turn: Option<(u8, u32)>,
    /// The leader after each decision. None if several are equally far ahead.
    leaders: Vec<Option<u8>>,
    chosen: BTreeSet<(u8, AskId, u16)>,
    played: BTreeSet<(u8, FaceId)>,
}

impl Playtest {
    /// Replays a game with the same shuffles, and adds its figures.
    pub fn look<S: CardSet>(
        &mut self,
        instance: &Instance<S>,
        chance: &mut impl Chance,
        game: &GameMoves,
        about: &GameContext,
    ) {
        let mut frame = instance.frame();
        let sink = &mut NullSink;
        for input in opening(instance.seats, game.people) {
            if instance.input(&mut frame, &input, chance, sink).is_err() {
                return;
            }
        }
        let mut watch = GameFigures::default();
        for (seat, answer) in &game.moves {
            watch.leaders.push(leader(instance, &frame, about.valuation));
            self.answer(&mut watch, instance, &frame, about.table, *seat, answer);
            watch.turn = match watch.turn {
                Some((last, n)) if last == *seat => Some((last, n + 1)),
                last => {
                    self.end_turn(last);
                    Some((*seat, 1))
                }
            };
            instance.play_unchecked(&mut frame, *seat, answer, chance, sink);
        }
        if let Some(ended) = &frame.outcome {
            self.end(watch, ended);
        }
    }

    fn end_turn(&mut self, turn: Option<(u8, u32)>) {
        if let Some((_, n)) = turn {
            *self.turns.entry(n).or_default() += 1;
        }
    }

    fn answer<S: CardSet>(
        &mut self,
        watch: &mut GameFigures,
        instance: &Instance<S>,
        frame: &Frame<S>,
        table: &TableDefinition,
        seat: u8,
        answer: &Move,
    ) {
        let Some(legal) = instance.legal(frame, seat) else { return };
        let count = u32::try_from(legal.count()).unwrap_or(u32::MAX);
        *self.answers.entry(count).or_default() += 1;
        let asked = &instance.code.questions[usize::from(legal.ask)];
        let question = self.questions.entry(legal.ask).or_insert_with(|| {
            let prompt = asked.prompt.as_ref().map(|prompt| instance.write_text(frame, prompt, i32::from(seat), &[]));
            let terminal = Terminal { table, names: &[], you: None };
            QuestionStats {
                prompt: prompt.map(|line| terminal.line(&line)).unwrap_or_default(),
                ..QuestionStats::default()
            }
        });
        question.asked += 1;
        question.forced += u64::from(count == 1);
        let offers = &asked.offers;
        for offer in &legal.offers {
            let name = || offers.get(usize::from(offer.alternative)).map_or("go on", |o| &o.name).to_owned();
            let alternative = question
                .alternatives
                .entry(offer.alternative)
                .or_insert_with(|| AlternativeStats { name: name(), ..AlternativeStats::default() });
            // A decision with one legal answer says nothing about what players prefer.
            if count > 1 {
                alternative.chosen.add(offer.alternative == answer.alternative);
            }
        }
        if count > 1 {
            watch.chosen.insert((seat, legal.ask, answer.alternative));
        }
        let mut faces = BTreeSet::new();
        let offer = offers.get(usize::from(answer.alternative));
        for card in offer.map(|offer| cards_of(offer, &answer.parts)).unwrap_or_default() {
            let face = instance.face(card);
            self.card(table, face).times += 1;
            faces.insert(face);
            watch.played.insert((seat, face));
        }
        if count > 1 {
            for face in candidates(instance, offers, &legal) {
                self.card(table, face).chosen.add(faces.contains(&face));
            }
        }
    }

    fn card(&mut self, table: &TableDefinition, face: FaceId) -> &mut CardStats {
        self.cards.entry(face).or_insert_with(|| CardStats {
            label: table.faces.get(usize::from(face)).map_or("?", |face| &face.label).to_owned(),
            ..CardStats::default()
        })
    }

    /// Adds the figures of a finished game.
    fn end(&mut self, watch: GameFigures, ended: &Ended) {
        self.games += 1;
        self.end_turn(watch.turn);
        use OutcomeKind::{EveryoneLoses, EveryoneScores, EveryoneWins};
        if matches!(ended.kind, EveryoneWins | EveryoneLoses | EveryoneScores) {
            self.shared += 1;
        }
        let best = |seat: u8| ended.ranks[usize::from(seat)] == 1;
        for seat in (0u8..).zip(ended.ranks).filter(|(_, rank)| *rank > 0).map(|(seat, _)| seat) {
            self.seats.add(best(seat));
        }
        let mut changes = 0;
        let mut last = None;
        for leader in watch.leaders.iter().flatten() {
            changes += u32::from(last.is_some_and(|last| last != *leader));
            last = Some(*leader);
        }
        *self.leader_changes.entry(changes).or_default() += 1;
        for (moment, share) in self.ahead.iter_mut().enumerate() {
            let at = watch.leaders.len() * (moment + 1) / (MOMENTS + 1);
            if let Some(Some(leader)) = watch.leaders.get(at) {
                share.add(best(*leader));
            }
        }
        for (seat, ask, alternative) in watch.chosen {
            if let Some(found) = self.questions.get_mut(&ask).and_then(|q| q.alternatives.get_mut(&alternative)) {
                found.best.add(best(seat));
            }
        }
        for (seat, face) in watch.played {
            if let Some(played) = self.cards.get_mut(&face) {
                played.best.add(best(seat));
            }
        }
    }

    /// Adds the figures of another thread.
    pub fn join(&mut self, other: Playtest) {
        self.games += other.games;
        self.shared += other.shared;
        self.seats.join(other.seats);
        for (into, from) in [
            (&mut self.turns, other.turns),
            (&mut self.answers, other.answers),
            (&mut self.leader_changes, other.leader_changes),
        ] {
            from.into_iter().for_each(|(key, n)| *into.entry(key).or_default() += n);
        }
        self.ahead.iter_mut().zip(other.ahead).for_each(|(into, from)| into.join(from));
        for (ask, from) in other.questions {
            let into = self.questions.entry(ask).or_default();
            into.asked += from.asked;
            into.forced += from.forced;
            if into.prompt.is_empty() {
                into.prompt = from.prompt;
            }
            for (at, from) in from.alternatives {
                let into = into.alternatives.entry(at).or_default();
                into.name = from.name;
                into.chosen.join(from.chosen);
                into.best.join(from.best);
            }
        }
        for (face, from) in other.cards {
            let into = self.cards.entry(face).or_default();
            into.label = from.label;
            into.times += from.times;
            into.chosen.join(from.chosen);
            into.best.join(from.best);
        }
    }
}

/// The cards of an answer.
fn cards_of<S>(offer: &Offer<S>, parts: &[PartValue]) -> Vec<u16> {
    let cards = |(lowered, part): (&LoweredPart<S>, &PartValue)| match (&lowered.kind, part) {
        (LoweredPartKind::Card(_), PartValue::Number(card)) => vec![*card as u16],
        (_, PartValue::Cards(cards)) => cards.to_vec(),
        _ => Vec::new(),
    };
    offer.parts.iter().zip(parts).flat_map(cards).collect()
}

/// The faces of all cards that are legal to choose.
fn candidates<S: CardSet>(instance: &Instance<S>, offers: &[Offer<S>], legal: &Legal<S>) -> BTreeSet<FaceId> {
    let mut cards = S::empty();
    for open in &legal.offers {
        match &open.moves {
            Moves::Plain => {}
            Moves::Card(set) => cards = cards.or(set),
            Moves::Product(parts) => {
                for part in parts {
                    match part {
                        Candidates::Cards(set) | Candidates::Picks { from: set, .. } => cards = cards.or(set),
                        Candidates::Sets(sets) => sets.iter().flatten().for_each(|card| cards.insert(*card)),
                        _ => {}
                    }
                }
            }
            Moves::List(list) => {
                let Some(offer) = offers.get(usize::from(open.alternative)) else { continue };
                list.iter().flat_map(|parts| cards_of(offer, parts)).for_each(|card| cards.insert(card));
            }
        }
    }
    cards.iter().map(|card| instance.face(card)).collect()
}

/// The seat with the best position by the bots' valuation. None if several are equal.
fn leader<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>, valuation: &Valuation) -> Option<u8> {
    let rewards = valuation.rewards(instance, frame);
    let of = |seat: u8| rewards[usize::from(seat)];
    let best = seats_of(frame.playing).max_by(|a, b| of(*a).total_cmp(&of(*b)))?;
    let alone = seats_of(frame.playing).filter(|seat| of(*seat) + 1e-4 >= of(best)).count() == 1;
    alone.then_some(best)
}
