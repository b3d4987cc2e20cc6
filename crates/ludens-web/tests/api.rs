//! What the server answers.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::net::SocketAddr;

use common::{events, get, post, send, serve};
use serde_json::{Value, json};

#[test]
fn the_page_is_in_the_program() {
    let server = serve(None);
    for (path, kind) in [
        ("/", "text/html"),
        ("/app.js", "text/javascript"),
        ("/more.js", "text/javascript"),
        ("/app.css", "text/css"),
        ("/icon.svg", "image/svg+xml"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ] {
        let plain = get(server, path);
        assert_eq!(plain.status, 200, "{path}");
        assert!(plain.header("content-type").unwrap().starts_with(kind), "{path}");
        assert!(plain.body.len() > 100, "{path}");
        let zipped = send(server, "GET", path, &[("accept-encoding", "gzip")], b"");
        assert_eq!(zipped.header("content-encoding").as_deref(), Some("gzip"), "{path}");
        let tag = plain.header("etag").unwrap();
        let again = send(server, "GET", path, &[("if-none-match", &tag)], b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    assert!(String::from_utf8(get(server, "/").body).unwrap().contains("<div id=\"app\">"));
}

/// The bundle stays small: all that a first visit loads, as it is sent.
#[test]
fn the_page_is_small() {
    let server = serve(None);
    let zipped = |path| send(server, "GET", path, &[("accept-encoding", "gzip")], b"").body.len();
    let sum: usize = ["/", "/app.js", "/app.css", "/icon.svg"].map(zipped).iter().sum();
    assert!(sum < 90_000, "{sum} bytes");
    let later = zipped("/more.js");
    assert!(later < 30_000, "{later} bytes");
}

/// Every path of the description answers, and answers what it says.
#[test]
fn the_description_is_right() {
    let server = serve(None);
    let document = get(server, "/api/openapi.json").json();
    assert_eq!(document, ludens_web::openapi());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if path == "/api/runs/events" {
                continue; // Never ends; load.rs holds two hundred of them.
            }
            if (path.as_str(), method.as_str()) == ("/api/games", "post") {
                continue; // Needs a folder and a whole game; people.rs sends one.
            }
            let body = if method == "post" { br#"{"nodes": 10}"#.as_slice() } else { b"" };
            let body = if path == "/api/analyze" { body } else { &body[..0] };
            let body = if method == "post" && body.is_empty() { b"{}" } else { body };
            let (path, body) = match path.as_str() {
                "/api/read" => ("/api/read?game=connect-four", PICTURE),
                other => (other, body),
            };
            let answer = send(server, &method.to_uppercase(), path, &[], body);
            assert_eq!(answer.status, 200, "{method} {path}: {answer:?}");
            let schema =
                &methods[method]["responses"]["200"]["content"]["application/json"]["schema"];
            let Some(name) = schema["$ref"].as_str().and_then(|r| r.rsplit('/').next()) else {
                continue;
            };
            let described = &document["components"]["schemas"][name];
            let answered = answer.json();
            let answered: Vec<&String> = answered.as_object().unwrap().keys().collect();
            for required in described["required"].as_array().unwrap() {
                assert!(
                    answered.iter().any(|key| *key == required.as_str().unwrap()),
                    "{path} lacks {required}"
                );
            }
            let properties = described["properties"].as_object().unwrap();
            for key in answered {
                assert!(
                    properties.contains_key(key),
                    "{path} answers {key}, which is not described"
                );
            }
        }
    }
}

#[test]
fn games_are_listed_with_solvers_and_agents() {
    let listed = get(serve(None), "/api/games").json();
    let games = listed["games"].as_array().unwrap();
    assert_eq!(games.len(), ludens_engine::games().len());
    let former = &games[0];
    assert_eq!((&former["name"], &former["daily"]), (&json!("former"), &json!(true)));
    assert!(!former["solvers"].as_array().unwrap().is_empty());
    for game in games {
        let agents = game["agents"].as_array().unwrap();
        assert!(agents.iter().any(|agent| agent["name"] == "random"), "{game}");
    }
    assert_eq!(listed["best_known"]["2025-05-18"], 11);
}

/// In every game and sample variant, whoever is named as the usual opponent, adviser or solver
/// answers.
#[test]
fn the_usual_ones_answer_in_every_variant() {
    let server = serve(None);
    for info in ludens_engine::games() {
        for sample in info.samples {
            let spec = info.spec_with(sample);
            let game = post(server, "/api/game", &json!({"game": spec})).json();
            assert_eq!(game["spec"], spec);
            assert_eq!(game["opponent"].is_string(), info.players == 2, "{game}");
            assert_ne!(game["adviser"].is_string(), game["solver"].is_string(), "{game}");
            let usual = [("agent", "opponent"), ("agent", "adviser"), ("solver", "solver")];
            for (field, name) in usual.map(|(field, name)| (field, &game[name])) {
                if name.is_null() {
                    continue;
                }
                let mut asked = json!({"game": spec, "random": 1, "time_ms": 20});
                asked[field] = name.clone();
                let answer = post(server, "/api/analyze", &asked);
                let last = events(&answer).pop().unwrap_or_else(|| panic!("{asked}: {answer:?}"));
                assert_eq!(last.0, "done", "{asked}: {}", last.1);
            }
        }
    }
}

#[test]
fn what_has_no_network_is_said_to_be_unusable() {
    let server = serve(None);
    let unusable = |spec: &str| {
        let game = post(server, "/api/game", &json!({"game": spec})).json();
        let agents = game["agents"].as_array().unwrap();
        let names = agents.iter().filter(|agent| agent["unusable"].is_string());
        names.map(|agent| agent["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(unusable("othello"), ["probs"]);
    assert_eq!(unusable("connect-four"), [""; 0]);
    assert_eq!(unusable("2048:board=2x3"), ["ntuple", "mcts"]);
    assert_eq!(post(server, "/api/game", &json!({"game": "chess"})).status, 400);
}

#[test]
fn positions_are_read_and_played_on() {
    let server = serve(None);
    let sheet = post(server, "/api/position", &json!({"date": "2025-05-18"})).json();
    assert_eq!(sheet["actions"].as_array().unwrap().len(), 23);
    assert_eq!(sheet["view"]["cells"].as_array().unwrap().len(), 63);
    let action = sheet["actions"][0]["text"].clone();
    let next = json!({"game": "former", "position": sheet["position"], "moves": [action]});
    let next = post(server, "/api/position", &next).json();
    assert_eq!(next["played"][0]["position"], next["position"]);
    assert_eq!((&next["total"], &next["start"]), (&json!(-1), &sheet["position"]));
    // Nature's luck comes from the seed, or is given.
    let slide = |more: Value| {
        let mut asked = json!({"game": "2048", "position": "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0"});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        post(server, "/api/position", &asked).json()
    };
    let lucky = slide(json!({"moves": ["left"], "seed": 7}));
    assert_eq!(lucky, slide(json!({"moves": ["left"], "seed": 7})));
    let given =
        slide(json!({"moves": [{"action": "left", "chance": lucky["played"][0]["chance"]}]}));
    assert_eq!(given["position"], lucky["position"]);
    // Two tiles go to the corner and are one there; then a new one comes.
    let motion = lucky["played"][0]["motion"].as_array().unwrap();
    let merge = |from: u8| json!({"from": from, "to": 0, "order": 0, "kind": "merge"});
    assert_eq!(motion[..2], [merge(0), merge(1)]);
    assert_eq!((&motion[2]["from"], &motion[2]["order"]), (&Value::Null, &json!(1)));
    let won = json!({"game": "connect-four", "position": "4343434"});
    assert_eq!(post(server, "/api/position", &won).json()["winning"], json!([17, 24, 31, 38]));
}

#[test]
fn records_go_out_and_come_back() {
    let server = serve(None);
    let asked =
        json!({"game": "connect-four", "moves": ["4", "4", "3"], "one": "me", "two": "random"});
    let record = post(server, "/api/record", &asked).json()["record"].clone();
    assert!(record.as_str().unwrap().contains("\ntwo random\n"), "{record}");
    let sheet = post(server, "/api/position", &json!({"record": record})).json();
    assert_eq!((sheet["played"].as_array().unwrap().len(), &sheet["to_move"]), (3, &json!(2)));
    let more = json!({"record": record, "moves": ["1"]});
    let sheet = post(server, "/api/position", &more).json();
    assert_eq!(
        (&sheet["played"][2]["position"], &sheet["played"][3]["position"]),
        (&json!(null), &sheet["position"])
    );
    let damaged = record.as_str().unwrap().replace("move 3", "move 9");
    assert_eq!(post(server, "/api/position", &json!({"record": damaged})).status, 400);
    let blanks = json!({"game": "2048", "one": "two words"});
    assert_eq!(post(server, "/api/record", &blanks).status, 400);
}

/// A search streams reports and ends with the fields of `ludens solve --json`.
#[test]
fn a_search_streams() {
    let asked = json!({"game": "former", "date": "2025-05-18", "time_ms": 300_000});
    let answer = post(serve(None), "/api/analyze", &asked);
    assert_eq!(answer.header("content-type").as_deref(), Some("text/event-stream"));
    let events = events(&answer);
    let (last, reports) = events.split_last().unwrap();
    assert!(!reports.is_empty() && reports.iter().all(|(name, _)| name == "progress"));
    assert_eq!(last.0, "done");
    let fields: Vec<&str> = last.1.as_object().unwrap().keys().map(String::as_str).collect();
    let wanted = [
        "game",
        "position",
        "solver",
        "objective",
        "best",
        "value",
        "proven",
        "moves",
        "length",
        "lower_bound",
        "cleared",
        "finished",
        "nodes",
        "time_ms",
        "seed",
    ];
    assert_eq!(fields, wanted);
    assert_eq!((&last.1["length"], &last.1["proven"]), (&json!(11), &json!(true)));
}

/// An agent tells what it thinks of every move.
#[test]
fn an_agent_is_asked() {
    let server = serve(None);
    let asked = json!({"game": "connect-four", "moves": ["4", "3"], "agent": "uct:samples=300", "threads": 1});
    let events = events(&post(server, "/api/analyze", &asked));
    let (name, opinion) = events.last().unwrap();
    assert_eq!(name, "done", "{opinion}");
    assert_eq!(
        (&opinion["agent"], &opinion["game"]),
        (&json!("uct:samples=300"), &json!("connect-four"))
    );
    let considered = opinion["considered"].as_array().unwrap();
    assert_eq!(considered.len(), 7);
    let visits: u64 = considered.iter().map(|one| one["visits"].as_u64().unwrap()).sum();
    assert!((200..=300).contains(&visits), "{visits}");
    assert_eq!(opinion["line"][0], opinion["best"]);
    assert!(opinion.get("tree").is_none(), "nobody asked for the tree");
    let over = json!({"game": "connect-four", "moves": ["1", "2", "1", "2", "1", "2", "1"], "agent": "random"});
    let ended = self::events(&post(server, "/api/analyze", &over));
    assert_eq!(ended.last().unwrap().0, "error");
}

/// Games of agents in the store are rated and listed.
#[test]
fn agents_are_rated_from_the_store() {
    use ludens_runs::arena::contest::{Game, Score};
    use ludens_runs::arena::{Pairing, Store};
    let home = tempfile::tempdir().unwrap();
    let empty = get(serve(Some(home.path().to_owned())), "/api/results").json();
    assert_eq!((&empty["contests"], &empty["games"]), (&json!([]), &json!([])));
    let mut store = Store::open(&home.path().join("results.sqlite")).unwrap();
    let pairing = Pairing {
        game: "connect-four".to_owned(),
        one: "lookahead:steps=2".to_owned(),
        two: "random".to_owned(),
        terms: "plies=6".to_owned(),
        program: "test".to_owned(),
    };
    let id = store.start_pairing(&pairing).unwrap();
    for opening in 0..10 {
        for swapped in [false, true] {
            // The better agent loses one game of ten.
            let won = opening > 0 || swapped;
            let score = if won != swapped { Score::Win } else { Score::Loss };
            let game = Game {
                score,
                reason: None,
                start: "4".to_owned(),
                moves: vec!["3".to_owned(), "3".to_owned()],
                micros: [vec![1], vec![1]],
            };
            store.insert_game(id, opening, swapped, 7, &game).unwrap();
        }
    }
    let told = get(serve(Some(home.path().to_owned())), "/api/results").json();
    let ratings = &told["contests"][0]["ratings"];
    assert_eq!(told["contests"][0]["game"], "connect-four");
    assert_eq!(
        (&ratings[0]["agent"], &ratings[0]["wins"]),
        (&json!("lookahead:steps=2"), &json!(19))
    );
    assert!(ratings[0]["elo"].as_f64().unwrap() > 300.0 && ratings[1]["elo"] == 0.0);
    assert_eq!(told["games"].as_array().unwrap().len(), 20);
    assert_eq!(
        (&told["games"][0]["first"], &told["games"][0]["score"]),
        (&json!("random"), &json!("0-1"))
    );
}

/// Nodes of a tree; every way below one can be played.
fn count_nodes(
    server: SocketAddr,
    game: &str,
    start: &Value,
    path: &[Value],
    nodes: &Value,
) -> usize {
    let nodes = nodes.as_array().unwrap();
    let mut count = nodes.len();
    for node in nodes {
        let mut path = path.to_vec();
        match &node["chance"] {
            Value::Null => path.push(json!({"action": node["action"]})),
            chance => path.last_mut().unwrap()["chance"] = chance.clone(),
        }
        let below: u64 = node["children"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["visits"].as_u64().unwrap())
            .sum();
        assert!(below <= node["visits"].as_u64().unwrap(), "{node}");
        if path.len() > 2 && node["children"][0].is_null() {
            let place = json!({"game": game, "position": start, "moves": path});
            assert_eq!(post(server, "/api/position", &place).status, 200);
        }
        count += count_nodes(server, game, start, &path, &node["children"]);
    }
    count
}

/// The tree of one search comes with the reply, for duels and for games of chance.
#[test]
fn a_tree_is_shown() {
    let server = serve(None);
    for (game, agent) in [("connect-four", "uct:samples=400"), ("2048", "mcts:simulations=200")] {
        let asked = json!({"game": game, "agent": agent, "threads": 1, "tree": 60});
        let events = events(&post(server, "/api/analyze", &asked));
        let (name, opinion) = events.last().unwrap();
        assert_eq!(name, "done", "{opinion}");
        let nodes = count_nodes(server, game, &opinion["position"], &[], &opinion["tree"]);
        assert_eq!(nodes, 60, "{game}");
    }
    let asked = json!({"game": "connect-four", "agent": "uct", "tree": 5001});
    assert_eq!(post(server, "/api/analyze", &asked).status, 400);
}

/// A screenshot of Connect Four.
const PICTURE: &[u8] = include_bytes!("../../ludens-vision/tests/data/connect-four.png");
const READ: &str = "......./......./......./...O.../..XO.../.XXXO..";

#[test]
fn pictures_are_read() {
    let server = serve(None);
    let read =
        |query: &str, body: &[u8]| send(server, "POST", &format!("/api/read{query}"), &[], body);
    let answer = read("?game=connect-four", PICTURE);
    assert_eq!(answer.status, 200, "{answer:?}");
    let reading = answer.json();
    assert_eq!(reading["position"], READ);
    assert_eq!(reading["cells"].as_array().unwrap().len(), 42);
    assert_eq!(reading["doubtful"].as_array().unwrap().len(), 0);
    let corners: Vec<String> = reading["corners"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|corner| corner.as_array().unwrap().iter().map(ToString::to_string))
        .collect();
    let given = read(&format!("?game=connect%2Dfour&corners={}", corners.join("%2C")), PICTURE);
    assert_eq!(given.json()["position"], READ);
    for (query, body, status, error) in [
        ("", PICTURE, 400, "game: found none"),
        ("?game=togyzkumalak", PICTURE, 400, "one that can be read from a picture: former,"),
        ("?game=connect-four&method=ocr", PICTURE, 400, "method: found 'ocr'"),
        ("?game=connect-four&corners=1,2", PICTURE, 400, "corners: "),
        ("?game=connect-four", b"{}".as_slice(), 400, "PNG, JPEG or WebP"),
        ("?game=connect-four", &PICTURE[..PICTURE.len() / 2], 400, "damaged"),
        ("?cat=1", PICTURE, 400, "address: found 'cat'"),
    ] {
        let answer = read(query, body);
        assert_eq!(answer.status, status, "{query}: {answer:?}");
        assert!(answer.error().contains(error), "{query}: {}", answer.error());
    }
    let listed = get(server, "/api/games").json();
    let pictures = |name: &str| {
        let mut games = listed["games"].as_array().unwrap().iter();
        games.find(|game| game["spec"] == name).unwrap()["pictures"].clone()
    };
    assert_eq!(pictures("sevn"), serde_json::json!(["balanced", "sevn-2021"]));
    assert_eq!(pictures("togyzkumalak"), serde_json::json!([]));
}
