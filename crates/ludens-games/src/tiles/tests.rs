use ludens_core::{AfterNotation, Params, Rng, Sym};
use ludens_testkit::{Sample, mutations};

use super::line::{Rule, lines, slide, slide_grid};
use super::{Grid, Growth, Odds, Size, Slide, Slides, nibbles, symmetry, text};

/// Afterstates of random games read back, and damaged ones are refused or
/// read back.
pub(crate) fn check_afterstates<G: AfterNotation>(variant: &G::Variant) {
    let mut rng = Rng::new(4);
    for after in Sample::<G>::draw(variant, 6, 5).afterstates() {
        let text = G::after_text(&after);
        assert_eq!(G::after_variant(&after), *variant, "{text}");
        assert_eq!(G::parse_after(variant, &text), Ok(after), "{text}");
        assert!(G::parse(variant, &text).is_err(), "{text} reads as a position");
        for damaged in mutations(&text, 10, &mut rng) {
            if let Ok(read) = G::parse_after(variant, &damaged) {
                assert_eq!(G::parse_after(variant, &G::after_text(&read)), Ok(read), "{damaged}");
                assert_eq!(G::after_view(&read).cells.len(), G::after_view(&after).cells.len());
            }
        }
    }
}

fn random_grid(size: Size, rng: &mut Rng) -> Grid<u8> {
    let mut grid = [0; 16];
    size.squares().for_each(|square| grid[square] = rng.below(4) as u8);
    grid
}

#[test]
fn sizes_number_their_squares() {
    assert_eq!(Size::all().count(), 15);
    for size in Size::all() {
        assert_eq!(Size::from_code(size.code()), size);
        assert_eq!(Size::new(size.rows(), size.cols()), Some(size));
        assert_eq!(Size::parse(&size.to_string()), Ok(size));
        let mask = size.squares().fold(0, |mask, square| mask | 1 << square);
        assert_eq!(size.mask(), mask, "{size}");
        for (cell, square) in size.squares().enumerate() {
            assert_eq!(size.cell(square), cell, "{size}");
        }
    }
    assert_eq!(Size::FULL, Size::new(4, 4).unwrap());
}

#[test]
fn sizes_are_checked() {
    for text in ["", "x", "4", "0x3", "1x1", "5x4", "4x", "04x4", "4x4x4", "-1x4", "٣x3"] {
        let mut params = Params::parse(&format!("board={text}")).unwrap();
        let message = params.get(&Size::BOARD).unwrap_err().to_string();
        assert!(message.starts_with("parameter board: found"), "{text}: {message}");
    }
    assert_eq!(Params::default().get(&Size::BOARD), Ok(Size::FULL));
}

#[test]
fn slides_read_back() {
    for slide in Slide::ALL {
        let name = slide.name();
        assert_eq!(Slide::parse(name), Ok(slide));
        assert_eq!(Slide::parse(&name[..1]), Ok(slide));
        assert_eq!(Slide::parse(&name[..1].to_uppercase()), Ok(slide));
        assert_eq!(Slide::from_index(slide.index()), Some(slide));
        assert_eq!(slide.opposite().opposite(), slide);
        assert_eq!(slide.opposite().is_vertical(), slide.is_vertical());
    }
    let legal: Slides = [Slide::Left, Slide::Up].into_iter().collect();
    assert_eq!(legal.collect::<Vec<_>>(), [Slide::Up, Slide::Left]);
    let message = Slide::parse_legal("down", legal).unwrap_err().to_string();
    assert_eq!(message, "move: found 'down', expected a slide that moves a tile: up, left");
    let over = Slide::parse_legal("R", Slides::default()).unwrap_err().to_string();
    assert_eq!(over, "move: found 'R', expected no move: the game is over");
    assert!(Slide::parse("north").is_err() && Slide::parse("").is_err());
}

