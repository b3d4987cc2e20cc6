use std::collections::HashSet;

use ludens_core::{
    Duel, Game, GameResult, Notation, Params, Player, Position, Rng, Sym, Symmetric, Variant, perft,
};

use super::{Base, Sevn, Tiles};

const BASES: [usize; 5] = [3, 5, 7, 9, 11];

fn base(n: usize) -> Base {
    Base::new(n).unwrap()
}

fn read(text: &str) -> Sevn {
    Sevn::parse(&Base::default(), text).unwrap()
}

fn refused(text: &str) -> String {
    Sevn::parse(&Base::default(), text).unwrap_err().to_string()
}

#[test]
fn conforms() {
    for n in BASES {
        ludens_testkit::conform::<Sevn>(&base(n));
        ludens_testkit::check_duel::<Sevn>(&base(n));
        ludens_testkit::check_fixed_actions::<Sevn>(&base(n));
    }
}

#[test]
fn perft_of_four_positions() {
    for (text, counts) in [
        ("1/aaa/aab.cba.cbc", &[5, 40, 276, 1478, 6294, 18633, 39646, 47088][..]),
        ("1/aaaaa/cabcd.aedeb.dcbee.ebdac.dacba", &[5, 37, 382, 4454, 54882]),
        ("2/-dcc-ba/5.1dbbc.deeaa.eecb1.1ce2", &[11, 110, 1036, 9261, 74213]),
        (
            "1/aaaaaaa/abcdefg.bcdefga.cdefgab.defgabc.efgabcd.fgabcde.gabcdef",
            &[5, 42, 446, 5696, 84086],
        ),
    ] {
        assert_eq!(perft(&read(text), counts.len(), &|| false).unwrap(), counts, "{text}");
        assert_eq!(read(text).text(), text);
    }
}

/// The rules once more, cell by cell.
#[derive(Clone)]
struct Plain {
    n: usize,
    /// The colour of each cell, row by row.
    cells: Vec<Option<usize>>,
    /// Tiles of each colour taken by each player.
    taken: [Vec<usize>; 2],
    mover: usize,
}

impl Plain {
    /// A start position, from its text.
    fn new(text: &str) -> Self {
        let rows = text.rsplit('/').next().unwrap();
        let cells: Vec<_> =
            rows.bytes().filter(|&c| c != b'.').map(|c| Some((c - b'a') as usize)).collect();
        let n = cells.len().isqrt();
        Plain { n, cells, taken: [vec![0; n], vec![0; n]], mover: 0 }
    }

    fn empty(&self, row: isize, column: isize) -> bool {
        let inside = 0..self.n as isize;
        !inside.contains(&row)
            || !inside.contains(&column)
            || self.cells[row as usize * self.n + column as usize].is_none()
    }

    fn takeable(&self, cell: usize) -> bool {
        let (row, column) = ((cell / self.n) as isize, (cell % self.n) as isize);
        self.cells[cell].is_some()
            && (self.empty(row - 1, column) || self.empty(row + 1, column))
            && (self.empty(row, column - 1) || self.empty(row, column + 1))
    }

    /// Sets of cells, in the documented order.
    fn moves(&self) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        if self.winner().is_some() {
            return all;
        }
        for colour in 0..self.n {
            let mut sets = vec![Vec::new()];
            for cell in 0..self.cells.len() {
                if self.cells[cell] == Some(colour) && self.takeable(cell) {
                    let mut with: Vec<Vec<usize>> = sets.clone();
                    with.iter_mut().for_each(|set| set.push(cell));
                    sets.extend(with);
                }
            }
            all.extend(sets.into_iter().skip(1));
        }
        all
    }

    fn play(&mut self, set: &[usize]) {
        for &cell in set {
            let colour = self.cells[cell].take().unwrap();
            self.taken[self.mover][colour] += 1;
        }
        self.mover = 1 - self.mover;
    }

    fn winner(&self) -> Option<usize> {
        if let Some(player) = (0..2).find(|&p| self.taken[p].contains(&self.n)) {
            return Some(player);
        }
        if self.cells.iter().any(Option::is_some) {
            return None;
        }
        let owned = (0..self.n).filter(|&c| self.taken[0][c] > self.taken[1][c]).count();
        Some(usize::from(2 * owned < self.n))
    }

    fn agrees(&self, position: &Sevn) {
        let text = position.text();
        let moves: Vec<Tiles> = self
            .moves()
            .iter()
            .map(|set| Tiles(set.iter().fold(0, |tiles, cell| tiles | 1 << cell)))
            .collect();
        assert_eq!(position.actions().collect::<Vec<_>>(), moves, "{text}");
        assert_eq!(position.actions().len(), moves.len(), "{text}");
        assert_eq!(position.to_move().index(), self.mover, "{text}");
        let winner = self.winner().map(|p| GameResult::Win([Player::One, Player::Two][p]));
        assert_eq!(position.outcome(), winner, "{text}");
        for colour in 0..self.n {
            let lead = self.taken[0][colour] as i32 - self.taken[1][colour] as i32;
            assert_eq!(position.lead(colour), lead, "{text}");
        }
        for (cell, colour) in self.cells.iter().enumerate() {
            assert_eq!(position.colour(cell), *colour, "{text}");
        }
    }
}

