//! COMPACT-1: the reader of the compact form gives back the batch that was written. The browser's reader is tested with the
//! same vectors, `web/src/protocol/vectors/compact.json`; `cargo xtask regenerate protocol` rewrites them.

use baize_engine::view::{
    AlternativeView, BadgeView, Batch, Blocked, CardView, Cause, Clock, Content, DecisionView, Event, OutcomeView,
    PartKindView, PartView, Piece, Placed, RichText, SeatView, StatusView, Waiting, ZoneView,
};
use baize_narrator::{Narration, NarrationKind};
use baize_protocol::compact::{DecodedBatch, TextNumbers, WireBatch};
use serde_json::{Value, json};

mod vectors;

fn text(text: &str) -> RichText {
    RichText(vec![Piece::Text(text.into())])
}

fn mixed() -> RichText {
    let written = Piece::Written("<b>mine</b>".into());
    RichText(vec![Piece::Seat(2), Piece::Text(" plays ".into()), Piece::Face(51), written])
}

fn card(handle: u32, face: Option<u16>, by: Option<u8>, written: Option<&str>) -> CardView {
    CardView { handle, face, by, written: written.map(Into::into) }
}

fn cards() -> Vec<CardView> {
    vec![
        card(1, None, None, None),
        card(2, Some(7), None, None),
        card(3, Some(0), Some(4), None),
        card(4, None, Some(0), None),
        card(5, Some(9), None, Some("a word")),
        card(6, None, Some(1), Some("\"quoted\"")),
    ]
}

fn seat(flags: [bool; 5]) -> SeatView {
    let [playing, present, person, pending, turn] = flags;
    SeatView { playing, present, person, pending, turn, badges: vec![].into(), status: vec![].into() }
}

fn part(name: &str, kind: PartKindView) -> PartView {
    PartView { name: name.into(), kind }
}

fn decision() -> DecisionView {
    let blocked = |handle, reason: Option<&str>| Blocked { handle, reason: reason.map(text).map(Into::into) };
    let parts = vec![
        part("c", PartKindView::Card { options: vec![1, 2], blocked: vec![] }),
        part(
            "d",
            PartKindView::Card {
                options: vec![],
                blocked: vec![blocked(3, Some("no")), blocked(4, Some("no")), blocked(5, None), blocked(6, Some("no"))],
            },
        ),
        part("u", PartKindView::Unseen { zone: 3, count: 7 }),
        part("cs", PartKindView::Cards { low: 1, high: 3, options: vec![8, 9], ordered: true }),
        part("s", PartKindView::Sets { options: vec![vec![1], vec![2, 3]] }),
        part("n", PartKindView::Number { low: -1, high: 5, only: None }),
        part("o", PartKindView::Number { low: 0, high: 5, only: Some(vec![0, 5]) }),
        part("g", PartKindView::Pile { options: vec![(1, 12), (9, 20)] }),
        part("p", PartKindView::Player { options: vec![0, 3] }),
        part("v", PartKindView::Value { options: vec![(0, "higher".into())] }),
        part("y", PartKindView::Yesno { options: vec![0, 1] }),
        part("t", PartKindView::Text { most: 120 }),
        part("k", PartKindView::Dice { dice: 0, first: 5, count: 5, only: None }),
        part("l", PartKindView::Dice { dice: 1, first: 0, count: 2, only: Some(vec![1, 3]) }),
    ];
    let alternative = |index, legal, parts, combinations| AlternativeView {
        name: "play".into(),
        label: mixed(),
        index,
        legal,
        parts,
        combinations,
    };
    let combinations = Some(vec![vec![0, 1], vec![1, 0]]);
    let alternatives = vec![alternative(0, true, parts, None), alternative(3, false, vec![], combinations)];
    DecisionView { id: 77, prompt: Some(text("Play a card")), alternatives }
}

