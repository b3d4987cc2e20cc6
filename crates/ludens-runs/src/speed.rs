//! How fast neural networks are.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Evals, Evaluator, Game, Rng};
use ludens_games::{Former, Sevn};
use ludens_learn::cpu_time;
use ludens_nn::{
    Adam, Encoder, FormerCells, Graph, GraphEncoder, GraphEvaluator, GraphNetwork, GraphSpec,
    NOBODY, NetEvaluator, Network, SevnGraph, Spec, Trainer, Weights, policy_loss, value_loss,
};
use serde_json::{Value, json};

/// Samples of a training step.
const BATCH: usize = 128;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Former's policy network of a width and a depth judges positions.
    NetEvaluator(usize, usize),
    /// It learns.
    Learn(usize, usize),
    /// The Sevn text's graph network judges positions.
    JudgeGraphs,
    /// It learns.
    LearnGraphs,
}

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    work: Work,
    batch: usize,
    threads: usize,
}

/// What a measurement came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The network: `former (32,5)`.
    pub network: String,
    /// `evaluate` or `learn`.
    pub work: &'static str,
    /// Positions at once.
    pub batch: usize,
    /// Threads.
    pub threads: usize,
    /// Positions per second.
    pub per_s: f64,
    /// Positions per second of processor time, which other work on the machine changes less.
    pub per_cpu_s: f64,
}

impl Row {
    /// All figures with stable names.
    pub fn to_json(&self) -> Value {
        json!({
            "network": self.network,
            "work": self.work,
            "batch": self.batch,
            "threads": self.threads,
            "positions_per_s": self.per_s.round(),
            "positions_per_cpu_s": self.per_cpu_s.round(),
        })
    }
}

/// All measurements, each on these numbers of threads where they can share the work.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let mut benches = Vec::new();
    let mut add = |work, batch: usize, shared: bool| {
        let usable = threads.iter().filter(|&&count| count == 1 || shared);
        benches.extend(usable.map(|&threads| Bench { work, batch, threads }));
    };
    for (width, depth) in [(32, 5), (64, 10)] {
        for batch in [1, 36, 512] {
            add(Work::NetEvaluator(width, depth), batch, batch > 1);
        }
        add(Work::Learn(width, depth), BATCH, true);
    }
    add(Work::JudgeGraphs, 1, false);
    add(Work::LearnGraphs, BATCH, true);
    benches
}

impl Bench {
    /// Measures for about `span`.
    pub fn run(&self, span: Duration, seed: u64) -> Row {
        let mut rng = Rng::new(seed);
        let (batch, threads) = (self.batch, self.threads);
        let (network, work, (per_s, per_cpu_s)) = match self.work {
            Work::NetEvaluator(width, depth) => {
                let positions = positions::<Former>(batch, &mut rng);
                let weights = Weights::random(former_spec(width, depth), &mut rng);
                let network = Arc::new(Network::new(&weights));
                let evaluator = NetEvaluator::new(network, FormerCells, &Default::default());
                let mut evaluator =
                    evaluator.expect("the network is for this board").threads(threads);
                let mut evals = Evals::default();
                let rate = rate(span, batch, || evaluator.evaluate(&positions, &mut evals));
                (format!("former ({width},{depth})"), "evaluate", rate)
            }
            Work::Learn(width, depth) => {
                let rate = learn_boards(width, depth, batch, threads, span, &mut rng);
                (format!("former ({width},{depth})"), "learn", rate)
            }
            Work::JudgeGraphs => {
                let positions = positions::<Sevn>(512, &mut rng);
                let network = GraphNetwork::new(&Weights::random(GraphSpec::sevn(), &mut rng));
                let evaluator = GraphEvaluator::new(Arc::new(network), SevnGraph);
                let mut evaluator = evaluator.expect("the network is for these graphs");
                let mut evals = Evals::default();
                let rate =
                    rate(span, positions.len(), || evaluator.evaluate(&positions, &mut evals));
                ("sevn graph".to_owned(), "evaluate", rate)
            }
            Work::LearnGraphs => {
                let rate = learn_graphs(batch, threads, span, &mut rng);
                ("sevn graph".to_owned(), "learn", rate)
            }
        };
        Row { network, work, batch, threads, per_s, per_cpu_s }
    }
}

fn former_spec(width: usize, depth: usize) -> Spec {
    let [rows, cols, planes] = <FormerCells as Encoder<Former>>::shape(&Default::default());
    Spec::policy(rows, cols, planes, width, depth)
}

/// Positions of random games.
fn positions<G: Game<After = G>>(count: usize, rng: &mut Rng) -> Vec<G> {
    let mut here = G::start(&Default::default(), rng);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        positions.push(here);
        here = match here.step(rng) {
            Some((_, next, _)) if !next.is_over() => next,
            _ => G::start(&Default::default(), rng),
        };
    }
    positions
}

fn learn_boards(
    width: usize,
    depth: usize,
    batch: usize,
    threads: usize,
    span: Duration,
    rng: &mut Rng,
) -> (f64, f64) {
    let spec = former_spec(width, depth);
    let positions = positions::<Former>(batch, rng);
    let mut trainer = Trainer::new(Weights::random(spec, rng)).threads(threads);
    let mut inputs = vec![0.0; batch * spec.inputs()];
    let mut owners = vec![NOBODY; batch * spec.actions];
    for (index, position) in positions.iter().enumerate() {
        FormerCells.encode(position, &mut inputs[index * spec.inputs()..][..spec.inputs()]);
        FormerCells.owners(position, &mut owners[index * spec.actions..][..spec.actions]);
    }
    rate(span, batch, || {
        trainer.step(&Adam::default(), &inputs, |out, slope| {
            let rows = out.policy.chunks_exact(spec.actions).zip(owners.chunks_exact(spec.actions));
            let rows = rows.zip(slope.policy.chunks_exact_mut(spec.actions));
            let scale = 1.0 / batch as f32;
            rows.map(|((out, owners), slope)| policy_loss(out, owners, &[1.0], scale, slope)).sum()
        });
    })
}

fn learn_graphs(batch: usize, threads: usize, span: Duration, rng: &mut Rng) -> (f64, f64) {
    let graphs: Vec<Graph> = positions::<Sevn>(batch, rng)
        .iter()
        .map(|position| {
            let mut graph = Graph::default();
            SevnGraph.encode(position, &mut graph);
            graph
        })
        .collect();
    let mut trainer = Trainer::new(Weights::random(GraphSpec::sevn(), rng)).threads(threads);
    rate(span, batch, || {
        trainer.step_graphs(&Adam::default(), &graphs, |out, slope| {
            let scale = 1.0 / batch as f32;
            slope.policy.fill(scale);
            let values = out.values.iter().zip(&mut slope.values);
            values.map(|(value, slope)| value_loss(*value, 0.5, scale, slope)).sum()
        });
    })
}

/// How much of `amount` a second brings, and a second of processor time; once before the clock
/// starts.
fn rate(span: Duration, amount: usize, mut work: impl FnMut()) -> (f64, f64) {
    work();
    let (begin, cpu) = (Instant::now(), cpu_time());
    let mut count = 0;
    loop {
        work();
        count += amount;
        if begin.elapsed() >= span {
            break;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let spent = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
    (count as f64 / seconds, count as f64 / spent.max(1e-9))
}
