//! Published boards that the program does not ship: `ludens data add` reads the files that are
//! public, checks them, and keeps them in `LUDENS_HOME`, where experiments find them.
//!
//! | format | what it looks like |
//! |---|---|
//! | digits | 15 lines of 15 digits, with or without blanks between them; a blank line after each board (the files of Schadd, of the NRPA and the CodinGame repositories) |
//! | letters | the same with a letter per colour: the first in the alphabet is colour 0 |
//! | JSON | a list of objects with `id` and `rows`, as Ludens writes it |
//! | CodinGame | an object whose `testIn` is a board in digits |

use std::path::{Path, PathBuf};

use ludens_arena::{Case, Suite, export};
use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_engine::game;
use serde::Serialize;
use serde_json::{Value, json};

/// The standard boards, below the folder of the data.
pub const STANDARD: &str = "samegame/standard_20.json";
/// Schadd's boards, below the folder of the data.
pub const SCHADD: &str = "samegame/schadd_100.json";

/// Published sets: the file, how many boards it has, the hash over their rows.
const KNOWN: [Known; 2] = [
    Known { file: STANDARD, title: "the 20 standard boards", boards: 20, hash: STANDARD_HASH },
    Known { file: SCHADD, title: "Schadd's first 100 boards", boards: 100, hash: SCHADD_HASH },
];
const STANDARD_HASH: &str = "b51c142ca444757f3a9ed790cf57e65b";
const SCHADD_HASH: &str = "3ba0ae8ad6f8db540a585b9520abf05f";

/// Rows and columns of the boards, and the most of a file.
const SIDE: usize = 15;
const MOST_BYTES: u64 = 16 << 20;

struct Known {
    file: &'static str,
    title: &'static str,
    boards: usize,
    hash: &'static str,
}

/// What was added.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Added {
    /// The published set, if it is one.
    pub known: Option<&'static str>,
    /// Boards that were kept.
    pub boards: usize,
    /// The hash over their rows, 32 hexadecimal digits.
    pub hash: String,
    /// The file that keeps them.
    pub file: PathBuf,
}

/// The file of published boards in a folder such as `LUDENS_HOME`, whether it is there or not.
pub fn kept(home: &Path, file: &str) -> PathBuf {
    home.join("data").join(file)
}

/// Reads boards of SameGame from a public file and keeps them below `home`.
///
/// The first boards are compared with the published sets by their hash: a known set gets the
/// name that experiments look for, any other file its own.
///
/// # Errors
/// When the file cannot be read or written, or holds anything but boards; says which board.
pub fn add_samegame(path: &Path, home: &Path) -> Result<Added, ludens_arena::Error> {
    let bytes = ludens_core::file::read(path, MOST_BYTES)
        .map_err(|source| ludens_arena::Error::file("read", path, source))?;
    let text = String::from_utf8_lossy(&bytes);
    let entry = |source: ParseError| ludens_arena::Error::entry(path, source);
    let boards = boards(&text).map_err(entry)?;
    let handle = game("samegame").map_err(entry)?;
    let case = |i: usize, rows: &[String]| -> Result<Case, ParseError> {
        let position = handle.parse(&rows.join("/"))?.position();
        Ok(Case { id: (i + 1).to_string(), position, best_known: None })
    };
    let cases: Result<Vec<Case>, ParseError> = boards
        .iter()
        .enumerate()
        .map(|(i, rows)| case(i, rows).map_err(|e| e.within(&format!("board {}", i + 1))))
        .collect();
    let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let suite = Suite::new(name.clone(), cases.map_err(entry)?)?;
    let known = KNOWN.iter().find(|known| {
        suite.cases().len() >= known.boards
            && suite.clone().first(known.boards).hash() == known.hash
    });
    let (suite, file) = match known {
        Some(known) => (suite.first(known.boards), known.file.to_owned()),
        None => (suite, format!("samegame/{name}.json")),
    };
    let file = kept(home, &file);
    let count = suite.cases().len();
    let list: Vec<Value> = boards[..count]
        .iter()
        .enumerate()
        .map(|(i, rows)| json!({"id": i + 1, "rows": rows}))
        .collect();
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|source| ludens_arena::Error::file("make", folder, source))?;
    }
    export::save(&file, &format!("{:#}\n", Value::Array(list)))?;
    Ok(Added { known: known.map(|known| known.title), boards: count, hash: suite.hash(), file })
}