fn events() -> Vec<Event> {
    let badge = BadgeView { kind: "letters".into(), label: None, value: Some(text("DO")) };
    let title = BadgeView { kind: "title".into(), label: Some(mixed()), value: None };
    let empty_badge = BadgeView { kind: "title".into(), label: None, value: None };
    let out = StatusView { word: "out".into(), label: None };
    let safe = StatusView { word: "safe".into(), label: Some(text("Safe")) };
    let placed = |at, card| Placed { at, card };
    vec![
        Event::Moved { from: Some(0), to: Some(1), count: 3, gone: vec![], came: vec![] },
        Event::Moved { from: Some(0), to: None, count: 1, gone: vec![12], came: vec![] },
        Event::Moved {
            from: None,
            to: Some(4),
            count: 2,
            gone: vec![],
            came: vec![placed(0, card(9, Some(1), None, None)), placed(1, card(10, None, None, None))],
        },
        // The viewer sees the cards before and after the move: in the same order, in another order, and only some of them.
        Event::Moved {
            from: Some(3),
            to: Some(4),
            count: 2,
            gone: vec![4, 5],
            came: vec![placed(5, card(4, Some(1), None, None)), placed(6, card(5, None, Some(1), None))],
        },
        Event::Moved {
            from: Some(3),
            to: Some(4),
            count: 2,
            gone: vec![4, 5],
            came: vec![placed(5, card(5, Some(1), None, None)), placed(6, card(4, None, None, None))],
        },
        Event::Moved {
            from: Some(3),
            to: Some(4),
            count: 3,
            gone: vec![4, 5, 6],
            came: vec![placed(5, card(4, Some(1), None, None)), placed(2, card(5, None, Some(1), None))],
        },
        Event::Zone { zone: 2, view: ZoneView { content: Content::Cards(cards()), turned: true } },
        Event::Zone { zone: 3, view: ZoneView { content: Content::Count(0), turned: false } },
        Event::Zone { zone: 4, view: ZoneView { content: Content::Nothing, turned: false } },
        Event::Cards { zone: 1, cards: cards() },
        Event::Turned { zone: 1, turned: true },
        Event::Shuffled { zone: 0 },
        Event::Value { var: 1, element: 2, value: Some(-3) },
        Event::Value { var: 1, element: 2, value: None },
        Event::Badges { seat: 1, from: 0, badges: vec![badge.clone(), empty_badge.clone()].into() },
        Event::Badges { seat: 1, from: 1, badges: vec![empty_badge].into() },
        Event::Badges { seat: 2, from: 3, badges: vec![].into() },
        Event::Badges { seat: 3, from: 0, badges: vec![].into() },
        Event::Badge { seat: 1, at: 0, value: Some(text("twelve")) },
        Event::Badge { seat: 3, at: 12, value: None },
        Event::Badge { seat: 0, at: 1, value: badge.value.clone() },
        // Changes of consecutive badges and elements become one run.
        Event::Badge { seat: 2, at: 3, value: None },
        Event::Badge { seat: 2, at: 4, value: badge.value.clone() },
        Event::Badge { seat: 2, at: 5, value: Some(RichText::default()) },
        Event::Badge { seat: 2, at: 7, value: None },
        Event::Value { var: 4, element: 0, value: Some(1) },
        Event::Value { var: 4, element: 1, value: None },
        Event::Value { var: 4, element: 2, value: Some(-3) },
        Event::Value { var: 4, element: 4, value: Some(4) },
        Event::Value { var: 5, element: 5, value: Some(4) },
        Event::Dice { dice: 1, element: 6, face: Some(2) },
        Event::Dice { dice: 1, element: 7, face: None },
        Event::Dice { dice: 1, element: 8, face: Some(6) },
        Event::Dice { dice: 1, element: 9, face: Some(6) },
        Event::Dice { dice: 0, element: 10, face: Some(6) },
        Event::Rolled { dice: 1, elements: vec![0, 1, 2, 3, 9] },
        // Dice thrown one after the other become one run, even if the viewer does not see some faces.
        Event::Rolled { dice: 0, elements: vec![3] },
        Event::Dice { dice: 0, element: 3, face: Some(5) },
        Event::Rolled { dice: 0, elements: vec![4] },
        Event::Rolled { dice: 0, elements: vec![5] },
        Event::Dice { dice: 0, element: 5, face: Some(0) },
        Event::Rolled { dice: 0, elements: vec![7] },
        Event::Rolled { dice: 0, elements: vec![8] },
        Event::Dice { dice: 0, element: 8, face: None },
        Event::Rolled { dice: 1, elements: vec![9] },
        // Dice thrown together.
        Event::Rolled { dice: 0, elements: vec![0, 2, 3] },
        Event::Dice { dice: 0, element: 0, face: Some(5) },
        Event::Dice { dice: 0, element: 3, face: Some(12) },
        Event::Rolled { dice: 0, elements: vec![0, 1, 2, 3, 4] },
        Event::Dice { dice: 0, element: 1, face: Some(5) },
        Event::Dice { dice: 0, element: 0, face: Some(1) },
        Event::Rolled { dice: 2, elements: vec![4] },
        Event::Dice { dice: 2, element: 4, face: Some(5) },
        Event::Dice { dice: 2, element: 5, face: Some(5) },
        Event::Rolled { dice: 1, elements: vec![] },
        // Repeated values.
        Event::Dice { dice: 0, element: 0, face: None },
        Event::Dice { dice: 0, element: 1, face: None },
        Event::Dice { dice: 0, element: 2, face: None },
        Event::Dice { dice: 0, element: 3, face: None },
        Event::Dice { dice: 0, element: 4, face: Some(11) },
        Event::Dice { dice: 0, element: 5, face: Some(11) },
        Event::Dice { dice: 0, element: 6, face: Some(11) },
        Event::Dice { dice: 0, element: 7, face: Some(1) },
        Event::Dice { dice: 0, element: 8, face: Some(1) },
        Event::Dice { dice: 0, element: 9, face: Some(-1) },
        Event::Dice { dice: 0, element: 10, face: Some(-1) },
        Event::Dice { dice: 0, element: 11, face: Some(1) },
        Event::Badge { seat: 4, at: 0, value: Some(text("(0)")) },
        Event::Badge { seat: 4, at: 1, value: Some(text("(0)")) },
        Event::Badge { seat: 4, at: 2, value: Some(text("(0)")) },
        Event::Badge { seat: 4, at: 3, value: Some(text("letters")) },
        Event::Badge { seat: 4, at: 4, value: Some(text("12")) },
        Event::Badge { seat: 4, at: 5, value: Some(text("12")) },
        Event::Badge { seat: 4, at: 6, value: Some(text("")) },
        Event::Badge { seat: 4, at: 7, value: Some(text("")) },
        Event::Badge { seat: 5, at: 0, value: None },
        // Texts with characters of the notation.
        Event::Announced { text: text("a `b` \\ \"c\" \n d' [e] <f>, g*3 _\\"), kind: "toast".into() },
        Event::Announced { text: text("\"\""), kind: "whisper".into() },
        // The same text again, also next to other texts and after them.
        Event::Announced { text: text("\"\""), kind: "\"\"".into() },
        Event::Badge { seat: 1, at: 0, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 1, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 2, value: Some(text("two")) },
        Event::Badge { seat: 1, at: 3, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 4, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 5, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 6, value: Some(text("one")) },
        Event::Badge { seat: 1, at: 7, value: Some(text("two")) },
        Event::Marks { seat: 2, status: vec![].into() },
        Event::Value { var: 0, element: 0, value: Some(7) },
        Event::Dice { dice: 0, element: 1, face: Some(6) },
        Event::Dice { dice: 0, element: 1, face: None },
        Event::Rolled { dice: 0, elements: vec![0, 1] },
        Event::Phase { phase: Some("judge".into()) },
        Event::Phase { phase: None },
        Event::Lead { seat: Some(0) },
        Event::Lead { seat: None },
        Event::Paused { paused: true },
        Event::Seat { seat: 0, view: seat([true, true, false, false, true]) },
        Event::Seat {
            seat: 1,
            view: SeatView { badges: vec![badge.clone(), title].into(), ..seat([false, true, true, true, false]) },
        },
        Event::Seat {
            seat: 2,
            view: SeatView { badges: vec![badge].into(), status: vec![out.clone(), safe].into(), ..seat([true; 5]) },
        },
        Event::Seat { seat: 3, view: SeatView { status: vec![out].into(), ..seat([false; 5]) } },
        Event::Highlights { handles: vec![3, 5] },
        Event::Highlights { handles: vec![1, 2, 5, 6, 7, 8, 3] },
        Event::Status { from: 0, lines: vec![text("Round 3"), mixed(), RichText(vec![])].into() },
        Event::Status { from: 2, lines: vec![text("letters"), mixed()].into() },
        Event::Status { from: 1, lines: vec![].into() },
        // One waiting player: with a prompt that has a number, without a prompt, and with a prompt in full.
        Event::Waiting {
            waiting: vec![Waiting { seat: 1, decision: 5, prompt: Some(text("Play a card")), clock: None }].into(),
        },
        Event::Waiting {
            waiting: vec![Waiting {
                seat: 2,
                decision: 6,
                prompt: None,
                clock: Some(Clock { decision: 9, seconds: 30 }),
            }]
            .into(),
        },
        Event::Waiting {
            waiting: vec![Waiting { seat: 2, decision: 6, prompt: Some(text("Say something")), clock: None }].into(),
        },
        Event::Waiting { waiting: vec![].into() },
        Event::Waiting {
            waiting: vec![
                Waiting { seat: 0, decision: 4, prompt: None, clock: None },
                Waiting { seat: 1, decision: 5, prompt: Some(text("Play a card")), clock: None },
                Waiting { seat: 2, decision: 6, prompt: None, clock: Some(Clock { decision: 9, seconds: 30 }) },
                Waiting { seat: 3, decision: 9, prompt: None, clock: Some(Clock { decision: 9, seconds: 5 }) },
            ]
            .into(),
        },
        Event::Decision { decision: Some(DecisionView { id: 5, ..decision() }.into()) },
        Event::Decision { decision: Some(decision().into()) },
        Event::Decision { decision: None },
        Event::Announced { text: mixed(), kind: "shout".into() },
        // The filling of a hole can have a number of its own.
        Event::Announced { text: text("Round letters"), kind: "log".into() },
        Event::Skipped { seat: 3 },
        Event::Revealed { text: Some(text("It was")), zone: None, faces: vec![1] },
        Event::Revealed { text: None, zone: Some(3), faces: vec![] },
        Event::Outcome {
            outcome: OutcomeView {
                kind: "losers".into(),
                winners: vec![0],
                losers: vec![1],
                ranks: vec![Some(1), Some(2), None],
                banner: Some(mixed()),
                score: None,
                fault: None,
            }
            .into(),
        },
        Event::Outcome {
            outcome: OutcomeView { kind: "void".into(), fault: Some(7), ..OutcomeView::default() }.into(),
        },
        Event::Outcome {
            outcome: OutcomeView { kind: "everyone-scores".into(), score: Some((24, 25)), ..OutcomeView::default() }
                .into(),
        },
    ]
}

