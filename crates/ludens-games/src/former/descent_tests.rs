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
    (0..1u32 << 4).map(|bits| {
        let on = |n: u32| bits >> n & 1 != 0;
        Pruning { runs: on(0), whole: on(1), touch: on(2), crown: on(3) }
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
                    here.descend(&origin, u32::MAX, |group, child| {
                        assert_eq!(child, here.apply(here.action(group)).0);
                        children.push((here.descendant(&origin, name, group), child));
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
            let origins: Vec<FormerOrigin> =
                all_rules().map(|rules| FormerOrigin::new(board, rules)).collect();
            for (&position, &moves) in known.iter().take(250) {
                assert!(position.fewest_moves() <= moves, "{position:?}");
                for origin in &origins {
                    for extra in 0..3 {
                        let mut kept = false;
                        position.descend(origin, moves + extra, |_, child| {
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
