//! Every kind of value learns, and approaches what exact analysis finds where a table
//! has an entry for every board.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use ludens_core::{AfterValue, FixedActions, Game, Params, Rng, Starts, Sym, Symmetric, Variant};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::td::Learnable;
use ludens_learn::{Settings, TdConfig, Trainer};
use ludens_ntuple::NTupleEvaluator;
use ludens_search::tabular::{Endgame, retrograde};

const KINDS: [&[(&str, &str)]; 4] = [
    &[("learn", "afterstate")],
    &[("learn", "state")],
    &[("learn", "action")],
    // One drawn outcome beside the evaluations: more lean to moves that were lucky, and their means
    // with them.
    &[("mcts", "2"), ("mcts_c", "0")],
];

/// An entry for every board of 2x2, too much expected of each at first so that all moves are
/// tried, and smaller and smaller steps.
const TABLE: &[(&str, &str)] = &[
    ("layout", "0145"),
    ("episodes", "30000"),
    ("initial", "150"),
    ("method", "td"),
    ("schedule", "15000:0.02,25000:0.005"),
];

fn variant<G: Game>(text: &str) -> G::Variant {
    G::Variant::read(&mut Params::parse(text).unwrap()).unwrap()
}

fn trained<G: Learnable>(board: &str, settings: &[(&str, &str)]) -> Trainer<G> {
    let mut config = TdConfig::default();
    for (key, value) in settings {
        config.set(key, value).unwrap();
    }
    let mut trainer = Trainer::new(variant::<G>(board), config, 7).unwrap();
    while !trainer.is_done() {
        trainer.block();
    }
    trainer
}

/// The mean over greedy games of how far the network is from the exact value of the
/// afterstates met, as a share of the mean exact value.
fn error<G: Learnable + Symmetric + Starts>(board: &str, trainer: &Trainer<G>) -> f32 {
    let variant = variant::<G>(board);
    let table = retrograde::<G>(&variant, 1 << 30, &|| false).unwrap();
    let mut exact: Endgame<G, ()> = Endgame::new(variant, Some(Arc::new(table)), ());
    let mut evaluator = NTupleEvaluator::new(trainer.network());
    let (mut far, mut sum) = (0.0, 0.0);
    for game in 0..100 {
        let mut rng = Rng::stream(3, game);
        let mut position = G::start(&variant, &mut rng);
        loop {
            let mut best: Option<(f32, G::After)> = None;
            position.children(|_, after, reward| {
                let value = reward as f32 + AfterValue::<G>::value(&mut evaluator, &after);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, after));
                }
            });
            let Some((_, after)) = best else { break };
            let truth = AfterValue::<G>::value(&mut exact, &after);
            far += (AfterValue::<G>::value(&mut evaluator, &after) - truth).abs();
            sum += truth;
            position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
        }
    }
    far / sum
}

#[test]
fn values_approach_the_exact_ones() {
    for kind in KINDS {
        let trainer = trained::<Game2048>("board=2x2", &[TABLE, kind].concat());
        let far = error("board=2x2", &trainer);
        assert!(far < 0.04, "{kind:?}: {far}");
    }
}

#[test]
fn longer_targets_approach_them_too() {
    let longer = [("steps", "3"), ("lambda", "0.5")];
    for kind in KINDS {
        for order in ["forward", "backward"] {
            let settings = [TABLE, &longer, kind, &[("order", order)]].concat();
            let far = error("board=2x2", &trained::<Game2048>("board=2x2", &settings));
            assert!(far < 0.04, "{settings:?}: {far}");
        }
    }
}

/// What nature pays counts as well: a 3 dropped in Threes!.
#[test]
fn every_game_learns_every_kind() {
    fn learns<G: Learnable>(kind: &[(&str, &str)]) {
        let base = [("layout", "012 456 0145 1256"), ("block", "200")];
        let mean = |episodes| {
            let settings = [&base, kind, &[("episodes", episodes)]].concat();
            trained::<G>("board=2x3", &settings).last().mean()
        };
        let (first, last) = (mean("200"), mean("3000"));
        assert!(last > 1.1 * first, "{} {kind:?}: {first} {last}", G::NAME);
    }
    for kind in KINDS {
        learns::<Game2048>(kind);
        learns::<Game2584>(kind);
        learns::<Threes>(kind);
    }
}

#[test]
fn actions_turn_with_the_board() {
    let settings = [("layout", "re"), ("learn", "action"), ("episodes", "40")];
    let trainer = trained::<Game2048>("", &settings);
    let mut evaluator = NTupleEvaluator::new(trainer.network());
    let mut rng = Rng::new(4);
    let mut position = Game2048::start(&Default::default(), &mut rng);
    let mut compared = 0;
    while let Some((_, after, _)) = position.step(&mut rng) {
        for action in position.actions() {
            let value = evaluator.action(&position, position.action_index(action));
            for sym in 0..8 {
                let image = position.map(Sym(sym));
                let turned = image.action_index(position.map_action(action, Sym(sym)));
                assert!((evaluator.action(&image, turned) - value).abs() < 0.01);
                compared += 1;
            }
        }
        position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
    }
    assert!(compared > 1000);
}
