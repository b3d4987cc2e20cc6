//! A second solver of Former that shares no code with the first, to check it by.
//!
//! A column is a word, numbered among all words that can be left of it; a position
//! is the numbers of its columns in one key. Every group is tried in every position.
//! A position is dropped only if a lower bound says so: the number of runs of each shape,
//! and, if wanted, what pairs of columns need. The argument for both is that of the
//! first solver (`former/strips.rs`); everything else, its order of moves and its looks
//! ahead, is missing here on purpose.

use std::collections::HashMap;

/// Shapes a board may have.
const SHAPES: usize = 4;

/// Columns a board may have.
const COLUMNS: usize = 16;

/// What a position is dropped by besides the number of runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Pairs {
    /// Nothing.
    Off,
    /// What pairs of columns need, where groups that touch a side may go together if
    /// the column beside has two cells of the shape: they leave that side at two rows.
    Loose,
    /// The same, where some column beyond must have three: the way turns back somewhere.
    Tight,
}

/// A step costs 1 unless it may reach beyond this side of a pair.
#[derive(Clone, Copy, PartialEq)]
enum Free {
    Neither,
    Left,
    Right,
}

/// All words that can be left of one column; number 0 is the empty one.
struct Column {
    /// Where each shape stands in a word, as bits from the bottom.
    places: Vec<[u64; SHAPES]>,
    /// The shapes of which a word has at least one, two, three.
    at_least: Vec<[u8; 3]>,
    /// The number of the column as it was at first.
    whole: u16,
    /// The word without some of its letters: by `word << rows | letters`.
    without: Vec<u16>,
}

/// A board to be solved.
pub(crate) struct Plain {
    rows: usize,
    /// The lowest cell of every column.
    floor: u64,
    columns: Vec<Column>,
    /// By pair of columns: the games that have been asked for, by kind.
    pairs: Vec<Vec<Option<Vec<u8>>>>,
    use_pairs: Pairs,
}

/// What a layer held.
pub(crate) struct Count {
    pub(crate) kept: usize,
    pub(crate) tried: u64,
}

impl Column {
    fn new(word: &[u8], rows: usize) -> Self {
        let mut numbers: HashMap<Vec<u8>, u16> = HashMap::from([(Vec::new(), 0)]);
        let mut words: Vec<Vec<u8>> = vec![Vec::new()];
        let spell = |word: &[u8], letters: usize| -> Vec<u8> {
            (0..word.len()).filter(|n| letters >> n & 1 != 0).map(|n| word[n]).collect()
        };
        for letters in 0..1usize << word.len() {
            let part = spell(word, letters);
            if !numbers.contains_key(&part) {
                numbers.insert(part.clone(), words.len() as u16);
                words.push(part);
            }
        }
        let mut column = Column {
            places: Vec::new(),
            at_least: Vec::new(),
            whole: numbers[word],
            without: vec![0; words.len() << rows],
        };
        for (number, word) in words.iter().enumerate() {
            let (mut places, mut at_least) = ([0u64; SHAPES], [0; 3]);
            for (row, &shape) in word.iter().enumerate() {
                places[usize::from(shape)] |= 1 << row;
            }
            for (shape, cells) in places.iter().enumerate() {
                for (n, set) in at_least.iter_mut().enumerate() {
                    *set |= u8::from(cells.count_ones() as usize > n) << shape;
                }
            }
            column.places.push(places);
            column.at_least.push(at_least);
            for letters in 0..1usize << word.len() {
                column.without[number << rows | letters] = numbers[&spell(word, !letters)];
            }
        }
        column
    }
}

impl Plain {
    /// A board as columns from the left, each from the bottom. At most 16 columns and 63
    /// cells.
    pub(crate) fn new(board: &[Vec<u8>], rows: usize, use_pairs: Pairs) -> Self {
        let columns: Vec<Column> = board.iter().map(|word| Column::new(word, rows)).collect();
        let kinds = 3 << (2 * SHAPES);
        let pairs = (1..columns.len()).map(|_| vec![None; kinds]).collect();
        let floor = (0..board.len()).fold(0, |all, c| all | 1 << (c * rows));
        Plain { rows, floor, columns, pairs, use_pairs }
    }

