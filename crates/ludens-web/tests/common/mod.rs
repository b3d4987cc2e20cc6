//! A server on a free port of this machine, and a plain client for it.
#![allow(dead_code, reason = "each test file uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use ludens_web::{Options, Server};
use serde_json::Value;

/// Serves for as long as the test process lives.
pub(crate) fn serve(home: Option<PathBuf>) -> SocketAddr {
    serve_at([127, 0, 0, 1].into(), home).0
}

/// The same on some address; gives the page's URL too.
pub(crate) fn serve_at(address: IpAddr, home: Option<PathBuf>) -> (SocketAddr, String) {
    serve_with(Options {
        address,
        port: 0,
        home,
        limits: Options::limits(),
        patience: Options::PATIENCE,
    })
}

/// The same with other options.
pub(crate) fn serve_with(options: Options) -> (SocketAddr, String) {
    let server = Server::bind(options).unwrap();
    let (address, url) = (server.address(), server.url());
    std::thread::spawn(move || server.run());
    (SocketAddr::from(([127, 0, 0, 1], address.port())), url)
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

/// Sends a request with headers of its own; the connection is closed afterwards.
pub(crate) fn send(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut stream = open(to, method, path, headers, body);
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut body = bytes[end + 4..].to_vec();
    if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    Answer { status, head, body }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let end = bytes.windows(2).position(|w| w == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return out;
        }
        out.extend(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 2 + size + 2..];
    }
}

/// Sends a request and leaves the connection to the caller.
pub(crate) fn open(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> TcpStream {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("host: {to}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    // A server that refuses early may close before it has read everything.
    let _ = stream.write_all(body);
    stream
}

pub(crate) fn get(to: SocketAddr, path: &str) -> Answer {
    send(to, "GET", path, &[], b"")
}

pub(crate) fn post(to: SocketAddr, path: &str, body: &Value) -> Answer {
    send(to, "POST", path, &[("content-type", "application/json")], body.to_string().as_bytes())
}

/// The events of a whole stream: names and data.
pub(crate) fn events(answer: &Answer) -> Vec<(String, Value)> {
    let text = String::from_utf8(answer.body.clone()).unwrap();
    let mut events = Vec::new();
    for block in text.split("\n\n") {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        if let (Some(event), Some(data)) = (field("event: "), field("data: ")) {
            events.push((event.to_owned(), serde_json::from_str(data).unwrap()));
        }
    }
    events
}

/// Waits for the first event of a stream.
pub(crate) fn first_event(stream: TcpStream) -> (String, BufReader<TcpStream>) {
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the stream ended");
        if let Some(event) = line.strip_prefix("event: ") {
            return (event.trim().to_owned(), lines);
        }
    }
}
