//! Plays every game at random and checks what each viewer is told about each step.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "tests play tables and read the games")]

use baize_engine::chance::{Chance, FastChance};
use baize_engine::definition::TableDefinition;
use baize_engine::input::Input;
use baize_engine::instance::PackCard;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::view::{Cause, Event, Piece, View, Viewer};
use baize_engine::{instantiate, laws, with_sight};
use baize_narrator::{Narration, NarrationKind, Narrator};
use baize_rules::program::Visibility;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Lines of a game that are compared with its transcript.
const LINES_COMPARED: usize = 90;

/// A table and the views of clients that have followed it from the start.
struct Followed {
    table: LiveTable,
    definition: TableDefinition,
    views: laws::Views,
    kinds: HashSet<NarrationKind>,
    moves: usize,
    /// What the first player is told.
    transcript: Vec<String>,
}

impl Followed {
    /// Narrates a step to every viewer from what this viewer was sent, and from nothing else.
    fn follow(&mut self, batches: &StepBatches) -> Result<(), String> {
        for (viewer, view) in &mut self.views {
            let Some(step) = batches.step_of(*viewer) else { continue };
            let batch = &step.batch;
            let (narrator, before) = (Narrator { table: &self.definition }, view.clone());
            let narrations = narrator.follow(view, batch).map_err(|error| error.to_string())?;
            // The server narrates from its own view, and must tell the same.
            let after = self.table.view(*viewer).ok_or("the viewer has no view")?;
            if narrator.narrate(after, batch, &step.replaced) != narrations {
                return Err(format!("{viewer:?}, step {}: the server tells another story", batch.seq));
            }
            check(&self.definition, &before, &batch.cause, &batch.events, &narrations)
                .map_err(|wrong| format!("{viewer:?}, step {}: {wrong}\n{:#?}", batch.seq, batch.events))?;
            if *viewer == Viewer::Seat(0) {
                let label = |face: u16| self.definition.faces[usize::from(face)].label.clone();
                self.transcript.extend(narrations.iter().map(|narration| words(narration, label)));
            }
            self.kinds.extend(narrations.iter().map(|narration| narration.kind));
        }
        for viewer in laws::viewers(&self.table) {
            if !self.views.iter().any(|(known, _)| *known == viewer)
                && let Some(view) = self.table.view(viewer)
            {
                self.views.push((viewer, view.clone()));
            }
        }
        Ok(())
    }

    fn input(&mut self, input: &Input) -> Result<(), String> {
        match self.table.input(input) {
            Ok(batches) => self.follow(&batches),
            Err(_) => Ok(()),
        }
    }
}

/// A narration as one text, with players and cards as words.
fn words(narration: &Narration, label: impl Fn(u16) -> String) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Written(text) => text.clone(),
        Piece::Seat(seat) => format!("Player{seat}"),
        Piece::Face(face) => label(*face),
    };
    narration.text.0.iter().map(word).collect()
}

fn check(
    table: &TableDefinition,
    view: &View,
    cause: &Cause,
    events: &[Event],
    narrations: &[Narration],
) -> Result<(), String> {
    let said: Vec<String> = narrations.iter().map(|narration| words(narration, |face| format!("Card{face}"))).collect();
    if let Cause::Move { .. } = cause
        && narrations.is_empty()
    {
        return Err("a move is not told".to_owned());
    }
    let moved = |event: &Event| matches!(event, Event::Moved { .. });
    let tells_cards = narrations.iter().any(|n| matches!(n.kind, NarrationKind::Move | NarrationKind::Rules));
    if events.iter().any(moved) && !tells_cards {
        return Err(format!("no movement is told: {said:?}"));
    }
    for event in events {
        if let Event::Announced { text, .. } = event
            && !text.0.is_empty()
            && !narrations.iter().any(|narration| narration.kind == NarrationKind::Announcement)
        {
            return Err(format!("an announcement is not told: {text:?}"));
        }
    }
    for (narration, said) in narrations.iter().zip(&said) {
        let wrong = |what: &str| Err(format!("{what}: “{said}”"));
        if said.trim() != said || said.is_empty() {
            return wrong("a narration begins or ends with nothing");
        }
        if matches!(view.seat, Some(you) if narration.text.0.contains(&Piece::Seat(you))) {
            return wrong("the reader is named");
        }
        if matches!(narration.kind, NarrationKind::Announcement | NarrationKind::Outcome) {
            // The narrator quotes these from the rules file, so they may break the rules below.
            continue;
        }
        if ["  ", "the the", "the a ", "You has", "You is", "you’s", " 1 cards"].iter().any(|bad| said.contains(bad))
        {
            return wrong("a narration is no sentence");
        }
        for zone in table.zones.iter().filter(|zone| !zone.title.to_lowercase().contains(&zone.zone.to_lowercase())) {
            if said.split(|c: char| !c.is_alphanumeric()).any(|word| word == zone.zone) && zone.zone.len() > 3 {
                return wrong("an internal name is told");
            }
        }
    }
    Ok(())
}

