//! Other sites, strangers and nonsense.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{get, post, send, serve, serve_at, serve_with};
use ludens_web::Options;
use serde_json::json;

#[test]
fn other_sites_are_refused() {
    let server = serve(None);
    let own = format!("http://{server}");
    for (headers, status) in [
        (vec![("host", "evil.example")], 403),
        (vec![("host", "127.0.0.1.evil.example:8048")], 403),
        (vec![("host", "")], 403),
        (vec![("origin", "http://evil.example")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", "http://127.0.0.1:1")], 403),
        (vec![("sec-fetch-site", "cross-site")], 403),
        (vec![("origin", own.as_str()), ("sec-fetch-site", "same-origin")], 200),
        (vec![("host", "localhost")], 200),
        (vec![], 200),
    ] {
        for (method, path, body) in [("GET", "/api/games", ""), ("POST", "/api/position", "{}")] {
            let answer = send(server, method, path, &headers, body.as_bytes());
            assert_eq!(answer.status, status, "{method} {path} {headers:?}");
        }
    }
}

#[test]
fn answers_carry_a_strict_policy() {
    let server = serve(None);
    for path in ["/", "/app.js", "/api/games", "/nothing"] {
        let answer = get(server, path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options").as_deref(), Some("DENY"));
    }
}

/// An address that others can reach asks for the token, whatever the request.
#[test]
fn strangers_need_the_token() {
    let (server, url) = serve_at([0, 0, 0, 0].into(), None);
    let token = url.split_once("?token=").expect("the address tells the token").1;
    assert_eq!(token.len(), 32);
    for path in ["/", "/app.js", "/api/games", "/api/openapi.json", "/?token=", "/?token=0"] {
        assert_eq!(get(server, path).status, 401, "{path}");
    }
    assert_eq!(post(server, "/api/position", &json!({})).status, 401);
    let opened = get(server, &format!("/?token={token}"));
    assert_eq!(opened.status, 200);
    let cookie = opened.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(send(server, "GET", "/app.js", &[("cookie", cookie)], b"").status, 200);
    let bearer = format!("Bearer {token}");
    assert_eq!(send(server, "GET", "/api/games", &[("authorization", &bearer)], b"").status, 200);
    // A name that points here is still no way in.
    let named = [("host", "evil.example"), ("authorization", bearer.as_str())];
    assert_eq!(send(server, "GET", "/api/games", &named, b"").status, 403);
}

#[test]
fn no_path_reaches_the_disk() {
    let server = serve(None);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/assets/index.html",
        "/api/runs/..",
        "/app.js/",
        "/api/",
    ] {
        assert_eq!(get(server, path).status, 404, "{path}");
    }
    // A position is text, never a file, whatever the command line makes of it.
    for position in ["@/etc/passwd", "-", "/etc/passwd"] {
        let answer = post(server, "/api/position", &json!({"game": "2048", "position": position}));
        assert_eq!(answer.status, 400, "{position}");
        assert!(!answer.error().contains("root:"), "{position}");
    }
}

#[test]
fn nonsense_is_told_what_would_be_right() {
    let server = serve(None);
    for (path, body, told) in [
        ("/api/position", json!([]), "request: found '[]', expected a JSON object"),
        ("/api/position", json!({"game": "chess"}), "game: found 'chess'"),
        ("/api/position", json!({"gmae": "2048"}), "field: found 'gmae'"),
        ("/api/position", json!({"position": "x".repeat(5000)}), "position: found 5000 bytes"),
        ("/api/position", json!({"date": "2025-02-30"}), "date"),
        ("/api/position", json!({"date": "2025-02-03", "random": 1}), "position: found several"),
        ("/api/position", json!({"moves": [7]}), "move 1, action: found '7'"),
        ("/api/position", json!({"game": "2048", "moves": ["sideways"]}), "move 1, move"),
        ("/api/analyze", json!({"time_ms": 100_000_000}), "time_ms: found '100000000'"),
        ("/api/analyze", json!({"memory": 1_u64 << 50}), "memory: found"),
        ("/api/analyze", json!({"threads": 100_000}), "threads: found"),
        ("/api/analyze", json!({"time_ms": -1}), "time_ms: found '-1'"),
        ("/api/analyze", json!({"agent": "oracle"}), "agent: found 'oracle'"),
        (
            "/api/analyze",
            json!({"game": "othello", "agent": "alphabeta:memory=65536"}),
            "agent alphabeta, parameter memory: found 65536, expected at most 1024",
        ),
        ("/api/analyze", json!({"agent": "human"}), "agent: found 'human'"),
        (
            "/api/analyze",
            json!({"agent": "random:model=x"}),
            "agent random, parameters: found 'model'",
        ),
        ("/api/analyze", json!({"agent": "greedy:a=/etc"}), "agent greedy, parameters: found 'a'"),
        ("/api/analyze", json!({"agent": "random", "solver": "beam"}), "agent: found a solver too"),
        ("/api/analyze", json!({"solver": "oracle"}), "solver: found 'oracle'"),
        ("/api/analyze", json!({"game": "othello", "solver": "beam"}), "solver: found 'beam'"),
    ] {
        let answer = post(server, path, &body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().starts_with(told), "{body}: {}", answer.error());
    }
    let deep = "[".repeat(100_000);
    for body in [b"\xff\xfe".as_slice(), b"{", b"", deep.as_bytes()] {
        assert_eq!(send(server, "POST", "/api/position", &[], body).status, 400);
    }
    assert_eq!(send(server, "DELETE", "/api/games", &[], b"").status, 405);
    assert_eq!(send(server, "POST", "/", &[], b"").status, 405);
}

/// Whatever a solver or an agent is given, the answer is the same whether there is such a file or
/// not: it is not opened, or a pipe that nobody writes to would hold up the reader.
#[test]
#[cfg(unix)]
fn requests_open_no_files() {
    let server = serve(None);
    let folder = tempfile::tempdir().unwrap();
    let (file, pipe) = (folder.path().join("file"), folder.path().join("pipe"));
    std::fs::write(&file, "secret").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let names = [file, pipe, folder.path().join("none"), "/dev/zero".into(), "local".into()];
    for (game, whom, text) in [
        ("former", "solver", "beam:eval="),
        ("former", "solver", "BEAM:width=1,eval="),
        ("former", "solver", "PUCT:policy="),
        ("former", "agent", "net:"),
        ("former", "agent", "net:by=value,model="),
        ("connect-four", "agent", "probs:"),
        ("connect-four", "agent", "az:9,model="),
        ("othello", "agent", "net:"),
        ("sevn", "agent", "net:"),
        ("2048", "agent", "ntuple:"),
        ("2048", "agent", "expectimax:table="),
        ("2048", "agent", "mcts:model=none,table="),
        ("2048:adversary=tile", "agent", "minimax:"),
    ] {
        let refused = names.iter().map(|name| {
            let name = name.to_str().unwrap();
            let asked = json!({"game": game, (whom): format!("{text}{name}"), "time_ms": 1});
            let answer = post(server, "/api/analyze", &asked);
            assert_eq!(answer.status, 400, "{asked}");
            let error = answer.error();
            // Messages show the beginning of what they found.
            let (before, after) = error.split_once("found '").unwrap();
            (before.to_owned(), after.split_once("', expected ").unwrap().1.to_owned())
        });
        let refused: std::collections::BTreeSet<(String, String)> = refused.collect();
        assert_eq!(refused.len(), 1, "{text}: {refused:?}");
        assert!(refused.first().unwrap().1.contains("no file"), "{text}: {refused:?}");
    }
}

#[test]
fn refusals_are_json() {
    let server = serve(None);
    for (method, path) in [("DELETE", "/api/games"), ("GET", "/api/analyze"), ("POST", "/")] {
        let answer = send(server, method, path, &[], b"");
        assert_eq!(answer.status, 405, "{method} {path}");
        assert!(answer.error().starts_with("method: found"), "{method} {path}");
    }
    assert_eq!(get(server, "/api/analyze").header("allow").as_deref(), Some("POST"));
    let large = vec![b' '; 3 << 20];
    let answer = send(server, "POST", "/api/position", &[], &large);
    assert_eq!(answer.status, 413);
    assert!(answer.error().starts_with("body: found more than 2097152 bytes"));
}

/// Heads and bodies that never end are given up, and meanwhile hold nobody up.
#[test]
fn slow_requests_end_and_hold_nobody_up() {
    let patience = Duration::from_millis(1500);
    let (server, _) = serve_with(Options {
        address: [127, 0, 0, 1].into(),
        port: 0,
        home: None,
        limits: Options::limits(),
        patience,
    });
    let begin = Instant::now();
    let heads = (0..150).map(|_| {
        let mut stream = TcpStream::connect(server).unwrap();
        stream.write_all(b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n").unwrap();
        stream
    });
    let mut heads: Vec<TcpStream> = heads.collect();
    let mut bodies: Vec<TcpStream> = (0..150)
        .map(|_| {
            let mut stream = TcpStream::connect(server).unwrap();
            let head =
                "POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let asked = Instant::now();
    assert_eq!(post(server, "/api/position", &json!({})).status, 200);
    assert_eq!(get(server, "/api/games").status, 200);
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    let answer = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    for stream in &mut heads {
        assert!(!answer(stream).contains(" 200 "));
    }
    for stream in &mut bodies {
        let text = answer(stream);
        assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
        assert!(text.contains("{\"error\":\"body: found only a part after 1.5s"), "{text}");
    }
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
