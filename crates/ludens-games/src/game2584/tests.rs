use std::collections::HashMap;
use std::ops::ControlFlow;

use ludens_core::{
    AfterNotation, Game, Notation, Params, Position, Rng, Spawns, Starts, Symmetric, Variant, perft,
};

use super::{Game2584, LARGEST, VALUES, Variant2584, rows};
use crate::tiles::line::{self, Rule};
use crate::tiles::reference::{self, FIBONACCI};
use crate::tiles::tests::check_afterstates;
use crate::tiles::{Size, Slide, Slides};

fn variant(text: &str) -> Variant2584 {
    Variant2584::read(&mut Params::parse(text).unwrap()).unwrap()
}

fn read(text: &str) -> Game2584 {
    Game2584::parse(&variant(""), text).unwrap()
}

fn refused(form: &str, text: &str) -> String {
    Game2584::parse(&variant(form), text).unwrap_err().to_string()
}

/// A board of tiles near each other in the series, about a third of it empty.
fn random_position(size: Size, rng: &mut Rng) -> Game2584 {
    let mut grid = [0; 16];
    let lowest = if rng.below(3) == 0 { 1 } else { 1 + rng.below(29) as u8 };
    for square in size.squares() {
        grid[square] = if rng.below(3) == 0 { 0 } else { lowest + rng.below(4) as u8 };
    }
    let mut variant = variant("");
    variant.setup.size = size;
    Game2584::from_grid(&grid, variant)
}

#[test]
fn conforms() {
    for form in [
        "",
        "spawn=1,3",
        "board=2x3",
        "board=3x2,spawn=1,3,start=1",
        "board=3x3",
        "board=1x4",
        "board=4x1",
        "board=1x2",
        "board=4x3,start=12",
    ] {
        let variant = variant(form);
        ludens_testkit::conform::<Game2584>(&variant);
        ludens_testkit::check_fixed_actions::<Game2584>(&variant);
        check_afterstates::<Game2584>(&variant);
    }
    for form in ["", "spawn=1,3", "board=2x3", "board=2x2,start=3", "start=1"] {
        ludens_testkit::check_starts::<Game2584>(&variant(form));
    }
}

#[test]
fn the_series() {
    assert_eq!(VALUES[1..10], [1, 2, 3, 5, 8, 13, 21, 34, 55]);
    assert_eq!((VALUES[17], VALUES[32], VALUES[33]), (2584, 3_524_578, 5_702_887));
}

/// Every row of bytes up to 8, and near the largest tiles.
#[test]
fn rows_agree_with_cells() {
    let check = |tiles: [u8; 4]| {
        let slid = line::slide(tiles, Rule::Neighbours);
        // The row twice, as both rows of a word.
        let row = u64::from(u32::from_le_bytes(tiles));
        let (row, made) = rows::slide_left(row | row << 32);
        assert_eq!((row >> 32, made >> 32), (row & 0xFFFF_FFFF, made & 0xFFFF_FFFF), "{tiles:?}");
        assert_eq!(row.to_le_bytes()[..4], slid.line, "{tiles:?}");
        let mut made: Vec<u8> =
            (made as u32).to_le_bytes().into_iter().filter(|&t| t != 0).collect();
        made.resize(2, 0);
        assert_eq!(made, slid.merged, "{tiles:?}");
    };
    for base in [0u8, 25] {
        for code in 0..9u32.pow(4) {
            let tile = |i: u32| match code / 9u32.pow(i) % 9 {
                0 => 0,
                t => t as u8 + base,
            };
            check([tile(0), tile(1), tile(2), tile(3)]);
        }
    }
}

/// The children as the reference gives them.
fn children(position: &Game2584) -> Vec<(&'static str, reference::Board, u64)> {
    let mut out = Vec::new();
    position.children(|slide, after, reward| {
        out.push((slide.name(), reference::read(&after.0.text()), reward as u64));
    });
    out
}

#[test]
fn slides_agree_with_the_reference() {
    let mut rng = Rng::new(1);
    for size in Size::all() {
        for _ in 0..400 {
            let position = random_position(size, &mut rng);
            let board = reference::read(&position.text());
            let theirs = reference::moves(FIBONACCI, &board);
            assert_eq!(children(&position), theirs, "{}", position.text());
            let legal: Slides = Slide::ALL.into_iter().filter(|&s| position.is_legal(s)).collect();
            assert_eq!(position.actions(), legal, "{}", position.text());
        }
    }
}

/// What comes in as new tiles and rewards is what lies on the board at the end.
#[test]
fn games_add_up() {
    let mut rng = Rng::new(3);
    for (form, rare) in [("", 2), ("spawn=1,3", 3), ("board=3x4", 2), ("board=4x3,spawn=1,3", 3)] {
        for _ in 0..200 {
            let start = Game2584::start(&variant(form), &mut rng);
            let playout = start.playout(&mut rng);
            assert!(playout.end.is_over());
            let more = sum(&playout.end) - sum(&start) - i64::from(playout.moves);
            let rares = more / (i64::from(VALUES[rare]) - 1);
            assert!((0..=i64::from(playout.moves)).contains(&rares), "{}", playout.end.text());
            let earned = tile_total(&playout.end) - tile_total(&start) - rares * TILE_TOTALS[rare];
            assert_eq!(playout.total, earned, "{}", playout.end.text());
        }
    }
}

/// What a tile paid if it was made of 1s.
const TILE_TOTALS: [i64; LARGEST + 1] = {
    let mut tile_total = [0; LARGEST + 1];
    tile_total[2] = 2;
    let mut index = 3;
    while index < tile_total.len() {
        tile_total[index] = tile_total[index - 1] + tile_total[index - 2] + VALUES[index] as i64;
        index += 1;
    }
    tile_total
};

