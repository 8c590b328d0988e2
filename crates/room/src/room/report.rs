//! A player reports a chat line, a name, the words on a card or an uploaded pack to the operator. The words on a card may come
//! from a player or from an uploaded pack. A report contains only what the room sent to that player.

use super::Room;
use crate::ActionRefusal;
use crate::identity::{Member, hash};
use crate::message::ClientId;
use baize_engine::view::{CardView, Content, Handle};
use baize_protocol::{ChatKind, ErrorCode, ReportTarget, TableStatus};
use baize_rows::{ReportRow, Write};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Upper bound on reports of one browser in [`PERIOD`] milliseconds.
const MAX_REPORTS: u32 = 5;
const PERIOD: u64 = 10 * 60_000;
/// Upper bound on browsers whose reports are counted.
const MAX_REPORTERS: usize = 256;

/// For each browser the beginning of its period, and its reports since then.
#[derive(Default)]
pub struct ReportCounts(BTreeMap<Member, (u64, u32)>);

impl ReportCounts {
    /// Whether this browser has reports left.
    fn has_left(&self, member: &Member, now: u64) -> bool {
        self.0.get(member).is_none_or(|(since, count)| now >= since + PERIOD || *count < MAX_REPORTS)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn take(&mut self, member: Member, now: u64) -> Result<(), ActionRefusal> {
        self.0.retain(|_, (since, _)| now < *since + PERIOD);
        if self.0.len() >= MAX_REPORTERS && !self.0.contains_key(&member) {
            return Err(ErrorCode::TooFast.into());
        }
        let (_, count) = self.0.entry(member).or_insert((now, 0));
        *count += 1;
        if *count > MAX_REPORTS { Err(ErrorCode::TooFast.into()) } else { Ok(()) }
    }
}

/// The reported line, name, card or pack, as the reporter sees it.
struct ReportedContent {
    kind: &'static str,
    /// Distinguishes the target from others of its kind.
    target: String,
    about: Option<Member>,
    name: String,
    body: Value,
}

impl Room {
    pub(super) fn report(&mut self, id: ClientId, reported: &ReportTarget) -> Result<(), ActionRefusal> {
        let now = self.now();
        let reporter = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?.member;
        let seen = match reported {
            ReportTarget::Line { n } => self.line_seen(*n),
            ReportTarget::Name { player_id } => self.name_seen(player_id),
            ReportTarget::Card { handle } => self.card_seen(id, *handle).or_else(|| self.pack_card_seen(id, *handle)),
            ReportTarget::Pack { id } => self.pack_seen(id),
        };
        let ReportedContent { kind, target, about, name, mut body } = seen.ok_or(ErrorCode::NothingToReport)?;
        self.reporters.take(reporter, now)?;
        body["game"] = self.record.title.clone().into();
        let code = &self.record.code;
        let key = hash(&[b"baize report v1", code.as_bytes(), &reporter, kind.as_bytes(), target.as_bytes()]);
        self.pending.writes.push(Write::Report(ReportRow {
            id: 0,
            key,
            at: self.date(),
            table: code.clone(),
            kind: kind.to_owned(),
            reporter: Some(reporter),
            about,
            name,
            body: body.to_string().into_bytes(),
        }));
        Ok(())
    }

    /// Only lines that people wrote can be reported, not those of the rules or the server.
    fn line_seen(&self, n: u64) -> Option<ReportedContent> {
        let kept = self.chat.iter().find(|kept| kept.line.n == n && kept.line.kind == ChatKind::Said)?;
        let line = &kept.line;
        let from = line.from.as_ref()?;
        Some(ReportedContent {
            kind: "line",
            target: n.to_string(),
            about: kept.author,
            name: from.name.clone(),
            body: json!({ "text": line.text, "saidAt": line.at }),
        })
    }

    fn name_seen(&self, id: &str) -> Option<ReportedContent> {
        let about = self.member_called(id)?;
        let player = self.record.player(id).map(|player| &player.name);
        let name = player.or_else(|| Some(&self.clients.iter().find(|client| client.public_id() == id)?.name))?;
        Some(ReportedContent {
            kind: "name",
            target: format!("{id} {name}"),
            about: Some(about),
            name: name.clone(),
            body: json!({}),
        })
    }

    /// The words on a card, from the reporter's own view, which has no words on cards that the reporter may not read. Nobody knows
    /// who wrote the words; if the view shows who brought the card, the report names that player.
    fn card_seen(&self, id: ClientId, handle: Handle) -> Option<ReportedContent> {
        let card = self.card_in_view(id, handle)?;
        let words = card.written.as_deref()?;
        let (about, name) = card.by.and_then(|seat| self.first_at(seat)).unzip();
        Some(ReportedContent {
            kind: "card",
            // The same words of the same player are one report, although the card gets a new handle when it was out of sight.
            target: format!("{} {words}", card.by.map_or(-1, i32::from)),
            about,
            name: name.unwrap_or_default(),
            body: json!({ "text": words }),
        })
    }

