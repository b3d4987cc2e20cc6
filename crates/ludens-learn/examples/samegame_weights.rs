//! Learns the weights of SameGame's evaluation, and measures beams with them.
//!
//! ```text
//! samegame_weights learn [BOARDS] [ROUNDS] [WIDTH] [SEED] > weights.rs
//! samegame_weights measure [BOARDS] [WIDTH] [SEED]
//! ```
//!
//! `learn` starts with a few weights set by hand. In each round a beam by blocks
//! left plays seeded random boards. Where it clears one, each position of its best
//! line is to be preferred to others of the same stage: to survivors of the beam
//! that did not lead to nearly as much, and to children drawn from all. The
//! log-likelihood of the line's position under a softmax over score so far plus
//! evaluation is maximised by Adam over the examples of all rounds so far, and the
//! next round plays with what was learned. It prints the mean of beams on other
//! boards after each round, and at the end the source file with the weights.
//! `measure` prints that mean for the weights that are compiled in.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use std::collections::HashSet;
use std::error::Error;

use ludens_core::{Game, Heuristic, Position, Rng, Staged};
use ludens_games::SameGame;
use ludens_games::samegame::{Evaluation, FEATURES, HIDDEN, Prepared, SameGameVariant, Weights};

/// Positions that one of the line is compared with.
const OTHERS: usize = 40;
/// Survivors that lead to within this many points of the best end are not worse.
const NEARLY: i64 = 30;
/// Points that a softmax counts as one unit.
const POINTS: f32 = 40.0;
const EPOCHS: usize = 12;
/// Boards of other seeds that measure what was learned.
const HELD_OUT: (usize, u64) = (12, 999);

/// A position of a beam.
struct Node {
    position: SameGame,
    so_far: i64,
    /// Its place among all nodes; the root is its own parent.
    parent: usize,
    /// The best end it led to.
    led_to: i64,
}

/// What a beam did: its nodes, those at each stage, and some children it saw there.
struct Played {
    nodes: Vec<Node>,
    stages: Vec<Vec<usize>>,
    seen: Vec<Vec<(SameGame, i64)>>,
    /// The best end: its value and the node before it.
    best: (i64, usize),
    cleared: bool,
}

/// A beam by blocks left that forgets nothing.
fn beam(board: &SameGame, width: usize, evaluation: &Evaluation, rng: &mut Rng) -> Played {
    let stages = board.stage() + 1;
    let mut waiting: Vec<Vec<(f32, Node)>> = (0..stages).map(|_| Vec::new()).collect();
    let mut played = Played {
        nodes: Vec::new(),
        stages: vec![Vec::new(); stages],
        seen: vec![Vec::new(); stages],
        best: (i64::MIN, 0),
        cleared: false,
    };
    let mut counts = vec![0u32; stages];
    let root = Node { position: *board, so_far: 0, parent: 0, led_to: i64::MIN };
    waiting[board.stage()].push((0.0, root));
    for stage in (0..stages).rev() {
        let mut here = std::mem::take(&mut waiting[stage]);
        here.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut known = HashSet::new();
        here.retain(|(_, node)| known.len() < width && known.insert(node.position.key()));
        for (_, node) in here {
            let place = played.nodes.len();
            let (position, so_far) = (node.position, node.so_far);
            played.stages[stage].push(place);
            played.nodes.push(node);
            let mut ends = Vec::new();
            position.children(|_, child, reward| {
                let value = so_far + i64::from(reward);
                let to = child.stage();
                // Each of the children seen at a stage is as likely to be kept.
                counts[to] += 1;
                if played.seen[to].len() < OTHERS {
                    played.seen[to].push((child, value));
                } else if let Some(old) = played.seen[to].get_mut(rng.below(counts[to]) as usize) {
                    *old = (child, value);
                }
                if child.is_over() {
                    ends.push((value, to == 0));
                } else {
                    let score = value as f32 + evaluation.value(&child);
                    let node =
                        Node { position: child, so_far: value, parent: place, led_to: i64::MIN };
                    waiting[to].push((score, node));
                }
            });
            for (value, cleared) in ends {
                played.nodes[place].led_to = played.nodes[place].led_to.max(value);
                if value > played.best.0 {
                    played.best = (value, place);
                    played.cleared = cleared;
                }
            }
        }
    }
    for place in (1..played.nodes.len()).rev() {
        let Node { parent, led_to, .. } = played.nodes[place];
        played.nodes[parent].led_to = played.nodes[parent].led_to.max(led_to);
    }
    played
}

