//! How pieces move, game by game. That movements lead from one drawing to the next is part of the
//! conformance kit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::{Game, Movement, MovementKind, NoVariant, Notation, Place};
use ludens_games::samegame::{SameGameVariant, Scoring};
use ludens_games::tiles::{self, Size, Slide};
use ludens_games::{ConnectFour, Game2048, Othello, SameGame, Togyzkumalak};

fn motion<G: Notation>(variant: &G::Variant, position: &str, action: &str) -> Vec<Movement> {
    let position = G::parse(variant, position).unwrap();
    position.motion(position.parse_action(action).unwrap())
}

/// The ends of the movements between cells that satisfy a condition.
fn ends(motion: &[Movement], keep: impl Fn(&Movement) -> bool) -> Vec<(usize, usize)> {
    let between = |movement: &Movement| match (movement.from, movement.to) {
        (Place::Cell(from), Place::Cell(to)) => Some((from, to)),
        _ => None,
    };
    motion.iter().filter(|m| keep(m)).filter_map(between).collect()
}

#[test]
fn tiles_slide_and_merge_as_far_as_they_can() {
    let moved = motion::<Game2048>(&Default::default(), "2,0,2,4/0,0,0,8/0,0,0,0/0,0,0,0", "left");
    assert_eq!(ends(&moved, |m| m.kind == MovementKind::Merge), [(0, 0), (2, 0)]);
    assert_eq!(ends(&moved, |m| m.kind == MovementKind::Slide), [(3, 1), (7, 4)]);
}

#[test]
fn tiles_of_threes_go_by_one() {
    // Tiles by index: 1 and 2 join, and so do equal ones from 3 on.
    let grid = [1, 2, 0, 3, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0];
    let merges = |a: u8, b: u8| a + b == 3 && a != 0 && b != 0 || a == b && a > 2;
    let moved = tiles::motion::by_one(Size::FULL, &grid, Slide::Left, merges);
    assert_eq!(ends(&moved, |m| m.kind == MovementKind::Merge), [(0, 0), (1, 0)]);
    assert_eq!(ends(&moved, |m| m.kind == MovementKind::Slide), [(3, 2), (6, 5), (7, 6)]);
}

#[test]
fn a_stone_falls_on_the_others_and_four_win() {
    let position = ConnectFour::parse(&NoVariant, "434343").unwrap();
    let column = position.parse_action("4").unwrap();
    assert_eq!(position.action_cells(column)[0], 17);
    assert_eq!(position.motion(column)[0].to, Place::Cell(17));
    assert_eq!(position.winning_cells(), []);
    assert_eq!(position.apply(column).0.winning_cells(), [17, 24, 31, 38]);
}

#[test]
fn discs_turn_from_the_placed_one_on() {
    let rows = [".OOOX...", "...O....", "...O....", "...OX...", "...XO..."];
    let board = format!("{}{} X", rows.concat(), ".".repeat(24));
    let position = Othello::parse(&NoVariant, &board).unwrap();
    let moved = position.motion(position.parse_action("a1").unwrap());
    assert_eq!(moved[0], Movement::appear(0, 0));
    assert_eq!(
        moved[1..],
        [(1, 1), (2, 2), (3, 3)].map(|(cell, order)| Movement::turn(cell, order))
    );
}

#[test]
fn blocks_fall_and_columns_close_up() {
    let variant = SameGameVariant::new(2, 3, 3, Scoring::Bubble).unwrap();
    let moved = motion::<SameGame>(&variant, "01./02.", "0,0");
    assert_eq!(moved[..2], [Movement::vanish(0, 0), Movement::vanish(3, 0)]);
    assert_eq!(ends(&moved, |m| m.kind == MovementKind::Slide), [(4, 3), (1, 0)]);
    let moved = motion::<SameGame>(&variant, "2../011", "1,0");
    assert_eq!(moved, [Movement::vanish(4, 0), Movement::vanish(5, 0)]);
}

#[test]
fn balls_are_sown_one_by_one_and_captured() {
    let start = Togyzkumalak::default();
    let moved = start.motion(start.parse_action("9").unwrap());
    let sown = ends(&moved, |_| true);
    assert_eq!(sown, [8, 7, 6, 5, 4, 3, 2, 1].map(|cell| (17, cell)));
    assert!(moved.is_sorted_by_key(|m| m.order));
    let captured = moved.iter().filter(|m| m.to == Place::Store("store_1"));
    assert_eq!(captured.filter(|m| m.from == Place::Cell(1)).count(), 10);
}
