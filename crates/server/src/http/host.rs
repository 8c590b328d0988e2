//! Which names this server answers to, and whose pages may talk to it.
//!
//! A page of another site can give its own name the address of this server and then counts, for a browser, as a page of this
//! server. So a server that knows its own name answers to no other.

use crate::Services;
use crate::config::Config;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};

/// Names that this server answers to. None: to any.
pub struct Hosts(Option<Vec<String>>);

/// Why a request is not answered.
#[derive(Debug, PartialEq, Eq)]
pub enum BadHost {
    /// None, several, or not the name of a host.
    Malformed,
    /// The name of another host.
    Foreign,
}

impl Hosts {
    pub fn new(config: &Config) -> Self {
        Hosts(config.public_url.as_ref().map(|url| {
            let own = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            let own = own.split('/').next().unwrap_or_default();
            std::iter::once(own).chain(config.hosts.iter().map(String::as_str)).map(plain).collect()
        }))
    }

    /// Whether a request names one host, and one of these.
    pub fn check(&self, request: &Request) -> Result<(), BadHost> {
        let named = named(request)?;
        // Whoever watches the server may ask by its address.
        let watched = matches!(request.uri().path(), "/healthz" | "/metrics");
        match &self.0 {
            Some(hosts) if !watched && !named.is_some_and(|name| hosts.contains(&plain(&name))) => {
                Err(BadHost::Foreign)
            }
            _ => Ok(()),
        }
    }
}

/// The host that a request names. Before HTTP/1.1 it need not.
fn named(request: &Request) -> Result<Option<String>, BadHost> {
    let mut headers = request.headers().get_all(header::HOST).into_iter();
    let header = match (headers.next(), headers.next()) {
        (Some(host), None) => host.to_str().ok().filter(|host| is_host(host)).ok_or(BadHost::Malformed)?,
        (None, None) if request.version() == Version::HTTP_10 => return Ok(None),
        _ => return Err(BadHost::Malformed),
    };
    // A request that names its host in the first line means that one.
    Ok(Some(request.uri().authority().map_or(header, Authority::as_str).to_owned()))
}

fn is_host(text: &str) -> bool {
    !text.contains('@') && text.parse::<Authority>().is_ok()
}

/// A name without what makes no difference: case, a dot at its end, the port that goes without saying.
fn plain(host: &str) -> String {
    let host = host.strip_suffix(":443").or_else(|| host.strip_suffix(":80")).unwrap_or(host);
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// A browser says where a page comes from; whatever says nothing is no browser and has no cookies of ours to misuse.
pub fn origin_allowed(services: &Services, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let own = origin.split_once("://").is_some_and(|(_, rest)| !host.is_empty() && rest == host);
    own || origin == services.public_url || services.config.origins.iter().any(|allowed| allowed == origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn check(public_url: Option<&str>, path: &str, hosts: &[&str]) -> Result<(), BadHost> {
        let mut config = Config::new("127.0.0.1:0".parse().unwrap(), "data".into(), "games".into());
        config.public_url = public_url.map(str::to_owned);
        config.hosts = vec!["Second.example".into()];
        let mut request = Request::builder().uri(path);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        Hosts::new(&config).check(&request.body(Body::empty()).unwrap())
    }

    #[test]
    fn a_server_that_knows_its_name_answers_to_no_other() {
        let own = Some("https://cards.example/");
        for host in ["cards.example", "Cards.Example", "cards.example:443", "cards.example.", "second.example"] {
            assert_eq!(check(own, "/api/games", &[host]), Ok(()), "{host}");
        }
        for host in ["evil.example", "127.0.0.1:8080", "cards.example:8080", "cards.example.evil.example"] {
            assert_eq!(check(own, "/api/games", &[host]), Err(BadHost::Foreign), "{host}");
            assert_eq!(check(own, "/healthz", &[host]), Ok(()));
            assert_eq!(check(own, "/metrics", &[host]), Ok(()));
            assert_eq!(check(None, "/", &[host]), Ok(()));
        }
        assert_eq!(check(own, "http://evil.example/", &["cards.example"]), Err(BadHost::Foreign));
        assert_eq!(check(Some("http://localhost:7777"), "/", &["localhost:7777"]), Ok(()));
        assert_eq!(check(Some("http://localhost:7777"), "/", &["localhost"]), Err(BadHost::Foreign));
    }

    #[test]
    fn a_request_names_one_host() {
        for hosts in [&[][..], &["a.example", "a.example"], &[""], &["a b"], &["user@a.example"], &["a.example/x"]] {
            assert_eq!(check(None, "/", hosts), Err(BadHost::Malformed), "{hosts:?}");
        }
    }
}