fn packs() -> Vec<PackCard> {
    let card = |deck_type: &str, text: String, pick: i32| PackCard {
        deck_type: deck_type.to_owned(),
        text,
        props: vec![("pick".to_owned(), pick)],
    };
    let prompts = (0..12).map(|n| card("prompt", format!("Prompt {n}: ____?"), 1 + n % 3));
    prompts.chain((0..120).map(|n| card("answer", format!("Answer {n}."), 0))).collect()
}

fn play(source: &str, seed: u64) -> Result<Followed, String> {
    let program = baize_rules::compile(source).0.ok_or("does not compile")?;
    let seats = program.meta.min_players.max(3).min(program.meta.max_players);
    let game = instantiate(program.into(), &[], &packs(), usize::from(seats)).map_err(|e| e.to_string())?;
    let mut chance = FastChance::new(seed);
    let table = LiveTable::new(&game, [seed as u8; 32]);
    let (definition, views) = (table.definition(), laws::views(&table));
    let mut followed = Followed { table, definition, views, kinds: HashSet::new(), moves: 0, transcript: Vec::new() };
    for seat in 0..seats {
        followed.input(&Input::Join { seat, person: true })?;
    }
    followed.input(&Input::Lead { seat: Some(0) })?;
    followed.input(&Input::Start)?;
    for _ in 0..150 {
        let open: Vec<u8> = (0..seats).filter(|seat| followed.table.open() >> seat & 1 == 1).collect();
        if open.is_empty() {
            break;
        }
        if chance.below(12) == 0 {
            let seat = chance.below(u32::from(seats)) as u8;
            let due = followed.table.clocks().first().map(|due| due.input.clone());
            for input in [Some(Input::Absent { seat }), due, Some(Input::Present { seat })].into_iter().flatten() {
                followed.input(&input)?;
            }
            continue;
        }
        let seat = open[chance.below(open.len() as u32) as usize];
        let answer = with_sight!(&followed.table.sight(Viewer::Seat(seat)), sight => {
            let legal = sight.instance().legal(sight.frame(), seat).ok_or("asked, but nothing is legal")?;
            legal.sample_with_text(&mut chance, "Something to say")
        });
        let batches = followed.table.play(seat, &answer).map_err(|refusal| format!("{refusal:?}"))?;
        followed.moves += 1;
        followed.follow(&batches)?;
    }
    Ok(followed)
}

/// Compares the beginning of what the first player is told with the file in `transcripts`. `BAIZE_REGENERATE` writes the file anew.
fn compare_transcript(game: &Path, told: &[String]) {
    let name = game.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let file = folder.join(format!("{name}.txt"));
    let fresh = told.iter().take(LINES_COMPARED).map(|line| format!("{line}\n")).collect::<String>();
    if std::env::var_os("BAIZE_REGENERATE").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder");
        return std::fs::write(&file, fresh).expect("a file");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(kept, fresh, "{name} is told in other words: cargo xtask regenerate narrator");
}

/// The files of all games, with their text.
fn games() -> Vec<(PathBuf, String)> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let files = std::fs::read_dir(games).expect("the games").map(|entry| entry.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "baize"));
    files.map(|path| (path.clone(), std::fs::read_to_string(path).expect("a game"))).collect()
}

/// A zone without a title is told by its name in the rules: “the shown 2”. Everybody knows what a hand is.
#[test]
fn every_zone_that_somebody_sees_has_a_title() {
    let mut untitled = Vec::new();
    for (path, source) in games() {
        let program = baize_rules::compile(&source).0.expect("a program");
        for zone in &program.zones {
            let is_seen = zone.sees.is_empty() || zone.sees.iter().any(|clause| clause.what != Visibility::Nothing);
            if is_seen && zone.title.is_none() && zone.name != "hand" {
                untitled.push(format!("{}: {}", path.display(), zone.name));
            }
        }
    }
    assert_eq!(untitled, Vec::<String>::new());
}

#[test]
fn every_game_is_explained_in_five_or_six_lines() {
    let lines = |source: &str| baize_rules::compile(source).0.expect("a program").meta.how_to_play.len();
    let other: Vec<_> = games().into_iter().filter(|(_, source)| !(5..=6).contains(&lines(source))).collect();
    assert!(other.is_empty(), "{:?}", other.iter().map(|(path, _)| path).collect::<Vec<_>>());
}

#[test]
fn every_visible_move_of_every_game_is_told_in_words() {
    let (mut kinds, mut played) = (HashSet::new(), 0);
    for (path, source) in games() {
        let mut moves = 0;
        for seed in 0..4 {
            match play(&source, seed) {
                Ok(followed) => {
                    if seed == 0 {
                        compare_transcript(&path, &followed.transcript);
                    }
                    kinds.extend(followed.kinds);
                    moves += followed.moves;
                }
                Err(wrong) => panic!("{}, seed {seed}: {wrong}", path.display()),
            }
        }
        assert!(moves > 8, "{}: {moves} moves", path.display());
        played += 1;
    }
    assert!(played >= 18);
    use NarrationKind::{Announcement, Move, Outcome, Round, Rules, Score, Session};
    for kind in [Announcement, Move, Outcome, Round, Rules, Score, Session] {
        assert!(kinds.contains(&kind), "no game tells {kind:?}");
    }
}
