//! What the narrator says about each kind of event, to those concerned and to others.
#![allow(clippy::disallowed_types, reason = "tests play tables")]

use baize_engine::definition::TableDefinition;
use baize_engine::input::Input;
use baize_engine::instantiate;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::view::{Answer, Chosen, PartKindView, Piece, View, Viewer};
use baize_narrator::{NarrationKind, Narrator};

const NAMES: [&str; 3] = ["Ann", "Ben", "Cas"];

/// A table of three, and what each viewer saw before the next step.
struct Table {
    live: LiveTable,
    definition: TableDefinition,
    before: Vec<(Viewer, View)>,
}

impl Table {
    /// Seats three players and starts.
    fn start(rules: &str) -> (Self, StepBatches) {
        let (program, problems) = baize_rules::compile(rules);
        let program = program.unwrap_or_else(|| panic!("{problems:?}"));
        let game = instantiate(program.into(), &[], &[], 3).expect("a game");
        let mut live = LiveTable::new(&game, [3; 32]);
        for seat in 0..3 {
            live.input(&Input::Join { seat, person: true }).expect("a seat");
        }
        let mut table = Table { definition: live.definition(), live, before: Vec::new() };
        table.look();
        let batches = table.live.input(&Input::Start).expect("a start");
        (table, batches)
    }

    fn look(&mut self) {
        let viewers = (0..3).map(Viewer::Seat).chain([Viewer::Spectator]);
        self.before = viewers.filter_map(|viewer| Some((viewer, self.live.view(viewer)?.clone()))).collect();
    }

    /// Answers with the first option of each part of an alternative.
    fn answer(&mut self, seat: u8, alternative: u16) -> StepBatches {
        self.look();
        let view = self.live.view(Viewer::Seat(seat)).expect("a view");
        let decision = view.decision.as_ref().expect("a decision");
        let chosen = decision.alternatives.iter().find(|a| a.index == alternative).expect("an alternative");
        let parts = chosen.parts.iter().map(|part| match &part.kind {
            PartKindView::Card { options, .. } => Chosen::Card(options[0]),
            PartKindView::Unseen { .. } => Chosen::Number(0),
            kind => panic!("{kind:?}"),
        });
        let answer = Answer { decision: decision.id, alternative, parts: parts.collect() };
        self.live.answer(seat, &answer).expect("a legal answer")
    }

    /// What a viewer is told about a step.
    fn narrate(&self, batches: &StepBatches, viewer: Viewer) -> Vec<(NarrationKind, String)> {
        let (_, before) = self.before.iter().find(|(known, _)| *known == viewer).expect("a view");
        let batch = batches.of(viewer).expect("a batch");
        let word = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Written(text) => text.clone(),
            Piece::Seat(seat) => NAMES[usize::from(*seat)].to_owned(),
            Piece::Face(face) => self.definition.faces[usize::from(*face)].label.clone(),
        };
        let narrations = Narrator { table: &self.definition }.follow(&mut before.clone(), batch).expect("it fits");
        narrations.iter().map(|n| (n.kind, n.text.0.iter().map(word).collect())).collect()
    }

    fn texts(&self, batches: &StepBatches, viewer: Viewer) -> Vec<String> {
        self.narrate(batches, viewer).into_iter().map(|(_, text)| text).collect()
    }
}

/// A game in which one thing after the other happens. Its zone `bin` has a title that players read.
const RULES: &str = "game \"Words\"\nplayers 3\ndeck cards: standard52\nzones\n  \
    stock: ordered, everyone sees count, starts with cards\n  \
    bin: ordered, everyone sees cards, titled \"Discard pile\"\n  \
    hand[player]: ordered, owner sees cards, others see count\nstate\n  round: 0..9 = 0\n  score[player]: 0..9 = 0\n\
    dice\n  die: faces 1..6, everyone sees\n\
    p := first player\nq := next player after p\nshuffle stock\ndeal stock to hand 3 each from p\n\
    ask p \"Draw\"\n  draw:\n    draw 1 from stock to hand[p]\n\
    ask p \"Take\"\n  take: unseen c from hand[q]\n    move c to hand[p]\n\
    ask p \"Play\"\n  play: card c from hand[p]\n    move c to bin\n    draw 1 from stock to hand[p]\n\
    ask p \"Ready?\"\n  ready\n\
    ask p \"Roll\"\n  roll:\n    roll die\n    score[p] := 3\n    round := round + 1\n\
    end winner p\nshow\n  badge score: score\n";

const YOU: Viewer = Viewer::Seat(0);
const BEN: Viewer = Viewer::Seat(1);

/// The table after some answers, and the batches of the last one.
fn after(answers: usize) -> (Table, StepBatches) {
    let (mut table, mut batches) = Table::start(RULES);
    for _ in 0..answers {
        batches = table.answer(0, 0);
    }
    (table, batches)
}

#[test]
fn a_deal_is_one_sentence() {
    let (table, dealt) = after(0);
    let said = table.texts(&dealt, BEN);
    assert_eq!(said, ["The game begins", "The stock is shuffled", "Everybody gets 3 cards from the stock"]);
}

