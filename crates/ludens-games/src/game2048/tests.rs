use ludens_core::{AfterNotation, Game, Notation, Params, Position, Rng, Spawns, Variant, perft};

use super::slides::all_slides;
use super::{After2048, Game2048, Variant2048, rows};
use crate::tiles::line::{self, Rule};
use crate::tiles::nibbles::transpose;
use crate::tiles::reference::{self, POWERS};
use crate::tiles::tests::check_afterstates;
use crate::tiles::{Size, Slide, Slides};

fn variant(text: &str) -> Variant2048 {
    Variant2048::read(&mut Params::parse(text).unwrap()).unwrap()
}

fn read(text: &str) -> Game2048 {
    Game2048::parse(&variant(""), text).unwrap()
}

fn refused(form: &str, text: &str) -> String {
    Game2048::parse(&variant(form), text).unwrap_err().to_string()
}

/// A board of any tiles below `limit`, however unlikely, about a third of it empty.
fn random_position(size: Size, limit: u32, rng: &mut Rng) -> Game2048 {
    let mut grid = [0; 16];
    // Few kinds on one board, or hardly anything would merge.
    let kinds: [u8; 3] = std::array::from_fn(|_| rng.below(limit) as u8);
    for square in size.squares() {
        grid[square] = if rng.below(3) == 0 { 0 } else { kinds[rng.below(3) as usize] };
    }
    let mut setup = variant("").setup;
    setup.size = size;
    Game2048::from_grid(&grid, Variant2048 { setup })
}

#[test]
fn conforms() {
    for form in [
        "",
        "board=2x3",
        "board=3x2,start=1",
        "board=3x3",
        "board=1x4",
        "board=4x1",
        "board=1x2",
        "board=4x3,start=12",
        "start=7",
    ] {
        let variant = variant(form);
        ludens_testkit::conform::<Game2048>(&variant);
        ludens_testkit::check_fixed_actions::<Game2048>(&variant);
        check_afterstates::<Game2048>(&variant);
    }
    for form in ["", "board=2x3", "board=2x2,start=3", "start=1"] {
        ludens_testkit::check_starts::<Game2048>(&variant(form));
    }
    assert_eq!(size_of::<Game2048>(), 16);
}

#[test]
fn slides_agree_with_the_reference() {
    let mut rng = Rng::new(1);
    for size in Size::all() {
        for round in 0..400 {
            // Tiles up to 65536, so that what they merge into is a tile as well.
            let position = random_position(size, if round % 2 == 0 { 17 } else { 9 }, &mut rng);
            let board = reference::read(&position.text());
            let ours = children(&position);
            assert_eq!(ours, reference::moves(POWERS, &board), "{}", reference::write(&board));
            let legal: Slides = Slide::ALL.into_iter().filter(|&s| position.is_legal(s)).collect();
            assert_eq!(position.actions(), legal, "{}", reference::write(&board));
        }
    }
}

/// The children as the reference gives them.
fn children(position: &Game2048) -> Vec<(&'static str, reference::Board, u64)> {
    let mut out = Vec::new();
    position.children(|slide, after, reward| {
        out.push((slide.name(), reference::read(&after.0.text()), reward as u64));
    });
    out
}

#[test]
fn every_row_of_the_table_is_right() {
    for row in 0..=u16::MAX {
        let [low, high] = row.to_le_bytes();
        let slid = line::slide([low & 0xF, low >> 4, high & 0xF, high >> 4], Rule::Equal);
        let reward: u32 = slid.merged.iter().filter(|&&tile| tile > 0).map(|&tile| 1 << tile).sum();
        let expected = (!slid.merged.contains(&16)).then(|| {
            let row = slid.line.iter().rev().fold(0, |row, &tile| row << 4 | u64::from(tile));
            (row, reward)
        });
        assert_eq!(rows::slide_left(u64::from(row)), expected, "{row:#06x}");
    }
}

#[test]
fn all_slides_at_once_agree_with_the_table() {
    let mut rng = Rng::new(4);
    for row in 0..=u16::MAX {
        let others = rng.next_u64() << 16;
        // Half of the boards have the row as a column too.
        let board = u64::from(row) | if row % 2 == 0 { others } else { transpose(u64::from(row)) };
        let position = Game2048::new(board, 0, variant("").setup);
        let Some(all) = all_slides(board) else { continue };
        for slide in Slide::ALL {
            let i = slide.index();
            let found = (all.boards[i], 4 * all.quarters[i] as u32);
            assert_eq!(Some(found), position.slid_by_table(slide), "{slide:?} {board:#018x}");
        }
    }
    assert_eq!(all_slides(0xF << 20), None, "a tile that may merge into no nibble");
}

