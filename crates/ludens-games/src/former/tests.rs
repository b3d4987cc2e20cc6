use std::collections::{HashMap, HashSet};

use ludens_core::{
    Cell, Fact, Game, Notation, Params, Position, Rng, Sym, Symmetric, Variant, perft,
};

use super::reference::Slow;
use super::{Former, FormerVariant, Group, daily};

fn variant(rows: u8, cols: u8, shapes: u8) -> FormerVariant {
    FormerVariant::new(rows, cols, shapes).unwrap()
}

fn read(rows: u8, cols: u8, shapes: u8, text: &str) -> Former {
    Former::parse(&variant(rows, cols, shapes), text).unwrap()
}

fn refused(rows: u8, cols: u8, shapes: u8, text: &str) -> String {
    Former::parse(&variant(rows, cols, shapes), text).unwrap_err().to_string()
}

/// Sizes at the limits, every number of planes, and the daily one.
fn variants() -> Vec<FormerVariant> {
    [
        (9, 7, 4),
        (9, 7, 8),
        (9, 5, 3),
        (5, 5, 3),
        (8, 8, 5),
        (7, 9, 2),
        (1, 1, 1),
        (1, 64, 3),
        (64, 1, 2),
        (32, 2, 4),
        (2, 32, 6),
        (3, 4, 1),
        (4, 3, 7),
        (63, 1, 3),
        (10, 6, 8),
    ]
    .map(|(rows, cols, shapes)| variant(rows, cols, shapes))
    .to_vec()
}

#[test]
fn conforms() {
    for variant in variants() {
        ludens_testkit::conform::<Former>(&variant);
        ludens_testkit::check_fixed_actions::<Former>(&variant);
    }
}

fn cells_of(position: &Former, mask: u64) -> Vec<(usize, usize)> {
    let rows = usize::from(position.variant.rows());
    (0..64).filter(|cell| mask >> cell & 1 != 0).map(|cell| (cell / rows, cell % rows)).collect()
}

#[test]
fn agrees_with_the_rules_cell_by_cell() {
    let mut positions = 0;
    for variant in variants() {
        for game in 0..30 {
            let mut rng = Rng::stream(21, game);
            let mut position = Former::start(&variant, &mut rng);
            loop {
                positions += 1;
                let slow = Slow::of(&position);
                let groups = slow.groups();
                assert_eq!(position.groups() as usize, groups.len(), "{}", position.text());
                assert_eq!(
                    i64::from(position.euler()),
                    groups.len() as i64 - slow.holes() as i64,
                    "{}",
                    position.text()
                );
                assert_eq!(position.column_run_bound() as usize, slow.column_runs());
                let mut at = groups.iter();
                position.children(|action, child, reward| {
                    let group = at.next().unwrap();
                    let cells = cells_of(&position, position.group_of(action.0));
                    assert_eq!(&cells, group, "{action:?} of {}", position.text());
                    assert_eq!(cells[0], cells_of(&position, 1 << action.0)[0]);
                    assert_eq!(Slow::of(&child), slow.without(group), "{}", position.text());
                    assert_eq!(reward, -1);
                });
                assert_eq!(at.len(), 0);
                match position.step(&mut rng) {
                    Some((_, next, _)) => position = next,
                    None => break,
                }
            }
            assert!(position.is_over());
        }
    }
    assert!(positions > 5000, "{positions} positions");
}

#[test]
fn every_cell_of_a_group_names_it() {
    let mut rng = Rng::new(22);
    for variant in variants() {
        let position = Former::start(&variant, &mut rng);
        for (column, row) in variant.reading_order() {
            let action = position.parse_action(&format!("{column},{row}")).unwrap();
            let cell = column * usize::from(variant.rows()) + row;
            assert_ne!(position.group_of(action.0) >> cell & 1, 0);
            assert_eq!(position.group_of(cell as u8), position.group_of(action.0));
        }
        assert_eq!(position.group_of(variant.cells() as u8), 0);
        assert_eq!(position.group_of(255), 0);
        assert!(!position.is_legal(Group(255)));
    }
}

