//! What the link to a table tells before anybody joins: tags in the page for previews in chats, and a picture.

use super::tables::may_look;
use super::{AppState, Refusal, picture, refused, store_failure};
use crate::library::Compiled;
use crate::slow_work::run_aside;
use crate::{Services, identity};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use baize_engine::definition::Definition;
use baize_protocol::{ErrorCode, TableStatus};
use baize_room::record::TableRecord;
use baize_room::{encode, names};
use std::fmt::Write;
use std::net::SocketAddr;

/// Characters of the game's own sentence in a preview. Chats show few of them.
const MAX_ABOUT_CHARS: usize = 200;

/// What a stranger with the link may know of a table.
struct Invitation {
    code: String,
    game: Option<Definition>,
    title: String,
    /// The host's name; none at a locked table.
    host: Option<String>,
    /// How many are seated, and how many seats there are; none at a locked table.
    seated: Option<(u32, u32)>,
    is_locked: bool,
    status: TableStatus,
}

impl Invitation {
    /// Reads the stored record. It opens no room, so a guessed code costs one read.
    async fn read(services: &Services, code: &str) -> Result<Option<Invitation>, Refusal> {
        let code = code.to_lowercase();
        let Some(row) = services.store.peek(&code).await.map_err(store_failure)? else { return Ok(None) };
        let record: TableRecord = serde_json::from_slice(&row.record).map_err(|error| {
            tracing::error!(%code, %error, "a record is damaged");
            refused(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Storage)
        })?;
        let game = match services.library.get(&record.definition_id) {
            Some(Compiled::Playable(rules)) => Some(rules.definition.clone()),
            _ => None,
        };
        let known = record.may_know_people(None);
        let card = record.card(row.updated_at, None);
        let seated = card.players.len() as u32 + card.bots;
        let seats = game.as_ref().map(|game| u32::from(game.max_players));
        Ok(Some(Invitation {
            code,
            title: card.title,
            host: card.host.filter(|_| known),
            seated: seats.filter(|_| known).map(|seats| (seated.min(seats), seats)),
            is_locked: !known,
            status: record.status,
            game,
        }))
    }

    fn heading(&self) -> String {
        match (&self.host, self.status) {
            (Some(host), TableStatus::Lobby) => format!("{} invites you to {}", names::shown(host), self.title),
            (Some(host), TableStatus::Ended) => format!("{} with {}: over", self.title, names::shown(host)),
            (Some(host), _) => format!("{} with {}", self.title, names::shown(host)),
            (None, _) => self.title.clone(),
        }
    }

    fn description(&self) -> String {
        let mut parts = Vec::new();
        if let Some((seated, seats)) = self.seated {
            parts.push(format!("{seated} of {seats} seated"));
        }
        match self.game.as_ref().and_then(|game| game.minutes) {
            Some((low, high)) if low == high => parts.push(format!("about {low} minutes")),
            Some((low, high)) => parts.push(format!("{low}–{high} minutes")),
            None => {}
        }
        if self.is_locked {
            parts.push("nobody new can come in".to_owned());
        }
        let about = self.game.as_ref().map(|game| game.description.as_str()).unwrap_or_default();
        let short: String = about.chars().take(MAX_ABOUT_CHARS).collect();
        [parts.join(" · "), short].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }

    /// The tags for the head of the page. Everything that people or rules have written is escaped.
    fn tags(&self, public_url: &str) -> String {
        let (code, size) = (&self.code, picture::SIZE);
        let (heading, description) = (escape(&self.heading()), escape(&self.description()));
        let alt = escape(&format!("The table of {}", self.title));
        let mut tags = format!("<title>{heading} · Baize</title>\n");
        let url = escape(&format!("{public_url}/t/{code}"));
        let image = escape(&format!("{public_url}/api/tables/{code}/picture.png"));
        let properties = [
            ("og:type", "website"),
            ("og:site_name", "Baize"),
            ("og:title", &heading),
            ("og:description", &description),
            ("og:url", &url),
            ("og:image", &image),
            ("og:image:type", "image/png"),
            ("og:image:width", &size.0.to_string()),
            ("og:image:height", &size.1.to_string()),
            ("og:image:alt", &alt),
        ];
        for (name, content) in properties {
            let _ = writeln!(tags, "    <meta property=\"{name}\" content=\"{content}\" />");
        }
        let _ = writeln!(tags, "    <meta name=\"description\" content=\"{description}\" />");
        tags.push_str("    <meta name=\"twitter:card\" content=\"summary_large_image\" />");
        tags
    }
}