fn tile_total(position: &Game2584) -> i64 {
    position.grid().iter().map(|&index| TILE_TOTALS[usize::from(index)]).sum()
}

fn sum(position: &Game2584) -> i64 {
    position.grid().iter().map(|&index| i64::from(VALUES[usize::from(index)])).sum()
}

#[test]
fn perft_agrees_with_the_reference() {
    for (text, counts) in [
        ("0,0,0,0/0,1,0,0/0,0,3,0/0,0,0,0", [4, 112, 424, 11_216, 42_368]),
        ("1,3,1,3/3,1,3,1/1,3,1,3/3,1,3,2", [4, 8, 16, 64, 216]),
        ("1,2,3,5/8,13,21,34/987,1597,0,0/1,1,3,3", [4, 40, 153, 2_194, 8_199]),
    ] {
        let ours = perft(&read(text), 5, &|| false).unwrap();
        let board = reference::read(text);
        let theirs: Vec<u64> =
            (1..=5).map(|plies| reference::perft(FIBONACCI, &board, plies)).collect();
        assert_eq!(ours, theirs, "{text}");
        assert_eq!(ours, counts, "{text}");
    }
}

#[test]
fn reachable_boards_agree_with_the_reference() {
    for (form, rows, cols, tiles, counts) in
        [("board=2x2", 2, 2, 2, (2_219, 1_452)), ("board=1x4,start=1", 1, 4, 1, (1_225, 584))]
    {
        let ours = ludens_testkit::enumerate::<Game2584>(&variant(form), 1_000_000);
        let (positions, afterstates) = reference::reachable(FIBONACCI, rows, cols, tiles);
        let boards = |texts: Vec<String>| texts.iter().map(|t| reference::read(t)).collect();
        let texts = ours.positions.iter().map(Notation::text).collect();
        assert_eq!(positions, boards(texts), "{form}");
        let texts = ours.afterstates.iter().map(|after| after.0.text()).collect();
        assert_eq!(afterstates, boards(texts), "{form}");
        assert_eq!((positions.len(), afterstates.len()), counts, "{form}");
    }
}

/// The score expected of the best play.
fn value(position: &Game2584, known: &mut HashMap<Game2584, f64>) -> f64 {
    let position = position.canonical();
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut best = 0.0f64;
    position.children(|_, after, reward| {
        let mut mean = f64::from(reward);
        let _ = Game2584::outcomes(&after, |spawn, p| {
            mean += p * value(&Game2584::apply_outcome(&after, spawn).0, known);
            ControlFlow::Continue(())
        });
        best = best.max(mean);
    });
    known.insert(position, best);
    best
}

/// The published value of the 2x3 board is that of one tile at the start, and
/// of two.
#[test]
fn the_value_of_two_rows_of_three() {
    for start in [1, 2] {
        let (mut known, mut mean) = (HashMap::new(), 0.0);
        Game2584::starts(&variant(&format!("board=2x3,start={start}")), |position, p| {
            mean += p * value(&position, &mut known);
        });
        assert!((mean - 1425.817561).abs() < 1e-6, "{start} tiles: {mean}");
    }
}

#[test]
fn texts_of_moves_tiles_and_afterstates() {
    let position = Game2584::parse(&variant("board=2x3,spawn=1,3"), "0,1,0/0,0,5").unwrap();
    let (after, _) = position.apply(Slide::Left);
    let text = Game2584::after_text(&after);
    assert_eq!(text, "1,0,0/5,0,0 *");
    assert_eq!(Game2584::parse_after(&position.variant(), &text), Ok(after));
    assert_eq!(Game2584::after_variant(&after), position.variant());
    assert_ne!(after.key(), after.0.key());
    let chance = Game2584::parse_chance(&after, "3@4").unwrap();
    let (next, _) = Game2584::apply_outcome(&after, chance);
    assert_eq!(next.text(), "1,0,0/5,3,0");
    assert_eq!(Game2584::chance_cells(&after, chance), [4]);
    assert_eq!(Game2584::tile_text(Game2584::tile_of(&after, chance)), "3");
    assert_eq!(next.action_cells(Slide::Left), [3, 4]);
    assert_eq!(next.apply(Slide::Left).1, 8);
    assert!(Game2584::parse_chance(&after, "2@4").is_err());
    assert!(Game2584::parse_chance(&after, "1@0").is_err());
}

#[test]
fn a_view_tells_the_facts() {
    let view = read("0,2,0,0/0,0,0,0/55,0,0,0/0,0,0,5").view();
    assert_eq!(view.cells[8].text, "55");
    let facts = format!("{:?}", view.facts);
    assert_eq!(facts, r#"[Number("largest", 55), Number("empty", 13), Number("sum", 62)]"#);
}

#[test]
fn bad_texts_are_refused() {
    assert_eq!(
        refused("board=2x2", "1,4/0,0"),
        "row 1, column 2: found '4', expected 0 or a Fibonacci number from 1 to 5702887"
    );
    assert_eq!(
        refused("board=1x2", "8,0"),
        "board: found 8 as tile 1 by size, expected at most 5 there"
    );
    assert!(Game2584::parse(&variant("board=1x2,spawn=1,3"), "8,0").is_ok());
    assert!(refused("board=1x2,spawn=1,3", "13,0").contains("at most 8"));
    assert!(refused("", "1,2,3/1").contains("2 rows"));
    let after = Game2584::parse_after(&variant("board=1x2"), "1,3*").unwrap_err().to_string();
    assert!(after.contains("a full board"), "{after}");
    let spawn = Variant2584::read(&mut Params::parse("spawn=1,4").unwrap()).unwrap_err();
    assert_eq!(spawn.to_string(), "parameter spawn: found '1,4', expected 1,2 | 1,3");
    assert!(read("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0").is_over());
}
