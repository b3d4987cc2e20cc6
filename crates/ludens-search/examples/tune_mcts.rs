//! Finds numbers for the tree search on random SameGame boards.
//!
//! `tune_mcts depth NAME [DEPTH] [BOARDS] [UNITS]` finds the factor C that gives the nodes
//! of a composition's trees a mean depth, 30 by default. `tune_mcts score [ROUNDS] [BOARDS]
//! [UNITS]` tunes C and D of SP-MCTS for the mean score by the cross-entropy method.
#![expect(clippy::print_stdout, reason = "an example talks to a person")]

use std::sync::atomic::AtomicBool;

use ludens_core::{Budget, Context, Game, Progress, Rng, Solver};
use ludens_games::samegame::{Penalty, SameGame, SameGameVariant, Scoring, VsSameGame};
use ludens_search::mcts::{Config, Mcts, Normal, Rule, Tuning, composition, cross_entropy};

/// The mean score and the mean depth of nodes on some boards.
fn measure(config: Config, boards: u64, units: u64) -> (f64, f64) {
    let variant = SameGameVariant::new(15, 15, 5, Scoring::SameGame(Penalty::Colour))
        .expect("the standard size is a size");
    let (mut score, mut depth) = (0.0, 0.0);
    for seed in 0..boards {
        let start = VsSameGame::new(SameGame::start(&variant, &mut Rng::new(seed)));
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, VsSameGame>| {});
        let budget = Budget { units: Some(units), ..Budget::default() };
        let mut context = Context::new(budget, seed, 1, 1 << 30, &stop, &mut sink);
        let mut solver = Mcts::new(config);
        let found = solver.solve(&start, &mut context);
        score += found.map_or(0.0, |found| found.value as f64);
        depth += solver.statistics().average_depth();
    }
    (score / boards as f64, depth / boards as f64)
}

/// A larger C makes trees shallower: halves the interval of its logarithm.
fn for_depth(config: Config, wanted: f64, boards: u64, units: u64) {
    let (mut low, mut high) = (1e-4f64.ln(), 1f64.ln());
    for _ in 0..10 {
        let middle = (low + high) / 2.0;
        let c = middle.exp() as f32;
        let (score, depth) = measure(Config { c, ..config }, boards, units);
        println!("c {c:.5}: mean depth {depth:.2}, mean score {score:.1}");
        if depth > wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
}

fn for_score(rounds: usize, boards: u64, units: u64) {
    let base = composition("SP-MCTS").expect("it is among the names");
    // In logarithms, so that both stay positive.
    let start = [0.01f64, 0.01].map(|x| Normal { mean: x.ln(), deviation: 1.0 });
    let tuning = Tuning { rounds: 1, candidates: 12, elite: 3 };
    let mut normals = start.to_vec();
    let mut rng = Rng::new(1);
    for round in 1..=rounds {
        normals = cross_entropy(tuning, normals, &mut rng, |x| {
            let [c, d] = [x[0].exp() as f32, x[1].exp() as f32];
            measure(Config { rule: Rule::SpMcts { d }, c, ..base }, boards, units).0
        });
        let [c, d] = [normals[0], normals[1]];
        println!(
            "round {round}: C {:.5} (times {:.2}), D {:.5} (times {:.2})",
            c.mean.exp(),
            c.deviation.exp(),
            d.mean.exp(),
            d.deviation.exp()
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    match words.first().map(String::as_str) {
        Some("depth") => {
            let name = words.get(1).map_or("Static", String::as_str);
            match composition(name) {
                Some(config) => {
                    for_depth(config, number(2, 30) as f64, number(3, 4), number(4, 640_000));
                }
                None => println!("no composition is called {name}"),
            }
        }
        Some("score") => for_score(number(1, 5) as usize, number(2, 4), number(3, 64_000)),
        _ => println!(
            "tune_mcts depth NAME [DEPTH] [BOARDS] [UNITS] | score [ROUNDS] [BOARDS] [UNITS]"
        ),
    }
}