/// The page with the tags of a table, or none if there is no such table. An address that has looked up too much gets the
/// page without them: a person can still join.
pub async fn page_of_table(
    services: &Services,
    headers: &HeaderMap,
    peer: SocketAddr,
    code: &str,
    page: &[u8],
) -> Option<Vec<u8>> {
    may_look(services, headers, peer).ok()?;
    let invitation = Invitation::read(services, code).await.ok()??;
    insert_tags(std::str::from_utf8(page).ok()?, &invitation.tags(&services.public_url))
}

/// Replaces the title and the description of the built page.
fn insert_tags(page: &str, tags: &str) -> Option<Vec<u8>> {
    let (before, rest) = page.split_once("<title>")?;
    let (_, after) = rest.split_once("</title>")?;
    let before = match before.split_once("<meta name=\"description\"") {
        Some((start, rest)) => format!("{start}{}", rest.split_once("/>")?.1.trim_start()),
        None => before.to_owned(),
    };
    Some(format!("{before}{tags}{after}").into_bytes())
}

/// The picture of a table's invitation: the game's cloth, cards and dice, and which seats are taken.
pub async fn picture_of_table(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    may_look(&services, &headers, peer)?;
    let unknown = || refused(StatusCode::NOT_FOUND, ErrorCode::NoTable);
    let invitation = Invitation::read(&services, &code).await?.ok_or_else(unknown)?;
    let game = invitation.game.as_ref();
    let (theme, preview) = (game.map(|game| game.theme.clone()), game.map(|game| game.preview.clone()));
    let shown = picture::InvitationPreview {
        cloth: theme.as_ref().and_then(|theme| theme.get("cloth").cloned()).unwrap_or_default(),
        preview: preview.unwrap_or_default(),
        seated: invitation.seated,
    };
    let key = encode::json("the key of a picture", &(&shown.cloth, &shown.preview, shown.seated));
    let key = key.map_err(|error| store_failure(error.into()))?;
    let draw = async { Ok(run_aside(|| picture::draw(&shown))) };
    let key = (identity::hash(&[&key]), "picture");
    let png = services.texts.get(key, || services.config.clock.now(), draw).await?;
    let png = png.ok_or_else(|| refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy))?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=60")], png))
}

/// Text inside HTML and inside a quoted attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<head>
    <meta name="description" content="A table." />
    <title>Baize</title>
  </head>"#;

    fn invitation(host: &str) -> Invitation {
        Invitation {
            code: "abc".into(),
            game: None,
            title: "Chess & <b>".into(),
            host: Some(host.into()),
            seated: Some((3, 8)),
            is_locked: false,
            status: TableStatus::Lobby,
        }
    }

    #[test]
    fn an_invitation_replaces_title_and_description_of_the_page() {
        let page = insert_tags(PAGE, &invitation("Ada").tags("https://cards.example")).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<title>Ada invites you to Chess &amp; &lt;b&gt; · Baize</title>"), "{page}");
        assert!(page.contains(r#"<meta property="og:description" content="3 of 8 seated" />"#), "{page}");
        assert!(page.contains(r#"content="https://cards.example/api/tables/abc/picture.png""#), "{page}");
        assert_eq!(page.matches("<title>").count(), 1);
        assert_eq!(page.matches(r#"name="description""#).count(), 1);
        assert!(insert_tags("<p>no head</p>", "").is_none());
    }

    #[test]
    fn an_invitation_escapes_what_people_have_written() {
        let tags = invitation("\"><script>alert(1)</script>&'").tags("https://cards.example");
        assert!(!tags.contains("<script"), "{tags}");
        assert!(tags.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;"), "{tags}");
    }
}
