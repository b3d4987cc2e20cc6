//! Legality, rewards, keys and random play.

use std::collections::{HashMap, HashSet};

use ludens_core::{Duel, FixedActions, Game, Player, Rng, Starts};

use crate::statistics::{chi_square_fits, means_agree};
use crate::{Sample, enumerate};

pub(crate) fn check<G: Game>(sample: &Sample<G>) {
    legality_agrees(sample);
    children_agree(sample);
    scores_grow_by_rewards(sample);
    keys_differ(sample);
    steps_are_uniform(sample);
    playouts_agree(sample);
}

/// `actions`, `is_legal` and `is_over` tell the same, also for actions that are
/// legal only elsewhere.
fn legality_agrees<G: Game>(sample: &Sample<G>) {
    let mut pool: Vec<G::Action> = sample.positions().flat_map(|p| p.actions().take(50)).collect();
    let mut seen = HashSet::new();
    pool.retain(|a| seen.insert(*a));
    let mut rng = Rng::new(1);
    rng.shuffle(&mut pool);
    pool.truncate(400);
    for position in sample.positions() {
        assert_eq!(position.variant(), sample.variant, "{position:?} lost its variant");
        let actions = position.actions();
        let length = actions.len();
        let listed: Vec<G::Action> = actions.collect();
        assert_eq!(
            listed.len(),
            length,
            "the list of {position:?} has another length than it says"
        );
        assert_eq!(position.is_over(), listed.is_empty(), "is_over of {position:?}");
        if G::PLAYERS == 1 {
            assert_eq!(position.to_move(), Player::One, "a solo game has one player: {position:?}");
        }
        let set: HashSet<G::Action> = listed.iter().copied().collect();
        assert_eq!(set.len(), listed.len(), "an action is listed twice in {position:?}");
        for &action in listed.iter().take(500).chain(&pool) {
            let legal = position.is_legal(action);
            assert_eq!(legal, set.contains(&action), "legality of {action:?} in {position:?}");
        }
    }
}

/// `children` gives what `actions` and `apply` give, in the same order.
fn children_agree<G: Game>(sample: &Sample<G>) {
    for position in sample.positions() {
        let mut children = Vec::new();
        position.children(|action, after, reward| children.push((action, after, reward)));
        let applied: Vec<_> = position
            .actions()
            .map(|action| {
                let (after, reward) = position.apply(action);
                (action, after, reward)
            })
            .collect();
        assert!(children == applied, "children of {position:?}");
    }
}

/// Where the position shows a score, moves and outcomes change it by what they pay.
fn scores_grow_by_rewards<G: Game>(sample: &Sample<G>) {
    let mut rng = Rng::new(2);
    for position in sample.positions() {
        let Some(before) = position.score() else { continue };
        let Some((action, after, reward)) = position.step(&mut rng) else { continue };
        let chance = G::sample(&after, &mut rng);
        let (next, bonus) = G::apply_outcome(&after, chance);
        let grown = next.score().expect("a game that shows its score shows it always") - before;
        assert_eq!(
            grown,
            i64::from(reward) + i64::from(bonus),
            "score of {action:?} in {position:?}"
        );
    }
}

/// Different positions have different keys.
fn keys_differ<G: Game>(sample: &Sample<G>) {
    let mut keys: HashMap<u64, G> = HashMap::new();
    for position in sample.positions() {
        if let Some(other) = keys.insert(position.key(), position) {
            assert_eq!(other, position, "two positions share the key {:#x}", position.key());
        }
    }
}

/// `step` draws every legal action equally often and plays it like `apply`.
fn steps_are_uniform<G: Game>(sample: &Sample<G>) {
    let mut rng = Rng::new(3);
    for position in sample.positions().step_by(7).take(40) {
        let actions: Vec<G::Action> = position.actions().collect();
        if actions.is_empty() {
            assert!(position.step(&mut rng).is_none(), "a step after the end: {position:?}");
        }
        if actions.is_empty() || actions.len() > 400 {
            continue;
        }
        let index: HashMap<G::Action, usize> = actions.iter().copied().zip(0..).collect();
        let mut counts = vec![0u64; actions.len()];
        for _ in 0..actions.len() * 30 {
            let (action, after, reward) = position.step(&mut rng).expect("the game is not over");
            let at = *index
                .get(&action)
                .unwrap_or_else(|| panic!("illegal step {action:?} in {position:?}"));
            assert_eq!(
                (after, reward),
                position.apply(action),
                "step and apply differ in {position:?}"
            );
            counts[at] += 1;
        }
        let uniform = vec![1.0 / actions.len() as f64; actions.len()];
        let fits = chi_square_fits(&counts, &uniform);
        assert!(fits, "step is not uniform in {position:?}: {counts:?}");
    }
}

