//! Answers and inputs at a table, which any client with a seat may send.

use super::tables::{fuzz_game, game_count, play_random_move};
use crate::mutate::Generator;
use crate::target::{Execution, FuzzTarget};
use baize_engine::input::Input;
use baize_engine::laws;
use baize_engine::live::LiveTable;
use baize_engine::view::{Answer, Chosen, Viewer};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "moves",
    law: "A refused answer or input changes nothing, and an accepted one gives every viewer a batch that leads to its next view.",
    run,
    seeds,
    words: &["\0", "\u{1}", "\u{2}", "\u{7f}"],
    longest: 160,
    tests: 3_000,
};

/// Upper bound on the steps that one input makes.
const STEPS: usize = 24;

/// Reads choices from the input. After its end it reads zeros.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, n: u8) -> u8 {
        self.byte() % n.max(1)
    }

    /// Returns a number that is mostly small, sometimes the smallest or the largest.
    fn number(&mut self) -> i32 {
        match self.byte() {
            small @ ..200 => i32::from(small) - 4,
            200..210 => i32::MAX,
            210..220 => i32::MIN,
            other => (i32::from(other) << 8) | i32::from(self.byte()),
        }
    }

    fn text(&mut self) -> String {
        let length = [0, 1, 20, 5000][usize::from(self.below(4))];
        ["a", "\u{202e}", "é", "\0"][usize::from(self.below(4))].repeat(length)
    }
}

fn run(bytes: &[u8]) -> Execution {
    let mut choices = Choices(bytes);
    let game = choices.byte();
    let prepared = fuzz_game(game);
    let mut table = prepared.start_and_play(choices.byte() % 4, usize::from(choices.below(12)));
    let mut views = laws::views(&table);
    let (mut taken, mut refusals) = (0, std::collections::BTreeSet::new());
    for _ in 0..STEPS {
        if choices.0.is_empty() {
            break;
        }
        let before = saved(&table);
        let seat = choices.below(prepared.seats + 1);
        let batches = match choices.below(8) {
            0..=2 => table.answer(seat, &answer(&mut choices, &table, seat)),
            3 | 4 => table.input(&input(&mut choices, &table, seat)),
            _ => {
                let mut copy = table.clone();
                play_random_move(&mut copy, &mut Generator::new(u64::from(choices.byte())));
                table = copy;
                views = laws::views(&table);
                continue;
            }
        };
        match batches {
            Ok(batches) => {
                taken += 1;
                laws::batches_lead_to_views(&mut views, &batches, &table).unwrap_or_else(|wrong| panic!("{wrong}"));
            }
            Err(refusal) => {
                refusals.insert(refusal.code());
                assert!(!refusal.in_words().is_empty(), "{refusal:?} says nothing");
                assert!(saved(&table) == before, "{refusal:?} changed the table");
            }
        }
    }
    match taken {
        0 => Execution::refused((game % game_count(), refusals)),
        _ => Execution::accepted((game % game_count(), refusals, taken.min(4))),
    }
}

/// Returns the whole saved state of a table, for comparison.
fn saved(table: &LiveTable) -> String {
    format!("{:?}", table.save())
}

/// Makes an answer that may or may not fit the seat's decision.
fn answer(choices: &mut Choices, table: &LiveTable, seat: u8) -> Answer {
    let view = table.view(Viewer::Seat(seat));
    let open = view.and_then(|view| view.decision.as_ref()).map_or(1, |decision| decision.id);
    let decision = match choices.below(4) {
        0 => choices.number() as u32,
        _ => open,
    };
    let alternative = match choices.below(8) {
        0 => u16::MAX,
        other => u16::from(other % 4),
    };
    let parts = (0..choices.below(4)).map(|_| match choices.below(5) {
        0 => Chosen::Number(choices.number()),
        1 | 2 => Chosen::Card(choices.number() as u32),
        3 => Chosen::Cards((0..choices.below(6)).map(|_| choices.number() as u32).collect()),
        _ => Chosen::Text(choices.text()),
    });
    Answer { decision, alternative, parts: parts.collect() }
}

fn input(choices: &mut Choices, table: &LiveTable, seat: u8) -> Input {
    let person = choices.below(2) == 0;
    match choices.below(14) {
        0 => Input::Start,
        1 => Input::Join { seat, person },
        2 => Input::Leave { seat },
        3 => Input::Absent { seat },
        4 => Input::Present { seat },
        5 => Input::Replaced { seat, person },
        6 => Input::Lead { seat: person.then_some(seat) },
        7 => Input::Timeout { decision: choices.number() as u32 },
        8 => Input::AbsentTimeout { decision: choices.number() as u32, seat },
        9 => Input::Nonce { seat, bytes: choices.text().into_bytes() },
        10 => Input::Pause,
        11 => Input::Resume,
        12 => table.clocks().first().map_or(Input::Resume, |due| due.input.clone()),
        _ => Input::Abandon,
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut generator = Generator::new(3);
    let bytes = |generator: &mut Generator| (0..60).map(|_| generator.word() as u8).collect::<Vec<u8>>();
    (0..4 * game_count()).map(|game| [vec![game], bytes(&mut generator)].concat()).collect()
}