/// A position as the evaluation sees it.
#[derive(Clone, Copy)]
struct Seen {
    features: [f32; FEATURES],
    blocks: f32,
    so_far: f32,
}

impl Seen {
    fn new(position: &SameGame, so_far: i64, spared: u8) -> Self {
        let (features, blocks) = position.features(spared);
        Seen { features, blocks: blocks as f32, so_far: so_far as f32 }
    }
}

/// The comparisons of one board's best line: the line's position is the first of each.
fn examples(played: &Played, spared: u8, rng: &mut Rng) -> Vec<Vec<Seen>> {
    let mut out = Vec::new();
    let mut place = played.best.1;
    while played.nodes[place].parent != place {
        let node = &played.nodes[place];
        let stage = node.position.stage();
        let mut group = vec![Seen::new(&node.position, node.so_far, spared)];
        let mut worse: Vec<usize> = played.stages[stage]
            .iter()
            .copied()
            .filter(|&other| played.nodes[other].led_to < played.best.0 - NEARLY)
            .collect();
        rng.shuffle(&mut worse);
        for &other in worse.iter().take(OTHERS / 2) {
            let other = &played.nodes[other];
            group.push(Seen::new(&other.position, other.so_far, spared));
        }
        let seen = played.seen[stage].iter().filter(|(child, _)| *child != node.position);
        for (child, so_far) in seen.take(OTHERS / 2) {
            group.push(Seen::new(child, *so_far, spared));
        }
        if group.len() > 1 {
            out.push(group);
        }
        place = node.parent;
    }
    out
}

/// Weights as a list of numbers, for the learning.
const LINEAR: usize = 4 * FEATURES;
const TO_HIDDEN: usize = FEATURES * HIDDEN;
const PARAMETERS: usize = LINEAR + TO_HIDDEN + 3 * HIDDEN;

struct Learner {
    weights: Vec<f32>,
    /// Adam's running means of gradients and of their squares.
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Learner {
    fn new(rng: &mut Rng) -> Self {
        let mut weights = vec![0.0; PARAMETERS];
        for knot in 0..4 {
            // The spared colour's blocks squared, what the others would pay, groups
            // and single blocks.
            for (feature, weight) in [(1, 5.0), (9, 10.0), (12, -5.0), (13, -5.0), (18, -15.0)] {
                weights[knot * FEATURES + feature] = weight;
            }
        }
        for weight in &mut weights[LINEAR..LINEAR + TO_HIDDEN] {
            *weight = 0.1 * (rng.unit() as f32 - 0.5);
        }
        let zeros = || vec![0.0; PARAMETERS];
        Learner { weights, mean: zeros(), square: zeros(), steps: 0 }
    }

    /// The value of a position and its hidden units; the same as [`Evaluation`]'s.
    fn value(&self, seen: &Seen) -> (f32, [f32; HIDDEN]) {
        let (knot, share) = Weights::knots(seen.blocks);
        let (low, high) = self.weights[knot * FEATURES..][..2 * FEATURES].split_at(FEATURES);
        let (to_hidden, rest) = self.weights[LINEAR..].split_at(TO_HIDDEN);
        let mut value = 0.0;
        let mut hidden: [f32; HIDDEN] =
            std::array::from_fn(|u| rest[HIDDEN + u] + rest[u] * seen.blocks / 100.0);
        for (i, &feature) in seen.features.iter().enumerate() {
            value += feature * ((1.0 - share) * low[i] + share * high[i]);
            let row = &to_hidden[i * HIDDEN..][..HIDDEN];
            hidden.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight * feature);
        }
        let out = &rest[2 * HIDDEN..];
        (value + hidden.iter().zip(out).map(|(h, w)| h.max(0.0) * w).sum::<f32>(), hidden)
    }

