//! Whom a request comes from, and how much one address may ask for in a minute.

use crate::config::Config;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard};

/// What is counted as one address: an IPv4 address, or the /64 network of an IPv6 address, since whoever has one of its addresses
/// has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    pub fn of(address: IpAddr) -> Self {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
            address => address,
        })
    }

    /// Its address, or the first one of it.
    pub fn address(self) -> IpAddr {
        self.0
    }
}

/// Addresses that are counted one by one in a minute. All others share a count: what many addresses do must not fill memory.
const ADDRESSES: usize = 100_000;

#[derive(Default)]
pub struct Addresses(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    minute: u64,
    /// Things made and looked up in that minute.
    made: Count,
    looked: Count,
}

#[derive(Default)]
struct Count {
    each: HashMap<Network, u32>,
    others: u32,
}

impl Count {
    fn of(&mut self, network: Network) -> &mut u32 {
        match self.each.len() < ADDRESSES || self.each.contains_key(&network) {
            true => self.each.entry(network).or_default(),
            false => &mut self.others,
        }
    }

    fn take(&mut self, network: Network, most: u32) -> bool {
        let count = self.of(network);
        *count = count.saturating_add(1);
        *count <= most
    }
}

impl Addresses {
    /// Whether this address may make another table or pack now.
    pub fn may_make(&self, config: &Config, network: Network) -> bool {
        self.in_minute(config).made.take(network, config.makes_per_minute)
    }

    /// Whether this address may look up another table or replay now.
    pub fn may_look(&self, config: &Config, network: Network) -> bool {
        self.in_minute(config).looked.take(network, config.looks_per_minute)
    }

    /// What was looked up was there, and whoever asked for it has joined it: that was no guess.
    pub fn forgive_look(&self, config: &Config, network: Network) {
        let mut counts = self.in_minute(config);
        let looked = counts.looked.of(network);
        *looked = looked.saturating_sub(1);
    }

    /// The counts of the current minute.
    fn in_minute(&self, config: &Config) -> MutexGuard<'_, Counts> {
        let minute = config.clock.now() / 60_000;
        let mut counts = self.0.lock().expect("no panic under this lock");
        if counts.minute != minute {
            *counts = Counts { minute, ..Counts::default() };
        }
        counts
    }
}

/// Whom a request comes from. Each trusted proxy has added the address it was asked from to `X-Forwarded-For`; what stands before
/// those, the client may have written itself.
pub fn of(config: &Config, headers: &HeaderMap, peer: SocketAddr) -> Network {
    Network::of(forwarded(headers, config.proxies).unwrap_or(peer.ip()))
}

/// The address that the outermost trusted proxy has added, over all lines of the header; the first one if there are fewer.
fn forwarded(headers: &HeaderMap, proxies: usize) -> Option<IpAddr> {
    if proxies == 0 {
        return None;
    }
    let lines = headers.get_all("x-forwarded-for").into_iter();
    // A line that is no text has been written by somebody all the same.
    let list: Vec<&str> = lines.flat_map(|line| line.to_str().unwrap_or_default().split(',')).collect();
    parse(list.get(list.len().saturating_sub(proxies))?.trim())
}

/// An address, perhaps with a port, as some proxies write it.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(bare).or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    /// Only the entries that trusted proxies have added count, whichever line they are in; before, the last of the first line did.
    #[test]
    fn forwarded_addresses_count_from_the_right_over_all_lines() {
        for (lines, proxies, expected) in [
            (&["1.1.1.1"][..], 0, "9.9.9.9"),
            (&[], 1, "9.9.9.9"),
            (&["1.1.1.1"], 1, "1.1.1.1"),
            (&["6.6.6.6, 1.1.1.1"], 1, "1.1.1.1"),
            (&["6.6.6.6", "1.1.1.1"], 1, "1.1.1.1"),
            (&["6.6.6.6, 6.6.6.7", "1.1.1.1,2.2.2.2"], 2, "1.1.1.1"),
            (&["6.6.6.6", "1.1.1.1", "2.2.2.2"], 2, "1.1.1.1"),
            (&["1.1.1.1"], 2, "1.1.1.1"),
            (&["1.1.1.1, nonsense"], 1, "9.9.9.9"),
            (&["6.6.6.6, \u{fc}"], 1, "9.9.9.9"),
            (&["1.1.1.1:80"], 1, "1.1.1.1"),
            (&["[2001:db8::1]:80"], 1, "2001:db8::1"),
            (&["[2001:db8::1]"], 1, "2001:db8::1"),
            (&[""], 1, "9.9.9.9"),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(line.as_bytes()).unwrap());
            }
            let mut config = Config::new("127.0.0.1:0".parse().unwrap(), "data".into(), "games".into());
            config.proxies = proxies;
            assert_eq!(of(&config, &headers, "9.9.9.9:1".parse().unwrap()), network(expected), "{lines:?} {proxies}");
        }
    }

    #[test]
    fn counts_of_many_addresses_do_not_fill_memory() {
        let mut count = Count::default();
        for n in 0..ADDRESSES as u128 + 10 {
            assert!(count.take(Network::of(Ipv6Addr::from_bits(n << 64).into()), 10));
        }
        assert_eq!(count.each.len(), ADDRESSES);
        assert!(!count.take(network("192.0.2.1"), 10), "the eleventh of all others");
    }
}
