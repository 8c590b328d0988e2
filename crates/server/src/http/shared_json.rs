//! JSON answers that are the same for everybody: written and compressed once, not for each request.

use super::compress::{self, CompressedBody};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use baize_room::encode;
use baize_store::Unwritable;
use bytes::Bytes;
use serde::Serialize;
use std::sync::Mutex;

/// A JSON text, and the same text compressed if that is worth it.
#[derive(Clone)]
pub struct SharedJson {
    plain: Bytes,
    compressed: Option<CompressedBody>,
}

impl SharedJson {
    pub fn new(what: &'static str, value: &impl Serialize) -> Result<Self, Unwritable> {
        let plain = Bytes::from(encode::json(what, value)?);
        let compressed = compress::compressed(&plain);
        Ok(SharedJson { plain, compressed })
    }
}

impl IntoResponse for SharedJson {
    fn into_response(self) -> Response {
        let mut response = self.plain.into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(compressed) = self.compressed {
            response.extensions_mut().insert(compressed);
        }
        response
    }
}

/// A [`SharedJson`] with the generation of the data that it was made from.
#[derive(Default)]
pub struct JsonCache(Mutex<Option<(u64, SharedJson)>>);

impl JsonCache {
    /// The answer of this generation. It is made by `make` if the cache has none; everybody else waits meanwhile, so that
    /// many requests make it once.
    pub fn get(
        &self,
        generation: u64,
        make: impl FnOnce() -> Result<SharedJson, Unwritable>,
    ) -> Result<SharedJson, Unwritable> {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, json)) = kept.as_ref().filter(|(known, _)| *known == generation) {
            return Ok(json.clone());
        }
        let json = make()?;
        *kept = Some((generation, json.clone()));
        Ok(json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use std::cell::Cell;

    #[test]
    fn a_shared_answer_is_made_once_for_each_generation() {
        let (cache, made) = (JsonCache::default(), Cell::new(0));
        let get = |generation: u64| {
            let json = cache.get(generation, || {
                made.set(made.get() + 1);
                SharedJson::new("a test", &vec![generation; 1_000])
            });
            json.unwrap().plain
        };
        assert_eq!([get(1), get(1), get(1)].map(|plain| plain[1]), [b'1'; 3]);
        assert_eq!(made.get(), 1);
        assert_eq!((get(2)[1], made.get()), (b'2', 2));
    }

    /// The bytes of the answer are the cached ones: compressing again would make others.
    #[tokio::test]
    async fn a_shared_answer_is_compressed_once() {
        let json = SharedJson::new("a test", &vec!["word"; 1_000]).unwrap();
        let CompressedBody(kept) = json.compressed.clone().expect("long enough to compress");
        let response = compress::compress(json.clone().into_response()).await;
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
        let sent = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(sent.as_ptr(), kept.as_ptr());
        let small = SharedJson::new("a test", &"word").unwrap();
        assert!(small.compressed.is_none());
        assert!(compress::compress(small.into_response()).await.headers().get(header::CONTENT_ENCODING).is_none());
    }
}