#[test]
fn agrees_with_rules_written_cell_by_cell() {
    for n in BASES {
        for game in 0..2000 / (n * n) as u64 {
            let mut rng = Rng::stream(17, game);
            let mut position = Sevn::start(&base(n), &mut rng);
            let mut plain = Plain::new(&position.text());
            plain.agrees(&position);
            while let Some((action, next, _)) = position.step(&mut rng) {
                plain.play(&position.action_cells(action));
                plain.agrees(&next);
                position = next;
            }
        }
    }
}

/// The first tile in row order has nothing above it and nothing to its left.
#[test]
fn a_tile_is_takeable_while_there_are_tiles() {
    let mut rng = Rng::new(3);
    for n in BASES {
        for _ in 0..2000 {
            let random = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let tiles = random & base(n).board();
            if tiles != 0 {
                let free = base(n).takeable(tiles);
                assert_ne!(free & tiles & tiles.wrapping_neg(), 0);
                assert_eq!(free & !tiles, 0);
            }
        }
        assert_eq!(base(n).takeable(base(n).board()).count_ones(), 4, "a full board has corners");
    }
}

#[test]
fn starts_have_as_many_tiles_of_each_colour() {
    let mut rng = Rng::new(4);
    for n in BASES {
        let start = Sevn::start(&base(n), &mut rng);
        for colour in 0..n {
            let tiles = (0..n * n).filter(|&cell| start.colour(cell) == Some(colour)).count();
            assert_eq!(tiles, n);
        }
        assert_ne!(start, Sevn::start(&base(n), &mut rng));
    }
}

#[test]
fn positions_are_small() {
    assert_eq!(size_of::<Sevn>(), 80);
}

#[test]
fn a_complete_colour_wins_at_once() {
    let last = read("2/-cbc/3.1ba.1bc");
    let (end, reward) = last.apply(last.parse_action("1,2").unwrap());
    assert_eq!((end.outcome(), reward), (Some(GameResult::Win(Player::Two)), -1));
    assert_eq!(end.actions().len(), 0);
    assert_eq!(read(&end.text()), end);
}

#[test]
fn the_majority_of_colours_wins_on_an_empty_board() {
    assert_eq!(read("1/bb-b/3.3.3").outcome(), Some(GameResult::Win(Player::One)));
    assert_eq!(read("2/b-b-b/3.3.3").outcome(), Some(GameResult::Win(Player::Two)));
}

#[test]
fn long_runs_of_empty_cells_read_back() {
    let mut rng = Rng::new(8);
    let mut position = Sevn::start(&base(11), &mut rng);
    let mut seen = HashSet::new();
    while seen.len() < 2 {
        position = match position.step(&mut rng) {
            Some((_, next, _)) => next,
            None => Sevn::start(&base(11), &mut rng),
        };
        let text = position.text();
        for (row, ours, number) in text
            .rsplit('/')
            .next()
            .unwrap()
            .split('.')
            .flat_map(|row| [(row, "91", "10"), (row, "92", "11")])
        {
            if row.contains(ours) {
                let other = text.replace(row, &row.replace(ours, number));
                assert_eq!(Sevn::parse(&base(11), &other), Ok(position), "{other}");
                seen.insert(ours);
            }
        }
    }
}

#[test]
fn the_text_tells_the_base() {
    let text = "1/aaa/aab.cba.cbc";
    assert_eq!(read(text).variant(), base(3));
    assert_eq!(Sevn::parse(&base(3), text), Ok(read(text)));
    let message = Sevn::parse(&base(5), text).unwrap_err().to_string();
    assert_eq!(message, "scores: found 3 scores, expected 5, the base of the game");
}

#[test]
fn bases_are_odd() {
    let read = |text: &str| Base::read(&mut Params::parse(text).unwrap());
    assert_eq!(read("base=9"), Ok(base(9)));
    for text in ["base=4", "base=13", "base=", "base=-7", "base=x"] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.starts_with("parameter base: found '"), "{message}");
        assert!(message.ends_with("expected 3 | 5 | 7 | 9 | 11"), "{message}");
    }
}