/// `playout` ends, and comes out like play by `step`.
fn playouts_agree<G: Game>(sample: &Sample<G>) {
    let mut rng = Rng::new(4);
    for position in sample.positions().take(3) {
        let (mut totals, mut lengths) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for _ in 0..300 {
            let playout = position.playout(&mut rng);
            assert!(playout.end.is_over(), "a playout of {position:?} stopped early");
            if let (Some(start), Some(end)) = (position.score(), playout.end.score()) {
                assert_eq!(end - start, playout.total, "total of a playout of {position:?}");
            }
            totals.0.push(playout.total as f64);
            lengths.0.push(f64::from(playout.moves));
            let (mut here, mut total, mut moves) = (position, 0, 0);
            while let Some((_, after, reward)) = here.step(&mut rng) {
                let chance = G::sample(&after, &mut rng);
                let (next, bonus) = G::apply_outcome(&after, chance);
                (here, total, moves) = (next, total + reward + bonus, moves + 1);
            }
            totals.1.push(f64::from(total));
            lengths.1.push(f64::from(moves));
        }
        assert!(means_agree(&totals.0, &totals.1), "totals of playouts of {position:?}");
        assert!(means_agree(&lengths.0, &lengths.1), "lengths of playouts of {position:?}");
    }
}

/// The outcome of a duel is known exactly when it is over, and is its total reward.
///
/// # Panics
/// When it is not so.
pub fn check_duel<G: Duel>(variant: &G::Variant) {
    for game in 0..100 {
        let mut rng = Rng::stream(5, game);
        let mut position = G::start(variant, &mut rng);
        let mut total = 0;
        while let Some((_, after, reward)) = position.step(&mut rng) {
            assert_eq!(position.outcome(), None, "an outcome before the end: {position:?}");
            assert_eq!(total, 0, "a duel pays only at its end: {position:?}");
            let chance = G::sample(&after, &mut rng);
            let (next, bonus) = G::apply_outcome(&after, chance);
            total += reward + bonus;
            position = next;
        }
        let outcome =
            position.outcome().unwrap_or_else(|| panic!("no outcome at the end: {position:?}"));
        assert_eq!(outcome.value(), total, "rewards do not sum to the result: {position:?}");
    }
}

/// Action indices are within the space, distinct, and lead back.
///
/// # Panics
/// When it is not so.
pub fn check_fixed_actions<G: FixedActions>(variant: &G::Variant) {
    let space = G::action_space(variant);
    for position in Sample::<G>::draw(variant, 12, 6).positions() {
        let legal: HashSet<usize> = position
            .actions()
            .map(|action| {
                let index = position.action_index(action);
                assert!(index < space, "index {index} of {action:?} in {position:?}");
                assert_eq!(position.action_of_index(index), Some(action), "{position:?}");
                index
            })
            .collect();
        for index in 0..space {
            let action =
                position.action_of_index(index).expect("an index of the space has an action");
            assert_eq!(
                position.is_legal(action),
                legal.contains(&index),
                "{action:?} in {position:?}"
            );
        }
        assert_eq!(position.action_of_index(space), None);
    }
}

/// The start positions sum to 1 and are those that `start` draws.
///
/// # Panics
/// When it is not so.
pub fn check_starts<G: Starts>(variant: &G::Variant) {
    let starts = enumerate::starts::<G>(variant);
    let mut index = HashMap::new();
    let mut probabilities = Vec::new();
    for (position, p) in starts {
        index.insert(position, probabilities.len());
        probabilities.push(p);
    }
    let sum: f64 = probabilities.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "start probabilities sum to {sum}");
    let mut counts = vec![0u64; probabilities.len()];
    let mut rng = Rng::new(7);
    for _ in 0..20_000.max(probabilities.len() * 10) {
        let position = G::start(variant, &mut rng);
        let at = *index.get(&position).unwrap_or_else(|| panic!("an unlisted start: {position:?}"));
        counts[at] += 1;
    }
    let fits = chi_square_fits(&counts, &probabilities);
    assert!(fits, "starts do not match their probabilities");
}