    /// Adds the gradient of a position's value, `factor` times.
    fn push(&self, seen: &Seen, hidden: &[f32; HIDDEN], factor: f32, gradient: &mut [f32]) {
        let (knot, share) = Weights::knots(seen.blocks);
        let out = LINEAR + TO_HIDDEN + 2 * HIDDEN;
        let back: [f32; HIDDEN] =
            std::array::from_fn(
                |u| {
                    if hidden[u] > 0.0 { factor * self.weights[out + u] } else { 0.0 }
                },
            );
        for (i, &feature) in seen.features.iter().enumerate() {
            gradient[knot * FEATURES + i] += factor * feature * (1.0 - share);
            gradient[(knot + 1) * FEATURES + i] += factor * feature * share;
            if feature != 0.0 {
                for (u, back) in back.iter().enumerate() {
                    gradient[LINEAR + i * HIDDEN + u] += back * feature;
                }
            }
        }
        for u in 0..HIDDEN {
            gradient[LINEAR + TO_HIDDEN + u] += back[u] * seen.blocks / 100.0;
            gradient[LINEAR + TO_HIDDEN + HIDDEN + u] += back[u];
            gradient[out + u] += factor * hidden[u].max(0.0);
        }
    }

    /// One comparison: its gradient is added; the log-likelihood is returned.
    fn compare(&self, group: &[Seen], gradient: &mut [f32]) -> f32 {
        let values: Vec<_> = group.iter().map(|seen| self.value(seen)).collect();
        let scores: Vec<f32> =
            group.iter().zip(&values).map(|(seen, v)| (seen.so_far + v.0) / POINTS).collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        for (place, (seen, (_, hidden))) in group.iter().zip(&values).enumerate() {
            let likely = (scores[place] - most).exp() / sum;
            let wanted = if place == 0 { 1.0 } else { 0.0 };
            self.push(seen, hidden, wanted - likely, gradient);
        }
        scores[0] - most - sum.ln()
    }

    /// A step of Adam, upwards.
    fn step(&mut self, gradient: &[f32], rate: f32) {
        self.steps += 1;
        let (a, b) = (0.9_f32, 0.999_f32);
        let (fix_a, fix_b) = (1.0 - a.powi(self.steps), 1.0 - b.powi(self.steps));
        for (i, &g) in gradient.iter().enumerate() {
            self.mean[i] = a * self.mean[i] + (1.0 - a) * g;
            self.square[i] = b * self.square[i] + (1.0 - b) * g * g;
            self.weights[i] +=
                rate * self.mean[i] / fix_a / ((self.square[i] / fix_b).sqrt() + 1e-6);
        }
    }

    fn fit(&mut self, groups: &mut [Vec<Seen>], rng: &mut Rng) {
        if groups.is_empty() {
            eprintln!("  nothing to learn from: wider beams, or more boards, would clear some");
            return;
        }
        let mut gradient = vec![0.0; PARAMETERS];
        for epoch in 0..EPOCHS {
            rng.shuffle(groups);
            let rate = 0.1 * (1.0 - epoch as f32 / EPOCHS as f32);
            let mut total = 0.0;
            for batch in groups.chunks(32) {
                gradient.fill(0.0);
                total += batch.iter().map(|group| self.compare(group, &mut gradient)).sum::<f32>();
                gradient.iter_mut().for_each(|g| *g /= batch.len() as f32);
                self.step(&gradient, rate);
            }
            if epoch + 1 == EPOCHS {
                eprintln!("  mean log-likelihood {:.3}", total / groups.len() as f32);
            }
        }
    }

    fn weights(&self) -> Weights {
        let w = &self.weights;
        let end = LINEAR + TO_HIDDEN;
        let units = |at: usize| std::array::from_fn(|u| w[at + u]);
        Weights {
            linear: std::array::from_fn(|k| std::array::from_fn(|i| w[k * FEATURES + i])),
            to_hidden: std::array::from_fn(|i| units(LINEAR + i * HIDDEN)),
            blocks_to_hidden: units(end),
            bias: units(end + HIDDEN),
            from_hidden: units(end + 2 * HIDDEN),
        }
    }
}

fn boards(count: usize, seed: u64) -> impl Iterator<Item = SameGame> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |_| SameGame::start(&SameGameVariant::default(), &mut rng))
}

