//! What has happened, told to one player.

use baize_engine::present::terminal::Terminal;
use baize_engine::view::{Batch, Cause, Event, Line, Piece, View};

/// Whom a story is told to, and how the table looks after it.
pub struct Story<'a> {
    pub terminal: Terminal<'a>,
    pub view: &'a View,
    pub me: u8,
}

/// Cards that went one way.
struct Went {
    who: Option<u8>,
    to: u16,
    cards: Vec<String>,
    /// With those that can't be seen.
    count: u32,
}

impl Story<'_> {
    /// Who moved which cards, and what was announced, a line each.
    pub fn lines(&self, batch: &Batch) -> Vec<String> {
        let mut lines = Vec::new();
        let mut went: Vec<Went> = Vec::new();
        // What comes after a shuffle or in another phase is no longer what somebody did.
        let mut mover = match batch.cause {
            Cause::Move { seat } => Some(seat),
            _ => None,
        };
        for event in &batch.events {
            match event {
                Event::Moved { from, to: Some(to), count, came, .. } => {
                    let owner =
                        |zone: u16| self.terminal.table.zones.get(usize::from(zone)).and_then(|zone| zone.owner);
                    let giver = from.and_then(owner);
                    let who = giver.or_else(|| owner(*to).filter(|owner| Some(*owner) == mover));
                    let cards = came.iter().map(|placed| self.terminal.card(&placed.card));
                    let at = went.iter().position(|went| (went.who, went.to) == (who, *to)).unwrap_or_else(|| {
                        went.push(Went { who, to: *to, cards: Vec::new(), count: 0 });
                        went.len() - 1
                    });
                    went[at].cards.extend(cards);
                    went[at].count += count;
                }
                Event::Shuffled { .. } | Event::Phase { .. } => {
                    lines.extend(went.drain(..).map(|went| self.movement(&went)));
                    mover = None;
                }
                Event::Announced { text, .. } => {
                    lines.extend(went.drain(..).map(|went| self.movement(&went)));
                    lines.push(format!("  * {}", self.spoken(text)));
                }
                _ => {}
            }
        }
        lines.extend(went.iter().map(|went| self.movement(went)));
        lines
    }

    fn movement(&self, went: &Went) -> String {
        let what = match (&went.cards[..], went.count) {
            (cards, n) if cards.len() == n as usize => cards.join(" "),
            (_, 1) => "a card".to_owned(),
            (_, n) => format!("{n} cards"),
        };
        let layout = self.terminal.table.zones.get(usize::from(went.to));
        let place = match layout.filter(|layout| layout.owner.is_some() && layout.owner == went.who) {
            Some(own) => own.title.to_lowercase(),
            None => self.terminal.place(self.view, usize::from(went.to)),
        };
        match went.who {
            Some(seat) => format!("  {}: {what} → {place}", self.terminal.name(seat)),
            None => format!("  {what} → {place}"),
        }
    }

    /// A text in which the player is spoken to: “You take the trick”.
    pub fn spoken(&self, line: &Line) -> String {
        let mut said = String::new();
        let mut addressed = false;
        for piece in &line.0 {
            match piece {
                Piece::Seat(seat) if *seat == self.me => {
                    said.push_str(if said.is_empty() { "You" } else { "you" });
                    addressed = true;
                    continue;
                }
                Piece::Text(text) if addressed => said.push_str(&in_second_person(text)),
                other => said.push_str(&self.terminal.line(&Line(vec![other.clone()]))),
            }
            addressed = false;
        }
        said
    }
}

/// What follows “You” where it followed a name: ` takes` becomes ` take`, `'s` becomes `r`.
fn in_second_person(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("'s").or_else(|| text.strip_prefix("’s")) {
        return format!("r{rest}");
    }
    let Some(after) = text.strip_prefix(' ') else { return text.to_owned() };
    let end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
    let (verb, rest) = after.split_at(end);
    let plain = match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        "always" | "as" | "plus" | "versus" | "this" => verb.to_owned(),
        _ => {
            let stem = |ending: &str| verb.strip_suffix(ending);
            let sibilant = |stem: &&str| ["ch", "sh", "ss", "x", "zz", "o"].iter().any(|end| stem.ends_with(end));
            match (stem("ies"), stem("es").filter(sibilant), stem("s").filter(|stem| !stem.ends_with('s'))) {
                (Some(stem), _, _) if stem.len() > 1 => format!("{stem}y"),
                (_, Some(stem), _) | (_, _, Some(stem)) => stem.to_owned(),
                _ => verb.to_owned(),
            }
        }
    };
    format!(" {plain}{rest}")
}

#[cfg(test)]
mod tests {
    use super::in_second_person;

    #[test]
    fn verbs_follow_the_person() {
        for (third, second) in [
            (" takes the trick", " take the trick"),
            (" passes", " pass"),
            (" goes out, and wins", " go out, and wins"),
            (" is out", " are out"),
            (" has 3 points", " have 3 points"),
            (" carries on", " carry on"),
            ("'s turn", "r turn"),
            (" ties", " tie"),
            (" always wins", " always wins"),
            (" played 3", " played 3"),
            (", well done", ", well done"),
        ] {
            assert_eq!(in_second_person(third), second);
        }
    }
}
