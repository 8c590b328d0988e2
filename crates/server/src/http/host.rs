//! Which host names this server answers to, and which pages may talk to it.
//!
//! A page of another site can point its own host name to the address of this server (DNS rebinding), and then a browser
//! treats it as a page of this server. So a server that knows its own name answers to no other.

use crate::Services;
use crate::config::Config;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};

/// The host names that this server answers to. If there are none, it answers to any.
pub struct Hosts(Option<Vec<String>>);

/// Why a request's host is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum BadHost {
    /// The request names no host, several hosts, or no valid host name.
    Malformed,
    /// The request names another host.
    Foreign,
}

impl Hosts {
    pub fn new(config: &Config) -> Self {
        Hosts(config.public_url.as_ref().map(|url| {
            let own = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            let own = own.split('/').next().unwrap_or_default();
            std::iter::once(own).chain(config.hosts.iter().map(String::as_str)).map(normalize).collect()
        }))
    }

    /// Whether a request names exactly one host that this server answers to.
    pub fn check(&self, request: &Request) -> Result<(), BadHost> {
        let host = requested_host(request)?;
        // Monitoring may use the server's address instead of its name.
        let is_monitoring = matches!(request.uri().path(), "/healthz" | "/metrics");
        match &self.0 {
            Some(hosts) if !is_monitoring && !host.is_some_and(|name| hosts.contains(&normalize(&name))) => {
                Err(BadHost::Foreign)
            }
            _ => Ok(()),
        }
    }
}

/// The host that a request names. HTTP/1.0 does not require one.
fn requested_host(request: &Request) -> Result<Option<String>, BadHost> {
    let mut headers = request.headers().get_all(header::HOST).into_iter();
    let header = match (headers.next(), headers.next()) {
        (Some(host), None) => host.to_str().ok().filter(|host| is_host(host)).ok_or(BadHost::Malformed)?,
        (None, None) if request.version() == Version::HTTP_10 => return Ok(None),
        _ => return Err(BadHost::Malformed),
    };
    // A host in the request line takes precedence.
    Ok(Some(request.uri().authority().map_or(header, Authority::as_str).to_owned()))
}

fn is_host(text: &str) -> bool {
    !text.contains('@') && text.parse::<Authority>().is_ok()
}

/// A host name without irrelevant differences: letter case, a final dot, a default port.
fn normalize(host: &str) -> String {
    let host = host.strip_suffix(":443").or_else(|| host.strip_suffix(":80")).unwrap_or(host);
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// A browser sends the origin of a page. A client that sends none is no browser and has no cookies to misuse.
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
    fn a_server_with_a_public_url_answers_to_no_other_host() {
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
    fn a_request_has_to_name_exactly_one_host() {
        for hosts in [&[][..], &["a.example", "a.example"], &[""], &["a b"], &["user@a.example"], &["a.example/x"]] {
            assert_eq!(check(None, "/", hosts), Err(BadHost::Malformed), "{hosts:?}");
        }
    }
}
