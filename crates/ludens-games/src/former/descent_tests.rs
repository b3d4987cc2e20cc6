//! Names and pruning against plain enumeration of all positions of small boards.

use std::collections::HashMap;

use ludens_core::{Descent, Game, Rng};

use super::{Former, FormerOrigin, FormerVariant, Pruning};

/// Small sizes of every kind: rows, columns, shapes.
const SIZES: [(u8, u8, u8); 12] = [
    (3, 3, 2),
    (3, 3, 4),
    (4, 3, 3),
    (3, 4, 3),
    (5, 3, 2),
    (2, 6, 3),
    (6, 2, 4),
    (9, 1, 3),
    (1, 9, 3),
    (13, 1, 2),
    (2, 5, 8),
    (4, 4, 2),
];

fn all_rules() -> impl Iterator<Item = Pruning> {
    (0..1u32 << 6).map(|bits| {
        let on = |n: u32| bits >> n & 1 != 0;
        Pruning {
            runs: on(0),
            whole: on(1),
            touch: on(2),
            crown: on(3),
            order: on(4),
            strips: on(5),
        }
    })
}

/// The fewest moves from a position, by trying everything.
fn fewest(position: &Former, known: &mut HashMap<Former, u32>) -> u32 {
    if position.is_over() {
        return 0;
    }
    if let Some(&moves) = known.get(position) {
        return moves;
    }
    let mut best = u32::MAX;
    position.children(|_, child, _| best = best.min(1 + fewest(&child, known)));
    known.insert(*position, best);
    best
}

/// Every position that descends from a board, with its name.
fn all_names(board: &Former) -> HashMap<Former, u64> {
    let origin = FormerOrigin::new(*board, Pruning::NONE);
    let mut names = HashMap::new();
    let mut open = vec![(*board, Former::first(&origin))];
    while let Some((here, name)) = open.pop() {
        if names.insert(here, name).is_none() {
            here.descend(&origin, name, u32::MAX, 0, |_, child, name, _| open.push((child, name)));
        }
    }
    names
}

#[test]
fn names_are_positions() {
    let mut rng = Rng::new(31);
    for (rows, cols, shapes) in SIZES.into_iter().chain([(9, 7, 4), (64, 1, 3), (1, 64, 8)]) {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..20 {
            let board = Former::start(&variant, &mut rng);
            let origin = FormerOrigin::new(board, Pruning::NONE);
            let mut by_name = HashMap::new();
            let mut by_position = HashMap::new();
            for _ in 0..20 {
                let (mut here, mut name) = (board, Former::first(&origin));
                while !here.is_over() {
                    assert_eq!(Former::recall(&origin, name), here);
                    assert_eq!(*by_name.entry(name).or_insert(here), here);
                    assert_eq!(*by_position.entry(here).or_insert(name), name);
                    let mut children = Vec::new();
                    here.descend(&origin, name, u32::MAX, 0, |group, child, name, _| {
                        assert_eq!(child, here.apply(here.action(group)).0);
                        children.push((name, child));
                    });
                    (name, here) = children[rng.below(children.len() as u32) as usize];
                }
                assert_eq!(name, 0);
            }
        }
    }
}

/// At every position of many small boards, for every set of rules: the bound
/// holds, and a move that begins a shortest line is kept.
#[test]
fn pruning_keeps_a_shortest_line() {
    let mut rng = Rng::new(32);
    let mut checked = 0;
    for (rows, cols, shapes) in SIZES {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..20 {
            let board = Former::start(&variant, &mut rng);
            let mut known = HashMap::new();
            fewest(&board, &mut known);
            let names = all_names(&board);
            let origins: Vec<FormerOrigin> =
                all_rules().map(|rules| FormerOrigin::new(board, rules)).collect();
            for (&position, &moves) in known.iter().take(250) {
                assert!(position.fewest_moves() <= moves, "{position:?}");
                for origin in &origins {
                    for extra in 0..3 {
                        let mut kept = false;
                        let name = names[&position];
                        position.descend(origin, name, moves + extra, 0, |_, child, _, _| {
                            kept |= child.is_over() || known.get(&child) == Some(&(moves - 1));
                        });
                        assert!(kept, "{:?} {position:?} {moves}+{extra}", origin.rules());
                    }
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 20_000, "{checked}");
}

/// Whether the end can be reached within `moves`: layers of positions by name, each
/// with the moves that all lines to it cover.
fn reaches_end(origin: &FormerOrigin, moves: u32) -> bool {
    let mut layer = HashMap::from([(Former::first(origin), 0)]);
    let mut over = false;
    for left in (1..=moves).rev() {
        let mut next = HashMap::new();
        for (&name, &covered) in &layer {
            let here = Former::recall(origin, name);
            here.descend(origin, name, left, covered, |_, child, name, covered| {
                over |= child.is_over();
                next.entry(name).and_modify(|all| *all &= covered).or_insert(covered);
            });
        }
        layer = next;
    }
    over
}

/// Whole searches with every set of rules find the fewest moves.
#[test]
fn covered_moves_are_not_missed() {
    let mut rng = Rng::new(33);
    for (rows, cols, shapes) in SIZES.into_iter().chain([(4, 4, 4), (3, 5, 3), (5, 3, 4)]) {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..40 {
            let board = Former::start(&variant, &mut rng);
            let moves = fewest(&board, &mut HashMap::new());
            for rules in all_rules() {
                let origin = FormerOrigin::new(board, rules);
                assert!(!reaches_end(&origin, moves - 1), "{rules:?} {board:?}");
                assert!(reaches_end(&origin, moves), "{rules:?} {board:?} {moves}");
            }
        }
    }
}
