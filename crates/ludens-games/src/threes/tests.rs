use std::collections::HashMap;
use std::ops::ControlFlow;

use ludens_core::{
    AfterNotation, Fact, Game, Notation, Params, Position, Rng, Spawns, Starts, Variant, perft,
};
use ludens_testkit::{
    Sample, check_fixed_actions, check_starts, chi_square_fits, conform, mutations,
};

use super::consistency::bags;
use super::{Bonus, Hint, Spawn, SpawnRule, Threes, ThreesAfter, ThreesVariant};
use crate::tiles::{Slide, line};

fn variant(text: &str) -> ThreesVariant {
    let mut params = Params::parse(text).unwrap();
    let variant = ThreesVariant::read(&mut params).unwrap();
    params.finish(&[]).unwrap();
    variant
}

fn small() -> ThreesVariant {
    variant("board=2x3")
}

fn read(form: &str, text: &str) -> Threes {
    Threes::parse(&variant(form), text).unwrap()
}

fn outcomes(after: &ThreesAfter) -> Vec<(Spawn, f64)> {
    let mut list = Vec::new();
    let _ = Threes::outcomes(after, |spawn, p| {
        list.push((spawn, p));
        ControlFlow::Continue(())
    });
    list
}

const VARIANTS: [&str; 10] = [
    "",
    "bag=3,bonus=off,spawn=side",
    "bonus=capped",
    "start=16,bag=3,bonus=capped,spawn=side",
    "start=1,bonus=on,spawn=side",
    "board=2x3",
    "board=3x3,start=4,bag=12,bonus=on,spawn=changed",
    "board=4x2,bonus=capped",
    "board=3x4,start=12,spawn=changed",
    "board=1x4",
];

#[test]
fn conforms() {
    for text in VARIANTS {
        conform::<Threes>(&variant(text));
        check_fixed_actions::<Threes>(&variant(text));
    }
}

#[test]
fn starts_are_those_drawn() {
    for text in ["board=2x3", "board=2x2,start=3", "board=2x2,start=4,bag=12,bonus=capped"] {
        check_starts::<Threes>(&variant(text));
    }
    let mut count = 0;
    Threes::starts(&small(), |_, _| count += 1);
    assert_eq!(count, 36);
}

#[test]
fn variants_depend_on_the_board() {
    let write = |text: &str| {
        let pairs = variant(text).write();
        pairs.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(",")
    };
    for text in VARIANTS {
        assert_eq!(write(text), text.replace("start=1,bonus=on,", "start=1,"));
    }
    assert_eq!(write("board=2x3,start=1,bag=3,bonus=off,spawn=side"), "board=2x3");
    assert_eq!(write("board=4x4,start=9,bag=12,bonus=on,spawn=changed"), "");
    let course = variant("bag=3,bonus=off,spawn=side");
    assert!(course.is_spec("threes", "threes:bag=3,bonus=off,place=side"), "as in files of 0.1.0");
    assert!(!course.is_spec("threes", "threes:bag=3,bonus=off"));
    let refused = |text: &str| {
        ThreesVariant::read(&mut Params::parse(text).unwrap()).unwrap_err().to_string()
    };
    assert_eq!(
        refused("board=2x3,start=7"),
        "parameter start: found '7', expected a number from 1 to 6"
    );
    assert_eq!(refused("bag=4"), "parameter bag: found '4', expected 12 | 3");
    assert_eq!(refused("bonus=yes"), "parameter bonus: found 'yes', expected on | off | capped");
}

/// A line slid towards its first cell, by the words of the rules: the first
/// cell from the wall that is empty or merges with its neighbour lets all
/// behind it move up by one.
fn slide_line(line: &mut [u8]) {
    for at in 0..line.len().saturating_sub(1) {
        let merged = match (line[at], line[at + 1]) {
            (0, _) => 0,
            (1, 2) | (2, 1) => 3,
            (a, b) if a == b && (3..14).contains(&a) => a + 1,
            _ => continue,
        };
        if merged != 0 {
            line[at + 1] = merged;
        }
        line.copy_within(at + 1.., at);
        *line.last_mut().unwrap() = 0;
        return;
    }
}

