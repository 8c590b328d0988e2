//! Compresses answers of the API with gzip for clients that accept it. On a slow connection the list of games and the
//! faces of a pack take most of the time of a first visit. The client's own files are compressed when they are built.

use axum::body::{Body, HttpBody, to_bytes};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A smaller answer fits into one network packet anyway.
const MIN_BYTES: u64 = 1024;
/// Compressing a larger answer would block the other tasks of this thread for too long.
const MAX_BYTES: u64 = 256 * 1024;

/// The compressed form of an answer's body, made before: an extension of the response.
#[derive(Clone)]
pub struct CompressedBody(pub Bytes);

/// Whether the client accepts this encoding.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| {
        let (word, weight) = one.split_once(';').unwrap_or((one, ""));
        word.trim() == encoding && !matches!(weight.trim(), "q=0" | "q=0.0")
    })
}

pub async fn compress(mut response: Response) -> Response {
    if let Some(CompressedBody(body)) = response.extensions_mut().remove() {
        return with_compressed_body(response.into_parts().0, body);
    }
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    // A body of unknown length is not a text that is complete in memory.
    let Some(size) = response.body().size_hint().exact() else { return response };
    if !json || !(MIN_BYTES..=MAX_BYTES).contains(&size) {
        return response;
    }
    let (parts, body) = response.into_parts();
    // The body is complete in memory and no longer than its size hint.
    let Ok(plain) = to_bytes(body, MAX_BYTES as usize).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    match gzip(&plain) {
        Ok(packed) => with_compressed_body(parts, packed.into()),
        Err(_) => Response::from_parts(parts, Body::from(plain)),
    }
}

/// Compresses a body that many clients will get. `None`: it is too short or too long for that.
pub fn compressed(plain: &[u8]) -> Option<CompressedBody> {
    let fits = (MIN_BYTES..=MAX_BYTES).contains(&(plain.len() as u64));
    fits.then(|| gzip(plain).ok()).flatten().map(|packed| CompressedBody(packed.into()))
}

fn with_compressed_body(mut parts: Parts, body: Bytes) -> Response {
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(body))
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
        let response = compress(Json(vec!["word"; words]).into_response()).await;
        let encoding = response.headers().get(header::CONTENT_ENCODING).cloned();
        (encoding, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn gzip_shrinks_long_bodies_and_preserves_them() {
        let plain = serde_json::to_vec(&vec!["word"; 1_000]).unwrap();
        let (encoding, body) = sent(1_000).await;
        assert_eq!(encoding.unwrap(), "gzip");
        assert!(body.len() < plain.len() / 10);
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain);
    }

    #[tokio::test]
    async fn gzip_skips_small_and_huge_bodies() {
        for words in [3, 100_000] {
            let (encoding, body) = sent(words).await;
            assert_eq!(encoding, None);
            assert_eq!(body, serde_json::to_vec(&vec!["word"; words]).unwrap());
        }
    }

    #[test]
    fn an_encoding_with_weight_zero_is_not_accepted() {
        let headers =
            |words: &'static str| HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(words))]);
        assert!(accepts(&headers("br, gzip;q=0.5"), "gzip"));
        assert!(!accepts(&headers("gzip;q=0"), "gzip"));
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }
}
