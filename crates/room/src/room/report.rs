//! Reports: a player tells the people who run the server about a line or a name. What is kept is what that player was sent.

use super::Room;
use crate::ActionRefusal;
use crate::identity::{Member, hash};
use crate::message::ClientId;
use baize_protocol::{ChatKind, ErrorCode, Reported};
use baize_rows::{ReportRow, Write};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// So many reports of one browser in so many milliseconds.
const MOST: u32 = 5;
const WITHIN: u64 = 10 * 60_000;
/// Browsers of which it is known how much they have reported.
const MOST_REPORTERS: usize = 256;

/// How much each browser has reported since when.
#[derive(Default)]
pub struct Reporters(BTreeMap<Member, (u64, u32)>);

impl Reporters {
    fn take(&mut self, member: Member, now: u64) -> Result<(), ActionRefusal> {
        self.0.retain(|_, (since, _)| now < *since + WITHIN);
        if self.0.len() >= MOST_REPORTERS && !self.0.contains_key(&member) {
            return Err(ErrorCode::TooFast.into());
        }
        let (_, count) = self.0.entry(member).or_insert((now, 0));
        *count += 1;
        if *count > MOST { Err(ErrorCode::TooFast.into()) } else { Ok(()) }
    }
}

/// What is reported, as the reporter sees it.
struct Seen {
    kind: &'static str,
    /// Tells one thing from another of its kind.
    target: String,
    about: Option<Member>,
    name: String,
    body: Value,
}

impl Room {
    pub(super) fn report(&mut self, id: ClientId, reported: &Reported) -> Result<(), ActionRefusal> {
        let now = self.now();
        let reporter = self.clients.iter().find(|client| client.id == id).ok_or(ErrorCode::NoSeat)?.member;
        let seen = match reported {
            Reported::Line { n } => self.line_seen(*n),
            Reported::Name { player_id } => self.name_seen(player_id),
        };
        let Seen { kind, target, about, name, mut body } = seen.ok_or(ErrorCode::NothingToReport)?;
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

    /// Only what people have written: neither the rules nor the server can be reported.
    fn line_seen(&self, n: u64) -> Option<Seen> {
        let kept = self.chat.iter().find(|kept| kept.line.n == n && kept.line.kind == ChatKind::Said)?;
        let line = &kept.line;
        let from = line.from.as_ref()?;
        Some(Seen {
            kind: "line",
            target: n.to_string(),
            about: kept.author,
            name: from.name.clone(),
            body: json!({ "text": line.text, "saidAt": line.at }),
        })
    }

    fn name_seen(&self, id: &str) -> Option<Seen> {
        let about = self.member_called(id)?;
        let player = self.record.player(id).map(|player| &player.name);
        let name = player.or_else(|| Some(&self.clients.iter().find(|client| client.who() == id)?.name))?;
        Some(Seen {
            kind: "name",
            target: format!("{id} {name}"),
            about: Some(about),
            name: name.clone(),
            body: json!({}),
        })
    }

    /// The person that clients know by this id, if it is one and is still here.
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
        let mut reporters = Reporters::default();
        let one = [1; 32];
        (0..MOST).for_each(|_| assert!(reporters.take(one, 1000).is_ok()));
        assert!(reporters.take(one, 2000).is_err());
        assert!(reporters.take(one, 1000 + WITHIN).is_ok());
        for n in 0..2 * MOST_REPORTERS as u32 {
            let mut member = [0; 32];
            member[..4].copy_from_slice(&n.to_le_bytes());
            let _ = reporters.take(member, 1000 + WITHIN);
        }
        assert_eq!(reporters.0.len(), MOST_REPORTERS);
    }
}
