//! Limits per address: sockets at once, and tables and packs made.

use crate::config::Config;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

#[derive(Default)]
pub struct Addresses(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    sockets: HashMap<IpAddr, usize>,
    all_sockets: usize,
    /// Things made and looked up in the current minute.
    made: HashMap<IpAddr, u32>,
    looked: HashMap<IpAddr, u32>,
    minute: u64,
}

/// A socket that is counted until it is dropped.
pub struct Counted {
    services: Arc<crate::Services>,
    address: IpAddr,
}

impl Addresses {
    pub fn socket(services: &Arc<crate::Services>, address: IpAddr) -> Option<Counted> {
        let config = &services.config;
        let mut counts = services.addresses.0.lock().expect("no panic under this lock");
        let here = counts.sockets.get(&address).copied().unwrap_or(0);
        if counts.all_sockets >= config.max_sockets || here >= config.max_sockets_per_address {
            return None;
        }
        counts.all_sockets += 1;
        counts.sockets.insert(address, here + 1);
        Some(Counted { services: services.clone(), address })
    }

    /// Whether this address may make another table or pack now.
    pub fn may_make(&self, config: &Config, address: IpAddr) -> bool {
        let mut counts = self.in_minute(config);
        let made = counts.made.entry(address).or_default();
        *made = made.saturating_add(1);
        *made <= config.makes_per_minute
    }

    /// Whether this address may look up another table or replay now.
    pub fn may_look(&self, config: &Config, address: IpAddr) -> bool {
        let mut counts = self.in_minute(config);
        let looked = counts.looked.entry(address).or_default();
        *looked = looked.saturating_add(1);
        *looked <= config.looks_per_minute
    }

    /// The counts of the current minute.
    fn in_minute(&self, config: &Config) -> MutexGuard<'_, Counts> {
        let minute = config.clock.now() / 60_000;
        let mut counts = self.0.lock().expect("no panic under this lock");
        if counts.minute != minute {
            counts.minute = minute;
            counts.made = HashMap::new();
            counts.looked = HashMap::new();
        }
        counts
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.services.addresses.0.lock().expect("no panic under this lock");
        counts.all_sockets = counts.all_sockets.saturating_sub(1);
        if let Some(here) = counts.sockets.get_mut(&self.address) {
            *here -= 1;
            if *here == 0 {
                counts.sockets.remove(&self.address);
            }
        }
    }
}

/// Behind a proxy the last address it added; otherwise the peer's own.
pub fn of(config: &Config, headers: &HeaderMap, peer: SocketAddr) -> IpAddr {
    let forwarded = headers.get("x-forwarded-for").filter(|_| config.behind_proxy);
    let last = forwarded.and_then(|list| list.to_str().ok()).and_then(|list| list.rsplit(',').next());
    last.and_then(|address| address.trim().parse().ok()).unwrap_or(peer.ip())
}
