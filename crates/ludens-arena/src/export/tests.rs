use tempfile::TempDir;

use super::*;
use crate::{Case, CurvePoint, EvalResult, Measure, Suite};

fn evaluation() -> Evaluation {
    Evaluation {
        game: "samegame:penalty=colour".to_owned(),
        solver: "mcts:c=0.1,policy=\"tabu\"".to_owned(),
        budget: "ru=640000".to_owned(),
        threads: 1,
        program: "test".to_owned(),
        suite: "two".to_owned(),
        suite_hash: "ab".to_owned(),
    }
}

fn suite() -> Suite {
    let case =
        |id: &str, best_known| Case { id: id.to_owned(), position: String::new(), best_known };
    Suite::new("two", vec![case("a", Some(30)), case("b", Some(5))]).unwrap()
}

fn results() -> Vec<RunResult> {
    let result = |case: &str, run, value| {
        let curve = vec![CurvePoint { millis: 0.5, nodes: 2, value: 1 }];
        let outcome = EvalResult {
            value,
            length: 3,
            nodes: 9,
            millis: 1.25,
            line: "0,0 1,1".to_owned(),
            curve,
            ..EvalResult::default()
        };
        RunResult { case: case.to_owned(), run, seed: 11, outcome }
    };
    vec![
        result("a", 0, Some(10)),
        result("a", 1, Some(30)),
        result("b", 0, Some(6)),
        result("b", 1, None),
    ]
}

/// An independent reader of RFC 4180.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    let mut quoted = false;
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted && characters.peek() == Some(&'\n') => {
                characters.next();
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(character),
        }
    }
    assert!(!quoted && row.is_empty() && field.is_empty(), "cut short");
    rows
}

#[test]
fn csv_is_quoted_where_it_must_be() {
    let rows = [["plain", "with, comma"], ["with \"quotes\"", "two\r\nlines"], ["", " blank "]];
    let text = csv(&["a", "b"], rows);
    assert!(text.starts_with("a,b\r\nplain,\"with, comma\"\r\n\"with \"\"quotes\"\"\""));
    let read = parse(&text);
    assert_eq!(read[0], ["a", "b"]);
    assert_eq!(read[1..], rows);
}

#[test]
fn results_as_csv_and_json() {
    let read = parse(&results_csv(&evaluation(), &results()));
    assert_eq!((read.len(), read[0].len()), (5, 28));
    assert_eq!(read[1][1], "mcts:c=0.1,policy=\"tabu\"");
    assert_eq!(read[2][7..16], ["a", "1", "11", "30", "3", "false", "", "9", "1.25"]);
    assert_eq!(read[4][10], "", "no value");
    assert!(read[2][16..].iter().all(String::is_empty), "no statistics");
    let mut tree = results();
    tree[1].outcome.statistics = Some(crate::metrics::tests::sample());
    let read = parse(&results_csv(&evaluation(), &tree));
    let column = |name: &str| read[0].iter().position(|field| field == name).unwrap();
    assert_eq!(read[2][column("tree_nodes")], "997");
    assert_eq!(read[2][column("nodes")], "9");
    assert_eq!(json!(tree)[1]["statistics"]["hits"], 91);
    assert_eq!(json!(tree)[1]["curve"], json!([[0.5, 2, 1]]));
    assert_eq!(json!(tree)[3]["value"], Value::Null);
}

#[test]
fn summaries_as_json() {
    let summary = SuiteSummary::of(&suite(), Measure::Score, &results()).unwrap();
    let document = summary_json(&evaluation(), &summary);
    let get = |name: &str| document[name].as_f64().unwrap();
    assert_eq!((get("min"), get("avg"), get("max")), (8.0, 13.0, 18.0));
    assert_eq!((get("boards"), get("runs"), get("unsolved")), (2.0, 4.0, 1.0));
    assert_eq!(document["best_known"]["better"], 1);
    assert_eq!(document["best_known"]["equal"], 1);
    assert_eq!(document["best_known"]["runs_by_excess"], json!({"-1": 1, "0": 1, "20": 1}));
    assert_eq!(document["best_known"]["reached"]["share"], 1.0);
    assert_eq!(document["over_runs"]["count"], 3);
    assert_eq!(document["search"], Value::Null);
    assert_eq!(document["interval"], json!(summary.over_boards.interval()));
    assert_eq!(document["measure"], "score");
    // A single board has no interval.
    let one = SuiteSummary::of(&suite(), Measure::Score, &results()[..1]).unwrap();
    let document = summary_json(&evaluation(), &one);
    assert_eq!((&document["sd"], &document["interval"]), (&Value::Null, &Value::Null));
}

#[test]
fn files_are_replaced_as_a_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.csv");
    save(&path, "old").unwrap();
    save(&path, "new").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = save(&folder.path().join("no/folder.csv"), "x").unwrap_err().to_string();
    assert!(error.starts_with("cannot write") && error.contains("folder.csv"), "{error}");
    assert!(save(folder.path(), "x").is_err(), "a folder");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