/// The board after a slide, the lines that changed, and the empty squares at
/// their far end, cell by cell.
fn slow_slide(position: &Threes, slide: Slide) -> (u64, Vec<usize>, Vec<usize>) {
    let tile = |board: u64, square: usize| (board >> (4 * square) & 15) as u8;
    let (mut board, mut changed, mut far) = (position.board, Vec::new(), Vec::new());
    for (number, squares) in line::lines(position.variant().size(), slide).enumerate() {
        let squares: Vec<usize> = squares.collect();
        let before: Vec<u8> = squares.iter().map(|&s| tile(position.board, s)).collect();
        let mut after = before.clone();
        slide_line(&mut after);
        if before != after {
            changed.push(number);
        }
        if after[after.len() - 1] == 0 {
            far.push(squares[squares.len() - 1]);
        }
        for (&square, &new) in squares.iter().zip(&after) {
            board = board & !(15 << (4 * square)) | u64::from(new) << (4 * square);
        }
    }
    (board, changed, far)
}

/// A board of random tiles, many of them alike so that they merge.
fn random_position(variant: ThreesVariant, rng: &mut Rng) -> Threes {
    let mut position = Threes::start(&variant, rng);
    let (low, span, fill) = (rng.below(13), 1 + rng.below(4), rng.below(5));
    position.board = variant.size().squares().fold(0, |board, square| {
        let index = if rng.below(4) < fill { (low + rng.below(span)).min(14) } else { 0 };
        board | u64::from(index) << (4 * square)
    });
    position
}

#[test]
fn slides_agree_with_the_slow_rules() {
    let mut rng = Rng::new(1);
    let (mut pairs, mut stuck) = (0, 0);
    for text in VARIANTS {
        let variant = variant(text);
        for _ in 0..3000 {
            let position = random_position(variant, &mut rng);
            for slide in Slide::ALL {
                let (board, changed, far) = slow_slide(&position, slide);
                let legal = board != position.board;
                assert_eq!(position.is_legal(slide), legal, "{slide:?} of {position:x?}");
                if !legal {
                    stuck += 1;
                    continue;
                }
                let (after, reward) = position.apply(slide);
                assert_eq!(after.board, board, "{slide:?} of {position:x?}");
                let value = |board| super::slide::score(board);
                assert_eq!(reward, value(board) - value(position.board), "{position:x?}");
                pairs += i32::from(reward > 0);
                let open: Vec<usize> =
                    (0..16).filter(|square| after.open() >> (4 * square) & 1 == 1).collect();
                if variant.spawn_rule() == SpawnRule::Side {
                    assert_eq!(after.lines, 0);
                    let mut far = far;
                    far.sort_unstable();
                    assert_eq!(open, far, "{slide:?} of {position:x?}");
                } else {
                    let lines: Vec<usize> =
                        (0..4).filter(|line| after.lines >> line & 1 == 1).collect();
                    assert_eq!(lines, changed, "{slide:?} of {position:x?}");
                    assert_eq!(open.len(), changed.len());
                    assert!(open.iter().all(|square| far.contains(square)), "{position:x?}");
                }
            }
        }
    }
    assert!(pairs > 10_000 && stuck > 1000, "{pairs} merging slides, {stuck} illegal ones");
}

#[test]
fn lines_slide_by_one_and_merge_once() {
    for (before, expected) in [
        ("1,2,3,3", "3,3,3,0"),
        ("3,3,3,3", "6,3,3,0"),
        ("0,3,3,0", "3,3,0,0"),
        ("3,0,3,3", "3,3,3,0"),
        ("6,3,3,0", "6,6,0,0"),
        ("1,1,2,6", "1,3,6,0"),
        ("6144,6144,1,2", "6144,6144,3,0"),
        ("3072,3072,0,1", "6144,0,1,0"),
    ] {
        let row = variant("board=1x4,bonus=on");
        let after = ["1", "2", "3"]
            .iter()
            .find_map(|hint| Threes::parse(&row, &format!("{before} {hint}")).ok())
            .map(|position| Threes::after_text(&position.apply(Slide::Left).0))
            .expect("one of the hints fits a row of these tiles");
        assert_eq!(after.split(' ').next(), Some(expected), "{before}");
    }
}

/// Expected, worst and best score still to come for the player who maximises
/// the expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value {
    mean: f64,
    worst: i32,
    best: i32,
}