/// The rows of every board of a text in one of the formats.
fn boards(text: &str) -> Result<Vec<Vec<String>>, ParseError> {
    if !text.trim_start().starts_with(['[', '{']) {
        return in_lines(text);
    }
    let wrong = |found: String| {
        ParseError::new("boards", found, "a list of objects with rows, or an object with testIn")
    };
    let json: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    if let Some(text) = json["testIn"].as_str() {
        return in_lines(text);
    }
    let list = json.as_array().ok_or_else(|| wrong("another JSON".to_owned()))?;
    let rows = |board: &Value| {
        let rows = board["rows"].as_array()?;
        rows.iter().map(|row| row.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
    };
    let all = list.iter().enumerate().map(|(i, board)| {
        rows(board).ok_or_else(|| wrong(format!("board {} without rows", i + 1)))
    });
    all.collect()
}

/// Boards of lines: 15 at a time, blank lines between them or not.
fn in_lines(text: &str) -> Result<Vec<Vec<String>>, ParseError> {
    let squeezed = |line: &str| line.split_whitespace().collect::<String>();
    let lines: Vec<String> = text.lines().map(squeezed).filter(|line| !line.is_empty()).collect();
    let letters = lines.iter().any(|line| line.chars().any(char::is_alphabetic));
    let line = |(number, line): (usize, &String)| {
        let cell = |c: char| match c {
            '0'..='9' if !letters => Some(c),
            _ if letters => letter(c),
            _ => None,
        };
        let cells: Option<String> = line.chars().map(cell).collect();
        cells.filter(|cells| cells.len() == SIDE).ok_or_else(|| {
            let what = format!("line {} without the blank ones", number + 1);
            ParseError::new(what, quote(line), "15 colours, as digits or as letters")
        })
    };
    let rows: Vec<String> = lines.iter().enumerate().map(line).collect::<Result<_, _>>()?;
    if rows.is_empty() || !rows.len().is_multiple_of(SIDE) {
        return Err(ParseError::new("boards", format!("{} lines", rows.len()), "15 for each"));
    }
    Ok(rows.chunks(SIDE).map(<[String]>::to_vec).collect())
}

/// The digit of a letter: `A` and `a` are colour 0.
fn letter(c: char) -> Option<char> {
    let c = c.to_ascii_lowercase();
    c.is_ascii_lowercase().then(|| char::from(b'0' + (c as u8 - b'a').min(9)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(first: char) -> String {
        let row = |i: usize| (0..15).map(move |j| ['0', '1', '2', '3', '4'][(i * j + i) % 5]);
        let mut text: String = (0..15).flat_map(|i| row(i).chain(['\n'])).collect();
        text.replace_range(..1, &first.to_string());
        text
    }

    fn added(text: &str) -> Result<Added, String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("boards.txt");
        std::fs::write(&path, text).unwrap();
        let added = add_samegame(&path, home.path()).map_err(|error| error.to_string())?;
        let handle = game("samegame").unwrap();
        let suite = Suite::read(&added.file, &|text| Ok(handle.parse(text)?.position())).unwrap();
        assert_eq!((suite.cases().len(), suite.hash()), (added.boards, added.hash.clone()));
        Ok(added)
    }

    #[test]
    fn all_formats_give_the_same_boards() {
        let (one, two) = (board('0'), board('1'));
        let plain = added(&format!("{one}\n{two}")).unwrap();
        assert_eq!((plain.boards, plain.known), (2, None));
        let spaced = |text: &str| -> String {
            text.chars().map(|c| if c == '\n' { "\n".into() } else { format!("{c} ") }).collect()
        };
        assert_eq!(
            added(&format!("{}\n\n{}", spaced(&one), spaced(&two))).unwrap().hash,
            plain.hash
        );
        let lettered = |text: &str| -> String {
            text.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from(b'a' + d as u8))).collect()
        };
        assert_eq!(added(&lettered(&format!("{one}{two}"))).unwrap().hash, plain.hash);
        let rows = |text: &str| json!({"rows": text.lines().collect::<Vec<_>>()});
        assert_eq!(added(&json!([rows(&one), rows(&two)]).to_string()).unwrap().hash, plain.hash);
        let single = added(&json!({"testIn": spaced(&one)}).to_string()).unwrap();
        assert_eq!(single.hash, added(&one).unwrap().hash);
    }

    #[test]
    fn what_is_no_board_is_told() {
        for (text, expected) in [
            ("", "15 for each"),
            ("012\n", "line 1"),
            (&board('9') as &str, "board 1"),
            ("{\"rows\": 1}", "another JSON"),
            ("[{\"id\": 1}]", "board 1 without rows"),
        ] {
            let error = added(text).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_published_boards_are_known() {
        let Some(data) = ludens_testkit::data_folder("published boards are known") else { return };
        let home = tempfile::tempdir().unwrap();
        for known in KNOWN {
            let added = add_samegame(&data.join(known.file), home.path()).unwrap();
            assert_eq!((added.known, added.boards), (Some(known.title), known.boards));
            assert_eq!(added.file, kept(home.path(), known.file));
        }
    }
}