    /// The key of the board itself.
    fn first(&self) -> u64 {
        let columns = self.columns.iter().enumerate();
        columns.fold(0, |key, (c, column)| key | u64::from(column.whole) << (c * self.rows))
    }

    fn word(&self, key: u64, c: usize) -> usize {
        (key >> (c * self.rows)) as usize & ((1 << self.rows) - 1)
    }

    /// Whether the board can be cleared within `moves`, layer by layer; `told` hears of
    /// each layer.
    pub(crate) fn clears(&mut self, moves: u32, mut report: impl FnMut(Count)) -> bool {
        let mut layer = vec![self.first()];
        if layer == [0] {
            return true;
        }
        for left in (0..moves).rev() {
            let (mut next, mut mark, mut tried) = (Vec::new(), 1 << 24, 0);
            for &key in &layer {
                tried += self.expand(key, left, &mut next);
                if next.len() > mark {
                    next.sort_unstable();
                    next.dedup();
                    mark = next.len() * 2 + (1 << 24);
                }
            }
            next.sort_unstable();
            next.dedup();
            report(Count { kept: next.len(), tried });
            if next.first() == Some(&0) {
                return true;
            }
            layer = next;
        }
        false
    }

    /// Adds the positions one move away that may be cleared in `left` more; says how many
    /// groups there are.
    fn expand(&mut self, key: u64, left: u32, next: &mut Vec<u64>) -> u64 {
        let (rows, count) = (self.rows, self.columns.len());
        let mut shapes = [0u64; SHAPES];
        for c in 0..count {
            let places = self.columns[c].places[self.word(key, c)];
            for (all, here) in shapes.iter_mut().zip(places) {
                *all |= here << (c * rows);
            }
        }
        let runs: u32 = shapes.iter().map(|&cells| self.runs(cells)).sum();
        let mut tried = 0;
        for cells in shapes {
            let own = self.runs(cells);
            let mut rest = cells;
            while rest != 0 {
                let group = self.connected(rest & rest.wrapping_neg(), cells);
                rest &= !group;
                tried += 1;
                if runs - own + self.runs(cells & !group) > left {
                    continue;
                }
                let child = self.remove(key, group, 0);
                if self.use_pairs == Pairs::Off || !self.pairs_need_more(child, left) {
                    next.push(child);
                }
            }
        }
        tried
    }

    /// The key without the cells of a group, which lie from column `first` on.
    fn remove(&self, key: u64, group: u64, first: usize) -> u64 {
        let (rows, column) = (self.rows, (1u64 << self.rows) - 1);
        let (mut key, mut c, mut group) = (key, first, group);
        while group != 0 {
            let letters = (group & column) as usize;
            if letters != 0 {
                let word = (key & column << (c * rows)) >> (c * rows);
                let after = self.columns[c].without[(word as usize) << rows | letters];
                key = key & !(column << (c * rows)) | u64::from(after) << (c * rows);
            }
            group >>= rows;
            c += 1;
        }
        key
    }

    /// How many stretches of adjacent columns hold cells.
    fn runs(&self, cells: u64) -> u32 {
        // Each row pushed down onto the floor, then the floors that begin a stretch.
        let mut held = cells;
        for row in 1..self.rows {
            held |= cells >> row;
        }
        held &= self.floor;
        (held & !(held << self.rows)).count_ones()
    }

    /// The cells among `cells` that hang together with `seed`.
    fn connected(&self, seed: u64, cells: u64) -> u64 {
        let (floor, roof) = (self.floor, self.floor << (self.rows - 1));
        let mut group = seed;
        loop {
            let above = (group & !roof) << 1;
            let below = (group & !floor) >> 1;
            let wider = (group | above | below | group << self.rows | group >> self.rows) & cells;
            if wider == group {
                return group;
            }
            group = wider;
        }
    }

