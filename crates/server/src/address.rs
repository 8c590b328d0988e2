//! The client address of a request, and the rate limits of one address.

use crate::config::Config;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard};

/// The unit of rate limits: an IPv4 address, or the /64 network of an IPv6 address, because its owner has all of its
/// addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    pub fn of(address: IpAddr) -> Self {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
            address => address,
        })
    }

    /// The address, or the first one of the network.
    pub fn address(self) -> IpAddr {
        self.0
    }
}

/// Upper bound on addresses that are counted separately in a minute. All others share one count, so that many addresses can't
/// fill memory.
const MAX_ADDRESSES: usize = 100_000;

#[derive(Default)]
pub struct AddressLimits(Mutex<MinuteCounts>);

#[derive(Default)]
struct MinuteCounts {
    minute: u64,
    /// Tables and packs made, and tables and replays looked up, in that minute.
    made: RequestCount,
    looked: RequestCount,
}

#[derive(Default)]
struct RequestCount {
    each: HashMap<Network, u32>,
    others: u32,
}

impl RequestCount {
    fn of(&mut self, network: Network) -> &mut u32 {
        match self.each.len() < MAX_ADDRESSES || self.each.contains_key(&network) {
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

impl AddressLimits {
    /// Counts one more table or pack, and returns whether the address may make it.
    pub fn may_make(&self, config: &Config, network: Network) -> bool {
        self.current_minute(config).made.take(network, config.makes_per_minute)
    }

    /// Counts one more lookup of a table or replay, and returns whether the address may make it.
    pub fn may_look(&self, config: &Config, network: Network) -> bool {
        self.current_minute(config).looked.take(network, config.looks_per_minute)
    }

    /// Takes back a lookup whose client has joined the table: its code was not a guess.
    pub fn forgive_look(&self, config: &Config, network: Network) {
        let mut counts = self.current_minute(config);
        let looked = counts.looked.of(network);
        *looked = looked.saturating_sub(1);
    }

    /// The counts of the current minute.
    fn current_minute(&self, config: &Config) -> MutexGuard<'_, MinuteCounts> {
        let minute = config.clock.now() / 60_000;
        let mut counts = self.0.lock().expect("no panic under this lock");
        if counts.minute != minute {
            *counts = MinuteCounts { minute, ..MinuteCounts::default() };
        }
        counts
    }
}

/// The client that a request comes from. Each trusted proxy has appended the address of its own client to
/// `X-Forwarded-For`; the client may have forged the entries before those.
pub fn client_network(config: &Config, headers: &HeaderMap, peer: SocketAddr) -> Network {
    Network::of(forwarded(headers, config.proxies).unwrap_or(peer.ip()))
}

/// The entry of the outermost trusted proxy, over all lines of the header; the first entry if there are fewer.
fn forwarded(headers: &HeaderMap, proxies: usize) -> Option<IpAddr> {
    if proxies == 0 {
        return None;
    }
    let lines = headers.get_all("x-forwarded-for").into_iter();
    // A line that is not valid text still counts as an entry.
    let list: Vec<&str> = lines.flat_map(|line| line.to_str().unwrap_or_default().split(',')).collect();
    parse(list.get(list.len().saturating_sub(proxies))?.trim())
}

/// An address, possibly with a port, as some proxies write it.
fn parse(text: &str) -> Option<IpAddr> {
    let without_port = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(without_port).or_else(with_port)
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

    /// Only entries of trusted proxies count, in whichever line they are. Earlier, the last entry of the first line
    /// counted.
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
            assert_eq!(
                client_network(&config, &headers, "9.9.9.9:1".parse().unwrap()),
                network(expected),
                "{lines:?} {proxies}"
            );
        }
    }

    #[test]
    fn the_number_of_counted_addresses_is_bounded() {
        let mut count = RequestCount::default();
        for n in 0..MAX_ADDRESSES as u128 + 10 {
            assert!(count.take(Network::of(Ipv6Addr::from_bits(n << 64).into()), 10));
        }
        assert_eq!(count.each.len(), MAX_ADDRESSES);
        assert!(!count.take(network("192.0.2.1"), 10), "the eleventh of all others");
    }
}
