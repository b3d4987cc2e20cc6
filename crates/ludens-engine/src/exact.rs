//! Small sliding games solved completely.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{ParseError, Variant};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_search::tabular::{
    ExactTable, FileError, Model, Unsolved, Worth, memory_of, retrograde,
};

use crate::sliding::Sliding;
use crate::variant_of;

/// The ways to solve a game, the default first.
pub const METHODS: &[&str] = &["retrograde", "value-iteration", "policy-iteration"];

/// Why there is no answer.
#[derive(Debug)]
pub enum ExactError {
    /// The question is wrong.
    Usage(ParseError),
    /// The game is too large, or it was stopped.
    Unsolved(Unsolved),
    /// The game is known to be too large.
    Foreseen {
        /// A board that was solved before: the one asked for, or one within it.
        board: String,
        /// The bytes its tables take.
        needed: usize,
        /// The bytes that were allowed.
        memory: usize,
    },
    /// The table's file cannot be read.
    File(FileError),
    /// The table's file cannot be written.
    Write(FileError),
}

impl std::fmt::Display for ExactError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExactError::Usage(error) => error.fmt(f),
            ExactError::Unsolved(error) => error.fmt(f),
            ExactError::Foreseen { board, needed, memory } => write!(
                f,
                "{board} alone needs {} MiB of tables, {} MiB are allowed; allow more with --memory, \
                 or take a smaller board",
                needed.div_ceil(1 << 20),
                memory >> 20
            ),
            ExactError::File(error) | ExactError::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExactError {}

impl From<ParseError> for ExactError {
    fn from(error: ParseError) -> Self {
        ExactError::Usage(error)
    }
}

impl From<Unsolved> for ExactError {
    fn from(error: Unsolved) -> Self {
        ExactError::Unsolved(error)
    }
}

impl From<FileError> for ExactError {
    fn from(error: FileError) -> Self {
        ExactError::File(error)
    }
}

/// Boards that were solved: the game, rows, columns, and the reachable positions and
/// afterstates. Larger boards have more of both.
const MEASURED: [(&str, usize, usize, u64, u64); 4] = [
    ("2048", 2, 3, 85_844, 59_038),
    ("2048", 2, 4, 19_920_382, 13_625_764),
    ("2584", 2, 3, 815_828, 525_758),
    ("threes", 2, 3, 225_779, 211_430),
];

/// Refuses what is known not to fit before anything is walked: the largest board that was
/// solved and lies within the one asked for.
fn foresee<G: Sliding>(variant: &G::Variant, memory: usize) -> Result<(), ExactError> {
    // The squares of the grid that are on the board, four to a row.
    let board = G::cell_shape(variant).board;
    let cols = (board & 0xF).count_ones() as usize;
    let rows = board.count_ones() as usize / cols.max(1);
    for &(name, r, c, positions, afterstates) in MEASURED.iter().rev() {
        let within = r <= rows && c <= cols || c <= rows && r <= cols;
        if name != G::NAME || !within {
            continue;
        }
        // Nearly every entry stands for all images of a position.
        let images = if r == c { 8 } else { 4 };
        let needed = memory_of(positions / images, afterstates / images);
        if needed > memory {
            let board = format!("{name}:board={r}x{c}");
            return Err(ExactError::Foreseen { board, needed, memory });
        }
    }
    Ok(())
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct ExactQuestion<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// A position or an afterstate; without one only the game as a whole is told.
    pub position: Option<&'a str>,
    /// One of [`METHODS`], or the first.
    pub method: Option<&'a str>,
    /// Bytes for tables.
    pub memory: usize,
    /// The file that keeps the table: read if it is there, else written.
    pub table: Option<PathBuf>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// What it is: `position` or `afterstate`.
    pub kind: &'static str,
    /// As it is written.
    pub text: String,
    /// What it is worth; `None` when no play from a start leads to it.
    pub worth: Option<Worth>,
    /// All moves of the game in order, with what they are worth where they are legal. Empty for
    /// afterstates and what cannot be reached.
    pub moves: Vec<(String, Option<Worth>)>,
    /// The best move of a position that is not over.
    pub best: Option<String>,
}

/// A solved game.
#[derive(Clone, PartialEq, Debug)]
pub struct ExactGame {
    /// The game with its variant.
    pub game: String,
    /// The position that was asked about.
    pub answer: Option<Answer>,
    /// Reachable positions and afterstates.
    pub positions: u64,
    /// Reachable afterstates.
    pub afterstates: u64,
    /// The expected score of a whole game.
    pub start: f64,
    /// How it was solved; `table` when it was read.
    pub method: String,
    /// Passes over all positions, for iterations.
    pub sweeps: Option<usize>,
    /// Time to solve it or to read the table.
    pub time: Duration,
}