/// Some texts of the samples, as a table's definition would list them.
fn texts() -> Vec<Vec<String>> {
    let around: [&[&str]; 6] =
        [&["Play a card"], &["letters"], &["", " plays ", "", ""], &["Round ", ""], &["It was "], &["", " and ", ""]];
    around.iter().map(|text| text.iter().map(|s| (*s).to_owned()).collect()).collect()
}

fn narrations() -> Vec<Narration> {
    let told = |after, kind, pieces| Narration { after, kind, text: RichText(pieces) };
    let words = |text: &str| Piece::Text(text.into());
    let (plays, written) = (words(" plays letters, \"2\" × 12 "), Piece::Written("a [word]".into()));
    vec![
        told(0, NarrationKind::Session, vec![words("(12)")]),
        told(1, NarrationKind::Move, vec![Piece::Seat(2), plays, Piece::Face(51), words(" from letters"), written]),
        told(1, NarrationKind::Announcement, mixed().0),
        told(7, NarrationKind::Announcement, vec![words("letters")]),
        told(7, NarrationKind::Announcement, vec![words("Nothing that is known")]),
        told(200, NarrationKind::Outcome, vec![words("Round letters")]),
    ]
}

fn decoded(batch: Batch) -> DecodedBatch {
    DecodedBatch { batch, narrations: vec![], clocks: vec![] }
}

