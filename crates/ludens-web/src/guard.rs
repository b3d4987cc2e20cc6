//! Who may ask: this machine's own pages, and with a token those of others.
//!
//! A page of another site may make a browser send requests here, and a name of
//! another site may be made to point here (DNS rebinding). So the `Host` must be a
//! plain address or `localhost`, an `Origin` must be that host, and what a browser
//! marks as coming from another site is refused.

use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::reply::Refusal;

const COOKIE: &str = "ludens-token";

/// What the page may do: load and ask its own server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Whether a token is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: Option<String>,
}

impl Guard {
    /// For an address that only this machine reaches.
    pub(crate) fn local() -> Self {
        Guard { token: None }
    }

    /// With a fresh token that every request must carry.
    pub(crate) fn with_token() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Guard { token: Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect()) })
    }

    /// The token, if there is one.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if !is_plain(host, self.token.is_none()) {
            return Err(Refusal::forbidden(
                "host: found a name, expected a plain address or localhost",
            ));
        }
        if headers
            .get(header::ORIGIN)
            .is_some_and(|origin| origin.to_str().ok() != Some(&format!("http://{host}")))
        {
            return Err(Refusal::forbidden("origin: found another site's, expected this page's"));
        }
        if matches!(
            text(header::HeaderName::from_static("sec-fetch-site")),
            Some("cross-site" | "same-site")
        ) && uri.path() != "/"
        {
            return Err(Refusal::forbidden(
                "request: found one of another site, expected this page's",
            ));
        }
        match &self.token {
            Some(token) if !carries(uri, headers, token) => Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "token: found none that is right, expected the one printed at the start",
            )),
            _ => Ok(()),
        }
    }
}

/// Whether a host is `localhost` or an address without a name; only loopback
/// addresses will do where only this machine is served.
fn is_plain(host: &str, loopback: bool) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || port.starts_with(':') => name,
            _ => return false,
        },
        None => host.split(':').next().unwrap_or_default(),
    };
    let fits = |address: IpAddr| !loopback || address.is_loopback();
    name == "localhost"
        || (!host.starts_with('[')
            && name.parse().is_ok_and(|v4: std::net::Ipv4Addr| fits(v4.into())))
        || (host.starts_with('[') && name.parse().is_ok_and(|v6: Ipv6Addr| fits(v6.into())))
}

/// Whether a request has the token: in the query, a header or the cookie.
fn carries(uri: &Uri, headers: &HeaderMap, token: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let mut cookies = text(header::COOKIE).into_iter().flat_map(|value| value.split("; "));
    let named = |pair: &str, name: &str| {
        pair.split_once('=').is_some_and(|(key, value)| key == name && same(value, token))
    };
    bearer.is_some_and(|value| same(value, token))
        || in_query(uri, token)
        || cookies.any(|pair| named(pair, COOKIE))
}

fn in_query(uri: &Uri, token: &str) -> bool {
    let mut pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
    pairs.any(|pair| pair.strip_prefix("token=").is_some_and(|value| same(value, token)))
}

/// Compares without telling by its time how much was right.
fn same(one: &str, two: &str) -> bool {
    one.len() == two.len() && one.bytes().zip(two.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Checks a request before anything else sees it, and adds what every answer carries.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = guard.check(request.uri(), request.headers());
    // A browser that came with the token keeps it, so that the page's own
    // requests carry it too.
    let cookie = guard.token.as_ref().filter(|token| in_query(request.uri(), token)).cloned();
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let mut put = |name: &'static str, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    put("content-security-policy", POLICY);
    put("x-content-type-options", "nosniff");
    put("x-frame-options", "DENY");
    put("referrer-policy", "no-referrer");
    put("cross-origin-opener-policy", "same-origin");
    put("cross-origin-resource-policy", "same-origin");
    put("permissions-policy", "camera=(), geolocation=(), microphone=()");
    if let Some(token) = cookie {
        let value = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        let value = HeaderValue::from_str(&value).expect("a token has only digits and letters");
        headers.insert(header::SET_COOKIE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_hosts() {
        for host in ["localhost", "localhost:8048", "127.0.0.1:1", "[::1]:8048", "127.1.2.3"] {
            assert!(is_plain(host, true), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8048",
            "127.0.0.1.evil.example",
            "[::1",
            "::1",
            "10.0.0.1",
        ] {
            assert!(!is_plain(host, true), "{host}");
        }
        assert!(is_plain("10.0.0.1:8048", false) && is_plain("[fe80::1]:8048", false));
        assert!(!is_plain("evil.example", false) && !is_plain("[evil]", false));
    }

    #[test]
    fn tokens_differ_and_are_compared_whole() {
        let (one, two) = (Guard::with_token().unwrap(), Guard::with_token().unwrap());
        assert_ne!(one.token(), two.token());
        let token = one.token().unwrap();
        assert!(same(token, token) && !same(token, &token[1..]) && !same("", token));
    }
}