#[test]
fn groups_come_by_their_first_cells_from_the_top() {
    // The group of ones reaches the top row; its name is its lowest cell.
    let position = read(3, 4, 3, "0221/0211/0111");
    let texts: Vec<String> = position.actions().map(|a| position.action_text(a)).collect();
    assert_eq!(texts, ["0,0", "1,1", "1,0"]);
    let pairs: Vec<_> = position.actions().map(|a| position.action_pair(a).unwrap()).collect();
    assert_eq!(pairs, [[0, 0], [1, 1], [1, 0]]);
}

#[test]
fn shapes_fall_and_columns_stay() {
    let position = read(3, 3, 2, "010/111/010");
    let ones = position.parse_action("1,2").unwrap();
    let (after, reward) = position.apply(ones);
    assert_eq!((after.text().as_str(), reward), ("...0.00.0", -1));
    let left = after.parse_action("0,1").unwrap();
    assert_eq!(after.apply(left).0.text(), ".....0..0");
}

#[test]
fn a_ring_has_a_hole() {
    let ring = read(3, 3, 2, "000/010/000");
    assert_eq!((ring.groups(), ring.euler()), (2, 1));
    let block = read(3, 3, 1, "000000000");
    assert_eq!((block.groups(), block.euler(), block.column_run_bound()), (1, 1, 1));
    let empty = read(3, 3, 1, ".........");
    assert_eq!((empty.groups(), empty.euler(), empty.column_run_bound()), (0, 0, 0));
}

/// The length of a shortest solution, by trying everything.
fn optimum(position: Former, known: &mut HashMap<Former, u32>) -> u32 {
    if position.is_over() {
        return 0;
    }
    if let Some(&length) = known.get(&position) {
        return length;
    }
    let length = position.actions().map(|a| 1 + optimum(position.apply(a).0, known)).min().unwrap();
    known.insert(position, length);
    length
}

#[test]
fn the_bound_is_admissible_and_falls_by_at_most_one() {
    let mut rng = Rng::new(23);
    for (rows, cols, shapes) in [(3, 4, 3), (4, 3, 3), (2, 6, 2), (4, 4, 4), (1, 9, 3), (9, 1, 3)] {
        for _ in 0..15 {
            let mut known = HashMap::new();
            optimum(Former::start(&variant(rows, cols, shapes), &mut rng), &mut known);
            for (position, &length) in &known {
                let bound = position.column_run_bound();
                assert!((1..=length).contains(&bound), "{bound} for {}", position.text());
                position.children(|_, child, _| {
                    assert!(child.column_run_bound() + 1 >= bound, "{}", position.text());
                });
            }
        }
    }
}

#[test]
fn canonical_forms_are_images() {
    let mut rng = Rng::new(24);
    for (rows, cols, shapes) in [(3, 4, 3), (9, 7, 4), (5, 5, 1), (4, 2, 5)] {
        let variant = variant(rows, cols, shapes);
        let position = Former::start(&variant, &mut rng).step(&mut rng).unwrap().1;
        let images: HashSet<Former> =
            (0..Former::symmetries(&variant)).map(|s| position.map(Sym(s))).collect();
        assert!(images.contains(&position.canonical()));
        for image in &images {
            assert_eq!(image.canonical(), position.canonical());
        }
    }
    // No symmetry of this board: every renaming and mirror image differs.
    let odd = read(2, 3, 3, "012001");
    let images: HashSet<u64> = (0..12).map(|s| odd.map(Sym(s)).key()).collect();
    assert_eq!(images.len(), 12);
}

fn slow_paths(position: &Slow, length: u32) -> u64 {
    match length {
        0 => 1,
        _ => position
            .groups()
            .iter()
            .map(|group| slow_paths(&position.without(group), length - 1))
            .sum(),
    }
}