#[test]
fn symmetries_form_a_group_that_commutes_with_slides() {
    let mut rng = Rng::new(1);
    for size in Size::all() {
        let images: Vec<Vec<usize>> = (0..symmetry::count(size))
            .map(|s| size.squares().map(|q| symmetry::map_square(size, q, Sym(s))).collect())
            .collect();
        for image in &images {
            assert!(image.iter().all(|&q| size.mask() >> q & 1 != 0), "{size}");
        }
        for (s, t) in (0..images.len()).flat_map(|s| (0..images.len()).map(move |t| (s, t))) {
            let both: Vec<usize> = images[s].iter().map(|&q| images[t][size.cell(q)]).collect();
            assert!(images.contains(&both), "{size}: {s} then {t}");
        }
        for sym in (0..symmetry::count(size)).map(Sym) {
            for slide in Slide::ALL {
                for rule in [Rule::Equal, Rule::Neighbours] {
                    let grid = random_grid(size, &mut rng);
                    let slid = slide_grid(size, &grid, slide, rule, |_| {});
                    let image = symmetry::map_grid(size, &grid, sym);
                    let mapped = symmetry::map_slide(slide, sym);
                    let image = slide_grid(size, &image, mapped, rule, |_| {});
                    assert_eq!(
                        symmetry::map_grid(size, &slid, sym),
                        image,
                        "{size} {sym:?} {slide:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn nibbles_agree_with_grids() {
    let mut rng = Rng::new(2);
    for size in Size::all() {
        for _ in 0..50 {
            let grid = random_grid(size, &mut rng);
            let word = nibbles::pack(&grid);
            assert_eq!(nibbles::unpack(word), grid);
            for sym in (0..symmetry::count(size)).map(Sym) {
                let image = nibbles::map(size, word, sym);
                assert_eq!(nibbles::unpack(image), symmetry::map_grid(size, &grid, sym), "{size}");
            }
            let filled = grid.iter().rev().fold(0, |bits, &t| bits << 1 | u16::from(t != 0));
            assert_eq!(nibbles::gather(nibbles::occupied(word)), filled);
            assert_eq!(nibbles::spread(filled), nibbles::occupied(word));
        }
    }
}

#[test]
fn lines_begin_at_their_wall() {
    let size = Size::new(2, 3).unwrap();
    let squares = |slide| lines(size, slide).map(Iterator::collect).collect::<Vec<Vec<usize>>>();
    assert_eq!(squares(Slide::Left), [[0, 1, 2], [4, 5, 6]]);
    assert_eq!(squares(Slide::Right), [[2, 1, 0], [6, 5, 4]]);
    assert_eq!(squares(Slide::Up), [[0, 4], [1, 5], [2, 6]]);
    assert_eq!(squares(Slide::Down), [[4, 0], [5, 1], [6, 2]]);
}

#[test]
fn tiles_merge_once_and_at_the_wall_first() {
    let slid = |line: [u8; 4], rule| {
        let slid = slide(line, rule);
        (slid.line, slid.merged)
    };
    let equal = |line| slid(line, Rule::Equal);
    assert_eq!(equal([1, 1, 1, 1]), ([2, 2, 0, 0], [2, 2]));
    assert_eq!(equal([1, 1, 2, 0]), ([2, 2, 0, 0], [2, 0]));
    assert_eq!(equal([0, 1, 1, 1]), ([2, 1, 0, 0], [2, 0]));
    assert_eq!(equal([3, 0, 0, 3]), ([4, 0, 0, 0], [4, 0]));
    assert_eq!(equal([1, 2, 1, 2]), ([1, 2, 1, 2], [0, 0]));
    assert_eq!(equal([0, 0, 0, 0]), ([0, 0, 0, 0], [0, 0]));
    let neighbours = |line| slid(line, Rule::Neighbours);
    assert_eq!(neighbours([1, 1, 1, 1]), ([2, 2, 0, 0], [2, 2]));
    assert_eq!(neighbours([1, 2, 3, 4]), ([3, 5, 0, 0], [3, 5]));
    assert_eq!(neighbours([0, 3, 2, 1]), ([4, 1, 0, 0], [4, 0]));
    assert_eq!(neighbours([2, 2, 0, 4]), ([2, 2, 4, 0], [0, 0]));
    assert_eq!(neighbours([7, 0, 8, 0]), ([9, 0, 0, 0], [9, 0]));
}

#[test]
fn boards_read_back_and_are_checked() {
    let size = Size::new(2, 3).unwrap();
    let read = |text: &str| {
        text::parse(size, text, "0 to 9", |v| u8::try_from(v).ok().filter(|&v| v < 10))
    };
    let grid = read("1,2,3/4, 5 ,6").unwrap();
    assert_eq!(text::write(size, |square| u32::from(grid[square])), "1,2,3/4,5,6");
    let refused = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(refused(""), "board: found 1 row, expected 2 rows of 3 tiles joined by '/'");
    assert_eq!(refused("1,2,3/4"), "row 2: found 1 tile, expected 3 tiles joined by ','");
    assert_eq!(refused("1,2,3/4,10,5"), "row 2, column 2: found '10', expected 0 to 9");
    assert_eq!(refused("1,,3/4,5,6"), "row 1, column 2: found '', expected 0 to 9");
    assert_eq!(refused("1,+2,3/4,5,6"), "row 1, column 2: found '+2', expected 0 to 9");
    assert!(refused(&format!("1,2,3/4,5,{}", "9".repeat(99))).contains("(99 characters)"));
}

/// Every combination of tile and square has the same number of words: those
/// from its first to its last one.
#[test]
fn throws_are_exact() {
    for (die, before) in [(10, 1), (10, 4), (4, 1), (4, 4)] {
        let odds = Odds { common: 1, rare: 2, die };
        for n in 1..=16u32 {
            let dice = u128::from(die * n);
            let words = (1u128 << 64) / u128::from(before);
            // With dice thrown before, the word is a multiple of their product.
            let throw = |w: u128| odds.throw((w * u128::from(before)) as u64, n, before * die * n);
            let refused = words % dice;
            let mut counted = 0;
            let face = |j: u128| {
                let tile = if j / u128::from(n) == 0 { 2 } else { 1 };
                Some((tile, (j % u128::from(n)) as u32))
            };
            for j in 0..dice {
                let first = (j * words + refused).div_ceil(dice);
                let last = ((j + 1) * words - 1) / dice;
                assert_eq!(throw(first), face(j), "{die} {n}: first word of {j}");
                assert_eq!(throw(last), face(j), "{die} {n}: last word of {j}");
                if first > 0 {
                    let begins = (j * words).div_ceil(dice);
                    let expected = if begins < first { None } else { face(j - 1) };
                    assert_eq!(throw(first - 1), expected, "{die} {n}: word before {j}");
                }
                assert_eq!(last - first + 1, words / dice);
                counted += last - first + 1;
            }
            assert_eq!(counted, words - refused);
        }
    }
}

#[test]
fn samples_are_listed_outcomes() {
    let odds = Odds { common: 1, rare: 3, die: 4 };
    let mut rng = Rng::new(3);
    let empty: u16 = 0b1010_0000_0001_0100;
    for i in 0..200 {
        let spawn = match i % 2 {
            0 => odds.sample(u64::from(empty), 1, &mut rng),
            _ => odds.sample(nibbles::spread(empty), 4, &mut rng),
        };
        assert!(empty >> spawn.square & 1 != 0 && (spawn.index == 1 || spawn.index == 3));
    }
    assert_eq!((odds.probability(1), odds.probability(3)), (0.75, 0.25));
}

#[test]
fn starts_are_all_boards_with_so_many_tiles() {
    let odds = Odds { common: 1, rare: 2, die: 10 };
    for (size, tiles, boards) in [("2x3", 1, 12), ("2x3", 6, 64), ("4x4", 2, 480), ("1x2", 2, 4)] {
        let (mut count, mut sum) = (0, 0.0);
        odds.starts(Size::parse(size).unwrap(), tiles, |grid, p| {
            assert_eq!(grid.iter().filter(|&&tile| tile != 0).count(), tiles);
            (count, sum) = (count + 1, sum + p);
        });
        assert_eq!(count, boards, "{tiles} on {size}");
        assert!((sum - 1.0).abs() < 1e-12, "{tiles} on {size}: {sum}");
    }
}

#[test]
fn tiles_larger_than_room_allows_are_refused() {
    let growth = Growth { last: 2, step: 1 };
    let size = Size::new(1, 3).unwrap();
    let check = |a, b, c| {
        let mut grid = [0; 16];
        grid[..3].copy_from_slice(&[a, b, c]);
        growth.check(size, &grid, |index| 1 << index).map_err(|e| e.to_string())
    };
    assert_eq!(check(2, 4, 3), Ok(()));
    assert_eq!(check(0, 4, 0), Ok(()));
    let message = "board: found 16 as tile 2 by size, expected at most 8 there";
    assert_eq!(check(4, 0, 4), Err(message.to_owned()));
    assert!(check(5, 0, 0).is_err());
}
