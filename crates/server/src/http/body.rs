//! Reads request bodies, with a timeout and with a memory budget for all requests together.

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

/// Upper bound on a body: a pack of the largest size.
const MAX_BODY: usize = 2 * 1024 * 1024;
/// Bodies up to this size are always read; a request to make a table is smaller.
const SMALL: usize = 16 * 1024;
/// Memory budget in bytes for all larger bodies.
const TOTAL_BUDGET: usize = 64 * 1024 * 1024;

/// The bytes of large bodies in memory.
#[derive(Default)]
pub struct BodyBudget(AtomicUsize);

/// The bytes that one body takes of [`BodyBudget`].
pub struct BodyShare<'a> {
    bodies: &'a BodyBudget,
    bytes: usize,
}

impl BodyShare<'_> {
    /// Grows the share to this many bytes. Returns false if the budget is used up.
    fn grow(&mut self, bytes: usize) -> bool {
        if bytes <= SMALL {
            return true;
        }
        let more = bytes.saturating_sub(self.bytes);
        self.bytes += more;
        self.bodies.0.fetch_add(more, Relaxed) + more <= TOTAL_BUDGET
    }
}

impl Drop for BodyShare<'_> {
    fn drop(&mut self) {
        self.bodies.0.fetch_sub(self.bytes, Relaxed);
    }
}

/// Whether the declared length is allowed. A body without a declared length is counted while it is read.
pub fn has_allowed_length(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    length.is_none_or(|length| length <= MAX_BODY as u64)
}

/// Reads a whole body. The caller keeps the share until the request is answered.
pub async fn read<'a>(services: &'a Services, body: Body) -> Result<(Bytes, BodyShare<'a>), Refusal> {
    let clock = &services.config.clock;
    let over = clock.now() + services.config.timeouts.body;
    let mut share = BodyShare { bodies: &services.bodies, bytes: 0 };
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

async fn collect(mut stream: BodyDataStream, share: &mut BodyShare<'_>) -> Result<Bytes, Refusal> {
    let mut all = BytesMut::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| refused(StatusCode::BAD_REQUEST, ErrorCode::BadRequest))?;
        let length = all.len() + piece.len();
        if length > MAX_BODY {
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
    fn large_bodies_share_a_budget_and_small_ones_always_fit() {
        let bodies = BodyBudget::default();
        let share = || BodyShare { bodies: &bodies, bytes: 0 };
        let mut large: Vec<BodyShare> = (0..TOTAL_BUDGET / MAX_BODY).map(|_| share()).collect();
        assert!(large.iter_mut().all(|share| share.grow(MAX_BODY / 2) && share.grow(MAX_BODY)));
        assert!(share().grow(SMALL));
        assert!(!share().grow(SMALL + 1));
        large.pop();
        assert!(share().grow(SMALL + 1));
        drop(large);
        assert_eq!(bodies.0.load(Relaxed), 0);
    }
}
