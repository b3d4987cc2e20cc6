use std::sync::atomic::AtomicBool;

use ludens_core::{Game, Notation};
use ludens_games::{ConnectFour, Sevn};

use super::*;

fn agent<G: Duel + Deterministic>(samples: u64) -> VisitUct<G> {
    VisitUct::new(0.5, Some(samples), Budget::default())
}

fn ask<G: Duel + Deterministic>(agent: &mut VisitUct<G>, position: &G) -> Choice<G::Action> {
    let (stop, mut told) = (AtomicBool::new(false), |_: &_| {});
    let rng = Rng::new(1);
    agent.choose(position, &mut Context::for_agent(Budget::default(), rng, 1, &stop, &mut told))
}

/// The rule on a position with known counts, worked out by hand.
#[test]
fn scores_are_those_of_the_program() {
    let position = ConnectFour::parse(&Default::default(), "112233").unwrap();
    let mut uct = agent(1);
    let after = |index: usize| {
        let action = position.actions().nth(index).unwrap();
        position.apply(action).0
    };
    uct.nodes.insert(position, Node { visits: 9, wins: 5.0 });
    uct.nodes.insert(after(0), Node { visits: 4, wins: 1.0 });
    let scores: Vec<f64> = uct.scored(&position).map(|scored| scored.score).collect();
    let ln = 9f64.ln();
    let expected = [0.75 + 0.5 * (ln / 4.0).sqrt(), 0.5 + 0.5 * ln.sqrt()];
    assert!((scores[0] - expected[0]).abs() < 1e-12, "{scores:?}");
    assert!((scores[1] - expected[1]).abs() < 1e-12, "{scores:?}");
    // The fourth column wins at once.
    assert!((scores[3] - (1.0 + 0.5 * ln.sqrt())).abs() < 1e-12, "{scores:?}");
}

/// Visits are counted, not games, and every visit but those of ends and of a sample that was
/// broken off is in the root's.
#[test]
fn a_sample_is_a_visit() {
    let mut rng = Rng::new(3);
    let start = Sevn::start(&Default::default(), &mut rng);
    let mut uct = agent(10_000);
    let choice = ask(&mut uct, &start);
    assert_eq!(choice.nodes, 10_000);
    let root = uct.nodes[&start];
    // Games of base 7 take some 20 to 35 moves.
    assert!((250..600).contains(&root.visits), "{}", root.visits);
    assert!(root.wins <= f64::from(root.visits));
    let children: u32 = uct.scored(&start).map(|scored| scored.visits).sum();
    assert!(children >= root.visits && children <= root.visits + 1, "{children}");
}

/// One node for a position that two orders of moves lead to.
#[test]
fn nodes_are_shared() {
    let mut uct = agent(30_000);
    let start = ConnectFour::parse(&Default::default(), "44444").unwrap();
    ask(&mut uct, &start);
    let (one, other) = ("44444123", "44444321");
    let parse = |text| ConnectFour::parse(&Default::default(), text).unwrap();
    assert_eq!(parse(one), parse(other));
    let parents: u32 = ["4444412", "4444432"]
        .map(|text| uct.nodes.get(&parse(text)).map_or(0, |n| n.visits))
        .iter()
        .sum();
    assert!(parents > 0 && uct.nodes.contains_key(&parse(one)));
}

/// What lies below the move played stays, all else goes.
#[test]
fn the_tree_is_kept() {
    let start = ConnectFour::default();
    let mut uct = agent(3000);
    let action = ask(&mut uct, &start).action;
    let next = start.apply(action).0;
    let kept = uct.nodes[&next].visits;
    let before = uct.nodes.len();
    uct.observe(&start, action, &next);
    assert!(kept > 0 && uct.nodes[&next].visits == kept);
    assert!(uct.nodes.len() < before && !uct.nodes.contains_key(&start));
    for other in start.actions().filter(|other| *other != action) {
        assert!(!uct.nodes.contains_key(&start.apply(other).0));
    }
    uct.reset();
    assert!(uct.nodes.is_empty());
}

/// What another way has added below a position stays when the position is forgotten.
#[test]
fn ways_are_forgotten_one_by_one() {
    let start = ConnectFour::parse(&Default::default(), "44444").unwrap();
    let mut uct = agent(30_000);
    let action = ask(&mut uct, &start).action;
    let next = start.apply(action).0;
    // Everything below the other moves, whichever way it was found.
    let (mut below, mut open) = (HashMap::new(), vec![start]);
    while let Some(position) = open.pop() {
        for child in position.actions().map(|action| position.apply(action).0) {
            let known = child != next && uct.nodes.contains_key(&child);
            if known && below.insert(child, ()).is_none() {
                open.push(child);
            }
        }
    }
    let before = uct.nodes.len();
    uct.observe(&start, action, &next);
    let stays = below.keys().filter(|position| uct.nodes.contains_key(position)).count();
    assert!(stays > 0, "{} of {before} lie below", below.len());
    assert_eq!(uct.nodes.len(), before - 1 - below.len() + stays);
    // The first moves not played have no other way to them.
    for other in start.actions().map(|other| start.apply(other).0).filter(|other| *other != next) {
        assert!(!uct.nodes.contains_key(&other));
    }
    assert_eq!(uct.root, Some(next));
}

#[test]
fn wins_are_taken() {
    let win = ConnectFour::parse(&Default::default(), "112233").unwrap();
    let choice = ask(&mut agent(500), &win);
    assert_eq!(win.apply(choice.action).0.outcome(), Some(GameResult::Win(win.to_move())));
    assert_eq!(choice.value, Some(1.0));
}