/// Solves a game and answers.
///
/// # Errors
/// When the question is wrong, the game is too large for the memory, or the table's file
/// cannot be used.
pub fn exact(question: &ExactQuestion<'_>, stop: &AtomicBool) -> Result<ExactGame, ExactError> {
    match question.game.split(':').next().unwrap_or_default() {
        "2048" => solved::<Game2048>(question, stop),
        "2584" => solved::<Game2584>(question, stop),
        "threes" => solved::<Threes>(question, stop),
        other => {
            let expected = "one of tiles: 2048, 2584 or threes";
            Err(ParseError::new("game", quote(other), expected).into())
        }
    }
}

fn solved<G: Sliding>(
    question: &ExactQuestion<'_>,
    stop: &AtomicBool,
) -> Result<ExactGame, ExactError> {
    let variant = variant_of::<G>(question.game)?;
    let asked = question.position.map(|text| read::<G>(&variant, text)).transpose()?;
    let method = question.method.unwrap_or(METHODS[0]);
    if !METHODS.contains(&method) {
        let expected = format!("{} with --exact", METHODS.join(" | "));
        return Err(ParseError::new("solver", quote(method), expected).into());
    }
    let game = spec(G::NAME, &variant.write());
    let begin = Instant::now();
    let file = question.table.as_deref();
    let (table, sweeps, method) = match file.filter(|path| path.exists()) {
        Some(path) => (ExactTable::load(path, &game)?.0, None, "table"),
        None => {
            foresee::<G>(&variant, question.memory)?;
            let (table, sweeps) = solve::<G>(method, &variant, question.memory, stop)?;
            (table, sweeps, method)
        }
    };
    let time = begin.elapsed();
    if let Some(path) = file.filter(|_| method != "table") {
        table.save(path, &game).map_err(ExactError::Write)?;
    }
    Ok(ExactGame {
        answer: asked.map(|asked| answer(&variant, &table, &asked)),
        game,
        positions: table.positions(),
        afterstates: table.afterstates(),
        start: table.start(),
        method: method.to_owned(),
        sweeps,
        time,
    })
}

fn solve<G: Sliding>(
    method: &str,
    variant: &G::Variant,
    memory: usize,
    stop: &AtomicBool,
) -> Result<(ExactTable, Option<usize>), Unsolved> {
    if method == METHODS[0] {
        return Ok((retrograde::<G>(variant, memory, stop)?, None));
    }
    let model = Model::new::<G>(variant, memory, stop)?;
    let solved = match method {
        "value-iteration" => model.value_iteration(stop)?,
        _ => model.policy_iteration(stop)?,
    };
    Ok((solved.table, Some(solved.sweeps)))
}

/// What a text names.
enum Asked<G: Sliding> {
    Position(G),
    After(G::After),
}

/// Reads a position, or an afterstate where that is what the text is.
fn read<G: Sliding>(variant: &G::Variant, text: &str) -> Result<Asked<G>, ParseError> {
    let error = match G::parse(variant, text) {
        Ok(position) => return Ok(Asked::Position(position)),
        Err(error) => error,
    };
    match G::parse_after(variant, text) {
        Ok(after) => Ok(Asked::After(after)),
        // The mark of an afterstate tells which error is of interest.
        Err(other) if text.contains('*') || text.contains(char::is_alphabetic) => Err(other),
        Err(_) => Err(error),
    }
}

fn answer<G: Sliding>(variant: &G::Variant, table: &ExactTable, asked: &Asked<G>) -> Answer {
    let position = match asked {
        Asked::After(after) => {
            return Answer {
                kind: "afterstate",
                text: G::after_text(after),
                worth: table.after::<G>(variant, after),
                moves: Vec::new(),
                best: None,
            };
        }
        Asked::Position(position) => position,
    };
    let worth = table.state(position);
    let mut moves: Vec<(String, Option<Worth>)> = Vec::new();
    let mut best: Option<(String, f64)> = None;
    for index in (0..G::action_space(variant)).filter(|_| worth.is_some()) {
        let action = position.action_of_index(index).expect("the index is within the space");
        let text = position.action_text(action);
        if !position.is_legal(action) {
            moves.push((text, None));
            continue;
        }
        let (after, reward) = position.apply(action);
        let worth = table.after::<G>(variant, &after).expect("it follows what is reachable");
        let worth = Worth {
            expected: worth.expected + f64::from(reward),
            best: worth.best + reward,
            worst: worth.worst + reward,
        };
        if best.as_ref().is_none_or(|(_, most)| worth.expected > *most) {
            best = Some((text.clone(), worth.expected));
        }
        moves.push((text, Some(worth)));
    }
    let best = best.map(|(text, _)| text);
    Answer { kind: "position", text: position.text(), worth, moves, best }
}
