use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// Boards of the tests are 2 x 3 digits.
fn check(text: &str) -> Result<String, ParseError> {
    let plain: String = text.chars().filter(|c| *c != '\n').collect();
    if plain.len() == 6 && plain.bytes().all(|b| b.is_ascii_digit()) {
        Ok(plain)
    } else {
        Err(ParseError::new("board", quote(text), "2 rows of 3 digits"))
    }
}

fn file(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn read(name: &str, content: &str) -> Result<Suite, String> {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, name, content.as_bytes());
    Suite::read(&path, &check).map_err(|error| {
        let message = error.to_string();
        assert!(message.contains(name), "{message}");
        message[message.find(name).unwrap()..].to_owned()
    })
}

fn positions(suite: &Suite) -> Vec<&str> {
    suite.cases().iter().map(|case| case.position.as_str()).collect()
}

#[test]
fn json_with_ids_and_dates() {
    let suite = read(
        "ids.json",
        r#"[{"id":1,"rows":["012","345"]},{"id":"b","title":"x","position":"111111"}]"#,
    );
    let suite = suite.unwrap();
    assert_eq!(suite.name(), "ids");
    assert_eq!(positions(&suite), ["012345", "111111"]);
    assert_eq!(suite.cases()[1].id, "b");
    let text = r#" [{"date":"2025-01-27","best_known":13,"rows":["012","345"],"source":"x"},
        {"date":"2025-02-03","best_known":null,"rows":["112","345"]}]"#;
    let suite = read("daily.json", text).unwrap();
    let best: Vec<_> = suite.cases().iter().map(|case| case.best_known).collect();
    assert_eq!(best, [Some(13), None]);
    assert_eq!(suite.cases()[1].id, "2025-02-03");
}

#[test]
fn errors_name_file_entry_and_expectation() {
    let bad = [
        ("{}", "x.json, file: found an object, expected a list of boards"),
        ("[", "x.json, line 1, column 1: found no valid JSON"),
        ("[]", "x.json, cases: found none, expected at least one"),
        ("[3]", "x.json, entry 1, entry: found a number, expected an object"),
        (r#"[{"rows":["012","345"]}]"#, "entry 1, fields: found neither id nor date"),
        (r#"[{"id":1}]"#, "entry 1, fields: found neither rows nor position"),
        (r#"[{"id":1.5,"rows":["012","345"]}]"#, "entry 1, id: found '1.5'"),
        (r#"[{"id":"","rows":["012","345"]}]"#, "entry 1, id: found '\\\"\\\"'"),
        (r#"[{"date":"27.1.2025","rows":["012","345"]}]"#, "expected a date YYYY-MM-DD"),
        (r#"[{"id":1,"rows":[]}]"#, "entry 1, rows: found none"),
        (r#"[{"id":1,"rows":"012345"}]"#, "entry 1, rows: found a text, expected a list of texts"),
        (r#"[{"id":1,"rows":["012",345]}]"#, "entry 1, row 2 from the top: found '345'"),
        (r#"[{"id":1,"rows":["012","345"],"position":"1"}]"#, "found both rows and position"),
        (r#"[{"id":1,"position":7}]"#, "entry 1, position: found a number"),
        (r#"[{"id":1,"rows":["012","34"]}]"#, "x.json, entry 1, id 1, board: found '012\\n34'"),
        (r#"[{"id":1,"rows":["012","345"],"best_knwon":4}]"#, "fields: found 'best_knwon'"),
        (r#"[{"id":1,"rows":["012","345"],"best_known":4.5}]"#, "best_known: found '4.5'"),
        (
            r#"[{"id":1,"rows":["012","345"]},{"id":1,"rows":["012","345"]}]"#,
            "x.json, cases: found '1' twice",
        ),
    ];
    for (content, expected) in bad {
        let message = read("x.json", content).unwrap_err();
        assert!(message.contains(expected), "{content}\n{message}\n{expected}");
    }
}

#[test]
fn text_by_line_and_by_block() {
    let by_line = read("a.txt", "012345\r\n111111\n\n222222\n").unwrap();
    assert_eq!(positions(&by_line), ["012345", "111111", "222222"]);
    let by_block = read("b.txt", "\u{feff}\n012\n345  \n\n \n111\n111\n").unwrap();
    assert_eq!(positions(&by_block), ["012345", "111111"]);
    assert_eq!(by_block.cases()[1].id, "2");
    // The same boards give the same hash, whatever they were written like.
    let json = r#"[{"id":1,"rows":["012","345"]},{"id":2,"position":"111111"}]"#;
    assert_eq!(by_block.hash(), read("c.json", json).unwrap().hash());
    assert_ne!(by_block.hash(), by_line.hash());

    let message = read("d.txt", "012345\n01234\n").unwrap_err();
    assert!(message.starts_with("d.txt, line 2, board: found '01234'"), "{message}");
    let message = read("d.txt", "012345\n\n012\n34x\n").unwrap_err();
    assert!(message.starts_with("d.txt, lines 3-4, board"), "{message}");
    assert!(read("d.txt", " \n").unwrap_err().contains("cases: found none"));
}

#[test]
fn files_that_are_no_text() {
    let folder = TempDir::new().unwrap();
    let message = Suite::read(&folder.path().join("none.json"), &check).unwrap_err().to_string();
    assert!(message.starts_with("cannot read") && message.contains("none.json"), "{message}");
    let path = file(&folder, "bytes", &[b'1', 0xff, 0xfe]);
    let message = Suite::read(&path, &check).unwrap_err().to_string();
    assert!(message.contains("no text at offset 1"), "{message}");
    assert!(Suite::read(folder.path(), &check).is_err(), "a folder");
}

#[test]
fn random_sets_are_repeatable_and_nested() {
    let make = |count| Suite::random(7, count, |rng| rng.next_u64().to_string()).unwrap();
    let (small, large) = (make(3), make(10));
    assert_eq!(small.cases(), &large.cases()[..3]);
    assert_eq!(small, make(3));
    assert_eq!(large.name(), "random:seed=7,count=10");
    assert!(Suite::random(7, 0, |_| String::new()).is_err());
    let best = Suite::new("x", vec![Case { best_known: Some(3), ..small.cases()[0].clone() }]);
    let none = Suite::new("y", vec![small.cases()[0].clone()]);
    assert_eq!(best.unwrap().hash(), none.unwrap().hash());
}

/// Texts damaged at random: an answer, never a panic, and errors of one line.
#[test]
fn damaged_files_are_answered() {
    let texts = [
        r#"[{"id":1,"rows":["012","345"]},{"date":"2025-01-27","best_known":-3,"position":"1"}]"#,
        "012345\n111111\n\n012\n345\n",
    ];
    let mut rng = Rng::new(9);
    for _ in 0..1500 {
        let mut bytes = texts[rng.below(2) as usize].as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, rng.below(256) as u8),
                2 => bytes[at] = b"[]{}\",:0-\n\0e."[rng.below(13) as usize],
                _ => bytes.truncate(at + 1),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        for read in [json::cases, text::cases] {
            if let Err(error) = read(&text, &check) {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
}
