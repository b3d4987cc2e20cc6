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

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Path, type and contents of a file of the built page.
macro_rules! file {
    ($name:literal, $kind:expr) => {
        (concat!("/", $name), $kind, include_bytes!(concat!("../assets/", $name)))
    };
}

/// Every file of the page. Boards of games and the editor are asked for when they are shown.
const FILES: &[(&str, &str, &[u8])] = &[
    ("/", "text/html; charset=utf-8", include_bytes!("../assets/index.html")),
    file!("app.js", SCRIPT),
    file!("app.css", "text/css; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("manifest.webmanifest", "application/manifest+json"),
    file!("BoardEditor.js", SCRIPT),
    file!("ConnectFour.js", SCRIPT),
    file!("Morpion.js", SCRIPT),
    file!("Othello.js", SCRIPT),
    file!("Sevn.js", SCRIPT),
    file!("Tiles.js", SCRIPT),
    file!("Togyzkumalak.js", SCRIPT),
    file!("more.js", SCRIPT),
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

#[cfg(test)]
mod tests {
    use super::FILES;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
        let entries = std::fs::read_dir(folder).expect("the page is built");
        for entry in entries {
            let name = entry.expect("the folder can be read").file_name();
            let path = format!("/{}", name.to_string_lossy()).replace("/index.html", "/");
            assert!(FILES.iter().any(|(served, ..)| *served == path), "{path} is not served");
        }
    }
}
