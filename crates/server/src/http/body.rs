//! Reads what a request brings along: within a time, and within what the server has for all requests together.

use super::{Refusal, refused};
use crate::Services;
use crate::clock::Alarm;
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderMap, StatusCode, header};
use baize_protocol::ErrorCode;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most that a request may bring along: a pack of the largest size.
const MOST: usize = 2 * 1024 * 1024;
/// Requests that bring no more than this are always read: to make a table takes less.
const SMALL: usize = 16 * 1024;
/// What larger ones may have in memory, all together.
const ALL: usize = 64 * 1024 * 1024;

/// Bytes of large bodies in memory.
#[derive(Default)]
pub struct Bodies(AtomicUsize);

/// A body's share of [`Bodies`], as long as it is in memory.
pub struct Share<'a> {
    bodies: &'a Bodies,
    bytes: usize,
}

impl Share<'_> {
    /// Takes up to so many bytes. False: there are not enough for all.
    fn grow(&mut self, bytes: usize) -> bool {
        if bytes <= SMALL {
            return true;
        }
        let more = bytes.saturating_sub(self.bytes);
        self.bytes += more;
        self.bodies.0.fetch_add(more, Relaxed) + more <= ALL
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.bodies.0.fetch_sub(self.bytes, Relaxed);
    }
}

/// Whether a body is as short as it has to be, by what the request says of it. One that says nothing is counted while it is read.
pub fn fits(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_none_or(|length| length <= MOST as u64)
}

/// All of a body. The share is to be kept until the request is answered.
pub async fn read<'a>(services: &'a Services, body: Body) -> Result<(Bytes, Share<'a>), Refusal> {
    let clock = &services.config.clock;
    let over = clock.now() + services.config.timeouts.body;
    let mut share = Share { bodies: &services.bodies, bytes: 0 };
    let whole = async {
        let bytes = collect(body.into_data_stream(), &mut share).await?;
        Ok((bytes, share))
    };
    let mut alarm = pin!(Alarm::None);
    tokio::select! {
        read = whole => read,
        () = clock.sleep_until(over, alarm.as_mut()) => {
            Err(refused(StatusCode::REQUEST_TIMEOUT, ErrorCode::TooSlow))
        }
    }
}

async fn collect(mut stream: BodyDataStream, share: &mut Share<'_>) -> Result<Bytes, Refusal> {
    let mut all = BytesMut::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| refused(StatusCode::BAD_REQUEST, ErrorCode::BadRequest))?;
        let length = all.len() + piece.len();
        if length > MOST {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge));
        }
        if !share.grow(length) {
            return Err(refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bodies_share_what_there_is_and_small_ones_always_fit() {
        let bodies = Bodies::default();
        let share = || Share { bodies: &bodies, bytes: 0 };
        let mut large: Vec<Share> = (0..ALL / MOST).map(|_| share()).collect();
        assert!(large.iter_mut().all(|share| share.grow(MOST / 2) && share.grow(MOST)));
        assert!(share().grow(SMALL));
        assert!(!share().grow(SMALL + 1));
        large.pop();
        assert!(share().grow(SMALL + 1));
        drop(large);
        assert_eq!(bodies.0.load(Relaxed), 0);
    }
}
