//! Answers of the API that gain by it are sent gzipped to whoever takes that: on a slow line the list of games and the faces
//! of a pack are most of what a first visit waits for. The client's own files are packed when they are built.

use axum::body::{Body, HttpBody, to_bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Below this a packet is a packet.
const LEAST: u64 = 1024;
/// Above this, packing takes longer than anybody else on this thread should wait.
const MOST: u64 = 256 * 1024;

/// Whether the client has said that it takes this encoding.
pub fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| {
        let (word, weight) = one.split_once(';').unwrap_or((one, ""));
        word.trim() == encoding && !matches!(weight.trim(), "q=0" | "q=0.0")
    })
}

pub async fn compressed(response: Response) -> Response {
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let size = response.body().size_hint().exact().unwrap_or_default();
    if !json || !(LEAST..=MOST).contains(&size) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // It is there already: nothing is waited for, and it can't be longer than it said.
    let Ok(plain) = to_bytes(body, MOST as usize).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    match gzip(&plain) {
        Ok(packed) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(packed))
        }
        Err(_) => Response::from_parts(parts, Body::from(plain)),
    }
}

fn gzip(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 3), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Json;
    use std::io::Read;

    async fn sent(words: usize) -> (Option<HeaderValue>, Vec<u8>) {
        let response = compressed(Json(vec!["word"; words]).into_response()).await;
        let encoding = response.headers().get(header::CONTENT_ENCODING).cloned();
        (encoding, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn what_is_long_is_packed_and_comes_out_the_same() {
        let plain = serde_json::to_vec(&vec!["word"; 1_000]).unwrap();
        let (encoding, body) = sent(1_000).await;
        assert_eq!(encoding.unwrap(), "gzip");
        assert!(body.len() < plain.len() / 10);
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain);
    }

    #[tokio::test]
    async fn what_is_short_or_very_long_is_sent_as_it_is() {
        for words in [3, 100_000] {
            let (encoding, body) = sent(words).await;
            assert_eq!(encoding, None);
            assert_eq!(body, serde_json::to_vec(&vec!["word"; words]).unwrap());
        }
    }

    #[test]
    fn an_encoding_is_taken_unless_its_weight_is_nothing() {
        let headers =
            |words: &'static str| HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(words))]);
        assert!(takes(&headers("br, gzip;q=0.5"), "gzip"));
        assert!(!takes(&headers("gzip;q=0"), "gzip"));
        assert!(!takes(&HeaderMap::new(), "gzip"));
    }
}