fn samples() -> Vec<DecodedBatch> {
    let batch = |seq, cause, events| Batch { seq, cause, events };
    let input = |kind: &str, seat| Cause::Input { kind: kind.into(), seat };
    vec![
        decoded(batch(1, Cause::Start, vec![])),
        DecodedBatch {
            batch: batch(2, Cause::Move { seat: 3 }, events()),
            narrations: narrations(),
            clocks: vec![(77, 9_500), (78, 0)],
        },
        decoded(batch(3, input("absent", Some(0)), vec![])),
        decoded(batch(4, input("pause", None), vec![])),
    ]
}

#[test]
fn reader_gives_back_the_written_batch() {
    for texts in [TextNumbers::default(), TextNumbers::new(texts())] {
        for sample in samples() {
            let wire = WireBatch::new(&sample.batch, &sample.narrations, &sample.clocks, &texts).unwrap();
            assert_eq!(wire.read(&texts).as_ref(), Some(&sample), "{wire:?}");
        }
    }
}

/// Replays that older versions stored have batches as JSON lists, without numbers of texts.
#[test]
fn reader_accepts_lists_of_older_versions() {
    let old = json!([
        7, 1, "v", 0, 0, 3, 1, 2, null, "v", 2, 1, [4, 5, 6], "r", 0, 1, "d", 0, 1, 6, "n", 0, 3, 0, [17, 37],
        "a", [2, " plays ", [51], { "w": "<b>mine</b>" }], 2,
        "o", { "kind": "draw", "winners": [], "losers": [1], "ranks": [null, 2], "banner": [{ "text": "Over" }] },
    ]);
    let wire: WireBatch = serde_json::from_value(old).unwrap();
    let read = wire.read(&TextNumbers::default()).unwrap();
    let value = |var, element, value| Event::Value { var, element, value };
    let outcome = OutcomeView {
        kind: "draw".into(),
        winners: vec![],
        losers: vec![1],
        ranks: vec![None, Some(2)],
        banner: Some(text("Over")),
        score: None,
        fault: None,
    };
    let came = vec![Placed { at: 0, card: card(17, Some(37), None, None) }];
    let events = vec![
        value(0, 0, Some(3)),
        value(1, 2, None),
        value(2, 1, Some(4)),
        value(2, 2, Some(5)),
        value(2, 3, Some(6)),
        Event::Rolled { dice: 0, elements: vec![1] },
        Event::Dice { dice: 0, element: 1, face: Some(6) },
        Event::Moved { from: Some(0), to: Some(3), count: 1, gone: vec![], came },
        Event::Announced { text: mixed(), kind: "banner".into() },
        Event::Outcome { outcome: outcome.into() },
    ];
    assert_eq!(read, decoded(Batch { seq: 7, cause: Cause::Move { seat: 1 }, events }));
}

