//! Trees of one player: sums of rewards.

use std::collections::HashMap;

use ludens_core::{Evals, Game, Notation, Rng};
use ludens_games::Former;
use ludens_games::former::FormerVariant;

use super::*;

/// Moves that are needed at least.
fn least(position: &Former, known: &mut HashMap<Former, i32>) -> i32 {
    if position.is_over() {
        return 0;
    }
    if let Some(&moves) = known.get(position) {
        return moves;
    }
    let moves = position.actions().map(|action| 1 + least(&position.apply(action).0, known));
    let moves = moves.min().unwrap();
    known.insert(*position, moves);
    moves
}

fn search(
    position: &Former,
    simulations: u64,
    value: impl Fn(&Former) -> f32,
) -> TreeSearch<Former, Returns> {
    let mut tree = TreeSearch::puct(PuctConfig::default());
    let noise = Noise { alpha: 0.5, share: 0.25 };
    tree.start(position, simulations, Root::Noisy(noise), Rng::new(1));
    grow(&mut tree, value);
    tree
}

fn grow(tree: &mut TreeSearch<Former, Returns>, value: impl Fn(&Former) -> f32) {
    let mut batch = Vec::new();
    while tree.gather(1, &mut batch) == 1 {
        let mut evals = Evals::default();
        evals.push(Some(value(&batch[0])), &[]);
        tree.apply(&evals, 0);
        batch.clear();
    }
}

fn boards() -> impl Iterator<Item = Former> {
    let variant = FormerVariant::new(3, 3, 3).unwrap();
    (0..20).map(move |seed| Former::start(&variant, &mut Rng::new(seed)))
}

#[test]
fn good_evaluations_give_good_moves() {
    let mut known = HashMap::new();
    for board in boards() {
        let best = least(&board, &mut known);
        // Evaluations are off by a constant, which must not matter.
        let off = |position: &Former| -10.0 - least(position, &mut known.clone()) as f32;
        let tree = search(&board, 200, off);
        let action = tree.draw(0.0, &mut Rng::new(1), &mut Vec::new());
        let after = 1 + least(&board.apply(action).0, &mut known);
        assert_eq!(after, best, "{}", board.text());
    }
}

#[test]
fn ends_are_seen_without_evaluations() {
    // With nothing said, the sums are those of the moves of the walks alone.
    let (mut known, mut right) = (HashMap::new(), 0);
    for board in boards() {
        let best = least(&board, &mut known);
        let tree = search(&board, 2000, |_| -4.0);
        assert!(tree.value().0 <= -best as f32 + 1e-3, "{}", board.text());
        let action = tree.draw(0.0, &mut Rng::new(1), &mut Vec::new());
        right += usize::from(1 + least(&board.apply(action).0, &mut known) == best);
    }
    assert!(right >= 17, "{right}");
}

#[test]
fn simulations_are_counted_and_trees_kept() {
    let board = boards().next().unwrap();
    let mut tree = search(&board, 50, |_| -3.0);
    assert_eq!(tree.tree.nodes[0].visits, 1 + 49);
    let mut policy = Vec::new();
    tree.policy(&mut policy);
    assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let action = tree.draw(0.0, &mut Rng::new(1), &mut policy);
    let index = board.actions().position(|legal| legal == action).unwrap();
    let visits = tree.tree.edges_of(0)[index].visits;
    tree.advance(action);
    assert_eq!(tree.tree.nodes[0].visits, visits);
    let next = board.apply(action).0;
    tree.start(&next, 50, Root::Plain, Rng::new(2));
    grow(&mut tree, |_| -3.0);
    assert_eq!(tree.tree.nodes[0].visits, visits + 49);
    // Another position is started anew.
    tree.start(&board, 1, Root::Plain, Rng::new(2));
    grow(&mut tree, |_| -3.0);
    assert_eq!((tree.size(), tree.value().0), (1, -3.0));
    tree.policy(&mut policy);
    assert!(policy.iter().all(|chance| *chance == policy[0]));
}