#[derive(Default)]
struct Solver {
    states: HashMap<Threes, Value>,
    afterstates: HashMap<ThreesAfter, Value>,
}

impl Solver {
    fn state(&mut self, position: &Threes) -> Value {
        if let Some(&value) = self.states.get(position) {
            return value;
        }
        let mut best: Option<Value> = None;
        position.children(|_, after, reward| {
            let Value { mean, worst, best: top } = self.after(&after);
            if best.is_none_or(|b| mean + f64::from(reward) > b.mean) {
                let mean = mean + f64::from(reward);
                best = Some(Value { mean, worst: worst + reward, best: top + reward });
            }
        });
        let value = best.unwrap_or(Value { mean: 0.0, worst: 0, best: 0 });
        self.states.insert(*position, value);
        value
    }

    fn after(&mut self, after: &ThreesAfter) -> Value {
        if let Some(&value) = self.afterstates.get(after) {
            return value;
        }
        let mut value = Value { mean: 0.0, worst: i32::MAX, best: i32::MIN };
        let _ = Threes::outcomes(after, |chance, p| {
            let (next, reward) = Threes::apply_outcome(after, chance);
            let next = self.state(&next);
            value.mean += p * (next.mean + f64::from(reward));
            value.worst = value.worst.min(next.worst + reward);
            value.best = value.best.max(next.best + reward);
            ControlFlow::Continue(())
        });
        self.afterstates.insert(*after, value);
        value
    }
}

#[test]
fn the_small_board_has_the_published_values() {
    let variant = small();
    let reachable = ludens_testkit::enumerate::<Threes>(&variant, 300_000);
    assert_eq!(reachable.positions.len(), 225_779);
    assert_eq!(reachable.afterstates.len(), 211_430);

    let mut solver = Solver::default();
    let mut mean = 0.0;
    // The value of the empty board: a 3 among the start tiles counts too.
    Threes::starts(&variant, |position, p| {
        mean += p * (solver.state(&position).mean + position.score().unwrap() as f64);
    });
    assert!((mean - 455.965_665).abs() < 5e-7, "{mean}");
    assert_eq!(solver.states.len(), 225_779);
    assert_eq!(solver.afterstates.len(), 211_430);

    let read = |text: &str| Threes::parse(&variant, text).unwrap();
    let start = solver.state(&read("0,0,0/0,1,0 2"));
    assert!((start.mean - 455.965_829).abs() < 5e-7, "{start:?}");
    assert_eq!((start.worst, start.best), (258, 1092));

    for (text, mean, best, worst) in [
        ("0,1,0/0,0,2 3", 455.97, 1092, 258),
        ("1,12,3/1,2,6 2", 326.66, 1053, 81),
        ("48,3,2/96,12,6 1", 0.00, 0, 0),
    ] {
        let position = read(text);
        assert!(reachable.positions.contains(&position), "{text}");
        let value = solver.states[&position];
        assert!((value.mean - mean).abs() < 0.005, "{text}: {value:?}");
        assert_eq!((value.best, value.worst), (best, worst), "{text}");
    }
    for (text, mean, best, worst) in [
        ("3,2,1/48,6,0 up 2", 198.94, 837, 75),
        ("0,0,3/3,6,12 down 1", 310.07, 1050, 0),
        ("96,12,6/0,6,2 right 3", 3.00, 3, 3),
    ] {
        let after = Threes::parse_after(&variant, text).unwrap();
        assert!(reachable.afterstates.contains(&after), "{text}");
        let value = solver.afterstates[&after];
        assert!((value.mean - mean).abs() < 0.005, "{text}: {value:?}");
        assert_eq!((value.best, value.worst), (best, worst), "{text}");
    }
    // The unreachable ones of the table: no bag leads to them, here or there.
    let refused = Threes::parse(&variant, "0,1,0/0,0,3 1").unwrap_err().to_string();
    assert!(refused.contains("unreachable"), "{refused}");
    let met = |p: &Threes| p.grid()[..7] == [0, 1, 0, 0, 0, 0, 3] && p.hint() == Hint::One;
    assert!(!reachable.positions.iter().any(met));
    for slide in ["up", "right"] {
        let text = format!("96,192,12/0,1,3 {slide} 3");
        assert!(Threes::parse_after(&variant, &text).is_err(), "{text}");
    }
    let met = |a: &ThreesAfter| a.grid()[..7] == [8, 9, 5, 0, 0, 1, 3] && a.hint() == Hint::Three;
    assert!(!reachable.afterstates.iter().any(met));

    // Board and hint give the bag.
    for position in &reachable.positions {
        let supply = position.supply;
        let fitting: Vec<_> = bags(variant, position.board, supply.hint(), 0).collect();
        assert_eq!(fitting, [supply.bag()], "{}", position.text());
    }
}