#[test]
fn counts_of_paths() {
    let board = daily(2025, 5, 18).unwrap();
    let counts = perft(&board, 4, &|| false).unwrap();
    assert_eq!(counts[..2], [1, 2].map(|length| slow_paths(&Slow::of(&board), length)));
    assert_eq!(counts, [23, 516, 11_175, 232_076]);
    let small = read(3, 3, 2, "010101010");
    let counts = perft(&small, 9, &|| false).unwrap();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|n| slow_paths(&Slow::of(&small), n)));
}

#[test]
fn text_has_several_forms() {
    let position = read(2, 3, 4, "3..012");
    for text in ["3../012", "3..\n012\n", " 3..\r\n012 ", "3.. / 012"] {
        assert_eq!(read(2, 3, 4, text), position);
    }
    assert_eq!(position.text(), "3..012");
}

#[test]
fn bad_boards_are_refused() {
    assert_eq!(
        refused(2, 3, 4, "0123"),
        "board: found '0123' (4 cells), expected 2 rows of 3 cells: 6 characters"
    );
    assert_eq!(refused(2, 3, 4, "012/012/012"), "board: found 3 rows, expected 2 rows");
    assert_eq!(
        refused(2, 3, 4, "0123/012"),
        "row 1 from the top: found '0123', expected 3 characters"
    );
    assert_eq!(
        refused(2, 3, 4, "012014"),
        "row 2 from the top, column 3: found '4', expected a digit 0-3 or '.'"
    );
    assert_eq!(
        refused(1, 2, 1, "01"),
        "row 1 from the top, column 2: found '1', expected 0 or '.'"
    );
    assert_eq!(
        refused(2, 3, 4, ".1.0.0"),
        "row 1 from the top, column 2: found a floating shape, \
         expected every shape at the bottom or on another"
    );
    assert!(refused(9, 7, 4, &"0".repeat(100_000)).contains("100000 cells"));
}

#[test]
fn bad_moves_are_refused() {
    let position = read(2, 3, 4, "3..012");
    let refused = |text: &str| position.parse_action(text).unwrap_err().to_string();
    let form = "column,row with a column 0-2 from the left and a row 0-1 from the bottom";
    for text in ["", "0", "0,", ",0", "3,0", "0,2", "+0,0", "0,0,0", "000,0", " 0,0", "0;0", "٣,0"]
    {
        assert_eq!(refused(text), format!("move: found '{text}', expected {form}"));
    }
    assert_eq!(refused("1,1"), "move: found '1,1', expected a cell that is not empty");
    let over = read(2, 3, 4, "......").parse_action("0,0").unwrap_err().to_string();
    assert_eq!(over, "move: found '0,0', expected no move: the board is empty");
}

#[test]
fn bad_variants_are_refused() {
    let refused = |text: &str| {
        FormerVariant::read(&mut Params::parse(text).unwrap()).unwrap_err().to_string()
    };
    assert_eq!(
        refused("rows=9,cols=8"),
        "board: found 9 rows and 8 columns, expected 1 to 64 cells"
    );
    assert_eq!(refused("rows=0"), "parameter rows: found '0', expected a number from 1 to 64");
    assert_eq!(refused("shapes=9"), "parameter shapes: found '9', expected a number from 1 to 8");
    assert!(FormerVariant::new(0, 5, 4).is_err() && FormerVariant::new(5, 5, 0).is_err());
    let read = FormerVariant::read(&mut Params::parse("rows=5,cols=5,shapes=3").unwrap());
    assert_eq!(read, Ok(variant(5, 5, 3)));
}

#[test]
fn views_tell_shapes_apart_without_colour() {
    let view = read(2, 8, 8, "0......./01234567").view();
    let glyphs: HashSet<&str> = view.cells[8..].iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(glyphs.len(), 8);
    assert!(glyphs.iter().all(|glyph| glyph.chars().count() == 1));
    assert_eq!(view.cells[1], Cell::empty());
    assert_eq!(view.row_labels, ["1", "0"]);
    assert_eq!(view.col_labels, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    let facts = [("groups", 8), ("cells", 9), ("bound", 8)];
    assert_eq!(view.facts, facts.map(|(name, value)| Fact::Number(name, value)));
}