/// The mean value of beams, and how many of them cleared the board.
fn measure(
    count: usize,
    width: usize,
    seed: u64,
    weights: Option<&'static Prepared>,
) -> (f64, usize) {
    let (mut total, mut cleared) = (0, 0);
    for board in boards(count, seed) {
        let mut evaluation = Evaluation::of(&board);
        evaluation.weights = weights.unwrap_or(evaluation.weights);
        let played = beam(&board, width, &evaluation, &mut Rng::new(seed));
        total += played.best.0;
        cleared += usize::from(played.cleared);
    }
    (total as f64 / count as f64, cleared)
}

fn print(weights: &Weights) {
    let list = |name: &str, about: &str, kind: &str, rows: &[&[f32]], flat: bool| {
        println!("\n/// {about}\npub(super) const {name}: {kind} = [");
        for row in rows {
            let numbers: Vec<String> = row.iter().map(|w| format!("{w:?}")).collect();
            let numbers = numbers.join(", ");
            println!(
                "{}",
                if flat { format!("    {numbers},") } else { format!("    [{numbers}],") }
            );
        }
        println!("];");
    };
    println!(
        "//! What the evaluation has learned: see `docs/algorithms/samegame-evaluation.md`.\n"
    );
    println!("use super::evaluation::HIDDEN;\nuse super::features::FEATURES;");
    let linear: Vec<&[f32]> = weights.linear.iter().map(|row| &row[..]).collect();
    let about = "Points per unit of each feature, for each of the knots.";
    list("LINEAR", about, "[[f32; FEATURES]; 4]", &linear, false);
    let rows: Vec<&[f32]> = weights.to_hidden.iter().map(|row| &row[..]).collect();
    let about = "What each feature adds to each hidden unit.";
    list("TO_HIDDEN", about, "[[f32; HIDDEN]; FEATURES]", &rows, false);
    for (name, about, row) in [
        (
            "BLOCKS_TO_HIDDEN",
            "What a hundred blocks add to each hidden unit.",
            &weights.blocks_to_hidden,
        ),
        ("BIAS", "What each hidden unit has without anything.", &weights.bias),
        ("FROM_HIDDEN", "Points per unit of each hidden unit above 0.", &weights.from_hidden),
    ] {
        list(name, about, "[f32; HIDDEN]", &[row], true);
    }
}

fn learn(count: usize, rounds: usize, width: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut learner = Learner::new(&mut rng);
    let mut groups = Vec::new();
    let (mean, cleared) = measure(HELD_OUT.0, width, HELD_OUT.1, None);
    eprintln!("compiled in: {mean:.0}, {cleared} of {} cleared", HELD_OUT.0);
    for round in 0..=rounds {
        // Evaluations are copied about freely, so their weights live for ever.
        let weights: &'static Prepared = Box::leak(Box::new(learner.weights().into()));
        let (mean, cleared) = measure(HELD_OUT.0, width, HELD_OUT.1, Some(weights));
        eprintln!("round {round}: {mean:.0}, {cleared} of {} cleared", HELD_OUT.0);
        if round == rounds {
            break;
        }
        let mut won = 0;
        for board in boards(count, rng.next_u64()) {
            let mut evaluation = Evaluation::of(&board);
            evaluation.weights = weights;
            let played = beam(&board, width, &evaluation, &mut rng);
            if played.cleared {
                won += 1;
                groups.extend(examples(&played, evaluation.spared, &mut rng));
            }
        }
        eprintln!("  {won} of {count} boards cleared, {} comparisons", groups.len());
        learner.fit(&mut groups, &mut rng);
    }
    print(&learner.weights());
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).map_or(Ok(default), |text| text.parse());
    match args.first().map(String::as_str) {
        Some("learn") => {
            let (count, rounds) = (number(1, 120)? as usize, number(2, 4)? as usize);
            learn(count, rounds, number(3, 100)? as usize, number(4, 7)?);
        }
        Some("measure") => {
            let (count, width) = (number(1, 24)? as usize, number(2, 100)? as usize);
            let (mean, cleared) = measure(count.max(1), width, number(3, 999)?, None);
            println!("mean {mean:.0}, {cleared} of {count} cleared");
        }
        _ => return Err("expected learn or measure".into()),
    }
    Ok(())
}
