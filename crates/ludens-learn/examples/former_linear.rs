//! A linear evaluation of Former learned from the same games as a network, and beams by both.
//!
//! `former_linear RUN BOARDS MILLISECONDS` reads the games of a run of `ludens train former-supervised`,
//! fits the moves left to the features of [`Evaluation`] by least squares, and solves random boards by beams
//! on one thread in equal time: ordered by these weights, by the weights that the program has, and by the
//! run's network.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{Budget, Context, Game, Heuristic, Progress, Rng, Solver};
use ludens_games::Former;
use ludens_games::former::{Evaluation, FEATURES, FormerVariant};
use ludens_learn::supervised::{GAMES, Games, Sample, SupervisedConfig, samples};
use ludens_learn::{CHECKPOINT, RunRequest};
use ludens_nn::{FormerCells, Model, NetValue, Network};
use ludens_search::{Beam, ByBound, Rounds};

/// The features, and 1.
const TERMS: usize = FEATURES + 1;
const MEMORY: usize = 1 << 30;
const SEED: u64 = 7;

fn terms(position: &Former) -> [f64; TERMS] {
    let features = Evaluation::features(position);
    std::array::from_fn(|i| features.get(i).map_or(1.0, |n| f64::from(*n)))
}

/// The weights of the smallest squared error, by the normal equations.
fn fit(samples: &[Sample<Former>]) -> [f64; TERMS] {
    let mut rows = [[0.0; TERMS + 1]; TERMS];
    for sample in samples {
        let terms = terms(&sample.position);
        for (row, left) in rows.iter_mut().zip(terms) {
            row.iter_mut().zip(terms).for_each(|(sum, right)| *sum += left * right);
            row[TERMS] -= left * f64::from(sample.value);
        }
    }
    // A little of the ridge keeps features that depend on each other apart.
    (0..TERMS).for_each(|i| rows[i][i] += 1e-3 * samples.len() as f64);
    // Gauss-Jordan; the matrix is positive definite, so no rows need to change places.
    for pivot in 0..TERMS {
        let own = rows[pivot].map(|x| x / rows[pivot][pivot]);
        for row in &mut rows {
            let factor = row[pivot];
            row.iter_mut().zip(own).for_each(|(x, y)| *x -= factor * y);
        }
        rows[pivot] = own;
    }
    rows.map(|row| row[TERMS])
}

/// The root of the mean squared error.
fn error(samples: &[Sample<Former>], left: impl Fn(&Former) -> f64) -> f64 {
    let square =
        |sample: &Sample<Former>| (left(&sample.position) + f64::from(sample.value)).powi(2);
    (samples.iter().map(square).sum::<f64>() / samples.len() as f64).sqrt()
}

/// Moves for each board with a beam in so much time, which must be enough to come to the end of each.
fn solve(
    heuristic: impl Heuristic<Former> + Clone + 'static,
    noise: f32,
    boards: &[Former],
    time: Duration,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let rounds = Rounds { noise, ..Rounds::default() };
    let mut beam = Beam { heuristic, ceiling: ByBound, rounds };
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
    let mut lengths = Vec::new();
    for board in boards {
        let mut context = Context::new(Budget::time(time), 1, 1, MEMORY, &stop, &mut sink);
        let line = beam.solve(board, &mut context).map(|found| found.line).unwrap_or_default();
        let end = line.iter().fold(*board, |here, action| here.apply(*action).0);
        if !end.is_over() {
            return Err("a board was not solved to its end; more milliseconds may help".into());
        }
        lengths.push(line.len() as f64);
    }
    Ok(lengths)
}

/// Mean with its 95 % interval.
fn interval(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    format!("{mean:.2} ({:.2} to {:.2})", mean - half, mean + half)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, boards, millis] = arguments.as_slice() else {
        return Err("expected RUN BOARDS MILLISECONDS".into());
    };
    let (run, variant) = (Path::new(run), FormerVariant::default());
    let request = RunRequest { dir: Some(run.to_owned()), resume: true, ..RunRequest::default() };
    let opened = request.open("former", SupervisedConfig::default(), CHECKPOINT, |_| Ok(()))?;
    let (seed, config) = (opened.seed, opened.config);
    let games = Games::open(&run.join(GAMES), "former", seed)?;
    let games = games.read::<Former>(&variant, config.games, config.branches + 1)?;
    let split = samples(&games, config.max_moves, false);
    let fitted = fit(&split.training);
    let linear = |position: &Former| -> f64 {
        terms(position).iter().zip(fitted).map(|(term, weight)| term * weight).sum()
    };
    let model: Model = Model::load(&run.join("model.safetensors"))?;
    let network = NetValue::new(Arc::new(Network::new(&model.weights)), FormerCells, &variant)?;
    println!(
        "{} positions learned from, {} for validation",
        split.training.len(),
        split.validation.len()
    );
    println!("weights {fitted:.3?}");
    let judged = |position: &Former| -f64::from(network.value(position));
    let (ours, theirs) = (error(&split.validation, linear), error(&split.validation, judged));
    println!("error of the moves left: linear {ours:.3}, network {theirs:.3}");
    let mut rng = Rng::new(SEED);
    let boards: Vec<Former> =
        (0..boards.parse()?).map(|_| Former::start(&variant, &mut rng)).collect();
    let time = Duration::from_millis(millis.parse()?);
    let tuned = Evaluation::default();
    let mut weights = [0.0; FEATURES];
    weights.iter_mut().zip(fitted).for_each(|(weight, fitted)| *weight = fitted as f32);
    let learned = Evaluation { weights, ..tuned };
    let by_tuned = solve(tuned, 0.5, &boards, time)?;
    println!("tuned weights: {}", interval(&by_tuned));
    for (name, lengths) in [
        ("learned weights", solve(learned, 0.5, &boards, time)?),
        ("network", solve(network, 0.0, &boards, time)?),
    ] {
        let more: Vec<f64> = lengths.iter().zip(&by_tuned).map(|(a, b)| a - b).collect();
        println!("{name}: {}, more than tuned: {}", interval(&lengths), interval(&more));
    }
    Ok(())
}