    /// Whether pairs of columns tell that more than `moves` are needed.
    fn pairs_need_more(&mut self, key: u64, moves: u32) -> bool {
        let count = self.columns.len();
        let mut sets = [[0; 3]; COLUMNS];
        for (c, (set, column)) in sets.iter_mut().zip(&self.columns).enumerate() {
            *set = column.at_least[self.word(key, c)];
        }
        // Shapes of which two groups of a column may hang together beyond its left side
        // or its right side.
        let loose = self.use_pairs == Pairs::Loose;
        let (mut at_left, mut at_right) = ([0; COLUMNS], [0; COLUMNS]);
        let open = |(open, way): (u8, u8), beside: usize| {
            let way = way & sets[beside][1];
            (open | way & if loose { 15 } else { sets[beside][2] }, way)
        };
        for c in 0..count {
            at_left[c] = (0..c).rev().fold((0, 15), open).0 & sets[c][1];
            at_right[c] = (c + 1..count).fold((0, 15), open).0 & sets[c][1];
        }
        // Moves left of column `c` that do not touch it, and the same at the right.
        let mut before = [0; COLUMNS];
        for c in 1..count {
            let lacking = (sets[c - 1][0] & !sets[c][0]).count_ones();
            before[c] = before[c - 1] + lacking;
            if c > 1 {
                let reach = sets[c][0] & sets[c - 1][0];
                let pair = self.pair(key, c - 2, Free::Right, at_left[c - 2], reach);
                before[c] = before[c].max(before[c - 2] + pair);
            }
        }
        let mut behind = [0; COLUMNS];
        for c in (0..count - 1).rev() {
            let lacking = (sets[c + 1][0] & !sets[c][0]).count_ones();
            behind[c] = behind[c + 1] + lacking;
            if c + 2 < count {
                let reach = sets[c][0] & sets[c + 1][0];
                let pair = self.pair(key, c + 1, Free::Left, reach, at_right[c + 2]);
                behind[c] = behind[c].max(behind[c + 2] + pair);
            }
        }
        (1..count).any(|c| {
            let pair = self.pair(key, c - 1, Free::Neither, at_left[c - 1], at_right[c]);
            before[c - 1] + pair + behind[c] > moves
        })
    }

    /// The fewest steps that cost and clear columns `c` and `c + 1`, where groups of the
    /// shapes `left` and `right` that touch that side may go together.
    fn pair(&mut self, key: u64, c: usize, free: Free, left: u8, right: u8) -> u32 {
        let (width, height) = (self.columns[c + 1].places.len(), self.columns[c].places.len());
        let (a, b) = (self.word(key, c), self.word(key, c + 1));
        let kind =
            (free as usize) << (2 * SHAPES) | usize::from(left) << SHAPES | usize::from(right);
        let table = self.pairs[c][kind].get_or_insert_with(|| {
            let mut table = vec![u8::MAX; width * height];
            table[0] = 0;
            table
        });
        let known = table[a * width + b];
        if known != u8::MAX {
            return u32::from(known);
        }
        let rows = self.rows;
        let mut best = u32::MAX;
        for shape in 0..SHAPES {
            let own = [self.columns[c].places[a][shape], self.columns[c + 1].places[b][shape]];
            let cells = own[0] | own[1] << rows;
            let (goes_left, goes_right) = (left >> shape & 1 != 0, right >> shape & 1 != 0);
            let touches = |group: u64| {
                let (at_left, at_right) = (group & ((1 << rows) - 1) != 0, group >> rows != 0);
                (goes_left && at_left, goes_right && at_right)
            };
            let (mut groups, mut rest) = (Vec::new(), cells);
            while rest != 0 {
                let group = self.connected(rest & rest.wrapping_neg(), cells);
                rest &= !group;
                groups.push(group);
            }
            for choice in 1..1usize << groups.len() {
                let chosen: Vec<u64> =
                    (0..groups.len()).filter(|n| choice >> n & 1 != 0).map(|n| groups[n]).collect();
                let open = |&group: &u64| touches(group) != (false, false);
                if chosen.len() > 1 && !chosen.iter().all(open) {
                    continue;
                }
                let step = chosen.iter().fold(0, |cells, group| cells | group);
                let costs = match free {
                    Free::Neither => true,
                    Free::Left => !touches(step).0,
                    Free::Right => !touches(step).1,
                };
                let child = self.remove(key, step, c);
                best = best.min(u32::from(costs) + self.pair(child, c, free, left, right));
            }
        }
        if let Some(table) = &mut self.pairs[c][kind] {
            table[a * width + b] = best as u8;
        }
        best
    }
}