#[test]
fn a_draw_names_the_stock_and_the_card_to_its_owner_alone() {
    let (table, drawn) = after(1);
    assert_eq!(table.texts(&drawn, BEN), ["Ann draws a card from the stock"]);
    let own = &table.texts(&drawn, YOU)[0];
    assert!(own.starts_with("You draw ") && own.ends_with(" from the stock") && !own.contains("a card"), "{own}");
}

#[test]
fn a_taken_card_is_named_to_those_concerned_alone() {
    let (table, taken) = after(2);
    let (own, ben) = (&table.texts(&taken, YOU)[0], &table.texts(&taken, BEN)[0]);
    assert!(own.starts_with("You take ") && own.ends_with(" from Ben"), "{own}");
    assert!(ben.starts_with("Ann takes ") && ben.ends_with(" from you"), "{ben}");
    assert_ne!(ben, "Ann takes a card from you");
    assert_eq!(table.texts(&taken, Viewer::Seat(2)), ["Ann takes a card from Ben"]);
    assert_eq!(table.texts(&taken, Viewer::Spectator), ["Ann takes a card from Ben"]);
}

#[test]
fn a_played_card_is_named_to_everybody_and_what_the_rules_do_is_told_apart() {
    let (table, played) = after(3);
    let narrations = table.narrate(&played, BEN);
    assert!(
        narrations[0].1.starts_with("Ann plays ") && narrations[0].1.ends_with(" to the discard pile"),
        "{narrations:?}"
    );
    assert_eq!(narrations[0].0, NarrationKind::Move);
    assert_eq!(narrations[1], (NarrationKind::Rules, "Ann gets a card from the stock".to_owned()));
    assert!(table.texts(&played, YOU)[0].starts_with("You play "));
}

#[test]
fn an_answer_without_an_effect_is_told_as_an_answer() {
    let (table, answered) = after(4);
    assert_eq!(table.texts(&answered, BEN), ["Ann has answered"]);
    assert_eq!(table.texts(&answered, YOU), ["You have answered"]);
}

#[test]
fn dice_scores_rounds_and_the_outcome_are_told() {
    let (table, rolled) = after(5);
    let narrations = table.narrate(&rolled, BEN);
    let face = |text: &str| text.strip_prefix("Ann rolls ").and_then(|face| face.parse::<u8>().ok());
    assert!(
        narrations.iter().any(|(kind, text)| *kind == NarrationKind::Move && face(text).is_some()),
        "{narrations:?}"
    );
    assert!(narrations.contains(&(NarrationKind::Round, "Round 1".to_owned())), "{narrations:?}");
    assert!(
        narrations.iter().any(|(kind, text)| *kind == NarrationKind::Score && text == "Score: Ann 3"),
        "{narrations:?}"
    );
    let outcome = |viewer| table.narrate(&rolled, viewer).into_iter().find(|(kind, _)| *kind == NarrationKind::Outcome);
    assert_eq!(outcome(BEN).expect("an end").1, "Ann wins");
    assert_eq!(outcome(YOU).expect("an end").1, "You win");
}

/// Old Maid, for example, passes over players who are absent, at once and without a decision.
const PASSING: &str = "game \"Passing\"\nplayers 3\nabsent skip\ndeck cards: standard52\nzones\n  \
    stock: ordered, everyone sees count, starts with cards\nstate\n  turn: player\n\
    turn := first player\nrepeat 9 times\n  ask turn \"Ready?\"\n    ready\n  turn := next player after turn\nend draw\n";

#[test]
fn a_turn_that_passes_because_its_player_is_absent_is_told_to_everybody() {
    let (mut table, _) = Table::start(PASSING);
    table.live.input(&Input::Absent { seat: 1 }).expect("an absence");
    let answered = table.answer(0, 0);
    let words = " absent: the turn passes on";
    assert_eq!(table.texts(&answered, YOU), ["You have answered".to_owned(), format!("Ben is{words}")]);
    assert_eq!(table.texts(&answered, BEN), ["Ann has answered".to_owned(), format!("You are{words}")]);
    assert!(table.texts(&answered, Viewer::Spectator).contains(&format!("Ben is{words}")));
    // The rules pass over absent players only.
    let answered = table.answer(2, 0);
    assert_eq!(table.texts(&answered, YOU), ["Cas has answered"]);
}

/// In Old Maid, for example, a hand is shuffled before every draw.
const SHUFFLING: &str = "game \"Shuffling\"\nplayers 3\ndeck cards: standard52\nzones\n  \
    stock: ordered, everyone sees count, starts with cards\n  hand[player]: ordered, owner sees cards, others see count\n\
    deal stock to hand 3 each from first player\nask first player \"Ready?\"\n  ready:\n    shuffle hand[first player]\n\
    ask first player \"Ready?\"\n  ready:\n    shuffle stock\nend draw\n";

#[test]
fn the_shuffle_of_a_players_own_cards_is_not_told() {
    let (mut table, _) = Table::start(SHUFFLING);
    let shuffled = table.answer(0, 0);
    assert_eq!(table.texts(&shuffled, YOU), ["You have answered"]);
    assert_eq!(table.texts(&shuffled, BEN), ["Ann has answered"]);
    let shuffled = table.answer(0, 0);
    assert!(table.texts(&shuffled, BEN).contains(&"The stock is shuffled".to_owned()));
}