#[test]
fn new_tiles_come_where_the_rules_say() {
    // The first two rows do not change.
    let board = "0,0,0,3/0,3,1,3/1,2,3,0/3,3,0,0";
    let squares = |form: &str, fields: &str| {
        let (after, _) = read(form, &format!("{board} {fields}")).apply(Slide::Right);
        let mut squares: Vec<u8> = outcomes(&after).iter().map(|(s, _)| s.square).collect();
        squares.dedup();
        (Threes::after_text(&after), squares)
    };
    assert_eq!(
        squares("", "2"),
        ("0,0,0,3/0,3,1,3/0,1,2,3/0,3,3,0 right:34 2 4.4.4".into(), vec![8, 12])
    );
    let (text, open) = squares("bag=3,bonus=off,spawn=side", "2");
    assert_eq!(text, "0,0,0,3/0,3,1,3/0,1,2,3/0,3,3,0 right 2 1.1.1");
    assert_eq!(open, [0, 4, 8, 12]);
}

#[test]
fn bonus_tiles_have_their_odds() {
    // 384 allows 6, 12, 24 and 48; the slide makes it out of two 192.
    let full = "192,192,0,0/0,0,0,0/0,0,0,0/0,0,0,0";
    let (after, reward) = read("", &format!("{full} + 4.4.4")).apply(Slide::Left);
    assert_eq!(reward, 3i32.pow(7));
    let list = outcomes(&after);
    assert_eq!(list.len(), 4 * 4, "one cell, four tiles, four hints");
    for (spawn, p) in &list {
        assert!((4..=7).contains(&spawn.draw.tile) && spawn.square == 3, "{spawn:?}");
        let hint = if spawn.draw.next == Hint::Bonus { 1.0 / 21.0 } else { 20.0 / 63.0 };
        assert!((p - hint / 4.0).abs() < 1e-12, "{spawn:?} has {p}");
    }
    let mut counts = vec![0; list.len()];
    let mut rng = Rng::new(2);
    for _ in 0..20_000 {
        let spawn = Threes::sample(&after, &mut rng);
        counts[list.iter().position(|(s, _)| *s == spawn).unwrap()] += 1;
    }
    let shares: Vec<f64> = list.iter().map(|&(_, p)| p).collect();
    assert!(chi_square_fits(&counts, &shares), "{counts:?}");
    let (spawn, _) = list[list.len() - 1];
    assert_eq!(Threes::chance_text(&after, spawn), "48@3:+");
    assert_eq!(Threes::tile_text(Threes::tile_of(&after, spawn)), "48:+");
    assert_eq!(Threes::apply_outcome(&after, spawn).1, 3i32.pow(5));

    // A bonus tile needs a 48; below it hints come from the bag alone.
    let hints = |form: &str, text: &str| {
        let position = read(form, text);
        let (after, _) = position.apply(position.actions().next().unwrap());
        let mut hints: Vec<Hint> = outcomes(&after).iter().map(|(s, _)| s.draw.next).collect();
        hints.sort_unstable();
        hints.dedup();
        hints
    };
    use Hint::{Bonus, One, Three, Two};
    assert_eq!(hints("board=1x3,bonus=on", "24,0,0 1"), [Two, Three]);
    assert_eq!(hints("board=1x3,bonus=on", "0,24,24 1"), [Two, Three, Bonus]);
    // Under the cap: one bonus tile among 40 is placed. The 42nd tile may be
    // the second, the 41st may not.
    let capped = "board=2x3,bonus=capped";
    assert_eq!(hints(capped, "48,24,12/0,0,0 1 0.1.1 19"), [Two, Three, Bonus]);
    assert_eq!(hints(capped, "48,24,6/3,0,0 3 1.1.1 18"), [One, Two, Three]);
}