#[test]
fn reader_refuses_malformed_batches() {
    for bad in [
        "{}",
        "[1]",
        "null",
        r#"[1,"start","?"]"#,
        r#"[1,"start","m"]"#,
        r#"[1,"start",["m",1,2]]"#,
        r#"[1,2,"w",3]"#,
        r#"[1,2,"q",0,[]]"#,
        r#"[1,2,"a",99,0]"#,
        r#"[1,2,"a","text",9]"#,
        r#"[1,2,"h",[-5]]"#,
        r#"[1,2,"h",[1,-9000000000]]"#,
        r#"[1,2,"s",[[-3,1]]]"#,
        r#""""#,
        r#""1""#,
        r#""1,2?""#,
        r#""1,2m1""#,
        r#""1,2q0[]""#,
        r#""1,2a99,0""#,
        r#""1,2h-5""#,
        r#""1,2f[0,1]""#,
        r#""1,2s<2,1>""#,
        r#""1,2s<-3,1>""#,
        r#""1,2s[`text""#,
        r#""1,2s[1""#,
        r#""1,2s1]""#,
        r#""1,2h*3""#,
        r#""1,2h1*9000000""#,
        r#""1,2a{w}0""#,
        r#""1,2b1[w0]""#,
        r#""1,2s[~]""#,
        r#""1,2L7[]""#,
        r#""1,2L1""#,
        r#""1,2L1[-99]""#,
        r#""1,2L-1[]""#,
        r#""1,2s[[[[[[[[[[[[[[1]]]]]]]]]]]]]]""#,
    ] {
        let wire: WireBatch = serde_json::from_str(bad).unwrap();
        assert_eq!(wire.read(&TextNumbers::new(texts())), None, "{bad}");
    }
}

#[test]
fn vectors_are_up_to_date() {
    let known = TextNumbers::new(texts());
    let batches: Vec<Value> = samples()
        .iter()
        .map(|DecodedBatch { batch, narrations, clocks }| {
            let wire = WireBatch::new(batch, narrations, clocks, &known).unwrap();
            json!({ "wire": wire, "expanded": { "batch": batch, "narrations": narrations, "clocks": clocks } })
        })
        .collect();
    let fresh = serde_json::to_string(&json!({ "texts": texts(), "batches": batches })).unwrap() + "\n";
    vectors::check_or_write("compact.json", &fresh);
}