    /// The words of an uploaded pack on a card, from the reporter's own view. The report names the pack and, to the operator alone, the browser
    /// that uploaded it. A report can't name a pack that was deleted since the game began.
    fn pack_card_seen(&self, id: ClientId, handle: Handle) -> Option<ReportedContent> {
        let words = self.pack_words(id, handle)?;
        let uploaded = || self.uploaded_packs().map(|id| (id, self.packs.get(id)));
        let pack = uploaded().find_map(|(_, pack)| pack.filter(|pack| pack.has_text(words)));
        let gone: Vec<_> = uploaded().filter(|(_, pack)| pack.is_none()).map(|(id, _)| id.as_str()).collect();
        if pack.is_none() {
            let operators = self.record.settings.pack_ids.iter().filter_map(|id| self.context.operator_packs.get(id));
            // If no uploaded pack was deleted, or an operator's pack has the words, the words are the operator's own, and nobody reports them.
            if gone.is_empty() || operators.into_iter().any(|pack| pack.has_text(words)) {
                return None;
            }
        }
        let pack_id = pack.map(|pack| pack.pack.id.clone()).unwrap_or_else(|| gone.join(", "));
        Some(ReportedContent {
            kind: "pack",
            target: format!("{pack_id} {words}"),
            about: pack.and_then(|pack| pack.maker),
            name: String::new(),
            body: json!({ "text": words, "pack": pack_id }),
        })
    }

    /// Returns the name and the description of an uploaded pack, which everybody at the table can read in the list of packs. Nobody
    /// can read those of a deleted pack any more.
    fn pack_seen(&self, id: &str) -> Option<ReportedContent> {
        let pack = self.packs.get(id).filter(|_| self.is_uploaded(id))?;
        let words = [&pack.pack.name, &pack.pack.description].map(String::as_str);
        let text = words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n");
        Some(ReportedContent {
            kind: "pack",
            target: id.to_owned(),
            about: pack.maker,
            name: String::new(),
            body: json!({ "text": text, "pack": id }),
        })
    }

    /// Returns the packs that a report may be about. There are none if the report is about neither a pack nor its words, or if the
    /// room will refuse it as one too many.
    pub(super) fn packs_for_report(&self, id: ClientId, reported: &ReportTarget) -> Option<Vec<String>> {
        let is_wanted = match reported {
            ReportTarget::Card { handle } => self.pack_words(id, *handle).is_some(),
            ReportTarget::Pack { id } => self.is_uploaded(id) && self.packs.get(id).is_none(),
            ReportTarget::Line { .. } | ReportTarget::Name { .. } => false,
        };
        let member = &self.client(id)?.member;
        if !is_wanted || !self.reporters.has_left(member, self.now()) {
            return None;
        }
        match reported {
            // A lobby keeps all packs that it has chosen, because the game begins with them.
            ReportTarget::Pack { id } if self.record.status != TableStatus::Lobby => Some(vec![id.clone()]),
            _ => Some(self.uploaded_packs().cloned().collect()),
        }
    }

    /// Whether the table has chosen this pack, and somebody uploaded it.
    fn is_uploaded(&self, id: &str) -> bool {
        self.rules.takes_packs() && self.uploaded_packs().any(|uploaded| uploaded == id)
    }

    /// Whether this table has packs that somebody uploaded.
    pub(super) fn has_uploaded_packs(&self) -> bool {
        self.rules.takes_packs() && self.uploaded_packs().next().is_some()
    }

    /// The chosen packs that are not the operator's. They can't change while a game is on the table.
    fn uploaded_packs(&self) -> impl Iterator<Item = &String> {
        self.record.settings.pack_ids.iter().filter(|id| self.context.operator_packs.get(id).is_none())
    }

    /// The words of a pack on this card, if this client sees its face and nobody wrote on it.
    fn pack_words(&self, id: ClientId, handle: Handle) -> Option<&str> {
        let card = self.card_in_view(id, handle).filter(|card| card.written.is_none())?;
        let words = self.play.as_ref()?.live.prepared().scene.pack_text(card.face?)?;
        (self.has_uploaded_packs() && !words.is_empty()).then_some(words)
    }

    fn card_in_view(&self, id: ClientId, handle: Handle) -> Option<&CardView> {
        let zones = self.view(id)?.zones.iter();
        let mut cards =
            zones.filter_map(|zone| if let Content::Cards(cards) = &zone.content { Some(cards) } else { None });
        cards.find_map(|cards| cards.iter().find(|card| card.handle == handle))
    }

    /// The player at this seat, if it is the first one there in this game. A card remembers only the seat, so after the
    /// seat has changed hands nobody knows which of its players brought the card.
    fn first_at(&self, seat: u8) -> Option<(Member, String)> {
        let player = self.record.by_seat(seat)?;
        let (_, first) = self.play.as_ref()?.record.members.iter().find(|(at, _)| *at == seat)?;
        (player.member == Some(*first)).then(|| (*first, player.name.clone()))
    }

    /// The member whom clients know by this id: a person in the record, or a connected spectator.
    fn member_called(&self, id: &str) -> Option<Member> {
        let player = self.record.player(id).and_then(|player| player.name_owner());
        player.or_else(|| self.clients.iter().find(|client| client.public_id() == id).map(|client| client.member))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_limited_for_each_browser_and_for_all() {
        let mut reporters = ReportCounts::default();
        let one = [1; 32];
        (0..MAX_REPORTS).for_each(|_| assert!(reporters.take(one, 1000).is_ok()));
        assert!(reporters.take(one, 2000).is_err());
        assert!(reporters.take(one, 1000 + PERIOD).is_ok());
        for n in 0..2 * MAX_REPORTERS as u32 {
            let mut member = [0; 32];
            member[..4].copy_from_slice(&n.to_le_bytes());
            let _ = reporters.take(member, 1000 + PERIOD);
        }
        assert_eq!(reporters.0.len(), MAX_REPORTERS);
    }
}
