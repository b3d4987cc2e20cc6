//! The same rules once more, for tests: tile values in rows of rows, one cell
//! after another, nothing shared with the games.

use std::collections::HashSet;

/// A board of tile values, 0 for no tile.
pub(crate) type Board = Vec<Vec<u32>>;

/// What sets a game apart.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Whether two tiles merge into their sum.
    pub merges: fn(u32, u32) -> bool,
    /// The values of new tiles.
    pub new: [u32; 2],
}

pub(crate) const POWERS: Rules = Rules { merges: |a, b| a == b, new: [2, 4] };
pub(crate) const FIBONACCI: Rules =
    Rules { merges: |a, b| (a == 1 && b == 1) || fibonacci_neighbours(a, b), new: [1, 2] };

fn fibonacci_neighbours(a: u32, b: u32) -> bool {
    let (mut x, mut y) = (1, 2);
    while x < a.min(b) {
        (x, y) = (y, x + y);
    }
    (x, y) == (a.min(b), a.max(b))
}

pub(crate) fn read(text: &str) -> Board {
    text.split('/').map(|row| row.split(',').map(|tile| tile.parse().unwrap()).collect()).collect()
}

pub(crate) fn write(board: &Board) -> String {
    let row = |row: &Vec<u32>| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    board.iter().map(row).collect::<Vec<_>>().join("/")
}

/// The board after a slide, and the sum of the tiles made.
pub(crate) fn slide(rules: Rules, board: &Board, direction: &str) -> (Board, u64) {
    let (rows, cols) = (board.len(), board[0].len());
    let mut out = board.clone();
    let mut reward = 0;
    let (lines, length) =
        if direction == "up" || direction == "down" { (cols, rows) } else { (rows, cols) };
    for line in 0..lines {
        let at = |step: usize| match direction {
            "up" => (step, line),
            "down" => (rows - 1 - step, line),
            "left" => (line, step),
            "right" => (line, cols - 1 - step),
            other => panic!("no direction: {other}"),
        };
        let mut tiles: Vec<u32> =
            (0..length).map(|step| board[at(step).0][at(step).1]).filter(|&t| t != 0).collect();
        let mut i = 0;
        while i + 1 < tiles.len() {
            if (rules.merges)(tiles[i], tiles[i + 1]) {
                tiles[i] += tiles.remove(i + 1);
                reward += u64::from(tiles[i]);
            }
            i += 1;
        }
        tiles.resize(length, 0);
        for (step, tile) in tiles.into_iter().enumerate() {
            out[at(step).0][at(step).1] = tile;
        }
    }
    (out, reward)
}

/// The legal slides with their results, in the order up, right, down, left.
pub(crate) fn moves(rules: Rules, board: &Board) -> Vec<(&'static str, Board, u64)> {
    ["up", "right", "down", "left"]
        .into_iter()
        .map(|direction| {
            let (slid, reward) = slide(rules, board, direction);
            (direction, slid, reward)
        })
        .filter(|(_, slid, _)| slid != board)
        .collect()
}

/// The boards with one new tile more.
pub(crate) fn spawned(rules: Rules, board: &Board) -> Vec<Board> {
    let mut out = Vec::new();
    for (r, row) in board.iter().enumerate() {
        for c in (0..row.len()).filter(|&c| row[c] == 0) {
            for tile in rules.new {
                let mut next = board.clone();
                next[r][c] = tile;
                out.push(next);
            }
        }
    }
    out
}

/// Paths of a number of plies, slides and new tiles in turn.
pub(crate) fn perft(rules: Rules, board: &Board, plies: usize) -> u64 {
    if plies == 0 {
        return 1;
    }
    moves(rules, board)
        .iter()
        .map(|(_, slid, _)| match plies {
            1 => 1,
            _ => spawned(rules, slid).iter().map(|next| perft(rules, next, plies - 2)).sum(),
        })
        .sum()
}

/// All positions and afterstates to be reached from `tiles` new tiles.
pub(crate) fn reachable(
    rules: Rules,
    rows: usize,
    cols: usize,
    tiles: usize,
) -> (HashSet<Board>, HashSet<Board>) {
    let mut starts = HashSet::from([vec![vec![0; cols]; rows]]);
    for _ in 0..tiles {
        starts = starts.iter().flat_map(|board| spawned(rules, board)).collect();
    }
    let mut open: Vec<Board> = starts.iter().cloned().collect();
    let (mut positions, mut afterstates) = (starts, HashSet::new());
    while let Some(board) = open.pop() {
        for (_, slid, _) in moves(rules, &board) {
            if afterstates.insert(slid.clone()) {
                let new =
                    spawned(rules, &slid).into_iter().filter(|next| positions.insert(next.clone()));
                open.extend(new.collect::<Vec<_>>());
            }
        }
    }
    (positions, afterstates)
}
