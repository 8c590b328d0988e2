//! Builds small programs by hand, so that tests of the engine do not depend on the language.

use crate::chance::FastChance;
use crate::input::Input;
use crate::instance::{Game, PackCard};
use crate::instantiate;
use crate::moves::Move;
use crate::sink::RawEvent;
use crate::table::Table;
use crate::with_table;
use baize_rules::program::*;
use baize_rules::span::Span;
use std::sync::Arc;

pub const SUIT: AttrId = 0;
pub const RANK: AttrId = 1;

/// A pc from this one on is a label, which [`Build::finish`] replaces by the pc of an op.
const LABEL: u32 = 1_000_000;

pub struct Build {
    pub program: Program,
    labels: Vec<Pc>,
}

pub fn n(value: i32) -> Num {
    Num::Const(value)
}
pub fn b(num: Num) -> Box<Num> {
    Box::new(num)
}
pub fn eq(a: Num, b: Num) -> Num {
    cmp(Cmp::Eq, a, b)
}
pub fn cmp(op: Cmp, x: Num, y: Num) -> Num {
    Num::Cmp(op, b(x), b(y))
}
pub fn not(a: Num) -> Num {
    Num::Not(b(a))
}
pub fn and(x: Num, y: Num) -> Num {
    Num::And(b(x), b(y))
}
pub fn add(x: Num, y: Num) -> Num {
    Num::Arith(Arith::Add, b(x), b(y))
}
pub fn attr(attr: AttrId, card: Num) -> Num {
    Num::CardAttr(attr, b(card))
}
pub fn at(zone: ZoneId) -> ZoneRef {
    ZoneRef { zone, index: vec![] }
}
pub fn of(zone: ZoneId, index: Num) -> ZoneRef {
    ZoneRef { zone, index: vec![index] }
}
pub fn var(var: VarId) -> VarRef {
    VarRef { var, index: vec![] }
}
pub fn elem(var: VarId, index: Num) -> VarRef {
    VarRef { var, index: vec![index] }
}
pub fn text(text: &str) -> Text {
    Text { parts: vec![TextPart::Plain(text.to_owned())] }
}
pub fn everyone(bound: BoundId) -> Seats {
    Seats { bound, cond: None }
}
pub fn seats(bound: BoundId, cond: Num) -> Seats {
    Seats { bound, cond: Some(cond) }
}
pub fn filtered(cards: Selection, bound: BoundId, cond: Num) -> Selection {
    Selection::Where { of: Box::new(cards), bound, cond: b(cond) }
}

impl Build {
    pub fn new(min: u8, max: u8) -> Self {
        Build {
            labels: Vec::new(),
            program: Program {
                meta: Meta {
                    title: "Test".into(),
                    about: String::new(),
                    language: LANGUAGE,
                    notes: vec![],
                    how_to_play: vec![],
                    min_players: min,
                    max_players: max,
                    start_when_full: false,
                    newcomers_play: true,
                    absent: AbsentPolicy::Wait,
                    host_absent_pauses: false,
                    leavers_become_bots: false,
                    grace: None,
                    limit: 10_000,
                    limit_outcome: LimitOutcome::Void,
                    minutes: None,
                },
                options: vec![],
                presets: vec![],
                attrs: vec![],
                decks: vec![],
                requires: vec![],
                zones: vec![],
                tables: vec![],
                vars: vec![],
                bounds: 0,
                code: vec![],
                spans: vec![],
                asks: vec![],
                togethers: vec![],
                phases: vec![],
                on_leave: None,
                on_join: None,
                show: Presentation::default(),
                reveals: vec![],
            },
        }
    }

    /// Adds a deck of 52 cards: suits C D H S as 0..4, ranks 2 to ace as 0..13.
    pub fn standard52(&mut self) -> DeckId {
        self.attributes();
        self.deck(vec![(SUIT, (0..4).collect()), (RANK, (0..13).collect())], 1)
    }

    pub fn attributes(&mut self) {
        let names = |s: &str| AttrDomain::Names(s.split(' ').map(str::to_owned).collect());
        self.program.attrs.push(Attr { name: "suit".into(), values: names("C D H S") });
        self.program.attrs.push(Attr { name: "rank".into(), values: names("2 3 4 5 6 7 8 9 10 J Q K A") });
    }