#[test]
fn the_table_agrees_with_cells() {
    let mut rng = Rng::new(2);
    let mut overflows = 0;
    for size in Size::all() {
        for _ in 0..1000 {
            let position = random_position(size, 16, &mut rng);
            for slide in Slide::ALL {
                let (slow, reward) = position.slid_by_cells(slide);
                match position.slid_by_table(slide) {
                    Some((board, gain)) => {
                        assert_eq!((board, 0, gain as i32), (slow.board, slow.high(), reward));
                    }
                    None => {
                        overflows += 1;
                        assert_ne!(slow.high(), 0, "{}", position.text());
                    }
                }
            }
        }
    }
    assert!(overflows > 100, "only {overflows} merges of 32768");
}

#[test]
fn the_largest_tiles_merge_and_move() {
    let position = read("32768,32768,16384,8192/0,0,0,0/0,0,0,0/2,2,0,4");
    let (after, reward) = position.apply(Slide::Left);
    assert_eq!(reward, 65536 + 4);
    assert_eq!(after.0.text(), "65536,16384,8192,0/0,0,0,0/0,0,0,0/4,4,0,0");
    let (after, reward) = after.0.apply(Slide::Down);
    assert_eq!(reward, 0);
    assert_eq!(after.0.text(), "0,0,0,0/0,0,0,0/65536,16384,0,0/4,4,8192,0");
    let position = read("0,0,65536,0/2,0,0,0/0,0,65536,0/0,0,0,0");
    let (after, reward) = position.apply(Slide::Up);
    assert_eq!(
        (after.0.text().as_str(), reward),
        ("2,0,131072,0/0,0,0,0/0,0,0,0/0,0,0,0", 131_072)
    );
    assert_eq!(after.0.empty_squares().count_ones(), 14);
}

/// Games through the tiles that have no nibble: what comes in as new tiles and
/// rewards is what lies on the board at the end.
#[test]
fn games_with_the_largest_tiles_add_up() {
    let mut rng = Rng::new(3);
    for text in [
        "32768,16384,8192,4096/16384,0,0,2048/0,0,0,1024/2,0,0,1024",
        "32768,32768,2,0/0,0,0,0/0,2,0,0/0,0,0,0",
        "65536,32768,16384,8192/2,0,0,0/0,0,32768,0/0,0,0,0",
        "2,0,0,0/0,0,0,0/0,0,0,0/0,0,2,0",
    ] {
        let start = read(text);
        for _ in 0..300 {
            let playout = start.playout(&mut rng);
            assert!(playout.end.is_over());
            let fours = (sum(&playout.end) - sum(&start)) / 2 - i64::from(playout.moves);
            assert!((0..=i64::from(playout.moves)).contains(&fours), "{}", playout.end.text());
            let earned = tile_total(&playout.end) - tile_total(&start) - 4 * fours;
            assert_eq!(playout.total, earned, "{}", playout.end.text());
        }
    }
}

fn sum(position: &Game2048) -> i64 {
    position.grid().iter().map(|&index| if index == 0 { 0 } else { 1 << index }).sum()
}

/// What the tiles of a board paid if all were made of 2s.
fn tile_total(position: &Game2048) -> i64 {
    position.grid().iter().map(|&i| if i == 0 { 0 } else { (i64::from(i) - 1) << i }).sum()
}

#[test]
fn perft_agrees_with_the_reference() {
    for (text, counts) in [
        ("0,0,0,0/0,2,0,0/0,0,4,0/0,0,0,0", [4, 112, 416, 10_944, 40_500]),
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4", [4, 8, 16, 56, 184]),
        ("65536,65536,2,2/4,4,8,8/0,0,0,0/2,4,2,4", [4, 52, 186, 2_518, 9_104]),
    ] {
        let ours = perft(&read(text), 5, &|| false).unwrap();
        let board = reference::read(text);
        let theirs: Vec<u64> =
            (1..=5).map(|plies| reference::perft(POWERS, &board, plies)).collect();
        assert_eq!(ours, theirs, "{text}");
        assert_eq!(ours, counts, "{text}");
    }
}

#[test]
fn reachable_boards_agree_with_the_reference() {
    for (form, rows, cols, tiles, counts) in [
        ("board=2x2", 2, 2, 2, (662, 464)),
        ("board=1x3,start=1", 1, 3, 1, (69, 34)),
        ("board=1x4", 1, 4, 2, (443, 208)),
    ] {
        let ours = ludens_testkit::enumerate::<Game2048>(&variant(form), 1_000_000);
        let (positions, afterstates) = reference::reachable(POWERS, rows, cols, tiles);
        let boards = |texts: Vec<String>| texts.iter().map(|t| reference::read(t)).collect();
        assert_eq!(
            positions,
            boards(ours.positions.iter().map(Notation::text).collect()),
            "{form}"
        );
        let texts = ours.afterstates.iter().map(|after| after.0.text()).collect();
        assert_eq!(afterstates, boards(texts), "{form}");
        assert_eq!((positions.len(), afterstates.len()), counts, "{form}");
    }
}

