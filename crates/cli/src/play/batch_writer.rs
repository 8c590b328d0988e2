//! Describes what one player saw happen.

use baize_engine::view::{Batch, Cause, Event, View};
use baize_terminal::Terminal;

/// Describes batches to one player, whose view is the one after the batch.
pub struct BatchWriter<'a> {
    pub terminal: Terminal<'a>,
    pub view: &'a View,
}

/// Cards that moved to one zone.
struct CardMovement {
    who: Option<u8>,
    /// The zone of another player from which they were taken.
    out_of: Option<u16>,
    to: u16,
    cards: Vec<String>,
    /// How many cards, including those that the player can't see.
    count: u32,
}

impl BatchWriter<'_> {
    /// Describes movements of cards and announcements, one in each line.
    pub fn lines(&self, batch: &Batch) -> Vec<String> {
        let mut lines = Vec::new();
        let mut went: Vec<CardMovement> = Vec::new();
        // Movements after a shuffle or a change of phase come from the rules, not from the player who moved.
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
                    let who = owner(*to).filter(|taker| Some(*taker) == mover).or(giver);
                    let out_of = from.filter(|_| giver.is_some() && giver != who);
                    let cards = came.iter().map(|placed| self.terminal.card(&placed.card));
                    let at = went
                        .iter()
                        .position(|went| (went.who, went.out_of, went.to) == (who, out_of, *to))
                        .unwrap_or_else(|| {
                            went.push(CardMovement { who, out_of, to: *to, cards: Vec::new(), count: 0 });
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
                    lines.push(format!("  * {}", self.terminal.line(text)));
                }
                _ => {}
            }
        }
        lines.extend(went.iter().map(|went| self.movement(went)));
        lines
    }

    fn movement(&self, went: &CardMovement) -> String {
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
        let what = match went.out_of {
            Some(zone) => format!("{what} ({})", self.terminal.place(self.view, usize::from(zone))),
            None => what,
        };
        match went.who {
            Some(seat) => format!("  {}: {what} → {place}", self.terminal.name(seat)),
            None => format!("  {what} → {place}"),
        }
    }
}
