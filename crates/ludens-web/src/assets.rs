//! The page, which is part of the program: built from `web/`, no file is read.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::reply::Refusal;

/// Path, type and contents of every file of the page.
const FILES: &[(&str, &str, &[u8])] = &[
    ("/", "text/html; charset=utf-8", include_bytes!("../assets/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../assets/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../assets/app.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
    (
        "/manifest.webmanifest",
        "application/manifest+json",
        include_bytes!("../assets/manifest.webmanifest"),
    ),
];

struct Asset {
    kind: &'static str,
    plain: &'static [u8],
    zipped: Vec<u8>,
    tag: HeaderValue,
}

static ASSETS: LazyLock<HashMap<&'static str, Asset>> = LazyLock::new(|| {
    FILES.iter().map(|&(path, kind, plain)| (path, Asset::new(kind, plain))).collect()
});

impl Asset {
    fn new(kind: &'static str, plain: &'static [u8]) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let zipped = encoder.write_all(plain).and_then(|()| encoder.finish());
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let tag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish()));
        Asset {
            kind,
            plain,
            zipped: zipped.expect("memory takes all that is written"),
            tag: tag.expect("hexadecimal digits make a header"),
        }
    }
}

/// A file of the page, or that there is none.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method: found another, expected GET")
            .into_response();
    }
    let Some(asset) = ASSETS.get(uri.path()) else {
        let error = "path: found none of this server's, expected one of /api/openapi.json";
        return Refusal::new(StatusCode::NOT_FOUND, error).into_response();
    };
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let known = headers.get(header::IF_NONE_MATCH) == Some(&asset.tag);
    let zip = text(header::ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip"));
    let body = match (known, zip) {
        (true, _) => Body::empty(),
        (false, true) => Body::from(asset.zipped.as_slice()),
        (false, false) => Body::from(asset.plain),
    };
    let mut response = Response::new(body);
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    out.insert(header::ETAG, asset.tag.clone());
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if zip && !known {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}
