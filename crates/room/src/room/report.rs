//! Reports: a player tells the operator about a chat line, a name, or the words on a card. The report has what that
//! player was sent.

use super::Room;
use crate::ActionRefusal;
use crate::identity::{Member, hash};
use crate::message::ClientId;
use baize_engine::view::{Content, Handle};
use baize_protocol::{ChatKind, ErrorCode, ReportTarget};
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

/// The reported line, name or card, as the reporter sees it.
struct Target {
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
            ReportTarget::Card { handle } => self.card_seen(id, *handle),
        };
        let Target { kind, target, about, name, mut body } = seen.ok_or(ErrorCode::NothingToReport)?;
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
    fn line_seen(&self, n: u64) -> Option<Target> {
        let kept = self.chat.iter().find(|kept| kept.line.n == n && kept.line.kind == ChatKind::Said)?;
        let line = &kept.line;
        let from = line.from.as_ref()?;
        Some(Target {
            kind: "line",
            target: n.to_string(),
            about: kept.author,
            name: from.name.clone(),
            body: json!({ "text": line.text, "saidAt": line.at }),
        })
    }

    fn name_seen(&self, id: &str) -> Option<Target> {
        let about = self.member_called(id)?;
        let player = self.record.player(id).map(|player| &player.name);
        let name = player.or_else(|| Some(&self.clients.iter().find(|client| client.who() == id)?.name))?;
        Some(Target {
            kind: "name",
            target: format!("{id} {name}"),
            about: Some(about),
            name: name.clone(),
            body: json!({}),
        })
    }

    /// The words on a card, from the reporter's own view: it has no words on cards that the reporter may not read. Whoever
    /// wrote them is not known; if the view shows who brought the card, it is reported as that player's.
    fn card_seen(&self, id: ClientId, handle: Handle) -> Option<Target> {
        let zones = self.view(id)?.zones.iter();
        let mut cards =
            zones.filter_map(|zone| if let Content::Cards(cards) = &zone.content { Some(cards) } else { None });
        let card = cards.find_map(|cards| cards.iter().find(|card| card.handle == handle))?;
        let words = card.written.as_deref()?;
        let (about, name) = card.by.and_then(|seat| self.first_at(seat)).unzip();
        Some(Target {
            kind: "card",
            // The same words of the same player are one report, although the card gets a new handle when it was out of sight.
            target: format!("{} {words}", card.by.map_or(-1, i32::from)),
            about,
            name: name.unwrap_or_default(),
            body: json!({ "text": words }),
        })
    }

    /// The player at this seat, if it is the first one there in this game. A card remembers only the seat, so after the
    /// seat has changed hands nobody knows which of its players brought the card.
    fn first_at(&self, seat: u8) -> Option<(Member, String)> {
        let player = self.record.by_seat(seat)?;
        let (_, first) = self.play.as_ref()?.record.members.iter().find(|(at, _)| *at == seat)?;
        (player.member == Some(*first)).then(|| (*first, player.name.clone()))
    }

    /// The member that clients know by this id, if it is a person who is still here.
    fn member_called(&self, id: &str) -> Option<Member> {
        let player = self.record.player(id).and_then(|player| player.member);
        player.or_else(|| self.clients.iter().find(|client| client.who() == id).map(|client| client.member))
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