#[test]
fn the_bag_is_drawn_empty_and_filled_at_once() {
    for text in ["", "bag=3,bonus=off,spawn=side", "bonus=capped", "board=3x3,bag=12,bonus=on"] {
        let variant = variant(text);
        for game in 0..40 {
            let mut rng = Rng::stream(3, game);
            let mut position = Threes::start(&variant, &mut rng);
            let [mut placed, mut bonuses] = [u32::from(variant.start()), 0];
            // The tiles drawn since the bag was full, start tiles and hint included.
            let mut drawn = [0u32; 3];
            for square in 0..16 {
                match position.board >> (4 * square) & 15 {
                    0 => {}
                    index => drawn[index as usize - 1] += 1,
                }
            }
            drawn[position.hint() as usize - 1] += 1;
            loop {
                let most = u32::from(variant.of_each());
                while drawn.iter().sum::<u32>() >= 3 * most {
                    drawn = drawn.map(|n| n - most);
                }
                let left = position.bag().map(u32::from);
                assert_eq!(left, drawn.map(|n| most - n), "{}", position.text());
                let Some((_, after, _)) = position.step(&mut rng) else { break };
                let spawn = Threes::sample(&after, &mut rng);
                placed += 1;
                bonuses += u32::from(spawn.draw.tile > 3);
                position = Threes::apply_outcome(&after, spawn).0;
                match position.hint() {
                    Hint::Bonus => {}
                    hint => drawn[hint as usize - 1] += 1,
                }
                if variant.bonus() == Bonus::Capped {
                    assert!(bonuses * 21 <= placed, "{bonuses} of {placed}");
                    assert_eq!(u32::from(position.supply.spare()), placed - 21 * bonuses);
                }
            }
        }
    }
}

#[test]
fn afterstates_read_back() {
    let mut rng = Rng::new(4);
    for text in VARIANTS {
        let variant = variant(text);
        for (i, after) in Sample::<Threes>::draw(&variant, 12, 5).afterstates().enumerate() {
            let text = Threes::after_text(&after);
            assert_eq!(Threes::parse_after(&variant, &text), Ok(after), "{text}");
            assert!(Threes::parse(&variant, &text).is_err(), "{text} reads as a position");
            assert_eq!(Threes::after_variant(&after), variant);
            let cells = Threes::after_view(&after).cells;
            for (spawn, _) in outcomes(&after) {
                let touched = Threes::chance_cells(&after, spawn);
                assert!(touched.iter().all(|&cell| cells[cell].text.is_empty()), "{text}");
            }
            let damaged = if i % 10 == 0 { mutations(&text, 40, &mut rng) } else { Vec::new() };
            for text in damaged {
                if let Ok(read) = Threes::parse_after(&variant, &text) {
                    let again = Threes::parse_after(&variant, &Threes::after_text(&read));
                    assert_eq!(again, Ok(read), "{text}");
                    assert!(!outcomes(&read).is_empty(), "{text}");
                }
            }
        }
    }
}

#[test]
fn bags_are_found_where_only_one_fits() {
    assert_eq!(read("board=2x3", "0,0,0/0,1,0 2").text(), "0,0,0/0,1,0 2 0.0.1");
    assert_eq!(read("board=2x3", "0,1,0/0,0,2 3").text(), "0,1,0/0,0,2 3 1.1.1");
    assert_eq!(read("board=2x3", "0,1,0/0,0,2 3 0.0.0").text(), "0,1,0/0,0,2 3 1.1.1");
    // Four ones more than twos: no one and all twos are left.
    let ones = "1,0,0,0/1,0,0,0/1,0,0,0/1,0,3,3";
    assert_eq!(read("", &format!("{ones} 3")).text(), format!("{ones} 3 0.4.1"));
}

#[test]
fn facts_of_the_view() {
    let view = read("bonus=capped", "48,48,0,0/0,0,0,0/0,0,0,0/0,0,0,1 + 3.4.4 49").view();
    let text = |name, text: &str| Fact::Text(name, text.to_owned());
    for fact in [
        Fact::Number("largest", 48),
        Fact::Number("score", 2 * 243),
        text("hint", "+"),
        text("bag", "3.4.4"),
        Fact::Number("spare", 49),
    ] {
        assert!(view.facts.contains(&fact), "{fact:?} in {:?}", view.facts);
    }
}