#[test]
fn bad_positions_are_refused() {
    for (text, message) in [
        ("", "position: found '', expected player/scores/rows"),
        ("1/aaa", "position: found '1/aaa', expected player/scores/rows"),
        ("3/aaa/aab.cba.cbc", "player to move: found '3', expected 1 or 2"),
        ("1/aaaa/aab.cba.cbc", "scores: found 4 scores, expected 3, 5, 7, 9 or 11"),
        ("1/aaaaaaaaaaaaa/aab.cba.cbc", "score 11: found 'a', expected at most 11 scores"),
        (
            "1/a-aa/aab.cba.cbc",
            "score 1: found 'a', expected a letter after 'a': no lead has no sign",
        ),
        ("1/a--ba/aab.cba.cbc", "score 1: found '-', expected a letter after '-'"),
        ("1/aaa-/aab.cba.cbc", "scores: found a '-' at the end, expected a letter after it"),
        ("1/aaA/aab.cba.cbc", "score 2: found 'A', expected a letter, or '-' and a letter"),
        ("1/aea/aab.cba.cbc", "score of 'b': found 4, expected at most 3"),
        ("1/aaa/aab.cba", "rows: found 2 rows, expected 3 separated by '.'"),
        ("1/aaa/aab.cba.cb", "row 2: found 2 cells, expected 3 cells"),
        ("1/aaa/aabc.cba.cb", "row 0: found more cells, expected 3 cells"),
        ("1/aaa/aab.cda.cbc", "row 1: found 'd', expected a digit 1-9 or a letter a-c"),
        ("1/aaa/0aab.cba.cbc", "row 0: found '0', expected a digit 1-9 or a letter a-c"),
        ("1/aaa/aab.cba.cac", "rows: found 4 tiles 'a', expected at most 3"),
        (
            "2/baa/aab.cba.cbc",
            "score of 'a': found 1, expected an even lead of at most 0, the tiles taken of this colour",
        ),
        (
            "2/aaa/1ab.cba.cbc",
            "score of 'a': found 0, expected an odd lead of at most 1, the tiles taken of this colour",
        ),
        (
            "2/aaa/aab.cba.cbc",
            "turns: found 0 to 0 by player 1 and 0 to 0 by player 2, expected one more by player 1, for 2 to move",
        ),
        (
            "1/baa/1ab.cba.cbc",
            "turns: found 1 to 1 by player 1 and 0 to 0 by player 2, expected as many by both, for 1 to move",
        ),
        (
            "2/cac/a2.1bb.1bc",
            "turns: found 2 to 4 by player 1 and 0 to 0 by player 2, expected one more by player 1, for 2 to move",
        ),
        ("1/d-bb/3.1bb.1cc", "player to move: found 1, who has won, expected 2"),
        (
            "2/-dda/3.3.ccc",
            "scores: found 2 colours complete in one hand, expected the game to stop at the first",
        ),
        (
            "2/aba/aab.c1a.cbc",
            "rows: found an empty cell at 1,1, expected a tile: it cannot have been takeable",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
    assert!(refused(&format!("1/aaa/{}", "9".repeat(100_000))).len() < 200);
    assert!(refused(&"a/".repeat(100_000)).len() < 200);
}

#[test]
fn bad_moves_are_refused() {
    let position = read("1/aaa/aab.cba.cbc");
    let refused = |text: &str| position.parse_action(text).unwrap_err().to_string();
    for text in ["", "0", "0,3", "3,0", "0,0;", "0,-1", "+0,0", "00,0", "0,0,0", " 0,0"] {
        assert!(refused(text).ends_with("expected row,column, both from 0 to 2"), "{text}");
    }
    assert_eq!(refused("0,1"), "move: found '0,1', expected a takeable tile");
    assert_eq!(refused("0,0;0,0"), "move: found '0,0', expected each tile once");
    assert_eq!(
        refused("0,0;2,0"),
        "move: found '2,0', expected a tile of colour 'a' like the first"
    );
    assert_eq!(
        read("1/bb-b/3.3.3").parse_action("0,0").unwrap_err().to_string(),
        "move: found '0,0', expected no move: the game is over"
    );
    assert_eq!(position.parse_action("2,2;2,0"), position.parse_action("2,0;2,2"));
    assert_eq!(position.action_text(position.parse_action("2,2;2,0").unwrap()), "2,0;2,2");
}

#[test]
fn every_symmetry_is_another_map() {
    let start = read("1/aaaaa/aaaab.abbbb.ccccc.ddddd.eeeee");
    let images: HashSet<Sevn> =
        (0..Sevn::symmetries(&base(5))).map(|sym| start.map(Sym(sym))).collect();
    assert_eq!(images.len(), 8 * 120);
    let keys: HashSet<u64> = images.iter().map(Position::key).collect();
    assert_eq!(keys.len(), images.len());
    assert!(images.iter().all(|image| image.canonical() == start.canonical()));
    assert_eq!(Sevn::symmetries(&base(11)), 8 * 39_916_800);
}

/// Colours that are gone differ by their scores alone.
#[test]
fn canonical_forms_are_images() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let mut position = Sevn::start(&base(3), &mut rng);
        while let Some((_, next, _)) = position.step(&mut rng) {
            position = next;
            let canonical = position.canonical();
            let reached =
                (0..Sevn::symmetries(&base(3))).any(|sym| position.map(Sym(sym)) == canonical);
            assert!(reached, "{} and {}", position.text(), canonical.text());
        }
    }
}