    pub fn deck(&mut self, values: Vec<(AttrId, Vec<i32>)>, copies: i32) -> DeckId {
        let card = self.bound();
        self.program.decks.push(Deck {
            name: format!("deck{}", self.program.decks.len()),
            pack_type: None,
            make: vec![DeckOp::Product { values, card, copies: n(copies), called: None, when: None }],
            copies: n(1),
        });
        self.program.decks.len() as DeckId - 1
    }

    pub fn zone(&mut self, name: &str, dims: Vec<Dim>) -> ZoneId {
        self.program.zones.push(Zone {
            name: name.into(),
            title: None,
            dims,
            sees: vec![VisibilityClause {
                who: ViewerGroup::Everyone,
                what: Visibility::Cards,
                when: None,
                span: Span::default(),
            }],
            ordered: false,
            sorted: vec![],
            remembers: PlayerMemory::None,
            holds: None,
            starts_with: None,
            shape: Shape::Auto,
            turned: None,
            hints: vec![],
            span: Span::default(),
        });
        self.program.zones.len() as ZoneId - 1
    }

    pub fn zone_mut(&mut self, zone: ZoneId) -> &mut Zone {
        &mut self.program.zones[zone as usize]
    }

    pub fn add_var(&mut self, name: &str, kind: VarKind, dims: Vec<Dim>, ty: Type, default: i32) -> VarId {
        self.program.vars.push(Var { name: name.into(), kind, dims, ty, default: n(default) });
        self.program.vars.len() as VarId - 1
    }

    pub fn state(&mut self, name: &str, ty: Type) -> VarId {
        let default = if ty == Type::Player || ty == Type::Card { NONE } else { 0 };
        self.add_var(name, VarKind::State { role: None }, vec![], ty, default)
    }

    pub fn per_player(&mut self, name: &str) -> VarId {
        self.add_var(name, VarKind::State { role: None }, vec![Dim::Player], number(), 0)
    }

    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.add_var(name, VarKind::Local, vec![], ty, 0)
    }

    pub fn seat_local(&mut self, name: &str, ty: Type) -> VarId {
        self.add_var(name, VarKind::SeatLocal, vec![], ty, 0)
    }

    pub fn bound(&mut self) -> BoundId {
        self.program.bounds += 1;
        self.program.bounds - 1
    }

    pub fn label(&mut self) -> Pc {
        self.labels.push(u32::MAX);
        LABEL + self.labels.len() as u32 - 1
    }

    /// Makes a label stand for the next op.
    pub fn place_label(&mut self, label: Pc) {
        self.labels[(label - LABEL) as usize] = self.program.code.len() as Pc;
    }

    pub fn new_label_here(&mut self) -> Pc {
        let label = self.label();
        self.place_label(label);
        label
    }

    pub fn op(&mut self, op: Op) {
        self.program.code.push(op);
        let at = self.program.code.len();
        self.program.spans.push(Span::new(at * 10, at * 10 + 5));
    }

    pub fn set(&mut self, place: VarRef, value: Num) {
        self.op(Op::Set(place, value));
    }

    pub fn ask(&mut self, mode: AskMode, alternatives: Vec<Alternative>, after: Pc) -> AskId {
        self.program.asks.push(Ask {
            mode,
            prompt: None,
            prompt_public: false,
            alternatives,
            default: None,
            within: None,
            absent: AbsentPolicy::Wait,
            absent_after: None,
            gone_default: false,
            drop_when: None,
            after,
            span: Span::default(),
        });
        let id = self.program.asks.len() as AskId - 1;
        self.op(Op::Ask(id));
        id
    }

    pub fn ask_mut(&mut self, ask: AskId) -> &mut Ask {
        &mut self.program.asks[ask as usize]
    }

    pub fn end(&mut self, outcome: Outcome) {
        self.op(Op::End(Box::new(GameEnd { outcome, banner: None })));
    }

    pub fn finish(mut self) -> Program {
        let labels = &self.labels;
        let fix = |pc: &mut Pc| {
            if *pc >= LABEL {
                *pc = labels[(*pc - LABEL) as usize];
            }
        };
        let within = |w: &mut Option<TimeLimit>| {
            if let Some(TimeLimit { then: TimeoutAction::Goto(pc), .. }) = w {
                fix(pc);
            }
        };
        for op in &mut self.program.code {
            match op {
                Op::Jump(pc) | Op::Unless(_, pc) => fix(pc),
                Op::Circle { exit, .. } | Op::CountTo { exit, .. } => fix(exit),
                _ => {}
            }
        }
        for ask in &mut self.program.asks {
            fix(&mut ask.after);
            if let Some((_, pc)) = &mut ask.absent_after {
                fix(pc);
            }
            within(&mut ask.within);
            for alternative in &mut ask.alternatives {
                fix(&mut alternative.body);
            }
        }
        for together in &mut self.program.togethers {
            fix(&mut together.body);
            fix(&mut together.after);
            within(&mut together.within);
        }
        for hook in self.program.on_leave.iter_mut().chain(&mut self.program.on_join) {
            fix(&mut hook.body);
        }
        self.program
    }

    pub fn game(self, seats: usize) -> Game {
        make(self.finish(), seats)
    }

    /// Makes a table that has not started, with a person in every seat.
    pub fn table(self, seats: usize) -> Table {
        seated(&self.game(seats), seats)
    }
}

