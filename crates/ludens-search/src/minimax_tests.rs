use ludens_core::{Adversarial, CellAdversary, Params, Position as _, Rng, Variant};
use ludens_games::{ConnectFour, Game2048, Game2584, Threes};

use super::*;

/// A value that depends on the whole position.
#[derive(Clone, Copy)]
struct Odd;

impl<G: Game> AfterValue<G> for Odd {
    fn value(&mut self, after: &G::After) -> f32 {
        (after.key() % 97) as f32
    }
}

/// The definition, for games without chance and with it.
fn plain<G: ZeroSum>(position: &G, depth: u32) -> f32 {
    let mut best = None::<f32>;
    for action in position.actions() {
        let (after, reward) = position.apply(action);
        let mut value = 0.0;
        if depth == 1 {
            value = f64::from(AfterValue::<G>::value(&mut Odd, &after));
        } else {
            let _ = G::outcomes(&after, |outcome, p| {
                let (next, bonus) = G::apply_outcome(&after, outcome);
                value += p * f64::from(bonus as f32 + plain(&next, depth - 1));
                ControlFlow::Continue(())
            });
        }
        let value = reward as f32 + value as f32;
        best = Some(match (best, position.to_move()) {
            (None, _) => value,
            (Some(best), Player::One) => best.max(value),
            (Some(best), Player::Two) => best.min(value),
        });
    }
    best.unwrap_or(0.0)
}

fn agrees<G: ZeroSum>(params: &str, depth: u32) {
    let variant = G::Variant::read(&mut Params::parse(params).unwrap()).unwrap();
    let mut rng = Rng::new(8);
    let (mut few, mut many) = (0, 0);
    let mut position = G::start(&variant, &mut rng);
    for _ in 0..12 {
        if position.is_over() {
            break;
        }
        let expected = plain(&position, depth);
        let mut plain = Minimax::new(Odd, depth, false, 0);
        for memory in [0, 1 << 16] {
            let mut pruned = Minimax::new(Odd, depth, true, memory);
            for (search, name) in [(&mut plain, "plain"), (&mut pruned, "pruned")] {
                let (action, value) = search.search(&position).unwrap();
                assert!((value.0 - expected).abs() < 0.01, "{name}: {value:?} {expected}");
                assert!(position.is_legal(action));
            }
            few += pruned.nodes();
            many += plain.nodes();
        }
        let (_, after, _) = position.step(&mut rng).unwrap();
        position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
    }
    assert!(few <= many, "{few} {many}");
}

#[test]
fn values_are_those_of_the_definition() {
    agrees::<Adversarial<Game2048>>("board=2x3", 4);
    agrees::<Adversarial<Threes>>("board=2x3", 4);
    agrees::<CellAdversary<Game2584>>("board=2x3", 4);
    agrees::<ConnectFour>("", 4);
}

#[test]
fn limits_and_cancelling_are_obeyed() {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let within = |budget: Budget, stopped: bool, depth: u32| {
        let stop = AtomicBool::new(stopped);
        let limits = Limits::new(Instant::now(), budget, &stop);
        let mut search = Minimax::new(Odd, depth, true, 1 << 20);
        let found = search.search_within(&start, &limits).unwrap();
        (found, search.nodes())
    };
    // Without limits the whole depth, with few nodes as far as whole moves fit in.
    let ((action, value, looked), _) = within(Budget::default(), false, 5);
    let whole = Minimax::new(Odd, 5, true, 1 << 20).search(&start).unwrap();
    assert_eq!(((action, value), looked), (whole, 5));
    let ((_, _, looked), nodes) = within(Budget::nodes(500), false, 40);
    assert!((2..6).contains(&looked) && nodes <= 520, "{looked} {nodes}");
    let ((_, _, looked), nodes) = within(Budget::nodes(0), false, 40);
    assert_eq!((looked, nodes), (1, 8), "the first move is always looked ahead");
    let time = std::time::Duration::from_millis(30);
    let begin = Instant::now();
    within(Budget::time(time), false, 40);
    within(Budget::default(), true, 40);
    assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
}

#[test]
fn pruning_saves_most_of_the_work() {
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let mut plain = Minimax::new(Odd, 6, false, 0);
    let mut pruned = Minimax::new(Odd, 6, true, 1 << 20);
    assert_eq!(plain.search(&start).unwrap().1, pruned.search(&start).unwrap().1);
    assert!(pruned.nodes() * 5 < plain.nodes(), "{} {}", pruned.nodes(), plain.nodes());
}