#[test]
fn bad_positions_are_refused() {
    let refused =
        |form: &str, text: &str| Threes::parse(&variant(form), text).unwrap_err().to_string();
    for (text, message) in [
        ("", "board: found 1 row, expected 2 rows of 3 tiles joined by '/'"),
        (
            "0,1,0/0,0,5 1",
            "row 2, column 3: found '5', expected 0 or a tile: 1, 2, 3, 6, 12, .., 6144",
        ),
        ("0,192,0/0,0,0 1", "board: found 192 as tile 1 by size, expected at most 96 there"),
        ("0,0,0/0,0,0 1", "board: found no tile, expected at least one"),
        ("0,1,0/0,0,2", "board: found '', expected a hint and a bag after it"),
        ("0,1,0/0,0,2 4", "hint: found '4', expected 1, 2, 3 or +"),
        ("0,1,0/0,0,2 +", "hint: found '+', expected 1, 2 or 3: there are no bonus tiles"),
        ("0,1,0/0,0,2 3 1.1", "bag: found '1.1', expected ONES.TWOS.THREES left, 0 to 1 each"),
        ("0,1,0/0,0,2 3 2.1.1", "bag: found '2.1.1', expected ONES.TWOS.THREES left, 0 to 1 each"),
        (
            "0,1,0/0,0,2 3 1.1.0",
            "bag: found '1.1.0', expected the tiles left in the bag, such as 1.1.1 with this board and hint",
        ),
        ("0,1,0/0,0,2 3 1.1.1 7", "board: found '7', expected a hint and a bag after it"),
        (
            "0,1,0/0,0,2 1",
            "hint: found '1', expected a hint that can come up with these tiles: the position is unreachable",
        ),
    ] {
        assert_eq!(refused("board=2x3", text), message);
    }
    let full = "1,2,3,1/2,3,0,0/0,0,0,0/0,0,0,0";
    assert_eq!(
        refused("", &format!("{full} 1")),
        "bag: found nothing, expected the tiles left in the bag, such as 0.1.3"
    );
    assert!(refused("", &format!("{full} + 2.2.2")).starts_with("hint: found '+ 2.2.2'"));
    assert!(refused("bonus=capped", &format!("{full} 1 1.2.2 7")).starts_with("bag: "));
    assert!(refused("bonus=capped", &format!("{full} 1 1.2.2 20")).starts_with("hint: "));
    assert!(refused("bonus=capped", &format!("{full} 1 1.2.2 x")).starts_with("spare: found 'x'"));
    read("bonus=capped", &format!("{full} 1 1.2.2 6"));

    let refused =
        |form: &str, text: &str| Threes::parse_after(&variant(form), text).unwrap_err().to_string();
    assert!(refused("board=2x3", "0,1,0/0,0,2 3").contains("up, right, down or left"));
    assert!(refused("board=2x3", "0,1,0/0,0,2 left:1 3").contains("the slide alone"));
    assert!(refused("board=2x3", "0,0,1/0,0,2 left 3").contains("an empty cell on the side"));
    assert!(refused("", &format!("{full} left 1 1.2.2")).contains("such as left:24"));
    assert!(refused("", &format!("{full} left:21 1 1.2.2")).contains("in order"));
    assert!(refused("", &format!("{full} left:5 1 1.2.2")).contains("numbers of lines"));
    assert!(refused("", &format!("{full} left:1 1 1.2.2")).contains("scratch for one"));
    assert!(refused("", &format!("{full} left:3 1 1.2.2")).contains("lines with a tile"));
    assert!(refused("", &format!("{full} left: 1 1.2.2")).contains("at least one line"));
}

#[test]
fn positions_are_small_and_perft_is_known() {
    assert_eq!(size_of::<Threes>(), 16);
    assert_eq!(size_of::<ThreesAfter>(), 16);
    let start = read("board=2x3", "0,0,0/0,1,0 2");
    let counts = perft(&start, 8, &|| false).unwrap();
    assert_eq!(counts, [3, 7, 26, 192, 696, 3288, 11_404, 25_184]);
    let full = read("", "1,2,3,1/2,3,0,0/0,0,0,1/2,3,0,0 1 0.1.1");
    let counts = perft(&full, 6, &|| false).unwrap();
    assert_eq!(counts, [4, 24, 96, 316, 1261, 11_355]);
    assert_ne!(start.key(), full.key());
}
