//! Finds weights for Former's evaluation, and measures a beam with it.
//!
//! ```text
//! former_weights fit [BOARDS] [WIDTH] [SECONDS] [SEED]
//! former_weights daily (MILLISECONDSms | NODES) [THREADS] [SEED]
//! former_weights thesis (MILLISECONDSms | NODES) [THREADS] [SEED] [BOARDS]
//! ```
//!
//! `fit` walks at random from the present weights and prints every improvement.
//! `daily` and `thesis` solve the boards with published best lengths, which are
//! read from the folder `former` in `LUDENS_DATA`, and print how many reach them.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{Budget, Context, Game, Progress, Rng, Solver};
use ludens_games::Former;
use ludens_games::former::{Date, Evaluation, FEATURES, FormerVariant, daily, thesis_boards};
use ludens_search::{Beam, ByBound, Rounds};

const MEMORY: usize = 2 << 30;

/// The length of the line a beam finds, and the nodes it made.
fn solve(board: &Former, beam: &mut Beam<Evaluation, ByBound>, task: Task) -> (i64, u64) {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
    let mut context = Context::new(task.budget, task.seed, task.threads, MEMORY, &stop, &mut sink);
    beam.solve(board, &mut context).map_or((i64::MAX, 0), |found| (-found.value, found.nodes))
}

#[derive(Clone, Copy)]
struct Task {
    budget: Budget,
    threads: usize,
    seed: u64,
}

/// The mean length with one beam of a width.
fn mean(boards: &[Former], weights: [f32; FEATURES], width: usize) -> f64 {
    let heuristic = Evaluation { weights, spread: 0.0 };
    let mut beam = Beam { heuristic, ceiling: ByBound, rounds: Rounds::plain(width) };
    let task = Task { budget: Budget::default(), threads: 1, seed: 1 };
    let total: i64 = boards.iter().map(|board| solve(board, &mut beam, task).0).sum();
    total as f64 / boards.len() as f64
}

fn fit(boards: usize, width: usize, time: Duration, seed: u64) {
    let mut rng = Rng::new(seed);
    let variant = FormerVariant::default();
    let boards: Vec<Former> = (0..boards).map(|_| Former::start(&variant, &mut rng)).collect();
    let begin = Instant::now();
    let mut weights = Evaluation::default().weights;
    let mut best = mean(&boards, weights, width);
    println!("{best:.4} {weights:.3?}");
    // Steps grow with success and shrink with failure.
    let mut step = 0.2;
    while begin.elapsed() < time {
        let mut tried = weights;
        for _ in 0..=rng.below(3) {
            let feature = rng.below(FEATURES as u32) as usize;
            let normal = (0..4).map(|_| rng.unit() as f32).sum::<f32>() - 2.0;
            tried[feature] += step * normal;
        }
        let found = mean(&boards, tried, width);
        if found <= best {
            if found < best {
                println!("{found:.4} {tried:.3?}");
            }
            (best, weights, step) = (found, tried, step * 1.1);
        } else {
            step = (step * 0.98_f32).max(0.05);
        }
    }
}

type Known = Vec<(String, i64, Former)>;

fn data(name: &str) -> Result<String, Box<dyn Error>> {
    let folder = std::env::var("LUDENS_DATA")?;
    Ok(std::fs::read_to_string(format!("{folder}/former/{name}"))?)
}

fn daily_boards() -> Result<Known, Box<dyn Error>> {
    let text = data("daily_boards.json")?;
    let mut known = Vec::new();
    for line in text.lines().filter(|line| line.contains("\"date\"")) {
        let date: Date = line.split('"').nth(3).ok_or("no date")?.parse()?;
        let best = line.split("best_known\": ").nth(1).and_then(|rest| rest.split(',').next());
        let board = daily(date.year(), date.month(), date.day())?;
        known.push((date.to_string(), best.ok_or("no length")?.parse()?, board));
    }
    Ok(known)
}

fn random_boards(count: usize) -> Result<Known, Box<dyn Error>> {
    let text = data("random_1000_best_known.txt")?;
    let mut known = Vec::new();
    for (i, (board, best)) in thesis_boards().zip(text.lines()).take(count).enumerate() {
        known.push((i.to_string(), best.trim().parse()?, board));
    }
    Ok(known)
}

fn measure(known: &Known, task: Task) {
    let rounds = Rounds { noise: 0.5, ..Rounds::default() };
    let mut beam = Beam { heuristic: Evaluation::default(), ceiling: ByBound, rounds };
    let (mut reached, mut better, mut total, mut nodes) = (0, 0, 0, 0);
    let begin = Instant::now();
    for (name, best, board) in known {
        let (length, made) = solve(board, &mut beam, task);
        total += length;
        nodes += made;
        reached += usize::from(length <= *best);
        better += usize::from(length < *best);
        if length > *best {
            println!("{name}: {length} instead of {best}");
        }
    }
    let count = known.len() as f64;
    println!(
        "{reached} of {} reached, {better} of them better; mean {:.3}; {:.2} M nodes, {:.0} ms each",
        known.len(),
        total as f64 / count,
        nodes as f64 / count / 1e6,
        begin.elapsed().as_secs_f64() * 1e3 / count
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).map_or(Ok(default), |text| text.parse());
    let task = || -> Result<Task, Box<dyn Error>> {
        let budget = args.get(1).ok_or("no budget")?;
        let budget = match budget.strip_suffix("ms") {
            Some(time) => Budget::time(Duration::from_millis(time.parse()?)),
            None => Budget::nodes(budget.parse()?),
        };
        Ok(Task { budget, threads: number(2, 2)? as usize, seed: number(3, 1)? })
    };
    match args.first().map(String::as_str) {
        Some("fit") => {
            let time = Duration::from_secs(number(3, 300)?);
            fit(number(1, 500)? as usize, number(2, 64)? as usize, time, number(4, 8)?);
        }
        Some("daily") => measure(&daily_boards()?, task()?),
        Some("thesis") => measure(&random_boards(number(4, 1000)? as usize)?, task()?),
        _ => return Err("expected fit, daily or thesis".into()),
    }
    Ok(())
}