#[test]
fn texts_of_moves_tiles_and_afterstates() {
    let position = read("0,2,0,0/0,0,0,0/0,0,0,0/0,0,0,4");
    assert_eq!(position.parse_action("L"), Ok(Slide::Left));
    let (after, _) = position.apply(Slide::Left);
    let text = Game2048::after_text(&after);
    assert_eq!(text, "2,0,0,0/0,0,0,0/0,0,0,0/4,0,0,0 *");
    assert_eq!(Game2048::parse_after(&variant(""), &text), Ok(after));
    assert_ne!(after.key(), after.0.key());
    let chance = Game2048::parse_chance(&after, "4@6").unwrap();
    assert_eq!(Game2048::apply_outcome(&after, chance).0.text(), "2,0,0,0/0,0,4,0/0,0,0,0/4,0,0,0");
    assert_eq!(Game2048::chance_cells(&after, chance), [6]);
    assert_eq!(Game2048::tile_text(Game2048::tile_of(&after, chance)), "4");
    assert!(Game2048::parse_chance(&after, "2@0").is_err());
    assert!(Game2048::parse_chance(&after, "8@1").is_err());
    let small = Game2048::parse_after(&variant("board=2x3"), "2,0,0/0,0,4 *").unwrap();
    let chance = Game2048::parse_chance(&small, "2@3").unwrap();
    assert_eq!(Game2048::apply_outcome(&small, chance).0.text(), "2,0,0/2,0,4");
}

#[test]
fn a_view_tells_the_facts() {
    let view = read("0,2,0,0/0,0,0,0/64,0,0,0/0,0,0,4").view();
    assert_eq!(view.cells[8].text, "64");
    let facts = format!("{:?}", view.facts);
    assert_eq!(facts, r#"[Number("largest", 64), Number("empty", 13), Number("sum", 70)]"#);
    assert_eq!(read("0,2,0,0/0,0,0,0/64,0,0,0/0,0,0,4").action_cells(Slide::Left), [0, 1, 12, 15]);
}

#[test]
fn an_empty_board_is_over() {
    let position = read("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
    assert!(position.is_over());
    assert_eq!(position.playout(&mut Rng::new(1)).moves, 0);
}

#[test]
fn bad_positions_are_refused() {
    assert_eq!(refused("", "2"), "board: found 1 row, expected 4 rows of 4 tiles joined by '/'");
    assert_eq!(
        refused("board=2x2", "2,3/0,0"),
        "row 1, column 2: found '3', expected 0 or a power of two from 2 to 131072"
    );
    assert!(refused("board=2x2", "2,1/0,0").contains("row 1, column 2"));
    assert!(refused("board=2x2", "2,262144/0,0").contains("row 1, column 2"));
    assert_eq!(
        refused("board=2x2", "2,64/0,0"),
        "board: found 64 as tile 1 by size, expected at most 32 there"
    );
    let zeros = ",0,0/0,0,0,0/0,0,0,0/0,0,0,0";
    assert_eq!(
        refused("", &format!("131072,131072{zeros}")),
        "board: found 131072 as tile 2 by size, expected at most 65536 there"
    );
    let position = read("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,0");
    assert_eq!(
        position.parse_action("up").unwrap_err().to_string(),
        "move: found 'up', expected a slide that moves a tile: down"
    );
    let after = |text: &str| {
        let after: Result<After2048, _> = Game2048::parse_after(&variant("board=1x2"), text);
        after.unwrap_err().to_string()
    };
    assert_eq!(
        after("2,0"),
        "afterstate: found '2,0', expected a board and '*' for the tile to come"
    );
    assert_eq!(
        after("2,4 *"),
        "afterstate: found a full board, expected an empty cell for a new tile"
    );
}

#[test]
fn bad_variants_are_refused() {
    let refused =
        |text: &str| Variant2048::read(&mut Params::parse(text).unwrap()).unwrap_err().to_string();
    assert_eq!(
        refused("board=2x2,start=5"),
        "parameter start: found '5', expected a number from 1 to 4"
    );
    assert!(refused("start=0").contains("from 1 to 16"));
    assert!(refused("board=5x5").starts_with("parameter board: found '5x5'"));
}
