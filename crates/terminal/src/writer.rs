//! Writes a whole view: status, seats, zones, dice, and the open decision with its numbered answers.

use crate::Terminal;
use crate::choices::{Choice, choices};
use baize_engine::definition::{DiceLayout, IndexValue, ValueLayout, ZoneLayout};
use baize_engine::view::{
    BadgeView, Blocked, CardView, Content, FaceId, PartKindView, RichText, SeatView, View, ZoneView,
};
use std::fmt::Write;

/// Upper bound on the listed cards of a zone that is not the viewer's own. Of more cards the writer gives only the number.
const LISTED: usize = 24;
/// Upper bound on the elements of a secret state that are written at its owner's seat.
const SECRETS: usize = 6;
/// What a state keeps for `none` of an attribute that is a number.
const NONE_VALUE: i32 = i32::MIN;
/// Upper bound on the choices that are listed with a key. A player can type the words of any other choice.
const NUMBERED: usize = 60;
/// Upper bound on the choices that are computed.
pub const MOST_CHOICES: usize = 20_000;

impl Terminal<'_> {
    /// Writes the whole view: status, seats, zones and the open decision.
    pub fn write(&self, view: &View) -> String {
        let mut out = String::new();
        let headline: Vec<String> =
            view.phase.iter().cloned().chain(view.status.iter().map(|l| self.line(l))).collect();
        if !headline.is_empty() {
            let _ = writeln!(out, "── {} ──", headline.join(" · "));
        }
        self.seats(view, &mut out);
        self.sheet(view, &mut out);
        self.zones(view, &mut out);
        self.dice(view, &mut out);
        if view.paused {
            out.push_str("\nThe table is paused.\n");
        }
        match (&view.outcome, &view.decision) {
            (Some(_), _) => self.outcome(view, &mut out),
            (None, Some(_)) => self.decision(view, &mut out),
            (None, None) => self.waiting(view, &mut out),
        }
        out
    }

    fn seats(&self, view: &View, out: &mut String) {
        let taken = |seat: &SeatView| seat.playing || seat.pending || seat.present;
        let rows: Vec<[String; 4]> = (0u8..)
            .zip(view.seats.iter())
            .filter(|(_, seat)| taken(seat))
            .map(|(number, seat)| {
                let you = if view.seat == Some(number) { " (you)" } else { "" };
                let badges = seat.badges.iter().filter(|badge| badge.kind != "row").map(|badge| {
                    let part = |line: &Option<RichText>| line.as_ref().map(|line| self.line(line)).unwrap_or_default();
                    [part(&badge.label), part(&badge.value)].join(" ").trim().to_owned()
                });
                let words = seat.status.iter().map(|status| match &status.label {
                    Some(label) => self.line(label),
                    None => status.word.clone(),
                });
                let gone = match seat {
                    SeatView { pending: true, .. } => Some("waits to join"),
                    SeatView { playing: false, .. } => Some("not playing"),
                    SeatView { present: false, .. } => Some("absent"),
                    _ => None,
                };
                let said = badges.chain(words).chain(gone.map(str::to_owned)).chain(self.secrets(view, number));
                let said: Vec<String> = said.filter(|s| !s.is_empty()).collect();
                [
                    if seat.turn { "▸" } else { " " }.to_owned(),
                    format!("{}{you}", self.name(number)),
                    self.holdings(view, number),
                    said.join(", "),
                ]
            })
            .collect();
        write_table(&rows, out);
    }

    /// Returns the values that only the viewer knows, at the viewer's own seat: `bid 3`.
    fn secrets(&self, view: &View, seat: u8) -> Vec<String> {
        let sealed = self.table.values.iter().zip(&view.values).filter(|(layout, _)| layout.sealed);
        let sealed = sealed.filter(|_| view.seat == Some(seat));
        let secret = sealed.filter_map(|(layout, value)| {
            let of_seat = |index: &[IndexValue]| index.first().is_some_and(|at| at.seat && at.value == i32::from(seat));
            let own = layout.elements.iter().zip(&value.values).filter(|(index, _)| of_seat(index));
            let known: Vec<Option<String>> =
                own.filter_map(|(_, value)| *value).map(|value| self.value(layout, value)).collect();
            if known.iter().all(Option::is_none) || known.len() > SECRETS {
                return None;
            }
            let words: Vec<String> = known.into_iter().map(|word| word.unwrap_or_else(|| "–".to_owned())).collect();
            Some(format!("{} {}", layout.title.to_lowercase(), words.join(" ")))
        });
        secret.collect()
    }

    /// Writes a value of a state; none for nobody and none.
    fn value(&self, layout: &ValueLayout, value: i32) -> Option<String> {
        match layout.kind.as_str() {
            "player" => u8::try_from(value).ok().map(|seat| self.name(seat)),
            "card" => FaceId::try_from(value).ok().map(|face| self.face(face).to_owned()),
            "yesno" => Some(if value == 0 { "no" } else { "yes" }.to_owned()),
            "value" => usize::try_from(value).ok().and_then(|at| layout.names.get(at)).cloned(),
            _ => (value != NONE_VALUE).then(|| value.to_string()),
        }
    }

    /// Writes the score sheet: a column for each player, and a row for each `row` badge in which some player has a value.
    fn sheet(&self, view: &View, out: &mut String) {
        let columns: Vec<(u8, Vec<&BadgeView>)> = (0u8..)
            .zip(view.seats.iter())
            .map(|(number, seat)| (number, seat.badges.iter().filter(|badge| badge.kind == "row").collect()))
            .filter(|(_, rows): &(u8, Vec<&BadgeView>)| !rows.is_empty())
            .collect();
        let Some((_, first)) = columns.first() else { return };
        let text = |line: &Option<RichText>| line.as_ref().map(|line| self.line(line)).unwrap_or_default();
        let head = std::iter::once(String::new()).chain(columns.iter().map(|(seat, _)| self.name(*seat)));
        let mut rows: Vec<Vec<String>> = vec![head.collect()];
        for (at, row) in first.iter().enumerate() {
            let cells = columns.iter().map(|(_, rows)| rows.get(at).map(|row| text(&row.value)).unwrap_or_default());
            let cells: Vec<String> = cells.collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(std::iter::once(text(&row.label)).chain(cells).collect());
            }
        }
        if rows.len() == 1 {
            return;
        }
        out.push('\n');
        write_table(&rows, out);
    }

    /// Returns the numbers of cards in the zones of a seat. Zones whose cards the viewer owns and sees are listed elsewhere.
    fn holdings(&self, view: &View, seat: u8) -> String {
        let own = view.seat == Some(seat);
        let zones = self.table.zones.iter().zip(&view.zones).filter(|(layout, _)| layout.owner == Some(seat));
        let held = zones.filter(|(_, zone)| !own || !matches!(zone.content, Content::Cards(_)));
        let held = held.filter_map(|(layout, zone)| match count(zone) {
            Some(n) if n > 0 => Some(format!("{} {n}", layout.title.to_lowercase())),
            _ => None,
        });
        held.collect::<Vec<_>>().join(", ")
    }

    fn zones(&self, view: &View, out: &mut String) {
        let mut rows = Vec::new();
        for (layout, zone) in self.table.zones.iter().zip(&view.zones) {
            let own = layout.owner.is_some() && layout.owner == view.seat;
            let content = match &zone.content {
                Content::Nothing => continue,
                Content::Count(0) => continue,
                Content::Cards(cards) if cards.is_empty() => continue,
                _ if layout.owner.is_some() && !own => match &zone.content {
                    Content::Cards(cards) if cards.len() <= LISTED => self.cards(layout, zone, cards),
                    _ => continue,
                },
                Content::Count(n) => cards_counted(*n as usize),
                Content::Cards(cards) if cards.len() > LISTED && !own => cards_counted(cards.len()),
                Content::Cards(cards) => self.cards(layout, zone, cards),
            };
            rows.push([self.zone_title(layout, view), content]);
        }
        if !rows.is_empty() {
            out.push('\n');
            write_table(&rows, out);
        }
    }

    fn cards(&self, layout: &ZoneLayout, zone: &ZoneView, cards: &[CardView]) -> String {
        let write = |card: &CardView| match card.by {
            Some(seat) => format!("{} ({})", self.card(card), self.name(seat)),
            None => self.card(card),
        };
        let long = cards.iter().any(|card| {
            let name = self.card(card);
            name.contains(' ') || name.chars().count() > 12
        });
        let list = cards.iter().map(write).collect::<Vec<_>>().join(if long { " / " } else { " " });
        match (zone.turned, layout.shape.as_str()) {
            (true, _) => format!("[{list}]"),
            _ => list,
        }
    }

    /// Writes the dice without owner on one line, and those of each player on another.
    fn dice(&self, view: &View, out: &mut String) {
        let face = |layout: &DiceLayout, face: &Option<i32>| match face {
            Some(0) => "–".to_owned(),
            face => Self::die_face(layout, *face),
        };
        let mut rows = Vec::new();
        for (layout, dice) in self.table.dice.iter().zip(&view.dice) {
            for owner in std::iter::once(None).chain((0..self.table.seats).map(Some)) {
                let own = layout.owners.iter().zip(&dice.faces).filter(|(of, _)| **of == owner);
                let faces: Vec<String> = own.map(|(_, shown)| face(layout, shown)).collect();
                if !faces.is_empty() {
                    rows.push([self.owned(&layout.title, owner, view), faces.join(" ")]);
                }
            }
        }
        if !rows.is_empty() {
            out.push('\n');
            write_table(&rows, out);
        }
    }

    fn decision(&self, view: &View, out: &mut String) {
        let Some(decision) = &view.decision else { return };
        let prompt = decision.prompt.as_ref().map(|line| self.line(line));
        let _ = writeln!(out, "\n{}", prompt.unwrap_or_else(|| "Your move".to_owned()));
        let choices = choices(self, view, MOST_CHOICES);
        let width = choices.iter().take(NUMBERED).map(|choice| choice.key.len()).max().unwrap_or(1);
        for Choice { key, label, .. } in choices.iter().take(NUMBERED) {
            let _ = writeln!(out, "  {key:>width$}  {label}");
        }
        if let Some(Choice { label, .. }) = choices.get(NUMBERED..).and_then(|more| more.last()) {
            let more = choices.len() - NUMBERED;
            let _ = writeln!(out, "  {:>width$}  and {more} more: type the words, such as “{label}”", "…");
        }
        let parts = decision.alternatives.iter().flat_map(|alternative| {
            let label = self.line(&alternative.label);
            alternative.parts.iter().map(move |part| (label.clone(), part))
        });
        for (label, part) in parts {
            let PartKindView::Card { blocked, .. } = &part.kind else { continue };
            // Writes each reason once, with all cards that it blocks.
            let mut reasons: Vec<(&RichText, Vec<String>)> = Vec::new();
            for Blocked { handle, reason } in blocked {
                let Some(reason) = reason else { continue };
                let card = self.handle(view, *handle);
                match reasons.iter_mut().find(|(other, _)| *other == &**reason) {
                    Some((_, cards)) => cards.push(card),
                    None => reasons.push((reason, vec![card])),
                }
            }
            for (reason, cards) in reasons {
                let cards = cards.join(if cards.iter().any(|card| card.contains(' ')) { " / " } else { " " });
                let _ = writeln!(out, "  {:>width$}  {label} {cards} – {}", "–", self.line(reason));
            }
        }
    }

    /// Returns the values of a seat's score badges.
    fn points(&self, view: &View, seat: u8) -> String {
        let badges = view.seats.get(usize::from(seat)).map(|seat| &seat.badges[..]).unwrap_or_default();
        let scores = badges.iter().filter(|badge| badge.kind == "score").filter_map(|badge| badge.value.as_ref());
        scores.map(|value| self.line(value)).collect::<Vec<_>>().join(", ")
    }

    fn waiting(&self, view: &View, out: &mut String) {
        let names: Vec<String> = view.waiting.iter().map(|waiting| self.name(waiting.seat)).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "\nWaiting for {}.", names.join(", "));
        }
    }

    fn outcome(&self, view: &View, out: &mut String) {
        let Some(outcome) = &view.outcome else { return };
        let names = |seats: &[u8]| seats.iter().map(|seat| self.name(*seat)).collect::<Vec<_>>().join(", ");
        let banner = outcome.banner.as_ref().map(|line| self.line(line));
        let _ = writeln!(out, "\n══ {} ══", banner.unwrap_or_else(|| outcome.kind.replace('-', " ")));
        if let Some((score, most)) = outcome.score {
            let _ = writeln!(out, "Everybody: {score} out of {most}");
        }
        if !outcome.winners.is_empty() {
            let _ = writeln!(out, "Winners: {}", names(&outcome.winners));
        }
        if !outcome.losers.is_empty() {
            let _ = writeln!(out, "Losers: {}", names(&outcome.losers));
        }
        if outcome.kind == "ranking" {
            let mut ranks: Vec<_> =
                (0u8..).zip(&outcome.ranks).filter_map(|(seat, rank)| Some(((*rank)?, seat))).collect();
            ranks.sort_unstable();
            for (rank, seat) in ranks {
                let _ =
                    writeln!(out, "{}", format!("{rank}. {}  {}", self.name(seat), self.points(view, seat)).trim_end());
            }
        }
    }
}

fn count(zone: &ZoneView) -> Option<usize> {
    match &zone.content {
        Content::Cards(cards) => Some(cards.len()),
        Content::Count(n) => Some(*n as usize),
        Content::Nothing => None,
    }
}

fn cards_counted(n: usize) -> String {
    if n == 1 { "1 card".to_owned() } else { format!("{n} cards") }
}

/// Writes rows with aligned columns and without trailing spaces.
fn write_table<Row: AsRef<[String]>>(rows: &[Row], out: &mut String) {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.as_ref().iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let _ = write!(line, "{cell}{}  ", " ".repeat(width - cell.chars().count()));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