pub fn make(program: Program, seats: usize) -> Game {
    instantiate(Arc::new(program), &[], &[] as &[PackCard], seats).unwrap()
}

pub fn seated(game: &Game, seats: usize) -> Table {
    let mut table = Table::new(game, [7; 32]);
    for seat in 0..seats as u8 {
        table.input(&Input::Join { seat, person: true }).unwrap();
    }
    table
}

pub fn number() -> Type {
    Type::Number { low: -1_000_000, high: 1_000_000 }
}

pub fn alternative(name: &str, parts: Vec<Part>, body: Pc) -> Alternative {
    Alternative { name: name.into(), label: None, parts, when: None, if_none: false, musts: vec![], body }
}

pub fn part(name: &str, bound: BoundId, var: VarId, kind: PartKind) -> Part {
    Part { name: name.into(), bound, var, kind, filter: None }
}

pub fn must(cond: Num, if_able: bool, reason: &str) -> Must {
    Must { cond, if_able, when: None, reason: text(reason) }
}

/// Returns the value of an element of a variable.
pub fn cell(table: &Table, var: VarId, element: usize) -> i32 {
    with_table!(table, core => {
        core.frame.cells[core.instance.layout.vars[var as usize].base as usize + element]
    })
}

/// Returns the cards of a zone instance in order.
pub fn cards(table: &Table, zone: ZoneId, instance: usize) -> Vec<u16> {
    with_table!(table, core => {
        let at = core.instance.layout.zones[zone as usize].base as usize + instance;
        core.instance.in_order(&core.frame, at).to_vec()
    })
}

pub fn decision(table: &Table, seat: u8) -> u32 {
    with_table!(table, core => core.frame.seats[seat as usize].decision)
}

pub fn open(table: &Table) -> Vec<u8> {
    crate::frame::seats_of(table.open()).collect()
}

/// Answers the open decision of a seat with an alternative that has no parts.
pub fn answer(table: &mut Table, seat: u8, alternative: u16) -> Result<Vec<RawEvent>, crate::moves::Refusal> {
    let quoted = decision(table, seat);
    table.play(seat, &Move::plain(quoted, alternative))
}

pub fn answer_number(
    table: &mut Table,
    seat: u8,
    alternative: u16,
    value: i32,
) -> Result<Vec<RawEvent>, crate::moves::Refusal> {
    let quoted = decision(table, seat);
    table.play(seat, &Move::number(quoted, alternative, value))
}

pub fn answer_cards(
    table: &mut Table,
    seat: u8,
    alternative: u16,
    cards: &[u16],
) -> Result<Vec<RawEvent>, crate::moves::Refusal> {
    let quoted = decision(table, seat);
    table.play(seat, &Move::cards(quoted, alternative, cards))
}

/// Plays random legal moves, at most `most`, until the table ends. Returns the number of moves. The table must accept each.
pub fn random_play(table: &mut Table, seed: u64, most: usize) -> usize {
    let mut chance = FastChance::new(seed);
    for played in 0..most {
        if table.outcome().is_some() {
            return played;
        }
        let seats = open(table);
        assert!(!seats.is_empty(), "nobody is asked");
        let seat = seats[chance.word() as usize % seats.len()];
        let legal = table.legal(seat).unwrap();
        let answer = legal.sample(&mut chance);
        table.play(seat, &answer).unwrap_or_else(|r| panic!("seed {seed} move {played}: {answer:?}: {r:?}"));
    }
    most
}
